/* Contact on the CPU: a loop over the entries of each tool, whose nodes differ. */
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "contact.h"
#include "online/fem/parts/parts.h"

enum { ENTRY_NS = 60 };

typedef struct {
    sw_fem *fem;
    const sw_fem_contact_view *view;
    sw_fem_contact_point *state; /* [n] accepted */
    int *hold;                   /* [T] has touched nothing when it was accepted */
    double (*force)[3];          /* [n] on the node */
    double (*block)[3][3];       /* [n] of the present tangent */
    sw_fem_contact_lean *lean;   /* [n] of the present tangent; */
    int leans;                   /* some are not zero */
    double *leaned;              /* [(N + T) c] */
    double (*tool)[3];           /* [T] sums of diagonals of blocks */
    int32_t (*pair)[2];          /* [4 n] for fem->blocks: node and tool with themselves and each other */
    double *coupling;            /* [4 n][c][c] */
    /* Of parts of a body, where areas limit shear: those of entries, and [N] of one tool's. */
    double (*share)[3], (*at_nodes)[3];
} contact_work;

static void close_contact(void *opaque)
{
    contact_work *work = opaque;
    if (!work)
        return;
    free(work->state);
    free(work->hold);
    free(work->force);
    free(work->block);
    free(work->tool);
    free(work->lean);
    free(work->leaned);
    free(work->pair);
    free(work->coupling);
    free(work->share);
    free(work->at_nodes);
    free(work);
}

/* Which tools have touched nothing. */
static void find_held(contact_work *work)
{
    const sw_fem_contact_view *view = work->view;
    int64_t touching[256]; /* tools at most */
    for (int t = 0; t < view->n_tools; t++) {
        touching[t] = 0;
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++)
            touching[t] += work->state[i].touches > 0;
    }
    if (work->fem->parts)
        sw_parallel_sum_counts(touching, view->n_tools);
    for (int t = 0; t < view->n_tools; t++)
        work->hold[t] = touching[t] == 0;
}

static sw_status restore(void *opaque, const sw_fem_contact_point *state)
{
    contact_work *work = opaque;
    memcpy(work->state, state, (size_t)work->view->n * sizeof *state);
    find_held(work);
    return SW_OK;
}

static sw_status save(void *opaque, sw_fem_contact_point *state)
{
    const contact_work *work = opaque;
    memcpy(state, work->state, (size_t)work->view->n * sizeof *state);
    return SW_OK;
}

/* Areas of entries at u, with those of the other parts' faces. */
static sw_status sum_areas(contact_work *work, const double *u)
{
    const sw_fem_contact_view *view = work->view;
    for (int t = 0; t < view->n_tools && work->share; t++) {
        if (!(view->tool[t].shear_limit > 0))
            continue;
        memset(work->at_nodes, 0, (size_t)view->n_nodes * sizeof *work->at_nodes);
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++)
            sw_fem_contact_share(view, i, u, work->at_nodes[view->node[i]]);
        SW_TRY(sw_fem_parts_sum(work->fem, 3, work->at_nodes[0]));
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++)
            memcpy(work->share[i], work->at_nodes[view->node[i]], sizeof work->share[i]);
    }
    return SW_OK;
}

/* Forces and blocks of all entries at u; the new states, when wanted. Whether some slip makes the tangent
 * unsymmetric. */
static __attribute__((noinline)) int each_entry(contact_work *work, const double *u,
                                                sw_fem_contact_point *next)
{
    const sw_fem_contact_view *view = work->view;
    const double *before = work->fem->u;
    int unsymmetric = 0;
#pragma omp parallel for schedule(static) reduction(|              \
                                                    : unsymmetric) \
    num_threads(sw_threads_for(view->n, ENTRY_NS))
    for (int64_t i = 0; i < view->n; i++) {
        sw_fem_contact_point after;
        unsymmetric |= SW_FEM_SLIPS_BY_PRESSURE ==
                       sw_fem_contact_entry(view, i, before, u, work->hold[view->tool_of[i]], &work->state[i],
                                            work->force[i], work->block[i], &after, &work->lean[i]);
        if (next)
            next[i] = after;
    }
    return unsymmetric;
}

/* Pair 4 i + k of entry i: its rows are the tool's when bit 0 of k is set, its columns with bit 1. */
static void list_pairs(contact_work *work)
{
    const sw_fem_contact_view *view = work->view;
    for (int64_t i = 0; i < view->n; i++)
        for (int k = 0; k < 4; k++)
            for (int side = 0; side < 2; side++)
                work->pair[4 * i + k][side] =
                    k >> side & 1 ? (int32_t)view->n_nodes + view->tool_of[i] : view->node[i];
    work->fem->blocks = (sw_fem_node_blocks){4 * view->n, (const int32_t(*)[2])work->pair, work->coupling};
}

/* Of a node between parts its owner has it. */
static void fill_coupling(contact_work *work)
{
    const int d = work->fem->dimension;
    for (int64_t i = 0; i < work->view->n; i++)
        for (int k = 0; k < 4 && sw_fem_contact_counts(work->view, i); k++)
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++)
                    work->coupling[((4 * i + k) * d + a) * d + b] =
                        k == 1 || k == 2 ? -work->block[i][a][b] : work->block[i][a][b];
}

