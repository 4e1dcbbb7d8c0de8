/* Packings: sizes against the moments of their distributions, spheres that do not overlap under any image,
 * seeds, refusals, and a dense packing at its target. */
#include <omp.h>

#include "common/math/rotation.h"
#include "online/dem/packing/packing.h"
#include "tests/test.h"

#define CHECK_FAILS(expression, code, part)                                                     \
    do {                                                                                        \
        const sw_status status_ = (expression);                                                 \
        if (status_ != (code) || strstr(sw_error_message(), (part)) == NULL)                    \
            fail_msg("%s: %s (%s): need %s, '%s'", #expression, sw_status_text(status_),        \
                     status_ == SW_OK ? "" : sw_error_message(), sw_status_text(code), (part)); \
    } while (0)

static const double sieve[][2] = {{1e-4, 0}, {2e-4, 0.25}, {3e-4, 0.25}, {8e-4, 0.9}, {1e-3, 1}};
static const sw_dem_sizes quartz = {.kind = SW_DEM_UNIFORM, .least = 5e-5, .largest = 1.25e-4};
static const sw_dem_sizes all_sizes[] = {
    {.kind = SW_DEM_MONODISPERSE, .radius = 1e-3},
    {.kind = SW_DEM_UNIFORM, .least = 5e-5, .largest = 1.25e-4},
    {.kind = SW_DEM_UNIFORM_MASS, .least = 1e-4, .largest = 1e-3},
    {.kind = SW_DEM_LOGNORMAL, .radius = 1e-3, .deviation = 0.4, .least = 5e-4, .largest = 3e-3},
    {.kind = SW_DEM_LOGNORMAL,
     .radius = 1e-3,
     .deviation = 0.1,
     .least = 1.5e-3,
     .largest = 2e-3}, /* a tail */
    {.kind = SW_DEM_GRADING, .n_points = 5, .grading = sieve},
};
enum { N_SIZES = sizeof all_sizes / sizeof *all_sizes };

static double normal_part(double a, double b) /* of the distribution, from a to b, in the thinner tail */
{
    return a > 0 ? 0.5 * (erfc(a / sqrt(2)) - erfc(b / sqrt(2)))
                 : 0.5 * (erfc(-b / sqrt(2)) - erfc(-a / sqrt(2)));
}

/* Mean of r^k over the particles of a distribution: integrals by hand. */
static double moment(const sw_dem_sizes *s, int k)
{
    const double a = s->least, b = s->largest;
    double sum = 0, number = 0;
    switch (s->kind) {
    case SW_DEM_MONODISPERSE:
        return pow(s->radius, k);
    case SW_DEM_UNIFORM:
        return (pow(b, k + 1) - pow(a, k + 1)) / (k + 1) / (b - a);
    case SW_DEM_UNIFORM_MASS: /* density 2 r^-3 / (a^-2 - b^-2) */
        return 2 / (pow(a, -2) - pow(b, -2)) *
               (k == 2 ? log(b / a) : (pow(b, k - 2) - pow(a, k - 2)) / (k - 2));
    case SW_DEM_LOGNORMAL: {
        const double w = s->deviation, from = log(a / s->radius) / w, to = log(b / s->radius) / w;
        return pow(s->radius, k) * exp(0.5 * k * k * w * w) * normal_part(from - k * w, to - k * w) /
               normal_part(from, to);
    }
    default: /* density m / ln(q) d^-4 in each part */
        for (int i = 0; i + 1 < s->n_points; i++) {
            const double p = s->grading[i][0] / 2, q = s->grading[i + 1][0] / 2;
            const double m = (s->grading[i + 1][1] - s->grading[i][1]) / log(q / p);
            sum += m * (k == 3 ? log(q / p) : (pow(q, k - 3) - pow(p, k - 3)) / (k - 3));
            number += m * (pow(q, -3) - pow(p, -3)) / -3;
        }
        return sum / number;
    }
}

static double *draw(const sw_dem_sizes *sizes, int64_t n, uint64_t seed)
{
    double *radius = malloc((size_t)n * sizeof *radius);
    CHECK_OK(sw_dem_sizes_draw(sizes, n, seed, radius));
    return radius;
}

