#include "resolution.h"

#include <inttypes.h>
#include <math.h>

#include "output.h"

#define LITTLE 1e-9 /* volume fraction: of less nothing is said */

/* The lowest order there is: third-order flux smears a single size by h^(3/4) (tests/online/kwn/model/test_model.c); nuclei, splits and
 * steps have 1 to 2. A difference d between a level and the next coarser one is 2^p - 1 errors of the level. Roache's 1.25 for
 * estimates from three levels (J. Fluids Eng. 116 (1994) 405) was short for 3 of 250 random histories, by 1.22 times at most; 1.6 is for none
 * of these, and for 1 of 100 others, by 1.32 times. */
#define ORDER 0.75
#define SAFETY 1.6

int sw_kwn_can_be_judged(const sw_kwn_options *options)
{
    return options->axis.classes >= SW_KWN_FEWEST_JUDGED &&
           (options->control.fixed_step > 0 ||
            options->control.tolerance <= SW_KWN_LARGEST_JUDGED_TOLERANCE * (1 + 1e-9));
}

void sw_kwn_coarsen(int level, sw_kwn_options *options)
{
    const double longer = exp2(level);
    options->axis.classes >>= level;
    options->control.tolerance = fmin(options->control.tolerance * longer * longer, 0.1);
    options->control.largest_change = fmin(options->control.largest_change * longer, 1000);
    options->control.fixed_step *= longer;
}

enum { NUMBER, RADIUS, FRACTION, JUDGED };

/* The largest change of each from one run to another, over times and phases; INFINITY of what is no number. */
static void largest_change(const sw_kwn_alloy *alloy, int64_t n, const double *fine, const double *coarse,
                           double change[JUDGED])
{
    const int64_t record = sw_kwn_record_size(alloy),
                  place[JUDGED] = {[NUMBER] = sw_kwn_record_place(alloy, "number_density"),
                                   [RADIUS] = sw_kwn_record_place(alloy, "mean_radius"),
                                   [FRACTION] = sw_kwn_record_place(alloy, "volume_fraction")};
    for (int q = 0; q < JUDGED; q++)
        change[q] = 0;
    for (int64_t t = 0; t < n; t++)
        for (int p = 0; p < alloy->n_phases; p++) {
            const double *a = fine + t * record + p, *b = coarse + t * record + p;
            if (a[place[FRACTION]] <= LITTLE || a[place[NUMBER]] <= 0)
                continue;
            for (int q = 0; q < JUDGED; q++) {
                const double d = fabs(b[place[q]] / a[place[q]] - 1);
                change[q] = isfinite(d) ? fmax(change[q], d) : INFINITY;
            }
        }
}

/* The mean of what either difference says: one alone is small by chance, too. */
double sw_kwn_estimate(double first, double second)
{
    const double coarser = exp2(ORDER);
    return SAFETY * 0.5 * (first + second / coarser) / (coarser - 1);
}

sw_kwn_resolution sw_kwn_judge_point(const sw_kwn_alloy *alloy, int64_t n, const double *record,
                                     const double *const coarser[SW_KWN_COARSER])
{
    double first[JUDGED], second[JUDGED];
    largest_change(alloy, n, record, coarser[0], first);
    largest_change(alloy, n, coarser[0], coarser[1], second);
    return (sw_kwn_resolution){.points = 1,
                               .number = sw_kwn_estimate(first[NUMBER], second[NUMBER]),
                               .radius = sw_kwn_estimate(first[RADIUS], second[RADIUS]),
                               .fraction = sw_kwn_estimate(first[FRACTION], second[FRACTION])};
}

double sw_kwn_resolution_error(const sw_kwn_resolution *of)
{
    return fmax(of->number, fmax(of->radius, of->fraction));
}

void sw_kwn_resolution_merge(const sw_kwn_resolution *from, sw_kwn_resolution *to)
{
    if (to->points == 0 || sw_kwn_resolution_error(from) > sw_kwn_resolution_error(to))
        to->worst = from->worst;
    to->points += from->points;
    to->number = fmax(to->number, from->number);
    to->radius = fmax(to->radius, from->radius);
    to->fraction = fmax(to->fraction, from->fraction);
}

