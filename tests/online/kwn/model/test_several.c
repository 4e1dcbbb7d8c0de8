/* Growth by the diffusion of several solutes: its balance, its limits, and coarsening by it. */
#include "tests/test.h"

#include "common/math/random.h"
#include "online/kwn/backend/backend.h"
#include "online/kwn/job/alloy_file.h"
#include "online/kwn/model/histogram_cpu.h"
#include "online/kwn/model/model.h"
#include "online/kwn/model/size_axis.h"

static const double temperature = 473.15;

/* Mg2Si with numbers of no file: what two solutes, either first, and the third that it does not take make of it. */
static sw_kwn_alloy magnesium_silicide(int swapped)
{
    sw_kwn_alloy alloy = {.name = "Al-Mg-Si",
                          .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                          .lattice_parameter = 4.05e-10,
                          .n_solutes = 2,
                          .n_phases = 1,
                          .phase = {{.name = "Mg2Si",
                                     .molar_volume = 3.95e-5,
                                     .atomic_volume = 2.2e-29,
                                     .interfacial_energy = 0.1,
                                     .all_solutes = 1,
                                     .solvus = {.prefactor = 1e-9},
                                     .shearable_radius = 5e-9}}};
    const int mg = swapped, si = !swapped;
    sw_kwn_phase *phase = &alloy.phase[0];
    alloy.solute[mg] = (sw_kwn_solute){"Mg", 1e-17, 0, 0, 1};
    alloy.solute[si] = (sw_kwn_solute){"Si", 4e-18, 0, 0, 1};
    phase->concentration[mg] = 2 * 1e-5 / 3.95e-5;
    phase->concentration[si] = 1e-5 / 3.95e-5;
    phase->solvus.exponent[mg] = 2;
    phase->solvus.exponent[si] = 1;
    return alloy;
}

static double trial_rate(const sw_kwn_alloy *alloy, const double *matrix, double step, double scale, double r,
                         sw_kwn_trial *trial)
{
    sw_kwn_point point = {.phase = {{.scale = scale}}};
    sw_kwn_axis axis = {.kind = SW_AXIS_UNIFORM, .n = 32, .n_padded = 32, .ratio = 1.0 / 32, .scale = scale};
    memset(trial, 0, sizeof *trial);
    trial->step = step;
    trial->temperature = trial->middle = temperature;
    trial->excess = 1;
    memcpy(trial->matrix, matrix, sizeof trial->matrix);
    sw_kwn_prepare(alloy, &axis, &point, trial, 0);
    return sw_kwn_rate_of_several(&trial->growth[0].several, scale / r) * scale / step;
}

/* The next of uniform numbers in (0, 1). */
static double draw(void)
{
    static uint64_t block;
    double u[4];
    sw_random_uniform4(7, 0, block++, u);
    return u[0];
}

/* Of random solutes and products: each solute's flux into the particle is what the particle takes of it, by one velocity, and
 * the surface has the product that its curvature makes. */
static void fluxes_and_product_balance(void **state)
{
    (void)state;
    enum { TRIALS = 2000 };
    double largest = 0;
    int grew = 0, shrank = 0;
    for (int k = 0; k < TRIALS; k++) {
        sw_kwn_alloy alloy = magnesium_silicide(0);
        sw_kwn_phase *phase = &alloy.phase[0];
        double matrix[SW_KWN_SOLUTES] = {0}, product = 0;
        alloy.n_solutes = 2 + k % 3;
        for (int i = 0; i < alloy.n_solutes; i++) {
            alloy.solute[i].prefactor = 1e-17 * pow(10, 3 * draw() - 1.5);
            alloy.solute[i].activation_energy = 0;
            phase->solvus.exponent[i] = 1 + (double)(int)(3 * draw());
            phase->concentration[i] = 0.05 + 0.4 * draw();
            matrix[i] = phase->concentration[i] * pow(10, -0.5 - 3 * draw());
            product += phase->solvus.exponent[i] * log(matrix[i]);
        }
        const double excess = 6 * draw() - 2; /* ln(Q / K) */
        phase->solvus.prefactor = exp(product - excess);
        const double alpha = sw_kwn_alpha(phase, temperature), r = alpha / (0.05 + 3 * draw());
        sw_kwn_trial trial;
        const double v = trial_rate(&alloy, matrix, 3, 50e-9, r, &trial);
        double at_surface = 0, richest = 0;
        for (int i = 0; i < alloy.n_solutes; i++) {
            const double d = alloy.solute[i].prefactor, w = v * r;
            const double c = (d * matrix[i] - w * phase->concentration[i]) / (d - w);
            at_surface += phase->solvus.exponent[i] * log(c);
            richest = greatest(richest, c / phase->concentration[i]);
        }
        grew += v > 0;
        shrank += v < 0;
        if (richest > 0.899) /* where it is held */
            continue;
        const double miss = at_surface - (product - excess + alpha / r);
        largest = greatest(largest, fabs(miss));
        if (!(fabs(miss) <= 1e-6))
            fail_msg("trial %d: the surface's ln Q is off by %g, v = %g", k, miss, v);
    }
    print_message("largest miss of ln Q %.1e\n", largest);
    assert_true(grew > TRIALS / 4 && shrank > TRIALS / 4);
}

