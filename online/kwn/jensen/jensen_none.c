/* The strategies of Jensen et al. in a build without CUDA: none. */
#ifndef SW_HAVE_CUDA
#include "online/kwn/backend/backend.h"

const sw_kwn_backend *sw_kwn_jensen(void) { return NULL; }
#endif
