#include "slip_law.h"

#include <math.h>
#include <string.h>

#include "common/system/status.h"
#include "laws.h"
#include "material.h"

sw_status sw_material_systems(const sw_material *m, sw_slip_systems *systems)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    int family[SW_FAMILIES_MAX];
    for (int k = 0; k < m->slip.family_count; k++)
        if ((family[k] = sw_lattice_family(lattice, m->slip.family[k].family)) < 0)
            return sw_error(SW_ERR_RANGE, "slip.families: crystal_structure = %s has no family %s",
                            lattice->name, m->slip.family[k].family);
    return sw_slip_systems_of(lattice, m->c_over_a, m->slip.family_count,
                              m->slip.family_count > 0 ? family : NULL, systems);
}

static int same_plane(const sw_slip_systems *s, int a, int b)
{
    const double *m = s->normal[a], *n = s->normal[b];
    return fabs(fabs(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) - 1) < 1e-9;
}

/* How much system a is hardened by slip of b. */
static double interaction_of(const sw_material *m, const sw_slip_systems *s, int a, int b)
{
    const sw_slip_family *f = &m->slip.family[s->family[a]];
    if (a == b && !isnan(f->self))
        return f->self;
    if (s->family[a] == s->family[b] && !isnan(f->coplanar) && same_plane(s, a, b))
        return f->coplanar;
    return f->latent_count > 0 ? f->latent[s->family[b]] : 1;
}

static void set_system(const sw_material *m, const sw_slip_systems *s, int a, sw_slip_law *law)
{
    const sw_slip_family *f = &m->slip.family[s->family[a]];
    const double number[SW_LAW_NUMBER_COUNT] = {
#define NUMBER(key, ...) f->key,
        SW_LAW_NUMBERS(NUMBER)};
    law->family[a] = s->family[a];
    law->resistance[a] = (float)f->initial_slip_resistance;
    for (int k = 0; k < SW_LAW_NUMBER_COUNT; k++)
        law->of[k][a] = isnan(number[k]) ? 0 : (float)number[k];
    for (int b = 0; b < s->count; b++)
        law->interaction[a][b] = (float)interaction_of(m, s, a, b);
}

sw_status sw_slip_law_prepare(const sw_material *m, sw_slip_law *law)
{
#define FILLS(law) SW_LAW_FILL_##law,
    static const int fills[] = {SW_LAW_SYSTEMS_LIST(FILLS)};
    sw_slip_systems s;
    double mean = 0;
    memset(law, 0, sizeof *law);
    if (m->slip.family_count == 0)
        return SW_OK;
    SW_TRY(sw_material_systems(m, &s));
    law->law = (int)m->hardening.law;
    law->systems = s.count;
    law->two_way = s.two_way;
    law->families = m->slip.family_count;
    law->scales = m->hardening.law < SW_LAWS_OF_ONE;
    law->fills = s.two_way < s.count && !law->scales && fills[m->hardening.law - SW_LAWS_OF_ONE];
    for (int a = 0; a < s.count; a++) {
        set_system(m, &s, a, law);
        mean += m->slip.family[s.family[a]].initial_slip_resistance / s.count;
    }
    for (int a = 0; a < s.count; a++) {
        law->ratio[a] = (float)(m->slip.family[s.family[a]].initial_slip_resistance / mean);
        law->resistance[a] *= (float)(m->slip.initial_slip_resistance / mean);
    }
    for (int k = 0; k < law->families; k++) {
        const sw_family *f = &sw_material_lattice(m)->family[sw_lattice_family(sw_material_lattice(m),
                                                                               m->slip.family[k].family)];
        law->over_shear[k] = f->twin_shear != NULL ? (float)(1 / fabs(f->twin_shear(m->c_over_a))) : 0;
    }
    return SW_OK;
}

sw_slip_law_start sw_slip_law_start_of(const sw_slip_law *law)
{
    sw_slip_law_start start = {.systems = law->scales ? 0 : law->systems, .families = law->families};
    memcpy(start.ratio, law->ratio, sizeof start.ratio);
    return start;
}
