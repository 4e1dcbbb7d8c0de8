#include "shared.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/principal.h"
#include "common/math/vector.h"

/* ---- What couplings have in common ---- */

/* Where nothing is said CalculiX couples no rotations. */
static int all_components(const sw_deck *deck) { return deck->dialect == SW_DECK_ABAQUS ? 6 : 3; }

/* Components that data lines name, first to last, as bits; `from`: the field they begin with; all: 1 to this where none is. */
static sw_status read_components(const sw_deck_card *card, int64_t i, int from, int all, unsigned *bits)
{
    int64_t first, last;
    SW_TRY(sw_deck_integer(card, i, from, 1, &first));
    SW_TRY(sw_deck_integer(card, i, from + 1, *sw_deck_field(card, i, from) == '\0' ? all : first, &last));
    if (first < 1 || last > 6 || first > last)
        return sw_deck_complain_at(card, i, "components %lld to %lld: from 1 to 6", (long long)first,
                                   (long long)last);
    for (int64_t k = first; k <= last; k++)
        *bits |= 1u << (k - 1);
    return SW_OK;
}

/* Index of an orientation; -1: none is named. */
static sw_status orientation_of(const sw_deck *deck, const sw_deck_card *card, int *axes)
{
    SW_TRY(sw_deck_find_named(deck, card, "ORIENTATION", SW_DECK_ORIENTATION, axes));
    return *axes < 0 || deck->axes[*axes].distribution == NULL
               ? SW_OK
               : sw_deck_complain(card, "ORIENTATION=%.80s goes from element to element: nodes have none",
                                  deck->axes[*axes].name);
}

/* A parameter that may only say what is done without it. */
static sw_status need_word(const sw_deck_card *card, const char *key, const char *word)
{
    const char *value = sw_deck_parameter(card, key);
    return value == NULL || strcasecmp(value, word) == 0
               ? SW_OK
               : sw_deck_complain(card, "%s=%.40s is not computed: need %s", key, value, word);
}

static sw_status reference_of(sw_deck *deck, const sw_deck_card *card, int64_t *node)
{
    return sw_deck_one_named(deck, card, "REFNODE", SW_FEM_NODES, node);
}

static sw_status coupled_surface(sw_deck *deck, const sw_deck_card *card, const sw_deck_set **surface)
{
    int set;
    SW_TRY(sw_deck_need_named(deck, card, "SURFACE", SW_FEM_SURFACE, &set));
    *surface = &deck->set[set];
    return SW_OK;
}

/* Whole surfaces are coupled: a radius has to hold them. */
static sw_status check_radius(const sw_deck *deck, const sw_deck_card *card, int64_t reference,
                              const sw_deck_set *surface)
{
    int64_t n = 0, *node = NULL;
    double radius, farthest = 0;
    SW_TRY(sw_deck_real_parameter(card, "INFLUENCERADIUS", INFINITY, &radius));
    sw_status status = sw_deck_surface_nodes(deck, surface, &n, &node);
    for (int64_t i = 0; i < n && status == SW_OK; i++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = deck->node[node[i]].at[k] - deck->node[reference].at[k];
        farthest = fmax(farthest, sqrt(sw_dot(arm, arm)));
    }
    free(node);
    if (status == SW_OK && !(radius >= farthest))
        return sw_deck_complain(
            card,
            "INFLUENCE RADIUS=%g: whole surfaces are coupled, and a node of %.80s is %g from the "
            "reference: need at least this, or a surface of what is within",
            radius, surface->name, farthest);
    return status;
}

sw_status sw_deck_read_coupling(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_tying *tying;
    const sw_deck_set *surface;
    int64_t reference;
    SW_TRY(sw_deck_need_parameters(card, " REFNODE SURFACE CONSTRAINTNAME ORIENTATION INFLUENCERADIUS "));
    SW_TRY(sw_deck_tying_of(deck, &tying));
    SW_TRY(sw_deck_end_coupling(tying));
    SW_TRY(reference_of(deck, card, &reference));
    SW_TRY(coupled_surface(deck, card, &surface));
    SW_TRY(check_radius(deck, card, reference, surface));
    tying->coupling = card;
    return SW_OK;
}

