#include "map_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ---- */

static const sw_key_case kinds[] = {
    [SW_MAP_TTP] = {"ttp", .needs = "temperature time"},
    [SW_MAP_AGEING] = {"ageing", .needs = "temperature time"},
    [SW_MAP_CCT] = {"cct", .needs = "cooling_rate temperature"},
    [SW_MAP_WINDOW] = {"window", .needs = "temperature", .takes = "time concentration solute duration"},
    {0}};

const char *sw_kwn_map_kind_name(sw_kwn_map_kind kind) { return kinds[kind].name; }

const sw_kwn_axis_traits sw_kwn_map_axes[SW_MAP_AXES] = {
    [SW_MAP_CONCENTRATION] = {"concentration", ""},
    [SW_MAP_COOLING_RATE] = {"cooling_rate", "K/s"},
    [SW_MAP_TEMPERATURE] = {"temperature", "K"},
    [SW_MAP_TIME] = {"time", "s"},
};

static const char *const spacings[] = {"linear", "logarithmic"};
/* Rows of an axis, as they stand in an sw_kwn_map_job. */
#define AXIS_KEYS(name, which, low, high, in, logarithm)                                                  \
    static const sw_key name[] = {                                                                        \
        {SW_REAL("from", sw_kwn_map_job, axis[which].from, low, high), .unit = (in), .needed = 1},        \
        {SW_REAL("to", sw_kwn_map_job, axis[which].to, low, high), .unit = (in), .needed = 1},            \
        {SW_WHOLE("count", sw_kwn_map_job, axis[which].count, 2, 1000), .needed = 1},                     \
        {SW_WORD("spacing", sw_kwn_map_job, axis[which].logarithmic, spacings), .standard = (logarithm)}, \
        SW_KEYS_END}
AXIS_KEYS(concentration_keys, SW_MAP_CONCENTRATION, 0, INFINITY, "the alloy file's unit", 0);
AXIS_KEYS(rate_keys, SW_MAP_COOLING_RATE, 1e-9, 1e9, "K/s", 1);
static const sw_key temperature_keys[] = {
    {SW_KWN_TEMPERATURE("from", sw_kwn_map_job, axis[SW_MAP_TEMPERATURE].from), .needed = 1},
    {SW_KWN_TEMPERATURE("to", sw_kwn_map_job, axis[SW_MAP_TEMPERATURE].to), .needed = 1},
    {SW_WHOLE("count", sw_kwn_map_job, axis[SW_MAP_TEMPERATURE].count, 2, 1000), .needed = 1},
    {SW_WORD("spacing", sw_kwn_map_job, axis[SW_MAP_TEMPERATURE].logarithmic, spacings)},
    SW_KEYS_END};
AXIS_KEYS(time_keys, SW_MAP_TIME, 1e-9, SW_KWN_LONGEST, "s", 1);

static const sw_key output_keys[] = {SW_KWN_OUTPUT_KEY, SW_KEYS_END};

const sw_key sw_kwn_map_keys[] = {
    SW_KWN_SETUP_KEYS,
    {SW_CASES("kind", sw_kwn_map_job, kind, kinds), .needed = 1},
    {SW_ENTRIES("pretreatment", sw_kwn_map_job, pretreatment, sw_kwn_segment_keys), .otherwise = "none",
     .help = "segments from initial_temperature on, before all trajectories; times count from its end"},
    {SW_SECTION("concentration", concentration_keys)},
    {SW_SECTION("cooling_rate", rate_keys)},
    {SW_SECTION("temperature", temperature_keys)},
    {SW_SECTION("time", time_keys)},
    {SW_TEXT("solute", sw_kwn_map_job, solute), .help = "whose concentration it is"},
    {SW_REAL("duration", sw_kwn_map_job, duration, 1e-9, SW_KWN_LONGEST), .unit = "s",
     .help = "of each trajectory, with concentration"},
    {SW_SECTION("output", output_keys), .needed = 1},
    SW_KEYS_END};

/* ---- Checks ---- */

