/* Force-biased packing: spheres that do not overlap under any image and touch, solid fractions and distances
 * of random close packings as published, seeds, refusals. */
#include <omp.h>

#include "common/math/rotation.h"
#include "online/dem/packing/packing.h"
#include "tests/test.h"

static const sw_dem_sizes equal = {.kind = SW_DEM_MONODISPERSE, .radius = 1e-3};
static const sw_dem_sizes quartz = {.kind = SW_DEM_UNIFORM, .least = 5e-5, .largest = 1.25e-4};
/* ln r normal, cut where 0.3 % are beyond */
static const sw_dem_sizes lognormal = {
    .kind = SW_DEM_LOGNORMAL, .radius = 1e-4, .deviation = 0.3, .least = 4.1e-5, .largest = 2.46e-4};
static const double far[][2] = {{2e-4, 0}, {2.2e-4, 0.4}, {1.1e-3, 0.4}, {1.2e-3, 1}};
static const sw_dem_sizes one_to_six = {.kind = SW_DEM_GRADING, .n_points = 4, .grading = far};

static double solid_fraction(const sw_dem_packing *p) { return 1 / (1 + sw_dem_packing_void_ratio(p)); }

/* Gap of two spheres over the sum of their radii, the least of all images up to one cell away. */
static double gap(const sw_dem_packing *p, int64_t a, int64_t b)
{
    const double side = p->cell[0][0];
    double least = INFINITY;
    for (int k = a == b; k < 27; k++) { /* k = 0 is a sphere itself */
        const int shift[3] = {(k + 1) % 3 - 1, (k / 3 + 1) % 3 - 1, (k / 9 + 1) % 3 - 1};
        double square = 0;
        for (int i = 0; i < 3; i++) {
            const double d = p->position[b][i] + shift[i] * side - p->position[a][i];
            square += d * d;
        }
        least = fmin(least, square);
    }
    return sqrt(least) / (p->radius[a] + p->radius[b]) - 1;
}

/* Round-off of positions of some tens of radii, scaled once: 2^-52 of them, a few times. */
#define ROUND_OFF 1e-13

static void spheres_touch_and_do_not_overlap(void **state)
{
    (void)state;
    static const struct {
        const sw_dem_sizes *sizes;
        int64_t n;
    } packed[] = {{&equal, 20}, {&equal, 300}, {&quartz, 300}, {&lognormal, 300}, {&one_to_six, 2500}};
    for (size_t k = 0; k < sizeof packed / sizeof *packed; k++) {
        sw_dem_packing p;
        double least = INFINITY, *radius = malloc((size_t)packed[k].n * sizeof *radius);
        CHECK_OK(sw_dem_pack_force_biased(packed[k].n, packed[k].sizes, 3, 300, &p));
        CHECK_OK(sw_dem_sizes_draw(packed[k].sizes, packed[k].n, 3, radius));
        assert_memory_equal(p.radius, radius, (size_t)packed[k].n * sizeof *radius);
        CHECK_OK(sw_dem_packing_check("packing", &p, SW_ERR_RANGE));
        assert_null(p.velocity);
        for (int64_t a = 0; a < p.n_particles; a++)
            for (int64_t b = a; b < p.n_particles; b++)
                least = fmin(least, gap(&p, a, b));
        if (!(fabs(least) <= ROUND_OFF))
            fail_msg("sizes %d: least gap %g: need a contact", (int)k, least);
        for (int i = 0; i < 9; i++)
            assert_true(p.cell[i / 3][i % 3] == (i % 4 == 0 ? p.cell[0][0] : 0));
        free(radius);
        sw_dem_packing_free(&p);
    }
}

/* Mean, deviation over it, skewness of the radii. */
static void moments(const sw_dem_packing *p, double *delta, double *skewness)
{
    const double mean = sw_dem_packing_mean_radius(p), n = (double)p->n_particles;
    double second = 0, third = 0;
    for (int64_t i = 0; i < p->n_particles; i++) {
        second += pow(p->radius[i] - mean, 2) / n;
        third += pow(p->radius[i] - mean, 3) / n;
    }
    *delta = sqrt(second) / mean;
    *skewness = second > 0 ? third / pow(second, 1.5) : 0;
}

/* Random close packing is 0.634 (Desmond, Weeks 2014), 0.637 (Scott, Kilgour 1969), 0.6435 (Farr, Groot
 * 2009), 0.642 to 0.649 (Jodrey, Tory 1985) of equal spheres; of others Desmond and Weeks have 0.634 + 0.0658
 * delta + 0.0857 S delta^2 of the deviation delta over the mean and the skewness S of radii. What is
 * published of one distribution differs by 0.015 then; seeds of 600 spheres by 0.002. */
