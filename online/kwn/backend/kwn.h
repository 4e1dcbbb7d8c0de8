/* Precipitation at many material points: the library behind `slipwave kwn`, and for host programs.
 *
 *     sw_kwn_open(&alloy, &options, n_points, NULL, 293.0, &kwn);
 *     for each macroscopic step {
 *         sw_kwn_advance(kwn, n_knots, time, temperature, 1);    returns at once
 *         ... the host's own work ...
 *         sw_kwn_read(kwn, 0, n_points, point);                  waits; strength.h makes yield stresses of it
 *     }
 *     sw_kwn_close(kwn);
 *
 * examples/weld.c is a whole program. Calls on one sw_kwn come from one thread; several sw_kwn are
 * independent. On GPUs calls use the device that was current at sw_kwn_open. Dimensions: N points, B classes.
 */
#ifndef SW_ONLINE_KWN_BACKEND_KWN_H
#define SW_ONLINE_KWN_BACKEND_KWN_H

#include "online/kwn/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who does the sweeps; sw_kwn_strategies has names. */
typedef enum {
    SW_KWN_CPU,                  /* a thread for each point, SIMD over classes */
    SW_KWN_FUSED,                /* set-up, solution and sums in one kernel, no equation system: fused.cuh */
    SW_KWN_NODE_FIRST,           /* a kernel a phase of a step; Jensen et al. 2016, Table 1 */
    SW_KWN_CLASS_FIRST,          /* likewise */
    SW_KWN_CUSPARSE_STRIDED,     /* tridiagonal systems to cusparse<t>gtsv2StridedBatch */
    SW_KWN_CUSPARSE_INTERLEAVED, /* to cusparse<t>gtsvInterleavedBatch */
    SW_KWN_STRATEGIES
} sw_kwn_strategy;

typedef enum {
    SW_KWN_DOUBLE, /* histograms and growth in double precision; the CPU's only one */
    SW_KWN_MIXED,  /* histograms in single, growth rates in double precision: Jensen et al. 2016 */
    SW_KWN_SINGLE  /* both in single precision; all that is a point's in double */
} sw_kwn_precision;

typedef struct {
    sw_kwn_strategy strategy;
    sw_kwn_precision precision;
    sw_kwn_axis_options axis;
    sw_kwn_control control;
    int second_order; /* flux between classes: minmod's limiter; else first-order upwind */
} sw_kwn_options;

/* cpu, double, an adaptive axis of 256 classes up to 10 nm, second order, tolerance 1e-3, courant 0.5, 5 K.
 */
sw_kwn_options sw_kwn_defaults(void);

typedef struct sw_kwn sw_kwn;

/* N points without precipitates at time 0 and a temperature (K). composition [N][n_solutes] (atoms per matrix
 * atomic volume), or NULL for the alloy's own. The alloy is copied. SW_ERR_RANGE names what is out of its
 * bound; SW_ERR_MEMORY; SW_ERR_UNAVAILABLE without a GPU (or this build's CUDA) for a strategy that needs
 * one. */
sw_status sw_kwn_open(const sw_kwn_alloy *alloy, const sw_kwn_options *options, int64_t n_points,
                      const double *composition, double temperature, sw_kwn **kwn);

/* Waits, and releases everything; NULL is nothing. */
void sw_kwn_close(sw_kwn *kwn);

/* Give a phase of one point a size distribution: number [B] per m^3 in each class, on an axis of this scale
 * (m). The matrix gives what it holds. SW_ERR_RANGE when a number is negative or not finite or the matrix
 * lacks the solute. */
sw_status sw_kwn_set_distribution(sw_kwn *kwn, int64_t point, int phase, double scale, const double *number);

/* Follow a thermal history from the present time to its last knot: time [n_knots] (s, not descending, first
 * knot not after the present time; temperature jumps where two are equal), temperature [n_knots][N] (K), or
 * [n_knots] when per_point is 0. Both are copied. Asynchronous: returns before the work is done. SW_ERR_RANGE
 * names the knot; what fails later, sw_kwn_wait tells. */
sw_status sw_kwn_advance(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                         int per_point);

/* Until the last advance has ended. SW_ERR_CONVERGENCE names the point and time at which no step was small
 * enough; SW_ERR_INTERRUPTED. */
sw_status sw_kwn_wait(sw_kwn *kwn);

/* States of points first .. first + count - 1 into point [count], caller's. Waits. */
sw_status sw_kwn_read(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point);

/* Numbers of a phase in each class, 1/m^3, into number [count][B], caller's. Waits. Their radii: scale of the
 * point's phase times sw_kwn_pivot of the axis. */
sw_status sw_kwn_read_distribution(sw_kwn *kwn, int64_t first, int64_t count, int phase, double *number);
const sw_kwn_axis *sw_kwn_axis_of(const sw_kwn *kwn);

/* Names and needs of the strategies. */
typedef struct {
    const char *name;
    int on_gpu;
    const char *summary;
} sw_kwn_strategy_traits;
extern const sw_kwn_strategy_traits sw_kwn_strategies[SW_KWN_STRATEGIES];

#ifdef __cplusplus
}
#endif

#endif
