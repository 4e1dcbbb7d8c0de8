/* The parts of the precipitation model, each against what it must do: size axis, growth, balances, strength.
 * Dimensions: B classes. */
#include "tests/test.h"

#include "online/kwn/backend/backend.h"
#include "online/kwn/job/alloy_file.h"

static const double sphere = 4 * 3.14159265358979323846 / 3;

/* 0 to 1, the same in every run. */
static double random_part(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* ---- Size axis ---- */

static const sw_kwn_axis_options axes[] = {
    {SW_AXIS_UNIFORM, 8, 0, 10e-9},          {SW_AXIS_UNIFORM, 101, 1e-9, 20e-9},
    {SW_AXIS_UNIFORM, 4096, 0, 50e-9},       {SW_AXIS_LOGARITHMIC, 8, 1e-10, 1e-6},
    {SW_AXIS_LOGARITHMIC, 101, 5e-10, 1e-7}, {SW_AXIS_LOGARITHMIC, 4096, 1e-12, 1e-2},
    {SW_AXIS_ADAPTIVE, 8, 0, 1e-9},          {SW_AXIS_ADAPTIVE, 101, 0, 10e-9},
    {SW_AXIS_ADAPTIVE, 4096, 0, 10e-9},
};
enum { AXES = sizeof axes / sizeof *axes };

/* A radius a millionth of a width inside a face lies in the class of that side: places carry some B eps of
 * round-off, 1e-12 of a width. */
static void classes_lie_between_their_faces(void **state)
{
    (void)state;
    for (int k = 0; k < AXES; k++) {
        sw_kwn_axis axis;
        CHECK_OK(sw_kwn_axis_make(&axes[k], 32, &axis));
        const int n = (int)axes[k].classes;
        assert_int_equal(axis.n, n);
        assert_true(axis.n_padded >= n && axis.n_padded % 32 == 0 && axis.n_padded < n + 32);
        CHECK_CLOSE(axis.scale, axes[k].largest, 0);
        CHECK_CLOSE(sw_kwn_face(&axis, 0) * axis.scale, axes[k].smallest, 1e-15 * axes[k].largest);
        CHECK_CLOSE(sw_kwn_face(&axis, n), 1, 1e-13); /* exp(-n ratio) with n ratio up to 23 eps */
        for (int i = 0; i < n; i++) {
            const double low = sw_kwn_face(&axis, i), high = sw_kwn_face(&axis, i + 1), in = high - low;
            assert_true(low < sw_kwn_pivot(&axis, i) && sw_kwn_pivot(&axis, i) < high);
            assert_int_equal(sw_kwn_class(&axis, sw_kwn_pivot(&axis, i)), i);
            assert_int_equal(sw_kwn_class(&axis, low + 1e-6 * in), i);
            assert_int_equal(sw_kwn_class(&axis, high - 1e-6 * in), i);
            CHECK_CLOSE(axis.inverse_width[i] * in, 1, 1e-12);
            CHECK_CLOSE(axis.pivot[i], sw_kwn_pivot(&axis, i), 1e-15);
            if (i > 0)
                CHECK_CLOSE(axis.inverse_face[i] * low, 1, 1e-14);
        }
        for (int i = n; i < axis.n_padded; i++)
            CHECK_CLOSE(axis.inverse_width[i], 0, 0);
        assert_int_equal(sw_kwn_class(&axis, axis.first * (1 - 1e-9)), -1);
        assert_int_equal(sw_kwn_class(&axis, -1), -1);
        assert_int_equal(sw_kwn_class(&axis, NAN), -1);
        assert_int_equal(sw_kwn_class(&axis, 1.5), n - 1);
        sw_kwn_axis_free(&axis);
        assert_null(axis.inverse_face);
    }
}

/* Two classes side by side keep number (parts sum to 1 by construction) and volume: to some eps of the larger
 * volume. Outside, the particle has the size of the last pivot. */
static void split_keeps_volume(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < AXES; k++) {
        sw_kwn_axis axis;
        CHECK_OK(sw_kwn_axis_make(&axes[k], 32, &axis));
        const double least = sw_kwn_pivot(&axis, 0), most = sw_kwn_pivot(&axis, axis.n - 1);
        for (int i = 0; i < 2000; i++) {
            const double radius = least + (most - least) * pow(random_part(&seed), i % 2 ? 1 : 8);
            int32_t lower = -9;
            const double part = sw_kwn_split(&axis, radius, &lower);
            assert_true(lower >= 0 && lower <= axis.n - 2 && part >= 0 && part <= 1);
            const double a = sw_kwn_pivot(&axis, lower), b = sw_kwn_pivot(&axis, lower + 1);
            CHECK_CLOSE(part * a * a * a + (1 - part) * b * b * b, radius * radius * radius,
                        8 * 0x1p-52 * b * b * b);
            /* both neighbours, none further away */
            assert_true(a <= radius * (1 + 1e-12) && radius <= b * (1 + 1e-12));
        }
        int32_t lower;
        CHECK_CLOSE(sw_kwn_split(&axis, 0.5 * least, &lower), 1, 0);
        assert_int_equal(lower, 0);
        CHECK_CLOSE(sw_kwn_split(&axis, 1.5, &lower), 0, 0);
        assert_int_equal(lower, axis.n - 2);
        sw_kwn_axis_free(&axis);
    }
}

