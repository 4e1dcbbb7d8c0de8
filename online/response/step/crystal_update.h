/* One crystal's part of a step: which orientation to look up, and what to do with the answer; on CPU and GPU,
 * single precision, one crystal or a bundle. Malahe 2018, section 3.5; Eqs. 17, 19, 20.
 *
 * Orientations are unit quaternions (w, x, y, z) here, sample from crystal: no case of its own where Phi is 0
 * or pi, and a product instead of three. */
#ifndef SW_ONLINE_RESPONSE_STEP_CRYSTAL_UPDATE_H
#define SW_ONLINE_RESPONSE_STEP_CRYSTAL_UPDATE_H

#include "common/crystal/laws.h"
#include "common/crystal/symmetry.h"
#include "common/database/slip_planes.h"
#include "common/math/quaternion.h"
#include "common/math/turns.h"
#include "step.h"

/* What a crystal is under: a step that all share, or its own. Members as in sw_step. */
typedef struct {
    sw_real to_principal[4], frame[3][3], theta, rate, stress_scale, strain, applied_turn[3];
} sw_frame;

SW_HD static inline sw_frame sw_frame_of_step(const sw_step *step)
{
    sw_frame frame;
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        frame.to_principal[i] = sw_broadcast(step->to_principal[i]);
    SW_UNROLL
    for (int i = 0; i < 9; i++)
        frame.frame[i / 3][i % 3] = sw_broadcast(step->frame[i / 3][i % 3]);
    frame.theta = sw_broadcast(step->theta);
    frame.rate = sw_broadcast(step->rate);
    frame.stress_scale = sw_broadcast(step->stress_scale);
    frame.strain = sw_broadcast(step->strain);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        frame.applied_turn[i] = sw_broadcast(step->applied_turn[i]);
    return frame;
}

/* Orientation q, and the same seen from the principal frame. */
SW_HD static inline void sw_crystal_orientation(const sw_frame *frame, const sw_real euler[3], sw_real q[4],
                                                sw_real principal[4])
{
    sw_quaternion_from_euler(euler, q);
    sw_quaternion_product(frame->to_principal, q, principal);
}

/* Components 12, 13, 23 of a spin in the principal frame -> axial vector in the sample frame. */
SW_HD static inline void sw_axial_in_sample(const sw_real frame[3][3], const sw_real *spin, sw_real axial[3])
{
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        axial[i] = -frame[i][0] * spin[2] + frame[i][1] * spin[1] - frame[i][2] * spin[0];
}

/* Deviatoric stress in the principal frame (11 22 12 13 23) -> sample frame, 11 22 33 23 13 12. */
SW_HD static inline void sw_stress_in_sample(const sw_real frame[3][3], const sw_real *s, sw_real stress[6])
{
    SW_UNROLL
    for (int k = 0; k < 6; k++) {
        const sw_real *a = frame[sw_six_row(k)], *b = frame[sw_six_column(k)];
        stress[k] = a[0] * b[0] * s[0] + a[1] * b[1] * s[1] - a[2] * b[2] * (s[0] + s[1]) +
                    (a[0] * b[1] + a[1] * b[0]) * s[2] + (a[0] * b[2] + a[2] * b[0]) * s[3] +
                    (a[1] * b[2] + a[2] * b[1]) * s[4];
    }
}

/* Without a step: stress (Pa; 11 22 33 23 13 12), plastic spin (1/s; 12 13 23) and slip rate (1/s) in the
 * sample frame. Returns where strain rate, orientation q and slip resistance are numbers, the last positive; the stress is
 * none elsewhere. */
SW_HD static inline sw_mask sw_crystal_report(const sw_frame *frame, const sw_real output[SW_OUTPUTS],
                                              const sw_real q[4], sw_real slip_resistance, sw_real stress[6],
                                              sw_real spin[3], sw_real *slip_rate)
{
    sw_real axial[3], all = q[0] + q[1] + q[2] + q[3] + frame->rate + slip_resistance;
    sw_mask good = SW_LESS(sw_broadcast(0.0), slip_resistance) & SW_LESS(sw_abs(all), sw_broadcast(1e30));
    sw_real scale = sw_choose(good, frame->stress_scale, sw_broadcast(NAN)) * slip_resistance;
    sw_stress_in_sample(frame->frame, output, stress);
    sw_axial_in_sample(frame->frame, output + 5, axial);
    SW_UNROLL
    for (int k = 0; k < 6; k++)
        stress[k] = stress[k] * scale;
    spin[0] = -(frame->rate * axial[2]);
    spin[1] = frame->rate * axial[1];
    spin[2] = -(frame->rate * axial[0]);
    *slip_rate = frame->rate * output[8];
    return good;
}

