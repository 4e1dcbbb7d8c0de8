/* Response of N crystals to one velocity gradient: the narrow waist that every consumer calls.
 * Malahe 2018, section 3.5. Dimension: N crystals.
 *
 * Solvers, by name:
 *   terms          the ranked series summed directly at the nearest point of the refined grid (Eq. 33)
 *   grid           all stored terms by inverse FFT to a table of orientations, interpolated or nearest
 *   tabulated      the slip law at points of the Euler angles, at the strain rate's theta, interpolated or
 *                  nearest; no database, and one strain rate for all crystals
 *   rigid_plastic  the slip law itself, solved by Newton's method from near a vertex of the yield
 *                  surface; no database
 *   elastoplastic  the slip law with small elastic strains, one implicit solution a step; no database
 *   iterative      the elasto-viscoplastic model that databases are made from, integrated
 * All but the last on CPU and GPU; sw_solver_find tells what each needs and takes.
 *
 * One thread at a time, but for points with a loading each on the CPU (sw_points below). A response on a GPU belongs to
 * the thread that opened it, and of `rigid_plastic` on GPUs, as of `elastoplastic`, one response at a time may be in
 * use.
 *
 * Arrays of crystals and of answers may live in host memory, or, for a response on a GPU, in that GPU's:
 * where is found out from the pointer. A GPU takes arrays of the host through its memory in chunks. */
#ifndef SLIPWAVE_RESPONSE_H
#define SLIPWAVE_RESPONSE_H

#include <stdint.h>

#include "slipwave/crystals.h"
#include "slipwave/database.h"
#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Means over the crystals at the end of a step, by weight where they have any. */
typedef struct {
    /* sample frame, Pa; deviatoric but for `iterative`, and what deviators make of mean stress where the crystals of
     * `elastoplastic` are not cubic */
    double cauchy_stress[3][3];
    double slip_resistance; /* Pa */
    double slip_rate;       /* G, 1/s */
} sw_response_average;

/* What a solver needs and takes. */
typedef struct {
    const char *name;
    int needs_database;          /* else a material will do */
    int has_terms;               /* takes a number of terms */
    int64_t standard_refinement; /* 0: takes none */
    int has_interpolation;       /* of a table: linear or nearest */
    int has_iterations;          /* may end after one iteration */
    int has_history;  /* remembers more of each crystal than sw_crystal: no evaluations without a step */
    int64_t kept;     /* so many floats: K of sw_crystals; else 0 */
    int has_holds;    /* steps of D = 0: its elastic strains relax */
    int is_reference; /* is the model itself, which the errors of the others are measured against */
    int on_gpu;       /* has a version for it, in a build with CUDA */
} sw_solver_traits;

/* Solvers by number, from 0 on; NULL beyond the last. */
SW_API const sw_solver_traits *sw_solver_at(int number);
/* By name; NULL for an unknown one. */
SW_API const sw_solver_traits *sw_solver_find(const char *name);

/* How crystals answer to each other under homogenization "self_consistent". Of second order: on the CPU, without ellipsoids "grain". */
typedef struct {
    const char *linearization; /* "secant", "affine", "tangent", "neff", "second_order"; NULL: affine */
    double neff;               /* of "neff" alone: from 1e-6, Taylor, to 1e6, Sachs; 0: 10 */
    const char *ellipsoids;    /* "phase": all alike, deforming; "grain": by itself; "fixed"; NULL: phase */
    double tolerance;          /* of stresses and strain rates, relative, 1e-11 to 0.01; 0: 1e-4 */
} sw_self_consistent;

typedef struct {
    const char *solver;          /* its name */
    const sw_database *database; /* borrowed; NULL for a solver that needs none */
    const sw_material *material; /* borrowed; NULL: the database's */
    int64_t terms;      /* for `terms`: Fourier coefficients, a conjugate pair is two; 0: all stored */
    int64_t refinement; /* times the database's points, of `tabulated` 64 a turn; 0: the solver's own */
    int nearest;        /* of a table: the nearest entry of the table instead of interpolation */
    int one_iteration;  /* of `rigid_plastic`: one from the fitted start, not until the slip law holds */
    sw_device device;
    const char *homogenization; /* its name; NULL: "taylor" */
    sw_self_consistent self_consistent;
} sw_response_options;

/* SW_ERR_RANGE for an unknown solver, a missing database, more terms than stored, a refinement above 4096, one iteration of a material
 * without a fitted start (docs/theory.md, section 8);
 * SW_ERR_UNAVAILABLE for a GPU that is not there, or a solver without a version for it; SW_ERR_MEMORY. Database and material must
 * outlive the response. Release with sw_response_close. */
SW_API sw_status sw_response_open(const sw_response_options *options, sw_response **response);
SW_API void sw_response_close(sw_response *response);

/* What it remembers of crystals; borrowed. */
SW_API const sw_state_layout *sw_response_layout(const sw_response *response);

