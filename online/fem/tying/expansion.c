/* Nodes of shells and beams become several, across their directions; the node is their mean, or they are its knot: a body
 * that turns and stretches. As CalculiX' manual has it ("Expansion of the one-dimensional and two-dimensional elements",
 * "Mathematical description of a knot"). */
#include "shared.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/vector.h"

/* ---- Offspring ---- */

/* Places across, in sizes: of a shell below, above, and between; of a beam the corners, then the middles of the sides. */
static const double across_shell[3] = {-0.5, 0.5, 0},
                    across_beam[8][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5},
                                         {0, -0.5},    {0.5, 0},    {0, 0.5},   {-0.5, 0}};

static void heights(const sw_deck_expansion *x, int k, double height[2])
{
    const double round = x->is_beam && x->round && k < 4 ? sqrt(0.5) : 1; /* corners on the ellipse */
    height[0] = ((x->is_beam ? across_beam[k][0] * round : across_shell[k]) - x->offset[0]) * x->size[0];
    height[1] = x->is_beam ? (across_beam[k][1] * round - x->offset[1]) * x->size[1] : 0;
}

static sw_status make_offspring(sw_deck *deck, int64_t k)
{
    sw_deck_tying *tying = deck->tying;
    sw_deck_expansion *x = &tying->expansions[k];
    x->means = x->is_beam ? 4 : 2;
    x->n = x->is_beam ? (x->quadratic_end ? 8 : 4) : (x->quadratic_end ? 3 : 2);
    x->first = tying->n_offspring;
    for (int a = 0; a < x->n; a++) {
        double at[3];
        SW_TRY(SW_DECK_ROOM(tying->offspring, tying->n_offspring));
        sw_deck_offspring *child = &tying->offspring[tying->n_offspring++];
        heights(x, a, child->height);
        for (int i = 0; i < 3; i++)
            at[i] = deck->node[x->node].at[i] + child->height[0] * x->normal[0][i] +
                    child->height[1] * x->normal[1][i];
        SW_TRY(sw_deck_new_node(deck, at, &child->node));
    }
    return SW_OK;
}

/* ---- Means ---- */

sw_status sw_deck_take_sides(sw_deck *deck, int64_t node)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (tying->solid[node] == SW_DECK_NO_SOLID)
        tying->solid[node] = SW_DECK_IN_EQUATIONS;
    return SW_OK;
}

/* A membrane's node is also the one between its two sides: without, its line may bend, and quadratic membranes with it. */
static sw_status hold_middle(sw_deck *deck, const sw_deck_expansion *x)
{
    const double alike[2] = {1, -1};
    for (int i = 0; i < 3 && x->hinged && x->n == 3; i++) {
        const int64_t unknown[2] = {3 * deck->tying->offspring[x->first + 2].node + i, 3 * x->node + i};
        SW_TRY(sw_deck_add_constraint(deck, 0, 2, unknown, alike, 0));
    }
    return SW_OK;
}

/* The node's displacement is a mean of an expansion's: of a shell's line by Simpson's weights where it has a middle, of a
 * beam's corners. Where solids have the node, too, or equations, and of membranes, of the two sides. */
static sw_status take_mean(sw_deck *deck, int64_t k)
{
    const sw_deck_expansion x = deck->tying->expansions[k];
    const int n = x.is_beam ? 4 : x.n;
    const double middle = x.hinged || deck->tying->solid[x.node] != SW_DECK_NO_SOLID ? 0 : 4;
    for (int i = 0; i < 3; i++) {
        int64_t unknown[5];
        double coefficient[5], sum = 0;
        for (int a = 0; a < n; a++) {
            unknown[a] = 3 * deck->tying->offspring[x.first + a].node + i;
            coefficient[a] = n == 3 && a == 2 ? middle : 1;
            sum += coefficient[a];
        }
        unknown[n] = 3 * x.node + i;
        coefficient[n] = -sum;
        SW_TRY(sw_deck_add_constraint(deck, 0, n + 1, unknown, coefficient, 0));
    }
    return hold_middle(deck, &x);
}

/* Expansions of the node of expansion k that are not of membranes; the first of them. */
static int stiff_ones(const sw_deck_tying *tying, int64_t k, int64_t *first)
{
    const int64_t node = tying->expansions[k].node;
    int n = 0;
    *first = -1;
    for (int64_t j = tying->expansion[node]; j < tying->n_expansions && tying->expansions[j].node == node;
         j++)
        if (!tying->expansions[j].hinged && n++ == 0)
            *first = j;
    return n;
}