/* The lattice turns by exp((W - Wp) dt), a rotation to round-off, whatever the step: q, of any length, -> turned. */
SW_HD static inline void sw_crystal_turn(const sw_frame *frame, const sw_real output[SW_OUTPUTS],
                                         const sw_real q[4], sw_real turned[4])
{
    sw_real axial[3], turn[3], rotation[4];
    sw_axial_in_sample(frame->frame, output + 5, axial);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        turn[i] = frame->applied_turn[i] - axial[i] * frame->strain;
    sw_quaternion_from_turn(turn, rotation);
    sw_quaternion_product(rotation, q, turned);
}

/* The state at the end of the step, and the crystal's part of the sums: stress and slip rate as the outputs are, of the
 * step's beginning, and slip resistance of its end. output: the nine, principal frame. q, of any length, -> turned.
 * Returns where the state is a number, and its slip
 * resistance positive. */
SW_HD static inline sw_mask sw_crystal_move(const sw_hardening *hardening, const sw_frame *frame,
                                            const sw_real output[SW_OUTPUTS], const sw_real q[4],
                                            sw_real turned[4], sw_real *slip_resistance,
                                            sw_real sum[SW_MEANS])
{
    /* a truncated series may undershoot; slip has no negative amount */
    sw_real slip_rate = sw_max(output[8], sw_broadcast(0.0));
    sw_mask resists = SW_LESS(sw_broadcast(0.0), *slip_resistance);
    SW_UNROLL
    for (int c = 0; c < 5; c++)
        sum[c] += output[c] * *slip_resistance;
    sw_real s = sw_harden(hardening, *slip_resistance, slip_rate * frame->strain);
    *slip_resistance = s;
    sw_crystal_turn(frame, output, q, turned);
    sum[SW_SUM_RESISTANCE] += s;
    sum[SW_SUM_SLIP_RATE] += slip_rate;
    sw_real all = turned[0] + s; /* which all numbers of q and of the turn are in */
    return resists & SW_LESS(sw_abs(all), sw_broadcast(1e30));
}

/* The same with Bunge angles, rad, at its end. */
SW_HD static inline sw_mask sw_crystal_advance(const sw_hardening *hardening, const sw_frame *frame,
                                               const sw_real output[SW_OUTPUTS], const sw_real q[4],
                                               sw_real euler[3], sw_real *slip_resistance,
                                               sw_real sum[SW_MEANS])
{
    sw_real turned[4];
    sw_mask good = sw_crystal_move(hardening, frame, output, q, turned, slip_resistance, sum);
    sw_quaternion_to_euler(turned, euler);
    return good;
}

/* ---- A database and a law of four coplanar resistances: docs/theory.md, section 8h. Thirteen outputs; a crystal's state is the mean of
 * the four, as its slip resistance, and beside it three of them. ---- */

enum { SW_PLANE_NUMBERS = SW_PLANES - 1 }; /* floats of a crystal beside its sw_crystal */

/* Cosine and sine of phi2 of a unit quaternion in the principal frame, as sw_table_place_of has it; of_angles: as sw_quaternion_angles
 * does, which differ where Phi is 0 or pi: there phi2 is half of the turn, or 0. */
SW_HD static inline void sw_plane_turn(const sw_real q[4], int of_angles, sw_real turn[2])
{
    const float least = of_angles ? 0 : 1e-9F, nothing = 1e-12F;
    sw_real w = q[0] + least, x = q[1] + least;
    sw_real cosine = w * x + q[2] * q[3], sine = x * q[3] - w * q[2];
    sw_real across = q[1] * q[1] + q[2] * q[2], along = q[0] * q[0] + q[3] * q[3];
    sw_mask none = SW_LESS(sw_min(across, along), sw_broadcast(of_angles ? nothing : 0));
    sw_real square = cosine * cosine + sine * sine;
    none = none | ~SW_LESS(sw_broadcast(1e-30), square);
    sw_real over = sw_divide(sw_broadcast(1.0), sw_sqrt(sw_choose(none, sw_broadcast(1.0), square)));
    turn[0] = sw_choose(none, sw_broadcast(1.0), cosine * over);
    turn[1] = sw_choose(none, sw_broadcast(0.0), sine * over);
}

