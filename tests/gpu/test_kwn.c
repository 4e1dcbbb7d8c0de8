/* The precipitation strategies of the GPU against the CPU's, and what only a GPU can get wrong: both ways of
 * `fused`, odd and large numbers of classes, layouts, failing points, repeatability. Skipped, saying so,
 * where there is no GPU. Dimensions: N points, B classes. */
#include "tests/gpu/gpu.h"
#include "online/kwn/backend/strategies.h"
#include "tests/online/kwn/points/alloys.h"
#include "tests/online/kwn/points/random_points.h"

enum { BUILT = SW_HAS_PAPERS ? SW_KWN_STRATEGIES : SW_KWN_OF_PAPERS }; /* strategies of this build */
enum { FEW = 7, PERIOD = 105, MANY = 17000, LARGEST = 20000 };

static const double sphere = 4 * 3.14159265358979323846 / 3;
/* ---- Alloys, options, histories ---- */

static sw_kwn_alloy alloy_of(int phases)
{
    sw_kwn_alloy alloy = two_phases();
    alloy.n_phases = phases;
    return alloy;
}

static sw_kwn_options options_of(sw_kwn_strategy strategy, sw_kwn_precision precision, sw_kwn_axis_kind kind,
                                 int classes, sw_kwn_flux_order flux)
{
    sw_kwn_options o = sw_kwn_defaults();
    o.strategy = strategy;
    o.precision = precision;
    o.flux = flux;
    o.axis = kind == SW_AXIS_UNIFORM       ? (sw_kwn_axis_options){kind, classes, 0, 20e-9}
             : kind == SW_AXIS_LOGARITHMIC ? (sw_kwn_axis_options){kind, classes, 1e-10, 1e-7}
                                           : (sw_kwn_axis_options){kind, classes, 0, 2e-9};
    return o;
}

/* A ramp, a hold, and a spike that dissolves the small ones; every point its own composition and temperature.
 * On the adaptive axis scales are doubled twice. Points i and i + PERIOD are the same. */
enum { KNOTS = 5 };
static const double times[KNOTS] = {0, 500, 4000, 4010, 4100};

static void histories_of(int64_t n, double (*composition)[2], float *temperature)
{
    for (int64_t i = 0; i < n; i++) {
        const float up = (float)(i % FEW) * 5;
        const float knots[KNOTS] = {430 + up, 470 + up, 470 + up, 520 + 3 * up, 450};
        composition[i][0] = 0.007 + 0.001 * (double)(i % 5);
        composition[i][1] = 0.0096 + 0.0005 * (double)(i % 3);
        for (int k = 0; k < KNOTS; k++)
            temperature[k * n + i] = knots[k];
    }
}

typedef struct {
    int64_t n;
    int phases, classes;
    sw_kwn_point *point; /* [N] */
    double *number;      /* [N][phases][B] */
} result;

static void release(result *r)
{
    free(r->point);
    free(r->number);
}

/* The history in two calls, so that states are kept between them. */
static result follow(const sw_kwn_alloy *alloy, const sw_kwn_options *options, int64_t n)
{
    double(*composition)[2];
    float *temperature;
    result r = {.n = n, .phases = alloy->n_phases, .classes = (int)options->axis.classes};
    sw_kwn *kwn;
    CHECK_OK(SW_ALLOCATE(composition, n, "compositions"));
    CHECK_OK(SW_ALLOCATE(temperature, KNOTS * n, "temperatures"));
    CHECK_OK(SW_ALLOCATE(r.point, n, "points"));
    CHECK_OK(SW_ALLOCATE(r.number, n * r.phases * r.classes, "histograms"));
    histories_of(n, composition, temperature);
    CHECK_OK(sw_kwn_open(alloy, options, n, composition[0], 430, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 3, times, temperature, 1));
    CHECK_OK(sw_kwn_advance(kwn, KNOTS - 2, times + 2, temperature + 2 * n, 1));
    CHECK_OK(sw_kwn_read(kwn, 0, n, r.point));
    double *part;
    CHECK_OK(SW_ALLOCATE(part, n * r.classes, "histograms"));
    for (int p = 0; p < r.phases; p++) {
        CHECK_OK(sw_kwn_read_distribution(kwn, 0, n, p, part));
        for (int64_t i = 0; i < n; i++)
            memcpy(r.number + (i * r.phases + p) * r.classes, part + i * r.classes,
                   (size_t)r.classes * sizeof *part);
    }
    free(part);
    free(composition);
    free(temperature);
    sw_kwn_close(kwn);
    return r;
}

