/* One set of checks for every solver, and each against the plain series or the model. */
#include "tests/test.h"

#include <omp.h>

#include "common/database/fold.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "common/math/tensor.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"
#include "weighted.h"

enum { N = 700 }; /* more than a block, and not a multiple of the lanes */

static const int64_t shape[4] = {16, 16, 16, 12}, other_shape[4] = {12, 20, 16, 12};
static sw_database database, other; /* power-of-two lengths, and not */
static sw_response_grid grid;

static int make(const int64_t *lengths, sw_response_grid *g, sw_database *d)
{
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    d->material = material;
    return sw_response_grid_create(&sw_point_group_432, lengths, g) ||
           sw_integrate_grid(g, &material, &increment, &(sw_integrate_options){.quiet = 1}) ||
           sw_spectrum_rank_within(g, &(sw_spectrum_options){.quiet = 1}, d);
}

static void clear(sw_database *d)
{
    free(d->wavevector);
    free(d->coefficient);
    free(d->weight);
    free(d->magnitude);
}

static int set_up(void **state)
{
    (void)state;
    sw_response_grid unused;
    if (make(shape, &grid, &database) || make(other_shape, &unused, &other))
        return -1;
    sw_response_grid_destroy(&unused);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sw_response_grid_destroy(&grid);
    clear(&database);
    clear(&other);
    return 0;
}

static sw_response *open_solver(const char *solver, const sw_database *d, int64_t terms, int64_t refinement)
{
    sw_response *response;
    const sw_response_options options = {
        .solver = solver, .database = d, .terms = terms, .refinement = refinement};
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

static void random_polycrystal(uint64_t seed, int n, sw_crystal *crystal)
{
    for (int i = 0; i < n; i++) {
        double euler[3];
        sw_random_orientation(seed, (uint64_t)i, euler);
        crystal[i] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, 40e6F};
    }
}

/* D = rate Q diag(lambda(theta)) Q^T */
static void strain_rate_at(double theta, const double euler[3], double rate, double d[3][3])
{
    double q[3][3], lambda[3];
    sw_rotation_from_euler(euler, q);
    sw_principal_values(theta, lambda);
    double diagonal[3][3] = {{rate * lambda[0], 0, 0}, {0, rate * lambda[1], 0}, {0, 0, rate * lambda[2]}};
    sw_rotate_tensor(q, diagonal, d);
}

static const double principal[3] = {0, 0, 0}, oblique[3] = {1.0, 0.7, 2.0};
static const double plane_strain[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};

typedef struct {
    float stress[N][6], spin[N][3], slip_rate[N];
} answers;

static void evaluate(sw_response *response, const double d[3][3], const sw_crystal *crystal, answers *a)
{
    CHECK_OK(sw_response_evaluate(response, d, N, crystal, a->stress, a->spin, a->slip_rate));
}

/* Grid and terms at points of the database's grid, all terms kept: the raw data. Single precision sums of
 * some thousand terms: 1e-5 of the stress, 3 s rate^m. */
static void grid_points_give_the_raw_data(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static answers a;
    const char *const solvers[] = {"grid", "terms"};
    for (int k = 0; k < 2; k++) {
        sw_response *response = open_solver(solvers[k], &database, 0, 1);
        for (int64_t j4 = 0; j4 < 12; j4++) {
            double d[3][3];
            int n = 0;
            const double *raw[N];
            strain_rate_at(2 * SW_PI * (double)j4 / 12, principal, 1e-3, d);
            for (int64_t p = 0; p < grid.n_points && n < N; p++) {
                double x[4];
                if (grid.point[p] % 12 != j4)
                    continue;
                sw_grid_angles(shape, grid.point[p], x);
                raw[n] = grid.output[p];
                crystal[n++] = (sw_crystal){{(float)x[0], (float)x[1], (float)x[2]}, 1e6F};
            }
            if (n == 0)
                continue;
            CHECK_OK(sw_response_evaluate(response, (const double(*)[3])d, n, crystal, a.stress, a.spin,
                                          a.slip_rate));
            const double stress = 1e6 * pow(1e-3, 0.012);
            static const int place[5] = {0, 1, 5, 4, 3};
            for (int i = 0; i < n; i++) {
                for (int c = 0; c < 5; c++)
                    CHECK_CLOSE(a.stress[i][place[c]] / stress, raw[i][c], 3e-5);
                for (int c = 0; c < 3; c++)
                    CHECK_CLOSE(a.spin[i][c] / 1e-3, raw[i][5 + c], 3e-5);
                CHECK_CLOSE(a.slip_rate[i] / 1e-3, raw[i][8], 3e-5);
            }
        }
        sw_response_close(response);
    }
}