sw_status sw_deck_end_coupling(const sw_deck_tying *tying)
{
    return tying->coupling == NULL
               ? SW_OK
               : sw_deck_complain(tying->coupling,
                                  "couples nothing: need *KINEMATIC or *DISTRIBUTING after it");
}

/* The COUPLING that a card belongs to. */
static sw_status take_coupling(sw_deck *deck, const sw_deck_card *card, const sw_deck_card **coupling)
{
    *coupling = deck->tying != NULL ? deck->tying->coupling : NULL;
    if (*coupling == NULL)
        return sw_deck_complain(card, "it follows no *COUPLING");
    deck->tying->coupling = NULL;
    return SW_OK;
}

/* ---- Rigid bodies and kinematic couplings ---- */

/* A node's components, in axes (-1: space's), follow the body. */
static sw_status follow_in(sw_deck *deck, int64_t line, sw_deck_follower *f, unsigned components, int axes)
{
    double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (axes >= 0)
        sw_deck_axes_at(&deck->axes[axes], deck->node[f->node].at, rows);
    for (int k = 0; k < 3; k++) {
        memcpy(f->direction, rows[k], sizeof f->direction);
        if (components >> k & 1 && !(k == 2 && sw_deck_is_plane(deck)))
            SW_TRY(sw_deck_follow(deck, line, f));
    }
    return SW_OK;
}

/* Rotations of a node that has some - of a shell, a beam, another coupling - are the body's. */
static sw_status turn_along(sw_deck *deck, int64_t line, const sw_deck_follower *f, unsigned components)
{
    for (int k = 0; k < 3; k++) {
        int64_t unknown[2] = {-1, 3 * f->rotations + k};
        const double coefficient[2] = {1, -1};
        if (components >> (3 + k) & 1)
            SW_TRY(sw_deck_unknown(deck, f->node, 4 + k, &unknown[0]));
        if (unknown[0] >= 0)
            SW_TRY(sw_deck_add_constraint(deck, line, 2, unknown, coefficient, 0));
    }
    return SW_OK;
}

/* Its rotations are about axes of *TRANSFORM in Abaqus, about those of space in CalculiX. */
static sw_status body_of(sw_deck *deck, int64_t reference, sw_deck_follower *f)
{
    *f = (sw_deck_follower){.body = reference, .stretch = -1};
    memcpy(f->reference, deck->node[reference].at, sizeof f->reference);
    SW_TRY(sw_deck_rotations_of(deck, reference, &f->rotations));
    if (deck->dialect == SW_DECK_CALCULIX && deck->tying->local[f->rotations] < 0)
        deck->node[f->rotations].axes = -1;
    return SW_OK;
}

static sw_status couple_nodes(sw_deck *deck, const sw_deck_card *card, int64_t reference, int64_t n,
                              const int64_t *node, unsigned components, int axes)
{
    sw_deck_follower f;
    SW_TRY(body_of(deck, reference, &f));
    for (int64_t i = 0; i < n; i++) {
        f.node = node[i];
        if (node[i] == reference)
            continue;
        SW_TRY(follow_in(deck, card->line, &f, components, axes));
        SW_TRY(turn_along(deck, card->line, &f, components));
    }
    return SW_OK;
}

sw_status sw_deck_read_kinematic(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_card *coupling;
    const sw_deck_set *surface = NULL;
    int64_t reference, n = 0, *node = NULL;
    const int all = all_components(deck);
    unsigned components = card->n_lines > 0 ? 0 : (1u << all) - 1;
    int axes;
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(take_coupling(deck, card, &coupling));
    SW_TRY(reference_of(deck, coupling, &reference));
    SW_TRY(coupled_surface(deck, coupling, &surface));
    SW_TRY(orientation_of(deck, coupling, &axes));
    for (int64_t i = 0; i < card->n_lines; i++)
        SW_TRY(read_components(card, i, 0, all, &components));
    sw_status status = sw_deck_surface_nodes(deck, surface, &n, &node);
    if (status == SW_OK)
        status = couple_nodes(deck, coupling, reference, n, node, components, axes);
    free(node);
    return status;
}

