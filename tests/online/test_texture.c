/* Textures by their properties: what a single crystal must show, integrals over all directions and
 * orientations, random textures, symmetry, components. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/hdf5_io.h"
#include "common/rotation.h"
#include "online/taylor/texture.h"
#include "online/taylor/texture_output.h"

#define DEGREE (SW_PI / 180)

typedef double vector[3];
typedef const double (*vectors)[3];

static void ok(sw_status status)
{
    if (status != SW_OK)
        fail_msg("%s", sw_error_message());
}

/* |found - expected| <= tolerance; NaN fails. */
static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g: need %.17g to within %.3g", found, expected, tolerance);
}

static void random_orientation(double euler[3])
{
    euler[0] = 2 * SW_PI * drand48();
    euler[1] = acos(2 * drand48() - 1);
    euler[2] = 2 * SW_PI * drand48();
}

static void random_direction(double v[3])
{
    const double z = 2 * drand48() - 1, azimuth = 2 * SW_PI * drand48(), s = sqrt(1 - z * z);
    v[0] = s * cos(azimuth);
    v[1] = s * sin(azimuth);
    v[2] = z;
}

static vector *vectors_of(int64_t count, void (*fill)(double[3]))
{
    vector *v = malloc((size_t)count * sizeof *v);
    assert_non_null(v);
    for (int64_t i = 0; i < count; i++)
        fill(v[i]);
    return v;
}

/* Powers by squaring and sums of a few terms: x^kappa to about kappa round-offs, kappa + 1 times. */
static double power_tolerance(int kappa) { return (kappa + 1.0) * (kappa + 1) * 1e-15; }

static double two_ends(double cosine, int kappa)
{
    return 0.5 * (kappa + 1) * (pow(0.5 + 0.5 * cosine, kappa) + pow(0.5 - 0.5 * cosine, kappa));
}

/* ---- Pole figures ---- */

static const int few_kappas[] = {1, 2, 10, 63, 64, 100, 162};
enum { FEW = sizeof few_kappas / sizeof *few_kappas };

static void test_half_width(void **state)
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

static void test_cube_crystal_has_its_peaks(void **state)
{
    (void)state;
    /* At a pole of the family, the cosines to all its poles: {111} 1, 1/3 x 3; {100} 1, 0 x 2;
     * {110} 1, 1/2 x 4, 0. */
    static const struct {
        int hkl[3], poles;
        double cosine[6];
    } family[] = {
        {{1, 1, 1}, 4, {1, 1. / 3, 1. / 3, 1. / 3}},
        {{-2, 0, 0}, 3, {1, 0, 0}},
        {{0, -1, 1}, 6, {1, 0.5, 0.5, 0.5, 0.5, 0}},
    };
    const vector cube[1] = {{0, 0, 0}};
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < FEW; k++) {
            const int *hkl = family[f].hkl, kappa = few_kappas[k];
            const double length = sqrt(hkl[0] * hkl[0] + hkl[1] * hkl[1] + hkl[2] * hkl[2]);
            double expected = 0, density[2];
            for (int i = 0; i < family[f].poles; i++)
                expected += two_ends(family[f].cosine[i], kappa) / family[f].poles;
            const vector direction[2] = {{hkl[0] / length, hkl[1] / length, hkl[2] / length},
                                         {-hkl[1] / length, hkl[2] / length, hkl[0] / length}};
            ok(sw_pole_figure(1, cube, hkl, kappa, 2, direction, density));
            near(density[0], expected, power_tolerance(kappa));
            near(density[1], expected, power_tolerance(kappa));
        }
}

/* Turned crystals: the convention of common/rotation.h, and the peak is where it should be. */
static void test_turned_crystals_turn_their_poles(void **state)
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
        ok(sw_pole_figure(1, (vectors)euler, (const int[]){1, 0, 0}, 162, 1 + 2 * N, (vectors)direction,
                          density));
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
        ok(sw_inverse_pole_figure(N, (vectors)euler, (const double[]){0.6, 0, 0.8}, kappa, n_points,
                                  (vectors)direction, density));
    else
        ok(sw_pole_figure(N, (vectors)euler, (const int[]){1, 2, 3}, kappa, n_points, (vectors)direction,
                          density));
    for (int i = 0; i < n_points; i++)
        mean += density[i] * fejer_weight(i / n, n) / (2.0 * n);
    near(mean, 1, power_tolerance(kappa));
    free(direction);
    free(density);
    free(euler);
}

