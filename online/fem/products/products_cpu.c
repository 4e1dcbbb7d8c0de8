/* Products on the CPU: a register of elements at a time, one a lane; passes one after the other, so that sums do not depend
 * on threads. */
#include "common/math/lanes_doubles.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "groups.h"

enum { LANES = SW_LANES, POINT_NS = 60, PIECE = 4096 };

/* ---- A bundle ---- */

/* Of its elements: numbers by component and node. */
typedef struct {
    sw_real x[3][SW_FORMULATION_NODES], p[3][SW_FORMULATION_NODES], f[3][SW_FORMULATION_NODES];
} bundle;

/* Lanes without an element have the first one's. */
static int32_t element_of(const int32_t *element, int lane)
{
    return element[lane] < 0 ? element[0] : element[lane];
}

static inline __attribute__((always_inline)) void gather(int V, const sw_products *p, const int32_t *node,
                                                         const int32_t *element, const double *from,
                                                         bundle *b)
{
    for (int l = 0; l < LANES; l++) {
        const int32_t *at = node + (int64_t)element_of(element, l) * V;
        for (int a = 0; a < V; a++)
            for (int i = 0; i < 3; i++) {
                sw_set_lane(&b->x[i][a], l, p->position[at[a]][i]);
                if (from != NULL)
                    sw_set_lane(&b->p[i][a], l, from[3 * (int64_t)at[a] + i]);
            }
    }
    memset(b->f, 0, sizeof b->f);
}

static inline __attribute__((always_inline)) void scatter(int V, const int32_t *node, const int32_t *element,
                                                          const bundle *b, double *to)
{
    for (int l = 0; l < LANES && element[l] >= 0; l++) {
        const int32_t *at = node + (int64_t)element[l] * V;
        for (int a = 0; a < V; a++)
            for (int i = 0; i < 3; i++)
                to[3 * (int64_t)at[a] + i] += sw_lane(b->f[i][a], l);
    }
}

/* Tangents of point q. */
static inline __attribute__((always_inline)) void take_tangents(const sw_product_group *g, int kind, int q,
                                                                const int32_t *element, sw_real *t)
{
    double by_lane[SW_PRODUCT_GENERAL_SIZE][LANES];
    const int n = sw_product_size(kind);
    for (int l = 0; l < LANES; l++) {
        const int32_t e = element_of(element, l);
        const double *of = kind == SW_PRODUCT_UNIFORM ? g->uniform[e] : g->own[e] + (int64_t)q * n;
        for (int k = 0; k < n; k++)
            by_lane[k][l] = of[k];
    }
    memcpy(t, by_lane, (size_t)n * sizeof *t);
}

static inline __attribute__((always_inline)) sw_real place(int V, const double *slope, double weight,
                                                           const bundle *b, sw_real inverse[3][3])
{
    sw_real j[3][3], row[3];
    for (int i = 0; i < 3; i++)
        sw_product_gather(V, b->x[i], b->x[i], slope, j[i], row);
    return weight * sw_product_invert((const sw_real(*)[3])j, inverse);
}

static inline __attribute__((always_inline)) void strain_bundle(int V, int kind, const sw_product_group *g,
                                                                const int32_t *element, bundle *b)
{
    sw_real t[SW_PRODUCT_GENERAL_SIZE];
    for (int q = 0; q < g->Q; q++) {
        const double *slope = g->slope + (int64_t)q * g->stride;
        sw_real j[3][3], r[3][3], inverse[3][3], h[3][3], full[3][3];
        for (int i = 0; i < 3; i++)
            sw_product_gather(V, b->x[i], b->p[i], slope, j[i], r[i]);
        const sw_real weight = g->weight[q] * sw_product_invert((const sw_real(*)[3])j, inverse);
        for (int i = 0; i < 3; i++)
            sw_product_turn(r[i], (const sw_real(*)[3])inverse, h[i]);
        if (q == 0 || kind != SW_PRODUCT_UNIFORM)
            take_tangents(g, kind, q, element, t);
        sw_product_stress(kind, t, (const sw_real(*)[3])h, full);
        for (int i = 0; i < 3; i++) {
            sw_real row[3];
            sw_product_pull(full[i], (const sw_real(*)[3])inverse, weight, row);
            sw_product_scatter(V, row, slope, b->f[i]);
        }
    }
}

