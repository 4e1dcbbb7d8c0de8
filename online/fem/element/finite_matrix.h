/* Element matrices at finite strains. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_FINITE_MATRIX_H
#define SW_ONLINE_FEM_ELEMENT_FINITE_MATRIX_H

#include "finite.h"
#include "gather.h"
#include "online/fem/backend/backend.h"

/* Coefficients x [d][V] of an element's coordinates under the view's tangent. */
SW_FEM_INLINE void sw_fem_deformed_shape(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         double (*x)[8])
{
    const int d = sw_fem_dimension(k);
    sw_fem_gather(d, view->node + e * sw_fem_corners(k), view->at, d, x);
}

/* The view's tangents of element e. */
SW_FEM_INLINE sw_fem_finite_tangents sw_fem_tangents_of(sw_fem_kinematics k, const sw_fem_view *view,
                                                        int64_t e)
{
    const sw_fem_finite_tangents tangents = {view->tangent + view->slot[e], view->n_plastic,
                                             sw_fem_corners(k) * view->n_plastic, view->crystals.couples};
    return tangents;
}

/* Column j of the matrix of element e with shape x: column [V c]. */
SW_FEM_INLINE void sw_fem_finite_column(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                        const double (*x)[8], int j, double *column)
{
    const sw_fem_finite_tangents tangents = sw_fem_tangents_of(k, view, e);
    double u[3][8] = {{0}}, f[3][8];
    sw_fem_unit(k, j, u);
    sw_fem_finite_product(k, view->b_bar, view->thickness, x, (const sw_real(*)[8])u, &tangents, f);
    sw_fem_column_of(k, f, column);
}

/* ---- The matrix of a hexahedron, point by point ---- */

/* Derivatives of the shape functions [3][8 nodes] in reference coordinates at point q. */
SW_FEM_INLINE void sw_fem_shape_derivatives(int q, double derivative[3][8])
{
    for (int j = 0; j < 3; j++)
        for (int a = 0; a < 8; a++) {
            const int same = ~(sw_fem_corner(a) ^ q);
            double value = (sw_fem_corner(a) >> j & 1) ? 0.125 : -0.125;
            for (int i = 0; i < 3; i++)
                if (i != j)
                    value *= (same >> i & 1) ? 1 + SW_FEM_GAUSS : 1 - SW_FEM_GAUSS;
            derivative[j][a] = value;
        }
}

/* Gradients in space [8 points][3][8 nodes], volumes of the points [8], mean gradients [3][8]. */
SW_FEM_INLINE void sw_fem_solid_gradients(const sw_fem_view *view, int64_t e, double (*gradient)[3][8],
                                          double volume[8], double mean[3][8])
{
    double x[3][8] = {{0}}, whole = 0;
    sw_fem_deformed_shape(SW_FEM_SOLID, view, e, x);
    for (int i = 0; i < 24; i++)
        mean[i / 8][i % 8] = 0;
    for (int q = 0; q < 8; q++) {
        double derivative[3][8];
        sw_fem_place place;
        sw_fem_locate(SW_FEM_SOLID, q, (const double(*)[8])x, 1, &place);
        sw_fem_shape_derivatives(q, derivative);
        volume[q] = place.volume;
        whole += place.volume;
        for (int j = 0; j < 3; j++)
            for (int a = 0; a < 8; a++) {
                gradient[q][j][a] = place.inverse[0][j] * derivative[0][a] +
                                    place.inverse[1][j] * derivative[1][a] +
                                    place.inverse[2][j] * derivative[2][a];
                mean[j][a] += place.volume * gradient[q][j][a];
            }
    }
    for (int i = 0; i < 24; i++)
        mean[i / 8][i % 8] /= whole;
}

/* Of point q alone, of an element with shape x: gradient [3][8]; returns the point's volume. */
SW_FEM_INLINE double sw_fem_solid_gradient(int q, const double (*x)[8], double gradient[3][8])
{
    double derivative[3][8];
    sw_fem_place place;
    sw_fem_locate(SW_FEM_SOLID, q, x, 1, &place);
    sw_fem_shape_derivatives(q, derivative);
    for (int j = 0; j < 3; j++)
        for (int a = 0; a < 8; a++)
            gradient[j][a] = place.inverse[0][j] * derivative[0][a] + place.inverse[1][j] * derivative[1][a] +
                             place.inverse[2][j] * derivative[2][a];
    return place.volume;
}

/* A [i][j][3 k + l] of P_ij = A l_kl, the stress's part included, times the volume. */
SW_FEM_INLINE void sw_fem_solid_response(const double tangent[SW_FEM_FINITE_SIZE], double volume,
                                         double response[3][3][9])
{
    const double *s = tangent + SW_FEM_FINITE_MODULI;
    double c[6][6];
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++, at++)
            c[i][j] = c[j][i] = volume * tangent[at];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double *to = response[i][j];
            for (int k = 0; k < 9; k++)
                to[k] = c[sw_six_of(i, j)][sw_six_of(k / 3, k % 3)];
            for (int k = 0; k < 3; k++) {
                const double half = 0.5 * volume;
                to[3 * i + k] += half * s[sw_six_of(k, j)];
                to[3 * k + i] -= half * s[sw_six_of(k, j)];
                to[3 * k + j] -= half * s[sw_six_of(i, k)];
                to[3 * j + k] -= half * s[sw_six_of(i, k)];
            }
        }
}

