/* The GPU: everything of an analysis but scalars stays there. The default stream throughout. */
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "online/fem/element/element_state.h"
#include "online/fem/pressure/pressure.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "analysis.h"
#include "choices.h"

namespace
{

struct vector_list {
    vector_list *next;
    double *vector;
};

/* Counts of `internal`. */
struct counts {
    unsigned long long points, elements;
};

struct cuda_work {
    sw_fem_view view;
    double *position, *bulk, *shear, *tangent, *points, *partial;
    int32_t *node, *coloured, *plastic, *slot, *n_selected;
    uint8_t *material_of, *accepted, *yields, *fixed;
    sw_fem_material *material;
    counts *count;
    void *select;
    size_t select_bytes;
    int64_t *colour_first, room; /* host; elements that tangent has place for */
    vector_list *vectors;
    void *operator_work, *preconditioner_work;
    void *pressure_work; /* NULL without any that follow */
    double *nodal;       /* [N][c][c] of pressures */
    int tangent_known;   /* 1: elastic, 2: some other */
};

cuda_work *work_of(const sw_fem *fem) { return (cuda_work *)fem->work; }

const sw_fem_operator_functions *operator_of(const sw_fem *fem)
{
    return sw_fem_operators[fem->options.operator_].cuda;
}

const sw_fem_preconditioner_functions *preconditioner_of(const sw_fem *fem)
{
    return sw_fem_preconditioners[fem->options.preconditioner].cuda;
}

/* ---- Vectors ---- */

sw_status allocate_vector(sw_fem *fem, double **vector)
{
    vector_list *entry;
    SW_TRY(SW_ALLOCATE(entry, 1, "vector"));
    const sw_status status = SW_CUDA_ALLOCATE(entry->vector, fem->n_unknowns, "vector");
    if (status != SW_OK) {
        free(entry);
        return status;
    }
    entry->next = work_of(fem)->vectors;
    work_of(fem)->vectors = entry;
    *vector = entry->vector;
    sw_fem_count_bytes(fem, fem->n_unknowns * (int64_t)sizeof(double));
    return SW_OK;
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
    const int64_t n = fem->n_unknowns;
    if (a == 0 && b == 0)
        SW_CUDA_TRY(cudaMemsetAsync(y, 0, n * sizeof *y));
    else if (b == 0)
        SW_TRY(sw_each(n, [=] __device__(int64_t i) { y[i] = a * x[i]; }));
    else
        SW_TRY(sw_each(n, [=] __device__(int64_t i) { y[i] = a * x[i] + b * y[i]; }));
    return SW_OK;
}

sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    return sw_sum_over(
        fem->n_unknowns, [=] __device__(int64_t i) { return x[i] * y[i]; }, work_of(fem)->partial, result);
}

sw_status free_part(sw_fem *fem, double *x)
{
    const uint8_t *fixed = work_of(fem)->fixed;
    return sw_each(fem->n_unknowns, [=] __device__(int64_t i) {
        if (fixed[i])
            x[i] = 0;
    });
}

sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                  double *square)
{
    const uint8_t *fixed = work_of(fem)->fixed;
    return sw_sum_over(
        fem->n_unknowns,
        [=] __device__(int64_t i) {
            const double rest = fixed[i] ? 0 : r[i] - alpha * g[i];
            x[i] += alpha * p[i];
            r[i] = rest;
            return rest * rest;
        },
        work_of(fem)->partial, square);
}

/* ---- Points ---- */

enum point_task { FORCES, TANGENTS, ACCEPT };

