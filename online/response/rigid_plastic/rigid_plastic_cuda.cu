/* Solver `rigid_plastic` on a GPU: rigid_plastic.h says what it is. */
#include "online/response/points/points_kernel.cuh"

#include <cstdlib>

#include "rigid_plastic_families.h"
#include "slip_fit_cuda.cuh"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_rigid_plastic_model rigid_plastic_model;
static const sw_response *rigid_plastic_model_of; /* whose it is */

template <int SYSTEMS> struct rigid_plastic_answer {
    static constexpr int BLOCKS = 2;

    __device__ bool operator()(const float orientation[4], float theta, float output[SW_OUTPUTS]) const
    {
        float lambda[3];
        sw_rigid_plastic_principal_values(theta, lambda);
        return sw_any(sw_rigid_plastic(&rigid_plastic_model, SYSTEMS, lambda, orientation, output));
    }
};

static void close_rigid_plastic(sw_response *response)
{
    if (rigid_plastic_model_of == response)
        rigid_plastic_model_of = NULL;
    sw_rigid_plastic_families_forget(response);
    sw_rigid_plastic_all_forget(response);
    free(response->data);
}

static sw_status open_rigid_plastic(sw_response *response)
{
    rigid_plastic_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "rigid_plastic solver"));
    response->data = data;
    return sw_rigid_plastic_prepare_for(response, &data->model);
}

static sw_status ready(sw_response *response)
{
    const rigid_plastic_data *data = (const rigid_plastic_data *)response->data;
    if (rigid_plastic_model_of == response)
        return SW_OK;
    rigid_plastic_model_of = NULL;
    sw_rigid_plastic_model model = data->model;
    SW_TRY(sw_slip_fit_to_gpu(&model.slip));
    SW_CUDA_TRY(cudaMemcpyToSymbol(rigid_plastic_model, &model, sizeof model));
    rigid_plastic_model_of = response;
    return SW_OK;
}

static sw_status prepare_rigid_plastic(sw_response *response, double) { return ready(response); }

template <class Frame, class Finish>
static sw_status launch_rigid_plastic(sw_response *response, const sw_step_launch *launch,
                                      const sw_step *step, const Frame &frame, const Finish &finish,
                                      int64_t n, const sw_crystal *crystal)
{
    const int systems = ((const rigid_plastic_data *)response->data)->model.slip.systems;
#define LAUNCH(S) \
    sw_step_launch_crystals(response, launch, step, frame, rigid_plastic_answer<S>{}, finish, n, crystal)
#define UP_TO(S)      \
    if (systems <= S) \
        return LAUNCH(S);
    SW_SLIP_SIZES(UP_TO)
    return LAUNCH(SW_SLIP_SYSTEMS_MAX);
#undef UP_TO
#undef LAUNCH
}

SW_STEP_LAUNCHES(launch_rigid_plastic)

static const sw_slip_law *law_of(const sw_response *response)
{
    return &((const rigid_plastic_data *)response->data)->model.slip.law;
}

static sw_status launch_any_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                                 const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_slip_law *law = law_of(response);
    return (sw_slip_law_wants_all(law) ? sw_rigid_plastic_all_step
            : law->systems > 0         ? sw_rigid_plastic_families_step
                                       : launch_step)(response, step, from, to, partial, sums, stream);
}

/* ---- Points with a loading each ---- */

template <int SYSTEMS> struct rigid_plastic_point {
    static constexpr int BLOCKS = 3, TANGENT_BLOCKS = 1;
    static constexpr int KEPT = 0, numbers = 0;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const sw_slip_rates rates = sw_rigid_plastic_rates(&rigid_plastic_model);
        const sw_slip_step own = sw_slip_step_of(&rates, step->strain_rate, step->applied_turn, step->rate,
                                                 step->duration, &hardening);
        float q[4], slope[SW_TANGENT_COLUMNS][5];
        sw_quaternion_from_euler(crystal.euler, q);
        const sw_mask good =
            sw_rigid_plastic_advance(&rigid_plastic_model, SYSTEMS, &own, q, &crystal.slip_resistance, NULL,
                                     number, TANGENT ? slope : NULL);
        sw_quaternion_to_euler(q, crystal.euler);
        if (TANGENT)
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        return good != 0;
    }
};

static sw_status launch_points(sw_response *response, const sw_points_launch *launch)
{
    const sw_slip_law *law = law_of(response);
    if (law->systems > 0)
        return (sw_slip_law_wants_all(law) ? sw_rigid_plastic_all_points
                                           : sw_rigid_plastic_families_points)(response, launch);
    SW_TRY(ready(response));
    const int systems = ((const rigid_plastic_data *)response->data)->model.slip.systems;
#define UP_TO(S)      \
    if (systems <= S) \
        return sw_points_launch_work(response, launch, rigid_plastic_point<S>{});
    SW_SLIP_SIZES(UP_TO)
#undef UP_TO
    return sw_points_launch_work(response, launch, rigid_plastic_point<SW_SLIP_SYSTEMS_MAX>{});
}

extern "C" const sw_solver_functions sw_rigid_plastic_cuda = {.open = open_rigid_plastic,
                                                              .close = close_rigid_plastic,
                                                              .prepare = prepare_rigid_plastic,
                                                              .ready_each = ready,
                                                              .launch_step = launch_any_step,
                                                              .launch_evaluate = launch_evaluate,
                                                              .tangent = SW_TANGENT_OWN,
                                                              .launch_points = launch_points};
