/* Growth by several solutes, and by a table of chemistry, on a GPU against the CPU: numbers, radii, fractions within 0.1 %. Skipped,
 * saying so, where there is no GPU. */
#include "tests/gpu/gpu.h"
#include "online/kwn/backend/strategies.h"
#include "online/kwn/model/alloy.h"
#include "tests/online/kwn/model/ideal_table.h"

enum { POINTS = 200, KNOTS = 4 };
static const double times[KNOTS] = {0, 1e4, 1e5, 1.5e5};

static const sw_kwn_alloy alloy = {
    .name = "Al-Mg-Si",
    .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
    .lattice_parameter = 4.05e-10,
    .n_solutes = 2,
    .n_phases = 1,
    .solute = {{"Mg", 1.24e-4, 130.4e3, 0.008, 1}, {"Si", 2.02e-4, 136.0e3, 0.004, 1}},
    .phase = {{.name = "Mg2Si",
               .concentration = {0.50633, 0.25316},
               .molar_volume = 3.95e-5,
               .atomic_volume = 2.1864e-29,
               .interfacial_energy = 0.1,
               .all_solutes = 1,
               .limiting_solute = 0,
               .solvus = {.exponent = {2, 1}, .prefactor = 40, .enthalpy = 96.9e3},
               .nucleation = {.law = SW_NUCLEATION_CLASSICAL,
                              .incubation = SW_INCUBATION_KAMPMANN_WAGNER,
                              .site_density = 4e22,
                              .barrier_factor = 0.3,
                              .nucleus_multiple = 1.05},
               .shearable_radius = 5e-9}}};

static void age(const sw_kwn_alloy *of, sw_kwn_strategy strategy, sw_kwn_precision precision,
                sw_kwn_point point[POINTS])
{
    static double composition[POINTS][2];
    static float temperature[KNOTS][POINTS];
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    options.strategy = strategy;
    options.precision = precision;
    for (int i = 0; i < POINTS; i++) {
        const float hold = 473.15F + 0.4F * (float)i;
        composition[i][0] = 0.006 + 2e-5 * (i % 100); /* either solute in excess, and as in the phase */
        composition[i][1] = 0.003 + 3e-5 * (i % 71);
        for (int k = 0; k < KNOTS; k++)
            temperature[k][i] = k < 2 ? hold : hold + 30;
    }
    CHECK_OK(sw_kwn_open(of, &options, POINTS, composition[0], 803.15, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, KNOTS, times, temperature[0], 1));
    CHECK_OK(sw_kwn_wait(kwn));
    CHECK_OK(sw_kwn_read(kwn, 0, POINTS, point));
    sw_kwn_close(kwn);
}

static void compare(const sw_kwn_alloy *of)
{
    static sw_kwn_point expected[POINTS], found[POINTS];
    age(of, SW_KWN_CPU, SW_KWN_DOUBLE, expected);
    age(of, SW_KWN_FUSED, SW_KWN_DOUBLE, found);
    double worst[3] = {0};
    for (int i = 0; i < POINTS; i++) {
        const sw_kwn_population *a = &found[i].phase[0], *b = &expected[i].phase[0];
        assert_true(b->number > 1e17 && b->fraction > 1e-3);
        worst[0] = greatest(worst[0], fabs(a->number / b->number - 1));
        worst[1] = greatest(worst[1], fabs(a->radius_sum / a->number / (b->radius_sum / b->number) - 1));
        worst[2] = greatest(worst[2], fabs(a->fraction / b->fraction - 1));
    }
    print_message("number %.1e, radius %.1e, fraction %.1e\n", worst[0], worst[1], worst[2]);
    for (int k = 0; k < 3; k++)
        assert_true(worst[k] <= 1e-3);
}

static void fused_has_the_cpus_numbers(void **state)
{
    (void)state;
    NEED_GPU();
    compare(&alloy);
}

/* A plate besides, whose share of both is one number each. */
static void tables_have_the_cpus_numbers(void **state)
{
    (void)state;
    static sw_kwn_alloy by_table;
    NEED_GPU();
    by_table = alloy;
    by_table.phase[0].flux_excess = 0.2;
    make_ideal_table(&by_table, 1e-5, 1e-2);
    compare(&by_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fused_has_the_cpus_numbers),
                                       cmocka_unit_test(tables_have_the_cpus_numbers)};
    return cmocka_run_group_tests_name("several solutes on a GPU", tests, set_up, NULL);
}
