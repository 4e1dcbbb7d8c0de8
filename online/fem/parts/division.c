#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/mesh/lattice.h"
#include "parts.h"

#define WHAT "parts of the mesh"
enum { CORNERS_NS = 15 };

/* The node that a node is a copy of; itself. */
static int32_t original_of(const sw_fem_division *d, int32_t node)
{
    return d->original ? d->original[node] : node;
}

/* ---- Elements and owners ---- */

/* 0 .. n - 1 by of [n], ascending in each: a counting sort. */
static sw_status sort_by(int64_t n, const int32_t *of, int n_parts, int64_t **first, int32_t **sorted)
{
    int64_t *next;
    SW_TRY(SW_ALLOCATE(*first, n_parts + 1, WHAT));
    SW_TRY(SW_ALLOCATE(*sorted, n, WHAT));
    SW_TRY(SW_ALLOCATE(next, n_parts, WHAT));
    for (int64_t i = 0; i < n; i++)
        (*first)[of[i] + 1]++;
    for (int k = 0; k < n_parts; k++) {
        next[k] = (*first)[k];
        (*first)[k + 1] += (*first)[k];
    }
    for (int64_t i = 0; i < n; i++)
        (*sorted)[next[of[i]]++] = (int32_t)i;
    free(next);
    return SW_OK;
}

/* The last of a node's parts. A node of no element is part 0's; a copy is nobody's: n_parts. */
static void find_owners(const sw_fem_division *d, const int32_t *part_of, int32_t *owner)
{
    const int V = sw_fem_shapes[d->mesh->shape].n_nodes;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(d->mesh->n_elements, CORNERS_NS))
    for (int64_t e = 0; e < d->mesh->n_elements; e++) {
        const int32_t part = part_of[e];
        for (int a = 0; a < V && part > 0; a++) {
            int32_t *of = &owner[original_of(d, d->mesh->node[e * V + a])],
                    is = __atomic_load_n(of, __ATOMIC_RELAXED);
            while (part > is &&
                   !__atomic_compare_exchange_n(of, &is, part, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
        }
    }
    for (int64_t i = 0; i < d->mesh->n_nodes && d->original; i++)
        if (d->original[i] != i)
            owner[i] = d->n_parts;
}

/* ---- Nodes ---- */

/* Marks the nodes of this part [N] and numbers them: those it owns, then the others, then copies. */
static sw_status number_nodes(sw_fem_division *d, const int32_t *owner, int32_t *number)
{
    enum { OWNED, OTHER, COPY, KINDS };
    const int V = sw_fem_shapes[d->mesh->shape].n_nodes;
    const int64_t N = d->mesh->n_nodes;
    for (int64_t i = 0; i < N; i++)
        number[i] = owner[i] == d->part ? 0 : -1;
    for (int64_t e = 0; e < d->n_elements; e++)
        for (int a = 0; a < V; a++) {
            const int32_t node = d->mesh->node[d->own_element[e] * (int64_t)V + a];
            number[node] = number[original_of(d, node)] = 0;
        }
    for (int64_t i = 0; i < N; i++)
        d->n_nodes += number[i] == 0;
    SW_TRY(SW_ALLOCATE(d->node, d->n_nodes, WHAT));
    int64_t next = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int64_t i = 0; i < N; i++) {
            const int its = owner[i] == d->n_parts ? COPY : owner[i] == d->part ? OWNED : OTHER;
            if (number[i] < 0 || its != kind)
                continue;
            d->node[next] = (int32_t)i;
            number[i] = (int32_t)next++;
        }
        if (kind == OWNED)
            d->n_owned = next;
    }
    return SW_OK;
}

/* ---- Between parts ---- */

/* A node of this part that another has, too. */
typedef struct {
    int32_t part, node; /* the other; number in the whole mesh */
} meeting;

static int by_part(const void *a, const void *b)
{
    const meeting *x = a, *y = b;
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : (x->node > y->node) - (x->node < y->node);
}

static int by_node(const void *a, const void *b)
{
    const meeting *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->part > y->part) - (x->part < y->part);
}

/* Calls twice: count, then fill, in any order. The other parts' elements at nodes of this one. */
static int64_t meet(const sw_fem_division *d, const int32_t *part_of, const int32_t *number, meeting *m)
{
    const int V = sw_fem_shapes[d->mesh->shape].n_nodes;
    int64_t n = 0;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(d->mesh->n_elements, CORNERS_NS))
    for (int64_t e = 0; e < d->mesh->n_elements; e++)
        for (int a = 0; a < V && part_of[e] != d->part; a++) {
            const int32_t node = original_of(d, d->mesh->node[e * V + a]);
            int64_t at;
            if (number[node] < 0)
                continue;
#pragma omp atomic capture
            at = n++;
            if (m)
                m[at] = (meeting){part_of[e], node};
        }
    return n;
}

static int64_t drop_repeated(int64_t n, meeting *m)
{
    int64_t left = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || by_part(&m[i], &m[i - 1]) != 0)
            m[left++] = m[i];
    return left;
}

/* What goes to each neighbour; m [n] by part. */
static sw_status list_sent(sw_fem_division *d, const int32_t *number, int64_t n, const meeting *m)
{
    for (int64_t i = 0; i < n; i++)
        d->n_neighbours += i == 0 || m[i].part != m[i - 1].part;
    SW_TRY(SW_ALLOCATE(d->neighbour, d->n_neighbours, WHAT));
    SW_TRY(SW_ALLOCATE(d->first_sent, d->n_neighbours + 1, WHAT));
    SW_TRY(SW_ALLOCATE(d->sent, n, WHAT));
    int at = -1;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || m[i].part != m[i - 1].part)
            d->neighbour[++at] = m[i].part;
        d->sent[i] = number[m[i].node];
        d->first_sent[at + 1] = i + 1;
    }
    return SW_OK;
}