static double number_in(const void *histogram, int32_t i) { return ((const double *)histogram)[i]; }

/* Doubled and halved: volume and (number + lost) as before, to 1e-14: positive sums in order, whose round-off
 * goes as sqrt(B) eps. An axis is halved when its upper part is empty; the class at the middle becomes larger
 * than the largest, and is kept by volume. */
static void rescaled_axis_keeps_volume(void **state)
{
    (void)state;
    uint64_t seed = 2;
    static double old[4096], new[4096];
    for (int k = 0; k < AXES; k++) {
        sw_kwn_axis axis;
        if (axes[k].kind != SW_AXIS_ADAPTIVE)
            continue;
        CHECK_OK(sw_kwn_axis_make(&axes[k], 32, &axis));
        for (int direction = 0; direction < 2; direction++) {
            const double factor = direction ? 0.5 : 2, cube = factor * factor * factor;
            double lost = 0, volume[2] = {0, 0}, number[2] = {0, 0};
            for (int32_t i = 0; i < axis.n; i++) {
                old[i] = direction && sw_kwn_face(&axis, i) > 0.5 ? 0 : pow(10, 20 * random_part(&seed));
                number[0] += old[i];
                volume[0] += old[i] * pow(axis.pivot[i], 3);
            }
            for (int32_t j = 0; j < axis.n; j++) {
                new[j] = sw_kwn_rescaled(&axis, factor, j, &lost, number_in, old);
                assert_true(new[j] >= 0);
                number[1] += new[j];
                volume[1] += new[j] * pow(axis.pivot[j], 3) * cube;
            }
            CHECK_CLOSE(volume[1], volume[0], 1e-14 * volume[0]);
            CHECK_CLOSE(number[1] + lost, number[0], 1e-14 * number[0]);
            /* the smallest class lies below the new first pivot, the middle one above the new last one */
            if (direction)
                assert_true(lost <= 0);
            else
                assert_true(lost > 0);
        }
        sw_kwn_axis_free(&axis);
    }
}

/* ---- Growth of known populations ---- */

/* One solute, one phase, no nucleation. Without interfacial energy (alpha = 5e-21 m) and with so few
 * particles that the matrix keeps its composition, dr/dt = k / r: r^2 = r0^2 + 2 k t for every particle. */
static const double temperature = 500, supersaturated = 1e-2, soluble = 1e-3, in_phase = 0.25,
                    diffusivity = 1e-18;

static sw_kwn_alloy binary(double interfacial_energy)
{
    return (sw_kwn_alloy){.name = "binary",
                          .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                          .lattice_parameter = 4e-10,
                          .n_solutes = 1,
                          .n_phases = 1,
                          .solute = {{"A", diffusivity, 0, supersaturated, 1}},
                          .phase = {{.name = "P",
                                     .concentration = {in_phase},
                                     .molar_volume = 1e-5,
                                     .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                                     .interfacial_energy = interfacial_energy,
                                     .solvus = {.exponent = {1}, .prefactor = soluble},
                                     .shearable_radius = 5e-9}}};
}

