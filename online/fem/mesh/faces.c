/* Faces of elements: those on a body's outside, and those that a file's elements of lower dimension lie
 * on. */
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

/* In place; as few as a face has. */
static void sort_nodes(int n, int32_t *node)
{
    for (int i = 1; i < n; i++) {
        const int32_t next = node[i];
        int at = i;
        for (; at > 0 && node[at - 1] > next; at--)
            node[at] = node[at - 1];
        node[at] = next;
    }
}

/* Whether all nodes of a face are marked [N]; then they are in node, ascending. */
static int marked_face(const sw_fem_mesh *mesh, int64_t element, int face, const uint8_t *marked,
                       int32_t node[SW_FEM_MOST_FACE_NODES])
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    for (int i = 0; i < shape->n_face_nodes; i++) {
        node[i] = mesh->node[element * shape->n_nodes + shape->face[face][i]];
        if (!marked[node[i]])
            return 0;
    }
    sort_nodes(shape->n_face_nodes, node);
    return 1;
}

/* ---- Outside ---- */

typedef struct {
    int32_t node[SW_FEM_MOST_FACE_NODES], member;
} candidate;

static int compare_nodes(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    for (int i = 0; i < SW_FEM_MOST_FACE_NODES; i++)
        if (p->node[i] != q->node[i])
            return p->node[i] < q->node[i] ? -1 : 1;
    return 0;
}

/* Marked faces into `found` unless it is NULL; how many. */
static int64_t find_marked(const sw_fem_mesh *mesh, const uint8_t *marked, candidate *found)
{
    int64_t n = 0;
    for (int64_t e = 0; e < mesh->n_elements; e++)
        for (int f = 0; f < sw_fem_shapes[mesh->shape].n_faces; f++) {
            candidate one = {.member = (int32_t)(8 * e + f)};
            if (!marked_face(mesh, e, f, marked, one.node))
                continue;
            if (found != NULL)
                found[n] = one;
            n++;
        }
    return n;
}

/* Two elements' common face comes twice. */
sw_status sw_fem_outer_faces(const sw_fem_mesh *mesh, const uint8_t *marked, int64_t *n, int32_t **member)
{
    const int64_t count = find_marked(mesh, marked, NULL);
    candidate *found;
    *n = 0;
    *member = NULL;
    SW_TRY(SW_ALLOCATE(found, count + 1, "faces of a body"));
    find_marked(mesh, marked, found);
    qsort(found, (size_t)count, sizeof *found, compare_nodes);
    const sw_status status = SW_ALLOCATE(*member, count, "faces of a body");
    for (int64_t i = 0; i < count && status == SW_OK; i++)
        if ((i == 0 || compare_nodes(&found[i], &found[i - 1]) != 0) &&
            (i == count - 1 || compare_nodes(&found[i], &found[i + 1]) != 0))
            (*member)[(*n)++] = found[i].member;
    free(found);
    return status;
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
        memcpy(sorted, facet + i * f->nodes, (size_t)f->nodes * sizeof *sorted);
        sort_nodes(f->nodes, sorted);
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
    int32_t node[SW_FEM_MOST_FACE_NODES] = {0};
    if (!marked_face(mesh, element, face, f->used, node))
        return;
    const int32_t facet = f->slot[slot_of(f, node)];
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
