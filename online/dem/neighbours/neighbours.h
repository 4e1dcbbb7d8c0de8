/* Verlet lists: the pairs of an element that touch or may before the list is made again, found with a uniform
 * grid in the cell for each size class. A particle looks through the grids of its own class and of coarser
 * ones, 27 bins each at most: the pair belongs to the finer class, or to the lower number within a class.
 *
 * Making a list moves particles into the cell, flips the cell when it leans, keeps the history of contacts,
 * and writes for each particle which pairs it is in. Rows are sorted, so a list does not depend on threads.
 *
 * Dimensions: P particles, C pairs, B bins. */
#ifndef SW_ONLINE_DEM_NEIGHBOURS_NEIGHBOURS_H
#define SW_ONLINE_DEM_NEIGHBOURS_NEIGHBOURS_H

#include "boundary_particles.h"

/* m^3: of a cell that has grown; bins as wide as the least of particles can be counted in doubles over it. */
#define SW_DEM_MOST_VOLUME 1e30

/* Whether every pair has one nearest image: the range of the list is at most half the least height. And whether there
 * can be bins over it. */
SW_HD static inline int sw_dem_cell_fits(const sw_dem_rve *rve, const sw_dem_cell *cell)
{
    const double range = 2 * (2 * rve->largest_radius + sw_dem_margin(rve));
    for (int k = 0; k < 3; k++)
        if (!(rve->closed >> k & 1) && !(range <= cell->height[k]))
            return 0;
    return cell->volume <= SW_DEM_MOST_VOLUME;
}

/* ---- 1: particles into the cell ---- */

