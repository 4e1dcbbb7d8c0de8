/* Crystals that are coupled by their stresses, as those of `sachs` and the pairs of `alamel` are: each answers to its stress by the
 * slip law, without elastic strains, and what they share of their stresses is sought by Newton's method. Their strain rates follow,
 * and what resists them, orientations and all else goes on in parts of a step, which begin with what the slips of the part before
 * have left.
 *
 * The stresses sought are the least of a convex function: sum_c w_c phi_c(sigma_c) - D . sum_c w_c sigma_c, with phi_c what the
 * strain rate of crystal c is the derivative of. With all crystals for themselves that is Taylor's answer, with one stress for all
 * that of Sachs. In double precision, on CPU and GPU; vectors of five: common/math/deviator.h. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_COUPLED_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_COUPLED_H

#include "common/math/deviator.h"
#include "common/math/quaternion.h"
#include "online/response/rigid_plastic/rigid_plastic.h"
#include "online/response/rigid_plastic/slip_step.h"

/* What all of them go through. */
typedef struct {
    const sw_rigid_plastic_model *model;
    const sw_hardening *hardening;
    double l[3][3];  /* trace-free, sample frame, 1/s */
    double d[6];     /* D, 11 22 33 23 13 12, 1/s */
    double spin[3];  /* axial vector of W, 1/s */
    double rate;     /* r = ||D||, 1/s; 0: nothing but turns */
    double unit;     /* (r/v0)^m */
    double duration; /* s */
} sw_coupled_step;

/* Where systems have their own resistances. */
typedef struct {
    sw_slip_state state, next; /* as it is; as the part at hand leaves it */
    sw_slip_resists resists;
} sw_coupled_systems;

/* A crystal. */
typedef struct {
    double q[4], begun[4];       /* orientation, crystal -> sample: as it is; as the step began */
    double s, next;              /* Pa, mean slip resistance: as it is; as the part at hand leaves it */
    double share;                /* of the weights of those that are coupled, at least 1e-6 */
    double r[3][3];              /* the orientation that it is seen in */
    double to[5][5];             /* stress over S unit in the common frame -> x */
    double x[5];                 /* stress over s unit, crystal frame; all 0: not known */
    double largest;              /* |tau| there is */
    double flow[5], spin[3];     /* strain rate and plastic spin (12 13 23), crystal frame, over r */
    double slip_rate;            /* over r */
    sw_coupled_systems *systems; /* NULL: all have s */
} sw_coupled;

SW_HD static inline const sw_slip_resists *sw_coupled_resists(const sw_coupled *c)
{
    return c->systems != NULL ? &c->systems->resists : NULL;
}

/* ---- What they share ---- */

enum { SW_SHARED_MAX = 8 };
SW_SPD(8)

/* Sums over crystals, in the unknowns y. */
typedef struct {
    double rate[SW_SHARED_MAX],
        jacobian[SW_SHARED_MAX][SW_SHARED_MAX]; /* the latter's lower triangle, over n */
    double largest;
} sw_coupled_sums;

/* The search for y, stresses over S unit. */
typedef struct {
    int n;
    double d[SW_SHARED_MAX], size[SW_SHARED_MAX]; /* of sums->rate: wanted; what an error is measured by */
    double y[SW_SHARED_MAX];
    double newton[SW_SHARED_MAX], direction[SW_SHARED_MAX], fraction;
    double work;    /* of y, which the answer makes the most of, as the ray's best */
    double stretch; /* by which the last sums scaled y */
    double error;   /* of them */
    int beyond;
} sw_coupled_search;

#define SW_COUPLED_TOLERANCE 1e-9 /* of strain rates over r */
enum {
    SW_COUPLED_ITERATIONS = 1000
}; /* some 25 of pairs of m = 0.012 on average, at most 90; of m = 0.004 70 and 250 */

SW_HD static inline void sw_coupled_search_begin(sw_coupled_search *s, int n)
{
    s->n = n;
    s->fraction = 1;
    s->work = -1e30;
    for (int i = 0; i < SW_SHARED_MAX; i++)
        s->d[i] = s->y[i] = s->direction[i] = 0, s->size[i] = 1;
}

