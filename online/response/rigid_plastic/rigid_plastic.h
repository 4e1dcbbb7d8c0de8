/* One crystal's nine outputs from the slip law itself: no database. What solver `rigid_plastic` evaluates, on CPU
 * and GPU; single precision. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_H

#include "common/crystal/material.h"
#include "common/system/status.h"
#include "common/crystal/symmetry.h"
#include "common/math/quaternion.h"
#include "common/math/deviator.h"
#include "slip_newton.h"

/* 24 kB: fits a GPU's constant memory. */
typedef struct {
    float stress_scale;                     /* v0^-m: x is over s (rate/v0)^m, outputs are over s rate^m */
    float tolerance;                        /* sw_rigid_plastic_tolerance */
    int once;                               /* one iteration is enough: sw_rigid_plastic_solve */
    float reference_rate, rate_sensitivity; /* v0, 1/s; m */
    sw_slip_model slip;
} sw_rigid_plastic_model;

#ifdef __cplusplus
extern "C" {
#endif

/* Rounding of tau times 1/m: on a GPU, whose log2 is good to 2.4e-7, it leaves at most 5e-7 / m of the slip
 * law. */
#define SW_RIGID_PLASTIC_RATE_SENSITIVITY_MIN 0.004

/* What an answer may miss of the slip law, over the rate: 1e-4, or more where rounding leaves more. */
static inline float sw_rigid_plastic_tolerance(double m) { return (float)fmax(1e-4, 6e-7 / m); }

/* A material's slip law, for the solver of this name. SW_ERR_RANGE for m outside
 * [SW_RIGID_PLASTIC_RATE_SENSITIVITY_MIN, 1], or a v0 whose power v0^-m is no float. */
sw_status sw_slip_prepare(const char *solver, const sw_material *material, sw_slip_model *slip);
sw_status sw_rigid_plastic_prepare(const sw_material *material, sw_rigid_plastic_model *model);
/* That of a response of solver `rigid_plastic`, with its iterations: SW_ERR_RANGE for one of a material without a fitted start. */
struct sw_response;
sw_status sw_rigid_plastic_prepare_for(const struct sw_response *response, sw_rigid_plastic_model *model);
/* That of one on the CPU. */
const sw_rigid_plastic_model *sw_rigid_plastic_model_of(const struct sw_response *response);

#ifdef __cplusplus
}
#endif

/* r^T diag(lambda) r as a vector of five. */
SW_HD static inline void sw_rigid_plastic_strain_rate(const sw_real r[3][3], const sw_real lambda[3],
                                                      sw_real d[5])
{
    sw_real t[6]; /* 11 22 33 23 13 12 */
    SW_UNROLL
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        t[k] = lambda[0] * (r[0][i] * r[0][j]) + lambda[1] * (r[1][i] * r[1][j]) +
               lambda[2] * (r[2][i] * r[2][j]);
    }
    sw_deviator_vector_of(t, d);
}

/* r t r^T of the tensor of a vector of five: its components 11 22 12 13 23. */
SW_HD static inline void sw_rigid_plastic_stress(const sw_real r[3][3], const sw_real x[5], sw_real stress[5])
{
    sw_real t[6];
    sw_deviator_tensor(x, t);
    SW_UNROLL
    for (int k = 0; k < 5; k++) {
        const int at = k < 2 ? k : 7 - k;
        const sw_real *a = r[sw_six_row(at)], *b = r[sw_six_column(at)];
        stress[k] = t[0] * (a[0] * b[0]) + t[1] * (a[1] * b[1]) + t[2] * (a[2] * b[2]) +
                    t[5] * (a[0] * b[1] + a[1] * b[0]) + t[4] * (a[0] * b[2] + a[2] * b[0]) +
                    t[3] * (a[1] * b[2] + a[2] * b[1]);
    }
}

/* r w r^T of a skew tensor, both as components 12 13 23: its axial vector (-w23, w13, -w12) turns with r. */
SW_HD static inline void sw_rigid_plastic_spin(const sw_real r[3][3], const sw_real w[3], sw_real spin[3])
{
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        const sw_real *a = r[2 - k];
        sw_real axial = a[1] * w[1] - a[0] * w[2] - a[2] * w[0];
        spin[k] = k == 1 ? axial : -axial;
    }
}

