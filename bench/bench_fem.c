/* Benchmarks of `slipwave fem`.
 *
 *     bench_fem                                a small set, for `make bench`
 *     bench_fem products BODY NX NY NZ DEVICE [SHARES [OPERATORS]]
 *                                              K p of every operator against the plastic share, 0,0.3,1
 *     bench_fem staging BODY NX NY NZ cuda [SHARES [OPERATORS]]
 *                                              K p of bodies of boxes, elastic, with what a GPU keeps in shared memory
 *                                              and caches: all, the matrix, nothing (Tables 5.7 and 5.8: C, B, A, of
 *                                              `improved`; Fig. 5.8), of `single` also elastic (Figs. 5.9 and 5.47)
 *     bench_fem preprocess BODY NX NY NZ DEVICE [SHARES [OPERATORS]]
 *                                              telling elastic elements from plastic ones, before matrices are made
 *                                              (Algorithm 29, pre-processing 1 and 2: Figs. 5.48 and 5.52)
 *     bench_fem zones BODY NX NY NZ DEVICE FACTOR [OPERATORS]
 *                                              K p of every operator with the plastic zone of each Newton iteration of
 *                                              an analysis, which the CPU does (Fig. 5.62)
 *     bench_fem stress BODY NX NY NZ DEVICE FACTOR
 *                                              stress and forces of each Newton iteration of an analysis: three kernels
 *                                              and one for the forces (Algorithms 6 and 7), and ours, which is one
 *                                              (Tables 3.2 and 3.3)
 *     bench_fem setup BODY NX NY NZ DEVICE     once for a mesh: its making, colours, the assembled matrix, what
 *                                              operators list
 *     bench_fem analysis BODY NX NY NZ DEVICE FACTOR [OPERATOR STORAGE SCATTER PRECONDITIONER FORCING]
 *                                              a whole analysis, in one increment, with its stages
 *     bench_fem analyses BODY NX NY NZ DEVICE FACTOR WAYS [SCATTER PRECONDITIONER FORCING]
 *                                              whole analyses one after the other, by OPERATOR:STORAGE, commas between
 *                                              them; the GPU's start is in none of their times
 *     bench_fem matrix BODY NX NY NZ DEVICE FACTOR FILE
 *                                              an elastic solution by the assembled matrix and CG with Jacobi to 1e-7,
 *                                              and the system in FILE (HDF5) for other solvers (Table 3.6)
 *     bench_fem formulations ELEMENTS DEVICE GB/s TFLOP/s [NAMES [SCATTER]]
 *                                              K p of formulations of decks without a matrix, on a block of so many elements
 *                                              at least, and as a multiple of what bytes and arithmetic take at these rates
 *
 * OPERATORS: those named, commas between them; left out: all.
 * DEVICE: cuda, cpu, or a number of threads: 1 is what speed-ups over one core are measured by.
 * NZ = 0: plane stress, elastic (section 4.3.1); NZ = -1: heat conduction (4.3.2); products only.
 * BODY as in job files, with the thesis's materials and loads at FACTOR 1 (fem_problem.h); BODY:unstructured is the
 * same mesh as if it came from a file.
 *
 * Lines are comma-separated values after a line of names. A product's time is the median of seven batches. */
#include <omp.h>

#include "fem_formulations.h"
#include "fem_matrix.h"
#ifdef SW_HAVE_PAPERS
#include "fem_stress.h"
#include "tests/online/fem/stored/derived_memory.h"
#else
#include "fem_products.h"
#endif
#include "online/gpu/gpu.h"

/* ---- Analyses ---- */