/* b = a b */
SW_HD static inline void sw_dem_multiply(const double a[3][3], double b[3][3])
{
    double old[3][3];
    for (int i = 0; i < 9; i++)
        old[i / 3][i % 3] = b[i / 3][i % 3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = a[i][0] * old[0][j] + a[i][1] * old[1][j] + a[i][2] * old[2][j];
}

/* A clump's members exactly where the body has them, of all their images the one that is there; not synced. */
SW_HD static inline void sw_dem_snap_member(const sw_dem_rve *rve, int64_t i)
{
    const sw_dem_cell *cell = &rve->state->cell;
    double apart[3], s[3], *x = rve->position[i];
    const double *centre = rve->clump[rve->clump_of[i]].position;
    for (int k = 0; k < 3; k++)
        apart[k] = x[k] - centre[k] - rve->arm[i][k];
    sw_dem_cell_local(cell, apart, s);
    for (int k = 0; k < 3; k++)
        x[k] = centre[k] + rve->arm[i][k] + cell->h[k][0] * rint(s[0]) + cell->h[k][1] * rint(s[1]) +
               cell->h[k][2] * rint(s[2]);
}

/* Centres of clumps into the cell; synced before, not after. */
SW_HD static inline void sw_dem_clumps_into_cell(const sw_team *team, sw_dem_rve *rve)
{
    const sw_dem_cell *cell = &rve->state->cell;
    SW_TEAM_EACH (team, c, rve->n_clumps) {
        double s[3], *x = rve->clump[c].position;
        sw_dem_cell_local(cell, x, s);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                x[j] -= rve->closed >> k & 1 ? 0 : floor(s[k]) * cell->h[j][k];
    }
}

/* Flip the cell if it leans and take all particles into it. Not synced. */
SW_HD static inline void sw_dem_into_cell(const sw_team *team, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    sw_team_sync(team); /* all have read the status */
    if (team->rank == 0) {
        sw_dem_cell_flip(&state->cell);
        sw_dem_cell_update(&state->cell);
        sw_dem_multiply((const double(*)[3])state->reference, state->refreshed);
        for (int i = 0; i < 9; i++)
            state->reference[i / 3][i % 3] = i % 4 == 0;
        if (!sw_dem_cell_fits(rve, &state->cell))
            state->status = SW_DEM_FAILED_CELL;
    }
    sw_team_sync(team);
    const sw_dem_cell *cell = &state->cell;
    SW_TEAM_EACH (team, i, rve->n_particles) {
        double s[3], *x = rve->position[i];
        if (rve->n_clumps > 0 && rve->clump_of[i] >= 0)
            sw_dem_snap_member(rve, i);
        sw_dem_cell_local(cell, x, s);
        for (int k = 0; k < 3; k++) {
            const double turns = rve->closed >> k & 1 ? 0 : floor(s[k]);
            if (turns != 0)
                for (int j = 0; j < 3; j++)
                    x[j] -= turns * cell->h[j][k];
        }
        for (int j = 0; j < 3; j++) {
            if (rve->refresh_strain > 0)
                rve->drift[i][j] += rve->displacement[i][j];
            rve->displacement[i][j] = 0;
        }
    }
    if (rve->n_clumps > 0) {
        sw_team_sync(team);
        sw_dem_clumps_into_cell(team, rve);
    }
}

/* ---- 2: bins ---- */

/* Grid of one size class: over the cell, periodic; with boundary particles over them too, and not
 * periodic. */
typedef struct {
    int32_t n[3], first;        /* bins along each vector; number of the first */
    double origin[3], width[3]; /* in cell coordinates */
    int periodic;
} sw_dem_bins;

SW_HD static inline void sw_dem_bins_of_class(const sw_dem_rve *rve, int class_number, sw_dem_bins *bins)
{
    const sw_dem_cell *cell = &rve->state->cell;
    /* A class has this share of the memory for bins; wider bins are right too. */
    const int32_t share = (int32_t)(rve->bin_capacity / rve->n_classes);
    const double range = 2 * rve->class_radius[class_number] + sw_dem_margin(rve);
    double n[3], extent[3], product = 1;
    bins->periodic = rve->image_capacity == 0;
    for (int k = 0; k < 3; k++) {
        const double margin = (2 * rve->largest_radius + sw_dem_margin(rve)) / cell->height[k];
        bins->origin[k] = bins->periodic ? 0 : -margin;
        extent[k] = bins->periodic ? 1 : 1 + 2 * margin;
        n[k] = floor(extent[k] * cell->height[k] / range);
        n[k] = n[k] < 1 ? 1 : n[k];
        product *= n[k];
    }
    const double scale = product > share ? cbrt(share / product) : 1;
    product = 1;
    for (int k = 0; k < 3; k++) {
        const double fitting = floor(n[k] * scale);
        n[k] = fitting < 1 ? 1 : fitting;
        product *= n[k];
    }
    for (int k = 0; k < 3; k++) {
        if (product > share && n[k] > 1) { /* a long cell: scaled, others had less than one bin */
            const double others = product / n[k], most = floor(share / others);
            n[k] = most < 1 ? 1 : most;
            product = others * n[k];
        }
        bins->n[k] = (int32_t)n[k];
        bins->width[k] = extent[k] / bins->n[k];
    }
    bins->first = share * class_number;
}

/* Bin along vector k of a point with cell coordinate s. */
SW_HD static inline int32_t sw_dem_bin_along(const sw_dem_bins *bins, int k, double s)
{
    const double place = floor((s - bins->origin[k]) / bins->width[k]);
    return place < 0 ? 0 : place < bins->n[k] ? (int32_t)place : bins->n[k] - 1;
}

SW_HD static inline int32_t sw_dem_bin_number(const sw_dem_bins *bins, const int32_t b[3])
{
    return bins->first + b[0] + bins->n[0] * (b[1] + bins->n[1] * b[2]);
}

/* The particle that is at position j: itself, or that of an image. */
SW_HD static inline int32_t sw_dem_particle_at(const sw_dem_rve *rve, int64_t j)
{
    return j < rve->n_particles ? (int32_t)j : rve->image_of[j - rve->n_particles] & SW_DEM_PAIR_MASK;
}

/* Particles and images into the bins of their class. Synced. */
SW_HD static inline void sw_dem_fill_bins(const sw_team *team, sw_dem_rve *rve)
{
    const int64_t n = rve->n_particles + rve->state->n_images;
    SW_TEAM_EACH (team, b, rve->bin_capacity) {
        rve->bin_first[b] = 0;
        rve->bin_count[b] = 0;
    }
    sw_team_sync(team);
    for (int c = 0; c < rve->n_classes; c++) {
        sw_dem_bins bins;
        sw_dem_bins_of_class(rve, c, &bins);
        SW_TEAM_EACH (team, j, n) {
            double s[3];
            int32_t b[3];
            if (rve->class_of[sw_dem_particle_at(rve, j)] != c)
                continue;
            sw_dem_cell_local(&rve->state->cell, rve->position[j], s);
            for (int k = 0; k < 3; k++)
                b[k] = sw_dem_bin_along(&bins, k, s[k]);
            rve->bin_of[j] = sw_dem_bin_number(&bins, b);
            sw_team_add(&rve->bin_first[rve->bin_of[j]], 1);
        }
    }
    sw_team_sync(team);
    sw_team_scan(team, rve->bin_capacity, rve->bin_first);
    SW_TEAM_EACH (team, j, n) {
        const int32_t b = rve->bin_of[j];
        rve->bin[rve->bin_first[b] + sw_team_add(&rve->bin_count[b], 1)] = (int32_t)j;
    }
    sw_team_sync(team);
}

/* ---- 3: rows ---- */

/* Whether the pair of particle a and what is at position j belongs in a's row: then its code, else -1. */
SW_HD static inline int sw_dem_pair_code(const sw_dem_rve *rve, int64_t a, int64_t j)
{
    const int32_t b = sw_dem_particle_at(rve, j);
    const int class_a = rve->class_of[a], class_b = rve->class_of[b];
    if (rve->n_clumps > 0 && rve->clump_of[a] >= 0 && rve->clump_of[a] == rve->clump_of[b])
        return -1;
    if (class_a > class_b || (class_a == class_b && a >= b))
        return -1;
#ifndef __CUDA_ARCH__
    if (rve->n_nodes > 0 && a >= sw_dem_grains(rve) && b >= sw_dem_grains(rve))
        return -1; /* nodes of a membrane do not meet */
#endif
    int code = SW_DEM_NO_SHIFT;
    double shift[3] = {0, 0, 0};
    if (j >= rve->n_particles)
        code = rve->image_of[j - rve->n_particles] >> SW_DEM_PAIR_BITS;
    else if (rve->image_capacity == 0) {
        const sw_dem_cell *cell = &rve->state->cell;
        double sa[3], sb[3];
        sw_dem_cell_local(cell, rve->position[a], sa);
        sw_dem_cell_local(cell, rve->position[b], sb);
        code = sw_dem_nearest_image(sa, sb, rve->closed);
        sw_dem_cell_shift(cell, code, shift);
    }
    const double range = rve->radius[a] + rve->radius[b] + sw_dem_margin(rve);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double d = rve->position[j][k] + shift[k] - rve->position[a][k];
        square += d * d;
    }
    return square < range * range ? code : -1;
}

