/* Lattice strains: single crystals by hand, isotropic elasticity's closed form, who diffracts, and one solver against another. */
#include "slipwave/taylor.h"

#include "tests/families.h"

#include "common/math/rotation.h"

#define CUBIC(name, c44)                                                                                  \
    "name: " name "\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: " c44 "}\n"    \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.02\n  initial_slip_resistance: 16.0e6\n" \
    "hardening: {law: voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, exponent: "  \
    "2.25}\n"

static const char copper_text[] = CUBIC("copper", "75.0e9");
static const char isotropic_text[] = CUBIC("isotropic", "23.5e9"); /* (C11 - C12) / 2 */

/* Pulled along 3 to a stress of 4 MPa, all other stresses 0. */
static const char pulled[] = "solver: elastoplastic\nstrain_increment: 1.0e-4\nloading:\n"
                             "  - velocity_gradient: [[x, x, x], [0, x, x], [0, 0, 1.0e-3]]\n"
                             "    stress: [[0, 0, 0], [x, 0, 0], [x, x, x]]\n"
                             "    duration: 10\n    until: stress\n    component: 33\n    goal: 4.0e6\n";

static sw_taylor *run_of(const char *job, const sw_material *m, int64_t n, const sw_crystal *crystal,
                         const float *weight)
{
    const sw_taylor_inputs inputs = {.material = m, .crystals = n, .crystal = crystal, .weight = weight};
    sw_taylor *run;
    int64_t taken;
    CHECK_OK(sw_taylor_begin("a job", job, 0, NULL, &inputs, &run));
    CHECK_OK(sw_taylor_advance(run, 1000, &taken));
    assert_true(taken > 0);
    return run;
}

static double stress_of(const sw_taylor *run, int i)
{
    sw_taylor_rows rows;
    sw_taylor_history(run, &rows);
    return rows.cauchy_stress[rows.rows - 1][i][i];
}

/* Of all crystals that have such planes at all: within a right angle. */
static double strain_along(const sw_taylor *run, const double along[3], int indices, const double *plane,
                           double within)
{
    double strain, share;
    CHECK_OK(sw_taylor_lattice_strain(run, indices, plane, along, within, &strain, &share));
    assert_true(share > 0);
    return strain;
}

static void rotation_of(const sw_crystal *crystal, double g[3][3])
{
    sw_rotation_from_euler((double[3]){crystal->euler[0], crystal->euler[1], crystal->euler[2]}, g);
}

/* ---- By hand ---- */

/* Compliances S11, S12, S44 of C11, C12, C44; with n the axis and t another direction in the crystal, 1/E = S11 - 2 S (n1^2 n2^2 + ...)
 * along n and S12 + S (n1^2 t1^2 + ...) across, S = S11 - S12 - S44/2 (Nye 1957). Tolerance: stresses are met to 2e-5, strains are single
 * precision's, and 4 MPa over 16 of resistance flow at (0.12)^50 of the rate; what is second order is 1e-4. */
static void a_cubic_crystal_by_hand(void **state)
{
    (void)state;
    const sw_material m = material_of(copper_text);
    const double c11 = 168.7e9, c12 = 121.7e9, c44 = 75e9, plane[3] = {1, 1, 1};
    const double s11 = (c11 + c12) / ((c11 - c12) * (c11 + 2 * c12)),
                 s12 = -c12 / ((c11 - c12) * (c11 + 2 * c12)), s = s11 - s12 - 0.5 / c44;
    static const float angles[3][3] = {{0, 0, 0}, {0.7F, 0.5F, 0.3F}, {1.2F, 0.95F, 0.78F}};
    for (int k = 0; k < 3; k++) {
        const sw_crystal crystal = {{angles[k][0], angles[k][1], angles[k][2]}, 16e6F};
        sw_taylor *run = run_of(pulled, &m, 1, &crystal, NULL);
        double g[3][3], along = s11, across = s12;
        rotation_of(&crystal, g);
        for (int i = 0; i < 3; i++) {
            along -= 2 * s * pow(g[2][i] * g[2][(i + 1) % 3], 2);
            across += s * pow(g[2][i] * g[0][i], 2);
        }
        const double stress = stress_of(run, 2);
        CHECK_CLOSE(stress, 4e6, 4e3);
        CHECK_CLOSE(strain_along(run, (double[3]){0, 0, 5}, 3, plane, 90) / stress, along, 1e-3 * along);
        CHECK_CLOSE(strain_along(run, (double[3]){1, 0, 0}, 3, plane, 90) / stress, across, 1e-3 * along);
        sw_taylor_end(run);
    }
}