/* ---- Comparisons ---- */

/* How far a result may be from the CPU's. Double precision: round-off of some 1e-15 a step, of which the model
 * makes less than 5,000 times as much (tests/online/kwn/points/test_history.c), so 1e-11; but with a thousand
 * classes the second-order flux has room for ripples that grow until its limiter sees them, and these show as
 * 1e-7. Of fewer than a warp's classes a spike leaves, 16 decades down, what one class lets through: when the next step comes hangs
 * on round-off, and new particles are off by what a step shifted by 1e-6 of itself is worth, 1e-5 (the same scheme on the CPU, its
 * first step 1e-12 longer). Single precision: 6e-8 and more a step, 3e-4 by then, and some point in fifty takes a decision the other
 * way: an iteration or a step more, an axis doubled one step later. That makes one step another, and is worth what
 * a step may be off by, twice the tolerance of 1e-3. A step's place moves what it nucleates among the classes, too: 4 % of the particles
 * when nuclei jumped from class to class (tests/online/kwn/points/test_steps.c); 0.6 % at most now, of these cases in single precision on a CPU:
 * allowed is 1 %, five times as much as in number. */
static double allowed(sw_kwn_precision precision, int64_t classes)
{
    return precision != SW_KWN_DOUBLE ? 2e-3 : classes < 32 ? 1e-4 : 1e-6;
}

/* Below these populations leave no trace, and the control does not look at them: model.h. */
static const double few = 1e6, little = 1e-8;

typedef struct {
    double worst[5]; /* over what is allowed: N, f, r, c, distribution */
    int other_steps;
} comparison;

/* Conservation, with what a sum of B rounded numbers has lost: in double 1e-12 as on the CPU. In single each
 * step rounds what stays in a class and what leaves it, with approximate quotients: half a unit in the last
 * place of the whole a step at worst. */
static void check_balances(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis, sw_kwn_precision precision,
                           const sw_kwn_point *point, const double *number, int classes, const char *name)
{
    const double tolerance = precision == SW_KWN_DOUBLE ? 1e-12 : 1e-6 + 0x1p-24 * (double)point->steps;
    double left = 1, volume[SW_KWN_PHASES];
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *phase = &point->phase[p];
        double sum = 0;
        volume[p] = 0;
        for (int i = 0; i < classes; i++) {
            const double n = number[p * classes + i];
            if (!(n >= 0 && n <= 1e36))
                fail_msg("%s: class %d holds %g", name, i, n);
            sum += n;
            volume[p] += n * sphere * pow(axis->pivot[i] * phase->scale, 3);
        }
        left -= volume[p];
        if (!(fabs(phase->nucleated - phase->dissolved - sum) <= tolerance * phase->nucleated + 1e-20))
            fail_msg("%s, phase %d: %.10g nucleated, %.10g dissolved, %.10g there", name, p, phase->nucleated,
                     phase->dissolved, sum);
        if (!(fabs(phase->number - sum) <= tolerance * fmax(sum, phase->nucleated)))
            fail_msg("%s, phase %d: number %.10g, %.10g there", name, p, phase->number, sum);
    }
    for (int i = 0; i < alloy->n_solutes; i++) {
        double total = left * point->matrix[i];
        for (int p = 0; p < alloy->n_phases; p++)
            total += volume[p] * alloy->phase[p].concentration[i];
        if (!(fabs(total - point->total[i]) <= tolerance * point->total[i]))
            fail_msg("%s: %.12g of %s, %.12g at the start", name, total, alloy->solute[i].element,
                     point->total[i]);
    }
}

