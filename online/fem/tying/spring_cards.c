#include "shared.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"

/* ---- SPRING ---- */

static sw_status elements_of(sw_deck *deck, const sw_deck_card *card, const sw_deck_set **set)
{
    int k;
    SW_TRY(sw_deck_need_named(deck, card, "ELSET", SW_FEM_ELEMENTS, &k));
    *set = &deck->set[k];
    return (*set)->n > 0 ? SW_OK : sw_deck_complain(card, "element set %.80s is empty", (*set)->name);
}

static int is_empty(const sw_deck_card *card, int64_t i)
{
    for (int k = 0; k < card->data[i].n_fields; k++)
        if (*sw_deck_field(card, i, k) != '\0')
            return 0;
    return 1;
}

/* Forces by elongation from line i on, or the stiffness alone; kept by the model. */
static sw_status read_table(sw_deck *deck, const sw_deck_card *card, int64_t i, int *n, double (**row)[2])
{
    sw_deck_tying *tying;
    const int curved = sw_deck_parameter(card, "NONLINEAR") != NULL;
    *n = (int)(card->n_lines - i);
    if (*n < 1 || (!curved && *n > 1))
        return sw_deck_complain(card, "%d lines of stiffness: one, without temperatures", *n);
    SW_TRY(sw_deck_tying_of(deck, &tying));
    SW_TRY(SW_GROW(tying->table, tying->n_tables + 1, /* NOLINT(bugprone-sizeof-expression): of pointers */
                   "tables of springs"));
    SW_TRY(SW_ALLOCATE(*row, *n, "a table of a spring"));
    tying->table[tying->n_tables++] = *row;
    for (int k = 0; k < *n; k++) {
        SW_TRY(sw_deck_need_number(card, i + k, 0, curved ? "a force" : "a stiffness",
                                   &(*row)[k][curved ? 1 : 0]));
        if (curved)
            SW_TRY(sw_deck_need_number(card, i + k, 1, "an elongation", &(*row)[k][0]));
        if (k > 0 && !((*row)[k][0] > (*row)[k - 1][0]))
            return sw_deck_complain_at(card, i + k, "elongation %g after %g: they ascend", (*row)[k][0],
                                       (*row)[k - 1][0]);
    }
    if (curved && *n < 2)
        return sw_deck_complain(card, "NONLINEAR with one line: two or more");
    return SW_OK;
}

/* The unknown that an end of SPRING1 or SPRING2 has. */
static sw_status attach(sw_deck *deck, const sw_deck_card *card, int64_t node, int64_t component,
                        sw_structure_spring *spring, int end)
{
    int64_t unknown = -1;
    if (component >= 1 && component <= 6)
        SW_TRY(sw_deck_unknown(deck, node, (int)component, &unknown));
    if (unknown < 0)
        return sw_deck_complain(card, "component %lld of node %lld: there is no such", (long long)component,
                                (long long)deck->node[node].label);
    spring->node[end] = unknown / 3;
    spring->component[end] = (int)(unknown % 3);
    return SW_OK;
}

static sw_status mark_given(sw_deck *deck, int64_t element)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (tying->given == NULL)
        SW_TRY(SW_ALLOCATE(tying->given, deck->n_elements, "springs and masses"));
    tying->given[element] = 1;
    return SW_OK;
}

static sw_status add_spring(sw_deck *deck, int64_t element, const sw_structure_spring *spring)
{
    SW_TRY(mark_given(deck, element));
    SW_TRY(SW_DECK_ROOM(deck->problem.spring, deck->problem.n_springs));
    deck->problem.spring[deck->problem.n_springs++] = *spring;
    return SW_OK;
}

sw_status sw_deck_need_springs(const sw_deck *deck)
{
    const uint8_t *given = deck->tying->given;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const sw_deck_element *element = &deck->element[e];
        const sw_deck_element_kind kind = element->type->kind;
        if ((kind == SW_DECK_SPRING || kind == SW_DECK_MASS) && (given == NULL || !given[e]))
            return sw_deck_complain_of(element,
                                       kind == SW_DECK_MASS ? "has no *MASS" : "has no *SPRING or *GAP");
    }
    return SW_OK;
}

/* Axial springs have no line of components before the stiffness; cards may have an empty one there. */
static sw_status read_springs(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *set, int axial)
{
    int64_t component[2] = {0, 0};
    const int64_t first = axial ? (card->n_lines > 0 && is_empty(card, 0)) : 1;
    sw_structure_spring spring = {0};
    if (!axial && card->n_lines > 0) {
        SW_TRY(sw_deck_integer(card, 0, 0, 0, &component[0]));
        SW_TRY(sw_deck_integer(card, 0, 1, component[0], &component[1]));
    }
    SW_TRY(read_table(deck, card, first, &spring.n_rows, &spring.row));
    for (int64_t i = 0; i < set->n; i++) {
        const sw_deck_element *element = &deck->element[set->member[i]];
        const int64_t ends[2] = {deck->member[element->first],
                                 element->n_nodes > 1 ? deck->member[element->first + 1] : -1};
        spring.label = element->label;
        for (int e = 0; e < 2; e++) {
            spring.node[e] = ends[e];
            spring.component[e] = -1;
            if (!axial && ends[e] >= 0)
                SW_TRY(attach(deck, card, ends[e], component[e], &spring, e));
        }
        SW_TRY(add_spring(deck, set->member[i], &spring));
    }
    return SW_OK;
}

