#include "shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"

static const double full_turn = 6.283185307179586476925286766559;

/* ---- Faces to tie to ---- */

typedef struct {
    const sw_topology *topology;
    int64_t node[SW_FORMULATION_FACE_NODES];
    double at[SW_FORMULATION_FACE_NODES][3], reach; /* the farthest node from its centre */
} face;

static void measure(const sw_deck *deck, face *f, double centre[3])
{
    const int n = f->topology->n_nodes;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) {
            f->at[a][i] = deck->node[f->node[a]].at[i];
            centre[i] += f->at[a][i] / n;
        }
    for (int a = 0; a < n; a++)
        f->reach = fmax(f->reach, sw_distance(f->at[a], centre));
}

/* Faces of a surface, the mean length of their edges, and how far the largest reaches. */
typedef struct {
    face *face;
    double (*centre)[3], length, reach;
    sw_deck_row row; /* of the centres */
} master;

static void free_master(master *m)
{
    free(m->face);
    free(m->centre);
    free(m->row.post);
}

static sw_status gather_faces(const sw_deck *deck, const sw_deck_card *card, const sw_deck_set *surface,
                              master *m)
{
    int64_t n = 0;
    m->length = m->reach = 0;
    SW_TRY(SW_ALLOCATE(m->face, surface->n, "faces of a surface"));
    SW_TRY(SW_ALLOCATE(m->centre, surface->n, "faces of a surface"));
    for (int64_t k = 0; k < surface->n; k++) {
        face *f = &m->face[k];
        f->topology = surface->of_nodes ? NULL : sw_deck_face(deck, surface->member[k], f->node);
        if (f->topology == NULL || deck->element[surface->member[k] / 8].formulation == NULL)
            return sw_deck_complain(card, "the master surface %s has no faces of solid elements",
                                    surface->name);
        measure(deck, f, m->centre[k]);
        m->reach = fmax(m->reach, f->reach);
        for (int a = 0; a < f->topology->n_corners; a++, n++)
            m->length += sw_distance(f->at[a], f->at[(a + 1) % f->topology->n_corners]);
    }
    m->length /= n > 0 ? (double)n : 1;
    return sw_deck_line_up(surface->n, (const double(*)[3])m->centre, &m->row);
}

/* Where a place lies on the faces. */
typedef struct {
    const face *on; /* NULL: on none */
    double value[SW_FORMULATION_FACE_NODES], foot[3], far, outside,
        apart; /* far along the normal, apart in space */
} landing;

/* On the nearest face that is within far along its normal and outside beyond its edges. */
static landing land(const master *m, const double p[3], double far, double outside)
{
    const sw_deck_row *r = &m->row;
    const double most = 1.5 * m->reach + far + outside;
    landing best = {.apart = INFINITY};
    for (int64_t k = sw_deck_post_from(r, p[r->axis] - most); k < r->n && r->post[k].at <= p[r->axis] + most;
         k++) {
        landing l = {.on = &m->face[r->post[k].index]};
        if (sw_distance(p, m->centre[r->post[k].index]) > 1.5 * l.on->reach + far + outside)
            continue;
        l.far = sw_deck_project(l.on->topology, (const double(*)[3])l.on->at, p, l.value, l.foot, &l.outside);
        l.apart = sw_distance(p, l.foot);
        if (l.far <= far && l.outside <= outside &&
            (l.apart < best.apart || (l.apart == best.apart && l.on < best.on)))
            best = l;
    }
    return best;
}

static sw_status surfaces_of(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *surface[2])
{
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    for (int k = 0; k < 2; k++) {
        const char *name = sw_deck_field(card, 0, k);
        const int64_t set = sw_deck_find_set(deck, SW_FEM_SURFACE, name);
        if (set < 0)
            return sw_deck_no_name(deck, card, 0, SW_FEM_SURFACE, name);
        surface[k] = &deck->set[set];
    }
    return surface[0] != surface[1]
               ? SW_OK
               : sw_deck_complain(card, "surface %.80s is tied to itself", surface[0]->name);
}

/* ---- TIE ---- */

/* A slave node as its place on the master's face. */
static sw_status tie_node(sw_deck *deck, const sw_deck_card *card, int64_t node, const landing *l)
{
    int64_t unknown[1 + SW_FORMULATION_FACE_NODES] = {0};
    double coefficient[1 + SW_FORMULATION_FACE_NODES] = {1};
    const int n = l->on->topology->n_nodes;
    for (int i = 0; i < (sw_deck_is_plane(deck) ? 2 : 3); i++) {
        unknown[0] = 3 * node + i;
        for (int a = 0; a < n; a++) {
            unknown[1 + a] = 3 * l->on->node[a] + i;
            coefficient[1 + a] = -l->value[a];
        }
        SW_TRY(sw_deck_add_constraint(deck, card->line, 1 + n, unknown, coefficient, 0));
    }
    return SW_OK;
}

