/* Blocks of elements for tests: cells of a lattice, hexahedra (quadrilaterals) or cut into wedges and tetrahedra (triangles),
 * held at their surface. */
#ifndef SW_TESTS_ONLINE_FEM_FORMULATION_BLOCKS_H
#define SW_TESTS_ONLINE_FEM_FORMULATION_BLOCKS_H

#include "online/fem/structure/structure.h"
#include "patches.h"

enum { MOST_PLACES = 1 << 16, MOST_NODES = 20000, MOST_ELEMENTS = 2000 };

/* From 0..1 of the lattice to a place; displacement of a place. */
typedef void mapping(const double at[3], double out[3]);

typedef struct {
    int cells[3], dimension, on_surface[MOST_NODES];
    int64_t place[MOST_PLACES], label[MOST_NODES]; /* of the lattice -> node, -1 */
    double position[MOST_NODES][3], temperature[MOST_NODES];
    sw_structure_element element[MOST_ELEMENTS];
    int32_t node[SW_FORMULATION_NODES * MOST_ELEMENTS];
    sw_structure_section section;
    sw_structure_value fixed[3 * MOST_NODES], force[3 * MOST_NODES];
    sw_structure_load load[MOST_ELEMENTS];
    sw_structure_step step;
    sw_structure_problem problem;
} block;

/* Corners, by their offsets in the cell, of the simplices that it is cut into. */
static inline int cut_cell(const sw_topology *t, int part, int corner[8][3])
{
    static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int wedges[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
    /* the cell's long diagonal with the edges that do not touch it */
    static const int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                   {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    const int parts = t->n_corners == 8 || (t->n_corners == 4 && t->dimension == 2) ? 1
                      : t->n_corners == 4                                           ? 6
                                                                                    : 2;
    for (int a = 0; a < t->n_corners; a++) {
        const int from = parts == 1 ? a : parts == 6 ? tets[part][a] : wedges[part][a];
        for (int i = 0; i < 3; i++)
            corner[a][i] = cube[from][i];
    }
    return parts;
}

static inline const sw_topology *corners_of(const sw_topology *t)
{
    const sw_topology *simple[] = {&sw_tri3, &sw_quad4_any, &sw_tet4, &sw_wedge6, &sw_hex8_any};
    for (int k = 0; k < 5; k++)
        if (simple[k]->n_corners == t->n_corners && simple[k]->dimension == t->dimension)
            return simple[k];
    return NULL;
}

static inline int64_t node_at(block *b, const int at[3], mapping *map)
{
    const int place = at[0] + (2 * b->cells[0] + 1) * (at[1] + (2 * b->cells[1] + 1) * at[2]);
    assert_in_range(place, 0, MOST_PLACES - 1);
    if (b->place[place] < 0) {
        const int64_t n = b->place[place] = b->problem.n_nodes++;
        assert_in_range(n, 0, MOST_NODES - 1);
        double unit[3];
        for (int i = 0; i < 3; i++)
            unit[i] = at[i] / (2.0 * b->cells[i]);
        map(unit, b->position[n]);
        b->label[n] = n + 1;
        for (int i = 0; i < b->dimension; i++)
            b->on_surface[n] |= at[i] == 0 || at[i] == 2 * b->cells[i];
    }
    return b->place[place];
}

/* Middles of edges where the map has them, or straight between the corners. */
static inline void add_element(block *b, const sw_formulation *f, const int cell[3], const int corner[8][3],
                               int straight, mapping *map)
{
    const sw_topology *t = f->topology, *simple = corners_of(t);
    const int64_t first = b->problem.n_members;
    b->element[b->problem.n_elements] = (sw_structure_element){.formulation = f,
                                                               .first = first,
                                                               .label = b->problem.n_elements + 1,
                                                               .of = (int32_t)b->problem.n_elements};
    b->problem.n_elements++;
    for (int a = 0; a < t->n_nodes; a++) {
        double value[8], middle[3] = {0};
        int at[3] = {0};
        simple->shape(t->node[a], value, NULL);
        for (int i = 0; i < b->dimension; i++) {
            double x = 0;
            for (int k = 0; k < t->n_corners; k++)
                x += value[k] * 2 * (cell[i] + corner[k][i]);
            at[i] = (int)lround(x);
        }
        const int64_t n = node_at(b, at, map);
        b->node[b->problem.n_members++] = (int32_t)n;
        for (int k = 0; k < t->n_corners; k++)
            for (int i = 0; i < 3; i++)
                middle[i] += value[k] * b->position[b->node[first + (k < a ? k : a)]][i];
        if (straight && a >= t->n_corners)
            memcpy(b->position[n], middle, sizeof middle);
    }
}

/* `cells` along each direction; in the plane the third counts as 1. */
static inline void fill(block *b, const known *k, sw_matter *matter, const int cells[3], int straight,
                        mapping *map)
{
    const sw_formulation *f = sw_formulation_find(k->name, k->dialect);
    int corner[8][3];
    memset(b, 0, sizeof *b);
    memset(b->place, -1, sizeof b->place);
    memcpy(b->cells, cells, sizeof b->cells);
    b->dimension = f->topology->dimension;
    b->section.thickness = 0.7;
    b->step =
        (sw_structure_step){.duration = 1, .first = 1, .fixed = b->fixed, .force = b->force, .load = b->load};
    b->problem = (sw_structure_problem){.path = "test",
                                        .position = b->position,
                                        .node_label = b->label,
                                        .temperature = b->temperature,
                                        .element = b->element,
                                        .node = b->node,
                                        .n_sections = 1,
                                        .section = &b->section,
                                        .n_matters = 1,
                                        .matter = matter,
                                        .n_steps = 1,
                                        .step = &b->step};
    const int parts = cut_cell(f->topology, 0, corner), deep = b->dimension == 3 ? cells[2] : 1;
    for (int c = 0; c < cells[0] * cells[1] * deep; c++)
        for (int part = 0; part < parts; part++) {
            const int cell[3] = {c % cells[0], c / cells[0] % cells[1], c / cells[0] / cells[1]};
            cut_cell(f->topology, part, corner);
            add_element(b, f, cell, (const int(*)[3])corner, straight, map);
        }
}

static inline void hold_surface(block *b, mapping *displacement)
{
    for (int64_t n = 0; n < b->problem.n_nodes; n++) {
        double u[3];
        displacement(b->position[n], u);
        for (int i = 0; i < b->dimension && b->on_surface[n]; i++)
            b->fixed[b->step.n_fixed++] = (sw_structure_value){3 * n + i, 0, u[i], -1};
    }
}

static inline void solve_block(const block *b, double (*u)[3])
{
    const sw_structure_options options = {.quiet = 1};
    sw_structure *s;
    CHECK_OK(sw_structure_open(&b->problem, &options, &s));
    CHECK_OK(sw_structure_advance(s, 0));
    sw_structure_read(s, u, NULL);
    sw_structure_close(s);
}

#endif
