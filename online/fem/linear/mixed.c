/* Displacements and a pressure a cell, for elastic lattices that are hardly compressible, on the CPU.
 *
 * With mean dilatation a cell's stiffness against volume is (bulk / V) b b', b u its growth. What of the bulk modulus is
 * beyond SW_FEM_SOFT_BULK shear moduli is left to pressures p = c^-1 B u, c = V / (bulk - soft bulk):
 *
 *     A u + B' p = f,  B u - c p = 0,
 *
 * by minimal residuals (Paige and Saunders 1975, SIAM J. Numer. Anal. 12, 617), preconditioned by a cycle of A's multigrid
 * and, for the pressures, by their mass over twice the shear modulus and, where they are rough, half of S^-1, S = B D B' with
 * D the inverse of A's diagonal: one pressure a cell has modes like a chequerboard, in planes, which displacements hardly
 * see, whose share in what A^-1 leaves of the pressures is as small as in S, and which the mass does not know. Rough is what
 * differs from the mean of 2 x 2 x 2 cells. S^-1 is Chebyshev's polynomial over Jacobi's, whose products take a few per cent
 * of a cycle each. It ends by the residual of the displacements' own equations, f - K u.
 *
 * Dimensions: P points and C cells of the lattice; those that are void have pressure 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/system/threads.h"
#include "linear.h"
#include "online/fem/law/law.h"
#include "online/fem/mesh/lattice.h"
#include "online/fem/operators/voxel_product.h"
#include "online/fem/precondition/present.h"

typedef float scale; /* of what is the same each time */

enum { POWERS = 20, CELL_NS = 4, MOST_DEGREE = 256, VECTORS = 13 };
#define SAFETY 1.1 /* of powers, which come from below */
#define ROUGH 0.5  /* of S^-1 (bench/LOG.md) */

/* Arrays of the cells: pressures' part of vectors, room of multiply() and of the polynomial, and what the lattice gives: 1 / (c + V / 2
 * shear), and 1 / c, N/m^8; 0: no pressure. */
enum { V0, V1, V2, Z1, Z2, PRODUCT, HELD, RIGHT, REST, TURN, SUM, MASS, STIFF, OF_CELLS };

typedef struct {
    const int32_t *n, *node; /* the lattice's, [P] */
    int64_t P, C;
    double weight[3];     /* m^2: b of a cell has it, with the signs of its corners */
    double *of[OF_CELLS]; /* [C] */
    /* Of S, weights over the largest one, D over its largest; in single precision S^-1 is not quite linear, and takes twice the iterations. */
    double largest_weight, unit_of_S;
    double unit[3];
    scale *inverse[3]; /* [P] unit times D, 0 where fixed */
    scale *over;       /* [C] inverse of S's diagonal; 0: no pressure */
    double *nothing;   /* [n0] zeros: a row beyond the lattice */
    double *flow[3];   /* [P] D B' p */
    double largest;    /* eigenvalue of S over its diagonal */
    int degree;
} mixed;

const char *sw_fem_not_mixed(const sw_fem_problem *p)
{
    int elastic = 1;
    for (int i = 0; i < p->n_materials; i++)
        elastic &= p->material[i].crystals == NULL && p->material[i].matter == NULL &&
                   isinf(p->material[i].yield_stress);
    return p->strain != SW_FEM_SMALL ? "at finite strains"
           : p->kinematics != SW_FEM_SOLID || !sw_fem_has_boxes(p->mesh)
               ? "of what is no solid of equal boxes"
           : p->periodic            ? "of a periodic body"
           : !elastic               ? "of materials that are not elastic throughout"
           : !sw_fem_has_b_bar(p)   ? "without mean dilatation (b_bar)"
           : sw_parallel_size() > 1 ? "over several processes"
                                    : NULL;
}

/* ---- B, B' and S ---- */

