#include "memory_files.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local sw_memory_files *used;

void sw_memory_files_use(sw_memory_files *files) { used = files; }
int sw_memory_files_used(void) { return used != NULL; }

static sw_memory_file *find(const sw_memory_files *files, const char *name)
{
    for (int i = 0; files != NULL && i < files->count; i++)
        if (strcmp(files->file[i].name, name) == 0)
            return &files->file[i];
    return NULL;
}

const sw_memory_file *sw_memory_file_find(const char *name) { return find(used, name); }

static void drop_bytes(sw_memory_file *file)
{
    if (!file->is_given)
        free(file->bytes);
}

/* A file of this name, there or new; NULL: no memory. */
static sw_memory_file *make(sw_memory_files *files, const char *name)
{
    sw_memory_file *there = find(files, name);
    if (there != NULL) {
        drop_bytes(there);
        return there;
    }
    char *copy = strdup(name);
    if (copy == NULL || SW_GROW(files->file, files->count + 1, "files in memory") != SW_OK) {
        free(copy);
        return NULL;
    }
    files->file[files->count] = (sw_memory_file){.name = copy};
    return &files->file[files->count++];
}

static sw_status put(sw_memory_files *files, const char *name, void *bytes, size_t size, int is_given)
{
    sw_memory_file *file = make(files, name);
    if (file == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", name);
    *file = (sw_memory_file){file->name, bytes, size, is_given};
    return SW_OK;
}

sw_status sw_memory_file_keep(const char *name, void *bytes, size_t size)
{
    const sw_status status = put(used, name, bytes, size, 0);
    if (status != SW_OK)
        free(bytes);
    return status;
}

sw_status sw_memory_files_give(sw_memory_files *files, const char *name, const void *bytes, size_t size)
{
    return put(files, name, (void *)bytes, size, 1);
}

void sw_memory_file_remove(const char *name)
{
    sw_memory_file *file = find(used, name);
    if (file == NULL)
        return;
    drop_bytes(file);
    free(file->name);
    *file = used->file[--used->count];
}

void sw_memory_files_free(sw_memory_files *files)
{
    for (int i = 0; i < files->count; i++) {
        drop_bytes(&files->file[i]);
        free(files->file[i].name);
    }
    free(files->file);
    *files = (sw_memory_files){0};
}
