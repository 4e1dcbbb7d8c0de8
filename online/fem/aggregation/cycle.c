/* A cycle: a V, below the first level a W where levels become small fast enough. Chebyshev's polynomial of the second degree over
 * the upper part of the spectrum of the inverse of diagonal blocks times the matrix, before and after the coarser level; alike, so
 * that the cycle is symmetric. */
#include <math.h>
#include <stdlib.h>

#include "common/system/threads.h"
#include "level.h"

#define UPPER 1.1 /* of the eigenvalue found: it is found from below */
#define LOWER 0.1 /* of the same: what the coarser level has; 0.03 to 0.25 differ by a third */
enum { BLOCK_NS = 5 };

typedef sw_cycle_real real;

static int threads_of(const sw_cycle_blocks *a) { return sw_threads_for(a->row[a->n_rows], BLOCK_NS); }

/* A column of a block and what is beyond it: WIDTH lanes, of which the first h count. A sum for each column, so that none
 * waits for another. */
typedef real lanes __attribute__((vector_size(4 * SW_CYCLE_WIDTH), aligned(4)));
typedef real half_lanes __attribute__((vector_size(2 * SW_CYCLE_WIDTH), aligned(4)));

#define ROW_TIMES(name, vector)                                                                    \
    static inline __attribute__((always_inline)) void name(int h, int w, const sw_cycle_blocks *a, \
                                                           int64_t n, const real *x, real *sum)    \
    {                                                                                              \
        vector by_column[SW_MOST_MOTIONS] = {{0}}, all;                                            \
        for (int64_t k = a->row[n]; k < a->row[n + 1]; k++) {                                      \
            const real *value = a->value + k * h * w, *at = x + (int64_t)a->column[k] * w;         \
            for (int j = 0; j < w; j++)                                                            \
                by_column[j] += *(const vector *)(value + j * h) * at[j];                          \
        }                                                                                          \
        all = by_column[0];                                                                        \
        for (int j = 1; j < w; j++)                                                                \
            all += by_column[j];                                                                   \
        for (int i = 0; i < h; i++)                                                                \
            sum[i] = all[i];                                                                       \
    }
ROW_TIMES(row_times_wide, lanes)
ROW_TIMES(row_times_narrow, half_lanes)

static inline __attribute__((always_inline)) void row_times(int h, int w, const sw_cycle_blocks *a, int64_t n,
                                                            const real *x, real *sum)
{
    if (h > SW_CYCLE_WIDTH / 2)
        row_times_wide(h, w, a, n, x, sum);
    else
        row_times_narrow(h, w, a, n, x, sum);
}

/* y = right - a x, or y += a x, or y = a x. */
typedef enum { REST, ADD, PRODUCT } kind;

static inline __attribute__((always_inline)) void multiply(int h, int w, kind what, const sw_cycle_blocks *a,
                                                           const real *x, const real *right, real *y)
{
    const sw_share here = sw_share_of(a->together, a->n_rows, a->row, h * w);
#pragma omp parallel for schedule(static) num_threads(threads_of(a))
    for (int64_t n = here.first; n < here.end; n++) {
        real sum[SW_MOST_MOTIONS] = {0};
        row_times(h, w, a, n, x, sum);
        for (int i = 0; i < h; i++)
            y[n * h + i] = what == REST  ? right[n * h + i] - sum[i]
                           : what == ADD ? y[n * h + i] + sum[i]
                                         : sum[i];
    }
    sw_collect_shares(a->together, a->n_rows, a->row, h * w, h * (int64_t)sizeof *y, y);
}

static void multiply_any(kind what, const sw_cycle_blocks *a, const real *x, const real *right, real *y)
{
#define SHAPE(h, w)                           \
    case 10 * (h) + (w):                      \
        multiply(h, w, what, a, x, right, y); \
        break;
    switch (10 * a->height + a->width) {
        SHAPE(1, 1)
        SHAPE(2, 2)
        SHAPE(3, 3)
        SHAPE(6, 6)
        SHAPE(2, 3)
        SHAPE(3, 2)
        SHAPE(3, 6)
        SHAPE(6, 3)
    }
#undef SHAPE
}

