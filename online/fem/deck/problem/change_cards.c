/* What a step changes of elements and materials, and what points are free of stress with: *MODEL CHANGE, *CHANGE ..., *INITIAL
 * CONDITIONS of stresses and plastic strains, *INITIAL STRAIN INCREASE. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "online/fem/deck/model.h"
#include "contacts.h"
#include "steps.h"

static sw_structure_step *step_of(sw_deck *deck) { return &deck->steps->step[deck->steps->n_steps - 1].is; }

/* ---- Elements that go and come ---- */

/* Elements are the deck's until the problem is made. */
static sw_status add_change(sw_deck *deck, const sw_deck_card *card, sw_structure_change_kind kind,
                            int64_t element, int section)
{
    sw_structure_step *step = step_of(deck);
    const sw_deck_element *e = &deck->element[element];
    if (e->formulation == NULL && kind == SW_STRUCTURE_SECTION)
        return sw_deck_complain(card, "element %" PRId64 " is of type %s: need a solid", e->label,
                                e->type->name);
    SW_TRY(SW_DECK_ROOM(step->change, step->n_changes));
    step->change[step->n_changes++] = (sw_structure_change){kind, (int32_t)element, section};
    return SW_OK;
}

static sw_status kind_of_change(const sw_deck_card *card, sw_structure_change_kind *kind)
{
    const char *add = sw_deck_parameter(card, "ADD");
    const int remove = sw_deck_parameter(card, "REMOVE") != NULL,
              relax = sw_deck_parameter(card, "MECHSTRAINTORESIDUAL") != NULL;
    if (remove + (add != NULL) + relax != 1)
        return sw_deck_complain(card, "need one of REMOVE, ADD and MECHSTRAINTORESIDUAL");
    if (add != NULL && *add != '\0' && !sw_deck_same_word(add, "STRAIN FREE") &&
        !sw_deck_same_word(add, "WITH STRAIN"))
        return sw_deck_complain(card, "ADD=%.40s: need STRAIN FREE or WITH STRAIN", add);
    *kind = remove                                                 ? SW_STRUCTURE_REMOVE
            : add != NULL && sw_deck_same_word(add, "WITH STRAIN") ? SW_STRUCTURE_RETURN
                                                                   : SW_STRUCTURE_RELAX;
    return SW_OK;
}

sw_status sw_deck_read_model_change(sw_deck *deck, const sw_deck_card *card)
{
    const char *type;
    sw_structure_change_kind kind = SW_STRUCTURE_REMOVE;
    SW_TRY(sw_deck_need_parameters(card, " TYPE REMOVE ADD MECHSTRAINTORESIDUAL "));
    SW_TRY(sw_deck_need_value(card, "TYPE", &type));
    if (sw_deck_same_word(type, "CONTACT PAIR"))
        return sw_deck_change_pairs(deck, card);
    if (strcasecmp(type, "ELEMENT") != 0)
        return sw_deck_complain(card, "TYPE=%.40s: need ELEMENT or CONTACT PAIR", type);
    SW_TRY(kind_of_change(card, &kind));
    for (int64_t i = 0; i < card->n_lines; i++)
        for (int k = 0; k < card->data[i].n_fields; k++) {
            int64_t n;
            const int64_t *element;
            if (*sw_deck_field(card, i, k) == '\0')
                continue;
            SW_TRY(sw_deck_elements_of(deck, card, i, k, &n, &element));
            for (int64_t j = 0; j < n; j++)
                SW_TRY(add_change(deck, card, kind, element[j], -1));
        }
    return SW_OK;
}

/* ---- Sections and materials ---- */

/* [n_elements] of all elements, with what steps so far have changed. */
static sw_status present_sections(const sw_deck *deck, int32_t **section)
{
    SW_TRY(SW_ALLOCATE(*section, deck->n_elements + 1, "sections of elements"));
    for (int64_t e = 0; e < deck->n_elements; e++)
        (*section)[e] = deck->element[e].section;
    for (int k = 0; k < deck->steps->n_steps; k++) {
        const sw_structure_step *step = &deck->steps->step[k].is;
        for (int64_t i = 0; i < step->n_changes; i++)
            if (step->change[i].kind == SW_STRUCTURE_SECTION)
                (*section)[step->change[i].element] = step->change[i].section;
    }
    return SW_OK;
}

