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
                                                  const sw_slip_step *step, const sw_real r[3][3],
                                                  const sw_real x[5], sw_real s,
                                                  sw_real tangent[SW_TANGENT_COLUMNS][5])
{
    sw_slip_derivatives by;
    sw_real flow[5], total, spin[3], pivot[5], v[5], trace = sw_broadcast(0.0),
                                                     unit = sw_divide(step->stress_unit, step->rate);
    sw_real h = sw_hardening_rate(&step->hardening, s) * step->strain;
    sw_slip_differentiate(&model->slip, systems, x, flow, &total, spin, &by);
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

/* q: orientation, crystal -> sample, of about unit length; s: slip resistance, Pa: at the step's beginning -> at its
 * end. mean [SW_MEANS] as in step.h, and tangent, NULL: not wanted. Returns the lanes that have an answer. */
SW_HD static inline sw_mask sw_rigid_plastic_advance(const sw_rigid_plastic_model *model, int systems,
                                                     const sw_slip_step *step, sw_real q[4], sw_real *s,
                                                     sw_real mean[SW_MEANS], sw_real (*tangent)[5])
{
    sw_real r[3][3], d[5], x[5], spin[3], slip_rate, iterations, turn[3], rotation[4], turned[4];
    sw_mask rests = SW_LESS(step->rate, sw_broadcast(2e-30)); /* D = 0: the least rate */
    sw_rotation_from_quaternion(q, r);
    sw_deviator_in_frame((const sw_real(*)[3])r, step->strain_rate, d);
    sw_real over_rate = sw_divide(sw_broadcast(1.0), step->rate);
    SW_UNROLL
    for (int i = 0; i < 5; i++) /* of unit size also where nothing moves: all it does is have an answer */
        d[i] = sw_choose(rests, sw_broadcast(i == 0), d[i] * over_rate);
    sw_slip_start(&model->slip, d, x);
    sw_mask met = sw_slip_newton(&model->slip, systems, sw_if(1), d, x, &iterations);
    sw_real residual = sw_slip_answer(&model->slip, systems, d, x, &slip_rate, spin);
    met = met & SW_LESS(residual, sw_broadcast(model->tolerance)) & SW_LESS(sw_broadcast(0.0), *s);
    sw_real moves = sw_choose(rests, sw_broadcast(0.0), sw_broadcast(1.0));
    *s = sw_harden(&step->hardening, *s, slip_rate * step->strain * moves);
    if (tangent != NULL) {
        sw_rigid_plastic_tangent(model, systems, step, (const sw_real(*)[3])r, x, *s, tangent);
        SW_UNROLL
        for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
            tangent[k / 5][k % 5] = sw_choose(rests, sw_broadcast(0.0), tangent[k / 5][k % 5]);
    }
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = x[i] * (*s * step->stress_unit) * moves;
    sw_rigid_plastic_stress((const sw_real(*)[3])r, x, mean);
    mean[SW_SUM_RESISTANCE] = *s;
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
