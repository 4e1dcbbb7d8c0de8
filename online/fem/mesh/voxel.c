/* Voxel meshes: the cells of a bounding box that a body fills, and the elements, nodes and sets of those. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "common/files/text.h"
#include "common/system/threads.h"
#include "lattice.h"
#include "mesh.h"

/* ---- Arguments ---- */

typedef struct {
    const sw_fem_body *body;
    double size[3], parameter[SW_FEM_BODY_PARAMETERS];
    int d; /* dimensions */
} plan;

static sw_status find_body(const char *name, const sw_fem_body **body)
{
    const char *names[64];
    char list[400];
    int n = 0;
    for (const sw_fem_body *b = sw_fem_bodies; b->name != NULL; b++)
        names[n++] = b->name;
    const int index = sw_find_word(name, n, names);
    sw_list_words(n, names, list, sizeof list);
    if (index < 0)
        return sw_error(SW_ERR_RANGE, "body = %s: need one of %s", name, list);
    *body = &sw_fem_bodies[index];
    return SW_OK;
}

static sw_status plan_size(const sw_fem_voxels *voxels, plan *p)
{
    int given = 0;
    for (int i = 0; i < 3; i++)
        given |= voxels->size[i] != 0;
    for (int i = 0; i < 3; i++) {
        p->size[i] = given ? voxels->size[i] : p->body->size[i];
        const int unused = i >= p->d && p->size[i] == 0;
        if (!unused && !(p->size[i] >= 1e-12 && p->size[i] <= 1e12))
            return sw_error(SW_ERR_RANGE, "size along %c = %g m: need 1e-12 to 1e12", 'x' + i, p->size[i]);
    }
    return SW_OK;
}

/* A disc is one of a square; round holes are of squares, too. */
static sw_status check_round(const sw_fem_voxels *voxels, const plan *p)
{
    if (p->body->form->place == NULL)
        return SW_OK;
    if (voxels->cells[0] != voxels->cells[1])
        return sw_error(SW_ERR_RANGE,
                        "cells along x = %" PRId64 ", along y = %" PRId64 ": body %s needs as many of both",
                        voxels->cells[0], voxels->cells[1], p->body->name);
    if (p->size[0] != p->size[1])
        return sw_error(SW_ERR_RANGE, "size along x = %g m, along y = %g m: body %s needs the same of both",
                        p->size[0], p->size[1], p->body->name);
    if (p->body->form->multiple && voxels->cells[0] % p->body->form->multiple)
        return sw_error(SW_ERR_RANGE, "cells along x = %" PRId64 ": body %s needs a multiple of %d",
                        voxels->cells[0], p->body->name, p->body->form->multiple);
    return SW_OK;
}

static sw_status plan_parameters(const sw_fem_voxels *voxels, plan *p)
{
    const sw_fem_body *body = p->body;
    int n = 0;
    while (body->parameter[n].name != NULL)
        n++;
    for (int i = 0; i < SW_FEM_BODY_PARAMETERS; i++) {
        const double value = voxels->fraction[i];
        if (i >= n && value != 0)
            return sw_error(SW_ERR_RANGE, "body %s has %d parameters: parameter no. %d = %g", body->name, n,
                            i + 1, value);
        p->parameter[i] = value == 0 ? body->parameter[i].value : value;
        if (i < n &&
            !(p->parameter[i] > body->parameter[i].least && p->parameter[i] < body->parameter[i].most))
            return sw_error(SW_ERR_RANGE, "%s of body %s = %g: need more than %g, less than %g",
                            body->parameter[i].name, body->name, value, body->parameter[i].least,
                            body->parameter[i].most);
    }
    return SW_OK;
}

static sw_status check_cells(const int64_t cells[3])
{
    int64_t room = SW_FEM_MOST_ELEMENTS;
    for (int i = 0; i < 3; i++) {
        const int64_t least = i < 2;
        if (cells[i] < least)
            return sw_error(SW_ERR_RANGE, "cells along %c = %" PRId64 ": need at least %" PRId64, 'x' + i,
                            cells[i], least);
        room /= cells[i] > 0 ? cells[i] : 1;
    }
    if (room == 0)
        return sw_error(SW_ERR_RANGE,
                        "cells = %" PRId64 " x %" PRId64 " x %" PRId64
                        ": need at most %d together, so that numbers of faces fit in 32 bits",
                        cells[0], cells[1], cells[2], SW_FEM_MOST_ELEMENTS);
    return SW_OK;
}

/* ---- Cells and lattice points ---- */

/* A lattice's layers of cells along z. */
static int32_t cell_layers(const sw_fem_lattice *l) { return l->n[2] > 0 ? l->n[2] : 1; }

/* What a cell or a point takes, ns. */
enum { INSIDE_NS = 10, CORNERS_NS = 10 };

