/* `slipwave taylor` where the Cauchy stress of some components is given. */
#include "taylor_runs.h"

/* A crystal along its cube axes, C11 = 168.7, C12 = 121.7 GPa: Young's modulus (C11 - C12)(C11 + 2 C12) /
 * (C11 + C12), Poisson's ratio C12 / (C11 + C12). 1e-4 of strain, of which the slip takes nothing yet; the modulus
 * is of the logarithmic strain, which the small one leaves by as much. */
static void cube_crystals_stretch_as_their_moduli_say(void **state)
{
    (void)state;
    static const char *const solvers[] = {"elastoplastic", "iterative"};
    const double c11 = 168.7e9, c12 = 121.7e9;
    for (int k = 0; k < 2; k++) {
        char text[600];
        history h;
        write_text("cube.ori", "0 0 0\n");
        snprintf(text, sizeof text,
                 "solver: %s\ncrystals: {file: cube.ori}\nstrain_increment: 1.0e-4\nloading:\n" TENSION
                 "    duration: 0.1\noutput: {file: out.h5}\n",
                 solvers[k]);
        run_job(text, &h);
        const double stretch = h.l[1][0][0] * h.time[1];
        CHECK_CLOSE(h.stress[1][0][0] / stretch, (c11 - c12) * (c11 + 2 * c12) / (c11 + c12), 2e-4 * 66e9);
        for (int i = 1; i < 3; i++) {
            CHECK_CLOSE(h.l[1][i][i] / h.l[1][0][0], -c12 / (c11 + c12), 2e-4);
            CHECK_CLOSE(h.stress[1][i][i], 0, 1e-4 * h.stress[1][0][0]);
        }
        unlink("cube.ori");
    }
}

/* Eight systems of the same Schmid factor 1/sqrt(6) share the slip: at yield sigma = sqrt(6) s (g/g0)^m with g =
 * sqrt(6)/8 of the rate. Without elasticity that is so from the first step on; s at its end. */
static void cube_crystals_yield_on_eight_systems(void **state)
{
    (void)state;
    history h;
    write_text("cube.ori", "0 0 0\n");
    run_job("solver: rigid_plastic\ncrystals: {file: cube.ori}\nstrain_increment: 1.0e-4\nloading:\n" TENSION
            "    duration: 0.05\noutput: {file: out.h5}\n",
            &h);
    assert_int_equal(h.rows, 2);
    const double slip = sqrt(6) * 5e-5,
                 s = 16e6 + 180e6 * pow(1 - 16.0 / 148, 2.25) * slip; /* a small step of Voce */
    CHECK_CLOSE(h.stress[1][0][0], sqrt(6) * s * pow(sqrt(6) / 8, 0.012), 2e-4 * 40e6);
    for (int i = 1; i < 3; i++)
        CHECK_CLOSE(h.stress[1][i][i], 0, 1e-4 * h.stress[1][0][0]);
    unlink("cube.ori");
}

static double largest(const double s[3][3])
{
    double size = 0;
    for (int k = 0; k < 9; k++)
        size = greatest(size, fabs(s[k / 3][k % 3]));
    return size;
}

/* Tension, the other way round, shear with free normals, and a prescribed end: all that is given is met at every
 * step, to 1e-4 of the largest stress, by `rigid_plastic` to the 1e-3 that a crystal of 1,000 between two answers allows; what is
 * prescribed keeps the pressure. */
