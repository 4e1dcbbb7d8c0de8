#include "contact.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/element/gather.h"
#include "online/fem/law/law.h"
#include "online/fem/mesh/mesh.h"

const char *const sw_fem_tool_names[] = {[SW_FEM_PLANE] = "plane",
                                         [SW_FEM_CYLINDER] = "cylinder",
                                         [SW_FEM_SPHERE] = "sphere",
                                         [SW_FEM_TRIANGLES] = "mesh"};

#define OVERLAP 1e-6 /* of an element's depth: more is no round-off of an input */

/* ---- What may be wrong with a tool ---- */

static const char *name_of(const sw_fem_tool *tool)
{
    return tool->name != NULL ? tool->name : "without a name";
}

static sw_status need(const sw_fem_tool *tool, const char *what, double value, int holds, const char *bound)
{
    return holds
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "tool %.60s: %s = %.15g: need %s", name_of(tool), what, value, bound);
}

static sw_status check_tool(const sw_fem_tool *tool)
{
    const double *n = tool->direction, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const int round = tool->shape == SW_FEM_CYLINDER || tool->shape == SW_FEM_SPHERE;
    SW_TRY(need(tool, "friction", tool->friction, tool->friction >= 0, "0 or more"));
    SW_TRY(need(tool, "shear_limit", tool->shear_limit, tool->shear_limit >= 0, "0 or more"));
    SW_TRY(need(tool, "penalty", tool->penalty,
                tool->penalty == 0 ||
                    (tool->penalty >= SW_FEM_LEAST_PENALTY && tool->penalty <= SW_FEM_MOST_PENALTY),
                "1 to 1e5, or 0 for the default"));
    SW_TRY(need(tool, "radius", tool->radius,
                isfinite(tool->radius) && (round ? tool->radius > 0 : tool->radius >= 0),
                round ? "more than 0" : "0 or more"));
    SW_TRY(need(tool, "edge", tool->edge,
                tool->edge >= 0 && isfinite(tool->edge) &&
                    (tool->edge == 0 || (!round && (tool->hollow || tool->edge < tool->radius))),
                "0 or more, of a plane, and less than its radius"));
    if (tool->edge > 0)
        SW_TRY(need(tool, "radius", tool->radius, tool->radius > 0, "more than 0 with an edge"));
    if (tool->shape == SW_FEM_TRIANGLES)
        SW_TRY(need(tool, "triangles", 0, tool->triangles != NULL, "a surface"));
    else if (tool->shape != SW_FEM_SPHERE)
        SW_TRY(need(tool, "length of its direction", length, fabs(length - 1) < 1e-9, "1"));
    for (int i = 0; i < 3; i++)
        SW_TRY(need(tool, "point", tool->point[i], isfinite(tool->point[i]), "finite numbers"));
    return need(tool, "number of surfaces", tool->n_surfaces, tool->n_surfaces >= 1, "at least 1");
}

/* Each face of a tool's surfaces once. */
static sw_status check_faces(const sw_fem_tool *tool)
{
    int64_t n = 0;
    int32_t *member;
    for (int s = 0; s < tool->n_surfaces; s++)
        n += tool->surface[s]->n;
    SW_TRY(SW_ALLOCATE(member, n, "contact"));
    n = 0;
    for (int s = 0; s < tool->n_surfaces; s++)
        for (int64_t i = 0; i < tool->surface[s]->n; i++)
            member[n++] = tool->surface[s]->member[i];
    const int64_t once = sw_fem_sort_members(n, member);
    free(member);
    return once == n
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "tool %.60s: its surfaces share %lld faces: need each face once",
                          name_of(tool), (long long)(n - once));
}

/* ---- Entries ---- */

/* The lists while they are made. */
typedef struct {
    const sw_fem_problem *problem;
    int d, n_face_nodes;
    int64_t *place; /* [N] entry of a node, -1 */
    int32_t *node, *face_node;
    uint8_t *tool_of, *face_corner;
    int32_t *face_element;
    double *stiffness, *slack;
    int64_t *first, *face_first;
    int64_t *next; /* [n] free place among an entry's faces */
} lists;

