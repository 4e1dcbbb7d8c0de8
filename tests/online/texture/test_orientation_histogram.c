/* Histograms of orientations: where a crystal is counted, how often, what pictures come of it. */
#include "test_texture.h"

#include <omp.h>

#include "online/texture/orientation_histogram.h"
#include "online/texture/series/odf_series.h"

enum { SIDE = SW_HISTOGRAM_SIDE, BINS = SW_HISTOGRAM_BINS, COMPONENTS = SW_HISTOGRAM_COMPONENTS };

#define STEP (0.5 * SW_PI / SIDE)

static sw_orientation_histogram *histogram(void)
{
    sw_orientation_histogram *h;
    ok(sw_orientation_histogram_create(&sw_lattice_fcc, &h));
    return h;
}

static sw_crystal crystal_of(const double euler[3])
{
    return (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, 16e6F};
}

/* The same crystals in both kinds of number: angles in float. */
static sw_crystal *crystals_of(int64_t n, vector *euler)
{
    sw_crystal *crystal = malloc((size_t)n * sizeof *crystal);
    assert_non_null(crystal);
    for (int64_t i = 0; i < n; i++) {
        crystal[i] = crystal_of(euler[i]);
        for (int k = 0; k < 3; k++)
            euler[i][k] = crystal[i].euler[k];
    }
    return crystal;
}

/* ---- Bins ---- */

static const sw_torus_group *cubic(void)
{
    static sw_torus_group group;
    sw_torus_group_make(&sw_point_group_432, &group);
    return &group;
}

static int32_t bin_of(double phi1, double phi, double phi2)
{
    const float euler[3] = {(float)phi1, (float)phi, (float)phi2};
    return sw_histogram_bin(cubic(), euler);
}

/* Equivalents differ by round-off of angles of up to 4 pi and of the quaternion, 2e-6 rad at most: crystals
 * nearer to one of the 6 faces of a bin may go either way. 24 N trials, a mean of 5e-4 of them. */
static void equivalents_share_a_bin(void **state)
{
    (void)state;
    enum { N = 20000 };
    srand48(30);
    int apart = 0;
    for (int n = 0; n < N; n++) {
        vector euler, other;
        random_orientation(euler);
        const int32_t bin = bin_of(euler[0], euler[1], euler[2]);
        assert_in_range(bin, 0, BINS - 1);
        for (int k = 0; k < 12; k++) {
            crystal_equivalent(euler, k / 4, k % 4, other);
            apart += bin_of(other[0], other[1], other[2]) != bin;
            apart += bin_of(other[0] + SW_PI, SW_PI - other[1], -other[2]) != bin;
        }
        apart += bin_of(euler[0] - 2 * SW_PI, euler[1], euler[2] + 2 * SW_PI) != bin;
        apart += bin_of(euler[0] + SW_PI, -euler[1], euler[2] - SW_PI) != bin;
    }
    const double most = 26.0 * N * 6 * 2e-6 / STEP;
    if (apart > most)
        fail_msg("%d equivalents in other bins: need at most %.0f", apart, most);
}

static void bins_stay_in_range(void **state)
{
    (void)state;
    static const float special[] = {0,          -0.0F,      0.78539816F, 0.78539819F, 1.5707963F,  1.5707964F,
                                    2.3561945F, 3.1415925F, 3.1415927F,  3.1415930F,  4.7123890F,  6.2831850F,
                                    6.2831853F, 6.2831859F, 12.566371F,  -3.1415927F, -6.2831855F, 1e-30F,
                                    1e-7F,      -1e-7F,     0.61547971F, 0.95531662F, 8192.0F,     -8192.0F};
    enum { SPECIAL = sizeof special / sizeof *special };
    for (int n = 0; n < SPECIAL * SPECIAL * SPECIAL; n++) {
        const float euler[3] = {special[n / SPECIAL / SPECIAL], special[n / SPECIAL % SPECIAL],
                                special[n % SPECIAL]};
        assert_in_range(sw_histogram_bin(cubic(), euler), 0, BINS - 1);
    }
    static const float bad[] = {NAN, INFINITY, -INFINITY, 8193.0F, -1e30F};
    for (int i = 0; i < 15; i++) {
        float euler[3] = {1, 1, 1};
        euler[i % 3] = bad[i / 3];
        assert_int_equal(sw_histogram_bin(cubic(), euler), -1);
    }
    /* Whatever a quaternion holds. */
    static const float part[] = {0, 1, -1, 1e-38F, 1e38F, INFINITY, NAN, 0.5F};
    for (int n = 0; n < 8 * 8 * 8 * 8; n++) {
        const float q[4] = {part[n / 512], part[n / 64 % 8], part[n / 8 % 8], part[n % 8]};
        assert_in_range(sw_histogram_bin_of_quaternion(cubic(), q), 0, BINS - 1);
    }
}

