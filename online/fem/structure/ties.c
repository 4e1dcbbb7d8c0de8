#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEGLIGIBLE 1e-10 /* of a constraint's largest coefficient: what is left when the rest cancels */

/* ---- Rows ---- */

static sw_status grow(sw_structure_row *row, int n)
{
    if (n <= row->capacity)
        return SW_OK;
    const int more = n > 2 * row->capacity ? n : 2 * row->capacity;
    SW_TRY(SW_GROW(row->unknown, more, "a constraint"));
    SW_TRY(SW_GROW(row->coefficient, more, "a constraint"));
    row->capacity = more;
    return SW_OK;
}

/* Terms are added up while a row is made: place says where an unknown is in it. */
static sw_status add_term(sw_structure_ties *ties, sw_structure_row *row, int64_t unknown, double coefficient)
{
    int64_t *place = &ties->place[unknown];
    if (*place == 0) {
        SW_TRY(grow(row, row->n + 1));
        row->unknown[row->n] = unknown;
        row->coefficient[row->n] = 0;
        *place = ++row->n;
    }
    row->coefficient[*place - 1] += coefficient;
    return SW_OK;
}

static void forget_places(sw_structure_ties *ties, const sw_structure_row *row)
{
    for (int i = 0; i < row->n; i++)
        ties->place[row->unknown[i]] = 0;
}

static void mark_places(sw_structure_ties *ties, const sw_structure_row *row)
{
    for (int i = 0; i < row->n; i++)
        ties->place[row->unknown[i]] = i + 1;
}

/* An unknown, or what it is by others. */
static sw_status add_resolved(sw_structure_ties *ties, sw_structure_row *row, int64_t unknown,
                              double coefficient)
{
    const int64_t by = unknown < ties->n_unknowns ? ties->row_of[unknown] : -1;
    if (by < 0)
        return add_term(ties, row, unknown, coefficient);
    const sw_structure_row *other = &ties->row[by];
    for (int i = 0; i < other->n; i++)
        SW_TRY(add_term(ties, row, other->unknown[i], coefficient * other->coefficient[i]));
    return SW_OK;
}

static sw_status add_user(sw_structure_ties *ties, int64_t unknown, int64_t row)
{
    struct sw_structure_users *users = &ties->users[unknown];
    if (users->n == users->capacity) {
        const int more = users->capacity ? 2 * users->capacity : 4;
        SW_TRY(SW_GROW(users->row, more, "the users of an unknown"));
        users->capacity = more;
    }
    users->row[users->n++] = row;
    return SW_OK;
}

/* ---- Elimination ---- */

static int may_depend(const sw_structure_ties *ties, int64_t unknown)
{
    return unknown < ties->n_unknowns && !ties->prescribed[unknown] && ties->row_of[unknown] < 0;
}

static double largest_of(const sw_structure_row *row, int64_t but)
{
    double most = 0;
    for (int i = 0; i < row->n; i++)
        if (row->unknown[i] != but)
            most = fmax(most, fabs(row->coefficient[i]));
    return most;
}

/* Of a row sum c du = lack: the unknown it was before, or that the constraint names first, or the largest. -1: none that
 * stands out of the round-off of `scale`, the constraint's own largest coefficient. */
static int choose_pivot(const sw_structure_ties *ties, const sw_structure_row *row, double scale,
                        int64_t before, int64_t first)
{
    const double most = largest_of(row, ties->n_unknowns);
    int best = -1;
    for (int i = 0; i < row->n; i++) {
        const double size = fabs(row->coefficient[i]);
        const int wanted = row->unknown[i] == before || (before < 0 && row->unknown[i] == first);
        if (!may_depend(ties, row->unknown[i]) || !(size > NEGLIGIBLE * scale))
            continue;
        if (wanted && size > 1e-3 * most)
            return i;
        if (best < 0 || size > fabs(row->coefficient[best]))
            best = i;
    }
    return best;
}

/* Solved for its pivot, which leaves the row. */
static void solve_for(sw_structure_row *row, int pivot)
{
    const double over = -1 / row->coefficient[pivot];
    row->n--;
    row->unknown[pivot] = row->unknown[row->n];
    row->coefficient[pivot] = row->coefficient[row->n];
    for (int i = 0; i < row->n; i++)
        row->coefficient[i] *= over;
}

