/* Finite strains on the GPU against the CPU: forces, products with the tangent, diagonal blocks, elements turned
 * inside out, whole runs, restarts. Skipped, saying so, where there is no GPU. */
#include "tests/online/fem/meshes.h"
#include "tests/gpu/fem_answers.h"
#include "tests/gpu/gpu.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};
static const sw_fem_kinematics kinematics[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};

/* A unit block that stands on y_min and sticks to what moves y_max down by 1 at factor 1; distorted, or boxes. */
static void make_upset(fem_body *b, sw_fem_kinematics k, int b_bar, int boxes, int n)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    const sw_fem_voxels voxels = {.body = "box", .size = {1, 1, 1}, .cells = {n, n, cells[2]}};
    sw_fem_mesh *mesh;
    if (boxes)
        CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    else
        mesh = fem_grid(cells, 0.15, NULL, NULL);
    fem_make(b, mesh, k, b_bar, steel);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CUDA); /* what both devices have */
    b->options.device = SW_FEM_DEVICE_CPU;
    b->options.tolerance = 1e-9;
    b->options.linear_tolerance = 1e-11;
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(b, 0, "z_min", 2, 0);
    for (int i = 0; i < b->c; i++)
        fem_fix_set(b, 0, "y_max", i, i == 1 ? -1 : 0);
}

/* Both compute the same formulas in double precision, with other orders of sums and other roots and logarithms: some
 * 1e3 operations an element, 1e-13, and the return's difference of the trial and the yield stress, here a tenth of
 * them, makes ten times that of the tangent's. Blocks are inverted: their condition is below 100. */
static void test_forces_products_and_blocks(void **state)
{
    NEED_GPU();
    for (int i = 0; i < 3; i++)
        for (int b_bar = 0; b_bar < 2; b_bar++) {
            fem_body b;
            make_upset(&b, kinematics[i], b_bar, 0, 5);
            b.options.preconditioner = SW_FEM_BLOCK_JACOBI;
            const int64_t n = b.N * b.c;
            double *u = zeros(n, sizeof(double)), *p = zeros(n, sizeof(double));
            for (int64_t j = 0; j < n;
                 j++) { /* 3 % of strain, some of it plastic, and no two elements alike */
                u[j] =
                    4e-3 * sin(1.7 * (double)j) - 0.03 * (j % b.c == 1) * b.mesh->position[j / b.c * b.d + 1];
                p[j] = cos(2.3 * (double)j);
            }
            answer cpu = ask(&b, SW_FEM_DEVICE_CPU, u, p), gpu = ask(&b, SW_FEM_DEVICE_CUDA, u, p);
            const double force = farthest(n, cpu.force, gpu.force),
                         product = farthest(n, cpu.product, gpu.product),
                         block = farthest(n, cpu.preconditioned, gpu.preconditioned);
            print_message("%s%s: forces %.1e, K p %.1e, blocks %.1e; %lld points yield\n",
                          sw_fem_kinematics_names[kinematics[i]], b_bar ? ", b_bar" : "", force, product,
                          block, (long long)cpu.points);
            assert_true(cpu.points > 0 && cpu.points == gpu.points && cpu.elements == gpu.elements);
            assert_true(force <= 1e-12 && product <= 1e-11 && block <= 1e-9);
            free_answer(&cpu);
            free_answer(&gpu);
            free(u);
            free(p);
            fem_free(&b);
        }
}

/* ---- Elements turned inside out ---- */

/* Two are; both devices name the first, and the state is as before. */
static void test_inverted_elements_are_named(void **state)
{
    NEED_GPU();
    char message[2][256];
    for (int device = 0; device < 2; device++) {
        fem_body b;
        sw_fem *fem;
        int64_t points, elements;
        make_upset(&b, SW_FEM_SOLID, 1, 0, 5);
        double *u = zeros(b.N * 3, sizeof(double));
        for (int k = 1; k < 3; k++) /* a corner goes through the element */
            u[3 * (int64_t)b.mesh->node[8 * 37 * k]] = 0.5;
        b.options.device = device ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU;
        CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
        CHECK_OK(fem->backend->upload(fem, u, fem->trial));
        assert_int_equal(fem->backend->internal(fem, fem->trial, fem->internal, &points, &elements),
                         SW_ERR_CONVERGENCE);
        snprintf(message[device], sizeof message[device], "%s", sw_error_message());
        CHECK_OK(fem->backend->internal(fem, fem->u, fem->internal, &points, &elements));
        assert_int_equal(points, 0);
        sw_fem_close(fem);
        free(u);
        fem_free(&b);
    }
    assert_string_equal(message[0], message[1]);
    assert_non_null(strstr(message[1], "inside out"));
}

/* ---- Whole runs ---- */

/* Newton ends at residuals of 1e-9 on each: displacements agree to that times the condition of what flows on with a
 * hardening of 1e-3 of the shear modulus. */
#define AGREE 1e-6