/* The element's section with another material, once made: made[section] is 1 + its place. */
static sw_status with_material(sw_deck *deck, int32_t section, int material, int32_t *made)
{
    if (made[section] > 0)
        return SW_OK;
    SW_TRY(SW_DECK_ROOM(deck->section, deck->n_sections));
    sw_deck_section copy = deck->section[section];
    copy.material = material;
    copy.layer = NULL;
    copy.n_layers = 0;
    made[section] = deck->n_sections + 1;
    deck->section[deck->n_sections++] = copy;
    return SW_OK;
}

/* Elements of a material, by its name, get its last version. */
static sw_status renew(sw_deck *deck, const sw_deck_card *card, const int32_t *section, int32_t *made)
{
    const int material = deck->problem.n_matters - 1;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const int32_t has = section[e];
        const int old = has >= 0 ? deck->section[has].material : -1;
        if (old < 0 || old == material ||
            strcmp(deck->problem.matter[old].name, deck->problem.matter[material].name) != 0)
            continue;
        SW_TRY(with_material(deck, has, material, made));
        SW_TRY(add_change(deck, card, SW_STRUCTURE_SECTION, e, made[has] - 1));
    }
    return SW_OK;
}

sw_status sw_deck_read_change_material(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " NAME "));
    return sw_deck_need_named(deck, card, "NAME", SW_DECK_MATERIAL, &deck->steps->changing);
}

/* A material of the same name, but for its hardening, from this step on. */
sw_status sw_deck_read_change_plastic(sw_deck *deck, const sw_deck_card *card)
{
    sw_structure_problem *p = &deck->problem;
    int32_t *section = NULL, *made = NULL;
    const int of = deck->steps->changing;
    if (of < 0)
        return sw_deck_complain(card, "follows no *CHANGE MATERIAL");
    deck->steps->changing = -1;
    SW_TRY(SW_DECK_ROOM(p->matter, p->n_matters));
    SW_TRY(sw_matter_copy(&p->matter[of], &p->matter[p->n_matters]));
    p->n_matters++;
    sw_matter_free_hardening(&p->matter[p->n_matters - 1]);
    SW_TRY(sw_deck_read_plastic(deck, card));
    sw_status status = present_sections(deck, &section);
    if (status == SW_OK)
        status = SW_ALLOCATE(made, deck->n_sections + 1, "sections");
    if (status == SW_OK)
        status = renew(deck, card, section, made);
    free(section);
    free(made);
    return status;
}

/* Elements of the section that has just been made begin with what they had, and change to it. */
static sw_status change_section(sw_deck *deck, const sw_deck_card *card, const int32_t *before)
{
    const int made = deck->n_sections - 1;
    double thickness = 0;
    for (int64_t e = 0; e < deck->n_elements; e++) {
        if (deck->element[e].section != made)
            continue;
        deck->element[e].section = before[e];
        const double has = before[e] >= 0 ? deck->section[before[e]].thickness : 1;
        if (thickness != 0 && has != thickness)
            return sw_deck_complain(card, "its elements have thicknesses %g and %g: need one", thickness,
                                    has);
        deck->section[made].thickness = thickness = has;
        SW_TRY(add_change(deck, card, SW_STRUCTURE_SECTION, e, made));
    }
    return SW_OK;
}

sw_status sw_deck_read_change_solid_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    int32_t *before;
    SW_TRY(sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION "));
    SW_TRY(sw_deck_need_lines(card, 0, 0));
    SW_TRY(SW_ALLOCATE(before, deck->n_elements + 1, "sections of elements"));
    for (int64_t e = 0; e < deck->n_elements; e++)
        before[e] = deck->element[e].section;
    sw_status status = sw_deck_new_section(deck, card, &section);
    if (status == SW_OK && section->material < 0)
        status = sw_deck_complain(card, "needs MATERIAL=");
    if (status == SW_OK)
        status = change_section(deck, card, before);
    free(before);
    return status;
}

/* ---- Strains that points are free of stress with ---- */

