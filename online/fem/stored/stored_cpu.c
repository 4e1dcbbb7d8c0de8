/* Operators that store element matrices, on the CPU: loops over items that write apart, elements colour by
 * colour, so that sums are in the same order whatever the number of threads. */
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "stored_cpu.h"

typedef struct {
    sw_fem *fem;
    sw_fem_stored_plan plan;
    int64_t bytes;
    /* Matrices: elastic ones of the materials first, unless each element has its own. */
    double *matrix;
    int64_t room;      /* matrices */
    int elastic_ready; /* the elastic ones are there; SW_FEM_OWN: all are */
    double *common;    /* [n_materials][W][W] elastic ones by row: SW_FEM_SPLIT takes them off */
    int32_t *index;    /* [E] SW_FEM_INDEXED */
    uint8_t *was;      /* [E] SW_FEM_OWN: the matrix kept is a plastic one */
    /* SW_FEM_IMPROVED: plastic elements (nodes), then elastic ones, in each colour. */
    int32_t *sequence;    /* [E] or [N] */
    int64_t *n_plastic;   /* [colours] */
    int64_t *base;        /* [colours] plastic ones of the colours before */
    uint32_t *first, *at; /* sw_fem_around */
} stored_work;

/* ---- Memory ---- */

static sw_status take(stored_work *work, void **pointer, int64_t n, size_t size, const char *what)
{
    SW_TRY(sw_allocate(pointer, (size_t)n, size, what));
    work->bytes += n * (int64_t)size;
    sw_fem_count_bytes(work->fem, n * (int64_t)size);
    return SW_OK;
}
#define TAKE(work, pointer, n, what) take(work, (void **)&(pointer), n, sizeof *(pointer), what)

/* Room for n matrices; a quarter more when it grows again, if there is as much. What was there is lost. */
static sw_status reserve(stored_work *work, int64_t n)
{
    if (n <= work->room)
        return SW_OK;
    const int64_t most = work->plan.n_materials + work->fem->n_elements, more = n + n / 4;
    const int64_t wanted = work->room == 0 ? n : more < most ? more : most;
    const int64_t held =
        sw_fem_layout_size(work->plan.layout, work->plan.W, work->room) * (int64_t)sizeof(double);
    free(work->matrix);
    work->matrix = NULL;
    work->bytes -= held;
    sw_fem_count_bytes(work->fem, -held);
    work->room = 0;
    work->elastic_ready = 0;
    int64_t room = wanted;
    if (TAKE(work, work->matrix, sw_fem_layout_size(work->plan.layout, work->plan.W, room),
             "element matrices") != SW_OK) {
        room = n;
        SW_TRY(TAKE(work, work->matrix, sw_fem_layout_size(work->plan.layout, work->plan.W, room),
                    "element matrices"));
    }
    work->room = room;
    return SW_OK;
}

static void close_stored(void *pointer)
{
    stored_work *work = pointer;
    if (work == NULL)
        return;
    sw_fem_count_bytes(work->fem, -work->bytes);
    free(work->matrix);
    free(work->common);
    free(work->index);
    free(work->was);
    free(work->sequence);
    free(work->n_plastic);
    free(work->base);
    free(work->first);
    free(work->at);
    free(work);
}

/* ---- Opening ---- */

sw_fem_storage sw_fem_storage_of(const sw_fem_problem *problem, const sw_fem_options *options)
{
    return sw_fem_has_boxes(problem->mesh) && problem->kinematics != SW_FEM_AXISYMMETRIC ? options->storage
                                                                                         : SW_FEM_OWN;
}

static sw_status open_parts(stored_work *work, const sw_fem_view *view)
{
    const int64_t E = work->fem->n_elements, N = work->fem->n_nodes;
    const int indexed = work->plan.storage == SW_FEM_SINGLE ||
                        (work->plan.storage == SW_FEM_IMPROVED && work->plan.node_wise);
    if (work->plan.storage == SW_FEM_OWN) {
        SW_TRY(reserve(work, E));
        SW_TRY(TAKE(work, work->was, E, "elements' states"));
    }
    if (work->plan.storage == SW_FEM_SPLIT)
        SW_TRY(TAKE(work, work->common, work->plan.n_materials * work->plan.W * work->plan.W,
                    "elastic element matrices"));
    if (indexed)
        SW_TRY(TAKE(work, work->index, E, "elements' matrices"));
    if (work->plan.storage == SW_FEM_IMPROVED) {
        const int groups = work->plan.node_wise ? 1 : view->n_colours;
        SW_TRY(TAKE(work, work->sequence, work->plan.node_wise ? N : E, "lists of elastic and plastic"));
        SW_TRY(TAKE(work, work->n_plastic, groups, "plastic elements of a colour"));
        SW_TRY(TAKE(work, work->base, groups, "plastic elements of a colour"));
    }
    if (work->plan.node_wise) {
        SW_TRY(sw_fem_check_around(E, work->plan.V));
        SW_TRY(TAKE(work, work->first, N + 1, "elements around nodes"));
        SW_TRY(TAKE(work, work->at, E * work->plan.V, "elements around nodes"));
        sw_fem_list_around(N, E, work->plan.V, view->node, work->first, work->at);
    }
    return SW_OK;
}

