/* The rate-dependent, rigid-viscoplastic response of one crystal to a strain rate d of unit size:
 *
 *     sum_a sign(tau_a) |tau_a|^n P_a = d,     tau_a = P_a . x,     n = 1/m.
 *
 * x is the deviatoric stress over s (rate/v0)^m, P_a the symmetric part of a Schmid tensor; they and d are
 * vectors of five in the crystal frame (yield_vertices.h). Malahe 2018, Eqs. 13-16, without elastic strains.
 *
 * Newton's method, from near the vertex of the yield surface that is the answer for m -> 0. Both sides are
 * homogeneous, so on the ray of any x the exact solution is known (sw_slip_scale): every iterate is taken
 * there first, at no new evaluation. This is Newton's method for the least of phi(x)^2 / 2 - d . x with the
 * norm phi(x) = (sum |tau|^(n+1))^(1/(n+1)): strictly convex, and no power overflows. For 12 systems and m =
 * 0.012, on random crystals, it takes 3.6 iterations on average, 2.0 from a fitted start (slip_start.h); from x = d 17.
 *
 * On sw_real: a crystal, or a bundle, in single precision. (In double, for checks, what it is content with is the
 * same.) Dimensions: S slip systems, V vertices. A caller that knows S when compiling passes it as a constant, and loops
 * over systems unroll on a GPU, by twelve: unrolled as a whole, 24 and 48 systems spill registers (bench/LOG.md). */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_NEWTON_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_NEWTON_H

#include "common/math/elimination.h"
#include "slip_start.h"

/* ---- One iteration ---- */

/* What a caller does not use costs nothing: these functions are inlined. */
typedef struct {
    sw_real strain_rate[5]; /* sum gamma_a P_a */
    sw_real jacobian[5][5]; /* of it, over n; lower triangle */
    sw_real power;          /* sum gamma_a tau_a */
    sw_real largest;        /* |tau| */
    sw_real slip_rate;      /* G, sum |gamma_a| */
    sw_real spin[3];        /* sum gamma_a skew_a: 12 13 23 */
} sw_slip_sums;

/* Of the systems of each group together: sizes of their slips, and their strain rate, as much of it as what resists them changes. */
typedef struct {
    sw_law_slips slips;
    sw_real flow[SW_SLIP_SYSTEMS_MAX][5]; /* [G] */
} sw_slip_groups;

/* Systems of run r slip so much. */
SW_HD static inline void sw_slip_sum_run(const sw_slip_law *law, int r, const sw_slip_run *run,
                                         sw_real slip_rate, const sw_real flow[5], sw_slip_groups *groups)
{
    const int k = run->group, again = law->run[r].again;
    groups->slips.group[k] = again ? groups->slips.group[k] + slip_rate : slip_rate;
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        groups->flow[k][i] = again ? groups->flow[k][i] + flow[i] : flow[i];
    if (law->variants > 0 && run->one_way)
        groups->slips.variant[run->begin - law->two_way] = slip_rate;
}

