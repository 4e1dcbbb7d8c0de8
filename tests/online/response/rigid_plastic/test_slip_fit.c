/* The start that is fitted, and what Newton's method makes of it, beside the slip law solved by another route. */
#include "common/math/lanes_floats.h"

#include "samples.h"

#include "common/math/elimination.h"

/* The slip law solved by another route, in double precision: Newton's method from x on, until its step is below 1e-10 of the yield
 * stress. */
static void solve_exactly(double n, const double d[5], double x[5])
{
    double step = 1;
    for (int iteration = 0; iteration < 2000 && step > 1e-10; iteration++) {
        double rest[5], jacobian[25] = {0}, tau[SW_SLIP_SYSTEMS_MAX], largest = 0, work = 0, power = 0,
                        trace = 0;
        for (int a = 0; a < model.slip.systems; a++) {
            tau[a] = 0;
            for (int i = 0; i < 5; i++)
                tau[a] += model.slip.schmid[a][i] * x[i];
            largest = fmax(largest, fabs(tau[a]));
        }
        for (int a = 0; a < model.slip.systems; a++)
            power += pow(fabs(tau[a]) / largest, n + 1) * largest;
        for (int i = 0; i < 5; i++) {
            rest[i] = d[i];
            work += d[i] * x[i];
        }
        const double stretch = pow(work / power, 1 / n) / largest; /* to the solution on x's ray */
        for (int i = 0; i < 5; i++)
            x[i] *= stretch;
        for (int a = 0; a < model.slip.systems; a++) {
            tau[a] *= stretch;
            const double secant = pow(fabs(tau[a]), n - 1);
            for (int i = 0; i < 5; i++) {
                rest[i] -= secant * tau[a] * model.slip.schmid[a][i];
                for (int j = 0; j < 5; j++)
                    jacobian[5 * i + j] += n * secant * model.slip.schmid[a][i] * model.slip.schmid[a][j];
            }
        }
        for (int i = 0; i < 5; i++)
            trace += jacobian[6 * i];
        for (int i = 0; i < 5; i++)
            jacobian[6 * i] += 1e-14 * trace;
        assert_true(sw_solve_by_elimination(5, 5, jacobian, rest, rest));
        double peak = 0;
        step = largest = 0;
        for (int a = 0; a < model.slip.systems; a++) {
            double after = tau[a];
            for (int i = 0; i < 5; i++)
                after += model.slip.schmid[a][i] * rest[i];
            peak = fmax(peak, fabs(after));
            largest = fmax(largest, fabs(tau[a]));
        }
        const double room = largest * expm1(1 / n),
                     safe = peak - largest > room ? room / (peak - largest) : 1;
        for (int i = 0; i < 5; i++) {
            step = fmax(step, fabs(rest[i]));
            x[i] += safe * rest[i];
        }
    }
    assert_true(step <= 1e-10);
}

/* Within 2 degrees of six ideal orientations, under plane strain. */
static sample nearly_ideal_sample(uint64_t seed, uint64_t n)
{
    static const double ideal[6][3] = {{0, 0, 0},        {45, 0, 0},      {0, 45, 0},
                                       {90, 35.264, 45}, {35.264, 45, 0}, {0, 45, 90}};
    sample s = {.lambda = {(float)sqrt(0.5), 0, (float)-sqrt(0.5)}};
    for (int lane = 0; lane < SW_LANES; lane++) {
        double u[4], euler[3], g[3][3], turn[3][3], turned[3][3] = {{0}}, spin[3];
        sw_random_uniform4(seed, n, (uint64_t)lane, u);
        for (int i = 0; i < 3; i++) {
            euler[i] = ideal[(int)(5.999 * u[3])][i] * SW_PI / 180;
            spin[i] = 2 * SW_PI / 180 * (2 * u[i] - 1);
        }
        sw_rotation_from_euler(euler, g);
        sw_rotation_from_spin(spin, turn);
        for (int k = 0; k < 27; k++)
            turned[k / 9][k % 3] += turn[k / 9][k / 3 % 3] * g[k / 3 % 3][k % 3];
        set_orientation(turned, s.quaternion[lane]);
    }
    return s;
}

