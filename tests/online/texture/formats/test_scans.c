/* Scans as scanners, MTEX, orix and DREAM3D write them: rows that are not indexed, phases, maps that are turned, rounded,
 * in slices, and short ones. Expected numbers are the maps' own, made here. */
#include "formats.h"

#include "tests/online/texture/crystal_files.h"

/* Messages of a kind to a listener. */
static char warned[2048];
static void keep_warning(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_WARNING)
        snprintf(warned, sizeof warned, "%s", text);
}

static sw_crystal_list read_and_listen(sw_crystal_filter filter)
{
    warned[0] = '\0';
    sw_listen(keep_warning, NULL);
    const sw_crystal_list list = read_with(filter);
    sw_listen(NULL, NULL);
    return list;
}

static void check_counts(sw_crystal_filter filter, int64_t count, int64_t skipped, int64_t others)
{
    sw_crystal_list list = read_with(filter);
    assert_int_equal(list.count, count);
    assert_int_equal(list.skipped, skipped);
    assert_int_equal(list.others, others);
    sw_crystal_list_free(&list);
}

/* ---- Rows that are not indexed ---- */

#define ONE_PHASE "# Phase 1\n# MaterialName copper\n# Symmetry 43\n"
#define LOST "12.56637 12.56637 12.56637 "

static void rows_without_a_solution_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *suffix, *text;
        int64_t count, skipped;
    } cases[] = {
        {".ang", ONE_PHASE LOST "0 0 0 0.0 1\n1 1 1 1 0 9 0.9 1\n" LOST "2 0 9 0.9 1\n", 1, 2},
        {".ang", ONE_PHASE LOST "0 0 0 0.0 0\n1 1 1 1 0 9 0.9 1\n", 1, 1}, /* 4 pi and phase 0 */
        {".ang", ONE_PHASE "1 1 1 0 0 9 0.5 0\n1 1 1 1 0 9 0.9 1\n", 1,
         1}, /* phase 0 beside the numbered one */
        {".ang", ONE_PHASE "0 0 0 0 0 0 0 0\n1 1 1 1 0 9 0.9 1\n", 1, 1},
        {".ang", ONE_PHASE "1 1 1 0 0 9 0.5 0\n" LOST "1 0 9 0 0\n", 1,
         1}, /* all rows 0: of the only phase */
        {".ang", "1 1 1 0 0 9 0.5 0\n" LOST "1 0 9 0 0\n", 1, 1},
        {".ang", ONE_PHASE "nan nan NaN 0 0 0 -1 1\n1 1 1 1 0 nan 0.9 1\n1 1 1 2 0 0 nan 1\n", 1, 2},
        /* a corner of cube at 2 pi three times is one */
        {".ang", ONE_PHASE "6.28319 6.28319 6.28319 0 0 9 1 1\n", 1, 0},
        {".ctf",
         "Phase\tX\tY\tEuler1\tEuler2\tEuler3\tMAD\n1\t0\t0\tnan\tnan\tnan\t0\n1\t1\t0\t10\t2\t3\tNaN\n"
         "1\t2\t0\t720\t720\t720\t1\n0\t3\t0\t0\t0\t0\t0\n",
         1, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i].suffix, cases[i].text);
        check_counts((sw_crystal_filter){0}, cases[i].count, cases[i].skipped, 0);
    }
    put(".ang", LOST "0 0 0 0.9 0\n");
    refuse((sw_crystal_filter){0}, "no crystal in it (1 rows were not indexed");
    put(".ctf", "Phase\tEuler1\tEuler2\tEuler3\tMAD\n1\t10\t2\t3\tnan\n1\t10\t2\t30\t0.5\n");
    check_counts((sw_crystal_filter){.deviation = 1}, 1, 1, 0);
    put(".ang", "1 1 1 nan 0 9 0.5 0\n");
    refuse((sw_crystal_filter){0}, ":1: need seven numbers");
}

/* ---- Phases ---- */

