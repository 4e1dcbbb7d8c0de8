/* What all crystals of a step share, and what they leave in sums: plain numbers, without a choice of lanes.
 * crystal_update.h says what a crystal makes of them. Malahe 2018, section 3.5. */
#ifndef SW_ONLINE_RESPONSE_STEP_STEP_H
#define SW_ONLINE_RESPONSE_STEP_STEP_H

#include "common/crystal/limits.h"
#include "common/crystal/material.h"
#include "common/math/six.h"
#include "common/math/strain_rate.h"
#include "common/system/status.h"

/* A strain rate D = rate Q diag(lambda(theta)) Q^T, and what else happens to all crystals; for a launch. */
typedef struct sw_step {
    float to_principal[4]; /* the rotation Q^T as a quaternion (w, x, y, z) */
    float frame[3][3];     /* Q: principal frame -> sample */
    float theta;           /* turns, in [0, 1] */
    float rate;            /* ||D||, 1/s */
    float stress_scale;    /* rate^m */
    float applied_turn[3]; /* axial vector of W dt, sample frame, rad */
    float strain;          /* ||D|| dt */
    float strain_rate[6];  /* D, sample frame, 1/s; 11 22 33 23 13 12; its trace where crystals take one up */
    float duration;        /* dt, s */
    int of_begin; /* means are of what the step begins with, of a solver that could leave its end as well */
    sw_hardening hardening;
} sw_step;

/* Sums over crystals: first those that means are made of, each times the crystal's weight: five stresses in
 * the principal frame over rate^m, slip resistance, and slip rate over the rate (of a solver that remembers,
 * which takes rate = 0 too: in the sample frame and in Pa; in 1/s); the mean stress that deviators make, Pa; then the
 * weights; then how many crystals have no answer. */
enum {
    SW_SUM_RESISTANCE = 5,
    SW_SUM_SLIP_RATE,
    SW_SUM_MEAN_STRESS,
    SW_SUM_WEIGHT,
    SW_SUM_FAILED,
    SW_SUMS,
    SW_MEANS = SW_SUM_WEIGHT
};

/* Weight of crystal i; weight [N], NULL: all 1. What is no weight is no number, and no mean comes of it. */
SW_HD static inline float sw_weight_of(const float *weight, int64_t i)
{
    return weight == NULL ? 1.0F : weight[i] >= 0 ? weight[i] : NAN;
}

/* SW_ERR_RANGE for a sum of weights that no mean can be made by. */
static inline sw_status sw_check_weights(double sum)
{
    return sum > 0 && sum < INFINITY
               ? SW_OK
               : sw_error(SW_ERR_RANGE,
                          "weights of crystals: their sum is %g: need finite numbers >= 0, not all of them 0",
                          sum);
}

/* Numbers of one crystal: what means are made of, in the sample frame, Pa and 1/s (stress 11 22 12 13 23); then its
 * tangent [8][5]: the stress as a vector of five (common/math/deviator.h), Pa, by D as such a vector and by the axial
 * vector of W, 1/s. */
enum { SW_TANGENT_COLUMNS = 8, SW_NUMBERS = SW_MEANS + 5 * SW_TANGENT_COLUMNS };

/* Set what a step has of a strain rate. D = 0 has the rate 0, and with it no stress and no flow. */
SW_HD static inline void sw_step_set_strain_rate(sw_step *step, const sw_strain_rate *d,
                                                 double rate_sensitivity)
{
    double back[3][3], q[4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            step->frame[i][j] = (float)d->q[i][j];
            back[i][j] = d->q[j][i];
        }
    sw_quaternion_from_rotation(back, q);
    for (int i = 0; i < 4; i++)
        step->to_principal[i] = (float)q[i];
    step->theta = (float)(d->theta / (2 * SW_PI));
    step->rate = (float)d->rate;
    step->stress_scale = d->rate > 0 ? (float)pow(d->rate, rate_sensitivity) : 0;
}

/* A step's turn, rad, that single precision still resolves to 1e-6. */
#define SW_TURN_MAX 10.0

/* The step of dt (s) under the velocity gradient l, 1/s, whose trace is left out; without a principal frame, which
 * sw_step_set_strain_rate adds. Where l is not finite, or turns by more than SW_TURN_MAX or strains by more than
 * SW_STEP_STRAIN_MOST, rate and strain are no numbers, and no crystal has an answer. */
SW_HD static inline sw_step sw_step_of(const double l[3][3], double dt, const sw_hardening *hardening)
{
    const double axial[3] = {0.5 * (l[2][1] - l[1][2]), 0.5 * (l[0][2] - l[2][0]), 0.5 * (l[1][0] - l[0][1])};
    const double turn = sqrt(axial[0] * axial[0] + axial[1] * axial[1] + axial[2] * axial[2]) * dt;
    sw_step step = {.to_principal = {1, 0, 0, 0},
                    .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    .duration = (float)dt,
                    .hardening = *hardening};
    double d[3][3];
    const double size = sw_strain_rate_deviator(l, d),
                 rate = turn <= SW_TURN_MAX && size < 1e30 && size * dt <= SW_STEP_STRAIN_MOST ? size : NAN;
    for (int k = 0; k < 6; k++)
        step.strain_rate[k] = (float)d[sw_six_row(k)][sw_six_column(k)];
    step.rate = (float)rate;
    step.strain = (float)(rate * dt);
    for (int i = 0; i < 3; i++)
        step.applied_turn[i] = (float)(axial[i] * dt);
    return step;
}

/* With the rate of volume, 1/s, that crystals take up. */
SW_HD static inline void sw_step_add_volume(sw_step *step, double rate)
{
    for (int k = 0; k < 3; k++)
        step->strain_rate[k] += (float)(rate / 3);
}

/* Of a crystal's own strain rate: d [6], 11 22 33 23 13 12, 1/s. A trace is left out. */
SW_HD static inline void sw_step_set_own_strain_rate(sw_step *step, const float d[6], double rate_sensitivity)
{
    double rate[3][3];
    for (int k = 0; k < 9; k++)
        rate[k / 3][k % 3] = d[sw_six_of(k / 3, k % 3)];
    const sw_strain_rate own = sw_strain_rate_of((const double(*)[3])rate);
    sw_step_set_strain_rate(step, &own, rate_sensitivity);
}

#endif