/* Lines of a node or a set, and components. */
sw_status sw_deck_read_kinematic_coupling(sw_deck *deck, const sw_deck_card *card)
{
    int64_t reference, n, *node;
    const int64_t *member;
    int axes;
    SW_TRY(sw_deck_need_parameters(card, " REFNODE ORIENTATION "));
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    SW_TRY(reference_of(deck, card, &reference));
    SW_TRY(orientation_of(deck, card, &axes));
    for (int64_t i = 0; i < card->n_lines; i++) {
        unsigned components = 0;
        SW_TRY(read_components(card, i, 1, all_components(deck), &components));
        SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n, &member));
        SW_TRY(SW_ALLOCATE(node, n, "nodes of a coupling"));
        memcpy(node, member, (size_t)n * sizeof *member);
        const sw_status status = couple_nodes(deck, card, reference, n, node, components, axes);
        free(node);
        SW_TRY(status);
    }
    return SW_OK;
}

/* Nodes of a body: of a set of nodes, or of elements, as marks [nodes]. */
static sw_status mark_body(sw_deck *deck, const sw_deck_card *card, uint8_t *in)
{
    static const struct {
        const char *key;
        sw_fem_set_kind kind;
    } ways[] = {{"NSET", SW_FEM_NODES},
                {"PINNSET", SW_FEM_NODES},
                {"TIENSET", SW_FEM_NODES},
                {"ELSET", SW_FEM_ELEMENTS}};
    int found = 0;
    for (int w = 0; w < 4; w++) {
        int k;
        SW_TRY(sw_deck_find_named(deck, card, ways[w].key, (int)ways[w].kind, &k));
        if (k < 0)
            continue;
        const sw_deck_set *set = &deck->set[k];
        if (set->n == 0)
            return sw_deck_complain(card, "%s=%.80s is empty", ways[w].key, set->name);
        for (int64_t i = 0; i < set->n; i++) {
            const sw_deck_element *e =
                ways[w].kind == SW_FEM_ELEMENTS ? &deck->element[set->member[i]] : NULL;
            for (int a = 0; e != NULL && a < e->n_nodes; a++)
                in[deck->member[e->first + a]] = 1;
            if (e == NULL)
                in[set->member[i]] = 1;
        }
        found = 1;
    }
    return found ? SW_OK : sw_deck_complain(card, "NSET or ELSET is missing");
}

/* The reference: named, or a node in the origin, as CalculiX has it. */
static sw_status find_reference(sw_deck *deck, const sw_deck_card *card, int64_t *reference)
{
    const double origin[3] = {0};
    if (sw_deck_parameter(card, "REFNODE") != NULL)
        return reference_of(deck, card, reference);
    if (deck->dialect == SW_DECK_ABAQUS)
        return sw_deck_complain(card, "needs REF NODE=");
    return sw_deck_new_node(deck, origin, reference);
}

static sw_status add_body(sw_deck *deck, const sw_deck_card *card, int64_t n, const uint8_t *in)
{
    int64_t reference, rotations;
    sw_deck_follower f;
    sw_deck_tying *tying;
    SW_TRY(find_reference(deck, card, &reference));
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (sw_deck_parameter(card, "ROTNODE") != NULL) {
        SW_TRY(sw_deck_one_named(deck, card, "ROTNODE", SW_FEM_NODES, &rotations));
        tying->rotation[reference] = rotations;
    }
    SW_TRY(body_of(deck, reference, &f));
    for (int64_t i = 0; i < n; i++) {
        f.node = i;
        if (!in[i] || i == reference || i == f.rotations)
            continue;
        SW_TRY(sw_deck_follow_wholly(deck, card->line, &f));
        SW_TRY(turn_along(deck, card->line, &f, 63));
    }
    return SW_OK;
}

