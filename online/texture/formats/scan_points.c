/* Points of a scan by where they are: thinned out, or joined to grains. The map may be of squares, oblongs or hexagons,
 * whole or with gaps, turned, in slices: with places over the distances between points, neighbours are at 1 or, in the
 * hexagons' next row, at sqrt(1/4 + 1) = 1.12; the next ones at sqrt 2 or sqrt(9/4 + 1). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "crystal_reader.h"

#define NEIGHBOUR (1.25 * 1.25)

/* ---- Rows ---- */

sw_status sw_scan_pass(sw_crystal_reader *r)
{
    sw_scan_rows *s = &r->scan;
    if (s->rows == s->capacity && (r->filter->every > 1 || r->filter->grain_angle > 0)) {
        const int64_t capacity = s->capacity < 1024 ? 1024 : 2 * s->capacity;
        void *longer = realloc(s->at, (size_t)capacity * sizeof *s->at);
        if (longer == NULL)
            return sw_error(SW_ERR_MEMORY, "%s: no memory for %lld points", r->path, (long long)capacity);
        s->at = longer;
        s->capacity = capacity;
    }
    if (s->at != NULL)
        memcpy(s->at[s->rows], r->row_place, sizeof r->row_place);
    s->rows++;
    return SW_OK;
}

void sw_scan_check_rows(const sw_crystal_reader *r)
{
    if (r->scan.rows < r->scan.announced)
        sw_warn("%s: %lld points: the header announces %lld", r->path, (long long)r->scan.rows,
                (long long)r->scan.announced);
}

/* ---- The grid ---- */

/* From each row to the next: `fast` is the way along a row, whichever side comes first; steps across rows and slices are
 * lengths. One coordinate that is off, a gap or the way back moves none of them: they are means about a quantile. */
typedef struct {
    const double (*at)[3];
    int64_t rows;
    double fast[2], along; /* and its length */
    double *length;        /* [rows], for sorting */
} grid;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of g->length [n]: the mean of those within half of the one at a part of the sorted list; 0: there are none. */
static double mean_about(grid *g, int64_t n, double part)
{
    double sum = 0;
    int64_t count = 0;
    if (n == 0)
        return 0;
    qsort(g->length, (size_t)n, sizeof *g->length, by_value);
    const double middle = g->length[(int64_t)(part * (double)(n - 1))];
    for (int64_t i = 0; i < n; i++)
        if (fabs(g->length[i] - middle) <= 0.5 * middle) {
            sum += g->length[i];
            count++;
        }
    return sum / (double)count;
}

/* From row k - 1 to row k, within a slice; 0: they are in two. */
static int step_to(const grid *g, int64_t k, double step[2])
{
    step[0] = g->at[k][0] - g->at[k - 1][0];
    step[1] = g->at[k][1] - g->at[k - 1][1];
    return g->at[k][2] == g->at[k - 1][2];
}

/* Whether a step is one along a row, forth or back: its sign; 0: it is not. */
static int is_fast(const double step[2], const double fast[2])
{
    const double back = step[0] * fast[0] + step[1] * fast[1] < 0 ? -1 : 1;
    const double off = hypot(step[0] - back * fast[0], step[1] - back * fast[1]);
    return off <= 0.5 * hypot(fast[0], fast[1]) ? (int)back : 0;
}

/* The mean of the steps along rows: those like one of the shortest, since the way to the next row and over gaps is
 * longer; not the very shortest, which may be of two points that nearly coincide. */
static int find_fast(grid *g)
{
    double step[2], reference[2] = {0, 0}, sum[2] = {0, 0};
    int64_t n = 0, count = 0;
    for (int64_t k = 1; k < g->rows; k++)
        if (step_to(g, k, step) && hypot(step[0], step[1]) > 0)
            g->length[n++] = hypot(step[0], step[1]);
    if (n == 0)
        return 0;
    qsort(g->length, (size_t)n, sizeof *g->length, by_value);
    const double typical = g->length[(n - 1) / 20];
    for (int64_t k = 1; k < g->rows && reference[0] == 0 && reference[1] == 0; k++)
        if (step_to(g, k, step) && hypot(step[0], step[1]) == typical)
            memcpy(reference, step, sizeof reference);
    for (int64_t k = 1; k < g->rows; k++) {
        const int sign = step_to(g, k, step) ? is_fast(step, reference) : 0;
        for (int i = 0; i < 2; i++)
            sum[i] += sign * step[i];
        count += sign != 0;
    }
    for (int i = 0; i < 2; i++)
        g->fast[i] = sum[i] / (double)count;
    g->along = hypot(g->fast[0], g->fast[1]);
    return 1;
}