/* How much less work d does at the second best vertex than at the best. */
static double gap_of(const double d[5])
{
    double best = 0, second = 0;
    for (int v = 0; v < model.slip.vertices; v++) {
        double work = 0;
        for (int i = 0; i < 5; i++)
            work += model.slip.vertex[v][i] * d[i];
        second = fmax(second, fmin(best, fabs(work)));
        best = fmax(best, fabs(work));
    }
    return 1 - second / best;
}

/* The whole stress tensor is that of the slip law, at random orientations and where slips of 1e-5 decide it; but for the few whose
 * best vertices tie to single precision. RMS of the error over that of the stress; [0] of the start, [1] of the answer. Of
 * the start 0.12, 0.06 and 1.1 % are seen at most, of the answer 2e-5, 1e-5 and 5e-4. [2] of what one iteration leaves: Newton's
 * method squares the start's error times n, 0.1: 0.027 and 0.01 % are seen,
 * at n = 20 0.12. */
static void stresses_are_the_slip_laws(void **state)
{
    (void)state;
    enum { SAMPLES = SCALAR ? 4000 : 400 };
    const double m[] = {0.012, 0.005, 0.05}, of_start[] = {0.002, 0.001, 0.015},
                 of_answer[] = {6e-5, 6e-5, 1e-3}, once[] = {5e-4, 5e-4, 2e-3};
    sampler *const samplers[2] = {random_sample, nearly_ideal_sample};
    for (int i = 0; i < 3; i++) {
        prepare(SW_LATTICE_fcc, m[i]);
        for (int k = 0; k < 2; k++) {
            double error[3] = {0}, all = 0;
            int tied = 0;
            for (uint64_t n = 0; n < SAMPLES; n++) {
                const sample s = samplers[k](37, n);
                sw_real d[5], x[5], start[5], first[5], spin[3], slip_rate, iterations;
                solve(&s, d, x, &iterations);
                sw_slip_start(&model.slip, model.slip.systems, NULL, d, start);
                model.once = 1;
                const sw_mask met =
                    sw_rigid_plastic_solve(&model, model.slip.systems, d, first, &slip_rate, spin);
                model.once = 0;
                for (int lane = 0; lane < SW_LANES; lane++) {
                    double exact[5], one[5];
                    for (int c = 0; c < 5; c++) {
                        one[c] = sw_lane(d[c], lane);
                        exact[c] = sw_lane(x[c], lane);
                    }
                    if (gap_of(one) < 1.2 * SW_SLIP_FIT_APART) {
                        tied++;
                        continue;
                    }
                    solve_exactly(1 / m[i], one, exact);
                    assert_true(sw_mask_lane(met, lane));
                    for (int c = 0; c < 5; c++) {
                        error[0] += pow(sw_lane(start[c], lane) - exact[c], 2);
                        error[1] += pow(sw_lane(x[c], lane) - exact[c], 2);
                        error[2] += pow(sw_lane(first[c], lane) - exact[c], 2);
                        all += exact[c] * exact[c];
                    }
                }
            }
            CHECK_CLOSE(sqrt(error[0] / all), 0, of_start[i]);
            CHECK_CLOSE(sqrt(error[1] / all), 0, of_answer[i]);
            print_message("n = %.0f: %.4f %% by one iteration\n", 1 / m[i], 100 * sqrt(error[2] / all));
            CHECK_CLOSE(sqrt(error[2] / all), 0, once[i]);
            assert_true(tied < SAMPLES * SW_LANES / 20);
        }
    }
}

