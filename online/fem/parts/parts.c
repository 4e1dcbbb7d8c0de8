#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"

/* ---- A device's functions, then what the parts do together ---- */

static sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    SW_TRY(fem->parts->device->dot(fem, x, y, result));
    *result = sw_parallel_sum_in_order(*result);
    return SW_OK;
}

static sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square)
{
    SW_TRY(fem->parts->device->advance(fem, alpha, p, g, x, r, square));
    *square = sw_parallel_sum_in_order(*square);
    return SW_OK;
}

/* What parts have added up of a vector: at nodes, and of the unknowns after them. A periodic body's has been, on the way. */
static sw_status sum_vector(const sw_fem *fem, double *vector)
{
    const sw_fem_parts *parts = fem->parts;
    if (fem->periodic)
        return SW_OK;
    const int64_t first = fem->n_nodes * fem->components, rest = fem->n_unknowns - first;
    SW_TRY(sw_fem_parts_sum(fem, fem->components, vector));
    return rest > 0 ? parts->exchange->sum_all(parts->exchange_work, rest, vector + first) : SW_OK;
}

/* A part that has no answer leaves all without one. */
static sw_status internal(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements)
{
    int64_t count[2] = {0, 0};
    SW_TRY(sw_parallel_agree(fem->parts->device->internal(fem, u, force, &count[0], &count[1])));
    sw_parallel_sum_counts(count, 2);
    *points = count[0];
    *elements = count[1];
    return sum_vector(fem, force);
}

/* What is there before counts at its owner; this part may have no such surface. */
static sw_status press(sw_fem *fem, const double *factor, const double *u, double *external)
{
    const sw_fem_parts *parts = fem->parts;
    SW_TRY(parts->exchange->clear(parts->exchange_work, fem->n_unknowns - fem->n_foreign, fem->n_foreign,
                                  external));
    if (fem->pressures)
        SW_TRY(parts->device->press(fem, factor, u, external));
    return sum_vector(fem, external);
}

/* A part that finds no memory leaves all without a tangent; one that is not symmetric, as a pressure makes it, all with
 * such a one. */
static sw_status tangent(sw_fem *fem, const double *u, int elastic)
{
    SW_TRY(sw_parallel_agree(fem->parts->device->tangent(fem, u, elastic)));
    int64_t nonsymmetric = !fem->symmetric;
    sw_parallel_sum_counts(&nonsymmetric, 1);
    fem->symmetric = nonsymmetric == 0;
    return SW_OK;
}

static sw_status product(sw_fem *fem, const double *p, double *g)
{
    SW_TRY(fem->parts->device->product(fem, p, g));
    return sum_vector(fem, g);
}

static sw_status accept(sw_fem *fem, const double *u)
{
    SW_TRY(sw_parallel_agree(fem->parts->device->accept(fem, u)));
    int64_t released = fem->released;
    sw_parallel_sum_counts(&released, 1);
    fem->released = released > 0;
    return SW_OK;
}

/* ---- Open and close ---- */

static int has_pressures(const sw_fem_problem *p)
{
    int64_t faces = 0;
    for (int l = 0; l < p->n_cases; l++)
        for (int i = 0; i < p->load[l].n_pressures; i++)
            faces += p->load[l].pressure[i].surface->n;
    return faces > 0;
}

sw_status sw_fem_parts_open(sw_fem *fem)
{
    sw_fem_parts *parts;
    if (sw_parallel_size() == 1)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(parts, 1, "parts of the mesh"));
    fem->parts = parts;
    parts->whole = fem->problem;
    SW_TRY(sw_fem_divide(fem->problem->mesh, fem->problem->periodic, sw_parallel_size(), sw_parallel_rank(),
                         &parts->division));
    SW_TRY(sw_fem_part_problem_make(fem->problem, &parts->division, &parts->part));
    fem->problem = &parts->part.problem;
    fem->presses = has_pressures(parts->whole);
    fem->whole_element = parts->division.own_element;
    /* The last part owns all its nodes, and what comes after. */
    if (parts->division.part + 1 < parts->division.n_parts)
        fem->n_foreign = sw_fem_count_unknowns(fem->problem) -
                         parts->division.n_owned * sw_fem_unknowns(fem->problem->kinematics);
    parts->contact = fem->contact;
    fem->contact = NULL;
    return SW_OK;
}

sw_status sw_fem_parts_join(sw_fem *fem, const sw_fem_exchange *exchange)
{
    sw_fem_parts *parts = fem->parts;
    const int c = fem->components;
    if (!parts)
        return SW_OK;
    parts->exchange = exchange;
    SW_TRY(exchange->open(&parts->division, c * c, &parts->exchange_work));
    parts->device = fem->backend;
    parts->backend = *fem->backend;
    if (!exchange->sum_partial) {
        parts->backend.dot = dot;
        parts->backend.advance = advance;
    }
    parts->backend.internal = internal;
    parts->backend.press = press;
    parts->backend.tangent = tangent;
    parts->backend.product = product;
    parts->backend.accept = accept;
    fem->backend = &parts->backend;
    const size_t length = strlen(fem->device_name);
    snprintf(fem->device_name + length, sizeof fem->device_name - length, ", %d ranks", sw_parallel_size());
    return SW_OK;
}

void sw_fem_parts_close(sw_fem *fem)
{
    sw_fem_parts *parts = fem->parts;
    if (!parts)
        return;
    if (parts->exchange)
        parts->exchange->close(parts->exchange_work);
    free(parts->first_entry);
    free(parts->entry);
    sw_fem_part_problem_free(&parts->part);
    sw_fem_division_free(&parts->division);
    free(parts);
    fem->parts = NULL;
}

sw_status sw_fem_parts_sum(const sw_fem *fem, int width, double *value)
{
    return fem->parts ? fem->parts->exchange->sum(fem->parts->exchange_work, width, value) : SW_OK;
}

void sw_fem_parts_sum_numbers(const sw_fem *fem, int64_t n, double *value)
{
    if (fem->parts)
        sw_parallel_sums_in_order(value, n);
}
