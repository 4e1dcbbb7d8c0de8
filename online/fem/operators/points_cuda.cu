/* `points` on the GPU: voxel meshes of hex8 by lattice.cuh, others a thread an element, colour by colour.
 *
 * Finite strains, hex8, an element: 1.73 kB of tangents (27 numbers at 8 points), and 0.77 kB of x, p and g at its
 * nodes, of which what colours share stays in the L2 at best; some 4 kflop, with mean dilatation 6 in three passes
 * over the points. 2 to 3 operations a byte where an H200 has 7 and more (34 Tflop/s, 4.8 TB/s): memory decides, so
 * places are computed again in every pass and only tangents are read, in the order of the coloured list, which
 * slots follow (analysis/cuda.cu). A thread has up to 255 registers and hence 8 warps a multiprocessor; 27 reads at
 * a time of each are some 50 kB in flight, twice what hides the latency. */
#include "online/fem/element/element_matrix.h"
#include "online/fem/element/general_matrix.h"
#include "online/fem/mesh/lattice.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "lattice.cuh"
#include "operators.h"

namespace
{

struct points_work {
    sw_fem *fem;
    bool lattice;
    sw_fem_lattice_view<double> view;
    int32_t *node, *element, *cell, *slot;
    uint8_t *tile;
    double (*block)[8][6];
    int64_t bytes;
};

void close_points(void *opaque)
{
    points_work *work = (points_work *)opaque;
    if (!work)
        return;
    cudaFree(work->node);
    cudaFree(work->element);
    cudaFree(work->cell);
    cudaFree(work->slot);
    cudaFree(work->tile);
    cudaFree(work->block);
    sw_fem_count_bytes(work->fem, -work->bytes);
    free(work);
}

/* The lattice's maps and the materials' blocks on the device. */
sw_status open_lattice(points_work *work, const sw_fem_view *view)
{
    const sw_fem_problem *problem = work->fem->problem;
    const sw_fem_lattice *lattice = problem->mesh->lattice;
    const int n_materials = problem->n_materials;
    const int64_t cells = sw_fem_lattice_cells(lattice->n), points = sw_fem_lattice_points(lattice->n);
    sw_gpu gpu;
    SW_TRY(sw_gpu_current(&gpu));
    if (gpu.shared_memory < sizeof(sw_fem_plastic_shared))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "operator points on voxel meshes needs %zu bytes of shared memory a block, this GPU "
                        "has %zu: ebe_sym",
                        sizeof(sw_fem_plastic_shared), gpu.shared_memory);
    if (lattice->n[1] / (SW_FEM_TILE_Y - 1) >= 65535)
        return sw_error(SW_ERR_RANGE, "%d cells along y: need fewer than %d", lattice->n[1],
                        65535 * (SW_FEM_TILE_Y - 1));
    work->view.tiles = sw_fem_tiles_of(lattice->n);
    const int64_t tiles = (int64_t)work->view.tiles.n[0] * work->view.tiles.n[1] * work->view.tiles.n[2];
    work->bytes =
        (points + 3 * cells) * (int64_t)sizeof(int32_t) + n_materials * (int64_t)sizeof *work->block + tiles;
    sw_fem_count_bytes(work->fem, work->bytes);
    SW_TRY(SW_CUDA_ALLOCATE(work->node, points, "lattice"));
    SW_TRY(SW_CUDA_ALLOCATE(work->element, cells, "lattice"));
    SW_TRY(SW_CUDA_ALLOCATE(work->cell, cells, "lattice"));
    SW_TRY(SW_CUDA_ALLOCATE(work->slot, cells, "lattice"));
    SW_TRY(SW_CUDA_ALLOCATE(work->tile, tiles, "lattice"));
    SW_TRY(SW_CUDA_ALLOCATE(work->block, n_materials, "blocks of materials"));
    SW_CUDA_TRY(cudaMemcpy(work->node, lattice->node, points * sizeof(int32_t), cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(work->element, lattice->element, cells * sizeof(int32_t), cudaMemcpyHostToDevice));
    int32_t *cell = work->cell;
    const int32_t *element = work->element;
    const uint8_t *material_of = view->material_of;
    SW_TRY(sw_each(cells,
                   [=] __device__(int64_t i) { cell[i] = element[i] < 0 ? -1 : material_of[element[i]]; }));
    for (int i = 0; i < n_materials; i++) {
        double matrix[24 * 24], bulk = sw_fem_bulk(&problem->material[i]),
                                shear = sw_fem_shear(&problem->material[i]);
        sw_fem_walsh_blocks blocks;
        sw_fem_box_matrix(lattice->size, bulk, shear, view->b_bar, matrix);
        sw_fem_blocks_of(matrix, &blocks);
        SW_CUDA_TRY(cudaMemcpy(work->block[i], blocks.block, sizeof blocks.block, cudaMemcpyHostToDevice));
        if (i == 0)
            memcpy(work->view.one, blocks.block, sizeof blocks.block);
    }
    for (int i = 0; i < 3; i++) {
        work->view.n[i] = lattice->n[i];
        work->view.size[i] = lattice->size[i];
    }
    work->view.node = work->node;
    work->view.cell = work->cell;
    work->view.slot = work->slot;
    work->view.n_materials = n_materials;
    work->view.block = work->block;
    work->view.b_bar = view->b_bar;
    work->view.bulk = view->bulk;
    work->view.shear = view->shear;
    return SW_OK;
}

sw_status open_points(sw_fem *fem, const sw_fem_view *view, void **result)
{
    points_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "operator"));
    *result = work;
    work->fem = fem;
    work->lattice = sw_fem_has_boxes(fem->problem->mesh) && view->kinematics == SW_FEM_SOLID &&
                    view->measure == SW_FEM_MEASURE_SMALL; /* deformed cells are no boxes */
    return work->lattice ? open_lattice(work, view) : SW_OK;
}

