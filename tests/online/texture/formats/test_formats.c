/* What of a scan becomes crystals, in whose axes; tables of orientations and ODFs; DAMASK's files. Expected numbers are
 * the maps' own, made here. */
#include "formats.h"

#include "common/math/quaternion.h"
#include "online/texture/texture.h"

/* Angle between two orientations of cubic crystals, degrees. */
static double apart(const double a[3], const double b[3])
{
    double p[4], q[4], nearest[4];
    sw_quaternion_from_euler(a, p);
    sw_quaternion_from_euler(b, q);
    return 2 * acos(fmin(1, sw_point_group_nearest(&sw_point_group_432, p, q, nearest))) / DEGREE;
}

/* ---- Grains ---- */

static const char ctf_header[] =
    "Channel Text File\nPhases\t2\n"
    "2.9;2.9;2.9\t90;90;90\tIron bcc\t11\t229\n3.6;3.6;3.6\t90;90;90\tIron fcc\t11\t225\n"
    "Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS\n";

/* 8 x 4 points, the left five columns in one orientation, the others 12 degrees further about ND; of cubic equivalents
 * now this, now that, and scattered by up to 0.5 degrees in phi1. One point is not indexed, one of another phase. */
static void put_two_grains(void)
{
    FILE *file = begin(".ctf");
    fputs(ctf_header, file);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++) {
            const int hole = x == 1 && y == 1, other = x == 2 && y == 1;
            fprintf(file, "%d\t%g\t%g\t8\t0\t%g\t%g\t%g\t%g\t0\t0\n",
                    hole    ? 0
                    : other ? 2
                            : 1,
                    0.3 * x, 0.3 * y, 20 + (x < 5 ? 0 : 12) + ((x + y) % 3 - 1) * 0.5, 30.0,
                    40.0 + 90 * ((x * 3 + y) % 4), x == 7 && y == 3 ? 1.8 : 0.4);
        }
    assert_int_equal(fclose(file), 0);
}

static void points_that_touch_and_agree_are_grains(void **state)
{
    (void)state;
    put_two_grains();
    refuse((sw_crystal_filter){.grain_angle = 5}, "several phases");
    sw_crystal_list list = read_with((sw_crystal_filter){.phase = "Iron bcc", .grain_angle = 5});
    assert_int_equal(list.count, 2);
    assert_int_equal(list.skipped, 1);
    assert_int_equal(list.others, 1);
    assert_string_equal(list.phase, "1 Iron bcc");
    /* 18 and 12 points: means of 15 are 1; the rows' scatter sums to at most 1.5 degrees over 12 points */
    CHECK_CLOSE(list.weight[0], 18 / 15.0, 1e-6);
    CHECK_CLOSE(list.weight[1], 12 / 15.0, 1e-6);
    const double left[3] = {20 * DEGREE, 30 * DEGREE, 40 * DEGREE},
                 right[3] = {32 * DEGREE, left[1], left[2]};
    CHECK_CLOSE(apart(list.euler[0], left), 0, 0.13);
    CHECK_CLOSE(apart(list.euler[1], right), 0, 0.13);
    sw_crystal_list_free(&list);

    /* 13 degrees are a bound that the border, of 11 to 13, does not reach; a grain may be too small */
    list = read_with((sw_crystal_filter){.phase = "1", .grain_angle = 13});
    assert_int_equal(list.count, 1);
    assert_null(list.weight);
    sw_crystal_list_free(&list);
    list = read_with((sw_crystal_filter){.phase = "1", .grain_angle = 5, .grain_points = 13});
    assert_int_equal(list.count, 1);
    assert_int_equal(list.skipped, 13);
    sw_crystal_list_free(&list);
    refuse((sw_crystal_filter){.phase = "1", .grain_angle = 5, .grain_points = 19},
           "no grain of 19 points or more");
    refuse((sw_crystal_filter){.phase = "1", .grain_points = 2}, "grain_points = 2: need grain_angle");

    list = read_with((sw_crystal_filter){.phase = "1", .deviation = 1.5});
    assert_int_equal(list.count, 29);
    assert_int_equal(list.skipped, 2);
    sw_crystal_list_free(&list);
}