/* The pair of particle a and what is at position j, the n-th of a's row; pair and image may be NULL. */
SW_HD static inline void sw_dem_write_pair(const sw_dem_rve *rve, int64_t a, int32_t j, int code, int32_t n,
                                           int32_t (*pair)[2], int32_t *image)
{
    if (pair == NULL)
        return;
    pair[n][0] = (int32_t)a;
    pair[n][1] = sw_dem_particle_at(rve, j) | code << SW_DEM_PAIR_BITS;
    if (image != NULL)
        image[n] = j;
}

/* The row of particle a: its length; into pair [length] (particles with code) and image (may be NULL) where
 * pair is not NULL. */
SW_HD static inline int32_t sw_dem_search(const sw_dem_rve *rve, int64_t a, int32_t (*pair)[2],
                                          int32_t *image)
{
    double s[3];
    int32_t n = 0;
    sw_dem_cell_local(&rve->state->cell, rve->position[a], s);
    for (int c = rve->class_of[a]; c < rve->n_classes; c++) {
        sw_dem_bins bins;
        int32_t from[3], to[3], b[3];
        sw_dem_bins_of_class(rve, c, &bins);
        for (int k = 0; k < 3; k++) {
            const int32_t own = sw_dem_bin_along(&bins, k, s[k]);
            from[k] = own - 1;
            to[k] = own + 1;
            if (bins.periodic) { /* of one or two bins each once */
                to[k] = bins.n[k] < 3 ? from[k] + bins.n[k] - 1 : to[k];
            } else {
                from[k] = from[k] < 0 ? 0 : from[k];
                to[k] = to[k] < bins.n[k] ? to[k] : bins.n[k] - 1;
            }
        }
        for (int32_t z = from[2]; z <= to[2]; z++)
            for (int32_t y = from[1]; y <= to[1]; y++)
                for (int32_t x = from[0]; x <= to[0]; x++) {
                    b[0] = (x + bins.n[0]) % bins.n[0];
                    b[1] = (y + bins.n[1]) % bins.n[1];
                    b[2] = (z + bins.n[2]) % bins.n[2];
                    const int32_t number = sw_dem_bin_number(&bins, b);
                    for (int32_t e = rve->bin_first[number]; e < rve->bin_first[number + 1]; e++) {
                        const int32_t j = rve->bin[e];
                        const int code = sw_dem_pair_code(rve, a, j);
                        if (code >= 0)
                            sw_dem_write_pair(rve, a, j, code, n++, pair, image);
                    }
                }
    }
    return n;
}

