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
    if (r->scan.announced > 0 && r->scan.rows != r->scan.announced)
        sw_warn("%s: %lld points: the header announces %lld", r->path, (long long)r->scan.rows,
                (long long)r->scan.announced);
}

/* ---- The grid ---- */

/* Where columns, rows and slices lead, as unit vectors in x y z at right angles, and how far each is from the next. Which way
 * a file goes through the points, how the map lies in space and what noise its coordinates have does not matter: one
 * coordinate that is off, a gap or the way back moves no mean about a quantile. */
typedef struct {
    const double (*at)[3];
    int64_t rows;
    double axis[3][3], length[3];
    double fast[3]; /* the way from a point to the next along a row, whichever side comes first */
    int one_way;    /* steps against it lead to the next row: of two columns */
    double *sorted; /* [rows] */
} grid;

/* Steps across are at least this part of one along a row; less is noise. */
#define LEAST_ACROSS 0.02

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double norm(const double a[3]) { return sqrt(dot(a, a)); }

/* a + scale b. */
static void add_to(double a[3], double scale, const double b[3])
{
    for (int i = 0; i < 3; i++)
        a[i] += scale * b[i];
}

/* The one at a part of the sorted list; 0: there are none. */
static double quantile(grid *g, int64_t n, double part)
{
    if (n == 0)
        return 0;
    qsort(g->sorted, (size_t)n, sizeof *g->sorted, by_value);
    return g->sorted[(int64_t)(part * (double)(n - 1))];
}

/* From row k - 1 to row k. */
static void step_to(const grid *g, int64_t k, double step[3])
{
    memcpy(step, g->at[k], 3 * sizeof *step);
    add_to(step, -1, g->at[k - 1]);
}

/* Whether a step is about `way`, forth or back: its sign; 0: it is not. */
static int is_along(const double step[3], const double way[3])
{
    const double back = dot(step, way) < 0 ? -1 : 1;
    double off[3] = {step[0], step[1], step[2]};
    add_to(off, -back, way);
    return norm(off) <= 0.5 * norm(way) ? (int)back : 0;
}

/* The step to row k without what of it is along a row; 0: it is one along it, or none. */
static int across(const grid *g, int64_t k, double rest[3])
{
    step_to(g, k, rest);
    const int sign = is_along(rest, g->fast);
    add_to(rest, -dot(rest, g->axis[0]), g->axis[0]);
    return (sign == 0 || (sign < 0 && g->one_way)) && norm(rest) > LEAST_ACROSS * g->length[0];
}

static void set_axis(grid *g, int i, const double way[3])
{
    g->length[i] = norm(way);
    for (int k = 0; k < 3; k++)
        g->axis[i][k] = way[k] / g->length[i];
}

/* One of the shortest steps, since the way to the next row and over gaps is longer; not the very shortest, which may be of
 * two points that nearly coincide. 0: there is none. */
static int find_short(grid *g, double way[3])
{
    double step[3];
    int64_t n = 0;
    for (int64_t k = 1; k < g->rows; k++) {
        step_to(g, k, step);
        if (norm(step) > 0)
            g->sorted[n++] = norm(step);
    }
    const double typical = quantile(g, n, 0.05);
    for (int64_t k = 1; k < g->rows && n > 0; k++) {
        step_to(g, k, way);
        if (norm(way) == typical)
            return 1;
    }
    return 0;
}

/* The mean of the steps along rows. Those against it are the way back along the next row, or, where they differ, to it. */
static int find_fast(grid *g)
{
    double step[3], way[3], mean[2][3] = {{0}}, off[3];
    int64_t count[2] = {0, 0};
    if (!find_short(g, way))
        return 0;
    for (int64_t k = 1; k < g->rows; k++) {
        step_to(g, k, step);
        const int sign = is_along(step, way), back = sign < 0;
        if (sign == 0)
            continue;
        count[back]++;
        for (int i = 0; i < 3; i++)
            mean[back][i] += (sign * step[i] - mean[back][i]) / (double)count[back];
    }
    memcpy(off, mean[1], sizeof off);
    add_to(off, -1, mean[0]);
    g->one_way = count[1] > 0 && norm(off) > 0.05 * norm(mean[0]);
    const double part = g->one_way ? 0 : (double)count[1] / (double)(count[0] + count[1]);
    memcpy(g->fast, mean[0], sizeof g->fast);
    if (part > 0)
        add_to(g->fast, part, off);
    set_axis(g, 0, g->fast);
    return 1;
}

