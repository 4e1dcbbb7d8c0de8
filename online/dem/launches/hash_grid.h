/* Detection with one uniform grid for all elements: Lubbe et al. 2022, Eq. 22. The element's number is part
 * of a bin's, so that particles of different elements never meet; sorted by that number, the positions of a
 * bin lie together. Positions are those of particles and, after them, of boundary particles.
 *
 * The paper's bins are in space and cover whatever any element may deform to; these are in each element's own
 * cell and as wide as its largest range of interaction, so that a bin of the grid is a bin of a cell.
 *
 * A loop over positions makes keys, a sort brings them and their positions into order, a loop marks where
 * each bin begins and ends, and then each particle looks through 27 bins. Dimensions: W elements, K
 * positions of all of them, H bins of the grid. */
#ifndef SW_ONLINE_DEM_LAUNCHES_HASH_GRID_H
#define SW_ONLINE_DEM_LAUNCHES_HASH_GRID_H

#include "online/dem/neighbours/neighbours.h"

typedef struct {
    int32_t n_elements;  /* W */
    int32_t n[3];        /* bins along each vector: the most that an element has */
    uint64_t *key;       /* [K] ascending once sorted */
    int32_t *position;   /* [K] of the key, in its element */
    int32_t (*range)[2]; /* [H] the bin's positions: from, to; 0, 0: none */
} sw_dem_hash;

/* H */
SW_HD static inline int64_t sw_dem_hash_bins(const sw_dem_hash *hash)
{
    return (int64_t)hash->n_elements * hash->n[0] * hash->n[1] * hash->n[2];
}

/* Room for an element with bins [3]. */
SW_HD static inline void sw_dem_hash_include(sw_dem_hash *hash, const int32_t bins[3])
{
    for (int k = 0; k < 3; k++)
        hash->n[k] = bins[k] > hash->n[k] ? bins[k] : hash->n[k];
}

/* Fewer and wider bins, until there are at most so many (or one for each element). */
SW_HD static inline void sw_dem_hash_limit(sw_dem_hash *hash, int64_t most)
{
    while (sw_dem_hash_bins(hash) > most && sw_dem_hash_bins(hash) > hash->n_elements) {
        int widest = 0;
        for (int k = 1; k < 3; k++)
            widest = hash->n[k] > hash->n[widest] ? k : widest;
        hash->n[widest] = (hash->n[widest] + 1) / 2;
    }
}

/* An element's bins: as many as it can have, at most those of the grid. */
SW_HD static inline void sw_dem_hash_own(const sw_dem_hash *hash, const sw_dem_rve *rve, sw_dem_bins *bins)
{
    sw_dem_bins_of_class(rve, rve->n_classes - 1, bins); /* as wide as the largest range */
    for (int k = 0; k < 3; k++)
        if (bins->n[k] > hash->n[k]) {
            bins->width[k] *= (double)bins->n[k] / hash->n[k];
            bins->n[k] = hash->n[k];
        }
}

/* Eq. 22 for bin b of element w. */
SW_HD static inline uint64_t sw_dem_hash_number(const sw_dem_hash *hash, int32_t w, const int32_t b[3])
{
    return w +
           (uint64_t)hash->n_elements * (b[0] + (uint64_t)hash->n[0] * (b[1] + (uint64_t)hash->n[1] * b[2]));
}

/* Key of position j of element w. */
SW_HD static inline uint64_t sw_dem_hash_key(const sw_dem_hash *hash, const sw_dem_rve *rve, int32_t w,
                                             int64_t j)
{
    sw_dem_bins bins;
    double s[3];
    int32_t b[3];
    sw_dem_hash_own(hash, rve, &bins);
    sw_dem_cell_local(&rve->state->cell, rve->position[j], s);
    for (int k = 0; k < 3; k++)
        b[k] = sw_dem_bin_along(&bins, k, s[k]);
    return sw_dem_hash_number(hash, w, b);
}

/* If a bin begins or ends at the i-th of n keys, note it. */
SW_HD static inline void sw_dem_hash_mark(const sw_dem_hash *hash, int64_t n, int64_t i)
{
    const uint64_t key = hash->key[i];
    if (i == 0 || hash->key[i - 1] != key)
        hash->range[key][0] = (int32_t)i;
    if (i == n - 1 || hash->key[i + 1] != key)
        hash->range[key][1] = (int32_t)(i + 1);
}

/* As sw_dem_search: the row of particle a of element w. */
SW_HD static inline int32_t sw_dem_hash_search(const sw_dem_hash *hash, const sw_dem_rve *rve, int32_t w,
                                               int64_t a, int32_t (*pair)[2], int32_t *image)
{
    sw_dem_bins bins;
    double s[3];
    int32_t n = 0, own[3], b[3];
    sw_dem_hash_own(hash, rve, &bins);
    sw_dem_cell_local(&rve->state->cell, rve->position[a], s);
    for (int k = 0; k < 3; k++)
        own[k] = sw_dem_bin_along(&bins, k, s[k]);
    for (int neighbour = 0; neighbour < 27; neighbour++) {
        const int step[3] = {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
        int visit = 1;
        for (int k = 0; k < 3; k++) {
            b[k] = own[k] + step[k];
            if (bins.periodic) {
                /* of one or two bins each once: the step to +1 is that to -1 or 0 again */
                visit &= bins.n[k] - 1 > step[k];
                b[k] = (b[k] + bins.n[k]) % bins.n[k];
            } else
                visit &= b[k] >= 0 && b[k] < bins.n[k];
        }
        if (!visit)
            continue;
        const int32_t *range = hash->range[sw_dem_hash_number(hash, w, b)];
        for (int32_t e = range[0]; e < range[1]; e++) {
            const int32_t j = hash->position[e];
            const int code = sw_dem_pair_code(rve, a, j);
            if (code >= 0)
                sw_dem_write_pair(rve, a, j, code, n++, pair, image);
        }
    }
    return n;
}

#endif
