/* The assembled matrix on the GPU: its pattern and the positions of element matrices' entries found on the
 * device, the product through cuSPARSE. Kiran 2023, section 3.1.1.1.
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, V nodes of an element. */
#ifndef SW_ONLINE_FEM_STORED_ASSEMBLED_CUH
#define SW_ONLINE_FEM_STORED_ASSEMBLED_CUH

#include <cub/cub.cuh>
#include <cusparse.h>

#include "online/gpu/launch.cuh"
#include "matrices.cuh"
#include "stored.cuh"

namespace
{

/* ---- Device memory that is counted ---- */

struct counted {
    sw_fem *fem;
    int64_t bytes;
};

sw_status take(counted *memory, void **pointer, int64_t bytes, const char *what)
{
    SW_TRY(sw_cuda_allocate(pointer, (size_t)bytes, what));
    memory->bytes += bytes;
    sw_fem_count_bytes(memory->fem, bytes);
    return SW_OK;
}
#define TAKE(memory, pointer, n, what) \
    take(memory, (void **)&(pointer), (int64_t)(n) * (int64_t)sizeof *(pointer), what)

void drop(counted *memory, void *pointer, int64_t bytes)
{
    if (pointer == NULL)
        return;
    cudaFree(pointer);
    memory->bytes -= bytes;
    sw_fem_count_bytes(memory->fem, -bytes);
}

/* A CUB algorithm: call(temporary, bytes) is asked for the bytes, then run. */
template <class Call> sw_status with_temporary(counted *memory, Call call)
{
    size_t bytes = 0;
    char *temporary = NULL;
    SW_CUDA_TRY(call(NULL, bytes));
    SW_TRY(TAKE(memory, temporary, bytes > 0 ? bytes : 1, "the work of sorting"));
    const sw_status status = sw_cuda_status(call(temporary, bytes), "CUB");
    drop(memory, temporary, bytes > 0 ? (int64_t)bytes : 1);
    return status;
}

/* ---- Elements around nodes ---- */

__global__ void count_around(int64_t n, const int32_t *node, uint32_t *count)
{
    SW_GRID_STRIDE (i, n)
        atomicAdd(count + node[i], 1u);
}

/* first: ends of the nodes' parts, which become their starts. */
__global__ void fill_around(int64_t n, const int32_t *node, uint32_t *first, uint32_t *at)
{
    SW_GRID_STRIDE (i, n)
        at[atomicSub(first + node[i], 1u) - 1] = (uint32_t)i;
}

/* Ascending, whatever order the atomics had. */
__global__ void sort_around(int64_t n_nodes, const uint32_t *first, uint32_t *at)
{
    SW_GRID_STRIDE (node, n_nodes)
        for (uint32_t i = first[node] + 1; i < first[node + 1]; i++) {
            const uint32_t value = at[i];
            uint32_t j = i;
            for (; j > first[node] && at[j - 1] > value; j--)
                at[j] = at[j - 1];
            at[j] = value;
        }
}

sw_status list_around(counted *memory, const sw_fem_view *view, int V, uint32_t **first, uint32_t **at)
{
    const int64_t N = view->n_nodes, E = view->n_elements;
    if (E * V > UINT32_MAX)
        return sw_error(SW_ERR_RANGE, "%lld elements of %d nodes: this operator takes at most %lld",
                        (long long)E, V, (long long)(UINT32_MAX / V));
    SW_TRY(TAKE(memory, *first, N + 1, "elements around nodes"));
    SW_TRY(TAKE(memory, *at, E * V, "elements around nodes"));
    count_around<<<sw_blocks_for(E * V, 256), 256>>>(E * V, view->node, *first);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(with_temporary(memory, [&](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, *first, *first, (int)(N + 1));
    }));
    fill_around<<<sw_blocks_for(E * V, 256), 256>>>(E * V, view->node, *first, *at);
    SW_CUDA_TRY_LAUNCH();
    sort_around<<<sw_blocks_for(N, 256), 256>>>(N, *first, *at);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* ---- The pattern ---- */

__global__ void count_neighbours(int V, int64_t n_nodes, const int32_t *node_of, sw_fem_around around,
                                 int64_t *first)
{
    SW_GRID_STRIDE (node, n_nodes)
        first[node + 1] = sw_fem_count_neighbours(V, node_of, around, node);
}

__global__ void list_neighbours(int V, int64_t n_nodes, const int32_t *node_of, sw_fem_around around,
                                const int64_t *first, int32_t *neighbour)
{
    SW_GRID_STRIDE (node, n_nodes)
        sw_fem_list_neighbours(V, node_of, around, node, neighbour + first[node]);
}

template <class Index>
__global__ void fill_rows(int c, int64_t n_nodes, const int64_t *first, const int32_t *neighbour, Index *row,
                          Index *column)
{
    SW_GRID_STRIDE (i, n_nodes * c) {
        const int64_t node = i / c, at = first[node], n = (first[node + 1] - at) * c;
        const int64_t start = at * c * c + i % c * n;
        row[i] = (Index)start;
        if (i == n_nodes * c - 1)
            row[i + 1] = (Index)(start + n);
        for (int64_t j = 0; j < n; j++)
            column[start + j] = (Index)neighbour[at + j / c] * c + (Index)(j % c);
    }
}

__global__ void fill_positions(int V, int64_t n_elements, const int32_t *node, const int64_t *first,
                               const int32_t *neighbour, uint16_t *position, int *fits)
{
    SW_GRID_STRIDE (e, n_elements)
        if (!sw_fem_positions(V, node + e * V, first, neighbour, position + e * V * V))
            *fits = 0;
}

/* ---- cuSPARSE ---- */

sw_status cusparse_status(cusparseStatus_t status, const char *call)
{
    return status == CUSPARSE_STATUS_SUCCESS
               ? SW_OK
               : sw_error(status == CUSPARSE_STATUS_ALLOC_FAILED ? SW_ERR_MEMORY : SW_ERR_UNAVAILABLE,
                          "GPU: cuSPARSE: %s (%s)", cusparseGetErrorString(status), call);
}
#define CUSPARSE_TRY(call) SW_TRY(cusparse_status((call), #call))

struct assembled_work {
    counted memory;
    int V, c, atomic, wide;
    int64_t n_rows, n_entries;
    void *row, *column; /* 32 bits each, 64 from 2^31 entries on */
    double *value;
    uint16_t *position; /* [E][V][V] */
    double *elastic;    /* [n_materials][W][W]; NULL where elements differ */
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t p, g;
    void *buffer;
    int fresh; /* new values: cuSPARSE has not seen them */
};

void close_assembled(void *pointer)
{
    assembled_work *work = (assembled_work *)pointer;
    if (work == NULL)
        return;
    if (work->p)
        cusparseDestroyDnVec(work->p);
    if (work->g)
        cusparseDestroyDnVec(work->g);
    if (work->matrix)
        cusparseDestroySpMat(work->matrix);
    if (work->handle)
        cusparseDestroy(work->handle);
    cudaFree(work->row);
    cudaFree(work->column);
    cudaFree(work->value);
    cudaFree(work->position);
    cudaFree(work->elastic);
    cudaFree(work->buffer);
    sw_fem_count_bytes(work->memory.fem, -work->memory.bytes);
    free(work);
}

/* What is only needed to find the pattern. */
struct pattern_work {
    uint32_t *first, *at; /* elements around nodes */
    int64_t *start;       /* [N + 1] of a node's neighbours */
    int32_t *neighbour;
    int *fits;
    counted memory;
    ~pattern_work()
    {
        cudaFree(first);
        cudaFree(at);
        cudaFree(start);
        cudaFree(neighbour);
        cudaFree(fits);
        sw_fem_count_bytes(memory.fem, -memory.bytes);
    }
};

sw_status find_pattern(assembled_work *work, const sw_fem_view *view)
{
    const int V = work->V, c = work->c;
    const int64_t N = view->n_nodes, E = view->n_elements;
    pattern_work found = {};
    found.memory.fem = work->memory.fem;
    SW_TRY(list_around(&found.memory, view, V, &found.first, &found.at));
    const sw_fem_around around = {found.first, found.at};
    SW_TRY(TAKE(&found.memory, found.start, N + 1, "neighbours of nodes"));
    count_neighbours<<<sw_blocks_for(N, 256), 256>>>(V, N, view->node, around, found.start);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(with_temporary(&found.memory, [&](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, found.start, found.start, (int)(N + 1));
    }));
    int64_t pairs;
    SW_CUDA_TRY(cudaMemcpy(&pairs, found.start + N, sizeof pairs, cudaMemcpyDeviceToHost));
    SW_TRY(TAKE(&found.memory, found.neighbour, pairs, "neighbours of nodes"));
    list_neighbours<<<sw_blocks_for(N, 256), 256>>>(V, N, view->node, around, found.start, found.neighbour);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(TAKE(&work->memory, work->position, E * V * V, "positions in the matrix"));
    SW_TRY(TAKE(&found.memory, found.fits, 1, "a flag"));
    int fits = 1;
    SW_CUDA_TRY(cudaMemcpy(found.fits, &fits, sizeof fits, cudaMemcpyHostToDevice));
    fill_positions<<<sw_blocks_for(E, 256), 256>>>(V, E, view->node, found.start, found.neighbour,
                                                   work->position, found.fits);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(&fits, found.fits, sizeof fits, cudaMemcpyDeviceToHost));
    if (!fits)
        return sw_error(SW_ERR_RANGE, "the assembled matrix: a node has more than %d neighbours", UINT16_MAX);
    work->n_rows = N * c;
    work->n_entries = pairs * c * c;
    work->wide = work->n_entries > INT32_MAX;
    const int64_t width = work->wide ? 8 : 4;
    SW_TRY(take(&work->memory, &work->row, (work->n_rows + 1) * width, "rows of the matrix"));
    SW_TRY(take(&work->memory, &work->column, work->n_entries * width, "columns of the matrix"));
    if (work->wide)
        fill_rows<<<sw_blocks_for(N * c, 256), 256>>>(c, N, found.start, found.neighbour,
                                                      (int64_t *)work->row, (int64_t *)work->column);
    else
        fill_rows<<<sw_blocks_for(N * c, 256), 256>>>(c, N, found.start, found.neighbour,
                                                      (int32_t *)work->row, (int32_t *)work->column);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaDeviceSynchronize()); /* before what it reads is released */
    return SW_OK;
}

