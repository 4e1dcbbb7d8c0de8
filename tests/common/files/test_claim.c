#include "tests/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/files/claim.h"
#include "common/files/hdf5_io.h"

static int is_there(const char *path) { return access(path, F_OK) == 0; }

static void make(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* The number of a process that has ended. */
static pid_t dead_process(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

/* Another process that claims "out.h5", says so, and waits to be killed. */
static pid_t claiming_process(void)
{
    int ready[2];
    char answer = 0;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sw_claim claim;
        answer = sw_claim_take("out.h5", &claim) == SW_OK ? 'y' : 'n';
        if (write(ready[1], &answer, 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void a_claim_goes_without_a_trace(void **state)
{
    (void)state;
    sw_claim claim;
    CHECK_OK(sw_claim_take("out.h5", &claim));
    assert_true(is_there("out.h5.lock"));
    sw_claim_release(&claim);
    assert_false(is_there("out.h5.lock"));
    sw_claim_release(&claim); /* harmless */
    sw_claim_release(&(sw_claim){0});
}

static void a_second_claim_is_refused(void **state)
{
    (void)state;
    sw_claim claim, second;
    CHECK_OK(sw_claim_take("out.h5", &claim));
    assert_int_equal(sw_claim_take("out.h5", &second), SW_ERR_INPUT);
    assert_message_has("out.h5: is being written by another run");
    sw_claim_release(&second); /* harmless */
    assert_true(is_there("out.h5.lock"));
    CHECK_OK(sw_claim_take("other.h5", &second));
    sw_claim_release(&second);
    sw_claim_release(&claim);
    CHECK_OK(sw_claim_take("out.h5", &claim));
    sw_claim_release(&claim);
}

static void a_claim_ends_with_its_process(void **state)
{
    (void)state;
    sw_claim claim;
    const pid_t child = claiming_process();
    assert_int_equal(sw_claim_take("out.h5", &claim), SW_ERR_INPUT);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(is_there("out.h5.lock"));
    CHECK_OK(sw_claim_take("out.h5", &claim));
    sw_claim_release(&claim);
    assert_false(is_there("out.h5.lock"));
}

/* What a folder does not allow is for whoever writes the results to say. */
static void no_lock_is_no_failure(void **state)
{
    (void)state;
    sw_claim claim;
    CHECK_OK(sw_claim_take("absent/out.h5", &claim));
    assert_null(claim.path);
    sw_claim_release(&claim);
    assert_int_equal(sw_h5_claim("absent/out.h5", &claim), SW_ERR_IO);
    assert_message_has("absent/out.h5: cannot be created: No such file or directory");
    sw_claim_release(&claim);
}

static void what_dead_runs_left_goes(void **state)
{
    (void)state;
    enum { DEAD, DEAD_FIELD, OURS, OTHER, LONGER, NOTES, ELSEWHERE, NAMES };
    char name[NAMES][64];
    sw_claim claim;
    const int dead = (int)dead_process();
    const char *here = strrchr(sw_temporary_suffix(), '.');
    snprintf(name[DEAD], 64, "out.h5.tmp.%d%s", dead, here);
    snprintf(name[DEAD_FIELD], 64, "out-0001.vtkhdf.tmp.%d%s", dead, here);
    snprintf(name[OURS], 64, "out.h5%s", sw_temporary_suffix());
    snprintf(name[OTHER], 64, "out-b.h5.tmp.%d%s", dead, here); /* of other results */
    snprintf(name[LONGER], 64, "outer.h5.tmp.%d%s", dead, here);
    snprintf(name[NOTES], 64, "out.notes.tmp.%d", dead);
    snprintf(name[ELSEWHERE], 64, "out-0002.vtkhdf.tmp.%d.01234567",
             dead); /* its writer is on another machine */
    for (int i = 0; i < NAMES; i++)
        make(name[i]);
    CHECK_OK(sw_claim_take("out.h5", &claim));
    for (int i = 0; i < NAMES; i++) {
        if (is_there(name[i]) != (i > DEAD_FIELD))
            fail_msg("%s is %sthere", name[i], is_there(name[i]) ? "" : "not ");
        unlink(name[i]);
    }
    sw_claim_release(&claim);
}

/* A file of somebody's, and a pipe, which would not open, are not taken for a lock, and stay. */
static void what_is_no_lock_stays(void **state)
{
    (void)state;
    sw_claim claim;
    FILE *file = fopen("out.h5.lock", "w");
    assert_non_null(file);
    fputs("mine\n", file);
    fclose(file);
    for (int pipe = 0; pipe < 2; pipe++) {
        assert_int_equal(sw_claim_take("out.h5", &claim), SW_ERR_INPUT);
        assert_message_has("out.h5.lock: is in the way");
        sw_claim_release(&claim);
        assert_true(is_there("out.h5.lock"));
        unlink("out.h5.lock");
        assert_int_equal(mkfifo("out.h5.lock", 0666), 0);
    }
    unlink("out.h5.lock");
}

/* Somebody else's links in a folder that all may write lead nowhere. */
static void links_are_not_followed(void **state)
{
    (void)state;
    char name[64];
    sw_claim claim;
    sw_h5_output output;
    sw_output_file text;
    FILE *file;
    assert_int_equal(symlink("precious", "out.h5.lock"), 0);
    assert_int_equal(sw_claim_take("out.h5", &claim), SW_ERR_INPUT);
    assert_message_has("out.h5.lock: is in the way");
    assert_false(is_there("precious"));
    unlink("out.h5.lock");

    snprintf(name, sizeof name, "out.h5%s", sw_temporary_suffix());
    assert_int_equal(symlink("precious", name), 0);
    CHECK_OK(sw_h5_begin("out.h5", &output));
    CHECK_OK(sw_h5_commit(&output));
    assert_false(is_there("precious"));
    snprintf(name, sizeof name, "out.txt%s", sw_temporary_suffix());
    assert_int_equal(symlink("precious", name), 0);
    CHECK_OK(sw_text_file_begin("out.txt", &text, &file));
    fputs("content\n", file);
    CHECK_OK(sw_text_file_end(&text, file, SW_OK));
    assert_false(is_there("precious"));
    unlink("out.h5");
    unlink("out.txt");
}

/* What was measured of a file is not written into another one that has taken its name. */
static void versions_are_told_apart(void **state)
{
    (void)state;
    sw_file_version version;
    make("old.h5");
    CHECK_OK(sw_file_version_of("old.h5", &version));
    CHECK_OK(sw_file_check_version("old.h5", &version));
    make("new.h5");
    assert_int_equal(rename("new.h5", "old.h5"), 0);
    assert_int_equal(sw_file_check_version("old.h5", &version), SW_ERR_INPUT);
    assert_message_has("old.h5: has been changed since it was read");
    unlink("old.h5");
    assert_int_equal(sw_file_version_of("old.h5", &version), SW_ERR_IO);
}

/* A file that is changed is claimed as long as that takes. */
static void changes_are_made_one_at_a_time(void **state)
{
    (void)state;
    sw_h5_output output, second;
    CHECK_OK(sw_h5_begin("old.h5", &output));
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_begin_change("old.h5", &output));
    assert_int_equal(sw_h5_begin_change("old.h5", &second), SW_ERR_INPUT);
    assert_message_has("old.h5: is being written by another run");
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(sw_h5_begin_change("old.h5", &second));
    sw_h5_abandon(&second);
    assert_false(is_there("old.h5.lock"));
    unlink("old.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_goes_without_a_trace),  cmocka_unit_test(a_second_claim_is_refused),
        cmocka_unit_test(a_claim_ends_with_its_process), cmocka_unit_test(no_lock_is_no_failure),
        cmocka_unit_test(what_dead_runs_left_goes),      cmocka_unit_test(what_is_no_lock_stays),
        cmocka_unit_test(links_are_not_followed),        cmocka_unit_test(changes_are_made_one_at_a_time),
        cmocka_unit_test(versions_are_told_apart)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
