/* Fabric of contacts: bins, tensors and Pearson's test against what is known of them. Dimensions: C contacts.
 */
#include "tests/test.h"

#include <unistd.h>

#include "common/files/hdf5_io.h"
#include "common/math/random.h"
#include "tests/online/dem/packs.h"
#include "online/dem/output/fabric_output.h"

enum { BINS = SW_DEM_BINS, MOST = 20000 };

static sw_dem_contact_record contact[MOST];

/* Four numbers of (0, 1], different every time, the same in every run. */
static void random4(double u[4])
{
    static uint64_t block;
    sw_random_uniform4(7, 0, block++, u);
}

static void uniform_direction(double n[3])
{
    double u[4];
    random4(u);
    const double z = 1 - 2 * u[0], r = sqrt(1 - z * z);
    n[0] = r * cos(2 * SW_PI * u[1]);
    n[1] = r * sin(2 * SW_PI * u[1]);
    n[2] = z;
}

/* Direction of a vector of three normal numbers, the third with standard deviation s. */
static void gaussian_direction(double s, double n[3])
{
    double u[4];
    random4(u);
    const double a = sqrt(-2 * log(u[0])), b = sqrt(-2 * log(u[2]));
    const double x = a * cos(2 * SW_PI * u[1]), y = a * sin(2 * SW_PI * u[1]),
                 z = s * b * cos(2 * SW_PI * u[3]);
    const double size = sqrt(x * x + y * y + z * z);
    n[0] = x / size;
    n[1] = y / size;
    n[2] = z / size;
}

static void set(int64_t c, const double n[3], double force)
{
    contact[c] = (sw_dem_contact_record){.a = 0, .b = 1};
    for (int i = 0; i < 3; i++) {
        contact[c].normal[i] = n[i];
        contact[c].force[i] = force * n[i];
    }
}

static sw_dem_fabric made(int64_t n)
{
    sw_dem_fabric fabric;
    CHECK_OK(sw_dem_fabric_make(2, n, contact, &fabric));
    return fabric;
}

/* ---- Chances ---- */

/* scipy.special.gammaincc(k / 2, x / 2), scipy 1.10.1. 1e-12: the exponents of the sum's terms are up to 600
 * here, each with an eps of its parts (lgamma's up to 700). */