/* How far a step leads across rows. */
static double across(const grid *g, const double step[2])
{
    return (step[1] * g->fast[0] - step[0] * g->fast[1]) / g->along;
}

/* Of a scan of one row as along it. */
static double find_across(grid *g)
{
    double step[2];
    int64_t n = 0;
    for (int64_t k = 1; k < g->rows; k++)
        if (step_to(g, k, step) && !is_fast(step, g->fast) && fabs(across(g, step)) > 0.02 * g->along)
            g->length[n++] = fabs(across(g, step));
    return n > 0 ? mean_about(g, n, 0.5) : g->along;
}

static double find_between(grid *g)
{
    int64_t n = 0;
    for (int64_t k = 1; k < g->rows; k++)
        if (g->at[k][2] != g->at[k - 1][2])
            g->length[n++] = fabs(g->at[k][2] - g->at[k - 1][2]);
    return n > 0 ? mean_about(g, n, 0.5) : 1;
}

/* x y z -> column, row, slice. */
static void to_steps(const grid *g, const double step[3], const double first[3], const double at[3],
                     double place[3])
{
    const double turned[3] = {(at[0] * g->fast[0] + at[1] * g->fast[1]) / g->along, across(g, at), at[2]};
    for (int i = 0; i < 3; i++)
        place[i] = turned[i] / step[i] - first[i];
}

static sw_status place_points(sw_crystal_reader *r, grid *g)
{
    if (r->scan.rows == 1) {
        memset(r->place, 0, sizeof *r->place);
        return SW_OK;
    }
    if (!find_fast(g))
        return sw_error(SW_ERR_INPUT,
                        "%s: all points are at one place: need x and y for grains, and for `every`", r->path);
    const double step[3] = {g->along, find_across(g), find_between(g)}, zero[3] = {0, 0, 0};
    double first[3] = {INFINITY, INFINITY, INFINITY}, place[3];
    for (int64_t k = 0; k < g->rows; k++) {
        to_steps(g, step, zero, g->at[k], place);
        for (int i = 0; i < 3; i++)
            first[i] = fmin(first[i], place[i]);
    }
    for (int64_t n = 0; n < r->count; n++) {
        to_steps(g, step, first, r->place[n], place);
        memcpy(r->place[n], place, sizeof place);
    }
    return SW_OK;
}

sw_status sw_scan_find_grid(sw_crystal_reader *r)
{
    grid g = {.at = (const double(*)[3])r->scan.at, .rows = r->scan.rows};
    SW_TRY(SW_ALLOCATE(g.length, g.rows, "steps of a map"));
    const sw_status status = place_points(r, &g);
    free(g.length);
    return status;
}

void sw_scan_thin(sw_crystal_reader *r, int64_t every)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < r->count; n++) {
        /* hexagons' odd rows are half a step aside */
        const double column = floor(r->place[n][0] + 0.25), row = floor(r->place[n][1] + 0.5);
        if (fmod(column, (double)every) != 0 || fmod(row, (double)every) != 0)
            continue;
        sw_crystal_keep(r, kept, n);
        for (int i = 0; i < 2; i++)
            r->place[kept][i] /= (double)every;
        kept++;
    }
    r->count = kept;
}

/* ---- Grains ---- */

