#include "multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/threads.h"
#include "divided.h"
#include "online/fem/mesh/lattice.h"
#include "online/fem/periodic/periodic.h"

/* ---- One V-cycle ---- */

/* Of elastic boxes, more where they are hardly compressible; of the present tangent, over blocks (bench/LOG.md). */
enum { SMOOTHINGS = 2, MOST_SMOOTHINGS = 6, PRESENT_SMOOTHINGS = 4 };

static void smooth(const sw_fem_hierarchy *h, const sw_fem_cycle_functions *on, int level,
                   const sw_fem_cycle_vectors *v, int last)
{
    for (int k = 0; k < h->smoothings; k++) {
        const double a = k == 0 ? 0 : (2.0 * k - 1) / (2.0 * k + 3);
        const double b = (8.0 * k + 4) / (2.0 * k + 3) / h->level[level].largest;
        on->smooth(on->work, level, a, b, v->r, v->d, v->x);
        if (k + 1 < h->smoothings || !last)
            on->reduce(on->work, level, v->d, v->r);
    }
}

static void descend(const sw_fem_hierarchy *h, const sw_fem_cycle_functions *on, int level,
                    const sw_fem_cycle_vectors *vector)
{
    const sw_fem_cycle_vectors *v = &vector[level];
    if (level + 1 == h->n_levels) {
        on->coarsest(on->work, v->r, v->x);
        return;
    }
    on->clear(on->work, level, v->x);
    smooth(h, on, level, v, 0);
    on->restrict_(on->work, level, v->r, vector[level + 1].r);
    descend(h, on, level + 1, vector);
    on->prolong(on->work, level, vector[level + 1].x, v->d);
    on->add(on->work, level, v->d, v->x);
    on->reduce(on->work, level, v->d, v->r);
    smooth(h, on, level, v, 1);
}

void sw_fem_cycle(const sw_fem_hierarchy *hierarchy, const sw_fem_cycle_functions *on,
                  const sw_fem_cycle_vectors *vector)
{
    descend(hierarchy, on, 0, vector);
}

/* ---- Galerkin's matrices ---- */

/* Weights [child's node][coarse node], in local order, of part `offset` (bits) of a coarse cell. */
static void child_weights(const int factor[3], int offset, double weight[8][8])
{
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            weight[a][b] = 1;
            for (int i = 0; i < 3; i++) {
                const double at = (double)((offset >> i & 1) + (sw_fem_corner(a) >> i & 1)) / factor[i];
                weight[a][b] *= (sw_fem_corner(b) >> i & 1) ? at : 1 - at;
            }
        }
}

/* coarse += W' fine W, W without the rows of fixed unknowns (bits a node). */
static void add_child(const double weight[8][8], const double *fine, const uint8_t fixed[8], double *coarse)
{
    double half[24][24] = {{0}}; /* fine W */
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            if (weight[a][b] != 0)
                for (int i = 0; i < 24; i++)
                    for (int j = 0; j < 3; j++)
                        if (!(fixed[a] >> j & 1))
                            half[i][3 * b + j] += fine[24 * i + 3 * a + j] * weight[a][b];
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            if (weight[a][b] != 0)
                for (int i = 0; i < 3; i++)
                    if (!(fixed[a] >> i & 1))
                        for (int j = 0; j < 24; j++)
                            coarse[24 * (3 * b + i) + j] += weight[a][b] * half[3 * a + i][j];
}

/* Fixed bits of a cell's nodes. */
static void cell_fixed(const sw_fem_level *l, int64_t cell, uint8_t fixed[8])
{
    int64_t point[8];
    sw_fem_lattice_corners(l->n, cell, point);
    for (int a = 0; a < 8; a++)
        fixed[a] = l->fixed[l->node[point[a]]];
}

void sw_fem_add_galerkin(const sw_fem_level *fine, const sw_fem_level *coarse, int64_t child, int offset,
                         const double *matrix, double *to)
{
    double weight[8][8];
    uint8_t fixed[8];
    child_weights(coarse->factor, offset, weight);
    cell_fixed(fine, child, fixed);
    add_child((const double(*)[8])weight, matrix, fixed, to);
}