/* Share of the invariant measure that each group of GROUP^3 bins has in the zone, by the mid-point rule with
 * two points along a bin: good to 1 % where the octahedron cuts a group. */
enum { GROUP = 6, GROUPS = SIDE / GROUP };

static int group_of(int i, int j, int k) { return (i / GROUP * GROUPS + j / GROUP) * GROUPS + k / GROUP; }

static void group_shares(double share[GROUPS * GROUPS * GROUPS])
{
    enum { FINE = 2 * SIDE };
    double total = 0;
    for (int n = 0; n < FINE * FINE * FINE; n++) {
        const int at[3] = {n / (FINE * FINE), n / FINE % FINE, n % FINE};
        double sum = 0, square = 1, density = 1;
        for (int c = 0; c < 3; c++) {
            const double r = tan(0.5 * ((at[c] + 0.5) * 0.5 * STEP - SW_PI / 4));
            sum += fabs(r);
            square += r * r;
            density *= 1 + r * r;
        }
        if (sum > 1)
            continue;
        density /= square * square;
        share[group_of(at[0] / 2, at[1] / 2, at[2] / 2)] += density;
        total += density;
    }
    for (int n = 0; n < GROUPS * GROUPS * GROUPS; n++)
        share[n] /= total;
}

/* Chi-square of K groups: mean K - 1, variance 2 (K - 1); six standard deviations. Where the shares are off
 * by 1 %, it is 1e-4 counts larger: 0.1 in each of at most a few hundred. Groups of fewer than 20 wanted
 * crystals are left out. */
static void uniform_texture_fills_bins_by_volume(void **state)
{
    (void)state;
    enum { N = 2000000 };
    static double share[GROUPS * GROUPS * GROUPS], count[GROUPS * GROUPS * GROUPS];
    srand48(32);
    vector *euler = vectors_of(N, random_orientation);
    sw_crystal *crystal = crystals_of(N, euler);
    sw_orientation_histogram *h = histogram();
    ok(sw_orientation_histogram_add(h, N, crystal, NULL));
    group_shares(share);
    uint64_t sum = 0;
    for (int n = 0; n < BINS; n++) {
        count[group_of(n / SIDE / SIDE, n / SIDE % SIDE, n % SIDE)] += (double)h->count[n];
        sum += h->count[n];
    }
    assert_int_equal(sum, N);
    assert_int_equal(h->n_crystals, N);
    double chi_square = 0;
    int groups = 0;
    for (int n = 0; n < GROUPS * GROUPS * GROUPS; n++) {
        const double wanted = N * share[n], difference = count[n] - wanted;
        if (wanted < 20) {
            assert_true(count[n] < 80);
            continue;
        }
        chi_square += difference * difference / wanted;
        groups++;
    }
    assert_true(groups > 1500);
    near(chi_square, groups - 1, 6 * sqrt(2.0 * groups) + 0.1 * 300);
    sw_orientation_histogram_destroy(h);
    free(euler);
    free(crystal);
}

/* ---- Counts ---- */

/* Crystals of weights 0 .. 5 against the list that has each so often: 2^30 / 5 counts a crystal, rounded once for
 * each. And neither threads nor the order matter. */
