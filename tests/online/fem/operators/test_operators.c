/* Operators of the CPU against plain loops over element matrices, and what element matrices must be. */
#include "test_operators.h"

#include <omp.h>

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
                largest = fmax(largest, fabs(matrix[j]));
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

static void test_operators_against_plain_loops(void **state)
{
    (void)state;
    for (int i = 0; i < N_TEST_CASES; i++) {
        body b;
        make_case(&b, &test_cases[i]);
        double *p = random_vector(&b, 21), *expected = random_vector(&b, 22);
        double *g = random_vector(&b, 23), *again = random_vector(&b, 24);
        void *work[SW_FEM_OPERATORS][SW_FEM_STORAGES];
        for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
            for (int s = 0; s < SW_FEM_STORAGES; s++) {
                b.fem.options =
                    (sw_fem_options){.operator_ = (sw_fem_operator)o, .storage = (sw_fem_storage)s};
                CHECK_OK(sw_fem_operators[o].cpu->open(&b.fem, &b.view, &work[o][s]));
            }
        for (int t = 0; t < N_TEST_TANGENTS; t++) {
            make_plastic(&b, test_tangents[t].fraction, test_tangents[t].seed);
            reference_product(&b, p, expected);
            for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
                for (int s = 0; s < SW_FEM_STORAGES; s++) {
                    char what[80];
                    snprintf(what, sizeof what, "case %d, tangent %d, operator %d, storage %d", i, t, o, s);
                    omp_set_num_threads(3);
                    CHECK_OK(sw_fem_operators[o].cpu->prepare(work[o][s], &b.view));
                    CHECK_OK(sw_fem_operators[o].cpu->product(work[o][s], &b.view, p, g));
                    check_product(&b, g, expected, what);
                    omp_set_num_threads(1);
                    CHECK_OK(sw_fem_operators[o].cpu->prepare(work[o][s], &b.view));
                    CHECK_OK(sw_fem_operators[o].cpu->product(work[o][s], &b.view, p, again));
                    if (memcmp(g, again, b.fem.n_unknowns * sizeof *g) != 0)
                        fail_msg("%s: the result depends on the number of threads", what);
                }
        }
        assert_true(b.fem.timing.bytes > 0);
        for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
            for (int s = 0; s < SW_FEM_STORAGES; s++)
                sw_fem_operators[o].cpu->close(work[o][s]);
        assert_int_equal(b.fem.timing.bytes, 0);
        free(p);
        free(g);
        free(again);
        free(expected);
        free_body(&b);
    }
}

/* The assembled matrix has ascending columns and no others than neighbours', and is what products need. */
static void test_assembled_matrix(void **state)
{
    (void)state;
    body b;
    sw_fem_csr csr;
    make_body(&b, SW_FEM_SOLID, 1, 1, 0, (const int[3]){2, 2, 5});
    make_plastic(&b, 0.5, 3);
    CHECK_OK(sw_fem_assemble(&b.view, &csr));
    assert_int_equal(csr.n_rows, b.fem.n_unknowns);
    assert_int_equal(csr.row[csr.n_rows], 7 * 7 * 16 * 9); /* a full box: 3 cells + 1 pairs a direction */
    double *p = random_vector(&b, 21), *expected = random_vector(&b, 22), *g = random_vector(&b, 23);
    for (int64_t i = 0; i < csr.n_rows; i++) {
        g[i] = 0;
        for (int64_t j = csr.row[i]; j < csr.row[i + 1]; j++) {
            assert_true(j == csr.row[i] || csr.column[j] > csr.column[j - 1]);
            g[i] += csr.value[j] * p[csr.column[j]];
        }
    }
    reference_product(&b, p, expected);
    check_product(&b, g, expected, "assembled");
    free(p);
    free(g);
    free(expected);
    sw_fem_csr_free(&csr);
    free_body(&b);
}

/* Fig. 4.15's ratios for many hexahedra: half the matrix by symmetry, and the published counts of numbers. */
static void test_derived_memory(void **state)
{
    (void)state;
    const sw_fem_counts counts = {.kinematics = SW_FEM_SOLID,
                                  .n_nodes = 1030301,
                                  .n_elements = 1000000,
                                  .n_pairs = 301 * 301 * 301,
                                  .n_materials = 1};
    const int64_t own = sw_fem_operator_bytes(SW_FEM_EBE, SW_FEM_OWN, &counts);
    const int64_t half = sw_fem_operator_bytes(SW_FEM_EBE_SYM, SW_FEM_OWN, &counts);
    assert_int_equal(own, 1000000 * (576 * 8 + 1LL));
    assert_int_equal(half, 1000000 * (300 * 8 + 1LL));
    assert_int_equal(sw_fem_operator_bytes(SW_FEM_POINTS, SW_FEM_OWN, &counts), 0);
    assert_true(sw_fem_operator_bytes(SW_FEM_EBE_NODE, SW_FEM_IMPROVED, &counts) < own / 500);
    assert_true(sw_fem_operator_bytes(SW_FEM_ASSEMBLED, SW_FEM_OWN, &counts) < own);
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
        cmocka_unit_test(test_operators_against_plain_loops),
        cmocka_unit_test(test_points_against_plain_loops),
        cmocka_unit_test(test_assembled_matrix),
        cmocka_unit_test(test_derived_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