static sw_status open_contact(sw_fem *fem, void **result)
{
    contact_work *work;
    const sw_fem_contact_view *view = &fem->contact->view;
    SW_TRY(SW_ALLOCATE(work, 1, "contact"));
    *result = work;
    work->fem = fem;
    work->view = view;
    SW_TRY(SW_ALLOCATE(work->state, view->n, "contact"));
    SW_TRY(SW_ALLOCATE(work->hold, view->n_tools, "contact"));
    SW_TRY(SW_ALLOCATE(work->force, view->n, "contact"));
    SW_TRY(SW_ALLOCATE(work->block, view->n, "contact"));
    SW_TRY(SW_ALLOCATE(work->lean, view->n, "contact"));
    SW_TRY(SW_ALLOCATE(work->leaned, fem->n_unknowns, "contact"));
    SW_TRY(SW_ALLOCATE(work->tool, view->n_tools, "contact"));
    SW_TRY(SW_ALLOCATE(work->pair, 4 * view->n, "contact"));
    SW_TRY(SW_ALLOCATE(work->coupling, 4 * view->n * fem->dimension * fem->dimension, "contact"));
    list_pairs(work);
    if (sw_fem_contact_needs_areas(fem)) {
        SW_TRY(SW_ALLOCATE(work->share, view->n, "contact"));
        SW_TRY(SW_ALLOCATE(work->at_nodes, fem->n_nodes, "contact"));
        fem->contact->view.share = work->share;
    }
    sw_fem_count_bytes(fem,
                       view->n * (int64_t)(sizeof *work->state + sizeof *work->force + sizeof *work->block));
    return restore(work, fem->contact->state);
}

static sw_status forces(void *opaque, const double *u, double *force)
{
    contact_work *work = opaque;
    const sw_fem_contact_view *view = work->view;
    const int d = work->fem->dimension;
    SW_TRY(sum_areas(work, u));
    each_entry(work, u, NULL);
    for (int64_t i = 0; i < view->n; i++)
        for (int j = 0; j < d && sw_fem_contact_counts(view, i); j++) {
            force[(int64_t)view->node[i] * d + j] -= work->force[i][j];
            force[(view->n_nodes + view->tool_of[i]) * d + j] += work->force[i][j];
        }
    return SW_OK;
}

static sw_status tangent(void *opaque, const double *u, double *nodal)
{
    contact_work *work = opaque;
    const sw_fem_contact_view *view = work->view;
    const int d = work->fem->dimension;
    SW_TRY(sum_areas(work, u));
    work->leans = each_entry(work, u, NULL);
    if (work->leans)
        work->fem->symmetric = 0;
    fill_coupling(work);
    memset(work->tool, 0, (size_t)view->n_tools * sizeof *work->tool);
    for (int64_t i = 0; i < view->n; i++)
        for (int j = 0; j < d && sw_fem_contact_counts(view, i); j++) {
            for (int k = 0; k < d; k++)
                nodal[((int64_t)view->node[i] * d + j) * d + k] +=
                    work->block[i][j][k] -
                    view->stiffness[i] * work->lean[i].along[j] * work->lean[i].normal[k];
            work->tool[view->tool_of[i]][j] += work->block[i][j][j];
        }
    sw_fem_parts_sum_numbers(work->fem, 3 * view->n_tools, work->tool[0]);
    return SW_OK;
}

static __attribute__((noinline)) void multiply(const contact_work *work, const double *p, double *g)
{
    const sw_fem_contact_view *view = work->view;
    const int d = work->fem->dimension;
    for (int64_t i = 0; i < view->n; i++) {
        const int64_t node = (int64_t)view->node[i] * d, own = (view->n_nodes + view->tool_of[i]) * d;
        for (int j = 0; j < d && sw_fem_contact_counts(view, i); j++) {
            double sum = 0;
            for (int k = 0; k < d; k++)
                sum += work->block[i][j][k] * (p[node + k] - p[own + k]);
            g[node + j] += sum;
            g[own + j] -= sum;
        }
    }
}

static sw_status product(void *opaque, const double *p, double *g)
{
    multiply(opaque, p, g);
    return SW_OK;
}

static sw_status lean(void *opaque, const double *r, const double **leaned)
{
    contact_work *work = opaque;
    const sw_fem_contact_view *view = work->view;
    const int d = work->fem->dimension;
    *leaned = work->leans ? work->leaned : r;
    if (!work->leans)
        return SW_OK;
    memcpy(work->leaned, r, (size_t)work->fem->n_unknowns * sizeof *r);
    for (int64_t i = 0; i < view->n; i++) {
        const int64_t node = (int64_t)view->node[i] * d;
        double across = 0;
        for (int j = 0; j < d; j++)
            across += work->lean[i].normal[j] * r[node + j];
        for (int j = 0; j < d; j++)
            work->leaned[node + j] -= work->lean[i].along[j] * across;
    }
    return SW_OK;
}

static sw_status precondition(void *opaque, const double *r, double *z)
{
    const contact_work *work = opaque;
    const sw_fem *fem = work->fem;
    const int d = fem->dimension;
    for (int t = 0; t < work->view->n_tools; t++)
        for (int j = 0; j < d; j++) {
            const int64_t dof = (fem->n_nodes + t) * d + j;
            z[dof] = fem->fixed[dof] || !(work->tool[t][j] > 0) ? 0 : r[dof] / work->tool[t][j];
        }
    return SW_OK;
}

static sw_status accept(void *opaque, const double *u)
{
    contact_work *work = opaque;
    const sw_fem_contact_view *view = work->view;
    memcpy(work->fem->contact->state, work->state, (size_t)view->n * sizeof *work->state);
    SW_TRY(sum_areas(work, u));
    each_entry(work, u, work->state);
    for (int64_t i = 0; i < view->n; i++)
        work->fem->released |= sw_fem_contact_lets_go(&view->tool[view->tool_of[i]],
                                                      &work->fem->contact->state[i], &work->state[i]);
    find_held(work);
    return SW_OK;
}

const sw_fem_contact_functions sw_fem_contact_cpu = {open_contact, close_contact, forces, tangent, product,
                                                     lean,         precondition,  accept, save,    restore};
