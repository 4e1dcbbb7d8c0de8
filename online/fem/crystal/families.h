/* What families of slip systems, and twins, have come to at the points of an analysis: of materials with resistances of their
 * families (slip.families), whose crystals remember it. Numbers of all materials of crystals stand side by side, by kind, and in it by
 * the family's name; where two materials have a family of one name they share its numbers.
 *
 * Dimensions: E elements, C numbers of an element. */
#ifndef SW_ONLINE_FEM_CRYSTAL_FAMILIES_H
#define SW_ONLINE_FEM_CRYSTAL_FAMILIES_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SW_FEM_FAMILY_SLIP,     /* sizes of slips, summed over the family's systems */
    SW_FEM_TWIN_FRACTION,   /* of twins: that over their shear */
    SW_FEM_TURNED_FRACTION, /* of twins that turn crystals: how often they have turned one */
    SW_FEM_TWIN_VARIANTS, /* where twins turn crystals: the fraction of each variant, in the order of slip systems, since the crystal last turned */
    SW_FEM_TOLD_KINDS
} sw_fem_told_kind;
/* "family_slip", "twin_fraction", "turned_fraction", "twin_variants" */
extern const char *const sw_fem_told_names[SW_FEM_TOLD_KINDS];

typedef struct {
    sw_fem_told_kind kind;
    const char *family;                 /* its name, and */
    const struct sw_material *material; /* the first material that has it, borrowed */
    int first_system;                   /* of the family's, there */
    int at, values;                     /* among the C numbers: more than one of variants */
} sw_fem_told;

typedef struct {
    int n, columns;               /* C */
    int width[SW_FEM_TOLD_KINDS]; /* of these those of each kind */
    sw_fem_told *told;            /* [n] */
} sw_fem_families;

/* n = 0 where no crystals remember any. SW_ERR_MEMORY. Released with sw_fem_families_free. */
sw_status sw_fem_families_of(const sw_fem_problem *problem, sw_fem_families *families);
void sw_fem_families_free(sw_fem_families *families);

/* Means over the crystals and points of each element of the whole mesh, on rank 0, by all processes together: value
 * [C][E], of told[k] from told[k].at E on [E][values]; 0 where an element's crystals have no such family. SW_ERR_MEMORY. */
sw_status sw_fem_read_families(sw_fem *fem, const sw_fem_families *families, double *value);
/* Means [C] over the elements whose crystals have the family, by their undeformed volume; on all processes, likewise. */
sw_status sw_fem_mean_families(sw_fem *fem, const sw_fem_families *families, double *mean);

#ifdef __cplusplus
}
#endif

#endif
