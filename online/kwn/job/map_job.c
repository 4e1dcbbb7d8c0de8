#include "map_job.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a map file may hold ---- */

const char *const sw_kwn_map_kind_name[] = {
    [SW_MAP_TTP] = "ttp", [SW_MAP_AGEING] = "ageing", [SW_MAP_CCT] = "cct", [SW_MAP_WINDOW] = "window"};
enum { KINDS = sizeof sw_kwn_map_kind_name / sizeof *sw_kwn_map_kind_name };

const sw_kwn_axis_traits sw_kwn_map_axes[SW_MAP_AXES] = {
    [SW_MAP_CONCENTRATION] = {"concentration", ""},
    [SW_MAP_COOLING_RATE] = {"cooling_rate", "K/s"},
    [SW_MAP_TEMPERATURE] = {"temperature", "K"},
    [SW_MAP_TIME] = {"time", "s"},
};

static const cyaml_schema_field_t axis_fields[] = {
    CYAML_FIELD_FLOAT("from", CYAML_FLAG_DEFAULT, sw_kwn_axis_keys, from),
    CYAML_FIELD_FLOAT("to", CYAML_FLAG_DEFAULT, sw_kwn_axis_keys, to),
    CYAML_FIELD_INT("count", CYAML_FLAG_DEFAULT, sw_kwn_axis_keys, count),
    SW_KWN_TEXT("spacing", sw_kwn_axis_keys, spacing),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t output_fields[] = {
    SW_KWN_TEXT("file", sw_kwn_map_job, setup.output_file),
    CYAML_FIELD_END,
};
#define AXIS(key, which) \
    CYAML_FIELD_MAPPING(key, CYAML_FLAG_OPTIONAL, sw_kwn_map_job, axis[which], axis_fields)
static const cyaml_schema_field_t map_fields[] = {
    SW_KWN_SETUP_FIELDS,
    SW_KWN_TEXT("kind", sw_kwn_map_job, kind_name),
    SW_KWN_LIST("pretreatment", sw_kwn_map_job, pretreatment, &sw_kwn_segment_schema, 0),
    AXIS("concentration", SW_MAP_CONCENTRATION),
    AXIS("cooling_rate", SW_MAP_COOLING_RATE),
    AXIS("temperature", SW_MAP_TEMPERATURE),
    AXIS("time", SW_MAP_TIME),
    SW_KWN_TEXT("solute", sw_kwn_map_job, solute),
    SW_KWN_REAL("duration", sw_kwn_map_job, duration),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_kwn_map_job, output_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t map_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_kwn_map_job, map_fields),
};

/* ---- Checks ---- */

static sw_status check_kind(sw_kwn_map_job *job)
{
    const sw_kwn_setup *setup = &job->setup;
    int kind;
    if (job->kind_name == NULL)
        return sw_kwn_job_error(setup, "kind", " is missing: need one of ttp, ageing, cct, window");
    SW_TRY(sw_kwn_choose(setup, "kind", job->kind_name, KINDS, sw_kwn_map_kind_name, 0, &kind));
    job->kind = (sw_kwn_map_kind)kind;
    const int by_composition = job->kind == SW_MAP_WINDOW && sw_kwn_given(setup, "concentration");
    job->first = by_composition            ? SW_MAP_CONCENTRATION
                 : job->kind == SW_MAP_CCT ? SW_MAP_COOLING_RATE
                                           : SW_MAP_TEMPERATURE;
    job->second = job->first == SW_MAP_TEMPERATURE ? SW_MAP_TIME : SW_MAP_TEMPERATURE;
    return SW_OK;
}

/* The keys that a kind of map needs are all there, and no other of them. */
static sw_status check_keys(const sw_kwn_map_job *job)
{
    const sw_kwn_setup *setup = &job->setup;
    const int by_composition = job->first == SW_MAP_CONCENTRATION;
    struct {
        const char *key;
        int needed;
    } keys[SW_MAP_AXES + 2] = {[SW_MAP_AXES] = {"solute", by_composition}, {"duration", by_composition}};
    for (int a = 0; a < SW_MAP_AXES; a++) {
        keys[a].key = sw_kwn_map_axes[a].name;
        keys[a].needed = a == (int)job->first || a == (int)job->second;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_kwn_given(setup, keys[i].key) != keys[i].needed)
            return sw_kwn_job_error(setup, keys[i].key,
                                    keys[i].needed ? " is missing: the map is %s over %s"
                                                   : " has no place in a map %s over %s",
                                    sw_kwn_map_axes[job->first].name, sw_kwn_map_axes[job->second].name);
    return SW_OK;
}

/* What the values of an axis may be. */
static void bounds_of(const sw_kwn_map_job *job, sw_kwn_map_axis axis, double *least, double *most)
{
    *least = 1e-9;
    *most = axis == SW_MAP_TEMPERATURE ? SW_KWN_HOTTEST : axis == SW_MAP_TIME ? SW_KWN_LONGEST : 1e9;
    if (axis == SW_MAP_TEMPERATURE)
        *least = SW_KWN_COLDEST;
    if (axis == SW_MAP_TEMPERATURE && job->kind == SW_MAP_CCT)
        *most = job->start_temperature;
    if (axis == SW_MAP_CONCENTRATION) {
        *least = 0;
        *most = 0.5 / job->setup.model.solute[job->solute_index].unit;
    }
}

