/* Self-consistent polycrystals: a GPU against the CPU, one polycrystal, given stresses, and points with a loading each. Skipped, saying
 * so, where there is no GPU. */
#include "tests/families.h"
#include "tests/gpu/gpu.h"

#include "online/response/homogenization/homogenization.h"
#include "common/crystal/limits.h"
#include "online/response/step/crystals.h"
#include "online/response/trial.h"
#include "slipwave/response.h"

enum { N = 1203, STEPS = 5, P = 37, EACH = 61 };

/* By densities of dislocations and debris, and the rate by the law alone. */
static const char steel[] =
    "name: steel\ncrystal_structure: fcc\ntemperature: 298\nelasticity: {C11: 204.6e9, C12: 137.7e9, C44: "
    "126.2e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-2\n  rate_sensitivity: 0.05\n  rate_of_step: yes\n  families:\n"
    "    - {family: \"111\", self: 1, coplanar: 0, latent: [0], athermal_resistance: 87e6, shear_modulus: "
    "64.366667e9,\n"
    "       burgers_vector: 2.546e-10, initial_dislocation_density: 5e9, dislocation_strengthening: 0.35,\n"
    "       dislocation_storage: 2.75e8, recovery_energy: 3.8e-3, recovery_drag: 300e6, recovery_rate: 1e7,\n"
    "       debris_strengthening: 0.086, initial_debris_density: 1e11, debris_share: 280}\n"
    "hardening: {law: kocks_mecking}\n";

static const double turning[3][3] = {{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}};

static sw_response *open_scheme(sw_device device, const sw_material *m, sw_self_consistent scheme)
{
    return open_on(device, (sw_response_options){.solver = "rigid_plastic",
                                                 .material = m,
                                                 .homogenization = "self_consistent",
                                                 .self_consistent = scheme});
}

/* A loading for each of P points. */
static void loadings(double l[P][3][3])
{
    for (int p = 0; p < P; p++)
        for (int k = 0; k < 9; k++)
            l[p][k / 3][k % 3] = turning[k / 3][k % 3] * (k % 4 == 0 ? 1 : 0.1 * p);
}

/* Means of each step, what crystals end with, and what meets a tension there. */
typedef struct {
    sw_response_average average[STEPS], met;
    double found[6];
    double *value;
    int64_t values;
} run;

static void take(sw_device device, const sw_material *m, sw_self_consistent scheme, run *out)
{
    static const int given[6] = {1, 1, 0, 1, 1, 1};
    static const double rate[6] = {0, 0, 1e-3, 0, 0, 0}, none[6] = {0};
    sw_response *r = open_scheme(device, m, scheme);
    sw_crystals c = make_random_crystals(r, N, 5, m->slip.initial_slip_resistance);
    out->values = sw_state_values(sw_response_layout(r));
    out->value = calloc((size_t)(N * out->values), sizeof *out->value);
    for (int k = 0; k < STEPS; k++)
        CHECK_OK(sw_response_advance(r, turning, 10, &c, &c, &out->average[k]));
    sw_response_part part = {.response = r, .fraction = 1, .from = &c};
    double pressure;
    CHECK_OK(sw_homogenization_self_consistent.meet(1, &part, given, rate, none, out->found, &pressure));
    out->met = part.average;
    for (int k = 0; k < 3; k++)
        out->met.cauchy_stress[k][k] += pressure;
    CHECK_OK(sw_crystals_save(&c, out->value));
    sw_crystals_release(&c);
    sw_response_close(r);
}