/* A node's block [9] of each element: the forces that unit displacements of the node meet it with. */
static inline __attribute__((always_inline)) void find_blocks(int V, int kind, const sw_product_group *g,
                                                              const int32_t *element, const bundle *b,
                                                              sw_real block[][9])
{
    sw_real t[SW_PRODUCT_GENERAL_SIZE];
    memset(block, 0, (size_t)V * sizeof *block);
    for (int q = 0; q < g->Q; q++) {
        const double *slope = g->slope + (int64_t)q * g->stride;
        sw_real inverse[3][3];
        const sw_real weight = place(V, slope, g->weight[q], b, inverse);
        take_tangents(g, kind, q, element, t);
        for (int a = 0; a < V; a++) {
            const sw_real of[3] = {sw_broadcast(slope[3 * a]), sw_broadcast(slope[3 * a + 1]),
                                   sw_broadcast(slope[3 * a + 2])};
            sw_real at[3];
            sw_product_turn(of, (const sw_real(*)[3])inverse, at);
            for (int k = 0; k < 3; k++) {
                sw_real h[3][3] = {{{0}}}, s[3][3];
                memcpy(h[k], at, sizeof at);
                sw_product_stress(kind, t, (const sw_real(*)[3])h, s);
                for (int i = 0; i < 3; i++)
                    block[a][3 * i + k] += weight * (s[i][0] * at[0] + s[i][1] * at[1] + s[i][2] * at[2]);
            }
        }
    }
}

/* ---- Lists ---- */

typedef void for_bundle(const sw_products *p, const sw_product_group *g, const int32_t *element,
                        const double *from, double *to);

static inline __attribute__((always_inline)) void multiply_bundle(int V, int kind, const sw_products *p,
                                                                  const sw_product_group *g,
                                                                  const int32_t *element, const double *from,
                                                                  double *to)
{
    bundle b;
    gather(V, p, g->node, element, from, &b);
    strain_bundle(V, kind, g, element, &b);
    scatter(V, g->node, element, &b, to);
}

static inline __attribute__((always_inline)) void add_blocks(int V, int kind, const sw_products *p,
                                                             const sw_product_group *g,
                                                             const int32_t *element, double *to)
{
    bundle b;
    sw_real block[SW_FORMULATION_NODES][9];
    gather(V, p, g->node, element, NULL, &b);
    find_blocks(V, kind, g, element, &b, block);
    for (int l = 0; l < LANES && element[l] >= 0; l++)
        for (int a = 0; a < V; a++) {
            double *at = to + 9 * (int64_t)g->node[(int64_t)element[l] * V + a];
            for (int i = 0; i < 9; i++)
                at[i] += sw_lane(block[a][i], l);
        }
}

/* By the number of nodes and the kind, both constants to the functions above. */
#define EACH_SIZE(X) X(4) X(6) X(8) X(10) X(15) X(20)
#define EACH_KIND(X, V) X(V, SW_PRODUCT_UNIFORM) X(V, SW_PRODUCT_FLOWING) X(V, SW_PRODUCT_GENERAL)
#define FUNCTIONS(V, kind)                                                                    \
    static void multiply_##V##_##kind(const sw_products *p, const sw_product_group *g,        \
                                      const int32_t *element, const double *from, double *to) \
    {                                                                                         \
        multiply_bundle(V, kind, p, g, element, from, to);                                    \
    }
#define OF_SIZE(V) EACH_KIND(FUNCTIONS, V)
EACH_SIZE(OF_SIZE)

#define NAME(V, kind) [kind] = multiply_##V##_##kind,
#define ROW(V) [V] = {EACH_KIND(NAME, V)},
static for_bundle *const multiply_by[SW_FORMULATION_NODES + 1][SW_PRODUCT_KINDS] = {EACH_SIZE(ROW)};

/* Diagonal blocks are asked for once a tangent: of any size. */
static void diagonal_of(int kind, const sw_products *p, const sw_product_group *g, const int32_t *element,
                        double *to)
{
    if (kind == SW_PRODUCT_UNIFORM)
        add_blocks(g->V, SW_PRODUCT_UNIFORM, p, g, element, to);
    else if (kind == SW_PRODUCT_FLOWING)
        add_blocks(g->V, SW_PRODUCT_FLOWING, p, g, element, to);
    else
        add_blocks(g->V, SW_PRODUCT_GENERAL, p, g, element, to);
}

