/* Names of files. */
#include "common/files/output_file.h"
#include "output.h"

char *sw_fem_numbered_name(const sw_fem_job *job, int64_t increment, const char *end)
{
    const char *file = job->output.file;
    return sw_file_name("%.*s-%04lld.%s", sw_stem_length(file), file, (long long)increment, end);
}
