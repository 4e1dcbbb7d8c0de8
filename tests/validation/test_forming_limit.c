/* Forming limits against the literature: sheets of the cube texture within 3 degrees. By Taylor's model and that of
 * Marciniak and Kuczynski they are nearly a straight line left of plane strain, highest at D22/D11 = -0.5, and fall from
 * plane strain to equal stretching, where they are lowest (Metal Forming - Process, Tools, Design, InTech 2012, p. 198 and
 * Fig. 16, for aluminium). A random sheet's are in bench/LOG.md. */
#include "tests/test.h"

#include "common/math/rotation.h"
#include "online/forming/limit/limits.h"

enum { N = 32, PATHS = 5 };

typedef struct {
    sw_response *response;
    sw_crystal crystal[N];
} sheet;

static sw_status begin(void *context, int64_t runs, sw_runs **made)
{
    const sheet *s = context;
    return sw_runs_create(s->response, runs, N, s->crystal, NULL, NULL, made);
}

/* Crystals turned from the cube by up to `degrees`, in fours that mirror each other in the planes of the sheet: turns about
 * axes on a spiral over the half sphere. */
static void set_cube(sheet *s, double degrees)
{
    for (int i = 0; i < N; i++) {
        const int k = i / 4, n = N / 4;
        const double z = (k + 0.5) / n, around = 2.4 * k, r = sqrt(1 - z * z);
        const double angle = degrees * SW_PI / 180 * cbrt((k * 5 % n + 0.5) / n);
        const double sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        /* a small turn w is, to the angle's third power, phi1 + phi2 = w3, Phi (cos phi1, sin phi1) = (w1, w2) */
        const double w[3] = {angle * r * cos(around) * sign[i % 4][0],
                             angle * r * sin(around) * sign[i % 4][1], angle * z * sign[i % 4][2]};
        const double phi1 = atan2(w[1], w[0]);
        s->crystal[i] = (sw_crystal){{(float)phi1, (float)hypot(w[0], w[1]), (float)(w[2] - phi1)}, 16e6F};
    }
}

static void cube(void **unused)
{
    (void)unused;
    static sheet s;
    double ratio[PATHS] = {-0.5, -0.25, 0, 0.5, 1}, e[PATHS];
    const sw_material material = copper();
    sw_limit_diagram d;
    const sw_limit_settings settings = {.imperfection = 0.99,
                                        .necking = 10,
                                        .ratios = ratio,
                                        .ratios_count = PATHS,
                                        .angles = {0, 45, 10},
                                        .strain_increment = 0.01,
                                        .strain_rate = 1e-3,
                                        .strain_limit = 1};
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &material},
                              &s.response));
    set_cube(&s, 3);
    CHECK_OK(sw_limit_diagram_find(&settings, &(sw_limit_crystals){&s, begin, NULL}, &d));
    for (int p = 0; p < PATHS; p++) {
        assert_int_equal(d.path[p].end, SW_LIMIT_NECK);
        e[p] = d.path[p].strain[0];
    }
    assert_true(e[0] > e[2] && e[2] > e[3] && e[3] > e[4]);
    CHECK_CLOSE(e[1], 0.5 * (e[0] + e[2]), 0.03 * e[2]); /* nearly straight */
    assert_true(e[4] < 0.6 * e[2]);
    sw_limit_diagram_free(&d);
    sw_response_close(s.response);
}

/* Random crystals by the self-consistent scheme, in plane strain: Hutchinson and Neale's integral of their own curve there has 0.5292
 * (scripts/dev/forming_limit_theory.py, of `slipwave taylor` with these crystals and m = 0.05). */
static void self_consistent_crystals_in_plane_strain(void **unused)
{
    (void)unused;
    static sheet s;
    double ratio[1] = {0};
    sw_material material = copper();
    sw_limit_diagram d;
    const sw_limit_settings settings = {.imperfection = 0.99,
                                        .necking = 10,
                                        .ratios = ratio,
                                        .ratios_count = 1,
                                        .angles = {0, 0, 1},
                                        .strain_increment = 0.005,
                                        .strain_rate = 1e-3,
                                        .strain_limit = 1};
    material.slip.rate_sensitivity = 0.05;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "rigid_plastic",
                                                     .homogenization = "self_consistent",
                                                     .material = &material},
                              &s.response));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, s.crystal, 1, 0, 16e6F));
    CHECK_OK(sw_limit_diagram_find(&settings, &(sw_limit_crystals){&s, begin, NULL}, &d));
    assert_int_equal(d.path[0].end, SW_LIMIT_NECK);
    CHECK_CLOSE(d.path[0].strain[0], 0.5292, 0.01 * 0.5292);
    sw_limit_diagram_free(&d);
    sw_response_close(s.response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cube),
                                       cmocka_unit_test(self_consistent_crystals_in_plane_strain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