#define TWO(first, second) \
    "# Phase 1\n# MaterialName A\n# Symmetry " first "\n# Phase 2\n# MaterialName B\n# Symmetry " second "\n"

static void phases_are_what_the_header_says(void **state)
{
    (void)state;
    static const struct {
        const char *suffix, *text, *phase, *message; /* NULL: one crystal */
    } cases[] = {
        {".ang", TWO("62", "62") "1 1 1 0 0 9 1 0\n", NULL, "1 rows of phase 0"},
        {".ang", TWO("43", "43") "1 1 1 0 0 9 1 0\n1 1 1 1 0 9 1 1\n", NULL, "rows may count phases from 0"},
        {".ang", TWO("43", "43") "1 1 1 0 0 9 1 0\n1 1 1 1 0 9 1 1\n", "1", "rows may count phases from 0"},
        {".ang", TWO("43", "43") "1 1 1 0 0 9 0 0\n1 1 1 1 0 9 1 1\n", NULL, NULL}, /* CI 0: not indexed */
        {".ang", TWO("43", "43") "1 1 1 0 0 9 1 0\n1 1 1 1 0 9 1 2\n", NULL,
         NULL}, /* 2 of 2: counted from 1 */
        {".ang", TWO("43", "43") "1 1 1 0 0 9 1 0\n1 1 1 1 0 9 1 2\n", "0",
         "no crystal in it (1 rows were not indexed"},
        {".ang", TWO("43", "62") "1 1 1 0 0 9 1 1\n1 1 1 1 0 9 1 2\n", "B", "phase 2 B has the symmetry 62"},
        {".ang", TWO("43", "43") "1 1 1 0 0 9 1 3\n", NULL,
         "1 rows of phase 3: need a phase that the header"},
        {".ang",
         "# Phase 1\n# MaterialName A\n# Phase 2\n# MaterialName a\n1 1 1 0 0 9 1 1\n1 1 1 1 0 9 1 2\n", "a",
         "several phases 'a': need the number of one of 1 A (1 rows), 2 a (1 rows)"},
        {".ang",
         "# Phase 1\n# MaterialName A\n# Phase 2\n# MaterialName a\n1 1 1 0 0 9 1 1\n1 1 1 1 0 9 1 2\n", "2",
         NULL},
        {".ang", "# Phase 1\n# MaterialName A\n# Phase 1\n# MaterialName B\n1 1 1 0 0 9 1 1\n", NULL,
         ":3: the number of a phase that the header has described"},
        {".ctf",
         "Phases\t2\n3;3;3\t90;90;90\tFe\t11\t225\n3;3;3\t90;90;"
         "90\tFe\t11\t229\nPhase\tEuler1\tEuler2\tEuler3\n"
         "1\t1\t2\t30\n2\t1\t2\t30\n",
         "fe", "several phases 'fe'"},
        {".ctf", "Phases\t1\n3;3;3\t90;90;90\tFe\t11\t225\nPhase\tEuler1\tEuler2\tEuler3\n2\t1\t2\t30\n",
         NULL, "rows of phase 2: need a phase that the header"},
        /* symmetries in words, as orix and others write them, or only as lattice constants, or as a space group */
        {".ang", "# Phase 1\n# Symmetry m-3m\n1 1 1 0 0 9 1 1\n", NULL, NULL},
        {".ang", "# Phase 1\n# Symmetry 432\n1 1 1 0 0 9 1 1\n", NULL, NULL},
        {".ang", "# Phase 1\n# Symmetry mmm\n1 1 1 0 0 9 1 1\n", NULL, "symmetry mmm: need a cubic"},
        {".ang", "# Phase 1\n# Symmetry 6/mmm\n1 1 1 0 0 9 1 0\n", NULL, "symmetry 6/mmm: need a cubic"},
        {".ang", "# Phase 1\n# LatticeConstants 3.2 3.2 5.2 90 90 120\n1 1 1 0 0 9 1 1\n", NULL,
         "3.2 3.2 5.2"},
        {".ang", "# Phase 1\n# LatticeConstants 3.6 3.6 3.6 90 90 90\n1 1 1 0 0 9 1 1\n", NULL, NULL},
        {".ctf", "Phases\t1\n3.2;3.2;5.2\t90;90;120\tMg\t\t194\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n",
         NULL, "phase 1 Mg has the symmetry space group 194"},
        {".ctf", "Phases\t1\n3,2;3,2;5,2\t90;90;120\tMg\t\t0\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n",
         NULL, "phase 1 Mg has the symmetry 3.2;3.2;5.2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sw_crystal_filter filter = {.phase = cases[i].phase, .group = &sw_point_group_432};
        put(cases[i].suffix, cases[i].text);
        if (cases[i].message != NULL) {
            refuse(filter, cases[i].message);
            continue;
        }
        sw_crystal_list list = read_with(filter);
        assert_int_equal(list.count, 1);
        sw_crystal_list_free(&list);
    }
}

/* Columns of a .ctf stand in any order. */
static void ctf_columns_go_by_name(void **state)
{
    (void)state;
    put(".ctf", "Channel Text File\nPhases\t1\n3.6;3.6;3.6\t90;90;90\tPhase A\t11\t225\n"
                "X\tY\tEuler3\tBC\tPhase\tEuler1\tEuler2\n0\t0\t30\t7\t1\t10\t20\n1\t0\t0\t0\t0\t0\t0\n");
    sw_crystal_list list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 1);
    assert_int_equal(list.skipped, 1);
    assert_string_equal(list.phase, "1 Phase A");
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(list.euler[0][i], 10 * (i + 1) * DEGREE, 1e-12);
    sw_crystal_list_free(&list);
}

