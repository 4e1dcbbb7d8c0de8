/* What a membrane did that its results do not show: bear too much itself, let grains through. */
#include <math.h>

#include "online/dem/step/control.h"
#include "output.h"

/* Whether the line from x on along `way` goes through a triangle of nodes. */
static int crosses(const sw_dem_rve *rve, const int64_t at[3], const double x[3], const double way[3])
{
    const double *a = rve->position[at[0]];
    double ab[3], ac[3], from[3], across[3], turned[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = rve->position[at[1]][k] - a[k];
        ac[k] = rve->position[at[2]][k] - a[k];
        from[k] = x[k] - a[k];
    }
    sw_dem_cross(way, ac, across);
    sw_dem_cross(from, ab, turned);
    const double size = sw_dem_dot(ab, across), u = sw_dem_dot(from, across) / size,
                 v = sw_dem_dot(way, turned) / size;
    return size != 0 && u >= 0 && v >= 0 && u + v <= 1 && sw_dem_dot(ac, turned) / size > 0;
}

/* Between the platens, whether an odd number of triangles lies outward of x. */
static int inside(const sw_dem_rve *rve, const double x[3])
{
    const sw_dem_cell *cell = &rve->state->cell;
    const int64_t n = rve->membrane.around, last = rve->membrane.rows - 1;
    const double out[2] = {x[0] - 0.5 * cell->h[0][0], x[1] - 0.5 * cell->h[1][1]},
                 size = sqrt(out[0] * out[0] + out[1] * out[1]),
                 way[3] = {size > 0 ? out[0] / size : 1, size > 0 ? out[1] / size : 0, 0};
    int crossed = 0;
    if (x[2] <= 0 || x[2] >= rve->position[sw_dem_node(rve, last, 0)][2])
        return 1; /* platens' */
    for (int64_t j = 0; j < last; j++)
        for (int64_t i = 0; i < 2 * n; i++) {
            int64_t at[3];
            sw_dem_node_triangle(rve, j, i / 2, (int)(i % 2), at);
            crossed += crosses(rve, at, x, way);
        }
    return crossed % 2;
}

int64_t sw_dem_escaped(const sw_dem_rve *rve)
{
    int64_t out = 0;
    for (int64_t i = 0; rve->n_nodes > 0 && i < sw_dem_grains(rve); i++)
        out += !inside(rve, rve->position[i]);
    return out;
}

void sw_dem_warn_of_membranes(const sw_dem_job *job, sw_dem *dem)
{
    for (int64_t r = 0; r < job->n_elements; r++) {
        const sw_dem_rve *rve = sw_dem_get(dem, r);
        const sw_dem_state *state = rve->state;
        char who[320];
        if (rve->n_nodes == 0 || sw_dem_failure(dem, r) != SW_OK)
            continue;
        const int64_t out = sw_dem_escaped(rve);
        sw_dem_job_name(job, r, who, sizeof who);
        if (out > 0)
            sw_warn(
                "%s: %s: centres of %lld of %lld grains are outside the membrane, though stresses and voids "
                "count them: a narrower membrane.spacing, a stiffer membrane (%g N/m)",
                job->output.file, who, (long long)out, (long long)sw_dem_grains(rve),
                rve->membrane.stiffness);
        if (sw_dem_membrane_bears(state))
            sw_warn("%s: %s: the membrane's tension bears %.3g Pa, more than 0.8 of the lateral stress asked "
                    "for, "
                    "beside the least pressure outside, %.3g Pa: a smaller membrane.stiffness (%g N/m)",
                    job->output.file, who, state->membrane_stress, state->membrane_pressure,
                    rve->membrane.stiffness);
    }
}