/* What mean dilatation adds at a point: t = c I and p times the volume, I t I. */
typedef struct {
    double t[3][3], pressure, bulk;
} sw_fem_solid_dilation;

SW_FEM_INLINE sw_fem_solid_dilation sw_fem_solid_dilates(const double tangent[SW_FEM_FINITE_SIZE],
                                                         double volume)
{
    const double *s = tangent + SW_FEM_FINITE_MODULI, one[6] = {volume, volume, volume};
    double t[6];
    sw_fem_solid_dilation to = {.pressure = volume * (s[0] + s[1] + s[2]) / 3};
    sw_fem_moduli_apply(tangent, one, t);
    to.bulk = t[0] + t[1] + t[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to.t[i][j] = t[sw_six_of(i, j)];
    return to;
}

/* Row (a, i) of a point's share, added to row [3][8]: by component, then node. h: mean less own gradients; NULL: no mean
 * dilatation. */
SW_FEM_INLINE void sw_fem_solid_row(int a, int i, const double g[3][8], const double (*h)[8],
                                    const double response[3][9], const sw_fem_solid_dilation *dilation,
                                    double row[3][8])
{
    double from[9], along = 0;
    for (int k = 0; k < 9; k++)
        from[k] = g[0][a] * response[0][k] + g[1][a] * response[1][k] + g[2][a] * response[2][k];
    if (h) {
        for (int k = 0; k < 9; k++)
            from[k] += h[i][a] / 3 * dilation->t[k / 3][k % 3];
        for (int k = 0; k < 3; k++) {
            from[4 * k] += dilation->pressure * g[i][a];
            along += g[k][a] * dilation->t[i][k] / 3;
        }
        along += h[i][a] * dilation->bulk / 9;
    }
    for (int k = 0; k < 3; k++)
#pragma omp simd
        for (int b = 0; b < 8; b++) {
            const double all = from[3 * k] * g[0][b] + from[3 * k + 1] * g[1][b] + from[3 * k + 2] * g[2][b];
            row[k][b] += h ? all + along * h[k][b] : all;
        }
}

/* [24][24]: products would take each point 24 times. With d the symmetric gradient, m the mean
 * dilatation,
 *     K = sum v (d : c : d' + stress's part),       mean dilatation, with e = d + (m - tr d) I / 3,
 *     K = sum v (e : c : e' + p (tr d tr d' - m m') + stress's part) */
SW_FEM_INLINE void sw_fem_solid_matrix(const sw_fem_view *view, int64_t e, double *matrix)
{
    const sw_fem_finite_tangents from = sw_fem_tangents_of(SW_FEM_SOLID, view, e);
    double g[8][3][8], volume[8], mean[3][8], row[24][3][8] = {{{0}}}, pressure = 0;
    sw_fem_solid_gradients(view, e, g, volume, mean);
    for (int q = 0; q < 8; q++) {
        double tangent[SW_FEM_FINITE_SIZE], response[3][3][9], h[3][8];
        for (int i = 0; i < SW_FEM_FINITE_SIZE; i++)
            tangent[i] = from.tangent[i * from.number + q * from.point];
        const sw_fem_solid_dilation dilation = sw_fem_solid_dilates(tangent, volume[q]);
        sw_fem_solid_response(tangent, volume[q], response);
        for (int i = 0; i < 24; i++)
            h[i / 8][i % 8] = mean[i / 8][i % 8] - g[q][i / 8][i % 8];
        pressure += dilation.pressure;
        for (int i = 0; i < 24; i++)
            if (view->b_bar)
                sw_fem_solid_row(i / 3, i % 3, (const double(*)[8])g[q], (const double(*)[8])h,
                                 (const double(*)[9])response[i % 3], &dilation, row[i]);
            else
                sw_fem_solid_row(i / 3, i % 3, (const double(*)[8])g[q], NULL,
                                 (const double(*)[9])response[i % 3], &dilation, row[i]);
    }
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) {
            const double both = 0.5 * (row[i][j % 3][j / 3] + row[j][i % 3][i / 3]);
            matrix[24 * i + j] =
                both - (view->b_bar ? pressure * (mean[i % 3][i / 3] * mean[j % 3][j / 3]) : 0);
        }
}

/* The matrix of element e under the view's tangent: [V c][V c], symmetric. */
SW_FEM_INLINE void sw_fem_finite_matrix(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                        double *matrix)
{
    const int width = sw_fem_corners(k) * sw_fem_dimension(k);
    double x[3][8] = {{0}};
    if (k == SW_FEM_SOLID) {
        sw_fem_solid_matrix(view, e, matrix);
        return;
    }
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < width; j++)
        sw_fem_finite_column(k, view, e, (const double(*)[8])x, j, matrix + j * width);
}

#endif
