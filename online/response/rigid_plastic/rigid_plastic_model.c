#include "common/math/lanes_float.h"

#include "rigid_plastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/response/step/solver.h"

static sw_status check_slip(const char *solver, double m, double v0)
{
    const double scale = pow(v0, -m);
    if (!(m >= SW_RIGID_PLASTIC_RATE_SENSITIVITY_MIN && m <= 1))
        return sw_error(SW_ERR_RANGE, "solver = %s: rate_sensitivity = %g: need %g <= m <= 1", solver, m,
                        SW_RIGID_PLASTIC_RATE_SENSITIVITY_MIN);
    if (!(v0 > 0 && scale > 1e-30 && scale < 1e30))
        return sw_error(SW_ERR_RANGE,
                        "solver = %s: reference_slip_rate = %g: need v0^-m = %g from 1e-30 to 1e30", solver,
                        v0, scale);
    return SW_OK;
}

sw_status sw_slip_prepare(const char *solver, const sw_material *material, sw_slip_model *slip)
{
    const double m = material->slip.rate_sensitivity;
    sw_slip_systems systems;
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3], (*vertex)[5];
    SW_TRY(check_slip(solver, m, material->slip.reference_slip_rate));
    SW_TRY(sw_material_systems(material, &systems));
    memset(slip, 0, sizeof *slip);
    slip->systems = systems.count;
    SW_TRY(sw_slip_law_prepare(material, &slip->law));
    double n = 1 / m; /* of families the largest, as slips grow the fastest there */
    for (int k = 0; k < slip->law.groups && slip->law.rates; k++) {
        SW_TRY(check_slip(solver, 1 / slip->law.exponent[k], material->slip.reference_slip_rate));
        n = fmax(k > 0 ? n : 0, slip->law.exponent[k]);
    }
    SW_TRY(SW_ALLOCATE(vertex, SW_YIELD_VERTICES_MAX, "vertices of the yield surface"));
    const sw_status status =
        sw_material_has_families(material) ? SW_OK : sw_yield_vertices(&systems, vertex, &slip->vertices);
    sw_schmid_vectors(&systems, schmid, spin);
    sw_slip_set_exponent(n, slip);
    for (int a = 0; a < systems.count; a++) {
        for (int i = 0; i < 5; i++)
            slip->schmid[a][i] = slip->system[a].schmid[i] = (float)schmid[a][i];
        for (int i = 0; i < 3; i++)
            slip->spin[a][i] = slip->system[a].spin[i] = (float)spin[a][i];
    }
    for (int v = 0; status == SW_OK && v < slip->vertices; v++)
        for (int i = 0; i < 5; i++)
            slip->vertex[v][i] = (float)vertex[v][i];
    free(vertex);
    SW_TRY(status);
    SW_TRY(sw_slip_fit_make(sw_material_lattice(material)->group, slip));
    if (slip->fit == NULL && slip->vertices > 0 &&
        sw_material_lattice(material)->group == &sw_point_group_432)
        sw_slip_zone_find(slip);
    return SW_OK;
}

sw_status sw_rigid_plastic_prepare(const sw_material *material, sw_rigid_plastic_model *model)
{
    const double m = material->slip.rate_sensitivity;
    SW_TRY(sw_slip_prepare("rigid_plastic", material, &model->slip));
    SW_TRY(sw_slip_law_check_plain("solver = rigid_plastic", &model->slip.law));
    model->stress_scale = (float)pow(material->slip.reference_slip_rate, -m);
    model->reference_rate = (float)material->slip.reference_slip_rate;
    model->rate_sensitivity = material->slip.rate_of_step ? 0 : (float)m; /* of (r/v0)^m */
    model->tolerance = sw_rigid_plastic_tolerance(m);
    return SW_OK;
}

sw_status sw_rigid_plastic_prepare_for(const sw_response *response, sw_rigid_plastic_model *model)
{
    SW_TRY(sw_rigid_plastic_prepare(response->material, model));
    if (response->one_iteration && model->slip.fit == NULL)
        return sw_error(
            SW_ERR_RANGE,
            "iterations = one: material %s has no fitted start: need a yield surface of at most %d pairs "
            "of vertices, as of fcc and bcc with 12 systems and one resistance",
            response->material->name, SW_SLIP_FIT_MOST);
    model->once = response->one_iteration;
    return SW_OK;
}
