/* Coupled contacts: what the contacts of a particle leave of it, anew at the end of every control interval, by one step of
 * Newton's method from the last one: within an interval contacts move by a thousandth of a radius at most. On the CPU; order and so bits do not depend on the team. */
#ifndef SW_ONLINE_DEM_STEP_CROWDING_H
#define SW_ONLINE_DEM_STEP_CROWDING_H

#include "step.h"

#ifndef __CUDA_ARCH__ /* refused with a GPU */

/* Caps that pairs cut off particle i, added up. */
static inline void sw_dem_pair_caps(const sw_dem_rve *rve, int64_t i, sw_dem_caps *caps)
{
    const double now = rve->crowd[i].radius;
    for (int32_t e = rve->list_first[i]; e < rve->list_first[i + 1]; e++) {
        const int32_t p = rve->list[e] >> 1, is_b = rve->list[e] & 1;
        double branch[3];
        sw_dem_branch(rve, p, branch);
        const int32_t other = is_b ? rve->pair[p][0] : rve->pair[p][1] & SW_DEM_PAIR_MASK;
        const double distance = sqrt(sw_dem_dot(branch, branch));
        sw_dem_cap(now, sw_dem_meeting_plane(distance, now, rve->crowd[other].radius), distance, caps);
    }
}

/* And walls, where they are: whether they were met before matters no more than of pairs. */
static inline void sw_dem_wall_caps(const sw_dem_rve *rve, int64_t i, sw_dem_caps *caps)
{
    const double now = rve->crowd[i].radius, r = rve->radius[i];
    for (int w = 0; w < rve->n_walls; w++) {
        const sw_dem_wall_now *wall = &rve->wall[w];
        sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
        double normal[3], overlap;
        const int n = SW_DEM_IS_MESH(wall) ? sw_dem_find_on_mesh(rve, wall, i, contact) : 0;
        for (int c = 0; c < n; c++)
            sw_dem_cap(now, contact[c].distance, 0, caps);
        if (SW_DEM_IS_MESH(wall))
            continue;
        sw_dem_at_wall(wall, rve->position[i], r, normal, &overlap);
        sw_dem_cap(now, r - overlap, 0, caps);
    }
}

/* All particles, by the forces' positions. Synced before and after. */
static inline void sw_dem_crowd_particles(const sw_team *team, sw_dem_rve *rve)
{
    SW_TEAM_EACH (team, i, rve->n_particles) {
        sw_dem_caps caps = {0, 0, 0};
        sw_dem_pair_caps(rve, i, &caps);
        sw_dem_wall_caps(rve, i, &caps);
        rve->next_crowd[i] = sw_dem_crowded(rve->radius[i], rve->crowd[i].radius, &caps);
    }
    sw_team_sync(team);
    SW_TEAM_EACH (team, i, rve->n_particles)
        rve->crowd[i] = rve->next_crowd[i];
    sw_team_sync(team);
}

#endif

#endif
