/* Textures of hexagonal crystals: their poles, components, Kearns factors and sections, against angles by hand. */
#include <string.h>

#include "test_texture.h"

#include "common/files/hdf5_io.h"
#include "common/math/quaternion.h"
#include "online/texture/crystal_draw.h"
#include "online/texture/texture_output.h"

#define C_OVER_A 1.624 /* magnesium */
static const sw_lattice *const hexagonal = &sw_lattice_hexagonal;

static hid_t memory_file(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(H5Pset_fapl_core(access, 1 << 20, 0) >= 0);
    hid_t file = H5Fcreate("hexagonal", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

/* ---- Poles ---- */

enum { SIDE = 101, HALF = 50 };

/* Density of a pole figure at so many degrees from axis 3, by azimuth: of the nearest pixel, 1.7 degrees off at most. */
static double at(float figure[SIDE][SIDE], double polar, double azimuth)
{
    const double r = sqrt(1 - cos(polar * DEGREE)) * HALF;
    return figure[HALF + (int)lround(r * sin(azimuth * DEGREE))]
                 [HALF + (int)lround(r * cos(azimuth * DEGREE))];
}

static void read_figure(hid_t file, const char *name, float figure[SIDE][SIDE])
{
    ok(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){SIDE, SIDE}, figure));
}

/* The crystal's axes along the sample's: a1 along 1. {0002} in the middle; {10-10} at the rim, 30 degrees from a1 and every 60;
 * {10-11} there atan(2 c/a / sqrt 3) from the middle, 61.93 degrees. Peaks of n poles are 163 / 2 / n high, at 4 degrees
 * from one half of it is left at least, at 20 less than a hundredth. */
static void poles_are_where_c_over_a_puts_them(void **state)
{
    (void)state;
    static float figure[SIDE][SIDE];
    const vector euler[1] = {{0, 0, 0}};
    const double tilt = atan(2 * C_OVER_A / sqrt(3)) / DEGREE;
    hid_t file = memory_file();
    ok(sw_texture_write(file, hexagonal, C_OVER_A, 1, euler, NULL, 1));
    read_figure(file, "pole_figure/0002", figure);
    near(at(figure, 0, 0), 163 / 2., 0.1);
    read_figure(file, "pole_figure/10-10", figure);
    for (int k = 0; k < 6; k++) {
        assert_true(at(figure, 88, 30 + 60 * k) > 163 / 2. / 3 / 2);
        assert_true(at(figure, 88, 60 * k) < 163 / 2. / 3 / 100);
    }
    read_figure(file, "pole_figure/10-11", figure);
    near(tilt, 61.93, 0.01);
    for (int k = 0; k < 6; k++) {
        assert_true(at(figure, tilt, 30 + 60 * k) > 163 / 2. / 6 / 2);
        assert_true(at(figure, tilt - 20, 30 + 60 * k) < 163 / 2. / 6 / 100);
    }
    H5Fclose(file);
}

/* Angles between c and the normals of planes, and between planes and directions, by hand: tan = l' c/a over l. */
static void indices_are_vectors(void **state)
{
    (void)state;
    static const struct {
        double hkl[4], tangent; /* over c/a */
    } plane[] = {{{1, 0, -1, 1}, 2 / 1.7320508075688772},
                 {{1, 0, -1, 2}, 1 / 1.7320508075688772},
                 {{1, 1, -2, 2}, 1},
                 {{2, -1, -1, 1}, 2}};
    double normal[3], direction[3];
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++) {
        sw_lattice_vectors(hexagonal, C_OVER_A, plane[i].hkl, (double[]){0, 0, 0, 1}, normal, direction);
        near(hypot(normal[0], normal[1]) / normal[2], plane[i].tangent * C_OVER_A, 1e-12);
        near(direction[2], C_OVER_A, 1e-15);
    }
    /* a1 along x; <11-23> is a + c, tan = a / c */
    sw_lattice_vectors(hexagonal, C_OVER_A, (double[]){0, 0, 0, 1}, (double[]){2, -1, -1, 3}, normal,
                       direction);
    near(direction[0] / direction[2], 1 / C_OVER_A, 1e-12);
    near(direction[1], 0, 1e-15);
    sw_lattice_vectors(&sw_lattice_tetragonal, 0.5, (double[]){1, 0, 1, 0}, (double[]){1, 0, 1, 0}, normal,
                       direction);
    near(normal[2] / normal[0], 2, 1e-15);
    near(direction[2] / direction[0], 0.5, 1e-15);
}

