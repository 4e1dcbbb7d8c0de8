/* Precipitation at many material points (Jensen et al. 2016; docs/theory.md, section 11): size distributions
 * of every phase, the matrix's composition, strength.
 *
 *     sw_kwn_alloy_open("alloy.yaml", &alloy);
 *     sw_kwn_options options = sw_kwn_defaults();
 *     sw_kwn_open(alloy, &options, n_points, NULL, 293.0, &kwn);
 *     for each macroscopic step {
 *         sw_kwn_advance(kwn, n_knots, time, temperature, 1);    returns at once
 *         ... the host's own work ...
 *         sw_kwn_read(kwn, 0, n_points, point);                  waits; then sw_kwn_strength_of
 *     }
 *     sw_kwn_close(kwn);
 *     sw_kwn_alloy_close(alloy);
 *
 * examples/weld.c is a whole program. Calls on one sw_kwn come from one thread; several sw_kwn are
 * independent. On GPUs calls use the device that was current at sw_kwn_open. Concentrations are atoms of a
 * solute per atomic volume of the matrix: in a dilute matrix mole fractions. SI units. Dimensions: N points,
 * S solutes, M phases, B classes. */
#ifndef SLIPWAVE_KWN_H
#define SLIPWAVE_KWN_H

#include <stdint.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_KWN_SOLUTES = 6, SW_KWN_PHASES = 6 }; /* an alloy has at most */

/* ---- Alloys ---- */

/* Solutes in a matrix, the phases they can form, strength. */
typedef struct sw_kwn_alloy sw_kwn_alloy;

/* Read an alloy file (YAML; docs/file-formats.md). SW_ERR_INPUT names file, line, key, value and bound;
 * SW_ERR_IO; SW_ERR_MEMORY. Release with sw_kwn_alloy_close, which takes NULL too. */
SW_API sw_status sw_kwn_alloy_open(const char *path, sw_kwn_alloy **alloy);
SW_API void sw_kwn_alloy_close(sw_kwn_alloy *alloy);

/* S and M. */
SW_API int sw_kwn_solutes(const sw_kwn_alloy *alloy);
SW_API int sw_kwn_phases(const sw_kwn_alloy *alloy);

/* Index of a solute or phase by name; -1 when there is none. */
SW_API int sw_kwn_find_solute(const sw_kwn_alloy *alloy, const char *element);
SW_API int sw_kwn_find_phase(const sw_kwn_alloy *alloy, const char *name);

/* Of the alloy as a whole, of a solute, 0 .. S - 1. */
SW_API double sw_kwn_concentration(const sw_kwn_alloy *alloy, int solute);

/* ---- How it is computed ---- */

/* Who does the steps of the histograms. Those after `fused` are Jensen et al.'s, Table 1, for comparison. */
typedef enum {
    SW_KWN_CPU,                  /* a thread for each point, SIMD over classes */
    SW_KWN_FUSED,                /* GPU: set-up, solution and sums in one kernel, no equation system */
    SW_KWN_NODE_FIRST,           /* GPU: a kernel each, points side by side */
    SW_KWN_CLASS_FIRST,          /* GPU: likewise, classes side by side */
    SW_KWN_CUSPARSE_STRIDED,     /* GPU: tridiagonal systems to cusparse<t>gtsv2StridedBatch */
    SW_KWN_CUSPARSE_INTERLEAVED, /* GPU: to cusparse<t>gtsvInterleavedBatch */
    SW_KWN_NODE_FIRST_PACKED,    /* GPU: as node_first, a row of the system in one element of four numbers */
    SW_KWN_CLASS_FIRST_PACKED,   /* GPU: as class_first, likewise */
    SW_KWN_STRATEGIES
} sw_kwn_strategy;

typedef enum {
    SW_KWN_DOUBLE, /* histograms and growth in double precision; the CPU's only one */
    SW_KWN_MIXED,  /* histograms in single, growth rates in double precision: Jensen et al. 2016 */
    SW_KWN_SINGLE, /* both in single precision; all that is a point's in double */
    SW_KWN_PRECISIONS
} sw_kwn_precision;

