/* Tangents of materials against differences of their stresses: every law, small and finite strains, axes of their own,
 * plane stress. And what does not see a rotation. */
#include "materials.h"

static sw_matter_curve steel[2] = {
    {.temperature = 0, .n_rows = 3, .row = (double[3][2]){{0, 250}, {0.01, 320}, {0.2, 500}}},
    {.temperature = 100, .n_rows = 2, .row = (double[2][2]){{0, 200}, {0.05, 300}}}};
static sw_matter_curve cyclic[1] = {
    {.temperature = 0, .n_rows = 2, .row = (double[2][2]){{0, 250}, {0.1, 330}}}};

#define WOOD                                                     \
    .name = (char *)"WOOD", .elasticity = SW_MATTER_ORTHOTROPIC, \
    .elastic = ROW(9, 500e3, 157e3, 400e3, 157e3, 120e3, 300e3, 126e3, 90e3, 70e3)

/* As CalculiX has it: off the stretch. */
#define WARM \
    .expansion_columns = 6, .expansion = ROW(6, 1e-4, 2e-4, 1.5e-4, 2e-5, -3e-5, 4e-5), .heat_off_stretch = 1

static sw_matter elastic = {STEEL}, warm = {STEEL, .expansion_columns = 1, .expansion = ROW(1, 1.2e-5)},
                 wood = {WOOD, .expansion_columns = 3, .expansion = ROW(3, 1e-5, 2e-5, 3e-5)},
                 isotropic = {STEEL, .n_curves = 2, .curve = steel},
                 kinematic = {STEEL, .n_curves = 2, .curve = steel, .hardening = SW_MATTER_HARDENS_KINEMATIC},
                 combined = {STEEL,         .n_curves = 2,    .curve = steel,
                             .n_cyclic = 1, .cyclic = cyclic, .hardening = SW_MATTER_HARDENS_COMBINED},
                 chaboche = {STEEL,
                             .n_curves = 1,
                             .curve = steel,
                             .backstress = ROW(4, 50e3, 400, 5e3, 20),
                             .saturation = ROW(3, 250, 60, 12),
                             .hardening = SW_MATTER_HARDENS_COMBINED},
                 norton = {STEEL, .creep = ROW(3, 1e-16, 5, 0)},
                 hardening_creep = {STEEL, .creep = ROW(3, 1e-16, 5, -0.4), .strain_hardening = 1},
                 over = {STEEL, .n_curves = 2, .curve = steel, .creep = ROW(3, 1e-16, 5, 0), .overstress = 1},
                 beside = {STEEL, .n_curves = 2, .curve = steel, .creep = ROW(3, 1e-16, 5, -0.2)},
                 hill = {STEEL, .n_curves = 2, .curve = steel,
                         .yield = {.function = &sw_yield_functions[SW_YIELD_HILL48],
                                   .coefficient = {0.3, 0.6, 0.5, 1.2, 1.7, 1.4}}},
                 yld2000 = {STEEL, .n_curves = 2, .curve = steel,
                            .yield = {.function = &sw_yield_functions[SW_YIELD_YLD2000_2D],
                                      .coefficient = {0.4865, 1.3783, 0.7536, 1.0246, 1.0363, 0.9036, 1.2321,
                                                      1.4858},
                                      .exponent = 8}},
                 yld2004 = {WOOD,
                            .n_curves = 2,
                            .curve = steel,
                            .yield = {.function = &sw_yield_functions[SW_YIELD_YLD2004_18P],
                                      .coefficient = {-0.07, 0.94, 0.08, 1.0, 0.52, 1.36, 1.02, 1.07, 0.95,
                                                      0.98, 0.48, 0.58, 0.87, 1.15, -0.08, 1.05, 1.15, 1.4},
                                      .exponent = 8},
                            .rate_law = SW_MATTER_POWER_RATE,
                            .rate = ROW(2, 40, 5)},
                 cowper = {STEEL, .n_curves = 2, .curve = steel, .rate_law = SW_MATTER_POWER_RATE,
                           .rate = ROW(2, 40, 5)},
                 cook = {STEEL, .cook = ROW(6, 250, 400, 0.3, 0.9, 1500, 10), .rate_law = SW_MATTER_LOG_RATE,
                         .rate = ROW(2, 0.03, 1e-4)},
                 wooden = {WOOD, .n_curves = 2, .curve = steel, .hardening = SW_MATTER_HARDENS_KINEMATIC},
                 wooden_creep = {WOOD, .n_curves = 2, .curve = steel, .creep = ROW(3, 1e-16, 5, 0)};

#define RUBBER(kind, n, columns, ...)                                                                        \
    {                                                                                                        \
        .name = (char *)"RUBBER", .rubber = SW_MATTER_##kind, .order = n, .hyper = ROW(columns, __VA_ARGS__) \
    }
