/* Named sets of a job: those of a box, and those that other keys ask for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/fem/mesh/mesh.h"
#include "parts.h"

sw_status sw_fem_take(const sw_fem_job *job, void **pointer, int64_t n, size_t size, const char *what)
{
    *pointer = sw_job_allocate(job->source, (size_t)(n > 0 ? n : 1) * size);
    return *pointer != NULL
               ? SW_OK
               : sw_error(SW_ERR_MEMORY, "%s: not enough memory for %s", sw_job_path(job->source), what);
}

/* ---- Keys ---- */

static const char *const kinds[] = {
    [SW_FEM_NODES] = "nodes", [SW_FEM_ELEMENTS] = "elements", [SW_FEM_SURFACE] = "surface"};

const sw_key sw_fem_set_keys[] = {
    {SW_TEXT("name", sw_fem_job_set, name), .needed = 1, .help = "once a kind"},
    {SW_WORD("kind", sw_fem_job_set, kind, kinds), .needed = 1,
     .help = "what of the box: nodes in it, outer faces all of whose nodes are, elements whose centre is"},
    {SW_REALS("from", sw_fem_job_set, from, -INFINITY, INFINITY), .unit = "m", .shortest = 2, .longest = 3,
     .needed = 1, .help = "corner of the box; edges count, and 1e-9 of the body's size beyond"},
    {SW_REALS("to", sw_fem_job_set, to, -INFINITY, INFINITY), .unit = "m", .shortest = 2, .longest = 3,
     .needed = 1, .help = "the opposite corner"},
    SW_KEYS_END};

/* ---- Boxes ---- */

typedef struct {
    int dimension;
    double from[3], to[3]; /* m */
} box;

/* Round-off of coordinates that were computed differently must not leave nodes out. */
static double slack_of(const sw_fem_mesh *mesh)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    double square = 0;
    for (int i = 0; i < d; i++) {
        double least = mesh->position[i], most = least;
        for (int64_t n = 1; n < mesh->n_nodes; n++) {
            least = fmin(least, mesh->position[n * d + i]);
            most = fmax(most, mesh->position[n * d + i]);
        }
        square += (most - least) * (most - least);
    }
    return 1e-9 * sqrt(square);
}

static int is_inside(const box *b, const double *at)
{
    for (int i = 0; i < b->dimension; i++)
        if (!(at[i] >= b->from[i] && at[i] <= b->to[i]))
            return 0;
    return 1;
}

static sw_status nodes_inside(const sw_fem_mesh *mesh, const box *b, int64_t *n, int32_t **member)
{
    SW_TRY(SW_ALLOCATE(*member, mesh->n_nodes, "a set"));
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        if (is_inside(b, mesh->position + i * b->dimension))
            (*member)[(*n)++] = (int32_t)i;
    return SW_OK;
}

static sw_status elements_inside(const sw_fem_mesh *mesh, const box *b, int64_t *n, int32_t **member)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    SW_TRY(SW_ALLOCATE(*member, mesh->n_elements, "a set"));
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        double centre[3] = {0};
        for (int v = 0; v < shape->n_nodes; v++)
            for (int i = 0; i < b->dimension; i++)
                centre[i] += mesh->position[(int64_t)mesh->node[e * shape->n_nodes + v] * b->dimension + i] /
                             shape->n_nodes;
        if (is_inside(b, centre))
            (*member)[(*n)++] = (int32_t)e;
    }
    return SW_OK;
}

static sw_status faces_inside(const sw_fem_mesh *mesh, const box *b, int64_t *n, int32_t **member)
{
    uint8_t *inside;
    SW_TRY(SW_ALLOCATE(inside, mesh->n_nodes, "a set"));
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        inside[i] = (uint8_t)is_inside(b, mesh->position + i * b->dimension);
    const sw_status status = sw_fem_outer_faces(mesh, inside, n, member);
    free(inside);
    return status;
}

/* By kind, and what it says of a box that has none. */
static const struct {
    sw_status (*find)(const sw_fem_mesh *mesh, const box *b, int64_t *n, int32_t **member);
    const char *absent;
} searches[] = {[SW_FEM_NODES] = {nodes_inside, "node is"},
                [SW_FEM_ELEMENTS] = {elements_inside, "element's centre is"},
                [SW_FEM_SURFACE] = {faces_inside, "outer face lies"}};

