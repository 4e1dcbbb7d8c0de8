#include "watch.h"

#include <math.h>

#include "online/kwn/model/mobility.h"

/* Growth is by diffusion fields that do not touch, and the matrix stays the greater part. */
#define MOST_FRACTION 0.5

/* Nuclei go into the class above their radius, and dissolve from the classes below. Runs of AA6082, aged at once and in
 * two steps, and of Al-Sc-Zr with 64 to 1024 classes against 2048, while they nucleate: with classes of 0.03 of the mean
 * radius it is 0 to 5 % too large, of 0.06 to 0.08 7 to 15 %, of 0.13 to 0.16 6 to 33 %; once particles only grow, a
 * tenth of that. */
#define COARSE 0.05

/* Part of all particles that nucleate per part of the time so far: with less, coarse classes harm no more. */
#define NUCLEATING 0.01

#define LITTLE 1e-9 /* volume fraction: of less nothing is said */

static double class_width(const sw_kwn_axis *axis, double scale, double radius)
{
    return sw_kwn_width(axis, radius / scale) * scale;
}

/* Of a phase whose growth one solute is to limit: sum of nu (c_p - c) / (D c) of all that the product counts, over its own part. Near
 * r*, and so for coarsening, rates go as one over it. */
static double resistance(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase, const double *matrix,
                         double temperature)
{
    double all = 0, own = 0;
    if (phase->chemistry.on)
        return 1;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double c = fmax(matrix[i], SW_KWN_LEAST_SOLUTE);
        const double part = phase->solvus.exponent[i] * (phase->concentration[i] - c) /
                            (sw_kwn_diffusivity(&alloy->solute[i], temperature) * c);
        all += fmax(part, 0.0);
        own = i == phase->limiting_solute ? part : own;
    }
    return own > 0 ? all / own : 1;
}

/* More than a tenth matters: densities of particles go as rates to the power 1 to 3/2. */
#define SLOWED 1.1

/* How far a matrix lies past the ends of a phase's table; tables go on beyond them. */
static void watch_composition(const sw_kwn_alloy *alloy, int p, const double *matrix, sw_kwn_watch *watch)
{
    const sw_kwn_chemistry *table = &alloy->phase[p].chemistry;
    for (int i = 0; table->on && i < alloy->n_solutes; i++) {
        const double place =
            (log(fmax(matrix[i], SW_KWN_LEAST_SOLUTE)) - table->first[1 + i]) * table->per_step[1 + i];
        const double beyond = fmax(-place, place - (table->count[1 + i] - 1));
        if (alloy->solute[i].concentration > 0 && beyond > fmax(watch->beyond, 1e-3)) {
            watch->beyond = beyond;
            watch->beyond_phase = p;
            watch->beyond_solute = i;
            watch->beyond_matrix = matrix[i];
        }
    }
}

static void watch_point(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis, const sw_kwn_point *point,
                        sw_kwn_watch *watch)
{
    double fraction = 0;
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *phase = &point->phase[p];
        fraction += phase->fraction;
        watch_composition(alloy, p, point->matrix, watch);
        if (phase->number > SW_KWN_FEW && phase->fraction > LITTLE && !alloy->phase[p].all_solutes) {
            const double slowed = resistance(alloy, &alloy->phase[p], point->matrix, point->temperature);
            if (slowed > watch->slowed) {
                watch->slowed = slowed;
                watch->slowed_phase = p;
                watch->slowed_temperature = point->temperature;
            }
        }
        if (!(phase->number > SW_KWN_FEW && phase->fraction > LITTLE &&
              phase->rate * point->time > NUCLEATING * phase->number))
            continue;
        const double radius = phase->radius_sum / phase->number;
        const double width = class_width(axis, phase->scale, radius);
        if (width / radius > watch->coarse) {
            watch->coarse = width / radius;
            watch->coarse_phase = p;
            watch->coarse_time = point->time;
            watch->radius = radius;
            watch->width = width;
        }
    }
    if (fraction > watch->fraction) {
        watch->fraction = fraction;
        watch->fraction_time = point->time;
    }
}

void sw_kwn_watch_points(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis, int64_t n,
                         const sw_kwn_point *point, sw_kwn_watch *watch)
{
    for (int64_t i = 0; i < n; i++)
        watch_point(alloy, axis, &point[i], watch);
}

static void watch_movement(const sw_kwn_alloy *alloy, int64_t n, const double *time, const float *temperature,
                           int64_t stride, sw_kwn_watch *watch)
{
    const double moved = sw_kwn_most_moved(alloy, n, time, temperature, stride);
    if (!sw_kwn_is_frozen(alloy, time[n - 1], moved))
        return;
    watch->frozen++;
    watch->most_moved = fmax(watch->most_moved, moved);
}

