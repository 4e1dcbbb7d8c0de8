/* Points with a loading each against the step that all crystals share, against each other, and their tangents. */
#include "tests/copper_database.h"
#include "tests/crystals.h"

#include <omp.h>

#include "online/response/points/points.h"
#include "online/response/step/crystals.h"

enum { P = 9, N = 100, ALL = P * N };

static sw_material material;

static int set_up(void **state)
{
    (void)state;
    material = copper();
    return make_copper_database(16, 12);
}

static sw_response *open_solver(const char *name)
{
    const sw_response_options options = {.solver = name, .database = &database};
    return opened(&options);
}

static void random_crystals(sw_crystal *crystal, int64_t n)
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, crystal, 5, 0, 16e6F));
}

static const double compression[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                    tension[3][3] = {{1e-3, 0, 0}, {0, -5e-4, 0}, {0, 0, -5e-4}},
                    shear[3][3] = {{0, 1.4e-3, 0}, {0, 0, 0}, {0, 0, 0}};

/* P loadings, all different. */
static void loadings(double l[P][3][3])
{
    for (int p = 0; p < P; p++)
        for (int k = 0; k < 9; k++)
            l[p][k / 3][k % 3] = compression[k / 3][k % 3] + 0.2 * p * shear[k / 3][k % 3];
}

typedef struct {
    double stress[P][6], slip_resistance[P], slip_rate[P], by_strain_rate[P][6][6], by_spin[P][6][3];
} results;

/* Tries of a step from these on. */
static sw_points points_of(int64_t points, int64_t each, const double (*l)[3][3], const sw_crystals *from,
                           results *r)
{
    return (sw_points){.points = points,
                       .each = each,
                       .velocity_gradient = l,
                       .dt = 10,
                       .from = from,
                       .stress = r->stress,
                       .slip_resistance = r->slip_resistance,
                       .slip_rate = r->slip_rate};
}

static void with_tangent(sw_points *points, results *r)
{
    points->by_strain_rate = r->by_strain_rate;
    points->by_spin = r->by_spin;
}

static const char *const exact[] = {"elastoplastic", "rigid_plastic"};

/* What a point has of a step from crystals `from` to `to`, of a solver without a history: the stress of the
 * orientations at the beginning with the slip resistances of the end, and the beginning's slip rate. */
static void mean_of_a_point(sw_response *response, const double l[3][3], const sw_crystals *from,
                            const sw_crystals *to, sw_response_average *average)
{
    for (int n = 0; n < ALL; n++)
        from->crystal[n].slip_resistance = to->crystal[n].slip_resistance;
    CHECK_OK(sw_response_evaluate_mean(response, l, from, average));
}

/* One point is the polycrystal of sw_response_step, over several steps. */
static void one_point_is_the_shared_step(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        sw_response *a = open_solver(exact[s]), *b = open_solver(exact[s]);
        static sw_crystal crystal[3][ALL];
        static results r;
        for (int k = 0; k < 3; k++)
            random_crystals(crystal[k], ALL);
        sw_crystals shared = crystals_of(a, ALL, crystal[0], NULL),
                    before = crystals_of(a, ALL, crystal[1], NULL),
                    own = crystals_of(b, ALL, crystal[2], NULL);
        for (int k = 0; k < 6; k++) {
            const double(*l)[3] = k < 4 ? compression : shear;
            sw_response_average average;
            sw_points points = points_of(1, ALL, (const double(*)[3][3])l, &own, &r);
            points.to = &own;
            CHECK_OK(sw_response_step(a, l, 10, &before, &shared, &average));
            if (!sw_solver_find(exact[s])->has_history)
                mean_of_a_point(a, l, &before, &shared, &average);
            CHECK_OK(sw_crystals_assign(&before, &shared));
            CHECK_OK(sw_response_step_each(b, &points));
            const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(r.stress[0][i], average.cauchy_stress[row[i]][column[i]], 50e6 * 2e-5);
            CHECK_CLOSE(r.slip_resistance[0], average.slip_resistance, 20e6 * 1e-5);
            CHECK_CLOSE(r.slip_rate[0], average.slip_rate, 3e-3 * 1e-5);
        }
        sw_crystals_release(&shared);
        sw_crystals_release(&before);
        sw_crystals_release(&own);
        sw_response_close(a);
        sw_response_close(b);
    }
}

