/* Detection with one hierarchy of bounding boxes for all elements: Lubbe et al. 2022, section 7.5. Positions
 * (particles and, after them, boundary particles) are sorted by their elements' numbers and then along a
 * Morton curve through the cell; the keys make a binary radix tree (Karras 2012, section 3), in which an
 * element's positions are one subtree, where its particles' searches begin. It does not mind particles of
 * very different sizes.
 *
 * A loop over positions makes keys, a sort brings them and their positions into order, a loop over leaves
 * makes their boxes, one over inner nodes their children, and one over leaves goes up and joins boxes.
 * Dimensions: W elements, K positions of all of them: leaves of the tree. */
#ifndef SW_ONLINE_DEM_LAUNCHES_BVH_H
#define SW_ONLINE_DEM_LAUNCHES_BVH_H

#include "online/dem/neighbours/neighbours.h"

enum { SW_DEM_MORTON_BITS = 10, SW_DEM_BVH_ELEMENT = 3 * SW_DEM_MORTON_BITS }; /* above it: the element */

typedef struct {
    double low[3], high[3]; /* m */
} sw_dem_box;

/* Nodes: 0 .. K - 2 are inner ones, K - 1 + i is leaf i. */
typedef struct {
    int64_t n;            /* K */
    const int32_t *first; /* [W + 1] element w's leaves are first[w] .. first[w + 1] - 1 */
    const uint64_t *key;  /* [K] ascending */
    int32_t *position;    /* [K] of the key, in its element */
    int32_t (*child)[2];  /* [K - 1] */
    int32_t *parent;      /* [2 K - 1] -1: none */
    int32_t *joined;      /* [K - 1] children that have come by; 0 before */
    sw_dem_box *box;      /* [2 K - 1] of spheres */
    int32_t *root;        /* [W] node above all leaves of an element */
} sw_dem_bvh;

/* ---- Keys ---- */

/* Two zeros between bits of a number of ten. */
SW_HD static inline uint64_t sw_dem_spread_bits(uint64_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    x = (x | x << 2) & 0x09249249;
    return x;
}

/* Key of position j of element w. Cell coordinates of boundary particles lie within [-1/2, 3/2]. */
SW_HD static inline uint64_t sw_dem_bvh_key(const sw_dem_rve *rve, int32_t w, int64_t j)
{
    const double most = (1 << SW_DEM_MORTON_BITS) - 1;
    uint64_t key = (uint64_t)w << SW_DEM_BVH_ELEMENT;
    double s[3];
    sw_dem_cell_local(&rve->state->cell, rve->position[j], s);
    for (int k = 0; k < 3; k++) {
        const double place = (s[k] + 0.5) / 2 * (most + 1);
        key |= sw_dem_spread_bits(place > 0 ? (uint64_t)(place < most ? place : most) : 0) << k;
    }
    return key;
}

/* ---- Tree ---- */

SW_HD static inline int sw_dem_leading_zeros(uint64_t x) /* x > 0 */
{
#ifdef __CUDA_ARCH__
    return __clzll((long long)x);
#else
    return __builtin_clzll(x);
#endif
}

/* Leading bits that keys i and j share; equal keys differ by their places. -1 where there is no j. */
SW_HD static inline int sw_dem_shared_bits(const sw_dem_bvh *bvh, int64_t i, int64_t j)
{
    if (j < 0 || j >= bvh->n)
        return -1;
    const uint64_t differ = bvh->key[i] ^ bvh->key[j];
    return differ != 0 ? sw_dem_leading_zeros(differ) : 64 + sw_dem_leading_zeros((uint64_t)(i ^ j));
}

/* Children of inner node i, itself one end of the leaves below it: Karras 2012, Fig. 4. */
SW_HD static inline void sw_dem_bvh_split(const sw_dem_bvh *bvh, int64_t i)
{
    const int forward = sw_dem_shared_bits(bvh, i, i + 1) > sw_dem_shared_bits(bvh, i, i - 1);
    const int64_t step = forward ? 1 : -1;
    /* the other end: the last leaf that shares more with i than the leaf before i does */
    const int outside = sw_dem_shared_bits(bvh, i, i - step);
    int64_t bound = 2, length = 0;
    while (sw_dem_shared_bits(bvh, i, i + bound * step) > outside)
        bound *= 2;
    for (int64_t t = bound / 2; t >= 1; t /= 2)
        if (sw_dem_shared_bits(bvh, i, i + (length + t) * step) > outside)
            length += t;
    /* the split: the last leaf from i that shares more with i than the other end does */
    const int inside = sw_dem_shared_bits(bvh, i, i + length * step);
    int64_t split = 0;
    for (int64_t t = length; t > 1;) {
        t = (t + 1) / 2;
        if (sw_dem_shared_bits(bvh, i, i + (split + t) * step) > inside)
            split += t;
    }
    const int64_t first = forward ? i : i - length, last = forward ? i + length : i;
    const int64_t left = forward ? i + split : i - split - 1; /* last leaf of the left child */
    const int64_t leaves = bvh->n - 1;
    bvh->child[i][0] = (int32_t)(left == first ? leaves + left : left);
    bvh->child[i][1] = (int32_t)(left + 1 == last ? leaves + left + 1 : left + 1);
    for (int c = 0; c < 2; c++)
        bvh->parent[bvh->child[i][c]] = (int32_t)i;
    if (first == 0 && last == bvh->n - 1)
        bvh->parent[i] = -1;
    const int64_t w = (int64_t)(bvh->key[first] >> SW_DEM_BVH_ELEMENT);
    if (first == bvh->first[w] && last == bvh->first[w + 1] - 1)
        bvh->root[w] = (int32_t)i;
}