static const double *cell_matrix(const sw_fem_hierarchy *h, const sw_fem_level *l, int32_t kind)
{
    return kind < h->n_materials ? l->matrix[kind] : l->own[kind - h->n_materials];
}

/* Number of part `offset` of a coarse cell on the finer level, -1 where it ends before. */
int64_t sw_fem_child_cell(const sw_fem_level *fine, const sw_fem_level *coarse, int64_t cell, int offset)
{
    const int64_t at[3] = {cell % coarse->n[0], cell / coarse->n[0] % coarse->n[1],
                           cell / coarse->n[0] / coarse->n[1]};
    int64_t child[3];
    for (int i = 0; i < 3; i++) {
        child[i] = at[i] * coarse->factor[i] + (offset >> i & 1);
        if ((offset >> i & 1) >= coarse->factor[i] || child[i] >= fine->n[i])
            return -1;
    }
    return sw_fem_lattice_cell(fine->n, child[0], child[1], child[2]);
}

/* The kind of a coarse cell: void, its material when its parts are alike and every fixed unknown in it
 * follows from its fixed corners, else INT32_MAX. */
static int32_t coarse_kind(const sw_fem_hierarchy *h, const sw_fem_level *fine, const sw_fem_level *coarse,
                           int64_t cell)
{
    int32_t kind = -2;
    int mixed = 0, some = 0;
    uint8_t corner[8], fixed[8];
    for (int offset = 0; offset < 8; offset++) {
        if (((offset & 1) >= coarse->factor[0]) || ((offset >> 1 & 1) >= coarse->factor[1]) ||
            ((offset >> 2) >= coarse->factor[2]))
            continue;
        const int64_t child = sw_fem_child_cell(fine, coarse, cell, offset);
        const int32_t its = child < 0 ? -1 : fine->cell[child];
        mixed |= its < 0 || its >= h->n_materials || (kind != -2 && its != kind);
        some |= its >= 0;
        kind = its;
    }
    if (!some)
        return -1;
    if (mixed)
        return INT32_MAX;
    cell_fixed(coarse, cell, corner);
    for (int offset = 0; offset < 8; offset++) {
        const int64_t child = sw_fem_child_cell(fine, coarse, cell, offset);
        double weight[8][8];
        if (child < 0)
            continue;
        child_weights(coarse->factor, offset, weight);
        cell_fixed(fine, child, fixed);
        for (int a = 0; a < 8; a++) {
            uint8_t follows = 7;
            for (int b = 0; b < 8; b++)
                if (weight[a][b] != 0)
                    follows &= corner[b];
            if (fixed[a] & ~follows)
                return INT32_MAX;
        }
    }
    return kind;
}

/* ---- Levels ---- */

/* What a point, a cell and the eight cells of one take, ns. */
enum { POINT_NS = 3, CELL_NS = 3, PARTS_NS = 100 };

/* Largest eigenvalue of D^-1 K of an element over unknowns not fixed, by power iteration from a fixed
 * start. */
static double largest_of(const double *matrix, const uint8_t fixed[8])
{
    double x[24], y[24], value = 0;
    for (int i = 0; i < 24; i++)
        x[i] = ((i * 7) % 5) - 2 + 0.1 * i;
    for (int step = 0; step < 80; step++) {
        double norm = 0;
        for (int i = 0; i < 24; i++) {
            y[i] = 0;
            if ((fixed[i / 3] >> (i % 3) & 1) || !(matrix[25 * i] > 0))
                continue;
            for (int j = 0; j < 24; j++)
                if (!(fixed[j / 3] >> (j % 3) & 1))
                    y[i] += matrix[24 * i + j] * x[j];
            y[i] /= matrix[25 * i];
            norm = fmax(norm, fabs(y[i]));
        }
        if (!(norm > 0))
            return 0;
        value = norm;
        for (int i = 0; i < 24; i++)
            x[i] = y[i] / norm;
    }
    return value;
}

