/* The product of one element's tangent at finite strains when a stress follows the whole velocity gradient, spin
 * included, in any way: of polycrystals. On the trial geometry, whose coordinates x are.
 *
 *     P = C l + k m I + s tr l - s l'        l a displacement's gradient in space, s the Cauchy stress
 *     f = sum over the points of P grad N, times the volume that they stand for now
 *
 * C l is the change of the stress's deviator, k m that of its pressure: m = tr l, or with mean dilatation the mean of
 * tr l over the present volume. Not symmetric. Where volume makes deviators, and these pressure, C takes l with the trace m, and
 * has a row more, of the mean stress.
 *
 * In sw_real of common/math/lanes.h. */
#ifndef SW_ONLINE_FEM_ELEMENT_GENERAL_H
#define SW_ONLINE_FEM_ELEMENT_GENERAL_H

#include "finite.h"

/* A point's tangent: C, rows 11 22 23 13 12 (33 is minus the sum of the first two), columns l11 l12 l13 l21 ...; the
 * Cauchy stress 11 22 33 23 13 12; k; the row of the mean stress, where it is coupled. */
enum {
    SW_FEM_GENERAL_STRESS = 45,
    SW_FEM_GENERAL_PRESSURE = SW_FEM_GENERAL_STRESS + 6,
    SW_FEM_GENERAL_MEAN,
    SW_FEM_GENERAL_SIZE = SW_FEM_GENERAL_MEAN + 9
};

/* A row of C, of which number 0 is row[0], times l. */
SW_FEM_INLINE sw_real sw_fem_general_change(const sw_real *row, int64_t step, const sw_real l[3][3])
{
    sw_real sum = sw_broadcast(0.0);
    SW_UNROLL
    for (int j = 0; j < 9; j++)
        sum += row[j * step] * l[j / 3][j % 3];
    return sum;
}

/* C l of deviators into p, and of the mean stress, where volume is coupled: l with a trace of m. */
SW_FEM_INLINE sw_real sw_fem_coupled_change(const sw_real *tangent, int64_t step, sw_real mean,
                                            const sw_real l[3][3], sw_real change[5])
{
    const sw_real more = (mean - l[0][0] - l[1][1] - l[2][2]) * (1.0 / 3);
    sw_real whole[3][3];
    SW_UNROLL
    for (int i = 0; i < 9; i++)
        whole[i / 3][i % 3] = i % 4 == 0 ? l[i / 3][i % 3] + more : l[i / 3][i % 3];
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        change[i] = sw_fem_general_change(tangent + 9 * i * step, step, (const sw_real(*)[3])whole);
    return sw_fem_general_change(tangent + SW_FEM_GENERAL_MEAN * step, step, (const sw_real(*)[3])whole);
}

/* P of a point; number i of its tangent is at i x step. */
SW_FEM_INLINE void sw_fem_general_response(const sw_real *tangent, int64_t step, int couples, sw_real mean,
                                           const sw_real l[3][3], sw_real p[3][3])
{
    const int place[5][2] = {{0, 0}, {1, 1}, {1, 2}, {0, 2}, {0, 1}};
    const sw_real trace = l[0][0] + l[1][1] + l[2][2];
    sw_real s[6], change[5], pressure = tangent[SW_FEM_GENERAL_PRESSURE * step] * mean;
    if (couples)
        pressure += sw_fem_coupled_change(tangent, step, mean, l, change);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        if (!couples)
            change[i] = sw_fem_general_change(tangent + 9 * i * step, step, l);
        p[place[i][0]][place[i][1]] = p[place[i][1]][place[i][0]] = change[i];
    }
    p[2][2] = -p[0][0] - p[1][1];
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        s[i] = tangent[(SW_FEM_GENERAL_STRESS + i) * step];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int j = 0; j < 3; j++) {
        if (i == j)
            p[i][i] += pressure;
        p[i][j] += s[sw_six_of(i, j)] * trace;
        SW_UNROLL
        for (int k = 0; k < 3; k++)
            p[i][j] -= s[sw_six_of(i, k)] * l[j][k];
    }
}

/* As sw_fem_finite_product. */
SW_FEM_INLINE void sw_fem_general_product(sw_fem_kinematics k, int b_bar, double thickness,
                                          const sw_real (*x)[8], const sw_real (*u)[8],
                                          const sw_fem_finite_tangents *tangents, sw_real (*f)[8])
{
    sw_real volume, mean = sw_fem_begin_product(k, b_bar, thickness, x, u, f, &volume);
    for (int q = 0; q < sw_fem_corners(k); q++) {
        sw_fem_place place;
        sw_real l[3][3], p[3][3];
        sw_fem_locate(k, q, x, thickness, &place);
        sw_fem_space_gradient(k, q, &place, u, l);
        if (!b_bar)
            mean = l[0][0] + l[1][1] + l[2][2];
        sw_fem_general_response(tangents->tangent + q * tangents->point, tangents->number, tangents->couples,
                                mean, (const sw_real(*)[3])l, p);
        sw_fem_spread_tensor(k, q, &place, (const sw_real(*)[3])p, f);
    }
}

#endif
