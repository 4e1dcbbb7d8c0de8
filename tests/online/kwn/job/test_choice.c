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
    char path[4096];
    const char *data = getenv("SW_DATA");
    snprintf(path, sizeof path, "%s/../bench/results/%s", data == NULL ? "data" : data, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* Within the factor of 3 that choice.h says, wherever it was measured: shapes the table was not made from too. */
static void gpu_as_measured(void **state)
{
    (void)state;
    FILE *file = open_results("kwn-h200-2026-11-21.csv");
    int n = 0;
    for (row r; read_row(file, &r);)
        if (strcmp(r.strategy, "fused") == 0 && r.classes <= 4096 &&
            (strcmp(r.table, "small") == 0 || strcmp(r.table, "large") == 0)) {
            const double step = r.measured / r.steps;
            const sw_kwn_step_cost cost = sw_kwn_step_cost_of((int64_t)r.points, (int64_t)r.classes, 1);
            assert_true(cost.gpu >= step / 3 && cost.gpu <= 3 * step);
            n++;
        }
    fclose(file);
    assert_true(n > 60);
}

/* Processor time is without other programs' share: 5 % in and out of caches, by the file's own spread; a call of a
 * fraction of a millisecond has the thread's wake besides. */
static void cpu_as_measured(void **state)
{
    (void)state;
    FILE *file = open_results("kwn-cpu-2026-11-23.csv");
    int n = 0;
    for (row r; read_row(file, &r); n++) {
        const double step = r.measured / r.steps, room = 0.05 * step + 50e-6 / r.steps;
        const sw_kwn_step_cost cost = sw_kwn_step_cost_of((int64_t)r.points, (int64_t)r.classes, 1);
        CHECK_CLOSE(cost.cpu, step, room);
    }
    fclose(file);
    assert_int_equal(n, 12);
}

static int on_cpu(int64_t points, int64_t classes, int threads)
{
    const sw_kwn_step_cost cost = sw_kwn_step_cost_of(points, classes, threads);
    return cost.cpu < cost.gpu;
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
        cmocka_unit_test(gpu_as_measured),
        cmocka_unit_test(cpu_as_measured),
        cmocka_unit_test(few_short_histograms_are_the_cpus),
        cmocka_unit_test(costs_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
