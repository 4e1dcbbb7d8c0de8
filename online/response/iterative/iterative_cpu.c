/* Solver `iterative`: the elasto-viscoplastic model itself, with every crystal's elastic state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/crystal_integrator.h"
#include "common/system/threads.h"
#include "online/response/step/solver.h"
#include "online/response/step/step.h"

typedef struct {
    int64_t n_crystals;
    sw_crystal_state *state; /* [N] */
    double gradient[3][3];   /* of the last step */
    double strain_on_path;   /* since the gradient's direction last changed */
} iterative_data;

static void close_iterative(sw_response *response)
{
    iterative_data *data = response->data;
    if (data == NULL)
        return;
    free(data->state);
    free(data);
}

static sw_status open_iterative(sw_response *response)
{
    iterative_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "iterative solver"));
    response->data = data;
    return SW_OK;
}

static sw_status begin_history(sw_response *response, int64_t n_crystals, const sw_crystal *crystal)
{
    iterative_data *data = response->data;
    if (data->state != NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(data->state, n_crystals, "crystal states"));
    data->n_crystals = n_crystals;
    for (int64_t n = 0; n < n_crystals; n++) {
        const double euler[3] = {crystal[n].euler[0], crystal[n].euler[1], crystal[n].euler[2]};
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        data->state[n] = sw_crystal_state_initial(g, crystal[n].slip_resistance);
    }
    return SW_OK;
}

static int same_path(const double a[3][3], const double b[3][3])
{
    int same = 1;
    for (int k = 0; k < 9; k++)
        same &= a[k / 3][k % 3] == b[k / 3][k % 3];
    return same;
}

/* total += weight * part */
static void add_average(sw_response_average *total, const sw_response_average *part, double weight)
{
    for (int k = 0; k < 9; k++)
        total->cauchy_stress[k / 3][k % 3] += weight * part->cauchy_stress[k / 3][k % 3];
    total->slip_resistance += weight * part->slip_resistance;
    total->slip_rate += weight * part->slip_rate;
}

/* Of a block of crystals. */
typedef struct {
    sw_response_average average; /* times the weights */
    double weight;
} block_sums;

/* Orientation and resistance of a block of crystals, and its sums. */
static void collect_block(int64_t n, const sw_crystal_state *state, sw_crystal *crystal, const float *weight,
                          block_sums *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int64_t i = 0; i < n; i++) {
        sw_crystal_output output = sw_crystal_state_output(&state[i]);
        sw_response_average one = {.slip_resistance = state[i].slip_resistance,
                                   .slip_rate = state[i].slip_rate};
        double euler[3];
        sw_euler_from_rotation(output.rotation, euler);
        for (int k = 0; k < 3; k++)
            crystal[i].euler[k] = (float)euler[k];
        crystal[i].slip_resistance = (float)state[i].slip_resistance;
        memcpy(one.cauchy_stress, output.cauchy_stress, sizeof one.cauchy_stress);
        const double w = sw_weight_of(weight, i);
        add_average(&sum->average, &one, w);
        sum->weight += w;
    }
}

static sw_status collect(const iterative_data *data, sw_crystal *crystal, const float *weight,
                         sw_response_average *average)
{
    const int64_t n_blocks = (data->n_crystals + SW_STEP_BLOCK - 1) / SW_STEP_BLOCK;
    const double nanoseconds = SW_STEP_BLOCK * 500.0; /* of a block: mostly the crystals' polar rotations */
    double total = 0;
    block_sums *sum;
    SW_TRY(SW_ALLOCATE(sum, n_blocks, "block averages"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n_blocks, nanoseconds))
    for (int64_t i = 0; i < n_blocks; i++) {
        const int64_t first = i * SW_STEP_BLOCK, left = data->n_crystals - first;
        collect_block(left < SW_STEP_BLOCK ? left : SW_STEP_BLOCK, data->state + first, crystal + first,
                      weight != NULL ? weight + first : NULL, &sum[i]);
    }
    for (int64_t i = 0; i < n_blocks; i++)
        total += sum[i].weight;
    for (int64_t i = 0; i < n_blocks; i++)
        add_average(average, &sum[i].average, 1.0 / total);
    free(sum);
    return sw_check_weights(total);
}

