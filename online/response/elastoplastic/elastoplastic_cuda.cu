/* Solver `elastoplastic` on a GPU: elastoplastic.h says what it is. */
#include "online/response/points/points_kernel.cuh"

#include <cstdlib>

#include "elastoplastic.h"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_elastoplastic_model elastoplastic_model;
static const sw_response *elastoplastic_model_of; /* whose it is */

/* Plain pointers: state [n][5], and where the next goes, or NULL. */
template <int SYSTEMS> struct elastoplastic_step {
    sw_slip_rates rates;
    const sw_crystal *crystal;
    const float *state;
    sw_crystal *next_crystal;
    float *next_state;
    static constexpr int BLOCKS = 1; /* with 2 registers spill: 1.9e9 steps/s instead of 2.9e9 on an H200 */
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &shared, int64_t i, float mean[SW_MEANS]) const
    {
        const sw_slip_step step = sw_slip_step_of(&rates, shared.strain_rate, shared.applied_turn,
                                                  shared.rate, shared.duration, &shared.hardening);
        const float4 begun = sw_crystal_load(crystal + i);
        float euler[3] = {begun.x, begun.y, begun.z}, slip_rate, iterations;
        sw_elastoplastic_crystal one;
        one.slip_resistance = begun.w;
        sw_quaternion_from_euler(euler, one.orientation);
        for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
            one.stress[k] = state[i * SW_ELASTOPLASTIC_KEPT + k];
        const sw_mask good =
            sw_elastoplastic(&elastoplastic_model, SYSTEMS, &step, &one, NULL, &slip_rate, &iterations, NULL) &
            sw_elastoplastic_is_number(&one);
        sw_elastoplastic_add(&elastoplastic_model, &step, &one, slip_rate, mean);
        sw_quaternion_to_euler(one.orientation, euler);
        if (next_crystal != NULL) {
            sw_crystal_store(next_crystal + i, euler, one.slip_resistance);
            for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
                next_state[i * SW_ELASTOPLASTIC_KEPT + k] = one.stress[k];
        }
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
static sw_status launch(const sw_response *response, const sw_step *step, const sw_crystals *from,
                        const sw_crystals *to, const sw_step_launch *where)
{
    const sw_elastoplastic_model *model = (const sw_elastoplastic_model *)response->data;
    const elastoplastic_step<SYSTEMS> work = {sw_elastoplastic_rates(model, step->duration), from->crystal,
                                              from->state, to != NULL ? to->crystal : NULL,
                                              to != NULL ? to->state : NULL};
    return sw_step_launch_work(response, where, step, work, from->n);
}

static sw_status launch_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                             const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    const int systems = ((const sw_elastoplastic_model *)response->data)->slip.systems;
    SW_TRY(make_ready(response));
#define UP_TO(S)      \
    if (systems <= S) \
        return launch<S>(response, step, from, to, &where);
    SW_SLIP_SIZES(UP_TO)
#undef UP_TO
    return launch<SW_SLIP_SYSTEMS_MAX>(response, step, from, to, &where);
}

/* ---- Points with a loading each ---- */

template <int SYSTEMS> struct elastoplastic_point {
    static constexpr int KEPT = SW_ELASTOPLASTIC_KEPT;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal &crystal,
                         float number[SW_NUMBERS]) const
    {
        const sw_slip_rates rates = sw_elastoplastic_rates(&elastoplastic_model, step->duration);
        const sw_slip_step own = sw_slip_step_of(&rates, step->strain_rate, step->applied_turn, step->rate,
                                                 step->duration, &hardening);
        float slip_rate, iterations, slope[SW_TANGENT_COLUMNS][5] = {{0}};
        sw_elastoplastic_crystal one;
        one.slip_resistance = crystal.slip_resistance;
        sw_quaternion_from_euler(crystal.euler, one.orientation);
        for (int k = 0; k < KEPT; k++)
            one.stress[k] = crystal.kept[k];
        const sw_mask good = sw_elastoplastic(&elastoplastic_model, SYSTEMS, &own, &one, NULL, &slip_rate,
                                              &iterations, TANGENT ? slope : NULL) &
                             sw_elastoplastic_is_number(&one);
        for (int k = 0; k < SW_MEANS; k++)
            number[k] = 0;
        sw_elastoplastic_add(&elastoplastic_model, &own, &one, slip_rate, number);
        sw_quaternion_to_euler(one.orientation, crystal.euler);
        crystal.slip_resistance = one.slip_resistance;
        for (int k = 0; k < KEPT; k++)
            crystal.kept[k] = one.stress[k];
        if (TANGENT)
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        return good != 0;
    }
};

static sw_status launch_points(sw_response *response, const sw_points_launch *launch)
{
    const int systems = ((const sw_elastoplastic_model *)response->data)->slip.systems;
    SW_TRY(make_ready(response));
#define UP_TO(S)      \
    if (systems <= S) \
        return sw_points_launch_work(response, launch, elastoplastic_point<S>{});
    SW_SLIP_SIZES(UP_TO)
#undef UP_TO
    return sw_points_launch_work(response, launch, elastoplastic_point<SW_SLIP_SYSTEMS_MAX>{});
}

extern "C" const sw_solver_functions sw_elastoplastic_cuda = {.open = open_elastoplastic,
                                                              .close = close_elastoplastic,
                                                              .launch_step = launch_step,
                                                              .tangent = SW_TANGENT_OWN,
                                                              .launch_points = launch_points};