sw_status open_assembled_parts(assembled_work *work, const sw_fem_view *view)
{
    const sw_fem_problem *problem = work->memory.fem->problem;
    const int W = work->V * work->c;
    sw_fem_options single = {};
    single.storage = SW_FEM_SINGLE;
    SW_TRY(find_pattern(work, view));
    SW_TRY(TAKE(&work->memory, work->value, work->n_entries, "the matrix"));
    if (sw_fem_storage_of(problem, &single) == SW_FEM_SINGLE) {
        SW_TRY(TAKE(&work->memory, work->elastic, (int64_t)problem->n_materials * W * W, "elastic matrices"));
        matrix_job job = {};
        job.n = problem->n_materials;
        job.common = 1;
        job.matrix = work->elastic;
        job.layout = SW_FEM_BY_ROW;
        SW_TRY(launch_matrices(view, &job));
    }
    const cusparseIndexType_t index = work->wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    CUSPARSE_TRY(cusparseCreate(&work->handle));
    CUSPARSE_TRY(cusparseCreateCsr(&work->matrix, work->n_rows, work->n_rows, work->n_entries, work->row,
                                   work->column, work->value, index, index, CUSPARSE_INDEX_BASE_ZERO,
                                   CUDA_R_64F));
    return SW_OK;
}

