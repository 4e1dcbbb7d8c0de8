/* One step of an elastic-plastic crystal: small elastic strains, finite rotations, slip by the power law. What
 * solver `elastoplastic` does with each crystal, on CPU and GPU; single precision. docs/theory.md.
 *
 * In the crystal frame, with deviators as vectors of five (yield_vertices.h) and the lattice R, crystal ->
 * sample, Euler backward in the elastic strain:
 *
 *     E(1) = E(0) + dt (R^T D R - sum gamma_a P_a),    stress = C E,    gamma_a = v0 |tau_a/s|^n sign(tau_a),
 *     s(1) = the hardening law's closed form at dt sum |gamma_a|,
 *     R(1) = exp(W dt) R(0) exp(-dt sum gamma_a skew_a),
 *
 * with slip rates at the step's end, and R in the first line that of the step's middle: with R(0) the stress
 * lags by half a step's turn. The middle is predicted from the slips of the stored stress, which Newton's
 * method starts from and so has anyway; where the answer's spin turns it by more than SW_MIDDLE_TURN, as after
 * a change of loading, it is corrected once, and the crystal solved again from its first answer. So each
 * crystal decides by itself what it needs, and nothing of the loading's past has to be kept.
 *
 * Slip rates are over a rate r, stresses over s (r/v0)^m: x. The condition at the end, over r dt = e,
 *
 *     E(0)/e + d - (C^-1 s (r/v0)^m / e) x - sum |tau|^(n-1) tau P = 0,
 *
 * is at fixed s that for the least of a convex function, whose second derivative is Newton's matrix: positive
 * definite however few systems slip. s follows its law from one iterate to the next; it enters only through
 * the elastic strain, which it changes by a hundredth of what Newton corrects.
 *
 * On sw_real: a crystal, or a bundle. */
#ifndef SW_ONLINE_RESPONSE_ELASTOPLASTIC_ELASTOPLASTIC_H
#define SW_ONLINE_RESPONSE_ELASTOPLASTIC_ELASTOPLASTIC_H

#include "balance.h"
#include "tangent.h"

/* ---- Newton's method ---- */

/* A crystal whose load changed is where rigid plasticity has it (the vertex that the strain rate points to)
 * rather than anywhere near its last stress, from which bounded steps would creep around the yield surface. Those
 * are the ones whose slips do not fit, or whose first step can hardly be made, and that the step, all elastic,
 * would take far outside. square: of the residual at `from`; safe: of the step from there. Returns them. */
SW_HD static inline sw_mask sw_elastoplastic_start_far(const sw_elastoplastic_model *model, int systems,
                                                       const sw_slip_resists *resists,
                                                       const sw_elastoplastic_balance *b,
                                                       const sw_real soft[5], const sw_real flow[5],
                                                       const sw_real residual[5], sw_real square,
                                                       sw_real safe, const sw_real from[5], sw_real x[5])
{
    const float misfit = 0.1F, hardly = 0.1F, outside = 3; /* of r squared; of a step; of the yield stress */
    const float loads = 0.25F;                             /* |d|, squared */
    sw_real trial[5], d[5], start[5], size = sw_broadcast(1e-20);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        trial[i] = from[i] + sw_divide(residual[i] + flow[i], soft[i]);
        size += b->d[i] * b->d[i];
    }
    sw_mask far = (SW_LESS(sw_broadcast(misfit), square) | SW_LESS(safe, sw_broadcast(hardly))) &
                  SW_LESS(sw_broadcast(loads), size) &
                  SW_LESS(sw_broadcast(outside), sw_largest_stress(&model->slip, systems, resists, trial));
    if (!sw_any(far))
        return far;
    sw_real inverse = sw_divide(sw_broadcast(1.0), sw_sqrt(size));
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        d[i] = start[i] = b->d[i] * inverse;
    sw_slip_start(&model->slip, systems, resists, d, start);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = sw_choose(far, start[i], x[i]);
    return far;
}

/* Newton's step at x, from the sums there, whose Jacobian is used up. Returns its descent. */
SW_HD static inline sw_real sw_elastoplastic_direction(const sw_elastoplastic_model *model,
                                                       const sw_real soft[5], const sw_real residual[5],
                                                       sw_slip_sums *sums, sw_real newton[5])
{
    sw_real downhill = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        SW_UNROLL
        for (int j = 0; j <= i; j++)
            sums->jacobian[i][j] = sums->jacobian[i][j] * model->slip.exponent;
        sums->jacobian[i][i] += soft[i];
    }
    sums->jacobian[1][0] += model->coupled * soft[0];
    sw_solve_spd5(sums->jacobian, residual, newton);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        downhill += newton[i] * residual[i];
    return downhill;
}

