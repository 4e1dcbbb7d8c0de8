#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/mesh/lattice.h"
#include "parts.h"

#define WHAT "parts of the mesh"
enum { NODE_NS = 5, ELEMENT_NS = 20, CELL_NS = 5 };

/* ---- Mesh ---- */

/* Numbers in the part of the whole mesh's nodes or elements [n_all]; -1: not there. */
static sw_status number_in_part(int64_t n_all, int64_t n, const int32_t *of, int32_t **number)
{
    SW_TRY(SW_ALLOCATE(*number, n_all, WHAT));
    memset(*number, 0xff, (size_t)n_all * sizeof **number);
    for (int64_t i = 0; i < n; i++)
        (*number)[of[i]] = (int32_t)i;
    return SW_OK;
}

static sw_status make_mesh(const sw_fem_division *d, const int32_t *node_number, sw_fem_mesh *mesh)
{
    const sw_fem_mesh *whole = d->mesh;
    const int dimension = sw_fem_shapes[whole->shape].dimension, V = sw_fem_shapes[whole->shape].n_nodes;
    *mesh = (sw_fem_mesh){.shape = whole->shape, .n_nodes = d->n_nodes, .n_elements = d->n_elements};
    SW_TRY(SW_ALLOCATE(mesh->position, d->n_nodes * dimension, WHAT));
    SW_TRY(SW_ALLOCATE(mesh->node, d->n_elements * V, WHAT));
    SW_TRY(SW_ALLOCATE(mesh->node_label, d->n_nodes, WHAT));
    SW_TRY(SW_ALLOCATE(mesh->element_label, d->n_elements, WHAT));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(d->n_nodes, NODE_NS))
    for (int64_t i = 0; i < d->n_nodes; i++) {
        memcpy(mesh->position + i * dimension, whole->position + (int64_t)d->node[i] * dimension,
               (size_t)dimension * sizeof(double));
        mesh->node_label[i] = sw_fem_node_label(whole, d->node[i]);
    }
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(d->n_elements, ELEMENT_NS))
    for (int64_t e = 0; e < d->n_elements; e++) {
        for (int a = 0; a < V; a++)
            mesh->node[e * V + a] = node_number[whole->node[(int64_t)d->own_element[e] * V + a]];
        mesh->element_label[e] = sw_fem_element_label(whole, d->own_element[e]);
    }
    return SW_OK;
}