static int on_face(const face *f, int64_t node)
{
    for (int a = 0; a < f->topology->n_nodes; a++)
        if (f->node[a] == node)
            return 1;
    return 0;
}

typedef struct {
    double far, outside;
    int adjust;
} tie_rule;

static sw_status rule_of(const sw_deck *deck, const sw_deck_card *card, double length, tie_rule *rule)
{
    const char *adjust = sw_deck_parameter(card, "ADJUST");
    rule->outside = (deck->dialect == SW_DECK_CALCULIX ? 0.025 : 0.05) * length;
    SW_TRY(sw_deck_real_parameter(card, "POSITIONTOLERANCE", 0, &rule->far));
    if (!(rule->far >= 0))
        return sw_deck_complain(card, "POSITION TOLERANCE=%g: need 0 or more", rule->far);
    if (!(rule->far > 1e-10))
        rule->far = rule->outside;
    rule->adjust = adjust == NULL || strcasecmp(adjust, "NO") != 0;
    return !rule->adjust || adjust == NULL || strcasecmp(adjust, "YES") == 0
               ? SW_OK
               : sw_deck_complain(card, "ADJUST=%.40s: need YES or NO", adjust);
}

static sw_status tie(sw_deck *deck, const sw_deck_card *card, const master *m, int64_t n, const int64_t *node,
                     const tie_rule *rule)
{
    int64_t missed = 0, first = 0, tied = 0;
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    SW_TRY(SW_DECK_ROOM(tying->tie, tying->n_ties));
    tying->tie[tying->n_ties][0] = deck->problem.n_constraints;
    for (int64_t i = 0; i < n; i++) {
        const landing l = land(m, deck->node[node[i]].at, rule->far, rule->outside);
        if (l.on == NULL) {
            first = missed++ == 0 ? deck->node[node[i]].label : first;
            continue;
        }
        tied++;
        if (on_face(l.on, node[i]))
            continue;
        SW_TRY(tie_node(deck, card, node[i], &l));
        if (rule->adjust)
            memcpy(deck->node[node[i]].at, l.foot, sizeof l.foot);
    }
    tying->tie[tying->n_ties++][1] = deck->problem.n_constraints;
    if (tied == n && deck->problem.n_constraints == tying->tie[tying->n_ties - 1][0])
        return sw_deck_complain(card, "ties nothing: the slave nodes are the master surface's own");
    if (tied == 0 && n > 0)
        return sw_deck_complain(card, "none of the %lld slave nodes is within %.6g of the master surface",
                                (long long)n, rule->far);
    if (missed > 0)
        sw_warn(
            "%s:%lld: *TIE: %lld of %lld slave nodes, the first is %lld, are not within %.6g of the master "
            "surface and stay free",
            card->path, (long long)card->line, (long long)missed, (long long)n, (long long)first, rule->far);
    return SW_OK;
}

sw_status sw_deck_read_tie(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_set *surface[2];
    master m = {0};
    int64_t n = 0, *node = NULL;
    tie_rule rule = {0};
    if (sw_deck_parameter(card, "MULTISTAGE") != NULL)
        return sw_deck_complain(card, "MULTISTAGE is not there");
    SW_TRY(sw_deck_need_parameters(card, " NAME POSITIONTOLERANCE ADJUST TYPE CYCLICSYMMETRY "));
    if (sw_deck_parameter(card, "CYCLICSYMMETRY") != NULL)
        return SW_OK; /* CYCLIC SYMMETRY MODEL looks for it */
    SW_TRY(surfaces_of(deck, card, surface));
    sw_status status = gather_faces(deck, card, surface[1], &m);
    if (status == SW_OK)
        status = rule_of(deck, card, m.length, &rule);
    if (status == SW_OK)
        status = sw_deck_surface_nodes(deck, surface[0], &n, &node);
    if (status == SW_OK)
        status = tie(deck, card, &m, n, node, &rule);
    free_master(&m);
    free(node);
    return status;
}

/* ---- ADJUST of contacts ---- */

/* On which side of a face a place is: more than 0 outside. */
static double side_of(const landing *l, const double p[3])
{
    const sw_topology *t = l->on->topology;
    const double *a = l->on->at[0], *b = l->on->at[1], *c = l->on->at[t->n_corners - 1];
    double first[3], second[3] = {0, 0, 1}, normal[3], arm[3];
    for (int i = 0; i < 3; i++) {
        first[i] = b[i] - a[i];
        arm[i] = p[i] - l->foot[i];
        if (t->n_corners > 2)
            second[i] = c[i] - a[i];
    }
    sw_cross(first, second, normal);
    return sw_dot(normal, arm);
}