static sw_matter polynomial = RUBBER(POLYNOMIAL, 3, 12, 1, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.04, 0.03,
                                     0.02, 0.01),
                 yeoh = RUBBER(REDUCED_POLYNOMIAL, 3, 6, 1, 0.1, 0.02, 0.03, 0, 0.01),
                 arruda_boyce = RUBBER(ARRUDA_BOYCE, 1, 3, 2, 3, 0),
                 ogden = RUBBER(OGDEN, 2, 6, 2, 2.163, 1, -1.5, 0.02, 0.03),
                 foam = RUBBER(FOAM, 2, 6, 0.16, 8.88, 0.1, -4.8, 0.2, 0.1),
                 warm_rubber = {.name = (char *)"RUBBER",
                                .order = 3,
                                .rubber = SW_MATTER_REDUCED_POLYNOMIAL,
                                .hyper = ROW(6, 1, 0.1, 0.02, 0.03, 0, 0.01),
                                WARM},
                 warm_steel = {STEEL, .n_curves = 2, .curve = steel, WARM},
                 warm_norton = {WOOD, .n_curves = 2, .curve = steel, .creep = ROW(3, 1e-16, 5, 0), WARM},
                 deformation = {.name = (char *)"BENT", .deformation = ROW(5, 190e3, 0.34, 900, 12, 0.45)},
                 warm_deformation = {
                     .name = (char *)"BENT", .deformation = ROW(5, 190e3, 0.34, 900, 12, 0.45), WARM};

static const struct {
    const char *name;
    sw_matter *matter;
    int flows;
} laws[] = {{"elastic", &elastic, 0},
            {"warm", &warm, 0},
            {"wood", &wood, 0},
            {"isotropic", &isotropic, 1},
            {"kinematic", &kinematic, 1},
            {"combined", &combined, 1},
            {"chaboche", &chaboche, 1},
            {"norton", &norton, 1},
            {"hardening creep", &hardening_creep, 1},
            {"over", &over, 1},
            {"beside", &beside, 1},
            {"hill", &hill, 1},
            {"yld2000", &yld2000, 1},
            {"yld2004", &yld2004, 1},
            {"cowper", &cowper, 1},
            {"cook", &cook, 1},
            {"wooden", &wooden, 1},
            {"wooden creep", &wooden_creep, 1},
            {"polynomial", &polynomial, 0},
            {"yeoh", &yeoh, 0},
            {"arruda boyce", &arruda_boyce, 0},
            {"ogden", &ogden, 0},
            {"foam", &foam, 0},
            {"warm rubber", &warm_rubber, 0},
            {"warm steel", &warm_steel, 1},
            {"warm creep", &warm_norton, 1},
            {"deformation", &deformation, 0},
            {"warm deformation", &warm_deformation, 0}};
enum { N_LAWS = sizeof laws / sizeof *laws };

static double axes[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
static double axes_in_plane[3][3] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};

/* On along a direction, with a little of others. */
static void move(history *h, const double direction[9], uint64_t *seed, double size)
{
    const int thin = h->point.plane_stress;
    for (int k = 0; k < 9; k++)
        if (!thin || (k / 3 < 2 && k % 3 < 2))
            h->gradient[k / 3][k % 3] += size * (direction[k] + 0.2 * number(seed));
}

/* A point with a past, at a trial. */
static void bring(history *h, int law, uint64_t *seed, int finite, int thin, int turned)
{
    begin(h, laws[law].matter);
    h->point.finite = finite;
    h->point.plane_stress = thin;
    h->point.axes = turned ? (const double(*)[3])(thin ? axes_in_plane : axes) : NULL;
    double direction[9];
    for (int k = 0; k < 9; k++)
        direction[k] = number(seed);
    h->point.temperature_initial = h->point.temperature_before = 5;
    for (int step = 0; step < 3; step++) {
        h->point.dt = 0.7;
        h->point.time = 0.7 * (step + 1);
        h->point.temperature = 20 + 10 * step;
        move(h, direction, seed, finite ? 0.03 : 0.003);
        CHECK_OK(try_point(h));
        if (step < 2)
            accept(h);
    }
}

/* F that has the Green's strain (small: the strain) changed by `change` of component k. */
static void change_strain(history *h, const double at[3][3], int k, double change)
{
    double inverse[3][3], f[3][3];
    const int i = k < 3 ? k : k == 3, j = k < 3 ? k : k == 5 ? 1 : 2;
    memcpy(f, at, sizeof f);
    memcpy(h->gradient, at, 9 * sizeof(double));
    const double c = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
                     f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
                     f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            const int a = (q + 1) % 3, b = (q + 2) % 3, d = (p + 1) % 3, e = (p + 2) % 3;
            inverse[p][q] = (f[a][d] * f[b][e] - f[a][e] * f[b][d]) / c;
        }
    for (int p = 0; p < 3; p++) /* F^-T dE; F small: dE */
        for (int half = 0; half < 2; half++) {
            const int from = half ? j : i, to = half ? i : j;
            h->gradient[p][to] += 0.5 * change * (h->point.finite ? inverse[from][p] : (p == from));
        }
}

