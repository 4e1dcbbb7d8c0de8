/* The law at a point: elasticity, slip and hardening of one crystal, and one fully implicit
 * step of it. Kalidindi, Bronkhorst and Anand 1992; Malahe 2018, section 2.1. docs/theory.md.
 *
 * Everything lives in the crystal frame. With the elastic deformation F* taken to carry crystal
 * components to sample components (it starts as the rotation g), the Schmid tensors and the
 * elasticity are constants and no plastic deformation has to be stored: F = F* Fp with
 *
 *     F*_trial = exp(L dt) F*,   A = F*_trial^T F*_trial,   T_trial = L[(A - 1)/2],
 *     T = T_trial - sum dgamma^a(T, s) L[sym(A S0^a)],      s = harden(s_n, sum |dgamma^a|),
 *     F* = F*_trial exp(-sum dgamma^a S0^a).
 *
 * T is the second Piola-Kirchhoff stress; six components in the order 11 22 33 23 13 12. Written on
 * sw_real (lanes.h): one crystal or a bundle. Dimension: S slip systems. */
#ifndef SW_COMMON_CRYSTAL_CRYSTAL_MODEL_H
#define SW_COMMON_CRYSTAL_CRYSTAL_MODEL_H

#include "common/math/elimination.h"
#include "laws.h"
#include "common/math/lanes.h"
#include "material.h"
#include "lattice.h"
#include "common/math/tensor.h"

/* A symmetric matrix by rows, of whose first three columns one number is taken away: what it gives times the trace. Of cubic
 * crystals little is left. */
typedef struct {
    double part[6][6], of_trace[6];
} sw_elastic_map;

/* A material's constants, ready for use. */
typedef struct {
    int systems;                              /* S */
    double schmid[SW_SLIP_SYSTEMS_MAX][3][3]; /* S0 = direction x normal, Eq. 14 */
    double resolve[SW_SLIP_SYSTEMS_MAX][6];   /* tau = resolve . T, Eq. 16 */
    sw_elastic_map stiffness, compliance;     /* Pa, 1/Pa; engineering shears of strain */
    double s6[6][6];                          /* the compliance as it is */
    double reference_slip_rate;               /* v0, 1/s */
    int rate_of_step;                         /* v0 is ||D|| */
    double rate_sensitivity;                  /* m */
    double initial_slip_resistance;           /* s0, Pa */
    sw_hardening hardening;
    sw_slip_law law; /* of a material without families one group, with its resistance */
} sw_crystal_model;

#ifdef __cplusplus
extern "C" {
#endif
void sw_crystal_model_prepare(const sw_material *material, sw_crystal_model *model);
#ifdef __cplusplus
}
#endif

/* How the implicit step is solved. */
typedef struct {
    double stress_tolerance;     /* last correction of T and of s, over s0 */
    double slip_increment_limit; /* largest slip of any system in a step */
    int iterations_max;          /* of the inner level, both levels together */
} sw_step_control;

/* sum + row i of what is left of a map, from column i + first on. The order decides which products are rounded: where only
 * the diagonal is left, that of the trace and it are as a cubic crystal always had them. */
SW_HD static inline sw_real sw_elastic_row(const sw_elastic_map *map, int i, int first, const sw_real from[6],
                                           sw_real sum)
{
    SW_UNROLL
    for (int k = 0; k < 6; k++)
        sum += map->part[i][(i + first + k) % 6] * from[(i + first + k) % 6];
    return sum;
}

/* T = L[E], E with engineering shears. */
SW_HD static inline void sw_elastic_stress(const sw_elastic_map *stiffness, const sw_real strain[6],
                                           sw_real stress[6])
{
    sw_real trace = strain[0] + strain[1] + strain[2];
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        stress[i] =
            sw_elastic_row(stiffness, i, 0, strain, sw_broadcast(0.0)) + stiffness->of_trace[i] * trace;
}

/* Its inverse. */
SW_HD static inline void sw_elastic_strain(const sw_elastic_map *compliance, const sw_real stress[6],
                                           sw_real strain[6])
{
    sw_real trace = stress[0] + stress[1] + stress[2];
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        strain[i] = sw_elastic_row(compliance, i, 1, stress, compliance->of_trace[i] * trace);
}

