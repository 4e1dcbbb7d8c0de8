/* Points whose stress is held by a spring, as elasticity holds those of finite elements: what the scheme finds is what it answers to the
 * rate that it found, far beyond yield, near it, on another path, and where nothing flows. */
#include "tests/crystals.h"

#include <omp.h>

/* So slowly that an iteration may come below what flows at all, which leaves the stress as it is to 1e-3. */
enum { EITHER = 2 };
enum { N = 24, CASES = 9 };

static const double pressing[1][3][3] = {{{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}}};

/* What is held, over the stress that pressing has: along that, and of a shear; and whether that makes it flow, of n = 20 and 83. */
static const struct {
    const char *name;
    double along, shear;
    int flows[2];
} held[CASES] = {
    {"far beyond", 30, 0, {1, 1}},    {"beyond", 1.5, 0, {1, 1}},         {"near", 1.02, 0, {1, 1}},
    {"below", 0.9, 0, {1, 1}},        {"far below", 0.7, 0, {1, EITHER}}, {"inside", 0.2, 0.1, {0, 0}},
    {"another path", 0.5, 5, {1, 1}}, {"and less", 0.3, 0.6, {1, 1}},     {"back", -3, 0, {1, 1}}};

static sw_material copper_of(double rate_sensitivity)
{
    sw_material m = copper();
    m.slip.rate_sensitivity = rate_sensitivity;
    return m;
}

static sw_response *open_scheme(const sw_material *m, sw_self_consistent scheme)
{
    const sw_response_options options = {.solver = "rigid_plastic",
                                         .material = m,
                                         .homogenization = "self_consistent",
                                         .self_consistent = scheme};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

static double size_of(const double t[6])
{
    double square = 0;
    for (int k = 0; k < 6; k++)
        square += (k < 3 ? 1 : 2) * t[k] * t[k];
    return sqrt(square);
}

/* The stress that the rate `found` has, which is to be `stress`, to the tolerance of both and n times as much of rates. */
static void check_answer(sw_response *response, const sw_crystals *c, const double found[6],
                         const double stress[6], double dt, double tolerance)
{
    double l[1][3][3], again[1][6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            l[0][i][j] = found[i == j ? i : 6 - i - j] + 0.5 * (pressing[0][i][j] - pressing[0][j][i]);
    const sw_points points = {.points = 1,
                              .each = N,
                              .velocity_gradient = (const double(*)[3][3])l,
                              .dt = dt,
                              .from = c,
                              .stress = again};
    CHECK_OK(sw_response_step_each(response, &points));
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(again[0][k], stress[k], tolerance * size_of(stress));
}

static void check_held(sw_response *response, const sw_crystals *c, int k, int steep, double tolerance)
{
    const double dt = 10, spring = 2 * 45e9 * dt;
    double stress[1][6], found[1][6];
    sw_points points = {
        .points = 1, .each = N, .velocity_gradient = pressing, .dt = dt, .from = c, .stress = stress};
    CHECK_OK(sw_response_step_each(response, &points));
    sw_point_condition condition = {.spring = spring};
    for (int i = 0; i < 6; i++)
        condition.held[i] = held[k].along * stress[0][i];
    condition.held[5] += held[k].shear * size_of(stress[0]);
    points.condition = &condition;
    points.found = found;
    CHECK_OK(sw_response_step_each(response, &points));
    print_message("n = %d, %s: rate %.2e of %.2e\n", steep ? 83 : 20, held[k].name, size_of(found[0]),
                  1.6e-3);
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(stress[0][i], condition.held[i] - spring * found[0][i] * (size_of(found[0]) > 0),
                    held[k].flows[steep] ? 2 * tolerance * size_of(condition.held) : INFINITY);
    if (held[k].flows[steep] == 1)
        check_answer(response, c, found[0], stress[0], dt, 20 * tolerance);
    else
        assert_true(size_of(found[0]) <= (held[k].flows[steep] == EITHER ? 1e-7 : 0));
}

/* Of crystals without stresses, and of those that pressing has left theirs. */
static void held_points_find_their_rate(void **state)
{
    (void)state;
    static const sw_self_consistent schemes[] = {{"affine", 0, "phase", 1e-4},
                                                 {"secant", 0, "phase", 1e-4},
                                                 {"neff", 10, "phase", 1e-4},
                                                 {"affine", 0, "phase", 1e-3}};
    for (int steep = 0; steep < 2; steep++)
        for (int i = 0; i < 4; i += steep ? 3 : 1)
            for (int after = 0; after < 2; after++) {
                const sw_material m = copper_of(steep ? 0.012 : 0.05);
                static sw_crystal crystal[N];
                sw_response *response = open_scheme(&m, schemes[i]);
                CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, 16e6F));
                sw_crystals c = crystals_of(response, N, crystal, NULL);
                const sw_points step = {
                    .points = 1, .each = N, .velocity_gradient = pressing, .dt = 10, .from = &c, .to = &c};
                if (after)
                    CHECK_OK(sw_response_step_each(response, &step));
                for (int k = 0; k < CASES; k++)
                    check_held(response, &c, k, steep, schemes[i].tolerance);
                sw_crystals_release(&c);
                sw_response_close(response);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_points_find_their_rate)};
    omp_set_num_threads(1); /* of so few crystals */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
