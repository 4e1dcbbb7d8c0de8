/* Laws of four coplanar resistances by a database: what planes slip, how they harden, what it does to the stress; and what is
 * refused. */
#include "tests/families.h"
#include "tests/test.h"

#include "common/crystal/laws.h"
#include "common/crystal/material_file.h"
#include "common/database/slip_planes.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"
#include "online/response/step/crystals.h"
#include "online/response/trial.h"
#include "slipwave/response.h"

enum { N = 203, STEPS = 8, LENGTH = 16, THETAS = 12 };
#define S0 16e6

static const int64_t shape[4] = {LENGTH, LENGTH, LENGTH, THETAS};
static sw_response_grid grid;
static sw_database planes, alone; /* of copper_latent and of copper_alone, whose answers are the same */

static sw_material parsed(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("test", text, &m));
    return m;
}

static sw_status make(const char *text, int outputs, sw_database *d)
{
    d->material = parsed(text);
    grid.outputs = outputs;
    return sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, d);
}

static int set_up(void **state)
{
    (void)state;
    sw_material m = parsed(copper_latent);
    const sw_increment increment = sw_increment_default(&m);
    sw_material_equal_planes(&m);
    return sw_response_grid_create(&sw_point_group_432, shape, &grid) ||
                   sw_integrate_grid(&grid, &m, &increment, &(sw_integrate_options){.quiet = 1}) ||
                   make(copper_latent, SW_OUTPUTS_MOST, &planes) || make(copper_alone, SW_OUTPUTS, &alone)
               ? -1
               : 0;
}

static void release(sw_database *d)
{
    free(d->wavevector);
    free(d->coefficient);
    free(d->planes);
    free(d->weight);
    free(d->magnitude);
}

static int tear_down(void **state)
{
    (void)state;
    sw_response_grid_destroy(&grid);
    release(&planes);
    release(&alone);
    return 0;
}

static sw_response *opened(const char *solver, const sw_database *d, const sw_material *m)
{
    sw_response *r;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .database = d, .material = m}, &r));
    return r;
}

/* A bundle that is not full, and lengths that are more than one. */
static void begin(const sw_response *r, sw_crystals *c)
{
    CHECK_OK(sw_crystals_make(r, N, c));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, c->crystal, 3, 0, (float)S0));
    CHECK_OK(sw_crystals_begin(r, c));
}

static const double turning[3][3] = {{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}};

/* Where planes harden each other as themselves they stay alike, and the nine outputs do what one resistance does. Terms are in another
 * order, which is all that is different: sums of some thousand terms of single precision, 1e-6 of the largest output a step. */
static void equal_hardening_is_one_resistance(void **state)
{
    (void)state;
    static const char *const solvers[] = {"grid", "terms", "tabulated"};
    const sw_material alike = parsed(copper_alike), one = parsed(copper_alone);
    for (int i = 0; i < 3; i++) {
        sw_response *r[2] = {opened(solvers[i], &planes, &alike), opened(solvers[i], &alone, &one)};
        sw_crystals c[2];
        for (int k = 0; k < 2; k++)
            begin(r[k], &c[k]);
        assert_int_equal(sw_response_layout(r[0])->numbers, 3); /* 28 bytes with the 16 of a sw_crystal */
        for (int n = 0; n < STEPS; n++) {
            sw_response_average average[2];
            for (int k = 0; k < 2; k++)
                CHECK_OK(sw_response_advance(r[k], turning, 10, &c[k], &c[k], &average[k]));
            for (int k = 0; k < 9; k++)
                CHECK_CLOSE(average[0].cauchy_stress[k / 3][k % 3], average[1].cauchy_stress[k / 3][k % 3],
                            3e-4 * S0);
            CHECK_CLOSE(average[0].slip_resistance, average[1].slip_resistance, 1e-5 * S0);
            CHECK_CLOSE(average[0].slip_rate, average[1].slip_rate, 1e-5 * average[1].slip_rate);
        }
        for (int k = 0; k < N; k++)
            for (int p = 0; p < 3; p++)
                CHECK_CLOSE(c[0].state[3 * k + p], c[0].crystal[k].slip_resistance,
                            40); /* ten roundings of 5e7 Pa */
        for (int k = 0; k < 2; k++) {
            sw_crystals_release(&c[k]);
            sw_response_close(r[k]);
        }
    }
}

/* Sums of planes at a point of the grid, from what was integrated there: 4 G_k = G + n1 n3 T13 + ... */
static void slips_at(int64_t point, double slip[SW_PLANES])
{
    sw_slip_planes p;
    double x[4];
    const double *o = grid.output[point];
    const sw_material m = parsed(copper_latent);
    sw_slip_planes_of(&m, &p);
    sw_grid_angles(shape, grid.point[point], x);
    const double c = cos(x[2]), s = sin(x[2]), t13 = c * o[9] + s * o[10], t23 = c * o[10] - s * o[9],
                 t12 = cos(2 * x[2]) * o[11] - sin(2 * x[2]) * o[12];
    for (int k = 0; k < SW_PLANES; k++)
        slip[k] =
            (o[8] + (double)p.along[k][0] * t13 + (double)p.along[k][1] * t23 + (double)p.along[k][2] * t12) /
            4;
}

