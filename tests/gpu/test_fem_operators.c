/* Operator `points` of the GPU against plain loops over element matrices.
 * Skipped, saying so, where there is no GPU. */
#include "tests/online/fem/operators/test_operators.h"

#include "tests/gpu/gpu.h"
#include "tests/gpu/view.h"

#ifdef SW_HAVE_CUDA

/* More cells than a tile has along each side, a cell alone, several materials, both kernels. */
static void test_points_against_plain_loops(void **state)
{
    NEED_GPU();
    for (int i = 0; i < N_VOXEL_CASES; i++) {
        body b;
        void *work;
        sw_fem_view view;
        sw_fem_mesh *mesh = make_voxel_body(&b, i);
        double *p = random_vector(&b, 21), *g = random_vector(&b, 3), *expected = random_vector(&b, 4);
        double *device_p, *device_g;
        sw_fem_material material[3];
        for (int m = 0; m < 3; m++)
            material[m] = (sw_fem_material){.young = 2 + m, .poisson = 0.3 - 0.05 * m};
        b.problem.material = material;
        CHECK_OK(vector_upload(b.fem.n_unknowns, p, &device_p));
        CHECK_OK(vector_upload(b.fem.n_unknowns, NULL, &device_g));
        for (int t = 0; t < N_TEST_TANGENTS; t++) {
            make_plastic(&b, test_tangents[t].fraction, test_tangents[t].seed);
            CHECK_OK(view_upload(&b.view, b.problem.n_materials, &view));
            CHECK_OK(sw_fem_points_cuda.open(&b.fem, &view, &work));
            CHECK_OK(sw_fem_points_cuda.prepare(work, &view));
            CHECK_OK(sw_fem_points_cuda.product(work, &view, device_p, device_g));
            CHECK_OK(vector_download(b.fem.n_unknowns, device_g, g));
            sw_fem_points_cuda.close(work);
            view_release(&view);
            reference_product(&b, p, expected);
            check_product(&b, g, expected, voxel_cases[i].name);
        }
        assert_int_equal(b.fem.timing.bytes, 0);
        vector_release(device_p);
        vector_release(device_g);
        free(p);
        free(g);
        free(expected);
        free_voxel_body(&b, mesh);
    }
}

#else

static void test_points_against_plain_loops(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_against_plain_loops),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