static void test_pole_figures_integrate_to_one(void **state)
{
    (void)state;
    srand48(3);
    for (int k = 0; k < FEW; k++)
        for (int inverse = 0; inverse < 2; inverse++)
            check_mean_over_sphere(inverse, few_kappas[k]);
}

/* Both figures ask for the density of h along y: PF_h(y) = IPF_y(h). */
static void test_inverse_and_direct_pole_figures_agree(void **state)
{
    (void)state;
    enum { N = 300 };
    srand48(4);
    vector *euler = vectors_of(N, random_orientation);
    static const int hkl[][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {1, -2, 3}, {2, 2, -1}};
    for (int k = 0; k < 5 * FEW; k++) {
        const int *h = hkl[k % 5], kappa = few_kappas[k / 5];
        const double length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        const vector crystal[1] = {{h[0] / length, h[1] / length, h[2] / length}};
        vector sample[1];
        double direct, inverse;
        random_direction(sample[0]);
        ok(sw_pole_figure(N, (vectors)euler, h, kappa, 1, (vectors)sample, &direct));
        ok(sw_inverse_pole_figure(N, (vectors)euler, sample[0], kappa, 1, crystal, &inverse));
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
static void test_random_pole_figures_are_flat(void **state)
{
    (void)state;
    enum { N = 20000, P = 200, KAPPA = 162 };
    const double one = (KAPPA + 1.0) * (KAPPA + 1) / (2 * KAPPA + 1) / 2 / N;
    static const struct {
        int hkl[3], poles;
    } family[] = {{{1, 1, 1}, 4}, {{1, 0, 0}, 3}, {{1, 1, 0}, 6}};
    srand48(5);
    vector *euler = vectors_of(N, random_orientation), *direction = vectors_of(P, random_direction);
    double density[P];
    for (int f = 0; f < 3; f++) {
        ok(sw_pole_figure(N, (vectors)euler, family[f].hkl, KAPPA, P, (vectors)direction, density));
        for (int i = 0; i < P; i++)
            near(density[i], 1, 6 * sqrt(one / family[f].poles));
    }
    ok(sw_inverse_pole_figure(N, (vectors)euler, (const double[]){0, 1, 0}, KAPPA, P, (vectors)direction,
                              density));
    for (int i = 0; i < P; i++)
        near(density[i], 1, 6 * sqrt(one));
    free(euler);
    free(direction);
}

/* c, the kernel's peak, by its definition. */
static double peak(int kappa)
{
    return exp(lgamma(1.5) + lgamma(0.5) - lgamma(2) - lgamma(1.5) - lgamma(kappa + 0.5) + lgamma(kappa + 2));
}

/* The square of K is c(kappa)^2 / c(2 kappa) times the kernel of 2 kappa, so that this is its mean; over 24
 * equivalents, which hardly meet, a crystal adds to the ODF a term of mean 1 and of mean square M2 / 24. */
static double mean_square(int kappa) { return peak(kappa) * peak(kappa) / peak(2 * kappa); }

static void test_random_odf_is_flat(void **state)
{
    (void)state;
    enum { N = 20000, P = 300, KAPPA = 162 };
    srand48(6);
    vector *euler = vectors_of(N, random_orientation), *point = vectors_of(P, random_orientation);
    double density[P], index;
    const double deviation = sqrt(mean_square(KAPPA) / 24 / N);
    ok(sw_odf(N, (vectors)euler, SW_SAMPLE_TRICLINIC, KAPPA, P, (vectors)point, density));
    for (int i = 0; i < P; i++)
        near(density[i], 1, 6 * deviation);
    /* The index is a mean over 4096 N pairs, each pair seen twice at most, of terms of variance
     * M2 / 24, uncorrelated because a term's mean over either crystal is 1. */
    ok(sw_texture_index(N, (vectors)euler, KAPPA, &index));
    near(index, 1, 6 * deviation * sqrt(2.0 / 4096));
    free(euler);
    free(point);
}

/* ---- The ODF ---- */

/* f of identical crystals at their orientation: the kernel at the angles between an orientation and its
 * equivalents, which are 0, 90 (6), 120 (8) and 180 degrees (9). */
static double single_orientation(int kappa)
{
    return peak(kappa) / 24 * (1 + 6 * pow(0.5, kappa) + 8 * pow(0.25, kappa));
}

/* lgamma to a few round-offs of its value, about kappa log kappa. */
static double peak_tolerance(int kappa) { return single_orientation(kappa) * (kappa + 10) * 1e-14; }

static void test_single_orientation(void **state)
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
        ok(sw_odf(N, (vectors)euler, SW_SAMPLE_TRICLINIC, kappa, 1, (vectors)euler, &density));
        near(density, single_orientation(kappa), peak_tolerance(kappa));
        ok(sw_texture_index(N, (vectors)euler, kappa, &index));
        near(index, single_orientation(kappa), peak_tolerance(kappa));
    }
}

