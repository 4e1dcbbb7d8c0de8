/* Benchmarks of `slipwave fem`.
 *
 *     bench_fem                                a small set, for `make bench`
 *     bench_fem products BODY NX NY NZ DEVICE [SHARES [OPERATOR]]
 *                                              K p of every operator against the plastic share, 0,0.3,1
 *     bench_fem analysis BODY NX NY NZ DEVICE FACTOR [OPERATOR STORAGE SCATTER PRECONDITIONER]
 *                                              a whole analysis, in one increment, with its stages
 *
 * NZ = 0: plane stress, elastic (section 4.3.1); NZ = -1: heat conduction (4.3.2); products only.
 *
 * BODY as in job files, with the thesis's materials and loads at FACTOR 1 (Kiran 2023, sections 3.2.1 and
 * 5.2.2). Lines are comma-separated values after a line of names. A product's time is the median of seven
 * batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "online/fem/backend/backend.h"
#include "online/fem/analysis/choices.h"
#include "online/fem/backend/view.h"
#include "online/fem/stored/strategies.h"
#include "online/gpu/gpu.h"

static void stop_on(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_fem: %s\n", sw_error_message());
    exit(1);
}

/* ---- Problems ---- */

typedef struct {
    const char *body;
    sw_fem_material material;
    const char *fixed[3]; /* node set that holds x, y, z */
    const char *loaded;   /* surface */
    double traction[3];   /* Pa at factor 1; or */
    double force[3];      /* N, spread over the surface's nodes */
} bench_case;

#define MATERIAL(e, nu, sy, h)                                                                               \
    {                                                                                                        \
        .young = (e), .poisson = (nu), .yield_stress = (sy), .hardening = SW_FEM_LINEAR, .parameter = {(h) } \
    }
static const bench_case cases[] = {
    {"box", MATERIAL(200e9, 0.3, 450e6, 66e9), {"z_min", "z_min", "z_min"}, "z_max", {0, 0, 800e6}, {0}},
    {"l_bracket", MATERIAL(206900, 0.29, 450, 10000), {"x_min", "y_max", "z_min"}, "y_min", {0, -1, 0}, {0}},
    {"plate_with_holes",
     MATERIAL(200e9, 0.3, 200e6, 20e9),
     {"x_min", "y_min", "z_min"},
     "x_max",
     {175e6, 0, 0},
     {0}},
    {"cantilever",
     MATERIAL(200e9, 0.3, 250e6, 20e9),
     {"x_min", "x_min", "x_min"},
     "x_max",
     {0},
     {0, -17000, 0}},
    {"cantilever_with_cutout",
     MATERIAL(200e9, 0.3, 220e6, 20e9),
     {"x_min", "x_min", "x_min"},
     "x_max",
     {0},
     {0, -68000, 0}},
};

typedef struct {
    sw_fem_problem problem;
    sw_fem_mesh *mesh;
    sw_fem_case load;
} bench_problem;

static void make_problem(const char *body, const int64_t cells[3], bench_problem *p)
{
    const bench_case *chosen = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].body, body) == 0)
            chosen = &cases[i];
    if (!chosen)
        stop_on(sw_error(SW_ERR_INPUT, "no body %s", body));
    const sw_fem_voxels voxels = {.body = body, .cells = {cells[0], cells[1], cells[2] > 0 ? cells[2] : 0}};
    memset(p, 0, sizeof *p);
    stop_on(sw_fem_voxel_mesh(&voxels, &p->mesh));
    p->problem = (sw_fem_problem){.mesh = p->mesh,
                                  .kinematics = cells[2] > 0    ? SW_FEM_SOLID
                                                : cells[2] == 0 ? SW_FEM_PLANE_STRESS
                                                                : SW_FEM_HEAT,
                                  .thickness = 1,
                                  .n_materials = 1,
                                  .material = &chosen->material};
    if (cells[2] <= 0)
        return;
    const int64_t n = 3 * p->mesh->n_nodes;
    uint8_t *fixed;
    stop_on(SW_ALLOCATE(fixed, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.dof, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.value, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.force, n, "forces"));
    for (int i = 0; i < 3; i++) {
        const sw_fem_set *set = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, chosen->fixed[i]);
        for (int64_t k = 0; k < set->n; k++)
            fixed[3 * (int64_t)set->member[k] + i] = 1;
    }
    for (int64_t i = 0; i < n; i++)
        if (fixed[i])
            p->load.dof[p->load.n_fixed++] = i;
    free(fixed);
    p->problem.n_cases = 1;
    p->problem.load = &p->load;
    stop_on(sw_fem_add_traction(&p->problem, sw_fem_mesh_set(p->mesh, SW_FEM_SURFACE, chosen->loaded),
                                chosen->traction, p->load.force));
    stop_on(sw_fem_add_total_force(&p->problem, sw_fem_mesh_set(p->mesh, SW_FEM_NODES, chosen->loaded),
                                   chosen->force, p->load.force));
}

