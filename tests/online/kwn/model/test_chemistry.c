/* Tables of chemistry: their values between and beyond nodes, growth by them, alloys that are not dilute, alloy files. */
#include "tests/test.h"

#include "common/math/random.h"
#include "online/kwn/backend/backend.h"
#include "online/kwn/job/alloy_file.h"
#include "online/kwn/model/model.h"
#include "tests/online/kwn/model/ideal_table.h"

static const double temperature = 473.15;

/* A function that is linear in 1/T, ln a and ln b by itself comes back everywhere, its slopes too; breadths stay. */
static void tables_are_linear(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy = {.n_solutes = 2, .n_phases = 1};
    double t, c[2];
    lay_out(&alloy, 1e-4, 1e-2);
    const sw_kwn_chemistry *table = &alloy.phase[0].chemistry;
    for (int k = 0; node(table, k, &t, c); k++)
        for (int v = 0; v < SW_CHEMISTRY_VALUES; v++)
            alloy.table[k * SW_CHEMISTRY_VALUES + v] =
                (float)((v + 1) *
                        (3 + 900 / t + 0.5 * log(c[0]) - 2 * log(c[1]) + 0.1 * log(c[0]) * log(c[1])));
    const double at[4][3] = {{450, 3e-4, 5e-3}, {599, 1.1e-4, 9.9e-3}, {500, 1e-6, 2e-3}, {700, 2e-3, 3e-2}};
    for (int k = 0; k < 4; k++) {
        const double x[2] = {at[k][1], at[k][2]};
        const double expected =
            3 + 900 / at[k][0] + 0.5 * log(x[0]) - 2 * log(x[1]) + 0.1 * log(x[0]) * log(x[1]);
        CHECK_CLOSE(sw_kwn_chemistry_at(&alloy, table, x, at[k][0], SW_CHEMISTRY_DRIVING, -1), expected,
                    2e-5);
        CHECK_CLOSE(sw_kwn_chemistry_at(&alloy, table, x, at[k][0], SW_CHEMISTRY_RESISTANCE, -1),
                    2 * expected, 4e-5);
        CHECK_CLOSE(sw_kwn_chemistry_at(&alloy, table, x, at[k][0], SW_CHEMISTRY_DRIVING, 0),
                    0.5 + 0.1 * log(x[1]), 1e-4);
        CHECK_CLOSE(sw_kwn_chemistry_at(&alloy, table, x, at[k][0], SW_CHEMISTRY_DRIVING, 1),
                    -2 + 0.1 * log(x[0]), 1e-4);
    }
    const double low[2] = {1e-6, 1e-3}, edge[2] = {1e-4, 1e-3};
    CHECK_CLOSE(sw_kwn_chemistry_at(&alloy, table, low, 500, SW_CHEMISTRY_BREADTH, -1),
                sw_kwn_chemistry_at(&alloy, table, edge, 500, SW_CHEMISTRY_BREADTH, -1), 1e-9);
}

/* ---- Growth ---- */

static void make_alloy(sw_kwn_alloy *alloy)
{
    *alloy = (sw_kwn_alloy){.name = "A-B-C",
                            .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                            .lattice_parameter = 4.05e-10,
                            .n_solutes = 2,
                            .n_phases = 1,
                            .solute = {{"B", 1e-17, 0, 6e-3, 1}, {"C", 4e-18, 0, 4e-3, 1}},
                            .phase = {{.name = "B2C",
                                       .concentration = {2 * 1e-5 / 3.95e-5, 1e-5 / 3.95e-5},
                                       .molar_volume = 3.95e-5,
                                       .atomic_volume = 2.2e-29,
                                       .interfacial_energy = 0.1,
                                       .all_solutes = 1,
                                       .solvus = {.exponent = {2, 1}, .prefactor = 3e-12},
                                       .nucleation = {.law = SW_NUCLEATION_CLASSICAL,
                                                      .incubation = SW_INCUBATION_RUSSELL,
                                                      .attachment = SW_ATTACHMENT_BALANCE,
                                                      .site_density = 1e25,
                                                      .barrier_factor = 1,
                                                      .nucleus_multiple = 1.05},
                                       .shearable_radius = 5e-9}}};
}

static void age(const sw_kwn_alloy *alloy, double duration, sw_kwn_point *point)
{
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    const double time[2] = {0, duration};
    const float at[2] = {(float)temperature, (float)temperature};
    CHECK_OK(sw_kwn_open(alloy, &options, 1, NULL, temperature, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, point));
    sw_kwn_close(kwn);
}

