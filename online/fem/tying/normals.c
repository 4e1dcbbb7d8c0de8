/* Directions of shells and beams in their nodes: as CalculiX' manual has them ("Eight-node shell element", "Three-node beam
 * element"). Elements whose directions differ little share one, their mean; every other one is another expansion. */
#include "shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"

static const double degree = 0.017453292519943295769;

/* ---- What an element has in a node ---- */

/* Tangents of a shell in its node a, or of a beam along it. */
static void tangents(const sw_deck *deck, const sw_deck_element *element, int a, double t[2][3])
{
    double gradient[8][3] = {{0}};
    const int n = element->n_nodes;
    const sw_topology *flat = sw_deck_flat(element->type);
    if (flat != NULL)
        flat->shape(flat->node[a], NULL, gradient);
    else if (n == 2) {
        gradient[0][0] = -1;
        gradient[1][0] = 1;
    } else { /* end, middle, end */
        gradient[0][0] = a - 1.5;
        gradient[1][0] = 2 - 2 * a;
        gradient[2][0] = a - 0.5;
    }
    memset(t, 0, 6 * sizeof **t);
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 3; i++) {
            t[0][i] += gradient[b][0] * deck->node[deck->member[element->first + b]].at[i];
            t[1][i] += gradient[b][1] * deck->node[deck->member[element->first + b]].at[i];
        }
}

/* n2 = t x n1, n1 = n2 x t. 0: direction 1 is along the beam. */
static int set_beam_axes(sw_deck_corner *c, const double first[3])
{
    sw_cross(c->tangent, first, c->normal[1]);
    if (!(sw_dot(c->normal[1], c->normal[1]) > 1e-12 * sw_dot(first, first)))
        return 0;
    sw_to_unit(c->normal[1]);
    sw_cross(c->normal[1], c->tangent, c->normal[0]);
    return 1;
}

static void set_sizes(const sw_deck *deck, int64_t node, sw_deck_corner *c)
{
    const sw_deck_section *s = c->section;
    const double *own = deck->tying->thickness[node];
    const int nodal = sw_deck_parameter(s->card, "NODALTHICKNESS") != NULL && own[0] > 0;
    const int disk = c->is_beam && strcmp(s->shape, "CIRC") == 0, pipe = strcmp(s->shape, "PIPE") == 0;
    c->round = disk && deck->element[c->element].n_nodes == 3; /* a B31's and a pipe are in a square */
    c->size[0] = nodal ? own[0] : pipe ? 2 * s->size[0] : c->is_beam ? s->size[0] : s->thickness;
    c->size[1] = !c->is_beam ? 0 : nodal ? own[1] : pipe ? 2 * s->size[0] : s->size[1];
    if (disk && deck->dialect == SW_DECK_ABAQUS && !nodal) /* its radius, where CalculiX has both axes */
        c->size[0] = c->size[1] = 2 * s->size[0];
    c->offset[0] = c->is_beam ? s->size[6] : s->offset;
    c->offset[1] = c->is_beam ? s->size[7] : 0;
}

static sw_status fill_corner(const sw_deck *deck, int64_t e, int a, sw_deck_corner *c)
{
    const sw_deck_element *element = &deck->element[e];
    double t[2][3];
    *c = (sw_deck_corner){.element = e, .expansion = -1, .place = a};
    if (element->section < 0)
        return sw_deck_complain_of(element, "has no section");
    c->section = &deck->section[element->section];
    c->is_beam = element->type->kind == SW_DECK_BEAM;
    const int quadratic = c->is_beam ? element->n_nodes == 3 : element->n_nodes > 4;
    const int middle =
        c->is_beam ? element->n_nodes == 3 && a == 1 : a >= sw_deck_flat(element->type)->n_corners;
    c->quadratic_end = quadratic && !middle;
    c->hinged = element->type->kind == SW_DECK_MEMBRANE;
    set_sizes(deck, deck->member[element->first + a], c);
    if (!(c->size[0] > 0) || (c->is_beam && !(c->size[1] > 0)))
        return sw_deck_complain_of(element, "has no thickness");
    tangents(deck, element, a, t);
    if (c->is_beam) {
        memcpy(c->tangent, t[0], sizeof t[0]);
        if (!(sw_to_unit(c->tangent) > 0))
            return sw_deck_complain_of(element, "has no length");
        return set_beam_axes(c, c->section->direction)
                   ? SW_OK
                   : sw_deck_complain_of(element,
                                         "goes along the first direction of its section: give another");
    }
    sw_cross(t[0], t[1], c->normal[0]);
    return sw_to_unit(c->normal[0]) > 0 ? SW_OK
                                        : sw_deck_complain_of(element, "has no normal in one of its nodes");
}

