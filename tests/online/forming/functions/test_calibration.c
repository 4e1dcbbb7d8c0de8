/* Fits of yield functions: surfaces that are known come back, published coefficients come out of measured numbers. */
#include "tests/test.h"

#include "aa2090.h"
#include "made_sheet.h"
#include "online/forming/functions/calibration.h"

enum { STRESSES = 2000, STARTS = 24 };

static const sw_calibration_weights all_weights = {1, 0.1, 1, 1};

/* Yield stresses along random rays: the largest relative difference. */
static double difference(const sw_yield *a, const sw_yield *b, int in_plane)
{
    double worst = 0;
    for (uint64_t k = 0; k < STRESSES; k++) {
        double s[6];
        random_stress(9000 + k, in_plane, s);
        const double of_a = a->reference / sw_yield_value(a, s, NULL),
                     of_b = b->reference / sw_yield_value(b, s, NULL);
        worst = greatest(worst, fabs(of_b / of_a - 1));
    }
    return worst;
}

/* Least squares without a residual end at round-off; 1e-6 of a stress is asked for. The Jacobian's error and what draws the
 * coefficients leave 1e-8 at most where the surface is nearly flat. */
static void check_comes_back(const sw_yield *y, int points, int in_plane, int determined)
{
    made_sheet m;
    sw_calibration fit;
    make_sheet(y, points, in_plane, &m);
    CHECK_OK(sw_calibrate(y, &m.sheet, &all_weights, STARTS, 1, &fit));
    CHECK_CLOSE(difference(y, &fit.surface, in_plane), 0, 1e-6);
    assert_int_equal(fit.determined, determined);
    assert_true(sw_yield_is_convex(&fit.surface));
    for (int k = 0; k < SW_CALIBRATION_KINDS; k++)
        CHECK_CLOSE(fit.largest[k], 0, 1e-6);
    sw_calibration_free(&fit);
}

static sw_yield at_200_mpa(sw_yield y)
{
    y.reference = 200e6;
    return y;
}

static sw_yield a_hill48(void)
{
    return (sw_yield){.function = &sw_yield_functions[SW_YIELD_HILL48],
                      .coefficient = {0.3, 0.6, 0.4, 1.2, 1.9, 2.1},
                      .reference = 200e6};
}

static void a_yld2000_2d_surface_comes_back(void **state)
{
    (void)state;
    const sw_yield y = at_200_mpa(aa2090_yld2000());
    check_comes_back(&y, 0, 1, 8);
    check_comes_back(&y, POINTS, 1, 8);
}

/* Of its 18 coefficients 16 are independent (both transformed stresses may be shifted by the same pressure, any linear
 * function of the deviator), and a sheet's plane knows nothing of four shears. */
static void a_yld2004_18p_surface_comes_back(void **state)
{
    (void)state;
    const sw_yield y = at_200_mpa(aa2090_yld2004());
    check_comes_back(&y, POINTS, 1, 12);
    check_comes_back(&y, POINTS, 0, 16);
}

static void a_hill48_surface_comes_back(void **state)
{
    (void)state;
    const sw_yield y = a_hill48();
    check_comes_back(&y, 0, 1, 4);
    check_comes_back(&y, POINTS, 0, 6);
}

/* With a coefficient at zero, where what counts by its size has no slope: data that determine it leave it there, and it is
 * not called undetermined. 12 of Yld2004-18p's are of the plane; none of Yld2000-2d's is not. */
