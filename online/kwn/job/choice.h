/* Which device `auto` takes: what a step costs on either. */
#ifndef SW_ONLINE_KWN_JOB_CHOICE_H
#define SW_ONLINE_KWN_JOB_CHOICE_H

#include <stdint.h>

typedef struct {
    double cpu, gpu; /* s of a step of all points */
} sw_kwn_step_cost;

/* Of N points of B classes (at least 8), a phase each, on so many threads, and by `fused` on a GPU. Reckoned from
 * measurements of one H200 and of its host's cores (choice.c): the GPU's is good to a third there, the CPU's to a factor
 * of 2.3, as busy cores slow each other down; cores of another server were 2.4 to 3.6 times as fast. */
sw_kwn_step_cost sw_kwn_step_cost_of(int64_t n_points, int64_t classes, int threads);

#endif
