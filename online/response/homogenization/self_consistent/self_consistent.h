/* Self-consistent polycrystals: the engine, on the host. What `homogenization: self_consistent` steps with, and
 * `slipwave vpsc`. Grains are rigid-plastic and in phases, each with its crystal; what they are in between steps is
 * sw_crystals. scheme.h has the method. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SELF_CONSISTENT_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SELF_CONSISTENT_H

#include "common/crystal/material.h"
#include "inclusion.h"
#include "scheme.h"
#include "slipwave/crystals.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_sc_slip sw_sc_slip;

/* Numbers that each crystal keeps beside q and s: fields of its layout; then, of families, those of their law. */
#define SW_SC_STRESS "grain_stress" /* 5, Pa, sample frame; 0 at first */
#define SW_SC_SHAPE "ellipsoid"     /* 9: F of its ellipsoid, or its phase's, less 1 */
enum { SW_SC_KEPT = 14 };

/* Ready for use: of a material, or of systems, their law (NULL: one resistance by `hardening`), exponent and reference
 * rate (1/s) as they are. Release with free. SW_ERR_RANGE, SW_ERR_MEMORY. */
sw_status sw_sc_slip_of(const sw_material *material, sw_sc_slip **slip);
sw_status sw_sc_slip_make(const sw_slip_systems *systems, const sw_slip_law *law,
                          const sw_hardening *hardening, double exponent, double rate, sw_sc_slip **slip);

/* Directions for an aspect ratio (longest axis over the shortest; what sw_sc_shape_of returns), fewer where stresses are wanted to no
 * better than 5e-4; or, of VPSC8, for its ordered axes a2 >= a1 >= a3. */
sw_sc_directions sw_sc_directions_for(double aspect, double tolerance);
sw_sc_directions sw_sc_directions_of_vpsc(const double axes[3]);

/* What a caller may ask for, in a job, of the library or in Python: more digits than the least tolerance double precision does not
 * have. */
#define SW_SC_NEFF_LEAST 1e-6
#define SW_SC_NEFF_MOST 1e6
#define SW_SC_TOLERANCE_LEAST 1e-11
#define SW_SC_TOLERANCE_MOST 1e-2

/* By number: sw_sc_linearization; of a phase, of each grain, or as they begin. */
extern const char *const sw_linearization_names[SW_SC_LINEARIZATIONS], *const sw_ellipsoid_names[3];

/* What a scheme's numbers are when a job says nothing: affine, and the tolerances. */
sw_sc_rules sw_sc_standard_rules(sw_sc_linearization linearization, double neff, double exponent);

/* One phase: its crystal, and its grains as they are. weights: the crystals' own, shared out over all phases. */
typedef struct {
    const sw_sc_slip *slip;
    sw_crystals grains;
    int stress_at,
        law_at; /* of a crystal's numbers: where its stress and then its shape begin, and its law's; 0: after them */
    /* In double precision, in place of the crystals' own where they are not NULL: rotations, crystal -> sample, [N], resistances
     * [N][G], weights [N], and [N] ellipsoids of their own along their axes, whose directions are VPSC8's. */
    const double (*turn)[3][3], *resistance, *weight;
    const sw_sc_shape *shape;
    double scale; /* of its weights, which are all phases'; 0: 1 */
} sw_sc_phase;

/* Room to work in for grains of these phases, on the host; kept from step to step, with moduli and stresses in double
 * precision. SW_ERR_MEMORY. */
typedef struct sw_sc_work sw_sc_work;
sw_status sw_sc_work_make(int phases, const sw_sc_phase *phase, const sw_sc_rules *rules, sw_sc_work **work);
void sw_sc_work_free(sw_sc_work *work);

/* From now on its grains are this process's of a polycrystal that all processes solve and advance together: sums and averages are of all
 * of them. */
void sw_sc_work_of_all(sw_sc_work *work);

/* The medium's rate and stress under its conditions, and each grain's, which stay in `work`: medium->conditions, ->d (a first
 * guess where rates are not given), phases, their shapes and ->warm are set. directions [phases]. threads: of OpenMP. What
 * converged how is in the medium. Crystals are read alone. */
void sw_sc_solve(sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                 const sw_sc_directions *directions, sw_sc_medium *medium, int threads);

/* Stress and strain rate of a phase's grain as solved, sample frame, vectors of five; slip rates of its systems [S], 1/s, or NULL. */
void sw_sc_grain_of(const sw_sc_work *work, const sw_sc_phase *phase, int number, int64_t grain,
                    double stress[5], double rate[5], double *slip_rate);

/* How a grain's stress varies within it, as SW_SC_SECOND_ORDER has it: covariance < (s - <s>) (s - <s>) >, Pa^2, vectors of five. */
void sw_sc_grain_covariance(const sw_sc_work *work, int number, int64_t grain, double covariance[5][5]);

/* Of shapes of their own, what a grain's ellipsoid turns with by d - D: [3][5] of 12 13 23. */
void sw_sc_grain_spin(const sw_sc_work *work, int number, int64_t grain, double spin[3][5]);

/* What is found of a point. */
typedef struct {
    double stress[5];                         /* Pa, a vector of five */
    double rate[5];                           /* D, likewise, 1/s */
    double mean_stress;                       /* Pa, where a stress is given */
    double stiffness[5][5];                   /* d stress by d rate, Pa s: of the medium's tangent */
    double slip_rate, slip_resistance, begun; /* means: G, 1/s; Pa, at the step's end and at its beginning */
    double weight;
    double error[3];
    double found[SW_SC_FREE]; /* x of free directions, 1/s */
    int outer, inner, converged;
} sw_sc_result;

/* And of a phase of it. */
typedef struct {
    double stress[5];                  /* mean of its grains, Pa */
    double slip_rate, slip_resistance; /* means */
    double velocity_gradient[3][3];    /* of its ellipsoid, 1/s */
} sw_sc_phase_result;

/* What a step of dt makes of grains: to [phases], which may be those of phase; orientation, resistances, stress and shape. spin:
 * W 12 13 23 of the polycrystal. average [phases]. */
typedef struct {
    double slip_rate, slip_resistance, begun,
        weight; /* sums by weight; begun: resistance at the step's beginning */
} sw_sc_average;
/* to: NULL: averages alone, of dt = 0. */
void sw_sc_advance(const sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                   const sw_sc_medium *medium, double dt, const double spin[3], const sw_crystals *to,
                   sw_sc_average *average, int threads);

#ifdef __cplusplus
}
#endif

#endif
