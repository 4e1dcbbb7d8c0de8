/* Spheroids and nuclei at grain boundaries, edges and corners: by quadrature, limits, and alloy files. */
#include "tests/test.h"

#include "online/kwn/job/alloy_file.h"
#include "online/kwn/model/model.h"
#include "online/kwn/model/shape.h"

static const double pi = 3.14159265358979323846;

/* Surface by a sum over rings; capacity by its integral, 2 / C = the integral of dx / ((x + a^2) sqrt(x + c^2)) from 0 on, with
 * x = s^2 / (1 - s)^2. Midpoint sums of 20,000: 1e-7. */
static void spheroids_are_their_integrals(void **state)
{
    (void)state;
    enum { PARTS = 20000 };
    const double ratio[] = {0.03, 0.4, 0.98, 1.02, 3, 30};
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        const double a = pow(ratio[k], -1.0 / 3), c = a * ratio[k];
        double area = 0, per_capacity = 0;
        for (int i = 0; i < PARTS; i++) {
            const double t = pi * (i + 0.5) / PARTS, s = (i + 0.5) / PARTS;
            const double x = s * s / ((1 - s) * (1 - s)), dx = 2 * s / ((1 - s) * (1 - s) * (1 - s));
            area += 2 * pi * a * sin(t) * hypot(a * cos(t), c * sin(t)) * pi / PARTS;
            per_capacity += 0.5 * dx / ((x + a * a) * sqrt(x + c * c)) / PARTS;
        }
        CHECK_CLOSE(sw_kwn_spheroid_area(ratio[k]), area / (4 * pi), 1e-6);
        CHECK_CLOSE(sw_kwn_spheroid_capacity(ratio[k]), 1 / per_capacity, 1e-5 / per_capacity);
    }
    assert_true(sw_kwn_spheroid_area(1) == 1 && sw_kwn_spheroid_capacity(1) == 1);
    CHECK_CLOSE(sw_kwn_spheroid_area(1.0001), 1, 1e-7);
}

/* Of n grains that meet along directions e_i: in the sector of each, a sphere of radius 1 whose centre lies behind, at cos(angle)
 * from each boundary; by points of a grid, 2e-3 of the volume. */
static double volume_by_counting(int grains, const double (*e)[3], double angle)
{
    enum { PARTS = 160 };
    double count = 0;
    const double dot = e[0][0] * e[1][0] + e[0][1] * e[1][1] + e[0][2] * e[1][2];
    const double behind = cos(angle) / sqrt((1 - dot) / 2);
    for (int i = 0; i < PARTS; i++)
        for (int j = 0; j < PARTS; j++)
            for (int k = 0; k < PARTS; k++) {
                const double x[3] = {2 * (i + 0.5) / PARTS - 1, 2 * (j + 0.5) / PARTS - 1,
                                     2 * (k + 0.5) / PARTS - 1};
                double most = -9;
                for (int g = 0; g < grains; g++)
                    most = fmax(most, x[0] * e[g][0] + x[1] * e[g][1] + x[2] * e[g][2]);
                /* |x + behind e|^2 <= 1 of the grain whose e is nearest */
                const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
                count += square + 2 * behind * most + behind * behind <= 1;
            }
    return count * 8 / ((double)PARTS * PARTS * PARTS);
}

static void nuclei_at_grains_have_their_volumes(void **state)
{
    (void)state;
    const double q = sqrt(3) / 2, t = 1 / sqrt(3);
    const double plane[2][3] = {{1, 0, 0}, {-1, 0, 0}}, line[3][3] = {{1, 0, 0}, {-0.5, q, 0}, {-0.5, -q, 0}};
    const double point[4][3] = {{t, t, t}, {t, -t, -t}, {-t, t, -t}, {-t, -t, t}};
    for (double degrees = 40; degrees <= 90; degrees += 12.5) {
        const double angle = degrees * pi / 180, sphere = 4 * pi / 3;
        const double s[3] = {sw_kwn_barrier_factor(SW_SITES_GRAIN_BOUNDARIES, angle),
                             sw_kwn_barrier_factor(SW_SITES_GRAIN_EDGES, angle),
                             sw_kwn_barrier_factor(SW_SITES_GRAIN_CORNERS, angle)};
        print_message("%g degrees: %.4f %.4f %.4f\n", degrees, s[0], s[1], s[2]);
        CHECK_CLOSE(s[0], volume_by_counting(2, plane, angle) / sphere, 2e-3);
        CHECK_CLOSE(s[1], volume_by_counting(3, line, angle) / sphere, 2e-3);
        CHECK_CLOSE(s[2], volume_by_counting(4, point, angle) / sphere, 2e-3);
    }
    CHECK_CLOSE(sw_kwn_barrier_factor(SW_SITES_GRAIN_EDGES, 30.01 * pi / 180), 0, 1e-5);
    assert_true(sw_kwn_barrier_factor(SW_SITES_GRAIN_EDGES, 29 * pi / 180) == 0);
    CHECK_CLOSE(sw_kwn_barrier_factor(SW_SITES_GRAIN_CORNERS, 35.3 * pi / 180), 0, 1e-5);
    assert_true(sw_kwn_barrier_factor(SW_SITES_GRAIN_CORNERS, 35 * pi / 180) == 0);
}

