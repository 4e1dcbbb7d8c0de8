#include "divided.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "online/fem/mesh/lattice.h"

#define WHAT "levels over processes"
enum { CELL_NS = 5 };

static sw_fem_divided_part *last_of(struct sw_fem_divided *d) { return &d->level[d->n_levels - 1]; }

const int32_t *sw_fem_divided_cells(const sw_fem_hierarchy *h) { return last_of(h->divided)->n; }

int64_t sw_fem_divided_nodes(const sw_fem_hierarchy *h)
{
    return last_of(h->divided)->division->mesh->n_nodes;
}

enum {
    PRESENT_DEARER = 8
}; /* how many nodes of boxes' levels take as long as one whose cells have matrices */

int sw_fem_divided_goes_on(const sw_fem_hierarchy *h)
{
    const struct sw_fem_divided *d = h->divided;
    const int64_t most = d->parts->whole_nodes / (h->present ? PRESENT_DEARER : 1);
    return d->n_levels <= d->parts->division.halvings && (d->n_levels == 1 || sw_fem_divided_nodes(h) > most);
}

/* ---- Open and close ---- */

/* Parts of the finest level's cells. */
static sw_status part_cells(struct sw_fem_divided *d)
{
    const sw_fem_division *division = &d->parts->division;
    const sw_fem_lattice *lattice = division->mesh->lattice;
    const int64_t cells = sw_fem_lattice_cells(lattice->n);
    int32_t *part;
    SW_TRY(SW_ALLOCATE(d->part_of, cells, WHAT));
    SW_TRY(SW_ALLOCATE(part, division->mesh->n_elements, WHAT));
    for (int k = 0; k < division->n_parts; k++)
        for (int64_t i = division->first_element[k]; i < division->first_element[k + 1]; i++)
            part[division->element[i]] = (int32_t)k;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, CELL_NS))
    for (int64_t i = 0; i < cells; i++)
        d->part_of[i] = lattice->element[i] < 0 ? -1 : part[lattice->element[i]];
    free(part);
    return SW_OK;
}

sw_status sw_fem_divided_open(const sw_fem *fem, sw_fem_hierarchy *h)
{
    struct sw_fem_divided *d;
    if (!fem->parts)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(d, 1, WHAT));
    h->divided = d;
    d->parts = fem->parts;
    d->n_levels = 1;
    memcpy(d->low, fem->parts->part.first_cell, sizeof d->low);
    memcpy(d->level[0].n, fem->parts->whole->mesh->lattice->n, sizeof d->level[0].n);
    d->level[0].division = &fem->parts->division;
    SW_TRY(part_cells(d));
    return sw_fem_exchange_cpu.open(d->level[0].division, 9, &d->level[0].exchange);
}

static void release_whole(sw_fem_level *l)
{
    free(l->node);
    free(l->point);
    free(l->fixed);
    memset(l, 0, sizeof *l);
}

void sw_fem_divided_close(struct sw_fem_divided *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->n_levels; i++) {
        sw_fem_exchange_cpu.close(d->level[i].exchange);
        sw_fem_division_free(&d->level[i].made);
    }
    release_whole(&d->whole);
    free(d->part_of);
    free(d);
}

/* ---- Levels ---- */

static void describe_level(const sw_fem_hierarchy *h, sw_fem_level *l)
{
    const sw_fem_divided_part *at = last_of(h->divided);
    l->n_counted = at->division->n_owned;
    l->number = at->division->node;
    for (int i = 0; i < 3; i++)
        l->periodic[i] = h->periodic && l->n[i] == at->n[i];
}