/* A bent grain: orientations turn by 2 degrees a column, 120 in all, far past the 45 about <100> within which the
 * equivalents nearest to one corner's are those of all. Angles of a file are those of any equivalent. The mean is that of
 * the middle column, to the digits of single precision. */
static void a_bent_grain_has_its_middle_for_a_mean(void **state)
{
    (void)state;
    const double axis[3] = {2 / 3.0, -1 / 3.0, 2 / 3.0}, start[3] = {0.4, 0.7, 1.1};
    double q0[4], turn[4], q[4], euler[3], middle[3];
    sw_quaternion_from_euler(start, q0);
    FILE *file = begin(".ang");
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 61; x++) {
            sw_quaternion_about(axis, 2 * DEGREE * x, turn);
            sw_quaternion_product(turn, q0, q);
            sw_euler_from_quaternion(q, euler);
            if (x == 30)
                memcpy(middle, euler, sizeof middle);
            fprintf(file, "%.9f %.9f %.9f %d %d 1 0.9 0\n", euler[0], euler[1],
                    euler[2] + 0.5 * SW_PI * ((x + y) % 4), x, y);
        }
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){.grain_angle = 3});
    assert_int_equal(list.count, 1);
    CHECK_CLOSE(apart(list.euler[0], middle), 0, 1e-4);
    sw_crystal_list_free(&list);
}

/* Corners do not join: squares of one orientation among squares of another are a grain each. */
static void corners_do_not_touch(void **state)
{
    (void)state;
    FILE *file = begin(".ang");
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            fprintf(file, "%g 0.5 0.5 %d %d 1 0.9 0\n", (x + y) % 2 ? 0.1 : 0.4, 2 * x, 3 * y);
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){.grain_angle = 3});
    assert_int_equal(list.count, 16);
    sw_crystal_list_free(&list);
    /* 0.3 rad about ND are 17.2 degrees */
    list = read_with((sw_crystal_filter){.grain_angle = 17.3});
    assert_int_equal(list.count, 1);
    sw_crystal_list_free(&list);
}

/* In hexagons a slanting line is one of neighbours, and a row's bend is kept: points differ by 2 degrees each. */
static void hexagons_have_six_neighbours(void **state)
{
    (void)state;
    FILE *file = begin(".ang");
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 8; x++) {
            const double at = x + 0.5 * (y % 2);
            const int on_line = at == 1 + 0.5 * y;
            fprintf(file, "%.5f 1.0 0.2 %.5f %.5f 1 0.9 0\n", on_line ? 0.6 + 2 * DEGREE * y : 0.1, 0.25 * at,
                    0.25 * 0.866 * y);
        }
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){.grain_angle = 2.5});
    /* the line of six parts the rest in two */
    assert_int_equal(list.count, 3);
    double weight[3] = {list.weight[0], list.weight[1], list.weight[2]}, mean = 48.0 / 3;
    int lines = 0;
    for (int i = 0; i < 3; i++)
        lines += fabs(weight[i] * mean - 6) < 1e-5;
    assert_true(lines >= 1);
    sw_crystal_list_free(&list);
}

/* Steps of 0.125 in two decimals, over 200 columns: still one grain, and every second point every second point. */
static void places_may_be_rounded(void **state)
{
    (void)state;
    FILE *file = begin(".ang");
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 200; x++)
            fprintf(file, "%g 1 1 %.2f %.2f 1 1 0\n", x % 2 == 0 ? 0.5 : 0.7, 0.125 * x, 0.125 * y);
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){.every = 2});
    assert_int_equal(list.count, 200);
    for (int n = 0; n < 200; n++)
        assert_true(list.euler[n][0] == 0.5);
    sw_crystal_list_free(&list);
    list = read_with((sw_crystal_filter){.grain_angle = 2});
    assert_int_equal(list.count, 200);
    sw_crystal_list_free(&list);
    list = read_with((sw_crystal_filter){.grain_angle = 12});
    assert_int_equal(list.count, 1);
    sw_crystal_list_free(&list);
}