/* Lines "element, point, six components" in the order of decks. */
static sw_status strain_line(sw_deck *deck, const sw_deck_card *card, int64_t i, sw_structure_strain *strain)
{
    static const int six[6] = {0, 1, 2, 5, 4, 3};
    int64_t point, n;
    const int64_t *element;
    double value[6];
    SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &element));
    if (n != 1 || card->data[i].n_fields != 8)
        return sw_deck_complain_line(card, i, "need an element, a point and six components");
    SW_TRY(sw_deck_integer(card, i, 1, 0, &point));
    const sw_deck_element *e = &deck->element[element[0]];
    if (e->formulation == NULL)
        return sw_deck_complain_at(card, i, "element %" PRId64 " is of type %s: need a solid", e->label,
                                   e->type->name);
    if (point < 1 || point > e->formulation->rule->n)
        return sw_deck_complain_at(card, i, "point %" PRId64 " of element %" PRId64 ": it has %d", point,
                                   e->label, e->formulation->rule->n);
    for (int k = 0; k < 6; k++)
        SW_TRY(sw_deck_number(card, i, 2 + k, 0, &value[k]));
    for (int k = 0; k < 6; k++)
        strain->value[six[k]] = value[k] * (k >= 3 && !strain->is_stress ? 2 : 1);
    strain->element = (int32_t)element[0];
    strain->point = (int)point - 1;
    return SW_OK;
}

static sw_status read_strains(sw_deck *deck, const sw_deck_card *card, int is_stress, int64_t *n,
                              sw_structure_strain **list)
{
    for (int64_t i = 0; i < card->n_lines; i++) {
        sw_structure_strain strain = {.is_stress = is_stress};
        SW_TRY(strain_line(deck, card, i, &strain));
        SW_TRY(SW_DECK_ROOM(*list, *n));
        (*list)[(*n)++] = strain;
    }
    return SW_OK;
}

static sw_status need_solid(const sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t element)
{
    const sw_deck_element *e = &deck->element[element];
    return e->formulation != NULL
               ? SW_OK
               : sw_deck_complain_at(card, i, "element %" PRId64 " is of type %s: need a solid", e->label,
                                     e->type->name);
}

static sw_status add_first(sw_deck *deck, const sw_structure_strain *strain)
{
    SW_TRY(SW_DECK_ROOM(deck->steps->strain, deck->steps->n_strains));
    deck->steps->strain[deck->steps->n_strains++] = *strain;
    return SW_OK;
}

/* Abaqus' lines "element or set, stresses": as many as the element has, 11 22 33 12 13 23 along the axes of its *ORIENTATION. */
static sw_status read_stresses(sw_deck *deck, const sw_deck_card *card)
{
    static const int six[6] = {0, 1, 2, 5, 4, 3};
    for (int64_t i = 0; i < card->n_lines; i++) {
        sw_structure_strain strain = {.is_stress = 1, .own_axes = 1};
        int64_t n;
        const int64_t *element;
        if (card->data[i].n_fields < 2 || card->data[i].n_fields > 7)
            return sw_deck_complain_line(card, i, "need an element or set, and one to six stresses");
        SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &element));
        for (int k = 0; k < 6; k++)
            SW_TRY(sw_deck_number(card, i, 1 + k, 0, &strain.value[six[k]]));
        for (int64_t j = 0; j < n; j++) {
            SW_TRY(need_solid(deck, card, i, element[j]));
            strain.element = (int32_t)element[j];
            for (strain.point = 0; strain.point < deck->element[element[j]].formulation->rule->n;
                 strain.point++)
                SW_TRY(add_first(deck, &strain));
        }
    }
    return SW_OK;
}

/* State variables of elements, six an entry. */
static sw_status add_states(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t n,
                            const int64_t *element, int n_states, const double *value)
{
    for (int64_t j = 0; j < n; j++) {
        SW_TRY(need_solid(deck, card, i, element[j]));
        for (int k = 0; k < n_states; k += 6) {
            sw_structure_strain strain = {.element = (int32_t)element[j], .first_state = k + 1};
            for (int m = 0; m < 6 && k + m < n_states; m++)
                strain.value[m] = value[k + m];
            SW_TRY(add_first(deck, &strain));
        }
    }
    return SW_OK;
}

/* How many the material of an element has; 0: it is no user material. */
static int states_of(const sw_deck *deck, int64_t element)
{
    const int section = deck->element[element].section;
    const int material = section >= 0 ? deck->section[section].material : -1;
    return material >= 0 ? deck->problem.matter[material].n_states : 0;
}

