/* PRE-TENSION SECTION: a body is cut along faces of elements, whose nodes become two. Both sides are together but for the
 * shift of the reference node's first displacement along the cut's normal: what works with it is the tension. A section of an
 * element is that of a linear beam which is not there: the shift is that of its ends towards each other. */
#include "shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"

typedef struct {
    int n;
    int64_t node[SW_FORMULATION_FACE_NODES];
} cut_face;

/* ---- Faces ---- */

/* A face of a solid, or an edge of a shell. */
static int face_of(const sw_deck *deck, int64_t member, cut_face *face)
{
    const sw_deck_element *e = &deck->element[member / 8];
    const sw_topology *topology = sw_deck_face(deck, member, face->node);
    const int edge = e->type->kind == SW_DECK_SHELL && topology != NULL && topology->dimension == 1;
    face->n = topology != NULL ? topology->n_nodes : 0;
    return edge || (topology != NULL && e->formulation != NULL);
}

/* Twice the area of a polygon, as a vector. */
static void area_of(const sw_deck *deck, int n, const int64_t *node, double area[3])
{
    const double *origin = deck->node[node[0]].at;
    memset(area, 0, 3 * sizeof *area);
    for (int a = 1; a + 1 < n; a++) {
        double one[3], other[3], part[3];
        for (int i = 0; i < 3; i++) {
            one[i] = deck->node[node[a]].at[i] - origin[i];
            other[i] = deck->node[node[a + 1]].at[i] - origin[i];
        }
        sw_cross(one, other, part);
        for (int i = 0; i < 3; i++)
            area[i] += part[i];
    }
}

static void middle_of(const sw_deck *deck, const sw_deck_element *e, double middle[3])
{
    memset(middle, 0, 3 * sizeof *middle);
    for (int a = 0; a < e->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            middle[i] += deck->node[deck->member[e->first + a]].at[i] / e->n_nodes;
}

/* Adds the face's area along its normal, away from its element. */
static void add_normal(const sw_deck *deck, int64_t member, const cut_face *face, double normal[3])
{
    const sw_deck_element *e = &deck->element[member / 8];
    double area[3], middle[3], away[3], along[3], flat[3] = {0, 0, 1};
    const double *at = deck->node[face->node[0]].at;
    middle_of(deck, e, middle);
    for (int i = 0; i < 3; i++) {
        away[i] = at[i] - middle[i];
        along[i] = deck->node[face->node[1]].at[i] - at[i];
    }
    if (e->formulation != NULL && e->formulation->topology->dimension == 3)
        area_of(deck, face->n > 4 ? face->n / 2 : face->n, face->node, area);
    else {
        int64_t node[SW_FORMULATION_FACE_NODES];
        const sw_topology *shell = sw_deck_flat(e->type);
        if (shell != NULL) {
            sw_deck_face(deck, 8 * (member / 8) + SW_DECK_SPOS, node);
            area_of(deck, shell->n_corners, node, flat);
        }
        sw_cross(along, flat, area);
    }
    const double sign = sw_dot(area, away) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        normal[i] += sign * area[i];
}

/* ---- The direction ---- */

static sw_status to_unit(const sw_deck_card *card, double v[3])
{
    return sw_to_unit(v) > 0 ? SW_OK : sw_deck_complain(card, "the direction has no length");
}

/* The data line's direction, or else the one that is there. */
static sw_status read_direction(const sw_deck *deck, const sw_deck_card *card, double direction[3])
{
    SW_TRY(sw_deck_need_lines(card, 0, 1));
    return card->n_lines > 0 ? sw_deck_direction(deck, card, 0, 0, direction) : to_unit(card, direction);
}

/* ---- The cut ---- */

static sw_status copy_node(sw_deck *deck, int64_t node, int64_t *copy)
{
    sw_deck_tying *tying;
    const sw_deck_node of = deck->node[node];
    SW_TRY(sw_deck_tying_of(deck, &tying));
    const int bends = tying->bends[node];
    double thickness[2];
    memcpy(thickness, tying->thickness[node], sizeof thickness);
    SW_TRY(sw_deck_new_node(deck, of.at, copy));
    tying->bends[*copy] = (uint8_t)bends;
    tying->origin[*copy] = node;
    memcpy(tying->thickness[*copy], thickness, sizeof thickness);
    return SW_OK;
}

/* The copy is where the node is, shifted; rotations, where there are some, are the same. */
static sw_status tie_copy(sw_deck *deck, const sw_deck_card *card, int64_t node, int64_t copy, int64_t shift,
                          const double normal[3])
{
    const int plane = sw_deck_is_plane(deck);
    SW_TRY(sw_deck_take_sides(deck, node));
    SW_TRY(sw_deck_take_sides(deck, copy));
    for (int i = 0; i < (plane ? 2 : 3); i++) {
        const int64_t unknown[3] = {3 * copy + i, 3 * node + i, shift};
        const double coefficient[3] = {1, -1, -normal[i]};
        SW_TRY(sw_deck_add_constraint(deck, card->line, 3, unknown, coefficient, 0));
    }
    for (int i = 4; i <= 6 && !plane; i++) {
        int64_t unknown[2];
        const double coefficient[2] = {1, -1};
        SW_TRY(sw_deck_unknown(deck, copy, i, &unknown[0]));
        SW_TRY(sw_deck_unknown(deck, node, i, &unknown[1]));
        if (unknown[0] >= 0 && unknown[1] >= 0)
            SW_TRY(sw_deck_add_constraint(deck, card->line, 2, unknown, coefficient, 0));
    }
    return SW_OK;
}

/* On the faces' side: their elements, and those with a node of the cut whose middles lie where these do. */
static int is_behind(const sw_deck *deck, const sw_deck_element *e, int64_t node, const double normal[3])
{
    double middle[3];
    middle_of(deck, e, middle);
    for (int i = 0; i < 3; i++)
        middle[i] -= deck->node[node].at[i];
    return sw_dot(middle, normal) < 0;
}

static void move_elements(sw_deck *deck, const uint8_t *has_face, const int64_t *copy, const double normal[3])
{
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const sw_deck_element *element = &deck->element[e];
        if (element->type->kind > SW_DECK_MEMBRANE)
            continue;
        for (int a = 0; a < element->n_nodes; a++) {
            int32_t *node = &deck->member[element->first + a];
            if (copy[*node] >= 0 && (has_face[e] || is_behind(deck, element, *node, normal)))
                *node = (int32_t)copy[*node];
        }
    }
}

