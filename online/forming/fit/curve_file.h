/* A measured curve, from a text of columns. docs/file-formats.md, section Measured curves, states the grammar;
 * python/slipwave/measured.py reads the same one, and both are held to tests/curves/examples.txt. Dimension: n points. */
#ifndef SW_ONLINE_FORMING_FIT_CURVE_FILE_H
#define SW_ONLINE_FORMING_FIT_CURVE_FILE_H

#include "common/system/status.h"

typedef enum { SW_CURVE_STRAIN, SW_CURVE_STRESS, SW_CURVE_OTHER } sw_curve_kind;

typedef struct {
    const char *text; /* as names have it: "%", "MPa" */
    double factor;    /* SI of one */
    sw_curve_kind kind;
    int bracketed; /* known in brackets only */
} sw_curve_unit;

/* What the names of strain and stress say of them. */
typedef struct {
    const sw_curve_unit *unit[2]; /* NULL: nothing */
    int engineering[2];           /* 0: true, 1: engineering, -1: nothing */
} sw_curve_names;

typedef struct {
    int n;
    double *strain, *stress; /* [n] as the file has them */
    int *line;               /* [n] of the file */
    sw_curve_names names;
} sw_curve;

/* column: names or numbers, from 1 on, of strain and stress; NULL: the first two. SW_ERR_INPUT names file, line and what
 * is needed; SW_ERR_IO; SW_ERR_MEMORY. Released by sw_curve_free, which takes a zeroed one too. */
sw_status sw_curve_read(const char *path, const char *const column[2], sw_curve *curve);
void sw_curve_free(sw_curve *curve);

/* The unit of stress in which a number (as a file has it) is nearest to what is expected (Pa), over ratios. */
const sw_curve_unit *sw_curve_likely_unit(double number, double expected);

#endif
