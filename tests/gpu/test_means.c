/* Means of crystals without a step, the rows of a run and crystals without an answer, on a GPU as on the CPU. */
#include "tests/gpu/gpu.h"

#include "slipwave/taylor.h"

enum { N = 3 * (1 << 20) + 77, FEW = 300 };

static sw_material material;
static const double stretch[3][3] = {{1e-3, 4e-4, 0}, {0, 2e-4, 0}, {0, 0, -1.2e-3}};

static sw_response *open_solver(sw_device device)
{
    return open_on(device, (sw_response_options){.solver = "rigid_plastic", .material = &material});
}

static void check_close(const sw_response_average *a, const sw_response_average *b, double tolerance)
{
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(a->cauchy_stress[k / 3][k % 3], b->cauchy_stress[k / 3][k % 3], tolerance * 50e6);
    CHECK_CLOSE(a->slip_resistance, b->slip_resistance, tolerance * 16e6);
    CHECK_CLOSE(a->slip_rate, b->slip_rate, tolerance * 3e-3);
}

/* Crystals on the GPU and on the host, weights beside them: the mean that the next step begins with; nothing changes. The two
 * sides meet the slip law to 1e-4 of ||D|| each, a stress to 1e-5. An evaluation and a step are two kernels, which may round
 * differently: a crystal's stress by some 1e-7 of itself either way, which iterations may make 1e-5 (as above), the mean of 3e6
 * by 1e-5 / sqrt(3e6) = 6e-9. */
static void means_are_what_steps_begin_with(void **state)
{
    NEED_GPU();
    sw_crystal *device, *host = malloc(N * sizeof *host), *back = malloc(N * sizeof *back);
    float *weight = malloc(N * sizeof *weight);
    assert_true(host != NULL && back != NULL && weight != NULL);
    sw_response *gpu = open_solver(SW_CUDA), *cpu = open_solver(SW_CPU);
    sw_response_average there, streamed, here, begun;
    CHECK_OK(sw_crystals_allocate(SW_CUDA, N, &device));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, host, 5, 0, 16e6F));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, device, host));
    for (int n = 0; n < N; n++)
        weight[n] = (float)(1 + n % 3);
    sw_crystals resident = sw_crystals_alone(gpu, N, device), passing = sw_crystals_alone(gpu, N, host),
                alone = sw_crystals_alone(cpu, N, host);
    resident.weight = passing.weight = alone.weight = weight;
    CHECK_OK(sw_response_evaluate_mean(gpu, stretch, &resident, &there));
    CHECK_OK(sw_response_evaluate_mean(gpu, stretch, &passing, &streamed));
    CHECK_OK(sw_response_evaluate_mean(cpu, stretch, &alone, &here));
    check_close(&there, &here, 1e-5);
    check_close(&streamed, &here, 1e-5);
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, back, device));
    assert_memory_equal(back, host, N * sizeof *host);
    CHECK_OK(sw_response_advance(gpu, stretch, 10, &resident, &resident, &begun));
    begun.slip_resistance = there.slip_resistance;
    check_close(&begun, &there, 1e-8);
    sw_crystals_free(SW_CUDA, device);
    sw_response_close(gpu);
    sw_response_close(cpu);
    free(host);
    free(back);
    free(weight);
}

/* All others do work: of slip of at least sqrt(2) ||D|| (a system's tensor is of size sqrt(1/2)) against some 16 MPa, so that
 * s11 - s33 is twice that in plane strain. One stress alone may be anything: s11 is 1.5 MPa of crystal 247. */
static void numbers_that_are_none_have_no_answer(void **state)
{
    NEED_GPU();
    sw_crystal crystal[FEW];
    float each[FEW][6] = {{0}}, stress[FEW][6], spin[FEW][3], slip_rate[FEW];
    sw_response *gpu = open_solver(SW_CUDA);
    CHECK_OK(sw_crystals_randomise(SW_CPU, FEW, crystal, 5, 0, 16e6F));
    for (int n = 0; n < FEW; n++) {
        each[n][0] = 1e-3F;
        each[n][2] = -1e-3F;
    }
    each[1][4] = NAN;
    each[2][0] = INFINITY;
    crystal[3].slip_resistance = 0;
    crystal[4].euler[1] = NAN;
    assert_int_equal(
        sw_response_evaluate_each(gpu, FEW, (const float(*)[6])each, crystal, stress, spin, slip_rate),
        SW_ERR_CONVERGENCE);
    assert_message_has("4 crystals have no answer");
    for (int n = 0; n < FEW; n++)
        if (n >= 1 && n <= 4 ? !isnan(stress[n][0]) : !(stress[n][0] - stress[n][2] > 20e6F))
            fail_msg("crystal %d: stress %g %g Pa", n, (double)stress[n][0], (double)stress[n][2]);
    sw_response_close(gpu);
}

/* Rows of a run on the GPU are those of a run on the CPU, and do not depend on how steps are asked for but by sums in
 * another order. Orientations of the two sides drift apart by some 1e-5 a step. */
static void rows_are_those_of_the_cpu(void **state)
{
    NEED_GPU();
    enum { ROWS = 40 };
    static sw_crystal start[FEW];
    static double stress[3][ROWS][3][3];
    const sw_taylor_inputs inputs = {.material = &material, .crystals = FEW, .crystal = start};
    int64_t rows = 0;
    CHECK_OK(sw_crystals_randomise(SW_CPU, FEW, start, 5, 0, 16e6F));
    for (int i = 0; i < 3; i++) {
        static const char text[] =
            "solver: rigid_plastic\ndevice: %s\nloading:\n"
            "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}\n"
            "  - {velocity_gradient: [[0, 1.0e-3, 0], [0, 0, 0], [0, 0, 0]], duration: 100}\n"
            "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], "
            "[x, x, 0]],"
            " duration: 100}\n";
        char job[600];
        sw_taylor *run;
        sw_taylor_rows found;
        int64_t taken, steps = i == 2 ? 1 : ROWS;
        snprintf(job, sizeof job, text, i == 0 ? "cpu" : "cuda");
        CHECK_OK(sw_taylor_begin("a job", job, 0, NULL, &inputs, &run));
        do
            CHECK_OK(sw_taylor_advance(run, steps, &taken));
        while (taken == steps);
        sw_taylor_history(run, &found);
        rows = found.rows;
        assert_true(rows > 12 && rows <= ROWS);
        memcpy(stress[i], found.cauchy_stress, (size_t)rows * sizeof *stress[i]);
        sw_taylor_end(run);
    }
    for (int64_t n = 1; n < rows; n++)
        for (int k = 0; k < 9; k++) {
            CHECK_CLOSE(stress[1][n][k / 3][k % 3], stress[0][n][k / 3][k % 3], 2e-3 * 100e6);
            CHECK_CLOSE(stress[2][n][k / 3][k % 3], stress[1][n][k / 3][k % 3], 1e-4 * 100e6);
        }
}

static int set_up_copper(void **state)
{
    material = copper();
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_what_steps_begin_with),
        cmocka_unit_test(numbers_that_are_none_have_no_answer),
        cmocka_unit_test(rows_are_those_of_the_cpu),
    };
    return cmocka_run_group_tests(tests, set_up_copper, NULL);
}
