/* Gmsh's .msh files through libgmsh, whose API is one global model: not thread-safe. The library is loaded
 * when the first such file is read: with what it needs, it would add a tenth of a second to the start of
 * every program. */
#include "readers.h"

#ifndef SW_HAVE_GMSH

sw_status sw_fem_mesh_read_gmsh(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh)
{
    (void)reading;
    *mesh = NULL;
    return sw_error(
        SW_ERR_UNAVAILABLE,
        "%s: this build reads no .msh files: libgmsh (package libgmsh-dev) was missing; .inp files "
        "work without it",
        path);
}

#else

#include <dlfcn.h>
#include <gmshc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/text.h"

/* ---- The library ---- */

#define GMSH_FUNCTIONS(X)               \
    X(Finalize)                         \
    X(Free)                             \
    X(Initialize)                       \
    X(LoggerGetLastError)               \
    X(LoggerStart)                      \
    X(ModelGetEntities)                 \
    X(ModelGetEntitiesForPhysicalGroup) \
    X(ModelGetPhysicalGroups)           \
    X(ModelGetPhysicalName)             \
    X(ModelMeshGetElementProperties)    \
    X(ModelMeshGetElements)             \
    X(ModelMeshGetNodes)                \
    X(Open)                             \
    X(OptionSetNumber)

static struct {
#define FUNCTION(name) __typeof__(&gmsh##name) name; /* NOLINT(bugprone-macro-parentheses) */
    GMSH_FUNCTIONS(FUNCTION)
#undef FUNCTION
} gmsh;

#define TEXT_OF(x) #x
#define LIBRARY(major, minor) "libgmsh.so." TEXT_OF(major) "." TEXT_OF(minor)

