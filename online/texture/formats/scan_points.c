/* Points of a scan by where they are: thinned out, or joined to grains. The map may be of squares, oblongs or
 * hexagons, whole or with gaps: with x and y over the distances between points, neighbours are at 1 or, in the
 * hexagons' next row, at sqrt(1/4 + 1) = 1.12; the next ones at sqrt 2 or sqrt(9/4 + 1). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "crystal_reader.h"

#define NEIGHBOUR (1.25 * 1.25)

/* ---- The grid ---- */

/* Places may be rounded, 0.13 0.25 0.38: the mean of the least steps. Longer ones are gaps, and the way back. */
static void average_step(sw_scan_grid *g, int i, double step)
{
    if (g->steps[i] == 0 || step < g->step[i] / 1.5) {
        g->step[i] = step;
        g->steps[i] = 1;
    } else if (step < 1.5 * g->step[i])
        g->step[i] += (step - g->step[i]) / (double)++g->steps[i];
}

void sw_scan_pass(sw_crystal_reader *r, double x, double y)
{
    sw_scan_grid *g = &r->grid;
    const double at[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        const double step = fabs(at[i] - g->last[i]);
        if (g->rows > 0 && step > 1e-6 * fabs(at[i]))
            average_step(g, i, step);
        g->first[i] = g->rows > 0 ? fmin(g->first[i], at[i]) : at[i];
        g->last[i] = at[i];
    }
    g->rows++;
}

/* Steps of a scan of one row, or one column, or of no places at all. */
static sw_status complete_grid(sw_crystal_reader *r)
{
    double *step = r->grid.step;
    if (step[0] == 0 && step[1] == 0 && r->grid.rows > 1)
        return sw_error(SW_ERR_INPUT,
                        "%s: all points are at one place: need x and y for grains, and for `every`", r->path);
    for (int i = 0; i < 2; i++)
        if (step[i] == 0)
            step[i] = step[1 - i] > 0 ? step[1 - i] : 1;
    return SW_OK;
}

static double column_of(const sw_crystal_reader *r, int64_t n)
{
    return (r->place[n][0] - r->grid.first[0]) / r->grid.step[0];
}

static double row_of(const sw_crystal_reader *r, int64_t n)
{
    return (r->place[n][1] - r->grid.first[1]) / r->grid.step[1];
}

sw_status sw_scan_thin(sw_crystal_reader *r, int64_t every)
{
    int64_t kept = 0;
    SW_TRY(complete_grid(r));
    for (int64_t n = 0; n < r->count; n++) {
        /* hexagons' odd rows are half a step aside */
        const double column = floor(column_of(r, n) + 0.25), row = floor(row_of(r, n) + 0.5);
        if (fmod(column, (double)every) != 0 || fmod(row, (double)every) != 0)
            continue;
        memmove(r->euler[kept], r->euler[n], sizeof r->euler[n]);
        memmove(r->place[kept], r->place[n], sizeof r->place[n]);
        r->weight[kept++] = r->weight[n];
    }
    r->count = kept;
    r->grid.step[0] *= (double)every;
    r->grid.step[1] *= (double)every;
    return SW_OK;
}

/* ---- Grains ---- */

/* Points in squares of one step, each a list; and the grain that grows from its first point over neighbours. */
typedef struct {
    const sw_crystal_reader *r;
    int64_t columns, rows;
    int64_t *head;       /* [rows][columns] first point in it, or -1 */
    int64_t *next;       /* [N] */
    unsigned char *done; /* [N] belongs to a grain */
    int64_t *queue;      /* [N] points of the growing grain */
    int64_t size;        /* of them */
    double (*q)
        [4]; /* [N] of a grain's points: the equivalent nearest to the neighbour's that it was reached by */
    double sum[4];       /* of theirs */
    double least_cosine; /* of half the angle */
} joining;

static void take_point(joining *j, int64_t n, const double q[4])
{
    j->done[n] = 1;
    j->queue[j->size++] = n;
    for (int i = 0; i < 4; i++) {
        j->q[n][i] = q[i];
        j->sum[i] += q[i];
    }
}

/* Point m, if it touches point n of the grain and differs little. */
static void try_point(joining *j, int64_t n, int64_t m)
{
    const double dx = column_of(j->r, n) - column_of(j->r, m), dy = row_of(j->r, n) - row_of(j->r, m);
    double nearest[4];
    if (dx * dx + dy * dy <= NEIGHBOUR && sw_cubic_nearest(j->q[n], j->q[m], nearest) >= j->least_cosine)
        take_point(j, m, nearest);
}