sw_status sw_deck_read_spring(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_set *set = NULL;
    SW_TRY(elements_of(deck, card, &set));
    if (sw_deck_parameter(card, "ORIENTATION") != NULL)
        return sw_deck_complain(card, "ORIENTATION is not there");
    SW_TRY(sw_deck_need_parameters(card, " ELSET NONLINEAR "));
    for (int64_t i = 0; i < set->n; i++)
        if (deck->element[set->member[i]].type->kind != SW_DECK_SPRING)
            return sw_deck_complain(card, "element %lld is no spring",
                                    (long long)deck->element[set->member[i]].label);
    const int axial = set->n > 0 && strcasecmp(deck->element[set->member[0]].type->name, "SPRINGA") == 0;
    return read_springs(deck, card, set, axial);
}

/* ---- GAP ---- */

static sw_status read_gap(const sw_deck *deck, const sw_deck_card *card, sw_structure_spring *gap)
{
    SW_TRY(sw_deck_need_lines(card, 1, 1));
    SW_TRY(sw_deck_number(card, 0, 0, 0, &gap->clearance));
    for (int i = 0; i < 3; i++)
        SW_TRY(sw_deck_number(card, 0, 1 + i, 0, &gap->direction[i]));
    sw_deck_turn_direction(deck, gap->direction);
    sw_to_unit(gap->direction);
    SW_TRY(sw_deck_number(card, 0, 5, 1e12, &gap->stiffness));
    SW_TRY(sw_deck_number(card, 0, 6, 1e-3, &gap->tension));
    if (!(gap->stiffness > 0 && gap->tension > 0))
        return sw_deck_complain_at(card, 0, "stiffness %g and tension %g of open gaps: need more than 0",
                                   gap->stiffness, gap->tension);
    return SW_OK;
}

/* Without a direction it is that of the first node to the second. */
static sw_status line_up(const sw_deck *deck, const sw_deck_card *card, sw_structure_spring *gap)
{
    if (sw_dot(gap->direction, gap->direction) > 0)
        return SW_OK;
    for (int i = 0; i < 3; i++)
        gap->direction[i] = deck->node[gap->node[1]].at[i] - deck->node[gap->node[0]].at[i];
    return sw_to_unit(gap->direction) > 0
               ? SW_OK
               : sw_deck_complain(card, "element %lld: its nodes are in one place: need a direction",
                                  (long long)gap->label);
}

sw_status sw_deck_read_gap(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_set *set = NULL;
    sw_structure_spring gap = {.component = {-1, -1}};
    SW_TRY(sw_deck_need_parameters(card, " ELSET "));
    SW_TRY(elements_of(deck, card, &set));
    SW_TRY(read_gap(deck, card, &gap));
    for (int64_t i = 0; i < set->n; i++) {
        const sw_deck_element *element = &deck->element[set->member[i]];
        sw_structure_spring made = gap;
        if (strcasecmp(element->type->name, "GAPUNI") != 0)
            return sw_deck_complain(card, "element %lld is of type %s: need GAPUNI",
                                    (long long)element->label, element->type->name);
        made.label = element->label;
        for (int e = 0; e < 2; e++)
            made.node[e] = deck->member[element->first + e];
        SW_TRY(line_up(deck, card, &made));
        SW_TRY(add_spring(deck, set->member[i], &made));
    }
    return SW_OK;
}

/* ---- MASS ---- */

sw_status sw_deck_read_mass(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_set *set = NULL;
    sw_deck_tying *tying;
    double mass;
    const char *type = sw_deck_parameter(card, "TYPE");
    SW_TRY(sw_deck_need_parameters(card, " ELSET TYPE "));
    if (type != NULL && strcasecmp(type, "ISOTROPIC") != 0)
        return sw_deck_complain(card, "TYPE=%.40s is not computed: need ISOTROPIC", type);
    SW_TRY(sw_deck_need_number(card, 0, 0, "a mass", &mass));
    SW_TRY(elements_of(deck, card, &set));
    for (int64_t i = 0; i < set->n; i++)
        if (deck->element[set->member[i]].type->kind != SW_DECK_MASS)
            return sw_deck_complain(card, "element %lld is of type %s: need MASS",
                                    (long long)deck->element[set->member[i]].label,
                                    deck->element[set->member[i]].type->name);
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (tying->mass == NULL)
        SW_TRY(SW_ALLOCATE(tying->mass, deck->n_elements, "masses"));
    for (int64_t i = 0; i < set->n; i++) {
        SW_TRY(mark_given(deck, set->member[i]));
        tying->mass[set->member[i]] = mass;
    }
    return SW_OK;
}

double sw_deck_mass_of(const sw_deck *deck, int64_t element)
{
    return deck->tying != NULL && deck->tying->mass != NULL ? deck->tying->mass[element] : 0;
}
