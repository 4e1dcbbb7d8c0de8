/* Files that VPSC's inputs name: written on Windows as a rule, read where letters have cases. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/files/output_file.h"
#include "records.h"

enum { FOLDERS_ABOVE = 4 };

static int is_file(const char *path)
{
    struct stat about;
    return sw_memory_file_find(path) != NULL || (stat(path, &about) == 0 && S_ISREG(about.st_mode));
}

/* The entry of `folder` that `name` [length] is, whatever the case of its letters, as it is first; NULL: none. */
static char *find_entry(const char *folder, const char *name, size_t length)
{
    DIR *entries = opendir(*folder == 0 ? "." : folder);
    char *found = NULL;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const int is = strlen(entry->d_name) == length && strncasecmp(entry->d_name, name, length) == 0;
        if (!is || (found != NULL && strncmp(entry->d_name, name, length) != 0))
            continue;
        free(found);
        found = strdup(entry->d_name);
    }
    if (entries != NULL)
        closedir(entries);
    return found;
}

/* `name`, "a/b/c", from a folder ("", or with a / at its end) on; NULL: there is none. */
static char *find_below(const char *folder, const char *name)
{
    char *path = sw_file_name("%s%s", folder, name);
    if (path != NULL && is_file(path)) /* which needs no folder on the way that may be listed */
        return path;
    free(path);
    path = sw_file_name("%s%s", folder, *name == '/' ? "/" : "");
    name += strspn(name, "/");
    while (path != NULL && *name != 0) {
        const size_t length = strcspn(name, "/");
        const int last = name[length + strspn(name + length, "/")] == 0;
        char *entry = find_entry(path, name, length);
        char *longer = entry == NULL ? NULL : sw_file_name("%s%s%s", path, entry, last ? "" : "/");
        free(entry);
        free(path);
        path = longer;
        name += length + strspn(name + length, "/");
    }
    if (path != NULL && is_file(path))
        return path;
    free(path);
    return NULL;
}

/* The folder of a path, with its /, so many above. */
static char *folder_above(const char *path, int above)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash == NULL ? sw_file_name("%s", "") : sw_file_name("%.*s", (int)(slash + 1 - path), path);
    for (int i = 0; i < above && folder != NULL; i++) {
        char *next = sw_file_name("%s../", folder);
        free(folder);
        folder = next;
    }
    return folder;
}

sw_status sw_vpsc_find_file(const sw_vpsc_records *records, const char *name, char **path)
{
    char *plain = sw_file_name("%.*s", (int)strcspn(name, "\r\n"), name + strspn(name, " \t"));
    *path = NULL;
    for (char *c = plain; c != NULL && *c != 0; c++)
        if (*c == '\\')
            *c = '/';
    if (plain != NULL && *plain == '/')
        *path = find_below("", plain);
    for (int above = 0; above <= FOLDERS_ABOVE && plain != NULL && *plain != '/' && *path == NULL; above++) {
        char *folder = folder_above(records->path, above);
        if (folder != NULL)
            *path = find_below(folder, plain);
        if (*path == NULL && above == 0)
            *path = find_below("", plain);
        free(folder);
    }
    free(plain);
    if (*path == NULL)
        return sw_error(SW_ERR_IO,
                        "%s:%d: \"%s\": no such file here, in the working folder, or in the %d folders above",
                        records->path, records->line, name, FOLDERS_ABOVE);
    return SW_OK;
}
