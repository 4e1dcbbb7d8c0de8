/* The kernels of solver `elastoplastic`, for crystals whose systems resist alike (SW_WITH_FAMILIES 0) or whose families have their
 * own resistances (1): each in a file of its own, where loops over systems unroll as far as is best there. */
#include "online/response/points/points_kernel.cuh"

#include <type_traits>

#include "elastoplastic.h"
#include "online/response/rigid_plastic/slip_fit_cuda.cuh"

/* One material at a time, in constant memory, where multiply-adds take their operands from. */
__constant__ sw_elastoplastic_model elastoplastic_model;
static const sw_response *elastoplastic_model_of; /* whose it is */

/* A crystal of SYSTEMS slip systems, whose families have their own resistances or not: its step, from and to numbers [K] of its
 * state, of which the first five are its stress. */
static constexpr bool FAMILIES = SW_WITH_FAMILIES;

template <int SYSTEMS>
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
template <int SYSTEMS> struct elastoplastic_step {
    sw_slip_rates rates;
    int numbers; /* K */
    const sw_crystal *crystal;
    const float *state;
    sw_crystal *next_crystal;
    float *next_state;
    /* alone, with 2 registers spill: 1.9e9 steps/s instead of 2.9e9 on an H200; with families 2 hide what arrays wait for */
    static constexpr int BLOCKS = FAMILIES ? 2 : 1;
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &shared, int64_t i, float mean[SW_MEANS]) const
    {
        const int64_t row = i * (FAMILIES ? numbers : SW_ELASTOPLASTIC_KEPT);
        const sw_slip_step step = sw_slip_step_of(&rates, shared.strain_rate, shared.applied_turn,
                                                  shared.rate, shared.duration, &shared.hardening);
        const float4 begun = sw_crystal_load(crystal + i);
        float euler[3] = {begun.x, begun.y, begun.z}, s = begun.w;
        const bool good = take_step<SYSTEMS>(step, euler, &s, state + row,
                                             next_crystal != NULL ? next_state + row : NULL, mean, NULL);
        if (next_crystal != NULL)
            sw_crystal_store(next_crystal + i, euler, s);
        return good;
    }
};

static sw_status make_ready(const sw_response *response)
{
    if (elastoplastic_model_of == response)
        return SW_OK;
    elastoplastic_model_of = NULL;
    sw_elastoplastic_model model = *(const sw_elastoplastic_model *)response->data;
    if (!FAMILIES)
        SW_TRY(sw_slip_fit_to_gpu(&model.slip));
    SW_CUDA_TRY(cudaMemcpyToSymbol(elastoplastic_model, &model, sizeof model));
    elastoplastic_model_of = response;
    return SW_OK;
}

/* made(size): of the systems' number the least of sizes that holds it. */
template <class Made> static sw_status with_size(const sw_response *response, const Made &made)
{
    SW_TRY(make_ready(response));
#if !SW_WITH_FAMILIES /* whose loops go from group to group, as many as there are */
    const int systems = ((const sw_elastoplastic_model *)response->data)->slip.systems;
#define UP_TO(S)      \
    if (systems <= S) \
        return made(std::integral_constant<int, S>{});
    SW_SLIP_SIZES(UP_TO)
#undef UP_TO
#endif
    return made(std::integral_constant<int, SW_SLIP_SYSTEMS_MAX>{});
}

static sw_status launch_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                             const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    const sw_slip_rates rates =
        sw_elastoplastic_rates((const sw_elastoplastic_model *)response->data, step->duration);
    return with_size(response, [&](auto systems) {
        const elastoplastic_step<systems.value> work = {
            rates,       response->layout->numbers,       from->crystal,
            from->state, to != NULL ? to->crystal : NULL, to != NULL ? to->state : NULL};
        return sw_step_launch_work(response, &where, step, work, from->n);
    });
}

/* ---- Points with a loading each ---- */

template <int SYSTEMS> struct elastoplastic_point {
    /* 3: up to 14 % faster; with tangents slower of one crystal a point */
    static constexpr int BLOCKS = 3, TANGENT_BLOCKS = 1;
    static constexpr int KEPT =
        SW_ELASTOPLASTIC_KEPT + (FAMILIES ? (SW_LAW_ALL ? 2 : 1) * SYSTEMS + SW_FAMILIES_MAX + 1 : 0);
#if SW_WITH_FAMILIES
    int numbers;
#else /* known when compiled, they stay in registers */
    static constexpr int numbers = SW_ELASTOPLASTIC_KEPT;
#endif

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
        const bool good = take_step<SYSTEMS>(own, crystal.euler, &crystal.slip_resistance, crystal.kept,
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
    return with_size(response, [&](auto systems) {
        elastoplastic_point<systems.value> work;
#if SW_WITH_FAMILIES
        work.numbers = response->layout->numbers;
#endif
        return sw_points_launch_work<!FAMILIES, true>(response, launch, work);
    });
}

static void forget(const sw_response *response)
{
    if (elastoplastic_model_of == response)
        elastoplastic_model_of = NULL;
}
