/* Multigrid on the CPU: cells in bundles of eight along x, one a lane; layers of one parity at a time, which
 * share no node. */
#include "common/math/lanes_doubles.h"

#include <stdlib.h>
#include <string.h>

#include "divided.h"
#include "multigrid.h"
#include "multigrid_level.h"
#include "present_cpu.h"
#include "preconditioners.h"
#include "common/system/threads.h"
#include "online/fem/operators/voxel_product.h"

typedef struct multigrid_work {
    sw_fem_hierarchy hierarchy;
    sw_fem_cycle_vectors vector[SW_FEM_MOST_LEVELS];
    sw_fem_present present;
    int elastic_known; /* present: made of the elastic tangent, which stays */
    /* Over processes (divided.h); of one NULL and nothing. */
    struct multigrid_work *rest;
    sw_fem_divided_cycle divided;
} multigrid_work;

/* ---- Level operators ---- */

/* r -= K d of the like cells of a row: x from 0, of material `kind`. */
static __attribute__((noinline)) void reduce_row(const sw_fem_level *l, int n_materials, int64_t y, int64_t z,
                                                 const double *d, double *r)
{
    const int64_t w = l->n[0] + 1, layer = w * (l->n[1] + 1);
    const int32_t *cell = l->cell + (z * l->n[1] + y) * l->n[0];
    const int32_t *row[4]; /* nodes at the corners' y and z */
    for (int b = 0; b < 4; b++)
        row[b] = l->node + (z + (b >> 1)) * layer + (y + (b & 1)) * w;
    for (int64_t x = 0; x < l->n[0];) {
        const int32_t kind = cell[x];
        if (kind < 0 || kind >= n_materials) {
            x++;
            continue;
        }
        int n = 1;
        while (n < SW_LANES && x + n < l->n[0] && cell[x + n] == kind)
            n++;
        sw_real u[3][8];
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 8; c++)
                u[i][c] = sw_broadcast(0.0);
        for (int b = 0; b < 4; b++)
            for (int lane = 0; lane <= n; lane++) {
                const double *at = d + 3 * (int64_t)row[b][x + lane];
                for (int i = 0; i < 3; i++) {
                    if (lane < n)
                        u[i][2 * b][lane] = at[i];
                    if (lane > 0)
                        u[i][2 * b + 1][lane - 1] = at[i];
                }
            }
        sw_fem_walsh_product(l->blocks[kind].block, u);
        for (int b = 0; b < 4; b++)
            for (int lane = 0; lane <= n; lane++) {
                double *at = r + 3 * (int64_t)row[b][x + lane];
                for (int i = 0; i < 3; i++)
                    at[i] -= (lane < n ? u[i][2 * b][lane] : 0) + (lane > 0 ? u[i][2 * b + 1][lane - 1] : 0);
            }
        x += n;
    }
}

static __attribute__((noinline)) void reduce_own(const sw_fem_level *l, int64_t own, const double *d,
                                                 double *r)
{
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
            f[i] += l->own[own][24 * j + i] * u[j];
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++)
            r[at[a] + i] -= f[3 * a + i];
}

