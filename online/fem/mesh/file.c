/* Which reader takes a mesh file, and what the readers have in common: labels, planes, facets. */
#include "readers.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Labels ---- */

static int compare_labels(const void *a, const void *b)
{
    const struct sw_fem_label *x = a, *y = b;
    return x->label != y->label ? (x->label > y->label) - (x->label < y->label)
                                : (x->index > y->index) - (x->index < y->index);
}

sw_status sw_fem_labels_sort(int64_t n, const int64_t *label, sw_fem_labels *labels)
{
    int ascending = 1;
    *labels = (sw_fem_labels){.n = n, .repeated = {-1, -1}};
    SW_TRY(SW_ALLOCATE(labels->sorted, n, "labels of a mesh"));
    for (int64_t i = 0; i < n; i++) {
        labels->sorted[i] = (struct sw_fem_label){label[i], (int32_t)i};
        ascending &= i == 0 || label[i] > label[i - 1];
    }
    if (ascending)
        return SW_OK;
    qsort(labels->sorted, (size_t)n, sizeof *labels->sorted, compare_labels);
    for (int64_t i = 1; i < n && labels->repeated[0] < 0; i++)
        if (labels->sorted[i].label == labels->sorted[i - 1].label) {
            labels->repeated[0] = labels->sorted[i - 1].index;
            labels->repeated[1] = labels->sorted[i].index;
        }
    return SW_OK;
}

/* Labels are mostly without gaps, and then where the first one says. */
int32_t sw_fem_labels_find(const sw_fem_labels *labels, int64_t label)
{
    int64_t low = 0, high = labels->n;
    if (high == 0 || label < labels->sorted[0].label || label > labels->sorted[high - 1].label)
        return -1;
    const int64_t guess = label - labels->sorted[0].label;
    if (guess < high && labels->sorted[guess].label == label)
        return labels->sorted[guess].index;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (labels->sorted[middle].label <= label)
            low = middle;
        else
            high = middle;
    }
    return labels->sorted[low].label == label ? labels->sorted[low].index : -1;
}

/* ---- Positions ---- */

sw_status sw_fem_mesh_place(sw_fem_mesh *mesh, const double *at, sw_fem_fault *fault)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *fault = (sw_fem_fault){.node = -1, .element = -1};
    SW_TRY(SW_ALLOCATE(mesh->position, mesh->n_nodes * d, "nodes of a mesh"));
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], at[3 * n + i]);
            high[i] = fmax(high[i], at[3 * n + i]);
            if (i < d)
                mesh->position[d * n + i] = at[3 * n + i];
        }
    /* Files may hold coordinates to seven digits only. */
    const double slack = 1e-6 * (fabs(low[2]) + fmax(high[0] - low[0], high[1] - low[1]));
    for (int64_t n = 0; d == 2 && n < mesh->n_nodes; n++)
        if (!(fabs(at[3 * n + 2] - at[2]) <= slack)) {
            fault->node = n;
            snprintf(fault->text, sizeof fault->text,
                     "node %" PRId64 " at z = %.6g, the first one at %.6g: need quadrilaterals in a plane of "
                     "constant z",
                     mesh->node_label[n], at[3 * n + 2], at[2]);
            break;
        }
    return SW_OK;
}

/* ---- Facets ---- */

typedef struct {
    int nodes;        /* of a facet */
    int64_t n, slots; /* slots: a power of two */
    int32_t *sorted;  /* [n][nodes] ascending */
    int32_t *slot;    /* [slots] facet, -1: free */
    int32_t *face;    /* [n][2] element faces on it; of facets with the same nodes only the first one's */
    uint8_t *used;    /* [N] whether a facet has the node */
} facets;

static void free_facets(facets *f)
{
    free(f->sorted);
    free(f->slot);
    free(f->face);
    free(f->used);
}

static void sort_nodes(int n, const int32_t *node, int32_t *sorted)
{
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > node[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = node[i];
    }
}

/* The slot of a facet with these nodes, or the free one where it would be. */
static int64_t slot_of(const facets *f, const int32_t *sorted)
{
    uint64_t hash = 0;
    for (int i = 0; i < f->nodes; i++)
        hash = (hash ^ (uint64_t)sorted[i]) * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio (Knuth) */
    int64_t slot = (int64_t)(hash >> 20) & (f->slots - 1);
    while (f->slot[slot] >= 0 && memcmp(f->sorted + (int64_t)f->slot[slot] * f->nodes, sorted,
                                        (size_t)f->nodes * sizeof *sorted) != 0)
        slot = (slot + 1) & (f->slots - 1);
    return slot;
}

