/* An element as it begins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "common/math/rotation.h"
#include "online/dem/packing/packing.h"
#include "online/dem/step/control.h"

/* Size class of a radius, by powers of two below the largest. */
static int octaves_below(double largest, double radius)
{
    return (int)fmin(SW_DEM_CLASSES - 1, floor(log2(largest / radius)));
}

/* Classes by powers of two below the largest radius; empty ones are left out. */
static void sort_into_classes(sw_dem_rve *rve)
{
    double largest_of[SW_DEM_CLASSES] = {0};
    int number[SW_DEM_CLASSES];
    for (int64_t i = 0; i < rve->n_particles; i++) {
        const int from_top = octaves_below(rve->largest_radius, rve->radius[i]);
        rve->class_of[i] = from_top;
        largest_of[from_top] = fmax(largest_of[from_top], rve->radius[i]);
    }
    rve->n_classes = 0;
    for (int c = SW_DEM_CLASSES - 1; c >= 0; c--)
        if (largest_of[c] > 0) {
            number[c] = rve->n_classes;
            rve->class_radius[rve->n_classes++] = largest_of[c];
        }
    for (int64_t i = 0; i < rve->n_particles; i++)
        rve->class_of[i] = number[rve->class_of[i]];
}

static int count_classes(const sw_dem_packing *packing, double largest)
{
    int used[SW_DEM_CLASSES] = {0}, n = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        used[octaves_below(largest, packing->radius[i])] = 1;
    for (int c = 0; c < SW_DEM_CLASSES; c++)
        n += used[c];
    return n;
}

/* Of grains; lists look as far as nodes of a membrane, too. */
static void measure_radii(sw_dem_rve *rve, int64_t n, const double *radius)
{
    rve->least_radius = INFINITY;
    for (int64_t i = n; i < rve->n_particles; i++)
        rve->largest_radius = fmax(rve->largest_radius, radius[i]);
    for (int64_t i = 0; i < n; i++) {
        rve->mean_radius += radius[i] / (double)n;
        rve->least_radius = fmin(rve->least_radius, radius[i]);
        rve->largest_radius = fmax(rve->largest_radius, radius[i]);
        rve->solid_volume += 4.0 / 3.0 * SW_PI * radius[i] * radius[i] * radius[i];
    }
}

/* Room for what is likely: the run asks for more. */
static sw_status allocate(int64_t r, const sw_dem_sample *sample, sw_dem_images images, sw_dem_rve *rve)
{
    const int64_t n = sample->packing.n_particles;
    rve->stage_capacity = sample->n_stages > 0 ? sample->n_stages : 1;
    sw_dem_reserve(n, rve);
    rve->image_capacity = images == SW_DEM_BOUNDARY_PARTICLES ? 2 * n + 64 : 0;
    rve->bin_capacity *= count_classes(&sample->packing, rve->largest_radius);
    char *block = aligned_alloc(64, (size_t)sw_dem_layout(rve, NULL));
    if (block == NULL)
        return sw_error(SW_ERR_MEMORY, "%.1f MB for element %lld", (double)rve->bytes * 1e-6, (long long)r);
    memset(block, 0, (size_t)rve->bytes);
    sw_dem_layout(rve, block);
    return SW_OK;
}

static void take_materials(const sw_dem_sample *sample, sw_dem_rve *rve)
{
    rve->n_materials = 1 + sample->n_others;
    for (int i = 0; i < rve->n_materials; i++)
        rve->material[i] = i == 0 ? sample->material : sample->other[i - 1];
    for (int i = 0; i < rve->n_materials; i++)
        for (int j = 0; j < rve->n_materials; j++)
            rve->pair_material[i][j] =
                sw_dem_pair_of(&rve->material[i], &rve->material[j], i == j, sample->numerics.time_scale);
    rve->law_numbers = sw_dem_law_numbers(sample->material.law);
    rve->coupled = sample->material.law == SW_DEM_METAL && sample->material.coupled;
    for (int i = 0; rve->law_numbers > 0 && i < rve->n_materials * rve->n_materials; i++)
        rve->gap =
            fmax(rve->gap, sw_dem_law_gap(&rve->pair_material[i / rve->n_materials][i % rve->n_materials],
                                          rve->largest_radius, rve->largest_radius));
    rve->refresh_strain = sample->crystals != NULL ? sample->crystals->refresh : 0;
}

