/* A host program beside the precipitation of its nodes (Jensen et al. 2016, section 4), as one line of CSV for each
 * strategy.
 *
 *     bench_overlap [cuda|cpu [NX NY NZ MECHANICAL]]      256 128 64 10
 *
 * The host: heat conduction in a plate of NX x NY x NZ nodes 1 mm apart under a moving source, explicit, by OpenMP, 50
 * thermal steps a mechanical one; with precipitation at the NX x NY nodes 5 mm below its face, which follows the
 * temperatures of a mechanical step while the host computes the next one. `host_s`: the host alone; `waiting_s`: the
 * host, then precipitation, in turns, of which `kwn_s` is precipitation's; `overlapped_s`: both at once;
 * `additional_percent`: what that is over the host alone. All start from the same, aged alloy; the precipitation of the
 * last step has nothing beside it. cuda: strategy fused on a GPU, and cpu beside it; wall clock, the
 * fastest of three. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "common/system/status.h"
#include "slipwave/kwn.h"

static void check(sw_status status, const char *what)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_overlap: %s: %s\n", what, sw_error_message());
    exit(1);
}

/* ---- The host ---- */

enum { THERMAL_STEPS = 50, KNOTS = THERMAL_STEPS + 1 };

#define ROOM 293.15        /* K */
#define MOST 823.15        /* K: the source is a furnace of this temperature, no arc */
#define SPACING 1e-3       /* m */
#define SPEED 20e-3        /* m/s of the source */
#define DIFFUSIVITY 6.9e-5 /* m^2/s, AA6082 */

/* Six neighbours: stable up to 1/6. */
#define FOURIER 0.15
static const double thermal_step = FOURIER * SPACING * SPACING / DIFFUSIVITY; /* s */

typedef struct {
    int64_t nx, ny, nz;
    float *now, *next; /* [nx][ny][nz] K */
    double time;
} plate;

static void plate_open(plate *p)
{
    const int64_t n = p->nx * p->ny * p->nz;
    check(SW_ALLOCATE(p->now, n, "a plate"), "plate");
    check(SW_ALLOCATE(p->next, n, "a plate"), "plate");
    for (int64_t i = 0; i < n; i++)
        p->now[i] = p->next[i] = (float)ROOM;
    p->time = 0;
}

static void plate_close(plate *p)
{
    free(p->now);
    free(p->next);
}

/* Temperature that the source holds on the upper face. */
static float source(const plate *p, int64_t i, int64_t j, float temperature)
{
    const double x = SPACING * (double)i - fmod(SPEED * p->time, SPACING * (double)p->nx);
    const double y = SPACING * ((double)j - 0.5 * (double)p->ny), square = (x * x + y * y) / 64e-6;
    return square < 1 ? (float)(MOST - (MOST - ROOM) * square * 0.5) : temperature;
}

/* One step: no flux through the faces. */
static void conduct(plate *p)
{
    const int64_t nx = p->nx, ny = p->ny, nz = p->nz, sx = ny * nz, sy = nz;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < nx; i++)
        for (int64_t j = 0; j < ny; j++) {
            const float *t = p->now + i * sx + j * sy;
            float *next = p->next + i * sx + j * sy;
            const int64_t back = i > 0 ? -sx : 0, front = i < nx - 1 ? sx : 0;
            const int64_t left = j > 0 ? -sy : 0, right = j < ny - 1 ? sy : 0;
            for (int64_t k = 0; k < nz; k++) {
                const int64_t below = k > 0 ? -1 : 0, above = k < nz - 1 ? 1 : 0;
                const float sum =
                    t[k + back] + t[k + front] + t[k + left] + t[k + right] + t[k + below] + t[k + above];
                next[k] = t[k] + (float)FOURIER * (sum - 6 * t[k]);
            }
            next[nz - 1] = source(p, i, j, next[nz - 1]);
        }
    float *swap = p->now;
    p->now = p->next;
    p->next = swap;
    p->time += thermal_step;
}

/* A mechanical step: temperature [KNOTS][nx ny] below the face. */
static void heat(plate *p, double start, double *time, float *temperature)
{
    const int64_t n = p->nx * p->ny, depth = p->nz > 6 ? p->nz - 6 : 0;
    for (int knot = 0; knot < KNOTS; knot++) {
        time[knot] = start + p->time;
        for (int64_t i = 0; i < n; i++)
            temperature[knot * n + i] = p->now[i * p->nz + depth];
        if (knot < THERMAL_STEPS)
            conduct(p);
    }
}

/* ---- Both ---- */

/* Aged for ten minutes, so that there is a histogram at every point. */
static const double age[] = {0, 600, 600, 601};
static const float age_temperature[] = {458.15F, 458.15F, 293.15F, 293.15F};

