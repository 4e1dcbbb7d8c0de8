/* Benchmarks of online/fem/convected/: the way of Demeshko et al. 2011.
 *
 *     bench_convected                                 kernels and methods, small, for `make bench`
 *     bench_convected kernels CELLS DEVICE            kernels 1 and 2 on CELLS x CELLS elements, medians of seven
 *     bench_convected methods CELLS DEVICE TOLERANCE  every method on an elastic and on a plastic matrix
 *     bench_convected increment CELLS DEVICE METHOD   a step of 0.1 %: elastic, and when all flows
 *     bench_convected run CELLS DEVICE METHOD FRICTION STEPS [POWER]    60 % reduction; a line a tenth of it
 *
 * DEVICE: cpu, cuda, or cuda-assembly, with the matrix assembled on the GPU. Lines are comma-separated values after a
 * line of names. The CPU is one core: OMP_NUM_THREADS=1. The steel of data/jobs/fem-billet.yaml, a quarter of its section. The
 * paper's figures: kernel 1 3.5 times as fast from 3,600 elements on, an iteration of kernel 2 5.2 times at 6,400. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/fem/convected/billet.h"

static void stop_on(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_convected: %s\n", sw_error_message());
    exit(1);
}

/* ---- Billets ---- */

static sw_fem_convected problem_of(int64_t cells, double friction, double reduction)
{
    return (sw_fem_convected){.kinematics = SW_FEM_AXISYMMETRIC,
                              .radius = 0.01,
                              .height = 0.03,
                              .cells = {cells, cells},
                              .material = {.young = 200e9,
                                           .poisson = 0.3,
                                           .yield_stress = 700e6,
                                           .hardening = SW_FEM_LINEAR,
                                           .parameter = {300e6}},
                              .friction = friction,
                              .reduction = reduction};
}

static sw_fem_convected_options options_of(const char *device, sw_fem_band_method method)
{
    sw_fem_convected_options options = sw_fem_default_convected_options();
    options.method = method;
    options.most_linear = 10000000;
    options.device = strcmp(device, "cpu") == 0 ? SW_FEM_DEVICE_CPU : SW_FEM_DEVICE_CUDA;
    options.assembly =
        strcmp(device, "cuda-assembly") == 0 ? SW_FEM_ASSEMBLED_ON_DEVICE : SW_FEM_ASSEMBLED_ON_CPU;
    return options;
}

static sw_fem_band_method method_of(const char *name)
{
    for (int i = 0; i < SW_FEM_BAND_METHODS; i++)
        if (strcmp(name, sw_fem_band_method_names[i]) == 0)
            return (sw_fem_band_method)i;
    stop_on(sw_error(SW_ERR_INPUT, "no method %s", name));
    return SW_FEM_BAND_METHODS;
}

/* The quickest way to a state. */
static sw_fem_band_method quickest(const char *device)
{
#ifdef SW_HAVE_LAPACK
    if (strcmp(device, "cpu") == 0)
        return SW_FEM_DIRECT;
#endif
    (void)device;
    return SW_FEM_BICONJUGATE;
}

/* A sticking billet; `plastic`: 1.5 % upset, so that most points flow. The next step's system. */
static void open_billet(int64_t cells, const char *device, int plastic, sw_fem_billet *b)
{
    const sw_fem_convected problem = problem_of(cells, INFINITY, 0.02);
    sw_fem_convected_options options = options_of(device, quickest(device));
    sw_fem_convected_row row;
    options.steps = 20;
    stop_on(sw_fem_billet_open(&problem, &options, b));
    for (int i = 0; i < (plastic ? 15 : 1); i++)
        stop_on(sw_fem_billet_step(b, &row));
    sw_fem_billet_prescribe(b);
    sw_fem_billet_pack(b);
    stop_on(sw_fem_billet_elements(b));
    sw_fem_billet_assemble(b);
    if (b->cuda)
        stop_on(sw_fem_convected_cuda_load(b->cuda, b->system.band.value, b->system.right));
}

/* ---- Kernels ---- */

enum { BATCHES = 7, ITERATIONS = 200 };

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double time[BATCHES])
{
    qsort(time, BATCHES, sizeof *time, compare_numbers);
    return time[BATCHES / 2];
}

