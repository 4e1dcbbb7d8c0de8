/* P = < alpha (1/K) alpha >, K_ik = C_ijkl alpha_j alpha_l, as a mean over directions alpha: a few at a time, in SIMD lanes. */
#include "common/math/lanes_doubles.h"

#include "hill.h"

#include <string.h>

#include "common/math/six.h"
#include "online/response/homogenization/self_consistent/self_consistent.h"

enum { SYMMETRIC = 21 }; /* numbers of a lower triangle of six */

/* c [6][3] of alpha: the basis' tensors times it. */
static void contract_basis(const sw_real alpha[3], sw_real c[6][3])
{
    const double r2 = SW_ROOT_HALF, r6 = SW_ROOT_SIXTH, r3 = 1 / sqrt(3.0);
    const sw_real x = alpha[0], y = alpha[1], z = alpha[2], o = sw_broadcast(0.0);
    const sw_real rows[6][3] = {{-r2 * x, r2 * y, o}, {-r6 * x, -r6 * y, 2 * r6 * z},
                                {o, r2 * z, r2 * y},  {r2 * z, o, r2 * x},
                                {r2 * y, r2 * x, o},  {r3 * x, r3 * y, r3 * z}};
    memcpy(c, rows, sizeof rows);
}

/* The inverse of K, both of six numbers. */
static void invert_three(const sw_real k[6], sw_real n[6])
{
    n[0] = k[1] * k[2] - k[3] * k[3];
    n[1] = k[0] * k[2] - k[4] * k[4];
    n[2] = k[0] * k[1] - k[5] * k[5];
    n[3] = k[4] * k[5] - k[0] * k[3];
    n[4] = k[3] * k[5] - k[1] * k[4];
    n[5] = k[3] * k[4] - k[2] * k[5];
    const sw_real over = 1.0 / (k[0] * n[0] + k[5] * n[5] + k[4] * n[4]);
    for (int q = 0; q < 6; q++)
        n[q] *= over;
}

/* What directions alpha add to sum [SYMMETRIC]. */
static void add_directions(const double stiffness[6][6], const sw_real alpha[3], sw_real share, sw_real *sum)
{
    sw_real c[6][3], k[6], n[6];
    contract_basis(alpha, c);
    for (int q = 0; q < 6; q++)
        k[q] = sw_broadcast(0.0);
    for (int a = 0; a < 6; a++) {
        sw_real stress[3];
        for (int i = 0; i < 3; i++) {
            stress[i] = stiffness[a][0] * c[0][i];
            for (int b = 1; b < 6; b++)
                stress[i] += stiffness[a][b] * c[b][i];
        }
        for (int q = 0; q < 6; q++)
            k[q] += c[a][sw_six_row(q)] * stress[sw_six_column(q)];
    }
    invert_three(k, n);
    for (int a = 0; a < 6; a++) {
        sw_real moved[3];
        for (int i = 0; i < 3; i++)
            moved[i] = share * (n[sw_six_of(i, 0)] * c[a][0] + n[sw_six_of(i, 1)] * c[a][1] +
                                n[sw_six_of(i, 2)] * c[a][2]);
        for (int b = 0; b <= a; b++)
            sum[a * (a + 1) / 2 + b] += c[b][0] * moved[0] + c[b][1] * moved[1] + c[b][2] * moved[2];
    }
}

/* Directions of an ellipsoid from there on, and their shares. */
static sw_real load_directions(const sw_sc_directions *directions, int first, const double axes[3],
                               const double along[3][3], sw_real alpha[3])
{
    sw_real node[4], square = sw_broadcast(0.0);
    for (int k = 0; k < 4; k++)
        memcpy(&node[k], directions->node + (size_t)k * (size_t)directions->n + first, sizeof node[k]);
    for (int k = 0; k < 3; k++) {
        square += (axes[k] * axes[k]) * node[k] * node[k];
        alpha[k] = along[k][0] * node[0] + along[k][1] * node[1] + along[k][2] * node[2];
    }
    return node[3] * (axes[0] * axes[1] * axes[2]) / (square * sw_sqrt(square));
}

void sw_vpsc_hill(const double stiffness[6][6], const double axes[3], const double along[3][3],
                  double p[6][6])
{
    const sw_sc_directions directions = sw_sc_directions_of_vpsc(axes);
    sw_real sum[SYMMETRIC];
    for (int k = 0; k < SYMMETRIC; k++)
        sum[k] = sw_broadcast(0.0);
    for (int i = 0; i < directions.n; i += SW_LANES) {
        sw_real alpha[3];
        const sw_real share = load_directions(&directions, i, axes, along, alpha);
        add_directions(stiffness, alpha, share, sum);
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b <= a; b++) {
            p[a][b] = 0;
            for (int lane = 0; lane < SW_LANES; lane++)
                p[a][b] += sw_lane(sum[a * (a + 1) / 2 + b], lane);
            p[b][a] = p[a][b];
        }
}
