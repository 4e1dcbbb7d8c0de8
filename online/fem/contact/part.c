/* Contact of a part: those of the whole body's entries whose nodes it has, with the faces of its own elements. */
#include <stdlib.h>
#include <string.h>

#include "contact.h"
#include "online/fem/parts/parts.h"

#define WHAT "contact"

/* The part's numbers of the whole's nodes and elements, -1: not here; and parts that own nodes. */
typedef struct {
    int32_t *node, *element, *owner;
} numbers;

static sw_status find_numbers(const sw_fem_division *d, numbers *n)
{
    SW_TRY(SW_ALLOCATE(n->node, d->mesh->n_nodes, WHAT));
    SW_TRY(SW_ALLOCATE(n->element, d->mesh->n_elements, WHAT));
    SW_TRY(SW_ALLOCATE(n->owner, d->mesh->n_nodes, WHAT));
    memset(n->node, 0xff, (size_t)d->mesh->n_nodes * sizeof *n->node);
    memset(n->element, 0xff, (size_t)d->mesh->n_elements * sizeof *n->element);
    for (int64_t i = 0; i < d->n_nodes; i++)
        n->node[d->node[i]] = (int32_t)i;
    for (int64_t e = 0; e < d->n_elements; e++)
        n->element[d->own_element[e]] = (int32_t)e;
    for (int k = 0; k < d->n_parts; k++)
        for (int64_t i = d->first_node[k]; i < d->first_node[k + 1]; i++)
            n->owner[d->owned[i]] = (int32_t)k;
    return SW_OK;
}

/* The whole's entries by owner. */
static sw_status sort_entries(sw_fem_parts *parts, const int32_t *owner)
{
    const sw_fem_contact_view *whole = &parts->contact->view;
    SW_TRY(SW_ALLOCATE(parts->first_entry, parts->division.n_parts + 1, WHAT));
    SW_TRY(SW_ALLOCATE(parts->entry, whole->n, WHAT));
    int64_t n = 0;
    for (int k = 0; k < parts->division.n_parts; k++) {
        for (int64_t i = 0; i < whole->n; i++)
            if (owner[whole->node[i]] == k)
                parts->entry[n++] = (int32_t)i;
        parts->first_entry[k + 1] = n;
    }
    return SW_OK;
}

/* Room for as many entries and faces as the whole has. */
static sw_status make_room(const sw_fem_contact_view *whole, int64_t *first, sw_fem_contact_view *view)
{
    const int64_t faces = whole->face_first[whole->n];
    view->first = first;
    SW_TRY(SW_ALLOCATE(view->node, whole->n, WHAT));
    SW_TRY(SW_ALLOCATE(view->tool_of, whole->n, WHAT));
    SW_TRY(SW_ALLOCATE(view->stiffness, whole->n, WHAT));
    SW_TRY(SW_ALLOCATE(view->slack, whole->n, WHAT));
    SW_TRY(SW_ALLOCATE(view->face_first, whole->n + 1, WHAT));
    SW_TRY(SW_ALLOCATE(view->face_node, 4 * faces, WHAT));
    return SW_ALLOCATE(view->face_corner, faces, WHAT);
}

/* Entry i of the whole as the part's next one. */
static void take_entry(const struct sw_fem_contact *from, int64_t i, const numbers *number,
                       sw_fem_contact_view *view)
{
    const sw_fem_contact_view *whole = &from->view;
    const int64_t n = view->n++;
    int64_t f = view->face_first[n];
    ((int32_t *)view->node)[n] = number->node[whole->node[i]];
    ((uint8_t *)view->tool_of)[n] = whole->tool_of[i];
    ((double *)view->stiffness)[n] = whole->stiffness[i];
    ((double *)view->slack)[n] = whole->slack[i];
    for (int64_t k = whole->face_first[i]; k < whole->face_first[i + 1]; k++) {
        if (number->element[from->face_element[k]] < 0)
            continue;
        for (int a = 0; a < sw_fem_face_corners(whole->kinematics); a++)
            ((int32_t *)view->face_node)[4 * f + a] = number->node[whole->face_node[4 * k + a]];
        ((uint8_t *)view->face_corner)[f++] = whole->face_corner[k];
    }
    ((int64_t *)view->face_first)[n + 1] = f;
}

