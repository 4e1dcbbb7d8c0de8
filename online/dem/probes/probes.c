#include "probes.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "common/system/progress.h"
#include "online/dem/backend/backend.h"
#include "online/dem/step/control.h"

/* Records of a probe: its yield point lies between two of them. */
enum { RECORDS = 200 };

/* Of stiffness: so little strain that contacts neither form nor part, so slowly that it is at rest. */
#define SMALL_STRAIN 1e-6
enum { SMALL_STEPS = 4000, BOTH_WAYS = 2 * SW_DEM_SIX };

static int64_t copies_of_each(const sw_dem_job *job)
{
    return job->probes.directions + (job->probes.stiffness ? BOTH_WAYS : 0);
}

static sw_dem_probe_point point_of(const sw_dem_row *row, int64_t axis)
{
    const double stress[3] = {row->stress_11, row->stress_22, row->stress_33};
    const double strain[3] = {row->strain_11, row->strain_22, row->strain_33};
    return (sw_dem_probe_point){.pressure = row->pressure,
                                .deviator = 1.5 * (stress[axis - 1] - row->pressure),
                                .volume_strain = row->volume_strain,
                                .axial_strain = strain[axis - 1]};
}

/* A part of the way from a to b. */
static sw_dem_probe_point between(sw_dem_probe_point a, sw_dem_probe_point b, double part)
{
    return (sw_dem_probe_point){a.pressure + part * (b.pressure - a.pressure),
                                a.deviator + part * (b.deviator - a.deviator),
                                a.volume_strain + part * (b.volume_strain - a.volume_strain),
                                a.axial_strain + part * (b.axial_strain - a.axial_strain)};
}

/* ---- Stages ---- */

/* All normal stresses to a part of what they are, at rest. */
static sw_dem_stage unloading(double part, const sw_dem_row *row, double rate)
{
    const double stress[3] = {row->stress_11, row->stress_22, row->stress_33};
    sw_dem_stage stage = sw_dem_stage_defaults();
    for (int c = 0; c < 3; c++) {
        stage.stress_driven[c] = 1;
        stage.stress[c] = part * stress[c];
    }
    stage.max_rate = rate;
    stage.until = SW_DEM_UNTIL_EQUILIBRIUM;
    stage.goal = 0.02;
    stage.stress_tolerance = 0.02;
    stage.max_steps = 20000000;
    return stage;
}

/* Strain along (cos, sin) of volume and deviator, sqrt(D:D / 2) the rate; counted from here. */
static sw_dem_stage straining(const sw_dem_job *job, double angle, double rate)
{
    const double third = cos(angle) / 3, axial = third + 2.0 / 3 * sin(angle),
                 lateral = third - sin(angle) / 3;
    const double size = sqrt(0.5 * (axial * axial + 2 * lateral * lateral));
    sw_dem_stage stage = sw_dem_stage_defaults();
    for (int i = 0; i < 3; i++)
        stage.velocity_gradient[i][i] = -(i == job->probes.axis - 1 ? axial : lateral) * rate / size;
    stage.until = SW_DEM_UNTIL_TIME;
    stage.goal = job->probes.strain / rate;
    stage.zero_strain = 1;
    return stage;
}

/* A small strain of one component, compression positive; then the element rests. */
static void nudging(int component, double strain, double time_step, sw_dem_stage stage[2])
{
    const int i = sw_six_row(component), j = sw_six_column(component);
    stage[0] = stage[1] = sw_dem_stage_defaults();
    stage[0].velocity_gradient[i][j] = stage[0].velocity_gradient[j][i] = -strain / (SMALL_STEPS * time_step);
    stage[0].goal = stage[1].goal = SMALL_STEPS;
}

/* The rate of an element's last test, 1/s, as far as strain drove it; else its servo's bound. */
static double last_rate(const sw_dem_rve *rve)
{
    const sw_dem_stage *stage = &rve->stage[rve->n_stages - 1];
    const double square = sw_symmetric_square(stage->velocity_gradient);
    return square > 0 ? sqrt(0.5 * square) : stage->max_rate;
}

/* ---- Copies ---- */