/* Solvers that look up: the mean of sw_response_evaluate_each, but for hardening. */
static void looked_up_points_are_evaluations(void **state)
{
    (void)state;
    static const char *const names[] = {"grid", "terms", "rigid_plastic"};
    for (int s = 0; s < 3; s++) {
        sw_response *response = open_solver(names[s]);
        static sw_crystal crystal[ALL];
        static float d[ALL][6], stress[ALL][6], spin[ALL][3], slip_rate[ALL];
        static results r;
        double l[P][3][3];
        loadings(l);
        random_crystals(crystal, ALL);
        for (int i = 0; i < ALL; i++) {
            const double(*g)[3] = l[i / N];
            const double own[6] = {g[0][0],
                                   g[1][1],
                                   g[2][2],
                                   (g[1][2] + g[2][1]) / 2,
                                   (g[0][2] + g[2][0]) / 2,
                                   (g[0][1] + g[1][0]) / 2};
            for (int k = 0; k < 6; k++)
                d[i][k] = (float)own[k];
        }
        CHECK_OK(
            sw_response_evaluate_each(response, ALL, (const float(*)[6])d, crystal, stress, spin, slip_rate));
        const sw_crystals c = sw_crystals_alone(response, ALL, crystal);
        sw_points points = points_of(P, N, (const double(*)[3][3])l, &c, &r);
        points.dt = 1e-4; /* no hardening worth the name */
        CHECK_OK(sw_response_step_each(response, &points));
        for (int p = 0; p < P; p++) {
            double mean[6] = {0}, rate = 0;
            for (int i = p * N; i < (p + 1) * N; i++) {
                for (int k = 0; k < 6; k++)
                    mean[k] += stress[i][k] / (double)N;
                rate += slip_rate[i] / (double)N;
            }
            for (int k = 0; k < 6; k++)
                CHECK_CLOSE(r.stress[p][k], mean[k], 50e6 * 1e-5);
            CHECK_CLOSE(r.slip_rate[p], rate, 3e-3 * 1e-5);
        }
        sw_response_close(response);
    }
}

/* Whatever else is in the batch, and however many threads: the same bits. Tries change nothing. */
static void points_are_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    static const int64_t each[] = {1, 7, 100, 700};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            const int64_t n = each[e];
            static sw_crystal crystal[P * 700], before[P * 700];
            static results r, alone;
            double l[P][3][3];
            sw_response *response = open_solver(names[s]);
            loadings(l);
            random_crystals(crystal, P * n);
            sw_crystals c = crystals_of(response, P * n, crystal, NULL);
            sw_points points = points_of(P, n, (const double(*)[3][3])l, &c, &r);
            points.to = &c;
            CHECK_OK(sw_response_step_each(response, &points)); /* of which elastic states are left */
            memcpy(before, crystal, sizeof crystal);
            points.to = NULL;
            with_tangent(&points, &r);
            CHECK_OK(sw_response_step_each(response, &points));
            assert_memory_equal(before, crystal, sizeof before);
            const int threads = omp_get_max_threads();
            omp_set_num_threads(1);
            results again;
            sw_points single = points;
            single.stress = again.stress;
            single.by_strain_rate = again.by_strain_rate;
            CHECK_OK(sw_response_step_each(response, &single));
            omp_set_num_threads(threads);
            assert_memory_equal(again.stress, r.stress, sizeof r.stress);
            assert_memory_equal(again.by_strain_rate, r.by_strain_rate, sizeof r.by_strain_rate);
            sw_crystals_release(&c);
            random_crystals(crystal, P * n);
            c = crystals_of(response, P * n, crystal, NULL);
            for (int p = 0; p < P; p++) {
                sw_response *other = open_solver(names[s]);
                const sw_crystals part = sw_crystals_part(&c, p * n, n);
                sw_points one = points_of(1, n, (const double(*)[3][3])l + p, &part, &alone);
                one.to = &part;
                CHECK_OK(sw_response_step_each(other, &one));
                one.to = NULL;
                with_tangent(&one, &alone);
                CHECK_OK(sw_response_step_each(other, &one));
                assert_memory_equal(alone.stress[0], r.stress[p], sizeof r.stress[p]);
                assert_memory_equal(alone.by_strain_rate[0], r.by_strain_rate[p], sizeof r.by_strain_rate[p]);
                assert_memory_equal(alone.by_spin[0], r.by_spin[p], sizeof r.by_spin[p]);
                sw_response_close(other);
            }
            sw_crystals_release(&c);
            sw_response_close(response);
        }
}