static void watch_solvus(const sw_kwn_alloy *alloy, const double *composition, int64_t n,
                         const float *temperature, int64_t stride, sw_kwn_watch *watch)
{
    double coldest = INFINITY;
    for (int64_t k = 0; k < n; k++) {
        if (sw_kwn_can_form(alloy, composition, (double)temperature[k * stride]))
            return;
        coldest = fmin(coldest, (double)temperature[k * stride]);
    }
    watch->coldest = watch->idle > 0 ? fmin(watch->coldest, coldest) : coldest;
    watch->idle++;
}

/* The farthest from a table of chemistry that a history goes; tables go on beyond their ends. */
static void watch_tables(const sw_kwn_alloy *alloy, int64_t n, const float *temperature, int64_t stride,
                         sw_kwn_watch *watch)
{
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_chemistry *table = &alloy->phase[p].chemistry;
        for (int64_t k = 0; table->on && k < n; k++) {
            const double place = (1 / (double)temperature[k * stride] - table->first[0]) * table->per_step[0];
            if (place < -1e-4 || place > table->count[0] - 1 + 1e-4) {
                watch->outside = fmax(watch->outside, (double)temperature[k * stride]);
                watch->outside_phase = p;
            }
        }
    }
}

void sw_kwn_watch_history(const sw_kwn_alloy *alloy, const double *composition, int64_t n, const double *time,
                          const float *temperature, int64_t stride, sw_kwn_watch *watch)
{
    watch->points++;
    if (!sw_kwn_is_by_tables(alloy)) /* which have the diffusivities in them */
        watch_movement(alloy, n, time, temperature, stride, watch);
    watch_tables(alloy, n, temperature, stride, watch);
    watch_solvus(alloy, composition, n, temperature, stride, watch);
}

void sw_kwn_watch_merge(const sw_kwn_watch *from, sw_kwn_watch *to)
{
    sw_kwn_watch merged = *to;
    if (from->fraction > to->fraction) {
        merged.fraction = from->fraction;
        merged.fraction_time = from->fraction_time;
    }
    if (from->coarse > to->coarse) {
        merged.coarse = from->coarse;
        merged.coarse_phase = from->coarse_phase;
        merged.coarse_time = from->coarse_time;
        merged.radius = from->radius;
        merged.width = from->width;
    }
    if (from->outside > to->outside) {
        merged.outside = from->outside;
        merged.outside_phase = from->outside_phase;
    }
    if (from->beyond > to->beyond) {
        merged.beyond = from->beyond;
        merged.beyond_phase = from->beyond_phase;
        merged.beyond_solute = from->beyond_solute;
        merged.beyond_matrix = from->beyond_matrix;
    }
    if (from->slowed > to->slowed) {
        merged.slowed = from->slowed;
        merged.slowed_phase = from->slowed_phase;
        merged.slowed_temperature = from->slowed_temperature;
    }
    if (from->idle > 0)
        merged.coldest = to->idle > 0 ? fmin(to->coldest, from->coldest) : from->coldest;
    merged.frozen += from->frozen;
    merged.most_moved = fmax(to->most_moved, from->most_moved);
    merged.points += from->points;
    merged.idle += from->idle;
    *to = merged;
}

/* The highest temperature at which anything could form, below one at which nothing can, to 0.1 K; 0: there is none. */
static double solvus_below(const sw_kwn_alloy *alloy, double above)
{
    double composition[SW_KWN_SOLUTES], below = above;
    for (int i = 0; i < alloy->n_solutes; i++)
        composition[i] = alloy->solute[i].concentration;
    while (!sw_kwn_can_form(alloy, composition, below)) {
        below *= 0.9;
        if (below < SW_KWN_COLDEST)
            return 0;
    }
    while (above - below > 0.1) {
        const double middle = 0.5 * (above + below);
        if (sw_kwn_can_form(alloy, composition, middle))
            below = middle;
        else
            above = middle;
    }
    return below;
}

static void tell_idle(const sw_kwn_setup *setup, const sw_kwn_watch *watch)
{
    const double solvus = solvus_below(&setup->model, watch->coldest);
    char of_alloy[120] = "", text[40];
    if (solvus > 0)
        snprintf(of_alloy, sizeof of_alloy, "; of the alloy's composition the highest is at %s",
                 sw_kwn_temperature_text(setup, solvus, text));
    sw_warn("%.0f of %.0f point%s never below a solvus, the coldest of them %s: nothing can precipitate%s",
            watch->idle, watch->points, watch->points > 1 ? "s are" : " is",
            sw_kwn_temperature_text(setup, watch->coldest, text), of_alloy);
}

