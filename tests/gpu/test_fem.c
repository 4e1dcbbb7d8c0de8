/* Analyses on the GPU against the CPU: every kinematics, operator and preconditioner, saving and restoring,
 * the same bits twice. Skipped, saying so, where there is no GPU. */
#include "tests/online/fem/meshes.h"
#include "tests/gpu/gpu.h"

/* ---- Problems ---- */

typedef struct {
    sw_fem_problem problem;
    sw_fem_material material[2];
    sw_fem_mesh *mesh;
    sw_fem_case load[2];
    uint8_t *material_of;
} gpu_problem;

static void squeeze(const void *context, const double at[3], double position[3])
{
    (void)context;
    position[0] = 0.1 + 0.2 * at[0] + 0.03 * at[1] * at[1];
    position[1] = 0.1 * at[1] + 0.02 * at[0] * at[0];
    position[2] = 0.1 * at[2];
}

/* A bar held at x_min and pulled and bent at x_max, by a force and by a prescribed displacement of y at
 * y_min, or heated (a body without x_max: at its round side); of voxels when `body` is given, else of a
 * distorted grid. Two materials: the second from half the elements on. */
static void make_problem(gpu_problem *p, const char *body, const int cells[3], sw_fem_kinematics k, int b_bar)
{
    memset(p, 0, sizeof *p);
    if (body) {
        const sw_fem_voxels voxels = {.body = body, .cells = {cells[0], cells[1], cells[2]}};
        CHECK_OK(sw_fem_voxel_mesh(&voxels, &p->mesh));
    } else {
        p->mesh = fem_grid(cells, 0.2, squeeze, NULL);
    }
    const int c = sw_fem_unknowns(k);
    const int64_t n = p->mesh->n_nodes * c;
    p->material[0] = (sw_fem_material){.young = 200e9,
                                       .poisson = 0.3,
                                       .yield_stress = 250e6,
                                       .hardening = SW_FEM_LINEAR,
                                       .parameter = {5e9}};
    p->material[1] = (sw_fem_material){.young = 100e9,
                                       .poisson = 0.25,
                                       .yield_stress = 200e6,
                                       .hardening = SW_FEM_VOCE,
                                       .parameter = {1e9, 300e6, 40}};
    p->material_of = zeros(p->mesh->n_elements, 1);
    for (int64_t e = p->mesh->n_elements / 2; e < p->mesh->n_elements; e++)
        p->material_of[e] = 1;
    p->problem = (sw_fem_problem){.mesh = p->mesh,
                                  .kinematics = k,
                                  .b_bar = b_bar ? SW_FEM_B_BAR_YES : SW_FEM_B_BAR_NO,
                                  .thickness = 0.05,
                                  .n_materials = 2,
                                  .material = p->material,
                                  .material_of = p->material_of,
                                  .n_cases = 2,
                                  .load = p->load};
    const sw_fem_set *held = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, "x_min"),
                     *moved = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, "x_max");
    if (!moved)
        moved = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, "side");
    p->load[0].dof = zeros(held->n * c, sizeof(int64_t));
    p->load[0].value = zeros(held->n * c, sizeof(double));
    p->load[0].force = zeros(n, sizeof(double));
    for (int64_t i = 0; i < held->n; i++)
        for (int j = 0; j < c; j++)
            p->load[0].dof[p->load[0].n_fixed++] = (int64_t)held->member[i] * c + j;
    const double body_force[3] = {k == SW_FEM_HEAT ? 1e3 : 2e8, 0, 0};
    CHECK_OK(sw_fem_add_body_force(&p->problem, sw_fem_mesh_set(p->mesh, SW_FEM_ELEMENTS, "all"), body_force,
                                   p->load[0].force));
    /* The other case bends: the last unknown of x_max's nodes. */
    p->load[1].dof = zeros(moved->n, sizeof(int64_t));
    p->load[1].value = zeros(moved->n, sizeof(double));
    for (int64_t i = 0; i < moved->n; i++) {
        p->load[1].dof[i] = (int64_t)moved->member[i] * c + c - 1;
        p->load[1].value[i] =
            k == SW_FEM_HEAT
                ? 100
                : -6e-3 *
                      p->mesh->position[(int64_t)moved->member[i] * sw_fem_shapes[p->mesh->shape].dimension];
    }
    p->load[1].n_fixed = moved->n;
}