/* Not of the plane. */
static int is_off(int k) { return k != 0 && k != 1 && k != 5; }

/* Differences of the stresses by strains that are free to change. */
static void differences(history *h, double by[6][6])
{
    double f[3][3];
    memcpy(f, h->gradient, sizeof f);
    for (int k = 0; k < 6; k++) {
        double up[6];
        if (h->point.plane_stress && is_off(k))
            continue;
        change_strain(h, (const double(*)[3])f, k, 1e-6);
        CHECK_OK(try_point(h));
        memcpy(up, h->answer.stress, sizeof up);
        const double moved = h->answer.strain[k];
        change_strain(h, (const double(*)[3])f, k, -1e-6);
        CHECK_OK(try_point(h));
        if (!h->point.plane_stress)
            CHECK_CLOSE((moved - h->answer.strain[k]) / 2e-6, 1, 1e-6);
        for (int i = 0; i < 6; i++)
            by[i][k] = (up[i] - h->answer.stress[i]) / (moved - h->answer.strain[k]);
    }
}

/* What flows, or is warm, at finite strains gives the symmetric part, where it says that its tangent is symmetric: exact, but for
 * plane stress, which condenses it. */
static void check_tangent(int law, uint64_t *seed, int finite, int thin, int turned)
{
    history h;
    double by[6][6] = {{0}}, size = 0;
    bring(&h, law, seed, finite, thin, turned);
    const sw_matter_answer at = h.answer;
    const int half = finite && (laws[law].flows || laws[law].matter->expansion_columns > 0) &&
                     sw_matter_symmetric(laws[law].matter);
    const int aniso = laws[law].matter->elasticity != SW_MATTER_ISOTROPIC;
    differences(&h, by);
    for (int i = 0; i < 36; i++)
        size = fmax(size, fabs(at.tangent[i / 6][i % 6]));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            if (thin && (is_off(i) || is_off(k)))
                continue;
            const double got = half ? 0.5 * (at.tangent[i][k] + at.tangent[k][i]) : at.tangent[i][k];
            const double want = half ? 0.5 * (by[i][k] + by[k][i]) : by[i][k];
            if (!(fabs(got - want) <= (half && thin ? 2e-4 : 2e-6) * size))
                fail_msg("%s, finite %d, thin %d, turned %d: tangent %d %d is %.9g, difference %.9g of %g",
                         laws[law].name, finite, thin, turned, i, k, got, want, size);
            if (half && !aniso)
                CHECK_CLOSE(at.tangent[i][k], by[i][k], 5e-3 * size);
        }
}

static void test_differences(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int law = 0; law < N_LAWS; law++)
        for (int kind = 0; kind < 8; kind++)
            check_tangent(law, &seed, kind & 1, kind >> 1 & 1, kind >> 2);
}

/* What flows has flowed, or the tangents say nothing. */
static void test_flows(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int law = 0; law < N_LAWS; law++)
        for (int kind = 0; kind < 8; kind++) {
            history h;
            bring(&h, law, &seed, kind & 1, kind >> 1 & 1, kind >> 2);
            if (laws[law].flows)
                assert_true(h.new_state[0] + h.new_state[7] > h.old[0] + h.old[7]);
        }
}

static void test_symmetry(void **state)
{
    (void)state;
    uint64_t seed = 9;
    assert_false(sw_matter_symmetric(&chaboche) || sw_matter_symmetric(&deformation));
    for (int law = 0; law < N_LAWS; law++) {
        history h;
        bring(&h, law, &seed, 1, 0, 0);
        for (int i = 0; i < 36; i++)
            if (sw_matter_symmetric(laws[law].matter))
                CHECK_CLOSE(h.answer.tangent[i / 6][i % 6], h.answer.tangent[i % 6][i / 6], 1e-4);
    }
}

/* A body that is turned after all: the same second Piola-Kirchhoff stresses. */
static void test_rotation(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int law = 0; law < N_LAWS; law++) {
        history h;
        double turned[3][3] = {{0}};
        bring(&h, law, &seed, 1, 0, law % 2);
        const sw_matter_answer at = h.answer;
        for (int k = 0; k < 27; k++)
            turned[k / 9][k % 3] += axes[k / 9][k / 3 % 3] * h.gradient[k / 3 % 3][k % 3];
        memcpy(h.gradient, turned, sizeof turned);
        CHECK_OK(try_point(&h));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h.answer.stress[i], at.stress[i], 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differences), cmocka_unit_test(test_flows),
                                       cmocka_unit_test(test_symmetry), cmocka_unit_test(test_rotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
