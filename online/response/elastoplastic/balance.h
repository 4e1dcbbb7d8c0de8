/* What has to balance at the end of an elastic-plastic crystal's step: elastoplastic.h says what it is. */
#ifndef SW_ONLINE_RESPONSE_ELASTOPLASTIC_BALANCE_H
#define SW_ONLINE_RESPONSE_ELASTOPLASTIC_BALANCE_H

#include "common/math/deviator.h"
#include "online/response/rigid_plastic/rigid_plastic.h"
#include "online/response/rigid_plastic/slip_step.h"
#include "online/response/step/crystal_update.h"

/* Numbers that a crystal keeps from step to step, beside its orientation and slip resistance. */
enum { SW_ELASTOPLASTIC_KEPT = 5 };

/* 24 kB: fits a GPU's constant memory. */
typedef struct {
    /* of the deviators' components, 1/Pa: of cubic crystals 1 / (C11 - C12), twice, and 1 / (2 C44) */
    float compliance[5];
    float
        coupled; /* what the first has with the second component's stress, over what it has with its own: of orthorhombic crystals */
    float by_stress[5];     /* mean stress by deviatoric stress (stiffness.h): 0 of cubic crystals */
    float tolerance;        /* of the strain rate, over r */
    float reference_rate;   /* v0, 1/s */
    float rate_sensitivity; /* m */
    sw_slip_model slip;
} sw_elastoplastic_model;

#ifdef __cplusplus
extern "C" {
#endif

/* SW_ERR_RANGE as of sw_slip_prepare. */
sw_status sw_elastoplastic_prepare(const sw_material *material, sw_elastoplastic_model *model);

#ifdef __cplusplus
}
#endif

/* Where nothing is strained, slip lives on elastic strain: some 1e-3, of which 1e-5 is a rate to measure by. */
SW_HD static inline sw_slip_rates sw_elastoplastic_rates(const sw_elastoplastic_model *model, float duration)
{
    const sw_slip_rates scale = {model->reference_rate, model->rate_sensitivity, 1e-5F / duration};
    return scale;
}

/* A crystal at one instant. */
typedef struct {
    sw_real orientation[4];  /* quaternion, crystal -> sample, of about unit length */
    sw_real slip_resistance; /* s, Pa */
    sw_real stress[5];       /* sigma'/s, crystal frame */
} sw_elastoplastic_crystal;

/* Slip is driven by the second Piola-Kirchhoff stress, as in the paper; what acts between crystals is Cauchy's, to first order
 * S + e S + S e with the elastic strain e = C^-1 S: of copper 1e-3 of it, of magnesium 4e-3. Vectors of five, along the crystal. */

/* e of a stress times `scale`, as a tensor. */
SW_HD static inline void sw_elastoplastic_strain(const sw_elastoplastic_model *model, const sw_real stress[5],
                                                 sw_real scale, sw_real e[6])
{
    sw_real strain[5];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        strain[i] = model->compliance[i] * stress[i] * scale;
    const float between = model->coupled * model->compliance[0];
    strain[0] += between * stress[1] * scale;
    strain[1] += between * stress[0] * scale;
    sw_deviator_tensor(strain, e);
}

/* out += the deviator of e t + t e, both without trace. */
SW_HD static inline void sw_elastoplastic_push(const sw_real e[6], const sw_real t[6], sw_real out[5])
{
    SW_DEVIATOR_ROOTS;
    sw_real d[3]; /* halves of the diagonal */
    d[0] = e[0] * t[0] + e[5] * t[5] + e[4] * t[4];
    d[1] = e[5] * t[5] + e[1] * t[1] + e[3] * t[3];
    d[2] = e[4] * t[4] + e[3] * t[3] + e[2] * t[2];
    out[0] += 2.0F * r2 * (d[0] - d[1]);
    out[1] += 2.0F * r6 * (2.0F * d[2] - d[0] - d[1]);
    SW_UNROLL
    for (int k = 3; k < 6; k++) { /* component ij, and l the third axis: e_ii + e_jj = -e_ll */
        const int l = k - 3, i = k == 3 ? 4 : 3, j = k == 5 ? 4 : 5;
        out[k - 1] += 2.0F * r2 * (e[i] * t[j] + t[i] * e[j] - e[l] * t[k] - t[l] * e[k]);
    }
}

/* By how much the middle of a step may be off, rad. With 1e-3 no crystal is corrected in steady flow in steps of 2 %, with
 * 5e-4 up to 1 in 100; where a crystal begins to be corrected its stress jumps, with 2e-3 by some per cent, now by 5e-4. */
#define SW_MIDDLE_TURN 1e-3F

/* G of an answer over its flow at most: a stress has at most the size sqrt 6. */
#define SW_SLIP_RATE_MOST 4.0F

/* exp(W dt part) q exp(-Wp dt part), with part of the step's W dt, and spin over r in the crystal frame: exact
 * where both are constant. */
SW_HD static inline void sw_elastoplastic_turn(const sw_slip_step *step, sw_real part, const sw_real spin[3],
                                               const sw_real q[4], sw_real turned[4])
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
    sw_quaternion_product(left, q, between);
    sw_quaternion_product(between, right, turned);
}

/* ---- What has to balance ---- */

