/* at_write kill|full|lose N PROGRAM ARGUMENT ...: runs a program, and at its N-th change of files kills it before that, or
 * lets the disk be full: writes fail from then on. Or lets the N-th bringing to the disk or renaming, it alone, fail (EIO).
 * N = 0: nothing. Changes are writes to plain files, and files made, renamed, removed, cut and brought to the disk.
 * `at_write count 0 PROGRAM ...` prints the number of changes, and of those brought to the disk or renamed; `lose` says on
 * stdout when there were fewer than N: of states that are kept from time to time there are not always as many.
 *
 * Its exit status is the program's, 137 when it was killed, 125 when it cannot be watched. Linux; failing calls x86-64. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNWATCHED = 125, KILLED = 137, THREADS = 4096 };
typedef enum { COUNT, KILL, FULL, LOSE } what_to_do;

typedef struct {
    what_to_do what;
    long at, changes, settled; /* of the changes: brought to the disk or renamed */
    int status;                /* of the program; -1: it runs */
    pid_t first;               /* its first thread */
    pid_t failing[THREADS];    /* threads in a call that is to fail */
    int n_failing;
} watch;

static int is_write(uint64_t number)
{
    return number == SYS_write || number == SYS_pwrite64 || number == SYS_writev || number == SYS_pwritev ||
           number == SYS_fallocate || number == SYS_copy_file_range;
}

static int settles(uint64_t number)
{
    switch (number) {
    case SYS_fsync:
    case SYS_fdatasync:
#ifdef SYS_rename
    case SYS_rename:
#endif
    case SYS_renameat:
    case SYS_renameat2:
        return 1;
    default:
        return 0;
    }
}

/* A pipe or a terminal is no disk. */
static int is_of_file(pid_t thread, uint64_t descriptor)
{
    char name[64];
    struct stat about;
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)thread, (int)descriptor);
    return stat(name, &about) == 0 && S_ISREG(about.st_mode);
}

static int is_change(pid_t thread, const struct __ptrace_syscall_info *call)
{
    const uint64_t number = call->entry.nr, *argument = call->entry.args;
    switch (number) {
#ifdef SYS_open
    case SYS_open:
        return (argument[1] & O_CREAT) != 0;
    case SYS_rename:
    case SYS_unlink:
    case SYS_mkdir:
#endif
    case SYS_renameat2:
    case SYS_renameat:
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_truncate:
    case SYS_ftruncate:
        return 1;
    case SYS_openat:
        return (argument[2] & O_CREAT) != 0;
    default:
        return is_write(number) && is_of_file(thread, argument[0]);
    }
}

/* ---- Calls that fail ---- */

#ifdef __x86_64__
static void skip_call(pid_t thread)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r) == 0) {
        r.orig_rax = (unsigned long long)-1;
        ptrace(PTRACE_SETREGS, thread, NULL, &r);
    }
}

static void answer(pid_t thread, int error)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &r) == 0) {
        r.rax = (unsigned long long)-error;
        ptrace(PTRACE_SETREGS, thread, NULL, &r);
    }
}
#else
static void skip_call(pid_t thread) { (void)thread; }
static void answer(pid_t thread, int error) { (void)thread, (void)error; }
#endif

static void fail_call(watch *w, pid_t thread)
{
    if (w->n_failing < THREADS) {
        skip_call(thread);
        w->failing[w->n_failing++] = thread;
    }
}

static void enter_call(watch *w, pid_t thread, const struct __ptrace_syscall_info *call)
{
    if (!is_change(thread, call))
        return;
    const uint64_t number = call->entry.nr;
    w->changes++;
    w->settled += settles(number);
    if (w->what == KILL && w->changes == w->at)
        kill(w->first, SIGKILL);
    if (w->what == FULL && w->at > 0 && w->changes >= w->at && is_write(number))
        fail_call(w, thread);
    if (w->what == LOSE && w->settled == w->at && settles(number))
        fail_call(w, thread);
}

static void leave_call(watch *w, pid_t thread)
{
    for (int i = 0; i < w->n_failing; i++)
        if (w->failing[i] == thread) {
            answer(thread, w->what == LOSE ? EIO : ENOSPC);
            w->failing[i] = w->failing[--w->n_failing];
            return;
        }
}

/* ---- Watching ---- */

static void at_stop(watch *w, pid_t thread, int status)
{
    struct __ptrace_syscall_info call = {0};
    int deliver = 0;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
        ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof call, &call);
        if (call.op == PTRACE_SYSCALL_INFO_ENTRY)
            enter_call(w, thread, &call);
        else if (call.op == PTRACE_SYSCALL_INFO_EXIT)
            leave_call(w, thread);
    } else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP) {
        deliver = WSTOPSIG(status);
    }
    ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)deliver);
}

static void follow(watch *w)
{
    int status;
    pid_t thread;
    while ((thread = waitpid(-1, &status, __WALL)) > 0) {
        if (WIFSTOPPED(status))
            at_stop(w, thread, status);
        else if (thread == w->first)
            w->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

static int start(watch *w, char **program)
{
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    int status;
    w->first = fork();
    if (w->first == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(UNWATCHED);
        raise(SIGSTOP);
        execvp(program[0], program);
        _exit(127);
    }
    return w->first > 0 && waitpid(w->first, &status, 0) == w->first && WIFSTOPPED(status) &&
           ptrace(PTRACE_SETOPTIONS, w->first, NULL, (void *)options) == 0 &&
           ptrace(PTRACE_SYSCALL, w->first, NULL, NULL) == 0;
}

int main(int count, char **argument)
{
    static const char *const names[] = {"count", "kill", "full", "lose"};
    enum { NAMES = sizeof names / sizeof *names };
    static watch w = {.status = -1};
    int what = 0;
    if (count < 4) {
        fprintf(stderr, "usage: at_write count|kill|full|lose N PROGRAM ARGUMENT ...\n");
        return UNWATCHED;
    }
    while (what < NAMES && strcmp(argument[1], names[what]) != 0)
        what++;
    w.what = (what_to_do)what;
    w.at = atol(argument[2]);
    if (what == NAMES || !start(&w, argument + 3)) {
        fprintf(stderr, "at_write: cannot watch %s: %s\n", argument[3], strerror(errno));
        return UNWATCHED;
    }
    follow(&w);
    if (w.what == COUNT)
        printf("%ld %ld\n", w.changes, w.settled);
    if (w.what == LOSE && w.settled < w.at)
        printf("at_write: not reached\n");
    return w.status < 0 ? UNWATCHED : w.status;
}
