/* Keywords of the mesh: nodes, elements, sets of them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"
#include "model.h"

/* ---- Nodes ---- */

/* *NODE's coordinates in a system of its own, as x, y, z. */
static sw_status from_system(const sw_deck_card *card, const char *system, double at[3])
{
    const double degree = acos(-1.0) / 180;
    if (system == NULL || strcasecmp(system, "R") == 0)
        return SW_OK;
    const double r = at[0], theta = at[1] * degree, third = at[2];
    if (strcasecmp(system, "C") == 0) {
        at[0] = r * cos(theta);
        at[1] = r * sin(theta);
        return SW_OK;
    }
    if (strcasecmp(system, "S") != 0)
        return sw_deck_complain(card, "SYSTEM=%.40s: need R, C or S", system);
    at[0] = r * cos(theta) * cos(third * degree);
    at[1] = r * sin(theta) * cos(third * degree);
    at[2] = r * sin(third * degree);
    return SW_OK;
}

/* By *SYSTEM, then by the instance. */
static void to_space(const sw_deck *deck, double at[3])
{
    double turned[3];
    if (deck->system) {
        for (int i = 0; i < 3; i++) /* rows are the axes: x = origin + rows^T local */
            turned[i] = deck->system_origin[i] + deck->system_rows[0][i] * at[0] +
                        deck->system_rows[1][i] * at[1] + deck->system_rows[2][i] * at[2];
        memcpy(at, turned, sizeof turned);
    }
    if (deck->scope != 0) {
        sw_deck_move(&deck->instance[deck->scope], at, turned);
        memcpy(at, turned, sizeof turned);
    }
}

static sw_status new_node(sw_deck *deck, int64_t label, const double at[3], int64_t *index)
{
    if (deck->n_nodes >= INT32_MAX / 8)
        return sw_error(SW_ERR_RANGE, "%s: more than %d nodes", deck->path, INT32_MAX / 8);
    SW_TRY(SW_DECK_ROOM(deck->node, deck->n_nodes));
    *index = deck->n_nodes++;
    deck->node[*index] = (sw_deck_node){.label = label, .at = {at[0], at[1], at[2]}, .axes = -1};
    return SW_OK;
}

sw_status sw_deck_add_node(sw_deck *deck, const double at[3], int64_t *node)
{
    return new_node(deck, 0, at, node);
}

sw_status sw_deck_place_node(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t label,
                             const double at[3], int64_t *index)
{
    if (label < 1)
        return sw_deck_complain_at(card, i, "node %" PRId64 ": need a number from 1 on", label);
    *index = sw_deck_find_label(deck->node_index, deck->scope, label);
    if (*index >= 0) {
        const double *there = deck->node[*index].at;
        const double size = fabs(at[0]) + fabs(at[1]) + fabs(at[2]);
        for (int k = 0; k < 3; k++)
            if (!(fabs(there[k] - at[k]) <= 1e-6 * size))
                return sw_deck_complain_at(card, i, "node %" PRId64 " is there already, at %g, %g, %g", label,
                                           there[0], there[1], there[2]);
        return SW_OK;
    }
    int64_t shown;
    SW_TRY(sw_deck_shown_label(deck, label, &shown));
    SW_TRY(new_node(deck, shown, at, index));
    return sw_deck_add_label(&deck->node_index, deck->scope, label, *index);
}

sw_status sw_deck_read_node(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " NSET SYSTEM "));
    const char *name = sw_deck_parameter(card, "NSET");
    int64_t set = -1, *made = NULL;
    if (name != NULL)
        SW_TRY(sw_deck_open_set(deck, SW_FEM_NODES, name, &set));
    if (card->n_lines == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(made, card->n_lines, "nodes of a set"));
    sw_status status = SW_OK;
    for (int64_t i = 0; status == SW_OK && i < card->n_lines; i++) {
        int64_t label = 0;
        double at[3] = {0, 0, 0}, none = 0;
        status = sw_deck_integer(card, i, 0, 0, &label);
        for (int k = 0; status == SW_OK && k < 3; k++)
            status = sw_deck_number(card, i, k + 1, 0, &at[k]);
        for (int k = 4; status == SW_OK && k < card->data[i].n_fields; k++) {
            status = sw_deck_number(card, i, k, 0, &none);
            if (status == SW_OK && none != 0)
                status = sw_deck_complain_at(card, i, "%d fields: need a number and three coordinates",
                                             card->data[i].n_fields);
        }
        if (status == SW_OK)
            status = from_system(card, sw_deck_parameter(card, "SYSTEM"), at);
        if (status != SW_OK)
            break;
        to_space(deck, at);
        status = sw_deck_place_node(deck, card, i, label, at, &made[i]);
    }
    if (status == SW_OK && set >= 0)
        status = sw_deck_add_members(deck, set, card->n_lines, made);
    free(made);
    return status;
}

