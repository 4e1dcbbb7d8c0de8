/* Formulations of decks on the GPU: products as on the CPU, solutions as by it. */
#include "gpu.h"

#include "tests/online/fem/products/bodies.h"

static test_body body;
static double v[3 * MOST_NODES], on_cpu[3 * MOST_NODES], on_gpu[3 * MOST_NODES];

typedef sw_matter *matter_of(void);
static matter_of *const matters[SW_PRODUCT_KINDS] = {steel, soft, cubic};

static void multiply_on(sw_fem_device device, sw_fem_scatter scatter, double *f)
{
    sw_products *p = open_products(&body, device, scatter);
    set_body(&body, p, v, f, NULL);
    CHECK_OK(sw_products_multiply(p, v, f));
    sw_products_close(p);
}

static void products_are_those_of_the_cpu(void **state)
{
    NEED_GPU();
    for (int i = 0; i < N_KNOWN; i++)
        for (int m = 0; m < SW_PRODUCT_KINDS; m++)
            for (int scatter = 0; scatter < SW_FEM_SCATTERS; scatter++) {
                const known *k = &all_known[i];
                if (sw_formulation_find(k->name, k->dialect)->kinematics != SW_FEM_SOLID)
                    continue;
                make_body(k, matters[m](), &body);
                const int64_t n = 3 * body.b.problem.n_nodes;
                make_vector(n, v);
                multiply_on(SW_FEM_DEVICE_CPU, SW_FEM_COLOURS, on_cpu);
                multiply_on(SW_FEM_DEVICE_CUDA, (sw_fem_scatter)scatter, on_gpu);
                if (!(off(n, on_gpu, on_cpu) <= ROUND_OFF))
                    fail_msg("%s (%d), matter %d, %s: %g off", k->name, k->dialect, m,
                             sw_fem_scatter_names[scatter], off(n, on_gpu, on_cpu));
            }
}

/* A beam that is held at x = 0 and pulled down at its end by an equation that makes it one; y = 0 at an edge follows from
 * another. */
static void solve_on(sw_fem_device device, const known *k, sw_matter *matter, double (*u)[3])
{
    static int64_t unknown[MOST_NODES][2];
    static double coefficient[2] = {1, -1};
    static sw_structure_constraint constraint[MOST_NODES];
    const int cells[3] = {6, 2, 2};
    const sw_structure_options options = {.quiet = 1, .linear = SW_FEM_SOLVE_CG, .device = device};
    sw_structure *s;
    int64_t first = -1;
    block *b = &body.b;
    fill(b, k, matter, cells, 0, bend);
    b->problem.constraint = constraint;
    for (int64_t n = 0; n < b->problem.n_nodes; n++) {
        const double x = b->position[n][0] - 0.04 * sin(3 * b->position[n][1]);
        for (int i = 0; i < 3 && x < 0.02; i++)
            b->fixed[b->step.n_fixed++] = (sw_structure_value){3 * n + i, 0, i == 1 ? 1e-3 : 0, -1};
        if (x < 0.985)
            continue;
        if (first < 0) {
            first = n;
            b->force[b->step.n_forces++] = (sw_structure_value){3 * n + 2, 0, -0.02, -1};
            continue;
        }
        const int64_t c = b->problem.n_constraints++;
        unknown[c][0] = 3 * n + 2;
        unknown[c][1] = 3 * first + 2;
        constraint[c] = (sw_structure_constraint){2, unknown[c], coefficient, 0, NULL, NULL, 1};
    }
    assert_true(b->problem.n_constraints > 3);
    CHECK_OK(sw_structure_open(&b->problem, &options, &s));
    CHECK_OK(sw_structure_advance(s, 0));
    sw_structure_read(s, u, NULL);
    sw_structure_close(s);
}

/* Both end at 1e-10 of the loads (flowing: Newton at 1e-6): 1e-8 of the displacements, a hundred times as soft as stiff. */
static void solutions_are_those_of_the_cpu(void **state)
{
    static const known some[] = {
        {"C3D10", 0, 6, 2, 0}, {"C3D20", 1, 6, 2, 0}, {"C3D20R", 1, 12, 2, 0}, {"C3D8I", 0, 6, 1, 0}};
    static double u[2][MOST_NODES][3];
    NEED_GPU();
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 2; m++) {
            solve_on(SW_FEM_DEVICE_CPU, &some[i], matters[m](), u[0]);
            solve_on(SW_FEM_DEVICE_CUDA, &some[i], matters[m](), u[1]);
            const double difference = off(3 * body.b.problem.n_nodes, u[1][0], u[0][0]);
            if (!(difference <= (m == 0 ? 1e-8 : 1e-5)))
                fail_msg("%s, matter %d: %g off", some[i].name, m, difference);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_cpu),
        cmocka_unit_test(solutions_are_those_of_the_cpu),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