/* The texture index takes evenly spread crystals from a long list: with one orientation in every place
 * but a second in the last half, both must count. */
static void test_index_of_long_lists(void **state)
{
    (void)state;
    enum { N = 10000, KAPPA = 30 };
    vector *euler = malloc(N * sizeof *euler);
    const vector two[2] = {{0, 0, 0}, {0.3, 0.2, 0.1}};
    double cross, index;
    for (int n = 0; n < N; n++)
        memcpy(euler[n], two[n >= N / 2], sizeof euler[n]);
    ok(sw_odf(1, two, SW_SAMPLE_TRICLINIC, KAPPA, 1, two + 1, &cross));
    ok(sw_texture_index(N, (vectors)euler, KAPPA, &index));
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
        ok(sw_odf(2, (vectors)euler, symmetry, kappa, n * n2, (vectors)point, density));
        for (int i = 0; i < n * n2; i++)
            mean += density[i] * fejer_weight(j, n) / (2.0 * n * n2);
    }
    near(mean, 1, tolerance);
    free(point);
    free(density);
}

static void test_odf_integrates_to_one(void **state)
{
    (void)state;
    srand48(8);
    for (int kappa = 1; kappa <= 21; kappa += 5)
        for (int symmetry = SW_SAMPLE_TRICLINIC; symmetry <= SW_SAMPLE_ORTHORHOMBIC; symmetry++)
            check_odf_integral(kappa, (sw_sample_symmetry)symmetry, power_tolerance(kappa));
    check_odf_integral(150, SW_SAMPLE_TRICLINIC, 1e-6);
}

/* Equivalents of an orientation: g times a cubic rotation, made of quarter turns about [001] (phi2) and the
 * third turn about [111]; and half turns of the sample times g. */
static void crystal_equivalent(const double euler[3], int third_turns, int quarter_turns, double out[3])
{
    double g[3][3], turned[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[i][j] = g[i][(j + third_turns) % 3];
    sw_euler_from_rotation(turned, out);
    out[2] += quarter_turns * SW_PI / 2;
}

static void sample_equivalent(const double euler[3], int axis, double out[3])
{
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[i][j] *= axis < 0 || i == axis ? 1 : -1;
    sw_euler_from_rotation(g, out);
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
        ok(sw_odf(n, euler, SW_SAMPLE_TRICLINIC, kappa, EQUIVALENTS, (vectors)point, density));
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
        ok(sw_odf(n, euler, SW_SAMPLE_TRICLINIC, kappa, count, (vectors)point, plain));
        ok(sw_odf(n, euler, turns[p % 2].symmetry, kappa, count, (vectors)point, symmetric));
        for (int k = 0; k < count; k++)
            mean += plain[k] / count;
        for (int k = 0; k < count; k++)
            near(symmetric[k], mean, symmetry_tolerance(kappa));
    }
}

static void test_odf_has_the_symmetry(void **state)
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

/* ---- Disorientation and components ---- */

