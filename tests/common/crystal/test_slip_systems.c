/* Slip systems: what a table of them must satisfy, and the symmetry of the response that follows. */
#include "tests/test.h"

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/crystal_model.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/crystal/symmetry.h"
#include "offline/response_grid.h"

enum { ROTATIONS = 24, CUBICS = SW_LATTICE_bcc48 + 1 }; /* test_families.c has the others */

static double rotation[ROTATIONS][3][3]; /* of the cube onto itself */

static int set_up(void **state)
{
    (void)state;
    int count = 0;
    for (int permutation = 0; permutation < 6; permutation++)
        for (int signs = 0; signs < 8; signs++) {
            static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
            double c[3][3] = {{0}};
            for (int i = 0; i < 3; i++)
                c[i][order[permutation][i]] = (signs >> i) & 1 ? -1 : 1;
            if (sw_determinant(c) > 0)
                memcpy(rotation[count++], c, sizeof c);
        }
    return count == ROTATIONS ? 0 : -1;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Cosine of the angle between two systems as tensors s x n: 1 or -1 for the same system, up to sign. */
static double alike(const double s[3], const double n[3], const sw_slip_systems *systems, int b)
{
    return dot(s, systems->direction[b]) * dot(n, systems->normal[b]);
}

static void structures_have_their_systems(void **state)
{
    (void)state;
    static const struct {
        const char *name, *family;
        int count;
    } expected[CUBICS] = {
        [SW_LATTICE_fcc] = {"fcc", "{111}<110>", 12},
        [SW_LATTICE_bcc] = {"bcc", "{110}<111>", 12},
        [SW_LATTICE_bcc24] = {"bcc24", "{110}, {112}<111>", 24},
        [SW_LATTICE_bcc48] = {"bcc48", "{110}, {112}, {123}<111>", 48},
    };
    for (int k = 0; k < CUBICS; k++) {
        const sw_slip_systems *systems = systems_of(k);
        assert_string_equal(sw_lattices[k]->name, expected[k].name);
        assert_string_equal(sw_lattices[k]->slip, expected[k].family);
        assert_int_equal(systems->count, expected[k].count);
    }
}

/* Each structure's list begins with the one before: bcc, bcc24, bcc48. */
static void larger_structures_hold_the_smaller(void **state)
{
    (void)state;
    for (int k = SW_LATTICE_bcc; k < SW_LATTICE_bcc48; k++) {
        const sw_slip_systems *small = systems_of(k);
        const sw_slip_systems *large = systems_of(k + 1);
        assert_memory_equal(small->direction, large->direction, sizeof(double[3]) * (size_t)small->count);
        assert_memory_equal(small->normal, large->normal, sizeof(double[3]) * (size_t)small->count);
    }
}

static void systems_are_distinct_simple_shears(void **state)
{
    (void)state;
    for (int k = 0; k < CUBICS; k++) {
        const sw_slip_systems *systems = systems_of(k);
        for (int a = 0; a < systems->count; a++) {
            const double *s = systems->direction[a], *n = systems->normal[a];
            /* three products of two numbers that are each rounded once: 3 x 2 x 1.1e-16 */
            CHECK_CLOSE(dot(s, n), 0, 7e-16);
            CHECK_CLOSE(dot(s, s), 1, 7e-16);
            CHECK_CLOSE(dot(n, n), 1, 7e-16);
            for (int b = 0; b < a; b++) /* no system twice, not even reversed */
                assert_true(fabs(alike(s, n, systems, b)) < 0.99);
        }
    }
}

/* Every cubic rotation maps the set to itself: each system to one system of the set, up to sign. */
static void sets_are_closed_under_the_cubes_rotations(void **state)
{
    (void)state;
    for (int k = 0; k < CUBICS; k++) {
        const sw_slip_systems *systems = systems_of(k);
        for (int r = 0; r < ROTATIONS; r++)
            for (int a = 0; a < systems->count; a++) {
                double s[3], n[3];
                int images = 0;
                for (int i = 0; i < 3; i++) {
                    s[i] = dot(rotation[r][i], systems->direction[a]);
                    n[i] = dot(rotation[r][i], systems->normal[a]);
                }
                for (int b = 0; b < systems->count; b++)
                    images += fabs(alike(s, n, systems, b)) > 1 - 1e-14;
                assert_int_equal(images, 1);
            }
    }
}

/* M = sum of P x P with P = sym(s x n) is a cubic tensor: M_iiii = p, M_iijj = q, M_ijij = r, the rest zero.
 * P is trace-free, hence p + 2 q = 0, and P : P = 1/2, hence 3 p + 6 r = S/2. Round-off: S terms of 1e-16. */
static void sum_of_squares_is_cubic(void **state)
{
    (void)state;
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int k = 0; k < CUBICS; k++) {
        const sw_slip_systems *systems = systems_of(k);
        const double tolerance = 1e-15 * systems->count;
        double m[6][6] = {{0}};
        for (int a = 0; a < systems->count; a++) {
            const double *s = systems->direction[a], *n = systems->normal[a];
            double p[6];
            for (int i = 0; i < 6; i++)
                p[i] = 0.5 * (s[row[i]] * n[column[i]] + s[column[i]] * n[row[i]]);
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    m[i][j] += p[i] * p[j];
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                const double expected = i == j           ? m[i < 3 ? 0 : 3][i < 3 ? 0 : 3]
                                        : i < 3 && j < 3 ? m[0][1]
                                                         : 0;
                CHECK_CLOSE(m[i][j], expected, tolerance);
            }
        CHECK_CLOSE(m[0][0] + 2 * m[0][1], 0, tolerance);
        CHECK_CLOSE(3 * m[0][0] + 6 * m[3][3], 0.5 * systems->count, tolerance);
        assert_true(m[0][0] > 0.1 && m[3][3] > 0.1); /* any strain is within reach */
    }
}

