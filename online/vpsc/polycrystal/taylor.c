/* Full constraints: the stress of a grain whose rate is the polycrystal's, by Newton's method as VPSC8 bounds it. */
#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "solve.h"

enum { STEPS = 1000 };

/* Of a grain: symmetric Schmid tensors in the sample's frame, basis of five. */
typedef struct {
    int systems;
    double m[SW_VPSC_SYSTEMS][5], crss[SW_VPSC_SYSTEMS];
    int one_way[SW_VPSC_SYSTEMS], exponent[SW_VPSC_SYSTEMS];
    double rate;
} slip;

static void set_up(const sw_vpsc_grains_of *p, int64_t g, double rate, slip *s)
{
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    s->systems = p->systems;
    s->rate = rate;
    for (int a = 0; a < p->systems; a++) {
        double t[6], v[6];
        sw_vpsc_schmid(p, g, a, t);
        sw_vpsc_to_basis(t, v);
        memcpy(s->m[a], v, sizeof s->m[a]);
        s->crss[a] = p->crss[g * p->systems + a];
        s->one_way[a] = crystal->mode[crystal->mode_of[a]].one_way;
        s->exponent[a] = crystal->mode[crystal->mode_of[a]].exponent;
    }
}

/* Shear stresses over resistances [S]; the largest size. */
static double ratios(const slip *s, const double x[5], double *ratio)
{
    double most = 0;
    for (int a = 0; a < s->systems; a++) {
        const double *m = s->m[a];
        ratio[a] = (m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3] * x[3] + m[4] * x[4]) / s->crss[a];
        if (s->one_way[a] && ratio[a] < 0)
            ratio[a] = 0;
        most = fmax(most, fabs(ratio[a]));
    }
    return most;
}

/* What Newton's method adds to a stress; 0: singular. */
static int newton_step(const slip *s, const double *ratio, const double d[5], double step[5])
{
    double a[25] = {0}, f[5];
    memcpy(f, d, sizeof f);
    for (int k = 0; k < s->systems; k++) {
        const double power = s->rate * pow(fabs(ratio[k]), s->exponent[k] - 1);
        for (int i = 0; i < 5; i++) {
            f[i] -= s->m[k][i] * ratio[k] * power;
            for (int j = 0; j < 5; j++)
                a[5 * i + j] += s->exponent[k] * power / s->crss[k] * s->m[k][i] * s->m[k][j];
        }
    }
    return sw_solve_by_elimination(5, 5, a, f, step);
}

static double mismatch(const double a[5], const double b[5])
{
    double off = 0, mean = 0;
    for (int i = 0; i < 5; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        mean += 0.25 * (a[i] + b[i]) * (a[i] + b[i]);
    }
    return sqrt(off / mean);
}

/* Bounded: a try at which a system is beyond `reach` goes back to a fifth of its way. */
static int solve(const slip *s, const double d[5], double reach, double x[5])
{
    double ratio[SW_VPSC_SYSTEMS], before[5], step[5];
    memcpy(before, x, sizeof before);
    for (int i = 0; i < STEPS; i++) {
        if (ratios(s, x, ratio) > reach) {
            for (int k = 0; k < 5; k++)
                x[k] = before[k] + 0.2 * (x[k] - before[k]);
            continue;
        }
        if (!newton_step(s, ratio, d, step))
            return 0;
        for (int k = 0; k < 5; k++) {
            before[k] = x[k];
            x[k] += step[k];
        }
        if (mismatch(x, before) < 5e-4)
            return 1;
    }
    return 0;
}

int sw_vpsc_solve_taylor(const sw_vpsc_grains_of *p, int64_t g, const double d[6], double rate)
{
    slip s;
    double rate_of[6], stress[6], six[6] = {0}, ratio[SW_VPSC_SYSTEMS], kept[5];
    set_up(p, g, rate, &s);
    sw_vpsc_to_basis(d, rate_of);
    sw_vpsc_to_basis(p->stress[g], stress);
    if (!(ratios(&s, stress, ratio) > 0))
        memcpy(stress, rate_of, sizeof stress);
    const double most = ratios(&s, stress, ratio), size = sw_vpsc_deviator_size(d);
    for (int k = 0; k < 5; k++)
        kept[k] = stress[k] /= most;
    const int good = solve(&s, rate_of, fmax(2, 2 * pow(size / rate, 0.05)), stress);
    if (!good)
        memcpy(stress, kept, sizeof kept);
    stress[5] = 0;
    ratios(&s, stress, ratio);
    for (int a = 0; a < s.systems; a++) {
        const double slip_rate = rate * pow(fabs(ratio[a]), s.exponent[a]) * (ratio[a] < 0 ? -1 : 1);
        p->slip_rate[g * p->systems + a] = slip_rate;
        for (int k = 0; k < 5; k++)
            six[k] += s.m[a][k] * slip_rate;
    }
    sw_vpsc_from_basis(stress, p->stress[g]);
    sw_vpsc_from_basis(six, p->rate[g]);
    return good;
}

double sw_vpsc_compliance_along(const sw_vpsc_grains_of *p, int64_t g, const double d[6])
{
    double sum[6] = {0}, m[6];
    for (int a = 0; a < p->systems; a++) {
        sw_vpsc_schmid(p, g, a, m);
        const double shear = sw_vpsc_contract(m, p->stress[g]), rate = p->slip_rate[g * p->systems + a];
        for (int k = 0; k < 6 && rate != 0; k++)
            sum[k] += m[k] * sw_vpsc_contract(m, d) * rate / shear;
    }
    return sqrt(sw_vpsc_contract(sum, sum));
}