/* Sections of 60 degrees of phi2, the last as the first. */
static void sections_are_of_sixty_degrees(void **state)
{
    (void)state;
    static float odf[13][19][37];
    const vector euler[1] = {{40 * DEGREE, 30 * DEGREE, 10 * DEGREE}};
    hid_t file = memory_file();
    ok(sw_texture_write(file, hexagonal, C_OVER_A, 1, euler, NULL, 1));
    ok(sw_h5_read(file, "odf", H5T_NATIVE_FLOAT, 3, (int64_t[]){13, 19, 37}, odf));
    near(odf[2][6][8], peak(162) / 12, 5e-4 * peak(162) / 12);
    for (int j = 0; j < 19; j++)
        for (int i = 0; i < 37; i++)
            near(odf[12][j][i], odf[0][j][i], 1e-4 * peak(162) / 12);
    H5Fclose(file);
}

/* ---- Kearns factors ---- */

static void read_kearns(const sw_lattice *lattice, int64_t n, vectors euler, const double *weight,
                        double factor[3])
{
    hid_t file = memory_file();
    ok(sw_texture_write(file, lattice, C_OVER_A, n, euler, weight, (double)n));
    ok(sw_h5_read(file, "kearns_factor", H5T_NATIVE_DOUBLE, 1, (int64_t[]){3}, factor));
    H5Fclose(file);
}

/* c = (sin phi1 sin Phi, -cos phi1 sin Phi, cos Phi). Harmonics of degree 2 are off by 7.5e-7 of 400 single
 * crystals' at most. */
#define SERIES 2e-6

static void kearns_factors_are_mean_squares(void **state)
{
    (void)state;
    double factor[3];
    const vector two[2] = {{30 * DEGREE, 50 * DEGREE, 70 * DEGREE}, {200 * DEGREE, 90 * DEGREE, 10 * DEGREE}};
    const double weight[2] = {3, 1};
    read_kearns(hexagonal, 1, two, NULL, factor);
    const double s = sin(50 * DEGREE), c = cos(50 * DEGREE);
    near(factor[0], 0.25 * s * s, SERIES);
    near(factor[1], 0.75 * s * s, SERIES);
    near(factor[2], c * c, SERIES);
    read_kearns(hexagonal, 2, two, weight, factor);
    const double x = sin(200 * DEGREE), y = cos(200 * DEGREE);
    near(factor[0], (3 * 0.25 * s * s + x * x) / 4, SERIES);
    near(factor[1], (3 * 0.75 * s * s + y * y) / 4, SERIES);
    near(factor[2], 3 * c * c / 4, SERIES);
    near(factor[0] + factor[1] + factor[2], 1, 1e-12);
    read_kearns(&sw_lattice_tetragonal, 1, two, NULL, factor);
    near(factor[2], c * c, SERIES);
}

/* Of N at random the mean of a cosine's square, variance 4/45, scatters by sqrt(4 / 45 / N) about 1/3. */
static void kearns_factors_of_random_crystals_are_thirds(void **state)
{
    (void)state;
    enum { N = 20000 };
    double factor[3];
    srand48(5);
    vector *euler = vectors_of(N, random_orientation);
    read_kearns(hexagonal, N, (vectors)euler, NULL, factor);
    for (int i = 0; i < 3; i++)
        near(factor[i], 1 / 3., 5 * sqrt(4 / 45. / N));
    free(euler);
}

static void cubic_crystals_have_none(void **state)
{
    (void)state;
    const vector euler[1] = {{0, 0, 0}};
    hid_t file = memory_file();
    ok(sw_texture_write(file, &sw_lattice_fcc, NAN, 1, euler, NULL, 1));
    assert_false(sw_h5_exists(file, "kearns_factor"));
    H5Fclose(file);
}

/* ---- Components ---- */

static int find(const char *name)
{
    for (int i = 0; i < hexagonal->n_ideals; i++)
        if (strcmp(hexagonal->ideal[i].name, name) == 0)
            return i;
    fail_msg("no component %s", name);
    return -1;
}

/* Orientations and the components that they are, and no other within 1 degree. c = (sin phi1 sin Phi, -cos phi1 sin Phi,
 * cos Phi); RD is a1 cos phi2 ... in the crystal at phi1 = 0. */
