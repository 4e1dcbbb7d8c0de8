#include "transform.h"

#include <fftw3.h>

sw_status sw_transform_plan(int axes, const int *cells, int forward, float *real, void *half, void **plan)
{
    fftwf_complex *waves = half;
#pragma omp critical(sw_fftw_planner)
    *plan = forward ? fftwf_plan_dft_r2c(axes, cells, real, waves, FFTW_ESTIMATE)
                    : fftwf_plan_dft_c2r(axes, cells, waves, real, FFTW_ESTIMATE);
    if (*plan != NULL)
        return SW_OK;
    double all = 1;
    for (int i = 0; i < axes; i++)
        all *= cells[i];
    return sw_error(SW_ERR_MEMORY, "FFTW cannot plan a transform of %g cells of %d axes", all, axes);
}

void sw_transform_destroy(void *plan)
{
    if (plan == NULL)
        return;
#pragma omp critical(sw_fftw_planner)
    fftwf_destroy_plan(plan);
}