/* x: the stored stress -> answer, of the lanes in `active`; again: from an answer with other
 * resistances. Ends with a full step so small that its leading
 * order leaves 3e-5. iterations: Jacobians formed. Returns the lanes that got there. */
SW_HD static inline sw_mask sw_elastoplastic_newton(const sw_elastoplastic_model *model, int systems,
                                                    const sw_slip_resists *resists, int again,
                                                    const sw_slip_step *step, sw_mask active,
                                                    const sw_elastoplastic_crystal *start,
                                                    sw_elastoplastic_balance *b, sw_real x[5],
                                                    sw_real *iterations)
{
    sw_slip_search search;
    sw_mask running = active;
    sw_slip_search_begin(&search);
    for (int iteration = 0; iteration < 60 && sw_any(running); iteration++) {
        sw_slip_sums sums;
        sw_real soft[5], residual[5], newton[5], from[5];
        sw_mask small, far = sw_if(0);
        *iterations += sw_choose(running, sw_broadcast(1.0), sw_broadcast(0.0));
        sw_slip_sum(&model->slip, systems, resists, x, &sums, NULL);
        if (iteration == 0 && !again)
            sw_elastoplastic_predict(model, step, running, &sums, start->orientation, b);
        sw_real s = resists != NULL ? b->resistance
                                    : sw_harden(&step->hardening, start->slip_resistance,
                                                sw_min(sums.slip_rate, b->slip_rate_most) * b->strain);
        sw_real square =
            sw_elastoplastic_residual(model, step, start, b, x, sums.strain_rate, s, soft, residual);
        sw_real downhill = sw_elastoplastic_direction(model, soft, residual, &sums, newton);
        sw_real yield = sw_max(sums.largest, sw_broadcast(1.0));
        sw_real safe =
            sw_slip_safe_fraction(&model->slip, systems, resists, x, newton, sums.largest, yield, &small);
        sw_mask bounded = SW_LESS(safe, sw_broadcast(1.0));
        if (sw_any(running & bounded))
            safe = sw_choose(bounded, sw_slip_reach(&model->slip, systems, resists, x, newton, yield), safe);
        sw_mask beyond = sw_slip_is_beyond(&search, residual);
        sw_mask last = running & ~beyond & small & SW_LESS(downhill, sw_broadcast(model->slip.decrement)) &
                       ~SW_LESS(safe, sw_broadcast(1.0));
        sw_mask corrects = last & ~b->corrected & sw_elastoplastic_missed(b, sums.spin);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            from[i] = x[i];
        sw_slip_search_on(&search, beyond, running, newton, downhill, safe, x);
        if (iteration == 0 && !again)
            far = sw_elastoplastic_start_far(model, systems, resists, b, soft, sums.strain_rate, residual,
                                             square, safe, from, x);
        if (sw_any(corrects))
            sw_elastoplastic_correct(model, step, corrects, from, sums.spin, start->orientation, b);
        sw_slip_search_anew(&search, far | corrects);
        running = running & (~last | corrects);
    }
    return active & ~running;
}

/* ---- A step ---- */

/* What a part of a step ends with. */
typedef struct {
    sw_real slip_rate; /* G over r */
    sw_real resistance, orientation[4];
} sw_elastoplastic_end;

/* Of the answer x of the lanes in `good`, whose slips, where systems have their own resistances, are `believed` times sums; tangent
 * as below. Returns the lanes where it balances. */
