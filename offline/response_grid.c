#include "response_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "common/system/memory.h"

sw_increment sw_increment_default(const sw_material *material)
{
    return (sw_increment){SW_STRAIN_INCREMENT, SW_STRAIN_RATE, material->slip.initial_slip_resistance};
}

sw_status sw_response_grid_create(const sw_point_group *group, const int64_t shape[4], sw_response_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    SW_TRY(sw_grid_check(group, shape));
    memcpy(grid->shape, shape, sizeof grid->shape);
    sw_symmetries_of(group, &grid->symmetries);
    const int count = grid->symmetries.count;
    const int64_t total = shape[0] * shape[1] * shape[2] * shape[3];
    /* a byte a point to find those that differ, then their numbers and outputs, in double */
    SW_TRY(sw_memory_check((double)total * (1 + (8 + 8.0 * SW_OUTPUTS) / count),
                           "grid of %lld x %lld x %lld x %lld points", (long long)shape[0],
                           (long long)shape[1], (long long)shape[2], (long long)shape[3]));
    unsigned char *seen = NULL;
    int64_t capacity = total / count + 1024;
    sw_status status = SW_ALLOCATE(seen, total, "map of grid points");
    for (int64_t index = 0; index < total && status == SW_OK; index++) {
        if (seen[index])
            continue;
        for (int s = 0; s < count; s++)
            seen[sw_symmetry_image(&grid->symmetries.operation[s], shape, index)] = 1;
        if (grid->point == NULL || grid->n_points == capacity) {
            capacity = grid->point == NULL ? capacity : 2 * capacity;
            int64_t *grown = realloc(grid->point, (size_t)capacity * sizeof *grown);
            if (grown == NULL) {
                status = sw_error(SW_ERR_MEMORY, "no memory for %lld grid points", (long long)capacity);
                break;
            }
            grid->point = grown;
        }
        grid->point[grid->n_points++] = index;
    }
    free(seen);
    if (status != SW_OK)
        sw_response_grid_destroy(grid);
    return status;
}

void sw_response_grid_destroy(sw_response_grid *grid)
{
    free(grid->point);
    free(grid->output);
    memset(grid, 0, sizeof *grid);
}

void sw_grid_angles(const int64_t shape[4], int64_t index, double x[4])
{
    for (int d = 3; d >= 0; d--) {
        x[d] = 2 * SW_PI * (double)(index % shape[d]) / (double)shape[d];
        index /= shape[d];
    }
}

/* What the database keeps of a crystal at the end of its increment, in multiples of s rate^m (stress) and of
 * the rate (spin, slip). While a crystal hardens, part of D goes into growing its elastic strain: 0.8 % at
 * copper's first hardening rate. The rate that counts is the plastic one, sigma : Dp / sigma : D of ||D||;
 * see docs/theory.md. */
static void scale_outputs(const sw_material *material, double strain_rate, const double lambda[3],
                          const sw_crystal_state *state, double output[SW_OUTPUTS])
{
    const sw_crystal_output o = sw_crystal_state_output(state);
    const double(*sigma)[3] = (const double(*)[3])o.cauchy_stress,
          (*lp)[3] = (const double(*)[3])o.plastic_gradient;
    const double pressure = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3;
    double power = 0, plastic_power = 0;
    for (int i = 0; i < 3; i++) {
        power += (sigma[i][i] - pressure) * lambda[i] * strain_rate;
        for (int j = 0; j < 3; j++)
            plastic_power += (sigma[i][j] - (i == j ? pressure : 0)) * lp[i][j];
    }
    const double rate = strain_rate * plastic_power / power;
    const double stress = state->slip_resistance * pow(rate, material->slip.rate_sensitivity);
    const double unscaled[SW_OUTPUTS] = {sigma[0][0] - pressure,
                                         sigma[1][1] - pressure,
                                         sigma[0][1],
                                         sigma[0][2],
                                         sigma[1][2],
                                         0.5 * (lp[0][1] - lp[1][0]),
                                         0.5 * (lp[0][2] - lp[2][0]),
                                         0.5 * (lp[1][2] - lp[2][1]),
                                         state->slip_rate};
    for (int c = 0; c < SW_OUTPUTS; c++)
        output[c] = unscaled[c] / (c < 5 ? stress : rate);
}

/* n crystals in their principal frames, stress-free; velocity gradients to go with them. */
static void set_up(const sw_increment *increment, int64_t n, const double (*x)[4], sw_crystal_state *state,
                   double (*velocity_gradient)[3][3])
{
    for (int64_t i = 0; i < n; i++) {
        double g[3][3], lambda[3];
        sw_rotation_from_euler(x[i], g);
        sw_principal_values(x[i][3], lambda);
        state[i] = sw_crystal_state_initial(g, increment->slip_resistance);
        memset(velocity_gradient[i], 0, sizeof velocity_gradient[i]);
        for (int d = 0; d < 3; d++)
            velocity_gradient[i][d][d] = increment->strain_rate * lambda[d];
    }
}

