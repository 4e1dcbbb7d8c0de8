/* What crystals that slip are under in a step, as the solvers of the slip law see it: one step for all of a bundle, or
 * each its own. On sw_real. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_STEP_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_STEP_H

#include "slip_newton.h"
#include "online/response/step/step.h"

/* Pointers, to be read where they are needed: registers are few. */
typedef struct {
    const sw_real *strain_rate; /* [6] D, sample frame, 11 22 33 23 13 12, 1/s; its trace is left out */
    const sw_real *turn;        /* [3] axial vector of W dt, sample frame, rad */
    sw_real rate;               /* r, 1/s: ||D||, or more where hardly anything moves */
    sw_real strain;             /* r dt */
    sw_real stress_unit;        /* (r/v0)^m: stresses over it and s drive slip rates over r */
    sw_hardening hardening;
    int of_begin; /* as of the step */
} sw_slip_step;

/* v0 (1/s) and m of the slip law, and the least r. */
typedef struct {
    float reference_rate, rate_sensitivity, least_rate;
} sw_slip_rates;

/* The arrays stay the caller's. rate: ||D||. */
SW_HD static inline sw_slip_step sw_slip_step_of(const sw_slip_rates *scale, const sw_real *strain_rate,
                                                 const sw_real *turn, sw_real rate, float duration,
                                                 const sw_hardening *hardening)
{
    sw_slip_step out;
    out.strain_rate = strain_rate;
    out.turn = turn;
    out.rate =
        sw_choose(SW_LESS(rate, sw_broadcast(scale->least_rate)), sw_broadcast(scale->least_rate), rate);
    out.strain = out.rate * duration;
    out.stress_unit =
        sw_exp2(scale->rate_sensitivity * sw_log2(sw_divide(out.rate, sw_broadcast(scale->reference_rate))));
    out.hardening = *hardening;
    out.of_begin = 0;
    return out;
}

/* ---- Resistances of systems ---- */

/* A step ends with resistances that its own slips lead to. Where these are off those that it was solved with by no more than this
 * share, stresses follow them to first order, which leaves (n off)^2/2 of the slips; else it is solved again. */
#define SW_RESISTANCE_OFF 3e-3F

/* The state after these slips. s_start: the mean resistance at the beginning. */
SW_HD static inline void sw_slip_harden(const sw_slip_model *model, const sw_law_slips *slips,
                                        const sw_slip_step *step, sw_real s_start, const sw_slip_state *start,
                                        sw_slip_state *next)
{
    const sw_slip_law *law = &model->law;
    sw_real all = sw_broadcast(0.0);
    if (!law->scales) {
        sw_slip_law_harden(law, start, slips, next);
        return;
    }
    sw_slip_state_slip(law, start, slips, next);
    for (int k = 0; k < law->groups; k++)
        all += slips->group[k];
    sw_real s = sw_harden(&step->hardening, s_start, all);
    for (int k = 0; k < law->groups; k++)
        next->g[k] = law->ratio[k] * s;
}

/* Where resistances used [G] are. */
SW_HD static inline sw_mask sw_slip_is_off(const sw_slip_law *law, const sw_real *used,
                                           const sw_slip_state *next)
{
    sw_real most = sw_broadcast(-1.0);
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        most = sw_max(most, sw_abs(used[k] - next->g[k]) - SW_RESISTANCE_OFF * next->g[k]);
    return SW_LESS(sw_broadcast(0.0), most);
}

/* What is used [G] moves by this share towards what came of it, in the chosen lanes. More slip hardens, and less slip follows: half
 * does not swing where the whole way does. */
SW_HD static inline void sw_slip_state_mix(const sw_slip_law *law, sw_mask lanes, float share,
                                           const sw_slip_state *next, sw_real *used)
{
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        used[k] =
            sw_choose(lanes, share < 1 ? used[k] + share * (next->g[k] - used[k]) : next->g[k], used[k]);
}

/* What the lanes of a bundle are under: a place for the arrays. */
typedef struct {
    sw_real strain_rate[6], turn[3], rate;
} sw_slip_loading;

#if SW_LANES > 1
/* step [SW_LANES]: each lane's; of one duration and hardening law. */
static inline sw_slip_step sw_slip_step_of_lanes(const sw_slip_rates *scale, const sw_step *const *step,
                                                 sw_slip_loading *loading)
{
    /* points come one after the other: where the first and the last are the same, all are */
    const int lanes = step[0] == step[SW_LANES - 1] ? 1 : SW_LANES;
    for (int lane = 0; lane < lanes; lane++) {
        for (int i = 0; i < 6; i++)
            loading->strain_rate[i][lane] = step[lane]->strain_rate[i];
        for (int i = 0; i < 3; i++)
            loading->turn[i][lane] = step[lane]->applied_turn[i];
        loading->rate[lane] = step[lane]->rate;
    }
    if (lanes == 1) {
        for (int i = 0; i < 6; i++)
            loading->strain_rate[i] = sw_broadcast(loading->strain_rate[i][0]);
        for (int i = 0; i < 3; i++)
            loading->turn[i] = sw_broadcast(loading->turn[i][0]);
        loading->rate = sw_broadcast(loading->rate[0]);
    }
    sw_slip_step out = sw_slip_step_of(scale, loading->strain_rate, loading->turn, loading->rate,
                                       step[0]->duration, &step[0]->hardening);
    out.of_begin = step[0]->of_begin;
    return out;
}
#endif

#endif
