/* How the stress that an elastic-plastic crystal ends its step with changes with the strain rate D and the spin W of
 * the step, exactly as elastoplastic.h takes it: the algorithmic tangent. docs/theory.md.
 *
 * Three things depend on D and W: the strain rate d that the crystal sees from the middle of its step, its stress in
 * its own frame, which follows from d alone, and the turn of that frame to the step's end. Where the middle was
 * corrected (elastoplastic.h) it hangs on a first answer, and so on D and W through that.
 *
 * A crystal that divides its step has the tangent of its last part. On sw_real. */
#ifndef SW_ONLINE_RESPONSE_ELASTOPLASTIC_TANGENT_H
#define SW_ONLINE_RESPONSE_ELASTOPLASTIC_TANGENT_H

#include "balance.h"

/* ---- One balance ---- */

/* An answer's derivative by d, factored. Newton's matrix lacks how s follows the slip, a product a g^T; it is put there
 * by Sherman and Morrison's formula, with u = M^-1 a and v = M^-1 g / (1 + g . u). */
typedef struct {
    sw_slip_derivatives slip; /* the strain rate's: Newton's matrix M, factored */
    sw_real pivot[5], u[5], v[5];
    sw_real hardening; /* ds/dx over g */
} sw_elastoplastic_slopes;

/* From the slips' derivatives at answer x, by->slip, and s there. */
SW_HD static inline void sw_elastoplastic_factor(const sw_elastoplastic_model *model,
                                                 const sw_slip_resists *resists, const sw_slip_step *step,
                                                 const sw_elastoplastic_balance *b, const sw_real x[5],
                                                 sw_real s, sw_elastoplastic_slopes *by)
{
    sw_real a[5], gu = sw_broadcast(1.0);
    by->hardening = resists != NULL ? sw_broadcast(0.0) : sw_hardening_rate(&step->hardening, s) * b->strain;
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sw_real per_stress = model->compliance[i] * b->stress_scale;
        by->slip.strain_rate[i][i] += per_stress * s;
        a[i] = per_stress * x[i] * by->hardening;
    }
    sw_real between = model->coupled * model->compliance[0] * b->stress_scale;
    by->slip.strain_rate[1][0] += between * s;
    a[0] += between * x[1] * by->hardening;
    a[1] += between * x[0] * by->hardening;
    sw_factor_spd5(by->slip.strain_rate, by->pivot);
    sw_solve_factored5((const sw_real(*)[5])by->slip.strain_rate, by->pivot, a, by->u);
    sw_solve_factored5((const sw_real(*)[5])by->slip.strain_rate, by->pivot, by->slip.slip_rate, by->v);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        gu += by->slip.slip_rate[i] * by->u[i];
    sw_real share = sw_divide(sw_broadcast(1.0), gu);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        by->v[i] = by->v[i] * share;
}

/* d changes by this, x by dx, its spin (12 13 23, over r) by that. Returns the change of G. */
SW_HD static inline sw_real sw_elastoplastic_follow(const sw_elastoplastic_slopes *by, const sw_real d[5],
                                                    sw_real dx[5], sw_real spin[3])
{
    sw_real slip = sw_broadcast(0.0);
    sw_solve_factored5((const sw_real(*)[5])by->slip.strain_rate, by->pivot, d, dx);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        slip += by->v[i] * d[i];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        dx[i] -= by->u[i] * slip;
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        spin[k] = sw_broadcast(0.0);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            spin[k] += by->slip.spin[k][i] * dx[i];
    }
    return slip;
}

/* ---- Turns ---- */

/* exp([turn + t]) = exp([l]) exp([turn]) to first order in t: l = t + a turn x t + b turn x (turn x t). */
typedef struct {
    sw_real turn[3], a, b;
} sw_turn_slopes;

/* Any turn up to some 10 rad. */
SW_HD static inline sw_turn_slopes sw_turn_differentiate(const sw_real turn[3])
{
    const float in_turns = 0.15915494F; /* 1 / 2 pi */
    sw_turn_slopes by;
    sw_real square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2], size = sw_sqrt(square), sine,
            cosine;
    sw_sincos_turns(size * in_turns - sw_nearest_whole(size * in_turns), &sine, &cosine);
    sw_mask small = SW_LESS(square, sw_broadcast(0.25));
    sw_real over = sw_divide(sw_broadcast(1.0), sw_max(square, sw_broadcast(1e-10)));
    sw_real a = 0.5F - square * (1.0F / 24 - square * (1.0F / 720 - square * (1.0F / 40320)));
    sw_real b = 1.0F / 6 - square * (1.0F / 120 - square * (1.0F / 5040 - square * (1.0F / 362880)));
    by.a = sw_choose(small, a, (1.0F - cosine) * over);
    by.b = sw_choose(small, b, sw_divide(size - sine, sw_max(size, sw_broadcast(1e-5))) * over);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        by.turn[i] = turn[i];
    return by;
}

