/* Densities of textures by their properties: what a single crystal must show, integrals over all
 * directions and orientations, random textures, symmetry, weights. */
#include "test_texture.h"
#include "texture_index.h"

/* ---- Pole figures ---- */

static const int few_kappas[] = {1, 2, 10, 63, 64, 100, 162};
enum { FEW = sizeof few_kappas / sizeof *few_kappas };

static void the_kernel_has_its_half_width(void **state)
{
    (void)state;
    /* cos^(2 kappa)(w / 2) = 1/2 at the half width; rounding kappa to an integer moves it by half a unit. */
    for (double width = 2 * DEGREE; width < 30 * DEGREE; width += DEGREE) {
        const int kappa = sw_texture_kappa(width);
        near(2 * kappa * log(cos(0.5 * width)), log(0.5), fabs(log(cos(0.5 * width))) * 1.0000001);
    }
    assert_int_equal(sw_texture_kappa(7.5 * DEGREE), 162);
    assert_int_equal(sw_texture_kappa(3), 1);
    assert_int_equal(sw_texture_kappa(0), 1000000);
}

static void cube_crystal_has_its_peaks(void **state)
{
    (void)state;
    /* At a pole of the family, the cosines to all its poles: {111} 1, 1/3 x 3; {100} 1, 0 x 2;
     * {110} 1, 1/2 x 4, 0. */
    static const struct {
        double hkl[3];
        int poles;
        double cosine[6];
    } family[] = {
        {{1, 1, 1}, 4, {1, 1. / 3, 1. / 3, 1. / 3}},
        {{-2, 0, 0}, 3, {1, 0, 0}},
        {{0, -1, 1}, 6, {1, 0.5, 0.5, 0.5, 0.5, 0}},
    };
    const vector cube[1] = {{0, 0, 0}};
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < FEW; k++) {
            const double *hkl = family[f].hkl;
            const int kappa = few_kappas[k];
            const double length = sqrt(hkl[0] * hkl[0] + hkl[1] * hkl[1] + hkl[2] * hkl[2]);
            double expected = 0, density[2];
            for (int i = 0; i < family[f].poles; i++)
                expected += two_ends(family[f].cosine[i], kappa) / family[f].poles;
            const vector direction[2] = {{hkl[0] / length, hkl[1] / length, hkl[2] / length},
                                         {-hkl[1] / length, hkl[2] / length, hkl[0] / length}};
            ok(sw_pole_figure(&sw_point_group_432, 1, cube, NULL, hkl, kappa, 2, direction, density));
            near(density[0], expected, power_tolerance(kappa));
            near(density[1], expected, power_tolerance(kappa));
        }
}

/* Turned crystals: the convention of common/math/rotation.h, and the peak is where it should be. */
static void turned_crystals_turn_their_poles(void **state)
{
    (void)state;
    enum { N = 20 };
    srand48(2);
    for (int n = 0; n < N; n++) {
        vector euler[1], direction[1 + 2 * N];
        double g[3][3], density[1 + 2 * N];
        random_orientation(euler[0]);
        sw_rotation_from_euler(euler[0], g);
        for (int i = 0; i < 3; i++)
            direction[0][i] = g[i][n % 3]; /* g e */
        for (int k = 1; k <= 2 * N; k++)
            random_direction(direction[k]);
        ok(sw_pole_figure(&sw_point_group_432, 1, (vectors)euler, NULL, (const double[]){1, 0, 0}, 162,
                          1 + 2 * N, (vectors)direction, density));
        near(density[0], two_ends(1, 162) / 3, power_tolerance(162));
        for (int k = 1; k <= 2 * N; k++)
            assert_true(density[k] <= density[0]);
    }
}

/* Fejer's weights for the integral over x = cos in [-1, 1] at angles (j + 1/2) pi / n: exact for polynomials
 * of degree below n. */
