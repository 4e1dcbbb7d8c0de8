/* Contact on the GPU: a thread an entry; what tools feel is summed by a block a tool, always in the same order. */
#include <cub/block/block_reduce.cuh>

#include "online/fem/backend/on_device.cuh"
#include "online/gpu/gpu.h"
#include "online/fem/parts/parts.h"
#include "online/gpu/launch.cuh"
#include "common/system/parallel.h"
#include "contact.h"

namespace
{

enum { THREADS = 256 };

struct contact_work {
    sw_fem *fem;
    sw_fem_contact_view view; /* owns what it points to on the device, but position */
    int64_t *first;           /* [T + 1] */
    sw_fem_contact_point *state;
    int *hold, *unsymmetric; /* [2]: and whether nodes were let go */
    uint8_t *fixed;          /* [T c] */
    double (*force)[3];      /* [n] on the node; of a product */
    double (*block)[3][3];
    sw_fem_contact_lean *lean; /* [n] of the present tangent; */
    bool leans;                /* some are not zero */
    double *leaned;            /* [(N + T) c] */
    double *tool;              /* [T c] sums of diagonals of blocks */
    double (
        *at_nodes)[3]; /* [N] areas of one tool's, where those of parts of a body limit shear; else NULL */
};

contact_work *work_of(void *opaque) { return (contact_work *)opaque; }

void close_contact(void *opaque)
{
    contact_work *w = work_of(opaque);
    if (!w)
        return;
    const void *const device[] = {w->view.tool,      w->view.node,
                                  w->view.tool_of,   w->view.stiffness,
                                  w->view.slack,     w->view.face_first,
                                  w->view.face_node, w->view.face_corner,
                                  w->view.position,  w->first,
                                  w->state,          w->hold,
                                  w->unsymmetric,    w->fixed,
                                  w->force,          w->block,
                                  w->tool,           w->lean,
                                  w->leaned,         w->at_nodes,
                                  w->view.share};
    for (const void *pointer : device)
        cudaFree((void *)pointer);
    free(w);
}

sw_status place_all(contact_work *w)
{
    sw_fem *fem = w->fem;
    const sw_fem_contact_view *from = &fem->contact->view;
    const int T = from->n_tools, d = fem->dimension;
    const int64_t n = from->n, faces = from->face_first[n];
    w->view = *from;
    w->view.tool = NULL;
    w->view.node = NULL;
    w->view.tool_of = w->view.face_corner = NULL;
    w->view.stiffness = w->view.slack = w->view.position = NULL;
    w->view.face_first = NULL;
    w->view.face_node = NULL;
    w->view.share = NULL;
    SW_TRY(sw_fem_on_device(fem, w->view.tool, T, from->tool, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.node, n, from->node, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.tool_of, n, from->tool_of, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.stiffness, n, from->stiffness, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.slack, n, from->slack, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.face_first, n + 1, from->face_first, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.face_node, 4 * faces, from->face_node, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.face_corner, faces, from->face_corner, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->view.position, fem->n_nodes * d, from->position, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->first, T + 1, from->first, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->fixed, (int64_t)T * d, fem->fixed + fem->n_nodes * d, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->state, n, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->hold, T, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->unsymmetric, 2, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->force, n, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->block, n, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->lean, n, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->leaned, fem->n_unknowns, "contact"));
    SW_TRY(sw_fem_on_device(fem, w->tool, (int64_t)T * d, "contact"));
    if (!sw_fem_contact_needs_areas(fem))
        return SW_OK;
    SW_TRY(sw_fem_on_device(fem, w->view.share, n, "contact"));
    return sw_fem_on_device(fem, w->at_nodes, fem->n_nodes, "contact");
}

sw_status restore(void *opaque, const sw_fem_contact_point *state);

sw_status open_contact(sw_fem *fem, void **result)
{
    contact_work *w;
    SW_TRY(SW_ALLOCATE(w, 1, "contact"));
    *result = w;
    w->fem = fem;
    SW_TRY(place_all(w));
    return restore(w, fem->contact->state);
}

/* ---- Entries ---- */

/* Forces and blocks of all entries at u; `keep`: the new states, too. */
__global__ void __launch_bounds__(THREADS)
    entries_kernel(const __grid_constant__ sw_fem_contact_view view, const double *before, const double *u,
                   const int *hold, sw_fem_contact_point *state, bool keep, double (*force)[3],
                   double (*block)[3][3], sw_fem_contact_lean *lean, int *unsymmetric, int *released)
{
    SW_GRID_STRIDE (i, view.n) {
        sw_fem_contact_point next;
        double f[3], b[3][3];
        const sw_fem_contact_kind kind = sw_fem_contact_entry(&view, i, before, u, hold[view.tool_of[i]],
                                                              &state[i], f, b, &next, &lean[i]);
        for (int j = 0; j < 3; j++) {
            force[i][j] = f[j];
            for (int k = 0; k < 3; k++)
                block[i][j][k] = b[j][k];
        }
        if (keep && sw_fem_contact_lets_go(&view.tool[view.tool_of[i]], &state[i], &next))
            *released = 1; /* the same from all */
        if (keep)
            state[i] = next;
        if (kind == SW_FEM_SLIPS_BY_PRESSURE)
            *unsymmetric = 1; /* the same from all */
    }
}

/* Areas of entries at u, with those of the other parts' faces. */
sw_status sum_areas(const contact_work *w, const double *u)
{
    const sw_fem_contact_view view = w->view;
    const int64_t *first = w->fem->contact->view.first;
    double(*at_nodes)[3] = w->at_nodes;
    for (int t = 0; t < view.n_tools && at_nodes; t++) {
        const int64_t from = first[t], n = first[t + 1] - from;
        if (!(w->fem->problem->tool[t].shear_limit > 0))
            continue;
        SW_CUDA_TRY(cudaMemsetAsync(at_nodes, 0, w->fem->n_nodes * sizeof *at_nodes));
        SW_TRY(sw_each(n, [=] __device__(int64_t i) {
            sw_fem_contact_share(&view, from + i, u, at_nodes[view.node[from + i]]);
        }));
        SW_TRY(sw_fem_parts_sum(w->fem, 3, (double *)at_nodes));
        SW_TRY(sw_each(n, [=] __device__(int64_t i) {
            for (int j = 0; j < 3; j++)
                view.share[from + i][j] = at_nodes[view.node[from + i]][j];
        }));
    }
    return SW_OK;
}

sw_status each_entry(contact_work *w, const double *u, bool keep)
{
    SW_TRY(sum_areas(w, u));
    w->view.clings = w->fem->contact->view.clings;
    entries_kernel<<<sw_blocks_for(w->view.n, THREADS), THREADS>>>(w->view, w->fem->u, u, w->hold, w->state,
                                                                   keep, w->force, w->block, w->lean,
                                                                   w->unsymmetric, w->unsymmetric + 1);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* vector at the nodes of each tool's entries += sign x force, at the tool -= their sum: one tool after the other, for
 * they may share nodes. */
__global__ void __launch_bounds__(THREADS)
    tool_kernel(int d, const __grid_constant__ sw_fem_contact_view view, const int64_t *first,
                const double (*force)[3], double sign, double *vector)
{
    using reduce = cub::BlockReduce<double, THREADS>;
    __shared__ typename reduce::TempStorage storage;
    for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int64_t i = first[blockIdx.x] + threadIdx.x; i < first[blockIdx.x + 1]; i += THREADS)
            sum += sw_fem_contact_counts(&view, i) ? force[i][j] : 0;
        const double all = reduce(storage).Sum(sum);
        if (threadIdx.x == 0)
            vector[(view.n_nodes + blockIdx.x) * d + j] -= sign * all;
        __syncthreads();
    }
}

