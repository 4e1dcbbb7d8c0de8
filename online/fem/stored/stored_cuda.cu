/* Operators that store or assemble element matrices, on the GPU: what is kept, how elastic and plastic
 * elements are told apart, and the launches of a product. All on the default stream; with SW_FEM_COLOURS the
 * results have the same bits each time.
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, V nodes of an element, W = V c. */
#include <stdlib.h>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "online/gpu/cuda_check.h"
#include "stored.cuh"
#include "matrices.cuh"
#include "assembled.cuh"

namespace
{

struct stored_work {
    counted memory;
    sw_fem_stored_plan plan;
    bool atomic;
    sw_fem_staging staging;
    int n_groups;         /* launches of a pass: colours, or 1 */
    int64_t *group_first; /* host [n_groups + 1] elements or nodes */
    int64_t *n_plastic;   /* host [n_groups] SW_FEM_IMPROVED */
    /* Device. Elastic matrices of the materials come first, unless each element has its own. */
    double *matrix;
    int64_t room;         /* matrices */
    bool elastic_ready;   /* the elastic ones are there; SW_FEM_OWN: all are */
    int32_t *index;       /* [E] SW_FEM_INDEXED */
    uint8_t *was;         /* [E] SW_FEM_OWN: the matrix kept is a plastic one */
    int32_t *sequence;    /* [E] or [N] SW_FEM_IMPROVED: plastic ones, then elastic ones, in each group */
    int64_t *count;       /* [n_groups] plastic ones */
    uint32_t *first, *at; /* sw_fem_around */
};

/* ---- Memory ---- */

/* Room for n matrices; a quarter more when it grows again, if there is as much. What was there is lost. */
sw_status reserve(stored_work *work, int64_t n)
{
    if (n <= work->room)
        return SW_OK;
    const int64_t most = work->plan.n_materials + work->memory.fem->n_elements, more = n + n / 4;
    int64_t room = work->room == 0 ? n : more < most ? more : most;
    drop(&work->memory, work->matrix, sw_fem_layout_size(work->plan.layout, work->plan.W, work->room) * 8);
    work->matrix = NULL;
    work->room = 0;
    work->elastic_ready = false;
    if (TAKE(&work->memory, work->matrix, sw_fem_layout_size(work->plan.layout, work->plan.W, room),
             "element matrices") != SW_OK) {
        room = n;
        SW_TRY(TAKE(&work->memory, work->matrix, sw_fem_layout_size(work->plan.layout, work->plan.W, room),
                    "element matrices"));
    }
    work->room = room;
    return SW_OK;
}

void close_stored(void *pointer)
{
    stored_work *work = (stored_work *)pointer;
    if (work == NULL)
        return;
    cudaFree(work->matrix);
    cudaFree(work->index);
    cudaFree(work->was);
    cudaFree(work->sequence);
    cudaFree(work->count);
    cudaFree(work->first);
    cudaFree(work->at);
    free(work->group_first);
    free(work->n_plastic);
    sw_fem_count_bytes(work->memory.fem, -work->memory.bytes);
    free(work);
}

sw_status open_parts(stored_work *work, const sw_fem_view *view)
{
    const int64_t E = view->n_elements, N = view->n_nodes;
    const bool coloured = !work->plan.node_wise && !work->atomic,
               improved = work->plan.storage == SW_FEM_IMPROVED;
    work->n_groups = coloured ? view->n_colours : 1;
    SW_TRY(SW_ALLOCATE(work->group_first, work->n_groups + 1, "colours"));
    SW_TRY(SW_ALLOCATE(work->n_plastic, work->n_groups, "colours"));
    for (int group = 0; group <= work->n_groups; group++)
        work->group_first[group] =
            coloured ? view->colour_first[group] : group * (work->plan.node_wise ? N : E);
    if (work->plan.storage == SW_FEM_OWN) {
        SW_TRY(reserve(work, E));
        SW_TRY(TAKE(&work->memory, work->was, E, "elements' states"));
    }
    if (work->plan.storage == SW_FEM_SINGLE || (improved && work->plan.node_wise))
        SW_TRY(TAKE(&work->memory, work->index, E, "elements' matrices"));
    if (improved) {
        SW_TRY(TAKE(&work->memory, work->sequence, work->plan.node_wise ? N : E,
                    "lists of elastic and plastic"));
        SW_TRY(TAKE(&work->memory, work->count, work->n_groups, "plastic elements of a colour"));
    }
    if (work->plan.node_wise)
        SW_TRY(list_around(&work->memory, view, work->plan.V, &work->first, &work->at));
    return SW_OK;
}

sw_fem_layout layout_of(sw_fem_operator operator_)
{
    return operator_ == SW_FEM_EBE        ? SW_FEM_BY_ELEMENT
           : operator_ == SW_FEM_EBE_NODE ? SW_FEM_BY_NODE
           : operator_ == SW_FEM_EBE_DOF  ? SW_FEM_BY_UNKNOWN
           : operator_ == SW_FEM_EBE_SYM  ? SW_FEM_HALF
                                          : SW_FEM_BY_ROW;
}

sw_status open_stored(sw_fem *fem, const sw_fem_view *view, void **pointer, sw_fem_operator operator_)
{
    stored_work *work;
    *pointer = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "the operator"));
    work->memory.fem = fem;
    work->plan = sw_fem_plan_stored(fem, operator_, layout_of(operator_));
    work->staging = fem->options.staging;
    work->atomic = !work->plan.node_wise && fem->options.scatter == SW_FEM_ATOMICS;
    const sw_status status = open_parts(work, view);
    if (status != SW_OK) {
        close_stored(work);
        return status;
    }
    *pointer = work;
    return SW_OK;
}

