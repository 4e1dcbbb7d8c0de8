/* Slip systems of a crystal as the solvers of the slip law see them, and what drives each: the resolved stress over what resists it, less
 * what its back-stress takes. On sw_real. Dimensions: S slip systems, G groups, B systems with a back-stress. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_DRIVE_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_DRIVE_H

#include "common/crystal/laws.h"
#include "common/crystal/yield_vertices.h"
#include "common/math/lanes.h"

#ifndef SW_SLIP_UNROLL
#define SW_SLIP_UNROLL 12
#endif

/* Where systems resist differently, or twins are among them, a pointer to what each resists (sw_slip_resists) says so: tau_a
 * then is over a's own resistance, and a twin has none the other way. NULL: all resist alike. */

/* Numbers of systems that kernels of GPUs are made for, beside SW_SLIP_SYSTEMS_MAX: the least that holds a lattice's. Systems
 * beyond those are zeros, and slip nothing. */
#define SW_SLIP_SIZES(X) X(12) X(24)

enum { SW_FOLDED_VERTICES_MAX = 480 };

/* A system as loops load it that are not unrolled: eight numbers at once. */
typedef struct {
    float schmid[5], spin[3];
} sw_slip_system;

typedef struct {
    sw_slip_system system[SW_SLIP_SYSTEMS_MAX]; /* [S] schmid and spin once more */
    int systems;                                /* S */
    float schmid[SW_SLIP_SYSTEMS_MAX][5];       /* [S] P */
    float spin[SW_SLIP_SYSTEMS_MAX][3];         /* [S] skew part of the Schmid tensor: 12 13 23 */
    float vertex[SW_YIELD_VERTICES_MAX][5];     /* [V] one of each pair v, -v */
    int vertices;                               /* V */
    float folded[SW_FOLDED_VERTICES_MAX]
                [5];               /* those that are the best of folded strain rates (slip_fold.h) */
    int n_folded;                  /* so many; 0: none are known */
    float exponent;                /* n; what follows is derived from it */
    float growth;                  /* of tau while a slip rate grows by e^3 */
    float idle;                    /* tau of a slip rate of 1e-6 */
    float decrement;               /* see sw_slip_newton */
    const struct sw_slip_fit *fit; /* slip_start.h; NULL: none */
    sw_slip_law law;               /* of families; without: 0 systems */
} sw_slip_model;

/* s over each group's resistance (slip_law.h), s being what x is over; and where systems have back-stresses, these. */
typedef struct {
    sw_real over[SW_SLIP_SYSTEMS_MAX]; /* [G] */
    const sw_slip_state *begun;        /* with X as the step begins, Pa */
    sw_real stress_unit, over_unit;    /* (r/v0)^m, and 1 over it and s, 1/Pa */
    sw_real strain;                    /* r dt */
    sw_real rate;                      /* r, 1/s */
    float exponent;                    /* n of the model */
} sw_slip_resists;

SW_HD static inline const float *sw_slip_schmid(const sw_slip_model *model, const sw_slip_resists *resists,
                                                int a)
{
    return resists == NULL ? model->schmid[a] : model->system[a].schmid;
}

SW_HD static inline const float *sw_slip_spin(const sw_slip_model *model, const sw_slip_resists *resists,
                                              int a)
{
    return resists == NULL ? model->spin[a] : model->system[a].spin;
}

static inline void sw_slip_set_exponent(double n, sw_slip_model *model)
{
    model->exponent = (float)n;
    model->growth = (float)exp(3 / n);
    model->idle = (float)pow(1e-6, 1 / n);
    /* A full step leaves the residual sum |gamma| u^2/2 |P| to leading order, u = n dtau/tau, |P| = 1/sqrt 2,
     * and sum |gamma| u^2 = n (residual . step) where tau = 1. Wanted: 3e-5, or less where n is small and tau
     * is not 1. */
    model->decrement = (float)(3e-5 / (0.5 * sqrt(0.5) * n) * fmin(n / 20, 1));
}

