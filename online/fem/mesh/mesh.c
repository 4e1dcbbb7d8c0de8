/* Shapes of elements, sets, labels, parts. */
#include "mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/names.h"
#include "lattice.h"

const sw_fem_shape_traits sw_fem_shapes[] = {
    [SW_HEX8] = {"hex8",
                 8,
                 3,
                 6,
                 4,
                 {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [SW_QUAD4] = {"quad4", 4, 2, 4, 2, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
};

void sw_fem_mesh_free(sw_fem_mesh *mesh)
{
    if (mesh == NULL)
        return;
    for (int s = 0; s < mesh->n_sets; s++) {
        free(mesh->set[s].name);
        free(mesh->set[s].member);
    }
    if (mesh->lattice != NULL) {
        free(mesh->lattice->node);
        free(mesh->lattice->element);
    }
    free(mesh->lattice);
    free(mesh->set);
    if (mesh->set_names != NULL)
        sw_names_free(mesh->set_names);
    free(mesh->set_names);
    free(mesh->position);
    free(mesh->node);
    free(mesh->node_label);
    free(mesh->element_label);
    free(mesh);
}

/* ---- Sets ---- */

const char *const sw_fem_set_kind_names[] = {
    [SW_FEM_NODES] = "node set", [SW_FEM_ELEMENTS] = "element set", [SW_FEM_SURFACE] = "surface"};

/* Whether all sets are known by name: others may have been put there by hand. */
static int has_names(const sw_fem_mesh *mesh)
{
    return mesh->set_names != NULL && mesh->set_names->n == mesh->n_sets;
}

const sw_fem_set *sw_fem_mesh_set(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name)
{
    if (has_names(mesh)) {
        const int64_t place = sw_names_find(mesh->set_names, (int)kind, name);
        return place >= 0 ? &mesh->set[place] : NULL;
    }
    for (const sw_fem_set *set = mesh->set; set != NULL && set < mesh->set + mesh->n_sets; set++)
        if (set->kind == kind && strcmp(set->name, name) == 0)
            return set;
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int64_t sw_fem_sort_members(int64_t n, int32_t *member)
{
    int64_t kept = 0, i = 1;
    while (i < n && member[i] > member[i - 1])
        i++;
    if (i >= n)
        return n;
    qsort(member, (size_t)n, sizeof *member, compare);
    for (i = 0; i < n; i++)
        if (kept == 0 || member[i] != member[kept - 1])
            member[kept++] = member[i];
    return kept;
}

static int is_member(const sw_fem_mesh *mesh, sw_fem_set_kind kind, int32_t member)
{
    if (kind == SW_FEM_NODES)
        return member >= 0 && member < mesh->n_nodes;
    if (kind == SW_FEM_ELEMENTS)
        return member >= 0 && member < mesh->n_elements;
    return member >= 0 && member / 8 < mesh->n_elements && member % 8 < sw_fem_shapes[mesh->shape].n_faces;
}

sw_status sw_fem_check_members(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, int64_t n,
                               const int32_t *member)
{
    for (int64_t i = 0; i < n; i++)
        if (!is_member(mesh, kind, member[i]))
            return sw_error(SW_ERR_RANGE, "%s %s: member %" PRId32 " is not of the mesh",
                            sw_fem_set_kind_names[kind], name != NULL ? name : "without a name", member[i]);
    return SW_OK;
}

/* Of the set that comes next. */
static sw_status keep_name(sw_fem_mesh *mesh, const sw_fem_set *set)
{
    if (mesh->set_names == NULL && mesh->n_sets == 0)
        SW_TRY(SW_ALLOCATE(mesh->set_names, 1, "names of sets"));
    return has_names(mesh) ? sw_names_add(mesh->set_names, (int)set->kind, set->name, mesh->n_sets) : SW_OK;
}

sw_status sw_fem_mesh_add_set(sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, int64_t n,
                              const int32_t *member)
{
    if (sw_fem_mesh_set(mesh, kind, name) != NULL)
        return sw_error(SW_ERR_INPUT, "%s %s is there twice: need another name", sw_fem_set_kind_names[kind],
                        name);
    SW_TRY(sw_fem_check_members(mesh, kind, name, n, member));
    sw_fem_set *sets = realloc(mesh->set, (size_t)(mesh->n_sets + 1) * sizeof *sets);
    if (sets == NULL)
        return sw_error(SW_ERR_MEMORY, "%s %s: no memory for it", sw_fem_set_kind_names[kind], name);
    mesh->set = sets;
    sw_fem_set set = {.name = strdup(name), .kind = kind};
    if (set.name == NULL)
        return sw_error(SW_ERR_MEMORY, "%s %s: no memory for its name", sw_fem_set_kind_names[kind], name);
    sw_status status = SW_ALLOCATE(set.member, n, "a set of a mesh");
    if (status == SW_OK)
        status = keep_name(mesh, &set);
    if (status != SW_OK) {
        free(set.member);
        free(set.name);
        return status;
    }
    if (n > 0)
        memcpy(set.member, member, (size_t)n * sizeof *member);
    set.n = sw_fem_sort_members(n, set.member);
    sets[mesh->n_sets++] = set;
    return SW_OK;
}

/* ---- For messages ---- */

long long sw_fem_node_label(const sw_fem_mesh *mesh, int64_t node)
{
    return mesh->node_label != NULL ? mesh->node_label[node] : node + 1;
}

long long sw_fem_element_label(const sw_fem_mesh *mesh, int64_t element)
{
    return mesh->element_label != NULL ? mesh->element_label[element] : element + 1;
}

const char *sw_fem_place_text(int d, const double *at, char text[SW_FEM_PLACE_TEXT])
{
    snprintf(text, SW_FEM_PLACE_TEXT, d == 3 ? "(%g, %g, %g)" : "(%g, %g)", at[0], at[1], d == 3 ? at[2] : 0);
    return text;
}

/* ---- Parts ---- */

/* The least node known to hang together with this one; paths are halved on the way. */
static int32_t root_of(int32_t *part, int32_t node)
{
    while (part[node] != node) {
        part[node] = part[part[node]];
        node = part[node];
    }
    return node;
}

int64_t sw_fem_mesh_parts(const sw_fem_mesh *mesh, int32_t *part)
{
    const int n_nodes = sw_fem_shapes[mesh->shape].n_nodes;
    int32_t count = 0;
    if (mesh->lattice != NULL &&
        sw_fem_lattice_is_one(mesh->lattice->n, mesh->lattice->element, mesh->n_elements)) {
        memset(part, 0, (size_t)mesh->n_nodes * sizeof *part);
        return 1;
    }
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        part[n] = (int32_t)n;
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        const int32_t *node = mesh->node + e * n_nodes;
        for (int v = 1; v < n_nodes; v++) {
            const int32_t a = root_of(part, node[0]), b = root_of(part, node[v]);
            part[a > b ? a : b] = a > b ? b : a;
        }
    }
    /* A root comes before the rest of its part: it has its number by then. */
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        part[n] = root_of(part, (int32_t)n);
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        part[n] = part[n] == n ? count++ : part[part[n]];
    return count;
}