static sw_status read_box(const sw_fem_job *job, int index, double slack, box *b)
{
    const sw_fem_job_set *set = &job->geometry.sets[index];
    char key[SW_KEY_SIZE];
    b->dimension = sw_fem_shapes[job->mesh->shape].dimension;
    sw_key_path(key, "mesh.sets[%d].from", index);
    if (set->from_count != b->dimension || set->to_count != b->dimension)
        return sw_job_error(job->source, key, ", to have %d and %d numbers: need %d each", set->from_count,
                            set->to_count, b->dimension);
    for (int i = 0; i < b->dimension; i++) {
        if (!(set->from[i] <= set->to[i]))
            return sw_job_error(job->source, key, "[%d] = %.15g: need at most that of to, %.15g", i,
                                set->from[i], set->to[i]);
        b->from[i] = set->from[i] - slack;
        b->to[i] = set->to[i] + slack;
    }
    return SW_OK;
}

static sw_status make_set(sw_fem_job *job, int index, double slack)
{
    const sw_fem_job_set *set = &job->geometry.sets[index];
    char key[SW_KEY_SIZE];
    box b = {0};
    int64_t n = 0;
    int32_t *member = NULL;
    SW_TRY(read_box(job, index, slack, &b));
    sw_key_path(key, "mesh.sets[%d].name", index);
    if (sw_fem_mesh_set(job->mesh, set->kind, set->name) != NULL)
        return sw_job_error(job->source, key, " = %.80s: there is a %s of this name", set->name,
                            sw_fem_set_kind_names[set->kind]);
    sw_status status = searches[set->kind].find(job->mesh, &b, &n, &member);
    if (status == SW_OK && n == 0)
        status = sw_job_error(job->source, key, " = %.80s: is empty: no %s in its box", set->name,
                              searches[set->kind].absent);
    if (status == SW_OK)
        status = sw_fem_mesh_add_set(job->mesh, set->kind, set->name, n, member);
    free(member);
    return status;
}

sw_status sw_fem_make_sets(sw_fem_job *job)
{
    const double slack = job->geometry.sets_count > 0 ? slack_of(job->mesh) : 0;
    for (int i = 0; i < job->geometry.sets_count; i++)
        SW_TRY(make_set(job, i, slack));
    return SW_OK;
}

/* ---- By name ---- */

sw_status sw_fem_find_set(const sw_fem_job *job, const char *key, sw_fem_set_kind kind, const char *name,
                          const sw_fem_set **set)
{
    const char *kind_name = sw_fem_set_kind_names[kind];
    char list[256] = "";
    *set = sw_fem_mesh_set(job->mesh, kind, name);
    if (*set != NULL && (*set)->n > 0)
        return SW_OK;
    if (*set != NULL)
        return sw_job_error(job->source, key, " = %.80s: this %s is empty", name, kind_name);
    for (int i = 0; i < job->mesh->n_sets; i++)
        if (job->mesh->set[i].kind == kind)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] ? ", " : "",
                     job->mesh->set[i].name);
    if (list[0] == '\0')
        return sw_job_error(job->source, key, " = %.80s: the mesh has no %ss", name, kind_name);
    return sw_job_error(job->source, key, " = %.80s: no such %s: need one of %s", name, kind_name, list);
}

static void mark_nodes(const sw_fem_mesh *mesh, const sw_fem_set *set, uint8_t *in_set)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    for (int64_t i = 0; i < set->n; i++) {
        const int32_t member = set->member[i];
        const int64_t element = set->kind == SW_FEM_ELEMENTS  ? member
                                : set->kind == SW_FEM_SURFACE ? member / 8
                                                              : 0;
        const int32_t *node = mesh->node + element * shape->n_nodes;
        if (set->kind == SW_FEM_NODES)
            in_set[member] = 1;
        for (int v = 0; v < shape->n_nodes && set->kind == SW_FEM_ELEMENTS; v++)
            in_set[node[v]] = 1;
        for (int v = 0; v < shape->n_face_nodes && set->kind == SW_FEM_SURFACE; v++)
            in_set[node[shape->face[member % 8][v]]] = 1;
    }
}

sw_status sw_fem_set_nodes(const sw_fem_job *job, const sw_fem_set *set, int64_t *n, int32_t **node)
{
    const sw_fem_mesh *mesh = job->mesh;
    uint8_t *in_set;
    int64_t count = 0;
    *n = 0;
    SW_TRY(SW_ALLOCATE(in_set, mesh->n_nodes, "nodes of a set"));
    mark_nodes(mesh, set, in_set);
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        count += in_set[i];
    const sw_status status = SW_FEM_TAKE(job, *node, count, "nodes of a set");
    for (int64_t i = 0; i < mesh->n_nodes && status == SW_OK; i++)
        if (in_set[i])
            (*node)[(*n)++] = (int32_t)i;
    free(in_set);
    return status;
}