static void analyse(const bench_problem *p, const char *body, sw_fem_options options, double factor)
{
    sw_fem *fem;
    sw_fem_report report;
    double increment = 1;
    char why[200] = "ok";
    const double start = sw_seconds();
    stop_on(sw_fem_open(&p->problem, &options, &fem));
    const sw_status status = sw_fem_advance(fem, &factor, &increment, &report);
    const double wall = sw_seconds() - start;
    const sw_fem_timing t = sw_fem_timings(fem);
    if (status != SW_OK)
        snprintf(why, sizeof why, "%s", sw_error_message());
    for (char *comma = why; (comma = strchr(comma, ',')) != NULL;)
        *comma = ';'; /* one cell */
    printf("%s,%lld,%lld,%s,%s,%s,%s,%s,%s,%g,%.2f,%d,%d,%d,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.1f,%s\n", body,
           (long long)p->mesh->n_elements, (long long)3 * p->mesh->n_nodes, sw_fem_device_name(fem),
           sw_fem_operator_names[options.operator_], sw_fem_storage_names[options.storage],
           sw_fem_scatter_names[options.scatter], sw_fem_preconditioner_names[options.preconditioner],
           sw_fem_forcing_names[options.forcing], factor,
           100.0 * (double)report.plastic_elements / (double)p->mesh->n_elements, report.substeps,
           report.cutbacks, report.newton, report.cg, wall, t.setup, t.tangent, t.linear, t.stress,
           (double)t.most_bytes / (3.0 * (double)p->mesh->n_nodes), why);
    fflush(stdout);
    sw_fem_close(fem);
}

static void analysis_names(void)
{
    puts("body,elements,unknowns,device,operator,storage,scatter,preconditioner,forcing,factor,plastic_"
         "percent,"
         "substeps,cutbacks,newton,cg,wall_s,setup_s,tangent_s,linear_s,stress_s,bytes_per_unknown,status");
}

/* SCATTER PRECONDITIONER FORCING, as many as there are. */
static void choose_rest(sw_fem_options *o, int n, char **name)
{
    if (n > 0)
        o->scatter = (sw_fem_scatter)choose(name[0], SW_FEM_SCATTERS, sw_fem_scatter_names);
    if (n > 1)
        o->preconditioner =
            (sw_fem_preconditioner)choose(name[1], SW_FEM_PRECONDITIONERS, sw_fem_preconditioner_names);
    if (n > 2)
        o->forcing = (sw_fem_forcing)choose(name[2], SW_FEM_FORCINGS, sw_fem_forcing_names);
}

static void analyse_by(const bench_problem *p, int gpu, int argc, char **argv)
{
    sw_fem_options o = sw_fem_default_options(&p->problem, gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU);
    if (argc > 8)
        o.operator_ = (sw_fem_operator)choose(argv[8], SW_FEM_OPERATORS, sw_fem_operator_names);
    if (argc > 9)
        o.storage = (sw_fem_storage)choose(argv[9], SW_FEM_STORAGES, sw_fem_storage_names);
    choose_rest(&o, argc - 10, argv + 10);
    analysis_names();
    analyse(p, argv[2], o, argc > 7 ? atof(argv[7]) : 1);
}

static void start_gpu(void)
{
    double *one;
    stop_on(vector_upload(1, NULL, &one));
    vector_release(one);
}

static void analyse_by_each(const bench_problem *p, int gpu, int argc, char **argv)
{
    if (argc < 9)
        stop_on(sw_error(SW_ERR_INPUT, "analyses: need a factor and OPERATOR:STORAGE[,...]"));
    sw_fem_options o = sw_fem_default_options(&p->problem, gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU);
    choose_rest(&o, argc - 9, argv + 9);
    if (gpu)
        start_gpu();
    analysis_names();
    for (char *way = strtok(argv[8], ","); way; way = strtok(NULL, ",")) {
        char *colon = strchr(way, ':');
        if (!colon)
            stop_on(sw_error(SW_ERR_INPUT, "analyses: %s: need OPERATOR:STORAGE", way));
        *colon = '\0';
        o.operator_ = (sw_fem_operator)choose(way, SW_FEM_OPERATORS, sw_fem_operator_names);
        o.storage = (sw_fem_storage)choose(colon + 1, SW_FEM_STORAGES, sw_fem_storage_names);
        analyse(p, argv[2], o, atof(argv[7]));
    }
}

