/* Nodes are strongly connected that are not much farther from each other than their nearest ones are: by the distance rather
 * than by entries, as trilinear elements that are stretched have large entries across where they are weak. */
#include <math.h>
#include <stdlib.h>

#include "level.h"

#define NEAR 9 /* square of a distance over that of the nearest: 4 to 13 differ by a fifth */

static double square(const double (*position)[3], int64_t i, int64_t j)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (position[i][k] - position[j][k]) * (position[i][k] - position[j][k]);
    return sum;
}

static sw_status find_strong(const sw_blocks *a, const double (*position)[3], uint8_t *strong)
{
    double *nearest;
    SW_TRY(SW_ALLOCATE(nearest, a->n_rows, "aggregates"));
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n_rows; i++) {
        nearest[i] = INFINITY;
        for (int64_t k = a->row[i]; k < a->row[i + 1]; k++)
            if (a->column[k] != i)
                nearest[i] = fmin(nearest[i], square(position, i, a->column[k]));
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n_rows; i++)
        for (int64_t k = a->row[i]; k < a->row[i + 1]; k++) {
            const int64_t j = a->column[k];
            strong[k] = square(position, i, j) <= NEAR * fmax(nearest[i], nearest[j]);
        }
    free(nearest);
    return SW_OK;
}

typedef struct {
    const sw_blocks *a;
    const double (*position)[3];
    const uint8_t *strong;
    int32_t *of;
    int64_t n;
} grouping;

/* The strong neighbours of node i that are nowhere yet. */
static void take(grouping *g, int64_t i)
{
    for (int64_t k = g->a->row[i]; k < g->a->row[i + 1]; k++)
        if (g->strong[k] && g->of[g->a->column[k]] < 0)
            g->of[g->a->column[k]] = (int32_t)g->n;
    g->of[i] = (int32_t)g->n++;
}

/* Nodes none of whose strong neighbours is anywhere yet become one with these. */
static void begin(grouping *g)
{
    for (int64_t i = 0; i < g->a->n_rows; i++) {
        int alone = g->of[i] < 0;
        for (int64_t k = g->a->row[i]; k < g->a->row[i + 1] && alone; k++)
            alone = !g->strong[k] || g->of[g->a->column[k]] < 0;
        if (alone)
            take(g, i);
    }
}

/* The rest goes to the nearest aggregate that was begun, if a strong neighbour has one; `before` as it was. */
static void join(grouping *g, const int32_t *before)
{
    for (int64_t i = 0; i < g->a->n_rows; i++) {
        double least = INFINITY;
        for (int64_t k = g->a->row[i]; k < g->a->row[i + 1] && before[i] < 0; k++) {
            const int64_t j = g->a->column[k];
            const double far = square(g->position, i, j);
            if (g->strong[k] && before[j] >= 0 && far < least) {
                least = far;
                g->of[i] = before[j];
            }
        }
    }
}

/* And what is left is one with what is left around it. */
static void finish(grouping *g)
{
    for (int64_t i = 0; i < g->a->n_rows; i++)
        if (g->of[i] < 0)
            take(g, i);
}

static sw_status centre(const grouping *g, double (**coarse)[3])
{
    int64_t *count;
    SW_TRY(SW_ALLOCATE(count, g->n, "aggregates"));
    const sw_status status = SW_ALLOCATE(*coarse, g->n, "aggregates");
    for (int64_t i = 0; i < g->a->n_rows && status == SW_OK; i++) {
        count[g->of[i]]++;
        for (int k = 0; k < 3; k++)
            (*coarse)[g->of[i]][k] += g->position[i][k];
    }
    for (int64_t i = 0; i < g->n && status == SW_OK; i++)
        for (int k = 0; k < 3; k++)
            (*coarse)[i][k] /= (double)count[i];
    free(count);
    return status;
}

sw_status sw_aggregate(const sw_blocks *a, const double (*position)[3], uint8_t *strong,
                       int32_t *aggregate_of, int64_t *n_aggregates, double (**coarse)[3])
{
    grouping g = {.a = a, .position = position, .strong = strong, .of = aggregate_of};
    int32_t *before;
    SW_TRY(find_strong(a, position, strong));
    SW_TRY(SW_ALLOCATE(before, a->n_rows, "aggregates"));
    for (int64_t i = 0; i < a->n_rows; i++)
        g.of[i] = -1;
    begin(&g);
    for (int64_t i = 0; i < a->n_rows; i++)
        before[i] = g.of[i];
    join(&g, before);
    free(before);
    finish(&g);
    *n_aggregates = g.n;
    return centre(&g, coarse);
}
