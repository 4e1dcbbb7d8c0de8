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

#include "online/response/rigid_plastic/rigid_plastic.h"
#include "online/response/step/crystal_update.h"

/* Numbers that a crystal keeps from step to step, beside its orientation and slip resistance. */
enum { SW_ELASTOPLASTIC_KEPT = 5 };

/* 24 kB: fits a GPU's constant memory. */
typedef struct {
    int systems;            /* S */
    float compliance[5];    /* of the deviators' components: 1 / (C11 - C12), twice, and 1 / (2 C44); 1/Pa */
    float tolerance;        /* of the strain rate, over r */
    float reference_rate;   /* v0, 1/s */
    float rate_sensitivity; /* m */
    sw_slip_model slip;
} sw_elastoplastic_model;

/* What all crystals of a step share. */
typedef struct {
    float strain_rate[6]; /* D/r, sample frame, 11 22 33 23 13 12; its trace is left out */
    float turn[3];        /* axial vector of W dt, sample frame, rad */
    float rate;           /* r, 1/s: ||D||, or more where hardly anything moves */
    float strain;         /* r dt */
    float stress_unit;    /* (r/v0)^m */
    sw_hardening hardening;
} sw_elastoplastic_step;

#ifdef __cplusplus
extern "C" {
#endif

/* SW_ERR_RANGE as of sw_slip_prepare. */
sw_status sw_elastoplastic_prepare(const sw_material *material, sw_elastoplastic_model *model);
sw_elastoplastic_step sw_elastoplastic_step_of(const sw_elastoplastic_model *model, const sw_step *step);

#ifdef __cplusplus
}
#endif

/* A crystal at one instant. */
typedef struct {
    sw_real orientation[4];  /* quaternion, crystal -> sample, of about unit length */
    sw_real slip_resistance; /* s, Pa */
    sw_real stress[5];       /* sigma'/s, crystal frame */
} sw_elastoplastic_crystal;

/* By how much the middle of a step may be off, rad. */
#define SW_MIDDLE_TURN 2e-3F

/* r^T d r of a symmetric d as a vector of five. */
SW_HD static inline void sw_elastoplastic_strain_rate(const sw_real r[3][3], const float d[6], sw_real v[5])
{
    const float r2 = 0.70710678F, r6 = 0.40824829F; /* 1/sqrt 2, 1/sqrt 6 */
    sw_real a[3][3], t[6];                          /* d r; 11 22 33 23 13 12 */
    SW_UNROLL
    for (int j = 0; j < 3; j++) {
        a[0][j] = d[0] * r[0][j] + d[5] * r[1][j] + d[4] * r[2][j];
        a[1][j] = d[5] * r[0][j] + d[1] * r[1][j] + d[3] * r[2][j];
        a[2][j] = d[4] * r[0][j] + d[3] * r[1][j] + d[2] * r[2][j];
    }
    SW_UNROLL
    for (int k = 0; k < 6; k++) {
        const int i = k < 3 ? k : k == 3, j = k < 3 ? k : k == 5 ? 1 : 2;
        t[k] = r[0][i] * a[0][j] + r[1][i] * a[1][j] + r[2][i] * a[2][j];
    }
    v[0] = r2 * (t[0] - t[1]);
    v[1] = r6 * (2.0F * t[2] - t[0] - t[1]);
    SW_UNROLL
    for (int i = 2; i < 5; i++)
        v[i] = 2.0F * r2 * t[i + 1];
}

/* exp(W dt part) q exp(-Wp dt part), with part of the step's W dt, and spin over r in the crystal frame: exact
 * where both are constant. */
SW_HD static inline void sw_elastoplastic_turn(const sw_elastoplastic_step *step, sw_real part,
                                               const sw_real spin[3], const sw_real q[4], sw_real turned[4])
{
    sw_real applied[3], plastic[3], left[4], right[4], between[4], strain = part * step->strain;
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        applied[i] = part * step->turn[i];
    plastic[0] = strain * spin[2];
    plastic[1] = -(strain * spin[1]);
    plastic[2] = strain * spin[0];
    sw_quaternion_from_turn(applied, left);
    sw_quaternion_from_turn(plastic, right);
    sw_quaternion_multiply(left, q, between);
    sw_quaternion_multiply(between, right, turned);
}