typedef struct {
    double square, square_start; /* <r^2>, m^2 */
    double spread;               /* standard deviation of r^2, m^2 */
    double distance;             /* from the exact numbers in classes: half the sum of differences */
} grown;

/* Exact: the number between two faces, a normal distribution of r0 and width w at the start. */
static double exact_number(double low, double high, double r0, double w, double moved)
{
    const double a = sqrt(fmax(low * low - moved, 0)), b = sqrt(fmax(high * high - moved, 0));
    return 0.5 * (erf((b - r0) / (sqrt(2) * w)) - erf((a - r0) / (sqrt(2) * w)));
}

static void moments(const sw_kwn_axis *axis, const double *number, double *mean, double *deviation)
{
    double sum[3] = {0, 0, 0};
    for (int32_t i = 0; i < axis->n; i++) {
        const double u = pow(axis->pivot[i] * axis->scale, 2);
        sum[0] += number[i];
        sum[1] += number[i] * u;
        sum[2] += number[i] * u * u;
    }
    *mean = sum[1] / sum[0];
    *deviation = sqrt(fmax(sum[2] / sum[0] - *mean * *mean, 0));
}

static const double start_radius = 3e-9, end_radius = 6e-9;

/* From 3 to 6 nm on an axis up to 10 nm: in B steps a particle moves 0.2 to 0.4 of a class in each. */
static grown grow(sw_kwn_flux_order flux, int classes, int steps, double width)
{
    static double number[2048];
    const sw_kwn_alloy alloy = binary(1e-12);
    sw_kwn_options options = sw_kwn_defaults();
    const double k = diffusivity * (supersaturated - soluble) / (in_phase - soluble);
    const double moved = end_radius * end_radius - start_radius * start_radius;
    const double time[2] = {0, moved / (2 * k)};
    const float at[2] = {(float)temperature, (float)temperature};
    options.axis = (sw_kwn_axis_options){SW_AXIS_UNIFORM, classes, 0, 10e-9};
    options.flux = flux;
    options.control.fixed_step = time[1] / steps;
    options.control.courant = 0;
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, temperature, &kwn));
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    memset(number, 0, sizeof number);
    if (width == 0) {
        int32_t lower;
        const double part = sw_kwn_split(axis, start_radius / axis->scale, &lower);
        number[lower] = 1e10 * part;
        number[lower + 1] = 1e10 * (1 - part);
    } else {
        for (int32_t i = 0; i < axis->n; i++)
            number[i] = 1e10 * exact_number(axis->scale * sw_kwn_face(axis, i),
                                            axis->scale * sw_kwn_face(axis, i + 1), start_radius, width, 0);
    }
    grown result = {0};
    double before;
    sw_kwn_point point;
    moments(axis, number, &result.square_start, &before);
    CHECK_OK(sw_kwn_set_distribution(kwn, 0, 0, axis->scale, number));
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    CHECK_OK(sw_kwn_read_distribution(kwn, 0, 1, 0, number));
    assert_int_equal(point.steps, steps);
    CHECK_CLOSE(point.matrix[0], supersaturated, 1e-11 * supersaturated);
    moments(axis, number, &result.square, &result.spread);
    for (int32_t i = 0; i < axis->n; i++)
        result.distance +=
            0.5 * fabs(number[i] / 1e10 - exact_number(axis->scale * sw_kwn_face(axis, i),
                                                       axis->scale * sw_kwn_face(axis, i + 1), start_radius,
                                                       width > 0 ? width : 1e-15, moved));
    sw_kwn_close(kwn);
    return result;
}

/* First order in u = r^2: a jump from pivot to pivot at the rate k / (face width) of the face between moves u
 * by 2 face width, on the mean by 2 k, whatever the size. So <u> is exact but for round-off (1e3 steps of
 * eps), depletion (2e-13) and alpha (1e-12). The variance of u grows by the square of the jump, 4 k r width a
 * second with the r of the face, half a width above, and by (2 k)^2 step from the implicit step:
 *
 *     var u = 4/3 width (r1^3 - r0^3) + 2 k width^2 t + 4 k^2 step t,
 *
 * where sqrt(u) for <r> leaves var u / (8 u^2) = 0.3 % at 100 classes. The width goes as the square root of
 * that of the classes, as for any first-order upwind flux. */
