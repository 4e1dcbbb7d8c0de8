/* Operators of the GPU that store element matrices against plain loops over these, what the memory they count should
 * be, and the stress in four kernels.
 * Skipped, saying so, where there is no GPU. */
#include "tests/online/fem/operators/test_operators.h"
#include "tests/online/fem/stored/test_stress.h"

#include "tests/online/fem/stored/derived_memory.h"
#include "tests/gpu/gpu.h"
#include "tests/gpu/view.h"

#ifdef SW_HAVE_CUDA

static const int cells[3] = {17, 9, 8}, many_cells[3] = {61, 43, 0};

static void make_case(body *b, const sw_fem_test_case *c)
{
    make_body(b, c->kinematics, c->voxel, c->n_materials, c->b_bar,
              c->kinematics == SW_FEM_SOLID ? cells : many_cells);
}

static void test_operators_against_plain_loops(void **state)
{
    NEED_GPU();
    enum { WAYS = SW_FEM_STAGINGS * SW_FEM_SCATTERS };
    for (int i = 0; i < N_TEST_CASES; i++) {
        body b;
        make_case(&b, &test_cases[i]);
        const int64_t n = b.fem.n_unknowns;
        double *p = random_vector(&b, 21), *expected = random_vector(&b, 22);
        double *g = random_vector(&b, 23), *again = random_vector(&b, 24);
        double *device_p, *device_g;
        sw_fem_view elastic;
        void *work[SW_FEM_OPERATORS][SW_FEM_STORAGES][WAYS];
        CHECK_OK(vector_upload(n, p, &device_p));
        CHECK_OK(view_upload(&b.view, b.problem.n_materials, &elastic));
        for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
            for (int s = 0; s < SW_FEM_STORAGES; s++)
                for (int way = 0; way < WAYS; way++) {
                    b.fem.options = (sw_fem_options){.operator_ = (sw_fem_operator)o,
                                                     .storage = (sw_fem_storage)s,
                                                     .staging = (sw_fem_staging)(way / SW_FEM_SCATTERS),
                                                     .scatter = (sw_fem_scatter)(way % SW_FEM_SCATTERS)};
                    CHECK_OK(sw_fem_operators[o].cuda->open(&b.fem, &elastic, &work[o][s][way]));
                }
        view_release(&elastic);
        for (int t = 0; t < N_TEST_TANGENTS; t++) {
            sw_fem_view view;
            make_plastic(&b, test_tangents[t].fraction, test_tangents[t].seed);
            CHECK_OK(view_upload(&b.view, b.problem.n_materials, &view));
            reference_product(&b, p, expected);
            for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
                for (int s = 0; s < SW_FEM_STORAGES; s++)
                    for (int way = 0; way < WAYS; way++) {
                        char what[100];
                        snprintf(what, sizeof what, "case %d, tangent %d, operator %d, storage %d, way %d", i,
                                 t, o, s, way);
                        /* What g holds before is of no account. */
                        CHECK_OK(vector_upload(n, expected, &device_g));
                        CHECK_OK(sw_fem_operators[o].cuda->prepare(work[o][s][way], &view));
                        CHECK_OK(
                            sw_fem_operators[o].cuda->product(work[o][s][way], &view, device_p, device_g));
                        CHECK_OK(vector_download(n, device_g, g));
                        check_product(&b, g, expected, what);
                        CHECK_OK(
                            sw_fem_operators[o].cuda->product(work[o][s][way], &view, device_p, device_g));
                        CHECK_OK(vector_download(n, device_g, again));
                        check_product(&b, again, expected, what);
                        if (way % SW_FEM_SCATTERS == SW_FEM_COLOURS && memcmp(g, again, n * sizeof *g) != 0)
                            fail_msg("%s: colours: two products differ", what);
                        vector_release(device_g);
                    }
            view_release(&view);
        }
        assert_true(b.fem.timing.bytes > 0);
        for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
            for (int s = 0; s < SW_FEM_STORAGES; s++)
                for (int way = 0; way < WAYS; way++)
                    sw_fem_operators[o].cuda->close(work[o][s][way]);
        assert_int_equal(b.fem.timing.bytes, 0);
        vector_release(device_p);
        free(p);
        free(g);
        free(again);
        free(expected);
        free_body(&b);
    }
}

