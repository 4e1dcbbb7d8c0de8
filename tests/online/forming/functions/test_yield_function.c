/* Yield functions: published numbers, special cases, and what makes them yield functions. */
#include "tests/test.h"

#include "aa2090.h"
#include "random_stress.h"

enum { STRESSES = 300 };

static const double degree = 3.14159265358979323846 / 180;

static double mises(const double s[6])
{
    return sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)) +
                3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* A function number k with coefficients that are off their isotropic values by up to 40 %. */
static sw_yield scattered(int function, uint64_t k)
{
    sw_yield y = sw_yield_isotropic(function, 2 + 2 * (double)(k % 4), 1);
    for (int i = 0; i < y.function->coefficients; i++) {
        double u[4];
        sw_random_uniform4(7, k, (uint64_t)i, u);
        y.coefficient[i] *= 1 + 0.4 * (2 * u[0] - 1);
    }
    return y;
}

/* Coefficients have four decimals: what they change by 5e-5 each, eight of them, is below 1e-3 of a stress and 4e-3 of r. */
static void yld2000_2d_gives_the_published_numbers(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2000();
    double stress, q;
    for (int i = 0; i < AA2090_ANGLES; i += 3) {
        sw_yield_uniaxial(&y, i * 15 * degree, &stress, &q);
        CHECK_CLOSE(stress, aa2090_stress[i], 1e-3);
        CHECK_CLOSE(sw_r_of_q(q), aa2090_r[i], 4e-3);
    }
    sw_yield_biaxial(&y, &stress, &q);
    CHECK_CLOSE(stress, aa2090_biaxial_stress, 1e-3);
    CHECK_CLOSE(sw_r_of_q(q), aa2090_biaxial_r, 4e-3);
}

/* A least squares fit of 16 numbers, so near them and not on them: about 1 % of stresses, 0.06 of r. */
static void yld2004_18p_is_near_the_measured_numbers(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2004();
    double stress, q;
    for (int i = 0; i < AA2090_ANGLES; i++) {
        sw_yield_uniaxial(&y, i * 15 * degree, &stress, &q);
        CHECK_CLOSE(stress, aa2090_stress[i], 0.012);
        CHECK_CLOSE(sw_r_of_q(q), aa2090_r[i], 0.06);
    }
    sw_yield_biaxial(&y, &stress, &q);
    CHECK_CLOSE(stress, aa2090_biaxial_stress, 0.012);
    CHECK_CLOSE(sw_r_of_q(q), aa2090_biaxial_r, 0.06);
}

/* ---- Without principal values: for even a, sum_ij (x_i - y_j)^a = sum_k (a over k) (-1)^k tr X^(a-k) tr Y^k ---- */

static void transformed(const double *c, const double s[6], double x[3][3])
{
    const double p = (s[0] + s[1] + s[2]) / 3, d[3] = {s[0] - p, s[1] - p, s[2] - p};
    const double full[3][3] = {{-c[0] * d[1] - c[1] * d[2], c[8] * s[5], c[7] * s[4]},
                               {c[8] * s[5], -c[2] * d[0] - c[3] * d[2], c[6] * s[3]},
                               {c[7] * s[4], c[6] * s[3], -c[4] * d[0] - c[5] * d[1]}};
    memcpy(x, full, sizeof full);
}

static void traces(double x[3][3], int most, double *trace)
{
    double power[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k <= most; k++) {
        double next[3][3] = {{0}};
        trace[k] = power[0][0] + power[1][1] + power[2][2];
        for (int i = 0; i < 27; i++)
            next[i / 9][i / 3 % 3] += power[i / 9][i % 3] * x[i % 3][i / 3 % 3];
        memcpy(power, next, sizeof next);
    }
}

static double yld2004_by_traces(const double *c, int a, const double s[6])
{
    double x[3][3], y[3][3], of_x[9], of_y[9], sum = 0, binomial = 1;
    transformed(c, s, x);
    transformed(c + 9, s, y);
    traces(x, a, of_x);
    traces(y, a, of_y);
    for (int k = 0; k <= a; k++) {
        sum += (k % 2 == 0 ? binomial : -binomial) * of_x[a - k] * of_y[k];
        binomial *= (double)(a - k) / (k + 1);
    }
    return pow(sum / 4, 1.0 / a);
}

