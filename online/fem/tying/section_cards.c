#include "shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- SHELL SECTION, MEMBRANE SECTION ---- */

static sw_status read_offset(const sw_deck_card *card, const char *key, double *offset)
{
    const char *value = sw_deck_parameter(card, key);
    char *end = NULL;
    *offset = 0;
    if (value == NULL)
        return SW_OK;
    if (strcasecmp(value, "SPOS") == 0 || strcasecmp(value, "SNEG") == 0) {
        *offset = value[1] == 'P' || value[1] == 'p' ? 0.5 : -0.5;
        return SW_OK;
    }
    *offset = strtod(value, &end);
    return end != value && *end == '\0' && isfinite(*offset)
               ? SW_OK
               : sw_deck_complain(card, "%s=%.40s: need a number of thicknesses", key, value);
}

/* A material's or an orientation's place by the name in field k; -1 where the field is empty. */
static sw_status find_in_line(const sw_deck *deck, const sw_deck_card *card, int64_t i, int k, int kind,
                              int *place)
{
    const char *name = sw_deck_field(card, i, k);
    *place = *name != '\0' ? (int)sw_deck_find_name(deck, kind, name) : -1;
    return *name != '\0' && *place < 0
               ? sw_deck_complain_at(card, i, "there is no %s %.80s",
                                     kind == SW_DECK_MATERIAL ? "material" : "orientation", name)
               : SW_OK;
}

static sw_status read_layers(sw_deck *deck, const sw_deck_card *card, sw_deck_section *section)
{
    SW_TRY(sw_deck_need_lines(card, 1, -1));
    SW_TRY(SW_ALLOCATE(section->layer, card->n_lines, "layers of a shell"));
    section->thickness = 0;
    for (int64_t i = 0; i < card->n_lines; i++) {
        struct sw_deck_layer *layer = &section->layer[i];
        SW_TRY(sw_deck_number(card, i, 0, 0, &layer->thickness));
        if (!(layer->thickness > 0))
            return sw_deck_complain_at(card, i, "thickness %g: need more than 0", layer->thickness);
        SW_TRY(find_in_line(deck, card, i, 2, SW_DECK_MATERIAL, &layer->material));
        SW_TRY(find_in_line(deck, card, i, 3, SW_DECK_ORIENTATION, &layer->orientation));
        if (layer->material < 0)
            return sw_deck_complain_at(card, i, "a layer needs a material in field 3");
        section->thickness += layer->thickness;
        section->n_layers++;
    }
    section->material = section->layer[0].material;
    return SW_OK;
}

sw_status sw_deck_read_shell_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    double offset;
    SW_TRY(sw_deck_need_parameters(card, " ELSET MATERIAL ORIENTATION OFFSET NODALTHICKNESS COMPOSITE "));
    SW_TRY(read_offset(card, "OFFSET", &offset));
    SW_TRY(sw_deck_new_section(deck, card, &section));
    section->offset = offset;
    if (sw_deck_parameter(card, "COMPOSITE") != NULL)
        return read_layers(deck, card, section);
    if (section->material < 0)
        return sw_deck_complain(card, "needs MATERIAL= or COMPOSITE");
    SW_TRY(sw_deck_number(card, 0, 0, 0, &section->thickness));
    if (!(section->thickness > 0) && sw_deck_parameter(card, "NODALTHICKNESS") == NULL)
        return sw_deck_complain(card, "thickness %g: need more than 0", section->thickness);
    return SW_OK;
}

/* ---- BEAM SECTION ---- */

/* Numbers of the first line; sizes of the rectangle around: see sw_deck_section. */
static sw_status set_size(const sw_deck *deck, const sw_deck_card *card, int n, const double *number,
                          sw_deck_section *section)
{
    double *size = section->size;
    for (int k = 0; k < n; k++)
        if (!(number[k] > 0))
            return sw_deck_complain_at(card, 0, "number %d of section %s is %g: need more than 0", k + 1,
                                       section->shape, number[k]);
    if (strcmp(section->shape, "PIPE") == 0) {
        if (!(number[1] < number[0]))
            return sw_deck_complain_at(card, 0, "the wall of the pipe is %g, its outer radius %g", number[1],
                                       number[0]);
        size[0] = size[1] = 2 * number[0];
        size[2] = number[0];
        size[3] = number[1];
    } else
        memcpy(size, number, (size_t)n * sizeof *size);
    if (strcmp(section->shape, "CIRC") == 0 && deck->dialect == SW_DECK_ABAQUS)
        size[0] = size[1] = 2 * number[0]; /* its radius, where CalculiX has the axes' lengths */
    return SW_OK;
}

