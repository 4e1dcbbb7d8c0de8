/* Checkpoints, and generation that is killed, resumed, damaged and spread over ranks: always the same bits.
 */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/database/database.h"
#include "offline/checkpoint.h"
#include "offline/integrate.h"

static char folder[256], path[512];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-checkpoint-XXXXXX", base ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/work.checkpoint", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : -1;
}

static int remove_checkpoint(void **state)
{
    (void)state;
    return unlink(path) == 0 || errno == ENOENT ? 0 : -1;
}

enum { NUMBERS = 10, BLOCKS = 4 };

static sw_checkpoint *open_one(uint64_t key, int resume)
{
    sw_checkpoint *checkpoint;
    CHECK_OK(sw_checkpoint_open(path, key, BLOCKS, NUMBERS, resume, &checkpoint));
    return checkpoint;
}

static void damage(long offset)
{
    int file = open(path, O_RDWR);
    char byte;
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, offset), 1);
    byte = (char)(byte ^ 1);
    assert_int_equal(pwrite(file, &byte, 1, offset), 1);
    close(file);
}

static void blocks_come_back_and_damage_shows(void **state)
{
    (void)state;
    double data[NUMBERS], back[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        data[i] = 1.0 / (i + 1);
    sw_checkpoint *checkpoint = open_one(7, 0);
    CHECK_OK(sw_checkpoint_write(checkpoint, 2, data, NUMBERS));
    CHECK_OK(sw_checkpoint_write(checkpoint, 3, data, 5)); /* the last block may be short */
    sw_checkpoint_close(checkpoint);
    checkpoint = open_one(7, 1);
    assert_int_equal(sw_checkpoint_read(checkpoint, 0, back, NUMBERS), 0);
    assert_int_equal(sw_checkpoint_read(checkpoint, 2, back, NUMBERS), 1);
    assert_memory_equal(back, data, sizeof data);
    assert_int_equal(sw_checkpoint_read(checkpoint, 3, back, 5), 1);
    sw_checkpoint_close(checkpoint);
    struct stat information;
    assert_int_equal(stat(path, &information), 0);
    damage(information.st_size - 3);
    checkpoint = open_one(7, 1);
    assert_int_equal(sw_checkpoint_read(checkpoint, 3, back, 5), -1);
    assert_int_equal(sw_checkpoint_read(checkpoint, 2, back, NUMBERS), 1);
    sw_checkpoint_close(checkpoint);
    assert_int_equal(truncate(path, information.st_size - 20), 0); /* a file that lost its end */
    checkpoint = open_one(7, 1);
    assert_int_equal(sw_checkpoint_read(checkpoint, 3, back, 5), -1);
    sw_checkpoint_close(checkpoint);
}

static void other_work_is_refused(void **state)
{
    (void)state;
    sw_checkpoint *checkpoint = open_one(7, 1); /* none there: a new one */
    sw_checkpoint_close(checkpoint);
    assert_int_equal(sw_checkpoint_open(path, 8, BLOCKS, NUMBERS, 1, &checkpoint), SW_ERR_FORMAT);
    assert_int_equal(sw_checkpoint_open(path, 7, BLOCKS + 1, NUMBERS, 1, &checkpoint), SW_ERR_FORMAT);
    assert_int_equal(sw_checkpoint_open(path, 7, BLOCKS, NUMBERS, 0, &checkpoint), SW_ERR_INPUT);
    assert_non_null(strstr(sw_error_message(), "--resume"));
    damage(0);
    assert_int_equal(sw_checkpoint_open(path, 7, BLOCKS, NUMBERS, 1, &checkpoint), SW_ERR_FORMAT);
    for (off_t length = 39; length >= 0; length -= 13) { /* killed before the header was whole */
        assert_int_equal(truncate(path, length), 0);
        checkpoint = open_one(7, 1);
        sw_checkpoint *second;
        assert_int_equal(sw_checkpoint_open(path, 7, BLOCKS, NUMBERS, 1, &second), SW_ERR_INPUT); /* in use */
        sw_checkpoint_close(checkpoint);
    }
    assert_int_equal(sw_checkpoint_open("/nowhere/x", 7, BLOCKS, NUMBERS, 0, &checkpoint), SW_ERR_IO);
}

/* Full devices answer every write with ENOSPC. */
static void full_disk_is_said(void **state)
{
    (void)state;
    sw_checkpoint *checkpoint;
    if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path) != 0)
        skip();
    assert_int_not_equal(sw_checkpoint_open(path, 7, BLOCKS, NUMBERS, 1, &checkpoint), SW_OK);
}

static const int64_t shape[4] = {16, 16, 16, 24}; /* 3 blocks */

static void integrate(sw_response_grid *grid, int resume)
{
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    const sw_integrate_options options = {.checkpoint = path, .resume = resume, .quiet = 1};
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, grid));
    CHECK_OK(sw_integrate_grid(grid, &material, &increment, &options));
}

