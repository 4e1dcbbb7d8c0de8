/* Contact of a node: shapes of tools and the law of friction against differences of themselves. */
#include "tests/test.h"

#include "online/fem/contact/friction.h"

static const double nowhere[3] = {0, 0, 0};

/* Tools of each shape, and a point near each. */
static const struct {
    sw_fem_tool tool;
    double at[3];
} cases[] = {
    {{.shape = SW_FEM_PLANE, .direction = {0.6, 0, -0.8}}, {0.1, 0.2, 0.15}},
    {{.shape = SW_FEM_CYLINDER, .direction = {0, 0.8, 0.6}, .radius = 0.5}, {0.4, 0.1, 0.2}},
    {{.shape = SW_FEM_CYLINDER, .direction = {1, 0, 0}, .radius = 0.5, .hollow = 1}, {0.3, 0.4, 0.4}},
    {{.shape = SW_FEM_SPHERE, .radius = 0.5}, {0.2, 0.3, -0.3}},
    {{.shape = SW_FEM_SPHERE, .radius = 0.5, .hollow = 1}, {0.2, 0.4, -0.3}},
    {{.shape = SW_FEM_PLANE, .direction = {0.6, 0, -0.8}, .radius = 1, .edge = 0.25},
     {0.2, 0.2, -0.1}}, /* 5 */
    {{.shape = SW_FEM_PLANE, .direction = {0, 0, -1}, .radius = 1, .edge = 0.25}, {0.5, 0.8, 0.05}},
    {{.shape = SW_FEM_PLANE, .direction = {0, 0, -1}, .radius = 1, .edge = 0.25}, {0.6, 0.9, 0.6}},
    {{.shape = SW_FEM_PLANE, .direction = {0, 0.6, 0.8}, .radius = 1, .edge = 0.5, .hollow = 1},
     {1, 0.2, -0.1}},
    {{.shape = SW_FEM_PLANE, .direction = {0, 0, 1}, .radius = 1, .edge = 0.5, .hollow = 1},
     {0.5, 0.8, -0.7}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The normal is the gap's gradient, and its own gradient is the curvature's: central differences of step 1e-5 leave
 * out 1e-10 of third derivatives near 10 and 1e-11 of round-off. */
static void test_normals_are_gradients(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (int c = 0; c < CASES; c++) {
        sw_fem_tool_place at, low, high;
        sw_fem_tool_find(&cases[c].tool, cases[c].at, &at);
        for (int j = 0; j < 3; j++) {
            double x[3], y[3];
            memcpy(x, cases[c].at, sizeof x);
            memcpy(y, cases[c].at, sizeof y);
            x[j] -= h;
            y[j] += h;
            sw_fem_tool_find(&cases[c].tool, x, &low);
            sw_fem_tool_find(&cases[c].tool, y, &high);
            CHECK_CLOSE((high.gap - low.gap) / (2 * h), at.normal[j], 1e-8);
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE((high.normal[i] - low.normal[i]) / (2 * h),
                            at.curvature *
                                    ((i == j) - at.normal[i] * at.normal[j] - at.axis[i] * at.axis[j]) +
                                at.around * at.axis[i] * at.axis[j],
                            1e-8);
        }
    }
}

static void test_gaps(void **state)
{
    (void)state;
    sw_fem_tool_place at;
    sw_fem_tool_find(&cases[1].tool, (const double[]){0.7, 0.8, 0.6}, &at); /* along the axis, and 0.7 away */
    CHECK_CLOSE(at.gap, 0.2, 1e-15);
    sw_fem_tool_find(&cases[2].tool, (const double[]){9, 0, 0.7}, &at);
    CHECK_CLOSE(at.gap, -0.2, 1e-15);
    const sw_fem_tool plate = {.shape = SW_FEM_PLANE, .direction = {0, 1, 0}, .radius = 1};
    sw_fem_tool_find(&plate, (const double[]){0.5, -0.1, 0.8}, &at);
    CHECK_CLOSE(at.gap, -0.1, 1e-15);
    sw_fem_tool_find(&plate, (const double[]){0.7, -0.1, 0.8}, &at); /* beyond its edge */
    assert_true(isinf(at.gap));
    /* 0.15 out and 0.2 up from the middle of the edge's round; beside the wall; on the flat side; in the hole */
    const sw_fem_tool *punch = &cases[6].tool, *die = &cases[9].tool;
    sw_fem_tool_find(punch, (const double[]){0, 0.9, 0.05}, &at);
    CHECK_CLOSE(at.gap, 0, 1e-15);
    CHECK_CLOSE(at.normal[1], 0.6, 1e-15);
    CHECK_CLOSE(at.normal[2], -0.8, 1e-15);
    sw_fem_tool_find(punch, (const double[]){0, 1.1, 7}, &at);
    CHECK_CLOSE(at.gap, 0.1, 1e-15);
    sw_fem_tool_find(punch, (const double[]){0, 0.7, 0.01}, &at);
    CHECK_CLOSE(at.gap, -0.01, 1e-15);
    sw_fem_tool_find(die, (const double[]){0, 1.2, -0.1}, &at); /* 0.3 in, 0.4 up */
    CHECK_CLOSE(at.gap, 0, 1e-15);
    CHECK_CLOSE(at.normal[1], -0.6, 1e-15);
    sw_fem_tool_find(die, (const double[]){0, 0.9, -3}, &at);
    CHECK_CLOSE(at.gap, 0.1, 1e-15);
    sw_fem_tool_find(die, (const double[]){0, 4, -0.1}, &at);
    CHECK_CLOSE(at.gap, -0.1, 1e-15);
}

/* The block against central differences of the force: stick, slip by pressure, slip by the limit, held. Forces of some
 * k x 0.1 m, k = 1000: differences by 1e-6 leave round-off of 1e-8 k. */
static void test_blocks_are_derivatives(void **state)
{
    (void)state;
    static const struct {
        double friction, limit;
        int sticks, hold;
        sw_fem_contact_kind kind;
    } laws[] = {{0, INFINITY, 0, 0, SW_FEM_SLIPS},
                {0.3, INFINITY, 0, 0, SW_FEM_SLIPS_BY_PRESSURE},
                {INFINITY, 20, 0, 0, SW_FEM_SLIPS},
                {0, INFINITY, 1, 0, SW_FEM_STICKS},
                {0.3, INFINITY, 0, 1, SW_FEM_SLIPS_BY_PRESSURE}};
    const double h = 1e-6, stiffness = 1000;
    for (int c = 0; c < CASES; c++)
        for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
            sw_fem_tool tool = cases[c].tool;
            /* what slips has moved far: its spring along the tool is a hundredth */
            const double far = laws[l].sticks ? 1 : 100;
            const double start[3] = {0.02 * far, -0.11 * far, 0.05 * far};
            const sw_fem_contact_point old = {.friction = {3, -5, 9}, .slip = 0.5, .touches = 1};
            sw_fem_contact_point next;
            double force[3], block[3][3], other[2][3], unused[3][3], point[3];
            tool.friction = laws[l].friction;
            tool.sticks = laws[l].sticks;
            /* a tenth of the radius inside */
            sw_fem_tool_place at;
            sw_fem_tool_find(&tool, cases[c].at, &at);
            for (int i = 0; i < 3; i++)
                point[i] = cases[c].at[i] - (at.gap + 0.05) * at.normal[i];
            assert_int_equal(sw_fem_contact_force(&tool, point, start, stiffness, 0, laws[l].limit,
                                                  laws[l].hold, &old, force, block, &next),
                             laws[l].kind);
            assert_true(next.touches == 1);
            CHECK_CLOSE(next.normal, 0.05 * stiffness, 1e-9);
            for (int j = 0; j < 3; j++) {
                for (int side = 0; side < 2; side++) {
                    const double by = side ? h : -h;
                    double x[3], moved[3];
                    memcpy(x, point, sizeof x);
                    memcpy(moved, start, sizeof moved);
                    x[j] += by;
                    moved[j] += by;
                    sw_fem_contact_force(&tool, x, moved, stiffness, 0, laws[l].limit, laws[l].hold, &old,
                                         other[side], unused, &next);
                }
                for (int i = 0; i < 3; i++)
                    CHECK_CLOSE(-(other[1][i] - other[0][i]) / (2 * h), block[i][j], 1e-6 * stiffness);
            }
        }
}

/* Coulomb: what is over mu f_n slips; the force stays on the cone, and opposes the motion. */
static void test_friction_stays_on_the_cone(void **state)
{
    (void)state;
    const sw_fem_tool tool = {.shape = SW_FEM_PLANE, .direction = {0, 0, 1}, .friction = 0.3};
    sw_fem_contact_point at = {.normal = 0};
    double force[3], block[3][3], moved[3] = {1e-2, -2e-2, 0}, slip = 0;
    for (int step = 0; step < 50; step++) {
        const sw_fem_contact_point old = at;
        const sw_fem_contact_kind kind = sw_fem_contact_force(&tool, (const double[]){0, 0, -0.01}, moved,
                                                              1000, 0, INFINITY, 0, &old, force, block, &at);
        const double size = sqrt(force[0] * force[0] + force[1] * force[1]);
        CHECK_CLOSE(force[2], 10, 1e-12);
        assert_true(size <= 3 * (1 + 1e-14));
        CHECK_CLOSE(force[1], -2 * force[0], 1e-12);
        assert_true(force[0] < 0);
        assert_true((kind == SW_FEM_STICKS) == (10 * sqrt(5e-4) * (step + 1) <= 3)); /* 13 steps */
        slip = at.slip;
    }
    CHECK_CLOSE(slip, 50 * sqrt(5e-4) - 3 / 10.0, 1e-12);
    /* apart again: nothing is left of the force */
    const sw_fem_contact_point old = at;
    assert_int_equal(sw_fem_contact_force(&tool, (const double[]){0, 0, 0.01}, nowhere, 1000, 0, INFINITY, 0,
                                          &old, force, block, &at),
                     SW_FEM_APART);
    assert_true(force[0] == 0 && force[1] == 0 && force[2] == 0 && at.touches == 0 && at.friction[0] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normals_are_gradients),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_blocks_are_derivatives),
        cmocka_unit_test(test_friction_stays_on_the_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