/* The next level's cells, of the parts of theirs. */
static sw_status coarser_cells(struct sw_fem_divided *d, const int factor[3], const int32_t n[3])
{
    const int32_t *fine = last_of(d)->n;
    const int64_t cells = sw_fem_lattice_cells(fine);
    int32_t *part_of;
    SW_TRY(SW_ALLOCATE(part_of, sw_fem_lattice_cells(n), WHAT));
    memset(part_of, 0xff, (size_t)sw_fem_lattice_cells(n) * sizeof *part_of);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(cells, CELL_NS))
    for (int64_t cell = 0; cell < cells; cell++) {
        const int64_t x = cell % fine[0], y = cell / fine[0] % fine[1], z = cell / fine[0] / fine[1];
        const int64_t of = sw_fem_lattice_cell(n, x / factor[0], y / factor[1], z / factor[2]);
        if (d->part_of[cell] >= 0)
#pragma omp atomic write /* cells that become one are of one part */
            part_of[of] = d->part_of[cell];
    }
    free(d->part_of);
    d->part_of = part_of;
    return SW_OK;
}

/* A mesh of a level's filled cells in order, and their parts; released with free(). */
static sw_status cells_as_mesh(const struct sw_fem_divided *d, sw_fem_mesh *mesh, int32_t **part_of)
{
    const sw_fem_level *whole = &d->whole;
    const int64_t cells = sw_fem_lattice_cells(whole->n);
    *mesh = (sw_fem_mesh){.shape = SW_HEX8, .n_nodes = whole->n_nodes};
    for (int64_t i = 0; i < cells; i++)
        mesh->n_elements += d->part_of[i] >= 0;
    SW_TRY(SW_ALLOCATE(*part_of, mesh->n_elements, WHAT));
    SW_TRY(SW_ALLOCATE(mesh->node, 8 * mesh->n_elements, WHAT));
    for (int64_t i = 0, e = 0; i < cells; i++) {
        int64_t point[8];
        if (d->part_of[i] < 0)
            continue;
        sw_fem_lattice_corners(whole->n, i, point);
        for (int a = 0; a < 8; a++)
            mesh->node[8 * e + a] = whole->node[point[a]];
        (*part_of)[e++] = d->part_of[i];
    }
    return SW_OK;
}

/* Numbers the last level's nodes and divides them. */
static sw_status divide_whole(struct sw_fem_divided *d, int periodic)
{
    sw_fem_divided_part *at = last_of(d);
    const sw_fem_division *finest = &d->parts->division;
    int32_t *part_of = NULL;
    sw_status status;
    release_whole(&d->whole);
    memcpy(d->whole.n, at->n, sizeof at->n);
    d->whole.cell = d->part_of;
    status = sw_fem_number_level(&d->whole, periodic);
    d->whole.cell = NULL;
    if (status != SW_OK)
        goto done;
    SW_TRY_GOTO(status, cells_as_mesh(d, &at->mesh, &part_of), done);
    at->division = &at->made;
    SW_TRY_GOTO(status, sw_fem_divide_by(&at->mesh, part_of, finest->n_parts, finest->part, &at->made), done);
    status = sw_fem_exchange_cpu.open(at->division, 9, &at->exchange);
done:
    free(part_of);
    free(at->mesh.node);
    at->mesh.node = NULL;
    return status;
}

/* The part's nodes at the points of its own lattice. Of a periodic body's finest level, whose nodes are points, those that
 * copies are of: at both ends, whichever the part's cells reach. */
static sw_status take_nodes(const struct sw_fem_divided *d, sw_fem_level *l)
{
    const sw_fem_divided_part *at = &d->level[d->n_levels - 1];
    const sw_fem_division *division = at->division;
    int32_t *number;
    SW_TRY(SW_ALLOCATE(number, division->mesh->n_nodes, WHAT));
    memset(number, 0xff, (size_t)division->mesh->n_nodes * sizeof *number);
    for (int64_t i = 0; i < division->n_nodes; i++)
        number[division->node[i]] = (int32_t)i;
    for (int64_t p = 0; p < sw_fem_lattice_points(l->n); p++) {
        const int64_t w = l->n[0] + 1, v = l->n[1] + 1;
        const int64_t point =
            sw_fem_lattice_point(at->n, p % w + d->low[0], p / w % v + d->low[1], p / w / v + d->low[2]);
        const int64_t node = d->n_levels > 1 ? d->whole.node[point] : sw_fem_lattice_original(at->n, point);
        l->node[p] = node < 0 ? -1 : number[node];
    }
    free(number);
    return SW_OK;
}