static double fejer_weight(int j, int n)
{
    const double angle = (j + 0.5) * SW_PI / n;
    double sum = 0.5;
    for (int k = 1; k <= n / 2; k++)
        sum -= cos(2 * k * angle) / (4.0 * k * k - 1);
    return 4.0 / n * sum;
}

/* The density is a polynomial of degree kappa, so that Fejer's rule and the trapezium rule with more points
 * integrate it exactly: to round-off. */
static void check_mean_over_sphere(int inverse, int kappa)
{
    enum { N = 5 };
    const int n = kappa + 2, n_points = n * n;
    vector *direction = malloc((size_t)n_points * sizeof *direction);
    double *density = malloc((size_t)n_points * sizeof *density), mean = 0;
    vector *euler = vectors_of(N, random_orientation);
    for (int i = 0; i < n_points; i++) {
        const double polar = (i / n + 0.5) * SW_PI / n, azimuth = 2 * SW_PI * (i % n) / n;
        direction[i][0] = sin(polar) * cos(azimuth);
        direction[i][1] = sin(polar) * sin(azimuth);
        direction[i][2] = cos(polar);
    }
    if (inverse)
        ok(sw_inverse_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, (const double[]){0.6, 0, 0.8},
                                  kappa, n_points, (vectors)direction, density));
    else
        ok(sw_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, (const double[]){1, 2, 3}, kappa,
                          n_points, (vectors)direction, density));
    for (int i = 0; i < n_points; i++)
        mean += density[i] * fejer_weight(i / n, n) / (2.0 * n);
    near(mean, 1, power_tolerance(kappa));
    free(direction);
    free(density);
    free(euler);
}

static void pole_figures_integrate_to_one(void **state)
{
    (void)state;
    srand48(3);
    for (int k = 0; k < FEW; k++)
        for (int inverse = 0; inverse < 2; inverse++)
            check_mean_over_sphere(inverse, few_kappas[k]);
}

/* Both figures ask for the density of h along y: PF_h(y) = IPF_y(h). */
static void inverse_and_direct_pole_figures_agree(void **state)
{
    (void)state;
    enum { N = 300 };
    srand48(4);
    vector *euler = vectors_of(N, random_orientation);
    static const double hkl[][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {1, -2, 3}, {2, 2, -1}};
    for (int k = 0; k < 5 * FEW; k++) {
        const double *h = hkl[k % 5];
        const int kappa = few_kappas[k / 5];
        const double length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        const vector crystal[1] = {{h[0] / length, h[1] / length, h[2] / length}};
        vector sample[1];
        double direct, inverse;
        random_direction(sample[0]);
        ok(sw_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, h, kappa, 1, (vectors)sample,
                          &direct));
        ok(sw_inverse_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, sample[0], kappa, 1, crystal,
                                  &inverse));
        near(direct, inverse, power_tolerance(kappa));
    }
    free(euler);
}

/* ---- Random textures ---- */

/* A crystal adds to a pole figure of M poles the mean of M terms of mean 1 and of variance below
 * E[two_ends^2] = (kappa + 1)^2 / (2 kappa + 1) / 2 (the two ends hardly meet). Two poles of a crystal
 * are never near one direction together, so that their terms have negative covariance, and N crystals give
 * the variance v = (kappa + 1)^2 / (2 kappa + 1) / (2 M N) at most; likewise M = 24 for an inverse pole
 * figure at a general direction, where it is a bound if no two of the 48 images come within the kernel, so
 * M = 1 is used. Six standard deviations: about one of 10^8 points fails. */