sw_status open_assembled(sw_fem *fem, const sw_fem_view *view, void **pointer)
{
    assembled_work *work;
    *pointer = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "the operator"));
    work->memory.fem = fem;
    work->V = fem->corners;
    work->c = fem->components;
    work->atomic = fem->options.scatter == SW_FEM_ATOMICS;
    const sw_status status = open_assembled_parts(work, view);
    if (status != SW_OK) {
        close_assembled(work);
        return status;
    }
    *pointer = work;
    return SW_OK;
}

sw_status prepare_assembled(void *pointer, const sw_fem_view *view)
{
    assembled_work *work = (assembled_work *)pointer;
    matrix_job job = {};
    job.value = work->value;
    job.row = work->row;
    job.wide = work->wide;
    job.position = work->position;
    job.elastic = work->elastic;
    job.atomic = work->atomic;
    SW_CUDA_TRY(cudaMemsetAsync(work->value, 0, (size_t)work->n_entries * sizeof(double)));
    for (int colour = 0; colour < (work->atomic ? 1 : view->n_colours); colour++) {
        const int64_t first = work->atomic ? 0 : view->colour_first[colour];
        job.n = work->atomic ? view->n_elements : view->colour_first[colour + 1] - first;
        job.element = work->atomic ? NULL : view->coloured + first;
        SW_TRY(launch_matrices(view, &job));
    }
    work->fresh = 1;
    return SW_OK;
}

sw_status product_assembled(void *pointer, const sw_fem_view *view, const double *p, double *g)
{
    assembled_work *work = (assembled_work *)pointer;
    const double one = 1, zero = 0;
    /* The same bits each time, unless the assembly has not. */
    const cusparseSpMVAlg_t algorithm = work->atomic ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2;
    (void)view;
    if (work->p == NULL)
        CUSPARSE_TRY(cusparseCreateDnVec(&work->p, work->n_rows, (void *)p, CUDA_R_64F));
    if (work->g == NULL)
        CUSPARSE_TRY(cusparseCreateDnVec(&work->g, work->n_rows, g, CUDA_R_64F));
    CUSPARSE_TRY(cusparseDnVecSetValues(work->p, (void *)p));
    CUSPARSE_TRY(cusparseDnVecSetValues(work->g, g));
    if (work->buffer == NULL) {
        size_t bytes = 0;
        CUSPARSE_TRY(cusparseSpMV_bufferSize(work->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                             work->matrix, work->p, &zero, work->g, CUDA_R_64F, algorithm,
                                             &bytes));
        SW_TRY(take(&work->memory, &work->buffer, bytes > 0 ? (int64_t)bytes : 1, "the work of cuSPARSE"));
    }
#if CUDART_VERSION >= 12040
    if (work->fresh)
        CUSPARSE_TRY(cusparseSpMV_preprocess(work->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                             work->matrix, work->p, &zero, work->g, CUDA_R_64F, algorithm,
                                             work->buffer));
#endif
    work->fresh = 0;
    CUSPARSE_TRY(cusparseSpMV(work->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, work->matrix, work->p,
                              &zero, work->g, CUDA_R_64F, algorithm, work->buffer));
    return SW_OK;
}

} // namespace

#endif