enum { CHUNK = 256 }; /* of a row, so that what is summed up stays near */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Points first .. first + n - 1 of row (., y, z): flow = D B' cells. */
static void push_points(const mixed *m, const double *cells, int64_t y, int64_t z, int64_t first, int64_t n)
{
    double all[CHUNK + 1], in_y[CHUNK + 1], in_z[CHUNK + 1];
    const int64_t from = first > 0 ? 0 : 1,
                  to = least(n, m->n[0] - first); /* cells, the first is first - 1 */
    const double *row[4];                         /* from its cell first - 1 + from on */
    for (int k = 0; k < 4; k++) {                 /* a point is at the cells' other side */
        const int64_t at_y = y - 1 + (k & 1), at_z = z - 1 + (k >> 1);
        const int beyond = at_y < 0 || at_z < 0 || at_y >= m->n[1] || at_z >= m->n[2];
        row[k] =
            (beyond ? m->nothing : cells + sw_fem_lattice_cell(m->n, 0, at_y, at_z)) + (first - 1 + from);
    }
    const double *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    all[0] = in_y[0] = in_z[0] = all[n] = in_y[n] = in_z[n] = 0;
    for (int64_t i = 0; i <= to - from; i++) {
        all[from + i] = a[i] + b[i] + c[i] + d[i];
        in_y[from + i] = a[i] - b[i] + c[i] - d[i];
        in_z[from + i] = a[i] + b[i] - c[i] - d[i];
    }
    const int64_t at = sw_fem_lattice_point(m->n, first, y, z);
    const scale *restrict dx = m->inverse[0] + at, *restrict dy = m->inverse[1] + at,
                          *restrict dz = m->inverse[2] + at;
    double *restrict x_part = m->flow[0] + at, *restrict y_part = m->flow[1] + at,
                     *restrict z_part = m->flow[2] + at;
    for (int64_t i = 0; i < n; i++) {
        x_part[i] = dx[i] * (all[i] - all[i + 1]);
        y_part[i] = dy[i] * (in_y[i] + in_y[i + 1]);
        z_part[i] = dz[i] * (in_z[i] + in_z[i + 1]);
    }
}

/* flow = D B' cells. */
static void push(const mixed *m, const double *cells)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(m->P, CELL_NS))
    for (int64_t z = 0; z <= m->n[2]; z++)
        for (int64_t y = 0; y <= m->n[1]; y++)
            for (int64_t x = 0; x <= m->n[0]; x += CHUNK)
                push_points(m, cells, y, z, x, least(CHUNK, m->n[0] + 1 - x));
}

/* Cells first .. first + n - 1 of row (., y, z): to = B flow. */
static void gather_cells(const mixed *m, int64_t y, int64_t z, int64_t first, int64_t n, double *restrict to)
{
    const double *row[3][4];
    double x_part[CHUNK + 1], y_part[CHUNK + 1], z_part[CHUNK + 1];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            row[i][k] = m->flow[i] + sw_fem_lattice_point(m->n, first, y + (k & 1), z + (k >> 1));
    const double *const *fx = row[0], *const *fy = row[1], *const *fz = row[2];
    for (int64_t i = 0; i <= n; i++) {
        x_part[i] = m->unit[0] * (fx[0][i] + fx[1][i] + fx[2][i] + fx[3][i]);
        y_part[i] = m->unit[1] * (fy[1][i] - fy[0][i] + fy[3][i] - fy[2][i]);
        z_part[i] = m->unit[2] * (fz[2][i] - fz[0][i] + fz[3][i] - fz[1][i]);
    }
    for (int64_t i = 0; i < n; i++)
        to[i] = x_part[i + 1] - x_part[i] + y_part[i] + y_part[i + 1] + z_part[i] + z_part[i + 1];
}

/* cells = B flow, 0 where there is no pressure. */
static void gather(const mixed *m, double *cells)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(m->C, CELL_NS))
    for (int64_t z = 0; z < m->n[2]; z++)
        for (int64_t y = 0; y < m->n[1]; y++)
            for (int64_t x = 0; x < m->n[0]; x += CHUNK) {
                const int64_t at = sw_fem_lattice_cell(m->n, x, y, z), n = least(CHUNK, m->n[0] - x);
                gather_cells(m, y, z, x, n, cells + at);
                for (int64_t i = at; i < at + n; i++)
                    cells[i] = m->over[i] > 0 ? cells[i] : 0;
            }
}

