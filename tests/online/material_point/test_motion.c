/* A velocity gradient from two deformation gradients: exact, and its derivative. */
#include "points.h"

#include "online/material_point/motion.h"

static const double f0[3][3] = {{1.1, 0.2, -0.1}, {0.05, 0.9, 0.3}, {-0.2, 0.1, 1.05}};

/* Whatever L: shears, turns of half a radian, volume changes. */
static void logarithms_undo_exponentials(void **state)
{
    (void)state;
    static const double gradients[][3][3] = {{{0.02, 0, 0}, {0, -0.01, 0}, {0, 0, -0.01}},
                                             {{0, 0.05, 0}, {0, 0, 0}, {0, 0, 0}},
                                             {{0, 0.5, 0}, {-0.5, 0, 0}, {0, 0, 0}},
                                             {{0.1, 0.3, -0.2}, {0.05, 0.15, 0.1}, {0.02, -0.1, 0.05}},
                                             {{1e-9, 2e-9, 0}, {0, 0, -1e-9}, {3e-9, 0, 0}},
                                             {{0}}};
    for (size_t g = 0; g < sizeof gradients / sizeof *gradients; g++) {
        sw_point_motion motion;
        double l[3][3], f1[3][3];
        for (int k = 0; k < 9; k++)
            l[k / 3][k % 3] = gradients[g][k / 3][k % 3] / 7;
        follow((const double(*)[3])l, 7, f0, f1);
        assert_true(sw_point_motion_of(f0, (const double(*)[3])f1, 7, 1, &motion));
        /* F1 F0^-1 has a few digits of a double's last ones; over dt = 7 */
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(motion.velocity_gradient[k / 3][k % 3], l[k / 3][k % 3], 1e-15);
        double product[3][3];
        times((const double(*)[3])motion.inverse, (const double(*)[3])f1, product);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(product[k / 3][k % 3], unit[k / 3][k % 3], 1e-15);
    }
}

/* Central differences: their own error is h^2 times a third derivative of order 1, and 1e-16 / h. */
static void changes_are_differences(void **state)
{
    (void)state;
    static const double l[3][3] = {{0.1, 0.3, -0.2}, {0.05, 0.15, 0.1}, {0.02, -0.1, 0.05}};
    const double h = 1e-5;
    double f1[3][3];
    sw_point_motion motion;
    follow(l, 1, f0, f1);
    assert_true(sw_point_motion_of(f0, (const double(*)[3])f1, 1, 1, &motion));
    for (int k = 0; k < 9; k++) {
        double df[3][3] = {{0}}, dl[3][3];
        sw_point_motion side[2];
        df[k / 3][k % 3] = 1;
        sw_point_motion_follow(&motion, (const double(*)[3])df, dl);
        for (int s = 0; s < 2; s++) {
            double beside[3][3];
            memcpy(beside, f1, sizeof beside);
            beside[k / 3][k % 3] += s ? h : -h;
            assert_true(sw_point_motion_of(f0, (const double(*)[3])beside, 1, 1, &side[s]));
        }
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE((side[1].velocity_gradient[i / 3][i % 3] - side[0].velocity_gradient[i / 3][i % 3]) /
                            (2 * h),
                        dl[i / 3][i % 3], 1e-9);
    }
}

static void steps_that_cannot_be_made(void **state)
{
    (void)state;
    static const double stretched[3][3] = {{1.05, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        mirrored[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        no_number[3][3] = {{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}},
                        endless[3][3] = {{1, 0, 0}, {0, INFINITY, 0}, {0, 0, 1}}, nothing[3][3] = {{0}},
                        half_turn[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
                        turned[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    sw_point_motion m;
    assert_true(sw_point_motion_of(unit, stretched, 1, 0.05, &m));
    assert_false(sw_point_motion_of(unit, stretched, 1, 0.048, &m)); /* log 1.05 = 0.0488 */
    assert_false(sw_point_motion_of(unit, stretched, 0, 1, &m));
    assert_false(sw_point_motion_of(unit, stretched, -1, 1, &m));
    assert_false(sw_point_motion_of(unit, stretched, NAN, 1, &m));
    assert_false(sw_point_motion_of(unit, mirrored, 1, 10, &m));
    assert_false(sw_point_motion_of(unit, no_number, 1, 10, &m));
    assert_false(sw_point_motion_of(no_number, unit, 1, 10, &m));
    assert_false(sw_point_motion_of(unit, endless, 1, 10, &m));
    assert_false(sw_point_motion_of(unit, nothing, 1, 10, &m));
    assert_false(sw_point_motion_of(unit, half_turn, 1, 10, &m));
    assert_false(sw_point_motion_of(unit, turned, 1, 10, &m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(logarithms_undo_exponentials),
                                       cmocka_unit_test(changes_are_differences),
                                       cmocka_unit_test(steps_that_cannot_be_made)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
