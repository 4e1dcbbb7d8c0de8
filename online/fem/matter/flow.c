/* The return of what flows; flow.h. */
#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "flow.h"

/* ---- Deviators ---- */

static void deviator(const double s[6], double out[6])
{
    const double mean = (s[0] + s[1] + s[2]) / 3;
    for (int i = 0; i < 6; i++)
        out[i] = s[i] - (i < 3 ? mean : 0);
}

static double mises(const double s[6])
{
    double d[6], square = 0;
    deviator(s, d);
    for (int i = 0; i < 6; i++)
        square += (i < 3 ? 1.5 : 3) * d[i] * d[i];
    return sqrt(square);
}

/* 3/2 x' with engineering shears: times 1 / q it is N. */
static void direction(const double x[6], double out[6])
{
    deviator(x, out);
    for (int i = 0; i < 6; i++)
        out[i] *= i < 3 ? 1.5 : 3;
}

static double dot(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

static void times(const double m[6][6], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = dot(m[i], x);
}

/* ---- A place on the path ---- */

/* x of a place, with its slope; all of it given the place. */
typedef struct {
    double x[6], x1[6], n[6];        /* n: 3/2 x' with engineering shears */
    double inverse[6][6];            /* of M, of x: M x = trial - sum of backstress / fade */
    double drop[6];                  /* D n */
    double flow, flow1, back, back1; /* flow over size; sum of rise / fade, over size; slopes */
    double miss, miss1;              /* q of the right side times (1 - size / q of x), and its slope */
} found;

/* D times (3/2) P: what flows' stress, of a unit of flow over size. */
static void dropping(const sw_flow *flow, double m[6][6])
{
    for (int j = 0; j < 6; j++) {
        double unit[6] = {0}, n[6];
        unit[j] = 1;
        direction(unit, n);
        for (int i = 0; i < 6; i++)
            m[i][j] = dot(flow->d[i], n);
    }
}

/* Of c1 unit plus c2 deviator. */
static void invert_isotropic(double c, double inverse[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            inverse[i][j] = (i == j ? 1 / (1 + c) : 0) + (i < 3 && j < 3 ? (1 - 1 / (1 + c)) / 3 : 0);
}

static int invert(double m[6][6], double inverse[6][6])
{
    for (int k = 0; k < 6; k++) {
        double copy[36], unit[6] = {0};
        memcpy(copy, m, sizeof copy);
        unit[k] = 1;
        if (!sw_solve_by_elimination(6, 6, copy, unit, unit))
            return 0;
        for (int i = 0; i < 6; i++)
            inverse[i][k] = unit[i];
    }
    return 1;
}

/* M of flow over size and backstresses over size. */
static int invert_of(const sw_flow *flow, const found *at, double inverse[6][6])
{
    double m[6][6];
    if (flow->shear > 0) {
        invert_isotropic(3 * flow->shear * at->flow + at->back, inverse);
        return 1;
    }
    dropping(flow, m);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            m[i][j] = at->flow * m[i][j] + (i == j) * (1 + at->back) - (i < 3 && j < 3 ? at->back / 3 : 0);
    return invert(m, inverse);
}

static const double *back_of(const sw_flow *flow, int k) { return flow->old + SW_FLOW_BEFORE_BACKS + 6 * k; }

/* The right side and its slope; flow over size and backstresses over size, with theirs. */
static void set_out(const sw_flow *flow, const sw_flow_place *place, found *at, double right[6],
                    double right1[6])
{
    const double size = place->size.value, size1 = place->size.slope;
    double sum = 0, sum1 = 0;
    memcpy(right, flow->trial, 6 * sizeof(double));
    memset(right1, 0, 6 * sizeof(double));
    for (int k = 0; k < flow->n_backs; k++) {
        const double fade = place->fade[k].value, fade1 = place->fade[k].slope, rise = place->rise[k].value;
        sum += rise / fade;
        sum1 += (place->rise[k].slope - rise * fade1 / fade) / fade;
        for (int i = 0; i < 6; i++) {
            right[i] -= back_of(flow, k)[i] / fade;
            right1[i] += back_of(flow, k)[i] * fade1 / (fade * fade);
        }
    }
    at->flow = place->flow.value / size;
    at->flow1 = (place->flow.slope - at->flow * size1) / size;
    at->back = sum / size;
    at->back1 = (sum1 - at->back * size1) / size;
}

static int find(const sw_flow *flow, const sw_flow_place *place, found *at)
{
    double right[6], right1[6], change[6], deviating[6];
    set_out(flow, place, at, right, right1);
    if (!invert_of(flow, at, at->inverse))
        return 0;
    times(at->inverse, right, at->x);
    direction(at->x, at->n);
    deviator(at->x, deviating);
    times(flow->d, at->n, at->drop);
    for (int i = 0; i < 6; i++)
        change[i] = right1[i] - at->flow1 * at->drop[i] - at->back1 * deviating[i];
    times(at->inverse, change, at->x1);
    const double q = mises(at->x), q1 = dot(at->n, at->x1) / q, all = mises(right);
    const double size = place->size.value;
    double n[6];
    direction(right, n);
    at->miss = all * (1 - size / q);
    at->miss1 = dot(n, right1) / all * (1 - size / q) - all * (place->size.slope - size * q1 / q) / q;
    return isfinite(at->miss) && isfinite(at->miss1);
}

/* ---- The number ---- */

enum { MOST_STEPS = 300 };

/* Newton's steps between what is known to be on either side; `most` grows until it is beyond. */
static sw_status search(const sw_flow *flow, sw_flow_place *place, found *at)
{
    const double scale = sw_flow_trial(flow);
    double below = 0, above = flow->most, x = flow->first;
    int beyond = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
        flow->path(flow, x, place);
        if (!find(flow, place, at))
            return sw_error(SW_ERR_CONVERGENCE, "material %s: no stress", flow->matter->name);
        if (fabs(at->miss) <= 1e-13 * scale)
            return SW_OK;
        if (at->miss > 0)
            below = x;
        else
            above = x, beyond = 1;
        if (beyond && above - below <= 1e-15 * above)
            return SW_OK;
        const double next = x - at->miss / at->miss1;
        if (at->miss1 < 0 && next > below && next < above)
            x = next;
        else if (beyond)
            x = 0.5 * (below + above);
        else
            x = above, above *= 8;
    }
    return sw_error(SW_ERR_CONVERGENCE, "material %s: no plastic flow that is enough", flow->matter->name);
}

/* D' = D - flow D P W D - (flow D P x1 + flow' D P x) (x) dnumber / dstrain. */
static void consistent(const sw_flow *flow, const sw_flow_place *place, const found *at, double tangent[6][6])
{
    double wd[6][6], by[6], n1[6], move[6], nwd[6] = {0};
    const double slope = place->size.slope - dot(at->n, at->x1) / place->size.value;
    for (int j = 0; j < 6; j++) {
        double column[6], n[6];
        for (int i = 0; i < 6; i++)
            column[i] = flow->d[i][j];
        times(at->inverse, column, by);
        nwd[j] = dot(at->n, by) / place->size.value / slope;
        direction(by, n);
        for (int i = 0; i < 6; i++)
            wd[i][j] = dot(flow->d[i], n);
    }
    direction(at->x1, n1);
    times(flow->d, n1, move);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            tangent[i][j] =
                flow->d[i][j] - at->flow * wd[i][j] - (at->flow * move[i] + at->flow1 * at->drop[i]) * nwd[j];
}

sw_status sw_flow_return(sw_flow *flow, double *new_state, double stress[6], double tangent[6][6],
                         sw_flow_place *place)
{
    found at;
    double deviating[6];
    SW_TRY(search(flow, place, &at));
    deviator(at.x, deviating);
    for (int i = 0; i < 6; i++) {
        stress[i] = flow->trial[i] - at.flow * at.drop[i];
        new_state[1 + i] = flow->old[1 + i] + at.flow * at.n[i];
        for (int k = 0; k < flow->n_backs; k++)
            new_state[SW_FLOW_BEFORE_BACKS + 6 * k + i] =
                (back_of(flow, k)[i] + place->rise[k].value * deviating[i] / place->size.value) /
                place->fade[k].value;
    }
    consistent(flow, place, &at, tangent);
    new_state[0] = flow->old[0] + place->plastic;
    new_state[7] = flow->old[7] + place->creep;
    return SW_OK;
}

/* ---- Before it ---- */

int sw_flow_backs(const sw_matter *matter)
{
    if (matter->backstress.n_rows > 0)
        return matter->backstress.n_columns / 2;
    return matter->n_curves > 0 && matter->hardening != SW_MATTER_HARDENS_ISOTROPIC;
}

int sw_flow_n_state(const sw_matter *matter) { return SW_FLOW_BEFORE_BACKS + 6 * sw_flow_backs(matter); }

double sw_flow_trial(const sw_flow *flow)
{
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = flow->trial[i];
        for (int k = 0; k < flow->n_backs; k++)
            x[i] -= back_of(flow, k)[i];
    }
    return mises(x);
}

void sw_flow_begin(sw_flow *flow, const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                   double *new_state, double stress[6], double tangent[6][6])
{
    double strain[6];
    *flow = (sw_flow){.matter = matter, .ask = ask, .old = old, .n_backs = sw_flow_backs(matter)};
    sw_matter_stiffness(matter, ask->temperature, flow->d);
    flow->shear = matter->elasticity == SW_MATTER_ISOTROPIC ? flow->d[3][3] : 0;
    for (int i = 0; i < 6; i++)
        strain[i] = ask->strain[i] - old[1 + i];
    times(flow->d, strain, flow->trial);
    memcpy(stress, flow->trial, sizeof flow->trial);
    memcpy(tangent, flow->d, sizeof flow->d);
    memcpy(new_state, old, (size_t)sw_flow_n_state(matter) * sizeof(double));
}