/* Own matrices of a layer. */
static int64_t first_of_layer(const sw_fem_level *l, int64_t z)
{
    const int64_t layer = (int64_t)l->n[0] * l->n[1];
    int64_t low = 0, high = l->n_own;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (l->own_cell[middle] < z * layer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reduce(void *opaque, int level, const void *d, void *r)
{
    const multigrid_work *work = opaque;
    const sw_fem_level *l = &work->hierarchy.level[level];
    double *rest = r;
    /* Of a periodic body the last layer meets the first: with an odd number of them, which are even both, it waits. */
    const int64_t paired = l->periodic[2] ? l->n[2] / 2 * 2 : l->n[2];
#pragma omp parallel num_threads(sw_threads_for(l->n_nodes, SW_FEM_PRODUCT_NS))
    {
        for (int pass = 0; pass < 3; pass++)
#pragma omp for schedule(static)
            for (int64_t z = pass < 2 ? pass : paired; z < (pass < 2 ? paired : l->n[2]); z += 2) {
                for (int64_t y = 0; y < l->n[1] && !work->hierarchy.present; y++)
                    reduce_row(l, work->hierarchy.n_materials, y, z, d, r);
                for (int64_t i = first_of_layer(l, z); i < first_of_layer(l, z + 1); i++)
                    if (work->hierarchy.present)
                        sw_fem_present_reduce_cpu(&work->present, level, i, d, r);
                    else
                        reduce_own(l, i, d, r);
            }
#pragma omp for schedule(static)
        for (int64_t i = 0; i < l->n_nodes; i++)
            if (l->fixed[i])
                for (int j = 0; j < 3; j++)
                    if (l->fixed[i] >> j & 1)
                        rest[3 * i + j] = 0;
    }
}

enum { NODES_AT_A_TIME = 1024 };

static void smooth_blocks(const multigrid_work *work, int level, double a, double b, const double *r,
                          double *d, double *x)
{
    const int64_t n = work->hierarchy.level[level].n_nodes;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(9 * n, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < n; i += NODES_AT_A_TIME)
        sw_fem_present_smooth_cpu(&work->present, level, i, i + NODES_AT_A_TIME < n ? i + NODES_AT_A_TIME : n,
                                  a, b, r, d, x);
}

static void smooth(void *opaque, int level, double a, double b, const void *r, void *d, void *x)
{
    const multigrid_work *work = opaque;
    const sw_fem_level *l = &work->hierarchy.level[level];
    const double *rest = r;
    double *direction = d, *solution = x;
    if (work->hierarchy.present) {
        smooth_blocks(work, level, a, b, r, d, x);
        return;
    }
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(3 * l->n_nodes, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < 3 * l->n_nodes; i++) {
        direction[i] = (a == 0 ? 0 : a * direction[i]) + b * l->inverse[i] * rest[i];
        solution[i] += direction[i];
    }
}

static void add(void *opaque, int level, const void *d, void *x)
{
    const multigrid_work *work = opaque;
    const int64_t n = 3 * work->hierarchy.level[level].n_nodes;
    const double *direction = d;
    double *solution = x;
#pragma omp parallel for simd schedule(static) num_threads(sw_threads_for(n, SW_FEM_UNKNOWN_NS))
    for (int64_t i = 0; i < n; i++)
        solution[i] += direction[i];
}

static void clear(void *opaque, int level, void *x)
{
    const multigrid_work *work = opaque;
    memset(x, 0, (size_t)(3 * work->hierarchy.level[level].n_nodes) * sizeof(double));
}

static sw_fem_level_map map_of(const multigrid_work *work, int level)
{
    const sw_fem_level *l = &work->hierarchy.level[level];
    return (sw_fem_level_map){.n = {l->n[0], l->n[1], l->n[2]},
                              .factor = {l->factor[0], l->factor[1], l->factor[2]},
                              .node = l->node,
                              .point = l->point,
                              .cell = l->cell,
                              .fixed = l->fixed,
                              .n_materials = work->hierarchy.n_materials,
                              .periodic = {l->periodic[0], l->periodic[1], l->periodic[2]}};
}

static void prolong(void *opaque, int level, const void *coarse, void *fine)
{
    const sw_fem_level_map f = map_of(opaque, level), c = map_of(opaque, level + 1);
    const int64_t n = ((const multigrid_work *)opaque)->hierarchy.level[level].n_nodes;
    double *to = fine;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, SW_FEM_PRODUCT_NS))
    for (int64_t i = 0; i < n; i++)
        sw_fem_prolong_node(&f, &c, i, coarse, to + 3 * i);
}

static void restrict_to(void *opaque, int level, const void *fine, void *coarse)
{
    const sw_fem_level_map f = map_of(opaque, level), c = map_of(opaque, level + 1);
    const int64_t n = ((const multigrid_work *)opaque)->hierarchy.level[level + 1].n_nodes;
    double *to = coarse;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, SW_FEM_PRODUCT_NS))
    for (int64_t i = 0; i < n; i++)
        sw_fem_restrict_node(&f, &c, i, fine, to + 3 * i);
}

static void coarsest(void *opaque, const void *r, void *x)
{
    const multigrid_work *work = opaque;
    const int64_t n = work->hierarchy.n_coarsest;
    const double *from = r;
    double *to = x;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += work->hierarchy.coarsest[i * n + j] * from[j];
        to[i] = sum;
    }
}

/* ---- Open and close ---- */

static void close_levels(multigrid_work *work)
{
    for (int i = 0; i < work->hierarchy.n_levels; i++) {
        free(work->vector[i].r);
        free(work->vector[i].x);
        free(work->vector[i].d);
    }
    sw_fem_divided_cycle_close(&work->divided);
    sw_fem_present_close_cpu(&work->present);
    sw_fem_hierarchy_release(&work->hierarchy);
    free(work);
}

static void close_multigrid(void *opaque)
{
    multigrid_work *work = opaque;
    if (!work)
        return;
    if (work->rest)
        close_levels(work->rest);
    close_levels(work);
}