/* groups: or NULL. */
SW_HD static inline void sw_slip_sum(const sw_slip_model *model, int systems, const sw_slip_resists *resists,
                                     const sw_real x[5], sw_slip_sums *out, sw_slip_groups *groups)
{
    sw_slip_sums sums; /* which stay in registers, wherever `out` is */
    sums.power = sums.largest = sums.slip_rate = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        sums.spin[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sums.strain_rate[i] = sw_broadcast(0.0);
        SW_UNROLL
        for (int j = 0; j <= i; j++)
            sums.jacobian[i][j] = sw_broadcast(0.0);
    }
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        sw_real slip_rate = sw_broadcast(0.0), flow[5], bent[5]; /* of the run */
        sw_real *const all = groups != NULL ? flow : sums.strain_rate;
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            flow[i] = bent[i] = sw_broadcast(0.0);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++) {
            const float *p = sw_slip_schmid(model, resists, a);
            sw_real tau = sw_slip_tau_in(model, resists, &run, a, x),
                    secant = sw_slip_secant(sw_slip_exponent(model, resists, a), tau), slip = secant * tau,
                    share = sw_slip_weight(model, resists, a, tau);
            sums.power += resists == NULL ? slip * tau : slip * sw_dot5(p, x);
            sums.largest = sw_max(sums.largest, sw_abs(tau));
            slip_rate += sw_abs(slip);
            SW_UNROLL
            for (int i = 0; i < 3; i++)
                sums.spin[i] += slip * sw_slip_spin(model, resists, a)[i];
            SW_UNROLL
            for (int i = 0; i < 5; i++) {
                all[i] += slip * p[i];
                sw_real weighted = sw_slip_over_in(resists, &run, secant) * share * p[i];
                SW_UNROLL
                for (int j = 0; j <= i; j++)
                    sums.jacobian[i][j] += weighted * p[j];
            }
            if (groups != NULL && sw_slip_has_back(model, resists, a)) {
                sw_real bend = slip * (sw_slip_share(model, resists, a, tau) - 1.0F);
                SW_UNROLL
                for (int i = 0; i < 5; i++)
                    bent[i] += bend * p[i];
            }
        }
        next = run.end;
        sums.slip_rate += slip_rate;
        if (groups == NULL)
            continue;
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            sums.strain_rate[i] += flow[i];
            flow[i] += bent[i];
        }
        sw_slip_sum_run(&model->law, r, &run, slip_rate, flow, groups);
    }
    *out = sums;
}

/* Take the sums to the solution on the ray of x, where slips do the work d . x: slips grow by a factor,
 * stresses by the factor's n-th root, the Jacobian by the quotient. Returns that root. */
SW_HD static inline sw_real sw_slip_scale(const sw_slip_model *model, const sw_real d[5], const sw_real x[5],
                                          sw_slip_sums *sums)
{
    sw_real work = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        work += d[i] * x[i];
    sw_real factor = sw_max(sw_divide(work, sums->power), sw_broadcast(1e-20));
    sw_real stretch = sw_exp2(sw_log2(factor) * (1.0F / model->exponent));
    sw_real slips_per_stress = sw_divide(model->exponent * factor, stretch), trace = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        trace += sums->jacobian[i][i];
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sums->strain_rate[i] = sums->strain_rate[i] * factor;
        SW_UNROLL
        for (int j = 0; j <= i; j++)
            sums->jacobian[i][j] = sums->jacobian[i][j] * slips_per_stress;
        /* pivots stay positive where fewer than five systems are active; 1e-7 and 1e-5 do as well */
        sums->jacobian[i][i] += 1e-6F * trace * slips_per_stress;
    }
    sums->largest = sums->largest * stretch;
    return stretch;
}

/* A fraction of a step, at most 1, that lifts no |tau| above growth times `yield`, which is at least the
 * largest now: slips go as its n-th power, and the first steps would overshoot by orders of magnitude. |tau|
 * is convex along the step, so the bound holds where the chord from the largest now to the largest after
 * meets it. *small: no system that counts changes its slip by more than u = 1/2, so that the step's leading
 * order tells what it leaves. */
SW_HD static inline sw_real sw_slip_safe_fraction(const sw_slip_model *model, int systems,
                                                  const sw_slip_resists *resists, const sw_real x[5],
                                                  const sw_real step[5], sw_real largest, sw_real yield,
                                                  sw_mask *small)
{
    sw_real end[5], peak = sw_broadcast(0.0), excess = sw_broadcast(-1.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        end[i] = x[i] + step[i];
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++) {
            sw_real after = sw_abs(sw_slip_tau_in(model, resists, &run, a, end));
            sw_real change =
                sw_abs(sw_slip_over_in(resists, &run, sw_dot5(sw_slip_schmid(model, resists, a), step)));
            peak = sw_max(peak, after);
            excess = sw_choose(SW_LESS(sw_broadcast(model->idle), after),
                               sw_max(excess, 2.0F * model->exponent * change - after), excess);
        }
        next = run.end;
    }
    *small = SW_LESS(excess, sw_broadcast(0.0));
    sw_real room = yield * model->growth - largest, rise = peak - largest;
    return sw_choose(SW_LESS(room, rise), sw_divide(room, sw_max(rise, sw_broadcast(1e-30))),
                     sw_broadcast(1.0));
}

