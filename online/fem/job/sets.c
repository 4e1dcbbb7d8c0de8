/* Named sets of a job: those of a box, and those that other keys ask for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static const char *const kinds[] = {
    [SW_FEM_NODES] = "nodes", [SW_FEM_ELEMENTS] = "elements", [SW_FEM_SURFACE] = "surface"};
static const char *const kind_names[] = {
    [SW_FEM_NODES] = "node set", [SW_FEM_ELEMENTS] = "element set", [SW_FEM_SURFACE] = "surface"};

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

static int64_t nodes_inside(const sw_fem_mesh *mesh, const box *b, int32_t *member)
{
    int64_t n = 0;
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        if (is_inside(b, mesh->position + i * b->dimension))
            member[n++] = (int32_t)i;
    return n;
}

static int64_t elements_inside(const sw_fem_mesh *mesh, const box *b, int32_t *member)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    int64_t n = 0;
    for (int64_t e = 0; e < mesh->n_elements; e++) {
        double centre[3] = {0};
        for (int v = 0; v < shape->n_nodes; v++)
            for (int i = 0; i < b->dimension; i++)
                centre[i] += mesh->position[(int64_t)mesh->node[e * shape->n_nodes + v] * b->dimension + i] /
                             shape->n_nodes;
        if (is_inside(b, centre))
            member[n++] = (int32_t)e;
    }
    return n;
}

/* A face inside the box, by its nodes in order: two elements' common face comes twice. */
typedef struct {
    int32_t node[SW_FEM_MOST_FACE_NODES], member;
} face;

static int compare_faces(const void *a, const void *b)
{
    const face *p = a, *q = b;
    for (int i = 0; i < SW_FEM_MOST_FACE_NODES; i++)
        if (p->node[i] != q->node[i])
            return p->node[i] < q->node[i] ? -1 : 1;
    return 0;
}

static int same_face(const face *a, const face *b) { return compare_faces(a, b) == 0; }

static int take_face(const sw_fem_mesh *mesh, const unsigned char *inside, int64_t element, int number,
                     face *taken)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    *taken = (face){.member = (int32_t)(8 * element + number)};
    for (int i = 0; i < shape->n_face_nodes; i++) {
        int32_t node = mesh->node[element * shape->n_nodes + shape->face[number][i]];
        if (!inside[node])
            return 0;
        for (int k = 0; k < i; k++) /* insertion sort */
            if (node < taken->node[k]) {
                const int32_t larger = taken->node[k];
                taken->node[k] = node;
                node = larger;
            }
        taken->node[i] = node;
    }
    return 1;
}

static sw_status faces_inside(const sw_fem_mesh *mesh, const box *b, int64_t *n, int32_t **member)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    unsigned char *inside = NULL;
    face *found = NULL, one;
    int64_t count = 0;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(inside, mesh->n_nodes, "a set"), end);
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        inside[i] = (unsigned char)is_inside(b, mesh->position + i * b->dimension);
    for (int64_t e = 0; e < mesh->n_elements; e++)
        for (int f = 0; f < shape->n_faces; f++)
            count += take_face(mesh, inside, e, f, &one);
    SW_TRY_GOTO(status, SW_ALLOCATE(found, count + 1, "a set"), end);
    count = 0;
    for (int64_t e = 0; e < mesh->n_elements; e++)
        for (int f = 0; f < shape->n_faces; f++)
            count += take_face(mesh, inside, e, f, &found[count]);
    qsort(found, (size_t)count, sizeof *found, compare_faces);
    SW_TRY_GOTO(status, SW_ALLOCATE(*member, count + 1, "a set"), end);
    for (int64_t i = 0; i < count; i++)
        if ((i == 0 || !same_face(&found[i], &found[i - 1])) &&
            (i == count - 1 || !same_face(&found[i], &found[i + 1])))
            (*member)[(*n)++] = found[i].member;
end:
    free(inside);
    free(found);
    return status;
}

static sw_status members_inside(const sw_fem_mesh *mesh, const box *b, sw_fem_set_kind kind, int64_t *n,
                                int32_t **member)
{
    *n = 0;
    *member = NULL;
    if (kind == SW_FEM_SURFACE)
        return faces_inside(mesh, b, n, member);
    SW_TRY(SW_ALLOCATE(*member, kind == SW_FEM_NODES ? mesh->n_nodes : mesh->n_elements, "a set"));
    *n = (kind == SW_FEM_NODES ? nodes_inside : elements_inside)(mesh, b, *member);
    return SW_OK;
}

