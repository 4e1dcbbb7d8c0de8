#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/elimination.h"
#include "level.h"

#define DEPENDENT 1e-10 /* of a motion's size: what is left is round-off */

void sw_rigid_motions(int d, int64_t n, const double (*position)[3], const uint8_t *fixed, double *motion)
{
    const int m = d == 3 ? 6 : d == 2 ? 3 : 1;
    double mean[3] = {0};
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += position[i][k] / (double)n;
    memset(motion, 0, (size_t)(n * d * m) * sizeof *motion);
    for (int64_t i = 0; i < n; i++) {
        double *at = motion + i * d * m, x[3];
        for (int k = 0; k < 3; k++)
            x[k] = position[i][k] - mean[k];
        for (int k = 0; k < d; k++)
            at[k * m + k] = 1;
        for (int r = 0; r < 3 && d == 3; r++) { /* about axis r */
            at[(r + 1) % 3 * m + 3 + r] = -x[(r + 2) % 3];
            at[(r + 2) % 3 * m + 3 + r] = x[(r + 1) % 3];
        }
        if (d == 2) {
            at[2] = -x[1];
            at[m + 2] = x[0];
        }
        for (int k = 0; k < d * m && fixed; k++)
            at[k] = fixed[i * d + k / m] ? 0 : at[k];
    }
}

/* ---- An aggregate's motions, orthonormal: t [n][b][m], and what they were by these, coarse [m][m] ---- */

typedef struct {
    int64_t *first; /* [n_aggregates + 1] */
    int32_t *node;  /* [n] */
} members;

static sw_status list_members(int64_t n, const int32_t *of, int64_t n_aggregates, members *list)
{
    SW_TRY(SW_ALLOCATE(list->first, n_aggregates + 2, "aggregates"));
    SW_TRY(SW_ALLOCATE(list->node, n, "aggregates"));
    for (int64_t i = 0; i < n; i++)
        list->first[of[i] + 2]++;
    for (int64_t i = 0; i < n_aggregates; i++)
        list->first[i + 2] += list->first[i + 1];
    for (int64_t i = 0; i < n; i++)
        list->node[list->first[of[i] + 1]++] = (int32_t)i;
    return SW_OK;
}

/* Columns j and k over an aggregate's nodes. */
static double along(const members *list, int64_t g, int b, int m, const double *t, int j, int k)
{
    double sum = 0;
    for (int64_t i = list->first[g]; i < list->first[g + 1]; i++)
        for (int c = 0; c < b; c++) {
            const double *row = t + ((int64_t)list->node[i] * b + c) * m;
            sum += row[j] * row[k];
        }
    return sum;
}

static void add(const members *list, int64_t g, int b, int m, double *t, int to, double factor, int from)
{
    for (int64_t i = list->first[g]; i < list->first[g + 1]; i++)
        for (int c = 0; c < b; c++) {
            double *row = t + ((int64_t)list->node[i] * b + c) * m;
            row[to] += factor * row[from];
        }
}

/* Gram and Schmidt, twice; what depends on those before is left out. */
static void orthonormalise(const members *list, int64_t g, int b, int m, double *t, double *coarse)
{
    memset(coarse, 0, (size_t)(m * m) * sizeof *coarse);
    for (int j = 0; j < m; j++) {
        const double size = sqrt(along(list, g, b, m, t, j, j));
        for (int time = 0; time < 2; time++)
            for (int k = 0; k < j; k++) {
                const double part = along(list, g, b, m, t, j, k);
                coarse[k * m + j] += part;
                add(list, g, b, m, t, j, -part, k);
            }
        const double left = sqrt(along(list, g, b, m, t, j, j));
        const int keeps = left > DEPENDENT * size;
        coarse[j * m + j] = keeps ? left : 0;
        add(list, g, b, m, t, j, keeps ? 1 / left - 1 : -1, j);
    }
}

