/* Multigrid on the GPU, in single precision: a preconditioner needs no more, and half the bytes travel. The
 * whole V-cycle is one CUDA graph. */
#include <type_traits>

#include "online/fem/operators/lattice.cuh"
#include "online/fem/parts/peers.cuh"
#include "divided.h"
#include "multigrid.h"
#include "multigrid_level.h"
#include "present_cuda.cuh"
#include "preconditioners.h"
#include "online/gpu/launch.cuh"

namespace
{

using real = float;

struct device_level {
    sw_fem_lattice_view<real> view;
    int32_t *node, *point, *cell, *own_node;
    int32_t *number; /* NULL: none, as of one process */
    real (*block)[8][6];
    real *inverse;
    real (*own)[24 * 24];
    uint8_t *fixed;
    int64_t n_nodes, n_own_nodes;
    sw_fem_level_map map;
};

struct multigrid_work {
    sw_fem *fem;
    sw_fem_hierarchy hierarchy; /* host, until it is on the device; of the present tangent: as long as this */
    sw_fem_present present;
    bool elastic_known; /* present: made of the elastic tangent, which stays */
    device_level level[SW_FEM_MOST_LEVELS];
    sw_fem_cycle_vectors vector[SW_FEM_MOST_LEVELS];
    real *coarsest;
    cudaStream_t stream;
    cudaGraphExec_t graph;
    sw_status status; /* of launches inside the cycle */
    int64_t bytes;
    /* Over processes (divided.h); of one NULL and nothing. */
    multigrid_work *rest;
    sw_fem_divided_cycle divided;
    real *own_rows, *all_rows; /* host: r of the last level's nodes, this part's and all; or */
    sw_spread<real> rows;      /* these, between GPUs, */
    sw_spread<real> cells;     /* and matrices of its cells */
};

/* ---- Level operators ---- */

/* Cells with a matrix of their own: a thread an unknown of a node that has such cells around. */
__global__ void __launch_bounds__(128)
    own_kernel(int64_t n, const int32_t *own_node, const __grid_constant__ sw_fem_level_map map,
               const real (*own)[24 * 24], const real *__restrict__ d, real *r)
{
    SW_GRID_STRIDE (i, 3 * n) {
        const int64_t node = own_node[i / 3];
        const int component = (int)(i % 3);
        if (!(map.fixed[node] >> component & 1))
            r[3 * node + component] -= sw_fem_own_row(&map, node, component, own, d);
    }
}

multigrid_work *work_of(void *opaque) { return (multigrid_work *)opaque; }

/* Launches go to the work's stream, where the graph is captured. */
#define KEEP(work, expression)                \
    do {                                      \
        const sw_status kept_ = (expression); \
        if ((work)->status == SW_OK)          \
            (work)->status = kept_;           \
    } while (0)

void smooth(void *opaque, int level, double a, double b, const void *rest, void *direction, void *solution)
{
    multigrid_work *w = work_of(opaque);
    const real *inverse = w->level[level].inverse, *r = (const real *)rest;
    const real fa = (real)a, fb = (real)b;
    real *d = (real *)direction, *x = (real *)solution;
    if (w->hierarchy.present) {
        KEEP(w, sw_fem_present_smooth_cuda(&w->present.level[level], fa, fb, r, d, x, w->stream));
        return;
    }
    KEEP(w, sw_each(
                3 * w->level[level].n_nodes,
                [=] __device__(int64_t i) {
                    const real next = (fa == 0 ? 0 : fa * d[i]) + fb * inverse[i] * r[i];
                    d[i] = next;
                    x[i] += next;
                },
                w->stream));
}

void reduce(void *opaque, int level, const void *d, void *r)
{
    multigrid_work *w = work_of(opaque);
    const device_level *l = &w->level[level];
    if (w->hierarchy.present) {
        KEEP(w, sw_fem_present_reduce_cuda(&w->present.level[level], w->divided.shares[level] != 0,
                                           (const real *)d, (real *)r, w->stream));
        return;
    }
    KEEP(w, (sw_fem_launch_lattice<real, false, SW_FEM_LATTICE_REST>(l->view, (const real *)d, (real *)r,
                                                                     w->stream)));
    if (l->n_own_nodes > 0) {
        own_kernel<<<sw_blocks_for(3 * l->n_own_nodes, 128), 128, 0, w->stream>>>(
            l->n_own_nodes, l->own_node, l->map, l->own, (const real *)d, (real *)r);
        KEEP(w, sw_cuda_status(cudaGetLastError(), "multigrid"));
    }
}

void restrict_to(void *opaque, int level, const void *fine, void *coarse)
{
    multigrid_work *w = work_of(opaque);
    const sw_fem_level_map f = w->level[level].map, c = w->level[level + 1].map;
    const real *from = (const real *)fine;
    real *to = (real *)coarse;
    KEEP(w, sw_each(
                w->level[level + 1].n_nodes,
                [=] __device__(int64_t i) { sw_fem_restrict_node(&f, &c, i, from, to + 3 * i); }, w->stream));
}

void prolong(void *opaque, int level, const void *coarse, void *fine)
{
    multigrid_work *w = work_of(opaque);
    const sw_fem_level_map f = w->level[level].map, c = w->level[level + 1].map;
    const real *from = (const real *)coarse;
    real *to = (real *)fine;
    KEEP(w, sw_each(
                w->level[level].n_nodes,
                [=] __device__(int64_t i) { sw_fem_prolong_node(&f, &c, i, from, to + 3 * i); }, w->stream));
}

void add(void *opaque, int level, const void *direction, void *solution)
{
    multigrid_work *w = work_of(opaque);
    const real *d = (const real *)direction;
    real *x = (real *)solution;
    KEEP(w, sw_each(
                3 * w->level[level].n_nodes, [=] __device__(int64_t i) { x[i] += d[i]; }, w->stream));
}

void clear(void *opaque, int level, void *x)
{
    multigrid_work *w = work_of(opaque);
    KEEP(w, sw_cuda_status(cudaMemsetAsync(x, 0, 3 * w->level[level].n_nodes * sizeof(real), w->stream),
                           "multigrid"));
}

/* A warp a row of the inverse. */
__global__ void __launch_bounds__(128) coarsest_kernel(int n, const real *inverse, const real *r, real *x)
{
    const int row = (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
    if (row >= n)
        return;
    real sum = 0;
    for (int j = lane; j < n; j += 32)
        sum += inverse[(int64_t)row * n + j] * r[j];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
        x[row] = sum;
}

void coarsest(void *opaque, const void *r, void *x)
{
    multigrid_work *w = work_of(opaque);
    const int n = (int)w->hierarchy.n_coarsest;
    coarsest_kernel<<<sw_blocks_for(n, 4), 128, 0, w->stream>>>(n, w->coarsest, (const real *)r, (real *)x);
    KEEP(w, sw_cuda_status(cudaGetLastError(), "multigrid"));
}

/* ---- Set-up ---- */

/* n of *pointer's type on the device, converted from host unless NULL, counted. */
template <typename to, typename from>
sw_status place(multigrid_work *w, to *&pointer, int64_t n, const from *host, const char *what)
{
    SW_TRY(SW_CUDA_ALLOCATE(pointer, n, what));
    w->bytes += n * (int64_t)sizeof(to);
    sw_fem_count_bytes(w->fem, n * (int64_t)sizeof(to));
    if (!host)
        return SW_OK;
    if constexpr (std::is_same_v<to, from>) {
        return sw_cuda_status(cudaMemcpy(pointer, host, n * sizeof(to), cudaMemcpyHostToDevice), what);
    } else {
        to *converted;
        SW_TRY(SW_ALLOCATE(converted, n, what));
        for (int64_t i = 0; i < n; i++)
            converted[i] = (to)host[i];
        const sw_status status =
            sw_cuda_status(cudaMemcpy(pointer, converted, n * sizeof(to), cudaMemcpyHostToDevice), what);
        free(converted);
        return status;
    }
}

/* Nodes of cells with matrices of their own. */
sw_status own_nodes(multigrid_work *w, const sw_fem_level *from, device_level *l)
{
    int32_t *list;
    SW_TRY(SW_ALLOCATE(list, from->n_nodes, "multigrid"));
    for (int64_t i = 0; i < from->n_own; i++) {
        int64_t point[8];
        sw_fem_lattice_corners(from->n, from->own_cell[i], point);
        for (int a = 0; a < 8; a++)
            list[from->node[point[a]]] = 1;
    }
    l->n_own_nodes = 0;
    for (int64_t i = 0; i < from->n_nodes; i++)
        if (list[i])
            list[l->n_own_nodes++] = (int32_t)i;
    const sw_status status = place(w, l->own_node, l->n_own_nodes, list, "multigrid");
    free(list);
    return status;
}

/* The lattice, and vectors. */
sw_status place_map(multigrid_work *w, int level)
{
    const sw_fem_level *from = &w->hierarchy.level[level];
    device_level *l = &w->level[level];
    l->n_nodes = from->n_nodes;
    SW_TRY(place(w, l->node, sw_fem_lattice_points(from->n), from->node, "multigrid"));
    SW_TRY(place(w, l->point, from->n_nodes, from->point, "multigrid"));
    SW_TRY(place(w, l->cell, sw_fem_lattice_cells(from->n), from->cell, "multigrid"));
    SW_TRY(place(w, l->fixed, from->n_nodes, from->fixed, "multigrid"));
    if (from->number)
        SW_TRY(place(w, l->number, from->n_nodes, from->number, "multigrid"));
    w->present.level[level].number = l->number;
    for (int i = 0; i < 3; i++) {
        l->map.n[i] = from->n[i];
        l->map.factor[i] = from->factor[i];
        l->map.periodic[i] = from->periodic[i];
    }
    l->map.node = l->node;
    l->map.point = l->point;
    l->map.cell = l->cell;
    l->map.fixed = l->fixed;
    l->map.n_materials = w->hierarchy.n_materials;
    w->present.level[level].map = l->map;
    void **const vectors[] = {&w->vector[level].r, &w->vector[level].x, &w->vector[level].d};
    for (void **vector : vectors) {
        real *flat = NULL;
        SW_TRY(place(w, flat, 3 * from->n_nodes, (const real *)NULL, "multigrid"));
        *vector = flat;
    }
    return SW_OK;
}

/* Matrices of elastic boxes. */
sw_status place_matrices(multigrid_work *w, int level)
{
    const sw_fem_level *from = &w->hierarchy.level[level];
    device_level *l = &w->level[level];
    const int n_materials = w->hierarchy.n_materials;
    SW_TRY(place(w, l->inverse, 3 * from->n_nodes, from->inverse, "multigrid"));
    real *flat = NULL;
    SW_TRY(place(w, flat, 48 * (int64_t)n_materials, &from->blocks[0].block[0][0], "multigrid"));
    l->block = (real(*)[8][6])flat;
    flat = NULL;
    SW_TRY(place(w, flat, 576 * from->n_own, from->n_own ? from->own[0] : (const double *)NULL, "multigrid"));
    l->own = (real(*)[24 * 24]) flat;
    SW_TRY(own_nodes(w, from, l));
    for (int i = 0; i < 3; i++)
        l->view.n[i] = from->n[i];
    l->view.tiles = sw_fem_tiles_of(from->n);
    l->view.node = l->node;
    l->view.cell = l->cell;
    l->view.fixed = l->fixed;
    l->view.n_materials = n_materials;
    l->view.block = l->block;
    for (int m = 0; m < 8; m++)
        for (int i = 0; i < 6; i++)
            l->view.one[m][i] = (real)from->blocks[0].block[m][i];
    return SW_OK;
}

sw_fem_cycle_functions functions_of(multigrid_work *w)
{
    if (w->rest)
        return sw_fem_divided_functions(&w->divided);
    return {w, smooth, reduce, restrict_to, prolong, add, clear, coarsest};
}

/* Where launches go from now on; whether they can all, without the host. */
bool follow(multigrid_work *w, cudaStream_t stream)
{
    bool can = true;
    w->stream = stream;
    if (!w->rest)
        return can;
    w->rest->stream = stream;
    for (int i = 0; i < w->hierarchy.n_levels; i++)
        can = w->divided.exchange->queue(w->divided.exchange_work[i], stream) && can;
    return can && w->rows.peers.view.n > 0;
}

/* The cycle from vector[0].r to vector[0].x, recorded. */
sw_status record(multigrid_work *w)
{
    const sw_fem_cycle_functions on = functions_of(w);
    cudaStream_t stream;
    cudaGraph_t graph;
    SW_CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    follow(w, stream);
    sw_status status =
        sw_cuda_status(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "multigrid's graph");
    cudaError_t end = cudaSuccess;
    graph = NULL;
    if (status == SW_OK) {
        sw_fem_cycle(&w->hierarchy, &on, w->vector);
        end = cudaStreamEndCapture(stream, &graph);
        status = w->status != SW_OK ? w->status : w->divided.status; /* the cause, with its message */
    }
    cudaStreamDestroy(stream);
    follow(w, 0); /* from here on the default one, as everything else */
    if (status == SW_OK)
        status = sw_cuda_status(end, "multigrid's graph");
    if (status == SW_OK)
        status = sw_cuda_status(cudaGraphInstantiate(&w->graph, graph, 0), "multigrid's graph");
    if (graph == NULL)
        return status;
    cudaGraphDestroy(graph);
    return status;
}

void close_levels(multigrid_work *w)
{
    if (w->graph)
        cudaGraphExecDestroy(w->graph);
    if (w->stream)
        cudaStreamDestroy(w->stream);
    for (int i = 0; i < SW_FEM_MOST_LEVELS; i++) {
        device_level *l = &w->level[i];
        void *const device[] = {l->node, l->point, l->cell,   l->own_node,    l->block,       l->inverse,
                                l->own,  l->fixed, l->number, w->vector[i].r, w->vector[i].x, w->vector[i].d};
        for (void *pointer : device)
            cudaFree(pointer);
    }
    cudaFree(w->coarsest);
    free(w->own_rows);
    free(w->all_rows);
    sw_spread_close(&w->rows);
    sw_spread_close(&w->cells);
    sw_fem_divided_cycle_close(&w->divided);
    sw_fem_present_close_cuda(&w->present);
    sw_fem_hierarchy_release(&w->hierarchy);
    sw_fem_count_bytes(w->fem, -w->bytes);
    free(w);
}

void close_multigrid(void *opaque)
{
    multigrid_work *w = work_of(opaque);
    if (w && w->rest)
        close_levels(w->rest);
    if (w)
        close_levels(w);
}

sw_status open_present(multigrid_work *w)
{
    w->present.coarsest = w->coarsest;
    const sw_status status = sw_fem_present_open_cuda(&w->hierarchy, &w->present);
    w->bytes += w->present.bytes;
    sw_fem_count_bytes(w->fem, w->present.bytes);
    return status;
}

/* What levels need beside the hierarchy. */
sw_status open_levels(multigrid_work *w)
{
    for (int i = 0; i < w->hierarchy.n_levels; i++) {
        SW_TRY(place_map(w, i));
        if (!w->hierarchy.present)
            SW_TRY(place_matrices(w, i));
    }
    if (!w->hierarchy.divided)
        SW_TRY(place(w, w->coarsest, w->hierarchy.n_coarsest * w->hierarchy.n_coarsest, w->hierarchy.coarsest,
                     "multigrid"));
    return w->hierarchy.present ? open_present(w) : SW_OK;
}

sw_status collect_through_host(multigrid_work *w, const real *r)
{
    multigrid_work *rest = w->rest;
    const sw_fem_level *last = &w->hierarchy.level[w->hierarchy.n_levels - 1];
    SW_CUDA_TRY(cudaMemcpy(w->own_rows, r, 3 * last->n_counted * sizeof(real), cudaMemcpyDeviceToHost));
    SW_TRY(sw_fem_divided_collect(&w->hierarchy, 3 * sizeof(real), w->own_rows, w->all_rows));
    SW_CUDA_TRY(cudaMemcpy(rest->vector[0].r, w->all_rows, 3 * rest->level[0].n_nodes * sizeof(real),
                           cudaMemcpyHostToDevice));
    return SW_OK;
}

/* The last level of parts: a cycle of the rest, within the graph of all or, where the host takes part, of its own. */
sw_status cycle_rest(multigrid_work *w, const real *r, real *x)
{
    multigrid_work *rest = w->rest;
    const sw_fem_level *last = &w->hierarchy.level[w->hierarchy.n_levels - 1];
    const int32_t *number = w->level[w->hierarchy.n_levels - 1].number;
    const real *from = (const real *)rest->vector[0].x;
    if (w->rows.peers.view.n > 0)
        SW_TRY(sw_spread_all(&w->rows, r, (real *)rest->vector[0].r, w->stream));
    else
        SW_TRY(collect_through_host(w, r));
    if (w->stream) {
        const sw_fem_cycle_functions on = functions_of(rest);
        sw_fem_cycle(&rest->hierarchy, &on, rest->vector);
        SW_TRY(rest->status);
    } else {
        SW_CUDA_TRY(cudaGraphLaunch(rest->graph, 0));
    }
    return sw_each(
        3 * last->n_nodes, [=] __device__(int64_t i) { x[i] = from[3 * (int64_t)number[i / 3] + i % 3]; },
        w->stream);
}

void solve_rest(void *opaque, const void *r, void *x)
{
    multigrid_work *w = work_of(opaque);
    KEEP(w, cycle_rest(w, (const real *)r, (real *)x));
}

/* Between GPUs, where all reach each other; else room on the host. */
sw_status open_collecting(multigrid_work *w)
{
    const sw_fem_hierarchy *h = &w->hierarchy;
    const sw_fem_level *last = &h->level[h->n_levels - 1], *whole = &w->rest->hierarchy.level[0];
    if (w->fem->parts->whole_nodes > 0) {
        sw_spread_open(&w->rows, last->n_counted, last->number, whole->n_nodes, 3);
        if (h->present)
            sw_spread_open(&w->cells, last->n_own, sw_fem_divided_own_cells(h), whole->n_own, 24 * 24);
    }
    if (w->rows.peers.view.n > 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(w->own_rows, 3 * last->n_counted, "multigrid"));
    return SW_ALLOCATE(w->all_rows, 3 * whole->n_nodes, "multigrid");
}

sw_status open_rest(multigrid_work *w)
{
    multigrid_work *rest;
    SW_TRY(SW_ALLOCATE(rest, 1, "multigrid"));
    w->rest = rest;
    rest->fem = w->fem;
    SW_TRY(sw_fem_hierarchy_rest(&w->hierarchy, &rest->hierarchy));
    SW_TRY(open_collecting(w));
    w->divided.on = {w, smooth, reduce, restrict_to, prolong, add, clear, solve_rest};
    w->divided.defers = 1;
    w->divided.counts = w->hierarchy.present;
    SW_TRY(sw_fem_divided_cycle_open(&w->hierarchy, &sw_fem_exchange_cuda_single, 9, &w->divided));
    w->present.divided = &w->divided;
    SW_TRY(open_levels(rest));
    return record(follow(w, 0) ? w : rest);
}

/* Of levels with so few nodes a sum over parts takes as long as what parts save (bench/LOG.md, two GPUs). */
constexpr int64_t WHOLE_NODES = 150000;

sw_status build(multigrid_work *w)
{
    /* The hierarchy is built on the host, from the problem: the view's materials are the problem's. */
    sw_fem_view host = {};
    host.material_of = w->fem->problem->material_of;
    uint8_t *none = NULL;
    if (!host.material_of) {
        SW_TRY(SW_ALLOCATE(none, w->fem->n_elements, "multigrid"));
        host.material_of = none;
    }
    if (w->fem->parts && sw_peers_reach_all())
        w->fem->parts->whole_nodes = WHOLE_NODES;
    const sw_status status = sw_fem_hierarchy_build(w->fem, &host, &w->hierarchy);
    free(none);
    SW_TRY(status);
    SW_TRY(open_levels(w));
    if (w->hierarchy.divided)
        return open_rest(w);
    SW_TRY(record(w));
    if (w->hierarchy.present)
        return SW_OK;
    sw_fem_hierarchy_release(&w->hierarchy); /* the device has it */
    return SW_OK;
}

sw_status open_multigrid(sw_fem *fem, const sw_fem_view *, void **result)
{
    multigrid_work *w;
    SW_TRY(SW_ALLOCATE(w, 1, "multigrid"));
    *result = w;
    w->fem = fem;
    return build(w);
}

sw_status pass_cells(void *opaque)
{
    multigrid_work *w = work_of(opaque);
    return sw_spread_all(&w->cells, (const real *)w->present.level[w->hierarchy.n_levels - 1].matrix,
                         (real *)w->rest->present.level[0].matrix);
}

/* Of boxes at small strains all is made when opened. */
sw_status prepare_multigrid(void *opaque, const sw_fem_view *view)
{
    multigrid_work *w = work_of(opaque);
    const bool elastic = view->measure == SW_FEM_MEASURE_SMALL;
    if (!w->hierarchy.present || w->elastic_known)
        return SW_OK;
    const sw_fem_present_functions on = sw_fem_present_cuda(&w->present);
    const sw_fem_cycle_functions cycle = functions_of(w);
    if (w->rest) {
        const sw_fem_present_functions on_rest = sw_fem_present_cuda(&w->rest->present);
        const sw_fem_cycle_functions cycle_rest = functions_of(w->rest);
        const sw_fem_present_rest rest = {&w->rest->hierarchy,
                                          &on_rest,
                                          &cycle_rest,
                                          w->rest->vector,
                                          w->cells.peers.view.n > 0 ? pass_cells : NULL,
                                          w};
        SW_TRY(sw_fem_present_make(&w->hierarchy, &on, &cycle, w->vector, view, elastic, &rest));
        SW_TRY(w->rest->status);
        SW_TRY(w->divided.status);
    } else {
        SW_TRY(sw_fem_present_make(&w->hierarchy, &on, &cycle, w->vector, view, elastic, NULL));
    }
    SW_TRY(w->status);
    w->elastic_known = elastic;
    return SW_OK;
}

sw_status apply_multigrid(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    multigrid_work *w = work_of(opaque);
    const int64_t n = 3 * view->n_nodes;
    real *in = (real *)w->vector[0].r, *out = (real *)w->vector[0].x;
    SW_TRY(sw_each(n, [=] __device__(int64_t i) { in[i] = (real)r[i]; }));
    if (!w->graph) { /* messages are in none */
        const sw_fem_cycle_functions on = functions_of(w);
        sw_fem_cycle(&w->hierarchy, &on, w->vector);
        SW_TRY(w->status);
        SW_TRY(w->divided.status);
    } else {
        SW_CUDA_TRY(cudaGraphLaunch(w->graph, 0));
    }
    return sw_each(n, [=] __device__(int64_t i) { z[i] = out[i]; });
}

} // namespace

extern "C" const sw_fem_preconditioner_functions sw_fem_multigrid_cuda = {open_multigrid, close_multigrid,
                                                                          prepare_multigrid, apply_multigrid};
