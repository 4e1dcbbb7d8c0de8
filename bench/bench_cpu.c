/* Rates of the CPU code beside this machine's own limits, measured in the same run.
 *
 *   iterative   inner iterations of the model; limit: vector instructions of one iteration over the rate at
 *               which this machine issues fused multiply-adds
 *   terms       (folded wavevector, crystal) pairs; limit likewise
 *   grid        crystal-steps, look-up and update; no limit counted
 *   rigid_plastic      crystal-steps; no limit counted
 *   elastoplastic  crystal-steps; limit: vector instructions of a step, as for iterative
 *
 * Medians of five after a warm-up; bench/LOG.md. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/crystal_model.h"
#include "common/system/device.h"
#include "common/database/fold.h"
#include "common/system/progress.h"
#include "common/math/lanes_width.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"
#include "slipwave/response.h"

enum { REPEATS = 5, CRYSTALS = 4096 };

typedef double wide __attribute__((vector_size(SW_REGISTER_DOUBLES * sizeof(double))));

enum { DOUBLES = SW_REGISTER_DOUBLES, FLOATS = SW_REGISTER_FLOATS }; /* of a register */

/* Fused multiply-adds of a register by all threads, 1/s: twelve independent chains hide the latency. */
static double multiply_add_rate(void)
{
    const int64_t n = 5000000;
    double best = 0;
    for (int repeat = 0; repeat < 40; repeat++) { /* the best: others may be using the machine */
        const double started = sw_seconds();
        double kept = 0;
#pragma omp parallel reduction(+ : kept)
        {
            wide a[12];
            const wide b = (wide){0} + 0.999;
            for (int i = 0; i < 12; i++)
                a[i] = b * (i + 1.0);
            for (int64_t k = 0; k < n; k++) {
                SW_UNROLL
                for (int half = 0; half < 2; half++) {
                    wide *c = a + 6 * half;
                    c[0] = c[0] * b + b;
                    c[1] = c[1] * b + b;
                    c[2] = c[2] * b + b;
                    c[3] = c[3] * b + b;
                    c[4] = c[4] * b + b;
                    c[5] = c[5] * b + b;
                }
            }
            for (int i = 0; i < 12; i++)
                kept += a[i][0];
        }
        if (kept == 0)
            puts("");
        best = fmax(best, 12.0 * (double)n * omp_get_max_threads() / (sw_seconds() - started));
    }
    return best;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *t)
{
    qsort(t, REPEATS, sizeof *t, compare);
    return t[REPEATS / 2];
}

static void check(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_cpu: %s\n", sw_error_message());
    exit(1);
}

static const double plane_strain[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}};

static void bench_integrator(const sw_material *material, double limit)
{
    /* Vector instructions of an iteration, counted in crystal_model.h: per slip system 6 (resolve) + 42
     * (power) + 5 (slip, derivative) + 33 (residual, Jacobian) + 24 (safe fraction), and 190 for the solution
     * and the choices. */
    const double instructions = 12 * (6 + 42 + 5 + 33 + 24) + 190;
    sw_crystal_state *state;
    double seconds[REPEATS];
    sw_integration_statistics statistics;
    check(SW_ALLOCATE(state, CRYSTALS, "crystals"));
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const sw_integration_control control = sw_integration_history();
        statistics = (sw_integration_statistics){0};
        for (int n = 0; n < CRYSTALS; n++) {
            double euler[3], g[3][3];
            sw_random_orientation(1, (uint64_t)n, euler);
            sw_rotation_from_euler(euler, g);
            state[n] = sw_crystal_state_initial(g, material->slip.initial_slip_resistance);
        }
        const double started = sw_seconds();
        check(sw_integrate(material, &control, CRYSTALS, plane_strain, 1, 0, sqrt(2), state, NULL, NULL,
                           &statistics));
        if (repeat >= 0)
            seconds[repeat] = sw_seconds() - started;
    }
    const double time = median(seconds), rate = (double)statistics.iterations / time;
    printf("iterative   plane strain compression to strain 1: %.3f ms core a crystal, %.0f steps, "
           "%.2f iterations a step\n",
           1e3 * time * omp_get_max_threads() / CRYSTALS, (double)statistics.steps / CRYSTALS,
           (double)statistics.iterations / (double)statistics.steps);
    printf("            %.3g crystal-iterations/s: %.0f %% of the limit, %.3g (%.0f instructions, %d "
           "crystals)\n",
           rate, 100 * rate * instructions / DOUBLES / limit, limit * DOUBLES / instructions, instructions,
           DOUBLES);
    free(state);
}

