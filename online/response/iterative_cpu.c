/* Solver `iterative`: the elasto-viscoplastic model itself, with every crystal's elastic state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal_integrator.h"
#include "solver.h"

typedef struct {
    int64_t n_crystals;
    sw_crystal_state *state;   /* [N] */
    double gradient[3][3];     /* of the last step */
    double strain_on_path;     /* since the gradient's direction last changed */
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

static sw_status adopt(iterative_data *data, int64_t n_crystals, const sw_crystal *crystal)
{
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
    return memcmp(a, b, 9 * sizeof(double)) == 0;
}

static sw_status step_iterative(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                                double dt, int64_t n_crystals, sw_crystal *crystal, sw_response_average *average)
{
    iterative_data *data = response->data;
    const sw_integration_control control = sw_integration_history();
    if (data->state == NULL)
        SW_TRY(adopt(data, n_crystals, crystal));
    if (n_crystals != data->n_crystals)
        return sw_error(SW_ERR_RANGE, "%lld crystals: this response keeps the state of %lld", (long long)n_crystals,
                        (long long)data->n_crystals);
    if (!same_path(velocity_gradient, (const double(*)[3])data->gradient))
        data->strain_on_path = 0;
    memcpy(data->gradient, velocity_gradient, sizeof data->gradient);
    SW_TRY(sw_integrate(response->material, &control, n_crystals, (const double(*)[3][3])data->gradient, 1,
                        data->strain_on_path, d->rate * dt, data->state, NULL, NULL));
    data->strain_on_path += d->rate * dt;
    for (int64_t n = 0; n < n_crystals; n++) {
        sw_crystal_output output = sw_crystal_state_output(&data->state[n]);
        double euler[3];
        sw_euler_from_rotation(output.rotation, euler);
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)euler[i];
        crystal[n].slip_resistance = (float)data->state[n].slip_resistance;
        for (int k = 0; k < 9; k++)
            average->cauchy_stress[k / 3][k % 3] += output.cauchy_stress[k / 3][k % 3] / (double)n_crystals;
        average->slip_resistance += data->state[n].slip_resistance / (double)n_crystals;
        average->slip_rate += data->state[n].slip_rate / (double)n_crystals;
    }
    return SW_OK;
}

const sw_response_solver sw_solver_iterative = {.name = "iterative",
                                                .needs_database = 0,
                                                .open = open_iterative,
                                                .close = close_iterative,
                                                .step = step_iterative};
