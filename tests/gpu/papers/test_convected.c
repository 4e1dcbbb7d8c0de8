/* The paper's kernels of online/fem/convected/ on a GPU against the CPU: element matrices in one pass and in many,
 * assembly, products, methods, whole steps. Skipped, saying so, where there is no GPU. */
#include "tests/gpu/gpu.h"

#include "online/fem/convected/billet.h"

#ifdef SW_HAVE_CUDA

static const sw_fem_convected problem = {.kinematics = SW_FEM_AXISYMMETRIC,
                                         .radius = 0.01,
                                         .height = 0.03,
                                         .cells = {9, 14},
                                         .material = {.young = 200e9,
                                                      .poisson = 0.3,
                                                      .yield_stress = 700e6,
                                                      .hardening = SW_FEM_LINEAR,
                                                      .parameter = {300e6}},
                                         .friction = 0.1,
                                         .reduction = 0.01};

/* Few steps, all plastic from the second on: a step on the GPU is thousands of small launches. */
enum { STEPS = 4 };

static sw_fem_convected_options options_on(sw_fem_device device, int64_t bytes)
{
    sw_fem_convected_options options = sw_fem_default_convected_options();
    options.device = device;
    options.method = SW_FEM_BICONJUGATE;
    options.linear_tolerance = 1e-12;
    options.steps = STEPS;
    options.bytes = bytes;
    return options;
}

/* A billet with the state of another one, on the GPU. */
static void open_like(const sw_fem_billet *cpu, int64_t bytes, sw_fem_billet *gpu)
{
    const sw_fem_convected_options options = options_on(SW_FEM_DEVICE_CUDA, bytes);
    CHECK_OK(sw_fem_billet_open(&problem, &options, gpu));
    memcpy(gpu->position, cpu->position, (size_t)cpu->n_unknowns * sizeof *cpu->position);
    memcpy(gpu->start, cpu->start, 4 * (size_t)cpu->n_elements * sizeof *cpu->start);
    memcpy(gpu->change, cpu->change, 4 * (size_t)cpu->n_elements * sizeof *cpu->change);
    memcpy(gpu->flows, cpu->flows, 4 * (size_t)cpu->n_elements);
    memcpy(gpu->touch, cpu->touch, (size_t)cpu->n_nodes);
    memcpy(gpu->direction, cpu->direction, (size_t)cpu->n_nodes);
    memcpy(gpu->force, cpu->force, (size_t)cpu->n_unknowns * sizeof *cpu->force);
    gpu->plate = cpu->plate;
    sw_fem_billet_prescribe(gpu);
    sw_fem_billet_pack(gpu);
}

/* After all steps but the last, with its system assembled; most of the points flow. */
static void open_plastic(sw_fem_billet *cpu)
{
    const sw_fem_convected_options options = options_on(SW_FEM_DEVICE_CPU, 0);
    sw_fem_convected_row row;
    CHECK_OK(sw_fem_billet_open(&problem, &options, cpu));
    for (int i = 0; i < STEPS - 1; i++)
        CHECK_OK(sw_fem_billet_step(cpu, &row));
    assert_true(row.flowing > 2 * cpu->n_elements);
    sw_fem_billet_prescribe(cpu);
    sw_fem_billet_pack(cpu);
    CHECK_OK(sw_fem_billet_elements(cpu));
    sw_fem_billet_assemble(cpu);
}

/* A number of an element's matrix or load is a sum over points of products with lambda; contractions differ in the
 * last bits. Loads cancel in right sides, nearly all of them: their bound is of the loads. */
static void check_band(const sw_fem_billet *cpu, const double *matrix, const double *right)
{
    const sw_fem_band *band = &cpu->system.band;
    const int64_t size = band->n * (2 * band->half + 1), E = cpu->n_elements;
    double most = 0, most_load = 0;
    for (int64_t i = 0; i < size; i++)
        most = greatest(most, fabs(band->value[i]));
    for (int64_t i = 64 * E; i < 72 * E; i++) /* in one pass: by number, then element */
        most_load = greatest(most_load, fabs(cpu->output[i]));
    assert_true(most_load > 0);
    for (int64_t i = 0; i < size; i++)
        CHECK_CLOSE(matrix[i], band->value[i], 1e-13 * most);
    for (int64_t i = 0; i < band->n; i++)
        CHECK_CLOSE(right[i], cpu->system.right[i], 1e-13 * most_load);
}

/* bytes for 126, 50 and 7 elements of 126 at a time. */
static void test_passes(void **state)
{
    NEED_GPU();
    const int64_t each = (SW_FEM_CONVECTED_INPUT + SW_FEM_CONVECTED_OUTPUT) * (int64_t)sizeof(double);
    const int64_t bytes[] = {0, 50 * each, 7 * each + 5};
    sw_fem_billet cpu, gpu;
    open_plastic(&cpu);
    for (int i = 0; i < 3; i++) {
        open_like(&cpu, bytes[i], &gpu);
        assert_int_equal(gpu.n_pass, i == 0 ? 126 : i == 1 ? 50 : 7);
        CHECK_OK(sw_fem_billet_elements(&gpu));
        sw_fem_billet_assemble(&gpu);
        check_band(&cpu, gpu.system.band.value, gpu.system.right);
        sw_fem_billet_close(&gpu);
    }
    const sw_fem_convected_options options = options_on(SW_FEM_DEVICE_CUDA, each - 1);
    assert_int_equal(sw_fem_billet_open(&problem, &options, &gpu), SW_ERR_RANGE);
    assert_message_has("bytes");
    sw_fem_billet_close(&gpu);
    sw_fem_billet_close(&cpu);
}