/* Depth of element e (m): its volume over the area of a face, and that area (m2). */
static double depth_of(const sw_fem_problem *p, int64_t e, int face, double *area)
{
    const sw_fem_mesh *mesh = p->mesh;
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    const int d = shape->dimension;
    double x[3][8] = {{0}}, at[4][3] = {{0}}, volume = 0, sum[3] = {0};
    sw_fem_gather(d, mesh->node + e * shape->n_nodes, mesh->position, d, x);
    for (int q = 0; q < shape->n_nodes; q++) {
        sw_fem_place place;
        sw_fem_locate(p->kinematics, q, (const double(*)[8])x, p->thickness, &place);
        volume += place.volume;
    }
    for (int a = 0; a < shape->n_face_nodes; a++)
        for (int j = 0; j < d; j++)
            at[a][j] = mesh->position[(int64_t)mesh->node[e * shape->n_nodes + shape->face[face][a]] * d + j];
    for (int q = 0; q < shape->n_face_nodes; q++) {
        double N[4], part[3];
        sw_fem_face_point(p->kinematics, p->thickness, q, (const double(*)[3])at, N, part);
        for (int j = 0; j < 3; j++)
            sum[j] += part[j];
    }
    *area = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return *area > 0 ? volume / *area : 0;
}

/* Calls `with` for each face of a tool's surfaces. */
typedef void face_function(lists *l, int tool, int64_t element, int face);
static void each_face(lists *l, int tool, face_function *with)
{
    const sw_fem_tool *t = &l->problem->tool[tool];
    for (int s = 0; s < t->n_surfaces; s++)
        for (int64_t i = 0; i < t->surface[s]->n; i++)
            with(l, tool, t->surface[s]->member[i] / 8, t->surface[s]->member[i] % 8);
}

static int32_t face_node(const lists *l, int64_t element, int face, int a)
{
    const sw_fem_mesh *mesh = l->problem->mesh;
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    return mesh->node[element * shape->n_nodes + shape->face[face][a]];
}

static void mark_nodes(lists *l, int tool, int64_t element, int face)
{
    (void)tool;
    for (int a = 0; a < l->n_face_nodes; a++)
        l->place[face_node(l, element, face, a)] = 0;
}

/* Faces of each entry, a place on. */
static void count_faces(lists *l, int tool, int64_t element, int face)
{
    (void)tool;
    for (int a = 0; a < l->n_face_nodes; a++)
        l->face_first[l->place[face_node(l, element, face, a)] + 1]++;
}

/* A face into the lists of its nodes, and what it adds to their stiffness and slack. */
static void add_face(lists *l, int tool, int64_t element, int face)
{
    const sw_fem_problem *p = l->problem;
    const sw_fem_material *material = &p->material[p->material_of ? p->material_of[element] : 0];
    const double penalty = p->tool[tool].penalty > 0 ? p->tool[tool].penalty : SW_FEM_PENALTY;
    double at[4][3] = {{0}}, whole;
    const double depth = depth_of(p, element, face, &whole);
    for (int a = 0; a < l->n_face_nodes; a++)
        for (int j = 0; j < l->d; j++)
            at[a][j] = p->mesh->position[(int64_t)face_node(l, element, face, a) * l->d + j];
    for (int a = 0; a < l->n_face_nodes; a++) {
        const int64_t i = l->place[face_node(l, element, face, a)], f = l->next[i]++;
        double share[3];
        for (int b = 0; b < l->n_face_nodes; b++)
            l->face_node[4 * f + b] = face_node(l, element, face, b);
        l->face_corner[f] = (uint8_t)a;
        l->face_element[f] = (int32_t)element;
        sw_fem_face_share(p->kinematics, p->thickness, a, (const double(*)[3])at, share);
        if (depth > 0)
            l->stiffness[i] += penalty * material->young / depth *
                               sqrt(share[0] * share[0] + share[1] * share[1] + share[2] * share[2]);
        l->slack[i] = fmax(l->slack[i], SW_FEM_SLACK * depth);
    }
}

/* place of each node of a tool's surfaces, -1 for others, from number n on; the number after them. */
static int64_t number_entries(lists *l, int tool, int64_t n)
{
    const int64_t N = l->problem->mesh->n_nodes;
    for (int64_t i = 0; i < N; i++)
        l->place[i] = -1;
    each_face(l, tool, mark_nodes);
    for (int64_t i = 0; i < N; i++)
        if (l->place[i] == 0)
            l->place[i] = n++;
    return n;
}