static void conditions_hold_at_every_step(void **state)
{
    (void)state;
    static const char *const solvers[] = {"elastoplastic", "rigid_plastic"};
    for (int k = 0; k < 2; k++) {
        char text[1500];
        history h;
        snprintf(text, sizeof text,
                 "solver: %s\ncrystals: {count: 1000, seed: 2}\nstrain_increment: 0.005\nloading:\n" TENSION
                 "    duration: 50\n"
                 "  - velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n"
                 "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"
                 "    duration: 50\n"
                 "  - velocity_gradient: [[x, 1.0e-3, 0], [0, x, 0], [0, 0, x]]\n"
                 "    stress: [[0, x, x], [x, 10.0e6, x], [x, x, -5.0e6]]\n"
                 "    duration: 50\n"
                 "  - {velocity_gradient: [[0, 1.0e-3, 0], [0, 0, 0], [0, 0, 0]], duration: 20}\n"
                 "output: {file: out.h5}\n",
                 solvers[k]);
        run_job(text, &h);
        for (int64_t n = 1; n < h.rows; n++) {
            const double(*s)[3] = (const double(*)[3])h.stress[n],
                  bound = (k == 0 ? 1e-4 : 1e-3) * largest(s);
            if (h.time[n] < 100.001) {
                CHECK_CLOSE(h.l[n][0][0], h.time[n] < 50.001 ? 1e-3 : -1e-3, 0);
                CHECK_CLOSE(s[1][1], 0, bound);
                CHECK_CLOSE(s[2][2], 0, bound);
            } else if (h.time[n] < 150.001) {
                CHECK_CLOSE(h.l[n][0][1], 1e-3, 0);
                CHECK_CLOSE(s[0][0], 0, bound);
                CHECK_CLOSE(s[1][1], 10e6, bound);
                CHECK_CLOSE(s[2][2], -5e6, bound);
            } else
                CHECK_CLOSE(s[0][0] + s[1][1] + s[2][2], 5e6, 3 * bound);
        }
    }
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *loading, *solver, *part[2];
    } cases[] = {{"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, x]]",
                  "rigid_plastic",
                  {"bad.yaml:", "loading[0].velocity_gradient[2][2] is free: need stress[2][2]"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]",
                  "rigid_plastic",
                  {"bad.yaml:", "loading[0].velocity_gradient[1][1] is free: need stress[1][1]"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[1.0e6, x, x], [x, 0, x], [x, x, 0]]",
                  "rigid_plastic",
                  {"loading[0].stress[0][0] = 1e+06", "the velocity gradient is given there"}},
                 {"[[1.0e-3, x, 0], [0, x, 0], [0, 0, x]], stress: [[x, 2.0e6, x], [1.0e6, 0, x], [x, x, 0]]",
                  "rigid_plastic",
                  {"loading[0].stress[0][1] = 2e+06", "need [1][0] = 1e+06"}},
                 {"[[x, 0, 0], [0, x, 0], [0, 0, x]], stress: [[0, x, x], [x, 0, x], [x, x, 0]]",
                  "rigid_plastic",
                  {"loading[0].velocity_gradient: is given no rate",
                   "a hold, which the solver 'rigid_plastic' does not have"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 1.0e12, x], [x, x, 0]]",
                  "elastoplastic",
                  {"loading[0].stress[1][1] = 1e+12", "need 0, or 1e4 to 1e11 Pa in size"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 50]]",
                  "elastoplastic",
                  {"loading[0].stress[2][2] = 50", "need 0, or 1e4 to 1e11 Pa in size"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [2.0e6, 0, x], [x, x, 0]]",
                  "elastoplastic",
                  {"loading[0].stress[1][0] = 2e+06", "the velocity gradient is given there"}},
                 {"[[1.0e21, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]]",
                  "rigid_plastic",
                  {"loading[0].velocity_gradient has a component of 1e+21", "need at most 1e+20 1/s"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 5.0e9, x], [x, x, 0]]",
                  "elastoplastic",
                  {"bad.yaml:5: loading[0], step 1: ", "more than the crystals stand"}},
                 {"[[1.0e-3, 0, 0], [0, y, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]]",
                  "rigid_plastic",
                  {"loading[0].velocity_gradient[1][1] = y", "need a number"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]]",
                  "terms",
                  {"solver = terms", "its stress jumps"}},
                 {"[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]]",
                  "grid\ninterpolation: nearest",
                  {"solver = grid, nearest", "its stress jumps"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "database: copper.h5\nsolver: %s\ncrystals: {count: 5}\nloading:\n"
                 "  - {velocity_gradient: %s, duration: 100}\noutput: {file: out.h5}\n",
                 cases[i].solver, cases[i].loading);
        write_text("bad.yaml", text);
        assert_refused_twice("slipwave taylor bad.yaml", 2, cases[i].part);
    }
    unlink("bad.yaml");
}

/* Steps of 0.0306 in norm: what makes them shorter is `steps`, which strain_increment does not touch. */
static void large_steps_are_told_with_their_remedy(void **state)
{
    (void)state;
    result r;
    write_text("cube.ori", "0 0 0\n");
    write_text(
        "large.yaml",
        "material: material.yaml\nsolver: iterative\ncrystals: {file: cube.ori}\nstrain_increment: 0.01\n"
        "loading:\n" TENSION "    duration: 100\n    steps: 4\noutput: {file: out.h5}\n");
    run("slipwave taylor -q --device cpu large.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "more than twice strain_increment = 0.01, "));
    assert_non_null(strstr(r.err, ": more `steps` are more accurate"));
    assert_null(strstr(r.err, "smaller strain_increment"));
    unlink("large.yaml");
    unlink("out.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_crystals_stretch_as_their_moduli_say),
        cmocka_unit_test(cube_crystals_yield_on_eight_systems),
        cmocka_unit_test(conditions_hold_at_every_step),
        cmocka_unit_test(large_steps_are_told_with_their_remedy),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