/* The sum of the traces loses digits by terms that cancel: up to 2^8 of them, and their eighth root gives back three bits. */
static void yld2004_18p_is_what_traces_say(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2004();
    for (uint64_t k = 0; k < STRESSES; k++) {
        double s[6];
        random_stress(k, 0, s);
        const double expected = yld2004_by_traces(y.coefficient, 8, s);
        CHECK_CLOSE(sw_yield_value(&y, s, NULL), expected, 1e-11 * expected);
    }
}

static void all_can_be_von_mises(void **state)
{
    (void)state;
    for (int f = 0; f < SW_YIELD_FUNCTIONS; f++)
        for (int a = 2; a <= 4; a += 2)
            for (uint64_t k = 0; k < STRESSES; k++) {
                const sw_yield y = sw_yield_isotropic(f, a, 1);
                double s[6];
                random_stress(k, y.function->plane_stress, s);
                CHECK_CLOSE(sw_yield_value(&y, s, NULL), mises(s), 1e-13 * mises(s));
            }
}

static void hill48_has_its_closed_forms(void **state)
{
    (void)state;
    const sw_yield y = {.function = &sw_yield_functions[SW_YIELD_HILL48],
                        .coefficient = {0.3, 0.6, 0.4, 1.5, 1.5, 2.1},
                        .reference = 1};
    const double *c = y.coefficient, r[3] = {c[2] / c[1], c[5] / (c[0] + c[1]) - 0.5, c[2] / c[0]};
    double stress, q;
    for (int i = 0; i < 3; i++) {
        sw_yield_uniaxial(&y, i * 45 * degree, &stress, &q);
        CHECK_CLOSE(sw_r_of_q(q), r[i], 1e-14 * (1 + r[i]) * (1 + r[i]));
    }
    sw_yield_biaxial(&y, &stress, &q);
    CHECK_CLOSE(stress, 1 / sqrt(c[0] + c[1]), 1e-14);
    CHECK_CLOSE(sw_r_of_q(q), c[0] / c[1], 1e-14);
}

/* ---- What holds for all ---- */

/* Central differences of 1e-5: their error is 1e-10 of third derivatives, of order a^2 < 100, and 1e-16 / 1e-5 of
 * round-off. A stored shear stands for two components. */
static void check_gradient(const sw_yield *y, const double s[6])
{
    double d[6], there[6], work = 0;
    const double phi = sw_yield_value(y, s, d);
    for (int i = 0; i < 6; i++) {
        if (y->function->plane_stress && (i == 3 || i == 4))
            continue;
        double ends[2];
        for (int end = 0; end < 2; end++) {
            memcpy(there, s, sizeof there);
            there[i] += end == 0 ? 1e-5 : -1e-5;
            ends[end] = sw_yield_value(y, there, NULL);
        }
        CHECK_CLOSE((i < 3 ? 1 : 2) * d[i], (ends[0] - ends[1]) / 2e-5, 1e-7);
    }
    for (int i = 0; i < 6; i++)
        work += (i < 3 ? 1 : 2) * d[i] * s[i];
    CHECK_CLOSE(work, phi, 1e-13 * phi); /* Euler */
    CHECK_CLOSE(d[0] + d[1] + d[2], 0, 1e-13);
}

/* Those of gradients' central differences: likewise, with third derivatives of phi of order a^3 < 1000, where principal values
 * are a hundredth apart at least. */
static void check_curvature(const sw_yield *y, const double s[6])
{
    double h[6][6];
    y->function->curvature(y->coefficient, y->exponent, s, h);
    for (int j = 0; j < 6; j++) {
        double there[6], d[2][6];
        for (int end = 0; end < 2; end++) {
            memcpy(there, s, sizeof there);
            there[j] += end == 0 ? 1e-5 : -1e-5;
            sw_yield_value(y, there, d[end]);
        }
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h[i][j], (i < 3 ? 1 : 2) * (d[0][i] - d[1][i]) / 2e-5, 2e-5);
    }
}

static void curvatures_are_those_of_differences(void **state)
{
    static const double along[3][6] = {{1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}};
    (void)state;
    for (uint64_t k = 0; k < STRESSES; k++) {
        sw_yield y = scattered(SW_YIELD_YLD2004_18P, k);
        double s[6];
        random_stress(k, 0, s);
        y.exponent =
            fmax(y.exponent, 3); /* of lower ones third derivatives are large where two values are the same */
        check_curvature(&y, s);
        y = sw_yield_isotropic(SW_YIELD_YLD2004_18P, 8, 1); /* axes are not determined */
        check_curvature(&y, along[k % 3]);
    }
}

