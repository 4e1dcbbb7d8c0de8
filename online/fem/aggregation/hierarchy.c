#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/system/threads.h"
#include "level.h"

enum { FEW = 600 };                 /* unknowns of a level that is factorised; */
enum { DENSE = 3000 };              /* of one that cannot be coarsened, at most: else it is smoothed alone */
enum { PIECE = 1024, ROW_NS = 20 }; /* rows of sums */
enum { POWERS = 12 };               /* products to find the largest eigenvalue */
#define DAMPING (4.0 / 3)           /* over that, of the interpolation's Jacobi */
#define STALLED 0.8                 /* of nodes that are left: more coarsening is worth nothing */

/* ---- Diagonal blocks: their inverses, without what is round-off ---- */

static sw_status invert_diagonal(const sw_blocks *a, double *inverse)
{
    const int b = a->height;
    int64_t bad = -1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(a->n_rows, ROW_NS)) reduction(max : bad)
    for (int64_t i = 0; i < a->n_rows; i++) {
        const double *block = a->value + a->row[i] * b * b; /* the diagonal is first */
        double least[SW_MOST_MOTIONS], pivot[SW_MOST_MOTIONS];
        memcpy(inverse + i * b * b, block, (size_t)(b * b) * sizeof *inverse);
        for (int j = 0; j < b; j++) {
            least[j] = 1e-12 * block[j * (b + 1)];
            bad = block[j * (b + 1)] > 0 ? bad : i;
        }
        sw_invert_symmetric(b, least, inverse + i * b * b, pivot);
    }
    return bad < 0 ? SW_OK
                   : sw_error(SW_ERR_CONVERGENCE, "the tangent is not positive: its diagonal at node %lld",
                              (long long)bad);
}

/* ---- The largest eigenvalue of inverse times a, from below: Lanczos', by conjugate gradients' numbers ---- */

/* Sums are of pieces, so that they do not depend on threads. */
typedef struct {
    const sw_blocks *a;
    const double *inverse;
    int64_t pieces;
    double *r, *z, *p, *g, *piece;
} powers;

static double sum_of(const powers *w)
{
    double sum = 0;
    for (int64_t k = 0; k < w->pieces; k++)
        sum += w->piece[k];
    return sum;
}

#define EACH_PIECE(w, k)                                                                                   \
    _Pragma("omp parallel for schedule(static) num_threads(sw_threads_for((w)->a->n_rows, ROW_NS))") for ( \
        int64_t k = 0; k < (w)->pieces; k++)

static int64_t first_row(const powers *w, int64_t k) { return w->a->n_rows * k / w->pieces; }

/* z = inverse r; r z. */
static double apply_inverse(const powers *w)
{
    const int b = w->a->height;
    EACH_PIECE(w, piece)
    {
        double sum = 0;
        for (int64_t i = first_row(w, piece); i < first_row(w, piece + 1); i++)
            for (int k = 0; k < b; k++) {
                double at = 0;
                for (int c = 0; c < b; c++)
                    at += w->inverse[(i * b + k) * b + c] * w->r[i * b + c];
                w->z[i * b + k] = at;
                sum += at * w->r[i * b + k];
            }
        w->piece[piece] = sum;
    }
    return sum_of(w);
}

/* How many eigenvalues of the tridiagonal matrix are more than x. */
static int count_above(int n, const double *diagonal, const double *beside, double x)
{
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < n; i++) {
        pivot = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
        pivot = pivot == 0 ? 1e-300 : pivot;
        count += pivot > 0;
    }
    return count;
}

