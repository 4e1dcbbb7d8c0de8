#include "equations.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"

enum { PIECE = 4096 };

sw_status sw_block_equations_open(const sw_blocks *matrix, const sw_block_device *on, sw_block_equations *e)
{
    const int b = matrix->height;
    e->matrix = matrix;
    e->on = on;
    e->scale = 1;
    e->problem.strain = SW_FEM_SMALL; /* a tangent that is not positive is an error */
    e->fem = (sw_fem){.problem = &e->problem,
                      .backend = &on->vectors,
                      .work = e,
                      .dimension = b,
                      .components = b,
                      .by_energy = 1,
                      .rounds = on == &sw_blocks_cpu,
                      .n_nodes = matrix->n_rows,
                      .n_unknowns = matrix->n_rows * b};
    SW_TRY(on->open(e));
    double **const vector[] = {&e->fem.p, &e->fem.g, &e->fem.z, &e->x, &e->r};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        SW_TRY(on->vectors.allocate(&e->fem, vector[i]));
    return SW_OK;
}

void sw_block_equations_close(sw_block_equations *e)
{
    if (e->on != NULL)
        e->on->close(e);
    *e = (sw_block_equations){0};
}

/* ---- The CPU: sums in pieces, so that they do not depend on threads ---- */

static sw_block_equations *of(const sw_fem *fem) { return fem->work; }

static int threads_of(const sw_fem *fem) { return sw_threads_for(fem->n_unknowns, SW_FEM_UNKNOWN_NS); }

static sw_status open_cpu(sw_block_equations *e)
{
    double *piece;
    SW_TRY(SW_ALLOCATE(piece, e->fem.n_unknowns / PIECE + 1, "vector"));
    e->work = piece;
    return SW_OK;
}

static void close_cpu(sw_block_equations *e)
{
    double *const vector[] = {e->fem.p, e->fem.g, e->fem.z, e->x, e->r};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        free(vector[i]);
    for (int i = 0; i < SW_FEM_MOST_KRYLOV; i++)
        free(e->fem.krylov[i]);
    free(e->work);
}

static sw_status nothing_new(sw_block_equations *e)
{
    (void)e; /* both are at hand */
    return SW_OK;
}

static sw_status allocate(sw_fem *fem, double **vector)
{
    return SW_ALLOCATE(*vector, fem->n_unknowns, "vector");
}

static sw_status copy(sw_fem *fem, const double *from, double *to)
{
    memcpy(to, from, (size_t)fem->n_unknowns * sizeof *to);
    return SW_OK;
}

static sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
#pragma omp parallel for simd schedule(static) num_threads(threads_of(fem))
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        y[i] = (a == 0 ? 0 : a * x[i]) + (b == 0 ? 0 : b * y[i]);
    return SW_OK;
}

static sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    const int64_t n = fem->n_unknowns, pieces = (n + PIECE - 1) / PIECE;
    double *piece = of(fem)->work;
#pragma omp parallel for schedule(static) num_threads(threads_of(fem))
    for (int64_t k = 0; k < pieces; k++) {
        const int64_t end = (k + 1) * PIECE < n ? (k + 1) * PIECE : n;
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = k * PIECE; i < end; i++)
            sum += x[i] * y[i];
        piece[k] = sum;
    }
    *result = 0;
    for (int64_t k = 0; k < pieces; k++)
        *result += piece[k];
    return SW_OK;
}

static sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square)
{
#pragma omp parallel for simd schedule(static) num_threads(threads_of(fem))
    for (int64_t i = 0; i < fem->n_unknowns; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * g[i];
    }
    return dot(fem, r, r, square);
}

static sw_status nothing(sw_fem *fem, double *x)
{
    (void)fem, (void)x; /* what is no unknown stays zero by itself */
    return SW_OK;
}

static sw_status product(sw_fem *fem, const double *p, double *g)
{
    sw_blocks_multiply(of(fem)->matrix, p, g);
    return SW_OK;
}

static sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    sw_aggregation_apply(of(fem)->levels, r, z);
    return SW_OK;
}

const sw_block_device sw_blocks_cpu = {.vectors = {.allocate = allocate,
                                                   .upload = copy,
                                                   .download = copy,
                                                   .combine = combine,
                                                   .dot = dot,
                                                   .free_part = nothing,
                                                   .advance = advance,
                                                   .product = product,
                                                   .precondition = precondition},
                                       .open = open_cpu,
                                       .close = close_cpu,
                                       .take_matrix = nothing_new,
                                       .take_levels = nothing_new};
