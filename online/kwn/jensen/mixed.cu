/* Histograms in single, growth in double precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_jensen_mixed[SW_KWN_JENSEN_STRATEGIES] = {
    kwn::node_first<kwn::in_mixed>(),
    kwn::class_first<kwn::in_mixed>(),
    kwn::cusparse_strided<kwn::in_mixed>(),
    kwn::cusparse_interleaved<kwn::in_mixed>(),
};
