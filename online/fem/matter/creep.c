/* Creep by Norton's law, A q^n t^m or what strain hardening makes of it, with or without plasticity. Implicit in q, exact in
 * time where q stays: an increment of any size gives what constant stress has. Without time it is the plastic law. */
#include <math.h>
#include <string.h>

#include "flow.h"

/* Equivalent creep strain of the increment at a constant q. */
static sw_flow_number amount(const sw_flow *flow, double q)
{
    const sw_matter_ask *ask = flow->ask;
    double of[3];
    sw_matter_look_up(&flow->matter->creep, ask->temperature, of);
    const double n = of[1], m1 = of[2] + 1;
    if (!flow->matter->strain_hardening || of[2] == 0) {
        const double rate = of[0] * (pow(ask->time, m1) - pow(fmax(ask->time - ask->dt, 0), m1)) / m1;
        return (sw_flow_number){rate * pow(q, n), n * rate * pow(q, n - 1)};
    }
    const double before = flow->old[flow->matter->overstress ? 0 : 7];
    const double root = pow(of[0] * pow(q, n) / m1, 1 / m1) * ask->dt, sum = pow(before, 1 / m1) + root;
    return (sw_flow_number){pow(sum, m1) - before, pow(sum, m1 - 1) * root * n / q};
}

static void by(sw_flow_number *number, double slope) { number->slope *= slope; }

/* By what q exceeds the surface. */
static void path_over(const sw_flow *flow, double over, sw_flow_place *place)
{
    place->flow = amount(flow, over);
    place->plastic = place->flow.value;
    place->creep = 0;
    place->size = (sw_flow_number){0, 0};
    if (sw_flow_has_surface(flow->matter)) {
        sw_flow_harden(flow, place->plastic, place);
        by(&place->size, place->flow.slope);
        for (int k = 0; k < flow->n_backs; k++) {
            by(&place->rise[k], place->flow.slope);
            by(&place->fade[k], place->flow.slope);
        }
    }
    place->size.value += over;
    place->size.slope += 1;
}

/* By q. */
static void path_creep(const sw_flow *flow, double q, sw_flow_place *place)
{
    place->flow = amount(flow, q);
    place->creep = place->flow.value;
    place->plastic = 0;
    place->size = (sw_flow_number){q, 1};
}

/* By the plastic strain, with creep at the size of the surface beside it. */
static void path_both(const sw_flow *flow, double plastic, sw_flow_place *place)
{
    sw_flow_harden(flow, plastic, place);
    const sw_flow_number creep = amount(flow, place->size.value);
    place->flow = (sw_flow_number){plastic + creep.value, 1 + creep.slope * place->size.slope};
    place->plastic = plastic;
    place->creep = creep.value;
}

static sw_status flow_over(sw_flow *flow, double q, double *new_state, double stress[6], double tangent[6][6])
{
    sw_flow_place place = {.size = {0, 0}};
    if (sw_flow_has_surface(flow->matter))
        sw_flow_harden(flow, 0, &place);
    if (!sw_flow_yields(q, place.size.value))
        return SW_OK;
    flow->path = path_over;
    flow->first = flow->most = q - place.size.value;
    return sw_flow_return(flow, new_state, stress, tangent, &place);
}

static sw_status flow_beside(sw_flow *flow, double q, double *new_state, double stress[6],
                             double tangent[6][6])
{
    sw_flow_place place, surface;
    flow->path = path_creep;
    flow->first = flow->most = q;
    SW_TRY(sw_flow_return(flow, new_state, stress, tangent, &place));
    if (!sw_flow_has_surface(flow->matter))
        return SW_OK;
    sw_flow_harden(flow, 0, &surface);
    if (place.size.value <= surface.size.value)
        return SW_OK;
    flow->path = path_both;
    flow->first = 0;
    flow->most = q / flow->d[3][3];
    return sw_flow_return(flow, new_state, stress, tangent, &place);
}

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    sw_flow flow;
    if (!(ask->dt > 0) && sw_flow_has_surface(matter))
        return sw_flow_plastic(matter, ask, old, new_state, stress, tangent);
    sw_flow_begin(&flow, matter, ask, old, new_state, stress, tangent);
    const double q = sw_flow_trial(&flow);
    if (!(ask->dt > 0) || !(q > 0))
        return SW_OK;
    return (matter->overstress ? flow_over : flow_beside)(&flow, q, new_state, stress, tangent);
}

/* What of a state's stress makes creep. */
static double driving(sw_flow flow, const double *state, const double stress[6])
{
    sw_flow_place surface = {.size = {0, 0}};
    flow.old = state;
    memcpy(flow.trial, stress, sizeof flow.trial);
    if (flow.matter->overstress && sw_flow_has_surface(flow.matter))
        sw_flow_harden(&flow, 0, &surface);
    return sw_flow_trial(&flow) - surface.size.value;
}

static double change(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                     const double before[6], const double *new_state, const double after[6])
{
    const sw_flow flow = {.matter = matter, .ask = ask, .old = old, .n_backs = sw_flow_backs(matter)};
    const double q[2] = {driving(flow, old, before), driving(flow, new_state, after)};
    double creep[2] = {0, 0};
    for (int k = 0; k < 2 && ask->dt > 0; k++)
        if (q[k] > 0)
            creep[k] = amount(&flow, q[k]).value;
    return fabs(creep[1] - creep[0]);
}

static int is_creep(const sw_matter *matter) { return matter->creep.n_rows > 0; }

const sw_matter_law sw_matter_creep = {.name = "creep",
                                       .measure = SW_MATTER_TRUE,
                                       .symmetric = 1,
                                       .flows = 1,
                                       .is = is_creep,
                                       .n_state = sw_flow_n_state,
                                       .respond = respond,
                                       .creep_change = change};
