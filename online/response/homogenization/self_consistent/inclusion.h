/* Eshelby's problem of an ellipsoid in an incompressible medium of stiffness L: Hill's tensor P, with d - D = -P : (stress
 * polarisation), and what turns with it, as means over directions. Mura 1987; Lebensohn, Turner, Signorelli, Canova and Tome
 * 1998. A force in direction alpha: N = (1/K) less its part along alpha, K_ik = L_ijkl alpha_j alpha_l; then
 * P = < sym(alpha N alpha) >, which in the basis of five is c N c', c_a = b_a alpha. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_INCLUSION_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_INCLUSION_H

#include "common/math/principal.h"
#include "scheme.h"

/* Directions on the half sphere and their shares, of sum 1: node [4][n]; n is a multiple of 8, what is filled up has no share. */
typedef struct {
    int n;
    const double *node;
} sw_sc_directions;

/* Of a shape: node [4] -> alpha [3], unit; returns its share. */
SW_HD static inline sw_real sw_sc_direction(const sw_sc_shape *shape, const sw_real node[4], sw_real alpha[3])
{
    const double *a = shape->axes;
    sw_real size = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        alpha[i] = shape->map[i][0] * node[0] + shape->map[i][1] * node[1] + shape->map[i][2] * node[2];
        size += alpha[i] * alpha[i];
    }
    size = 1.0 / sw_sqrt(size);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        alpha[i] *= size;
    const sw_real square =
        a[0] * a[0] * node[0] * node[0] + a[1] * a[1] * node[1] * node[1] + a[2] * a[2] * node[2] * node[2];
    return node[3] * (a[0] * a[1] * a[2]) / (square * sw_sqrt(square));
}

/* The ellipsoid that f [3][3] makes of a sphere. Directions are as dense as halfway between where the sphere's go (1/V) and
 * where they are, V^-1/2: there the mean wants fewest of them. Returns its aspect ratio. */
SW_HD static inline double sw_sc_shape_of(const double f[3][3], sw_sc_shape *shape)
{
    double square[3][3], value[3], axis[3][3], most = 0, least = INFINITY;
    for (int k = 0; k < 9; k++) {
        square[k / 3][k % 3] = 0;
        for (int j = 0; j < 3; j++)
            square[k / 3][k % 3] += f[k / 3][j] * f[k % 3][j];
    }
    sw_principal_axes(square, value, axis);
    for (int i = 0; i < 3; i++) {
        const double root = sqrt(sqrt(value[i]));
        shape->axes[i] = root;
        most = fmax(most, value[i]);
        least = fmin(least, value[i]);
        for (int j = 0; j < 3; j++)
            shape->map[j][i] = axis[i][j] / root;
    }
    return sqrt(most / least);
}

/* What direction alpha [3], unit, adds to P and the spin's [3][5]: sum [SW_SC_INCLUSION_SUMS]. */
SW_HD static inline void sw_sc_add_direction(const double l[5][5], const sw_real alpha[3], sw_real share,
                                             sw_real *sum)
{
    const double r2 = SW_ROOT_HALF, r6 = SW_ROOT_SIXTH;
    const sw_real x = alpha[0], y = alpha[1], z = alpha[2], o = sw_broadcast(0.0);
    const sw_real c[5][3] = {{r2 * x, -r2 * y, o},
                             {-r6 * x, -r6 * y, 2 * r6 * z},
                             {o, r2 * z, r2 * y},
                             {r2 * z, o, r2 * x},
                             {r2 * y, r2 * x, o}};
    sw_real k[6], n[6], na[3], g[5][3];
    SW_UNROLL
    for (int q = 0; q < 6; q++)
        k[q] = o;
    SW_UNROLL
    for (int a = 0; a < 5; a++) {
        sw_real lc[3];
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            lc[i] = l[a][0] * c[0][i] + l[a][1] * c[1][i] + l[a][2] * c[2][i] + l[a][3] * c[3][i] +
                    l[a][4] * c[4][i];
        SW_UNROLL
        for (int q = 0; q < 6; q++)
            k[q] += c[a][sw_six_row(q)] * lc[sw_six_column(q)];
    }
    n[0] = k[1] * k[2] - k[3] * k[3];
    n[1] = k[0] * k[2] - k[4] * k[4];
    n[2] = k[0] * k[1] - k[5] * k[5];
    n[3] = k[4] * k[5] - k[0] * k[3];
    n[4] = k[3] * k[5] - k[1] * k[4];
    n[5] = k[3] * k[4] - k[2] * k[5];
    const sw_real over = 1.0 / (k[0] * n[0] + k[5] * n[5] + k[4] * n[4]);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        na[i] = n[sw_six_of(i, 0)] * x + n[sw_six_of(i, 1)] * y + n[sw_six_of(i, 2)] * z;
    const sw_real along = 1.0 / (x * na[0] + y * na[1] + z * na[2]);
    SW_UNROLL
    for (int q = 0; q < 6; q++)
        n[q] = over * (n[q] - na[sw_six_row(q)] * na[sw_six_column(q)] * along);
    SW_UNROLL
    for (int a = 0; a < 5; a++) {
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            g[a][i] = share * (n[sw_six_of(i, 0)] * c[a][0] + n[sw_six_of(i, 1)] * c[a][1] +
                               n[sw_six_of(i, 2)] * c[a][2]);
    }
    SW_UNROLL
    for (int a = 0; a < 5; a++) {
        SW_UNROLL
        for (int b = 0; b <= a; b++)
            sum[sw_sc_place(a, b)] += c[a][0] * g[b][0] + c[a][1] * g[b][1] + c[a][2] * g[b][2];
    }
    sum[30] += share;
    SW_UNROLL
    for (int w = 0; w < 3; w++) { /* components 12 13 23 of the skew part */
        const int i = w == 2 ? 1 : 0, j = w == 0 ? 1 : 2;
        SW_UNROLL
        for (int a = 0; a < 5; a++)
            sum[15 + 5 * w + a] += 0.5 * (g[a][i] * alpha[j] - g[a][j] * alpha[i]);
    }
}

#endif
