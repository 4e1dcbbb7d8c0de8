/* A medium under no strain rate, of which no stress is asked, or one that is held and does not make it flow: a point that only turns. Its
 * grains bear no stress, and turn with it. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_REST_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_REST_H

#include "algebra.h"
#include "medium.h"

/* Below so much of the rate that is given nothing flows. */
#define SW_SC_LEAST_RATE 2e-6
/* Of a surface's size: stresses so small are inside a yield surface (fem/crystal/elastic.h). */
#define SW_SC_INSIDE 0.4

/* Nothing strains, and no stress is asked for. */
SW_HD static inline int sw_sc_is_at_rest(const sw_sc_medium *p)
{
    if (p->conditions.spring > 0)
        return p->resting;
    int given = p->conditions.free > 0 || p->rate > 0;
    for (int k = 0; k < 6; k++)
        given |= p->conditions.stress_given[k];
    return !given;
}

/* Then grains have no stress, which is all. */
SW_HD static inline void sw_sc_rest(sw_sc_medium *p)
{
    p->pressure = 0;
    for (int i = 0; i < 5; i++) {
        p->s[i] = p->mean_s[i] = p->mean_d[i] = 0;
        for (int j = 0; j < 5; j++)
            p->tangent[i][j] = 0;
    }
    for (int f = 0; f < p->phases; f++)
        for (int k = 0; k < 25; k++) {
            p->of[f].p_inverse[k / 5][k % 5] = 0;
            p->of[f].spin[k % 15 / 5][k % 5] = p->of[f].mean_d[k % 5] = 0;
        }
    p->pass = SW_SC_SACHS;
}

/* Of a stress that is held, all of it. */
SW_HD static inline void sw_sc_hold(sw_sc_medium *p)
{
    for (int i = 0; i < 5 && p->conditions.spring > 0; i++) {
        p->s[i] = p->conditions.held[i];
        p->d[i] = 0;
    }
    for (int k = 0; k < SW_SC_FREE; k++)
        p->conditions.x[k] = 0;
}

/* Whether a stress that is held does not reach what flows at the least rate. The grains bear <s> at <d>, and q^m <s> at q <d>, q so small
 * that no spring gives; what of the stress is not along that is taken for as much as it can be. */
SW_HD static inline int sw_sc_is_inside(const sw_sc_medium *p)
{
    const double rate = sw_sc_size(p->mean_d), size = sw_sc_size(p->mean_s),
                 most = size * pow(SW_SC_LEAST_RATE * sw_sc_size(p->conditions.base) / rate, 1 / p->exponent);
    double along = 0, held = 0, rest = 0;
    for (int i = 0; i < 5; i++) {
        along += p->mean_s[i] * p->mean_d[i];
        held += p->conditions.held[i] * p->mean_d[i];
    }
    const double part = held > 0 && along > 0 ? held / along : 0;
    for (int i = 0; i < 5; i++) {
        const double off = p->conditions.held[i] - part * p->mean_s[i];
        rest += off * off;
    }
    return part * size + sqrt(rest) / SW_SC_INSIDE <= most;
}

#endif
