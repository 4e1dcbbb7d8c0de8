/* What is prescribed and loaded, from step to step. In a step loads of a place add up; in a later one they replace what
 * was; what OP=NEW drops is free, or goes to 0. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/math/vector.h"
#include "online/fem/deck/model.h"
#include "steps.h"

static int64_t place_of(sw_deck_condition_kind kind, const sw_deck_condition *c)
{
    return (kind == SW_DECK_LOAD ? (8 * c->of + c->part) * 8 + c->load : 8 * c->of + c->part) + 1;
}

static int same(const sw_deck_condition *a, const sw_deck_condition *b)
{
    return sw_is_same(a->direction, b->direction) && sw_is_same(a->point, b->point) && a->pull == b->pull;
}

/* What acts in a body acts beside what acts there in another direction. */
static int is_directed(sw_deck_condition_kind kind, const sw_deck_condition *c)
{
    return kind == SW_DECK_LOAD && (c->load == SW_STRUCTURE_GRAVITY || c->load == SW_STRUCTURE_SPIN ||
                                    c->load == SW_STRUCTURE_BODY_FORCE);
}

/* The first that a step says of a place takes the place of what earlier ones said. */
static void replace_earlier(sw_deck_conditions *list, int64_t first, sw_deck_condition_kind kind,
                            const sw_deck_condition *by, int step)
{
    for (int64_t i = first; i >= 0; i = list->condition[i].next) {
        sw_deck_condition *c = &list->condition[i];
        if (c->step < step && (!is_directed(kind, by) || same(c, by))) {
            c->to = 0;
            c->amplitude = -1;
        }
    }
}

/* The condition of the place with the same direction; of loads the amplitude, too, where this step gave it. -1: none. */
static int64_t find(const sw_deck_conditions *list, int64_t first, const sw_deck_condition *like, int step)
{
    for (int64_t i = first; i >= 0; i = list->condition[i].next) {
        const sw_deck_condition *c = &list->condition[i];
        if (same(c, like) && (c->step < step || c->amplitude == like->amplitude))
            return i;
    }
    return -1;
}

/* What an absolute amplitude is times: whatever magnitude the line has is not asked. */
static double magnitude_of(const sw_deck *deck, const sw_deck_condition *c)
{
    return c->amplitude >= 0 && deck->problem.amplitude[c->amplitude].absolute ? 1 : c->to;
}

sw_status sw_deck_add_condition(sw_deck *deck, sw_deck_condition_kind kind,
                                const sw_deck_condition *condition)
{
    sw_deck_conditions *list = &deck->steps->present[kind];
    const int step = deck->steps->n_steps, adds = kind == SW_DECK_FORCE || kind == SW_DECK_LOAD;
    const int64_t place = place_of(kind, condition), first = sw_deck_find_label(list->index, 0, place);
    if (adds)
        replace_earlier(list, first, kind, condition, step);
    const int64_t at = adds ? find(list, first, condition, step) : first;
    if (at >= 0) {
        sw_deck_condition *c = &list->condition[at];
        const double to = adds && c->step == step ? c->to : 0;
        c->to = to + magnitude_of(deck, condition);
        c->amplitude = condition->amplitude;
        c->step = step;
        c->line = condition->line;
        memcpy(c->direction, condition->direction, sizeof c->direction);
        return SW_OK;
    }
    SW_TRY(SW_DECK_ROOM(list->condition, list->n));
    list->condition[list->n] = *condition;
    list->condition[list->n].to = magnitude_of(deck, condition);
    list->condition[list->n].step = step;
    list->condition[list->n].next = -1;
    if (first >= 0) {
        list->condition[list->n].next = list->condition[first].next;
        list->condition[first].next = list->n;
    } else
        SW_TRY(sw_deck_add_label(&list->index, 0, place, list->n));
    list->n++;
    return SW_OK;
}

/* ---- OP=NEW ---- */

/* Prescribed values are dropped at once; loads and temperatures go on to `to`. */
static void clear(sw_deck *deck, sw_deck_condition_kind kind)
{
    sw_deck_conditions *list = &deck->steps->present[kind];
    if (deck->steps->cleared & 1u << kind)
        return;
    deck->steps->cleared |= 1u << kind;
    if (kind == SW_DECK_FIXED) {
        sw_deck_free_labels(list->index);
        list->index = NULL;
        list->n = 0;
    }
    for (int64_t i = 0; i < list->n; i++) {
        sw_deck_condition *c = &list->condition[i];
        c->to = kind == SW_DECK_TEMPERATURE ? deck->problem.temperature[c->of] : 0;
        if (kind == SW_DECK_TEMPERATURE)
            memset(c->direction, 0, sizeof c->direction);
        c->amplitude = -1;
    }
}

