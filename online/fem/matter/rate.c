/* What the rate of plastic strain, and by Johnson and Cook the temperature, make of the yield stress.
 *
 *     Cowper and Symonds 1957    R = 1 + (rate / D)^(1 / n)
 *     Johnson and Cook 1983      R = 1 + C ln(rate / rate0), 1 below rate0
 *     a table                    R by rate
 *
 * times the size of the surface; the rate is the increment's plastic strain over its time, so the return is implicit in it.
 * Without time R = 1. Johnson and Cook's static stress is (A + B p^n) (1 - t^m), t from 0 at the transition to 1 at melting. */
#include <math.h>

#include "flow.h"

static const double MELTED = 1e-6; /* of the stress is left, so that there is a surface */

sw_flow_number sw_flow_cook(const sw_matter *matter, double temperature, double strain)
{
    const double *of = matter->cook.value, t = (temperature - of[5]) / (of[4] - of[5]);
    const double soft = t <= 0 ? 1 : fmax(1 - pow(fmin(t, 1), of[3]), MELTED);
    if (!(strain > 0))
        return (sw_flow_number){of[0] * soft, of[2] == 1 ? of[1] * soft : 0};
    const double power = of[1] * pow(strain, of[2]) * soft;
    return (sw_flow_number){of[0] * soft + power, of[2] * power / strain};
}

/* R and its slope by the rate, which is not 0. */
static sw_flow_number ratio_at(const sw_matter *matter, double temperature, double rate)
{
    double of[2];
    if (matter->rate_law == SW_MATTER_TABLE_RATE)
        return sw_flow_curve(matter->n_ratios, matter->ratio, temperature, rate);
    sw_matter_look_up(&matter->rate, temperature, of);
    if (matter->rate_law == SW_MATTER_LOG_RATE)
        return rate <= of[1] ? (sw_flow_number){1, 0}
                             : (sw_flow_number){1 + of[0] * log(rate / of[1]), of[0] / rate};
    const double over = pow(rate / of[0], 1 / of[1]);
    return (sw_flow_number){1 + over, over / (of[1] * rate)};
}

void sw_flow_hurry(const sw_flow *flow, double plastic, sw_flow_number *size)
{
    const double dt = flow->ask->dt;
    if (flow->matter->rate_law == SW_MATTER_NO_RATE || !(dt > 0) || !(plastic > 0))
        return;
    const sw_flow_number ratio = ratio_at(flow->matter, flow->ask->temperature, plastic / dt);
    size->slope = size->slope * ratio.value + size->value * ratio.slope / dt;
    size->value *= ratio.value;
}
