#include "choice.h"

#include <math.h>

/* us. CPU: of a point, a day of AA6082 at 185 degrees C, keys as they stand by default
 * (bench/results/kwn-cpu-2026-11-23.csv). GPU: latency, of a step of one point and of as many as run side by side, and
 * how much each further point adds where they are many (kwn-h200-2026-11-21.csv, tables small and large of `fused`). */
static const struct {
    double classes, cpu_point, gpu_latency, gpu_point;
} measured[] = {
    {64, 0.54, 7.2, 0.0028}, {256, 1.40, 7.7, 0.0035}, {1024, 4.45, 7.9, 0.0086}, {4096, 16.5, 9.8, 0.0224}};

enum { ROWS = sizeof measured / sizeof *measured };
static const double side_by_side = 512; /* points; more than these are taken in rounds of two launches */

/* At a place from 0 to 1 between two costs, whose logarithm is linear there. */
static double between(double a, double b, double place) { return a * pow(b / a, place); }

sw_kwn_step_cost sw_kwn_step_cost_of(int64_t n_points, int64_t classes, int threads)
{
    const double n = (double)n_points, b = fmax((double)classes, measured[0].classes);
    const double beyond =
        fmax(1, b / measured[ROWS - 1].classes); /* past the table costs go with the classes */
    int k = 1;
    while (k < ROWS - 1 && b > measured[k].classes)
        k++;
    const double width = log(measured[k].classes / measured[k - 1].classes);
    const double place = fmin(1, log(b / measured[k - 1].classes) / width);
    const double cpu = beyond * between(measured[k - 1].cpu_point, measured[k].cpu_point, place);
    const double latency = between(measured[k - 1].gpu_latency, measured[k].gpu_latency, place);
    const double point = beyond * between(measured[k - 1].gpu_point, measured[k].gpu_point, place);
    return (sw_kwn_step_cost){.cpu = 1e-6 * cpu * ceil(n / threads),
                              .gpu = 1e-6 * (n <= side_by_side ? latency : 2 * latency + n * point)};
}
