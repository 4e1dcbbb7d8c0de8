/* Kernel 1: a thread an element. Kernel 2: the product of a band matrix, by square tiles through shared memory, and
 * the vectors' parts of the methods. One GPU: each iteration has two sums over all unknowns, on which
 * several would have to agree; the largest of the paper's meshes, 6,400 elements, is 13,122 unknowns, whose product is
 * over sooner than that. */
#include <cub/block/block_reduce.cuh>
#include <stdlib.h>
#include <string.h>

#include "convected_cuda.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"

struct sw_fem_convected_cuda {
    sw_fem_convected_model model;
    int64_t cells[2], n_elements, n_pass;
    int32_t *node;          /* [E][4] */
    double *input, *output; /* of one pass */
    uint8_t *fixed;         /* [n] */
    double *value;          /* [n] */
    sw_fem_band_space space;
};

namespace
{

/* ---- Kernel 1 ---- */

enum { ELEMENT_THREADS = 64 };

/* Number i of element e at [i n + e]: neighbours in a warp read and write neighbours in memory. */
__global__ void __launch_bounds__(ELEMENT_THREADS)
    elements_kernel(const __grid_constant__ sw_fem_convected_model model, int64_t n,
                    const double *__restrict__ input, double *__restrict__ output)
{
    SW_GRID_STRIDE (e, n)
        sw_fem_convected_element(&model, input + e, n, output + e);
}

/* The elements of one colour among those of a pass: `first` is the pass's. */
__global__ void add_colour_kernel(int colour, int64_t first, int64_t n, int64_t across,
                                  const int32_t *__restrict__ node, const double *__restrict__ output,
                                  const __grid_constant__ sw_fem_band band, double *right)
{
    SW_GRID_STRIDE (e, n) {
        const int64_t element = first + e;
        if (element % across % 2 + 2 * (element / across % 2) != colour)
            continue;
        for (int i = 0; i < 8; i++) {
            const int64_t row = 2 * node[4 * element + i / 2] + i % 2;
            right[row] += output[(64 + i) * n + e];
            for (int j = 0; j < 8; j++)
                *sw_fem_band_at(&band, row, 2 * node[4 * element + j / 2] + j % 2) +=
                    output[(8 * i + j) * n + e];
        }
    }
}

/* One upload of the pass's records, and the kernel. */
sw_status run_pass(sw_fem_convected_cuda *cuda, int64_t first, int64_t n, const double *input)
{
    SW_CUDA_TRY(cudaMemcpy(cuda->input, input + first * SW_FEM_CONVECTED_INPUT,
                           n * SW_FEM_CONVECTED_INPUT * sizeof *input, cudaMemcpyHostToDevice));
    elements_kernel<<<sw_blocks_for(n, ELEMENT_THREADS), ELEMENT_THREADS>>>(cuda->model, n, cuda->input,
                                                                            cuda->output);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

int64_t size_of_pass(const sw_fem_convected_cuda *cuda, int64_t first)
{
    return cuda->n_elements - first < cuda->n_pass ? cuda->n_elements - first : cuda->n_pass;
}

/* ---- Kernel 2 ---- */

/* A tile is TILE x TILE numbers; a row of threads reads a row of it, ROWS rows at a time. */
enum { TILE = 32, ROWS = 8 };

/* y of TILE rows (transposed: columns) from the tiles that the band has beside them. A tile is read by rows, as it
 * lies in memory; one column more than TILE puts what a warp reads of it next into different banks. */
template <bool Transposed>
__global__ void __launch_bounds__(TILE *ROWS)
    product_kernel(const __grid_constant__ sw_fem_band band, const double *__restrict__ x,
                   double *__restrict__ y)
{
    __shared__ double tile[TILE][TILE + 1], part[ROWS][TILE];
    const int lane = threadIdx.x, group = threadIdx.y;
    const int64_t mine = (int64_t)blockIdx.x * TILE;
    const int64_t from = mine > band.half ? (mine - band.half) / TILE * TILE : 0;
    double sum = 0;
    for (int64_t other = from; other < band.n && other <= mine + TILE - 1 + band.half; other += TILE) {
        const int64_t row0 = Transposed ? other : mine, column = (Transposed ? mine : other) + lane;
        for (int r = group; r < TILE; r += ROWS) {
            const int64_t row = row0 + r, off = column - row;
            const bool inside = row < band.n && column < band.n && off >= -band.half && off <= band.half;
            tile[r][lane] = inside ? *sw_fem_band_at(&band, row, column) : 0;
        }
        __syncthreads();
        for (int k = group; k < TILE; k += ROWS)
            if (other + k < band.n)
                sum += (Transposed ? tile[k][lane] : tile[lane][k]) * x[other + k];
        __syncthreads();
    }
    part[group][lane] = sum;
    __syncthreads();
    if (group == 0 && mine + lane < band.n) {
        for (int g = 1; g < ROWS; g++)
            sum += part[g][lane];
        y[mine + lane] = sum;
    }
}

sw_status product(sw_fem_band_space *space, int transposed, const double *x, double *y)
{
    const dim3 threads(TILE, ROWS);
    const unsigned blocks = (unsigned)((space->band.n + TILE - 1) / TILE);
    if (transposed)
        product_kernel<true><<<blocks, threads>>>(space->band, x, y);
    else
        product_kernel<false><<<blocks, threads>>>(space->band, x, y);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

enum { DOTS_THREADS = 1024 };

/* Both sums in one block, always in the same order: a vector is short, and a second launch dearer than one block. */
__global__ void __launch_bounds__(DOTS_THREADS)
    dots_kernel(int64_t n, const double *x, const double *y, double *both)
{
    using reduce = cub::BlockReduce<double, DOTS_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double xy = 0, yy = 0;
    for (int64_t i = threadIdx.x; i < n; i += DOTS_THREADS) {
        xy += x[i] * y[i];
        yy += y[i] * y[i];
    }
    xy = reduce(storage).Sum(xy);
    __syncthreads();
    yy = reduce(storage).Sum(yy);
    if (threadIdx.x == 0) {
        both[0] = xy;
        both[1] = yy;
    }
}

sw_status dots(sw_fem_band_space *space, const double *x, const double *y, double both[2])
{
    dots_kernel<<<1, DOTS_THREADS>>>(space->band.n, x, y, space->scratch);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(both, space->scratch, 2 * sizeof *both, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status combine(sw_fem_band_space *space, double a, const double *x, double b, double *y)
{
    return sw_each(space->band.n, [=] __device__(int64_t i) { y[i] = a * x[i] + (b == 0 ? 0 : b * y[i]); });
}

sw_status divide(sw_fem_band_space *space, const double *x, double *y)
{
    const sw_fem_band band = space->band;
    return sw_each(band.n, [=] __device__(int64_t i) { y[i] = x[i] / *sw_fem_band_at(&band, i, i); });
}

__global__ void __launch_bounds__(DOTS_THREADS)
    norm_kernel(const __grid_constant__ sw_fem_band band, double *norm)
{
    __shared__ double most[DOTS_THREADS];
    const int64_t width = 2 * band.half + 1;
    double mine = 0;
    for (int64_t row = threadIdx.x; row < band.n; row += DOTS_THREADS) {
        double sum = 0;
        for (int64_t j = 0; j < width; j++)
            sum += fabs(band.value[row * width + j]);
        mine = fmax(mine, sum);
    }
    most[threadIdx.x] = mine;
    __syncthreads();
    for (int half = DOTS_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            most[threadIdx.x] = fmax(most[threadIdx.x], most[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *norm = most[0];
}

sw_status find_norm(sw_fem_band_space *space, double *norm)
{
    norm_kernel<<<1, DOTS_THREADS>>>(space->band, space->scratch);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(norm, space->scratch, sizeof *norm, cudaMemcpyDeviceToHost));
    return SW_OK;
}

const sw_fem_band_functions functions = {product, dots, combine, divide, find_norm};

/* ---- Memory ---- */

sw_status open_space(int64_t n, int64_t half, sw_fem_band_space *space)
{
    space->on = &functions;
    space->band.n = n;
    space->band.half = half;
    SW_TRY(SW_CUDA_ALLOCATE(space->band.value, n * (2 * half + 1), "band matrix"));
    SW_TRY(SW_CUDA_ALLOCATE(space->right, n, "right side"));
    SW_TRY(SW_CUDA_ALLOCATE(space->solution, n, "solution"));
    SW_TRY(SW_CUDA_ALLOCATE(space->scratch, 2, "sums"));
    for (int i = 0; i < SW_FEM_BAND_VECTORS; i++)
        SW_TRY(SW_CUDA_ALLOCATE(space->work[i], n, "vector"));
    return SW_OK;
}

sw_status open_all(sw_fem_convected_cuda *cuda, const int32_t *node, int64_t n, int64_t half)
{
    SW_TRY(sw_gpu_use(NULL));
    SW_TRY(SW_CUDA_ALLOCATE(cuda->node, 4 * cuda->n_elements, "elements"));
    SW_TRY(SW_CUDA_ALLOCATE(cuda->input, cuda->n_pass * SW_FEM_CONVECTED_INPUT, "element records"));
    SW_TRY(SW_CUDA_ALLOCATE(cuda->output, cuda->n_pass * SW_FEM_CONVECTED_OUTPUT, "element matrices"));
    SW_TRY(SW_CUDA_ALLOCATE(cuda->fixed, n, "unknowns"));
    SW_TRY(SW_CUDA_ALLOCATE(cuda->value, n, "unknowns"));
    SW_CUDA_TRY(cudaMemcpy(cuda->node, node, 4 * cuda->n_elements * sizeof *node, cudaMemcpyHostToDevice));
    return open_space(n, half, &cuda->space);
}

} // namespace

extern "C" sw_status sw_fem_convected_cuda_open(const sw_fem_convected_model *model, const int64_t cells[2],
                                                const int32_t *node, int64_t n_unknowns, int64_t half,
                                                int64_t n_pass, sw_fem_convected_cuda **result)
{
    sw_fem_convected_cuda *cuda;
    *result = NULL;
    SW_TRY(SW_ALLOCATE(cuda, 1, "GPU"));
    cuda->model = *model;
    cuda->cells[0] = cells[0];
    cuda->cells[1] = cells[1];
    cuda->n_elements = cells[0] * cells[1];
    cuda->n_pass = n_pass;
    const sw_status status = open_all(cuda, node, n_unknowns, half);
    if (status == SW_OK)
        *result = cuda;
    else
        sw_fem_convected_cuda_close(cuda);
    return status;
}

extern "C" void sw_fem_convected_cuda_close(sw_fem_convected_cuda *cuda)
{
    if (!cuda)
        return;
    void *const owned[] = {cuda->node,        cuda->input,          cuda->output,
                           cuda->fixed,       cuda->value,          cuda->space.band.value,
                           cuda->space.right, cuda->space.solution, cuda->space.scratch};
    for (void *each : owned)
        cudaFree(each);
    for (double *each : cuda->space.work)
        cudaFree(each);
    free(cuda);
}

extern "C" sw_fem_band_space *sw_fem_convected_cuda_space(sw_fem_convected_cuda *cuda)
{
    return &cuda->space;
}

extern "C" sw_status sw_fem_convected_cuda_elements(sw_fem_convected_cuda *cuda, const double *input,
                                                    double *output)
{
    for (int64_t first = 0; first < cuda->n_elements; first += cuda->n_pass) {
        const int64_t n = size_of_pass(cuda, first);
        SW_TRY(run_pass(cuda, first, n, input));
        SW_CUDA_TRY(cudaMemcpy(output + first * SW_FEM_CONVECTED_OUTPUT, cuda->output,
                               n * SW_FEM_CONVECTED_OUTPUT * sizeof *output, cudaMemcpyDeviceToHost));
    }
    return SW_OK;
}

extern "C" sw_status sw_fem_convected_cuda_assemble(sw_fem_convected_cuda *cuda, const double *input,
                                                    const double *external, const uint8_t *fixed,
                                                    const double *value)
{
    const sw_fem_band band = cuda->space.band;
    const int64_t n = band.n;
    const uint8_t *fixed_there = cuda->fixed;
    const double *value_there = cuda->value;
    double *right = cuda->space.right;
    SW_CUDA_TRY(cudaMemset(band.value, 0, n * (2 * band.half + 1) * sizeof *band.value));
    SW_CUDA_TRY(cudaMemcpy(right, external, n * sizeof *right, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(cuda->fixed, fixed, n * sizeof *fixed, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(cuda->value, value, n * sizeof *value, cudaMemcpyHostToDevice));
    for (int64_t first = 0; first < cuda->n_elements; first += cuda->n_pass) {
        const int64_t n_here = size_of_pass(cuda, first);
        SW_TRY(run_pass(cuda, first, n_here, input));
        for (int colour = 0; colour < 4; colour++) {
            add_colour_kernel<<<sw_blocks_for(n_here, ELEMENT_THREADS), ELEMENT_THREADS>>>(
                colour, first, n_here, cuda->cells[0], cuda->node, cuda->output, band, right);
            SW_CUDA_TRY_LAUNCH();
        }
    }
    SW_TRY(sw_each(n, [=] __device__(int64_t row) {
        sw_fem_band_constrain(&band, fixed_there, value_there, row, right);
    }));
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

extern "C" sw_status sw_fem_convected_cuda_load(sw_fem_convected_cuda *cuda, const double *matrix,
                                                const double *right)
{
    const sw_fem_band_space *space = &cuda->space;
    const int64_t n = space->band.n;
    SW_CUDA_TRY(cudaMemcpy(space->band.value, matrix, n * (2 * space->band.half + 1) * sizeof *matrix,
                           cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(space->right, right, n * sizeof *right, cudaMemcpyHostToDevice));
    return SW_OK;
}

extern "C" sw_status sw_fem_convected_cuda_read(sw_fem_convected_cuda *cuda, double *solution)
{
    SW_CUDA_TRY(cudaMemcpy(solution, cuda->space.solution, cuda->space.band.n * sizeof *solution,
                           cudaMemcpyDeviceToHost));
    return SW_OK;
}
