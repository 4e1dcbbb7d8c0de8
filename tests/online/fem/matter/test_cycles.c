/* Chaboche's backstresses in closed loops and ratchetting, and rubbers, against closed forms. */
#include "materials.h"

static sw_matter_curve yield[1] = {{.n_rows = 1, .row = (double[1][2]){{0, 200}}}};
#define BACKS .n_curves = 1, .curve = yield, .hardening = SW_MATTER_HARDENS_COMBINED
static sw_matter two = {STEEL, BACKS, .backstress = ROW(4, 40e3, 400, 10e3, 50)},
                 growing = {STEEL, BACKS, .backstress = ROW(4, 40e3, 400, 10e3, 50),
                            .saturation = ROW(3, 200, 60, 30)},
                 one = {STEEL, BACKS, .backstress = ROW(2, 40e3, 400)};

/* From one strain to another in steps of equal size. */
static double go(history *h, double from, double to, int steps, double *across)
{
    double stress = 0;
    for (int i = 1; i <= steps; i++) {
        stress = pull(h, from + (to - from) * i / steps, across);
        accept(h);
    }
    return stress;
}

/* Stress amplitude of the loop, less that of the closed form at its plastic strain range:
 * size + sum of C / gamma tanh(gamma range / 2). The return is backward Euler's, of first order. */
static double loop_error(sw_matter *matter, double size, int steps)
{
    double across = 0, up = 0, down = 0, top = 0, bottom = 0;
    history h;
    begin(&h, matter);
    go(&h, 0, 0.005, steps, &across);
    for (int loop = 0; loop < 25; loop++) {
        down = go(&h, 0.005, -0.005, steps, &across);
        bottom = h.old[1];
        up = go(&h, -0.005, 0.005, steps, &across);
        top = h.old[1];
    }
    const double half = 0.5 * (top - bottom);
    CHECK_CLOSE(up + down, 0, 1e-2);
    return 0.5 * (up - down) - (size + 100 * tanh(400 * half) + 200 * tanh(50 * half));
}

static void test_closed_loops(void **state)
{
    (void)state;
    const double coarse = loop_error(&two, 200, 100), fine = loop_error(&two, 200, 200);
    CHECK_CLOSE(2 * fine - coarse, 0, 1e-4 * 300); /* what is left of it is of second order */
    CHECK_CLOSE(coarse / fine, 2, 0.1);
    const double large = loop_error(&growing, 260, 100), larger = loop_error(&growing, 260, 200);
    CHECK_CLOSE(2 * larger - large, 0, 1e-4 * 360); /* saturated after 25 loops of plastic strain */
}

/* On to a stress, at the slope that the tangent gives. */
static void load(history *h, double stress, double *strain, double *across)
{
    for (int step = 0; step < 50; step++) {
        const double miss = stress - pull(h, *strain, across);
        const double(*d)[6] = h->answer.tangent;
        if (fabs(miss) < 1e-9)
            break;
        *strain += miss / (d[0][0] - d[0][1] * (d[1][0] + d[2][0]) / (d[1][1] + d[1][2]));
    }
    accept(h);
}

/* Between stresses with a mean one backstress x moves between x1 = least + size and x2 = most - size, by dx = (C - gamma x)
 * dp up and -(C + gamma x) dp down, so that a cycle leaves the difference of two logarithms. */
static double ratchet_of(int steps)
{
    double strain = 0, across = 0, before = 0;
    history h;
    begin(&h, &one);
    for (int cycle = 0; cycle < 4; cycle++) {
        before = h.old[1];
        for (int way = 0; way < 2; way++)
            for (int i = 1; i <= steps; i++) {
                const double from = way || cycle ? (way ? 270 : -210) : 0, to = way ? -210 : 270;
                load(&h, from + (to - from) * i / steps, &strain, &across);
            }
    }
    return h.old[1] - before;
}

static void test_ratchetting(void **state)
{
    (void)state;
    const double low = -210 + 200, high = 270 - 200, c = 40e3, g = 400;
    const double want = log((c - g * low) / (c - g * high)) / g - log((c + g * high) / (c + g * low)) / g;
    const double coarse = ratchet_of(400), fine = ratchet_of(800);
    CHECK_CLOSE((2 * fine - coarse) / want, 1, 1e-3);
    CHECK_CLOSE((coarse - want) / (fine - want), 2, 0.1);
}

/* ---- Rubbers ---- */

#define RUBBER(kind, n, columns, ...)                                                                        \
    {                                                                                                        \
        .name = (char *)"RUBBER", .rubber = SW_MATTER_##kind, .order = n, .hyper = ROW(columns, __VA_ARGS__) \
    }
static sw_matter neo_hooke = RUBBER(REDUCED_POLYNOMIAL, 1, 2, 0.5, 1e-6),
                 mooney = RUBBER(POLYNOMIAL, 1, 3, 0.4, 0.15, 1e-6),
                 ogden = RUBBER(OGDEN, 2, 6, 0.8, 2.163, 0.1, -1.5, 1e-6, 0);

/* Powers of principal stretches that they are sums of: 2 mu / alpha, alpha; to a count of 2. */
static const struct {
    sw_matter *matter;
    double factor[2], power[2];
} rubbers[] = {{&neo_hooke, {1, 0}, {2, 1}},
               {&mooney, {0.8, -0.3}, {2, -2}},
               {&ogden, {2 * 0.8 / 2.163, -2 * 0.1 / 1.5}, {2.163, -1.5}}};

static double stress_at(history *h, int component)
{
    double cauchy[6];
    CHECK_OK(try_point(h));
    sw_matter_push_forward((const double(*)[3])h->gradient, h->answer.stress, cauchy);
    accept(h);
    return cauchy[component];
}

/* Difference of principal stresses of stretches a and b. */
static double between(int k, double a, double b)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += rubbers[k].factor[i] * (pow(a, rubbers[k].power[i]) - pow(b, rubbers[k].power[i]));
    return sum;
}

/* D of 1e-6 leaves J - 1 = D sigma / 2, at most 2e-5; a shear has none. */
static void test_rubbers(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        history bar, sheet, block;
        begin(&bar, rubbers[k].matter);
        begin(&sheet, rubbers[k].matter);
        begin(&block, rubbers[k].matter);
        bar.point.finite = sheet.point.finite = block.point.finite = 1;
        bar.point.plane_stress = 2;
        sheet.point.plane_stress = 1;
        for (double l = 1.1; l < 3; l += 0.1) {
            const double shear = l - 1 / l;
            bar.gradient[0][0] = sheet.gradient[0][0] = sheet.gradient[1][1] = l;
            block.gradient[0][1] = shear;
            CHECK_CLOSE(stress_at(&bar, 0) / between(k, l, 1 / sqrt(l)), 1, 1e-4);
            CHECK_CLOSE(stress_at(&sheet, 0) / between(k, l, 1 / (l * l)), 1, 1e-4);
            CHECK_CLOSE(stress_at(&block, 5) / (between(k, l, 1 / l) / (l + 1 / l)), 1, 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_loops),
                                       cmocka_unit_test(test_ratchetting), cmocka_unit_test(test_rubbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
