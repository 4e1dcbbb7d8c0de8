/* Commands as calls: what goes in and comes out, who may stop one, and that the process is left as it was. Numbers are compared
 * with the program's in tests/python/test_commands.py. */
#include "tests/test.h"

#include <limits.h>
#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/files/claim.h"
#include "offline/commands.h"
#include "slipwave/call.h"

static const char cube[] = "mesh: {body: box, cells: [2, 2, 2], size: [1, 1, 1]}\n"
                           "materials: [{young: 2e11, poisson: 0.3, yield_stress: 4e8}]\n"
                           "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]\n"
                           "loads: [{surface: z_max, traction: [0, 0, 1e8]}]\n"
                           "steps: [{factor: 1, increments: 4}]\n"
                           "output: {file: cube.h5}\n";

static sw_status run(const char *text, sw_call **call)
{
    const sw_file job = {"job", text, strlen(text)};
    return sw_call_command(
        &(sw_call_inputs){.command = "fem", .job = "job", .files = 1, .file = &job, .interruptible = 1},
        call);
}

static void a_call_leaves_files_and_what_it_says(void **state)
{
    (void)state;
    static const char *const threads[][2] = {{"threads", "1"}};
    const sw_file job = {"job", cube, sizeof cube - 1};
    sw_call *call;
    const int before = omp_get_max_threads();
    CHECK_OK(sw_call_command(
        &(sw_call_inputs){
            .command = "fem", .job = "job", .n_options = 1, .option = threads, .files = 1, .file = &job},
        &call));
    assert_int_equal(omp_get_max_threads(), before);
    static const char *const names[] = {"cube.h5", "cube-0004.vtkhdf", "cube.vtkhdf.series"};
    sw_file file = {.name = NULL};
    assert_int_equal(sw_call_files(call), 3); /* not the job, which is the caller's */
    for (int k = 0; k < 3; k++) {
        int found = 0;
        for (int i = 0; i < 3; i++)
            if (strcmp(sw_call_file(call, i).name, names[k]) == 0) {
                found++;
                file = k == 0 ? sw_call_file(call, i) : file;
            }
        assert_int_equal(found, 1);
    }
    assert_memory_equal(file.bytes, "\x89HDF\r\n\x1a\n", 8);
    assert_non_null(strstr(sw_call_said(call), "cube.h5: 4 increments"));
    assert_int_equal(access("cube.h5", F_OK), -1);
    sw_call_close(call);
}

static void failures_leave_nothing(void **state)
{
    (void)state;
    sw_call *call = (sw_call *)state;
    assert_int_equal(run("mesh: {body: ball}\n", &call), SW_ERR_INPUT);
    assert_null(call);
    assert_message_has("job:1: mesh.body = ball: need one of");
    const sw_call_inputs none = {.command = "fme", .job = "job"};
    assert_int_equal(sw_call_command(&none, &call), SW_ERR_RANGE);
    assert_message_has("command = fme: no such command");
    CHECK_OK(run(cube, &call)); /* after which another goes well */
    sw_call_close(call);
}

static void *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*size);
    assert_true(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

/* What a call changes on the disk, which certify does, is as much another run's as the program's would be. */
static void a_database_that_another_run_holds_is_left(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"crystals", "2"}, {"quiet", ""}};
    static const char database[] = "held.h5";
    sw_claim claim;
    sw_call *call;
    size_t size[2];
    const char *material = data_path("materials/copper-ofhc.yaml");
    const sw_generate_options options = {
        .material = material, .output = database, .shape = {8, 4, 8, 12}, .quiet = 1};
    CHECK_OK(sw_generate(&options));
    void *before = read_whole(database, &size[0]);
    const sw_call_inputs certify = {.command = "certify", .job = database, .n_options = 2, .option = few};
    CHECK_OK(sw_claim_take(database, &claim));
    assert_int_equal(sw_call_command(&certify, &call), SW_ERR_INPUT);
    assert_message_has("held.h5: is being written by another run");
    sw_claim_release(&claim);
    void *after = read_whole(database, &size[1]);
    assert_true(size[0] == size[1] && memcmp(before, after, size[0]) == 0);
    free(before);
    free(after);
    CHECK_OK(sw_call_command(&certify, &call));
    assert_int_equal(access("held.h5.lock", F_OK), -1);
    sw_call_close(call);
    unlink(database);
}

