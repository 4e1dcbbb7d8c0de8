/* What elements are made of: the job's own parameters, those of a variation or a sample in their place, a
 * packing, stages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "input.h"
#include "online/dem/backend/names.h"
#include "online/dem/contact/contact.h"

/* ---- Packings ---- */

/* Packings come all from files or all from the generator. */
static sw_status check_files(const sw_dem_job *job, unsigned files)
{
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; job->packing.file == NULL && files > 0 && i < job->rves.variations_count; i++)
        if (job->rves.variations[i].file == NULL)
            return sw_job_error(job->source, sw_key_path(key, "rves.variations[%u]", i),
                                " has no file: need one in each variation, or packing.file");
    if (!job->packed_by_file)
        return SW_OK;
    SW_TRY(sw_dem_refuse_keys(
        job->source, "packing.",
        "radii clump method slowness particles seed void_ratio friction inertia_number friction_decay "
        "shear_stress stress_tolerance unbalanced_force most_steps record",
        ": has no place beside a packing from a file"));
    if (job->rves.count > 1)
        return sw_job_error(job->source, "rves.count",
                            " = %lld: elements of one packing from a file would be the same: need 1",
                            (long long)job->rves.count);
    return SW_OK;
}

static sw_status check_generator(sw_dem_job *job)
{
    static const char *const needed[] = {"packing.radii", "packing.particles", "packing.pressure"};
    for (int i = 0; i < (job->gravity_count > 0 ? 2 : 3); i++) /* what falls need not be pressed */
        if (!sw_job_given(job->source, needed[i]))
            return sw_job_error(job->source, needed[i], " is missing: need it, or packing.file");
    job->sizes.n_points = job->packing.grading_count;
    job->sizes.grading = (const double(*)[2])job->packing.grading;
    return sw_dem_sizes_check(&job->sizes) == SW_OK ? SW_OK : sw_job_blame(job->source, "packing.radii");
}

static sw_status check_packings(sw_dem_job *job)
{
    unsigned files = 0;
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        files += job->rves.variations[i].file != NULL;
    job->packed_by_file = job->packing.file != NULL || files > 0;
    if (!sw_job_given(job->source, "packing.record"))
        job->packing.record = job->loading_count == 0;
    SW_TRY(check_files(job, files));
    if (job->packing.goes_on && !job->packed_by_file)
        return sw_job_error(job->source, "packing.goes_on", " = yes: need packing.file");
    return job->packed_by_file ? SW_OK : check_generator(job);
}

/* ---- Variations ---- */

static sw_status check_variation(const sw_dem_job *job, unsigned index)
{
    const sw_dem_job_variation *v = &job->rves.variations[index];
    char key[SW_KEY_SIZE];
    int friction;
    for (int i = 0; i < SW_DEM_PARAMETERS && job->packed_by_file; i++)
        if (!isnan(v->value[i]) && sw_dem_generates((sw_dem_parameter)i))
            return sw_job_error(job->source,
                                sw_key_path(key, "rves.variations[%u].%s", index, sw_dem_parameters[i].name),
                                ": has no place beside a packing from a file");
    return sw_job_one_of(job->source, sw_key_path(key, "rves.variations[%u].", index),
                         "friction friction_angle", 0, &friction);
}

/* ---- Elements ---- */

static double to_tangent(double degrees) { return tan(degrees * SW_PI / 180); }
static double to_degrees(double tangent) { return atan(tangent) * 180 / SW_PI; }

static void set(double value[SW_DEM_PARAMETERS], int parameter, double number)
{
    value[parameter] = number;
    if (parameter == SW_DEM_FRICTION)
        value[SW_DEM_FRICTION_ANGLE] = to_degrees(number);
    if (parameter == SW_DEM_FRICTION_ANGLE)
        value[SW_DEM_FRICTION] = to_tangent(number);
}

/* The parameters that are given, of those of a job or a variation. */
static void set_given(double value[SW_DEM_PARAMETERS], const double given[SW_DEM_PARAMETERS])
{
    for (int i = 0; i < SW_DEM_PARAMETERS; i++)
        if (!isnan(given[i]))
            set(value, i, given[i]);
}

