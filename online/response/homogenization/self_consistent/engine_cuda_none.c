/* engine_cuda.h in a build without CUDA. */
#ifndef SW_HAVE_CUDA
#include "engine_cuda.h"
#include "common/system/status.h"

sw_status sw_sc_cuda_open(const sw_sc_slip *slip, const sw_sc_rules *rules, int stress_at, int law_at,
                          int numbers, sw_sc_cuda **engine)
{
    (void)slip;
    (void)rules;
    (void)stress_at;
    (void)law_at;
    (void)numbers;
    *engine = NULL;
    return sw_error(SW_ERR_UNAVAILABLE, "self-consistent scheme: this build has no GPU code");
}

void sw_sc_cuda_close(sw_sc_cuda *engine) { (void)engine; }

sw_status sw_sc_cuda_launch(sw_sc_cuda *engine, const sw_sc_launch *launch)
{
    (void)engine;
    (void)launch;
    return sw_error(SW_ERR_UNAVAILABLE, "self-consistent scheme: this build has no GPU code");
}

sw_status sw_sc_cuda_results(sw_sc_cuda *engine, int64_t points, sw_sc_result **result)
{
    (void)points;
    *result = NULL;
    return sw_sc_cuda_launch(engine, NULL);
}

sw_status sw_sc_cuda_sums(const sw_sc_cuda *engine, int64_t points, int64_t parts, int64_t each, double *sums,
                          double (*found)[SW_SC_FREE], unsigned long long *failed, void *stream)
{
    (void)engine;
    (void)points;
    (void)parts;
    (void)each;
    (void)sums;
    (void)found;
    (void)failed;
    (void)stream;
    return sw_sc_cuda_launch(NULL, NULL);
}

sw_status sw_sc_cuda_polycrystal(int phases, sw_sc_cuda_phase *phase, const sw_sc_conditions *conditions,
                                 const double velocity_gradient[3][3], double dt, sw_sc_result *result)
{
    (void)phases;
    (void)phase;
    (void)conditions;
    (void)velocity_gradient;
    (void)dt;
    (void)result;
    return sw_sc_cuda_launch(NULL, NULL);
}

#else
typedef int sw_not_empty;
#endif
