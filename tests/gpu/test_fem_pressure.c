/* Pressures that follow the surface on the GPU against the CPU: forces, products with the tangent, whole runs, the
 * same bits twice. Skipped, saying so, where there is no GPU. */
#include "tests/online/fem/meshes.h"
#include "tests/gpu/gpu.h"

#include "online/fem/backend/backend.h"

static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};
static const sw_fem_kinematics kinds[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
enum { KINDS = 3 };

static void shift(const void *context, const double at[3], double position[3])
{
    (void)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] + (i == 0 ? 0.5 : 0);
}

/* A distorted block, free to slide on its lower sides, under pressures on the upper ones: the surface's edge
 * slides in planes of symmetry, but for a ring's. Two cases. */
typedef struct {
    fem_body b;
    sw_fem_pressure first[2], second[2];
} pressed;

static void make(pressed *m, sw_fem_kinematics k, int n)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    fem_make(&m->b, fem_grid(cells, 0.2, shift, NULL), k, 1, elastic);
    fem_body *b = &m->b;
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CUDA); /* what both devices have */
    b->options.device = SW_FEM_DEVICE_CPU;
    b->options.tolerance = 1e-10;
    b->options.linear_tolerance = 1e-11;
    b->problem.n_cases = 2;
    m->first[0] = (sw_fem_pressure){fem_surface(b, "x_max"), 10e9};
    m->first[1] = (sw_fem_pressure){fem_surface(b, "y_max"), 5e9};
    m->second[0] = (sw_fem_pressure){fem_surface(b, "y_max"), 5e9};
    m->second[1] = (sw_fem_pressure){fem_surface(b, k == SW_FEM_SOLID ? "z_max" : "x_max"), 10e9};
    b->load[0].pressure = m->first;
    b->load[1].pressure = m->second;
    b->load[0].n_pressures = b->load[1].n_pressures = 2;
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(b, 0, "z_min", 2, 0);
}

/* Of b - a, by the largest of a. */
static double farthest(int64_t n, const double *a, const double *b)
{
    double far = 0, large = 0;
    for (int64_t i = 0; i < n; i++) {
        far = greatest(far, fabs(a[i] - b[i]));
        large = greatest(large, fabs(a[i]));
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return INFINITY;
    }
    return far / large;
}

/* What a device makes of displacements u and vectors p: pressures' forces, K p, M^-1 p. */
static void ask(const fem_body *b, sw_fem_device device, const double *u, const double *p, double *answer[3])
{
    const double factor[2] = {1, -0.4};
    sw_fem_options options = b->options;
    sw_fem *fem;
    int64_t points, elements;
    options.device = device;
    options.iterative = 1; /* the preconditioner is looked at, also where factors would be quicker */
    CHECK_OK(sw_fem_open(&b->problem, &options, &fem));
    const sw_fem_backend *on = fem->backend;
    memcpy(fem->goal, factor, sizeof factor);
    for (int i = 0; i < 3; i++)
        answer[i] = zeros(b->N * b->c, sizeof(double));
    CHECK_OK(on->upload(fem, u, fem->trial));
    CHECK_OK(on->upload(fem, p, fem->p));
    CHECK_OK(on->combine(fem, 0, fem->p, 0, fem->external));
    CHECK_OK(on->press(fem, factor, fem->trial, fem->external));
    CHECK_OK(on->download(fem, fem->external, answer[0]));
    CHECK_OK(on->internal(fem, fem->trial, fem->internal, &points, &elements));
    CHECK_OK(on->tangent(fem, fem->trial, 0));
    assert_int_equal(fem->symmetric, 0);
    CHECK_OK(on->product(fem, fem->p, fem->g));
    CHECK_OK(on->download(fem, fem->g, answer[1]));
    CHECK_OK(on->free_part(fem, fem->p));
    CHECK_OK(on->prepare(fem));
    CHECK_OK(on->precondition(fem, fem->p, fem->z));
    CHECK_OK(on->download(fem, fem->z, answer[2]));
    sw_fem_close(fem);
}

/* Some hundred operations a face and a thousand an element, in other orders; blocks of a condition below 100. */
static void test_forces_products_and_blocks(void **state)
{
    NEED_GPU();
    for (int i = 0; i < KINDS; i++) {
        pressed m;
        uint64_t seed = 17;
        double *cpu[3], *gpu[3];
        make(&m, kinds[i], 5);
        const int64_t n = m.b.N * m.b.c;
        double *u = zeros(n, sizeof(double)), *p = zeros(n, sizeof(double));
        for (int64_t j = 0; j < n; j++) {
            u[j] = 5e-3 * number(&seed);
            p[j] = number(&seed);
        }
        ask(&m.b, SW_FEM_DEVICE_CPU, u, p, cpu);
        ask(&m.b, SW_FEM_DEVICE_CUDA, u, p, gpu);
        const double force = farthest(n, cpu[0], gpu[0]), product = farthest(n, cpu[1], gpu[1]),
                     block = farthest(n, cpu[2], gpu[2]);
        print_message("%s: pressures %.1e, K p %.1e, blocks %.1e\n", sw_fem_kinematics_names[kinds[i]], force,
                      product, block);
        CHECK_CLOSE(force, 0, 1e-13);
        CHECK_CLOSE(product, 0, 1e-11);
        CHECK_CLOSE(block, 0, 1e-9);
        for (int j = 0; j < 3; j++) {
            free(cpu[j]);
            free(gpu[j]);
        }
        free(u);
        free(p);
        fem_free(&m.b);
    }
}

/* Equilibrium to 1e-10 of the forces: displacements to some hundred times that; on the GPU the same bits twice. */
static void test_whole_runs(void **state)
{
    NEED_GPU();
    for (int i = 0; i < KINDS; i++) {
        pressed m;
        fem_run r[3];
        make(&m, kinds[i], 4);
        const int64_t n = m.b.N * m.b.c;
        for (int run = 0; run < 3; run++) {
            m.b.options.device = run == 0 ? SW_FEM_DEVICE_CPU : SW_FEM_DEVICE_CUDA;
            fem_open(&m.b, &r[run]);
            for (int step = 1; step <= 4; step++)
                fem_load(&m.b, &r[run], 0.25 * step);
        }
        const double u = farthest(n, r[0].u, r[1].u), force = farthest(n, r[0].force, r[1].force);
        print_message("%s: displacements off by %.1e, forces by %.1e\n", sw_fem_kinematics_names[kinds[i]], u,
                      force);
        CHECK_CLOSE(u, 0, 1e-8);
        CHECK_CLOSE(force, 0, 1e-8);
        assert_memory_equal(r[1].u, r[2].u, (size_t)n * sizeof(double));
        assert_memory_equal(r[1].force, r[2].force, (size_t)n * sizeof(double));
        for (int run = 0; run < 3; run++)
            fem_close(&r[run]);
        fem_free(&m.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_products_and_blocks),
        cmocka_unit_test(test_whole_runs),
    };
    return cmocka_run_group_tests_name("pressures that follow the surface, GPU", tests, set_up, NULL);
}