/* What levels need beside the hierarchy. */
static sw_status open_levels(multigrid_work *work)
{
    for (int i = 0; i < work->hierarchy.n_levels; i++) {
        const size_t n = (size_t)work->hierarchy.level[i].n_nodes * 3;
        SW_TRY(sw_allocate(&work->vector[i].r, n, sizeof(double), "multigrid"));
        SW_TRY(sw_allocate(&work->vector[i].d, n, sizeof(double), "multigrid"));
        SW_TRY(sw_allocate(&work->vector[i].x, n, sizeof(double), "multigrid"));
    }
    return work->hierarchy.present ? sw_fem_present_open_cpu(&work->hierarchy, &work->present) : SW_OK;
}

static sw_fem_cycle_functions functions_of(multigrid_work *work)
{
    return work->rest
               ? sw_fem_divided_functions(&work->divided)
               : (sw_fem_cycle_functions){work, smooth, reduce, restrict_to, prolong, add, clear, coarsest};
}

/* The last level of parts: a cycle of the rest. */
static void solve_rest(void *opaque, const void *r, void *x)
{
    multigrid_work *work = opaque, *rest = work->rest;
    const sw_fem_level *last = &work->hierarchy.level[work->hierarchy.n_levels - 1];
    const sw_fem_cycle_functions on = functions_of(rest);
    double *to = x;
    const sw_status status =
        sw_fem_divided_collect(&work->hierarchy, 3 * (int64_t)sizeof(double), r, rest->vector[0].r);
    if (work->divided.status == SW_OK)
        work->divided.status = status;
    sw_fem_cycle(&rest->hierarchy, &on, rest->vector);
    for (int64_t i = 0; i < last->n_nodes; i++)
        memcpy(to + 3 * i, (double *)rest->vector[0].x + 3 * (int64_t)last->number[i], 3 * sizeof *to);
}

static sw_status open_rest(multigrid_work *work)
{
    SW_TRY(SW_ALLOCATE(work->rest, 1, "multigrid"));
    SW_TRY(sw_fem_hierarchy_rest(&work->hierarchy, &work->rest->hierarchy));
    SW_TRY(open_levels(work->rest));
    work->divided.on =
        (sw_fem_cycle_functions){work, smooth, reduce, restrict_to, prolong, add, clear, solve_rest};
    return sw_fem_divided_cycle_open(&work->hierarchy, &sw_fem_exchange_cpu, 3, &work->divided);
}

static sw_status open_multigrid(sw_fem *fem, const sw_fem_view *view, void **result)
{
    multigrid_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "multigrid"));
    *result = work;
    SW_TRY(sw_fem_hierarchy_build(fem, view, &work->hierarchy));
    SW_TRY(open_levels(work));
    return work->hierarchy.divided ? open_rest(work) : SW_OK;
}

/* ---- The preconditioner ---- */

/* Of boxes at small strains all is made when opened. */
static sw_status prepare_multigrid(void *opaque, const sw_fem_view *view)
{
    multigrid_work *work = opaque, *rest = work->rest;
    const int elastic = view->measure == SW_FEM_MEASURE_SMALL;
    if (!work->hierarchy.present || work->elastic_known)
        return SW_OK;
    const sw_fem_present_functions on = sw_fem_present_cpu(&work->present);
    const sw_fem_cycle_functions cycle = functions_of(work);
    if (rest) {
        const sw_fem_present_functions on_rest = sw_fem_present_cpu(&rest->present);
        const sw_fem_cycle_functions cycle_rest = functions_of(rest);
        SW_TRY(sw_fem_present_make(
            &work->hierarchy, &on, &cycle, work->vector, view, elastic,
            &(sw_fem_present_rest){&rest->hierarchy, &on_rest, &cycle_rest, rest->vector, NULL, NULL}));
    } else {
        SW_TRY(sw_fem_present_make(&work->hierarchy, &on, &cycle, work->vector, view, elastic, NULL));
    }
    work->elastic_known = elastic;
    return SW_OK;
}

static sw_status apply_multigrid(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    multigrid_work *work = opaque;
    const sw_fem_cycle_functions on = functions_of(work);
    const size_t bytes = (size_t)(3 * view->n_nodes) * sizeof *r;
    memcpy(work->vector[0].r, r, bytes);
    sw_fem_cycle(&work->hierarchy, &on, work->vector);
    memcpy(z, work->vector[0].x, bytes);
    return work->divided.status;
}

const sw_fem_preconditioner_functions sw_fem_multigrid_cpu = {open_multigrid, close_multigrid,
                                                              prepare_multigrid, apply_multigrid};