/* Elements list[0 .. n - 1] (list NULL: all). FORCES: no two may share a node. */
template <sw_fem_kinematics K, point_task TASK>
__global__ void __launch_bounds__(128)
    points_kernel(const __grid_constant__ sw_fem_view view, const sw_fem_material *material,
                  sw_fem_states states, const int32_t *list, int64_t n, const double *__restrict__ u,
                  double *force, uint8_t *yields, double *tangent, counts *count)
{
    constexpr int c = sw_fem_components(K), V = sw_fem_corners(K);
    unsigned points = 0, elements = 0;
    SW_GRID_STRIDE (i, n) {
        const int64_t e = list ? list[i] : i;
        double f[3][8];
        const int yielding =
            sw_fem_element_state(K, &view, material, &states, e, u, TASK == FORCES ? f : NULL, TASK == ACCEPT,
                                 TASK == TANGENTS ? i : -1, tangent);
        if constexpr (TASK == FORCES) {
            SW_UNROLL
            for (int a = 0; a < V; a++)
                SW_UNROLL
            for (int j = 0; j < c; j++)
                force[(int64_t)view.node[e * V + a] * c + j] += f[j][a];
            yields[e] = (uint8_t)yielding;
            points += yielding;
            elements += yielding > 0;
        }
    }
    if constexpr (TASK == FORCES) {
        using reduce = cub::BlockReduce<unsigned, 128>;
        __shared__ typename reduce::TempStorage storage[2];
        points = reduce(storage[0]).Sum(points);
        elements = reduce(storage[1]).Sum(elements);
        if (threadIdx.x == 0 && points > 0) {
            atomicAdd(&count->points, points);
            atomicAdd(&count->elements, elements);
        }
    }
}

template <point_task TASK>
sw_status launch_points(sw_fem *fem, const int32_t *list, int64_t n, const double *u, double *force)
{
    cuda_work *w = work_of(fem);
    const int64_t E = fem->n_elements, Q = fem->corners;
    const sw_fem_states states = {w->points, w->accepted, Q * E, E, 1};
    if (n == 0)
        return SW_OK;
    switch (fem->problem->kinematics) {
#define LAUNCH(name, K)                                                                                  \
    case K:                                                                                              \
        points_kernel<K, TASK><<<sw_blocks_for(n, 128), 128>>>(w->view, w->material, states, list, n, u, \
                                                               force, w->yields, w->tangent, w->count);  \
        break;
        SW_FEM_EACH_KINEMATICS(LAUNCH)
    case SW_FEM_KINEMATICS:
        break;
    }
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status internal_forces(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements)
{
    cuda_work *w = work_of(fem);
    counts count;
    SW_CUDA_TRY(cudaMemsetAsync(force, 0, fem->n_unknowns * sizeof *force));
    SW_CUDA_TRY(cudaMemsetAsync(w->count, 0, sizeof *w->count));
    for (int colour = 0; colour < w->view.n_colours; colour++) {
        const int64_t first = w->colour_first[colour];
        SW_TRY(
            launch_points<FORCES>(fem, w->coloured + first, w->colour_first[colour + 1] - first, u, force));
    }
    SW_CUDA_TRY(cudaMemcpy(&count, w->count, sizeof count, cudaMemcpyDeviceToHost));
    *points = (int64_t)count.points;
    *elements = (int64_t)count.elements;
    return SW_OK;
}

sw_status press(sw_fem *fem, const double *factor, const double *u, double *external)
{
    return sw_fem_pressure_cuda.forces(work_of(fem)->pressure_work, factor, u, external);
}

/* Plastic elements into a list, in order, and their slots. */
sw_status segregate(sw_fem *fem)
{
    cuda_work *w = work_of(fem);
    int32_t n;
    const thrust::counting_iterator<int32_t> all(0);
    SW_CUDA_TRY(cub::DeviceSelect::Flagged(w->select, w->select_bytes, all, w->yields, w->plastic,
                                           w->n_selected, (int)fem->n_elements));
    SW_CUDA_TRY(cudaMemcpy(&n, w->n_selected, sizeof n, cudaMemcpyDeviceToHost));
    w->view.n_plastic = n;
    int32_t *slot = w->slot;
    const int32_t *plastic = w->plastic;
    SW_CUDA_TRY(cudaMemsetAsync(slot, 0xff, fem->n_elements * sizeof *slot));
    return sw_each(n, [=] __device__(int64_t i) { slot[plastic[i]] = (int32_t)i; });
}

sw_status make_room(sw_fem *fem)
{
    cuda_work *w = work_of(fem);
    const int64_t n = w->view.n_plastic, E = fem->n_elements, Q = fem->corners;
    if (n > w->room) {
        const int64_t room = n + n / 4 < E ? n + n / 4 : E;
        cudaFree(w->tangent);
        w->tangent = NULL;
        sw_fem_count_bytes(fem, -w->room * Q * (int64_t)sizeof(sw_fem_tangent));
        w->room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(w->tangent, room * Q * SW_FEM_TANGENT_SIZE, "tangents of plastic points"));
        w->room = room;
        sw_fem_count_bytes(fem, room * Q * (int64_t)sizeof(sw_fem_tangent));
    }
    w->view.tangent = w->tangent;
    return SW_OK;
}

