/* A build without CUDA. */
#ifndef SW_HAVE_CUDA
#include "view.h"

static sw_status none(void) { return sw_error(SW_ERR_UNAVAILABLE, "this build is without GPU code (nvcc)"); }

sw_status sw_fem_view_upload(const sw_fem_view *host, int n_materials, sw_fem_view *device)
{
    (void)host, (void)n_materials, (void)device;
    return none();
}

void sw_fem_view_release(sw_fem_view *device) { (void)device; }

sw_status sw_fem_vector_upload(int64_t n, const double *host, double **vector)
{
    (void)n, (void)host, (void)vector;
    return none();
}

sw_status sw_fem_vector_download(int64_t n, const double *vector, double *host)
{
    (void)n, (void)vector, (void)host;
    return none();
}

void sw_fem_vector_release(double *vector) { (void)vector; }
#else
typedef int sw_fem_view_is_cuda; /* ISO C wants a declaration */
#endif
