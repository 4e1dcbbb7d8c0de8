#include "shared.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- EQUATION ---- */

/* Terms of an equation, whose nodes may be sets: node [n] lists one after the other. */
typedef struct {
    int n;
    int64_t first, line; /* of its data */
    int *component;
    double *coefficient;
    int64_t *begin; /* [n + 1] in node */
    int64_t *node, n_nodes;
} equation;

static void free_equation(equation *e)
{
    free(e->component);
    free(e->coefficient);
    free(e->begin);
    free(e->node);
}

static sw_status read_term(sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int term, equation *e)
{
    int64_t component, n;
    const int64_t *member;
    SW_TRY(sw_deck_nodes_of(deck, card, i, k, &n, &member));
    SW_TRY(SW_GROW(e->node, e->n_nodes + n, "nodes of an equation"));
    memcpy(e->node + e->n_nodes, member, (size_t)n * sizeof *member);
    e->begin[term] = e->n_nodes;
    e->n_nodes += n;
    e->begin[term + 1] = e->n_nodes;
    SW_TRY(sw_deck_integer(card, i, k + 1, 0, &component));
    if (component < 1 || component > 6)
        return sw_deck_complain_at(card, i, "component %lld: 1 to 3 are displacements, 4 to 6 rotations",
                                   (long long)component);
    e->component[term] = (int)component;
    return sw_deck_need_number(card, i, k + 2, "a coefficient", &e->coefficient[term]);
}

/* Terms of lines from *i on, which it leaves behind. */
static sw_status read_terms(sw_deck *deck, const sw_deck_card *card, int64_t *i, equation *e)
{
    SW_TRY(SW_ALLOCATE(e->component, e->n, "terms"));
    SW_TRY(SW_ALLOCATE(e->coefficient, e->n, "terms"));
    SW_TRY(SW_ALLOCATE(e->begin, e->n + 1, "terms"));
    for (int term = 0; term < e->n; (*i)++) {
        if (*i >= card->n_lines)
            return sw_deck_complain_at(card, e->first, "%d terms are announced, %d are there", e->n, term);
        for (int k = 0; term < e->n && k + 1 < card->data[*i].n_fields && *sw_deck_field(card, *i, k) != '\0';
             k += 3)
            SW_TRY(read_term(deck, card, *i, k, term++, e));
    }
    return SW_OK;
}

/* As an equation has it. */
static sw_status unknown_of(sw_deck *deck, int64_t node, int component, int64_t *unknown)
{
    if (component <= 3)
        SW_TRY(sw_deck_take_sides(deck, node));
    return sw_deck_unknown(deck, node, component, unknown);
}

/* One of the equations that sets make: a set of one node stands in all. */
static sw_status add_equation(sw_deck *deck, const sw_deck_card *card, const equation *e, int64_t j,
                              int64_t *unknown)
{
    for (int t = 0; t < e->n; t++) {
        const int64_t n = e->begin[t + 1] - e->begin[t];
        const int64_t node = e->node[e->begin[t] + (n == 1 ? 0 : j)];
        SW_TRY(unknown_of(deck, node, e->component[t], &unknown[t]));
        if (unknown[t] < 0)
            return sw_deck_complain_at(card, e->first, "component %d of node %lld: it has no rotations",
                                       e->component[t], (long long)deck->node[node].label);
    }
    return sw_deck_add_constraint(deck, e->line, e->n, unknown, e->coefficient, 0);
}

static sw_status add_equations(sw_deck *deck, const sw_deck_card *card, const equation *e)
{
    int64_t most = 0, *unknown;
    sw_status status = SW_OK;
    for (int t = 0; t < e->n; t++)
        most = e->begin[t + 1] - e->begin[t] > most ? e->begin[t + 1] - e->begin[t] : most;
    for (int t = 0; t < e->n; t++)
        if (e->begin[t + 1] - e->begin[t] != 1 && e->begin[t + 1] - e->begin[t] != most)
            return sw_deck_complain_at(card, e->first, "term %d has %lld nodes, another %lld", t + 1,
                                       (long long)(e->begin[t + 1] - e->begin[t]), (long long)most);
    if (most > 1 && e->begin[1] - e->begin[0] == 1)
        return sw_deck_complain_at(card, e->first,
                                   "its first term has one node, another %lld: need the set of nodes first",
                                   (long long)most);
    SW_TRY(SW_ALLOCATE(unknown, e->n, "terms"));
    for (int64_t j = 0; j < most && status == SW_OK; j++)
        status = add_equation(deck, card, e, j, unknown);
    free(unknown);
    return status;
}

