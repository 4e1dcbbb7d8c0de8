/* Solver `polish` on a GPU: polish.h says what it is. */
#include "online/response/step/step_kernel.cuh"

#include <cstdlib>

#include "polish.h"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_polish_model polish_model;
static const sw_response *polish_model_of; /* whose it is */

struct polish_data {
    sw_polish_model model;
};

template <int SYSTEMS> struct polished {
    static constexpr int BLOCKS = 2;

    __device__ bool operator()(const float orientation[4], const float *, float theta,
                               float output[SW_OUTPUTS]) const
    {
        float lambda[3];
        sw_polish_principal_values(theta, lambda);
        return sw_any(sw_polish(&polish_model, SYSTEMS, lambda, orientation, output));
    }
};

static void close_polish(sw_response *response)
{
    if (polish_model_of == response)
        polish_model_of = NULL;
    free(response->data);
}

static sw_status open_polish(sw_response *response)
{
    polish_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "polish solver"));
    response->data = data;
    return sw_polish_prepare(response->material, &data->model);
}

static sw_status ready(sw_response *response)
{
    const polish_data *data = (const polish_data *)response->data;
    if (polish_model_of == response)
        return SW_OK;
    polish_model_of = NULL;
    SW_CUDA_TRY(cudaMemcpyToSymbol(polish_model, &data->model, sizeof polish_model));
    polish_model_of = response;
    return SW_OK;
}

static sw_status prepare_polish(sw_response *response, double) { return ready(response); }

template <class Frame, class Finish>
static sw_status launch_polish(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                               const Frame &frame, const Finish &finish, int64_t n, const sw_crystal *crystal)
{
    switch (((const polish_data *)response->data)->model.systems) {
    case 12:
        return sw_step_launch_crystals(response, launch, step, frame, polished<12>{}, finish, n, crystal);
    case 24:
        return sw_step_launch_crystals(response, launch, step, frame, polished<24>{}, finish, n, crystal);
    case 48:
        return sw_step_launch_crystals(response, launch, step, frame, polished<48>{}, finish, n, crystal);
    default:
        return sw_error(SW_ERR_UNAVAILABLE, "polish: %d slip systems: a GPU has 12, 24 and 48",
                        ((const polish_data *)response->data)->model.systems);
    }
}

SW_STEP_LAUNCHES(launch_polish)

extern "C" const sw_solver_functions sw_polish_cuda = {.open = open_polish,
                                                       .close = close_polish,
                                                       .prepare = prepare_polish,
                                                       .ready_each = ready,
                                                       .launch_step = launch_step,
                                                       .launch_evaluate = launch_evaluate};
