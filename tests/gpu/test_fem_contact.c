/* Contact on the GPU against the CPU: every kind of friction, sides that fold, tools that are pushed; restarts.
 * Skipped,
 * saying so, where there is no GPU. */
#include "tests/online/fem/meshes.h"
#include "tests/gpu/gpu.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};

/* ---- Billets ---- */

typedef struct {
    const char *name;
    sw_fem_kinematics kinematics;
    double friction, shear_limit, move, force; /* move 0: pushed by the force, N */
    int sticks, steps;
} billet;

static const billet billets[] = {
    {"smooth, axisymmetric", SW_FEM_AXISYMMETRIC, 0, 0, -0.0015, 0, 0, 5},
    {"Coulomb, axisymmetric", SW_FEM_AXISYMMETRIC, 0.1, 0, -0.0015, 0, 0, 5},
    {"Coulomb and limit, solid", SW_FEM_SOLID, 0.3, 60e6, -0.0015, 0, 0, 5},
    {"sticking and folding, solid", SW_FEM_SOLID, 0, 0, -0.0075, 0, 1, 25},
    {"pushed, axisymmetric", SW_FEM_AXISYMMETRIC, 0.1, 0, 0, -235e3, 0, 5},
};
enum { BILLETS = sizeof billets / sizeof *billets };

/* Half of a billet of 10 and 30 mm; a solid one is a quarter of the cylinder. */
static void make(fem_body *b, const billet *of)
{
    const int solid = of->kinematics == SW_FEM_SOLID, up = solid ? 2 : 1;
    const sw_fem_voxels v = {.body = solid ? "cylinder_quarter" : "box",
                             .size = {0.010, solid ? 0.010 : 0.015, solid ? 0.015 : 0},
                             .cells = {6, solid ? 6 : 9, solid ? 9 : 0}};
    sw_fem_mesh *mesh;
    double move[3] = {0};
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    fem_make(b, mesh, of->kinematics, 1, steel);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CUDA); /* what both devices have */
    b->options.device = SW_FEM_DEVICE_CPU;
    b->options.linear = SW_FEM_SOLVE_BICGSTAB;
    if (of->sticks || of->friction == 0)
        b->options.linear = SW_FEM_SOLVE_CG;
    b->options.tolerance = 1e-9;
    b->options.linear_tolerance = 1e-10;
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    if (solid)
        fem_fix_set(b, 0, "z_min", 2, 0);
    sw_fem_tool plate = {.name = "plate",
                         .shape = SW_FEM_PLANE,
                         .friction = of->friction,
                         .shear_limit = of->shear_limit,
                         .sticks = of->sticks};
    plate.point[up] = 0.015;
    plate.direction[up] = -1;
    move[up] = of->move != 0 ? of->move : NAN;
    fem_add_tool(b, plate, solid ? "z_max" : "y_max", solid ? "side" : "x_max", 0, move);
    b->load[0].force[b->N * b->c + up] = of->force;
}

static void follow(const fem_body *b, const billet *of, fem_run *r, int from, int to)
{
    for (int i = from; i <= to; i++)
        fem_load(b, r, (double)i / of->steps);
}

static double furthest(const double *a, const double *b, int64_t n)
{
    double most = 0, off = 0;
    for (int64_t i = 0; i < n; i++) {
        most = greatest(most, fabs(a[i]));
        off = greatest(off, fabs(a[i] - b[i]));
    }
    return off / most;
}

/* Both to Newton's 1e-9 of the forces, which plasticity and the stiffness of contact make 1e-6 of displacements and
 * forces of nodes at most; what folds is decided by gaps near 0, 1e-3. */
static void test_contact_is_as_on_the_cpu(void **state)
{
    NEED_GPU();
    for (int i = 0; i < BILLETS; i++) {
        fem_body b;
        fem_run cpu, gpu;
        sw_fem_contact_sums sums[2][FEM_MOST_TOOLS];
        make(&b, &billets[i]);
        fem_open(&b, &cpu);
        follow(&b, &billets[i], &cpu, 1, billets[i].steps);
        b.options.device = SW_FEM_DEVICE_CUDA;
        fem_open(&b, &gpu);
        follow(&b, &billets[i], &gpu, 1, billets[i].steps);
        double *pressure[2] = {zeros(b.N, sizeof(double)), zeros(b.N, sizeof(double))};
        CHECK_OK(sw_fem_read(cpu.fem, &(sw_fem_fields){.contact_pressure = pressure[0], .contact = sums[0]}));
        CHECK_OK(sw_fem_read(gpu.fem, &(sw_fem_fields){.contact_pressure = pressure[1], .contact = sums[1]}));
        const int64_t n = (b.N + 1) * b.c;
        const double off[3] = {furthest(cpu.u, gpu.u, n), furthest(cpu.force, gpu.force, n),
                               furthest(pressure[0], pressure[1], b.N)};
        print_message(
            "%-28s u %.1e, forces %.1e, pressures %.1e; %g and %g nodes; last step %d and %d Newton\n",
            billets[i].name, off[0], off[1], off[2], sums[0][0].touching, sums[1][0].touching,
            cpu.report.newton, gpu.report.newton);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(off[k], 0, billets[i].steps > 5 ? 1e-3 : 1e-6);
        assert_true(sums[0][0].touching == sums[1][0].touching && sums[0][0].touching > 0);
        free(pressure[0]);
        free(pressure[1]);
        fem_close(&cpu);
        fem_close(&gpu);
        fem_free(&b);
    }
}

/* Opened again half way. */
static void test_restarts_give_the_same_bits(void **state)
{
    NEED_GPU();
    for (int i = 0; i < BILLETS; i++) {
        const int half = billets[i].steps / 2;
        fem_body b;
        fem_run whole, first, second;
        make(&b, &billets[i]);
        b.options.device = SW_FEM_DEVICE_CUDA;
        fem_open(&b, &whole);
        follow(&b, &billets[i], &whole, 1, billets[i].steps);
        fem_open(&b, &first);
        follow(&b, &billets[i], &first, 1, half);
        sw_fem_state saved = fem_new_state(&b);
        CHECK_OK(sw_fem_save(first.fem, &saved));
        fem_open(&b, &second);
        CHECK_OK(sw_fem_restore(second.fem, &saved));
        second.increment = first.increment;
        follow(&b, &billets[i], &second, half + 1, billets[i].steps);
        const size_t n = (size_t)((b.N + 1) * b.c);
        assert_memory_equal(whole.u, second.u, n * sizeof(double));
        assert_memory_equal(whole.force, second.force, n * sizeof(double));
        fem_free_state(&saved);
        fem_close(&whole);
        fem_close(&first);
        fem_close(&second);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_is_as_on_the_cpu),
        cmocka_unit_test(test_restarts_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("contact on the GPU", tests, set_up, NULL);
}
