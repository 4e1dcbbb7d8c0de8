/* Textures in results files, from crystals and from a histogram. */
#include "test_texture.h"
#include "common/files/hdf5_io.h"
#include "online/texture/texture_output.h"

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
    ok(sw_texture_write(file, SW_FCC, 1, euler, NULL, 1));
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
    ok(sw_texture_write(group, SW_FCC, N, (vectors)euler, NULL, N));
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
    ok(sw_texture_write(bcc, SW_BCC24, N, (vectors)euler, NULL, N));
    ok(sw_texture_write(fcc, SW_FCC, N, (vectors)euler, NULL, N));
    for (int k = 0; k < 2; k++) {
        read_figure(bcc, same[k][0], figure[0]);
        read_figure(fcc, same[k][1], figure[1]);
        assert_memory_equal(figure[0], figure[1], sizeof figure[0]);
    }
    read_figure(bcc, "pole_figure/211", figure[0]);
    const double up[1][3] = {{0, 0, 1}};
    double density;
    ok(sw_pole_figure(N, (vectors)euler, NULL, (const int[]){2, 1, 1}, sw_texture_kappa(7.5 * DEGREE), 1, up,
                      &density));
    near(figure[0][SIDE / 2][SIDE / 2], density, 1e-6 * density);
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

/* ---- From a histogram ---- */

/* The sources' attribute, which is also what tells them apart. */
static void check_source(hid_t group, const char *expected)
{
    char *source;
    ok(sw_h5_read_text(group, "source", &source));
    assert_string_equal(source, expected);
    free(source);
}

/* The pictures hold the same whichever way they come: to the bound of check_densities in
 * test_orientation_histogram.c for single pixels, in the mean of squares to its standard deviation (`shift`,
 * M = 1), and half a per cent for the rounding of kappa. */
static void check_pictures(hid_t from_crystals, hid_t from_histogram, int64_t n)
{
    static const char *const name[] = {"pole_figure/111",
                                       "pole_figure/100",
                                       "pole_figure/110",
                                       "inverse_pole_figure/axis_1",
                                       "inverse_pole_figure/axis_2",
                                       "inverse_pole_figure/axis_3"};
    static float figure[2][SIDE][SIDE], odf[2][19 * 19 * 37];
    const int64_t shape[3] = {19, 19, 37};
    const double step = 1.25 * DEGREE;
    const double shift = sqrt(163.0 * 163 / 325 / 2 / (double)n * 162 / 2 * step * step / 12);
    for (int k = 0; k < 6; k++) {
        double square = 0;
        read_figure(from_crystals, name[k], figure[0]);
        read_figure(from_histogram, name[k], figure[1]);
        for (int i = 0; i < SIDE * SIDE; i++) {
            const double a = figure[0][i / SIDE][i % SIDE], b = figure[1][i / SIDE][i % SIDE];
            assert_int_equal(isnan(a), isnan(b));
            square += isnan(a) ? 0 : (a - b) * (a - b) / 7845;
        }
        near(sqrt(square), 0, shift + 0.005);
    }
    double square = 0;
    ok(sw_h5_read(from_crystals, "odf", H5T_NATIVE_FLOAT, 3, shape, odf[0]));
    ok(sw_h5_read(from_histogram, "odf", H5T_NATIVE_FLOAT, 3, shape, odf[1]));
    for (int i = 0; i < 19 * 19 * 37; i++)
        square += pow(odf[0][i] - odf[1][i], 2) / (19 * 19 * 37);
    const double mean_square = peak(162) * peak(162) / peak(324) / 24;
    near(sqrt(square), 0,
         1.5 *
             sqrt(mean_square / (double)n * 3 * 162 / 4 * step * step / 12)); /* points at Phi = 0 are one */
}

static void a_histogram_is_written_as_crystals_are(void **state)
{
    (void)state;
    enum { N = 2000, BINS = SW_HISTOGRAM_SIDE };
    srand48(40);
    vector *euler = vectors_of(N, random_orientation);
    static sw_crystal crystal[N];
    static uint64_t count[BINS * BINS * BINS];
    for (int n = 0; n < N; n++)
        for (int i = 0; i < 3; i++)
            euler[n][i] = crystal[n].euler[i] = (float)euler[n][i];
    sw_orientation_histogram *h;
    ok(sw_orientation_histogram_create(SW_FCC, &h));
    ok(sw_orientation_histogram_add(h, N, crystal, NULL));
    hid_t file = memory_file(), group[2];
    ok(sw_h5_group(file, "texture/0", &group[0]));
    ok(sw_h5_group(file, "texture/1", &group[1]));
    ok(sw_texture_write(group[0], SW_FCC, N, (vectors)euler, NULL, N));
    ok(sw_texture_write_histogram(group[1], h, (double)h->n_crystals));
    check_source(group[0], "crystals");
    check_source(group[1], "histogram");
    check_pictures(group[0], group[1], N);
    double fraction[2][13], index[2], bin;
    for (int k = 0; k < 2; k++) {
        ok(sw_h5_read(group[k], "component_fraction", H5T_NATIVE_DOUBLE, 1, (const int64_t[]){13},
                      fraction[k]));
        ok(sw_h5_read(group[k], "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index[k]));
    }
    for (int k = 0; k < 13; k++)
        near(fraction[0][k], fraction[1][k], 1e-12); /* no crystal of this seed is at the limit */
    near(index[0], index[1], 6 * sqrt(2.0 / N) * sqrt(peak(162) * peak(162) / peak(324) / 24 / N));
    ok(sw_h5_read(group[1], "odf_histogram", H5T_NATIVE_UINT64, 3, (const int64_t[]){BINS, BINS, BINS},
                  count));
    assert_memory_equal(count, h->count, sizeof count);
    hid_t set = H5Dopen2(group[1], "odf_histogram", H5P_DEFAULT);
    ok(sw_h5_read_numbers(set, "bin_degrees", 1, &bin));
    near(bin, 1.25, 0);
    H5Dclose(set);
    /* Nothing to show, and one crystal. */
    hid_t none, one;
    double single;
    sw_orientation_histogram_clear(h);
    ok(sw_h5_group(file, "texture/2", &none));
    assert_int_equal(sw_texture_write_histogram(none, h, (double)h->n_crystals), SW_ERR_RANGE);
    ok(sw_orientation_histogram_add(h, 1, crystal, NULL));
    ok(sw_h5_group(file, "texture/3", &one));
    ok(sw_texture_write_histogram(one, h, (double)h->n_crystals));
    ok(sw_h5_read(one, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &single));
    assert_true(isnan(single));
    sw_orientation_histogram_destroy(h);
    H5Gclose(group[0]);
    H5Gclose(group[1]);
    H5Gclose(none);
    H5Gclose(one);
    H5Fclose(file);
    free(euler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_written_where_they_are),
        cmocka_unit_test(means_over_figures_are_one),
        cmocka_unit_test(bcc_figures_are_theirs),
        cmocka_unit_test(a_histogram_is_written_as_crystals_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