static sw_status step_iterative(sw_response *response, const double velocity_gradient[3][3],
                                const sw_strain_rate *d, double dt, int64_t n_crystals, sw_crystal *crystal,
                                const float *weight, sw_response_average *average)
{
    iterative_data *data = response->data;
    const sw_integration_control control = sw_integration_history();
    SW_TRY(begin_history(response, n_crystals, crystal));
    if (n_crystals != data->n_crystals)
        return sw_error(SW_ERR_RANGE, "%lld crystals: this response keeps the state of %lld",
                        (long long)n_crystals, (long long)data->n_crystals);
    if (!same_path(velocity_gradient, (const double(*)[3])data->gradient))
        data->strain_on_path = 0;
    memcpy(data->gradient, velocity_gradient, sizeof data->gradient);
    SW_TRY(sw_integrate(response->material, &control, n_crystals, (const double(*)[3][3])data->gradient, 1,
                        data->strain_on_path, d->rate * dt, data->state, NULL, NULL));
    data->strain_on_path += d->rate * dt;
    return collect(data, crystal, weight, average);
}

/* ---- Saved and restored ---- */

/* Of a crystal: its state, and the strain path that all share. */
typedef struct {
    sw_crystal_state state;
    double gradient[3][3], strain_on_path;
} kept;

static sw_status save_history(const sw_response *response, int64_t first, int64_t n, double *number)
{
    const iterative_data *data = response->data;
    if (first < 0 || first + n > data->n_crystals)
        return sw_error(SW_ERR_RANGE, "crystals %lld to %lld: this response keeps the state of %lld",
                        (long long)first, (long long)(first + n - 1), (long long)data->n_crystals);
    for (int64_t i = 0; i < n; i++) {
        kept one = {.state = data->state[first + i], .strain_on_path = data->strain_on_path};
        memcpy(one.gradient, data->gradient, sizeof one.gradient);
        memcpy((char *)number + (size_t)i * sizeof one, &one, sizeof one);
    }
    return SW_OK;
}

static sw_status restore_history(sw_response *response, int64_t n_crystals, int64_t first, int64_t n,
                                 const double *number)
{
    iterative_data *data = response->data;
    if (data->state == NULL) {
        SW_TRY(SW_ALLOCATE(data->state, n_crystals, "crystal states"));
        data->n_crystals = n_crystals;
    }
    if (n_crystals != data->n_crystals || first < 0 || first + n > n_crystals)
        return sw_error(SW_ERR_RANGE, "crystals %lld to %lld of %lld: this response keeps the state of %lld",
                        (long long)first, (long long)(first + n - 1), (long long)n_crystals,
                        (long long)data->n_crystals);
    for (int64_t i = 0; i < n; i++) {
        kept one;
        memcpy(&one, (const char *)number + (size_t)i * sizeof one, sizeof one);
        data->state[first + i] = one.state;
        memcpy(data->gradient, one.gradient, sizeof one.gradient);
        data->strain_on_path = one.strain_on_path;
    }
    return SW_OK;
}

static const sw_solver_settings certified[] = {{0}};

const sw_solver sw_solver_iterative = {.traits = {.name = "iterative", .has_history = 1, .is_reference = 1},
                                       .certified = SW_SOLVER_TABLE(certified),
                                       .cpu = {.open = open_iterative,
                                               .close = close_iterative,
                                               .step = step_iterative,
                                               .history_numbers = sizeof(kept) / sizeof(double),
                                               .begin_history = begin_history,
                                               .save_history = save_history,
                                               .restore_history = restore_history}};
