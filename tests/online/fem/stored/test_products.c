/* Operators of the CPU that store element matrices against plain loops over these, and the memory derived for them. */
#include "tests/online/fem/operators/test_operators.h"

#include <omp.h>

#include "tests/online/fem/stored/derived_memory.h"

static const int cells[3] = {7, 6, 5}, many_cells[3] = {23, 17, 0};

static void make_case(body *b, const sw_fem_test_case *c)
{
    make_body(b, c->kinematics, c->voxel, c->n_materials, c->b_bar,
              c->kinematics == SW_FEM_SOLID ? cells : many_cells);
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

/* Fig. 4.15's ratios for many hexahedra: half the matrix by symmetry, and the published counts of numbers. */
static void test_derived_memory(void **state)
{
    (void)state;
    const operator_counts counts = {.kinematics = SW_FEM_SOLID,
                                    .n_nodes = 1030301,
                                    .n_elements = 1000000,
                                    .n_pairs = 301 * 301 * 301,
                                    .n_materials = 1};
    const int64_t own = operator_bytes(SW_FEM_EBE, SW_FEM_OWN, &counts);
    const int64_t half = operator_bytes(SW_FEM_EBE_SYM, SW_FEM_OWN, &counts);
    assert_int_equal(own, 1000000 * (576 * 8 + 1LL));
    assert_int_equal(half, 1000000 * (300 * 8 + 1LL));
    assert_int_equal(operator_bytes(SW_FEM_POINTS, SW_FEM_OWN, &counts), 0);
    assert_true(operator_bytes(SW_FEM_EBE_NODE, SW_FEM_IMPROVED, &counts) < own / 500);
    assert_true(operator_bytes(SW_FEM_ASSEMBLED, SW_FEM_OWN, &counts) < own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators_against_plain_loops),
        cmocka_unit_test(test_derived_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