/* "cpu", "fused", ...; "double", "mixed", "single". */
SW_API extern const char *const sw_kwn_strategy_names[SW_KWN_STRATEGIES];
SW_API extern const char *const sw_kwn_precision_names[SW_KWN_PRECISIONS];

/* Whether a strategy needs a GPU. */
SW_API int sw_kwn_on_gpu(sw_kwn_strategy strategy);

/* Classes of size: from a smallest to a largest radius, in equal widths or in equal ratios; adaptive: from 0, each
 * wider than the one below by the same ratio, the last six times as wide as the first; the largest radius is doubled
 * and halved as particles grow and dissolve. */
typedef enum { SW_AXIS_UNIFORM, SW_AXIS_LOGARITHMIC, SW_AXIS_ADAPTIVE, SW_AXIS_KINDS } sw_kwn_axis_kind;

typedef struct {
    sw_kwn_axis_kind kind;
    int64_t classes;          /* B; 8 .. 2^18 */
    double smallest, largest; /* m; 0 <= smallest < largest; logarithmic: 0 < smallest. adaptive: smallest 0,
                                 `largest` at the start, and the least there will be */
} sw_kwn_axis_options;

/* What leaves a class in a step: docs/theory.md, section 11. */
typedef enum {
    SW_KWN_FIRST_ORDER,  /* implicit and upwind */
    SW_KWN_SECOND_ORDER, /* the same, its smearing taken back by a slope (minmod) */
    SW_KWN_THIRD_ORDER, /* what the faces sweep over, by parabolas that stay positive; strategies cpu and fused */
    SW_KWN_FLUXES
} sw_kwn_flux_order;

/* How steps are chosen. */
typedef struct {
    double tolerance;  /* relative error of a step in number, volume fraction and composition; 1e-6 .. 0.1 */
    double courant;    /* widths that particles of 1.25 mean radii may move in a step; 0: any */
    double fixed_step; /* s; 0: chosen by error */
    double largest_change; /* of temperature in a step, K; 1e-3 .. 1000 */
    int explicit_coupling; /* growth with the composition before the step: Myhr and Grong 2000 */
} sw_kwn_control;

typedef struct {
    sw_kwn_strategy strategy;
    sw_kwn_precision precision;
    sw_kwn_axis_options axis;
    sw_kwn_control control;
    sw_kwn_flux_order flux;
} sw_kwn_options;

/* cpu, double, an adaptive axis of 448 classes up to 1.5 nm, third order, tolerance 1e-3, courant 0.9, 3 K: within 1 % of
 * 16 times finer ones in nearly all histories (docs/validation.md). */
SW_API sw_kwn_options sw_kwn_defaults(void);

/* ---- Points ---- */

/* Particles of one phase. */
typedef struct {
    double scale;          /* m: unit of the size axis */
    double number;         /* 1/m^3 */
    double radius_sum;     /* sum N r, 1/m^2: over `number` the mean radius */
    double fraction;       /* f */
    double obstacle_sum;   /* sum N min(r / r_c, 1), 1/m^3 */
    double nucleated;      /* time integral of J, 1/m^3 */
    double dissolved;      /* particles that left at the smallest size, 1/m^3 */
    double incubation;     /* theta, integral of dt / tau */
    double rate;           /* J, 1/(m^3 s), of the last step */
    double critical;       /* r*, m, in the middle of the last step; 0 without a driving force */
    double fraction_slope; /* over the last step, per s */
    double growth;         /* of a particle of 1.25 mean radii, m/s */
    double few;            /* 1/m^3: no step is shortened for fewer particles */
} sw_kwn_population;