static sw_status make_lists(lists *l)
{
    const sw_fem_problem *p = l->problem;
    int64_t n = 0, faces = 0;
    SW_TRY(SW_ALLOCATE(l->place, p->mesh->n_nodes, "contact"));
    SW_TRY(SW_ALLOCATE(l->first, p->n_tools + 1, "contact"));
    for (int t = 0; t < p->n_tools; t++) {
        SW_TRY(check_tool(&p->tool[t]));
        SW_TRY(check_faces(&p->tool[t]));
        for (int s = 0; s < p->tool[t].n_surfaces; s++)
            faces += p->tool[t].surface[s]->n;
        l->first[t + 1] = number_entries(l, t, n);
        if (l->first[t + 1] == n)
            return sw_error(SW_ERR_RANGE, "tool %.60s: its surfaces have no nodes", name_of(&p->tool[t]));
        n = l->first[t + 1];
    }
    SW_TRY(SW_ALLOCATE(l->node, n, "contact"));
    SW_TRY(SW_ALLOCATE(l->tool_of, n, "contact"));
    SW_TRY(SW_ALLOCATE(l->stiffness, n, "contact"));
    SW_TRY(SW_ALLOCATE(l->slack, n, "contact"));
    SW_TRY(SW_ALLOCATE(l->face_first, n + 1, "contact"));
    SW_TRY(SW_ALLOCATE(l->next, n, "contact"));
    SW_TRY(SW_ALLOCATE(l->face_node, 4 * l->n_face_nodes * faces, "contact"));
    SW_TRY(SW_ALLOCATE(l->face_corner, l->n_face_nodes * faces, "contact"));
    SW_TRY(SW_ALLOCATE(l->face_element, l->n_face_nodes * faces, "contact"));
    for (int t = 0; t < p->n_tools; t++) {
        number_entries(l, t, l->first[t]);
        for (int64_t i = 0; i < p->mesh->n_nodes; i++)
            if (l->place[i] >= 0) {
                l->node[l->place[i]] = (int32_t)i;
                l->tool_of[l->place[i]] = (uint8_t)t;
            }
        each_face(l, t, count_faces);
    }
    for (int64_t i = 0; i < n; i++) {
        l->next[i] = l->face_first[i];
        l->face_first[i + 1] += l->face_first[i];
    }
    for (int t = 0; t < p->n_tools; t++) {
        number_entries(l, t, l->first[t]);
        each_face(l, t, add_face);
    }
    return SW_OK;
}

int64_t sw_fem_tool_nodes(const sw_fem_problem *p)
{
    lists l = {.problem = p,
               .d = sw_fem_dimension(p->kinematics),
               .n_face_nodes = sw_fem_face_corners(p->kinematics)};
    int64_t n = 0;
    if (p->n_tools == 0)
        return 0;
    if (SW_ALLOCATE(l.place, p->mesh->n_nodes, "contact") != SW_OK)
        return -1;
    for (int t = 0; t < p->n_tools; t++)
        n = number_entries(&l, t, n);
    free(l.place);
    return n;
}

/* ---- At the start ---- */

/* A round tool has no node of the body inside, wherever; a tool that touches the body touches it from outside. */
static sw_status check_side(const sw_fem *fem, int t)
{
    const sw_fem_contact_view *view = &fem->contact->view;
    const sw_fem_mesh *mesh = fem->problem->mesh;
    const sw_fem_tool *tool = &view->tool[t];
    const int d = fem->dimension;
    double *still, area = 0;
    int touches = 0;
    char text[SW_FEM_PLACE_TEXT];
    for (int64_t n = 0; n < mesh->n_nodes && tool->radius > 0 && tool->shape != SW_FEM_PLANE; n++) {
        double x[3] = {0};
        sw_fem_tool_place at;
        for (int j = 0; j < d; j++)
            x[j] = mesh->position[n * d + j] - tool->point[j];
        sw_fem_tool_find(tool, x, &at);
        if (at.gap < -OVERLAP * tool->radius)
            return sw_error(SW_ERR_RANGE,
                            "tool %.60s: node %lld of the body at %s is %.3g m inside it: need tools outside",
                            name_of(tool), sw_fem_node_label(mesh, n),
                            sw_fem_place_text(d, mesh->position + n * d, text), -at.gap);
    }
    SW_TRY(SW_ALLOCATE(still, mesh->n_nodes * d, "contact"));
    for (int64_t i = view->first[t]; i < view->first[t + 1]; i++)
        if (fem->contact->state[i].touches > 0) {
            double x[3] = {0};
            sw_fem_tool_place at;
            for (int j = 0; j < d; j++)
                x[j] = mesh->position[(int64_t)view->node[i] * d + j] - tool->point[j];
            sw_fem_tool_find(tool, x, &at);
            area += sw_fem_contact_area(view, i, still, at.normal);
            touches = 1;
        }
    free(still);
    return !touches || area > 0 ? SW_OK
                                : sw_error(SW_ERR_RANGE,
                                           "tool %.60s: faces away from the surface that it touches: need a "
                                           "normal towards the body",
                                           name_of(tool));
}

