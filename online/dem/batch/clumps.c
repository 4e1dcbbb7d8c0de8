/* Clumps as an element begins: bodies of the packing's spheres. */
#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "common/math/principal.h"
#include "online/dem/packing/union.h"
#include "online/dem/step/control.h"

int64_t sw_dem_count_clumps(const sw_dem_packing *packing, int64_t *bodies)
{
    int64_t clumps = 0;
    *bodies = packing->n_particles;
    for (int64_t i = 0; packing->clump != NULL && i < packing->n_particles; i++) {
        clumps = packing->clump[i] >= clumps ? packing->clump[i] + 1 : clumps;
        *bodies -= packing->clump[i] >= 0;
    }
    *bodies += clumps;
    return clumps;
}

/* Members clump by clump. */
static void list_members(const sw_dem_packing *packing, sw_dem_rve *rve)
{
    int32_t *first = rve->clump_first;
    for (int64_t i = 0; i < rve->n_particles; i++) {
        rve->clump_of[i] = packing->clump[i];
        if (packing->clump[i] >= 0)
            first[packing->clump[i] + 1]++;
    }
    for (int64_t c = 0; c < rve->n_clumps; c++)
        first[c + 1] += first[c];
    for (int64_t i = 0; i < rve->n_particles; i++)
        if (packing->clump[i] >= 0)
            rve->clump_member[first[packing->clump[i]]++] = (int32_t)i;
    for (int64_t c = rve->n_clumps; c > 0; c--)
        first[c] = first[c - 1];
    first[0] = 0;
}

/* Quaternion of a rotation whose columns are axes, right-handed. */
static void quaternion_of(const double axis[3][3], double q[4])
{
    const double r[3][3] = {{axis[0][0], axis[1][0], axis[2][0]},
                            {axis[0][1], axis[1][1], axis[2][1]},
                            {axis[0][2], axis[1][2], axis[2][2]}};
    const double four[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                            1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
    int k = 0;
    for (int i = 1; i < 4; i++) /* by its largest component */
        k = four[i] > four[k] ? i : k;
    const double large = 0.5 * sqrt(four[k]), d = 0.25 / large;
    const double skew[3] = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
    q[k] = large;
    for (int i = 0; i < 3; i++)
        if (k == 0)
            q[i + 1] = d * skew[i];
        else if (i + 1 == k)
            q[0] = d * skew[i];
        else
            q[i + 1] = d * (r[i][k - 1] + r[k - 1][i]);
}

/* Members' centres, of their images those next to the first one. */
static void gather_members(const sw_dem_rve *rve, int64_t c, double (*at)[3], double *radius)
{
    const sw_dem_cell *cell = &rve->state->cell;
    const int32_t *member = rve->clump_member + rve->clump_first[c];
    for (int32_t e = 0; e < rve->clump_first[c + 1] - rve->clump_first[c]; e++) {
        double apart[3], s[3];
        radius[e] = rve->radius[member[e]];
        for (int k = 0; k < 3; k++)
            apart[k] = rve->position[member[e]][k] - rve->position[member[0]][k];
        sw_dem_cell_local(cell, apart, s);
        for (int k = 0; k < 3; k++) {
            at[e][k] = rve->position[member[e]][k];
            for (int j = 0; j < 3; j++)
                at[e][k] -= rve->closed >> j & 1 ? 0 : rint(s[j]) * cell->h[k][j];
        }
    }
}

/* Whether a clump is narrower than the cell between its periodic sides: it meets none of its own images. */
static sw_status check_reach(int64_t r, int64_t c, const sw_dem_rve *rve, double reach)
{
    for (int k = 0; k < 3; k++)
        if (!(rve->closed >> k & 1 || 4 * reach <= rve->state->cell.height[k]))
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: clump %lld reaches %g m from its centre: need at most a quarter of the "
                "cell's height %g m",
                (long long)r, (long long)c, reach, rve->state->cell.height[k]);
    return SW_OK;
}

/* Body, frame and arms of clump c; velocities are the members' on average. */
static sw_status make_clump(int64_t r, int64_t c, sw_dem_rve *rve, double (*at)[3], double *radius)
{
    const int32_t first = rve->clump_first[c], n = rve->clump_first[c + 1] - first,
                  *member = rve->clump_member + first;
    sw_dem_clump *clump = &rve->clump[c];
    sw_dem_body body;
    double axis[3][3], turn[3][3], spin[3], reach = 0;
    if (n == 0)
        return sw_error(SW_ERR_RANGE, "element %lld: clump %lld: no particles: need numbers 0, 1, ..",
                        (long long)r, (long long)c);
    gather_members(rve, c, at, radius);
    SW_TRY(sw_dem_union(n, (const double(*)[3])at, radius, &body));
    const double density = rve->material[rve->material_of[member[0]]].density;
    sw_principal_axes(body.inertia, clump->inertia, axis);
    double third[3];
    sw_dem_cross(axis[0], axis[1], third);
    for (int k = 0; k < 3; k++) {
        axis[2][k] = third[k];
        clump->inertia[k] *= density;
        clump->position[k] = body.centre[k];
    }
    clump->mass = density * body.volume;
    rve->solid_volume += body.volume;
    quaternion_of((const double(*)[3])axis, clump->turn);
    sw_dem_rotation(clump->turn, turn);
    for (int32_t e = 0; e < n; e++) {
        const int32_t i = member[e];
        double around[3], *arm = rve->arm[i];
        for (int k = 0; k < 3; k++) {
            arm[k] = at[e][k] - body.centre[k];
            clump->spin[k] += rve->spin[i][k] / n;
        }
        sw_dem_turn_back((const double(*)[3])turn, arm, rve->body_arm[i]);
        rve->solid_volume -= 4.0 / 3 * SW_DEM_PI * radius[e] * radius[e] * radius[e];
        sw_dem_cross(rve->spin[i], arm, around);
        for (int k = 0; k < 3; k++)
            clump->velocity[k] += (rve->velocity[i][k] - around[k]) / n;
        reach = fmax(reach, sqrt(sw_dem_dot(arm, arm)) + radius[e]);
    }
    sw_dem_turn_back((const double(*)[3])turn, clump->spin, spin);
    for (int k = 0; k < 3; k++)
        spin[k] *= clump->inertia[k];
    sw_dem_turn((const double(*)[3])turn, spin, clump->momentum);
    sw_dem_carry_members(rve, c);
    return check_reach(r, c, rve, reach);
}

sw_status sw_dem_make_clumps(int64_t r, const sw_dem_packing *packing, sw_dem_rve *rve)
{
    double(*at)[3] = NULL, *radius = NULL;
    sw_status status;
    if (rve->n_clumps == 0)
        return SW_OK;
    list_members(packing, rve);
    SW_TRY_GOTO(status, SW_ALLOCATE(at, rve->n_particles, "clumps"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(radius, rve->n_particles, "clumps"), end);
    for (int64_t c = 0; c < rve->n_clumps && status == SW_OK; c++)
        status = make_clump(r, c, rve, at, radius);
end:
    free(at);
    free(radius);
    return status;
}
