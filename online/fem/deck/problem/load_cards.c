/* *DLOAD and *DSLOAD: what acts on faces and in bodies. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "online/fem/deck/model.h"
#include "steps.h"

enum { BODY = 0 }; /* `part` of what acts in a body */

/* What a line's label and numbers say of any element; part: of a face the number after P, else BODY. */
static sw_status read_label(const sw_deck *deck, const sw_deck_card *card, int64_t i, const char *label,
                            sw_deck_condition *load)
{
    SW_TRY(sw_deck_need_number(card, i, 2, "a magnitude", &load->to));
    load->part = BODY;
    if (strcasecmp(label, "GRAV") == 0) {
        load->load = SW_STRUCTURE_GRAVITY;
        return sw_deck_direction(deck, card, i, 3, load->direction);
    }
    if (strcasecmp(label, "CENTRIF") == 0) {
        load->load = SW_STRUCTURE_SPIN;
        for (int k = 0; k < 3; k++)
            SW_TRY(sw_deck_number(card, i, 3 + k, 0, &load->point[k]));
        return sw_deck_direction(deck, card, i, 6, load->direction);
    }
    if ((label[0] == 'B' || label[0] == 'b') && label[1] != '\0' && strchr("XYZxyz", label[1]) != NULL &&
        label[2] == '\0') {
        load->load = SW_STRUCTURE_BODY_FORCE;
        load->direction[(label[1] | 32) - 'x'] = 1;
        return SW_OK;
    }
    if (deck->dialect == SW_DECK_ABAQUS && (label[0] | 32) == 'p' && label[1] != '\0' &&
        strchr("XYZxyz", label[1]) != NULL && label[2] == '\0') {
        load->load = SW_STRUCTURE_BODY_FORCE;
        load->part = SW_DECK_BY_LENGTH;
        load->direction[(label[1] | 32) - 'x'] = 1;
        return SW_OK;
    }
    load->load = SW_STRUCTURE_PRESSURE;
    if ((label[0] == 'P' || label[0] == 'p') && (label[1] == '\0' || (label[1] >= '1' && label[1] <= '6')) &&
        (label[1] == '\0' || label[2] == '\0'))
        load->part = label[1] == '\0' ? SW_DECK_SNEG : label[1] - '1';
    else if (strncasecmp(label, "EDNOR", 5) == 0 && label[5] >= '1' && label[5] <= '4' && label[6] == '\0')
        load->part = SW_DECK_EDGE + label[5] - '1';
    else
        return sw_deck_complain_at(
            card, i,
            "load %.40s is not computed: need P, P1 to P6, EDNOR1 to EDNOR4, GRAV, CENTRIF, "
            "BX, BY or BZ, of Abaqus' beams PX, PY or PZ",
            label);
    return SW_OK;
}

/* Whether a load may act on an element. */
static sw_status check(const sw_deck *deck, const sw_deck_card *card, int64_t i, const char *label,
                       const sw_deck_element *e, const sw_deck_condition *load)
{
    const int by_length = load->load == SW_STRUCTURE_BODY_FORCE && load->part == SW_DECK_BY_LENGTH,
              is_beam = e->type->kind == SW_DECK_BEAM, pressure = load->load == SW_STRUCTURE_PRESSURE;
    if ((by_length && !is_beam) ||
        (deck->dialect == SW_DECK_ABAQUS && is_beam && pressure && (load->part > 1 || label[1] == '\0')))
        return sw_deck_complain_at(card, i, "load %.20s of element %" PRId64 " of type %s is not computed%s",
                                   label, e->label, e->type->name,
                                   is_beam ? ": need P1, P2, PX, PY or PZ" : "");
    if (load->load != SW_STRUCTURE_PRESSURE)
        return SW_OK;
    const int edge = (label[0] | 32) == 'e', whole = label[1] == '\0';
    if ((e->formulation != NULL && (edge || whole)) || !sw_deck_has_face(e, load->part))
        return sw_deck_complain_at(card, i, "element %" PRId64 " of type %s has no face of %.20s", e->label,
                                   e->type->name, label);
    const sw_deck_element_kind kind = e->type->kind;
    return e->formulation == NULL && kind != SW_DECK_SHELL && kind != SW_DECK_MEMBRANE && kind != SW_DECK_BEAM
               ? sw_deck_complain_at(card, i, "load %.20s on elements of type %s is not computed", label,
                                     e->type->name)
               : SW_OK;
}