/* What planes slip, over the rate, of outputs [13]: >= 0, and together G, which an interpolation that falls below 0 on one plane
 * does not change. turn: cosine and sine of phi2, of the crystal in the principal frame. Returns G >= 0. */
SW_HD static inline sw_real sw_plane_slips(const float along[SW_PLANES][3],
                                           const sw_real output[SW_OUTPUTS_MOST], const sw_real turn[2],
                                           sw_real slip[SW_PLANES])
{
    sw_real cosine = turn[0], sine = turn[1], sum = sw_broadcast(1e-20),
            all = sw_max(output[SW_OUTPUTS - 1], sw_broadcast(0.0));
    const sw_real *o = output + SW_OUTPUTS;
    sw_real t13 = cosine * o[0] + sine * o[1], t23 = cosine * o[1] - sine * o[0],
            t12 = (cosine * cosine - sine * sine) * o[2] - 2.0F * sine * cosine * o[3];
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        slip[k] = sw_max(all + along[k][0] * t13 + along[k][1] * t23 + along[k][2] * t12, sw_broadcast(0.0));
        sum += slip[k];
    }
    sw_real scale = sw_divide(all, sum);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++)
        slip[k] = slip[k] * scale;
    return all;
}

/* The one resistance that does the work of four: their mean by what planes slip, G = all together; where they do not, the mean of all. */
SW_HD static inline sw_real sw_plane_resistance(const sw_real s[SW_PLANES], const sw_real slip[SW_PLANES],
                                                sw_real all, sw_real mean)
{
    sw_real work = sw_broadcast(0.0);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++)
        work += s[k] * slip[k];
    sw_mask slips = SW_LESS(sw_broadcast(1e-6), all);
    return sw_choose(slips, sw_divide(work, sw_choose(slips, all, sw_broadcast(1.0))), mean);
}

/* sw_crystal_advance with `number` [3], which become those of the step's end. hardening: the law's. */
SW_HD static inline sw_mask sw_crystal_advance_planes(const sw_plane_law *law, const sw_hardening *hardening,
                                                      const sw_frame *frame,
                                                      const sw_real output[SW_OUTPUTS_MOST],
                                                      const sw_real phi2[2], const sw_real q[4],
                                                      sw_real euler[3], sw_real *slip_resistance,
                                                      sw_real number[SW_PLANE_NUMBERS], sw_real sum[SW_MEANS])
{
    sw_real turned[4], slip[SW_PLANES], s[SW_PLANES];
    sw_real rest = 4.0F * *slip_resistance;
    sw_real mean = sw_broadcast(0.0), all = sw_plane_slips(law->along, output, phi2, slip);
    sw_mask resists = SW_LESS(sw_broadcast(0.0), *slip_resistance);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        s[k] = k < SW_PLANE_NUMBERS ? number[k] : rest;
        rest = rest - s[k];
    }
    sw_real resistance = sw_plane_resistance(s, slip, all, *slip_resistance);
    SW_UNROLL
    for (int c = 0; c < 5; c++)
        sum[c] += output[c] * resistance;
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        sw_real by = law->own * slip[k] + law->latent * (all - slip[k]);
        s[k] = sw_harden(hardening, s[k], by * frame->strain);
        mean += 0.25F * s[k];
        if (k < SW_PLANE_NUMBERS)
            number[k] = s[k];
    }
    *slip_resistance = mean;
    sw_crystal_turn(frame, output, q, turned);
    sw_quaternion_to_euler(turned, euler);
    sum[SW_SUM_RESISTANCE] += mean;
    sum[SW_SUM_SLIP_RATE] += all;
    sw_real one = turned[0] + mean;
    return resists & SW_LESS(sw_abs(one), sw_broadcast(1e30));
}

#endif
