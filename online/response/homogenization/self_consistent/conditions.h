/* What of a medium's stress and strain rate is given, and what follows of the rest by d = m s + d0. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_CONDITIONS_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_CONDITIONS_H

#include "algebra.h"
#include "medium.h"

/* sw_sc_meet of free directions, whose x [U] are found: unknown are s and x. */
SW_HD static inline int sw_sc_meet_along(const sw_sc_conditions *c, const double m[5][5], const double d0[5],
                                         double s[5], double x[SW_SC_FREE], double d[5])
{
    enum { MOST = 5 + SW_SC_FREE };
    const int n = 5 + c->free;
    double a[MOST * MOST], b[MOST], y[MOST], rate = 0, unit = 0;
    for (int i = 0; i < 5; i++) {
        rate += fabs(c->base[i]);
        unit += m[i][i] / 5;
    }
    for (int i = 0; i < 5; i++) { /* m s - sum x along = base - d0, x over `rate`, s by `unit` of it */
        b[i] = c->base[i] - d0[i];
        for (int j = 0; j < 5; j++)
            a[i * n + j] = m[i][j] / unit;
        for (int k = 0; k < c->free; k++)
            a[i * n + 5 + k] = -rate * c->along[k][i];
    }
    for (int k = 0; k < c->free; k++) {
        b[5 + k] = c->value[k] * unit;
        for (int j = 0; j < n; j++)
            a[(5 + k) * n + j] = j < 5 ? c->along[k][j] : 0;
    }
    if (!sw_solve_by_elimination(n, n, a, b, y))
        return 0;
    for (int i = 0; i < 5; i++) {
        s[i] = y[i] / unit;
        d[i] = c->base[i];
        for (int k = 0; k < c->free; k++)
            d[i] += rate * y[5 + k] * c->along[k][i];
    }
    for (int k = 0; k < c->free; k++)
        x[k] = rate * y[5 + k];
    return 1;
}

/* sw_sc_meet of a spring: (m + grown / spring) s = held / spring - d0. */
SW_HD static inline int sw_sc_meet_held(sw_sc_conditions *c, const double m[5][5], const double d0[5],
                                        double s[5], double d[5])
{
    double a[25], b[5];
    for (int i = 0; i < 5; i++) {
        b[i] = c->held[i] / c->spring - d0[i];
        for (int j = 0; j < 5; j++)
            a[5 * i + j] = m[i][j] + (i == j ? c->grown / c->spring : 0);
    }
    if (!sw_solve_by_elimination(5, 5, a, b, s))
        return 0;
    for (int k = 0; k < 6; k++)
        c->x[k] = 0;
    for (int i = 0; i < 5; i++) {
        d[i] = (c->held[i] - c->grown * s[i]) / c->spring;
        for (int k = 0; k < 6; k++)
            c->x[k] += d[i] * sw_deviator_basis(i, k);
    }
    return 1;
}

/* s [5], pressure and d [5] by what is given of them, with d = m s + d0. With three rates along the diagonal pressure says
 * nothing. 0: nothing holds it. */
SW_HD static inline int sw_sc_meet(sw_sc_conditions *c, const double m[5][5], const double d0[5], double s[5],
                                   double *pressure, double d[5])
{
    if (c->spring > 0)
        return sw_sc_meet_held(c, m, d0, s, d);
    if (c->free > 0)
        return sw_sc_meet_along(c, m, d0, s, c->x, d);
    const int closed = !c->stress_given[0] && !c->stress_given[1] && !c->stress_given[2];
    double a[36], b[6], x[6], unit = 0;
    for (int k = 0; k < 5; k++)
        unit += m[k][k] / 5; /* rates by stresses: both kinds of rows are of one size */
    for (int k = 0; k < 6; k++) {
        double *row = a + 6 * k;
        row[5] = c->stress_given[k] && k < 3 ? unit : 0;
        b[k] = c->stress_given[k] ? c->stress[k] * unit : c->rate[k];
        for (int j = 0; j < 5; j++) {
            row[j] = c->stress_given[k] ? sw_deviator_basis(j, k) * unit : 0;
            for (int i = 0; i < 5 && !c->stress_given[k]; i++)
                row[j] += sw_deviator_basis(i, k) * m[i][j];
            if (!c->stress_given[k])
                b[k] -= sw_deviator_basis(j, k) * d0[j];
        }
    }
    if (closed) { /* the third row says what the first two do */
        for (int j = 0; j < 5; j++)
            a[12 + j] = 0;
        a[17] = unit;
        b[2] = 0;
    }
    if (!sw_solve_by_elimination(6, 6, a, b, x))
        return 0;
    for (int i = 0; i < 5; i++)
        s[i] = x[i];
    *pressure = x[5];
    sw_sc_apply(m, s, d);
    for (int i = 0; i < 5; i++)
        d[i] += d0[i];
    return 1;
}

#endif