static int64_t columns_of(const sw_dem_job *job)
{
    return job->table != NULL ? job->table->n_columns - SW_DEM_SAMPLE_COLUMNS : 0;
}

static sw_dem_material material_of(const sw_dem_job *job, const double value[SW_DEM_PARAMETERS])
{
    sw_dem_material m = job->material;
    m.young = value[SW_DEM_YOUNG];
    m.poisson = value[SW_DEM_POISSON];
    m.friction = value[SW_DEM_FRICTION];
    m.roll_stiffness = value[SW_DEM_ROLL_STIFFNESS];
    m.twist_stiffness = value[SW_DEM_TWIST_STIFFNESS];
    m.roll_strength = value[SW_DEM_ROLL_STRENGTH];
    m.twist_strength = value[SW_DEM_TWIST_STRENGTH];
    m.density = value[SW_DEM_DENSITY];
    m.strength = value[SW_DEM_STRENGTH];
    m.rate_sensitivity = value[SW_DEM_RATE_SENSITIVITY];
    m.cohesion = value[SW_DEM_COHESION];
    m.adhesion = value[SW_DEM_ADHESION];
    m.bond_strength = value[SW_DEM_BOND_STRENGTH];
    m.liquid_volume = value[SW_DEM_LIQUID_VOLUME];
    m.liquid_tension = value[SW_DEM_LIQUID_TENSION];
    m.wetting_angle = value[SW_DEM_WETTING_ANGLE] * (SW_PI / 180);
    return m;
}

/* The element's numbers with those that an other material has of its own. */
static sw_dem_material other_of(const sw_dem_job *job, const double value[SW_DEM_PARAMETERS], unsigned number)
{
    double own[SW_DEM_PARAMETERS];
    memcpy(own, value, sizeof own);
    set_given(own, job->others[number].value);
    return material_of(job, own);
}

sw_dem_element sw_dem_job_element(const sw_dem_job *job, int64_t k)
{
    sw_dem_element e = {.variant = k / job->rves.count, .file = job->packing.file};
    const int64_t columns = columns_of(job);
    for (int i = 0; i < SW_DEM_PARAMETERS; i++)
        e.value[i] = NAN;
    set_given(e.value, job->parameter);
    for (int64_t i = 0; i < columns; i++)
        set(e.value, job->column_of[i], job->cell[e.variant * columns + i]);
    if (job->table == NULL && job->rves.variations_count > 0) {
        const sw_dem_job_variation *v = &job->rves.variations[e.variant];
        set_given(e.value, v->value);
        e.file = v->file != NULL ? v->file : e.file;
    }
    e.value[SW_DEM_SEED] += (double)(k % job->rves.count);
    e.material = material_of(job, e.value);
    e.n_others = (int)job->others_count;
    for (unsigned i = 0; i < job->others_count; i++)
        e.other[i] = other_of(job, e.value, i);
    return e;
}

void sw_dem_job_name(const sw_dem_job *job, int64_t k, char *text, size_t size)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    char seed[48] = "";
    if (!job->packed_by_file)
        snprintf(seed, sizeof seed, " (seed %.0f)", e.value[SW_DEM_SEED]);
    if (job->table != NULL)
        snprintf(text, size, "sample %.200s%s",
                 job->table->word[e.variant * job->table->n_columns + SW_DEM_SAMPLE_DESCRIPTION],
                 job->rves.count > 1 ? seed : "");
    else if (e.file != NULL)
        snprintf(text, size, "element %lld (%.200s)", (long long)k, e.file);
    else
        snprintf(text, size, "element %lld%s", (long long)k, seed);
}

/* ---- Checks of each ---- */

/* Where an element has a parameter from: the column of the table, else the key of the variation or of the
 * job. Returns whether it is the sample's or the variation's own. */
static int find_parameter(const sw_dem_job *job, int64_t variant, int parameter, int64_t *column,
                          char key[SW_KEY_SIZE])
{
    const sw_dem_parameter_traits *traits = &sw_dem_parameters[parameter];
    *column = -1;
    for (int64_t i = 0; i < columns_of(job); i++)
        if (job->column_of[i] == parameter)
            *column = i;
    const int varied = job->table == NULL && job->rves.variations_count > 0 &&
                       !isnan(job->rves.variations[variant].value[parameter]);
    if (varied)
        sw_key_path(key, "rves.variations[%lld].%s", (long long)variant, traits->name);
    else
        sw_key_path(key, "%s", traits->key);
    return varied || *column >= 0;
}

