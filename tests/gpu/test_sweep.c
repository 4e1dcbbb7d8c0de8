/* `slipwave sweep` on a GPU: the errors that it finds on the CPU, and each row says where it ran. */
#include "gpu.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "offline/commands.h"
#include "online/response/solvers.h"
#include "online/sweep/sweep.h"

static const char sweep_text[] = "databases: [sweep.h5]\n"
                                 "vary: {cost: {terms: [128, 1024, 4096]}}\n"
                                 "reference: {solver: terms, terms: 8000}\n"
                                 "crystals: {count: 5003, seed: 3}\n"
                                 "loading:\n"
                                 "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}\n"
                                 "output: {file: errors.h5}\n";

static sw_sweep_result *sweep_on(const char *device)
{
    const char *const options[][2] = {{"device", device}};
    sw_sweep_job *job;
    sw_sweep_result *result;
    CHECK_OK(sw_sweep_job_read(&(sw_arguments){"sweep.yaml", 1, options}, &job));
    CHECK_OK(sw_sweep_run(job, 1, &result));
    CHECK_OK(sw_sweep_write(job, result));
    sw_sweep_job_free(job);
    return result;
}

static void make_inputs(const char *material)
{
    FILE *file = fopen("sweep.yaml", "wb");
    assert_non_null(file);
    assert_true(fputs(sweep_text, file) >= 0 && fclose(file) == 0);
    CHECK_OK(sw_generate(&(sw_generate_options){
        .material = material, .output = "sweep.h5", .shape = {16, 16, 16, 12}, .quiet = 1}));
}

/* How far histories of the two devices are apart, over the stress. The error of a row is a norm of the difference to the
 * reference's history, which is a series: it is off by those of both at most. Series: 1e-4 (test_response.c: its sums in single
 * precision, a few crystals at another point); tables 1e-3 (their half precision); a solver that answers the law to its
 * tolerance as much as a series; one without a version for a GPU not at all. */
static double bound_of(const sw_solver_traits *solver)
{
    return 1e-4 + (!solver->on_gpu ? 0 : solver->has_terms || !solver->has_interpolation ? 1e-4 : 1e-3);
}

static void errors_are_the_cpus(void **state)
{
    char folder[] = "/tmp/slipwave-gpu-sweep-XXXXXX", material[PATH_MAX];
    NEED_GPU();
    assert_non_null(realpath(data_path("materials/copper-ofhc.yaml"), material));
    assert_true(mkdtemp(folder) != NULL && chdir(folder) == 0);
    make_inputs(material);
    sw_sweep_result *cpu = sweep_on("cpu"), *gpu = sweep_on("cuda");
    assert_true(cpu->n_rows > SW_SOLVERS && gpu->n_rows == cpu->n_rows);
    for (int64_t i = 0; i < cpu->n_rows; i++) {
        const sw_sweep_row *a = &cpu->row[i], *b = &gpu->row[i];
        const sw_solver_traits *solver = sw_solver_find(a->solver);
        const char *device = solver->on_gpu ? "cuda, " : "cpu, ";
        print_message("%-24s cpu %.6f gpu %.6f, curve cpu %.6f gpu %.6f, on %s\n", a->label, a->error,
                      b->error, a->curve_error, b->curve_error, b->device);
        assert_string_equal(a->label, b->label);
        assert_int_equal(strncmp(a->device, "cpu, ", 5), 0);
        assert_int_equal(strncmp(b->device, device, strlen(device)), 0);
        assert_true(a->error > 1e-3);
        CHECK_CLOSE(b->error, a->error, bound_of(solver));
        CHECK_CLOSE(b->curve_error, a->curve_error, bound_of(solver));
        assert_true(b->seconds_per_crystal_step > 0 && isfinite(b->seconds_per_crystal_step));
    }
    sw_sweep_result_free(cpu);
    sw_sweep_result_free(gpu);
    assert_true(unlink("sweep.h5") == 0 && unlink("sweep.yaml") == 0 && unlink("errors.h5") == 0);
    assert_true(chdir("/") == 0 && rmdir(folder) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_the_cpus)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
