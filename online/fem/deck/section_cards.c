/* Sections of shells, membranes and beams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model.h"

static sw_status read_offset(const sw_deck_card *card, const char *key, double *offset)
{
    const char *text = sw_deck_parameter(card, key);
    const int above = text != NULL && strcasecmp(text, "SPOS") == 0;
    *offset = above ? 0.5 : -0.5;
    return above || (text != NULL && strcasecmp(text, "SNEG") == 0)
               ? SW_OK
               : sw_deck_real_parameter(card, key, 0, offset);
}

static sw_status positive(const sw_deck_card *card, int64_t i, int k, const char *what, double *value)
{
    SW_TRY(sw_deck_number(card, i, k, 0, value));
    return *value > 0 ? SW_OK : sw_deck_complain_at(card, i, "%s %g: need more than 0", what, *value);
}

/* Lines "thickness, points, material, orientation", from the negative side. */
static sw_status read_layers(sw_deck *deck, const sw_deck_card *card, sw_deck_section *section)
{
    SW_TRY(sw_deck_need_lines(card, 1, 1000));
    SW_TRY(SW_ALLOCATE(section->layer, card->n_lines, "layers of a section"));
    section->thickness = 0;
    for (int64_t i = 0; i < card->n_lines; i++) {
        struct sw_deck_layer *layer = &section->layer[section->n_layers++];
        const char *material = sw_deck_field(card, i, 2), *orientation = sw_deck_field(card, i, 3);
        SW_TRY(positive(card, i, 0, "thickness", &layer->thickness));
        section->thickness += layer->thickness;
        layer->material = (int)sw_deck_find_name(deck, SW_DECK_MATERIAL, material);
        layer->orientation = section->orientation;
        if (layer->material < 0)
            return sw_deck_no_name(deck, card, i, SW_DECK_MATERIAL, material);
        if (*orientation == '\0')
            continue;
        layer->orientation = (int)sw_deck_find_name(deck, SW_DECK_ORIENTATION, orientation);
        if (layer->orientation < 0)
            return sw_deck_no_name(deck, card, i, SW_DECK_ORIENTATION, orientation);
    }
    return SW_OK;
}

static sw_status need_material(const sw_deck_card *card, const sw_deck_section *section)
{
    return section->material >= 0 ? SW_OK : sw_deck_complain(card, "needs MATERIAL=");
}

sw_status sw_deck_read_shell_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    SW_TRY(sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION OFFSET COMPOSITE NODALTHICKNESS "));
    SW_TRY(sw_deck_new_section(deck, card, &section));
    SW_TRY(read_offset(card, "OFFSET", &section->offset));
    if (sw_deck_parameter(card, "COMPOSITE") != NULL)
        return read_layers(deck, card, section);
    SW_TRY(need_material(card, section));
    if (sw_deck_parameter(card, "NODALTHICKNESS") != NULL)
        return sw_deck_number(card, 0, 0, 1, &section->thickness);
    return positive(card, 0, 0, "thickness", &section->thickness);
}

sw_status sw_deck_read_membrane_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    SW_TRY(sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION OFFSET "));
    SW_TRY(sw_deck_new_section(deck, card, &section));
    SW_TRY(read_offset(card, "OFFSET", &section->offset));
    SW_TRY(need_material(card, section));
    return positive(card, 0, 0, "thickness", &section->thickness);
}

/* size: RECT both sides; CIRC Abaqus' radius, CalculiX' two diameters; PIPE radius and wall; BOX both sides and four walls. Their line, then that of
 * local direction 1, which may be left out: 0, 0, -1. */
sw_status sw_deck_read_beam_section(sw_deck *deck, const sw_deck_card *card)
{
    static const struct {
        const char *name;
        int least, n;
    } shapes[] = {{"RECT", 1, 2}, {"CIRC", 1, 2}, {"PIPE", 2, 2}, {"BOX", 6, 6}};
    const char *shape;
    int s = 0;
    double offset[2];
    sw_deck_section *section;
    SW_TRY(
        sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION SECTION OFFSET1 OFFSET2 NODALTHICKNESS "));
    SW_TRY(sw_deck_need_value(card, "SECTION", &shape));
    SW_TRY(sw_deck_new_section(deck, card, &section));
    SW_TRY(need_material(card, section));
    SW_TRY(read_offset(card, "OFFSET1", &offset[0]));
    SW_TRY(read_offset(card, "OFFSET2", &offset[1]));
    while (s < 4 && strcasecmp(shape, shapes[s].name) != 0)
        s++;
    if (s == 4)
        return sw_deck_complain(card, "SECTION=%.40s is not computed: need RECT, CIRC, PIPE or BOX", shape);
    SW_TRY(sw_deck_need_lines(card, 1, 2));
    snprintf(section->shape, sizeof section->shape, "%s", shapes[s].name);
    for (int k = 0; k < shapes[s].n; k++) {
        section->size[k] = section->size[0];
        if (k < shapes[s].least || *sw_deck_field(card, 0, k) != '\0')
            SW_TRY(positive(card, 0, k, "size", &section->size[k]));
    }
    section->size[6] = offset[0];
    section->size[7] = offset[1];
    if (card->n_lines > 1)
        return sw_deck_direction(deck, card, 1, 0, section->direction);
    section->direction[2] = -1;
    sw_deck_turn_direction(deck, section->direction);
    return SW_OK;
}

/* What controls are of hourglass modes changes nothing where there are none. */
sw_status sw_deck_read_section_controls(sw_deck *deck, const sw_deck_card *card)
{
    SW_TRY(sw_deck_need_parameters(card, " NAME HOURGLASS "));
    for (int64_t i = 0; i < card->n_lines; i++)
        for (int k = 0; k < card->data[i].n_fields; k++)
            if (*sw_deck_field(card, i, k) != '\0')
                return sw_deck_complain_line(card, i, "factors are not computed: need an empty line");
    for (int64_t e = 0; e < deck->n_elements; e++) {
        const char *type = deck->element[e].type->name;
        if (strcmp(type, "C3D8R") == 0 || strcmp(type, "M3D4R") == 0 ||
            (strcmp(type, "S4R") == 0 && deck->dialect == SW_DECK_CALCULIX) || strstr(type, "4R") == type + 3)
            return sw_deck_complain(card, "elements of type %s are there: hourglass control has one size",
                                    type);
    }
    return SW_OK;
}
