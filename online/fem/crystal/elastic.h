/* Elasticity at the point, for solvers without elastic strains of their own: which part of a point's strain rate its
 * crystals get.
 *
 * With d the deviator of the step's strain rate, s(0) the accepted stress turned by the step's spin, r = exp(W dt), and
 * S what the crystals answer to a plastic strain rate p,
 *
 *     s(1) = r s(0) r' + 2 G dt (d - p) = S(p)
 *
 * Newton's method in p, every point for itself and all points at a time, since their crystals answer together. S is of
 * the order m of the rate: an answer at p is one at every q p, q^m S, but for what the step's slip hardens; so
 * first the q is found that fits along p, a scalar equation, and Newton's direction is from there: without it,
 * rates that must fall to almost nothing, as on unloading, would be crept up to. S - trial + 2 G dt p is the
 * gradient of a convex function (of symmetric derivatives; others are near), so a direction along which it has
 * turned round is taken back in part. Single precision ends it.
 *
 * With the derivative A of S, and of a solver without any the power law's through its answer,
 *
 *     ds(1) = A (2 G dt + A)^-1 ds_trial,    ds_trial = 2 G dt dd + (w s - s w) dt       w the spin's change
 *
 * Vectors of five: common/math/deviator.h. Dimension: P points. */
#ifndef SW_ONLINE_FEM_CRYSTAL_ELASTIC_H
#define SW_ONLINE_FEM_CRYSTAL_ELASTIC_H

#include <math.h>

#include "common/math/deviator.h"
#include "common/math/elimination.h"
#include "common/math/rotation.h"
#include "slipwave/response.h"

/* Of the answer: some times what single precision leaves; near corners of the yield surface that is more, so from the
 * fourth answer on it doubles with each. */
#define SW_FEM_ELASTIC_TOLERANCE 1e-5
#define SW_FEM_ELASTIC_TOLERATED 1e-3
#define SW_FEM_LEAST_RATE 1e-6 /* of the whole rate: below, answers are those there, over to the power m */
/* Of an answer's size: stresses so small are inside the yield surface, which is sqrt(2) to sqrt(12) times the resistance
 * from its middle for cubic crystals on {111}, and less uneven for others and for averages. */
#define SW_FEM_ELASTIC_INSIDE 0.4
#define SW_FEM_NO_STRAIN 1e-12     /* of a step: round-off, as a rotation leaves it: nothing flows */
enum { SW_FEM_ELASTIC_MOST = 60 }; /* answers to a step */

/* On the device: [P]. What is asked and answered in between is in the sw_points of the response. */
typedef struct {
    double (*accepted)[6]; /* deviatoric stress, Pa */
    double (*plastic)[5];  /* p, 1/s; a step's first is d */
    double (
        *search)[11]; /* where the direction began, the direction, the gradient's work along it; 0: none */
    double (*given)[3][3]; /* the velocity gradient that the crystals get, 1/s */
    /* Of polycrystals that find p themselves: what holds them, and D' as found; else NULL. */
    sw_point_condition *condition;
    double (*found)[SW_FREE_DIRECTIONS];
    unsigned long long *unfinished; /* [1] a GPU's: points that need another answer */
} sw_fem_elastic_points;

/* What goes for all points of a group. */
typedef struct {
    double shear, dt, rate_sensitivity; /* G, Pa; s; m */
    int has_tangent;                    /* the solver has a derivative */
    double tolerance;                   /* of this answer */
} sw_fem_elastic_step;