/* The first tangent's room is exact, so what is counted is what is derived; besides cuSPARSE's own, the
 * counts of colours and, assembled, the elastic matrix. */
static void test_memory_is_the_derived(void **state)
{
    NEED_GPU();
    for (int fraction = 0; fraction < 3; fraction++) {
        body b;
        make_body(&b, SW_FEM_SOLID, 1, 1, 0, (const int[3]){2, 8, 8});
        make_plastic(&b, fraction / 2.0, 9);
        sw_fem_view view;
        CHECK_OK(view_upload(&b.view, 1, &view));
        const operator_counts counts = {.kinematics = SW_FEM_SOLID,
                                        .n_nodes = b.fem.n_nodes,
                                        .n_elements = b.fem.n_elements,
                                        .n_plastic = b.view.n_plastic,
                                        .n_pairs = 7 * 25 * 25,
                                        .n_materials = 1};
        for (int o = SW_FEM_ASSEMBLED; o < SW_FEM_OPERATORS; o++)
            for (int s = 0; s < SW_FEM_STORAGES; s++)
                for (int scatter = 0; scatter < 2; scatter++) {
                    void *work;
                    b.fem.options = (sw_fem_options){.operator_ = (sw_fem_operator)o,
                                                     .storage = (sw_fem_storage)s,
                                                     .scatter = (sw_fem_scatter)scatter};
                    const int64_t derived = operator_bytes((sw_fem_operator)o, (sw_fem_storage)s, &counts);
                    const int64_t besides =
                        (o == SW_FEM_ASSEMBLED ? 24 * 24
                         : s == SW_FEM_IMPROVED
                             ? (o == SW_FEM_NBN || o == SW_FEM_DBD || scatter) ? 1 : b.view.n_colours
                             : 0) *
                        8;
                    CHECK_OK(sw_fem_operators[o].cuda->open(&b.fem, &view, &work));
                    CHECK_OK(sw_fem_operators[o].cuda->prepare(work, &view));
                    if (b.fem.timing.bytes != derived + besides)
                        fail_msg("operator %d, storage %d: %lld bytes, derived %lld and %lld", o, s,
                                 (long long)b.fem.timing.bytes, (long long)derived, (long long)besides);
                    sw_fem_operators[o].cuda->close(work);
                    assert_int_equal(b.fem.timing.bytes, 0);
                }
        view_release(&view);
        free_body(&b);
    }
}

/* Stress and forces in four kernels, from states with plastic strain. */
static void test_stress_in_parts(void **state)
{
    NEED_GPU();
    body b;
    double *u, *expected, *device_u, *device_force;
    sw_fem_point *point;
    sw_fem_view view;
    make_stressed(&b, &u, &point, &expected);
    double *force = random_vector(&b, 3);
    CHECK_OK(vector_upload(b.fem.n_unknowns, u, &device_u));
    CHECK_OK(vector_upload(b.fem.n_unknowns, force, &device_force));
    CHECK_OK(view_upload(&b.view, 2, &view));
    run_parts(&sw_fem_stress_cuda, &view, point, device_u, device_force);
    CHECK_OK(vector_download(b.fem.n_unknowns, device_force, force));
    check_product(&b, force, expected, "parts");
    view_release(&view);
    vector_release(device_u);
    vector_release(device_force);
    free(u);
    free(point);
    free(expected);
    free(force);
    free_body(&b);
}

#else

#define SKIPPED(name)              \
    static void name(void **state) \
    {                              \
        (void)state;               \
        skip();                    \
    }
SKIPPED(test_operators_against_plain_loops)
SKIPPED(test_memory_is_the_derived)
SKIPPED(test_stress_in_parts)

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators_against_plain_loops),
        cmocka_unit_test(test_memory_is_the_derived),
        cmocka_unit_test(test_stress_in_parts),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