/* A node's shares in the order of parts; m [n] by node, places [n] of what m came from. */
static sw_status list_shares(sw_fem_division *d, const int32_t *number, int64_t n, const meeting *m)
{
    int64_t *next; /* place of the next node from a neighbour: those ascend, as m does */
    for (int64_t i = 0; i < n; i++)
        d->n_shared += i == 0 || m[i].node != m[i - 1].node;
    SW_TRY(SW_ALLOCATE(d->shared, d->n_shared, WHAT));
    SW_TRY(SW_ALLOCATE(d->first_share, d->n_shared + 1, WHAT));
    SW_TRY(SW_ALLOCATE(d->share, n + d->n_shared, WHAT));
    SW_TRY(SW_ALLOCATE(next, d->n_parts, WHAT));
    for (int k = 0; k < d->n_neighbours; k++)
        next[d->neighbour[k]] = d->first_sent[k];
    int64_t at = -1, shares = 0;
    for (int64_t i = 0; i < n;) {
        int own = 1; /* to come */
        d->shared[++at] = number[m[i].node];
        for (const int32_t node = m[i].node; i < n && m[i].node == node; i++) {
            if (own && m[i].part > d->part) {
                d->share[shares++] = -1;
                own = 0;
            }
            d->share[shares++] = next[m[i].part]++;
        }
        if (own)
            d->share[shares++] = -1;
        d->first_share[at + 1] = shares;
    }
    free(next);
    return SW_OK;
}

static sw_status find_meetings(sw_fem_division *d, const int32_t *part_of, const int32_t *number)
{
    meeting *m;
    int64_t n = meet(d, part_of, number, NULL);
    SW_TRY(SW_ALLOCATE(m, n, WHAT));
    meet(d, part_of, number, m);
    qsort(m, (size_t)n, sizeof *m, by_part);
    n = drop_repeated(n, m);
    sw_status status = list_sent(d, number, n, m);
    if (status == SW_OK) {
        qsort(m, (size_t)n, sizeof *m, by_node);
        status = list_shares(d, number, n, m);
    }
    free(m);
    return status;
}

/* ---- All ---- */

static sw_status divide(const int32_t *part_of, sw_fem_division *d)
{
    const sw_fem_mesh *mesh = d->mesh;
    const int n_parts = d->n_parts, part = d->part;
    int32_t *owner = NULL, *number = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(owner, mesh->n_nodes, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(number, mesh->n_nodes, WHAT), done);
    find_owners(d, part_of, owner);
    SW_TRY_GOTO(status, sort_by(mesh->n_elements, part_of, n_parts, &d->first_element, &d->element), done);
    SW_TRY_GOTO(status, sort_by(mesh->n_nodes, owner, n_parts + 1, &d->first_node, &d->owned), done);
    d->own_element = d->element + d->first_element[part];
    d->n_elements = d->first_element[part + 1] - d->first_element[part];
    SW_TRY_GOTO(status, number_nodes(d, owner, number), done);
    status = find_meetings(d, part_of, number);
done:
    free(owner);
    free(number);
    return status;
}

sw_status sw_fem_divide_by(const sw_fem_mesh *mesh, const int32_t *part_of, int n_parts, int part,
                           sw_fem_division *d)
{
    *d = (sw_fem_division){.n_parts = n_parts, .part = part, .mesh = mesh};
    return divide(part_of, d);
}

/* A periodic mesh is a whole box, whose nodes are its lattice's points. */
static sw_status find_originals(const sw_fem_mesh *mesh, int32_t **original)
{
    SW_TRY(SW_ALLOCATE(*original, mesh->n_nodes, WHAT));
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        (*original)[i] = (int32_t)sw_fem_lattice_original(mesh->lattice->n, i);
    return SW_OK;
}

sw_status sw_fem_divide(const sw_fem_mesh *mesh, int periodic, int n_parts, int part, sw_fem_division *d)
{
    int32_t *part_of = NULL;
    sw_status status;
    *d = (sw_fem_division){.n_parts = n_parts, .part = part, .mesh = mesh};
    d->halvings = sw_fem_halvings(mesh, periodic, n_parts);
    SW_TRY_GOTO(status, SW_ALLOCATE(part_of, mesh->n_elements, WHAT), done);
    SW_TRY_GOTO(status, sw_fem_partition(mesh, periodic, n_parts, part_of), done);
    if (periodic)
        SW_TRY_GOTO(status, find_originals(mesh, &d->original), done);
    status = divide(part_of, d);
done:
    free(part_of);
    return status;
}

void sw_fem_division_free(sw_fem_division *d)
{
    free(d->first_element);
    free(d->first_node);
    free(d->element);
    free(d->original);
    free(d->owned);
    free(d->node);
    free(d->neighbour);
    free(d->first_sent);
    free(d->sent);
    free(d->shared);
    free(d->first_share);
    free(d->share);
    *d = (sw_fem_division){.n_parts = 0};
}

int sw_fem_find_element(const sw_fem_division *d, int64_t element, int64_t *number)
{
    for (int k = 0; k < d->n_parts; k++) {
        int64_t low = d->first_element[k], high = d->first_element[k + 1];
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (d->element[middle] < element)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < d->first_element[k + 1] && d->element[low] == element) {
            *number = low - d->first_element[k];
            return k;
        }
    }
    return -1;
}