/* ---- What has to balance ---- */

/* Strain rates over r. Few numbers, as they stay in registers: what follows from the crystal is formed anew. */
typedef struct {
    sw_real part, strain; /* of the step; r dt of the part */
    sw_real stress_scale; /* (r/v0)^m over `strain` */
    sw_real d[5];         /* D, seen from the middle of the step as it is for ... */
    sw_real assumed[3];   /* ... this spin */
    sw_real elastic;      /* |E(0)| / strain */
    /* G of an answer is at most its flow times a stress of size sqrt 6. Iterates that overshoot, and what is
     * stored from a faster load, are believed no more. */
    sw_real slip_rate_most;
} sw_elastoplastic_balance;

SW_HD static inline void sw_elastoplastic_begin(const sw_elastoplastic_model *model,
                                                const sw_elastoplastic_step *step, sw_real part,
                                                const sw_elastoplastic_crystal *crystal,
                                                sw_elastoplastic_balance *b, sw_real x[5])
{
    sw_real elastic = sw_broadcast(0.0);
    b->part = part;
    b->strain = part * step->strain;
    b->stress_scale = sw_divide(sw_broadcast(step->stress_unit), b->strain);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        x[i] = crystal->stress[i] * (1.0F / step->stress_unit);
        b->d[i] = sw_broadcast(0.0);
        elastic += sw_abs(model->compliance[i] * x[i]);
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        b->assumed[i] = sw_broadcast(0.0);
    b->elastic = elastic * crystal->slip_resistance * b->stress_scale;
    b->slip_rate_most = 4.0F + 4.0F * b->elastic;
}

/* See D from the middle of the step, if the lattice spins so: in the chosen lanes. */
SW_HD static inline void sw_elastoplastic_aim(const sw_elastoplastic_step *step, sw_mask lanes,
                                              const sw_real spin[3], const sw_real orientation[4],
                                              sw_elastoplastic_balance *b)
{
    sw_real middle[4], r[3][3], d[5];
    sw_elastoplastic_turn(step, 0.5F * b->part, spin, orientation, middle);
    sw_rigid_plastic_rotation(middle, r);
    sw_elastoplastic_strain_rate(r, step->strain_rate, d);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        b->d[i] = sw_choose(lanes, d[i], b->d[i]);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        b->assumed[i] = sw_choose(lanes, spin[i], b->assumed[i]);
}

/* The same from the slips of the stored stress. */
SW_HD static inline void sw_elastoplastic_predict(const sw_elastoplastic_step *step, sw_mask lanes,
                                                  const sw_slip_sums *sums, const sw_real orientation[4],
                                                  sw_elastoplastic_balance *b)
{
    sw_real spin[3], believed = sw_min(sw_divide(b->slip_rate_most, sums->slip_rate), sw_broadcast(1.0));
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = sums->spin[i] * believed;
    sw_elastoplastic_aim(step, lanes, spin, orientation, b);
}

/* Where the middle of the step, with this spin, is elsewhere. */
SW_HD static inline sw_mask sw_elastoplastic_missed(const sw_elastoplastic_balance *b, const sw_real spin[3])
{
    sw_real off = sw_broadcast(0.0), half = 0.5F * b->strain;
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        off += (spin[i] - b->assumed[i]) * (spin[i] - b->assumed[i]);
    return SW_LESS(sw_broadcast(SW_MIDDLE_TURN * SW_MIDDLE_TURN), off * half * half);
}

/* What x, its slips' flow = sum gamma_a P_a and s leave of what has to balance. soft [5]: its derivative by
 * elastic strain. Returns its square. */
