/* Ranks of which the second alone sees a GPU choose the same solvers. The test starts itself over MPI, and is in the place of
 * online/gpu in what is linked to it. */
#include "common/system/parallel.h"
#include "online/fem/analysis/analysis.h"
#include "online/gpu/gpu.h"
#include "ranks.h"
#include "tests/online/fem/meshes.h"

#ifndef SW_HAVE_CUDA

int sw_gpu_describe(char *text, size_t size)
{
    if (size > 0)
        snprintf(text, size, "one");
    return sw_parallel_rank() == 1;
}
sw_status sw_gpu_use(sw_gpu *gpu)
{
    (void)gpu;
    return SW_OK;
}
sw_status sw_gpu_current(sw_gpu *gpu) { return sw_gpu_use(gpu); }
void sw_gpu_wake(void) {}
void sw_gpu_awake(void) {}
int sw_gpu_owns(const void *memory) { return memory == NULL; }
sw_status sw_gpu_allocate_host(size_t bytes, void **memory) { return sw_allocate(memory, bytes, 1, "host"); }
void sw_gpu_free_host(void *memory) { free(memory); }

/* Of a body of no lattice, for which preconditioners differ by device. */
static void choices_are_alike(void **state)
{
    (void)state;
    static const sw_fem_device devices[] = {SW_FEM_DEVICE_AUTO, SW_FEM_DEVICE_CPU, SW_FEM_DEVICE_CUDA};
    static const sw_fem_preconditioner want[] = {SW_FEM_AMG, SW_FEM_AMG, SW_FEM_BLOCK_JACOBI};
    const sw_fem_voxels v = {.body = "box", .size = {1, 1, 1}, .cells = {2, 2, 0}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    assert_int_equal(sw_parallel_size(), 2);
    for (int i = 0; i < 3; i++) {
        const sw_fem_problem problem = {.mesh = mesh, .kinematics = SW_FEM_PLANE_STRAIN};
        const sw_fem_options o = sw_fem_default_options(&problem, devices[i]);
        assert_int_equal(o.preconditioner, want[i]);
    }
    sw_fem_mesh_free(mesh);
}

static int on_a_rank(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(choices_are_alike)};
    sw_parallel_start(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sw_parallel_finish(failed);
    return failed;
}

static char own[4096];

static void ranks_choose_alike(void **state)
{
    (void)state;
    char command[sizeof own + 100];
    result r;
    if (without_mpi())
        skip();
    snprintf(command, sizeof command, "mpirun -n 2 --oversubscribe --bind-to none --timeout 60 %s rank", own);
    run(command, &r);
    if (r.status != 0)
        print_message("%s\n", r.err);
    assert_int_equal(r.status, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_choose_alike)};
    if (argc > 1)
        return on_a_rank(argc, argv);
    assert_non_null(realpath(argv[0], own));
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void ranks_choose_alike(void **state)
{
    (void)state;
    print_message("skipped: this build has GPUs of its own\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_choose_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