/* y goes along its ray to where slips do the work that is wanted, as in sw_slip_scale, and so do the sums; then Newton's direction.
 * Whether y is the answer. */
SW_HD static inline int sw_coupled_search_take(sw_coupled_search *s, double exponent, sw_coupled_sums *sums)
{
    double work = 0, power = 0, trace = 0, residual[SW_SHARED_MAX] = {0};
    for (int i = 0; i < s->n; i++) {
        work += s->d[i] * s->y[i];
        power += sums->rate[i] * s->y[i];
        trace += sums->jacobian[i][i];
    }
    const double factor = fmax(work / power, 1e-20);
    s->stretch = pow(factor, 1 / exponent);
    s->error = 0;
    for (int i = 0; i < s->n; i++) {
        s->y[i] *= s->stretch;
        s->direction[i] *= s->stretch;
        residual[i] = s->d[i] - factor * sums->rate[i];
        s->error = fmax(s->error, fabs(residual[i]) / s->size[i]);
    }
    if (!(s->error > SW_COUPLED_TOLERANCE)) /* nor where it is no number */
        return 1;
    /* pivots stay positive where too few systems are active; less of it as the answer comes near */
    const double ridge = trace * (1e-6 * fmin(s->error, 1.0) + 1e-14), by = exponent * factor / s->stretch;
    for (int i = 0; i < SW_SHARED_MAX; i++)
        for (int j = 0; j <= i; j++)
            sums->jacobian[i][j] =
                i >= s->n ? i == j : by * (sums->jacobian[i][j] + (i == j ? ridge * s->size[i] : 0));
    sw_solve_spd8(sums->jacobian, residual, s->newton);
    s->beyond = work * s->stretch < s->work * (1 - 1e-10); /* less is rounding, near the answer */
    s->work = s->beyond ? s->work : work * s->stretch;
    return 0;
}

/* Along Newton's direction by a safe fraction, or back by half of the last way where that went too far. */
SW_HD static inline void sw_coupled_search_move(sw_coupled_search *s, double safe)
{
    const double move = s->beyond ? -0.5 * s->fraction : safe;
    s->fraction = s->beyond ? 0.5 * s->fraction : safe;
    for (int i = 0; i < s->n; i++) {
        s->direction[i] = s->beyond ? s->direction[i] : s->newton[i];
        s->y[i] += move * s->direction[i];
    }
}

/* ---- A crystal and what it shares; place [5]: of the components of its stress among the unknowns ---- */

/* Ready to be asked: what resists it as it is, seen in orientation q from the common frame (its columns: axes, in the sample). */
SW_HD static inline void sw_coupled_face(const sw_coupled_step *step, const double frame[3][3],
                                         const double q[4], double stress, sw_coupled *c)
{
    const sw_slip_model *model = &step->model->slip;
    double turned[3][3];
    if (c->systems != NULL) {
        sw_slip_state_at(&model->law, step->rate, &c->systems->state);
        c->s = sw_slip_resists_of(&model->law, c->systems->state.g, sw_slip_left(model, &c->systems->state),
                                  &c->systems->resists);
    }
    sw_rotation_from_quaternion(q, c->r);
    for (int k = 0; k < 9; k++) {
        turned[k / 3][k % 3] = 0;
        for (int j = 0; j < 3; j++)
            turned[k / 3][k % 3] += frame[j][k / 3] * c->r[j][k % 3];
    }
    for (int i = 0; i < 5; i++) {
        double one[5] = {0}, tensor[6], column[5];
        one[i] = stress / c->s;
        sw_deviator_tensor(one, tensor);
        sw_deviator_in_frame((const double(*)[3])turned, tensor, column);
        for (int k = 0; k < 5; k++)
            c->to[k][i] = column[k];
    }
}

