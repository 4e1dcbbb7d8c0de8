/* Pressures on the CPU: a loop over the loaded nodes. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "pressure.h"

enum { NODE_NS = 300 }; /* of one core, at least: four faces of four points */

typedef struct {
    sw_fem *fem;
    const sw_fem_pressure_view *view;
    double *factor;      /* [L] of the present tangent */
    double (*at)[4][3];  /* [F] where it has the faces' nodes, m */
    double (*result)[3]; /* [n] on the nodes */
} pressure_work;

static void close_pressures(void *opaque)
{
    pressure_work *work = opaque;
    if (!work)
        return;
    free(work->factor);
    free(work->at);
    free(work->result);
    free(work);
}

static sw_status open_pressures(sw_fem *fem, void **result)
{
    pressure_work *work;
    sw_status status;
    const sw_fem_pressure_view *view = &fem->pressures->view;
    *result = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "pressures"));
    work->fem = fem;
    work->view = view;
    SW_TRY_GOTO(status, SW_ALLOCATE(work->factor, view->n_cases, "pressures"), failed);
    SW_TRY_GOTO(status, SW_ALLOCATE(work->at, view->n_faces, "pressures"), failed);
    SW_TRY_GOTO(status, SW_ALLOCATE(work->result, view->n, "pressures"), failed);
    sw_fem_count_bytes(fem,
                       view->n_faces * (int64_t)sizeof *work->at + view->n * (int64_t)sizeof *work->result);
    *result = work;
    return SW_OK;
failed:
    close_pressures(work);
    return status;
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
        double column[3];
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