SW_HD static inline sw_real sw_dot5(const float a[5], const sw_real b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* n of system a. */
SW_HD static inline float sw_slip_exponent(const sw_slip_model *model, const sw_slip_resists *resists, int a)
{
    return SW_LAW_ALL && resists != NULL && model->law.rates ? model->law.exponent[model->law.group[a]]
                                                             : model->exponent;
}

/* |tau|^(n-1), at least 2^-60: what slips less moves nothing, and subnormal numbers are slow. */
SW_HD static inline sw_real sw_slip_secant(float exponent, sw_real tau)
{
    sw_real size = sw_max(sw_abs(tau), sw_broadcast(1e-20));
    return sw_exp2(sw_max((exponent - 1.0F) * sw_log2(size), sw_broadcast(-60.0)));
}

/* A resolved stress along a, over what a resists it. */
SW_HD static inline sw_real sw_slip_over(const sw_slip_model *model, const sw_slip_resists *resists, int a,
                                         sw_real tau)
{
    return resists == NULL ? tau : tau * resists->over[model->law.group[a]];
}

/* ---- Back-stresses ----
 *
 * Slip is driven by tau - X, of which X is that of the step's end, (1 - exp(-d y))/d times c - d X(0) more than at its beginning after
 * a slip y to one side: Armstrong and Frederick's law integrated. */

SW_HD static inline int sw_slip_has_back(const sw_slip_model *model, const sw_slip_resists *resists, int a)
{
    return SW_LAW_ALL && resists != NULL && model->law.backs > 0 && a < model->law.two_way;
}

/* By how much X of system a grows with slip to the side of `sign`, as it begins, over what resists a. */
SW_HD static inline sw_real sw_slip_back_rate(const sw_slip_model *model, const sw_slip_resists *resists,
                                              int a, sw_real sign)
{
    const int k = model->law.group[a];
    const float c = model->law.of[SW_OF_back_stress_modulus][k],
                d = model->law.of[SW_OF_back_stress_decay][k];
    return (c - d * (sign * resists->begun->back[a])) * (resists->over[k] * resists->over_unit);
}

/* What is left of a resolved stress y, over what resists a, to drive slip: w sign with w + (X(w) - X(0)) = |y - X(0)|. Newton's method,
 * from what w would be without X, or with nothing else, or with X saturated, by no more than slip grows by e^1.5: six steps leave 1e-6
 * of slip where n is 83, 1e-3 where it is 250. */
SW_HD static inline sw_real sw_slip_driven(const sw_slip_model *model, const sw_slip_resists *resists, int a,
                                           sw_real y)
{
    const float n = sw_slip_exponent(model, resists, a), step = 1.5F / n,
                d = model->law.of[SW_OF_back_stress_decay][model->law.group[a]];
    sw_real begun = resists->begun->back[a] * (resists->over[model->law.group[a]] * resists->over_unit);
    sw_real sign = sw_choose(SW_LESS(y, begun), sw_broadcast(-1.0), sw_broadcast(1.0));
    sw_real all = sw_max(sw_abs(y - begun), sw_broadcast(1e-20));
    sw_real rate = sw_max(sw_slip_back_rate(model, resists, a, sign), sw_broadcast(0.0));
    sw_real alone = sw_divide(all, rate * resists->strain + 1e-20F);
    sw_real w = sw_min(all, sw_exp2((1.0F / n) * sw_log2(sw_max(alone, sw_broadcast(1e-20)))));
    w = sw_max(w, all - sw_divide(rate, sw_broadcast(fmaxf(d, 1e-20F))));
    for (int k = 0; k < 6; k++) {
        sw_real left, slip = resists->strain * sw_exp2(sw_max(n * sw_log2(w), sw_broadcast(-60.0)));
        sw_real off = w + rate * sw_law_saturating(sw_broadcast(d), slip, &left) - all;
        sw_real next = w - sw_divide(off, 1.0F + sw_divide(rate * left * (n * slip), w));
        w = sw_min(sw_min(sw_max(next, w * (1.0F - fminf(step, 0.9F))), w * (1.0F + step)), all);
    }
    return sign * w;
}

/* How much of a change of y is a change of what drives slip; tau: that. */
SW_HD static inline sw_real sw_slip_share(const sw_slip_model *model, const sw_slip_resists *resists, int a,
                                          sw_real tau)
{
    if (!sw_slip_has_back(model, resists, a))
        return sw_broadcast(1.0);
    sw_real left, size = sw_max(sw_abs(tau), sw_broadcast(1e-20));
    sw_real sign = sw_choose(SW_LESS(tau, sw_broadcast(0.0)), sw_broadcast(-1.0), sw_broadcast(1.0));
    sw_real slip = resists->strain * sw_slip_secant(sw_slip_exponent(model, resists, a), tau) * size;
    (void)sw_law_saturating(sw_broadcast(model->law.of[SW_OF_back_stress_decay][model->law.group[a]]), slip,
                            &left);
    sw_real rate = sw_max(sw_slip_back_rate(model, resists, a, sign), sw_broadcast(0.0));
    return sw_divide(sw_broadcast(1.0),
                     1.0F + sw_divide(rate * left * (sw_slip_exponent(model, resists, a) * slip), size));
}

/* The same where derivatives are over n. */
SW_HD static inline sw_real sw_slip_weight(const sw_slip_model *model, const sw_slip_resists *resists, int a,
                                           sw_real tau)
{
    sw_real share = sw_slip_share(model, resists, a, tau);
    return SW_LAW_ALL && resists != NULL && model->law.rates
               ? share * (sw_slip_exponent(model, resists, a) / model->exponent)
               : share;
}

/* ---- Loops over systems ----
 *
 * They go through runs, of systems of one group one after the other, so that what resists is looked up once a run: looked up system by
 * system it kept a GPU waiting. Where all resist alike there is one run. */

typedef struct {
    int group, begin, end, one_way;
    sw_real over; /* s over what resists */
} sw_slip_run;

SW_HD static inline int sw_slip_runs(const sw_slip_model *model, const sw_slip_resists *resists)
{
    return resists == NULL ? 1 : model->law.runs;
}

/* Run r, which begins with system a. */
SW_HD static inline sw_slip_run sw_slip_run_of(const sw_slip_model *model, int systems,
                                               const sw_slip_resists *resists, int r, int a)
{
    sw_slip_run run = {0, a, systems, 0, sw_broadcast(1.0)};
    if (resists != NULL) {
        run.group = model->law.run[r].group;
        run.end = model->law.run[r].end;
        run.one_way = a >= model->law.two_way;
        run.over = resists->over[run.group];
    }
    return run;
}

/* tau_a at x. */
SW_HD static inline sw_real sw_slip_tau_in(const sw_slip_model *model, const sw_slip_resists *resists,
                                           const sw_slip_run *run, int a, const sw_real x[5])
{
    sw_real tau = sw_dot5(sw_slip_schmid(model, resists, a), x);
    if (resists == NULL)
        return tau;
    tau = tau * run->over;
    if (sw_slip_has_back(model, resists, a))
        return sw_slip_driven(model, resists, a, tau);
    return run->one_way ? sw_max(tau, sw_broadcast(0.0)) : tau;
}

/* A resolved stress along a system of a run, over what resists it. */
SW_HD static inline sw_real sw_slip_over_in(const sw_slip_resists *resists, const sw_slip_run *run,
                                            sw_real tau)
{
    return resists == NULL ? tau : tau * run->over;
}

/* tau_a at x. */
SW_HD static inline sw_real sw_slip_tau(const sw_slip_model *model, const sw_slip_resists *resists, int a,
                                        const sw_real x[5])
{
    sw_real tau = sw_slip_over(model, resists, a, sw_dot5(sw_slip_schmid(model, resists, a), x));
    if (sw_slip_has_back(model, resists, a))
        return sw_slip_driven(model, resists, a, tau);
    return resists != NULL && a >= model->law.two_way ? sw_max(tau, sw_broadcast(0.0)) : tau;
}

#endif
