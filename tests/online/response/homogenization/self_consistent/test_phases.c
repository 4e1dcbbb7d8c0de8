/* Several materials in one self-consistent polycrystal: of one material they are one, isotropic linear spheres have a closed form, rates and
 * stresses of phases add up, and what is refused. */
#include "tests/families.h"

#include <omp.h>
#include <stdlib.h>

#include "common/crystal/limits.h"
#include "common/math/random.h"
#include "online/response/trial.h"
#include "tests/crystals.h"

enum { N = 30, PARTS = 5 };

static const double rolling[3][3] = {{1e-3, 2e-4, 0}, {0, 0, 0}, {0, 0, -1e-3}};

static sw_response *open_by(const sw_material *m, const char *homogenization, sw_self_consistent scheme)
{
    const sw_response_options options = {.solver = "rigid_plastic",
                                         .material = m,
                                         .homogenization = homogenization,
                                         .self_consistent = scheme};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

static sw_response *open_as(const sw_material *m, sw_self_consistent scheme)
{
    return open_by(m, "self_consistent", scheme);
}

static void random_crystals(const sw_material *m, int first, int n, sw_crystal *crystal)
{
    for (int i = 0; i < n; i++) {
        double e[3];
        sw_random_orientation(3, (uint64_t)(first + i), e);
        crystal[i] =
            (sw_crystal){{(float)e[0], (float)e[1], (float)e[2]}, (float)m->slip.initial_slip_resistance};
    }
}

static double size_of(const double a[3][3])
{
    double square = 0;
    for (int k = 0; k < 9; k++)
        square += a[k / 3][k % 3] * a[k / 3][k % 3];
    return sqrt(square);
}

/* Two steps, and means as crystals then are. */
static void step_parts(int n, sw_response_part *part)
{
    for (int k = 0; k < 2; k++)
        CHECK_OK(sw_response_advance_parts(n, part, SW_STEP_STRAIN_MOST, rolling, 10));
    CHECK_OK(sw_response_evaluate_parts(n, part, rolling));
}

/* Ten of the crystals as one phase of 0.4, twenty as another: a weight of 2 to 1.5 each. By different sums, both to the tolerance. */
static void check_one_material(const char *linearization, const char *ellipsoids, double tolerance,
                               double bound)
{
    static sw_crystal crystal[2][N];
    sw_material m = copper();
    float weight[N];
    sw_crystals c[3];
    sw_response *r[2];
    double stress[3][3] = {{0}}, mean[3][3] = {{0}}, resistance = 0;
    m.slip.rate_sensitivity = 0.1;
    const sw_self_consistent scheme = {linearization, 0, ellipsoids, tolerance};
    for (int k = 0; k < 2; k++) {
        random_crystals(&m, 0, N, crystal[k]);
        r[k] = open_as(&m, scheme);
    }
    for (int i = 0; i < N; i++)
        weight[i] = i < 10 ? 2 : 1.5F;
    c[0] = crystals_of(r[0], N, crystal[0], weight);
    c[1] = crystals_of(r[0], 10, crystal[1], NULL);
    c[2] = crystals_of(r[1], N - 10, crystal[1] + 10, NULL);
    sw_response_part one = {.response = r[0], .fraction = 1, .from = &c[0], .to = &c[0]};
    sw_response_part two[2] = {{.response = r[0], .fraction = 0.4, .from = &c[1], .to = &c[1]},
                               {.response = r[1], .fraction = 0.6, .from = &c[2], .to = &c[2]}};
    step_parts(1, &one);
    step_parts(2, two);
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 9; k++) {
            stress[k / 3][k % 3] += two[p].fraction * two[p].average.cauchy_stress[k / 3][k % 3];
            mean[k / 3][k % 3] += two[p].fraction * two[p].velocity_gradient[k / 3][k % 3];
        }
    for (int p = 0; p < 2; p++)
        resistance += two[p].fraction * two[p].average.slip_resistance;
    for (int k = 0; k < 9; k++) {
        CHECK_CLOSE(stress[k / 3][k % 3], one.average.cauchy_stress[k / 3][k % 3],
                    bound * size_of(one.average.cauchy_stress));
        CHECK_CLOSE(mean[k / 3][k % 3], rolling[k / 3][k % 3], bound * size_of(rolling));
    }
    CHECK_CLOSE(resistance, one.average.slip_resistance, bound * resistance);
    assert_memory_equal(crystal[0], crystal[1], sizeof crystal[0]);
    assert_true(fabs(two[0].velocity_gradient[0][0] - rolling[0][0]) >
                1e-6); /* phases go ways of their own */
    for (int k = 0; k < 3; k++)
        sw_crystals_release(&c[k]);
    for (int k = 0; k < 2; k++)
        sw_response_close(r[k]);
}

