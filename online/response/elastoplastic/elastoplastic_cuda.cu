/* Solver `elastoplastic` on a GPU: elastoplastic.h says what it is. */
#include "online/response/points/points_kernel.cuh"

#include <cstdlib>
#include <type_traits>

#include "elastoplastic.h"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_elastoplastic_model elastoplastic_model;
static const sw_response *elastoplastic_model_of; /* whose it is */

/* A crystal of SYSTEMS slip systems, whose families have their own resistances or not: its step, from and to numbers [K] of its
 * state, of which the first five are its stress. */
template <int SYSTEMS, bool FAMILIES>
__device__ static inline bool take_step(const sw_slip_step &step, float euler[3], float *slip_resistance,
                                        const float *begun, float *end, float mean[SW_MEANS],
                                        float (*slope)[5])
{
    const sw_slip_law *law = &elastoplastic_model.slip.law;
    float slip_rate, iterations;
    sw_elastoplastic_crystal one;
    sw_slip_state slip;
    one.slip_resistance = *slip_resistance;
    sw_quaternion_from_euler(euler, one.orientation);
    for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
        one.stress[k] = begun[k];
    if (FAMILIES)
        sw_slip_state_load(law, one.slip_resistance, (const float(*)[1])(begun + SW_ELASTOPLASTIC_KEPT),
                           &slip);
    const sw_mask good = sw_elastoplastic(&elastoplastic_model, SYSTEMS, &step, &one, FAMILIES ? &slip : NULL,
                                          &slip_rate, &iterations, slope) &
                         sw_elastoplastic_is_number(&one);
    sw_elastoplastic_add(&elastoplastic_model, &step, &one, slip_rate, mean);
    sw_quaternion_to_euler(one.orientation, euler);
    *slip_resistance = one.slip_resistance;
    if (end == NULL)
        return good != 0;
    for (int k = 0; k < SW_ELASTOPLASTIC_KEPT; k++)
        end[k] = one.stress[k];
    if (FAMILIES)
        sw_slip_state_store(law, &slip, (float(*)[1])(end + SW_ELASTOPLASTIC_KEPT));
    return good != 0;
}

/* Plain pointers: state [n][K], and where the next goes, or NULL. */
template <int SYSTEMS, bool FAMILIES> struct elastoplastic_step {
    sw_slip_rates rates;
    int numbers; /* K */
    const sw_crystal *crystal;
    const float *state;
    sw_crystal *next_crystal;
    float *next_state;
    static constexpr int BLOCKS = 1; /* with 2 registers spill: 1.9e9 steps/s instead of 2.9e9 on an H200 */
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &shared, int64_t i, float mean[SW_MEANS]) const
    {
        const int64_t row = i * (FAMILIES ? numbers : SW_ELASTOPLASTIC_KEPT);
        const sw_slip_step step = sw_slip_step_of(&rates, shared.strain_rate, shared.applied_turn,
                                                  shared.rate, shared.duration, &shared.hardening);
        const float4 begun = sw_crystal_load(crystal + i);
        float euler[3] = {begun.x, begun.y, begun.z}, s = begun.w;
        const bool good = take_step<SYSTEMS, FAMILIES>(
            step, euler, &s, state + row, next_crystal != NULL ? next_state + row : NULL, mean, NULL);
        if (next_crystal != NULL)
            sw_crystal_store(next_crystal + i, euler, s);
        return good;
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

/* made(size, families): of the systems' number the least of sizes that holds it. */
template <class Made> static sw_status with_size(const sw_response *response, const Made &made)
{
    const sw_slip_model *slip = &((const sw_elastoplastic_model *)response->data)->slip;
    SW_TRY(make_ready(response));
#define OF_SIZE(S)                                                                    \
    (slip->law.systems > 0 ? made(std::integral_constant<int, S>{}, std::true_type{}) \
                           : made(std::integral_constant<int, S>{}, std::false_type{}))
#define UP_TO(S)            \
    if (slip->systems <= S) \
        return OF_SIZE(S);
    SW_SLIP_SIZES(UP_TO)
    return OF_SIZE(SW_SLIP_SYSTEMS_MAX);
#undef UP_TO
#undef OF_SIZE
}

static sw_status launch_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                             const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    const sw_slip_rates rates =
        sw_elastoplastic_rates((const sw_elastoplastic_model *)response->data, step->duration);
    return with_size(response, [&](auto systems, auto families) {
        const elastoplastic_step<systems.value, families.value> work = {
            rates,       response->layout->numbers,       from->crystal,
            from->state, to != NULL ? to->crystal : NULL, to != NULL ? to->state : NULL};
        return sw_step_launch_work(response, &where, step, work, from->n);
    });
}

/* ---- Points with a loading each ---- */

template <int SYSTEMS, bool FAMILIES> struct elastoplastic_point {
    static constexpr int KEPT = SW_ELASTOPLASTIC_KEPT + (FAMILIES ? SYSTEMS + SW_FAMILIES_MAX : 0);
    int numbers;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const sw_slip_rates rates = sw_elastoplastic_rates(&elastoplastic_model, step->duration);
        const sw_slip_step own = sw_slip_step_of(&rates, step->strain_rate, step->applied_turn, step->rate,
                                                 step->duration, &hardening);
        float slope[SW_TANGENT_COLUMNS][5] = {{0}};
        for (int k = 0; k < SW_MEANS; k++)
            number[k] = 0;
        const bool good =
            take_step<SYSTEMS, FAMILIES>(own, crystal.euler, &crystal.slip_resistance, crystal.kept,
                                         crystal.kept, number, TANGENT ? slope : NULL);
        if (TANGENT)
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        return good;
    }
};

static sw_status launch_points(sw_response *response, const sw_points_launch *launch)
{
    return with_size(response, [&](auto systems, auto families) {
        return sw_points_launch_work<!families.value>(
            response, launch, elastoplastic_point<systems.value, families.value>{response->layout->numbers});
    });
}

extern "C" const sw_solver_functions sw_elastoplastic_cuda = {.open = open_elastoplastic,
                                                              .close = close_elastoplastic,
                                                              .launch_step = launch_step,
                                                              .tangent = SW_TANGENT_OWN,
                                                              .launch_points = launch_points};