/* rest -= B flow; turn = keep turn + step rest over S's diagonal; sum += turn. */
static void step_on(const mixed *m, double keep, double step)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(m->C, CELL_NS))
    for (int64_t z = 0; z < m->n[2]; z++)
        for (int64_t y = 0; y < m->n[1]; y++)
            for (int64_t x = 0; x < m->n[0]; x += CHUNK) {
                double less[CHUNK];
                const int64_t at = sw_fem_lattice_cell(m->n, x, y, z), n = least(CHUNK, m->n[0] - x);
                const scale *restrict over = m->over + at;
                double *restrict rest = m->of[REST] + at, *restrict turn = m->of[TURN] + at,
                                 *restrict sum = m->of[SUM] + at;
                gather_cells(m, y, z, x, n, less);
                for (int64_t i = 0; i < n; i++) {
                    rest[i] -= less[i];
                    turn[i] = keep * turn[i] + step * over[i] * rest[i];
                    sum[i] += turn[i];
                }
            }
}

/* to = S^-1 from, about: the same polynomial each time, positive. May be in place. */
static void solve(const mixed *m, const double *from, double *to)
{
    const double most = m->largest, low = most * 4 / ((double)m->degree * m->degree);
    const double middle = (most + low) / 2, half = (most - low) / 2, sigma = middle / half;
    double rho = 1 / sigma;
    for (int64_t i = 0; i < m->C; i++) {
        m->of[REST][i] = from[i];
        m->of[TURN][i] = 1 / middle * m->over[i] * from[i];
        m->of[SUM][i] = m->of[TURN][i];
    }
    for (int k = 1; k < m->degree; k++) {
        const double next = 1 / (2 * sigma - rho);
        push(m, m->of[TURN]);
        step_on(m, next * rho, 2 * next / half);
        rho = next;
    }
    memcpy(to, m->of[SUM], (size_t)m->C * sizeof *to);
}

/* ---- Between the lattice and the body ---- */

/* b of cell (x, y, z) at corner k, component i. */
static double sign_of(int k, int i) { return (k >> i & 1) ? 1 : -1; }

static int64_t corner_of(const mixed *m, int64_t cell, int k)
{
    const int64_t x = cell % m->n[0], y = cell / m->n[0] % m->n[1], z = cell / m->n[0] / m->n[1];
    return sw_fem_lattice_point(m->n, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
}

/* p = B u. */
static void growth(const mixed *m, const double *u, double *p)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(8 * m->C, CELL_NS))
    for (int64_t cell = 0; cell < m->C; cell++) {
        double sum = 0;
        for (int k = 0; k < 8 && m->over[cell] > 0; k++)
            for (int i = 0; i < 3; i++)
                sum += m->weight[i] * sign_of(k, i) * u[3 * (int64_t)m->node[corner_of(m, cell, k)] + i];
        p[cell] = sum;
    }
}

/* f += factor B' p, a node's sum in the order of its cells. */
static void add_forces(const mixed *m, double factor, const double *p, double *f)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(8 * m->P, CELL_NS))
    for (int64_t z = 0; z < m->n[2] + 1; z++)
        for (int64_t y = 0; y <= m->n[1]; y++)
            for (int64_t x = 0; x <= m->n[0]; x++) {
                const int64_t node = m->node[sw_fem_lattice_point(m->n, x, y, z)];
                for (int k = 0; k < 8 && node >= 0; k++) {
                    const int64_t at[3] = {x - (k & 1), y - (k >> 1 & 1), z - (k >> 2)};
                    int inside = 1;
                    for (int i = 0; i < 3; i++)
                        inside &= at[i] >= 0 && at[i] < m->n[i];
                    const double push_of = inside ? p[sw_fem_lattice_cell(m->n, at[0], at[1], at[2])] : 0;
                    for (int i = 0; i < 3; i++)
                        f[3 * node + i] += factor * m->weight[i] * sign_of(k, i) * push_of;
                }
            }
}

/* g = K u, a = A u = g - B' c^-1 B u, where free; growth: B u. */
static sw_status multiply(sw_fem *fem, const mixed *m, const double *u, double *g, double *a, double *grown)
{
    SW_TRY(sw_fem_timed_product(fem, u, g));
    SW_TRY(fem->backend->free_part(fem, g));
    growth(m, u, grown);
    double *held = m->of[HELD];
    for (int64_t i = 0; i < m->C; i++)
        held[i] = m->of[STIFF][i] * grown[i];
    SW_TRY(fem->backend->combine(fem, 1, g, 0, a));
    add_forces(m, -1, held, a);
    return fem->backend->free_part(fem, a);
}

