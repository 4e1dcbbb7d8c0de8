/* Histograms and growth in single precision. */
#include "fused.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_fused_single = kwn::fused<kwn::in_single>();