static void free_problem(gpu_problem *p)
{
    for (int l = 0; l < 2; l++) {
        free(p->load[l].dof);
        free(p->load[l].value);
        free(p->load[l].force);
    }
    free(p->material_of);
    sw_fem_mesh_free(p->mesh);
}

/* ---- Comparing ---- */

typedef struct {
    double *displacement, *force, *plastic_strain;
    sw_fem_report report;
} solution;

static sw_fem_options tight(const gpu_problem *p, sw_fem_device device)
{
    sw_fem_options o = sw_fem_default_options(&p->problem, device);
    o.device = device;
    o.tolerance = 1e-9;
    o.linear_tolerance = 1e-11;
    return o;
}

/* Loaded along both cases, then half unloaded. */
static solution solve(const gpu_problem *p, const sw_fem_options *options)
{
    const double factor[2][2] = {{1, 1}, {0.3, 0.5}};
    double increment = 0.5;
    sw_fem *fem;
    solution s = {.displacement = zeros(p->mesh->n_nodes * 3, sizeof(double)),
                  .force = zeros(p->mesh->n_nodes * 3, sizeof(double)),
                  .plastic_strain = zeros(p->mesh->n_elements, sizeof(double))};
    CHECK_OK(sw_fem_open(&p->problem, options, &fem));
    for (int i = 0; i < 2; i++)
        CHECK_OK(sw_fem_advance(fem, factor[i], &increment, &s.report));
    const sw_fem_fields fields = {
        .displacement = s.displacement, .force = s.force, .plastic_strain = s.plastic_strain};
    CHECK_OK(sw_fem_read(fem, &fields));
    sw_fem_close(fem);
    return s;
}

static void free_solution(solution *s)
{
    free(s->displacement);
    free(s->force);
    free(s->plastic_strain);
}

static double farthest(int64_t n, const double *a, const double *b)
{
    double far = 0, large = 0;
    for (int64_t i = 0; i < n; i++) {
        far = greatest(far, fabs(a[i] - b[i]));
        large = greatest(large, fabs(a[i]));
    }
    return large > 0 ? far / large : far;
}

/* Newton ends at residuals of 1e-9 on each: displacements agree to that times the condition of what little
 * flows. */
#define AGREE 1e-7

static void compare(const gpu_problem *p, const solution *cpu, const solution *gpu, const char *what)
{
    const int64_t n = p->mesh->n_nodes * sw_fem_unknowns(p->problem.kinematics);
    const double u = farthest(n, cpu->displacement, gpu->displacement),
                 f = farthest(n, cpu->force, gpu->force),
                 e = farthest(p->mesh->n_elements, cpu->plastic_strain, gpu->plastic_strain);
    print_message(
        "%-44s u %.1e, forces %.1e, plastic strain %.1e; %d and %d Newton, %d and %d CG iterations\n", what,
        u, f, e, cpu->report.newton, gpu->report.newton, cpu->report.cg, gpu->report.cg);
    if (!(u <= AGREE && f <= AGREE && e <= 100 * AGREE))
        fail_msg("%s: need %.1g", what, AGREE);
}

/* ---- Tests ---- */

static const int bar[3] = {12, 5, 4}, sheet[3] = {14, 6, 0};