/* What a particle of a material has with a rigid wall: of both in series only it gives way. */
static sw_dem_pair_material with_wall(const sw_dem_material *m, double time_scale)
{
    sw_dem_pair_material pair = sw_dem_pair_of(m, m, 1, time_scale);
    pair.moment_radius = SW_DEM_MOMENT_MINIMUM; /* the other radius is none */
    pair.normal_modulus *= 2;
    pair.shear_modulus *= 2;
    return pair;
}

/* Sides and walls, of which layout needs to know the number: sw_dem_place_walls makes them. */
static void take_walls(const sw_dem_sample *sample, sw_dem_rve *rve)
{
    rve->n_walls = sample->n_walls;
    for (int k = 0; k < 3; k++) {
        rve->closed |= (sample->side[k] != SW_DEM_PERIODIC) << k;
        rve->n_platens += sample->side[k] == SW_DEM_WALLED ? 2 : 0;
        rve->gravity[k] = sample->gravity[k];
        rve->heavy |= sample->gravity[k] != 0;
    }
    rve->n_walls += rve->n_platens;
    rve->lanes = 1;
    for (int i = 0; i < sample->n_walls; i++)
        if (sample->wall[i].shape == SW_DEM_MESH) {
            rve->mesh[i] = sample->wall[i].mesh;
            rve->lanes = SW_DEM_MESH_CONTACTS;
        }
    for (int i = 0; i < rve->n_materials; i++)
        rve->wall_material[i] = with_wall(&rve->material[i], sample->numerics.time_scale);
}

static void place_walls(const sw_dem_sample *sample, sw_dem_rve *rve)
{
    int n = 0;
    for (int face = 0; face < 6; face++)
        if (sample->side[face / 2] == SW_DEM_WALLED) {
            sw_dem_wall_now *w = &rve->wall[n++];
            w->of = (sw_dem_wall){.friction = sample->side_friction};
            w->face = face;
            w->of.axis[face / 2] = face % 2 == 0 ? 1 : -1;
            w->of.point[face / 2] = face % 2 == 0 ? 0 : sample->packing.cell[face / 2][face / 2];
        }
    for (int i = 0; i < sample->n_walls; i++) {
        sw_dem_wall_now *w = &rve->wall[n++];
        w->of = sample->wall[i];
        w->of.mesh = NULL; /* of this process: not in what is kept */
        w->face = -1;
        const double length = sqrt(sw_dem_dot(w->of.axis, w->of.axis));
        for (int k = 0; k < 3; k++)
            w->of.axis[k] /= length;
    }
}

static void take_particles(const sw_dem_packing *packing, sw_dem_rve *rve)
{
    const size_t n = (size_t)packing->n_particles;
    if (packing->material != NULL)
        memcpy(rve->material_of, packing->material, n);
    for (size_t i = 0; rve->law_numbers > 0 && i < n; i++)
        rve->strength[i] = rve->material[rve->material_of[i]].strength;
    memcpy(rve->radius, packing->radius, n * sizeof *packing->radius);
    for (size_t i = 0; rve->coupled && i < n; i++)
        rve->crowd[i].radius = rve->radius[i];
    memcpy(rve->position, packing->position, n * sizeof *packing->position);
    if (packing->velocity != NULL)
        memcpy(rve->velocity, packing->velocity, n * sizeof *packing->velocity);
    if (packing->spin != NULL)
        memcpy(rve->spin, packing->spin, n * sizeof *packing->spin);
    sort_into_classes(rve);
}

static void begin_state(const sw_dem_packing *packing, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    memcpy(state->cell.h, packing->cell, sizeof state->cell.h);
    sw_dem_cell_update(&state->cell);
    if (rve->n_nodes > 0)
        sw_dem_measure_volume(rve);
    state->volume0 = sw_dem_room(rve);
    state->time_step = sw_dem_time_step(rve, 0);
    for (int i = 0; i < 3; i++)
        state->reference[i][i] = state->refreshed[i][i] = 1;
    sw_dem_set_affine(rve);
    state->interval = 1; /* to see what there is */
    state->status = SW_DEM_DONE;
}

