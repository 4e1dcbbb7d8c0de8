#include "present_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "divided.h"
#include "online/fem/element/measure.h"
#include "online/fem/mesh/lattice.h"

/* ---- Matrices ---- */

/* Of the elastic tangent, on the present geometry where there is one. */
static void elastic_matrix(const sw_fem_view *view, int64_t e, double *matrix)
{
    const sw_fem_stiffness stiffness = {
        .bulk = view->bulk[view->material_of[e]], .shear = view->shear[view->material_of[e]], .ratio = 1};
    double x[3][8] = {{0}};
    sw_fem_gather(3, view->node + 8 * e, view->at ? view->at : view->position, 3, x);
    for (int j = 0; j < 24; j++)
        sw_fem_element_column(SW_FEM_SOLID, view, (const double(*)[8])x, &stiffness, 1, j, matrix + 24 * j);
}

/* The symmetric parts of the blocks of nodes that are this element's. */
static void add_nodal(const sw_fem_view *view, const int32_t *owner, int64_t e, double *matrix)
{
    for (int a = 0; a < 8; a++) {
        const int64_t node = view->node[8 * e + a];
        const double *block = view->nodal + 9 * node;
        for (int i = 0; i < 9 && owner[node] == e; i++)
            matrix[24 * (3 * a + i / 3) + 3 * a + i % 3] += 0.5 * (block[i] + block[i % 3 * 3 + i / 3]);
    }
}

static __attribute__((noinline)) void fill_cell(const sw_fem_view *view, const int32_t *owner, int elastic,
                                                int64_t e, float *to)
{
    double matrix[24 * 24];
    if (elastic)
        elastic_matrix(view, e, matrix);
    else
        sw_fem_measures[view->measure]->matrix[SW_FEM_SOLID](view, e, matrix);
    if (view->nodal)
        add_nodal(view, owner, e, matrix);
    for (int i = 0; i < 24 * 24; i++) /* of polycrystals' the symmetric part */
        to[i] = (float)(0.5 * (matrix[i] + matrix[24 * (i % 24) + i / 24]));
}

static sw_status fill(void *opaque, const sw_fem_view *view, int elastic)
{
    const sw_fem_present *work = opaque;
    const sw_fem_level *l = &work->hierarchy->level[0];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(l->n_own, 20 * SW_FEM_MATRIX_NS))
    for (int64_t e = 0; e < l->n_own; e++)
        fill_cell(view, work->hierarchy->owner, elastic, e, work->level[0].matrix[e]);
    return SW_OK;
}

static sw_status put(void *opaque, const sw_fem_cell_matrix *matrix)
{
    const sw_fem_present *work = opaque;
    memcpy(work->level[0].matrix, matrix, (size_t)work->hierarchy->level[0].n_own * sizeof *matrix);
    return SW_OK;
}

static __attribute__((noinline)) void coarsen_cell(const sw_fem_present *work, int level, int64_t own)
{
    const sw_fem_level *fine = &work->hierarchy->level[level - 1], *l = fine + 1;
    double matrix[24 * 24] = {0}, wide[24 * 24];
    float *to = work->level[level].matrix[own];
    for (int offset = 0; offset < 8; offset++) {
        const int64_t child = sw_fem_child_cell(fine, l, l->own_cell[own], offset);
        if (child < 0 || fine->cell[child] < 0)
            continue;
        const float *from = work->level[level - 1].matrix[fine->cell[child]];
        for (int i = 0; i < 24 * 24; i++)
            wide[i] = from[i];
        sw_fem_add_galerkin(fine, l, child, offset, wide, matrix);
    }
    for (int i = 0; i < 24 * 24; i++)
        to[i] = (float)matrix[i];
}

static sw_status coarsen(void *opaque, int level)
{
    const sw_fem_present *work = opaque;
    const int64_t n = work->hierarchy->level[level].n_own;
#pragma omp parallel for schedule(dynamic, 16) num_threads(sw_threads_for(n, 200 * SW_FEM_MATRIX_NS))
    for (int64_t own = 0; own < n; own++)
        coarsen_cell(work, level, own);
    return SW_OK;
}

/* ---- Blocks ---- */

static void add_blocks(const sw_fem_level *l, int64_t own, const float *matrix, double (*block)[9])
{
    int64_t point[8];
    sw_fem_lattice_corners(l->n, l->own_cell[own], point);
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 9; i++)
            block[l->node[point[a]]][i] += matrix[24 * (3 * a + i / 3) + 3 * a + i % 3];
}

