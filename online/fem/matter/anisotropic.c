/* Plasticity by a yield function of sheets: Hill's, Yld2000-2d, Yld2004-18p (common/yield/), with isotropic hardening in the
 * function's stress, and rate. The flow is normal to the surface.
 *
 * Newton's method for stress and flow together is tried first. Where it does not end: with a flow D given the end of the
 * increment is where a strictly convex potential, the distance to the trial by the compliance and D times the function, is
 * least: Newton's steps with a search along each find it from anywhere. The function falls with D, so that D lies between
 * bounds. Corners of tables, rates with no slope at rest and functions with sharp corners take more steps and no care. */
#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "flow.h"

/* A place for a given flow, and how the stress goes on with it. */
typedef struct {
    double s[6], phi,
        n[6];             /* n: by stored components, which is the flow's direction with engineering shears */
    double left[6], most; /* s - trial + flow D n, and its largest */
    double energy;
    double w[6][6], wn[6]; /* d s / d trial strain; it times n */
} place;

typedef struct {
    const sw_flow *flow;
    double c[6][6]; /* compliance */
    double scale;   /* largest of the trial */
} problem;

/* Of plane stress the functions leave out 23 and 13, which count as in von Mises' then. */
static double surface(const sw_matter *matter, const double s[6], double n[6])
{
    double phi = sw_yield_value(&matter->yield, s, n);
    if (matter->yield.function->plane_stress) {
        const double all = sqrt(phi * phi + 3 * (s[3] * s[3] + s[4] * s[4]));
        for (int i = 0; i < 6; i++)
            n[i] = all > 0 ? (i == 3 || i == 4 ? 1.5 * s[i] : n[i] * phi) / all : 0;
        phi = all;
    }
    for (int i = 3; i < 6; i++)
        n[i] *= 2;
    return phi;
}

/* Second derivatives. Of functions that have none by central differences: they are of degree 1, so their step is a part of
 * them; roughly: by differences to one side, which take half the time. */
