#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "level.h"

enum { BLOCK_NS = 8 };
enum { PIECES = 256, PIECE = 1024 }; /* of sums */

void sw_blocks_free(sw_blocks *blocks)
{
    free(blocks->row);
    free(blocks->column);
    free(blocks->value);
    *blocks = (sw_blocks){0};
}

int64_t sw_blocks_bytes(const sw_blocks *blocks)
{
    const int64_t entries = blocks->row ? blocks->row[blocks->n_rows] : 0;
    return entries * (4 + 8 * blocks->height * blocks->width) + blocks->n_rows * 8;
}

/* ---- Of scalars ---- */

static int64_t column_of(const sw_scalars *s, int64_t k)
{
    return s->column32 ? s->column32[k] : s->column64[k];
}

/* Unknowns by place: the first b n numbers of `unknown`, -1 where there is none. */
static sw_status turn(const sw_scalars *s, const int64_t *place, int64_t all, int64_t **unknown)
{
    SW_TRY(SW_ALLOCATE(*unknown, all, "places of unknowns"));
    for (int64_t i = 0; i < all; i++)
        (*unknown)[i] = -1;
    for (int64_t i = 0; i < s->n_unknowns; i++)
        if (place[i] >= 0)
            (*unknown)[place[i]] = i;
    return SW_OK;
}

/* Row `of` has the columns of the one before, as a node's mostly have. */
static int is_alike(const sw_scalars *s, int64_t of, int64_t before)
{
    const int64_t n = s->row[of + 1] - s->row[of], a = s->row[of], b = s->row[before];
    return n == s->row[before + 1] - b &&
           (s->column32 ? memcmp(s->column32 + a, s->column32 + b, (size_t)n * sizeof *s->column32)
                        : memcmp(s->column64 + a, s->column64 + b, (size_t)n * sizeof *s->column64)) == 0;
}

/* Nodes that row `node` has, itself first, into list unless that is NULL; mark [n]: `stamp` where one is there. */
static int64_t nodes_of(const sw_scalars *s, const int64_t *place, const int64_t *unknown, int b,
                        int64_t node, int64_t stamp, int64_t *mark, int32_t *list)
{
    int64_t n = 1, before = -1;
    mark[node] = stamp;
    if (list)
        list[0] = (int32_t)node;
    for (int i = 0; i < b; i++) {
        const int64_t of = unknown[node * b + i];
        if (of < 0 || (before >= 0 && is_alike(s, of, before)))
            continue;
        before = of;
        for (int64_t k = s->row[of]; k < s->row[of + 1]; k++) {
            const int64_t to = place[column_of(s, k)], other = to / b;
            if (to < 0 || mark[other] == stamp)
                continue;
            mark[other] = stamp;
            if (list)
                list[n] = (int32_t)other;
            n++;
        }
    }
    return n;
}

/* Numbers of nodes, and, where they are known and summed up, the nodes. */
static void make_rows(const sw_scalars *s, const int64_t *place, const int64_t *unknown, int64_t *marks,
                      sw_blocks *blocks)
{
    const int64_t n = blocks->n_rows;
    const int b = blocks->height;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(s->row[s->n_unknowns], 2))
    for (int64_t i = 0; i < n; i++) {
        int64_t *mark = marks + omp_get_thread_num() * n;
        if (blocks->column == NULL)
            blocks->row[i + 1] = nodes_of(s, place, unknown, b, i, i + 1, mark, NULL);
        else
            nodes_of(s, place, unknown, b, i, -i - 1, mark, blocks->column + blocks->row[i]);
    }
}