/* Principal values of D/rate at theta (turns, |theta| <= 1), Eq. 29. */
SW_HD static inline void sw_rigid_plastic_principal_values(sw_real theta, sw_real lambda[3])
{
    SW_DEVIATOR_ROOTS;
    sw_real sine, cosine;
    sw_sincos_turns(theta - sw_nearest_whole(theta), &sine, &cosine);
    lambda[0] = r6 * cosine + r2 * sine;
    lambda[1] = r6 * cosine - r2 * sine;
    lambda[2] = -(2.0F * r6 * cosine);
}

SW_HD static inline sw_real sw_dot_of(const sw_real a[5], const sw_real b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* What is left by one iteration that is to be enough: where it is more, others follow. Of stresses it is 1/n, some 1e-3. */
#define SW_RIGID_PLASTIC_ONCE 0.1F

/* systems: model->slip.systems, or the same as a constant. d: of size 1 -> stress x, G and spin, over s (rate/v0)^m and rate. Returns
 * the lanes whose answer holds the slip law to model->tolerance or, of a model with `once`, came of one iteration, along the ray of
 * which it has the work d . x; not those with a NaN. */
SW_HD static inline sw_mask sw_rigid_plastic_solve(const sw_rigid_plastic_model *model, int systems,
                                                   const sw_real d[5], sw_real x[5], sw_real *slip_rate,
                                                   sw_real spin[3])
{
    int most = model->once ? 1 : SW_SLIP_ITERATIONS;
    sw_mask met = sw_if(0);
    sw_slip_start(&model->slip, systems, NULL, d, x);
    for (;;) {
        sw_real iterations, rate[5];
        sw_mask law = sw_slip_newton_within(&model->slip, systems, NULL, most, ~met, d, x, &iterations);
        sw_slip_flow(&model->slip, systems, NULL, x, rate, slip_rate, spin);
        if (model->once) {
            sw_real factor = sw_divide(sw_dot_of(d, x), sw_dot_of(rate, x));
            sw_real stretch =
                sw_exp2((1.0F / model->slip.exponent) * sw_log2(sw_max(factor, sw_broadcast(1e-20))));
            *slip_rate = *slip_rate * factor;
            SW_UNROLL
            for (int i = 0; i < 3; i++)
                spin[i] = spin[i] * factor;
            SW_UNROLL
            for (int i = 0; i < 5; i++) {
                rate[i] = rate[i] * factor;
                x[i] = x[i] * stretch;
            }
        }
        sw_real residual = sw_slip_misses(d, rate);
        sw_mask holds = (law | met) & SW_LESS(residual, sw_broadcast(model->tolerance));
        met = model->once ? holds | SW_LESS(residual, sw_broadcast(SW_RIGID_PLASTIC_ONCE)) : holds;
        if (most > 1 || !sw_any(~met))
            return met;
        most = SW_SLIP_ITERATIONS;
    }
}

/* lambda [3]: principal values of D/rate. orientation [4]: quaternion, crystal -> principal frame, unit to round-off. output
 * [SW_OUTPUTS]: as in symmetry.h, principal frame, over s rate^m and rate. Returns the lanes with an answer. */
SW_HD static inline sw_mask sw_rigid_plastic(const sw_rigid_plastic_model *model, int systems,
                                             const sw_real lambda[3], const sw_real orientation[4],
                                             sw_real output[SW_OUTPUTS])
{
    sw_real r[3][3], d[5], x[5], spin[3];
    sw_rotation_from_quaternion(orientation, r);
    sw_rigid_plastic_strain_rate(r, lambda, d);
    const sw_mask met = sw_rigid_plastic_solve(model, systems, d, x, &output[8], spin);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = x[i] * model->stress_scale;
    sw_rigid_plastic_stress(r, x, output);
    sw_rigid_plastic_spin(r, spin, output + 5);
    return met;
}

#endif
