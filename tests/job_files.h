/* Job files of tests of readers: a folder, and texts with one thing changed. */
#ifndef SW_TESTS_JOB_FILES_H
#define SW_TESTS_JOB_FILES_H

#include "test.h"

#include <limits.h>
#include <unistd.h>

static char folder[PATH_MAX], job_path[PATH_MAX + 16]; /* absolute */
static char job_text[1 << 16];                         /* as last written to job_path */

/* Returns 0, as set-ups do. */
static inline int make_job_folder(const char *name)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-%s-XXXXXX", base == NULL ? "/tmp" : base, name);
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(job_path, sizeof job_path, "%s/job.yaml", folder);
    return 0;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* `text` as the file, with the first `old` in it (may be NULL) replaced by `new`. */
static inline void write_job(const char *text, const char *old, const char *new)
{
    snprintf(job_text, sizeof job_text, "%s", edited(text, old, new));
    write_text(job_path, job_text);
}

#endif
