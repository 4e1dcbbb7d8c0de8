#include "union.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 160 };

typedef struct {
    double from, to;
} interval;

static int by_beginning(const void *a, const void *b)
{
    const double x = ((const interval *)a)->from, y = ((const interval *)b)->from;
    return (x > y) - (x < y);
}

/* Integrals of 1, z, z^2 over the parts of a line, which may overlap; their number. */
static void add_line(int64_t n, interval *part, double moment[3])
{
    qsort(part, (size_t)n, sizeof *part, by_beginning);
    moment[0] = moment[1] = moment[2] = 0;
    for (int64_t i = 0; i < n;) {
        double to = part[i].to;
        const double from = part[i].from;
        for (i++; i < n && part[i].from <= to; i++)
            to = fmax(to, part[i].to);
        moment[0] += to - from;
        moment[1] += 0.5 * (to * to - from * from);
        moment[2] += (to * to * to - from * from * from) / 3;
    }
}

/* Sums over all lines about the point `about`: of 1, x_i and x_i x_j. */
static void integrate(int64_t n, const double (*centre)[3], const double *radius, const double low[2],
                      const double high[2], interval *part, double one[1], double first[3],
                      double second[3][3])
{
    const double step[2] = {(high[0] - low[0]) / LINES, (high[1] - low[1]) / LINES}, area = step[0] * step[1];
    for (int a = 0; a < LINES * LINES; a++) {
        const double x = low[0] + (a % LINES + 0.5) * step[0], y = low[1] + (a / LINES + 0.5) * step[1];
        double m[3];
        int64_t parts = 0;
        for (int64_t i = 0; i < n; i++) {
            const double dx = x - centre[i][0], dy = y - centre[i][1],
                         square = radius[i] * radius[i] - dx * dx - dy * dy;
            if (square > 0)
                part[parts++] = (interval){centre[i][2] - sqrt(square), centre[i][2] + sqrt(square)};
        }
        if (parts == 0)
            continue;
        add_line(parts, part, m);
        const double at[2] = {x, y};
        *one += area * m[0];
        first[2] += area * m[1];
        second[2][2] += area * m[2];
        for (int i = 0; i < 2; i++) {
            first[i] += area * at[i] * m[0];
            second[i][2] += area * at[i] * m[1];
            for (int j = 0; j < 2; j++)
                second[i][j] += area * at[i] * at[j] * m[0];
        }
    }
    second[2][0] = second[0][2];
    second[2][1] = second[1][2];
}

sw_status sw_dem_union(int64_t n, const double (*centre)[3], const double *radius, sw_dem_body *body)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, one = 0, first[3] = {0, 0, 0},
           second[3][3] = {{0}}, (*from)[3];
    interval *part;
    SW_TRY(SW_ALLOCATE(part, n, "spheres of a clump"));
    if (SW_ALLOCATE(from, n, "spheres of a clump") != SW_OK) {
        free(part);
        return SW_ERR_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) /* from the first sphere, so that nothing cancels */
        for (int k = 0; k < 3; k++) {
            from[i][k] = centre[i][k] - centre[0][k];
            if (k < 2) {
                low[k] = fmin(low[k], from[i][k] - radius[i]);
                high[k] = fmax(high[k], from[i][k] + radius[i]);
            }
        }
    integrate(n, (const double(*)[3])from, radius, low, high, part, &one, first, second);
    free(part);
    free(from);
    double trace = 0;
    body->volume = one;
    for (int i = 0; i < 3; i++) {
        body->centre[i] = centre[0][i] + first[i] / one;
        trace += second[i][i] - first[i] * first[i] / one;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            body->inertia[i][j] = (i == j ? trace : 0) - (second[i][j] - first[i] * first[j] / one);
    return SW_OK;
}
