/* The band of a sheet: what its condition means, and how it turns. */
#include "tests/test.h"

#include "online/forming/limit/band.h"

static const double ANGLE[] = {0, 0.3, -0.7, 0.785, 1.5};
enum { ANGLES = sizeof ANGLE / sizeof *ANGLE };

static const double SHEET[3][3] = {{2e-3, 1e-4, 0}, {1e-4, -5e-4, 0}, {0, 0, -1.5e-3}};

/* Sides move alike along the band, in the plane, and no volume is made. */
static void a_jump_leaves_the_line(void **unused)
{
    (void)unused;
    for (int a = 0; a < ANGLES; a++) {
        const double n[2] = {cos(ANGLE[a]), sin(ANGLE[a])}, force[2] = {0, 0};
        const sw_condition c = sw_band_condition(SHEET, n, force, 1);
        assert_int_equal(c.free, 2);
        assert_memory_equal(c.base, SHEET, sizeof SHEET);
        for (int k = 0; k < 2; k++) {
            const double(*j)[3] = (const double(*)[3])c.along[k];
            for (int i = 0; i < 2; i++) {
                CHECK_CLOSE(j[i][0] * -n[1] + j[i][1] * n[0], 0, 1e-15);
                CHECK_CLOSE(j[i][0] * n[0] + j[i][1] * n[1], i == k, 1e-15);
                CHECK_CLOSE(j[i][2], 0, 0);
                CHECK_CLOSE(j[2][i], 0, 0);
            }
            CHECK_CLOSE(j[0][0] + j[1][1] + j[2][2], 0, 1e-15);
        }
    }
}

/* What the condition holds h along_k : sigma to is the force on the line: of a plane stress, from its deviator. */
static void a_condition_is_equilibrium(void **unused)
{
    (void)unused;
    const double deviator[6] = {90e6, -20e6, -70e6, 3e6, -4e6, 25e6};
    double stress[6];
    sw_plane_stress_of(deviator, stress);
    for (int a = 0; a < ANGLES; a++) {
        const double n[2] = {cos(ANGLE[a]), sin(ANGLE[a])};
        double traction[2];
        sw_band_traction(stress, n, traction);
        const sw_condition c = sw_band_condition(SHEET, n, traction, 0.5);
        CHECK_CLOSE(c.thickness, 0.5, 0);
        for (int k = 0; k < 2; k++) {
            CHECK_CLOSE(c.value[k], traction[k], 0);
            CHECK_CLOSE(sw_contract((const double(*)[3])c.along[k], deviator), traction[k], 1e-6);
        }
    }
}

/* Crystals whose volume changes have a thickness of its own, free of stress. */
static void a_thickness_of_its_own(void **unused)
{
    (void)unused;
    static const double thins[3][3] = {[2] = {[2] = 1}};
    const double n[2] = {1, 0}, force[2] = {2e8, 1e7};
    sw_condition c = sw_band_condition(SHEET, n, force, 1);
    sw_condition_free_volume(&c, 40e9, 0);
    assert_int_equal(c.free, 3);
    assert_memory_equal(c.along[2], thins, sizeof thins);
    CHECK_CLOSE(c.value[2], 0, 0);
}

/* The normal stays at right angles to the line of material that the band is, F t0. */
static void a_band_is_material(void **unused)
{
    (void)unused;
    const double strain[2] = {0.4, -0.15};
    for (int a = 0; a < ANGLES; a++) {
        const double now = sw_band_angle(SW_BAND_ROTATES, ANGLE[a], strain);
        const double line[2] = {-sin(ANGLE[a]) * exp(strain[0]), cos(ANGLE[a]) * exp(strain[1])};
        CHECK_CLOSE(cos(now) * line[0] + sin(now) * line[1], 0, 1e-15);
        CHECK_CLOSE(tan(now), tan(ANGLE[a]) * exp(strain[0] - strain[1]), 1e-13 * fabs(tan(now)) + 1e-15);
        CHECK_CLOSE(sw_band_angle(SW_BAND_FIXED, ANGLE[a], strain), ANGLE[a], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump_leaves_the_line), cmocka_unit_test(a_condition_is_equilibrium),
        cmocka_unit_test(a_thickness_of_its_own), cmocka_unit_test(a_band_is_material)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
