#include "contacts.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/deck/model.h"
#include "online/fem/deck/tying.h"
#include "steps.h"

sw_surface_law sw_deck_law_of(const sw_deck_contact *contact, const sw_surface_law *law)
{
    sw_surface_law own = *law;
    if (!contact->by_nodes)
        own.tension = 0;
    return own;
}

/* ---- Faces ---- */

typedef struct {
    int64_t n, room;
    int32_t *element;
    uint8_t *face;
} face_list;

static sw_status add_face(const sw_deck *deck, int64_t element, int face, face_list *to)
{
    if (deck->element_place[element] < 0)
        return SW_OK;
    if (to->n == to->room) {
        to->room = 2 * to->room + 16;
        SW_TRY(SW_GROW(to->element, to->room, "faces of a surface"));
        SW_TRY(SW_GROW(to->face, to->room, "faces of a surface"));
    }
    to->element[to->n] = deck->element_place[element];
    to->face[to->n++] = (uint8_t)face;
    return SW_OK;
}

/* Of a solid its face; of what a shell or beam became those that are there. */
static sw_status add_member(const sw_deck *deck, int64_t element, int face, face_list *to)
{
    const sw_deck_element *e = &deck->element[element];
    if (e->n_expanded <= 0)
        return add_face(deck, element, face, to);
    for (int k = 0; k < e->n_expanded; k++) {
        int of = face;
        double factor = 1;
        if (face < SW_DECK_EDGE || e->type->kind == SW_DECK_BEAM)
            sw_deck_expanded_face(deck, e, face, k, &of, &factor);
        if (factor != 0)
            SW_TRY(add_face(deck, e->expanded + k, of, to));
    }
    return SW_OK;
}

static sw_status gather(const sw_deck *deck, const sw_deck_card *card, const sw_deck_set *set, face_list *to)
{
    for (int64_t i = 0; i < set->n; i++)
        SW_TRY(add_member(deck, set->member[i] / 8, (int)(set->member[i] % 8), to));
    return to->n > 0 ? SW_OK
                     : sw_deck_complain(card, "surface %.80s has no faces of solid elements", set->name);
}

static sw_status make_contact(sw_deck *deck, const sw_deck_contact *of, sw_structure_contact *to)
{
    to->law = sw_deck_law_of(of, &of->law);
    to->small = of->small;
    to->clearance = of->clearance;
    to->line = of->card->data[of->line].line;
    for (int side = 0; side < 2; side++) {
        face_list list = {0};
        const char *name = deck->set[of->named[side]].name;
        const sw_status status = gather(deck, of->card, &deck->set[of->set[side]], &list);
        to->element[side] = list.element;
        to->face[side] = list.face;
        to->n_faces[side] = list.n;
        SW_TRY(status);
        SW_TRY(SW_ALLOCATE(to->name[side], strlen(name) + 1, "names of surfaces"));
        memcpy(to->name[side], name, strlen(name) + 1);
    }
    return SW_OK;
}

sw_status sw_deck_make_contacts(sw_deck *deck)
{
    sw_structure_problem *p = &deck->problem;
    if (deck->n_contacts == 0)
        return SW_OK;
    if (deck->steps->perturbation != NULL)
        return sw_deck_complain(deck->steps->perturbation,
                                "PERTURBATION is linear: *CONTACT PAIR with it is not computed");
    SW_TRY(SW_ALLOCATE(p->contact, deck->n_contacts, "contacts"));
    p->n_contacts = deck->n_contacts;
    for (int k = 0; k < deck->n_contacts; k++)
        SW_TRY(make_contact(deck, &deck->contact[k], &p->contact[k]));
    return SW_OK;
}

/* ---- Prints ---- */

static sw_status slaves(const sw_structure_problem *p, sw_structure_print *print)
{
    uint8_t *is;
    SW_TRY(SW_ALLOCATE(is, p->n_nodes, "nodes of surfaces"));
    print->n = 0;
    for (int k = 0; k < p->n_contacts; k++)
        for (int64_t f = 0; f < p->contact[k].n_faces[0]; f++) {
            const sw_structure_element *e = &p->element[p->contact[k].element[0][f]];
            const sw_topology *t = e->formulation->topology;
            const int face = p->contact[k].face[0][f];
            for (int a = 0; a < t->face_topology[face]->n_nodes; a++)
                is[p->node[e->first + t->face[face][a]]] = 1;
        }
    free(print->member);
    print->member = NULL;
    sw_status status = SW_ALLOCATE(print->member, p->n_nodes + 1, "nodes of surfaces");
    for (int64_t n = 0; n < p->n_nodes && status == SW_OK; n++)
        if (is[n])
            print->member[print->n++] = (int32_t)n;
    free(is);
    return status;
}

static sw_status print_all(sw_structure_step *step)
{
    static const char name[] = "ALL";
    SW_TRY(SW_DECK_ROOM(step->print, step->n_prints));
    sw_structure_print *print = &step->print[step->n_prints];
    *print = (sw_structure_print){.what = SW_STRUCTURE_CF, .name = "CF", .every = 1};
    step->n_prints++;
    SW_TRY(SW_ALLOCATE(print->set, sizeof name, "a print's set"));
    memcpy(print->set, name, sizeof name);
    return SW_ALLOCATE(print->member, 1, "a print's members");
}

sw_status sw_deck_print_contacts(sw_deck *deck, sw_structure_step *step)
{
    for (int64_t i = 0; i < step->n_prints; i++)
        if (step->print[i].what == SW_STRUCTURE_CSTR || step->print[i].what == SW_STRUCTURE_CDIS)
            SW_TRY(slaves(&deck->problem, &step->print[i]));
    return deck->problem.n_contacts > 0 ? print_all(step) : SW_OK;
}
