/* Coupled contacts: what the contacts of a particle leave of it, anew at the end of every control interval, by one step of
 * Newton's method from the last one: within an interval contacts move by a thousandth of a radius at most. On the CPU; order and so bits do not depend on the team. */
#ifndef SW_ONLINE_DEM_STEP_CROWDING_H
#define SW_ONLINE_DEM_STEP_CROWDING_H

#include "step.h"

/* Caps that pairs cut off particle i, added up. */
SW_HD static inline void sw_dem_pair_caps(const sw_dem_rve *rve, int64_t i, sw_dem_caps *caps)
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

/* And walls. */
SW_HD static inline void sw_dem_wall_caps(const sw_dem_rve *rve, int64_t i, sw_dem_caps *caps)
{
    const double now = rve->crowd[i].radius;
    for (int l = 0; l < SW_DEM_LANES(rve); l++) {
        sw_dem_kinematics k;
        sw_dem_stiffness stiffness;
        sw_dem_history history;
        if (rve->wall_touching[sw_dem_wall_place(rve, l, i)] == 0)
            continue;
        sw_dem_measure_at_wall(rve, l, i, &k, &stiffness, &history);
        sw_dem_cap(now, k.distance, 0, caps);
    }
}

/* All particles, by the forces' positions. Synced before and after. */
SW_HD static inline void sw_dem_crowd_particles(const sw_team *team, sw_dem_rve *rve)
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