/* A shell's line cannot turn about itself. Of prescribed rotations that part is taken away, as CalculiX does it, where those
 * that are not prescribed count as 0; the other rotations are what the line does. */
static sw_status tie_line(sw_deck *deck, const sw_deck_expansion *x, const int64_t *of, double rows[3][3],
                          int64_t rotations)
{
    const double *normal = x->normal[0];
    int most = 0; /* the axis next to the line: the other two say all where all are prescribed */
    for (int s = 1; s < 3; s++)
        most = fabs(sw_dot(rows[s], normal)) > fabs(sw_dot(rows[most], normal)) ? s : most;
    for (int s = 0; s < 3; s++) {
        double part[3] = {0};
        for (int t = 0; t < 3; t++)
            part[t] = x->held >> s & x->held >> t & 1
                          ? (s == t) - sw_dot(rows[s], normal) * sw_dot(rows[t], normal)
                          : s == t;
        if (fabs(sw_dot(rows[s], normal)) < 1 - 1e-6 && !(s == most && x->held == 7))
            SW_TRY(sw_deck_mean_rotation(deck, 0, 2, of, rows[s], part, 3 * rotations));
    }
    return SW_OK;
}

/* The section of a beam turns about its own axes: about others the mean of its corners' angles has a part of what stretches
 * and shears the section, so that a clamp gives way by how the beam lies in space. CalculiX takes those of `rows`. */
static sw_status tie_section(sw_deck *deck, const sw_deck_expansion *x, const int64_t *of, double rows[3][3],
                             int64_t rotations)
{
    const double *const own[3] = {x->normal[0], x->normal[1], x->tangent};
    double skew = 1; /* 0: one of its axes is one of these; then both ways agree */
    for (int k = 0; k < 3; k++) {
        double part[3], most = 0;
        for (int t = 0; t < 3; t++) {
            part[t] = sw_dot(own[k], rows[t]);
            most = fmax(most, fabs(part[t]));
        }
        skew = fmin(skew, 1 - most);
        SW_TRY(deck->dialect == SW_DECK_ABAQUS
                   ? sw_deck_mean_rotation(deck, 0, x->means, of, own[k], part, 3 * rotations)
                   : sw_deck_mean_rotation(deck, 0, x->means, of, rows[k], NULL, 3 * rotations + k));
    }
    if (deck->dialect == SW_DECK_CALCULIX && skew > 1e-4 && x->held != 0 &&
        fabs(x->size[0] - x->size[1]) > 1e-6 * x->size[0] && !deck->tying->is_skew++)
        sw_warn("%s: node %" PRId64
                " of beams: prescribed rotations about the axes of space hold a section that lies "
                "across them in part, as in CalculiX: let it lie along axes, or take --dialect abaqus",
                deck->path, deck->node[x->node].label);
    return SW_OK;
}

sw_status sw_deck_tie_rotations(sw_deck *deck, int64_t node)
{
    const sw_deck_tying *tying = deck->tying;
    const int64_t rotations = tying->rotation[node];
    double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int64_t of[4], first;
    if (tying->expansion[node] < 0 || stiff_ones(tying, tying->expansion[node], &first) != 1)
        return SW_OK;
    const sw_deck_expansion x = tying->expansions[first];
    for (int a = 0; a < x.means; a++)
        of[a] = tying->offspring[x.first + a].node;
    if (deck->node[rotations].axes == SW_DECK_ALONG_AXES)
        sw_deck_axes_at(&deck->axes[deck->node[node].axes], deck->node[node].at, rows);
    return x.is_beam ? tie_section(deck, &x, of, rows, rotations) : tie_line(deck, &x, of, rows, rotations);
}

/* Of a node that is no knot; NULL. */
static sw_deck_expansion *only_one(const sw_deck *deck, int64_t node)
{
    const sw_deck_tying *tying = deck->tying;
    int64_t first;
    return node < tying->n && tying->expansion[node] >= 0 &&
                   stiff_ones(tying, tying->expansion[node], &first) == 1
               ? &tying->expansions[first]
               : NULL;
}

/* Components `which` (bits) of nodes between become the mean of their neighbours. On a circle they are farther out than that mean,
 * by the root of 2, so that they turn with the corners. */
