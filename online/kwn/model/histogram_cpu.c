/* The finite-volume step, fully implicit and upwind; or, third order, by what the faces sweep over.
 *
 * Particles leave class i through its upper face where that face grows, through its lower one where it
 * shrinks:
 *
 *     N_i' (1 + up_i + down_i) = N_i + source_i + moved up from i - 1 + moved down from i + 1.
 *
 * Growth changes its sign once along the axis, from - to +, so that no class takes from both sides, and the
 * tridiagonal system is two first-order recurrences which run away from r*: moved_i = q_i (N_i + source_i +
 * moved_{i-1}), q_i = out_i / (1 + out_i) < 1. Nothing is subtracted: numbers cannot become negative.
 *
 * Third order has two recurrences, too: moved_i = swept_i + passed_i moved_{i-1}, where only small particles that dissolve
 * move more than their class's width, and have a part that passes. */
#include "common/math/lanes_doubles.h"

#include "histogram_cpu.h"

#include <stdlib.h>
#include <string.h>

#define HALO SW_KWN_CPU_PAD

struct sw_kwn_workspace {
    /* Each starts after a halo of one vector and ends with one. */
    double *filled;    /* N + source */
    double *density;   /* the same per width */
    double *rate;      /* [P + 1] displacement of the lower face over the step, in units of scale */
    double *stay;      /* 1 / (1 + up + down) */
    double *up, *down; /* q of each direction; third order: the part that passes */
    double *moved_up, *moved_down;        /* out of a class; before the recurrence q (N + source) */
    int32_t first_up, last_up, last_down; /* classes that something passes through, in fours */
    double *memory;
};

sw_status sw_kwn_workspace_make(int64_t n_padded, sw_kwn_workspace **workspace)
{
    enum { ARRAYS = 8 };
    const int64_t length = n_padded + 2 * HALO;
    sw_kwn_workspace *w;
    *workspace = NULL;
    SW_TRY(SW_ALLOCATE(w, 1, "a workspace"));
    sw_status status = SW_ALLOCATE(w->memory, ARRAYS * length, "a workspace");
    if (status != SW_OK) {
        free(w);
        return status;
    }
    double **array[ARRAYS] = {&w->filled, &w->density, &w->rate,     &w->stay,
                              &w->up,     &w->down,    &w->moved_up, &w->moved_down};
    for (int i = 0; i < ARRAYS; i++)
        *array[i] = w->memory + i * length + HALO;
    *workspace = w;
    return SW_OK;
}

void sw_kwn_workspace_free(sw_kwn_workspace *workspace)
{
    if (workspace != NULL)
        free(workspace->memory);
    free(workspace);
}

