/* With Delta^l = d^l(pi / 2) the harmonics of rotations Z(phi1) X(Phi) Z(phi2) are
 *
 *     D^l_mn = sum over k of Delta_mk Delta_nk exp -i (m phi1 + k Phi + n phi2)
 *
 * (a turn about X is one about Z between quarter turns about Y). What m, k, n and their opposites share:
 * Delta_-mk = (-1)^(l+k) Delta_mk, Delta_m-k = (-1)^(l+m) Delta_mk, and C_-m-n = (-1)^(m+n) conj(C_mn) of a real
 * function. Kept are n >= 0, of which only multiples of the group's fold do not vanish. */
#include "odf_series.h"

#include <complex.h>
#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/math/transform.h"
#include "common/system/threads.h"

enum { L = SW_ODF_DEGREE, DEGREES = L + 1, SIDE = SW_TORUS_SIDE, SPAN = SW_TORUS_SPAN };

typedef double complex number;

struct sw_odf_series {
    const sw_point_group *group;
    int fold, columns;      /* n = fold j, j = 0 .. columns - 1 */
    double kernel[DEGREES]; /* a_l; a_0 = 1 */
    double spline[DEGREES]; /* one over the splines' transform, for a circle of SIDE cells */
    double *delta;          /* rows of packed matrices: delta_row */
    number *coefficient;    /* [l][m = -l .. l][j]: coefficient_at */
};

/* ---- Tables ---- */

/* Delta^l_mk, k = 0 .. l, for m >= 0. */
static double *delta_row(const sw_odf_series *s, int l, int m)
{
    return s->delta + l * (l + 1) * (2 * l + 1) / 6 + m * (l + 1);
}

static number *coefficient_at(const sw_odf_series *s, int l, int m)
{
    return s->coefficient + (l * l + l + m) * s->columns;
}

static double sign_of(int power) { return power & 1 ? -1 : 1; }

/* d^l_mk(pi / 2), m >= k >= 0, of all degrees by the recursion in l (Varshalovich et al. 1988, 4.8.2), stable upwards,
 * from d^m_mk = (-1)^(m-k) 2^-m sqrt(binomial(2 m, m + k)). */
static void fill_delta(sw_odf_series *s)
{
    double lowest = 1; /* 2^-m sqrt(binomial(2 m, 2 m)) */
    for (int m = 0; m <= L; m++, lowest *= 0.5) {
        double start = lowest;
        for (int k = m; k >= 0; k--) {
            double before = 0, here = sign_of(m - k) * start;
            for (int l = m; l <= L; l++) {
                delta_row(s, l, m)[k] = here;
                delta_row(s, l, k)[m] = sign_of(m - k) * here;
                const double mk = (double)m * k, up = l + 1.0,
                             low = sqrt(((double)l * l - m * m) * ((double)l * l - k * k));
                const double high = sqrt((up * up - m * m) * (up * up - k * k));
                const double next =
                    l == 0 ? 0 : -(up * low / l * before + (2 * l + 1) * mk / l * here) / high;
                before = here;
                here = next;
            }
            start *= sqrt((double)(m + k) / (m - k + 1));
        }
    }
}

/* a_l / a_(l-1) from those of binomial(2 kappa, kappa + l): cos^(2 kappa)(w / 2) is their sum over exp i l w. */
static void fill_kernel(sw_odf_series *s, int kappa)
{
    double binomial = 1;
    for (int l = 0; l <= L; l++) {
        s->kernel[l] = binomial * (2 * l + 1) * (kappa + 1) / (kappa + l + 1);
        binomial *= (double)(kappa - l) / (kappa + l + 1);
        binomial = binomial > 0 ? binomial : 0;
    }
}

static void fill_spline(sw_odf_series *s)
{
    for (int k = 0; k <= L; k++) {
        const double x = SW_PI * k / SIDE;
        s->spline[k] = k == 0 ? 1 : pow(x / sin(x), SPAN);
    }
}

/* ---- Transforms ---- */

static int wrapped(int k, int cells) { return k < 0 ? k + cells : k; }

