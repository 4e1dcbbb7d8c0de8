/* Against what others computed: published stress-strain points, Taylor's factor, the components of rolling
 * and shear textures; and the database solvers against the iterative one. */
#include "tests/copper_database.h"
#include "tests/crystals.h"

#include "common/crystal/material_file.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/texture/texture.h"

static const double plane_strain[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
static const double shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};
static const double rate = 1.4142135623730951e-3; /* ||D||_F of plane strain compression */

static int set_up(void **state)
{
    (void)state;
    return make_copper_database(64, 48);
}

static sw_crystal *random_polycrystal(int n, double s)
{
    sw_crystal *crystal;
    CHECK_OK(SW_ALLOCATE(crystal, n, "crystals"));
    for (int i = 0; i < n; i++) {
        double euler[3];
        sw_random_orientation(1, (uint64_t)i, euler);
        crystal[i] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, (float)s};
    }
    return crystal;
}

static sw_response *open_solver(const char *solver, const sw_material *material, int64_t terms)
{
    sw_response *response;
    const sw_response_options options = {
        .solver = solver, .database = &database, .material = material, .terms = terms};
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

/* sigma11 - sigma33 after every step of strain 0.02; the crystals are left as they end. */
static void compress(const char *solver, int64_t terms, int n, sw_crystal *crystal, int steps, double *curve)
{
    sw_response *response = open_solver(solver, NULL, terms);
    sw_crystals c = crystals_of(response, n, crystal, NULL);
    for (int k = 0; k < steps; k++) {
        sw_response_average average;
        CHECK_OK(sw_response_step(response, plane_strain, 0.02 / rate, &c, &c, &average));
        curve[k] = average.cauchy_stress[0][0] - average.cauchy_stress[2][2];
    }
    sw_crystals_release(&c);
    sw_response_close(response);
}

static double relative_error(int n, const double *curve, const double *reference)
{
    double difference = 0, size = 0;
    for (int k = 0; k < n; k++) {
        difference += (curve[k] - reference[k]) * (curve[k] - reference[k]);
        size += reference[k] * reference[k];
    }
    return sqrt(difference / size);
}

enum { PUBLISHED = 5 };

/* data/reference/mihaila-2014-plane-strain-compression.csv: true strain and sigma11 - sigma33, MPa. */
static void read_published(double strain[PUBLISHED], double stress[PUBLISHED])
{
    char line[256];
    int points = 0;
    FILE *file = fopen(data_path("reference/mihaila-2014-plane-strain-compression.csv"), "r");
    assert_non_null(file);
    while (points < PUBLISHED && fgets(line, sizeof line, file) != NULL)
        points += sscanf(line, "%lf,%lf", &strain[points], &stress[points]) == 2;
    assert_int_equal(points, PUBLISHED);
    fclose(file);
}

/* n crystals through the published strains, each reached in `steps` steps; the curve to `bound` of itself. */
static void check_published(const char *solver, const sw_material *material, int n, int steps, double bound)
{
    double target[PUBLISHED], stress[PUBLISHED], strain = 0;
    read_published(target, stress);
    sw_crystal *crystal = random_polycrystal(n, 16e6);
    sw_response *response = open_solver(solver, material, 0);
    sw_crystals c = crystals_of(response, n, crystal, NULL);
    for (int p = 0; p < PUBLISHED; strain = target[p++]) {
        sw_response_average average;
        const double dt = (target[p] - strain) / 1e-3 / steps;
        for (int k = 0; k < steps; k++)
            CHECK_OK(sw_response_step(response, plane_strain, dt, &c, &c, &average));
        const double found = (average.cauchy_stress[0][0] - average.cauchy_stress[2][2]) / 1e6;
        print_message("%s at %.2f: %.1f MPa, published %.1f\n", solver, target[p], found, stress[p]);
        CHECK_CLOSE(found, stress[p], bound * stress[p]);
    }
    sw_crystals_release(&c);
    sw_response_close(response);
    free(crystal);
}

/* To 2 %: m = 0.01 there, 0.012 here, isotropic elasticity there; digitised to some 0.5 %, and 2,048 crystals are 0.7 %
 * off the average of many. */
static void plane_strain_compression_is_the_published_one(void **state)
{
    (void)state;
    check_published("iterative", NULL, 2048, 7, 0.02); /* of at most 0.1, as jobs have them */
}

/* With m and an isotropic elasticity as there: 16,384 crystals leave 0.25 %, and 0.5 % of digits once more. */
static void the_published_material_is_nearer(void **state)
{
    (void)state;
    sw_material material;
    CHECK_OK(sw_material_read(data_path("materials/copper-ofhc-isotropic.yaml"), &material));
    CHECK_CLOSE(material.elasticity.c11 - material.elasticity.c12, 2 * material.elasticity.c44, 1e6);
    assert_true(material.slip.rate_sensitivity == 0.01);
    check_published("elastoplastic", &material, 16384, 12, 0.01);
}

/* The mean of G over the axial rate of a random texture in tension without hardening, at two rate
 * sensitivities, extrapolated to m = 0: 3.067 (Taylor 1938; Bishop and Hill 1951). 4096 crystals leave 0.26 /
 * 64 = 0.13 % of statistical error. */
static void taylor_factor_of_a_random_texture(void **state)
{
    (void)state;
    enum { CRYSTALS = 4096 };
    const double tension[3][3] = {{-5e-4, 0, 0}, {0, -5e-4, 0}, {0, 0, 1e-3}}, m[2] = {0.01, 0.02};
    double factor[2];
    for (int k = 0; k < 2; k++) {
        sw_material material = copper();
        sw_response_average average;
        material.hardening.voce.initial_hardening_rate = 0;
        material.slip.rate_sensitivity = m[k];
        sw_crystal *crystal = random_polycrystal(CRYSTALS, 16e6);
        sw_response *response = open_solver("iterative", &material, 0);
        sw_crystals c = crystals_of(response, CRYSTALS, crystal, NULL);
        CHECK_OK(sw_response_step(response, tension, 10, &c, &c, &average)); /* strain 0.01 */
        factor[k] = average.slip_rate / 1e-3;
        sw_crystals_release(&c);
        sw_response_close(response);
        free(crystal);
    }
    CHECK_CLOSE(2 * factor[0] - factor[1], 3.067, 0.005 * 3.067);
}

static double component(const double *fraction, const char *name)
{
    const sw_texture_component *table = sw_lattice_fcc.ideal;
    const int count = sw_lattice_fcc.n_ideals;
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return fraction[i];
    fail_msg("no component %s", name);
    return NAN;
}

static void fractions_of(int n, const sw_crystal *crystal, double fraction[32])
{
    double(*euler)[3];
    CHECK_OK(SW_ALLOCATE(euler, n, "angles"));
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            euler[i][d] = crystal[i].euler[d];
    CHECK_OK(sw_component_fractions(&sw_lattice_fcc, n, (const double(*)[3])euler, NULL, 15 * SW_PI / 180,
                                    fraction));
    free(euler);
}

/* The bounds that the project states for the demo: 0.4 % for `grid`, 5 % for 16384 terms, over the curve to
 * strain 1; and a rolling texture: Copper, S and Taylor grow, Cube does not, the same fractions from `grid`
 * to two points of a hundred. */
static void database_solvers_follow_the_iterative_one(void **state)
{
    (void)state;
    enum { CRYSTALS = 2048, STEPS = 70 };
    double exact[STEPS], grid[STEPS], terms[STEPS], start[32], end[32], looked_up[32];
    sw_crystal *a = random_polycrystal(CRYSTALS, 16e6), *b = random_polycrystal(CRYSTALS, 16e6),
               *c = random_polycrystal(CRYSTALS, 16e6);
    fractions_of(CRYSTALS, a, start);
    compress("iterative", 0, CRYSTALS, a, STEPS, exact);
    compress("grid", 0, CRYSTALS, b, STEPS, grid);
    compress("terms", 16384, CRYSTALS, c, STEPS, terms);
    CHECK_CLOSE(relative_error(STEPS, grid, exact), 0, 0.004);
    CHECK_CLOSE(relative_error(STEPS, terms, exact), 0, 0.05);
    fractions_of(CRYSTALS, a, end);
    fractions_of(CRYSTALS, b, looked_up);
    assert_true(component(end, "Copper") > 3 * component(start, "Copper"));
    assert_true(component(end, "S") > 2 * component(start, "S"));
    assert_true(component(end, "Taylor") > 3 * component(start, "Taylor"));
    assert_true(component(end, "Cube") < 1.5 * component(start, "Cube"));
    const char *const rolling[] = {"Copper", "S", "Brass", "Taylor", "Goss", "Cube"};
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(component(looked_up, rolling[i]), component(end, rolling[i]), 0.02);
    free(a);
    free(b);
    free(c);
}

/* Simple shear to a shear strain of 1: A*, A, B and C of Toth et al. 1988 grow, rolling's Goss and Copper
 * fall; the grid solver as the iterative one. */
static void shear_gives_shear_components(void **state)
{
    (void)state;
    enum { CRYSTALS = 2048, STEPS = 36 };
    const char *const solvers[2] = {"iterative", "grid"};
    double start[32], end[2][32];
    for (int k = 0; k < 2; k++) {
        sw_crystal *crystal = random_polycrystal(CRYSTALS, 16e6);
        sw_response *response = open_solver(solvers[k], NULL, 0);
        sw_crystals c = crystals_of(response, CRYSTALS, crystal, NULL);
        fractions_of(CRYSTALS, crystal, start);
        for (int step = 0; step < STEPS; step++) {
            sw_response_average average;
            CHECK_OK(sw_response_step(response, shear, 0.02 * sqrt(2) / 1e-3, &c, &c, &average));
        }
        fractions_of(CRYSTALS, crystal, end[k]);
        sw_crystals_release(&c);
        sw_response_close(response);
        free(crystal);
    }
    const char *const growing[] = {"A2*", "A", "A-bar", "B", "B-bar", "C"}, *const falling[] = {"Goss",
                                                                                                "Copper"};
    for (int i = 0; i < 6; i++) {
        if (!(component(end[0], growing[i]) > 1.5 * component(start, growing[i])))
            fail_msg("%s: %g from %g", growing[i], component(end[0], growing[i]),
                     component(start, growing[i]));
        CHECK_CLOSE(component(end[1], growing[i]), component(end[0], growing[i]), 0.02);
    }
    for (int i = 0; i < 2; i++)
        assert_true(component(end[0], falling[i]) < 0.5 * component(start, falling[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_strain_compression_is_the_published_one),
        cmocka_unit_test(the_published_material_is_nearer),
        cmocka_unit_test(taylor_factor_of_a_random_texture),
        cmocka_unit_test(database_solvers_follow_the_iterative_one),
        cmocka_unit_test(shear_gives_shear_components),
    };
    return cmocka_run_group_tests_name("Taylor polycrystal", tests, set_up, free_copper_database);
}