/* TIME DELAY: an amplitude of its own, that much later. */
static sw_status delay(sw_deck *deck, const sw_deck_card *card, int *amplitude)
{
    sw_structure_problem *p = &deck->problem;
    double by;
    SW_TRY(sw_deck_real_parameter(card, "TIMEDELAY", 0, &by));
    if (*amplitude < 0)
        return sw_deck_complain(card, "TIME DELAY needs AMPLITUDE=");
    SW_TRY(SW_DECK_ROOM(p->amplitude, p->n_amplitudes));
    const sw_structure_amplitude *of = &p->amplitude[*amplitude];
    sw_structure_amplitude made = *of;
    SW_TRY(SW_ALLOCATE(made.row, of->n_rows, "an amplitude"));
    for (int i = 0; i < of->n_rows; i++) {
        const int periodic = of->curve == SW_STRUCTURE_PERIODIC;
        made.row[i][0] = of->row[i][0] + (periodic ? 0 : by);
        made.row[i][1] = of->row[i][1] + (periodic && i == 0 ? by : 0);
    }
    *amplitude = p->n_amplitudes;
    p->amplitude[p->n_amplitudes++] = made;
    return SW_OK;
}

sw_status sw_deck_begin_conditions(sw_deck *deck, const sw_deck_card *card, sw_deck_condition_kind kind,
                                   int *amplitude)
{
    const char *op = sw_deck_parameter(card, "OP");
    SW_TRY(sw_deck_find_named(deck, card, "AMPLITUDE", SW_DECK_AMPLITUDE, amplitude));
    if (sw_deck_parameter(card, "TIMEDELAY") != NULL)
        SW_TRY(delay(deck, card, amplitude));
    if (op != NULL && strcasecmp(op, "MOD") != 0 && strcasecmp(op, "NEW") != 0)
        return sw_deck_complain(card, "OP=%.40s: need MOD or NEW", op);
    if (op != NULL && strcasecmp(op, "NEW") == 0)
        clear(deck, kind);
    return SW_OK;
}

/* ---- A step's end ---- */

/* By what the magnitude is multiplied at the end of the step at hand. */
static double share_at_end(const sw_deck *deck, const sw_structure_amplitude *amplitude)
{
    const double duration = deck->steps->step[deck->steps->n_steps - 1].is.duration;
    return sw_structure_amplitude_at(amplitude,
                                     amplitude->total_time ? deck->steps->time + duration : duration);
}

/* What goes by an amplitude in total time does so in later steps, too; all else stays as it is now. */
static void end_step(const sw_deck *deck, sw_deck_condition_kind kind, sw_deck_condition *c)
{
    const sw_structure_amplitude *by = c->amplitude < 0 ? NULL : &deck->problem.amplitude[c->amplitude];
    const double share = by == NULL ? 1 : share_at_end(deck, by);
    c->from = share * c->to;
    for (int k = 0; k < 2 && kind == SW_DECK_TEMPERATURE; k++)
        c->point[k] = share * c->direction[k];
    if (by != NULL && by->total_time)
        return;
    c->to = c->from;
    c->amplitude = -1;
    if (kind == SW_DECK_TEMPERATURE)
        memcpy(c->direction, c->point, sizeof c->direction);
}

sw_status sw_deck_keep_conditions(sw_deck *deck)
{
    sw_deck_steps *steps = deck->steps;
    sw_deck_step *step = &steps->step[steps->n_steps - 1];
    for (int kind = 0; kind < SW_DECK_CONDITIONS; kind++) {
        sw_deck_conditions *list = &steps->present[kind];
        if (list->n == 0)
            continue;
        SW_TRY(SW_ALLOCATE(step->condition[kind], list->n, "conditions of a step"));
        memcpy(step->condition[kind], list->condition, (size_t)list->n * sizeof *list->condition);
        step->n[kind] = list->n;
        for (int64_t i = 0; i < list->n; i++)
            end_step(deck, kind, &list->condition[i]);
    }
    return SW_OK;
}

void sw_deck_steps_free(sw_deck_steps *steps)
{
    if (steps == NULL)
        return;
    for (int kind = 0; kind < SW_DECK_CONDITIONS; kind++) {
        for (int i = 0; i < steps->n_steps; i++)
            free(steps->step[i].condition[kind]);
        free(steps->present[kind].condition);
        sw_deck_free_labels(steps->present[kind].index);
    }
    for (int i = 0; i < steps->n_steps; i++) { /* unless they went to the problem */
        for (int64_t j = 0; steps->step[i].is.print != NULL && j < steps->step[i].is.n_prints; j++) {
            free(steps->step[i].is.print[j].set);
            free(steps->step[i].is.print[j].member);
        }
        free(steps->step[i].is.print);
        free(steps->step[i].is.change);
        free(steps->step[i].is.strain);
        free(steps->step[i].is.contact_change);
    }
    free(steps->step);
    free(steps->strain);
    free(steps);
}