/* NORMAL cards: of a beam the second direction. */
static void take_given(const sw_deck *deck, const int64_t *first, sw_deck_corner *corner)
{
    for (int64_t k = 0; k < deck->tying->n_normals; k++) {
        const struct sw_deck_normal *given = &deck->tying->normals[k];
        const sw_deck_element *element = &deck->element[given->element];
        for (int a = 0; first[given->element] >= 0 && a < element->n_nodes; a++) {
            sw_deck_corner *c = &corner[first[given->element] + a];
            double one[3];
            if (deck->member[element->first + a] != given->node)
                continue;
            c->given = 1;
            memcpy(c->normal[c->is_beam], given->along, sizeof given->along);
            if (c->is_beam) {
                sw_cross(given->along, c->tangent, one);
                set_beam_axes(c, one);
            }
        }
    }
}

/* ---- Corners that share a direction ---- */

static int near(double a, double b) { return fabs(a - b) <= 1e-8 * (fabs(a) + fabs(b)); }

static int alike(const sw_deck_corner *a, const sw_deck_corner *b, double angle)
{
    const int n = a->is_beam;
    return a->is_beam == b->is_beam && a->round == b->round && !a->hinged && !b->hinged &&
           near(a->size[0], b->size[0]) && near(a->size[1], b->size[1]) && near(a->offset[0], b->offset[0]) &&
           near(a->offset[1], b->offset[1]) && strcmp(a->section->shape, b->section->shape) == 0 &&
           sw_dot(a->normal[n], b->normal[n]) > cos(angle) &&
           (!n || sw_dot(a->tangent, b->tangent) > cos(angle));
}

static void begin(int64_t node, const sw_deck_corner *c, sw_deck_expansion *x)
{
    *x = (sw_deck_expansion){.node = node, .is_beam = c->is_beam, .hinged = c->hinged, .round = c->round};
    memcpy(x->size, c->size, sizeof x->size);
    memcpy(x->offset, c->offset, sizeof x->offset);
}

static void add_to(sw_deck_expansion *x, int64_t k, sw_deck_corner *c)
{
    c->expansion = k;
    x->quadratic_end |= c->quadratic_end;
    for (int i = 0; i < 3; i++) {
        x->normal[c->is_beam][i] += c->normal[c->is_beam][i];
        x->tangent[i] += c->tangent[i];
    }
}

static void end(sw_deck_expansion *x)
{
    sw_to_unit(x->normal[x->is_beam]);
    if (!x->is_beam)
        return;
    sw_to_unit(x->tangent);
    const double along = sw_dot(x->normal[1], x->tangent);
    for (int i = 0; i < 3; i++)
        x->normal[1][i] -= along * x->tangent[i];
    sw_to_unit(x->normal[1]);
    sw_cross(x->normal[1], x->tangent, x->normal[0]);
}