SW_HD static inline void sw_turn_follow(const sw_turn_slopes *by, const sw_real t[3], sw_real l[3])
{
    const sw_real *turn = by->turn;
    sw_real first[3];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        first[i] = turn[(i + 1) % 3] * t[(i + 2) % 3] - turn[(i + 2) % 3] * t[(i + 1) % 3];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        l[i] = t[i] + by->a * first[i] +
               by->b * (turn[(i + 1) % 3] * first[(i + 2) % 3] - turn[(i + 2) % 3] * first[(i + 1) % 3]);
}

/* ---- Places in a step: its middle, as it is assumed, and its end ---- */

typedef struct {
    sw_real r[3][3];                 /* the lattice there, crystal -> sample */
    sw_real duration, strain;        /* up to there: s; r dt */
    sw_turn_slopes applied, plastic; /* of exp(W dt) before it and exp(-Wp dt) behind it */
} sw_elastoplastic_place;

/* The orientation there; spin: Wp over r, 12 13 23, that led there. */
SW_HD static inline void sw_elastoplastic_arrive(const sw_slip_step *step, sw_real part,
                                                 const sw_real spin[3], const sw_real orientation[4],
                                                 sw_elastoplastic_place *at)
{
    sw_real applied[3], plastic[3];
    at->strain = part * step->strain;
    at->duration = sw_divide(at->strain, step->rate);
    sw_rotation_from_quaternion(orientation, at->r);
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        applied[i] = part * step->turn[i];
        plastic[i] = (i == 1 ? at->strain : -at->strain) * spin[2 - i];
    }
    at->applied = sw_turn_differentiate(applied);
    at->plastic = sw_turn_differentiate(plastic);
}

/* How the lattice there turns, an axial vector in its own frame, with W, in column c, and with a change of the spin. */
SW_HD static inline void sw_elastoplastic_turn_there(const sw_elastoplastic_place *at, int c,
                                                     const sw_real spin[3], sw_real turn[3])
{
    sw_real change[3];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        change[i] = (i == 1 ? -at->strain : at->strain) * spin[2 - i];
    sw_turn_follow(&at->plastic, change, turn);
    if (c < 5)
        return;
    sw_real applied[3];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        change[i] = i == c - 5 ? at->duration : sw_broadcast(0.0);
    sw_turn_follow(&at->applied, change, applied);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        turn[i] += at->r[0][i] * applied[0] + at->r[1][i] * applied[1] + at->r[2][i] * applied[2];
}

/* d as it is seen from there, where it is d itself, by column c; assumed: the change of the spin that led there. */
SW_HD static inline void sw_elastoplastic_see(const sw_slip_step *step, const sw_elastoplastic_place *at,
                                              int c, const sw_real d[5], const sw_real assumed[3],
                                              sw_real by[5])
{
    sw_real unit[5], tensor[6], turn[3], over_rate = sw_divide(sw_broadcast(1.0), step->rate);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        unit[i] = i == c ? over_rate : sw_broadcast(0.0);
    sw_deviator_tensor(unit, tensor);
    sw_deviator_in_frame((const sw_real(*)[3])at->r, tensor, by);
    sw_elastoplastic_turn_there(at, c, assumed, turn);
    sw_deviator_add_spun(d, turn, by);
}

/* ---- The spin that is assumed for the middle ---- */

/* What it hangs on where it is not just the stored stress's: r where that is not believed; and the first answer where
 * that corrected it. */
typedef struct {
    sw_real growth[3];    /* of the believed spin with r, over r */
    sw_real direction[5]; /* D/r: of r with D */
    sw_real d[5];         /* what the first answer saw */
    sw_elastoplastic_place middle;
    sw_elastoplastic_slopes by;
} sw_elastoplastic_first;

SW_HD static inline void sw_elastoplastic_look_back(const sw_elastoplastic_model *model, int systems,
                                                    const sw_slip_resists *resists, const sw_slip_step *step,
                                                    const sw_elastoplastic_crystal *start,
                                                    const sw_elastoplastic_balance *b,
                                                    sw_elastoplastic_first *first)
{
    sw_real stored[5], flow[5], total, spin[3], believed[3], turned[4];
    sw_real over_unit = sw_divide(sw_broadcast(1.0), step->stress_unit);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        stored[i] = start->stress[i] * over_unit;
    sw_slip_flow(&model->slip, systems, resists, stored, flow, &total, spin);
    sw_elastoplastic_believe(b, total, spin, believed);
    sw_real growth = sw_choose(b->doubted, sw_divide(sw_broadcast(SW_SLIP_RATE_MOST), total * step->rate),
                               sw_broadcast(0.0));
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        first->growth[i] = sw_choose(b->doubted, growth * spin[i], sw_broadcast(0.0));
    sw_real over_rate = sw_divide(sw_broadcast(1.0), step->rate);
    sw_deviator_vector_of(step->strain_rate, first->direction);
    sw_elastoplastic_turn(step, 0.5F * b->part, believed, start->orientation, turned);
    sw_elastoplastic_arrive(step, 0.5F * b->part, believed, turned, &first->middle);
    sw_deviator_in_frame((const sw_real(*)[3])first->middle.r, step->strain_rate, first->d);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        first->direction[i] = first->direction[i] * over_rate;
        first->d[i] = first->d[i] * over_rate;
    }
    sw_slip_differentiate(&model->slip, systems, resists, b->first, flow, &total, spin, &first->by.slip);
    sw_real s = resists != NULL ? b->resistance
                                : sw_harden(&step->hardening, start->slip_resistance, total * b->strain);
    sw_elastoplastic_factor(model, resists, step, b, b->first, s, &first->by);
}

