/* A step of a crystal under a loading of its own, by the slip law without elastic strains: with the strain rate as the
 * crystal sees it at the step's beginning, as sw_crystal_advance takes it, but without D's principal frame. Its
 * tangent is that of the slip law. On sw_real: a crystal, or a bundle. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_STEP_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_STEP_H

#include "common/math/deviator.h"
#include "online/response/step/crystal_update.h"
#include "rigid_plastic.h"
#include "slip_step.h"

/* D = 0 has no stress, no flow and, here, no tangent. */
SW_HD static inline sw_slip_rates sw_rigid_plastic_rates(const sw_rigid_plastic_model *model)
{
    const sw_slip_rates scale = {model->reference_rate, model->rate_sensitivity, 1e-30F};
    return scale;
}

/* Stress in the sample frame, a vector of five, Pa, by D likewise, 1/s: tangent [8][5]; nothing comes of W. x: the
 * answer; s: slip resistance at the step's end. Where fewer than five systems are active the slip law leaves the stress
 * free, and a small part of its matrix's trace stands for what is missing, as in sw_slip_scale. */
SW_HD static inline void sw_rigid_plastic_tangent(const sw_rigid_plastic_model *model, int systems,
                                                  const sw_slip_resists *resists, const sw_slip_step *step,
                                                  const sw_real r[3][3], const sw_real x[5], sw_real s,
                                                  sw_real tangent[SW_TANGENT_COLUMNS][5])
{
    sw_slip_derivatives by;
    sw_real flow[5], total, spin[3], pivot[5], v[5], trace = sw_broadcast(0.0),
                                                     unit = sw_divide(step->stress_unit, step->rate);
    sw_real h = resists != NULL ? sw_broadcast(0.0) : sw_hardening_rate(&step->hardening, s) * step->strain;
    sw_slip_differentiate(&model->slip, systems, resists, x, flow, &total, spin, &by);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        trace += by.strain_rate[i][i];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        by.strain_rate[i][i] += 1e-6F * trace;
    sw_factor_spd5(by.strain_rate, pivot);
    sw_solve_factored5((const sw_real(*)[5])by.strain_rate, pivot, by.slip_rate, v);
    SW_UNROLL
    for (int c = 0; c < SW_TANGENT_COLUMNS; c++) {
        sw_real one[5], d[5], tensor[6], dx[5], slip = sw_broadcast(0.0);
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            one[i] = sw_broadcast(i == c);
            tangent[c][i] = sw_broadcast(0.0);
        }
        if (c >= 5)
            continue;
        sw_deviator_tensor(one, tensor);
        sw_deviator_in_frame(r, tensor, d);
        sw_solve_factored5((const sw_real(*)[5])by.strain_rate, pivot, d, dx);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            slip += v[i] * d[i];
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            dx[i] = unit * (s * dx[i] + h * slip * x[i]);
        sw_deviator_from_frame(r, dx, tangent[c]);
    }
}

/* What a crystal whose systems have their own resistances keeps, beside q and s: where its stress was, over s (r/v0)^m, and of
 * each system. */
typedef struct {
    sw_real x[5];
    sw_slip_state slip;
} sw_rigid_plastic_state;

/* x with the resistances that its own slips lead to over r dt = strain, *s their mean and *next all of them at the end, in lanes of
 * `active`; begun: x times s with those of the start; G and spin: of the slips, over r. */