/* Abaqus' lines "element or set, 7 state variables", then lines of 8 until its material has all. */
sw_status sw_deck_read_initial_solution(sw_deck *deck, const sw_deck_card *card)
{
    for (int64_t i = 0; i < card->n_lines;) {
        const int64_t first = i;
        int64_t n;
        const int64_t *element;
        double *value;
        SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &element));
        const int n_states = states_of(deck, element[0]);
        for (int64_t j = 0; j < n; j++)
            if (n_states == 0 || states_of(deck, element[j]) != n_states)
                return sw_deck_complain_at(card, i,
                                           "element %" PRId64
                                           ": its material has %d state variables: need the same "
                                           "*DEPVAR of all, and more than 0",
                                           deck->element[element[j]].label, states_of(deck, element[j]));
        SW_TRY(SW_ALLOCATE(value, n_states, "state variables"));
        sw_status status = SW_OK;
        int field = 1;
        for (int k = 0; k < n_states && status == SW_OK; k++, field++) {
            if (field == 8 && i + 1 < card->n_lines) {
                field = 0;
                i++;
            }
            status = sw_deck_number(card, i, field, 0, &value[k]);
        }
        if (status == SW_OK && *sw_deck_field(card, i, field) != '\0')
            status = sw_deck_complain_at(card, i, "there are more than the %d state variables of *DEPVAR",
                                         n_states);
        i++;
        if (status == SW_OK)
            status = add_states(deck, card, first, n, element, n_states, value);
        free(value);
        SW_TRY(status);
    }
    return SW_OK;
}

/* Whether lines have a point, too, as CalculiX' do: they have more fields than an element's stresses. */
static sw_status tell_points(sw_deck *deck, const sw_deck_card *card, int *points)
{
    int64_t n;
    const int64_t *element;
    *points = 0;
    if (card->n_lines == 0)
        return SW_OK;
    SW_TRY(sw_deck_elements_of(deck, card, 0, 0, &n, &element));
    const sw_formulation *of = n > 0 ? deck->element[element[0]].formulation : NULL;
    *points = of != NULL && card->data[0].n_fields > 1 + (of->topology->dimension == 3 ? 6 : 4);
    return SW_OK;
}

sw_status sw_deck_read_initial_strains(sw_deck *deck, const sw_deck_card *card, int is_stress)
{
    int points = 1;
    if (is_stress && deck->dialect == SW_DECK_ABAQUS)
        SW_TRY(tell_points(deck, card, &points));
    if (!points)
        return read_stresses(deck, card);
    return read_strains(deck, card, is_stress, &deck->steps->n_strains, &deck->steps->strain);
}

/* Lines "element or set, plastic strain"; backstresses, which may follow, have to be 0. */
sw_status sw_deck_read_initial_hardening(sw_deck *deck, const sw_deck_card *card)
{
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n;
        const int64_t *element;
        double plastic, back;
        SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &element));
        SW_TRY(sw_deck_number(card, i, 1, NAN, &plastic));
        if (!(plastic >= 0))
            return sw_deck_complain_line(card, i,
                                         "need an element or set, and a plastic strain of 0 or more");
        for (int k = 2; k < card->data[i].n_fields; k++) {
            SW_TRY(sw_deck_number(card, i, k, 0, &back));
            if (back != 0)
                return sw_deck_complain_at(card, i, "first backstresses are not computed");
        }
        for (int64_t j = 0; j < n && plastic > 0; j++) {
            const sw_deck_element *e = &deck->element[element[j]];
            if (e->formulation == NULL)
                return sw_deck_complain_at(card, i, "element %" PRId64 " is of type %s: need a solid",
                                           e->label, e->type->name);
            SW_TRY(SW_DECK_ROOM(deck->steps->strain, deck->steps->n_strains));
            deck->steps->strain[deck->steps->n_strains++] =
                (sw_structure_strain){.element = (int32_t)element[j], .is_hardening = 1, .value = {plastic}};
        }
    }
    return SW_OK;
}

sw_status sw_deck_read_initial_strain_increase(sw_deck *deck, const sw_deck_card *card)
{
    sw_structure_step *step = step_of(deck);
    SW_TRY(sw_deck_need_parameters(card, " "));
    return read_strains(deck, card, 0, &step->n_strains, &step->strain);
}