sw_status sw_deck_adjust(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *slave,
                         const sw_deck_set *master_set, double far, const sw_deck_set *nodes)
{
    master m = {0};
    int64_t n = 0, *node = NULL;
    sw_status status = gather_faces(deck, card, master_set, &m);
    const double most = isfinite(far) ? fmax(far, m.length) : 10 * m.length;
    if (status == SW_OK && nodes == NULL)
        status = sw_deck_surface_nodes(deck, slave, &n, &node);
    if (status == SW_OK && nodes != NULL) {
        n = nodes->n;
        status = SW_ALLOCATE(node, n, "nodes of a surface");
        for (int64_t i = 0; i < n && status == SW_OK; i++)
            node[i] = nodes->member[i];
    }
    for (int64_t i = 0; i < n && status == SW_OK; i++) {
        double *at = deck->node[node[i]].at;
        const landing l = land(&m, at, most, 0.05 * m.length);
        if (l.on != NULL && !on_face(l.on, node[i]) && (l.far <= far || side_of(&l, at) < 0))
            memcpy(at, l.foot, sizeof l.foot);
    }
    free_master(&m);
    free(node);
    return status;
}

/* ---- CYCLIC SYMMETRY MODEL ---- */

typedef struct {
    const sw_deck_card *card, *tie;
    double through[3], axis[3], turn; /* from the slave to the master, about the axis */
    double tolerance, (*at)[3];       /* [n_masters] */
    int64_t n_slaves, n_masters, *slave, *node;
    sw_deck_row row; /* of the master's nodes */
    master on;       /* no face: it is of nodes */
} cycle;

static void turn_about(const cycle *c, double angle, const double y[3], double turned[3])
{
    const double vector[3] = {angle * c->axis[0], angle * c->axis[1], angle * c->axis[2]};
    sw_deck_turn(vector, y, turned, NULL);
}

static void place_at_master(const sw_deck *deck, const cycle *c, int64_t node, double p[3])
{
    double arm[3], turned[3];
    for (int i = 0; i < 3; i++)
        arm[i] = deck->node[node].at[i] - c->through[i];
    turn_about(c, c->turn, arm, turned);
    for (int i = 0; i < 3; i++)
        p[i] = c->through[i] + turned[i];
}

static int64_t nearest_master(const cycle *c, const double p[3], double *far)
{
    const sw_deck_row *r = &c->row;
    const int64_t middle = sw_deck_post_from(r, p[r->axis]);
    int64_t best = -1;
    *far = INFINITY;
    for (int up = 0; up < 2; up++)
        for (int64_t k = up ? middle : middle - 1;
             k >= 0 && k < r->n && fabs(r->post[k].at - p[r->axis]) <= *far; k += up ? 1 : -1) {
            const double d = sw_distance(p, c->at[r->post[k].index]);
            if (d < *far || (d == *far && r->post[k].index < best)) {
                *far = d;
                best = r->post[k].index;
            }
        }
    return best < 0 ? -1 : c->node[best];
}

/* Displacements of a slave node are those of masters, turned back. */
static sw_status repeat(sw_deck *deck, const cycle *c, int64_t node, int n, const int64_t *master,
                        const double *value)
{
    int64_t unknown[1 + 3 * SW_FORMULATION_FACE_NODES];
    double coefficient[1 + 3 * SW_FORMULATION_FACE_NODES];
    for (int i = 0; i < 3; i++) {
        unknown[0] = 3 * node + i;
        coefficient[0] = 1;
        for (int j = 0; j < 3; j++) {
            const double unit[3] = {j == 0, j == 1, j == 2};
            double back[3];
            turn_about(c, -c->turn, unit, back);
            for (int a = 0; a < n; a++) {
                unknown[1 + 3 * a + j] = 3 * master[a] + j;
                coefficient[1 + 3 * a + j] = -value[a] * back[i];
            }
        }
        SW_TRY(sw_deck_add_constraint(deck, c->card->line, 1 + 3 * n, unknown, coefficient, 0));
    }
    return SW_OK;
}

static sw_status repeat_node(sw_deck *deck, const cycle *c, int64_t node)
{
    const double one = 1;
    double p[3], far;
    place_at_master(deck, c, node, p);
    const int64_t master = nearest_master(c, p, &far);
    if (far <= c->tolerance)
        return repeat(deck, c, node, 1, &master, &one);
    const landing l = c->on.face ? land(&c->on, p, 0.1 * c->on.length, 0.1 * c->on.length) : (landing){0};
    if (l.on == NULL)
        return sw_deck_complain(c->card,
                                "node %lld of the slave surface meets no %s when it is turned: the "
                                "nearest node is %.3g away",
                                (long long)deck->node[node].label, c->on.face ? "face" : "node", far);
    return repeat(deck, c, node, l.on->topology->n_nodes, l.on->node, l.value);
}

