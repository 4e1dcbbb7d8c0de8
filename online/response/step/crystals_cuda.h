/* Crystals on a GPU: in its memory or passing through it, steps, reductions. Callable from C. Dimension: N
 * crystals. */
#ifndef SW_ONLINE_RESPONSE_STEP_CRYSTALS_CUDA_H
#define SW_ONLINE_RESPONSE_STEP_CRYSTALS_CUDA_H

#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_step;

/* What a response keeps on the GPU, which it takes: sw_gpu_use. SW_ERR_UNAVAILABLE without one. */
sw_status sw_crystals_open_cuda(void **gpu);
void sw_crystals_close_cuda(void *gpu);

/* sw_response_step and sw_response_evaluate for arrays on the host or the GPU; the response is prepared.
 * to: or NULL. strain_rate [n][6]: each crystal's own; NULL: the step's.
 * sums [SW_SUMS] are added to (step.h). *failed: how many crystals have no answer. */
sw_status sw_crystals_step_cuda(sw_response *response, const struct sw_step *step, const sw_crystals *from,
                                const sw_crystals *to, double *sums);
sw_status sw_crystals_evaluate_cuda(sw_response *response, const struct sw_step *step,
                                    const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                    float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                    int64_t *failed);

/* Memory for crystals: on the GPU while it fits (a tenth of the memory is left free), else on the host,
 * page-locked, to be streamed. SW_ERR_MEMORY. */
sw_status sw_crystals_allocate_cuda(int64_t n, sw_crystal **crystal);
void sw_crystals_free_cuda(sw_crystal *crystal);

/* Random orientations number first .. first + n - 1 of a seed (random.h), on the GPU or on the host. */
sw_status sw_crystals_randomise_cuda(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                     float slip_resistance);

/* n crystals from one place to another. */
sw_status sw_crystals_copy_cuda(int64_t n, sw_crystal *to, const sw_crystal *from);

/* Packed crystals from others (margin: packed.h; how many have a slip resistance that they cannot hold is added to *outside), and back; words where the
 * former are, crystals there or on the host. */
sw_status sw_crystals_pack_cuda(const sw_packed *to, float margin, int64_t n, const sw_crystal *crystal,
                                int64_t *outside);
sw_status sw_crystals_unpack_cuda(const sw_packed *from, int64_t n, sw_crystal *crystal);

/* Numbers of crystals, all 0: on the GPU while they fit, else on the host, page-locked. SW_ERR_MEMORY. */
sw_status sw_numbers_allocate_cuda(int64_t n, float **number);
void sw_numbers_free_cuda(float *number);
sw_status sw_numbers_clear_cuda(int64_t n, float *number); /* 0 again */
/* What laws begin with (sw_slip_law_begin), from number `own` of the K of each crystal on; the others 0. */
struct sw_slip_law_start;
sw_status sw_states_begin_cuda(const struct sw_slip_law_start *start, int64_t n, const sw_crystal *crystal,
                               int numbers, int own, float *number);
/* They expand (sw_crystal_heat): the stress that they remember comes first. */
sw_status sw_states_heat_cuda(const float stress[5], int64_t n, const sw_crystal *crystal, int numbers,
                              float *number);
/* Twins turn crystals (twins.h), wherever they are. */
struct sw_twin_rule;
sw_status sw_crystals_count_twins_cuda(const struct sw_twin_rule *rule, int64_t first, int64_t n,
                                       const float *state, const float *weight, void *count);
sw_status sw_crystals_turn_cuda(const struct sw_twin_rule *rule, int64_t first, int64_t n,
                                sw_crystal *crystal, float *state);
/* Likewise of points of n crystals each. */
sw_status sw_points_turn_cuda(const struct sw_twin_rule *rule, int64_t points, int64_t n, sw_crystal *crystal,
                              float *state, const float *weight);

/* And of groups whose volume goes to children. */
sw_status sw_twins_transfer_cuda(const struct sw_twin_rule *rule, int64_t groups, sw_crystal *crystal,
                                 float *state);
/* n numbers, one in each `from_row`, to one in each `to_row` of others. */
sw_status sw_states_column_cuda(int64_t n, int to_row, float *to, int from_row, const float *from);

/* Sums of `values` numbers from `place` on of each crystal's K, times its weight, and then of the weights: added to
 * sum [values + 1], values <= SW_SUMS_MAX. In the GPU's memory. */
enum { SW_SUMS_MAX = 10 };
sw_status sw_states_sum_cuda(int64_t n, int numbers, int place, int values, const float *state,
                             const float *weight, double *sum);
sw_status sw_numbers_copy_cuda(int64_t n, float *to, const float *from);

#ifdef __cplusplus
}
#endif

#endif
