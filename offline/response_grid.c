#include "response_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/memory.h"
#include "common/database/slip_planes.h"
#include "response_point.h"

sw_increment sw_increment_default(const sw_material *material)
{
    return (sw_increment){SW_STRAIN_INCREMENT, SW_STRAIN_RATE, material->slip.initial_slip_resistance};
}

static sw_status add_point(sw_response_grid *grid, int64_t *capacity, int64_t index)
{
    if (grid->n_points == *capacity) {
        *capacity = 2 * *capacity + 1024;
        int64_t *grown = realloc(grid->point, (size_t)*capacity * sizeof *grown);
        if (grown == NULL)
            return sw_error(SW_ERR_MEMORY, "no memory for %lld grid points", (long long)*capacity);
        grid->point = grown;
    }
    grid->point[grid->n_points++] = index;
    return SW_OK;
}

/* Points are numbered as their places are, the first dimension first, and operations act on each dimension by itself: one that
 * takes a place to an earlier one takes all points with it to earlier ones, which then are not the first of their orbits. */
static sw_status find_first(sw_response_grid *grid, int64_t *capacity, int d, int64_t before,
                            const sw_symmetry *const *that, int count)
{
    const sw_symmetry *keep[SW_SYMMETRIES_MAX]; /* those that have left all places so far where they are */
    for (int64_t j = 0; j < grid->shape[d]; j++) {
        int kept = 0, earlier = 0;
        for (int s = 0; s < count && !earlier; s++) {
            const int64_t image = sw_symmetry_place(that[s], grid->shape, d, j);
            earlier = image < j;
            if (image == j)
                keep[kept++] = that[s];
        }
        const int64_t index = before * grid->shape[d] + j;
        if (earlier)
            continue;
        if (d < 3)
            SW_TRY(find_first(grid, capacity, d + 1, index, keep, kept));
        else
            SW_TRY(add_point(grid, capacity, index));
    }
    return SW_OK;
}

sw_status sw_response_grid_create(const sw_point_group *group, const int64_t shape[4], sw_response_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    SW_TRY(sw_grid_check(group, shape));
    memcpy(grid->shape, shape, sizeof grid->shape);
    grid->outputs = SW_OUTPUTS;
    sw_symmetries_of(group, &grid->symmetries);
    const sw_symmetry *all[SW_SYMMETRIES_MAX];
    const int count = grid->symmetries.count;
    int64_t capacity = 0;
    for (int s = 0; s < count; s++)
        all[s] = &grid->symmetries.operation[s];
    /* numbers and outputs, in double, of those that differ */
    SW_TRY(sw_memory_check((double)shape[0] * (double)shape[1] * (double)shape[2] * (double)shape[3] *
                               (8 + 8.0 * SW_OUTPUTS_MOST) / count,
                           "grid of %lld x %lld x %lld x %lld points", (long long)shape[0],
                           (long long)shape[1], (long long)shape[2], (long long)shape[3]));
    const sw_status status = find_first(grid, &capacity, 0, 0, all, count);
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

/* n crystals in their principal frames, stress-free; velocity gradients to go with them. */
static void set_up(const sw_increment *increment, int64_t n, const double (*x)[4], sw_crystal_state *state,
                   double (*velocity_gradient)[3][3])
{
    for (int64_t i = 0; i < n; i++) {
        double g[3][3];
        sw_point_begin(x[i], increment->strain_rate, g, velocity_gradient[i]);
        state[i] = sw_crystal_state_initial(g, increment->slip_resistance);
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
                              const double (*x)[4], double (*output)[SW_OUTPUTS_MOST],
                              sw_integration_statistics *statistics)
{
    const sw_integration_control control = sw_integration_endpoint();
    sw_crystal_state *state = NULL;
    double(*velocity_gradient)[3][3] = NULL;
    unsigned char *failed = NULL;
    sw_slip_planes planes;
    sw_status status;
    sw_slip_planes_of(material, &planes);
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
        const sw_crystal_output o = sw_crystal_state_output(&state[i]);
        sw_point_outputs(x[i], increment->strain_rate, material->slip.rate_sensitivity, o.cauchy_stress,
                         o.plastic_gradient, state[i].slip_resistance, state[i].slip_rate, output[i]);
        if (planes.systems > 0)
            sw_plane_outputs(&planes, state[i].stress, output[i][8], x[i][2], output[i] + SW_OUTPUTS);
        for (int c = 0; c < SW_OUTPUTS_MOST; c++)
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

void sw_response_grid_expand(const sw_response_grid *grid, int64_t row, float *const field[SW_OUTPUTS_MOST])
{
#pragma omp parallel for schedule(static)
    for (int64_t p = 0; p < grid->n_points; p++)
        sw_point_expand(&grid->symmetries, grid->shape, row, grid->point[p], grid->output[p], field);
}
