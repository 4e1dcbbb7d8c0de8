/* A crystal's constants, as a material file gives them. */
#ifndef SW_COMMON_CRYSTAL_MATERIAL_H
#define SW_COMMON_CRYSTAL_MATERIAL_H

#include "laws.h"
#include "lattice.h"
#include "slipwave/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A family of slip systems that slips. */
typedef struct {
    char family[32];                       /* its name in the lattice; of systems of its own any */
    double system[SW_SLIP_SYSTEMS_MAX][8]; /* those, as sw_slip_systems_add_list has them */
    int system_count;                      /* 0: the lattice's */
    double twin_shear;                     /* of twins by their own systems; else NaN */
    double initial_slip_resistance;        /* Pa */
    double self, coplanar;                 /* on itself, and on others of its plane; NaN: as latent */
    double collinear;                      /* on those that slip along the same line; likewise */
    double hirth, glissile, own_glissile,
        lomer;                      /* of {111}<110>, by what their dislocations make; likewise */
    double latent[SW_FAMILIES_MAX]; /* by each family's slip; none: 1 */
    int latent_count;
    double twin_threshold, twin_threshold_rise; /* of twins that turn crystals (twins.h); else NaN */
    int secondary_twins;                        /* a crystal that turned may do so once more */
    int twin_transfer;                          /* instead of turning it they take volume from it (twins.h) */
#define SW_LAW_MEMBER(key, ...) double key;
    SW_LAW_NUMBERS(SW_LAW_MEMBER)
#undef SW_LAW_MEMBER
} sw_slip_family;

struct sw_material {
    char name[64];
    int crystal_structure; /* place of its lattice in the list */
    double c_over_a;       /* of lattices whose axes differ; else NaN */
    double b_over_a;       /* of those with three axes; else NaN */
    sw_elasticity elasticity;
    double temperature;          /* K; NaN: not known */
    double thermal_expansion[3]; /* 1/K, along the axes that differ: a; c; of three a, b, c */
    int thermal_expansion_count; /* 0: not known */
    struct {
        double reference_slip_rate;     /* 1/s; > 0 */
        double rate_sensitivity;        /* m; 0 < m <= 1 */
        double initial_slip_resistance; /* s0, Pa; > 0; of families the mean of their systems */
        sw_slip_family family[SW_FAMILIES_MAX];
        int family_count; /* 0: all of the lattice, with that resistance */
        int rate_of_step; /* v0 is ||D|| of each step */
    } slip;
    sw_hardening hardening;
};

static inline const sw_lattice *sw_material_lattice(const sw_material *material)
{
    return sw_lattices[material->crystal_structure];
}

/* Its slip systems; SW_ERR_RANGE. */
sw_status sw_material_systems(const sw_material *material, sw_slip_systems *systems);
/* Its slips do not make every strain: nothing bounds some stress. Each call goes through its systems. */
int sw_material_is_open(const sw_material *material);
/* How many independent strains its slips make, at most 5. */
int sw_material_strains(const sw_material *material);
/* Refuses one that is (SW_ERR_INPUT), for what has every crystal strained as it may come; what: names who. */
sw_status sw_material_check_closed(const char *what, const sw_material *material);
/* What twins of a family shear by; 0: they are none. */
double sw_material_twin_shear(const sw_material *material, int family);
/* Of a material with families: the mean of its systems' initial slip resistances, Pa; SW_ERR_RANGE. */
sw_status sw_material_mean_resistance(const sw_material *material, double *mean);
/* Whether by a law twins slip in what they leave of a crystal, 1 - f. */
int sw_hardening_fills(sw_hardening_law law);
/* Whether its law makes resistances of a structure, at a temperature, which material files need not say. */
static inline int sw_material_has_structure(const sw_material *material)
{
    return material->hardening.law >= SW_LAWS_WITHOUT_STRUCTURE;
}
/* The material at a temperature (K), NaN: not known: by a law with a structure its initial slip resistances are those of it there, at the
 * reference rate; at 0 K where it is not known. SW_ERR_RANGE where a family has none. */
sw_status sw_material_set_temperature(sw_material *material, double temperature);
/* What resists them, with their mean resistance s0. SW_ERR_UNAVAILABLE where the law needs a temperature and there is none. */
sw_status sw_slip_law_prepare(const sw_material *material, sw_slip_law *law);
/* Of such a law: name and unit of a group's structure, and of what a crystal shares, or NULL [4]. */
const char *const *sw_material_structure_names(const sw_material *material);
sw_slip_law_start sw_slip_law_start_of(const sw_slip_law *law);
/* SW_ERR_UNAVAILABLE where systems have back-stresses, or families rates of their own, which what is asked has not. */
sw_status sw_slip_law_check_plain(const char *what, const sw_slip_law *law);
/* Whether each system has a resistance for itself, or families have their own. */
static inline int sw_material_has_families(const sw_material *material)
{
    return material->slip.family_count > 0;
}

/* The material with s0 = slip_resistance (Pa) and its hardening curve shifted as a whole: for every slip Gamma
 * s(Gamma) - s0 is what it was, and so is ds/dGamma. What slip stores adds to what ageing gives; docs/theory.md,
 * section 11. Nothing else changes: responses scale with s, so databases of the material serve the aged one.
 * Where families have their own, slip_resistance is the mean of all systems, and each family's is shifted by as much, its
 * saturation with it; fixed ratios stay.
 * `aged` may be `material`. SW_ERR_RANGE, and *aged as before, unless slip_resistance is 1e4 to 1e11 Pa, as in
 * material files, that of every family is so, and h0 stays below 1e30 Pa. */
sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged);

/* Along the crystal's axes x, y, z, 1/K. SW_ERR_UNAVAILABLE where it is not known. */
sw_status sw_material_expansion(const sw_material *material, double expansion[3]);

static inline sw_stiffness sw_material_stiffness(const sw_material *material)
{
    sw_stiffness stiffness;
    sw_material_lattice(material)->stiffness(&material->elasticity, &stiffness);
    return stiffness;
}

#ifdef __cplusplus
}
#endif

#endif