/* 1/E = S11 (1 - l^2)^2 + S33 l^4 + (2 S13 + S44) l^2 (1 - l^2), l the cosine to c: here volume makes deviators. Zinc's constants, as
 * nothing else has such ratios. */
static void a_hexagonal_crystal_by_hand(void **state)
{
    (void)state;
    const sw_material m =
        material_of("name: zinc\ncrystal_structure: hexagonal\nc_over_a: 1.856\n"
                    "elasticity: {C11: 165.0e9, C33: 61.8e9, C44: 39.6e9, C12: 31.1e9, C13: 50.0e9}\n"
                    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.02\n  families:\n"
                    "    - {family: basal, initial_slip_resistance: 16.0e6}\n"
                    "    - {family: prismatic, initial_slip_resistance: 16.0e6}\n"
                    "    - {family: pyramidal2_ca, initial_slip_resistance: 16.0e6}\n"
                    "hardening: {law: voce, initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, "
                    "exponent: 2.25}\n");
    const double c11 = 165.0e9, c33 = 61.8e9, c44 = 39.6e9, c12 = 31.1e9, c13 = 50.0e9,
                 plane[4] = {1, 0, -1, 1};
    const double det = c33 * (c11 + c12) - 2 * c13 * c13, s33 = (c11 + c12) / det, s13 = -c13 / det,
                 s11 = 0.5 * (c33 / det + 1 / (c11 - c12));
    static const float tilt[4] = {0, 0.6F, 1.1F, 1.5707963F};
    for (int k = 0; k < 4; k++) {
        const sw_crystal crystal = {{0.3F, tilt[k], 0.2F}, 16e6F};
        sw_taylor *run = run_of(pulled, &m, 1, &crystal, NULL);
        const double l = cos(tilt[k]), stress = stress_of(run, 2);
        const double along =
            s11 * pow(1 - l * l, 2) + s33 * pow(l, 4) + (2 * s13 + 1 / c44) * l * l * (1 - l * l);
        CHECK_CLOSE(strain_along(run, (double[3]){0, 0, 1}, 4, plane, 90) / stress, along, 1e-3 * along);
        sw_taylor_end(run);
    }
}

/* All families have sigma / E along and -nu sigma / E across, whatever the crystals. */
static void isotropic_crystals_have_the_closed_form(void **state)
{
    (void)state;
    enum { N = 400 };
    static sw_crystal crystal[N];
    const sw_material m = material_of(isotropic_text);
    const double c11 = 168.7e9, c12 = 121.7e9, nu = c12 / (c11 + c12), e = (c11 - c12) * (1 + nu);
    static const double plane[3][3] = {{1, 1, 1}, {2, 0, 0}, {3, 1, 1}};
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, 16e6F));
    sw_taylor *run = run_of(pulled, &m, N, crystal, NULL);
    const double stress = stress_of(run, 2);
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE(strain_along(run, (double[3]){0, 0, 1}, 3, plane[k], 15), stress / e, 1e-3 * stress / e);
        CHECK_CLOSE(strain_along(run, (double[3]){1, 1, 0}, 3, plane[k], 15), -nu * stress / e,
                    1e-3 * stress / e);
    }
    sw_taylor_end(run);
}

/* ---- Who diffracts ---- */

/* {111} and {311} within 10 degrees by weight, counted by all signs and places; random ones have the double cones' share of the sphere, with
 * a scatter of 1 / sqrt(N). */
static void the_right_crystals_diffract(void **state)
{
    (void)state;
    enum { N = 20000 };
    static sw_crystal crystal[N];
    static float weight[N];
    const sw_material m = material_of(copper_text);
    const double along[3] = {0.6, 0, 0.8}, cosine = cos(10 * SW_PI / 180);
    static const double plane[2][3] = {{1, 1, 1}, {1, 3, -1}};
    static const int cones[2] = {4, 12};
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, 16e6F));
    for (int n = 0; n < N; n++)
        weight[n] = n % 2 ? 0.5F : 1.5F;
    sw_taylor *run =
        run_of("solver: elastoplastic\nstrain_increment: 1.0e-4\nloading:\n"
               "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 0.1}\n",
               &m, N, crystal, weight);
    CHECK_OK(sw_taylor_copy_crystals(run, crystal, weight));
    for (int k = 0; k < 2; k++) {
        double strain, share, counted = 0, all = 0;
        CHECK_OK(sw_taylor_lattice_strain(run, 3, plane[k], along, 10, &strain, &share));
        for (int n = 0; n < N; n++) {
            double g[3][3], d[3], most = 0;
            rotation_of(&crystal[n], g);
            for (int i = 0; i < 3; i++)
                d[i] = fabs(g[0][i] * along[0] + g[1][i] * along[1] + g[2][i] * along[2]);
            for (int i = 0; i < 3; i++) /* the largest index at each place: the others are alike */
                most = greatest(most, (fabs(plane[k][1]) * d[i] + d[(i + 1) % 3] + d[(i + 2) % 3]) /
                                          sqrt(plane[k][1] * plane[k][1] + 2));
            counted += most >= cosine ? weight[n] : 0;
            all += weight[n];
        }
        CHECK_CLOSE(share, counted / all, 1e-4); /* a crystal at the edge, by rounding */
        CHECK_CLOSE(share, cones[k] * (1 - cosine), 5 * sqrt(cones[k] * (1 - cosine) / N));
    }
    sw_taylor_end(run);
}

