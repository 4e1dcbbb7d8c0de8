#include "crystal_model.h"

void sw_crystal_model_prepare(const sw_material *material, sw_crystal_model *model)
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    sw_slip_systems systems;
    sw_slip_systems_of(sw_material_lattice(material), material->c_over_a, &systems);
    const double c11 = material->elasticity.c11, c12 = material->elasticity.c12;
    *model = (sw_crystal_model){
        .systems = systems.count,
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
    for (int k = 0; k < systems.count; k++)
        for (int i = 0; i < 9; i++)
            model->schmid[k][i / 3][i % 3] = systems.direction[k][i / 3] * systems.normal[k][i % 3];
    for (int k = 0; k < systems.count;
         k++) /* of products that are rounded, in whichever way this is compiled */
        for (int i = 0; i < 6; i++) {
            const double(*s)[3] = (const double(*)[3])model->schmid[k];
            model->resolve[k][i] = i < 3 ? s[i][i] : s[row[i]][column[i]] + s[column[i]][row[i]];
        }
}