/* cells less their mean in blocks of 2 x 2 x 2, of those with pressures. */
static void take_roughness(const mixed *m, double *cells)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(m->C, CELL_NS))
    for (int64_t z = 0; z < m->n[2]; z += 2)
        for (int64_t y = 0; y < m->n[1]; y += 2)
            for (int64_t x = 0; x < m->n[0]; x += 2) {
                int64_t at[8], count = 0;
                double sum = 0;
                for (int k = 0; k < 8; k++) {
                    const int64_t i = x + (k & 1), j = y + (k >> 1 & 1), l = z + (k >> 2);
                    if (i < m->n[0] && j < m->n[1] && l < m->n[2] &&
                        m->over[sw_fem_lattice_cell(m->n, i, j, l)] > 0)
                        at[count++] = sw_fem_lattice_cell(m->n, i, j, l);
                }
                for (int64_t k = 0; k < count; k++)
                    sum += cells[at[k]];
                for (int64_t k = 0; k < count; k++)
                    cells[at[k]] -= sum / count;
            }
}

/* to = from over the pressures' mass, and half of S^-1 where they are rough. */
static void precondition_pressures(const mixed *m, const double *from, double *to)
{
    memcpy(m->of[RIGHT], from, (size_t)m->C * sizeof *from);
    take_roughness(m, m->of[RIGHT]);
    solve(m, m->of[RIGHT], m->of[RIGHT]);
    take_roughness(m, m->of[RIGHT]);
    for (int64_t i = 0; i < m->C; i++)
        to[i] = m->of[MASS][i] * from[i] + ROUGH / m->unit_of_S * m->of[RIGHT][i];
}

/* ---- Open and close ---- */

static void close_mixed(void *opaque)
{
    mixed *m = opaque;
    if (!m)
        return;
    for (int i = 0; i < 3; i++) {
        free(m->inverse[i]);
        free(m->flow[i]);
    }
    for (int i = 0; i < OF_CELLS; i++)
        free(m->of[i]);
    free(m->over);
    free(m->nothing);
    free(m);
}

static sw_status allocate(mixed *m)
{
    for (int i = 0; i < 3; i++) {
        SW_TRY(SW_ALLOCATE(m->inverse[i], m->P, "pressures"));
        SW_TRY(SW_ALLOCATE(m->flow[i], m->P, "pressures"));
    }
    for (int i = 0; i < OF_CELLS; i++)
        SW_TRY(SW_ALLOCATE(m->of[i], m->C, "pressures"));
    SW_TRY(SW_ALLOCATE(m->nothing, m->n[0], "pressures"));
    return SW_ALLOCATE(m->over, m->C, "pressures");
}

/* stiff, and D's inverse, a node's sum over its cells; the largest number of D. */
static sw_status take_cells(const sw_fem *fem, mixed *m, double *diagonal, double *most)
{
    const sw_fem_problem *p = fem->problem;
    const sw_fem_lattice *of = p->mesh->lattice;
    const double volume = of->size[0] * of->size[1] * of->size[2];
    double(*own)[3];
    SW_TRY(SW_ALLOCATE(own, p->n_materials, "pressures"));
    for (int k = 0; k < p->n_materials; k++) {
        double matrix[24 * 24];
        sw_fem_box_matrix(of->size, sw_fem_soft_bulk(&p->material[k]), sw_fem_shear(&p->material[k]), 1,
                          matrix);
        for (int i = 0; i < 3; i++)
            own[k][i] = matrix[25 * i];
    }
    for (int64_t cell = 0; cell < m->C; cell++) {
        if (of->element[cell] < 0)
            continue;
        const int k = p->material_of ? p->material_of[of->element[cell]] : 0;
        m->of[STIFF][cell] = (sw_fem_bulk(&p->material[k]) - sw_fem_soft_bulk(&p->material[k])) / volume;
        if (m->of[STIFF][cell] > 0)
            m->of[MASS][cell] = 1 / (1 / m->of[STIFF][cell] + volume / (2 * sw_fem_shear(&p->material[k])));
        for (int c = 0; c < 8; c++)
            for (int i = 0; i < 3; i++)
                diagonal[3 * corner_of(m, cell, c) + i] += own[k][i];
    }
    free(own);
    *most = 0;
    for (int64_t i = 0; i < 3 * m->P; i++) {
        const int64_t node = m->node[i / 3];
        diagonal[i] = node >= 0 && !fem->fixed[3 * node + i % 3] ? 1 / diagonal[i] : 0;
        *most = fmax(*most, diagonal[i]);
    }
    return SW_OK;
}