static void agree(const char *text, sw_self_consistent scheme)
{
    static run on[2];
    const sw_material m = material_of(text);
    int64_t off = 0;
    for (int d = 0; d < 2; d++)
        take(d ? SW_CUDA : SW_CPU, &m, scheme, &on[d]);
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(on[1].average[k].cauchy_stress[i / 3][i % 3],
                        on[0].average[k].cauchy_stress[i / 3][i % 3],
                        1e-5 * fabs(on[0].average[k].cauchy_stress[0][0]));
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(on[1].found[k], on[0].found[k], 1e-7);
    CHECK_CLOSE(on[1].met.cauchy_stress[2][2], on[0].met.cauchy_stress[2][2],
                1e-5 * on[0].met.cauchy_stress[2][2]);
    CHECK_CLOSE(on[1].met.cauchy_stress[0][0], 0, 1e-6 * on[0].met.cauchy_stress[2][2]);
    for (int64_t k = 0; k < N * on[0].values; k++)
        off += !(fabs(on[1].value[k] - on[0].value[k]) <= 1e-3 * fmax(fabs(on[0].value[k]), 1));
    print_message("%s, %s, %s: %lld of %lld numbers apart\n", m.name, scheme.linearization, scheme.ellipsoids,
                  (long long)off, (long long)(N * on[0].values));
    assert_true(off * 1000 <= N * on[0].values);
    free(on[0].value);
    free(on[1].value);
}

static void polycrystals_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    agree(copper_alone, (sw_self_consistent){"affine", 0, "phase", 1e-7});
    agree(copper_alone, (sw_self_consistent){"secant", 0, "phase", 1e-7});
    agree(copper_alone, (sw_self_consistent){"tangent", 0, "fixed", 1e-7});
    agree(copper_alone, (sw_self_consistent){"neff", 10, "grain", 1e-7});
    agree(hexagonal_18, (sw_self_consistent){"neff", 10, "phase", 1e-7});
    agree(steel, (sw_self_consistent){"neff", 10, "phase", 1e-7});
    agree(steel, (sw_self_consistent){"affine", 0, "grain", 1e-7});
}

static void points_agree_with_the_cpu(void **state)
{
    static double stress[2][P][6], tangent[2][P][6][6], l[P][3][3];
    NEED_GPU();
    const sw_material m = material_of(copper_alone);
    loadings(l);
    for (int d = 0; d < 2; d++) {
        sw_response *r =
            open_scheme(d ? SW_CUDA : SW_CPU, &m, (sw_self_consistent){"affine", 0, "phase", 1e-7});
        sw_crystals c = make_random_crystals(r, P * EACH, 5, m.slip.initial_slip_resistance);
        const sw_points points = {.points = P,
                                  .each = EACH,
                                  .velocity_gradient = (const double(*)[3][3])l,
                                  .dt = 10,
                                  .from = &c,
                                  .to = &c,
                                  .stress = stress[d],
                                  .by_strain_rate = tangent[d]};
        for (int k = 0; k < 3; k++)
            CHECK_OK(sw_response_step_each(r, &points));
        sw_crystals_release(&c);
        sw_response_close(r);
    }
    for (int p = 0; p < P; p++)
        for (int k = 0; k < 6; k++) {
            CHECK_CLOSE(stress[1][p][k], stress[0][p][k], 2e-5 * fabs(stress[0][p][2]));
            CHECK_CLOSE(tangent[1][p][k][k], tangent[0][p][k][k], 1e-3 * fabs(tangent[0][p][0][0]));
        }
}

/* Many grains, in blocks as large as there are. */
static void large_polycrystals_agree_with_the_cpu(void **state)
{
    enum { MANY = 70001 };
    static const sw_self_consistent schemes[] = {{"affine", 0, "phase", 1e-6}, {"neff", 10, "phase", 1e-6}};
    NEED_GPU();
    const sw_material m = material_of(copper_alone);
    for (int k = 0; k < 2; k++) {
        sw_response_average average[2];
        for (int d = 0; d < 2; d++) {
            sw_response *r = open_scheme(d ? SW_CUDA : SW_CPU, &m, schemes[k]);
            sw_crystals c = make_random_crystals(r, MANY, 5, m.slip.initial_slip_resistance);
            for (int step = 0; step < 2; step++)
                CHECK_OK(sw_response_advance(r, turning, 10, &c, &c, &average[d]));
            sw_crystals_release(&c);
            sw_response_close(r);
        }
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(average[1].cauchy_stress[i / 3][i % 3], average[0].cauchy_stress[i / 3][i % 3],
                        1e-5 * fabs(average[0].cauchy_stress[0][0]));
        CHECK_CLOSE(average[1].slip_resistance, average[0].slip_resistance,
                    1e-6 * average[0].slip_resistance);
    }
}