/* Strain rates over r. Few numbers, as they stay in registers: what follows from the crystal is formed anew. */
typedef struct {
    sw_real part, strain; /* of the step; r dt of the part */
    sw_real stress_scale; /* (r/v0)^m over `strain` */
    sw_real d[5];         /* D, seen from the middle of the step as it is for ... */
    sw_real assumed[3];   /* ... this spin */
    sw_real elastic;      /* |E(0)| / strain */
    /* Of G. Iterates that overshoot, and what is stored from a faster load, are believed no more. */
    sw_real slip_rate_most;
    sw_real resistance; /* s at the end, where systems have their own */
    /* For the tangent: which lanes did not believe what is stored, which were corrected, and their answer before. */
    sw_mask doubted, corrected;
    sw_real first[5];
} sw_elastoplastic_balance;

SW_HD static inline void sw_elastoplastic_begin(const sw_elastoplastic_model *model, const sw_slip_step *step,
                                                sw_real part, const sw_elastoplastic_crystal *crystal,
                                                sw_elastoplastic_balance *b, sw_real x[5])
{
    sw_real elastic = sw_broadcast(0.0), over_unit = sw_divide(sw_broadcast(1.0), step->stress_unit);
    b->part = part;
    b->strain = part * step->strain;
    b->stress_scale = sw_divide(step->stress_unit, b->strain);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        x[i] = crystal->stress[i] * over_unit;
        b->d[i] = b->first[i] = sw_broadcast(0.0);
        elastic += sw_abs(model->compliance[i] * x[i]);
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        b->assumed[i] = sw_broadcast(0.0);
    b->elastic = elastic * crystal->slip_resistance * b->stress_scale;
    b->slip_rate_most = SW_SLIP_RATE_MOST * (1.0F + b->elastic);
    b->doubted = b->corrected = sw_if(0);
}

/* See D from the middle of the step, if the lattice spins so: in the chosen lanes. Volume strains as a deviator that makes the
 * same stress (stiffness.h). */
SW_HD static inline void sw_elastoplastic_aim(const sw_elastoplastic_model *model, const sw_slip_step *step,
                                              sw_mask lanes, const sw_real spin[3],
                                              const sw_real orientation[4], sw_elastoplastic_balance *b)
{
    sw_real middle[4], r[3][3], d[5];
    sw_elastoplastic_turn(step, 0.5F * b->part, spin, orientation, middle);
    sw_rotation_from_quaternion(middle, r);
    sw_deviator_in_frame((const sw_real(*)[3])r, step->strain_rate, d);
    sw_real over_rate = sw_divide(sw_broadcast(1.0), step->rate);
    sw_real volume = step->strain_rate[0] + step->strain_rate[1] + step->strain_rate[2];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        b->d[i] = sw_choose(lanes, (d[i] + model->by_stress[i] * volume) * over_rate, b->d[i]);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        b->assumed[i] = sw_choose(lanes, spin[i], b->assumed[i]);
}

/* The same once, from an answer. */
SW_HD static inline void sw_elastoplastic_correct(const sw_elastoplastic_model *model,
                                                  const sw_slip_step *step, sw_mask lanes, const sw_real x[5],
                                                  const sw_real spin[3], const sw_real orientation[4],
                                                  sw_elastoplastic_balance *b)
{
    sw_elastoplastic_aim(model, step, lanes, spin, orientation, b);
    b->corrected = b->corrected | lanes;
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        b->first[i] = sw_choose(lanes, x[i], b->first[i]);
}

/* The spin that the slips of the stored stress predict. */
SW_HD static inline void sw_elastoplastic_believe(const sw_elastoplastic_balance *b, sw_real slip_rate,
                                                  const sw_real stored[3], sw_real spin[3])
{
    sw_real believed = sw_min(sw_divide(b->slip_rate_most, slip_rate), sw_broadcast(1.0));
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = stored[i] * believed;
}

/* See D by it. */
SW_HD static inline void sw_elastoplastic_predict(const sw_elastoplastic_model *model,
                                                  const sw_slip_step *step, sw_mask lanes,
                                                  const sw_slip_sums *sums, const sw_real orientation[4],
                                                  sw_elastoplastic_balance *b)
{
    sw_real spin[3];
    sw_elastoplastic_believe(b, sums->slip_rate, sums->spin, spin);
    b->doubted = SW_LESS(b->slip_rate_most, sums->slip_rate);
    sw_elastoplastic_aim(model, step, lanes, spin, orientation, b);
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
                                                      const sw_slip_step *step,
                                                      const sw_elastoplastic_crystal *start,
                                                      const sw_elastoplastic_balance *b, const sw_real x[5],
                                                      const sw_real flow[5], sw_real s, sw_real soft[5],
                                                      sw_real residual[5])
{
    sw_real square = sw_broadcast(0.0), s_start = sw_divide(start->slip_resistance, step->stress_unit),
            given[5];
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sw_real per_stress = model->compliance[i] * b->stress_scale;
        soft[i] = per_stress * s;
        given[i] = s_start * start->stress[i] - s * x[i];
        residual[i] = b->d[i] - flow[i] + per_stress * given[i];
    }
    sw_real between = model->coupled * model->compliance[0] * b->stress_scale;
    residual[0] += between * given[1];
    residual[1] += between * given[0];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        square += residual[i] * residual[i];
    return square;
}

#endif
