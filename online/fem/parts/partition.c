#include <math.h>
#include <stdlib.h>

#ifdef SW_HAVE_METIS
#include <metis.h>
#endif

#include "parts.h"

/* ---- Halves of halves ---- */

typedef struct {
    double at[3];
    int32_t element;
} middle;

static void find_middle(const sw_fem_mesh *mesh, int64_t e, middle *m)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    *m = (middle){.element = (int32_t)e};
    for (int a = 0; a < shape->n_nodes; a++)
        for (int j = 0; j < shape->dimension; j++)
            m->at[j] += mesh->position[(int64_t)mesh->node[e * shape->n_nodes + a] * shape->dimension + j] /
                        shape->n_nodes;
}

/* The axis along which the middles reach farthest. */
static int longest_axis(int64_t n, const middle *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int longest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            low[j] = fmin(low[j], m[i].at[j]);
            high[j] = fmax(high[j], m[i].at[j]);
        }
    for (int j = 1; j < 3; j++)
        if (high[j] - low[j] > high[longest] - low[longest])
            longest = j;
    return longest;
}

/* Along the axis, then by number, so that the order is one only. */
static int compare_middles(const void *a, const void *b, void *axis)
{
    const middle *x = a, *y = b;
    const double p = x->at[*(int *)axis], q = y->at[*(int *)axis];
    return p != q ? (p > q) - (p < q) : (x->element > y->element) - (x->element < y->element);
}

/* Elements m [n] to parts first .. first + n_parts - 1. */
static void bisect(int64_t n, middle *m, int first, int n_parts, int32_t *part_of)
{
    if (n_parts == 1) {
        for (int64_t i = 0; i < n; i++)
            part_of[m[i].element] = first;
        return;
    }
    const int low = n_parts / 2;
    const int64_t half = n * low / n_parts;
    int axis = longest_axis(n, m);
    qsort_r(m, (size_t)n, sizeof *m, compare_middles, &axis);
    bisect(half, m, first, low, part_of);
    bisect(n - half, m + half, first + low, n_parts - low, part_of);
}

sw_status sw_fem_bisect(const sw_fem_mesh *mesh, int n_parts, int32_t *part_of)
{
    middle *m;
    SW_TRY(SW_ALLOCATE(m, mesh->n_elements, "parts of the mesh"));
    for (int64_t e = 0; e < mesh->n_elements; e++)
        find_middle(mesh, e, &m[e]);
    bisect(mesh->n_elements, m, 0, n_parts, part_of);
    free(m);
    return SW_OK;
}

/* ---- METIS ---- */

#ifdef SW_HAVE_METIS
static int has_all(int64_t n, int n_parts, const int32_t *part_of, uint8_t *there)
{
    int count = 0;
    for (int64_t e = 0; e < n; e++) {
        count += !there[part_of[e]];
        there[part_of[e]] = 1;
    }
    return count == n_parts;
}

/* *well: METIS has an answer, and no part is empty (of few elements it may leave some so). */
static sw_status ask_metis(const sw_fem_mesh *mesh, int n_parts, int32_t *part_of, int *well)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    idx_t elements = (idx_t)mesh->n_elements, nodes = (idx_t)mesh->n_nodes, common = shape->n_face_nodes,
          parts = n_parts, cut, options[METIS_NOPTIONS];
    idx_t *first = NULL, *node_part = NULL;
    uint8_t *there = NULL;
    sw_status status;
    _Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS of 32 bits");
    SW_TRY_GOTO(status, SW_ALLOCATE(first, elements + 1, "parts of the mesh"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(node_part, nodes, "parts of the mesh"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(there, n_parts, "parts of the mesh"), done);
    for (idx_t e = 0; e <= elements; e++)
        first[e] = e * shape->n_nodes;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    *well = METIS_PartMeshDual(&elements, &nodes, first, mesh->node, NULL, NULL, &common, &parts, NULL,
                               options, &cut, part_of, node_part) == METIS_OK &&
            has_all(mesh->n_elements, n_parts, part_of, there);
done:
    free(first);
    free(node_part);
    free(there);
    return status;
}
#else
static sw_status ask_metis(const sw_fem_mesh *mesh, int n_parts, int32_t *part_of, int *well)
{
    (void)mesh, (void)n_parts, (void)part_of;
    *well = 0;
    return SW_OK;
}
#endif

/* ---- All ---- */

/* Numbers of corners that METIS counts in 32 bits. */
static int fits_metis(const sw_fem_mesh *mesh)
{
    return mesh->n_elements * sw_fem_shapes[mesh->shape].n_nodes < INT32_MAX;
}

sw_status sw_fem_partition(const sw_fem_mesh *mesh, int n_parts, int32_t *part_of)
{
    const int64_t E = mesh->n_elements;
    int well = 0;
    if (n_parts > E)
        return sw_error(SW_ERR_RANGE, "a mesh of %lld elements for %d processes: need one each", (long long)E,
                        n_parts);
    if (mesh->lattice) {
        for (int64_t e = 0; e < E; e++)
            part_of[e] = (int32_t)(e * n_parts / E);
        return SW_OK;
    }
    if (n_parts > 1 && fits_metis(mesh))
        SW_TRY(ask_metis(mesh, n_parts, part_of, &well));
    return well ? SW_OK : sw_fem_bisect(mesh, n_parts, part_of);
}
