#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef SW_HAVE_METIS
#include <metis.h>
#endif

#include "online/fem/mesh/lattice.h"
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

/* Numbers of corners that METIS counts in 32 bits. */
static int fits_metis(const sw_fem_mesh *mesh)
{
    return mesh->n_elements * sw_fem_shapes[mesh->shape].n_nodes < INT32_MAX;
}

/* ---- Bodies of cells ---- */

#define UNEVEN 0.02 /* of a part's elements: cells that stay together at most */

int sw_fem_halvings(const sw_fem_mesh *mesh, int periodic, int n_parts)
{
    int32_t n[3];
    double size[3];
    int factor[3], halvings = 0;
    int64_t together = 1;
    if (!mesh->lattice || mesh->shape != SW_HEX8)
        return 0;
    memcpy(n, mesh->lattice->n, sizeof n);
    memcpy(size, mesh->lattice->size, sizeof size);
    while (sw_fem_lattice_halve(periodic, n, size, factor)) {
        together *= factor[0] * factor[1] * factor[2];
        if ((double)together * n_parts > UNEVEN * (double)mesh->n_elements)
            break;
        halvings++;
    }
    return halvings;
}

/* Runs of cells, of `together` [3] each that stay so, layer by layer across the longest side. */
static void cut_lattice(const sw_fem_mesh *mesh, const int32_t together[3], int n_parts, int32_t *part_of)
{
    const sw_fem_lattice *l = mesh->lattice;
    int axis[3] = {0, 1, 2}; /* from the fastest to the slowest */
    int64_t count[3], before = 0, at[3], x[3];
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && l->n[axis[j]] < l->n[axis[j - 1]]; j--) {
            const int held = axis[j];
            axis[j] = axis[j - 1];
            axis[j - 1] = held;
        }
    const int32_t n[3] = {l->n[0], l->n[1], l->n[2] > 0 ? l->n[2] : 1};
    for (int i = 0; i < 3; i++)
        count[i] = (n[axis[i]] + together[axis[i]] - 1) / together[axis[i]];
    for (int64_t block = 0; block < count[0] * count[1] * count[2]; block++) {
        const int32_t part = (int32_t)(before * n_parts / mesh->n_elements);
        at[axis[0]] = block % count[0] * together[axis[0]];
        at[axis[1]] = block / count[0] % count[1] * together[axis[1]];
        at[axis[2]] = block / count[0] / count[1] * together[axis[2]];
        for (x[2] = at[2]; x[2] < at[2] + together[2] && x[2] < n[2]; x[2]++)
            for (x[1] = at[1]; x[1] < at[1] + together[1] && x[1] < n[1]; x[1]++)
                for (x[0] = at[0]; x[0] < at[0] + together[0] && x[0] < n[0]; x[0]++) {
                    const int32_t e = l->element[sw_fem_lattice_cell(l->n, x[0], x[1], x[2])];
                    if (e < 0)
                        continue;
                    part_of[e] = part;
                    before++;
                }
    }
}

void sw_fem_together(const sw_fem_lattice *lattice, int periodic, int halvings, int32_t together[3])
{
    int32_t n[3];
    double size[3];
    int factor[3];
    memcpy(n, lattice->n, sizeof n);
    memcpy(size, lattice->size, sizeof size);
    together[0] = together[1] = together[2] = 1;
    for (int k = 0; k < halvings; k++) {
        sw_fem_lattice_halve(periodic, n, size, factor);
        for (int i = 0; i < 3; i++)
            together[i] *= factor[i];
    }
}

/* ---- All ---- */

sw_status sw_fem_partition(const sw_fem_mesh *mesh, int periodic, int n_parts, int32_t *part_of)
{
    const int64_t E = mesh->n_elements;
    int well = 0;
    if (n_parts > E)
        return sw_error(SW_ERR_RANGE, "a mesh of %lld elements for %d processes: need one each", (long long)E,
                        n_parts);
    if (mesh->lattice) {
        int32_t together[3];
        sw_fem_together(mesh->lattice, periodic, sw_fem_halvings(mesh, periodic, n_parts), together);
        cut_lattice(mesh, together, n_parts, part_of);
        return SW_OK;
    }
    if (n_parts > 1 && fits_metis(mesh))
        SW_TRY(ask_metis(mesh, n_parts, part_of, &well));
    return well ? SW_OK : sw_fem_bisect(mesh, n_parts, part_of);
}