static void choose_axes(sw_kwn_map_job *job)
{
    const int by_composition = job->kind == SW_MAP_WINDOW && sw_job_given(job->setup.source, "concentration");
    job->first = by_composition            ? SW_MAP_CONCENTRATION
                 : job->kind == SW_MAP_CCT ? SW_MAP_COOLING_RATE
                                           : SW_MAP_TEMPERATURE;
    job->second = job->first == SW_MAP_TEMPERATURE ? SW_MAP_TIME : SW_MAP_TEMPERATURE;
}

/* The keys that go with one of a window's two forms are all there, and none of the other's. */
static sw_status check_window(const sw_kwn_map_job *job)
{
    static const char *const keys[] = {"time", "solute", "duration"};
    const int by_composition = job->first == SW_MAP_CONCENTRATION;
    for (int i = 0; i < 3 && job->kind == SW_MAP_WINDOW; i++) {
        const int needed = (i == 0) != by_composition;
        if (sw_job_given(job->setup.source, keys[i]) != needed)
            return sw_job_error(job->setup.source, keys[i],
                                needed ? " is missing: the map is %s over %s"
                                       : " has no place in a map %s over %s",
                                sw_kwn_map_axes[job->first].name, sw_kwn_map_axes[job->second].name);
    }
    return SW_OK;
}

/* Bounds that depend on the rest of the job: `most` of both ends. */
static sw_status check_ends(const sw_kwn_map_job *job, sw_kwn_map_axis axis, double most)
{
    const sw_kwn_map_range *range = &job->axis[axis];
    const char *name = sw_kwn_map_axes[axis].name;
    char key[SW_KEY_SIZE], bound[96];
    snprintf(bound, sizeof bound, axis == SW_MAP_CONCENTRATION ? "0 to %g" : "K, from 1 to %g", most);
    SW_TRY(sw_job_need(job->setup.source, sw_key_path(key, "%s.from", name), range->from, range->from <= most,
                       bound));
    return sw_job_need(job->setup.source, sw_key_path(key, "%s.to", name), range->to, range->to <= most,
                       bound);
}

/* Of the solute that the map varies, beside the alloy's others. */
static double most_concentration(const sw_kwn_map_job *job)
{
    const sw_kwn_alloy *alloy = &job->setup.model;
    double given[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++)
        given[i] = alloy->solute[i].concentration;
    sw_kwn_from_fractions(alloy, given, given);
    return sw_kwn_most_of(alloy, given, job->solute_index, 0.5);
}

static sw_status check_axis(const sw_kwn_map_job *job, sw_kwn_map_axis axis)
{
    const sw_kwn_map_range *range = &job->axis[axis];
    const int cools = axis == SW_MAP_TEMPERATURE && job->kind == SW_MAP_CCT;
    char key[SW_KEY_SIZE];
    if (cools)
        SW_TRY(check_ends(job, axis, job->start_temperature));
    if (axis == SW_MAP_CONCENTRATION)
        SW_TRY(check_ends(job, axis, most_concentration(job)));
    sw_key_path(key, "%s.to", sw_kwn_map_axes[axis].name);
    if (cools ? !(range->to < range->from) : !(range->to > range->from))
        return sw_job_error(job->setup.source, key, " = %.15g: need %s than from = %.15g", range->to,
                            cools ? "less" : "more", range->from);
    if (range->logarithmic && !(range->from > 0))
        return sw_job_error(job->setup.source, key, " from %.15g: need more than 0 for logarithmic spacing",
                            range->from);
    return SW_OK;
}