/* Wave numbers (m, k) of a plane j of a half spectrum, [SIDE][SIDE][half], with the splines' transform. */
static double splines(const sw_odf_series *s, int m, int k, int j)
{
    return s->spline[m] * s->spline[k] * s->spline[j * s->fold];
}

/* Of real numbers to their half spectrum (forward) or back, once. */
static sw_status transform(int n_axes, const int cells[3], int forward, float *real, fftwf_complex *half)
{
    void *plan;
    SW_TRY(sw_transform_plan(n_axes, cells, forward, real, half, &plan));
    fftwf_execute(plan);
    sw_transform_destroy(plan);
    return SW_OK;
}

typedef struct {
    int axes, cells[3], halves;
    int64_t size, rows;
    float *real;         /* [rows][last of cells] */
    fftwf_complex *half; /* [rows][halves], zeros */
} field;

static sw_status open_field(int axes, int last, field *f)
{
    *f = (field){.axes = axes, .cells = {SIDE, axes == 3 ? SIDE : last, last}, .halves = last / 2 + 1};
    f->rows = axes == 3 ? SIDE * SIDE : SIDE;
    f->size = f->rows * last;
    SW_TRY(SW_ALLOCATE(f->real, f->size, "cells of a texture"));
    f->half = fftwf_alloc_complex((size_t)(f->rows * f->halves));
    if (f->half == NULL)
        return sw_error(SW_ERR_MEMORY, "no memory for waves of a texture");
    memset(f->half, 0, (size_t)(f->rows * f->halves) * sizeof *f->half);
    return SW_OK;
}

static void close_field(field *f)
{
    free(f->real);
    fftwf_free(f->half);
}

/* ---- From crystals to coefficients ---- */

typedef struct {
    double re[DEGREES], im[DEGREES]; /* by k */
} waves;

/* S(m, k, n) + (-1)^(m+n) S(m, -k, n), k > 0, of all crystals: what goes with Delta_mk Delta_nk. */
static void gather_waves(const sw_odf_series *s, const field *f, int m, int j, waves *w)
{
    const fftwf_complex *row = f->half + (int64_t)wrapped(m, SIDE) * SIDE * f->halves + j;
    const double sign = sign_of(m + s->fold * j);
    for (int k = 0; k <= L; k++) {
        const number a = row[k * f->halves], b = k > 0 ? row[(int64_t)(SIDE - k) * f->halves] : 0;
        const number sum = splines(s, abs(m), k, j) * (a + sign * b);
        w->re[k] = creal(sum);
        w->im[k] = -cimag(sum); /* FFTW's waves are exp -i */
    }
}

static number sum_waves(int n, const double *a, const double *b, const waves *w)
{
    double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
    for (int k = 0; k < n; k++) {
        re += a[k] * b[k] * w->re[k];
        im += a[k] * b[k] * w->im[k];
    }
    return re + I * im;
}

static void fill_coefficients(sw_odf_series *s, const field *f)
{
    for (int j = 0; j < s->columns; j++)
        for (int m = 0; m <= L; m++) {
            const int n = s->fold * j;
            waves plus, minus;
            gather_waves(s, f, m, j, &plus);
            gather_waves(s, f, -m, j, &minus);
            for (int k = 1; k <= L; k += 2) {
                minus.re[k] = -minus.re[k];
                minus.im[k] = -minus.im[k];
            }
            for (int l = m > n ? m : n; l <= L; l++) {
                const double *a = delta_row(s, l, m), *b = delta_row(s, l, n);
                coefficient_at(s, l, m)[j] = sum_waves(l + 1, a, b, &plus);
                coefficient_at(s, l, -m)[j] = sign_of(l) * sum_waves(l + 1, a, b, &minus);
            }
        }
}

/* ---- The group ---- */

/* D^l_mn of a rotation. */
static number harmonic(const sw_odf_series *s, int l, int m, int n, const double euler[3])
{
    const double *a = delta_row(s, l, abs(m)), *b = delta_row(s, l, abs(n));
    const double parity = sign_of((m < 0 ? l : 0) + (n < 0 ? l : 0)), alternate = (m < 0) != (n < 0) ? -1 : 1;
    const number turn = cexp(-I * (m * euler[0] + n * euler[2])), step = cexp(-I * euler[1]);
    number sum = a[0] * b[0], wave = 1;
    double sign = 1;
    for (int k = 1; k <= l; k++) {
        wave *= step;
        sign *= alternate;
        sum += sign * a[k] * b[k] * (wave + sign_of(m + n) * conj(wave));
    }
    return parity * turn * sum;
}

