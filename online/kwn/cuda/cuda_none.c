/* The GPU's backend in a build without CUDA: none. */
#ifndef SW_HAVE_CUDA
#include "online/kwn/backend/backend.h"

const sw_kwn_backend *sw_kwn_cuda(void) { return NULL; }
#endif