static void test_kinematics(void **state)
{
    NEED_GPU();
    for (int k = 0; k < SW_FEM_KINEMATICS; k++)
        for (int b_bar = 0; b_bar < 2; b_bar++) {
            gpu_problem p;
            char what[64];
            if (b_bar && (k == SW_FEM_PLANE_STRESS || k == SW_FEM_HEAT))
                continue;
            make_problem(&p, NULL, k == SW_FEM_SOLID ? bar : sheet, (sw_fem_kinematics)k, b_bar);
            sw_fem_options options = tight(&p, SW_FEM_DEVICE_CPU);
            options.preconditioner = SW_FEM_BLOCK_JACOBI;
            solution cpu = solve(&p, &options);
            options.device = SW_FEM_DEVICE_CUDA;
            solution gpu = solve(&p, &options);
            snprintf(what, sizeof what, "%s%s", sw_fem_kinematics_names[k], b_bar ? ", b_bar" : "");
            compare(&p, &cpu, &gpu, what);
            double most = 0;
            for (int64_t e = 0; e < p.mesh->n_elements; e++)
                most = greatest(most, cpu.plastic_strain[e]);
            assert_true(k == SW_FEM_HEAT ? most == 0 : most > 1e-4);
            free_solution(&cpu);
            free_solution(&gpu);
            free_problem(&p);
        }
}

static void test_operators_and_preconditioners(void **state)
{
    NEED_GPU();
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        gpu_problem p;
        make_problem(&p, b_bar ? "box" : "cantilever_with_cutout", b_bar ? bar : (const int[3]){40, 16, 8},
                     SW_FEM_SOLID, b_bar);
        sw_fem_options options = tight(&p, SW_FEM_DEVICE_CPU);
        solution cpu = solve(&p, &options);
        for (int preconditioner = 0; preconditioner < SW_FEM_PRECONDITIONERS; preconditioner++)
            for (int operator_ = 0; operator_ < BUILT_OPERATORS; operator_++) {
                char what[96];
                if (preconditioner == SW_FEM_AMG ||
                    (operator_ != SW_FEM_POINTS && preconditioner != SW_FEM_MULTIGRID))
                    continue;
                options = tight(&p, SW_FEM_DEVICE_CUDA);
                options.preconditioner = (sw_fem_preconditioner)preconditioner;
                options.operator_ = (sw_fem_operator)operator_;
                solution gpu = solve(&p, &options);
                snprintf(what, sizeof what, "%s, %s%s", sw_fem_operator_names[operator_],
                         sw_fem_preconditioner_names[preconditioner], b_bar ? ", b_bar" : "");
                compare(&p, &cpu, &gpu, what);
                free_solution(&gpu);
            }
        free_solution(&cpu);
        free_problem(&p);
    }
}

/* A lattice whose cells are not boxes goes the way of meshes from files. */
static void test_mapped_cells(void **state)
{
    NEED_GPU();
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        gpu_problem p;
        make_problem(&p, "cylinder_quarter", (const int[3]){6, 6, 9}, SW_FEM_SOLID, b_bar);
        sw_fem_options options = tight(&p, SW_FEM_DEVICE_CPU);
        solution cpu = solve(&p, &options);
        double most = 0;
        for (int64_t e = 0; e < p.mesh->n_elements; e++)
            most = greatest(most, cpu.plastic_strain[e]);
        assert_true(most > 1e-4);
        for (int operator_ = 0; operator_ < BUILT_OPERATORS; operator_++) {
            char what[96];
            options = tight(&p, SW_FEM_DEVICE_CUDA);
            options.operator_ = (sw_fem_operator)operator_;
            solution gpu = solve(&p, &options);
            snprintf(what, sizeof what, "mapped, %s%s", sw_fem_operator_names[operator_],
                     b_bar ? ", b_bar" : "");
            compare(&p, &cpu, &gpu, what);
            free_solution(&gpu);
        }
        free_solution(&cpu);
        free_problem(&p);
    }
}