SW_HD static inline sw_mask sw_rigid_plastic_settle(const sw_rigid_plastic_model *model, int systems,
                                                    const sw_slip_step *step, sw_mask active, sw_real strain,
                                                    const sw_real d[5], const sw_slip_state *start,
                                                    sw_slip_resists *resists, sw_real x[5], sw_real *s,
                                                    sw_real begun[5], sw_real *slip_rate, sw_real spin[3],
                                                    sw_slip_state *next)
{
    const sw_real s_start = *s, left = sw_slip_left(&model->slip, start);
    sw_slip_sums sums;
    sw_slip_groups groups;
    sw_real used[SW_SLIP_SYSTEMS_MAX], ridge[5], scale = sw_broadcast(0.0);
    sw_mask good = active, running = active;
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        ridge[i] = sw_max(
            1e-3F * strain,
            sw_broadcast(1e-20)); /* what is left free by the systems that are active stays where it is */
        begun[i] = sw_broadcast(0.0);
    }
    for (int k = 0; k < model->slip.law.groups; k++)
        used[k] = start->g[k];
    for (int pass = 0; pass < 12 && sw_any(running); pass++) {
        const float share = pass < 3 ? 1.0F : 0.5F;
        sw_real iterations, now;
        if (pass == 0) {
            now = sw_slip_resists_of(&model->slip.law, used, left, resists);
            sw_slip_make_usable(&model->slip, systems, resists, d, x);
        } else
            now = sw_slip_follow(&model->slip, systems, used, left, ridge, scale, &sums, &groups, resists, x);
        *s = sw_choose(running, now, *s);
        good = good & (~running | sw_slip_newton(&model->slip, systems, resists, running, d, x, &iterations));
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            begun[i] = pass == 0 ? x[i] * now : begun[i];
        sw_slip_sum(&model->slip, systems, resists, x, &sums, &groups);
        scale = sw_slip_sizes(&model->slip.law, sw_broadcast(1e6), strain, &sums, &groups.slips);
        sw_slip_harden(&model->slip, &groups.slips, step, s_start, start, next);
        running = running & good & sw_slip_is_off(&model->slip.law, used, next);
        sw_slip_state_mix(&model->slip.law, running, share, next, used);
    }
    *slip_rate = sums.slip_rate;
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = sums.spin[i];
    sw_real residual = sw_slip_misses(d, sums.strain_rate);
    /* what rounding leaves grows with the slips, of which soft systems make more */
    good = good & SW_LESS(residual, model->tolerance * (1.0F + 0.4F * *slip_rate));
    *s = sw_slip_follow(&model->slip, systems, next->g, left, ridge, scale, &sums, &groups, resists,
                        x); /* the last of the way */
    return good & ~running;
}

/* What a step of a crystal with its own resistances makes of them, under the same d throughout: in parts of a quarter, a sixteenth,
 * ... where they harden so steeply that they do not settle. begun: x times s of the step's beginning; x, resists, *s_stress: of
 * its end; slips: G and the spin, means of the step, over r. */
SW_HD static inline sw_mask sw_rigid_plastic_harden(const sw_rigid_plastic_model *model, int systems,
                                                    const sw_slip_step *step, sw_mask moves,
                                                    const sw_real d[5], sw_rigid_plastic_state *state,
                                                    sw_slip_resists *resists, sw_real *s, sw_real *s_stress,
                                                    sw_real begun[5], sw_real *slip_rate, sw_real spin[3])
{
    const float least = 1.0F / 256;
    sw_real left = sw_broadcast(1.0), part = sw_broadcast(1.0);
    sw_mask going = sw_if(1);
    *slip_rate = spin[0] = spin[1] = spin[2] = sw_broadcast(0.0);
    while (sw_any(going)) {
        sw_slip_state next;
        sw_real x[5], first[5], now = *s, rate, turning[3];
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            x[i] = state->x[i];
        sw_mask good = sw_rigid_plastic_settle(model, systems, step, going,
                                               sw_choose(moves, part * step->strain, sw_broadcast(0.0)), d,
                                               &state->slip, resists, x, &now, first, &rate, turning, &next);
        sw_mask is_first = good & SW_LESS(sw_broadcast(0.999), left);
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            begun[i] = sw_choose(is_first, first[i], begun[i]);
            state->x[i] = sw_choose(good, x[i], state->x[i]);
        }
        *s_stress = sw_choose(good, now, *s_stress);
        sw_slip_state_choose(&model->slip.law, good, &next, &state->slip);
        *s = sw_choose(good, sw_slip_state_mean(&model->slip.law, &state->slip), *s);
        *slip_rate += sw_choose(good, part * rate, sw_broadcast(0.0));
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            spin[i] += sw_choose(good, part * turning[i], sw_broadcast(0.0));
        left = sw_choose(good, left - part, left); /* parts are powers of two: exactly */
        part = sw_choose(going & ~good, 0.25F * part, part);
        going = going & SW_LESS(sw_broadcast(0.5 * least), left) & ~SW_LESS(part, sw_broadcast(least));
    }
    return ~SW_LESS(sw_broadcast(0.5 * least), left);
}

