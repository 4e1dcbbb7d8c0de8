/* What elements are made of: the job's own parameters, those of a variation or a sample in their place, a
 * packing, stages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "input.h"
#include "online/dem/packing/file.h"

/* ---- Sizes ---- */

/* Which keys of packing.radii each distribution has. */
static const struct {
    const char *key;
    unsigned of; /* bits of sw_dem_sizes_kind */
} radii_keys[] = {
    {"radius", 1 << SW_DEM_MONODISPERSE | 1 << SW_DEM_LOGNORMAL},
    {"deviation", 1 << SW_DEM_LOGNORMAL},
    {"least", 1 << SW_DEM_UNIFORM | 1 << SW_DEM_UNIFORM_MASS | 1 << SW_DEM_LOGNORMAL},
    {"largest", 1 << SW_DEM_UNIFORM | 1 << SW_DEM_UNIFORM_MASS | 1 << SW_DEM_LOGNORMAL},
    {"grading", 1 << SW_DEM_GRADING},
};

static sw_status make_sizes(sw_dem_job *job)
{
    char key[SW_DEM_KEY];
    int kind;
    if (job->packing.radii.distribution == NULL)
        return sw_dem_job_error(job, "packing.radii.distribution", " is missing");
    SW_TRY(sw_dem_choose(job, "packing.radii.distribution", job->packing.radii.distribution,
                         SW_DEM_SIZES_KINDS, sw_dem_sizes_names, 0, &kind));
    for (size_t i = 0; i < sizeof radii_keys / sizeof *radii_keys; i++) {
        snprintf(key, sizeof key, "packing.radii.%s", radii_keys[i].key);
        const int needed = radii_keys[i].of >> kind & 1;
        if (sw_dem_given(job, key) != needed)
            return sw_dem_job_error(job, key, "%s '%s'",
                                    needed ? " is missing: need it for the distribution"
                                           : " has no place in the distribution",
                                    sw_dem_sizes_names[kind]);
    }
    const unsigned n = job->packing.radii.grading_count;
    SW_TRY(SW_ALLOCATE(job->grading, 2 * n + 1, "a grading curve"));
    for (unsigned i = 0; i < n; i++) {
        job->grading[i] = job->packing.radii.grading[i][0];
        job->grading[n + i] = job->packing.radii.grading[i][1];
    }
    job->sizes = (sw_dem_sizes){.kind = (sw_dem_sizes_kind)kind,
                                .radius = job->packing.radii.radius,
                                .deviation = job->packing.radii.deviation,
                                .least = job->packing.radii.least,
                                .largest = job->packing.radii.largest,
                                .n_points = n,
                                .diameter = job->grading,
                                .passing = job->grading + n};
    return sw_dem_sizes_check(&job->sizes) == SW_OK ? SW_OK : sw_dem_blame(job, "packing.radii");
}

/* ---- Packings ---- */

/* Keys that only a generated packing has. */
static const char *const generating[] = {"packing.radii",
                                         "packing.particles",
                                         "packing.seed",
                                         "packing.void_ratio",
                                         "packing.friction",
                                         "packing.inertia_number",
                                         "packing.friction_decay",
                                         "packing.stress_tolerance",
                                         "packing.unbalanced_force",
                                         "packing.most_steps",
                                         "packing.record"};
enum { GENERATING = sizeof generating / sizeof *generating };

int sw_dem_generates(int parameter)
{
    return parameter == SW_DEM_PARTICLES || parameter == SW_DEM_SEED || parameter == SW_DEM_VOID_RATIO ||
           parameter == SW_DEM_PACKING_FRICTION || parameter == SW_DEM_PACKING_INERTIA;
}