/* The corners of a node, by ascending label: one that has a given normal is a reference first. */
static sw_status share(sw_deck *deck, int64_t node, int n, const int64_t *of, sw_deck_corner *corner)
{
    sw_deck_tying *tying = deck->tying;
    tying->expansion[node] = tying->n_expansions;
    for (int round = 0; round < 2; round++)
        for (int a = 0; a < n; a++) {
            sw_deck_corner *reference = &corner[of[a]];
            if (reference->expansion >= 0 || (round == 0 && !reference->given))
                continue;
            SW_TRY(SW_DECK_ROOM(tying->expansions, tying->n_expansions));
            sw_deck_expansion *x = &tying->expansions[tying->n_expansions];
            begin(node, reference, x);
            for (int b = 0; b < n; b++) {
                sw_deck_corner *c = &corner[of[b]];
                if (c->expansion < 0 &&
                    (c == reference || alike(reference, c, (round == 0 ? 0.5 : 20) * degree)))
                    add_to(x, tying->n_expansions, c);
            }
            end(x);
            tying->n_expansions++;
        }
    return SW_OK;
}

/* ---- All ---- */

static int becomes_solid(const sw_deck_element *element)
{
    const sw_deck_element_kind kind = element->type->kind;
    return kind == SW_DECK_SHELL || kind == SW_DECK_BEAM || kind == SW_DECK_MEMBRANE;
}

static sw_status fill_corners(sw_deck *deck, int64_t *n, sw_deck_corner **corner, int64_t *first)
{
    *n = 0;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        first[e] = becomes_solid(&deck->element[e]) ? *n : -1;
        *n += first[e] >= 0 ? deck->element[e].n_nodes : 0;
    }
    SW_TRY(SW_ALLOCATE(*corner, *n, "directions of shells and beams"));
    for (int64_t e = 0; e < deck->n_elements; e++)
        for (int a = 0; first[e] >= 0 && a < deck->element[e].n_nodes; a++)
            SW_TRY(fill_corner(deck, e, a, &(*corner)[first[e] + a]));
    return SW_OK;
}

static int64_t label_of(const sw_deck *deck, const sw_deck_corner *corner, int64_t k)
{
    return deck->element[corner[k].element].label;
}

/* Corners by node: list [n] from begin[node] on, by ascending label. */
static void sort_by_node(const sw_deck *deck, int64_t n, const sw_deck_corner *corner, int64_t *start,
                         int64_t *list)
{
    for (int64_t k = 0; k < n; k++)
        start[deck->member[deck->element[corner[k].element].first + corner[k].place] + 1]++;
    for (int64_t i = 0; i < deck->n_nodes; i++)
        start[i + 1] += start[i];
    for (int64_t k = n - 1; k >= 0; k--) {
        const int64_t node = deck->member[deck->element[corner[k].element].first + corner[k].place];
        list[--start[node + 1]] = k; /* start[node + 1] ends as the beginning of node */
    }
    for (int64_t i = 0; i < deck->n_nodes; i++) {
        const int64_t last = i + 1 < deck->n_nodes ? start[i + 2] : n;
        for (int64_t a = start[i + 1] + 1; a < last; a++)
            for (int64_t b = a;
                 b > start[i + 1] && label_of(deck, corner, list[b]) < label_of(deck, corner, list[b - 1]);
                 b--) {
                const int64_t k = list[b];
                list[b] = list[b - 1];
                list[b - 1] = k;
            }
    }
}

sw_status sw_deck_find_directions(sw_deck *deck, int64_t *n, sw_deck_corner **corner, int64_t *first)
{
    int64_t *start = NULL, *list = NULL;
    const int64_t n_nodes = deck->n_nodes;
    SW_TRY(fill_corners(deck, n, corner, first));
    take_given(deck, first, *corner);
    sw_status status = SW_ALLOCATE(start, n_nodes + 2, "directions of shells and beams");
    if (status == SW_OK)
        status = SW_ALLOCATE(list, *n, "directions of shells and beams");
    if (status == SW_OK) {
        sort_by_node(deck, *n, *corner, start, list);
        for (int64_t i = 0; i < n_nodes && status == SW_OK; i++) {
            const int64_t begin_at = start[i + 1], end_at = i + 1 < n_nodes ? start[i + 2] : *n;
            if (end_at > begin_at)
                status = share(deck, i, (int)(end_at - begin_at), list + begin_at, *corner);
        }
    }
    free(start);
    free(list);
    return status;
}