sw_status sw_blocks_pattern(const sw_scalars *s, const int64_t *place, int b, int64_t n, sw_blocks *blocks)
{
    int64_t *unknown = NULL, *marks = NULL;
    sw_status status;
    *blocks = (sw_blocks){.height = b, .width = b, .n_rows = n, .n_columns = n};
    SW_TRY_GOTO(status, turn(s, place, n * b, &unknown), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(marks, omp_get_max_threads() * n, "nodes of the matrix"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(blocks->row, n + 1, "rows of the matrix"), end);
    make_rows(s, place, unknown, marks, blocks);
    for (int64_t i = 0; i < n; i++)
        blocks->row[i + 1] += blocks->row[i];
    SW_TRY_GOTO(status, SW_ALLOCATE(blocks->column, blocks->row[n], "columns of the matrix"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(blocks->value, blocks->row[n] * b * b, "the matrix by blocks"), end);
    make_rows(s, place, unknown, marks, blocks);
end:
    free(unknown);
    free(marks);
    return status;
}

/* Where columns ascend at once. 0: a row without. */
static double diagonal_of(const sw_scalars *s, int64_t i)
{
    int64_t low = s->row[i], high = s->row[i + 1] - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (column_of(s, middle) < i)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > high || column_of(s, low) != i)
        for (low = s->row[i]; low < s->row[i + 1] && column_of(s, low) != i;)
            low++;
    return low < s->row[i + 1] ? s->value[low] : 0;
}

/* In pieces, whose sums do not depend on threads. */
static double mean_diagonal(const sw_scalars *s)
{
    double all = 0;
    for (int64_t from = 0; from < s->n_unknowns; from += PIECES * PIECE) {
        double sum[PIECES] = {0};
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(s->row[s->n_unknowns], 2))
        for (int p = 0; p < PIECES; p++)
            for (int64_t i = from + p * PIECE; i < from + (p + 1) * PIECE && i < s->n_unknowns; i++)
                sum[p] += diagonal_of(s, i);
        for (int p = 0; p < PIECES; p++)
            all += sum[p];
    }
    return s->n_unknowns > 0 && all > 0 ? all / (double)s->n_unknowns : 1;
}

/* A row's blocks come in the order of its scalars' first, so that the next one is mostly at hand. */
static inline __attribute__((always_inline)) void fill_row(const sw_scalars *s, const int64_t *place, int b,
                                                           int64_t of, sw_blocks *blocks)
{
    if (place[of] < 0)
        return;
    const int64_t node = place[of] / b, first = blocks->row[node], end = blocks->row[node + 1];
    const int i = (int)(place[of] % b);
    int64_t at = first;
    for (int64_t k = s->row[of]; k < s->row[of + 1]; k++) {
        const int64_t to = place[column_of(s, k)];
        if (to < 0)
            continue;
        while (blocks->column[at] != to / b)
            at = at + 1 < end ? at + 1 : first;
        blocks->value[(at * b + i) * b + to % b] += s->value[k];
    }
}

void sw_blocks_fill(const sw_scalars *s, const int64_t *place, sw_blocks *blocks)
{
    const int b = blocks->height;
    const double mean = mean_diagonal(s);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(s->row[s->n_unknowns], 2))
    for (int64_t i = 0; i < blocks->n_rows; i++) {
        double *row = blocks->value + blocks->row[i] * b * b;
        memset(row, 0, (size_t)((blocks->row[i + 1] - blocks->row[i]) * b * b) * sizeof *row);
        for (int j = 0; j < b; j++)
            row[j * b + j] = mean; /* the diagonal is first */
    }
    for (int64_t i = 0; i < s->n_unknowns; i++)
        if (place[i] >= 0)
            blocks->value[blocks->row[place[i] / b] * b * b + place[i] % b * (b + 1)] = 0;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(s->row[s->n_unknowns], 2))
    for (int64_t i = 0; i < s->n_unknowns; i++)
        if (b == 3)
            fill_row(s, place, 3, i, blocks);
        else
            fill_row(s, place, b, i, blocks);
}

/* ---- Product ---- */

static inline __attribute__((always_inline)) void multiply(int h, int w, const sw_blocks *a, const double *x,
                                                           double *y)
{
    const sw_share here = sw_share_of(a->together, a->n_rows, a->row, h * w);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(a->row[a->n_rows], BLOCK_NS))
    for (int64_t n = here.first; n < here.end; n++) {
        double sum[SW_MOST_MOTIONS][SW_MOST_MOTIONS] = {{0}}; /* by column, so that none waits for another */
        for (int64_t k = a->row[n]; k < a->row[n + 1]; k++) {
            const double *value = a->value + k * h * w, *at = x + (int64_t)a->column[k] * w;
            for (int i = 0; i < h; i++)
                for (int j = 0; j < w; j++)
                    sum[i][j] += value[i * w + j] * at[j];
        }
        for (int i = 0; i < h; i++) {
            double all = 0;
            for (int j = 0; j < w; j++)
                all += sum[i][j];
            y[n * h + i] = all;
        }
    }
    sw_collect_shares(a->together, a->n_rows, a->row, h * w, h * (int64_t)sizeof *y, y);
}

void sw_blocks_multiply(const sw_blocks *a, const double *x, double *y)
{
    switch (a->height) {
    case 1:
        multiply(1, 1, a, x, y);
        break;
    case 2:
        multiply(2, 2, a, x, y);
        break;
    case 3:
        multiply(3, 3, a, x, y);
        break;
    default:
        multiply(6, 6, a, x, y);
    }
}
