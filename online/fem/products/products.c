#include "products.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/lanes_width.h"
#include "common/system/built.h"
#include "common/system/progress.h"
#include "groups.h"
#include "online/fem/linear/linear.h"
#include "online/fem/precondition/preconditioners.h"
#include "online/gpu/gpu.h"

enum { MOST_ITERATIONS = 200000 };

/* ---- Open ---- */

static sw_status choose_device(sw_fem_device device, sw_products *p)
{
    sw_gpu gpu;
    p->on = &sw_products_cpu;
    snprintf(p->device_name, sizeof p->device_name, "the CPU");
    if (device == SW_FEM_DEVICE_CPU || (device == SW_FEM_DEVICE_AUTO && sw_gpu_describe(NULL, 0) == 0))
        return SW_OK;
    SW_TRY(sw_gpu_use(&gpu));
    p->on = SW_WITH_CUDA(&sw_products_cuda); /* else there was no GPU to use */
    snprintf(p->device_name, sizeof p->device_name, "%.100s", gpu.name);
    return SW_OK;
}

/* What linear solvers look at. */
static void introduce(sw_products *p)
{
    p->problem.strain = SW_FEM_SMALL; /* a tangent that is not positive is an error */
    p->fem = (sw_fem){.problem = &p->problem,
                      .backend = &p->on->vectors,
                      .work = p,
                      .dimension = 3,
                      .components = 3,
                      .n_nodes = p->n_nodes,
                      .n_unknowns = p->n_unknowns};
    p->fem.options.most_cg = MOST_ITERATIONS;
}

static sw_status open_all(const sw_products_body *body, sw_fem_device device, sw_products *p)
{
    p->position = body->position;
    p->n_nodes = body->n_nodes;
    p->n_unknowns = 3 * body->n_nodes;
    p->n_items = body->n_items;
    if (p->n_unknowns > INT32_MAX || p->n_items > INT32_MAX)
        return sw_error(SW_ERR_RANGE, "%lld unknowns: need fewer than 2^31 without a matrix",
                        (long long)p->n_unknowns);
    SW_TRY(choose_device(device, p));
    introduce(p);
    SW_TRY(sw_products_group(body, p));
    SW_TRY(SW_ALLOCATE(p->block, 9 * p->n_nodes, "diagonal blocks"));
    SW_TRY(SW_ALLOCATE(p->inverse, 9 * p->n_nodes, "diagonal blocks"));
    SW_TRY(p->on->open(p));
    double **const vector[] = {&p->fem.p, &p->fem.g, &p->fem.z, &p->x, &p->r};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        SW_TRY(p->on->vectors.allocate(&p->fem, vector[i]));
    return SW_OK;
}

sw_status sw_products_open(const sw_products_body *body, sw_fem_device device, sw_fem_scatter scatter,
                           sw_products **products)
{
    sw_products *p;
    *products = NULL;
    SW_TRY(SW_ALLOCATE(p, 1, "products"));
    p->scatter = scatter;
    const sw_status status = open_all(body, device, p);
    if (status != SW_OK)
        sw_products_close(p);
    else
        *products = p;
    return status;
}

void sw_products_close(sw_products *p)
{
    if (p == NULL)
        return;
    if (p->on != NULL)
        p->on->close(p);
    sw_products_ungroup(p);
    free(p->block);
    free(p->inverse);
    free(p);
}

const char *sw_products_device(const sw_products *p) { return p->device_name; }

/* ---- Tangents ---- */

/* The diagonal is the CPU's on any device: it is asked for once a tangent. */
sw_status sw_products_ready(sw_products *p)
{
    SW_TRY(sw_products_list(p, SW_REGISTER_DOUBLES, 1));
    sw_products_diagonal(p);
    if (p->on != &sw_products_cpu)
        SW_TRY(sw_products_list(p, 1, p->scatter == SW_FEM_COLOURS));
    return p->on->ready(p);
}

sw_status sw_products_multiply(sw_products *products, const double *p, double *g)
{
    const sw_fem_backend *on = &products->on->vectors;
    sw_fem *fem = &products->fem;
    SW_TRY(on->upload(fem, p, fem->p));
    SW_TRY(products->on->multiply(products, fem->p, fem->g));
    return on->download(fem, fem->g, g);
}

sw_status sw_products_time(sw_products *p, int times, double *seconds)
{
    const sw_fem_backend *on = &p->on->vectors;
    SW_TRY(p->on->multiply(p, p->fem.p, p->fem.g));
    SW_TRY(on->wait(&p->fem));
    const double since = sw_seconds();
    for (int i = 0; i < times; i++)
        SW_TRY(p->on->multiply(p, p->fem.p, p->fem.g));
    SW_TRY(on->wait(&p->fem));
    *seconds = (sw_seconds() - since) / times;
    return SW_OK;
}

/* ---- Ties ---- */

typedef struct {
    int64_t *first;
    int32_t *dependent, *free;
    double *coefficient;
    sw_products_ties ties;
} reversed;

