/* Keywords that make nodes and elements from others: NGEN, NFILL, ELGEN, NCOPY, ELCOPY. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model.h"

enum { MOST = 1000000 }; /* nodes or elements that a line makes */
#define BIAS_MOST 1e3    /* of an interval over the next */

/* A set to add to, where the parameter is given; -1: none. */
static sw_status open_set(sw_deck *deck, const sw_deck_card *card, sw_fem_set_kind kind, const char *key,
                          int64_t *set)
{
    const char *name = sw_deck_parameter(card, key);
    *set = -1;
    return name != NULL ? sw_deck_open_set(deck, kind, name, set) : SW_OK;
}

static sw_status put(sw_deck *deck, int64_t set, int64_t member)
{
    return set >= 0 ? sw_deck_add_members(deck, set, 1, &member) : SW_OK;
}

/* An interval over the next, or of pairs of intervals that are alike. */
typedef struct {
    double ratio;
    int pairs;
} bias;

/* Where j intervals end, of which the first is 1 long. */
static double end_of(const bias *b, int64_t j)
{
    const double q = 1 / b->ratio;
    const int64_t whole = b->pairs ? j / 2 : j, half = b->pairs ? j % 2 : 0;
    if (q == 1)
        return (double)j;
    return (b->pairs ? 2 : 1) * (pow(q, (double)whole) - 1) / (q - 1) + (double)half * pow(q, (double)whole);
}

/* Nodes between two, `of` steps in all: labels rise from the first by `step`. */
static sw_status fill_between(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t first, int64_t last,
                              int64_t label, int64_t step, int64_t of, const bias *b, int64_t set)
{
    SW_TRY(put(deck, set, first));
    for (int64_t j = 1; j < of; j++) {
        double at[3];
        int64_t made;
        const double part = end_of(b, j) / end_of(b, of);
        for (int k = 0; k < 3; k++)
            at[k] = deck->node[first].at[k] + (deck->node[last].at[k] - deck->node[first].at[k]) * part;
        SW_TRY(sw_deck_place_node(deck, card, i, label + j * step, at, &made));
        SW_TRY(put(deck, set, made));
    }
    return put(deck, set, last);
}

sw_status sw_deck_read_ngen(sw_deck *deck, const sw_deck_card *card)
{
    int64_t set;
    SW_TRY(sw_deck_need_parameters(card, " NSET "));
    SW_TRY(open_set(deck, card, SW_FEM_NODES, "NSET", &set));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t label[3], node[2];
        for (int k = 0; k < 3; k++)
            SW_TRY(sw_deck_integer(card, i, k, k == 2 ? 1 : 0, &label[k]));
        for (int k = 0; k < 2; k++)
            if ((node[k] = sw_deck_find_node(deck, label[k])) < 0)
                return sw_deck_complain_at(card, i, "there is no node %" PRId64, label[k]);
        const int64_t span = label[1] - label[0], step = span < 0 ? -llabs(label[2]) : llabs(label[2]);
        if (step == 0 || span % step != 0 || span / step > MOST)
            return sw_deck_complain_at(card, i,
                                       "from %" PRId64 " to %" PRId64 " in steps of %" PRId64
                                       ": need a whole number of steps, of at most %d",
                                       label[0], label[1], label[2], MOST);
        SW_TRY(
            fill_between(deck, card, i, node[0], node[1], label[0], step, span / step, &(bias){1, 0}, set));
    }
    return SW_OK;
}

sw_status sw_deck_read_nfill(sw_deck *deck, const sw_deck_card *card)
{
    int64_t set;
    bias b = {.pairs = sw_deck_parameter(card, "TWOSTEP") != NULL};
    SW_TRY(sw_deck_need_parameters(card, " NSET BIAS TWOSTEP "));
    SW_TRY(sw_deck_real_parameter(card, "BIAS", 1, &b.ratio));
    if (!(b.ratio >= 1 / BIAS_MOST && b.ratio <= BIAS_MOST))
        return sw_deck_complain(card, "BIAS=%g: need %g to %g", b.ratio, 1 / BIAS_MOST, BIAS_MOST);
    SW_TRY(open_set(deck, card, SW_FEM_NODES, "NSET", &set));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t of, step, n[2], place[2];
        for (int k = 0; k < 2; k++) {
            place[k] = sw_deck_find_set(deck, SW_FEM_NODES, sw_deck_field(card, i, k));
            if (place[k] < 0)
                return sw_deck_no_name(deck, card, i, SW_FEM_NODES, sw_deck_field(card, i, k));
            n[k] = deck->set[place[k]].n;
        }
        SW_TRY(sw_deck_integer(card, i, 2, 1, &of));
        SW_TRY(sw_deck_integer(card, i, 3, 1, &step));
        if (of < 1 || of > MOST)
            return sw_deck_complain_at(card, i, "%" PRId64 " intervals: need 1 to %d", of, MOST);
        if (!isfinite(end_of(&b, of)))
            return sw_deck_complain_at(card, i, "%" PRId64 " intervals with BIAS=%g: need fewer", of,
                                       b.ratio);
        for (int64_t j = 0; j < n[0] && j < n[1]; j++) {
            const int64_t first = deck->set[place[0]].member[j], last = deck->set[place[1]].member[j];
            const int64_t label = deck->node[first].label - deck->instance[deck->scope].offset;
            SW_TRY(fill_between(deck, card, i, first, last, label, step, of, &b, set));
        }
    }
    return SW_OK;
}