static void test_disorientation(void **state)
{
    (void)state;
    enum { N = 500 };
    srand48(10);
    for (int n = 0; n < N; n++) {
        /* A turn by less than 45 degrees is the smallest that does: equivalents are 90 degrees apart. */
        const double angle = 44 * DEGREE * drand48();
        vector from, axis, to[1], equivalent;
        double g[3][3], turn[3][3], turned[3][3] = {{0}}, found;
        random_orientation(from);
        random_direction(axis);
        sw_rotation_from_euler(from, g);
        sw_rotation_from_spin((const double[]){angle * axis[0], angle * axis[1], angle * axis[2]}, turn);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                turned[i / 3][i % 3] += turn[i / 3][k] * g[k][i % 3];
        sw_euler_from_rotation(turned, equivalent);
        crystal_equivalent(equivalent, n % 3, n / 3 % 4, to[0]);
        ok(sw_disorientation(1, (vectors)to, SW_SAMPLE_TRICLINIC, from, &found));
        near(found, angle, 5e-8);
    }
    /* No two are more than 62.8 degrees apart (Handscomb 1958). */
    vector *euler = vectors_of(10000, random_orientation);
    double *angle = malloc(10000 * sizeof *angle), largest = 0;
    ok(sw_disorientation(10000, (vectors)euler, SW_SAMPLE_TRICLINIC, euler[0], angle));
    for (int n = 0; n < 10000; n++)
        largest = fmax(largest, angle[n]);
    near(largest, 60 * DEGREE, 2.8 * DEGREE);
    free(euler);
    free(angle);
}

static int find_component(const char *name)
{
    int count;
    const sw_texture_component *component = sw_texture_components(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(component[i].name, name) == 0)
            return i;
    fail_msg("no component %s", name);
    return -1;
}

static void test_components_are_orientations(void **state)
{
    (void)state;
    int count;
    const sw_texture_component *component = sw_texture_components(&count);
    assert_int_equal(count, 13);
    for (int i = 0; i < count; i++) {
        const int *h = component[i].hkl, *u = component[i].uvw;
        assert_int_equal(h[0] * u[0] + h[1] * u[1] + h[2] * u[2], 0);
        assert_int_equal(find_component(component[i].name), i);
        /* hkl and uvw lie along their sample axes. */
        const int normal = strcmp(component[i].family, "shear") == 0 ? 1 : 2;
        double euler[3], g[3][3];
        sw_texture_component_euler(&component[i], euler);
        sw_rotation_from_euler(euler, g);
        const double h_length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        const double u_length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++) {
            near(g[normal][k], h[k] / h_length, 1e-14);
            near(g[0][k], u[k] / u_length, 1e-14);
        }
    }
}

/* The angles that textbooks give: Cube (0, 0, 0), Goss (0, 45, 0), Brass (35.26, 45, 0), Copper (90, 35.26,
 * 45), S (58.98, 36.70, 63.43), to the digits printed there. */
static void test_rolling_components_are_the_textbooks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double degrees[3];
    } known[] = {{"Cube", {0, 0, 0}},
                 {"Goss", {0, 45, 0}},
                 {"Brass", {35.26, 45, 0}},
                 {"Copper", {90, 35.26, 45}},
                 {"S", {58.98, 36.70, 63.43}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double fraction[13];
        vector euler[1];
        for (int k = 0; k < 3; k++)
            euler[0][k] = known[i].degrees[k] * DEGREE;
        ok(sw_component_fractions(1, (vectors)euler, 0.02 * DEGREE, fraction));
        near(fraction[find_component(known[i].name)], 1, 0);
    }
}

/* An exact component, and each of its equivalents under crystal and sample symmetry, is all of it; with
 * the half turn of simple shear, A and A-bar, B and B-bar change places and the others stay. */
static void test_exact_components(void **state)
{
    (void)state;
    static const char *const pair[][2] = {{"A", "A-bar"}, {"A-bar", "A"}, {"B", "B-bar"}, {"B-bar", "B"}};
    int count;
    const sw_texture_component *component = sw_texture_components(&count);
    for (int c = 0; c < count; c++) {
        const int shear = strcmp(component[c].family, "shear") == 0;
        double ideal[3], fraction[13];
        sw_texture_component_euler(&component[c], ideal);
        for (int axis = shear ? 2 : -1; axis < 3; axis++) {
            vector half_turned, euler[12];
            sample_equivalent(ideal, axis, half_turned);
            for (int k = 0; k < 12; k++)
                crystal_equivalent(half_turned, k / 4, k % 4, euler[k]);
            int wanted = c;
            for (int k = 0; k < 4 && shear; k++)
                if (strcmp(component[c].name, pair[k][0]) == 0)
                    wanted = find_component(pair[k][1]);
            ok(sw_component_fractions(12, (vectors)euler, 0.001 * DEGREE, fraction));
            for (int k = 0; k < count; k++)
                if (strcmp(component[k].family, component[c].family) == 0)
                    near(fraction[k], k == wanted, 0);
        }
        ok(sw_component_fractions(1, (vectors)&ideal, 0.001 * DEGREE, fraction));
        near(fraction[c], 1, 0);
    }
}