sw_status sw_deck_read_rigid_body(sw_deck *deck, const sw_deck_card *card)
{
    const int64_t n = deck->n_nodes;
    uint8_t *in;
    if (sw_deck_parameter(card, "ANALYTICALSURFACE") != NULL)
        return sw_deck_complain(card, "analytical surfaces are not there");
    SW_TRY(sw_deck_need_parameters(card, " NSET PINNSET TIENSET ELSET REFNODE ROTNODE POSITION "));
    SW_TRY(need_word(card, "POSITION", "INPUT"));
    SW_TRY(SW_ALLOCATE(in, n, "nodes of a rigid body"));
    sw_status status = mark_body(deck, card, in);
    if (status == SW_OK)
        status = add_body(deck, card, n, in);
    free(in);
    return status;
}

/* ---- Distributing couplings ---- */

/* Nodes that carry what is done to one, with their weights, whose sum is 1. */
typedef struct {
    int64_t n, *node;
    double *weight, centre[3], axis[3][3], inertia[3]; /* principal ones: sum w |arm across the axis|^2 */
    int along[3];                                      /* no arm is across the axis: all nodes are on it */
    int64_t *turn;  /* [n] nodes of their rotations, where some axis is such; -1, or NULL: none */
    double turning; /* weights of those that turn */
} cloud;

static void free_cloud(cloud *c)
{
    free(c->node);
    free(c->weight);
    free(c->turn);
}

/* Shape functions' integrals over the faces, as forces of a constant traction have them; by node of the deck. */
static void weigh_face(const sw_deck *deck, const sw_topology *face, const int64_t *node, double *weight)
{
    const sw_rule *rule = sw_face_rule(face);
    for (int q = 0; q < rule->n; q++) {
        double value[SW_FORMULATION_FACE_NODES], gradient[SW_FORMULATION_FACE_NODES][3], t[2][3] = {{0}},
                                                                                         area[3];
        face->shape(rule->point[q], value, gradient);
        for (int a = 0; a < face->n_nodes; a++)
            for (int i = 0; i < 3; i++) {
                t[0][i] += gradient[a][0] * deck->node[node[a]].at[i];
                t[1][i] += gradient[a][1] * deck->node[node[a]].at[i];
            }
        sw_cross(t[0], t[1], area);
        const double size = face->dimension == 2 ? sqrt(sw_dot(area, area)) : sqrt(sw_dot(t[0], t[0]));
        for (int a = 0; a < face->n_nodes; a++)
            weight[node[a]] += value[a] * size * rule->point[q][3];
    }
}

/* By areas, or by lengths where all are edges. weight [nodes]. */
static sw_status weigh_faces(const sw_deck *deck, const sw_deck_card *card, const sw_deck_set *surface,
                             double *weight)
{
    int dimension = 0;
    for (int64_t k = 0; k < surface->n; k++) {
        int64_t node[SW_FORMULATION_FACE_NODES];
        const sw_topology *face = sw_deck_face(deck, surface->member[k], node);
        if (face == NULL)
            return sw_deck_complain(card, "surface %.80s: elements of type %s have no area to weigh by",
                                    surface->name, deck->element[surface->member[k] / 8].type->name);
        if (dimension != 0 && face->dimension != dimension)
            return sw_deck_complain(card, "surface %.80s has faces and edges: need one of them",
                                    surface->name);
        dimension = face->dimension;
        weigh_face(deck, face, node, weight);
    }
    return SW_OK;
}

static sw_status weigh_surface(const sw_deck *deck, const sw_deck_card *card, const sw_deck_set *surface,
                               cloud *c)
{
    double *weight;
    SW_TRY(sw_deck_surface_nodes(deck, surface, &c->n, &c->node));
    SW_TRY(SW_ALLOCATE(c->weight, c->n, "weights of a coupling"));
    SW_TRY(SW_ALLOCATE(weight, deck->n_nodes, "weights of a coupling"));
    const sw_status status = surface->of_nodes ? SW_OK : weigh_faces(deck, card, surface, weight);
    for (int64_t i = 0; i < c->n; i++)
        c->weight[i] = surface->of_nodes ? 1 : weight[c->node[i]];
    free(weight);
    return status;
}

static sw_status need_weight(const sw_deck_card *card, const cloud *c)
{
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++)
        sum += c->weight[i];
    return sum > 0 ? SW_OK : sw_deck_complain(card, "the sum of its weights is %g: need more than 0", sum);
}

/* Weights to a sum of 1; the centre, which of a sector of a ring (centre not NULL) is on the ring's axis; the principal axes
 * through it. */
