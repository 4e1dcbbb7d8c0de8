/* Element matrices on the GPU: a thread a column, which by symmetry is stored as the row. The element's shape
 * and the stiffnesses of its points are in shared memory. They go into the operators' layouts or into the
 * assembled matrix (Kiran 2023, Algorithms 4 and 5).
 *
 * Dimensions: V nodes of an element, c unknowns of a node, W = V c. */
#ifndef SW_ONLINE_FEM_STORED_MATRICES_CUH
#define SW_ONLINE_FEM_STORED_MATRICES_CUH

#include "online/gpu/cuda_check.h"
#include "stored.h"

namespace
{

struct matrix_job {
    int64_t n;
    const int32_t *element; /* [n], NULL: counted */
    int common;             /* not elements' matrices, but the n materials' elastic ones */
    /* Into a store: matrix `base` + i. */
    double *matrix;
    sw_fem_layout layout;
    int64_t base;
    int minus;    /* less the elastic one, which is matrix number material_of */
    uint8_t *was; /* [n] or NULL: only those that are plastic or were at the last time */
    int all;      /* those too that neither are nor were */
    /* Into the assembled matrix, when value is not NULL. */
    double *value;
    const void *row;          /* [N c + 1] */
    int wide;                 /* of 64 bits, else 32 */
    const uint16_t *position; /* [E][V][V] */
    const double *elastic;    /* [n_materials][W][W] of elastic elements, NULL: compute them */
    int atomic;
};

SW_HD constexpr int matrices_per_block(int W) { return W == 24 ? 4 : 128 / W; }

template <sw_fem_kinematics k>
__global__ void __launch_bounds__(128) matrices_kernel(const sw_fem_view view, const matrix_job job)
{
    constexpr int V = sw_fem_corners(k), c = sw_fem_components(k), W = V * c, PER = matrices_per_block(W);
    __shared__ double shape[PER][3][8];
    __shared__ sw_fem_stiffness stiffness[PER][V];
    __shared__ int same[PER];
    const int local = threadIdx.x / W, j = threadIdx.x % W;
    for (int64_t start = (int64_t)blockIdx.x * PER; start < job.n; start += (int64_t)gridDim.x * PER) {
        const int64_t i = start + local, e = i >= job.n || job.common ? 0 : job.element ? job.element[i] : i;
        const bool plastic = !job.common && view.slot[e] >= 0;
        const int material = job.common ? (int)i : view.material_of[e];
        const bool wanted = i < job.n && (job.was == NULL || job.all || plastic || job.was[i]);
        const bool computed = wanted && (job.value == NULL || job.elastic == NULL || plastic);
        if (computed && j == 0) {
            if (job.common) {
                sw_fem_common_element(k, &view, material, shape[local], stiffness[local]);
                same[local] = 1;
            } else {
                sw_fem_element_shape(k, &view, e, shape[local]);
                same[local] = sw_fem_element_stiffness(k, &view, e, stiffness[local]);
            }
        }
        __syncthreads();
        double column[W];
        if (computed)
            sw_fem_element_column(k, &view, shape[local], stiffness[local], same[local], j, column);
        else if (wanted)
            for (int r = 0; r < W; r++)
                column[r] = job.elastic[((int64_t)material * W + j) * W + r];
        if (wanted && job.value) {
            const int64_t unknown = (int64_t)view.node[e * V + j / c] * c + j % c;
            const int64_t row =
                job.wide ? ((const int64_t *)job.row)[unknown] : ((const int32_t *)job.row)[unknown];
#pragma unroll
            for (int r = 0; r < W; r++) {
                double *at = job.value + row + job.position[(e * V + j / c) * V + r / c] * c + r % c;
                if (job.atomic)
                    atomicAdd(at, column[r]);
                else
                    *at += column[r];
            }
        } else if (wanted) {
#pragma unroll
            for (int r = 0; r < W; r++) {
                const int64_t place = sw_fem_entry(job.layout, V, c, job.base + i, j, r);
                if (place >= 0)
                    job.matrix[place] =
                        job.minus ? column[r] - job.matrix[sw_fem_entry(job.layout, V, c, material, j, r)]
                                  : column[r];
            }
        }
        __syncthreads(); /* others still read `was` and the shape */
        if (i < job.n && job.was && j == 0)
            job.was[i] = plastic;
    }
}

template <sw_fem_kinematics k> sw_status launch_matrices_of(const sw_fem_view *view, const matrix_job *job)
{
    constexpr int W = sw_fem_corners(k) * sw_fem_components(k), PER = matrices_per_block(W);
    const int64_t blocks = (job->n + PER - 1) / PER;
    if (job->n == 0)
        return SW_OK;
    matrices_kernel<k><<<(unsigned)(blocks < INT32_MAX ? blocks : INT32_MAX), PER * W>>>(*view, *job);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status launch_matrices(const sw_fem_view *view, const matrix_job *job)
{
    switch (view->kinematics) {
#define LAUNCH(name, K) \
    case K:             \
        return launch_matrices_of<K>(view, job);
        SW_FEM_EACH_KINEMATICS(LAUNCH)
#undef LAUNCH
    case SW_FEM_KINEMATICS:
        break;
    }
    return SW_OK;
}

} // namespace

#endif
