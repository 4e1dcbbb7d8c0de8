/* Crystals over a torus by way of their bins' numbers, as a GPU counts very many, against sums of the kernel over all. */
#include "tests/online/texture/test_texture.h"

#include "common/math/quaternion.h"
#include "online/texture/bin_moments.h"
#include "online/texture/series/odf_series.h"

enum { KAPPA = SW_ODF_KAPPA, N = 600, P = 400, M = SW_BIN_MOMENTS, FOLDED = SW_TORUS_SIDE / 4 };
enum { CELLS = SW_TORUS_SIDE * SW_TORUS_SIDE * FOLDED };

/* Of one crystal's largest density: what the torus leaves (5e-4, series/test_odf_series.c); bins, 2e-4 in their corners; and
 * shares, each of 216 off by up to 2^-17: 4e-6 sqrt(216) = 6e-5. Errors add up as densities do. */
#define ACCURACY 7.6e-4

static int64_t moment[SW_HISTOGRAM_BINS][M];
static uint64_t cell[CELLS];
static sw_torus_group group;

static void bins_of(int64_t n, const vector *euler, float unit)
{
    memset(moment, 0, sizeof moment);
    for (int64_t i = 0; i < n; i++) {
        const float angles[3] = {(float)euler[i][0], (float)euler[i][1], (float)euler[i][2]};
        float q[4];
        int32_t one[M];
        sw_histogram_quaternion(angles, q);
        const int32_t bin = sw_bin_moments_of(&group, q, unit, one);
        assert_int_equal(bin, sw_histogram_bin(&group, angles));
        for (int k = 0; k < M; k++)
            moment[bin][k] += one[k];
    }
}

static void spread(const float q[4], int64_t weight)
{
    sw_torus_place at;
    sw_torus_place_of(&group, q, &at);
    for (int i = 0; i < SW_TORUS_SPAN * SW_TORUS_SPAN * SW_TORUS_SPAN; i++) {
        const int a = i / (SW_TORUS_SPAN * SW_TORUS_SPAN), b = i / SW_TORUS_SPAN % SW_TORUS_SPAN,
                  k = i % SW_TORUS_SPAN;
        const int row = sw_torus_cell(at.first[0], a, SW_TORUS_SIDE) * SW_TORUS_SIDE +
                        sw_torus_cell(at.first[1], b, SW_TORUS_SIDE);
        cell[row * FOLDED + sw_torus_cell(at.first[2], k, FOLDED)] +=
            (uint64_t)(weight * sw_torus_share(&at, a, b, k));
    }
}

/* Added to those that there are. */
static void add_cells(int64_t n, const vector *euler, float unit)
{
    sw_torus_group_make(&sw_point_group_432, &group);
    bins_of(n, euler, unit);
    for (int32_t bin = 0; bin < SW_HISTOGRAM_BINS; bin++)
        for (int node = 0; node < SW_BIN_NODES && moment[bin][0] > 0; node++) {
            float q[4];
            const int64_t weight = sw_bin_node(&group, bin, node, moment[bin], (int64_t)unit, q);
            spread(q, weight);
        }
}

static double error_of(int64_t n, const vector *euler, const vector *point, float unit)
{
    double found[P], expected[P], largest = 0, error = 0;
    sw_odf_series *series;
    memset(cell, 0, sizeof cell);
    add_cells(n, euler, unit);
    ok(sw_odf(&sw_point_group_432, n, (vectors)euler, NULL, SW_SAMPLE_TRICLINIC, KAPPA, P, (vectors)point,
              expected));
    ok(sw_odf_series_create(&sw_point_group_432, cell, KAPPA, &series));
    ok(sw_odf_series_at(series, P, (vectors)point, found));
    for (int i = 0; i < P; i++) {
        largest = greatest(largest, expected[i]);
        error = greatest(error, fabs(found[i] - expected[i]));
    }
    sw_odf_series_destroy(series);
    return error / largest;
}

/* Numbers are those of 1e9 crystals, and of 8e9, the most that may have weights. Most points are near crystals. */
static void check_texture(int64_t n, const vector *euler)
{
    static const double crystals[] = {1e9, 8e9};
    vector *point = vectors_of(P, random_orientation);
    for (int i = 0; i < P - 20; i++)
        for (int c = 0; c < 3; c++)
            point[i][c] = euler[i % n][c] + (i < n ? 0 : 0.35 * (drand48() - 0.5));
    for (int i = 0; i < 2; i++) {
        const float unit = sw_torus_unit(crystals[i]) / SW_TORUS_WHOLE;
        const double error = error_of(n, euler, point, unit);
        if (!(error <= ACCURACY))
            fail_msg("%lld crystals: %.3g of the largest density off: need %g", (long long)n, error,
                     ACCURACY);
    }
    free(point);
}

