/* Rubbers and foams. Strain energies in the principal logarithmic strains e_i: with S_a = sum of exp(a d_i) over the
 * deviators d_i, I1 = S_2 and I2 = S_-2 of what changes no volume, J = exp(e_1 + e_2 + e_3),
 *
 *     W = f(I1, I2) + sum of c_k (S_k - 3) + V(J),
 *
 * foams: sum of c_k (S_k of e itself - 3 + (J^(-a b) - 1) / b). */
#include <math.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/six.h"
#include "matter.h"

/* What is added up: the energy's slopes by e_i, and theirs. */
typedef struct {
    double by[3], twice[3][3];
} slopes;

/* By deviators -> by strains. */
static void project(slopes *s)
{
    double mean = (s->by[0] + s->by[1] + s->by[2]) / 3, row[3], all = 0;
    for (int i = 0; i < 3; i++) {
        row[i] = (s->twice[i][0] + s->twice[i][1] + s->twice[i][2]) / 3;
        all += row[i] / 3;
        s->by[i] -= mean;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->twice[i][j] += all - row[i] - row[j];
}

/* c S_a */
static void add_power(double c, double a, const double e[3], slopes *s)
{
    for (int i = 0; i < 3; i++) {
        s->by[i] += c * a * exp(a * e[i]);
        s->twice[i][i] += c * a * a * exp(a * e[i]);
    }
}

/* c (I1 - 3)^m (I2 - 3)^n */
static void add_product(double c, int m, int n, const double d[3], slopes *s)
{
    double x = -3, y = -3, p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = exp(2 * d[i]);
        q[i] = exp(-2 * d[i]);
        x += p[i];
        y += q[i];
    }
    const double f1 = m > 0 ? c * m * pow(x, m - 1) * pow(y, n) : 0,
                 f2 = n > 0 ? c * n * pow(x, m) * pow(y, n - 1) : 0;
    const double f11 = m > 1 ? c * m * (m - 1) * pow(x, m - 2) * pow(y, n) : 0;
    const double f22 = n > 1 ? c * n * (n - 1) * pow(x, m) * pow(y, n - 2) : 0;
    const double f12 = m > 0 && n > 0 ? c * m * n * pow(x, m - 1) * pow(y, n - 1) : 0;
    for (int i = 0; i < 3; i++) {
        s->by[i] += 2 * (f1 * p[i] - f2 * q[i]);
        s->twice[i][i] += 4 * (f1 * p[i] + f2 * q[i]);
        for (int j = 0; j < 3; j++)
            s->twice[i][j] += 4 * (f11 * p[i] * p[j] - f12 * (p[i] * q[j] + q[i] * p[j]) + f22 * q[i] * q[j]);
    }
}

/* first: J V'; second: its slope by ln J. */
static void add_volume(double first, double second, slopes *s)
{
    for (int i = 0; i < 9; i++)
        s->twice[i / 3][i % 3] += second;
    for (int i = 0; i < 3; i++)
        s->by[i] += first;
}

/* What decks mean by D = 0: 20 times as stiff as in shear. */
static double compressibility(double d, double shear) { return d != 0 ? d : 0.1 / shear; }

/* V = sum of (J - 1)^2k / D_k; a D of 0 has no part but the first. */
static void add_bulk(int n, const double *d, double shear, double j, slopes *s)
{
    for (int k = 1; k <= n; k++) {
        if (d[k - 1] == 0 && k > 1)
            continue;
        const double over = k == 1 ? compressibility(d[0], shear) : d[k - 1];
        const double first = 2 * k * pow(j - 1, 2 * k - 1) / over;
        add_volume(j * first, j * first + j * j * 2 * k * (2 * k - 1) * pow(j - 1, 2 * k - 2) / over, s);
    }
}

static void add_polynomial(int order, const double *c, double j, const double d[3], slopes *s)
{
    const double shear = 2 * (c[0] + c[1]);
    for (int sum = 1; sum <= order; sum++)
        for (int n = 0; n <= sum; n++)
            add_product(*c++, sum - n, n, d, s);
    project(s);
    add_bulk(order, c, shear, j, s);
}

static void add_reduced(int order, const double *c, double j, const double d[3], slopes *s)
{
    for (int m = 1; m <= order; m++)
        add_product(c[m - 1], m, 0, d, s);
    project(s);
    add_bulk(order, c + order, 2 * c[0], j, s);
}