static void time_elements(sw_fem_billet *b, double time[BATCHES])
{
    for (int i = -1; i < BATCHES; i++) {
        const double start = sw_seconds();
        stop_on(sw_fem_billet_elements(b));
        if (i >= 0)
            time[i] = sw_seconds() - start;
    }
}

/* Too few iterations for any tolerance: the error says so, and is expected. */
static void time_iterations(sw_fem_billet *b, double time[BATCHES])
{
    for (int i = -1; i < BATCHES; i++) {
        int64_t taken;
        const double start = sw_seconds();
        const sw_status status =
            sw_fem_band_solve(sw_fem_billet_system(b), SW_FEM_MINIMAL_RESIDUAL, 1e-30, ITERATIONS, &taken);
        if (status != SW_ERR_CONVERGENCE)
            stop_on(status);
        if (i >= 0)
            time[i] = (sw_seconds() - start) / (double)taken;
    }
}

/* A solution's upload of matrix and right side and download of z; nothing on the CPU. */
static void time_transfers(sw_fem_billet *b, double time[BATCHES])
{
    for (int i = -1; i < BATCHES; i++) {
        const double start = sw_seconds();
        if (b->cuda) {
            stop_on(sw_fem_convected_cuda_load(b->cuda, b->system.band.value, b->system.right));
            stop_on(sw_fem_convected_cuda_read(b->cuda, b->system.solution));
        }
        if (i >= 0)
            time[i] = sw_seconds() - start;
    }
}

static void time_assembly(sw_fem_billet *b, double time[BATCHES])
{
    for (int i = -1; i < BATCHES; i++) {
        const double start = sw_seconds();
        sw_fem_billet_assemble(b);
        if (i >= 0)
            time[i] = sw_seconds() - start;
    }
}

static void time_whole(sw_fem_billet *b, double time[BATCHES])
{
    for (int i = -1; i < BATCHES; i++) {
        const double start = sw_seconds();
        if (b->cuda)
            stop_on(sw_fem_convected_cuda_assemble(b->cuda, b->input, b->external, b->fixed, b->value));
        if (i >= 0)
            time[i] = sw_seconds() - start;
    }
}

static void kernels_names(void)
{
    puts("elements,device,band,kernel1_us,assembly_us,kernel1_and_gpu_assembly_us,iteration_us,transfers_us");
}

static void kernels(int64_t cells, const char *device)
{
    double elements[BATCHES], assembly[BATCHES], whole[BATCHES], iteration[BATCHES], transfers[BATCHES];
    sw_fem_billet b;
    open_billet(cells, device, 0, &b);
    time_elements(&b, elements);
    time_assembly(&b, assembly);
    time_transfers(&b, transfers);
    time_iterations(&b, iteration);
    time_whole(&b, whole);
    printf("%lld,%s,%lld,%.2f,%.2f,%.2f,%.3f,%.2f\n", (long long)b.n_elements, device,
           2 * (long long)b.half + 1, 1e6 * median(elements), 1e6 * median(assembly),
           b.cuda ? 1e6 * median(whole) : NAN, 1e6 * median(iteration), 1e6 * median(transfers));
    fflush(stdout);
    sw_fem_billet_close(&b);
}

/* ---- Methods ---- */

static void methods_names(void) { puts("elements,matrix,device,method,tolerance,iterations,seconds,status"); }

static void methods(int64_t cells, const char *device, double tolerance)
{
    for (int plastic = 0; plastic < 2; plastic++) {
        sw_fem_billet b;
        open_billet(cells, device, plastic, &b);
        for (sw_fem_band_method m = SW_FEM_SIMPLE; m < (b.cuda ? SW_FEM_DIRECT : SW_FEM_BAND_METHODS); m++) {
            int64_t iterations;
            const double start = sw_seconds();
            const sw_status status =
                sw_fem_band_solve(sw_fem_billet_system(&b), m, tolerance, 2000000, &iterations);
            printf("%lld,%s,%s,%s,%g,%lld,%.4f,%s\n", (long long)b.n_elements,
                   plastic ? "plastic" : "elastic", device, sw_fem_band_method_names[m], tolerance,
                   (long long)iterations, sw_seconds() - start, status == SW_OK ? "ok" : sw_error_message());
            fflush(stdout);
        }
        sw_fem_billet_close(&b);
    }
}

