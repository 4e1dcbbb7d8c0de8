/* What forces depend on beside an element's state, in what a packing remembers: materials, sides, gravity, walls' friction. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "online/dem/packing/memory.h"

/* Members of a material, as rows of SETUP have them after the first. */
static const char *const material_name[] = {"law",
                                            "moment_radius",
                                            "young",
                                            "poisson",
                                            "friction",
                                            "roll_stiffness",
                                            "twist_stiffness",
                                            "roll_strength",
                                            "twist_strength",
                                            "density",
                                            "strength",
                                            "rate_sensitivity",
                                            "cohesion",
                                            "adhesion",
                                            "bond_strength",
                                            "liquid_volume",
                                            "liquid_tension",
                                            "wetting_angle",
                                            "coupled"};
static const char *const around_name[] = {"sides that are periodic", "gravity 1", "gravity 2", "gravity 3",
                                          "time_scale"};
enum { MATERIAL = SW_DEM_MATERIAL_NUMBERS, AROUND = 5 };
static_assert(sizeof material_name == MATERIAL * sizeof *material_name, "as many names as numbers");

void sw_dem_material_numbers(const sw_dem_material *m, double to[SW_DEM_MATERIAL_NUMBERS])
{
    const double number[] = {m->law,
                             m->moment_radius,
                             m->young,
                             m->poisson,
                             m->friction,
                             m->roll_stiffness,
                             m->twist_stiffness,
                             m->roll_strength,
                             m->twist_strength,
                             m->density,
                             m->strength,
                             m->rate_sensitivity,
                             m->cohesion,
                             m->adhesion,
                             m->bond_strength,
                             m->liquid_volume,
                             m->liquid_tension,
                             m->wetting_angle,
                             m->coupled};
    static_assert(sizeof number == MATERIAL * sizeof *number, "as many as names");
    for (int k = 0; k < MATERIAL; k++)
        to[k] = isnan(number[k]) ? 0 : number[k];
}

/* Row `row` of what forces depend on beside the state: of all, or of material row - 1. */
static void setup_row(const sw_dem_rve *rve, int row, double to[MATERIAL])
{
    memset(to, 0, MATERIAL * sizeof *to);
    if (row == 0) {
        *to++ = rve->closed;
        for (int k = 0; k < 3; k++)
            *to++ = rve->gravity[k];
        *to++ = rve->numerics.time_scale;
        for (int w = 0; w < rve->n_walls; w++)
            *to++ = rve->wall[w].of.friction;
        return;
    }
    sw_dem_material_numbers(&rve->material[row - 1], to);
}

sw_status sw_dem_remember_setup(const sw_dem_rve *rve, sw_dem_memory *m)
{
    SW_TRY(sw_dem_memory_add(m, SW_DEM_MEMORY_SETUP, 1 + rve->n_materials, MATERIAL));
    for (int i = 0; i <= rve->n_materials; i++)
        setup_row(rve, i, m->of[SW_DEM_MEMORY_SETUP].number + i * MATERIAL);
    return SW_OK;
}

int sw_dem_setup_differs(const sw_dem_memory *m, const sw_dem_rve *rve, char *what, size_t size)
{
    const double *known = m->of[SW_DEM_MEMORY_SETUP].number;
    if (known == NULL)
        return snprintf(what, size, "a file without run_setup, of another version");
    if (m->of[SW_DEM_MEMORY_SETUP].rows != 1 + rve->n_materials)
        return snprintf(what, size, "materials of which there are %lld: here %d",
                        (long long)m->of[SW_DEM_MEMORY_SETUP].rows - 1, rve->n_materials);
    for (int i = 0; i <= rve->n_materials; i++, known += MATERIAL) {
        double here[MATERIAL];
        setup_row(rve, i, here);
        for (int k = 0; k < MATERIAL; k++)
            if (known[k] != here[k]) {
                const char *name = i > 0        ? material_name[k]
                                   : k < AROUND ? around_name[k]
                                                : "friction of a wall";
                return i > 0 ? snprintf(what, size, "%s of material %d = %g: here %g", name, i - 1, known[k],
                                        here[k])
                             : snprintf(what, size, "%s = %g: here %g", name, known[k], here[k]);
            }
    }
    return 0;
}