sw_status sw_deck_read_equation(sw_deck *deck, const sw_deck_card *card)
{
    int64_t i = 0;
    if (sw_deck_parameter(card, "REMOVE") != NULL || sw_deck_parameter(card, "REMOVEALL") != NULL)
        return sw_deck_complain(card, "REMOVE: equations stay");
    SW_TRY(sw_deck_need_parameters(card, " "));
    while (i < card->n_lines) {
        equation e = {.first = i, .line = card->data[i].line};
        int64_t n;
        SW_TRY(sw_deck_integer(card, i, 0, 0, &n));
        if (n < 1 || n > 1000000)
            return sw_deck_complain_at(card, i, "%lld terms: 1 or more", (long long)n);
        e.n = (int)n;
        i++;
        sw_status status = read_terms(deck, card, &i, &e);
        if (status == SW_OK)
            status = add_equations(deck, card, &e);
        free_equation(&e);
        SW_TRY(status);
    }
    return SW_OK;
}

/* ---- TRANSFORM ---- */

sw_status sw_deck_read_transform(sw_deck *deck, const sw_deck_card *card)
{
    const char *type = sw_deck_parameter(card, "TYPE"), *name;
    sw_deck_axes axes = {.system = SW_DECK_RECTANGULAR};
    SW_TRY(sw_deck_need_parameters(card, " NSET TYPE "));
    SW_TRY(sw_deck_need_value(card, "NSET", &name));
    const int64_t set = sw_deck_find_set(deck, SW_FEM_NODES, name);
    if (set < 0 || deck->set[set].n == 0) /* its nodes may be to come: this is read a second time */
        return !deck->finds_all ? SW_OK
               : set < 0        ? sw_deck_no_name(deck, card, -1, SW_FEM_NODES, name)
                                : sw_deck_complain(card, "node set %.80s is empty", name);
    if (type != NULL && strcasecmp(type, "C") == 0)
        axes.system = SW_DECK_CYLINDRICAL;
    else if (type != NULL && strcasecmp(type, "R") != 0)
        return sw_deck_complain(card, "TYPE=%s: R and C are there", type);
    SW_TRY(sw_deck_need_lines(card, 1, 1));
    SW_TRY(sw_deck_read_points(deck, card, 0, 0, &axes));
    SW_TRY(SW_DECK_ROOM(deck->axes, deck->n_axes));
    deck->axes[deck->n_axes] = axes;
    for (int64_t i = 0; i < deck->set[set].n; i++)
        deck->node[deck->set[set].member[i]].axes = deck->n_axes;
    deck->n_axes++;
    return SW_OK;
}

/* ---- MPC ---- */

enum { FEW = 4 }; /* nodes of those that have a number of them */

typedef struct {
    const sw_deck_card *card;
    int64_t i; /* of its first line */
    const char *name;
    int64_t n, *node;
    int fields;              /* that name nodes or sets */
    int64_t begins[FEW + 1]; /* of the first ones: where their nodes do */
} mpc;

static int64_t line_of(const mpc *m) { return m->card->data[m->i].line; }

static sw_status read_plane(sw_deck *deck, const mpc *m)
{
    for (int64_t k = 3; k < m->n; k++)
        SW_TRY(sw_deck_stay_in_plane(deck, line_of(m), m->node, m->node[k]));
    deck->tying->finite |= m->n > 3;
    return SW_OK;
}

static sw_status read_straight(sw_deck *deck, const mpc *m)
{
    for (int64_t k = 2; k < m->n; k++)
        SW_TRY(sw_deck_stay_on_line(deck, line_of(m), m->node, m->node[k]));
    deck->tying->finite |= m->n > 2;
    return SW_OK;
}

/* Displacements (and rotations) of node 0 are as those of 1. */
static sw_status same(sw_deck *deck, const mpc *m, int from, int to)
{
    for (int c = from; c <= to; c++) {
        int64_t unknown[2];
        const double coefficient[2] = {1, -1};
        SW_TRY(unknown_of(deck, m->node[0], c, &unknown[0]));
        SW_TRY(unknown_of(deck, m->node[1], c, &unknown[1]));
        if (unknown[0] >= 0 && unknown[1] >= 0 && !(c == 3 && sw_deck_is_plane(deck)))
            SW_TRY(sw_deck_add_constraint(deck, line_of(m), 2, unknown, coefficient, 0));
    }
    return SW_OK;
}