/* No node may be inside a tool; a tool that is free to move must touch one. Which nodes touch is noted. */
static sw_status check_places(const sw_fem *fem)
{
    const sw_fem_contact_view *view = &fem->contact->view;
    const sw_fem_mesh *mesh = fem->problem->mesh;
    const int d = fem->dimension;
    for (int t = 0; t < view->n_tools; t++) {
        const sw_fem_tool *tool = &view->tool[t];
        double least = INFINITY;
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++) {
            const int64_t node = view->node[i];
            const double depth = view->slack[i] / SW_FEM_SLACK;
            char text[SW_FEM_PLACE_TEXT];
            double x[3] = {0};
            sw_fem_tool_place at;
            for (int j = 0; j < d; j++)
                x[j] = mesh->position[node * d + j] - tool->point[j];
            sw_fem_tool_find(tool, x, &at);
            if (at.gap < -OVERLAP * depth)
                return sw_error(
                    SW_ERR_RANGE,
                    "tool %.60s: node %lld of the body at %s is %.3g m inside it: need tools outside",
                    name_of(tool), sw_fem_node_label(mesh, node),
                    sw_fem_place_text(d, mesh->position + node * d, text), -at.gap);
            fem->contact->state[i].touches = at.gap < view->slack[i];
            least = fmin(least, at.gap - view->slack[i]);
        }
        SW_TRY(check_side(fem, t));
        for (int j = 0; j < d && least > 0; j++)
            if (!fem->fixed[(fem->n_nodes + t) * d + j])
                return sw_error(
                    SW_ERR_RANGE,
                    "tool %.60s: is %.3g m from the body and free to move along %c: need one that "
                    "touches it, or whose move is prescribed",
                    name_of(tool), least, 'x' + j);
    }
    return SW_OK;
}

sw_status sw_fem_contact_open(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    struct sw_fem_contact *contact;
    if (p->n_tools == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(contact, 1, "contact"));
    fem->contact = contact;
    lists l = {.problem = p, .d = fem->dimension, .n_face_nodes = sw_fem_face_corners(p->kinematics)};
    const sw_status status = make_lists(&l);
    free(l.place);
    free(l.next);
    contact->view = (sw_fem_contact_view){.kinematics = p->kinematics,
                                          .thickness = p->thickness,
                                          .n_tools = p->n_tools,
                                          .n_nodes = fem->n_nodes,
                                          .tool = p->tool,
                                          .first = l.first,
                                          .node = l.node,
                                          .tool_of = l.tool_of,
                                          .stiffness = l.stiffness,
                                          .slack = l.slack,
                                          .face_first = l.face_first,
                                          .face_node = l.face_node,
                                          .face_corner = l.face_corner,
                                          .position = p->mesh->position,
                                          .n_counted = fem->n_nodes};
    contact->face_element = l.face_element;
    SW_TRY(status);
    contact->view.n = l.first[p->n_tools];
    for (int64_t i = 0; i < contact->view.n; i++)
        contact->noise += l.stiffness[i] * l.slack[i];
    SW_TRY(SW_ALLOCATE(contact->state, contact->view.n, "contact"));
    return check_places(fem);
}

void sw_fem_contact_free(struct sw_fem_contact *contact)
{
    if (!contact)
        return;
    free((void *)contact->view.first);
    free((void *)contact->view.node);
    free((void *)contact->view.tool_of);
    free((void *)contact->view.stiffness);
    free((void *)contact->view.slack);
    free((void *)contact->view.face_first);
    free((void *)contact->view.face_node);
    free((void *)contact->view.face_corner);
    free(contact->face_element);
    free(contact->state);
    free(contact);
}
