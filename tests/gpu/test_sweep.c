/* `slipwave sweep` on a GPU: the errors that it finds on the CPU, and each row says where it ran. */
#include "gpu.h"

#include <stdlib.h>
#include <unistd.h>

#include "offline/commands.h"
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

/* Histories of the two devices are apart, over the stress: of the series by 1e-4 (test_response.c: its sums in
 * single precision, a few crystals at another point), of the table by 1e-3 (its half precision). The error of a row is
 * a norm of the difference to the reference's history: it is off by those of both at most. */
static void errors_are_the_cpus(void **state)
{
    static const double bound[] = {2e-4, 2e-4, 2e-4, 1.1e-3, 1e-4}; /* three series, the table, `iterative` */
    enum { ROWS = sizeof bound / sizeof *bound };
    char folder[] = "/tmp/slipwave-gpu-sweep-XXXXXX", material[4096], *path;
    const char *data = getenv("SW_DATA");
    NEED_GPU();
    path = realpath(data ? data : "data", NULL);
    assert_non_null(path);
    snprintf(material, sizeof material, "%s/materials/copper-ofhc.yaml", path);
    free(path);
    assert_true(mkdtemp(folder) != NULL && chdir(folder) == 0);
    make_inputs(material);
    sw_sweep_result *cpu = sweep_on("cpu"), *gpu = sweep_on("cuda");
    assert_int_equal(cpu->n_rows, ROWS);
    assert_int_equal(gpu->n_rows, ROWS);
    for (int i = 0; i < ROWS; i++) {
        const sw_sweep_row *a = &cpu->row[i], *b = &gpu->row[i];
        const char *device = i < ROWS - 1 ? "cuda, " : "cpu, ";
        print_message("%-24s cpu %.6f gpu %.6f, curve cpu %.6f gpu %.6f, on %s\n", a->label, a->error,
                      b->error, a->curve_error, b->curve_error, b->device);
        assert_string_equal(a->label, b->label);
        assert_int_equal(strncmp(a->device, "cpu, ", 5), 0);
        assert_int_equal(strncmp(b->device, device, strlen(device)), 0);
        assert_true(a->error > 1e-3);
        CHECK_CLOSE(b->error, a->error, bound[i]);
        CHECK_CLOSE(b->curve_error, a->curve_error, bound[i]);
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
