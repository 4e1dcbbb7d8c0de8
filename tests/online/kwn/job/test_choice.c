/* What `auto` reckons a step to cost, against the tables of measurements it was made from. */
#include "online/kwn/job/choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

typedef struct {
    char table[32], strategy[32];
    double points, classes, steps, measured;
} row;

/* The next row of a results file of bench_kwn; 0 at its end. */
static int read_row(FILE *file, row *r)
{
    char line[512];
    while (fgets(line, sizeof line, file) != NULL)
        if (line[0] != '#' && strncmp(line, "table,", 6) != 0) {
            assert_int_equal(sscanf(line, "%31[^,],%31[^,],%*[^,],%*[^,],%lf,%lf,%lf,%*[^,],%lf", r->table,
                                    r->strategy, &r->points, &r->classes, &r->steps, &r->measured),
                             6);
            return 1;
        }
    return 0;
}

static FILE *open_results(const char *name)
{
    FILE *file = fopen(data_path("../bench/results/%s", name), "r");
    assert_non_null(file);
    return file;
}

static const char *const machine = "kwn-crossover-h200-2026-11-23.csv";
enum { CORES = 16 }; /* its host's */

static double cost_of(const row *r, int threads)
{
    const sw_kwn_step_cost cost = sw_kwn_step_cost_of((int64_t)r->points, (int64_t)r->classes, threads);
    return strcmp(r->strategy, "cpu") == 0 ? cost.cpu : cost.gpu;
}

/* Steps that a job takes, of every shape that was measured, within what choice.h says. */
static void as_measured(void **state)
{
    (void)state;
    FILE *file = open_results(machine);
    int n = 0;
    for (row r; read_row(file, &r); n++) {
        const double step = r.measured / r.steps, room = strcmp(r.strategy, "cpu") == 0 ? 2.3 : 4.0 / 3;
        assert_true(cost_of(&r, CORES) >= step / room && cost_of(&r, CORES) <= step * room);
    }
    fclose(file);
    assert_int_equal(n, 38);
}

/* Faster cores, of a server without a GPU. */
static void other_cores_are_faster(void **state)
{
    (void)state;
    FILE *file = open_results("kwn-cpu-2026-11-23.csv");
    int n = 0;
    for (row r; read_row(file, &r); n++) {
        const double step = r.measured / r.steps;
        assert_true(cost_of(&r, 1) >= 2.3 * step && cost_of(&r, 1) <= 3.6 * step);
    }
    fclose(file);
    assert_int_equal(n, 12);
}

/* Seconds of a step of this shape in the table; 0: not in it. */
static double measured_step(const char *strategy, double points, double classes)
{
    FILE *file = open_results(machine);
    double step = 0;
    for (row r; read_row(file, &r);)
        if (strcmp(r.strategy, strategy) == 0 && r.points == points && r.classes == classes)
            step = r.measured / r.steps;
    fclose(file);
    return step;
}

static int on_cpu(int64_t points, int64_t classes, int threads)
{
    const sw_kwn_step_cost cost = sw_kwn_step_cost_of(points, classes, threads);
    return cost.cpu < cost.gpu;
}

/* Wherever both were measured the faster one is taken. */
static void the_faster_one_is_taken(void **state)
{
    (void)state;
    int cpus = 0, gpus = 0;
    for (int64_t classes = 64; classes <= 4096; classes *= 4)
        for (int64_t points = 1; points <= 16; points *= 4) {
            const double cpu = measured_step("cpu", (double)points, (double)classes);
            const double gpu = measured_step("fused", (double)points, (double)classes);
            assert_true(cpu > 0 && gpu > 0);
            assert_int_equal(on_cpu(points, classes, CORES), cpu < gpu);
            cpus += cpu < gpu;
            gpus += cpu > gpu;
        }
    assert_true(cpus == 9 && gpus == 3);
}

static void few_short_histograms_are_the_cpus(void **state)
{
    (void)state;
    assert_true(on_cpu(1, 8, 1) && on_cpu(1, 64, 1) && on_cpu(1, 256, 1) && on_cpu(1, 1024, 1));
    assert_false(on_cpu(1, 4096, 1) || on_cpu(1, 262144, 1) || on_cpu(1, 262144, 64));
    assert_true(on_cpu(2, 1024, 2)); /* side by side */
    assert_false(on_cpu(2, 1024, 1));
    assert_false(on_cpu(1000, 256, 2) || on_cpu(1000000, 64, 2));
}

/* Neither gets cheaper with points or classes, and the CPU not dearer with threads; where rows of the table meet, too. */
static void costs_grow(void **state)
{
    (void)state;
    for (int64_t classes = 8; classes <= 262144; classes += classes / 4)
        for (int64_t points = 1; points <= 1 << 20; points += 1 + points / 3) {
            const sw_kwn_step_cost here = sw_kwn_step_cost_of(points, classes, 2);
            const sw_kwn_step_cost longer = sw_kwn_step_cost_of(points, classes + 1, 2);
            const sw_kwn_step_cost more = sw_kwn_step_cost_of(points + 1, classes, 2);
            assert_true(here.cpu > 0 && here.gpu > 0 && isfinite(here.cpu) && isfinite(here.gpu));
            assert_true(longer.cpu >= here.cpu && longer.gpu >= here.gpu);
            assert_true(more.cpu >= here.cpu && more.gpu >= here.gpu);
            assert_true(sw_kwn_step_cost_of(points, classes, 3).cpu <= here.cpu);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_measured),
        cmocka_unit_test(other_cores_are_faster),
        cmocka_unit_test(the_faster_one_is_taken),
        cmocka_unit_test(few_short_histograms_are_the_cpus),
        cmocka_unit_test(costs_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