static void scans_are_thinned_and_sorted_out(void **state)
{
    (void)state;
    FILE *file = begin(".ang");
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            fprintf(file, "%d.0 1 1 %g %g 1 %g 0\n", 1 + (x % 2 == 0 && y % 2 == 0), 0.5 * x, 0.5 * y,
                    0.05 * (x + y));
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){.every = 2});
    assert_int_equal(list.count, 6);
    for (int i = 0; i < 6; i++)
        assert_true(list.euler[i][0] == 2);
    sw_crystal_list_free(&list);
    list = read_with((sw_crystal_filter){.every = 2, .grain_angle = 1}); /* neighbours still */
    assert_int_equal(list.count, 1);
    sw_crystal_list_free(&list);
    list = read_with((sw_crystal_filter){.confidence = 0.149}); /* x + y >= 3: 20 - 1 - 2 - 3 */
    assert_int_equal(list.count, 14);
    assert_int_equal(list.skipped, 6);
    sw_crystal_list_free(&list);
    put(".ang", "1 1 1 0 0 1 1 0\n1 1 1 0 0 1 1 0\n");
    refuse((sw_crystal_filter){.grain_angle = 5}, "all points are at one place");
    put(".ang", "1 1 1 0 0 1 1 0\n1 1 1 1e-9 0 1 1 0\n1 1 1 1e9 0 1 1 0\n");
    refuse((sw_crystal_filter){.grain_angle = 5}, "need a map of regular rows");
}

/* ---- Axes ---- */

static void check_turned(const char *axes, const double row[3][3])
{
    const double before[3] = {70 * DEGREE, 40 * DEGREE, 25 * DEGREE};
    double g[3][3], turned[3][3];
    sw_crystal_list list = read_with((sw_crystal_filter){.axes = axes});
    sw_rotation_from_euler(before, g);
    sw_rotation_from_euler(list.euler[0], turned);
    for (int i = 0; i < 9; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += row[i / 3][k] * g[k][i % 3];
        CHECK_CLOSE(turned[i / 3][i % 3], sum, 1e-12);
    }
    sw_crystal_list_free(&list);
}

