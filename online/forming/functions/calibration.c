#include "calibration.h"

#include <cminpack.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "common/system/progress.h"

const char *const sw_calibration_kind_names[SW_CALIBRATION_KINDS] = {[SW_CALIBRATION_STRESS] = "stress",
                                                                     [SW_CALIBRATION_R] = "r",
                                                                     [SW_CALIBRATION_BIAXIAL_STRESS] =
                                                                         "biaxial_stress",
                                                                     [SW_CALIBRATION_BIAXIAL_R] = "biaxial_r",
                                                                     [SW_CALIBRATION_POINT] = "points",
                                                                     [SW_CALIBRATION_FLOW] = "flow"};

const char *const sw_identification_names[SW_IDENTIFICATIONS] = {
    [SW_BY_R] = "r", [SW_BY_STRESS] = "stress", [SW_BY_WEIGHTS] = "weights"};

/* Each coefficient is drawn to its isotropic value by a residual of this times the difference: what the sheet does not
 * determine stays there, and what it does is moved by the square of it. */
static const double DRAWN = 1e-6;

/* Change of residuals by a coefficient, from which it is determined. */
static const double SEEN = 1e-5; /* ten times what DRAWN makes of a change by one */

/* Relative change of the sum of squares, and of coefficients, at which a start is compared with others. */
static const double ROUGHLY = 1e-3;

/* Of a coefficient, where slopes are asked for that none at zero has. */
static const double BESIDE_ZERO = 0.05;

/* Residuals of a descent, at most. */
enum { MOST = 1000 };

/* Other starts: isotropic values times a factor between these. Coefficients of sharp textures are small or of the other
 * sign, and a search from positive ones seldom goes through zero: there a coefficient that counts by its size, as a
 * shear's does, has no slope. */
static const double LEAST_FACTOR = -1, MOST_FACTOR = 2;

/* Of central differences: the cube root of round-off, coefficients being of order 1. */
static const double STEP = 6e-6;

/* A shear of a point, over its largest component, that counts as none: what is left of one that was to be zero, and what a
 * sheet of crystals that is not quite orthotropic has by itself. Taken for data, it would say anything of shear. */
static const double NO_SHEAR = 0.01;

/* Relative change of the sum of squares that a sign may make for it not to matter. */
static const double SAME = 1e-6;

/* A fit on its way. The residuals of an item are next to each other: one, or six for a direction of flow. */
typedef struct {
    const sw_sheet *sheet;
    sw_yield surface;
    int n_items;
    const sw_calibration_item *item;
    sw_identification by;
    double weight[SW_CALIBRATION_KINDS];
    int scale; /* the item that sets it although it has no weight; -1: none */
    int residuals;
    double *below; /* [m] of column_at */
    int64_t evaluations;
} problem;

/* ---- What a surface says of an item ---- */