static void check_one(comparison *c, int what, double actual, double expected, double tolerance, double floor,
                      const char *name, int64_t index)
{
    static const char *const names[] = {"number", "fraction", "mean radius", "matrix", "distribution"};
    const double bound = tolerance * (fabs(expected) + floor);
    if (!(fabs(actual - expected) <= bound))
        fail_msg("%s, point %d, %s = %.12g: need %.12g within %.2g", name, (int)index, names[what], actual,
                 expected, tolerance);
    if (bound > 0)
        c->worst[what] = greatest(c->worst[what], fabs(actual - expected) / bound);
}

static comparison compare(const sw_kwn_alloy *alloy, const sw_kwn_options *options, const result *gpu,
                          const result *cpu, const char *name)
{
    const double tolerance = allowed(options->precision, options->axis.classes);
    comparison c = {{0}, 0};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options->axis, 32, &axis));
    for (int64_t i = 0; i < gpu->n; i++) {
        const int64_t j = i % cpu->n;
        const sw_kwn_point *a = &gpu->point[i], *b = &cpu->point[j];
        const double *mine = gpu->number + i * gpu->phases * gpu->classes;
        const double *theirs = cpu->number + j * cpu->phases * cpu->classes;
        c.other_steps += a->steps != b->steps;
        if (a->time != b->time || a->temperature != b->temperature || a->failed != 0)
            fail_msg("%s, point %d: %g s, %g K: need %g s, %g K", name, (int)i, a->time, a->temperature,
                     b->time, b->temperature);
        for (int s = 0; s < alloy->n_solutes; s++)
            check_one(&c, 3, a->matrix[s], b->matrix[s], tolerance, b->total[s], name, i);
        for (int p = 0; p < alloy->n_phases; p++) {
            const sw_kwn_population *x = &a->phase[p], *y = &b->phase[p];
            check_one(&c, 0, x->number, y->number, tolerance, few, name, i);
            check_one(&c, 1, x->fraction, y->fraction, tolerance, little, name, i);
            if (y->number > few && y->fraction > little) /* the radius of next to nothing is nothing */
                check_one(&c, 2, x->radius_sum / x->number, y->radius_sum / y->number, tolerance, 0, name, i);
            if (x->scale == y->scale && a->steps == b->steps) {
                double elsewhere = 0;
                for (int k = 0; k < gpu->classes; k++)
                    elsewhere += fabs(mine[p * gpu->classes + k] - theirs[p * gpu->classes + k]);
                check_one(&c, 4, y->number + elsewhere, y->number,
                          (options->precision == SW_KWN_DOUBLE ? 3 : 5) * tolerance, few, name, i);
            }
        }
        check_balances(alloy, &axis, options->precision, a, mine, gpu->classes, name);
    }
    sw_kwn_axis_free(&axis);
    return c;
}

static void print_comparison(const char *name, const comparison *c, int64_t n)
{
    print_message(
        "%-52s of the bounds: N %.2f, f %.2f, r %.2f, c %.2f, classes %.2f; %d of %d in other steps\n", name,
        c->worst[0], c->worst[1], c->worst[2], c->worst[3], c->worst[4], c->other_steps, (int)n);
}

/* `fused` in all precisions. The paper's strategies, which launch kernels in every step, take turns: one precision a case. */
static int is_turn_of(int strategy, int precision, int number)
{
    return strategy == SW_KWN_FUSED || (strategy + number) % SW_KWN_PRECISIONS == precision;
}

/* And of the axes one for each order and number of phases: four cases, in which each of them meets every axis and every
 * precision, and all of them together every axis in every precision. They have no third order. */