/* P laws from soft to hard, and from hardly to sharply bent. */
static void hardening_laws(sw_material each[P], const sw_material *of[P])
{
    for (int p = 0; p < P; p++) {
        each[p] = material;
        each[p].hardening.voce.initial_hardening_rate *= 0.2 + 0.4 * p;
        each[p].hardening.voce.saturation_resistance *= 1.5 - 0.1 * p;
        each[p].hardening.voce.exponent = 1 + 0.3 * p;
        of[p] = &each[p];
    }
}

/* A step that is taken, then one that is tried, with its tangent. */
static void take_and_try(sw_response *response, sw_points points, results *r)
{
    points.to = points.from;
    CHECK_OK(sw_response_step_each(response, &points));
    points.to = NULL;
    with_tangent(&points, r);
    CHECK_OK(sw_response_step_each(response, &points));
}

/* A hardening law each: the bits of as many responses, each of one material. */
static void points_have_laws_of_their_own(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    static const int64_t each[] = {1, 7, 100, 700};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 4; e++) {
            const int64_t n = each[e];
            static sw_crystal crystal[P * 700], alone[P * 700];
            static results r, one;
            sw_material law[P];
            const sw_material *of[P];
            double l[P][3][3];
            loadings(l);
            hardening_laws(law, of);
            random_crystals(crystal, P * n);
            random_crystals(alone, P * n);
            sw_response *response = open_solver(names[s]);
            sw_crystals c = crystals_of(response, P * n, crystal, NULL),
                        apart = crystals_of(response, P * n, alone, NULL);
            sw_points points = points_of(P, n, (const double(*)[3][3])l, &c, &r);
            points.material = of;
            take_and_try(response, points, &r);
            sw_response_close(response);
            for (int p = 0; p < P; p++) {
                const sw_response_options options = {
                    .solver = names[s], .database = &database, .material = of[p]};
                sw_response *other;
                CHECK_OK(sw_response_open(&options, &other));
                const sw_crystals part = sw_crystals_part(&apart, p * n, n);
                take_and_try(other, points_of(1, n, (const double(*)[3][3])l + p, &part, &one), &one);
                sw_response_close(other);
                assert_memory_equal(one.stress[0], r.stress[p], sizeof r.stress[p]);
                assert_memory_equal(&one.slip_resistance[0], &r.slip_resistance[p], sizeof(double));
                assert_memory_equal(one.by_strain_rate[0], r.by_strain_rate[p], sizeof r.by_strain_rate[p]);
                assert_memory_equal(one.by_spin[0], r.by_spin[p], sizeof r.by_spin[p]);
            }
            assert_memory_equal(crystal, alone, (size_t)(P * n) * sizeof *crystal);
            assert_true(r.slip_resistance[P - 1] > 1.05 * r.slip_resistance[0]); /* the laws tell */
            sw_crystals_release(&c);
            sw_crystals_release(&apart);
        }
}

