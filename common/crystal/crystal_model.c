#include "crystal_model.h"

#include <string.h>

/* Taken away is what normal components of cubic crystals have in common. */
static void split(const double m[6][6], sw_elastic_map *map)
{
    for (int i = 0; i < 6; i++) {
        map->of_trace[i] = i < 3 ? m[i][(i + 1) % 3] : 0;
        for (int j = 0; j < 6; j++)
            map->part[i][j] = m[i][j] - (j < 3 ? map->of_trace[i] : 0);
    }
}

static void set_law(const sw_material *material, const sw_slip_systems *systems, sw_crystal_model *model)
{
    sw_slip_law *law = &model->law;
    if (sw_slip_law_prepare(material, law) != SW_OK)
        *law = (sw_slip_law){.systems = 0}; /* files are checked */
    if (law->systems == 0) {
        law->systems = law->two_way = systems->count;
        law->scales = law->groups = 1;
        law->ratio[0] = law->share[0] = 1;
    }
}

void sw_crystal_model_prepare(const sw_material *material, sw_crystal_model *model)
{
    sw_slip_systems systems;
    if (sw_material_systems(material, &systems) != SW_OK)
        systems.count = 0; /* files are checked */
    const sw_stiffness stiffness = sw_material_stiffness(material);
    *model = (sw_crystal_model){
        .systems = systems.count,
        .reference_slip_rate = material->slip.reference_slip_rate,
        .rate_sensitivity = material->slip.rate_sensitivity,
        .rate_of_step = material->slip.rate_of_step,
        .initial_slip_resistance = material->slip.initial_slip_resistance,
        .hardening = material->hardening,
    };
    set_law(material, &systems, model);
    memcpy(model->s6, stiffness.s6, sizeof model->s6);
    split((const double(*)[6])stiffness.c6, &model->stiffness);
    split((const double(*)[6])stiffness.s6, &model->compliance);
    for (int k = 0; k < systems.count; k++)
        for (int i = 0; i < 9; i++)
            model->schmid[k][i / 3][i % 3] = systems.direction[k][i / 3] * systems.normal[k][i % 3];
    for (int k = 0; k < systems.count;
         k++) /* of products that are rounded, in whichever way this is compiled */
        for (int i = 0; i < 6; i++) {
            const double(*s)[3] = (const double(*)[3])model->schmid[k];
            model->resolve[k][i] =
                i < 3 ? s[i][i] : s[sw_six_row(i)][sw_six_column(i)] + s[sw_six_column(i)][sw_six_row(i)];
        }
}