static sw_status make_axis(sw_kwn_map_job *job, sw_kwn_map_axis axis)
{
    sw_kwn_map_range *range = &job->axis[axis];
    if (axis == SW_MAP_TEMPERATURE) {
        SW_TRY(sw_kwn_to_kelvin(&job->setup, "temperature.from", &range->from));
        SW_TRY(sw_kwn_to_kelvin(&job->setup, "temperature.to", &range->to));
    }
    SW_TRY(check_axis(job, axis));
    if (axis == SW_MAP_TEMPERATURE) {
        sw_kwn_note_cold(&job->setup, "temperature.from", range->from);
        sw_kwn_note_cold(&job->setup, "temperature.to", range->to);
    }
    job->value[axis] = sw_job_allocate(job->setup.source, (size_t)range->count * sizeof **job->value);
    if (job->value[axis] == NULL)
        return sw_error(SW_ERR_MEMORY, "not enough memory for an axis of %d values", (int)range->count);
    for (int64_t i = 0; i < range->count; i++) {
        const double place = (double)i / (double)(range->count - 1);
        job->value[axis][i] = i == range->count - 1 ? range->to
                              : range->logarithmic  ? range->from * pow(range->to / range->from, place)
                                                    : range->from + (range->to - range->from) * place;
    }
    return SW_OK;
}

static sw_status make_pretreatment(sw_kwn_map_job *job)
{
    sw_kwn_setup *setup = &job->setup;
    if (!sw_job_given(setup->source, "initial_temperature"))
        return sw_job_error(setup->source, "initial_temperature", " is missing");
    sw_kwn_note_cold(setup, "initial_temperature", setup->initial_temperature);
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
    const sw_kwn_setup *setup = &job->setup;
    char key[SW_KEY_SIZE];
    SW_TRY(sw_kwn_choose_solute(setup, "solute", job->solute, &job->solute_index));
    for (unsigned k = 0; k < setup->composition_count; k++)
        if (strcmp(setup->composition[k].element, job->solute) == 0)
            return sw_job_error(setup->source, sw_key_path(key, "composition[%u].solute", k),
                                " = %s: is what the map varies", job->solute);
    return SW_OK;
}

/* At an end of the axis, where the mean mass is furthest off. */
static int note_weights(const sw_kwn_map_job *job, const char *key, double concentration)
{
    const sw_kwn_alloy *alloy = &job->setup.model;
    double c[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++)
        c[i] = alloy->solute[i].concentration;
    sw_kwn_from_fractions(alloy, c, c);
    c[job->solute_index] = concentration;
    sw_kwn_to_fractions(alloy, c, c);
    return sw_kwn_note_weights(&job->setup, key, c);
}

static sw_status complete(void *values)
{
    sw_kwn_map_job *job = values;
    SW_TRY(sw_kwn_setup_complete(&job->setup));
    choose_axes(job);
    SW_TRY(check_window(job));
    if (job->first == SW_MAP_CONCENTRATION)
        SW_TRY(check_solute(job));
    SW_TRY(make_pretreatment(job));
    SW_TRY(make_axis(job, job->first));
    SW_TRY(make_axis(job, job->second));
    sw_kwn_compare_with_runs(&job->setup, job->first != SW_MAP_CONCENTRATION);
    sw_kwn_note_celsius(&job->setup);
    const sw_kwn_map_range *range = &job->axis[SW_MAP_CONCENTRATION];
    if (job->first != SW_MAP_CONCENTRATION)
        sw_kwn_note_weights(&job->setup, NULL, NULL);
    else if (!note_weights(job, "concentration.to", range->to))
        note_weights(job, "concentration.from", range->from);
    const int64_t n1 = job->axis[job->first].count, n2 = job->axis[job->second].count;
    job->setup.points = job->first == SW_MAP_CONCENTRATION ? n1 * n2 : n1;
    sw_kwn_setup_choose(&job->setup);
    return SW_OK;
}

static void release(void *values)
{
    sw_kwn_map_job *job = values;
    sw_kwn_history_free(&job->history);
    sw_kwn_setup_free(&job->setup);
}

sw_status sw_kwn_map_job_read(const sw_arguments *arguments, sw_kwn_map_job **job)
{
    static const sw_job_kind kind = {sw_kwn_map_keys, sizeof **job, offsetof(sw_kwn_map_job, setup.source),
                                     complete, release};
    sw_status status;
    *job = sw_job_open(&kind, arguments, &status);
    return status;
}

void sw_kwn_map_job_free(sw_kwn_map_job *job)
{
    if (job != NULL)
        sw_job_close(job->setup.source);
}
