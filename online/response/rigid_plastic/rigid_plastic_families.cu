/* The kernels of solver `rigid_plastic` for crystals whose families have their own resistances. */
#ifndef SW_LAW_ALL /* rigid_plastic_all.cu */
#define SW_LAW_ALL 0
#define SW_RIGID_PLASTIC_NAME(name) sw_rigid_plastic_families_##name
#endif
#define SW_SLIP_UNROLL 1 /* code that is short waits less */
#include "online/response/points/points_kernel.cuh"

#include "rigid_plastic_families.h"

__constant__ sw_rigid_plastic_model model_of_families;
static const sw_response *whose;

static sw_status ready(const sw_response *response)
{
    const rigid_plastic_data *data = (const rigid_plastic_data *)response->data;
    if (whose == response)
        return SW_OK;
    whose = NULL;
    SW_CUDA_TRY(cudaMemcpyToSymbol(model_of_families, &data->model, sizeof data->model));
    whose = response;
    return SW_OK;
}

void SW_RIGID_PLASTIC_NAME(forget)(const sw_response *response)
{
    if (whose == response)
        whose = NULL;
}

/* From and to numbers [K] of a crystal's state, of which the first five are where its stress was. */
__device__ static inline bool take_step(const sw_slip_step &step, float euler[3], float *slip_resistance,
                                        const float *begun, float *end, float mean[SW_MEANS],
                                        float (*slope)[5])
{
    const sw_slip_law *law = &model_of_families.slip.law;
    sw_rigid_plastic_state state;
    float q[4];
    sw_quaternion_from_euler(euler, q);
    for (int k = 0; k < 5; k++)
        state.x[k] = begun[k];
    sw_slip_state_load(law, *slip_resistance, (const float(*)[1])(begun + 5), &state.slip);
    const sw_mask good = sw_rigid_plastic_advance(&model_of_families, SW_SLIP_SYSTEMS_MAX, &step, q,
                                                  slip_resistance, &state, mean, slope);
    sw_quaternion_to_euler(q, euler);
    if (end == NULL)
        return good != 0;
    for (int k = 0; k < 5; k++)
        end[k] = state.x[k];
    sw_slip_state_store(law, &state.slip, (float(*)[1])(end + 5));
    return good != 0;
}

struct rigid_plastic_step {
    sw_slip_rates rates;
    int numbers; /* K */
    const sw_crystal *crystal;
    const float *state;
    sw_crystal *next_crystal;
    float *next_state;
    static constexpr int BLOCKS = 2; /* they hide what arrays wait for */
    static constexpr bool MEANS = true;

    __device__ bool operator()(const sw_step &shared, int64_t i, float mean[SW_MEANS]) const
    {
        sw_slip_step step = sw_slip_step_of(&rates, shared.strain_rate, shared.applied_turn, shared.rate,
                                            shared.duration, &shared.hardening);
        step.of_begin = shared.of_begin;
        const float4 begun = sw_crystal_load(crystal + i);
        float euler[3] = {begun.x, begun.y, begun.z}, s = begun.w;
        const bool good = take_step(step, euler, &s, state + i * numbers,
                                    next_crystal != NULL ? next_state + i * numbers : NULL, mean, NULL);
        if (next_crystal != NULL)
            sw_crystal_store(next_crystal + i, euler, s);
        return good;
    }
};

sw_status SW_RIGID_PLASTIC_NAME(step)(sw_response *response, const sw_step *step, const sw_crystals *from,
                                      const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_rigid_plastic_model *model = &((const rigid_plastic_data *)response->data)->model;
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    SW_TRY(ready(response));
    const rigid_plastic_step work = {
        sw_rigid_plastic_rates(model),   response->layout->numbers,    from->crystal, from->state,
        to != NULL ? to->crystal : NULL, to != NULL ? to->state : NULL};
    return sw_step_launch_work(response, &where, step, work, from->n);
}

/* ---- Points with a loading each ---- */

struct rigid_plastic_point {
    static constexpr int BLOCKS = 3, TANGENT_BLOCKS = 3;
    static constexpr int KEPT = 5 + SW_SLIP_SYSTEMS_MAX + SW_FAMILIES_MAX + 1;
    int numbers;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const sw_slip_rates rates = sw_rigid_plastic_rates(&model_of_families);
        const sw_slip_step own = sw_slip_step_of(&rates, step->strain_rate, step->applied_turn, step->rate,
                                                 step->duration, &hardening);
        float slope[SW_TANGENT_COLUMNS][5];
        const bool good = take_step(own, crystal.euler, &crystal.slip_resistance, crystal.kept, crystal.kept,
                                    number, TANGENT ? slope : NULL);
        if (TANGENT)
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        return good;
    }
};

sw_status SW_RIGID_PLASTIC_NAME(points)(sw_response *response, const sw_points_launch *launch)
{
    SW_TRY(ready(response));
    return sw_points_launch_work<false>(response, launch, rigid_plastic_point{response->layout->numbers});
}
