/* A build without CUDA. */
#ifndef SW_HAVE_CUDA
#include "online/fem/backend/backend.h"

const sw_fem_backend *sw_fem_gpu(void) { return NULL; }
#else
typedef int sw_fem_has_gpu; /* ISO C wants a declaration */
#endif
