/* Stiffnesses against the tensors that they are. */
#include "tests/test.h"

#include "common/crystal/stiffness.h"
#include "common/crystal/yield_vertices.h"

static const sw_elasticity copper_constants = {168.7e9, 121.7e9, 75.0e9, NAN, NAN, NAN, NAN, NAN, NAN};

/* Of a tetragonal crystal: tin's are like these, Pa. */
static const double tetragonal[6][6] = {{72e9, 59e9, 36e9, 0, 0, 0}, {59e9, 72e9, 36e9, 0, 0, 0},
                                        {36e9, 36e9, 88e9, 0, 0, 0}, {0, 0, 0, 22e9, 0, 0},
                                        {0, 0, 0, 0, 22e9, 0},       {0, 0, 0, 0, 0, 24e9}};

/* Components 11 22 33 23 13 12, shears doubled or not -> tensor. */
static void tensor_of(const double six[6], double shear, double t[3][3])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int i = 0; i < 6; i++)
        t[row[i]][column[i]] = t[column[i]][row[i]] = (i < 3 ? 1 : shear) * six[i];
}

/* What the basis of five says of a strain's stress is what c6 says. */
static void check_five(const sw_stiffness *s)
{
    srand48(81);
    for (int n = 0; n < 20; n++) {
        double strain[6], stress[6] = {0}, e[3][3], t[3][3], five[5], expected[5];
        for (int i = 0; i < 6; i++)
            strain[i] = 1e-3 * (drand48() - 0.5);
        for (int i = 0; i < 36; i++)
            stress[i / 6] += s->c6[i / 6][i % 6] * strain[i % 6];
        tensor_of(strain, 0.5, e);
        tensor_of(stress, 1, t);
        sw_deviator_vector((const double(*)[3])e, five);
        sw_deviator_vector((const double(*)[3])t, expected);
        const double trace = e[0][0] + e[1][1] + e[2][2];
        double mean = s->bulk * trace;
        for (int i = 0; i < 5; i++) {
            double found = trace * s->to_pressure[i];
            for (int j = 0; j < 5; j++)
                found += s->c5[i][j] * five[j];
            CHECK_CLOSE(found, expected[i], 1e-14 * 1e-3 * 1e12);
            mean += s->to_pressure[i] * five[i];
        }
        CHECK_CLOSE(mean, (t[0][0] + t[1][1] + t[2][2]) / 3, 1e-14 * 1e-3 * 1e12);
    }
}

static void check_inverse(const sw_stiffness *s)
{
    for (int i = 0; i < 36; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum += s->c6[i / 6][k] * s->s6[k][i % 6];
        CHECK_CLOSE(sum, i % 7 == 0, 1e-14);
    }
}

static void numbers_are_those_of_the_tensor(void **state)
{
    (void)state;
    sw_stiffness cubic, general;
    sw_stiffness_cubic(&copper_constants, &cubic);
    sw_stiffness_of_matrix(tetragonal, &general);
    check_five(&cubic);
    check_five(&general);
    check_inverse(&cubic);
    check_inverse(&general);
    assert_true(fabs(general.to_pressure[1]) > 1e9);
}

/* The closed form is what the matrix gives. */
static void cubic_is_a_matrix_too(void **state)
{
    (void)state;
    sw_stiffness closed, made;
    sw_stiffness_cubic(&copper_constants, &closed);
    sw_stiffness_of_matrix((const double(*)[6])closed.c6, &made);
    for (int i = 0; i < 36; i++)
        CHECK_CLOSE(made.s6[i / 6][i % 6], closed.s6[i / 6][i % 6], 1e-14 * closed.s6[3][3]);
    for (int i = 0; i < 25; i++)
        CHECK_CLOSE(made.c5[i / 5][i % 5], closed.c5[i / 5][i % 5], 1e-14 * 1e12);
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(made.to_pressure[i], 0, 1e-14 * 1e12);
    CHECK_CLOSE(made.bulk, closed.bulk, 1e-14 * closed.bulk);
    CHECK_CLOSE(made.voigt, closed.voigt, 1e-14 * closed.voigt);
    CHECK_CLOSE(made.reuss, closed.reuss, 1e-14 * closed.reuss);
}

static void stiffnesses_resist_every_strain(void **state)
{
    (void)state;
    double soft[6][6];
    sw_stiffness s;
    sw_stiffness_of_matrix(tetragonal, &s);
    assert_true(sw_stiffness_is_positive(&s));
    memcpy(soft, tetragonal, sizeof soft);
    soft[0][2] = soft[2][0] = soft[1][2] = soft[2][1] = 76e9; /* (72 + 59) 88 < 2 x 76^2 */
    sw_stiffness_of_matrix((const double(*)[6])soft, &s);
    assert_false(sw_stiffness_is_positive(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_tensor),
        cmocka_unit_test(cubic_is_a_matrix_too),
        cmocka_unit_test(stiffnesses_resist_every_strain),
    };
    return cmocka_run_group_tests_name("stiffness", tests, NULL, NULL);
}
