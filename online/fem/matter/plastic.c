/* Plasticity by von Mises' surface, which grows (isotropic hardening), moves (kinematic), or both (combined): tables of
 * any length over temperature, and backstresses that saturate (Armstrong and Frederick 1966, Chaboche 1986). */
#include <math.h>

#include "flow.h"

/* The size of the surface at a plastic strain. */
static sw_flow_number size_at(const sw_matter *matter, double temperature, double strain)
{
    if (matter->cook.n_rows > 0)
        return sw_flow_cook(matter, temperature, strain);
    if (matter->saturation.n_rows > 0) {
        double of[3];
        sw_matter_look_up(&matter->saturation, temperature, of);
        const double gone = exp(-of[2] * strain);
        return (sw_flow_number){of[0] + of[1] * (1 - gone), of[1] * of[2] * gone};
    }
    if (matter->hardening == SW_MATTER_HARDENS_COMBINED && matter->n_cyclic > 0)
        return sw_flow_curve(matter->n_cyclic, matter->cyclic, temperature, strain);
    if (matter->hardening == SW_MATTER_HARDENS_ISOTROPIC)
        return sw_flow_curve(matter->n_curves, matter->curve, temperature, strain);
    return (sw_flow_number){sw_flow_curve(matter->n_curves, matter->curve, temperature, 0).value, 0};
}

/* Backstresses that saturate. */
static void fade_away(const sw_flow *flow, double plastic, sw_flow_place *place)
{
    double of[2 * SW_FLOW_BACKS];
    sw_matter_look_up(&flow->matter->backstress, flow->ask->temperature, of);
    for (int k = 0; k < flow->n_backs; k++) {
        place->rise[k] = (sw_flow_number){of[2 * k] * plastic, of[2 * k]};
        place->fade[k] = (sw_flow_number){1 + of[2 * k + 1] * plastic, of[2 * k + 1]};
    }
}

/* The one of a curve, which rises by as much as the curve. */
static void move_on(const sw_flow *flow, double plastic, sw_flow_place *place)
{
    const sw_matter *matter = flow->matter;
    const double temperature = flow->ask->temperature, before = flow->old[0];
    const sw_flow_number was = sw_flow_curve(matter->n_curves, matter->curve, temperature, before);
    const sw_flow_number is = sw_flow_curve(matter->n_curves, matter->curve, temperature, before + plastic);
    place->rise[0] = (sw_flow_number){is.value - was.value, is.slope};
    place->fade[0] = (sw_flow_number){1, 0};
}

void sw_flow_harden(const sw_flow *flow, double plastic, sw_flow_place *place)
{
    place->size = size_at(flow->matter, flow->ask->temperature, flow->old[0] + plastic);
    sw_flow_hurry(flow, plastic, &place->size);
    if (flow->matter->backstress.n_rows > 0)
        fade_away(flow, plastic, place);
    else if (flow->n_backs > 0)
        move_on(flow, plastic, place);
}

/* By the plastic strain. */
static void path(const sw_flow *flow, double plastic, sw_flow_place *place)
{
    sw_flow_harden(flow, plastic, place);
    place->flow = (sw_flow_number){plastic, 1};
    place->plastic = plastic;
    place->creep = 0;
}

sw_status sw_flow_plastic(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                          double *new_state, double stress[6], double tangent[6][6])
{
    sw_flow flow;
    sw_flow_place place;
    sw_flow_begin(&flow, matter, ask, old, new_state, stress, tangent);
    sw_flow_harden(&flow, 0, &place);
    const double q = sw_flow_trial(&flow);
    if (!sw_flow_yields(q, place.size.value))
        return SW_OK;
    flow.path = path;
    flow.most = q / flow.d[3][3];
    if (matter->cook.n_rows > 0 || matter->rate_law != SW_MATTER_NO_RATE)
        flow.first = 1e-3 * flow.most; /* at rest there may be no slope */
    return sw_flow_return(&flow, new_state, stress, tangent, &place);
}

static int is_plastic(const sw_matter *matter) { return sw_flow_has_surface(matter); }

const sw_matter_law sw_matter_plastic = {.name = "plastic",
                                         .measure = SW_MATTER_TRUE,
                                         .symmetric = 1,
                                         .flows = 1,
                                         .is = is_plastic,
                                         .n_state = sw_flow_n_state,
                                         .respond = sw_flow_plastic};
