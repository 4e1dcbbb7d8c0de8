/* Histograms and growth in double precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy *const sw_kwn_jensen_double = kwn::strategies<kwn::in_double>;