typedef struct {
    double time;                   /* s */
    double temperature;            /* K */
    double total[SW_KWN_SOLUTES];  /* [S] c0 */
    double matrix[SW_KWN_SOLUTES]; /* [S] c */
    sw_kwn_population phase[SW_KWN_PHASES];
    int64_t steps, iterations; /* accepted steps; steps of the histograms, for guesses of the composition */
    /* The control's own. */
    double step;                         /* s: to be tried next */
    double matrix_slope[SW_KWN_SOLUTES]; /* [S] over the last step, per s */
    double vacancies;                    /* exp(-E / RT) of the temperature at which as many are at rest */
    int32_t knot;                        /* of the thermal history of the present call */
    int32_t failed;                      /* no step was small enough */
} sw_kwn_point;

typedef struct sw_kwn sw_kwn;

/* N points without precipitates at time 0 and a temperature (K, 1 .. 5000). composition [N][S], or NULL for
 * the alloy's own. The alloy is copied. SW_ERR_RANGE names what is out of its bound; SW_ERR_MEMORY;
 * SW_ERR_UNAVAILABLE without a GPU (or this build's CUDA) for a strategy that needs one. */
SW_API sw_status sw_kwn_open(const sw_kwn_alloy *alloy, const sw_kwn_options *options, int64_t n_points,
                             const double *composition, double temperature, sw_kwn **kwn);

/* Waits, and releases everything; NULL is nothing. */
SW_API void sw_kwn_close(sw_kwn *kwn);

/* Follow a thermal history from the present time to its last knot: time [n_knots] (s, not descending, first
 * knot not after the present time; temperature jumps where two are equal), temperature [n_knots][N] (K), or
 * [n_knots] when per_point is 0. Both are copied. Asynchronous: returns before the work is done. SW_ERR_RANGE
 * names the knot; what fails later, sw_kwn_wait tells. Warns once of a temperature below 200 K, or below 250 K in a history
 * that is likely one in degrees Celsius, and where an hour or more has moved no solute by an atom's distance. */
SW_API sw_status sw_kwn_advance(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                                int per_point);

/* Until the last advance has ended. SW_ERR_CONVERGENCE names the point and time at which no step was small
 * enough; SW_ERR_INTERRUPTED. */
SW_API sw_status sw_kwn_wait(sw_kwn *kwn);

/* States of points first .. first + count - 1 into point [count], caller's. Waits. */
SW_API sw_status sw_kwn_read(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point);

/* ---- Size distributions ---- */

/* Give a phase of one point a size distribution: number [B] per m^3 in each class, on an axis of this scale
 * (m, 1e-15 to 1). The matrix gives what it holds. SW_ERR_RANGE when a number is negative or not finite or the matrix
 * lacks the solute. */
SW_API sw_status sw_kwn_set_distribution(sw_kwn *kwn, int64_t point, int phase, double scale,
                                         const double *number);

/* Numbers of a phase in each class, 1/m^3, into number [count][B], caller's. Waits. */
SW_API sw_status sw_kwn_read_distribution(sw_kwn *kwn, int64_t first, int64_t count, int phase,
                                          double *number);

/* Area of the interfaces between particles and matrix, sum 4 pi N r^2 over the classes, m^2 per m^3, into area
 * [count][M], caller's. Waits; a pass over the histograms, on the device they are on. */
SW_API sw_status sw_kwn_read_interface_area(sw_kwn *kwn, int64_t first, int64_t count, double *area);

/* Radii in units of the scale of a point's phase: of the particles in each class, pivot [B], and between
 * classes, face [B + 1]; caller's, either may be NULL. */
SW_API void sw_kwn_class_radii(const sw_kwn *kwn, double *pivot, double *face);

/* ---- Strength: Myhr, Grong and Andersen, Acta Mater. 49 (2001) 65 ---- */

typedef struct {
    double solid_solution;  /* Pa */
    double particles;       /* Pa, sigma_p */
    double yield_stress;    /* Pa */
    double hardness;        /* HV */
    double slip_resistance; /* Pa, yield stress / Taylor factor: s of the crystal model */
} sw_kwn_strength_result;

/* All zero for an alloy without strength data. */
SW_API sw_kwn_strength_result sw_kwn_strength_of(const sw_kwn_alloy *alloy, const sw_kwn_point *point);

#ifdef __cplusplus
}
#endif

#endif