static int is_case_of(int strategy, int precision, int kind, int flux, int phases)
{
    const int number = flux + 2 * (phases - 1);
    return strategy == SW_KWN_FUSED ||
           (flux != SW_KWN_THIRD_ORDER && (kind + number + strategy) % SW_AXIS_KINDS == 0 &&
            (number + 2 * strategy) % SW_KWN_PRECISIONS == precision);
}

/* Everything against everything. */
static void strategies_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    static const char *const kinds[] = {"uniform", "logarithmic", "adaptive"};
    for (int phases = 1; phases <= 2; phases++)
        for (int kind = 0; kind < 3; kind++)
            for (int flux = 0; flux < SW_KWN_FLUXES; flux++) {
                const sw_kwn_alloy alloy = alloy_of(phases);
                const sw_kwn_options plain = options_of(SW_KWN_CPU, SW_KWN_DOUBLE, (sw_kwn_axis_kind)kind,
                                                        256, (sw_kwn_flux_order)flux);
                result cpu = follow(&alloy, &plain, FEW);
                /* there is something to compare: particles, several hundred steps, an axis that was doubled
                 */
                assert_true(cpu.point[0].phase[0].number > 1e20 && cpu.point[0].steps > 200);
                assert_true(cpu.point[0].phase[0].dissolved > 0);
                assert_true(kind != SW_AXIS_ADAPTIVE || cpu.point[0].phase[0].scale > 3e-9);
                for (int strategy = 1; strategy < BUILT; strategy++)
                    for (int precision = 0; precision < SW_KWN_PRECISIONS; precision++) {
                        if (!is_case_of(strategy, precision, kind, flux, phases))
                            continue;
                        const sw_kwn_options o =
                            options_of((sw_kwn_strategy)strategy, (sw_kwn_precision)precision,
                                       (sw_kwn_axis_kind)kind, 256, (sw_kwn_flux_order)flux);
                        char name[128];
                        snprintf(name, sizeof name, "%s, %s, %s, order %d, %d phases",
                                 sw_kwn_strategy_names[strategy], sw_kwn_precision_names[precision],
                                 kinds[kind], flux + 1, phases);
                        result gpu = follow(&alloy, &o, FEW);
                        const comparison c = compare(&alloy, &o, &gpu, &cpu, name);
                        print_comparison(name, &c, FEW);
                        release(&gpu);
                    }
                release(&cpu);
            }
}

/* More points than `fused` keeps on the chip: rounds. The same bits of equal points in other places, and in a second run, of one
 * precision: its order is the same in all. Two phases in all precisions, one in single, which its kernels are for. */
static void many_points_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    for (int phases = 1; phases <= 2; phases++) {
        const sw_kwn_alloy alloy = alloy_of(phases);
        const sw_kwn_options plain =
            options_of(SW_KWN_CPU, SW_KWN_DOUBLE, SW_AXIS_ADAPTIVE, 100, SW_KWN_THIRD_ORDER);
        result cpu = follow(&alloy, &plain, PERIOD);
        for (int precision = phases == 2 ? 0 : SW_KWN_SINGLE; precision < SW_KWN_PRECISIONS; precision++) {
            const sw_kwn_options o = options_of(SW_KWN_FUSED, (sw_kwn_precision)precision, SW_AXIS_ADAPTIVE,
                                                100, SW_KWN_THIRD_ORDER);
            char name[128];
            snprintf(name, sizeof name, "fused, %s, %d points, %d phases", sw_kwn_precision_names[precision],
                     MANY, phases);
            result gpu = follow(&alloy, &o, MANY);
            const comparison c = compare(&alloy, &o, &gpu, &cpu, name);
            print_comparison(name, &c, MANY);
            for (int64_t i = PERIOD; i < MANY; i++)
                if (memcmp(&gpu.point[i], &gpu.point[i % PERIOD], sizeof *gpu.point) != 0)
                    fail_msg("%s: points %d and %d differ", name, (int)i, (int)(i % PERIOD));
            if (phases == 2 && precision == SW_KWN_SINGLE) {
                result again = follow(&alloy, &o, MANY);
                assert_int_equal(memcmp(gpu.point, again.point, (size_t)MANY * sizeof *gpu.point), 0);
                assert_int_equal(memcmp(gpu.number, again.number,
                                        (size_t)(MANY * phases) * (size_t)gpu.classes * sizeof *gpu.number),
                                 0);
                release(&again);
            }
            release(&gpu);
        }
        release(&cpu);
    }
}