/* *SYSTEM: axes by the origin, a point on x, and one in the x-y plane, until the next. */
sw_status sw_deck_read_system(sw_deck *deck, const sw_deck_card *card)
{
    double p[9] = {0};
    SW_TRY(sw_deck_need_parameters(card, " "));
    deck->system = card->n_lines > 0;
    if (!deck->system)
        return SW_OK;
    SW_TRY(sw_deck_need_lines(card, 1, 2));
    for (int k = 0; k < 9; k++)
        SW_TRY(sw_deck_number(card, k / 6, k % 6, 0, &p[k]));
    const int turned = card->data[0].n_fields > 3, three = card->n_lines > 1;
    sw_deck_axes axes = {.system = SW_DECK_RECTANGULAR, .a = {1, 0, 0}, .b = {0, 1, 0}};
    for (int i = 0; turned && i < 3; i++)
        axes.a[i] = p[3 + i] - p[i];
    for (int i = 0; i < 3; i++)
        axes.b[i] = three ? p[6 + i] - p[i] : 0;
    if (!three) { /* turned about z alone */
        axes.b[0] = -axes.a[1];
        axes.b[1] = axes.a[0];
    }
    memcpy(deck->system_origin, p, sizeof deck->system_origin);
    sw_deck_axes_at(&axes, p, deck->system_rows);
    return sw_dot(deck->system_rows[1], deck->system_rows[1]) > 0
               ? SW_OK
               : sw_deck_complain(card, "its three points lie on a line");
}

/* ---- Elements ---- */

/* A node of an element, by its label; one that is not there yet is looked for when the mesh is whole. */
static sw_status add_member(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t place, int64_t label)
{
    const int64_t node = sw_deck_find_label(deck->node_index, deck->scope, label);
    SW_TRY(SW_DECK_ROOM(deck->member, place));
    deck->member[place] = (int32_t)node;
    if (node >= 0)
        return SW_OK;
    SW_TRY(SW_DECK_ROOM(deck->awaited, deck->n_awaited));
    deck->member[place] = (int32_t)(-2 - deck->n_awaited);
    deck->awaited[deck->n_awaited++] = (sw_deck_awaited){card, i, place, label, deck->scope};
    return SW_OK;
}

sw_status sw_deck_meet_awaited(sw_deck *deck)
{
    for (int64_t k = 0; k < deck->n_awaited; k++) {
        const sw_deck_awaited *a = &deck->awaited[k];
        const int64_t node = sw_deck_find_label(deck->node_index, a->scope, a->label);
        if (node < 0)
            return sw_deck_complain_at(a->card, a->i, "there is no node %" PRId64, a->label);
        deck->member[a->member] = (int32_t)node;
    }
    return SW_OK;
}

int64_t sw_deck_member_label(const sw_deck *deck, int64_t place)
{
    const int32_t node = deck->member[place];
    return node >= 0 ? deck->node[node].label - deck->instance[deck->scope].offset
                     : deck->awaited[-2 - node].label;
}