/* Where the variants stay apart (15 degrees), V 24 (w - sin w) / pi exactly. */
static void test_random_fractions_are_volumes(void **state)
{
    (void)state;
    static const int variants[13] = {1, 1, 2, 2, 4, 2, 1, 1, 1, 1, 1, 1, 1};
    const double w = 15 * DEGREE;
    double fraction[13];
    ok(sw_component_fractions_random(w, fraction));
    for (int c = 0; c < 13; c++)
        near(fraction[c], variants[c] * 24 * (w - sin(w)) / SW_PI, 1e-13);
}

/* Random crystals: six standard deviations of the binomial law, and the quadrature's 2e-3 where variants
 * overlap. */
static void test_random_fractions_are_found(void **state)
{
    (void)state;
    enum { N = 100000 };
    srand48(11);
    vector *euler = vectors_of(N, random_orientation);
    for (double tolerance = 10 * DEGREE; tolerance < 46 * DEGREE; tolerance += 7 * DEGREE) {
        double expected[13], found[13];
        ok(sw_component_fractions_random(tolerance, expected));
        ok(sw_component_fractions(N, (vectors)euler, tolerance, found));
        for (int c = 0; c < 13; c++) {
            assert_true(expected[c] > 0 && expected[c] < 1);
            near(found[c], expected[c], 6 * sqrt(expected[c] * (1 - expected[c]) / N) + 2e-3 * expected[c]);
        }
    }
    free(euler);
}

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    const vector one[2] = {{1, 1, 1}, {0, 0, 0}}, bad[2] = {{NAN, 0, 0}, {0, 0, 0}};
    const int h[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
    double out[13];
    assert_int_equal(sw_pole_figure(1, one, zero, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(0, one, h, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(1, one, h, 0, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(1, one, h, 10, -1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(1, bad, h, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(1, one, h, 10, 0, one, out), SW_OK);
    assert_int_equal(sw_inverse_pole_figure(1, bad, one[0], 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_odf(0, one, SW_SAMPLE_TRICLINIC, 10, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_odf(1, one, (sw_sample_symmetry)3, 10, 1, one, out), SW_ERR_RANGE);
    for (int kappa = 10; kappa < 200; kappa += 152)
        assert_int_equal(sw_odf(2, bad, SW_SAMPLE_TRICLINIC, kappa, 1, one, out), SW_ERR_RANGE);
    assert_int_equal(sw_texture_index(1, one, 10, out), SW_ERR_RANGE);
    assert_int_equal(sw_texture_index(2, bad, 10, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(1, one, 0, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(1, one, 46 * DEGREE, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(1, one, NAN, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(0, one, 0.1, out), SW_ERR_RANGE);
    assert_int_equal(sw_component_fractions(1, bad, 0.1, out), SW_ERR_RANGE);
}

/* ---- The results file ---- */

enum { SIDE = 101 };

/* An HDF5 file in memory only. */
static hid_t memory_file(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(H5Pset_fapl_core(access, 1 << 20, 0) >= 0);
    hid_t file = H5Fcreate("texture", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

static void read_figure(hid_t file, const char *name, float figure[SIDE][SIDE])
{
    const int64_t shape[2] = {SIDE, SIDE};
    ok(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, shape, figure));
}

static void test_written_axes(void **state)
{
    (void)state;
    /* One crystal turned by 20 degrees about axis 3: {100} poles at 20 and 110 degrees on the rim, and in the
     * middle. Seen from the crystal, sample axis 1 is at -20 degrees, which equals 20. */
    static float figure[SIDE][SIDE], odf[19][19][37];
    const int64_t shape[3] = {19, 19, 37};
    const vector euler[1] = {{20 * DEGREE, 0, 0}};
    const double w = 20 * DEGREE;
    hid_t file = memory_file();
    ok(sw_texture_write(file, 1, euler));
    read_figure(file, "pole_figure/100", figure);
    /* Just inside the rim, 48 and 16 pixels of 50: within a degree or so of the poles. */
    const int x = (int)lround(49 * cos(w)), y = (int)lround(49 * sin(w));
    assert_true(figure[50 + y][50 + x] > 20);
    assert_true(figure[50 + x][50 - y] > 20);
    assert_true(figure[50 - y][50 + x] < 1);
    near(figure[50][50], two_ends(1, 162) / 3, 1e-5 * 163);
    assert_true(isnan(figure[0][0]));
    read_figure(file, "inverse_pole_figure/axis_1", figure);
    for (int k = 0; k < 4; k++)
        assert_true(figure[k & 1 ? 50 + y : 50 - y][k & 2 ? 50 + x : 50 - x] > 3);
    assert_true(figure[50][99] < 1);
    assert_true(figure[50][50] < 1);
    read_figure(file, "inverse_pole_figure/axis_3", figure);
    assert_true(figure[50][50] > 3);
    /* phi1 + phi2 = 20 degrees at Phi = 0. */
    ok(sw_h5_read(file, "odf", H5T_NATIVE_FLOAT, 3, shape, odf));
    for (int k = 0; k < 5; k++)
        near(odf[k][0][4 - k], single_orientation(162), 1e-6 * single_orientation(162));
    assert_true(odf[4][4][4] < 1);
    double index;
    ok(sw_h5_read(file, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index));
    assert_true(isnan(index));
    H5Fclose(file);
}

/* A disk shows equal areas equally, so that its mean is the mean over directions. Pixels on the rim are in or
 * out as a whole: of the 2 pi 50 pixels there, an error of half their area, 157 of 7854, times how much the
 * density there (of about 2 pi 50 / 12 independent patches) differs from 1, six of its standard deviations
 * over the square root of 26. */
static void test_written_means(void **state)
{
    (void)state;
    enum { N = 3000 };
    srand48(12);
    static const char *const name[] = {"pole_figure/111",
                                       "pole_figure/100",
                                       "pole_figure/110",
                                       "inverse_pole_figure/axis_1",
                                       "inverse_pole_figure/axis_2",
                                       "inverse_pole_figure/axis_3"};
    static float figure[SIDE][SIDE];
    vector *euler = vectors_of(N, random_orientation);
    hid_t file = memory_file(), group;
    ok(sw_h5_group(file, "texture/0", &group));
    ok(sw_texture_write(group, N, (vectors)euler));
    const double deviation = sqrt(163.0 * 163 / 325 / 2 / N); /* as for random pole figures, M = 1 */
    for (int k = 0; k < 6; k++) {
        read_figure(group, name[k], figure);
        double sum = 0;
        int count = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            if (!isnan(figure[i / SIDE][i % SIDE])) {
                sum += figure[i / SIDE][i % SIDE];
                count++;
            }
        assert_int_equal(count, 7845); /* lattice points within 50 of the origin */
        near(sum / count, 1, 157.0 / 7854 * 6 * deviation / sqrt(26));
    }
    double kernel, fraction[13];
    char *names;
    ok(sw_h5_read_numbers(group, "kernel_halfwidth_degrees", 1, &kernel));
    near(kernel, 7.5, 0);
    ok(sw_h5_read(group, "component_fraction_random", H5T_NATIVE_DOUBLE, 1, (const int64_t[]){13}, fraction));
    hid_t set = H5Dopen2(group, "component_fraction", H5P_DEFAULT);
    ok(sw_h5_read_text(set, "names", &names));
    assert_memory_equal(names, "Cube,Goss,Brass,Copper,S,Taylor,A1*,", 36);
    free(names);
    H5Dclose(set);
    H5Gclose(group);
    H5Fclose(file);
    free(euler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_width),
        cmocka_unit_test(test_cube_crystal_has_its_peaks),
        cmocka_unit_test(test_turned_crystals_turn_their_poles),
        cmocka_unit_test(test_pole_figures_integrate_to_one),
        cmocka_unit_test(test_inverse_and_direct_pole_figures_agree),
        cmocka_unit_test(test_random_pole_figures_are_flat),
        cmocka_unit_test(test_random_odf_is_flat),
        cmocka_unit_test(test_single_orientation),
        cmocka_unit_test(test_index_of_long_lists),
        cmocka_unit_test(test_odf_integrates_to_one),
        cmocka_unit_test(test_odf_has_the_symmetry),
        cmocka_unit_test(test_disorientation),
        cmocka_unit_test(test_components_are_orientations),
        cmocka_unit_test(test_rolling_components_are_the_textbooks),
        cmocka_unit_test(test_exact_components),
        cmocka_unit_test(test_random_fractions_are_volumes),
        cmocka_unit_test(test_random_fractions_are_found),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_written_axes),
        cmocka_unit_test(test_written_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
