/* Keys that cannot act beside what the rest of a job says: refused by name, in the job, its other materials, its variations
 * and its table of samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "online/dem/backend/names.h"

/* ---- Where parameters are given ---- */

static int64_t column_of(const sw_dem_job *job, int parameter)
{
    const int64_t n = job->table != NULL ? job->table->n_columns - SW_DEM_SAMPLE_COLUMNS : 0;
    for (int64_t i = 0; i < n; i++)
        if (job->column_of[i] == parameter)
            return i;
    return -1;
}

static int varied(const sw_dem_job *job, unsigned i, int parameter)
{
    return !isnan(job->rves.variations[i].value[parameter]);
}

static int of_material(int parameter)
{
    return strncmp(sw_dem_parameters[parameter].key, "material.", 9) == 0;
}

/* Whether any material of any element may have more than 0 of it. */
static int above_zero_somewhere(const sw_dem_job *job, int parameter)
{
    int some = job->parameter[parameter] > 0 || column_of(job, parameter) >= 0;
    for (unsigned i = 0; i < job->others_count; i++)
        some |= job->others[i].value[parameter] > 0;
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        some |= job->rves.variations[i].value[parameter] > 0;
    return some;
}

static int given_somewhere(const sw_dem_job *job, int parameter)
{
    int some = sw_job_given(job->source, sw_dem_parameters[parameter].key) || column_of(job, parameter) >= 0;
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        some |= varied(job, i, parameter);
    return some;
}

/* SW_ERR_INPUT at the first place that gives a parameter, beside the first material's where `job_too`; SW_OK where
 * none does. */
static sw_status refuse_everywhere(const sw_dem_job *job, int parameter, int job_too, const char *why)
{
    const sw_dem_parameter_traits *traits = &sw_dem_parameters[parameter];
    const int64_t column = column_of(job, parameter);
    char key[SW_KEY_SIZE];
    if (job_too && sw_job_given(job->source, traits->key))
        return sw_job_error(job->source, traits->key, "%s", why);
    for (unsigned i = 0; of_material(parameter) && i < job->others_count; i++)
        if (!isnan(job->others[i].value[parameter]))
            return sw_job_error(
                job->source, sw_key_path(key, "others[%u].%s", i, strchr(traits->key, '.') + 1), "%s", why);
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        if (varied(job, i, parameter))
            return sw_job_error(job->source, sw_key_path(key, "rves.variations[%u].%s", i, traits->name),
                                "%s", why);
    return column < 0 ? SW_OK
                      : sw_dem_table_error(job->table, -1, "column '%.80s'%s",
                                           job->table->name[SW_DEM_SAMPLE_COLUMNS + column], why);
}

/* ---- Materials ---- */

/* Numbers that belong to another law: those of the first material are refused by the table of keys. */
static sw_status check_law(const sw_dem_job *job)
{
    static const char *const keys[] = {
#define KEYS(id, text, function, numbers, overlap, keys, meaning) [id] = (keys),
        SW_DEM_LAW_LIST(KEYS)
#undef KEYS
    };
    char why[96];
    snprintf(why, sizeof why, " has no place with law = %s", sw_dem_laws[job->material.law]);
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        const char *name = strchr(sw_dem_parameters[i].key, '.') + 1;
        int some = 0;
        for (int law = 0; law < SW_DEM_LAWS && of_material(i); law++)
            some |= sw_key_listed(keys[law], name);
        if (some && !sw_key_listed(keys[job->material.law], name))
            SW_TRY(refuse_everywhere(job, i, 0, why));
    }
    if (job->material.law != SW_DEM_METAL && job->material.coupled)
        return sw_job_error(job->source, "material.coupled", "%s", why);
    if (job->material.law != SW_DEM_METAL && sw_job_given(job->source, "numerics.time_scale"))
        return sw_job_error(job->source, "numerics.time_scale", "%s, which knows no time", why);
    return SW_OK;
}

/* Moments need both a stiffness and a strength; a strength alone of the first material is refused elsewhere, as it may
 * be an element's own. */
static sw_status check_moments(const sw_dem_job *job)
{
    static const int pair[2][2] = {{SW_DEM_ROLL_STIFFNESS, SW_DEM_ROLL_STRENGTH},
                                   {SW_DEM_TWIST_STIFFNESS, SW_DEM_TWIST_STRENGTH}};
    char why[96];
    int some = 0;
    for (int k = 0; k < 2; k++) {
        const int stiff = above_zero_somewhere(job, pair[k][0]),
                  strong = above_zero_somewhere(job, pair[k][1]);
        some |= stiff && strong;
        if (stiff == strong)
            continue;
        snprintf(why, sizeof why, ": cannot act: need %s above 0, too",
                 sw_dem_parameters[pair[k][stiff]].name);
        SW_TRY(refuse_everywhere(job, pair[k][!stiff], stiff, why));
    }
    if (!some && sw_job_given(job->source, "material.moment_radius"))
        return sw_job_error(job->source, "material.moment_radius",
                            ": cannot act: need roll_stiffness and roll_strength above 0, or those of twist");
    return SW_OK;
}