/* Responses without a step; nothing is changed.
 *
 * strain_rate  [3][3]  D, sample frame, 1/s; symmetric, trace-free
 * crystal      [N]     orientation and slip resistance
 * stress       [N][6]  deviatoric Cauchy stress 11 22 33 23 13 12, sample frame, Pa; caller's
 * plastic_spin [N][3]  Wp 12 13 23, sample frame, 1/s; caller's
 * slip_rate    [N]     G, 1/s; caller's
 *
 * SW_ERR_RANGE when D is zero, not finite, not symmetric or not trace-free, SW_ERR_UNAVAILABLE for
 * solvers whose answer depends on the history, SW_ERR_RANGE for arrays that share memory with one that is written;
 * nothing is written then. SW_ERR_CONVERGENCE when crystals have no answer, as those without a slip resistance above 0
 * or with numbers that are none, whose stress is NaN. */
SW_API sw_status sw_response_evaluate(sw_response *response, const double strain_rate[3][3],
                                      int64_t n_crystals, const sw_crystal *crystal, float (*stress)[6],
                                      float (*plastic_spin)[3], float *slip_rate);

/* The same with a strain rate for each crystal: points of finite elements, particles.
 *
 * strain_rate  [N][6]  D 11 22 33 23 13 12, sample frame, 1/s; a trace is left out
 *
 * D = 0 has no stress and no flow; one that is not finite has no answer. `terms` sums the series in all four dimensions, `grid` looks up in a table
 * of four (the database's points of theta, times its table's size; made at the first call). */
SW_API sw_status sw_response_evaluate_each(sw_response *response, int64_t n_crystals,
                                           const float (*strain_rate)[6], const sw_crystal *crystal,
                                           float (*stress)[6], float (*plastic_spin)[3], float *slip_rate);

/* Make now what the first step under a velocity gradient (as below) would: the table of `grid`, the folded
 * series of `terms`. SW_ERR_RANGE, SW_ERR_MEMORY. */
SW_API sw_status sw_response_prepare(sw_response *response, const double velocity_gradient[3][3]);

/* Likewise, what the first call of sw_response_evaluate_each or sw_response_step_each would: `grid`'s tables. After it
 * those calls change nothing in a response on the CPU. SW_ERR_UNAVAILABLE
 * for a solver without such calls; SW_ERR_MEMORY. */
SW_API sw_status sw_response_prepare_each(sw_response *response);

/* Crystals by dt (s) on under a constant velocity gradient (1/s, sample frame, trace-free), from one state to another,
 * and their averages, all of them at the step's end: stress and slip rate under this velocity gradient. Slip resistance
 * by the hardening law at the increment's G, orientation by the exponential of (W - Wp) dt. `elastoplastic` also takes
 * D = 0, a hold. The same bits for any number of threads, and from run to run on the same device while the crystals are
 * in the same place.
 *
 * to: where the crystals' state at the end goes: of as many, elsewhere; or `from` itself, which needs one copy only; or
 * NULL: the step is tried, and nothing but the averages is left. Weights are those of `from`.
 *
 * The state is in single precision: steps below some 1e-4 of strain turn the lattice by too few of its
 * digits, and the loss adds up; `iterative` has no such bound. SW_ERR_RANGE as above, for dt <= 0, for
 * a step of more than 0.1 of strain (||D|| dt; what it would miss: common/crystal/limits.h) or a spin of more than 10
 * rad; for crystals of another response's layout; SW_ERR_CONVERGENCE when crystals have no answer, SW_ERR_RANGE for
 * weights that are none (what is then in `to` is of no use); SW_ERR_MEMORY. */
/* Twins that turn crystals (twin_threshold in material files) do so in `to`, after the step, by all of its crystals. */
SW_API sw_status sw_response_step(sw_response *response, const double velocity_gradient[3][3], double dt,
                                  const sw_crystals *from, const sw_crystals *to,
                                  sw_response_average *average);

/* Means over crystals as they are, under a velocity gradient (1/s, sample frame, trace-free); nothing is changed.
 * SW_ERR_UNAVAILABLE for solvers with a history; else as sw_response_step. */
SW_API sw_status sw_response_evaluate_mean(sw_response *response, const double velocity_gradient[3][3],
                                           const sw_crystals *crystals, sw_response_average *average);

/* sw_response_step for those that take many under one velocity gradient. The stress of a solver without a history is
 * the answer to a velocity gradient of crystals as they are, and so sw_response_step ends with an evaluation, which
 * costs as much as the step. Here stress and slip rate are those that the step is made by, of the crystals at its
 * beginning: the end of the step before, if that was under the same velocity gradient. After the last one
 * sw_response_evaluate_mean has the end's; on the CPU it has the same bits as the next step would. Slip resistance is of
 * the end. Of solvers with a history this is sw_response_step. */
SW_API sw_status sw_response_advance(sw_response *response, const double velocity_gradient[3][3], double dt,
                                     const sw_crystals *from, const sw_crystals *to,
                                     sw_response_average *average);

/* ---- Points with a loading each: of finite elements, particles ---- */

