/* *SURFACE: faces of elements, or nodes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model.h"

/* Faces from 0 of "S1", "S2"; of shells SPOS, SNEG (and N, P of CalculiX) and edges E1, ...: see SW_DECK_SPOS. -1: none. */
int sw_deck_face_named(const sw_deck_type *type, const char *text)
{
    const int shell = sw_deck_flat(type) != NULL;
    if ((text[0] == 'S' || text[0] == 's') && text[1] >= '1' && text[1] <= '6' && text[2] == '\0')
        return text[1] - '1';
    if (shell && (strcasecmp(text, "SNEG") == 0 || strcasecmp(text, "N") == 0))
        return SW_DECK_SNEG;
    if (shell && (strcasecmp(text, "SPOS") == 0 || strcasecmp(text, "P") == 0))
        return SW_DECK_SPOS;
    if (shell && strncasecmp(text, "EDNOR", 5) == 0 && text[5] >= '1' && text[5] <= '4' && text[6] == '\0')
        return text[5] - '1' + SW_DECK_EDGE;
    if (shell && (text[0] == 'E' || text[0] == 'e') && text[1] >= '1' && text[1] <= '4' && text[2] == '\0')
        return text[1] - '1' + SW_DECK_EDGE;
    return -1;
}

int sw_deck_has_face(const sw_deck_element *e, int face)
{
    const sw_topology *flat = sw_deck_flat(e->type);
    const int n = flat != NULL             ? SW_DECK_EDGE + flat->n_faces
                  : e->formulation != NULL ? e->formulation->topology->n_faces
                                           : SW_FORMULATION_FACES;
    return face >= 0 && face < n;
}

const sw_topology *sw_deck_face(const sw_deck *deck, int64_t member, int64_t node[SW_FORMULATION_FACE_NODES])
{
    const sw_deck_element *element = &deck->element[member / 8];
    const sw_topology *flat = sw_deck_flat(element->type), *body = flat;
    int f = (int)(member % 8);
    if (flat == NULL && element->formulation != NULL)
        body = element->formulation->topology;
    const int whole = flat != NULL && f < SW_DECK_EDGE;
    f -= flat != NULL && !whole ? SW_DECK_EDGE : 0;
    if (body == NULL || (!whole && f >= body->n_faces))
        return NULL;
    const sw_topology *face = whole ? flat : body->face_topology[f];
    for (int a = 0; a < face->n_nodes; a++)
        node[a] = deck->member[element->first + (whole ? a : body->face[f][a])];
    return face;
}

static sw_status keep(int64_t **list, int64_t *n, int64_t member)
{
    SW_TRY(SW_DECK_ROOM(*list, *n));
    (*list)[(*n)++] = member;
    return SW_OK;
}

/* ---- Free faces: those that no other element of the set has ---- */

typedef struct {
    int32_t corner[4]; /* ascending; -1 first of triangles and edges */
    int64_t member;
} face;

static int by_corners(const void *left, const void *right)
{
    const face *a = left, *b = right;
    for (int i = 0; i < 4; i++)
        if (a->corner[i] != b->corner[i])
            return a->corner[i] < b->corner[i] ? -1 : 1;
    return a->member < b->member ? -1 : a->member > b->member;
}

static face face_of(const sw_deck *deck, int64_t member)
{
    int64_t corner[SW_FORMULATION_FACE_NODES] = {0};
    face made = {.corner = {-1, -1, -1, -1}, .member = member};
    const int n = sw_deck_face(deck, member, corner)->n_corners;
    for (int i = 0; i < n; i++) {
        const int32_t node = (int32_t)corner[i];
        int at = 3;
        for (; at > 3 - i && made.corner[at] >= node; at--)
            ;
        for (int j = 3 - i; j < at; j++)
            made.corner[j] = made.corner[j + 1];
        made.corner[at] = node;
    }
    return made;
}