/* ---- Maps ---- */

typedef struct {
    double turn;    /* degrees, of the whole map */
    double step[2]; /* along and across rows */
    int hexagons, serpentine, by_columns;
    int digits, off; /* number of a point that is aside by */
    double by;       /* steps; off = -1: none is */
    double origin;
} map;
enum { SIDE = 20 };

/* SIDE x SIDE points, the left half in one orientation, the right in another. */
static void put_map(const map *m)
{
    const double c = cos(m->turn * DEGREE), s = sin(m->turn * DEGREE);
    FILE *file = begin(".ang");
    for (int n = 0; n < SIDE * SIDE; n++) {
        const int slow = n / SIDE, fast = m->serpentine && slow % 2 ? SIDE - 1 - n % SIDE : n % SIDE;
        const int column = m->by_columns ? slow : fast, row = m->by_columns ? fast : slow;
        const double x = m->step[0] *
                         (column + (m->hexagons ? 0.5 * (row % 2) : 0) + (n == m->off ? m->by : 0)),
                     y = m->step[1] * row * (m->hexagons ? sqrt(0.75) : 1);
        fprintf(file, "%s %.*f %.*f 1 0.9 0\n", column < SIDE / 2 ? "0.1 0.2 0.3" : "1.2 0.7 0.2", m->digits,
                m->origin + c * x - s * y, m->digits, m->origin + s * x + c * y);
    }
    assert_int_equal(fclose(file), 0);
}