/* A row by number of the other particle: rows are short. */
SW_HD static inline void sw_dem_sort_row(int32_t n, int32_t (*pair)[2], int32_t *image)
{
    for (int32_t i = 1; i < n; i++) {
        const int32_t b = pair[i][1], place = image == NULL ? 0 : image[i];
        int32_t j = i;
        for (; j > 0 && (pair[j - 1][1] & SW_DEM_PAIR_MASK) > (b & SW_DEM_PAIR_MASK); j--) {
            pair[j][1] = pair[j - 1][1];
            if (image != NULL)
                image[j] = image[j - 1];
        }
        pair[j][1] = b;
        if (image != NULL)
            image[j] = place;
    }
}

/* All rows into other_first, other_pair and pair_image with the grids; 0, with the status set, when memory
 * for pairs is short. Synced. */
SW_HD static inline int sw_dem_search_all(const sw_team *team, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    sw_dem_fill_bins(team, rve);
    SW_TEAM_EACH (team, a, rve->n_particles)
        rve->other_first[a] = sw_dem_search(rve, a, NULL, NULL);
    sw_team_sync(team);
    sw_team_scan(team, rve->n_particles, rve->other_first);
    if (team->rank == 0 &&
        (rve->other_first[rve->n_particles] > rve->pair_capacity || rve->other_first[rve->n_particles] < 0))
        state->status = SW_DEM_NEEDS_PAIRS;
    sw_team_sync(team);
    if (state->status != SW_DEM_RUNNING)
        return 0;
    SW_TEAM_EACH (team, a, rve->n_particles) {
        const int32_t first = rve->other_first[a], n = rve->other_first[a + 1] - first;
        int32_t *image = rve->image_capacity > 0 ? rve->pair_image + first : NULL;
        sw_dem_search(rve, a, rve->other_pair + first, image);
        sw_dem_sort_row(n, rve->other_pair + first, image);
    }
    sw_team_sync(team);
    return 1;
}

/* ---- 4: what contacts remember, and who is in which pair ---- */