/* Numbers the cells that the body fills. */
static void number_elements(const plan *p, sw_fem_mesh *mesh)
{
    const sw_fem_lattice *l = mesh->lattice;
    const int64_t rows = (int64_t)l->n[1] * cell_layers(l), cells = sw_fem_lattice_cells(l->n);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, INSIDE_NS))
    for (int64_t row = 0; row < rows; row++)
        for (int32_t i = 0; i < l->n[0]; i++) {
            const int64_t j = row % l->n[1], k = row / l->n[1];
            const double at[3] = {(i + 0.5) / l->n[0], ((double)j + 0.5) / l->n[1],
                                  ((double)k + 0.5) / cell_layers(l)};
            l->element[row * l->n[0] + i] = p->body->inside(p->parameter, at) ? 0 : -1;
        }
    mesh->n_elements = sw_fem_lattice_number(cells, l->element);
}

/* Numbers the points that an element has. */
static void number_nodes(sw_fem_mesh *mesh)
{
    const sw_fem_lattice *l = mesh->lattice;
    sw_fem_lattice_touch(l->n, l->element, l->node);
    mesh->n_nodes = sw_fem_lattice_number(sw_fem_lattice_points(l->n), l->node);
}

static void place_point(const plan *p, const sw_fem_lattice *l, const int32_t at[3], double position[3])
{
    const int d = l->n[2] > 0 ? 3 : 2;
    double across[2];
    for (int c = 0; c < d; c++)
        position[c] = p->size[c] * at[c] / l->n[c];
    if (l->boxes)
        return;
    p->body->form->place(l->n, at[0], at[1], across);
    for (int c = 0; c < 2; c++)
        position[c] = p->size[c] * across[c];
}

static void fill_positions(const plan *p, sw_fem_mesh *mesh)
{
    const sw_fem_lattice *l = mesh->lattice;
    const int64_t rows = ((int64_t)l->n[1] + 1) * (l->n[2] + 1), wide = (int64_t)l->n[0] + 1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(rows *wide, CORNERS_NS))
    for (int64_t row = 0; row < rows; row++)
        for (int32_t i = 0; i <= l->n[0]; i++) {
            const int32_t at[3] = {i, (int32_t)(row % (l->n[1] + 1)), (int32_t)(row / (l->n[1] + 1))};
            const int64_t node = l->node[row * wide + i];
            if (node >= 0)
                place_point(p, l, at, mesh->position + node * p->d);
        }
}

static void fill_elements(int n_corners, sw_fem_mesh *mesh)
{
    const sw_fem_lattice *l = mesh->lattice;
    const int64_t cells = sw_fem_lattice_cells(l->n);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, CORNERS_NS))
    for (int64_t cell = 0; cell < cells; cell++) {
        const int64_t first = (int64_t)l->element[cell] * n_corners;
        int64_t point[8];
        sw_fem_lattice_corners(l->n, cell, point);
        for (int v = 0; v < n_corners && first >= 0; v++)
            mesh->node[first + v] = l->node[point[v]];
    }
}

/* ---- Sets ---- */

/* Sides of the box of cells, in the order of their bits, and the face of an element there. */
static const struct {
    int axis, end, face[2]; /* of hex8, quad4 */
} sides[] = {{0, 0, {5, 3}}, {0, 1, {3, 1}},  {1, 0, {2, 0}},
             {1, 1, {4, 2}}, {2, 0, {0, -1}}, {2, 1, {1, -1}}};
enum { SIDES = sizeof sides / sizeof *sides };

/* Nodes of a side or, with a number of it, faces of elements there; how many. member: room for one for each of its
 * lattice points. */
static int64_t side_members(const sw_fem_lattice *l, int side, int face, int32_t *member)
{
    const int axis = sides[side].axis, nodes = face < 0;
    int32_t first[3] = {0, 0, 0}, last[3] = {l->n[0], l->n[1], nodes ? l->n[2] : cell_layers(l)};
    int64_t n = 0;
    for (int i = 0; i < 3; i++)
        last[i] -= !nodes;
    first[axis] = last[axis] = sides[side].end ? last[axis] : 0;
    for (int32_t k = first[2]; k <= last[2]; k++)
        for (int32_t j = first[1]; j <= last[1]; j++)
            for (int32_t i = first[0]; i <= last[0]; i++) {
                const int32_t at = nodes ? l->node[sw_fem_lattice_point(l->n, i, j, k)]
                                         : l->element[sw_fem_lattice_cell(l->n, i, j, k)];
                if (at >= 0)
                    member[n++] = nodes ? at : 8 * at + face;
            }
    return n;
}