/* How far slave nodes are from master nodes all together. */
static double misfit(const sw_deck *deck, cycle *c, double turn)
{
    double sum = 0, p[3], far;
    c->turn = turn;
    for (int64_t i = 0; i < c->n_slaves; i++) {
        place_at_master(deck, c, c->slave[i], p);
        nearest_master(c, p, &far);
        sum += far;
    }
    return sum;
}

static const sw_deck_card *find_cyclic_tie(const sw_deck *deck, const char *name)
{
    for (int64_t k = 0; k < deck->cards.n_cards; k++) {
        const sw_deck_card *card = &deck->cards.card[k];
        const char *own = sw_deck_parameter(card, "NAME");
        if (strcmp(card->keyword, "TIE") == 0 && sw_deck_parameter(card, "CYCLICSYMMETRY") != NULL &&
            (name == NULL || (own != NULL && strcasecmp(own, name) == 0)))
            return card;
    }
    return NULL;
}

static sw_status read_axis(const sw_deck_card *card, cycle *c)
{
    for (int k = 0; k < 3; k++) {
        SW_TRY(sw_deck_number(card, 0, k, 0, &c->through[k]));
        SW_TRY(sw_deck_number(card, 0, 3 + k, 0, &c->axis[k]));
        c->axis[k] -= c->through[k];
    }
    return sw_to_unit(c->axis) > 0 ? SW_OK : sw_deck_complain(card, "the two points of the axis are one");
}

static sw_status gather_cycle(sw_deck *deck, cycle *c)
{
    const sw_deck_set *surface[2];
    SW_TRY(surfaces_of(deck, c->tie, surface));
    SW_TRY(sw_deck_surface_nodes(deck, surface[0], &c->n_slaves, &c->slave));
    SW_TRY(sw_deck_surface_nodes(deck, surface[1], &c->n_masters, &c->node));
    SW_TRY(SW_ALLOCATE(c->at, c->n_masters, "places of a surface"));
    for (int64_t k = 0; k < c->n_masters; k++)
        memcpy(c->at[k], deck->node[c->node[k]].at, sizeof c->at[k]);
    SW_TRY(sw_deck_line_up(c->n_masters, (const double(*)[3])c->at, &c->row));
    if (!surface[1]->of_nodes)
        SW_TRY(gather_faces(deck, c->tie, surface[1], &c->on));
    SW_TRY(sw_deck_real_parameter(c->tie, "POSITIONTOLERANCE", 0, &c->tolerance));
    if (!(c->tolerance > 1e-30)) {
        double near = INFINITY;
        for (int64_t k = 1; k < c->n_masters; k++)
            near = fmin(near, sw_distance(c->at[0], c->at[k]));
        c->tolerance = 1e-4 * (near < INFINITY ? near : 1);
    }
    return SW_OK;
}

/* The harmonic that all sectors share: displacements of the two sides are equal in turned axes. */
sw_status sw_deck_read_cyclic(sw_deck *deck, const sw_deck_card *card)
{
    const char *name = sw_deck_parameter(card, "TIE");
    cycle c = {.card = card, .tie = find_cyclic_tie(deck, name)};
    double n;
    SW_TRY(sw_deck_need_parameters(card, " N NGRAPH TIE ELSET CHECK "));
    SW_TRY(sw_deck_real_parameter(card, "N", 0, &n));
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    if (!(n > 1))
        return sw_deck_complain(card, "N=%g: need 2 sectors or more", n);
    if (c.tie == NULL)
        return sw_deck_complain(card, "there is no *TIE, CYCLIC SYMMETRY%s%s",
                                name != NULL ? " of name " : "", name != NULL ? name : "");
    sw_status status = read_axis(card, &c);
    if (status == SW_OK)
        status = gather_cycle(deck, &c);
    if (status == SW_OK) {
        const double there = misfit(deck, &c, full_turn / n), back = misfit(deck, &c, -full_turn / n);
        c.turn = there < back ? full_turn / n : -full_turn / n;
    }
    for (int64_t i = 0; i < c.n_slaves && status == SW_OK; i++)
        status = repeat_node(deck, &c, c.slave[i]);
    free_master(&c.on);
    free(c.row.post);
    free(c.at);
    free(c.slave);
    free(c.node);
    return status;
}