static sw_status read_beam_lines(const sw_deck *deck, const sw_deck_card *card, sw_deck_section *section)
{
    static const struct {
        const char *shape;
        int n;
    } shapes[] = {{"RECT", 2}, {"CIRC", 2}, {"PIPE", 2}, {"BOX", 6}};
    const char *shape = sw_deck_parameter(card, "SECTION");
    double number[6];
    int n = 0;
    for (size_t k = 0; shape != NULL && k < sizeof shapes / sizeof *shapes; k++)
        if (strcasecmp(shape, shapes[k].shape) == 0) {
            n = shapes[k].n;
            strcpy(section->shape, shapes[k].shape);
        }
    if (n == 0)
        return sw_deck_complain(card, "SECTION=%.40s: need RECT, CIRC, PIPE or BOX",
                                shape != NULL ? shape : "");
    SW_TRY(sw_deck_need_lines(card, 1, 2));
    for (int k = 0; k < n; k++)
        SW_TRY(sw_deck_number(card, 0, k, k > 0 ? number[k - 1] : 0, &number[k]));
    SW_TRY(set_size(deck, card, n, number, section));
    for (int k = 0; k < 3; k++)
        SW_TRY(sw_deck_number(card, 1, k, k == 2 && card->n_lines < 2 ? -1 : 0, &section->direction[k]));
    const double *d = section->direction;
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 0
               ? SW_OK
               : sw_deck_complain_at(card, 1, "the first direction has no length");
}

sw_status sw_deck_read_beam_section(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_section *section;
    SW_TRY(sw_deck_need_parameters(
        card, " ELSET MATERIAL ORIENTATION SECTION OFFSET1 OFFSET2 NODALTHICKNESS TEMPERATURE "));
    SW_TRY(sw_deck_new_section(deck, card, &section));
    if (section->material < 0)
        return sw_deck_complain(card, "needs MATERIAL=");
    SW_TRY(read_offset(card, "OFFSET1", &section->size[6]));
    SW_TRY(read_offset(card, "OFFSET2", &section->size[7]));
    return read_beam_lines(deck, card, section);
}

/* ---- NODAL THICKNESS, NORMAL ---- */

sw_status sw_deck_read_nodal_thickness(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t n;
        const int64_t *node;
        double size[2];
        SW_TRY(sw_deck_number(card, i, 1, 0, &size[0]));
        SW_TRY(sw_deck_number(card, i, 2, size[0], &size[1]));
        if (!(size[0] > 0 && size[1] > 0))
            return sw_deck_complain_at(card, i, "thickness %g: need more than 0", fmin(size[0], size[1]));
        SW_TRY(sw_deck_nodes_of(deck, card, i, 0, &n, &node));
        for (int64_t k = 0; k < n; k++)
            memcpy(tying->thickness[node[k]], size, sizeof size);
    }
    return SW_OK;
}

sw_status sw_deck_read_normal(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_tying_of(deck, &tying));
    for (int64_t i = 0; i < card->n_lines; i++) {
        struct sw_deck_normal normal;
        int64_t n;
        const int64_t *member;
        double length = 0;
        SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &member));
        normal.element = n == 1 ? member[0] : -1;
        SW_TRY(sw_deck_nodes_of(deck, card, i, 1, &n, &member));
        normal.node = n == 1 ? member[0] : -1;
        if (normal.element < 0 || normal.node < 0)
            return sw_deck_complain_at(card, i, "need one element and one node");
        for (int k = 0; k < 3; k++) {
            SW_TRY(sw_deck_number(card, i, 2 + k, 0, &normal.along[k]));
            length += normal.along[k] * normal.along[k];
        }
        if (!(length > 0))
            return sw_deck_complain_at(card, i, "the normal has no length");
        for (int k = 0; k < 3; k++)
            normal.along[k] /= sqrt(length);
        SW_TRY(SW_DECK_ROOM(tying->normals, tying->n_normals));
        tying->normals[tying->n_normals++] = normal;
    }
    return SW_OK;
}