static void measure_cloud(const sw_deck *deck, const double *centre, cloud *c)
{
    double sum = 0, moment[3][3] = {{0}}, values[3];
    for (int64_t i = 0; i < c->n; i++)
        sum += c->weight[i];
    for (int64_t i = 0; i < c->n; i++) {
        c->weight[i] /= sum;
        for (int k = 0; k < 3; k++)
            c->centre[k] += c->weight[i] * deck->node[c->node[i]].at[k];
    }
    if (centre != NULL)
        memcpy(c->centre, centre, sizeof c->centre);
    for (int64_t i = 0; i < c->n; i++) {
        double r[3];
        for (int k = 0; k < 3; k++)
            r[k] = deck->node[c->node[i]].at[k] - c->centre[k];
        for (int k = 0; k < 9; k++)
            moment[k / 3][k % 3] += c->weight[i] * r[k / 3] * r[k % 3];
    }
    sw_principal_axes(moment, values, c->axis);
    for (int j = 0; j < 3; j++)
        c->inertia[j] = values[0] + values[1] + values[2] - values[j];
}

/* Nodes on a line carry a moment about it by rotations that shells and beams have there. */
static sw_status find_turns(sw_deck *deck, const sw_deck_card *card, cloud *c)
{
    const double size = c->inertia[0] + c->inertia[1] + c->inertia[2];
    int any = 0;
    for (int j = 0; j < 3; j++)
        any |= c->along[j] = !(c->inertia[j] > 1e-12 * size);
    if (!any || sw_deck_is_plane(deck))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(c->turn, c->n, "rotations of a coupling"));
    for (int64_t i = 0; i < c->n; i++) {
        int64_t first;
        SW_TRY(sw_deck_unknown(deck, c->node[i], 4, &first));
        c->turn[i] = first >= 0 ? first / 3 : -1;
        c->turning += first >= 0 ? c->weight[i] : 0;
    }
    if (!(c->turning > 0))
        sw_warn("%s:%" PRId64
                ": *%s: its nodes are on a line and have no rotations: moments about it are not carried",
                card->path, card->line, card->keyword);
    return SW_OK;
}

/* Of node i's rotations, likewise. */
static void turns_of(const cloud *c, int64_t i, double turn[3][3])
{
    memset(turn, 0, 9 * sizeof(double));
    for (int j = 0; j < 3 && c->turn != NULL && c->turn[i] >= 0; j++)
        for (int k = 0; k < 9 && c->along[j]; k++)
            turn[k / 3][k % 3] += c->weight[i] / c->turning * c->axis[j][k / 3] * c->axis[j][k % 3];
}

/* u = mean + rotation x arm */
static void add_arm(const double arm[3], double share[6][3])
{
    for (int k = 0; k < 3; k++) {
        share[0][k] += share[4][k] * arm[2] - share[5][k] * arm[1];
        share[1][k] += share[5][k] * arm[0] - share[3][k] * arm[2];
        share[2][k] += share[3][k] * arm[1] - share[4][k] * arm[0];
    }
}

/* By virtual work: what a force (component m) or a moment (3 + m) of 1 at the reference does to node i is what that node's
 * displacement has in the reference's displacement or rotation, and its rotation (turn). Moments about principal axes go round
 * them by weights. */
static void share_of(const cloud *c, const sw_deck *deck, int64_t i, const double reference[3],
                     double share[6][3], double turn[6][3])
{
    double r[3], arm[3], column[3][3]; /* rotation about axis k by displacement of node i: column[k] . u */
    for (int k = 0; k < 3; k++) {
        r[k] = deck->node[c->node[i]].at[k] - c->centre[k];
        arm[k] = reference[k] - c->centre[k];
    }
    for (int j = 0; j < 3; j++) {
        sw_cross(c->axis[j], r, column[j]);
        for (int k = 0; k < 3; k++)
            column[j][k] *= c->along[j] ? 0 : c->weight[i] / c->inertia[j];
    }
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 3; k++) {
            share[m][k] = m == k ? c->weight[i] : 0;
            share[3 + m][k] = 0;
            for (int j = 0; j < 3; j++)
                share[3 + m][k] += c->axis[j][m] * column[j][k];
        }
    memset(turn, 0, 9 * sizeof(double));
    turns_of(c, i, turn + 3);
    add_arm(arm, share);
    add_arm(arm, turn);
}

