#include "stiffness.h"

#include <string.h>

#include "common/math/deviator.h"
#include "common/math/elimination.h"

/* Of cubic crystals all is known in closed form, of which results have their last bits. */
void sw_stiffness_cubic(const sw_elasticity *given, sw_stiffness *stiffness)
{
    const double c11 = given->c11, c12 = given->c12, c44 = given->c44, soft = (c11 - c12) / 2;
    *stiffness = (sw_stiffness){
        .bulk = (c11 + 2 * c12) / 3, .voigt = (c11 - c12 + 3 * c44) / 5, .reuss = 5 / (2 / soft + 3 / c44)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            stiffness->c6[i][j] = i == j ? c11 : c12;
            stiffness->s6[i][j] = (i == j ? c11 + c12 : -c12) / ((c11 - c12) * (c11 + 2 * c12));
        }
    for (int i = 3; i < 6; i++) {
        stiffness->c6[i][i] = c44;
        stiffness->s6[i][i] = 1 / c44;
    }
    for (int i = 0; i < 5; i++)
        stiffness->c5[i][i] = i < 2 ? c11 - c12 : 2 * c44;
}

/* Row i: basis tensor i of deviators, and the unit tensor, as strains [6]. */
static void set_basis(double basis[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            basis[i][k] = i < 5 ? (k < 3 ? 1 : 2) * sw_deviator_basis(i, k) : k < 3;
}

/* a . m b */
static double between(const double m[6][6], const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 36; i++)
        sum += a[i / 6] * m[i / 6][i % 6] * b[i % 6];
    return sum;
}

int sw_stiffness_is_positive(const sw_stiffness *stiffness)
{
    double m[6][6];
    memcpy(m, stiffness->c6, sizeof m);
    for (int k = 0; k < 6; k++) {
        if (!(m[k][k] > 0))
            return 0;
        for (int i = k + 1; i < 6; i++)
            for (int j = k + 1; j < 6; j++)
                m[i][j] -= m[i][k] * m[k][j] / m[k][k];
    }
    return 1;
}

double sw_stiffness_relaxed_bulk(const sw_stiffness *stiffness, double by_stress[5])
{
    double c[5][5], bulk = stiffness->bulk;
    memcpy(c, stiffness->c5, sizeof c);
    memcpy(by_stress, stiffness->to_pressure, sizeof stiffness->to_pressure);
    sw_solve_by_elimination(5, 5, c[0], by_stress, by_stress);
    for (int i = 0; i < 5; i++)
        bulk -= stiffness->to_pressure[i] * by_stress[i];
    return bulk;
}

void sw_stiffness_of_matrix(const double c[6][6], sw_stiffness *stiffness)
{
    double basis[6][6];
    *stiffness = (sw_stiffness){.bulk = 0};
    memcpy(stiffness->c6, c, sizeof stiffness->c6);
    for (int j = 0; j < 6; j++) { /* columns, which are rows */
        double a[6][6], unit[6] = {0};
        memcpy(a, c, sizeof a);
        unit[j] = 1;
        sw_solve_by_elimination(6, 6, a[0], unit, stiffness->s6[j]);
    }
    set_basis(basis);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++)
            stiffness->c5[i][j] = between(c, basis[i], basis[j]);
        stiffness->to_pressure[i] = between(c, basis[i], basis[5]) / 3;
        stiffness->voigt += stiffness->c5[i][i] / 10;
    }
    stiffness->bulk = between(c, basis[5], basis[5]) / 9;
    double soft = 0; /* the compliance of five shears; of stresses shears are not doubled */
    for (int i = 0; i < 5; i++) {
        for (int k = 3; k < 6; k++)
            basis[i][k] *= 0.5;
        soft += between((const double(*)[6])stiffness->s6, basis[i], basis[i]);
    }
    stiffness->reuss = 5 / (2 * soft);
}