/* The first number of pairs from `least` on that cuts through no set of symmetric terms: they rank alike, and
 * the folded series leaves out what a part of one has on the wrong side. */
static int64_t whole_sets(const sw_database *d, int64_t least)
{
    while (d->magnitude[least] > 0.999F * d->magnitude[least - 1])
        least++;
    return least;
}

/* `terms` against the plain series at the rounded point, for lengths with and without a power of two. */
static void terms_sum_the_series_at_the_rounded_point(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static answers a;
    const sw_database *const databases[2] = {&database, &other};
    const int64_t refinements[] = {1, 3, 128};
    random_polycrystal(1, N, crystal);
    for (int k = 0; k < 6; k++) {
        const sw_database *const base = databases[k % 2];
        const int64_t refinement = refinements[k / 2], pairs = whole_sets(base, 300);
        double d[3][3];
        sw_response *response = open_solver("terms", base, 2 * pairs, refinement);
        strain_rate_at(1.234, principal, 1e-3, d);
        evaluate(response, (const double(*)[3])d, crystal, &a);
        const double theta = sw_strain_rate_of((const double(*)[3])d).theta;
        for (int n = 0; n < N; n++) {
            double x[4], y[SW_OUTPUTS],
                euler[4] = {crystal[n].euler[0], crystal[n].euler[1], crystal[n].euler[2], theta};
            int on_edge = 0; /* too near to the middle between two points to say which is nearer */
            for (int i = 0; i < 4; i++) {
                const double spacing = 2 * SW_PI / (double)(base->shape[i] * refinement);
                x[i] = spacing * nearbyint(euler[i] / spacing);
                on_edge |= fabs(fabs(euler[i] - x[i]) - 0.5 * spacing) < 1e-5 * spacing + 1e-9;
            }
            if (on_edge)
                continue;
            sw_database_evaluate(base, pairs, x, y);
            /* 300 pairs in single precision, phases good to 1e-7 turns */
            CHECK_CLOSE(a.slip_rate[n] / 1e-3, y[8], 2e-5);
            CHECK_CLOSE(a.stress[n][0] / (40e6 * pow(1e-3, 0.012)), y[0], 2e-5);
            CHECK_CLOSE(a.spin[n][1] / 1e-3, y[6], 2e-5);
        }
        sw_response_close(response);
    }
}

/* N terms are the first ceil(N / 2) pairs and no others: the same bits as all that a database cut there has. */
static void terms_asked_for_are_coefficients(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static answers asked, all;
    random_polycrystal(2, N, crystal);
    for (int64_t terms = 599; terms <= 602; terms++) {
        sw_database cut = database;
        cut.n_pairs = terms <= 600 ? 300 : 301;
        sw_response *some = open_solver("terms", &database, terms, 16),
                    *whole = open_solver("terms", &cut, 0, 16);
        evaluate(some, plane_strain, crystal, &asked);
        evaluate(whole, plane_strain, crystal, &all);
        assert_memory_equal(&asked, &all, sizeof all);
        sw_response_close(some);
        sw_response_close(whole);
    }
}

static void folding_keeps_the_series(void **state)
{
    (void)state;
    sw_fold fold;
    const double theta = 0.77;
    CHECK_OK(sw_fold_create(&database, 500, &fold));
    assert_true(fold.n_wavevectors < 500);
    sw_fold_at(&fold, theta);
    for (uint64_t n = 0; n < 50; n++) {
        double x[4], y[SW_OUTPUTS], folded[SW_OUTPUTS] = {0};
        sw_random_orientation(3, n, x);
        x[3] = theta;
        sw_database_evaluate(&database, 500, x, y);
        for (int64_t g = 0; g < fold.n_wavevectors; g++) {
            const int16_t *k = fold.wavevector[g];
            const double phase = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
            for (int c = 0; c < SW_OUTPUTS; c++)
                folded[c] += fold.coefficient[g][c][0] * cos(phase) - fold.coefficient[g][c][1] * sin(phase);
        }
        for (int c = 0; c < SW_OUTPUTS; c++)
            CHECK_CLOSE(folded[c], y[c], 500 * 6e-8 * 3);
    }
    sw_fold_destroy(&fold);
}