static double largest_of(int n, const double *diagonal, const double *beside)
{
    double low = 0, high = 0;
    for (int i = 0; i < n; i++)
        high = fmax(high, diagonal[i] + (i > 0 ? beside[i - 1] : 0) + (i + 1 < n ? beside[i] : 0));
    for (int k = 0; k < 40; k++) {
        const double middle = (low + high) / 2;
        if (count_above(n, diagonal, beside, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* p = z + factor p; its square. */
static double turn_along(const powers *w, double factor)
{
    const int b = w->a->height;
    EACH_PIECE(w, piece)
    {
        double sum = 0;
        for (int64_t i = first_row(w, piece) * b; i < first_row(w, piece + 1) * b; i++) {
            w->p[i] = w->z[i] + factor * w->p[i];
            sum += w->p[i] * w->p[i];
        }
        w->piece[piece] = sum;
    }
    return sum_of(w);
}

/* g = a p; p g. */
static double multiply(const powers *w)
{
    const int b = w->a->height;
    sw_blocks_multiply(w->a, w->p, w->g);
    EACH_PIECE(w, piece)
    {
        double sum = 0;
        for (int64_t i = first_row(w, piece) * b; i < first_row(w, piece + 1) * b; i++)
            sum += w->p[i] * w->g[i];
        w->piece[piece] = sum;
    }
    return sum_of(w);
}

static double lanczos(const powers *w)
{
    const int64_t n = w->a->n_rows * w->a->height;
    double diagonal[POWERS], beside[POWERS], before = 0, last = 1;
    int k = 0;
    for (int64_t i = 0; i < n; i++) { /* neither smooth nor alike anywhere */
        const uint32_t hash = (uint32_t)(i + 1) * 2654435761u;
        w->r[i] = (double)(hash >> 8) / (1 << 24) - 0.5;
    }
    for (; k < POWERS; k++) {
        const double along = apply_inverse(w), factor = k > 0 ? along / before : 0;
        if (!(along > 1e-28 * n) || turn_along(w, factor) == 0)
            break;
        const double slope = multiply(w);
        if (!(slope > 0))
            break;
        const double alpha = along / slope;
        diagonal[k] = 1 / alpha + (k > 0 ? factor / last : 0);
        if (k > 0)
            beside[k - 1] = sqrt(factor) / last;
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(n, 1))
        for (int64_t i = 0; i < n; i++)
            w->r[i] -= alpha * w->g[i];
        before = along;
        last = alpha;
    }
    return k > 0 ? largest_of(k, diagonal, beside) : 0;
}

static sw_status find_largest(const sw_blocks *a, const double *inverse, double *largest)
{
    const int64_t n = a->n_rows * a->height, pieces = (a->n_rows + PIECE - 1) / PIECE;
    double *vector;
    SW_TRY(SW_ALLOCATE(vector, 4 * n + pieces, "vector"));
    *largest = lanczos(
        &(powers){a, inverse, pieces, vector, vector + n, vector + 2 * n, vector + 3 * n, vector + 4 * n});
    free(vector);
    return *largest > 0 && isfinite(*largest)
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE, "the tangent is not positive, or not finite");
}

/* ---- Into single precision ---- */

static sw_status keep_values(int64_t n, const double *from, sw_cycle_real **to)
{
    SW_TRY(SW_ALLOCATE(*to, n, "multigrid"));
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(n, 1))
    for (int64_t i = 0; i < n; i++)
        (*to)[i] = (sw_cycle_real)from[i];
    return SW_OK;
}

/* Takes rows and columns of `from`, or copies them. */
static sw_status keep_blocks(sw_blocks *from, int takes, sw_cycle_blocks *to)
{
    const int64_t entries = from->row[from->n_rows];
    *to = (sw_cycle_blocks){.height = from->height,
                            .width = from->width,
                            .together = from->together,
                            .n_rows = from->n_rows,
                            .n_columns = from->n_columns};
    if (takes) {
        to->row = from->row;
        to->column = from->column;
        from->row = NULL;
        from->column = NULL;
    } else {
        SW_TRY(SW_ALLOCATE(to->row, from->n_rows + 1, "multigrid"));
        SW_TRY(SW_ALLOCATE(to->column, entries, "multigrid"));
        memcpy(to->row, from->row, (size_t)(from->n_rows + 1) * sizeof *to->row);
        memcpy(to->column, from->column, (size_t)entries * sizeof *to->column);
    }
    const int h = from->height, w = from->width;
    SW_TRY(SW_ALLOCATE(to->value, entries * h * w + SW_CYCLE_WIDTH, "multigrid"));
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < entries; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                to->value[(k * w + j) * h + i] = (sw_cycle_real)from->value[(k * h + i) * w + j];
    return SW_OK;
}

/* ---- The coarsest level ---- */

static void fill_dense(const sw_blocks *a, double *dense)
{
    const int b = a->height;
    const int64_t n = a->n_rows * b;
    for (int64_t i = 0; i < a->n_rows; i++)
        for (int64_t k = a->row[i]; k < a->row[i + 1]; k++)
            for (int r = 0; r < b; r++)
                for (int c = 0; c < b; c++)
                    dense[(i * b + r) * n + a->column[k] * b + c] += a->value[(k * b + r) * b + c];
}

/* Of a = L D L', by rows, in place, L and |D|: of a and twice what turns its negative pivots; a pivot of round-off is what nothing resists. Negative ones are those of an indefinite
 * matrix: left out as well, what they belong to were seen by no cycle, and conjugate gradients would stall at it. Returns
 * whether there are any. */
static int factorise(int64_t n, double *dense)
{
    int indefinite = 0;
    for (int64_t i = 0; i < n; i++) {
        double *row = dense + i * n;
        const double size = row[i];
        for (int64_t j = 0; j < i; j++) { /* row [j] becomes L D */
            const double *other = dense + j * n;
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int64_t k = 0; k < j; k++)
                sum += row[k] * other[k];
            row[j] -= sum;
        }
        double pivot = row[i];
        for (int64_t j = 0; j < i; j++) {
            const double l = row[j] * dense[j * n + j];
            pivot -= l * row[j];
            row[j] = l;
        }
        indefinite |= pivot < -1e-13 * size;
        row[i] = fabs(pivot) > 1e-13 * size ? 1 / fabs(pivot) : 0;
    }
    return indefinite;
}

