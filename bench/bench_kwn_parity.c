/* How far `fused` in all precisions is from the CPU at many random points of two phases, and the seconds of all:
 *
 *     build/bench/bench_kwn_parity [POINTS [CLASSES]]      100,000 of 128
 *
 * Ends with 1 where a number differs by more than 0.1 %. */
#include <stdio.h>
#include <stdlib.h>

#include "common/system/progress.h"
#include "common/system/status.h"
#include "tests/online/kwn/points/random_points.h"

static void check(sw_status status)
{
    if (status != SW_OK) {
        fprintf(stderr, "bench_kwn_parity: %s\n", sw_error_message());
        exit(2);
    }
}

static sw_kwn_point *follow(const sw_kwn_alloy *alloy, sw_kwn_strategy strategy, sw_kwn_precision precision,
                            int64_t n, int64_t classes, const double *composition, const float *temperature)
{
    const double start = sw_seconds();
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_point *point;
    sw_kwn *kwn;
    options.strategy = strategy;
    options.precision = precision;
    options.axis.classes = classes;
    check(SW_ALLOCATE(point, n, "points"));
    check(sw_kwn_open(alloy, &options, n, composition, 560, &kwn));
    check(sw_kwn_advance(kwn, SW_RANDOM_KNOTS, sw_random_times, temperature, 1));
    check(sw_kwn_read(kwn, 0, n, point));
    sw_kwn_close(kwn);
    printf("%s, %s: %.1f s\n", sw_kwn_strategy_names[strategy], sw_kwn_precision_names[precision],
           sw_seconds() - start);
    fflush(stdout);
    return point;
}

/* Prints a line; returns how many numbers are off by more than 0.1 %. */
static int compare(const sw_kwn_point *found, const sw_kwn_point *expected, int64_t n, const char *name)
{
    double worst[3] = {0};
    int64_t off = 0, steps = 0, where = -1;
    for (int64_t i = 0; i < n; i++) {
        double d[3];
        sw_point_differences(&found[i], &expected[i], 2, d);
        where = d[0] > worst[0] ? i : where;
        for (int k = 0; k < 3; k++)
            worst[k] = d[k] <= worst[k] || isnan(worst[k]) ? worst[k] : d[k];
        off += !(d[0] <= 1e-3);
        steps += found[i].steps != expected[i].steps;
    }
    printf("%s: number %.2g, radius %.2g, fraction %.2g off at most (point %lld); %lld beyond 0.1 %%, %lld "
           "in other steps\n",
           name, worst[0], worst[1], worst[2], (long long)where, (long long)off, (long long)steps);
    return (int)off;
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 1 ? atoll(argv[1]) : 100000, classes = argc > 2 ? atoll(argv[2]) : 128;
    sw_kwn_alloy *alloy;
    double *composition;
    float *temperature;
    int off = 0;
    check(sw_kwn_alloy_open("data/alloys/al-sc-zr.yaml", &alloy));
    check(SW_ALLOCATE(composition, 2 * n, "compositions"));
    check(SW_ALLOCATE(temperature, SW_RANDOM_KNOTS * n, "temperatures"));
    sw_random_points(n, composition, temperature);
    sw_kwn_point *cpu = follow(alloy, SW_KWN_CPU, SW_KWN_DOUBLE, n, classes, composition, temperature);
    for (int p = 0; p < SW_KWN_PRECISIONS; p++) {
        sw_kwn_point *gpu =
            follow(alloy, SW_KWN_FUSED, (sw_kwn_precision)p, n, classes, composition, temperature);
        off += compare(gpu, cpu, n, sw_kwn_precision_names[p]);
        free(gpu);
    }
    free(cpu);
    free(composition);
    free(temperature);
    sw_kwn_alloy_close(alloy);
    return off > 0;
}
