/* Solver `rigid_plastic` on a GPU: rigid_plastic.h says what it is. */
#include "online/response/points/points_kernel.cuh"

#include <cstdlib>

#include "rigid_plastic_step.h"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_rigid_plastic_model rigid_plastic_model;
static const sw_response *rigid_plastic_model_of; /* whose it is */

struct rigid_plastic_data {
    sw_rigid_plastic_model model;
};

template <int SYSTEMS> struct rigid_plastic_answer {
    static constexpr int BLOCKS = 2;

    __device__ bool operator()(const float orientation[4], const float *, float theta,
                               float output[SW_OUTPUTS]) const
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
    free(response->data);
}

static sw_status open_rigid_plastic(sw_response *response)
{
    rigid_plastic_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "rigid_plastic solver"));
    response->data = data;
    return sw_rigid_plastic_prepare(response->material, &data->model);
}

static sw_status ready(sw_response *response)
{
    const rigid_plastic_data *data = (const rigid_plastic_data *)response->data;
    if (rigid_plastic_model_of == response)
        return SW_OK;
    rigid_plastic_model_of = NULL;
    SW_CUDA_TRY(cudaMemcpyToSymbol(rigid_plastic_model, &data->model, sizeof rigid_plastic_model));
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

/* ---- Families with their own resistances ---- */

/* Of numbers [K] of a crystal's state, of which the first five are where its stress was. */
__device__ static inline sw_rigid_plastic_state load_state(const float *begun, float slip_resistance)
{
    sw_rigid_plastic_state state;
    for (int k = 0; k < 5; k++)
        state.x[k] = begun[k];
    sw_slip_state_load(&rigid_plastic_model.slip.law, slip_resistance, (const float(*)[1])(begun + 5), &state.slip);
    return state;
}

/* Of few crystals: out of the way of the others. */
template <int SYSTEMS>
__device__ static __noinline__ sw_mask take_parts(const sw_slip_step *step, const float q0[4], float s0, const float *begun,
                                                  float q[4], float *s, sw_rigid_plastic_state *state,
                                                  float mean[SW_MEANS], float (*slope)[5])
{
    const sw_rigid_plastic_state old = load_state(begun, s0);
    return sw_rigid_plastic_in_parts(&rigid_plastic_model, SYSTEMS, step, sw_if(1), q0, s0, &old, q, s, state, mean, slope);
}

/* From and to such numbers. */
template <int SYSTEMS>
__device__ static inline bool take_step(const sw_slip_step &step, float euler[3], float *slip_resistance,
                                        const float *begun, float *end, float mean[SW_MEANS],
                                        float (*slope)[5])
{
    const sw_slip_law *law = &rigid_plastic_model.slip.law;
    sw_rigid_plastic_state state = load_state(begun, *slip_resistance);
    const float s0 = *slip_resistance;
    float q[4], q0[4];
    sw_quaternion_from_euler(euler, q0);
    for (int k = 0; k < 4; k++)
        q[k] = q0[k];
    sw_mask good =
        sw_rigid_plastic_advance(&rigid_plastic_model, SYSTEMS, &step, q, slip_resistance, &state, mean, slope);
    if (!good && s0 > 0)
        good = take_parts<SYSTEMS>(&step, q0, s0, begun, q, slip_resistance, &state, mean, slope);
    sw_quaternion_to_euler(q, euler);
    if (end == NULL)
        return good != 0;
    for (int k = 0; k < 5; k++)
        end[k] = state.x[k];
    sw_slip_state_store(law, &state.slip, (float(*)[1])(end + 5));
    return good != 0;
}

template <int SYSTEMS> struct rigid_plastic_step {
    sw_slip_rates rates;
    int numbers; /* K */
    const sw_crystal *crystal;
    const float *state;
    sw_crystal *next_crystal;
    float *next_state;
    static constexpr int BLOCKS = 1;
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &shared, int64_t i, float mean[SW_MEANS]) const
    {
        sw_slip_step step = sw_slip_step_of(&rates, shared.strain_rate, shared.applied_turn, shared.rate,
                                            shared.duration, &shared.hardening);
        step.of_begin = shared.of_begin;
        const float4 begun = sw_crystal_load(crystal + i);
        float euler[3] = {begun.x, begun.y, begun.z}, s = begun.w;
        const bool good =
            take_step<SYSTEMS>(step, euler, &s, state + i * numbers,
                               next_crystal != NULL ? next_state + i * numbers : NULL, mean, NULL);
        if (next_crystal != NULL)
            sw_crystal_store(next_crystal + i, euler, s);
        return good;
    }
};