static sw_status free_faces(const sw_deck *deck, const sw_deck_card *card, int64_t line, int64_t n_elements,
                            const int64_t *element, int64_t **list, int64_t *n)
{
    face *all = NULL;
    int64_t n_all = 0;
    sw_status status = SW_OK;
    for (int64_t i = 0; status == SW_OK && i < n_elements; i++) {
        const sw_deck_element *e = &deck->element[element[i]];
        if (e->formulation == NULL)
            status = sw_deck_complain_at(
                card, line, "free faces of elements of type %s are not computed: need a face", e->type->name);
        for (int f = 0; status == SW_OK && f < e->formulation->topology->n_faces; f++) {
            status = SW_DECK_ROOM(all, n_all);
            if (status == SW_OK)
                all[n_all++] = face_of(deck, 8 * element[i] + f);
        }
    }
    if (status == SW_OK && n_all > 0)
        qsort(all, (size_t)n_all, sizeof *all, by_corners);
    for (int64_t i = 0, end; status == SW_OK && i < n_all; i = end) {
        for (end = i + 1; end < n_all && memcmp(all[i].corner, all[end].corner, sizeof all[i].corner) == 0;
             end++)
            ;
        if (end == i + 1)
            status = keep(list, n, all[i].member);
    }
    free(all);
    return status;
}

/* ---- The keyword ---- */

static sw_status element_line(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t **list, int64_t *n)
{
    const char *text = sw_deck_field(card, i, 1);
    int64_t n_elements;
    const int64_t *element;
    if (card->data[i].n_fields > 2)
        return sw_deck_complain_at(card, i, "%d fields: need an element or a set, and a face",
                                   card->data[i].n_fields);
    SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n_elements, &element));
    if (*text == '\0')
        return free_faces(deck, card, i, n_elements, element, list, n);
    for (int64_t j = 0; j < n_elements; j++) {
        const sw_deck_element *e = &deck->element[element[j]];
        const int f = sw_deck_face_named(e->type, text);
        if (!sw_deck_has_face(e, f))
            return sw_deck_complain_at(card, i, "element %" PRId64 " of type %s has no face %.20s", e->label,
                                       e->type->name, text);
        SW_TRY(keep(list, n, 8 * element[j] + f));
    }
    return SW_OK;
}

static sw_status node_line(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t **list, int64_t *n)
{
    int64_t n_nodes;
    const int64_t *node;
    SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n_nodes, &node));
    for (int64_t j = 0; j < n_nodes; j++)
        SW_TRY(keep(list, n, node[j]));
    return SW_OK;
}

sw_status sw_deck_read_surface(sw_deck *deck, const sw_deck_card *card)
{
    const char *name, *type = sw_deck_parameter(card, "TYPE");
    int64_t set, n = 0, *list = NULL;
    SW_TRY(sw_deck_need_parameters(card, " NAME TYPE INTERNAL "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    const int of_nodes = type != NULL && strcasecmp(type, "NODE") == 0;
    if (type != NULL && !of_nodes && strcasecmp(type, "ELEMENT") != 0)
        return sw_deck_complain(card, "TYPE=%.40s is not computed: need ELEMENT or NODE", type);
    SW_TRY(sw_deck_open_set(deck, SW_FEM_SURFACE, name, &set));
    /* CalculiX has surfaces of nodes and of faces side by side: those of faces say more */
    const int also =
        deck->dialect == SW_DECK_CALCULIX && deck->set[set].n > 0 && deck->set[set].of_nodes != of_nodes;
    if (also && of_nodes)
        return SW_OK;
    if (also) {
        deck->set[set].n = 0;
        deck->stamped_set = -1;
    }
    if (deck->set[set].n > 0 && deck->dialect != SW_DECK_CALCULIX) /* which adds to it */
        return sw_deck_complain(card, "surface %.80s is there already", name);
    deck->set[set].of_nodes = of_nodes;
    sw_status status = SW_OK;
    for (int64_t i = 0; status == SW_OK && i < card->n_lines; i++)
        status = of_nodes ? node_line(deck, card, i, &list, &n) : element_line(deck, card, i, &list, &n);
    if (status == SW_OK)
        status = sw_deck_add_members(deck, set, n, list);
    free(list);
    return status != SW_OK || n > 0 ? status : sw_deck_complain(card, "surface %.80s is empty", name);
}