/* A node's numbers of the diagonal, whose sums are over its cells in their order. */
static void add_diagonal(const sw_fem_hierarchy *h, sw_fem_level *l, int64_t node)
{
    const int64_t w = l->n[0] + 1, v = l->n[1] + 1, point = l->point[node];
    const int64_t at[3] = {point % w, point / w % v, point / w / v};
    for (int side = 7; side >= 0; side--) { /* of the point, seen from the cell */
        const int64_t x = at[0] - (side & 1), y = at[1] - (side >> 1 & 1), z = at[2] - (side >> 2);
        if (x < 0 || y < 0 || z < 0 || x >= l->n[0] || y >= l->n[1] || z >= l->n[2])
            continue;
        const int32_t kind = l->cell[sw_fem_lattice_cell(l->n, x, y, z)];
        for (int i = 0; i < 3 && kind >= 0; i++)
            l->inverse[3 * node + i] += cell_matrix(h, l, kind)[25 * (3 * sw_fem_corner(side) + i)];
    }
}

/* Its inverse; what nothing holds is fixed. */
static void invert_diagonal(sw_fem_level *l, int64_t node)
{
    for (int i = 0; i < 3; i++) {
        double *diagonal = &l->inverse[3 * node + i];
        if (!(*diagonal > 0))
            l->fixed[node] |= (uint8_t)(1 << i);
        *diagonal = (l->fixed[node] >> i & 1) ? 0 : 1 / *diagonal;
    }
}

/* Blocks, diagonal and the largest eigenvalue. */
static sw_status finish_level(const sw_fem_hierarchy *h, sw_fem_level *l)
{
    const uint8_t none[8] = {0};
    SW_TRY(SW_ALLOCATE(l->blocks, h->n_materials, "blocks of a level"));
    SW_TRY(SW_ALLOCATE(l->inverse, l->n_nodes * 3, "diagonal of a level"));
    l->largest = 0;
    for (int i = 0; i < h->n_materials; i++) {
        sw_fem_blocks_of(l->matrix[i], &l->blocks[i]);
        l->largest = fmax(l->largest, largest_of(l->matrix[i], none));
    }
    double largest = l->largest;
#pragma omp parallel for reduction(max : largest)
    for (int64_t i = 0; i < l->n_own; i++) {
        uint8_t fixed[8], before[8];
        cell_fixed(l, l->own_cell[i], fixed);
        if (i > 0) { /* along a flat surface one is like the last */
            cell_fixed(l, l->own_cell[i - 1], before);
            /* NOLINTBEGIN(bugprone-suspicious-memory-comparison): the same bits are meant */
            if (memcmp(fixed, before, sizeof fixed) == 0 &&
                memcmp(l->own[i], l->own[i - 1], sizeof l->own[i]) == 0)
                continue;
            /* NOLINTEND(bugprone-suspicious-memory-comparison) */
        }
        largest = fmax(largest, largest_of(l->own[i], fixed));
    }
    /* Power iteration comes from below; 80 steps left less than this in all of thousands of random boxes. */
    l->largest = 1.05 * (h->divided ? sw_parallel_most(largest) : largest);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(l->n_nodes, PARTS_NS))
    for (int64_t node = 0; node < l->n_nodes; node++)
        add_diagonal(h, l, node);
    if (h->divided)
        SW_TRY(sw_fem_divided_sum(h, (int)(l - h->level), 3, l->inverse));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(l->n_nodes, POINT_NS))
    for (int64_t node = 0; node < l->n_nodes; node++)
        invert_diagonal(l, node);
    return SW_OK;
}

/* Cells with a matrix each, l->cell their numbers. */
static sw_status list_own(sw_fem_level *l)
{
    SW_TRY(SW_ALLOCATE(l->own_cell, l->n_own, "cells of a level"));
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (l->cell[cell] >= 0)
            l->own_cell[l->cell[cell]] = (int32_t)cell;
    return SW_OK;
}

/* Pa, what levels have of it. */
static double bulk_of(const sw_fem *fem, const sw_fem_material *m)
{
    return fem->options.linear == SW_FEM_SOLVE_MIXED ? sw_fem_soft_bulk(m) : sw_fem_bulk(m);
}

/* The finest level of the present tangent: a cell is its element's. */
static sw_status number_elements(sw_fem_hierarchy *h, const sw_fem_mesh *mesh, sw_fem_level *l)
{
    memcpy(l->cell, mesh->lattice->element, (size_t)sw_fem_lattice_cells(l->n) * sizeof *l->cell);
    l->n_own = mesh->n_elements;
    SW_TRY(SW_ALLOCATE(h->owner, mesh->n_nodes, "nodes of a level"));
    for (int64_t i = 0; i < 8 * mesh->n_elements; i++)
        h->owner[mesh->node[i]] = (int32_t)(i / 8);
    return list_own(l);
}