/* 8: less than a thread's; 100, 1000: not of a warp, a block; 20000: clusters of blocks, which take compute
 * capability 9. The paper's strategies, of second order, meet every other number. */
static void any_number_of_classes(void **state)
{
    NEED_GPU();
    const int classes[] = {8, 33, 100, 1000, LARGEST};
    const sw_kwn_alloy alloy = alloy_of(1);
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        const sw_kwn_axis_kind kind = classes[k] == LARGEST ? SW_AXIS_UNIFORM : SW_AXIS_ADAPTIVE;
        sw_kwn_options o = options_of(SW_KWN_CPU, SW_KWN_DOUBLE, kind, classes[k], SW_KWN_THIRD_ORDER);
        if (classes[k] >= 1000)
            o.control.courant = (double)classes[k] / 250; /* else steps go as classes */
        const int strategies = classes[k] == LARGEST ? SW_KWN_OF_PAPERS : BUILT;
        result swept = follow(&alloy, &o, FEW), cpu = {0};
        o.flux = SW_KWN_SECOND_ORDER;
        if (strategies > SW_KWN_OF_PAPERS)
            cpu = follow(&alloy, &o, FEW);
        for (int strategy = 1; strategy < strategies; strategy++)
            for (int precision = 0; precision < SW_KWN_PRECISIONS; precision++) {
                o.flux = strategy == SW_KWN_FUSED ? SW_KWN_THIRD_ORDER : SW_KWN_SECOND_ORDER;
                if (!is_turn_of(strategy, precision, (int)k) ||
                    (strategy != SW_KWN_FUSED && (strategy + (int)k) % 2 != 0))
                    continue;
                char name[128];
                sw_kwn *probe;
                o.strategy = (sw_kwn_strategy)strategy;
                o.precision = (sw_kwn_precision)precision;
                snprintf(name, sizeof name, "%s, %s, %d classes", sw_kwn_strategy_names[strategy],
                         sw_kwn_precision_names[precision], classes[k]);
                if (sw_kwn_open(&alloy, &o, 1, NULL, 300, &probe) != SW_OK) {
                    assert_int_equal(classes[k], LARGEST);
                    assert_non_null(strstr(sw_error_message(), "on this GPU"));
                    print_message("%s: %s\n", name, sw_error_message());
                    continue;
                }
                sw_kwn_close(probe);
                result gpu = follow(&alloy, &o, FEW);
                const comparison c =
                    compare(&alloy, &o, &gpu, strategy == SW_KWN_FUSED ? &swept : &cpu, name);
                print_comparison(name, &c, FEW);
                release(&gpu);
            }
        release(&cpu);
        release(&swept);
    }
}

/* Every strategy: of 7 points (and, by rounds, of 17,000) the one that an explicit step of a day exhausts is
 * named; the others were too cold to move. */
