/* Entries of `loading`: checks that are the same for all elements, and the stages of one of them. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loading.h"

static const sw_dem_test *test_of(const sw_dem_job_stage *spec)
{
    for (int i = 0; i < SW_DEM_TESTS; i++)
        if (strcmp(sw_dem_tests[i].name, spec->test) == 0)
            return &sw_dem_tests[i];
    return NULL; /* not after sw_dem_check_loading */
}

/* ---- Checks that are the same for all elements ---- */

static int lists(const char *keys, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = keys; (at = strstr(at, name)) != NULL; at += length)
        if ((at == keys || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

/* Keys of a stage that the test does not have. */
static sw_status check_keys(const sw_dem_maker *m, const sw_dem_test *test)
{
    static const char *const keys[] = {
        "axis",       "plane",         "strain",     "volume_strain",    "strain_rate",
        "pressure",   "normal_stress", "b",          "inertia_number",   "velocity_gradient",
        "components", "file",          "until",      "component",        "goal",
        "duration",   "ramp",          "servo_rate", "stress_tolerance", "unbalanced_force",
        "friction",   "most_steps",    "record",     "zero_strain",      "wait_for_rest"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_dem_has(m, keys[i]) && !lists(test->keys, keys[i]) &&
            !lists(sw_dem_keys_of_all_tests, keys[i]))
            return SW_DEM_REFUSE(m, keys[i], " has no place in the test '%s'", test->name);
    if (sw_dem_has(m, "strain_rate") && sw_dem_has(m, "inertia_number"))
        return SW_DEM_REFUSE(m, "inertia_number", " beside strain_rate: need only one of them");
    return SW_OK;
}

static sw_status check_stage(sw_dem_job *job, unsigned index)
{
    sw_dem_job_stage *spec = &job->loading[index];
    const sw_dem_maker m = {.job = job, .spec = spec, .index = index};
    const char *names[SW_DEM_TESTS];
    char key[SW_DEM_KEY];
    int test;
#define AT(member) offsetof(sw_dem_job_stage, member)
    static const sw_dem_number rules[] = {
        {"axis", AT(axis), 1, 1, 3, 3, "1, 2 or 3"},
        {"strain", AT(strain), 0, -5, 5, 0, "not 0, -5 to 5"},
        {"volume_strain", AT(volume_strain), 0, -5, 5, 0, "not 0, -5 to 5"},
        {"strain_rate", AT(strain_rate), 0, 1e-15, 1e12, 0, "1/s, from 1e-15 to 1e12"},
        {"inertia_number", AT(inertia_number), 0, 1e-7, 1, 0, "from 1e-7 to 1"},
        {"pressure", AT(pressure), 0, 1e-3, 1e12, 0, "Pa, from 1e-3 to 1e12"},
        {"normal_stress", AT(normal_stress), 0, 1e-3, 1e12, 0, "Pa, from 1e-3 to 1e12"},
        {"b", AT(b), 0, 0, 1, 0, "0 <= b <= 1"},
        {"goal", AT(goal), 0, 1e-300, 1e15, 0, "more than 0, at most 1e15"},
        {"duration", AT(duration), 0, 1e-15, 1e9, 0, "s, from 1e-15 to 1e9"},
        {"ramp", AT(ramp), 0, 0, 1e9, 0, "s, from 0 to 1e9"},
        {"servo_rate", AT(servo_rate), 0, 1e-15, 1e12, 0, "1/s, from 1e-15 to 1e12"},
        {"stress_tolerance", AT(stress_tolerance), 0, 1e-6, 0.5, 1e-2, "1e-6 <= stress_tolerance <= 0.5"},
        {"unbalanced_force", AT(unbalanced_force), 0, 1e-9, 1, 1e-2, "1e-9 <= unbalanced_force <= 1"},
        {"friction", AT(friction), 0, 0, 10, -1, "a tangent, from 0 to 10"},
        {"most_steps", AT(most_steps), 1, 1, 1e15, 0, "1 <= most_steps <= 1e15"},
    };
#undef AT
    for (int i = 0; i < SW_DEM_TESTS; i++)
        names[i] = sw_dem_tests[i].name;
    SW_TRY(sw_dem_choose(job, sw_dem_key_of(&m, "test", key), spec->test, SW_DEM_TESTS, names, 0, &test));
    SW_TRY(check_keys(&m, &sw_dem_tests[test]));
    snprintf(key, sizeof key, "loading[%u].", index);
    SW_TRY(sw_dem_check_numbers(job, key, spec, (int)(sizeof rules / sizeof *rules), rules));
    if (sw_dem_has(&m, "strain") && spec->strain == 0)
        return SW_DEM_REFUSE(&m, "strain", " = 0: need not 0, -5 to 5");
    if (sw_dem_has(&m, "volume_strain") && spec->volume_strain == 0)
        return SW_DEM_REFUSE(&m, "volume_strain", " = 0: need not 0, -5 to 5");
    if (spec->plane_count == 2) {
        const int64_t *p = spec->plane;
        if (p[0] < 1 || p[0] > 3 || p[1] < 1 || p[1] > 3 || p[0] == p[1])
            return SW_DEM_REFUSE(&m, "plane",
                                 " = [%lld, %lld]: need two axes of 1, 2, 3: of the motion, of its gradient",
                                 (long long)p[0], (long long)p[1]);
    }
    return SW_OK;
}

/* ---- Reading ---- */

static sw_status read_path(sw_dem_job *job, unsigned index)
{
    const sw_dem_maker m = {.job = job, .spec = &job->loading[index], .index = index};
    if (job->loading[index].file == NULL)
        return SW_DEM_REFUSE(&m, "file", " is missing: need a table of times, stresses and strain rates");
    return sw_dem_path_read(job->loading[index].file, &job->path_of[index]);
}

void sw_dem_free_paths(sw_dem_job *job)
{
    for (unsigned i = 0; i < job->loading_count && job->path_of != NULL; i++)
        sw_dem_path_free(&job->path_of[i]);
    free(job->path_of);
    job->path_of = NULL;
}

sw_status sw_dem_check_loading(sw_dem_job *job)
{
    if (job->loading_count == 0 && sw_dem_given(job, "packing.file"))
        return sw_dem_job_error(job, "loading", " is missing: there is nothing to do with packing.file");
    SW_TRY(SW_ALLOCATE(job->path_of, job->loading_count, "stress paths"));
    for (unsigned i = 0; i < job->loading_count; i++) {
        SW_TRY(check_stage(job, i));
        if (strcmp(job->loading[i].test, "stress_path") == 0)
            SW_TRY(read_path(job, i));
    }
    return SW_OK;
}

/* ---- Stages of an element ---- */

double sw_dem_job_time_step(const sw_dem_job *job, const sw_dem_element *element, double least_radius)
{
    const sw_dem_numerics *n = &job->frame;
    return n->step_rule == SW_DEM_STEP_FIXED
               ? n->step
               : n->step * least_radius * sqrt(element->material.density / element->material.young);
}

static sw_status add_packing(sw_dem_maker *m)
{
    const sw_dem_job *job = m->job;
    const sw_dem_element *e = m->element;
    const sw_dem_packing_target target = {.pressure = e->value[SW_DEM_PRESSURE],
                                          .void_ratio =
                                              e->given[SW_DEM_VOID_RATIO] ? e->value[SW_DEM_VOID_RATIO] : 0,
                                          .packing_friction = e->value[SW_DEM_PACKING_FRICTION],
                                          .friction_decay = job->packing.friction_decay,
                                          .inertia_number = e->value[SW_DEM_PACKING_INERTIA],
                                          .stress_tolerance = job->packing.stress_tolerance,
                                          .unbalanced_force = job->packing.unbalanced_force,
                                          .max_steps = job->packing.most_steps};
    sw_dem_stage stage[SW_DEM_PACKING_STAGES], *s = NULL;
    int n, record;
    if (sw_dem_packing_stages(&target, e->material.density, m->mean_radius, stage, &n) != SW_OK)
        return sw_dem_blame(job, "packing");
    SW_TRY(sw_dem_choose_yes(job, "packing.record", job->packing.record, job->loading_count == 0, &record));
    for (int i = 0; i < n; i++) {
        SW_TRY(sw_dem_append_stage(m, &s));
        *s = stage[i];
        s->unrecorded = !record;
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
    s->zero_strain = 1;
    return SW_OK;
}

static sw_status make_all(sw_dem_maker *m)
{
    if (m->element->file == NULL)
        SW_TRY(add_packing(m));
    if (m->job->loading_count > 0)
        SW_TRY(add_beginning(m));
    for (m->index = 0; m->index < m->job->loading_count; m->index++) {
        m->spec = &m->job->loading[m->index];
        SW_TRY(test_of(m->spec)->make(m));
    }
    return SW_OK;
}

sw_status sw_dem_job_stages(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                            double least_radius, sw_dem_stage **stage, int64_t *n)
{
    sw_dem_maker m = {.job = job,
                      .element = element,
                      .mean_radius = mean_radius,
                      .time_step = sw_dem_job_time_step(job, element, least_radius)};
    const sw_status status = make_all(&m);
    *stage = status == SW_OK ? m.stage : NULL;
    *n = status == SW_OK ? m.n : 0;
    if (status != SW_OK)
        free(m.stage);
    return status;
}

/* Strain rate that records are counted by: of the first test, or of the packing. */
static double first_rate(const sw_dem_job *job, const sw_dem_element *element, double mean_radius)
{
    const sw_dem_maker m = {.job = job, .element = element, .spec = job->loading, .mean_radius = mean_radius};
    double pressure = element->value[SW_DEM_PRESSURE];
    if (job->loading_count == 0)
        return sw_dem_rate(element->value[SW_DEM_PACKING_INERTIA], pressure, element->material.density,
                           mean_radius);
    pressure = sw_dem_has(&m, "pressure")        ? m.spec->pressure
               : sw_dem_has(&m, "normal_stress") ? m.spec->normal_stress
                                                 : pressure;
    return sw_dem_test_rate(&m, pressure);
}

int64_t sw_dem_job_record_interval(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                                   double least_radius)
{
    const int64_t control = job->numerics.control_interval;
    if (job->numerics.record_interval > 0)
        return job->numerics.record_interval;
    const double of_step =
        first_rate(job, element, mean_radius) * sw_dem_job_time_step(job, element, least_radius);
    const double steps = of_step > 0 ? fmin(job->numerics.record_strain / of_step, 1e12) : 1000;
    const int64_t intervals = (int64_t)(steps / (double)control);
    return control * (intervals > 1 ? intervals : 1);
}