sw_status sw_deck_new_element(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t label,
                              const sw_deck_type *type, const int64_t *node, int64_t *index)
{
    int64_t shown;
    if (label < 1)
        return sw_deck_complain_at(card, i, "element %" PRId64 ": need a number from 1 on", label);
    if (sw_deck_find_label(deck->element_index, deck->scope, label) >= 0)
        return sw_deck_complain_at(card, i, "element %" PRId64 " is there already", label);
    if (deck->n_elements >= SW_FEM_MOST_ELEMENTS)
        return sw_deck_complain_at(card, i, "more than %d elements", SW_FEM_MOST_ELEMENTS);
    for (int k = 0; k < type->n_nodes; k++) {
        if (node[k] < 1)
            return sw_deck_complain_at(card, i, "element %" PRId64 ": there is no node %" PRId64, label,
                                       node[k]);
        SW_TRY(add_member(deck, card, i, deck->n_members + k, node[k]));
    }
    SW_TRY(SW_DECK_ROOM(deck->element, deck->n_elements));
    SW_TRY(sw_deck_shown_label(deck, label, &shown));
    const int has_line = i >= 0 && i < card->n_lines;
    *index = deck->n_elements++;
    deck->element[*index] = (sw_deck_element){.label = shown,
                                              .line = has_line ? card->data[i].line : card->line,
                                              .path = has_line ? card->data[i].path : card->path,
                                              .type = type,
                                              .first = deck->n_members,
                                              .n_nodes = type->n_nodes,
                                              .section = -1,
                                              .expanded = -1};
    if (type->kind == SW_DECK_FORMULATION || type->kind == SW_DECK_TRUSS)
        deck->element[*index].formulation =
            sw_formulation_find(strcmp(type->name, "T2D2") == 0 ? "T3D2" : type->name, (int)deck->dialect);
    deck->n_members += type->n_nodes;
    return sw_deck_add_label(&deck->element_index, deck->scope, label, *index);
}

sw_status sw_deck_complain_of(const sw_deck_element *e, const char *what)
{
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": *ELEMENT: element %" PRId64 " of type %s %s", e->path,
                    e->line, e->label, e->type->name, what);
}

/* The labels of an element from line *i on, which go on over lines until all are there. */
static sw_status gather_labels(const sw_deck_card *card, int64_t *i, const sw_deck_type *type, int64_t *label)
{
    enum { MODES = 3 }; /* CalculiX once had nodes for incompatible modes, too */
    const int64_t first = *i;
    const int n = type->n_nodes + 1;
    int have = 0;
    if (strcmp(type->name, "C3D8I") == 0 && card->data[first].n_fields > n &&
        card->data[first].n_fields <= n + MODES) {
        for (; have < n; have++)
            SW_TRY(sw_deck_integer(card, first, have, 0, &label[have]));
        (*i)++;
        return SW_OK;
    }
    for (; have < n && *i < card->n_lines; (*i)++)
        for (int k = 0; k < card->data[*i].n_fields; k++) {
            if (have == n)
                return sw_deck_complain_at(card, first, "more than %d fields: need a number and %d nodes",
                                           have, n - 1);
            if (*sw_deck_field(card, *i, k) != '\0')
                SW_TRY(sw_deck_integer(card, *i, k, 0, &label[have++]));
        }
    return have == n ? SW_OK
                     : sw_deck_complain_at(card, first, "%d fields: need a number and %d nodes", have, n - 1);
}

sw_status sw_deck_read_element(sw_deck *deck, const sw_deck_card *card)
{
    const char *name, *set_name = sw_deck_parameter(card, "ELSET");
    if (sw_deck_parameter(card, "DLOAD") != NULL)
        return sw_deck_complain(card,
                                "DLOAD: faces that load another mesh's, whose nodes are not theirs, are not "
                                "computed");
    SW_TRY(sw_deck_need_parameters(card, " TYPE ELSET "));
    SW_TRY(sw_deck_need_value(card, "TYPE", &name));
    const sw_deck_type *type = sw_deck_find_type(name, deck->dialect);
    if (type == NULL)
        return sw_deck_complain(card, "elements of type %.40s are not computed", name);
    int64_t set = -1;
    if (set_name != NULL)
        SW_TRY(sw_deck_open_set(deck, SW_FEM_ELEMENTS, set_name, &set));
    const int64_t before = deck->n_elements;
    for (int64_t i = 0; i < card->n_lines;) {
        int64_t label[SW_FORMULATION_NODES + 1] = {0}, index, first = i;
        SW_TRY(gather_labels(card, &i, type, label));
        SW_TRY(sw_deck_new_element(deck, card, first, label[0], type, label + 1, &index));
    }
    return set >= 0 ? sw_deck_add_range(deck, set, before, deck->n_elements) : SW_OK;
}

