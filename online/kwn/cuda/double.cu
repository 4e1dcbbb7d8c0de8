/* Histograms and growth in double precision. */
#include "fused.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_fused_double = kwn::fused<kwn::in_double>();