/* Two grains of 200 points each, and every second point of every second row, whatever the map is like. */
static void maps_need_not_be_perfect(void **state)
{
    (void)state;
    static const map maps[] = {
        {.step = {1, 1}, .digits = 5, .off = -1},
        {.step = {1, 1}, .digits = 5, .off = 33, .by = 1e-4},
        {.step = {1, 1}, .digits = 5, .off = 0, .by = -0.1},
        {.step = {1, 1}, .digits = 5, .off = -1, .turn = 0.06},
        {.step = {0.3, 0.3}, .digits = 5, .off = -1, .turn = 0.06, .hexagons = 1},
        {.step = {1, 1}, .digits = 5, .off = 50, .by = 1e-3, .turn = 5},
        {.step = {1, 1}, .digits = 5, .off = -1, .turn = 45, .origin = 1e4},
        {.step = {1, 1}, .digits = 5, .off = -1, .turn = 90},
        {.step = {1, 1}, .digits = 5, .off = -1, .turn = 180},
        {.step = {1, 0.1}, .digits = 5, .off = -1},
        {.step = {0.1, 1}, .digits = 5, .off = -1, .turn = -0.06},
        {.step = {1, 0.3}, .digits = 5, .off = -1, .serpentine = 1},
        {.step = {1, 1}, .digits = 5, .off = -1, .by_columns = 1},
        {.step = {0.125, 0.125}, .digits = 2, .off = -1, .turn = 0.06},
        {.step = {0.05, 0.05}, .digits = 3, .off = -1, .turn = 0.06},
        {.step = {1, 1}, .digits = 5, .off = -1, .hexagons = 1},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        put_map(&maps[i]);
        sw_crystal_list list = read_with((sw_crystal_filter){.grain_angle = 5});
        assert_int_equal(list.count, 2);
        assert_null(list.weight); /* of equal size */
        sw_crystal_list_free(&list);
        list = read_with((sw_crystal_filter){.every = 2});
        assert_int_equal(list.count, SIDE * SIDE / 4);
        sw_crystal_list_free(&list);
    }
}

/* Halves A B in the lower slice, B A in the upper: no A touches an A across. */
static void slices_are_not_laid_over_each_other(void **state)
{
    (void)state;
    for (int has_z = 0; has_z < 2; has_z++) {
        FILE *file = begin(".ctf");
        fprintf(file, "Phase\tX\tY\t%sEuler1\tEuler2\tEuler3\n", has_z ? "Z\t" : "");
        for (int n = 0; n < 48; n++) {
            const int x = n % 4, y = n / 4 % 4, z = n / 16;
            fprintf(file, "1\t%d\t%d\t", x, y);
            if (has_z)
                fprintf(file, "%g\t", 0.4 * z);
            fputs((x < 2) == (z % 2 == 0) ? "10\t20\t30\n" : "70\t40\t15\n", file);
        }
        assert_int_equal(fclose(file), 0);
        if (!has_z) {
            refuse((sw_crystal_filter){.grain_angle = 5},
                   "points 1 and 17 of those that are taken are at one place");
            continue;
        }
        check_counts((sw_crystal_filter){.grain_angle = 5}, 6, 0, 0);
        check_counts((sw_crystal_filter){.grain_angle = 30}, 6, 0, 0);
    }
    /* one orientation in three slices is one grain: they touch by faces */
    FILE *file = begin(".ctf");
    fputs("Phase\tX\tY\tZ\tEuler1\tEuler2\tEuler3\n", file);
    for (int n = 0; n < 48; n++)
        fprintf(file, "1\t%d\t%d\t%d\t10\t20\t30\n", n % 4, n / 4 % 4, 2 * (n / 16));
    assert_int_equal(fclose(file), 0);
    check_counts((sw_crystal_filter){.grain_angle = 5}, 1, 0, 0);
}

static void missing_rows_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *suffix, *text, *warning; /* NULL: none */
    } cases[] = {
        {".ang", "# NCOLS_ODD: 2\n# NCOLS_EVEN: 1\n# NROWS: 3\n1 1 1 0 0 9 1 0\n1 1 1 1 0 9 1 0\n",
         "2 points: the header announces 5"},
        {".ang", "# NCOLS_ODD: 2\n# NCOLS_EVEN: 2\n# NROWS: 1\n1 1 1 0 0 9 1 0\n1 1 1 1 0 9 -1 0\n", NULL},
        {".ctf", "XCells\t2\nYCells\t1\nZCells\t2\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n0\t0\t0\t0\n",
         "2 points: the header announces 4"},
        {".ctf", "XCells\t2\nYCells\t1\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n0\t0\t0\t0\n", NULL},
        {".ctf", "AcqE1\t0\nAcqE2\t90,0\nAcqE3\t0\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n",
         "acquisition surface AcqE1 to 3 = 0 90 0 degrees"},
        {".ctf", "AcqE1\t0\nAcqE2\t0.0\nAcqE3\t0,0\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n", NULL},
        {".ang", "30 20 10 0 0 9 1 0\n", "angles reach 30: they are taken as radians; are they degrees?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i].suffix, cases[i].text);
        sw_crystal_list list = read_and_listen((sw_crystal_filter){0});
        sw_crystal_list_free(&list);
        if (cases[i].warning == NULL)
            assert_string_equal(warned, "");
        else if (strstr(warned, cases[i].warning) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].warning, warned);
    }
}