SW_HD static inline sw_real sw_elastoplastic_residual(const sw_elastoplastic_model *model,
                                                      const sw_elastoplastic_step *step,
                                                      const sw_elastoplastic_crystal *start,
                                                      const sw_elastoplastic_balance *b, const sw_real x[5],
                                                      const sw_real flow[5], sw_real s, sw_real soft[5],
                                                      sw_real residual[5])
{
    sw_real square = sw_broadcast(0.0), s_start = start->slip_resistance * (1.0F / step->stress_unit);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sw_real per_stress = model->compliance[i] * b->stress_scale;
        soft[i] = per_stress * s;
        residual[i] = b->d[i] - flow[i] + per_stress * (s_start * start->stress[i] - s * x[i]);
        square += residual[i] * residual[i];
    }
    return square;
}

/* ---- Newton's method ---- */

/* A crystal whose load changed is where rigid plasticity has it (the vertex that the strain rate points to)
 * rather than anywhere near its last stress, from which bounded steps would creep around the yield surface. Those
 * are the ones whose slips do not fit, or whose first step can hardly be made, and that the step, all elastic,
 * would take far outside. square: of the residual at `from`; safe: of the step from there. Returns them. */
SW_HD static inline sw_mask sw_elastoplastic_start_far(const sw_elastoplastic_model *model, int systems,
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
                  SW_LESS(sw_broadcast(outside), sw_largest_stress(&model->slip, systems, trial));
    if (!sw_any(far))
        return far;
    sw_real inverse = sw_divide(sw_broadcast(1.0), sw_sqrt(size));
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        d[i] = b->d[i] * inverse;
    sw_slip_start(&model->slip, d, start);
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
    sw_solve_spd5(sums->jacobian, residual, newton);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        downhill += newton[i] * residual[i];
    return downhill;
}

/* x: the stored stress -> answer, of the lanes in `active`. Ends with a full step so small that its leading
 * order leaves 3e-5. iterations: Jacobians formed. Returns the lanes that got there. */
SW_HD static inline sw_mask sw_elastoplastic_newton(const sw_elastoplastic_model *model, int systems,
                                                    const sw_elastoplastic_step *step, sw_mask active,
                                                    const sw_elastoplastic_crystal *start,
                                                    sw_elastoplastic_balance *b, sw_real x[5],
                                                    sw_real *iterations)
{
    sw_slip_search search;
    sw_mask running = active, corrected = sw_if(0);
    sw_slip_search_begin(&search);
    for (int iteration = 0; iteration < 60 && sw_any(running); iteration++) {
        sw_slip_sums sums;
        sw_real soft[5], residual[5], newton[5], from[5];
        sw_mask small, far = sw_if(0);
        *iterations += sw_choose(running, sw_broadcast(1.0), sw_broadcast(0.0));
        sw_slip_sum(&model->slip, systems, x, &sums);
        if (iteration == 0)
            sw_elastoplastic_predict(step, running, &sums, start->orientation, b);
        sw_real s = sw_harden(&step->hardening, start->slip_resistance,
                              sw_min(sums.slip_rate, b->slip_rate_most) * b->strain);
        sw_real square =
            sw_elastoplastic_residual(model, step, start, b, x, sums.strain_rate, s, soft, residual);
        sw_real downhill = sw_elastoplastic_direction(model, soft, residual, &sums, newton);
        sw_real yield = sw_max(sums.largest, sw_broadcast(1.0));
        sw_real safe = sw_slip_safe_fraction(&model->slip, systems, x, newton, sums.largest, yield, &small);
        sw_mask bounded = SW_LESS(safe, sw_broadcast(1.0));
        if (sw_any(running & bounded))
            safe = sw_choose(bounded, sw_slip_reach(&model->slip, systems, x, newton, yield), safe);
        sw_mask beyond = sw_slip_is_beyond(&search, residual);
        sw_mask last = running & ~beyond & small & SW_LESS(downhill, sw_broadcast(model->slip.decrement)) &
                       ~SW_LESS(safe, sw_broadcast(1.0));
        sw_mask again = last & ~corrected & sw_elastoplastic_missed(b, sums.spin);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            from[i] = x[i];
        sw_slip_search_on(&search, beyond, running, newton, downhill, safe, x);
        if (iteration == 0)
            far = sw_elastoplastic_start_far(model, systems, b, soft, sums.strain_rate, residual, square,
                                             safe, from, x);
        if (sw_any(again))
            sw_elastoplastic_aim(step, again, sums.spin, start->orientation, b);
        sw_slip_search_anew(&search, far | again);
        corrected = corrected | again;
        running = running & (~last | again);
    }
    return active & ~running;
}

