/* Times of the precipitation model, as CSV for slipwave-plot bench-kwn:
 * table,strategy,precision,order,points,classes,steps,work_steps,measured_seconds,seconds,class_updates_per_second
 *
 *     build/bench/bench_kwn [TABLE...] > bench-kwn.csv      tables: large small fused alone kernels day crossover precision cpu
 *
 * large, small: the cases of Jensen et al. 2016, W = N C K = 2^29 and 2^23 class updates in K steps at rest (fixed
 * step, no iteration, one phase, single precision, first order). `steps` of the work's K, `work_steps`, were run, and
 * took `measured_seconds`; `seconds` are of all K. Where K steps would take longer than about half a second (small:
 * 0.2 s) fewer are run, eight at least, and the row is extrapolated: `seconds` = `measured_seconds` x work_steps /
 * steps. day: trajectories of a day's ageing, steps chosen by error. crossover: the same of few points, on the CPU
 * and on the GPU; alone: of one, all orders. fused: its fastest shapes, all orders. kernels: set-up, solution and sums of Jensen's strategies apart. Times are the best of three calls,
 * after others to warm up, wall clock around sw_kwn_advance and sw_kwn_wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "common/system/status.h"
#include "online/kwn/backend/strategies.h"
#if defined SW_HAVE_CUDA && defined SW_HAVE_PAPERS
#include "online/kwn/jensen/jensen.h"
#endif
#include "slipwave/kwn.h"

static void check(sw_status status, const char *what)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_kwn: %s: %s\n", what, sw_error_message());
        exit(1);
    }
}

enum { BUILT = SW_HAS_PAPERS ? SW_KWN_STRATEGIES : SW_KWN_OF_PAPERS }; /* strategies of this build */

static sw_kwn_alloy *alloy;

typedef struct {
    sw_kwn_strategy strategy;
    sw_kwn_precision precision;
    int second_order;
    int64_t points, classes;
} run;

static sw_kwn_options options_of(const run *r)
{
    sw_kwn_options o = sw_kwn_defaults();
    o.strategy = r->strategy;
    o.precision = r->precision;
    o.flux = r->second_order;
    o.axis = (sw_kwn_axis_options){SW_AXIS_UNIFORM, r->classes, 0, 50e-9};
    o.control.fixed_step = 1;
    o.control.explicit_coupling = 1;
    return o;
}

/* Seconds of `steps` steps of a second each. */
static double time_steps(sw_kwn *kwn, double *now, int64_t steps)
{
    const double time[] = {*now, *now + (double)steps};
    const float temperature[] = {458.15F, 458.15F};
    const double start = sw_seconds();
    check(sw_kwn_advance(kwn, 2, time, temperature, 0), "advance");
    check(sw_kwn_wait(kwn), "wait");
    *now = time[1];
    return sw_seconds() - start;
}

/* `measured` seconds for `steps` of the work's steps, the work being `updates` class updates. */
static void print(const char *table, const run *r, int64_t steps, int64_t work_steps, double measured,
                  double updates)
{
    const double seconds = measured * (double)work_steps / (double)steps;
    printf("%s,%s,%s,%d,%lld,%lld,%lld,%lld,%.6g,%.6g,%.4g\n", table, sw_kwn_strategy_names[r->strategy],
           sw_kwn_precision_names[r->precision], 1 + r->second_order, (long long)r->points,
           (long long)r->classes, (long long)steps, (long long)work_steps, measured, seconds,
           updates / seconds);
    fflush(stdout);
}

/* Steps to time, warming up: the whole work, or as many as take half of `longest` seconds or more; eight at least. */
static int64_t steps_to_time(sw_kwn *kwn, double *now, int64_t work_steps, double longest)
{
    int64_t steps = work_steps < 8 ? work_steps : 8;
    while (time_steps(kwn, now, steps) < longest / 2 && steps < work_steps)
        steps = 2 * steps < work_steps ? 2 * steps : work_steps;
    return steps;
}

/* Time `work` class updates; about `longest` seconds of them. */
static void time_work(const char *table, const run *r, double work, double longest)
{
    const sw_kwn_options options = options_of(r);
    const int64_t steps = (int64_t)(work / ((double)r->points * (double)r->classes));
    sw_kwn *kwn;
    double now = 0;
    if (sw_kwn_open(alloy, &options, r->points, NULL, 458.15, &kwn) != SW_OK) {
        fprintf(stderr, "%s\n", sw_error_message()); /* too little memory: left out, as in the paper */
        return;
    }
    const int64_t timed = steps_to_time(kwn, &now, steps, longest);
    double best = time_steps(kwn, &now, timed);
    for (int i = 0; i < 2; i++) {
        const double seconds = time_steps(kwn, &now, timed);
        best = seconds < best ? seconds : best;
    }
    sw_kwn_close(kwn);
    print(table, r, timed, steps, best, work);
}

