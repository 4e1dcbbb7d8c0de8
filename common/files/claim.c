#include "claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"

/* ---- What dead runs left ---- */

/* Its writer's number; 0: `name` is no temporary name of a file of `results`, "out.h5" or, numbered, "out-0001.vtkhdf". */
static long writer_of(const char *name, const char *results)
{
    static const char mark[] = ".tmp.";
    const char *dot = strrchr(results, '.'), *at = strstr(name, mark);
    const size_t stem = dot != NULL && dot != results ? (size_t)(dot - results) : strlen(results);
    char *end;
    if (at == NULL || strncmp(name, results, stem) != 0 || (name[stem] != '.' && name[stem] != '-'))
        return 0;
    const long process = strtol(at + sizeof mark - 1, &end, 10);
    return *end == '\0' && process > 0 ? process : 0;
}

/* Of this machine its process tells; of another that shares the folder the lock that HDF5 has on what it writes. */
static int is_dead(int folder, const char *name, long process)
{
    if (kill((pid_t)process, 0) == 0 || errno != ESRCH)
        return 0;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about;
    const int dead = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                     flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    return dead;
}

static void clear(const char *folder_name, const char *results)
{
    DIR *folder = opendir(folder_name);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const long process = writer_of(entry->d_name, results);
        if (process != 0 && is_dead(dirfd(folder), entry->d_name, process))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
}

static void clear_beside(const char *output)
{
    char *folder = strdup(output), *name = strdup(output);
    if (folder != NULL && name != NULL)
        clear(dirname(folder), basename(name));
    free(folder);
    free(name);
}

/* ---- The lock ---- */

/* Whether the file that was locked is still the one of that name: a run that ended has removed it. */
static int is_current(const sw_claim *claim)
{
    struct stat ours, named;
    return fstat(claim->file, &ours) == 0 && lstat(claim->path, &named) == 0 && ours.st_ino == named.st_ino &&
           ours.st_dev == named.st_dev;
}

/* 1: locked; 0: another run has it; -1: there are no locks here. */
static int lock(sw_claim *claim)
{
    for (;;) {
        claim->file = open(claim->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (claim->file < 0)
            return -1;
        if (flock(claim->file, LOCK_EX | LOCK_NB) != 0) {
            const int held = errno == EWOULDBLOCK;
            close(claim->file);
            return held ? 0 : -1;
        }
        if (is_current(claim))
            return 1;
        close(claim->file);
    }
}

sw_status sw_claim_take(const char *output, sw_claim *claim)
{
    *claim = (sw_claim){0};
    if (*output == '\0') /* which whoever opens it says */
        return SW_OK;
    if (asprintf(&claim->path, "%s.lock", output) < 0) {
        claim->path = NULL;
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", output);
    }
    const int locked = lock(claim);
    if (locked == 1) {
        clear_beside(output);
        return SW_OK;
    }
    free(claim->path);
    claim->path = NULL;
    return locked < 0 ? SW_OK : sw_error(SW_ERR_INPUT, "%s: is being written by another run", output);
}

void sw_claim_release(sw_claim *claim)
{
    if (claim->path == NULL)
        return;
    unlink(claim->path); /* before the lock goes: who waits for neither name nor lock takes a new one */
    close(claim->file);
    free(claim->path);
    *claim = (sw_claim){0};
}
