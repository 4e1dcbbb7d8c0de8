/* Tables as text, and GrainLearning's among them.
 *
 * A table has a line of names, which a '#' may begin, then rows of words; blanks, tabs and commas part them.
 * Empty lines and later ones that begin with '#' are skipped. A table of samples is what GrainLearning 2
 * writes for the programs that it calls:
 *
 *     !OMP_NUM_THREADS description key E mu
 *      8 sand_Iter0_Sample0         0     4.3000000000e+09     6.0000000000e-01
 *
 * and its programs leave two files a sample, which it reads back:
 *
 *     sand_Iter0_Sample0_sim.txt     # strain_33 stress_ratio volume_strain    and as many rows for each
 * sample sand_Iter0_Sample0_param.txt   # E mu                                    and one row
 *
 * Dimensions: n rows, m columns. */
#ifndef SW_ONLINE_DEM_JOB_SAMPLE_TABLE_H
#define SW_ONLINE_DEM_JOB_SAMPLE_TABLE_H

#include <stdint.h>

#include "common/system/status.h"
#include "online/dem/element/rve.h"

typedef struct {
    char *path, *text; /* the words are in the text */
    int64_t n_rows, n_columns;
    char **name; /* [m] */
    char **word; /* [n][m] */
    int *line;   /* [n + 1] of the names, then of each row; from 1 */
} sw_dem_table;

/* At least one row. SW_ERR_INPUT names file and line: a row with more or fewer words than names, a name given
 * twice, no rows; SW_ERR_IO; SW_ERR_MEMORY. Release with sw_dem_table_free. */
sw_status sw_dem_table_read(const char *path, sw_dem_table **table);
void sw_dem_table_free(sw_dem_table *table);

/* The word of a row and column as a finite number; SW_ERR_INPUT "FILE:LINE: NAME = WORD: need a number". */
sw_status sw_dem_table_number(const sw_dem_table *table, int64_t row, int64_t column, double *value);

/* An SW_ERR_INPUT "FILE:LINE: " and the rest, of a row; -1: the names. */
__attribute__((format(printf, 3, 4))) sw_status sw_dem_table_error(const sw_dem_table *table, int64_t row,
                                                                   const char *format, ...);

/* Index of a word in names [count]; -1 when it is none of them. Then bound [size] says "did you mean 'A'?" or
 * "need one of A, B, C". names may hold NULL. */
int sw_dem_find_word(const char *word, int count, const char *const *names, char *bound, size_t size);

/* ---- Samples ---- */

enum { SW_DEM_SAMPLE_COLUMNS = 3 }; /* before the parameters */

/* That a table is one of samples: its first three names, descriptions that are names of files, none twice,
 * and a parameter at least. */
sw_status sw_dem_samples_check(const sw_dem_table *table);

/* What a sample may be judged by: every name of SW_DEM_ROW_LIST, and a few made of them. NULL-terminated. */
extern const char *const sw_dem_sample_quantities[];
int sw_dem_quantity(const char *name); /* its index; -1: no such */
double sw_dem_quantity_of(int quantity, const sw_dem_row *row);

/* Quantities of rows [n_rows] at the values [n_values] of the control quantity, straight between rows: curve
 * [n_values][n_quantities], caller's. The first pass through each value counts, from the one before on.
 * SW_ERR_RANGE says which value is not reached, and how far the rows get. */
sw_status sw_dem_sample_curve(int64_t n_rows, const sw_dem_row *row, int control, int64_t n_values,
                              const double *value, int n_quantities, const int *quantity, double *curve);

/* FOLDER/DESCRIPTION_param.txt (kind 0) or _sim.txt (1) of a row, to be released with free(); NULL: no
 * memory. folder NULL: the working folder. */
enum { SW_DEM_SAMPLE_FILES = 2 };
char *sw_dem_sample_name(const sw_dem_table *table, int64_t row, const char *folder, int kind);

/* The two files of a sample in a folder, each renamed from a temporary when complete: name [n_columns], curve
 * [n_values][n_columns]. SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_dem_sample_write(const sw_dem_table *table, int64_t row, const char *folder, int n_columns,
                              const char *const *name, int64_t n_values, const double *curve);

#endif
