/* Series of ODFs against sums of the kernel over all crystals. */
#include "tests/online/texture/test_texture.h"

#include <omp.h>

#include "common/math/quaternion.h"
#include "online/texture/series/odf_series.h"

enum { KAPPA = SW_ODF_KAPPA, N = 600, P = 400 };

/* Of one crystal's density: what the splines, cells of 3.75 degrees for a kernel of 7.5, leave (2.2e-4 twice, of crystals and of
 * points), and degrees above 44 (5e-5). Of the largest density of a texture the same: errors add up as densities do. */
#define ACCURACY 5e-4

static double largest_of(int64_t n, const double *density)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = greatest(largest, density[i]);
    return largest;
}

static void check_close(int64_t n, const double *found, const double *expected, double accuracy)
{
    const double tolerance = accuracy * largest_of(n, expected);
    for (int64_t i = 0; i < n; i++) {
        assert_true(found[i] >= 0);
        near(found[i], expected[i], tolerance);
    }
}

static sw_odf_series *series_of(int64_t n, const vector *euler, const double *weight)
{
    sw_odf_series *series;
    ok(sw_odf_series_of_crystals(&sw_point_group_432, n, (vectors)euler, weight, KAPPA, &series));
    return series;
}

/* ---- Against sums ---- */

static void check_directions(const sw_odf_series *s, int64_t n, const vector *euler, const double *weight)
{
    static const double hkl[][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {2, 1, 1}, {-3, 1, 2}};
    vector *direction = vectors_of(P, random_direction);
    double found[P], expected[P];
    for (int k = 0; k < 5; k++) {
        vector axis;
        random_direction(axis);
        ok(sw_pole_figure(&sw_point_group_432, n, (vectors)euler, weight, hkl[k], KAPPA, P,
                          (vectors)direction, expected));
        ok(sw_odf_series_pole_figure(s, hkl[k], P, (vectors)direction, found));
        check_close(P, found, expected, ACCURACY);
        ok(sw_inverse_pole_figure(&sw_point_group_432, n, (vectors)euler, weight, axis, KAPPA, P,
                                  (vectors)direction, expected));
        ok(sw_odf_series_inverse(s, axis, P, (vectors)direction, found));
        check_close(P, found, expected, ACCURACY);
    }
    free(direction);
}

/* Half the points are near crystals, where densities are large. */
static void check_orientations(const sw_odf_series *s, int64_t n, const vector *euler, const double *weight)
{
    vector *point = vectors_of(P, random_orientation);
    double found[P], expected[P], total = 0, mean = 0, at[N];
    for (int i = 0; i < P / 2; i++)
        for (int c = 0; c < 3; c++)
            point[i][c] = euler[i % n][c] + (i < n ? 0 : 0.2 * (drand48() - 0.5));
    ok(sw_odf(&sw_point_group_432, n, (vectors)euler, weight, SW_SAMPLE_TRICLINIC, KAPPA, P, (vectors)point,
              expected));
    ok(sw_odf_series_at(s, P, (vectors)point, found));
    check_close(P, found, expected, ACCURACY);
    ok(sw_odf(&sw_point_group_432, n, (vectors)euler, weight, SW_SAMPLE_TRICLINIC, KAPPA, n, (vectors)euler,
              at));
    for (int64_t i = 0; i < n; i++) {
        mean += at[i] * (weight != NULL ? weight[i] : 1);
        total += weight != NULL ? weight[i] : 1;
    }
    near(sw_odf_series_mean(s), mean / total, ACCURACY * mean / total);
    free(point);
}

static void check_texture(int64_t n, const vector *euler, const double *weight)
{
    sw_odf_series *s = series_of(n, euler, weight);
    check_directions(s, n, euler, weight);
    check_orientations(s, n, euler, weight);
    sw_odf_series_destroy(s);
}