static void take_diagonal(mixed *m)
{
    for (int64_t cell = 0; cell < m->C; cell++) {
        double sum = 0;
        for (int c = 0; c < 8; c++)
            for (int i = 0; i < 3; i++)
                sum += m->unit[i] * m->inverse[i][corner_of(m, cell, c)];
        m->over[cell] = (scale)(m->of[STIFF][cell] > 0 && sum > 0 ? 1 / sum : 0);
        m->of[STIFF][cell] = m->over[cell] > 0 ? m->of[STIFF][cell] : 0;
        m->of[MASS][cell] = m->over[cell] > 0 ? m->of[MASS][cell] : 0;
    }
}

/* By the growth of scattered numbers under S over its diagonal. */
static void find_largest(mixed *m)
{
    double now = 0, before;
    for (int64_t i = 0; i < m->C; i++)
        m->of[TURN][i] = m->over[i] > 0 ? sw_fem_scattered(i) : 0;
    m->largest = 1;
    for (int k = 0; k < POWERS; k++) {
        push(m, m->of[TURN]);
        gather(m, m->of[RIGHT]);
        before = now = 0;
        for (int64_t i = 0; i < m->C; i++) {
            before += (double)m->of[TURN][i] * m->of[TURN][i];
            m->of[TURN][i] = m->of[RIGHT][i] * m->over[i];
            now += (double)m->of[TURN][i] * m->of[TURN][i];
        }
        if (!(now > 0))
            return;
        m->largest = SAFETY * sqrt(now / before);
        for (int64_t i = 0; i < m->C; i++)
            m->of[TURN][i] /= sqrt(now);
    }
}

static sw_status open_mixed(sw_fem *fem, void **work)
{
    const sw_fem_lattice *of = fem->problem->mesh->lattice;
    double *diagonal, most;
    mixed *m;
    SW_TRY(SW_ALLOCATE(m, 1, "pressures"));
    *work = m;
    m->n = of->n;
    m->node = of->node;
    m->P = sw_fem_lattice_points(of->n);
    m->C = sw_fem_lattice_cells(of->n);
    for (int i = 0; i < 3; i++) {
        m->weight[i] = of->size[(i + 1) % 3] * of->size[(i + 2) % 3] / 4;
        m->largest_weight = fmax(m->largest_weight, m->weight[i]);
        m->degree = 3 * of->n[i] / 2 > m->degree ? 3 * of->n[i] / 2 : m->degree;
    }
    m->degree = m->degree > MOST_DEGREE ? MOST_DEGREE : m->degree < 8 ? 8 : m->degree;
    SW_TRY(allocate(m));
    SW_TRY(SW_ALLOCATE(diagonal, 3 * m->P, "pressures"));
    const sw_status status = take_cells(fem, m, diagonal, &most);
    for (int i = 0; i < 3; i++)
        m->unit[i] = m->weight[i] / m->largest_weight;
    for (int64_t i = 0; i < 3 * m->P && status == SW_OK && most > 0; i++)
        m->inverse[i % 3][i / 3] = (scale)(m->unit[i % 3] * diagonal[i] / most);
    free(diagonal);
    SW_TRY(status);
    m->unit_of_S = m->largest_weight * m->largest_weight * most;
    take_diagonal(m);
    find_largest(m);
    return sw_fem_need_vectors(fem, VECTORS);
}

/* ---- Minimal residuals ---- */

typedef struct {
    double *u, *p; /* of displacements, and of pressures [C] */
} both;

typedef struct {
    both v[3], z[2], product;
    double *w[3], *kw[3], *kz;
    double length[2];          /* of v before and now, in the preconditioner's norm */
    double cosine[2], sine[2]; /* before and now */
    double eta;
} minres;

static sw_status dot(sw_fem *fem, const mixed *m, both a, both b, double *product)
{
    SW_TRY(fem->backend->dot(fem, a.u, b.u, product));
    double sum = 0;
    for (int64_t i = 0; i < m->C; i++)
        sum += a.p[i] * b.p[i];
    *product += sum;
    return SW_OK;
}

