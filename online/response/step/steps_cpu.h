/* The loops over crystals on the CPU; crystals_cuda.h has the same two for a GPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_STEPS_CPU_H
#define SW_ONLINE_RESPONSE_STEP_STEPS_CPU_H

#include "slipwave/response.h"

struct sw_step;

/* sw_response_step and sw_response_evaluate; the response is prepared. strain_rate [n][6]: each crystal's
 * own; NULL: the step's. to: or NULL. sums [SW_SUMS] are added to (step.h). *failed: how many crystals
 * have no answer. SW_ERR_MEMORY. */
sw_status sw_crystals_step_cpu(sw_response *response, const struct sw_step *step, const sw_crystals *from,
                               const sw_crystals *to, double *sums);
sw_status sw_crystals_evaluate_cpu(sw_response *response, const struct sw_step *step,
                                   const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                   float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                   int64_t *failed);

#endif