/* Phases have ellipsoids of their own, which stay alike where they stay, or are their grains', or, of second order, the polycrystal's. */
static void phases_of_one_material_are_one(void **state)
{
    (void)state;
    check_one_material("secant", "fixed", 3e-11, 1e-10);
    check_one_material("affine", "fixed", 3e-11, 1e-10);
    check_one_material("tangent", "fixed", 3e-11, 1e-10);
    check_one_material("neff", "fixed", 3e-11, 1e-10);
    check_one_material("affine", "grain", 1e-9, 1e-8);
    check_one_material("second_order", "phase", 3e-11, 1e-10);
}

/* ---- A closed form ---- */

/* n = 1. Of {111}<110> the sum of P P over 12 systems is 2 in the two modes of normal components and 2/3 in the three shears; {001}<110>
 * has 1 in the shears alone: with 3/4 of the resistance there these are 2, too, and the crystal is isotropic: d = (2 v0 / g) s. */
#define ISOTROPIC(g, of_cube)                                                                          \
    "name: isotropic\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n" \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 1\n  families:\n"                       \
    "    - {family: \"111\", initial_slip_resistance: " g ", saturation_increase: 0, "                 \
    "initial_hardening_rate: 0, final_hardening_rate: 0}\n"                                            \
    "    - {family: cube, systems: [[0, 0, 1, 1, 1, 0], [0, 0, 1, 1, -1, 0], [0, 1, 0, 1, 0, 1], "     \
    "[0, 1, 0, 1, 0, -1], [1, 0, 0, 0, 1, 1], [1, 0, 0, 0, 1, -1]],\n"                                 \
    "       initial_slip_resistance: " of_cube ", saturation_increase: 0, initial_hardening_rate: 0, " \
    "final_hardening_rate: 0}\nhardening: {law: extended_voce}\n"

/* Spheres of viscosities v1, v2 in the medium: D_i = 5 v / (3 v + 2 v_i) D, and v is such that their mean is D: Hill's (1965) quadratic,
 * 3 v^2 + (2 v1 + 2 v2 - 5 f1 v1 - 5 f2 v2) v - 2 v1 v2 = 0. */
static double viscosity_of(double f, double v1, double v2)
{
    const double b = 2 * (v1 + v2) - 5 * (f * v1 + (1 - f) * v2);
    return (-b + sqrt(b * b + 24 * v1 * v2)) / 6;
}

static void isotropic_spheres_have_a_closed_form(void **state)
{
    (void)state;
    static const double fraction[] = {0.15, 0.5, 0.8};
    static const char *const names[] = {"secant", "affine", "tangent", "neff"};
    const sw_material m[2] = {material_of(ISOTROPIC("10.0e6", "7.5e6")),
                              material_of(ISOTROPIC("120.0e6", "90.0e6"))};
    const double v[2] = {10e6 / 4e-3, 120e6 / 4e-3}; /* s = 2 v d */
    for (int i = 0; i < 12; i++) {
        static sw_crystal crystal[2][N];
        sw_response_part part[2];
        sw_crystals c[2];
        const double f = fraction[i % 3], medium = viscosity_of(f, v[0], v[1]);
        for (int k = 0; k < 2; k++) {
            part[k] = (sw_response_part){
                .response = open_as(&m[k], (sw_self_consistent){names[i / 3], i / 3 == 3, "phase", 1e-10}),
                .fraction = k == 0 ? f : 1 - f,
                .from = &c[k],
                .to = &c[k]};
            random_crystals(&m[k], 40 * k, k == 0 ? 3 : 7, crystal[k]);
            c[k] = crystals_of(part[k].response, k == 0 ? 3 : 7, crystal[k], NULL);
        }
        CHECK_OK(sw_response_advance_parts(2, part, SW_STEP_STRAIN_MOST, rolling, 1e-6));
        for (int k = 0; k < 2; k++) {
            const double by = 5 * medium / (3 * medium + 2 * v[k]);
            for (int j = 0; j < 9; j++) {
                const double d = 0.5 * (rolling[j / 3][j % 3] + rolling[j % 3][j / 3]);
                CHECK_CLOSE(part[k].average.cauchy_stress[j / 3][j % 3], 2 * v[k] * by * d,
                            1e-6 * 2 * v[k] * size_of(rolling));
                CHECK_CLOSE(
                    0.5 * (part[k].velocity_gradient[j / 3][j % 3] + part[k].velocity_gradient[j % 3][j / 3]),
                    by * d, 1e-6 * size_of(rolling));
            }
        }
        for (int k = 0; k < 2; k++) {
            sw_crystals_release(&c[k]);
            sw_response_close(part[k].response);
        }
    }
}

/* ---- Phases of very different strength ---- */

/* Work of copper and ten times as hard zirconium at 76 K in simple shear, after five steps. */
static double work_of_mixture(const char *homogenization, sw_self_consistent scheme)
{
    static const double shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};
    static sw_crystal crystal[2][N];
    static sw_material m[2];
    sw_response_part part[2];
    sw_crystals c[2];
    double work = 0;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(sw_material_read(
            data_path("materials/%s", k == 0 ? "copper-ofhc.yaml" : "zirconium-76K.yaml"), &m[k]));
        random_crystals(&m[k], 40 * k, N, crystal[k]);
        part[k] = (sw_response_part){.response = open_by(&m[k], homogenization, scheme),
                                     .fraction = k == 0 ? 0.41 : 0.59,
                                     .from = &c[k],
                                     .to = &c[k]};
        c[k] = crystals_of(part[k].response, N, crystal[k], NULL);
    }
    for (int step = 0; step < 5; step++)
        CHECK_OK(sw_response_advance_parts(2, part, SW_STEP_STRAIN_MOST, shear, 28));
    for (int k = 0; k < 2; k++) {
        work += part[k].fraction * part[k].average.cauchy_stress[0][1];
        sw_crystals_release(&c[k]);
        sw_response_close(part[k].response);
    }
    return work;
}