static void first_order_flux_keeps_the_mean_square_radius(void **state)
{
    (void)state;
    double last = 0;
    for (int classes = 100; classes <= 1600; classes *= 2) {
        const grown g = grow(SW_KWN_FIRST_ORDER, classes, classes, 0);
        const double moved = end_radius * end_radius - start_radius * start_radius;
        const double width = 10e-9 / classes, cubes = pow(end_radius, 3) - pow(start_radius, 3);
        const double expected = 4.0 / 3 * width * cubes + width * width * moved + moved * moved / classes;
        CHECK_CLOSE((g.square - g.square_start) / moved, 1, 1e-11);
        CHECK_CLOSE(g.spread * g.spread / expected, 1, 0.5 / classes);
        if (classes > 100)
            CHECK_CLOSE(last / g.spread, sqrt(2), 0.01);
        last = g.spread;
    }
}

/* A flux of order p smears a jump over h^(p / (p + 1)): h^(1/2) above, h^(2/3) here, 1.59 a halving of
 * classes and steps; after n classes over n^(1/2) and n^(1/3) of them, 0.57 of each other at n = 30 of 100.
 * The single size is also late, by less than the spread that is left: the limited slopes belong to the
 * distribution before the step. */
static void second_order_flux_spreads_less(void **state)
{
    (void)state;
    double last = 0, last_late = 0;
    for (int classes = 100; classes <= 1600; classes *= 2) {
        const grown first = grow(SW_KWN_FIRST_ORDER, classes, classes, 0),
                    second = grow(SW_KWN_SECOND_ORDER, classes, classes, 0);
        const double moved = end_radius * end_radius - start_radius * start_radius;
        const double late = 1 - (second.square - second.square_start) / moved;
        print_message("%d classes: spread %.4f, first order %.4f; late by %.4f\n", classes,
                      second.spread / moved, first.spread / moved, late);
        assert_true(second.spread < 0.6 * first.spread);
        assert_true(late > 0 && late * moved < second.spread);
        if (classes > 100) {
            assert_true(last / second.spread > pow(2, 0.6) && last / second.spread < pow(2, 0.75));
            assert_true(last_late / late > sqrt(2));
        }
        last = second.spread;
        last_late = late;
    }
}

/* A flux of third order smears a jump over h^(3/4), 1.68 a halving of classes and steps; explicit, it smears less than an
 * implicit one, whose steps smear, too. It is hardly late: what its faces sweep over does not depend on slopes of another time. */
static void third_order_flux_spreads_least(void **state)
{
    (void)state;
    double last = 0;
    for (int classes = 100; classes <= 1600; classes *= 2) {
        const grown second = grow(SW_KWN_SECOND_ORDER, classes, classes, 0),
                    third = grow(SW_KWN_THIRD_ORDER, classes, classes, 0);
        const double moved = end_radius * end_radius - start_radius * start_radius;
        const double late = 1 - (third.square - third.square_start) / moved;
        print_message("%d classes: spread %.5f, second order %.5f; late by %.2g\n", classes,
                      third.spread / moved, second.spread / moved, late);
        assert_true(third.spread < 0.65 * second.spread);
        assert_true(fabs(late) < 0.15 * third.spread / moved);
        if (classes > 100)
            assert_true(last / third.spread > pow(2, 0.65) && last / third.spread < pow(2, 0.85));
        last = third.spread;
    }
}

/* A smooth distribution: the part of it that is in a wrong class goes as h, and better than h^(3/2) with
 * limited slopes, which are of first order at the maximum alone: h^(5/3) to h^2. Third order is one in classes and second in
 * steps, which go as classes here: h^2, and a tenth as much. Particles move at most a
 * tenth of a class in a step: at c classes the flux keeps some c^4 of the first-order smear on purpose. */
