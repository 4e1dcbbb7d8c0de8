/* Polycrystals at the points of elements on the GPU against the CPU: forces, products, blocks, whole runs, restarts. */
#include "tests/gpu/fem_answers.h"
#include "tests/gpu/gpu.h"

static sw_material metal;
static float weight[6] = {1, 2, 3, 1, 0, 2};
static sw_crystal texture[6];

/* A block whose first two elements are von Mises's, the others of crystals: 20 random ones, or a texture with
 * weights. */
typedef struct {
    fem_body b;
    sw_fem_polycrystal of;
    sw_fem_material material[2];
    uint8_t *material_of;
} block;

static void make(block *m, sw_fem_kinematics k, int weighted, int boxes, int n)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    const sw_fem_voxels voxels = {.body = "box", .size = {1, 1, 1}, .cells = {n, n, cells[2]}};
    sw_fem_mesh *mesh;
    metal = copper();
    for (int i = 0; i < 6; i++)
        texture[i] = (sw_crystal){{(float)i, 0.5F * (float)i, 0.2F}, 17e6F};
    if (boxes)
        CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    else
        mesh = fem_grid(cells, 0.15, NULL, NULL);
    m->of = (sw_fem_polycrystal){
        .response = {.solver = "elastoplastic", .material = &metal}, .each = weighted ? 6 : 20, .seed = 5};
    if (weighted) {
        m->of.n_texture = 6;
        m->of.texture = texture;
        m->of.weight = weight;
        m->of.rotated = 1;
    }
    m->material[0] = sw_fem_material_of_crystals(&m->of);
    m->material[1] = (sw_fem_material){.young = 120e9, .poisson = 0.3, .yield_stress = 60e6};
    fem_make(&m->b, mesh, k, 1, m->material[0]);
    m->material_of = zeros(m->b.E, 1);
    m->material_of[0] = m->material_of[1] = 1;
    m->b.problem.n_materials = 2;
    m->b.problem.material = m->material;
    m->b.problem.material_of = m->material_of;
    m->b.problem.strain = SW_FEM_FINITE;
    m->b.options = sw_fem_default_options(&m->b.problem, SW_FEM_DEVICE_CPU);
    m->b.options.linear = SW_FEM_SOLVE_BICGSTAB;
    m->b.options.tolerance = 1e-6;
    fem_fix_set(&m->b, 0, "x_min", 0, 0);
    fem_fix_set(&m->b, 0, "y_min", 1, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(&m->b, 0, "z_min", 2, 0);
    for (int i = 0; i < m->b.c; i++)
        fem_fix_set(&m->b, 0, "y_max", i, i == 1 ? -0.02 : 0);
}

static void release(block *m)
{
    free(m->material_of);
    fem_free(&m->b);
}

/* Crystals answer in single precision, in other orders: what their tests allow. */
static void test_forces_products_and_blocks(void **state)
{
    static const sw_fem_kinematics kinematics[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
    NEED_GPU();
    for (int i = 0; i < 3; i++)
        for (int weighted = 0; weighted < 2; weighted++) {
            block m;
            make(&m, kinematics[i], weighted, 0, 4);
            m.b.options.preconditioner = SW_FEM_BLOCK_JACOBI;
            const int64_t n = m.b.N * m.b.c;
            double *u = zeros(n, sizeof(double)), *p = zeros(n, sizeof(double));
            for (int64_t j = 0; j < n; j++) {
                u[j] = 2e-3 * sin(1.7 * (double)j) -
                       0.02 * (j % m.b.c == 1) * m.b.mesh->position[j / m.b.c * m.b.d + 1];
                p[j] = cos(2.3 * (double)j);
            }
            answer cpu = ask(&m.b, SW_FEM_DEVICE_CPU, u, p), gpu = ask(&m.b, SW_FEM_DEVICE_CUDA, u, p);
            const double force = farthest(n, cpu.force, gpu.force),
                         product = farthest(n, cpu.product, gpu.product),
                         of_blocks = farthest(n, cpu.preconditioned, gpu.preconditioned);
            print_message("%s%s: forces %.1e, K p %.1e, blocks %.1e; %lld points flow\n",
                          sw_fem_kinematics_names[kinematics[i]], weighted ? ", weighted" : "", force,
                          product, of_blocks, (long long)cpu.points);
            assert_true(cpu.points > 0);
            assert_true(force <= 1e-6 && product <= 1e-3 && of_blocks <= 1e-3);
            free_answer(&cpu);
            free_answer(&gpu);
            free(u);
            free(p);
            release(&m);
        }
}

/* Three steps of 2 %, and the third again from the second's saved state. */
static void test_runs_and_restarts(void **state)
{
    NEED_GPU();
    for (int boxes = 0; boxes < 2; boxes++) {
        block m;
        fem_run on[2];
        make(&m, SW_FEM_SOLID, 0, boxes, 4);
        const int64_t n = m.b.N * m.b.c;
        const sw_fem_crystal_count count = sw_fem_crystal_counts(&m.b.problem);
        sw_fem_state saved = fem_new_state(&m.b);
        saved.crystal_points = zeros(count.points, sizeof(sw_fem_crystal_point));
        saved.crystal = zeros(count.crystals, sizeof(sw_crystal));
        saved.kept = zeros(count.kept, sizeof(double));
        for (int gpu = 0; gpu < 2; gpu++) {
            m.b.options.device = gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU;
            fem_open(&m.b, &on[gpu]);
            for (int i = 1; i <= 3; i++) {
                fem_load(&m.b, &on[gpu], i);
                if (i == 2 && gpu)
                    CHECK_OK(sw_fem_save(on[gpu].fem, &saved));
            }
        }
        const double force = farthest(n, on[0].force, on[1].force), u = farthest(n, on[0].u, on[1].u);
        print_message("%s: forces %.1e, displacements %.1e; Newton %d, %d\n",
                      boxes ? "multigrid" : "block Jacobi", force, u, on[0].report.newton,
                      on[1].report.newton);
        assert_true(force <= 1e-5 && u <= 1e-5);
        fem_run again;
        fem_open(&m.b, &again);
        CHECK_OK(sw_fem_restore(again.fem, &saved));
        again.increment = 1;
        fem_load(&m.b, &again, 3);
        CHECK_CLOSE(farthest(n, on[1].u, again.u), 0, 0);
        fem_close(&again);
        fem_close(&on[0]);
        fem_close(&on[1]);
        free(saved.crystal_points);
        free(saved.crystal);
        free(saved.kept);
        fem_free_state(&saved);
        release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_products_and_blocks),
        cmocka_unit_test(test_runs_and_restarts),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
