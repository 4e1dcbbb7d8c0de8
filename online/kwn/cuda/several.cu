/* Phases that grow by several solutes, in double precision. */
#include "fused.cuh"

extern "C" const sw_kwn_cuda_strategy sw_kwn_fused_several = kwn::fused<kwn::in_several>();