/* Two solutes that are alike in all are one with their exponents' sum: Jensen's closed form. And one solute is itself. */
static void alike_solutes_are_one(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++) {
        sw_kwn_alloy alloy = magnesium_silicide(0), one;
        sw_kwn_phase *phase = &alloy.phase[0];
        double matrix[SW_KWN_SOLUTES] = {0.004, 0.004};
        alloy.n_solutes = count;
        for (int i = 0; i < 2; i++) {
            alloy.solute[i].prefactor = 1e-17;
            phase->concentration[i] = 0.3;
            phase->solvus.exponent[i] = count == 1 ? 3 : 1.5;
        }
        phase->solvus.prefactor = pow(0.004, 3) / 5;
        one = alloy;
        one.n_solutes = 1;
        one.phase[0].all_solutes = 0;
        one.phase[0].solvus.exponent[0] = 3;
        for (double r = 0.3e-9; r < 30e-9; r *= 1.3) {
            sw_kwn_trial trial;
            const double several = trial_rate(&alloy, matrix, 3, 50e-9, r, &trial);
            sw_kwn_trial closed;
            trial_rate(&one, matrix, 3, 50e-9, r, &closed);
            const sw_kwn_growth *g = &closed.growth[0];
            const double expected =
                sw_kwn_rate(50e-9 / r, g->speed, g->curvature, g->driving, g->ratio, g->limit) * 50e-9 / 3;
            CHECK_CLOSE(several, expected, 1e-7 * fabs(expected));
        }
    }
}

/* What leaves each class of a histogram, one at a time, is by the velocity at its face: between the faces at which a step solves
 * the balance it interpolates, to 2e-5. */
static void steps_move_by_the_balance(void **state)
{
    (void)state;
    const sw_kwn_axis_options kinds[] = {{SW_AXIS_UNIFORM, 256, 0, 40e-9},
                                         {SW_AXIS_LOGARITHMIC, 128, 0.2e-9, 200e-9}};
    const sw_kwn_alloy alloy = magnesium_silicide(0);
    const double matrix[SW_KWN_SOLUTES] = {2e-3, 1e-3};
    for (int k = 0; k < 2; k++) {
        sw_kwn_axis axis;
        sw_kwn_workspace *workspace;
        sw_kwn_sums sums;
        sw_kwn_trial trial;
        int up = 0, down = 0;
        CHECK_OK(sw_kwn_axis_make(&kinds[k], SW_KWN_CPU_PAD, &axis));
        CHECK_OK(sw_kwn_workspace_make(axis.n_padded, &workspace));
        trial_rate(&alloy, matrix, 2, axis.scale, 10e-9, &trial);
        trial.growth[0].source = 0;
        const sw_kwn_several *several = &trial.growth[0].several;
        for (int32_t i = 0; i < axis.n - 1; i++) {
            double old[512] = {0}, new[512];
            old[i] = 1;
            sw_kwn_histogram_step(&axis, &trial.growth[0], 0, old, new, workspace, &sums);
            const double below = SW_KWN_ONE(sw_kwn_rate_of_several, several, axis.inverse_face[i]);
            const double above = SW_KWN_ONE(sw_kwn_rate_of_several, several, axis.inverse_face[i + 1]);
            const double out = (fmax(above, 0.0) + fmax(-below, 0.0)) * axis.inverse_width[i];
            up += above > 0;
            down += below < 0;
            CHECK_CLOSE(1 / new[i] - 1, out, 5e-5 * out + 1e-12);
        }
        assert_true(up > 40 && down > 5);
        sw_kwn_workspace_free(workspace);
        sw_kwn_axis_free(&axis);
    }
}

/* ---- Coarsening ---- */