static void single_crystals_have_their_densities(void **state)
{
    (void)state;
    srand48(50);
    vector *euler = vectors_of(12, random_orientation);
    const vector ideal[] = {{0, 0, 0}, {0, SW_PI / 4, 0}, {SW_PI / 2, SW_PI / 2, SW_PI / 4}, {0, SW_PI, 0}};
    for (int i = 0; i < 12; i++)
        check_texture(1, &euler[i], NULL);
    for (int i = 0; i < 4; i++)
        check_texture(1, &ideal[i], NULL);
    free(euler);
}

static void random_textures_have_their_densities(void **state)
{
    (void)state;
    srand48(51);
    vector *euler = vectors_of(N, random_orientation);
    check_texture(N, euler, NULL);
    free(euler);
}

/* Weights over three powers of ten, some of them 0. */
static void weights_are_counted(void **state)
{
    (void)state;
    double weight[N];
    srand48(52);
    vector *euler = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++)
        weight[n] = n % 7 == 0 ? 0 : 1e-3 * exp(7 * drand48());
    check_texture(N, euler, weight);
    free(euler);
}

/* A {111} fibre along axis 3, and crystals about Cube, by a degree or so. */
static void sharp_textures_have_their_densities(void **state)
{
    (void)state;
    srand48(53);
    vector *fibre = vectors_of(N, random_orientation), *cube = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++) {
        fibre[n][1] = acos(1 / sqrt(3)) + 0.02 * (drand48() - 0.5);
        fibre[n][2] = SW_PI / 4 + 0.02 * (drand48() - 0.5);
        cube[n][1] = 0.04 * drand48();
        cube[n][2] = 0.04 * drand48() - cube[n][0];
    }
    check_texture(N, fibre, NULL);
    check_texture(N, cube, NULL);
    free(fibre);
    free(cube);
}

static double sum_of_cells(int64_t n, const vector *euler, const double *weight)
{
    sw_torus_group group;
    uint64_t *cell;
    double sum = 0;
    sw_torus_group_make(&sw_point_group_432, &group);
    ok(SW_ALLOCATE(cell, sw_torus_size(&group), "test"));
    ok(sw_torus_count(&group, n, (vectors)euler, weight, cell));
    for (int64_t i = 0; i < sw_torus_size(&group); i++)
        sum += (double)cell[i];
    free(cell);
    return sum;
}

/* One of weight 1 and many of 1e-6, a million units in 216 cells: halves of a unit that are rounded away are 1e-9 of all. Single
 * precision: 3e-7 of what the light ones weigh together, 6e-4. */
static void light_crystals_are_not_lost(void **state)
{
    (void)state;
    double weight[N];
    srand48(54);
    vector *euler = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++)
        weight[n] = n == 0 ? 1 : 1e-6;
    const double heavy = sum_of_cells(1, euler, weight), all = sum_of_cells(N, euler, weight);
    near(all / heavy - 1, (N - 1) * 1e-6, 2e-9);
    free(euler);
}

/* Sums of cells stay in 63 bits for any number of crystals, of which a whole one is never less than 2^20. */
static void cells_do_not_overflow(void **state)
{
    (void)state;
    static const double heaviest[] = {1, 3, 4194303, 4194304, 1e9, 8589934592., 1099511627776.};
    for (int i = 0; i < 7; i++) {
        assert_true(sw_torus_unit(heaviest[i]) * heaviest[i] <= 4611686018427387904.);
        assert_true(sw_torus_unit(heaviest[i]) >= 1 << 20);
    }
}

/* ---- Symmetry ---- */

/* Crystals in other equivalents, and points in other equivalents: but for single precision, 1e-6 rad of a kernel whose slope
 * is 10 a radian, the same. Cells of the one nearest to the axes are taken: a crystal between two may be in either. */
