/* A build without CUDA. */
#ifndef SW_HAVE_CUDA
#include "backend.h"

const sw_fem_backend *sw_fem_gpu(void) { return NULL; }
int sw_fem_gpus(void) { return 0; }
#else
typedef int sw_fem_has_gpu; /* ISO C wants a declaration */
#endif