static void chances_are_scipys(void **state)
{
    (void)state;
    static const struct {
        int freedoms;
        double x, chance;
    } known[] = {{1, 0.5, 0.47950012218695337},
                 {1, 3.841458820694124, 0.04999999999999989},
                 {2, 5.991464547107979, 0.05000000000000007},
                 {3, 0.1, 0.9918374237318764},
                 {7, 2.5, 0.9270970650134738},
                 {17, 27.58711163827534, 0.04999999999999982},
                 {35, 5, 0.9999999994178298},
                 {35, 35, 0.46820272447140193},
                 {35, 49.80184956820187, 0.0499999999999996},
                 {35, 120, 3.056904971645256e-11},
                 {35, 1200, 2.1990987628956663e-229},
                 {36, 36, 0.46864766955533643},
                 {36, 300, 2.2394425662605058e-43},
                 {64, 10, 0.9999999999999993},
                 {99, 200, 8.19391189142209e-09},
                 {359, 400, 0.06679313103095687}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK_CLOSE(sw_dem_chi_squared_chance(known[i].freedoms, known[i].x) / known[i].chance, 1, 1e-12);
    CHECK_CLOSE(sw_dem_chi_squared_chance(35, 0), 1, 0);
    CHECK_CLOSE(sw_dem_chi_squared_chance(35, INFINITY), 0, 0);
    CHECK_CLOSE(sw_dem_chi_squared_chance(35, 1e5), 0, 0);
    assert_true(isnan(sw_dem_chi_squared_chance(35, NAN)));
}

/* By hand: a die of 60 throws; the same with unequal expectations; ten times as many throws of the same
 * shares. */
static void statistics_by_hand(void **state)
{
    (void)state;
    const int64_t die[6] = {5, 8, 9, 8, 10, 20};
    int64_t many[6];
    sw_dem_chi_squared t, ten;
    CHECK_OK(sw_dem_chi_squared_make(6, die, NULL, &t));
    assert_int_equal(t.counts, 60);
    CHECK_CLOSE(t.chi_squared, 13.4, 1e-13); /* (25 + 4 + 1 + 4 + 0 + 100) / 10 */
    CHECK_CLOSE(t.reduced, 2.68, 1e-13);
    CHECK_CLOSE(t.cramer, sqrt(13.4 / 300), 1e-14);
    CHECK_CLOSE(t.excess, 8.4 / 60, 1e-14);
    CHECK_CLOSE(t.least, 10, 0);
    CHECK_CLOSE(t.p_value, 0.019905220334774376, 1e-13); /* scipy.stats.chisquare */
    for (int i = 0; i < 6; i++)
        many[i] = 10 * die[i];
    CHECK_OK(sw_dem_chi_squared_make(6, many, NULL, &ten));
    CHECK_CLOSE(ten.chi_squared, 134, 1e-12);
    CHECK_CLOSE(ten.cramer, t.cramer, 1e-14);
    assert_true(ten.p_value < 1e-26);

    const int64_t two[2] = {30, 10};
    const double expected[2] = {25, 15};
    CHECK_OK(sw_dem_chi_squared_make(2, two, expected, &t));
    CHECK_CLOSE(t.chi_squared, 1 + 25.0 / 15, 1e-14);
    CHECK_CLOSE(t.least, 15, 0);

    const int64_t none[3] = {0, 0, 0}, all[3] = {7, 0, 0};
    CHECK_OK(sw_dem_chi_squared_make(3, none, NULL, &t));
    CHECK_CLOSE(t.chi_squared, 0, 0);
    CHECK_CLOSE(t.p_value, 1, 0);
    CHECK_OK(sw_dem_chi_squared_make(3, all, NULL, &t));
    CHECK_CLOSE(t.cramer, 1, 1e-14);
}

static void wrong_counts_are_refused(void **state)
{
    (void)state;
    const int64_t good[2] = {1, 2}, negative[2] = {1, -2};
    const double zero[2] = {3, 0}, nan[2] = {NAN, 3};
    sw_dem_chi_squared t;
    assert_int_equal(sw_dem_chi_squared_make(1, good, NULL, &t), SW_ERR_RANGE);
    assert_message_has("1 bins: need at least 2");
    assert_int_equal(sw_dem_chi_squared_make(2, negative, NULL, &t), SW_ERR_RANGE);
    assert_message_has("bin 1 counts -2");
    assert_int_equal(sw_dem_chi_squared_make(2, good, zero, &t), SW_ERR_RANGE);
    assert_message_has("bin 1 expects 0");
    assert_int_equal(sw_dem_chi_squared_make(2, good, nan, &t), SW_ERR_RANGE);

    sw_dem_fabric fabric;
    set(0, (double[3]){1, 0, 0}, 1);
    contact[0].b = 2;
    assert_int_equal(sw_dem_fabric_make(2, 1, contact, &fabric), SW_ERR_RANGE);
    assert_message_has("contact 0 is of particle 2: need 0 <= particle < 2");
    contact[0].b = -1;
    assert_int_equal(sw_dem_fabric_make(2, 1, contact, &fabric), SW_ERR_RANGE);
}

/* ---- Bins ---- */

/* The middle of each 5 degrees, and both of its ends but for 1e-9, lie in it, n and -n, whatever the height.
 */
static void plane_bins_are_five_degrees(void **state)
{
    (void)state;
    static const int axes[SW_DEM_PLANES][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    static const double within[3] = {1e-9, 0.5, 1 - 1e-9};
    for (int plane = 0; plane < SW_DEM_PLANES; plane++)
        for (int bin = 0; bin < BINS; bin++)
            for (int k = 0; k < 9; k++) {
                const double angle = (bin + within[k % 3]) * SW_PI / BINS, height = 0.45 * (k / 3);
                double n[3], minus[3];
                n[axes[plane][0]] = sqrt(1 - height * height) * cos(angle);
                n[axes[plane][1]] = sqrt(1 - height * height) * sin(angle);
                n[axes[plane][2]] = height;
                for (int i = 0; i < 3; i++)
                    minus[i] = -n[i];
                assert_int_equal(sw_dem_plane_bin(n, plane), bin);
                assert_int_equal(sw_dem_plane_bin(minus, plane), bin);
            }
    const double along_z[3] = {1e-17, 0, 1}, along_x[3] = {-1, 0, 0};
    assert_int_equal(sw_dem_plane_bin(along_z, 0), -1);
    assert_int_equal(sw_dem_plane_bin(along_z, 1), BINS / 2);
    assert_int_equal(sw_dem_plane_bin(along_x, 0), 0);
    assert_int_equal(sw_dem_plane_bin(along_x, 2), -1);
}

/* A net of points of equal area, latitudes by height: 180 heights and 720 longitudes of the half sphere, each
 * bin with exactly 180 720 / 36 of them when its borders are the net's own. -n goes where n does. */
static void sphere_cells_have_one_area(void **state)
{
    (void)state;
    int64_t count[BINS] = {0};
    for (int i = 0; i < 180; i++)
        for (int k = 0; k < 720; k++) {
            const double z = (i + 0.5) / 180, r = sqrt(1 - z * z), angle = (k + 0.5) * SW_PI / 360;
            const double n[3] = {r * cos(angle), r * sin(angle), z}, minus[3] = {-n[0], -n[1], -n[2]};
            const int bin = sw_dem_sphere_bin(n);
            assert_in_range(bin, 0, BINS - 1);
            assert_int_equal(sw_dem_sphere_bin(minus), bin);
            count[bin]++;
        }
    for (int i = 0; i < BINS; i++)
        assert_int_equal(count[i], 180 * 720 / BINS);
    const double x[3] = {1, 0, 0}, minus_x[3] = {-1, 0, 0}, y[3] = {0, 1, 0}, minus_y[3] = {0, -1, 0};
    assert_int_equal(sw_dem_sphere_bin(x), sw_dem_sphere_bin(minus_x));
    assert_int_equal(sw_dem_sphere_bin(y), sw_dem_sphere_bin(minus_y));
}

/* ---- Tensors ---- */

/* One direction: F = n n, the largest anisotropy there is. A cube's three edges: F = 1/3, none. Two
 * directions of different force. */
static void tensors_of_few_directions(void **state)
{
    (void)state;
    const double d[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
    for (int c = 0; c < 50; c++)
        set(c, d, 3);
    sw_dem_fabric f = made(50);
    const double six[SW_DEM_SIX] = {d[0] * d[0], d[1] * d[1], d[2] * d[2],
                                    d[1] * d[2], d[0] * d[2], d[0] * d[1]};
    for (int k = 0; k < SW_DEM_SIX; k++) {
        CHECK_CLOSE(f.fabric[k], six[k], 1e-15 * 50);
        CHECK_CLOSE(f.force_fabric[k], six[k], 1e-15 * 50);
    }
    CHECK_CLOSE(f.anisotropy, 7.5, 1e-13);
    CHECK_CLOSE(f.plane[0].test.cramer, 1, 1e-14); /* all in one bin */
    CHECK_CLOSE(f.sphere.test.chi_squared, 50 * 35, 1e-11);
    assert_int_equal(f.particles[50 < SW_DEM_MOST_CONTACTS ? 50 : SW_DEM_MOST_CONTACTS], 2);
    CHECK_CLOSE(f.coordination, 50, 0);

    for (int c = 0; c < 3; c++) {
        const double edge[3] = {c == 0, c == 1, c == 2};
        set(c, edge, c == 2 ? 4 : 1);
    }
    f = made(3);
    CHECK_CLOSE(f.anisotropy, 0, 1e-14);
    CHECK_CLOSE(f.force_fabric[0], 1.0 / 6, 1e-15);
    CHECK_CLOSE(f.force_fabric[2], 2.0 / 3, 1e-15);
    CHECK_CLOSE(f.force_anisotropy, 7.5 * 0.5, 1e-13); /* F_1 - F_3 */
    assert_int_equal(f.plane[0].test.counts, 2);       /* not the edge along the line of sight */
    assert_int_equal(f.sphere.test.counts, 3);

    f = made(0);
    CHECK_CLOSE(f.anisotropy, 0, 0);
    CHECK_CLOSE(f.sphere.test.p_value, 1, 0);
    CHECK_CLOSE(f.coordination, 0, 0);
    assert_int_equal(f.particles[0], 2);
}

/* Directions of normal numbers with deviations 1, 1, s have the density 1 / (4 pi s) (1 - z^2 + z^2 /
 * s^2)^(-3/2), whose mean z^2 is 1/c - asin(sqrt c) / (s c^(3/2)) with c = 1 - 1/s^2, and whose angle from x
 * in the plane x-z is below w in (0, pi) with the chance (tan^-1 of (tan w) / s) / pi. Five standard errors:
 * of a mean of squares in 0 .. 1 below sqrt(0.1 / C); chi^2 with the known shares has mean 35, deviation 8.4.
 */
static void gaussian_directions_have_their_fabric(void **state)
{
    (void)state;
    const double s = 1.7, c = 1 - 1 / (s * s), mean = 1 / c - asin(sqrt(c)) / (s * pow(c, 1.5));
    const double error = 5 * sqrt(0.1 / MOST);
    for (int i = 0; i < MOST; i++) {
        double n[3];
        gaussian_direction(s, n);
        set(i, n, 1);
    }
    const sw_dem_fabric f = made(MOST);
    CHECK_CLOSE(f.fabric[0] + f.fabric[1] + f.fabric[2], 1, 1e-12);
    CHECK_CLOSE(f.fabric[2], mean, error);
    CHECK_CLOSE(f.fabric[0], 0.5 * (1 - mean), error);
    CHECK_CLOSE(f.anisotropy, 7.5 * 0.5 * (3 * mean - 1), 7.5 * 2 * error);
    double expected[BINS], below = 0;
    for (int i = 0; i < BINS; i++) {
        const double w = (i + 1) * SW_PI / BINS, next = i == BINS - 1 ? 1 : atan2(sin(w) / s, cos(w)) / SW_PI;
        expected[i] = MOST * (next - below);
        below = next;
    }
    sw_dem_chi_squared t;
    CHECK_OK(sw_dem_chi_squared_make(BINS, f.plane[1].count, expected, &t));
    CHECK_CLOSE(t.chi_squared, 35, 5 * 8.4);
    assert_true(f.plane[1].test.p_value < 1e-100); /* against equal shares */
    assert_true(f.plane[0].test.p_value > 1e-6);   /* x and y are alike */
    /* mean square difference of the known shares from 1 / 36; that of a sample scatters by 2 / sqrt(C) of its
     * root */
    double square = 0;
    for (int i = 0; i < BINS; i++)
        square += pow(BINS * expected[i] / MOST - 1, 2) / BINS;
    CHECK_CLOSE(f.plane[1].test.excess, square, 5 * 2 * sqrt(square / MOST));
}

/* Forces 1 + cos 2w / 2 on a plane's equally spaced axes: means of bins in proportion, sums as integrals. */
static void forces_have_roses(void **state)
{
    (void)state;
    enum { N = 3600 };
    for (int c = 0; c < N; c++) {
        const double w = (c + 0.5) * SW_PI / N, n[3] = {cos(w), sin(w), 0};
        set(c, n, 1 + 0.5 * cos(2 * w));
        contact[c].force[0] -= 0.3 * n[1]; /* tangential: no part of it */
        contact[c].force[1] += 0.3 * n[0];
    }
    const sw_dem_fabric f = made(N);
    for (int i = 0; i < BINS; i++) {
        const double middle = (i + 0.5) * SW_PI / BINS,
                     half = SW_PI / BINS; /* mean of cos 2w: sin(half) / half */
        assert_int_equal(f.plane[0].count[i], N / BINS);
        CHECK_CLOSE(f.plane[0].force[i], 1 + 0.5 * cos(2 * middle) * sin(half) / half, 1e-5); /* 100 a bin */
    }
    CHECK_CLOSE(f.plane[0].test.chi_squared, 0, 0);
    CHECK_CLOSE(f.force_fabric[0], 0.5 + 0.125, 1e-12); /* mean of (1 + cos 2w / 2) cos^2 w */
    CHECK_CLOSE(f.fabric[0], 0.5, 1e-12);
}

static void particles_are_counted(void **state)
{
    (void)state;
    static const int32_t pairs[6][2] = {{0, 1}, {1, 2}, {1, 3},
                                        {3, 2}, {5, 1}, {2, 2}}; /* 2: its own image */
    for (int c = 0; c < 6; c++) {
        set(c, (double[3]){0, 0, 1}, 1);
        contact[c].a = pairs[c][0];
        contact[c].b = pairs[c][1];
    }
    sw_dem_fabric f;
    CHECK_OK(sw_dem_fabric_make(6, 6, contact, &f));
    static const int64_t expected[6] = {1, 2, 1, 0, 2, 0}; /* particle 4; 0 and 5; 3; ; 1 and 2 */
    for (int k = 0; k < 6; k++)
        assert_int_equal(f.particles[k], expected[k]);
    CHECK_CLOSE(f.coordination, 2, 0);
}

/* ---- Chance alone ---- */

/* Sets of N uniform directions: chi^2 of k bins has the mean k - 1 and the variance 2 (k - 1) (1 - 1/N), its
 * p-value any value alike. Five standard errors of M sets: of the mean sqrt(70 / M), of the variance 70
 * sqrt((2 + 12/35) / M); the largest distance of p-values from the straight line stays below 2.2 / sqrt(M)
 * but once in 10^4 (Kolmogorov). N = 720: 20 a bin; chi^2 is then close enough to its limit for that many
 * sets. */
static void uniform_directions_have_uniform_chances(void **state)
{
    (void)state;
    enum { N = 720, M = 3000, TESTS = SW_DEM_PLANES + 1 };
    static int64_t rank[TESTS][200];
    double sum[TESTS] = {0}, squares[TESTS] = {0};
    for (int m = 0; m < M; m++) {
        for (int c = 0; c < N; c++) {
            double n[3];
            uniform_direction(n);
            set(c, n, 1);
        }
        const sw_dem_fabric f = made(N);
        for (int k = 0; k < TESTS; k++) {
            const sw_dem_chi_squared *t = k < SW_DEM_PLANES ? &f.plane[k].test : &f.sphere.test;
            sum[k] += t->chi_squared;
            squares[k] += (t->chi_squared - 35) * (t->chi_squared - 35);
            const int place = (int)(200 * t->p_value);
            rank[k][place < 200 ? place : 199]++;
        }
    }
    for (int k = 0; k < TESTS; k++) {
        CHECK_CLOSE(sum[k] / M, 35, 5 * sqrt(70.0 / M));
        CHECK_CLOSE(squares[k] / M, 70 * (1 - 1.0 / N), 5 * 70 * sqrt((2 + 12.0 / 35) / M));
        double below = 0, distance = 0;
        for (int i = 0; i < 200; i++) {
            below += (double)rank[k][i] / M;
            distance = greatest(distance, fabs(below - (i + 1) / 200.0));
        }
        CHECK_CLOSE(distance, 0, 2.2 / sqrt(M));
    }
}

/* The sign of a normal says which particle came first, and changes nothing. */
static void signs_do_not_matter(void **state)
{
    (void)state;
    enum { N = 1000 };
    for (int c = 0; c < N; c++) {
        double n[3];
        uniform_direction(n);
        set(c, n, 1 + n[0]);
    }
    const sw_dem_fabric first = made(N);
    for (int c = 0; c < N; c += 3)
        for (int i = 0; i < 3; i++) {
            contact[c].normal[i] = -contact[c].normal[i];
            contact[c].force[i] = -contact[c].force[i];
        }
    const sw_dem_fabric second = made(N);
    assert_memory_equal(&first, &second, sizeof first);
}

/* ---- In results files ---- */

/* Element 0: two spheres that overlap along y by a hundredth of a radius, after their first step. Element 1:
 * the same, whose goal is out of reach. */
static sw_dem *two_elements(void)
{
    const double r = 1e-4;
    sw_dem_sample sample[2];
    sw_dem_stage stage[2];
    sw_dem *dem;
    const sw_dem_options options = sw_dem_defaults();
    for (int k = 0; k < 2; k++) {
        stage[k] = sw_dem_stage_defaults();
        stage[k].until = k == 0 ? SW_DEM_UNTIL_STEPS : SW_DEM_UNTIL_PRESSURE;
        stage[k].goal = k == 0 ? 1 : 1e12;
        stage[k].max_steps = 1;
        sample[k] = (sw_dem_sample){.packing = dem_pack(3, 8 * r, 8 * r, 8 * r),
                                    .material = sw_dem_quartz(),
                                    .numerics = sw_dem_numerics_defaults(),
                                    .n_stages = 1,
                                    .stage = &stage[k]};
        sample[k].numerics.control_interval = 1;
        for (int i = 0; i < 3; i++) {
            sample[k].packing.radius[i] = r;
            sample[k].packing.position[i][0] = sample[k].packing.position[i][1] = 2 * r;
            sample[k].packing.position[i][2] = i == 2 ? 6 * r : 2 * r;
        }
        sample[k].packing.position[1][1] += 1.99 * r;
    }
    CHECK_OK(sw_dem_open(&options, 2, sample, &dem));
    for (int k = 0; k < 2; k++)
        sw_dem_packing_free(&sample[k].packing);
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    return dem;
}

static void read_set(hid_t file, const char *name, int rank, const int64_t *shape, double *data)
{
    int64_t found[3] = {0};
    CHECK_OK(sw_h5_shape(file, name, rank, found));
    for (int i = 0; i < rank; i++)
        assert_int_equal(found[i], shape[i]);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, rank, shape, data));
}

static void results_have_the_fabric(void **state)
{
    (void)state;
    char path[] = "/tmp/slipwave-fabric-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    sw_dem *dem = two_elements();
    CHECK_OK(sw_dem_failure(dem, 0));
    assert_int_not_equal(sw_dem_failure(dem, 1), SW_OK);
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_dem_write_fabric(dem, 2, output.file));
    CHECK_OK(sw_h5_commit(&output));
    sw_dem_close(dem);

    hid_t file;
    CHECK_OK(sw_h5_open(path, 0, &file));
    double six[2][6], count[2][3][BINS], force[2][3][BINS], tests[2][4],
        particles[2][SW_DEM_MOST_CONTACTS + 1], one[2];
    read_set(file, "fabric/tensor", 2, (int64_t[]){2, 6}, &six[0][0]);
    read_set(file, "fabric/plane_count", 3, (int64_t[]){2, 3, BINS}, &count[0][0][0]);
    read_set(file, "fabric/plane_force", 3, (int64_t[]){2, 3, BINS}, &force[0][0][0]);
    read_set(file, "fabric/particles", 2, (int64_t[]){2, SW_DEM_MOST_CONTACTS + 1}, &particles[0][0]);
    read_set(file, "fabric/anisotropy", 1, (int64_t[]){2}, one);
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(six[0][k], k == 1, 1e-12);
    /* After a step of half r sqrt(rho / E), damped by 0.2, from rest: K dt^2 / m = 3 / (16 pi), for both
     * spheres. */
    const double kn = 4.3e9 * 1e-4, overlap = 0.01e-4 * (1 - 2 * 0.8 * 3 / (16 * SW_PI));
    /* y is in the middle of x-y, at the beginning of y-z, and no angle of x-z */
    for (int i = 0; i < BINS; i++) {
        CHECK_CLOSE(count[0][0][i], i == BINS / 2, 0);
        CHECK_CLOSE(count[0][1][i], 0, 0);
        CHECK_CLOSE(count[0][2][i], i == 0, 0);
        CHECK_CLOSE(force[0][0][i] / (kn * overlap), i == BINS / 2, 1e-10); /* 1.99 r is not exact */
    }
    CHECK_CLOSE(particles[0][0], 1, 0);
    CHECK_CLOSE(particles[0][1], 2, 0);
    CHECK_CLOSE(one[0], 7.5, 1e-11);
    assert_true(isnan(one[1]) && isnan(six[1][0]) && isnan(count[1][2][35]) && isnan(particles[1][0]));
    /* one count: chi^2 = 35; x-z has none; the fourth is the sphere's */
    read_set(file, "fabric/counts", 2, (int64_t[]){2, 4}, &tests[0][0]);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(tests[0][k], k != 1, 0);
    read_set(file, "fabric/chi_squared", 2, (int64_t[]){2, 4}, &tests[0][0]);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(tests[0][k], k == 1 ? 0 : 35, 1e-12);
    read_set(file, "fabric/p_value", 2, (int64_t[]){2, 4}, &tests[0][0]);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(tests[0][k], k == 1 ? 1 : 0.46820272447140193, 1e-12);
    static const char *const others[] = {"force_tensor", "force_anisotropy", "sphere_count", "sphere_force",
                                         "reduced",      "cramer",           "excess"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char name[64];
        snprintf(name, sizeof name, "fabric/%s", others[i]);
        assert_true(H5Lexists(file, name, H5P_DEFAULT) > 0);
    }
    H5Fclose(file);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_scipys),
        cmocka_unit_test(statistics_by_hand),
        cmocka_unit_test(wrong_counts_are_refused),
        cmocka_unit_test(plane_bins_are_five_degrees),
        cmocka_unit_test(sphere_cells_have_one_area),
        cmocka_unit_test(tensors_of_few_directions),
        cmocka_unit_test(gaussian_directions_have_their_fabric),
        cmocka_unit_test(forces_have_roses),
        cmocka_unit_test(particles_are_counted),
        cmocka_unit_test(uniform_directions_have_uniform_chances),
        cmocka_unit_test(signs_do_not_matter),
        cmocka_unit_test(results_have_the_fabric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
