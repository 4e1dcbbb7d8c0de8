/* Parts of the precipitation model that balances do not see, each against its equation: growth, the search's linear
 * systems, how far solutes move. */
#include "tests/test.h"

#include "online/kwn/model/histogram_cpu.h"
#include "online/kwn/model/mobility.h"
#include "online/kwn/model/model.h"
#include "online/kwn/model/size_axis.h"

/* A phase M2S whose growth is limited by the first solute, with the exponent 2, and one of the second alone. */
static const sw_kwn_alloy alloy = {
    .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
    .lattice_parameter = 4.05e-10,
    .n_solutes = 2,
    .n_phases = 2,
    .solute = {{"Mg", 2.2e-4, 130e3, 0.01, 1}, {"Si", 3e-5, 125e3, 0.01, 1}},
    .phase = {{.name = "M2S",
               .concentration = {0.5, 0.25},
               .molar_volume = 4e-5,
               .atomic_volume = 2e-29,
               .interfacial_energy = 0.1,
               .solvus = {.exponent = {2, 1}, .prefactor = 200, .enthalpy = 100e3},
               .shearable_radius = 5e-9},
              {.name = "S",
               .concentration = {0, 0.9},
               .molar_volume = 1.1e-5,
               .atomic_volume = 2e-29,
               .interfacial_energy = 0.2,
               .limiting_solute = 1,
               .solvus = {.exponent = {0, 1}, .prefactor = 30, .enthalpy = 50e3},
               .shearable_radius = 5e-9}}};

static const sw_kwn_axis_options sizes = {SW_AXIS_UNIFORM, 64, 0, 50e-9};

/* ---- Growth ---- */

/* Jensen et al. 2016, Eqs. 6 and 7, written with concentrations: v = D / r (c - c_int) / (c_p - c_int), where
 * c_int^nu is the solubility product over what the other solutes make of it, times exp(2 gamma Vm / (r R T)). */
static double velocity(const sw_kwn_alloy *of, int p, const double *c, double temperature, double r)
{
    const sw_kwn_phase *phase = &of->phase[p];
    const int l = phase->limiting_solute;
    const double rt = 8.31446261815324 * temperature;
    double product = phase->solvus.prefactor * exp(-phase->solvus.enthalpy / rt) *
                     exp(2 * phase->interfacial_energy * phase->molar_volume / (r * rt));
    for (int i = 0; i < of->n_solutes; i++)
        if (i != l)
            product /= pow(c[i], phase->solvus.exponent[i]);
    const double at_surface = pow(product, 1 / phase->solvus.exponent[l]);
    const double d = of->solute[l].prefactor * exp(-of->solute[l].activation_energy / rt);
    return d / r * (c[l] - at_surface) / (phase->concentration[l] - at_surface);
}

static void particles_grow_by_their_equation(void **state)
{
    (void)state;
    const double c[2] = {0.008, 0.006}, radii[] = {1.2e-9, 2e-9, 5e-9, 20e-9, 50e-9}, step = 7;
    sw_kwn_axis axis;
    int grows = 0, shrinks = 0;
    CHECK_OK(sw_kwn_axis_make(&sizes, 32, &axis));
    for (int p = 0; p < 2; p++)
        for (double temperature = 400; temperature < 800; temperature += 50) {
            const sw_kwn_point point = {.matrix = {c[0], c[1]},
                                        .phase = {{.scale = axis.scale}, {.scale = axis.scale}}};
            sw_kwn_trial trial = {.step = step,
                                  .temperature = temperature,
                                  .middle = temperature,
                                  .excess = 1,
                                  .matrix = {c[0], c[1]}};
            sw_kwn_prepare(&alloy, &axis, &point, &trial, p);
            const sw_kwn_growth *g = &trial.growth[p];
            for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
                const double expected = velocity(&alloy, p, c, temperature, radii[i]) * step / axis.scale;
                const double found = sw_kwn_rate(axis.scale / radii[i], g->speed, g->curvature, g->driving,
                                                 g->ratio, g->limit);
                const double ratio = alloy.phase[p].concentration[p] / c[p];
                const double x = g->curvature * axis.scale / radii[i] - g->driving;
                if (x > log2(0.85 * ratio)) /* near the pole of Eq. 6 the model has a bound of its own */
                    continue;
                CHECK_CLOSE(found, expected, 1e-9 * fabs(expected) + 1e-12 * g->speed);
                grows += found > 0;
                shrinks += found < 0;
            }
        }
    print_message("%d grow, %d shrink\n", grows, shrinks);
    assert_true(grows >= 10 && shrinks >= 10);
    sw_kwn_axis_free(&axis);
}

