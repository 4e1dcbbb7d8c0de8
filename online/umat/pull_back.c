#include <string.h>

#include "call.h"
#include "common/math/tensor.h"

/* g a g^T, times `factor`, is added. */
static void add_sandwich(double g[3][3], double a[3][3], double factor, double to[3][3])
{
    double whole[3][3];
    sw_rotate_tensor(g, a, whole);
    for (int k = 0; k < 9; k++)
        to[k / 3][k % 3] += factor * whole[k / 3][k % 3];
}

/* Green's strain changes by a unit of component k, engineer's: F by F^-T dE, and S by this. */
static void change(const sw_umat_answer *answer, double inverse[3][3], double volume, double s[3][3], int k,
                   double by[3][3])
{
    double strain[3][3] = {{0}}, df[3][3], turned[3][3], dstress[6], tensor[3][3], trace = 0;
    strain[sw_six_row(k)][sw_six_column(k)] += 0.5;
    strain[sw_six_column(k)][sw_six_row(k)] += 0.5;
    sw_multiply_transposed(inverse, strain, df);
    sw_multiply(inverse, df, turned); /* F^-1 dF */
    for (int i = 0; i < 6; i++) {
        dstress[i] = 0;
        for (int j = 0; j < 9; j++)
            dstress[i] += answer->by_gradient[i][j / 3][j % 3] * df[j / 3][j % 3];
    }
    for (int i = 0; i < 3; i++)
        trace += turned[i][i];
    sw_tensor_of_six(dstress, tensor);
    memset(by, 0, 9 * sizeof(double));
    add_sandwich(inverse, tensor, volume, by);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            by[i][j] += trace * s[i][j];
            for (int l = 0; l < 3; l++)
                by[i][j] -= turned[i][l] * s[l][j] + s[i][l] * turned[j][l];
        }
}

/* A code's component. */
static double of_order(double t[3][3], int i)
{
    return t[sw_six_row(sw_umat_order[i])][sw_six_column(sw_umat_order[i])];
}

void sw_umat_pull_back(const sw_umat_answer *answer, double stress[6], double stiffness[6][6])
{
    double f[3][3], inverse[3][3], cauchy[3][3], s[3][3] = {{0}};
    memcpy(f, answer->gradient, sizeof f);
    const double volume = sw_determinant(f);
    sw_invert(f, inverse);
    sw_tensor_of_six(answer->stress, cauchy);
    add_sandwich(inverse, cauchy, volume, s);
    for (int k = 0; k < 6; k++) {
        double by[3][3];
        change(answer, inverse, volume, s, sw_umat_order[k], by);
        stress[k] = of_order(s, k);
        for (int i = 0; i < 6; i++)
            stiffness[i][k] = of_order(by, i);
    }
}
