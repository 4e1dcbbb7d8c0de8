/* Jacobi and block-Jacobi on the GPU. */
#include "online/fem/element/element_matrix.h"
#include "online/fem/element/general_matrix.h"
#include "online/fem/parts/parts.h"
#include "online/fem/periodic/periodic.h"
#include "preconditioners.h"
#include "online/gpu/launch.cuh"

namespace
{

struct jacobi_work {
    sw_fem *fem;
    double *block; /* [N][c][c] inverses */
    uint8_t *fixed;
    bool elastic_known;
};

void close_jacobi(void *opaque)
{
    jacobi_work *work = (jacobi_work *)opaque;
    if (!work)
        return;
    cudaFree(work->block);
    cudaFree(work->fixed);
    sw_fem_count_bytes(work->fem, -work->fem->n_unknowns * (1 + 8 * work->fem->components));
    free(work);
}

sw_status open_jacobi(sw_fem *fem, const sw_fem_view *, void **result)
{
    jacobi_work *work;
    const int64_t n = fem->n_unknowns;
    SW_TRY(SW_ALLOCATE(work, 1, "preconditioner"));
    *result = work;
    work->fem = fem;
    sw_fem_count_bytes(fem, n * (1 + 8 * fem->components));
    SW_TRY(SW_CUDA_ALLOCATE(work->block, n * fem->components, "preconditioner"));
    SW_TRY(SW_CUDA_ALLOCATE(work->fixed, n, "preconditioner"));
    return sw_cuda_status(cudaMemcpy(work->fixed, fem->fixed, n, cudaMemcpyHostToDevice), "preconditioner");
}

/* A thread an unknown of an element: one column of its matrix, of which the node's own rows count. The threads of an
 * element are neighbours and read its tangents together. */
template <sw_fem_measure_kind M, sw_fem_kinematics K>
__global__ void __launch_bounds__(128)
    blocks_kernel(const __grid_constant__ sw_fem_view view, int64_t first, int64_t n, double *block)
{
    constexpr int c = sw_fem_components(K), V = sw_fem_corners(K);
    SW_GRID_STRIDE (i, n * V * c) {
        const int64_t e = view.coloured[first + i / (V * c)];
        const int j = (int)(i % (V * c));
        double x[3][8], column[24];
        if constexpr (M == SW_FEM_MEASURE_CRYSTALS) {
            sw_fem_deformed_shape(K, &view, e, x);
            sw_fem_general_column(K, &view, e, x, j, column);
        } else if constexpr (M == SW_FEM_MEASURE_FINITE) {
            sw_fem_deformed_shape(K, &view, e, x);
            sw_fem_finite_column(K, &view, e, x, j, column);
        } else {
            sw_fem_stiffness stiffness[8];
            sw_fem_element_shape(K, &view, e, x);
            const int same = sw_fem_element_stiffness(K, &view, e, stiffness);
            sw_fem_element_column(K, &view, x, stiffness, same, j, column);
        }
        double *at = block + (int64_t)view.node[e * V + j / c] * c * c;
        for (int row = 0; row < c; row++)
            at[row * c + j % c] += column[j / c * c + row];
    }
}

template <sw_fem_measure_kind M, sw_fem_kinematics K>
sw_status add_blocks(const sw_fem_view *view, double *block)
{
    for (int colour = 0; colour < view->n_colours; colour++) {
        const int64_t first = view->colour_first[colour], n = view->colour_first[colour + 1] - first;
        if (n == 0)
            continue;
        blocks_kernel<M, K><<<sw_blocks_for(n * 24, 128), 128>>>(*view, first, n, block);
        SW_CUDA_TRY_LAUNCH();
    }
    return SW_OK;
}

template <sw_fem_measure_kind M> sw_status add_deformed(const sw_fem_view *view, double *block)
{
    switch (view->kinematics) {
#define ADD_DEFORMED(name, K) \
    case K:                   \
        return add_blocks<M, K>(view, block);
        SW_FEM_EACH_FINITE(ADD_DEFORMED)
    default:
        return SW_OK; /* refused before */
    }
}

sw_status add_all(const sw_fem_view *view, double *block)
{
    if (view->measure == SW_FEM_MEASURE_FINITE)
        return add_deformed<SW_FEM_MEASURE_FINITE>(view, block);
    if (view->measure == SW_FEM_MEASURE_CRYSTALS)
        return add_deformed<SW_FEM_MEASURE_CRYSTALS>(view, block);
    switch (view->kinematics) {
#define ADD(name, K) \
    case K:          \
        return add_blocks<SW_FEM_MEASURE_SMALL, K>(view, block);
        SW_FEM_EACH_KINEMATICS(ADD)
    case SW_FEM_KINEMATICS:
        break;
    }
    return SW_OK;
}

sw_status prepare_jacobi(void *opaque, const sw_fem_view *view)
{
    jacobi_work *work = (jacobi_work *)opaque;
    const int c = work->fem->components, diagonal = work->fem->options.preconditioner == SW_FEM_JACOBI;
    if (!work->fem->parts && view->n_plastic == 0 && work->elastic_known) /* other parts may have others */
        return SW_OK;
    work->elastic_known = view->n_plastic == 0;
    const size_t bytes = (size_t)(view->n_nodes * c * c) * sizeof *work->block;
    if (view->nodal)
        SW_CUDA_TRY(cudaMemcpyAsync(work->block, view->nodal, bytes, cudaMemcpyDeviceToDevice));
    else
        SW_CUDA_TRY(cudaMemsetAsync(work->block, 0, bytes));
    SW_TRY(add_all(view, work->block));
    const struct sw_fem_periodic *periodic = work->fem->periodic;
    if (periodic)
        SW_TRY(periodic->device->add_blocks(periodic->work, work->block));
    SW_TRY(sw_fem_parts_sum(work->fem, c * c, work->block));
    double *block = work->block;
    const uint8_t *fixed = work->fixed;
    return sw_each(view->n_nodes, [=] __device__(int64_t n) {
        sw_fem_invert_block(c, fixed + n * c, diagonal, block + n * c * c);
    });
}

sw_status apply_jacobi(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    const jacobi_work *work = (const jacobi_work *)opaque;
    const int c = work->fem->components;
    const double *block = work->block;
    return sw_each(view->n_nodes * c, [=] __device__(int64_t i) {
        double sum = 0;
        for (int j = 0; j < c; j++)
            sum += block[i * c + j] * r[i / c * c + j];
        z[i] = sum;
    });
}

} // namespace

extern "C" const sw_fem_preconditioner_functions sw_fem_jacobi_cuda = {open_jacobi, close_jacobi,
                                                                       prepare_jacobi, apply_jacobi};