/* mu sum of C_k / lambda^(2k - 2) (I1^k - 3^k), as five terms of I1 - 3; V = ((J^2 - 1) / 2 - ln J) / D. */
static void add_arruda_boyce(const double *c, double j, const double d[3], slopes *s)
{
    static const double of[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
    double at = 0, first = 0, second = 0, shear = 0;
    for (int i = 0; i < 3; i++)
        at += exp(2 * d[i]);
    for (int k = 1; k <= 5; k++) {
        const double share = c[0] * of[k - 1] * pow(c[1], 2 - 2 * k);
        shear += 2 * share * k * pow(3, k - 1);
        first += share * k * pow(at, k - 1);
        second += k > 1 ? share * k * (k - 1) * pow(at, k - 2) : 0;
    }
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 3; l++)
            s->twice[i][l] += 4 * second * exp(2 * (d[i] + d[l]));
    add_power(first, 2, d, s);
    project(s);
    const double over = compressibility(c[2], shear);
    add_volume((j * j - 1) / over, 2 * j * j / over, s);
}

static void add_ogden(int order, const double *c, double j, const double d[3], slopes *s)
{
    double shear = 0;
    for (int k = 0; k < order; k++) {
        add_power(2 * c[2 * k] / (c[2 * k + 1] * c[2 * k + 1]), c[2 * k + 1], d, s);
        shear += c[2 * k];
    }
    project(s);
    add_bulk(order, c + 2 * order, shear, j, s);
}

static void add_foam(int order, const double *c, double j, const double e[3], slopes *s)
{
    for (int k = 0; k < order; k++) {
        const double a = c[2 * k + 1], nu = c[2 * order + k], factor = 2 * c[2 * k] / (a * a),
                     b = nu / (1 - 2 * nu);
        const double rest = pow(j, -a * b);
        add_power(factor, a, e, s);
        add_volume(-factor * a * rest, factor * a * a * b * rest, s);
    }
}

static void energy_slopes(const sw_matter *matter, const double *c, const double e[3], slopes *s)
{
    const double volume = e[0] + e[1] + e[2], j = exp(volume);
    const double d[3] = {e[0] - volume / 3, e[1] - volume / 3, e[2] - volume / 3};
    memset(s, 0, sizeof *s);
    switch (matter->rubber) {
    case SW_MATTER_POLYNOMIAL:
        add_polynomial(matter->order, c, j, d, s);
        break;
    case SW_MATTER_REDUCED_POLYNOMIAL:
        add_reduced(matter->order, c, j, d, s);
        break;
    case SW_MATTER_ARRUDA_BOYCE:
        add_arruda_boyce(c, j, d, s);
        break;
    case SW_MATTER_OGDEN:
        add_ogden(matter->order, c, j, d, s);
        break;
    case SW_MATTER_FOAM:
        add_foam(matter->order, c, j, e, s);
        break;
    }
}

/* (by_i - by_j) / (e_i - e_j), of values that may coincide. */
static double difference(const slopes *s, const double e[3], int i, int j)
{
    if (fabs(e[i] - e[j]) > 1e-5)
        return (s->by[i] - s->by[j]) / (e[i] - e[j]);
    return 0.5 * (s->twice[i][i] + s->twice[j][j]) - s->twice[i][j];
}

static sw_status respond(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6])
{
    double c[32], strain[3][3], e[3], axis[3][3], q[6][6], d[6][6] = {{0}};
    slopes s;
    (void)old;
    (void)new_state;
    sw_matter_look_up(&matter->hyper, ask->temperature, c);
    for (int k = 0; k < 9; k++)
        strain[k / 3][k % 3] = (k % 4 == 0 ? 1 : 0.5) * ask->strain[sw_six_of(k / 3, k % 3)];
    sw_principal_axes(strain, e, axis);
    energy_slopes(matter, c, e, &s);
    for (int i = 0; i < 3; i++) {
        memcpy(d[i], s.twice[i], sizeof s.twice[i]);
        d[i + 3][i + 3] = 0.5 * difference(&s, e, sw_six_row(i + 3), sw_six_column(i + 3));
    }
    sw_matter_turning((const double(*)[3])axis, q);
    memset(stress, 0, 6 * sizeof(double));
    memset(tangent, 0, 36 * sizeof(double));
    for (int m = 0; m < 6; m++)
        for (int k = 0; k < 6; k++) {
            stress[k] += m < 3 ? q[m][k] * s.by[m] : 0;
            for (int l = 0; l < 6; l++)
                for (int n = 0; n < 6; n++)
                    tangent[k][l] += d[m][n] != 0 ? q[m][k] * d[m][n] * q[n][l] : 0;
        }
    if (!isfinite(stress[0] + stress[1] + stress[2]))
        return sw_error(SW_ERR_CONVERGENCE, "material %s: stress %g", matter->name, stress[0]);
    return SW_OK;
}

static int is_hyper(const sw_matter *matter) { return matter->hyper.n_rows > 0; }

const sw_matter_law sw_matter_hyper = {.name = "hyperelastic",
                                       .measure = SW_MATTER_LOGARITHMIC,
                                       .symmetric = 1,
                                       .is = is_hyper,
                                       .n_state = sw_matter_keeps_nothing,
                                       .respond = respond};
