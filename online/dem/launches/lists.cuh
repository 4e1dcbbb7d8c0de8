/* Verlet lists for many elements at once (launches.cu): steps before and after detection with a block an
 * element, detection over all positions of all of them, in one of three ways. Each way finds the same pairs,
 * and rows are sorted, so the motion has the same bits with any.
 *
 * Dimensions: W elements, K positions of all of them: particles and boundary particles. */
#ifndef SW_ONLINE_DEM_LAUNCHES_LISTS_CUH
#define SW_ONLINE_DEM_LAUNCHES_LISTS_CUH

#include <cub/device/device_radix_sort.cuh>
#include <type_traits>

#include "bvh.h"
#include "hash_grid.h"
#include "kernels.cuh"
#include "online/gpu/launch.cuh"

namespace
{

/* ---- A block an element ---- */

__global__ void __launch_bounds__(THREADS) into_cell(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_into_cell(&team, &s.all[s.chosen[blockIdx.x]].rve);
}

__global__ void __launch_bounds__(THREADS) make_images(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_rve *rve = &s.all[s.chosen[blockIdx.x]].rve;
    if (rve->state->status == SW_DEM_RUNNING)
        sw_dem_make_images(&team, rve);
}

__global__ void __launch_bounds__(THREADS) fill_bins(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_fill_bins(&team, &s.all[s.chosen[blockIdx.x]].rve);
}

/* Lengths of rows become where they begin. */
__global__ void __launch_bounds__(THREADS) scan_rows(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_rve *rve = &s.all[s.chosen[blockIdx.x]].rve;
    sw_team_scan(&team, rve->n_particles, rve->other_first);
    if (team.rank == 0 && rve->other_first[rve->n_particles] > rve->pair_capacity)
        rve->state->status = SW_DEM_NEEDS_PAIRS;
}

__global__ void __launch_bounds__(THREADS) adopt_rows(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_rve *rve = &s.all[s.chosen[blockIdx.x]].rve;
    if (rve->state->status == SW_DEM_RUNNING)
        sw_dem_adopt_rows(&team, rve);
}

__global__ void __launch_bounds__(THREADS) index_pairs(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_rve *rve = &s.all[s.chosen[blockIdx.x]].rve;
    if (rve->state->status == SW_DEM_RUNNING && !rve->state->index_valid)
        sw_dem_index_pairs(&team, rve);
}

/* ---- Rows of all particles, by any finder: a row of blocks an element ---- */

/* A finder knows a particle's row, as sw_dem_search does: the w-th element's, particle a. */
struct grid_finder {
    __device__ int32_t row(const sw_dem_rve *rve, int32_t, int64_t a, int32_t (*pair)[2],
                           int32_t *image) const
    {
        return sw_dem_search(rve, a, pair, image);
    }
};

/* One that sorts positions knows their keys too. */
struct hash_finder {
    sw_dem_hash hash;
    __device__ uint64_t key(const sw_dem_rve *rve, int32_t w, int64_t j) const
    {
        return sw_dem_hash_key(&hash, rve, w, j);
    }
    __device__ int32_t row(const sw_dem_rve *rve, int32_t w, int64_t a, int32_t (*pair)[2],
                           int32_t *image) const
    {
        return sw_dem_hash_search(&hash, rve, w, a, pair, image);
    }
};

struct bvh_finder {
    sw_dem_bvh bvh;
    __device__ uint64_t key(const sw_dem_rve *rve, int32_t w, int64_t j) const
    {
        return sw_dem_bvh_key(rve, w, j);
    }
    __device__ int32_t row(const sw_dem_rve *rve, int32_t w, int64_t a, int32_t (*pair)[2],
                           int32_t *image) const
    {
        return sw_dem_bvh_search(&bvh, rve, w, a, pair, image);
    }
};

/* Lengths of rows. */
template <class Finder> __global__ void __launch_bounds__(THREADS) count_rows(Finder finder, selection s)
{
    const int32_t w = (int32_t)blockIdx.y;
    const sw_team team = own_team();
    const sw_dem_rve *rve = &s.all[s.chosen[w]].rve;
    SW_TEAM_EACH (&team, a, rve->n_particles)
        rve->other_first[a] = finder.row(rve, w, a, NULL, NULL);
}

template <class Finder> __global__ void __launch_bounds__(THREADS) fill_rows(Finder finder, selection s)
{
    const int32_t w = (int32_t)blockIdx.y;
    const sw_team team = own_team();
    const sw_dem_rve *rve = &s.all[s.chosen[w]].rve;
    if (rve->state->status != SW_DEM_RUNNING) /* short of memory for pairs */
        return;
    SW_TEAM_EACH (&team, a, rve->n_particles) {
        const int32_t begin = rve->other_first[a];
        int32_t *image = rve->image_capacity > 0 ? rve->pair_image + begin : NULL;
        const int32_t n = finder.row(rve, w, a, rve->other_pair + begin, image);
        sw_dem_sort_row(n, rve->other_pair + begin, image);
    }
}

/* Keys of all positions, element w's from first[w]. */
template <class Finder>
__global__ void __launch_bounds__(THREADS)
    make_keys(Finder finder, selection s, const int32_t *first, uint64_t *key, int32_t *position)
{
    const int32_t w = (int32_t)blockIdx.y;
    const sw_team team = own_team();
    const sw_dem_rve *rve = &s.all[s.chosen[w]].rve;
    SW_TEAM_EACH (&team, j, first[w + 1] - first[w]) {
        key[first[w] + j] = finder.key(rve, w, j);
        position[first[w] + j] = (int32_t)j;
    }
}

/* ---- A thread a position ---- */

__global__ void mark_bins(sw_dem_hash hash, int64_t n)
{
    if (own_place() < n)
        sw_dem_hash_mark(&hash, n, own_place());
}

__global__ void split_nodes(sw_dem_bvh bvh)
{
    if (own_place() < bvh.n - 1)
        sw_dem_bvh_split(&bvh, own_place());
}

__global__ void make_leaves(sw_dem_bvh bvh, selection s)
{
    const int64_t i = own_place();
    if (i >= bvh.n)
        return;
    const int64_t w = (int64_t)(bvh.key[i] >> SW_DEM_BVH_ELEMENT);
    sw_dem_bvh_leaf(&bvh, &s.all[s.chosen[w]].rve, w, i);
}

__global__ void join_boxes(sw_dem_bvh bvh)
{
    if (own_place() < bvh.n)
        sw_dem_bvh_join(&bvh, own_place());
}

/* ---- Memory of a detection ---- */

struct detection_memory {
    sw_dem_detection detection;
    int64_t room;         /* K, and W at most */
    int32_t *first;       /* [W + 1] positions of element w */
    uint64_t *key[2];     /* [K] and the sort's other half */
    int32_t *position[2]; /* [K] */
    int32_t (*range)[2];  /* [K] hash: bins, of which there are no more than positions */
    int32_t (*child)[2];  /* [K] hierarchy */
    int32_t *parent;      /* [2 K] */
    int32_t *joined;      /* [K] */
    sw_dem_box *box;      /* [2 K] */
    int32_t *root;        /* [W] */
    char *sort;           /* [sort_bytes] */
    size_t sort_bytes;
    char *block;
};

/* Pointers into a block (NULL: none), from room, detection and sort_bytes; the block's bytes. */
int64_t lay_out(detection_memory *m, char *block)
{
    int64_t used = 0;
    const int64_t k = m->room, hash = m->detection == SW_DEM_HASH, bvh = m->detection == SW_DEM_BVH;
    const auto take = [&](auto *&pointer, int64_t count) {
        pointer = (std::remove_reference_t<decltype(pointer)>)(block == NULL ? NULL : block + used);
        used += (count * (int64_t)sizeof *pointer + 255) / 256 * 256; /* as cudaMalloc aligns */
    };
    m->block = block;
    take(m->first, k + 1);
    for (int side = 0; side < 2; side++) {
        take(m->key[side], k);
        take(m->position[side], k);
    }
    take(m->range, hash * k);
    take(m->child, bvh * k);
    take(m->parent, bvh * 2 * k);
    take(m->joined, bvh * k);
    take(m->box, bvh * 2 * k);
    take(m->root, bvh * k);
    take(m->sort, (int64_t)m->sort_bytes);
    return used;
}

/* The sort of n keys, of which so many bits count; with m->sort NULL only sort_bytes. The sorted halves are
 * key[0] and position[0] then. */
sw_status sort_keys(detection_memory *m, int64_t n, int bits)
{
    cub::DoubleBuffer<uint64_t> key(m->key[0], m->key[1]);
    cub::DoubleBuffer<int32_t> position(m->position[0], m->position[1]);
    SW_CUDA_TRY(cub::DeviceRadixSort::SortPairs(m->sort, m->sort_bytes, key, position, n, 0, bits));
    if (m->sort != NULL) {
        m->key[0] = key.Current();
        m->key[1] = key.Alternate();
        m->position[0] = position.Current();
        m->position[1] = position.Alternate();
    }
    return SW_OK;
}

/* Room for so many positions. */
sw_status reserve(detection_memory *m, int64_t positions)
{
    detection_memory larger = {};
    char *block;
    if (m->detection == SW_DEM_GRID || positions <= m->room)
        return SW_OK;
    larger.detection = m->detection;
    larger.room = positions;
    cudaFree(m->block);
    *m = {};
    m->detection = larger.detection;
    SW_TRY(sort_keys(&larger, positions, 64));
    SW_TRY(sw_cuda_allocate((void **)&block, (size_t)lay_out(&larger, NULL), "detection"));
    lay_out(&larger, block);
    *m = larger;
    return SW_OK;
}

/* Bytes of all that for one position. */
double bytes_of_position(sw_dem_detection detection)
{
    enum { MANY = 1 << 20 };
    detection_memory m = {};
    m.detection = detection;
    m.room = MANY;
    if (detection == SW_DEM_GRID || sort_keys(&m, MANY, 64) != SW_OK)
        return 0;
    return (double)lay_out(&m, NULL) / (double)MANY;
}

/* ---- Detection ---- */

/* Blocks that give each of n things a thread of its own. */
unsigned blocks_for(int64_t n) { return sw_blocks_for(n, THREADS, INT32_MAX); }

/* A row of blocks for each element, long enough for the largest. */
dim3 rows_for(int64_t most, const selection *s) { return dim3(blocks_for(most), (unsigned)s->n); }

/* Bits of the numbers 0 .. n - 1. */
int bits_below(int64_t n) { return n > 1 ? 64 - sw_dem_leading_zeros((uint64_t)(n - 1)) : 1; }

/* What a detection is for: elements and how many particles and positions the largest and all of them have. */
struct detection_task {
    selection s;
    int64_t most_particles, most_positions, positions; /* K */
    int32_t bins[3];                                   /* the most of any element */
};

template <class Finder>
sw_status sort_positions(detection_memory *m, const detection_task *t, const Finder &finder, int bits)
{
    make_keys<<<rows_for(t->most_positions, &t->s), THREADS>>>(finder, t->s, m->first, m->key[0],
                                                               m->position[0]);
    SW_CUDA_TRY_LAUNCH();
    return sort_keys(m, t->positions, bits);
}

/* Rows into other_first, other_pair and pair_image, and from there into the lists. Elements that are short of
 * memory for pairs say so in their status. */
template <class Finder> sw_status make_rows(const detection_task *t, const Finder &finder)
{
    const dim3 all = rows_for(t->most_particles, &t->s);
    const unsigned elements = (unsigned)t->s.n;
    count_rows<<<all, THREADS>>>(finder, t->s);
    SW_CUDA_TRY_LAUNCH();
    scan_rows<<<elements, THREADS>>>(t->s);
    SW_CUDA_TRY_LAUNCH();
    fill_rows<<<all, THREADS>>>(finder, t->s);
    SW_CUDA_TRY_LAUNCH();
    adopt_rows<<<elements, THREADS>>>(t->s);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status detect_by_grid(const detection_task *t)
{
    fill_bins<<<(unsigned)t->s.n, THREADS>>>(t->s);
    SW_CUDA_TRY_LAUNCH();
    return make_rows(t, grid_finder{});
}

sw_status detect_by_hash(detection_memory *m, const detection_task *t)
{
    hash_finder finder = {};
    sw_dem_hash *hash = &finder.hash;
    hash->n_elements = (int32_t)t->s.n;
    sw_dem_hash_include(hash, t->bins);
    sw_dem_hash_limit(hash, t->positions);
    const int64_t bins = sw_dem_hash_bins(hash);
    SW_TRY(sort_positions(m, t, finder, bits_below(bins)));
    hash->key = m->key[0];
    hash->position = m->position[0];
    hash->range = m->range;
    SW_CUDA_TRY(cudaMemsetAsync(m->range, 0, (size_t)bins * sizeof *m->range));
    mark_bins<<<blocks_for(t->positions), THREADS>>>(*hash, t->positions);
    SW_CUDA_TRY_LAUNCH();
    return make_rows(t, finder);
}

sw_status detect_by_bvh(detection_memory *m, const detection_task *t)
{
    bvh_finder finder = {};
    SW_TRY(sort_positions(m, t, finder, SW_DEM_BVH_ELEMENT + bits_below(t->s.n)));
    finder.bvh = {t->positions, m->first,  m->key[0], m->position[0], m->child,
                  m->parent,    m->joined, m->box,    m->root};
    const unsigned blocks = blocks_for(t->positions);
    SW_CUDA_TRY(cudaMemsetAsync(m->joined, 0, (size_t)t->positions * sizeof *m->joined));
    split_nodes<<<blocks, THREADS>>>(finder.bvh);
    SW_CUDA_TRY_LAUNCH();
    make_leaves<<<blocks, THREADS>>>(finder.bvh, t->s);
    SW_CUDA_TRY_LAUNCH();
    join_boxes<<<blocks, THREADS>>>(finder.bvh);
    SW_CUDA_TRY_LAUNCH();
    return make_rows(t, finder);
}

sw_status detect(detection_memory *m, const detection_task *t)
{
    switch (m->detection) {
    case SW_DEM_HASH:
        return detect_by_hash(m, t);
    case SW_DEM_BVH:
        return detect_by_bvh(m, t);
    case SW_DEM_GRID:
    case SW_DEM_DETECTIONS:
        break;
    }
    return detect_by_grid(t);
}

} // namespace

#endif
