#include "condition.h"

#include <math.h>
#include <string.h>

#include "common/math/deviator.h"
#include "common/math/tensor.h"

double sw_contract(const double a[3][3], const double s[6])
{
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        sum += (k < 3 ? a[i][j] : a[i][j] + a[j][i]) * s[k];
    }
    return sum;
}

double sw_condition_mean_stress(const sw_condition *c, const double l[3][3], double dt)
{
    return c->mean_stress + c->bulk_modulus * sw_trace(l) * dt;
}

void sw_plane_stress_of(const double deviator[6], double stress[6])
{
    for (int k = 0; k < 6; k++)
        stress[k] = k < 3 ? deviator[k] - deviator[2] : deviator[k];
}

/* A free direction: += scale a (x) b, with the trace taken from 33. */
static void add(sw_condition *c, int k, double scale, const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c->along[k][i][j] += scale * a[i] * b[j];
    c->along[k][2][2] -= scale * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

static void set_dyad(double to[3][3], double scale, const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] = scale * a[i] * b[j];
}

void sw_condition_free_volume(sw_condition *c, double bulk_modulus, double mean_stress)
{
    if (c->normal < 0)
        return;
    memset(c->along[c->free], 0, sizeof c->along[c->free]);
    c->along[c->free][c->normal][c->normal] = 1;
    c->value[c->free++] = c->normal_stress;
    c->bulk_modulus = bulk_modulus;
    c->mean_stress = mean_stress;
}

sw_condition sw_condition_uniaxial(double angle, double rate)
{
    const double a[3] = {cos(angle), sin(angle), 0}, b[3] = {-sin(angle), cos(angle), 0}, n[3] = {0, 0, 1};
    sw_condition c = {.free = 4, .normal = 2};
    set_dyad(c.base, rate, a, a);
    c.base[2][2] -= rate;
    add(&c, 0, 1, b, b);
    add(&c, 1, 1, a, b); /* L_ba = 0: the direction stays */
    add(&c, 2, 1, a, n); /* L_na, L_nb = 0: so does the plane */
    add(&c, 3, 1, b, n);
    return c;
}

sw_condition sw_condition_stretch(double rate, double ratio)
{
    return (sw_condition){.base = {{rate, 0, 0}, {0, ratio * rate, 0}, {0, 0, -(1 + ratio) * rate}},
                          .normal = 2};
}

/* ---- A stress whose direction is given ---- */

/* The tensor of a vector of five (common/math/deviator.h), times `scale`. */
static void set_vector(double t[3][3], double scale, const double v[5])
{
    double six[6];
    sw_deviator_tensor(v, six);
    for (int i = 0; i < 9; i++)
        t[i / 3][i % 3] = scale * six[sw_six_of(i / 3, i % 3)];
}

/* The other four directions: columns of Householder's reflection that takes e_m to v. */
static void complete_basis(const double v[5], double other[4][5])
{
    int m = 0, n = 0;
    double w[5], square = 0;
    for (int k = 1; k < 5; k++)
        m = fabs(v[k]) > fabs(v[m]) ? k : m;
    for (int k = 0; k < 5; k++) {
        w[k] = v[k] + (k == m ? copysign(1, v[m]) : 0);
        square += w[k] * w[k];
    }
    for (int c = 0; c < 5; c++) {
        if (c == m)
            continue;
        for (int k = 0; k < 5; k++)
            other[n][k] = (k == c) - 2 * w[k] * w[c] / square;
        n++;
    }
}

sw_condition sw_condition_along_stress(const double stress[6], double rate)
{
    double v[5], other[4][5], square = 0;
    sw_condition c = {.free = 4, .normal = 2};
    sw_deviator_vector_of(stress, v);
    for (int k = 0; k < 5; k++)
        square += v[k] * v[k];
    for (int k = 0; k < 5; k++)
        v[k] /= sqrt(square);
    set_vector(c.base, rate, v);
    complete_basis(v, other);
    for (int k = 0; k < 4; k++)
        set_vector(c.along[k], 1, other[k]);
    return c;
}

sw_condition sw_condition_unloaded(void)
{
    sw_condition c = {.free = 5, .normal = 2};
    for (int k = 0; k < c.free; k++) {
        double v[5] = {0};
        v[k] = 1;
        set_vector(c.along[k], 1, v);
    }
    return c;
}

/* ---- An entry of a loading ---- */

double sw_condition_given_stress(const sw_loading *g, int k)
{
    const int i = sw_six_row(k), j = sw_six_column(k);
    return isnan(g->stress[i][j]) ? g->stress[j][i] : g->stress[i][j];
}

/* What component k adds to L when it is free, both sides of a pair or the one that is: conjugate to its stress. */
static void free_component(const sw_loading *g, int k, double along[3][3])
{
    const int i = sw_six_row(k), j = sw_six_column(k);
    const int above = isnan(g->velocity_gradient[i][j]), below = isnan(g->velocity_gradient[j][i]);
    along[i][j] += above && below ? 0.5 : above;
    along[j][i] += above && below ? 0.5 : below;
}

int sw_condition_dependent(const sw_loading *g, double bulk_modulus)
{
    for (int k = 0; k < 3 && bulk_modulus == 0; k++)
        if (sw_loading_is_free(g, k))
            return k;
    return -1;
}

sw_condition sw_condition_of_loading(const sw_loading *g, double bulk_modulus, double mean_stress)
{
    const double none[6] = {0};
    const int d = sw_condition_dependent(g, bulk_modulus);
    const double pressure = d >= 0 ? sw_condition_given_stress(g, d) : 0;
    sw_condition c = {.normal = d,
                      .normal_stress = pressure,
                      .bulk_modulus = bulk_modulus,
                      .mean_stress = d >= 0 ? 0 : mean_stress};
    sw_loading_fill(g, none, c.base);
    if (d >= 0)
        c.base[d][d] -= c.base[0][0] + c.base[1][1] + c.base[2][2];
    for (int k = 0; k < 6; k++) {
        if (k == d || !sw_loading_is_free(g, k))
            continue;
        free_component(g, k, c.along[c.free]);
        if (k < 3 && d >= 0)
            c.along[c.free][d][d] -= 1;
        c.value[c.free++] = sw_condition_given_stress(g, k) - (k < 3 ? pressure : 0);
    }
    return c;
}