static sw_status straighten(sw_deck *deck, sw_deck_expansion *x, int which)
{
    const sw_deck_offspring *child = &deck->tying->offspring[x->first];
    const double out = x->round ? sqrt(2) : 1, next = -(1 + out) / 4, far = -(1 - out) / 4;
    const double coefficient[5] = {1, next, next, far, far};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < x->n - x->means && (which & ~x->straight) >> i & 1; k++) {
            int64_t unknown[5] = {3 * child[x->means + k].node + i};
            for (int a = 0; a < x->means; a++)
                unknown[1 + a] = 3 * child[(k + a) % x->means].node + i;
            SW_TRY(sw_deck_add_constraint(deck, 0, 1 + x->means, unknown, coefficient, 0));
        }
    x->straight |= which;
    return SW_OK;
}

sw_status sw_deck_keep_straight(sw_deck *deck, int64_t node)
{
    sw_deck_expansion *x = only_one(deck, node);
    return x != NULL && x->is_beam ? straighten(deck, x, 7) : SW_OK;
}

/* Of shells in what is prescribed, of beams where a rotation is; of Abaqus' beams where anything is prescribed or loaded: on corners
 * alone forces would sink into the section, the more the shorter elements are. */
sw_status sw_deck_prescribe(sw_deck *deck, int64_t node, int component)
{
    sw_deck_expansion *x = only_one(deck, node);
    if (x == NULL)
        return SW_OK;
    x->held |= component > 3 ? 1 << (component - 4) : 0;
    if (x->is_beam ? component > 3 || deck->dialect == SW_DECK_ABAQUS : component <= 3)
        SW_TRY(straighten(deck, x, x->is_beam || deck->node[node].axes >= 0 ? 7 : 1 << (component - 1)));
    return SW_OK;
}

/* A shell's node with a middle: another node, of the displacement on which loads work that are spread as those of a constant
 * traction on faces of eight nodes. */
static sw_status loaded_node(sw_deck *deck, int64_t node, int64_t *loaded)
{
    const sw_deck_expansion x = *only_one(deck, node);
    const sw_deck_offspring *child = &deck->tying->offspring[x.first];
    *loaded = x.loaded;
    if (x.loaded > 0)
        return SW_OK;
    const sw_deck_node of = deck->node[node];
    SW_TRY(sw_deck_new_node(deck, of.at, loaded));
    only_one(deck, node)->loaded = *loaded;
    deck->node[*loaded].axes = of.axes;
    for (int i = 0; i < 3; i++) {
        const int64_t unknown[4] = {3 * *loaded + i, 3 * child[0].node + i, 3 * child[1].node + i,
                                    3 * child[2].node + i};
        const double coefficient[4] = {1, 0.5, 0.5, -2};
        SW_TRY(sw_deck_add_constraint(deck, 0, 4, unknown, coefficient, 0));
    }
    return SW_OK;
}

sw_status sw_deck_loaded(sw_deck *deck, int64_t node, int component, int64_t *unknown)
{
    const sw_deck_expansion *x = only_one(deck, node);
    int64_t at = node;
    if (deck->dialect == SW_DECK_ABAQUS)
        SW_TRY(sw_deck_keep_straight(deck, node));
    if (x != NULL && !x->is_beam && x->n == 3 && component <= 3 &&
        deck->tying->solid[node] != SW_DECK_IN_SOLIDS)
        SW_TRY(loaded_node(deck, node, &at));
    return sw_deck_unknown(deck, at, component, unknown);
}

/* ---- Knots ---- */

/* Offspring of stiff expansions of a node; most: how many dimensions one of them has. */
static int knotted(const sw_deck_tying *tying, int64_t node, int64_t *of, int *most)
{
    int n = 0;
    *most = 1;
    for (int64_t j = tying->expansion[node]; j < tying->n_expansions && tying->expansions[j].node == node;
         j++) {
        const sw_deck_expansion *x = &tying->expansions[j];
        for (int a = 0; a < x->n && !x->hinged; a++)
            of[n++] = tying->offspring[x->first + a].node;
        *most = x->is_beam && !x->hinged ? 2 : *most;
    }
    return n;
}