static sw_status make_facets(const sw_fem_mesh *mesh, int64_t n, const int32_t *facet, facets *f)
{
    f->nodes = sw_fem_shapes[mesh->shape].n_face_nodes;
    f->n = n;
    for (f->slots = 2; f->slots < 2 * n;)
        f->slots *= 2;
    SW_TRY(SW_ALLOCATE(f->sorted, n * f->nodes, "facets of a mesh"));
    SW_TRY(SW_ALLOCATE(f->slot, f->slots, "facets of a mesh"));
    SW_TRY(SW_ALLOCATE(f->face, 2 * n, "facets of a mesh"));
    SW_TRY(SW_ALLOCATE(f->used, mesh->n_nodes, "facets of a mesh"));
    for (int64_t s = 0; s < f->slots; s++)
        f->slot[s] = -1;
    for (int64_t i = 0; i < n; i++) {
        int32_t *sorted = f->sorted + i * f->nodes;
        sort_nodes(f->nodes, facet + i * f->nodes, sorted);
        const int64_t slot = slot_of(f, sorted);
        if (f->slot[slot] < 0)
            f->slot[slot] = (int32_t)i;
        f->face[2 * i] = f->face[2 * i + 1] = -1;
        for (int v = 0; v < f->nodes; v++)
            f->used[sorted[v]] = 1;
    }
    return SW_OK;
}

static void match_face(const sw_fem_mesh *mesh, int64_t element, int face, facets *f)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    int32_t node[SW_FEM_MOST_FACE_NODES], sorted[SW_FEM_MOST_FACE_NODES];
    for (int v = 0; v < f->nodes; v++) {
        node[v] = mesh->node[element * shape->n_nodes + shape->face[face][v]];
        if (!f->used[node[v]])
            return;
    }
    sort_nodes(f->nodes, node, sorted);
    const int32_t facet = f->slot[slot_of(f, sorted)];
    if (facet >= 0)
        f->face[2 * (int64_t)facet + (f->face[2 * (int64_t)facet] >= 0)] = (int32_t)(8 * element + face);
}

/* Surface and node set of facets whose faces are known; member: room for the larger. */
static sw_status add_facet_sets(sw_fem_mesh *mesh, const char *name, const facets *f, int32_t *member)
{
    int64_t count = 0;
    for (int64_t i = 0; i < 2 * f->n; i++)
        if (f->face[i] >= 0)
            member[count++] = f->face[i];
    if (sw_fem_mesh_set(mesh, SW_FEM_SURFACE, name) == NULL)
        SW_TRY(sw_fem_mesh_add_set(mesh, SW_FEM_SURFACE, name, count, member));
    if (sw_fem_mesh_set(mesh, SW_FEM_NODES, name) != NULL)
        return SW_OK;
    return sw_fem_mesh_add_set(mesh, SW_FEM_NODES, name, f->n * f->nodes, f->sorted);
}

static sw_status add_facets(sw_fem_mesh *mesh, const char *name, facets *f, int64_t *stray)
{
    for (int64_t e = 0; e < mesh->n_elements; e++)
        for (int face = 0; face < sw_fem_shapes[mesh->shape].n_faces; face++)
            match_face(mesh, e, face, f);
    for (int64_t i = 0; i < f->n; i++)
        if (f->face[2 * (int64_t)f->slot[slot_of(f, f->sorted + i * f->nodes)]] < 0) {
            *stray = i;
            return SW_OK;
        }
    int32_t *member;
    SW_TRY(SW_ALLOCATE(member, 2 * f->n, "a surface"));
    const sw_status status = add_facet_sets(mesh, name, f, member);
    free(member);
    return status;
}

sw_status sw_fem_mesh_add_facets(sw_fem_mesh *mesh, const char *name, int64_t n, const int32_t *facet,
                                 int64_t *stray)
{
    facets f = {0};
    *stray = -1;
    sw_status status = make_facets(mesh, n, facet, &f);
    if (status == SW_OK)
        status = add_facets(mesh, name, &f, stray);
    free_facets(&f);
    return status;
}

/* ---- Files ---- */

static const struct {
    const char *end;
    sw_status (*read)(const char *path, sw_fem_mesh **mesh);
} formats[] = {{".msh", sw_fem_mesh_read_gmsh}, {".inp", sw_fem_mesh_read_inp}};

/* The element set all; a file may have one that is. */
static sw_status add_all(const char *path, sw_fem_mesh *mesh)
{
    const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "all");
    if (set != NULL && set->n != mesh->n_elements)
        return sw_error(SW_ERR_INPUT,
                        "%s: element set all has %" PRId64 " of %" PRId64
                        " elements: need another name for it",
                        path, set->n, mesh->n_elements);
    if (set != NULL)
        return SW_OK;
    int32_t *member;
    SW_TRY(SW_ALLOCATE(member, mesh->n_elements, "the set of all elements"));
    for (int64_t e = 0; e < mesh->n_elements; e++)
        member[e] = (int32_t)e;
    const sw_status status = sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, "all", mesh->n_elements, member);
    free(member);
    return status;
}

sw_status sw_fem_mesh_read(const char *path, sw_fem_mesh **mesh)
{
    const size_t length = strlen(path);
    *mesh = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t end = strlen(formats[i].end);
        if (length < end || strcasecmp(path + length - end, formats[i].end) != 0)
            continue;
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return sw_error(SW_ERR_IO, "%s: %s", path, strerror(errno));
        fclose(file);
        SW_TRY(formats[i].read(path, mesh));
        const sw_status status = add_all(path, *mesh);
        if (status != SW_OK) {
            sw_fem_mesh_free(*mesh);
            *mesh = NULL;
        }
        return status;
    }
    return sw_error(SW_ERR_INPUT,
                    "%s: not a mesh file's name: need one that ends in .msh (Gmsh) or .inp (Abaqus)", path);
}
