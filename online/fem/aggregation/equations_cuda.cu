/* On a GPU a warp has a row of blocks: its lanes read the entries one beside the other, each of one component, and add up what
 * they have of it. A cycle moves what the CPU's does; the coarsest level is multiplied by its inverse. */
#include <new>

#include "equations.h"
#include "level.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "online/gpu/sums.cuh"

namespace
{

enum { THREADS = 128, WARP = 32 };
constexpr unsigned ALL = 0xffffffff;

/* ---- Arrays ---- */

template <typename type> struct array {
    type *at = nullptr;
    int64_t room = 0;

    sw_status grow(int64_t n, const char *what)
    {
        if (n <= room)
            return SW_OK;
        cudaFree(at);
        at = nullptr;
        room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(at, n, what));
        room = n;
        return SW_OK;
    }
    sw_status fill(int64_t n, const type *host, const char *what)
    {
        SW_TRY(grow(n, what));
        if (n > 0)
            SW_CUDA_TRY(cudaMemcpy(at, host, n * sizeof *at, cudaMemcpyHostToDevice));
        return SW_OK;
    }
    ~array() { cudaFree(at); }
};

struct blocks_on {
    int height = 0, width = 0;
    int64_t n_rows = 0;
    array<int64_t> row;
    array<int32_t> column;
    array<float> value; /* by columns of blocks */

    sw_status fill(const sw_cycle_blocks &from)
    {
        const int64_t entries = from.row[from.n_rows];
        height = from.height;
        width = from.width;
        n_rows = from.n_rows;
        SW_TRY(row.fill(n_rows + 1, from.row, "multigrid"));
        SW_TRY(column.fill(entries, from.column, "multigrid"));
        return value.fill(entries * height * width, from.value, "multigrid");
    }
};

struct level_on {
    int64_t n = 0; /* unknowns */
    double largest = 0;
    int turns = 1;
    blocks_on a, p, r;
    array<float> inverse, x, right, d;
};

struct cuda_work {
    array<int64_t> row; /* of the matrix */
    array<int32_t> column;
    array<double> value;
    array<double> partial;
    int n_levels = 0, factorised = 0;
    level_on level[SW_MOST_LEVELS];
    array<float> coarsest; /* [n][n] inverse of the last level's matrix */
};

cuda_work *work_of(const sw_block_equations *e) { return (cuda_work *)e->work; }
cuda_work *work_of(const sw_fem *fem) { return work_of((const sw_block_equations *)fem->work); }

/* ---- Rows ---- */

/* What a kernel has of blocks. */
struct rows {
    int64_t n_rows;
    const int64_t *row;
    const int32_t *column;
    const float *value;
};
rows rows_of(const blocks_on &b) { return {b.n_rows, b.row.at, b.column.at, b.value.at}; }

/* Lane i < H: component i of row n times x. */
template <int H, int W> __device__ float row_times(const rows &a, int64_t n, int lane, const float *x)
{
    constexpr int COLUMNS = WARP / H;
    const int i = lane % H;
    const int64_t first = a.row[n], columns = (a.row[n + 1] - first) * W;
    float mine = 0, sum = 0;
    if (lane < COLUMNS * H)
        for (int64_t q = lane / H; q < columns; q += COLUMNS)
            mine += a.value[(first * W + q) * H + i] * x[(int64_t)a.column[first + q / W] * W + q % W];
    for (int c = 0; c < COLUMNS; c++)
        sum += __shfl_sync(ALL, mine, i + c * H);
    return sum;
}

enum kind { REST, ADD, PRODUCT };