/* A duration each: the bits of as many calls, each of one. */
static void points_have_durations_of_their_own(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    static const int64_t each[] = {7, 100, 700};
    for (int s = 0; s < 3; s++)
        for (int e = 0; e < 3; e++) {
            const int64_t n = each[e];
            static sw_crystal crystal[P * 700], alone[P * 700];
            static results r, one;
            double l[P][3][3], dt[P];
            loadings(l);
            random_crystals(crystal, P * n);
            random_crystals(alone, P * n);
            sw_response *response = open_solver(names[s]), *other = open_solver(names[s]);
            sw_crystals c = crystals_of(response, P * n, crystal, NULL),
                        apart = crystals_of(other, P * n, alone, NULL);
            sw_points points = points_of(P, n, (const double(*)[3][3])l, &c, &r);
            for (int p = 0; p < P; p++)
                dt[p] = points.dt * (1 + 0.5 * p);
            points.dt_each = dt;
            take_and_try(response, points, &r);
            for (int p = 0; p < P; p++) {
                const sw_crystals part = sw_crystals_part(&apart, p * n, n);
                sw_points single = points_of(1, n, (const double(*)[3][3])l + p, &part, &one);
                single.dt = dt[p];
                take_and_try(other, single, &one);
                assert_memory_equal(one.stress[0], r.stress[p], sizeof r.stress[p]);
                assert_memory_equal(one.by_strain_rate[0], r.by_strain_rate[p], sizeof r.by_strain_rate[p]);
            }
            assert_memory_equal(crystal, alone, (size_t)(P * n) * sizeof *crystal);
            dt[P - 1] = 0;
            assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
            assert_message_has("dt = 0 s: need > 0");
            sw_crystals_release(&c);
            sw_crystals_release(&apart);
            sw_response_close(response);
            sw_response_close(other);
        }
}

/* Whole weights are repeats. */
static void weights_are_repeats(void **state)
{
    (void)state;
    static sw_crystal crystal[N], repeated[3 * N];
    static float weight[N];
    static results a, b;
    int64_t n = 0;
    for (int s = 0; s < 2; s++, n = 0) {
        sw_response *one = open_solver(exact[s]), *other = open_solver(exact[s]);
        random_crystals(crystal, N);
        for (int i = 0; i < N; i++) {
            weight[i] = (float)(1 + i % 3);
            for (int k = 0; k <= i % 3; k++)
                repeated[n++] = crystal[i];
        }
        assert_true(n <= 3 * N);
        sw_crystals x = crystals_of(one, N, crystal, weight), y = crystals_of(other, n, repeated, NULL);
        for (int k = 0; k < 3; k++) {
            sw_points weighted = points_of(1, N, (const double(*)[3][3])compression, &x, &a),
                      equal = points_of(1, n, (const double(*)[3][3])compression, &y, &b);
            weighted.to = &x;
            equal.to = &y;
            with_tangent(&weighted, &a);
            with_tangent(&equal, &b);
            CHECK_OK(sw_response_step_each(one, &weighted));
            CHECK_OK(sw_response_step_each(other, &equal));
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(a.stress[0][i], b.stress[0][i], 1e-9 * 50e6);
            for (int i = 0; i < 36; i++)
                CHECK_CLOSE(a.by_strain_rate[0][i / 6][i % 6], b.by_strain_rate[0][i / 6][i % 6],
                            1e-9 * 1e11);
        }
        sw_crystals_release(&x);
        sw_crystals_release(&y);
        sw_response_close(one);
        sw_response_close(other);
    }
}

/* d stress along D of a solver without elastic strains: the law is homogeneous, so without hardening its stress grows
 * by m of itself. In exactly uniaxial D, too, where two principal rates coincide. */