sw_status make_tangent(sw_fem *fem, const double *u, int elastic)
{
    cuda_work *w = work_of(fem);
    if (elastic && w->tangent_known == 1)
        return SW_OK;
    w->tangent_known = 0;
    if (elastic) {
        w->view.n_plastic = 0;
        SW_CUDA_TRY(cudaMemsetAsync(w->slot, 0xff, fem->n_elements * sizeof *w->slot));
    } else {
        SW_TRY(segregate(fem));
        SW_TRY(make_room(fem));
        SW_TRY(launch_points<TANGENTS>(fem, w->plastic, w->view.n_plastic, u, NULL));
    }
    SW_TRY(operator_of(fem)->prepare(w->operator_work, &w->view));
    fem->symmetric = 1;
    if (w->nodal)
        SW_CUDA_TRY(
            cudaMemsetAsync(w->nodal, 0, fem->n_nodes * fem->components * fem->components * sizeof(double)));
    if (w->pressure_work)
        SW_TRY(sw_fem_pressure_cuda.tangent(w->pressure_work, u, w->nodal));
    w->tangent_known = w->view.n_plastic > 0 ? 2 : 1;
    return SW_OK;
}

sw_status accept_state(sw_fem *fem, const double *u)
{
    return launch_points<ACCEPT>(fem, NULL, fem->n_elements, u, NULL);
}

/* States by point [E Q], as the host has them, and by number [SW_FEM_POINT_SIZE][Q][E], as kernels do. */
sw_status save_state(sw_fem *fem, sw_fem_point *points, uint8_t *yielded)
{
    const cuda_work *w = work_of(fem);
    const int64_t E = fem->n_elements, Q = fem->corners;
    double *plane;
    if (yielded)
        SW_CUDA_TRY(cudaMemcpy(yielded, w->accepted, E * Q, cudaMemcpyDeviceToHost));
    if (!points)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(plane, E, "states of points"));
    for (int i = 0; i < SW_FEM_POINT_SIZE * Q; i++) {
        const sw_status status =
            sw_cuda_status(cudaMemcpy(plane, w->points + i * E, E * sizeof *plane, cudaMemcpyDeviceToHost),
                           "states of points");
        if (status != SW_OK) {
            free(plane);
            return status;
        }
        for (int64_t e = 0; e < E; e++)
            ((double *)&points[e * Q + i % Q])[i / Q] = plane[e];
    }
    free(plane);
    return SW_OK;
}

sw_status restore_state(sw_fem *fem, const sw_fem_point *points, const uint8_t *yielded)
{
    const cuda_work *w = work_of(fem);
    const int64_t E = fem->n_elements, Q = fem->corners;
    double *plane;
    SW_CUDA_TRY(cudaMemcpy(w->accepted, yielded, E * Q, cudaMemcpyHostToDevice));
    SW_TRY(SW_ALLOCATE(plane, E, "states of points"));
    for (int i = 0; i < SW_FEM_POINT_SIZE * Q; i++) {
        for (int64_t e = 0; e < E; e++)
            plane[e] = ((const double *)&points[e * Q + i % Q])[i / Q];
        const sw_status status =
            sw_cuda_status(cudaMemcpy(w->points + i * E, plane, E * sizeof *plane, cudaMemcpyHostToDevice),
                           "states of points");
        if (status != SW_OK) {
            free(plane);
            return status;
        }
    }
    free(plane);
    return SW_OK;
}