/* y = right - a x, y += a x, or y = a x. */
template <int H, int W, int WHAT>
__global__ void __launch_bounds__(THREADS)
    multiply_kernel(rows a, const float *x, const float *right, float *y)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warps = (int64_t)gridDim.x * (THREADS / WARP);
    for (int64_t n = blockIdx.x * (int64_t)(THREADS / WARP) + threadIdx.x / WARP; n < a.n_rows; n += warps) {
        const float sum = row_times<H, W>(a, n, lane, x);
        if (lane < H)
            y[n * H + lane] = WHAT == REST  ? right[n * H + lane] - sum
                              : WHAT == ADD ? y[n * H + lane] + sum
                                            : sum;
    }
}

/* d = first inverse (right - a x) + second d; x is zero where fresh. */
template <int B>
__global__ void __launch_bounds__(THREADS)
    step_kernel(rows a, const float *inverse, const float *x, const float *right, int fresh, float first,
                float second, float *d)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warps = (int64_t)gridDim.x * (THREADS / WARP);
    for (int64_t n = blockIdx.x * (int64_t)(THREADS / WARP) + threadIdx.x / WARP; n < a.n_rows; n += warps) {
        const float sum = fresh ? 0 : row_times<B, B>(a, n, lane, x);
        const float rest = lane < B ? right[n * B + lane] - sum : 0;
        float z = 0;
        for (int j = 0; j < B; j++) {
            const float other = __shfl_sync(ALL, rest, j);
            z += lane < B ? inverse[(n * B + lane) * B + j] * other : 0;
        }
        if (lane < B)
            d[n * B + lane] = first * z + (second == 0 ? 0 : second * d[n * B + lane]);
    }
}

unsigned warps_for(int64_t n) { return sw_blocks_for(n, THREADS / WARP); }

template <int WHAT> sw_status multiply(const blocks_on &b, const float *x, const float *right, float *y)
{
    const unsigned n = warps_for(b.n_rows);
    const rows a = rows_of(b);
#define SHAPE(h, w)                                                  \
    case 10 * (h) + (w):                                             \
        multiply_kernel<h, w, WHAT><<<n, THREADS>>>(a, x, right, y); \
        break;
    switch (10 * b.height + b.width) {
        SHAPE(3, 3)
        SHAPE(6, 6)
        SHAPE(3, 6)
        SHAPE(6, 3)
    }
#undef SHAPE
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* ---- The cycle; constants are the CPU's, cycle.c ---- */

sw_status advance_level(level_on &l, int fresh, double first, double second)
{
    const unsigned n = warps_for(l.a.n_rows);
    if (l.a.height == 3)
        step_kernel<3><<<n, THREADS>>>(rows_of(l.a), l.inverse.at, l.x.at, l.right.at, fresh, (float)first,
                                       (float)second, l.d.at);
    else
        step_kernel<6><<<n, THREADS>>>(rows_of(l.a), l.inverse.at, l.x.at, l.right.at, fresh, (float)first,
                                       (float)second, l.d.at);
    SW_CUDA_TRY_LAUNCH();
    float *x = l.x.at;
    const float *d = l.d.at;
    if (fresh)
        return sw_each(l.n, [=] __device__(int64_t i) { x[i] = d[i]; });
    return sw_each(l.n, [=] __device__(int64_t i) { x[i] += d[i]; });
}

sw_status smooth(level_on &l, int fresh)
{
    const sw_chebyshev c = sw_chebyshev_of(l.largest);
    SW_TRY(advance_level(l, fresh, c.first, 0));
    return advance_level(l, 0, c.second, c.keep);
}

__global__ void __launch_bounds__(THREADS)
    dense_kernel(int64_t n, const float *inverse, const float *right, float *x)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warps = (int64_t)gridDim.x * (THREADS / WARP);
    for (int64_t i = blockIdx.x * (int64_t)(THREADS / WARP) + threadIdx.x / WARP; i < n; i += warps) {
        float sum = 0;
        for (int64_t j = lane; j < n; j += WARP)
            sum += inverse[i * n + j] * right[j];
        for (int c = WARP / 2; c > 0; c /= 2)
            sum += __shfl_down_sync(ALL, sum, c);
        if (lane == 0)
            x[i] = sum;
    }
}

