#include "crystal_model.h"

void sw_crystal_model_prepare(const sw_material *material, sw_crystal_model *model)
{
    const sw_slip_systems *systems = sw_slip_systems_of(material->crystal_structure);
    const double c11 = material->elasticity.c11, c12 = material->elasticity.c12;
    *model = (sw_crystal_model){
        .systems = systems->count,
        .c11 = c11,
        .c12 = c12,
        .c44 = material->elasticity.c44,
        .s11 = (c11 + c12) / ((c11 - c12) * (c11 + 2 * c12)),
        .s12 = -c12 / ((c11 - c12) * (c11 + 2 * c12)),
        .s44 = 1 / material->elasticity.c44,
        .reference_slip_rate = material->slip.reference_slip_rate,
        .rate_sensitivity = material->slip.rate_sensitivity,
        .initial_slip_resistance = material->slip.initial_slip_resistance,
        .hardening = material->hardening,
    };
    for (int k = 0; k < systems->count; k++) {
        double(*s)[3] = model->schmid[k];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                s[i][j] = systems->direction[k][i] * systems->normal[k][j];
        const double resolve[6] = {s[0][0],           s[1][1],           s[2][2],
                                   s[1][2] + s[2][1], s[0][2] + s[2][0], s[0][1] + s[1][0]};
        for (int i = 0; i < 6; i++)
            model->resolve[k][i] = resolve[i];
    }
}