static void write_matrix(const bench_problem *p, int gpu, int argc, char **argv)
{
    if (argc != 9 || p->problem.kinematics != SW_FEM_SOLID)
        stop_on(sw_error(SW_ERR_INPUT, "matrix: need a solid body, a factor and a file"));
    puts("body,elements,unknowns,device,factor,cg,linear_s");
    solve_and_write(p, argv[2], gpu, atof(argv[7]), argv[8]);
}

/* ---- Products ---- */

static void print_way(const bench_setting *s, const bench_way *way, int64_t n_plastic)
{
    printf("%s,%lld,%s,%s,%s,%s,%.2f,", s->body, (long long)way->fem.n_elements, s->gpu ? "cuda" : "cpu",
           sw_fem_operator_names[way->options.operator_], sw_fem_storage_names[way->options.storage],
           sw_fem_scatter_names[way->options.scatter],
           100.0 * (double)n_plastic / (double)way->fem.n_elements);
}

/* Of the operator's own arrays, as derived, NaN in a build without the papers' strategies. */
static double derived_bytes(const bench_setting *s, const sw_fem_view *view, const bench_way *way)
{
#ifdef SW_HAVE_PAPERS
    const sw_fem_lattice *l = s->problem->mesh->lattice;
    const int solid = l && l->n[2] > 0;
    const operator_counts counts = {.kinematics = view->kinematics,
                                    .n_nodes = way->fem.n_nodes,
                                    .n_elements = way->fem.n_elements,
                                    .n_plastic = view->n_plastic,
                                    .n_pairs = s->n_pairs,
                                    .n_cells = l ? (int64_t)l->n[0] * l->n[1] * l->n[2] : 0,
                                    .n_lattice_points =
                                        solid ? (l->n[0] + 1LL) * (l->n[1] + 1) * (l->n[2] + 1) : 0,
                                    .n_materials = 1};
    return (double)operator_bytes(way->options.operator_, way->options.storage, &counts);
#else
    (void)s, (void)view, (void)way;
    return NAN;
#endif
}

static void product_line(const bench_setting *s, const sw_fem_view *view, bench_way *way)
{
    const double seconds = time_call(call_product, way->on, way->work, view, s);
    print_way(s, way, view->n_plastic);
    printf("%.5f,%.2f,%.2f,%.2f\n", 1e3 * seconds, 1e3 * way->prepared,
           (double)way->fem.timing.bytes / (double)way->fem.n_unknowns,
           derived_bytes(s, view, way) / (double)way->fem.n_unknowns);
}

static void product_names(void)
{
    puts("body,elements,device,operator,storage,scatter,plastic_percent,product_ms,prepare_ms,bytes_per_"
         "unknown,"
         "derived_bytes_per_unknown");
}

static void staging_line(const bench_setting *s, const sw_fem_view *view, bench_way *way)
{
    const double seconds = time_call(call_product, way->on, way->work, view, s);
    print_way(s, way, view->n_plastic);
    printf("%s,%.5f\n", sw_fem_staging_names[way->options.staging], 1e3 * seconds);
}

static void staging_names(void)
{
    puts("body,elements,device,operator,storage,scatter,plastic_percent,staging,product_ms");
}

static void preprocess_line(const bench_setting *s, const sw_fem_view *view, bench_way *way)
{
    if (!way->on->preprocess || way->options.storage == SW_FEM_OWN)
        return;
    const double seconds = time_call(call_preprocess, way->on, way->work, view, s);
    print_way(s, way, view->n_plastic);
    printf("%.5f,%.5f\n", 1e3 * seconds, 1e3 * way->prepared);
}

static void preprocess_names(void)
{
    puts("body,elements,device,operator,storage,scatter,plastic_percent,preprocess_ms,prepare_ms");
}

static void at_shares(bench_setting *s, int n_shares, const double *share, way_function *line)
{
    for (int i = 0; i < n_shares; i++) {
        bench_view made;
        make_view(s->problem, share[i], &made);
        each_way(s, &made.view, i == 0 || share[i] >= 1, line);
        free_view(&made);
    }
}

/* ---- The zones of an analysis ---- */