static sw_status check_other_frictions(const sw_dem_job *job)
{
    char prefix[SW_KEY_SIZE];
    int friction;
    for (unsigned i = 0; i < job->others_count; i++)
        SW_TRY(sw_job_one_of(job->source, sw_key_path(prefix, "others[%u].", i), "friction friction_angle", 0,
                             &friction));
    return SW_OK;
}

/* ---- Packings ---- */

/* What says how particles are pressed together needs a pressure; falling friction a void ratio to fall to. */
static sw_status check_compression(const sw_dem_job *job)
{
    static const int compressing[] = {SW_DEM_VOID_RATIO, SW_DEM_PACKING_FRICTION, SW_DEM_PACKING_INERTIA};
    static const char why[] = ": cannot act: need packing.pressure: without it particles are strewn";
    char key[SW_KEY_SIZE];
    if (job->packed_by_file)
        return SW_OK;
    if (!given_somewhere(job, SW_DEM_PRESSURE)) {
        for (int k = 0; k < 3; k++)
            SW_TRY(refuse_everywhere(job, compressing[k], 1, why));
        SW_TRY(sw_dem_refuse_keys(job->source, "packing.",
                                  "shear_stress stress_tolerance unbalanced_force most_steps record", why));
    }
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        for (int k = 0; k < 3 && isnan(job->parameter[SW_DEM_PRESSURE]) && !varied(job, i, SW_DEM_PRESSURE);
             k++)
            if (varied(job, i, compressing[k]))
                return sw_job_error(
                    job->source,
                    sw_key_path(key, "rves.variations[%u].%s", i, sw_dem_parameters[compressing[k]].name),
                    "%s", why);
    if (!given_somewhere(job, SW_DEM_VOID_RATIO))
        return sw_dem_refuse_keys(job->source, "packing.", "friction_decay",
                                  ": cannot act: need a void_ratio that friction falls for");
    return SW_OK;
}

/* ---- Tests ---- */

/* Whether stages of two elements are driven otherwise. */
static int differ(const sw_dem_stage *a, const sw_dem_stage *b, int64_t n)
{
    int differs = 0;
    for (int64_t s = 0; s < n; s++) {
        differs |= a[s].max_rate != b[s].max_rate || a[s].goal != b[s].goal;
        for (int c = 0; c < 9; c++)
            differs |= a[s].velocity_gradient[c / 3][c % 3] != b[s].velocity_gradient[c / 3][c % 3];
        for (int c = 0; c < SW_DEM_SIX; c++)
            differs |= a[s].stress_driven[c] && a[s].stress[c] != b[s].stress[c];
    }
    return differs;
}

/* Whether another value of a parameter would change the load path of a variant. */
static sw_status moves_stages(const sw_dem_job *job, int64_t variant, int parameter, int *moves)
{
    sw_dem_element e = sw_dem_job_element(job, variant * job->rves.count);
    sw_dem_stage *stage = NULL, *other = NULL;
    int64_t n, m;
    sw_status status = sw_dem_make_stages(job, &e, 1e-4, 1e-4, &stage, &n);
    e.value[parameter] *= 0.5;
    if (status == SW_OK)
        status = sw_dem_make_stages(job, &e, 1e-4, 1e-4, &other, &m);
    *moves = status != SW_OK || n != m || differ(stage, other, n);
    free(stage);
    free(other);
    return status;
}

/* An inertia number, or beside a packing from a file a pressure, is for tests alone. The job's own pressure may be there as
 * what tests have unless they say otherwise. */
static sw_status check_tests_take(const sw_dem_job *job, int parameter)
{
    static const char why[] = ": cannot act: no test of loading goes by it";
    int some = 0, own = 0;
    for (int64_t v = 0; v < job->n_variants; v++) {
        char key[SW_KEY_SIZE];
        if (job->table == NULL && job->rves.variations_count > 0)
            own = varied(job, (unsigned)v, parameter);
        if (!own && some)
            continue; /* of the job, it acts already */
        int moves;
        SW_TRY(moves_stages(job, v, parameter, &moves));
        if (own && !moves)
            return sw_job_error(
                job->source,
                sw_key_path(key, "rves.variations[%lld].%s", (long long)v, sw_dem_parameters[parameter].name),
                "%s", why);
        some |= moves;
    }
    return some ? SW_OK : refuse_everywhere(job, parameter, parameter == SW_DEM_INERTIA, why);
}

/* ---- All of it ---- */

sw_status sw_dem_check_idle(const sw_dem_job *job)
{
    SW_TRY(check_law(job));
    SW_TRY(check_other_frictions(job));
    SW_TRY(check_moments(job));
    SW_TRY(check_compression(job));
    if (given_somewhere(job, SW_DEM_INERTIA))
        SW_TRY(check_tests_take(job, SW_DEM_INERTIA));
    return job->packed_by_file && given_somewhere(job, SW_DEM_PRESSURE)
               ? check_tests_take(job, SW_DEM_PRESSURE)
               : SW_OK;
}