SW_HD static inline sw_mask sw_elastoplastic_finish(const sw_elastoplastic_model *model, int systems,
                                                    const sw_slip_resists *resists, const sw_slip_step *step,
                                                    sw_mask good, const sw_elastoplastic_crystal *start,
                                                    const sw_elastoplastic_balance *b, const sw_real x[5],
                                                    const sw_slip_sums *sums, sw_real believed,
                                                    sw_elastoplastic_end *end, sw_real (*tangent)[5])
{
    sw_elastoplastic_slopes by;
    sw_real flow[5], spin[3], soft[5], residual[5];
    if (tangent != NULL)
        sw_slip_differentiate(&model->slip, systems, resists, x, flow, &end->slip_rate, spin, &by.slip);
    else if (resists != NULL) {
        end->slip_rate = sums->slip_rate * believed;
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            flow[i] = sums->strain_rate[i] * believed;
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            spin[i] = sums->spin[i] * believed;
    } else
        sw_slip_flow(&model->slip, systems, resists, x, flow, &end->slip_rate, spin);
    sw_real s = resists != NULL
                    ? b->resistance
                    : sw_harden(&step->hardening, start->slip_resistance, end->slip_rate * b->strain);
    sw_real square = sw_elastoplastic_residual(model, step, start, b, x, flow, s, soft, residual);
    /* what rounding leaves grows with the slips, and with elastic strains that are large beside the step */
    sw_real bound = model->tolerance * (1.0F + 0.4F * end->slip_rate) + 3e-7F * b->elastic;
    good = good & SW_LESS(square, bound * bound);
    sw_elastoplastic_turn(step, b->part, spin, start->orientation, end->orientation);
    if (tangent != NULL)
        sw_elastoplastic_tangent(model, systems, resists, step, good, start, b, x, s, spin, end->orientation,
                                 &by, tangent);
    end->resistance = s;
    return good;
}

/* The same of systems with their own resistances, begun -> *next, and their stress -> x: with resistances close to those that its
 * own slips lead to, and goes the last of the way to them. They are predicted from the slips of the stored stress, as the middle of
 * the step is. */
SW_HD static inline sw_mask sw_elastoplastic_settle(const sw_elastoplastic_model *model, int systems,
                                                    const sw_slip_step *step, sw_mask active,
                                                    const sw_elastoplastic_crystal *start,
                                                    const sw_slip_state *begun, sw_elastoplastic_balance *b,
                                                    sw_real x[5], sw_real *iterations, sw_slip_state *next,
                                                    sw_elastoplastic_end *end, sw_real (*tangent)[5])
{
    const sw_slip_model *of = &model->slip;
    sw_slip_resists resists;
    sw_slip_groups groups;
    sw_real elastic[5], used[SW_SLIP_SYSTEMS_MAX];
    sw_mask good = active, running = active;
    b->slip_rate_most =
        3.0F * b->slip_rate_most; /* soft systems slip more than those that all resist alike */
    resists.begun = begun;
    resists.stress_unit = step->stress_unit;
    resists.strain = b->strain;
    resists.rate = step->rate;
    resists.exponent = of->exponent;
    SW_UNROLL
    for (int i = 0; i < 5; i++) /* how much elastic strain follows a stress, over slips in a part of a step */
        elastic[i] = model->compliance[i] * b->stress_scale * start->slip_resistance * b->strain;
    sw_real left = sw_slip_left(of, begun);
    b->resistance = sw_slip_resists_of(&of->law, begun->g, left, &resists);
    SW_ROLLED
    for (int pass = 0;; pass++) {
        sw_slip_sums sums;
        sw_slip_sum(of, systems, &resists, x, &sums, &groups);
        sw_real scale = sw_slip_sizes(&of->law, b->slip_rate_most, b->strain, &sums, &groups.slips);
        sw_slip_harden(of, &groups.slips, step, start->slip_resistance, begun, next);
        if (pass > 0)
            running = running & good & sw_slip_is_off(&of->law, used, next);
        const int ends = pass == 12 || !sw_any(running);
        if (ends) {
            good = sw_elastoplastic_finish(model, systems, &resists, step, good & ~running, start, b, x,
                                           &sums, sw_divide(scale, b->strain), end, tangent);
            if (SW_LAW_ALL)
                sw_slip_move_back(of, systems, &resists, x, scale, next);
        }
        sw_slip_state_mix(&of->law, ends || pass == 0 ? sw_if(1) : running, ends || pass < 3 ? 1.0F : 0.5F,
                          next, used);
        sw_real s = sw_slip_follow(of, systems, used, left, elastic, scale, &sums, &groups, &resists, x);
        if (ends) {
            end->resistance = s;
            return good;
        }
        b->resistance = sw_choose(running, s, b->resistance);
        good = good & (~running | sw_elastoplastic_newton(model, systems, &resists, pass > 0, step, running,
                                                          start, b, x, iterations));
    }
}

/* A part of a step, of the lanes in `active`; part: of each lane's, in (0, 1]. Returns the lanes whose answer
 * holds; only those of *crystal, of slip_rate, G over r, and of tangent [8][5] (tangent.h; NULL: not wanted) are
 * changed. */