/* ---- Strength ---- */

/* No particles, or none of any size, strengthen nothing. */
static void nothing_strengthens_nothing(void **state)
{
    (void)state;
    sw_kwn_alloy now = alloy;
    now.n_phases = 1;
    now.strength = (sw_kwn_strength){.taylor_factor = 3,
                                     .shear_modulus = 27e9,
                                     .burgers_vector = 2.86e-10,
                                     .line_tension_factor = 0.5,
                                     .solid_solution_exponent = 1,
                                     .particle_sum_exponent = 2};
    const sw_kwn_population none[] = {{.number = 0, .radius_sum = 1e12, .fraction = 0.01, .obstacle_sum = 1},
                                      {.number = 1e20, .radius_sum = 0, .fraction = 0.01, .obstacle_sum = 1},
                                      {.number = NAN, .radius_sum = 1e12}};
    for (int i = 0; i < 3; i++) {
        const sw_kwn_point point = {.phase = {none[i]}};
        CHECK_CLOSE(sw_kwn_strength_of(&now, &point).particles, 0, 0);
    }
}

/* ---- Sizes ---- */

static void sizes_need_a_range(void **state)
{
    (void)state;
    for (int kind = 0; kind < SW_AXIS_KINDS; kind++) {
        const sw_kwn_axis_options empty = {(sw_kwn_axis_kind)kind, 64, 10e-9, 10e-9};
        sw_kwn_axis axis;
        assert_int_equal(sw_kwn_axis_make(&empty, 32, &axis), SW_ERR_RANGE);
        assert_message_has("smallest = 1e-08: need 0 <= smallest < largest (1e-08)");
    }
}

static double number_in(const void *histogram, int32_t i) { return ((const double *)histogram)[i]; }

/* Whatever is in the last class when an adaptive axis is halved is kept by its volume. */
static void the_largest_are_kept_when_an_axis_is_halved(void **state)
{
    (void)state;
    const sw_kwn_axis_options options = {SW_AXIS_ADAPTIVE, 16, 0, 10e-9};
    double number[16] = {0}, volume = 0, lost = 0;
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 16, &axis));
    number[15] = 1e20;
    for (int32_t j = 0; j < 16; j++)
        volume += sw_kwn_rescaled(&axis, 0.5, j, &lost, number_in, number) * pow(axis.pivot[j] / 2, 3);
    const double before = 1e20 * pow(axis.pivot[15], 3);
    CHECK_CLOSE(volume, before, 1e-13 * before);
    sw_kwn_axis_free(&axis);
}

/* A smooth distribution stays one when its axis is doubled or halved: it rises, then falls. Split at the pivots alone it turns 27
 * times when doubled: new classes are 1.2 to 2 times as wide as old ones, and get one or two of them. */
static void other_scales_make_no_saw_teeth(void **state)
{
    (void)state;
    enum { CLASSES = 448 };
    const sw_kwn_axis_options options = {SW_AXIS_ADAPTIVE, CLASSES, 0, 10e-9};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 32, &axis));
    for (int k = 0; k < 2; k++) {
        double old[CLASSES], lost = 0, most = 0, fresh[CLASSES];
        const double factor = k == 0 ? 2 : 0.5, mean = k == 0 ? 0.6 : 0.25;
        int turns = 0;
        for (int i = 0; i < CLASSES; i++)
            old[i] = exp(-50 * pow(axis.pivot[i] / mean - 1, 2)) / axis.inverse_width[i];
        for (int32_t j = 0; j < CLASSES; j++) {
            fresh[j] = sw_kwn_rescaled(&axis, factor, j, &lost, number_in, old);
            most = fmax(most, fresh[j] * axis.inverse_width[j]);
        }
        for (int j = 1; j < CLASSES - 1; j++) {
            const double a = fresh[j - 1] * axis.inverse_width[j - 1], b = fresh[j] * axis.inverse_width[j],
                         c = fresh[j + 1] * axis.inverse_width[j + 1];
            turns += b > 1e-3 * most && (b - a) * (c - b) < 0;
        }
        print_message("scale times %g: %d turns\n", factor, turns);
        assert_int_equal(turns, 1);
    }
    sw_kwn_axis_free(&axis);
}

