/* A row of the history: what its columns are and where. Shared by output.c, which fills rows, and file.c,
 * which writes and reads them. */
#ifndef SW_ONLINE_FEM_OUTPUT_ROWS_H
#define SW_ONLINE_FEM_OUTPUT_ROWS_H

#include "output.h"

/* In the order of file.c's table. */
typedef enum {
    STEP,
    TIME,
    BOUNDARY_FACTOR,
    LOAD_FACTOR,
    LEAST,
    MOST,
    REACTION,
    BOUNDARY_MEAN,
    LOAD_FORCE,
    LOAD_MEAN,
    TOOL_FACTOR,
    TOOL_FORCE,
    TOOL_MOVE,
    TOOL_TOUCHING,
    TOOL_AREA,
    TOOL_PRESSURE,
    TOOL_HELD,
    TOOL_GAP,
    MEAN_FACTOR,
    MEAN_GRADIENT,
    MEAN_NOMINAL,
    MEAN_CAUCHY,
    FAMILIES, /* from here on a column a kind of sw_fem_told_kind, in their order */
    LAST_OF_FAMILIES = FAMILIES + SW_FEM_TOLD_KINDS - 1,
    WORK,
    PLASTIC_ELEMENTS,
    PLASTIC_POINTS,
    NEWTON,
    CG,
    SUBSTEPS,
    CUTBACKS,
    SECONDS,
    RESIDUAL,
    RESIDUAL_CG,
    RESIDUAL_STEP,
    COLUMNS
} sw_fem_column;

int sw_fem_is_heat(const sw_fem_job *job);
int64_t sw_fem_unknowns_in(const sw_fem_results *results); /* (N + T + M) c */
int64_t sw_fem_points_in(const sw_fem_results *results);   /* E Q */

int64_t sw_fem_column_width(const sw_fem_results *results, sw_fem_column column);

/* Where a column of a row starts. */
double *sw_fem_row_value(const sw_fem_results *results, int64_t row, sw_fem_column column);

/* Rows and state of a partial or restart file, as sw_fem_results_begin says; `path` is for messages. */
sw_status sw_fem_results_read(sw_fem_results *results, hid_t file, const char *path);

#endif
