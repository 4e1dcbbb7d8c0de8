#include "present_cuda.cuh"

#include "online/fem/element/element_matrix.h"
#include "online/fem/element/general_matrix.h"
#include "online/gpu/sums.cuh"

namespace
{

sw_fem_present *present_of(void *opaque) { return (sw_fem_present *)opaque; }

/* ---- Matrices ---- */

/* A thread a column of an element's matrix; it is kept as a row, which is the same but for round-off. */
enum filling { ELASTIC, GENERAL };
template <filling OF>
__global__ void __launch_bounds__(128)
    fill_kernel(const __grid_constant__ sw_fem_view view, const int32_t *owner, sw_fem_cell_matrix *matrix)
{
    SW_GRID_STRIDE (i, 24 * view.n_elements) {
        const int64_t e = i / 24, node = view.node[i / 3];
        const int j = (int)(i % 24);
        double x[3][8], column[24];
        if constexpr (OF == ELASTIC) {
            sw_fem_stiffness stiffness = {};
            stiffness.bulk = view.bulk[view.material_of[e]];
            stiffness.shear = view.shear[view.material_of[e]];
            stiffness.ratio = 1;
            sw_fem_gather(3, view.node + 8 * e, view.at ? view.at : view.position, 3, x);
            sw_fem_element_column(SW_FEM_SOLID, &view, x, &stiffness, 1, j, column);
        } else {
            sw_fem_deformed_shape(SW_FEM_SOLID, &view, e, x);
            sw_fem_general_column(SW_FEM_SOLID, &view, e, x, j, column);
        }
        const double *block = view.nodal && owner[node] == e ? view.nodal + 9 * node : NULL;
        SW_UNROLL
        for (int k = 0; k < 24; k++) {
            const double more =
                block && k / 3 == j / 3 ? 0.5 * (block[3 * (j % 3) + k % 3] + block[k % 3 * 3 + j % 3]) : 0;
            matrix[e][24 * j + k] = (float)(column[k] + more);
        }
    }
}

/* ---- Of finite strains: what the rows of an element share is in shared memory ---- */

enum { AT_ONCE = 4, FILL_THREADS = 24 * AT_ONCE }; /* elements of a block; a thread a row */

struct alignas(16) fill_shared {
    double gradient[8][3][8], less[8][3][8]; /* less: mean less gradient */
    double response[8][3][3][9], volume[8], mean[3][8];
    sw_fem_solid_dilation dilation[8];
    double apart[2]; /* the next element's numbers are in other banks */
};
static_assert(sizeof(fill_shared) % 128 == 16, "two elements of a warp would read the same banks");

/* Point q of element e. */
__device__ __forceinline__ void share_point(const sw_fem_view &view, int64_t e, int q, fill_shared &shared)
{
    const sw_fem_finite_tangents from = sw_fem_tangents_of(SW_FEM_SOLID, &view, e);
    double x[3][8], gradient[3][8], tangent[SW_FEM_FINITE_SIZE], response[3][3][9];
    SW_UNROLL
    for (int i = 0; i < SW_FEM_FINITE_SIZE; i++)
        tangent[i] = from.tangent[i * from.number + q * from.point];
    sw_fem_deformed_shape(SW_FEM_SOLID, &view, e, x);
    const double volume = sw_fem_solid_gradient(q, x, gradient);
    shared.volume[q] = volume;
    shared.dilation[q] = sw_fem_solid_dilates(tangent, volume);
    sw_fem_solid_response(tangent, volume, response);
    SW_UNROLL
    for (int i = 0; i < 24; i++)
        shared.gradient[q][i / 8][i % 8] = gradient[i / 8][i % 8];
    SW_UNROLL
    for (int i = 0; i < 81; i++)
        shared.response[q][i / 27][i / 9 % 3][i % 9] = response[i / 27][i / 9 % 3][i % 9];
}

/* Number `at` of the 24 of the mean gradient. */
__device__ __forceinline__ void share_mean(int at, fill_shared &shared)
{
    const int j = at / 8, a = at % 8;
    double sum = 0, whole = 0;
    SW_UNROLL
    for (int q = 0; q < 8; q++) {
        sum += shared.volume[q] * shared.gradient[q][j][a];
        whole += shared.volume[q];
    }
    shared.mean[j][a] = sum / whole;
    SW_UNROLL
    for (int q = 0; q < 8; q++)
        shared.less[q][j][a] = sum / whole - shared.gradient[q][j][a];
}

template <bool B_BAR>
__global__ void __launch_bounds__(FILL_THREADS, 4)
    fill_rows_kernel(const __grid_constant__ sw_fem_view view, const int32_t *owner,
                     sw_fem_cell_matrix *matrix)
{
    __shared__ fill_shared all[AT_ONCE];
    const int at = threadIdx.x % 24, a = at / 3, i = at % 3;
    fill_shared &shared = all[threadIdx.x / 24];
    for (int64_t first = (int64_t)blockIdx.x * AT_ONCE; first < view.n_elements;
         first += (int64_t)gridDim.x * AT_ONCE) {
        const int64_t e = first + threadIdx.x / 24;
        if (e < view.n_elements && at < 8)
            share_point(view, e, at, shared);
        __syncthreads();
        if (e < view.n_elements)
            share_mean(at, shared);
        __syncthreads();
        if (e < view.n_elements) {
            double row[3][8] = {}, pressure = 0;
            for (int q = 0; q < 8; q++) {
                sw_fem_solid_row(a, i, shared.gradient[q], B_BAR ? shared.less[q] : NULL,
                                 shared.response[q][i], &shared.dilation[q], row);
                pressure += shared.dilation[q].pressure;
            }
            const int64_t node = view.node[8 * e + a];
            const double *block = view.nodal && owner[node] == e ? view.nodal + 9 * node : NULL;
            SW_UNROLL
            for (int b = 0; b < 8; b++)
                SW_UNROLL
            for (int k = 0; k < 3; k++) {
                const double taken = B_BAR ? pressure * (shared.mean[i][a] * shared.mean[k][b]) : 0;
                const double more = block && a == b ? 0.5 * (block[3 * i + k] + block[3 * k + i]) : 0;
                matrix[e][24 * at + 3 * b + k] = (float)(row[k][b] - taken + more);
            }
        }
        __syncthreads();
    }
}

/* The symmetric part in place: a thread a pair of entries across the diagonal. */
sw_status make_symmetric(int64_t n, sw_fem_cell_matrix *matrix)
{
    return sw_each(24 * 24 * n, [=] __device__(int64_t i) {
        const int row = (int)(i % 576) / 24, column = (int)(i % 24);
        if (row >= column)
            return;
        float *of = matrix[i / 576];
        of[24 * row + column] = of[24 * column + row] =
            0.5F * (of[24 * row + column] + of[24 * column + row]);
    });
}

sw_status fill(void *opaque, const sw_fem_view *view, int elastic)
{
    const sw_fem_present *p = present_of(opaque);
    const unsigned blocks = sw_blocks_for(24 * view->n_elements, 128);
    if (elastic)
        fill_kernel<ELASTIC><<<blocks, 128>>>(*view, p->owner, p->level[0].matrix);
    else if (view->measure == SW_FEM_MEASURE_FINITE)
        (view->b_bar ? fill_rows_kernel<true>
                     : fill_rows_kernel<false>)<<<sw_blocks_for(view->n_elements, AT_ONCE), FILL_THREADS>>>(
            *view, p->owner, p->level[0].matrix);
    else
        fill_kernel<GENERAL><<<blocks, 128>>>(*view, p->owner, p->level[0].matrix);
    SW_CUDA_TRY_LAUNCH();
    return !elastic && view->measure == SW_FEM_MEASURE_CRYSTALS
               ? make_symmetric(view->n_elements, p->level[0].matrix)
               : SW_OK;
}

sw_status put(void *opaque, const sw_fem_cell_matrix *matrix)
{
    const sw_fem_present_level *l = &present_of(opaque)->level[0];
    SW_CUDA_TRY(cudaMemcpy(l->matrix, matrix, l->n_cells * sizeof *matrix, cudaMemcpyHostToDevice));
    return SW_OK;
}

/* A block of threads a coarse cell: W' K W of its eight parts, W without the rows of fixed unknowns. First K W, a
 * thread a row of a part's K; then the sums over the parts' nodes, a thread some of the coarse numbers, always in
 * one order. */
enum { GALERKIN_THREADS = 8 * 24 };

struct galerkin_shared {
    float half[8][24][25]; /* 25: rows in different banks */
    float weight[8][8][8]; /* by local nodes */
    int64_t child[8];      /* number of its matrix, -1: none */
    uint8_t fixed[8][8];
};

__device__ void load_parts(const sw_fem_level_map &fine, const sw_fem_level_map &coarse, const float *weight,
                           int64_t cell, galerkin_shared &shared)
{
    for (int i = threadIdx.x; i < 512; i += GALERKIN_THREADS)
        shared.weight[i / 64][i / 8 % 8][i % 8] =
            weight[64 * (i / 64) + 8 * sw_fem_corner(i / 8 % 8) + sw_fem_corner(i % 8)];
    if (threadIdx.x < 64) {
        const int offset = threadIdx.x / 8, corner = sw_fem_corner(threadIdx.x % 8);
        const int64_t at[3] = {cell % coarse.n[0], cell / coarse.n[0] % coarse.n[1],
                               cell / coarse.n[0] / coarse.n[1]};
        int64_t child[3];
        bool there = true;
        for (int i = 0; i < 3; i++) {
            child[i] = at[i] * coarse.factor[i] + (offset >> i & 1);
            there &= (offset >> i & 1) < coarse.factor[i] && child[i] < fine.n[i];
        }
        const int32_t number =
            there ? fine.cell[sw_fem_lattice_cell(fine.n, child[0], child[1], child[2])] : -1;
        shared.child[offset] = number;
        shared.fixed[offset][threadIdx.x % 8] =
            number < 0 ? 7
                       : fine.fixed[fine.node[sw_fem_lattice_point(fine.n, child[0] + (corner & 1),
                                                                   child[1] + (corner >> 1 & 1),
                                                                   child[2] + (corner >> 2))]];
    }
    __syncthreads();
}

__global__ void __launch_bounds__(GALERKIN_THREADS)
    galerkin_kernel(int64_t n, const __grid_constant__ sw_fem_level_map fine,
                    const __grid_constant__ sw_fem_level_map coarse, const int32_t *own_cell,
                    const float *weight, const sw_fem_cell_matrix *from, sw_fem_cell_matrix *to)
{
    __shared__ galerkin_shared shared;
    for (int64_t own = blockIdx.x; own < n; own += gridDim.x) {
        load_parts(fine, coarse, weight, own_cell[own], shared);
        const int part = threadIdx.x / 24, row = threadIdx.x % 24;
        float half[24];
        SW_UNROLL
        for (int i = 0; i < 24; i++)
            half[i] = 0;
        for (int a = 0; a < 8 && shared.child[part] >= 0; a++)
            for (int j = 0; j < 3; j++) {
                if (shared.fixed[part][a] >> j & 1)
                    continue;
                const float value = from[shared.child[part]][24 * row + 3 * a + j];
                SW_UNROLL
                for (int b = 0; b < 8; b++)
                    SW_UNROLL
                for (int k = 0; k < 3; k++)
                    half[3 * b + k] += k == j ? value * shared.weight[part][a][b] : 0;
            }
        SW_UNROLL
        for (int i = 0; i < 24; i++)
            shared.half[part][row][i] = half[i];
        __syncthreads();
        for (int i = threadIdx.x; i < 24 * 24; i += GALERKIN_THREADS) {
            const int b = i / 24 / 3, j = i / 24 % 3;
            float sum = 0;
            for (int c = 0; c < 8; c++)
                for (int a = 0; a < 8; a++)
                    if (!(shared.fixed[c][a] >> j & 1))
                        sum += shared.weight[c][a][b] * shared.half[c][3 * a + j][i % 24];
            to[own][i] = sum;
        }
        __syncthreads();
    }
}

sw_status coarsen(void *opaque, int level)
{
    const sw_fem_present *p = present_of(opaque);
    const sw_fem_present_level *fine = &p->level[level - 1], *l = &p->level[level];
    galerkin_kernel<<<sw_blocks_for(l->n_cells, 1), GALERKIN_THREADS>>>(
        l->n_cells, fine->map, l->map, l->own_cell, l->weight, fine->matrix, l->matrix);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* ---- Assembled ---- */

/* Cells around a node: numbers of their matrices by the corner that the node is, -1 where there is none. */
__device__ __forceinline__ void cells_around(const sw_fem_level_map &map, const int32_t at[3],
                                             int32_t cell[8])
{
    SW_UNROLL
    for (int side = 0; side < 8; side++) {
        const int32_t x = sw_fem_level_wrap(&map, at[0] - (side & 1), 0);
        const int32_t y = sw_fem_level_wrap(&map, at[1] - (side >> 1 & 1), 1);
        const int32_t z = sw_fem_level_wrap(&map, at[2] - (side >> 2), 2);
        const bool there = x >= 0 && y >= 0 && z >= 0 && x < map.n[0] && y < map.n[1] && z < map.n[2];
        cell[side] = there ? map.cell[sw_fem_lattice_cell(map.n, x, y, z)] : -1;
    }
}

/* A node's neighbour number k of 27 is by k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 cells away. As the matrix is symmetric, a node
 * has the blocks of itself, number 13, and of those after: the one of k before it is the transpose of what k has of 26 - k. */
enum { SELF = 13, KEPT = 14 };

/* A thread a row of a node: those of the eight cells around it, 96 bytes each, four numbers at a time, added up. */
__global__ void __launch_bounds__(128)
    assemble_kernel(int64_t n, const __grid_constant__ sw_fem_level_map map, const sw_fem_cell_matrix *matrix,
                    float *blocks)
{
    SW_GRID_STRIDE (i, 3 * n) {
        const int64_t self = i % n;
        const int component = (int)(i / n);
        int32_t at[3], cell[8];
        float sum[KEPT][3];
        sw_fem_level_place(&map, self, at);
        cells_around(map, at, cell);
        SW_UNROLL_BY(14)
        for (int k = 0; k < KEPT; k++)
            sum[k][0] = sum[k][1] = sum[k][2] = 0;
        SW_UNROLL
        for (int side = 0; side < 8; side++) {
            if (cell[side] < 0)
                continue;
            const float4 *row =
                (const float4 *)(matrix[cell[side]] + 24 * (3 * sw_fem_corner(side) + component));
            float number[24];
            SW_UNROLL
            for (int k = 0; k < 6; k++) {
                const float4 four = __ldg(row + k);
                number[4 * k] = four.x;
                number[4 * k + 1] = four.y;
                number[4 * k + 2] = four.z;
                number[4 * k + 3] = four.w;
            }
            SW_UNROLL
            for (int a = 0; a < 8; a++) {
                const int b = sw_fem_corner(a);
                const int k = ((b >> 2) - (side >> 2)) * 9 + ((b >> 1 & 1) - (side >> 1 & 1)) * 3 + (b & 1) -
                              (side & 1);
                SW_UNROLL
                for (int j = 0; j < 3; j++)
                    if (k >= 0)
                        sum[k < 0 ? 0 : k][j] += number[3 * a + j];
            }
        }
        SW_UNROLL_BY(14)
        for (int k = 0; k < KEPT; k++)
            SW_UNROLL
        for (int j = 0; j < 3; j++)
            blocks[(9 * k + 3 * component + j) * n + self] = sum[k][j];
    }
}

sw_status assemble(const sw_fem_present_level *l)
{
    assemble_kernel<<<sw_blocks_for(3 * l->n_nodes, 128), 128>>>(l->n_nodes, l->map, l->matrix, l->blocks);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* ---- Nodes' own blocks, inverted ---- */

/* Blocks in the place of their inverses, of this part's cells: those of all, inverted. */
sw_status invert_summed(const sw_fem_present *p, int level)
{
    const sw_fem_level_map map = p->level[level].map;
    float(*inverse)[9] = p->level[level].inverse;
    int *flag = p->indefinite;
    SW_TRY(p->divided->exchange->sum(p->divided->exchange_work[level], 9, inverse));
    return sw_each(p->level[level].n_nodes, [=] __device__(int64_t i) {
        double block[9];
        for (int k = 0; k < 9; k++)
            block[k] = inverse[i][k];
        if (!sw_fem_invert_node(map.fixed[i], block))
            *flag = 1;
        for (int k = 0; k < 9; k++)
            inverse[i][k] = (float)block[k];
    });
}

sw_status invert(void *opaque, int level, int *indefinite)
{
    const sw_fem_present *p = present_of(opaque);
    const sw_fem_level_map map = p->level[level].map;
    const sw_fem_cell_matrix *matrix = p->level[level].matrix;
    float(*inverse)[9] = p->level[level].inverse;
    int *flag = p->indefinite, wrong;
    const bool divided = p->divided != NULL; /* blocks first, which parts add up */
    SW_TRY(assemble(&p->level[level]));
    SW_CUDA_TRY(cudaMemsetAsync(flag, 0, sizeof *flag));
    SW_TRY(sw_each(p->level[level].n_nodes, [=] __device__(int64_t i) {
        int32_t at[3], cell[8];
        double block[9] = {0};
        sw_fem_level_place(&map, i, at);
        cells_around(map, at, cell);
        for (int side = 0; side < 8; side++)
            for (int k = 0; k < 9 && cell[side] >= 0; k++) {
                const int a = 3 * sw_fem_corner(side);
                block[k] += matrix[cell[side]][24 * (a + k / 3) + a + k % 3];
            }
        if (!divided && !sw_fem_invert_node(map.fixed[i], block))
            *flag = 1; /* whoever says so, all say the same */
        for (int k = 0; k < 9; k++)
            inverse[i][k] = (float)block[k];
    }));
    if (divided)
        SW_TRY(invert_summed(p, level));
    SW_CUDA_TRY(cudaMemcpy(&wrong, flag, sizeof wrong, cudaMemcpyDeviceToHost));
    *indefinite |= wrong;
    return SW_OK;
}

sw_status scale(void *opaque, int level, double by)
{
    float *inverse = present_of(opaque)->level[level].inverse[0];
    return sw_each(9 * present_of(opaque)->level[level].n_nodes,
                   [=] __device__(int64_t i) { inverse[i] = (float)(inverse[i] * by); });
}

/* ---- The coarsest level ---- */

sw_status last_cells(void *opaque, sw_fem_cell_matrix *matrix)
{
    const sw_fem_present *p = present_of(opaque);
    const sw_fem_present_level *l = &p->level[p->hierarchy->n_levels - 1];
    SW_CUDA_TRY(cudaMemcpy(matrix, l->matrix, l->n_cells * sizeof *matrix, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status keep_coarsest(void *opaque)
{
    const sw_fem_present *p = present_of(opaque);
    const int64_t n = p->hierarchy->n_coarsest * p->hierarchy->n_coarsest;
    float *single;
    SW_TRY(SW_ALLOCATE(single, n, "coarsest level"));
    for (int64_t i = 0; i < n; i++)
        single[i] = (float)p->hierarchy->coarsest[i];
    const sw_status status = sw_cuda_status(
        cudaMemcpy(p->coarsest, single, n * sizeof *single, cudaMemcpyHostToDevice), "coarsest level");
    free(single);
    return status;
}

/* ---- Vectors ---- */

sw_status start(void *opaque, int level, void *direction, void *rest)
{
    const sw_fem_present_level *l = &present_of(opaque)->level[level];
    const uint8_t *fixed = l->map.fixed;
    const int32_t *number = l->number;
    float *d = (float *)direction, *r = (float *)rest;
    return sw_each(3 * l->n_nodes, [=] __device__(int64_t i) {
        r[i] = 0;
        if (d)
            d[i] = (fixed[i / 3] >> (i % 3) & 1)
                       ? 0
                       : (float)sw_fem_scattered(number ? 3 * (int64_t)number[i / 3] + i % 3 : i);
    });
}

sw_status dot(void *opaque, int level, const void *x, const void *y, double *result)
{
    const sw_fem_present *p = present_of(opaque);
    const float *a = (const float *)x, *b = (const float *)y;
    return sw_sum_over(
        3 * p->level[level].n_counted, [=] __device__(int64_t i) { return (double)a[i] * b[i]; }, p->partial,
        result);
}

/* ---- For the cycle ---- */

/* sum += A u, or A' u where it is the other node's: A the block number k of a node's. */
template <bool OTHERS>
__device__ __forceinline__ void add_block(const float *__restrict__ blocks, int64_t n, int k, int64_t of,
                                          const float (&u)[3], float (&sum)[3])
{
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int j = 0; j < 3; j++)
        sum[i] += __ldg(blocks + (9 * k + (OTHERS ? 3 * j + i : 3 * i + j)) * n + of) * u[j];
}

/* Of the nine neighbours of a layer, Z from -1 to 1. Where there is none u is 0. */
template <int Z>
__device__ __forceinline__ void add_layer(const sw_fem_level_map &map, const int32_t at[3],
                                          const float *__restrict__ blocks, int64_t n, int64_t self,
                                          const float *__restrict__ d, float (&sum)[3])
{
    float u[9][3];
    int32_t node[9]; /* all are asked for before one is waited for */
    SW_UNROLL_BY(9)
    for (int k = 0; k < 9; k++)
        node[k] = sw_fem_level_node(&map, at[0] + k % 3 - 1, at[1] + k / 3 - 1, at[2] + Z);
    SW_UNROLL_BY(9)
    for (int k = 0; k < 9; k++) {
        const bool there = node[k] >= 0;
        node[k] = there ? node[k] : (int32_t)self;
        SW_UNROLL
        for (int j = 0; j < 3; j++)
            u[k][j] = there ? __ldg(d + 3 * (int64_t)node[k] + j) : 0;
    }
    SW_UNROLL_BY(9)
    for (int k = 0; k < 9; k++) {
        const int of = 9 * (Z + 1) + k;
        if (of < SELF)
            add_block<true>(blocks, n, SELF - of, node[k], u[k], sum);
        else
            add_block<false>(blocks, n, of - SELF, self, u[k], sum);
    }
}

/* A thread a node. Half of the numbers its neighbours have read shortly before or will read, from the cache. After the first
 * n_counted r is taken as 0. */
__global__ void __launch_bounds__(128)
    reduce_kernel(int64_t n, int64_t n_counted, const __grid_constant__ sw_fem_level_map map,
                  const float *__restrict__ blocks, const float *__restrict__ d, float *r)
{
    SW_GRID_STRIDE (self, n) {
        const uint8_t fixed = map.fixed[self];
        int32_t at[3];
        float sum[3] = {0, 0, 0};
        sw_fem_level_place(&map, self, at);
        add_layer<-1>(map, at, blocks, n, self, d, sum);
        add_layer<0>(map, at, blocks, n, self, d, sum);
        add_layer<1>(map, at, blocks, n, self, d, sum);
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            r[3 * self + i] = fixed >> i & 1 ? 0 : (self < n_counted ? r[3 * self + i] : 0) - sum[i];
    }
}

} // namespace

sw_status sw_fem_present_reduce_cuda(const sw_fem_present_level *l, bool share, const float *d, float *r,
                                     cudaStream_t stream)
{
    reduce_kernel<<<sw_blocks_for(l->n_nodes, 128), 128, 0, stream>>>(
        l->n_nodes, share ? l->n_nodes : l->n_counted, l->map, l->blocks, d, r);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status sw_fem_present_smooth_cuda(const sw_fem_present_level *l, float a, float b, const float *r,
                                     float *d, float *x, cudaStream_t stream)
{
    const float(*inverse)[9] = l->inverse;
    return sw_each(
        3 * l->n_nodes,
        [=] __device__(int64_t i) {
            const float *row = inverse[i / 3] + i % 3 * 3, *rest = r + i / 3 * 3;
            const float next =
                (a == 0 ? 0 : a * d[i]) + b * (row[0] * rest[0] + row[1] * rest[1] + row[2] * rest[2]);
            d[i] = next;
            x[i] += next;
        },
        stream);
}

/* ---- Open and close ---- */

namespace
{

/* n of *pointer's type, from host unless NULL, counted. */
template <typename type> sw_status place(sw_fem_present *p, type *&pointer, int64_t n, const type *host)
{
    SW_TRY(SW_CUDA_ALLOCATE(pointer, n, "multigrid"));
    p->bytes += n * (int64_t)sizeof(type);
    if (host)
        SW_CUDA_TRY(cudaMemcpy(pointer, host, n * sizeof(type), cudaMemcpyHostToDevice));
    return SW_OK;
}

/* Weights [part][its node][coarse node], by corner, of trilinear interpolation; factor: cells along each side. */
void weights_of(const int factor[3], float weight[512])
{
    for (int i = 0; i < 512; i++) {
        weight[i] = 1;
        for (int j = 0; j < 3; j++) {
            const float at = (float)((i >> (6 + j) & 1) + (i >> (3 + j) & 1)) / (float)factor[j];
            weight[i] *= (i >> j & 1) ? at : 1 - at;
        }
    }
}

} // namespace

sw_status sw_fem_present_open_cuda(const sw_fem_hierarchy *h, sw_fem_present *p)
{
    p->hierarchy = h;
    SW_TRY(place(p, p->owner, h->level[0].n_nodes, h->owner));
    SW_TRY(place(p, p->indefinite, 1, (const int *)NULL));
    SW_TRY(place(p, p->partial, SW_SUM_BLOCKS + 1, (const double *)NULL));
    for (int i = 0; i < h->n_levels; i++) {
        const sw_fem_level *from = &h->level[i];
        sw_fem_present_level *l = &p->level[i];
        float weight[512];
        l->n_nodes = from->n_nodes;
        l->n_counted = from->n_counted;
        l->n_cells = from->n_own;
        SW_TRY(place(p, l->matrix, l->n_cells, (const sw_fem_cell_matrix *)NULL));
        SW_TRY(place(p, l->inverse, l->n_nodes, (const float(*)[9])NULL));
        SW_TRY(place(p, l->blocks, KEPT * 9 * l->n_nodes, (const float *)NULL));
        SW_TRY(place(p, l->own_cell, l->n_cells, from->own_cell));
        if (i == 0)
            continue;
        weights_of(from->factor, weight);
        SW_TRY(place(p, l->weight, 512, weight));
    }
    return SW_OK;
}

void sw_fem_present_close_cuda(sw_fem_present *p)
{
    for (sw_fem_present_level &l : p->level) {
        cudaFree(l.matrix);
        cudaFree(l.inverse);
        cudaFree(l.blocks);
        cudaFree(l.own_cell);
        cudaFree(l.weight);
    }
    cudaFree(p->owner);
    cudaFree(p->indefinite);
    cudaFree(p->partial);
}

sw_fem_present_functions sw_fem_present_cuda(sw_fem_present *p)
{
    return {p, fill, put, coarsen, invert, scale, last_cells, keep_coarsest, start, dot};
}
