/* Solver `iterative` with families of slip systems: its states are the model's, in double precision, and go on from where they were
 * kept. */
#include "tests/online/response/kept_states.h"

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/material_file.h"
#include "common/math/rotation.h"
#include "slipwave/crystals.h"

enum { CRYSTALS = 7, STEPS = 10, GROUPS = 4, FAMILIES = 4, NUMBERS = GROUPS + FAMILIES };

#define FAMILY(name, s0, rest) \
    "    - {family: " name ", initial_slip_resistance: " s0 ", initial_hardening_rate: 5.0e9, " rest "}\n"
#define SATURATES "saturation_resistance: 200.0e6, exponent: 1, latent: [1, 4, 4, 1]"
static const char twinning[] =
    "name: steep\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.01\n  families:\n" FAMILY("basal", "10.0e6",
                                                                                           SATURATES)
        FAMILY("prismatic", "55.0e6", SATURATES) FAMILY("pyramidal2_ca", "60.0e6", SATURATES) FAMILY(
            "tension_twin", "40.0e6", "hardening_by_slip: 150.0e6") "hardening: {law: phenopowerlaw}\n";

static const double plane_strain[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}};
static const double shear[1][3][3] = {{{0, 0, 2e-3}, {0, 0, 0}, {0, 0, 0}}};
static const double dt = 20;

static sw_material material_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("test", text, &m));
    return m;
}

static sw_response *open_iterative(const sw_material *m)
{
    return opened(&(sw_response_options){.solver = "iterative", .material = m});
}

/* What crystals kept is what the model makes of them, group by group, though it hardens steeply (0.5 of what basal
 * systems resist with, in a step's strain of 1e-3) at n = 100, and turns to another path. */
static void states_are_the_models(void **state)
{
    (void)state;
    const sw_material m = material_of(twinning);
    const sw_integration_control control = sw_integration_history();
    sw_response *r = open_iterative(&m);
    sw_crystal crystal[CRYSTALS];
    CHECK_OK(sw_crystals_randomise(SW_CPU, CRYSTALS, crystal, 3, 0, (float)m.slip.initial_slip_resistance));
    sw_crystals c = crystals_of(r, CRYSTALS, crystal, NULL);
    const sw_state_layout *layout = sw_response_layout(r);
    const int64_t values = sw_state_values(layout);
    double *value = calloc((size_t)(CRYSTALS * values), sizeof *value), slip[CRYSTALS][NUMBERS];
    sw_crystal_state model[CRYSTALS];

    assert_int_equal(layout->n_fields, 4);
    assert_string_equal(layout->field[2].name, "slip_resistances");
    assert_int_equal(layout->field[2].values, GROUPS);
    assert_string_equal(layout->field[3].name, "family_slip");
    assert_int_equal(layout->field[3].values, FAMILIES);
    CHECK_OK(sw_crystals_save(&c, value));
    for (int i = 0; i < CRYSTALS; i++) {
        const double e[3] = {crystal[i].euler[0], crystal[i].euler[1], crystal[i].euler[2]};
        double g[3][3];
        sw_rotation_from_euler(e, g);
        model[i] = sw_crystal_state_initial(g, crystal[i].slip_resistance);
        memcpy(slip[i], value + (i + 1) * values - NUMBERS, sizeof slip[i]);
        CHECK_CLOSE(slip[i][0], 10e6, 2); /* single precision, at the beginning */
        CHECK_CLOSE(slip[i][GROUPS - 1], 40e6, 8);
        CHECK_CLOSE(slip[i][GROUPS], 0, 0);
    }
    step_often(r, plane_strain[0], dt, 2, &c);
    step_often(r, shear[0], dt, 2, &c);
    CHECK_OK(sw_crystals_save(&c, value));
    for (int way = 0; way < 2; way++) {
        const double rate = way == 0 ? sqrt(2) * 1e-3 : sqrt(2e-6); /* ||D|| */
        for (int k = 0; k < 2; k++)
            CHECK_OK(sw_integrate(&m, &control, CRYSTALS, way == 0 ? plane_strain : shear, 1, k * rate * dt,
                                  rate * dt, model, slip[0], NULL, NULL));
    }
    for (int i = 0; i < CRYSTALS; i++) {
        const double *kept = value + (i + 1) * values - NUMBERS;
        for (int k = 0; k < NUMBERS; k++)
            CHECK_CLOSE(kept[k], slip[i][k], 1e-9 * fabs(slip[i][k]) + 1e-12);
        assert_true(slip[i][0] > 30e6);
    }
    free(value);
    sw_crystals_release(&c);
    sw_response_close(r);
}

static void kept_states_go_on_to_the_same_bits(void **state)
{
    (void)state;
    const sw_material m = material_of(twinning);
    sw_response *r = open_iterative(&m);
    sw_crystals c = make_random_crystals(r, CRYSTALS, 3, m.slip.initial_slip_resistance);
    check_kept_state(r, plane_strain[0], dt, STEPS, &c);
    sw_crystals_release(&c);
    sw_response_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_the_models),
        cmocka_unit_test(kept_states_go_on_to_the_same_bits),
    };
    return cmocka_run_group_tests_name("iterative with families", tests, NULL, NULL);
}