/* Core-seconds a point of the same source in plain doubles, one crystal at a time, in as many steps. */
static double scalar_seconds(const sw_material *material, double (*x)[4], int n)
{
    enum { STEPS = 73 };
    const sw_integration_control control = sw_integration_endpoint();
    const sw_step_control step = {control.stress_tolerance, control.slip_increment_limit,
                                  control.iterations_max};
    sw_crystal_model model;
    int64_t iterations = 0;
    sw_crystal_model_prepare(material, &model);
    const double started = sw_seconds();
    for (int i = 0; i < n; i++) {
        sw_crystal_bundle crystal = {.slip_resistance = material->slip.initial_slip_resistance};
        double lambda[3], l[3][3] = {{0}};
        sw_rotation_from_euler(x[i], crystal.elastic_deformation);
        sw_principal_values(x[i][3], lambda);
        for (int d = 0; d < 3; d++)
            l[d][d] = 1e-3 * lambda[d];
        for (int k = 0; k < STEPS; k++)
            sw_crystal_step(&model, &step, sw_if(1), l, 20.0 / STEPS, &crystal, NULL, &iterations);
    }
    return (sw_seconds() - started) / n;
}

static void bench_points(const sw_material *material)
{
    enum { POINTS = 16384 };
    const sw_increment increment = sw_increment_default(material);
    double(*x)[4], (*y)[SW_OUTPUTS_MOST], seconds[REPEATS];
    check(SW_ALLOCATE(x, POINTS, "points"));
    check(SW_ALLOCATE(y, POINTS, "points"));
    for (int n = 0; n < POINTS; n++) {
        double u[4];
        sw_random_orientation(2, (uint64_t)n, x[n]);
        sw_random_uniform4(2, (uint64_t)n, 1, u);
        x[n][3] = 2 * SW_PI * u[0];
    }
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double started = sw_seconds();
        check(sw_integrate_points(material, &increment, POINTS, (const double(*)[4])x, y, NULL));
        if (repeat >= 0)
            seconds[repeat] = sw_seconds() - started;
    }
    const double vector = median(seconds) * omp_get_max_threads() / POINTS,
                 scalar = scalar_seconds(material, x, 64);
    printf("generate    %.3g distinct grid points/s: %.3g us core a point; plain scalar code %.3g us. A "
           "point of the "
           "grid, 128 to a distinct one: %.0f times fewer core-seconds\n",
           POINTS / median(seconds), 1e6 * vector, 1e6 * scalar, 128 * scalar / vector);
    free(x);
    free(y);
}

static void print_terms(const sw_database *database, int64_t terms, double rate, double limit)
{
    /* Vector instructions of a pair, counted in the machine code of terms_cpu.c's loops (folded, by
     * symmetry): phase, sine and cosine, five or four outputs. */
    const double instructions = 10 + 24 + 4.5;
    sw_fold fold;
    check(sw_fold_create(database, sw_pairs_of_terms(terms), &fold));
    const double pairs = rate * (double)fold.n_wavevectors;
    printf("terms %-6lld %.3g crystal-steps/s; folded to %lld wavevectors: %.3g (wavevector, crystal) "
           "pairs/s, %.0f %% "
           "of the limit\n",
           (long long)terms, rate, (long long)fold.n_wavevectors, pairs,
           100 * pairs * instructions / FLOATS / limit);
    sw_fold_destroy(&fold);
}

static void print_elastoplastic(double rate, double limit)
{
    /* Vector instructions, counted in slip_newton.h and elastoplastic.h. Of an iteration: per slip system 76
     * (resolve, power, flow, spin, Jacobian) + 17 (safe fraction), hardening 70, residual and Jacobian 45,
     * solution 90, the rest 60. Of a step beside: slips at the answer 12 x 53, hardening 70, two turns and two
     * rotations 300, strain rate and stress 105, angles 220. The slowest crystal of a register takes 4. */
    const double instructions = (4 * (12 * (76 + 17) + 265) + 12 * 53 + 695) / (double)FLOATS;
    printf("elastoplastic %.3g crystal-steps/s: %.0f %% of the limit, %.3g (%.0f instructions)\n", rate,
           100 * rate * instructions / limit, limit / instructions, instructions);
}

