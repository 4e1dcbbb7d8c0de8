/* Private: the strategies of Jensen et al., a file for each precision. */
#ifndef SW_ONLINE_KWN_JENSEN_JENSEN_H
#define SW_ONLINE_KWN_JENSEN_JENSEN_H

#include "online/kwn/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_KWN_JENSEN_STRATEGIES = SW_KWN_STRATEGIES - SW_KWN_NODE_FIRST }; /* from node_first on */

/* [SW_KWN_JENSEN_STRATEGIES] each */
extern const sw_kwn_cuda_strategy *const sw_kwn_jensen_double, *const sw_kwn_jensen_mixed,
                                                                   *const sw_kwn_jensen_single;

/* The phases of a step, the paper's 2, 3 and 1. */
enum { SW_KWN_SET_UP, SW_KWN_SOLVE, SW_KWN_AGGREGATE, SW_KWN_KERNELS };

/* From the next advance on, add the seconds of each phase by the GPU's clock to seconds [SW_KWN_KERNELS], which stays
 * the caller's; it makes every step wait. NULL: no longer. Of a model with one of these strategies. */
void sw_kwn_jensen_clock(sw_kwn *kwn, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