/* The group's rotations that differ by more than turns about axis 3 before and after, which leave what is kept
 * as it is; share [order]: of the group. Returns how many. */
static int double_cosets(const sw_odf_series *s, double euler[][3], double *share)
{
    const double part = 2 * SW_PI / s->fold;
    int count = 0;
    for (int i = 0; i < s->group->order; i++) {
        double e[3];
        int k = 0;
        sw_euler_from_quaternion(s->group->q[i], e);
        for (; k < count; k++) {
            const double a = (e[0] - euler[k][0]) / part, b = (e[2] - euler[k][2]) / part;
            if (fabs(e[1] - euler[k][1]) < 1e-9 && fabs(a - rint(a)) < 1e-9 && fabs(b - rint(b)) < 1e-9)
                break;
        }
        if (k == count) {
            memcpy(euler[count++], e, sizeof e);
            share[k] = 0;
        }
        share[k] += 1.0 / s->group->order;
    }
    return count;
}

/* C^l_mn, n = fold j of any sign. */
static number coefficient_of(const sw_odf_series *s, int l, int m, int j)
{
    return j >= 0 ? coefficient_at(s, l, m)[j]
                  : sign_of(m + s->fold * j) * conj(coefficient_at(s, l, -m)[-j]);
}

/* C -> C P, P the mean of D^l over the group. row: room for one degree. */
static void project(sw_odf_series *s, int l, int n_cosets, const double (*euler)[3], const double *share,
                    number *row, number *mean)
{
    const int most = l / s->fold, width = most + 1;
    for (int p = -most; p <= most; p++)
        for (int j = 0; j <= most; j++) {
            number sum = 0;
            for (int i = 0; i < n_cosets; i++)
                sum += share[i] * harmonic(s, l, s->fold * p, s->fold * j, euler[i]);
            mean[(p + most) * width + j] = sum;
        }
    for (int m = -l; m <= l; m++)
        for (int j = 0; j <= most; j++) {
            number sum = 0;
            for (int p = -most; p <= most; p++)
                sum += coefficient_of(s, l, m, p) * mean[(p + most) * width + j];
            row[(m + l) * width + j] = sum;
        }
    for (int m = -l; m <= l; m++)
        memcpy(coefficient_at(s, l, m), row + (m + l) * width, (size_t)width * sizeof *row);
}

static sw_status apply_group(sw_odf_series *s)
{
    double euler[SW_POINT_GROUP_ORDER][3], share[SW_POINT_GROUP_ORDER];
    const int n_cosets = double_cosets(s, euler, share);
    const int64_t most = (int64_t)(2 * L + 1) * s->columns;
    number *room;
    SW_TRY(SW_ALLOCATE(room, 2 * most, "harmonics of a point group"));
    for (int l = 0; l <= L; l++)
        project(s, l, n_cosets, (const double(*)[3])euler, share, room, room + most);
    free(room);
    return SW_OK;
}

/* ---- Series ---- */

static sw_status open_series(const sw_point_group *group, int kappa, sw_odf_series **series)
{
    sw_odf_series *s;
    *series = NULL;
    if (!(kappa >= 1 && kappa <= SW_ODF_KAPPA))
        return sw_error(SW_ERR_RANGE, "kappa = %d of a series: need 1 to %d", kappa, SW_ODF_KAPPA);
    SW_TRY(SW_ALLOCATE(s, 1, "a series of an ODF"));
    *series = s;
    *s = (sw_odf_series){.group = group, .fold = group->fold, .columns = L / group->fold + 1};
    SW_TRY(SW_ALLOCATE(s->delta, (int64_t)DEGREES * (DEGREES + 1) * (2 * DEGREES + 1) / 6,
                       "harmonics of rotations"));
    SW_TRY(SW_ALLOCATE(s->coefficient, (int64_t)DEGREES * DEGREES * s->columns, "coefficients of an ODF"));
    fill_delta(s);
    fill_kernel(s, kappa);
    fill_spline(s);
    return SW_OK;
}

