/* The list of strategies, and how they are named to people. */
#ifndef SW_ONLINE_KWN_BACKEND_STRATEGIES_H
#define SW_ONLINE_KWN_BACKEND_STRATEGIES_H

#include "backend.h"
#include "common/system/built.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const sw_kwn_backend sw_kwn_cpu, sw_kwn_cuda, sw_kwn_jensen;

/* In the order of their numbers in slipwave/kwn.h; from SW_KWN_OF_PAPERS on they are Jensen's. */
#define SW_KWN_STRATEGY_LIST(X)                                           \
    X(cpu, &sw_kwn_cpu)                                                   \
    X(fused, SW_WITH_CUDA(&sw_kwn_cuda))                                  \
    X(node_first, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen)))           \
    X(class_first, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen)))          \
    X(cusparse_strided, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen)))     \
    X(cusparse_interleaved, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen))) \
    X(node_first_packed, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen)))    \
    X(class_first_packed, SW_WITH_PAPERS(SW_WITH_CUDA(&sw_kwn_jensen)))
enum { SW_KWN_OF_PAPERS = SW_KWN_NODE_FIRST };

#ifdef __cplusplus
}
#endif

#endif