void sw_dem_start(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    sw_dem_begin_stage(rve);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state->velocity_gradient[i][j] = stage->velocity_gradient[i][j];
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        if (stage->stress_driven[c])
            state->velocity_gradient[i][j] = state->velocity_gradient[j][i] = 0;
    }
    sw_dem_set_affine(rve);
    state->status = SW_DEM_RUNNING;
}

/* Overlap over the smaller radius beyond which it is a mistake, not a contact. Coupled contacts go to densities near 1,
 * where single ones of a random packing are at 0.72. */
static double most_overlap(const sw_dem_rve *rve) { return rve->coupled ? 1 : 0.5; }

static const char *most_in_words(const sw_dem_rve *rve) { return rve->coupled ? "" : "half "; }

/* Spheres may not overlap by more. Uses the element's own list, which the run will use too. */
static sw_status check_overlaps(int64_t r, sw_dem_rve *rve)
{
    const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1, .flows = 1};
    const int32_t status = rve->state->status; /* done, where there are no stages yet */
    rve->state->status = SW_DEM_RUNNING;
    while (!sw_dem_make_list(&team, rve)) {
        const int32_t need = rve->state->status;
        if (need == SW_DEM_FAILED_CELL)
            return sw_error(SW_ERR_RANGE, "element %lld: a particle is larger than half the cell",
                            (long long)r);
        SW_TRY(sw_dem_grow(rve, need));
        rve->state->status = SW_DEM_RUNNING;
    }
    rve->state->status = status;
    for (int64_t p = 0; p < rve->state->n_pairs; p++) {
        double branch[3];
        const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
        sw_dem_branch(rve, p, branch);
        const double distance = sqrt(sw_dem_dot(branch, branch));
        const double overlap = rve->radius[a] + rve->radius[b] - distance;
        const double bound = most_overlap(rve) * fmin(rve->radius[a], rve->radius[b]);
        if (!(overlap <= bound))
            return sw_error(SW_ERR_RANGE,
                            "element %lld: overlap of particles %d and %d = %g m: need at most %sthe smaller "
                            "radius, %g m",
                            (long long)r, a, b, overlap, most_in_words(rve), bound);
    }
    return SW_OK;
}

/* The most that a particle overlaps with a wall. */
static double overlap_with(const sw_dem_rve *rve, int w, int64_t i)
{
    double normal[3], overlap;
    sw_dem_mesh_contact contact[SW_DEM_MESH_CONTACTS];
    if (rve->wall[w].of.shape != SW_DEM_MESH) {
        sw_dem_at_wall(&rve->wall[w], rve->position[i], rve->radius[i], normal, &overlap);
        return overlap;
    }
    overlap = -INFINITY;
    for (int c = sw_dem_find_on_mesh(rve, &rve->wall[w], i, contact) - 1; c >= 0; c--)
        overlap = fmax(overlap, rve->radius[i] - contact[c].distance);
    return overlap;
}

/* Nor may they be in walls. */
static sw_status check_walls(int64_t r, const sw_dem_rve *rve)
{
    for (int w = 0; w < rve->n_walls; w++)
        for (int64_t i = 0; i < sw_dem_grains(rve); i++) {
            if (rve->wall[w].of.shape == SW_DEM_MESH &&
                rve->mesh[w - rve->n_platens]->near > 0.01 * rve->radius[i])
                return sw_error(
                    SW_ERR_RANGE,
                    "element %lld: wall %d: its triangles are so far from their origin that single precision "
                    "leaves %g m open: need at most a hundredth of the radius of particle %lld, %g m: move "
                    "the mesh to its origin, and place it by its point",
                    (long long)r, w - rve->n_platens, rve->mesh[w - rve->n_platens]->near, (long long)i,
                    rve->radius[i]);
            const double overlap = overlap_with(rve, w, i), bound = most_overlap(rve) * rve->radius[i];
            if (!(overlap <= bound))
                return sw_error(SW_ERR_RANGE,
                                "element %lld: overlap of particle %lld and %s %d = %g m: need at most %sthe "
                                "radius, %g m",
                                (long long)r, (long long)i,
                                rve->wall[w].face >= 0 ? "the platen of face" : "wall",
                                rve->wall[w].face >= 0 ? rve->wall[w].face : w - rve->n_platens, overlap,
                                most_in_words(rve), bound);
        }
    return SW_OK;
}