static double size_of(const double s[6])
{
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* The stress along a point's ray over the point's, and the unit tensor of flow there less that which is given; its shear
 * components count twice. */
static double point_answer(const sw_yield *surface, const sw_sheet_point *point, double miss[6])
{
    double d[6];
    const double phi = sw_yield_value(surface, point->stress, d);
    const double size = fmax(size_of(d), DBL_MIN), given = fmax(size_of(point->strain_rate), DBL_MIN);
    for (int i = 0; i < 6; i++)
        miss[i] = (i < 3 ? 1 : sqrt(2)) * (d[i] / size - point->strain_rate[i] / given);
    return surface->reference / phi;
}

/* What a surface says where an item is: its stress over what is given or over the reference, and q or the flow's miss. */
typedef struct {
    double stress, q, flow[6];
} answer;

static answer answer_of(const sw_yield *surface, const sw_sheet *sheet, const sw_calibration_item *item)
{
    answer a = {0};
    switch (item->kind) {
    case SW_CALIBRATION_STRESS:
    case SW_CALIBRATION_R:
        sw_yield_uniaxial(surface, sheet->tension[item->number].angle, &a.stress, &a.q);
        a.stress /= surface->reference;
        break;
    case SW_CALIBRATION_BIAXIAL_STRESS:
    case SW_CALIBRATION_BIAXIAL_R:
        sw_yield_biaxial(surface, &a.stress, &a.q);
        a.stress /= surface->reference;
        break;
    case SW_CALIBRATION_POINT:
    case SW_CALIBRATION_FLOW:
        a.stress = point_answer(surface, &sheet->point[item->number], a.flow);
        break;
    case SW_CALIBRATION_KINDS:
        break;
    }
    return a;
}

static int is_stress(sw_calibration_kind kind)
{
    return kind == SW_CALIBRATION_STRESS || kind == SW_CALIBRATION_BIAXIAL_STRESS ||
           kind == SW_CALIBRATION_POINT;
}

/* Angle between unit tensors of this difference. */
static double angle_of(const double miss[6])
{
    double square = 0;
    for (int i = 0; i < 6; i++)
        square += miss[i] * miss[i];
    return 2 * asin(fmin(sqrt(square) / 2, 1));
}

static double fitted_value(const sw_yield *surface, const sw_sheet *sheet, const sw_calibration_item *item)
{
    const answer a = answer_of(surface, sheet, item);
    return is_stress(item->kind) ? a.stress : item->kind == SW_CALIBRATION_FLOW ? angle_of(a.flow) : a.q;
}

/* Residuals of an item -> how many. Of stresses given / fitted - 1, which is linear in phi. */
static int item_residuals(const sw_calibration_item *item, const answer *a, double weight, double *residual)
{
    const int n = item->kind == SW_CALIBRATION_FLOW ? 6 : 1;
    for (int i = 0; i < n; i++)
        residual[i] = weight * (n == 6                  ? a->flow[i]
                                : is_stress(item->kind) ? item->given / a->stress - 1
                                                        : a->q - item->given);
    return n;
}

/* Whether an item is about the same tension or point as the one before: kinds come in pairs. */
static int is_with_last(const problem *p, int i)
{
    return i > 0 && p->item[i].kind % 2 == 1 && p->item[i - 1].kind == p->item[i].kind - 1 &&
           p->item[i - 1].number == p->item[i].number;
}

/* How far a tension is from the rolling direction, from which axis 1 runs both ways. */
static double from_rolling(double angle) { return fabs(sin(angle)); }

/* Number of 0, 45 and 90 degrees that a tension is along, by symmetry; -1: none. */
static int classical_angle(double angle)
{
    const double square = pow(from_rolling(angle), 2);
    for (int k = 0; k < 3; k++)
        if (fabs(square - 0.5 * k) < 1e-5)
            return k;
    return -1;
}

/* What Hill's coefficients are identified by, each with the weight 1. */
static int is_classical(const problem *p, const sw_calibration_item *item)
{
    if (item->kind == SW_CALIBRATION_BIAXIAL_STRESS)
        return p->by == SW_BY_STRESS;
    return item->kind == (p->by == SW_BY_R ? SW_CALIBRATION_R : SW_CALIBRATION_STRESS) &&
           classical_angle(p->sheet->tension[item->number].angle) >= 0;
}

static double weight_of(const problem *p, int i)
{
    if (i == p->scale)
        return 1;
    return p->by == SW_BY_WEIGHTS ? p->weight[p->item[i].kind] : is_classical(p, &p->item[i]);
}

/* residual [m] at coefficients x [n]. What has no value is a large miss. */
static void residuals_at(problem *p, int m, int n, const double *x, double *residual)
{
    int k = 0;
    answer a = {0};
    memcpy(p->surface.coefficient, x, (size_t)n * sizeof *x);
    for (int i = 0; i < p->n_items; i++) {
        if (!is_with_last(p, i))
            a = answer_of(&p->surface, p->sheet, &p->item[i]);
        if (weight_of(p, i) > 0)
            k += item_residuals(&p->item[i], &a, weight_of(p, i), residual + k);
    }
    for (int i = 0; i < n; i++)
        residual[k++] = DRAWN * (x[i] - p->surface.function->isotropic[i]);
    for (int i = 0; i < m; i++)
        if (!isfinite(residual[i]))
            residual[i] = 1e6;
    p->evaluations++;
}

/* Column j of the Jacobian by central differences. */
static void column_at(problem *p, int m, int n, const double *x, int j, double *column)
{
    double there[SW_YIELD_COEFFICIENTS];
    memcpy(there, x, (size_t)n * sizeof *x);
    there[j] = x[j] + STEP;
    residuals_at(p, m, n, there, column);
    there[j] = x[j] - STEP;
    residuals_at(p, m, n, there, p->below);
    for (int i = 0; i < m; i++)
        column[i] = (column[i] - p->below[i]) / (2 * STEP);
}

/* What MINPACK asks for: residuals (iflag 1), or the Jacobian, column by column (2). Less than 0: end. */
static int tell(void *context, int m, int n, const double *x, double *residual, double *jacobian, int rows,
                int iflag)
{
    if (iflag == 1)
        residuals_at(context, m, n, x, residual);
    for (int j = 0; iflag == 2 && j < n; j++)
        column_at(context, m, n, x, j, jacobian + (size_t)j * (size_t)rows);
    return sw_interrupt_check() == SW_OK ? 0 : -1;
}

/* ---- Items of a sheet ---- */

static void add(sw_calibration *fit, sw_calibration_kind kind, int number, double given)
{
    fit->item[fit->n_items++] = (sw_calibration_item){kind, number, given, NAN};
    fit->given[kind]++;
}

/* Of component k = 3, 4 or 5. */
static int has_shear(const double s[6], int k)
{
    double largest = 0;
    for (int i = 0; i < 6; i++)
        largest = fmax(largest, fabs(s[i]));
    return fabs(s[k]) > NO_SHEAR * largest;
}

static int is_out_of_plane(const double s[6]) { return has_shear(s, 3) || has_shear(s, 4); }

/* As an orthotropic sheet has it: without shears that are none, and where fewer than two are left, which make flow of the
 * third, without flow of these. */
static void make_orthotropic(sw_sheet_point *p)
{
    const int there[3] = {has_shear(p->stress, 3), has_shear(p->stress, 4), has_shear(p->stress, 5)};
    const int shears = there[0] + there[1] + there[2];
    for (int k = 0; k < 3; k++) {
        p->stress[3 + k] *= there[k];
        p->strain_rate[3 + k] *= there[k] || shears == 2;
    }
}

static sw_status copy_points(const sw_sheet *sheet, sw_sheet *own)
{
    *own = *sheet;
    SW_TRY(SW_ALLOCATE(own->point, sheet->n_points + 1, "points of a yield surface"));
    for (int i = 0; i < sheet->n_points; i++) {
        own->point[i] = sheet->point[i];
        make_orthotropic(&own->point[i]);
    }
    return SW_OK;
}

static void list_items(const sw_sheet *sheet, double reference, sw_calibration *fit)
{
    for (int i = 0; i < sheet->n_tensions; i++) {
        if (isfinite(sheet->tension[i].stress))
            add(fit, SW_CALIBRATION_STRESS, i, sheet->tension[i].stress / reference);
        if (!isnan(sheet->tension[i].r))
            add(fit, SW_CALIBRATION_R, i, sw_q_of_r(sheet->tension[i].r));
    }
    if (sheet->biaxial_stress > 0)
        add(fit, SW_CALIBRATION_BIAXIAL_STRESS, 0, sheet->biaxial_stress / reference);
    if (sheet->biaxial_stress > 0 && !isnan(sheet->biaxial_r))
        add(fit, SW_CALIBRATION_BIAXIAL_R, 0, sw_q_of_r(sheet->biaxial_r));
    for (int i = 0; i < sheet->n_points; i++) {
        if (fit->surface.function->plane_stress && is_out_of_plane(sheet->point[i].stress)) {
            fit->skipped++;
            continue;
        }
        add(fit, SW_CALIBRATION_POINT, i, 1);
        if (size_of(sheet->point[i].strain_rate) > 0)
            add(fit, SW_CALIBRATION_FLOW, i, 0);
    }
}

/* The stress that phi is to have: of the tension nearest to the rolling direction, or else what there is. */
static double reference_of(const sw_sheet *sheet)
{
    int nearest = -1;
    for (int i = 0; i < sheet->n_tensions; i++)
        if (isfinite(sheet->tension[i].stress) &&
            (nearest < 0 ||
             from_rolling(sheet->tension[i].angle) < from_rolling(sheet->tension[nearest].angle)))
            nearest = i;
    if (nearest >= 0)
        return sheet->tension[nearest].stress;
    if (sheet->biaxial_stress > 0)
        return sheet->biaxial_stress;
    const sw_yield mises = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    return sheet->n_points > 0 ? sw_yield_value(&mises, sheet->point[0].stress, NULL) : 1;
}

static sw_status check(const sw_sheet *sheet)
{
    for (int i = 0; i < sheet->n_tensions; i++)
        if (!(isnan(sheet->tension[i].stress) ||
              (sheet->tension[i].stress > 0 && isfinite(sheet->tension[i].stress))))
            return sw_error(SW_ERR_RANGE, "stress = %g Pa in tension %d: need a finite one > 0",
                            sheet->tension[i].stress, i + 1);
    for (int i = 0; i < sheet->n_points; i++)
        if (!(size_of(sheet->point[i].stress) > 0 && isfinite(size_of(sheet->point[i].stress))))
            return sw_error(SW_ERR_RANGE, "point %d of the yield surface: need a stress that is not 0",
                            i + 1);
    return SW_OK;
}

static void weigh(const sw_calibration_weights *w, double weight[SW_CALIBRATION_KINDS])
{
    weight[SW_CALIBRATION_STRESS] = w->stress;
    weight[SW_CALIBRATION_R] = w->r;
    weight[SW_CALIBRATION_BIAXIAL_STRESS] = w->biaxial * w->stress;
    weight[SW_CALIBRATION_BIAXIAL_R] = w->biaxial * w->r;
    weight[SW_CALIBRATION_POINT] = w->points * w->stress;
    weight[SW_CALIBRATION_FLOW] = w->points * w->r;
}

/* Whether item i would set the scale rather than another, -1: than none: the reference stress does, whose tension is nearest
 * to the rolling direction. */
static int is_rather_scale(const problem *p, int i, int than)
{
    const sw_calibration_item *item = p->item;
    if (than < 0 || item[i].kind != SW_CALIBRATION_STRESS)
        return than < 0;
    return item[than].kind != SW_CALIBRATION_STRESS ||
           from_rolling(p->sheet->tension[item[i].number].angle) <
               from_rolling(p->sheet->tension[item[than].number].angle);
}

/* Counts the residuals, and finds what sets the scale. SW_ERR_RANGE: there is nothing to fit. */
static sw_status set_up(const sw_sheet *sheet, const sw_calibration_weights *weights,
                        const sw_calibration *fit, problem *p)
{
    *p = (problem){.sheet = sheet,
                   .surface = fit->surface,
                   .n_items = fit->n_items,
                   .item = fit->item,
                   .by = fit->by,
                   .scale = -1};
    weigh(weights, p->weight);
    int scale = -1, scaled = 0, some = 0;
    for (int i = 0; i < p->n_items; i++) {
        some |= weight_of(p, i) > 0;
        if (!is_stress(p->item[i].kind))
            continue;
        scale = is_rather_scale(p, i, scale) ? i : scale;
        scaled |= weight_of(p, i) > 0;
    }
    if (!some)
        return sw_error(SW_ERR_RANGE, "%s: nothing of the sheet has a weight", fit->surface.function->name);
    if (!scaled)
        p->scale = scale;
    for (int i = 0; i < p->n_items; i++)
        if (weight_of(p, i) > 0)
            p->residuals += p->item[i].kind == SW_CALIBRATION_FLOW ? 6 : 1;
    return SW_OK;
}

/* ---- Least squares ---- */

/* What lmder works in: m residuals, n coefficients. */
typedef struct {
    int m, n;
    double *memory, *residual, *jacobian, *work;
} space;

static sw_status make_space(problem *p, int m, int n, space *s)
{
    *s = (space){.m = m, .n = n};
    SW_TRY(
        SW_ALLOCATE(s->memory, (size_t)m * (size_t)(n + 3) + 5 * (size_t)n, "residuals of a yield function"));
    s->residual = s->memory;
    p->below = s->residual + m;
    s->jacobian = p->below + m;
    s->work = s->jacobian + (size_t)m * (size_t)n;
    return SW_OK;
}

static double square_of(const space *s)
{
    double square = 0;
    for (int i = 0; i < s->m; i++)
        square += s->residual[i] * s->residual[i];
    return square;
}

/* From x [n] on -> where the sum of squares is least to a relative tolerance, of `most` residuals; its value. The
 * Jacobian's triangular factor stays in the space. */
static double descend(problem *p, const space *s, double tolerance, int most, double *x)
{
    int residuals = 0, jacobians = 0, pivot[SW_YIELD_COEFFICIENTS];
    const int n = s->n;
    double *w = s->work;
    lmder(tell, p, s->m, n, x, s->residual, s->jacobian, s->m, tolerance, tolerance, 0, most, w, 1, 100, 0,
          &residuals, &jacobians, pivot, w + n, w + 2 * n, w + 3 * n, w + 4 * n, w + 5 * n);
    return square_of(s);
}

/* How many coefficients are determined: diagonal elements of the factor that are more than what draws each coefficient. Of
 * one at zero that counts by its size there is no slope: beside it there is. */
static int determined_at(problem *p, const space *s, const double *x)
{
    double there[SW_YIELD_COEFFICIENTS];
    int determined = 0;
    for (int i = 0; i < s->n; i++)
        there[i] = copysign(fmax(fabs(x[i]), BESIDE_ZERO), x[i]);
    descend(p, s, ROUGHLY, 1, there);
    for (int i = 0; i < s->n; i++)
        determined += fabs(s->jacobian[i + (size_t)i * (size_t)s->m]) > SEEN;
    return determined;
}

static void begin_at(const sw_yield_function *f, uint64_t seed, int64_t start, double *x)
{
    for (int i = 0; i < f->coefficients; i++) {
        double u[4];
        sw_random_uniform4(seed, (uint64_t)start, (uint64_t)i, u);
        x[i] = f->isotropic[i] * (start == 0 ? 1 : LEAST_FACTOR + (MOST_FACTOR - LEAST_FACTOR) * u[0]);
    }
}

static double square_at(problem *p, const space *s, const double *x)
{
    residuals_at(p, s->m, s->n, x, s->residual);
    return square_of(s);
}

/* Where the coefficients of a set, bit i for i, are negative by most of them, and others as good: those. */
static void turn_signs_of(problem *p, const space *s, unsigned set, double *x)
{
    double other[SW_YIELD_COEFFICIENTS], sum = 0;
    for (int i = 0; i < s->n; i++) {
        other[i] = set >> i & 1 ? -x[i] : x[i];
        sum += set >> i & 1 ? x[i] : 0;
    }
    if (!(sum < 0))
        return;
    const double before = square_at(p, s, x);
    if (square_at(p, s, other) <= before + SAME * (before + DRAWN))
        memcpy(x, other, (size_t)s->n * sizeof *x);
}

/* Of sets of coefficients, then of those of shear one by one. */
static void turn_signs(problem *p, const space *s, double *x)
{
    for (int k = 0; k < 2; k++)
        turn_signs_of(p, s, p->surface.function->even[k], x);
    for (int i = 0; i < s->n; i++)
        turn_signs_of(p, s, 1U << i, x);
}

/* Whether any residual changes as coefficient j of x goes to a value. */
static int is_seen_at(problem *p, const space *s, const double *x, int j, double value)
{
    double there[SW_YIELD_COEFFICIENTS], square = 0;
    memcpy(there, x, (size_t)s->n * sizeof *x);
    there[j] = value;
    residuals_at(p, s->m, s->n, x, s->residual);
    residuals_at(p, s->m, s->n, there, p->below);
    for (int i = 0; i < p->residuals; i++)
        square += pow(p->below[i] - s->residual[i], 2);
    return !(sqrt(square) <= SEEN);
}

/* Coefficients that change no residual wherever they go: exactly isotropic, and noted. Slopes do not tell: at zero a
 * coefficient that counts by its size has none, and both +x and -x are as good. */
static void note_undetermined(problem *p, const space *s, sw_yield *surface)
{
    static const double factor[] = {0, 1, 2};
    double *x = surface->coefficient;
    for (int j = 0; j < s->n; j++) {
        const double isotropic = surface->function->isotropic[j];
        int seen = 0;
        for (int k = 0; k < 3 && !seen; k++)
            seen = is_seen_at(p, s, x, j, factor[k] * isotropic);
        if (seen)
            continue;
        x[j] = isotropic;
        surface->undetermined |= 1U << j;
    }
}

/* All starts to ROUGHLY -> the best of them. */
static sw_status search_all(problem *p, const space *s, int64_t starts, uint64_t seed, sw_calibration *fit)
{
    const sw_yield_function *f = fit->surface.function;
    double least = INFINITY, x[SW_YIELD_COEFFICIENTS];
    for (int64_t start = 0; start < starts; start++) {
        begin_at(f, seed, start, x);
        const double square = descend(p, s, ROUGHLY, MOST, x);
        SW_TRY(sw_interrupt_check());
        if (square < least)
            memcpy(fit->surface.coefficient, x, (size_t)f->coefficients * sizeof *x);
        least = fmin(least, square);
    }
    return SW_OK;
}

/* And from there to the end. */
static sw_status search(problem *p, int64_t starts, uint64_t seed, sw_calibration *fit)
{
    const int n = fit->surface.function->coefficients;
    space s;
    SW_TRY(make_space(p, p->residuals + n, n, &s));
    sw_status status = search_all(p, &s, starts, seed, fit);
    if (status == SW_OK) {
        turn_signs(p, &s, fit->surface.coefficient);
        descend(p, &s, 10 * DBL_EPSILON, MOST, fit->surface.coefficient);
        fit->determined = determined_at(p, &s, fit->surface.coefficient);
        note_undetermined(p, &s, &fit->surface);
        status = sw_interrupt_check();
    }
    fit->evaluations = p->evaluations;
    free(s.memory);
    return status;
}

static void report(const sw_sheet *sheet, sw_calibration *fit)
{
    for (int i = 0; i < fit->n_items; i++) {
        sw_calibration_item *item = &fit->item[i];
        item->fitted = fitted_value(&fit->surface, sheet, item);
        const double miss = fabs(item->fitted - item->given);
        fit->rms[item->kind] += miss * miss / fit->given[item->kind];
        fit->largest[item->kind] = fmax(fit->largest[item->kind], miss);
    }
    for (int k = 0; k < SW_CALIBRATION_KINDS; k++)
        fit->rms[k] = sqrt(fit->rms[k]);
}

static sw_status begin(const sw_sheet *sheet, sw_calibration *fit)
{
    fit->surface.reference = reference_of(sheet);
    SW_TRY(SW_ALLOCATE(fit->item, 2 * (sheet->n_tensions + sheet->n_points + 1),
                       "what a yield function is fitted to"));
    list_items(sheet, fit->surface.reference, fit);
    return SW_OK;
}

static sw_status fit_all(const sw_sheet *sheet, const sw_calibration_weights *weights, int64_t starts,
                         uint64_t seed, sw_calibration *fit)
{
    problem p;
    SW_TRY(begin(sheet, fit));
    SW_TRY(set_up(sheet, weights, fit, &p));
    SW_TRY(search(&p, starts, seed, fit));
    report(sheet, fit);
    return SW_OK;
}

static sw_status calibrate(sw_identification by, const sw_yield *surface, const sw_sheet *sheet,
                           const sw_calibration_weights *weights, int64_t starts, uint64_t seed,
                           sw_calibration *fit)
{
    sw_sheet own;
    *fit =
        (sw_calibration){.by = by, .surface = {.function = surface->function, .exponent = surface->exponent}};
    SW_TRY(check(sheet));
    SW_TRY(copy_points(sheet, &own));
    const sw_status status = fit_all(&own, weights, starts, seed, fit);
    free(own.point);
    if (status != SW_OK)
        sw_calibration_free(fit);
    return status;
}

sw_status sw_calibrate(const sw_yield *surface, const sw_sheet *sheet, const sw_calibration_weights *weights,
                       int64_t starts, uint64_t seed, sw_calibration *fit)
{
    return calibrate(SW_BY_WEIGHTS, surface, sheet, weights, starts, seed, fit);
}

sw_status sw_calibration_restore(const sw_sheet *sheet, sw_calibration *fit)
{
    sw_sheet own;
    SW_TRY(copy_points(sheet, &own));
    const sw_status status = begin(&own, fit);
    if (status == SW_OK)
        report(&own, fit);
    free(own.point);
    return status;
}

/* ---- Hill's coefficients ---- */

static sw_status check_classical(sw_identification by, const sw_sheet *sheet)
{
    int there = 0;
    for (int i = 0; i < sheet->n_tensions; i++) {
        const sw_sheet_tension *t = &sheet->tension[i];
        const int angle = classical_angle(t->angle);
        if (angle >= 0 && !isnan(by == SW_BY_R ? t->r : t->stress))
            there |= 1 << angle;
    }
    if (there == 7 && (by == SW_BY_R || sheet->biaxial_stress > 0))
        return SW_OK;
    return sw_error(SW_ERR_RANGE, "hill48 by %s: need tensions at 0, 45 and 90 degrees%s",
                    sw_identification_names[by], by == SW_BY_R ? "" : " and the balanced biaxial stress");
}

sw_status sw_calibrate_hill48(sw_identification by, const sw_sheet *sheet, sw_calibration *fit)
{
    static const sw_calibration_weights none = {0, 0, 0, 0};
    const sw_yield hill48 = sw_yield_isotropic(SW_YIELD_HILL48, 2, 1);
    SW_TRY(check_classical(by, sheet));
    return calibrate(by, &hill48, sheet, &none, 1, 0, fit);
}

/* ---- Misses ---- */

const sw_calibration_item *sw_calibration_worst(const sw_calibration *fit, unsigned kinds, double *miss)
{
    const sw_calibration_item *worst = NULL;
    *miss = -1;
    for (int i = 0; i < fit->n_items; i++) {
        const sw_calibration_item *item = &fit->item[i];
        const double own = fabs(item->fitted - item->given) / (is_stress(item->kind) ? item->given : 1);
        if (!(kinds >> item->kind & 1) || own <= *miss)
            continue;
        worst = item;
        *miss = own;
    }
    return worst;
}

void sw_calibration_free(sw_calibration *fit)
{
    free(fit->item);
    fit->item = NULL;
    fit->n_items = 0;
}