static void random_pole_figures_are_flat(void **state)
{
    (void)state;
    enum { N = 20000, P = 200, KAPPA = 162 };
    const double one = (KAPPA + 1.0) * (KAPPA + 1) / (2 * KAPPA + 1) / 2 / N;
    static const struct {
        double hkl[3];
        int poles;
    } family[] = {{{1, 1, 1}, 4}, {{1, 0, 0}, 3}, {{1, 1, 0}, 6}};
    srand48(5);
    vector *euler = vectors_of(N, random_orientation), *direction = vectors_of(P, random_direction);
    double density[P];
    for (int f = 0; f < 3; f++) {
        ok(sw_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, family[f].hkl, KAPPA, P,
                          (vectors)direction, density));
        for (int i = 0; i < P; i++)
            near(density[i], 1, 6 * sqrt(one / family[f].poles));
    }
    ok(sw_inverse_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, (const double[]){0, 1, 0}, KAPPA,
                              P, (vectors)direction, density));
    for (int i = 0; i < P; i++)
        near(density[i], 1, 6 * sqrt(one));
    free(euler);
    free(direction);
}

/* The square of K is c(kappa)^2 / c(2 kappa) times the kernel of 2 kappa, so that this is its mean; over 24
 * equivalents, which hardly meet, a crystal adds to the ODF a term of mean 1 and of mean square M2 / 24. */
static double mean_square(int kappa) { return peak(kappa) * peak(kappa) / peak(2 * kappa); }

static void random_odf_is_flat(void **state)
{
    (void)state;
    enum { N = 20000, P = 300, KAPPA = 162 };
    srand48(6);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    double density[P], index;
    const double deviation = sqrt(mean_square(KAPPA) / 24 / N);
    ok(sw_odf(&sw_point_group_432, N, (vectors)euler, NULL, SW_SAMPLE_TRICLINIC, KAPPA, P, (vectors)point,
              density));
    for (int i = 0; i < P; i++)
        near(density[i], 1, 6 * deviation);
    /* The index is a mean over 4096 N pairs, each pair seen twice at most, of terms of variance
     * M2 / 24, uncorrelated because a term's mean over either crystal is 1. */
    ok(texture_index(&sw_point_group_432, N, (vectors)euler, NULL, N, KAPPA, &index));
    near(index, 1, 6 * deviation * sqrt(2.0 / 4096));
    free(euler);
    free(point);
}

/* ---- The ODF ---- */

/* lgamma to a few round-offs of its value, about kappa log kappa. */
static double peak_tolerance(int kappa) { return single_orientation(kappa) * (kappa + 10) * 1e-14; }

static void one_orientation_has_the_peak_density(void **state)
{
    (void)state;
    enum { N = 100 };
    srand48(7);
    for (int k = 0; k < FEW; k++) {
        const int kappa = few_kappas[k];
        vector euler[N];
        double density, index;
        random_orientation(euler[0]);
        for (int n = 1; n < N; n++)
            memcpy(euler[n], euler[0], sizeof euler[0]);
        ok(sw_odf(&sw_point_group_432, N, (vectors)euler, NULL, SW_SAMPLE_TRICLINIC, kappa, 1, (vectors)euler,
                  &density));
        near(density, single_orientation(kappa), peak_tolerance(kappa));
        ok(texture_index(&sw_point_group_432, N, (vectors)euler, NULL, N, kappa, &index));
        near(index, single_orientation(kappa), peak_tolerance(kappa));
    }
}

/* The texture index takes evenly spread crystals from a long list: with one orientation in every place
 * but a second in the last half, both must count. */
static void index_takes_from_all_of_a_long_list(void **state)
{
    (void)state;
    enum { N = 10000, KAPPA = 30 };
    vector *euler = malloc(N * sizeof *euler);
    const vector two[2] = {{0, 0, 0}, {0.3, 0.2, 0.1}};
    double cross, index;
    for (int n = 0; n < N; n++)
        memcpy(euler[n], two[n >= N / 2], sizeof euler[n]);
    ok(sw_odf(&sw_point_group_432, 1, two, NULL, SW_SAMPLE_TRICLINIC, KAPPA, 1, two + 1, &cross));
    ok(texture_index(&sw_point_group_432, N, (vectors)euler, NULL, N, KAPPA, &index));
    const double same = single_orientation(KAPPA);
    near(index, ((N / 2 - 1) * same + N / 2 * cross) / (N - 1), peak_tolerance(KAPPA));
    free(euler);
}

