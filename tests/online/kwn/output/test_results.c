/* Blocks of an unfinished results file: kept as they were written, and begun anew where any number of theirs is
 * another. */
#include "tests/job_files.h"

#include "common/files/hdf5_io.h"
#include "online/kwn/output/results.h"

enum { POINTS = 4, BLOCK = 2, BLOCKS = 2, CLASSES = 64 };

static sw_kwn_job *job;
static char output_path[PATH_MAX + 16], partial_path[PATH_MAX + 32];

static int read_job(void **state)
{
    char text[2 * PATH_MAX], base[PATH_MAX];
    if (make_job_folder(state) || find_data("", base))
        return 1;
    snprintf(output_path, sizeof output_path, "%s/out.h5", folder);
    snprintf(partial_path, sizeof partial_path, "%s.partial", output_path);
    snprintf(text, sizeof text,
             "alloy: %s/alloys/al-mg-si-6082.yaml\ndevice: cpu\nsize_axis: {classes: 64}\n"
             "initial_temperature: 803.0\ntemperature: [{quench_to: 458.0}, {hold: 2.0e4}]\n"
             "output: {file: out.h5, times: [100.0, 2.0e4], distributions: [100.0, 2.0e4]}\n",
             base);
    write_job(text, NULL, NULL);
    if (sw_kwn_job_read(&(sw_arguments){.file = job_path}, &job) != SW_OK)
        return 1;
    job->setup.points = POINTS;
    job->setup.output_file = output_path;
    return 0;
}

static int free_job(void **state)
{
    (void)state;
    sw_kwn_job_free(job);
    unlink(output_path);
    unlink(partial_path);
    unlink(job_path);
    return rmdir(folder);
}

/* All blocks, of numbers of their own. */
static void write_all(const sw_kwn_axis *axis, sw_kwn_results *results)
{
    const int64_t c = sw_kwn_record_size(&job->setup.model), phases = job->setup.model.n_phases;
    const int64_t size = BLOCK * (job->n_times * c + 2 * phases * (1 + CLASSES));
    double *block = malloc((size_t)size * sizeof *block);
    unsigned char done[BLOCKS] = {0};
    assert_non_null(block);
    job->setup.run.resume = 0;
    CHECK_OK(sw_kwn_results_begin(job, BLOCK, done, results));
    assert_int_equal(results->n_blocks, BLOCKS);
    for (int64_t b = 0; b < BLOCKS; b++) {
        const sw_kwn_work work = {10, 20, 0.5};
        for (int64_t i = 0; i < size; i++)
            block[i] = (double)(1000000 * (b + 1) + i);
        CHECK_OK(sw_kwn_results_write(results, b, b * BLOCK, BLOCK, axis, block, &work));
    }
    free(block);
}

/* And the end of a run that failed then. */
static void leave_partial(const sw_kwn_axis *axis)
{
    sw_kwn_results results;
    unlink(partial_path);
    write_all(axis, &results);
    assert_int_equal(sw_kwn_results_abandon(&results, sw_error(SW_ERR_INTERRUPTED, "stopped")),
                     SW_ERR_INTERRUPTED);
    assert_message_has("stopped; 2 of 2 blocks are kept in ");
}

/* One number of one point, in a set of rows of `width` numbers. */
static void damage(const char *name, int64_t point, int64_t width)
{
    double row[1024];
    hid_t file, set;
    assert_true(width <= 1024);
    CHECK_OK(sw_h5_open(partial_path, 1, &file));
    CHECK_OK(sw_h5_open_set(file, name, &set));
    CHECK_OK(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, point, 1, row));
    row[width - 1] *= 1 + 1e-15;
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, point, 1, row));
    CHECK_OK(sw_h5_close_set(set));
    H5Fclose(file);
}

static void resume(int first, int second)
{
    unsigned char done[BLOCKS] = {7, 7};
    sw_kwn_results results;
    job->setup.run.resume = 1;
    CHECK_OK(sw_kwn_results_begin(job, BLOCK, done, &results));
    assert_int_equal(done[0], first);
    assert_int_equal(done[1], second);
    (void)sw_kwn_results_abandon(&results, SW_ERR_INTERRUPTED);
}

static void damaged_blocks_are_begun_anew(void **state)
{
    (void)state;
    static const char *const sets[] = {"radius", "number", "width"};
    const char *phase = job->setup.model.phase[0].name;
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&job->setup.options.axis, 32, &axis));
    leave_partial(&axis);
    resume(1, 1);
    for (int t = 0; t < job->n_times; t++)
        for (int k = 0; k < 3 && job->with_distribution[t]; k++) {
            char name[200];
            snprintf(name, sizeof name, "distribution/%d/%s/%s", t, phase, sets[k]);
            leave_partial(&axis);
            damage(name, 1, CLASSES);
            resume(0, 1);
            leave_partial(&axis);
            damage(name, 2, CLASSES);
            resume(1, 0);
        }
    leave_partial(&axis);
    damage("points/yield_stress", 3, job->n_times);
    resume(1, 0);
    sw_kwn_axis_free(&axis);
}

/* A set of all numbers, of an open file. */
static void read_yield(hid_t file, double *yield)
{
    CHECK_OK(sw_h5_read(file, "points/yield_stress", H5T_NATIVE_DOUBLE, 2, (int64_t[]){POINTS, job->n_times},
                        yield));
}

/* Where nothing is kept of an interrupted run, there is one file, of the numbers that a partial one's would become. */
static void in_memory_blocks_go_to_the_results(void **state)
{
    (void)state;
    sw_kwn_axis axis;
    sw_kwn_results results;
    sw_memory_files files = {0};
    double yield[2][64];
    hid_t file;
    assert_true(POINTS * job->n_times <= 64);
    CHECK_OK(sw_kwn_axis_make(&job->setup.options.axis, 32, &axis));
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        unlink(partial_path);
        sw_memory_files_use(in_memory ? &files : NULL);
        write_all(&axis, &results);
        assert_int_equal(files.count, 0);
        CHECK_OK(sw_kwn_results_commit(&results));
        CHECK_OK(sw_kwn_results_abandon(&results, SW_OK));
        CHECK_OK(sw_h5_open(output_path, 0, &file));
        read_yield(file, yield[in_memory]);
        H5Fclose(file);
    }
    assert_int_equal(files.count, 1);
    sw_memory_files_use(NULL);
    sw_memory_files_free(&files);
    assert_memory_equal(yield[1], yield[0], (size_t)(POINTS * job->n_times) * sizeof(double));
    sw_kwn_axis_free(&axis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_blocks_are_begun_anew),
                                       cmocka_unit_test(in_memory_blocks_go_to_the_results)};
    return cmocka_run_group_tests(tests, read_job, free_job);
}