static void orders_of_convergence(void **state)
{
    (void)state;
    const double width = 0.5e-9;
    double last[SW_KWN_FLUXES] = {0, 0, 0};
    for (int classes = 400; classes <= 1600; classes *= 2)
        for (int second = 0; second < SW_KWN_FLUXES; second++) {
            const grown g = grow((sw_kwn_flux_order)second, classes, 4 * classes, width);
            const double order = log2(last[second] / g.distance);
            print_message("order %d, %d classes: %.5f elsewhere, order %.2f\n", second + 1, classes,
                          g.distance, order);
            if (classes == 1600 && second == 0)
                CHECK_CLOSE(order, 1, 0.2);
            if (classes == 1600 && second == 1)
                assert_true(order > 1.5 && order < 2.2);
            if (classes == 1600 && second == SW_KWN_THIRD_ORDER)
                assert_true(order > 1.8);
            last[second] = g.distance;
        }
    assert_true(last[1] < 0.05 * last[0]);
    assert_true(last[2] < 0.1 * last[1]);
}

/* ---- Balances ---- */

static sw_kwn_alloy alloy_file(const char *name)
{
    sw_kwn_alloy alloy;
    CHECK_OK(sw_kwn_alloy_read(data_path("alloys/%s", name), &alloy));
    return alloy;
}

/* Two phases compete for Mg; one of them needs Si too. Solvus of Mg2Si at 600 K, of the other at 600 K. */
static sw_kwn_alloy two_phases(void)
{
    sw_kwn_alloy alloy = {.name = "two phases",
                          .atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                          .lattice_parameter = 4.05e-10,
                          .n_solutes = 2,
                          .n_phases = 2,
                          .solute = {{"Mg", 2.2e-4, 130e3, 0.007, 1}, {"Si", 2.02e-4, 136e3, 0.0096, 1}},
                          .phase = {{.name = "Mg2Si",
                                     .concentration = {2 / 3.95, 1 / 3.95},
                                     .molar_volume = 3.95e-5,
                                     .atomic_volume = 3.95e-5 / SW_AVOGADRO_CONSTANT,
                                     .interfacial_energy = 0.1,
                                     .solvus = {.exponent = {2, 1}, .prefactor = 253, .enthalpy = 100e3},
                                     .nucleation = {.law = SW_NUCLEATION_CLASSICAL,
                                                    .incubation = SW_INCUBATION_RUSSELL,
                                                    .site_density = 1e25,
                                                    .barrier_factor = 1,
                                                    .nucleus_multiple = 1.1},
                                     .shearable_radius = 5e-9},
                                    {.name = "MgX",
                                     .concentration = {0.5, 0},
                                     .molar_volume = 2e-5,
                                     .atomic_volume = 2e-5 / SW_AVOGADRO_CONSTANT,
                                     .interfacial_energy = 0.04,
                                     .solvus = {.exponent = {1, 0}, .prefactor = 5.28, .enthalpy = 30e3},
                                     .nucleation = {.law = SW_NUCLEATION_CLASSICAL,
                                                    .incubation = SW_INCUBATION_KAMPMANN_WAGNER,
                                                    .site_density = 1e25,
                                                    .barrier_factor = 1,
                                                    .nucleus_multiple = 1.1},
                                     .shearable_radius = 5e-9}}};
    return alloy;
}

/* Everything of a point from its distributions: number, mean radius, fraction, ledger, balance of solutes.
 * 1e-12: steps <= 2e4 of some eps each. Histograms drop less than 1e-30 a class: 1e-20 absolute. */
static void check_balances(sw_kwn *kwn, const sw_kwn_alloy *alloy)
{
    static double number[4096];
    sw_kwn_point point;
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    double fraction[SW_KWN_PHASES], left = 1;
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *phase = &point.phase[p];
        double sum = 0, radius = 0, volume = 0, obstacle = 0;
        CHECK_OK(sw_kwn_read_distribution(kwn, 0, 1, p, number));
        for (int32_t i = 0; i < axis->n; i++) {
            const double r = axis->pivot[i] * phase->scale;
            assert_true(number[i] >= 0);
            sum += number[i];
            radius += number[i] * r;
            volume += number[i] * sphere * r * r * r;
            obstacle += number[i] * fmin(r / alloy->phase[p].shearable_radius, 1);
        }
        fraction[p] = volume;
        left -= volume;
        CHECK_CLOSE(phase->nucleated - phase->dissolved, sum, 1e-12 * phase->nucleated + 1e-20);
        CHECK_CLOSE(phase->nucleated - phase->dissolved, phase->number, 1e-12 * phase->nucleated + 1e-20);
        CHECK_CLOSE(phase->number, sum, 1e-12 * sum);
        CHECK_CLOSE(phase->radius_sum, radius, 1e-12 * radius);
        CHECK_CLOSE(phase->obstacle_sum, obstacle, 1e-12 * obstacle);
        CHECK_CLOSE(phase->fraction, volume, 1e-12 * volume);
    }
    for (int i = 0; i < alloy->n_solutes; i++) {
        double total = left * point.matrix[i];
        for (int p = 0; p < alloy->n_phases; p++)
            total += fraction[p] * alloy->phase[p].concentration[i];
        CHECK_CLOSE(total, point.total[i], 1e-12 * point.total[i]);
        CHECK_CLOSE(point.total[i], alloy->solute[i].concentration, 0);
    }
}