static void a_weight_is_a_number_of_crystals(void **state)
{
    (void)state;
    enum { N = 20011, MOST = 5 };
    srand48(36);
    vector *euler = vectors_of(N, random_orientation);
    sw_crystal *crystal = crystals_of(N, euler), *repeated;
    float *weight;
    sw_orientation_histogram *weighted = histogram(), *parts = histogram(), *one_by_one = histogram();
    int64_t count = 0;
    ok(SW_ALLOCATE(repeated, MOST * N, "test"));
    ok(SW_ALLOCATE(weight, N, "test"));
    for (int n = 0; n < N; n++) {
        weight[n] = 0.3F * (float)(n * 7 % (MOST + 1));
        for (int k = 0; k < n * 7 % (MOST + 1); k++)
            repeated[count++] = crystal[n];
    }
    weighted->heaviest = parts->heaviest = 0.3F * MOST;
    ok(sw_orientation_histogram_add(weighted, N, crystal, weight));
    ok(sw_orientation_histogram_add(parts, N - 777, crystal + 777, weight + 777));
    ok(sw_orientation_histogram_add(parts, 777, crystal, weight));
    ok(sw_orientation_histogram_add(one_by_one, count, repeated, NULL));
    assert_memory_equal(weighted->count, parts->count,
                        (size_t)sw_orientation_histogram_numbers(parts) * sizeof *parts->count);
    const double unit = SW_HISTOGRAM_HEAVIEST / (double)MOST;
    for (int i = 0; i < BINS + COMPONENTS; i++) /* a weight is good to 6e-8 of itself */
        near((double)weighted->count[i] / unit, (double)one_by_one->count[i],
             2e-7 * (double)one_by_one->count[i]);
    near((double)sw_orientation_histogram_total(weighted) / unit, (double)count, 2e-7 * (double)count);
    assert_int_equal(sw_orientation_histogram_total(one_by_one), count);
    assert_int_equal(weighted->n_crystals, N);
    sw_orientation_histogram_destroy(weighted);
    sw_orientation_histogram_destroy(parts);
    sw_orientation_histogram_destroy(one_by_one);
    free(euler);
    free(crystal);
    free(repeated);
    free(weight);
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    enum { N = 300 };
    static const float bad[] = {-1, NAN, INFINITY, 2.01F};
    srand48(37);
    vector *euler = vectors_of(N, random_orientation);
    sw_crystal *crystal = crystals_of(N, euler);
    sw_orientation_histogram *h = histogram();
    float weight[N];
    h->heaviest = 2;
    for (int i = 0; i < 4; i++) {
        for (int n = 0; n < N; n++)
            weight[n] = n == 270 ? bad[i] : 1;
        assert_int_equal(sw_orientation_histogram_add(h, N, crystal, weight), SW_ERR_RANGE);
        assert_message_has("crystal 270 weighs ");
    }
    assert_int_equal(sw_orientation_histogram_total(h), 0);
    sw_orientation_histogram_destroy(h);
    free(euler);
    free(crystal);
}

static void check_same(const sw_orientation_histogram *a, const sw_orientation_histogram *b)
{
    assert_int_equal(a->n_crystals, b->n_crystals);
    assert_memory_equal(a->count, b->count, (size_t)sw_orientation_histogram_numbers(a) * sizeof *a->count);
}

static void counts_do_not_depend_on_threads_or_order(void **state)
{
    (void)state;
    enum { N = 100003 };
    srand48(33);
    vector *euler = vectors_of(N, random_orientation);
    sw_crystal *crystal = crystals_of(N, euler);
    sw_orientation_histogram *one = histogram(), *two = histogram(), *parts = histogram();
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    ok(sw_orientation_histogram_add(one, N, crystal, NULL));
    omp_set_num_threads(2);
    ok(sw_orientation_histogram_add(two, N, crystal, NULL));
    omp_set_num_threads(3);
    ok(sw_orientation_histogram_add(parts, 12345, crystal, NULL));
    ok(sw_orientation_histogram_add(parts, 0, NULL, NULL));
    ok(sw_orientation_histogram_add(parts, N - 12345 - 1, crystal + 12345, NULL));
    ok(sw_orientation_histogram_add(parts, 1, crystal + N - 1, NULL));
    check_same(one, two);
    check_same(one, parts);
    omp_set_num_threads(threads);
    sw_orientation_histogram_destroy(one);
    sw_orientation_histogram_destroy(two);
    sw_orientation_histogram_destroy(parts);
    sw_orientation_histogram_destroy(NULL);
    free(euler);
    free(crystal);
}

static void bad_crystals_are_refused(void **state)
{
    (void)state;
    enum { N = 1000 };
    static sw_crystal crystal[N];
    sw_orientation_histogram *h = histogram(), *empty = histogram();
    crystal[700].euler[1] = NAN;
    assert_int_equal(sw_orientation_histogram_add(h, N, crystal, NULL), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "crystal 700 "));
    assert_int_equal(sw_orientation_histogram_add(h, -1, crystal, NULL), SW_ERR_RANGE);
    check_same(h, empty);
    sw_orientation_histogram_destroy(h);
    sw_orientation_histogram_destroy(empty);
}