static sw_status open_stored(sw_fem *fem, const sw_fem_view *view, void **pointer, sw_fem_operator operator_)
{
    stored_work *work;
    *pointer = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "the operator"));
    work->fem = fem;
    work->plan =
        sw_fem_plan_stored(fem, operator_, operator_ == SW_FEM_EBE_SYM ? SW_FEM_HALF : SW_FEM_BY_ROW);
    const sw_status status = open_parts(work, view);
    if (status != SW_OK) {
        close_stored(work);
        return status;
    }
    *pointer = work;
    return SW_OK;
}

/* ---- Matrices ---- */

/* The elastic matrix of a material, by row. */
SW_FEM_INLINE void common_matrix(sw_fem_kinematics k, const sw_fem_view *view, int material, double *matrix)
{
    const int W = sw_fem_corners(k) * sw_fem_components(k);
    double x[3][8];
    sw_fem_stiffness stiffness;
    sw_fem_common_element(k, view, material, x, &stiffness);
    for (int j = 0; j < W; j++)
        sw_fem_element_column(k, view, (const double(*)[8])x, &stiffness, 1, j, matrix + j * W);
}

void sw_fem_elastic_matrix_cpu(sw_fem_kinematics k, const sw_fem_view *view, int material, double *matrix)
{
    SW_FEM_WITH(k, common_matrix, view, material, matrix);
}

/* Of element e under the view's tangent. */
static void element_matrix(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *matrix)
{
    SW_FEM_WITH(k, sw_fem_element_matrix, view, e, matrix);
}

static void keep(const stored_work *work, int64_t m, const double *matrix)
{
    for (int i = 0; i < work->plan.W; i++)
        for (int j = 0; j < work->plan.W; j++) {
            const int64_t place = sw_fem_entry(work->plan.layout, work->plan.V, work->plan.c, m, i, j);
            if (place >= 0)
                work->matrix[place] = matrix[i * work->plan.W + j];
        }
}

static void elastic_matrices(stored_work *work, const sw_fem_view *view)
{
    for (int m = 0; m < work->plan.n_materials; m++) {
        double matrix[SW_FEM_MOST_ENTRIES];
        sw_fem_elastic_matrix_cpu(work->plan.kinematics, view, m, matrix);
        keep(work, m, matrix);
        if (work->common)
            memcpy(work->common + m * work->plan.W * work->plan.W, matrix,
                   (size_t)(work->plan.W * work->plan.W) * sizeof *matrix);
    }
}

/* SW_FEM_OWN: those that are new, plastic or plastic no longer. Matrix k is of the element at k. */
static void own_matrices(stored_work *work, const sw_fem_view *view)
{
    const int all = !work->elastic_ready;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t k = 0; k < work->fem->n_elements; k++) {
        const int64_t e = work->plan.node_wise ? k : view->coloured[k];
        const int plastic = view->slot[e] >= 0;
        if (all || plastic || work->was[k]) {
            double matrix[SW_FEM_MOST_ENTRIES];
            element_matrix(work->plan.kinematics, view, e, matrix);
            keep(work, k, matrix);
        }
        work->was[k] = (uint8_t)plastic;
    }
}

/* Matrices of elements [n], which follow the elastic ones from `base` on. */
static void plastic_matrices(stored_work *work, const sw_fem_view *view, int64_t n, const int32_t *element,
                             int64_t base)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t i = 0; i < n; i++) {
        double matrix[SW_FEM_MOST_ENTRIES];
        element_matrix(work->plan.kinematics, view, element[i], matrix);
        if (work->common) {
            const double *elastic =
                work->common + view->material_of[element[i]] * work->plan.W * work->plan.W;
            for (int j = 0; j < work->plan.W * work->plan.W; j++)
                matrix[j] -= elastic[j];
        }
        keep(work, work->plan.n_materials + base + i, matrix);
    }
}