/* L and D U by rows, in place: of tangents with friction or user materials. */
static void factorise_whole(int64_t n, double *dense)
{
    for (int64_t i = 0; i < n; i++) {
        double *row = dense + i * n;
        const double size = fabs(row[i]);
        for (int64_t k = 0; k < i; k++) {
            const double *other = dense + k * n, l = row[k] * other[k];
            row[k] = l;
            if (l == 0)
                continue;
#pragma omp simd
            for (int64_t j = k + 1; j < n; j++)
                row[j] -= l * other[j];
        }
        row[i] = fabs(row[i]) <= 1e-13 * size ? 0 : 1 / row[i];
    }
}

#define ROUND_OFF 1e-9 /* of the largest: what sums in another order leave between both halves */

static int is_skew(int64_t n, const double *dense)
{
    double most = 0, off = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            most = fmax(most, fabs(dense[i * n + j]));
            off = fmax(off, fabs(dense[i * n + j] - dense[j * n + i]));
        }
    return off > ROUND_OFF * most;
}

static sw_status keep_coarsest(const sw_blocks *a, sw_aggregation *g)
{
    const int64_t n = a->n_rows * a->height;
    if (n > DENSE)
        return SW_OK;
    g->n_coarsest = n;
    SW_TRY(SW_ALLOCATE(g->coarse, n, "coarsest level"));
    SW_TRY(SW_ALLOCATE(g->factor, n * n, "coarsest level"));
    fill_dense(a, g->factor);
    g->skew = is_skew(n, g->factor);
    if (g->skew)
        factorise_whole(n, g->factor);
    else
        g->indefinite = factorise(n, g->factor);
    return SW_OK;
}

/* ---- Levels ---- */

/* What a level is set up from, in double precision; `own`: it is released with it. */
typedef struct {
    sw_blocks a;
    double *motion, (*position)[3], *inverse;
    int own;
} stage;

static void drop(stage *s)
{
    if (s->own) {
        sw_blocks_free(&s->a);
        free(s->motion);
        free(s->position);
    }
    free(s->inverse);
    *s = (stage){0};
}

static sw_status allocate_vectors(int64_t n, sw_cycle_level *l)
{
    SW_TRY(SW_ALLOCATE(l->x, n, "multigrid"));
    SW_TRY(SW_ALLOCATE(l->right, n, "multigrid"));
    return SW_ALLOCATE(l->d, n, "multigrid");
}

