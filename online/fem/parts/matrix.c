#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "parts.h"

#define WHAT "the matrix of all parts"

enum { CHUNK = 1 << 26 }; /* bytes on their way at a time */

static int is_here(const sw_fem_whole_matrix *m) { return m->to_all || sw_parallel_rank() == 0; }

/* `bytes` of each entry of a part: of all parts, into `all`. */
static void bring(const sw_fem_whole_matrix *m, int64_t bytes, const void *part, void *all)
{
    const int rank = sw_parallel_rank();
    if (m->to_all) {
        sw_parallel_collect(m->first, bytes, part, all);
        return;
    }
    for (int k = 0; k < m->n_parts; k++)
        for (int64_t i = m->first[k], n; i < m->first[k + 1]; i += n) {
            n = m->first[k + 1] - i < CHUNK / bytes ? m->first[k + 1] - i : CHUNK / bytes;
            char *from = (char *)part + (i - m->first[k]) * bytes, *to = (char *)all + i * bytes;
            if (k == 0 && rank == 0)
                memcpy(to, from, (size_t)(n * bytes));
            else
                sw_parallel_move(rank == 0 ? to : from, n * bytes, k, 0);
        }
}

/* ---- Pattern ---- */

typedef struct {
    int64_t column, entry; /* of those of all parts */
} place;

static int by_column(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/* Entries by row, row i's being first[i] .. first[i + 1] - 1; in a row by column, its diagonal before all where that is asked for. */
static void sort_entries(const sw_fem_whole_matrix *m, int diagonal_first, const int64_t (*at)[2],
                         int64_t *first, place *sorted)
{
    const int64_t entries = m->first[m->n_parts];
    for (int64_t i = 0; i < entries; i++)
        first[at[i][0] + 2]++;
    for (int64_t i = 0; i < m->n; i++)
        first[i + 2] += first[i + 1];
    for (int64_t i = 0; i < entries; i++) {
        const int64_t row = at[i][0], column = at[i][1];
        sorted[first[row + 1]++] = (place){diagonal_first && column == row ? -1 : column, i};
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < m->n; i++)
        qsort(sorted + first[i], (size_t)(first[i + 1] - first[i]), sizeof *sorted, by_column);
}

static sw_status make_pattern(int diagonal_first, const int64_t (*at)[2], sw_fem_whole_matrix *m)
{
    const int64_t entries = m->first[m->n_parts];
    int64_t *first = NULL, n = 0;
    place *sorted = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(first, m->n + 2, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(sorted, entries, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m->row, m->n + 1, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m->place, entries, WHAT), done);
    sort_entries(m, diagonal_first, at, first, sorted);
    for (int64_t i = 0; i < m->n; i++) {
        for (int64_t k = first[i]; k < first[i + 1]; k++) {
            n += k == first[i] || sorted[k].column != sorted[k - 1].column;
            m->place[sorted[k].entry] = n - 1;
        }
        m->row[i + 1] = n;
    }
    SW_TRY_GOTO(status, SW_ALLOCATE(m->column, n, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m->value, n * m->size, WHAT), done);
    for (int64_t i = 0; i < entries; i++)
        m->column[m->place[i]] = at[i][1];
done:
    free(first);
    free(sorted);
    return status;
}

sw_status sw_fem_whole_matrix_open(const sw_fem_division *d, const sw_fem_matrix_entries *of,
                                   sw_fem_whole_matrix *m)
{
    int64_t(*all)[2] = NULL, entries = of->n;
    *m =
        (sw_fem_whole_matrix){.to_all = of->to_all, .size = of->size, .n_parts = d->n_parts, .n = of->n_rows};
    SW_TRY(SW_ALLOCATE(m->first, d->n_parts + 1, WHAT));
    m->first[d->part + 1] = entries;
    sw_parallel_sum_counts(m->first, d->n_parts + 1);
    for (int k = 0; k < d->n_parts; k++)
        m->first[k + 1] += m->first[k];
    if (is_here(m))
        SW_TRY(SW_ALLOCATE(all, m->first[d->n_parts], WHAT));
    bring(m, sizeof *all, of->at, all);
    const sw_status status =
        is_here(m) ? make_pattern(of->diagonal_first, (const int64_t(*)[2])all, m) : SW_OK;
    free(all);
    return status;
}

void sw_fem_whole_matrix_free(sw_fem_whole_matrix *m)
{
    free(m->first);
    free(m->row);
    free(m->column);
    free(m->value);
    free(m->place);
    *m = (sw_fem_whole_matrix){.n = 0};
}

int64_t sw_fem_whole_matrix_bytes(const sw_fem_whole_matrix *m)
{
    return m->row ? m->row[m->n] * 8 * (1 + m->size) + m->n * 8 + m->first[m->n_parts] * 8 : 0;
}

/* ---- Values ---- */

sw_status sw_fem_whole_matrix_fill(const double *part, sw_fem_whole_matrix *m)
{
    const int64_t entries = m->first[m->n_parts];
    double *all = NULL;
    if (is_here(m))
        SW_TRY(SW_ALLOCATE(all, entries * m->size, WHAT));
    bring(m, m->size * (int64_t)sizeof *all, part, all);
    if (is_here(m))
        memset(m->value, 0, (size_t)(m->row[m->n] * m->size) * sizeof *m->value);
    for (int64_t i = 0; i < entries && is_here(m); i++)
        for (int k = 0; k < m->size; k++)
            m->value[m->place[i] * m->size + k] += all[i * m->size + k];
    free(all);
    return SW_OK;
}