/* q: orientation, crystal -> sample, of about unit length; s: slip resistance, Pa: at the step's beginning -> at its
 * end; state: likewise; NULL: all systems have s. mean [SW_MEANS] as in step.h, and tangent, NULL: not wanted. Returns the lanes
 * that have an answer. */
SW_HD static inline sw_mask sw_rigid_plastic_advance(const sw_rigid_plastic_model *model, int systems,
                                                     const sw_slip_step *step, sw_real q[4], sw_real *s,
                                                     sw_rigid_plastic_state *state, sw_real mean[SW_MEANS],
                                                     sw_real (*tangent)[5])
{
    sw_real r[3][3], d[5], x[5], begun[5], spin[3], slip_rate, turn[3], rotation[4], turned[4];
    sw_slip_resists room, *const resists = state != NULL ? &room : NULL;
    sw_mask rests = SW_LESS(step->rate, sw_broadcast(2e-30)), met; /* D = 0: the least rate */
    sw_mask resisted = SW_LESS(sw_broadcast(0.0), *s);
    sw_rotation_from_quaternion(q, r);
    sw_deviator_in_frame((const sw_real(*)[3])r, step->strain_rate, d);
    sw_real over_rate = sw_divide(sw_broadcast(1.0), step->rate);
    SW_UNROLL
    for (int i = 0; i < 5; i++) /* of unit size also where nothing moves: all it does is have an answer */
        d[i] = sw_choose(rests, sw_broadcast(i == 0), d[i] * over_rate);
    sw_real moves = sw_choose(rests, sw_broadcast(0.0), sw_broadcast(1.0)), s_stress = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        begun[i] = sw_broadcast(0.0);
    if (resists != NULL) {
        sw_slip_state_at(&model->slip.law, step->rate, &state->slip);
        met = sw_rigid_plastic_harden(model, systems, step, ~rests, d, state, resists, s, &s_stress, begun,
                                      &slip_rate, spin);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            x[i] = state->x[i];
    } else {
        met = sw_rigid_plastic_solve(model, systems, d, x, &slip_rate, spin);
        s_stress = *s = sw_harden(&step->hardening, *s, slip_rate * step->strain * moves);
    }
    met = met & resisted;
    if (tangent != NULL) {
        sw_rigid_plastic_tangent(model, systems, resists, step, (const sw_real(*)[3])r, x, s_stress, tangent);
        SW_UNROLL
        for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
            tangent[k / 5][k % 5] = sw_choose(rests, sw_broadcast(0.0), tangent[k / 5][k % 5]);
    }
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = resists != NULL && step->of_begin ? begun[i] * step->stress_unit * moves
                                                 : x[i] * (s_stress * step->stress_unit) * moves;
    sw_rigid_plastic_stress((const sw_real(*)[3])r, x, mean);
    mean[SW_SUM_RESISTANCE] = *s;
    mean[SW_SUM_MEAN_STRESS] = sw_broadcast(0.0);
    mean[SW_SUM_SLIP_RATE] = slip_rate * step->rate * moves;
    SW_UNROLL
    for (int i = 0; i < 3; i++) { /* the plastic spin's axial vector, crystal frame -> sample */
        sw_real axial = -(r[i][0] * spin[2]) + r[i][1] * spin[1] - r[i][2] * spin[0];
        turn[i] = step->turn[i] - axial * step->strain * moves;
    }
    sw_quaternion_from_turn(turn, rotation);
    sw_quaternion_product(rotation, q, turned);
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        q[i] = turned[i];
    sw_real all = turned[0] + turned[1] + turned[2] + turned[3] + *s;
    return met & SW_LESS(sw_abs(all), sw_broadcast(1e30));
}

#endif