/* Nucleation, growth and coarsening by the table are those by the product and all solutes. They differ by the resistance's ln
 * between nodes, ln(10^3) / 8 = 0.86 apart of a sum of two exponentials: by up to 0.86^2 / 8 x 1/4 = 2.3 %, by growth beyond
 * second order in the supersaturation, and by c_int beside c_p, under 2 %. 5 % of rates, of number as its square at most. */
static void ideal_tables_age_as_products(void **state)
{
    (void)state;
    static sw_kwn_alloy by_product, by_table;
    make_alloy(&by_product);
    by_table = by_product;
    make_ideal_table(&by_table, 1e-5, 1e-2);
    for (double duration = 3e2; duration < 1e7; duration *= 30) {
        sw_kwn_point a, b;
        age(&by_product, duration, &a);
        age(&by_table, duration, &b);
        const sw_kwn_population *p = &a.phase[0], *q = &b.phase[0];
        print_message("%g s: N %.3e %.3e, r %.3f %.3f nm, f %.3f %.3f %%\n", duration, p->number, q->number,
                      1e9 * p->radius_sum / p->number, 1e9 * q->radius_sum / q->number, 100 * p->fraction,
                      100 * q->fraction);
        CHECK_CLOSE(q->number, p->number, 0.1 * p->number);
        CHECK_CLOSE(q->radius_sum / q->number, p->radius_sum / p->number, 0.05 * p->radius_sum / p->number);
    }
}

/* Growth of a large particle of B2C in a matrix [2]. */
static double flat_growth(const sw_kwn_alloy *alloy, const double c[2])
{
    const sw_kwn_axis_options options = {SW_AXIS_UNIFORM, 400, 0, 10e-9};
    const sw_kwn_point point = {.matrix = {c[0], c[1]}, .phase = {{.scale = 10e-9}}};
    sw_kwn_trial trial = {
        .step = 1, .temperature = temperature, .middle = temperature, .excess = 1, .matrix = {c[0], c[1]}};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 8, &axis));
    sw_kwn_prepare(alloy, &axis, &point, &trial, 0);
    sw_kwn_axis_free(&axis);
    return sw_kwn_rate_of_several(&trial.growth[0].several, 1e-6);
}

/* What second order is off by: growth by the table of an ideal dilute matrix (Eq. 29e) over the balance of all solutes (Eq. 29a), at a node, of
 * C with so much more D c than the formula asks. Computed apart from this program; the
 * table's numbers are of single precision. */
static void tables_grow_faster_beside_an_excess(void **state)
{
    (void)state;
    static sw_kwn_alloy by_product, by_table;
    static const double product[3] = {1.5, 10, 100};
    static const struct {
        double excess, faster[3];
    } rows[] = {
        {1, {0.00002, 0.00003, 0.00003}}, {2, {0.00038, 0.01085, 0.03723}}, {8, {0.00051, 0.01109, 0.02843}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int s = 0; s < 3; s++) {
            const double c[2] = {1e-5, 1.25e-5 * rows[k].excess};
            make_alloy(&by_product);
            by_product.phase[0].solvus.prefactor = c[0] * c[0] * c[1] / product[s];
            by_table = by_product;
            make_ideal_table(&by_table, c[0], c[1]);
            CHECK_CLOSE(flat_growth(&by_table, c) / flat_growth(&by_product, c) - 1, rows[k].faster[s], 1e-4);
        }
}

/* A phase without C, in a matrix with 0.45 of it and 0.2 of B: it grows, C is left behind, and all atoms are there. */
static void phases_may_be_poorer_than_the_matrix(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy;
    sw_kwn_point point;
    make_alloy(&alloy);
    sw_kwn_phase *phase = &alloy.phase[0];
    double t, c[2];
    alloy.solute[0].concentration = 0.2;
    alloy.solute[1].concentration = 0.45;
    phase->concentration[0] = 0.75;
    phase->concentration[1] = 0;
    phase->solvus.exponent[0] = 3;
    phase->solvus.exponent[1] = 0;
    phase->molar_volume = 4e-5;
    phase->interfacial_energy = 0.03;
    phase->atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT;
    lay_out(&alloy, 0.05, 0.8);
    for (int k = 0; node(&phase->chemistry, k, &t, c); k++) {
        float *value = alloy.table + k * SW_CHEMISTRY_VALUES;
        value[SW_CHEMISTRY_DRIVING] = (float)(0.75 * log(c[0] / 0.12) - 0.2 * log(c[1] / 0.45));
        value[SW_CHEMISTRY_RESISTANCE] = (float)log(1e18);
        value[SW_CHEMISTRY_BREADTH] = 0.5F;
    }
    age(&alloy, 1e6, &point);
    const double f = point.phase[0].fraction;
    print_message("f = %.4f, matrix %.4f and %.4f\n", f, point.matrix[0], point.matrix[1]);
    assert_true(f > 0.08 && point.matrix[1] > 0.48);
    CHECK_CLOSE((1 - f) * point.matrix[0] + f * 0.75, 0.2, 1e-9);
    CHECK_CLOSE((1 - f) * point.matrix[1], 0.45, 1e-9);
    /* at equilibrium but for curvature */
    CHECK_CLOSE(0.75 * log(point.matrix[0] / 0.12) - 0.2 * log(point.matrix[1] / 0.45), 0, 0.05);
}

static void compositions_beyond_a_table_are_refused(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy;
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    const double most[2] = {1e-2, 4e-3}, beyond[2] = {1.1e-2, 4e-3};
    make_alloy(&alloy);
    make_ideal_table(&alloy, 1e-5, 1e-2);
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, most, temperature, &kwn));
    sw_kwn_close(kwn);
    assert_int_equal(sw_kwn_open(&alloy, &options, 1, beyond, temperature, &kwn), SW_ERR_RANGE);
    assert_string_equal(
        sw_error_message(),
        "point 0: concentration of B = 0.011: need at most 0.01, where the table of B2C ends");
}

