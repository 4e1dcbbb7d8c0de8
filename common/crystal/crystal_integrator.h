/* The iterative model for many crystals: bundles of crystals in SIMD lanes, bundles over threads.
 *
 * Steps follow the strain since the strain path began, not the state: small at first, through the
 * elastic-plastic transition, then constant, small again before the end if asked. Every crystal takes the
 * same steps, so no accept or reject decision can turn round-off into a different answer; a step is halved
 * only when it fails to converge or slips past the limit, which the chosen sizes leave to accidents. A
 * crystal's result does not depend on its neighbours or on the number of threads. Dimension: N crystals. */
#ifndef SW_COMMON_CRYSTAL_CRYSTAL_INTEGRATOR_H
#define SW_COMMON_CRYSTAL_CRYSTAL_INTEGRATOR_H

#include <stdint.h>

#include "material.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double strain_step;   /* ||D||_F dt of the steady steps */
    double rotation_step; /* ||W||_F dt of a step, rad: the largest ||W||/||D|| of a call bounds its steps */
    double first_strain_step;    /* of the first step on a strain path */
    double growth;               /* a step is at most this fraction of the strain behind it ... */
    double shrink;               /* ... and of the strain ahead: the lag of an implicit step is that of the
                                    last ones, so short ones at the end are worth short ones everywhere */
    double last_strain_step;     /* below which shrinking stops */
    double slip_increment_limit; /* a step in which a system slips more is halved; Kalidindi 1992 */
    double stress_tolerance;     /* last correction of stress and slip resistance, over s0 */
    int iterations_max;          /* per step, both levels together */
    int halvings_max;            /* before a crystal counts as failed */
} sw_integration_control;

/* For strain histories: steady steps up to the end, so that a history in increments takes the same
 * steps as one in a piece. The average stress is converged in step size to 1e-5. */
sw_integration_control sw_integration_history(void);
/* For one answer at the end of the increment: steps shrink towards it. Every crystal's G is
 * converged in step size to 0.1 % at strain 0.02. Measured in docs/validation.md, both. */
sw_integration_control sw_integration_endpoint(void);

typedef struct {
    double elastic_deformation[3][3]; /* F*, crystal -> sample */
    double stress[6];                 /* second Piola-Kirchhoff, crystal frame, Pa; 11 22 33 23 13 12 */
    double slip_resistance;           /* s, Pa; of families the mean of their systems */
    double slip_rate;                 /* G of the last step, 1/s */
    double plastic_velocity[3][3];    /* Lp of the last step, crystal frame, 1/s */
} sw_crystal_state;

/* A stress-free crystal: g [3][3] crystal -> sample, s in Pa. */
sw_crystal_state sw_crystal_state_initial(double g[3][3], double slip_resistance);

/* What a state answers, sample frame. */
typedef struct {
    double cauchy_stress[3][3];    /* Pa */
    double plastic_gradient[3][3]; /* F* Lp F*^-1, 1/s; its skew part is the plastic spin Wp */
    double rotation[3][3];         /* R* of F* = R* U*: crystal -> sample */
} sw_crystal_output;

/* The response of a state: a pure function. */
sw_crystal_output sw_crystal_state_output(const sw_crystal_state *state);

typedef struct {
    int64_t iterations; /* inner iterations, summed over crystals (idle lanes counted) */
    int64_t steps;      /* steps, likewise, retries included */
    int64_t halvings;   /* steps that had to be halved, summed over bundles */
} sw_integration_statistics;

/* The steps that crystals take through `strain`, ||D|| dt of each: increments [*count], released with free(). spin_ratio: the
 * largest ||W||/||D||. SW_ERR_RANGE, SW_ERR_MEMORY. */
sw_status sw_integration_plan(const sw_integration_control *control, double spin_ratio, double strain_on_path,
                              double strain, double **increments, int64_t *count);

/* Advance N crystals by the strain ||D||_F dt = strain, each at its own constant velocity gradient.
 *
 * velocity_gradient [N][3][3], or [1][3][3] with shared_gradient; 1/s; D not zero
 * strain_on_path    strain already behind on this strain path; 0 after a change of direction
 * state             [N], in and out
 * slip              [N][K], in and out, of a material with slip.families (slip_law.h): the resistance of each of G groups of systems, Pa, unless
 *                   one scales them all, then what each of F families has slipped and, where twins turn crystals, what the last two of
 *                   sw_slip_state say; K = sw_integration_slip(material); NULL: as
 *                   crystals of that resistance begin, and not wanted
 * failed            [N] bytes or NULL: 1 where a crystal did not converge (its state is then that
 *                   of its last good step)
 * statistics        added to; may be NULL
 *
 * SW_OK; SW_ERR_RANGE for strain < 0 or of more than 2^24 steps, or a zero or non-finite D; SW_ERR_CONVERGENCE when a
 * crystal fails and `failed` is NULL, naming the first; SW_ERR_MEMORY. */
int sw_integration_slip(const sw_material *material);
sw_status sw_integrate(const sw_material *material, const sw_integration_control *control, int64_t n_crystals,
                       const double (*velocity_gradient)[3][3], int shared_gradient, double strain_on_path,
                       double strain, sw_crystal_state *state, double *slip, unsigned char *failed,
                       sw_integration_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