static bench_setting *zones;        /* of the analysis that is running */
static const sw_fem_backend *plain; /* its backend */

static void zone_line(const bench_setting *s, const sw_fem_view *view, bench_way *way)
{
    const double seconds = time_call(call_product, way->on, way->work, view, s);
    printf("%d,", s->newton);
    print_way(s, way, view->n_plastic);
    printf("%.5f\n", 1e3 * seconds);
}

static void zone_names(void)
{
    puts("newton,body,elements,device,operator,storage,scatter,plastic_percent,product_ms");
}

/* prepare comes once before each linear solve, with the tangent that this will have. */
static sw_status prepare_and_time(sw_fem *fem)
{
    SW_TRY(plain->prepare(fem));
    each_way(zones, plain->view(fem), 0, zone_line);
    zones->newton++;
    return SW_OK;
}

static void time_zones(bench_setting *s, double factor)
{
    const sw_fem_options options = sw_fem_default_options(&s->problem->problem, SW_FEM_DEVICE_CPU);
    sw_fem *fem;
    sw_fem_report report;
    double increment = 1;
    stop_on(sw_fem_open(&s->problem->problem, &options, &fem));
    sw_fem_backend with = *fem->backend;
    plain = fem->backend;
    zones = s;
    with.prepare = prepare_and_time;
    fem->backend = &with;
    stop_on(sw_fem_advance(fem, &factor, &increment, &report));
    fem->backend = plain;
    sw_fem_close(fem);
}

/* ---- Once for a mesh ---- */

static void setup_names(void) { puts("body,elements,nodes,device,stage,seconds"); }

static void setup_line(const bench_setting *s, const char *device, const char *stage, double seconds)
{
    printf("%s,%lld,%lld,%s,%s,%.4f\n", s->body, (long long)s->problem->mesh->n_elements,
           (long long)s->problem->mesh->n_nodes, device, stage, seconds);
}

static void opened_line(const bench_setting *s, const sw_fem_view *view, bench_way *way)
{
    char stage[80];
    (void)view;
    snprintf(stage, sizeof stage, "%s %s %s", sw_fem_operator_names[way->options.operator_],
             sw_fem_storage_names[way->options.storage], sw_fem_scatter_names[way->options.scatter]);
    setup_line(s, s->gpu ? "cuda" : "cpu", stage, way->opened);
}

static void time_setup(bench_setting *s)
{
    sw_fem_assembly assembly;
    bench_view made;
    int64_t *first;
    int32_t *coloured;
    int n;
    setup_line(s, "cpu", "mesh", s->problem->mesh_seconds);
    double start = sw_seconds();
    stop_on(sw_fem_colour(s->problem->mesh, &n, &first, &coloured));
    setup_line(s, "cpu", "colours", sw_seconds() - start);
    free(first);
    free(coloured);
    make_view(s->problem, 0, &made);
    start = sw_seconds();
    stop_on(sw_fem_assembly_open(&made.view, &assembly));
    setup_line(s, "cpu", "pattern of the assembled matrix", sw_seconds() - start);
    sw_fem_assembly_free(&assembly);
    each_way(s, &made.view, 1, opened_line);
    free_view(&made);
}

/* ---- Arguments ---- */

static int small_set(void)
{
    const int64_t cells[3] = {120, 48, 24}; /* 126,144 elements */
    const double share[] = {0, 0.3, 1};
    const char *body = "cantilever_with_cutout";
    bench_problem p;
    make_problem(body, cells, &p);
    product_names();
    bench_setting s = make_setting(&p, body, sw_gpu_describe(NULL, 0) > 0, NULL);
    at_shares(&s, 3, share, product_line);
    free_setting(&s);
    analysis_names();
    analyse(&p, body, sw_fem_default_options(&p.problem, SW_FEM_DEVICE_AUTO), 1);
    free_problem(&p);
    return 0;
}

