#include "earing.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/rotation.h"

/* ---- q against the angle ---- */

/* The angle of 0 .. 90 degrees that an orthotropic sheet has the same of. */
static double fold(double angle)
{
    const double c = fabs(cos(angle)), s = fabs(sin(angle));
    return atan2(s, c);
}

static int by_angle(const void *a, const void *b)
{
    const sw_sheet_tension *x = a, *y = b;
    return (x->angle > y->angle) - (x->angle < y->angle);
}

/* Degrees within which two angles are the same. */
static const double SAME = 1e-3;

/* Degrees, to SAME. */
static double degrees(double angle) { return SAME * rint(angle * 180 / SW_PI / SAME); }

static sw_status check_angles(const sw_width_strain *w)
{
    const double first = w->n > 0 ? degrees(w->angle[0]) : 0,
                 last = w->n > 0 ? degrees(w->angle[w->n - 1]) : 0;
    if (!(w->n >= 2 && first <= SAME && last >= 90 - SAME))
        return sw_error(SW_ERR_RANGE, "r-values from %g to %g degrees: need them from 0 to 90", first, last);
    return SW_OK;
}

/* Sorted tensions to angles and q; those at one angle by their mean. */
static void merge(const sw_sheet_tension *sorted, int n, sw_width_strain *w)
{
    int same = 0;
    w->n = 0;
    for (int i = 0; i < n; i++) {
        same = w->n > 0 && degrees(sorted[i].angle) - degrees(w->angle[w->n - 1]) < SAME / 2 ? same + 1 : 1;
        w->n += same == 1;
        if (same == 1)
            w->angle[w->n - 1] = sorted[i].angle;
        double *q = &w->q[w->n - 1];
        *q += (sw_q_of_r(sorted[i].r) - *q) / same;
    }
}

/* Slope at an inner angle: the weighted harmonic mean of the chords' (Fritsch and Butland 1984), 0 at an extremum. */
static double inner_slope(const sw_width_strain *w, int i)
{
    const double h = w->angle[i] - w->angle[i - 1], k = w->angle[i + 1] - w->angle[i];
    const double a = (w->q[i] - w->q[i - 1]) / h, b = (w->q[i + 1] - w->q[i]) / k;
    return a * b > 0 ? 3 * (h + k) / ((h + 2 * k) / b + (2 * h + k) / a) : 0;
}

sw_status sw_width_strain_of(const sw_sheet *sheet, sw_width_strain *w)
{
    sw_status status;
    sw_sheet_tension *sorted = NULL;
    *w = (sw_width_strain){0};
    const int most = sheet->n_tensions > 0 ? sheet->n_tensions : 1;
    SW_TRY(SW_ALLOCATE(w->angle, 3 * most, "r-values against the angle"));
    SW_TRY_GOTO(status, SW_ALLOCATE(sorted, most, "r-values against the angle"), failed);
    w->q = w->angle + most;
    w->slope = w->q + most;
    for (int i = 0; i < sheet->n_tensions; i++)
        if (!isnan(sheet->tension[i].r))
            sorted[w->n++] = (sw_sheet_tension){fold(sheet->tension[i].angle), 0, sheet->tension[i].r};
    qsort(sorted, (size_t)w->n, sizeof *sorted, by_angle);
    merge(sorted, w->n, w);
    SW_TRY_GOTO(status, check_angles(w), failed);
    for (int i = 1; i < w->n - 1; i++)
        w->slope[i] = inner_slope(w, i);
    free(sorted);
    return SW_OK;
failed:
    free(sorted);
    sw_width_strain_free(w);
    return status;
}

void sw_width_strain_free(sw_width_strain *w)
{
    free(w->angle);
    *w = (sw_width_strain){0};
}

double sw_width_strain_at(const sw_width_strain *w, double angle)
{
    const double a = fold(angle);
    int i = 0;
    while (i < w->n - 2 && a > w->angle[i + 1])
        i++;
    const double h = w->angle[i + 1] - w->angle[i], t = fmin(fmax((a - w->angle[i]) / h, 0), 1), u = 1 - t;
    return u * u * ((1 + 2 * t) * w->q[i] + t * h * w->slope[i]) +
           t * t * ((1 + 2 * u) * w->q[i + 1] - u * h * w->slope[i + 1]);
}

/* ---- Walls ---- */

double sw_cup_wall(const sw_cup *cup, double q)
{
    return cup->cup_radius * expm1((1 + q) * log(cup->blank_radius / cup->cup_radius)) / (1 + q);
}

/* A place in a sector, x = ln(rim's radius / its own) inside the rim: the stress's direction in the plane of radial and
 * hoop stress, (cos, -sin) of `turn`, which is pi / 2 at the rim; int rho dx; the wall's height over R_c. */