static void multiply_group(const sw_products *p, const sw_product_group *g, const double *from, double *to)
{
    for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++) {
        const sw_product_list *list = &g->list[kind];
        for (int pass = 0; pass < list->n_passes; pass++) {
            const int64_t first = list->pass[pass], last = list->pass[pass + 1];
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for((last - first) * g->Q, 0.25 * POINT_NS * g->V))
            for (int64_t b = first; b < last; b++)
                multiply_by[g->V][kind](p, g, list->element + b * LANES, from, to);
        }
    }
}

/* y += K x of one item. */
static void multiply_item(const sw_product_matrices *m, int32_t i, const double *from, double *to)
{
    double y[SW_FORMULATION_UNKNOWNS] = {0};
    const int n = m->rows;
    const int32_t *unknown = m->unknown + (int64_t)i * n;
    const double *column = m->matrix + (int64_t)i * n * n;
    for (int c = 0; c < n; c++, column += n) {
        const double x = unknown[c] >= 0 ? from[unknown[c]] : 0;
        for (int r = 0; r < n; r++)
            y[r] += column[r] * x;
    }
    for (int r = 0; r < n; r++)
        if (unknown[r] >= 0)
            to[unknown[r]] += y[r];
}

static void multiply_matrices(const sw_product_matrices *m, const double *from, double *to)
{
    const sw_product_list *list = &m->list;
    for (int pass = 0; pass < list->n_passes; pass++) {
        const int64_t first = list->pass[pass], last = list->pass[pass + 1];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for((last - first) * m->rows, m->rows))
        for (int64_t b = first; b < last; b++)
            multiply_item(m, list->element[b], from, to);
    }
}

static sw_status multiply(sw_products *p, const double *from, double *to)
{
    memset(to, 0, (size_t)p->n_unknowns * sizeof *to);
    for (int k = 0; k < p->n_groups; k++)
        multiply_group(p, &p->group[k], from, to);
    for (int k = 0; k < p->n_sizes; k++)
        multiply_matrices(&p->matrices[k], from, to);
    return SW_OK;
}

/* ---- The diagonal ---- */

static void add_matrix_blocks(const sw_product_matrices *m, int32_t e, double *block)
{
    const int n = m->rows;
    const int32_t *unknown = m->unknown + (int64_t)e * n;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (unknown[r] >= 0 && unknown[c] >= 0 && unknown[r] / 3 == unknown[c] / 3)
                block[9 * (int64_t)(unknown[r] / 3) + 3 * (unknown[r] % 3) + unknown[c] % 3] +=
                    m->matrix[((int64_t)e * n + c) * n + r];
}

void sw_products_diagonal(sw_products *p)
{
    memset(p->block, 0, (size_t)(9 * p->n_nodes) * sizeof *p->block);
    for (int k = 0; k < p->n_groups; k++)
        for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++) {
            const sw_product_group *g = &p->group[k];
            const sw_product_list *list = &g->list[kind];
            for (int pass = 0; pass < list->n_passes; pass++) {
                const int64_t first = list->pass[pass], last = list->pass[pass + 1];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for((last - first) * g->Q, POINT_NS * g->V))
                for (int64_t b = first; b < last; b++)
                    diagonal_of(kind, p, g, list->element + b * LANES, p->block);
            }
        }
    for (int k = 0; k < p->n_sizes; k++)
        for (int64_t b = 0; b < p->matrices[k].list.n_bundles; b++)
            add_matrix_blocks(&p->matrices[k], p->matrices[k].list.element[b], p->block);
}

/* ---- Vectors ---- */

typedef struct {
    double *piece; /* of sums */
    const sw_products_ties *ties, *users;
    const double *block;
} cpu_work;

static sw_status open_cpu(sw_products *p)
{
    cpu_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "products"));
    p->work = work;
    return SW_ALLOCATE(work->piece, p->n_unknowns / PIECE + 1, "sums");
}

static void close_cpu(sw_products *p)
{
    cpu_work *work = p->work;
    double *const vector[] = {p->fem.p, p->fem.g, p->fem.z, p->x, p->r};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        free(vector[i]);
    for (int i = 0; i < SW_FEM_MOST_KRYLOV; i++)
        free(p->fem.krylov[i]);
    if (work != NULL)
        free(work->piece);
    free(work);
}

static sw_status ready(sw_products *p)
{
    (void)p;
    return SW_OK;
}