SW_HD static inline double sw_fem_dot5(const double a[5], const double b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* The norm, of plastic rates whose squares are below all numbers, too. */
SW_HD static inline double sw_fem_size5(const double a[5])
{
    double most = 0, unit[5];
    for (int i = 0; i < 5; i++)
        most = fmax(most, fabs(a[i]));
    for (int i = 0; i < 5; i++)
        unit[i] = most > 0 ? a[i] / most : 0;
    return most * sqrt(sw_fem_dot5(unit, unit));
}

/* The step's d, and the trial stress less 2 G dt d. */
SW_HD static inline void sw_fem_elastic_trial(const sw_fem_elastic_step *step, const double l[3][3],
                                              const double accepted[6], double d[5], double turned[5])
{
    double spin[3] = {0}, r[3][3], v[5];
    spin[0] = 0.5 * (l[0][1] - l[1][0]) * step->dt;
    spin[1] = 0.5 * (l[0][2] - l[2][0]) * step->dt;
    spin[2] = 0.5 * (l[1][2] - l[2][1]) * step->dt;
    sw_rotation_from_spin(spin, r);
    sw_deviator_vector(l, d);
    sw_deviator_vector_of(accepted, v);
    sw_deviator_from_frame((const double(*)[3])r, v, turned);
}

/* The velocity gradient of a plastic strain rate and the step's spin; rates below the least are raised to it, and
 * raised by what is returned. */
SW_HD static inline double sw_fem_elastic_given(const double l[3][3], const double d[5], const double p[5],
                                                double given[3][3])
{
    const double size = sw_fem_size5(p), least = SW_FEM_LEAST_RATE * sqrt(sw_fem_dot5(d, d));
    const double raised = size > 0 && size < least ? least / size : 1;
    double v[5], t[6];
    for (int i = 0; i < 5; i++)
        v[i] = raised * p[i];
    sw_deviator_tensor(v, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            given[i][j] = t[sw_six_of(i, j)] + 0.5 * (l[i][j] - l[j][i]);
    return raised;
}

/* Derivative of the answer by the plastic rate in vectors of five: by [6][6] as of sw_points, or, of none, that of a
 * power law through the answer. */
SW_HD static inline void sw_fem_elastic_slope(const sw_fem_elastic_step *step, const double by[6][6],
                                              const double p[5], const double answer[5], double slope[5][5])
{
    const double square = sw_fem_dot5(p, p),
                 secant = square > 0 ? sqrt(sw_fem_dot5(answer, answer) / square) : 0;
    for (int b = 0; b < 5; b++) {
        double one[5] = {0}, t[6], change[6] = {0}, row[5];
        one[b] = 1;
        sw_deviator_tensor(one, t);
        for (int i = 0; i < 6 && step->has_tangent; i++)
            for (int j = 0; j < 6; j++)
                change[i] += by[i][j] * (j < 3 ? t[j] : 2 * t[j]);
        sw_deviator_vector_of(change, row);
        for (int a = 0; a < 5; a++)
            slope[a][b] = step->has_tangent
                              ? row[a]
                              : secant * ((a == b) - (1 - step->rate_sensitivity) * p[a] * p[b] / square);
    }
}

/* q of q^m along + 2 G dt q size = trial, each times p over its size; trial > 0. By bisection of log q, then Newton:
 * both sides grow. */
SW_HD static inline double sw_fem_elastic_scale(double m, double along, double stiff, double trial)
{
    double low = -700, high = 5, x = 0; /* log q */
    for (int i = 0; i < 100; i++) {
        const double power = along * exp(m * x), straight = stiff * exp(x), over = power + straight - trial;
        if (over > 0)
            high = x;
        else
            low = x;
        if (fabs(over) <= 1e-12 * trial)
            break;
        const double next = x - over / (m * power + straight);
        x = next > low && next < high ? next : 0.5 * (low + high);
    }
    return exp(x);
}

/* A point of an iteration: its crystals have answered `answer` (and `by`) to what they were given; p and given become
 * the next ones. Returns whether it was the last: then p and given are those of the answer. */
SW_HD static inline int sw_fem_elastic_iterate(const sw_fem_elastic_step *step, const double l[3][3],
                                               const double accepted[6], const double answer[6],
                                               const double by[6][6], double plastic[5], double search[11],
                                               double given[3][3])
{
    double *from = search, *direction = search + 5, *descent = search + 10;
    const double stiff = 2 * step->shear * step->dt;
    double d[5], trial[5], s[5], slope[5][5], p[5], residual[5], raised[5];
    sw_fem_elastic_trial(step, l, accepted, d, trial);
    sw_deviator_vector_of(answer, s);
    const double up = sw_fem_elastic_given(l, d, plastic, given), size = sw_fem_size5(plastic);
    const double here = pow(up, -step->rate_sensitivity);
    if (size == 0) /* nothing strains */
        return 1;
    for (int i = 0; i < 5; i++) {
        s[i] *= here;
        trial[i] += stiff * d[i];
        residual[i] = trial[i] - stiff * plastic[i] - s[i];
        p[i] = plastic[i];
        raised[i] = up * plastic[i];
    }
    const double gap = sqrt(sw_fem_dot5(residual, residual)), stress = sqrt(sw_fem_dot5(s, s));
    const double left = sqrt(sw_fem_dot5(trial, trial));
    if (gap <= step->tolerance * fmax(stress, left))
        return 1;
    const double descends = sw_fem_dot5(residual, direction);
    if (*descent > 0 && descends < -0.5 * *descent) {
        const double part = fmin(0.7, fmax(0.1, *descent / (*descent - descends)));
        for (int i = 0; i < 5; i++) {
            direction[i] = part * (plastic[i] - from[i]);
            plastic[i] = from[i] + direction[i];
        }
        *descent *= part;
        sw_fem_elastic_given(l, d, plastic, given);
        return 0;
    }
    sw_fem_elastic_slope(step, by, raised, s,
                         slope); /* of the answer at the raised rate; over `here` below */
    const double along = sw_fem_dot5(s, p) / size, wanted = sw_fem_dot5(trial, p) / size;
    if (!(wanted > 0) || !(along > 0)) { /* the trial points elsewhere */
        const double turn = size / left;
        *descent = 0;
        for (int i = 0; i < 5; i++)
            plastic[i] = turn * trial[i];
        sw_fem_elastic_given(l, d, plastic, given);
        return 0;
    }
    const double q = sw_fem_elastic_scale(step->rate_sensitivity, along, stiff * size, wanted);
    const double grown = pow(q, step->rate_sensitivity), least = SW_FEM_LEAST_RATE * sw_fem_size5(d);
    double matrix[5][5];
    for (int i = 0; i < 5; i++) {
        from[i] = p[i] *= q;
        residual[i] = trial[i] - stiff * p[i] - grown * s[i];
        direction[i] = residual[i];
        for (int j = 0; j < 5; j++)
            matrix[i][j] =
                (i == j ? stiff : 0) + slope[i][j] * (step->has_tangent ? here * up : up) * grown / q;
    }
    /* By the surface of the least rate the trial's gauge is at most that of the answer, which is on a surface of its own, and
     * that of what is left, together. Below 1 nothing flows; what would, by slips of the power 1 / m, no number could tell. */
    if (grown * stress + sw_fem_size5(residual) / SW_FEM_ELASTIC_INSIDE <=
        stress * pow(least / size, step->rate_sensitivity)) {
        for (int i = 0; i < 5; i++)
            plastic[i] = 0;
        sw_fem_elastic_given(l, d, plastic, given);
        return 0;
    }
    if (!sw_solve_by_elimination(5, 5, matrix[0], residual, residual))
        return 0;
    const double reach = sqrt(sw_fem_dot5(residual, residual)), most = 0.7 * sw_fem_size5(p);
    const double part = reach > most ? most / reach : 1;
    *descent = part * sw_fem_dot5(direction, residual);
    for (int i = 0; i < 5; i++) {
        direction[i] = part * residual[i];
        plastic[i] = p[i] + direction[i];
    }
    sw_fem_elastic_given(l, d, plastic, given);
    return 0;
}

/* Answers to the point's own: stress, and the derivatives by D and W. In place. */
SW_HD static inline void sw_fem_elastic_finish(const sw_fem_elastic_step *step, const double l[3][3],
                                               const double accepted[6], const double plastic[5],
                                               double stress[6], double by_strain_rate[6][6],
                                               double by_spin[6][3])
{
    const double stiff = 2 * step->shear * step->dt;
    double d[5], turned[5], s[5], slope[5][5], end[5], given[3][3];
    sw_fem_elastic_trial(step, l, accepted, d, turned);
    sw_deviator_vector_of(stress, s);
    const double up = sw_fem_elastic_given(l, d, plastic, given);
    double raised[5], here = pow(up, -step->rate_sensitivity);
    for (int i = 0; i < 5; i++) {
        end[i] = turned[i] + stiff * (d[i] - plastic[i]);
        s[i] *= here;
        raised[i] = up * plastic[i];
    }
    sw_deviator_tensor(end, stress);
    if (!by_strain_rate)
        return;
    sw_fem_elastic_slope(step, by_strain_rate, raised, s, slope);
    const int flows = sw_fem_size5(plastic) > 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            by_strain_rate[i][j] = 0;
    for (int k = 0; k < 8; k++) { /* five strain rates, three spins */
        double change[5] = {0}, follows[5], matrix[5][5], t[6], one[5] = {0};
        if (k < 5) {
            one[k] = 1;
            change[k] = stiff;
        } else { /* 12 13 23: axial vectors -3, 2, -1 */
            double axial[3] = {0};
            axial[7 - k] = k == 6 ? -step->dt : step->dt; /* T [w] - [w] T is the opposite of what turns it */
            sw_deviator_add_spun(turned, axial, change);
        }
        for (int i = 0; i < 5; i++) {
            follows[i] = change[i];
            for (int j = 0; j < 5; j++)
                matrix[i][j] = (i == j ? stiff : 0) + slope[i][j] * (step->has_tangent ? here * up : up);
        }
        if (flows && sw_solve_by_elimination(5, 5, matrix[0], follows, follows))
            for (int i = 0; i < 5; i++)
                change[i] -= stiff * follows[i];
        sw_deviator_tensor(change, t);
        if (k < 5) {
            double strain[6];
            sw_deviator_tensor(one, strain);
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    by_strain_rate[i][j] += t[i] * strain[j];
        } else {
            for (int i = 0; i < 6; i++)
                by_spin[i][k - 5] = t[i];
        }
    }
}

/* What holds a point whose polycrystal finds p itself: S(p) = trial - 2 G dt p; where nothing strains, nothing does. */
SW_HD static inline void sw_fem_elastic_hold(const sw_fem_elastic_step *step, const double d[5],
                                             const double turned[5], sw_point_condition *condition)
{
    const double stiff = 2 * step->shear * step->dt;
    double trial[5];
    for (int i = 0; i < 5; i++)
        trial[i] = turned[i] + stiff * d[i];
    sw_deviator_tensor(trial, condition->held);
    condition->free = 0;
    condition->spring = sw_fem_dot5(d, d) > 0 ? stiff : 0;
}

/* ---- All points of a group ---- */

/* Arrays [P] on the device; by_strain_rate NULL: not wanted. */
typedef struct {
    sw_fem_elastic_step step;
    sw_fem_elastic_points of;
    const double (*gradient)[3][3];
    double (*stress)[6], (*by_strain_rate)[6][6], (*by_spin)[6][3];
} sw_fem_elastic_group;

/* In a step's order: p = d; next p from answers, or p as found; results; the step is taken. */
typedef enum {
    SW_FEM_ELASTIC_BEGIN,
    SW_FEM_ELASTIC_ITERATE,
    SW_FEM_ELASTIC_FIND,
    SW_FEM_ELASTIC_FINISH,
    SW_FEM_ELASTIC_TAKE
} sw_fem_elastic_task;

/* Of one point; whether it needs another answer. */
SW_HD static inline int sw_fem_elastic_point(sw_fem_elastic_task task, const sw_fem_elastic_group *g,
                                             int64_t i)
{
    const double(*l)[3] = g->gradient[i];
    double turned[5];
    switch (task) {
    case SW_FEM_ELASTIC_BEGIN:
        sw_fem_elastic_trial(&g->step, l, g->of.accepted[i], g->of.plastic[i], turned);
        if (sqrt(sw_fem_dot5(g->of.plastic[i], g->of.plastic[i])) * g->step.dt < SW_FEM_NO_STRAIN)
            for (int k = 0; k < 5; k++)
                g->of.plastic[i][k] = 0;
        sw_fem_elastic_given(l, g->of.plastic[i], g->of.plastic[i], g->of.given[i]);
        g->of.search[i][10] = 0;
        if (g->of.condition != NULL)
            sw_fem_elastic_hold(&g->step, g->of.plastic[i], turned, &g->of.condition[i]);
        return 1;
    case SW_FEM_ELASTIC_ITERATE:
        return !sw_fem_elastic_iterate(&g->step, l, g->of.accepted[i], g->stress[i], g->by_strain_rate[i],
                                       g->of.plastic[i], g->of.search[i], g->of.given[i]);
    case SW_FEM_ELASTIC_FIND:
        if (g->of.condition[i].spring > 0)
            sw_deviator_vector_of(g->of.found[i], g->of.plastic[i]);
        return 0;
    case SW_FEM_ELASTIC_FINISH:
        sw_fem_elastic_finish(&g->step, l, g->of.accepted[i], g->of.plastic[i], g->stress[i],
                              g->by_strain_rate ? g->by_strain_rate[i] : NULL,
                              g->by_spin ? g->by_spin[i] : NULL);
        return 0;
    case SW_FEM_ELASTIC_TAKE:
        for (int k = 0; k < 6; k++)
            g->of.accepted[i][k] = g->stress[i][k];
        return 0;
    }
    return 0;
}

#endif
