/* A medium under no strain rate, of which no stress is asked: a point that only turns. Its grains bear no stress, and turn with it. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_REST_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_REST_H

#include "medium.h"

/* Nothing strains, and no stress is asked for. */
SW_HD static inline int sw_sc_is_at_rest(const sw_sc_medium *p, const sw_sc_rules *rules)
{
    int given = p->conditions.free > 0 || rules->compatible || p->rate > 0;
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

#endif
