/* What tests of crystal files share: a file, read with a filter, or refused. */
#ifndef SW_TESTS_ONLINE_TEXTURE_FORMATS_FORMATS_H
#define SW_TESTS_ONLINE_TEXTURE_FORMATS_FORMATS_H

#include "tests/test.h"

#include <unistd.h>

#include "common/math/rotation.h"
#include "online/texture/crystal_draw.h"

#define DEGREE (SW_PI / 180)

static char path[300];

/* A file of a suffix, which the next one replaces. */
static inline FILE *begin(const char *suffix)
{
    const char *base = getenv("TMPDIR");
    if (path[0] != '\0')
        unlink(path);
    snprintf(path, sizeof path, "%s/sw-formats-%ld%s", base ? base : P_tmpdir, (long)getpid(), suffix);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static inline int remove_last(void **state)
{
    (void)state;
    return path[0] != '\0' ? unlink(path) : 0;
}

static inline void put(const char *suffix, const char *text)
{
    FILE *file = begin(suffix);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline sw_crystal_list read_with(sw_crystal_filter filter)
{
    sw_crystal_list list;
    CHECK_OK(sw_crystal_file_read_with(path, &filter, &list));
    return list;
}

static inline void refuse(sw_crystal_filter filter, const char *message)
{
    sw_crystal_list list;
    assert_int_equal(sw_crystal_file_read_with(path, &filter, &list), SW_ERR_INPUT);
    assert_null(list.euler);
    assert_message_has(message);
}

#endif