sw_status sw_deck_add_range(sw_deck *deck, int64_t set, int64_t first, int64_t end)
{
    if (end == first)
        return SW_OK;
    int64_t *member;
    SW_TRY(SW_ALLOCATE(member, end - first, "members of a set"));
    for (int64_t i = first; i < end; i++)
        member[i - first] = i;
    const sw_status status = sw_deck_add_members(deck, set, end - first, member);
    free(member);
    return status;
}

/* ---- Sets ---- */

typedef struct {
    int64_t n, missing, first_missing, line;
    int64_t *member;
} gathered;

static sw_status keep(gathered *list, int64_t member)
{
    SW_TRY(SW_DECK_ROOM(list->member, list->n));
    list->member[list->n++] = member;
    return SW_OK;
}

static int64_t find(const sw_deck *deck, sw_fem_set_kind kind, int64_t label)
{
    return kind == SW_FEM_NODES ? sw_deck_find_node(deck, label) : sw_deck_find_element(deck, label);
}

/* A line "first, last, step": labels that are not there are none of it. */
static sw_status generate(sw_deck *deck, const sw_deck_card *card, int64_t i, sw_fem_set_kind kind,
                          gathered *list)
{
    int64_t range[3];
    for (int k = 0; k < 3; k++)
        SW_TRY(sw_deck_integer(card, i, k, k == 2 ? 1 : 0, &range[k]));
    if (card->data[i].n_fields > 3 || range[0] < 1 || range[2] < 1)
        return sw_deck_complain_line(card, i, "need first, last and step of numbers");
    const int64_t last = *sw_deck_field(card, i, 1) == '\0' ? range[0] : range[1];
    if (last < range[0])
        return sw_deck_complain_at(card, i, "from %" PRId64 " to %" PRId64 ": need them ascending", range[0],
                                   last);
    const int64_t end = last < deck->most_label ? last : deck->most_label;
    for (int64_t label = range[0]; label <= end; label += range[2]) {
        const int64_t member = find(deck, kind, label);
        if (member >= 0)
            SW_TRY(keep(list, member));
    }
    return SW_OK;
}

/* Sets are whole here, wherever their parts stand. */
static void tell_later(const sw_deck_card *card, const sw_deck_set *of)
{
    if (of->first != NULL && of->first < card && of->last > card)
        sw_warn("%s:%" PRId64 ": *%s: what line %" PRId64
                " adds to set %.80s is in, too, which CalculiX takes as it was here",
                card->path, card->line, card->keyword, of->last->line, of->name);
}

/* A field: a label or a set of the kind. What is not there yet is looked for again later. */
static sw_status add_field(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, sw_fem_set_kind kind,
                           gathered *list)
{
    const char *text = sw_deck_field(card, i, k);
    if (*text == '\0')
        return SW_OK;
    if (text[strspn(text, "0123456789")] == '\0') {
        int64_t label;
        SW_TRY(sw_deck_integer(card, i, k, 0, &label));
        const int64_t member = find(deck, kind, label);
        if (member >= 0)
            return keep(list, member);
        if (list->missing++ == 0) {
            list->first_missing = label;
            list->line = i;
        }
        return SW_OK;
    }
    const int64_t set = sw_deck_find_set(deck, kind, text);
    if (set < 0)
        return deck->finds_all ? sw_deck_no_name(deck, card, i, (int)kind, text) : SW_OK;
    if (deck->finds_all && deck->dialect == SW_DECK_CALCULIX)
        tell_later(card, &deck->set[set]);
    for (int64_t j = 0; j < deck->set[set].n; j++)
        SW_TRY(keep(list, deck->set[set].member[j]));
    return SW_OK;
}

/* *NSET, ELSET=: the nodes of elements. */
static sw_status nodes_of_elements(sw_deck *deck, const sw_deck_card *card, const char *name, gathered *list)
{
    const int64_t set = sw_deck_find_set(deck, SW_FEM_ELEMENTS, name);
    if (set < 0)
        return deck->finds_all ? sw_deck_no_name(deck, card, -1, SW_FEM_ELEMENTS, name) : SW_OK;
    for (int64_t j = 0; j < deck->set[set].n; j++) {
        const sw_deck_element *element = &deck->element[deck->set[set].member[j]];
        for (int k = 0; k < element->n_nodes; k++)
            if (deck->member[element->first + k] >= 0)
                SW_TRY(keep(list, deck->member[element->first + k]));
    }
    return SW_OK;
}