static sw_status invert(void *opaque, int level, int *indefinite)
{
    const sw_fem_present *work = opaque;
    const sw_fem_level *l = &work->hierarchy->level[level];
    double(*block)[9] = work->level[level].inverse;
    int wrong = 0;
    memset(block, 0, (size_t)l->n_nodes * sizeof *block);
    for (int64_t own = 0; own < l->n_own; own++)
        add_blocks(l, own, work->level[level].matrix[own], block);
    if (work->hierarchy->divided)
        SW_TRY(sw_fem_divided_sum(work->hierarchy, level, 9, block[0]));
#pragma omp parallel for schedule(static) reduction(|        \
                                                    : wrong) \
    num_threads(sw_threads_for(l->n_nodes, SW_FEM_PRODUCT_NS))
    for (int64_t i = 0; i < l->n_nodes; i++)
        wrong |= !sw_fem_invert_node(l->fixed[i], block[i]);
    *indefinite |= wrong;
    return SW_OK;
}

static sw_status scale(void *opaque, int level, double by)
{
    const sw_fem_present *work = opaque;
    double *block = work->level[level].inverse[0];
    for (int64_t i = 0; i < 9 * work->hierarchy->level[level].n_nodes; i++)
        block[i] *= by;
    return SW_OK;
}

static sw_status last_cells(void *opaque, sw_fem_cell_matrix *matrix)
{
    const sw_fem_present *work = opaque;
    const int last = work->hierarchy->n_levels - 1;
    memcpy(matrix, work->level[last].matrix, (size_t)work->hierarchy->level[last].n_own * sizeof *matrix);
    return SW_OK;
}

static sw_status keep_coarsest(void *opaque)
{
    (void)opaque; /* the cycle reads the hierarchy's */
    return SW_OK;
}

/* ---- Vectors ---- */

static sw_status start(void *opaque, int level, void *d, void *r)
{
    const sw_fem_present *work = opaque;
    const sw_fem_level *l = &work->hierarchy->level[level];
    double *direction = d;
    for (int64_t i = 0; d && i < 3 * l->n_nodes; i++)
        direction[i] = (l->fixed[i / 3] >> (i % 3) & 1)
                           ? 0
                           : sw_fem_scattered(l->number ? 3 * (int64_t)l->number[i / 3] + i % 3 : i);
    memset(r, 0, (size_t)(3 * l->n_nodes) * sizeof(double));
    return SW_OK;
}

/* In one order, whatever the number of threads. */
static sw_status dot(void *opaque, int level, const void *x, const void *y, double *result)
{
    const sw_fem_present *work = opaque;
    const double *a = x, *b = y;
    double sum = 0;
    for (int64_t i = 0; i < 3 * work->hierarchy->level[level].n_counted; i++)
        sum += a[i] * b[i];
    *result = sum;
    return SW_OK;
}

/* ---- For the cycle ---- */

void sw_fem_present_reduce_cpu(const sw_fem_present *present, int level, int64_t own, const double *d,
                               double *r)
{
    const sw_fem_level *l = &present->hierarchy->level[level];
    const float *matrix = present->level[level].matrix[own];
    double u[24], f[24] = {0};
    int64_t at[8];
    sw_fem_lattice_corners(l->n, l->own_cell[own], at);
    for (int a = 0; a < 8; a++) {
        at[a] = 3 * (int64_t)l->node[at[a]];
        for (int i = 0; i < 3; i++)
            u[3 * a + i] = d[at[a] + i];
    }
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 24; i++)
            f[i] += (double)matrix[24 * j + i] * u[j];
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++)
            r[at[a] + i] -= f[3 * a + i];
}

void sw_fem_present_smooth_cpu(const sw_fem_present *present, int level, int64_t first, int64_t last,
                               double a, double b, const double *r, double *d, double *x)
{
    for (int64_t i = first; i < last; i++) {
        const double *inverse = present->level[level].inverse[i];
        for (int j = 0; j < 3; j++) {
            const double step = inverse[3 * j] * r[3 * i] + inverse[3 * j + 1] * r[3 * i + 1] +
                                inverse[3 * j + 2] * r[3 * i + 2];
            const double next = (a == 0 ? 0 : a * d[3 * i + j]) + b * step;
            d[3 * i + j] = next;
            x[3 * i + j] += next;
        }
    }
}

/* ---- Open and close ---- */

sw_status sw_fem_present_open_cpu(sw_fem_hierarchy *hierarchy, sw_fem_present *present)
{
    present->hierarchy = hierarchy;
    for (int i = 0; i < hierarchy->n_levels; i++) {
        SW_TRY(SW_ALLOCATE(present->level[i].matrix, hierarchy->level[i].n_own, "matrices of a level"));
        SW_TRY(SW_ALLOCATE(present->level[i].inverse, hierarchy->level[i].n_nodes, "blocks of a level"));
    }
    return SW_OK;
}

void sw_fem_present_close_cpu(sw_fem_present *present)
{
    for (int i = 0; i < SW_FEM_MOST_LEVELS; i++) {
        free(present->level[i].matrix);
        free(present->level[i].inverse);
    }
}

sw_fem_present_functions sw_fem_present_cpu(sw_fem_present *present)
{
    return (sw_fem_present_functions){present, fill,       put,           coarsen, invert,
                                      scale,   last_cells, keep_coarsest, start,   dot};
}
