/* What a solver is to response.c. Private to this folder. Dimension: N crystals, SW_BUNDLE of them at a time
 * on the CPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_SOLVER_H
#define SW_ONLINE_RESPONSE_STEP_SOLVER_H

#include "common/database/response_table.h"
#include "common/math/strain_rate.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_step;

typedef struct sw_response_solver {
    const char *name;
    sw_device device;
    /* Make and release response->data. close takes a half-made one too. */
    sw_status (*open)(sw_response *response);
    void (*close)(sw_response *response);
    /* Prepare for a strain rate: whatever depends on theta. */
    sw_status (*prepare)(sw_response *response, double theta);
    /* On the CPU, from any thread: the nine outputs of a bundle of crystals, principal frame. orientation
     * [4][B] quaternion, angle [3][B] turns, both in the principal frame. Returns how many lanes of the first
     * n have no answer. */
    int (*evaluate)(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                    const float angle[3][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE]);
    /* The same for crystals with a theta each: theta [B] turns. ready_each
     * comes before, from one thread; on the GPU too. */
    sw_status (*ready_each)(sw_response *response);
    int (*evaluate_each)(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                         const float angle[3][SW_BUNDLE], const float theta[SW_BUNDLE],
                         float output[SW_OUTPUTS][SW_BUNDLE]);
    /* On the GPU, asynchronously on `stream` (a cudaStream_t): a step of n crystals in its memory.
     * partial: room for a launch's sums; sums [SW_SUMS + 1] double: those of crystal_update.h, then how many
     * crystals have no answer; both in its memory. */
    sw_status (*launch_step)(sw_response *response, const struct sw_step *step, int64_t n,
                             sw_crystal *crystal, double *partial, double *sums, void *stream);
    /* Likewise, the outputs without a step; of sums only the last counts. strain_rate [n][6]: of each
     * crystal, as in sw_response_evaluate_each; NULL: step's for all. */
    sw_status (*launch_evaluate)(sw_response *response, const struct sw_step *step,
                                 const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                 float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                 double *partial, double *sums, void *stream);
    /* A solver with a history: the whole step instead; see sw_response_step. */
    sw_status (*step)(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                      double dt, int64_t n_crystals, sw_crystal *crystal, sw_response_average *average);
    /* Likewise: what it keeps of a crystal, in numbers; see ../history.h. */
    int64_t history_numbers;
    sw_status (*save_history)(const sw_response *response, int64_t first, int64_t n, double *number);
    sw_status (*restore_history)(sw_response *response, int64_t n_crystals, int64_t first, int64_t n,
                                 const double *number);
} sw_response_solver;

struct sw_response {
    const sw_response_solver *solver;
    const sw_database *database;
    const sw_material *material;
    int64_t terms, refinement;
    int linear; /* interpolation of a table: else the nearest entry */
    void *data; /* the solver's own */
    void *gpu;  /* on a GPU: what all solvers need there (crystals_cuda.h) */
};

enum { SW_BLOCK = 512 }; /* crystals whose averages are summed together; blocks are added in order */

extern const sw_response_solver sw_terms_cpu, sw_grid_cpu, sw_polish_cpu, sw_iterative_cpu;
#ifdef SW_HAVE_CUDA
extern const sw_response_solver sw_terms_cuda, sw_grid_cuda, sw_polish_cuda;
#endif

#ifdef __cplusplus
}
#endif

#endif