static sw_status fill_series(sw_odf_series *s, const uint64_t *cell)
{
    field f = {0};
    double total = 0;
    sw_status status;
    SW_TRY_GOTO(status, open_field(3, SIDE / s->fold, &f), end);
    for (int64_t i = 0; i < f.size; i++)
        total += (double)(int64_t)cell[i];
    for (int64_t i = 0; i < f.size; i++)
        f.real[i] = (float)((double)(int64_t)cell[i] / total);
    SW_TRY_GOTO(status, transform(3, f.cells, 1, f.real, f.half), end);
    fill_coefficients(s, &f);
    status = apply_group(s);
end:
    close_field(&f);
    return status;
}

sw_status sw_odf_series_create(const sw_point_group *group, const uint64_t *cell, int kappa,
                               sw_odf_series **series)
{
    sw_status status = open_series(group, kappa, series);
    if (status == SW_OK)
        status = fill_series(*series, cell);
    if (status != SW_OK) {
        sw_odf_series_destroy(*series);
        *series = NULL;
    }
    return status;
}

sw_status sw_odf_series_of_crystals(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                                    const double *weight, int kappa, sw_odf_series **series)
{
    sw_torus_group folded;
    uint64_t *cell;
    *series = NULL;
    sw_torus_group_make(group, &folded);
    SW_TRY(SW_ALLOCATE(cell, sw_torus_size(&folded), "cells of a texture"));
    sw_status status = sw_torus_count(&folded, n_crystals, euler, weight, cell);
    if (status == SW_OK)
        status = sw_odf_series_create(group, cell, kappa, series);
    free(cell);
    return status;
}

void sw_odf_series_destroy(sw_odf_series *series)
{
    if (series == NULL)
        return;
    free(series->delta);
    free(series->coefficient);
    free(series);
}

double sw_odf_series_mean(const sw_odf_series *s)
{
    double mean = 0;
    for (int l = 0; l <= L; l++)
        for (int m = -l; m <= l; m++)
            for (int j = 0; j <= l / s->fold; j++) {
                const number c = coefficient_at(s, l, m)[j];
                mean += s->kernel[l] * (j == 0 ? 1 : 2) * creal(c * conj(c));
            }
    return mean;
}

/* ---- From coefficients to densities ---- */

/* Numbers of cells whose rows, along the last axis, go on beyond their end: what a point takes of a row is one vector. */
typedef struct {
    int row; /* cells, and LANES more */
    float *value;
} open_cells;

enum { LANES = 8 };
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef lanes unaligned_lanes __attribute__((aligned(sizeof(float)), may_alias));
_Static_assert((int)SPAN <= (int)LANES, "what a point takes of a row is one vector");

static sw_status open_rows(const field *f, open_cells *o)
{
    const int last = f->cells[f->axes - 1];
    *o = (open_cells){last + LANES, NULL};
    SW_TRY(SW_ALLOCATE(o->value, f->rows * o->row, "cells of a texture"));
    for (int64_t i = 0; i < f->rows; i++) {
        memcpy(o->value + i * o->row, f->real + i * last, (size_t)last * sizeof *o->value);
        memcpy(o->value + i * o->row + last, f->real + i * last, LANES * sizeof *o->value);
    }
    return SW_OK;
}

/* What a row adds at a place along it, before its weights. */
static lanes along(const open_cells *o, int64_t row, int32_t first)
{
    return *(const unaligned_lanes *)(o->value + row * o->row + first);
}

static double weigh(lanes sum, const float weight[SPAN])
{
    double total = 0;
    for (int k = 0; k < SPAN; k++)
        total += weight[k] * sum[k];
    return total > 0 ? total : 0; /* where it is nearly 0 */
}