/* |A z - b| / |b| by the CPU's matrix. */
static double residual_of(sw_fem_billet *cpu, const double *z)
{
    double r[2], b[2];
    CHECK_OK(cpu->system.on->product(&cpu->system, 0, z, cpu->system.work[0]));
    CHECK_OK(cpu->system.on->combine(&cpu->system, -1, cpu->system.right, 1, cpu->system.work[0]));
    CHECK_OK(cpu->system.on->dots(&cpu->system, z, cpu->system.work[0], r));
    CHECK_OK(cpu->system.on->dots(&cpu->system, z, cpu->system.right, b));
    return sqrt(r[1] / b[1]);
}

/* So many iterations there as here, far from the solution yet. They lose no more than round-off: 1e-13 of the matrix
 * (check_band) in each, and shrink it (a right side off by 1e-13 makes 1e-14 of z after 300). */
static void check_iterations(sw_fem_billet *cpu, sw_fem_billet *gpu, sw_fem_band_method method, double *z)
{
    enum { MOST = 300 };
    int64_t there = 0, here = 0;
    double largest = 0;
    assert_int_equal(sw_fem_band_solve(sw_fem_billet_system(gpu), method, 1e-6, MOST, &there),
                     SW_ERR_CONVERGENCE);
    CHECK_OK(sw_fem_convected_cuda_read(gpu->cuda, z));
    assert_int_equal(sw_fem_band_solve(&cpu->system, method, 1e-6, MOST, &here), SW_ERR_CONVERGENCE);
    assert_true(there == MOST && here == MOST);
    for (int64_t i = 0; i < cpu->n_unknowns; i++)
        largest = greatest(largest, fabs(cpu->system.solution[i]));
    assert_true(largest > 0);
    for (int64_t i = 0; i < cpu->n_unknowns; i++)
        CHECK_CLOSE(z[i], cpu->system.solution[i], MOST * 1e-13 * largest);
}

/* Assembled on the GPU: iterations are those of the CPU's matrix, and the biconjugate gradients end at its solution: both
 * residuals are 1e-6, with 1 % for round-off. (The others take ten thousands of iterations, which the CPU's tests show.) */
static void test_assembly_and_methods(void **state)
{
    NEED_GPU();
    const int64_t bytes[] = {0, 40000};
    sw_fem_billet cpu, gpu;
    open_plastic(&cpu);
    double *z = calloc((size_t)cpu.n_unknowns, sizeof *z);
    for (int i = 0; i < 2; i++) {
        int64_t iterations = 0;
        open_like(&cpu, bytes[i], &gpu);
        CHECK_OK(sw_fem_convected_cuda_assemble(gpu.cuda, gpu.input, gpu.external, gpu.fixed, gpu.value));
        for (sw_fem_band_method m = SW_FEM_SIMPLE; m < SW_FEM_BICONJUGATE; m++)
            check_iterations(&cpu, &gpu, m, z);
        CHECK_OK(sw_fem_band_solve(sw_fem_billet_system(&gpu), SW_FEM_BICONJUGATE, 1e-6, 2000, &iterations));
        CHECK_OK(sw_fem_convected_cuda_read(gpu.cuda, z));
        CHECK_CLOSE(residual_of(&cpu, z), 0, 1.01e-6);
        sw_fem_billet_close(&gpu);
    }
    free(z);
    sw_fem_billet_close(&cpu);
}

/* Steps with friction, assembled on either side: forces as on the CPU, to what iterations leave open; the same
 * bits twice. */
static void test_steps(void **state)
{
    NEED_GPU();
    sw_fem_convected small = problem;
    sw_fem_billet billet;
    double force[4];
    small.cells[0] = 5; /* a third of the iterations */
    small.cells[1] = 8;
    for (int i = 0; i < 4; i++) {
        sw_fem_convected_options options = options_on(i == 0 ? SW_FEM_DEVICE_CPU : SW_FEM_DEVICE_CUDA, 30000);
        sw_fem_convected_row row;
        options.tolerance = 1e-8;
        options.linear_tolerance = 1e-10;
        options.iterations = 30;
        options.assembly = i == 1 ? SW_FEM_ASSEMBLED_ON_CPU : SW_FEM_ASSEMBLED_ON_DEVICE;
        CHECK_OK(sw_fem_billet_open(&small, &options, &billet));
        for (int k = 0; k < STEPS; k++)
            CHECK_OK(sw_fem_billet_step(&billet, &row));
        assert_true(row.flowing > 2 * billet.n_elements && row.slipping > 0);
        force[i] = row.force;
        CHECK_CLOSE(force[i], force[0], 1e-6 * force[0]);
        sw_fem_billet_close(&billet);
    }
    assert_true(force[2] == force[3]);
}

#else

#define SKIPPED(name)              \
    static void name(void **state) \
    {                              \
        (void)state;               \
        skip();                    \
    }
SKIPPED(test_passes)
SKIPPED(test_assembly_and_methods)
SKIPPED(test_steps)

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_assembly_and_methods),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
