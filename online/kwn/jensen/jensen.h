/* Private: the strategies of Jensen et al., a file for each precision. */
#ifndef SW_ONLINE_KWN_JENSEN_JENSEN_H
#define SW_ONLINE_KWN_JENSEN_JENSEN_H

#include "online/kwn/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_KWN_JENSEN_STRATEGIES = SW_KWN_STRATEGIES - SW_KWN_NODE_FIRST }; /* from node_first on */

extern const sw_kwn_cuda_strategy sw_kwn_jensen_double[SW_KWN_JENSEN_STRATEGIES],
    sw_kwn_jensen_mixed[SW_KWN_JENSEN_STRATEGIES], sw_kwn_jensen_single[SW_KWN_JENSEN_STRATEGIES];

#ifdef __cplusplus
}
#endif

#endif
