#include "common/math/lanes_float.h"

#include "elastoplastic.h"

sw_status sw_elastoplastic_prepare(const sw_material *material, sw_elastoplastic_model *model)
{
    const double m = material->slip.rate_sensitivity;
    const sw_stiffness stiffness = sw_material_stiffness(material);
    for (int i = 0; i < 25; i++)
        if (i % 6 != 0 && i != 1 && i != 5 && fabs(stiffness.c5[i / 5][i % 5]) > 1e-9 * stiffness.voigt)
            return sw_error(
                SW_ERR_UNAVAILABLE,
                "solver = elastoplastic: crystal_structure = %s: need a stiffness whose shears are apart: "
                "iterative has any",
                sw_material_lattice(material)->name);
    SW_TRY(sw_slip_prepare("elastoplastic", material, &model->slip));
    double by_stress[5];
    sw_stiffness_relaxed_bulk(&stiffness, by_stress);
    for (int i = 0; i < 5; i++) {
        model->by_stress[i] = (float)by_stress[i];
        model->compliance[i] = (float)(1 / stiffness.c5[i][i]);
    }
    const double(*c)[5] = stiffness.c5, square = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    model->coupled = 0;
    if (c[0][1] != 0) { /* of cubic crystals as above, to the same bits */
        model->compliance[0] = (float)(c[1][1] / square);
        model->compliance[1] = (float)(c[0][0] / square);
        model->coupled = (float)(-c[0][1] / c[1][1]);
    }
    model->tolerance = sw_rigid_plastic_tolerance(fmin(m, 1 / model->slip.exponent));
    model->reference_rate = (float)material->slip.reference_slip_rate;
    model->rate_sensitivity = material->slip.rate_of_step ? 0 : (float)m; /* of (r/v0)^m */
    return SW_OK;
}