static void curvature(const sw_matter *matter, const place *at, int roughly, double h[6][6])
{
    const sw_yield *y = &matter->yield;
    if (y->function->curvature != NULL && y->exponent >= 2) {
        y->function->curvature(y->coefficient, y->exponent, at->s, h);
        return;
    }
    const double step = 3e-6 * at->phi;
    for (int j = 0; j < 6; j++) {
        double s[6], up[6], down[6];
        memcpy(s, at->s, sizeof s);
        memcpy(down, at->n, sizeof down);
        s[j] = at->s[j] + step;
        surface(matter, s, up);
        s[j] = at->s[j] - step;
        if (!roughly)
            surface(matter, s, down);
        for (int i = 0; i < 6; i++)
            h[i][j] = (up[i] - down[i]) / (roughly ? step : 2 * step);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            h[i][j] = h[j][i] = 0.5 * (h[i][j] + h[j][i]);
}

static double dot(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

/* m^-1 b of 6 right sides, by elimination with pivots; m and b are used up. */
static int solve(double m[6][6], double b[6][6], double x[6][6])
{
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
        if (!(fabs(m[pivot][k]) > 0))
            return 0;
        for (int j = 0; j < 6; j++) {
            sw_swap_numbers(&m[k][j], &m[pivot][j]);
            sw_swap_numbers(&b[k][j], &b[pivot][j]);
        }
        for (int i = k + 1; i < 6; i++) {
            const double factor = m[i][k] / m[k][k];
            for (int j = 0; j < 6; j++) {
                m[i][j] -= factor * m[k][j];
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    for (int k = 5; k >= 0; k--)
        for (int j = 0; j < 6; j++) {
            x[k][j] = b[k][j];
            for (int i = k + 1; i < 6; i++)
                x[k][j] -= m[k][i] * x[i][j];
            x[k][j] /= m[k][k];
        }
    return 1;
}

static void look(const problem *p, double amount, place *at)
{
    const sw_flow *flow = p->flow;
    double away[6], back[6];
    at->phi = surface(flow->matter, at->s, at->n);
    at->most = 0;
    for (int i = 0; i < 6; i++) {
        away[i] = at->s[i] - flow->trial[i];
        at->left[i] = away[i] + amount * dot(flow->d[i], at->n);
        at->most = fmax(at->most, fabs(at->left[i]));
    }
    for (int i = 0; i < 6; i++)
        back[i] = dot(p->c[i], away);
    at->energy = 0.5 * dot(away, back) + amount * at->phi;
}

/* W = (1 + flow D H)^-1 D. */
static int differentiate(const problem *p, double amount, int roughly, place *at)
{
    const sw_flow *flow = p->flow;
    double h[6][6], m[6][6], d[6][6];
    curvature(flow->matter, at, roughly, h);
    memcpy(d, flow->d, sizeof d);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            m[i][j] = i == j;
            for (int k = 0; k < 6; k++)
                m[i][j] += amount * flow->d[i][k] * h[k][j];
        }
    if (!solve(m, d, at->w))
        return 0;
    for (int i = 0; i < 6; i++)
        at->wn[i] = dot(at->w[i], at->n);
    return 1;
}

enum { MOST_STEPS = 30, MOST_HALVINGS = 40, MOST_FLOWS = 300 };
static const double FALL = 0.7;

/* The least of the potential, from at->s on. 0: not found. */
static int descend(const problem *p, double amount, place *at)
{
    look(p, amount, at);
    for (int step = 0; step < MOST_STEPS; step++) {
        if (!(at->phi > 1e-9 * p->scale) || !differentiate(p, amount, 0, at))
            return 0;
        if (at->most <= 1e-13 * p->scale)
            return 1;
        double by[6], change[6], share = 1;
        for (int i = 0; i < 6; i++)
            by[i] = dot(p->c[i], at->left);
        for (int i = 0; i < 6; i++)
            change[i] = -dot(at->w[i], by);
        const double slope = dot(by, change);
        place next = *at;
        for (int k = 0; k < MOST_HALVINGS; k++, share /= 2) {
            for (int i = 0; i < 6; i++)
                next.s[i] = at->s[i] + share * change[i];
            look(p, amount, &next);
            if (next.phi < 0.1 * at->phi)
                continue;
            if (next.energy <= at->energy + 1e-4 * share * slope || (k == 0 && next.most < 0.5 * at->most))
                break;
        }
        if (!(next.most < at->most) && at->most <= 1e-11 * p->scale)
            return 1; /* rounding */
        *at = next;
    }
    return 0;
}

/* The flow at whose end the function is the size. `at` comes from the trial. From one flow to the next the function falls by
 * a part of itself, so that the stress stays away from none at all, where there is no direction; a step that does not arrive
 * is halved. */
static sw_status search(const problem *p, double *amount, place *at, sw_flow_place *end)
{
    const sw_flow *flow = p->flow;
    double below = 0, above = INFINITY, x = flow->first, from = 0;
    place good = *at;
    for (int step = 0; step < MOST_FLOWS; step++) {
        x = fmin(x, from + FALL * good.phi / dot(good.n, good.wn));
        *at = good;
        for (int i = 0; i < 6; i++)
            at->s[i] -= (x - from) * good.wn[i];
        if (!descend(p, x, at)) {
            x = 0.5 * (from + x);
            continue;
        }
        sw_flow_harden(flow, x, end);
        const double miss = at->phi - end->size.value, slope = -dot(at->n, at->wn) - end->size.slope;
        good = *at;
        from = x;
        if (fabs(miss) <= 1e-13 * p->scale || above - below <= 1e-15 * x) {
            *amount = x;
            return SW_OK;
        }
        if (miss > 0)
            below = x;
        else
            above = x;
        const double next = x - miss / slope;
        x = next > below && next < above ? next : isinf(above) ? 8 * x : 0.5 * (below + above);
    }
    return sw_error(SW_ERR_CONVERGENCE, "material %s: no plastic flow that is enough", flow->matter->name);
}

enum { MOST_LEAPS = 12 };

/* Stress and flow together by Newton's method, which from most trials ends in five steps. 0: it does not. */
static int leap(const problem *p, double *amount, place *at, sw_flow_place *end)
{
    const sw_flow *flow = p->flow;
    double x = 0, before = INFINITY;
    *at = (place){.phi = 0};
    memcpy(at->s, flow->trial, sizeof at->s);
    for (int step = 0; step < MOST_LEAPS; step++) {
        double by[6], way[6];
        look(p, x, at);
        if (!(at->phi > 0.1 * p->scale && at->phi < 10 * p->scale))
            return 0;
        sw_flow_harden(flow, x, end);
        const double miss = at->phi - end->size.value, left = fmax(fabs(miss), at->most) / p->scale;
        if (x > 0 && (left <= 1e-13 || (left <= 1e-11 && left >= 0.5 * before))) { /* or rounding */
            *amount = x;
            return differentiate(p, x, 0, at);
        }
        before = left;
        if (!differentiate(p, x, 1, at))
            return 0;
        for (int i = 0; i < 6; i++)
            by[i] = dot(p->c[i], at->left);
        for (int i = 0; i < 6; i++)
            way[i] = dot(at->w[i], by);
        const double more = (miss - dot(at->n, way)) / (dot(at->n, at->wn) + end->size.slope);
        if (!(x + more > 0 && isfinite(more)))
            return 0;
        for (int i = 0; i < 6; i++)
            at->s[i] -= way[i] + more * at->wn[i];
        x += more;
    }
    return 0;
}

static sw_status flow_on(sw_flow *flow, place *at, double *new_state, double stress[6], double tangent[6][6])
{
    problem p = {.flow = flow};
    double d[6][6], unit[6][6] = {{0}}, amount = 0;
    sw_flow_place end;
    for (int i = 0; i < 6; i++) {
        unit[i][i] = 1;
        p.scale = fmax(p.scale, fabs(flow->trial[i]));
    }
    memcpy(d, flow->d, sizeof d);
    if (!solve(d, unit, p.c) || !differentiate(&p, 0, 0, at))
        return sw_error(SW_ERR_CONVERGENCE, "material %s: no stress", flow->matter->name);
    sw_flow_harden(flow, 0, &end);
    flow->first = (at->phi - end.size.value) / dot(at->n, at->wn);
    const place trial = *at;
    if (!leap(&p, &amount, at, &end)) {
        *at = trial;
        SW_TRY(search(&p, &amount, at, &end));
    }
    const double over = 1 / (dot(at->n, at->wn) + end.size.slope);
    for (int i = 0; i < 6; i++) {
        stress[i] = at->s[i];
        new_state[1 + i] = flow->old[1 + i] + amount * at->n[i];
        for (int j = 0; j < 6; j++)
            tangent[i][j] = at->w[i][j] - at->wn[i] * over * at->wn[j];
    }
    new_state[0] = flow->old[0] + amount;
    return SW_OK;
}

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    sw_flow flow;
    sw_flow_place begin;
    place at;
    sw_flow_begin(&flow, matter, ask, old, new_state, stress, tangent);
    sw_flow_harden(&flow, 0, &begin);
    memcpy(at.s, flow.trial, sizeof at.s);
    at.phi = surface(matter, at.s, at.n);
    if (!sw_flow_yields(at.phi, begin.size.value))
        return SW_OK;
    return flow_on(&flow, &at, new_state, stress, tangent);
}

static int is_anisotropic(const sw_matter *matter) { return matter->yield.function != NULL; }

const sw_matter_law sw_matter_anisotropic = {.name = "anisotropic",
                                             .measure = SW_MATTER_TRUE,
                                             .symmetric = 1,
                                             .flows = 1,
                                             .is = is_anisotropic,
                                             .n_state = sw_flow_n_state,
                                             .respond = respond};
