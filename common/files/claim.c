#include "claim.h"

#include <ctype.h>
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

#include "common/system/leftovers.h"
#include "output_file.h"

/* ---- What dead runs left ---- */

/* Of "out.h5" or what goes with it, "out-0001.vtkhdf": what is behind its stem. NULL: it is neither. */
static const char *behind_stem(const char *name, const char *results)
{
    const char *dot = strrchr(results, '.');
    const size_t stem = dot != NULL && dot != results ? (size_t)(dot - results) : strlen(results);
    const char *rest = name + stem;
    return strncmp(name, results, stem) == 0 &&
                   (*rest == '.' || (*rest == '-' && isdigit((unsigned char)rest[1])))
               ? rest
               : NULL;
}

/* Whether it is a temporary name of such a file, and its writer, of this machine, has ended. Of another machine that
 * shares the folder, or another container, nobody here can tell. */
static int is_dead(const char *name, const char *results)
{
    const char *rest = behind_stem(name, results), *at = rest != NULL ? strstr(rest, ".tmp.") : NULL;
    const long writer = at != NULL ? sw_temporary_writer(at) : 0;
    return writer > 0 && kill((pid_t)writer, 0) != 0 && errno == ESRCH;
}

static void clear(const char *folder_name, const char *results)
{
    DIR *folder = opendir(folder_name);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (is_dead(entry->d_name, results))
            unlinkat(dirfd(folder), entry->d_name, 0);
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

typedef enum { LOCKED, HELD, NO_LOCKS, IN_THE_WAY } lock_state;

/* Whether the file that was locked is still the one of that name: a run that ended has removed it. */
static int is_current(const struct stat *ours, const char *path)
{
    struct stat named;
    return lstat(path, &named) == 0 && ours->st_ino == named.st_ino && ours->st_dev == named.st_dev;
}

/* Another user's lock can be read alone, which is enough. */
static int open_lock(const char *path)
{
    const int flags = O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, file = open(path, flags | O_RDWR, 0666);
    return file < 0 && errno == EACCES ? open(path, flags | O_RDONLY, 0666) : file;
}

static lock_state try_lock(int file, const char *path, int *again)
{
    struct stat about;
    *again = 0;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > 0)
        return IN_THE_WAY; /* somebody's file */
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? HELD : NO_LOCKS;
    *again = !is_current(&about, path);
    return LOCKED;
}

static lock_state lock(sw_claim *claim)
{
    for (;;) {
        int again;
        claim->file = open_lock(claim->path);
        if (claim->file < 0)
            return errno == ELOOP || errno == ENXIO ? IN_THE_WAY : NO_LOCKS;
        const lock_state state = try_lock(claim->file, claim->path, &again);
        if (state == LOCKED && !again)
            return state;
        close(claim->file);
        if (state != LOCKED)
            return state;
    }
}

sw_status sw_claim_take(const char *output, sw_claim *claim)
{
    *claim = (sw_claim){0};
    return sw_memory_files_used() ? SW_OK : sw_claim_take_on_disk(output, claim); /* nobody else's */
}

sw_status sw_claim_take_on_disk(const char *output, sw_claim *claim)
{
    *claim = (sw_claim){0};
    if (*output == '\0') /* which whoever opens it says */
        return SW_OK;
    if (asprintf(&claim->path, "%s.lock", output) < 0) {
        claim->path = NULL;
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", output);
    }
    const lock_state state = lock(claim);
    if (state == LOCKED) {
        sw_leftover_add(claim->path);
        clear_beside(output);
        return SW_OK;
    }
    free(claim->path);
    claim->path = NULL;
    if (state == NO_LOCKS)
        return SW_OK;
    return state == HELD
               ? sw_error(SW_ERR_INPUT, "%s: is being written by another run", output)
               : sw_error(SW_ERR_INPUT,
                          "%s.lock: is in the way: an empty file of that name is the lock of a run", output);
}

void sw_claim_release(sw_claim *claim)
{
    if (claim->path == NULL)
        return;
    unlink(claim->path); /* before the lock goes: who waits for neither name nor lock takes a new one */
    sw_leftover_forget(claim->path);
    close(claim->file);
    free(claim->path);
    *claim = (sw_claim){0};
}