static void axes_turn_the_sample(void **state)
{
    (void)state;
    put(".ori", "70 40 25\n");
    check_turned("y -x z", (const double[3][3]){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
    check_turned(" -z,+y,x ", (const double[3][3]){{0, 0, -1}, {0, 1, 0}, {1, 0, 0}});
    check_turned("edax", (const double[3][3]){{0, 1, 0}, {1, 0, 0}, {0, 0, -1}});
    check_turned("Oxford", (const double[3][3]){{1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
    check_turned("bruker y x -z", (const double[3][3]){{0, -1, 0}, {1, 0, 0}, {0, 0, 1}});
    static const char *const bad[] = {"x y -z", "x y", "x x z", "x y z w", "leica", "edax x y", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse((sw_crystal_filter){.axes = bad[i]}, "three of x y z with signs");
}

/* One crystal as two scanners give it, whose frames differ by 90 degrees about ND (kikuchipy's tutorial of reference
 * frames: R(z, -90 degrees) from Oxford's and Bruker's passive rotation to EDAX's): in the axes of the map they agree. */
static void scanners_agree_on_the_map(void **state)
{
    (void)state;
    put(".ori", "100 40 25\n");
    sw_crystal_list edax = read_with((sw_crystal_filter){.axes = "edax"});
    put(".ori", "10 40 25\n");
    sw_crystal_list oxford = read_with((sw_crystal_filter){.axes = "oxford"});
    CHECK_CLOSE(apart(edax.euler[0], oxford.euler[0]), 0, 1e-5);
    sw_crystal_list_free(&edax);
    sw_crystal_list_free(&oxford);
}

static void filters_need_what_they_filter(void **state)
{
    (void)state;
    put(".ori", "70 40 25\n");
    refuse((sw_crystal_filter){.confidence = 0.1}, "has no confidence index");
    refuse((sw_crystal_filter){.deviation = 1}, "has no mean angular deviation");
    refuse((sw_crystal_filter){.every = 2}, "has no places");
    refuse((sw_crystal_filter){.grain_angle = 5}, "has no places");
    refuse((sw_crystal_filter){.step = "4"}, "has no steps");
    refuse((sw_crystal_filter){.phase = "iron"}, "has no phases");
    put(".csv", "70 40 25\n");
    refuse((sw_crystal_filter){0},
           "unknown suffix: need .ori, .tex (or VPSC's .red, .ful, .out), .txt, .ang, .ctf, .yaml or .h5");
    put(".ctf", "Phase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t30\n");
    refuse((sw_crystal_filter){.confidence = 0.1}, "has no confidence index");
    refuse((sw_crystal_filter){.deviation = 1}, "lacks MAD");
}

/* ---- Tables ---- */

static void tables_go_by_their_header(void **state)
{
    (void)state;
    put(".txt", "% MTEX orientations\n% phi1 Phi phi2 weights\n10 20 30 1\n40 50 60 3\n");
    sw_crystal_list list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 2);
    CHECK_CLOSE(list.euler[1][1], 50 * DEGREE, 1e-12);
    CHECK_CLOSE(list.weight[1], 1.5, 1e-6);
    sw_crystal_list_free(&list);
    put(".txt", "phi1 Phi phi2\n10 20 30\n");
    list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 1);
    sw_crystal_list_free(&list);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"10 20 30\n", ":1: need a line \"phi1 Phi phi2\""},
        {"% alpha beta gamma value\n1 2 30 4\n", ":2: need a line"},
        {"% phi1 Phi phi2 weight\n1 2 30\n", ":2: need as many numbers"},
        {"% phi1 Phi phi2 weight\n1 2 30 -1\n", ":2: need a weight >= 0"},
        {"% phi1 Phi phi2\n", "no crystal in it"},
        {"% nothing\n", "need a line"},
        {"% phi1 Phi phi2 value\n0 0 0 1\n0 0 45 1\n0 0 90 1\n", "1 values of phi1, from 0 to 0"},
        /* up to 90 degrees phi1 ends at a mirror: there is no going round without the last one */
        {"% phi1 Phi phi2 value\n0 0 0 1\n45 0 0 1\n0 45 0 1\n45 45 0 1\n0 90 0 1\n45 90 0 1\n"
         "0 0 45 1\n45 0 45 1\n0 45 45 1\n45 45 45 1\n0 90 45 1\n45 90 45 1\n",
         "2 values of phi1, from 0 to 45"},
        {"% phi1 Phi phi2 value\n0 0 0 1\n90 90 45 1\n90 90 90 1\n", "need one for each of 2 x 2 x 3"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(".txt", bad[i].text);
        refuse((sw_crystal_filter){0}, bad[i].message);
    }
}

/* A table as MTEX exports it, of values at nodes, 0 .. most by step, or without the last of phi1 and phi2. */
static void put_odf(int to_1, int to_2, int step, int without_last, double (*f)(const double euler[3]))
{
    FILE *file = begin(".txt");
    fputs("% MTEX ODF\n% crystal symmetry: m-3m\n% specimen symmetry: 1\n% phi1    Phi     phi2    value\n",
          file);
    for (int c = 0; c <= to_2 - step * without_last; c += step)
        for (int b = 0; b <= 90; b += step)
            for (int a = 0; a <= to_1 - step * without_last; a += step)
                fprintf(file, "%.5f %.5f %.5f %.5f\n", (double)a, (double)b, (double)c,
                        f((const double[3]){a * DEGREE, b * DEGREE, c * DEGREE}));
    assert_int_equal(fclose(file), 0);
}

static double one(const double euler[3])
{
    (void)euler;
    return 1;
}

/* 90 x 90 degrees of Phi and phi2 hold half of what orthorhombic crystals have, all of tetragonal ones'. */
static void an_odf_holds_every_orientation(void **state)
{
    (void)state;
    static const struct {
        const char *symmetry;
        int to, to_2, whole;
    } cases[] = {{"mmm", 90, 90, 0}, {"mmm", 180, 90, 1}, {"mmm", 90, 180, 1}, {"4/mmm", 90, 90, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = begin(".txt");
        fprintf(file, "%% crystal symmetry: %s\n%% phi1 Phi phi2 value\n", cases[i].symmetry);
        for (int c = 0; c <= cases[i].to_2; c += 90)
            for (int b = 0; b <= cases[i].to; b += 90)
                for (int a = 0; a <= 90; a += 90)
                    fprintf(file, "%d %d %d 1\n", a, b, c);
        assert_int_equal(fclose(file), 0);
        if (!cases[i].whole) {
            refuse((sw_crystal_filter){0},
                   "Phi to 90 and phi2 to 90 degrees: an ODF of orthorhombic crystals "
                   "needs one of them to 180");
            continue;
        }
        sw_crystal_list list = read_with((sw_crystal_filter){0});
        assert_true(list.count > 0);
        sw_crystal_list_free(&list);
    }
}

/* 7.5 degrees about Brass and its three equivalents in rolled sheet, and as much at random. */
static double half_brass(const double euler[3])
{
    const double brass[1][3] = {{35.26439 * DEGREE, 45 * DEGREE, 0}};
    double density;
    CHECK_OK(sw_odf(&sw_point_group_432, 1, brass, NULL, SW_SAMPLE_ORTHORHOMBIC,
                    sw_texture_kappa(7.5 * DEGREE), 1, (const double(*)[3])euler, &density));
    return 0.5 + 0.5 * density;
}

/* MTEX takes angles to 0 .. 360: what was at 360 stands at 0 once more, and counts once. */
static void wrapped_values_count_once(void **state)
{
    (void)state;
    FILE *file = begin(".txt");
    fputs("% phi1 Phi phi2 value\n", file);
    for (int c = 0; c <= 90; c += 30)
        for (int b = 0; b <= 90; b += 30)
            for (int a = 0; a <= 360; a += 30)
                fprintf(file, "%d %d %d 1\n", a % 360, b, c);
    assert_int_equal(fclose(file), 0);
    sw_crystal_list list = read_with((sw_crystal_filter){0});
    assert_int_equal(list.count, 12 * 4 * 4);
    /* all phi1 weigh alike: those of one Phi and phi2 */
    for (int n = 0; n < 12; n++)
        CHECK_CLOSE(list.weight[n], list.weight[0], 1e-6 * list.weight[0]);
    sw_crystal_list_free(&list);
}

/* Uniform values are a random texture: resampled ones' densities are 1 to what some 20,000 crystals leave at 7.5
 * degrees, where one's kernel reaches over 1/1,500 of all orientations: sqrt(1500 / 20000) = 0.27 if they were random;
 * the grid draws them far more evenly. */
static void a_uniform_table_is_a_random_texture(void **state)
{
    (void)state;
    static const struct {
        int to_1, to_2, without_last;
    } cases[] = {{360, 90, 1}, {360, 90, 0}, {90, 90, 0}, {180, 90, 0}, {360, 360, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_odf(cases[i].to_1, cases[i].to_2, 10, cases[i].without_last, one);
        sw_crystal_list list = read_with((sw_crystal_filter){0}), drawn;
        CHECK_CLOSE(list.cell[1], 10 * DEGREE, 1e-9);
        CHECK_OK(sw_crystals_resample(&list, 20000, 0, 3, &drawn));
        double centre[3] = {0}, density;
        for (int64_t n = 0; n < drawn.count; n++)
            for (int j = 0; j < 3; j++)
                centre[j] += (j == 1 ? cos(drawn.euler[n][1]) : drawn.euler[n][j]) / (double)drawn.count;
        /* cos Phi is even over 0 .. 1, but that the last cell, of half the weight, reaches as far beyond 90
         * degrees; and with half turns about axis 1 over -1 .. 1. To 1 of 20,000 in each of 10 rows */
        const double last = cos(85 * DEGREE);
        CHECK_CLOSE(centre[1], cases[i].to_1 == 90 ? 0 : 0.5 - 0.5 * last * last, 1e-3);
        const double points[3][3] = {{0.3, 0.2, 0.1}, {1.2, 1.5, 0.0}, {4, 0.9, 1.5}};
        for (int p = 0; p < 3; p++) {
            CHECK_OK(sw_odf(&sw_point_group_432, drawn.count, (const double(*)[3])drawn.euler, NULL,
                            SW_SAMPLE_TRICLINIC, 162, 1, &points[p], &density));
            CHECK_CLOSE(density, 1, 0.15);
        }
        sw_crystal_list_free(&list);
        sw_crystal_list_free(&drawn);
    }
}

/* A table of 90 x 90 x 90 degrees of rolled sheet, as weights and resampled, is the ODF that it was made of. The kernel
 * of comparison, 7.5 degrees, and the table's own make one of 10.6: kappa / 2. Steps of 5 degrees blur the first by
 * (5/6)^2 degrees^2 of its 41 an axis, and the peak by 3/2 of 1.7 %. */
static void a_table_is_the_texture_it_was_made_of(void **state)
{
    (void)state;
    const double brass[1][3] = {{35.26439 * DEGREE, 45 * DEGREE, 0}};
    const int kappa = sw_texture_kappa(7.5 * DEGREE);
    const double points[4][3] = {{35 * DEGREE, 45 * DEGREE, 0},
                                 {-35 * DEGREE, 45 * DEGREE, 0},
                                 {215 * DEGREE, 50 * DEGREE, 5 * DEGREE},
                                 {0, 0, 0}};
    double wanted[4], found[4];
    put_odf(90, 90, 5, 0, half_brass);
    sw_crystal_list list = read_with((sw_crystal_filter){0}), drawn;
    CHECK_OK(
        sw_odf(&sw_point_group_432, 1, brass, NULL, SW_SAMPLE_ORTHORHOMBIC, kappa / 2, 4, points, wanted));
    double *weight = calloc((size_t)list.count, sizeof *weight);
    assert_non_null(weight);
    for (int64_t n = 0; n < list.count; n++)
        weight[n] = list.weight[n];
    CHECK_OK(sw_odf(&sw_point_group_432, list.count, (const double(*)[3])list.euler, weight,
                    SW_SAMPLE_TRICLINIC, kappa, 4, points, found));
    for (int p = 0; p < 4; p++)
        CHECK_CLOSE(found[p], 0.5 + 0.5 * wanted[p], 0.03 * (0.5 + 0.5 * wanted[p]) + 0.02);
    CHECK_OK(sw_crystals_resample(&list, 50000, 0, 1, &drawn));
    CHECK_OK(sw_odf(&sw_point_group_432, drawn.count, (const double(*)[3])drawn.euler, NULL,
                    SW_SAMPLE_TRICLINIC, kappa, 4, points, found));
    for (int p = 0; p < 4; p++)
        CHECK_CLOSE(found[p], 0.5 + 0.5 * wanted[p], 0.05 * (0.5 + 0.5 * wanted[p]) + 0.05);
    free(weight);
    sw_crystal_list_free(&list);
    sw_crystal_list_free(&drawn);
}

/* ---- DAMASK ---- */

/* As DAMASK 3 writes it: keys in any order, in blocks or in braces. O of (30, 40, 50) degrees by its formulae with
 * P = -1: cos(20) cos(40), sin(20) cos(-10), sin(20) sin(-10), cos(20) sin(40). */
static void damask_materials_are_crystals(void **state)
{
    (void)state;
    put(".yaml",
        "homogenization:\n  SX: {N_constituents: 1, mechanical: {type: pass}}\n"
        "material:\n"
        "  - constituents:\n"
        "      - O: [0.7198463103929542, 0.3368240888334651, -0.05939117461388469, 0.6040227735550537]\n"
        "        phase: Aluminum\n        v: 1.0\n"
        "    homogenization: SX\n"
        "  - homogenization: SX\n"
        "    constituents: [{phase: Iron, v: 0.25, O: [1, 0, 0, 0]}, {phase: Aluminum, v: 0.75, O: [0, 1.0, "
        "0, "
        "0]}]\n"
        "phase: {Aluminum: {lattice: cF, O: [1, 2]}, Iron: {lattice: cI}}\n");
    refuse((sw_crystal_filter){0}, "several phases");
    sw_crystal_list list = read_with((sw_crystal_filter){.phase = "aluminum"});
    assert_int_equal(list.count, 2);
    assert_int_equal(list.others, 1);
    assert_string_equal(list.material, "Aluminum");
    assert_true(strcmp(list.bravais, "cF") == 0);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(list.euler[0][i], (30 + 10 * i) * DEGREE, 1e-9);
    CHECK_CLOSE(list.euler[1][1], SW_PI, 1e-9);
    CHECK_CLOSE(list.weight[1] / list.weight[0], 0.75, 1e-6);
    sw_crystal_list_free(&list);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"material: [{constituents: [{phase: A, v: 1, O: [1, 0, 0]}]}]\n", ":1: need a quaternion O"},
        {"material: [{constituents: [{phase: A, v: 1, O: [1, 1, 0, 0]}]}]\n", "of length 1"},
        {"material: [{constituents: [{phase: A, v: 2, O: [1, 0, 0, 0]}]}]\n", "0 <= v <= 1"},
        {"material: [{constituents: [{phase: A, v: 1, O: [1, 0, 0, none]}]}]\n", "need a number"},
        {"material: [{constituents: [{phase: A, v: 1}]}]\n", "need a quaternion O"},
        {"material: [{constituents: [{phase: A, v: 0.25, O: [1, 0, 0, 0]}, {phase: A, v: 0.5, O: [1, 0, 0, "
         "0]}]}]\n",
         ":1: fractions v of a material add to 0.75: need 1"},
        {"material: [{homogenization: SX}]\n", "no constituents in it"},
        {"a: [1, 2\n", "yaml:2: "},
        {"material: &a [{constituents: *a}]\n", "an alias"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(".yaml", bad[i].text);
        refuse((sw_crystal_filter){0}, bad[i].message);
    }
    static const char *const about[] = {"phase: {A: {lattice: %s}}\n%s", "%2$sphase: {A: {lattice: %1$s}}\n"};
    for (int i = 0; i < 2; i++) { /* the lattice before the crystals and after them */
        static const char material[] = "material: [{constituents: [{phase: A, v: 1, O: [1, 0, 0, 0]}]}]\n";
        char text[200];
        snprintf(text, sizeof text, about[i], "cI", material);
        put(".yaml", text);
        list = read_with((sw_crystal_filter){0});
        assert_true(strcmp(list.bravais, "cI") == 0);
        sw_crystal_list_free(&list);
        snprintf(text, sizeof text, about[i], "hP", material);
        put(".yaml", text);
        refuse((sw_crystal_filter){.group = &sw_point_group_432},
               "phase 1 A has the lattice hP: need a cubic one, cF or cI");
        put(".yaml", material);
        list = read_with((sw_crystal_filter){0});
        assert_string_equal(list.bravais, "");
        sw_crystal_list_free(&list);
    }
    FILE *file = begin(".yaml");
    for (int i = 0; i < 100; i++)
        fputs("[", file);
    assert_int_equal(fclose(file), 0);
    refuse((sw_crystal_filter){0}, "nested too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_touch_and_agree_are_grains),
        cmocka_unit_test(a_bent_grain_has_its_middle_for_a_mean),
        cmocka_unit_test(corners_do_not_touch),
        cmocka_unit_test(hexagons_have_six_neighbours),
        cmocka_unit_test(places_may_be_rounded),
        cmocka_unit_test(scans_are_thinned_and_sorted_out),
        cmocka_unit_test(axes_turn_the_sample),
        cmocka_unit_test(scanners_agree_on_the_map),
        cmocka_unit_test(filters_need_what_they_filter),
        cmocka_unit_test(tables_go_by_their_header),
        cmocka_unit_test(wrapped_values_count_once),
        cmocka_unit_test(an_odf_holds_every_orientation),
        cmocka_unit_test(a_uniform_table_is_a_random_texture),
        cmocka_unit_test(a_table_is_the_texture_it_was_made_of),
        cmocka_unit_test(damask_materials_are_crystals),
    };
    return cmocka_run_group_tests(tests, NULL, remove_last);
}