static void rigid_tangents_know_the_rate_sensitivity(void **state)
{
    (void)state;
    static const char *const names[] = {"rigid_plastic", "grid"};
    const double(*const l[])[3] = {compression, tension, shear};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            static sw_crystal crystal[N];
            static results r;
            sw_response *response = open_solver(names[s]);
            random_crystals(crystal, N);
            const sw_crystals some = sw_crystals_alone(response, N, crystal);
            sw_points points = points_of(1, N, (const double(*)[3][3])l[k], &some, &r);
            points.dt = 1e-4;
            with_tangent(&points, &r);
            CHECK_OK(sw_response_step_each(response, &points));
            const double d[6] = {l[k][0][0], l[k][1][1], l[k][2][2], 0, 0, l[k][0][1]}; /* engineer's shear */
            double largest = 0;
            for (int i = 0; i < 6; i++)
                largest = greatest(largest, fabs(r.stress[0][i]));
            for (int i = 0; i < 6; i++) {
                double along = 0;
                for (int j = 0; j < 6; j++)
                    along += r.by_strain_rate[0][i][j] * d[j];
                CHECK_CLOSE(along / largest, 0.012 * r.stress[0][i] / largest, 1e-3);
            }
            for (int i = 0; i < 18; i++)
                CHECK_CLOSE(r.by_spin[0][i / 3][i % 3], 0, 0);
            sw_response_close(response);
        }
}

/* In every direction: differences, where slip is not so sharp that some crystals have a stress that the slip law all but
 * leaves free. */
static void rigid_tangents_are_differences(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static results r, side[2];
    const double h = 3e-6, basis[5][3][3] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}},
                                             {{-1, 0, 0}, {0, -1, 0}, {0, 0, 2}},
                                             {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                             {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}},
                                             {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}};
    sw_material soft = material;
    soft.slip.rate_sensitivity = 0.5;
    const sw_response_options options = {.solver = "rigid_plastic", .material = &soft};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    random_crystals(crystal, N);
    const sw_crystals some = sw_crystals_alone(response, N, crystal);
    for (int c = 0; c < 5; c++) {
        sw_points points = points_of(1, N, (const double(*)[3][3])compression, &some, &r);
        with_tangent(&points, &r);
        CHECK_OK(sw_response_step_each(response, &points));
        for (int s = 0; s < 2; s++) {
            double beside[3][3];
            for (int k = 0; k < 9; k++)
                beside[k / 3][k % 3] = compression[k / 3][k % 3] + (s ? h : -h) * basis[c][k / 3][k % 3];
            sw_points other = points_of(1, N, (const double(*)[3][3])beside, &some, &side[s]);
            CHECK_OK(sw_response_step_each(response, &other));
        }
        const double(*b)[3] = basis[c];
        const double along[6] = {b[0][0], b[1][1], b[2][2], 2 * b[1][2], 2 * b[0][2], 2 * b[0][1]};
        for (int i = 0; i < 6; i++) {
            double slope = 0;
            for (int j = 0; j < 6; j++)
                slope += r.by_strain_rate[0][i][j] * along[j];
            CHECK_CLOSE((side[1].stress[0][i] - side[0].stress[0][i]) / (2 * h), slope, 3e-3 * 50e6 / 1e-3);
        }
    }
    sw_response_close(response);
}

/* a x = b; b becomes x. */
static void solve(double a[4][4], double b[4])
{
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = 0; j < 4 && i != k; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (int k = 0; k < 4; k++)
        b[k] /= a[k][k];
}

/* Tension by D11 with all other deviatoric stresses zero, of n crystals: Newton's iterations of a step with the
 * tangent, or its symmetric part; 51: too many. */