sw_status sw_fem_divided_finest(const sw_fem_hierarchy *h, sw_fem_level *l)
{
    describe_level(h, l);
    return h->periodic ? take_nodes(h->divided, l) : SW_OK;
}

sw_status sw_fem_divided_coarser(sw_fem_hierarchy *h, sw_fem_level *l)
{
    struct sw_fem_divided *d = h->divided;
    int32_t n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = (last_of(d)->n[i] + l->factor[i] - 1) / l->factor[i];
        d->low[i] /= l->factor[i];
    }
    SW_TRY(coarser_cells(d, l->factor, n));
    d->n_levels++;
    memcpy(last_of(d)->n, n, sizeof n);
    SW_TRY(divide_whole(d, h->periodic));
    SW_TRY(SW_ALLOCATE(l->node, sw_fem_lattice_points(l->n), WHAT));
    SW_TRY(take_nodes(d, l));
    l->n_nodes = last_of(d)->division->n_nodes;
    describe_level(h, l);
    return sw_fem_place_nodes(l);
}

/* ---- Sums ---- */

sw_status sw_fem_divided_sum(const sw_fem_hierarchy *h, int level, int width, double *value)
{
    return sw_fem_exchange_cpu.sum(h->divided->level[level].exchange, width, value);
}

sw_status sw_fem_divided_fixed(const sw_fem_hierarchy *h, int level)
{
    const sw_fem_level *l = &h->level[level];
    double *bit;
    SW_TRY(SW_ALLOCATE(bit, 3 * l->n_nodes, WHAT));
    for (int64_t i = 0; i < 3 * l->n_nodes; i++)
        bit[i] = l->fixed[i / 3] >> (i % 3) & 1;
    const sw_status status = sw_fem_divided_sum(h, level, 3, bit);
    for (int64_t i = 0; i < 3 * l->n_nodes; i++)
        l->fixed[i / 3] |= (uint8_t)((bit[i] > 0) << i % 3);
    free(bit);
    return status;
}

sw_status sw_fem_divided_collect(const sw_fem_hierarchy *h, int64_t bytes, const void *part, void *whole)
{
    return sw_fem_collect_nodes(last_of(h->divided)->division, bytes, part, whole);
}

sw_status sw_fem_divided_collect_cells(const sw_fem_hierarchy *h, int64_t bytes, const void *part,
                                       void *whole)
{
    return sw_fem_collect_elements(last_of(h->divided)->division, bytes, part, whole);
}

const int32_t *sw_fem_divided_own_cells(const sw_fem_hierarchy *h)
{
    return last_of(h->divided)->division->own_element;
}

/* ---- The last level, whole ---- */

/* n, node, point and room for fixed. */
static sw_status whole_nodes(const struct sw_fem_divided *d, int periodic, sw_fem_level *whole)
{
    const sw_fem_mesh *mesh = d->parts->whole->mesh;
    const sw_fem_level *from = &d->whole;
    memcpy(whole->n, d->level[d->n_levels - 1].n, sizeof whole->n);
    const int64_t points = sw_fem_lattice_points(whole->n);
    SW_TRY(SW_ALLOCATE(whole->node, points, WHAT));
    whole->n_nodes = d->n_levels > 1 ? from->n_nodes : mesh->n_nodes;
    memcpy(whole->node, d->n_levels > 1 ? from->node : mesh->lattice->node,
           (size_t)points * sizeof *whole->node);
    for (int64_t i = 0; i < points && periodic; i++)
        whole->node[i] = whole->node[sw_fem_lattice_original(whole->n, i)];
    whole->n_counted = whole->n_nodes;
    whole->periodic[0] = whole->periodic[1] = whole->periodic[2] = periodic;
    return sw_fem_place_nodes(whole);
}

