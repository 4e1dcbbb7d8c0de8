/* Tables as text: a line of names, which a '#' may begin, then rows of words; blanks, tabs and commas part
 * them. Empty lines and later ones that begin with '#' are skipped. Dimensions: n rows, m columns. */
#ifndef SW_ONLINE_DEM_JOB_TABLE_H
#define SW_ONLINE_DEM_JOB_TABLE_H

#include <stdint.h>

#include "common/system/status.h"

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

/* Index of a word in names [count], of which some may be NULL; -1 when it is none of them. Then bound [size]
 * says "did you mean 'A'?" or "need one of A, B, C". */
int sw_dem_find_word(const char *word, int count, const char *const *names, char *bound, size_t size);

#endif