/* ---- Products and preconditioners ---- */

sw_status product(sw_fem *fem, const double *p, double *g)
{
    const cuda_work *w = work_of(fem);
    SW_TRY(operator_of(fem)->product(w->operator_work, &w->view, p, g));
    return w->pressure_work ? sw_fem_pressure_cuda.product(w->pressure_work, p, g) : SW_OK;
}

sw_status prepare(sw_fem *fem)
{
    const sw_fem_preconditioner_functions *with = preconditioner_of(fem);
    return with->prepare ? with->prepare(work_of(fem)->preconditioner_work, &work_of(fem)->view) : SW_OK;
}

sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    return preconditioner_of(fem)->apply(work_of(fem)->preconditioner_work, &work_of(fem)->view, r, z);
}

sw_status wait_for(sw_fem *)
{
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

/* ---- Open and close ---- */

/* n of *pointer's type on the device, from host unless NULL, counted. */
template <typename type>
sw_status place(sw_fem *fem, type *&pointer, int64_t n, const type *host, const char *what)
{
    SW_TRY(SW_CUDA_ALLOCATE(pointer, n, what));
    sw_fem_count_bytes(fem, n * (int64_t)sizeof(type));
    if (host)
        SW_CUDA_TRY(cudaMemcpy(pointer, host, n * sizeof(type), cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status open_cuda(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    const sw_fem_mesh *mesh = p->mesh;
    const int64_t E = fem->n_elements, Q = fem->corners;
    cuda_work *w;
    int32_t *coloured = NULL;
    sw_gpu device;
    fem->work = NULL;
    SW_TRY(sw_gpu_use(&device));
    snprintf(fem->device_name, sizeof fem->device_name, "%s", device.name);
    if (!operator_of(fem))
        return sw_error(SW_ERR_UNAVAILABLE, "operator %s is not on the GPU",
                        sw_fem_operator_names[fem->options.operator_]);
    if (!preconditioner_of(fem))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "preconditioner %s is not on the GPU: jacobi, block_jacobi or multigrid",
                        sw_fem_preconditioner_names[fem->options.preconditioner]);
    SW_TRY(SW_ALLOCATE(w, 1, "analysis"));
    fem->work = w;
    sw_fem_view *view = &w->view;
    SW_TRY(place(fem, w->position, fem->n_nodes * fem->dimension, mesh->position, "positions"));
    SW_TRY(place(fem, w->node, E * Q, mesh->node, "elements"));
    SW_TRY(place(fem, w->material_of, E, p->material_of, "materials of elements"));
    SW_TRY(place(fem, w->material, p->n_materials, p->material, "materials"));
    SW_TRY(place(fem, w->bulk, p->n_materials, (const double *)NULL, "materials"));
    SW_TRY(place(fem, w->shear, p->n_materials, (const double *)NULL, "materials"));
    for (int i = 0; i < p->n_materials; i++) {
        double bulk, shear;
        sw_fem_moduli(p->kinematics, &p->material[i], &bulk, &shear);
        SW_CUDA_TRY(cudaMemcpy(w->bulk + i, &bulk, sizeof bulk, cudaMemcpyHostToDevice));
        SW_CUDA_TRY(cudaMemcpy(w->shear + i, &shear, sizeof shear, cudaMemcpyHostToDevice));
    }
    SW_TRY(place(fem, w->fixed, fem->n_unknowns, fem->fixed, "prescribed unknowns"));
    SW_TRY(place(fem, w->plastic, E, (const int32_t *)NULL, "lists of elements"));
    SW_TRY(place(fem, w->slot, E, (const int32_t *)NULL, "lists of elements"));
    SW_CUDA_TRY(cudaMemset(w->slot, 0xff, E * sizeof *w->slot));
    SW_TRY(place(fem, w->n_selected, 1, (const int32_t *)NULL, "lists of elements"));
    SW_TRY(place(fem, w->yields, E, (const uint8_t *)NULL, "states of elements"));
    SW_TRY(place(fem, w->accepted, E * Q, (const uint8_t *)NULL, "states of points"));
    SW_TRY(place(fem, w->points, E * Q * SW_FEM_POINT_SIZE, (const double *)NULL, "states of points"));
    SW_TRY(place(fem, w->partial, SW_SUM_BLOCKS + 1, (const double *)NULL, "sums"));
    SW_TRY(place(fem, w->count, 1, (const counts *)NULL, "sums"));
    const thrust::counting_iterator<int32_t> all(0);
    SW_CUDA_TRY(
        cub::DeviceSelect::Flagged(NULL, w->select_bytes, all, w->yields, w->plastic, w->n_selected, (int)E));
    SW_CUDA_TRY(cudaMalloc(&w->select, w->select_bytes));
    sw_fem_count_bytes(fem, (int64_t)w->select_bytes);
    SW_TRY(sw_fem_colour(mesh, &view->n_colours, &w->colour_first, &coloured));
    const sw_status status = place(fem, w->coloured, E, coloured, "elements by colour");
    free(coloured);
    SW_TRY(status);
    view->kinematics = p->kinematics;
    view->b_bar = p->b_bar;
    view->thickness = p->thickness;
    view->n_nodes = fem->n_nodes;
    view->n_elements = E;
    view->position = w->position;
    view->node = w->node;
    view->material_of = w->material_of;
    view->bulk = w->bulk;
    view->shear = w->shear;
    view->colour_first = w->colour_first;
    view->coloured = w->coloured;
    view->plastic = w->plastic;
    view->slot = w->slot;
    if (fem->pressures) {
        SW_TRY(place(fem, w->nodal, fem->n_nodes * fem->components * fem->components, (const double *)NULL,
                     "pressures"));
        SW_TRY(sw_fem_pressure_cuda.open(fem, &w->pressure_work));
    }
    view->nodal = w->nodal;
    SW_TRY(operator_of(fem)->open(fem, view, &w->operator_work));
    return preconditioner_of(fem)->open(fem, view, &w->preconditioner_work);
}

void close_cuda(sw_fem *fem)
{
    cuda_work *w = work_of(fem);
    if (!w)
        return;
    if (w->operator_work)
        operator_of(fem)->close(w->operator_work);
    if (w->preconditioner_work)
        preconditioner_of(fem)->close(w->preconditioner_work);
    sw_fem_pressure_cuda.close(w->pressure_work);
    cudaFree(w->nodal);
    while (w->vectors) {
        vector_list *next = w->vectors->next;
        cudaFree(w->vectors->vector);
        free(w->vectors);
        w->vectors = next;
    }
    void *const device[] = {w->position, w->bulk,     w->shear,   w->tangent,  w->points,     w->partial,
                            w->node,     w->coloured, w->plastic, w->slot,     w->n_selected, w->material_of,
                            w->accepted, w->yields,   w->fixed,   w->material, w->count,      w->select};
    for (void *pointer : device)
        cudaFree(pointer);
    free(w->colour_first);
    free(w);
    fem->work = NULL;
}

} // namespace

extern "C" const sw_fem_backend sw_fem_cuda = {
    1,       open_cuda,    close_cuda,   allocate_vector, copy_in,       copy_out,     combine,
    dot,     free_part,    advance,      internal_forces, press,         make_tangent, product,
    prepare, precondition, accept_state, save_state,      restore_state, wait_for};