enum { DIRECT_SOLVERS = 3 }; /* whose answers have no history */
static const char *const direct_solvers[DIRECT_SOLVERS] = {"terms", "grid", "rigid_plastic"};

/* Rotate D and the crystals: stress and spin rotate along. Angles in single precision move the look-up by
 * 2e-7 rad, the response by some 1e-5 of it; `terms` would round to other points, so it gets a fine grid;
 * `rigid_plastic` may stop at another iterate, within 1e-4 of the rate, that is 1e-6 of the stress but for one
 * crystal in a thousand, at which one of the five systems that hold its stress slips at no more than that: such a
 * miss changes the shear stress there by m s ln 2, Crystal 564, whose
 * fifth system has 1.03e-4 of the rate, is off by 25 or 39 kPa, as the compiler orders sums; m s is 480. */
static void responses_are_objective_and_deviatoric(void **state)
{
    (void)state;
    static sw_crystal crystal[N], turned[N];
    static answers a, b;
    double d[3][3], turned_d[3][3], r[3][3];
    strain_rate_at(0.6, principal, 1e-3, d);
    strain_rate_at(0.6, oblique, 1e-3, turned_d);
    sw_rotation_from_euler(oblique, r);
    random_polycrystal(4, N, crystal);
    for (int n = 0; n < N; n++) {
        double euler[3] = {crystal[n].euler[0], crystal[n].euler[1], crystal[n].euler[2]}, g[3][3], rg[3][3];
        sw_rotation_from_euler(euler, g);
        sw_multiply(r, g, rg);
        sw_euler_from_rotation(rg, euler);
        turned[n] =
            (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, crystal[n].slip_resistance};
    }
    for (int k = 0; k < DIRECT_SOLVERS; k++) {
        sw_response *response = open_solver(direct_solvers[k], &database, 0, k == 0 ? 4096 : 1);
        const double soft = strcmp(direct_solvers[k], "rigid_plastic") == 0 ? 0.012 * 40e6 : 0; /* m s */
        int n_soft = 0;
        evaluate(response, (const double(*)[3])d, crystal, &a);
        evaluate(response, (const double(*)[3])turned_d, turned, &b);
        for (int n = 0; n < N; n++) {
            double off = 0;
            const float *s = a.stress[n];
            double stress[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}},
                   expected[3][3];
            sw_rotate_tensor(r, stress, expected);
            CHECK_CLOSE(b.stress[n][0] + b.stress[n][1] + b.stress[n][2], 0, 1e-6 * 120e6);
            static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
            for (int i = 0; i < 6; i++) {
                const double turned_stress = expected[place[i][0]][place[i][1]];
                CHECK_CLOSE(b.stress[n][i], turned_stress, fmax(soft, 3e-4 * 120e6));
                off = greatest(off, fabs(b.stress[n][i] - turned_stress));
            }
            n_soft += off > 3e-4 * 120e6;
            CHECK_CLOSE(b.slip_rate[n], a.slip_rate[n], 3e-4 * 3e-3);
        }
        assert_in_range(n_soft, 0, 1);
        sw_response_close(response);
    }
}

/* sigma(a D) = a^m sigma(D), Wp and G in proportion: by construction, exactly up to rounding. */
static void responses_scale_with_the_rate(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static answers a, b;
    double d[3][3], fast[3][3];
    strain_rate_at(2.2, oblique, 1e-3, d);
    strain_rate_at(2.2, oblique, 1e2, fast);
    random_polycrystal(5, N, crystal);
    for (int k = 0; k < DIRECT_SOLVERS; k++) {
        sw_response *response = open_solver(direct_solvers[k], &database, 0, 1);
        evaluate(response, (const double(*)[3])d, crystal, &a);
        evaluate(response, (const double(*)[3])fast, crystal, &b);
        for (int n = 0; n < N; n++) {
            CHECK_CLOSE(b.stress[n][5], pow(1e5, 0.012) * a.stress[n][5], 1e-5 * 120e6);
            CHECK_CLOSE(b.spin[n][2] / 1e5, a.spin[n][2], 1e-5 * 1e-3);
            CHECK_CLOSE(b.slip_rate[n] / 1e5, a.slip_rate[n], 1e-5 * 3e-3);
        }
        sw_response_close(response);
    }
}

