#include "motion.h"

#include <math.h>
#include <string.h>

#include "common/math/logarithm.h"
#include "common/math/strain_rate.h"

enum { TERMS = 60 }; /* X^119 / 119 of ||X|| = 0.5 is far below a double's last digit */

static void add(double to[3][3], double factor, double a[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] += factor * a[i][j];
}

/* The change of log A = 2 (X + X^3/3 + ...), where X changes by dx. */
static void logarithm_change(double x[3][3], double dx[3][3], double out[3][3])
{
    double square[3][3], square_change[3][3] = {{0}}, power[3][3], change[3][3], part[3][3], other[3][3];
    sw_multiply(x, x, square);
    sw_multiply(dx, x, part);
    sw_multiply(x, dx, other);
    add(square_change, 1, part);
    add(square_change, 1, other);
    memcpy(power, x, sizeof power);
    memcpy(change, dx, sizeof change);
    memset(out, 0, sizeof power);
    add(out, 2, dx);
    for (int k = 1; k < TERMS && sw_norm(change) > 1e-18 * sw_norm(dx); k++) {
        sw_multiply(change, square, part);
        sw_multiply(power, square_change, other);
        memcpy(change, part, sizeof change);
        add(change, 1, other);
        sw_multiply(power, square, part);
        memcpy(power, part, sizeof power);
        add(out, 2.0 / (2 * k + 1), change);
    }
}

int sw_point_motion_of(const double f0[3][3], const double f1[3][3], double dt, double largest,
                       sw_point_motion *motion)
{
    sw_point_motion *m = motion;
    double before[3][3], after[3][3], a[3][3], less[3][3], step[3][3];
    memcpy(before, f0, sizeof before);
    memcpy(after, f1, sizeof after);
    m->dt = dt;
    m->volume = sw_determinant(after);
    if (!(dt > 0 && dt < 1e300 && sw_determinant(before) > 0 && m->volume > 0 && m->volume < 1e300))
        return 0;
    sw_invert(before, m->from_old);
    sw_invert(after, m->inverse);
    sw_multiply(after, m->from_old, a);
    memcpy(less, a, sizeof less);
    for (int i = 0; i < 3; i++) {
        a[i][i] += 1;
        less[i][i] -= 1;
    }
    if (!(fabs(sw_determinant(a)) > 1e-6)) /* of half a turn; 8 of no step */
        return 0;
    sw_invert(a, m->h);
    sw_multiply(less, m->h, m->x);
    if (!(sw_norm(m->x) <= SW_POINT_MOTION_MOST))
        return 0;
    sw_logarithm_series(m->x, step);
    for (int k = 0; k < 9; k++)
        m->velocity_gradient[k / 3][k % 3] = step[k / 3][k % 3] / dt;
    return sqrt(sw_symmetric_square((const double(*)[3])step)) <= largest;
}

void sw_point_motion_follow(const sw_point_motion *motion, const double df[3][3], double dl[3][3])
{
    sw_point_motion m = *motion;
    double change[3][3], a[3][3], left[3][3], x[3][3] = {{0}}, both[3][3];
    memcpy(change, df, sizeof change);
    sw_multiply(change, m.from_old, a);
    sw_multiply(m.h, a, left);
    sw_multiply(left, m.h, both);
    add(x, 2, both);
    logarithm_change(m.x, x, dl);
    for (int k = 0; k < 9; k++)
        dl[k / 3][k % 3] /= m.dt;
}