/* Kinds of filled cells, of all parts: where a matrix of its own stands the number of those before, in own. */
static sw_status whole_cells(const sw_fem_hierarchy *h, sw_fem_level *whole)
{
    const struct sw_fem_divided *d = h->divided;
    const sw_fem_level *l = &h->level[d->n_levels - 1];
    const sw_fem_division *division = d->level[d->n_levels - 1].division;
    int32_t *mine = NULL, *all = NULL;
    int64_t n = 0;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(whole->cell, sw_fem_lattice_cells(whole->n), WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(mine, division->n_elements, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(all, division->mesh->n_elements, WHAT), done);
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (l->cell[cell] >= 0)
            mine[n++] = l->cell[cell] < h->n_materials ? l->cell[cell] : h->n_materials;
    SW_TRY_GOTO(status, sw_fem_collect_elements(division, sizeof *mine, mine, all), done);
    n = 0;
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(whole->n); cell++)
        if (d->part_of[cell] >= 0) {
            const int32_t kind = all[n++];
            whole->cell[cell] = kind < h->n_materials ? kind : (int32_t)(h->n_materials + whole->n_own++);
        } else {
            whole->cell[cell] = -1;
        }
    SW_TRY_GOTO(status, SW_ALLOCATE(whole->own_cell, whole->n_own, WHAT), done);
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(whole->n); cell++)
        if (whole->cell[cell] >= h->n_materials)
            whole->own_cell[whole->cell[cell] - h->n_materials] = (int32_t)cell;
done:
    free(mine);
    free(all);
    return status;
}

/* How many matrices of their own cells of each part have, as first [P + 1], and their numbers [n_own] in that order; room for
 * all cells' numbers. */
static void own_numbers(const struct sw_fem_divided *d, const sw_fem_level *whole, int n_materials,
                        int32_t *room, int64_t *first, int32_t *number)
{
    const sw_fem_division *division = d->level[d->n_levels - 1].division;
    int64_t n = 0;
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(whole->n); cell++)
        if (d->part_of[cell] >= 0)
            room[n++] = whole->cell[cell] - n_materials;
    n = first[0] = 0;
    for (int k = 0; k < division->n_parts; k++) {
        for (int64_t i = division->first_element[k]; i < division->first_element[k + 1]; i++)
            if (room[division->element[i]] >= 0)
                number[n++] = room[division->element[i]];
        first[k + 1] = n;
    }
}

