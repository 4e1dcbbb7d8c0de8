/* The sharp texture that solvers are certified with: how far crystals are from which orientation. */
#include "online/certify/sharp_texture.h"

#include "common/math/rotation.h"
#include "tests/test.h"

enum { CRYSTALS = 4000 };
static const double degree = SW_PI / 180;

static void make(double (*euler)[3])
{
    for (int n = 0; n < CRYSTALS; n++) {
        const sw_crystal crystal = sw_sharp_crystal(&sw_point_group_432, n, 16e6F);
        for (int i = 0; i < 3; i++)
            euler[n][i] = crystal.euler[i];
        assert_true(crystal.slip_resistance == 16e6F);
    }
}

/* Angles of crystals from one of their components' variants, in radians. */
static void angles_from(const double ideal[3], sw_sample_symmetry symmetry, const double (*euler)[3],
                        double *angle)
{
    CHECK_OK(sw_disorientation(&sw_point_group_432, CRYSTALS, euler, symmetry, ideal, angle));
}

/* A rotation vector of three normal numbers of standard deviation d: the mean square of its angle is 3 d^2, of which
 * N crystals have a standard error of sqrt(6 / N) d^2. The few that are nearer to another variant than to their own
 * lower it: by less than 1 % in 400,000 crystals. */
static void crystals_spread_about_their_components(void **state)
{
    (void)state;
    static double euler[CRYSTALS][3], angle[CRYSTALS];
    const int n = CRYSTALS / SW_SHARP_COMPONENTS;
    const double d2 = pow(SW_SHARP_SPREAD_DEGREES * degree, 2);
    make(euler);
    for (int c = 0; c < SW_SHARP_COMPONENTS; c++) {
        double ideal[3], mean = 0;
        sw_texture_component_euler(&sw_sharp_components[c], ideal);
        angles_from(ideal, SW_SAMPLE_ORTHORHOMBIC, (const double(*)[3])euler, angle);
        for (int i = c; i < CRYSTALS; i += SW_SHARP_COMPONENTS)
            mean += angle[i] * angle[i] / n;
        CHECK_CLOSE(mean / (3 * d2), 1, 4 * sqrt(6.0 / n) / 3 + 0.01);
    }
}

/* Sheet as a whole has the sample's symmetry. */
static void variants_have_equal_shares(void **state)
{
    (void)state;
    static double euler[CRYSTALS][3], angle[4][CRYSTALS];
    static const int expected[SW_SHARP_COMPONENTS] = {1, 1, 2, 2, 4};
    make(euler);
    for (int c = 0; c < SW_SHARP_COMPONENTS; c++) {
        double variant[4][3];
        int count[4] = {0};
        const int variants =
            sw_texture_component_variants(&sw_point_group_432, &sw_sharp_components[c], variant);
        assert_int_equal(variants, expected[c]);
        for (int v = 0; v < variants; v++)
            angles_from(variant[v], SW_SAMPLE_TRICLINIC, (const double(*)[3])euler, angle[v]);
        for (int i = c; i < CRYSTALS; i += SW_SHARP_COMPONENTS) {
            int nearest = 0;
            for (int v = 1; v < variants; v++)
                nearest = angle[v][i] < angle[nearest][i] ? v : nearest;
            count[nearest]++;
        }
        /* all but the few between two */
        for (int v = 0; v < variants; v++)
            CHECK_CLOSE((double)count[v] * variants * SW_SHARP_COMPONENTS / CRYSTALS, 1, 0.05);
    }
}

/* {001}<110>, which is 45 degrees about the normal from cube. */
static void first_component_is_the_rotated_cube(void **state)
{
    (void)state;
    double ideal[3], angle;
    const double cube[1][3] = {{0, 0, 0}}, turned[1][3] = {{SW_PI / 4, 0, 0}};
    sw_texture_component_euler(&sw_sharp_components[0], ideal);
    CHECK_OK(sw_disorientation(&sw_point_group_432, 1, turned, SW_SAMPLE_TRICLINIC, ideal, &angle));
    CHECK_CLOSE(angle, 0, 1e-7);
    CHECK_OK(sw_disorientation(&sw_point_group_432, 1, cube, SW_SAMPLE_TRICLINIC, ideal, &angle));
    CHECK_CLOSE(angle, SW_PI / 4, 1e-7);
}

/* c from the sheet's normal: by 0, 0, 15, 40 and 90 degrees, about which it spreads by 5 degrees each way. Of the last three the mean
 * tilt has a standard error of 5 degrees / root(800); c along the normal is off by root(pi/2) 5 degrees. */
static void hexagonal_sheets_have_their_tilts(void **state)
{
    (void)state;
    static const double tilt[SW_SHARP_COMPONENTS] = {6.27, 6.27, 15.8, 40.3, 86};
    double mean[SW_SHARP_COMPONENTS] = {0}, towards[SW_SHARP_COMPONENTS][2] = {{0}};
    for (int n = 0; n < CRYSTALS; n++) {
        const sw_crystal crystal = sw_sharp_crystal(&sw_point_group_622, n, 16e6F);
        const double euler[3] = {crystal.euler[0], crystal.euler[1], crystal.euler[2]};
        double g[3][3];
        sw_rotation_from_euler(euler, g);
        mean[n % SW_SHARP_COMPONENTS] += acos(fabs(g[2][2])) / degree * SW_SHARP_COMPONENTS / CRYSTALS;
        for (int i = 0; i < 2; i++)
            towards[n % SW_SHARP_COMPONENTS][i] += g[i][2] * g[i][2] * SW_SHARP_COMPONENTS / CRYSTALS;
    }
    for (int c = 0; c < SW_SHARP_COMPONENTS; c++)
        CHECK_CLOSE(mean[c], tilt[c], 0.6);
    assert_true(towards[2][0] > 5 * towards[2][1]);  /* to RD */
    assert_true(towards[3][1] > 20 * towards[3][0]); /* to TD */
    assert_true(towards[4][1] > 0.95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crystals_spread_about_their_components),
        cmocka_unit_test(variants_have_equal_shares),
        cmocka_unit_test(first_component_is_the_rotated_cube),
        cmocka_unit_test(hexagonal_sheets_have_their_tilts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