/* Elements of field 0, or all of them where gravity leaves it empty. */
static sw_status elements_of(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t *n,
                             const int64_t **element)
{
    *element = NULL;
    *n = deck->n_elements;
    return *sw_deck_field(card, i, 0) == '\0' ? SW_OK : sw_deck_elements_of(deck, card, i, 0, n, element);
}

sw_status sw_deck_read_dload(sw_deck *deck, const sw_deck_card *card)
{
    int amplitude;
    SW_TRY(sw_deck_need_parameters(card, " OP AMPLITUDE TIMEDELAY REGIONTYPE "));
    SW_TRY(sw_deck_begin_conditions(deck, card, SW_DECK_LOAD, &amplitude));
    for (int64_t i = 0; i < card->n_lines; i++) {
        const char *label = sw_deck_field(card, i, 1);
        sw_deck_condition load = {.amplitude = amplitude, .line = &card->data[i]};
        int64_t n;
        const int64_t *element;
        SW_TRY(elements_of(deck, card, i, &n, &element));
        SW_TRY(read_label(deck, card, i, label, &load));
        for (int64_t j = 0; j < n; j++) {
            load.of = element != NULL ? element[j] : j;
            SW_TRY(check(deck, card, i, label, &deck->element[load.of], &load));
            sw_deck_condition one = load;
            if (deck->element[load.of].type->kind == SW_DECK_BEAM && one.part == 1 &&
                one.load == SW_STRUCTURE_PRESSURE)
                one.part = 4; /* P2 acts along direction 2: on S5 */
            SW_TRY(sw_deck_add_condition(deck, SW_DECK_LOAD, &one));
        }
    }
    return SW_OK;
}

/* Unless they say otherwise vectors turn with their surface and count by its present area, as Abaqus has it. */
static sw_status read_pull(const sw_deck_card *card, sw_pull *pull)
{
    int follows, resultant;
    SW_TRY(sw_deck_yes_or_no(card, "FOLLOWER", 1, &follows));
    SW_TRY(sw_deck_yes_or_no(card, "CONSTANTRESULTANT", 0, &resultant));
    *pull = (follows ? SW_PULL_TURNS : 0) | (resultant ? 0 : SW_PULL_SPREADS);
    return SW_OK;
}

sw_status sw_deck_read_dsload(sw_deck *deck, const sw_deck_card *card)
{
    int amplitude;
    sw_pull pull;
    SW_TRY(sw_deck_need_parameters(card, " OP AMPLITUDE TIMEDELAY REGIONTYPE FOLLOWER CONSTANTRESULTANT "));
    SW_TRY(read_pull(card, &pull));
    SW_TRY(sw_deck_begin_conditions(deck, card, SW_DECK_LOAD, &amplitude));
    for (int64_t i = 0; i < card->n_lines; i++) {
        const char *name = sw_deck_field(card, i, 0), *label = sw_deck_field(card, i, 1);
        const int64_t set = sw_deck_find_set(deck, SW_FEM_SURFACE, name);
        sw_deck_condition load = {
            .load = SW_STRUCTURE_PRESSURE, .amplitude = amplitude, .line = &card->data[i]};
        if (set < 0)
            return sw_deck_no_name(deck, card, i, SW_FEM_SURFACE, name);
        if (deck->set[set].of_nodes)
            return sw_deck_complain_at(card, i, "surface %.80s is of nodes: need one of faces", name);
        SW_TRY(sw_deck_need_number(card, i, 2, "a magnitude", &load.to));
        if (strcasecmp(label, "TRVEC") == 0) {
            load.load = SW_STRUCTURE_TRACTION;
            load.pull = pull;
            SW_TRY(sw_deck_direction(deck, card, i, 3, load.direction));
        } else if (strcasecmp(label, "P") != 0)
            return sw_deck_complain_at(card, i, "load %.40s is not computed: need P or TRVEC", label);
        for (int64_t j = 0; j < deck->set[set].n; j++) {
            load.of = deck->set[set].member[j] / 8;
            load.part = (int)(deck->set[set].member[j] % 8);
            SW_TRY(sw_deck_add_condition(deck, SW_DECK_LOAD, &load));
        }
    }
    return SW_OK;
}

/* Tables go by temperature alone; a user's subroutine gets none. */
sw_status sw_deck_read_field(sw_deck *deck, const sw_deck_card *card)
{
    for (int i = 0; i < deck->problem.n_matters; i++)
        if (deck->problem.matter[i].n_constants > 0 || deck->problem.matter[i].umat != NULL)
            return sw_deck_complain(card,
                                    "field variables are not computed, and material %.80s may ask for them",
                                    deck->problem.matter[i].name);
    return SW_OK;
}
