/* Entries of `loading`: checks that are the same for all elements, and all stages of one of them. */
#include <math.h>
#include <stdlib.h>

#include "loading.h"

/* ---- Checks that are the same for all elements ---- */

static sw_status check_plane(const sw_dem_job *job, const char *key, const int64_t plane[2])
{
    return plane[0] != plane[1]
               ? SW_OK
               : sw_job_error(job->source, key,
                              " = [%lld, %lld]: need two axes of 1, 2, 3: of the motion, of its gradient",
                              (long long)plane[0], (long long)plane[1]);
}

static sw_status check_entry(sw_dem_job *job, unsigned index)
{
    const sw_dem_job_stage *spec = &job->loading[index];
    const sw_job *source = job->source;
    char key[SW_KEY_SIZE];
    int rate;
    SW_TRY(sw_job_one_of(source, sw_key_path(key, "loading[%u].", index), "strain_rate inertia_number", 0,
                         &rate));
    SW_TRY(sw_job_need(source, sw_dem_loading_key(index, "strain", key), spec->strain, spec->strain != 0,
                       "not 0, -5 to 5"));
    SW_TRY(sw_job_need(source, sw_dem_loading_key(index, "volume_strain", key), spec->volume_strain,
                       spec->volume_strain != 0, "not 0, -5 to 5"));
    if (spec->plane_count > 0)
        SW_TRY(check_plane(job, sw_dem_loading_key(index, "plane", key), spec->plane));
    return spec->file == NULL ? SW_OK : sw_dem_path_read(job->source, spec->file, &job->path_of[index]);
}

sw_status sw_dem_check_loading(sw_dem_job *job)
{
    if (job->loading_count == 0 && job->packing.file != NULL)
        return sw_job_error(job->source, "loading", " is missing: there is nothing to do with packing.file");
    SW_TRY(SW_DEM_KEEP(job->source, job->path_of, job->loading_count));
    for (unsigned i = 0; i < job->loading_count; i++)
        SW_TRY(check_entry(job, i));
    return SW_OK;
}

/* ---- Stages of an element ---- */

/* Estimate of the time step, s: exact but for the rule `stiffness`. */
static double time_step(const sw_dem_job *job, const sw_dem_element *element, double least_radius)
{
    const sw_dem_numerics *n = &job->numerics;
    return n->step_rule == SW_DEM_STEP_FIXED
               ? n->step
               : n->step * least_radius * sqrt(element->material.density / element->material.young);
}

static sw_status add_packing(sw_dem_maker *m)
{
    const double *value = m->element->value;
    sw_dem_packing_target target = m->job->packing.target;
    sw_dem_stage stage[SW_DEM_PACKING_STAGES], *s = NULL;
    int n;
    target.pressure = value[SW_DEM_PRESSURE];
    target.free_shear |= sw_dem_job_closed(m->job);
    target.void_ratio = isnan(value[SW_DEM_VOID_RATIO]) ? 0 : value[SW_DEM_VOID_RATIO];
    target.packing_friction = value[SW_DEM_PACKING_FRICTION];
    target.inertia_number = value[SW_DEM_PACKING_INERTIA];
    if (sw_dem_packing_stages(&target, m->element->material.density, m->mean_radius, stage, &n) != SW_OK)
        return sw_job_blame(m->job->source, "packing");
    for (int i = 0; i < n; i++) {
        SW_TRY(sw_dem_append_stage(m, &s));
        *s = stage[i];
        s->unrecorded = !m->job->packing.record;
    }
    return SW_OK;
}

/* One control interval without straining: the record at its end is of the state before the loading, where
 * strains count from. */
static sw_status add_beginning(sw_dem_maker *m)
{
    sw_dem_stage *s = NULL;
    SW_TRY(sw_dem_append_stage(m, &s));
    s->until = SW_DEM_UNTIL_STEPS;
    s->goal = 0;
    s->look = 1;
    s->zero_strain = !m->job->packing.goes_on;
    return SW_OK;
}

static sw_status make_all(sw_dem_maker *m)
{
    if (m->element->file == NULL && !isnan(m->element->value[SW_DEM_PRESSURE]))
        SW_TRY(add_packing(m));
    if (m->job->loading_count > 0)
        SW_TRY(add_beginning(m));
    for (m->index = 0; m->index < m->job->loading_count; m->index++) {
        m->spec = &m->job->loading[m->index];
        SW_TRY(sw_dem_make_test(m));
    }
    return SW_OK;
}

sw_status sw_dem_make_stages(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                             double least_radius, sw_dem_stage **stage, int64_t *n)
{
    sw_dem_maker m = {.job = job,
                      .element = element,
                      .mean_radius = mean_radius,
                      .time_step = time_step(job, element, least_radius)};
    const sw_status status = make_all(&m);
    *stage = status == SW_OK ? m.stage : NULL;
    *n = status == SW_OK ? m.n : 0;
    if (status != SW_OK)
        free(m.stage);
    return status;
}

/* Strain rate that records are counted by: of the first test, or of the packing; NaN when there is none. */
static double first_rate(const sw_dem_job *job, const sw_dem_element *element, double mean_radius)
{
    const sw_dem_maker m = {.job = job, .element = element, .spec = job->loading, .mean_radius = mean_radius};
    const double pressure = element->value[SW_DEM_PRESSURE];
    if (job->loading_count == 0)
        return sw_dem_rate(element->value[SW_DEM_PACKING_INERTIA], pressure, element->material.density,
                           mean_radius);
    return sw_dem_test_rate(&m, !isnan(m.spec->pressure)        ? m.spec->pressure
                                : !isnan(m.spec->normal_stress) ? m.spec->normal_stress
                                                                : pressure);
}

int64_t sw_dem_record_interval(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                               double least_radius)
{
    const int64_t control = job->numerics.control_interval;
    if (job->numerics.record_interval > 0)
        return job->numerics.record_interval;
    const double of_step = first_rate(job, element, mean_radius) * time_step(job, element, least_radius);
    const double steps = of_step > 0 ? fmin(job->record_strain / of_step, 1e12) : 1000;
    const int64_t intervals = (int64_t)(steps / (double)control);
    return control * (intervals > 1 ? intervals : 1);
}