/* Plastic ones to the front of each colour. */
static void segregate_elements(stored_work *work, const sw_fem_view *view)
{
#pragma omp parallel for schedule(static)
    for (int colour = 0; colour < view->n_colours; colour++) {
        const int64_t first = view->colour_first[colour], last = view->colour_first[colour + 1];
        int64_t n = 0;
        for (int64_t i = first; i < last; i++)
            n += view->slot[view->coloured[i]] >= 0;
        int64_t plastic = first, elastic = first + n;
        for (int64_t i = first; i < last; i++) {
            const int32_t e = view->coloured[i];
            work->sequence[view->slot[e] >= 0 ? plastic++ : elastic++] = e;
        }
        work->n_plastic[colour] = n;
    }
    int64_t sum = 0;
    for (int colour = 0; colour < view->n_colours; colour++) {
        work->base[colour] = sum;
        sum += work->n_plastic[colour];
    }
}

static void segregate_nodes(stored_work *work, const sw_fem_view *view)
{
    const sw_fem_around around = {work->first, work->at};
    int64_t plastic = 0, elastic = work->fem->n_nodes;
    for (int64_t n = 0; n < work->fem->n_nodes; n++)
        work->sequence[sw_fem_node_plastic(work->plan.V, view->slot, around, n) ? plastic++ : --elastic] =
            (int32_t)n;
    work->n_plastic[0] = plastic;
}

/* Which matrix an element uses, and the lists of elastic and plastic items. */
static sw_status preprocess_stored(void *pointer, const sw_fem_view *view)
{
    stored_work *work = pointer;
    if (work->index) {
#pragma omp parallel for schedule(static)
        for (int64_t e = 0; e < work->fem->n_elements; e++)
            work->index[e] =
                view->slot[e] < 0 ? view->material_of[e] : work->plan.n_materials + view->slot[e];
    }
    if (work->plan.storage == SW_FEM_IMPROVED)
        (work->plan.node_wise ? segregate_nodes : segregate_elements)(work, view);
    return SW_OK;
}

static sw_status prepare_stored(void *pointer, const sw_fem_view *view)
{
    stored_work *work = pointer;
    if (work->plan.storage == SW_FEM_OWN) {
        own_matrices(work, view);
        work->elastic_ready = 1;
        return SW_OK;
    }
    SW_TRY(reserve(work, work->plan.n_materials + view->n_plastic));
    if (!work->elastic_ready)
        elastic_matrices(work, view);
    work->elastic_ready = 1;
    SW_TRY(preprocess_stored(work, view));
    if (work->plan.storage == SW_FEM_IMPROVED && !work->plan.node_wise) {
        for (int colour = 0; colour < view->n_colours; colour++)
            plastic_matrices(work, view, work->n_plastic[colour], work->sequence + view->colour_first[colour],
                             work->base[colour]);
    } else {
        plastic_matrices(work, view, view->n_plastic, view->plastic, 0);
    }
    return SW_OK;
}

/* ---- Products ---- */

/* Items of one pass that a thread does: elements (of a colour) or nodes, times the items of each. */
typedef struct {
    sw_fem_operator operator_;
    sw_fem_which which;
    sw_fem_stored stored;
    sw_fem_around around;
    const int32_t *sequence; /* elements or nodes, NULL: counted */
    int64_t place;           /* of the first one's matrix */
    const double *p;
    double *g;
} items;

/* Rows first .. last of element number i. */
SW_FEM_INLINE void element_rows(int V, int c, const items *job, int64_t i, int first, int last)
{
    const int W = V * c;
    const int64_t e = job->sequence ? job->sequence[i] : i;
    const int64_t m = sw_fem_matrix_of(job->which, &job->stored, e, job->place + i);
    const int32_t *node = job->stored.node + e * V;
    const double *matrix = job->stored.matrix;
    double own[2 * SW_FEM_MOST_WIDTH], sum[SW_FEM_MOST_WIDTH];
    if (m < 0)
        return;
    sw_fem_gather_own(V, c, node, job->p, own);
    if (job->operator_ == SW_FEM_EBE) {
        sw_fem_all_rows(W, matrix + m * W * W, own, sum);
    } else if (job->operator_ == SW_FEM_EBE_SYM) {
        memcpy(own + W, own, (size_t)W * sizeof *own);
        for (int r = first; r < last; r++)
            sum[r] = sw_fem_half_row(W, matrix + m * (W * (W + 1) / 2), r, own);
    } else {
        for (int r = first; r < last; r++)
            sum[r] = sw_fem_row(W, matrix + m * W * W + r * W, own);
    }
    for (int r = first; r < last; r++)
        job->g[(int64_t)node[r / c] * c + r % c] += sum[r];
}

