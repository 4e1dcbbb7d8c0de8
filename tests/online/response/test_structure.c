/* Crystals by laws with a structure: solvers against each other through a jump of rate, states that go on to the same bits with all that a
 * law can have, and rate that enters by the law alone. */
#include "tests/online/response/kept_states.h"

#include "common/crystal/material_file.h"
#include "slipwave/crystals.h"
#include "tests/families.h"

enum { CRYSTALS = 11 };

static sw_response *open_solver(const char *solver, const sw_material *m)
{
    return opened(&(sw_response_options){.solver = solver, .material = m});
}

static void set_crystals(const sw_material *m, sw_crystal crystal[CRYSTALS])
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, CRYSTALS, crystal, 3, 0, (float)m->slip.initial_slip_resistance));
}

/* von Mises' stress of the mean after so many steps of plane strain, Pa. */
static double press(sw_response *r, const sw_crystals *c, double rate, double strain, int steps)
{
    const double l[3][3] = {{rate, 0, 0}, {0, 0, 0}, {0, 0, -rate}};
    sw_response_average mean;
    double square = 0;
    for (int k = 0; k < steps; k++)
        CHECK_OK(sw_response_step(r, l, strain / steps / rate, c, c, &mean));
    const double p = (mean.cauchy_stress[0][0] + mean.cauchy_stress[1][1] + mean.cauchy_stress[2][2]) / 3;
    for (int k = 0; k < 9; k++)
        square += pow(mean.cauchy_stress[k / 3][k % 3] - (k % 4 == 0 ? p : 0), 2);
    return sqrt(1.5 * square);
}

static void press_fresh(const char *solver, const sw_material *m, double size[3])
{
    sw_crystal crystal[CRYSTALS];
    sw_response *r = open_solver(solver, m);
    set_crystals(m, crystal);
    sw_crystals c = crystals_of(r, CRYSTALS, crystal, NULL);
    size[0] = press(r, &c, 1e-3, 0.04, 80);
    size[1] = press(r, &c, 10, 0.02, 40);
    size[2] = press(r, &c, 1e-3, 0.02, 40);
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* Steps of 5e-4, of which Euler's backward ones leave some 0.1 % where densities grow by a half in each. The jump is seen. */
static void solvers_agree_through_a_jump_of_rate(void **state)
{
    (void)state;
    static const char *const file[] = {"aluminium-5182.yaml", "zirconium-dislocations.yaml"};
    for (int k = 0; k < 2; k++) {
        sw_material m;
        double own[3], other[3];
        CHECK_OK(sw_material_read(data_path("materials/%s", file[k]), &m));
        press_fresh("iterative", &m, own);
        press_fresh("elastoplastic", &m, other);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(other[i], own[i], 0.005 * own[i]);
        press_fresh("rigid_plastic", &m, other);
        CHECK_CLOSE(other[2], own[2], 0.08 * own[2]); /* ahead by the elastic strain */
        assert_true(own[1] > 1.03 * own[0]);
    }
}

/* All that a law can have: densities, debris, variants of twins that turn, back-stresses. */
static void kept_states_go_on_to_the_same_bits(void **state)
{
    (void)state;
    sw_material m;
    CHECK_OK(sw_material_read(data_path("materials/zirconium-dislocations.yaml"), &m));
    m.slip.family[0].back_stress_modulus = 2e9;
    m.slip.family[0].back_stress_decay = 50;
    m.slip.family[2].twin_threshold = 0.01;
    sw_response *r = open_solver("elastoplastic", &m);
    sw_crystals c = make_random_crystals(r, CRYSTALS, 3, m.slip.initial_slip_resistance);
    double debris, back[48];
    assert_non_null(sw_state_field_find(sw_response_layout(r), "dislocation_densities"));
    check_kept_state(r, (const double[3][3]){{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}, 10, 10, &c);
    CHECK_OK(sw_crystals_mean(&c, "debris_density", &debris));
    CHECK_OK(sw_crystals_mean(&c, "back_stresses", back));
    assert_true(debris > 1.01e11 && fabs(back[0]) + fabs(back[1]) + fabs(back[2]) > 1e5);
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* With rate_of_step a law that knows no rate has the same stress at all: to rounding. */
static void rate_enters_by_the_law_alone(void **state)
{
    (void)state;
    static const char *const solver[] = {"elastoplastic", "rigid_plastic", "iterative"};
    sw_material m;
    CHECK_OK(sw_material_read(data_path("materials/copper-ofhc-latent.yaml"), &m));
    for (int k = 0; k < 3; k++) {
        double size[2][2];
        for (int of_step = 0; of_step < 2; of_step++)
            for (int fast = 0; fast < 2; fast++) {
                sw_crystal crystal[CRYSTALS];
                m.slip.rate_of_step = of_step;
                sw_response *r = open_solver(solver[k], &m);
                set_crystals(&m, crystal);
                sw_crystals c = crystals_of(r, CRYSTALS, crystal, NULL);
                size[of_step][fast] = press(r, &c, fast ? 10 : 1e-3, 0.04, 4);
                sw_crystals_release(&c);
                sw_response_close(r);
            }
        CHECK_CLOSE(size[1][1], size[1][0], 1e-5 * size[1][0]);
        assert_true(size[0][1] > 1.1 * size[0][0]);
    }
}

/* A crystal cannot begin with another resistance: nothing would come of it. */
static void resistances_are_the_structures(void **state)
{
    (void)state;
    sw_material m;
    sw_crystal crystal[CRYSTALS];
    sw_crystals c;
    CHECK_OK(sw_material_read(data_path("materials/aluminium-5182.yaml"), &m));
    sw_response *r = open_solver("elastoplastic", &m);
    CHECK_OK(sw_crystals_randomise(SW_CPU, CRYSTALS, crystal, 3, 0, (float)m.slip.initial_slip_resistance));
    crystal[3].slip_resistance = 60e6F;
    assert_int_equal(sw_crystals_of(r, CRYSTALS, crystal, NULL, &c), SW_ERR_RANGE);
    assert_message_has(
        "crystal 3: slip resistance = 6e+07 Pa: that of aluminium 5182 is that of its structure");
    sw_response_close(r);
}

/* All families alike, twins among them. */
static void ageing_makes_the_resistance_that_it_should(void **state)
{
    (void)state;
    static const char *const file[] = {"aluminium-5182.yaml", "zirconium-dislocations.yaml"};
    for (int k = 0; k < 2; k++) {
        sw_material m, aged;
        CHECK_OK(sw_material_read(data_path("materials/%s", file[k]), &m));
        const double wanted = m.slip.initial_slip_resistance + 50e6;
        CHECK_OK(sw_material_age(&m, wanted, &aged));
        CHECK_CLOSE(aged.slip.initial_slip_resistance, wanted, 100);
        for (int f = 0; f < m.slip.family_count; f++)
            CHECK_CLOSE(aged.slip.family[f].initial_slip_resistance -
                            m.slip.family[f].initial_slip_resistance,
                        50e6, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree_through_a_jump_of_rate),
        cmocka_unit_test(kept_states_go_on_to_the_same_bits),
        cmocka_unit_test(rate_enters_by_the_law_alone),
        cmocka_unit_test(resistances_are_the_structures),
        cmocka_unit_test(ageing_makes_the_resistance_that_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
