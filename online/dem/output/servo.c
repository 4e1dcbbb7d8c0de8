/* How well the servo held stresses: a warning of tests that were faster than it could follow. */
#include <math.h>
#include <stdio.h>

#include "online/dem/job/loading.h"
#include "online/dem/step/control.h"
#include "output.h"

/* Of a test's records, on average: 2 % is what a peak strength of sand may be off by from one packing to the next.
 * Single records are off by more where few grains avalanche. */
#define MOST_ERROR 0.02

typedef struct {
    int64_t element, test; /* of the worst */
    double error, inertia; /* means over its records */
    int64_t elements;      /* with one that is off by too much */
} finding;

typedef struct {
    finding held;   /* stresses that were held */
    finding unheld; /* those that never came near: error at the end */
    finding lost;   /* of these, elements whose stages may not be off by so much; error over what they may */
} findings;

static void take(finding *found, int64_t element, int64_t test, double error, double inertia)
{
    if (error > found->error)
        *found = (finding){element, test, error, inertia, found->elements};
}

/* Means over the records of one stage, those with held stresses; 0 without any. */
static double mean_error(int64_t n, const sw_dem_row *row, int64_t stage, double *inertia)
{
    double sum = 0, sum_of_inertia = 0, count = 0;
    for (int64_t i = 0; i < n; i++)
        if (row[i].stage == (double)stage && row[i].servo_error > 0) {
            sum += row[i].servo_error;
            sum_of_inertia += row[i].inertia_number;
            count++;
        }
    *inertia = count > 0 ? sum_of_inertia / count : 0;
    return count > 0 ? sum / count : 0;
}

/* Stress component c, 11 22 33 23 13 12, of a record. */
static double stress_in(const sw_dem_row *row, int c)
{
    const double stress[SW_DEM_SIX] = {row->stress_11, row->stress_22, row->stress_33,
                                       row->stress_23, row->stress_13, row->stress_12};
    return stress[c];
}

/* As sw_dem_stress_error, of a record after the ramp. */
static double error_in(const sw_dem_stage *stage, const sw_dem_row *row)
{
    double largest = 0, most = 0;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const double target = stage->stress[c] + stage->follow[c] * stress_in(row, stage->component);
        if (!stage->stress_driven[c])
            continue;
        most = fmax(most, fabs(target));
        largest = fmax(largest, fabs(stress_in(row, c) - target));
    }
    most = most > 0 ? most : fabs(row->pressure);
    return most > 0 ? largest / most : 0;
}

/* How far off a stage ended that strain, time or density ended, and whose stresses never came within 5 % of where they
 * were to stay; 0 for one whose targets still moved, and where nothing is recorded. */
static double error_at_end(int64_t n, const sw_dem_row *row, int64_t s, const sw_dem_stage *stage,
                           double *inertia)
{
    const sw_dem_row *first = NULL, *last = NULL;
    *inertia = 0;
    if (stage->until != SW_DEM_UNTIL_STRAIN && stage->until != SW_DEM_UNTIL_TIME &&
        stage->until != SW_DEM_UNTIL_VOID_RATIO)
        return 0;
    for (int64_t i = 0; i < n; i++)
        if (row[i].stage == (double)s) {
            first = first == NULL ? &row[i] : first;
            last = &row[i];
        }
    if (last == NULL || stage->friction_decay > 0)
        return 0;
    /* records begin within one of their intervals; a stage of time ends with its ramp */
    if (stage->until != SW_DEM_UNTIL_TIME && last->time - first->time < stage->ramp)
        return 0;
    if (stage->until == SW_DEM_UNTIL_TIME && stage->goal < stage->ramp)
        return 0;
    *inertia = last->inertia_number;
    return error_in(stage, last);
}

