/* Ellipsoids of the whole, of phases and of grains, and how they follow. */
#include <math.h>
#include <string.h>

#include "common/math/principal.h"
#include "state.h"

static void swap_numbers(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Falling values; of equal ones the last comes first. axis: rows. */
static void sort_axes(double value[3], double axis[3][3])
{
    for (int i = 0; i < 2; i++) {
        int most = i;
        for (int j = i + 1; j < 3; j++)
            if (value[j] >= value[most])
                most = j;
        if (most == i)
            continue;
        swap_numbers(&value[i], &value[most]);
        for (int k = 0; k < 3; k++)
            swap_numbers(&axis[i][k], &axis[most][k]);
    }
}

static void stretch_along(sw_vpsc_ellipsoid *e)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            e->f[i][j] = 0;
            for (int k = 0; k < 3; k++)
                e->f[i][j] += e->along[i][k] * e->axes[k] * e->along[j][k];
        }
}

/* Squares of axes, in the order a2 >= a1 >= a3, and their directions, right-handed. */
static void find_axes(const double f[3][3], double square[3], double along[3][3])
{
    double b[3][3], axis[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = f[i][0] * f[j][0] + f[i][1] * f[j][1] + f[i][2] * f[j][2];
    sw_principal_axes(b, square, axis);
    sort_axes(square, axis);
    const double right = axis[0][0] * (axis[1][1] * axis[2][2] - axis[1][2] * axis[2][1]) +
                         axis[0][1] * (axis[1][2] * axis[2][0] - axis[1][0] * axis[2][2]) +
                         axis[0][2] * (axis[1][0] * axis[2][1] - axis[1][1] * axis[2][0]);
    swap_numbers(&square[0], &square[1]);
    for (int i = 0; i < 3; i++) {
        along[i][0] = axis[1][i];
        along[i][1] = axis[0][i] * (right > 0 ? -1 : 1);
        along[i][2] = axis[2][i];
    }
}

double sw_vpsc_ellipsoid_of(sw_vpsc_ellipsoid *e, int frozen)
{
    double square[3];
    find_axes((const double(*)[3])e->f, square, e->along);
    for (int i = 0; i < 3 && !frozen; i++)
        e->axes[i] = sqrt(square[i]);
    stretch_along(e);
    return sqrt(square[1] / square[2]);
}

/* Where a grain has become this long it is two, or four. */
static void split(sw_vpsc_ellipsoid *e, double critical)
{
    e->axes[1] /= 2;
    if (e->axes[0] / e->axes[2] >= critical / 2)
        e->axes[0] /= 2;
    stretch_along(e);
}

static void update_phase(sw_vpsc_grains_of *p)
{
    const double critical = p->input->critical_ratio;
    const int splits = p->input->fragmentation == 1;
    const double ratio = sw_vpsc_ellipsoid_of(&p->ellipsoid, p->frozen);
    if (p->input->fragmentation == 0 && ratio >= critical && !p->frozen) {
        sw_note("phase %d: its ellipsoid's axes keep their lengths from here on, at a ratio of %g",
                p->number + 1, ratio);
        p->frozen = 1;
    }
    if (splits && ratio >= critical)
        split(&p->ellipsoid, critical);
    for (int64_t g = 0; g < p->n && p->of_grain != NULL; g++)
        if (sw_vpsc_ellipsoid_of(&p->of_grain[g], p->frozen) >= critical && splits)
            split(&p->of_grain[g], critical);
}

/* f <- (1 + l dt) f */
static void deform(const double l[3][3], double dt, double f[3][3])
{
    double old[3][3];
    memcpy(old, f, sizeof old);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                f[i][j] += dt * l[i][k] * old[k][j];
}

void sw_vpsc_reshape(sw_vpsc_polycrystal *polycrystal)
{
    const double dt = polycrystal->time_step;
    deform((const double(*)[3])polycrystal->l, dt, polycrystal->ellipsoid.f);
    sw_vpsc_ellipsoid_of(&polycrystal->ellipsoid, 0);
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        deform((const double(*)[3])p->mean_l, dt, p->ellipsoid.f);
        for (int64_t g = 0; g < p->n && p->of_grain != NULL; g++)
            deform((const double(*)[3])p->l[g], dt, p->of_grain[g].f);
        if (polycrystal->input->reshape == 1)
            update_phase(p);
    }
}

void sw_vpsc_rotate(sw_vpsc_polycrystal *polycrystal, double q[3][3])
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        sw_vpsc_turn(q, p->ellipsoid.f);
        for (int64_t g = 0; g < p->n; g++) {
            sw_vpsc_turn(q, p->turn[g]);
            if (p->of_grain != NULL)
                sw_vpsc_turn(q, p->of_grain[g].f);
        }
        update_phase(p);
    }
}