/* CalculiX keeps the distance; Abaqus' beam is a rigid link. */
static sw_status read_beam(sw_deck *deck, const mpc *m)
{
    sw_deck_follower follower = {.node = m->node[0], .body = m->node[1], .stretch = -1};
    if (deck->dialect == SW_DECK_CALCULIX) {
        deck->tying->finite = 1;
        return sw_deck_keep_distance(deck, line_of(m), m->node[0], m->node[1]);
    }
    SW_TRY(sw_deck_rotations_of(deck, m->node[1], &follower.rotations));
    memcpy(follower.reference, deck->node[m->node[1]].at, sizeof follower.reference);
    SW_TRY(sw_deck_follow_wholly(deck, line_of(m), &follower));
    return same(deck, m, 4, 6);
}

static sw_status read_pin(sw_deck *deck, const mpc *m) { return same(deck, m, 1, 3); }

static sw_status read_tie_of_two(sw_deck *deck, const mpc *m) { return same(deck, m, 1, 6); }

/* Each node stands three times, but the last, whose place is the axis and whose first displacement is the angle. */
static sw_status read_mean_rotation(sw_deck *deck, const mpc *m)
{
    int64_t n = 0, unknown;
    const int64_t last = m->node[m->n - 1];
    const double *axis = deck->node[last].at;
    for (int64_t k = 0; k + 1 < m->n; k++)
        if (k == 0 || m->node[k] != m->node[n - 1])
            m->node[n++] = m->node[k];
    if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        return sw_deck_complain_at(m->card, m->i, "the last node's coordinates are no axis");
    const double direction[3] = {axis[0], axis[1], axis[2]};
    SW_TRY(sw_deck_unknown(deck, last, 1, &unknown));
    return sw_deck_mean_rotation(deck, line_of(m), (int)n, m->node, direction, NULL, unknown);
}

/* Between nodes 1 and 2 - and 3, then 2 is in the middle - where node 0 is along them. */
static sw_status interpolate(sw_deck *deck, const mpc *m)
{
    const int n = (int)m->n - 1;
    const double *p = deck->node[m->node[0]].at, *a = deck->node[m->node[1]].at,
                 *b = deck->node[m->node[n]].at;
    double square = 0, s = 0;
    for (int i = 0; i < 3; i++) {
        square += (b[i] - a[i]) * (b[i] - a[i]);
        s += (p[i] - a[i]) * (b[i] - a[i]);
    }
    if (!(square > 0))
        return sw_deck_complain_at(m->card, m->i, "the nodes that span %s are at one place", m->name);
    s /= square;
    const double linear[4] = {1, s - 1, -s},
                 quadratic[4] = {1, -(1 - s) * (1 - 2 * s), -4 * s * (1 - s), -s * (2 * s - 1)};
    for (int c = 1; c <= (sw_deck_is_plane(deck) ? 2 : 3); c++) {
        int64_t unknown[4];
        for (int k = 0; k <= n; k++)
            SW_TRY(unknown_of(deck, m->node[k], c, &unknown[k]));
        SW_TRY(sw_deck_add_constraint(deck, line_of(m), n + 1, unknown, n == 2 ? linear : quadratic, 0));
    }
    return SW_OK;
}

static const struct mpc_kind {
    const char *name;
    int64_t least, most; /* nodes */
    sw_status (*add)(sw_deck *deck, const mpc *m);
} mpc_kinds[] = {
    {"PLANE", 3, INT64_MAX, read_plane}, {"STRAIGHT", 2, INT64_MAX, read_straight},
    {"BEAM", 2, 2, read_beam},           {"MEANROT", 2, INT64_MAX, read_mean_rotation},
    {"LINEAR", 3, 3, interpolate},       {"QUADRATIC", 4, 4, interpolate},
    {"TIE", 2, 2, read_tie_of_two},      {"PIN", 2, 2, read_pin},
};

static const struct mpc_kind *find_mpc(const char *name)
{
    for (size_t k = 0; k < sizeof mpc_kinds / sizeof *mpc_kinds; k++)
        if (strcasecmp(name, mpc_kinds[k].name) == 0)
            return &mpc_kinds[k];
    return NULL;
}