/* f averaged over phi1 and phi2 is a polynomial of degree kappa in cos Phi, and a trigonometric one of that
 * degree in phi1 and phi2 (of multiples of 4 in phi2): the rules below are exact. The nearest
 * equivalent alone (kappa >= 138) is good to 1e-6. */
static void check_odf_integral(int kappa, sw_sample_symmetry symmetry, double tolerance)
{
    const int n = kappa + 2, n2 = n / 4 + 1;
    vector *point = malloc((size_t)(n * n2) * sizeof *point), euler[2];
    double *density = malloc((size_t)(n * n2) * sizeof *density), mean = 0;
    random_orientation(euler[0]);
    random_orientation(euler[1]);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n * n2; i++) {
            point[i][0] = 2 * SW_PI * (i % n) / n;
            point[i][1] = (j + 0.5) * SW_PI / n;
            point[i][2] = 0.5 * SW_PI * (i / n) / n2;
        }
        ok(sw_odf(&sw_point_group_432, 2, (vectors)euler, NULL, symmetry, kappa, n * n2, (vectors)point,
                  density));
        for (int i = 0; i < n * n2; i++)
            mean += density[i] * fejer_weight(j, n) / (2.0 * n * n2);
    }
    near(mean, 1, tolerance);
    free(point);
    free(density);
}

static void odf_integrates_to_one(void **state)
{
    (void)state;
    srand48(8);
    for (int kappa = 1; kappa <= 21; kappa += 5)
        for (int symmetry = SW_SAMPLE_TRICLINIC; symmetry <= SW_SAMPLE_ORTHORHOMBIC; symmetry++)
            check_odf_integral(kappa, (sw_sample_symmetry)symmetry, power_tolerance(kappa));
    check_odf_integral(150, SW_SAMPLE_TRICLINIC, 1e-6);
}

enum { SYMMETRIC = 30, EQUIVALENTS = 12 };

/* The largest difference there can be: round-off of the kernel's peak. */
static double symmetry_tolerance(int kappa) { return peak(kappa) * (kappa + 1) * 1e-15; }

static void check_crystal_symmetry(int64_t n, vectors euler, int kappa)
{
    for (int p = 0; p < SYMMETRIC; p++) {
        vector point[EQUIVALENTS];
        double density[EQUIVALENTS];
        random_orientation(point[0]);
        for (int k = 1; k < EQUIVALENTS; k++)
            crystal_equivalent(point[0], k / 4, k % 4, point[k]);
        ok(sw_odf(&sw_point_group_432, n, euler, NULL, SW_SAMPLE_TRICLINIC, kappa, EQUIVALENTS,
                  (vectors)point, density));
        for (int k = 1; k < EQUIVALENTS; k++)
            near(density[k], density[0], symmetry_tolerance(kappa));
    }
}

/* With sample symmetry, f is the mean of the plain f over the half turns, at any of the equivalents. */
static void check_sample_symmetry(int64_t n, vectors euler, int kappa)
{
    static const struct {
        sw_sample_symmetry symmetry;
        int count, axis[4];
    } turns[] = {{SW_SAMPLE_MONOCLINIC, 2, {-1, 2}}, {SW_SAMPLE_ORTHORHOMBIC, 4, {-1, 2, 0, 1}}};
    for (int p = 0; p < 2 * SYMMETRIC; p++) {
        const int count = turns[p % 2].count;
        vector start, point[4];
        double plain[4], symmetric[4], mean = 0;
        random_orientation(start);
        for (int k = 0; k < count; k++)
            sample_equivalent(start, turns[p % 2].axis[k], point[k]);
        ok(sw_odf(&sw_point_group_432, n, euler, NULL, SW_SAMPLE_TRICLINIC, kappa, count, (vectors)point,
                  plain));
        ok(sw_odf(&sw_point_group_432, n, euler, NULL, turns[p % 2].symmetry, kappa, count, (vectors)point,
                  symmetric));
        for (int k = 0; k < count; k++)
            mean += plain[k] / count;
        for (int k = 0; k < count; k++)
            near(symmetric[k], mean, symmetry_tolerance(kappa));
    }
}