/* Runs have nothing finer: bounds of the keys. */
#define MOST_CLASSES 262144
#define LEAST_TOLERANCE 1e-6
#define LEAST_STEP 1e-9 /* s */

/* A level finer; 0: there is none. A tolerance that is next to its bound goes to it. */
static int make_finer(sw_kwn_options *options)
{
    sw_kwn_control *control = &options->control;
    if (2 * options->axis.classes > MOST_CLASSES ||
        (control->fixed_step > 0 ? control->fixed_step < 2 * LEAST_STEP
                                 : control->tolerance < 2 * LEAST_TOLERANCE))
        return 0;
    options->axis.classes *= 2;
    control->fixed_step *= 0.5;
    control->tolerance = fmax(control->tolerance / 4, LEAST_TOLERANCE);
    return 1;
}

static void describe_options(const sw_kwn_options *options, char *text, size_t size)
{
    const int fixed = options->control.fixed_step > 0;
    snprintf(text, size, "size_axis: classes: %" PRId64 " and %s: %.3g", options->axis.classes,
             fixed ? "fixed_step" : "tolerance",
             fixed ? options->control.fixed_step : options->control.tolerance);
}

/* With errors that quarter with each level: they do not fall faster. */
void sw_kwn_resolution_remedy(const sw_kwn_options *now, double error, double accuracy, char *text,
                              size_t size)
{
    sw_kwn_options options = *now;
    char what[100];
    for (; error > accuracy && make_finer(&options); error /= 4)
        ;
    describe_options(&options, what, sizeof what);
    if (error <= accuracy)
        snprintf(text, size, "need at least %s", what);
    else
        snprintf(
            text, size,
            "that is not to be had: %s, next to the bounds of these keys, would be off by %.1g %% or more",
            what, 100 * error);
}

void sw_kwn_resolution_tell(const sw_kwn_setup *setup, double accuracy)
{
    const sw_kwn_resolution *of = &setup->resolution;
    const sw_kwn_options *options = &setup->options;
    const int fixed = options->control.fixed_step > 0;
    const double step = fixed ? options->control.fixed_step : options->control.tolerance;
    const int64_t classes = options->axis.classes;
    char what[300], worst[64] = "", remedy[300];
    if (accuracy > 0 && !sw_kwn_can_be_judged(options))
        sw_warn("accuracy: nothing is said of %" PRId64
                " classes at a tolerance of %.3g: need %d classes and %g at most",
                classes, options->control.tolerance, SW_KWN_FEWEST_JUDGED, SW_KWN_LARGEST_JUDGED_TOLERANCE);
    if (of->points == 0 || !(accuracy > 0)) /* blocks that are kept may have been looked at */
        return;
    if (isinf(sw_kwn_resolution_error(of))) {
        sw_warn("accuracy: a run with half or a quarter of the classes came to no end, or to no numbers, at "
                "point %.0f or "
                "beside it: how far classes and steps are off is not known",
                of->worst);
        return;
    }
    if (sw_kwn_resolution_error(of) == 0) {
        if (!setup->run.quiet)
            sw_note(
                "no phase is ever more than %g of the volume: how far classes and steps are off is not known",
                LITTLE);
        return;
    }
    snprintf(
        what, sizeof what,
        "%" PRId64
        " classes and a %s of %.3g%s: number is off by an estimated %.2g %%, mean radius by %.2g %%, volume "
        "fraction by %.2g %%, of %.0f point%s",
        classes, fixed ? "fixed_step" : "tolerance", step, fixed ? " s" : "", 100 * of->number,
        100 * of->radius, 100 * of->fraction, of->points, of->points > 1 ? "s" : "");
    if (of->points > 1)
        snprintf(worst, sizeof worst, ", the worst of them point %.0f", of->worst);
    if (sw_kwn_resolution_error(of) > accuracy) {
        sw_kwn_resolution_remedy(options, sw_kwn_resolution_error(of), accuracy, remedy, sizeof remedy);
        sw_warn("%s%s, where accuracy = %g is asked for: %s", what, worst, accuracy, remedy);
    } else if (!setup->run.quiet)
        sw_note("%s", what);
}
