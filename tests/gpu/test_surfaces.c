/* Surfaces that touch, their equations solved on a GPU: displacements and forces are those of the CPU. */
#include "gpu.h"

#include "tests/online/fem/surfaces/bodies.h"

static const struct {
    sw_fem_linear_solver linear;
    const char *law;
    int times; /* cells */
} cases[] = {{SW_FEM_SOLVE_CG, "", 1},
             {SW_FEM_SOLVE_CG, "", 2}, /* levels */
             {SW_FEM_SOLVE_AUTO, "*FRICTION\n0.2\n", 2},
             {SW_FEM_SOLVE_GMRES, "*FRICTION\n0.2\n", 2}};

/* Newton's method ends where the next correction is 1e-8 of what has moved, the last one solved for to 1e-6 of its residual, of which
 * what is soft is some ten times as far off: factors and iterations are 1.1e-6 apart. */
static void solutions_are_those_of_the_cpu(void **state)
{
    NEED_GPU();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        solution s[2];
        sw_surface_sums sums[2];
        for (int i = 0; i < 2; i++) {
            const sw_structure_options by = {.quiet = 1,
                                             .linear = cases[k].linear,
                                             .device = i == 0 ? SW_FEM_DEVICE_CPU : SW_FEM_DEVICE_CUDA,
                                             .preconditioner = SW_STRUCTURE_AMG};
            writer w = {0};
            rubbed_boxes(&w, cases[k].law, cases[k].times);
            s[i] = solve_by(&w, &by);
            take_step(&s[i], 0);
            sw_structure_read_contact(s[i].structure, 0, &sums[i]);
        }
        assert_true(sums[0].force[1] > 1);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(sums[1].force[i], sums[0].force[i], 1e-5 * sums[0].force[1]);
        for (int64_t n = 0; n < s[0].problem->n_nodes; n++)
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE(s[1].u[n][i], s[0].u[n][i], 1e-5 * 0.02);
        end(&s[0]);
        end(&s[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_are_those_of_the_cpu)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
