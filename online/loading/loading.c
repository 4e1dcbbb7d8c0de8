#include "loading.h"

#include <math.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/math/six.h"
#include "common/math/strain_rate.h"

const char *const sw_loading_component_names[6] = {"11", "22", "33", "23", "13", "12"};

static const sw_key_case ends[] = {
    [SW_UNTIL_DURATION] = {"duration", .needs = NULL},
    [SW_UNTIL_STRESS] = {"stress", .needs = "component goal", .help = "as /history has it"},
    [SW_UNTIL_STRAIN] = {"strain", .needs = "component goal",
                         .help = "the integral of D_ij dt since the entry began"},
    {0}};

const sw_key sw_loading_keys[] = {
    {SW_TENSOR("velocity_gradient", sw_loading, velocity_gradient), .blank = 1, .unit = "1/s", .needed = 1,
     .help = "L, sample frame: L_ij = dv_i/dx_j; trace 0; x: free; all 0: a hold"},
    {SW_TENSOR("stress", sw_loading, stress), .blank = 1, .unit = "Pa", .otherwise = "x everywhere",
     .help = "Cauchy stress of free components, x of the others"},
    {SW_REAL("duration", sw_loading, duration, 0, INFINITY), .open = SW_OPEN_BELOW, .unit = "s", .needed = 1,
     .help = "the last step is shortened to end with it; with a goal the longest time"},
    {SW_CASES("until", sw_loading, until, ends), .help = "what ends the entry"},
    {SW_WORD("component", sw_loading, component, sw_loading_component_names), .standard = -1,
     .help = "that has the goal"},
    {SW_REAL("goal", sw_loading, goal, -1e11, 1e11), .bound = "Pa or a strain, -1e11 to 1e11",
     .help = "of the component: the step that passes it is shortened"},
    {SW_WHOLE("steps", sw_loading, steps, 1, 1e6), .otherwise = "by strain_increment; of a hold 40",
     .help = "equal ones, of a hold growing ones; the most, where a goal ends them"},
    {SW_REAL("temperature", sw_loading, temperature, SW_TEMPERATURE_LEAST, SW_TEMPERATURE_MOST), .unit = "K",
     .otherwise = "it stays",
     .help = "at its end, to which it goes evenly in time: crystals expand; slipwave taylor"},
    SW_KEYS_END};

double sw_loading_component(const double tensor[3][3], int k)
{
    const int i = sw_six_row(k), j = sw_six_column(k);
    return (tensor[i][j] + tensor[j][i]) / 2;
}

int sw_loading_is_free(const sw_loading *g, int k)
{
    return isnan(sw_loading_component(g->velocity_gradient, k));
}

void sw_loading_fill(const sw_loading *g, const double rate[6], double l[3][3])
{
    memcpy(l, g->velocity_gradient, sizeof g->velocity_gradient);
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        if (!sw_loading_is_free(g, k))
            continue;
        if (isnan(l[i][j]) && isnan(l[j][i]))
            l[i][j] = l[j][i] = rate[k];
        else if (isnan(l[i][j]))
            l[i][j] = 2 * rate[k] - l[j][i];
        else
            l[j][i] = 2 * rate[k] - l[i][j];
    }
}

void sw_loading_estimate(const sw_loading *g, double l[3][3])
{
    double rate[6] = {0}, trace = 0;
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += sw_loading_is_free(g, i);
        trace += sw_loading_is_free(g, i) ? 0 : g->velocity_gradient[i][i];
    }
    for (int k = 0; k < 6; k++) {
        const double a = g->velocity_gradient[sw_six_row(k)][sw_six_column(k)];
        const double b = g->velocity_gradient[sw_six_column(k)][sw_six_row(k)];
        rate[k] = k < 3 ? (n > 0 ? -trace / n : 0) : ((isnan(a) ? 0 : a) + (isnan(b) ? 0 : b)) / 2;
    }
    sw_loading_fill(g, rate, l);
}

int sw_loading_is_mixed(const sw_loading *loading)
{
    for (int k = 0; k < 6; k++)
        if (sw_loading_is_free(loading, k))
            return 1;
    return 0;
}

/* ||D||, as estimated. */
static double rate_of(const sw_loading *loading)
{
    double l[3][3];
    sw_loading_estimate(loading, l);
    return sw_strain_rate_of((const double(*)[3])l).rate;
}

int sw_loading_is_hold(const sw_loading *loading) { return rate_of(loading) == 0; }

int sw_loading_seeks(const sw_loading *g)
{
    return g->until == SW_UNTIL_STRESS ||
           (g->until == SW_UNTIL_STRAIN && sw_loading_is_free(g, g->component));
}

/* ---- Steps ---- */

double sw_loading_time(const sw_loading *g)
{
    if (g->until != SW_UNTIL_STRAIN || sw_loading_seeks(g))
        return g->duration;
    return g->goal / sw_loading_component(g->velocity_gradient, g->component);
}