static int is_own(const sw_dem_job *job, int64_t variant, int parameter)
{
    int64_t column;
    char key[SW_KEY_SIZE];
    return find_parameter(job, variant, parameter, &column, key);
}

/* An SW_ERR_INPUT at the place that gives an element a parameter. */
static sw_status refuse_parameter(const sw_dem_job *job, const sw_dem_element *e, int parameter,
                                  const char *need)
{
    char key[SW_KEY_SIZE];
    int64_t column;
    find_parameter(job, e->variant, parameter, &column, key);
    return job->table != NULL && column >= 0
               ? sw_dem_table_error(job->table, e->variant, "%s = %.15g%s",
                                    job->table->name[SW_DEM_SAMPLE_COLUMNS + column], e->value[parameter],
                                    need)
               : sw_job_error(job->source, key, " = %.15g%s", e->value[parameter], need);
}

/* A strength of moments needs a stiffness: said of the one that is the element's own. */
static sw_status check_moment(const sw_dem_job *job, const sw_dem_element *e, int strength, int stiffness)
{
    char need[160];
    if (!(e->value[strength] > 0) || e->value[stiffness] > 0)
        return SW_OK;
    if (is_own(job, e->variant, strength) || !is_own(job, e->variant, stiffness)) {
        snprintf(need, sizeof need, " without a stiffness: need %s above 0",
                 sw_dem_parameters[stiffness].name);
        return refuse_parameter(job, e, strength, need);
    }
    snprintf(need, sizeof need, ": need it above 0 beside %s = %.15g", sw_dem_parameters[strength].name,
             e->value[strength]);
    return refuse_parameter(job, e, stiffness, need);
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

/* The parameter of a material that is this member of it. */
static int find_material_parameter(const char *name)
{
    int i = 0;
    while (strncmp(sw_dem_parameters[i].key, "material.", 9) != 0 ||
           strcmp(sw_dem_parameters[i].key + 9, name) != 0)
        i++;
    return i;
}

/* A law has the numbers that are its own. */
static sw_status check_own_numbers(const sw_dem_job *job, const sw_dem_element *e)
{
    static const char *const keys[] = {
#define KEYS(id, text, function, numbers, overlap, keys, meaning) [id] = (keys),
        SW_DEM_LAW_LIST(KEYS)
#undef KEYS
    };
    const char *at = keys[e->material.law];
    for (int length; *at != '\0'; at += length + (at[length] == ' ')) {
        char name[64];
        length = (int)strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", length, at);
        if (isnan(e->value[find_material_parameter(name)])) /* crystals set the job's own */
            return sw_job_error(job->source, sw_dem_parameters[find_material_parameter(name)].key,
                                " is missing: the law %s needs it%s", sw_dem_laws[e->material.law],
                                e->material.law == SW_DEM_METAL ? ", or crystals" : "");
    }
    return SW_OK;
}

/* Crystals say how strong particles are, of every element. */
static sw_status check_crystals_rule(const sw_dem_job *job)
{
    static const char keys[] = "strength rate_sensitivity", why[] = ": has no place beside crystals";
    char prefix[SW_KEY_SIZE];
    for (unsigned i = 0; job->has_crystals && i < job->rves.variations_count; i++)
        SW_TRY(sw_dem_refuse_keys(job->source, sw_key_path(prefix, "rves.variations[%u].", i), keys, why));
    for (unsigned i = 0; job->has_crystals && i < job->others_count; i++)
        SW_TRY(sw_dem_refuse_keys(job->source, sw_key_path(prefix, "others[%u].", i), keys, why));
    return SW_OK;
}

/* What has no meaning in a material beside the first, or that its law does not take. */
static sw_status check_other(const sw_dem_job *job, unsigned i)
{
    const sw_dem_element e = sw_dem_job_element(job, 0);
    const sw_dem_need fault = sw_dem_law_needs(&e.other[i]);
    char key[SW_KEY_SIZE];
    if (e.other[i].rate_sensitivity != e.material.rate_sensitivity && e.material.law == SW_DEM_METAL)
        return sw_job_error(job->source, sw_key_path(key, "others[%u].rate_sensitivity", i),
                            " = %.15g: need the first material's, %.15g, in all of an element",
                            e.other[i].rate_sensitivity, e.material.rate_sensitivity);
    if (fault.name != NULL)
        return sw_job_error(job->source, sw_key_path(key, "others[%u].%s", i, fault.name),
                            " = %.15g: need %s with the law %s", fault.value, fault.bound,
                            sw_dem_laws[e.material.law]);
    return SW_OK;
}

static sw_status check_others(const sw_dem_job *job)
{
    double sum = 0;
    char key[SW_KEY_SIZE];
    for (unsigned i = 0; i < job->others_count; i++) {
        sum += job->others[i].part;
        if (!(sum < 1))
            return sw_job_error(job->source, sw_key_path(key, "others[%u].part", i),
                                " = %.15g: need parts that add up to less than 1, not to %.15g",
                                job->others[i].part, sum);
        SW_TRY(check_other(job, i));
    }
    return SW_OK;
}

static sw_status check_element(const sw_dem_job *job, int64_t k)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    const sw_dem_need fault = sw_dem_law_needs(&e.material);
    char need[96];
    double mean, least;
    sw_dem_stage *stage;
    int64_t n;
    SW_TRY(check_own_numbers(job, &e));
    if (fault.name != NULL) {
        snprintf(need, sizeof need, ": need %s with the law %s", fault.bound, sw_dem_laws[e.material.law]);
        return refuse_parameter(job, &e, find_material_parameter(fault.name), need);
    }
    SW_TRY(check_moment(job, &e, SW_DEM_ROLL_STRENGTH, SW_DEM_ROLL_STIFFNESS));
    SW_TRY(check_moment(job, &e, SW_DEM_TWIST_STRENGTH, SW_DEM_TWIST_STIFFNESS));
    expected_radii(job, &mean, &least);
    SW_TRY(sw_dem_make_stages(job, &e, mean, least, &stage, &n));
    free(stage);
    return SW_OK;
}

