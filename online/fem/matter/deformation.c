/* Deformation plasticity: the nonlinear elasticity of Ramberg and Osgood, E e = s + a (s / s0)^(n - 1) s of uniaxial stress;
 * of others the second term is von Mises' and changes no volume. At finite strains of Cauchy's stress by the strain of
 * Almansi and Euler, (1 - b^-1) / 2, as CalculiX has it. */
#include <math.h>
#include <string.h>

#include "common/math/tensor.h"
#include "matter.h"

/* q of the equivalent deviatoric strain: linear q + power q^n = strain. Newton's steps from beyond, where they only fall. */
static double stress_of(double linear, double power, double n, double strain)
{
    double q = strain / linear;
    if (power > 0)
        q = fmin(q, pow(strain / power, 1 / n));
    for (int i = 0; i < 200; i++) {
        const double rest = linear * q + power * pow(q, n) - strain;
        const double next = q - rest / (linear + n * power * pow(q, n - 1));
        if (fabs(next - q) <= 1e-15 * q)
            break;
        q = next;
    }
    return q;
}

/* Less the thermal strain. */
static void almansi(const sw_matter_ask *ask, double strain[6])
{
    double f[3][3], g[3][3];
    memcpy(f, ask->gradient, sizeof f);
    sw_invert(f, g);
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        strain[k] = k < 3 ? 0.5 * exp(-2 * ask->thermal[k]) : -ask->thermal[k]; /* a free body's: 0 */
        for (int l = 0; l < 3; l++)
            strain[k] -= (k < 3 ? 0.5 : 1) * g[l][i] * g[l][j];
    }
}

/* The tangent by the strain becomes that of the Jaumann rate of Kirchhoff's stress over J: e's is d - d e - e d. */
static void to_jaumann(const double strain[6], const double stress[6], double tangent[6][6])
{
    double e[3][3], by[6][6], out[6][6];
    for (int k = 0; k < 9; k++)
        e[k / 3][k % 3] = strain[sw_six_of(k / 3, k % 3)] * (k % 4 == 0 ? 1 : 0.5);
    for (int m = 0; m < 6; m++)
        for (int n = 0; n < 6; n++) { /* of component m of e by n of d, engineering shears both */
            const int i = sw_six_row(m), j = sw_six_column(m), k = sw_six_row(n), l = sw_six_column(n);
            const double de =
                (i == k) * e[l][j] + (i == l) * e[k][j] + (j == k) * e[i][l] + (j == l) * e[i][k];
            by[m][n] = (m == n) - 0.5 * (m < 3 ? 1 : 2) * de;
        }
    for (int m = 0; m < 6; m++)
        for (int n = 0; n < 6; n++) {
            out[m][n] = n < 3 ? stress[m] : 0;
            for (int k = 0; k < 6; k++)
                out[m][n] += tangent[m][k] * by[k][n];
        }
    memcpy(tangent, out, sizeof out);
}

static void flow(const sw_matter *matter, const sw_matter_ask *ask, const double given[6], double stress[6],
                 double tangent[6][6])
{
    double of[5], e[6], square = 0;
    sw_matter_look_up(&matter->deformation, ask->temperature, of);
    const double bulk = of[0] / (3 * (1 - 2 * of[1])), linear = 2 * (1 + of[1]) / (3 * of[0]);
    const double power = of[4] / of[0] * pow(of[2], 1 - of[3]);
    const double volume = given[0] + given[1] + given[2];
    for (int i = 0; i < 6; i++) { /* the tensor's deviator */
        e[i] = i < 3 ? given[i] - volume / 3 : 0.5 * given[i];
        square += (i < 3 ? 1 : 2) * e[i] * e[i];
    }
    const double strain = sqrt(2.0 / 3 * square);
    const int still = strain == 0;
    const double q = still ? strain / linear : stress_of(linear, power, of[3], strain);
    const double secant = still ? 1 / linear : q / strain;
    const double slope = still ? 1 / linear : 1 / (linear + of[3] * power * pow(q, of[3] - 1));
    for (int i = 0; i < 6; i++) {
        stress[i] = 2.0 / 3 * secant * e[i] + (i < 3 ? bulk * volume : 0);
        for (int j = 0; j < 6; j++) {
            tangent[i][j] = i < 3 && j < 3 ? bulk - 2.0 / 9 * secant : 0;
            tangent[i][j] += i == j ? secant * (i < 3 ? 2.0 / 3 : 1.0 / 3) : 0;
            if (!still)
                tangent[i][j] += 4.0 / 9 * (slope - secant) * e[i] * e[j] / (strain * strain);
        }
    }
}

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    double strain[6];
    (void)old;
    (void)new_state;
    if (!ask->finite) {
        flow(matter, ask, ask->strain, stress, tangent);
        return SW_OK;
    }
    almansi(ask, strain);
    flow(matter, ask, strain, stress, tangent);
    to_jaumann(strain, stress, tangent);
    return SW_OK;
}

static int is_deformation(const sw_matter *matter) { return matter->deformation.n_rows > 0; }

const sw_matter_law sw_matter_deformation = {.name = "deformation plasticity",
                                             .measure = SW_MATTER_SPATIAL,
                                             .is = is_deformation,
                                             .n_state = sw_matter_keeps_nothing,
                                             .respond = respond};