/* All 24 crystal rotations of an orientation answer alike: exactly for those that map the grid of Euler
 * angles to itself. The others meet the coarse grid elsewhere, so the eight of the group are checked here;
 * the integrator's own test covers all 24. */
static void responses_have_the_grids_crystal_symmetry(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static answers a;
    double d[3][3];
    strain_rate_at(SW_PI / 6, principal, 1e-3, d);
    for (int n = 0; n < N; n++) {
        const double x[3] = {0.31, 1.1, 0.45}, quarter = SW_PI / 2 * (n % 4);
        const int flip = n / 4 % 2;
        crystal[n] = (sw_crystal){
            {(float)x[0], (float)(x[1] + (flip ? SW_PI : 0)), (float)((flip ? -x[2] : x[2]) + quarter)},
            40e6F};
    }
    for (int k = 0; k < DIRECT_SOLVERS; k++) {
        sw_response *response = open_solver(direct_solvers[k], &database, 0, 1);
        evaluate(response, (const double(*)[3])d, crystal, &a);
        for (int n = 1; n < N; n++)
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(a.stress[n][i], a.stress[0][i], 2e-5 * 120e6);
        sw_response_close(response);
    }
}

enum { SOLVERS = 5 };
static const char *const solvers[SOLVERS] = {"terms", "grid", "rigid_plastic", "elastoplastic", "iterative"};

/* Every solver: a step keeps angles in range, hardens, gives the same bits for any threads, and averages. */
static void every_solver_steps(void **state)
{
    (void)state;
    static sw_crystal one[N], many[N];
    const int threads = omp_get_max_threads();
    const double shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < SOLVERS; k++) {
        sw_response_average a, b;
        random_polycrystal(6, N, one);
        random_polycrystal(6, N, many);
        sw_response *first = open_solver(solvers[k], &database, 0, 4),
                    *second = open_solver(solvers[k], &database, 0, 4);
        sw_crystals x = crystals_of(first, N, one, NULL), y = crystals_of(second, N, many, NULL);
        for (int step = 0; step < 3; step++) {
            omp_set_num_threads(1);
            CHECK_OK(sw_response_step(first, shear, 20, &x, &x, &a));
            omp_set_num_threads(3);
            CHECK_OK(sw_response_step(second, shear, 20, &y, &y, &b));
        }
        omp_set_num_threads(threads);
        assert_memory_equal(one, many, sizeof one);
        assert_memory_equal(&a, &b, sizeof a);
        double mean = 0;
        for (int n = 0; n < N; n++) {
            assert_true(one[n].slip_resistance > 40e6 && one[n].slip_resistance < 148e6);
            assert_true(one[n].euler[1] >= 0 && one[n].euler[1] <= 3.15);
            mean += one[n].slip_resistance / N;
        }
        CHECK_CLOSE(a.slip_resistance, mean, 1e-6 * mean);
        assert_true(a.cauchy_stress[0][1] > 20e6 && a.slip_rate > 1e-3);
        sw_crystals_release(&x);
        sw_crystals_release(&y);
        sw_response_close(first);
        sw_response_close(second);
    }
}

/* Every solver: a crystal of weight w is w crystals, whatever the unit of weights. A lane adds up 64 numbers in
 * single precision at most, each good to 6e-8: 1e-6 at the utmost. Without weights the means are others. */