static void free_problem(bench_problem *p)
{
    free(p->load.dof);
    free(p->load.value);
    free(p->load.force);
    sw_fem_mesh_free(p->mesh);
}

static int choose(const char *value, int n, const char *const *names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    stop_on(sw_error(SW_ERR_INPUT, "no %s", value));
    return -1;
}

/* ---- Analyses ---- */

static void analyse(const bench_problem *p, const char *body, sw_fem_options options, double factor)
{
    sw_fem *fem;
    sw_fem_report report;
    double increment = 1;
    const double start = sw_seconds();
    stop_on(sw_fem_open(&p->problem, &options, &fem));
    const sw_status status = sw_fem_advance(fem, &factor, &increment, &report);
    const double wall = sw_seconds() - start;
    const sw_fem_timing t = sw_fem_timings(fem);
    printf("%s,%lld,%lld,%s,%s,%s,%s,%s,%g,%.2f,%d,%d,%d,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.1f,%s\n", body,
           (long long)p->mesh->n_elements, (long long)3 * p->mesh->n_nodes, sw_fem_device_name(fem),
           sw_fem_operator_names[options.operator_], sw_fem_storage_names[options.storage],
           sw_fem_scatter_names[options.scatter], sw_fem_preconditioner_names[options.preconditioner], factor,
           100.0 * (double)report.plastic_elements / (double)p->mesh->n_elements, report.substeps,
           report.cutbacks, report.newton, report.cg, wall, t.setup, t.tangent, t.linear, t.stress,
           (double)t.most_bytes / (3.0 * (double)p->mesh->n_nodes),
           status == SW_OK ? "ok" : sw_error_message());
    fflush(stdout);
    sw_fem_close(fem);
}

static void analysis_names(void)
{
    puts("body,elements,unknowns,device,operator,storage,scatter,preconditioner,factor,plastic_percent,"
         "substeps,cutbacks,"
         "newton,cg,wall_s,setup_s,tangent_s,linear_s,stress_s,bytes_per_unknown,status");
}

/* ---- Products ---- */

/* A view of the mesh on the CPU with the share of its elements plastic that x = 0 .. share of the body holds,
 * as a plastic zone does: all points of those, with random directions. */
typedef struct {
    sw_fem_view view;
    int64_t *first;
    int32_t *coloured, *plastic, *slot;
    uint8_t *material_of;
    double *tangent, bulk, shear;
} bench_view;

static void make_view(const bench_problem *p, double share, bench_view *v)
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
    /* Elements in order of x: a threshold that leaves the wanted number, by counting cells of each x. */
    const sw_fem_lattice *l = mesh->lattice;
    int64_t *of_x, sum = 0;
    int threshold = 0;
    stop_on(SW_ALLOCATE(of_x, l->n[0], "columns"));
    const int64_t cells = (int64_t)l->n[0] * l->n[1] * (l->n[2] > 0 ? l->n[2] : 1);
    for (int64_t c = 0; c < cells; c++)
        of_x[c % l->n[0]] += l->element[c] >= 0;
    while (threshold < l->n[0] && sum + of_x[threshold] <= wanted)
        sum += of_x[threshold++];
    free(of_x);
    int64_t rest = wanted - sum;
    for (int64_t c = 0; c < cells; c++) {
        const int32_t e = l->element[c];
        if (e < 0)
            continue;
        const int here = c % l->n[0] < threshold || (c % l->n[0] == threshold && rest-- > 0);
        v->slot[e] = here ? 0 : -1;
    }
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