/* Stages that end at rest wait for their stresses. */
static void look_at_element(const sw_dem_job *job, sw_dem *dem, int64_t r, findings *found)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    int64_t n;
    int off = 0, unheld = 0, lost = 0;
    const sw_dem_row *row = sw_dem_rows(dem, r, &n);
    for (int64_t s = 0; s < rve->n_stages; s++) {
        double inertia;
        const sw_dem_stage *stage = &rve->stage[s];
        const int64_t test = sw_dem_test_of(job, rve, s);
        if (test < 0 || stage->until == SW_DEM_UNTIL_EQUILIBRIUM)
            continue;
        const double error = mean_error(n, row, s, &inertia);
        off |= error > MOST_ERROR;
        take(&found->held, r, test, error, inertia);
        if (error > 0)
            continue;
        const double end = error_at_end(n, row, s, stage, &inertia);
        unheld |= end > SW_DEM_HELD;
        take(&found->unheld, r, test, end, inertia);
        if (stage->most_servo_error > 0 && end > stage->most_servo_error) {
            lost = 1;
            take(&found->lost, r, test, end, inertia);
        }
    }
    found->held.elements += off;
    found->unheld.elements += unheld;
    found->lost.elements += lost;
}

static findings look_at_all(const sw_dem_job *job, sw_dem *dem)
{
    findings found = {.held = {.error = 0}};
    for (int64_t r = 0; r < job->n_elements; r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            look_at_element(job, dem, r, &found);
    return found;
}

static void describe_unheld(const sw_dem_job *job, const finding *worst, char *text, size_t size)
{
    char who[320];
    sw_dem_job_name(job, worst->element, who, sizeof who);
    snprintf(text, size,
             "stresses of %lld of %lld elements never came within %g %% of where they were to be; %s, "
             "loading[%lld] "
             "(%s): %.2g %% off at its end, at an inertia number of %.2g: slower, a larger servo_rate, or "
             "begin with a "
             "test isotropic to the stress",
             (long long)worst->elements, (long long)job->n_elements, 100 * SW_DEM_HELD, who,
             (long long)worst->test, sw_dem_tests[job->loading[worst->test].test].name, 100 * worst->error,
             worst->inertia);
}

sw_status sw_dem_check_held(const sw_dem_job *job, sw_dem *dem)
{
    char text[800];
    const findings found = look_at_all(job, dem);
    if (found.unheld.elements == 0)
        return SW_OK;
    if (found.lost.elements > 0 && job->table == NULL) {
        describe_unheld(job, &found.lost, text, sizeof text);
        return sw_error(SW_ERR_CONVERGENCE, "%s: %s; loading[%lld].most_servo_error = %g", job->output.file,
                        text, (long long)found.lost.test, job->loading[found.lost.test].most_servo_error);
    }
    describe_unheld(job, &found.unheld, text, sizeof text);
    sw_warn("%s: %s", job->output.file, text);
    return SW_OK;
}

double sw_dem_servo_error(const sw_dem_job *job, sw_dem *dem) { return look_at_all(job, dem).held.error; }

/* What to do about it. A membrane's lateral stresses go by the pressure outside alone. */
static void advise(const sw_dem_rve *rve, char *text, size_t size)
{
    if (rve->n_nodes > 0)
        snprintf(text, size,
                 "slower, or, as the membrane's pressure is set without what platens add: a smaller "
                 "sides.friction, a "
                 "taller sample; the membrane's tension bears %.3g Pa",
                 rve->state->membrane_stress);
    else
        snprintf(text, size, "slower, or a smaller numerics.control_interval");
}

void sw_dem_warn_of_servo(const sw_dem_job *job, sw_dem *dem)
{
    const finding found = look_at_all(job, dem).held;
    char who[320], advice[256];
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    advise(sw_dem_get(dem, found.element), advice, sizeof advice);
    sw_warn("%s: stresses of %lld of %lld elements were held to more than %g %% only, on average over the "
            "records of a test; %s, loading[%lld] (%s): %.2g %% at an inertia number of %.2g: %s",
            job->output.file, (long long)found.elements, (long long)job->n_elements, 100 * MOST_ERROR, who,
            (long long)found.test, sw_dem_tests[job->loading[found.test].test].name, 100 * found.error,
            found.inertia, advice);
}