static void a_weight_is_a_number_of_crystals(void **state)
{
    (void)state;
    static const float units[] = {1, 0.3F, 1e-20F};
    static weighted_list list;
    for (int k = 0; k < SOLVERS; k++)
        for (int u = 0; u < 3; u++) {
            sw_response_average one, other;
            sw_response *weighted = open_solver(solvers[k], &database, 0, 4),
                        *repeated = open_solver(solvers[k], &database, 0, 4);
            make_weighted(units[u], &list);
            sw_crystals x = crystals_of(weighted, WEIGHTED, list.crystal, list.weight),
                        y = crystals_of(repeated, list.count, list.repeated, NULL);
            for (int step = 0; step < WEIGHTED_STEPS; step++) {
                CHECK_OK(step_weighted(weighted, &x, &one));
                CHECK_OK(step_weighted(repeated, &y, &other));
                check_averages(&one, &other, 1e-6);
            }
            x.weight = NULL;
            CHECK_OK(step_weighted(weighted, &x, &one));
            assert_true(one.slip_resistance < 0.99 * other.slip_resistance);
            sw_crystals_release(&x);
            sw_crystals_release(&y);
            sw_response_close(weighted);
            sw_response_close(repeated);
        }
}

/* Equal weights, of any size, are none: to round-off; 1 each: to the same bits. */
static void equal_weights_are_none(void **state)
{
    (void)state;
    static sw_crystal with[N], without[N];
    static float weight[N];
    for (int k = 0; k < SOLVERS; k++)
        for (int unit = 1; unit <= 3; unit += 2) {
            sw_response_average a, b;
            sw_response *one = open_solver(solvers[k], &database, 0, 4),
                        *other = open_solver(solvers[k], &database, 0, 4);
            random_polycrystal(9, N, with);
            random_polycrystal(9, N, without);
            for (int n = 0; n < N; n++)
                weight[n] = (float)unit;
            sw_crystals x = crystals_of(one, N, with, weight), y = crystals_of(other, N, without, NULL);
            CHECK_OK(step_weighted(one, &x, &a));
            CHECK_OK(step_weighted(other, &y, &b));
            sw_crystals_release(&x);
            sw_crystals_release(&y);
            assert_memory_equal(with, without, sizeof with);
            if (unit == 1)
                assert_memory_equal(&a, &b, sizeof a);
            check_averages(&a, &b, 1e-6);
            sw_response_close(one);
            sw_response_close(other);
        }
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static float weight[N];
    static const struct {
        float all, one; /* that of one crystal among the others */
    } bad[] = {{0, 0}, {1, -1}, {1, NAN}, {1, INFINITY}};
    for (int k = 0; k < SOLVERS; k++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            sw_response_average average;
            sw_response *response = open_solver(solvers[k], &database, 0, 4);
            random_polycrystal(10, N, crystal);
            for (int n = 0; n < N; n++)
                weight[n] = n == 600 ? bad[i].one : bad[i].all;
            sw_crystals c = crystals_of(response, N, crystal, weight);
            assert_int_equal(step_weighted(response, &c, &average), SW_ERR_RANGE);
            assert_message_has("weights of crystals: their sum is");
            sw_crystals_release(&c);
            sw_response_close(response);
        }
}

/* What a step is made by is what an evaluation at its beginning gives, and so, to the same bits, a mean without a step,
 * which changes nothing; what it ends with is the mean after it. Many crystals, with weights. */
