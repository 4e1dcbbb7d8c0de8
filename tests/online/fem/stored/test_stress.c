/* Stress in three parts and forces in a fourth, as Kiran 2023 has them, on the CPU. */
#include "test_stress.h"

static void parts_give_the_forces_of_one_pass(void **state)
{
    (void)state;
    body b;
    double *u, *expected;
    sw_fem_point *point;
    make_stressed(&b, &u, &point, &expected);
    double *force = random_vector(&b, 3); /* what it holds before is of no account */
    run_parts(&sw_fem_stress_cpu, &b.view, point, u, force);
    check_product(&b, force, expected, "parts");
    /* Without a state the points are at rest: other forces, and the right ones. */
    memset(point, 0, (size_t)(8 * b.mesh.n_elements) * sizeof *point);
    run_parts(&sw_fem_stress_cpu, &b.view, NULL, u, force);
    assert_true(fabs(force[0] - expected[0]) > 1e-6 * fabs(expected[0]));
    memset(expected, 0, (size_t)b.fem.n_unknowns * sizeof *expected);
    forces_in_one(&b, point, u, expected);
    check_product(&b, force, expected, "parts, at rest");
    free(u);
    free(point);
    free(expected);
    free(force);
    free_body(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_give_the_forces_of_one_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
