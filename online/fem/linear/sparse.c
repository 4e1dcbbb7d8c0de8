#include "sparse.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/element/element.h"

/* ---- Entries of blocks that no element has ---- */

typedef struct {
    int64_t row, column; /* among the free unknowns */
} entry;

static int compare(const void *a, const void *b)
{
    const entry *l = a, *r = b;
    if (l->row != r->row)
        return l->row < r->row ? -1 : 1;
    return l->column < r->column ? -1 : l->column > r->column;
}

/* Entry (i, j) of block b; 0 when one of its unknowns is prescribed. */
static int locate(const sw_fem_sparse *matrix, int c, const int32_t pair[2], int i, int j, entry *at)
{
    at->row = matrix->number[(int64_t)pair[0] * c + i];
    at->column = matrix->number[(int64_t)pair[1] * c + j];
    return at->row >= 0 && at->column >= 0;
}

/* A column of the assembled elements' row, found by halving; -1. */
static int64_t find_element_entry(const sw_fem_sparse *matrix, int64_t row, int64_t column)
{
    const sw_fem_csr *csr = &matrix->elements.csr;
    if (row >= csr->n_rows)
        return -1; /* a tool's */
    int64_t low = csr->row[row], high = csr->row[row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (csr->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < csr->row[row + 1] && csr->column[low] == column ? low : -1;
}

static int64_t find(const sw_fem_sparse *matrix, const entry *at)
{
    int64_t low = matrix->row[at->row], high = matrix->row[at->row + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (matrix->column[middle] < at->column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < matrix->row[at->row + 1] && matrix->column[low] == at->column ? low : -1;
}

/* Those that the elements lack, by rows, each once; released by the caller. */
static sw_status list_extra(const sw_fem_sparse *matrix, int c, const sw_fem_node_blocks *blocks,
                            entry **extra, int64_t *count)
{
    int64_t n = 0, once = 0;
    SW_TRY(SW_ALLOCATE(*extra, blocks->n * c * c, "entries of contact"));
    for (int64_t b = 0; b < blocks->n; b++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++) {
                const int32_t *pair = blocks->pair[b];
                if (locate(matrix, c, pair, i, j, &(*extra)[n]) &&
                    find_element_entry(matrix, (int64_t)pair[0] * c + i, (int64_t)pair[1] * c + j) < 0)
                    n++;
            }
    qsort(*extra, (size_t)n, sizeof **extra, compare);
    for (int64_t i = 0; i < n; i++)
        if (once == 0 || compare(&(*extra)[i], &(*extra)[once - 1]) != 0)
            (*extra)[once++] = (*extra)[i];
    *count = once;
    return SW_OK;
}

/* ---- The pattern ---- */

static sw_status number_unknowns(int64_t all, const uint8_t *fixed, sw_fem_sparse *matrix)
{
    SW_TRY(SW_ALLOCATE(matrix->number, all, "numbers of unknowns"));
    SW_TRY(SW_ALLOCATE(matrix->unknown, all, "numbers of unknowns"));
    for (int64_t i = 0; i < all; i++) {
        matrix->number[i] = fixed[i] ? -1 : matrix->n;
        if (!fixed[i])
            matrix->unknown[matrix->n++] = i;
    }
    return SW_OK;
}

/* Columns of a row, of elements and then of its extra ones from `extra` on, ascending, into column and source
 * unless these are NULL; their number. */
static int64_t merge_row(const sw_fem_sparse *matrix, int64_t row, const entry *extra, int64_t n_extra,
                         int64_t *column, int64_t *source)
{
    const sw_fem_csr *csr = &matrix->elements.csr;
    const int64_t unknown = matrix->unknown[row], of_elements = unknown < csr->n_rows;
    const int64_t from = of_elements ? csr->row[unknown] : 0, to = of_elements ? csr->row[unknown + 1] : 0;
    int64_t n = 0, used = 0;
    for (int64_t k = from; k <= to; k++) {
        const int64_t next = k < to ? matrix->number[csr->column[k]] : matrix->n;
        if (next < 0)
            continue;
        for (; used < n_extra && extra[used].row == row && extra[used].column < next; used++, n++)
            if (column) {
                column[n] = extra[used].column;
                source[n] = -1;
            }
        if (k == to)
            break;
        if (column) {
            column[n] = next;
            source[n] = k;
        }
        n++;
    }
    return n;
}

static sw_status merge(const entry *extra, int64_t n_extra, sw_fem_sparse *matrix)
{
    const int64_t n = matrix->n;
    int64_t at = 0;
    SW_TRY(SW_ALLOCATE(matrix->row, n + 1, "rows of the matrix"));
    for (int pass = 0; pass < 2; pass++) {
        at = 0;
        for (int64_t i = 0; i < n; i++) {
            const int64_t k = matrix->row[i];
            const int64_t count =
                merge_row(matrix, i, extra + at, n_extra - at, pass ? matrix->column + k : NULL,
                          pass ? matrix->source + k : NULL);
            while (at < n_extra && extra[at].row == i)
                at++;
            if (!pass)
                matrix->row[i + 1] = k + count;
        }
        if (!pass) {
            SW_TRY(SW_ALLOCATE(matrix->column, matrix->row[n], "columns of the matrix"));
            SW_TRY(SW_ALLOCATE(matrix->source, matrix->row[n], "columns of the matrix"));
            SW_TRY(SW_ALLOCATE(matrix->value, matrix->row[n], "the matrix"));
        }
    }
    return SW_OK;
}

sw_status sw_fem_sparse_open(const sw_fem_view *view, int64_t n_unknowns, const uint8_t *fixed,
                             const sw_fem_node_blocks *blocks, sw_fem_sparse *matrix)
{
    entry *extra;
    int64_t n_extra;
    *matrix = (sw_fem_sparse){.n = 0};
    SW_TRY(sw_fem_assembly_open(view, &matrix->elements));
    SW_TRY(number_unknowns(n_unknowns, fixed, matrix));
    SW_TRY(list_extra(matrix, sw_fem_components(view->kinematics), blocks, &extra, &n_extra));
    const sw_status status = merge(extra, n_extra, matrix);
    free(extra);
    return status;
}

void sw_fem_sparse_free(sw_fem_sparse *matrix)
{
    sw_fem_assembly_free(&matrix->elements);
    free(matrix->row);
    free(matrix->column);
    free(matrix->value);
    free(matrix->unknown);
    free(matrix->number);
    free(matrix->source);
    *matrix = (sw_fem_sparse){.n = 0};
}

int sw_fem_sparse_fits(const sw_fem_sparse *matrix, int c, const sw_fem_node_blocks *blocks)
{
    entry at;
    for (int64_t b = 0; b < blocks->n; b++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                if (locate(matrix, c, blocks->pair[b], i, j, &at) && find(matrix, &at) < 0)
                    return 0;
    return 1;
}

int64_t sw_fem_sparse_bytes(const sw_fem_sparse *matrix)
{
    const sw_fem_csr *csr = &matrix->elements.csr;
    return csr->row[csr->n_rows] * 12 + csr->n_rows * 24 + matrix->row[matrix->n] * 24 + matrix->n * 8;
}

/* ---- Values ---- */

void sw_fem_sparse_fill(const sw_fem_view *view, const sw_fem_node_blocks *blocks, sw_fem_sparse *matrix)
{
    const int c = sw_fem_components(view->kinematics);
    const double *element = matrix->elements.csr.value;
    entry at;
    sw_fem_assembly_fill(view, NULL, &matrix->elements);
    for (int64_t k = 0; k < matrix->row[matrix->n]; k++)
        matrix->value[k] = matrix->source[k] < 0 ? 0 : element[matrix->source[k]];
    for (int64_t b = 0; b < blocks->n; b++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                if (locate(matrix, c, blocks->pair[b], i, j, &at))
                    matrix->value[find(matrix, &at)] += blocks->block[(b * c + i) * c + j];
}