/* Slots by cell, and the tiles that plastic cells belong to: one, or two along each direction where tiles
 * overlap. */
sw_status prepare_points(void *opaque, const sw_fem_view *view)
{
    points_work *work = (points_work *)opaque;
    sw_fem_lattice_view<double> *l = &work->view;
    if (!work->lattice)
        return SW_OK;
    l->tangent = view->tangent;
    l->n_plastic = view->n_plastic;
    l->tile = view->n_plastic > 0 ? work->tile : NULL;
    if (view->n_plastic == 0)
        return SW_OK;
    const sw_fem_lattice_tiles t = l->tiles;
    const int64_t nx = l->n[0], ny = l->n[1], cells = nx * ny * l->n[2];
    const int32_t *element = work->element, *slot_of = view->slot;
    int32_t *slot = work->slot;
    uint8_t *tile = work->tile;
    SW_CUDA_TRY(cudaMemsetAsync(tile, 0, (size_t)t.n[0] * t.n[1] * t.n[2]));
    return sw_each(cells, [=] __device__(int64_t i) {
        const int32_t its = element[i] < 0 ? -1 : slot_of[element[i]];
        slot[i] = its;
        if (its < 0)
            return;
        const int32_t at[3] = {(int32_t)(i % nx) + 1, (int32_t)(i / nx % ny) + 1, (int32_t)(i / nx / ny) + 1};
        const int32_t width[3] = {SW_FEM_TILE_X - 1, SW_FEM_TILE_Y - 1, t.layers};
        for (int side = 0; side < 8; side++) {
            int32_t of[3];
            bool there = true;
            for (int j = 0; j < 3; j++) {
                of[j] = at[j] / width[j] - (side >> j & 1);
                there &= !(side >> j & 1) || at[j] % width[j] == 0;
                there &= of[j] >= 0 && of[j] < t.n[j];
            }
            if (there)
                tile[((int64_t)of[2] * t.n[1] + of[1]) * t.n[0] + of[0]] = 1;
        }
    });
}

