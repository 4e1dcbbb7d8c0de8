/* *DISTRIBUTION: orientations that go from element to element. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model.h"
#include "tying.h"

/* Axes as an orientation has them, by the two points of line i: their place in deck->axes. */
static sw_status read_axes(sw_deck *deck, const sw_deck_card *card, int64_t i, const sw_deck_axes *of,
                           int32_t *place)
{
    sw_deck_axes axes = {.system = of->system, .turn_axis = of->turn_axis, .turn = of->turn};
    if (card->data[i].n_fields != 7)
        return sw_deck_complain_at(card, i, "%d fields: need an element or a set, and two points of axes",
                                   card->data[i].n_fields);
    SW_TRY(sw_deck_read_points(deck, card, i, 1, &axes));
    SW_TRY(SW_DECK_ROOM(deck->axes, deck->n_axes));
    *place = deck->n_axes;
    deck->axes[deck->n_axes++] = axes;
    return SW_OK;
}

/* Axes of elements for an orientation, deck->axes[k], which the list moves. */
static sw_status fill(sw_deck *deck, const sw_deck_card *card, int k, int32_t *of)
{
    const sw_deck_axes orientation = deck->axes[k];
    for (int64_t i = 0; i < card->n_lines; i++) {
        int32_t place = -1;
        int64_t n = deck->n_elements;
        const int64_t *element = NULL;
        if (*sw_deck_field(card, i, 0) != '\0')
            SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &element));
        else if (i > 0)
            return sw_deck_complain_at(card, i,
                                       "names no element: the first line alone is that of all others");
        SW_TRY(read_axes(deck, card, i, &orientation, &place));
        for (int64_t j = 0; j < n; j++)
            of[element != NULL ? element[j] : j] = place;
    }
    return SW_OK;
}

sw_status sw_deck_read_distribution(sw_deck *deck, const sw_deck_card *card)
{
    const char *name, *at = sw_deck_parameter(card, "LOCATION");
    int used = 0;
    SW_TRY(sw_deck_need_parameters(card, " NAME LOCATION TABLE "));
    SW_TRY(sw_deck_need_value(card, "NAME", &name));
    if (at != NULL && strcasecmp(at, "ELEMENT") != 0)
        return sw_deck_complain(card, "LOCATION=%.40s is not computed: need ELEMENT", at);
    for (int k = 0; k < deck->n_axes; k++) {
        if (deck->axes[k].distribution == NULL || deck->axes[k].scope != deck->scope ||
            !sw_deck_same_word(deck->axes[k].distribution, name))
            continue;
        int32_t *of;
        used = 1;
        SW_TRY(SW_ALLOCATE(of, deck->n_elements + 1, "orientations of elements"));
        for (int64_t e = 0; e < deck->n_elements; e++)
            of[e] = -1;
        free(deck->axes[k].of);
        deck->axes[k].of = of;
        SW_TRY(fill(deck, card, k, of));
    }
    return used
               ? SW_OK
               : sw_deck_complain(card, "%.80s is not that of an orientation: others are not computed", name);
}

sw_status sw_deck_orientation_at(const sw_deck *deck, int64_t element, int *orientation)
{
    const sw_deck_element *e = &deck->element[element];
    if (*orientation < 0 || deck->axes[*orientation].distribution == NULL)
        return SW_OK;
    const sw_deck_axes *axes = &deck->axes[*orientation];
    const int64_t i = e->n_expanded == SW_DECK_MADE ? e->expanded : element;
    const int place = axes->of != NULL ? axes->of[i] : -1;
    if (place < 0)
        return sw_error(SW_ERR_INPUT, "%s: orientation %s: *DISTRIBUTION %.80s says nothing of element %lld",
                        deck->path, axes->name, axes->distribution, (long long)e->label);
    *orientation = place;
    return SW_OK;
}