static int device_of(const char *name)
{
    const int threads = atoi(name);
    if (threads > 0)
        omp_set_num_threads(threads);
    else if (strcmp(name, "cuda") != 0 && strcmp(name, "cpu") != 0)
        stop_on(sw_error(SW_ERR_INPUT, "device %s: need cuda, cpu or a number of threads", name));
    return strcmp(name, "cuda") == 0;
}

static int shares_of(const char *text, double share[32])
{
    static const double standard[] = {0, 0.01, 0.05, 0.1, 0.2, 0.32, 0.5, 0.75, 1};
    int n = sizeof standard / sizeof *standard;
    memcpy(share, standard, sizeof standard);
    if (text)
        for (n = 0; *text && n < 32; n++, text += *text == ',') {
            char *end;
            share[n] = strtod(text, &end);
            if (end == text)
                stop_on(sw_error(SW_ERR_INPUT, "shares %s: need numbers and commas", text));
            text = end;
        }
    return n;
}

/* Tables against the plastic share. */
static const struct {
    const char *name;
    void (*names)(void);
    way_function *line;
    int stagings;
} by_share[] = {{"products", product_names, product_line, 0},
                {"preprocess", preprocess_names, preprocess_line, 0},
                {"staging", staging_names, staging_line, SW_FEM_STAGINGS}};
enum { BY_SHARE = sizeof by_share / sizeof *by_share };

static void run_table(const char *table, const bench_problem *p, int gpu, int argc, char **argv)
{
    static const double elastic[] = {0};
    double share[32];
    bench_setting s = make_setting(p, argv[2], gpu, argc > 8 ? argv[8] : NULL);
    if (strcmp(table, "zones") == 0) {
        zone_names();
        time_zones(&s, argc > 7 ? atof(argv[7]) : 1);
    } else if (strcmp(table, "stress") == 0) {
        if (p->problem.kinematics != SW_FEM_SOLID)
            stop_on(sw_error(SW_ERR_INPUT, "stress: need a solid body"));
#ifdef SW_HAVE_PAPERS
        stress_names();
        time_stress(&s, argc > 7 ? atof(argv[7]) : 1);
#else
        stop_on(sw_error(SW_ERR_UNAVAILABLE, "stress: " SW_NO_PAPERS));
#endif
    } else if (strcmp(table, "setup") == 0) {
        setup_names();
        time_setup(&s);
    }
    for (int i = 0; i < BY_SHARE; i++)
        if (strcmp(table, by_share[i].name) == 0) {
            const int one = by_share[i].stagings && argc <= 7,
                      n = one ? 1 : shares_of(argc > 7 ? argv[7] : NULL, share);
            s.stagings = by_share[i].stagings;
            if (s.stagings && !gpu)
                stop_on(sw_error(SW_ERR_INPUT, "staging: is a GPU's: need the device cuda"));
            by_share[i].names();
            at_shares(&s, n, one ? elastic : share, by_share[i].line);
        }
    free_setting(&s);
}

int main(int argc, char **argv)
{
    static const char *const tables[] = {"analysis", "analyses", "products", "preprocess", "staging",
                                         "zones",    "stress",   "setup",    "matrix"};
    bench_problem p;
    if (argc == 1)
        return small_set();
    if (argc > 3 && strcmp(argv[1], "formulations") == 0)
        return time_formulations(argc, argv, device_of(argv[3]));
    if (argc < 7) {
        fprintf(stderr, "usage: bench_fem TABLE BODY NX NY NZ DEVICE ...: as at the top of bench_fem.c\n");
        return 1;
    }
    const int table = choose(argv[1], sizeof tables / sizeof *tables, tables), gpu = device_of(argv[6]);
    const int64_t cells[3] = {atoll(argv[3]), atoll(argv[4]), atoll(argv[5])};
    make_problem(argv[2], cells, &p);
    if (table == 0)
        analyse_by(&p, gpu, argc, argv);
    else if (table == 1)
        analyse_by_each(&p, gpu, argc, argv);
    else if (strcmp(tables[table], "matrix") == 0)
        write_matrix(&p, gpu, argc, argv);
    else
        run_table(tables[table], &p, gpu, argc, argv);
    free_problem(&p);
    return 0;
}