static sw_status gather(sw_deck *deck, const sw_deck_card *card, sw_fem_set_kind kind, gathered *list)
{
    const char *of = kind == SW_FEM_NODES ? sw_deck_parameter(card, "ELSET") : NULL;
    const int generated = sw_deck_parameter(card, "GENERATE") != NULL;
    if (of != NULL)
        SW_TRY(nodes_of_elements(deck, card, of, list));
    for (int64_t i = 0; i < card->n_lines; i++) {
        if (generated && strspn(sw_deck_field(card, i, 0), "0123456789+-") > 0) {
            SW_TRY(generate(deck, card, i, kind, list));
            continue;
        }
        for (int k = 0; k < card->data[i].n_fields; k++)
            SW_TRY(add_field(deck, card, i, k, kind, list));
    }
    return SW_OK;
}

/* As decks' programs do: numbers that there are not are left out, and that is said when all sets are there. */
static void count_missing(const sw_deck_card *card, const gathered *list, sw_deck_set *set)
{
    if (list->missing > 0 && set->missing == 0) {
        set->missing_at = &card->data[list->line];
        set->first_missing = list->first_missing;
    }
    set->missing += list->missing;
}

void sw_deck_tell_missing(const sw_deck *deck)
{
    enum { MOST_SAID = 10 };
    static const char *const of[] = {"*NSET: node", "*ELSET: element"};
    int said = 0;
    int64_t rest = 0;
    for (int k = 0; k < deck->n_sets; k++) {
        const sw_deck_set *set = &deck->set[k];
        if (set->missing == 0)
            continue;
        if (said++ >= MOST_SAID)
            rest += set->missing;
        else if (set->missing == 1)
            sw_warn("%s:%" PRId64 ": %s %" PRId64 " of set %.80s is not there: it is left out",
                    set->missing_at->path, set->missing_at->line, of[set->kind], set->first_missing,
                    set->name);
        else
            sw_warn("%s:%" PRId64 ": %s %" PRId64 " of set %.80s is not there, nor are %" PRId64
                    " others: they are left out",
                    set->missing_at->path, set->missing_at->line, of[set->kind], set->first_missing,
                    set->name, set->missing - 1);
    }
    if (said > MOST_SAID)
        sw_warn("%s: %d other sets lack %" PRId64 " members, which are left out", deck->path,
                said - MOST_SAID, rest);
}

static sw_status read_set(sw_deck *deck, const sw_deck_card *card, sw_fem_set_kind kind)
{
    const char *name;
    int64_t set;
    int inside;
    gathered list = {0};
    SW_TRY(sw_deck_need_value(card, kind == SW_FEM_NODES ? "NSET" : "ELSET", &name));
    SW_TRY(sw_deck_open_set(deck, kind, name, &set));
    const int before = deck->scope;
    SW_TRY(sw_deck_find_named(deck, card, "INSTANCE", SW_DECK_SCOPE, &inside));
    if (inside >= 0)
        deck->scope = inside;
    sw_status status = gather(deck, card, kind, &list);
    deck->scope = before;
    if (status == SW_OK)
        status = sw_deck_add_members(deck, set, list.n, list.member);
    if (status == SW_OK && deck->finds_all) {
        count_missing(card, &list, &deck->set[set]);
        deck->set[set].listed += list.n;
    } else if (status == SW_OK) {
        if (deck->set[set].first == NULL)
            deck->set[set].first = card;
        deck->set[set].last = card;
    }
    free(list.member);
    return status;
}

sw_status sw_deck_read_nset(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " NSET GENERATE ELSET INSTANCE INTERNAL UNSORTED FREQUENCY "));
    return read_set(deck, card, SW_FEM_NODES);
}

sw_status sw_deck_read_elset(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " ELSET GENERATE INSTANCE INTERNAL UNSORTED "));
    return read_set(deck, card, SW_FEM_ELEMENTS);
}