/* Samples of all copies, those of an element together, with records of their own and no stages. */
static sw_status make_copies(const sw_dem_job *job, sw_dem *dem, sw_dem_sample *sample)
{
    const int64_t each = copies_of_each(job);
    for (int64_t e = 0; e < job->n_elements * each; e++) {
        const sw_dem_rve *rve = sw_dem_get(dem, e / each);
        SW_TRY(sw_dem_job_sample(job, e / each, &sample[e]));
        const double steps = job->probes.strain / (last_rate(rve) * rve->state->time_step);
        const int64_t control = sample[e].numerics.control_interval;
        sample[e].numerics.record_interval =
            control * (int64_t)fmin(fmax(1, steps / RECORDS / (double)control), 1e12 / (double)control);
        sample[e].n_stages = 0;
    }
    return SW_OK;
}

/* The state of element r into its copies, and what is done to them. */
static sw_status set_out(const sw_dem_job *job, sw_dem *dem, int64_t r, const sw_dem_probes *probes,
                         sw_dem *copies)
{
    const double rate = last_rate(sw_dem_get(dem, r));
    int64_t bytes;
    void *state;
    sw_dem_row row;
    SW_TRY(sw_dem_save(dem, r, &bytes, &state));
    sw_dem_last_row(dem, r, &row);
    probes->start[r] = point_of(&row, job->probes.axis);
    sw_status status = SW_OK;
    const double step = sw_dem_get(dem, r)->state->time_step;
    for (int64_t d = 0; d < copies_of_each(job) && status == SW_OK; d++) {
        const int64_t e = r * copies_of_each(job) + d, nudge = d - probes->directions;
        sw_dem_stage stage[3] = {unloading(nudge < 0 ? job->probes.unload : 1, &row, rate)};
        if (nudge < 0)
            stage[1] = straining(job, probes->angle[d], rate);
        else
            nudging((int)(nudge / 2), nudge % 2 == 0 ? SMALL_STRAIN : -SMALL_STRAIN, step, &stage[1]);
        status = sw_dem_restore(copies, e, bytes, state);
        for (int k = 0; k < (nudge < 0 ? 2 : 3) && status == SW_OK; k++)
            status = sw_dem_add_stage(copies, e, &stage[k]);
    }
    free(state);
    return status;
}

/* ---- Yield ---- */

static double dissipated(const sw_dem_row *row)
{
    return row->plastic_work + row->friction_work + row->rolling_work;
}

/* The last record of unloading; -1: none. */
static int64_t last_unloaded(const sw_dem_rve *rve, int64_t n, const sw_dem_row *row)
{
    int64_t last = -1;
    for (int64_t i = 0; i < n; i++)
        if ((int64_t)row[i].stage == rve->n_stages - 2)
            last = i;
    return last;
}

/* Where the work dissipated since unloading reached offset times the first pressure, per volume. */
static sw_dem_probe_point find_yield(const sw_dem_job *job, const sw_dem *copies, int64_t e, double pressure)
{
    const sw_dem_rve *rve = sw_dem_get(copies, e);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(copies, e, &n);
    const int64_t first = last_unloaded(rve, n, row);
    for (int64_t i = first + 1; first >= 0 && i < n; i++) {
        const double wanted = job->probes.offset * pressure * rve->solid_volume / row[i].relative_density;
        const double now = dissipated(&row[i]) - dissipated(&row[first]),
                     before = dissipated(&row[i - 1]) - dissipated(&row[first]);
        sw_dem_probe_point a = point_of(&row[i - 1], job->probes.axis);
        if (!(now >= wanted))
            continue;
        if (i - 1 == first) /* strains count from here */
            a.volume_strain = a.axial_strain = 0;
        return between(a, point_of(&row[i], job->probes.axis),
                       now > before ? (wanted - before) / (now - before) : 0);
    }
    return (sw_dem_probe_point){NAN, NAN, NAN, NAN};
}

/* ---- Stiffness ---- */