static void odf_has_the_symmetry(void **state)
{
    (void)state;
    enum { N = 50 };
    srand48(9);
    vector *euler = vectors_of(N, random_orientation);
    for (int k = 0; k < FEW; k++) {
        check_crystal_symmetry(N, (vectors)euler, few_kappas[k]);
        check_sample_symmetry(N, (vectors)euler, few_kappas[k]);
    }
    free(euler);
}

/* ---- Weights ---- */

enum { COMPONENTS = 13 };

/* Every density of N weighted orientations at P places, the texture index, and fractions: 3 P + 1 + COMPONENTS
 * numbers. */
static void all_densities(int64_t n, vectors euler, const double *weight, int kappa, int n_points,
                          vectors point, vectors direction, double *density)
{
    static const double hkl[3] = {1, 2, 2};
    double crystals;
    ok(sw_texture_weight(n, weight, &crystals));
    ok(sw_pole_figure(&sw_point_group_432, n, euler, weight, hkl, kappa, n_points, direction, density));
    ok(sw_inverse_pole_figure(&sw_point_group_432, n, euler, weight, direction[0], kappa, n_points, direction,
                              density + n_points));
    ok(sw_odf(&sw_point_group_432, n, euler, weight, SW_SAMPLE_TRICLINIC, kappa, n_points, point,
              density + 2 * n_points));
    ok(texture_index(&sw_point_group_432, n, euler, weight, crystals, kappa, density + 3 * n_points));
    ok(sw_component_fractions(&sw_lattice_fcc, n, euler, weight, 15 * DEGREE, density + 3 * n_points + 1));
}

/* An orientation of weight w is w crystals; a weight of 0 is none; the ends of blocks of 256 and of groups of
 * 32 are passed. */
static void a_weight_is_a_number_of_crystals(void **state)
{
    (void)state;
    enum { N = 333, P = 20, NUMBERS = 3 * P + 1 + COMPONENTS };
    srand48(20);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    vector *direction = vectors_of(P, random_direction), *repeated = malloc(4 * N * sizeof *repeated);
    double weight[N], expected[NUMBERS], found[NUMBERS];
    int64_t count = 0;
    for (int n = 0; n < N; n++) {
        weight[n] = n % 5 == 4 ? 0 : n % 5;
        for (int k = 0; k < weight[n]; k++)
            memcpy(repeated[count++], euler[n], sizeof euler[n]);
    }
    for (int k = 0; k < FEW; k++) {
        all_densities(count, (vectors)repeated, NULL, few_kappas[k], P, (vectors)point, (vectors)direction,
                      expected);
        all_densities(N, (vectors)euler, weight, few_kappas[k], P, (vectors)point, (vectors)direction, found);
        for (int i = 0; i < NUMBERS; i++)
            near(found[i], expected[i], 1e-12 * (1 + peak(few_kappas[k])));
    }
    free(euler);
    free(point);
    free(direction);
    free(repeated);
}

/* More orientations than the index averages over: two orientations of which one has three quarters of the
 * weight in the first tenth of the list. Spread evenly, the 4096 places are 3/4 and 1/4 to one place. */