/* The same, exactly: where along the step the first |tau| gets to growth times `yield`; a quotient a system. */
SW_HD static inline sw_real sw_slip_reach(const sw_slip_model *model, int systems,
                                          const sw_slip_resists *resists, const sw_real x[5],
                                          const sw_real step[5], sw_real yield)
{
    sw_real limit = yield * model->growth, fraction = sw_broadcast(1.0);
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++) {
            sw_real change = sw_slip_over_in(resists, &run, sw_dot5(sw_slip_schmid(model, resists, a), step)),
                    tau = sw_slip_tau_in(model, resists, &run, a, x);
            if (run.one_way)
                change = sw_max(change, sw_broadcast(0.0));
            sw_real along = sw_choose(SW_LESS(change, sw_broadcast(0.0)), -tau, tau);
            fraction = sw_min(fraction, sw_divide(limit - along, sw_abs(change) + 1e-30F));
        }
        next = run.end;
    }
    return fraction;
}

/* How far x went along its last direction, and how steep that was at its start. */
typedef struct {
    sw_real direction[5], fraction, descent;
} sw_slip_search;

SW_HD static inline void sw_slip_search_begin(sw_slip_search *search)
{
    search->fraction = sw_broadcast(1.0);
    search->descent = sw_broadcast(1e30);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        search->direction[i] = sw_broadcast(0.0);
}

/* What x did so far tells nothing of what comes, in these lanes. */
SW_HD static inline void sw_slip_search_anew(sw_slip_search *search, sw_mask lanes)
{
    search->descent = sw_choose(lanes, sw_broadcast(1e30), search->descent);
}

/* Where x ran past the minimum along the last direction, by much. */
SW_HD static inline sw_mask sw_slip_is_beyond(const sw_slip_search *search, const sw_real residual[5])
{
    sw_real slope = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        slope += search->direction[i] * residual[i];
    return SW_LESS(slope, -0.5F * search->descent);
}

/* Beyond: back, half as far. Else along Newton's new direction, a safe fraction. x moves in the lanes of
 * `moves`. */
SW_HD static inline void sw_slip_search_on(sw_slip_search *search, sw_mask beyond, sw_mask moves,
                                           const sw_real newton[5], sw_real downhill, sw_real safe,
                                           sw_real x[5])
{
    sw_real move = sw_choose(beyond, -0.5F * search->fraction, safe);
    search->fraction = sw_choose(beyond, 0.5F * search->fraction, safe);
    search->descent = sw_choose(beyond, search->descent, downhill);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        search->direction[i] = sw_choose(beyond, search->direction[i], newton[i]);
        x[i] = sw_choose(moves, x[i] + move * search->direction[i], x[i]);
    }
}

/* s over the least resistance: a step along x changes soft systems' slips the most, by as much for as little work. */
SW_HD static inline sw_real sw_slip_softest(const sw_slip_model *model, const sw_slip_resists *resists)
{
    sw_real softest = sw_broadcast(1.0);
    for (int k = 0; k < model->law.groups; k++)
        softest = sw_max(softest, resists->over[k]);
    return softest;
}

/* x: start, usable -> answer, by `most` iterations at most. iterations: Jacobians formed. Returns the lanes of `active` that met the
 * test: the residual is below 4e-5 (single precision reaches 2e-5 at n = 83), or a full last step is so small that it leaves
 * 3e-5. */