/* Where a crystal of this orientation would be. */
static double at_orientation(const sw_torus_group *group, const open_cells *o, const double euler[3])
{
    sw_torus_place at;
    double q[4];
    lanes sum = {0};
    sw_quaternion_from_euler(euler, q);
    sw_torus_place_of(group, (const float[]){(float)q[0], (float)q[1], (float)q[2], (float)q[3]}, &at);
    for (int i = 0; i < SPAN; i++)
        for (int j = 0; j < SPAN; j++) {
            const int64_t row =
                (int64_t)sw_torus_cell(at.first[0], i, SIDE) * SIDE + sw_torus_cell(at.first[1], j, SIDE);
            sum += at.weight[0][i] * at.weight[1][j] * along(o, row, at.first[2]);
        }
    return weigh(sum, at.weight[2]);
}

/* The angles of a rotation that carries axis 3 to v. */
static void rotation_to(const double v[3], double euler[3])
{
    euler[0] = atan2(v[0], -v[1]);
    euler[1] = atan2(hypot(v[0], v[1]), v[2]);
    euler[2] = 0;
}

/* Of its two ends the upper. */
static double at_direction(const open_cells *o, const double v[3])
{
    const double sign = v[2] < 0 ? -1 : 1, up[3] = {sign * v[0], sign * v[1], sign * v[2]};
    const float side = (float)SIDE;
    double euler[3];
    int32_t first[2];
    float weight[2][SPAN];
    lanes sum = {0};
    rotation_to(up, euler);
    for (int a = 0; a < 2; a++)
        sw_torus_axis(sw_torus_cells((float)euler[a], side, side), SIDE, &first[a], weight[a]);
    for (int i = 0; i < SPAN; i++)
        sum += weight[0][i] * along(o, sw_torus_cell(first[0], i, SIDE), first[1]);
    return weigh(sum, weight[1]);
}

enum { POINT_NS = 150 };

/* At directions of a field of two axes, orientations of one of three. */
static sw_status evaluate(const sw_odf_series *s, field *f, int64_t n_points, const double (*point)[3],
                          double *density)
{
    sw_torus_group group;
    open_cells o;
    sw_torus_group_make(s->group, &group);
    for (int64_t i = 0; i < n_points; i++)
        if (!(isfinite(point[i][0]) && isfinite(point[i][1]) && isfinite(point[i][2])))
            return sw_error(SW_ERR_RANGE, "point %lld of a density is not finite", (long long)i);
    SW_TRY(transform(f->axes, f->cells, 0, f->real, f->half));
    SW_TRY(open_rows(f, &o));
#pragma omp parallel for num_threads(sw_threads_for(n_points, POINT_NS))
    for (int64_t i = 0; i < n_points; i++)
        density[i] = f->axes == 3 ? at_orientation(&group, &o, point[i]) : at_direction(&o, point[i]);
    free(o.value);
    return SW_OK;
}

static void put(fftwf_complex *at, double scale, double re, double im)
{
    *at = (float)(scale * re) - I * (float)(scale * im); /* FFTW's waves are exp +i */
}

/* Waves (m, k) and (m, -k) of column j from sums over l. */
static void put_waves(const sw_odf_series *s, field *f, int m, int j, const waves *w)
{
    fftwf_complex *row = f->half + (int64_t)wrapped(m, SIDE) * SIDE * f->halves + j;
    const double sign = sign_of(m + s->fold * j);
    for (int k = 0; k <= L; k++) {
        const double scale = splines(s, abs(m), k, j);
        if (k > 0)
            put(&row[(int64_t)wrapped(-k, SIDE) * f->halves], sign * scale, w->re[k], w->im[k]);
        put(&row[(int64_t)k * f->halves], scale, w->re[k], w->im[k]);
    }
}

static void add_waves(int n, const double *a, const double *b, number c, waves *w)
{
    const double re = creal(c), im = cimag(c);
#pragma omp simd
    for (int k = 0; k < n; k++) {
        w->re[k] += a[k] * b[k] * re;
        w->im[k] += a[k] * b[k] * im;
    }
}

static void fill_waves(const sw_odf_series *s, field *f)
{
    for (int j = 0; j < s->columns; j++)
        for (int m = 0; m <= L; m++) {
            const int n = s->fold * j;
            waves plus = {.re = {0}}, minus = {.re = {0}};
            for (int l = m > n ? m : n; l <= L; l++) {
                const double *a = delta_row(s, l, m), *b = delta_row(s, l, n);
                add_waves(l + 1, a, b, s->kernel[l] * coefficient_at(s, l, m)[j], &plus);
                add_waves(l + 1, a, b, s->kernel[l] * sign_of(l) * coefficient_at(s, l, -m)[j], &minus);
            }
            for (int k = 1; k <= L; k += 2) {
                minus.re[k] = -minus.re[k];
                minus.im[k] = -minus.im[k];
            }
            put_waves(s, f, m, j, &plus);
            if (m > 0)
                put_waves(s, f, -m, j, &minus);
        }
}

