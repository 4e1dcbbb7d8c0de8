#include "common/math/lanes_float.h"

#include "polish.h"

#include <math.h>
#include <stdlib.h>

sw_status sw_polish_prepare(const sw_material *material, sw_polish_model *model)
{
    const double m = material->slip.rate_sensitivity, v0 = material->slip.reference_slip_rate;
    const double scale = pow(v0, -m);
    const sw_slip_systems *systems = sw_slip_systems_of(material->crystal_structure);
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3], (*vertex)[5];
    if (!(m >= SW_POLISH_RATE_SENSITIVITY_MIN && m <= 1))
        return sw_error(SW_ERR_RANGE, "solver = polish: rate_sensitivity = %g: need %g <= m <= 1", m,
                        SW_POLISH_RATE_SENSITIVITY_MIN);
    if (!(v0 > 0 && scale > 1e-30 && scale < 1e30))
        return sw_error(SW_ERR_RANGE,
                        "solver = polish: reference_slip_rate = %g: need v0^-m = %g from 1e-30 to 1e30", v0,
                        scale);
    SW_TRY(SW_ALLOCATE(vertex, SW_YIELD_VERTICES_MAX, "vertices of the yield surface"));
    const sw_status status = sw_yield_vertices(systems, vertex, &model->slip.vertices);
    sw_schmid_vectors(systems, schmid, spin);
    model->systems = systems->count;
    model->stress_scale = (float)scale;
    model->tolerance = (float)fmax(1e-4, 6e-7 / m);
    sw_slip_set_exponent(1 / m, &model->slip);
    for (int a = 0; a < systems->count; a++) {
        for (int i = 0; i < 5; i++)
            model->slip.schmid[a][i] = (float)schmid[a][i];
        for (int i = 0; i < 3; i++)
            model->slip.spin[a][i] = (float)spin[a][i];
    }
    for (int v = 0; status == SW_OK && v < model->slip.vertices; v++)
        for (int i = 0; i < 5; i++)
            model->slip.vertex[v][i] = (float)vertex[v][i];
    free(vertex);
    return status;
}