typedef struct {
    double host, kwn, wall; /* s */
} times;

/* mode 0: the host alone, 1: in turns, 2: at once. */
static times run(const plate *shape, const sw_kwn_alloy *alloy, sw_kwn_strategy strategy, int64_t steps,
                 int mode)
{
    plate p = *shape;
    times t = {0};
    sw_kwn *kwn = NULL;
    sw_kwn_options options = sw_kwn_defaults();
    double time[KNOTS];
    float *temperature;
    options.strategy = strategy;
    options.precision = sw_kwn_on_gpu(strategy) ? SW_KWN_SINGLE : SW_KWN_DOUBLE;
    plate_open(&p);
    check(SW_ALLOCATE(temperature, KNOTS * p.nx * p.ny, "temperatures"), "temperatures");
    if (mode > 0) {
        check(sw_kwn_open(alloy, &options, p.nx * p.ny, NULL, 803.15, &kwn), "open");
        check(sw_kwn_advance(kwn, 4, age, age_temperature, 0), "ageing");
        check(sw_kwn_wait(kwn), "ageing");
    }
    const double begin = sw_seconds();
    for (int64_t s = 0; s < steps; s++) {
        double start = sw_seconds();
        heat(&p, age[3], time, temperature);
        t.host += sw_seconds() - start;
        start = sw_seconds();
        if (mode > 0) /* which waits for the one before, and copies the knots */
            check(sw_kwn_advance(kwn, KNOTS, time, temperature, 1), "advance");
        if (mode == 1)
            check(sw_kwn_wait(kwn), "precipitation");
        t.kwn += sw_seconds() - start;
    }
    if (mode > 0)
        check(sw_kwn_wait(kwn), "precipitation");
    t.wall = sw_seconds() - begin;
    sw_kwn_close(kwn);
    plate_close(&p);
    free(temperature);
    return t;
}

/* The fastest of three. */
static times fastest(const plate *shape, const sw_kwn_alloy *alloy, sw_kwn_strategy strategy, int64_t steps,
                     int mode)
{
    times best = run(shape, alloy, strategy, steps, mode);
    for (int again = 1; again < 3; again++) {
        const times t = run(shape, alloy, strategy, steps, mode);
        if (t.wall < best.wall)
            best = t;
    }
    return best;
}

static void compare(const plate *shape, const sw_kwn_alloy *alloy, sw_kwn_strategy strategy, int64_t steps)
{
    run(shape, alloy, strategy, 1, 0); /* warm up */
    const times host = fastest(shape, alloy, strategy, steps, 0),
                turns = fastest(shape, alloy, strategy, steps, 1),
                both = fastest(shape, alloy, strategy, steps, 2);
    printf("%s,%lld,%lld,%lld,%d,%d,%.4f,%.4f,%.4f,%.4f,%.1f\n", sw_kwn_strategy_names[strategy],
           (long long)(shape->nx * shape->ny * shape->nz), (long long)(shape->nx * shape->ny),
           (long long)steps, THERMAL_STEPS, omp_get_max_threads(), host.wall, turns.wall, turns.kwn,
           both.wall, 100 * (both.wall / host.wall - 1));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int gpu = argc > 1 && strcmp(argv[1], "cuda") == 0;
    if (argc > 1 && !gpu && strcmp(argv[1], "cpu") != 0)
        check(sw_error(SW_ERR_INPUT, "device %s: need cuda or cpu", argv[1]), "arguments");
    const int64_t number[] = {argc > 2 ? atoll(argv[2]) : 256, argc > 3 ? atoll(argv[3]) : 128,
                              argc > 4 ? atoll(argv[4]) : 64, argc > 5 ? atoll(argv[5]) : 10};
    for (int i = 0; i < 4; i++)
        if (number[i] < 1 || number[i] > 4096)
            check(sw_error(SW_ERR_INPUT, "%lld: need 1 to 4096", (long long)number[i]), "arguments");
    const plate shape = {.nx = number[0], .ny = number[1], .nz = number[2]};
    sw_kwn_alloy *alloy;
    check(sw_kwn_alloy_open("data/alloys/al-mg-si-6082.yaml", &alloy), "alloy");
    puts("strategy,nodes,points,mechanical_steps,thermal_steps,threads,host_s,waiting_s,kwn_s,overlapped_s,"
         "additional_percent");
    if (gpu)
        compare(&shape, alloy, SW_KWN_FUSED, number[3]);
    compare(&shape, alloy, SW_KWN_CPU, number[3]);
    sw_kwn_alloy_close(alloy);
    return 0;
}
