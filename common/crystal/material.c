/* What a material makes of its slip systems, and of ageing. */
#include "material.h"

#include <math.h>
#include <string.h>

#include "common/math/vector.h"
#include "common/system/status.h"
#include "limits.h"
#include "yield_vertices.h"

static sw_status add_family(const sw_material *m, const sw_slip_family *f, sw_slip_systems *systems)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    const double b_over_a = lattice->three_axes ? m->b_over_a : 1;
    const int number = sw_lattice_family(lattice, f->family);
    if (f->system_count > 0)
        return sw_slip_systems_add_list(lattice, b_over_a, m->c_over_a, f->system_count,
                                        (const double(*)[8])f->system, !isnan(f->twin_shear), systems);
    return number >= 0 ? sw_slip_systems_add_family(lattice, b_over_a, m->c_over_a, number, systems)
                       : sw_error(SW_ERR_RANGE, "slip.families: crystal_structure = %s has no family %s",
                                  lattice->name, f->family);
}

sw_status sw_material_systems(const sw_material *m, sw_slip_systems *systems)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    if (m->slip.family_count == 0)
        return sw_slip_systems_along(lattice, lattice->three_axes ? m->b_over_a : 1, m->c_over_a, 0, NULL,
                                     systems);
    memset(systems, 0, sizeof *systems);
    for (int k = 0; k < m->slip.family_count; k++)
        SW_TRY(add_family(m, &m->slip.family[k], systems));
    return systems->count - systems->two_way <= SW_TWINS_MAX
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "slip.families: %d systems of twins: need at most %d",
                          systems->count - systems->two_way, SW_TWINS_MAX);
}

int sw_material_is_open(const sw_material *m)
{
    sw_slip_systems systems;
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3];
    if (m->slip.family_count == 0 || sw_material_systems(m, &systems) != SW_OK)
        return 0;
    sw_schmid_vectors(&systems, schmid, spin);
    return !sw_schmid_vectors_span(&systems, (const double(*)[5])schmid);
}

int sw_material_strains(const sw_material *m)
{
    sw_slip_systems systems;
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3], own[5][5];
    int found = 0;
    if (sw_material_systems(m, &systems) != SW_OK)
        return 5;
    sw_schmid_vectors(&systems, schmid, spin);
    for (int a = 0; a < systems.count && found < 5; a++) { /* what is left of it beside those found */
        double *left = own[found], size = 0;
        memcpy(left, schmid[a], sizeof own[0]);
        for (int k = 0; k < found; k++) {
            double along = 0;
            for (int i = 0; i < 5; i++)
                along += own[k][i] * left[i];
            for (int i = 0; i < 5; i++)
                left[i] -= along * own[k][i];
        }
        for (int i = 0; i < 5; i++)
            size += left[i] * left[i];
        if (size < 1e-9)
            continue;
        for (int i = 0; i < 5; i++)
            left[i] /= sqrt(size);
        found++;
    }
    return found;
}

sw_status sw_material_check_closed(const char *what, const sw_material *m)
{
    return !sw_material_is_open(m)
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s: slip.families of %s reach no five independent strains: the yield surface is "
                          "open: need homogenization = self_consistent or sachs",
                          what, m->name);
}

double sw_material_twin_shear(const sw_material *m, int family)
{
    const sw_slip_family *f = &m->slip.family[family];
    const sw_lattice *lattice = sw_material_lattice(m);
    if (f->system_count > 0)
        return isnan(f->twin_shear) ? 0 : f->twin_shear;
    const sw_family *of = &lattice->family[sw_lattice_family(lattice, f->family)];
    return of->twin_shear != NULL ? fabs(of->twin_shear(m->c_over_a)) : 0;
}

sw_status sw_material_mean_resistance(const sw_material *m, double *mean)
{
    sw_slip_systems s;
    SW_TRY(sw_material_systems(m, &s));
    *mean = 0;
    for (int a = 0; a < s.count; a++)
        *mean += m->slip.family[s.family[a]].initial_slip_resistance / s.count;
    return SW_OK;
}

static int is_parallel(const double a[3], const double b[3]) { return fabs(fabs(sw_dot(a, b)) - 1) < 1e-9; }

/* What dislocations of two {111}<110> make, whose planes and lines are others: their Burgers vectors at right angles a Hirth lock;
 * else a third <110>, which glides on the plane of a, of b, or on neither: Lomer's lock. Madec and Kubin, Acta Mater. 126 (2017) 166. */