static void index_takes_weights_of_a_long_list(void **state)
{
    (void)state;
    enum { N = 10000, KAPPA = 30 };
    vector *euler = malloc(N * sizeof *euler);
    double *weight = malloc(N * sizeof *weight), cross, index;
    const vector two[2] = {{0, 0, 0}, {0.3, 0.2, 0.1}};
    for (int n = 0; n < N; n++) {
        memcpy(euler[n], two[n >= N / 10], sizeof euler[n]);
        weight[n] = n < N / 10 ? 27 : 1;
    }
    ok(sw_odf(&sw_point_group_432, 1, two, NULL, SW_SAMPLE_TRICLINIC, KAPPA, 1, two + 1, &cross));
    ok(texture_index(&sw_point_group_432, N, (vectors)euler, weight, 36000, KAPPA, &index));
    const double same = single_orientation(KAPPA), total = 36000, first = 0.75, second = 0.25;
    near(index,
         ((first * first + second * second) * same + 2 * first * second * cross - same / total) /
             (1 - 1 / total),
         2.0 / 4096 * (same - cross));
    free(euler);
    free(weight);
}

/* Where a weight is the volume of one crystal: the mean over all pairs of two, by the product of their weights, of
 * the density that one makes at the other. */
static void index_of_volumes_is_a_mean_over_pairs(void **state)
{
    (void)state;
    enum { N = 40, KAPPA = 30 };
    srand48(21);
    vector *euler = vectors_of(N, random_orientation);
    double weight[N], sum = 0, squares = 0, pairs = 0, expected = 0, index;
    for (int n = 0; n < N; n++) {
        weight[n] = 1 + 3 * drand48();
        sum += weight[n];
        squares += weight[n] * weight[n];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double density;
            ok(sw_odf(&sw_point_group_432, 1, (vectors)euler + i, NULL, SW_SAMPLE_TRICLINIC, KAPPA, 1,
                      (vectors)euler + j, &density));
            pairs += i != j ? weight[i] * weight[j] : 0;
            expected += i != j ? weight[i] * weight[j] * density : 0;
        }
    ok(texture_index(&sw_point_group_432, N, (vectors)euler, weight, sum * sum / squares, KAPPA, &index));
    near(index, expected / pairs, 1e-12 * peak(KAPPA));
    free(euler);
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    const vector euler[2] = {{1, 1, 1}, {0, 0, 0}};
    static const double bad[][2] = {{0, 0}, {1, -1}, {NAN, 1}, {INFINITY, 1}};
    const double one[2] = {1, 0};
    double out[1];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(
            sw_odf(&sw_point_group_432, 2, euler, bad[i], SW_SAMPLE_TRICLINIC, 10, 1, euler, out),
            SW_ERR_RANGE);
        assert_int_equal(sw_pole_figure(&sw_point_group_432, 2, euler, bad[i], (const double[]){1, 0, 0}, 10,
                                        1, euler, out),
                         SW_ERR_RANGE);
        assert_int_equal(
            sw_inverse_pole_figure(&sw_point_group_432, 2, euler, bad[i], euler[0], 10, 1, euler, out),
            SW_ERR_RANGE);
        assert_int_equal(texture_index(&sw_point_group_432, 2, euler, bad[i], 2, 10, out), SW_ERR_RANGE);
        assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 2, euler, bad[i], 0.1, out), SW_ERR_RANGE);
    }
    assert_int_equal(texture_index(&sw_point_group_432, 2, euler, one, 1, 10, out), SW_ERR_RANGE);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const vector one[2] = {{1, 1, 1}, {0, 0, 0}}, bad[2] = {{NAN, 0, 0}, {0, 0, 0}};
    const double h[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
    double out[13];
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 1, one, NULL, zero, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 0, one, NULL, h, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 1, one, NULL, h, 0, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 1, one, NULL, h, 10, -1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 1, bad, NULL, h, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, 1, one, NULL, h, 10, 0, one, out), SW_OK);
    assert_int_equal(sw_inverse_pole_figure(&sw_point_group_432, 1, bad, NULL, one[0], 10, 1, one, out),
                     SW_ERR_RANGE);
    assert_int_equal(sw_odf(&sw_point_group_432, 0, one, NULL, SW_SAMPLE_TRICLINIC, 10, 1, one, out),
                     SW_ERR_RANGE);
    assert_int_equal(sw_odf(&sw_point_group_432, 1, one, NULL, (sw_sample_symmetry)3, 10, 1, one, out),
                     SW_ERR_RANGE);
    for (int kappa = 10; kappa < 200; kappa += 152)
        assert_int_equal(sw_odf(&sw_point_group_432, 2, bad, NULL, SW_SAMPLE_TRICLINIC, kappa, 1, one, out),
                         SW_ERR_RANGE);
    assert_int_equal(texture_index(&sw_point_group_432, 1, one, NULL, 1, 10, out), SW_ERR_RANGE);
    assert_int_equal(texture_index(&sw_point_group_432, 2, bad, NULL, 2, 10, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 1, one, NULL, 0, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 1, one, NULL, 46 * DEGREE, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 1, one, NULL, NAN, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 0, one, NULL, 0.1, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(&sw_lattice_fcc, 1, bad, NULL, 0.1, out), SW_ERR_RANGE);
}

