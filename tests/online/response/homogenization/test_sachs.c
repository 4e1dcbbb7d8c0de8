/* Polycrystals by `sachs`: one stress for all, the mean of their strain rates; against VPSC8. And points, of both `sachs` and `alamel`:
 * as all crystals in one, tangents, the same bits however many threads and points there are. */
#include "tests/online/response/homogenization/polycrystals.h"
#include "tests/validation/reference_crystals.h"

#include <omp.h>

/* By weight, of crystals that resist differently. 2e-6 of D: angles and Schmid factors are in single precision, 6e-8 to 1e-7, and n is
 * 83, but crystals' errors cancel. */
static void strain_rates_of_one_stress_have_the_mean_that_is_given(void **state)
{
    (void)state;
    enum { N = 300 };
    static const double sensitivity[] = {0.012, 0.05, 0.5, 0.05, 0.2};
    for (int i = 0; i < 5; i++) {
        sw_material m = i < 3 ? copper() : material_of(i == 3 ? hexagonal_18 : hexagonal_24);
        sw_crystal crystal[N];
        float weight[N];
        sw_response_average average;
        double d[3][3] = {{0}}, all = 0;
        m.slip.rate_sensitivity = sensitivity[i];
        sw_response *response = open_under(&m, "sachs");
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 4, 0, (float)m.slip.initial_slip_resistance));
        for (int k = 0; k < N; k++) {
            crystal[k].slip_resistance *= 1 + 0.3F * (float)(k % 3);
            weight[k] = (float)(k % 5);
            all += weight[k];
        }
        const sw_crystals c = crystals_of(response, N, crystal, weight);
        CHECK_OK(sw_response_evaluate_mean(response, mixed, &c, &average));
        for (int k = 0; k < N; k++) {
            double own[3][3];
            slip_law(&m, &crystal[k], (const double(*)[3])average.cauchy_stress, own);
            for (int j = 0; j < 9; j++)
                d[j / 3][j % 3] += weight[k] / all * own[j / 3][j % 3];
        }
        for (int j = 0; j < 9; j++)
            CHECK_CLOSE(d[j / 3][j % 3], 0.5 * (mixed[j / 3][j % 3] + mixed[j % 3][j / 3]), 2e-6 * 1e-3);
        sw_response_close(response);
    }
}

/* ---- VPSC8 ---- */

/* Every 17th crystal of a file, 50 of them. */
static void take_some(polycrystal *p, sw_crystal crystal[50], float weight[50])
{
    const sw_crystal_filter all = {0};
    CHECK_OK(sw_crystal_file_read_with(data_path("reference/vpsc-zirconium-plate.tex"), &all, &p->list));
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 3; i++)
            crystal[k].euler[i] = (float)p->list.euler[17 * k][i];
        crystal[k].slip_resistance = (float)p->material.slip.initial_slip_resistance;
        weight[k] = p->list.weight[17 * k];
    }
}

/* Rows: STR_STR.OUT's von Mises stress and deviator 11 22 33 23 13 12, in units of the resistance, of the state after so many steps of
 * 0.005 along 1. VPSC8 (99ad39b8) with ex02_FCC/FCC.sx, no hardening, those crystals, INTERACTION 3 of neff 1e5, tolerances 1e-8 (20,000
 * to 200,000 iterations a step; of neff 1e4 and n = 20 it is 0.7 % above: crystals that slip a hundred times as much as the mean feel
 * that there are others), plane strain along 1 and 3 at 1 1/s, gamd0 = 1. */
static void check_rows(double sensitivity, int rows, const double row[][7], double bound)
{
    polycrystal p = {.material = copper()};
    sw_crystal crystal[50];
    float weight[50];
    const double gradient[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, -1}};
    p.material.slip.reference_slip_rate = 1;
    p.material.slip.rate_sensitivity = sensitivity;
    p.material.slip.initial_slip_resistance = 1e6;
    p.material.hardening = (sw_hardening){SW_LAW_voce, {0, 2e6, 1}};
    take_some(&p, crystal, weight);
    p.response = open_under(&p.material, "sachs");
    p.crystals = crystals_of(p.response, 50, crystal, weight);
    for (int k = 0; k < rows; k++) {
        static const int at[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
        sw_response_average mean;
        CHECK_OK(sw_response_evaluate_mean(p.response, gradient, &p.crystals, &mean));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(1e-6 * mean.cauchy_stress[at[i]][column[i]], row[k][i + 1],
                        bound * (1 + k) * row[k][0]);
        CHECK_OK(sw_response_advance(p.response, gradient, 0.005, &p.crystals, &p.crystals, &mean));
    }
    sw_crystals_release(&p.crystals);
    sw_crystal_list_free(&p.list);
    sw_response_close(p.response);
}

static void vpsc8_comes_to_the_same(void **state)
{
    (void)state;
    static const double n_5[][7] = {{2.3578, 1.3384, -0.025034, -1.3134, -0.083987, 0.29571, 0.0084756},
                                    {2.3609, 1.3400, -0.025966, -1.3140, -0.084252, 0.29885, 0.0081028},
                                    {2.3641, 1.3416, -0.026869, -1.3148, -0.084505, 0.30202, 0.0077678},
                                    {2.3673, 1.3432, -0.027731, -1.3155, -0.084711, 0.30506, 0.0074875},
                                    {2.3704, 1.3448, -0.028550, -1.3162, -0.084870, 0.30798, 0.0072616}};
    static const double n_20[][7] = {{2.1029, 1.2503, -0.12392, -1.1264, -0.081051, 0.19022, -0.087701},
                                     {2.1306, 1.2683, -0.14839, -1.1199, -0.073333, 0.23553, -0.098911}};
    check_rows(0.2, 5, n_5, 3e-4);
    check_rows(0.05, 2, n_20, 1e-3);
}