static void failing_points_are_named(void **state)
{
    NEED_GPU();
    const sw_kwn_alloy alloy = alloy_of(1);
    const double time[2] = {0, 864000};
    for (int strategy = 1; strategy < BUILT; strategy++)
        for (int precision = 0; precision < SW_KWN_PRECISIONS; precision++)
            for (int64_t n = FEW; n <= MANY; n += MANY - FEW) {
                if (n == MANY && strategy != SW_KWN_FUSED)
                    continue;
                sw_kwn_options o = options_of((sw_kwn_strategy)strategy, (sw_kwn_precision)precision,
                                              SW_AXIS_UNIFORM, 100, 1);
                float *temperature;
                sw_kwn *kwn;
                char which[32];
                o.control.fixed_step = 86400;
                o.control.explicit_coupling = 1;
                CHECK_OK(SW_ALLOCATE(temperature, 2 * n, "temperatures"));
                for (int64_t i = 0; i < 2 * n; i++)
                    temperature[i] = i % n == n - 2 ? 458 : 250;
                snprintf(which, sizeof which, "point %d:", (int)(n - 2));
                CHECK_OK(sw_kwn_open(&alloy, &o, n, NULL, 250, &kwn));
                CHECK_OK(sw_kwn_advance(kwn, 2, time, temperature, 1));
                const sw_status status = sw_kwn_wait(kwn);
                if (status != SW_ERR_CONVERGENCE || strstr(sw_error_message(), which) == NULL)
                    fail_msg("%s, %s: status %d, \"%s\": need \"%s\"", sw_kwn_strategy_names[strategy],
                             sw_kwn_precision_names[precision], (int)status, sw_error_message(), which);
                sw_kwn_close(kwn);
                free(temperature);
            }
}

/* What is set is read, in either layout, by all points or some; and goes on as the CPU's. */
static void distributions_are_set_and_read(void **state)
{
    NEED_GPU();
    enum { CLASSES = 100 };
    const sw_kwn_alloy alloy = alloy_of(2);
    const double time[2] = {0, 100};
    const float at[2] = {450, 450};
    static double number[CLASSES], back[FEW][CLASSES];
    static sw_kwn_point expected[FEW], point[MANY];
    for (int strategy = 0; strategy < BUILT; strategy++)
        for (int precision = 0; precision < (strategy == SW_KWN_CPU ? 1 : SW_KWN_PRECISIONS); precision++)
            for (int64_t n = FEW; n <= MANY; n += MANY - FEW) {
                if (n == MANY && strategy != SW_KWN_FUSED)
                    continue;
                const sw_kwn_options o = options_of((sw_kwn_strategy)strategy, (sw_kwn_precision)precision,
                                                    SW_AXIS_ADAPTIVE, CLASSES, 1);
                const double scale = 20e-9, rounded = precision == SW_KWN_DOUBLE ? 0 : 0x1p-24;
                sw_kwn *kwn;
                CHECK_OK(sw_kwn_open(&alloy, &o, n, NULL, 450, &kwn));
                const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
                for (int i = 0; i < CLASSES; i++)
                    number[i] = 1e20 * exp(-0.5 * pow((axis->pivot[i] * scale - 5e-9) / 1e-9, 2));
                CHECK_OK(sw_kwn_set_distribution(kwn, 3, 1, scale, number));
                CHECK_OK(sw_kwn_read_distribution(kwn, 2, 3, 1, back[0]));
                for (int i = 0; i < CLASSES; i++) {
                    CHECK_CLOSE(back[0][i], 0, 0);
                    CHECK_CLOSE(back[1][i], number[i], rounded * number[i]);
                    CHECK_CLOSE(back[2][i], 0, 0);
                }
                CHECK_OK(sw_kwn_read_distribution(kwn, 3, 1, 0, back[0]));
                for (int i = 0; i < CLASSES; i++)
                    CHECK_CLOSE(back[0][i], 0, 0);
                CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
                CHECK_OK(sw_kwn_read(kwn, 0, n, point));
                CHECK_OK(sw_kwn_read_distribution(kwn, 3, 1, 1, back[0]));
                double sum = 0, squares = 0, area[3][2];
                for (int i = 0; i < CLASSES; i++) {
                    sum += back[0][i];
                    squares += back[0][i] * pow(axis->pivot[i] * point[3].phase[1].scale, 2);
                }
                /* the same numbers, added in another order */
                CHECK_OK(sw_kwn_read_interface_area(kwn, 2, 3, area[0]));
                CHECK_CLOSE(area[1][1], 4 * 3.14159265358979323846 * squares, 1e-12 * area[1][1]);
                assert_true(area[1][1] > 0);
                CHECK_CLOSE(point[3].phase[1].number, sum, (precision == SW_KWN_DOUBLE ? 1e-12 : 1e-5) * sum);
                if (strategy == SW_KWN_CPU) {
                    memcpy(expected, point, sizeof expected);
                } else {
                    for (int i = 0; i < FEW; i++) {
                        const double t = allowed((sw_kwn_precision)precision, CLASSES);
                        CHECK_CLOSE(point[i].matrix[0], expected[i].matrix[0], t * expected[i].total[0]);
                        for (int p = 0; p < 2; p++) {
                            const sw_kwn_population *x = &point[i].phase[p], *y = &expected[i].phase[p];
                            CHECK_CLOSE(x->number, y->number, t * (y->number + few));
                            CHECK_CLOSE(x->fraction, y->fraction, t * (y->fraction + little));
                        }
                    }
                }
                assert_true(point[3].phase[1].number > 1e21); /* 1.25e21 were set */
                sw_kwn_close(kwn);
            }
}

