/* Boundary particles: images of particles near the faces of the cell, as particles of their own behind the
 * others: Lubbe et al. 2022, Algorithms 1 and 2, for comparison with nearest images, which need none. */
#ifndef SW_ONLINE_DEM_NEIGHBOURS_BOUNDARY_PARTICLES_H
#define SW_ONLINE_DEM_NEIGHBOURS_BOUNDARY_PARTICLES_H

#include "online/dem/element/rve.h"
#include "online/dem/element/team.h"

/* Which faces a particle is near: bit k the one where vector k begins, bit 3 + k where it ends. Near is the
 * whole range of the list, not the particle's own radius: two spheres can touch across an edge while neither
 * cuts both of its faces. */
SW_HD static inline int sw_dem_face_mask(const sw_dem_rve *rve, int64_t i)
{
    const sw_dem_cell *cell = &rve->state->cell;
    const double near = rve->radius[i] + rve->largest_radius + sw_dem_margin(rve);
    double s[3];
    int mask = 0;
    sw_dem_cell_local(cell, rve->position[i], s);
    for (int k = 0; k < 3; k++) {
        mask |= (s[k] * cell->height[k] < near) << k;
        mask |= ((1 - s[k]) * cell->height[k] < near) << (3 + k);
    }
    return mask;
}

/* Whether a particle of this mask has the image of this code. */
SW_HD static inline int sw_dem_has_image(int mask, int code)
{
    if (code == SW_DEM_NO_SHIFT)
        return 0;
    for (int k = 0; k < 3; k++, code /= 3) {
        const int shift = code % 3 - 1;
        if ((shift > 0 && !(mask >> k & 1)) || (shift < 0 && !(mask >> (3 + k) & 1)))
            return 0;
    }
    return 1;
}

/* Images follow their particles. Not synced. */
SW_HD static inline void sw_dem_move_images(const sw_team *team, sw_dem_rve *rve)
{
    SW_TEAM_EACH (team, g, rve->state->n_images) {
        const int32_t parent = rve->image_of[g] & SW_DEM_PAIR_MASK;
        double shift[3];
        sw_dem_cell_shift(&rve->state->cell, rve->image_of[g] >> SW_DEM_PAIR_BITS, shift);
        for (int k = 0; k < 3; k++)
            rve->position[rve->n_particles + g][k] = rve->position[parent][k] + shift[k];
    }
}

/* All images of all particles. Synced. Needs memory for them: returns 0, with the state's status set, when
 * there is too little. */
SW_HD static inline int sw_dem_make_images(const sw_team *team, sw_dem_rve *rve)
{
    int32_t *first = rve->other_first; /* free until rows are made */
    sw_dem_state *state = rve->state;
    SW_TEAM_EACH (team, i, rve->n_particles) {
        const int mask = sw_dem_face_mask(rve, i);
        int32_t n = 0;
        for (int code = 0; code < SW_DEM_IMAGES; code++)
            n += sw_dem_has_image(mask, code);
        first[i] = n;
    }
    sw_team_sync(team);
    sw_team_scan(team, rve->n_particles, first);
    if (team->rank == 0) {
        state->n_images = first[rve->n_particles];
        if (state->n_images > rve->image_capacity)
            state->status = SW_DEM_NEEDS_IMAGES;
    }
    sw_team_sync(team);
    if (state->status != SW_DEM_RUNNING)
        return 0;
    SW_TEAM_EACH (team, i, rve->n_particles) {
        const int mask = sw_dem_face_mask(rve, i);
        int32_t g = first[i];
        for (int code = 0; code < SW_DEM_IMAGES; code++)
            if (sw_dem_has_image(mask, code))
                rve->image_of[g++] = (int32_t)i | code << SW_DEM_PAIR_BITS;
    }
    sw_team_sync(team);
    sw_dem_move_images(team, rve);
    sw_team_sync(team);
    return 1;
}

#endif