sw_status sw_odf_series_at(const sw_odf_series *s, int64_t n_points, const double (*point)[3],
                           double *density)
{
    field f = {0};
    sw_status status = open_field(3, SIDE / s->fold, &f);
    if (status == SW_OK) {
        fill_waves(s, &f);
        status = evaluate(s, &f, n_points, point, density);
    }
    close_field(&f);
    return status;
}

/* Of a function of directions, the sum over even l of q_lm D^l_m0, q [l][m = 0 .. l] in rows of DEGREES: both ends count. */
static sw_status evaluate_directions(const sw_odf_series *s, const number *q, int64_t n_points,
                                     const double (*direction)[3], double *density)
{
    field f = {0};
    sw_status status;
    SW_TRY_GOTO(status, open_field(2, SIDE, &f), end);
    for (int m = 0; m <= L; m++) {
        waves sum = {.re = {0}};
        for (int l = m + (m & 1); l <= L; l += 2)
            add_waves(l + 1, delta_row(s, l, m), delta_row(s, l, 0), s->kernel[l] * q[l * DEGREES + m], &sum);
        for (int k = 0; k <= L; k++) {
            const double scale = s->spline[m] * s->spline[k];
            put(&f.half[m * f.halves + k], scale, sum.re[k], sum.im[k]);
            if (m > 0) /* q_l-m = (-1)^m conj(q_lm) */
                put(&f.half[(SIDE - m) * f.halves + k], sign_of(m + k) * scale, sum.re[k], -sum.im[k]);
        }
    }
    status = evaluate(s, &f, n_points, direction, density);
end:
    close_field(&f);
    return status;
}

sw_status sw_odf_series_pole_figure(const sw_odf_series *s, const double pole[3], int64_t n_points,
                                    const double (*direction)[3], double *density)
{
    double to[3];
    number *q;
    SW_TRY(SW_ALLOCATE(q, DEGREES * DEGREES, "harmonics of a pole figure"));
    rotation_to(pole, to);
    for (int l = 0; l <= L; l += 2)
        for (int j = -(l / s->fold); j <= l / s->fold; j++) {
            const number of_pole = conj(harmonic(s, l, s->fold * j, 0, to));
            for (int m = 0; m <= l; m++)
                q[l * DEGREES + m] += coefficient_of(s, l, m, j) * of_pole;
        }
    const sw_status status = evaluate_directions(s, q, n_points, direction, density);
    free(q);
    return status;
}

/* Of crystals as they are the pole figure's harmonics of degree 2 are 5 times the mean of Legendre's P2(c . axis). */
double sw_odf_series_square(const sw_odf_series *s, const double axis[3])
{
    double to[3];
    number sum = 0;
    rotation_to(axis, to);
    for (int m = -2; m <= 2; m++)
        sum += coefficient_of(s, 2, m, 0) * harmonic(s, 2, m, 0, to);
    return (1 + 2 * creal(sum)) / 3;
}

sw_status sw_odf_series_inverse(const sw_odf_series *s, const double axis[3], int64_t n_points,
                                const double (*direction)[3], double *density)
{
    double to[3];
    number *q;
    SW_TRY(SW_ALLOCATE(q, DEGREES * DEGREES, "harmonics of an inverse pole figure"));
    rotation_to(axis, to);
    for (int l = 0; l <= L; l += 2)
        for (int m = -l; m <= l; m++) {
            const number of_axis = harmonic(s, l, m, 0, to);
            for (int j = 0; j <= l / s->fold; j++)
                q[l * DEGREES + s->fold * j] += conj(coefficient_at(s, l, m)[j] * of_axis);
        }
    const sw_status status = evaluate_directions(s, q, n_points, direction, density);
    free(q);
    return status;
}
