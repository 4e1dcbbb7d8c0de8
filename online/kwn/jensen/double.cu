/* Histograms and growth in double precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_jensen_double[SW_KWN_JENSEN_STRATEGIES] = {
    kwn::node_first<kwn::in_double>(),
    kwn::class_first<kwn::in_double>(),
    kwn::cusparse_strided<kwn::in_double>(),
    kwn::cusparse_interleaved<kwn::in_double>(),
};