/* Ageing, heating, ageing again, read many times: the axis doubles, and halves when all have dissolved and
 * new nuclei come. */
static void nothing_is_lost(void **state)
{
    (void)state;
    const struct {
        const char *file; /* NULL: two_phases */
        double temperature, hot, duration;
        sw_kwn_axis_options axis;
        int doublings, halvings; /* at least */
    } cases[] = {
        {"al-mg-si-6082.yaml", 458.15, 600, 1e5, {SW_AXIS_ADAPTIVE, 64, 0, 2e-9}, 5, 0},
        {"al-mg-si-6082.yaml", 458.15, 600, 1e5, {SW_AXIS_UNIFORM, 200, 0, 200e-9}, 0, 0},
        {"al-zr.yaml", 723.15, 850, 1e5, {SW_AXIS_ADAPTIVE, 100, 0, 2e-9}, 3, 0},
        {"al-sc.yaml", 623.15, 1000, 1e5, {SW_AXIS_ADAPTIVE, 64, 0, 2e-9}, 3, 1},
        {"al-sc.yaml", 623.15, 1000, 1e5, {SW_AXIS_LOGARITHMIC, 128, 1e-10, 1e-6}, 0, 0},
        {"cu-co.yaml", 873, 1000, 1e4, {SW_AXIS_ADAPTIVE, 64, 0, 2e-9}, 3, 0},
        {NULL, 458.15, 560, 1e5, {SW_AXIS_ADAPTIVE, 64, 0, 2e-9}, 3, 0},
        {NULL, 458.15, 900, 1e5, {SW_AXIS_ADAPTIVE, 64, 0, 2e-9}, 3, 1},
    };
    enum { CALLS = 300 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sw_kwn_alloy alloy = cases[k].file ? alloy_file(cases[k].file) : two_phases();
        sw_kwn_options options = sw_kwn_defaults();
        sw_kwn_point point;
        sw_kwn *kwn;
        double now = 0, scale = cases[k].axis.largest;
        int doublings = 0, halvings = 0;
        options.axis = cases[k].axis;
        CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, cases[k].temperature, &kwn));
        for (int part = 0; part < 3; part++)
            for (int i = 1; i <= CALLS; i++) {
                const float t = (float)(part == 1 ? cases[k].hot : cases[k].temperature), at[2] = {t, t};
                const double time[2] = {now,
                                        cases[k].duration * (part + pow(10, -4 * (1 - i / (double)CALLS)))};
                CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
                check_balances(kwn, &alloy);
                CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
                CHECK_CLOSE(point.time, time[1], 0);
                doublings += point.phase[0].scale > scale;
                halvings += point.phase[0].scale < scale;
                scale = point.phase[0].scale;
                now = time[1];
            }
        print_message("%s: %d doublings, %d halvings, %d steps\n", alloy.name, doublings, halvings,
                      (int)point.steps);
        assert_true(doublings >= cases[k].doublings && halvings >= cases[k].halvings);
        sw_kwn_close(kwn);
    }
}

/* While the matrix is supersaturated nothing dissolves: nuclei of 1.5 r*, several classes above r*, only
 * grow. One step a call: the time integral of J, of the middle of each step, is the number. */