/* The new rows become the list; contacts that were there keep their history. Synced. */
SW_HD static inline void sw_dem_adopt_rows(const sw_team *team, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const int64_t capacity = rve->pair_capacity, n = rve->other_first[rve->n_particles];
    SW_TEAM_EACH (team, a, rve->n_particles)
        for (int32_t p = rve->other_first[a]; p < rve->other_first[a + 1]; p++) {
            const int32_t b = rve->other_pair[p][1] & SW_DEM_PAIR_MASK;
            int32_t old = rve->first[a];
            const int32_t end = rve->first[a + 1];
            while (old < end && (rve->pair[old][1] & SW_DEM_PAIR_MASK) != b)
                old++;
            for (int k = 0; k < SW_DEM_SPRINGS + rve->law_numbers; k++)
                rve->other_history[k * capacity + p] = old < end ? rve->history[k * capacity + old] : 0;
            rve->other_touching[p] = old < end ? rve->touching[old] : 0;
        }
    sw_team_sync(team);
    SW_TEAM_EACH (team, p, n) {
        rve->pair[p][0] = rve->other_pair[p][0];
        rve->pair[p][1] = rve->other_pair[p][1];
        for (int k = 0; k < SW_DEM_SPRINGS + rve->law_numbers; k++)
            rve->history[k * capacity + p] = rve->other_history[k * capacity + p];
        rve->touching[p] = rve->other_touching[p];
    }
    SW_TEAM_EACH (team, a, rve->n_particles + 1)
        rve->first[a] = rve->other_first[a];
    if (team->rank == 0) {
        state->n_pairs = n;
        state->rebuilds++;
        state->list_valid = 1;
        state->index_valid = 0;
    }
    sw_team_sync(team);
}

/* For each particle the pairs it is in, ascending. Synced. */
SW_HD static inline void sw_dem_index_pairs(const sw_team *team, sw_dem_rve *rve)
{
    const int64_t n = rve->first[rve->n_particles];
    int32_t *fill = rve->other_first; /* free again */
    SW_TEAM_EACH (team, a, rve->n_particles)
        rve->list_first[a] = fill[a] = 0;
    sw_team_sync(team);
    SW_TEAM_EACH (team, p, n)
        for (int side = 0; side < 2; side++)
            sw_team_add(&rve->list_first[rve->pair[p][side] & SW_DEM_PAIR_MASK], 1);
    sw_team_sync(team);
    sw_team_scan(team, rve->n_particles, rve->list_first);
    SW_TEAM_EACH (team, p, n)
        for (int side = 0; side < 2; side++) {
            const int32_t i = rve->pair[p][side] & SW_DEM_PAIR_MASK;
            rve->list[rve->list_first[i] + sw_team_add(&fill[i], 1)] = (int32_t)(2 * p + side);
        }
    sw_team_sync(team);
    SW_TEAM_EACH (team, i, rve->n_particles) {
        int32_t *row = rve->list + rve->list_first[i];
        const int32_t length = rve->list_first[i + 1] - rve->list_first[i];
        for (int32_t e = 1; e < length; e++) {
            const int32_t entry = row[e];
            int32_t j = e;
            for (; j > 0 && row[j - 1] > entry; j--)
                row[j] = row[j - 1];
            row[j] = entry;
        }
        for (int32_t e = 0; e < length; e++) {
            rve->place[row[e] >> 1][row[e] & 1] = rve->list_first[i] + e;
            for (int k = 0; k < 6; k++)
                rve->borne[rve->list_first[i] + e][k] = 0;
        }
    }
    if (team->rank == 0)
        rve->state->index_valid = 1;
    sw_team_sync(team);
}

/* A new list, where the state says that it is due, and what else a launch needs. Returns 0 when the element
 * cannot go on; its status says why. Call synced; synced after. */
SW_HD static inline int sw_dem_make_list(const sw_team *team, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    if (!state->list_valid) {
        sw_dem_into_cell(team, rve);
        sw_team_sync(team);
        if (state->status != SW_DEM_RUNNING || (rve->image_capacity > 0 && !sw_dem_make_images(team, rve)) ||
            !sw_dem_search_all(team, rve))
            return 0;
        sw_dem_adopt_rows(team, rve);
    }
    if (!state->index_valid)
        sw_dem_index_pairs(team, rve);
    return 1;
}

#endif
