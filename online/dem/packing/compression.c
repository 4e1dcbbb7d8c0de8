/* Stages that make a dense packing of a loose one. */
#include <math.h>

#include "packing.h"

double sw_dem_rate(double inertia_number, double pressure, double density, double mean_radius)
{
    return inertia_number * sqrt(pressure / density) / (2 * mean_radius);
}

sw_dem_packing_target sw_dem_packing_target_defaults(void)
{
    return (sw_dem_packing_target){.pressure = 200e3, /* Lubbe et al. 2022, section 9 */
                                   .packing_friction = 0.5,
                                   .friction_decay = 0.005,
                                   .inertia_number = 1e-2,
                                   .stress_tolerance = 1e-2,
                                   .unbalanced_force = 1e-2,
                                   .max_steps = 10000000};
}

sw_status sw_dem_packing_stages(const sw_dem_packing_target *t, double density, double mean_radius,
                                sw_dem_stage stage[SW_DEM_PACKING_STAGES], int *n_stages)
{
    const int to_void_ratio = t->void_ratio != 0;
    const struct {
        const char *name;
        double value, most;
        int zero_allowed;
    } bound[] = {
        {"pressure (Pa)", t->pressure, 1e12, 0},
        {"void_ratio", t->void_ratio, 1 / SW_DEM_MOST_LOOSE - 1, 1},
        {"packing_friction", t->packing_friction, 10, !to_void_ratio},
        {"friction_decay", t->friction_decay, 0.5, !to_void_ratio},
        {"inertia_number", t->inertia_number, 1, 0},
        {"stress_tolerance", t->stress_tolerance, 1, 0},
        {"unbalanced_force", t->unbalanced_force, 1, 0},
        {"max_steps", (double)t->max_steps, 1e15, 0},
        {"density (kg/m^3)", density, 1e12, 0},
        {"mean radius (m)", mean_radius, SW_DEM_MOST_LENGTH, 0},
    };
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++)
        if (!(bound[i].value > 0 && bound[i].value <= bound[i].most) &&
            !(bound[i].zero_allowed && bound[i].value == 0))
            return sw_error(SW_ERR_RANGE, "%s = %g: need %s 0, and at most %g", bound[i].name, bound[i].value,
                            bound[i].zero_allowed ? "at least" : "above", bound[i].most);

    const double rate = sw_dem_rate(t->inertia_number, t->pressure, density, mean_radius);
    sw_dem_stage *compress = &stage[0], *settle = &stage[1], *rest = &stage[2];
    for (int s = 0; s < SW_DEM_PACKING_STAGES; s++) {
        stage[s] = sw_dem_stage_defaults();
        stage[s].max_steps = t->max_steps;
        stage[s].stress_tolerance = t->stress_tolerance;
        stage[s].max_rate = rate;
        stage[s].friction = t->packing_friction;
    }
    for (int i = 0; i < 3; i++) {
        compress->velocity_gradient[i][i] = -rate * sqrt(2.0 / 3.0); /* sqrt(D:D / 2) = rate */
        settle->stress_driven[i] = rest->stress_driven[i] = 1;
        settle->stress[i] = rest->stress[i] = t->pressure;
    }
    for (int c = 3; c < SW_DEM_SIX; c++) /* to stress 0 */
        settle->stress_driven[c] = rest->stress_driven[c] = !t->free_shear;
    compress->until = SW_DEM_UNTIL_PRESSURE;
    compress->goal = t->pressure;
    /* Falling friction lets the packing collapse again and again: within the final tolerance of the stresses
     * it hardly ever is, and waiting for that takes ten times the steps for the same coordination. */
    if (to_void_ratio)
        settle->stress_tolerance = fmin(5 * t->stress_tolerance, 1);
    settle->until = to_void_ratio ? SW_DEM_UNTIL_VOID_RATIO : SW_DEM_UNTIL_EQUILIBRIUM;
    settle->goal = to_void_ratio ? t->void_ratio : t->unbalanced_force;
    settle->friction_decay = to_void_ratio ? t->friction_decay : 0;
    rest->until = SW_DEM_UNTIL_EQUILIBRIUM;
    rest->goal = t->unbalanced_force;
    rest->friction = -1; /* the material's */
    *n_stages = SW_DEM_PACKING_STAGES;
    return SW_OK;
}