static void step_and_evaluation_agree(void **state)
{
    (void)state;
    enum { MANY = (1 << 20) + 700 };
    static sw_crystal before[N], after[N], many[MANY], same[MANY];
    static float weight[MANY];
    static answers a;
    for (int n = 0; n < MANY; n++)
        weight[n] = (float)(n % 3);
    for (int k = 0; k < DIRECT_SOLVERS; k++) {
        sw_response *response = open_solver(direct_solvers[k], &database, 64, 16);
        sw_response_average average, next;
        double mean = 0, rate = 0;
        random_polycrystal(7, N, before);
        memcpy(after, before, sizeof after);
        const sw_crystals few = sw_crystals_alone(response, N, after);
        CHECK_OK(sw_response_advance(response, plane_strain, 14, &few, &few, &average));
        evaluate(response, plane_strain, before, &a);
        for (int n = 0; n < N; n++) {
            mean += a.stress[n][2] / N;
            rate += a.slip_rate[n] / N;
        }
        CHECK_CLOSE(average.cauchy_stress[2][2], mean, 1e-5 * fabs(mean));
        CHECK_CLOSE(average.slip_rate, rate, 1e-5 * rate);

        CHECK_OK(sw_crystals_randomise(SW_CPU, MANY, many, 7, 0, 40e6F));
        memcpy(same, many, sizeof same);
        sw_crystals x = crystals_of(response, MANY, many, weight),
                    y = crystals_of(response, MANY, same, weight);
        CHECK_OK(sw_response_evaluate_mean(response, plane_strain, &x, &average));
        assert_memory_equal(many, same, sizeof same);
        CHECK_CLOSE(average.slip_resistance, 40e6, 1e-6 * 40e6);
        CHECK_OK(sw_response_advance(response, plane_strain, 14, &x, &x, &next));
        assert_memory_equal(average.cauchy_stress, next.cauchy_stress, sizeof next.cauchy_stress);
        assert_true(average.slip_rate == next.slip_rate && average.slip_resistance < next.slip_resistance);

        CHECK_OK(sw_response_step(response, plane_strain, 14, &y, &y, &next));
        assert_memory_equal(many, same, sizeof same);
        CHECK_OK(sw_response_evaluate_mean(response, plane_strain, &x, &average));
        assert_memory_equal(&average, &next, sizeof next);
        sw_response_close(response);
    }
}

/* A strain rate for each crystal: those of a few common ones, in turn, give what each of them gives by
 * itself. theta on the database's points, where `grid` has a layer, and without equal principal values, whose
 * frame is anyone's; frames go through single precision. */