static void components_are_textbook_angles(void **state)
{
    (void)state;
    static const struct {
        double degrees[3];
        const char *name[5];
    } known[] = {{{7, 0, 0}, {"basal"}},
                 {{0, 0, 0}, {"basal", "11-20_RD", "shear_P"}},
                 {{0, 0, 30}, {"basal", "10-10_RD"}},
                 {{90, 15, 8}, {"split_RD"}},
                 {{-90, 15, 47}, {"split_RD"}},
                 {{0, 30, 5}, {"split_TD"}},
                 {{180, 30, 45}, {"split_TD"}},
                 {{0, 40, 30}, {"TD40_10-10", "10-10_RD"}},
                 {{180, 40, 90}, {"TD40_10-10", "10-10_RD"}},
                 {{0, 40, 0}, {"11-20_RD", "shear_P"}},
                 {{90, 90, 10}, {"c_RD"}},
                 {{0, 90, 10}, {"c_TD", "shear_B"}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double fraction[SW_POINT_GROUP_ORDER];
        vector euler[1];
        int wanted = 0, found = 0;
        for (int k = 0; k < 3; k++)
            euler[0][k] = known[i].degrees[k] * DEGREE;
        for (int k = 0; k < 5 && known[i].name[k] != NULL; k++)
            wanted |= 1 << find(known[i].name[k]);
        ok(sw_component_fractions(hexagonal, 1, (vectors)euler, NULL, 1 * DEGREE, fraction));
        for (int k = 0; k < hexagonal->n_ideals; k++)
            found |= (fraction[k] == 1) << k;
        if (found != wanted)
            fail_msg("orientation %zu: components %x: need %x", i, (unsigned)found, (unsigned)wanted);
    }
}

/* Caps of 15 degrees: of one axis c, of two split ones, of three <10-10>; and what a million crystals have near them, by the
 * histogram as well. */
static void random_fractions_are_caps(void **state)
{
    (void)state;
    enum { N = 200000 };
    const double cap = 1 - cos(15 * DEGREE);
    double random[SW_HISTOGRAM_COMPONENTS], fraction[SW_HISTOGRAM_COMPONENTS];
    ok(sw_component_fractions_random(hexagonal, 15 * DEGREE, random));
    near(random[find("basal")], cap, 0.002 * cap);
    near(random[find("split_TD")], 2 * cap, 0.004 * cap);
    near(random[find("10-10_RD")], 3 * cap, 0.006 * cap);
    srand48(9);
    vector *euler = vectors_of(N, random_orientation);
    sw_crystal *crystal = calloc(N, sizeof *crystal);
    assert_non_null(crystal);
    for (int n = 0; n < N; n++)
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)euler[n][i];
    ok(sw_component_fractions(hexagonal, N, (vectors)euler, NULL, 15 * DEGREE, fraction));
    sw_orientation_histogram *h;
    ok(sw_orientation_histogram_create(hexagonal, &h));
    ok(sw_orientation_histogram_add(h, N, crystal, NULL));
    for (int k = 0; k < hexagonal->n_ideals; k++) {
        near(fraction[k], random[k], 5 * sqrt(random[k] / N) + 2e-3 * random[k]);
        near((double)h->component[k] / N, fraction[k], 20. / N); /* at the limit */
    }
    sw_orientation_histogram_destroy(h);
    free(crystal);
    free(euler);
}

/* ---- Bins ---- */

/* The twelve equivalents of an orientation are counted in one bin, but within 1e-5 of its borders in a hundred; 30 degrees about c
 * are another. Bins of phi2's turn hold 60 degrees: all crystals turned about c alone are in the row of bins along r_3. */
static void equivalents_are_in_one_bin(void **state)
{
    (void)state;
    enum { N = 2000 };
    sw_torus_group group;
    int apart = 0;
    sw_torus_group_make(hexagonal->group, &group);
    srand48(12);
    for (int n = 0; n < N; n++) {
        double euler[3], q[4], same[4];
        random_orientation(euler);
        sw_quaternion_from_euler(euler, q);
        int32_t first = 0;
        for (int i = 0; i < 12; i++) {
            sw_quaternion_product(q, hexagonal->group->q[i], same);
            const float single[4] = {(float)same[0], (float)same[1], (float)same[2], (float)same[3]};
            const int32_t bin = sw_histogram_bin_of_quaternion(&group, single);
            first = i == 0 ? bin : first;
            apart += bin != first;
        }
    }
    assert_true(apart <= N / 100);
    const float degree = (float)DEGREE;
    const int32_t half = SW_HISTOGRAM_SIDE / 2,
                  middle = (half * SW_HISTOGRAM_SIDE + half) * SW_HISTOGRAM_SIDE;
    for (int k = 0; k < 12; k++) {
        const int32_t bin = sw_histogram_bin(&group, (const float[]){(5.2F * (float)k + 1) * degree, 0, 0});
        const double turn = fmod(5.2 * k + 1 + 30, 60) - 30; /* from the nearest equivalent of the axes */
        assert_int_equal(bin - middle, (int32_t)floor((turn + 30) / 60 * SW_HISTOGRAM_SIDE));
    }
}

/* ---- Drawn ones ---- */

enum { SOME = 400 };

static void draw(sw_ideal ideal, double (*euler)[3])
{
    ideal.fraction = 1;
    CHECK_OK(sw_crystals_about_ideals(hexagonal, NAN, C_OVER_A, 1, &ideal, SOME, 2, euler));
}