static int free_tension(sw_response *response, int symmetric, int taken, double dt, const sw_crystals *c,
                        double d[6])
{
    static const int unknown[4] = {1, 3, 4, 5};
    static results r;
    for (int iteration = 1; iteration <= 50; iteration++) {
        const double l[1][3][3] = {
            {{d[0], d[5] / 2, d[4] / 2}, {d[5] / 2, d[1], d[3] / 2}, {d[4] / 2, d[3] / 2, -d[0] - d[1]}}};
        sw_points points = points_of(1, c->n, l, c, &r);
        with_tangent(&points, &r);
        points.dt = dt;
        points.symmetric = symmetric;
        CHECK_OK(sw_response_step_each(response, &points));
        const double *s = r.stress[0];
        double residual[4] = {s[1] - s[2], s[3], s[4], s[5]}, a[4][4], worst = 0;
        for (int i = 0; i < 4; i++) {
            worst = greatest(worst, fabs(residual[i]) / s[0]);
            for (int j = 0; j < 4; j++) {
                const double(*by)[6] = (const double(*)[6])r.by_strain_rate[0];
                const int row = i == 0 ? 1 : i + 2, u = unknown[j];
                a[i][j] = by[row][u] - (u == 1 ? by[row][2] : 0);
                a[i][j] -= i == 0 ? by[2][u] - (u == 1 ? by[2][2] : 0) : 0;
            }
        }
        if (worst < 1e-4) {
            points.to = taken ? c : NULL;
            CHECK_OK(sw_response_step_each(response, &points));
            return iteration;
        }
        solve(a, residual);
        for (int i = 0; i < 4; i++)
            d[unknown[i]] -= residual[i];
    }
    return 51;
}

/* With the tangent Newton's method converges in two or three iterations a step, and with its symmetric part in as many.
 * After compression, so that the first step is around a corner; steps of 1 % and 0.1 %. (Without a search along its way
 * it may go back and forth about the corners of eight crystals.) */
static void newton_converges(void **state)
{
    (void)state;
    static const int64_t each[] = {ALL, 300, 100};
    for (int c = 0; c < 6; c++) {
        static sw_crystal crystal[ALL];
        static results r;
        const int64_t n = each[c / 2];
        const double dt = c % 2 ? 1 : 10;
        int total[2] = {0}, most[2] = {0};
        sw_response *response = open_solver("elastoplastic");
        double d[6] = {1e-3, -5e-4, 0, 0, 0, 0};
        random_crystals(crystal, n);
        sw_crystals some = crystals_of(response, n, crystal, NULL);
        for (int k = 0; k < 20; k++) {
            sw_points points = points_of(1, n, (const double(*)[3][3])compression, &some, &r);
            points.to = &some;
            CHECK_OK(sw_response_step_each(response, &points));
        }
        for (int k = 0; k < 20; k++) {
            double other[6];
            memcpy(other, d, sizeof other);
            for (int full = 0; full < 2; full++) {
                const int one = free_tension(response, !full, full, dt, &some, full ? d : other);
                total[full] += one;
                most[full] = one > most[full] ? one : most[full];
            }
        }
        print_message(
            "%lld crystals, steps of %g s: %d Newton iterations in 20 steps (at most %d), %d (%d) with the "
            "symmetric part\n",
            (long long)n, dt, total[1], most[1], total[0], most[0]);
        assert_true(total[1] <= 60 && most[1] <= 6 && total[0] <= 60);
        sw_crystals_release(&some);
        sw_response_close(response);
    }
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    static sw_crystal crystal[ALL], before[ALL];
    static results r;
    double l[P][3][3];
    sw_response *response = open_solver("elastoplastic"), *terms = open_solver("terms"),
                *iterative = open_solver("iterative");
    loadings(l);
    random_crystals(crystal, ALL);
    memcpy(before, crystal, sizeof before);
    sw_crystals c = crystals_of(response, ALL, crystal, NULL),
                of_iterative = crystals_of(iterative, ALL, crystal, NULL);
    const sw_crystals of_terms = sw_crystals_alone(terms, ALL, crystal), none = sw_crystals_part(&c, 0, 0);
    sw_points points = points_of(P, N, (const double(*)[3][3])l, &of_iterative, &r);
    assert_int_equal(sw_response_step_each(iterative, &points), SW_ERR_UNAVAILABLE);
    points.from = &of_terms;
    points.by_spin = r.by_spin;
    assert_int_equal(sw_response_step_each(terms, &points), SW_ERR_RANGE);
    assert_message_has("terms");
    points.from = &c;
    points.dt = 0;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
    points.dt = 10;
    points.each = 0;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
    points.each = N;
    l[3][1][1] = NAN;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
    assert_message_has("100 crystals");
    assert_true(isnan(r.stress[3][0]) && isnan(r.slip_rate[3]) && isfinite(r.stress[2][0] + r.stress[4][0]));
    l[3][1][1] = 0;
    l[4][0][1] = 5;
    l[4][1][0] = -5;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
    assert_message_has("100 crystals");
    l[4][0][1] = l[4][1][0] = 0;
    static float weight[ALL];
    for (int i = 0; i < ALL; i++)
        weight[i] = i / N == 2 ? 0 : 1;
    points.by_spin = NULL;
    c.weight = weight;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
    assert_message_has("weights");
    weight[2 * N + 7] = 1;
    CHECK_OK(sw_response_step_each(response, &points));
    weight[5 * N] = -1;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
    assert_true(isnan(r.stress[5][0]) && isfinite(r.stress[4][0]));
    c.weight = NULL;
    crystal[7].slip_resistance = 0;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
    assert_true(isnan(r.stress[0][0]) && isfinite(r.stress[1][0]));
    crystal[7] = before[7];
    points.points = 0;
    points.from = &none;
    CHECK_OK(sw_response_step_each(response, &points));
    assert_memory_equal(before, crystal, sizeof before);
    sw_crystals_release(&c);
    sw_crystals_release(&of_iterative);
    sw_response_close(response);
    sw_response_close(terms);
    sw_response_close(iterative);
}