static double hardened(double s, double slip)
{
    const double u = 1 - s / 148e6, a = 2.25;
    return 148e6 * (1 - pow(pow(u, 1 - a) + (a - 1) * 180.0 / 148 * slip, 1 / (1 - a)));
}

/* Crystals that lie on the grid answer as it was integrated there: each plane hardens by its own slip and 1.4 times that of the others,
 * in closed form, and the second step's stress is Y s r^m with s the mean of the four by slip. 3e-5: of the series' sum (all terms) in single
 * precision, as of nine outputs (test_response). */
static void planes_harden_as_they_slip(void **state)
{
    (void)state;
    static const char *const solvers[] = {"grid", "terms"};
    for (int64_t point = 0, tried = 0; tried < 60 && point < grid.n_points; point += 3) {
        double x[4], slip[SW_PLANES], s[SW_PLANES], d[3][3] = {{0}}, lambda[3], sum = 0, work = 0;
        sw_grid_angles(shape, grid.point[point], x);
        tried++; /* of Phi = 0, too, where phi1 and phi2 are one */
        sw_principal_values(x[3], lambda);
        for (int i = 0; i < 3; i++)
            d[i][i] = 1e-3 * lambda[i];
        slips_at(point, slip);
        for (int k = 0; k < SW_PLANES; k++)
            sum += slip[k];
        CHECK_CLOSE(sum, grid.output[point][8], 1e-9);
        for (int k = 0; k < SW_PLANES; k++) {
            assert_true(slip[k] > -1e-9);
            s[k] = hardened(S0, 0.02 * (slip[k] + 1.4 * (sum - slip[k])));
            work += s[k] * slip[k] / sum;
        }
        for (int i = 0; i < 2; i++) {
            sw_response *r = opened(solvers[i], &planes, NULL);
            sw_response_average average;
            sw_crystals c;
            CHECK_OK(sw_crystals_make(r, 1, &c));
            c.crystal[0] = (sw_crystal){{(float)x[0], (float)x[1], (float)x[2]}, (float)S0};
            CHECK_OK(sw_crystals_begin(r, &c));
            CHECK_OK(sw_response_advance(r, (const double(*)[3])d, 20, &c, &c, &average));
            double mean = 0;
            for (int k = 0; k < SW_PLANES; k++)
                mean += s[k] / 4;
            for (int k = 0; k < SW_PLANES - 1; k++)
                CHECK_CLOSE(c.state[k], s[k], 3e-5 * 3e6 + 4); /* of what a step adds at most */
            CHECK_CLOSE(c.crystal[0].slip_resistance, mean, 3e-5 * 3e6 + 4);
            c.crystal[0] = (sw_crystal){{(float)x[0], (float)x[1], (float)x[2]},
                                        c.crystal[0].slip_resistance}; /* turned back */
            CHECK_OK(sw_response_evaluate_mean(r, (const double(*)[3])d, &c, &average));
            const double unit = work * pow(1e-3, 0.02);
            for (int k = 0; k < 2; k++)
                CHECK_CLOSE(average.cauchy_stress[k][k] / unit, grid.output[point][k], 1e-4);
            sw_crystals_release(&c);
            sw_response_close(r);
        }
    }
}

/* Where Phi is 0, phi1 and phi2 are one: `terms` looks up with all of it as phi1, a table with a half of it as each, and planes slip alike. At
 * 45 degrees in plane strain two planes slip and two do not: s of planes differs by tenths of h0 dGamma, of 2 MPa. */
static void angles_that_are_one_are_shared(void **state)
{
    (void)state;
    static const char *const solvers[] = {"grid", "terms"};
    const double x[4] = {SW_PI / 4, 0, 0, SW_PI / 6};
    double output[SW_OUTPUTS_MOST], lambda[3], d[3][3] = {{0}};
    sw_slip_planes p;
    const sw_material m = parsed(copper_latent);
    sw_slip_planes_of(&m, &p);
    sw_principal_values(x[3], lambda);
    for (int i = 0; i < 3; i++)
        d[i][i] = 1e-3 * lambda[i];
    sw_database_evaluate(&planes, planes.n_pairs, x, output);
    assert_true(fabs(output[11]) > 0.2); /* phi2 = 0: T12 itself */
    for (int i = 0; i < 2; i++) {
        sw_response *r = opened(solvers[i], &planes, NULL);
        sw_response_average average;
        sw_crystals c;
        CHECK_OK(sw_crystals_make(r, 1, &c));
        c.crystal[0] = (sw_crystal){{0, 0, (float)x[0]}, (float)S0}; /* the same crystal */
        CHECK_OK(sw_crystals_begin(r, &c));
        CHECK_OK(sw_response_advance(r, (const double(*)[3])d, 20, &c, &c, &average));
        for (int k = 0; k < SW_PLANES - 1; k++) {
            const double slip = (output[8] + (double)p.along[k][0] * output[9] +
                                 (double)p.along[k][1] * output[10] + (double)p.along[k][2] * output[11]) /
                                4;
            CHECK_CLOSE(c.state[k], hardened(S0, 0.02 * (slip + 1.4 * (output[8] - slip))), 1e3);
        }
        sw_crystals_release(&c);
        sw_response_close(r);
    }
}

