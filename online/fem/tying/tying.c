#include "shared.h"

#include <stdlib.h>
#include <string.h>

/* ---- The store ---- */

static sw_status make_room(sw_deck_tying *tying, int64_t n)
{
    if (n <= tying->n)
        return SW_OK;
    const int64_t more = n + n / 4 + 64;
    SW_TRY(SW_GROW(tying->expansion, more, "expansions of nodes"));
    SW_TRY(SW_GROW(tying->rest, 3 * more, "displacements"));
    memset(tying->rest, 0, 3 * (size_t)more * sizeof *tying->rest);
    SW_TRY(SW_GROW(tying->local, more, "axes of nodes"));
    SW_TRY(SW_GROW(tying->rotation, more, "rotations of nodes"));
    SW_TRY(SW_GROW(tying->origin, more, "nodes of cuts"));
    SW_TRY(SW_GROW(tying->solid, more, "nodes of solids"));
    SW_TRY(SW_GROW(tying->bends, more, "nodes of shells and beams"));
    SW_TRY(SW_GROW(tying->thickness, more, "thicknesses of nodes"));
    for (int64_t i = tying->n; i < more; i++) {
        tying->expansion[i] = tying->local[i] = tying->rotation[i] = tying->origin[i] = -1;
        tying->bends[i] = tying->solid[i] = 0;
        tying->thickness[i][0] = tying->thickness[i][1] = 0;
    }
    tying->n = more;
    return SW_OK;
}

sw_status sw_deck_tying_of(sw_deck *deck, sw_deck_tying **tying)
{
    if (deck->tying == NULL)
        SW_TRY(SW_ALLOCATE(deck->tying, 1, "what is tied"));
    *tying = deck->tying;
    return make_room(*tying, deck->n_nodes);
}

void sw_deck_tying_free(sw_deck *deck)
{
    sw_deck_tying *tying = deck->tying;
    if (tying == NULL)
        return;
    for (int i = 0; i < tying->n_formulations; i++) {
        free(tying->formulations[i]->formulation);
        free(tying->formulations[i]->point);
        free(tying->formulations[i]);
    }
    free(tying->formulations);
    for (int i = 0; i < tying->n_tables; i++)
        free(tying->table[i]);
    free(tying->table);
    free(tying->mass);
    free(tying->given);
    free(tying->tie);
    free(tying->local);
    free(tying->rotation);
    free(tying->origin);
    free(tying->bends);
    free(tying->solid);
    free(tying->thickness);
    free(tying->normals);
    free(tying->expansion);
    free(tying->rest);
    free(tying->expansions);
    free(tying->offspring);
    free(tying);
    deck->tying = NULL;
}

/* ---- Constraints ---- */

sw_status sw_deck_new_constraint(sw_deck *deck, int64_t line, int n, sw_structure_constraint **constraint,
                                 const double **rest)
{
    sw_structure_problem *problem = &deck->problem;
    sw_structure_constraint made = {.line = line};
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    SW_TRY(SW_DECK_ROOM(problem->constraint, problem->n_constraints));
    SW_TRY(SW_ALLOCATE(made.unknown, n, "a constraint"));
    const sw_status status = SW_ALLOCATE(made.coefficient, n, "a constraint");
    if (status != SW_OK) {
        free(made.unknown);
        return status;
    }
    *constraint = &problem->constraint[problem->n_constraints++];
    **constraint = made;
    *rest = tying->rest;
    return SW_OK;
}

/* Terms that say nothing are left out, so that their unknowns are not taken for used ones. */
void sw_deck_drop_nothings(sw_structure_constraint *c)
{
    const int n = c->n_terms;
    c->n_terms = 0;
    for (int i = 0; i < n; i++)
        if (c->coefficient[i] != 0) {
            c->unknown[c->n_terms] = c->unknown[i];
            c->coefficient[c->n_terms++] = c->coefficient[i];
        }
}

sw_status sw_deck_add_constraint(sw_deck *deck, int64_t line, int n, const int64_t *unknown,
                                 const double *coefficient, double right)
{
    sw_structure_constraint *c;
    const double *rest;
    SW_TRY(sw_deck_new_constraint(deck, line, n, &c, &rest));
    memcpy(c->unknown, unknown, (size_t)n * sizeof *unknown);
    memcpy(c->coefficient, coefficient, (size_t)n * sizeof *coefficient);
    c->n_terms = n;
    c->right = right;
    sw_deck_drop_nothings(c);
    return SW_OK;
}

sw_status sw_deck_new_node(sw_deck *deck, const double at[3], int64_t *node)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_add_node(deck, at, node));
    return sw_deck_tying_of(deck, &tying);
}

/* ---- Unknowns ---- */

static int is_plane(const sw_deck *deck)
{
    int plane = 0;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const sw_deck_element *element = &deck->element[e];
        const sw_deck_element_kind kind = element->type->kind;
        const int flat = strcmp(element->type->name, "T2D2") == 0;
        if (kind == SW_DECK_FORMULATION ? sw_formulation_components(element->formulation) == 3
                                        : kind <= SW_DECK_MEMBRANE && !flat)
            return 0;
        plane |= kind == SW_DECK_FORMULATION || flat;
    }
    return plane;
}

int sw_deck_is_plane(const sw_deck *deck)
{
    if (deck->tying == NULL)
        return is_plane(deck);
    if (deck->tying->plane == 0)
        deck->tying->plane = 1 + is_plane(deck);
    return deck->tying->plane - 1;
}