/* f [c][V] of u on element e, both as coefficients. */
template <sw_fem_measure_kind M, sw_fem_kinematics K>
__device__ __forceinline__ void element_product(const sw_fem_view &view, int64_t e, const double (*u)[8],
                                                double (*f)[8])
{
    double x[3][8];
    if constexpr (M != SW_FEM_MEASURE_SMALL) {
        const sw_fem_finite_tangents tangents = sw_fem_tangents_of(K, &view, e);
        sw_fem_deformed_shape(K, &view, e, x);
        if constexpr (M == SW_FEM_MEASURE_FINITE)
            sw_fem_finite_product(K, view.b_bar, view.thickness, x, u, &tangents, f);
        else
            sw_fem_general_product(K, view.b_bar, view.thickness, x, u, &tangents, f);
    } else {
        sw_fem_stiffness stiffness[8];
        sw_fem_element_shape(K, &view, e, x);
        const int same = sw_fem_element_stiffness(K, &view, e, stiffness);
        sw_fem_element_product(K, view.b_bar, view.thickness, x, u, stiffness, same, f);
    }
}

/* Elements first .. first + n - 1 of the coloured list; no two share a node. */
template <sw_fem_measure_kind M, sw_fem_kinematics K>
__global__ void __launch_bounds__(128)
    elements_kernel(const __grid_constant__ sw_fem_view view, int64_t first, int64_t n,
                    const double *__restrict__ p, double *g)
{
    constexpr int d = sw_fem_dimension(K), c = sw_fem_components(K), V = sw_fem_corners(K);
    SW_GRID_STRIDE (i, n) {
        const int64_t e = view.coloured[first + i];
        const int32_t *node = view.node + e * V;
        double u[3][8], f[3][8], at[8];
        sw_fem_gather(d, node, p, c, u);
        element_product<M, K>(view, e, u, f);
        SW_UNROLL
        for (int j = 0; j < c; j++) {
            sw_fem_coefficients_back(d, f[j], at);
            SW_UNROLL
            for (int a = 0; a < V; a++)
                g[(int64_t)node[a] * c + j] += at[a];
        }
    }
}

template <sw_fem_measure_kind M, sw_fem_kinematics K>
sw_status product_elements(const points_work *work, const sw_fem_view *view, const double *p, double *g)
{
    SW_CUDA_TRY(cudaMemsetAsync(g, 0, work->fem->n_unknowns * sizeof *g));
    for (int colour = 0; colour < view->n_colours; colour++) {
        const int64_t first = view->colour_first[colour], n = view->colour_first[colour + 1] - first;
        if (n == 0)
            continue;
        elements_kernel<M, K><<<sw_blocks_for(n, 128), 128>>>(*view, first, n, p, g);
        SW_CUDA_TRY_LAUNCH();
    }
    return SW_OK;
}

template <sw_fem_measure_kind M>
sw_status product_deformed(const points_work *work, const sw_fem_view *view, const double *p, double *g)
{
    switch (view->kinematics) {
#define DEFORMED(name, K) \
    case K:               \
        return product_elements<M, K>(work, view, p, g);
        SW_FEM_EACH_FINITE(DEFORMED)
    default:
        return SW_OK; /* refused before */
    }
}

sw_status product_points(void *opaque, const sw_fem_view *view, const double *p, double *g)
{
    const points_work *work = (const points_work *)opaque;
    if (work->lattice) {
        if (view->n_plastic > 0)
            SW_TRY((sw_fem_launch_lattice<double, true, SW_FEM_LATTICE_PRODUCT>(work->view, p, g)));
        return sw_fem_launch_lattice<double, false, SW_FEM_LATTICE_PRODUCT>(work->view, p, g);
    }
    if (view->measure == SW_FEM_MEASURE_FINITE)
        return product_deformed<SW_FEM_MEASURE_FINITE>(work, view, p, g);
    if (view->measure == SW_FEM_MEASURE_CRYSTALS)
        return product_deformed<SW_FEM_MEASURE_CRYSTALS>(work, view, p, g);
    switch (view->kinematics) {
#define PRODUCT(name, K) \
    case K:              \
        return product_elements<SW_FEM_MEASURE_SMALL, K>(work, view, p, g);
        SW_FEM_EACH_KINEMATICS(PRODUCT)
    case SW_FEM_KINEMATICS:
        break;
    }
    return SW_OK;
}

} // namespace

extern "C" const sw_fem_operator_functions sw_fem_points_cuda = {open_points, close_points, prepare_points,
                                                                 product_points};