static sw_status tie(sw_products *p, const sw_products_ties *ties, const sw_products_ties *users,
                     const double *block)
{
    cpu_work *work = p->work;
    work->ties = ties;
    work->users = users;
    work->block = block;
    return SW_OK;
}

static sw_products *of(const sw_fem *fem) { return fem->work; }

static sw_status allocate(sw_fem *fem, double **vector)
{
    return SW_ALLOCATE(*vector, fem->n_unknowns, "vector");
}

static sw_status copy(sw_fem *fem, const double *from, double *to)
{
    memcpy(to, from, (size_t)fem->n_unknowns * sizeof *to);
    return SW_OK;
}

static int threads_of(const sw_fem *fem) { return sw_threads_for(fem->n_unknowns, SW_FEM_UNKNOWN_NS); }

static sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
#pragma omp parallel for simd schedule(static) num_threads(threads_of(fem))
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        y[i] = (a == 0 ? 0 : a * x[i]) + (b == 0 ? 0 : b * y[i]);
    return SW_OK;
}

static double sum_of(const sw_fem *fem)
{
    const double *piece = ((cpu_work *)of(fem)->work)->piece;
    double sum = 0;
    for (int64_t i = 0; i * PIECE < fem->n_unknowns; i++)
        sum += piece[i];
    return sum;
}

static int64_t end_of(const sw_fem *fem, int64_t piece)
{
    return (piece + 1) * PIECE < fem->n_unknowns ? (piece + 1) * PIECE : fem->n_unknowns;
}

static sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    double *piece = ((cpu_work *)of(fem)->work)->piece;
#pragma omp parallel for schedule(static) num_threads(threads_of(fem))
    for (int64_t k = 0; k < (fem->n_unknowns + PIECE - 1) / PIECE; k++) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = k * PIECE; i < end_of(fem, k); i++)
            sum += x[i] * y[i];
        piece[k] = sum;
    }
    *result = sum_of(fem);
    return SW_OK;
}

static sw_status free_part(sw_fem *fem, double *x)
{
    const uint8_t *held = ((cpu_work *)of(fem)->work)->ties->held;
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        x[i] = held[i] ? 0 : x[i];
    return SW_OK;
}

static sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square)
{
    double *piece = ((cpu_work *)of(fem)->work)->piece;
#pragma omp parallel for schedule(static) num_threads(threads_of(fem))
    for (int64_t k = 0; k < (fem->n_unknowns + PIECE - 1) / PIECE; k++) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = k * PIECE; i < end_of(fem, k); i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * g[i];
            sum += r[i] * r[i];
        }
        piece[k] = sum;
    }
    *square = sum_of(fem);
    return SW_OK;
}

/* T' K T p: what follows from p's free unknowns is written into it. */
static sw_status tied_product(sw_fem *fem, const double *given, double *g)
{
    const cpu_work *work = of(fem)->work;
    const sw_products_ties *t = work->ties, *users = work->users;
    double *p = (double *)given;
    for (int64_t k = 0; k < t->n_rows; k++) {
        double sum = 0;
        for (int64_t i = t->first[k]; i < t->first[k + 1]; i++)
            sum += t->coefficient[i] * p[t->free[i]];
        p[t->dependent[k]] = sum;
    }
    SW_TRY(multiply(of(fem), p, g));
    for (int64_t k = 0; k < users->n_rows; k++)
        for (int64_t i = users->first[k]; i < users->first[k + 1]; i++)
            g[users->free[k]] += users->coefficient[i] * g[users->dependent[i]];
    return free_part(fem, g);
}

static sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    const double *block = ((cpu_work *)of(fem)->work)->block;
#pragma omp parallel for schedule(static) num_threads(threads_of(fem))
    for (int64_t n = 0; n < fem->n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            const double *row = block + 9 * n + 3 * i, *at = r + 3 * n;
            z[3 * n + i] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2];
        }
    return SW_OK;
}

static sw_status wait(sw_fem *fem)
{
    (void)fem;
    return SW_OK;
}

const sw_products_functions sw_products_cpu = {.vectors = {.allocate = allocate,
                                                           .upload = copy,
                                                           .download = copy,
                                                           .combine = combine,
                                                           .dot = dot,
                                                           .free_part = free_part,
                                                           .advance = advance,
                                                           .product = tied_product,
                                                           .precondition = precondition,
                                                           .wait = wait},
                                               .open = open_cpu,
                                               .close = close_cpu,
                                               .ready = ready,
                                               .tie = tie,
                                               .multiply = multiply};