/* ---- A step ---- */

/* A part of a step, of the lanes in `active`; part: of each lane's, in (0, 1]. Returns the lanes whose answer
 * holds; only those of *crystal and of slip_rate, G over r, are changed. */
SW_HD static inline sw_mask sw_elastoplastic_advance(const sw_elastoplastic_model *model, int systems,
                                                     const sw_elastoplastic_step *step, sw_mask active,
                                                     sw_real part, sw_elastoplastic_crystal *crystal,
                                                     sw_real *slip_rate, sw_real *iterations)
{
    sw_elastoplastic_balance b;
    sw_real x[5], flow[5], spin[3], total, soft[5], residual[5], turned[4];
    sw_elastoplastic_begin(model, step, part, crystal, &b, x);
    sw_mask good = sw_elastoplastic_newton(model, systems, step, active, crystal, &b, x, iterations);
    sw_slip_flow(&model->slip, systems, x, flow, &total, spin);
    sw_real s = sw_harden(&step->hardening, crystal->slip_resistance, total * b.strain);
    sw_real square = sw_elastoplastic_residual(model, step, crystal, &b, x, flow, s, soft, residual);
    /* what rounding leaves grows with the slips, and with elastic strains that are large beside the step */
    sw_real bound = model->tolerance * (1.0F + 0.4F * total) + 3e-7F * b.elastic;
    good = good & SW_LESS(square, bound * bound);
    sw_elastoplastic_turn(step, part, spin, crystal->orientation, turned);
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        crystal->orientation[i] = sw_choose(good, turned[i], crystal->orientation[i]);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        crystal->stress[i] = sw_choose(good, x[i] * step->stress_unit, crystal->stress[i]);
    crystal->slip_resistance = sw_choose(good, s, crystal->slip_resistance);
    *slip_rate = sw_choose(good, total, *slip_rate);
    return good;
}

/* A whole step. A crystal that finds no answer takes it in parts of a quarter, a sixteenth, ... down to 1/256.
 * iterations: Newton's, all parts together. Returns the lanes that made it. */
SW_HD static inline sw_mask sw_elastoplastic(const sw_elastoplastic_model *model, int systems,
                                             const sw_elastoplastic_step *step,
                                             sw_elastoplastic_crystal *crystal, sw_real *slip_rate,
                                             sw_real *iterations)
{
    const float least = 1.0F / 256;
    sw_real left = sw_broadcast(1.0), part = sw_broadcast(1.0);
    sw_mask going = sw_if(1);
    *slip_rate = *iterations = sw_broadcast(0.0);
    while (sw_any(going)) {
        sw_mask good =
            sw_elastoplastic_advance(model, systems, step, going, part, crystal, slip_rate, iterations);
        left = sw_choose(good, left - part, left); /* parts are powers of two: exactly */
        part = sw_choose(going & ~good, 0.25F * part, part);
        going = going & SW_LESS(sw_broadcast(0.5 * least), left) & ~SW_LESS(part, sw_broadcast(least));
    }
    return ~SW_LESS(sw_broadcast(0.5 * least), left);
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
SW_HD static inline void sw_elastoplastic_add(const sw_elastoplastic_step *step,
                                              const sw_elastoplastic_crystal *crystal, sw_real slip_rate,
                                              sw_real sum[SW_MEANS])
{
    sw_real r[3][3], stress[5];
    sw_rigid_plastic_rotation(crystal->orientation, r);
    sw_rigid_plastic_stress(r, crystal->stress, stress);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        sum[i] += stress[i] * crystal->slip_resistance;
    sum[SW_SUM_RESISTANCE] += crystal->slip_resistance;
    sum[SW_SUM_SLIP_RATE] += slip_rate * step->rate;
}

#endif