/* Slip rates of the plane with this normal, of all 1, straight from the systems; sigma: along the crystal's axes. */
static double share_of(const sw_slip_systems *systems, double m, const double sigma[3][3],
                       const double normal[3])
{
    double own = 0, all = 0;
    for (int a = 0; a < systems->count; a++) {
        double tau = 0, along = 0;
        for (int k = 0; k < 9; k++)
            tau += systems->direction[a][k / 3] * sigma[k / 3][k % 3] * systems->normal[a][k % 3];
        for (int k = 0; k < 3; k++)
            along += systems->normal[a][k] * normal[k];
        const double rate = pow(fabs(tau) / 40e6, 1 / m);
        all += rate;
        own += fabs(fabs(along) - 1) < 1e-9 ? rate : 0;
    }
    return own / all;
}

/* `tabulated` has the slip law itself: of a crystal on a point of its table, 256 a turn, planes slip as its stress drives their systems.
 * The stress is good to some 1e-6, slips to 1/m = 50 times that, of 6 MPa that a step adds at most; the angle to 3e-7 rad, by which Z(phi2) T
 * is known: 4 Pa more. */
static void tables_share_slip_as_stress_drives_it(void **state)
{
    (void)state;
    const sw_material m = parsed(copper_latent);
    const double d[3][3] = {{1e-3, 0, 0}, {0, -2e-4, 0}, {0, 0, -8e-4}};
    sw_slip_systems systems;
    CHECK_OK(sw_material_systems(&m, &systems));
    for (int n = 0; n < 40; n++) {
        const double turn = 2 * SW_PI / 256,
                     euler[3] = {turn * (7 + 29 * n % 256), turn * (11 + 13 * n % 100),
                                 turn * (3 + 41 * n % 256)};
        double g[3][3], own[3][3] = {{0}};
        sw_response *r = opened("tabulated", NULL, &m);
        sw_response_average average;
        sw_crystals c;
        CHECK_OK(sw_crystals_make(r, 1, &c));
        c.crystal[0] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, (float)S0};
        CHECK_OK(sw_crystals_begin(r, &c));
        CHECK_OK(sw_response_advance(r, d, 10, &c, &c, &average));
        sw_rotation_from_euler(euler, g);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 9; k++)
                own[i / 3][i % 3] += g[k / 3][i / 3] * average.cauchy_stress[k / 3][k % 3] * g[k % 3][i % 3];
        for (int k = 0; k < SW_PLANES - 1; k++) {
            const double share = share_of(&systems, 0.02, (const double(*)[3])own, systems.normal[3 * k]);
            CHECK_CLOSE(c.state[k], hardened(S0, 10 * average.slip_rate * (share + 1.4 * (1 - share))),
                        1e-4 * 6e6);
        }
        sw_crystals_release(&c);
        sw_response_close(r);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const sw_material latent = parsed(copper_latent),
                      beyond = parsed(edited(copper_latent, "latent: [1.4]", "latent: [0.2]"));
    const double none[3][3] = {{0}};
    float stress[1][6], spin[1][3], rate[1];
    sw_response_average average;
    sw_response *r;
    sw_crystals c;
    assert_int_equal(
        sw_response_open(&(sw_response_options){.solver = "grid", .database = &alone, .material = &latent},
                         &r),
        SW_ERR_UNAVAILABLE);
    assert_message_has("has four coplanar resistances: need a database that has how planes share slip");
    assert_int_equal(
        sw_response_open(&(sw_response_options){.solver = "terms", .database = &planes, .material = &beyond},
                         &r),
        SW_ERR_RANGE);
    assert_message_has("solver = terms: latent hardening is 0.2 times own: a database answers as if the "
                       "resistances of planes "
                       "were equal, which then is more than 6 % of the stress: need 0.5 to 2");
    r = opened("grid", &planes, NULL);
    begin(r, &c);
    assert_int_equal(sw_response_advance(r, none, 1, &c, &c, &average), SW_ERR_RANGE);
    assert_message_has("need a strain rate > 0");
    assert_int_equal(sw_response_evaluate(r, (const double[3][3]){{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}, 1,
                                          c.crystal, stress, spin, rate),
                     SW_ERR_UNAVAILABLE);
    const sw_points points = {.points = 1, .each = N, .from = &c, .dt = 1, .velocity_gradient = &turning};
    assert_int_equal(sw_response_step_each(r, &points), SW_ERR_UNAVAILABLE);
    assert_message_has("points with a loading each need elastoplastic");
    sw_crystals_release(&c);
    sw_response_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_hardening_is_one_resistance), cmocka_unit_test(planes_harden_as_they_slip),
        cmocka_unit_test(angles_that_are_one_are_shared),
        cmocka_unit_test(tables_share_slip_as_stress_drives_it), cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests_name("planes", tests, set_up, tear_down);
}