typedef struct {
    double turn, stretch, wall;
} place;

/* Directions of a sector as stresses of size 1: along its radius, around. */
typedef struct {
    const sw_yield *surface;
    double radial[6], hoop[6];
} sector;

static double along(const double d[6], const double s[6])
{
    return d[0] * s[0] + d[1] * s[1] + 2 * d[5] * s[5];
}

/* Derivatives by x. The locus is (sigma_r, sigma_h) = p (cos, -sin) of the turn, with phi = 1 there, so that equilibrium,
 * d sigma_r / dx = sigma_r - sigma_h, says how fast it turns. 0: sigma_r cannot rise any more. */
static int slopes(const sector *s, double x, const place *at, place *slope)
{
    const double c = cos(at->turn), n = sin(at->turn);
    double stress[6], d[6];
    for (int i = 0; i < 6; i++)
        stress[i] = c * s->radial[i] - n * s->hoop[i];
    const double p = 1 / sw_yield_value(s->surface, stress, d);
    const double radial = along(d, s->radial), hoop = along(d, s->hoop);
    const double by_turn = p * p * (n * radial + c * hoop) * c - p * n; /* of sigma_r */
    *slope = (place){p * (c + n) / by_turn, -radial / hoop, exp(at->stretch + x)};
    return by_turn < 0 && hoop < 0;
}

static place step_of(const place *at, double h, const place *slope)
{
    return (place){at->turn + h * slope->turn, at->stretch + h * slope->stretch, at->wall + h * slope->wall};
}

/* Runge-Kutta's step of the fourth order. */
static int advance(const sector *s, double x, double h, place *at)
{
    place k[4], to;
    if (!slopes(s, x, at, &k[0]))
        return 0;
    for (int i = 1; i < 4; i++) {
        const double part = i < 3 ? h / 2 : h;
        to = step_of(at, part, &k[i - 1]);
        if (!slopes(s, x + part, &to, &k[i]))
            return 0;
    }
    for (int i = 0; i < 4; i++)
        *at = step_of(at, h * (i == 0 || i == 3 ? 1.0 / 6 : 1.0 / 3), &k[i]);
    return 1;
}

enum { STEPS = 200 };

sw_status sw_cup_wall_of_surface(const sw_cup *cup, const sw_yield *surface, double angle, double *height)
{
    const double h = log(cup->blank_radius / cup->cup_radius) / STEPS;
    sector s = {.surface = surface};
    place at = {SW_PI / 2, 0, 0};
    sw_uniaxial_stress(angle, s.radial);
    sw_uniaxial_stress(angle + SW_PI / 2, s.hoop);
    for (int i = 0; i < STEPS; i++)
        if (!advance(&s, i * h, h, &at))
            return sw_error(
                SW_ERR_RANGE,
                "drawing ratio %g: the sheet bears no more than about %.3g at %.3g degrees, where its radial "
                "stress is the largest that it can be",
                cup->blank_radius / cup->cup_radius, exp(i * h), angle * 180 / SW_PI);
    *height = cup->cup_radius * at.wall;
    return SW_OK;
}

double sw_cup_height(const sw_cup *cup, double wall) { return wall + (2 - SW_PI / 2) * cup->corner_radius; }

/* ---- Ears ---- */

/* Extremes around a rim, beginning at its highest point: in turn troughs and ears, each `least` from the one before. */
typedef struct {
    double least, ears, troughs; /* sums of heights */
    int n_ears, n_troughs, falls;
    double extreme;
} walk;

static void pass(walk *w, double height)
{
    const int further = w->falls ? height <= w->extreme : height >= w->extreme;
    if (further)
        w->extreme = height;
    else if (fabs(height - w->extreme) > w->least) {
        *(w->falls ? &w->troughs : &w->ears) += w->extreme;
        w->n_troughs += w->falls;
        w->n_ears += !w->falls;
        w->falls = !w->falls;
        w->extreme = height;
    }
}

sw_ears sw_ears_of(int n, const double *height, double least)
{
    int top = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += height[i];
        if (height[i] > height[top])
            top = i;
    }
    const double mean = sum / n;
    walk w = {.least = least * mean, .falls = 1, .extreme = height[top]};
    for (int i = 1; i <= n; i++)
        pass(&w, height[(top + i) % n]);
    if (w.n_troughs == 0)
        return (sw_ears){0, mean, mean, mean, 0};
    w.n_ears++; /* the highest point, where the walk ends */
    w.ears += height[top];
    const double peak = w.ears / w.n_ears, trough = w.troughs / w.n_troughs;
    return (sw_ears){w.n_ears, mean, peak, trough, 100 * (peak / trough - 1)};
}