/* The box of the part's cells, from where cells that stay together begin. */
static void find_box(const sw_fem_division *d, int periodic, const int32_t *element_number, int32_t low[3],
                     int32_t high[3])
{
    const sw_fem_lattice *whole = d->mesh->lattice;
    const int64_t cells = sw_fem_lattice_cells(whole->n);
    int32_t together[3];
    sw_fem_together(whole, periodic, d->halvings, together);
    for (int i = 0; i < 3; i++) {
        low[i] = whole->n[i];
        high[i] = 0;
    }
#pragma omp parallel for schedule(static) reduction(min                              \
                                                    : low[:3]) reduction(max         \
                                                                         : high[:3]) \
    num_threads(sw_threads_for(cells, CELL_NS))
    for (int64_t cell = 0; cell < cells; cell++) {
        const int32_t at[3] = {(int32_t)(cell % whole->n[0]), (int32_t)(cell / whole->n[0] % whole->n[1]),
                               (int32_t)(cell / whole->n[0] / whole->n[1])};
        if (whole->element[cell] < 0 || element_number[whole->element[cell]] < 0)
            continue;
        for (int i = 0; i < 3; i++) {
            low[i] = at[i] < low[i] ? at[i] : low[i];
            high[i] = at[i] >= high[i] ? at[i] + 1 : high[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        low[i] = low[i] / together[i] * together[i];
        high[i] = (high[i] + together[i] - 1) / together[i] * together[i];
        high[i] = high[i] < whole->n[i] ? high[i] : whole->n[i];
    }
}

static sw_status make_lattice(const sw_fem_division *d, const int32_t *node_number,
                              const int32_t *element_number, sw_fem_part_problem *part)
{
    const sw_fem_lattice *whole = d->mesh->lattice;
    int32_t high[3];
    sw_fem_lattice *l;
    SW_TRY(SW_ALLOCATE(l, 1, WHAT));
    part->mesh.lattice = l;
    find_box(d, part->problem.periodic, element_number, part->first_cell, high);
    const int32_t *low = part->first_cell;
    l->boxes = whole->boxes;
    for (int i = 0; i < 3; i++) {
        l->n[i] = whole->n[i] > 0 ? high[i] - low[i] : 0;
        l->size[i] = whole->size[i];
        l->origin[i] = whole->origin[i] + low[i] * whole->size[i];
    }
    SW_TRY(SW_ALLOCATE(l->node, sw_fem_lattice_points(l->n), WHAT));
    SW_TRY(SW_ALLOCATE(l->element, sw_fem_lattice_cells(l->n), WHAT));
    memset(l->node, 0xff, (size_t)sw_fem_lattice_points(l->n) * sizeof *l->node);
    const int V = sw_fem_shapes[d->mesh->shape].n_nodes;
    const int64_t cells = sw_fem_lattice_cells(l->n);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, ELEMENT_NS))
    for (int64_t cell = 0; cell < cells; cell++) {
        const int64_t x = cell % l->n[0], y = cell / l->n[0] % l->n[1], z = cell / l->n[0] / l->n[1];
        const int32_t e = whole->element[sw_fem_lattice_cell(whole->n, x + low[0], y + low[1], z + low[2])];
        int64_t point[8];
        l->element[cell] = e < 0 ? -1 : element_number[e];
        if (l->element[cell] < 0)
            continue;
        sw_fem_lattice_corners(l->n, cell, point);
        for (int a = 0; a < V; a++) {
            int32_t *of = &l->node[point[a]]; /* the same by all cells around */
            __atomic_store_n(of, node_number[d->mesh->node[(int64_t)e * V + a]], __ATOMIC_RELAXED);
        }
    }
    return SW_OK;
}

/* ---- Load cases ---- */

int64_t sw_fem_whole_unknown(const sw_fem_division *d, int c, int64_t i)
{
    const int64_t rest = i - d->n_nodes * c;
    return rest < 0 ? (int64_t)d->node[i / c] * c + i % c : d->mesh->n_nodes * c + rest;
}

/* The part's prescribed unknowns, ascending in its own numbers, of the n that it has. */
static sw_status take_fixed(const sw_fem_division *d, int c, int64_t n, const sw_fem_case *whole,
                            sw_fem_case *load)
{
    int64_t *place; /* in the whole case, from 1 */
    SW_TRY(SW_ALLOCATE(place, sw_fem_whole_unknown(d, c, n), WHAT));
    for (int64_t i = 0; i < whole->n_fixed; i++)
        place[whole->dof[i]] = i + 1;
    for (int64_t i = 0; i < n; i++)
        load->n_fixed += place[sw_fem_whole_unknown(d, c, i)] > 0;
    sw_status status = SW_ALLOCATE(load->dof, load->n_fixed, WHAT);
    if (status == SW_OK)
        status = SW_ALLOCATE(load->value, load->n_fixed, WHAT);
    for (int64_t i = 0, at = 0; i < n && status == SW_OK; i++) {
        const int64_t from = place[sw_fem_whole_unknown(d, c, i)];
        if (from == 0)
            continue;
        load->dof[at] = i;
        load->value[at++] = whole->value[from - 1];
    }
    free(place);
    return status;
}

static sw_status take_forces(const sw_fem_division *d, int c, int64_t n, const sw_fem_case *whole,
                             sw_fem_case *load)
{
    if (!whole->force)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(load->force, n, WHAT));
    for (int64_t i = 0; i < n; i++)
        load->force[i] = whole->force[sw_fem_whole_unknown(d, c, i)];
    return SW_OK;
}

/* A surface's faces on the part's elements. */
static sw_status take_surface(const int32_t *element_number, const sw_fem_set *whole, sw_fem_set *surface)
{
    *surface = (sw_fem_set){.name = whole->name, .kind = whole->kind};
    SW_TRY(SW_ALLOCATE(surface->member, whole->n, WHAT));
    for (int64_t i = 0; i < whole->n; i++) {
        const int32_t e = element_number[whole->member[i] / 8];
        if (e >= 0)
            surface->member[surface->n++] = 8 * e + whole->member[i] % 8;
    }
    return SW_OK;
}

