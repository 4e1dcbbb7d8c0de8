/* Histograms and growth in single precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy *const sw_kwn_jensen_single = kwn::strategies<kwn::in_single>;