static void large_table(int on_gpu)
{
    for (int s = on_gpu ? SW_KWN_FUSED : SW_KWN_CPU; s < (on_gpu ? BUILT : SW_KWN_FUSED); s++)
        for (int n = 7; n <= 17; n += 2)
            for (int c = 6; c <= 17; c++)
                if (n + c <= 29)
                    time_work("large",
                              &(run){(sw_kwn_strategy)s, on_gpu ? SW_KWN_SINGLE : SW_KWN_DOUBLE, 0,
                                     INT64_C(1) << n, INT64_C(1) << c},
                              0x1p29, 0.5);
}

static void small_table(int on_gpu)
{
    for (int s = on_gpu ? SW_KWN_FUSED : SW_KWN_CPU; s < (on_gpu ? BUILT : SW_KWN_FUSED); s++)
        for (int n = 0; n <= 5; n++)
            for (int c = 6; c <= 18; c += 2)
                time_work("small",
                          &(run){(sw_kwn_strategy)s, on_gpu ? SW_KWN_SINGLE : SW_KWN_DOUBLE, 0,
                                 INT64_C(1) << n, INT64_C(1) << c},
                          0x1p23, 0.2);
}

/* `fused` where it is fastest, in single precision, in all orders. */
static void fused_table(int on_gpu)
{
    static const int64_t shapes[][2] = {{1 << 17, 1 << 12}, {1 << 17, 1 << 11}, {1 << 15, 1 << 14}};
    for (int k = 0; k < (on_gpu ? 3 : 0); k++)
        for (int order = 0; order < SW_KWN_FLUXES; order++)
            time_work("fused", &(run){SW_KWN_FUSED, SW_KWN_SINGLE, order, shapes[k][0], shapes[k][1]}, 0x1p29,
                      0.5);
}

/* Every strategy in every precision, `fused` in both orders, where the memory is what limits and where the points are
 * many. */
static void precision_table(int on_gpu)
{
    static const int64_t shapes[][2] = {{1 << 17, 1 << 12}, {1 << 17, 1 << 7}, {1 << 13, 1 << 10}};
    for (int s = SW_KWN_FUSED; s < (on_gpu ? BUILT : SW_KWN_FUSED); s++)
        for (int k = 0; k < 3; k++)
            for (int p = SW_KWN_DOUBLE; p <= SW_KWN_SINGLE; p++)
                for (int second = 0; second < (s == SW_KWN_FUSED ? 2 : 1); second++)
                    time_work(
                        "precision",
                        &(run){(sw_kwn_strategy)s, (sw_kwn_precision)p, second, shapes[k][0], shapes[k][1]},
                        0x1p29, 0.5);
}

#if defined SW_HAVE_CUDA && defined SW_HAVE_PAPERS
/* Seconds of each phase of Jensen's strategies, of about `longest` seconds of the work, as rows TABLE/PHASE. */
static void time_kernels(const run *r, double work, double longest)
{
    static const char *const names[SW_KWN_KERNELS] = {[SW_KWN_SET_UP] = "kernels/set_up",
                                                      [SW_KWN_SOLVE] = "kernels/solve",
                                                      [SW_KWN_AGGREGATE] = "kernels/aggregate"};
    const sw_kwn_options options = options_of(r);
    const int64_t steps = (int64_t)(work / ((double)r->points * (double)r->classes));
    double now = 0, seconds[SW_KWN_KERNELS] = {0};
    sw_kwn *kwn;
    if (sw_kwn_open(alloy, &options, r->points, NULL, 458.15, &kwn) != SW_OK) {
        fprintf(stderr, "%s\n", sw_error_message());
        return;
    }
    const int64_t timed = steps_to_time(kwn, &now, steps, longest);
    sw_kwn_jensen_clock(kwn, seconds);
    time_steps(kwn, &now, timed);
    sw_kwn_jensen_clock(kwn, NULL);
    sw_kwn_close(kwn);
    for (int k = 0; k < SW_KWN_KERNELS; k++)
        print(names[k], r, timed, steps, seconds[k], work);
}

#else
static void time_kernels(const run *r, double work, double longest) { (void)r, (void)work, (void)longest; }
#endif

/* Along the lines of Figs. 3, 4 and 5: N = 2^17, N = 2^10 and C = 2^10, in the paper's precisions. */
static void kernels_table(int on_gpu)
{
    for (int s = SW_KWN_OF_PAPERS; s < (on_gpu ? BUILT : SW_KWN_OF_PAPERS); s++)
        for (int n = 7; n <= 17; n++)
            for (int c = 6; c <= 17; c++)
                if (n + c <= 28 && (n == 17 || n == 10 || c == 10))
                    time_kernels(
                        &(run){(sw_kwn_strategy)s, SW_KWN_MIXED, 0, INT64_C(1) << n, INT64_C(1) << c}, 0x1p29,
                        0.1);
}