/* In a row that has it, an unknown becomes what `by` says. */
static sw_status substitute(sw_structure_ties *ties, int64_t k, int64_t unknown, const sw_structure_row *by)
{
    sw_structure_row *row = &ties->row[k];
    double coefficient = 0;
    int at = 0;
    sw_status status = SW_OK;
    while (at < row->n && row->unknown[at] != unknown)
        at++;
    if (at == row->n)
        return SW_OK;
    coefficient = row->coefficient[at];
    row->n--;
    row->unknown[at] = row->unknown[row->n];
    row->coefficient[at] = row->coefficient[row->n];
    mark_places(ties, row);
    for (int i = 0; i < by->n && status == SW_OK; i++) {
        const int before = row->n;
        status = add_term(ties, row, by->unknown[i], coefficient * by->coefficient[i]);
        if (status == SW_OK && row->n > before && by->unknown[i] < ties->n_unknowns)
            status = add_user(ties, by->unknown[i], k);
    }
    forget_places(ties, row);
    return status;
}

static sw_status contradict(const sw_structure_problem *p, int64_t k, double lack)
{
    return sw_error(
        SW_ERR_INPUT,
        "%s:%lld: the constraint has only unknowns that are prescribed or follow from others, and they miss "
        "it by %.3g",
        p->path, (long long)p->constraint[k].line, lack);
}

/* lack: right less the sum at u; size: of the numbers that it is made of. */
static double lack_of(const sw_structure_constraint *c, const double *u, const double *coefficient,
                      double right, double *size)
{
    double lack = right;
    *size = fabs(right);
    for (int i = 0; i < c->n_terms; i++) {
        lack -= coefficient[i] * u[c->unknown[i]];
        *size = fmax(*size, fabs(coefficient[i] * u[c->unknown[i]]));
    }
    return lack;
}

static sw_status make_row(const sw_structure_problem *p, sw_structure_ties *ties, int64_t k, const double *u,
                          const double *goal, double *scratch)
{
    const sw_structure_constraint *c = &p->constraint[k];
    sw_structure_row *row = &ties->row[k];
    double right = c->right, size;
    sw_status status = SW_OK;
    memcpy(scratch, c->coefficient, (size_t)c->n_terms * sizeof *scratch);
    if (c->linearise != NULL)
        c->linearise(c->data, u, scratch, &right);
    const double lack = lack_of(c, u, scratch, right, &size);
    double scale = 0;
    for (int i = 0; i < c->n_terms; i++)
        scale = fmax(scale, fabs(scratch[i]));
    row->n = 0;
    for (int i = 0; i < c->n_terms && status == SW_OK; i++)
        status = add_resolved(ties, row, c->unknown[i], scratch[i]);
    if (status == SW_OK)
        status = add_term(ties, row, ties->n_unknowns, -lack);
    forget_places(ties, row);
    SW_TRY(status);
    const int at = choose_pivot(ties, row, scale, ties->pivot[k], c->n_terms > 0 ? c->unknown[0] : -1);
    if (at < 0) {
        double missed = 0;
        for (int i = 0; i < row->n; i++) {
            const int64_t j = row->unknown[i];
            missed += row->coefficient[i] * (j == ties->n_unknowns ? 1
                                             : ties->prescribed[j] ? goal[j] - u[j]
                                                                   : 0);
        }
        row->n = 0;
        ties->pivot[k] = -1;
        return fabs(missed) <= 1e-6 * size + 1e-12 ? SW_OK : contradict(p, k, missed);
    }
    const int64_t pivot = row->unknown[at];
    solve_for(row, at);
    ties->pivot[k] = pivot;
    for (int i = 0; i < ties->users[pivot].n; i++)
        SW_TRY(substitute(ties, ties->users[pivot].row[i], pivot, row));
    ties->users[pivot].n = 0;
    for (int i = 0; i < row->n; i++)
        if (row->unknown[i] < ties->n_unknowns)
            SW_TRY(add_user(ties, row->unknown[i], k));
    ties->row_of[pivot] = k;
    return SW_OK;
}

static sw_status eliminate(const sw_structure_problem *p, sw_structure_ties *ties, const double *u,
                           const double *goal)
{
    int most = 1;
    double *scratch;
    sw_status status = SW_OK;
    for (int64_t k = 0; k < p->n_constraints; k++)
        most = p->constraint[k].n_terms > most ? p->constraint[k].n_terms : most;
    SW_TRY(SW_ALLOCATE(scratch, most, "a constraint"));
    for (int64_t i = 0; i < ties->n_unknowns; i++) {
        ties->row_of[i] = -1;
        ties->users[i].n = 0;
    }
    for (int64_t k = 0; k < p->n_constraints && status == SW_OK; k++)
        status = make_row(p, ties, k, u, goal, scratch);
    free(scratch);
    return status;
}