/* y = a x + b y. */
static sw_status combine(sw_fem *fem, const mixed *m, double a, both x, double b, both y)
{
    for (int64_t i = 0; i < m->C; i++)
        y.p[i] = a * x.p[i] + b * y.p[i];
    return fem->backend->combine(fem, a, x.u, b, y.u);
}

/* z of number k (0, 1) = M^-1 v of number j; *length: v z's root. */
static sw_status precondition(sw_fem *fem, mixed *m, minres *s, int j, int k, double *length)
{
    double square;
    SW_TRY(sw_fem_timed_precondition(fem, s->v[j].u, s->z[k].u));
    precondition_pressures(m, s->v[j].p, s->z[k].p);
    SW_TRY(dot(fem, m, s->v[j], s->z[k], &square));
    if (!(square >= 0))
        return sw_error(SW_ERR_CONVERGENCE, "linear mixed: the preconditioner is not positive");
    *length = sqrt(square);
    return SW_OK;
}

/* product = [A B'; B -c] z, kz = K z; *slope: z product. */
static sw_status apply(sw_fem *fem, mixed *m, minres *s, double *slope)
{
    const both z = s->z[0], product = s->product;
    SW_TRY(multiply(fem, m, z.u, s->kz, product.u, product.p));
    for (int64_t i = 0; i < m->C; i++)
        product.p[i] -= m->of[STIFF][i] > 0 ? z.p[i] / m->of[STIFF][i] : 0;
    add_forces(m, 1, z.p, product.u);
    SW_TRY(fem->backend->free_part(fem, product.u));
    return dot(fem, m, product, z, slope);
}

/* v[2] = product - slope / length v[1] - length / before v[0]. */
static sw_status next_vector(sw_fem *fem, mixed *m, minres *s, double slope)
{
    SW_TRY(combine(fem, m, 1, s->product, 0, s->v[2]));
    SW_TRY(combine(fem, m, -slope / s->length[1], s->v[1], 1, s->v[2]));
    return combine(fem, m, -s->length[1] / s->length[0], s->v[0], 1, s->v[2]);
}

/* w[2] = (z - far w[0] - near w[1]) / by, likewise of K. */
static sw_status next_direction(sw_fem *fem, minres *s, double far, double near, double by)
{
    const sw_fem_backend *on = fem->backend;
    double **const set[] = {s->w, s->kw};
    for (int i = 0; i < 2; i++) {
        SW_TRY(on->combine(fem, 1 / by, i ? s->kz : s->z[0].u, 0, set[i][2]));
        SW_TRY(on->combine(fem, -far / by, set[i][0], 1, set[i][2]));
        SW_TRY(on->combine(fem, -near / by, set[i][1], 1, set[i][2]));
    }
    return SW_OK;
}

static void turn(double *vector[3])
{
    double *first = vector[0];
    vector[0] = vector[1];
    vector[1] = vector[2];
    vector[2] = first;
}

/* One iteration: x and r go on; *square: r r. */
static sw_status iterate(sw_fem *fem, mixed *m, minres *s, double *x, double *r, double *square)
{
    const sw_fem_backend *on = fem->backend;
    double slope, next;
    SW_TRY(combine(fem, m, 0, s->z[0], 1 / s->length[1], s->z[0]));
    SW_TRY(apply(fem, m, s, &slope));
    SW_TRY(next_vector(fem, m, s, slope));
    SW_TRY(precondition(fem, m, s, 2, 1, &next));
    const double diagonal = s->cosine[1] * slope - s->cosine[0] * s->sine[1] * s->length[1];
    const double by = hypot(diagonal, next);
    const double near = s->sine[1] * slope + s->cosine[0] * s->cosine[1] * s->length[1];
    if (!(by > 0))
        return sw_error(SW_ERR_CONVERGENCE, "linear mixed: the tangent is singular");
    SW_TRY(next_direction(fem, s, s->sine[0] * s->length[1], near, by));
    const double step = diagonal / by * s->eta;
    SW_TRY(on->combine(fem, step, s->w[2], 1, x));
    SW_TRY(on->combine(fem, -step, s->kw[2], 1, r));
    SW_TRY(on->dot(fem, r, r, square));
    s->cosine[0] = s->cosine[1];
    s->cosine[1] = diagonal / by;
    s->sine[0] = s->sine[1];
    s->sine[1] = next / by;
    s->eta *= -s->sine[1];
    s->length[0] = s->length[1];
    s->length[1] = next;
    turn(s->w);
    turn(s->kw);
    const both v = s->v[0], z = s->z[0];
    memmove(s->v, s->v + 1, 2 * sizeof *s->v);
    s->v[2] = v;
    s->z[0] = s->z[1];
    s->z[1] = z;
    return SW_OK;
}

