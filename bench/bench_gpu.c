/* Rates of the solvers on the GPU, as CSV for slipwave-plot bench: table,series,x,value,unit,limit.
 *
 *     build/bench/bench_gpu [TABLE...] > bench-gpu.csv
 *
 * with the tables solvers, storage, families, runs, points, self_consistent, paper_step, forms, crystals, terms, range_reduction; all of them without.
 * Of terms, in series and x, a conjugate pair is two; rates of the series count stored pairs, or wavevectors where
 * theta is folded.
 *
 * Times are medians of repeated steps after a first, wall clock around a whole step, launch and averages
 * included. The limit of a series is one instruction a clock and scheduler: multiprocessors x 4 x 32 x
 * highest clock over the instructions counted in the kernel's machine code (cuobjdump -sass, inner loop);
 * that of the memory is a copy of the crystals, timed too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"
#include "online/response/step/crystals.h"
#include "online/gpu/gpu.h"
#include "online/response/terms/terms_cuda.h"

#define PAPER_TERMS (9 * 1.98) /* scalars that the paper's terms/s count in a stored pair: section 4.3 */

static const double plane_strain[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};

static double issue_rate; /* thread instructions a second */

static void check(sw_status status, const char *what)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_gpu: %s: %s\n", what, sw_error_message());
        exit(1);
    }
}

