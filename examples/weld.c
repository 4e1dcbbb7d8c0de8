/* A host program that couples precipitation to a thermal model: `weld ALLOY.yaml [STRATEGY]`.
 *
 * A plate in the condition T6 is welded; 64 points lie on a line across the seam. The host takes mechanical
 * steps of 1 s: while the library follows the precipitates through the 50 thermal steps of one, the host
 * computes the temperatures of the next. At the end: peak temperature, yield stress and hardness across the
 * heat-affected zone.
 *
 * Where a few coarse particles outlive the peak beside many small new ones, the yield stress has a spike: its
 * formula knows mean radii only, and there are two kinds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipwave/kwn.h"
#include "slipwave/status.h"

#define TRY(call)                   \
    do {                            \
        const sw_status s = (call); \
        if (s != SW_OK)             \
            return s;               \
    } while (0)

enum { POINTS = 64, MECHANICAL_STEPS = 120, THERMAL_STEPS = 50, KNOTS = THERMAL_STEPS + 1 };

static const double room = 293.15, step = 1.0; /* K, s */
static double knot_time[KNOTS];
static float temperature[KNOTS][POINTS]; /* K */
static float peak[POINTS];
static sw_kwn_point point[POINTS];

/* m beside the seam: from where the plate just melts to where it stays as it was. */
static double distance(int i) { return 8e-3 + 0.25e-3 * i; }

/* The modified Bessel function K0(x) times exp(-s): its integral of exp(-x cosh u) over u, of which the
 * trapezoidal rule has all digits. Both exponents go together, as either alone may be too large. */
static double scaled_bessel(double x, double s)
{
    const double h = 0.1;
    double sum = 0.5 * exp(-s - x);
    for (int k = 1; k < 100; k++)
        sum += exp(-s - x * cosh(k * h));
    return h * sum;
}

/* A line source through a thin plate: Rosenthal, Trans. ASME 68 (1946) 849,
 * T = T0 + q / (2 pi k d) exp(-v xi / (2 a)) K0(v r / (2 a)), xi ahead of the source, r the distance from it.
 * Conductivity k and diffusivity a are handbook values of AA6082. */
static double rosenthal(double y, double t)
{
    const double power = 3.0e3, speed = 10e-3, thickness = 5e-3;        /* W, m/s, m */
    const double conductivity = 167, diffusivity = 6.9e-5, passes = 10; /* W/(m K), m^2/s, s */
    const double xi = speed * (passes - t), r = hypot(xi, y), c = speed / (2 * diffusivity);
    return room + power / (2 * 3.14159265358979 * conductivity * thickness) * scaled_bessel(c * r, c * xi);
}

/* The host's work: the knots of a mechanical step, counted from the weld's start. */
static void heat(int mechanical_step, double start)
{
    for (int k = 0; k < KNOTS; k++) {
        const double t = step * (mechanical_step + (double)k / THERMAL_STEPS);
        knot_time[k] = start + t;
        for (int i = 0; i < POINTS; i++) {
            temperature[k][i] = (float)rosenthal(distance(i), t);
            peak[i] = fmaxf(peak[i], temperature[k][i]);
        }
    }
}

static sw_status weld(sw_kwn *kwn, const sw_kwn_alloy *alloy)
{
    /* Quenched from the solution treatment and aged at 458 K for 5 h: all points alike. */
    static const double age_time[] = {0, 0, 18000, 18000, 18001};
    static const float age_temperature[] = {803.15f, 458.15f, 458.15f, 293.15f, 293.15f};
    TRY(sw_kwn_advance(kwn, 5, age_time, age_temperature, 0));
    heat(0, age_time[4]);
    TRY(sw_kwn_read(kwn, 0, 1, point));
    printf("T6: yield stress %.1f MPa\n", sw_kwn_strength_of(alloy, &point[0]).yield_stress / 1e6);
    for (int s = 0; s < MECHANICAL_STEPS; s++) {
        /* Takes copies and returns at once. */
        TRY(sw_kwn_advance(kwn, KNOTS, knot_time, temperature[0], 1));
        heat(s + 1, age_time[4]);
        /* Waits. A mechanical model would take its yield stresses from here, by sw_kwn_strength_of. */
        TRY(sw_kwn_read(kwn, 0, POINTS, point));
    }
    printf("%8s %8s %10s %8s\n", "mm", "peak K", "yield MPa", "HV");
    for (int i = 0; i < POINTS; i++) {
        const sw_kwn_strength_result strength = sw_kwn_strength_of(alloy, &point[i]);
        printf("%8.2f %8.1f %10.1f %8.1f\n", 1e3 * distance(i), (double)peak[i], strength.yield_stress / 1e6,
               strength.hardness);
    }
    return SW_OK;
}

static sw_status run(const char *path, sw_kwn_strategy strategy)
{
    sw_kwn_alloy *alloy;
    sw_kwn *kwn = NULL;
    sw_kwn_options options = sw_kwn_defaults();
    options.strategy = strategy;
    if (sw_kwn_on_gpu(strategy))
        options.precision = SW_KWN_SINGLE;
    TRY(sw_kwn_alloy_open(path, &alloy));
    sw_status status = sw_kwn_open(alloy, &options, POINTS, NULL, 803.15, &kwn);
    if (status == SW_OK)
        status = weld(kwn, alloy);
    sw_kwn_close(kwn);
    sw_kwn_alloy_close(alloy);
    return status;
}

int main(int argc, char **argv)
{
    const char *name = argc > 2 ? argv[2] : "cpu";
    int strategy = 0;
    while (strategy < SW_KWN_STRATEGIES && strcmp(name, sw_kwn_strategy_names[strategy]) != 0)
        strategy++;
    if (argc < 2 || argc > 3 || strategy == SW_KWN_STRATEGIES) {
        fprintf(stderr, "usage: weld ALLOY.yaml [STRATEGY]\n");
        return 1;
    }
    if (run(argv[1], (sw_kwn_strategy)strategy) == SW_OK)
        return 0;
    fprintf(stderr, "weld: %s\n", sw_error_message());
    return 1;
}