static double lsw_density(double u)
{
    return u >= 1.5
               ? 0
               : u * u * pow(3 / (3 + u), 7.0 / 3) * pow(1.5 / (1.5 - u), 11.0 / 3) * exp(-u / (1.5 - u));
}

static double mean_of(const sw_kwn_point *point)
{
    return point->phase[0].radius_sum / point->phase[0].number;
}

static double mean_radius(sw_kwn *kwn)
{
    sw_kwn_point point;
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    return mean_of(&point);
}

/* d<r>^3/dt from LSW's shape on, until <r> is 1.6 times what it was, over 4/9 alpha / sum of nu (c_p - c) / (D c). */
static double coarsening_rate(sw_kwn_alloy *alloy, const double *soluble)
{
    enum { CLASSES = 512 };
    static double number[CLASSES];
    const double fraction = 1e-3;
    sw_kwn_phase *phase = &alloy->phase[0];
    double resistance = 0, log_product = 0;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double c = soluble[i], d = sw_kwn_diffusivity(&alloy->solute[i], temperature);
        alloy->solute[i].concentration = (1 - fraction) * c + fraction * phase->concentration[i];
        resistance += phase->solvus.exponent[i] * (phase->concentration[i] - c) / (d * c);
        log_product += phase->solvus.exponent[i] * log(c);
    }
    phase->solvus.prefactor = exp(log_product);
    const double alpha = sw_kwn_alpha(phase, temperature), r0 = 100 * alpha, k = 4.0 / 9 * alpha / resistance;
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    options.axis = (sw_kwn_axis_options){SW_AXIS_ADAPTIVE, CLASSES, 0, 2.5 * r0};
    options.control.courant = 0.25;
    CHECK_OK(sw_kwn_open(alloy, &options, 1, NULL, temperature, &kwn));
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    double volume = 0;
    for (int32_t i = 0; i < axis->n; i++) {
        const double r = axis->pivot[i] * axis->scale;
        number[i] = lsw_density(r / r0) / axis->inverse_width[i];
        volume += SW_KWN_SPHERE * r * r * r * number[i];
    }
    for (int32_t i = 0; i < axis->n; i++)
        number[i] *= 0.999 * fraction / volume;
    CHECK_OK(sw_kwn_set_distribution(kwn, 0, 0, axis->scale, number));
    const double start = mean_radius(kwn), duration = 3.1 * r0 * r0 * r0 / k, time[2] = {0, duration};
    const float at[2] = {(float)temperature, (float)temperature};
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    const double rate = (pow(mean_radius(kwn), 3) - pow(start, 3)) / duration / k;
    sw_kwn_close(kwn);
    return rate;
}

/* One solute coarsens at 1 +- 0.02 of LSW's rate here (tests/validation/test_kwn.c): what the formula of the issue at hand is
 * compared with is that, the same alloy by one solute, so that 1 % is of the formula. The order of solutes does not matter to
 * the last bits, and a third solute that counts slows it as the sum says. */
static void compounds_coarsen_by_all_their_solutes(void **state)
{
    (void)state;
    const double soluble[2][SW_KWN_SOLUTES] = {{4e-4, 2e-4}, {2e-4, 4e-4}};
    sw_kwn_alloy mg_first = magnesium_silicide(0), si_first = magnesium_silicide(1),
                 three = magnesium_silicide(0);
    sw_kwn_alloy one = magnesium_silicide(0);
    one.n_solutes = 1;
    one.phase[0].all_solutes = 0;
    three.n_solutes = 3;
    three.solute[2] = (sw_kwn_solute){"Cu", 2e-18, 0, 0, 1};
    three.phase[0].concentration[2] = 0.1;
    three.phase[0].solvus.exponent[2] = 1;
    const double c3[SW_KWN_SOLUTES] = {4e-4, 2e-4, 3e-4};
    const double alone = coarsening_rate(&one, soluble[0]);
    const double rate[3] = {coarsening_rate(&mg_first, soluble[0]), coarsening_rate(&si_first, soluble[1]),
                            coarsening_rate(&three, c3)};
    print_message("of the formula: one solute %.4f, Mg2Si %.4f and %.4f, three solutes %.4f\n", alone,
                  rate[0], rate[1], rate[2]);
    CHECK_CLOSE(alone, 1, 0.03);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(rate[i], alone, 0.01);
    CHECK_CLOSE(rate[0], rate[1], 1e-6);
}