/* Of so many crystals and points densities come by series; in parts, each with fewer, by sums. */
static void many_densities_come_by_series(void **state)
{
    (void)state;
    enum { N = 200000, P = 341, HALF = 170, KAPPA = 162 };
    static double found[P], expected[P];
    const double hkl[3] = {1, 1, 1};
    const double axis[3] = {0.6, 0, 0.8};
    srand48(22);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    vector *direction = vectors_of(P, random_direction);
    for (int n = 0; n < N; n += 2)
        euler[n][1] *= 0.1;
    for (int kind = 0; kind < 4; kind++) {
        const sw_sample_symmetry symmetry = kind == 2 ? SW_SAMPLE_ORTHORHOMBIC : SW_SAMPLE_TRICLINIC;
        double largest = 0;
        for (int part = 0; part < 3; part++) {
            const int from = part == 2 ? HALF : 0, n = part == 0 ? P : part == 1 ? HALF : P - 1 - HALF;
            double *out = (part == 0 ? found : expected) + from;
            const vectors at = (vectors)direction + from, near_to = (vectors)point + from;
            ok(kind == 0
                   ? sw_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, hkl, KAPPA, n, at, out)
               : kind == 1
                   ? sw_inverse_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, axis, KAPPA, n, at,
                                            out)
                   : sw_odf(&sw_point_group_432, N, (vectors)euler, NULL, symmetry, KAPPA, n, near_to, out));
        }
        for (int i = 0; i < P - 1; i++)
            largest = greatest(largest, expected[i]);
        for (int i = 0; i < P - 1; i++)
            near(found[i], expected[i], 5e-4 * largest);
        assert_true(memcmp(found, expected, sizeof expected) != 0);
    }
    free(euler);
    free(point);
    free(direction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_densities_come_by_series),
        cmocka_unit_test(the_kernel_has_its_half_width),
        cmocka_unit_test(cube_crystal_has_its_peaks),
        cmocka_unit_test(turned_crystals_turn_their_poles),
        cmocka_unit_test(pole_figures_integrate_to_one),
        cmocka_unit_test(inverse_and_direct_pole_figures_agree),
        cmocka_unit_test(random_pole_figures_are_flat),
        cmocka_unit_test(random_odf_is_flat),
        cmocka_unit_test(one_orientation_has_the_peak_density),
        cmocka_unit_test(index_takes_from_all_of_a_long_list),
        cmocka_unit_test(odf_integrates_to_one),
        cmocka_unit_test(odf_has_the_symmetry),
        cmocka_unit_test(a_weight_is_a_number_of_crystals),
        cmocka_unit_test(index_takes_weights_of_a_long_list),
        cmocka_unit_test(index_of_volumes_is_a_mean_over_pairs),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