/* Unknowns first .. last of node number i. */
SW_FEM_INLINE void node_rows(int V, int c, const items *job, int64_t i, int first, int last)
{
    const int64_t node = job->sequence ? job->sequence[i] : i;
    double *g = job->g + node * c, sum[3] = {0};
    sw_fem_node_rows(V, c, job->which, &job->stored, job->around, node, first, last - first, job->p, sum);
    for (int r = first; r < last; r++)
        g[r] += sum[r - first];
}

/* A thread's part of the job's n elements or nodes, cut between items, which may be within an element or a
 * node: `rows` of it are an item. What neighbouring items share is gathered once. */
SW_FEM_INLINE void do_items(int V, int c, const items *job, int64_t n, int thread, int threads)
{
    const int node_wise = sw_fem_node_wise(job->operator_);
    const int all = node_wise ? c : V * c;
    const int rows = job->operator_ == SW_FEM_NBN || job->operator_ == SW_FEM_EBE ? all
                     : job->operator_ == SW_FEM_EBE_NODE                          ? c
                                                                                  : 1;
    const int64_t each = all / rows, end = n * each * (thread + 1) / threads * rows;
    for (int64_t i = n * each * thread / threads * rows; i < end;) {
        const int first = (int)(i % all), last = end - i < all - first ? first + (int)(end - i) : all;
        if (node_wise)
            node_rows(V, c, job, i / all, first, last);
        else
            element_rows(V, c, job, i / all, first, last);
        i += last - first;
    }
}

static void run(const stored_work *work, const items *job, int64_t n)
{
#pragma omp parallel
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        SW_FEM_WITH_SIZES(work->plan.kinematics, do_items, job, n, thread, threads);
    }
}

/* One pass over nodes, or over the elements of each colour. */
static void run_pass(const stored_work *work, const sw_fem_view *view, items *job, sw_fem_items which)
{
    const int listed = which != SW_FEM_ALL_ITEMS, elastic = which == SW_FEM_ELASTIC_ITEMS;
    for (int group = 0; group < (work->plan.node_wise ? 1 : view->n_colours); group++) {
        const int64_t first = work->plan.node_wise ? 0 : view->colour_first[group];
        const int64_t last = work->plan.node_wise ? work->fem->n_nodes : view->colour_first[group + 1];
        const int64_t plastic = listed ? work->n_plastic[group] : 0;
        const int32_t *sequence = work->sequence         ? work->sequence
                                  : work->plan.node_wise ? NULL
                                                         : view->coloured;
        job->sequence = sequence ? sequence + first + (elastic ? plastic : 0) : NULL;
        job->place = which == SW_FEM_PLASTIC_ITEMS && work->base ? work->base[group] : first;
        run(work, job, !listed ? last - first : elastic ? last - first - plastic : plastic);
    }
}

static sw_status product_stored(void *pointer, const sw_fem_view *view, const double *p, double *g)
{
    const stored_work *work = pointer;
    const sw_fem_passes *passes = &sw_fem_passes_of[work->plan.node_wise][work->plan.storage];
    items job = {.operator_ = work->plan.operator_,
                 .stored = {work->matrix, work->plan.n_materials, work->index, view->node, view->slot,
                            view->material_of, NULL},
                 .around = {work->first, work->at},
                 .p = p,
                 .g = g};
    memset(g, 0, (size_t)(work->fem->n_nodes * work->plan.c) * sizeof *g);
    for (int i = 0; i < passes->n; i++) {
        job.which = passes->pass[i].which;
        run_pass(work, view, &job, passes->pass[i].items);
    }
    return SW_OK;
}

/* ---- The table ---- */

#define STORED(name, number)                                                                          \
    static sw_status open_##name(sw_fem *fem, const sw_fem_view *view, void **work)                   \
    {                                                                                                 \
        return open_stored(fem, view, work, number);                                                  \
    }                                                                                                 \
    const sw_fem_operator_functions sw_fem_##name##_cpu = {open_##name, close_stored, prepare_stored, \
                                                           product_stored, preprocess_stored};
STORED(nbn, SW_FEM_NBN)
STORED(dbd, SW_FEM_DBD)
STORED(ebe, SW_FEM_EBE)
STORED(ebe_node, SW_FEM_EBE_NODE)
STORED(ebe_dof, SW_FEM_EBE_DOF)
STORED(ebe_sym, SW_FEM_EBE_SYM)
