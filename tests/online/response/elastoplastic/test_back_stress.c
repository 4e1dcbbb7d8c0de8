/* Back-stresses of elastic-plastic crystals: one system under ten cycles against its law integrated by itself and against the closed form
 * of its stable loop, the tangent against differences, and what has no back-stress by name. */
#include "tests/online/response/elastoplastic/mean_stress.h"

#include "common/crystal/material_file.h"

enum { CYCLES = 10, STEPS = 1000, SYSTEMS = 15, FAMILIES = 2, CRYSTALS = 40 };

static const double C = 3e9, D = 150, RESISTANCE = 40e6, G = 26e9, RATE = 1e-3,
                    M = 0.02;         /* Pa, Pa, Pa, 1/s */
static const double AMPLITUDE = 0.01; /* of shear */

/* Isotropic, so that what turns the lattice by some 1e-3 leaves no trace; resistances stay. */
#define HEAD(basal, law, m)                                                          \
    "name: cycled\ncrystal_structure: hexagonal\nc_over_a: 1.62\n"                   \
    "elasticity: {C11: 108e9, C12: 56e9, C44: 26e9, C13: 56e9, C33: 108e9}\n"        \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: " m "\n  families:\n" \
    "    - {family: basal, initial_slip_resistance: 40.0e6" BACK basal law "}\n"     \
    "    - {family: pyramidal_ca, initial_slip_resistance: 400.0e6" law "}\n"
#define BACK ", back_stress_modulus: 3.0e9, back_stress_decay: 150"
#define STAYS ", initial_hardening_rate: 0, saturation_resistance: 500.0e6, exponent: 1"
/* m and v0 of its own. */
#define RATES ", rate_sensitivity: 0.02, reference_slip_rate: 1.0e-2"
#define SLIP_LAW "hardening: {law: phenopowerlaw}\n"
#define ONE_LAW \
    "hardening: {law: voce, initial_hardening_rate: 0, saturation_resistance: 1000.0e6, exponent: 1}\n"

static sw_material material_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("back.yaml", text, &m));
    return m;
}

/* ---- One system ---- */

/* L of a shear of this rate along a lattice's b on n, seen from the sample. */
static void sheared(const double g[3][3], const double b[3], const double n[3], double rate, double l[3][3])
{
    memset(l, 0, 9 * sizeof **l);
    for (int i = 0; i < 81; i++)
        l[i / 27][i / 9 % 3] += rate * g[i / 27][i / 3 % 3] * b[i / 3 % 3] * g[i / 9 % 3][i % 3] * n[i % 3];
}

/* gamma' = shear on the basal plane along a system of the lattice as it is, which elastic shears turn: one crystal, by the response. */
typedef struct {
    double tau, back, slip; /* Pa, Pa; the sizes of slips, summed */
} row;

static void cycle_crystal(const sw_material *m, row end[2 * CYCLES])
{
    sw_response *r = opened(&(sw_response_options){.solver = "elastoplastic", .material = m});
    sw_crystal crystal = {{0, 0, 0}, (float)m->slip.initial_slip_resistance};
    sw_crystals c = crystals_of(r, 1, &crystal, NULL);
    const int64_t values = sw_state_values(sw_response_layout(r));
    double value[80], schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3];
    sw_slip_systems systems;
    CHECK_OK(sw_material_systems(m, &systems));
    sw_schmid_vectors(&systems, schmid, spin);
    const double *const n = systems.normal[0], *const b = systems.direction[0];
    for (int half = 0; half < 2 * CYCLES; half++) {
        const double sign = half % 2 == 0 ? RATE : -RATE, dt = (half == 0 ? 1 : 2) * AMPLITUDE / STEPS / RATE;
        for (int k = 0; k < STEPS; k++) {
            const double euler[3] = {crystal.euler[0], crystal.euler[1], crystal.euler[2]};
            double g[3][3], l[3][3];
            sw_response_average average;
            sw_rotation_from_euler(euler, g);
            sheared((const double(*)[3])g, b, n, sign, l);
            CHECK_OK(sw_response_step(r, (const double(*)[3])l, dt, &c, &c, &average));
        }
        CHECK_OK(sw_crystals_save(&c, value));
        const double s = crystal.slip_resistance;
        row *e = &end[half];
        *e = (row){.back = value[values - SYSTEMS], .slip = value[values - SYSTEMS - FAMILIES]};
        for (int i = 0; i < 5; i++)
            e->tau += schmid[0][i] * value[i] * s;
        for (int a = 1; a < SYSTEMS; a++)
            CHECK_CLOSE(value[values - SYSTEMS + a], 0, 5e-8 * C / D); /* angles are floats */
    }
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* tau' = G (gamma' - v), X' = c v - d |v| X, v = v0 ((tau - X)/g)^n: by steps of 1e-6 of Runge and Kutta, whose 2e-3 of g/(n G) leave
 * nothing of 1e-6. */