static void forget(reversed *users)
{
    free(users->first);
    free(users->dependent);
    free(users->free);
    free(users->coefficient);
}

/* Of each free unknown that is in a row the rows' dependent ones. */
static sw_status reverse(int64_t n_unknowns, const sw_products_ties *t, reversed *users)
{
    const int64_t entries = t->n_rows > 0 ? t->first[t->n_rows] : 0;
    int64_t n = 0, at = 0, *count;
    SW_TRY(SW_ALLOCATE(count, t->n_rows > 0 ? n_unknowns : 1, "constraints"));
    for (int64_t i = 0; i < entries; i++)
        n += count[t->free[i]]++ == 0;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(users->first, n + 1, "constraints"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(users->free, n, "constraints"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(users->dependent, entries, "constraints"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(users->coefficient, entries, "constraints"), end);
    n = 0;
    for (int64_t u = 0; u < n_unknowns && t->n_rows > 0; u++)
        if (count[u] > 0) {
            users->free[n] = (int32_t)u;
            users->first[n++] = at;
            at += count[u];
            count[u] = at - count[u];
        }
    users->first[n] = at;
    for (int64_t k = 0; k < t->n_rows; k++)
        for (int64_t i = t->first[k]; i < t->first[k + 1]; i++) {
            const int64_t to = count[t->free[i]]++;
            users->dependent[to] = t->dependent[k];
            users->coefficient[to] = t->coefficient[i];
        }
    users->ties = (sw_products_ties){.n_rows = n,
                                     .first = users->first,
                                     .free = users->free,
                                     .dependent = users->dependent,
                                     .coefficient = users->coefficient};
end:
    free(count);
    return status;
}

/* Inverses of the blocks of free unknowns; what follows from one adds to its own. SW_ERR_CONVERGENCE: nothing resists what is
 * loaded. */
static sw_status invert_blocks(sw_products *p, const sw_products_ties *ties, const double *right)
{
    memcpy(p->inverse, p->block, (size_t)(9 * p->n_nodes) * sizeof *p->block);
    for (int64_t k = 0; k < ties->n_rows; k++) {
        const int64_t d = ties->dependent[k];
        for (int64_t i = ties->first[k]; i < ties->first[k + 1]; i++) {
            const int64_t u = ties->free[i];
            p->inverse[3 * u + u % 3] +=
                ties->coefficient[i] * ties->coefficient[i] * p->block[3 * d + d % 3];
        }
    }
    for (int64_t n = 0; n < p->n_nodes; n++) {
        double *block = p->inverse + 9 * n;
        for (int i = 0; i < 3; i++)
            if (!ties->held[3 * n + i] && right[3 * n + i] != 0 && !(block[4 * i] > 0))
                return sw_error(SW_ERR_CONVERGENCE,
                                "the tangent is singular: nothing resists what is loaded");
        sw_fem_invert_block(3, ties->held + 3 * n, 0, block);
    }
    return SW_OK;
}

/* ---- Solution ---- */

static const sw_fem_linear_functions *solver_of(sw_fem_linear_solver linear, int symmetric)
{
    return linear == SW_FEM_SOLVE_GMRES                    ? &sw_fem_gmres
           : linear == SW_FEM_SOLVE_BICGSTAB || !symmetric ? &sw_fem_bicgstab
                                                           : &sw_fem_cg;
}

void sw_products_limit(sw_products *p, int64_t most) { p->fem.options.most_cg = most; }

static sw_status solve(sw_products *p, const sw_fem_linear_functions *by, double tolerance,
                       const double *right, double *x, int *iterations)
{
    const sw_fem_backend *on = &p->on->vectors;
    void *linear_work = NULL;
    SW_TRY(on->upload(&p->fem, right, p->r));
    if (by->open != NULL)
        SW_TRY(by->open(&p->fem, &linear_work));
    p->fem.linear_work = linear_work;
    const sw_status status = by->solve(&p->fem, p->x, p->r, tolerance, iterations);
    if (by->close != NULL)
        by->close(linear_work);
    SW_TRY(status);
    return on->download(&p->fem, p->x, x);
}

sw_status sw_products_solve(sw_products *p, const sw_products_ties *ties, sw_fem_linear_solver linear,
                            int symmetric, double tolerance, const double *right, double *x, int *iterations)
{
    reversed users = {0};
    sw_status status;
    *iterations = 0;
    p->fem.symmetric = symmetric;
    if (linear == SW_FEM_SOLVE_CG && !symmetric)
        return sw_error(SW_ERR_RANGE,
                        "linear cg: the tangent is not symmetric: need bicgstab, gmres or direct");
    SW_TRY_GOTO(status, reverse(p->n_unknowns, ties, &users), end);
    SW_TRY_GOTO(status, invert_blocks(p, ties, right), end);
    SW_TRY_GOTO(status, p->on->tie(p, ties, &users.ties, p->inverse), end);
    status = solve(p, solver_of(linear, symmetric), tolerance, right, x, iterations);
end:
    forget(&users);
    return status;
}
