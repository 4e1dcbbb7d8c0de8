/* Kernels of one pass of a product with stored element matrices. Kiran 2023, Algorithms 13 to 28 and
 * section 4.2.
 *
 * Matrices are laid out (stored.h) so that the threads of an element read whole lines of 128 bytes, 16 bytes
 * a thread, wherever the matrix is: no order of elements is better than another for them. Streamed matrices
 * pass the caches by, which are left to the vectors.
 *
 * Dimensions: V nodes of an element, c unknowns of a node, W = V c. */
#ifndef SW_ONLINE_FEM_STORED_STORED_CUH
#define SW_ONLINE_FEM_STORED_STORED_CUH

#include "online/gpu/launch.cuh"
#include "stored.h"

namespace
{

/* Items of one launch: elements, or nodes. */
struct pass_items {
    sw_fem_which which;
    sw_fem_stored stored;
    sw_fem_around around;
    const int32_t *sequence; /* [n] elements or nodes, NULL: counted */
    int64_t n;
    int64_t place; /* of the first one's matrix, where they follow the sequence */
    int atomic;    /* elements: others may add to the same unknown */
    int add;       /* nodes: there is a first pass */
    const double *p;
    double *g;
};

/* How matrices are read: through the caches; once, past them; the only one from shared memory; the first from there,
 * the others through the caches; past the first cache. Kernels' `far`: vectors past the first cache, too, and never
 * from shared memory. */
enum reading { CACHED, STREAMED, SHARED, CHOSEN, UNCACHED };

/* Whether a kernel has the first matrix in shared memory. */
SW_HD constexpr bool keeps_first(reading how) { return how == SHARED || how == CHOSEN; }

template <reading how> __device__ inline double2 read_pair(const double2 *at)
{
    if constexpr (how == STREAMED)
        return __ldcs(at);
    else if constexpr (how == CACHED)
        return __ldg(at);
    else if constexpr (how == UNCACHED)
        return __ldcg(at);
    else
        return *at;
}

template <bool far> __device__ inline double read_one(const double *at)
{
    if constexpr (far)
        return __ldcg(at);
    else
        return __ldg(at);
}

/* Of the vector the values of an element's unknowns j and j + 1; node [V] is its. */
template <int c> __device__ inline double2 read_unknowns(const int32_t *node, const double *p, int j)
{
    return make_double2(__ldcg(p + (int64_t)__ldg(node + j / c) * c + j % c),
                        __ldcg(p + (int64_t)__ldg(node + (j + 1) / c) * c + (j + 1) % c));
}

__device__ inline void add_up(double *g, double value, int atomic)
{
    if (atomic)
        atomicAdd(g, value);
    else
        *g += value;
}

/* Element i of the launch and its matrix; -1: none. */
__device__ inline int64_t find_element(const pass_items &job, int64_t i, int64_t *matrix)
{
    if (i >= job.n) {
        *matrix = -1;
        return 0;
    }
    const int64_t e = job.sequence ? __ldg(job.sequence + i) : i;
    *matrix = sw_fem_matrix_of(job.which, &job.stored, e, job.place + i);
    return e;
}

/* ---- EBE_NODE and EBE_DOF: L threads an element, each W / L rows ---- */

SW_HD constexpr int block_of(int L) { return L == 24 ? 192 : 256; }

template <int L> __device__ inline void wait_for_lanes()
{
    if constexpr (32 % L == 0)
        __syncwarp();
    else
        __syncthreads();
}

/* The gathered vector is in shared memory, padded so that the elements of a warp read different banks. A
 * matrix in shared memory serves two elements each time it is read. */
template <int V, int c, int L, reading how, bool far>
__global__ void __launch_bounds__(block_of(L)) lanes_kernel(const pass_items job)
{
    constexpr int W = V * c, n = W / L, PER = block_of(L) / L, R = how == SHARED ? 2 : 1, STRIDE = W + 2;
    constexpr int PAIRS = W / 2, BATCH = n == 1 ? PAIRS : PAIRS < 4 ? PAIRS : 4; /* 12 loads in flight */
    __shared__ __align__(16) double values[far ? 1 : PER * R * STRIDE];
    __shared__ double2 common[keeps_first(how) ? W * W / 2 : 1];
    const int lane = threadIdx.x % L, local = threadIdx.x / L;
    if constexpr (keeps_first(how)) {
        for (int i = threadIdx.x; i < W * W / 2; i += block_of(L))
            common[i] = ((const double2 *)job.stored.matrix)[i];
        __syncthreads();
    }
    for (int64_t start = (int64_t)blockIdx.x * (PER * R); start < job.n;
         start += (int64_t)gridDim.x * (PER * R)) {
        int64_t matrix[R], unknown[R];
        const int32_t *node[R]; /* far: of an element, any where there is none */
#pragma unroll
        for (int r = 0; r < R; r++) {
            const int64_t e = find_element(job, start + r * PER + local, &matrix[r]);
            node[r] = job.stored.node + e * V;
            if (matrix[r] < 0)
                continue;
            unknown[r] = (int64_t)__ldg(job.stored.node + e * V + lane * n / c) * c + lane * n % c;
            if constexpr (!far) {
#pragma unroll
                for (int i = 0; i < n; i++)
                    values[(r * PER + local) * STRIDE + lane * n + i] = __ldg(job.p + unknown[r] + i);
            }
        }
        wait_for_lanes<L>();
        if (R > 1 || matrix[0] >= 0) {
            const double2 *entries = how == SHARED || (how == CHOSEN && matrix[0] == 0)
                                         ? common
                                         : (const double2 *)(job.stored.matrix + matrix[0] * (W * W));
            double sum[R][n] = {};
#pragma unroll 1
            for (int batch = 0; batch < PAIRS; batch += BATCH) {
                double2 entry[BATCH][n];
#pragma unroll
                for (int k = 0; k < BATCH; k++)
#pragma unroll
                    for (int i = 0; i < n; i++)
                        entry[k][i] = read_pair<how>(entries + ((batch + k) * n + i) * L + lane);
#pragma unroll
                for (int k = 0; k < BATCH; k++)
#pragma unroll
                    for (int r = 0; r < R; r++) {
                        double2 value;
                        if constexpr (far)
                            value = read_unknowns<c>(node[r], job.p, (batch + k) * 2);
                        else
                            value = *(const double2 *)&values[(r * PER + local) * STRIDE + (batch + k) * 2];
#pragma unroll
                        for (int i = 0; i < n; i++)
                            sum[r][i] += entry[k][i].x * value.x + entry[k][i].y * value.y;
                    }
            }
#pragma unroll
            for (int r = 0; r < R; r++)
                if (matrix[r] >= 0)
#pragma unroll
                    for (int i = 0; i < n; i++)
                        add_up(job.g + unknown[r] + i, sum[r][i], job.atomic);
        }
        wait_for_lanes<L>();
    }
}

/* ---- EBE: a thread an element ---- */

constexpr int ELEMENTS_BLOCK = 128;

template <int V, int c, reading how, bool far>
__global__ void __launch_bounds__(ELEMENTS_BLOCK) elements_kernel(const pass_items job)
{
    constexpr int W = V * c, STEP = how == SHARED ? 1 : 32;
    __shared__ double2 common[how == SHARED ? W * W / 2 : 1];
    if constexpr (how == SHARED) {
        for (int i = threadIdx.x; i < W * W / 2; i += ELEMENTS_BLOCK)
            common[i] = ((const double2 *)job.stored.matrix)[i * 32];
        __syncthreads();
    }
    for (int64_t k = (int64_t)blockIdx.x * ELEMENTS_BLOCK + threadIdx.x; k < job.n;
         k += (int64_t)gridDim.x * ELEMENTS_BLOCK) {
        int64_t m;
        const int64_t e = find_element(job, k, &m);
        if (m < 0)
            continue;
        const int32_t *node = job.stored.node + e * V;
        double value[W];
#pragma unroll
        for (int b = 0; b < V; b++)
#pragma unroll
            for (int j = 0; j < c; j++)
                value[b * c + j] = read_one<far>(job.p + (int64_t)__ldg(node + b) * c + j);
        const double2 *entries =
            how == SHARED ? common : (const double2 *)job.stored.matrix + (m >> 5) * (16 * W * W) + (m & 31);
#pragma unroll 1
        for (int a = 0; a < V; a++) {
            double sum[c] = {};
#pragma unroll
            for (int i = 0; i < c; i++)
#pragma unroll
                for (int j = 0; j < W / 2; j++) {
                    const double2 entry = read_pair<how>(entries + ((a * c + i) * (W / 2) + j) * STEP);
                    sum[i] += entry.x * value[2 * j] + entry.y * value[2 * j + 1];
                }
            double *g = job.g + (int64_t)__ldg(node + a) * c;
#pragma unroll
            for (int i = 0; i < c; i++)
                add_up(g + i, sum[i], job.atomic);
        }
    }
}

/* ---- EBE_SYM: a thread an unknown; each entry is read once and goes to two rows ---- */

constexpr int HALVES_BLOCK = 256;

/* An element's rows are in one warp (24 rows leave 8 lanes idle), so that row r hands its entry (r, r + s),
 * times its value, to row r + s by a shuffle. */
template <int V, int c, reading how, bool far>
__global__ void __launch_bounds__(HALVES_BLOCK) halves_kernel(const pass_items job)
{
    constexpr int W = V * c, L = W == 24 ? 32 : W, PER = HALVES_BLOCK / L, H = W / 2;
    __shared__ double values[PER * W];
    const int lane = threadIdx.x % L, row = lane < W ? lane : 0, local = threadIdx.x / L;
    double *value = values + local * W;
    for (int64_t start = (int64_t)blockIdx.x * PER; start < job.n; start += (int64_t)gridDim.x * PER) {
        int64_t m, unknown = 0;
        const int64_t e = find_element(job, start + local, &m);
        double2 entry[H / 2] = {};
        double last = 0, own = 0;
        const bool active = m >= 0 && lane < W;
        if (active) {
            const double *half = job.stored.matrix + m * (W * (W + 1) / 2);
#pragma unroll
            for (int s = 0; s < H / 2; s++)
                entry[s] = read_pair<how>((const double2 *)half + s * W + row);
            last = read_one<how == UNCACHED>(half + H * W + row % H);
            unknown = (int64_t)__ldg(job.stored.node + e * V + row / c) * c + row % c;
            own = read_one<far>(job.p + unknown);
            value[row] = own;
        }
        __syncwarp();
        double sum = entry[0].x * own;
#pragma unroll
        for (int s = 1; s < H; s++) {
            const double k = s & 1 ? entry[s / 2].y : entry[s / 2].x;
            const int up = row + s < W ? row + s : row + s - W, down = row >= s ? row - s : row - s + W;
            sum += __shfl_sync(0xffffffffu, k * own, down, L);
            if (active)
                sum += k * value[up];
        }
        if (active) {
            sum += last * value[row < H ? row + H : row - H];
            add_up(job.g + unknown, sum, job.atomic);
        }
        __syncwarp();
    }
}

/* ---- NBN and DBD: a thread a node, or n = 1 unknown ---- */

constexpr int NODES_BLOCK = 128;

/* As sw_fem_node_rows, with what it reads past the first cache. */
template <int V, int c, int n, bool matrix_too>
__device__ void far_node_rows(const pass_items &job, const sw_fem_stored &stored, int64_t node, int first,
                              double *sum)
{
    constexpr int W = V * c;
    const uint32_t end = __ldg(job.around.first + node + 1);
    for (uint32_t k = __ldg(job.around.first + node); k < end; k++) {
        const uint32_t at = __ldg(job.around.at + k);
        const int64_t e = at / V, m = sw_fem_matrix_of(job.which, &stored, e, e);
        if (m < 0)
            continue;
        const double *row = stored.matrix + m * W * W + ((int)(at % V) * c + first) * W;
#pragma unroll
        for (int j = 0; j < W; j += 2) {
            const double2 value = read_unknowns<c>(stored.node + e * V, job.p, j);
#pragma unroll
            for (int i = 0; i < n; i++) {
                const double2 *place = (const double2 *)(row + i * W + j);
                const double2 entry = matrix_too ? __ldcg(place) : *place;
                sum[i] += entry.x * value.x + entry.y * value.y;
            }
        }
    }
}

template <int V, int c, int n, reading how, bool far>
__global__ void __launch_bounds__(NODES_BLOCK) nodes_kernel(const pass_items job)
{
    constexpr int W = V * c;
    __shared__ double common[keeps_first(how) ? W * W : 1];
    sw_fem_stored stored = job.stored;
    stored.matrix = how == SHARED ? common : job.stored.matrix;
    stored.first = how == CHOSEN ? common : NULL;
    if constexpr (keeps_first(how)) {
        for (int i = threadIdx.x; i < W * W; i += NODES_BLOCK)
            common[i] = job.stored.matrix[i];
        __syncthreads();
    }
    for (int64_t i = (int64_t)blockIdx.x * NODES_BLOCK + threadIdx.x; i < job.n * (c / n);
         i += (int64_t)gridDim.x * NODES_BLOCK) {
        const int64_t at = i / (c / n);
        const int first = (int)(i % (c / n));
        const int64_t node = job.sequence ? __ldg(job.sequence + at) : at;
        double sum[n] = {};
        if constexpr (far)
            far_node_rows<V, c, n, how == UNCACHED>(job, stored, node, first, sum);
        else
            sw_fem_node_rows(V, c, job.which, &stored, job.around, node, first, n, job.p, sum);
#pragma unroll
        for (int j = 0; j < n; j++)
            job.g[node * c + first + j] = job.add ? job.g[node * c + first + j] + sum[j] : sum[j];
    }
}

/* ---- Launches ---- */

/* Blocks of `each` items: all, so that none has two shares. */
inline unsigned blocks_for(int64_t n, int64_t each) { return sw_blocks_for(n, each, INT32_MAX); }

template <int V, int c, reading how, bool far>
void launch_pass(sw_fem_operator operator_, const pass_items &job)
{
    constexpr int W = V * c, R = how == SHARED ? 2 : 1, HALVES = HALVES_BLOCK / (W == 24 ? 32 : W);
    /* What reading_of never gives is not compiled. */
    constexpr reading nodes = how == STREAMED ? CACHED : how, halves = keeps_first(how) ? CACHED : how,
                      elements = how == CHOSEN ? CACHED : how;
    switch (operator_) {
    case SW_FEM_NBN:
        nodes_kernel<V, c, c, nodes, far><<<blocks_for(job.n, NODES_BLOCK), NODES_BLOCK>>>(job);
        break;
    case SW_FEM_DBD:
        nodes_kernel<V, c, 1, nodes, far><<<blocks_for(job.n * c, NODES_BLOCK), NODES_BLOCK>>>(job);
        break;
    case SW_FEM_EBE:
        elements_kernel<V, c, elements, far><<<blocks_for(job.n, ELEMENTS_BLOCK), ELEMENTS_BLOCK>>>(job);
        break;
    case SW_FEM_EBE_NODE:
        lanes_kernel<V, c, V, how, far><<<blocks_for(job.n, block_of(V) / V * R), block_of(V)>>>(job);
        break;
    case SW_FEM_EBE_DOF:
        lanes_kernel<V, c, W, how, far><<<blocks_for(job.n, block_of(W) / W * R), block_of(W)>>>(job);
        break;
    default:
        halves_kernel<V, c, halves, far><<<blocks_for(job.n, HALVES), HALVES_BLOCK>>>(job);
    }
}

template <int V, int c, bool far>
void launch_pass_reading(reading how, sw_fem_operator operator_, const pass_items &job)
{
    if (how == CACHED)
        launch_pass<V, c, CACHED, far>(operator_, job);
    else if (how == STREAMED)
        launch_pass<V, c, STREAMED, far>(operator_, job);
    else if (how == CHOSEN)
        launch_pass<V, c, CHOSEN, false>(operator_, job);
    else
        launch_pass<V, c, SHARED, far>(operator_, job);
}

template <int V, int c>
void launch_pass_staged(sw_fem_staging staging, reading how, sw_fem_operator operator_, const pass_items &job)
{
    if (staging == SW_FEM_STAGE_NOTHING)
        launch_pass<V, c, UNCACHED, true>(operator_, job);
    else if (staging == SW_FEM_STAGE_MATRIX)
        launch_pass_reading<V, c, true>(how, operator_, job);
    else
        launch_pass_reading<V, c, false>(how, operator_, job);
}

/* The improved elastic pass has its matrix in shared memory when it is the only one; matrices that are read
 * once are streamed, but not those of nodes: each is read by rows, at eight times. */
inline reading reading_of(sw_fem_operator operator_, sw_fem_storage storage, sw_fem_staging staging,
                          sw_fem_which which, int n_materials)
{
    const bool node_wise = sw_fem_node_wise(operator_),
               lanes = operator_ == SW_FEM_EBE_NODE || operator_ == SW_FEM_EBE_DOF;
    if (staging == SW_FEM_STAGE_ELASTIC && storage == SW_FEM_SINGLE && n_materials == 1 &&
        (node_wise || lanes))
        return CHOSEN;
    if (which == SW_FEM_COMMON)
        return storage == SW_FEM_IMPROVED && n_materials == 1 && operator_ != SW_FEM_EBE_SYM ? SHARED
                                                                                             : CACHED;
    return which == SW_FEM_INDEXED || node_wise ? CACHED : STREAMED;
}

} // namespace

#endif
