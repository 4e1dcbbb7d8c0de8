#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *sw_temporary_suffix(void)
{
    static _Thread_local char suffix[32];
    snprintf(suffix, sizeof suffix, ".tmp.%ld", (long)getpid());
    return suffix;
}

static void forget(sw_output_file *output)
{
    free(output->path);
    free(output->temporary);
    *output = (sw_output_file){0};
}

sw_status sw_output_file_begin(const char *path, sw_output_file *output)
{
    struct stat existing;
    *output = (sw_output_file){0};
    if (*path == '\0')
        return sw_error(SW_ERR_IO, "output file = '': need a name");
    if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode))
        return sw_error(SW_ERR_IO, "%s: is a %s", path,
                        S_ISDIR(existing.st_mode) ? "folder" : "special file");
    output->path = strdup(path);
    if (output->path == NULL || asprintf(&output->temporary, "%s%s", path, sw_temporary_suffix()) < 0) {
        output->temporary = NULL;
        forget(output);
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    }
    unlink(
        output
            ->temporary); /* of a dead process of our number, or planted there: made anew, followed nowhere */
    return SW_OK;
}

/* What was written is on the disk; of a folder, the names in it. 0 where that cannot be had. */
static int reaches_disk(const char *path, int flags)
{
    const int file = open(path, flags | O_RDONLY | O_CLOEXEC);
    const int done = file >= 0 && (fsync(file) == 0 || errno == EINVAL); /* which some file systems answer */
    if (file >= 0)
        close(file);
    return done;
}

/* The folder of a path that can be written: it is not the root. */
static int folder_reaches_disk(const char *path)
{
    char *name = strdup(path);
    const int done = name != NULL && reaches_disk(dirname(name), O_DIRECTORY);
    free(name);
    return done;
}

sw_status sw_output_file_commit(sw_output_file *output)
{
    sw_status status = SW_OK;
    errno = 0;
    if (!reaches_disk(output->temporary, 0) || rename(output->temporary, output->path) != 0) {
        status = sw_error(SW_ERR_IO, "%s: cannot be completed: %s", output->path, strerror(errno));
        remove(output->temporary);
    } else {
        /* where this fails the file is there, whole; a power cut may bring the old one back */
        (void)folder_reaches_disk(output->path);
    }
    forget(output);
    return status;
}

void sw_output_file_abandon(sw_output_file *output)
{
    if (output->temporary != NULL)
        remove(output->temporary);
    forget(output);
}

sw_status sw_text_file_begin(const char *path, sw_output_file *output, FILE **file)
{
    *file = NULL;
    SW_TRY(sw_output_file_begin(path, output));
    *file = fopen(output->temporary, "wx");
    if (*file != NULL)
        return SW_OK;
    const sw_status status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    forget(output);
    return status;
}

sw_status sw_text_file_end(sw_output_file *output, FILE *file)
{
    const int failed = ferror(file) | (fclose(file) != 0);
    if (!failed)
        return sw_output_file_commit(output);
    const sw_status status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", output->path, strerror(errno));
    sw_output_file_abandon(output);
    return status;
}

int sw_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