static void number_is_the_integral_of_the_nucleation_rate(void **state)
{
    (void)state;
    enum { STEPS = 400 };
    sw_kwn_alloy alloy = alloy_file("al-zr.yaml");
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_point point;
    sw_kwn *kwn;
    double integral = 0;
    alloy.phase[0].nucleation.nucleus_multiple = 1.5;
    options.axis.classes = 512;
    options.control.fixed_step = 10;
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, 723.15, &kwn));
    for (int i = 0; i < STEPS; i++) {
        const double time[2] = {10.0 * i, 10.0 * (i + 1)};
        const float at[2] = {723.15F, 723.15F};
        CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
        CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
        assert_int_equal(point.steps, i + 1);
        integral += 10 * point.phase[0].rate;
        CHECK_CLOSE(point.phase[0].dissolved, 0, 0);
        CHECK_CLOSE(point.phase[0].nucleated, integral, 1e-13 * integral);
        CHECK_CLOSE(point.phase[0].number, integral, 1e-12 * integral + 1e-20);
    }
    assert_true(point.phase[0].number > 3e22); /* of 4e22 that there will be */
    sw_kwn_close(kwn);
}

/* ---- Strength ---- */

static sw_kwn_strength strength(void)
{
    return (sw_kwn_strength){.lattice_resistance = 10e6,
                             .taylor_factor = 3,
                             .shear_modulus = 27e9,
                             .burgers_vector = 3e-10,
                             .line_tension_factor = 0.5,
                             .solid_solution = {900e6},
                             .solid_solution_exponent = 0.5,
                             .particle_sum_exponent = 2,
                             .hardness_slope = 0.33e-6,
                             .hardness_intercept = 16};
}

/* number particles of one radius */
static sw_kwn_population population(double number, double radius, double shearable_radius)
{
    return (sw_kwn_population){.scale = 10e-9,
                               .number = number,
                               .radius_sum = number * radius,
                               .fraction = sphere * number * radius * radius * radius,
                               .obstacle_sum = number * fmin(radius / shearable_radius, 1)};
}

/* By hand, G b = 8.1 N/m, 2 beta G b^2 = 2.43e-9 N, particles of f = 1 %:
 *
 * bypassed (r >= r_c = 5 nm): F = 2 beta G b^2, sigma_p = M 2 beta G b / r sqrt(3 f / 2 pi);
 *     r = 10 nm: 3 x 8.1 / 1e-8 x sqrt(0.03 / 2 pi) = 2.43e9 x 0.0690988298942671 = 167.910156643 MPa;
 * sheared (r = 2.5 nm): F is half of that, sigma_p = M 8.1 / 2.5e-9 x 0.5^1.5 x 0.0690988298942671
 *     = 9.72e9 x 0.353553390593274 x 0.0690988298942671 = 237.460821 MPa;
 * solid solution 900 MPa sqrt(0.0025) = 45 MPa; both phases: sqrt(167.910156643^2 + 237.460821^2). */
static void strength_by_hand(void **state)
{
    (void)state;
    sw_kwn_alloy alloy = binary(0.1);
    alloy.strength = strength();
    sw_kwn_point point = {.matrix = {0.0025}};
    const double large = 10e-9, small = 2.5e-9;
    const sw_kwn_population bypassed = population(0.01 / (sphere * pow(large, 3)), large, 5e-9),
                            sheared = population(0.01 / (sphere * pow(small, 3)), small, 5e-9);
    const double by_bypass = 167.910156643e6, by_shear = 237.460821e6;

    point.phase[0] = bypassed;
    sw_kwn_strength_result s = sw_kwn_strength_of(&alloy, &point);
    CHECK_CLOSE(s.particles, by_bypass, 1e-9 * by_bypass);
    CHECK_CLOSE(s.solid_solution, 45e6, 1e-6);
    CHECK_CLOSE(s.yield_stress, 55e6 + by_bypass, 1);
    CHECK_CLOSE(s.hardness, 0.33 * (55 + by_bypass * 1e-6) + 16, 1e-6);
    CHECK_CLOSE(s.slip_resistance, s.yield_stress / 3, 1e-6);

    point.phase[0] = sheared;
    s = sw_kwn_strength_of(&alloy, &point);
    CHECK_CLOSE(s.particles, by_shear, 1e-8 * by_shear);
    CHECK_CLOSE(s.slip_resistance, s.yield_stress / 3, 1e-6);

    /* sheared particles strengthen as sqrt(f r): twice the radius at the same fraction */
    point.phase[0] = population(0.01 / (sphere * pow(2 * small, 3)), 2 * small, 5e-9);
    CHECK_CLOSE(sw_kwn_strength_of(&alloy, &point).particles, sqrt(2) * s.particles, 1e-6 * s.particles);

    alloy.n_phases = 2;
    alloy.phase[1] = alloy.phase[0];
    point.phase[0] = bypassed;
    point.phase[1] = sheared;
    CHECK_CLOSE(sw_kwn_strength_of(&alloy, &point).particles, hypot(by_bypass, by_shear), 1);
    alloy.strength.particle_sum_exponent = 1;
    CHECK_CLOSE(sw_kwn_strength_of(&alloy, &point).particles, by_bypass + by_shear, 2);
    alloy.n_phases = 1;

    point.phase[0] = (sw_kwn_population){.scale = 10e-9};
    s = sw_kwn_strength_of(&alloy, &point);
    CHECK_CLOSE(s.particles, 0, 0);
    CHECK_CLOSE(s.yield_stress, 55e6, 1e-6);
    point.matrix[0] = 0;
    s = sw_kwn_strength_of(&alloy, &point);
    CHECK_CLOSE(s.yield_stress, 10e6, 1e-6);

    point.phase[0] = bypassed;
    alloy.strength = (sw_kwn_strength){0};
    s = sw_kwn_strength_of(&alloy, &point);
    const sw_kwn_strength_result none = {0};
    assert_memory_equal(&s, &none, sizeof s);
}