/* How many dimensions places have, and the principal axes, longest first. */
static int dimension_of(const sw_deck *deck, int n, const int64_t *of, double axis[3][3])
{
    double centre[3] = {0}, moment[3][3] = {{0}}, value[3];
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            centre[i] += deck->node[of[a]].at[i] / n;
    for (int a = 0; a < n; a++)
        for (int k = 0; k < 9; k++)
            moment[k / 3][k % 3] +=
                (deck->node[of[a]].at[k / 3] - centre[k / 3]) * (deck->node[of[a]].at[k % 3] - centre[k % 3]);
    sw_principal_axes(moment, value, axis);
    for (int a = 0; a < 2; a++) /* sorted by exchange */
        for (int b = 0; b < 2; b++)
            if (value[b] < value[b + 1])
                for (int i = 0; i < 3; i++) {
                    const double v = axis[b][i];
                    axis[b][i] = axis[b + 1][i];
                    axis[b + 1][i] = v;
                    if (i == 0) {
                        const double w = value[b];
                        value[b] = value[b + 1];
                        value[b + 1] = w;
                    }
                }
    return 1 + (value[1] > 1e-9 * value[0]) + (value[2] > 1e-9 * value[0]);
}

static sw_status tie_knot(sw_deck *deck, int64_t node, int n_expansions)
{
    sw_deck_follower f = {.body = node};
    double axis[3][3];
    int64_t *of;
    int most;
    memcpy(f.reference, deck->node[node].at, sizeof f.reference);
    SW_TRY(sw_deck_rotations_of(deck, node, &f.rotations));
    SW_TRY(sw_deck_new_node(deck, f.reference, &f.stretch));
    SW_TRY(SW_ALLOCATE(of, 8 * n_expansions, "nodes of a knot"));
    const int n = knotted(deck->tying, node, of, &most);
    f.n_stretch = dimension_of(deck, n, of, axis) == 2 && most == 2 ? 3 : 1;
    memcpy(f.plane, axis, sizeof f.plane);
    sw_status status = SW_OK;
    for (int a = 0; a < n && status == SW_OK; a++) {
        f.node = of[a];
        status = sw_deck_follow_wholly(deck, 0, &f);
    }
    free(of);
    return status;
}

/* ---- All ---- */

static sw_status tie_node(sw_deck *deck, int64_t node)
{
    sw_deck_tying *tying = deck->tying;
    int64_t first;
    const int64_t begin = tying->expansion[node];
    const int n = stiff_ones(tying, begin, &first);
    for (int64_t j = begin; j < tying->n_expansions && tying->expansions[j].node == node; j++)
        if (n == 1 || tying->expansions[j].hinged)
            SW_TRY(take_mean(deck, j));
    if (n > 1)
        return tie_knot(deck, node, n);
    return SW_OK;
}

/* Nodes of solids, springs and others beside shells and beams. */
static void mark_solids(sw_deck *deck)
{
    for (int64_t e = 0; e < deck->n_elements; e++)
        for (int a = 0; deck->element[e].type->kind == SW_DECK_FORMULATION && a < deck->element[e].n_nodes;
             a++)
            deck->tying->solid[deck->member[deck->element[e].first + a]] = SW_DECK_IN_SOLIDS;
}

static sw_status expand_nodes(sw_deck *deck)
{
    sw_deck_tying *tying = deck->tying;
    const int64_t n_nodes = deck->n_nodes;
    mark_solids(deck);
    for (int64_t k = 0; k < tying->n_expansions; k++)
        SW_TRY(make_offspring(deck, k));
    SW_TRY(sw_deck_tying_of(deck, &tying));
    for (int64_t i = 0; i < n_nodes; i++)
        if (tying->expansion[i] >= 0)
            SW_TRY(tie_node(deck, i));
    return SW_OK;
}

sw_status sw_deck_expand(sw_deck *deck)
{
    sw_deck_tying *tying;
    sw_deck_corner *corner = NULL;
    int64_t *first, n = 0;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    if (tying->expanded)
        return SW_OK;
    tying->plane = 1 + sw_deck_is_plane(deck); /* before solids are added */
    SW_TRY(SW_ALLOCATE(first, deck->n_elements + 1, "elements"));
    sw_status status = sw_deck_find_directions(deck, &n, &corner, first);
    if (status == SW_OK)
        status = expand_nodes(deck);
    if (status == SW_OK && n > 0)
        status = sw_deck_make_solids(deck, corner, first);
    tying->expanded = 1;
    free(corner);
    free(first);
    return status;
}