static sw_status launch_any_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                                 const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_rigid_plastic_model *model = &((const rigid_plastic_data *)response->data)->model;
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    if (model->slip.law.systems == 0)
        return launch_step(response, step, from, to, partial, sums, stream);
    SW_TRY(ready(response));
#define LAUNCH(S)                                                                                          \
    sw_step_launch_work(response, &where, step,                                                            \
                        rigid_plastic_step<S>{sw_rigid_plastic_rates(model), response->layout->numbers,    \
                                              from->crystal, from->state, to != NULL ? to->crystal : NULL, \
                                              to != NULL ? to->state : NULL},                              \
                        from->n)
#define UP_TO(S)                  \
    if (model->slip.systems <= S) \
        return LAUNCH(S);
    SW_SLIP_SIZES(UP_TO)
    return LAUNCH(SW_SLIP_SYSTEMS_MAX);
#undef UP_TO
#undef LAUNCH
}

/* ---- Points with a loading each ---- */

template <int SYSTEMS, bool FAMILIES> struct rigid_plastic_point {
    static constexpr int KEPT = FAMILIES ? 5 + SYSTEMS + SW_FAMILIES_MAX : 0;
    int numbers;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const sw_slip_rates rates = sw_rigid_plastic_rates(&rigid_plastic_model);
        const sw_slip_step own = sw_slip_step_of(&rates, step->strain_rate, step->applied_turn, step->rate,
                                                 step->duration, &hardening);
        float q[4], slope[SW_TANGENT_COLUMNS][5];
        bool good;
        if constexpr (FAMILIES)
            good = take_step<SYSTEMS>(own, crystal.euler, &crystal.slip_resistance, crystal.kept,
                                      crystal.kept, number, TANGENT ? slope : NULL);
        else {
            sw_quaternion_from_euler(crystal.euler, q);
            good = sw_rigid_plastic_advance(&rigid_plastic_model, SYSTEMS, &own, q, &crystal.slip_resistance,
                                            NULL, number, TANGENT ? slope : NULL) != 0;
            sw_quaternion_to_euler(q, crystal.euler);
        }
        if (TANGENT)
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        return good;
    }
};

static sw_status launch_points(sw_response *response, const sw_points_launch *launch)
{
    SW_TRY(ready(response));
    const sw_slip_model *slip = &((const rigid_plastic_data *)response->data)->model.slip;
    const int numbers = response->layout->numbers;
#define LAUNCH(S)                                                                                \
    (slip->law.systems > 0                                                                       \
         ? sw_points_launch_work<false>(response, launch, rigid_plastic_point<S, true>{numbers}) \
         : sw_points_launch_work(response, launch, rigid_plastic_point<S, false>{0}))
#define UP_TO(S)            \
    if (slip->systems <= S) \
        return LAUNCH(S);
    SW_SLIP_SIZES(UP_TO)
    return LAUNCH(SW_SLIP_SYSTEMS_MAX);
#undef UP_TO
#undef LAUNCH
}

extern "C" const sw_solver_functions sw_rigid_plastic_cuda = {.open = open_rigid_plastic,
                                                              .close = close_rigid_plastic,
                                                              .prepare = prepare_rigid_plastic,
                                                              .ready_each = ready,
                                                              .launch_step = launch_any_step,
                                                              .launch_evaluate = launch_evaluate,
                                                              .tangent = SW_TANGENT_OWN,
                                                              .launch_points = launch_points};
