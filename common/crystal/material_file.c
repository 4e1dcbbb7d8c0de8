/* Material files: their keys, and the material they make. */
#include "material_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "common/math/vector.h"
#include "limits.h"
#include "yield_vertices.h"

/* ---- Keys: bounds leave an order of magnitude or more on either side of any metal, and none for a value
 * that was meant in MPa or GPa ---- */

static const sw_key elasticity_keys[] = {
    {SW_REAL("C11", sw_material, elasticity.c11, 1e6, 1e13), .unit = "Pa", .needed = 1,
     .help = "more than |C12|"},
    {SW_REAL("C12", sw_material, elasticity.c12, -INFINITY, INFINITY), .unit = "Pa", .needed = 1,
     .help = "C11 + 2 C12 > 0"},
    {SW_REAL("C44", sw_material, elasticity.c44, 1e6, 1e13), .unit = "Pa", .needed = 1},
    {SW_REAL("C13", sw_material, elasticity.c13, -1e13, 1e13), .unit = "Pa", .standard = NAN,
     .help = "as C33, of crystals that are not cubic"},
    {SW_REAL("C33", sw_material, elasticity.c33, 1e6, 1e13), .unit = "Pa", .standard = NAN},
    {SW_REAL("C66", sw_material, elasticity.c66, 1e6, 1e13), .unit = "Pa", .standard = NAN},
    {SW_REAL("C22", sw_material, elasticity.c22, 1e6, 1e13), .unit = "Pa", .standard = NAN,
     .help = "as C23 and C55, of orthorhombic crystals"},
    {SW_REAL("C23", sw_material, elasticity.c23, -1e13, 1e13), .unit = "Pa", .standard = NAN},
    {SW_REAL("C55", sw_material, elasticity.c55, 1e6, 1e13), .unit = "Pa", .standard = NAN},
    SW_KEYS_END};