static sw_status tentative(int64_t n, int b, int m, const double *motion, const int32_t *of,
                           int64_t n_aggregates, double *t, double *coarse)
{
    members list = {0};
    const sw_status status = list_members(n, of, n_aggregates, &list);
    memcpy(t, motion, (size_t)(n * b * m) * sizeof *t);
    if (status == SW_OK) {
#pragma omp parallel for schedule(static)
        for (int64_t g = 0; g < n_aggregates; g++)
            orthonormalise(&list, g, b, m, t, coarse + g * m * m);
    }
    free(list.first);
    free(list.node);
    return status;
}

/* ---- p = (1 - damping inverse a) t, with the aggregates of strong neighbours alone ---- */

/* They, the node's own first; mark [n_aggregates]: row << 20 | place of those that row i has. */
static int64_t aggregates_of(const sw_interpolation *f, int64_t i, int64_t *mark, int32_t *list)
{
    const int64_t first = f->a->row[i];
    int64_t n = 0;
    for (int64_t k = first - 1; k < f->a->row[i + 1]; k++) {
        const int32_t g = f->aggregate_of[k < first ? i : f->a->column[k]];
        if ((k >= first && !f->strong[k]) || (mark[g] >= 0 && mark[g] >> 20 == i))
            continue;
        mark[g] = i << 20 | n;
        if (list)
            list[n] = g;
        n++;
    }
    return n;
}

/* Returns whether something was left out. */
static inline __attribute__((always_inline)) int smooth_row(int b, int m, const sw_interpolation *f,
                                                            const double *t, int64_t i, const int64_t *mark,
                                                            const sw_blocks *p)
{
    const sw_blocks *a = f->a;
    double *row = p->value + p->row[i] * b * m;
    int lacks = 0;
    for (int64_t k = a->row[i]; k < a->row[i + 1]; k++) { /* a t */
        const int64_t place = mark[f->aggregate_of[a->column[k]]];
        if (place < 0 || place >> 20 != i) {
            lacks = 1;
            continue;
        }
        const double *block = a->value + k * b * b, *from = t + (int64_t)a->column[k] * b * m;
        double *to = row + (place & 0xfffff) * b * m;
        for (int r = 0; r < b; r++) {
            double sum[SW_MOST_MOTIONS];
            for (int j = 0; j < m; j++)
                sum[j] = to[r * m + j];
            for (int c = 0; c < b; c++)
                for (int j = 0; j < m; j++)
                    sum[j] += block[r * b + c] * from[c * m + j];
            for (int j = 0; j < m; j++)
                to[r * m + j] = sum[j];
        }
    }
    for (int64_t k = 0; k < p->row[i + 1] - p->row[i]; k++) {
        double old[SW_MOST_MOTIONS * SW_MOST_MOTIONS], *to = row + k * b * m;
        memcpy(old, to, (size_t)(b * m) * sizeof *old);
        for (int r = 0; r < b; r++)
            for (int j = 0; j < m; j++) {
                double sum = 0;
                for (int c = 0; c < b; c++)
                    sum += f->inverse[(i * b + r) * b + c] * old[c * m + j];
                to[r * m + j] = (k == 0 ? t[(i * b + r) * m + j] : 0) - f->damping * sum;
            }
    }
    return lacks;
}

