/* Names of files. */
#include <stdio.h>
#include <string.h>

#include "output.h"

char *sw_fem_partial_name(const sw_fem_job *job)
{
    char *name;
    return asprintf(&name, "%s.partial", job->output.file) < 0 ? NULL : name;
}

char *sw_fem_numbered_name(const sw_fem_job *job, int64_t increment, const char *end)
{
    const char *file = job->output.file;
    size_t length = strlen(file);
    char *name;
    if (length > 3 && strcmp(file + length - 3, ".h5") == 0)
        length -= 3;
    return asprintf(&name, "%.*s-%04lld.%s", (int)length, file, (long long)increment, end) < 0 ? NULL : name;
}
