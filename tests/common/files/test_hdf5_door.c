/* Threads that read and write HDF5 files at once, also with a library that is not thread-safe (HDF5=hdf5-openmpi). */
#include "tests/folder.h"

#include <pthread.h>
#include <sys/wait.h>

#include "common/files/hdf5_io.h"

enum { THREADS = 8, ROUNDS = 60, ROWS = 500 };

/* A file of this number's own: rows of k, k + 1, ..., the number as an attribute. */
static sw_status write_one(int number)
{
    char path[32];
    sw_h5_output output;
    double row[ROWS];
    const double value = number;
    const int64_t shape = ROWS;
    for (int i = 0; i < ROWS; i++)
        row[i] = number + i;
    snprintf(path, sizeof path, "%d.h5", number);
    SW_TRY(sw_h5_begin(path, &output));
    sw_status status = sw_h5_write(output.file, "group/rows", H5T_NATIVE_DOUBLE, 1, &shape, row);
    if (status == SW_OK)
        status = sw_h5_write_numbers(output.file, "number", 1, &value);
    if (status == SW_OK)
        return sw_h5_commit(&output);
    sw_h5_abandon(&output);
    return status;
}

/* *wrong: numbers that are not what was written. */
static sw_status read_file(int number, int *wrong)
{
    char path[32];
    hid_t file;
    double row[ROWS] = {0}, value = 0;
    const int64_t shape = ROWS;
    snprintf(path, sizeof path, "%d.h5", number);
    SW_TRY(sw_h5_open(path, 0, &file));
    sw_status status = sw_h5_read(file, "group/rows", H5T_NATIVE_DOUBLE, 1, &shape, row);
    if (status == SW_OK)
        status = sw_h5_read_numbers(file, "number", 1, &value);
    H5Fclose(file);
    *wrong = !(value == number);
    for (int i = 0; i < ROWS; i++)
        *wrong += !(row[i] == number + i);
    return status;
}

typedef struct {
    int number, wrong;
    sw_status status;
} thread_work;

/* Its own file again and again, and one that all read. */
static void *read_and_write(void *context)
{
    thread_work *w = context;
    for (int round = 0; round < ROUNDS && w->status == SW_OK && w->wrong == 0; round++) {
        int own = 0, common = 0;
        w->status = write_one(w->number);
        if (w->status == SW_OK)
            w->status = read_file(w->number, &own);
        if (w->status == SW_OK)
            w->status = read_file(THREADS, &common);
        w->wrong = own + common;
    }
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    thread_work work[THREADS] = {{0}};
    CHECK_OK(write_one(THREADS));
    for (int t = 0; t < THREADS; t++) {
        work[t].number = t;
        assert_int_equal(pthread_create(&thread[t], NULL, read_and_write, &work[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(work[t].status, SW_OK);
        assert_int_equal(work[t].wrong, 0);
    }
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void *keep_busy(void *context)
{
    volatile int *stop = context;
    for (int wrong; !*stop;)
        if (read_file(THREADS, &wrong) != SW_OK || wrong != 0)
            return context;
    return NULL;
}

/* A process that is forked off while another thread reads is not kept out for ever, nor left with half a call. */
static void a_forked_process_finds_it_open(void **state)
{
    (void)state;
    pthread_t other;
    volatile int stop = 0;
    void *failed;
    CHECK_OK(write_one(THREADS));
    assert_int_equal(pthread_create(&other, NULL, keep_busy, (void *)&stop), 0);
    for (int k = 0; k < 100; k++) {
        int status, wrong = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(20); /* what waits for ever is ended */
            _exit(read_file(THREADS, &wrong) == SW_OK && wrong == 0 ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    stop = 1;
    pthread_join(other, &failed);
    assert_null(failed);
}

static int leave_folder(void **state)
{
    (void)state;
    char path[32];
    for (int number = 0; number <= THREADS; number++) {
        snprintf(path, sizeof path, "%d.h5", number);
        unlink(path);
    }
    return chdir("/") | rmdir(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(a_forked_process_finds_it_open),
    };
    return cmocka_run_group_tests(tests, make_folder, leave_folder);
}