static void try_neighbours(joining *j, int64_t n)
{
    const int64_t column = (int64_t)column_of(j->r, n), row = (int64_t)row_of(j->r, n);
    for (int64_t y = row > 2 ? row - 2 : 0; y <= row + 2 && y < j->rows; y++) /* 1.25 may be two squares on */
        for (int64_t x = column > 2 ? column - 2 : 0; x <= column + 2 && x < j->columns; x++)
            for (int64_t m = j->head[y * j->columns + x]; m >= 0; m = j->next[m])
                if (!j->done[m])
                    try_point(j, n, m);
}

/* All points of the grain of a first one: from neighbour to neighbour orientations change little, so that their
 * equivalents are known however far the whole grain spreads, and may be added. */
static void grow_grain(joining *j, int64_t first)
{
    const double start[4] = {j->q[first][0], j->q[first][1], j->q[first][2], j->q[first][3]};
    j->size = 0;
    memset(j->sum, 0, sizeof j->sum);
    take_point(j, first, start);
    for (int64_t i = 0; i < j->size; i++)
        try_neighbours(j, j->queue[i]);
}

/* Room, and the points in their squares. */
static sw_status begin_joining(const sw_crystal_reader *r, joining *j)
{
    double most[2] = {0, 0};
    for (int64_t n = 0; n < r->count; n++) {
        most[0] = fmax(most[0], column_of(r, n));
        most[1] = fmax(most[1], row_of(r, n));
    }
    /* a map with gaps may have more squares than points, a file of nonsense any number */
    if (!((most[0] + 1) * (most[1] + 1) <= 64.0 * (double)r->count + 1e6))
        return sw_error(SW_ERR_INPUT,
                        "%s: %g x %g steps for %lld points: need a map of regular rows for grains", r->path,
                        most[0], most[1], (long long)r->count);
    j->columns = (int64_t)most[0] + 1;
    j->rows = (int64_t)most[1] + 1;
    SW_TRY(SW_ALLOCATE(j->head, j->columns * j->rows, "squares of a map"));
    SW_TRY(SW_ALLOCATE(j->next, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->done, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->queue, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->q, r->count, "points of a map"));
    for (int64_t i = 0; i < j->columns * j->rows; i++)
        j->head[i] = -1;
    for (int64_t n = 0; n < r->count; n++) {
        int64_t *head = &j->head[(int64_t)row_of(r, n) * j->columns + (int64_t)column_of(r, n)];
        j->next[n] = *head;
        *head = n;
        sw_quaternion_from_euler(r->euler[n], j->q[n]);
    }
    return SW_OK;
}

/* Grains for points, in the order of their first ones: number k is written where a point before or at its first stood,
 * whose angles are in j->q by then. */
static sw_status take_grains(sw_crystal_reader *r, joining *j, double angle, int64_t least)
{
    const int64_t points = r->count;
    int64_t grains = 0, left = 0;
    for (int64_t n = 0; n < points; n++) {
        if (j->done[n])
            continue;
        grow_grain(j, n);
        if (j->size < least) {
            left += j->size;
            continue;
        }
        sw_euler_from_quaternion(j->sum, r->euler[grains]);
        r->weight[grains++] = (double)j->size;
    }
    if (grains == 0)
        return sw_error(SW_ERR_INPUT, "%s: no grain of %lld points or more among %lld points", r->path,
                        (long long)least, (long long)points);
    r->count = grains;
    r->skipped += left;
    snprintf(r->about, sizeof r->about,
             "%lld points are %lld grains of %g degrees; %lld in smaller ones left out",
             (long long)(points - left), (long long)grains, angle * 180 / SW_PI, (long long)left);
    return SW_OK;
}

sw_status sw_scan_join(sw_crystal_reader *r, double angle, int64_t least)
{
    /* an angle of digits that is just the limit is within */
    joining j = {.r = r, .least_cosine = cos(0.5 * angle) - 1e-12};
    sw_status status = complete_grid(r);
    if (status == SW_OK)
        status = begin_joining(r, &j);
    if (status == SW_OK)
        status = take_grains(r, &j, angle, least);
    free(j.head);
    free(j.next);
    free(j.done);
    free(j.queue);
    free(j.q);
    return status;
}