enum { SW_SLIP_ITERATIONS = 300 };
SW_HD static inline sw_mask sw_slip_newton_within(const sw_slip_model *model, int systems,
                                                  const sw_slip_resists *resists, int most, sw_mask active,
                                                  const sw_real d[5], sw_real x[5], sw_real *iterations)
{
    const float enough = 4e-5F;
    sw_slip_search search;
    sw_mask running = active;
    sw_real decrement = sw_broadcast(model->decrement); /* of systems as soft as the softest */
    if (resists != NULL)
        decrement = sw_divide(decrement, sw_slip_softest(model, resists));
    *iterations = sw_broadcast(0.0);
    sw_slip_search_begin(&search);
    for (int iteration = 0; iteration < most && sw_any(running); iteration++) {
        sw_slip_sums sums;
        sw_real residual[5], newton[5], square = sw_broadcast(0.0), downhill = sw_broadcast(0.0);
        sw_mask small;
        *iterations += sw_choose(running, sw_broadcast(1.0), sw_broadcast(0.0));
        sw_slip_sum(model, systems, resists, x, &sums, NULL);
        sw_real stretch = sw_slip_scale(model, d, x, &sums);
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            x[i] = sw_choose(running, x[i] * stretch, x[i]);
            search.direction[i] = search.direction[i] * stretch;
            residual[i] = d[i] - sums.strain_rate[i];
            square += residual[i] * residual[i];
        }
        sw_solve_spd5(sums.jacobian, residual, newton);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            downhill += newton[i] * residual[i];
        sw_real safe =
            sw_slip_safe_fraction(model, systems, resists, x, newton, sums.largest, sums.largest, &small);
        sw_mask beyond = sw_slip_is_beyond(&search, residual);
        sw_mask met = running & SW_LESS(square, sw_broadcast(enough * enough));
        sw_mask last =
            running & ~beyond & small & SW_LESS(downhill, decrement) & ~SW_LESS(safe, sw_broadcast(1.0));
        sw_slip_search_on(&search, beyond, running & (~met | last), newton, downhill, safe, x);
        running = running & ~(met | last);
    }
    return active & ~running;
}

SW_HD static inline sw_mask sw_slip_newton(const sw_slip_model *model, int systems,
                                           const sw_slip_resists *resists, sw_mask active, const sw_real d[5],
                                           sw_real x[5], sw_real *iterations)
{
    return sw_slip_newton_within(model, systems, resists, SW_SLIP_ITERATIONS, active, d, x, iterations);
}

/* ---- What the answer says ---- */

/* sum gamma_a P_a, G = sum |gamma_a|, and the spin sum gamma_a skew_a, 12 13 23, at x. */
SW_HD static inline void sw_slip_flow(const sw_slip_model *model, int systems, const sw_slip_resists *resists,
                                      const sw_real x[5], sw_real strain_rate[5], sw_real *slip_rate,
                                      sw_real spin[3])
{
    sw_real total = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        strain_rate[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = sw_broadcast(0.0);
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++) {
            sw_real tau = sw_slip_tau_in(model, resists, &run, a, x),
                    slip = sw_slip_secant(sw_slip_exponent(model, resists, a), tau) * tau;
            total += sw_abs(slip);
            SW_UNROLL
            for (int i = 0; i < 5; i++)
                strain_rate[i] += slip * sw_slip_schmid(model, resists, a)[i];
            SW_UNROLL
            for (int i = 0; i < 3; i++)
                spin[i] += slip * sw_slip_spin(model, resists, a)[i];
        }
        next = run.end;
    }
    *slip_rate = total;
}

/* How they change with x: derivatives of the strain rate (its lower triangle), of the spin, and of G. */
typedef struct {
    sw_real strain_rate[5][5], spin[3][5], slip_rate[5];
} sw_slip_derivatives;