/* The pair of a's row with b; -1: none. */
static int64_t find_pair(const sw_dem_rve *rve, int32_t a, int32_t b)
{
    for (int32_t p = rve->first[a]; p < rve->first[a + 1]; p++)
        if ((rve->pair[p][1] & SW_DEM_PAIR_MASK) == b)
            return p;
    return -1;
}

/* What contacts of the packing remember, into the list, which has been made. Those that are in no list are apart. */
static sw_status take_contacts(int64_t r, const sw_dem_packing *packing, sw_dem_rve *rve)
{
    const int m = packing->contact_numbers;
    for (int64_t c = 0; c < packing->n_contacts; c++) {
        const int32_t a = packing->contact[c][0], b = packing->contact[c][1];
        const int64_t p = find_pair(rve, a, b);
        if (p < 0 && find_pair(rve, b, a) >= 0)
            return sw_error(SW_ERR_RANGE, "element %lld: contact %lld: particles %d and %d: need %d first",
                            (long long)r, (long long)c, a, b, b);
        if (p < 0)
            continue;
        if (rve->touching[p] != 0)
            return sw_error(
                SW_ERR_RANGE,
                "element %lld: contact %lld: particles %d and %d: are there before: need each once",
                (long long)r, (long long)c, a, b);
        const double *number = packing->contact_history + c * m;
        const char *need = sw_dem_law_remembers(rve->material[0].law, number + SW_DEM_SPRINGS,
                                                rve->radius[a] + rve->radius[b]);
        if (need != NULL)
            return sw_error(SW_ERR_RANGE,
                            "element %lld: what contact %lld of particles %d and %d remembers: need %s",
                            (long long)r, (long long)c, a, b, need);
        for (int k = 0; k < m; k++)
            rve->history[k * rve->pair_capacity + p] = number[k];
        rve->touching[p] = SW_DEM_TOUCHES;
    }
    return SW_OK;
}

/* What contacts leave of the particles before the first step: R' by Newton's method to its end. */
static void crowd(sw_dem_rve *rve)
{
    const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1, .flows = 1};
    for (int i = 0; rve->coupled && i < 40; i++)
        sw_dem_crowd_particles(&team, rve);
}

sw_status sw_dem_make_element(int64_t r, const sw_dem_sample *sample, sw_dem_images images, sw_dem_rve *rve)
{
    rve->n_particles = sample->packing.n_particles;
    rve->n_stages = sample->n_stages;
    rve->numerics = sample->numerics;
    if (sample->membrane != NULL) {
        rve->membrane = *sample->membrane;
        rve->n_nodes = (int64_t)rve->membrane.around * rve->membrane.rows;
    }
    measure_radii(rve, sw_dem_grains(rve), sample->packing.radius);
    take_materials(sample, rve);
    take_walls(sample, rve);
    rve->n_clumps = sw_dem_count_clumps(&sample->packing, &rve->n_bodies);
    rve->n_bodies -= rve->n_nodes;
    SW_TRY(allocate(r, sample, images, rve));
    for (int64_t s = 0; s < sample->n_stages; s++)
        ((sw_dem_stage *)rve->stage)[s] = sample->stage[s];
    take_particles(&sample->packing, rve);
    place_walls(sample, rve);
    begin_state(&sample->packing, rve);
    SW_TRY(sw_dem_make_clumps(r, &sample->packing, rve));
    if (rve->n_stages > 0)
        sw_dem_start(rve);
    SW_TRY(check_overlaps(r, rve));
    SW_TRY(check_walls(r, rve));
    crowd(rve);
    if (sw_dem_packing_remembers(&sample->packing, sample->material.law))
        SW_TRY(take_contacts(r, &sample->packing, rve));
    return sw_dem_recall(r, sample, rve);
}