static sw_status read_box(const sw_fem_job *job, unsigned index, double slack, box *b)
{
    const sw_fem_job_set *set = &job->geometry.sets[index];
    char key[SW_FEM_KEY];
    b->dimension = sw_fem_shapes[job->mesh->shape].dimension;
    snprintf(key, sizeof key, "mesh.sets[%u].from", index);
    if (set->from_count != (unsigned)b->dimension || set->to_count != (unsigned)b->dimension)
        return sw_fem_job_error(job, key, ", to have %u and %u numbers: need %d each", set->from_count,
                                set->to_count, b->dimension);
    for (int i = 0; i < b->dimension; i++) {
        if (!(set->from[i] <= set->to[i]))
            return sw_fem_job_error(job, key, "[%d] = %.15g: need at most that of to, %.15g", i, set->from[i],
                                    set->to[i]);
        b->from[i] = set->from[i] - slack;
        b->to[i] = set->to[i] + slack;
    }
    return SW_OK;
}

static sw_status make_set(sw_fem_job *job, unsigned index, double slack)
{
    const sw_fem_job_set *set = &job->geometry.sets[index];
    char key[SW_FEM_KEY];
    box b = {0};
    int kind;
    int64_t n;
    int32_t *member;
    snprintf(key, sizeof key, "mesh.sets[%u].kind", index);
    SW_TRY(sw_fem_choose(job, key, set->kind, 3, kinds, -1, &kind));
    SW_TRY(read_box(job, index, slack, &b));
    snprintf(key, sizeof key, "mesh.sets[%u].name", index);
    if (sw_fem_mesh_set(job->mesh, (sw_fem_set_kind)kind, set->name) != NULL)
        return sw_fem_job_error(job, key, " = %.80s: there is a %s of this name", set->name,
                                kind_names[kind]);
    sw_status status = members_inside(job->mesh, &b, (sw_fem_set_kind)kind, &n, &member);
    if (status == SW_OK && n == 0)
        status = sw_fem_job_error(job, key, " = %.80s: is empty: no %s in its box", set->name,
                                  kind == SW_FEM_NODES      ? "node is"
                                  : kind == SW_FEM_ELEMENTS ? "element's centre is"
                                                            : "outer face lies");
    if (status == SW_OK)
        status = sw_fem_mesh_add_set(job->mesh, (sw_fem_set_kind)kind, set->name, n, member);
    free(member);
    return status;
}

sw_status sw_fem_make_sets(sw_fem_job *job)
{
    const double slack = slack_of(job->mesh);
    for (unsigned i = 0; i < job->geometry.sets_count; i++)
        SW_TRY(make_set(job, i, slack));
    return SW_OK;
}

/* ---- By name ---- */

sw_status sw_fem_find_set(const sw_fem_job *job, const char *key, sw_fem_set_kind kind, const char *name,
                          const sw_fem_set **set)
{
    char list[256] = "";
    *set = sw_fem_mesh_set(job->mesh, kind, name);
    if (*set != NULL && (*set)->n > 0)
        return SW_OK;
    if (*set != NULL)
        return sw_fem_job_error(job, key, " = %.80s: this %s is empty", name, kind_names[kind]);
    for (int i = 0; i < job->mesh->n_sets; i++)
        if (job->mesh->set[i].kind == kind)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] ? ", " : "",
                     job->mesh->set[i].name);
    if (list[0] == '\0')
        return sw_fem_job_error(job, key, " = %.80s: the mesh has no %ss", name, kind_names[kind]);
    return sw_fem_job_error(job, key, " = %.80s: no such %s: need one of %s", name, kind_names[kind], list);
}

sw_status sw_fem_set_nodes(const sw_fem_mesh *mesh, const sw_fem_set *set, int64_t *n, int32_t **node)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    unsigned char *in_set;
    *n = 0;
    *node = NULL;
    SW_TRY(SW_ALLOCATE(in_set, mesh->n_nodes, "nodes of a set"));
    for (int64_t i = 0; i < set->n; i++) {
        const int32_t member = set->member[i];
        if (set->kind == SW_FEM_NODES)
            in_set[member] = 1;
        for (int v = 0; v < shape->n_nodes && set->kind == SW_FEM_ELEMENTS; v++)
            in_set[mesh->node[(int64_t)member * shape->n_nodes + v]] = 1;
        for (int v = 0; v < shape->n_face_nodes && set->kind == SW_FEM_SURFACE; v++)
            in_set[mesh->node[(int64_t)(member / 8) * shape->n_nodes + shape->face[member % 8][v]]] = 1;
    }
    int64_t count = 0;
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        count += in_set[i];
    const sw_status status = SW_ALLOCATE(*node, count, "nodes of a set");
    for (int64_t i = 0; i < mesh->n_nodes && status == SW_OK; i++)
        if (in_set[i])
            (*node)[(*n)++] = (int32_t)i;
    free(in_set);
    return status;
}