/* ---- Files ---- */

#define HEAD                                                                                                 \
    "name: a\nmatrix: {element: Ni, molar_volume: 6.8e-6, molar_mass: 0.0587, lattice_parameter: 3.5e-10}\n" \
    "concentration_unit: mole_fraction\nsolutes:\n"                                                          \
    "  - {element: Al, molar_mass: 0.027, concentration: 0.6, diffusivity: {prefactor: 1e-4, "               \
    "activation_energy: 2.6e5}}\n"                                                                           \
    "phases:\n  - name: p\n    stoichiometry: [{element: Ni, count: 3}, {element: Al, count: 1}]\n"          \
    "    atomic_volume: 1.13e-29\n    interfacial_energy: 0.02\n    nucleation: {law: none}\n"
#define TABLE                                                                     \
    "    chemistry:\n      temperature: {lowest: 900, highest: 1100, count: 2}\n" \
    "      concentration: [{solute: Al, lowest: 0.01, highest: 0.7, count: 2}]\n" \
    "      driving: [1, 2, 3, 4]\n      resistance: [30, 31, 32, 33]\n      breadth: [0.1, 0.2, 0.3, 0.4]\n"

static void files_have_tables(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy;
    CHECK_OK(sw_kwn_alloy_parse("a.yaml", HEAD TABLE, &alloy));
    const sw_kwn_phase *phase = &alloy.phase[0];
    const double lean[1] = {0.01}, rich[1] = {0.7};
    assert_true(phase->chemistry.on && sw_kwn_is_by_tables(&alloy));
    CHECK_CLOSE(sw_kwn_driving(&alloy, phase, rich, 900), 4 * 2, 1e-6);
    CHECK_CLOSE(sw_kwn_driving(&alloy, phase, lean, 1100), 4 * 3, 1e-6);
    CHECK_CLOSE(sw_kwn_exponent(&alloy, phase, lean, 900, 0), 4 / log(70), 1e-6);
    static const char *const wrong[][3] = {
        {"[1, 2, 3, 4]", "[1, 2, 3]", "driving: 3 numbers: need 4"},
        {"solute: Al", "solute: Cr", "need Al"},
        {"highest: 0.7", "highest: 0.5", "at least what the alloy has"},
        {"highest: 1100", "highest: 800", "more than lowest"},
        {"0.1, 0.2", "0, 0.2", "breadth"},
        {"    chemistry:", "    solvus: {constant: 0.1}\n    chemistry:", "chemistry"},
        {"    chemistry:", "    growth_limiting_solute: Al\n    chemistry:", "goes with solvus"},
        {"concentration: 0.6", "concentration: 1.1", "0.999"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[4096];
        const char *whole = HEAD TABLE, *at = strstr(whole, wrong[k][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, wrong[k][1],
                 at + strlen(wrong[k][0]));
        assert_int_equal(sw_kwn_alloy_parse("a.yaml", text, &alloy), SW_ERR_INPUT);
        if (strstr(sw_error_message(), wrong[k][2]) == NULL)
            fail_msg("%s: need %s in it", sw_error_message(), wrong[k][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_linear),
                                       cmocka_unit_test(ideal_tables_age_as_products),
                                       cmocka_unit_test(tables_grow_faster_beside_an_excess),
                                       cmocka_unit_test(phases_may_be_poorer_than_the_matrix),
                                       cmocka_unit_test(compositions_beyond_a_table_are_refused),
                                       cmocka_unit_test(files_have_tables)};
    return cmocka_run_group_tests_name("tables of chemistry", tests, NULL, NULL);
}
