/* integrate_cuda.h and spectra.h's GPU, for a build without CUDA. */
#include "integrate_cuda.h"
#include "online/gpu/gpu.h"
#include "spectra.h"

#ifndef SW_HAVE_CUDA

sw_status sw_point_integrator_open(const sw_material *material, const sw_increment *increment, int64_t most,
                                   sw_point_integrator **integrator)
{
    (void)material, (void)increment, (void)most, (void)integrator;
    return sw_gpu_use(NULL);
}

sw_status sw_point_integrator_begin(sw_point_integrator *integrator, int64_t n, const double (*x)[4])
{
    (void)integrator, (void)n, (void)x;
    return sw_gpu_use(NULL);
}

sw_status sw_point_integrator_end(sw_point_integrator *integrator, int64_t n, const double (*x)[4],
                                  double (*output)[SW_OUTPUTS_MOST], sw_integration_statistics *statistics)
{
    (void)integrator, (void)n, (void)x, (void)output, (void)statistics;
    return sw_gpu_use(NULL);
}

void sw_point_integrator_close(sw_point_integrator *integrator) { (void)integrator; }

static sw_status open_cuda(sw_spectra *s)
{
    (void)s;
    return sw_gpu_use(NULL);
}

static void close_cuda(sw_spectra *s) { (void)s; }

static double memory_cuda(const sw_response_grid *grid, int64_t pairs, int together)
{
    (void)grid, (void)pairs, (void)together;
    return 0;
}

static double available_cuda(void) { return 0; }

const sw_spectra_functions sw_spectra_cuda = {
    .open = open_cuda, .close = close_cuda, .memory = memory_cuda, .available = available_cuda};

#endif