/* ---- A new tangent ---- */

__global__ void fill_index(int64_t n, int n_materials, const int32_t *slot, const uint8_t *material_of,
                           int32_t *index)
{
    SW_GRID_STRIDE (e, n)
        index[e] = slot[e] < 0 ? material_of[e] : n_materials + slot[e];
}

struct plastic_element {
    const int32_t *slot;
    __device__ bool operator()(int32_t e) const { return slot[e] >= 0; }
};

struct plastic_node {
    int V;
    const int32_t *slot;
    sw_fem_around around;
    __device__ bool operator()(int32_t node) const { return sw_fem_node_plastic(V, slot, around, node); }
};

/* Items of each group that are plastic, in their order, then the others; and their numbers. */
template <class Source, class Plastic> sw_status segregate(stored_work *work, Source source, Plastic plastic)
{
    SW_TRY(with_temporary(&work->memory, [&](void *temporary, size_t &bytes) {
        cudaError_t error = cudaSuccess;
        size_t most = bytes;
        for (int group = 0; group < work->n_groups && error == cudaSuccess; group++) {
            const int64_t first = work->group_first[group], n = work->group_first[group + 1] - first;
            error = cub::DevicePartition::If(temporary, bytes, source + first, work->sequence + first,
                                             work->count + group, (int)n, plastic);
            most = bytes > most ? bytes : most;
        }
        bytes = most;
        return error;
    }));
    SW_CUDA_TRY(cudaMemcpy(work->n_plastic, work->count, (size_t)work->n_groups * sizeof(int64_t),
                           cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status segregate_view(stored_work *work, const sw_fem_view *view)
{
    const thrust::counting_iterator<int32_t> counted_items(0);
    const plastic_element plastic = {view->slot};
    if (work->plan.node_wise)
        return segregate(work, counted_items,
                         plastic_node{work->plan.V, view->slot, {work->first, work->at}});
    if (work->atomic)
        return segregate(work, counted_items, plastic);
    return segregate(work, view->coloured, plastic);
}

sw_status elastic_matrices(stored_work *work, const sw_fem_view *view, matrix_job job)
{
    job.n = work->plan.n_materials;
    job.common = 1;
    return launch_matrices(view, &job);
}

/* Of elements [n], which follow the elastic ones from `base` on. */
sw_status plastic_matrices(stored_work *work, const sw_fem_view *view, matrix_job job, int64_t n,
                           const int32_t *element, int64_t base)
{
    job.n = n;
    job.element = element;
    job.base = work->plan.n_materials + base;
    job.minus = work->plan.storage == SW_FEM_SPLIT;
    return launch_matrices(view, &job);
}

sw_status own_matrices(stored_work *work, const sw_fem_view *view, matrix_job job)
{
    job.n = view->n_elements;
    job.element = work->plan.node_wise || work->atomic ? NULL : view->coloured;
    job.was = work->was;
    job.all = !work->elastic_ready;
    return launch_matrices(view, &job);
}

/* Which matrix an element uses, and the lists of elastic and plastic items. */
sw_status preprocess_stored(void *pointer, const sw_fem_view *view)
{
    stored_work *work = (stored_work *)pointer;
    if (work->index) {
        fill_index<<<sw_blocks_for(view->n_elements, 256), 256>>>(view->n_elements, work->plan.n_materials,
                                                                  view->slot, view->material_of, work->index);
        SW_CUDA_TRY_LAUNCH();
    }
    return work->plan.storage == SW_FEM_IMPROVED ? segregate_view(work, view) : SW_OK;
}

sw_status prepare_stored(void *pointer, const sw_fem_view *view)
{
    stored_work *work = (stored_work *)pointer;
    if (work->plan.storage != SW_FEM_OWN)
        SW_TRY(reserve(work, work->plan.n_materials + view->n_plastic));
    matrix_job job = {};
    job.matrix = work->matrix;
    job.layout = work->plan.layout;
    if (work->plan.storage == SW_FEM_OWN) {
        SW_TRY(own_matrices(work, view, job));
        work->elastic_ready = true;
        return SW_OK;
    }
    if (!work->elastic_ready)
        SW_TRY(elastic_matrices(work, view, job));
    work->elastic_ready = true;
    SW_TRY(preprocess_stored(work, view));
    if (work->plan.storage != SW_FEM_IMPROVED || work->plan.node_wise)
        return plastic_matrices(work, view, job, view->n_plastic, view->plastic, 0);
    for (int64_t group = 0, base = 0; group < work->n_groups; base += work->n_plastic[group++])
        SW_TRY(plastic_matrices(work, view, job, work->n_plastic[group],
                                work->sequence + work->group_first[group], base));
    return SW_OK;
}

/* ---- Products ---- */

sw_status launch(const stored_work *work, const pass_items *job)
{
    const reading how = reading_of(work->plan.operator_, work->plan.storage, work->staging, job->which,
                                   work->plan.n_materials);
    if (job->n == 0)
        return SW_OK;
    if (work->plan.kinematics == SW_FEM_SOLID)
        launch_pass_staged<8, 3>(work->staging, how, work->plan.operator_, *job);
    else if (work->plan.kinematics == SW_FEM_HEAT)
        launch_pass_staged<4, 1>(work->staging, how, work->plan.operator_, *job);
    else
        launch_pass_staged<4, 2>(work->staging, how, work->plan.operator_, *job);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* One pass over nodes, or over the elements of each group. */
sw_status launch_groups(const stored_work *work, const sw_fem_view *view, pass_items job, sw_fem_items items)
{
    const bool listed = items != SW_FEM_ALL_ITEMS, elastic = items == SW_FEM_ELASTIC_ITEMS;
    const int32_t *sequence = work->sequence                         ? work->sequence
                              : work->plan.node_wise || work->atomic ? NULL
                                                                     : view->coloured;
    int64_t base = 0;
    for (int group = 0; group < work->n_groups; group++) {
        const int64_t first = work->group_first[group], n = work->group_first[group + 1] - first;
        const int64_t plastic = listed ? work->n_plastic[group] : 0;
        job.sequence = sequence ? sequence + first + (elastic ? plastic : 0) : NULL;
        job.place = listed ? base : first;
        job.n = !listed ? n : elastic ? n - plastic : plastic;
        base += plastic;
        SW_TRY(launch(work, &job));
    }
    return SW_OK;
}

sw_status product_stored(void *pointer, const sw_fem_view *view, const double *p, double *g)
{
    const stored_work *work = (const stored_work *)pointer;
    const sw_fem_passes *passes = &sw_fem_passes_of[work->plan.node_wise][work->plan.storage];
    pass_items job = {};
    job.stored = {work->matrix, work->plan.n_materials, work->index, view->node,
                  view->slot,   view->material_of};
    job.around = {work->first, work->at};
    job.atomic = work->atomic;
    job.p = p;
    job.g = g;
    if (!work->plan.node_wise)
        SW_CUDA_TRY(cudaMemsetAsync(g, 0, (size_t)(view->n_nodes * work->plan.c) * sizeof *g));
    for (int i = 0; i < passes->n; i++) {
        job.which = passes->pass[i].which;
        job.add = i > 0 && passes->pass[i].items == SW_FEM_ALL_ITEMS;
        SW_TRY(launch_groups(work, view, job, passes->pass[i].items));
    }
    return SW_OK;
}

/* ---- The table ---- */

template <sw_fem_operator operator_> sw_status open_as(sw_fem *fem, const sw_fem_view *view, void **work)
{
    return open_stored(fem, view, work, operator_);
}

} // namespace

#define STORED(name, operator_)                              \
    const sw_fem_operator_functions sw_fem_##name##_cuda = { \
        open_as<operator_>, close_stored, prepare_stored, product_stored, preprocess_stored};
STORED(nbn, SW_FEM_NBN)
STORED(dbd, SW_FEM_DBD)
STORED(ebe, SW_FEM_EBE)
STORED(ebe_node, SW_FEM_EBE_NODE)
STORED(ebe_dof, SW_FEM_EBE_DOF)
STORED(ebe_sym, SW_FEM_EBE_SYM)
const sw_fem_operator_functions sw_fem_assembled_cuda = {open_assembled, close_assembled, prepare_assembled,
                                                         product_assembled};