/* Packings come all from files or all from the generator. */
static sw_status check_source(sw_dem_job *job)
{
    unsigned files = 0;
    char key[SW_DEM_KEY];
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        files += job->rves.variations[i].file != NULL;
    if (job->packing.file == NULL && files > 0 && files < job->rves.variations_count)
        for (unsigned i = 0; i < job->rves.variations_count; i++)
            if (job->rves.variations[i].file == NULL) {
                snprintf(key, sizeof key, "rves.variations[%u]", i);
                return sw_dem_job_error(job, key,
                                        " has no file: need one in each variation, or packing.file");
            }
    job->packed_by_file = job->packing.file != NULL || files > 0;
    if (!job->packed_by_file)
        return SW_OK;
    for (int i = 0; i < GENERATING; i++)
        if (sw_dem_given(job, generating[i]))
            return sw_dem_job_error(job, generating[i], ": has no place beside a packing from a file");
    if (job->rves.count > 1)
        return sw_dem_job_error(job, "rves.count",
                                " = %lld: elements of one packing from a file would be the same: need 1",
                                (long long)job->rves.count);
    return SW_OK;
}

static sw_status check_generator(sw_dem_job *job)
{
    static const char *const needed[] = {"packing.radii", "packing.particles", "packing.pressure"};
    for (int i = 0; i < 3; i++)
        if (!sw_dem_given(job, needed[i]))
            return sw_dem_job_error(job, needed[i], " is missing: need it, or packing.file");
    return make_sizes(job);
}

/* ---- Variations ---- */

static sw_status check_variation(const sw_dem_job *job, unsigned index)
{
    const sw_dem_job_variation *v = &job->rves.variations[index];
    char key[SW_DEM_KEY], other[SW_DEM_KEY];
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        snprintf(key, sizeof key, "rves.variations[%u].%s", index, sw_dem_parameters[i].name);
        if (!sw_dem_given(job, key))
            continue;
        const char *bound = sw_dem_parameter_bound((sw_dem_parameter)i, v->value[i]);
        if (bound != NULL)
            return sw_dem_job_error(job, key, " = %.15g: need %s", v->value[i], bound);
        if (job->packed_by_file && sw_dem_generates(i))
            return sw_dem_job_error(job, key, ": has no place beside a packing from a file");
    }
    snprintf(key, sizeof key, "rves.variations[%u].friction_angle", index);
    snprintf(other, sizeof other, "rves.variations[%u].friction", index);
    if (sw_dem_given(job, key) && sw_dem_given(job, other))
        return sw_dem_job_error(job, key, " beside friction: need only one of them");
    return SW_OK;
}

static sw_status check_rves(sw_dem_job *job)
{
    static const sw_dem_number rules[] = {
        {"count", offsetof(sw_dem_job, rves.count), 1, 1, 1000000, 1, "1 <= count <= 1e6"}};
    SW_TRY(sw_dem_check_numbers(job, "rves.", job, 1, rules));
    SW_TRY(check_source(job));
    if (!job->packed_by_file)
        SW_TRY(check_generator(job));
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        SW_TRY(check_variation(job, i));
    return SW_OK;
}

/* ---- Elements ---- */

static void set(sw_dem_element *element, int parameter, double value)
{
    element->value[parameter] = value;
    element->given[parameter] = 1;
    if (parameter == SW_DEM_FRICTION)
        element->value[SW_DEM_FRICTION_ANGLE] = atan(value) * 180 / SW_PI;
    if (parameter == SW_DEM_FRICTION_ANGLE)
        element->value[SW_DEM_FRICTION] = tan(value * SW_PI / 180);
}

sw_dem_element sw_dem_job_element(const sw_dem_job *job, int64_t k)
{
    sw_dem_element e = {.variant = k / job->rves.count, .file = job->packing.file, .material = job->material};
    char key[SW_DEM_KEY];
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        e.value[i] = job->parameter[i];
        snprintf(key, sizeof key, "%s.%s", sw_dem_parameters[i].section, sw_dem_parameters[i].key);
        e.given[i] = sw_dem_given(job, key);
    }
    if (job->table != NULL) {
        const int64_t columns = job->table->n_columns - SW_DEM_SAMPLE_COLUMNS;
        for (int64_t i = 0; i < columns; i++)
            set(&e, job->column_of[i],
                strtod(job->table->word[e.variant * job->table->n_columns + SW_DEM_SAMPLE_COLUMNS + i],
                       NULL));
    } else if (job->rves.variations_count > 0) {
        const sw_dem_job_variation *v = &job->rves.variations[e.variant];
        for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
            snprintf(key, sizeof key, "rves.variations[%lld].%s", (long long)e.variant,
                     sw_dem_parameters[i].name);
            if (sw_dem_given(job, key))
                set(&e, i, v->value[i]);
        }
        e.file = v->file != NULL ? v->file : e.file;
    }
    e.value[SW_DEM_SEED] += (double)(k % job->rves.count);
    e.material.young = e.value[SW_DEM_YOUNG];
    e.material.poisson = e.value[SW_DEM_POISSON];
    e.material.friction = e.value[SW_DEM_FRICTION];
    e.material.roll_stiffness = e.value[SW_DEM_ROLL_STIFFNESS];
    e.material.twist_stiffness = e.value[SW_DEM_TWIST_STIFFNESS];
    e.material.roll_strength = e.value[SW_DEM_ROLL_STRENGTH];
    e.material.twist_strength = e.value[SW_DEM_TWIST_STRENGTH];
    e.material.density = e.value[SW_DEM_DENSITY];
    return e;
}