/* Of a population as it is computed, by way of its distribution. */
static void strength_of_an_aged_alloy(void **state)
{
    (void)state;
    static double number[4096];
    const sw_kwn_alloy alloy = alloy_file("al-mg-si-6082.yaml");
    const sw_kwn_strength *k = &alloy.strength;
    const sw_kwn_options options = sw_kwn_defaults();
    const double time[2] = {0, 36000};
    const float at[2] = {458.15F, 458.15F};
    sw_kwn_point point;
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, 458.15, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    assert_in_range(axis->n, 1, 4096);
    CHECK_OK(sw_kwn_read_distribution(kwn, 0, 1, 0, number));
    const double strongest = 2 * k->line_tension_factor * k->shear_modulus * pow(k->burgers_vector, 2);
    double sum = 0, radius = 0, volume = 0, force = 0;
    for (int32_t i = 0; i < axis->n; i++) {
        const double r = axis->pivot[i] * point.phase[0].scale;
        sum += number[i];
        radius += number[i] * r;
        volume += number[i] * sphere * r * r * r;
        force += number[i] * strongest * fmin(r / alloy.phase[0].shearable_radius, 1);
    }
    const double pi = 3.14159265358979323846;
    const double particles = k->taylor_factor / (k->burgers_vector * radius / sum) / sqrt(strongest) *
                             sqrt(3 * volume / (2 * pi)) * pow(force / sum, 1.5);
    double solutes = 0;
    for (int i = 0; i < alloy.n_solutes; i++)
        solutes += k->solid_solution[i] * pow(point.matrix[i], k->solid_solution_exponent);
    const sw_kwn_strength_result s = sw_kwn_strength_of(&alloy, &point);
    CHECK_CLOSE(s.particles, particles, 1e-11 * particles);
    CHECK_CLOSE(s.solid_solution, solutes, 1e-12 * solutes);
    CHECK_CLOSE(s.yield_stress, k->lattice_resistance + solutes + particles, 1e-11 * s.yield_stress);
    CHECK_CLOSE(s.slip_resistance * k->taylor_factor, s.yield_stress, 1e-14 * s.yield_stress);
    assert_true(s.particles > 100e6); /* peak aged */
    sw_kwn_close(kwn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_lie_between_their_faces),
        cmocka_unit_test(split_keeps_volume),
        cmocka_unit_test(rescaled_axis_keeps_volume),
        cmocka_unit_test(first_order_flux_keeps_the_mean_square_radius),
        cmocka_unit_test(second_order_flux_spreads_less),
        cmocka_unit_test(third_order_flux_spreads_least),
        cmocka_unit_test(orders_of_convergence),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(number_is_the_integral_of_the_nucleation_rate),
        cmocka_unit_test(strength_by_hand),
        cmocka_unit_test(strength_of_an_aged_alloy),
    };
    return cmocka_run_group_tests_name("precipitation model", tests, NULL, NULL);
}