/* Numbers after a step of a smooth distribution whose r* is at a place among the faces; classes move by up to `courant` widths. */
static void step_with_critical(const sw_kwn_axis *axis, double place, double courant, sw_kwn_flux_order flux,
                               double fresh[64])
{
    const double critical = sw_kwn_radius_at(axis, place), next = sw_kwn_radius_at(axis, place - 1);
    sw_kwn_growth growth = {.curvature = critical, .driving = 1, .ratio = 100, .limit = 5, .obstacle = 1};
    sw_kwn_workspace *workspace;
    sw_kwn_sums sums;
    double old[64];
    growth.speed = -courant / (axis->inverse_width[(int)place] *
                               sw_kwn_rate(1 / next, 1, critical, 1, growth.ratio, growth.limit));
    for (int i = 0; i < 64; i++)
        old[i] = exp(-pow((axis->pivot[i] - 0.3) / 0.1, 2));
    CHECK_OK(sw_kwn_workspace_make(axis->n_padded, &workspace));
    sw_kwn_histogram_step(axis, &growth, flux, old, fresh, workspace, &sums);
    sw_kwn_workspace_free(workspace);
}

/* A step is continuous in the composition of the matrix, by which r* moves: just below a face and just above it the same comes
 * out, in all orders, of slow and of fast particles. (What jumps there has no composition that agrees with itself.) */
static void nothing_jumps_as_r_passes_a_face(void **state)
{
    (void)state;
    const double near = 1e-9;
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&sizes, SW_KWN_CPU_PAD, &axis));
    for (int flux = 0; flux < SW_KWN_FLUXES; flux++)
        for (int face = 10; face < 30; face += 5)
            for (double courant = 0.1; courant < 3; courant *= 2) {
                double below[64], above[64], worst = 0;
                step_with_critical(&axis, face - near, courant, (sw_kwn_flux_order)flux, below);
                step_with_critical(&axis, face + near, courant, (sw_kwn_flux_order)flux, above);
                for (int i = 0; i < 64; i++)
                    worst = greatest(worst, fabs(above[i] - below[i]));
                if (!(worst <= 100 * near)) /* of numbers up to 1, over widths of 1/64 */
                    fail_msg("order %d, face %d, courant %g: a number jumps by %g", flux + 1, face, courant,
                             worst);
            }
    sw_kwn_axis_free(&axis);
}

/* ---- Mobility ---- */

/* 6 D dt of the faster solute at the hotter end, of one column of a table. */
static void distances_are_those_of_a_column(void **state)
{
    (void)state;
    enum { KNOTS = 4, COLUMNS = 3 };
    const double time[KNOTS] = {0, 10, 15, 40};
    const float temperature[KNOTS * COLUMNS] = {300, 500, 700, 350, 450, 650, 600, 400, 300, 500, 500, 500};
    for (int column = 0; column < COLUMNS; column++) {
        double square = 0;
        for (int k = 1; k < KNOTS; k++) {
            const double hot =
                fmax(temperature[(k - 1) * COLUMNS + column], temperature[k * COLUMNS + column]);
            const double mg = 2.2e-4 * exp(-130e3 / (8.31446261815324 * hot)),
                         si = 3e-5 * exp(-125e3 / (8.31446261815324 * hot));
            square += 6 * (mg > si ? mg : si) * (time[k] - time[k - 1]);
        }
        CHECK_CLOSE(sw_kwn_most_moved(&alloy, KNOTS, time, temperature + column, COLUMNS), square,
                    1e-12 * square);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_grow_by_their_equation),
        cmocka_unit_test(nothing_strengthens_nothing),
        cmocka_unit_test(sizes_need_a_range),
        cmocka_unit_test(the_largest_are_kept_when_an_axis_is_halved),
        cmocka_unit_test(other_scales_make_no_saw_teeth),
        cmocka_unit_test(nothing_jumps_as_r_passes_a_face),
        cmocka_unit_test(distances_are_those_of_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
