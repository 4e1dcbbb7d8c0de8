/* The isotropic moduli of a polycrystal's elements: Voigt's, by an average of rotated stiffnesses over all
 * orientations, which does not use their formula. */
#include "tests/online/fem/meshes.h"

#include "common/math/rotation.h"

/* C_ijkl n_i n_j m_k m_l of a cubic crystal in its own frame, Pa, and C_ijkl n_i m_j n_k m_l. */
static void along(const sw_material *m, const double n[3], const double p[3], double *normal, double *shear)
{
    const double c11 = m->elasticity.c11, c12 = m->elasticity.c12, c44 = m->elasticity.c44;
    *normal = *shear = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            *normal += (i == j ? c11 : c12) * n[i] * n[i] * p[j] * p[j];
            if (i != j) { /* C_ijij and C_ijji are c44, C_iijj is c12 */
                *normal += 2 * c44 * n[i] * n[j] * p[i] * p[j];
                *shear += c44 * (n[i] * p[j] * n[i] * p[j] + n[i] * p[j] * n[j] * p[i]);
                *shear += c12 * n[i] * p[i] * n[j] * p[j];
            } else
                *shear += c11 * n[i] * p[i] * n[i] * p[i];
        }
}

/* Means over all orientations of C'_1122 and C'_1212, Pa: exact, since the fourth power of rotations is of degree 4
 * in each of their angles: 5 places of phi1 and of phi2, 3 of Gauss in cos Phi. */
static void average(const sw_material *m, double *c1122, double *c1212)
{
    const double place[3] = {-sqrt(0.6), 0, sqrt(0.6)}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    *c1122 = *c1212 = 0;
    for (int k = 0; k < 75; k++) {
        const double euler[3] = {2 * SW_PI * (k % 5) / 5, acos(place[k / 25]), 2 * SW_PI * (k / 5 % 5) / 5};
        double g[3][3], normal, shear;
        sw_rotation_from_euler(euler, g);
        along(m, g[0], g[1], &normal, &shear); /* rows: the sample's axes in the crystal's frame */
        *c1122 += weight[k / 25] / 25 * normal;
        *c1212 += weight[k / 25] / 25 * shear;
    }
}

static void moduli_are_means_over_orientations(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { /* copper; aluminium, nearly isotropic */
        sw_material m = copper();
        if (k == 1)
            m.elasticity.c11 = 107e9, m.elasticity.c12 = 61e9, m.elasticity.c44 = 28e9;
        const sw_fem_polycrystal of = {.response = {.solver = "elastoplastic", .material = &m}, .each = 1};
        const sw_fem_material made = sw_fem_material_of_crystals(&of);
        const double shear = made.young / (2 * (1 + made.poisson)),
                     bulk = made.young / (3 * (1 - 2 * made.poisson));
        double c1122, c1212;
        average(&m, &c1122, &c1212);
        print_message("shear %.4g GPa, bulk %.4g GPa\n", shear / 1e9, bulk / 1e9);
        CHECK_CLOSE(shear, c1212, 1e-12 * c1212); /* round-off of 75 terms and of E and nu */
        CHECK_CLOSE(bulk, c1122 + 2.0 / 3 * c1212, 1e-12 * bulk);
        assert_true(isinf(made.yield_stress));
        assert_ptr_equal(made.crystals, &of);
    }
}

/* Increments below yield answer with the same shear: a solver without elastic strains gets its own at the point. 1e-6 is
 * 0.05 MPa of some 25, of which a plastic rate would be the 83rd power; 3e-4 is half of what yields. */
static void shear_it(const sw_material *m, int each, double gamma)
{
    const sw_fem_polycrystal of = {
        .response = {.solver = "rigid_plastic", .material = m}, .each = each, .seed = 3};
    const int cells[3] = {1, 1, 1};
    double c1122, c1212;
    fem_body b;
    fem_run r;
    average(m, &c1122, &c1212);
    fem_make(&b, fem_grid(cells, 0, NULL, NULL), SW_FEM_SOLID, 1, sw_fem_material_of_crystals(&of));
    b.problem.strain = SW_FEM_FINITE;
    b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    for (int64_t n = 0; n < b.N; n++)
        for (int i = 0; i < 3; i++)
            fem_fix(&b, 0, n, i, i == 0 ? b.mesh->position[n * 3 + 1] : 0);
    fem_open(&b, &r);
    CHECK_OK(sw_fem_advance(r.fem, &gamma, &r.increment, &r.report));
    fem_read(&r);
    CHECK_CLOSE(r.point_stress[0][sw_six_of(0, 1)], c1212 * gamma, 1e-3 * c1212 * gamma);
    fem_close(&r);
    fem_free(&b);
}

static void small_shear_meets_that_modulus(void **state)
{
    (void)state;
    static const double gamma[] = {1e-6, 1e-5, 3e-5, 1e-4, 2e-4, 3e-4};
    static const int each[] = {8, 100};
    const sw_material m = copper();
    for (size_t i = 0; i < sizeof gamma / sizeof *gamma; i++)
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            shear_it(&m, each[k], gamma[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moduli_are_means_over_orientations),
        cmocka_unit_test(small_shear_meets_that_modulus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