sw_status spread(const contact_work *w, double sign, double *vector)
{
    const int d = w->fem->dimension, T = w->view.n_tools;
    const int64_t *first = w->fem->contact->view.first;
    const sw_fem_contact_view view = w->view;
    const double(*force)[3] = w->force;
    for (int t = 0; t < T; t++) {
        const int64_t from = first[t];
        SW_TRY(sw_each(first[t + 1] - from, [=] __device__(int64_t i) {
            for (int j = 0; j < d && sw_fem_contact_counts(&view, from + i); j++)
                vector[(int64_t)view.node[from + i] * d + j] += sign * force[from + i][j];
        }));
    }
    tool_kernel<<<T, THREADS>>>(d, view, w->first, force, sign, vector);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status forces(void *opaque, const double *u, double *force)
{
    SW_TRY(each_entry(work_of(opaque), u, false));
    return spread(work_of(opaque), -1, force);
}

/* ---- The tangent ---- */

__global__ void __launch_bounds__(THREADS)
    diagonal_kernel(int d, const __grid_constant__ sw_fem_contact_view view, const int64_t *first,
                    const double (*block)[3][3], double *tool)
{
    using reduce = cub::BlockReduce<double, THREADS>;
    __shared__ typename reduce::TempStorage storage;
    for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int64_t i = first[blockIdx.x] + threadIdx.x; i < first[blockIdx.x + 1]; i += THREADS)
            sum += sw_fem_contact_counts(&view, i) ? block[i][j][j] : 0;
        const double all = reduce(storage).Sum(sum);
        if (threadIdx.x == 0)
            tool[blockIdx.x * d + j] = all;
        __syncthreads();
    }
}

