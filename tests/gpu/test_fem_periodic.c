/* Periodic bodies on the GPU against the CPU: forces, products, preconditioners, whole runs. */
#include "tests/gpu/fem_answers.h"
#include "tests/gpu/gpu.h"

static const sw_fem_material phases[2] = {
    {.young = 200e9, .poisson = 0.3, .yield_stress = 400e6, .hardening = SW_FEM_LINEAR, .parameter = {1e9}},
    {.young = 70e9, .poisson = 0.33, .yield_stress = 100e6, .hardening = SW_FEM_LINEAR, .parameter = {5e8}}};

/* Two phases at random; H_11 = 0.02, H_12 = 0.01, the sides free. */
static uint8_t *make(fem_body *b, const int64_t cells[3], sw_fem_kinematics k, sw_fem_strain_measure strain)
{
    sw_fem_mesh *mesh;
    uint64_t seed = 88172645463325252u;
    const sw_fem_voxels voxels = {
        .body = "box", .size = {1, 2, cells[2] > 0 ? 1.5 : 0}, .cells = {cells[0], cells[1], cells[2]}};
    CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    fem_make(b, mesh, k, 1, phases[0]);
    uint8_t *phase = zeros(b->E, 1);
    for (int64_t e = 0; e < b->E; e++)
        phase[e] = number(&seed) > 0;
    b->problem.n_materials = 2;
    b->problem.material = phases;
    b->problem.material_of = phase;
    b->problem.strain = strain;
    b->problem.periodic = 1;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CUDA); /* what both devices have */
    b->options.device = SW_FEM_DEVICE_CPU;
    b->options.tolerance = 1e-10;
    b->options.linear_tolerance = 1e-11;
    const double length = sw_fem_mean_length(&b->problem);
    for (int j = 0; j < b->d; j++)
        for (int i = 0; i < b->d; i++) {
            const int64_t dof = sw_fem_mean_unknown(&b->problem, i, j);
            if (i != j || i == 0)
                fem_fix(b, 0, dof / b->c, (int)(dof % b->c),
                        length * (i == 0 ? (j == 0   ? 0.02
                                            : j == 1 ? 0.01
                                                     : 0)
                                         : 0));
        }
    return phase;
}

/* Doubles in another order; multigrid in single precision on the GPU. */
static void test_forces_products_and_preconditioners(void **state)
{
    static const struct {
        int64_t cells[3];
        sw_fem_kinematics k;
        sw_fem_strain_measure strain;
        sw_fem_preconditioner with;
        double close;
    } cases[] = {{{8, 6, 5}, SW_FEM_SOLID, SW_FEM_FINITE, SW_FEM_BLOCK_JACOBI, 1e-9},
                 {{8, 6, 5}, SW_FEM_SOLID, SW_FEM_FINITE, SW_FEM_MULTIGRID, 1e-3},
                 {{8, 1, 16}, SW_FEM_SOLID, SW_FEM_SMALL, SW_FEM_MULTIGRID, 1e-3},
                 {{1, 1, 1}, SW_FEM_SOLID, SW_FEM_FINITE, SW_FEM_BLOCK_JACOBI, 1e-9},
                 {{7, 6, 0}, SW_FEM_PLANE_STRAIN, SW_FEM_FINITE, SW_FEM_JACOBI, 1e-9}};
    NEED_GPU();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fem_body b;
        uint8_t *phase = make(&b, cases[i].cells, cases[i].k, cases[i].strain);
        b.options.preconditioner = cases[i].with;
        const int64_t n = sw_fem_count_unknowns(&b.problem);
        double *u = zeros(n, sizeof(double)), *p = zeros(n, sizeof(double));
        for (int64_t j = 0; j < n; j++) {
            u[j] = 2e-3 * sin(1.7 * (double)j);
            p[j] = cos(2.3 * (double)j);
        }
        answer cpu = ask(&b, SW_FEM_DEVICE_CPU, u, p), gpu = ask(&b, SW_FEM_DEVICE_CUDA, u, p);
        const double force = farthest(n, cpu.force, gpu.force),
                     product = farthest(n, cpu.product, gpu.product),
                     z = farthest(n, cpu.preconditioned, gpu.preconditioned);
        print_message("%s: forces %.1e, K p %.1e, M^-1 r %.1e\n", sw_fem_preconditioner_names[cases[i].with],
                      force, product, z);
        assert_true(force <= 1e-11 && product <= 1e-11);
        if (cases[i].with != SW_FEM_MULTIGRID) /* its coarsest level may place a translation anywhere */
            assert_true(z <= cases[i].close);
        free_answer(&cpu);
        free_answer(&gpu);
        free(u);
        free(p);
        free(phase);
        fem_free(&b);
    }
}

static void test_runs(void **state)
{
    static const int64_t cells[2][3] = {{8, 6, 5}, {7, 7, 10}};
    NEED_GPU();
    for (int i = 0; i < 2; i++) {
        fem_body b;
        sw_fem_mean mean[2];
        uint8_t *phase = make(&b, cells[i], SW_FEM_SOLID, SW_FEM_FINITE);
        int cg[2];
        for (int gpu = 0; gpu < 2; gpu++) {
            sw_fem *fem;
            sw_fem_report report;
            double increment = 1;
            const sw_fem_fields out = {.mean = &mean[gpu]};
            b.options.device = gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU;
            CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
            for (int step = 1; step <= 4; step++)
                CHECK_OK(sw_fem_advance(fem, (double[]){0.25 * step}, &increment, &report));
            CHECK_OK(sw_fem_read(fem, &out));
            cg[gpu] = report.cg;
            sw_fem_close(fem);
        }
        const double far = farthest(9, mean[0].cauchy[0], mean[1].cauchy[0]);
        print_message("%s: mean stress off by %.1e; CG %d, %d\n",
                      sw_fem_preconditioner_names[b.options.preconditioner], far, cg[0], cg[1]);
        assert_true(far <= 1e-8); /* Newton ends at 1e-10; flow is some 100 times softer than elasticity */
        assert_true(abs(cg[0] - cg[1]) <= cg[0] / 2);
        free(phase);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_products_and_preconditioners),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