static sw_status finest_level(sw_fem_hierarchy *h, const sw_fem *fem, const sw_fem_view *view)
{
    const sw_fem_lattice *lattice = fem->problem->mesh->lattice;
    sw_fem_level *l = &h->level[0];
    if (lattice == NULL) /* refused before */
        return sw_error(SW_ERR_RANGE, "multigrid: the mesh has no lattice");
    h->n_levels = 1;
    l->largest = 1; /* present: the blocks are divided by it */
    memcpy(l->n, lattice->n, sizeof l->n);
    memcpy(l->size, lattice->size, sizeof l->size);
    l->n_nodes = fem->n_nodes;
    SW_TRY(SW_ALLOCATE(l->node, sw_fem_lattice_points(l->n), "nodes of a level"));
    memcpy(l->node, lattice->node, (size_t)sw_fem_lattice_points(l->n) * sizeof *l->node);
    l->n_counted = l->n_nodes;
    l->periodic[0] = l->periodic[1] = l->periodic[2] = h->periodic;
    if (h->divided)
        SW_TRY(sw_fem_divided_finest(h, l));
    else if (h->periodic)
        sw_fem_share_nodes(l);
    SW_TRY(sw_fem_place_nodes(l));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(l->n_nodes, POINT_NS))
    for (int64_t i = 0; i < l->n_nodes; i++)
        for (int j = 0; j < 3; j++)
            l->fixed[i] |= (uint8_t)((fem->fixed[3 * i + j] != 0) << j);
    SW_TRY(SW_ALLOCATE(l->cell, sw_fem_lattice_cells(l->n), "cells of a level"));
    if (h->present)
        return number_elements(h, fem->problem->mesh, l);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(sw_fem_lattice_cells(l->n), CELL_NS))
    for (int64_t i = 0; i < sw_fem_lattice_cells(l->n); i++)
        l->cell[i] = lattice->element[i] < 0 ? -1 : view->material_of[lattice->element[i]];
    SW_TRY(SW_ALLOCATE(l->matrix, h->n_materials, "matrices of a level"));
    for (int i = 0; i < h->n_materials; i++) {
        const sw_fem_material *m = &fem->problem->material[i];
        sw_fem_box_matrix(l->size, bulk_of(fem, m), sw_fem_shear(m), sw_fem_has_b_bar(fem->problem),
                          l->matrix[i]);
    }
    return finish_level(h, l);
}

/* Fixed bits of a coarse level: those of the fine nodes at the same places. */
static void coarse_fixed(const sw_fem_level *fine, sw_fem_level *coarse)
{
    const int64_t w = coarse->n[0] + 1, v = coarse->n[1] + 1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(coarse->n_nodes, POINT_NS))
    for (int64_t i = 0; i < coarse->n_nodes; i++) {
        const int64_t at[3] = {coarse->point[i] % w, coarse->point[i] / w % v, coarse->point[i] / w / v};
        int64_t f[3];
        int inside = 1;
        for (int j = 0; j < 3; j++) {
            f[j] = at[j] * coarse->factor[j];
            inside &= f[j] <= fine->n[j];
        }
        const int32_t node = inside ? fine->node[sw_fem_lattice_point(fine->n, f[0], f[1], f[2])] : -1;
        coarse->fixed[i] = node < 0 ? 0 : fine->fixed[node];
    }
}

/* Cells of the last level but one, over all processes. */
static const int32_t *whole_cells(const sw_fem_hierarchy *h)
{
    return h->divided ? sw_fem_divided_cells(h) : h->level[h->n_levels - 2].n;
}

