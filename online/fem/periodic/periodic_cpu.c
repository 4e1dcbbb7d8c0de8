/* Periodic bodies on the CPU. Sums are in pieces of fixed size, so that nothing depends on the number of threads. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/parts/parts.h"
#include "periodic.h"

enum { PIECE = 1024, NODE_NS = 5 };

typedef struct {
    const sw_fem *fem;
    const sw_fem_periodic_view *view;
    double (*piece)[SW_FEM_MEAN];             /* sums of pieces of the nodes */
    double inverse[SW_FEM_MEAN][SW_FEM_MEAN]; /* of the mean's block */
} periodic_work;

static void close_periodic(void *opaque)
{
    periodic_work *work = opaque;
    if (!work)
        return;
    free(work->piece);
    free(work);
}

static sw_status open_periodic(sw_fem *fem, void **result)
{
    periodic_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "periodic body"));
    *result = work;
    work->fem = fem;
    work->view = &fem->periodic->view;
    SW_TRY(SW_ALLOCATE(work->piece, fem->n_nodes / PIECE + 1, "periodic body"));
    return SW_OK;
}

static int64_t mean_at(const periodic_work *work)
{
    return sw_fem_periodic_mean_at(work->view, work->fem->n_unknowns);
}

static sw_status get(void *opaque, const double *vector, double value[SW_FEM_MEAN])
{
    const periodic_work *work = opaque;
    memcpy(value, vector + mean_at(work), (size_t)(work->view->d * work->view->d) * sizeof *value);
    return SW_OK;
}

static sw_status set(void *opaque, double *vector, const double value[SW_FEM_MEAN])
{
    const periodic_work *work = opaque;
    memcpy(vector + mean_at(work), value, (size_t)(work->view->d * work->view->d) * sizeof *value);
    return SW_OK;
}

/* ---- Expand ---- */

static __attribute__((noinline)) void expand_piece(const sw_fem_periodic_view *view, int64_t first,
                                                   int64_t last, const double *x, const double *mean,
                                                   double *u)
{
    for (int64_t i = first; i < last; i++)
        u[i] = sw_fem_periodic_displacement(view, i, x, mean);
}

static sw_status expand(void *opaque, const double *x, double *displacement)
{
    const periodic_work *work = opaque;
    const int64_t n = work->view->n_nodes * work->view->d, step = (int64_t)PIECE * work->view->d;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, NODE_NS))
    for (int64_t i = 0; i < n; i += step)
        expand_piece(work->view, i, i + step < n ? i + step : n, x, x + mean_at(work), displacement);
    return SW_OK;
}

/* ---- Reduce ---- */

typedef void piece_function(const sw_fem_periodic_view *view, int64_t first, int64_t last, double *force,
                            double *sum);

/* Virial [d][d], over the length, of the forces of all nodes. */
static __attribute__((noinline)) void virial_of(const sw_fem_periodic_view *view, int64_t first, int64_t last,
                                                double *force, double *sum)
{
    const int d = view->d;
    for (int64_t n = first; n < last; n++)
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++)
                sum[j * d + i] +=
                    force[n * d + i] * ((view->position[n * d + j] - view->origin[j]) / view->length);
}

/* Copies' forces, which their originals have, are cleared; the sum of the others. */
static __attribute__((noinline)) void sum_of(const sw_fem_periodic_view *view, int64_t first, int64_t last,
                                             double *force, double *sum)
{
    const int d = view->d;
    for (int64_t n = first; n < last; n++)
        for (int i = 0; i < d; i++) {
            force[n * d + i] = view->original[n] == n ? force[n * d + i] : 0;
            sum[i] += n < view->n_counted ? force[n * d + i] : 0;
        }
}

static __attribute__((noinline)) void take_mean(const sw_fem_periodic_view *view, int64_t first, int64_t last,
                                                double *force, double *mean)
{
    const int d = view->d;
    for (int64_t n = first; n < last; n++)
        for (int i = 0; i < d && view->original[n] == n; i++)
            force[n * d + i] -= mean[i];
}

static void sum_pieces(periodic_work *work, piece_function *function, double *force, double sum[SW_FEM_MEAN])
{
    const int64_t N = work->view->n_nodes;
    memset(sum, 0, SW_FEM_MEAN * sizeof *sum);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(N, NODE_NS))
    for (int64_t n = 0; n < N; n += PIECE) {
        memset(work->piece[n / PIECE], 0, sizeof work->piece[n / PIECE]);
        function(work->view, n, n + PIECE < N ? n + PIECE : N, force, work->piece[n / PIECE]);
    }
    for (int64_t n = 0; n < N; n += PIECE)
        for (int k = 0; k < SW_FEM_MEAN; k++)
            sum[k] += work->piece[n / PIECE][k];
}

static void add_copies(const sw_fem_periodic_view *view, int width, double *value)
{
    for (int64_t s = 0; s < view->n_shared; s++)
        for (int32_t c = view->first[s]; c < view->first[s + 1]; c++)
            for (int i = 0; i < width; i++)
                value[(int64_t)view->shared[s] * width + i] += value[(int64_t)view->copy[c] * width + i];
}

static sw_status reduce(void *opaque, double *force)
{
    periodic_work *work = opaque;
    const sw_fem_periodic_view *view = work->view;
    const int64_t N = view->n_nodes;
    double sum[2][SW_FEM_MEAN], *virial = sum[0], *mean = sum[1];
    sum_pieces(work, virial_of, force, virial);
    add_copies(view, view->d, force);
    SW_TRY(sw_fem_parts_sum(work->fem, view->d, force));
    sum_pieces(work, sum_of, force, mean);
    sw_fem_parts_sum_numbers(work->fem, 2 * SW_FEM_MEAN, sum[0]);
    for (int i = 0; i < view->d; i++)
        mean[i] /= (double)view->n_all;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(N, NODE_NS))
    for (int64_t n = 0; n < N; n += PIECE)
        take_mean(view, n, n + PIECE < N ? n + PIECE : N, force, mean);
    return set(work, force, virial);
}

static sw_status add_blocks(void *opaque, double *block)
{
    const periodic_work *work = opaque;
    add_copies(work->view, work->view->d * work->view->d, block);
    return SW_OK;
}

/* ---- The mean ---- */

static sw_status keep(void *opaque, const double inverse[SW_FEM_MEAN][SW_FEM_MEAN])
{
    memcpy(((periodic_work *)opaque)->inverse, inverse, sizeof(double[SW_FEM_MEAN][SW_FEM_MEAN]));
    return SW_OK;
}

static sw_status precondition(void *opaque, const double *r, double *z)
{
    periodic_work *work = opaque;
    const int n = work->view->d * work->view->d;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += work->inverse[i][j] * r[mean_at(work) + j];
        z[mean_at(work) + i] = sum;
    }
    return SW_OK;
}

const sw_fem_periodic_functions sw_fem_periodic_cpu = {
    open_periodic, close_periodic, expand, reduce, add_blocks, get, set, keep, precondition};