static void solid_fractions_are_those_of_random_close_packing(void **state)
{
    (void)state;
    static const sw_dem_sizes *const sizes[] = {&equal, &quartz, &lognormal};
    for (int s = 0; s < 3; s++) {
        sw_dem_packing p;
        double delta, skewness;
        CHECK_OK(sw_dem_pack_force_biased(600, sizes[s], 1, 1e4, &p));
        moments(&p, &delta, &skewness);
        CHECK_CLOSE(solid_fraction(&p), 0.634 + 0.0658 * delta + 0.0857 * skewness * delta * delta, 0.01);
        sw_dem_packing_free(&p);
    }
}

/* Ten times the slowness: of 300 spheres the gain is 0.05, then 0.02, ten deviations among seeds. */
static void slower_is_denser(void **state)
{
    (void)state;
    double before = 0.4;
    for (double slowness = 100; slowness < 2e4; slowness *= 10) {
        sw_dem_packing p;
        CHECK_OK(sw_dem_pack_force_biased(300, &quartz, 5, slowness, &p));
        assert_true(solid_fraction(&p) > before + 0.005 && solid_fraction(&p) < 0.68);
        before = solid_fraction(&p);
        sw_dem_packing_free(&p);
    }
}

/* Neighbours of equal spheres from a to b diameters apart, over what as many spread evenly would have: the
 * radial distribution function's mean there. */
static double distribution(const sw_dem_packing *p, double from, double to)
{
    const double d = 2 * p->radius[0], n = (double)p->n_particles;
    double pairs = 0;
    for (int64_t a = 0; a < p->n_particles; a++)
        for (int64_t b = a + 1; b < p->n_particles; b++) {
            const double r = 1 + gap(p, a, b);
            pairs += r >= from && r < to;
        }
    const double shell = 4 * SW_PI / 3 * (pow(to * d, 3) - pow(from * d, 3));
    return 2 * pairs / n / (n / pow(p->cell[0][0], 3) * shell);
}

/* The second shell of irregular packings: neighbours at sqrt 3 and at 2 diameters, where two spheres touch a
 * common third and fourth, or a third in line with both; hardly any beyond (Finney 1970: 1.73 and 1.99). Of
 * 800 spheres some 2,000 pairs are in a shell, 2 % by count; shells differ by 15 % and more. */
static void second_neighbours_are_at_two_distances(void **state)
{
    (void)state;
    sw_dem_packing p;
    CHECK_OK(sw_dem_pack_force_biased(800, &equal, 1, 1e4, &p));
    const double inner = distribution(&p, 1.70, 1.77), between = distribution(&p, 1.80, 1.90),
                 outer = distribution(&p, 1.94, 2.0), beyond = distribution(&p, 2.03, 2.12);
    if (!(inner > 1.05 * between && outer > 1.05 * between && beyond < 0.75 * between))
        fail_msg("radial distribution %g %g %g %g: need peaks at the first and third", inner, between, outer,
                 beyond);
    /* the first shell, to its end at 1.4 diameters: twelve or so, as around a sphere in a crystal */
    const double neighbours = distribution(&p, 1, 1.4) * 8 * (pow(1.4, 3) - 1) * solid_fraction(&p);
    assert_true(neighbours > 11 && neighbours < 14);
    sw_dem_packing_free(&p);
}

static void seeds_make_the_packing(void **state)
{
    (void)state;
    enum { N = 200 };
    sw_dem_packing first, again, other;
    CHECK_OK(sw_dem_pack_force_biased(N, &quartz, 1, 100, &first));
    omp_set_num_threads(3);
    CHECK_OK(sw_dem_pack_force_biased(N, &quartz, 1, 100, &again));
    omp_set_num_threads(1);
    CHECK_OK(sw_dem_pack_force_biased(N, &quartz, 2, 100, &other));
    assert_memory_equal(first.position, again.position, N * sizeof *first.position);
    assert_memory_equal(first.cell, again.cell, sizeof first.cell);
    for (int n = 0; n < N; n++)
        assert_true(first.position[n][0] != other.position[n][0]);
    sw_dem_packing_free(&first);
    sw_dem_packing_free(&again);
    sw_dem_packing_free(&other);
}

static void bad_packings_are_refused(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        double slowness;
        const char *part;
    } bad[] = {{100, 9, "slowness = 9: need 10 to 1e+07"},
               {100, 2e7, "slowness = 2e+07"},
               {100, NAN, "slowness = nan"},
               {0, 100, "0 particles: need 1"},
               {15, 100, "15 particles make a cell of 0.00397"}};
    sw_dem_packing p;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(sw_dem_pack_force_biased(bad[i].n, &equal, 1, bad[i].slowness, &p), SW_ERR_RANGE);
        if (strstr(sw_error_message(), bad[i].part) == NULL)
            fail_msg("%s: need '%s'", sw_error_message(), bad[i].part);
        assert_null(p.position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_and_do_not_overlap),
        cmocka_unit_test(solid_fractions_are_those_of_random_close_packing),
        cmocka_unit_test(slower_is_denser),
        cmocka_unit_test(second_neighbours_are_at_two_distances),
        cmocka_unit_test(seeds_make_the_packing),
        cmocka_unit_test(bad_packings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