static sw_status cut_along(sw_deck *deck, const sw_deck_card *card, const sw_deck_set *surface, int64_t shift,
                           int64_t *copy, uint8_t *has_face)
{
    double normal[3] = {0, 0, 0};
    const int64_t n_nodes = deck->n_nodes;
    cut_face face;
    memset(copy, -1, (size_t)n_nodes * sizeof *copy);
    for (int64_t i = 0; i < surface->n; i++) {
        if (surface->of_nodes || !face_of(deck, surface->member[i], &face))
            return sw_deck_complain(card, "surface %.80s: need faces of solids, or edges of shells",
                                    surface->name);
        add_normal(deck, surface->member[i], &face, normal);
        has_face[surface->member[i] / 8] = 1;
        for (int a = 0; a < face.n; a++)
            if (copy[face.node[a]] < 0)
                SW_TRY(copy_node(deck, face.node[a], &copy[face.node[a]]));
    }
    SW_TRY(to_unit(card, normal));
    move_elements(deck, has_face, copy, normal);
    SW_TRY(read_direction(deck, card, normal));
    for (int64_t n = 0; n < n_nodes; n++)
        if (copy[n] >= 0)
            SW_TRY(tie_copy(deck, card, n, copy[n], shift, normal));
    return SW_OK;
}

static sw_status cut(sw_deck *deck, const sw_deck_card *card, int64_t shift)
{
    int64_t *copy = NULL;
    uint8_t *has_face = NULL;
    int set;
    SW_TRY(sw_deck_need_named(deck, card, "SURFACE", SW_FEM_SURFACE, &set));
    sw_status status = SW_ALLOCATE(copy, deck->n_nodes, "nodes of a cut");
    if (status == SW_OK)
        status = SW_ALLOCATE(has_face, deck->n_elements, "elements of a cut");
    if (status == SW_OK)
        status = cut_along(deck, card, &deck->set[set], shift, copy, has_face);
    free(copy);
    free(has_face);
    return status;
}

/* ---- Of a beam ---- */

static sw_status pull_ends(sw_deck *deck, const sw_deck_card *card, int64_t shift)
{
    static const sw_deck_type gone = {"B31 of a pre-tension section", SW_DECK_SURFACE_ELEMENT, 2};
    double along[3];
    int64_t e, unknown[7];
    double coefficient[7];
    SW_TRY(sw_deck_one_named(deck, card, "ELEMENT", SW_FEM_ELEMENTS, &e));
    sw_deck_element *element = &deck->element[e];
    if (element->type->kind != SW_DECK_BEAM || element->n_nodes != 2)
        return sw_deck_complain(card, "element %lld is of type %s: need B31", (long long)element->label,
                                element->type->name);
    const int32_t *node = &deck->member[element->first];
    for (int i = 0; i < 3; i++)
        along[i] = deck->node[node[1]].at[i] - deck->node[node[0]].at[i];
    SW_TRY(read_direction(deck, card, along));
    int largest = 0;
    for (int i = 1; i < 3; i++)
        largest = fabs(along[i]) > fabs(along[largest]) ? i : largest;
    for (int i = 0; i < 3; i++) { /* the largest component is the one that is eliminated */
        const int k = (largest + i) % 3;
        unknown[2 * i] = 3 * (int64_t)node[0] + k;
        coefficient[2 * i] = along[k];
        unknown[2 * i + 1] = 3 * (int64_t)node[1] + k;
        coefficient[2 * i + 1] = -along[k];
    }
    unknown[6] = shift;
    coefficient[6] = -1;
    element->type = &gone;
    return sw_deck_add_constraint(deck, card->line, 7, unknown, coefficient, 0);
}

sw_status sw_deck_read_pre_tension_section(sw_deck *deck, const sw_deck_card *card)
{
    const char *surface = sw_deck_parameter(card, "SURFACE"), *element = sw_deck_parameter(card, "ELEMENT");
    int64_t node, shift;
    SW_TRY(sw_deck_need_parameters(card, " SURFACE ELEMENT NODE "));
    SW_TRY(sw_deck_one_named(deck, card, "NODE", SW_FEM_NODES, &node));
    if ((surface == NULL) == (element == NULL))
        return sw_deck_complain(card, "need either SURFACE or ELEMENT");
    SW_TRY(sw_deck_unknown(deck, node, 1, &shift));
    return surface != NULL ? cut(deck, card, shift) : pull_ends(deck, card, shift);
}