static void gradients_are_those_of_differences(void **state)
{
    (void)state;
    for (int f = 0; f < SW_YIELD_FUNCTIONS; f++)
        for (uint64_t k = 0; k < STRESSES; k++) {
            const sw_yield y = scattered(f, k);
            double s[6];
            random_stress(k, y.function->plane_stress, s);
            check_gradient(&y, s);
        }
}

/* Two principal values are equal there, and their directions any. */
static void gradients_are_right_where_principal_values_meet(void **state)
{
    (void)state;
    for (int f = 0; f < SW_YIELD_FUNCTIONS; f++) {
        const sw_yield y = sw_yield_isotropic(f, 8, 1);
        double s[6], d[6], stress, q;
        for (int i = 0; i < 12; i++) {
            sw_yield_uniaxial(&y, i * 15 * degree, &stress, &q);
            CHECK_CLOSE(stress, 1, 1e-14);
            CHECK_CLOSE(q, 0.5, 1e-13);
        }
        memset(s, 0, sizeof s);
        CHECK_CLOSE(sw_yield_value(&y, s, d), 0, 0);
        for (int i = 0; i < 6; i++)
            assert_true(d[i] == 0);
    }
}

static void check_shape(const sw_yield *y, uint64_t k)
{
    const int in_plane = y->function->plane_stress;
    double a[6], b[6], sum[6], scaled[6];
    random_stress(2 * k, in_plane, a);
    random_stress(2 * k + 1, in_plane, b);
    for (int i = 0; i < 6; i++) {
        sum[i] = a[i] + b[i];
        scaled[i] = -3e8 * a[i] + (i < 3 ? 1e8 : 0);
    }
    const double of_a = sw_yield_value(y, a, NULL), of_b = sw_yield_value(y, b, NULL);
    /* 1e8 of pressure takes a digit from stresses of 3e8 */
    CHECK_CLOSE(sw_yield_value(y, scaled, NULL), 3e8 * of_a, 3e8 * 1e-14);
    assert_true(sw_yield_value(y, sum, NULL) <= (of_a + of_b) * (1 + 1e-14));
}

static void functions_are_homogeneous_even_and_convex(void **state)
{
    (void)state;
    for (int f = 0; f < SW_YIELD_FUNCTIONS; f++)
        for (uint64_t k = 0; k < STRESSES; k++) {
            const sw_yield y = scattered(f, k);
            assert_true(sw_yield_is_convex(&y));
            check_shape(&y, k);
        }
}

static void hill48_knows_where_it_is_not_convex(void **state)
{
    (void)state;
    sw_yield y = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    y.coefficient[2] = -0.24; /* FG + GH + HF = 0.01 */
    assert_true(sw_yield_is_convex(&y));
    y.coefficient[2] = -0.26; /* -0.01 */
    assert_false(sw_yield_is_convex(&y));
    y = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    y.coefficient[5] = -1;
    assert_false(sw_yield_is_convex(&y));
    y.coefficient[5] = NAN;
    assert_false(sw_yield_is_convex(&y));
}

static void r_and_q_are_each_others_inverse(void **state)
{
    (void)state;
    assert_true(sw_q_of_r(0) == 0 && sw_q_of_r(INFINITY) == 1 && sw_r_of_q(0) == 0 && isinf(sw_r_of_q(1)));
    CHECK_CLOSE(sw_r_of_q(sw_q_of_r(2.5)), 2.5, 1e-15 * 2.5 * 3.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yld2000_2d_gives_the_published_numbers),
        cmocka_unit_test(yld2004_18p_is_near_the_measured_numbers),
        cmocka_unit_test(yld2004_18p_is_what_traces_say),
        cmocka_unit_test(all_can_be_von_mises),
        cmocka_unit_test(hill48_has_its_closed_forms),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(curvatures_are_those_of_differences),
        cmocka_unit_test(gradients_are_right_where_principal_values_meet),
        cmocka_unit_test(functions_are_homogeneous_even_and_convex),
        cmocka_unit_test(hill48_knows_where_it_is_not_convex),
        cmocka_unit_test(r_and_q_are_each_others_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
