/* Histograms and growth in single precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_jensen_single[SW_KWN_JENSEN_STRATEGIES] = {
    kwn::node_first<kwn::in_single>(),
    kwn::class_first<kwn::in_single>(),
    kwn::cusparse_strided<kwn::in_single>(),
    kwn::cusparse_interleaved<kwn::in_single>(),
};