/* Component m (from 0; 3.. rotations) of the reference is a sum over the nodes. */
static sw_status distribute_one(sw_deck *deck, int64_t line, const cloud *c, int m, int64_t dependent,
                                const double reference[3])
{
    const int n = sw_deck_is_plane(deck) ? 2 : 3;
    int64_t *unknown, terms = 1;
    double *coefficient, share[6][3], turn[6][3];
    SW_TRY(SW_ALLOCATE(unknown, 1 + 6 * c->n, "a coupling"));
    sw_status status = SW_ALLOCATE(coefficient, 1 + 6 * c->n, "a coupling");
    if (status == SW_OK) {
        unknown[0] = dependent;
        coefficient[0] = 1;
        for (int64_t i = 0; i < c->n; i++) {
            share_of(c, deck, i, reference, share, turn);
            for (int k = 0; k < 2 * n; k++) {
                const double part = k < n ? share[m][k] : turn[m][k - n];
                if (k >= n && part == 0)
                    continue;
                unknown[terms] = 3 * (k < n ? c->node[i] : c->turn[i]) + k % n;
                coefficient[terms++] = -part;
            }
        }
        status = sw_deck_add_constraint(deck, line, (int)terms, unknown, coefficient, 0);
        free(coefficient);
    }
    free(unknown);
    return status;
}

static sw_status distribute(sw_deck *deck, const sw_deck_card *card, int64_t line, cloud *c,
                            int64_t reference, int turns)
{
    const double at[3] = {deck->node[reference].at[0], deck->node[reference].at[1],
                          deck->node[reference].at[2]};
    const int plane = sw_deck_is_plane(deck);
    int64_t rotations = -1;
    measure_cloud(deck, sw_deck_parameter(card, "CYCLICSYMMETRY") != NULL ? at : NULL, c);
    SW_TRY(find_turns(deck, card, c));
    if (turns)
        SW_TRY(sw_deck_rotations_of(deck, reference, &rotations));
    for (int m = 0; m < (turns ? 6 : 3); m++)
        if (!plane || m < 2 || m == 5)
            SW_TRY(distribute_one(deck, line, c, m, m < 3 ? 3 * reference + m : 3 * rotations + m - 3, at));
    return SW_OK;
}

/* Rotations of the reference are by displacements, which those of nodes without rotations are either way. */
static sw_status check_rotational(sw_deck *deck, const sw_deck_card *card, const cloud *c)
{
    const char *way = sw_deck_parameter(card, "ROTATIONALCOUPLING");
    if (way == NULL || strcasecmp(way, "CONTINUUM") == 0)
        return SW_OK;
    if (*way != '\0' && strcasecmp(way, "STRUCTURAL") != 0)
        return sw_deck_complain(card, "ROTATIONAL COUPLING=%.40s: need CONTINUUM or STRUCTURAL", way);
    for (int64_t i = 0; i < c->n; i++) {
        int64_t first;
        SW_TRY(sw_deck_unknown(deck, c->node[i], 4, &first));
        if (first >= 0)
            return sw_deck_complain(
                card,
                "ROTATIONAL COUPLING=STRUCTURAL of node %lld, which has rotations, is not "
                "computed: need CONTINUUM",
                (long long)deck->node[c->node[i]].label);
    }
    return SW_OK;
}