/* Two phases at random points within 0.1 % of the CPU's, in all precisions: that one decision in thousands is taken the other way must
 * not show. bench/bench_kwn_parity.c has 100,000 of them. */
static void random_points_agree_with_the_cpu(void **state)
{
    NEED_GPU();
    enum { POINTS = 2048, CLASSES = 128 };
    static double composition[POINTS][2];
    static float temperature[SW_RANDOM_KNOTS][POINTS];
    static sw_kwn_point expected[POINTS], found[POINTS];
    const sw_kwn_alloy alloy = alloy_file("al-sc-zr.yaml");
    sw_random_points(POINTS, composition[0], temperature[0]);
    for (int run = 0; run <= SW_KWN_PRECISIONS; run++) {
        sw_kwn_options options = sw_kwn_defaults();
        double worst[3] = {0};
        sw_kwn *kwn;
        options.strategy = run == 0 ? SW_KWN_CPU : SW_KWN_FUSED;
        options.precision = run == 0 ? SW_KWN_DOUBLE : (sw_kwn_precision)(run - 1);
        options.axis.classes = CLASSES;
        CHECK_OK(sw_kwn_open(&alloy, &options, POINTS, composition[0], 560, &kwn));
        CHECK_OK(sw_kwn_advance(kwn, SW_RANDOM_KNOTS, sw_random_times, temperature[0], 1));
        CHECK_OK(sw_kwn_read(kwn, 0, POINTS, run == 0 ? expected : found));
        sw_kwn_close(kwn);
        for (int i = 0; i < POINTS && run > 0; i++) {
            double d[3];
            sw_point_differences(&found[i], &expected[i], 2, d);
            for (int k = 0; k < 3; k++)
                worst[k] = greatest(worst[k], d[k]);
        }
        if (run > 0)
            print_message("%s: number %.1e, radius %.1e, fraction %.1e off\n",
                          sw_kwn_precision_names[options.precision], worst[0], worst[1], worst[2]);
        assert_true(worst[0] <= 1e-3 && worst[1] <= 1e-3 && worst[2] <= 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_agree_with_the_cpu),  cmocka_unit_test(many_points_agree_with_the_cpu),
        cmocka_unit_test(any_number_of_classes),          cmocka_unit_test(failing_points_are_named),
        cmocka_unit_test(distributions_are_set_and_read), cmocka_unit_test(random_points_agree_with_the_cpu),
    };
    return cmocka_run_group_tests_name("precipitation on the GPU", tests, set_up, NULL);
}
