/* The parts of stress.h on the GPU: a kernel each, with the thesis's 256 threads a block. The default stream. */
#include <stdlib.h>

#include "online/gpu/launch.cuh"
#include "stress_parts.h"

namespace
{

enum { THREADS = 256 };

template <sw_fem_stress_part PART>
__global__ void __launch_bounds__(THREADS)
    part_kernel(const __grid_constant__ sw_fem_split_stress s, const int32_t *list, int64_t n,
                const double *u, double *force)
{
    SW_GRID_STRIDE (i, n)
        sw_fem_stress_part_of(PART, &s, list ? list[i] : i, u, force);
}

template <sw_fem_stress_part PART>
sw_status launch(const sw_fem_split_stress *s, const int32_t *list, int64_t n, const double *u, double *force)
{
    part_kernel<PART><<<sw_blocks_for(n, THREADS), THREADS>>>(*s, list, n, u, force);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

void close_stress(void *work)
{
    sw_fem_split_stress *s = (sw_fem_split_stress *)work;
    if (!s)
        return;
    cudaFree(s->material);
    cudaFree(s->states.state);
    cudaFree(s->states.yielded);
    cudaFree(s->kept.state);
    free(s);
}

/* Points [E][Q] of the host to [number][Q][E]. */
sw_status copy_points(const sw_fem_point *point, int64_t E, double *state)
{
    double *turned;
    SW_TRY(SW_ALLOCATE(turned, 8 * E * SW_FEM_POINT_SIZE, "states of points"));
    for (int64_t k = 0; k < 8 * E; k++)
        for (int i = 0; i < SW_FEM_POINT_SIZE; i++)
            turned[(i * 8 + k % 8) * E + k / 8] = ((const double *)&point[k])[i];
    const cudaError_t status =
        cudaMemcpy(state, turned, 8 * E * SW_FEM_POINT_SIZE * sizeof *turned, cudaMemcpyHostToDevice);
    free(turned);
    return sw_cuda_status(status, "states of points");
}

sw_status open_stress(const sw_fem_view *view, int n_materials, const sw_fem_material *material,
                      const sw_fem_point *point, void **work)
{
    const int64_t E = view->n_elements;
    sw_fem_split_stress *s;
    SW_TRY(SW_ALLOCATE(s, 1, "stresses"));
    *work = s;
    s->view = *view;
    s->states = {NULL, NULL, 8 * E, E, 1};
    s->kept = {NULL, NULL, 8 * E, E, 1};
    SW_TRY(SW_CUDA_ALLOCATE(s->material, n_materials, "materials"));
    SW_TRY(SW_CUDA_ALLOCATE(s->states.state, 8 * E * SW_FEM_POINT_SIZE, "states of points"));
    SW_TRY(SW_CUDA_ALLOCATE(s->states.yielded, 8 * E, "states of points"));
    SW_TRY(SW_CUDA_ALLOCATE(s->kept.state, 8 * E * SW_FEM_KEPT_SIZE, "stresses of points"));
    SW_CUDA_TRY(cudaMemcpy(s->material, material, n_materials * sizeof *material, cudaMemcpyHostToDevice));
    return point ? copy_points(point, E, s->states.state) : SW_OK;
}

sw_status sum_forces(const sw_fem_split_stress *s, double *force)
{
    const int64_t *first = s->view.colour_first;
    SW_CUDA_TRY(cudaMemsetAsync(force, 0, 3 * s->view.n_nodes * sizeof *force));
    for (int colour = 0; colour < s->view.n_colours; colour++)
        SW_TRY(launch<SW_FEM_FORCES>(s, s->view.coloured + first[colour], first[colour + 1] - first[colour],
                                     NULL, force));
    return SW_OK;
}

sw_status run_part(void *work, sw_fem_stress_part part, const double *u, double *force)
{
    const sw_fem_split_stress *s = (const sw_fem_split_stress *)work;
    switch (part) {
    case SW_FEM_PREDICTOR:
        return launch<SW_FEM_PREDICTOR>(s, NULL, s->view.n_elements, u, NULL);
    case SW_FEM_DEVIATOR:
        return launch<SW_FEM_DEVIATOR>(s, NULL, s->view.n_elements, u, NULL);
    case SW_FEM_CORRECTOR:
        return launch<SW_FEM_CORRECTOR>(s, NULL, s->view.n_elements, u, NULL);
    default:
        return sum_forces(s, force);
    }
}

} // namespace

extern "C" const sw_fem_stress_functions sw_fem_stress_cuda = {open_stress, close_stress, run_part};