static sw_status check_axis(sw_kwn_map_job *job, sw_kwn_map_axis axis, int *logarithmic)
{
    static const char *const spacings[] = {"linear", "logarithmic"};
    sw_kwn_axis_keys *keys = &job->axis[axis];
    double least, most;
    char prefix[64], key[96], bound[96];
    bounds_of(job, axis, &least, &most);
    snprintf(prefix, sizeof prefix, "%s.", sw_kwn_map_axes[axis].name);
    snprintf(bound, sizeof bound, "%s%s%g to %g", sw_kwn_map_axes[axis].unit,
             *sw_kwn_map_axes[axis].unit ? ", from " : "", least, most);
    const sw_kwn_number rules[] = {
        {"from", offsetof(sw_kwn_axis_keys, from), 0, least, most, 0, bound},
        {"to", offsetof(sw_kwn_axis_keys, to), 0, least, most, 0, bound},
        {"count", offsetof(sw_kwn_axis_keys, count), 1, 2, 1000, 0, "2 <= count <= 1000"},
    };
    SW_TRY(sw_kwn_check_numbers(&job->setup, prefix, keys, 3, rules));
    snprintf(key, sizeof key, "%sspacing", prefix);
    SW_TRY(sw_kwn_choose(&job->setup, key, keys->spacing, 2, spacings,
                         axis == SW_MAP_TIME || axis == SW_MAP_COOLING_RATE, logarithmic));
    snprintf(key, sizeof key, "%sto", prefix);
    const int cools = axis == SW_MAP_TEMPERATURE && job->kind == SW_MAP_CCT;
    if (cools ? !(keys->to < keys->from) : !(keys->to > keys->from))
        return sw_kwn_job_error(&job->setup, key, " = %.15g: need %s than from = %.15g", keys->to,
                                cools ? "less" : "more", keys->from);
    if (*logarithmic && !(keys->from > 0))
        return sw_kwn_job_error(&job->setup, key, " from %.15g: need more than 0 for logarithmic spacing",
                                keys->from);
    return SW_OK;
}

static sw_status make_axis(sw_kwn_map_job *job, sw_kwn_map_axis axis)
{
    const sw_kwn_axis_keys *keys = &job->axis[axis];
    int logarithmic;
    SW_TRY(check_axis(job, axis, &logarithmic));
    SW_TRY(SW_ALLOCATE(job->value[axis], keys->count, "an axis"));
    for (int64_t i = 0; i < keys->count; i++) {
        const double place = (double)i / (double)(keys->count - 1);
        job->value[axis][i] = i == keys->count - 1 ? keys->to
                              : logarithmic        ? keys->from * pow(keys->to / keys->from, place)
                                                   : keys->from + (keys->to - keys->from) * place;
    }
    return SW_OK;
}

static sw_status make_pretreatment(sw_kwn_map_job *job)
{
    const sw_kwn_setup *setup = &job->setup;
    if (!sw_kwn_given(setup, "initial_temperature"))
        return sw_kwn_job_error(setup, "initial_temperature", " is missing");
    job->start_temperature = setup->initial_temperature;
    if (job->pretreatment_count == 0)
        return SW_OK;
    SW_TRY(sw_kwn_check_segments(setup, "pretreatment", job->pretreatment_count, job->pretreatment));
    SW_TRY(sw_kwn_history_of_segments(setup->initial_temperature, job->pretreatment_count, job->pretreatment,
                                      &job->history));
    job->start_temperature = (double)job->history.temperature[job->history.n_knots - 1];
    return SW_OK;
}

static sw_status check_solute(sw_kwn_map_job *job)
{
    static const sw_kwn_number rules[] = {
        {"duration", offsetof(sw_kwn_map_job, duration), 0, 1e-9, SW_KWN_LONGEST, 0, "s, from 1e-9 to 1e12"}};
    const sw_kwn_setup *setup = &job->setup;
    char key[64];
    SW_TRY(sw_kwn_choose_solute(setup, "solute", job->solute, &job->solute_index));
    for (unsigned k = 0; k < setup->composition_count; k++)
        if (strcmp(setup->composition[k].element, job->solute) == 0) {
            snprintf(key, sizeof key, "composition[%u].solute", k);
            return sw_kwn_job_error(setup, key, " = %s: is what the map varies", job->solute);
        }
    return sw_kwn_check_numbers(setup, "", job, 1, rules);
}

static sw_status complete(sw_kwn_map_job *job)
{
    SW_TRY(check_kind(job));
    SW_TRY(check_keys(job));
    if (job->first == SW_MAP_CONCENTRATION)
        SW_TRY(check_solute(job));
    SW_TRY(make_pretreatment(job));
    SW_TRY(make_axis(job, job->first));
    SW_TRY(make_axis(job, job->second));
    const int64_t n1 = job->axis[job->first].count, n2 = job->axis[job->second].count;
    job->setup.points = job->first == SW_MAP_CONCENTRATION ? n1 * n2 : n1;
    return SW_OK;
}

sw_status sw_kwn_map_job_read(const char *path, const sw_kwn_overrides *overrides, sw_kwn_map_job **job)
{
    void *data;
    *job = NULL;
    SW_TRY(sw_kwn_setup_read(path, &map_schema, overrides, &data));
    const sw_status status = complete(data);
    if (status == SW_OK)
        *job = data;
    else
        sw_kwn_map_job_free(data);
    return status;
}

void sw_kwn_map_job_free(sw_kwn_map_job *job)
{
    if (job == NULL)
        return;
    for (int a = 0; a < SW_MAP_AXES; a++)
        free(job->value[a]);
    sw_kwn_history_free(&job->history);
    sw_kwn_setup_free(&map_schema, job);
}