/* ---- Components ---- */

/* Single precision decides within 2e-5 rad of the limit: see sw_component_mask. */
#define LIMIT_ROUNDING 2e-5

/* Angles from the nearest variant of an orientation, [N]. */
static void angles_from_variants(const sw_texture_component *component, int64_t n_crystals, vectors euler,
                                 double *angle, double *smallest)
{
    double variant[4][3];
    const int variants = sw_texture_component_variants(&sw_point_group_432, component, variant);
    for (int v = 0; v < variants; v++) {
        ok(sw_disorientation(&sw_point_group_432, n_crystals, euler, SW_SAMPLE_TRICLINIC, variant[v], angle));
        for (int64_t n = 0; n < n_crystals; n++)
            smallest[n] = v == 0 ? angle[n] : fmin(smallest[n], angle[n]);
    }
}

/* Of a fibre: from the nearest of a direction's 48 equivalents by signs and order, one by one. */
static void angles_from_directions(const sw_texture_component *component, const double along[3],
                                   int64_t n_crystals, vectors euler, double *smallest)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const double *v =
        component->hkl[0] || component->hkl[1] || component->hkl[2] ? component->hkl : component->uvw;
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int64_t n = 0; n < n_crystals; n++) {
        double g[3][3], most = -1;
        sw_rotation_from_euler(euler[n], g);
        for (int i = 0; i < 48; i++) {
            double cosine = 0;
            for (int j = 0; j < 3; j++)
                for (int a = 0; a < 3; a++)
                    cosine += (i >> j & 1 ? -1 : 1) * v[order[i / 8][j]] / length * along[a] * g[a][j];
            most = greatest(most, cosine);
        }
        smallest[n] = acos(fmin(most, 1));
    }
}

static void check_component(int k, int64_t n_crystals, const sw_crystal *crystal, vectors euler,
                            double fraction, const sw_orientation_histogram *h)
{
    int at_limit = 0;
    sw_texture_fibre fibre;
    double *angle = malloc((size_t)n_crystals * sizeof *angle);
    double *smallest = malloc((size_t)n_crystals * sizeof *smallest);
    const double limit = SW_HISTOGRAM_TOLERANCE_DEGREES * DEGREE;
    const sw_texture_component *component = &h->lattice->ideal[k];
    sw_texture_component_fibre(&sw_point_group_432, component, &fibre);
    if (fibre.n_along == 0)
        angles_from_variants(component, n_crystals, euler, angle, smallest);
    else
        angles_from_directions(component, fibre.along[0], n_crystals, euler, smallest);
    for (int64_t n = 0; n < n_crystals; n++) {
        float q[4];
        sw_histogram_quaternion(crystal[n].euler, q);
        const int found = sw_component_mask(&h->group, &h->table, q) >> k & 1;
        if (fabs(smallest[n] - limit) < LIMIT_ROUNDING)
            at_limit++;
        else
            assert_int_equal(found, smallest[n] < limit);
    }
    near((double)h->component[k], fraction * (double)n_crystals, at_limit + 0.5);
    assert_true(at_limit < 1e-3 * (double)n_crystals);
    free(angle);
    free(smallest);
}

static void check_structure(const sw_lattice *lattice)
{
    enum { N = 100000 };
    double fraction[COMPONENTS];
    sw_texture_fibre fibre;
    const sw_texture_component *component = lattice->ideal;
    const int count = lattice->n_ideals;
    srand48(34);
    vector *euler = vectors_of(N, random_orientation);
    for (int k = 0; k < count; k++) {
        sw_texture_component_fibre(&sw_point_group_432, &component[k], &fibre);
        if (fibre.n_along == 0)
            sw_texture_component_euler(&component[k], euler[k]);
    }
    sw_crystal *crystal = crystals_of(N, euler);
    sw_orientation_histogram *h;
    ok(sw_orientation_histogram_create(lattice, &h));
    ok(sw_orientation_histogram_add(h, N, crystal, NULL));
    ok(sw_component_fractions(lattice, N, (vectors)euler, NULL, SW_HISTOGRAM_TOLERANCE_DEGREES * DEGREE,
                              fraction));
    for (int k = count; k < COMPONENTS; k++)
        assert_int_equal(h->component[k], 0);
    for (int k = 0; k < count; k++)
        check_component(k, N, crystal, (vectors)euler, fraction[k], h);
    sw_orientation_histogram_destroy(h);
    free(euler);
    free(crystal);
}

