#include "parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input.h"

const sw_dem_parameter_traits sw_dem_parameters[SW_DEM_PARAMETERS] = {
#define TRAITS(section, id, key, name, alias, unit, ...) [id] = {section "." key, name, alias, unit},
#define OF_MATERIAL(...) TRAITS("material", __VA_ARGS__)
#define OF_PACKING(...) TRAITS("packing", __VA_ARGS__)
#define OF_NUMERICS(...) TRAITS("numerics", __VA_ARGS__)
    SW_DEM_MATERIAL_PARAMETERS(OF_MATERIAL) SW_DEM_PACKING_PARAMETERS(OF_PACKING)
        SW_DEM_NUMERICS_PARAMETERS(OF_NUMERICS)};

#define ROW(id, key, name, alias, unit, whole, least, most, ...)                                           \
    SW_DEM_PARAMETER_ROW(sw_dem_job_variation, value[id], name, unit, whole, least, most, .standard = NAN, \
                         .otherwise = "the job's"),

const sw_key sw_dem_variation_keys[] = {
    SW_DEM_PARAMETER_LIST(ROW){SW_PATH("file", sw_dem_job_variation, file), .otherwise = "the job's",
                               .help = "a packing"},
    SW_KEYS_END};

#define OTHER_ROW(id, key, name, alias, unit, whole, least, most, ...)                                \
    SW_DEM_PARAMETER_ROW(sw_dem_job_other, value[id], key, unit, whole, least, most, .standard = NAN, \
                         .otherwise = "the first material's"),

const sw_key sw_dem_other_keys[] = {{SW_REAL("part", sw_dem_job_other, part, 0, 1), .open = SW_OPEN_BELOW,
                                     .needed = 1, .bound = "more than 0, less than 1",
                                     .help = "of the volume of all particles"},
                                    SW_DEM_MATERIAL_PARAMETERS(OTHER_ROW) SW_KEYS_END};

int sw_dem_parameter_may_be(sw_dem_parameter parameter, double value, char *bound, size_t size)
{
    const sw_key *row = &sw_dem_variation_keys[parameter];
    if (row->whole && value != floor(value))
        snprintf(bound, size, "a whole number");
    else
        sw_key_bound(row, bound, size);
    return value >= row->least && value <= row->most && (!row->whole || value == floor(value));
}

int sw_dem_generates(sw_dem_parameter parameter)
{
    return parameter == SW_DEM_PARTICLES || parameter == SW_DEM_SEED || parameter == SW_DEM_VOID_RATIO ||
           parameter == SW_DEM_PACKING_FRICTION || parameter == SW_DEM_PACKING_INERTIA;
}

/* ---- For readers of its parts ---- */

sw_status sw_dem_keep(sw_job *job, void **pointer, size_t bytes)
{
    *pointer = sw_job_allocate(job, bytes);
    return *pointer != NULL ? SW_OK : sw_error(SW_ERR_MEMORY, "%s: %zu bytes", sw_job_path(job), bytes);
}

sw_status sw_dem_refuse_keys(const sw_job *job, const char *prefix, const char *keys, const char *why)
{
    for (const char *at = keys; *at != '\0';) {
        const int length = (int)strcspn(at, " ");
        char key[SW_KEY_SIZE];
        if (sw_job_given(job, sw_key_path(key, "%s%.*s", prefix, length, at)))
            return sw_job_error(job, key, "%s", why);
        at += length;
        at += strspn(at, " ");
    }
    return SW_OK;
}