static inline sw_real load(const double *p)
{
    sw_real x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline void store(double *p, sw_real x) { memcpy(p, &x, sizeof x); }

static inline double total(sw_real x)
{
    double sum = 0;
    for (int i = 0; i < SW_LANES; i++)
        sum += sw_lane(x, i);
    return sum;
}

static void add_nuclei(const sw_kwn_growth *growth, double part, double *number)
{
    if (!(growth->source > 0))
        return;
    number[growth->source_class] += part * growth->source * growth->source_part;
    number[growth->source_class + 1] += part * growth->source * (1 - growth->source_part);
}

static void fill(const sw_kwn_axis *axis, const sw_kwn_growth *growth, const double *old, sw_kwn_workspace *w)
{
    memcpy(w->filled, old, (size_t)axis->n_padded * sizeof *old);
    add_nuclei(growth, 1, w->filled);
    for (int32_t i = 0; i < axis->n_padded; i += SW_LANES)
        store(w->density + i, load(w->filled + i) * load(axis->inverse_width + i));
}

/* Between faces where the balance is solved, this many apart, w is the cubic through its values and slopes by x: off by
 * (x1 - x0)^4 / 384 of w's fourth derivative, some w / nu^4, so 2e-5 of w where they are no farther apart than FAR; where they are, and
 * where particles vanish, it is solved at every face. */
enum { APART = 8 };
#define FAR 0.3

/* x, w and slope [n / APART + 1] into the places of what a step computes later. */
static int32_t solve_some(const sw_kwn_axis *axis, const sw_kwn_several *several, sw_kwn_workspace *w)
{
    const int32_t last = axis->n_padded - 1, nodes = axis->n_padded / APART + 1;
    for (int32_t k = 0; k < nodes; k += SW_LANES) {
        sw_real face = sw_broadcast(0.0);
        for (int l = 0; l < SW_LANES; l++)
            sw_set_lane(&face, l, axis->inverse_face[(k + l) * APART < last ? (k + l) * APART : last]);
        const sw_real x = sw_kwn_excess(several, face), flux = sw_kwn_flux(several, x);
        store(w->up + k, x);
        store(w->down + k, flux);
        store(w->stay + k, sw_kwn_flux_slope(several, flux));
    }
    return nodes;
}

static void interpolate(const sw_kwn_axis *axis, const sw_kwn_several *several, int32_t k,
                        sw_kwn_workspace *w)
{
    const double distance = w->up[k + 1] - w->up[k], rise = w->down[k + 1] - w->down[k];
    const double s0 = w->stay[k] * distance, s1 = w->stay[k + 1] * distance;
    const sw_real per_distance = sw_broadcast(distance != 0 ? 1 / distance : 0), x0 = sw_broadcast(w->up[k]);
    const sw_real w0 = sw_broadcast(w->down[k]), c1 = sw_broadcast(s0),
                  c2 = sw_broadcast(3 * rise - 2 * s0 - s1), c3 = sw_broadcast(s0 + s1 - 2 * rise);
    for (int32_t i = k * APART; i < (k + 1) * APART; i += SW_LANES) {
        const sw_real face = load(axis->inverse_face + i);
        const sw_real t = (sw_kwn_excess(several, face) - x0) * per_distance;
        store(w->rate + i, face * (w0 + t * (c1 + t * (c2 + t * c3))));
    }
}

static void rates_of_several(const sw_kwn_axis *axis, const sw_kwn_several *several, sw_kwn_workspace *w)
{
    const int32_t nodes = solve_some(axis, several, w);
    for (int32_t k = 0; k < nodes - 1; k++) {
        if (fabs(w->up[k + 1] - w->up[k]) <= FAR && w->up[k] < several->limit) {
            interpolate(axis, several, k, w);
            continue;
        }
        for (int32_t i = k * APART; i < (k + 1) * APART; i += SW_LANES)
            store(w->rate + i, sw_kwn_rate_of_several(several, load(axis->inverse_face + i)));
    }
}

static void rates_of_one(const sw_kwn_axis *axis, const sw_kwn_growth *growth, sw_kwn_workspace *w)
{
    const sw_real speed = sw_broadcast(growth->speed), curvature = sw_broadcast(growth->curvature),
                  driving = sw_broadcast(growth->driving), ratio = sw_broadcast(growth->ratio),
                  limit = sw_broadcast(growth->limit);
    for (int32_t i = 0; i < axis->n_padded; i += SW_LANES)
        store(w->rate + i,
              sw_kwn_rate(load(axis->inverse_face + i), speed, curvature, driving, ratio, limit));
}

static void rates(const sw_kwn_axis *axis, const sw_kwn_growth *growth, sw_kwn_workspace *w)
{
    if (growth->several.n > 0)
        rates_of_several(axis, &growth->several, w);
    else
        rates_of_one(axis, growth, w);
    if (axis->n <= axis->n_padded)
        w->rate[axis->n] = 0; /* the largest size is closed, and nothing comes from below the smallest */
    w->rate[0] = w->rate[0] < 0 ? w->rate[0] : 0;
}

/* Something passes up or down through a bundle of classes from i on. */
static void note_passing(int32_t i, int up, int down, sw_kwn_workspace *w)
{
    if (up) {
        w->first_up = i < w->first_up ? i & ~3 : w->first_up;
        w->last_up = (i + SW_LANES - 1) | 3;
    }
    if (down)
        w->last_down = (i + SW_LANES - 1) | 3;
}

static void coefficients(const sw_kwn_axis *axis, int second_order, sw_kwn_workspace *w)
{
    const sw_real zero = sw_broadcast(0.0), one = sw_broadcast(1.0);
    w->first_up = axis->n_padded;
    w->last_up = w->last_down = -1;
    for (int32_t i = 0; i < axis->n_padded; i += SW_LANES) {
        const sw_real width = load(axis->inverse_width + i);
        sw_real up = sw_max(load(w->rate + i + 1), zero) * width;
        sw_real down = sw_max(zero - load(w->rate + i), zero) * width;
        const int rises = sw_any(SW_LESS(zero, up)), falls = sw_any(SW_LESS(zero, down));
        note_passing(i, rises, falls, w);
        if (second_order) { /* almost everywhere particles leave one way only */
            const sw_real below = load(w->density + i - 1), own = load(w->density + i),
                          above = load(w->density + i + 1);
            if (rises)
                up *= sw_kwn_steepness(below, own, above, up);
            if (falls)
                down *= sw_kwn_steepness(above, own, below, down);
        }
        const sw_real stay = sw_divide(one, one + up + down), filled = load(w->filled + i);
        store(w->stay + i, stay);
        store(w->up + i, up * stay);
        store(w->down + i, down * stay);
        store(w->moved_up + i, up * stay * filled);
        store(w->moved_down + i, down * stay * filled);
    }
}

/* What is swept over and what stays, third order. */
static void sweep(const sw_kwn_axis *axis, sw_kwn_workspace *w)
{
    const sw_real zero = sw_broadcast(0.0), one = sw_broadcast(1.0), half = sw_broadcast(0.5);
    w->first_up = axis->n_padded;
    w->last_up = w->last_down = -1;
    const sw_real widening = sw_broadcast(axis->widening), narrowing = sw_broadcast(1 / axis->widening);
    for (int32_t i = 0; i < axis->n_padded; i += SW_LANES) {
        const sw_real width = load(axis->inverse_width + i), own = load(w->filled + i);
        const sw_real below = widening * load(w->filled + i - 1), above = narrowing * load(w->filled + i + 1);
        const sw_real up = sw_max(load(w->rate + i + 1), zero) * width;
        const sw_real down = sw_max(zero - load(w->rate + i), zero) * width;
        const sw_real spread = (load(w->rate + i + 1) - load(w->rate + i)) * width;
        const sw_mask climbs = SW_LESS(zero, up), falls = SW_LESS(zero, down), both = climbs & falls;
        sw_real u = zero, d = zero, risen = zero, fallen = zero, stays = own, passes = zero;
        sw_real slope = zero, slope_down = zero;
        if (sw_any(climbs)) {
            u = sw_kwn_swept(up, spread);
            slope = sw_kwn_slope(below, own, above, u);
            risen = u * (own + half * (one - u) * slope);
            stays = (one - u) * (own - half * u * slope);
        }
        if (sw_any(falls)) {
            d = sw_kwn_swept(down, spread);
            slope_down = sw_kwn_slope(above, own, below, d);
            fallen = d * (own + half * (one - d) * slope_down);
            stays = sw_choose(falls, (one - d) * (own - half * d * slope_down), stays);
        }
        if (sw_any(SW_LESS(one, sw_max(up, down)))) {
            passes = one - sw_divide(one, sw_max(sw_max(up, down), one));
            note_passing(i, sw_any(SW_LESS(one, up)), sw_any(SW_LESS(one, down)), w);
        }
        if (sw_any(both)) { /* the class of r* */
            const sw_real share = sw_divide(one, sw_max(u + d, one)),
                          left = sw_max(zero, one - (u + d) * share);
            u *= share;
            d *= share;
            const sw_real more_up = sw_kwn_leaning(u, d, slope), more_down = sw_kwn_leaning(d, u, slope_down);
            risen = sw_choose(both, u * own + left * more_up, risen);
            fallen = sw_choose(both, d * own + left * more_down, fallen);
            stays = sw_choose(both, left * (own - more_up - more_down), stays);
        }
        store(w->stay + i, stays);
        store(w->up + i, sw_choose(climbs, passes, zero));
        store(w->down + i, sw_choose(falls, passes, zero));
        store(w->moved_up + i, risen);
        store(w->moved_down + i, fallen);
    }
}

/* moved += pass * that of the class before, four classes at a time, `step` 1 or -1 apart: only one product waits for the last four. */
static double pass_four(const double *pass, double *moved, int step, double before)
{
    const double a0 = pass[0], a1 = pass[step], a2 = pass[2 * step], a3 = pass[3 * step];
    const double b0 = moved[0], b1 = moved[step] + a1 * b0, b2 = moved[2 * step] + a2 * b1,
                 b3 = moved[3 * step] + a3 * b2;
    const double a10 = a1 * a0, a20 = a2 * a10, a30 = a3 * a20;
    moved[0] = b0 + a0 * before;
    moved[step] = b1 + a10 * before;
    moved[2 * step] = b2 + a20 * before;
    moved[3 * step] = b3 + a30 * before;
    return moved[3 * step];
}

/* What passes through classes. */
static void pass_on(sw_kwn_workspace *w)
{
    double up = 0, down = 0;
    if (w->last_up >= 0)
        up = w->moved_up[w->first_up - 1];
    for (int32_t i = w->first_up; i <= w->last_up; i += 4)
        up = pass_four(w->up + i, w->moved_up + i, 1, up);
    if (w->last_down >= 0)
        down = w->moved_down[w->last_down + 1];
    for (int32_t i = w->last_down; i >= 0; i -= 4)
        down = pass_four(w->down + i, w->moved_down + i, -1, down);
}

static void finish(const sw_kwn_axis *axis, const sw_kwn_growth *growth, int swept, const sw_kwn_workspace *w,
                   double *new_number, sw_kwn_sums *sums)
{
    const sw_real zero = sw_broadcast(0.0), one = sw_broadcast(1.0),
                  obstacle = sw_broadcast(growth->obstacle);
    const sw_real few = sw_broadcast(growth->few), large = sw_broadcast(0.9), upper = sw_broadcast(0.3);
    const int adaptive = axis->kind == SW_AXIS_ADAPTIVE;
    sw_real number = zero, radius = zero, volume = zero, obstacles = zero, in_large = zero, in_upper = zero;
    for (int32_t i = 0; i < axis->n_padded; i += SW_LANES) {
        const sw_real risen = load(w->moved_up + i - 1), fallen = load(w->moved_down + i + 1);
        sw_real n =
            swept ? load(w->stay + i) + (one - load(w->up + i)) * risen + (one - load(w->down + i)) * fallen
                  : load(w->stay + i) * (load(w->filled + i) + (risen + fallen));
        n = sw_choose(SW_LESS(few, n), n, zero); /* neither tails without end nor subnormal numbers */
        const sw_real rho = load(axis->pivot + i), n_rho = n * rho;
        store(new_number + i, n);
        number += n;
        radius += n_rho;
        volume += n_rho * rho * rho;
        obstacles += n * sw_min(rho * obstacle, one);
        if (adaptive) {
            in_large += sw_choose(SW_LESS(large, rho), n, zero);
            in_upper += sw_choose(SW_LESS(upper, rho), n, zero);
        }
    }
    *sums = (sw_kwn_sums){total(number),    total(radius),   total(volume),  total(obstacles),
                          w->moved_down[0], total(in_large), total(in_upper)};
}

/* Whether a face of the axis grows. */
static int rises(const sw_kwn_axis *axis, const sw_kwn_growth *growth, int32_t face)
{
    const double x = axis->inverse_face[face];
    return growth->several.n > 0 ? SW_KWN_ONE(sw_kwn_excess, &growth->several, x) <= 0
                                 : growth->curvature * x <= growth->driving;
}

/* Third order: [begin, end) in which particles are or come, whole vectors, the first and the last empty unless they are the
 * axis's own. From below r* they fall through all classes. */
static void find_occupied(const sw_kwn_axis *axis, const sw_kwn_growth *growth, const double *old,
                          int32_t *begin, int32_t *end)
{
    const sw_real zero = sw_broadcast(0.0);
    const int source = growth->source > 0;
    int32_t top = axis->n_padded - SW_LANES, low = 0;
    const int32_t highest = source ? growth->source_class + 1 : 0,
                  lowest = source ? growth->source_class : top;
    while (top > highest && !sw_any(SW_LESS(zero, load(old + top))))
        top -= SW_LANES;
    while (low < top && low + SW_LANES <= lowest && !sw_any(SW_LESS(zero, load(old + low))))
        low += SW_LANES;
    *begin = low / HALO > 0 ? (low / HALO - 1) * HALO : 0;
    if (!rises(axis, growth, *begin))
        *begin = 0;
    *end = (top / HALO + 2) * HALO < axis->n_padded ? (top / HALO + 2) * HALO : axis->n_padded;
}

/* The part of an axis that begins and ends there. */
static sw_kwn_axis part_of(const sw_kwn_axis *axis, int32_t begin, int32_t end)
{
    sw_kwn_axis part = *axis;
    part.inverse_face += begin;
    part.inverse_width += begin;
    part.pivot += begin;
    part.n -= begin;
    part.n_padded = end - begin;
    return part;
}

/* Whether nothing in the last two vectors moves up by more than its class's width, so that nothing leaves them. */
static int ends_there(const sw_kwn_axis *part, const sw_kwn_workspace *w)
{
    double most = 0;
    for (int32_t i = part->n_padded > 2 * HALO ? part->n_padded - 2 * HALO : 0; i < part->n_padded - 1; i++)
        most = fmax(most, w->rate[i + 1] * part->inverse_width[i]);
    return most < 1;
}

static void step_of_third_order(const sw_kwn_axis *axis, const sw_kwn_growth *growth, const double *old,
                                double *new_number, sw_kwn_workspace *w, sw_kwn_sums *sums)
{
    int32_t begin, end;
    find_occupied(axis, growth, old, &begin, &end);
    sw_kwn_axis part = part_of(axis, begin, end);
    rates(&part, growth, w);
    if (end < axis->n_padded && !ends_there(&part, w)) {
        end = axis->n_padded;
        part = part_of(axis, begin, end);
        rates(&part, growth, w);
    }
    w->rate[end - begin] = 0; /* of an empty class */
    memcpy(w->filled, old + begin, (size_t)(end - begin) * sizeof *old);
    add_nuclei(growth, 0.5, w->filled - begin);
    memset(w->filled + end - begin, 0, HALO * sizeof *old);
    memset(w->moved_down + end - begin, 0, HALO * sizeof *old);
    sweep(&part, w);
    add_nuclei(growth, 0.5, w->stay - begin); /* those of the second half of the step do not move yet */
    pass_on(w);
    finish(&part, growth, 1, w, new_number + begin, sums);
    memset(new_number, 0, (size_t)begin * sizeof *old);
    memset(new_number + end, 0, (size_t)(axis->n_padded - end) * sizeof *old);
}

void sw_kwn_histogram_step(const sw_kwn_axis *axis, const sw_kwn_growth *growth, sw_kwn_flux_order flux,
                           const double *old, double *new_number, sw_kwn_workspace *workspace,
                           sw_kwn_sums *sums)
{
    if (flux == SW_KWN_THIRD_ORDER) {
        step_of_third_order(axis, growth, old, new_number, workspace, sums);
        return;
    }
    fill(axis, growth, old, workspace);
    rates(axis, growth, workspace);
    coefficients(axis, flux == SW_KWN_SECOND_ORDER, workspace);
    pass_on(workspace);
    finish(axis, growth, 0, workspace, new_number, sums);
}
