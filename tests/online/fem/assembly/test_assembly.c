/* The assembled matrix against plain loops over element matrices. */
#include "tests/online/fem/operators/test_operators.h"

#include "online/fem/assembly/assembly.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembled_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
