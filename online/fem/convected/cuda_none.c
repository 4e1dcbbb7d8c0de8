/* A build without CUDA. */
#ifndef SW_HAVE_CUDA
#include "convected_cuda.h"

static sw_status none(void) { return sw_error(SW_ERR_UNAVAILABLE, "this build is without GPU code (nvcc)"); }

sw_status sw_fem_convected_cuda_open(const sw_fem_convected_model *model, const int64_t cells[2],
                                     const int32_t *node, int64_t n_unknowns, int64_t half, int64_t n_pass,
                                     sw_fem_convected_cuda **cuda)
{
    (void)model, (void)cells, (void)node, (void)n_unknowns, (void)half, (void)n_pass;
    *cuda = NULL;
    return none();
}

void sw_fem_convected_cuda_close(sw_fem_convected_cuda *cuda) { (void)cuda; }

sw_fem_band_space *sw_fem_convected_cuda_space(sw_fem_convected_cuda *cuda)
{
    (void)cuda;
    return NULL;
}

sw_status sw_fem_convected_cuda_elements(sw_fem_convected_cuda *cuda, const double *input, double *output)
{
    (void)cuda, (void)input, (void)output;
    return none();
}

sw_status sw_fem_convected_cuda_assemble(sw_fem_convected_cuda *cuda, const double *input,
                                         const double *external, const uint8_t *fixed, const double *value)
{
    (void)cuda, (void)input, (void)external, (void)fixed, (void)value;
    return none();
}

sw_status sw_fem_convected_cuda_load(sw_fem_convected_cuda *cuda, const double *matrix, const double *right)
{
    (void)cuda, (void)matrix, (void)right;
    return none();
}

sw_status sw_fem_convected_cuda_read(sw_fem_convected_cuda *cuda, double *solution)
{
    (void)cuda, (void)solution;
    return none();
}
#else
typedef int sw_fem_convected_is_cuda; /* ISO C wants a declaration */
#endif