static void number_free(sw_structure_ties *ties)
{
    ties->n_free = 0;
    for (int64_t i = 0; i < ties->n_unknowns; i++) {
        const int is_free = ties->used[i] && !ties->prescribed[i] && ties->row_of[i] < 0;
        ties->number[i] = is_free ? ties->n_free++ : -1;
    }
}

/* What is known of du: prescribed unknowns, then what follows from them. */
static void know(sw_structure_ties *ties, const double *u, const double *goal)
{
    for (int64_t i = 0; i < ties->n_unknowns; i++)
        ties->g[i] = ties->prescribed[i] ? goal[i] - u[i] : 0;
    for (int64_t k = 0; k < ties->n_rows; k++) {
        const sw_structure_row *row = &ties->row[k];
        double sum = 0;
        for (int i = 0; i < row->n; i++) {
            const int64_t j = row->unknown[i];
            sum += row->coefficient[i] * (j == ties->n_unknowns ? 1 : ties->prescribed[j] ? ties->g[j] : 0);
        }
        if (ties->pivot[k] >= 0)
            ties->g[ties->pivot[k]] = sum;
    }
}

/* ---- Public ---- */

int sw_structure_unknowns_of(const sw_structure_problem *p, int64_t e,
                             int64_t unknown[SW_FORMULATION_UNKNOWNS])
{
    int n = 0;
    if (e >= p->n_elements) {
        const sw_structure_spring *spring = &p->spring[e - p->n_elements];
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 3; i++)
                unknown[n++] = spring->node[side] < 0 ? -1 : 3 * spring->node[side] + i;
        return n;
    }
    const sw_structure_element *element = &p->element[e];
    const int components = sw_formulation_components(element->formulation);
    for (int a = 0; a < element->formulation->topology->n_nodes; a++)
        for (int i = 0; i < components; i++)
            unknown[n++] = 3 * (int64_t)p->node[element->first + a] + i;
    return n;
}

/* Of a spring the components that it has. */
static int has(const sw_structure_problem *p, int64_t e, int64_t unknown, int i)
{
    if (unknown < 0 || e < p->n_elements)
        return unknown >= 0;
    const int component = p->spring[e - p->n_elements].component[i / 3];
    return component < 0 || component == i % 3;
}

static void mark_used(const sw_structure_problem *p, sw_structure_ties *ties)
{
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    for (int64_t e = 0; e < p->n_elements + p->n_springs; e++) {
        const int n = sw_structure_unknowns_of(p, e, unknown);
        for (int i = 0; i < n; i++)
            if (has(p, e, unknown[i], i))
                ties->used[unknown[i]] = 1;
    }
    for (int64_t k = 0; k < p->n_constraints; k++) {
        ties->curved |= p->constraint[k].linearise != NULL;
        for (int i = 0; i < p->constraint[k].n_terms; i++)
            ties->used[p->constraint[k].unknown[i]] = 1;
    }
}

sw_status sw_structure_ties_open(const sw_structure_problem *p, sw_structure_ties *ties)
{
    const int64_t n = 3 * p->n_nodes;
    *ties = (sw_structure_ties){.n_unknowns = n, .n_rows = p->n_constraints};
    SW_TRY(SW_ALLOCATE(ties->used, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->prescribed, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->number, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->row_of, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->users, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->place, n + 1, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->g, n, "unknowns"));
    SW_TRY(SW_ALLOCATE(ties->row, p->n_constraints, "constraints"));
    SW_TRY(SW_ALLOCATE(ties->pivot, p->n_constraints, "constraints"));
    mark_used(p, ties);
    return SW_OK;
}

void sw_structure_ties_close(sw_structure_ties *ties)
{
    for (int64_t k = 0; ties->row != NULL && k < ties->n_rows; k++) {
        free(ties->row[k].unknown);
        free(ties->row[k].coefficient);
    }
    for (int64_t i = 0; ties->users != NULL && i < ties->n_unknowns; i++)
        free(ties->users[i].row);
    free(ties->used);
    free(ties->prescribed);
    free(ties->number);
    free(ties->row_of);
    free(ties->users);
    free(ties->place);
    free(ties->g);
    free(ties->row);
    free(ties->pivot);
    *ties = (sw_structure_ties){0};
}