sw_status sw_dem_make_elements(sw_dem_job *job)
{
    enum { MOST = 1000000 };
    SW_TRY(check_packings(job));
    SW_TRY(check_crystals_rule(job));
    SW_TRY(check_others(job));
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        SW_TRY(check_variation(job, i));
    SW_TRY(sw_dem_make_samples(job));
    for (int64_t i = 0; job->has_crystals && i < columns_of(job); i++)
        if (job->column_of[i] == SW_DEM_STRENGTH || job->column_of[i] == SW_DEM_RATE_SENSITIVITY)
            return sw_dem_table_error(job->table, -1, "column '%s': has no place beside crystals",
                                      job->table->name[SW_DEM_SAMPLE_COLUMNS + i]);
    job->n_variants = job->table != NULL               ? job->table->n_rows
                      : job->rves.variations_count > 0 ? (int64_t)job->rves.variations_count
                                                       : 1;
    job->n_elements = job->n_variants * job->rves.count;
    if (job->n_elements > MOST)
        return sw_job_error(job->source, "rves.count", " = %lld: makes %lld elements: need at most 1e6",
                            (long long)job->rves.count, (long long)job->n_elements);
    for (int64_t v = 0; v < job->n_variants; v++)
        SW_TRY(check_element(job, v * job->rves.count));
    return SW_OK;
}

/* ---- Samples to open ---- */

#define STREWN 0.25 /* solid fraction before compression: no contacts, and quickly made */

static sw_status make_packing(const sw_dem_job *job, const sw_dem_element *e, sw_dem_packing *packing)
{
    if (e->file != NULL) { /* it has no number of particles */
        SW_TRY(sw_dem_packing_read(e->file, packing));
        packing->goes_on = job->packing.goes_on;
        return SW_OK;
    }
    const int64_t n = (int64_t)e->value[SW_DEM_PARTICLES];
    const uint64_t seed = (uint64_t)e->value[SW_DEM_SEED];
    if (job->packing.method == SW_DEM_FORCE_BIASED)
        return sw_dem_pack_force_biased(n, &job->sizes, seed, job->packing.slowness, packing);
    return sw_dem_pack_loose(n, &job->sizes, seed, STREWN, packing);
}