/* Points in cubes of one step, each a list; and the grain that grows from its first point over neighbours. */
typedef struct {
    const sw_crystal_reader *r;
    int64_t size_of[3];  /* columns, rows, slices */
    int64_t *head;       /* [slices][rows][columns] first point in it, or -1 */
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

/* Square of the distance between two points, in steps. */
static double apart(const sw_crystal_reader *r, int64_t n, int64_t m)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (r->place[n][i] - r->place[m][i]) * (r->place[n][i] - r->place[m][i]);
    return sum;
}

/* Point m, if it touches point n of the grain and differs little. */
static void try_point(joining *j, int64_t n, int64_t m)
{
    double nearest[4];
    if (apart(j->r, n, m) <= NEIGHBOUR && sw_cubic_nearest(j->q[n], j->q[m], nearest) >= j->least_cosine)
        take_point(j, m, nearest);
}

static void try_neighbours(joining *j, int64_t n)
{
    int64_t low[3], high[3]; /* 1.25 may be two cubes on */
    for (int i = 0; i < 3; i++) {
        const int64_t at = (int64_t)j->r->place[n][i];
        low[i] = at > 2 ? at - 2 : 0;
        high[i] = at + 3 < j->size_of[i] ? at + 3 : j->size_of[i];
    }
    for (int64_t z = low[2]; z < high[2]; z++)
        for (int64_t y = low[1]; y < high[1]; y++)
            for (int64_t x = low[0]; x < high[0]; x++)
                for (int64_t m = j->head[(z * j->size_of[1] + y) * j->size_of[0] + x]; m >= 0; m = j->next[m])
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

/* How large the map is. One with gaps may have more cubes than points, a file of nonsense any number. */
static sw_status find_size(const sw_crystal_reader *r, joining *j)
{
    double most[3] = {0, 0, 0};
    for (int64_t n = 0; n < r->count; n++)
        for (int i = 0; i < 3; i++)
            most[i] = fmax(most[i], r->place[n][i]);
    for (int i = 0; i < 3; i++)
        j->size_of[i] = most[i] < 1e9 ? (int64_t)most[i] + 1 : 0;
    return (most[0] + 1) * (most[1] + 1) * (most[2] + 1) <= 64.0 * (double)r->count + 1e6
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s: %g x %g x %g steps for %lld points: need a map of regular rows for grains",
                          r->path, most[0], most[1], most[2], (long long)r->count);
}

/* Into its cube, which holds no point so near that slices, or maps, must have been laid over each other. */
static sw_status put_in_cube(const sw_crystal_reader *r, joining *j, int64_t n)
{
    const double *at = r->place[n];
    int64_t *head =
        &j->head[((int64_t)at[2] * j->size_of[1] + (int64_t)at[1]) * j->size_of[0] + (int64_t)at[0]];
    for (int64_t m = *head; m >= 0; m = j->next[m])
        if (apart(r, n, m) < 0.25 * 0.25)
            return sw_error(
                SW_ERR_INPUT,
                "%s: points %lld and %lld of those that are taken are at one place: need one map, or "
                "slices with z, for grains",
                r->path, (long long)m + 1, (long long)n + 1);
    j->next[n] = *head;
    *head = n;
    sw_quaternion_from_euler(r->euler[n], j->q[n]);
    return SW_OK;
}

/* Room, and the points in their cubes. */
static sw_status begin_joining(const sw_crystal_reader *r, joining *j)
{
    SW_TRY(find_size(r, j));
    const int64_t cubes = j->size_of[0] * j->size_of[1] * j->size_of[2];
    SW_TRY(SW_ALLOCATE(j->head, cubes, "squares of a map"));
    SW_TRY(SW_ALLOCATE(j->next, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->done, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->queue, r->count, "points of a map"));
    SW_TRY(SW_ALLOCATE(j->q, r->count, "points of a map"));
    for (int64_t i = 0; i < cubes; i++)
        j->head[i] = -1;
    for (int64_t n = 0; n < r->count; n++)
        SW_TRY(put_in_cube(r, j, n));
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
    sw_status status = begin_joining(r, &j);
    if (status == SW_OK)
        status = take_grains(r, &j, angle, least);
    free(j.head);
    free(j.next);
    free(j.done);
    free(j.queue);
    free(j.q);
    return status;
}
