/* Histograms in single, growth in double precision. */
#include "jensen.cuh"

extern "C" const sw_kwn_cuda_strategy *const sw_kwn_jensen_mixed = kwn::strategies<kwn::in_mixed>;