/* Particles in random order become another material's until those have their part of the volume, to half a
 * particle. */
static sw_status draw_materials(const sw_dem_job *job, const sw_dem_element *e, sw_dem_packing *packing)
{
    const int64_t n = packing->n_particles;
    int64_t *order, at = 0;
    double all = 0;
    if (job->others_count == 0 || packing->material != NULL) /* a file knows */
        return SW_OK;
    SW_TRY(SW_ALLOCATE(packing->material, n, "particles"));
    SW_TRY(SW_ALLOCATE(order, n, "particles"));
    for (int64_t i = 0; i < n; i++) { /* Fisher and Yates */
        double u[4];
        sw_random_uniform4((uint64_t)e->value[SW_DEM_SEED] + (UINT64_C(1) << 63), (uint64_t)i, 0, u);
        const int64_t j = (int64_t)(u[0] * (double)(i + 1) * (1 - 1e-15));
        order[i] = order[j];
        order[j] = i;
        all += pow(packing->radius[i], 3);
    }
    for (unsigned k = 0; k < job->others_count; k++)
        for (double got = 0; at < n; at++) {
            const double more = pow(packing->radius[order[at]], 3);
            if (got + 0.5 * more > job->others[k].part * all)
                break;
            packing->material[order[at]] = (uint8_t)(k + 1);
            got += more;
        }
    free(order);
    return SW_OK;
}

static double least_radius(const sw_dem_packing *packing)
{
    double least = INFINITY;
    for (int64_t i = 0; i < packing->n_particles; i++)
        least = fmin(least, packing->radius[i]);
    return least;
}

/* The last message with the element's name before it. */
static sw_status name_element(const sw_dem_job *job, int64_t k, sw_status status)
{
    char name[320];
    sw_dem_job_name(job, k, name, sizeof name);
    return sw_error(status, "%s: %.600s", name, sw_error_message());
}

static sw_status take_others(const sw_dem_element *e, sw_dem_sample *sample)
{
    sw_dem_material *other;
    if (e->n_others == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(other, e->n_others, "materials"));
    memcpy(other, e->other, (size_t)e->n_others * sizeof *other);
    sample->n_others = e->n_others;
    sample->other = other;
    return SW_OK;
}

sw_status sw_dem_job_sample(const sw_dem_job *job, int64_t k, sw_dem_sample *sample)
{
    const sw_dem_element e = sw_dem_job_element(job, k);
    sw_dem_stage *stage = NULL;
    int64_t nodes;
    *sample = (sw_dem_sample){.material = e.material, .numerics = job->numerics};
    sw_status status = make_packing(job, &e, &sample->packing);
    if (status == SW_OK)
        status = draw_materials(job, &e, &sample->packing);
    if (status == SW_OK && e.file == NULL)
        status = sw_dem_make_clump_packing(job, (uint64_t)e.value[SW_DEM_SEED], &sample->packing);
    if (status == SW_OK)
        status = take_others(&e, sample);
    if (status == SW_OK)
        status = sw_dem_make_membrane(job, &e, sample, &nodes);
    if (status == SW_OK)
        status = sw_dem_take_walls(job, e.file == NULL, sample);
    if (status == SW_OK)
        status = sw_dem_make_crystals(job, &e, sample);
    if (status == SW_OK) {
        sw_dem_packing grains = sample->packing;
        grains.n_particles -= nodes;
        const double mean = sw_dem_packing_mean_radius(&grains), least = least_radius(&grains);
        sample->numerics.damping = e.value[SW_DEM_DAMPING];
        sample->numerics.record_interval = sw_dem_record_interval(job, &e, mean, least);
        status = sw_dem_make_stages(job, &e, mean, least, &stage, &sample->n_stages);
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
    free((sw_dem_material *)sample->other);
    free((sw_dem_wall *)sample->wall);
    free((sw_dem_membrane *)sample->membrane);
    sw_dem_free_crystals(sample);
    *sample = (sw_dem_sample){0};
}