/* Copper strains five times as fast as zirconium. Schemes are in order, each with an answer at every step. */
static void soft_and_hard_phases_have_an_answer(void **state)
{
    (void)state;
    const double taylor = work_of_mixture("taylor", (sw_self_consistent){0}),
                 secant =
                     work_of_mixture("self_consistent", (sw_self_consistent){"secant", 0, "phase", 1e-8}),
                 affine =
                     work_of_mixture("self_consistent", (sw_self_consistent){"affine", 0, "phase", 1e-4}),
                 neff = work_of_mixture("self_consistent", (sw_self_consistent){"neff", 10, "phase", 1e-8});
    CHECK_CLOSE(work_of_mixture("self_consistent", (sw_self_consistent){"affine", 0, "phase", 1e-8}), affine,
                3e-4 * affine);
    CHECK_CLOSE(work_of_mixture("self_consistent", (sw_self_consistent){"affine", 0, "grain", 1e-8}), affine,
                0.02 * affine);
    assert_true(neff < 0.7 * affine && affine < 0.8 * secant && secant < taylor);
}

/* ---- Refusals ---- */

static void what_does_not_go_together_is_named(void **state)
{
    (void)state;
    sw_material m[2] = {copper(), copper()};
    sw_response_part part[PARTS];
    m[1].slip.rate_sensitivity = 0.05;
    for (int k = 0; k < PARTS; k++)
        part[k].response = open_as(&m[k % 2], (sw_self_consistent){.linearization = "tangent"});
    assert_int_equal(sw_response_check_parts(5, part), SW_ERR_UNAVAILABLE);
    assert_message_has("5 materials: need at most 4");
    assert_int_equal(sw_response_check_parts(2, part), SW_ERR_UNAVAILABLE);
    assert_message_has("linearization = tangent: rate_sensitivity = 0.012 and 0.05");
    CHECK_OK(sw_response_check_parts(1, part));
    for (int k = 0; k < PARTS; k++)
        sw_response_close(part[k].response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_of_one_material_are_one),
        cmocka_unit_test(isotropic_spheres_have_a_closed_form),
        cmocka_unit_test(soft_and_hard_phases_have_an_answer),
        cmocka_unit_test(what_does_not_go_together_is_named),
    };
    omp_set_num_threads(1); /* of so few crystals */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
