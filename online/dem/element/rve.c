/* Memory of an element: one block, its arrays one after another, each aligned. */
#include <stdlib.h>
#include <string.h>

#include "rve.h"

enum { ALIGNMENT = 64 };

/* Place of the next `count` things of `size` bytes; NULL when there is no block. */
static void *take(char *block, int64_t *used, int64_t count, size_t size)
{
    char *place = block == NULL ? NULL : block + *used;
    const int64_t bytes = count * (int64_t)size;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

#define TAKE(member, count) rve->member = take(block, &used, (count), sizeof *rve->member)

int64_t sw_dem_layout(sw_dem_rve *rve, char *block)
{
    const int64_t p = rve->n_particles, c = rve->pair_capacity, images = rve->image_capacity,
                  all = p + images;
    int64_t used = 0;
    rve->block = block;
    TAKE(state, 1);
    TAKE(stage, rve->stage_capacity);
    TAKE(position, all);
    TAKE(velocity, p);
    TAKE(spin, p);
    TAKE(radius, p);
    TAKE(material_of, p);
    TAKE(strength, rve->law_numbers > 0 ? p : 0);
    TAKE(crowd, rve->coupled ? p : 0);
    TAKE(displacement, p);
    TAKE(drift, rve->refresh_strain > 0 ? p : 0);
    TAKE(turned, rve->refresh_strain > 0 ? p : 0);
    TAKE(first, p + 1);
    TAKE(pair, c);
    TAKE(history, (SW_DEM_SPRINGS + rve->law_numbers) * c);
    TAKE(touching, c);
    TAKE(class_of, p);
    TAKE(image_of, images);
    TAKE(pair_image, images > 0 ? c : 0);
    TAKE(wall, rve->n_walls);
    const int64_t walls = (int64_t)rve->n_walls * rve->lanes * p;
    TAKE(wall_history, (SW_DEM_SPRINGS + rve->law_numbers) * walls);
    TAKE(wall_touching, walls);
    TAKE(wall_normal, rve->lanes > 1 ? walls : 0);
    const int64_t members = rve->n_clumps > 0 ? p : 0;
    TAKE(clump_of, members);
    TAKE(body_arm, members);
    TAKE(arm, members);
    TAKE(clump_first, rve->n_clumps > 0 ? rve->n_clumps + 1 : 0);
    TAKE(clump_member, members);
    TAKE(clump, rve->n_clumps);
    rve->kept_bytes = used;
    TAKE(other_first, p + 1);
    TAKE(other_pair, c);
    const int64_t numbers = (SW_DEM_SPRINGS + rve->law_numbers) * c; /* in one place with borne */
    TAKE(borne, numbers > 12 * c ? (numbers + 5) / 6 : 2 * c);
    rve->other_history = (double *)rve->borne;
    TAKE(other_touching, c);
    TAKE(next_crowd, rve->coupled ? p : 0);
    TAKE(node_force, rve->n_nodes);
    TAKE(wall_result, 6 * walls);
    TAKE(list_first, p + 1);
    TAKE(list, 2 * c);
    TAKE(place, c);
    TAKE(bin_of, all);
    TAKE(bin_first, rve->bin_capacity + 1);
    TAKE(bin_count, rve->bin_capacity);
    TAKE(bin, all);
    TAKE(row, rve->row_capacity);
    rve->bytes = used;
    return used;
}

void sw_dem_reserve(int64_t n_particles, sw_dem_rve *rve)
{
    rve->pair_capacity = 5 * n_particles + 64;
    rve->bin_capacity = n_particles < 64 ? 64 : n_particles;
    rve->row_capacity = 256;
}

int64_t sw_dem_element_bytes(int64_t n_particles)
{
    sw_dem_rve rve = {.n_particles = (int32_t)n_particles, .stage_capacity = 1};
    sw_dem_reserve(n_particles, &rve);
    return sw_dem_layout(&rve, NULL);
}

sw_status sw_dem_grow(sw_dem_rve *rve, int32_t need)
{
    sw_dem_rve larger = *rve;
    const int64_t p = rve->n_particles, pairs = rve->state->n_pairs;
    if (need == SW_DEM_NEEDS_PAIRS)
        larger.pair_capacity += larger.pair_capacity / 2 + 64;
    else if (need == SW_DEM_NEEDS_IMAGES)
        larger.image_capacity = rve->state->n_images + rve->state->n_images / 4 + 64;
    else
        larger.stage_capacity += larger.stage_capacity / 2 + 1;
    if (larger.pair_capacity > SW_DEM_MOST_PAIRS) /* entries of lists count sides of pairs in 32 bits */
        return sw_error(SW_ERR_MEMORY, "%lld pairs of an element: need at most %d",
                        (long long)larger.pair_capacity, SW_DEM_MOST_PAIRS);
    char *block = aligned_alloc(ALIGNMENT, (size_t)sw_dem_layout(&larger, NULL));
    if (block == NULL)
        return sw_error(SW_ERR_MEMORY, "%.1f MB for an element of %lld particles",
                        (double)larger.bytes * 1e-6, (long long)p);
    memset(block, 0, (size_t)larger.bytes);
    sw_dem_layout(&larger, block);
    const int64_t images = rve->image_capacity == 0                     ? 0
                           : rve->state->n_images < rve->image_capacity ? rve->state->n_images
                                                                        : rve->image_capacity;
#define KEEP(member, count) memcpy((void *)larger.member, rve->member, (size_t)(count) * sizeof *rve->member)
    KEEP(state, 1);
    KEEP(stage, rve->n_stages);
    KEEP(position, p + images);
    KEEP(velocity, p);
    KEEP(spin, p);
    KEEP(radius, p);
    KEEP(material_of, p);
    KEEP(strength, rve->law_numbers > 0 ? p : 0);
    KEEP(crowd, rve->coupled ? p : 0);
    KEEP(displacement, p);
    KEEP(drift, rve->refresh_strain > 0 ? p : 0);
    KEEP(turned, rve->refresh_strain > 0 ? p : 0);
    KEEP(first, p + 1);
    KEEP(pair, pairs);
    for (int k = 0; k < SW_DEM_SPRINGS + rve->law_numbers; k++)
        memcpy(larger.history + k * larger.pair_capacity, rve->history + k * rve->pair_capacity,
               (size_t)pairs * sizeof(double));
    KEEP(touching, pairs);
    KEEP(class_of, p);
    KEEP(wall, rve->n_walls);
    const int64_t walls = (int64_t)rve->n_walls * rve->lanes * p;
    KEEP(wall_history, (SW_DEM_SPRINGS + rve->law_numbers) * walls);
    KEEP(wall_touching, walls);
    KEEP(wall_normal, rve->lanes > 1 ? walls : 0);
    if (rve->n_clumps > 0) {
        KEEP(clump_of, p);
        KEEP(body_arm, p);
        KEEP(arm, p);
        KEEP(clump_first, rve->n_clumps + 1);
        KEEP(clump_member, p);
        KEEP(clump, rve->n_clumps);
    }
    if (rve->image_capacity > 0) {
        KEEP(image_of, images);
        KEEP(pair_image, pairs);
    }
#undef KEEP
    larger.state->index_valid = 0;
    free(rve->block);
    *rve = larger;
    return SW_OK;
}
