/* Pressures on the CPU: a loop over the loaded nodes. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "pressure.h"

enum {
    NODE_NS = 300,
    FACE_NS = 1000
}; /* of one core, at least: four faces of four points; a face's blocks */

typedef struct {
    sw_fem *fem;
    const sw_fem_pressure_view *view;
    double *factor;      /* [L] of the present tangent */
    double (*at)[4][3];  /* [F] where it has the faces' nodes, m */
    double (*result)[3]; /* [n] on the nodes */
    /* fem->blocks: first what was there before, whose values are contact's own; then pairs of each face's nodes. */
    sw_fem_node_blocks before;
    int32_t (*pair)[2];
    double *block;
} pressure_work;

static void close_pressures(void *opaque)
{
    pressure_work *work = opaque;
    if (!work)
        return;
    free(work->factor);
    free(work->at);
    free(work->result);
    free(work->pair);
    free(work->block);
    free(work);
}

/* Pairs of a face: the square of its corners. */
static int pairs_of(const pressure_work *work)
{
    const int n = sw_fem_face_corners(work->view->kinematics);
    return n * n;
}

static sw_status open_blocks(pressure_work *work)
{
    const int n = sw_fem_face_corners(work->view->kinematics), each = n * n, d = work->fem->dimension;
    const int64_t all = work->fem->blocks.n + each * work->view->n_faces;
    work->before = work->fem->blocks;
    SW_TRY(SW_ALLOCATE(work->pair, all, "pressures"));
    SW_TRY(SW_ALLOCATE(work->block, all * d * d, "pressures"));
    for (int64_t i = 0; i < work->before.n; i++)
        for (int side = 0; side < 2; side++)
            work->pair[i][side] = work->before.pair[i][side];
    for (int64_t f = 0; f < work->view->n_faces; f++)
        for (int i = 0; i < each; i++) {
            work->pair[work->before.n + f * each + i][0] = work->view->face_node[4 * f + i / n];
            work->pair[work->before.n + f * each + i][1] = work->view->face_node[4 * f + i % n];
        }
    work->fem->blocks = (sw_fem_node_blocks){all, (const int32_t(*)[2])work->pair, work->block};
    return SW_OK;
}

static sw_status open_pressures(sw_fem *fem, void **result)
{
    pressure_work *work;
    const sw_fem_pressure_view *view = &fem->pressures->view;
    SW_TRY(SW_ALLOCATE(work, 1, "pressures"));
    *result = work;
    work->fem = fem;
    work->view = view;
    SW_TRY(SW_ALLOCATE(work->factor, view->n_cases, "pressures"));
    SW_TRY(SW_ALLOCATE(work->at, view->n_faces, "pressures"));
    SW_TRY(SW_ALLOCATE(work->result, view->n, "pressures"));
    sw_fem_count_bytes(fem,
                       view->n_faces * (int64_t)sizeof *work->at + view->n * (int64_t)sizeof *work->result);
    SW_TRY(open_blocks(work));
    return SW_OK;
}

static int threads_for_nodes(const pressure_work *work) { return sw_threads_for(work->view->n, NODE_NS); }

/* vector += result at the loaded nodes. */
static void spread(const pressure_work *work, double *vector)
{
    const int d = work->fem->dimension;
    for (int64_t i = 0; i < work->view->n; i++)
        for (int j = 0; j < d; j++)
            vector[(int64_t)work->view->node[i] * d + j] += work->result[i][j];
}

/* Loops over nodes in functions of their own: the compiler has crashed on such ones inside OpenMP's. */
static __attribute__((noinline)) void node_force(const pressure_work *work, int64_t i, const double *factor,
                                                 const double *u)
{
    sw_fem_pressure_force(work->view, i, factor, u, work->result[i]);
}

static __attribute__((noinline)) void node_row(const pressure_work *work, int64_t i, const double *p)
{
    sw_fem_pressure_row(work->view, i, work->factor, (const double(*)[4][3])work->at, p, work->result[i]);
}

static __attribute__((noinline)) void node_block(const pressure_work *work, int64_t i, double *block)
{
    const int d = work->fem->dimension;
    for (int k = 0; k < d; k++) {
        double column[3] = {0};
        sw_fem_pressure_column(work->view, i, work->factor, (const double(*)[4][3])work->at, k, column);
        for (int j = 0; j < d; j++)
            block[j * d + k] += column[j];
    }
}

static sw_status forces(void *opaque, const double *factor, const double *u, double *force)
{
    const pressure_work *work = opaque;
#pragma omp parallel for schedule(static) num_threads(threads_for_nodes(work))
    for (int64_t i = 0; i < work->view->n; i++)
        node_force(work, i, factor, u);
    spread(work, force);
    return SW_OK;
}

static __attribute__((noinline)) void fill_face(const pressure_work *work, int64_t f)
{
    const int64_t size = (int64_t)work->fem->dimension * work->fem->dimension;
    sw_fem_pressure_face_blocks(work->view, f, work->factor, (const double(*)[3])work->at[f],
                                work->block + (work->before.n + f * pairs_of(work)) * size);
}

/* For a solver that factorises: nothing else reads them. */
static void fill_blocks(pressure_work *work)
{
    const size_t size = (size_t)work->fem->dimension * (size_t)work->fem->dimension;
    if (work->before.n > 0)
        memcpy(work->block, work->before.block, (size_t)work->before.n * size * sizeof *work->block);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(work->view->n_faces, FACE_NS))
    for (int64_t f = 0; f < work->view->n_faces; f++)
        fill_face(work, f);
}

static sw_status tangent(void *opaque, const double *u, double *nodal)
{
    pressure_work *work = opaque;
    const sw_fem_pressure_view *view = work->view;
    const int64_t size = (int64_t)work->fem->dimension * work->fem->dimension;
    work->fem->symmetric = 0;
    memcpy(work->factor, work->fem->goal, (size_t)view->n_cases * sizeof *work->factor);
    for (int64_t f = 0; f < view->n_faces; f++)
        sw_fem_pressure_place(view, f, u, work->at[f]);
#pragma omp parallel for schedule(static) num_threads(threads_for_nodes(work))
    for (int64_t i = 0; i < view->n; i++)
        node_block(work, i, nodal + view->node[i] * size);
    if (work->fem->options.linear == SW_FEM_SOLVE_DIRECT)
        fill_blocks(work);
    return SW_OK;
}

static sw_status product(void *opaque, const double *p, double *g)
{
    const pressure_work *work = opaque;
#pragma omp parallel for schedule(static) num_threads(threads_for_nodes(work))
    for (int64_t i = 0; i < work->view->n; i++)
        node_row(work, i, p);
    spread(work, g);
    return SW_OK;
}

const sw_fem_pressure_functions sw_fem_pressure_cpu = {open_pressures, close_pressures, forces, tangent,
                                                       product};