void sw_dem_job_name(const sw_dem_job *job, int64_t k, char *text, size_t size)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    char seed[48] = "";
    if (!job->packed_by_file)
        snprintf(seed, sizeof seed, " (seed %.0f)", e.value[SW_DEM_SEED]);
    if (job->table != NULL)
        snprintf(text, size, "sample %.200s%s", job->table->word[e.variant * job->table->n_columns + 1],
                 job->rves.count > 1 ? seed : "");
    else if (e.file != NULL)
        snprintf(text, size, "element %lld (%.200s)", (long long)k, e.file);
    else
        snprintf(text, size, "element %lld%s", (long long)k, seed);
}

/* The last message with the element's name before it. */
static sw_status name_element(const sw_dem_job *job, int64_t k, sw_status status)
{
    char name[320], message[640];
    snprintf(message, sizeof message, "%.600s", sw_error_message());
    sw_dem_job_name(job, k, name, sizeof name);
    return sw_error(status, "%s: %s", name, message);
}

/* What stages need of a packing that is not there yet. */
static void expected_radii(const sw_dem_job *job, double *mean, double *least)
{
    *mean = *least = 1e-4; /* m: of a file, any will do for checks */
    if (job->packed_by_file)
        return;
    *mean = sw_dem_sizes_quantile(&job->sizes, 0.5);
    *least = sw_dem_sizes_quantile(&job->sizes, 0);
}

/* Column of the table that sets a parameter of samples; -1: none. */
static int64_t column_of(const sw_dem_job *job, int parameter)
{
    const int64_t columns = job->table == NULL ? 0 : job->table->n_columns - SW_DEM_SAMPLE_COLUMNS;
    for (int64_t i = 0; i < columns; i++)
        if (job->column_of[i] == parameter)
            return i;
    return -1;
}

/* Whether a parameter is the variation's or the sample's own; key: where it is given, or would be. */
static int is_own(const sw_dem_job *job, int64_t variant, int parameter, char key[SW_DEM_KEY])
{
    const sw_dem_parameter_traits *traits = &sw_dem_parameters[parameter];
    snprintf(key, SW_DEM_KEY, "rves.variations[%lld].%s", (long long)variant, traits->name);
    if (job->table == NULL && job->rves.variations_count > 0 && sw_dem_given(job, key))
        return 1;
    snprintf(key, SW_DEM_KEY, "%s.%s", traits->section, traits->key);
    return column_of(job, parameter) >= 0;
}

/* An SW_ERR_INPUT at the place that gives an element a parameter. */
static sw_status refuse_parameter(const sw_dem_job *job, const sw_dem_element *e, int parameter,
                                  const char *need)
{
    char key[SW_DEM_KEY];
    const int64_t column = column_of(job, parameter);
    is_own(job, e->variant, parameter, key);
    return job->table != NULL && column >= 0
               ? sw_dem_table_error(job->table, e->variant, "%s = %.15g%s",
                                    job->table->name[SW_DEM_SAMPLE_COLUMNS + column], e->value[parameter],
                                    need)
               : sw_dem_job_error(job, key, " = %.15g%s", e->value[parameter], need);
}