/* g C for every cubic rotation C: the same response, to the tolerance of the same test for copper in
 * test_crystal_model.c. */
static void response_has_the_crystals_symmetry(void **state)
{
    (void)state;
    const double plane_strain[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}},
                 euler[3] = {0.7, 1.1, 0.4};
    const sw_integration_control control = sw_integration_endpoint();
    sw_crystal_state crystal[ROTATIONS];
    double g[3][3], gc[3][3];
    sw_rotation_from_euler(euler, g);
    for (int k = 0; k < CUBICS; k++) {
        sw_material material = copper();
        material.crystal_structure = k;
        for (int r = 0; r < ROTATIONS; r++) {
            sw_multiply(g, rotation[r], gc);
            crystal[r] = sw_crystal_state_initial(gc, 16e6);
        }
        CHECK_OK(sw_integrate(&material, &control, ROTATIONS, plane_strain, 1, 0, 0.02, crystal, NULL, NULL,
                              NULL));
        const sw_crystal_output first = sw_crystal_state_output(&crystal[0]);
        for (int r = 1; r < ROTATIONS; r++) {
            const sw_crystal_output o = sw_crystal_state_output(&crystal[r]);
            CHECK_CLOSE(crystal[r].slip_rate / crystal[0].slip_rate, 1, 1e-6);
            for (int i = 0; i < 9; i++)
                CHECK_CLOSE(o.cauchy_stress[i / 3][i % 3], first.cauchy_stress[i / 3][i % 3], 1e-6 * 50e6);
        }
    }
}

/* The 128 symmetries of the grid, as test_symmetry.c has them for copper. */
static void grid_symmetries_hold(void **state)
{
    (void)state;
    enum { CUBIC = 128 };
    sw_symmetries all;
    sw_symmetries_of(&sw_point_group_432, &all);
    const sw_symmetry *group = all.operation;
    assert_int_equal(all.count, CUBIC);
    for (int k = 0; k < CUBICS; k++) {
        sw_material material = copper();
        material.crystal_structure = k;
        const sw_increment increment = sw_increment_default(&material);
        double x[CUBIC][4], y[CUBIC][SW_OUTPUTS_MOST], u[4];
        sw_random_orientation(2, (uint64_t)k, x[0]);
        sw_random_uniform4(2, (uint64_t)k, 1, u);
        x[0][3] = 2 * SW_PI * u[0];
        for (int s = 1; s < CUBIC; s++)
            for (int d = 0; d < 4; d++)
                x[s][d] = group[s].sign[d] * x[0][d] + group[s].twelfth[d] * SW_PI / 6;
        CHECK_OK(sw_integrate_points(&material, &increment, CUBIC, (const double(*)[4])x, y, NULL));
        for (int s = 1; s < CUBIC; s++)
            for (int c = 0; c < SW_OUTPUTS; c++)
                CHECK_CLOSE(y[s][c], group[s].output_sign[c] * y[0][group[s].source[c]], 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_have_their_systems),
        cmocka_unit_test(larger_structures_hold_the_smaller),
        cmocka_unit_test(systems_are_distinct_simple_shears),
        cmocka_unit_test(sets_are_closed_under_the_cubes_rotations),
        cmocka_unit_test(sum_of_squares_is_cubic),
        cmocka_unit_test(response_has_the_crystals_symmetry),
        cmocka_unit_test(grid_symmetries_hold),
    };
    return cmocka_run_group_tests_name("slip systems", tests, set_up, NULL);
}
