/* Solver `elastoplastic` on a GPU: elastoplastic.h says what it is. */
#include "online/response/step/step_kernel.cuh"

#include <cstdlib>

#include "elastoplastic.h"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_elastoplastic_model elastoplastic_model;
static const sw_response *elastoplastic_model_of; /* whose it is */

/* kept [n][5] */
template <int SYSTEMS> struct elastoplastic_step {
    sw_elastoplastic_step step;
    sw_crystal *crystal;
    float *kept;
    static constexpr int BLOCKS = 1; /* with 2 registers spill: 1.9e9 steps/s instead of 2.9e9 on an H200 */
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &, int64_t i, float mean[SW_MEANS]) const
    {
        const float4 state = sw_crystal_load(crystal + i);
        float euler[3] = {state.x, state.y, state.z}, slip_rate, iterations;
        sw_elastoplastic_crystal one;
        one.slip_resistance = state.w;
        sw_quaternion_from_euler(euler, one.orientation);
        for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
            one.stress[k] = kept[i * SW_ELASTOPLASTIC_KEPT + k];
        const sw_mask good =
            sw_elastoplastic(&elastoplastic_model, SYSTEMS, &step, &one, &slip_rate, &iterations) &
            sw_elastoplastic_is_number(&one);
        sw_elastoplastic_add(&step, &one, slip_rate, mean);
        sw_quaternion_to_euler(one.orientation, euler);
        sw_crystal_store(crystal + i, euler, one.slip_resistance);
        for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
            kept[i * SW_ELASTOPLASTIC_KEPT + k] = one.stress[k];
        return good != 0;
    }
};

static void close_elastoplastic(sw_response *response)
{
    if (elastoplastic_model_of == response)
        elastoplastic_model_of = NULL;
    free(response->data);
}

static sw_status open_elastoplastic(sw_response *response)
{
    sw_elastoplastic_model *model;
    SW_TRY(SW_ALLOCATE(model, 1, "elastoplastic solver"));
    response->data = model;
    return sw_elastoplastic_prepare(response->material, model);
}

static sw_status make_ready(const sw_response *response)
{
    if (elastoplastic_model_of == response)
        return SW_OK;
    elastoplastic_model_of = NULL;
    SW_CUDA_TRY(cudaMemcpyToSymbol(elastoplastic_model, response->data, sizeof elastoplastic_model));
    elastoplastic_model_of = response;
    return SW_OK;
}

template <int SYSTEMS>
static sw_status launch(const sw_response *response, const sw_step *step, int64_t n, sw_crystal *crystal,
                        float *kept, const sw_step_launch *where)
{
    const sw_elastoplastic_model *model = (const sw_elastoplastic_model *)response->data;
    const elastoplastic_step<SYSTEMS> work = {sw_elastoplastic_step_of(model, step), crystal, kept};
    return sw_step_launch_work(response, where, step, work, n);
}

static sw_status launch_step(sw_response *response, const sw_step *step, int64_t n, sw_crystal *crystal,
                             const float *weight, float *kept, double *partial, double *sums, void *stream)
{
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, weight};
    const int systems = ((const sw_elastoplastic_model *)response->data)->systems;
    SW_TRY(make_ready(response));
    switch (systems) {
    case 12:
        return launch<12>(response, step, n, crystal, kept, &where);
    case 24:
        return launch<24>(response, step, n, crystal, kept, &where);
    case 48:
        return launch<48>(response, step, n, crystal, kept, &where);
    default:
        return sw_error(SW_ERR_UNAVAILABLE, "elastoplastic: %d slip systems: a GPU has 12, 24 and 48",
                        systems);
    }
}

extern "C" const sw_solver_functions sw_elastoplastic_cuda = {.open = open_elastoplastic,
                                                              .close = close_elastoplastic,
                                                              .launch_step = launch_step,
                                                              .kept = SW_ELASTOPLASTIC_KEPT};
