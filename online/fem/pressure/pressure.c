#include "pressure.h"

#include <stdlib.h>

#include "online/fem/mesh/mesh.h"

/* The lists while they are made. */
typedef struct {
    const sw_fem_mesh *mesh;
    int n_corners;
    int64_t n_faces, n;
    int64_t *place; /* [N] number of a node among those loaded, from 1; 0: none */
    int32_t *face_node, *case_of, *node;
    double *pressure;
    int64_t *first, *next, *corner;
} lists;

static void count_faces(lists *l, const sw_fem_problem *p)
{
    for (int c = 0; c < p->n_cases; c++)
        for (int i = 0; i < p->load[c].n_pressures; i++)
            l->n_faces += p->load[c].pressure[i].surface->n;
}

/* A surface's faces, from number f on; the number after them. */
static int64_t add_surface(lists *l, const sw_fem_pressure *from, int load_case, int64_t f)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[l->mesh->shape];
    for (int64_t i = 0; i < from->surface->n; i++, f++) {
        const int64_t element = from->surface->member[i] / 8;
        const int face = from->surface->member[i] % 8;
        for (int a = 0; a < l->n_corners; a++) {
            const int32_t node = l->mesh->node[element * shape->n_nodes + shape->face[face][a]];
            l->face_node[4 * f + a] = node;
            l->place[node] = 1;
        }
        l->case_of[f] = load_case;
        l->pressure[f] = from->pressure;
    }
    return f;
}

static void number_nodes(lists *l)
{
    for (int64_t i = 0; i < l->mesh->n_nodes; i++)
        if (l->place[i] > 0)
            l->place[i] = ++l->n;
}

/* Corners of each node, ascending. */
static void list_corners(lists *l)
{
    for (int64_t i = 0; i < l->mesh->n_nodes; i++)
        if (l->place[i] > 0)
            l->node[l->place[i] - 1] = (int32_t)i;
    for (int64_t f = 0; f < l->n_faces; f++)
        for (int a = 0; a < l->n_corners; a++)
            l->first[l->place[l->face_node[4 * f + a]]]++;
    for (int64_t i = 0; i < l->n; i++) {
        l->next[i] = l->first[i];
        l->first[i + 1] += l->first[i];
    }
    for (int64_t f = 0; f < l->n_faces; f++)
        for (int a = 0; a < l->n_corners; a++)
            l->corner[l->next[l->place[l->face_node[4 * f + a]] - 1]++] = 4 * f + a;
}

static sw_status make_lists(lists *l, const sw_fem_problem *p)
{
    SW_TRY(SW_ALLOCATE(l->place, l->mesh->n_nodes, "pressures"));
    SW_TRY(SW_ALLOCATE(l->face_node, 4 * l->n_faces, "pressures"));
    SW_TRY(SW_ALLOCATE(l->case_of, l->n_faces, "pressures"));
    SW_TRY(SW_ALLOCATE(l->pressure, l->n_faces, "pressures"));
    int64_t f = 0;
    for (int c = 0; c < p->n_cases; c++)
        for (int i = 0; i < p->load[c].n_pressures; i++)
            f = add_surface(l, &p->load[c].pressure[i], c, f);
    number_nodes(l);
    SW_TRY(SW_ALLOCATE(l->node, l->n, "pressures"));
    SW_TRY(SW_ALLOCATE(l->first, l->n + 1, "pressures"));
    SW_TRY(SW_ALLOCATE(l->next, l->n, "pressures"));
    SW_TRY(SW_ALLOCATE(l->corner, l->n_corners * l->n_faces, "pressures"));
    list_corners(l);
    return SW_OK;
}

sw_status sw_fem_pressure_open(sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
    struct sw_fem_pressures *pressures;
    lists l = {.mesh = p->mesh, .n_corners = sw_fem_face_corners(p->kinematics)};
    count_faces(&l, p);
    if (l.n_faces == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(pressures, 1, "pressures"));
    fem->pressures = pressures;
    const sw_status status = make_lists(&l, p);
    free(l.place);
    free(l.next);
    pressures->view = (sw_fem_pressure_view){.kinematics = p->kinematics,
                                             .thickness = p->thickness,
                                             .n_cases = p->n_cases,
                                             .n_nodes = fem->n_nodes,
                                             .n_faces = l.n_faces,
                                             .n = l.n,
                                             .face_node = l.face_node,
                                             .case_of = l.case_of,
                                             .pressure = l.pressure,
                                             .node = l.node,
                                             .first = l.first,
                                             .corner = l.corner,
                                             .position = p->mesh->position};
    return status;
}

void sw_fem_pressure_close(sw_fem *fem)
{
    struct sw_fem_pressures *pressures = fem->pressures;
    if (!pressures)
        return;
    free((void *)pressures->view.face_node);
    free((void *)pressures->view.case_of);
    free((void *)pressures->view.pressure);
    free((void *)pressures->view.node);
    free((void *)pressures->view.first);
    free((void *)pressures->view.corner);
    free(pressures);
    fem->pressures = NULL;
}
