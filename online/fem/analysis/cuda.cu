/* The GPU: everything of an analysis but scalars stays there. The default stream throughout. */
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "common/system/parallel.h"
#include "online/fem/backend/on_device.cuh"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/crystal_state.h"
#include "online/fem/element/measure.h"
#include "online/fem/contact/contact.h"
#include "online/fem/parts/parts.h"
#include "online/fem/pressure/pressure.h"
#include "online/gpu/gpu.h"
#include "online/gpu/sums.cuh"
#include "analysis.h"
#include "choices.h"

namespace
{

struct vector_list {
    vector_list *next;
    double *vector;
};

/* Counts of `internal`. wrong: E less the first element that is turned inside out; 0: none is. */
struct counts {
    unsigned long long points, elements, wrong;
};

struct cuda_work {
    sw_fem_view view;
    const sw_fem_measure *measure;
    double *position, *at, *bulk, *shear, *tangent, *points, *partial;
    int32_t *node, *coloured, *plastic, *slot, *n_selected;
    uint8_t *material_of, *accepted, *yields, *fixed;
    sw_fem_material *material, *elastic; /* elastic: the same that never yield; when not steady */
    double *sum;                         /* the host's, which the GPU writes */
    counts *count;
    void *select;
    size_t select_bytes;
    int64_t *colour_first, room; /* host; elements that tangent has place for */
    vector_list *vectors;
    void *operator_work, *preconditioner_work, *contact_work; /* contact's: NULL without tools */
    void *pressure_work;                                      /* NULL without any that follow */
    double *nodal;                                            /* [N][c][c] of contact and pressures */
    int tangent_known;                                        /* 1: elastic, 2: some other */
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

/* sum of f(i) over i < n, of all parts. Waits. */
template <typename Function> sw_status sum_over(sw_fem *fem, int64_t n, Function f, double *result)
{
    const sw_fem_parts *parts = fem->parts;
    double *partial = work_of(fem)->partial, *sum = work_of(fem)->sum;
    const unsigned blocks = sw_blocks_for(n, SW_SUM_THREADS, SW_SUM_BLOCKS);
    sw_sum_kernel<<<blocks, SW_SUM_THREADS>>>(n, f, partial);
    SW_CUDA_TRY_LAUNCH();
    if (parts) {
        SW_TRY(parts->exchange->sum_partial(parts->exchange_work, (int)blocks, partial, sum));
    } else {
        sw_sum_partial_kernel<<<1, SW_SUM_THREADS>>>((int)blocks, partial, sum);
        SW_CUDA_TRY_LAUNCH();
        SW_CUDA_TRY(cudaStreamSynchronize(0));
    }
    *result = *sum;
    return SW_OK;
}

sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    return sum_over(
        fem, fem->n_unknowns - fem->n_foreign, [=] __device__(int64_t i) { return x[i] * y[i]; }, result);
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
    const int64_t n_counted = fem->n_unknowns - fem->n_foreign;
    return sum_over(
        fem, fem->n_unknowns,
        [=] __device__(int64_t i) {
            const double rest = fixed[i] ? 0 : r[i] - alpha * g[i];
            x[i] += alpha * p[i];
            r[i] = rest;
            return i < n_counted ? rest * rest : 0;
        },
        square);
}

/* ---- Points ---- */

enum point_task { FORCES, TANGENTS, ACCEPT };

/* sw_fem_element_state, sw_fem_finite_state or sw_fem_crystal_state. */
template <sw_fem_measure_kind M, sw_fem_kinematics K>
__device__ __forceinline__ int element_state(const sw_fem_view *view, const sw_fem_material *material,
                                             const sw_fem_states *states, int64_t e, const double *u,
                                             double (*forces)[8], int accept, int64_t slot, double *tangents)
{
    if constexpr (M == SW_FEM_MEASURE_CRYSTALS)
        return sw_fem_crystal_state(K, view, material, states, e, u, forces, accept, slot, tangents);
    else if constexpr (M == SW_FEM_MEASURE_FINITE)
        return sw_fem_finite_state(K, view, material, states, e, u, forces, accept, slot, tangents);
    else
        return sw_fem_element_state(K, view, material, states, e, u, forces, accept, slot, tangents);
}

/* Elements list[0 .. n - 1] (list NULL: all). FORCES: no two may share a node. */
template <sw_fem_measure_kind M, sw_fem_kinematics K, point_task TASK>
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
        const int yielding = element_state<M, K>(&view, material, &states, e, u, TASK == FORCES ? f : NULL,
                                                 TASK == ACCEPT, TASK == TANGENTS ? i : -1, tangent);
        if constexpr (TASK == FORCES) {
            if (M != SW_FEM_MEASURE_SMALL && yielding < 0) {
                atomicMax(&count->wrong, (unsigned long long)(view.n_elements - e));
                continue;
            }
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

template <sw_fem_measure_kind M, sw_fem_kinematics K, point_task TASK>
sw_status launch_kernel(const cuda_work *w, const sw_fem_material *material, const int32_t *list, int64_t n,
                        const double *u, double *force)
{
    const int64_t E = w->view.n_elements, Q = sw_fem_corners(K);
    const sw_fem_states states = {w->points, w->accepted, Q * E, E, 1};
    points_kernel<M, K, TASK><<<sw_blocks_for(n, 128), 128>>>(w->view, material, states, list, n, u, force,
                                                              w->yields, w->tangent, w->count);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

template <point_task TASK>
sw_status launch_small(const cuda_work *w, const sw_fem_material *material, const int32_t *list, int64_t n,
                       const double *u, double *force)
{
    switch (w->view.kinematics) {
#define LAUNCH(name, K) \
    case K:             \
        return launch_kernel<SW_FEM_MEASURE_SMALL, K, TASK>(w, material, list, n, u, force);
        SW_FEM_EACH_KINEMATICS(LAUNCH)
    case SW_FEM_KINEMATICS:
        break;
    }
    return SW_OK;
}

template <sw_fem_measure_kind M, point_task TASK>
sw_status launch_finite(const cuda_work *w, const sw_fem_material *material, const int32_t *list, int64_t n,
                        const double *u, double *force)
{
    switch (w->view.kinematics) {
#define LAUNCH_FINITE(name, K) \
    case K:                    \
        return launch_kernel<M, K, TASK>(w, material, list, n, u, force);
        SW_FEM_EACH_FINITE(LAUNCH_FINITE)
    default:
        return SW_OK; /* refused before */
    }
}

template <point_task TASK>
sw_status launch_points(sw_fem *fem, const sw_fem_material *material, const int32_t *list, int64_t n,
                        const double *u, double *force)
{
    const cuda_work *w = work_of(fem);
    if (n == 0)
        return SW_OK;
    if (w->view.measure == SW_FEM_MEASURE_CRYSTALS)
        return launch_finite<SW_FEM_MEASURE_CRYSTALS, TASK>(w, material, list, n, u, force);
    return w->view.measure == SW_FEM_MEASURE_FINITE
               ? launch_finite<SW_FEM_MEASURE_FINITE, TASK>(w, material, list, n, u, force)
               : launch_small<TASK>(w, material, list, n, u, force);
}

/* ---- Crystals ---- */

template <sw_fem_kinematics K>
__global__ void __launch_bounds__(128) gradients_kernel(const __grid_constant__ sw_fem_view view,
                                                        const double *from, const double *to, counts *count)
{
    SW_GRID_STRIDE (e, view.n_elements)
        if (!sw_fem_crystal_gradients(K, &view, e, from, to))
            atomicMax(&count->wrong, (unsigned long long)(view.n_elements - e));
}

sw_status launch_gradients(const cuda_work *w, const double *from, const double *to)
{
    const unsigned blocks = sw_blocks_for(w->view.n_elements, 128);
    switch (w->view.kinematics) {
#define GRADIENTS(name, K)                                                 \
    case K:                                                                \
        gradients_kernel<K><<<blocks, 128>>>(w->view, from, to, w->count); \
        break;
        SW_FEM_EACH_FINITE(GRADIENTS)
    default:
        return SW_OK; /* refused before */
    }
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status check_elements(const sw_fem *fem, const counts *count)
{
    return count->wrong == 0 ? SW_OK : sw_fem_refuse_element(fem, fem->n_elements - (int64_t)count->wrong);
}

/* The crystals try the step to displacement u; at the accepted one they rest. */
sw_status respond(sw_fem *fem, const double *u)
{
    cuda_work *w = work_of(fem);
    counts count;
    if (!fem->crystals)
        return SW_OK;
    w->view.crystals.rests = u == fem->rest;
    w->view.crystals.dt = fem->crystals->view.dt = fem->dt;
    if (w->view.crystals.rests)
        return SW_OK;
    SW_CUDA_TRY(cudaMemsetAsync(w->count, 0, sizeof *w->count));
    SW_TRY(launch_gradients(w, fem->rest, u));
    SW_CUDA_TRY(cudaMemcpy(&count, w->count, sizeof count, cudaMemcpyDeviceToHost));
    SW_TRY(check_elements(fem, &count));
    return sw_fem_crystals_try(fem->crystals);
}

sw_status internal_forces(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements)
{
    cuda_work *w = work_of(fem);
    counts count;
    SW_TRY(respond(fem, u));
    SW_CUDA_TRY(cudaMemsetAsync(force, 0, fem->n_unknowns * sizeof *force));
    SW_CUDA_TRY(cudaMemsetAsync(w->count, 0, sizeof *w->count));
    for (int colour = 0; colour < w->view.n_colours; colour++) {
        const int64_t first = w->colour_first[colour];
        SW_TRY(launch_points<FORCES>(fem, w->material, w->coloured + first,
                                     w->colour_first[colour + 1] - first, u, force));
    }
    SW_CUDA_TRY(cudaMemcpy(&count, w->count, sizeof count, cudaMemcpyDeviceToHost));
    SW_TRY(check_elements(fem, &count));
    *points = (int64_t)count.points;
    *elements = (int64_t)count.elements;
    return SW_OK;
}

/* Contact of all parts of a body comes when all are well. */
sw_status all_forces(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements)
{
    void *contact = work_of(fem)->contact_work;
    const sw_status status = internal_forces(fem, u, force, points, elements);
    if (!contact)
        return status;
    SW_TRY(sw_parallel_agree(status));
    return sw_fem_contact_cuda.forces(contact, u, force);
}

sw_status press(sw_fem *fem, const double *factor, const double *u, double *external)
{
    return sw_fem_pressure_cuda.forces(work_of(fem)->pressure_work, factor, u, external);
}

/* Elements with tangents of their own into a list, and their slots: those that yield, in order; or all, by colour, so
 * that products read tangents one after the other. */
sw_status segregate(sw_fem *fem)
{
    cuda_work *w = work_of(fem);
    int32_t n;
    w->view.n_plastic = fem->n_elements;
    if (!w->measure->steady)
        return SW_OK; /* since open */
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
    const int64_t n = w->view.n_plastic, E = fem->n_elements;
    const int64_t each = (int64_t)fem->corners * w->measure->tangent_size;
    if (n > w->room) {
        const int64_t room = n + n / 4 < E ? n + n / 4 : E;
        cudaFree(w->tangent);
        w->tangent = NULL;
        sw_fem_count_bytes(fem, -w->room * each * (int64_t)sizeof(double));
        w->room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(w->tangent, room * each, "tangents of plastic points"));
        w->room = room;
        sw_fem_count_bytes(fem, room * each * (int64_t)sizeof(double));
    }
    w->view.tangent = w->tangent;
    return SW_OK;
}

sw_status deform(sw_fem *fem, const double *u)
{
    const double *position = work_of(fem)->position;
    double *at = work_of(fem)->at;
    return at ? sw_each(fem->n_nodes * fem->dimension,
                        [=] __device__(int64_t i) { at[i] = position[i] + u[i]; })
              : SW_OK;
}

int64_t nodal_size(const sw_fem *fem) { return fem->n_nodes * fem->components * fem->components; }

sw_status elements_tangent(sw_fem *fem, const double *u, int elastic)
{
    cuda_work *w = work_of(fem);
    const sw_fem_material *material = elastic && w->elastic ? w->elastic : w->material;
    w->view.crystals.rests |= elastic;
    if (fem->crystals && !w->view.crystals.rests)
        SW_TRY(sw_fem_crystals_need_slopes(fem->crystals));
    fem->tangents++;
    SW_TRY(deform(fem, u));
    if (elastic && w->measure->steady) {
        w->view.n_plastic = 0;
        SW_CUDA_TRY(cudaMemsetAsync(w->slot, 0xff, fem->n_elements * sizeof *w->slot));
    } else {
        SW_TRY(segregate(fem));
        SW_TRY(make_room(fem));
        SW_TRY(launch_points<TANGENTS>(fem, material, w->plastic, w->view.n_plastic, u, NULL));
    }
    return operator_of(fem)->prepare(w->operator_work, &w->view);
}

sw_status make_tangent(sw_fem *fem, const double *u, int elastic)
{
    cuda_work *w = work_of(fem);
    if (elastic && w->tangent_known == 1) /* never of contact: finite strains */
        return SW_OK;
    w->tangent_known = 0;
    const sw_status status = elements_tangent(fem, u, elastic);
    SW_TRY(w->contact_work ? sw_parallel_agree(status) : status);
    fem->symmetric = !fem->crystals;
    if (w->nodal)
        SW_CUDA_TRY(cudaMemsetAsync(w->nodal, 0, nodal_size(fem) * sizeof(double)));
    if (w->contact_work)
        SW_TRY(sw_fem_contact_cuda.tangent(w->contact_work, u, w->nodal));
    if (w->pressure_work)
        SW_TRY(sw_fem_pressure_cuda.tangent(w->pressure_work, u, w->nodal));
    w->tangent_known = w->view.n_plastic > 0 ? 2 : 1;
    return SW_OK;
}

sw_status accept_elements(sw_fem *fem, const double *u)
{
    if (fem->crystals && (!fem->crystals->tried || fem->crystals->looked)) /* work was asked for on the way */
        SW_TRY(respond(fem, u));
    SW_TRY(launch_points<ACCEPT>(fem, work_of(fem)->material, NULL, fem->n_elements, u, NULL));
    return fem->crystals ? sw_fem_crystals_accept(fem->crystals) : SW_OK;
}

sw_status accept_state(sw_fem *fem, const double *u)
{
    void *contact = work_of(fem)->contact_work;
    const sw_status status = accept_elements(fem, u);
    if (!contact)
        return status;
    SW_TRY(sw_parallel_agree(status));
    return sw_fem_contact_cuda.accept(contact, u);
}

/* States by point [E Q], as the host has them, and by number [SW_FEM_POINT_SIZE][Q][E], as kernels do: turned on the
 * device, so many elements at a time. */
constexpr int64_t TURNED = 1 << 17;

template <typename copy> sw_status turn_states(const sw_fem *fem, copy between)
{
    const int64_t E = fem->n_elements, each = (int64_t)fem->corners * SW_FEM_POINT_SIZE;
    double *turned;
    SW_TRY(SW_CUDA_ALLOCATE(turned, (E < TURNED ? E : TURNED) * each, "states of points"));
    sw_status status = SW_OK;
    for (int64_t first = 0; first < E && status == SW_OK; first += TURNED)
        status = between(first, E - first < TURNED ? E - first : TURNED, turned);
    cudaFree(turned);
    return status;
}

sw_status save_state(sw_fem *fem, sw_fem_point *points, uint8_t *yielded, sw_fem_contact_point *contact)
{
    const cuda_work *w = work_of(fem);
    const int64_t E = fem->n_elements, Q = fem->corners, each = Q * SW_FEM_POINT_SIZE;
    const double *state = w->points;
    if (contact && w->contact_work)
        SW_TRY(sw_fem_contact_cuda.save(w->contact_work, contact));
    if (yielded)
        SW_CUDA_TRY(cudaMemcpy(yielded, w->accepted, E * Q, cudaMemcpyDeviceToHost));
    if (!points)
        return SW_OK;
    return turn_states(fem, [=](int64_t first, int64_t n, double *turned) -> sw_status {
        SW_TRY(sw_each(n * each, [=] __device__(int64_t i) {
            const int64_t e = i % n, number = i / n % SW_FEM_POINT_SIZE, q = i / n / SW_FEM_POINT_SIZE;
            turned[e * each + q * SW_FEM_POINT_SIZE + number] = state[(number * Q + q) * E + first + e];
        }));
        SW_CUDA_TRY(
            cudaMemcpy(points + first * Q, turned, n * each * sizeof *turned, cudaMemcpyDeviceToHost));
        return SW_OK;
    });
}

sw_status restore_state(sw_fem *fem, const sw_fem_point *points, const uint8_t *yielded,
                        const sw_fem_contact_point *contact)
{
    const cuda_work *w = work_of(fem);
    const int64_t E = fem->n_elements, Q = fem->corners, each = Q * SW_FEM_POINT_SIZE;
    double *state = w->points;
    if (w->contact_work)
        SW_TRY(sw_fem_contact_cuda.restore(w->contact_work, contact));
    SW_CUDA_TRY(cudaMemcpy(w->accepted, yielded, E * Q, cudaMemcpyHostToDevice));
    return turn_states(fem, [=](int64_t first, int64_t n, double *turned) -> sw_status {
        SW_CUDA_TRY(
            cudaMemcpy(turned, points + first * Q, n * each * sizeof *turned, cudaMemcpyHostToDevice));
        return sw_each(n * each, [=] __device__(int64_t i) {
            const int64_t e = i % n, number = i / n % SW_FEM_POINT_SIZE, q = i / n / SW_FEM_POINT_SIZE;
            state[(number * Q + q) * E + first + e] = turned[e * each + q * SW_FEM_POINT_SIZE + number];
        });
    });
}

/* ---- Products and preconditioners ---- */

sw_status product(sw_fem *fem, const double *p, double *g)
{
    const cuda_work *w = work_of(fem);
    SW_TRY(operator_of(fem)->product(w->operator_work, &w->view, p, g));
    if (w->pressure_work)
        SW_TRY(sw_fem_pressure_cuda.product(w->pressure_work, p, g));
    return w->contact_work ? sw_fem_contact_cuda.product(w->contact_work, p, g) : SW_OK;
}

sw_status prepare(sw_fem *fem)
{
    const sw_fem_preconditioner_functions *with = preconditioner_of(fem);
    return with->prepare ? with->prepare(work_of(fem)->preconditioner_work, &work_of(fem)->view) : SW_OK;
}

sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    const cuda_work *w = work_of(fem);
    const double *leaned = r;
    if (w->contact_work)
        SW_TRY(sw_fem_contact_cuda.lean(w->contact_work, r, &leaned));
    SW_TRY(preconditioner_of(fem)->apply(w->preconditioner_work, &w->view, leaned, z));
    return w->contact_work ? sw_fem_contact_cuda.precondition(w->contact_work, r, z) : SW_OK;
}

sw_status wait_for(sw_fem *)
{
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

/* ---- Open and close ---- */

/* What a tangent that changes with the displacement needs; the list of elements with tangents of their own is all. */
sw_status open_unsteady(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    cuda_work *w = work_of(fem);
    SW_TRY(sw_fem_on_device(fem, w->at, fem->n_nodes * fem->dimension, "deformed positions"));
    SW_TRY(sw_fem_on_device(fem, w->elastic, p->n_materials, "materials"));
    for (int i = 0; i < p->n_materials; i++) {
        const sw_fem_material never = {
            .young = p->material[i].young, .poisson = p->material[i].poisson, .yield_stress = INFINITY};
        SW_CUDA_TRY(cudaMemcpy(w->elastic + i, &never, sizeof never, cudaMemcpyHostToDevice));
    }
    int32_t *slot = w->slot, *plastic = w->plastic;
    const int32_t *coloured = w->coloured;
    return sw_each(fem->n_elements, [=] __device__(int64_t i) {
        plastic[i] = coloured[i];
        slot[coloured[i]] = (int32_t)i;
    });
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
                        "preconditioner %s is not on the GPU: block_jacobi, jacobi, multigrid or none",
                        sw_fem_preconditioner_names[fem->options.preconditioner]);
    SW_TRY(SW_ALLOCATE(w, 1, "analysis"));
    fem->work = w;
    sw_fem_view *view = &w->view;
    SW_TRY(sw_fem_on_device(fem, w->position, fem->n_nodes * fem->dimension, mesh->position, "positions"));
    SW_TRY(sw_fem_on_device(fem, w->node, E * Q, mesh->node, "elements"));
    SW_TRY(sw_fem_on_device(fem, w->material_of, E, p->material_of, "materials of elements"));
    SW_TRY(sw_fem_on_device(fem, w->material, p->n_materials, p->material, "materials"));
    SW_TRY(sw_fem_on_device(fem, w->bulk, p->n_materials, "materials"));
    SW_TRY(sw_fem_on_device(fem, w->shear, p->n_materials, "materials"));
    for (int i = 0; i < p->n_materials; i++) {
        double bulk, shear;
        sw_fem_moduli(p->kinematics, &p->material[i], &bulk, &shear);
        SW_CUDA_TRY(cudaMemcpy(w->bulk + i, &bulk, sizeof bulk, cudaMemcpyHostToDevice));
        SW_CUDA_TRY(cudaMemcpy(w->shear + i, &shear, sizeof shear, cudaMemcpyHostToDevice));
    }
    SW_TRY(sw_fem_on_device(fem, w->fixed, fem->n_unknowns, fem->fixed, "prescribed unknowns"));
    SW_TRY(sw_fem_on_device(fem, w->plastic, E, "lists of elements"));
    SW_TRY(sw_fem_on_device(fem, w->slot, E, "lists of elements"));
    SW_CUDA_TRY(cudaMemset(w->slot, 0xff, E * sizeof *w->slot));
    SW_TRY(sw_fem_on_device(fem, w->n_selected, 1, "lists of elements"));
    SW_TRY(sw_fem_on_device(fem, w->yields, E, "states of elements"));
    SW_TRY(sw_fem_on_device(fem, w->accepted, E * Q, "states of points"));
    SW_TRY(sw_fem_on_device(fem, w->points, E * Q * SW_FEM_POINT_SIZE, "states of points"));
    SW_TRY(sw_fem_on_device(fem, w->partial, SW_SUM_BLOCKS, "sums"));
    SW_CUDA_TRY(cudaMallocHost(&w->sum, sizeof *w->sum));
    SW_TRY(sw_fem_on_device(fem, w->count, 1, "sums"));
    const thrust::counting_iterator<int32_t> all(0);
    SW_CUDA_TRY(
        cub::DeviceSelect::Flagged(NULL, w->select_bytes, all, w->yields, w->plastic, w->n_selected, (int)E));
    SW_CUDA_TRY(cudaMalloc(&w->select, w->select_bytes));
    sw_fem_count_bytes(fem, (int64_t)w->select_bytes);
    SW_TRY(sw_fem_colour(mesh, &view->n_colours, &w->colour_first, &coloured));
    const sw_status status = sw_fem_on_device(fem, w->coloured, E, coloured, "elements by colour");
    free(coloured);
    SW_TRY(status);
    w->measure = sw_fem_measures[sw_fem_measure_of(p)];
    if (!w->measure->steady)
        SW_TRY(open_unsteady(fem));
    view->kinematics = p->kinematics;
    view->measure = sw_fem_measure_of(p);
    view->at = w->at;
    view->b_bar = sw_fem_has_b_bar(p);
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
    if (fem->contact || fem->pressures)
        SW_TRY(sw_fem_on_device(fem, w->nodal, nodal_size(fem), "contact"));
    view->nodal = w->nodal;
    SW_TRY(sw_fem_crystals_open(fem, &sw_fem_crystal_memory_cuda));
    if (fem->crystals)
        view->crystals = fem->crystals->view;
    if (fem->contact)
        SW_TRY(sw_fem_contact_cuda.open(fem, &w->contact_work));
    if (fem->pressures)
        SW_TRY(sw_fem_pressure_cuda.open(fem, &w->pressure_work));
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
    sw_fem_crystals_close(fem);
    sw_fem_contact_cuda.close(w->contact_work);
    sw_fem_pressure_cuda.close(w->pressure_work);
    while (w->vectors) {
        vector_list *next = w->vectors->next;
        cudaFree(w->vectors->vector);
        free(w->vectors);
        w->vectors = next;
    }
    void *const device[] = {w->at,       w->nodal,      w->elastic,     w->position, w->bulk,     w->shear,
                            w->tangent,  w->points,     w->partial,     w->node,     w->coloured, w->plastic,
                            w->slot,     w->n_selected, w->material_of, w->accepted, w->yields,   w->fixed,
                            w->material, w->count,      w->select};
    for (void *pointer : device)
        cudaFree(pointer);
    cudaFreeHost(w->sum);
    free(w->colour_first);
    free(w);
    fem->work = NULL;
}

} // namespace

extern "C" const sw_fem_backend sw_fem_cuda = {
    1,       open_cuda,    close_cuda,   allocate_vector, copy_in,       copy_out,     combine,
    dot,     free_part,    advance,      all_forces,      press,         make_tangent, product,
    prepare, precondition, accept_state, save_state,      restore_state, wait_for};
