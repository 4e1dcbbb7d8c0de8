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

/* s [6]: slopes of two nodes beside each other; a GPU takes them two numbers at a time. */
#ifdef __CUDA_ARCH__
#define SW_SLOPES_OF_TWO(slope, s)                                                            \
    const double2 s##_two[3] = {((const double2 *)(slope))[0], ((const double2 *)(slope))[1], \
                                ((const double2 *)(slope))[2]};                               \
    const double s[6] = {s##_two[0].x, s##_two[0].y, s##_two[1].x, s##_two[1].y, s##_two[2].x, s##_two[2].y}
#else
#define SW_SLOPES_OF_TWO(slope, s) const double *const s = (slope)
#endif

/* Rows of J and R: of a component of positions and displacements at the nodes. */
SW_HD static inline void sw_product_gather(int V, const sw_real *x, const sw_real *u, const double *slope,
                                           sw_real of_x[3], sw_real of_u[3])
{
    of_x[0] = of_x[1] = of_x[2] = of_u[0] = of_u[1] = of_u[2] = sw_broadcast(0.0);
    SW_UNROLL_NODES
    for (int a = 0; a < V; a += 2) {
        SW_SLOPES_OF_TWO(slope + 3 * a, s);
        SW_UNROLL
        for (int k = 0; k < 6; k++) {
            if (a + k / 3 < V) {
                of_x[k % 3] += x[a + k / 3] * s[k];
                of_u[k % 3] += u[a + k / 3] * s[k];
            }
        }
    }
}

/* force [V] of a component += its row of P along the slopes. */
SW_HD static inline void sw_product_scatter(int V, const sw_real row[3], const double *slope, sw_real *force)
{
    SW_UNROLL_NODES
    for (int a = 0; a < V; a += 2) {
        SW_SLOPES_OF_TWO(slope + 3 * a, s);
        force[a] += row[0] * s[0] + row[1] * s[1] + row[2] * s[2];
        if (a + 1 < V)
            force[a + 1] += row[0] * s[3] + row[1] * s[4] + row[2] * s[5];
    }
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

/* Of a flow's direction, whose numbers are m [5], what a row is in axes that begin with its own: i, i + 1, i + 2. */
SW_HD static inline void sw_product_flow(int i, const sw_real *m, int stride, sw_real row[3])
{
    const sw_real first = m[0], second = m[stride];
    row[0] = i == 0 ? first : i == 1 ? second : -first - second;
    row[1] = m[(2 + (i + 2) % 3) * stride];
    row[2] = m[(2 + (i + 1) % 3) * stride];
}

/* A row of the stress, in those axes: of a gradient's row h, the two below it in its own column, its trace, and the flow's
 * direction m along all of it. bulk, a: as of kinds. */
SW_HD static inline void sw_product_stress_row(int flowing, sw_real bulk, sw_real a, const sw_real m[3],
                                               const sw_real h[3], sw_real below, sw_real beyond,
                                               sw_real trace, sw_real along, sw_real s[3])
{
    s[0] = a * h[0] + (bulk - a * (1.0 / 3)) * trace;
    s[1] = 0.5 * a * (h[1] + below);
    s[2] = 0.5 * a * (h[2] + beyond);
    SW_UNROLL
    for (int k = 0; k < 3 && flowing; k++)
        s[k] -= along * m[k];
}

/* Stress 11 22 33 23 13 12 of a gradient by the upper triangle t, its numbers a stride apart. */
SW_HD static inline void sw_product_stress_general(const sw_real *t, int stride, const sw_real h[3][3],
                                                   sw_real stress[6])
{
    const sw_real e[6] = {h[0][0], h[1][1], h[2][2], h[1][2] + h[2][1], h[0][2] + h[2][0], h[0][1] + h[1][0]};
    SW_UNROLL
    for (int i = 0; i < 6; i++) {
        stress[i] = sw_broadcast(0.0);
        SW_UNROLL
        for (int j = 0; j < 6; j++)
            stress[i] += t[(i <= j ? sw_product_upper(i, j) : sw_product_upper(j, i)) * stride] * e[j];
    }
}

/* All of it, by the numbers t of a kind. */
SW_HD static inline void sw_product_stress(int kind, const sw_real *t, const sw_real h[3][3],
                                           sw_real full[3][3])
{
    const int flowing = kind == SW_PRODUCT_FLOWING;
    sw_real s[6], m[3][3], along = sw_broadcast(0.0);
    if (kind == SW_PRODUCT_GENERAL) {
        sw_product_stress_general(t, 1, h, s);
        const sw_real by_rows[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
        memcpy(full, by_rows, sizeof by_rows);
        return;
    }
    for (int i = 0; i < 3 && flowing; i++) {
        sw_product_flow(i, t + 2, 1, m[i]);
        for (int k = 0; k < 3; k++)
            along += m[i][k] * h[i][(i + k) % 3];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const sw_real row[3] = {h[i][i], h[i][j], h[i][k]};
        sw_real of[3];
        sw_product_stress_row(flowing, t[0], t[1], m[i], row, h[j][i], h[k][i], h[0][0] + h[1][1] + h[2][2],
                              along, of);
        full[i][i] = of[0];
        full[i][j] = of[1];
        full[i][k] = of[2];
    }
}

#endif