static int by_strain_increment(const sw_loading *g) { return g->steps == 0 && !sw_loading_is_hold(g); }

double sw_loading_steps(const sw_loading *g, double strain_increment)
{
    if (!by_strain_increment(g))
        return g->steps > 0 ? (double)g->steps : SW_HOLD_STEPS;
    return fmax(1, ceil(rate_of(g) * sw_loading_time(g) / strain_increment - 1e-9));
}

double sw_loading_total_steps(unsigned count, const sw_loading *loading, double strain_increment)
{
    double steps = 0;
    for (unsigned i = 0; i < count; i++)
        steps += sw_loading_steps(&loading[i], strain_increment);
    return steps;
}

/* The part of an entry's time that its first `step` of `steps` steps take: equal ones, or a hold's. */
static double part_of_time(const sw_loading *g, double step, double steps)
{
    if (!sw_loading_is_hold(g) || steps == 1 || g->temperature > 0)
        return step / steps;
    const double each = log(SW_HOLD_GROWTH) / (steps - 1);
    return expm1(each * step) / expm1(each * steps);
}

/* s, that the first `step` steps of an entry take. */
static double time_of(const sw_loading_walk *w, const sw_loading *g, double step)
{
    const double steps = sw_loading_steps(g, w->strain_increment), time = sw_loading_time(g);
    if (by_strain_increment(g))
        return step < steps ? w->strain_increment / rate_of(g) * step : time;
    return time * part_of_time(g, step, steps);
}

static double step_time(const sw_loading_walk *w, const sw_loading *g)
{
    const double step = w->place.step, steps = sw_loading_steps(g, w->strain_increment);
    const double time = sw_loading_time(g), full = w->strain_increment / rate_of(g);
    if (by_strain_increment(g))
        return step + 1 < steps ? full : time - full * step;
    return time * (part_of_time(g, step + 1, steps) - part_of_time(g, step, steps));
}

/* ---- One after the other ---- */

sw_loading_walk sw_loading_begin(unsigned count, const sw_loading *loading, int64_t cycles,
                                 double strain_increment)
{
    return (sw_loading_walk){
        .count = count, .loading = loading, .cycles = cycles, .strain_increment = strain_increment};
}

double sw_loading_step_strain(const sw_loading *g, double strain_increment)
{
    const sw_loading_walk walk = sw_loading_begin(1, g, 1, strain_increment);
    return rate_of(g) * step_time(&walk, g);
}

static double entries_of(const sw_loading_walk *w) { return (double)w->count * (double)w->cycles; }

static unsigned segment_of(const sw_loading_walk *w) { return (unsigned)fmod(w->place.entry, w->count); }

const sw_loading *sw_loading_at(const sw_loading_walk *w)
{
    return w->place.entry < entries_of(w) ? &w->loading[segment_of(w)] : NULL;
}

int sw_loading_has_place(const sw_loading_walk *walk, const sw_loading_place *place)
{
    sw_loading_walk there = *walk;
    there.place = *place;
    if (!(place->entry >= 0 && place->entry <= entries_of(walk) && place->step >= 0) ||
        place->entry != floor(place->entry) || place->step != floor(place->step))
        return 0;
    const sw_loading *at = sw_loading_at(&there);
    return at == NULL ? place->step == 0 : place->step < sw_loading_steps(at, walk->strain_increment);
}

/* What the last entry before this one that has a temperature ended at. */
static double temperature_before(const sw_loading_walk *w, double begin)
{
    const unsigned here = segment_of(w);
    for (unsigned back = 1; back <= w->count && back <= w->place.entry; back++) {
        const double there = w->loading[(here + w->count - back) % w->count].temperature;
        if (there > 0)
            return there;
    }
    return begin;
}

double sw_loading_temperature(const sw_loading_walk *w, double begin)
{
    const sw_loading *at = sw_loading_at(w);
    const double before = temperature_before(w, begin);
    return at == NULL || at->temperature == 0
               ? before
               : before + (at->temperature - before) * time_of(w, at, w->place.step) / sw_loading_time(at);
}

int sw_loading_next(const sw_loading_walk *w, unsigned *segment, double *dt, double *strain)
{
    const sw_loading *loading = sw_loading_at(w);
    if (loading == NULL)
        return 0;
    *segment = segment_of(w);
    *dt = step_time(w, loading);
    *strain = rate_of(loading) * *dt;
    return 1;
}

void sw_loading_pass(sw_loading_walk *w)
{
    w->place.step++;
    if (w->place.step >= sw_loading_steps(sw_loading_at(w), w->strain_increment))
        sw_loading_end(w);
}

void sw_loading_end(sw_loading_walk *w) { w->place = (sw_loading_place){.entry = w->place.entry + 1}; }