/* ---- Files ---- */

static const char *const form =
    "name: a\nmatrix: {element: Al, molar_volume: 1e-5, molar_mass: 0.027, lattice_parameter: 4.05e-10}\n"
    "concentration_unit: mole_fraction\nsolutes:\n"
    "  - {element: B, molar_mass: 0.011, concentration: 0.002, diffusivity: {prefactor: 1e-4, "
    "activation_energy: 1e5}}\n"
    "phases:\n  - name: p\n    stoichiometry: [{element: B, count: 1}]\n    molar_volume: 1e-5\n"
    "    interfacial_energy: 0.1\n    solvus: {constant: 1e-4}\n%s\n"
    "    nucleation: {law: classical, %s}\n";

static sw_status read(const char *phase, const char *nucleation, sw_kwn_alloy *alloy)
{
    char text[4096];
    snprintf(text, sizeof text, form, phase, nucleation);
    return sw_kwn_alloy_parse("a.yaml", text, alloy);
}

static void files_have_shapes(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy;
    const sw_kwn_phase *phase = &alloy.phase[0];
    CHECK_OK(read("    aspect_ratio: 4",
                  "sites: solute, site_solute: B, incubation: factor, incubation_factor: 12.5", &alloy));
    CHECK_CLOSE(phase->interfacial_energy, 0.1 * sw_kwn_spheroid_area(4), 1e-12);
    CHECK_CLOSE(1 + phase->flux_excess, sw_kwn_spheroid_capacity(4), 1e-12);
    CHECK_CLOSE(phase->nucleation.site_density, 0.002 * SW_AVOGADRO_CONSTANT / 1e-5, 1e12);
    CHECK_CLOSE(phase->nucleation.incubation_factor, 12.5, 0);

    /* velocities go by the capacity, in units of the interface's share; tau by its factor */
    sw_kwn_point point = {.phase = {{.scale = 1e-8}}};
    const sw_kwn_axis_options uniform = {SW_AXIS_UNIFORM, 32, 0, 1e-8};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&uniform, 8, &axis));
    sw_kwn_trial trial = {.step = 1, .temperature = 500, .middle = 500, .excess = 1, .matrix = {0.002}};
    sw_kwn_prepare(&alloy, &axis, &point, &trial, 0);
    const double theta = trial.incubation[0], speed = trial.growth[0].speed;
    CHECK_CLOSE(speed * 1e-16, sw_kwn_spheroid_capacity(4) * sw_kwn_diffusivity(&alloy.solute[0], 500),
                1e-9 * speed * 1e-16);
    alloy.phase[0].nucleation.incubation = SW_INCUBATION_RUSSELL;
    sw_kwn_prepare(&alloy, &axis, &point, &trial, 0);
    CHECK_CLOSE(theta / trial.incubation[0], 12.5 / 2, 1e-9);
    sw_kwn_axis_free(&axis);

    CHECK_OK(read("", "sites: grain_edges, grain_size: 1e-4, contact_angle: 60", &alloy));
    CHECK_CLOSE(phase->nucleation.barrier_factor, sw_kwn_barrier_factor(SW_SITES_GRAIN_EDGES, pi / 3), 1e-12);
    assert_true(phase->flux_excess == 0 && phase->interfacial_energy == 0.1);
    static const char *const wrong[][3] = {
        {"", "sites: grain_corners, grain_size: 1e-4, contact_angle: 35", "35.3 at corners"},
        {"", "sites: homogeneous, contact_angle: 60", "goes with sites"},
        {"", "sites: solute, site_solute: C", "site_solute"},
        {"", "sites: homogeneous, incubation: factor", "incubation_factor"},
        {"    aspect_ratio: 0", "sites: homogeneous", "aspect_ratio"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(read(wrong[k][0], wrong[k][1], &alloy), SW_ERR_INPUT);
        if (strstr(sw_error_message(), wrong[k][2]) == NULL)
            fail_msg("%s: need %s in it", sw_error_message(), wrong[k][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheroids_are_their_integrals),
                                       cmocka_unit_test(nuclei_at_grains_have_their_volumes),
                                       cmocka_unit_test(files_have_shapes)};
    return cmocka_run_group_tests_name("shapes of particles and nuclei", tests, NULL, NULL);
}