static void cpu_table(int on_gpu)
{
    (void)on_gpu;
    for (int second = 0; second < SW_KWN_FLUXES; second++)
        for (int c = 6; c <= 14; c += 2)
            time_work("cpu", &(run){SW_KWN_CPU, SW_KWN_DOUBLE, second, 64, INT64_C(1) << c}, 0x1p29, 0.3);
}

/* Seconds of a day at these temperatures [2][N], and its steps and class updates of all iterations. */
static double time_one_day(const run *r, const float *temperature, double *steps, double *updates)
{
    const double time[] = {0, 86400};
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    sw_kwn_point *point;
    options.strategy = r->strategy;
    options.precision = r->precision;
    options.axis.classes = r->classes;
    options.flux = (sw_kwn_flux_order)r->second_order;
    check(SW_ALLOCATE(point, r->points, "points"), "day");
    check(sw_kwn_open(alloy, &options, r->points, NULL, 458.15, &kwn), "day");
    const double start = sw_seconds();
    check(sw_kwn_advance(kwn, 2, time, temperature, 1), "day");
    check(sw_kwn_wait(kwn), "day");
    const double seconds = sw_seconds() - start;
    check(sw_kwn_read(kwn, 0, r->points, point), "day");
    *steps = *updates = 0;
    for (int64_t i = 0; i < r->points; i++) {
        *updates += (double)point[i].iterations * (double)r->classes;
        *steps += (double)point[i].steps;
    }
    sw_kwn_close(kwn);
    free(point);
    return seconds;
}

/* A day at 458 K, or at temperatures around it, steps by error; the best of `times`. */
static void time_day(const char *table, const run *r, float spread, int times)
{
    float *temperature;
    double updates, steps, best = 0;
    check(SW_ALLOCATE(temperature, 2 * r->points, "temperatures"), "day");
    for (int64_t i = 0; i < 2 * r->points; i++)
        temperature[i] = 458.15F + spread * ((float)(i % r->points) / (float)r->points - 0.5F);
    for (int i = 0; i < times; i++) {
        const double seconds = time_one_day(r, temperature, &steps, &updates);
        best = i == 0 || seconds < best ? seconds : best;
    }
    const int64_t mean_steps = (int64_t)(steps / (double)r->points);
    print(table, r, mean_steps, mean_steps, best, updates);
    free(temperature);
}

static run day_run(int on_gpu, int64_t points, int64_t classes)
{
    return (run){on_gpu ? SW_KWN_FUSED : SW_KWN_CPU, on_gpu ? SW_KWN_SINGLE : SW_KWN_DOUBLE,
                 SW_KWN_THIRD_ORDER, points, classes};
}

static void day_table(int on_gpu)
{
    const run r = day_run(on_gpu, on_gpu ? 1000000 : 2000, 128);
    time_day("day_458_K", &r, 0, 1);
    time_day("day_433_to_483_K", &r, 50, 1);
}

/* The same day of few points, on the CPU and on the GPU: from how many on a GPU pays. On the CPU a point costs the
 * same in any company. */
static void crossover_table(int on_gpu)
{
    for (int device = 0; device <= on_gpu; device++)
        for (int c = 6; c <= 12; c += 2)
            for (int n = 0; n <= (device ? 14 : 4) && n + c <= 20; n += 2) {
                const run r = day_run(device, INT64_C(1) << n, INT64_C(1) << c);
                time_day("crossover", &r, 0, 5);
            }
}

/* A single history with its own steps. */
static void alone_table(int on_gpu)
{
    for (int c = 6; c <= 12; c += 2)
        for (int order = 1; order < SW_KWN_FLUXES; order++) {
            run r = day_run(on_gpu, 1, INT64_C(1) << c);
            r.second_order = order;
            time_day("alone", &r, 0, 5);
        }
}

static int wanted(int argc, char **argv, const char *table)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], table) == 0)
            return 1;
    return argc == 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int on_gpu);
    } tables[] = {{"cpu", cpu_table},         {"precision", precision_table},
                  {"day", day_table},         {"crossover", crossover_table},
                  {"kernels", kernels_table}, {"small", small_table},
                  {"fused", fused_table},     {"alone", alone_table},
                  {"large", large_table}};
    sw_kwn *kwn;
    check(sw_kwn_alloy_open("data/alloys/al-mg-si-6082.yaml", &alloy), "alloy");
    sw_kwn_options options = options_of(&(run){SW_KWN_FUSED, SW_KWN_SINGLE, 0, 1, 64});
    const int on_gpu = sw_kwn_open(alloy, &options, 1, NULL, 458.15, &kwn) == SW_OK;
    if (on_gpu)
        sw_kwn_close(kwn);
    else
        fprintf(stderr, "bench_kwn: %s: the CPU alone\n", sw_error_message());
    printf("table,strategy,precision,order,points,classes,steps,work_steps,measured_seconds,seconds,"
           "class_updates_per_second\n");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (wanted(argc, argv, tables[i].name))
            tables[i].run(on_gpu);
    sw_kwn_alloy_close(alloy);
    return 0;
}