/* Matrices of cells: of materials, which all have, and own ones, which a part has in the order of its cells. */
static sw_status whole_matrices(const sw_fem_hierarchy *h, sw_fem_level *whole)
{
    const struct sw_fem_divided *d = h->divided;
    const sw_fem_level *l = &h->level[d->n_levels - 1];
    const sw_fem_division *division = d->level[d->n_levels - 1].division;
    double(*all)[24 * 24] = NULL;
    int32_t *room = NULL, *number = NULL;
    int64_t *first = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(whole->matrix, h->n_materials, WHAT), done);
    memcpy(whole->matrix, l->matrix, (size_t)h->n_materials * sizeof *l->matrix);
    SW_TRY_GOTO(status, SW_ALLOCATE(whole->own, whole->n_own, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(all, whole->n_own, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(room, division->mesh->n_elements, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(number, whole->n_own, WHAT), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(first, division->n_parts + 1, WHAT), done);
    own_numbers(d, whole, h->n_materials, room, first, number);
    sw_parallel_collect(first, sizeof *all, l->own, all);
    for (int64_t i = 0; i < whole->n_own; i++)
        memcpy(whole->own[number[i]], all[i], sizeof *all);
done:
    free(all);
    free(room);
    free(number);
    free(first);
    return status;
}

sw_status sw_fem_divided_whole(const sw_fem_hierarchy *h, sw_fem_level *whole)
{
    const struct sw_fem_divided *d = h->divided;
    const sw_fem_level *l = &h->level[d->n_levels - 1];
    whole->largest = 1;
    memcpy(whole->size, l->size, sizeof l->size);
    SW_TRY(whole_nodes(d, h->periodic, whole));
    memset(whole->fixed, d->n_levels == 1 && h->periodic ? 7 : 0, (size_t)whole->n_nodes); /* copies */
    SW_TRY(sw_fem_divided_collect(h, 1, l->fixed, whole->fixed));
    SW_TRY(whole_cells(h, whole));
    return h->present ? SW_OK : whole_matrices(h, whole);
}

/* ---- A cycle ---- */

static void keep(sw_fem_divided_cycle *c, sw_status status)
{
    if (c->status == SW_OK)
        c->status = status;
}

/* Only its owner has what a node has. */
static void clear_foreign(sw_fem_divided_cycle *c, int level, void *vector)
{
    const sw_fem_level *l = &c->hierarchy->level[level];
    keep(c, c->exchange->clear(c->exchange_work[level], 3 * l->n_counted, 3 * (l->n_nodes - l->n_counted),
                               vector));
}

static void sum(sw_fem_divided_cycle *c, int level, void *vector)
{
    keep(c, c->exchange->sum(c->exchange_work[level], 3, vector));
}

/* r from its parts' shares. */
static void settle(sw_fem_divided_cycle *c, int level, void *r)
{
    if (c->shares[level])
        sum(c, level, r);
    c->shares[level] = 0;
}

static void smooth(void *opaque, int level, double a, double b, const void *r, void *d, void *x)
{
    sw_fem_divided_cycle *c = opaque;
    settle(c, level, (void *)r);
    c->on.smooth(c->on.work, level, a, b, r, d, x);
}

static void reduce(void *opaque, int level, const void *d, void *r)
{
    sw_fem_divided_cycle *c = opaque;
    if (!c->counts && !c->shares[level])
        clear_foreign(c, level, r);
    c->on.reduce(c->on.work, level, d, r);
    c->shares[level] = 1;
    if (!c->defers)
        settle(c, level, r);
}

/* The finer level's right side is used up: what follows takes it from the owners, too. */
static void restrict_to(void *opaque, int level, const void *fine, void *coarse)
{
    sw_fem_divided_cycle *c = opaque;
    if (!c->shares[level])
        clear_foreign(c, level, (void *)fine);
    c->on.restrict_(c->on.work, level, fine, coarse);
    sum(c, level + 1, coarse);
}

static void prolong(void *opaque, int level, const void *coarse, void *fine)
{
    const sw_fem_divided_cycle *c = opaque;
    c->on.prolong(c->on.work, level, coarse, fine);
}

static void add(void *opaque, int level, const void *d, void *x)
{
    const sw_fem_divided_cycle *c = opaque;
    c->on.add(c->on.work, level, d, x);
}

static void clear(void *opaque, int level, void *x)
{
    const sw_fem_divided_cycle *c = opaque;
    c->on.clear(c->on.work, level, x);
}

static void coarsest(void *opaque, const void *r, void *x)
{
    const sw_fem_divided_cycle *c = opaque;
    c->on.coarsest(c->on.work, r, x);
}

sw_status sw_fem_divided_cycle_open(const sw_fem_hierarchy *h, const sw_fem_exchange *exchange, int width,
                                    sw_fem_divided_cycle *c)
{
    c->hierarchy = h;
    c->exchange = exchange;
    for (int i = 0; i < h->n_levels; i++)
        SW_TRY(exchange->open(h->divided->level[i].division, width > 3 ? width : 3, &c->exchange_work[i]));
    return SW_OK;
}

void sw_fem_divided_cycle_close(sw_fem_divided_cycle *c)
{
    for (int i = 0; i < SW_FEM_MOST_LEVELS && c->exchange; i++)
        c->exchange->close(c->exchange_work[i]);
}

sw_fem_cycle_functions sw_fem_divided_functions(sw_fem_divided_cycle *c)
{
    return (sw_fem_cycle_functions){c, smooth, reduce, restrict_to, prolong, add, clear, coarsest};
}