static void a_coefficient_at_zero_is_found_and_is_known(void **state)
{
    (void)state;
    static const struct {
        int function, coefficient, determined;
    } cases[] = {{SW_YIELD_YLD2004_18P, 8, 12},
                 {SW_YIELD_YLD2004_18P, 17, 12},
                 {SW_YIELD_YLD2000_2D, 6, 8},
                 {SW_YIELD_YLD2000_2D, 7, 8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sw_yield y =
            at_200_mpa(cases[k].function == SW_YIELD_YLD2000_2D ? aa2090_yld2000() : aa2090_yld2004());
        made_sheet m;
        sw_calibration fit;
        y.coefficient[cases[k].coefficient] = 0;
        check_comes_back(&y, POINTS, 1, cases[k].determined);
        make_sheet(&y, POINTS, 1, &m);
        CHECK_OK(sw_calibrate(&y, &m.sheet, &all_weights, STARTS, 1, &fit));
        const unsigned out_of_plane = cases[k].function == SW_YIELD_YLD2000_2D ? 0 : 3U << 6 | 3U << 15;
        assert_int_equal(fit.surface.undetermined, out_of_plane);
        sw_calibration_free(&fit);
    }
}

/* F G H N from r at 0, 45 and 90 degrees, with G + H = 1; and from four stresses. What is not fitted is reported. */
static void hill48_is_fitted_to_r_values_or_to_stresses(void **state)
{
    (void)state;
    sw_sheet_tension tension[AA2090_ANGLES];
    const sw_sheet sheet = aa2090_sheet(150e6, 3, tension);
    const sw_yield y = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    const double r0 = aa2090_r[0], r45 = aa2090_r[3], r90 = aa2090_r[6];
    const double f = r0 / r90 / (1 + r0), g = 1 / (1 + r0);
    const double by_r[4] = {f, g, r0 / (1 + r0), (r45 + 0.5) * (f + g)};
    sw_calibration fit;
    CHECK_OK(sw_calibrate(&y, &sheet, &(sw_calibration_weights){0, 1, 0, 0}, 1, 1, &fit));
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(fit.surface.coefficient[i < 3 ? i : 5], by_r[i], 1e-9);
    CHECK_CLOSE(fit.largest[SW_CALIBRATION_R], 0, 1e-9);
    assert_true(fit.largest[SW_CALIBRATION_STRESS] > 0.1 && fit.surface.reference == 150e6);
    sw_calibration_free(&fit);

    const double s0 = 1, s45 = pow(aa2090_stress[3], -2), s90 = pow(aa2090_stress[6], -2),
                 sb = pow(aa2090_biaxial_stress, -2); /* G + H, .., F + H, F + G */
    const double by_stress[4] = {(s90 + sb - s0) / 2, (s0 + sb - s90) / 2, (s0 + s90 - sb) / 2,
                                 2 * s45 - sb / 2};
    CHECK_OK(sw_calibrate(&y, &sheet, &(sw_calibration_weights){1, 0, 1, 0}, 1, 1, &fit));
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(fit.surface.coefficient[i < 3 ? i : 5], by_stress[i], 1e-9);
    assert_true(fit.largest[SW_CALIBRATION_R] > 0.1);
    sw_calibration_free(&fit);
}

/* The same by name, whatever else the sheet has: coefficients are those of 0, 45 and 90 degrees alone. */
static void hill48_by_r_or_by_stress_is_exact_there(void **state)
{
    (void)state;
    static const int at[3] = {0, 3, 6};
    sw_sheet_tension tension[AA2090_ANGLES];
    sw_sheet sheet = aa2090_sheet(150e6, 1, tension);
    sw_calibration fit;
    CHECK_OK(sw_calibrate_hill48(SW_BY_R, &sheet, &fit));
    assert_true(fit.by == SW_BY_R && fit.surface.undetermined == 030);
    double stress, q;
    for (int k = 0; k < 3; k++) {
        sw_yield_uniaxial(&fit.surface, tension[at[k]].angle, &stress, &q);
        CHECK_CLOSE(q, sw_q_of_r(aa2090_r[at[k]]), 1e-9);
        if (k == 0)
            CHECK_CLOSE(stress, 150e6, 1);
    }
    sw_calibration_free(&fit);
    CHECK_OK(sw_calibrate_hill48(SW_BY_STRESS, &sheet, &fit));
    for (int k = 0; k < 3; k++) {
        sw_yield_uniaxial(&fit.surface, tension[at[k]].angle, &stress, NULL);
        CHECK_CLOSE(stress, 150e6 * aa2090_stress[at[k]], 1);
    }
    sw_yield_biaxial(&fit.surface, &stress, NULL);
    CHECK_CLOSE(stress, 150e6 * aa2090_biaxial_stress, 1);
    sw_calibration_free(&fit);
    tension[3].angle = 3 * acos(-1) / 4; /* 135 degrees are 45 by symmetry */
    CHECK_OK(sw_calibrate_hill48(SW_BY_R, &sheet, &fit));
    sw_calibration_free(&fit);
    tension[3].angle = 0.7;
    assert_int_equal(sw_calibrate_hill48(SW_BY_R, &sheet, &fit), SW_ERR_RANGE);
    assert_message_has("0, 45 and 90 degrees");
    tension[3].angle = acos(-1) / 4;
    sheet.biaxial_stress = 0;
    assert_int_equal(sw_calibrate_hill48(SW_BY_STRESS, &sheet, &fit), SW_ERR_RANGE);
}

/* The paper's eight coefficients are of these eight numbers: equal to what their four decimals let one ask for. */
static void yld2000_2d_of_the_measured_numbers_is_the_published_one(void **state)
{
    (void)state;
    sw_sheet_tension tension[AA2090_ANGLES];
    const sw_sheet sheet = aa2090_sheet(1, 3, tension);
    const sw_yield published = aa2090_yld2000();
    sw_calibration fit;
    CHECK_OK(sw_calibrate(&published, &sheet, &(sw_calibration_weights){1, 1, 1, 0}, STARTS, 1, &fit));
    for (int k = 0; k < SW_CALIBRATION_KINDS; k++)
        CHECK_CLOSE(fit.largest[k], 0, 1e-8);
    for (int i = 0; i < 8; i++)
        CHECK_CLOSE(fit.surface.coefficient[i], published.coefficient[i], 2e-3);
    sw_calibration_free(&fit);
}

/* As ideal orientations have them. */
static void r_may_be_zero_and_infinite(void **state)
{
    (void)state;
    sw_sheet_tension tension[3] = {
        {0, 100e6, 0}, {acos(-1) / 4, 110e6, INFINITY}, {acos(-1) / 2, 105e6, NAN}};
    const sw_sheet sheet = {.n_tensions = 3, .tension = tension, .biaxial_r = NAN};
    const sw_yield y = sw_yield_isotropic(SW_YIELD_YLD2000_2D, 8, 1);
    sw_calibration fit;
    CHECK_OK(sw_calibrate(&y, &sheet, &(sw_calibration_weights){1, 1, 1, 1}, STARTS, 1, &fit));
    assert_int_equal(fit.given[SW_CALIBRATION_R], 2);
    assert_int_equal(fit.given[SW_CALIBRATION_BIAXIAL_STRESS] + fit.given[SW_CALIBRATION_BIAXIAL_R], 0);
    for (int i = 0; i < fit.n_items; i++)
        assert_true(isfinite(fit.item[i].fitted));
    assert_true(fit.largest[SW_CALIBRATION_R] < 0.2);
    sw_calibration_free(&fit);
}

/* Two deviators, of which Yld2000-2d takes the one without 23 and 13, whatever its pressure. */
static void points_with_shear_out_of_the_plane_are_left_to_others(void **state)
{
    (void)state;
    sw_sheet_point point[2] = {{{60e6, -20e6, -40e6, 0, 0, 30e6}, {0}},
                               {{60e6, -20e6, -40e6, 30e6, 0, 0}, {0}}};
    const sw_sheet sheet = {.n_points = 2, .point = point, .biaxial_r = NAN};
    for (int f = 0; f < SW_YIELD_FUNCTIONS; f++) {
        const sw_yield y = sw_yield_isotropic(f, 8, 1);
        sw_calibration fit;
        CHECK_OK(sw_calibrate(&y, &sheet, &all_weights, 4, 1, &fit));
        assert_int_equal(fit.given[SW_CALIBRATION_POINT], f == SW_YIELD_YLD2000_2D ? 1 : 2);
        assert_int_equal(fit.skipped, f == SW_YIELD_YLD2000_2D ? 1 : 0);
        assert_int_equal(fit.given[SW_CALIBRATION_FLOW], 0);
        CHECK_CLOSE(fit.largest[SW_CALIBRATION_POINT], 0, 1e-6);
        sw_calibration_free(&fit);
    }
}

/* A section at sigma12 = 0 of a sheet that is not quite orthotropic: shear that the search leaves, and flow of it. Nothing
 * is known of shear then, whatever has a weight, with tensions along the axes or without; noise is no data. */
static void noise_of_shear_says_nothing_of_it(void **state)
{
    (void)state;
    static const unsigned unknown[SW_YIELD_FUNCTIONS] = {070, 0300,
                                                         0700700}; /* L M N; alpha7 8; all shears */
    static const int most[SW_YIELD_FUNCTIONS] = {3, 6, 12};
    static const sw_calibration_weights weights[3] = {{1, 0.1, 1, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};
    const sw_yield y = a_hill48();
    made_sheet m;
    make_sheet(&y, POINTS, 1, &m);
    m.tension[1] = m.tension[TENSIONS - 1];
    for (int k = 0; k < POINTS; k++) {
        const double turn = k * acos(-1) / 24, s[6] = {cos(turn), sin(turn), 0, 0, 0, 0};
        const double phi = sw_yield_value(&y, s, m.point[k].strain_rate);
        for (int i = 0; i < 6; i++)
            m.point[k].stress[i] = i < 2 ? s[i] * y.reference / phi : 0;
        m.point[k].stress[5] = (k % 2 == 0 ? 1 : -1) * 150;
        m.point[k].strain_rate[5] = 0.03;
    }
    for (int tensions = 0; tensions <= 2; tensions += 2)
        for (int w = 0; w < 3; w++)
            for (int f = 0; f < SW_YIELD_FUNCTIONS; f++) {
                const sw_yield like = sw_yield_isotropic(f, 8, 1);
                sw_calibration fit;
                m.sheet.n_tensions = tensions;
                CHECK_OK(sw_calibrate(&like, &m.sheet, &weights[w], 4, 1, &fit));
                assert_int_equal(fit.surface.undetermined, unknown[f]);
                assert_true(fit.determined <= most[f]);
                for (int i = 0; i < like.function->coefficients; i++)
                    if (unknown[f] >> i & 1)
                        assert_true(fit.surface.coefficient[i] == like.coefficient[i]);
                sw_calibration_free(&fit);
            }
}

/* Misses are of the item itself: a sheet whose stress is 2 % above the function's in one tension. */
static void misses_are_reported_item_by_item(void **state)
{
    (void)state;
    made_sheet m;
    sw_calibration fit;
    const sw_yield y = a_hill48();
    make_sheet(&y, 0, 1, &m);
    m.tension[5].stress *= 1.02;
    CHECK_OK(sw_calibrate(&y, &m.sheet, &all_weights, 1, 1, &fit));
    double square = 0, largest = 0;
    int n = 0;
    for (int i = 0; i < fit.n_items; i++) {
        double stress;
        if (fit.item[i].kind != SW_CALIBRATION_STRESS)
            continue;
        sw_yield_uniaxial(&fit.surface, m.tension[fit.item[i].number].angle, &stress, NULL);
        CHECK_CLOSE(fit.item[i].fitted, stress / fit.surface.reference, 1e-14);
        CHECK_CLOSE(fit.item[i].given, m.tension[fit.item[i].number].stress / m.tension[0].stress, 1e-14);
        const double miss = fabs(fit.item[i].fitted - fit.item[i].given);
        square += miss * miss;
        largest = greatest(largest, miss);
        n++;
    }
    assert_int_equal(n, TENSIONS);
    CHECK_CLOSE(fit.rms[SW_CALIBRATION_STRESS], sqrt(square / n), 1e-14);
    CHECK_CLOSE(fit.largest[SW_CALIBRATION_STRESS], largest, 1e-14);
    assert_true(largest > 0.01 && largest < 0.02);
    sw_calibration_free(&fit);
}

static void what_cannot_be_fitted_is_refused(void **state)
{
    (void)state;
    made_sheet m;
    sw_calibration fit;
    const sw_yield y = a_hill48();
    make_sheet(&y, 4, 1, &m);
    assert_int_equal(sw_calibrate(&y, &m.sheet, &(sw_calibration_weights){0, 0, 1, 1}, 1, 1, &fit),
                     SW_ERR_RANGE);
    assert_message_has("nothing of the sheet has a weight");
    assert_int_equal(sw_calibrate(&y, &(sw_sheet){.biaxial_r = NAN}, &all_weights, 1, 1, &fit), SW_ERR_RANGE);
    m.tension[3].stress = -1e6;
    assert_int_equal(sw_calibrate(&y, &m.sheet, &all_weights, 1, 1, &fit), SW_ERR_RANGE);
    assert_message_has("tension 4");
    m.tension[3].stress = 1e6;
    memset(m.point[2].stress, 0, sizeof m.point[2].stress);
    assert_int_equal(sw_calibrate(&y, &m.sheet, &all_weights, 1, 1, &fit), SW_ERR_RANGE);
    assert_message_has("point 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_yld2000_2d_surface_comes_back),
        cmocka_unit_test(a_yld2004_18p_surface_comes_back),
        cmocka_unit_test(a_hill48_surface_comes_back),
        cmocka_unit_test(a_coefficient_at_zero_is_found_and_is_known),
        cmocka_unit_test(hill48_is_fitted_to_r_values_or_to_stresses),
        cmocka_unit_test(hill48_by_r_or_by_stress_is_exact_there),
        cmocka_unit_test(yld2000_2d_of_the_measured_numbers_is_the_published_one),
        cmocka_unit_test(r_may_be_zero_and_infinite),
        cmocka_unit_test(points_with_shear_out_of_the_plane_are_left_to_others),
        cmocka_unit_test(noise_of_shear_says_nothing_of_it),
        cmocka_unit_test(misses_are_reported_item_by_item),
        cmocka_unit_test(what_cannot_be_fitted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