/* From row to row; 0: there is one row. */
static int find_across(grid *g)
{
    double rest[3], reference[3] = {0}, sum[3] = {0};
    int64_t n = 0, count = 0;
    for (int64_t k = 1; k < g->rows; k++)
        if (across(g, k, rest))
            g->sorted[n++] = norm(rest);
    const double middle = quantile(g, n, 0.5);
    for (int64_t k = 1; k < g->rows && norm(reference) == 0; k++)
        if (across(g, k, rest) && norm(rest) == middle)
            memcpy(reference, rest, sizeof reference);
    for (int64_t k = 1; k < g->rows && n > 0; k++) {
        const int sign = across(g, k, rest) ? is_along(rest, reference) : 0;
        add_to(sum, sign, rest);
        count += sign != 0;
    }
    for (int i = 0; i < 3 && n > 0; i++)
        sum[i] /= (double)count;
    if (n > 0)
        set_axis(g, 1, sum);
    return n > 0;
}

/* From slice to slice, of the steps that lead neither along rows nor to the next one; *there: whether any does. */
static void find_between(grid *g, int *there)
{
    const double *f = g->axis[0], *s = g->axis[1];
    const double normal[3] = {f[1] * s[2] - f[2] * s[1], f[2] * s[0] - f[0] * s[2],
                              f[0] * s[1] - f[1] * s[0]};
    double rest[3], way[3] = {0};
    int64_t n = 0;
    add_to(way, g->length[1], s);
    for (int64_t k = 1; k < g->rows; k++)
        if (across(g, k, rest) && !is_along(rest, way) &&
            fabs(dot(rest, normal)) > LEAST_ACROSS * g->length[0])
            g->sorted[n++] = fabs(dot(rest, normal));
    const double middle = quantile(g, n, 0.5);
    memcpy(g->axis[2], normal, sizeof normal);
    g->length[2] = n > 0 ? middle : g->length[0];
    *there = n > 0;
}

/* Any direction at right angles to that of a single row, one of the map's plane if it can be. */
static void make_across(grid *g)
{
    const double *f = g->axis[0];
    const double up[3] = {-f[1], f[0], 0}, side[3] = {1, 0, 0};
    set_axis(g, 1, norm(up) > 0 ? up : side);
    g->length[1] = g->length[0];
}

/* Slices are along z, if the file goes from slice to slice within rows, too. */
static void put_slices_last(grid *g)
{
    int most = 2;
    for (int i = 0; i < 2; i++)
        most = fabs(g->axis[i][2]) > fabs(g->axis[most][2]) + 1e-6 ? i : most;
    for (int i = most; i < 2; i++) {
        double axis[3];
        const double length = g->length[i];
        memcpy(axis, g->axis[i], sizeof axis);
        memcpy(g->axis[i], g->axis[i + 1], sizeof axis);
        memcpy(g->axis[i + 1], axis, sizeof axis);
        g->length[i] = g->length[i + 1];
        g->length[i + 1] = length;
    }
}

/* x y z -> column, row, slice. */
static void to_steps(const grid *g, const double first[3], const double at[3], double place[3])
{
    for (int i = 0; i < 3; i++)
        place[i] = dot(g->axis[i], at) / g->length[i] - first[i];
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
    int has_slices;
    if (!find_across(g))
        make_across(g);
    find_between(g, &has_slices);
    if (has_slices)
        put_slices_last(g);
    const double zero[3] = {0, 0, 0};
    double first[3] = {INFINITY, INFINITY, INFINITY}, place[3];
    for (int64_t k = 0; k < g->rows; k++) {
        to_steps(g, zero, g->at[k], place);
        for (int i = 0; i < 3; i++)
            first[i] = fmin(first[i], place[i]);
    }
    for (int64_t n = 0; n < r->count; n++) {
        to_steps(g, first, r->place[n], place);
        memcpy(r->place[n], place, sizeof place);
    }
    return SW_OK;
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
    if (apart(j->r, n, m) <= NEIGHBOUR &&
        sw_point_group_nearest(j->r->group, j->q[n], j->q[m], nearest) >= j->least_cosine)
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
                          "%s: %g x %g x %g steps for %lld points: need a map of regular rows for grains and "
                          "for `every`",
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
                "slices with z, for grains and for `every`",
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

static void end_joining(joining *j)
{
    free(j->head);
    free(j->next);
    free(j->done);
    free(j->queue);
    free(j->q);
}

/* SW_ERR_INPUT for points at one place. */
static sw_status check_apart(const sw_crystal_reader *r)
{
    joining j = {.r = r};
    const sw_status status = begin_joining(r, &j);
    end_joining(&j);
    return status;
}

sw_status sw_scan_find_grid(sw_crystal_reader *r)
{
    grid g = {.at = (const double(*)[3])r->scan.at, .rows = r->scan.rows};
    SW_TRY(SW_ALLOCATE(g.sorted, g.rows, "steps of a map"));
    const sw_status status = place_points(r, &g);
    free(g.sorted);
    return status == SW_OK ? check_apart(r) : status;
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
    end_joining(&j);
    return status;
}