static void names_are_those_components(void **state)
{
    (void)state;
    static double euler[SOME][3];
    double fraction[SW_HISTOGRAM_COMPONENTS];
    for (int i = 0; i < hexagonal->n_ideals; i++) {
        draw((sw_ideal){.name = hexagonal->ideal[i].name}, euler);
        ok(sw_component_fractions(hexagonal, SOME, (vectors)euler, NULL, 0.01 * DEGREE, fraction));
        near(fraction[i], 1, 1e-12);
    }
}

/* (10-12)[-1011]: the normal along 3 is atan(c/a / sqrt 3) = 43.16 degrees from c, half of a tension twin's 86.3, and the
 * direction along 1 the rest of 90 from it. <10-11> as a fibre: 90 - atan(c/a) ... of a direction a sqrt 3 across and c up. */
static void four_indices_are_planes_and_directions(void **state)
{
    (void)state;
    static double euler[SOME][3];
    double plane[] = {1, 0, -1, 2}, direction[] = {-1, 0, 1, 1}, fibre[] = {1, 0, -1, 1}, along[] = {0, 1, 0},
           g[3][3];
    const double tilt = atan(C_OVER_A / sqrt(3));
    near(2 * tilt / DEGREE, 86.3, 0.05);
    draw((sw_ideal){.plane = plane, .plane_count = 4, .direction = direction, .direction_count = 4}, euler);
    for (int n = 0; n < SOME; n++) {
        sw_rotation_from_euler(euler[n], g);
        near(fabs(g[2][2]), cos(tilt), 1e-6);
        near(fabs(g[0][2]), sin(tilt), 1e-6);
    }
    draw((sw_ideal){.fibre = fibre, .fibre_count = 4, .along = along, .along_count = 3}, euler);
    for (int n = 0; n < SOME; n++) {
        sw_rotation_from_euler(euler[n], g);
        near(fabs(g[1][2]), C_OVER_A / hypot(C_OVER_A, sqrt(3)), 1e-6);
    }
}

static void bad_ideals_are_refused(void **state)
{
    (void)state;
    double plane[] = {1, 0, -1, 2}, direction[] = {-1, 0, 1, 1}, off[] = {1, 1, 1, 0}, along[] = {0, 0, 1},
           euler[1][3];
    const sw_ideal four = {.fibre = plane, .fibre_count = 4, .along = along, .along_count = 3, .fraction = 1},
                   three = {
                       .fibre = plane, .fibre_count = 3, .along = along, .along_count = 3, .fraction = 1};
    const struct {
        sw_ideal ideal;
        const sw_lattice *lattice;
        const char *message;
    } bad[] = {
        {three, hexagonal, "fibre: 3 indices: need four"},
        {four, &sw_lattice_fcc, "fibre: 4 indices: need three"},
        {four, &sw_lattice_tetragonal, "fibre: 4 indices: need three"},
        {{.name = "Goss", .fraction = 1},
         hexagonal,
         "crystals.components[0]: name = Goss: need one of basal"},
        {{.name = "split_RD", .fraction = 1}, &sw_lattice_bcc, "name = split_RD: need one of Cube"},
        {{.fibre = off, .fibre_count = 4, .along = along, .along_count = 3},
         NULL,
         "first three make 3 together"},
        {{.plane = plane, .plane_count = 4, .direction = direction, .direction_count = 3},
         NULL,
         "need as many"},
        {{.plane = plane, .plane_count = 4, .direction = plane, .direction_count = 4},
         NULL,
         "does not lie in plane"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const sw_status status =
            bad[i].lattice == NULL
                ? sw_ideal_check(NULL, &bad[i].ideal)
                : sw_crystals_about_ideals(bad[i].lattice, NAN, C_OVER_A, 1, &bad[i].ideal, 1, 1, euler);
        assert_int_equal(status, SW_ERR_INPUT);
        if (strstr(sw_error_message(), bad[i].message) == NULL)
            fail_msg("\"%s\": need \"%s\"", sw_error_message(), bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poles_are_where_c_over_a_puts_them),
        cmocka_unit_test(indices_are_vectors),
        cmocka_unit_test(sections_are_of_sixty_degrees),
        cmocka_unit_test(kearns_factors_are_mean_squares),
        cmocka_unit_test(kearns_factors_of_random_crystals_are_thirds),
        cmocka_unit_test(cubic_crystals_have_none),
        cmocka_unit_test(components_are_textbook_angles),
        cmocka_unit_test(random_fractions_are_caps),
        cmocka_unit_test(equivalents_are_in_one_bin),
        cmocka_unit_test(names_are_those_components),
        cmocka_unit_test(four_indices_are_planes_and_directions),
        cmocka_unit_test(bad_ideals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