/* ---- While it flows ---- */

/* The model in double precision, whose F* is what it is: of magnesium in tension to 2 %. Stresses of the two agree to 0.1 %, of small
 * sets of crystals, strains squared, that is 4e-3, come in. */
static void as_the_model_has_it(void **state)
{
    (void)state;
    enum { N = 2000 };
    static sw_crystal crystal[N];
    const sw_material m = material_of(hexagonal_12);
    static const double plane[3][4] = {{0, 0, 0, 2}, {1, 0, -1, 0}, {1, 0, -1, 1}};
    static const char job[] =
        "strain_increment: 1.0e-3\nloading:\n"
        "  - {velocity_gradient: [[-0.5e-3, 0, 0], [0, -0.5e-3, 0], [0, 0, 1.0e-3]], duration: 20}\n";
    double strain[2][3][2];
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, (float)m.slip.initial_slip_resistance));
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text, "solver: %s\n%s", k ? "iterative" : "elastoplastic", job);
        sw_taylor *run = run_of(text, &m, N, crystal, NULL);
        for (int i = 0; i < 3; i++) {
            strain[k][i][0] = strain_along(run, (double[3]){0, 0, 1}, 4, plane[i], 15);
            strain[k][i][1] = strain_along(run, (double[3]){1, 0, 0}, 4, plane[i], 15);
        }
        sw_taylor_end(run);
    }
    for (int i = 0; i < 6; i++) {
        print_message("{%g %g %g %g}: %.1f, %.1f microstrain\n", plane[i / 2][0], plane[i / 2][1],
                      plane[i / 2][2], plane[i / 2][3], 1e6 * strain[0][i / 2][i % 2],
                      1e6 * strain[1][i / 2][i % 2]);
        CHECK_CLOSE(strain[0][i / 2][i % 2], strain[1][i / 2][i % 2], 0.01 * fabs(strain[1][i / 2][0]));
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const sw_material m = material_of(copper_text);
    const sw_crystal crystal = {{0.7F, 0.5F, 0.3F}, 16e6F};
    const double plane[4] = {1, 1, -2, 0}, along[3] = {0, 0, 1}, none[3] = {0};
    double strain, share;
    sw_taylor *run = run_of(pulled, &m, 1, &crystal, NULL);
    assert_int_equal(sw_taylor_lattice_strain(run, 4, plane, along, 5, &strain, &share), SW_ERR_RANGE);
    assert_message_has("plane has 4 indices: need 3");
    assert_int_equal(sw_taylor_lattice_strain(run, 3, none, along, 5, &strain, &share), SW_ERR_RANGE);
    assert_int_equal(sw_taylor_lattice_strain(run, 3, plane, none, 5, &strain, &share), SW_ERR_RANGE);
    assert_int_equal(sw_taylor_lattice_strain(run, 3, plane, along, NAN, &strain, &share), SW_ERR_RANGE);
    assert_int_equal(sw_taylor_lattice_strain(run, 3, plane, along, 91, &strain, &share), SW_ERR_RANGE);
    CHECK_OK(sw_taylor_lattice_strain(run, 3, (double[3]){1, 1, 1}, along, 1e-3, &strain, &share));
    CHECK_CLOSE(strain + share, 0, 0);
    sw_taylor_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cubic_crystal_by_hand),
                                       cmocka_unit_test(a_hexagonal_crystal_by_hand),
                                       cmocka_unit_test(isotropic_crystals_have_the_closed_form),
                                       cmocka_unit_test(the_right_crystals_diffract),
                                       cmocka_unit_test(as_the_model_has_it),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests_name("lattice strains", tests, NULL, NULL);
}
