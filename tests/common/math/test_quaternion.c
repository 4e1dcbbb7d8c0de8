/* Quaternions against rotation matrices, and what the cube's rotations make of them against the 24 proper signed
 * permutations of the axes, which are found by trying all. */
#include "tests/test.h"

#include "common/crystal/point_group.h"
#include "common/math/quaternion.h"
#include "common/math/random.h"

enum { CUBE = 24 };

/* Round-off of a few dozen operations on numbers of order one. */
static const double round_off = 1e-14;

static void random_quaternion(uint64_t seed, uint64_t n, double q[4])
{
    double euler[3];
    sw_random_orientation(seed, n, euler);
    sw_quaternion_from_euler(euler, q);
}

/* Columns are the images of the axes. */
static void matrix_of(const double q[4], double g[3][3])
{
    for (int j = 0; j < 3; j++) {
        const double axis[4] = {0, j == 0, j == 1, j == 2}, back[4] = {q[0], -q[1], -q[2], -q[3]};
        double half[4], image[4];
        sw_quaternion_product(q, axis, half);
        sw_quaternion_product(half, back, image);
        for (int i = 0; i < 3; i++)
            g[i][j] = image[1 + i];
    }
}

/* Of the rotation between two matrices: tr(a^T b) = 1 + 2 cos(angle), and cos^2(angle / 2) = (1 + cos(angle)) / 2. */
static double cosine_of_half(double a[3][3], double b[3][3])
{
    double trace = 0;
    for (int i = 0; i < 9; i++)
        trace += a[i / 3][i % 3] * b[i / 3][i % 3];
    return 0.5 * sqrt(fmax(1 + trace, 0));
}

/* All proper signed permutations of the axes; returns how many. */
static int find_cube(double cube[CUBE][3][3])
{
    int n = 0;
    for (int code = 0; code < 27 * 8; code++) {
        const int to[3] = {code % 3, code / 3 % 3, code / 9 % 3}, signs = code / 27;
        double g[3][3] = {{0}}, determinant;
        for (int j = 0; j < 3; j++)
            g[to[j]][j] = signs >> j & 1 ? -1 : 1;
        determinant = g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) +
                      g[0][1] * (g[1][2] * g[2][0] - g[1][0] * g[2][2]) +
                      g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
        if (determinant < 0.5)
            continue;
        assert_true(n < CUBE);
        memcpy(cube[n++], g, sizeof g);
    }
    return n;
}

static void angles_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 200; n++) {
        double euler[3], back[3], q[4], g[3][3], expected[3][3];
        sw_random_orientation(2, n, euler);
        sw_quaternion_from_euler(euler, q);
        sw_rotation_from_euler(euler, expected);
        matrix_of(q, g);
        sw_euler_from_quaternion(q, back);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(g[i / 3][i % 3], expected[i / 3][i % 3], round_off);
        for (int i = 0; i < 3; i++) /* angles lose 1/sin(Phi) digits */
            CHECK_CLOSE(remainder(back[i] - euler[i], 2 * SW_PI), 0, round_off / sin(euler[1]));
    }
}

/* A matrix of a quaternion twice as long is the same; a turn about an axis, and by an axial vector, of all sizes; angles
 * in single precision, whose arc tangents are good to 3e-8 turns and lose 1/sin(Phi) digits. */
static void all_ways_agree(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 200; n++) {
        double q[4], twice[4], g[3][3], expected[3][3], euler[3], back[3], about[4], by[4];
        random_quaternion(5, n, q);
        sw_random_orientation(5, n, euler);
        for (int i = 0; i < 4; i++)
            twice[i] = 2 * q[i];
        sw_rotation_from_quaternion(twice, g);
        matrix_of(q, expected);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(g[i / 3][i % 3], expected[i / 3][i % 3], round_off);
        sw_quaternion_to_euler(q, back);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(remainder(back[i] - euler[i], 2 * SW_PI), 0, 1e-6 / sin(euler[1]));
        const double angle = pow(10, 0.02 * (double)n - 3.4), axis[3] = {g[0][2], g[1][2], g[2][2]};
        const double turn[3] = {angle * axis[0], angle * axis[1], angle * axis[2]};
        sw_quaternion_about(axis, angle, about);
        sw_quaternion_from_turn(turn, by);
        for (int i = 0; i < 4; i++) /* the series is cut, and its constants have single precision */
            CHECK_CLOSE(by[i], about[i], 1e-8);
    }
}