/* ---- Sizes ---- */

/* One radius from each n-th part of the distribution: a sum of r^k, which rises with r, is off by the whole
 * range of r^k at most. */
static void sizes_have_their_moments(void **state)
{
    (void)state;
    enum { N = 300 };
    for (int s = 0; s < N_SIZES; s++) {
        double *radius = draw(&all_sizes[s], N, 7 + (uint64_t)s);
        const double least = sw_dem_sizes_quantile(&all_sizes[s], 0);
        const double largest = sw_dem_sizes_quantile(&all_sizes[s], 1);
        for (int k = 1; k <= 3; k++) {
            double mean = 0;
            for (int i = 0; i < N; i++) {
                assert_true(radius[i] >= least && radius[i] <= largest);
                mean += pow(radius[i], k) / N;
            }
            const double expected = moment(&all_sizes[s], k);
            CHECK_CLOSE(mean, expected, (pow(largest, k) - pow(least, k)) / N + 1e-12 * expected);
        }
        free(radius);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rank of a radius says where in its n-th part it may lie; neighbours in the list know nothing of each
 * other: the correlation of n random orders has variance 1 / (n - 1). */
static void sizes_come_in_random_order(void **state)
{
    (void)state;
    enum { N = 2000 };
    for (int s = 1; s < N_SIZES; s++) {
        double *radius = draw(&all_sizes[s], N, 3), mean = 0, with_place = 0, with_next = 0, square = 0;
        for (int i = 0; i < N; i++)
            mean += radius[i] / N;
        for (int i = 0; i < N; i++) {
            const double d = radius[i] - mean;
            square += d * d;
            with_place += d * (i - 0.5 * (N - 1));
            with_next += d * (radius[(i + 1) % N] - mean);
        }
        CHECK_CLOSE(with_place / sqrt(square * N * ((double)N * N - 1) / 12), 0, 5 / sqrt(N - 1));
        CHECK_CLOSE(with_next / square, 0, 5 / sqrt(N - 1));
        qsort(radius, N, sizeof *radius, ascending);
        for (int i = 0; i < N; i++) {
            const double slack = 1e-12 * radius[i];
            assert_true(radius[i] >= sw_dem_sizes_quantile(&all_sizes[s], (double)i / N) - slack);
            assert_true(radius[i] <= sw_dem_sizes_quantile(&all_sizes[s], (i + 1.0) / N) + slack);
        }
        free(radius);
    }
}

/* Mass below each sieve: r^3 up to there and 0 above goes up and down again, so that its sum is off by twice
 * its largest value at most. */
static void grading_curves_are_followed(void **state)
{
    (void)state;
    enum { N = 5000 };
    const sw_dem_sizes *sizes = &all_sizes[5];
    double *radius = draw(sizes, N, 11);
    for (int j = 0; j < 5; j++) {
        const double edge = sieve[j][0] / 2;
        double mass = 0, gap = 0;
        for (int i = 0; i < N; i++) {
            mass += radius[i] <= edge ? pow(radius[i], 3) / N : 0;
            gap += radius[i] > 1.0000001e-4 && radius[i] < 1.4999999e-4;
        }
        CHECK_CLOSE(mass / moment(sizes, 3), sieve[j][1], 2 * pow(edge, 3) / N / moment(sizes, 3));
        assert_true(gap == 0); /* the curve is level there */
    }
    free(radius);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    static const double falling[][2] = {{1e-4, 0}, {3e-4, 0.25}, {2e-4, 0.25}, {1e-3, 1}},
                        late[][2] = {{1e-4, 0.1}, {1e-3, 1}}, early[][2] = {{1e-4, 0}, {1e-3, 0.95}},
                        back[][2] = {{1e-4, 0}, {2e-4, 0.5}, {3e-4, 0.25}, {1e-3, 1}};
    const struct {
        sw_dem_sizes sizes;
        const char *part;
    } refused[] = {
        {{.kind = SW_DEM_MONODISPERSE}, "radius = 0: need a length in m, from 1e-09 to 1000"},
        {{.kind = SW_DEM_MONODISPERSE, .radius = -1}, "radius = -1"},
        {{.kind = SW_DEM_MONODISPERSE, .radius = NAN}, "radius = nan"},
        {{.kind = SW_DEM_UNIFORM, .least = 0, .largest = 1}, "least radius = 0"},
        {{.kind = SW_DEM_UNIFORM, .least = 1, .largest = INFINITY}, "largest radius = inf"},
        {{.kind = SW_DEM_UNIFORM_MASS, .least = 2, .largest = 1},
         "least radius = 2 m: need at most the largest, 1"},
        {{.kind = SW_DEM_LOGNORMAL, .radius = 1, .deviation = 0, .least = 1, .largest = 2},
         "ln r = 0: need > 0"},
        {{.kind = SW_DEM_LOGNORMAL, .radius = 1, .deviation = 1, .least = 1, .largest = 1}, "need less than"},
        {{.kind = SW_DEM_LOGNORMAL, .radius = 1, .deviation = 0.1, .least = 3, .largest = 4},
         "need some within 8 deviations of the median"},
        {{.kind = SW_DEM_GRADING, .n_points = 1, .grading = sieve}, "1 points: need 2"},
        {{.kind = SW_DEM_GRADING, .n_points = 4, .grading = falling},
         "diameter 3 of a grading curve = 0.0002 m: need above 0.0003"},
        {{.kind = SW_DEM_GRADING, .n_points = 2, .grading = late}, "first passing"},
        {{.kind = SW_DEM_GRADING, .n_points = 2, .grading = early}, "last passing"},
        {{.kind = SW_DEM_GRADING, .n_points = 4, .grading = back},
         "passing 3 of a grading curve = 0.25: need 0.5 to 1"},
        {{.kind = (sw_dem_sizes_kind)17}, "size distribution 17: need 0 to 4"},
    };
    double radius;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK_FAILS(sw_dem_sizes_draw(&refused[i].sizes, 1, 1, &radius), SW_ERR_RANGE, refused[i].part);
    CHECK_FAILS(sw_dem_sizes_draw(&quartz, 0, 1, &radius), SW_ERR_RANGE, "0 particles: need 1");
}

/* ---- Loose packings ---- */

/* Spheres a and b, and all images of b up to two cells away; a sphere and its own images too. */
static void check_apart(const sw_dem_packing *p)
{
    const double side = p->cell[0][0];
    for (int64_t a = 0; a < p->n_particles; a++)
        for (int64_t b = a; b < p->n_particles; b++)
            for (int k = 0; k < 125; k++) {
                if (a == b && k == 62)
                    continue;
                const int shift[3] = {k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2};
                double square = 0;
                for (int i = 0; i < 3; i++) {
                    const double d = p->position[b][i] + shift[i] * side - p->position[a][i];
                    square += d * d;
                }
                const double sum = p->radius[a] + p->radius[b];
                if (!(sqrt(square) >= sum - 1e-14 * side))
                    fail_msg("particles %d and %d, image %d: %g m apart, radii %g", (int)a, (int)b, k,
                             sqrt(square), sum);
            }
}

static void spheres_do_not_overlap(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES; s++)
        for (int dense = 0; dense < 2; dense++) {
            enum { N = 600 };
            const double fraction = dense ? SW_DEM_MOST_LOOSE : 0.05;
            sw_dem_packing packing;
            CHECK_OK(sw_dem_pack_loose(N, &all_sizes[s], 5, fraction, &packing));
            assert_int_equal(packing.n_particles, N);
            assert_null(packing.velocity);
            assert_null(packing.spin);
            const double side = packing.cell[0][0];
            double *radius = draw(&all_sizes[s], N, 5), solid = 0;
            assert_memory_equal(packing.radius, radius, N * sizeof *radius);
            for (int n = 0; n < N; n++)
                solid += 4 * SW_PI / 3 * pow(radius[n], 3);
            for (int i = 0; i < 3; i++) {
                double mean = 0;
                for (int j = 0; j < 3; j++)
                    assert_true(packing.cell[i][j] == (i == j ? side : 0));
                for (int n = 0; n < N; n++) {
                    assert_true(packing.position[n][i] >= 0 && packing.position[n][i] < side);
                    mean += packing.position[n][i] / N;
                }
                CHECK_CLOSE(mean / side, 0.5, 5 / sqrt(12.0 * N)); /* of uniform places, 5 deviations */
            }
            CHECK_CLOSE(solid / (side * side * side), fraction, 1e-12);
            CHECK_CLOSE(sw_dem_packing_void_ratio(&packing), 1 / fraction - 1, 1e-12 / fraction);
            check_apart(&packing);
            free(radius);
            sw_dem_packing_free(&packing);
        }
}

/* As few as may be: the cell is then little wider than two diameters, and a sphere meets several images. */
static void few_spheres_are_packed(void **state)
{
    (void)state;
    for (int n = 1; n < 12; n++) {
        sw_dem_packing packing;
        const sw_status status = sw_dem_pack_loose(n, &all_sizes[0], 1, 0.25, &packing);
        /* side = (n 4/3 pi / 0.25)^(1/3) radii: from 4 on */
        assert_int_equal(status, n >= 4 ? SW_OK : SW_ERR_RANGE);
        if (status == SW_OK) {
            check_apart(&packing);
            sw_dem_packing_free(&packing);
        }
    }
}

/* Two sizes far apart, so that classes of bins lie between them: 1 : 30, half the mass each. */
static void far_sizes_are_packed(void **state)
{
    (void)state;
    static const double grading[][2] = {{1e-4, 0}, {1.1e-4, 0.1}, {2.9e-3, 0.1}, {3e-3, 1}};
    const sw_dem_sizes sizes = {.kind = SW_DEM_GRADING, .n_points = 4, .grading = grading};
    sw_dem_packing packing;
    CHECK_OK(sw_dem_pack_loose(30000, &sizes, 2, 0.2, &packing));
    int64_t large = 0;
    for (int64_t n = 0; n < packing.n_particles; n++)
        if (packing.radius[n] > 1e-3) { /* large ones to the front, then all against them */
            const double radius = packing.radius[n];
            double x[3];
            memcpy(x, packing.position[n], sizeof x);
            memcpy(packing.position[n], packing.position[large], sizeof x);
            memcpy(packing.position[large], x, sizeof x);
            packing.radius[n] = packing.radius[large];
            packing.radius[large++] = radius;
        }
    assert_true(large >= 8);
    const int64_t shown = large + 1000;
    packing.n_particles = shown;
    check_apart(&packing);
    packing.n_particles = 30000;
    for (int64_t n = shown; n < 30000; n++)
        for (int64_t l = 0; l < large; l++) {
            double square = 0;
            for (int i = 0; i < 3; i++) {
                const double d = packing.position[n][i] - packing.position[l][i];
                square += pow(d - packing.cell[0][0] * rint(d / packing.cell[0][0]), 2);
            }
            assert_true(sqrt(square) >= (packing.radius[n] + packing.radius[l]) * (1 - 1e-12));
        }
    sw_dem_packing_free(&packing);
}

static void seeds_make_the_packing(void **state)
{
    (void)state;
    enum { N = 300 };
    sw_dem_packing first, again, other;
    CHECK_OK(sw_dem_pack_loose(N, &quartz, 1, 0.3, &first));
    omp_set_num_threads(3);
    CHECK_OK(sw_dem_pack_loose(N, &quartz, 1, 0.3, &again));
    omp_set_num_threads(1);
    CHECK_OK(sw_dem_pack_loose(N, &quartz, UINT64_C(1) << 32 | 1, 0.3, &other)); /* all 64 bits count */
    assert_memory_equal(first.position, again.position, N * sizeof *first.position);
    assert_memory_equal(first.radius, again.radius, N * sizeof *first.radius);
    assert_memory_equal(first.cell, again.cell, sizeof first.cell);
    for (int n = 0; n < N; n++)
        assert_true(first.position[n][0] != other.position[n][0] && first.radius[n] != other.radius[n]);
    sw_dem_packing_free(&first);
    sw_dem_packing_free(&again);
    sw_dem_packing_free(&other);
}

static void bad_packings_are_refused(void **state)
{
    (void)state;
    sw_dem_packing packing;
    CHECK_FAILS(sw_dem_pack_loose(100, &quartz, 1, 0.31, &packing), SW_ERR_RANGE,
                "solid_fraction = 0.31: need > 0 and at most 0.3");
    CHECK_FAILS(sw_dem_pack_loose(100, &quartz, 1, 0, &packing), SW_ERR_RANGE, "solid_fraction = 0");
    CHECK_FAILS(sw_dem_pack_loose(100, &quartz, 1, NAN, &packing), SW_ERR_RANGE, "solid_fraction = nan");
    CHECK_FAILS(sw_dem_pack_loose(0, &quartz, 1, 0.2, &packing), SW_ERR_RANGE, "0 particles");
    CHECK_FAILS(sw_dem_pack_loose(2, &all_sizes[0], 1, 0.3, &packing), SW_ERR_RANGE,
                "2 particles make a cell of 0.00303");
    CHECK_FAILS(sw_dem_pack_loose(100, &(sw_dem_sizes){.kind = SW_DEM_UNIFORM}, 1, 0.2, &packing),
                SW_ERR_RANGE, "least radius = 0");
    assert_null(packing.position);
}

/* ---- Stages ---- */

static void stages_follow_the_target(void **state)
{
    (void)state;
    sw_dem_stage stage[SW_DEM_PACKING_STAGES];
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    int n = 0;
    target.pressure = 1e5;
    target.inertia_number = 1e-3;
    CHECK_OK(sw_dem_packing_stages(&target, 2500, 1e-4, stage, &n));
    assert_int_equal(n, 3);
    /* sqrt(D:D / 2) = 1e-3 sqrt(1e5 / 2500) / 2e-4 = 5 sqrt(40) */
    double square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square += pow(stage[0].velocity_gradient[i][j], 2);
    CHECK_CLOSE(sqrt(square / 2), 5 * sqrt(40), 1e-12);
    assert_true(stage[0].velocity_gradient[1][1] < 0); /* compression */
    assert_int_equal(stage[0].until, SW_DEM_UNTIL_PRESSURE);
    assert_int_equal(stage[1].until, SW_DEM_UNTIL_EQUILIBRIUM);
    assert_true(stage[1].friction_decay == 0 && stage[2].friction < 0);
    for (int s = 0; s < 3; s++)
        for (int c = 0; c < SW_DEM_SIX; c++)
            assert_true(stage[s].stress_driven[c] == (s > 0) &&
                        stage[s].stress[c] == (s > 0 && c < 3 ? 1e5 : 0));
    target.void_ratio = 0.65;
    CHECK_OK(sw_dem_packing_stages(&target, 2500, 1e-4, stage, &n));
    assert_int_equal(stage[1].until, SW_DEM_UNTIL_VOID_RATIO);
    assert_true(stage[1].goal == 0.65 && stage[1].friction_decay > 0 && stage[1].stress[2] == 1e5);

    const sw_dem_packing_target good = target;
    const struct {
        sw_dem_packing_target target;
        const char *part;
    } refused[] = {
#define BUT(change, part) {(target = good, target.change, target), part}
        BUT(pressure = 0, "pressure (Pa) = 0: need above 0, and at most 1e+12"),
        BUT(pressure = NAN, "pressure (Pa) = nan"),
        BUT(void_ratio = -0.1, "void_ratio = -0.1: need at least 0, and at most 2.33"),
        BUT(void_ratio = 2.4, "void_ratio = 2.4"),
        BUT(packing_friction = 0, "packing_friction = 0: need above 0"),
        BUT(friction_decay = 0.6, "friction_decay = 0.6: need above 0, and at most 0.5"),
        BUT(inertia_number = 2, "inertia_number = 2"),
        BUT(stress_tolerance = 0, "stress_tolerance = 0"),
        BUT(unbalanced_force = -1, "unbalanced_force = -1"),
        BUT(max_steps = 0, "max_steps = 0"),
#undef BUT
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK_FAILS(sw_dem_packing_stages(&refused[i].target, 2500, 1e-4, stage, &n), SW_ERR_RANGE,
                    refused[i].part);
    CHECK_FAILS(sw_dem_packing_stages(&good, 0, 1e-4, stage, &n), SW_ERR_RANGE, "density (kg/m^3) = 0");
    CHECK_FAILS(sw_dem_packing_stages(&good, 1, INFINITY, stage, &n), SW_ERR_RANGE, "mean radius (m) = inf");
}

/* ---- Dense packings ---- */

/* Compress a packing of quartz, which it releases, to a target; the last record, and that of the end of the
 * first stage. */
static sw_dem_row compress_packing(const sw_dem_packing *packing, const sw_dem_packing_target *target,
                                   sw_dem_row *met)
{
    sw_dem_stage stage[SW_DEM_PACKING_STAGES];
    sw_dem_options options = sw_dem_defaults();
    sw_dem_sample sample = {.packing = *packing,
                            .material = sw_dem_quartz(),
                            .numerics = sw_dem_numerics_defaults(),
                            .stage = stage};
    sw_dem *dem;
    int n;
    CHECK_OK(sw_dem_packing_stages(target, sample.material.density,
                                   sw_dem_packing_mean_radius(&sample.packing), stage, &n));
    sample.n_stages = n;
    sample.numerics.record_interval = 2000;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    sw_dem_packing_free(&sample.packing);
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    CHECK_OK(sw_dem_failure(dem, 0));
    int64_t n_rows;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n_rows);
    assert_true(n_rows >= SW_DEM_PACKING_STAGES);
    const sw_dem_row last = row[n_rows - 1];
    for (int64_t i = 0; i < n_rows && row[i].stage == 0; i++)
        *met = row[i];
    sw_dem_close(dem);
    assert_true(last.stage == SW_DEM_PACKING_STAGES - 1);
    const double stress[SW_DEM_SIX] = {last.stress_11, last.stress_22, last.stress_33};
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(stress[i] / target->pressure, 1, target->stress_tolerance);
    if (!target->free_shear) /* the six within a half of their tolerance; left free, it is 0.1 to 0.2 */
        CHECK_CLOSE(last.deviator / last.pressure, 0, 0.02);
    assert_true(last.unbalanced_force <= target->unbalanced_force);
    assert_true(last.mechanical_coordination > 2); /* chains at least */
    CHECK_CLOSE(last.friction, sw_dem_quartz().friction, 1e-12);
    return last;
}

static sw_dem_row compress_some(int64_t spheres, const sw_dem_packing_target *target, sw_dem_row *met)
{
    sw_dem_packing loose;
    CHECK_OK(sw_dem_pack_loose(spheres, &quartz, 1, SW_DEM_MOST_LOOSE, &loose));
    return compress_packing(&loose, target, met);
}

static sw_dem_row compress(const sw_dem_packing_target *target)
{
    sw_dem_row met;
    return compress_some(200, target, &met);
}

/* At a fortieth of the usual pressure it comes to rest, too. The rate of compression goes as the root of the pressure:
 * as many steps as the way from one void ratio to the other has at that rate, recorded where the stage ends. What
 * follows takes about as many at most. */
static void low_pressures_come_to_rest(void **state)
{
    (void)state;
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    const sw_dem_material m = sw_dem_quartz();
    sw_dem_row met;
    target.pressure = 5e3;
    target.packing_friction = 0.1;
    const sw_dem_row last = compress_some(80, &target, &met);
    const double strain = -log(SW_DEM_MOST_LOOSE * (1 + met.void_ratio)) / 3;
    const double mean = 0.5 * (quartz.least + quartz.largest),
                 step = 0.5 * quartz.least * sqrt(m.density / m.young);
    const double rate = sw_dem_rate(target.inertia_number, target.pressure, m.density, mean);
    /* one radius of each 80th part of the particles: the least and the mean are off by a part 1/80 of the range */
    CHECK_CLOSE(met.step, strain / (sqrt(2.0 / 3) * rate * step), 0.03 * met.step);
    assert_true(last.step < 3 * met.step);
    assert_true(last.void_ratio > 0.6 && last.void_ratio < 0.8);
}

/* The goal is passed within an interval, 20 steps of half the wave's time over the least radius, at the
 * servo's largest rate in three axes; what equilibrium then moves is as little. */
static void a_void_ratio_is_reached(void **state)
{
    (void)state;
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    const sw_dem_material m = sw_dem_quartz();
    const double mean = 0.5 * (quartz.least + quartz.largest);
    const double step = 0.5 * quartz.least * sqrt(m.density / m.young);
    const double rate = sw_dem_rate(target.inertia_number, target.pressure, m.density, mean);
    const double reached[] = {0.65, 0.75};
    target.friction_decay = 0.02;
    for (int i = 0; i < 2; i++) {
        target.void_ratio = reached[i];
        CHECK_CLOSE(compress(&target).void_ratio, reached[i], 2 * (1 + reached[i]) * 3 * rate * 20 * step);
    }
}

/* The lower the friction, the denser: without it, little looser than random close packing of equal spheres
 * (0.64 solid, e = 0.56), with that of sand much looser. */
static void less_friction_packs_denser(void **state)
{
    (void)state;
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    target.packing_friction = 0;
    const double dense = compress(&target).void_ratio;
    target.packing_friction = 0.5;
    const double loose = compress(&target).void_ratio;
    assert_true(dense > 0.5 && dense < 0.62);
    assert_true(loose > dense + 0.1 && loose < 1.1);
}

/* A jammed packing has little way to go: its void ratio stays what it is by geometry, whatever the friction, and
 * the pressure is there in a tenth of the steps of a loose one. What spheres overlap is 2e-4 of the volume. */
static void jammed_packings_are_compressed(void **state)
{
    (void)state;
    const sw_dem_packing_target target = sw_dem_packing_target_defaults();
    sw_dem_packing jammed;
    sw_dem_row met, met_loose;
    CHECK_OK(sw_dem_pack_force_biased(200, &quartz, 1, 1e4, &jammed));
    const double before = sw_dem_packing_void_ratio(&jammed);
    const sw_dem_row row = compress_packing(&jammed, &target, &met);
    const sw_dem_row loose = compress_some(200, &target, &met_loose);
    assert_true(row.void_ratio < before && row.void_ratio > before - 0.02);
    assert_true(row.void_ratio < loose.void_ratio - 0.2);
    assert_true(10 * row.step < loose.step);
}

/* What compression leaves of shear where the cell may not lean. */
static void shear_may_be_free(void **state)
{
    (void)state;
    sw_dem_packing_target target = sw_dem_packing_target_defaults();
    target.free_shear = 1;
    const sw_dem_row row = compress(&target);
    assert_true(row.deviator > 0.05 * row.pressure);
    assert_true(row.strain_23 == 0 && row.strain_13 == 0 && row.strain_12 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_their_moments),       cmocka_unit_test(sizes_come_in_random_order),
        cmocka_unit_test(grading_curves_are_followed),    cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(spheres_do_not_overlap),         cmocka_unit_test(few_spheres_are_packed),
        cmocka_unit_test(far_sizes_are_packed),           cmocka_unit_test(seeds_make_the_packing),
        cmocka_unit_test(bad_packings_are_refused),       cmocka_unit_test(stages_follow_the_target),
        cmocka_unit_test(a_void_ratio_is_reached),        cmocka_unit_test(less_friction_packs_denser),
        cmocka_unit_test(low_pressures_come_to_rest),     cmocka_unit_test(shear_may_be_free),
        cmocka_unit_test(jammed_packings_are_compressed),
    };
    return cmocka_run_group_tests_name("dem_packing", tests, NULL, NULL);
}