static void equivalents_are_the_same(void **state)
{
    (void)state;
    double density[3][P];
    srand48(55);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    vector *other = vectors_of(N, random_orientation), *other_point = vectors_of(P, random_orientation);
    for (int n = 0; n < N; n++)
        crystal_equivalent(euler[n], n % 3, n % 4, other[n]);
    for (int i = 0; i < P; i++)
        crystal_equivalent(point[i], i / 4 % 3, i % 4, other_point[i]);
    sw_odf_series *a = series_of(N, euler, NULL), *b = series_of(N, other, NULL);
    ok(sw_odf_series_at(a, P, (vectors)point, density[0]));
    ok(sw_odf_series_at(b, P, (vectors)point, density[1]));
    ok(sw_odf_series_at(a, P, (vectors)other_point, density[2]));
    check_close(P, density[1], density[0], 2e-5);
    check_close(P, density[2], density[0], 2e-5);
    sw_odf_series_destroy(a);
    sw_odf_series_destroy(b);
    free(euler);
    free(other);
    free(point);
    free(other_point);
}

/* Turns of 60 degrees about axis 3 and half turns across it; every second of each: 32; the first alone: none. */
static void fill_hexagonal(int step, double (*q)[4])
{
    for (int i = 0; i < 6 / step; i++) {
        const double half = i * step * SW_PI / 6;
        memcpy(q[i], (const double[]){cos(half), 0, 0, sin(half)}, sizeof q[i]);
        memcpy(q[6 / step + i], (const double[]){0, cos(half), sin(half), 0}, sizeof q[i]);
    }
}

/* The kernel over all crystals and rotations of a group. */
static double sum_over_group(const sw_point_group *group, int64_t n, const vector *euler,
                             const double point[3])
{
    double p[4], sum = 0;
    sw_quaternion_from_euler(point, p);
    for (int64_t i = 0; i < n; i++)
        for (int h = 0; h < group->order; h++) {
            double q[4], turned[4], cosine = 0;
            sw_quaternion_from_euler(euler[i], q);
            sw_quaternion_product(q, group->q[h], turned);
            for (int c = 0; c < 4; c++)
                cosine += turned[c] * p[c];
            sum += peak(KAPPA) * pow(cosine * cosine, KAPPA) / group->order / (double)n;
        }
    return sum;
}