static sw_status begin(sw_fem *fem, mixed *m, minres *s, const double *r)
{
    const sw_fem_backend *on = fem->backend;
    double **vector = fem->krylov, **of = m->of;
    *s = (minres){.v = {{vector[0], of[V0]}, {vector[1], of[V1]}, {vector[2], of[V2]}},
                  .z = {{vector[3], of[Z1]}, {vector[4], of[Z2]}},
                  .product = {vector[5], of[PRODUCT]},
                  .w = {vector[6], vector[7], vector[8]},
                  .kw = {vector[9], vector[10], vector[11]},
                  .kz = fem->g,
                  .length = {1, 0},
                  .cosine = {1, 1}};
    double *const zero[] = {s->v[0].u, s->w[0], s->w[1], s->kw[0], s->kw[1]};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        SW_TRY(on->combine(fem, 0, r, 0, zero[i]));
    SW_TRY(on->combine(fem, 1, r, 0, s->v[1].u));
    memset(of[V0], 0, (size_t)m->C * sizeof(double));
    memset(of[V1], 0, (size_t)m->C * sizeof(double));
    SW_TRY(precondition(fem, m, s, 1, 0, &s->length[1]));
    s->eta = s->length[1];
    return SW_OK;
}

/* r = given - K x; *square: r r. */
static sw_status find_residual(sw_fem *fem, const double *given, const double *x, double *r, double *square)
{
    const sw_fem_backend *on = fem->backend;
    SW_TRY(sw_fem_free_product(fem, x, fem->g));
    SW_TRY(on->combine(fem, 1, given, 0, r));
    SW_TRY(on->combine(fem, -1, fem->g, 1, r));
    return on->dot(fem, r, r, square);
}

/* What minimal residuals make smaller each time, s.eta, in the preconditioner's norm; f - K u may grow first. Rounding turns
 * vectors astray in time. */
#define FALLEN 1e-12   /* of the first: begun anew from there */
enum { STALLED = 60 }; /* iterations that did not halve it */

/* From x and r on until r r is enough, or the method's own residual no longer falls or has fallen enough. */
static sw_status run(sw_fem *fem, mixed *m, double *x, double *r, double enough, double *square,
                     int *iterations)
{
    minres s;
    SW_TRY(begin(fem, m, &s, r));
    const double first = fabs(s.eta);
    double best = first;
    for (int since = 0; since < STALLED && fabs(s.eta) > FALLEN * first; since++) {
        SW_TRY(iterate(fem, m, &s, x, r, square));
        if ((++*iterations & 15) == 0)
            SW_TRY(sw_interrupt_check());
        if (*square <= enough || *iterations >= fem->options.most_cg)
            return SW_OK;
        if (fabs(s.eta) < best / 2) {
            best = fabs(s.eta);
            since = 0;
        }
    }
    return SW_OK;
}

static sw_status solve_mixed(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    const sw_fem_backend *on = fem->backend;
    mixed *m = fem->linear_work;
    double *given = fem->krylov[VECTORS - 1], first, square, before = INFINITY;
    SW_TRY(on->combine(fem, 0, r, 0, x));
    SW_TRY(on->combine(fem, 1, r, 0, given));
    SW_TRY(on->dot(fem, r, r, &first));
    if (!(first > 0) || !isfinite(first))
        return first == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the residual is not finite");
    for (square = first; square < before / 4 && *iterations < fem->options.most_cg;) {
        before = square;
        SW_TRY(run(fem, m, x, r, tolerance * tolerance * first, &square, iterations));
        if (square <= tolerance * tolerance * first)
            return SW_OK;
        SW_TRY(find_residual(fem, given, x, r, &square));
    }
    return sw_error(SW_ERR_CONVERGENCE, "linear mixed: |r| / |r_0| = %.3g after %d iterations: need %.3g",
                    sqrt(square / first), *iterations, tolerance);
}

const sw_fem_linear_functions sw_fem_mixed = {.open = open_mixed, .close = close_mixed, .solve = solve_mixed};
