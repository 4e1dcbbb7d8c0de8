/* Products of one tangent by every operator, storage and scatter, timed; for bench_fem.c. */
#ifndef SW_BENCH_FEM_PRODUCTS_H
#define SW_BENCH_FEM_PRODUCTS_H

#include "fem_problem.h"
#include "online/fem/analysis/choices.h"
#include "tests/gpu/view.h"

/* ---- Plastic zones ---- */

/* A view of the mesh on the CPU with the share of its elements plastic that x = 0 .. share of the body holds,
 * as a plastic zone does: all points of those, with random directions. */
typedef struct {
    sw_fem_view view;
    int64_t *first;
    int32_t *coloured, *plastic, *slot;
    uint8_t *material_of;
    double *tangent, bulk, shear;
} bench_view;

typedef struct {
    double x;
    int64_t element;
} bench_place;

static inline int compare_places(const void *a, const void *b)
{
    const bench_place *p = (const bench_place *)a, *q = (const bench_place *)b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x)
                        : (p->element > q->element) - (p->element < q->element);
}

/* slot 0 of the `wanted` elements of least x, else -1. */
static inline void choose_elements(const sw_fem_mesh *mesh, int64_t wanted, int32_t *slot)
{
    const int V = sw_fem_shapes[mesh->shape].n_nodes, d = sw_fem_shapes[mesh->shape].dimension;
    bench_place *place;
    stop_on(SW_ALLOCATE(place, mesh->n_elements, "elements by x"));
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        double sum = 0;
        for (int v = 0; v < V; v++)
            sum += mesh->position[d * (int64_t)mesh->node[e * V + v]];
        place[e] = (bench_place){nearbyint(1e9 * sum), e}; /* round-off is no order */
        slot[e] = -1;
    }
    qsort(place, (size_t)mesh->n_elements, sizeof *place, compare_places);
    for (int64_t i = 0; i < wanted; i++)
        slot[place[i].element] = 0;
    free(place);
}

static inline void make_view(const bench_problem *p, double share, bench_view *v)
{
    const sw_fem_mesh *mesh = p->mesh;
    const int64_t E = mesh->n_elements, wanted = (int64_t)(share * (double)E + 0.5);
    memset(v, 0, sizeof *v);
    const int Q = sw_fem_shapes[mesh->shape].n_nodes;
    v->view = (sw_fem_view){.kinematics = p->problem.kinematics,
                            .thickness = 1,
                            .n_nodes = mesh->n_nodes,
                            .n_elements = E,
                            .position = mesh->position,
                            .node = mesh->node,
                            .bulk = &v->bulk,
                            .shear = &v->shear};
    v->bulk = sw_fem_bulk(p->problem.material);
    v->shear = sw_fem_shear(p->problem.material);
    stop_on(sw_fem_colour(mesh, &v->view.n_colours, &v->first, &v->coloured));
    stop_on(SW_ALLOCATE(v->material_of, E, "materials"));
    stop_on(SW_ALLOCATE(v->slot, E, "slots"));
    stop_on(SW_ALLOCATE(v->plastic, E, "plastic elements"));
    stop_on(SW_ALLOCATE(v->tangent, wanted * SW_FEM_TANGENT_SIZE * Q + 1, "tangents"));
    choose_elements(mesh, wanted, v->slot);
    int64_t n = 0;
    for (int64_t e = 0; e < E; e++)
        if (v->slot[e] == 0) {
            v->slot[e] = (int32_t)n;
            v->plastic[n++] = (int32_t)e;
        }
    uint64_t state = 88172645463325252u;
    for (int64_t i = 0; i < SW_FEM_TANGENT_SIZE * Q * n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const double unit = (double)(state >> 11) * 0x1p-53;
        v->tangent[i] = i < Q * n ? 0.6 + 0.4 * unit : (unit - 0.5) * sqrt(v->shear);
    }
    v->view.colour_first = v->first;
    v->view.coloured = v->coloured;
    v->view.material_of = v->material_of;
    v->view.slot = v->slot;
    v->view.plastic = v->plastic;
    v->view.n_plastic = n;
    v->view.tangent = v->tangent;
}

static inline void free_view(bench_view *v)
{
    free(v->first);
    free(v->coloured);
    free(v->material_of);
    free(v->slot);
    free(v->plastic);
    free(v->tangent);
}