static void tell_frozen(const sw_kwn_setup *setup, const sw_kwn_watch *watch)
{
    sw_warn("at %.0f of %.0f point%s no solute moves by more than %.2g m in the whole history, less than an "
            "atom's "
            "distance, %.3g m: nothing can form or dissolve%s",
            watch->frozen, watch->points, watch->points > 1 ? "s" : "", sqrt(watch->most_moved),
            setup->model.lattice_parameter, setup->celsius ? "" : "; temperatures are in K");
}

/* More classes; of particles in the lowest class or two their number says nothing. */
static const char *remedy(const sw_kwn_axis_options *axis, double coarse, char text[64])
{
    if (coarse > 0.3)
        return "size_axis: kind: logarithmic, for large and small ones at a time";
    snprintf(text, 64, "size_axis: classes: %.0f", exp2(ceil(log2((double)axis->classes * coarse / COARSE))));
    return text;
}

static void tell_slowed(const sw_kwn_setup *setup, const sw_kwn_watch *watch)
{
    const sw_kwn_phase *phase = &setup->model.phase[(int)watch->slowed_phase];
    char text[40];
    sw_warn("%s at %s: by %s alone, its growth_limiting_solute, it grows and coarsens up to %.3g times "
            "as fast as all solutes of "
            "its product let it: leave the key out for all of them",
            phase->name, sw_kwn_temperature_text(setup, watch->slowed_temperature, text),
            setup->model.solute[phase->limiting_solute].element, watch->slowed);
}

static void tell_beyond(const sw_kwn_setup *setup, const sw_kwn_watch *watch)
{
    const sw_kwn_phase *phase = &setup->model.phase[(int)watch->beyond_phase];
    const int i = (int)watch->beyond_solute;
    const sw_kwn_chemistry *table = &phase->chemistry;
    sw_warn("%s: a matrix of %.3g of %s, its table of chemistry goes from %.3g to %.3g: values go on by the "
            "slope of its "
            "end",
            phase->name, watch->beyond_matrix, setup->model.solute[i].element, exp(table->first[1 + i]),
            sw_kwn_table_end(phase, i));
}

/* A formula's solutes that its product does not count: it grows as if there were enough of them. */
static void tell_uncounted(const sw_kwn_setup *setup)
{
    for (int p = 0; p < setup->model.n_phases && !setup->run.quiet; p++) {
        const sw_kwn_phase *phase = &setup->model.phase[p];
        for (int i = 0; i < setup->model.n_solutes && !phase->chemistry.on; i++)
            if (phase->concentration[i] > 0 && !(phase->solvus.exponent[i] > 0))
                sw_note("%s: its product lacks %s of its formula: %s limits growth, as if there were always "
                        "enough %s",
                        phase->name, setup->model.solute[i].element,
                        setup->model.solute[phase->limiting_solute].element, setup->model.solute[i].element);
    }
}

void sw_kwn_watch_tell(const sw_kwn_setup *setup, const sw_kwn_watch *watch)
{
    const sw_kwn_axis_options *axis = &setup->options.axis;
    char text[64], at[40];
    if (watch->idle > 0 && setup->initial_distribution_count == 0)
        tell_idle(setup, watch);
    if (watch->frozen > 0)
        tell_frozen(setup, watch);
    if (watch->outside > 0)
        sw_warn("%s at %s: its table of chemistry does not go so far: values go on by the slope of its end",
                setup->model.phase[(int)watch->outside_phase].name,
                sw_kwn_temperature_text(setup, watch->outside, at));
    if (watch->beyond > 0)
        tell_beyond(setup, watch);
    tell_uncounted(setup);
    if (watch->slowed > SLOWED)
        tell_slowed(setup, watch);
    if (watch->fraction > MOST_FRACTION)
        sw_warn("particles are %.3g %% of the volume at %.4g s: the model is of particles far apart in a "
                "matrix, and "
                "meant for much less than %g %%",
                100 * watch->fraction, watch->fraction_time, 100 * MOST_FRACTION);
    if (watch->coarse > COARSE && setup->resolution.points == 0)
        sw_warn("%s at %.4g s: particles of %.3g nm on average form in classes of %.2g nm, %.2g %% of it: "
                "mean radii are "
                "too large by about that while particles form; need %s",
                setup->model.phase[(int)watch->coarse_phase].name, watch->coarse_time, 1e9 * watch->radius,
                1e9 * watch->width, 100 * watch->coarse, remedy(axis, watch->coarse, text));
}
