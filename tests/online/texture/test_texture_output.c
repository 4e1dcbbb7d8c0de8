/* Textures in results files, from crystals and from a histogram. */
#include "test_texture.h"
#include "texture_index.h"
#include "common/files/hdf5_io.h"
#include "online/texture/texture_output.h"

/* ---- The results file ---- */

enum { SIDE = 101 };

/* Of a crystal's largest density: series/test_odf_series.c. */
#define ACCURACY 5e-4

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

static void axes_are_written_where_they_are(void **state)
{
    (void)state;
    /* One crystal turned by 20 degrees about axis 3: {100} poles at 20 and 110 degrees on the rim, and in the
     * middle. Seen from the crystal, sample axis 1 is at -20 degrees, which equals 20. */
    static float figure[SIDE][SIDE], odf[19][19][37];
    const int64_t shape[3] = {19, 19, 37};
    const vector euler[1] = {{20 * DEGREE, 0, 0}};
    const double w = 20 * DEGREE;
    hid_t file = memory_file();
    ok(sw_texture_write(file, &sw_lattice_fcc, NAN, 1, euler, NULL, 1));
    read_figure(file, "pole_figure/100", figure);
    /* Just inside the rim, 48 and 16 pixels of 50: within a degree or so of the poles. */
    const int x = (int)lround(49 * cos(w)), y = (int)lround(49 * sin(w));
    assert_true(figure[50 + y][50 + x] > 20);
    assert_true(figure[50 + x][50 - y] > 20);
    assert_true(figure[50 - y][50 + x] < 1);
    near(figure[50][50], two_ends(1, 162) / 3, ACCURACY * 163 / 2 / 3);
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
        near(odf[k][0][4 - k], single_orientation(162), ACCURACY * single_orientation(162));
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
static void means_over_figures_are_one(void **state)
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
    ok(sw_texture_write(group, &sw_lattice_fcc, NAN, N, (vectors)euler, NULL, N));
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

/* Of body-centred metals {110}, {200} and {211}, the first two as of others, and their components. */
static void bcc_figures_are_theirs(void **state)
{
    (void)state;
    enum { N = 50 };
    static float figure[2][SIDE][SIDE];
    static const char *const same[][2] = {{"pole_figure/110", "pole_figure/110"},
                                          {"pole_figure/200", "pole_figure/100"}};
    srand48(8);
    vector *euler = vectors_of(N, random_orientation);
    hid_t file = memory_file(), bcc, fcc;
    double fraction[14];
    char *names;
    ok(sw_h5_group(file, "bcc", &bcc));
    ok(sw_h5_group(file, "fcc", &fcc));
    ok(sw_texture_write(bcc, &sw_lattice_bcc24, NAN, N, (vectors)euler, NULL, N));
    ok(sw_texture_write(fcc, &sw_lattice_fcc, NAN, N, (vectors)euler, NULL, N));
    for (int k = 0; k < 2; k++) {
        read_figure(bcc, same[k][0], figure[0]);
        read_figure(fcc, same[k][1], figure[1]);
        assert_memory_equal(figure[0], figure[1], sizeof figure[0]);
    }
    read_figure(bcc, "pole_figure/211", figure[0]);
    const double up[1][3] = {{0, 0, 1}};
    double density;
    ok(sw_pole_figure(&sw_point_group_432, N, (vectors)euler, NULL, (const double[]){2, 1, 1},
                      sw_texture_kappa(7.5 * DEGREE), 1, up, &density));
    near(figure[0][SIDE / 2][SIDE / 2], density, ACCURACY * 163 / 2 / 12); /* if all poles were here */
    assert_int_equal(sw_h5_exists(bcc, "pole_figure/111"), 0);
    ok(sw_h5_read(bcc, "component_fraction", H5T_NATIVE_DOUBLE, 1, (const int64_t[]){14}, fraction));
    hid_t set = H5Dopen2(bcc, "component_fraction_random", H5P_DEFAULT);
    ok(sw_h5_read_text(set, "names", &names));
    assert_string_equal(names, "alpha,gamma,rotated_cube,I,E,F,Goss,Cube,shear_111,shear_110,shear_E,shear_D,"
                               "shear_J,shear_F");
    free(names);
    H5Dclose(set);
    H5Gclose(bcc);
    H5Gclose(fcc);
    H5Fclose(file);
    free(euler);
}

/* ---- Of many crystals ---- */

/* Pictures are the same whether crystals come as angles and weights or were counted where they are; of many there is a
 * histogram too. Weights 1 and 2 are exact in both. */
static void counted_crystals_make_the_same_pictures(void **state)
{
    (void)state;
    enum { N = SW_TEXTURE_CRYSTALS + 1, BINS = SW_HISTOGRAM_SIDE };
    static sw_crystal crystal[N];
    static float part[N];
    static uint64_t count[BINS * BINS * BINS];
    static float figure[2][SIDE][SIDE];
    static double weight[N];
    srand48(40);
    vector *euler = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++) {
        weight[n] = 1 + n % 2;
        part[n] = (float)weight[n] / 2;
        for (int i = 0; i < 3; i++)
            euler[n][i] = crystal[n].euler[i] = (float)euler[n][i];
    }
    sw_orientation_histogram *h;
    ok(sw_orientation_histogram_create(&sw_lattice_fcc, &h));
    h->heaviest = 1;
    ok(sw_orientation_histogram_add(h, N, crystal, part));
    hid_t file = memory_file(), group[2];
    ok(sw_h5_group(file, "texture/0", &group[0]));
    ok(sw_h5_group(file, "texture/1", &group[1]));
    ok(sw_texture_write(group[0], &sw_lattice_fcc, NAN, N, (vectors)euler, weight, N));
    ok(sw_texture_write_histogram(group[1], h, NAN, N));
    double fraction[2][13], index[2], bin;
    for (int k = 0; k < 2; k++) {
        read_figure(group[k], "pole_figure/111", figure[k]);
        ok(sw_h5_read(group[k], "component_fraction", H5T_NATIVE_DOUBLE, 1, (const int64_t[]){13},
                      fraction[k]));
        ok(sw_h5_read(group[k], "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index[k]));
        ok(sw_h5_read(group[k], "odf_histogram", H5T_NATIVE_UINT64, 3, (const int64_t[]){BINS, BINS, BINS},
                      count));
        assert_memory_equal(count, h->count, sizeof count);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        if (!isnan(figure[0][i / SIDE][i % SIDE]))
            near(figure[0][i / SIDE][i % SIDE], figure[1][i / SIDE][i % SIDE], 1e-6);
    for (int k = 0; k < 13; k++)
        near(fraction[0][k], fraction[1][k], 1e-12);
    near(index[0], index[1], 1e-6);
    hid_t set = H5Dopen2(group[1], "odf_histogram", H5P_DEFAULT);
    ok(sw_h5_read_numbers(set, "bin_degrees", 1, &bin));
    near(bin, 1.25, 0);
    H5Dclose(set);
    sw_orientation_histogram_destroy(h);
    H5Gclose(group[0]);
    H5Gclose(group[1]);
    H5Fclose(file);
    free(euler);
}

/* Nothing to show, and one crystal. */
static void few_crystals_have_no_index(void **state)
{
    (void)state;
    const sw_crystal crystal = {{1, 2, 3}, 16e6F};
    sw_orientation_histogram *h;
    hid_t file = memory_file(), none, one;
    double single;
    ok(sw_orientation_histogram_create(&sw_lattice_fcc, &h));
    ok(sw_h5_group(file, "texture/2", &none));
    assert_int_equal(sw_texture_write_histogram(none, h, NAN, 0), SW_ERR_RANGE);
    assert_int_equal(sw_texture_write(none, &sw_lattice_fcc, NAN, 0, NULL, NULL, 0), SW_ERR_RANGE);
    ok(sw_orientation_histogram_add(h, 1, &crystal, NULL));
    ok(sw_h5_group(file, "texture/3", &one));
    ok(sw_texture_write_histogram(one, h, NAN, 1));
    ok(sw_h5_read(one, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &single));
    assert_true(isnan(single));
    assert_int_equal(sw_h5_exists(one, "odf_histogram"), 0);
    sw_orientation_histogram_destroy(h);
    H5Gclose(none);
    H5Gclose(one);
    H5Fclose(file);
}

/* The index of few crystals is a small difference of large densities, of which a series is off by 5e-4: it is within 0.08
 * over M - 1 of the sum's, never below 0, or left out. */
static void index_of_few_crystals_is_near_or_none(void **state)
{
    (void)state;
    static const double euler[5][3] = {
        {0.1, 0.2, 0.3}, {1.1, 0.9, 0.4}, {2.3, 0.5, 1.2}, {0.7, 1.4, 0.2}, {2.9, 0.8, 0.6}};
    static const struct {
        int n, none;
        double weight[5];
    } c[] = {{3, 1, {1, 1e-3, 1e-3}},
             {2, 1, {1, 1}},
             {3, 0, {1, 1, 1}},
             {5, 0, {1, 1, 1, 1, 1}},
             {5, 0, {1, 0.8, 0.9, 0.7, 1}}};
    const int kappa = sw_texture_kappa(7.5 * DEGREE);
    hid_t file = memory_file();
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        double total = 0, squares = 0, exact, index;
        char name[24];
        hid_t group;
        for (int i = 0; i < c[k].n; i++) {
            total += c[k].weight[i];
            squares += c[k].weight[i] * c[k].weight[i];
        }
        const double m = total * total / squares;
        snprintf(name, sizeof name, "texture/%d", (int)k);
        ok(sw_h5_group(file, name, &group));
        ok(sw_texture_write(group, &sw_lattice_fcc, NAN, c[k].n, euler, c[k].weight, m));
        ok(sw_h5_read(group, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index));
        H5Gclose(group);
        if (c[k].none) {
            assert_true(isnan(index));
            continue;
        }
        ok(texture_index(&sw_point_group_432, c[k].n, euler, c[k].weight, m, kappa, &exact));
        assert_true(index >= 0);
        near(index, exact, 0.08 / (m - 1));
    }
    H5Fclose(file);
}

/* All that is written, against sums over crystals: to 1e-3 of the largest density, weights included. */
static void pictures_are_those_of_sums(void **state)
{
    (void)state;
    enum { N = 500 };
    static float figure[SIDE][SIDE], odf[19 * 19 * 37];
    double weight[N], exact, largest = 0, index[2], squares = 0, total = 0;
    srand48(41);
    vector *euler = vectors_of(N, random_orientation);
    for (int n = 0; n < N; n++) {
        weight[n] = exp(2 * drand48());
        total += weight[n];
        squares += weight[n] * weight[n];
        for (int i = 0; i < 3; i++)
            euler[n][i] = (float)(n % 2 ? euler[n][i] : 0.3 + 0.1 * drand48());
    }
    const int kappa = sw_texture_kappa(7.5 * DEGREE);
    hid_t file = memory_file();
    ok(sw_texture_write(file, &sw_lattice_fcc, NAN, N, (vectors)euler, weight, total * total / squares));
    for (int f = 0; f < 2; f++) {
        read_figure(file, f ? "inverse_pole_figure/axis_2" : "pole_figure/110", figure);
        for (int i = 0; i < SIDE * SIDE; i++)
            largest = greatest(largest, isnan(figure[i / SIDE][i % SIDE]) ? 0 : figure[i / SIDE][i % SIDE]);
        for (int j = 5; j < SIDE; j += 15)
            for (int i = 5; i < SIDE; i += 15) {
                const double x = (i - 50) / 50.0, y = (j - 50) / 50.0, r2 = x * x + y * y;
                const vector at[1] = {{x * sqrt(2 - r2), y * sqrt(2 - r2), 1 - r2}};
                if (r2 > 1)
                    continue;
                ok(f ? sw_inverse_pole_figure(&sw_point_group_432, N, (vectors)euler, weight,
                                              (const double[]){0, 1, 0}, kappa, 1, at, &exact)
                     : sw_pole_figure(&sw_point_group_432, N, (vectors)euler, weight,
                                      (const double[]){1, 1, 0}, kappa, 1, at, &exact));
                near(figure[j][i], exact, 1e-3 * largest);
            }
    }
    ok(sw_h5_read(file, "odf", H5T_NATIVE_FLOAT, 3, (const int64_t[]){19, 19, 37}, odf));
    for (int i = 0; i < 19 * 19 * 37; i++)
        largest = greatest(largest, odf[i]);
    for (int i = 0; i < 19 * 19 * 37; i += 97) {
        const vector at[1] = {{i % 37 * 5 * DEGREE, i / 37 % 19 * 5 * DEGREE, i / 37 / 19 * 5 * DEGREE}};
        ok(sw_odf(&sw_point_group_432, N, (vectors)euler, weight, SW_SAMPLE_TRICLINIC, kappa, 1, at, &exact));
        near(odf[i], exact, 1e-3 * largest);
    }
    ok(texture_index(&sw_point_group_432, N, (vectors)euler, weight, total * total / squares, kappa,
                     &index[0]));
    ok(sw_h5_read(file, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index[1]));
    near(index[1], index[0], 1e-3 * index[0]);
    H5Fclose(file);
    free(euler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_written_where_they_are),
        cmocka_unit_test(means_over_figures_are_one),
        cmocka_unit_test(bcc_figures_are_theirs),
        cmocka_unit_test(counted_crystals_make_the_same_pictures),
        cmocka_unit_test(few_crystals_have_no_index),
        cmocka_unit_test(index_of_few_crystals_is_near_or_none),
        cmocka_unit_test(pictures_are_those_of_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
