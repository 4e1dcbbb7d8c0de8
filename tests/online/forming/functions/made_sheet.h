/* Sheets that yield by a given function: what fits of it are to find again. */
#ifndef SW_TESTS_MADE_SHEET_H
#define SW_TESTS_MADE_SHEET_H

#include <math.h>
#include <string.h>

#include "online/forming/functions/sheet.h"
#include "common/yield/yield_function.h"
#include "random_stress.h"

enum { TENSIONS = 13, POINTS = 48 };

/* Tensions every 7.5 degrees, the biaxial point, points in the plane or anywhere. */
typedef struct {
    sw_sheet sheet;
    sw_sheet_tension tension[TENSIONS];
    sw_sheet_point point[POINTS];
} made_sheet;

static inline void make_point(const sw_yield *y, uint64_t k, int in_plane, sw_sheet_point *p)
{
    double s[6];
    random_stress(1000 + k, in_plane, s);
    const double phi = sw_yield_value(y, s, p->strain_rate);
    for (int i = 0; i < 6; i++)
        p->stress[i] = s[i] * y->reference / phi;
}

static inline void make_sheet(const sw_yield *y, int points, int in_plane, made_sheet *m)
{
    double q;
    memset(m, 0, sizeof *m);
    m->sheet =
        (sw_sheet){.n_tensions = TENSIONS, .n_points = points, .tension = m->tension, .point = m->point};
    for (int i = 0; i < TENSIONS; i++) {
        m->tension[i].angle = i * acos(-1) / 24;
        sw_yield_uniaxial(y, m->tension[i].angle, &m->tension[i].stress, &q);
        m->tension[i].r = sw_r_of_q(q);
    }
    sw_yield_biaxial(y, &m->sheet.biaxial_stress, &q);
    m->sheet.biaxial_r = sw_r_of_q(q);
    for (int k = 0; k < points; k++)
        make_point(y, (uint64_t)k, in_plane, &m->point[k]);
}

#endif