/* What a row lacks of the motions, p coarse = motion, is spread over its entries by least squares. */
static void restore_motions(int b, int m, const sw_interpolation *f, const double *coarse, int64_t i,
                            const sw_blocks *p)
{
    double lack[36], gram[36] = {0}, part[36], least[6], pivot[6];
    memcpy(lack, f->motion + i * b * m, (size_t)(b * m) * sizeof *lack);
    for (int64_t k = p->row[i]; k < p->row[i + 1]; k++) {
        const double *of = coarse + (int64_t)p->column[k] * m * m, *row = p->value + k * b * m;
        for (int l = 0; l < m; l++)
            for (int j = 0; j < m; j++) {
                for (int r = 0; r < b; r++)
                    lack[r * m + j] -= row[r * m + l] * of[l * m + j];
                for (int c = 0; c < m; c++)
                    gram[c * m + j] += of[l * m + c] * of[l * m + j];
            }
    }
    for (int j = 0; j < m; j++)
        least[j] = 1e-10 * gram[j * m + j];
    sw_invert_symmetric(m, least, gram, pivot);
    for (int r = 0; r < b; r++)
        for (int j = 0; j < m; j++) {
            part[r * m + j] = 0;
            for (int c = 0; c < m; c++)
                part[r * m + j] += lack[r * m + c] * gram[c * m + j];
        }
    for (int64_t k = p->row[i]; k < p->row[i + 1]; k++) {
        const double *of = coarse + (int64_t)p->column[k] * m * m;
        for (int r = 0; r < b; r++)
            for (int l = 0; l < m; l++)
                for (int j = 0; j < m; j++)
                    p->value[(k * b + r) * m + l] += part[r * m + j] * of[l * m + j];
    }
}

static void make_row(const sw_interpolation *f, const double *t, const double *coarse, int64_t i,
                     const int64_t *mark, const sw_blocks *p)
{
    const int b = f->a->height, m = f->m;
    const int lacks = b == 3 && m == 6 ? smooth_row(3, 6, f, t, i, mark, p)
                      : b == 6         ? smooth_row(6, 6, f, t, i, mark, p)
                                       : smooth_row(b, m, f, t, i, mark, p);
    if (lacks)
        restore_motions(b, m, f, coarse, i, p);
}

static void forget(int64_t n, int64_t *mark)
{
    for (int64_t i = 0; i < n; i++)
        mark[i] = -1;
}

static sw_status smooth(const sw_interpolation *f, const double *t, const double *coarse, int64_t *mark,
                        sw_blocks *p)
{
    const int64_t n = f->a->n_rows, groups = f->n_aggregates, all = omp_get_max_threads() * groups;
    const int size = f->a->height * f->m;
    const sw_share here = sw_share_of(f->a->together, n, f->a->row, size);
    SW_TRY(SW_ALLOCATE(p->row, n + 1, "interpolation"));
    forget(all, mark);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        p->row[i + 1] = aggregates_of(f, i, mark + omp_get_thread_num() * groups, NULL);
    for (int64_t i = 0; i < n; i++)
        p->row[i + 1] += p->row[i];
    SW_TRY(SW_ALLOCATE(p->column, p->row[n], "interpolation"));
    SW_TRY(SW_ALLOCATE(p->value, p->row[n] * size, "interpolation"));
    forget(all, mark);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) {
        int64_t *own = mark + omp_get_thread_num() * groups;
        aggregates_of(f, i, own, p->column + p->row[i]);
        if (i >= here.first && i < here.end)
            make_row(f, t, coarse, i, own, p);
    }
    sw_collect_entries(f->a->together, n, f->a->row, size, p->row, size * (int64_t)sizeof(double), p->value);
    return SW_OK;
}

sw_status sw_interpolate(const sw_interpolation *f, sw_blocks *p, double **coarse)
{
    const int b = f->a->height, m = f->m;
    double *t = NULL;
    int64_t *mark = NULL;
    sw_status status;
    *p = (sw_blocks){.height = b,
                     .width = m,
                     .together = f->a->together,
                     .n_rows = f->a->n_rows,
                     .n_columns = f->n_aggregates};
    SW_TRY_GOTO(status, SW_ALLOCATE(t, f->a->n_rows * b * m, "interpolation"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(*coarse, f->n_aggregates * m * m, "interpolation"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(mark, omp_get_max_threads() * f->n_aggregates, "interpolation"), end);
    SW_TRY_GOTO(status,
                tentative(f->a->n_rows, b, m, f->motion, f->aggregate_of, f->n_aggregates, t, *coarse), end);
    status = smooth(f, t, *coarse, mark, p);
end:
    free(t);
    free(mark);
    return status;
}