/* ---- Written ---- */

/* Numbers after the headers of what slipwave writes: rows, and the largest of each angle. */
static int64_t count_rows(const char *header_end, int first_angle, double most[3])
{
    char line[256];
    int64_t rows = 0;
    int begun = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        double v[8];
        if (begun) {
            assert_int_equal(sscanf(line, "%lf%lf%lf%lf%lf%lf%lf%lf", &v[0], &v[1], &v[2], &v[3], &v[4],
                                    &v[5], &v[6], &v[7]),
                             8);
            const int is_indexed = first_angle == 0 ? v[6] > 0 : v[0] > 0;
            for (int i = 0; i < 3 && is_indexed; i++) {
                assert_true(v[first_angle + i] >= 0);
                most[i] = greatest(most[i], v[first_angle + i]);
            }
            rows++;
        }
        begun |= strstr(line, header_end) != NULL;
    }
    fclose(file);
    return rows;
}

/* A number that fills no square, of angles beyond their ranges and at their ends. */
static void written_maps_are_whole_and_in_range(void **state)
{
    (void)state;
    enum { N = 57 };
    double euler[N][3], most[3];
    for (int n = 0; n < N; n++) {
        euler[n][0] = (n % 2 ? -1 : 1) * 0.3 * n;
        euler[n][1] = n % 3 ? 0.1 * n : -0.1 * n;
        euler[n][2] = 4 * SW_PI + 0.2 * n;
    }
    euler[1][0] = -1e-12; /* rounds to a whole turn */
    euler[2][0] = 2 * SW_PI - 1e-9;
    euler[3][1] = SW_PI;
    static const struct {
        const char *suffix, *end;
        int first;
        double turn;
    } cases[] = {{".ang", "HEADER: End", 0, 2 * SW_PI}, {".ctf", "Euler1", 5, 360}};
    for (int k = 0; k < 2; k++) {
        fclose(begin(cases[k].suffix));
        CHECK_OK(write_crystal_file(path, N, (const double(*)[3])euler, NULL));
        memset(most, 0, sizeof most);
        assert_int_equal(count_rows(cases[k].end, cases[k].first, most), 64);
        assert_true(most[0] < cases[k].turn && most[1] <= 0.5 * cases[k].turn && most[2] < cases[k].turn);
        sw_crystal_list list = read_and_listen((sw_crystal_filter){0});
        assert_string_equal(warned, "");
        assert_int_equal(list.count, N);
        assert_int_equal(list.skipped, 7);
        for (int n = 0; n < N; n++) {
            double g[3][3], h[3][3];
            sw_rotation_from_euler(euler[n], g);
            sw_rotation_from_euler(list.euler[n], h);
            for (int i = 0; i < 9; i++) /* three angles of half a unit of the seventh decimal, rad */
                CHECK_CLOSE(h[i / 3][i % 3], g[i / 3][i % 3], 3 * 1e-7);
        }
        sw_crystal_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_a_solution_are_counted),
        cmocka_unit_test(phases_are_what_the_header_says),
        cmocka_unit_test(ctf_columns_go_by_name),
        cmocka_unit_test(maps_need_not_be_perfect),
        cmocka_unit_test(slices_are_not_laid_over_each_other),
        cmocka_unit_test(missing_rows_are_told),
        cmocka_unit_test(written_maps_are_whole_and_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, remove_last);
}