sw_status tangent(void *opaque, const double *u, double *nodal)
{
    contact_work *w = work_of(opaque);
    const int d = w->fem->dimension, T = w->view.n_tools;
    const int64_t *first = w->fem->contact->view.first;
    const sw_fem_contact_view view = w->view;
    const double(*block)[3][3] = w->block;
    const sw_fem_contact_lean *lean = w->lean;
    int unsymmetric;
    SW_CUDA_TRY(cudaMemsetAsync(w->unsymmetric, 0, sizeof *w->unsymmetric));
    SW_TRY(each_entry(w, u, false));
    SW_CUDA_TRY(cudaMemcpy(&unsymmetric, w->unsymmetric, sizeof unsymmetric, cudaMemcpyDeviceToHost));
    w->leans = unsymmetric;
    if (unsymmetric)
        w->fem->symmetric = 0;
    for (int t = 0; t < T; t++) {
        const int64_t from = first[t];
        SW_TRY(sw_each(first[t + 1] - from, [=] __device__(int64_t i) {
            for (int j = 0; j < d && sw_fem_contact_counts(&view, from + i); j++)
                for (int k = 0; k < d; k++)
                    nodal[((int64_t)view.node[from + i] * d + j) * d + k] +=
                        block[from + i][j][k] -
                        view.stiffness[from + i] * lean[from + i].along[j] * lean[from + i].normal[k];
        }));
    }
    diagonal_kernel<<<T, THREADS>>>(d, view, w->first, block, w->tool);
    SW_CUDA_TRY_LAUNCH();
    const sw_fem_parts *parts = w->fem->parts;
    return parts ? parts->exchange->sum_all(parts->exchange_work, (int64_t)T * d, w->tool) : SW_OK;
}

sw_status product(void *opaque, const double *p, double *g)
{
    contact_work *w = work_of(opaque);
    const int d = w->fem->dimension;
    const int64_t n_nodes = w->view.n_nodes;
    const int32_t *node = w->view.node;
    const uint8_t *tool_of = w->view.tool_of;
    const double(*block)[3][3] = w->block;
    double(*force)[3] = w->force;
    SW_TRY(sw_each(w->view.n, [=] __device__(int64_t i) {
        const int64_t at = (int64_t)node[i] * d, own = (n_nodes + tool_of[i]) * d;
        for (int j = 0; j < d; j++) {
            double sum = 0;
            for (int k = 0; k < d; k++)
                sum += block[i][j][k] * (p[at + k] - p[own + k]);
            force[i][j] = sum;
        }
    }));
    return spread(w, 1, g);
}

