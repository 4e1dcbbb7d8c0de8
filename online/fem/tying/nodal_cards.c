/* NODAL THICKNESS and NORMAL: what shells and beams have in their nodes. */
#include "shared.h"

#include <math.h>
#include <string.h>

sw_status sw_deck_read_nodal_thickness(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_need_parameters(card, " "));
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

double sw_deck_thickness_of(const sw_deck *deck, int64_t node)
{
    return deck->tying != NULL && node < deck->tying->n ? deck->tying->thickness[node][0] : 0;
}

sw_status sw_deck_read_normal(sw_deck *deck, const sw_deck_card *card)
{
    sw_deck_tying *tying;
    SW_TRY(sw_deck_need_parameters(card, " "));
    SW_TRY(sw_deck_tying_of(deck, &tying));
    for (int64_t i = 0; i < card->n_lines; i++) {
        struct sw_deck_normal normal;
        int64_t n;
        const int64_t *member;
        SW_TRY(sw_deck_elements_of(deck, card, i, 0, &n, &member));
        normal.element = n == 1 ? member[0] : -1;
        SW_TRY(sw_deck_nodes_of(deck, card, i, 1, &n, &member));
        normal.node = n == 1 ? member[0] : -1;
        if (normal.element < 0 || normal.node < 0)
            return sw_deck_complain_at(card, i, "need one element and one node");
        SW_TRY(sw_deck_direction(deck, card, i, 2, normal.along));
        SW_TRY(SW_DECK_ROOM(tying->normals, tying->n_normals));
        tying->normals[tying->n_normals++] = normal;
    }
    return SW_OK;
}
