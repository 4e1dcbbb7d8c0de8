/* Which device `auto` takes: what a step costs on either. */
#ifndef SW_ONLINE_KWN_JOB_CHOICE_H
#define SW_ONLINE_KWN_JOB_CHOICE_H

#include <stdint.h>

typedef struct {
    double cpu, gpu; /* s of a step of all points */
} sw_kwn_step_cost;

/* Of N points of B classes (at least 8), a phase each, on so many threads, and by `fused` on a GPU. Reckoned from
 * measurements of one core and one H200 (choice.c): good to a factor of 3, which is what the choice needs. */
sw_kwn_step_cost sw_kwn_step_cost_of(int64_t n_points, int64_t classes, int threads);

#endif