/* Iterative ones in terms of vectors; factors are the CPU's, and that is said. */
static void test_linear_solvers(void **state)
{
    NEED_GPU();
    gpu_problem p;
    sw_fem *fem;
    make_problem(&p, "box", bar, SW_FEM_SOLID, 1);
    sw_fem_options options = tight(&p, SW_FEM_DEVICE_CPU);
    solution cpu = solve(&p, &options);
    options.device = SW_FEM_DEVICE_CUDA;
    for (int linear = 0; linear < SW_FEM_SOLVE_DIRECT; linear++) {
        options.linear = (sw_fem_linear_solver)linear;
        solution gpu = solve(&p, &options);
        compare(&p, &cpu, &gpu, sw_fem_linear_names[linear]);
        free_solution(&gpu);
    }
    options.linear = SW_FEM_SOLVE_DIRECT;
    assert_int_equal(sw_fem_open(&p.problem, &options, &fem), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "linear direct: "));
    free_solution(&cpu);
    free_problem(&p);
}

/* Twice the same bits; and after saving, closing, opening and restoring half way. */
static void test_same_bits(void **state)
{
    NEED_GPU();
    gpu_problem p;
    make_problem(&p, "l_bracket", (const int[3]){16, 16, 3}, SW_FEM_SOLID, 0);
    const sw_fem_options options = tight(&p, SW_FEM_DEVICE_CUDA);
    const int64_t n = p.mesh->n_nodes * 3, points = p.mesh->n_elements * 8;
    solution once = solve(&p, &options), twice = solve(&p, &options);
    assert_memory_equal(once.displacement, twice.displacement, (size_t)n * sizeof(double));
    assert_memory_equal(once.force, twice.force, (size_t)n * sizeof(double));
    const double factor[2][2] = {{1, 1}, {0.3, 0.5}};
    double increment = 0.5, reached[2];
    sw_fem_state saved = {.displacement = zeros(n, sizeof(double)),
                          .points = zeros(points, sizeof(sw_fem_point)),
                          .yielded = zeros(points, 1),
                          .factor = reached};
    sw_fem *fem;
    sw_fem_report report;
    CHECK_OK(sw_fem_open(&p.problem, &options, &fem));
    CHECK_OK(sw_fem_advance(fem, factor[0], &increment, &report));
    CHECK_OK(sw_fem_save(fem, &saved));
    sw_fem_close(fem);
    CHECK_OK(sw_fem_open(&p.problem, &options, &fem));
    CHECK_OK(sw_fem_restore(fem, &saved));
    CHECK_OK(sw_fem_advance(fem, factor[1], &increment, &report));
    const sw_fem_fields fields = {.displacement = twice.displacement, .force = twice.force};
    CHECK_OK(sw_fem_read(fem, &fields));
    sw_fem_close(fem);
    assert_memory_equal(once.displacement, twice.displacement, (size_t)n * sizeof(double));
    assert_memory_equal(once.force, twice.force, (size_t)n * sizeof(double));
    free(saved.displacement);
    free(saved.points);
    free(saved.yielded);
    free_solution(&once);
    free_solution(&twice);
    free_problem(&p);
}

/* A refused preconditioner leaves nothing behind, and bodies come and go: memory counted starts at what it
 * was. */
static void test_memory(void **state)
{
    NEED_GPU();
    gpu_problem p;
    int64_t bytes = 0;
    make_problem(&p, "box", bar, SW_FEM_SOLID, 0);
    sw_fem_options options = tight(&p, SW_FEM_DEVICE_CUDA);
    for (int again = 0; again < 3; again++) {
        sw_fem *fem;
        CHECK_OK(sw_fem_open(&p.problem, &options, &fem));
        const sw_fem_timing timing = sw_fem_timings(fem);
        const double vectors = 10.0 * 8,
                     states = 8 * 57.0 / 3; /* an unknown; more elements than nodes there are none */
        const double each = (double)timing.bytes / (3.0 * (double)p.mesh->n_nodes);
        assert_true(timing.most_bytes >= timing.bytes && each > vectors && each < 10 * (vectors + states));
        assert_true(again == 0 || timing.bytes == bytes);
        bytes = timing.bytes;
        sw_fem_close(fem);
    }
    free_problem(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinematics),   cmocka_unit_test(test_operators_and_preconditioners),
        cmocka_unit_test(test_mapped_cells), cmocka_unit_test(test_linear_solvers),
        cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("finite elements on the GPU", tests, set_up, NULL);
}