/* A twin that hardly shears fills a crystal before it strains it; those of metals have 0.1 to 0.7. */
#define LEAST_TWIN_SHEAR 0.005
/* Of families: those of SW_LAW_NUMBERS as well. A resistance, of at most 1e11 Pa, that is less than 1000 Pa was MPa. */
#define FAMILY_KEY(key, low, high, unit_, help_)                                                \
    {SW_REAL(#key, sw_slip_family, key, low, high), .unit = sizeof(unit_) > 1 ? (unit_) : NULL, \
     .standard = NAN, .smallest = (high) >= 1e11 && (low) == 0 ? 1e3 : 0, .help = (help_)},
static const sw_key family_keys[] = {
    {SW_NAME("family", sw_slip_family, family), .needed = 1,
     .help = "of the lattice: basal; beside systems any other name"},
    {SW_ROW_PLACES("systems", sw_slip_family, system, system_count, 8), .fewer = 6, .least = -100,
     .most = 100, .whole = 1, .bound = "[h, k, l, u, v, w], of hexagonal crystals [h, k, i, l, u, v, t, w]",
     .otherwise = "those of the lattice's family",
     .help = "all that symmetry makes of one; of twins the sense in which they shear"},
    {SW_REAL("twin_shear", sw_slip_family, twin_shear, LEAST_TWIN_SHEAR, 10), .standard = NAN,
     .otherwise = "they slip, both ways", .help = "beside systems: they are twins, and shear so much"},
    {SW_REAL("initial_slip_resistance", sw_slip_family, initial_slip_resistance, SW_SLIP_RESISTANCE_LEAST,
             SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .standard = NAN, .otherwise = "that of the structure, of laws that have one",
     .help = "needed by the other laws"},
    {SW_REAL_PLACES("latent", sw_slip_family, latent, latent_count, 0, 1e5),
     .help = "how much slip of each family hardens this one, in the order of the list; 1 when absent"},
    {SW_REAL("self", sw_slip_family, self, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "how much a system's own slip does"},
    {SW_REAL("coplanar", sw_slip_family, coplanar, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "how much that of the family on the same plane does"},
    {SW_REAL("collinear", sw_slip_family, collinear, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "along the same line on another plane"},
    {SW_REAL("hirth", sw_slip_family, hirth, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "of {111}<110>: that makes Hirth locks with it"},
    {SW_REAL("glissile", sw_slip_family, glissile, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "likewise junctions that glide"},
    {SW_REAL("own_glissile", sw_slip_family, own_glissile, 0, 1000), .standard = NAN,
     .otherwise = "as glissile", .help = "of them those that glide on the plane of what is hardened"},
    {SW_REAL("lomer", sw_slip_family, lomer, 0, 1000), .standard = NAN, .otherwise = "as latent",
     .help = "likewise Lomer locks"},
    {SW_REAL("twin_threshold", sw_slip_family, twin_threshold, 0, 1), .standard = NAN,
     .otherwise = "twins do not turn crystals",
     .help = "of twins: a crystal turns when its fraction of them is above this"},
    {SW_REAL("twin_threshold_rise", sw_slip_family, twin_threshold_rise, 0, 10), .standard = NAN,
     .otherwise = "0", .help = "and above so much more, times the share of all twins that has turned"},
    {SW_YES("secondary_twins", sw_slip_family, secondary_twins),
     .help = "a crystal that turned may turn once more"},
    {SW_YES("twin_transfer", sw_slip_family, twin_transfer),
     .help = "above twin_threshold a crystal of their own takes up their volume, instead of a crystal's "
             "turn; slipwave taylor"},
    SW_LAW_NUMBERS(FAMILY_KEY) SW_KEYS_END};

static const sw_key slip_keys[] = {
    {SW_REAL("reference_slip_rate", sw_material, slip.reference_slip_rate, 1e-20, 1e20), .unit = "1/s",
     .needed = 1, .help = "v0"},
    {SW_REAL("rate_sensitivity", sw_material, slip.rate_sensitivity, 1e-4, 1), .needed = 1, .help = "m"},
    {SW_REAL("initial_slip_resistance", sw_material, slip.initial_slip_resistance, SW_SLIP_RESISTANCE_LEAST,
             SW_SLIP_RESISTANCE_MOST),
     .unit = "Pa", .standard = NAN, .otherwise = "the mean of the families' systems", .help = "s0"},
    {SW_YES("rate_of_step", sw_material, slip.rate_of_step),
     .help = "v0 is ||D|| of each step, so that rate enters by the hardening law alone"},
    {SW_PLACES("families", sw_material, slip.family, slip.family_count, family_keys),
     .help = "those that slip, each with its numbers, twins last; else the lattice's, with one resistance"},
    SW_KEYS_END};

/* Those of laws.h. */
#define NAME(law, member, ...) #member " "
#define CASE(law) {#law, .needs = SW_LAW_KEYS_##law(NAME), .help = SW_LAW_HELP_##law},
#define SYSTEMS_CASE(law) {#law, .help = SW_LAW_HELP_##law},
static const sw_key_case hardening_laws[] = {SW_LAW_LIST(CASE) SW_LAW_FAMILIES_LIST(SYSTEMS_CASE){0}};
#define KEY(law, member, low, high, ...) \
    {SW_REAL(#member, sw_material, hardening.law.member, low, high), .standard = NAN, __VA_ARGS__},
#define KEYS(law) SW_LAW_KEYS_##law(KEY)
static const sw_key hardening_keys[] = {
    {SW_CASES("law", sw_material, hardening.law, hardening_laws), .needed = 1},
    SW_LAW_LIST(KEYS) SW_KEYS_END};

const sw_key sw_material_keys[] = {
    {SW_NAME("name", sw_material, name), .needed = 1},
    {.name = "source", .type = SW_KEY_NOTE, .help = "where the numbers are from; not read"},
    {SW_WORD("crystal_structure", sw_material, crystal_structure, sw_lattice_names), .needed = 1},
    {SW_REAL("c_over_a", sw_material, c_over_a, 0.01, 100), .standard = NAN,
     .help = "of crystals whose axes differ, and needed there"},
    {SW_REAL("b_over_a", sw_material, b_over_a, 0.1, 10), .standard = NAN,
     .help = "of orthorhombic crystals, and needed there"},
    {SW_REAL("temperature", sw_material, temperature, SW_TEMPERATURE_LEAST, SW_TEMPERATURE_MOST), .unit = "K",
     .standard = NAN, .otherwise = "not known",
     .help = "needed by the laws kocks_mecking and mts; a job's goes before it"},
    {SW_SECTION("elasticity", elasticity_keys), .needed = 1},
    {SW_REAL_PLACES("thermal_expansion", sw_material, thermal_expansion, thermal_expansion_count, -1e-3,
                    1e-3),
     .unit = "1/K", .otherwise = "not known",
     .help = "of cubic crystals one number, of those with two axes along a and c, of orthorhombic ones along "
             "a, b, c"},
    {SW_SECTION("slip", slip_keys), .needed = 1},
    {SW_SECTION("hardening", hardening_keys), .needed = 1},
    SW_KEYS_END};

/* ---- What one number asks of another ---- */

static sw_status check_hardening(const sw_job *job, const sw_material *m)
{
#define LIMIT(law) SW_LAW_LIMIT_##law,
    static const char *const limit[SW_LAWS] = {SW_LAW_LIST(LIMIT)};
    const double s0 = m->slip.initial_slip_resistance, most = sw_hardening_most(&m->hardening);
    char bound[96];
    snprintf(bound, sizeof bound, "more than slip.initial_slip_resistance (%g)", s0);
    return limit[m->hardening.law] == NULL
               ? SW_OK
               : sw_job_need(job, limit[m->hardening.law], most, most > s0, bound);
}

/* A key of some lattices goes with them, and with no other. */
static sw_status check_key(const sw_job *job, const sw_material *m, const char *key, int needed)
{
    if (needed == sw_job_given(job, key))
        return SW_OK;
    return sw_job_error(job, key,
                        needed ? " is missing: crystal_structure = %s needs it"
                               : " has no place beside crystal_structure = %s",
                        sw_material_lattice(m)->name);
}

static sw_status check_lattice(const sw_job *job, const sw_material *m)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    char key[SW_KEY_SIZE], bound[160];
    for (const sw_key *k = elasticity_keys; k->type != SW_KEY_END; k++)
        SW_TRY(check_key(job, m, sw_key_path(key, "elasticity.%s", k->name),
                         sw_key_listed(lattice->elasticity, k->name)));
    SW_TRY(check_key(job, m, "b_over_a", lattice->three_axes));
    SW_TRY(check_key(job, m, "c_over_a", lattice->vectors != NULL));
    if (lattice->vectors == NULL)
        return SW_OK;
    snprintf(bound, sizeof bound, "%g to %g: %s", lattice->least_c_over_a, lattice->most_c_over_a,
             lattice->why_c_over_a);
    return sw_job_need(job, "c_over_a", m->c_over_a,
                       m->c_over_a >= lattice->least_c_over_a && m->c_over_a <= lattice->most_c_over_a,
                       bound);
}

/* ---- Families ---- */

/* Numbers of a family that it may do without. */
static int may_have(int number, const char *name, sw_hardening_law law, int twin)
{
#define MAY(law) {SW_LAW_MAY_##law, SW_LAW_TWIN_MAY_##law},
    static const char *const may[][2] = {SW_LAW_FAMILIES_LIST(MAY){NULL, NULL}};
    const int is_back = number == SW_OF_back_stress_modulus || number == SW_OF_back_stress_decay;
    const int is_rate = number == SW_OF_rate_sensitivity || number == SW_OF_reference_slip_rate;
    return is_rate || (is_back && !twin) ||
           (law >= SW_LAWS_OF_ONE && sw_key_listed(may[law - SW_LAWS_OF_ONE][twin], name));
}

/* A family's numbers are those of its law. */
static sw_status check_numbers(const sw_job *job, const sw_material *m, const char *key, int twin)
{
#define NEEDS(law) {SW_LAW_SLIP_##law, SW_LAW_TWIN_##law},
    static const char *const needs[][2] = {SW_LAW_FAMILIES_LIST(NEEDS){NULL, NULL}};
    const char *const needed =
        m->hardening.law < SW_LAWS_OF_ONE ? NULL : needs[m->hardening.law - SW_LAWS_OF_ONE][twin];
    static const char *const interactions[] = {"latent", "self",     "coplanar",     "collinear",
                                               "hirth",  "glissile", "own_glissile", "lomer"};
    char of[SW_KEY_SIZE];
    for (int k = 0; k < 8 && needed == NULL; k++)
        if (sw_job_given(job, sw_key_path(of, "%.80s.%s", key, interactions[k])))
            return sw_job_error(job, of,
                                " has no place beside law = %s, which hardens all systems in fixed ratios",
                                hardening_laws[m->hardening.law].name);
    for (int k = 0; k < SW_LAW_NUMBER_COUNT; k++) {
        static const char *const name[] = {
#define NAME_OF(key, ...) #key,
            SW_LAW_NUMBERS(NAME_OF)};
        const int given = sw_job_given(job, sw_key_path(of, "%.80s.%s", key, name[k]));
        const int listed = needed != NULL && sw_key_listed(needed, name[k]);
        if (listed && !given)
            return sw_job_error(job, of, " is missing: law = %s needs it of a family of %s",
                                hardening_laws[m->hardening.law].name, twin ? "twins" : "slip");
        const int may = may_have(k, name[k], m->hardening.law, twin);
        if (given && !listed && !may)
            return sw_job_error(job, of, " has no place beside law = %s in a family of %s",
                                hardening_laws[m->hardening.law].name, twin ? "twins" : "slip");
    }
    return SW_OK;
}

/* Only twins turn crystals, and how goes with that they do; or they take volume, all of a material or none, of crystals that they do
 * not fill. */
static sw_status check_turning(const sw_job *job, const sw_material *m, int k, const char *family, int twin)
{
    static const char *const keys[] = {"twin_threshold", "twin_threshold_rise", "secondary_twins",
                                       "twin_transfer"};
    const sw_slip_family *f = &m->slip.family[k];
    char of[SW_KEY_SIZE];
    const int turns = sw_job_given(job, sw_key_path(of, "%.80s.%s", family, keys[0]));
    for (int i = 0; i < 4; i++)
        if (sw_job_given(job, sw_key_path(of, "%.80s.%s", family, keys[i])) && (!twin || !turns))
            return sw_job_error(job, of,
                                !twin ? " has no place in a family of slip"
                                      : " has no place without twin_threshold");
    for (int i = 1; i < 3; i++)
        if (f->twin_transfer && sw_job_given(job, sw_key_path(of, "%.80s.%s", family, keys[i])))
            return sw_job_error(job, of, " has no place beside twin_transfer");
    for (int i = 0; i < k; i++)
        if (turns && !isnan(m->slip.family[i].twin_threshold) &&
            m->slip.family[i].twin_transfer != f->twin_transfer)
            return sw_job_error(job, sw_key_path(of, "%.80s.twin_transfer", family),
                                ": need it of all families with twin_threshold, or of none");
    return !f->twin_transfer || !sw_hardening_fills(m->hardening.law)
               ? SW_OK
               : sw_job_error(job, sw_key_path(of, "%.80s.twin_transfer", family),
                              ": by law = %s twins slip in what they leave of a crystal: need another law",
                              hardening_laws[m->hardening.law].name);
}

/* Of laws with a structure the resistance is that; else it is given. */
static sw_status check_initial(const sw_job *job, const sw_material *m, const char *family,
                               const sw_slip_family *f)
{
    char of[SW_KEY_SIZE];
    const int structured = sw_material_has_structure(m), given = !isnan(f->initial_slip_resistance);
    if (structured != given)
        return SW_OK;
    sw_key_path(of, "%.80s.initial_slip_resistance", family);
    return structured ? sw_job_error(job, of, " has no place beside law = %s: it is that of the structure",
                                     hardening_laws[m->hardening.law].name)
                      : sw_job_error(job, of, " is missing");
}

/* Numbers that say nothing without another; what a crystal has but one of. */
static sw_status check_pairs(const sw_job *job, const char *family, int k)
{
    static const char *const pairs[][2] = {{"athermal_rise", "athermal_temperature"},
                                           {"athermal_temperature", "athermal_rise"},
                                           {"shear_modulus_drop", "shear_modulus_temperature"},
                                           {"shear_modulus_temperature", "shear_modulus_drop"},
                                           {"debris_share_rise", "debris_share_temperature"},
                                           {"debris_share_temperature", "debris_share_rise"},
                                           {"debris_share_reference", "debris_share_rise"},
                                           {"nucleation_rise", "nucleation_temperature"},
                                           {"nucleation_temperature", "nucleation_rise"},
                                           {"back_stress_decay", "back_stress_modulus"}};
    char of[SW_KEY_SIZE], beside[SW_KEY_SIZE];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (sw_job_given(job, sw_key_path(of, "%.80s.%s", family, pairs[i][0])) &&
            !sw_job_given(job, sw_key_path(beside, "%.80s.%s", family, pairs[i][1])))
            return sw_job_error(job, of, " has no place without %s", pairs[i][1]);
    if (k > 0 && sw_job_given(job, sw_key_path(of, "%.80s.initial_debris_density", family)))
        return sw_job_error(job, of, " has no place but in the first family: crystals have one");
    return SW_OK;
}

/* Junctions are those of {111}<110>, which a family of the cubic face-centred lattice slips on. */
static sw_status check_junctions(const sw_job *job, const sw_material *m, const char *family,
                                 const sw_slip_family *f)
{
    static const char *const keys[] = {"hirth", "glissile", "own_glissile", "lomer"};
    const int octahedral = strcmp(sw_material_lattice(m)->name, "fcc") == 0 && f->system_count == 0 &&
                           strcmp(f->family, "111") == 0;
    char of[SW_KEY_SIZE];
    for (int k = 0; k < 4; k++)
        if (sw_job_given(job, sw_key_path(of, "%.80s.%s", family, keys[k])) && !octahedral)
            return sw_job_error(job, of, " has no place but in family \"111\" of crystal_structure fcc");
    return SW_OK;
}

/* By systems of its own ... */
static sw_status check_listed(const sw_job *job, const sw_material *m, const char *of,
                              const sw_slip_family *f)
{
    sw_slip_systems systems = {0};
    char key[SW_KEY_SIZE];
    if (sw_lattice_family(sw_material_lattice(m), f->family) >= 0)
        return sw_job_error(job, sw_key_path(key, "%.80s.family", of),
                            " = %s is a family of the lattice: need another name beside systems", f->family);
    if (sw_slip_systems_add_list(sw_material_lattice(m), sw_material_lattice(m)->three_axes ? m->b_over_a : 1,
                                 m->c_over_a, f->system_count, (const double(*)[8])f->system,
                                 !isnan(f->twin_shear), &systems) != SW_OK)
        return sw_job_blame(job, sw_key_path(key, "%.80s.systems", of));
    return SW_OK;
}

/* ... or of the lattice. */
static sw_status check_named(const sw_job *job, const sw_material *m, const char *of, const sw_slip_family *f)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    char key[SW_KEY_SIZE], names[400] = "";
    for (int i = 0; i < lattice->n_families; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", lattice->family[i].name);
    if (sw_lattice_family(lattice, f->family) < 0)
        return sw_job_error(job, sw_key_path(key, "%.80s.family", of),
                            " = %s: need one of%s, or any name beside systems", f->family, names);
    return sw_job_given(job, sw_key_path(key, "%.80s.twin_shear", of))
               ? sw_job_error(job, key, " has no place without systems")
               : SW_OK;
}

static sw_status check_family(const sw_job *job, const sw_material *m, int k, int *twins)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    const sw_slip_family *f = &m->slip.family[k];
    char key[SW_KEY_SIZE], of[SW_KEY_SIZE];
    sw_key_path(of, "slip.families[%d]", k);
    SW_TRY((f->system_count > 0 ? check_listed : check_named)(job, m, of, f));
    for (int i = 0; i < k; i++)
        if (strcmp(m->slip.family[i].family, f->family) == 0)
            return sw_job_error(job, sw_key_path(key, "%s.family", of), " = %s stands twice", f->family);
    const int number = f->system_count > 0 ? -1 : sw_lattice_family(lattice, f->family);
    const int twin = number < 0 ? !isnan(f->twin_shear) : lattice->family[number].twin_shear != NULL;
    if (*twins && !twin)
        return sw_job_error(job, sw_key_path(key, "%s.family", of),
                            " = %s: need families of slip before twins", f->family);
    *twins |= twin;
    if (number >= 0 && twin && !(sw_material_twin_shear(m, k) >= LEAST_TWIN_SHEAR))
        return sw_job_error(job, sw_key_path(key, "%s.family", of),
                            " = %s: at c_over_a = %g it shears by %g: need %g or more, either way", f->family,
                            m->c_over_a, lattice->family[number].twin_shear(m->c_over_a), LEAST_TWIN_SHEAR);
    if (f->latent_count > 0 && f->latent_count != m->slip.family_count)
        return sw_job_error(job, sw_key_path(key, "%s.latent", of), " has %d entries: need %d, one a family",
                            f->latent_count, m->slip.family_count);
    if (m->hardening.law == SW_LAW_phenopowerlaw && !twin)
        SW_TRY(sw_job_need(job, sw_key_path(key, "%s.saturation_resistance", of), f->saturation_resistance,
                           !(f->saturation_resistance <= f->initial_slip_resistance),
                           "more than initial_slip_resistance"));
    SW_TRY(check_turning(job, m, k, of, twin));
    SW_TRY(check_initial(job, m, of, f));
    SW_TRY(check_pairs(job, of, k));
    SW_TRY(check_junctions(job, m, of, f));
    return check_numbers(job, m, of, twin);
}

/* No system slips in two families; a twin may be where one slips. */
static sw_status check_apart(const sw_job *job, const sw_material *m, const sw_slip_systems *s)
{
    char key[SW_KEY_SIZE];
    for (int a = 0; a < s->count; a++)
        for (int b = 0; b < a; b++) {
            const double normal = sw_dot(s->normal[a], s->normal[b]);
            const double direction = sw_dot(s->direction[a], s->direction[b]);
            if (fabs(normal) > 1 - 1e-9 && fabs(direction) > 1 - 1e-9 && (a < s->two_way) == (b < s->two_way))
                return sw_job_error(job, sw_key_path(key, "slip.families[%d]", s->family[a]),
                                    ": its systems are those of %s already",
                                    m->slip.family[s->family[b]].family);
        }
    return SW_OK;
}

static sw_status check_systems(const sw_job *job, const sw_material *m)
{
    sw_slip_systems systems;
    return sw_material_systems(m, &systems) == SW_OK ? check_apart(job, m, &systems)
                                                     : sw_job_blame(job, "slip.families");
}

static sw_status check_families(const sw_job *job, sw_material *m)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    const int named = lattice->family[0].name != NULL, count = m->slip.family_count;
    int twins = 0;
    if (m->slip.rate_of_step && m->hardening.law < SW_LAWS_OF_ONE)
        return sw_job_error(job, "slip.rate_of_step", " has no place beside law = %s",
                            hardening_laws[m->hardening.law].name);
    if (count == 0) {
        if (named && lattice->family[lattice->n_families - 1].twin_shear != NULL)
            return sw_job_error(job, "slip.families", " is missing: crystal_structure = %s needs it",
                                lattice->name);
        if (m->hardening.law >= SW_LAWS_OF_ONE)
            return sw_job_error(job, "slip.families", " is missing: law = %s needs it",
                                hardening_laws[m->hardening.law].name);
        return isnan(m->slip.initial_slip_resistance)
                   ? sw_job_error(job, "slip.initial_slip_resistance", " is missing")
                   : SW_OK;
    }
    if (!named)
        return sw_job_error(job, "slip.families", " has no place beside crystal_structure = %s",
                            lattice->name);
    for (int k = 0; k < count; k++)
        SW_TRY(check_family(job, m, k, &twins));
    SW_TRY(check_systems(job, m));
    if (sw_material_has_structure(m)) {
        if (!isnan(m->slip.initial_slip_resistance))
            return sw_job_error(job, "slip.initial_slip_resistance",
                                " has no place beside law = %s: it is that of the structure",
                                hardening_laws[m->hardening.law].name);
        return sw_material_set_temperature(m, m->temperature) == SW_OK ? SW_OK
                                                                       : sw_job_blame(job, "temperature");
    }
    return isnan(m->slip.initial_slip_resistance)
               ? sw_material_mean_resistance(m, &m->slip.initial_slip_resistance)
               : SW_OK;
}

static sw_status check_expansion(const sw_job *job, const sw_material *m)
{
    const sw_lattice *lattice = sw_material_lattice(m);
    const int axes = lattice->three_axes ? 3 : lattice->vectors != NULL ? 2 : 1;
    return m->thermal_expansion_count == 0 || m->thermal_expansion_count == axes
               ? SW_OK
               : sw_job_error(job, "thermal_expansion", " has %d numbers: crystal_structure = %s needs %d",
                              m->thermal_expansion_count, lattice->name, axes);
}

static sw_status check_material(const sw_job *job, sw_material *m)
{
    const double c11 = m->elasticity.c11, c12 = m->elasticity.c12, c33 = m->elasticity.c33;
    char bound[96];
    SW_TRY(check_lattice(job, m));
    snprintf(bound, sizeof bound, "C11 > |C12| (C12 = %g)", c12);
    SW_TRY(sw_job_need(job, "elasticity.C11", c11, c11 > fabs(c12), bound));
    snprintf(bound, sizeof bound,
             isnan(c33)                 ? "C11 + 2 C12 > 0 (C11 = %g)"
             : isnan(m->elasticity.c22) ? "(C11 + C12) C33 > 2 C13^2 (C11 = %g)"
                                        : "that all strains are resisted (C11 = %g)",
             c11);
    const sw_stiffness stiffness = sw_material_stiffness(m);
    SW_TRY(sw_job_need(job, "elasticity.C12", c12, sw_stiffness_is_positive(&stiffness), bound));
    SW_TRY(check_expansion(job, m));
    SW_TRY(check_families(job, m));
    return check_hardening(job, m);
}

sw_status sw_material_parse(const char *path, const char *text, sw_material *material)
{
    sw_job *job;
    void *values;
    SW_TRY(sw_job_parse(sw_material_keys, sizeof *material, path, text, &job, &values));
    const sw_status status = check_material(job, values);
    if (status == SW_OK)
        *material = *(const sw_material *)values;
    sw_job_close(job);
    return status;
}

sw_status sw_material_read(const char *path, sw_material *material)
{
    char *text;
    SW_TRY(sw_read_text(path, &text));
    const sw_status status = sw_material_parse(path, text, material);
    free(text);
    return status;
}

static sw_status keep(const sw_material *read, sw_material **material)
{
    SW_TRY(SW_ALLOCATE(*material, 1, "a material"));
    **material = *read;
    return SW_OK;
}

sw_status sw_material_open(const char *path, sw_material **material)
{
    sw_material read;
    *material = NULL;
    SW_TRY(sw_material_read(path, &read));
    return keep(&read, material);
}

sw_status sw_material_parse_text(const char *name, const char *text, sw_material **material)
{
    sw_material read;
    *material = NULL;
    SW_TRY(sw_material_parse(name, text, &read));
    return keep(&read, material);
}

int sw_material_resists_by_families(const sw_material *m)
{
    double mean;
    return sw_material_has_families(m) && sw_material_mean_resistance(m, &mean) == SW_OK &&
           m->slip.initial_slip_resistance == mean;
}

/* What follows from families is left to them: who changes these gets what follows. */
static sw_material as_written(const sw_material *material)
{
    sw_material m = *material;
    if (sw_material_resists_by_families(material))
        m.slip.initial_slip_resistance = NAN;
    for (int k = 0; k < m.slip.family_count && sw_material_has_structure(&m); k++)
        m.slip.family[k].initial_slip_resistance = NAN;
    return m;
}

sw_status sw_material_write_text(const sw_material *material, size_t size, char *text)
{
    const sw_material m = as_written(material);
    return sw_keys_write(sw_material_keys, &m, size, text);
}

sw_status sw_material_write_lines(const sw_material *material, size_t size, char *text)
{
    const sw_material m = as_written(material);
    return sw_keys_write_lines(sw_material_keys, &m, size, text);
}

void sw_material_close(sw_material *material) { free(material); }

double sw_material_slip_resistance(const sw_material *material)
{
    return material->slip.initial_slip_resistance;
}

double sw_material_bulk_modulus(const sw_material *material) { return sw_material_stiffness(material).bulk; }

sw_status sw_material_check_resistance(const sw_job *job, const char *key, const sw_material *material,
                                       double s)
{
    const double most = sw_hardening_most(&material->hardening);
    char need[200];
    if (sw_material_has_structure(material)) {
        snprintf(need, sizeof need, " = %g Pa: has no place: that of %.63s is that of its structure", s,
                 material->name);
        return job != NULL ? sw_job_error(job, key, "%s", need) : sw_error(SW_ERR_RANGE, "%s%s", key, need);
    }
    if (s < most)
        return SW_OK;
    snprintf(need, sizeof need, " = %g Pa: need less than the %g Pa that %.63s saturates at", s, most,
             material->name);
    return job != NULL ? sw_job_error(job, key, "%s", need) : sw_error(SW_ERR_RANGE, "%s%s", key, need);
}

int sw_material_law_number(const sw_material *material, int number, const char **key, double *value)
{
    for (const sw_key *k = hardening_keys; k->type != SW_KEY_END; k++)
        if (k->type == SW_KEY_REAL && sw_key_is_taken(hardening_keys, k, material) && number-- == 0) {
            *key = k->name;
            memcpy(value, (const char *)material + k->to, sizeof *value);
            return 1;
        }
    return 0;
}

int sw_material_suits(const sw_material *given, const sw_material *made, sw_key_difference *difference)
{
    return !sw_keys_differ(
        sw_material_keys,
        "crystal_structure c_over_a b_over_a slip.rate_sensitivity slip.reference_slip_rate slip.families",
        given, made, difference);
}

uint64_t sw_material_hash(uint64_t h, const sw_material *material)
{
    return sw_keys_hash(h, sw_material_keys, material);
}