static sw_database make_database(const int64_t shape[4])
{
    const sw_material material = {.name = "copper",
                                  .crystal_structure = SW_LATTICE_fcc,
                                  .elasticity = {168.7e9, 121.7e9, 75.0e9},
                                  .slip = {1e-3, 0.012, 16e6},
                                  .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
    const sw_increment increment = sw_increment_default(&material);
    sw_response_grid grid;
    sw_database database = {.material = material};
    check(sw_response_grid_create(&sw_point_group_432, shape, &grid), "grid");
    check(sw_integrate_grid(&grid, &material, &increment, &(sw_integrate_options){.quiet = 1}), "grid");
    check(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &database), "spectrum");
    sw_response_grid_destroy(&grid);
    return database;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Seconds a step of n crystals: median of `repeats`, after `first` others. */
static double time_steps_of(sw_response *response, int64_t n, int first, int repeats, double dt, double s0)
{
    double seconds[64];
    sw_crystals c;
    sw_response_average average;
    check(sw_crystals_make(response, n, &c), "crystals");
    check(sw_crystals_randomise(SW_CUDA, n, c.crystal, 1, 0, (float)s0), "crystals");
    check(sw_crystals_begin(response, &c), "crystals");
    for (int i = -first; i < repeats; i++) {
        const double start = sw_seconds();
        check(sw_response_advance(response, plane_strain, dt, &c, &c, &average), "step");
        if (i >= 0)
            seconds[i] = sw_seconds() - start;
    }
    sw_crystals_release(&c);
    qsort(seconds, (size_t)repeats, sizeof *seconds, compare_doubles);
    return seconds[repeats / 2];
}

static double time_steps(sw_response *response, int64_t n, int repeats)
{
    return time_steps_of(response, n, 1, repeats, 14, 16e6);
}

/* Crystals a second that a copy within the GPU's memory reads and writes: median of five. */
static double time_copies(void)
{
    enum { N = 1 << 27, REPEATS = 5 };
    double seconds[REPEATS];
    sw_crystal *from, *to, last;
    check(sw_crystals_allocate(SW_CUDA, N, &from), "crystals");
    check(sw_crystals_allocate(SW_CUDA, N, &to), "crystals");
    check(sw_crystals_randomise(SW_CUDA, N, from, 1, 0, 16e6F), "crystals");
    for (int i = -1; i < REPEATS; i++) {
        const double start = sw_seconds();
        check(sw_crystals_copy(SW_CUDA, N, to, from), "copy");
        check(sw_crystals_copy(SW_CUDA, 1, &last, to + N - 1), "copy"); /* waits for the first */
        if (i >= 0)
            seconds[i] = sw_seconds() - start;
    }
    sw_crystals_free(SW_CUDA, from);
    sw_crystals_free(SW_CUDA, to);
    qsort(seconds, REPEATS, sizeof *seconds, compare_doubles);
    return N / seconds[REPEATS / 2];
}

static sw_response *open_response(sw_response_options options)
{
    sw_response *response;
    options.device = SW_CUDA;
    check(sw_response_open(&options, &response), options.solver);
    return response;
}

static void print_row(const char *table, const char *series, double x, double value, const char *unit,
                      double limit)
{
    printf("%s,%s,%.9g,%.6g,%s,", table, series, x, value, unit);
    if (limit > 0)
        printf("%.6g", limit);
    printf("\n");
    fflush(stdout);
}

/* Forms of the series. instructions: of the inner loop for a term and a crystal, loads of terms left out. */
static const struct {
    const char *name;
    sw_terms_form form;
    double instructions;
} forms[] = {
    {"9 outputs; 4-D (paper)", {0, 0, SW_REDUCE_AND}, 28},
    {"4-D; outputs by symmetry", {0, 1, SW_REDUCE_AND}, 19},
    /* the special function unit: 2 of 8 clocks each */
    {"theta folded; by symmetry", {1, 1, SW_REDUCE_AND}, 16},
};
enum { FORMS = sizeof forms / sizeof *forms };

static sw_response *open_terms(const sw_database *database, int64_t terms, sw_terms_form form,
                               int64_t refinement)
{
    sw_response *r = open_response((sw_response_options){
        .solver = "terms", .database = database, .terms = terms, .refinement = refinement});
    if (!form.folded)
        check(sw_terms_reform_cuda(r, form), "terms");
    return r;
}

/* One point: pairs of a term that is added and a crystal, a second. */
static void time_terms(const char *table, const sw_database *database, int64_t n, int64_t terms, double x,
                       int form)
{
    sw_response *r = open_terms(database, terms, forms[form].form, 128);
    const double pairs = (double)sw_terms_count_cuda(r) * (double)n;
    const int repeats = pairs > 3e11 ? 3 : 5;
    print_row(table, forms[form].name, x, pairs / time_steps(r, n, repeats), "pairs/s",
              issue_rate / forms[form].instructions);
    sw_response_close(r);
}

/* Table 3 of the paper, extended: one row a form. */
static void forms_table(const sw_database *database)
{
    for (int form = 0; form < FORMS; form++)
        time_terms("forms", database, 540672 * 4, 131072, 131072, form);
}

/* The paper's section 4.5: a step of 390 million crystals with 1024 terms, single precision; 2.72 s there. */
static void paper_step_table(const sw_database *database)
{
    const int64_t n = 390000000, terms = 1024;
    for (int form = 0; form < FORMS; form++) {
        sw_response *r = open_terms(database, terms, forms[form].form, 128);
        const double seconds = time_steps(r, n, 5);
        print_row("paper_step", forms[form].name, (double)terms, (double)n / seconds, "crystal-steps/s",
                  issue_rate / forms[form].instructions / (double)sw_terms_count_cuda(r));
        printf("# %s: %.4g s a step\n", forms[form].name, seconds);
        sw_response_close(r);
    }
}

static void crystals_table(const sw_database *database)
{
    for (int form = 0; form < FORMS; form++)
        for (int64_t n = 33; n <= 33 << 18; n *= 2)
            time_terms("crystals", database, n, 131072, (double)n, form);
}

static void terms_table(const sw_database *database)
{
    for (int form = 0; form < FORMS; form++)
        for (int64_t terms = 32; terms <= 131072; terms *= 2)
            time_terms("terms", database, 540672, terms, (double)terms, form);
}

static void range_table(const sw_database *database)
{
    static const struct {
        const char *name;
        sw_range_reduction reduction;
    } ways[] = {{"AND", SW_REDUCE_AND}, {"modulo", SW_REDUCE_MODULO}, {"none", SW_REDUCE_NONE}};
    for (int way = 0; way < 3; way++)
        for (int64_t refinement = 1; refinement <= 128; refinement *= 2) {
            sw_response *r =
                open_terms(database, 131072, (sw_terms_form){0, 0, ways[way].reduction}, refinement);
            const double pairs = (double)sw_terms_count_cuda(r) * 540672;
            print_row("range_reduction", ways[way].name, (double)refinement, pairs / time_steps(r, 540672, 3),
                      "pairs/s", issue_rate / 28);
            sw_response_close(r);
        }
}

static void solvers_table(const sw_database *database)
{
    const double copied = time_copies();
    const struct {
        const char *name;
        int64_t n;
        sw_response_options options;
    } rows[] = {
        {"grid nearest 64", 1 << 27, {.solver = "grid", .nearest = 1}},
        {"grid nearest 128", 1 << 27, {.solver = "grid", .nearest = 1, .refinement = 2}},
        {"grid nearest 256", 1 << 27, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid nearest 256; 390 million", 390000000, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid nearest 256; 2 billion", 2000000000, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid nearest 512", 1 << 27, {.solver = "grid", .nearest = 1, .refinement = 8}},
        {"grid linear 64", 1 << 27, {.solver = "grid"}},
        {"grid linear 128", 1 << 27, {.solver = "grid", .refinement = 2}},
        {"grid linear 256", 1 << 27, {.solver = "grid", .refinement = 4}},
        {"tabulated nearest 256", 100000000, {.solver = "tabulated", .nearest = 1}},
        {"rigid_plastic", 100000000, {.solver = "rigid_plastic"}},
        {"rigid_plastic; one iteration", 100000000, {.solver = "rigid_plastic", .one_iteration = 1}},
        {"elastoplastic", 100000000, {.solver = "elastoplastic"}},
        {"terms 512", 1 << 25, {.solver = "terms", .terms = 512}},
        {"terms 2048", 1 << 24, {.solver = "terms", .terms = 2048}},
        {"terms 8192", 1 << 23, {.solver = "terms", .terms = 8192}},
        {"terms 16384", 1 << 23, {.solver = "terms", .terms = 16384}},
        {"terms 32768", 1 << 22, {.solver = "terms", .terms = 32768}},
        {"terms 131072", 1 << 21, {.solver = "terms", .terms = 131072}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sw_response_options options = rows[i].options;
        options.database = database;
        sw_response *r = open_response(options);
        const int by_memory = strcmp(options.solver, "grid") == 0;
        print_row("solvers", rows[i].name, 0, (double)rows[i].n / time_steps(r, rows[i].n, 9),
                  "crystal-steps/s", by_memory ? copied : 0);
        sw_response_close(r);
    }
}

#define FAMILY(name, s0, h0, saturation, rest)                                              \
    "    - {family: " name ", initial_slip_resistance: " s0 ", initial_hardening_rate: " h0 \
    ", saturation_resistance: " saturation ", exponent: 2.25" rest "}\n"
#define SLIP "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"

/* A resistance of every system, and, of 48, one of all: in flow, between strains ||D|| t of 0.03 and 0.06, in steps of 1 %. */
static void families_table(void)
{
    static const char hexagonal[] =
        "name: hexagonal\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"
        "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n" SLIP FAMILY(
            "basal", "10.0e6", "0.5e9", "40.0e6", "") FAMILY("prismatic", "55.0e6", "0.5e9", "135.0e6", "")
            FAMILY("pyramidal_ca", "60.0e6", "0.5e9", "150.0e6",
                   "") "    - {family: tension_twin, initial_slip_resistance: 40.0e6, "
                       "initial_hardening_rate: 50.0e6, "
                       "hardening_by_slip: 150.0e6}\nhardening: {law: phenopowerlaw}\n";
    static const char copper[] =
        "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n" SLIP
            FAMILY("\"111\"", "16.0e6", "180.0e6", "148.0e6",
                   ", latent: [1.4], coplanar: 1") "hardening: {law: phenopowerlaw}\n";
    static const char many[] =
        "name: bcc48\ncrystal_structure: bcc48\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
        "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.05, initial_slip_resistance: 16.0e6}\n"
        "hardening: {law: voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, exponent: "
        "2.25}\n";
    static const struct {
        const char *name, *text, *solver;
    } rows[] = {{"bcc 48, one resistance; elastoplastic", many, "elastoplastic"},
                {"bcc 48, one resistance; rigid_plastic", many, "rigid_plastic"},
                {"hexagonal 24; elastoplastic", hexagonal, "elastoplastic"},
                {"hexagonal 24; rigid_plastic", hexagonal, "rigid_plastic"},
                {"fcc 12; elastoplastic", copper, "elastoplastic"},
                {"fcc 12; rigid_plastic", copper, "rigid_plastic"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum { N = 20000000 };
        sw_material *m;
        check(sw_material_parse_text(rows[i].name, rows[i].text, &m), "material");
        sw_response *r = open_response((sw_response_options){.solver = rows[i].solver, .material = m});
        print_row("families", rows[i].name, 0,
                  N / time_steps_of(r, N, 3, 3, 7, sw_material_slip_resistance(m)), "crystal-steps/s", 0);
        sw_response_close(r);
        sw_material_close(m);
    }
}

/* Whole runs: plane strain compression to strain 1 in 71 steps, where crystals gather; none may fail. */
static void runs_table(const sw_database *database)
{
    const struct {
        const char *name;
        int64_t n;
        sw_response_options options;
    } rows[] = {
        {"rigid_plastic; to strain 1", 100000000, {.solver = "rigid_plastic"}},
        {"rigid_plastic, one iteration; to strain 1",
         100000000,
         {.solver = "rigid_plastic", .one_iteration = 1}},
        {"elastoplastic; to strain 1", 100000000, {.solver = "elastoplastic"}},
        {"grid nearest 256; to strain 1", 390000000, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid linear 128; to strain 1", 390000000, {.solver = "grid", .refinement = 2}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum { STEPS = 71 };
        sw_crystals c;
        sw_response_average average;
        sw_response_options options = rows[i].options;
        options.database = database;
        sw_response *r = open_response(options);
        check(sw_crystals_make(r, rows[i].n, &c), "crystals");
        check(sw_crystals_randomise(SW_CUDA, rows[i].n, c.crystal, 1, 0, 16e6F), "crystals");
        double started = sw_seconds();
        for (int step = 0; step <= STEPS; step++) { /* the first prepares */
            check(sw_response_advance(r, plane_strain, 1000.0 / STEPS, &c, &c, &average), "step");
            if (step == 0)
                started = sw_seconds();
        }
        print_row("runs", rows[i].name, STEPS, (double)rows[i].n * STEPS / (sw_seconds() - started),
                  "crystal-steps/s", 0);
        printf("# stress at the end: 11 - 33 = %.4f MPa\n",
               1e-6 * (average.cauchy_stress[0][0] - average.cauchy_stress[2][2]));
        sw_crystals_release(&c);
        sw_response_close(r);
    }
}

/* Crystals of 16 and of 8 bytes, once round each: the median of the first nine steps, then the mean of a run to strain 1 in 71. */
static void time_storage(sw_response *r, const char *name, int64_t n, int packed, double limit)
{
    enum { STEPS = 71, FIRST = 9 };
    char what[64];
    double seconds[STEPS], sum = 0;
    sw_crystals c;
    sw_response_average average;
    check(sw_crystals_make(r, n, &c), "crystals");
    check(sw_crystals_randomise(SW_CUDA, n, c.crystal, 1, 0, 16e6F), "crystals");
    if (packed)
        check(sw_crystals_pack(r, 0, &c), "crystals of 8 bytes");
    check(sw_response_evaluate_mean(r, plane_strain, &c, &average), "table");
    for (; c.packed.step < STEPS; c.packed.step++) {
        const double start = sw_seconds();
        check(sw_response_advance(r, plane_strain, 1000.0 / STEPS, &c, &c, &average), "step");
        sum += seconds[c.packed.step] = sw_seconds() - start;
    }
    sw_crystals_release(&c);
    qsort(seconds, FIRST, sizeof *seconds, compare_doubles);
    snprintf(what, sizeof what, "%s; %d bytes", name, packed ? 8 : 16);
    print_row("storage", what, (double)n, (double)n / seconds[FIRST / 2], "crystal-steps/s", limit);
    snprintf(what, sizeof what, "%s; %d bytes; to strain 1", name, packed ? 8 : 16);
    print_row("storage", what, (double)n, (double)n * STEPS / sum, "crystal-steps/s", limit);
    printf("# stress at the end: 11 - 33 = %.4f MPa, slip resistance %.5f MPa\n",
           1e-6 * (average.cauchy_stress[0][0] - average.cauchy_stress[2][2]),
           1e-6 * average.slip_resistance);
}

static void storage_table(const sw_database *database)
{
    const double copied = time_copies();
    const struct {
        const char *name;
        int64_t n;
        sw_response_options options;
    } rows[] = {
        {"grid nearest 64", 1 << 28, {.solver = "grid", .nearest = 1}},
        {"grid nearest 128", 1 << 28, {.solver = "grid", .nearest = 1, .refinement = 2}},
        {"grid nearest 256", 1 << 28, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid nearest 256", 2000000000, {.solver = "grid", .nearest = 1, .refinement = 4}},
        {"grid nearest 512", 1 << 28, {.solver = "grid", .nearest = 1, .refinement = 8}},
        {"grid linear 64", 1 << 28, {.solver = "grid"}},
        {"grid linear 128", 1 << 28, {.solver = "grid", .refinement = 2}},
        {"grid linear 256", 1 << 28, {.solver = "grid", .refinement = 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sw_response_options options = rows[i].options;
        options.database = database;
        sw_response *r = open_response(options);
        for (int packed = 0; packed < 2; packed++)
            time_storage(r, rows[i].name, rows[i].n, packed, copied * (1 + packed));
        sw_response_close(r);
    }
}

/* Memory of the GPU: as crystals, 16 bytes at a time. */
static void *memory(size_t bytes)
{
    sw_crystal *room;
    check(sw_crystals_allocate(SW_CUDA, (int64_t)(bytes + 15) / 16, &room), "memory");
    return room;
}

/* Velocity gradients of points: plane strain, and some shear that differs from one to the next. */
static void *point_loadings(int64_t points)
{
    const size_t bytes = (size_t)points * sizeof(double[3][3]);
    double(*l)[3][3] = calloc((size_t)points, sizeof *l), (*device)[3][3] = memory(bytes);
    for (int64_t p = 0; p < points; p++) {
        memcpy(l[p], plane_strain, sizeof *l);
        l[p][0][1] = 5e-4 * (double)(p % 1000) / 1000;
    }
    check(sw_crystals_copy(SW_CUDA, (int64_t)bytes / 16, (sw_crystal *)device, (const sw_crystal *)l),
          "loadings");
    free(l);
    return device;
}

/* Crystal-steps a second of points with a loading each, everything in the GPU's memory: after three steps that are
 * taken, the median of five that are tried, with and without tangents. */
static void time_points(const char *name, const sw_response_options *options, int64_t points, int64_t each)
{
    enum { REPEATS = 5 };
    sw_response *r = open_response(*options);
    const int64_t n = points * each;
    sw_crystals c;
    check(sw_crystals_make(r, n, &c), "crystals");
    check(sw_crystals_randomise(SW_CUDA, n, c.crystal, 1, 0, 16e6F), "crystals");
    sw_points p = {.points = points,
                   .each = each,
                   .velocity_gradient = point_loadings(points),
                   .dt = 14,
                   .from = &c,
                   .to = &c,
                   .stress = memory((size_t)points * sizeof *p.stress)};
    for (int k = 0; k < 3; k++)
        check(sw_response_step_each(r, &p), name);
    p.to = NULL;
    for (int tangent = 0; tangent < 2; tangent++) {
        double seconds[REPEATS];
        if (tangent) {
            p.by_strain_rate = memory((size_t)points * sizeof *p.by_strain_rate);
            p.by_spin = memory((size_t)points * sizeof *p.by_spin);
        }
        for (int k = 0; k < REPEATS; k++) {
            const double started = sw_seconds();
            check(sw_response_step_each(r, &p), name);
            seconds[k] = sw_seconds() - started;
        }
        qsort(seconds, REPEATS, sizeof *seconds, compare_doubles);
        char series[64];
        snprintf(series, sizeof series, "%s%s", name, tangent ? "; tangents" : "");
        print_row("points", series, (double)each, (double)n / seconds[REPEATS / 2], "crystal-steps/s", 0);
    }
    sw_crystals_release(&c);
    sw_crystals_free(SW_CUDA, (sw_crystal *)p.velocity_gradient);
    sw_crystals_free(SW_CUDA, (sw_crystal *)p.stress);
    sw_crystals_free(SW_CUDA, (sw_crystal *)p.by_strain_rate);
    sw_crystals_free(SW_CUDA, (sw_crystal *)p.by_spin);
    sw_response_close(r);
}

static void points_table(const sw_database *database)
{
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    static const int64_t each[] = {1, 8, 100, 1000};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            const sw_response_options options = {.solver = names[s], .database = database};
            time_points(names[s], &options, each[e] == 1 ? 10000000 : 100000000 / each[e], each[e]);
        }
}

/* Self-consistent polycrystals of austenitic grains (n = 20), rolled in steps of 0.02: one of N grains, or points of 100 each. */
static void self_consistent_table(void)
{
    static const sw_material steel = {.name = "n = 20",
                                      .crystal_structure = SW_LATTICE_fcc,
                                      .elasticity = {205e9, 138e9, 126e9},
                                      .slip = {1e-3, 0.05, 16e6},
                                      .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
    static const struct {
        const char *name;
        int64_t n;
        sw_self_consistent scheme;
    } rows[] = {{"affine", 500, {"affine", 0, "phase", 1e-3}},
                {"affine", 8000, {"affine", 0, "phase", 1e-3}},
                {"affine", 1000000, {"affine", 0, "phase", 1e-3}},
                {"affine to 1e-4", 1000000, {"affine", 0, "phase", 1e-4}},
                {"secant", 1000000, {"secant", 0, "phase", 1e-3}},
                {"neff 10", 1000000, {"neff", 10, "phase", 1e-3}},
                {"affine; ellipsoids of grains", 100000, {"affine", 0, "grain", 1e-3}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum { STEPS = 20 };
        const sw_response_options options = {.solver = "rigid_plastic",
                                             .material = &steel,
                                             .homogenization = "self_consistent",
                                             .self_consistent = rows[i].scheme};
        sw_response *r = open_response(options);
        sw_response_average average;
        sw_crystals c;
        check(sw_crystals_make(r, rows[i].n, &c), "crystals");
        check(sw_crystals_randomise(SW_CUDA, rows[i].n, c.crystal, 1, 0, 16e6F), "crystals");
        double started = sw_seconds();
        for (int step = 0; step <= STEPS; step++) { /* the first begins without stresses */
            check(sw_response_advance(r, plane_strain, 14, &c, &c, &average), rows[i].name);
            if (step == 0)
                started = sw_seconds();
        }
        print_row("self_consistent", rows[i].name, (double)rows[i].n,
                  (double)rows[i].n * STEPS / (sw_seconds() - started), "grain-steps/s", 0);
        sw_crystals_release(&c);
        sw_response_close(r);
    }
    const sw_response_options options = {.solver = "rigid_plastic",
                                         .material = &steel,
                                         .homogenization = "self_consistent",
                                         .self_consistent = {"affine", 0, "phase", 1e-3}};
    time_points("self-consistent, affine", &options, 8000, 100);
}

static int wanted(int argc, char **argv, const char *table)
{
    int found = argc == 1;
    for (int i = 1; i < argc; i++)
        found |= strcmp(argv[i], table) == 0;
    return found;
}

int main(int argc, char **argv)
{
    sw_gpu gpu;
    if (sw_gpu_use(&gpu) != SW_OK) {
        fprintf(stderr, "bench_gpu: %s\n", sw_error_message());
        return 0;
    }
    issue_rate = gpu.multiprocessors * 4.0 * 32.0 * gpu.clock;
    printf("# %s\n", gpu.name);
    printf("# %d multiprocessors at up to %.0f MHz: %.4g instructions of a thread a second\n",
           gpu.multiprocessors, gpu.clock * 1e-6, issue_rate);
    printf("# terms are Fourier coefficients, two a stored pair; in the paper's terms/s a pair counts %.2f\n"
           "table,series,x,value,unit,limit\n",
           PAPER_TERMS);
    const sw_database usual = make_database((int64_t[4]){64, 64, 64, 48});
    if (wanted(argc, argv, "families"))
        families_table();
    if (wanted(argc, argv, "solvers"))
        solvers_table(&usual);
    if (wanted(argc, argv, "storage"))
        storage_table(&usual);
    if (wanted(argc, argv, "runs"))
        runs_table(&usual);
    if (wanted(argc, argv, "points"))
        points_table(&usual);
    if (wanted(argc, argv, "self_consistent"))
        self_consistent_table();
    if (wanted(argc, argv, "paper_step"))
        paper_step_table(&usual);
    if (wanted(argc, argv, "forms"))
        forms_table(&usual);
    if (wanted(argc, argv, "crystals"))
        crystals_table(&usual);
    if (wanted(argc, argv, "terms"))
        terms_table(&usual);
    if (wanted(argc, argv, "range_reduction")) {
        const sw_database even = make_database((int64_t[4]){64, 64, 64, 64});
        range_table(&even);
    }
    return 0;
}