SW_HD static inline sw_real sw_dot6(const double a[6], const sw_real b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* State of a crystal (or bundle), and what the last step added. */
typedef struct {
    sw_real elastic_deformation[3][3]; /* F*, crystal -> sample */
    sw_real stress[6];                 /* T, crystal frame, Pa */
    sw_real slip_resistance;           /* s, Pa; of families the mean of their systems */
    sw_real slip_rate;                 /* G of the last step, Eq. 18, 1/s */
    sw_real plastic_velocity[3][3];    /* Lp of the last step, Eq. 13, crystal frame, 1/s */
} sw_crystal_bundle;

/* ---- What resists ---- */

typedef struct {
    sw_real s;                         /* the mean of the systems' resistances, Pa */
    sw_real over[SW_SLIP_SYSTEMS_MAX]; /* [G] 1 over each group's, 1/Pa */
    sw_real rate;                      /* v0, 1/s */
} sw_resistances;

/* Of a state; s: its mean resistance. Twins that slip in what they leave, the share 1 - f, resist more by the n-th root of it. */
SW_HD static inline void sw_resist(const sw_crystal_model *model, sw_real s, const sw_slip_state *state,
                                   sw_resistances *resists)
{
    const sw_slip_law *law = &model->law;
    sw_real left = sw_broadcast(1.0);
    if (law->fill)
        left = sw_power(sw_max(1.0 - sw_slip_state_fraction(law, state), sw_broadcast(1e-6)),
                        model->rate_sensitivity);
    resists->s = s;
    resists->rate = model->rate_of_step ? state->rate * 1.2247448713915889 /* ||D|| of von Mises' */
                                        : sw_broadcast(model->reference_slip_rate);
    for (int k = 0; k < law->groups; k++) {
        resists->over[k] = 1.0 / state->g[k];
        if (law->fill && law->twins[k])
            resists->over[k] = resists->over[k] * left;
    }
}

/* tau/s of system a; a twin has none the other way. */
SW_HD static inline sw_real sw_stress_ratio(const sw_crystal_model *model, const sw_real stress[6],
                                            const sw_resistances *resists, int a)
{
    sw_real ratio = sw_dot6(model->resolve[a], stress) * resists->over[model->law.group[a]];
    return a < model->law.two_way ? ratio : sw_max(ratio, sw_broadcast(0.0));
}

/* Slip increments dt v^a (Eq. 15) and their derivatives with respect to tau. */
SW_HD static inline void sw_slip_increments(const sw_crystal_model *model, const sw_real stress[6],
                                            const sw_resistances *resists, sw_real dt, sw_real *slip,
                                            sw_real *derivative)
{
    const double exponent = 1.0 / model->rate_sensitivity;
    sw_real scale = dt * resists->rate;
    for (int a = 0; a < model->systems; a++) {
        sw_real ratio = sw_stress_ratio(model, stress, resists, a);
        sw_real secant = scale * sw_power(sw_abs(ratio), exponent - 1.0);
        slip[a] = secant * ratio;
        derivative[a] = exponent * secant * resists->over[model->law.group[a]];
    }
}

/* Resistances in fixed ratios to their mean s. */
SW_HD static inline void sw_state_scale(const sw_slip_law *law, sw_real s, sw_slip_state *state)
{
    for (int k = 0; k < law->groups; k++)
        state->g[k] = law->ratio[k] * s;
}

/* The state at the end of a step of these slips; returns its mean resistance. */
SW_HD static inline sw_real sw_state_after(const sw_crystal_model *model, sw_real s_start,
                                           const sw_slip_state *start, const sw_real *slip,
                                           sw_slip_state *next)
{
    const sw_slip_law *law = &model->law;
    sw_real size[SW_SLIP_SYSTEMS_MAX], sum = sw_broadcast(0.0);
    sw_law_slips slips;
    for (int a = 0; a < model->systems; a++) {
        size[a] = sw_abs(slip[a]);
        sum += size[a];
    }
    sw_law_slips_of(law, size, &slips);
    if (!law->scales) {
        sw_slip_law_harden(law, start, &slips, next);
        return sw_slip_state_mean(law, next);
    }
    sw_real s = sw_harden(&model->hardening, s_start, sum);
    if (law->families > 0)
        sw_slip_state_slip(law, start, &slips, next);
    sw_state_scale(law, s, next);
    return s;
}

/* The largest fraction, at most 1, of a stress correction that lifts no |tau|/s above `growth`
 * times the larger of 1 and the largest |tau|/s now. Slip rates go as the power 1/m of the ratio:
 * without the bound Newton's first steps overshoot by many orders of magnitude. */
SW_HD static inline sw_real sw_safe_fraction(const sw_crystal_model *model, const sw_real stress[6],
                                             const sw_real correction[6], const sw_resistances *resists,
                                             double growth)
{
    sw_real largest = sw_broadcast(1.0), fraction = sw_broadcast(1.0);
    for (int a = 0; a < model->systems; a++)
        largest = sw_max(largest, sw_abs(sw_stress_ratio(model, stress, resists, a)));
    largest = largest * growth;
    for (int a = 0; a < model->systems; a++) {
        sw_real ratio = sw_dot6(model->resolve[a], stress) * resists->over[model->law.group[a]];
        sw_real change = sw_dot6(model->resolve[a], correction) * resists->over[model->law.group[a]];
        sw_mask back = SW_LESS(change, sw_broadcast(0.0));
        sw_real size = a < model->law.two_way ? sw_abs(change) : sw_max(change, sw_broadcast(0.0));
        sw_real along = sw_choose(back, -ratio, ratio);
        /* size = 0 gives infinity, or NaN, which the comparison inside sw_min passes over */
        sw_real reach = (largest - along) / (size + 1e-300);
        fraction =
            sw_min(a < model->law.two_way ? reach : sw_choose(back, sw_broadcast(1.0), reach), fraction);
    }
    return fraction;
}

/* The state expected after a step that slips as the last one did: at the last stress, G dt in all. Returns its mean
 * resistance. */
SW_HD static inline sw_real sw_state_expected(const sw_crystal_model *model, const sw_crystal_bundle *crystal,
                                              const sw_slip_state *state, sw_real dt, sw_slip_state *next)
{
    if (model->law.scales) {
        sw_real s = sw_harden(&model->hardening, crystal->slip_resistance, crystal->slip_rate * dt);
        sw_state_scale(&model->law, s, next);
        return s;
    }
    sw_real slip[SW_SLIP_SYSTEMS_MAX], derivative[SW_SLIP_SYSTEMS_MAX], total = sw_broadcast(1e-300);
    sw_resistances resists;
    sw_resist(model, crystal->slip_resistance, state, &resists);
    sw_slip_increments(model, crystal->stress, &resists, dt, slip, derivative);
    for (int a = 0; a < model->systems; a++)
        total += sw_abs(slip[a]);
    sw_real scale = crystal->slip_rate * dt / total;
    for (int a = 0; a < model->systems; a++)
        slip[a] = slip[a] * scale;
    return sw_state_after(model, crystal->slip_resistance, state, slip, next);
}

/* How the second level of a step goes on: of what resists, from what it was solved with towards what its slips lead to. */
typedef struct {
    sw_real share, missed[SW_SLIP_SYSTEMS_MAX];
} sw_approach;

/* What was missed, and in the chosen lanes the next to be tried. One resistance for all takes the whole way. Of several,
 * those of systems that slip more grow, and less slip follows, so that the whole way may swing: after the first time the
 * share of it that the last two times suggest is taken (Aitken, in the form of Irons and Tuck, Int. J. Numer. Methods Eng. 1
 * (1969) 275). Returns the largest part missed. */
SW_HD static inline sw_real sw_approach_next(const sw_crystal_model *model, sw_mask lanes,
                                             const sw_resistances *wanted, sw_approach *approach,
                                             sw_resistances *resists)
{
    sw_real along = sw_broadcast(0.0), square = sw_broadcast(0.0), most = sw_broadcast(0.0);
    const int groups = model->law.groups;
    sw_real miss[SW_SLIP_SYSTEMS_MAX];
    for (int k = 0; k < groups; k++) {
        miss[k] = wanted->over[k] / resists->over[k] - 1.0;
        sw_real change = miss[k] - approach->missed[k];
        along -= approach->missed[k] * change;
        square += change * change;
        most = sw_max(most, sw_abs(miss[k]));
    }
    sw_real share = approach->share * along / (square + 1e-300);
    share = sw_min(sw_max(share, sw_broadcast(0.1)), sw_broadcast(1.0));
    share = sw_choose(SW_LESS(sw_broadcast(0.0), along), share, sw_broadcast(1.0));
    approach->share = sw_choose(lanes, share, approach->share);
    for (int k = 0; k < groups; k++) {
        approach->missed[k] = sw_choose(lanes, miss[k], approach->missed[k]);
        resists->over[k] = sw_choose(lanes, resists->over[k] * (1.0 + share * miss[k]), resists->over[k]);
    }
    return most;
}

/* sym(A S0) of the systems, with engineering shears: kept or, where memory costs more than arithmetic (SW_FLOWS_ANEW), A. */
typedef struct {
#ifdef SW_FLOWS_ANEW
    sw_real a[3][3];
#else
    sw_real of[SW_SLIP_SYSTEMS_MAX][6];
#endif
} sw_flows;

SW_HD static inline void sw_flow_by(const sw_crystal_model *model, const sw_real a[3][3], int k,
                                    sw_real flow[6])
{
    sw_real as[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            as[i][j] = a[i][0] * model->schmid[k][0][j] + a[i][1] * model->schmid[k][1][j] +
                       a[i][2] * model->schmid[k][2][j];
    for (int i = 0; i < 6; i++)
        flow[i] =
            i < 3 ? as[i][i] : as[sw_six_row(i)][sw_six_column(i)] + as[sw_six_column(i)][sw_six_row(i)];
}

SW_HD static inline void sw_flows_of(const sw_crystal_model *model, const sw_real a[3][3], sw_flows *flows)
{
#ifdef SW_FLOWS_ANEW
    (void)model;
    memcpy(flows->a, a, sizeof flows->a);
#else
    for (int k = 0; k < model->systems; k++)
        sw_flow_by(model, a, k, flows->of[k]);
#endif
}

SW_HD static inline void sw_flow(const sw_crystal_model *model, const sw_flows *flows, int k, sw_real flow[6])
{
#ifdef SW_FLOWS_ANEW
    sw_flow_by(model, flows->a, k, flow);
#else
    (void)model;
    for (int i = 0; i < 6; i++)
        flow[i] = flows->of[k][i];
#endif
}

/* Solve the two levels for T, the state and the slips. Level 1: Newton on T at fixed resistances. The Jacobian uses
 * sym(S0) for sym(A S0), equal but for elastic strains of 1e-3, and is then symmetric positive
 * definite: the equations are all but the gradient of a convex function, Newton's direction goes
 * downhill, and a step that runs past the minimum is seen by the sign of direction . residual and
 * cut. Level 2: resistances from the hardening law, T scaled with them. All lanes loop together; a lane that
 * has converged keeps its answer. state_start: resistances of groups and slips of families at the beginning, state: at the
 * end. Returns the lanes that converged, of those in `active`. */
SW_HD static inline sw_mask sw_solve_step(const sw_crystal_model *model, const sw_step_control *control,
                                          sw_mask active, sw_real dt, const sw_real trial_stress[6],
                                          const sw_flows *flows, sw_real s_start,
                                          const sw_slip_state *state_start, sw_real stress[6],
                                          sw_resistances *resists, sw_slip_state *state, sw_real *slip,
                                          int64_t *iterations)
{
    const double tolerance = control->stress_tolerance * model->initial_slip_resistance;
    /* a Newton step may multiply the slip rates by e^4 */
    const double growth = exp(4.0 * model->rate_sensitivity);
    const int scales = model->law.scales;
    sw_real direction[6], derivative[SW_SLIP_SYSTEMS_MAX], fraction, descent = sw_broadcast(INFINITY);
    sw_approach approach = {.share = sw_broadcast(1.0)};
    for (int i = 0; i < 6; i++)
        direction[i] = trial_stress[i] - stress[i];
    fraction = sw_safe_fraction(model, stress, direction, resists, 1.0);
    for (int i = 0; i < 6; i++)
        stress[i] += fraction * direction[i];
    sw_mask running = active;

    for (int iteration = 0; iteration < control->iterations_max && sw_any(running); iteration++) {
        sw_real fresh[SW_SLIP_SYSTEMS_MAX], residual[6], elastic[6], newton[6], jacobian[6][6];
        *iterations += 1;
        sw_slip_increments(model, stress, resists, dt, fresh, derivative);
        for (int i = 0; i < 6; i++)
            elastic[i] = stress[i] - trial_stress[i];
        sw_elastic_strain(&model->compliance, elastic, residual);
        SW_UNROLL
        for (int i = 0; i < 6; i++) {
            SW_UNROLL
            for (int j = 0; j <= i; j++)
                jacobian[i][j] = sw_broadcast(model->s6[i][j]);
        }
        for (int a = 0; a < model->systems; a++) {
            sw_real flow[6];
            sw_flow(model, flows, a, flow);
            SW_UNROLL
            for (int i = 0; i < 6; i++) {
                residual[i] += fresh[a] * flow[i];
                sw_real weighted = derivative[a] * model->resolve[a][i];
                SW_UNROLL
                for (int j = 0; j <= i; j++)
                    jacobian[i][j] += weighted * model->resolve[a][j];
            }
        }

        /* Ran past the minimum along the last direction: back, half as far. */
        sw_real slope = sw_broadcast(0);
        for (int i = 0; i < 6; i++)
            slope += direction[i] * residual[i];
        sw_mask beyond = SW_LESS(0.5 * descent, slope);
        sw_solve_spd6(jacobian, residual, newton);
        sw_real correction = sw_broadcast(0), downhill = sw_broadcast(0);
        for (int i = 0; i < 6; i++) {
            newton[i] = -newton[i];
            correction = sw_max(correction, sw_abs(newton[i]));
            downhill -= newton[i] * residual[i];
        }
        sw_real safe = sw_safe_fraction(model, stress, newton, resists, growth);
        sw_mask converged = running & ~beyond & ~SW_LESS(sw_broadcast(tolerance), correction) &
                            ~SW_LESS(safe, sw_broadcast(1.0));
        sw_real next = sw_choose(beyond, -0.5 * fraction, safe);
        fraction = sw_choose(running, sw_choose(beyond, 0.5 * fraction, safe), fraction);
        descent = sw_choose(beyond, descent, downhill);
        for (int i = 0; i < 6; i++) {
            direction[i] = sw_choose(beyond, direction[i], newton[i]);
            stress[i] += sw_choose(running, next * direction[i], sw_broadcast(0.0));
        }
        if (!sw_any(converged))
            continue;

        /* Slips at the corrected stress, to first order: the correction is below tolerance. */
        sw_slip_state after;
        for (int a = 0; a < model->systems; a++) {
            fresh[a] += derivative[a] * sw_dot6(model->resolve[a], newton);
            slip[a] = sw_choose(converged, fresh[a], slip[a]);
        }
        sw_real hardened = sw_state_after(model, s_start, state_start, fresh, &after);
        sw_mask settled = converged & ~SW_LESS(sw_broadcast(tolerance), sw_abs(hardened - resists->s));
        sw_resistances wanted;
        sw_resist(model, hardened, &after, &wanted);
        if (!scales) {
            sw_real missed = sw_approach_next(model, converged, &wanted, &approach, resists);
            settled = converged & ~SW_LESS(sw_broadcast(control->stress_tolerance), missed);
        }
        sw_real ratio = sw_choose(converged & ~settled, hardened / resists->s, sw_broadcast(1.0));
        for (int i = 0; i < 6; i++)
            stress[i] = stress[i] * ratio;
        descent = sw_choose(converged, sw_broadcast(INFINITY), descent);
        resists->s = sw_choose(converged, hardened, resists->s);
        for (int k = 0; k < model->law.groups && scales; k++)
            resists->over[k] = sw_choose(converged, wanted.over[k], resists->over[k]);
        sw_slip_state_choose(&model->law, converged, &after, state);
        running = running & ~settled;
    }
    return active & ~running;
}

/* One step of length dt (s) under the constant velocity gradient L (1/s, sample frame), of the lanes
 * in `active`. Returns the lanes whose step is good: converged, and no slip above the limit. Only
 * those are changed. ||L|| dt <= 0.01. state: resistances of groups and slips of families; NULL:
 * the material has none. */
SW_HD static inline sw_mask sw_crystal_step(const sw_crystal_model *model, const sw_step_control *control,
                                            sw_mask active, sw_real velocity_gradient[3][3], sw_real dt,
                                            sw_crystal_bundle *crystal, sw_slip_state *state,
                                            int64_t *iterations)
{
    sw_real increment[3][3], stretch[3][3], trial[3][3], a[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            increment[i][j] = velocity_gradient[i][j] * dt;
    sw_exponential_small(increment, stretch);
    sw_multiply(stretch, crystal->elastic_deformation, trial);
    sw_multiply_transposed(trial, trial, a);

    sw_real strain[6], trial_stress[6];
    for (int i = 0; i < 6; i++)
        strain[i] = i < 3 ? 0.5 * (a[i][i] - 1.0) : a[sw_six_row(i)][sw_six_column(i)];
    sw_elastic_stress(&model->stiffness, strain, trial_stress);

    sw_flows flows;
    sw_flows_of(model, a, &flows);

    /* Start from the last stress, scaled with the resistance expected at the end of the step. */
    sw_slip_state begun, end;
    if (state == NULL)
        state = &begun;
    if (model->law.scales)
        sw_state_scale(&model->law, crystal->slip_resistance, state);
    sw_real square = sw_broadcast(0.0);
    for (int k = 0; k < 9; k++) {
        sw_real d = 0.5 * (velocity_gradient[k / 3][k % 3] + velocity_gradient[k % 3][k / 3]);
        square += d * d;
    }
    sw_slip_state_at(&model->law, sw_sqrt(square), state);
    sw_resistances resists;
    sw_real s = sw_state_expected(model, crystal, state, dt, &end);
    sw_resist(model, s, &end, &resists);
    sw_real stress[6], slip[SW_SLIP_SYSTEMS_MAX];
    for (int i = 0; i < 6; i++)
        stress[i] = crystal->stress[i] * (s / crystal->slip_resistance);
    for (int k = 0; k < model->systems; k++)
        slip[k] = sw_broadcast(0);
    sw_mask good = sw_solve_step(model, control, active, dt, trial_stress, &flows, crystal->slip_resistance,
                                 state, stress, &resists, &end, slip, iterations);

    sw_real total = sw_broadcast(0), largest = sw_broadcast(0), plastic[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            plastic[i][j] = sw_broadcast(0);
    for (int k = 0; k < model->systems; k++) {
        total += sw_abs(slip[k]);
        largest = sw_max(largest, sw_abs(slip[k]));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                plastic[i][j] -= slip[k] * model->schmid[k][i][j];
    }
    good = good & SW_LESS(largest, sw_broadcast(control->slip_increment_limit));

    sw_real back[3][3], elastic[3][3], inverse_dt = 1.0 / dt;
    sw_exponential_small(plastic, back);
    sw_multiply(trial, back, elastic);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            crystal->elastic_deformation[i][j] =
                sw_choose(good, elastic[i][j], crystal->elastic_deformation[i][j]);
            crystal->plastic_velocity[i][j] =
                sw_choose(good, -plastic[i][j] * inverse_dt, crystal->plastic_velocity[i][j]);
        }
    for (int i = 0; i < 6; i++)
        crystal->stress[i] = sw_choose(good, stress[i], crystal->stress[i]);
    crystal->slip_resistance = sw_choose(good, resists.s, crystal->slip_resistance);
    sw_slip_state_choose(&model->law, good, &end, state);
    crystal->slip_rate = sw_choose(good, total * inverse_dt, crystal->slip_rate);
    return good;
}

/* Cauchy stress (Eq. 5; Pa) and plastic velocity gradient F* Lp F*^-1 (Eqs. 10, 23, 24; 1/s), sample frame.
 * The skew part of the latter is the plastic spin, Eq. 22. */
SW_HD static inline void sw_crystal_response(sw_crystal_bundle *crystal, sw_real cauchy[3][3],
                                             sw_real plastic[3][3])
{
    sw_real second[3][3], inverse[3][3], forward[3][3];
    sw_tensor_of_six(crystal->stress, second);
    sw_rotate_tensor(crystal->elastic_deformation, second, cauchy);
    sw_real inverse_volume = 1.0 / sw_determinant(crystal->elastic_deformation);
    sw_invert(crystal->elastic_deformation, inverse);
    sw_multiply(crystal->elastic_deformation, crystal->plastic_velocity, forward);
    sw_multiply(forward, inverse, plastic);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cauchy[i][j] = cauchy[i][j] * inverse_volume;
}

#endif