/* A crystal in a bin, s from -1 to 1 along each axis. */
static void crystal_in_bin(int32_t bin, const double s[3], double euler[3])
{
    const int step[3] = {bin / (SW_HISTOGRAM_SIDE * SW_HISTOGRAM_SIDE),
                         bin / SW_HISTOGRAM_SIDE % SW_HISTOGRAM_SIDE, bin % SW_HISTOGRAM_SIDE};
    const double half = SW_PI / 8 / SW_HISTOGRAM_SIDE; /* of what tan is taken of, over half a bin */
    double q[4] = {1}, square = 1;
    for (int c = 0; c < 3; c++) {
        q[c + 1] = tan(half * (2 * step[c] + 1 - SW_HISTOGRAM_SIDE + s[c]));
        square += q[c + 1] * q[c + 1];
    }
    for (int c = 0; c < 4; c++)
        q[c] /= sqrt(square);
    sw_euler_from_quaternion(q, euler);
}

static int32_t random_bin(void)
{
    vector euler;
    random_orientation(euler);
    return sw_histogram_bin(&group, (const float[]){(float)euler[0], (float)euler[1], (float)euler[2]});
}

/* In corners, where a bin knows least of them, within, in the middle; and ideal ones, of which Cube is in a corner. */
static void single_crystals_have_their_densities(void **state)
{
    (void)state;
    static const vector ideal[] = {
        {0, 0, 0}, {0, SW_PI / 4, 0}, {SW_PI / 2, SW_PI / 2, SW_PI / 4}, {0, SW_PI, 0}};
    srand48(60);
    for (int i = 0; i < 36; i++) {
        const double size = i < 24 ? 0.999 : i < 35 ? drand48() : 0;
        vector euler;
        crystal_in_bin(random_bin(),
                       (const double[]){i & 1 ? size : -size, i & 2 ? size : -size, i & 4 ? size : -size},
                       euler);
        check_texture(1, &euler);
    }
    for (int i = 0; i < 4; i++)
        check_texture(1, &ideal[i]);
}

static void textures_have_their_densities(void **state)
{
    (void)state;
    srand48(61);
    vector *random = vectors_of(N, random_orientation), *cube = vectors_of(N, random_orientation);
    vector two[2];
    for (int n = 0; n < N; n++) {
        cube[n][1] = 0.04 * drand48();
        cube[n][2] = 0.04 * drand48() - cube[n][0];
    }
    check_texture(N, random);
    check_texture(N, cube);
    for (int i = 0; i < 8; i++) { /* in opposite corners of one bin */
        const int32_t bin = random_bin();
        crystal_in_bin(bin, (const double[]){0.999, 0.999, 0.999}, two[0]);
        crystal_in_bin(bin, (const double[]){-0.999, -0.999, -0.999}, two[1]);
        check_texture(2, two);
    }
    free(random);
    free(cube);
}

/* Cells of parts are together those of all, to the bit, though crystals of both are in the same bins. */
static void parts_add_up(void **state)
{
    (void)state;
    static uint64_t whole[CELLS];
    srand48(62);
    vector *euler = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++)
        for (int c = 0; c < 3; c++)
            euler[n][c] = 0.7 + 0.1 * drand48();
    memset(cell, 0, sizeof cell);
    add_cells(N, euler, 65536);
    memcpy(whole, cell, sizeof whole);
    memset(cell, 0, sizeof cell);
    add_cells(N - N / 3, euler + N / 3, 65536);
    add_cells(N / 3, euler, 65536);
    assert_memory_equal(cell, whole, sizeof whole);
    free(euler);
}

/* Not for few crystals, and not with weights. */
static void they_serve_very_many_crystals(void **state)
{
    (void)state;
    sw_torus_group hexagonal;
    sw_torus_group_make(&sw_point_group_622, &hexagonal);
    sw_torus_group_make(&sw_point_group_432, &group);
    assert_false(sw_bin_moments_serve(&(sw_orientation_histogram){.most = 1e9, .group = hexagonal}));
    assert_true(sw_bin_moments_serve(&(sw_orientation_histogram){.most = 1e9, .group = group}));
    assert_true(sw_bin_moments_serve(&(sw_orientation_histogram){.most = 0, .group = group}));
    assert_false(sw_bin_moments_serve(&(sw_orientation_histogram){.most = 4096, .group = group}));
    assert_false(
        sw_bin_moments_serve(&(sw_orientation_histogram){.most = 1e9, .heaviest = 1, .group = group}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_crystals_have_their_densities),
        cmocka_unit_test(textures_have_their_densities),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(they_serve_very_many_crystals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
