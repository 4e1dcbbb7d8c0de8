/* Logarithmic strains and what turns their stresses and tangents into those of Green's strain: Miehe, Apel and Lambrecht
 * 2002, here by divided differences of f(c) = ln(c) / 2 over the principal values of C, which need no care where values
 * coincide:
 *
 *     d e_ij = 2 f[i,j] dE_ij,    d2 e_ij = 4 sum over k of f[i,k,j] (dE_ik dE'_kj + dE'_ik dE_kj). */
#include <math.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/tensor.h"
#include "matter.h"

/* (f(a) - f(b)) / (a - b) */
static double first_difference(double a, double b)
{
    const double x = (a - b) / b;
    return 0.5 / b * (x == 0 ? 1 : log1p(x) / x);
}

static void sort(double v[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = i % 2;
        if (v[k] > v[k + 1]) {
            const double kept = v[k];
            v[k] = v[k + 1];
            v[k + 1] = kept;
        }
    }
}

/* Of values within 3 % of each other, ascending, by Taylor's series about their mean: the k-th term has the complete homogeneous
 * symmetric polynomial of degree k - 2 of their distances. */
static double near_difference(const double v[3])
{
    const int terms = v[2] - v[0] < 1e-3 * v[0] ? 8 : 14; /* 1e-3^6, 0.03^12 */
    const double mean = (v[0] + v[1] + v[2]) / 3;
    const double x = v[0] / mean - 1, y = v[1] / mean - 1, z = v[2] / mean - 1;
    const double e1 = x + y + z, e2 = x * y + y * z + z * x, e3 = x * y * z;
    double h[3] = {1, 0, 0}, sum = 0; /* of this degree and the two before */
    for (int k = 2; k < terms; k++) {
        sum += (k % 2 ? 0.5 : -0.5) / k * h[0];
        const double next = e1 * h[0] - e2 * h[1] + e3 * h[2];
        h[2] = h[1];
        h[1] = h[0];
        h[0] = next;
    }
    return sum / (mean * mean);
}

/* f[a,b,c] */
static double second_difference(double a, double b, double c)
{
    double v[3] = {a, b, c};
    sort(v);
    if (v[2] - v[0] < 0.03 * v[0])
        return near_difference(v);
    return (first_difference(v[1], v[2]) - first_difference(v[0], v[1])) / (v[2] - v[0]);
}

void sw_matter_tensor_of(const double strain[6], double t[3][3])
{
    for (int k = 0; k < 9; k++)
        t[k / 3][k % 3] = (k % 4 == 0 ? 1 : 0.5) * strain[sw_six_of(k / 3, k % 3)];
}

void sw_matter_turning(const double a[3][3], double q[6][6])
{
    for (int m = 0; m < 6; m++)
        for (int n = 0; n < 6; n++) {
            const int p = sw_six_row(m), r = sw_six_column(m), i = sw_six_row(n), j = sw_six_column(n);
            q[m][n] = 0.5 * (a[p][i] * a[r][j] + a[p][j] * a[r][i]) * (m < 3 ? 1 : 2);
        }
}

sw_status sw_matter_logarithm_of(const double gradient[3][3], const double green[6],
                                 sw_matter_logarithm *logarithm)
{
    double f[3][3], c[3][3], q[6][6], more[3]; /* C and its values, less 1 */
    memcpy(f, gradient, sizeof f);
    if (!(sw_determinant(f) > 0))
        return sw_error(SW_ERR_CONVERGENCE, "determinant of the deformation gradient %g: need > 0",
                        sw_determinant(f));
    for (int k = 0; k < 9; k++)
        c[k / 3][k % 3] = (k % 4 == 0 ? 2 : 1) * green[sw_six_of(k / 3, k % 3)];
    sw_principal_axes(c, more, logarithm->axis);
    for (int i = 0; i < 3; i++)
        logarithm->value[i] = 1 + more[i];
    sw_matter_turning(logarithm->axis, q);
    const double *v = logarithm->value;
    double half[3], slope[6]; /* of principal strains; of their differences, with the factors of shears */
    for (int m = 0; m < 6; m++)
        slope[m] = (m < 3 ? 2 : 1) * first_difference(v[sw_six_row(m)], v[sw_six_column(m)]);
    for (int m = 0; m < 3; m++)
        half[m] = 0.5 * log1p(more[m]);
    /* Q's inverse is the transpose of what turns stresses: their components by strains' have the factors of shears. */
    for (int i = 0; i < 6; i++) {
        const double twice = i < 3 ? 1 : 2;
        double row[6] = {0};
        for (int m = 0; m < 6; m++)
            for (int j = 0; j < 6; j++)
                row[j] += twice * q[m][i] * slope[m] * q[m][j];
        memcpy(logarithm->first[i], row, sizeof row);
        logarithm->strain[i] = twice * (q[0][i] * half[0] + q[1][i] * half[1] + q[2][i] * half[2]);
    }
    return SW_OK;
}

/* f[i,j,k] of any three, which is the same in every order: ten numbers. */
static void second_differences(const double v[3], double d[3][3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            for (int k = j; k < 3; k++)
                d[i][j][k] = d[i][k][j] = d[j][i][k] = d[j][k][i] = d[k][i][j] = d[k][j][i] =
                    second_difference(v[i], v[j], v[k]);
}

/* The second derivative of t : e, t [3][3] in the principal axes, by the strain there. */
static void curvature(const double v[3], const double t[6], double g[6][6])
{
    double d[3][3][3];
    second_differences(v, d);
    memset(g, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                const int m = sw_six_of(i, k), n = sw_six_of(k, j);
                const double share =
                    4 * t[sw_six_of(i, j)] * d[i][k][j] * (m < 3 ? 1 : 0.5) * (n < 3 ? 1 : 0.5);
                g[m][n] += share;
                g[n][m] += share;
            }
}

void sw_matter_add_congruent(const double q[6][6], const double g[6][6], double out[6][6])
{
    double half[6][6];
    for (int i = 0; i < 6; i++) {
        double sum[6] = {0}; /* a row, in registers */
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++)
                sum[j] += g[i][k] * q[k][j];
        memcpy(half[i], sum, sizeof sum);
    }
    for (int i = 0; i < 6; i++) {
        double sum[6];
        memcpy(sum, out[i], sizeof sum);
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++)
                sum[j] += q[k][i] * half[k][j];
        memcpy(out[i], sum, sizeof sum);
    }
}

void sw_matter_from_logarithmic(const sw_matter_logarithm *logarithm, const double t[6],
                                const double by_log[6][6], double second[6], double tangent[6][6])
{
    double q[6][6], principal[6], g[6][6];
    sw_matter_turning(logarithm->axis, q);
    for (int m = 0; m < 6; m++) { /* stresses turn as strains, but for the factors of shears */
        principal[m] = second[m] = 0;
        for (int i = 0; i < 6; i++) {
            principal[m] += q[m][i] * (m < 3 ? 1 : 0.5) * (i < 3 ? 1 : 2) * t[i];
            second[m] += logarithm->first[i][m] * t[i];
        }
    }
    curvature(logarithm->value, principal, g);
    memset(tangent, 0, 36 * sizeof(double));
    sw_matter_add_congruent(q, g, tangent);
    sw_matter_add_congruent(logarithm->first, by_log, tangent);
}
