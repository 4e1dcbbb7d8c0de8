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

/* Arrays that an element keeps as it grows, in the block's order; PAIRS: so many for each pair, one behind the other. */
#define WALLS ((int64_t)rve->n_walls * rve->lanes * p)
#define MEMBERS (rve->n_clumps > 0 ? p : 0)
#define KEPT(ARRAY, PAIRS)                                            \
    ARRAY(state, 1);                                                  \
    ARRAY(stage, rve->stage_capacity);                                \
    ARRAY(position, p + images);                                      \
    ARRAY(velocity, p);                                               \
    ARRAY(spin, p);                                                   \
    ARRAY(radius, p);                                                 \
    ARRAY(material_of, p);                                            \
    ARRAY(strength, rve->law_numbers > 0 ? p : 0);                    \
    ARRAY(crowd, rve->coupled ? p : 0);                               \
    ARRAY(displacement, p);                                           \
    ARRAY(drift, rve->refresh_strain > 0 ? p : 0);                    \
    ARRAY(turned, rve->refresh_strain > 0 ? p : 0);                   \
    ARRAY(first, p + 1);                                              \
    ARRAY(pair, c);                                                   \
    PAIRS(history, SW_DEM_SPRINGS + rve->law_numbers);                \
    ARRAY(touching, c);                                               \
    ARRAY(class_of, p);                                               \
    ARRAY(image_of, images);                                          \
    ARRAY(pair_image, images > 0 ? c : 0);                            \
    ARRAY(wall, rve->n_walls);                                        \
    ARRAY(wall_history, (SW_DEM_SPRINGS + rve->law_numbers) * WALLS); \
    ARRAY(wall_touching, WALLS);                                      \
    ARRAY(wall_normal, rve->lanes > 1 ? WALLS : 0);                   \
    ARRAY(clump_of, MEMBERS);                                         \
    ARRAY(body_arm, MEMBERS);                                         \
    ARRAY(arm, MEMBERS);                                              \
    ARRAY(clump_first, rve->n_clumps > 0 ? rve->n_clumps + 1 : 0);    \
    ARRAY(clump_member, MEMBERS);                                     \
    ARRAY(clump, rve->n_clumps)

int64_t sw_dem_layout(sw_dem_rve *rve, char *block)
{
    const int64_t p = rve->n_particles, c = rve->pair_capacity, images = rve->image_capacity;
    int64_t used = 0;
    rve->block = block;
#define TAKE_PAIRS(member, arrays) TAKE(member, (arrays)*c)
    KEPT(TAKE, TAKE_PAIRS);
    rve->kept_bytes = used;
    TAKE(other_first, p + 1);
    TAKE(other_pair, c);
    const int64_t numbers = (SW_DEM_SPRINGS + rve->law_numbers) * c; /* in one place with borne */
    TAKE(borne, numbers > 12 * c ? (numbers + 5) / 6 : 2 * c);
    rve->other_history = (double *)rve->borne;
    TAKE(other_touching, c);
    TAKE(next_crowd, rve->coupled ? p : 0);
    TAKE(node_force, rve->n_nodes);
    TAKE(wall_result, 6 * WALLS);
    TAKE(list_first, p + 1);
    TAKE(list, 2 * c);
    TAKE(place, c);
    TAKE(bin_of, p + images);
    TAKE(bin_first, rve->bin_capacity + 1);
    TAKE(bin_count, rve->bin_capacity);
    TAKE(bin, p + images);
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
    const int64_t p = rve->n_particles, c = rve->pair_capacity, images = rve->image_capacity;
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
#define KEEP(member, count) \
    if ((count) > 0)        \
    memcpy((void *)larger.member, rve->member, (size_t)(count) * sizeof *rve->member)
#define KEEP_PAIRS(member, arrays)     \
    for (int k = 0; k < (arrays); k++) \
    memcpy(larger.member + k * larger.pair_capacity, rve->member + k * c, (size_t)c * sizeof *rve->member)
    KEPT(KEEP, KEEP_PAIRS);
    larger.state->index_valid = 0;
    free(rve->block);
    *rve = larger;
    return SW_OK;
}