/* ---- Boxes ---- */

/* Box of leaf i, of element w. */
SW_HD static inline void sw_dem_bvh_leaf(const sw_dem_bvh *bvh, const sw_dem_rve *rve, int64_t w, int64_t i)
{
    const int32_t j = bvh->position[i];
    const double radius = rve->radius[sw_dem_particle_at(rve, j)];
    sw_dem_box *box = &bvh->box[bvh->n - 1 + i];
    for (int k = 0; k < 3; k++) {
        box->low[k] = rve->position[j][k] - radius;
        box->high[k] = rve->position[j][k] + radius;
    }
    if (bvh->first[w + 1] - bvh->first[w] == 1)
        bvh->root[w] = (int32_t)(bvh->n - 1 + i);
    if (bvh->n == 1)
        bvh->parent[0] = -1;
}

/* Memory written by one thread before and read by another after. */
SW_HD static inline void sw_dem_fence(void)
{
#ifdef __CUDA_ARCH__
    __threadfence();
#endif
}

/* From leaf i up: of the two that come to a node, the second joins the boxes of both and goes on. Boxes above
 * roots of elements mean nothing. */
SW_HD static inline void sw_dem_bvh_join(const sw_dem_bvh *bvh, int64_t i)
{
    int32_t node = bvh->parent[bvh->n - 1 + i];
    sw_dem_fence();
    while (node >= 0 && sw_team_add(&bvh->joined[node], 1) == 1) {
        sw_dem_fence();
        const sw_dem_box *a = &bvh->box[bvh->child[node][0]], *b = &bvh->box[bvh->child[node][1]];
        for (int k = 0; k < 3; k++) {
            bvh->box[node].low[k] = fmin(a->low[k], b->low[k]);
            bvh->box[node].high[k] = fmax(a->high[k], b->high[k]);
        }
        sw_dem_fence();
        node = bvh->parent[node];
    }
}

/* ---- Search ---- */

/* Whether a box is nearer than `reach` to a point. */
SW_HD static inline int sw_dem_box_near(const sw_dem_box *box, const double x[3], double reach)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double d = x[k] < box->low[k]    ? box->low[k] - x[k]
                         : x[k] > box->high[k] ? x[k] - box->high[k]
                                               : 0;
        square += d * d;
    }
    return square < reach * reach;
}

/* As sw_dem_search: the row of particle a of element w. Without boundary particles it looks 27 times, as if
 * from each of its images' places; most end at the root. */
SW_HD static inline int32_t sw_dem_bvh_search(const sw_dem_bvh *bvh, const sw_dem_rve *rve, int32_t w,
                                              int64_t a, int32_t (*pair)[2], int32_t *image)
{
    enum { DEPTH = 64 }; /* bits of the Morton code and of places among equal ones, and one */
    const int nearest = rve->image_capacity == 0;
    /* a little more than the range, or round-off in boxes could lose a pair at its end */
    const double reach = rve->radius[a] + 1.001 * sw_dem_margin(rve);
    int32_t n = 0, stack[DEPTH];
    for (int code = 0; code < SW_DEM_IMAGES; code++) {
        double shift[3], x[3];
        int32_t waiting = 0;
        if (!nearest && code != SW_DEM_NO_SHIFT)
            continue;
        sw_dem_cell_shift(&rve->state->cell, code, shift);
        for (int k = 0; k < 3; k++)
            x[k] = rve->position[a][k] - shift[k];
        stack[waiting++] = bvh->root[w];
        while (waiting > 0) {
            const int32_t node = stack[--waiting];
            if (!sw_dem_box_near(&bvh->box[node], x, reach))
                continue;
            if (node < bvh->n - 1) {
                stack[waiting++] = bvh->child[node][0];
                stack[waiting++] = bvh->child[node][1];
                continue;
            }
            const int32_t j = bvh->position[node - (bvh->n - 1)];
            const int found = sw_dem_pair_code(rve, a, j);
            if (nearest ? found == code : found >= 0) /* a box may be near more than once, b's image is not */
                sw_dem_write_pair(rve, a, j, found, n++, pair, image);
        }
    }
    return n;
}

#endif