static sw_status take_pressures(const int32_t *element_number, const sw_fem_case *whole, sw_fem_case *load,
                                sw_fem_set *surface)
{
    if (whole->n_pressures == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(load->pressure, whole->n_pressures, WHAT));
    load->n_pressures = whole->n_pressures;
    for (int i = 0; i < whole->n_pressures; i++) {
        SW_TRY(take_surface(element_number, whole->pressure[i].surface, &surface[i]));
        load->pressure[i] = (sw_fem_pressure){&surface[i], whole->pressure[i].pressure};
    }
    return SW_OK;
}

static int count_pressures(const sw_fem_problem *p)
{
    int n = 0;
    for (int l = 0; l < p->n_cases; l++)
        n += p->load[l].n_pressures;
    return n;
}

static sw_status make_cases(const sw_fem_problem *whole, const sw_fem_division *d,
                            const int32_t *element_number, sw_fem_part_problem *part)
{
    const int c = sw_fem_unknowns(whole->kinematics);
    const int64_t n = sw_fem_count_unknowns(&part->problem);
    SW_TRY(SW_ALLOCATE(part->surface, count_pressures(whole), WHAT));
    SW_TRY(SW_ALLOCATE(part->load, whole->n_cases, WHAT));
    part->problem.n_cases = whole->n_cases;
    part->problem.load = part->load;
    sw_fem_set *surface = part->surface;
    for (int l = 0; l < whole->n_cases; l++) {
        SW_TRY(take_fixed(d, c, n, &whole->load[l], &part->load[l]));
        SW_TRY(take_forces(d, c, n, &whole->load[l], &part->load[l]));
        SW_TRY(take_pressures(element_number, &whole->load[l], &part->load[l], surface));
        surface += whole->load[l].n_pressures;
    }
    return SW_OK;
}

/* ---- All ---- */

sw_status sw_fem_part_problem_make(const sw_fem_problem *whole, const sw_fem_division *d,
                                   sw_fem_part_problem *part)
{
    int32_t *node_number = NULL, *element_number = NULL;
    sw_status status;
    *part = (sw_fem_part_problem){.problem = *whole};
    part->problem.mesh = &part->mesh;
    part->problem.n_cases = 0;
    part->problem.load = NULL;
    part->problem.material_of = NULL;
    SW_TRY_GOTO(status, number_in_part(d->mesh->n_nodes, d->n_nodes, d->node, &node_number), done);
    SW_TRY_GOTO(status, number_in_part(d->mesh->n_elements, d->n_elements, d->own_element, &element_number),
                done);
    SW_TRY_GOTO(status, make_mesh(d, node_number, &part->mesh), done);
    if (d->mesh->lattice)
        SW_TRY_GOTO(status, make_lattice(d, node_number, element_number, part), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(part->material_of, d->n_elements, WHAT), done);
    for (int64_t e = 0; e < d->n_elements && whole->material_of; e++)
        part->material_of[e] = whole->material_of[d->own_element[e]];
    part->problem.material_of = part->material_of;
    status = make_cases(whole, d, element_number, part);
done:
    free(node_number);
    free(element_number);
    return status;
}

void sw_fem_part_problem_free(sw_fem_part_problem *part)
{
    const int n_pressures = part->load ? count_pressures(&part->problem) : 0;
    for (int l = 0; l < part->problem.n_cases && part->load; l++) {
        free(part->load[l].dof);
        free(part->load[l].value);
        free(part->load[l].force);
        free(part->load[l].pressure);
    }
    for (int i = 0; i < n_pressures; i++)
        free(part->surface[i].member);
    free(part->load);
    free(part->surface);
    free(part->material_of);
    if (part->mesh.lattice) {
        free(part->mesh.lattice->node);
        free(part->mesh.lattice->element);
        free(part->mesh.lattice);
    }
    free(part->mesh.position);
    free(part->mesh.node);
    free(part->mesh.node_label);
    free(part->mesh.element_label);
    *part = (sw_fem_part_problem){.material_of = NULL};
}