static void check_group(const sw_point_group *group)
{
    enum { FEW = 5 };
    double found[P], expected[P], poles[2][P];
    vector *euler = vectors_of(FEW, random_orientation), *point = vectors_of(P, random_orientation);
    vector *direction = vectors_of(P, random_direction);
    sw_odf_series *s;
    ok(sw_odf_series_of_crystals(group, FEW, (vectors)euler, NULL, KAPPA, &s));
    for (int i = 0; i < P; i++) {
        for (int c = 0; c < 3 && i < P / 2; c++)
            point[i][c] = euler[i % FEW][c] + 0.2 * (drand48() - 0.5);
        expected[i] = sum_over_group(group, FEW, euler, point[i]);
    }
    ok(sw_odf_series_at(s, P, (vectors)point, found));
    check_close(P, found, expected, ACCURACY);
    /* poles of a general direction and of what the group's last rotation makes of it are the same */
    vector axis = {0.36, 0.48, 0.8}, other = {0};
    double e[3], g[3][3];
    sw_euler_from_quaternion(group->q[group->order - 1], e);
    sw_rotation_from_euler(e, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            other[i] += g[i][j] * axis[j];
    ok(sw_odf_series_pole_figure(s, axis, P, (vectors)direction, poles[0]));
    ok(sw_odf_series_pole_figure(s, other, P, (vectors)direction, poles[1]));
    check_close(P, poles[1], poles[0], 2e-6);
    sw_odf_series_destroy(s);
    free(euler);
    free(point);
    free(direction);
}

static void any_group_of_rotations_will_do(void **state)
{
    (void)state;
    double hexagonal[12][4], trigonal[6][4];
    fill_hexagonal(1, hexagonal);
    fill_hexagonal(2, trigonal);
    const sw_point_group groups[] = {{"622", "hexagonal", 12, 6, (const double(*)[4])hexagonal},
                                     {"32", "trigonal", 6, 3, (const double(*)[4])trigonal},
                                     {"3", "trigonal", 3, 3, (const double(*)[4])trigonal},
                                     {"1", "triclinic", 1, 1, (const double(*)[4])hexagonal},
                                     sw_point_group_432,
                                     sw_point_group_422,
                                     sw_point_group_622};
    srand48(56);
    for (int i = 0; i < 7; i++)
        check_group(&groups[i]);
}

/* ---- The rest ---- */

static void threads_make_no_difference(void **state)
{
    (void)state;
    enum { MANY = 5000, POINTS = 3000 };
    static double density[3][2 * POINTS];
    const int threads = omp_get_max_threads();
    srand48(57);
    vector *euler = vectors_of(MANY, random_orientation), *point = vectors_of(POINTS, random_orientation);
    vector *direction = vectors_of(POINTS, random_direction);
    for (int i = 0; i < 3; i++) {
        omp_set_num_threads(i + 1);
        sw_odf_series *s = series_of(MANY, euler, NULL);
        ok(sw_odf_series_at(s, POINTS, (vectors)point, density[i]));
        ok(sw_odf_series_pole_figure(s, direction[0], POINTS, (vectors)direction, density[i] + POINTS));
        sw_odf_series_destroy(s);
        assert_memory_equal(density[i], density[0], sizeof density[0]);
    }
    omp_set_num_threads(threads);
    free(euler);
    free(point);
    free(direction);
}

/* Wider kernels than the usual one, down to the widest. */
static void wider_kernels_will_do(void **state)
{
    (void)state;
    static const int kappas[] = {1, 2, 10, 60};
    double found[P], expected[P];
    srand48(58);
    vector *euler = vectors_of(3, random_orientation), *point = vectors_of(P, random_orientation);
    for (int i = 0; i < 4; i++) {
        sw_odf_series *s;
        ok(sw_odf_series_of_crystals(&sw_point_group_432, 3, (vectors)euler, NULL, kappas[i], &s));
        ok(sw_odf(&sw_point_group_432, 3, (vectors)euler, NULL, SW_SAMPLE_TRICLINIC, kappas[i], P,
                  (vectors)point, expected));
        ok(sw_odf_series_at(s, P, (vectors)point, found));
        check_close(P, found, expected, ACCURACY);
        sw_odf_series_destroy(s);
    }
    free(euler);
    free(point);
}

static void refuse(int64_t n, const double euler[3], const double *weight, int kappa, const char *words)
{
    sw_odf_series *s;
    assert_int_equal(sw_odf_series_of_crystals(&sw_point_group_432, n, (vectors)euler, weight, kappa, &s),
                     SW_ERR_RANGE);
    assert_message_has(words);
    assert_null(s);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const vector one[1] = {{1, 1, 1}}, bad[1] = {{0, NAN, 0}};
    double density;
    refuse(0, one[0], NULL, KAPPA, "0 crystals");
    refuse(1, bad[0], NULL, KAPPA, "crystal 0 has angles that are not finite");
    refuse(1, one[0], (const double[]){-1}, KAPPA, "weighs -1");
    refuse(1, one[0], (const double[]){0}, KAPPA, "weigh 0 together");
    refuse(1, one[0], NULL, 0, "kappa = 0");
    refuse(1, one[0], NULL, KAPPA + 1, "kappa = 163");
    sw_odf_series *s = series_of(1, one, NULL);
    assert_int_equal(sw_odf_series_at(s, 1, bad, &density), SW_ERR_RANGE);
    assert_int_equal(sw_odf_series_pole_figure(s, one[0], 1, bad, &density), SW_ERR_RANGE);
    assert_int_equal(sw_odf_series_inverse(s, one[0], 1, bad, &density), SW_ERR_RANGE);
    assert_message_has("point 0 of a density is not finite");
    sw_odf_series_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_crystals_have_their_densities),
        cmocka_unit_test(random_textures_have_their_densities),
        cmocka_unit_test(weights_are_counted),
        cmocka_unit_test(sharp_textures_have_their_densities),
        cmocka_unit_test(light_crystals_are_not_lost),
        cmocka_unit_test(cells_do_not_overflow),
        cmocka_unit_test(equivalents_are_the_same),
        cmocka_unit_test(any_group_of_rotations_will_do),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(wider_kernels_will_do),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