/* Of crystals with many vertices the start among those of folded strain rates does the work of the start among all, 1e-6 of which rounding
 * takes: but for one in 1,000, whose best vertex has not been found, and which miss 2 % of it at most. Fewer are looked through. */
static void folded_starts_are_the_best(void **state)
{
    (void)state;
    enum { SAMPLES = SCALAR ? 8000 : 1000 };
    const int structures[] = {SW_LATTICE_bcc24, SW_LATTICE_bcc48};
    for (int k = 0; k < 2; k++) {
        int missed = 0;
        prepare(structures[k], 0.05);
        assert_true(model.slip.n_folded > 0 && model.slip.n_folded < 0.45 * model.slip.vertices);
        for (uint64_t n = 0; n < SAMPLES; n++) {
            const sample s = random_sample(41, n);
            sw_real q[4], r[3][3], lambda[3], d[5], x[5], all[5], work[2];
            load_orientations(&s, q);
            sw_rotation_from_quaternion(q, r);
            sw_rigid_plastic_strain_rate(r, lanes_of(s.lambda, lambda), d);
            sw_slip_start_folded(&model.slip, d, x);
            sw_slip_start_at_vertex(model.slip.vertex, model.slip.vertices, d, all);
            work[0] = sw_dot_of(d, x);
            work[1] = sw_dot_of(d, all);
            for (int lane = 0; lane < SW_LANES; lane++) {
                const double share = sw_lane(work[0], lane) / sw_lane(work[1], lane);
                missed += !(share > 1 - 1.2e-4); /* vertices within 1e-4 share */
                CHECK_CLOSE(share, 1, 0.02);
            }
        }
        assert_true(missed <= SAMPLES * SW_LANES / 1000);
    }
}

/* A tensor that is folded is one of the 48 that the crystal's rotations and their negatives make of it: its invariants, but for signs, are
 * the same, and it goes back to itself. */
static void folds_go_back(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        const sample s = random_sample(43, n);
        sw_real q[4], r[3][3], lambda[3], d[5], t[6], too[6], back[5];
        load_orientations(&s, q);
        sw_rotation_from_quaternion(q, r);
        sw_rigid_plastic_strain_rate(r, lanes_of(s.lambda, lambda), d);
        const sw_slip_fold f = sw_slip_fold_of(d, t);
        sw_deviator_tensor(d, too);
        sw_slip_fold_too(&f, too);
        sw_slip_unfold(&f, too, back);
        for (int lane = 0; lane < SW_LANES; lane++) {
            double v[6], w[6], one[5];
            for (int i = 0; i < 6; i++)
                v[i] = sw_lane(t[i], lane);
            for (int i = 0; i < 5; i++) {
                CHECK_CLOSE(sw_lane(back[i], lane), sw_lane(d[i], lane), 1e-6);
                one[i] = sw_lane(d[i], lane);
            }
            assert_true(v[0] >= v[1] && v[1] >= v[2] && v[1] >= 0 && v[3] >= 0 && v[4] >= 0);
            for (int i = 0; i < 6; i++)
                w[i] = one[0] * sw_deviator_basis(0, i) + one[1] * sw_deviator_basis(1, i) +
                       (i > 2 ? one[i - 1] * SW_ROOT_HALF : 0);
            const double determinant[2] = {v[0] * v[1] * v[2] + 2 * v[3] * v[4] * v[5] - v[0] * v[3] * v[3] -
                                               v[1] * v[4] * v[4] - v[2] * v[5] * v[5],
                                           w[0] * w[1] * w[2] + 2 * w[3] * w[4] * w[5] - w[0] * w[3] * w[3] -
                                               w[1] * w[4] * w[4] - w[2] * w[5] * w[5]};
            CHECK_CLOSE(fabs(determinant[0]), fabs(determinant[1]), 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stresses_are_the_slip_laws),
                                       cmocka_unit_test(folded_starts_are_the_best),
                                       cmocka_unit_test(folds_go_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