sw_status sw_deck_read_distributing(sw_deck *deck, const sw_deck_card *card)
{
    const sw_deck_card *coupling;
    const sw_deck_set *surface = NULL;
    cloud c = {0};
    int64_t reference;
    unsigned components = card->n_lines > 0 ? 0 : 63;
    int axes;
    SW_TRY(sw_deck_need_parameters(card, " CYCLICSYMMETRY WEIGHTINGMETHOD COUPLING ROTATIONALCOUPLING "));
    SW_TRY(need_word(card, "WEIGHTINGMETHOD", "UNIFORM"));
    SW_TRY(need_word(card, "COUPLING", "CONTINUUM"));
    SW_TRY(take_coupling(deck, card, &coupling));
    SW_TRY(reference_of(deck, coupling, &reference));
    SW_TRY(coupled_surface(deck, coupling, &surface));
    SW_TRY(orientation_of(deck, coupling, &axes));
    for (int64_t i = 0; i < card->n_lines; i++)
        SW_TRY(read_components(card, i, 0, 6, &components));
    if (axes >= 0 && deck->axes[axes].system != SW_DECK_RECTANGULAR)
        return sw_deck_complain(coupling,
                                "ORIENTATION of a distributing coupling: rectangular axes are needed");
    if (axes >= 0) /* loads of the reference are in these axes */
        deck->node[reference].axes = axes;
    sw_status status = weigh_surface(deck, coupling, surface, &c);
    if (status == SW_OK)
        status = check_rotational(deck, card, &c);
    if (status == SW_OK)
        status = need_weight(coupling, &c);
    if (status == SW_OK)
        status = distribute(deck, card, coupling->line, &c, reference, (components & 56) != 0);
    free_cloud(&c);
    return status;
}

/* ---- DISTRIBUTING COUPLING: the mean displacement of nodes by weights ---- */

static sw_status read_cloud(sw_deck *deck, const sw_deck_card *card, cloud *c)
{
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n;
        const int64_t *member;
        double weight;
        SW_TRY(sw_deck_number(card, i, 1, 1, &weight));
        SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n, &member));
        SW_TRY(SW_GROW(c->node, c->n + n, "nodes of a coupling"));
        SW_TRY(SW_GROW(c->weight, c->n + n, "weights of a coupling"));
        memcpy(c->node + c->n, member, (size_t)n * sizeof *member);
        for (int64_t k = 0; k < n; k++)
            c->weight[c->n + k] = weight;
        c->n += n;
    }
    return SW_OK;
}

static sw_status take_mean(sw_deck *deck, int64_t line, const cloud *c, int64_t reference)
{
    int64_t *unknown;
    double *coefficient;
    SW_TRY(SW_ALLOCATE(unknown, 1 + c->n, "a coupling"));
    sw_status status = SW_ALLOCATE(coefficient, 1 + c->n, "a coupling");
    for (int k = 0; k < (sw_deck_is_plane(deck) ? 2 : 3) && status == SW_OK; k++) {
        coefficient[0] = 0;
        for (int64_t i = 0; i < c->n; i++) {
            unknown[1 + i] = 3 * c->node[i] + k;
            coefficient[1 + i] = -c->weight[i];
            coefficient[0] += c->weight[i];
        }
        unknown[0] = 3 * reference + k;
        status = sw_deck_add_constraint(deck, line, (int)(1 + c->n), unknown, coefficient, 0);
    }
    free(unknown);
    free(coefficient);
    return status;
}

/* The node of the one element of the card's set. */
static sw_status coupling_node(const sw_deck *deck, const sw_deck_card *card, int64_t *node)
{
    int k;
    SW_TRY(sw_deck_need_named(deck, card, "ELSET", SW_FEM_ELEMENTS, &k));
    const sw_deck_set *set = &deck->set[k];
    const sw_deck_element *element = set->n == 1 ? &deck->element[set->member[0]] : NULL;
    if (element == NULL || element->type->kind != SW_DECK_COUPLING_ELEMENT)
        return sw_deck_complain(card, "ELSET=%.80s: need a set of one element DCOUP3D", set->name);
    *node = deck->member[element->first];
    return SW_OK;
}

sw_status sw_deck_read_distributing_coupling(sw_deck *deck, const sw_deck_card *card)
{
    cloud c = {0};
    int64_t reference = -1;
    SW_TRY(sw_deck_need_parameters(card, " ELSET "));
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    SW_TRY(coupling_node(deck, card, &reference));
    sw_status status = read_cloud(deck, card, &c);
    if (status == SW_OK)
        status = need_weight(card, &c);
    if (status == SW_OK)
        status = take_mean(deck, card->line, &c, reference);
    free_cloud(&c);
    return status;
}