SW_HD static inline sw_mask sw_elastoplastic_advance(const sw_elastoplastic_model *model, int systems,
                                                     const sw_slip_step *step, sw_mask active, sw_real part,
                                                     sw_elastoplastic_crystal *crystal, sw_slip_state *slip,
                                                     sw_real *slip_rate, sw_real *iterations,
                                                     sw_real (*tangent)[5])
{
    sw_elastoplastic_balance b;
    sw_elastoplastic_end end;
    sw_slip_state next;
    sw_real x[5];
    sw_mask good;
    sw_elastoplastic_begin(model, step, part, crystal, &b, x);
    if (slip != NULL) {
        good = sw_elastoplastic_settle(model, systems, step, active, crystal, slip, &b, x, iterations, &next,
                                       &end, tangent);
        sw_slip_state_choose(&model->slip.law, good, &next, slip);
    } else {
        good = sw_elastoplastic_newton(model, systems, NULL, 0, step, active, crystal, &b, x, iterations);
        good = sw_elastoplastic_finish(model, systems, NULL, step, good, crystal, &b, x, NULL,
                                       sw_broadcast(1.0), &end, tangent);
    }
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        crystal->orientation[i] = sw_choose(good, end.orientation[i], crystal->orientation[i]);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        crystal->stress[i] = sw_choose(good, x[i] * step->stress_unit, crystal->stress[i]);
    crystal->slip_resistance = sw_choose(good, end.resistance, crystal->slip_resistance);
    *slip_rate = sw_choose(good, end.slip_rate, *slip_rate);
    return good;
}

/* A whole step. slip: of each system, whose mean s is; NULL: all have s. A crystal that finds no
 * answer takes it in parts of a quarter, a sixteenth, ... down to 1/256.
 * iterations: Newton's, all parts together. tangent: as above. Returns the lanes that made it. */
SW_HD static inline sw_mask sw_elastoplastic(const sw_elastoplastic_model *model, int systems,
                                             const sw_slip_step *step, sw_elastoplastic_crystal *crystal,
                                             sw_slip_state *slip, sw_real *slip_rate, sw_real *iterations,
                                             sw_real (*tangent)[5])
{
    const float least = 1.0F / 256;
    sw_real left = sw_broadcast(1.0), part = sw_broadcast(1.0);
    sw_mask resists = SW_LESS(sw_broadcast(0.0), crystal->slip_resistance), going = resists;
    *slip_rate = *iterations = sw_broadcast(0.0);
    if (slip != NULL)
        sw_slip_state_at(&model->slip.law, step->rate, slip);
    while (sw_any(going)) {
        sw_mask good = sw_elastoplastic_advance(model, systems, step, going, part, crystal, slip, slip_rate,
                                                iterations, tangent);
        left = sw_choose(good, left - part, left); /* parts are powers of two: exactly */
        part = sw_choose(going & ~good, 0.25F * part, part);
        going = going & SW_LESS(sw_broadcast(0.5 * least), left) & ~SW_LESS(part, sw_broadcast(least));
    }
    return resists & ~SW_LESS(sw_broadcast(0.5 * least), left);
}

SW_HD static inline sw_mask sw_elastoplastic_is_number(const sw_elastoplastic_crystal *crystal)
{
    sw_real all = crystal->slip_resistance;
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        all += crystal->orientation[i];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        all += crystal->stress[i];
    return SW_LESS(sw_abs(all), sw_broadcast(1e30));
}

/* Add what the means are made of (step.h): stress in the sample frame, Pa; s; G, 1/s. */
SW_HD static inline void sw_elastoplastic_add(const sw_elastoplastic_model *model, const sw_slip_step *step,
                                              const sw_elastoplastic_crystal *crystal, sw_real slip_rate,
                                              sw_real sum[SW_MEANS])
{
    sw_real r[3][3], stress[5];
    sw_real cauchy[5], e[6], t[6];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        cauchy[i] = crystal->stress[i];
    sw_elastoplastic_strain(model, crystal->stress, crystal->slip_resistance, e);
    sw_deviator_tensor(crystal->stress, t);
    sw_elastoplastic_push(e, t, cauchy);
    sw_rotation_from_quaternion(crystal->orientation, r);
    sw_rigid_plastic_stress((const sw_real(*)[3])r, cauchy, stress);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        sum[i] += stress[i] * crystal->slip_resistance;
    sw_real mean_stress = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        mean_stress += model->by_stress[i] * crystal->stress[i];
    sum[SW_SUM_MEAN_STRESS] += mean_stress * crystal->slip_resistance;
    sum[SW_SUM_RESISTANCE] += crystal->slip_resistance;
    sum[SW_SUM_SLIP_RATE] += slip_rate * step->rate;
}

#endif
