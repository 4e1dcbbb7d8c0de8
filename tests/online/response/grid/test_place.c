/* Where an orientation is looked up in a table: the place's own angles are those of an orientation that symmetry carries to the one
 * asked for, with the signs that the place says. */
#include "common/math/lanes_float.h"

#include "tests/test.h"

#include "common/database/table_lookup.h"
#include "common/math/quaternion.h"
#include "common/math/random.h"

enum { MANY = 2000, TURN = 48 };

/* Three angles by polynomials, 6e-9, 6e-9 and 1.4e-8 of a turn on the CPU (table_lookup.h), and round-off of single precision, 6e-8
 * relative: four operations on the products of numbers of q, whose angles are ratios of these, and one on a place below TURN/4,
 * which is an angle of a quarter turn. Orientations are apart by their sum, in rad. */
static const double off = 6.2832 * (2 * 6e-9 + 1.4e-8) + 3 * 4 * 6e-8 + 3 * 1.5708 * 6e-8;

static void multiply(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

/* Of Bunge angles, as a product of three turns. */
static void of_angles(double phi1, double phi, double phi2, double q[4])
{
    const double a[4] = {cos(phi1 / 2), 0, 0, sin(phi1 / 2)}, b[4] = {cos(phi / 2), sin(phi / 2), 0, 0},
                 c[4] = {cos(phi2 / 2), 0, 0, sin(phi2 / 2)};
    double ab[4];
    multiply(a, b, ab);
    multiply(ab, c, q);
}

/* rad; of two orientations. */
static double apart(const double p[4], const double q[4])
{
    double sum = 0, difference = 0;
    for (int i = 0; i < 4; i++) {
        sum += pow(p[i] + q[i], 2);
        difference += pow(p[i] - q[i], 2);
    }
    return 4 * asin(fmin(1, sqrt(fmin(sum, difference)) / 2));
}

/* The least angle to q, turned in the sample as the signs say, over `fold` turns of the crystal about axis 3, with and without a half
 * turn about axis 1. */
static double off_by(int fold, const double q[4], const sw_table_place *place, const double found[4])
{
    static const double half[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const int axis =
        !signbit(place->sign12) ? (signbit(place->sign23) ? 3 : 0) : (signbit(place->sign23) ? 2 : 1);
    double turned[4], least = 9;
    assert_int_equal(signbit(place->sign12) != 0,
                     (signbit(place->sign23) != 0) != (signbit(place->sign13) != 0));
    multiply(half[axis], q, turned);
    for (int k = 0; k < 2 * fold; k++) {
        const double about[4] = {cos(SW_PI * (k / 2) / fold), 0, 0, sin(SW_PI * (k / 2) / fold)};
        double of[4], other[4];
        multiply(turned, about, of);
        multiply(of, half[k % 2], other);
        least = fmin(least, apart(other, found));
    }
    return least;
}

static void expect_place(int fold, const double q[4])
{
    const int64_t turn[3] = {TURN, TURN, TURN};
    const sw_table_shape shape = sw_table_shape_of(turn, fold);
    const float at[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    const sw_table_place place = sw_table_place_of(shape, at);
    const double step = 2 * SW_PI / TURN;
    double found[4];
    assert_true(place.x[0] >= 0 && place.x[0] <= TURN / 4);
    assert_true(place.x[1] >= 0 && place.x[1] <= TURN / 4);
    assert_true(place.x[2] >= 0 && place.x[2] <= shape.period);
    of_angles(place.x[0] * step, place.x[1] * step, place.x[2] * step, found);
    CHECK_CLOSE(off_by(fold, q, &place, found), 0, off);
}

static const int folds[] = {2, 4, 6};

static void test_places_of_any(void **state)
{
    (void)state;
    for (int n = 0; n < MANY; n++) {
        double euler[3], q[4];
        sw_random_orientation(7, (uint64_t)n, euler);
        of_angles(euler[0], euler[1], euler[2], q);
        expect_place(folds[n % 3], q);
    }
}

/* Where angles meet the zone's ends, and where phi1 and phi2 alone mean nothing: Phi of 0, of pi, and nearly. */
static void test_places_of_ends(void **state)
{
    (void)state;
    static const double tilts[] = {0, 1e-12, 1e-7, 1e-4, 0.5, 1 - 1e-7, 1, 1.5, 2 - 1e-4, 2 - 1e-8, 2};
    for (int n = 0; n < 17 * 17 * 11; n++) {
        double q[4];
        of_angles(SW_PI / 8 * (n % 17), SW_PI / 2 * tilts[n / 17 % 11], SW_PI / 8 * (n / 17 / 11), q);
        for (int k = 0; k < 3; k++)
            expect_place(folds[k], q);
    }
}

/* What is no number is looked up somewhere in the table. */
static void test_no_number_stays_within(void **state)
{
    (void)state;
    const int64_t turn[3] = {TURN, TURN, TURN};
    const sw_table_shape shape = sw_table_shape_of(turn, 4);
    for (int i = 0; i < 8; i++) {
        float q[4] = {0.5F, 0.5F, 0.5F, 0.5F};
        q[i % 4] = i < 4 ? NAN : 1e30F;
        const sw_table_place place = sw_table_place_of(shape, q);
        for (int d = 0; d < 3; d++)
            assert_true(place.x[d] >= 0 && place.x[d] <= (float)TURN / 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places_of_any),
                                       cmocka_unit_test(test_places_of_ends),
                                       cmocka_unit_test(test_no_number_stays_within)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