/* The next stage, or none where nodes hardly become fewer: next->a without rows. */
static sw_status coarsen(stage *s, int m, sw_cycle_level *l, stage *next)
{
    int32_t *of = NULL;
    uint8_t *strong = NULL;
    int64_t n = 0;
    sw_blocks p = {0};
    sw_status status;
    *next = (stage){.own = 1};
    SW_TRY_GOTO(status, SW_ALLOCATE(of, s->a.n_rows, "aggregates"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(strong, s->a.row[s->a.n_rows], "aggregates"), end);
    SW_TRY_GOTO(status, sw_aggregate(&s->a, (const double(*)[3])s->position, strong, of, &n, &next->position),
                end);
    if ((double)n > STALLED * (double)s->a.n_rows)
        goto end;
    const sw_interpolation from = {.a = &s->a,
                                   .inverse = s->inverse,
                                   .motion = s->motion,
                                   .strong = strong,
                                   .aggregate_of = of,
                                   .n_aggregates = n,
                                   .damping = DAMPING / l->largest,
                                   .m = m};
    SW_TRY_GOTO(status, sw_interpolate(&from, &p, &next->motion), end);
    SW_TRY_GOTO(status, sw_galerkin(&s->a, &p, &next->a), end);
    SW_TRY_GOTO(status, keep_blocks(&p, 1, &l->p), end);
    status = sw_transpose_cycle(&l->p, &l->r);
end:
    free(of);
    free(strong);
    sw_blocks_free(&p);
    return status;
}

#define FEWER \
    3 /* times as few entries as on the finer level: two turns of each then cost at most 2/3 + 4/9 + ... = 2 times the first level */

static int64_t numbers_of(const sw_cycle_blocks *a)
{
    return a->row ? a->row[a->n_rows] * a->height * a->width : 0;
}

/* 2 but of the first level, which is most of a cycle, and of one that is hardly smaller. */
static int turns_of(const sw_aggregation *g, const stage *s)
{
    const int64_t own = s->a.row[s->a.n_rows] * s->a.height * s->a.width;
    return g->n_levels > 1 && FEWER * own <= numbers_of(&g->level[g->n_levels - 2].a) ? 2 : 1;
}

static sw_status add_level(sw_aggregation *g, stage *s, int m, stage *next)
{
    const int b = s->a.height;
    const int64_t n = s->a.n_rows * b;
    sw_cycle_level *l = &g->level[g->n_levels++];
    l->n = n;
    l->turns = turns_of(g, s);
    SW_TRY(allocate_vectors(n, l));
    if (n <= FEW || g->n_levels == SW_MOST_LEVELS)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(s->inverse, n * b, "diagonal blocks"));
    SW_TRY(invert_diagonal(&s->a, s->inverse));
    SW_TRY(find_largest(&s->a, s->inverse, &l->largest));
    SW_TRY(coarsen(s, m, l, next));
    if (next->a.row == NULL && n <= DENSE)
        return SW_OK;
    SW_TRY(keep_values(n * b, s->inverse, &l->inverse));
    return keep_blocks(&s->a, s->own && next->a.row, &l->a);
}

static sw_status build(sw_aggregation *g, stage *s, int m)
{
    stage next = {0};
    for (;;) {
        sw_status status = add_level(g, s, m, &next);
        if (status != SW_OK || next.a.row == NULL) {
            if (status == SW_OK)
                status = keep_coarsest(&s->a, g);
            drop(s);
            drop(&next);
            return status;
        }
        drop(s);
        *s = next;
        next = (stage){0};
    }
}

sw_status sw_aggregation_open(const sw_blocks *matrix, int m, const double *motion,
                              const double (*position)[3], sw_aggregation **result)
{
    sw_aggregation *g;
    *result = NULL;
    SW_TRY(SW_ALLOCATE(g, 1, "multigrid"));
    stage first = {.a = *matrix, .motion = (double *)motion, .position = (double(*)[3])position};
    const sw_status status = build(g, &first, m);
    if (status != SW_OK)
        sw_aggregation_close(g);
    else
        *result = g;
    return status;
}

static void free_cycle_blocks(sw_cycle_blocks *blocks)
{
    free(blocks->row);
    free(blocks->column);
    free(blocks->value);
}

void sw_aggregation_close(sw_aggregation *g)
{
    for (int k = 0; g && k < g->n_levels; k++) {
        sw_cycle_level *l = &g->level[k];
        free_cycle_blocks(&l->a);
        free_cycle_blocks(&l->p);
        free_cycle_blocks(&l->r);
        free(l->inverse);
        free(l->x);
        free(l->right);
        free(l->d);
    }
    if (g) {
        free(g->factor);
        free(g->coarse);
    }
    free(g);
}

int sw_aggregation_is_indefinite(const sw_aggregation *g) { return g->indefinite; }

int sw_aggregation_levels(const sw_aggregation *g) { return g->n_levels; }

static int64_t bytes_of(const sw_cycle_blocks *a)
{
    return a->row == NULL ? 0
                          : a->row[a->n_rows] * (4 + (int64_t)sizeof(sw_cycle_real) * a->height * a->width) +
                                a->n_rows * 8;
}

int64_t sw_aggregation_bytes(const sw_aggregation *g)
{
    int64_t sum = g->n_coarsest * g->n_coarsest * 8;
    for (int k = 0; k < g->n_levels; k++)
        sum += bytes_of(&g->level[k].a) + bytes_of(&g->level[k].p) + bytes_of(&g->level[k].r);
    return sum;
}