/* And what they are: as sw_slip_flow. */
SW_HD static inline void sw_slip_differentiate(const sw_slip_model *model, int systems,
                                               const sw_slip_resists *resists, const sw_real x[5],
                                               sw_real strain_rate[5], sw_real *slip_rate, sw_real spin[3],
                                               sw_slip_derivatives *by)
{
    sw_real total = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        spin[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int j = 0; j < 5; j++) {
        strain_rate[j] = by->slip_rate[j] = sw_broadcast(0.0);
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            by->spin[i][j] = sw_broadcast(0.0);
        SW_UNROLL
        for (int i = j; i < 5; i++)
            by->strain_rate[i][j] = sw_broadcast(0.0);
    }
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_ROLLED
        for (int a = run.begin; a < run.end; a++) {
            const float *p = sw_slip_schmid(model, resists, a);
            sw_real tau = sw_slip_tau_in(model, resists, &run, a, x),
                    secant = sw_slip_secant(sw_slip_exponent(model, resists, a), tau),
                    stiff = sw_slip_over_in(resists, &run, sw_slip_exponent(model, resists, a) * secant) *
                            sw_slip_share(model, resists, a, tau);
            sw_real along = sw_choose(SW_LESS(tau, sw_broadcast(0.0)), -stiff, stiff);
            sw_real slip = secant * tau;
            total += sw_abs(slip);
            SW_UNROLL
            for (int i = 0; i < 3; i++)
                spin[i] += slip * sw_slip_spin(model, resists, a)[i];
            SW_UNROLL
            for (int j = 0; j < 5; j++) {
                sw_real slope = stiff * p[j];
                strain_rate[j] += slip * p[j];
                by->slip_rate[j] += along * p[j];
                SW_UNROLL
                for (int i = 0; i < 3; i++)
                    by->spin[i][j] += slope * sw_slip_spin(model, resists, a)[i];
                SW_UNROLL
                for (int i = j; i < 5; i++)
                    by->strain_rate[i][j] += slope * p[i];
            }
        }
        next = run.end;
    }
    *slip_rate = total;
}

/* Slip rates become the sizes of slip increments while strain/r passes, where sum |gamma_a| is believed up to `most`. Returns
 * their quotient. */
SW_HD static inline sw_real sw_slip_sizes(const sw_slip_law *law, sw_real most, sw_real strain,
                                          const sw_slip_sums *sums, sw_law_slips *slips)
{
    sw_real scale = strain * sw_min(sw_divide(most, sums->slip_rate + 1e-30F), sw_broadcast(1.0));
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        slips->group[k] = slips->group[k] * scale;
    SW_ROLLED
    for (int v = 0; v < law->variants; v++)
        slips->variant[v] = slips->variant[v] * scale;
    return scale;
}

/* ---- What resists ---- */

/* By which twins of a law that fills are weaker: they slip in what is left, 1 - f, of which the n-th root is theirs. */
SW_HD static inline sw_real sw_slip_left(const sw_slip_model *model, const sw_slip_state *state)
{
    if (!model->law.fill || model->law.two_way == model->law.systems)
        return sw_broadcast(1.0);
    sw_real left = sw_max(1.0F - sw_slip_state_fraction(&model->law, state), sw_broadcast(1e-6));
    return sw_exp2((1.0F / model->exponent) * sw_log2(left));
}

/* s over what resists group k, of resistance g, with what twins had left when the step began. */
SW_HD static inline sw_real sw_slip_over_of(const sw_slip_law *law, int k, sw_real g, sw_real s, sw_real left,
                                            const sw_slip_resists *resists)
{
    sw_real over = sw_divide(law->twins[k] ? s * left : s, g);
    if (!SW_LAW_ALL || !law->rates)
        return over;
    /* (v0/r)^m of a group, in what x is over; and what twins leave by its n */
    const float m = 1.0F / law->exponent[k];
    sw_real slow = law->reference[k] > 0 ? sw_log2(sw_divide(sw_broadcast(law->reference[k]), resists->rate))
                                         : sw_broadcast(0.0);
    sw_real alone = law->twins[k] ? (m * resists->exponent - 1.0F) * sw_log2(left) : sw_broadcast(0.0);
    return over * resists->stress_unit * sw_exp2(m * slow + alone);
}

/* Of resistances g [G]. Returns s, their mean, Pa. */
SW_HD static inline sw_real sw_slip_resists_of(const sw_slip_law *law, const sw_real *g, sw_real left,
                                               sw_slip_resists *resists)
{
    sw_real s = sw_slip_law_mean(law, g);
    SW_ROLLED
    for (int k = 0; k < law->groups; k++)
        resists->over[k] = sw_slip_over_of(law, k, g[k], s, left, resists);
    if (SW_LAW_ALL && law->backs > 0)
        resists->over_unit = sw_divide(sw_broadcast(1.0), s * resists->stress_unit);
    return s;
}