static void slopes_of(double rate, const double y[3], double slope[3])
{
    const double u = (y[0] - y[1]) / RESISTANCE, v = RATE * copysign(pow(fabs(u), 1 / M), u);
    slope[0] = G * (rate - v);
    slope[1] = C * v - D * fabs(v) * y[1];
    slope[2] = fabs(v);
}

static void integrate(row end[2 * CYCLES])
{
    enum { FINE = 20000 };
    double y[3] = {0}, k[4][3];
    for (int half = 0; half < 2 * CYCLES; half++) {
        const double rate = half % 2 == 0 ? RATE : -RATE, dt = (half == 0 ? 1 : 2) * AMPLITUDE / FINE / RATE;
        for (int n = 0; n < FINE; n++) {
            for (int stage = 0; stage < 4; stage++) {
                const double part = stage == 0 ? 0 : stage == 3 ? dt : dt / 2;
                double at[3];
                for (int i = 0; i < 3; i++)
                    at[i] = y[i] + (stage > 0 ? part * k[stage - 1][i] : 0);
                slopes_of(rate, at, k[stage]);
            }
            for (int i = 0; i < 3; i++)
                y[i] += dt / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
        end[half] = (row){y[0], y[1], y[2]};
    }
}

/* By a law of each system, and by one resistance: as none hardens they are the same. Slip by Euler's steps of 2e-5 misses some of one where
 * it stops, and as much back. */
static void one_system_cycles_as_its_law(void **state)
{
    (void)state;
    static const char *const text[] = {HEAD("", STAYS, "0.02") SLIP_LAW, HEAD("", "", "0.02") ONE_LAW};
    row own[2 * CYCLES];
    integrate(own);
    for (int k = 0; k < 2; k++) {
        row end[2 * CYCLES];
        const sw_material m = material_of(text[k]);
        cycle_crystal(&m, end);
        for (int half = 0; half < 2 * CYCLES; half++) {
            CHECK_CLOSE(end[half].tau, own[half].tau, 1e-4 * fabs(own[half].tau));
            CHECK_CLOSE(end[half].back, own[half].back, 1e-4 * fabs(own[half].tau));
            CHECK_CLOSE(end[half].slip, own[half].slip, 1.5e-5 * (1 + half));
        }
        /* the stable loop: X to X is c/d tanh(d range/2); slip goes on by some m g/G where the shear turns */
        const double range = end[2 * CYCLES - 1].slip - end[2 * CYCLES - 2].slip;
        const double loop = C / D * tanh(D * range / 2), past = 2 * M * RESISTANCE / G * (C - D * loop);
        CHECK_CLOSE(-end[2 * CYCLES - 1].back, loop, past);
        CHECK_CLOSE(end[2 * CYCLES - 2].back, loop, past);
    }
}

/* ---- Its tangent ---- */

/* And with rates of their own. Resistances stay, so that all there is to a tangent is in it: after a reversal, with back-stresses of
 * c/(2 d), it is that of central differences, which leave 1e-7 of its largest number (1e-5 of the loading, squared, times 1/m^2). */
static void compare_tangents(const char *text)
{
    static sw_elastoplastic_crystal crystal[CRYSTALS];
    static sw_slip_state slip[CRYSTALS];
    const double forth[COLUMNS] = {1e-3, 4e-4, 3e-4, -2e-4, 1e-4, 2e-4, -1e-4, 3e-4};
    double back[COLUMNS], stress[5], tangent[COLUMNS][5], slope[COLUMNS][5], most = 0;
    prepare_model(material_of(text));
    begin_crystals(CRYSTALS, crystal);
    memset(slip, 0, sizeof slip);
    for (int n = 0; n < CRYSTALS; n++) {
        slip[n].g[0] = RESISTANCE;
        slip[n].g[1] = 10 * RESISTANCE;
    }
    for (int k = 0; k < 10; k++)
        advance(forth, 0.5, CRYSTALS, crystal, slip, stress, tangent);
    for (int i = 0; i < COLUMNS; i++)
        back[i] = -forth[i] + (i == 1 ? 3e-4 : 0);
    for (int k = 0; k < 6; k++)
        advance(back, 1, CRYSTALS, crystal, slip, stress, tangent);
    differences(back, 1, 1e-8, CRYSTALS, crystal, slip, slope);
    advance(back, 1, CRYSTALS, crystal, slip, stress, tangent);
    for (int k = 0; k < 5 * COLUMNS; k++)
        most = greatest(most, fabs(tangent[k / 5][k % 5]));
    for (int k = 0; k < 5 * COLUMNS; k++)
        CHECK_CLOSE(tangent[k / 5][k % 5], slope[k / 5][k % 5], 3e-7 * most);
}

static void the_tangent_is_that_of_differences(void **state)
{
    (void)state;
    compare_tangents(HEAD("", STAYS, "0.05") SLIP_LAW);
    compare_tangents(HEAD(RATES, STAYS, "0.05") SLIP_LAW);
}

/* ---- Rates of families ---- */

/* Along a basal system, whose back-stress saturates: tau - c/d = g (gamma'/v0)^m with m and v0 of the family, at two rates; the others
 * keep the material's. 6e-7 seen, of steps in floats. */
static void a_family_has_its_own_rate(void **state)
{
    (void)state;
    const sw_material m = material_of(HEAD(RATES, STAYS, "0.05") SLIP_LAW);
    const sw_response_options options = {.solver = "elastoplastic", .material = &m};
    sw_slip_systems systems;
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3], value[80];
    CHECK_OK(sw_material_systems(&m, &systems));
    sw_schmid_vectors(&systems, schmid, spin);
    for (int fast = 0; fast < 2; fast++) {
        sw_crystal crystal = {{0, 0, 0}, (float)m.slip.initial_slip_resistance};
        sw_response *r = opened(&options);
        sw_crystals c = crystals_of(r, 1, &crystal, NULL);
        const double rate = fast ? 3e-2 : 1e-3;
        for (int k = 0; k < 600; k++) {
            const double euler[3] = {crystal.euler[0], crystal.euler[1], crystal.euler[2]};
            double g[3][3], l[3][3];
            sw_response_average average;
            sw_rotation_from_euler(euler, g);
            sheared((const double(*)[3])g, systems.direction[0], systems.normal[0], rate, l);
            CHECK_OK(sw_response_step(r, (const double(*)[3])l, 2e-4 / rate, &c, &c, &average));
        }
        CHECK_OK(sw_crystals_save(&c, value));
        double tau = 0;
        for (int i = 0; i < 5; i++)
            tau += schmid[0][i] * value[i] * crystal.slip_resistance;
        CHECK_CLOSE(tau, C / D + RESISTANCE * pow(rate / 1e-2, 0.02), 2e-6 * tau);
        sw_crystals_release(&c);
        sw_response_close(r);
    }
}

