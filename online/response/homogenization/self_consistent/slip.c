/* A crystal's slip systems and what resists them, as grains of the scheme use them. */
#include <math.h>
#include <string.h>

#include "common/crystal/yield_vertices.h"
#include "common/system/memory.h"
#include "newton.h"

sw_status sw_sc_slip_make(const sw_slip_systems *systems, const sw_slip_law *law,
                          const sw_hardening *hardening, double exponent, double rate, sw_sc_slip **slip)
{
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3];
    SW_TRY(SW_ALLOCATE(*slip, 1, "slip systems"));
    sw_sc_slip *s = *slip;
    sw_schmid_vectors(systems, schmid, spin);
    s->systems = systems->count;
    s->two_way = systems->two_way;
    memcpy(s->m, schmid, sizeof schmid);
    memcpy(s->w, spin, sizeof spin);
    s->exponent = exponent;
    s->whole = fabs(exponent - rint(exponent)) < 1e-9 && exponent < 1000 ? (int)rint(exponent) : 0;
    s->rate = rate;
    s->own = law != NULL;
    if (law != NULL)
        s->law = *law;
    if (hardening != NULL)
        s->hardening = *hardening;
    return SW_OK;
}

sw_status sw_sc_slip_of(const sw_material *material, sw_sc_slip **slip)
{
    sw_slip_systems systems;
    sw_slip_law law;
    const int own = sw_material_has_families(material);
    *slip = NULL;
    SW_TRY(sw_material_systems(material, &systems));
    if (own)
        SW_TRY(sw_slip_law_prepare(material, &law));
    if (own)
        SW_TRY(sw_slip_law_check_plain("homogenization = self_consistent", &law));
    SW_TRY(sw_sc_slip_make(&systems, own ? &law : NULL, &material->hardening,
                           1 / material->slip.rate_sensitivity, material->slip.reference_slip_rate, slip));
    (*slip)->rate_of_step = material->slip.rate_of_step;
    return SW_OK;
}

sw_sc_rules sw_sc_standard_rules(sw_sc_linearization linearization, double neff, double exponent)
{
    return (sw_sc_rules){.linearization = linearization,
                         .neff = linearization == SW_SC_NEFF      ? neff
                                 : linearization == SW_SC_TANGENT ? exponent
                                                                  : 1,
                         .stress_tolerance = 1e-4,
                         .rate_tolerance = 1e-4,
                         .moduli_tolerance = 1e-4,
                         .newton_tolerance = 1e-8,
                         .outer = 200,
                         .inner = 20,
                         .inner_first = 20};
}

const char *const sw_linearization_names[SW_SC_LINEARIZATIONS] = {"secant", "affine", "tangent", "neff",
                                                                  "second_order"};
const char *const sw_ellipsoid_names[3] = {"phase", "grain", "fixed"};