/* x follows resistances as they change to g [G]: so that slips stay what they are to first order, of which a power law would make
 * e^n times the change. sums and groups: at x, as its resistances were, of which slips are `scale`, and elastic [5] as much of what is
 * elastic, as Newton's matrix has it; the Jacobian is used up. Returns s, which x is then over. */
SW_HD static inline sw_real sw_slip_follow(const sw_slip_model *model, int systems, const sw_real *g,
                                           sw_real left, const sw_real elastic[5], sw_real scale,
                                           sw_slip_sums *sums, const sw_slip_groups *groups,
                                           sw_slip_resists *resists, sw_real x[5])
{
    const float most = 0.3F; /* of a step, of the yield stress */
    const sw_slip_law *law = &model->law;
    sw_real change[5], step[5], largest = sw_broadcast(0.0), stiff = model->exponent * scale;
    sw_real s = sw_slip_law_mean(law, g);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        change[i] = sw_broadcast(0.0);
        SW_UNROLL
        for (int j = 0; j <= i; j++)
            sums->jacobian[i][j] = sums->jacobian[i][j] * stiff;
        sums->jacobian[i][i] += elastic[i];
    }
    SW_ROLLED
    for (int k = 0; k < law->groups; k++) {
        sw_real over = sw_slip_over_of(law, k, g[k], s, left, resists);
        sw_real slope = stiff * (1.0F - sw_divide(over, resists->over[k]));
        if (SW_LAW_ALL && law->rates)
            slope = slope * (law->exponent[k] / model->exponent);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            change[i] += slope * groups->flow[k][i];
        resists->over[k] = over;
    }
    if (SW_LAW_ALL && law->backs > 0)
        resists->over_unit = sw_divide(sw_broadcast(1.0), s * resists->stress_unit);
    sw_solve_spd5(sums->jacobian, change, step);
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++)
            largest = sw_max(largest, sw_abs(sw_slip_over_in(
                                          resists, &run, sw_dot5(sw_slip_schmid(model, resists, a), step))));
        next = run.end;
    }
    sw_real fraction =
        sw_min(sw_divide(sw_broadcast(most), sw_max(largest, sw_broadcast(1e-6))), sw_broadcast(1.0));
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] += fraction * step[i];
    return s;
}

/* Back-stresses at the end of a step at x, of which slips are `scale`. */
SW_HD static inline void sw_slip_move_back(const sw_slip_model *model, int systems,
                                           const sw_slip_resists *resists, const sw_real x[5], sw_real scale,
                                           sw_slip_state *next)
{
    for (int a = 0; a < model->law.backs && a < systems; a++) {
        const int k = model->law.group[a];
        const float c = model->law.of[SW_OF_back_stress_modulus][k],
                    d = model->law.of[SW_OF_back_stress_decay][k];
        sw_real left, tau = sw_slip_tau(model, resists, a, x);
        sw_real sign = sw_choose(SW_LESS(tau, sw_broadcast(0.0)), sw_broadcast(-1.0), sw_broadcast(1.0));
        sw_real slip = scale * sw_slip_secant(sw_slip_exponent(model, resists, a), tau) * sw_abs(tau);
        sw_real grown = sw_law_saturating(sw_broadcast(d), slip, &left);
        next->back[a] = resists->begun->back[a] + (c * sign - d * resists->begun->back[a]) * grown;
    }
}

/* The size of sum gamma_a P_a - d. */
SW_HD static inline sw_real sw_slip_misses(const sw_real d[5], const sw_real strain_rate[5])
{
    sw_real square = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        square += (strain_rate[i] - d[i]) * (strain_rate[i] - d[i]);
    return sw_sqrt(square);
}

/* sw_slip_flow against the strain rate d. Returns what it misses, as single precision sees it. */
SW_HD static inline sw_real sw_slip_answer(const sw_slip_model *model, int systems,
                                           const sw_slip_resists *resists, const sw_real d[5],
                                           const sw_real x[5], sw_real *slip_rate, sw_real spin[3])
{
    sw_real strain_rate[5];
    sw_slip_flow(model, systems, resists, x, strain_rate, slip_rate, spin);
    return sw_slip_misses(d, strain_rate);
}

#endif