/* What one parameter asks of another. */
static sw_status check_parameters(const sw_dem_job *job, const sw_dem_element *e)
{
    static const int pairs[][2] = {{SW_DEM_ROLL_STRENGTH, SW_DEM_ROLL_STIFFNESS},
                                   {SW_DEM_TWIST_STRENGTH, SW_DEM_TWIST_STIFFNESS}};
    char key[SW_DEM_KEY], need[160];
    if (e->material.law == SW_DEM_HERTZ_MINDLIN && !(e->material.poisson <= 0.5))
        return refuse_parameter(job, e, SW_DEM_POISSON, ": need at most 0.5 with the law hertz_mindlin");
    for (int i = 0; i < 2; i++) {
        const int strength = pairs[i][0], stiffness = pairs[i][1];
        if (!(e->value[strength] > 0) || e->value[stiffness] > 0)
            continue;
        snprintf(need, sizeof need, " without a stiffness: need %s above 0",
                 sw_dem_parameters[stiffness].name);
        if (is_own(job, e->variant, strength, key) || !is_own(job, e->variant, stiffness, key))
            return refuse_parameter(job, e, strength, need);
        snprintf(need, sizeof need, ": need it above 0 beside %s = %.15g", sw_dem_parameters[strength].name,
                 e->value[strength]);
        return refuse_parameter(job, e, stiffness, need);
    }
    return SW_OK;
}

static sw_status check_element(const sw_dem_job *job, int64_t k)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    double mean, least;
    sw_dem_stage *stage;
    int64_t n;
    SW_TRY(check_parameters(job, &e));
    expected_radii(job, &mean, &least);
    SW_TRY(sw_dem_job_stages(job, &e, mean, least, &stage, &n));
    free(stage);
    return SW_OK;
}

sw_status sw_dem_make_elements(sw_dem_job *job)
{
    enum { MOST = 1000000 };
    SW_TRY(check_rves(job));
    SW_TRY(sw_dem_make_samples(job));
    job->n_variants = job->table != NULL               ? job->table->n_rows
                      : job->rves.variations_count > 0 ? (int64_t)job->rves.variations_count
                                                       : 1;
    job->n_elements = job->n_variants * job->rves.count;
    if (job->n_elements > MOST)
        return sw_dem_job_error(job, "rves.count", " = %lld: makes %lld elements: need at most 1e6",
                                (long long)job->rves.count, (long long)job->n_elements);
    for (int64_t v = 0; v < job->n_variants; v++)
        SW_TRY(check_element(job, v * job->rves.count));
    return SW_OK;
}

/* ---- Samples to open ---- */

#define STREWN 0.25 /* solid fraction before compression: no contacts, and quickly made */

static sw_status make_packing(const sw_dem_job *job, const sw_dem_element *e, sw_dem_packing *packing)
{
    if (e->file != NULL)
        return sw_dem_packing_read(e->file, packing);
    return sw_dem_pack_loose((int64_t)e->value[SW_DEM_PARTICLES], &job->sizes,
                             (uint64_t)e->value[SW_DEM_SEED], STREWN, packing);
}

static double least_radius(const sw_dem_packing *packing)
{
    double least = INFINITY;
    for (int64_t i = 0; i < packing->n_particles; i++)
        least = fmin(least, packing->radius[i]);
    return least;
}

sw_status sw_dem_job_sample(const sw_dem_job *job, int64_t k, sw_dem_sample *sample)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    sw_dem_stage *stage = NULL;
    *sample = (sw_dem_sample){.material = e.material, .numerics = job->frame};
    sw_status status = make_packing(job, &e, &sample->packing);
    if (status == SW_OK) {
        const double mean = sw_dem_packing_mean_radius(&sample->packing),
                     least = least_radius(&sample->packing);
        sample->numerics.damping = e.value[SW_DEM_DAMPING];
        sample->numerics.record_interval = sw_dem_job_record_interval(job, &e, mean, least);
        status = sw_dem_job_stages(job, &e, mean, least, &stage, &sample->n_stages);
        sample->stage = stage;
    }
    if (status == SW_OK)
        return SW_OK;
    sw_dem_job_sample_free(sample);
    return name_element(job, k, status);
}

void sw_dem_job_sample_free(sw_dem_sample *sample)
{
    sw_dem_packing_free(&sample->packing);
    free((sw_dem_stage *)sample->stage);
    *sample = (sw_dem_sample){0};
}
