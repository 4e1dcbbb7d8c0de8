#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/system/leftovers.h"
#include "hash.h"

/* Of the numbers of processes: this start of this machine, and the container. */
static unsigned machine(void)
{
    char text[128] = "", spaces[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file != NULL) {
        if (fgets(text, sizeof text, file) == NULL)
            text[0] = '\0';
        fclose(file);
    } else
        gethostname(text, sizeof text - 1);
    const ssize_t length = readlink("/proc/self/ns/pid", spaces, sizeof spaces - 1);
    const uint64_t h = sw_hash(SW_HASH_START, text, strlen(text));
    return (unsigned)sw_hash(h, spaces, length > 0 ? (size_t)length : 0);
}

const char *sw_temporary_suffix(void)
{
    static _Thread_local char suffix[48];
    static _Thread_local unsigned here;
    if (here == 0)
        here = machine();
    snprintf(suffix, sizeof suffix, ".tmp.%ld.%08x", (long)getpid(), here);
    return suffix;
}

long sw_temporary_writer(const char *suffix)
{
    const char *ours = strrchr(sw_temporary_suffix(), '.');
    char *end;
    if (strncmp(suffix, ".tmp.", 5) != 0)
        return 0;
    const long writer = strtol(suffix + 5, &end, 10);
    return writer > 0 && strcmp(end, ours) == 0 ? writer : 0;
}

sw_status sw_file_version_of(const char *path, sw_file_version *version)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
    *version = (sw_file_version){about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec,
                                 about.st_mtim.tv_nsec};
    return SW_OK;
}

sw_status sw_file_check_version(const char *path, const sw_file_version *version)
{
    sw_file_version now = {0};
    SW_TRY(sw_file_version_of(path, &now));
    return now.device == version->device && now.number == version->number && now.size == version->size &&
                   now.seconds == version->seconds && now.nanoseconds == version->nanoseconds
               ? SW_OK
               : sw_error(SW_ERR_INPUT, "%s: has been changed since it was read", path);
}

static void forget(sw_output_file *output)
{
    if (output->temporary != NULL && output->memory == NULL)
        sw_leftover_forget(output->temporary);
    if (output->memory != NULL)
        free(output->memory->bytes);
    free(output->memory);
    free(output->path);
    free(output->temporary);
    *output = (sw_output_file){0};
}

static sw_status no_name(void) { return sw_error(SW_ERR_IO, "output file = '': need a name"); }

static sw_status begin_in_memory(const char *path, sw_output_file *output)
{
    *output = (sw_output_file){
        .path = strdup(path), .temporary = strdup(path), .memory = calloc(1, sizeof *output->memory)};
    if (*path != '\0' && output->path != NULL && output->temporary != NULL && output->memory != NULL)
        return SW_OK;
    forget(output);
    return *path == '\0' ? no_name() : sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
}

sw_status sw_output_file_begin(const char *path, sw_output_file *output)
{
    return sw_memory_files_used() ? begin_in_memory(path, output)
                                  : sw_output_file_begin_on_disk(path, output);
}

sw_status sw_output_file_begin_on_disk(const char *path, sw_output_file *output)
{
    struct stat existing;
    *output = (sw_output_file){0};
    if (*path == '\0')
        return no_name();
    if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode))
        return sw_error(SW_ERR_IO, "%s: is a %s", path,
                        S_ISDIR(existing.st_mode) ? "folder" : "special file");
    if (lstat(path, &existing) == 0 && S_ISREG(existing.st_mode) &&
        (existing.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0)
        return sw_error(SW_ERR_IO, "%s: cannot be replaced: it is write-protected", path);
    output->path = strdup(path);
    if (output->path == NULL || asprintf(&output->temporary, "%s%s", path, sw_temporary_suffix()) < 0) {
        output->temporary = NULL;
        forget(output);
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    }
    unlink(
        output
            ->temporary); /* of a dead process of our number, or planted there: made anew, followed nowhere */
    sw_leftover_add(output->temporary);
    return SW_OK;
}

/* What was written is on the disk; of a folder, the names in it. 0 where that cannot be had, errno says why. */
static int reaches_disk(const char *path, int flags)
{
    const int file = open(path, flags | O_RDONLY | O_CLOEXEC);
    const int done = file >= 0 && (fsync(file) == 0 || errno == EINVAL); /* which some file systems answer */
    if (file >= 0)
        close(file);
    return done;
}

/* Whether the disk failed, and not a file system that has no such call, or a folder that may be written but not read. */
static int is_of_disk(int error) { return error == EIO || error == ENOSPC || error == EDQUOT; }

/* The folder of a path that can be written: it is not the root. */
static int folder_reaches_disk(const char *path)
{
    char *name = strdup(path);
    const int done = name == NULL || reaches_disk(dirname(name), O_DIRECTORY) || !is_of_disk(errno);
    free(name);
    return done;
}

static sw_status commit_in_memory(sw_output_file *output)
{
    const sw_status status = sw_memory_file_keep(output->path, output->memory->bytes, output->memory->size);
    output->memory->bytes = NULL;
    forget(output);
    return status;
}

sw_status sw_output_file_commit(sw_output_file *output)
{
    sw_status status = SW_OK;
    if (output->memory != NULL)
        return commit_in_memory(output);
    errno = 0;
    if (!reaches_disk(output->temporary, 0) || rename(output->temporary, output->path) != 0) {
        status = sw_error(SW_ERR_IO, "%s: cannot be completed: %s", output->path, strerror(errno));
        remove(output->temporary);
    } else if (!folder_reaches_disk(output->path)) {
        status = sw_error(
            SW_ERR_IO,
            "%s: is complete, but its folder cannot be brought to the disk: %s: a power cut may bring back "
            "the older file",
            output->path, strerror(errno));
    }
    forget(output);
    return status;
}

void sw_output_file_abandon(sw_output_file *output)
{
    if (output->temporary != NULL && output->memory == NULL)
        remove(output->temporary);
    forget(output);
}

sw_status sw_text_file_begin(const char *path, sw_output_file *output, FILE **file)
{
    *file = NULL;
    SW_TRY(sw_output_file_begin(path, output));
    *file = output->memory != NULL ? open_memstream((char **)&output->memory->bytes, &output->memory->size)
                                   : fopen(output->temporary, "wx");
    if (*file != NULL)
        return SW_OK;
    const sw_status status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    forget(output);
    return status;
}

sw_status sw_text_file_probe(const char *path)
{
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    fclose(file);
    sw_output_file_abandon(&output);
    return SW_OK;
}

sw_status sw_text_file_end(sw_output_file *output, FILE *file, sw_status status)
{
    const int failed = ferror(file) | (fclose(file) != 0);
    if (failed && status == SW_OK)
        status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", output->path, strerror(errno));
    if (status == SW_OK)
        return sw_output_file_commit(output);
    sw_output_file_abandon(output);
    return status;
}

char *sw_file_name(const char *format, ...)
{
    char *name;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&name, format, arguments);
    va_end(arguments);
    if (length >= 0)
        return name;
    (void)sw_error(SW_ERR_MEMORY, "no memory for the name of a file");
    return NULL;
}

int sw_stem_length(const char *file)
{
    const size_t length = strlen(file);
    return (int)(length > 3 && strcmp(file + length - 3, ".h5") == 0 ? length - 3 : length);
}

int sw_file_is_there(const char *path)
{
    return sw_memory_files_used() ? sw_memory_file_find(path) != NULL : access(path, F_OK) == 0;
}

void sw_file_remove(const char *path)
{
    if (sw_memory_files_used())
        sw_memory_file_remove(path);
    else
        unlink(path);
}

int sw_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