static void strain_rates_may_differ(void **state)
{
    (void)state;
    enum { RATES = 5 };
    static sw_crystal crystal[N];
    static float each[N][6];
    static answers all, one;
    double d[RATES][3][3];
    const char *const solvers[] = {"terms", "grid", "rigid_plastic"};
    random_polycrystal(9, N, crystal);
    for (int k = 0; k < RATES; k++)
        strain_rate_at(2 * SW_PI * (2 * k + 1) / 12, k % 2 ? oblique : principal, 1e-3 * (1 + k), d[k]);
    for (int n = 0; n < N; n++) {
        const double(*rate)[3] = (const double(*)[3])d[n % RATES];
        const double six[6] = {rate[0][0], rate[1][1], rate[2][2], rate[1][2], rate[0][2], rate[0][1]};
        for (int i = 0; i < 6; i++)
            each[n][i] = (float)six[i];
    }
    for (int i = 0; i < 6; i++)
        each[N - 1][i] = 0; /* no strain rate, no stress */
    for (int s = 0; s < 3; s++) {
        /* a fine refined grid: rounding to it moves nothing that shows */
        sw_response *response = open_solver(solvers[s], &database, 0, s == 0 ? 4096 : 1);
        memset(&all, 0xff, sizeof all);
        CHECK_OK(sw_response_evaluate_each(response, N, (const float(*)[6])each, crystal, all.stress,
                                           all.spin, all.slip_rate));
        int differ = 0;
        for (int k = 0; k < RATES; k++) {
            evaluate(response, (const double(*)[3])d[k], crystal, &one);
            for (int n = k; n < N - 1; n += RATES) {
                double off = fabs(all.slip_rate[n] - one.slip_rate[n]) / (3e-3 * (1 + k));
                for (int i = 0; i < 6; i++)
                    off = greatest(off, fabs(all.stress[n][i] - one.stress[n][i]) / 120e6);
                for (int i = 0; i < 3; i++)
                    off = greatest(off, fabs(all.spin[n][i] - one.spin[n][i]) / (1e-3 * (1 + k)));
                assert_true(isfinite(off));
                differ += !(off <= 5e-4);
            }
        }
        print_message("%s: %d differ\n", solvers[s], differ);
        assert_true(differ <=
                    (s == 2 ? 5 : 0)); /* rigid_plastic: stresses that hardly matter to the slip law */
        for (int i = 0; i < 6; i++)
            assert_true(all.stress[N - 1][i] == 0);
        assert_true(all.slip_rate[N - 1] == 0 && all.spin[N - 1][0] == 0);
        sw_response_close(response);
    }
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    sw_crystal crystal[1];
    sw_response_average average;
    sw_response *response;
    float stress[1][6] = {{-1}}, spin[1][3], slip_rate[1];
    const double rest[3][3] = {{0}}, volume[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const double nan[3][3] = {{NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                 skew[3][3] = {{1e-3, 1e-3, 0}, {0, -1e-3, 0}, {0, 0, 0}};
    const double(*const bad[])[3] = {rest, volume, nan};
    random_polycrystal(8, 1, crystal);
    const sw_response_options unknown = {.solver = "gird", .database = &database}, bare = {.solver = "grid"},
                              greedy = {.solver = "terms",
                                        .database = &database,
                                        .terms = 2 * database.n_pairs + 1};
    assert_int_equal(sw_response_open(&unknown, &response), SW_ERR_RANGE);
    assert_non_null(
        strstr(sw_error_message(), "terms, grid, tabulated, rigid_plastic, elastoplastic, iterative"));
    assert_int_equal(sw_response_open(&bare, &response), SW_ERR_RANGE);
    char both[64];
    assert_int_equal(sw_response_open(&greedy, &response), SW_ERR_RANGE);
    snprintf(both, sizeof both, "terms = %lld: the database stores %lld", (long long)greedy.terms,
             (long long)greedy.terms - 1);
    assert_non_null(strstr(sw_error_message(), both));
    for (int k = 0; k < DIRECT_SOLVERS; k++) {
        response = open_solver(direct_solvers[k], &database, 0, 1);
        const sw_crystals one = sw_crystals_alone(response, 1, crystal), none = sw_crystals_part(&one, 0, 0);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(sw_response_evaluate(response, bad[i], 1, crystal, stress, spin, slip_rate),
                             SW_ERR_RANGE);
            assert_int_equal(sw_response_step(response, bad[i], 1, &one, &one, &average), SW_ERR_RANGE);
        }
        assert_int_equal(sw_response_evaluate(response, skew, 1, crystal, stress, spin, slip_rate),
                         SW_ERR_RANGE);
        assert_int_equal(sw_response_step(response, plane_strain, -1, &one, &one, &average), SW_ERR_RANGE);
        assert_true(stress[0][0] == -1);
        for (int i = 0; i < 3; i++)
            assert_int_equal(sw_response_evaluate_mean(response, bad[i], &one, &average), SW_ERR_RANGE);
        CHECK_OK(sw_response_step(response, plane_strain, 1, &none, &none, &average));
        CHECK_OK(sw_response_step(response, plane_strain, 1, &none, NULL, &average));
        CHECK_OK(sw_response_evaluate_mean(response, plane_strain, &none, &average));
        sw_response_close(response);
    }
    const char *const with_history[] = {"elastoplastic", "iterative"};
    for (int k = 0; k < 2; k++) {
        response = open_solver(with_history[k], &database, 0, 1);
        sw_crystals one = crystals_of(response, 1, crystal, NULL);
        assert_int_equal(sw_response_evaluate(response, plane_strain, 1, crystal, stress, spin, slip_rate),
                         SW_ERR_UNAVAILABLE);
        assert_int_equal(sw_response_evaluate_mean(response, plane_strain, &one, &average),
                         SW_ERR_UNAVAILABLE);
        for (int i = k == 0; i < 3; i++) /* the first, that of rest, is a step of elastoplastic crystals */
            assert_int_equal(sw_response_step(response, bad[i], 1, &one, &one, &average), SW_ERR_RANGE);
        sw_crystals_release(&one);
        sw_response_close(response);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_points_give_the_raw_data),
        cmocka_unit_test(terms_sum_the_series_at_the_rounded_point),
        cmocka_unit_test(terms_asked_for_are_coefficients),
        cmocka_unit_test(folding_keeps_the_series),
        cmocka_unit_test(responses_are_objective_and_deviatoric),
        cmocka_unit_test(responses_scale_with_the_rate),
        cmocka_unit_test(responses_have_the_grids_crystal_symmetry),
        cmocka_unit_test(every_solver_steps),
        cmocka_unit_test(a_weight_is_a_number_of_crystals),
        cmocka_unit_test(equal_weights_are_none),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(step_and_evaluation_agree),
        cmocka_unit_test(strain_rates_may_differ),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests_name("response", tests, set_up, tear_down);
}