/* ---- Points ---- */

static const char *const names[] = {"sachs", "alamel"};

/* Of all points in one call, by one thread and by two, with a tangent and without. */
static void check_bits(sw_response *response, const double l[P][3][3], const sw_crystals *from,
                       const results *expected)
{
    static results other;
    const int threads = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(1 + k);
        CHECK_OK(step_points(response, P, l, from, NULL, k, &other));
        assert_memory_equal(other.stress, expected->stress, sizeof other.stress);
        assert_memory_equal(other.slip_resistance, expected->slip_resistance, sizeof other.slip_resistance);
        assert_memory_equal(other.slip_rate, expected->slip_rate, sizeof other.slip_rate);
    }
    omp_set_num_threads(threads);
}

/* A polycrystal alone through the same step: its state at the end, and the slip rate with which it begins, are those of its point: to a
 * float's last digit in one of the crystals. */
static void check_alone(sw_response *response, int p, const double l[3][3], const sw_crystals *from,
                        const sw_crystals *to, const results *r)
{
    sw_response_average average;
    sw_crystals alone, own = sw_crystals_part(from, p * N, N);
    CHECK_OK(sw_crystals_make(response, N, &alone));
    CHECK_OK(sw_response_advance(response, l, 8, &own, &alone, &average));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(alone.crystal[i].euler[k], to->crystal[p * N + i].euler[k], 1e-6);
    CHECK_CLOSE(average.slip_rate, r->slip_rate[p], 5e-9 * r->slip_rate[p]);
    CHECK_CLOSE(average.slip_resistance, r->slip_resistance[p], 5e-9 * r->slip_resistance[p]);
    sw_crystals_release(&alone);
}

static void points_are_polycrystals(void **state)
{
    (void)state;
    const sw_material of[] = {copper(), material_of(hexagonal_18)};
    double l[P][3][3];
    loadings(l);
    for (int i = 0; i < 4; i++) {
        const sw_material *m = &of[i / 2];
        static sw_crystal crystal[ALL];
        static results r;
        sw_response *response = open_under(m, names[i % 2]);
        sw_crystals to;
        CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, crystal, 6, 0, (float)m->slip.initial_slip_resistance));
        sw_crystals from = crystals_of(response, ALL, crystal, NULL);
        CHECK_OK(sw_crystals_make(response, ALL, &to));
        CHECK_OK(step_points(response, P, (const double(*)[3][3])l, &from, &to, 0, &r));
        check_bits(response, (const double(*)[3][3])l, &from, &r);
        for (int p = 0; p < P; p++)
            check_alone(response, p, (const double(*)[3])l[p], &from, &to, &r);
        sw_crystals_release(&from);
        sw_crystals_release(&to);
        sw_response_close(response);
    }
}

/* Against central differences of 0.1 % of D; m = 0.2. No spin is in them. */
static void tangents_are_those_of_the_step(void **state)
{
    (void)state;
    sw_material of[] = {copper(), material_of(hexagonal_18)};
    for (int i = 0; i < 4; i++) {
        sw_material *m = &of[i / 2];
        double l[P][3][3];
        static sw_crystal crystal[N];
        static results r;
        loadings(l);
        m->slip.rate_sensitivity = 0.2;
        sw_response *response = open_under(m, names[i % 2]);
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, (float)m->slip.initial_slip_resistance));
        sw_crystals from = crystals_of(response, N, crystal, NULL);
        check_tangent(response, (const double(*)[3])l[2], &from, 0.01, &r);
        for (int k = 0; k < 18; k++)
            assert_true(r.by_spin[0][k / 3][k % 3] == 0);
        sw_crystals_release(&from);
        sw_response_close(response);
    }
}

/* Crystals that are no numbers leave their point without results, and the others as they are; D = 0 has no stress. */
static void what_has_no_answer_says_so(void **state)
{
    (void)state;
    const sw_material m = copper();
    double l[P][3][3];
    loadings(l);
    memset(l[3], 0, sizeof l[3]);
    for (int i = 0; i < 2; i++) {
        static sw_crystal crystal[ALL];
        static results r;
        sw_response *response = open_under(&m, names[i]);
        CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, crystal, 6, 0, 16e6F));
        crystal[N + 7].slip_resistance = -1;
        sw_crystals from = crystals_of(response, ALL, crystal, NULL);
        assert_int_equal(step_points(response, P, (const double(*)[3][3])l, &from, NULL, 0, &r),
                         SW_ERR_CONVERGENCE);
        assert_true(isnan(r.stress[1][0]));
        for (int p = 0; p < P; p++)
            assert_true(p == 1 || isfinite(r.stress[p][0]));
        for (int k = 0; k < 6; k++)
            assert_true(r.stress[3][k] == 0);
        CHECK_CLOSE(r.slip_resistance[3], 16e6, 1);
        sw_crystals_release(&from);
        sw_response_close(response);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strain_rates_of_one_stress_have_the_mean_that_is_given),
        cmocka_unit_test(vpsc8_comes_to_the_same), cmocka_unit_test(points_are_polycrystals),
        cmocka_unit_test(tangents_are_those_of_the_step), cmocka_unit_test(what_has_no_answer_says_so)};
    return cmocka_run_group_tests_name("crystals of one stress", tests, NULL, NULL);
}