sw_status cycle(cuda_work *work, int k)
{
    level_on &l = work->level[k];
    if (k == work->n_levels - 1 && work->factorised) {
        dense_kernel<<<warps_for(l.n), THREADS>>>(l.n, work->coarsest.at, l.right.at, l.x.at);
        SW_CUDA_TRY_LAUNCH();
        return SW_OK;
    }
    for (int turn = 0; turn < l.turns; turn++) {
        SW_TRY(smooth(l, turn == 0));
        if (k == work->n_levels - 1)
            return SW_OK;
        level_on &next = work->level[k + 1];
        SW_TRY(multiply<REST>(l.a, l.x.at, l.right.at, l.d.at));
        SW_TRY(multiply<PRODUCT>(l.r, l.d.at, nullptr, next.right.at));
        SW_TRY(cycle(work, k + 1));
        SW_TRY(multiply<ADD>(l.p, next.x.at, nullptr, l.x.at));
        SW_TRY(smooth(l, 0));
    }
    return SW_OK;
}

/* ---- What is new ---- */

sw_status open_cuda(sw_block_equations *e)
{
    const sw_blocks *a = e->matrix;
    if (a->height != 3 || a->width != 3)
        return sw_error(SW_ERR_UNAVAILABLE, "algebraic multigrid on a GPU: blocks of %d: need 3", a->height);
    SW_TRY(sw_gpu_use(NULL));
    cuda_work *work = new (std::nothrow) cuda_work;
    if (work == nullptr)
        return sw_error(SW_ERR_MEMORY, "no memory for multigrid");
    e->work = work;
    SW_TRY(work->row.fill(a->n_rows + 1, a->row, "matrix"));
    SW_TRY(work->column.fill(a->row[a->n_rows], a->column, "matrix"));
    return work->partial.grow(SW_SUM_BLOCKS + 1, "sums");
}

void close_cuda(sw_block_equations *e)
{
    double *const vector[] = {e->fem.p, e->fem.g, e->fem.z, e->x, e->r};
    for (double *v : vector)
        cudaFree(v);
    for (double *v : e->fem.krylov)
        cudaFree(v);
    delete work_of(e);
}

sw_status take_matrix(sw_block_equations *e)
{
    return work_of(e)->value.fill(9 * e->matrix->row[e->matrix->n_rows], e->matrix->value, "matrix");
}

sw_status take_level(const sw_cycle_level &from, level_on &l)
{
    l.n = from.n;
    l.largest = from.largest;
    l.turns = from.turns;
    SW_TRY(l.x.grow(l.n, "multigrid"));
    SW_TRY(l.right.grow(l.n, "multigrid"));
    SW_TRY(l.d.grow(l.n, "multigrid"));
    if (from.a.row == nullptr)
        return SW_OK; /* the coarsest */
    SW_TRY(l.a.fill(from.a));
    SW_TRY(l.inverse.fill(l.n * from.a.height, from.inverse, "multigrid"));
    if (from.p.row == nullptr)
        return SW_OK; /* not coarsened */
    SW_TRY(l.p.fill(from.p));
    return l.r.fill(from.r);
}

sw_status take_levels(sw_block_equations *e)
{
    cuda_work *work = work_of(e);
    const sw_aggregation *g = e->levels;
    const int64_t n = g->n_coarsest;
    float *inverse;
    work->n_levels = g->n_levels;
    work->factorised = g->factor != nullptr;
    for (int k = 0; k < g->n_levels; k++)
        SW_TRY(take_level(g->level[k], work->level[k]));
    if (!work->factorised)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(inverse, n * n, "coarsest level"));
    sw_status status = sw_aggregation_invert_coarsest(g, inverse);
    if (status == SW_OK)
        status = work->coarsest.fill(n * n, inverse, "coarsest level");
    free(inverse);
    return status;
}

