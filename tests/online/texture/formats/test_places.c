/* Maps as they lie in space: whichever way a file goes through rows, columns and slices, with noise in any coordinate, a map
 * of N grains has N, and each so many-th of its points is taken. */
#include "formats.h"

#include "common/math/random.h"

enum { SIDE = 12 };

/* A box of points, each slice's first half of rows of one orientation, the second of another. */
typedef struct {
    const char *what;
    int size[3], order[3]; /* columns, rows, slices; which of them goes fastest, next, last */
    double step[3], noise[3];
    double tilt; /* about x, degrees: a plane that lies askew */
    int64_t grains, each_second;
} map;

static const map maps[] = {
    {"plain", {SIDE, SIDE, 1}, {0, 1, 2}, {1, 1, 1}, {0, 0, 0}, 0, 2, 36},
    {"z is noise", {SIDE, SIDE, 1}, {0, 1, 2}, {1, 1, 1}, {0, 0, 1e-4}, 0, 2, 36},
    {"noise in all", {SIDE, SIDE, 1}, {0, 1, 2}, {1, 1, 1}, {1e-2, 1e-2, 1e-3}, 0, 2, 36},
    {"tilted", {SIDE, SIDE, 1}, {0, 1, 2}, {1, 1, 1}, {0, 0, 0}, 2, 2, 36},
    {"tilted, by columns", {SIDE, SIDE, 1}, {1, 0, 2}, {1, 1, 1}, {0, 0, 0}, 2, 2, 36},
    {"slices", {SIDE, SIDE, 3}, {0, 1, 2}, {1, 1, 0.3}, {0, 0, 0}, 0, 2, 108},
    {"slices with noise", {SIDE, SIDE, 3}, {0, 1, 2}, {1, 1, 1}, {0, 0, 1e-4}, 0, 2, 108},
    {"slices first", {SIDE, SIDE, 3}, {2, 0, 1}, {1, 1, 0.5}, {0, 0, 0}, 0, 2, 108},
    {"slices between", {SIDE, SIDE, 3}, {0, 2, 1}, {1, 1, 1}, {0, 0, 0}, 0, 2, 108},
    {"two oblong columns", {2, SIDE, 1}, {0, 1, 2}, {1, 0.4, 1}, {0, 0, 0}, 0, 2, 6},
    {"two flat columns", {2, SIDE, 1}, {0, 1, 2}, {10, 1, 1}, {0, 0, 0}, 0, 2, 6},
    {"one column", {1, SIDE, 1}, {0, 1, 2}, {1, 1, 1}, {0, 0, 0}, 0, 2, 6},
};

static void put_point(FILE *file, const map *m, const int at[3], uint64_t number)
{
    const double angle = m->tilt * DEGREE;
    double u[4], v[3];
    sw_random_uniform4(7, number, 0, u);
    for (int i = 0; i < 3; i++)
        v[i] = m->step[i] * at[i] + m->noise[i] * (2 * u[i] - 1);
    fprintf(file, "1 %.6f %.6f %.6f %s 0.5\n", v[0], cos(angle) * v[1] - sin(angle) * v[2],
            sin(angle) * v[1] + cos(angle) * v[2], at[1] < m->size[1] / 2 ? "10 20 30" : "50 60 70");
}

static void put_box(const map *m)
{
    int at[3];
    uint64_t number = 0;
    FILE *file = begin(".ctf");
    fprintf(
        file,
        "Channel Text File\nXCells %d\nYCells %d\nZCells %d\nPhases 1\n3.6;3.6;3.6\t90;90;90\tCu\t11\t225\n"
        "Phase X Y Z Euler1 Euler2 Euler3 MAD\n",
        m->size[0], m->size[1], m->size[2]);
    const int *o = m->order;
    for (at[o[2]] = 0; at[o[2]] < m->size[o[2]]; at[o[2]]++)
        for (at[o[1]] = 0; at[o[1]] < m->size[o[1]]; at[o[1]]++)
            for (at[o[0]] = 0; at[o[0]] < m->size[o[0]]; at[o[0]]++)
                put_point(file, m, at, number++);
    assert_int_equal(fclose(file), 0);
}

static void maps_may_lie_anyhow(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        put_box(&maps[i]);
        sw_crystal_list grains = read_with((sw_crystal_filter){.grain_angle = 5, .grain_points = 1});
        sw_crystal_list thin = read_with((sw_crystal_filter){.every = 2});
        if (grains.count != maps[i].grains || thin.count != maps[i].each_second)
            fail_msg("%s: %lld grains, %lld points", maps[i].what, (long long)grains.count,
                     (long long)thin.count);
        sw_crystal_list_free(&grains);
        sw_crystal_list_free(&thin);
    }
}

static char warned[300];
static void keep_warning(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_WARNING)
        snprintf(warned, sizeof warned, "%s", text);
}

/* Two maps in a file, one behind the other. */
static void more_rows_than_announced_are_told(void **state)
{
    (void)state;
    put(".ang",
        "# Phase 1\n# Symmetry 43\n# NCOLS_ODD: 2\n# NCOLS_EVEN: 2\n# NROWS: 1\n0.1 0.2 0.3 0 0 9 1 1\n"
        "0.1 0.2 0.3 1 0 9 1 1\n0.1 0.2 0.3 0 0 9 1 1\n0.1 0.2 0.3 1 0 9 1 1\n");
    sw_listen(keep_warning, NULL);
    sw_crystal_list list = read_with((sw_crystal_filter){0});
    sw_listen(NULL, NULL);
    assert_non_null(strstr(warned, "4 points: the header announces 2"));
    sw_crystal_list_free(&list);
    refuse((sw_crystal_filter){.every = 2}, "are at one place");
}

/* Names that differ behind what is kept of them are two phases. */
static void long_names_are_refused(void **state)
{
    char name[80] = "", text[600];
    (void)state;
    memset(name, 'x', 70);
    snprintf(
        text, sizeof text,
        "phase:\n  %sa: {lattice: cI}\nmaterial:\n- constituents:\n  - {phase: A, v: 1, O: [1, 0, 0, 0]}\n",
        name);
    put(".yaml", text);
    refuse((sw_crystal_filter){0}, ":2: a name of 71 bytes: need at most 63");
    snprintf(text, sizeof text, "material:\n- constituents:\n  - {phase: %sb, v: 1, O: [1, 0, 0, 0]}\n",
             name);
    put(".yaml", text);
    refuse((sw_crystal_filter){0}, ":3: a name of 71 bytes: need at most 63");
}

/* 4 pi of few digits. */
static void rounded_angles_of_no_solution_are_left_out(void **state)
{
    (void)state;
    put(".ang",
        "# Phase 1\n# Symmetry 43\n12.57 12.57 12.57 0 0 9 1 1\n12.6 12.6 12.6 1 0 9 1 1\n1 1 1 2 0 9 1 1\n");
    sw_crystal_list list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 1);
    assert_int_equal(list.skipped, 2);
    sw_crystal_list_free(&list);
    put(".ang", "# Phase 1\n# Symmetry 43\n0 0 0 0 0 0 0 0\n0 0 0 1 0 9 0.5 0\n1 1 1 2 0 9 0 0\n");
    list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 2); /* a cube crystal, and one of any confidence */
    assert_int_equal(list.skipped, 1);
    sw_crystal_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(maps_may_lie_anyhow, remove_last),
        cmocka_unit_test_teardown(long_names_are_refused, remove_last),
        cmocka_unit_test_teardown(rounded_angles_of_no_solution_are_left_out, remove_last),
        cmocka_unit_test_teardown(more_rows_than_announced_are_told, remove_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