static sw_status coarser_level(sw_fem_hierarchy *h)
{
    const sw_fem_level *fine = &h->level[h->n_levels - 1];
    sw_fem_level *l = &h->level[h->n_levels];
    h->n_levels++;
    l->largest = 1;
    int32_t whole[3];
    memcpy(whole, whole_cells(h), sizeof whole);
    memcpy(l->size, fine->size, sizeof l->size);
    sw_fem_lattice_halve(h->periodic, whole, l->size, l->factor);
    for (int i = 0; i < 3; i++)
        l->n[i] = (fine->n[i] + l->factor[i] - 1) / l->factor[i];
    const int64_t cells = sw_fem_lattice_cells(l->n);
    SW_TRY(SW_ALLOCATE(l->cell, cells, "cells of a level"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, PARTS_NS))
    for (int64_t cell = 0; cell < cells; cell++) { /* whether anything is there, first */
        l->cell[cell] = -1;
        for (int offset = 0; offset < 8; offset++) {
            const int64_t child = sw_fem_child_cell(fine, l, cell, offset);
            if (child >= 0 && fine->cell[child] >= 0)
                l->cell[cell] = 0;
        }
    }
    SW_TRY(h->divided ? sw_fem_divided_coarser(h, l) : sw_fem_number_level(l, h->periodic));
    coarse_fixed(fine, l);
    if (h->divided)
        SW_TRY(sw_fem_divided_fixed(h, h->n_levels - 1));
#pragma omp parallel for schedule(dynamic, 4096)
    for (int64_t cell = 0; cell < cells; cell++)
        l->cell[cell] = coarse_kind(h, fine, l, cell);
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (l->cell[cell] == INT32_MAX)
            l->cell[cell] = h->n_materials + (int32_t)l->n_own++;
    if (h->present)
        return list_own(l);
    SW_TRY(SW_ALLOCATE(l->own_cell, l->n_own, "cut cells of a level"));
    SW_TRY(SW_ALLOCATE(l->own, l->n_own, "cut cells of a level"));
    SW_TRY(SW_ALLOCATE(l->matrix, h->n_materials, "matrices of a level"));
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (l->cell[cell] >= h->n_materials)
            l->own_cell[l->cell[cell] - h->n_materials] = (int32_t)cell;
    const uint8_t none[8] = {0};
    for (int offset = 0; offset < 8; offset++) {
        double weight[8][8];
        if (((offset & 1) >= l->factor[0]) || ((offset >> 1 & 1) >= l->factor[1]) ||
            ((offset >> 2) >= l->factor[2]))
            continue;
        child_weights(l->factor, offset, weight);
        for (int i = 0; i < h->n_materials; i++)
            add_child((const double(*)[8])weight, fine->matrix[i], none, l->matrix[i]);
#pragma omp parallel for schedule(dynamic, 64)
        for (int64_t i = 0; i < l->n_own; i++) {
            uint8_t fixed[8];
            const int64_t child = sw_fem_child_cell(fine, l, l->own_cell[i], offset);
            if (child < 0 || fine->cell[child] < 0)
                continue;
            cell_fixed(fine, child, fixed);
            add_child((const double(*)[8])weight, cell_matrix(h, fine, fine->cell[child]), fixed, l->own[i]);
        }
    }
    return finish_level(h, l);
}

/* ---- The coarsest level ---- */

enum { FACTOR_NS = 2 }; /* of eight numbers */
#define DEPENDENT 1e-11 /* of its diagonal: what is left of a row that others make up, in double precision */

enum { SOME_ROWS = 64 };

/* Row i of what is to become U, less what rows from .. to - 1 of U take. */
static void take_rows(double *a, int64_t n, int64_t i, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++)
        for (int64_t k = i; k < n; k++)
            a[i * n + k] -= a[j * n + i] * a[j * n + k];
}

/* U' U of a symmetric matrix [n][n], U in its upper half, some rows at a time: what is added runs along rows, side by side in SIMD
 * lanes. Where supports lie between coarse nodes, or these beyond the body, some unknowns follow from others and the matrix is
 * only semidefinite: their rows and columns of U are zero but for an infinite diagonal. whole [n]: room. */
