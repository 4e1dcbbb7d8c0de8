/* How well the servo held stresses: a warning of tests that were faster than it could follow. */
#include <math.h>
#include <stdio.h>

#include "online/dem/job/loading.h"
#include "output.h"

/* Of a test's records, on average: 2 % is what a peak strength of sand may be off by from one packing to the next.
 * Single records are off by more where few grains avalanche. */
#define MOST_ERROR 0.02

typedef struct {
    int64_t element, test; /* of the worst */
    double error, inertia; /* means over its records */
    int64_t elements;      /* with one that is off by too much */
} findings;

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

/* Stages that end at rest wait for their stresses. */
static void look_at_element(const sw_dem_job *job, sw_dem *dem, int64_t r, findings *found)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    int64_t n;
    int off = 0;
    const sw_dem_row *row = sw_dem_rows(dem, r, &n);
    for (int64_t s = 0; s < rve->n_stages; s++) {
        double inertia;
        const int64_t test = sw_dem_test_of(job, rve, s);
        if (test < 0 || rve->stage[s].until == SW_DEM_UNTIL_EQUILIBRIUM)
            continue;
        const double error = mean_error(n, row, s, &inertia);
        off |= error > MOST_ERROR;
        if (error > found->error) {
            found->error = error;
            found->inertia = inertia;
            found->element = r;
            found->test = test;
        }
    }
    found->elements += off;
}

int64_t sw_dem_describe_servo(const sw_dem_job *job, sw_dem *dem, char *text, size_t size)
{
    findings found = {.error = 0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            look_at_element(job, dem, r, &found);
    if (found.elements == 0)
        return 0;
    sw_dem_job_name(job, found.element, who, sizeof who);
    snprintf(
        text, size,
        "stresses of %lld of %lld elements were held to more than %g %% only, on average over the records of "
        "a "
        "test; %s, loading[%lld] (%s): %.2g %% at an inertia number of %.2g: slower, or a smaller "
        "numerics.control_interval",
        (long long)found.elements, (long long)job->n_elements, 100 * MOST_ERROR, who, (long long)found.test,
        sw_dem_tests[job->loading[found.test].test].name, 100 * found.error, found.inertia);
    return found.elements;
}