/* ---- Steps and runs ---- */

static void step_names(void)
{
    puts("elements,device,method,friction,step,stroke_mm,force_kN,flowing,slipping,touching,iterations,"
         "linear,change,"
         "elements_s,assembly_s,linear_s");
}

static void print_row(const char *what, const sw_fem_convected_row *r)
{
    printf("%s,%lld,%.4f,%.4f,%lld,%lld,%lld,%lld,%lld,%.1e,%.4f,%.4f,%.4f\n", what, (long long)r->step,
           1e3 * r->stroke, 1e-3 * r->force, (long long)r->flowing, (long long)r->slipping,
           (long long)r->touching, (long long)r->iterations, (long long)r->linear, r->change,
           r->seconds_elements, r->seconds_assembly, r->seconds_linear);
    fflush(stdout);
}

/* As in open_billet: from 0.1 and from 1.5 %, by 0.1 %. */
static void increment(int64_t cells, const char *device, const char *method)
{
    for (int plastic = 0; plastic < 2; plastic++) {
        char what[96];
        sw_fem_convected_row row;
        sw_fem_billet b;
        open_billet(cells, device, plastic, &b);
        b.options.method = method_of(method);
        snprintf(what, sizeof what, "%lld,%s,%s,inf", (long long)b.n_elements, device, method);
        stop_on(sw_fem_billet_step(&b, &row));
        print_row(what, &row);
        sw_fem_billet_close(&b);
    }
}

typedef struct {
    char what[96];
    int64_t every;
    sw_fem_convected_row sum; /* since the last line */
} bench_run;

static sw_status add_row(void *context, const sw_fem_convected_row *row, const sw_fem_convected_state *body)
{
    bench_run *run = context;
    const sw_fem_convected_row before = run->sum;
    (void)body;
    run->sum = *row;
    run->sum.iterations += before.iterations;
    run->sum.linear += before.linear;
    run->sum.seconds_elements += before.seconds_elements;
    run->sum.seconds_assembly += before.seconds_assembly;
    run->sum.seconds_linear += before.seconds_linear;
    if (row->step % run->every == 0)
        print_row(run->what, &run->sum);
    return SW_OK;
}

static void whole_run(int64_t cells, const char *device, const char *method, double friction, int64_t steps,
                      sw_fem_power power)
{
    const sw_fem_convected problem = problem_of(cells, friction, 0.6);
    sw_fem_convected_options options = options_of(device, method_of(method));
    bench_run run = {.every = steps > 10 ? steps / 10 : 1};
    options.steps = steps;
    options.power = power;
    snprintf(run.what, sizeof run.what, "%lld,%s,%s,%g", (long long)cells * cells, device, method, friction);
    const double start = sw_seconds();
    const sw_status status = sw_fem_convected_run(&problem, &options, add_row, &run);
    printf("# %s: %.2f s in all: %s\n", run.what, sw_seconds() - start,
           status == SW_OK ? "ok" : sw_error_message());
}

int main(int n, char **argument)
{
    if (n < 2) {
        kernels_names();
        kernels(30, "cpu");
        methods_names();
        methods(10, "cpu", 1e-6);
    } else if (n == 4 && strcmp(argument[1], "kernels") == 0) {
        kernels_names();
        kernels(atoll(argument[2]), argument[3]);
    } else if (n == 5 && strcmp(argument[1], "methods") == 0) {
        methods_names();
        methods(atoll(argument[2]), argument[3], atof(argument[4]));
    } else if (n == 5 && strcmp(argument[1], "increment") == 0) {
        step_names();
        increment(atoll(argument[2]), argument[3], argument[4]);
    } else if (n >= 7 && strcmp(argument[1], "run") == 0) {
        step_names();
        whole_run(atoll(argument[2]), argument[3], argument[4], atof(argument[5]), atoll(argument[6]),
                  n > 7 && strcmp(argument[7], "printed") == 0 ? SW_FEM_PRINTED : SW_FEM_NOMINAL);
    } else {
        fprintf(stderr, "bench_convected: see the head of bench/bench_convected.c\n");
        return 2;
    }
    return 0;
}