/* Column j from the copies that were strained one way and the other. */
static void find_column(const sw_dem *copies, int64_t first, int j, double stiffness[SW_DEM_SIX][SW_DEM_SIX])
{
    const sw_dem_state *way = sw_dem_get(copies, first + 2 * j)->state,
                       *back = sw_dem_get(copies, first + 2 * j + 1)->state;
    const int failed =
        sw_dem_failure(copies, first + 2 * j) != SW_OK || sw_dem_failure(copies, first + 2 * j + 1) != SW_OK;
    for (int i = 0; i < SW_DEM_SIX; i++)
        stiffness[i][j] = failed ? NAN
                                 : (sw_dem_stress_component(way, i) - sw_dem_stress_component(back, i)) /
                                       (2 * SMALL_STRAIN);
}

/* ---- All ---- */

static sw_status watch(void *context, sw_dem *dem, double particle_steps, int64_t finished)
{
    (void)dem;
    (void)particle_steps;
    sw_progress_show(context, finished);
    return SW_OK;
}

static sw_status run_copies(const sw_dem_job *job, sw_dem *dem, sw_dem_probes *probes, sw_dem *copies)
{
    const int64_t each = copies_of_each(job);
    sw_progress progress;
    for (int64_t r = 0; r < probes->elements; r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            SW_TRY(set_out(job, dem, r, probes, copies));
    sw_progress_begin(&progress, "probes", "probes", probes->elements * each, job->run.quiet);
    SW_TRY(sw_dem_run(copies, watch, &progress));
    sw_progress_end(&progress);
    for (int64_t r = 0; r < probes->elements; r++) {
        if (sw_dem_failure(dem, r) != SW_OK)
            continue;
        for (int64_t d = 0; d < probes->directions; d++)
            if (sw_dem_failure(copies, r * each + d) == SW_OK)
                probes->point[r * probes->directions + d] =
                    find_yield(job, copies, r * each + d, probes->start[r].pressure);
        for (int j = 0; probes->stiffness != NULL && j < SW_DEM_SIX; j++)
            find_column(copies, r * each + probes->directions, j, probes->stiffness[r]);
    }
    return SW_OK;
}

static sw_status begin(const sw_dem_job *job, sw_dem_probes *probes)
{
    const int64_t directions = job->probes.directions;
    *probes = (sw_dem_probes){.elements = job->n_elements, .directions = directions};
    SW_TRY(SW_ALLOCATE(probes->angle, directions, "probes"));
    SW_TRY(SW_ALLOCATE(probes->start, job->n_elements, "probes"));
    SW_TRY(SW_ALLOCATE(probes->point, job->n_elements * directions, "probes"));
    if (job->probes.stiffness)
        SW_TRY(SW_ALLOCATE(probes->stiffness, job->n_elements, "probes"));
    for (int64_t i = 0; probes->stiffness != NULL && i < job->n_elements * SW_DEM_SIX * SW_DEM_SIX; i++)
        probes->stiffness[i / 36][i / 6 % 6][i % 6] = NAN;
    for (int64_t d = 0; d < directions; d++)
        probes->angle[d] = 2 * SW_PI * (double)d / (double)directions;
    for (int64_t e = 0; e < job->n_elements * directions; e++)
        probes->point[e] = (sw_dem_probe_point){NAN, NAN, NAN, NAN};
    return SW_OK;
}

sw_status sw_dem_run_probes(const sw_dem_job *job, sw_dem *dem, sw_dem_probes *probes)
{
    const int64_t copies_wanted = job->n_elements * copies_of_each(job);
    sw_dem_sample *sample;
    sw_dem *copies = NULL;
    SW_TRY(begin(job, probes));
    SW_TRY(SW_ALLOCATE(sample, copies_wanted, "probes"));
    sw_status status = make_copies(job, dem, sample);
    if (status == SW_OK)
        status = sw_dem_open(&job->options, copies_wanted, sample, &copies);
    if (status == SW_OK)
        status = run_copies(job, dem, probes, copies);
    for (int64_t e = 0; e < copies_wanted; e++)
        sw_dem_job_sample_free(&sample[e]);
    free(sample);
    sw_dem_close(copies);
    return status;
}

void sw_dem_probes_free(sw_dem_probes *probes)
{
    free(probes->angle);
    free(probes->start);
    free(probes->point);
    free(probes->stiffness);
    *probes = (sw_dem_probes){0};
}
