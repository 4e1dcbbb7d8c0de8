/* Isotropic hardening laws: the yield stress kappa (Pa) after equivalent plastic strain p. Kiran 2023,
 * section 2.2.
 *
 * To add one: its number and its form here, its keys and what may be wrong with them in hardening_keys.c,
 * its test in tests/online/fem/law/test_law.c. Then nothing compiles until every switch has it. */
#ifndef SW_ONLINE_FEM_LAW_HARDENING_H
#define SW_ONLINE_FEM_LAW_HARDENING_H

#include <math.h>

#include "common/system/device.h"
#include "slipwave/fem.h"

/* Numbers of sw_fem_material.hardening. */
typedef enum { SW_FEM_PERFECT, SW_FEM_LINEAR, SW_FEM_VOCE, SW_FEM_TABLE } sw_fem_hardening;

/* Places in sw_fem_material.parameter. */
enum { SW_FEM_MODULUS, SW_FEM_SATURATION, SW_FEM_RATE };

/* ---- Forms: kappa (Pa), and its slope (Pa) ---- */

/* Eq. 2.9. */
SW_HD static inline double sw_fem_linear_hardening(const sw_fem_material *m, double p, double *slope)
{
    *slope = m->parameter[SW_FEM_MODULUS];
    return m->yield_stress + m->parameter[SW_FEM_MODULUS] * p;
}

/* Modulus: the slope that stays when the rest has saturated. */
SW_HD static inline double sw_fem_voce_hardening(const sw_fem_material *m, double p, double *slope)
{
    const double modulus = m->parameter[SW_FEM_MODULUS], rate = m->parameter[SW_FEM_RATE];
    const double gap = m->parameter[SW_FEM_SATURATION] - m->yield_stress, left = gap * exp(-rate * p);
    *slope = modulus + rate * left;
    return m->yield_stress + modulus * p + gap - left;
}

/* Straight between rows, constant after the last. */
SW_HD static inline double sw_fem_table_hardening(const sw_fem_material *m, double p, double *slope)
{
    int i = 1;
    while (i < m->n_rows && p >= m->row[i][0])
        i++;
    if (i >= m->n_rows) {
        *slope = 0;
        return m->row[m->n_rows - 1][1];
    }
    *slope = (m->row[i][1] - m->row[i - 1][1]) / (m->row[i][0] - m->row[i - 1][0]);
    return m->row[i - 1][1] + *slope * (p - m->row[i - 1][0]);
}

SW_HD static inline double sw_fem_yield_stress(const sw_fem_material *m, double p, double *slope)
{
    switch ((sw_fem_hardening)m->hardening) {
    case SW_FEM_PERFECT:
        break;
    case SW_FEM_LINEAR:
        return sw_fem_linear_hardening(m, p, slope);
    case SW_FEM_VOCE:
        return sw_fem_voce_hardening(m, p, slope);
    case SW_FEM_TABLE:
        return sw_fem_table_hardening(m, p, slope);
    }
    *slope = 0;
    return m->yield_stress;
}

#endif