/* A grid of one material does not go on with another's, nor with another increment. */
static void points_are_of_their_material(void **state)
{
    (void)state;
    const sw_integrate_options options = {.checkpoint = path, .resume = 1, .quiet = 1};
    sw_response_grid grid;
    sw_material material = copper();
    sw_increment increment = sw_increment_default(&material);
    integrate(&grid, 0);
    sw_response_grid_destroy(&grid);
    for (int i = 0; i < 3; i++) {
        material = copper();
        material.crystal_structure = i == 0 ? SW_LATTICE_bcc : material.crystal_structure;
        material.elasticity.c44 *= i == 1 ? 1.01 : 1;
        increment.strain_rate *= i == 2 ? 2 : 1;
        CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, &grid));
        assert_int_equal(sw_integrate_grid(&grid, &material, &increment, &options), SW_ERR_FORMAT);
        sw_response_grid_destroy(&grid);
    }
}

/* Blocks are taken from the file, not computed again: a number changed together with its checksum comes
 * through. And a block that is merely damaged is computed again, alone. */
static void resumed_grid_has_the_same_bits(void **state)
{
    (void)state;
    sw_response_grid whole, resumed;
    integrate(&whole, 0);
    damage(48 + 8 + 800); /* in the first block, behind header and checksum */
    integrate(&resumed, 1);
    assert_int_equal(whole.n_points, resumed.n_points);
    assert_memory_equal(whole.output, resumed.output, (size_t)whole.n_points * sizeof *whole.output);
    sw_response_grid_destroy(&resumed);
    integrate(&resumed, 1); /* all there */
    assert_memory_equal(whole.output, resumed.output, (size_t)whole.n_points * sizeof *whole.output);
    sw_response_grid_destroy(&resumed);
    sw_response_grid_destroy(&whole);
}

static const char *variable(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value ? value : otherwise;
}

/* Start generate on a 32^3 x 24 grid under a launcher ("" or "mpirun ..."); returns the process. */
static pid_t start(const char *launcher, const char *output, const char *extra)
{
    char command[2048];
    snprintf(command, sizeof command,
             "exec %s '%s/slipwave-db' generate '%s/materials/copper-ofhc.yaml' -o '%s/%s' -g 32,32,32,24 -t "
             "all -q %s "
             ">'%s/log' 2>&1",
             launcher, variable("SW_BIN", "build"), variable("SW_DATA", "data"), folder, output, extra,
             folder);
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return child;
}

static int finish(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void expect_same_terms(const char *a, const char *b)
{
    char first[600], second[600];
    sw_database *x, *y;
    snprintf(first, sizeof first, "%s/%s", folder, a);
    snprintf(second, sizeof second, "%s/%s", folder, b);
    CHECK_OK(sw_database_read(first, 0, &x));
    CHECK_OK(sw_database_read(second, 0, &y));
    assert_int_equal(x->n_pairs, y->n_pairs);
    assert_memory_equal(x->wavevector, y->wavevector, (size_t)x->n_pairs * sizeof *x->wavevector);
    assert_memory_equal(x->coefficient, y->coefficient, (size_t)x->n_pairs * sizeof *x->coefficient);
    sw_database_free(x);
    sw_database_free(y);
}

/* kill -9 once some blocks are on disk; then --resume. */
static void killed_generation_resumes_to_the_same_bits(void **state)
{
    (void)state;
    char checkpoint[600];
    struct stat information;
    snprintf(checkpoint, sizeof checkpoint, "%s/killed.h5.checkpoint", folder);
    assert_int_equal(finish(start("", "whole.h5", "")), 0);
    const pid_t child = start("", "killed.h5", "-j 1");
    for (int wait = 0; wait < 20000; wait++) {
        if (stat(checkpoint, &information) == 0 && information.st_size > 300000)
            break;
        usleep(500);
    }
    kill(child, SIGKILL);
    assert_int_equal(finish(child), 128 + SIGKILL);
    assert_int_equal(stat(checkpoint, &information), 0);
    assert_int_equal(finish(start("", "killed.h5", "")), 1); /* not without being told */
    assert_int_equal(finish(start("", "killed.h5", "--resume")), 0);
    assert_int_not_equal(stat(checkpoint, &information), 0);
    expect_same_terms("whole.h5", "killed.h5");
}

/* Skipped, with the reason, where the build or the machine has no MPI. */
static void ranks_change_no_bit(void **state)
{
    (void)state;
#ifdef SW_HAVE_MPI
    if (system("mpirun --version >/dev/null 2>&1") != 0) {
        print_message("no mpirun on this machine\n");
        skip();
    }
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0); /* Open MPI keeps memory until the process ends */
    assert_int_equal(finish(start("mpirun --oversubscribe -n 3", "ranks.h5", "-j 1")), 0);
    expect_same_terms("whole.h5", "ranks.h5");
#else
    print_message("built without MPI\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(blocks_come_back_and_damage_shows, remove_checkpoint),
        cmocka_unit_test_teardown(other_work_is_refused, remove_checkpoint),
        cmocka_unit_test_teardown(full_disk_is_said, remove_checkpoint),
        cmocka_unit_test_teardown(points_are_of_their_material, remove_checkpoint),
        cmocka_unit_test_teardown(resumed_grid_has_the_same_bits, remove_checkpoint),
        cmocka_unit_test(killed_generation_resumes_to_the_same_bits),
        cmocka_unit_test(ranks_change_no_bit),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, make_folder, remove_folder);
}
