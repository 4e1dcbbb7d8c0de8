/* The scheme on a GPU: one launch for points with a loading each, a block a point, or for one polycrystal, whose blocks wait for
 * each other. Nothing goes to the host within a step. Callable from C; all pointers are the device's. Dimensions: P points of n
 * grains, K numbers of a grain's state. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ENGINE_CUDA_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ENGINE_CUDA_H

#include "self_consistent.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_sc_cuda sw_sc_cuda;

/* Room and tables, in the memory of the GPU that this thread uses. SW_ERR_MEMORY. */
sw_status sw_sc_cuda_open(const sw_sc_slip *slip, const sw_sc_rules *rules, int stress_at, int law_at,
                          int numbers, sw_sc_cuda **engine);
void sw_sc_cuda_close(sw_sc_cuda *engine);

/* Grains of a phase. */
typedef struct {
    const sw_sc_cuda *engine;  /* of its material; rules are those of the first's */
    int64_t each;              /* n */
    double scale;              /* of weights; 0: 1 */
    const sw_crystal *crystal; /* [n] */
    const float *state;        /* [n][K] */
    const float *weight;       /* [n]; NULL: all 1 */
    sw_crystal *next_crystal;  /* [n], as below */
    float *next_state;
} sw_sc_launch_phase;

typedef struct {
    int64_t points, each; /* P, n */
    int whole;            /* one polycrystal: all of the GPU for it */
    /* Of one polycrystal, phases beside the first, which is below. */
    int more;
    sw_sc_launch_phase phase[SW_SC_PHASES - 1];
    double scale;              /* of weights, of several phases; 0: 1 */
    const sw_crystal *crystal; /* [P n] */
    const float *state;        /* [P n][K] */
    const float *weight;       /* [P n]; NULL: all 1 */
    sw_crystal *next_crystal;  /* [P n] where the end goes, which may be crystal; NULL: nowhere */
    float *next_state;
    const double (*velocity_gradient)[3][3]; /* [P], 1/s */
    const sw_point_condition *condition;     /* [P]; NULL: all of it is given */
    const sw_sc_conditions *conditions; /* on the host, of one polycrystal; NULL: its velocity gradient */
    double dt;                          /* s */
    const double *dt_each;              /* [P]; NULL: dt */
    sw_sc_result *result;               /* [P] out */
    sw_sc_phase_result *of_phase;       /* [1 + more] out, of one polycrystal; or NULL */
    void *stream;                       /* cudaStream_t */
} sw_sc_launch;

/* Asynchronously. SW_ERR_MEMORY, SW_ERR_UNAVAILABLE. */
sw_status sw_sc_cuda_launch(sw_sc_cuda *engine, const sw_sc_launch *launch);
/* Results [P] in the memory of the engine, until the next call, for a launch's `result`. */
sw_status sw_sc_cuda_results(sw_sc_cuda *engine, int64_t points, sw_sc_result **result);
/* sums [P][parts][SW_POINT_SUMS] of results (point.h), those of parts beyond the first 0; found [P]: x, or NULL; failed: crystals of points without one are
 * added. */
sw_status sw_sc_cuda_sums(const sw_sc_cuda *engine, int64_t points, int64_t parts, int64_t each, double *sums,
                          double (*found)[SW_SC_FREE], unsigned long long *failed, void *stream);

/* A phase of one polycrystal, of the host or the GPU. */
typedef struct {
    sw_sc_cuda *engine;
    const sw_crystals *from, *to; /* to: NULL: nowhere */
    double scale;                 /* of weights; 0: 1 */
    sw_sc_phase_result result;    /* out */
} sw_sc_cuda_phase;

/* One polycrystal to the end of a step of dt, under conditions or, NULL, all of the velocity gradient (on the host), by the rules of the
 * first phase; waits. */
sw_status sw_sc_cuda_polycrystal(int phases, sw_sc_cuda_phase *phase, const sw_sc_conditions *conditions,
                                 const double velocity_gradient[3][3], double dt, sw_sc_result *result);

#ifdef __cplusplus
}
#endif

#endif
