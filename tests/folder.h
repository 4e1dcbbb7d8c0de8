/* A folder of a test program's own: others run beside it, and write files of the same names. */
#ifndef SW_TESTS_FOLDER_H
#define SW_TESTS_FOLDER_H

#include "test.h"

#include <limits.h>
#include <unistd.h>

static char folder[256]; /* absolute */

static inline int open_folder(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(folder) == NULL;
}

/* Set-up and tear-down of tests that work in it; every test clears up. */
static inline int make_folder(void **state)
{
    (void)state;
    return open_folder() || chdir(folder) != 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    return chdir("/") | rmdir(folder);
}

/* The absolute path of a file of the repository's data folder. Returns 0, as set-ups do. */
static inline int find_data(const char *name, char path[PATH_MAX])
{
    return realpath(data_path("%s", name), path) == NULL;
}

/* Write length bytes to a file of the folder; its path lives until the next call. */
static inline const char *write_file(const char *name, const char *bytes, size_t length)
{
    static char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

#endif