/* Directions of a velocity gradient that are free, U of them, and what the stress does along these: L = velocity_gradient +
 * sum_k x_k along_k, along_k : stress = value_k (Pa), all along_k trace-free. Or, where `spring` is above 0 and U is 0, all of
 * D' is free, and what it takes from a stress that is held: the deviator of the stress, as the step ends, is held - spring D',
 * and x is D' (11 22 33 23 13 12); the velocity gradient says W, and about how fast it goes. */
enum { SW_FREE_DIRECTIONS = 6 };
typedef struct {
    int free; /* U */
    double along[SW_FREE_DIRECTIONS][3][3], value[SW_FREE_DIRECTIONS];
    double spring, held[6]; /* Pa s; Pa, trace-free */
} sw_point_condition;

/* A step of P points of n crystals each, every point under a velocity gradient of its own. Arrays as of
 * sw_response_step: on the host or, for a response on a GPU, each in its memory or on the host, from where it passes
 * through the GPU in chunks; but for dt_each and material, which are on the host. Of a material its hardening alone counts. */
typedef struct {
    int64_t points, each; /* P, n */
    /* [P] sample frame, 1/s; a trace is left out, but by crystals of `elastoplastic` that are not cubic: volume strains them */
    const double (*velocity_gradient)[3][3];
    double dt;               /* s */
    const double *dt_each;   /* [P] s, of each its own; on the host; NULL: dt */
    const sw_crystals *from; /* [P n] as they begin: of point p those from p n on, weights not all 0 */
    const sw_crystals *to;   /* as of sw_response_step: elsewhere, `from`, or NULL: a try */
    /* [P] whose hardening law each has; NULL: the response's, as it has to be with slip.families */
    const sw_material *const *material;
    int symmetric; /* of by_strain_rate the symmetric part */
    /* [P] on the host or the GPU, of homogenization "self_consistent", which finds x while it solves; NULL: all of L is given */
    const sw_point_condition *condition;
    double (*found)[SW_FREE_DIRECTIONS]; /* [P] out: x, 1/s; NULL: not wanted */

    /* Out: means over a point's crystals at the step's end, and how those change with D and W of the whole step: the
     * algorithmic tangent, not symmetric. [P] each, NULL: not wanted. Of solvers without a history the stress is that of
     * the orientations at the beginning with the slip resistances of the end, and the slip rate the beginning's. */
    /* Cauchy stress 11 22 33 23 13 12, sample frame, Pa: deviatoric, and of such crystals with the mean stress that deviators make */
    double (*stress)[6];
    double *slip_resistance;        /* Pa */
    double *slip_rate;              /* G, 1/s */
    double (*by_strain_rate)[6][6]; /* d stress / d (D11 D22 D33 2 D23 2 D13 2 D12), Pa s */
    double (*by_spin)[6][3];        /* d stress / d (W12 W13 W23), Pa s */
} sw_points;

/* For every solver but `iterative`; on a GPU not for `terms`. Tangents: `elastoplastic` and `rigid_plastic` have their
 * own, `grid` with linear interpolation that of its interpolation, the others none. `elastoplastic` also
 * takes L = 0, and differentiates all that it does (docs/theory.md); of the others nothing depends
 * on W, and D = 0 has no stress, no flow and no tangent. Pressure is the caller's: sw_response_point_bulk_modulus times
 * the volume strain.
 *
 * On the CPU several threads may step points with one response at a time, if sw_response_prepare_each came before them,
 * and what they write is not the same memory. Each call takes OpenMP's threads for
 * large batches: a thread that is to work alone calls omp_set_num_threads(1) first.
 *
 * Newton's method converges by `elastoplastic`'s tangent; of fewer than some hundred crystals near a corner of the
 * yield surface it wants a search along its way. Without elastic strains stresses of few crystals hardly hang on D
 * in some directions and jump in others: with a small m a caller adds elasticity of its own, as finite elements do.
 *
 * Twins that turn crystals do so in `to`, by the fractions of each point's own polycrystal and after its answers: a caller that
 * keeps `to` of no step but the one that it accepts turns crystals once.
 *
 * A point's results depend on nothing but its own crystals and loading: the same bits in any batch, with any number of
 * threads. SW_ERR_RANGE for dt <= 0, n < 1, or a tangent that the solver has not; SW_ERR_UNAVAILABLE for a solver
 * without points; SW_ERR_MEMORY. SW_ERR_CONVERGENCE when crystals have no answer (as all of a point whose L is not
 * finite, turns by more than 10 rad or strains by more than 0.5, and those with a slip resistance or a weight that is none):
 * results of their points are NaN, of the others as ever; what `to` then has of theirs is of no use. In a program that was asked to stop SW_ERR_INTERRUPTED, of what is tried with a tangent. */
SW_API sw_status sw_response_step_each(sw_response *response, const sw_points *points);

/* Of a polycrystal's pressure at such points, Pa: the crystals' bulk modulus, or, where what deviators make of mean stress is in
 * the stress, how stiff they are while their deviators do not change. */
SW_API double sw_response_point_bulk_modulus(const sw_response *response);

#ifdef __cplusplus
}
#endif

#endif