static double junction_of(const sw_slip_family *f, const sw_slip_systems *s, int a, int b)
{
    double third[3];
    const double turn = sw_dot(s->direction[a], s->direction[b]);
    if (fabs(turn) < 1e-9)
        return f->hirth;
    for (int i = 0; i < 3; i++)
        third[i] = s->direction[a][i] - copysign(1, turn) * s->direction[b][i];
    if (fabs(sw_dot(third, s->normal[a])) < 1e-9)
        return isnan(f->own_glissile) ? f->glissile : f->own_glissile;
    return fabs(sw_dot(third, s->normal[b])) < 1e-9 ? f->glissile : f->lomer;
}

/* Of two systems of a family, as the family has it; NaN: it does not say. */
static double pair_of(const sw_slip_family *f, const sw_slip_systems *s, int a, int b)
{
    if (a == b)
        return isnan(f->self) ? f->coplanar : f->self;
    if (is_parallel(s->normal[a], s->normal[b]))
        return f->coplanar;
    return is_parallel(s->direction[a], s->direction[b]) ? f->collinear : junction_of(f, s, a, b);
}

/* How much system a is hardened by slip of b. */
static double interaction_of(const sw_material *m, const sw_slip_systems *s, int a, int b)
{
    const sw_slip_family *f = &m->slip.family[s->family[a]];
    const double pair = s->family[a] == s->family[b] ? pair_of(f, s, a, b) : NAN;
    return !isnan(pair) ? pair : f->latent_count > 0 ? f->latent[s->family[b]] : 1;
}

/* Whether two systems begin alike, are hardened alike and harden others alike. */
static int are_alike(const sw_material *m, const sw_slip_systems *s, int a, int b)
{
    /* a child's own twin system is softer than the others */
    int alike = s->family[a] == s->family[b] && (a == b || !m->slip.family[s->family[a]].twin_transfer);
    for (int c = 0; alike && c < s->count; c++)
        alike = interaction_of(m, s, a, c) == interaction_of(m, s, b, c) &&
                interaction_of(m, s, c, a) == interaction_of(m, s, c, b);
    return alike;
}

sw_status sw_material_expansion(const sw_material *m, double expansion[3])
{
    const double *given = m->thermal_expansion;
    const int last = m->thermal_expansion_count - 1;
    if (last < 0)
        return sw_error(SW_ERR_UNAVAILABLE, "%.63s: thermal_expansion is missing", m->name);
    expansion[0] = given[0];
    expansion[1] = given[last == 2 ? 1 : 0];
    expansion[2] = given[last];
    return SW_OK;
}