static void bench_solver(const char *solver, const sw_database *database, int64_t terms, double limit)
{
    enum { STEPS = 10, N = 65536 };
    const sw_response_options options = {.solver = solver, .database = database, .terms = terms};
    sw_response *response;
    sw_crystals c;
    double seconds[REPEATS];
    check(sw_response_open(&options, &response));
    check(sw_crystals_make(response, N, &c));
    for (int n = 0; n < N; n++) {
        double euler[3];
        sw_random_orientation(3, (uint64_t)n, euler);
        c.crystal[n] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, 16e6F};
    }
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double started = sw_seconds();
        sw_response_average average;
        for (int step = 0; step < STEPS; step++)
            check(sw_response_advance(response, plane_strain[0], 14, &c, &c, &average)); /* 2 % */
        if (repeat >= 0)
            seconds[repeat] = sw_seconds() - started;
    }
    const double rate = N * (double)STEPS / median(seconds);
    if (terms > 0)
        print_terms(database, terms, rate, limit);
    else if (strcmp(solver, "elastoplastic") == 0)
        print_elastoplastic(rate, limit);
    else
        printf("%-11s %.3g crystal-steps/s\n", solver, rate);
    sw_crystals_release(&c);
    sw_response_close(response);
}

/* Points with a loading each, 100 crystals at one: steps that are tried, after some that were taken. */
static void bench_loadings(const char *solver, const sw_database *database)
{
    enum { STEPS = 5, P = 640, EACH = 100 };
    static double l[P][3][3], stress[P][6], by_strain_rate[P][6][6];
    const sw_response_options options = {.solver = solver, .database = database};
    sw_crystals c;
    sw_points points = {.points = P,
                        .each = EACH,
                        .velocity_gradient = (const double(*)[3][3])l,
                        .dt = 14,
                        .from = &c,
                        .to = &c,
                        .stress = stress};
    sw_response *response;
    double seconds[REPEATS], rate[2];
    for (int n = 0; n < P; n++) {
        memcpy(l[n], plane_strain[0], sizeof l[n]);
        l[n][0][1] = 5e-4 * n / P;
    }
    check(sw_response_open(&options, &response));
    check(sw_crystals_make(response, P * EACH, &c));
    check(sw_crystals_randomise(SW_CPU, P * EACH, c.crystal, 1, 0, 16e6F));
    for (int step = 0; step < 3; step++)
        check(sw_response_step_each(response, &points));
    points.to = NULL;
    for (int tangent = 0; tangent < 2; tangent++) {
        points.by_strain_rate = tangent ? by_strain_rate : NULL;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            const double started = sw_seconds();
            for (int step = 0; step < STEPS; step++)
                check(sw_response_step_each(response, &points));
            seconds[repeat] = sw_seconds() - started;
        }
        rate[tangent] = (double)P * EACH * STEPS / median(seconds);
    }
    printf("%-11s points with a loading each: %.3g crystal-steps/s, with tangents %.3g\n", solver, rate[0],
           rate[1]);
    sw_crystals_release(&c);
    sw_response_close(response);
}

int main(void)
{
    static const int64_t shape[4] = {64, 64, 64, 48};
    sw_database database = {0};
    sw_response_grid grid;
    const sw_material material = {.name = "copper",
                                  .crystal_structure = SW_LATTICE_fcc,
                                  .elasticity = {168.7e9, 121.7e9, 75.0e9},
                                  .slip = {1e-3, 0.012, 16e6},
                                  .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
    const sw_increment increment = sw_increment_default(&material);
    const double limit = multiply_add_rate();
    printf("machine     %d threads, %.3g vector multiply-adds of %d doubles/s\n", omp_get_max_threads(),
           limit, DOUBLES);
    bench_integrator(&material, limit);
    bench_points(&material);
    database.material = material;
    check(sw_response_grid_create(&sw_point_group_432, shape, &grid));
    check(sw_integrate_grid(&grid, &material, &increment, &(sw_integrate_options){.quiet = 1}));
    check(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &database));
    bench_solver("terms", &database, 2048, limit);
    bench_solver("terms", &database, 16384, limit);
    bench_solver("grid", &database, 0, limit);
    bench_solver("rigid_plastic", &database, 0, limit);
    bench_solver("elastoplastic", &database, 0, limit);
    bench_loadings("grid", &database);
    bench_loadings("rigid_plastic", &database);
    bench_loadings("elastoplastic", &database);
    sw_response_grid_destroy(&grid);
    free(database.wavevector);
    free(database.coefficient);
    free(database.weight);
    free(database.magnitude);
    return 0;
}