/* ---- What is timed ---- */

typedef struct {
    const bench_problem *problem;
    const char *body, *only; /* operators, commas between them; NULL: all */
    int gpu, newton;         /* newton: iteration whose zone it is */
    int stagings;            /* of a GPU's passes with one elastic matrix: that many; 0: as by default */
    int64_t n_pairs;         /* of nodes that share an element, each with itself too */
    double *p, *g;           /* vectors of the device */
} bench_setting;

static inline int64_t count_pairs(const sw_fem_mesh *mesh)
{
    const int V = sw_fem_shapes[mesh->shape].n_nodes;
    int64_t *first, n = 0;
    int32_t *at, *last;
    stop_on(SW_ALLOCATE(first, mesh->n_nodes + 2, "elements around nodes"));
    stop_on(SW_ALLOCATE(at, mesh->n_elements * V, "elements around nodes"));
    stop_on(SW_ALLOCATE(last, mesh->n_nodes, "pairs of nodes"));
    for (int64_t i = 0; i < mesh->n_elements * V; i++)
        first[mesh->node[i] + 2]++;
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        first[i + 2] += first[i + 1];
    for (int64_t i = 0; i < mesh->n_elements * V; i++)
        at[first[mesh->node[i] + 1]++] = (int32_t)(i / V);
    for (int64_t node = 0; node < mesh->n_nodes; node++)
        for (int64_t k = first[node]; k < first[node + 1]; k++)
            for (int v = 0; v < V; v++) {
                const int32_t other = mesh->node[(int64_t)at[k] * V + v];
                n += last[other] != node + 1;
                last[other] = (int32_t)(node + 1);
            }
    free(first);
    free(at);
    free(last);
    return n;
}

static inline bench_setting make_setting(const bench_problem *problem, const char *body, int gpu,
                                         const char *only)
{
    const int64_t n = problem->mesh->n_nodes * sw_fem_unknowns(problem->problem.kinematics);
    bench_setting s = {
        .problem = problem, .body = body, .only = only, .gpu = gpu, .n_pairs = count_pairs(problem->mesh)};
    double *host;
    stop_on(SW_ALLOCATE(host, n, "vector"));
    for (int64_t i = 0; i < n; i++)
        host[i] = (double)((i * 7919) % 1009) / 1009 - 0.5;
    if (gpu) {
        stop_on(vector_upload(n, host, &s.p));
        stop_on(vector_upload(n, NULL, &s.g));
        free(host);
    } else {
        s.p = host;
        stop_on(SW_ALLOCATE(s.g, n, "vector"));
    }
    return s;
}

static inline void free_setting(bench_setting *s)
{
    if (s->gpu) {
        vector_release(s->p);
        vector_release(s->g);
    } else {
        free(s->p);
        free(s->g);
    }
}

static inline int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { BATCHES = 7 };

/* A read of one number waits for the device. */
static inline void wait_for_device(const bench_setting *s)
{
    double one;
    if (s->gpu)
        stop_on(vector_download(1, s->g, &one));
}

typedef sw_status timed_call(const sw_fem_operator_functions *on, void *work, const sw_fem_view *view,
                             const bench_setting *s);

static inline sw_status call_product(const sw_fem_operator_functions *on, void *work, const sw_fem_view *view,
                                     const bench_setting *s)
{
    return on->product(work, view, s->p, s->g);
}

static inline sw_status call_preprocess(const sw_fem_operator_functions *on, void *work,
                                        const sw_fem_view *view, const bench_setting *s)
{
    (void)s;
    return on->preprocess ? on->preprocess(work, view) : SW_OK;
}

/* Median seconds of one call. */
static inline double time_call(timed_call *call, const sw_fem_operator_functions *on, void *work,
                               const sw_fem_view *view, const bench_setting *s)
{
    double time[BATCHES], start;
    int repeats = 1;
    for (int warm = 0; warm < 2; warm++) {
        start = sw_seconds();
        for (int i = 0; i < repeats; i++)
            stop_on(call(on, work, view, s));
        wait_for_device(s);
        repeats = (int)fmin(50, fmax(1, 0.02 * repeats / (sw_seconds() - start)));
    }
    for (int b = 0; b < BATCHES; b++) {
        start = sw_seconds();
        for (int i = 0; i < repeats; i++)
            stop_on(call(on, work, view, s));
        wait_for_device(s);
        time[b] = (sw_seconds() - start) / repeats;
    }
    qsort(time, BATCHES, sizeof *time, compare_numbers);
    return time[BATCHES / 2];
}