/* ---- What is refused ---- */

static void who_has_none_says_so(void **state)
{
    (void)state;
    static const char *const solver[] = {"rigid_plastic", "iterative"};
    static const struct {
        const char *text, *what;
    } cases[] = {{HEAD("", STAYS, "0.02") SLIP_LAW, "has no back_stress_modulus: solver elastoplastic has"},
                 {"name: own rates\ncrystal_structure: fcc\nelasticity: {C11: 108e9, C12: 56e9, C44: 26e9}\n"
                  "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
                  "    - {family: \"111\", initial_slip_resistance: 40.0e6" RATES STAYS "}\n" SLIP_LAW,
                  "has no rate_sensitivity or reference_slip_rate of a family: solver elastoplastic has"}};
    for (int k = 0; k < 4; k++) {
        const sw_material m = material_of(cases[k / 2].text);
        const sw_response_options options = {.solver = solver[k % 2], .material = &m};
        sw_response *r;
        assert_int_equal(sw_response_open(&options, &r), SW_ERR_UNAVAILABLE);
        assert_non_null(strstr(sw_error_message(), cases[k / 2].what));
        assert_non_null(strstr(sw_error_message(), solver[k % 2]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_system_cycles_as_its_law),
        cmocka_unit_test(the_tangent_is_that_of_differences),
        cmocka_unit_test(a_family_has_its_own_rate),
        cmocka_unit_test(who_has_none_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