/* d = first inverse (right - a x) + second d; x is zero where `fresh`. */
static inline __attribute__((always_inline)) void step(int b, const sw_cycle_level *l, int fresh, real first,
                                                       real second)
{
    const sw_share here = sw_share_of(l->a.together, l->a.n_rows, l->a.row, b * b);
#pragma omp parallel for schedule(static) num_threads(threads_of(&l->a))
    for (int64_t n = here.first; n < here.end; n++) {
        const real *inverse = l->inverse + n * b * b;
        real sum[SW_MOST_MOTIONS] = {0}, rest[SW_MOST_MOTIONS];
        if (!fresh)
            row_times(b, b, &l->a, n, l->x, sum);
        for (int i = 0; i < b; i++)
            rest[i] = l->right[n * b + i] - sum[i];
        for (int i = 0; i < b; i++) {
            real z = 0;
            for (int j = 0; j < b; j++)
                z += inverse[i * b + j] * rest[j];
            l->d[n * b + i] = first * z + (second == 0 ? 0 : second * l->d[n * b + i]);
        }
    }
    sw_collect_shares(l->a.together, l->a.n_rows, l->a.row, b * b, b * (int64_t)sizeof(real), l->d);
}

static void advance(const sw_cycle_level *l, int fresh, double first, double second)
{
    const int b = l->a.height;
    const int64_t n = l->a.n_rows * b;
    if (b == 1)
        step(1, l, fresh, (real)first, (real)second);
    else if (b == 2)
        step(2, l, fresh, (real)first, (real)second);
    else if (b == 3)
        step(3, l, fresh, (real)first, (real)second);
    else
        step(6, l, fresh, (real)first, (real)second);
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(n, 1))
    for (int64_t i = 0; i < n; i++)
        l->x[i] = fresh ? l->d[i] : l->x[i] + l->d[i];
}

sw_chebyshev sw_chebyshev_of(double largest)
{
    const double high = UPPER * largest, low = LOWER * high, middle = (high + low) / 2,
                 half = (high - low) / 2;
    const double sigma = middle / half, rho = 1 / sigma, next = 1 / (2 * sigma - rho);
    return (sw_chebyshev){1 / middle, 2 * next / half, next * rho};
}

static void smooth(const sw_cycle_level *l, int fresh)
{
    const sw_chebyshev c = sw_chebyshev_of(l->largest);
    advance(l, fresh, c.first, 0);
    advance(l, 0, c.second, c.keep);
}

/* x by L D L', in place. */
static void solve_factorised(int64_t n, const double *factor, double *x)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            x[i] -= factor[i * n + j] * x[j];
    for (int64_t i = 0; i < n; i++)
        x[i] *= factor[i * n + i];
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t j = 0; j < i; j++)
            x[j] -= factor[i * n + j] * x[i];
}

/* Likewise by L and D U. */
static void solve_whole(int64_t n, const double *factor, double *x)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            x[i] -= factor[i * n + j] * x[j];
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++)
            x[i] -= factor[i * n + j] * x[j];
        x[i] *= factor[i * n + i];
    }
}

static void solve_dense(const sw_aggregation *g, double *x)
{
    if (g->skew)
        solve_whole(g->n_coarsest, g->factor, x);
    else
        solve_factorised(g->n_coarsest, g->factor, x);
}

sw_status sw_aggregation_invert_coarsest(const sw_aggregation *g, float *inverse)
{
    const int64_t n = g->n_coarsest;
    double *column;
    SW_TRY(SW_ALLOCATE(column, n * n, "coarsest level"));
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) {
        column[i * n + i] = 1;
        solve_dense(g, column + i * n);
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            inverse[i * n + j] = (float)(g->skew ? column[j * n + i] : column[i * n + j]);
    free(column);
    return SW_OK;
}

static void solve_coarsest(sw_aggregation *g, const sw_cycle_level *l)
{
    for (int64_t i = 0; i < g->n_coarsest; i++)
        g->coarse[i] = l->right[i];
    solve_dense(g, g->coarse);
    for (int64_t i = 0; i < g->n_coarsest; i++)
        l->x[i] = (real)g->coarse[i];
}

static void cycle(sw_aggregation *g, int k)
{
    const sw_cycle_level *l = &g->level[k], *next = l + 1;
    if (k == g->n_levels - 1 && g->factor) {
        solve_coarsest(g, l);
        return;
    }
    for (int turn = 0; turn < l->turns; turn++) {
        smooth(l, turn == 0);
        if (k == g->n_levels - 1)
            return;
        multiply_any(REST, &l->a, l->x, l->right, l->d);
        multiply_any(PRODUCT, &l->r, l->d, NULL, next->right);
        cycle(g, k + 1);
        multiply_any(ADD, &l->p, next->x, NULL, l->x);
        smooth(l, 0);
    }
}

void sw_aggregation_apply(sw_aggregation *g, const double *r, double *z)
{
    const sw_cycle_level *l = &g->level[0];
    const int64_t n = l->n;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(r[i]));
    const double scale = most > 0 ? most : 1; /* whatever its units, single precision has it */
    for (int64_t i = 0; i < n; i++)
        l->right[i] = (real)(r[i] / scale);
    cycle(g, 0);
    for (int64_t i = 0; i < n; i++)
        z[i] = scale * l->x[i];
}