static sw_status load_library(const char *path)
{
    static void *library;
    const char *missing = NULL;
    if (library)
        return SW_OK;
    library = dlopen(LIBRARY(GMSH_API_VERSION_MAJOR, GMSH_API_VERSION_MINOR), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sw_error(SW_ERR_UNAVAILABLE, "%s: .msh files need %s (package libgmsh-dev); .inp files do not",
                        path, LIBRARY(GMSH_API_VERSION_MAJOR, GMSH_API_VERSION_MINOR));
#define FUNCTION(name)                                          \
    *(void **)&gmsh.name = dlsym(library, TEXT_OF(gmsh##name)); \
    if (!gmsh.name)                                             \
        missing = #name;
    GMSH_FUNCTIONS(FUNCTION)
#undef FUNCTION
    if (!missing)
        return SW_OK;
    dlclose(library);
    library = NULL;
    return sw_error(SW_ERR_UNAVAILABLE, "%s: libgmsh lacks gmsh%s", path, missing);
}

/* ---- What is read ---- */

/* Gmsh's numbers of element types. */
enum { GMSH_LINE2 = 1, GMSH_QUAD4 = 3, GMSH_HEX8 = 5 };

static const char *const group_name[] = {"point", "curve", "surface", "volume"};

typedef struct {
    const char *path;
    sw_fem_mesh *mesh;
    int dimension;         /* of the mesh */
    int64_t n_file_nodes;  /* in the file; those the mesh leaves out have no index */
    int64_t *file_label;   /* [n_file_nodes] */
    double *file_position; /* [n_file_nodes][3] */
    int32_t *index;        /* [n_file_nodes] node of the mesh, -1: left out */
    sw_fem_labels labels;  /* of the file's nodes */
    int *entity;           /* [n_entities][2] dimension and tag of those of the mesh's dimension */
    int64_t n_entities;
    int64_t *first; /* [n_entities+1] first element of each */
    int32_t *list;  /* [n_list] room for members of a set */
    int64_t n_list, capacity;
} reader;

/* What libgmsh says is wrong. */
static sw_status complain(const reader *r, sw_status code, const char *doing)
{
    char *text = NULL;
    int error = 0;
    gmsh.LoggerGetLastError(&text, &error);
    const sw_status status = sw_error(code, "%s: %s: libgmsh: %s", r->path, doing,
                                      error == 0 && text != NULL && *text != '\0' ? text : "no reason given");
    gmsh.Free(text);
    return status;
}

#define GMSH(doing)                                  \
    do {                                             \
        if (error != 0)                              \
            return complain(r, SW_ERR_INPUT, doing); \
    } while (0)

static sw_status append(reader *r, int32_t member)
{
    if (r->n_list == r->capacity) {
        const int64_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity;
        int32_t *list = realloc(r->list, (size_t)capacity * sizeof *list);
        if (list == NULL)
            return sw_error(SW_ERR_MEMORY, "%s: no memory for a set", r->path);
        r->list = list;
        r->capacity = capacity;
    }
    r->list[r->n_list++] = member;
    return SW_OK;
}

/* ---- Elements of an entity, of one or all types ---- */

typedef struct {
    int *type;        /* [n_types] */
    size_t **element; /* [n_types][n_elements[t]] labels */
    size_t **node;    /* [n_types][n_nodes[t]] labels */
    size_t n_types, *n_elements, *n_nodes, n_element_types, n_node_types;
} blocks;

static sw_status get_blocks(const reader *r, int dimension, int tag, blocks *b)
{
    int error = 0;
    *b = (blocks){0};
    gmsh.ModelMeshGetElements(&b->type, &b->n_types, &b->element, &b->n_elements, &b->n_element_types,
                              &b->node, &b->n_nodes, &b->n_node_types, dimension, tag, &error);
    GMSH("elements");
    return SW_OK;
}

static void free_blocks(blocks *b)
{
    for (size_t t = 0; t < b->n_types; t++) {
        gmsh.Free(b->element[t]);
        gmsh.Free(b->node[t]);
    }
    gmsh.Free(b->type);
    gmsh.Free(b->element);
    gmsh.Free(b->n_elements);
    gmsh.Free(b->node);
    gmsh.Free(b->n_nodes);
}

static sw_status wrong_shape(const reader *r, int type, int64_t label, const char *need)
{
    char *name = NULL;
    int dimension, order, nodes, primary, error = 0;
    double *local = NULL;
    size_t n_local;
    gmsh.ModelMeshGetElementProperties(type, &name, &dimension, &order, &nodes, &local, &n_local, &primary,
                                       &error);
    const sw_status status =
        sw_error(SW_ERR_INPUT, "%s: element %" PRId64 " is a %s: need %s", r->path, label,
                 error == 0 && name != NULL ? name : "shape unknown to libgmsh", need);
    gmsh.Free(name);
    gmsh.Free(local);
    return status;
}

/* ---- Nodes ---- */

static sw_status read_nodes(reader *r)
{
    size_t *tag = NULL, n = 0, n_at = 0, n_parameter = 0;
    double *at = NULL, *parameter = NULL;
    int error = 0;
    gmsh.ModelMeshGetNodes(&tag, &n, &at, &n_at, &parameter, &n_parameter, -1, -1, 0, 0, &error);
    sw_status status = SW_OK;
    if (error != 0)
        status = complain(r, SW_ERR_INPUT, "nodes");
    else if (n == 0 || n > INT32_MAX || n_at != 3 * n)
        status = sw_error(SW_ERR_INPUT, "%s: %zu nodes: need 1 to %d", r->path, n, INT32_MAX);
    if (status == SW_OK)
        status = SW_ALLOCATE(r->file_label, n, "nodes of a mesh");
    if (status == SW_OK)
        status = SW_ALLOCATE(r->file_position, 3 * n, "nodes of a mesh");
    if (status == SW_OK)
        status = SW_ALLOCATE(r->index, n, "nodes of a mesh");
    for (size_t i = 0; i < n && status == SW_OK; i++) {
        r->file_label[i] = (int64_t)tag[i];
        memcpy(r->file_position + 3 * i, at + 3 * i, 3 * sizeof *at);
        r->index[i] = -1;
    }
    gmsh.Free(tag);
    gmsh.Free(at);
    gmsh.Free(parameter);
    SW_TRY(status);
    r->n_file_nodes = (int64_t)n;
    SW_TRY(sw_fem_labels_sort(r->n_file_nodes, r->file_label, &r->labels));
    if (r->labels.repeated[0] >= 0)
        return sw_error(SW_ERR_INPUT, "%s: node %" PRId64 " is there twice", r->path,
                        r->file_label[r->labels.repeated[0]]);
    return SW_OK;
}

static sw_status find_node(const reader *r, size_t label, int32_t *node)
{
    *node = label <= INT64_MAX ? sw_fem_labels_find(&r->labels, (int64_t)label) : -1;
    if (*node < 0)
        return sw_error(SW_ERR_INPUT, "%s: an element names node %zu, which is not there", r->path, label);
    return SW_OK;
}

/* ---- Elements ---- */

static sw_status count_block(reader *r, const blocks *b)
{
    const int type = r->dimension == 3 ? GMSH_HEX8 : GMSH_QUAD4;
    for (size_t t = 0; t < b->n_types; t++) {
        if (b->n_elements[t] == 0)
            continue;
        if (b->type[t] != type)
            return wrong_shape(r, b->type[t], (int64_t)b->element[t][0],
                               r->dimension == 3 ? "hexahedra of 8 nodes"
                                                 : "quadrilaterals of 4 nodes, or hexahedra");
        if (b->n_nodes[t] != b->n_elements[t] * (size_t)sw_fem_shapes[r->mesh->shape].n_nodes)
            return sw_error(SW_ERR_INPUT, "%s: elements without all their nodes", r->path);
        r->mesh->n_elements += (int64_t)b->n_elements[t];
    }
    return SW_OK;
}

/* Nodes as indices into the file's. Format 2.2 has an element once for each physical group, one after the other: it is one. */
static sw_status copy_block(reader *r, const blocks *b, int64_t *element)
{
    const int n_nodes = sw_fem_shapes[r->mesh->shape].n_nodes;
    const int64_t first = *element;
    for (size_t t = 0; t < b->n_types; t++)
        for (size_t e = 0; e < b->n_elements[t]; e++) {
            int32_t *node = &r->mesh->node[*element * n_nodes];
            for (int v = 0; v < n_nodes; v++) {
                SW_TRY(find_node(r, b->node[t][e * (size_t)n_nodes + (size_t)v], &node[v]));
                r->index[node[v]] = 0;
            }
            if (*element > first && memcmp(node, node - n_nodes, (size_t)n_nodes * sizeof *node) == 0)
                continue;
            r->mesh->element_label[(*element)++] = (int64_t)b->element[t][e];
        }
    return SW_OK;
}

static sw_status with_blocks(reader *r, int64_t *element)
{
    for (int64_t i = 0; i < r->n_entities; i++) {
        blocks b;
        SW_TRY(get_blocks(r, r->entity[2 * i], r->entity[2 * i + 1], &b));
        r->first[i] = element == NULL ? r->mesh->n_elements : *element;
        const sw_status status = element == NULL ? count_block(r, &b) : copy_block(r, &b, element);
        free_blocks(&b);
        SW_TRY(status);
    }
    r->first[r->n_entities] = r->mesh->n_elements;
    return SW_OK;
}

static sw_status has_elements(const reader *r, int dimension, int *has)
{
    blocks b;
    SW_TRY(get_blocks(r, dimension, -1, &b));
    *has = 0;
    for (size_t t = 0; t < b.n_types; t++)
        *has |= b.n_elements[t] > 0;
    free_blocks(&b);
    return SW_OK;
}

static sw_status read_elements(reader *r)
{
    int has = 0, error = 0;
    int64_t element = 0;
    size_t n = 0;
    for (r->dimension = 4; r->dimension > 2 && !has;)
        SW_TRY(has_elements(r, --r->dimension, &has));
    if (!has)
        return sw_error(SW_ERR_INPUT, "%s: no hexahedra or quadrilaterals", r->path);
    r->mesh->shape = r->dimension == 3 ? SW_HEX8 : SW_QUAD4;
    gmsh.ModelGetEntities(&r->entity, &n, r->dimension, &error);
    GMSH("entities");
    r->n_entities = (int64_t)(n / 2);
    SW_TRY(SW_ALLOCATE(r->first, r->n_entities + 1, "entities of a mesh"));
    SW_TRY(with_blocks(r, NULL));
    if (r->mesh->n_elements > SW_FEM_MOST_ELEMENTS)
        return sw_error(SW_ERR_INPUT, "%s: %" PRId64 " elements: need at most %d", r->path,
                        r->mesh->n_elements, SW_FEM_MOST_ELEMENTS);
    SW_TRY(SW_ALLOCATE(r->mesh->element_label, r->mesh->n_elements, "elements of a mesh"));
    SW_TRY(SW_ALLOCATE(r->mesh->node, r->mesh->n_elements * sw_fem_shapes[r->mesh->shape].n_nodes,
                       "elements of a mesh"));
    SW_TRY(with_blocks(r, &element));
    r->first[r->n_entities] = r->mesh->n_elements = element;
    return SW_OK;
}

/* The file's nodes that have an element are the mesh's. */
static sw_status keep_nodes(reader *r)
{
    sw_fem_mesh *mesh = r->mesh;
    sw_fem_fault fault;
    for (int64_t i = 0; i < r->n_file_nodes; i++)
        if (r->index[i] >= 0)
            r->index[i] = (int32_t)mesh->n_nodes++;
    SW_TRY(SW_ALLOCATE(mesh->node_label, mesh->n_nodes, "nodes of a mesh"));
    for (int64_t i = 0; i < r->n_file_nodes; i++)
        if (r->index[i] >= 0) {
            mesh->node_label[r->index[i]] = r->file_label[i];
            memmove(r->file_position + 3 * (int64_t)r->index[i], r->file_position + 3 * i,
                    3 * sizeof *r->file_position);
        }
    for (int64_t i = 0; i < mesh->n_elements * sw_fem_shapes[mesh->shape].n_nodes; i++)
        mesh->node[i] = r->index[mesh->node[i]];
    SW_TRY(sw_fem_mesh_place(mesh, r->file_position, &fault));
    if (*fault.text != '\0')
        return sw_error(SW_ERR_INPUT, "%s: %s", r->path, fault.text);
    return sw_fem_mesh_check(mesh, r->path);
}

/* ---- Physical groups ---- */

/* Appends the nodes of an entity's elements. `facet_type`: the type they need to have, 0: any. */
static sw_status list_nodes(reader *r, int dimension, int tag, int facet_type, const char *name)
{
    blocks b;
    SW_TRY(get_blocks(r, dimension, tag, &b));
    sw_status status = SW_OK;
    for (size_t t = 0; t < b.n_types && status == SW_OK; t++) {
        if (facet_type != 0 && b.type[t] != facet_type && b.n_elements[t] > 0)
            status = wrong_shape(r, b.type[t], (int64_t)b.element[t][0],
                                 r->dimension == 3 ? "quadrilaterals on hexahedra" : "lines of 2 nodes");
        for (size_t i = 0; i < b.n_nodes[t] && status == SW_OK; i++) {
            int32_t node = -1;
            status = find_node(r, b.node[t][i], &node);
            if (status == SW_OK && r->index[node] < 0)
                status = sw_error(SW_ERR_INPUT, "%s: node %zu of physical group %s belongs to no %s", r->path,
                                  b.node[t][i], name, sw_fem_shapes[r->mesh->shape].name);
            if (status == SW_OK)
                status = append(r, r->index[node]);
        }
    }
    free_blocks(&b);
    return status;
}

static sw_status list_elements(reader *r, int tag)
{
    for (int64_t i = 0; i < r->n_entities; i++)
        for (int64_t e = r->first[i]; r->entity[2 * i + 1] == tag && e < r->first[i + 1]; e++)
            SW_TRY(append(r, (int32_t)e));
    return SW_OK;
}

static sw_status add_group_set(reader *r, int dimension, const char *name)
{
    sw_fem_mesh *mesh = r->mesh;
    if (dimension == r->dimension)
        return sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, name, r->n_list, r->list);
    if (sw_fem_mesh_set(mesh, SW_FEM_NODES, name) != NULL)
        return sw_error(SW_ERR_INPUT, "two physical groups make a node set %s: need another name", name);
    if (dimension < r->dimension - 1)
        return sw_fem_mesh_add_set(mesh, SW_FEM_NODES, name, r->n_list, r->list);
    const int nodes = sw_fem_shapes[mesh->shape].n_face_nodes;
    int64_t stray;
    SW_TRY(sw_fem_mesh_add_facets(mesh, name, r->n_list / nodes, r->list, &stray));
    if (stray < 0)
        return SW_OK;
    return sw_error(SW_ERR_INPUT,
                    "physical group %s: its %s with node %" PRId64 " and node %" PRId64
                    " is no face of an element",
                    name, nodes == 4 ? "quadrilateral" : "line", mesh->node_label[r->list[stray * nodes]],
                    mesh->node_label[r->list[stray * nodes + 1]]);
}

static sw_status read_group(reader *r, int dimension, int tag, const char *name)
{
    int *entity = NULL, error = 0;
    size_t n = 0;
    const int facet_type = dimension < r->dimension - 1 ? 0 : dimension == 2 ? GMSH_QUAD4 : GMSH_LINE2;
    gmsh.ModelGetEntitiesForPhysicalGroup(dimension, tag, &entity, &n, &error);
    GMSH("a physical group");
    sw_status status = SW_OK;
    r->n_list = 0;
    for (size_t i = 0; i < n && status == SW_OK; i++) /* a sign is an entity's orientation */
        status = dimension == r->dimension ? list_elements(r, abs(entity[i]))
                                           : list_nodes(r, dimension, abs(entity[i]), facet_type, name);
    gmsh.Free(entity);
    SW_TRY(status);
    status = add_group_set(r, dimension, name);
    if (status == SW_ERR_INPUT)
        return sw_error(status, "%s: %s", r->path, sw_error_message());
    return status;
}

static sw_status read_groups(reader *r)
{
    int *group = NULL, error = 0; /* [n/2][2] dimension, tag */
    size_t n = 0;
    gmsh.ModelGetPhysicalGroups(&group, &n, -1, &error);
    GMSH("physical groups");
    sw_status status = SW_OK;
    for (size_t i = 0; i + 1 < n && status == SW_OK; i += 2) {
        char *name = NULL, number[32];
        if (group[i] < 0 || group[i] > r->dimension)
            continue;
        snprintf(number, sizeof number, "%s_%d", group_name[group[i]], group[i + 1]);
        gmsh.ModelGetPhysicalName(group[i], group[i + 1], &name, &error);
        status = read_group(r, group[i], group[i + 1],
                            error == 0 && name != NULL && *name != '\0' ? name : number);
        gmsh.Free(name);
    }
    gmsh.Free(group);
    return status;
}

/* ---- The file ---- */

/* libgmsh runs a file of this name beside a mesh as a script. */
static sw_status check_options(const char *path)
{
    char name[4096];
    if (snprintf(name, sizeof name, "%s.opt", path) >= (int)sizeof name)
        return sw_error(SW_ERR_IO, "%s: too long a name", path);
    if (access(name, F_OK) == 0)
        return sw_error(SW_ERR_INPUT, "%s: libgmsh would run %s: need it moved or renamed", path, name);
    return SW_OK;
}

/* libgmsh takes a file that does not begin as a mesh for a script, and runs it. */
static sw_status check_start(const char *path)
{
    static const char *const starts[] = {"$MeshFormat", "$Comments", "$NOD", "$PhysicalNames"};
    char line[64] = "";
    FILE *file;
    SW_TRY(sw_open_text(path, &file));
    const int read = fgets(line, sizeof line, file) != NULL || !ferror(file);
    fclose(file);
    if (!read)
        return sw_error(SW_ERR_IO, "%s: cannot be read", path);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(line, starts[i], strlen(starts[i])) == 0)
            return SW_OK;
    return sw_error(SW_ERR_INPUT, "%s: no Gmsh mesh: need $MeshFormat at its beginning", path);
}

static sw_status read_model(reader *r)
{
    int error = 0;
    gmsh.OptionSetNumber("General.Terminal", 0, &error);
    GMSH("setting up");
    gmsh.LoggerStart(&error);
    GMSH("setting up");
    gmsh.Open(r->path, &error);
    GMSH("reading");
    SW_TRY(read_nodes(r));
    SW_TRY(read_elements(r));
    SW_TRY(keep_nodes(r));
    return read_groups(r);
}

static void free_reader(reader *r)
{
    free(r->file_label);
    free(r->file_position);
    free(r->index);
    free(r->labels.sorted);
    gmsh.Free(r->entity);
    free(r->first);
    free(r->list);
}

sw_status sw_fem_mesh_read_gmsh(const char *path, sw_fem_reading *reading, sw_fem_mesh **mesh)
{
    (void)reading;
    reader r = {.path = path};
    int error = 0;
    *mesh = NULL;
    SW_TRY(check_options(path));
    SW_TRY(check_start(path));
    SW_TRY(load_library(path));
    SW_TRY(SW_ALLOCATE(r.mesh, 1, "a mesh"));
    gmsh.Initialize(0, NULL, 0, &error); /* no arguments, no settings of the user */
    const sw_status status =
        error == 0 ? read_model(&r) : sw_error(SW_ERR_UNAVAILABLE, "libgmsh does not start");
    free_reader(&r);
    if (error == 0)
        gmsh.Finalize(&error);
    if (status != SW_OK)
        sw_fem_mesh_free(r.mesh);
    else
        *mesh = r.mesh;
    return status;
}

#endif
