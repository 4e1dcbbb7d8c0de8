/* Operator `points` of the CPU against plain loops over element matrices, and what element matrices must be. */
#include "test_operators.h"

static const int cells[3] = {7, 6, 5}, many_cells[3] = {23, 17, 0};

static void make_case(body *b, const sw_fem_test_case *c)
{
    make_body(b, c->kinematics, c->voxel, c->n_materials, c->b_bar,
              c->kinematics == SW_FEM_SOLID ? cells : many_cells);
}

static void test_matrices_are_symmetric_and_rigid_motions_free(void **state)
{
    (void)state;
    for (int i = 0; i < N_TEST_CASES; i++) {
        body b;
        make_case(&b, &test_cases[i]);
        make_plastic(&b, 0.5, 11);
        const int W = b.V * b.c, d = b.d, c = b.c;
        const sw_fem_kinematics k = b.problem.kinematics;
        for (int64_t e = 0; e < b.mesh.n_elements; e++) {
            double matrix[SW_FEM_MOST_WIDTH * SW_FEM_MOST_WIDTH], largest = 0;
            matrix_of(&b, e, matrix);
            for (int j = 0; j < W * W; j++)
                largest = greatest(largest, fabs(matrix[j]));
            for (int r = 0; r < W; r++)
                for (int s = 0; s < r; s++)
                    CHECK_CLOSE(matrix[r * W + s], matrix[s * W + r], 1e-13 * largest);
            /* Translations, then rotations in the planes of axes (s, t); coordinates are below 20. */
            for (int motion = 0; motion < (c == 1 ? 1 : d + (d == 3 ? 3 : 1)); motion++) {
                const int s = motion - d, t = (s + 1) % d;
                if (k == SW_FEM_AXISYMMETRIC && motion != 1)
                    continue;
                for (int r = 0; r < W; r++) {
                    double force = 0;
                    for (int a = 0; a < b.V; a++) {
                        const double *x = b.mesh.position + (int64_t)b.mesh.node[e * b.V + a] * d;
                        double u[3] = {0};
                        if (motion < d) {
                            u[motion] = 1;
                        } else {
                            u[s] = -x[t];
                            u[t] = x[s];
                        }
                        for (int j = 0; j < c; j++)
                            force += matrix[r * W + a * c + j] * u[j];
                    }
                    CHECK_CLOSE(force, 0, 1e-12 * largest * (motion < d ? 1 : 20));
                }
            }
        }
        free_body(&b);
    }
}

/* Boxes by their blocks, slabs, bundles that are not full, cells alone, several materials, B-bar. */
static void test_points_against_plain_loops(void **state)
{
    (void)state;
    for (int i = 0; i < N_VOXEL_CASES; i++)
        for (int lattice = 0; lattice < 2; lattice++) {
            body b;
            void *work;
            sw_fem_mesh *mesh = make_voxel_body(&b, i);
            if (!lattice)
                b.mesh.lattice = NULL;
            double *p = random_vector(&b, 21), *g = random_vector(&b, 3), *expected = random_vector(&b, 4);
            CHECK_OK(sw_fem_points_cpu.open(&b.fem, &b.view, &work));
            for (int t = 0; t < N_TEST_TANGENTS; t++) {
                make_plastic(&b, test_tangents[t].fraction, test_tangents[t].seed);
                CHECK_OK(sw_fem_points_cpu.prepare(work, &b.view));
                CHECK_OK(sw_fem_points_cpu.product(work, &b.view, p, g));
                reference_product(&b, p, expected);
                check_product(&b, g, expected, voxel_cases[i].name);
            }
            sw_fem_points_cpu.close(work);
            free(p);
            free(g);
            free(expected);
            free_voxel_body(&b, mesh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices_are_symmetric_and_rigid_motions_free),
        cmocka_unit_test(test_points_against_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