/* Label of an element or node in the scope at hand. */
static int64_t own_label(const sw_deck *deck, int64_t shown)
{
    return shown - deck->instance[deck->scope].offset;
}

/* A copy of an element with its number and its nodes' shifted. */
static sw_status copy_element(sw_deck *deck, const sw_deck_card *card, int64_t i, int64_t from, int64_t label,
                              int64_t shift, int64_t set)
{
    const sw_deck_element element = deck->element[from];
    int64_t node[SW_FORMULATION_NODES], made;
    for (int k = 0; k < element.n_nodes; k++)
        node[k] = sw_deck_member_label(deck, element.first + k) + shift;
    SW_TRY(sw_deck_new_element(deck, card, i, label, element.type, node, &made));
    return put(deck, set, made);
}

/* master, then up to three times: how many, step of nodes, step of elements. */
sw_status sw_deck_read_elgen(sw_deck *deck, const sw_deck_card *card)
{
    int64_t set;
    SW_TRY(sw_deck_need_parameters(card, " ELSET "));
    SW_TRY(open_set(deck, card, SW_FEM_ELEMENTS, "ELSET", &set));
    for (int64_t i = 0; i < card->n_lines; i++) {
        int64_t f[10];
        for (int k = 0; k < 10; k++)
            SW_TRY(sw_deck_integer(card, i, k, k == 0 ? 0 : 1, &f[k]));
        const int64_t master = sw_deck_find_element(deck, f[0]);
        if (master < 0)
            return sw_deck_complain_at(card, i, "there is no element %" PRId64, f[0]);
        if (f[1] < 1 || f[4] < 1 || f[7] < 1 || f[1] > MOST / f[4] / f[7])
            return sw_deck_complain_line(card, i, "need numbers of elements of 1 or more");
        SW_TRY(put(deck, set, master));
        for (int64_t c = 0; c < f[7]; c++)
            for (int64_t b = 0; b < f[4]; b++)
                for (int64_t a = 0; a < f[1]; a++)
                    if (a + b + c > 0)
                        SW_TRY(copy_element(deck, card, i, master, f[0] + a * f[3] + b * f[6] + c * f[9],
                                            a * f[2] + b * f[5] + c * f[8], set));
    }
    return SW_OK;
}

/* What labels are raised by. */
static sw_status need_step(const sw_deck_card *card, const char *key, int64_t *number)
{
    const char *text;
    SW_TRY(sw_deck_need_value(card, key, &text));
    return sw_deck_whole_parameter(card, key, -INT32_MAX, INT32_MAX, 0, number);
}

/* SHIFT: by the translation of the first line, and the rotation of the second. */
sw_status sw_deck_read_ncopy(sw_deck *deck, const sw_deck_card *card)
{
    int old;
    int64_t set, step;
    double by[3], about[7] = {0};
    sw_deck_scope motion;
    SW_TRY(sw_deck_need_parameters(card, " CHANGENUMBER OLDSET NEWSET SHIFT "));
    SW_TRY(sw_deck_need_named(deck, card, "OLDSET", SW_FEM_NODES, &old));
    SW_TRY(need_step(card, "CHANGENUMBER", &step));
    if (sw_deck_parameter(card, "SHIFT") == NULL)
        return sw_deck_complain(card, "needs SHIFT");
    SW_TRY(open_set(deck, card, SW_FEM_NODES, "NEWSET", &set));
    SW_TRY(sw_deck_need_lines(card, 1, 2));
    for (int k = 0; k < 3; k++)
        SW_TRY(sw_deck_number(card, 0, k, 0, &by[k]));
    for (int k = 0; k < 7; k++)
        SW_TRY(sw_deck_number(card, 1, k, 0, &about[k]));
    SW_TRY(sw_deck_motion(card, by, about, &motion));
    const int64_t n = deck->set[old].n;
    for (int64_t j = 0; j < n; j++) {
        const sw_deck_node node = deck->node[deck->set[old].member[j]];
        double at[3];
        int64_t made;
        sw_deck_move(&motion, node.at, at);
        SW_TRY(sw_deck_place_node(deck, card, -1, own_label(deck, node.label) + step, at, &made));
        SW_TRY(put(deck, set, made));
    }
    return SW_OK;
}

sw_status sw_deck_read_elcopy(sw_deck *deck, const sw_deck_card *card)
{
    int old;
    int64_t set, step, shift;
    SW_TRY(sw_deck_need_parameters(card, " ELEMENTSHIFT SHIFTNODES OLDSET NEWSET "));
    SW_TRY(sw_deck_need_named(deck, card, "OLDSET", SW_FEM_ELEMENTS, &old));
    SW_TRY(need_step(card, "ELEMENTSHIFT", &step));
    SW_TRY(need_step(card, "SHIFTNODES", &shift));
    SW_TRY(open_set(deck, card, SW_FEM_ELEMENTS, "NEWSET", &set));
    const int64_t n = deck->set[old].n;
    for (int64_t j = 0; j < n; j++) {
        const int64_t from = deck->set[old].member[j];
        SW_TRY(copy_element(deck, card, -1, from, own_label(deck, deck->element[from].label) + step, shift,
                            set));
    }
    return SW_OK;
}