/* u = R' q of a node's unknowns by another's, which are along rows. */
static sw_status turn_by(sw_deck *deck, int64_t node, int64_t other, const sw_deck_axes *axes)
{
    double rows[3][3];
    const int64_t line = axes->line;
    sw_deck_axes_at(axes, deck->node[node].at, rows);
    const int n = sw_deck_is_plane(deck) ? 2 : 3;
    for (int i = 0; i < n; i++) {
        int64_t unknown[4] = {3 * node + i};
        double coefficient[4] = {1};
        for (int k = 0; k < n; k++) {
            unknown[1 + k] = 3 * other + k;
            coefficient[1 + k] = -rows[k][i];
        }
        SW_TRY(sw_deck_add_constraint(deck, line, 1 + n, unknown, coefficient, 0));
    }
    return SW_OK;
}

/* The node whose displacements are those of a node in its own axes. */
static sw_status turn(sw_deck *deck, int64_t node, int64_t *turned)
{
    const sw_deck_node of = deck->node[node];
    *turned = deck->tying->local[node];
    if (*turned >= 0)
        return SW_OK;
    SW_TRY(sw_deck_new_node(deck, of.at, turned));
    deck->tying->local[node] = *turned;
    return turn_by(deck, node, *turned, &deck->axes[of.axes]);
}

sw_status sw_deck_rotations_of(sw_deck *deck, int64_t node, int64_t *rotations)
{
    const sw_deck_node of = deck->node[node];
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    const int64_t along = tying->rotation[node];
    *rotations = along;
    if (along >= 0 && deck->node[along].axes != SW_DECK_ALONG_AXES)
        return SW_OK;
    SW_TRY(sw_deck_new_node(deck, of.at, rotations));
    deck->node[*rotations].axes = of.axes;
    deck->tying->rotation[node] = *rotations;
    if (along < 0)
        return SW_OK;
    deck->tying->local[*rotations] = along;
    return turn_by(deck, *rotations, along, &deck->axes[of.axes]);
}

/* Nodes of shells and beams have rotations, made when they are asked for; sw_deck_expand says what they are. */
static sw_status mark_bending(sw_deck *deck)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    for (int64_t e = 0; e < deck->n_elements && !tying->marked; e++) {
        const sw_deck_element *element = &deck->element[e];
        const int bends = element->type->kind == SW_DECK_SHELL || element->type->kind == SW_DECK_BEAM;
        for (int a = 0; bends && a < element->n_nodes; a++)
            tying->bends[deck->member[element->first + a]] = 1;
    }
    tying->marked = 1;
    return SW_OK;
}

/* Of a node that bends: rotations along its own axes, to be tied to what it becomes. */
static sw_status bend(sw_deck *deck, int64_t node)
{
    int64_t rotations;
    const sw_deck_node of = deck->node[node];
    SW_TRY(mark_bending(deck));
    if (!deck->tying->bends[node])
        return SW_OK;
    SW_TRY(sw_deck_new_node(deck, of.at, &rotations));
    deck->node[rotations].axes = of.axes < 0 ? -1 : SW_DECK_ALONG_AXES;
    deck->tying->rotation[node] = rotations;
    return SW_OK;
}

sw_status sw_deck_unknown(sw_deck *deck, int64_t node, int component, int64_t *unknown)
{
    sw_deck_tying *tying;
    int64_t at = node;
    *unknown = -1;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (component > 3) {
        if (deck->tying->rotation[node] < 0)
            SW_TRY(bend(deck, node));
        at = deck->tying->rotation[node];
        if (at < 0)
            return SW_OK;
        component -= 3;
    }
    if (deck->node[at].axes >= 0)
        SW_TRY(turn(deck, at, &at));
    *unknown = 3 * at + component - 1;
    return SW_OK;
}

int64_t sw_deck_origin_of(const sw_deck *deck, int64_t node)
{
    while (deck->tying != NULL && node < deck->tying->n && deck->tying->origin[node] >= 0)
        node = deck->tying->origin[node];
    return node;
}

void sw_deck_offspring_of(const sw_deck *deck, int64_t node, int *n, const sw_deck_offspring **offspring)
{
    const sw_deck_tying *tying = deck->tying;
    *n = 0;
    *offspring = NULL;
    if (tying == NULL || node >= tying->n || tying->expansion[node] < 0)
        return;
    const int64_t first = tying->expansion[node];
    *offspring = &tying->offspring[tying->expansions[first].first];
    for (int64_t k = first; k < tying->n_expansions && tying->expansions[k].node == node; k++)
        *n += tying->expansions[k].n;
}

/* ---- Surfaces ---- */

/* Of a member of a surface: its nodes; what has no faces is all its nodes. */
static int nodes_of_member(const sw_deck *deck, const sw_deck_set *surface, int64_t i, int64_t node[20])
{
    if (surface->of_nodes) {
        node[0] = surface->member[i];
        return 1;
    }
    const sw_topology *face = sw_deck_face(deck, surface->member[i], node);
    if (face != NULL)
        return face->n_nodes;
    const sw_deck_element *element = &deck->element[surface->member[i] / 8];
    const int n = element->n_nodes < 20 ? element->n_nodes : 20;
    for (int a = 0; a < n; a++)
        node[a] = deck->member[element->first + a];
    return n;
}

sw_status sw_deck_surface_nodes(const sw_deck *deck, const sw_deck_set *surface, int64_t *n, int64_t **node)
{
    uint8_t *met;
    int64_t of[20];
    *n = 0;
    SW_TRY(SW_ALLOCATE(met, deck->n_nodes, "nodes of a surface"));
    sw_status status = SW_ALLOCATE(*node, deck->n_nodes, "nodes of a surface");
    for (int64_t i = 0; i < surface->n && status == SW_OK; i++) {
        const int count = nodes_of_member(deck, surface, i, of);
        for (int a = 0; a < count; a++)
            if (!met[of[a]]) {
                met[of[a]] = 1;
                (*node)[(*n)++] = of[a];
            }
    }
    free(met);
    return status;
}
