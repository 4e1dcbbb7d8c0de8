/* Defaults of what is given, and names of choices. */
#include <math.h>

#include "common/math/rotation.h"
#include "names.h"
#include "teams.h"

const char *const sw_dem_six_names[SW_DEM_SIX] = {"11", "22", "33", "23", "13", "12"};
const char *const sw_dem_laws[SW_DEM_LAWS] = {
#define LAW_TEXT(name, text, ...) [name] = (text),
    SW_DEM_LAW_LIST(LAW_TEXT)
#undef LAW_TEXT
};
const char *const sw_dem_teams[SW_DEM_TEAMS] = {
#define TEAM_NAME(name, ...) #name,
    SW_DEM_TEAM_LIST(TEAM_NAME)
#undef TEAM_NAME
};
const char *const sw_dem_detections[SW_DEM_DETECTIONS] = {
    [SW_DEM_GRID] = "grid", [SW_DEM_HASH] = "hash", [SW_DEM_BVH] = "bvh"};
const char *const sw_dem_image_names[SW_DEM_IMAGE_KINDS] = {
    [SW_DEM_NEAREST] = "nearest", [SW_DEM_BOUNDARY_PARTICLES] = "boundary_particles"};

sw_dem_material sw_dem_quartz(void)
{
    /* Lubbe et al. 2022, Table 2; the strengths of moments a tenth of what is printed there:
     * docs/theory.md */
    return (sw_dem_material){.law = SW_DEM_LINEAR,
                             .young = 4.3e9,
                             .poisson = 0.5,
                             .friction = tan(33.4 * SW_PI / 180),
                             .roll_stiffness = 1.8,
                             .twist_stiffness = 1.7,
                             .roll_strength = 0.19,
                             .twist_strength = 0.13,
                             .density = 2600};
}

sw_dem_numerics sw_dem_numerics_defaults(void)
{
    return (sw_dem_numerics){.damping_form = SW_DEM_DAMPING_PREDICTED,
                             .damping = 0.2,
                             .step_rule = SW_DEM_STEP_WAVE,
                             .step = 0.5,
                             .skin = 0.1,
                             .control_interval = 20,
                             .record_interval = 0,
                             .servo_gain = 0.5,
                             .time_scale = 1};
}

sw_dem_options sw_dem_defaults(void)
{
    return (sw_dem_options){
        .cuda = 0, .team = SW_DEM_AUTO, .detection = SW_DEM_GRID, .images = SW_DEM_NEAREST};
}

sw_dem_stage sw_dem_stage_defaults(void)
{
    return (sw_dem_stage){.until = SW_DEM_UNTIL_STEPS,
                          .max_rate = INFINITY,
                          .stress_tolerance = 1e-2,
                          .max_steps = 100000000,
                          .friction = -1};
}