static int starts_with_letter(const char *text)
{
    return (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z');
}

/* Nodes of fields from k on of a line; zeros are left out. */
static sw_status read_mpc_nodes(sw_deck *deck, int64_t i, int k, mpc *m)
{
    for (; k < m->card->data[i].n_fields; k++) {
        const char *field = sw_deck_field(m->card, i, k);
        int64_t n;
        const int64_t *member;
        if (*field == '\0' || strcmp(field, "0") == 0)
            continue;
        SW_TRY(sw_deck_nodes_of(deck, m->card, i, k, &n, &member));
        if (m->fields < FEW)
            m->begins[m->fields] = m->n;
        m->fields++;
        SW_TRY(SW_GROW(m->node, m->n + n, "nodes of an MPC"));
        memcpy(m->node + m->n, member, (size_t)n * sizeof *member);
        m->n += n;
        if (m->fields <= FEW)
            m->begins[m->fields] = m->n;
    }
    return SW_OK;
}

static sw_status add_mpc(sw_deck *deck, const mpc *m, const struct mpc_kind *kind)
{
    if (m->n < kind->least || m->n > kind->most)
        return sw_deck_complain_at(m->card, m->i, "%s with %lld nodes: at %s %lld", m->name, (long long)m->n,
                                   m->n < kind->least ? "least" : "most",
                                   (long long)(m->n < kind->least ? kind->least : kind->most));
    for (int64_t k = 0; k < m->n && kind->add != read_mean_rotation; k++)
        for (int64_t j = 0; j < k && j < kind->least; j++)
            if (m->node[j] == m->node[k])
                return sw_deck_complain_at(m->card, m->i, "%s: node %lld stands there twice", m->name,
                                           (long long)deck->node[m->node[k]].label);
    return kind->add(deck, m);
}

static int64_t count_of(const mpc *m, int field) { return m->begins[field + 1] - m->begins[field]; }

/* Sets in the places of single nodes: one after the other; what is one node is it in all. */
static sw_status add_of_sets(sw_deck *deck, const mpc *m, const struct mpc_kind *kind)
{
    int64_t most = 1, node[FEW];
    for (int f = 0; f < m->fields; f++)
        most = count_of(m, f) > most ? count_of(m, f) : most;
    for (int f = 0; f < m->fields; f++)
        if (count_of(m, f) != 1 && count_of(m, f) != most)
            return sw_deck_complain_at(m->card, m->i, "%s: sets of %lld and %lld nodes: need as many, or one",
                                       m->name, (long long)count_of(m, f), (long long)most);
    for (int64_t j = 0; j < most; j++) {
        mpc one = *m;
        one.n = m->fields;
        one.node = node;
        for (int f = 0; f < m->fields; f++)
            node[f] = m->node[m->begins[f] + (count_of(m, f) == 1 ? 0 : j)];
        SW_TRY(add_mpc(deck, &one, kind));
    }
    return SW_OK;
}

static sw_status read_one_mpc(sw_deck *deck, mpc *m, int64_t *i)
{
    const struct mpc_kind *kind = find_mpc(m->name);
    if (kind == NULL)
        return sw_deck_complain_at(m->card, *i,
                                   "%s: PLANE, STRAIGHT, BEAM, MEANROT, LINEAR, QUADRATIC, TIE and "
                                   "PIN are there, no inequalities nor users' own",
                                   m->name);
    SW_TRY(read_mpc_nodes(deck, (*i)++, 1, m));
    while (*i < m->card->n_lines && find_mpc(sw_deck_field(m->card, *i, 0)) == NULL &&
           (!starts_with_letter(sw_deck_field(m->card, *i, 0)) ||
            sw_deck_find_set(deck, SW_FEM_NODES, sw_deck_field(m->card, *i, 0)) >= 0))
        SW_TRY(read_mpc_nodes(deck, (*i)++, 0, m));
    return kind->least == kind->most && m->fields == kind->most ? add_of_sets(deck, m, kind)
                                                                : add_mpc(deck, m, kind);
}

sw_status sw_deck_read_mpc(sw_deck *deck, const sw_deck_card *card)
{
    int64_t i = 0;
    sw_deck_tying *tying;
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(sw_deck_tying_of(deck, &tying));
    while (i < card->n_lines) {
        mpc m = {.card = card, .i = i, .name = sw_deck_field(card, i, 0)};
        const sw_status status = read_one_mpc(deck, &m, &i);
        free(m.node);
        SW_TRY(status);
    }
    return SW_OK;
}