/* Before a GPU is looked for: which ways of one have it. */
static void ways_that_have_none_are_refused(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = magnesium_silicide(0);
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    options.strategy = SW_KWN_FUSED;
    options.precision = SW_KWN_SINGLE;
    assert_int_equal(sw_kwn_open(&alloy, &options, 1, NULL, temperature, &kwn), SW_ERR_RANGE);
    assert_string_equal(sw_error_message(),
                        "precision = single: phases that grow by several solutes need double");
#ifdef SW_HAVE_PAPERS
    options.strategy = SW_KWN_NODE_FIRST;
    options.flux = SW_KWN_SECOND_ORDER;
    assert_int_equal(sw_kwn_open(&alloy, &options, 1, NULL, temperature, &kwn), SW_ERR_UNAVAILABLE);
#endif
}

/* Nb(C, N) in austenite by a published product, lg [Nb] [C + 12/14 N] = 2.26 - 6770 / T in wt% (Irvine, Pickering and Gladman,
 * JISI 205 (1967) 161), in whose file C stands for C + 12/14 N. What is dissolved after 1e6 s is the root of (a - y) (b - y) = K e^x
 * of atoms, x between 0 and the curvature of particles of 0.6 mean radii; and niobium alone sets the rate, carbon being 10^5
 * times as fast. */
static void niobium_carbonitride_by_its_product(void **state)
{
    (void)state;
    static const char *const text =
        "name: steel\nmatrix: {element: Fe, molar_volume: 7.1e-6, molar_mass: 55.845e-3, lattice_parameter: "
        "3.6e-10}\n"
        "concentration_unit: weight_percent\nsolutes:\n"
        "  - {element: Nb, molar_mass: 92.906e-3, concentration: 0.04, diffusivity: {prefactor: 0.83e-4, "
        "activation_energy: 266.5e3}}\n"
        "  - {element: C, molar_mass: 12.011e-3, concentration: 0.1, diffusivity: {prefactor: 1e-5, "
        "activation_energy: 137e3}}\n"
        "phases:\n  - name: NbCN\n    stoichiometry: [{element: Nb, count: 1}, {element: C, count: 1}]\n"
        "    molar_volume: 1.345e-5\n    interfacial_energy: 0.4\n"
        "    solvus: {prefactor: 181.970, enthalpy: 129608}\n"
        "    nucleation: {law: classical, sites: dislocations, dislocation_density: 1e14, barrier_factor: "
        "0.3}\n";
    const double hot = 1173.15, time[2] = {0, 1e6};
    const float at[2] = {(float)hot, (float)hot};
    static sw_kwn_alloy alloy;
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn *kwn;
    sw_kwn_point point;
    CHECK_OK(sw_kwn_alloy_parse("a.yaml", text, &alloy));
    assert_true(alloy.phase[0].all_solutes && alloy.phase[0].limiting_solute == 0);
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, hot, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    sw_kwn_close(kwn);
    const double a = 0.04 * 55.845 / 9290.6, b = 0.1 * 55.845 / 1201.1, r = mean_of(&point);
    double root[2];
    for (int i = 0; i < 2; i++) {
        const double x = i * sw_kwn_alpha(&alloy.phase[0], hot) / (0.6 * r);
        const double k = pow(10, 2.26 - 6770 / hot + x / log(10)) * (a / 0.04) * (b / 0.1);
        root[i] = 0.5 * (a - b + sqrt((a - b) * (a - b) + 4 * k));
    }
    print_message("N = %.3e, r = %.2f nm, Nb %.4f of all: %.4f to %.4f\n", point.phase[0].number, 1e9 * r,
                  point.matrix[0] / a, root[0] / a, root[1] / a);
    assert_true(point.matrix[0] > 0.999 * root[0] && point.matrix[0] < root[1]);

    sw_kwn_trial trial;
    const double all = trial_rate(&alloy, point.matrix, 1, 1e-8, 2 * r, &trial);
    const sw_kwn_several *s = &trial.growth[0].several;
    assert_int_equal(s->first, 0);
    assert_true(s->per_slow[1] < 1e-4 * s->per_slow[0] && all != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fluxes_and_product_balance),
                                       cmocka_unit_test(alike_solutes_are_one),
                                       cmocka_unit_test(steps_move_by_the_balance),
                                       cmocka_unit_test(ways_that_have_none_are_refused),
                                       cmocka_unit_test(compounds_coarsen_by_all_their_solutes),
                                       cmocka_unit_test(niobium_carbonitride_by_its_product)};
    return cmocka_run_group_tests_name("growth by several solutes", tests, NULL, NULL);
}