/* A family's numbers as its law has them there; those that are absent are 0. */
static void at_temperature(const sw_material *m, double number[SW_LAW_NUMBER_COUNT])
{
    for (int i = 0; i < SW_LAW_NUMBER_COUNT; i++)
        number[i] = isnan(number[i]) ? 0 : number[i];
#define AT(name)                           \
    if (m->hardening.law == SW_LAW_##name) \
        sw_##name##_at(m->temperature, number);
    SW_LAW_STRUCTURE_LIST(AT)
#undef AT
}

/* A group, of which `a` is the first. */
static void set_group(const sw_material *m, const sw_slip_systems *s, int a, int k, sw_slip_law *law)
{
    const sw_slip_family *f = &m->slip.family[s->family[a]];
    double number[SW_LAW_NUMBER_COUNT] = {
#define NUMBER(key, ...) f->key,
        SW_LAW_NUMBERS(NUMBER)};
    law->twins[k] = a >= s->two_way;
    law->ratio[k] = (float)f->initial_slip_resistance;
    at_temperature(m, number);
    for (int i = 0; i < SW_LAW_NUMBER_COUNT; i++)
        law->of[i][k] = (float)number[i];
}

static void set_groups(const sw_material *m, const sw_slip_systems *s, sw_slip_law *law)
{
    int first[SW_SLIP_SYSTEMS_MAX];
    for (int a = 0; a < s->count; a++) {
        int k = 0;
        while (k < law->groups && !are_alike(m, s, first[k], a))
            k++;
        if (k == law->groups) {
            first[law->groups++] = a;
            set_group(m, s, a, k, law);
        }
        law->family[a] = s->family[a];
        law->kin[k] = s->family[a];
        law->group[a] = k;
        law->share[k] += 1.0F / (float)s->count;
    }
    for (int k = 0; k < law->groups; k++)
        for (int j = 0; j < law->groups; j++)
            law->interaction[k][j] = (float)interaction_of(m, s, first[k], first[j]);
}

static void set_runs(sw_slip_law *law)
{
    int met[SW_SLIP_SYSTEMS_MAX] = {0};
    for (int a = 0; a < law->systems; a++) {
        const int k = law->group[a], alone = law->variants > 0 && a >= law->two_way;
        if (a == 0 || alone || law->group[a - 1] != k) {
            law->run[law->runs].group = k;
            law->run[law->runs++].again = met[k];
            met[k] = 1;
        }
        law->run[law->runs - 1].end = a + 1;
    }
}

/* n and v0 of each group. */
static void set_rates(const sw_material *m, sw_slip_law *law)
{
    for (int k = 0; k < law->groups; k++) {
        const float own_m = law->of[SW_OF_rate_sensitivity][k],
                    own_v0 = law->of[SW_OF_reference_slip_rate][k];
        law->rates |= own_m > 0 || own_v0 > 0;
        law->exponent[k] = (float)(1 / (own_m > 0 ? own_m : m->slip.rate_sensitivity));
        law->reference[k] = own_v0 > 0             ? own_v0
                            : m->slip.rate_of_step ? 0
                                                   : (float)m->slip.reference_slip_rate;
    }
}

/* What a law with a structure begins with. */
static void set_structure(const sw_material *m, sw_slip_law *law)
{
#define BEGIN(name) {SW_LAW_BEGIN_##name, SW_LAW_SHARED_BEGIN_##name},
    static const int begins[][2] = {SW_LAW_STRUCTURE_LIST(BEGIN)};
    if (!sw_material_has_structure(m))
        return;
    const int *const begin = begins[m->hardening.law - SW_LAWS_WITHOUT_STRUCTURE];
    law->structured = 1;
    law->shared = begin[1] >= 0;
    law->begin_shared = law->shared ? law->of[begin[1]][0] : 0;
    for (int k = 0; k < law->groups; k++)
        law->ratio[k] = law->of[begin[0]][k];
}

const char *const *sw_material_structure_names(const sw_material *m)
{
#define NAMES(name) {SW_LAW_STATE_##name, SW_LAW_SHARED_##name},
    static const char *const names[][4] = {SW_LAW_STRUCTURE_LIST(NAMES)};
    return names[m->hardening.law - SW_LAWS_WITHOUT_STRUCTURE];
}

int sw_hardening_fills(sw_hardening_law law)
{
#define FILL(name) SW_LAW_FILL_##name,
    static const int fills[] = {SW_LAW_FAMILIES_LIST(FILL)};
    return law >= SW_LAWS_OF_ONE && fills[law - SW_LAWS_OF_ONE];
}

sw_status sw_slip_law_prepare(const sw_material *m, sw_slip_law *law)
{
    sw_slip_systems s;
    double mean = 0;
    memset(law, 0, sizeof *law);
    if (m->slip.family_count == 0)
        return SW_OK;
    if (sw_material_has_structure(m) && isnan(m->temperature))
        return sw_error(
            SW_ERR_UNAVAILABLE,
            "%s: its hardening.law needs a temperature: give the material's, or the job's, as `temperature`",
            m->name);
    SW_TRY(sw_material_systems(m, &s));
    law->law = (int)m->hardening.law;
    law->systems = s.count;
    law->two_way = s.two_way;
    law->families = m->slip.family_count;
    law->scales = m->hardening.law < SW_LAWS_OF_ONE;
    law->fill = sw_hardening_fills(m->hardening.law);
    set_groups(m, &s, law);
    for (int k = 0; k < law->groups; k++)
        law->backs = law->of[SW_OF_back_stress_modulus][k] > 0 ? s.two_way : law->backs;
    for (int k = 0; k < law->families; k++)
        law->transfers |= m->slip.family[k].twin_transfer;
    for (int k = 0; k < law->families; k++)
        law->variants = isnan(m->slip.family[k].twin_threshold) ? law->variants : s.count - s.two_way;
    set_runs(law);
    SW_TRY(sw_material_mean_resistance(m, &mean));
    for (int k = 0; k < law->groups; k++)
        law->ratio[k] = (float)(law->ratio[k] / mean);
    set_rates(m, law);
    set_structure(m, law);
    for (int k = 0; k < law->families; k++) {
        const double shear = sw_material_twin_shear(m, k);
        law->over_shear[k] = shear > 0 ? (float)(1 / shear) : 0;
    }
    return SW_OK;
}

sw_slip_law_start sw_slip_law_start_of(const sw_slip_law *law)
{
    sw_slip_law_start start = {.groups = law->scales ? 0 : law->groups,
                               .families = law->families,
                               .variants = law->variants,
                               .transfers = law->transfers,
                               .backs = law->backs,
                               .structured = law->structured,
                               .shared = law->shared,
                               .begin_shared = law->begin_shared};
    memcpy(start.ratio, law->ratio, sizeof start.ratio);
    return start;
}

sw_status sw_slip_law_check_plain(const char *what, const sw_slip_law *law)
{
    const char *const has = law->backs > 0 ? "back_stress_modulus"
                            : law->rates   ? "rate_sensitivity or reference_slip_rate of a family"
                                           : NULL;
    return has == NULL ? SW_OK
                       : sw_error(SW_ERR_UNAVAILABLE, "%s: has no %s: solver elastoplastic has", what, has);
}

/* ---- Temperature ---- */

sw_status sw_material_set_temperature(sw_material *m, double temperature)
{
    sw_material known = *m;
    sw_slip_law law;
    sw_slip_state state;
    m->temperature = temperature;
    if (!sw_material_has_structure(m))
        return SW_OK;
    known.temperature = isnan(temperature) ? 0 : temperature;
    for (int f = 0; f < known.slip.family_count; f++)
        known.slip.family[f].initial_slip_resistance = 1; /* not known yet */
    SW_TRY(sw_slip_law_prepare(&known, &law));
    for (int k = 0; k < law.groups; k++)
        state.structure[k] = sw_broadcast(law.ratio[k]);
    state.shared = sw_broadcast(law.begin_shared);
    sw_slip_state_at(&law, sw_broadcast(m->slip.reference_slip_rate), &state);
    for (int a = 0; a < law.systems; a++)
        m->slip.family[law.family[a]].initial_slip_resistance = sw_lane(state.g[law.group[a]], 0);
    for (int f = 0; f < m->slip.family_count; f++) {
        const double s = m->slip.family[f].initial_slip_resistance;
        if (!(s >= SW_SLIP_RESISTANCE_LEAST && s <= SW_SLIP_RESISTANCE_MOST))
            return sw_error(SW_ERR_RANGE, "%s: family %s resists slip with %g Pa at %g K: need %g to %g",
                            m->name, m->slip.family[f].family, s, known.temperature, SW_SLIP_RESISTANCE_LEAST,
                            SW_SLIP_RESISTANCE_MOST);
    }
    return sw_material_mean_resistance(m, &m->slip.initial_slip_resistance);
}

/* ---- Ageing: a part of the slip resistance that does not come from slip, but of solutes, of precipitates ---- */

/* Of u = 1 - s/s_s shifted alike, as of Voce's law (laws/voce.h). */
static int shift_family(sw_slip_family *f, double shift)
{
    f->initial_slip_resistance += shift;
    if (isnan(f->saturation_resistance))
        return 1;
    const double before = f->saturation_resistance;
    f->saturation_resistance += shift;
    f->initial_hardening_rate *= pow(f->saturation_resistance / before, f->exponent);
    return f->initial_hardening_rate <= 1e30;
}

/* Each as crystals have it, which a mean that is not their own scales. */
static sw_status shift_families(sw_material *m, double slip_resistance)
{
    double mean;
    SW_TRY(sw_material_mean_resistance(m, &mean));
    const double scale = m->slip.initial_slip_resistance / mean;
    for (int k = 0; k < m->slip.family_count; k++) {
        sw_slip_family *f = &m->slip.family[k];
        f->initial_slip_resistance *= scale;
        if (!shift_family(f, slip_resistance - m->slip.initial_slip_resistance) ||
            !(f->initial_slip_resistance >= 1e4 && f->initial_slip_resistance <= 1e11))
            return sw_error(SW_ERR_RANGE,
                            "slip resistance %g Pa: of family %s of %s it is %g Pa: need 1e4 to 1e11",
                            slip_resistance, f->family, m->name, f->initial_slip_resistance);
    }
    return sw_material_mean_resistance(m, &m->slip.initial_slip_resistance);
}

sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged)
{
    sw_material m = *material;
    if (!(slip_resistance >= 1e4 && slip_resistance <= 1e11))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: need 1e4 to 1e11", slip_resistance);
    if (sw_material_has_structure(&m)) {
        const double shift = slip_resistance - material->slip.initial_slip_resistance;
        for (int k = 0; k < m.slip.family_count; k++) {
            m.slip.family[k].athermal_resistance += shift;
            m.slip.family[k].nucleation_resistance += shift; /* of twins; else it is no number */
        }
        SW_TRY(sw_material_set_temperature(&m, m.temperature));
        *aged = m;
        return SW_OK;
    }
    if (sw_material_has_families(&m) && m.hardening.law >= SW_LAWS_OF_ONE) {
        SW_TRY(shift_families(&m, slip_resistance));
        *aged = m;
        return SW_OK;
    }
    m.slip.initial_slip_resistance = slip_resistance;
    if (!sw_hardening_shift(&m.hardening, slip_resistance - material->slip.initial_slip_resistance))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: too large for the hardening of %s (%g Pa)",
                        slip_resistance, m.name, material->slip.initial_slip_resistance);
    *aged = m;
    return SW_OK;
}
