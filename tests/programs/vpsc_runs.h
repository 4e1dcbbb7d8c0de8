/* What tests of `slipwave vpsc` share: small inputs and the files that they name, how they are run, and tables of numbers. */
#ifndef SW_TESTS_PROGRAMS_VPSC_RUNS_H
#define SW_TESTS_PROGRAMS_VPSC_RUNS_H

#include "programs.h"

#include "vpsc_reference.h"

enum { COLUMNS = 40 };

static inline const char *input_text(const char *name)
{
    for (size_t i = 0; i < sizeof vpsc_inputs / sizeof *vpsc_inputs; i++)
        if (strcmp(vpsc_inputs[i].name, name) == 0)
            return vpsc_inputs[i].text;
    fail_msg("no input %s", name);
    return NULL;
}

static inline void write_files(void)
{
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        write_text(vpsc_files[i].name, vpsc_files[i].text);
}

static inline int setup(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    write_files();
    return 0;
}

static inline void edit_file(const char *name, const char *old, const char *new)
{
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        if (strcmp(vpsc_files[i].name, name) == 0)
            write_edited(name, vpsc_files[i].text, old, new);
}

static inline void run_input(const char *name)
{
    result r;
    write_text("VPSC8.in", input_text(name));
    run("slipwave vpsc VPSC8.in -q -j 1", &r);
    if (r.status != 0)
        fail_msg("%s: exit status %d, stderr '%s'", name, r.status, r.err);
}

static inline void refuse(const char *message)
{
    result r;
    run("slipwave vpsc VPSC8.in -q", &r);
    if (r.status != 1 || strstr(r.err, message) == NULL)
        fail_msg("need '%s': exit status %d, stderr '%s'", message, r.status, r.err);
    assert_int_not_equal(access("STR_STR.OUT", F_OK), 0);
}

/* The numbers of a line; 0: it has others, or none. */
static inline int parse_line(const char *line, double number[COLUMNS])
{
    int n = 0;
    for (;;) {
        char *end;
        line += strspn(line, " \t\r");
        if (*line == '\n' || *line == 0)
            return n;
        assert_true(n < COLUMNS);
        number[n++] = strtod(line, &end);
        if (end == line || strchr(" \t\r\n", *end) == NULL)
            return 0;
        line = end;
    }
}

static inline const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end == NULL ? text + strlen(text) : end + 1;
}

#endif