/* Each rotation of the group is one of the cube's, each once up to its sign, the identity first. */
static void the_groups_rotations_are_the_cubes(void **state)
{
    (void)state;
    const sw_point_group *group = &sw_point_group_432;
    double cube[CUBE][3][3];
    int met[CUBE] = {0};
    assert_int_equal(find_cube(cube), CUBE);
    assert_int_equal(group->order, CUBE);
    for (int c = 0; c < CUBE; c++) {
        double g[3][3];
        int of = -1;
        matrix_of(group->q[c], g);
        for (int k = 0; k < CUBE; k++)
            if (cosine_of_half(g, cube[k]) > 1 - round_off)
                of = k;
        assert_true(of >= 0);
        met[of]++;
        CHECK_CLOSE(group->q[c][0] * group->q[c][0] + group->q[c][1] * group->q[c][1] +
                        group->q[c][2] * group->q[c][2] + group->q[c][3] * group->q[c][3],
                    1, round_off);
    }
    for (int k = 0; k < CUBE; k++)
        assert_int_equal(met[k], 1);
    CHECK_CLOSE(group->q[0][0], 1, 0);
}

/* The nearest equivalent is as near as the nearest of g P over all 24 P, is one of them, and lies in the reference's
 * half space. */
static void the_nearest_is_that_of_all_matrices(void **state)
{
    (void)state;
    double cube[CUBE][3][3];
    find_cube(cube);
    for (uint64_t n = 0; n < 500; n++) {
        double p[4], q[4], nearest[4], gp[3][3], gq[3][3], turned[3][3], found[3][3], most = 0, dot = 0;
        int is_one = 0;
        random_quaternion(3, 2 * n, p);
        random_quaternion(3, 2 * n + 1, q);
        const double cosine = sw_point_group_nearest(&sw_point_group_432, p, q, nearest);
        matrix_of(p, gp);
        matrix_of(q, gq);
        matrix_of(nearest, found);
        for (int k = 0; k < CUBE; k++) {
            for (int i = 0; i < 9; i++)
                turned[i / 3][i % 3] = gq[i / 3][0] * cube[k][0][i % 3] + gq[i / 3][1] * cube[k][1][i % 3] +
                                       gq[i / 3][2] * cube[k][2][i % 3];
            most = greatest(most, cosine_of_half(gp, turned));
            is_one |= cosine_of_half(found, turned) > 1 - round_off;
        }
        for (int i = 0; i < 4; i++)
            dot += p[i] * nearest[i];
        CHECK_CLOSE(cosine, most, round_off);
        CHECK_CLOSE(dot, cosine, round_off);
        assert_true(is_one);
    }
}

/* An orientation does not depend on which of its 24 equivalents, of either sign, writes it: the nearest is the same
 * for all 48. */
static void every_equivalent_has_the_same_nearest(void **state)
{
    (void)state;
    const sw_point_group *group = &sw_point_group_432;
    for (uint64_t n = 0; n < 50; n++) {
        double p[4], q[4], first[4];
        random_quaternion(4, 2 * n, p);
        random_quaternion(4, 2 * n + 1, q);
        const double cosine = sw_point_group_nearest(&sw_point_group_432, p, q, first);
        for (int c = 0; c < 2 * CUBE; c++) {
            double equivalent[4], nearest[4];
            sw_quaternion_product(q, group->q[c / 2], equivalent);
            for (int i = 0; i < 4; i++)
                equivalent[i] *= c % 2 ? -1 : 1;
            CHECK_CLOSE(sw_point_group_nearest(&sw_point_group_432, p, equivalent, nearest), cosine,
                        round_off);
            for (int i = 0; i < 4; i++)
                CHECK_CLOSE(nearest[i], first[i], round_off);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_those_of_the_matrix),
        cmocka_unit_test(all_ways_agree),
        cmocka_unit_test(the_groups_rotations_are_the_cubes),
        cmocka_unit_test(the_nearest_is_that_of_all_matrices),
        cmocka_unit_test(every_equivalent_has_the_same_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