sw_status lean_on(void *opaque, const double *r, const double **leaned)
{
    const contact_work *w = work_of(opaque);
    const int d = w->fem->dimension;
    const int64_t *first = w->fem->contact->view.first;
    const int32_t *node = w->view.node;
    const sw_fem_contact_lean *lean = w->lean;
    double *to = w->leaned;
    *leaned = w->leans ? to : r;
    if (!w->leans)
        return SW_OK;
    SW_CUDA_TRY(cudaMemcpyAsync(to, r, w->fem->n_unknowns * sizeof *r, cudaMemcpyDeviceToDevice));
    for (int t = 0; t < w->view.n_tools; t++) {
        const int64_t from = first[t];
        SW_TRY(sw_each(first[t + 1] - from, [=] __device__(int64_t i) {
            const int64_t at = (int64_t)node[from + i] * d;
            double across = 0;
            for (int j = 0; j < d; j++)
                across += lean[from + i].normal[j] * r[at + j];
            for (int j = 0; j < d; j++)
                to[at + j] -= lean[from + i].along[j] * across;
        }));
    }
    return SW_OK;
}

sw_status precondition(void *opaque, const double *r, double *z)
{
    const contact_work *w = work_of(opaque);
    const int d = w->fem->dimension;
    const int64_t own = w->view.n_nodes * d;
    const uint8_t *fixed = w->fixed;
    const double *tool = w->tool;
    return sw_each((int64_t)w->view.n_tools * d, [=] __device__(int64_t i) {
        z[own + i] = fixed[i] || !(tool[i] > 0) ? 0 : r[own + i] / tool[i];
    });
}

/* ---- States ---- */

__global__ void __launch_bounds__(THREADS)
    hold_kernel(const int64_t *first, const sw_fem_contact_point *state, int *hold)
{
    int touches = 0;
    for (int64_t i = first[blockIdx.x] + threadIdx.x; i < first[blockIdx.x + 1]; i += THREADS)
        touches |= state[i].touches > 0;
    touches = __syncthreads_or(touches);
    if (threadIdx.x == 0)
        hold[blockIdx.x] = !touches;
}

sw_status find_held(contact_work *w)
{
    const int T = w->view.n_tools;
    int hold[256]; /* tools at most */
    int64_t touching[256];
    hold_kernel<<<T, THREADS>>>(w->first, w->state, w->hold);
    SW_CUDA_TRY_LAUNCH();
    if (!w->fem->parts)
        return SW_OK;
    SW_CUDA_TRY(cudaMemcpy(hold, w->hold, T * sizeof *hold, cudaMemcpyDeviceToHost));
    for (int t = 0; t < T; t++)
        touching[t] = !hold[t];
    sw_parallel_sum_counts(touching, T);
    for (int t = 0; t < T; t++)
        hold[t] = touching[t] == 0;
    SW_CUDA_TRY(cudaMemcpy(w->hold, hold, T * sizeof *hold, cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status accept(void *opaque, const double *u)
{
    contact_work *w = work_of(opaque);
    SW_CUDA_TRY(cudaMemsetAsync(w->unsymmetric + 1, 0, sizeof *w->unsymmetric));
    SW_TRY(each_entry(w, u, true));
    SW_CUDA_TRY(cudaMemcpy(&w->fem->released, w->unsymmetric + 1, sizeof(int), cudaMemcpyDeviceToHost));
    return find_held(w);
}

sw_status save(void *opaque, sw_fem_contact_point *state)
{
    const contact_work *w = work_of(opaque);
    SW_CUDA_TRY(cudaMemcpy(state, w->state, w->view.n * sizeof *state, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status restore(void *opaque, const sw_fem_contact_point *state)
{
    contact_work *w = work_of(opaque);
    SW_CUDA_TRY(cudaMemcpy(w->state, state, w->view.n * sizeof *state, cudaMemcpyHostToDevice));
    return find_held(w);
}

} // namespace

extern "C" const sw_fem_contact_functions sw_fem_contact_cuda = {
    open_contact, close_contact, forces, tangent, product, lean_on, precondition, accept, save, restore};