static sw_status take_entries(const sw_fem_parts *parts, const numbers *number,
                              struct sw_fem_contact *contact)
{
    const sw_fem_contact_view *whole = &parts->contact->view;
    int64_t *first;
    SW_TRY(SW_ALLOCATE(first, whole->n_tools + 1, WHAT));
    SW_TRY(make_room(whole, first, &contact->view));
    /* By tool, and by node as the part numbers them, as in a body of its own: owned ones come first. */
    for (int t = 0; t < whole->n_tools; t++) {
        for (int foreign = 0; foreign < 2; foreign++)
            for (int64_t i = whole->first[t]; i < whole->first[t + 1]; i++) {
                const int32_t node = number->node[whole->node[i]];
                if (node >= 0 && (node >= parts->division.n_owned) == foreign)
                    take_entry(parts->contact, i, number, &contact->view);
            }
        first[t + 1] = contact->view.n;
    }
    return SW_ALLOCATE(contact->state, contact->view.n, WHAT);
}

sw_status sw_fem_contact_take(sw_fem *fem)
{
    sw_fem_parts *parts = fem->parts;
    numbers number = {NULL, NULL, NULL};
    struct sw_fem_contact *contact;
    sw_status status;
    if (!parts->contact)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(contact, 1, WHAT));
    fem->contact = contact;
    contact->noise = parts->contact->noise;
    contact->view = (sw_fem_contact_view){.kinematics = fem->problem->kinematics,
                                          .thickness = fem->problem->thickness,
                                          .n_tools = fem->problem->n_tools,
                                          .n_nodes = fem->n_nodes,
                                          .tool = fem->problem->tool,
                                          .position = fem->problem->mesh->position,
                                          .n_counted = parts->division.n_owned};
    SW_TRY_GOTO(status, find_numbers(&parts->division, &number), done);
    SW_TRY_GOTO(status, sort_entries(parts, number.owner), done);
    SW_TRY_GOTO(status, take_entries(parts, &number, contact), done);
    sw_fem_contact_pick(fem, parts->contact->state, contact->state);
done:
    free(number.node);
    free(number.element);
    free(number.owner);
    return status;
}

/* ---- States ---- */

sw_status sw_fem_contact_gather(const sw_fem *fem, const sw_fem_contact_point *part,
                                sw_fem_contact_point *whole)
{
    const sw_fem_parts *parts = fem->parts;
    const sw_fem_contact_view *view = &fem->contact->view;
    sw_fem_contact_point *own;
    int64_t n = 0;
    SW_TRY(SW_ALLOCATE(own, view->n, WHAT));
    for (int64_t i = 0; i < view->n; i++)
        if (sw_fem_contact_counts(view, i))
            own[n++] = part[i];
    const sw_status status = sw_fem_gather_rows(&parts->division, parts->contact->view.n, parts->first_entry,
                                                parts->entry, (int64_t)sizeof *own, own, whole);
    free(own);
    return status;
}

void sw_fem_contact_pick(const sw_fem *fem, const sw_fem_contact_point *whole, sw_fem_contact_point *part)
{
    const sw_fem_contact_view *all = &fem->parts->contact->view, *view = &fem->contact->view;
    const int32_t *node = fem->parts->division.node;
    for (int t = 0; t < view->n_tools; t++)
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++) {
            int64_t low = all->first[t], high = all->first[t + 1] - 1; /* a tool's entries ascend by node */
            while (low < high) {
                const int64_t middle = low + (high - low) / 2;
                if (all->node[middle] < node[view->node[i]])
                    low = middle + 1;
                else
                    high = middle;
            }
            part[i] = whole[low];
        }
}