/* A trace is left out; a hold is a step; nothing flows where nothing is strained, or evenly to round-off. */
static void traces_and_rest(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    static results r, with;
    const double rest[2][3][3] = {{{0}}, {{-1.1e-3}, {0, nextafter(-1.1e-3, 0)}, {0, 0, -1.1e-3}}};
    double l[3][3];
    memcpy(l, compression, sizeof l);
    for (int i = 0; i < 3; i++)
        l[i][i] += 3e-4;
    for (int s = 0; s < 2; s++) {
        sw_response *response = open_solver(exact[s]);
        random_crystals(crystal, N);
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        sw_points points = points_of(1, N, (const double(*)[3][3])compression, &c, &r),
                  traced = points_of(1, N, (const double(*)[3][3])l, &c, &with),
                  still = points_of(2, N / 2, rest, &c, &with);
        CHECK_OK(sw_response_step_each(response, &points));
        CHECK_OK(sw_response_step_each(response, &traced));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(with.stress[0][i], r.stress[0][i], 50e6 * 1e-5);
        with_tangent(&still, &with);
        CHECK_OK(sw_response_step_each(response, &still));
        for (int p = 0; p < 2; p++) {
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(with.stress[p][i], 0, 0);
            CHECK_CLOSE(with.slip_rate[p], 0, 0);
            for (int i = 0; i < 36 && s == 1; i++)
                CHECK_CLOSE(with.by_strain_rate[p][i / 6][i % 6], 0, 0);
        }
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_point_is_the_shared_step),
        cmocka_unit_test(looked_up_points_are_evaluations),
        cmocka_unit_test(points_are_alone),
        cmocka_unit_test(points_have_laws_of_their_own),
        cmocka_unit_test(points_have_durations_of_their_own),
        cmocka_unit_test(weights_are_repeats),
        cmocka_unit_test(rigid_tangents_know_the_rate_sensitivity),
        cmocka_unit_test(rigid_tangents_are_differences),
        cmocka_unit_test(newton_converges),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(traces_and_rest),
    };
    return cmocka_run_group_tests(tests, set_up, free_copper_database);
}
