/* Job files of tests of readers: a folder, and texts with one thing changed. */
#ifndef SW_TESTS_JOB_FILES_H
#define SW_TESTS_JOB_FILES_H

#include "folder.h"

static char job_path[PATH_MAX + 16]; /* absolute */
static char job_text[1 << 16];       /* as last written to job_path */

static inline int make_job_folder(void **state)
{
    (void)state;
    if (open_folder())
        return 1;
    snprintf(job_path, sizeof job_path, "%s/job.yaml", folder);
    return 0;
}

static inline int remove_job_folder(void **state)
{
    (void)state;
    return unlink(job_path) | rmdir(folder);
}

/* `text` as the file, with the first `old` in it (may be NULL) replaced by `new`. */
static inline void write_job(const char *text, const char *old, const char *new)
{
    snprintf(job_text, sizeof job_text, "%s", edited(text, old, new));
    write_text(job_path, job_text);
}

#endif