static void free_view(bench_view *v)
{
    free(v->first);
    free(v->coloured);
    free(v->material_of);
    free(v->slot);
    free(v->plastic);
    free(v->tangent);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { BATCHES = 7 };

/* Median seconds of one product. A read of one number waits for the device. */
static double time_product(const sw_fem_operator_functions *on, void *work, const sw_fem_view *view, int gpu,
                           const double *p, double *g)
{
    double time[BATCHES], one, start;
    const int64_t wait_for = 1;
    int repeats = 1;
    for (int warm = 0; warm < 2; warm++) {
        start = sw_seconds();
        for (int i = 0; i < repeats; i++)
            stop_on(on->product(work, view, p, g));
        if (gpu)
            stop_on(sw_fem_vector_download(wait_for, g, &one));
        repeats = (int)fmin(50, fmax(1, 0.02 * repeats / (sw_seconds() - start)));
    }
    for (int b = 0; b < BATCHES; b++) {
        start = sw_seconds();
        for (int i = 0; i < repeats; i++)
            stop_on(on->product(work, view, p, g));
        if (gpu)
            stop_on(sw_fem_vector_download(wait_for, g, &one));
        time[b] = (sw_seconds() - start) / repeats;
    }
    qsort(time, BATCHES, sizeof *time, compare_numbers);
    return time[BATCHES / 2];
}

/* Pairs of nodes that share an element, each with itself too. */
static int64_t count_pairs(const sw_fem_mesh *mesh)
{
    const sw_fem_lattice *l = mesh->lattice;
    const int plane = l->n[2] == 0;
    int64_t n = 0;
    for (int64_t z = 0; z <= l->n[2]; z++)
        for (int64_t y = 0; y <= l->n[1]; y++)
            for (int64_t x = 0; x <= l->n[0]; x++) {
                uint32_t near = 0; /* of 27 neighbours */
                for (int side = 0; side < 8; side++) {
                    const int dx = side & 1, dy = side >> 1 & 1, dz = side >> 2;
                    const int64_t cx = x - dx, cy = y - dy, cz = z - dz;
                    if ((plane && dz) || cx < 0 || cy < 0 || cz < 0 || cx >= l->n[0] || cy >= l->n[1] ||
                        (!plane && cz >= l->n[2]) || l->element[(cz * l->n[1] + cy) * l->n[0] + cx] < 0)
                        continue;
                    for (int c = 0; c < (plane ? 4 : 8); c++)
                        near |= 1u << ((1 - dx + (c & 1)) + 3 * (1 - dy + (c >> 1 & 1)) +
                                       9 * (1 - dz + (c >> 2)));
                }
                n += __builtin_popcount(near);
            }
    return n;
}

/* One operator on one view: a line, or nothing where the device has no such operator. */
static void one_product(const bench_problem *problem, const char *body, const sw_fem_view *view, int gpu,
                        const sw_fem_options *options, int64_t n_pairs, const double *p, double *g)
{
    const sw_fem_operator_choice *choice = &sw_fem_operators[options->operator_];
    const sw_fem_operator_functions *on = gpu ? choice->cuda : choice->cpu;
    void *work;
    if (!on)
        return;
    sw_fem fem = {.problem = &problem->problem,
                  .options = *options,
                  .dimension = sw_fem_shapes[problem->mesh->shape].dimension,
                  .components = sw_fem_unknowns(problem->problem.kinematics),
                  .corners = sw_fem_shapes[problem->mesh->shape].n_nodes,
                  .n_nodes = problem->mesh->n_nodes,
                  .n_elements = problem->mesh->n_elements,
                  .n_unknowns = problem->mesh->n_nodes * sw_fem_unknowns(problem->problem.kinematics)};
    sw_status status = on->open(&fem, view, &work);
    double prepared = 0;
    if (status == SW_OK) {
        const double start = sw_seconds();
        double one;
        status = on->prepare(work, view);
        if (gpu && status == SW_OK)
            status = sw_fem_vector_download(1, g, &one);
        prepared = sw_seconds() - start;
    }
    if (status != SW_OK) {
        fprintf(stderr, "bench_fem: %s %s: %s\n", sw_fem_operator_names[options->operator_],
                sw_fem_storage_names[options->storage], sw_error_message());
    } else {
        const double seconds = time_product(on, work, view, gpu, p, g);
        const sw_fem_lattice *l = problem->mesh->lattice;
        const sw_fem_counts counts = {.kinematics = problem->problem.kinematics,
                                      .n_nodes = fem.n_nodes,
                                      .n_elements = fem.n_elements,
                                      .n_plastic = view->n_plastic,
                                      .n_pairs = n_pairs,
                                      .n_cells = (int64_t)l->n[0] * l->n[1] * l->n[2],
                                      .n_lattice_points =
                                          l->n[2] > 0 ? (l->n[0] + 1LL) * (l->n[1] + 1) * (l->n[2] + 1) : 0,
                                      .n_materials = 1};
        printf("%s,%lld,%s,%s,%s,%s,%.2f,%.5f,%.2f,%.2f,%.2f\n", body, (long long)fem.n_elements,
               gpu ? "cuda" : "cpu", sw_fem_operator_names[options->operator_],
               sw_fem_storage_names[options->storage], sw_fem_scatter_names[options->scatter],
               100.0 * (double)view->n_plastic / (double)fem.n_elements, 1e3 * seconds, 1e3 * prepared,
               (double)fem.timing.bytes / (double)fem.n_unknowns,
               (double)sw_fem_operator_bytes(options->operator_, options->storage, &counts) /
                   (double)fem.n_unknowns);
        fflush(stdout);
    }
    if (work)
        on->close(work);
}

static void products(const bench_problem *problem, const char *body, int gpu, int n_shares,
                     const double *share, const char *only)
{
    const int64_t n = problem->mesh->n_nodes * sw_fem_unknowns(problem->problem.kinematics);
    const int64_t n_pairs = count_pairs(problem->mesh);
    double *host, *p, *g;
    stop_on(SW_ALLOCATE(host, n, "vector"));
    for (int64_t i = 0; i < n; i++)
        host[i] = (double)((i * 7919) % 1009) / 1009 - 0.5;
    if (gpu) {
        stop_on(sw_fem_vector_upload(n, host, &p));
        stop_on(sw_fem_vector_upload(n, NULL, &g));
    } else {
        stop_on(SW_ALLOCATE(p, n, "vector"));
        stop_on(SW_ALLOCATE(g, n, "vector"));
        memcpy(p, host, (size_t)n * sizeof *p);
    }
    for (int s = 0; s < n_shares; s++) {
        bench_view made;
        sw_fem_view device;
        make_view(problem, share[s], &made);
        if (gpu)
            stop_on(sw_fem_view_upload(&made.view, 1, &device));
        for (int operator_ = 0; operator_ < SW_FEM_OPERATORS; operator_++)
            for (int storage = SW_FEM_OWN; storage < SW_FEM_STORAGES; storage++)
                for (int scatter = 0; scatter < 2; scatter++) {
                    const int element_wise = operator_ >= SW_FEM_EBE, stored = operator_ >= SW_FEM_NBN;
                    if ((!stored && storage != SW_FEM_OWN) ||
                        (storage == SW_FEM_OWN && stored && s > 0 && share[s] < 1) ||
                        (operator_ == SW_FEM_EBE_SYM && storage > SW_FEM_SINGLE) ||
                        (scatter && (!element_wise || !gpu)))
                        continue;
                    const sw_fem_options options = {.operator_ = (sw_fem_operator)operator_,
                                                    .storage = (sw_fem_storage)storage,
                                                    .scatter = (sw_fem_scatter)scatter};
                    if (!only || strcmp(only, sw_fem_operator_names[operator_]) == 0)
                        one_product(problem, body, gpu ? &device : &made.view, gpu, &options, n_pairs, p, g);
                }
        if (gpu)
            sw_fem_view_release(&device);
        free_view(&made);
    }
    free(host);
    if (gpu) {
        sw_fem_vector_release(p);
        sw_fem_vector_release(g);
    } else {
        free(p);
        free(g);
    }
}

static void product_names(void)
{
    puts("body,elements,device,operator,storage,scatter,plastic_percent,product_ms,prepare_ms,bytes_per_"
         "unknown,"
         "derived_bytes_per_unknown");
}

int main(int argc, char **argv)
{
    bench_problem p;
    if (argc == 1) {
        const int64_t cells[3] = {120, 48, 24}; /* 126,144 elements */
        const double share[] = {0, 0.3, 1};
        make_problem("cantilever_with_cutout", cells, &p);
        product_names();
        products(&p, "cantilever_with_cutout", sw_gpu_describe(NULL, 0) > 0, 3, share, NULL);
        analysis_names();
        sw_fem_options options = sw_fem_default_options(&p.problem, SW_FEM_DEVICE_AUTO);
        analyse(&p, "cantilever_with_cutout", options, 1);
        free_problem(&p);
        return 0;
    }
    if (argc < 7) {
        fprintf(stderr, "usage: bench_fem [products | analysis] BODY NX NY NZ DEVICE ...\n");
        return 1;
    }
    const int64_t cells[3] = {atoll(argv[3]), atoll(argv[4]), atoll(argv[5])};
    const int gpu = strcmp(argv[6], "cuda") == 0;
    make_problem(argv[2], cells, &p);
    if (strcmp(argv[1], "products") == 0) {
        double share[32] = {0, 0.01, 0.05, 0.1, 0.2, 0.32, 0.5, 0.75, 1};
        int n = 9;
        if (argc > 7) {
            n = 0;
            for (char *at = argv[7]; *at && n < 32; n++, at += *at == ',')
                share[n] = strtod(at, &at);
        }
        product_names();
        products(&p, argv[2], gpu, n, share, argc > 8 ? argv[8] : NULL);
    } else {
        sw_fem_options options =
            sw_fem_default_options(&p.problem, gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU);
        if (argc > 8)
            options.operator_ = (sw_fem_operator)choose(argv[8], SW_FEM_OPERATORS, sw_fem_operator_names);
        if (argc > 9)
            options.storage = (sw_fem_storage)choose(argv[9], SW_FEM_STORAGES, sw_fem_storage_names);
        if (argc > 10)
            options.scatter = (sw_fem_scatter)choose(argv[10], SW_FEM_SCATTERS, sw_fem_scatter_names);
        if (argc > 11)
            options.preconditioner =
                (sw_fem_preconditioner)choose(argv[11], SW_FEM_PRECONDITIONERS, sw_fem_preconditioner_names);
        analysis_names();
        analyse(&p, argv[2], options, argc > 7 ? atof(argv[7]) : 1);
    }
    free_problem(&p);
    return 0;
}