/* The node set and the surface of some sides together; none of those that a plane mesh lacks. */
static sw_status add_sides(sw_fem_mesh *mesh, const char *name, int of, int32_t *member)
{
    int64_t n_nodes = 0, n_faces = 0;
    for (int s = 0; s < SIDES; s++)
        if (of >> s & 1) {
            if (sides[s].face[mesh->shape] < 0)
                return SW_OK;
            n_nodes += side_members(mesh->lattice, s, -1, member + n_nodes);
        }
    SW_TRY(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, name, n_nodes, member));
    for (int s = 0; s < SIDES; s++)
        if (of >> s & 1)
            n_faces += side_members(mesh->lattice, s, sides[s].face[mesh->shape], member + n_faces);
    return sw_fem_mesh_add_set(mesh, SW_FEM_SURFACE, name, n_faces, member);
}

static sw_status add_sets(const sw_fem_form *form, sw_fem_mesh *mesh)
{
    int32_t *member;
    const int64_t x = mesh->lattice->n[0] + 1, y = mesh->lattice->n[1] + 1, z = mesh->lattice->n[2] + 1;
    const int64_t outside = 2 * (x * y + y * z + z * x);
    SW_TRY(
        SW_ALLOCATE(member, mesh->n_elements > outside ? mesh->n_elements : outside, "sets of a voxel mesh"));
    sw_status status = SW_OK;
    for (int s = 0; form->side[s].name != NULL && status == SW_OK; s++)
        status = add_sides(mesh, form->side[s].name, form->side[s].of, member);
    for (int64_t e = 0; e < mesh->n_elements; e++)
        member[e] = (int32_t)e;
    if (status == SW_OK)
        status = sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, "all", mesh->n_elements, member);
    free(member);
    return status;
}

/* ---- The whole ---- */

static sw_status check_parts(const plan *p, const sw_fem_mesh *mesh)
{
    int32_t *part;
    SW_TRY(SW_ALLOCATE(part, mesh->n_nodes, "parts of a voxel mesh"));
    const int64_t parts = sw_fem_mesh_parts(mesh, part);
    free(part);
    if (parts != 1)
        return sw_error(SW_ERR_RANGE, "body %s: these cells and parameters leave %" PRId64 " parts: need one",
                        p->body->name, parts);
    return SW_OK;
}

static sw_status build(const plan *p, const int64_t cells[3], sw_fem_mesh *mesh)
{
    SW_TRY(SW_ALLOCATE(mesh->lattice, 1, "a lattice"));
    sw_fem_lattice *l = mesh->lattice;
    for (int i = 0; i < 3; i++) {
        l->n[i] = (int32_t)cells[i];
        l->size[i] = p->size[i] / (double)(cells[i] > 0 ? cells[i] : 1);
    }
    l->boxes = p->body->form->place == NULL;
    const int64_t n_cells = sw_fem_lattice_cells(l->n);
    const int n_corners = mesh->shape == SW_HEX8 ? 8 : 4;
    SW_TRY(SW_ALLOCATE(l->element, n_cells, "elements of a lattice"));
    SW_TRY(SW_ALLOCATE(l->node, sw_fem_lattice_points(l->n), "nodes of a lattice"));
    number_elements(p, mesh);
    if (mesh->n_elements == 0)
        return sw_error(SW_ERR_RANGE, "body %s: these cells and parameters leave nothing of it",
                        p->body->name);
    if (p->body->parameter[0].name != NULL && mesh->n_elements == n_cells)
        return sw_error(SW_ERR_RANGE, "body %s: its cut-outs are smaller than a cell: need more cells",
                        p->body->name);
    number_nodes(mesh);
    SW_TRY(SW_ALLOCATE(mesh->position, mesh->n_nodes * p->d, "nodes of a voxel mesh"));
    SW_TRY(SW_ALLOCATE(mesh->node, mesh->n_elements * n_corners, "elements of a voxel mesh"));
    fill_positions(p, mesh);
    fill_elements(n_corners, mesh);
    SW_TRY(check_parts(p, mesh));
    return add_sets(p->body->form, mesh);
}

sw_status sw_fem_voxel_mesh(const sw_fem_voxels *voxels, sw_fem_mesh **mesh)
{
    plan p = {.d = voxels->cells[2] != 0 ? 3 : 2};
    *mesh = NULL;
    SW_TRY(find_body(voxels->body != NULL ? voxels->body : "", &p.body));
    SW_TRY(check_cells(voxels->cells));
    SW_TRY(plan_size(voxels, &p));
    SW_TRY(check_round(voxels, &p));
    SW_TRY(plan_parameters(voxels, &p));
    SW_TRY(SW_ALLOCATE(*mesh, 1, "a voxel mesh"));
    (*mesh)->shape = p.d == 3 ? SW_HEX8 : SW_QUAD4;
    const sw_status status = build(&p, voxels->cells, *mesh);
    if (status != SW_OK) {
        sw_fem_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
