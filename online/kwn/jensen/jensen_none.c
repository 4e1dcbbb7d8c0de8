/* The strategies of Jensen et al. in a build without CUDA: none. */
#ifndef SW_HAVE_CUDA
#include "jensen.h"

const sw_kwn_backend *sw_kwn_jensen(void) { return NULL; }

void sw_kwn_jensen_clock(sw_kwn *kwn, double *seconds)
{
    (void)kwn;
    (void)seconds;
}
#endif
