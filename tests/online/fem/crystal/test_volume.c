/* Elements of crystals that are not cubic: volume and deviators of their elasticity belong together. */
#include "tests/families.h"
#include "tests/online/fem/meshes.h"

#include "common/math/rotation.h"

/* One crystal of zinc pulled along z, whose sides are free and may shear: sigma_33 over the strain is 1 / s'33, from compliances in
 * closed form with n3 the cosine of z and c. Along c that is 35.4 GPa, and 53.0 where volume is the bulk law's alone. Strains of
 * 1e-5 and floats; The first tangent is isotropic; from
 * then on Newton's method is fast. */
static void young_along(double angle, int b_bar)
{
    const double c11 = 163.7e9, c12 = 36.4e9, c13 = 53.0e9, c33 = 63.5e9, c44 = 38.8e9,
                 whole = c33 * (c11 + c12) - 2 * c13 * c13;
    const double s33 = (c11 + c12) / whole, s13 = -c13 / whole, s11 = (c33 / whole + 1 / (c11 - c12)) / 2;
    const double n3 = cos(angle) * cos(angle), n1 = 1 - n3, strain = 1e-5,
                 compliance = s11 * n1 * n1 + s33 * n3 * n3 + (2 * s13 + 1 / c44) * n1 * n3;
    const sw_material m = material_of(ZINC("1000.0e6"));
    const sw_crystal one = {.euler = {0, (float)angle, 0}, .slip_resistance = 1000e6F};
    const sw_fem_polycrystal of = {
        .response = {.solver = "elastoplastic", .material = &m}, .each = 1, .n_texture = 1, .texture = &one};
    const int cells[3] = {1, 1, 1};
    fem_body b;
    fem_run r;
    fem_make(&b, fem_grid(cells, 0, NULL, NULL), SW_FEM_SOLID, b_bar, sw_fem_material_of_crystals(&of));
    b.problem.strain = SW_FEM_FINITE;
    b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    for (int64_t n = 0; n < b.N; n++) {
        const double *at = b.mesh->position + 3 * n;
        fem_fix(&b, 0, n, 2, at[2]);
        if (at[0] + at[1] + at[2] == 0)
            fem_fix(&b, 0, n, 0, 0);
        if (at[1] + at[2] == 0)
            fem_fix(&b, 0, n, 1, 0);
    }
    fem_open(&b, &r);
    CHECK_OK(sw_fem_advance(r.fem, &strain, &r.increment, &r.report));
    fem_read(&r);
    print_message("%.0f degrees: %.2f GPa, %.2f; Newton %lld\n", angle * 180 / SW_PI,
                  r.point_stress[0][2] / strain / 1e9, 1e-9 / compliance, (long long)r.report.newton);
    for (int q = 0; q < b.V; q++)
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(r.point_stress[q][i], i == 2 ? strain / compliance : 0, 2e-4 * strain / compliance);
    assert_in_range(r.report.newton, 1, 5);
    fem_close(&r);
    fem_free(&b);
}

static void youngs_modulus_is_the_crystals(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        young_along(0, b_bar);
        young_along(SW_PI / 2, b_bar);
        young_along(0.7, b_bar);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(youngs_modulus_is_the_crystals)};
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
