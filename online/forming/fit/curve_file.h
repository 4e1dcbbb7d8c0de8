/* A measured curve, from a text of columns: rows of numbers between commas, semicolons, tabs or blanks; '#' begins a
 * comment; a line of names may come first. A row with both commas and semicolons is refused: its commas may be decimal
 * ones. Dimension: n points. */
#ifndef SW_ONLINE_FORMING_FIT_CURVE_FILE_H
#define SW_ONLINE_FORMING_FIT_CURVE_FILE_H

#include "common/system/status.h"

typedef struct {
    int n;
    double *strain, *stress; /* [n] as the file has them */
} sw_curve;

/* column: names or numbers, from 1 on, of strain and stress; NULL: the first two. SW_ERR_INPUT names file, line and what
 * is needed; SW_ERR_IO; SW_ERR_MEMORY. Released by sw_curve_free, which takes a zeroed one too. */
sw_status sw_curve_read(const char *path, const char *const column[2], sw_curve *curve);
void sw_curve_free(sw_curve *curve);

#endif
