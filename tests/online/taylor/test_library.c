/* slipwave/taylor.h as a host program meets it. */
#include "slipwave/taylor.h"

#include "tests/folder.h"

#include <fcntl.h>

static char material[PATH_MAX];

static const char text[] = "solver: rigid_plastic\n"
                           "crystals: {count: 50}\n"
                           "loading:\n"
                           "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}\n"
                           "output: {file: job.h5, textures: []}\n";

static void a_job_is_read_and_run(void **state)
{
    (void)state;
    const char *const option[][2] = {
        {"material", material}, {"output", "out.h5"}, {"count", "20"}, {"quiet", ""}};
    sw_taylor_job *job;
    sw_taylor_summary end, again;
    CHECK_OK(sw_taylor_job_open("job.yaml", 4, option, &job));
    CHECK_OK(sw_taylor_run(job, &end));
    assert_int_equal(end.crystals, 20);
    assert_int_equal(end.steps, 4);
    CHECK_CLOSE(end.strain, 0.1 / sqrt(2), 1e-14);
    assert_true(end.cauchy_stress[0][1] > 30e6 && end.cauchy_stress[0][1] == end.cauchy_stress[1][0]);
    assert_true(end.slip_resistance > 16e6 && end.setup_time > 0 && end.wall_time > 0);
    assert_int_equal(unlink("out.h5"), 0);
    CHECK_OK(sw_taylor_run(job, &again)); /* a job is not used up */
    assert_memory_equal(again.cauchy_stress, end.cauchy_stress, sizeof end.cauchy_stress);
    CHECK_OK(sw_taylor_run(job, NULL));
    sw_taylor_job_close(job);
    assert_int_equal(unlink("out.h5"), 0);
    assert_int_equal(access("job.h5", F_OK), -1);
}

static void bad_jobs_say_why(void **state)
{
    (void)state;
    const char *const option[][2] = {{"count", "none"}};
    sw_taylor_job *job;
    assert_int_equal(sw_taylor_job_open("absent.yaml", 0, NULL, &job), SW_ERR_IO);
    assert_null(job);
    assert_int_equal(sw_taylor_job_open("job.yaml", 0, NULL, &job), SW_ERR_INPUT);
    assert_message_has("job.yaml: database is missing");
    assert_int_equal(sw_taylor_job_open("job.yaml", 1, option, &job), SW_ERR_INPUT);
    assert_message_has("--count = none");
    assert_null(job);
    sw_taylor_job_close(NULL);
}

/* With a listener and without: what there is to say goes to it alone. */
static void count_notices(void *context, sw_notice notice, const char *said)
{
    (void)notice;
    *(int *)context += strstr(said, "radians") != NULL;
}

static void the_library_prints_nothing(void **state)
{
    (void)state;
    const char *const option[][2] = {{"material", material}, {"crystals-file", "few.ori"}, {"quiet", ""}};
    sw_taylor_job *job;
    int notices = 0;
    CHECK_OK(sw_taylor_job_open("job.yaml", 3, option, &job));
    const int sink = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0666), out = dup(1), err = dup(2);
    fflush(NULL);
    dup2(sink, 1);
    dup2(sink, 2);
    const sw_status first = sw_taylor_run(job, NULL);
    sw_listen(count_notices, &notices);
    const sw_status second = sw_taylor_run(job, NULL);
    sw_listen(NULL, NULL);
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    assert_true(first == SW_OK && second == SW_OK);
    assert_int_equal(lseek(sink, 0, SEEK_END), 0);
    assert_int_equal(notices, 1);
    close(sink);
    close(out);
    close(err);
    sw_taylor_job_close(job);
    unlink("printed");
    unlink("job.h5");
}

static int set_up(void **state)
{
    if (find_data("materials/copper-ofhc.yaml", material) || make_folder(state))
        return 1;
    write_text("job.yaml", text);
    write_text("few.ori", "0.1 0.2 0.3\n");
    return 0;
}

static int tear_down(void **state) { return unlink("job.yaml") | unlink("few.ori") | remove_folder(state); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_is_read_and_run),
        cmocka_unit_test(bad_jobs_say_why),
        cmocka_unit_test(the_library_prints_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