/* A second try at one point that failed, by shorter steps and more patience. */
static sw_status retry(const sw_material *material, const sw_increment *increment, const double x[4],
                       sw_crystal_state *state, sw_integration_statistics *statistics)
{
    double velocity_gradient[1][3][3];
    sw_integration_control patient = sw_integration_endpoint();
    patient.strain_step *= 0.1;
    patient.first_strain_step *= 0.1;
    patient.last_strain_step *= 0.1;
    patient.iterations_max *= 10;
    set_up(increment, 1, (const double(*)[4])x, state, velocity_gradient);
    if (sw_integrate(material, &patient, 1, (const double(*)[3][3])velocity_gradient, 1, 0,
                     increment->strain_increment, state, NULL, NULL, statistics) == SW_OK)
        return SW_OK;
    return sw_error(
        SW_ERR_CONVERGENCE,
        "no convergence at (phi1, Phi, phi2, theta) = (%.10g, %.10g, %.10g, %.10g) rad, nor with steps "
        "ten times shorter",
        x[0], x[1], x[2], x[3]);
}

sw_status sw_integrate_points(const sw_material *material, const sw_increment *increment, int64_t n,
                              const double (*x)[4], double (*output)[SW_OUTPUTS],
                              sw_integration_statistics *statistics)
{
    const sw_integration_control control = sw_integration_endpoint();
    sw_crystal_state *state = NULL;
    double(*velocity_gradient)[3][3] = NULL;
    unsigned char *failed = NULL;
    double lambda[3];
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(state, n, "crystals"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(velocity_gradient, n, "velocity gradients"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(failed, n, "flags of failed crystals"), done);
    set_up(increment, n, x, state, velocity_gradient);
    SW_TRY_GOTO(status,
                sw_integrate(material, &control, n, (const double(*)[3][3])velocity_gradient, 0, 0,
                             increment->strain_increment, state, NULL, failed, statistics),
                done);
    for (int64_t i = 0; i < n; i++) {
        if (failed[i])
            SW_TRY_GOTO(status, retry(material, increment, x[i], &state[i], statistics), done);
        sw_principal_values(x[i][3], lambda);
        scale_outputs(material, increment->strain_rate, lambda, &state[i], output[i]);
        for (int c = 0; c < SW_OUTPUTS; c++)
            if (!isfinite(output[i][c])) {
                status = sw_error(SW_ERR_CONVERGENCE, "%s = %g at (%.10g, %.10g, %.10g, %.10g) rad",
                                  sw_output_names[c], output[i][c], x[i][0], x[i][1], x[i][2], x[i][3]);
                goto done;
            }
    }
done:
    free(state);
    free(velocity_gradient);
    free(failed);
    return status;
}

static void expand_point(const sw_response_grid *grid, int64_t p, float *const field[SW_OUTPUTS])
{
    const sw_symmetry *symmetry = grid->symmetries.operation;
    const int64_t *n = grid->shape, period = n[2] / grid->symmetries.fold;
    const double *value = grid->output[p];
    /* A point that an operation maps to itself has the outputs that the operation leaves alone: the mean over
     * such operations removes the round-off that does not. */
    double mean[SW_OUTPUTS] = {0};
    int64_t image[SW_SYMMETRIES_MAX];
    int fixed = 0;
    for (int s = 0; s < grid->symmetries.count; s++) {
        image[s] = sw_symmetry_image(&symmetry[s], n, grid->point[p]);
        if (image[s] != grid->point[p])
            continue;
        fixed++;
        for (int c = 0; c < SW_OUTPUTS; c++)
            mean[c] += symmetry[s].output_sign[c] * value[symmetry[s].source[c]];
    }
    for (int s = 0; s < grid->symmetries.count; s++) {
        const int64_t j3 = image[s] / n[3] % n[2], rest = image[s] / (n[2] * n[3]), j4 = image[s] % n[3];
        if (j3 >= period)
            continue;
        for (int c = 0; c < SW_OUTPUTS; c++)
            if (field[c] != NULL)
                field[c][(rest * period + j3) * n[3] + j4] =
                    (float)(symmetry[s].output_sign[c] * mean[symmetry[s].source[c]] / fixed);
    }
}

void sw_response_grid_expand(const sw_response_grid *grid, float *const field[SW_OUTPUTS])
{
#pragma omp parallel for schedule(static)
    for (int64_t p = 0; p < grid->n_points; p++)
        expand_point(grid, p, field);
}