/* Where x is not known: as of a crystal that goes through D by itself. */
SW_HD static inline void sw_coupled_start(const sw_coupled_step *step, sw_coupled *c)
{
    double d[5], known = 0;
    for (int i = 0; i < 5; i++)
        known += fabs(c->x[i]);
    if (known > 0 && known < 1e30)
        return;
    sw_deviator_in_frame((const double(*)[3])c->r, step->d, d);
    for (int i = 0; i < 5; i++)
        d[i] /= step->rate;
    for (int i = 0; i < 5 && c->systems != NULL; i++)
        c->x[i] = d[i];
    sw_slip_start(&step->model->slip, step->model->slip.systems, sw_coupled_resists(c), d, c->x);
}

/* Its x in the unknowns, times its share; stress: S. */
SW_HD static inline void sw_coupled_add_start(const sw_coupled *c, double stress, const int place[5],
                                              double *y)
{
    const double over = c->s / stress;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            y[place[i]] += c->share * over * over * c->to[k][i] * c->x[k];
}

SW_HD static inline void sw_coupled_see(const sw_coupled_step *step, const int place[5], const double *y,
                                        sw_coupled *c)
{
    for (int k = 0; k < 5; k++) {
        c->x[k] = 0;
        for (int i = 0; i < 5; i++)
            c->x[k] += c->to[k][i] * y[place[i]];
    }
    c->largest =
        sw_largest_stress(&step->model->slip, step->model->slip.systems, sw_coupled_resists(c), c->x);
}

/* Its part of the sums at y. stress: S. */
SW_HD static inline void sw_coupled_add(const sw_coupled_step *step, double stress, const int place[5],
                                        const double *y, sw_coupled *c, sw_coupled_sums *sums)
{
    const double weight = c->share * c->s / stress;
    sw_slip_sums own;
    double by[5][5]; /* J to */
    sw_coupled_see(step, place, y, c);
    sw_slip_sum(&step->model->slip, step->model->slip.systems, sw_coupled_resists(c), c->x, &own, NULL);
    sums->largest = fmax(sums->largest, c->largest);
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 5; i++) {
            by[k][i] = 0;
            for (int j = 0; j < 5; j++)
                by[k][i] += own.jacobian[k > j ? k : j][k > j ? j : k] * c->to[j][i];
        }
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            sums->rate[place[i]] += weight * c->to[k][i] * own.strain_rate[k];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 5 && place[i] >= place[j]; k++)
                sums->jacobian[place[i]][place[j]] += weight * c->to[k][i] * by[k][j];
}

/* How much of Newton's direction lifts none of its |tau| above what is safe; after sw_coupled_search_take. */
SW_HD static inline double sw_coupled_safe(const sw_coupled_step *step, const int place[5],
                                           const sw_coupled_search *s, double largest, const sw_coupled *c)
{
    double x[5], move[5];
    sw_mask small;
    for (int k = 0; k < 5; k++) {
        x[k] = c->x[k] * s->stretch;
        move[k] = 0;
        for (int i = 0; i < 5; i++)
            move[k] += c->to[k][i] * s->newton[place[i]];
    }
    return sw_slip_safe_fraction(&step->model->slip, step->model->slip.systems, sw_coupled_resists(c), x,
                                 move, c->largest * s->stretch, largest * s->stretch, &small);
}

/* ---- What follows of its stress ---- */

SW_HD static inline void sw_coupled_flow(const sw_coupled_step *step, sw_coupled *c)
{
    sw_slip_flow(&step->model->slip, step->model->slip.systems, sw_coupled_resists(c), c->x, c->flow,
                 &c->slip_rate, c->spin);
}

/* Logarithms of the least and the largest of the factors by which resistances grow. */
typedef struct {
    double least, most;
} sw_coupled_growth;

SW_HD static inline void sw_coupled_count_growth(double from, double to, sw_coupled_growth *growth)
{
    const double by = log(to / from);
    growth->least = fmin(growth->least, by);
    growth->most = fmax(growth->most, by);
}