static void components_are_counted(void **state)
{
    (void)state;
    check_structure(&sw_lattice_fcc);
    check_structure(&sw_lattice_bcc);
}

/* ---- Densities ---- */

enum { KAPPA = 162 };

/* Turned by a random rotation of up to `most` rad, evenly over the ball to third order. */
static void scatter(const double ideal[3], double most, double out[3])
{
    double axis[3], g[3][3], turn[3][3], turned[3][3] = {{0}};
    const double angle = most * cbrt(drand48());
    random_direction(axis);
    sw_rotation_from_euler(ideal, g);
    sw_rotation_from_spin((const double[]){angle * axis[0], angle * axis[1], angle * axis[2]}, turn);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            turned[i / 3][i % 3] += turn[i / 3][k] * g[k][i % 3];
    sw_euler_from_rotation(turned, out);
}

/* Four crystals of five within 5 degrees of a rolling component. */
static void make_sharp(int64_t n, vector *euler)
{
    const sw_texture_component *component = sw_lattice_fcc.ideal;
    for (int64_t i = 0; i < n; i++) {
        double variant[4][3];
        if (i % 5 == 0)
            continue;
        const int variants = sw_texture_component_variants(&sw_point_group_432, &component[i % 6], variant);
        scatter(variant[i / 6 % variants], 5 * DEGREE, euler[i]);
    }
}

/* From the cells, weights included, against sums over crystals: tests/online/texture/series/test_odf_series.c has the bound. */
static void check_densities(int64_t n, const vector *euler, const double *weight, const float *rounded)
{
    enum { P = 300 };
    vector *point = vectors_of(P, random_orientation);
    double direct[P], found[P], largest = 0;
    sw_crystal *crystal = crystals_of(n, (vector *)euler);
    sw_orientation_histogram *h = histogram();
    sw_odf_series *series;
    memcpy(point, euler, P / 2 * sizeof *point);
    h->heaviest = rounded != NULL ? 1 : 0;
    ok(sw_orientation_histogram_add(h, n, crystal, rounded));
    ok(sw_odf_series_create(&sw_point_group_432, h->cell, KAPPA, &series));
    ok(sw_odf_series_at(series, P, (vectors)point, found));
    ok(sw_odf(&sw_point_group_432, n, (vectors)euler, weight, SW_SAMPLE_TRICLINIC, KAPPA, P, (vectors)point,
              direct));
    for (int i = 0; i < P; i++)
        largest = greatest(largest, direct[i]);
    for (int i = 0; i < P; i++)
        near(found[i], direct[i], 5e-4 * largest);
    sw_odf_series_destroy(series);
    sw_orientation_histogram_destroy(h);
    free(point);
    free(crystal);
}

static void compare_densities(int sharp)
{
    enum { N = 3000 };
    static double weight[N];
    static float rounded[N];
    srand48(35);
    vector *euler = vectors_of(N, random_orientation);
    if (sharp)
        make_sharp(N, euler);
    for (int n = 0; n < N; n++)
        weight[n] = rounded[n] = (float)exp(-5 * drand48());
    check_densities(N, euler, NULL, NULL);
    check_densities(N, euler, weight, rounded);
    free(euler);
}

static void densities_of_a_random_texture_agree(void **state)
{
    (void)state;
    compare_densities(0);
}

static void densities_of_a_sharp_texture_agree(void **state)
{
    (void)state;
    compare_densities(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equivalents_share_a_bin),
        cmocka_unit_test(bins_stay_in_range),
        cmocka_unit_test(uniform_texture_fills_bins_by_volume),
        cmocka_unit_test(a_weight_is_a_number_of_crystals),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(counts_do_not_depend_on_threads_or_order),
        cmocka_unit_test(bad_crystals_are_refused),
        cmocka_unit_test(components_are_counted),
        cmocka_unit_test(densities_of_a_random_texture_agree),
        cmocka_unit_test(densities_of_a_sharp_texture_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