static void upset(const fem_body *b, sw_fem_device device, sw_fem_preconditioner with, fem_run *r)
{
    fem_body own = *b;
    own.options.device = device;
    own.options.preconditioner = with;
    fem_open(&own, r);
    for (int step = 1; step <= 5; step++)
        fem_load(&own, r, 0.02 * step);
}

static void compare(const fem_body *b, const fem_run *cpu, const fem_run *gpu, const char *what)
{
    const int64_t n = b->N * b->c;
    const double u = farthest(n, cpu->u, gpu->u), f = farthest(n, cpu->force, gpu->force),
                 e = farthest(b->E * b->V, cpu->point_plastic_strain, gpu->point_plastic_strain);
    print_message("%-32s u %.1e, forces %.1e, plastic strain %.1e; %d and %d Newton, %d and %d CG\n", what, u,
                  f, e, cpu->report.newton, gpu->report.newton, cpu->report.cg, gpu->report.cg);
    assert_true(u <= AGREE && f <= AGREE && e <= 10 * AGREE);
}

static void test_runs(void **state)
{
    NEED_GPU();
    for (int i = 0; i < 3; i++)
        for (int b_bar = 0; b_bar < 2; b_bar++) {
            fem_body b;
            fem_run cpu, gpu;
            char what[64];
            make_upset(&b, kinematics[i], b_bar, 0, i == 0 ? 4 : 8);
            snprintf(what, sizeof what, "%s%s", sw_fem_kinematics_names[kinematics[i]],
                     b_bar ? ", b_bar" : "");
            upset(&b, SW_FEM_DEVICE_CPU, SW_FEM_BLOCK_JACOBI, &cpu);
            upset(&b, SW_FEM_DEVICE_CUDA, SW_FEM_BLOCK_JACOBI, &gpu);
            compare(&b, &cpu, &gpu, what);
            fem_close(&cpu);
            fem_close(&gpu);
            fem_free(&b);
        }
}

static void test_every_preconditioner_gives_the_same(void **state)
{
    NEED_GPU();
    static const sw_fem_preconditioner which[] = {SW_FEM_JACOBI, SW_FEM_BLOCK_JACOBI, SW_FEM_MULTIGRID};
    fem_body b;
    fem_run cpu;
    make_upset(&b, SW_FEM_SOLID, 1, 1, 8);
    upset(&b, SW_FEM_DEVICE_CPU, SW_FEM_MULTIGRID, &cpu);
    for (int i = 0; i < 3; i++) {
        fem_run gpu;
        upset(&b, SW_FEM_DEVICE_CUDA, which[i], &gpu);
        compare(&b, &cpu, &gpu, sw_fem_preconditioner_names[which[i]]);
        if (which[i] == SW_FEM_MULTIGRID) /* in single precision it is as good */
            assert_true(gpu.report.cg <= cpu.report.cg + cpu.report.cg / 4 + 2);
        fem_close(&gpu);
    }
    fem_close(&cpu);
    fem_free(&b);
}

/* ---- The same bits ---- */

/* Twice; and closed after two of four steps, opened and restored. The CPU goes on from the same state, too. */
static void test_restarts_give_the_same_bits(void **state)
{
    NEED_GPU();
    for (int which = 0; which < 2; which++) {
        fem_body b;
        fem_run whole, first, second, cpu;
        make_upset(&b, SW_FEM_SOLID, 1, 1, 6);
        b.options.device = SW_FEM_DEVICE_CUDA;
        b.options.preconditioner = which ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI;
        fem_open(&b, &whole);
        for (int i = 1; i <= 4; i++)
            fem_load(&b, &whole, 0.02 * i);
        fem_open(&b, &first);
        for (int i = 1; i <= 2; i++)
            fem_load(&b, &first, 0.02 * i);
        sw_fem_state saved = fem_new_state(&b);
        CHECK_OK(sw_fem_save(first.fem, &saved));
        fem_open(&b, &second);
        CHECK_OK(sw_fem_restore(second.fem, &saved));
        b.options.device = SW_FEM_DEVICE_CPU;
        fem_open(&b, &cpu);
        CHECK_OK(sw_fem_restore(cpu.fem, &saved));
        second.increment = cpu.increment = first.increment;
        for (int i = 3; i <= 4; i++) {
            fem_load(&b, &second, 0.02 * i);
            fem_load(&b, &cpu, 0.02 * i);
        }
        assert_memory_equal(whole.u, second.u, (size_t)(b.N * b.c) * sizeof(double));
        assert_memory_equal(whole.force, second.force, (size_t)(b.N * b.c) * sizeof(double));
        assert_memory_equal(whole.point_stress, second.point_stress,
                            (size_t)(b.E * b.V) * sizeof *whole.point_stress);
        assert_true(whole.report.external_work == second.report.external_work);
        compare(&b, &cpu, &second, "restored on the CPU");
        fem_free_state(&saved);
        fem_close(&whole);
        fem_close(&first);
        fem_close(&second);
        fem_close(&cpu);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_products_and_blocks),
        cmocka_unit_test(test_inverted_elements_are_named),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_every_preconditioner_gives_the_same),
        cmocka_unit_test(test_restarts_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("finite strains on the GPU", tests, set_up, NULL);
}