static void factor(double *a, int64_t n, double dependent, double *whole, int *indefinite)
{
    for (int64_t j = 0; j < n; j++)
        whole[j] = a[j * n + j];
    for (int64_t first = 0; first < n; first += SOME_ROWS) {
        const int64_t end = first + SOME_ROWS < n ? first + SOME_ROWS : n;
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(SOME_ROWS *first *(n - first) / 8, FACTOR_NS))
        for (int64_t i = first; i < end; i++)
            take_rows(a, n, i, 0, first);
        for (int64_t j = first; j < end; j++) {
            double *row = a + j * n;
            take_rows(a, n, j, first, j);
            if (row[j] > dependent * whole[j]) {
                const double by = 1 / sqrt(row[j]);
                for (int64_t k = j; k < n; k++)
                    row[k] *= by;
                continue;
            }
            *indefinite |= !(row[j] >= -dependent * fabs(whole[j]));
            for (int64_t k = 0; k < n; k++)
                a[k < j ? k * n + j : j * n + k] = 0;
            row[j] = INFINITY;
        }
    }
}

/* V = U'^-1, lower, some columns at a time, each of all rows before the next. */
static void invert_factor(const double *u, int64_t n, double *v)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(sw_threads_for(n *n *n / 48, FACTOR_NS))
    for (int64_t first = 0; first < n; first += SOME_ROWS)
        for (int64_t i = first; i < n; i++) {
            const int64_t last = i < first + SOME_ROWS ? i + 1 : first + SOME_ROWS;
            double *row = v + i * n;
            for (int64_t k = first; k < i; k++) {
                const int64_t end = k + 1 < last ? k + 1 : last;
                for (int64_t c = first; c < end; c++)
                    row[c] -= u[k * n + i] * v[k * n + c];
            }
            if (i < last)
                row[i] = 1;
            for (int64_t c = first; c < last; c++)
                row[c] /= u[i * n + i];
        }
}

/* The inverse of a symmetric matrix [n][n], in place: V' V. Unknowns that follow from others have rows and columns that are zero,
 * which makes it a generalised one. */