/* The change of the assumed spin, over r, in column c. */
SW_HD static inline void sw_elastoplastic_assumed(const sw_slip_step *step, const sw_elastoplastic_balance *b,
                                                  const sw_elastoplastic_first *first, int c, sw_real spin[3])
{
    sw_real along = sw_broadcast(0.0), d[5], dx[5], answered[3];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        along += i == c ? first->direction[i] : sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = along * first->growth[i];
    sw_elastoplastic_see(step, &first->middle, c, first->d, spin, d);
    sw_elastoplastic_follow(&first->by, d, dx, answered);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = sw_choose(b->corrected, answered[i], spin[i]);
}

/* ---- A step ---- */

/* Of the answer x, with slip resistance s (where systems have their own, as they were
 * predicted: their change is left out), the slips' derivatives in by, spin (over r) and the orientation it ends with:
 * tangent [8][5], of the stress in the sample frame as a vector of five, Pa, by D and W, 1/s; changed in the chosen
 * lanes. */
SW_HD static inline void sw_elastoplastic_tangent(const sw_elastoplastic_model *model, int systems,
                                                  const sw_slip_resists *resists, const sw_slip_step *step,
                                                  sw_mask lanes, const sw_elastoplastic_crystal *start,
                                                  const sw_elastoplastic_balance *b, const sw_real x[5],
                                                  sw_real s, const sw_real spin[3],
                                                  const sw_real orientation[4], sw_elastoplastic_slopes *by,
                                                  sw_real tangent[SW_TANGENT_COLUMNS][5])
{
    sw_elastoplastic_first first;
    sw_elastoplastic_place middle, end;
    sw_real turned_half[4];
    const int looks_back = sw_any(lanes & (b->doubted | b->corrected));
    if (looks_back)
        sw_elastoplastic_look_back(model, systems, resists, step, start, b, &first);
    else
        memset(&first, 0, sizeof first);
    sw_elastoplastic_turn(step, 0.5F * b->part, b->assumed, start->orientation, turned_half);
    sw_elastoplastic_arrive(step, 0.5F * b->part, b->assumed, turned_half, &middle);
    sw_elastoplastic_arrive(step, b->part, spin, orientation, &end);
    sw_elastoplastic_factor(model, resists, step, b, x, s, by);
    sw_real stress[5], cauchy[5], e[6], t[6];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        stress[i] = cauchy[i] = s * x[i];
    sw_elastoplastic_strain(model, stress, step->stress_unit, e);
    sw_deviator_tensor(stress, t);
    sw_elastoplastic_push(e, t, cauchy);
    SW_ROLLED
    for (int c = 0; c < SW_TANGENT_COLUMNS; c++) {
        sw_real assumed[3], d[5], dx[5], change[3], turn[3], turned[5];
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            assumed[i] = sw_broadcast(0.0);
        if (looks_back)
            sw_elastoplastic_assumed(step, b, &first, c, assumed);
        sw_elastoplastic_see(step, &middle, c, b->d, assumed, d);
        sw_real slip = sw_elastoplastic_follow(by, d, dx, change);
        sw_elastoplastic_turn_there(&end, c, change, turn);
        sw_real de[6], dt[6];
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            d[i] = dx[i] = s * dx[i] + by->hardening * slip * x[i]; /* its change, and Cauchy's */
            turned[i] = sw_broadcast(0.0);
        }
        sw_elastoplastic_strain(model, d, step->stress_unit, de);
        sw_deviator_tensor(d, dt);
        sw_elastoplastic_push(e, dt, dx);
        sw_elastoplastic_push(de, t, dx);
        sw_deviator_add_spun(cauchy, turn, turned); /* what it loses to its frame's turn */
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            dx[i] = step->stress_unit * (dx[i] - turned[i]);
        sw_deviator_from_frame((const sw_real(*)[3])end.r, dx, turned);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            tangent[c][i] = sw_choose(lanes, turned[i], tangent[c][i]);
    }
}

#endif
