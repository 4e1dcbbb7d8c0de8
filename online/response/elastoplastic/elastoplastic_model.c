#include "common/math/lanes_float.h"

#include "elastoplastic.h"

sw_status sw_elastoplastic_prepare(const sw_material *material, sw_elastoplastic_model *model)
{
    const double m = material->slip.rate_sensitivity;
    const double diagonal = material->elasticity.c11 - material->elasticity.c12,
                 shear = 2 * material->elasticity.c44;
    SW_TRY(sw_slip_prepare("elastoplastic", material, &model->slip));
    for (int i = 0; i < 5; i++)
        model->compliance[i] = (float)(1 / (i < 2 ? diagonal : shear));
    model->tolerance = sw_rigid_plastic_tolerance(m);
    model->reference_rate = (float)material->slip.reference_slip_rate;
    model->rate_sensitivity = (float)m;
    return SW_OK;
}