static sw_status invert(double *a, int64_t n, double dependent, int *indefinite)
{
    double *v;
    SW_TRY(SW_ALLOCATE(v, n * (n + 1), "coarsest level"));
    factor(a, n, dependent, v + n * n, indefinite);
    invert_factor(a, n, v);
#pragma omp parallel for schedule(dynamic, 8) num_threads(sw_threads_for(n *n *n / 48, FACTOR_NS))
    for (int64_t i = 0; i < n; i++) {
        double *row = a + i * n;
        memset(row, 0, (size_t)(i + 1) * sizeof *row);
        for (int64_t k = i; k < n; k++)
            for (int64_t j = 0; j <= i; j++)
                row[j] += v[k * n + i] * v[k * n + j];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            a[i * n + j] = a[j * n + i];
    free(v);
    return SW_OK;
}

void sw_fem_add_to_coarsest(sw_fem_hierarchy *h, int64_t cell, const double *matrix)
{
    const sw_fem_level *l = &h->level[h->n_levels - 1];
    int64_t point[8];
    sw_fem_lattice_corners(l->n, cell, point);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            h->coarsest[(3 * (int64_t)l->node[point[i / 3]] + i % 3) * h->n_coarsest +
                        3 * (int64_t)l->node[point[j / 3]] + j % 3] += matrix[24 * i + j];
}

sw_status sw_fem_invert_coarsest(sw_fem_hierarchy *h, double dependent, int *indefinite)
{
    const sw_fem_level *l = &h->level[h->n_levels - 1];
    const int64_t n = h->n_coarsest;
    for (int64_t i = 0; i < n; i++)
        if (l->fixed[i / 3] >> (i % 3) & 1) {
            for (int64_t j = 0; j < n; j++)
                h->coarsest[i * n + j] = h->coarsest[j * n + i] = 0;
            h->coarsest[i * n + i] = 1;
        }
    SW_TRY(invert(h->coarsest, n, dependent, indefinite));
    for (int64_t i = 0; i < n; i++)
        if (l->fixed[i / 3] >> (i % 3) & 1)
            h->coarsest[i * n + i] = 0;
    return SW_OK;
}

static sw_status solve_coarsest(sw_fem_hierarchy *h)
{
    const sw_fem_level *l = &h->level[h->n_levels - 1];
    int indefinite = 0; /* of an elastic body it is not */
    h->n_coarsest = 3 * l->n_nodes;
    SW_TRY(SW_ALLOCATE(h->coarsest, h->n_coarsest * h->n_coarsest, "coarsest level"));
    if (h->present)
        return SW_OK;
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (l->cell[cell] >= 0)
            sw_fem_add_to_coarsest(h, cell, cell_matrix(h, l, l->cell[cell]));
    return sw_fem_invert_coarsest(h, DEPENDENT, &indefinite);
}

/* That of the present tangent is inverted for each Newton iteration: some 10 ms at 100 nodes. */
enum { COARSEST_NODES = 350, PRESENT_COARSEST_NODES = 100 };

/* Whether each cell has a matrix of its own. */
static int is_present(const sw_fem_problem *p)
{
    return p->strain == SW_FEM_FINITE || p->periodic || !sw_fem_has_boxes(p->mesh) ||
           sw_fem_measure_of(p) == SW_FEM_MEASURE_MATTER;
}

/* Whether a level has fewer nodes than this one, all of which are `nodes` and cells n: not of a periodic body without
 * an even number of cells to halve, which it was checked for. */
static int can_coarsen(const sw_fem_hierarchy *h, const int32_t n[3], int64_t nodes)
{
    const int64_t most = h->periodic  ? SW_FEM_COARSEST_PERIODIC
                         : h->present ? PRESENT_COARSEST_NODES
                                      : COARSEST_NODES;
    return nodes > most && h->n_levels < SW_FEM_MOST_LEVELS &&
           (!h->periodic || n[0] % 2 == 0 || n[1] % 2 == 0 || n[2] % 2 == 0);
}

/* The root of bulk over shear modulus, as which iterations by any one number go up. */
static int smoothings_of(const sw_fem *fem, int present)
{
    double most = SMOOTHINGS;
    for (int i = 0; i < fem->problem->n_materials && !present; i++) {
        const sw_fem_material *m = &fem->problem->material[i];
        most = fmax(most, sqrt(bulk_of(fem, m) / sw_fem_shear(m)));
    }
    return present ? PRESENT_SMOOTHINGS : (int)lround(fmin(most, MOST_SMOOTHINGS));
}

/* Levels after those that there are. */
static sw_status coarsen_all(sw_fem_hierarchy *h)
{
    while (can_coarsen(h, h->level[h->n_levels - 1].n, h->level[h->n_levels - 1].n_nodes))
        SW_TRY(coarser_level(h));
    SW_TRY(solve_coarsest(h));
    sw_phase("analysis");
    return SW_OK;
}

sw_status sw_fem_hierarchy_build(const sw_fem *fem, const sw_fem_view *view, sw_fem_hierarchy *h)
{
    memset(h, 0, sizeof *h);
    sw_phase("hierarchy");
    h->present = is_present(fem->problem);
    h->periodic = fem->problem->periodic;
    h->smoothings = smoothings_of(fem, h->present);
    h->n_materials = h->present ? 0 : fem->problem->n_materials;
    SW_TRY(sw_fem_divided_open(fem, h));
    SW_TRY(finest_level(h, fem, view));
    if (!h->divided)
        return coarsen_all(h);
    while (sw_fem_divided_goes_on(h) && can_coarsen(h, sw_fem_divided_cells(h), sw_fem_divided_nodes(h)))
        SW_TRY(coarser_level(h));
    return SW_OK;
}

sw_status sw_fem_hierarchy_rest(const sw_fem_hierarchy *divided, sw_fem_hierarchy *rest)
{
    memset(rest, 0, sizeof *rest);
    rest->present = divided->present;
    rest->periodic = divided->periodic;
    rest->smoothings = divided->smoothings;
    rest->n_materials = divided->n_materials;
    rest->n_levels = 1;
    SW_TRY(sw_fem_divided_whole(divided, &rest->level[0]));
    if (!rest->present)
        SW_TRY(finish_level(rest, &rest->level[0]));
    return coarsen_all(rest);
}

void sw_fem_hierarchy_release(sw_fem_hierarchy *h)
{
    for (int i = 0; i < h->n_levels; i++) {
        sw_fem_level *l = &h->level[i];
        free(l->node);
        free(l->point);
        free(l->cell);
        free(l->own_cell);
        free(l->own);
        free(l->fixed);
        free(l->matrix);
        free(l->blocks);
        free(l->inverse);
    }
    free(h->coarsest);
    free(h->owner);
    sw_fem_divided_close(h->divided);
    memset(h, 0, sizeof *h);
}
