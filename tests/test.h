/* What every test file needs: CMocka, and checks that NaN fails. */
#ifndef SW_TESTS_TEST_H
#define SW_TESTS_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/crystal/lattice.h"
#include "common/system/built.h"
#include "common/system/status.h"

/* A row of a table, as many of its values on a line as there is room for. */
#define LINE(...)   \
    {               \
        __VA_ARGS__ \
    }

/* |actual - expected| <= tolerance, with the numbers in the message. */
#define CHECK_CLOSE(actual, expected, tolerance)                                                     \
    do {                                                                                             \
        const double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);           \
        if (!(fabs(actual_ - expected_) <= tolerance_))                                              \
            fail_msg("%s = %.12g: need %.12g within %.3g", #actual, actual_, expected_, tolerance_); \
    } while (0)

/* The larger of both as a test needs it: what is not a number stays, where fmax() would forget it. */
static inline double greatest(double a, double b) { return b <= a || isnan(a) ? a : b; }

#define CHECK_OK(expression)                                     \
    do {                                                         \
        if ((expression) != SW_OK)                               \
            fail_msg("%s: %s", #expression, sw_error_message()); \
    } while (0)

/* The path of a file of the repository's data folder; good for four calls. */
static inline __attribute__((format(printf, 1, 2))) const char *data_path(const char *format, ...)
{
    static char made[4][4096];
    static int turn;
    const char *data = getenv("SW_DATA");
    char *path = made[turn++ % 4];
    const int length = snprintf(path, sizeof *made, "%s/", data != NULL ? data : "data");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, sizeof *made - (size_t)length, format, arguments);
    va_end(arguments);
    return path;
}

/* The last error's message has this part; NULL: any. */
static inline void assert_message_has(const char *part)
{
    if (part != NULL && strstr(sw_error_message(), part) == NULL)
        fail_msg("no '%s' in the message '%s'", part, sw_error_message());
}

/* `text` with its first `old`, which may be NULL, replaced by `new`; good until the next call but one. */
static inline const char *edited(const char *text, const char *old, const char *new)
{
    static char made[2][1 << 16];
    static int turn;
    if (old == NULL)
        old = new = "";
    const char *at = strstr(text, old);
    if (at == NULL)
        fail_msg("no '%s' in what is edited", old);
    turn = !turn;
    const int length =
        snprintf(made[turn], sizeof made[turn], "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    assert_in_range(length, 0, sizeof made[turn] - 1);
    return made[turn];
}

/* What a paper's strategy is told: the message, or in a build without them that it has none. */
#ifdef SW_HAVE_PAPERS
#define OF_PAPERS(message) message
#else
#define OF_PAPERS(message) SW_NO_PAPERS
#endif

/* Copper as in data/materials/copper-ofhc.yaml. */
static inline sw_material copper(void)
{
    return (sw_material){.name = "copper",
                         .crystal_structure = SW_LATTICE_fcc,
                         .elasticity = {168.7e9, 121.7e9, 75.0e9},
                         .slip = {1e-3, 0.012, 16e6},
                         .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
}

/* Of a cubic lattice by its place in the list. */
static inline const sw_slip_systems *systems_of(int lattice)
{
    static sw_slip_systems found[SW_LATTICES];
    CHECK_OK(sw_slip_systems_of(sw_lattices[lattice], NAN, 0, NULL, &found[lattice]));
    return &found[lattice];
}

#endif