sw_status sw_structure_ties_of_step(const sw_structure_problem *p, const sw_structure_step *step,
                                    const double *u, const double *goal, sw_structure_ties *ties)
{
    memset(ties->prescribed, 0, (size_t)ties->n_unknowns);
    for (int64_t i = 0; i < step->n_fixed; i++)
        ties->prescribed[step->fixed[i].unknown] = 1;
    for (int64_t k = 0; k < ties->n_rows; k++)
        ties->pivot[k] = -1;
    SW_TRY(eliminate(p, ties, u, goal));
    number_free(ties);
    know(ties, u, goal);
    return SW_OK;
}

sw_status sw_structure_ties_at(const sw_structure_problem *p, sw_structure_ties *ties, const double *u,
                               const double *goal, int *renumbered)
{
    const int64_t before = ties->n_free;
    int64_t *pivot;
    *renumbered = 0;
    if (ties->n_rows > 0) {
        SW_TRY(SW_ALLOCATE(pivot, ties->n_rows, "constraints"));
        memcpy(pivot, ties->pivot, (size_t)ties->n_rows * sizeof *pivot);
        const sw_status status = eliminate(p, ties, u, goal);
        *renumbered = memcmp(pivot, ties->pivot, (size_t)ties->n_rows * sizeof *pivot) != 0;
        free(pivot);
        SW_TRY(status);
        number_free(ties);
        *renumbered |= ties->n_free != before;
    }
    know(ties, u, goal);
    return SW_OK;
}

void sw_structure_ties_spread(const sw_structure_ties *ties, const double *dq, int with_known, double *du)
{
    for (int64_t i = 0; i < ties->n_unknowns; i++)
        du[i] = (ties->number[i] >= 0 ? dq[ties->number[i]] : 0) + (with_known ? ties->g[i] : 0);
    for (int64_t k = 0; k < ties->n_rows; k++) {
        const sw_structure_row *row = &ties->row[k];
        for (int i = 0; i < row->n && ties->pivot[k] >= 0; i++)
            if (row->unknown[i] < ties->n_unknowns && ties->number[row->unknown[i]] >= 0)
                du[ties->pivot[k]] += row->coefficient[i] * dq[ties->number[row->unknown[i]]];
    }
}

void sw_structure_ties_gather(const sw_structure_ties *ties, const double *f, double *r)
{
    memset(r, 0, (size_t)ties->n_free * sizeof *r);
    for (int64_t i = 0; i < ties->n_unknowns; i++)
        if (ties->number[i] >= 0)
            r[ties->number[i]] = f[i];
    for (int64_t k = 0; k < ties->n_rows; k++) {
        const sw_structure_row *row = &ties->row[k];
        for (int i = 0; i < row->n && ties->pivot[k] >= 0; i++)
            if (row->unknown[i] < ties->n_unknowns && ties->number[row->unknown[i]] >= 0)
                r[ties->number[row->unknown[i]]] += row->coefficient[i] * f[ties->pivot[k]];
    }
}

/* ---- Items of the equations ---- */

int64_t sw_structure_items(const sw_structure *s)
{
    const int64_t n = s->problem->n_elements + s->problem->n_springs;
    return s->contacts == NULL
               ? n
               : n + sw_surfaces_count(s->contacts->surfaces) + sw_surfaces_corners(s->contacts->surfaces);
}

int sw_structure_item_unknowns(const sw_structure *s, int64_t e, int64_t unknown[SW_STRUCTURE_UNKNOWNS])
{
    int32_t node[SW_SURFACES_ABOUT];
    const int64_t before = s->problem->n_elements + s->problem->n_springs;
    if (e < before)
        return sw_structure_unknowns_of(s->problem, e, unknown);
    const sw_surfaces *surfaces = s->contacts->surfaces;
    const int64_t k = e - before, pairs = sw_surfaces_count(surfaces);
    const int n = k < pairs ? sw_surfaces_nodes(surfaces, k, node)
                            : sw_surfaces_corner_nodes(surfaces, k - pairs, node);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            unknown[3 * a + i] = s->ties.used[3 * (int64_t)node[a] + i] ? 3 * (int64_t)node[a] + i : -1;
    return 3 * n;
}