/* The same bits whoever is beside a point, and from run to run. */
static void points_depend_on_themselves(void **state)
{
    static double stress[2][P][6], l[P][3][3];
    NEED_GPU();
    const sw_material m = material_of(copper_alone);
    loadings(l);
    sw_response *r = open_scheme(SW_CUDA, &m, (sw_self_consistent){"affine", 0, "phase", 1e-5});
    sw_crystals c = make_random_crystals(r, P * EACH, 5, m.slip.initial_slip_resistance);
    sw_points points = {.points = P,
                        .each = EACH,
                        .velocity_gradient = (const double(*)[3][3])l,
                        .dt = 10,
                        .from = &c,
                        .stress = stress[0]};
    CHECK_OK(sw_response_step_each(r, &points));
    for (int p = 0; p < P; p++) {
        const sw_crystals one = sw_crystals_part(&c, p * EACH, EACH);
        points = (sw_points){.points = 1,
                             .each = EACH,
                             .velocity_gradient = (const double(*)[3][3])l + p,
                             .dt = 10,
                             .from = &one,
                             .stress = stress[1] + p};
        CHECK_OK(sw_response_step_each(r, &points));
    }
    assert_memory_equal(stress[0], stress[1], sizeof stress[0]);
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* Held by springs, beyond yield and inside it. */
static void held_points_agree_with_the_cpu(void **state)
{
    static double stress[2][P][6], tangent[2][P][6][6], found[2][P][6], l[P][3][3];
    static sw_point_condition held[P];
    NEED_GPU();
    const sw_material m = material_of(copper_alone);
    loadings(l);
    for (int p = 0; p < P; p++) {
        held[p].spring = 90e9 * 10;
        for (int i = 0; i < 3; i++) {
            held[p].held[i] = 4e6 * p * (i - 1);
            held[p].held[3 + i] = 1e6 * i;
        }
    }
    for (int d = 0; d < 2; d++) {
        sw_response *r =
            open_scheme(d ? SW_CUDA : SW_CPU, &m, (sw_self_consistent){"affine", 0, "phase", 1e-6});
        sw_crystals c = make_random_crystals(r, P * EACH, 5, m.slip.initial_slip_resistance);
        const sw_points points = {.points = P,
                                  .each = EACH,
                                  .velocity_gradient = (const double(*)[3][3])l,
                                  .condition = held,
                                  .found = found[d],
                                  .dt = 10,
                                  .from = &c,
                                  .to = &c,
                                  .stress = stress[d],
                                  .by_strain_rate = tangent[d]};
        for (int k = 0; k < 2; k++)
            CHECK_OK(sw_response_step_each(r, &points));
        sw_crystals_release(&c);
        sw_response_close(r);
    }
    int flow = 0;
    for (int p = 0; p < P; p++) {
        flow += found[0][p][2] != 0;
        for (int k = 0; k < 6; k++) {
            CHECK_CLOSE(stress[1][p][k], stress[0][p][k], 2e-5 * fabs(stress[0][p][2]));
            CHECK_CLOSE(found[1][p][k], found[0][p][k], 2e-5 * fabs(stress[0][p][2]) / held[p].spring);
            CHECK_CLOSE(tangent[1][p][k][k], tangent[0][p][k][k], 2e-3 * fabs(tangent[0][p][0][0]));
        }
    }
    assert_in_range(flow, P / 2, P - 2);
}

/* A loading that is no number has no answer. */
static void loadings_without_a_number_are_refused(void **state)
{
    static double stress[2][6], l[2][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}};
    NEED_GPU();
    const sw_material m = material_of(copper_alone);
    sw_response *r = open_scheme(SW_CUDA, &m, (sw_self_consistent){0});
    sw_crystals c = make_random_crystals(r, 2 * EACH, 5, m.slip.initial_slip_resistance);
    const sw_points points = {.points = 2,
                              .each = EACH,
                              .velocity_gradient = (const double(*)[3][3])l,
                              .dt = 10,
                              .from = &c,
                              .stress = stress};
    l[1][0][1] = NAN;
    assert_int_equal(sw_response_step_each(r, &points), SW_ERR_CONVERGENCE);
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* ---- Several materials ---- */

enum { PHASES = 3, FEW = 301 };

static void take_parts(sw_device device, const sw_material *m, sw_self_consistent scheme,
                       sw_response_part part[PHASES])
{
    static const double fraction[PHASES] = {0.5, 0.3, 0.2};
    sw_crystals c[PHASES];
    for (int k = 0; k < PHASES; k++) {
        sw_response *r = open_scheme(device, &m[k], scheme);
        c[k] = make_random_crystals(r, FEW + 100 * k, 5 + k, m[k].slip.initial_slip_resistance);
        part[k] = (sw_response_part){.response = r, .fraction = fraction[k], .from = &c[k], .to = &c[k]};
    }
    for (int step = 0; step < 3; step++)
        CHECK_OK(sw_response_advance_parts(PHASES, part, SW_STEP_STRAIN_MOST, turning, 10));
    for (int k = 0; k < PHASES; k++) {
        sw_crystals_release(&c[k]);
        sw_response_close(part[k].response);
    }
}

/* Phases of three crystals, with ellipsoids of theirs or of their grains: two ends to the tolerance. */
static void phases_agree_with_the_cpu(void **state)
{
    static const sw_self_consistent schemes[] = {{"affine", 0, "phase", 1e-6},
                                                 {"secant", 0, "phase", 1e-6},
                                                 {"neff", 10, "fixed", 1e-6},
                                                 {"neff", 10, "grain", 1e-6}};
    NEED_GPU();
    sw_material m[PHASES] = {material_of(copper_alone), material_of(hexagonal_18), material_of(copper_alone)};
    m[2].slip.initial_slip_resistance *= 3;
    for (int i = 0; i < 4; i++) {
        sw_response_part part[2][PHASES];
        for (int d = 0; d < 2; d++)
            take_parts(d ? SW_CUDA : SW_CPU, m, schemes[i], part[d]);
        for (int k = 0; k < PHASES; k++) {
            const sw_response_average *cpu = &part[0][k].average, *gpu = &part[1][k].average;
            for (int c = 0; c < 9; c++) {
                CHECK_CLOSE(gpu->cauchy_stress[c / 3][c % 3], cpu->cauchy_stress[c / 3][c % 3],
                            1e-4 * fabs(cpu->cauchy_stress[0][0]));
                CHECK_CLOSE(part[1][k].velocity_gradient[c / 3][c % 3],
                            part[0][k].velocity_gradient[c / 3][c % 3], 1e-4 * 1.5e-3);
            }
            CHECK_CLOSE(gpu->slip_resistance, cpu->slip_resistance, 1e-5 * cpu->slip_resistance);
            CHECK_CLOSE(gpu->slip_rate, cpu->slip_rate, 1e-4 * cpu->slip_rate);
            print_message("%s, %s, phase %d: %.3f MPa, %.3e 1/s\n", schemes[i].linearization,
                          schemes[i].ellipsoids, k, 1e-6 * cpu->cauchy_stress[0][0],
                          part[0][k].velocity_gradient[0][0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polycrystals_agree_with_the_cpu),
        cmocka_unit_test(large_polycrystals_agree_with_the_cpu),
        cmocka_unit_test(points_agree_with_the_cpu),
        cmocka_unit_test(points_depend_on_themselves),
        cmocka_unit_test(held_points_agree_with_the_cpu),
        cmocka_unit_test(loadings_without_a_number_are_refused),
        cmocka_unit_test(phases_agree_with_the_cpu),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
