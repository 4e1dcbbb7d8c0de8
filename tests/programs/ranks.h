/* Programs on several MPI ranks. */
#ifndef SW_TESTS_PROGRAMS_RANKS_H
#define SW_TESTS_PROGRAMS_RANKS_H

#include "programs.h"

/* NULL, or the reason why there is no mpirun. */
static inline const char *find_mpi(void)
{
#ifdef SW_HAVE_MPI
    result r;
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    run("mpirun --version", &r);
    return r.status == 0 ? NULL : "there is no mpirun";
#else
    return "this build is without MPI";
#endif
}

static inline int without_mpi(void)
{
    const char *reason = find_mpi();
    if (reason != NULL)
        print_message("skipped: %s\n", reason);
    return reason != NULL;
}

/* Ranks that wait for each other are ended. Without a search for leaks in a build with AddressSanitizer: Open MPI
 * itself keeps 120 kB to the end. */
static inline char *command_on_ranks(int ranks, const char *arguments)
{
    char *command;
    assert_true(asprintf(&command,
                         "mpirun -n %d --oversubscribe --bind-to none --timeout 300 -x "
                         "ASAN_OPTIONS=detect_leaks=0 %s/slipwave %s",
                         ranks, programs, arguments) > 0);
    return command;
}

static inline pid_t start_on_ranks(int ranks, const char *arguments, int sink)
{
    char *command = command_on_ranks(ranks, arguments);
    const pid_t child = start(command, sink, sink);
    free(command);
    return child;
}

/* A signal to each of mpirun's ranks: mpirun itself takes two seconds to pass one on. To mpirun, where the system does
 * not tell who they are. */
static inline void signal_ranks(pid_t mpirun, int number)
{
    char path[64];
    int rank, any = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)mpirun, (int)mpirun);
    FILE *children = fopen(path, "r");
    while (children != NULL && fscanf(children, "%d", &rank) == 1)
        any |= kill((pid_t)rank, number) == 0;
    if (children != NULL)
        fclose(children);
    if (!any)
        kill(mpirun, number);
}

/* Starts a run and asks it to stop when its first checkpoint is there; one that ends first is started again. */
static inline void stop_on_ranks(int ranks, const char *arguments, const char *output)
{
    enum { TIMES = 20 };
    char *partial;
    assert_true(asprintf(&partial, "%s.partial", output) > 0);
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int i = 0; i < TIMES && access(partial, F_OK) != 0; i++) {
        const pid_t child = start_on_ranks(ranks, arguments, sink);
        while (access(partial, F_OK) != 0 && access(output, F_OK) != 0) {
            assert_int_equal(waitpid(child, &(int){0}, WNOHANG), 0);
            usleep(1000);
        }
        signal_ranks(child, SIGTERM);
        wait_for(child);
        unlink(output);
    }
    close(sink);
    assert_int_equal(access(partial, F_OK), 0);
    free(partial);
}

static inline void run_on_ranks(int ranks, const char *arguments, result *r)
{
    char *command = command_on_ranks(ranks, arguments);
    run(command, r);
    free(command);
}

/* Two ranks, the second of which works in another folder. */
static inline void run_apart(const char *folder, const char *arguments, result *r)
{
    char *first = command_on_ranks(1, arguments), *command;
    assert_true(asprintf(&command, "%s : -n 1 --wdir %s %s/slipwave %s", first, folder, programs, arguments) >
                0);
    run(command, r);
    free(first);
    free(command);
}

/* All ranks have ended, and one has told why. */
static inline void assert_told_once(const result *r, const char *why)
{
    const char *at = strstr(r->err, why);
    assert_int_equal(r->status, 1);
    if (at == NULL || strstr(at + 1, why) != NULL || strstr(r->err, "interrupted") != NULL)
        fail_msg("need '%s' once in '%s'", why, r->err);
}

#endif