typedef struct {
    int looks, stop_at;
    long long done, total;
    sw_status within;
} watch;

static int look(void *context, const char *task, const char *unit, long long done, long long total)
{
    watch *w = context;
    sw_call *call;
    assert_string_equal(task, "fem");
    assert_string_equal(unit, "increments");
    w->within = run(cube, &call);
    w->done = done;
    w->total = total;
    return ++w->looks == w->stop_at;
}

static void a_watcher_sees_steps_and_stops_them(void **state)
{
    (void)state;
    watch all = {0}, some = {.stop_at = 2};
    sw_call *call;
    sw_watch(look, &all);
    CHECK_OK(run(cube, &call));
    sw_call_close(call);
    assert_true(all.looks == 4 && all.done == 4 && all.total == 4);
    assert_int_equal(all.within, SW_ERR_UNAVAILABLE); /* one at a time */
    sw_watch(look, &some);
    assert_int_equal(run(cube, &call), SW_ERR_INTERRUPTED);
    assert_true(some.looks == 2 && some.done == 2);
    sw_watch(NULL, NULL);
    CHECK_OK(run(cube, &call)); /* it was that run that was to stop */
    sw_call_close(call);
}

static volatile sig_atomic_t heard;
static void hear(int number) { heard += number == SIGINT; }

static int raise_it(void *context, const char *task, const char *unit, long long done, long long total)
{
    (void)context, (void)task, (void)unit, (void)total;
    return done == 1 ? raise(SIGINT) : 0;
}

static void a_signal_stops_it_and_reaches_the_host(void **state)
{
    (void)state;
    sw_call *call;
    struct sigaction now;
    signal(SIGINT, hear);
    sw_watch(raise_it, NULL);
    assert_int_equal(run(cube, &call), SW_ERR_INTERRUPTED);
    sw_watch(NULL, NULL);
    assert_int_equal(heard, 1);
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_ptr_equal(now.sa_handler, hear);
    signal(SIGINT, SIG_DFL);
}

/* OpenMP's threads stay with the parent: a run that waited for them would never end. */
static void a_process_that_was_forked_off_may_call(void **state)
{
    (void)state;
    sw_call *call;
    CHECK_OK(run(cube, &call));
    sw_call_close(call);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        static const char *const threads[][2] = {{"threads", "2"}};
        const sw_file job = {"job", cube, sizeof cube - 1};
        _exit(sw_call_command(&(sw_call_inputs){"fem", "job", 1, threads, 1, &job, 0}, &call) != SW_OK);
    }
    int status = 1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
}

static void tables_say_all_keys(void **state)
{
    (void)state;
    int n = 0;
    for (const char *name; (name = sw_command_name(n)) != NULL; n++) {
        const size_t size = sw_command_keys(name, 0, NULL);
        char *text = calloc(1, size), few[8];
        assert_true(text != NULL && sw_command_keys(name, size, text) == size);
        assert_int_equal(strlen(text), size - 1);
        sw_command_keys(name, sizeof few, few);
        assert_string_equal(few, "{\"name\"");
        free(text);
    }
    assert_int_equal(n, 11);
    assert_null(sw_command_name(-1));
    assert_int_equal(sw_command_keys("fme", 0, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_leaves_files_and_what_it_says),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(a_database_that_another_run_holds_is_left),
        cmocka_unit_test(a_watcher_sees_steps_and_stops_them),
        cmocka_unit_test(a_signal_stops_it_and_reaches_the_host),
        cmocka_unit_test(a_process_that_was_forked_off_may_call),
        cmocka_unit_test(tables_say_all_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
