#include "choice.h"

#include <math.h>

/* us, all of one machine, an H200 and its host, a day of AA6082 at 185 degrees C with every key at its default
 * (bench/results/kwn-crossover-h200-2026-11-23.csv): a step of one point on a core; on the GPU a step of a point, less
 * the 1.2 ms that a call takes once, and what each further point adds. */
static const struct {
    double classes, cpu_point, gpu_latency, gpu_point;
} measured[] = {{64, 1.90, 15.3, 0.0100},
                {256, 3.30, 15.3, 0.0110},
                {1024, 11.5, 15.8, 0.0125},
                {4096, 39.0, 17.8, 0.0500}};

enum { ROWS = sizeof measured / sizeof *measured };

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
    return (sw_kwn_step_cost){.cpu = 1e-6 * cpu * ceil(n / threads), .gpu = 1e-6 * (latency + n * point)};
}