/* ---- Every way ---- */

/* An operator that is open on a view, with what that took, s. */
typedef struct {
    const sw_fem_operator_functions *on;
    sw_fem_options options;
    sw_fem fem;
    void *work;
    double opened, prepared;
} bench_way;

/* Whether the device has it and it had room; else says why not. */
static inline int open_way(const bench_setting *s, const sw_fem_view *view, const sw_fem_options *options,
                           bench_way *way)
{
    const sw_fem_operator_choice *choice = &sw_fem_operators[options->operator_];
    const bench_problem *problem = s->problem;
    *way = (bench_way){
        .on = s->gpu ? choice->cuda : choice->cpu,
        .options = *options,
        .fem = {.problem = &problem->problem,
                .options = *options,
                .dimension = sw_fem_shapes[problem->mesh->shape].dimension,
                .components = sw_fem_unknowns(problem->problem.kinematics),
                .corners = sw_fem_shapes[problem->mesh->shape].n_nodes,
                .n_nodes = problem->mesh->n_nodes,
                .n_elements = problem->mesh->n_elements,
                .n_unknowns = problem->mesh->n_nodes * sw_fem_unknowns(problem->problem.kinematics)}};
    if (!way->on)
        return 0;
    double start = sw_seconds();
    sw_status status = way->on->open(&way->fem, view, &way->work);
    wait_for_device(s);
    way->opened = sw_seconds() - start;
    if (status == SW_OK) {
        start = sw_seconds();
        status = way->on->prepare(way->work, view);
        wait_for_device(s);
        way->prepared = sw_seconds() - start;
    }
    if (status == SW_OK)
        return 1;
    fprintf(stderr, "bench_fem: %s %s: %s\n", sw_fem_operator_names[options->operator_],
            sw_fem_storage_names[options->storage], sw_error_message());
    if (way->work)
        way->on->close(way->work);
    return 0;
}

typedef void way_function(const bench_setting *s, const sw_fem_view *view, bench_way *way);

/* Whether a name is in a list with commas; no list has all. */
static inline int listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return 1;
    return list == NULL;
}

/* All of a view (the CPU's). own: stored matrices of every element each, too, where elements are alike. */
static inline void each_way(const bench_setting *s, const sw_fem_view *host, int own, way_function *visit)
{
    const int boxes = sw_fem_has_boxes(s->problem->mesh);
    sw_fem_view device;
    if (s->gpu)
        stop_on(view_upload(host, 1, &device));
    const sw_fem_view *view = s->gpu ? &device : host;
    for (int operator_ = 0; operator_ < SW_FEM_OPERATORS; operator_++)
        for (int storage = SW_FEM_OWN; storage < SW_FEM_STORAGES; storage++)
            for (int scatter = 0; scatter < 2; scatter++) {
                const int element_wise = operator_ >= SW_FEM_EBE, stored = operator_ >= SW_FEM_NBN;
                bench_way way;
                if ((storage != SW_FEM_OWN && (!stored || !boxes)) ||
                    (storage == SW_FEM_OWN && stored && boxes && !own) ||
                    (operator_ == SW_FEM_EBE_SYM && storage > SW_FEM_SINGLE) ||
                    (scatter && (!element_wise || !s->gpu)) ||
                    !listed(s->only, sw_fem_operator_names[operator_]))
                    continue;
                for (int staging = 0; staging < (s->stagings ? s->stagings : 1); staging++) {
                    const sw_fem_options options = {.operator_ = (sw_fem_operator)operator_,
                                                    .storage = (sw_fem_storage)storage,
                                                    .staging = (sw_fem_staging)staging,
                                                    .scatter = (sw_fem_scatter)scatter};
                    if ((s->stagings && storage == SW_FEM_OWN) ||
                        (staging == SW_FEM_STAGE_ELASTIC && storage != SW_FEM_SINGLE) ||
                        !open_way(s, view, &options, &way))
                        continue;
                    visit(s, view, &way);
                    fflush(stdout);
                    way.on->close(way.work);
                }
            }
    if (s->gpu)
        view_release(&device);
}

#endif
