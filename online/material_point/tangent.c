#include "tangent.h"

#include <math.h>
#include <string.h>

#include "common/math/six.h"

void sw_point_stress(const sw_point_motion *motion, double bulk_modulus, const double deviator[6],
                     double stress[6])
{
    const double mean = bulk_modulus * log(motion->volume) / motion->volume;
    for (int i = 0; i < 6; i++)
        stress[i] = deviator[i] + (i < 3 ? mean : 0);
}

/* L changes by dl, the deviator by this. */
static void follow(const sw_point_answer *answer, const double dl[3][3], double change[6])
{
    const double spin[3] = {(dl[0][1] - dl[1][0]) / 2, (dl[0][2] - dl[2][0]) / 2, (dl[1][2] - dl[2][1]) / 2};
    for (int i = 0; i < 6; i++) {
        change[i] = 0;
        for (int k = 0; k < 6; k++)
            change[i] += answer->by_strain_rate[i][k] *
                         (k < 3 ? dl[k][k]
                                : dl[sw_six_row(k)][sw_six_column(k)] + dl[sw_six_column(k)][sw_six_row(k)]);
        for (int k = 0; k < 3; k++)
            change[i] += answer->by_spin[i][k] * spin[k];
    }
}

void sw_point_by_gradient(const sw_point_motion *motion, double bulk_modulus, const sw_point_answer *answer,
                          double by_gradient[6][3][3])
{
    const double mean = bulk_modulus * (1 - log(motion->volume)) / motion->volume; /* dJ = J F1^-T : dF1 */
    for (int k = 0; k < 9; k++) {
        double df[3][3] = {{0}}, dl[3][3], change[6];
        df[k / 3][k % 3] = 1;
        sw_point_motion_follow(motion, (const double(*)[3])df, dl);
        follow(answer, (const double(*)[3])dl, change);
        for (int i = 0; i < 6; i++)
            by_gradient[i][k / 3][k % 3] = change[i] + (i < 3 ? mean * motion->inverse[k % 3][k / 3] : 0);
    }
}

void sw_point_by_strain(const double by_gradient[6][3][3], const double f1[3][3], const double stress[6],
                        double by_strain[6][6])
{
    for (int k = 0; k < 6; k++) {
        double strain[3][3] = {{0}}, df[3][3] = {{0}};
        strain[sw_six_row(k)][sw_six_column(k)] += 0.5; /* of engineer's shear: half on either side */
        strain[sw_six_column(k)][sw_six_row(k)] += 0.5;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 9; j++)
                df[i][j % 3] += strain[i][j / 3] * f1[j / 3][j % 3];
        for (int i = 0; i < 6; i++) {
            by_strain[i][k] = k < 3 ? stress[i] : 0;
            for (int j = 0; j < 9; j++)
                by_strain[i][k] += by_gradient[i][j / 3][j % 3] * df[j / 3][j % 3];
        }
    }
}
