/* A point's share of the tangent times a vector: what both devices compute, a number or a lane of numbers (sw_real) at a
 * time.
 *
 * With reference gradients R[i][k] = sum over nodes of u[a][i] dN_a/dxi_k and J[i][k] the same of positions,
 *
 *     h = R J^-1,   s = C (sym h),   f[a][i] += sum over k of P[i][k] dN_a/dxi_k,   P[i][k] = w det J  s[i] . J^-1[k]
 *
 * so that gradients in space are made of no node. Row i of R, J, h and P is that of component i: the GPU has a thread for
 * each. V nodes; slope [V][3] is dN/dxi at the point. */
#ifndef SW_ONLINE_FEM_PRODUCTS_POINT_H
#define SW_ONLINE_FEM_PRODUCTS_POINT_H

#include "common/math/lanes.h"

/* A loop over nodes: on a GPU all of it, so that a component's numbers are registers. */
#ifdef __CUDACC__
#define SW_UNROLL_NODES _Pragma("unroll")
#else
#define SW_UNROLL_NODES
#endif

/* How a tangent is kept (compact.c). Symmetric tensors 11 22 33 23 13 12, engineering shears.
 *
 *     uniform   bulk and twice the shear modulus of an element, all of whose points are alike      2 numbers an element
 *     flowing   bulk modulus, a, m [5]: K 1 (x) 1 + a (I - 1 (x) 1 / 3) - m (x) m, m 11 22 23 13 12, its trace 0:
 *               von Mises' consistent tangents of isotropic elasticity                               7 numbers a point
 *     general   the upper triangle by rows                                                          21 numbers a point */
typedef enum {
    SW_PRODUCT_UNIFORM,
    SW_PRODUCT_FLOWING,
    SW_PRODUCT_GENERAL,
    SW_PRODUCT_KINDS /* there is none: the element is not there */
} sw_product_kind;

enum { SW_PRODUCT_UNIFORM_SIZE = 2, SW_PRODUCT_FLOWING_SIZE = 7, SW_PRODUCT_GENERAL_SIZE = 21 };

SW_HD static inline SW_CONSTEXPR int sw_product_size(int kind)
{
    return kind == SW_PRODUCT_UNIFORM   ? SW_PRODUCT_UNIFORM_SIZE
           : kind == SW_PRODUCT_FLOWING ? SW_PRODUCT_FLOWING_SIZE
                                        : SW_PRODUCT_GENERAL_SIZE;
}

/* A row of R or J of a component's values at the nodes. */
SW_HD static inline void sw_product_gather(int V, const sw_real *value, const double *slope, sw_real row[3])
{
    row[0] = row[1] = row[2] = sw_broadcast(0.0);
    SW_UNROLL_NODES
    for (int a = 0; a < V; a++) {
        row[0] += value[a] * slope[3 * a];
        row[1] += value[a] * slope[3 * a + 1];
        row[2] += value[a] * slope[3 * a + 2];
    }
}

/* Rows of both, with each slope read once. */
SW_HD static inline void sw_product_gather_both(int V, const sw_real *x, const sw_real *u,
                                                const double *slope, sw_real of_x[3], sw_real of_u[3])
{
    of_x[0] = of_x[1] = of_x[2] = of_u[0] = of_u[1] = of_u[2] = sw_broadcast(0.0);
    SW_UNROLL_NODES
    for (int a = 0; a < V; a++) {
        SW_UNROLL
        for (int k = 0; k < 3; k++) {
            const double s = slope[3 * a + k];
            of_x[k] += x[a] * s;
            of_u[k] += u[a] * s;
        }
    }
}

/* force [V] of a component += its row of P along the slopes. */
SW_HD static inline void sw_product_scatter(int V, const sw_real row[3], const double *slope, sw_real *force)
{
    SW_UNROLL_NODES
    for (int a = 0; a < V; a++)
        force[a] += row[0] * slope[3 * a] + row[1] * slope[3 * a + 1] + row[2] * slope[3 * a + 2];
}

/* The determinant. */
SW_HD static inline sw_real sw_product_invert(const sw_real j[3][3], sw_real inverse[3][3])
{
    sw_real c[3][3];
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        SW_UNROLL
        for (int k = 0; k < 3; k++) {
            const int l = (i + 1) % 3, m = (i + 2) % 3, n = (k + 1) % 3, o = (k + 2) % 3;
            c[k][i] = j[l][n] * j[m][o] - j[l][o] * j[m][n];
        }
    }
    const sw_real determinant = j[0][0] * c[0][0] + j[0][1] * c[1][0] + j[0][2] * c[2][0];
    const sw_real over = sw_divide(sw_broadcast(1.0), determinant);
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            inverse[k][i] = c[k][i] * over;
    }
    return determinant;
}

/* out = row times m. */
SW_HD static inline void sw_product_turn(const sw_real row[3], const sw_real m[3][3], sw_real out[3])
{
    SW_UNROLL
    for (int j = 0; j < 3; j++)
        out[j] = row[0] * m[0][j] + row[1] * m[1][j] + row[2] * m[2][j];
}

/* A row of P from that of the stress. */
SW_HD static inline void sw_product_pull(const sw_real s[3], const sw_real inverse[3][3], sw_real weight,
                                         sw_real out[3])
{
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        out[k] = weight * (s[0] * inverse[k][0] + s[1] * inverse[k][1] + s[2] * inverse[k][2]);
}

/* Place of (i, j), i <= j, in the upper triangle. */
SW_HD static inline SW_CONSTEXPR int sw_product_upper(int i, int j)
{
    return i * 6 - i * (i - 1) / 2 + j - i;
}

/* Stress of a gradient, by the numbers t of a kind. */
SW_HD static inline void sw_product_stress(int kind, const sw_real *t, const sw_real h[3][3],
                                           sw_real stress[6])
{
    sw_real e[6] = {h[0][0], h[1][1], h[2][2], h[1][2] + h[2][1], h[0][2] + h[2][0], h[0][1] + h[1][0]};
    if (kind == SW_PRODUCT_GENERAL) {
        SW_UNROLL
        for (int i = 0; i < 6; i++) {
            stress[i] = sw_broadcast(0.0);
            SW_UNROLL
            for (int j = 0; j < 6; j++)
                stress[i] += t[i <= j ? sw_product_upper(i, j) : sw_product_upper(j, i)] * e[j];
        }
        return;
    }
    const sw_real trace = e[0] + e[1] + e[2], mean = (t[0] - t[1] * (1.0 / 3)) * trace;
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        stress[i] = i < 3 ? t[1] * e[i] + mean : 0.5 * t[1] * e[i];
    if (kind != SW_PRODUCT_FLOWING)
        return;
    const sw_real *m = t + 2, last = -m[0] - m[1];
    const sw_real along = m[0] * e[0] + m[1] * e[1] + last * e[2] + m[2] * e[3] + m[3] * e[4] + m[4] * e[5];
    stress[0] -= along * m[0];
    stress[1] -= along * m[1];
    stress[2] -= along * last;
    SW_UNROLL
    for (int i = 3; i < 6; i++)
        stress[i] -= along * m[i - 1];
}

#endif
