/* Every point group: that it is one, in the setting that point_group.h promises, and what is made of it. The cube's rotations
 * one by one: test_quaternion.c. */
#include "tests/test.h"

#include "common/crystal/point_group.h"
#include "common/math/quaternion.h"
#include "common/math/random.h"

static const char *const names[] = {"432", "422", "622", "222"};
enum { GROUPS = sizeof names / sizeof *names };

/* Round-off of a few dozen operations on numbers of order one. */
static const double round_off = 1e-14;

static const sw_point_group *group_of(int number)
{
    const sw_point_group *group;
    CHECK_OK(sw_point_group_find(names[number], &group));
    return group;
}

/* |cos| of half the angle between two rotations. */
static double cosine(const double p[4], const double q[4])
{
    return fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
}

static int find(const sw_point_group *group, const double q[4])
{
    int found = 0;
    for (int i = 0; i < group->order; i++)
        found += cosine(group->q[i], q) > 1 - round_off;
    return found;
}

/* Products are in it, each rotation once; as many about axis 3 as `fold` says; a half turn about axis 1; with a rotation those
 * of all signs of its components. */
static void groups_are_groups(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPS; k++) {
        const sw_point_group *group = group_of(k);
        int about = 0;
        assert_true(cosine(group->q[0], (const double[]){1, 0, 0, 0}) == 1);
        assert_int_equal(find(group, (const double[]){0, 1, 0, 0}), 1);
        for (int i = 0; i < group->order; i++) {
            const double *q = group->q[i];
            about += cosine(q, (const double[]){q[0], 0, 0, q[3]}) > 1 - round_off;
            for (int signs = 0; signs < 16; signs++) {
                double other[4];
                for (int c = 0; c < 4; c++)
                    other[c] = signs >> c & 1 ? -q[c] : q[c];
                assert_int_equal(find(group, other), 1);
            }
            for (int j = 0; j < group->order; j++) {
                double product[4];
                sw_quaternion_product(q, group->q[j], product);
                assert_int_equal(find(group, product), 1);
            }
        }
        assert_int_equal(about, group->fold);
    }
}

/* The nearest equivalent is the nearest of all, in the reference's half space; sizes give its cosine. */
static void the_nearest_is_that_of_all(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPS; k++)
        for (uint64_t n = 0; n < 300; n++) {
            const sw_point_group *group = group_of(k);
            double e[3], p[4], q[4], between[4], nearest[4], size[SW_POINT_GROUP_SIZES][4], most = 0,
                                                                                            by_size = 0;
            sw_random_orientation(7, 2 * n, e);
            sw_quaternion_from_euler(e, p);
            sw_random_orientation(7, 2 * n + 1, e);
            sw_quaternion_from_euler(e, q);
            for (int i = 0; i < group->order; i++) {
                double equivalent[4];
                sw_quaternion_product(q, group->q[i], equivalent);
                most = greatest(most, cosine(p, equivalent));
            }
            const double found = sw_point_group_nearest(group, p, q, nearest);
            CHECK_CLOSE(found, most, round_off);
            CHECK_CLOSE(p[0] * nearest[0] + p[1] * nearest[1] + p[2] * nearest[2] + p[3] * nearest[3], most,
                        round_off);
            sw_quaternion_product((const double[]){p[0], -p[1], -p[2], -p[3]}, q, between);
            const int sizes = sw_point_group_sizes(group, size);
            for (int i = 0; i < sizes; i++)
                by_size =
                    greatest(by_size, size[i][0] * fabs(between[0]) + size[i][1] * fabs(between[1]) +
                                          size[i][2] * fabs(between[2]) + size[i][3] * fabs(between[3]));
            CHECK_CLOSE(by_size, most, round_off);
        }
}

/* A matrix turns a vector as its quaternion does; those of the cube hold whole numbers. */
static void matrices_are_those_of_the_quaternions(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPS; k++)
        for (int i = 0; i < group_of(k)->order; i++) {
            const double *q = group_of(k)->q[i], v[4] = {0, 0.3, -0.5, 0.7};
            double half[4], image[4], turned[3], g[3][3];
            sw_quaternion_product(q, v, half);
            sw_quaternion_product(half, (const double[]){q[0], -q[1], -q[2], -q[3]}, image);
            sw_point_group_turn(group_of(k), i, v + 1, turned);
            sw_point_group_matrix(group_of(k), i, g);
            for (int c = 0; c < 9; c++) {
                CHECK_CLOSE(turned[c % 3], image[1 + c % 3], round_off);
                assert_true(k > 0 || g[c / 3][c % 3] == rint(g[c / 3][c % 3]));
            }
        }
}

/* Up to sign: of a general direction as many as rotations, but that of a group with an inversion; fewer of special ones. */
static void directions_have_their_equivalents(void **state)
{
    (void)state;
    static const struct {
        double v[3];
        int count[GROUPS];
    } cases[] = {{{1, 2, 4}, {24, 8, 12, 4}}, {{0, 0, 1}, {3, 1, 1, 1}}, {{1, 0, 0}, {3, 2, 3, 1}},
                 {{1, 1, 1}, {4, 4, 12, 4}},  {{1, 1, 0}, {6, 2, 6, 2}}, {{1, 0, 1}, {6, 4, 6, 2}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < GROUPS; k++) {
            double axis[SW_POINT_GROUP_ORDER][3];
            assert_int_equal(sw_point_group_axes(group_of(k), cases[c].v, axis), cases[c].count[k]);
        }
}

static void other_names_are_refused(void **state)
{
    (void)state;
    const sw_point_group *group;
    assert_int_equal(sw_point_group_find("23", &group), SW_ERR_RANGE);
    assert_message_has("point group 23: need one of 432, 422, 622, 222");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_groups),
        cmocka_unit_test(the_nearest_is_that_of_all),
        cmocka_unit_test(matrices_are_those_of_the_quaternions),
        cmocka_unit_test(directions_have_their_equivalents),
        cmocka_unit_test(other_names_are_refused),
    };
    return cmocka_run_group_tests_name("point groups", tests, NULL, NULL);
}