/* What dt (s) leaves of resistances. */
SW_HD static inline void sw_coupled_harden(const sw_coupled_step *step, double dt, sw_coupled *c,
                                           sw_coupled_growth *growth)
{
    const sw_slip_model *model = &step->model->slip;
    const double strain = step->rate * dt;
    if (c->systems == NULL) {
        c->next = sw_harden(step->hardening, c->s, c->slip_rate * strain);
        sw_coupled_count_growth(c->s, c->next, growth);
        return;
    }
    sw_slip_sums sums;
    sw_slip_groups groups;
    sw_coupled_systems *own = c->systems;
    sw_slip_step as = {.hardening = *step->hardening};
    sw_slip_sum(model, model->systems, &own->resists, c->x, &sums, &groups);
    sw_slip_sizes(&model->law, 1e30, strain, &sums, &groups.slips);
    sw_slip_harden(model, &groups.slips, &as, c->s, &own->state, &own->next);
    c->next = sw_slip_state_mean(&model->law, &own->next);
    for (int k = 0; k < model->law.groups; k++)
        sw_coupled_count_growth(own->state.g[k], own->next.g[k], growth);
}

/* The work of its slips, by its share, as resistances are and as sw_coupled_harden has left them: added to. */
SW_HD static inline void sw_coupled_count_work(const sw_coupled_step *step, const sw_coupled *c,
                                               double *before, double *after)
{
    const sw_slip_model *model = &step->model->slip;
    double work = 0, hardened = 0;
    for (int i = 0; i < 5; i++)
        work += c->flow[i] * c->x[i];
    for (int a = 0; a < model->systems && c->systems != NULL; a++) {
        const double tau = sw_slip_tau(model, &c->systems->resists, a, c->x),
                     along = sw_dot5(model->schmid[a], c->x);
        const int k = model->law.group[a];
        hardened += sw_slip_secant(model->exponent, tau) * tau * along * c->systems->next.g[k] /
                    c->systems->state.g[k];
    }
    *before += c->share * c->s * work;
    *after += c->share * (c->systems != NULL ? c->s * hardened : c->next * work);
}

/* Parts of a step, as shares of it. */
enum { SW_COUPLED_PARTS = 1024 };
typedef struct {
    int given; /* they are what is to be taken: of a step beside another one, for its tangent */
    int n;
    double part[SW_COUPLED_PARTS];
} sw_coupled_parts;

/* A part of a step may be so long that no crystal slips by more than 0.2, and no resistance grows more than another by more than
 * what makes slips differ by a factor of e: more slip hardens, and less slip follows. Returns how much shorter dt has to be, 1 where
 * it is well. */
SW_HD static inline double sw_coupled_shorten(const sw_coupled_step *step, double dt, double slip_rate,
                                              const sw_coupled_growth *growth)
{
    const double apart = (growth->most - growth->least) * step->model->slip.exponent,
                 slip = slip_rate * step->rate * dt;
    return fmin(1.0, fmin(apart > 1.2 ? 1 / apart : 1.0, slip > 0.2001 ? 0.2 / slip : 1.0));
}

/* It takes up what dt (s) has left of resistances, and turns. relaxed: axial vector of the spin that its relaxed strains bring,
 * sample frame, over r. */
SW_HD static inline void sw_coupled_go_on(const sw_coupled_step *step, double dt, const double relaxed[3],
                                          sw_coupled *c)
{
    double turn[3], rotation[4], turned[4];
    for (int i = 0; i < 3; i++) {
        const double plastic = -c->r[i][0] * c->spin[2] + c->r[i][1] * c->spin[1] - c->r[i][2] * c->spin[0];
        turn[i] = dt * (step->spin[i] + step->rate * (relaxed[i] - plastic));
    }
    sw_quaternion_from_turn(turn, rotation);
    sw_quaternion_product(rotation, c->q, turned);
    for (int i = 0; i < 4; i++)
        c->q[i] = turned[i];
    c->s = c->next;
    if (c->systems != NULL)
        c->systems->state = c->systems->next;
}

#endif