/* ---- Vectors ---- */

sw_status allocate(sw_fem *fem, double **vector)
{
    return SW_CUDA_ALLOCATE(*vector, fem->n_unknowns, "vector");
}

sw_status copy_in(sw_fem *fem, const double *host, double *vector)
{
    SW_CUDA_TRY(cudaMemcpy(vector, host, fem->n_unknowns * sizeof *vector, cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status copy_out(sw_fem *fem, const double *vector, double *host)
{
    SW_CUDA_TRY(cudaMemcpy(host, vector, fem->n_unknowns * sizeof *vector, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
    return sw_each(fem->n_unknowns,
                   [=] __device__(int64_t i) { y[i] = (a == 0 ? 0 : a * x[i]) + (b == 0 ? 0 : b * y[i]); });
}

sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    return sw_sum_over(
        fem->n_unknowns, [=] __device__(int64_t i) { return x[i] * y[i]; }, work_of(fem)->partial.at, result);
}

sw_status free_part(sw_fem *, double *) { return SW_OK; /* what is no unknown stays zero by itself */ }

sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                  double *square)
{
    return sw_sum_over(
        fem->n_unknowns,
        [=] __device__(int64_t i) {
            const double rest = r[i] - alpha * g[i];
            x[i] += alpha * p[i];
            r[i] = rest;
            return rest * rest;
        },
        work_of(fem)->partial.at, square);
}

/* Three blocks at a time, whose 27 entries are by rows of blocks. */
__global__ void __launch_bounds__(THREADS)
    product_kernel(int64_t n_rows, const int64_t *row, const int32_t *column, const double *value,
                   const double *p, double *g)
{
    const int lane = threadIdx.x % WARP, entry = lane % 9;
    const int64_t warps = (int64_t)gridDim.x * (THREADS / WARP);
    for (int64_t n = blockIdx.x * (int64_t)(THREADS / WARP) + threadIdx.x / WARP; n < n_rows; n += warps) {
        double mine = 0, sum = 0;
        for (int64_t k = row[n] + lane / 9; k < row[n + 1] && lane < 27; k += 3)
            mine += value[k * 9 + entry] * p[3 * (int64_t)column[k] + entry % 3];
        for (int b = 0; b < 3; b++)
            for (int j = 0; j < 3; j++)
                sum += __shfl_sync(ALL, mine, 9 * b + 3 * (lane % 3) + j);
        if (lane < 3)
            g[3 * n + lane] = sum;
    }
}

sw_status product(sw_fem *fem, const double *p, double *g)
{
    const cuda_work *work = work_of(fem);
    product_kernel<<<warps_for(fem->n_nodes), THREADS>>>(fem->n_nodes, work->row.at, work->column.at,
                                                         work->value.at, p, g);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    cuda_work *work = work_of(fem);
    float *right = work->level[0].right.at;
    const float *x = work->level[0].x.at;
    const double scale = ((const sw_block_equations *)fem->work)->scale;
    SW_TRY(sw_each(fem->n_unknowns, [=] __device__(int64_t i) { right[i] = (float)(r[i] / scale); }));
    SW_TRY(cycle(work, 0));
    return sw_each(fem->n_unknowns, [=] __device__(int64_t i) { z[i] = scale * x[i]; });
}

sw_status wait(sw_fem *)
{
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

} // namespace

extern "C" const sw_block_device sw_blocks_cuda = {.vectors = {.queues = 1,
                                                               .allocate = allocate,
                                                               .upload = copy_in,
                                                               .download = copy_out,
                                                               .combine = combine,
                                                               .dot = dot,
                                                               .free_part = free_part,
                                                               .advance = advance,
                                                               .product = product,
                                                               .precondition = precondition,
                                                               .wait = wait},
                                                   .open = open_cuda,
                                                   .close = close_cuda,
                                                   .take_matrix = take_matrix,
                                                   .take_levels = take_levels};
