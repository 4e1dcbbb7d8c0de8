#include "r_test.h"

#include <stdlib.h>

#include "common/math/rotation.h"

const sw_key sw_fit_r_keys[] = {{SW_REAL("angle", sw_fit_r, angle, 0, 180), .needed = 1, .unit = "degrees",
                                 .help = "of the tension, from the rolling direction"},
                                {SW_REAL("r", sw_fit_r, r, 0, 100), .needed = 1,
                                 .help = "strain across over strain through the thickness"},
                                {SW_REAL("strain", sw_fit_r, strain, 0.001, 1), .needed = 1,
                                 .help = "true, along the tension, where r was measured"},
                                {SW_REAL("deviation", sw_fit_r, deviation, 0, 10), .smallest = 1e-6,
                                 .otherwise = "not known: by the misfit", .help = "standard deviation of r"},
                                {SW_REAL("weight", sw_fit_r, weight, 1e-6, 1e6), .standard = 1,
                                 .help = "as if the deviation were divided by its root"},
                                SW_KEYS_END};

/* Strains across and through the thickness grow by a step's. */
static void add_strains(const double l[3][3], double angle, double dt, double strain[2])
{
    const double c = -sin(angle), s = cos(angle);
    strain[0] += dt * (c * c * l[0][0] + s * s * l[1][1] + c * s * (l[0][1] + l[1][0]));
    strain[1] += dt * l[2][2];
}

static sw_status run_with(const sw_fit_r *test, double rate, double strain_increment, sw_runs *runs,
                          int64_t n_runs, sw_condition *condition, double (*strain)[2], double *r)
{
    const double angle = test->angle * SW_PI / 180;
    const int steps = (int)ceil(test->strain * sqrt(1.5) / strain_increment);
    const double dt = test->strain / rate / steps;
    for (int64_t k = 0; k < n_runs; k++)
        condition[k] = sw_condition_uniaxial(angle, rate);
    for (int step = 0; step < steps; step++) {
        SW_TRY(sw_runs_step(runs, dt, condition));
        for (int64_t k = 0; k < n_runs; k++) {
            const sw_run_state *state = sw_runs_state(runs, k);
            add_strains(state->velocity_gradient, angle, state->failed ? NAN : dt, strain[k]);
            if (state->failed)
                SW_TRY(sw_runs_end(runs, k));
        }
    }
    for (int64_t k = 0; k < n_runs; k++)
        r[k] = strain[k][0] / strain[k][1];
    return SW_OK;
}

sw_status sw_fit_r_run(const sw_fit_r *test, double rate, double strain_increment, sw_runs *runs,
                       int64_t n_runs, double *r)
{
    sw_condition *condition;
    double(*strain)[2] = NULL;
    SW_TRY(SW_ALLOCATE(condition, n_runs, "conditions"));
    sw_status status = SW_ALLOCATE(strain, n_runs, "strains");
    if (status == SW_OK)
        status = run_with(test, rate, strain_increment, runs, n_runs, condition, strain, r);
    free(condition);
    free(strain);
    return status;
}
