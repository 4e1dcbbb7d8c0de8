/* Thermal strains of a point. Of small strains e is taken from the strain. Of finite ones there are two ways:
 *
 *     lengths are divided by 1 + e      rubbers and what flows, as Abaqus has it
 *     e is taken off the stretch, U - e elasticity by Green's strain, and all of CalculiX, which takes it off F: the same but
 *                                       where a body has turned; there F - e has stresses of a body that is free
 *
 * A free body is 1 + e as long by both. A user's law has the first. */
#ifndef SW_ONLINE_FEM_MATTER_HEAT_H
#define SW_ONLINE_FEM_MATTER_HEAT_H

#include "matter.h"

static inline int sw_matter_off_stretch(const sw_matter *matter)
{
    return matter->law->measure == SW_MATTER_GREEN || (matter->heat_off_stretch && matter->umat == NULL);
}

/* Of one that expands, with strains and gradients of all: `thermal` is to be taken from the law's strain yet; what is off the stretch
 * is off strains, of spatial laws off gradients as well. heat: the increment's, in the law's measure, or in Green's off
 * stretches; in the material's axes. by: off stretches, the strain that is left by Green's, engineering shears. */
void sw_matter_expand(const sw_matter *matter, const sw_matter_point *point, sw_matter_ask *ask,
                      double heat[6], double by[6][6]);

/* tangent <- tangent by; of what is symmetric the symmetric part. */
void sw_matter_by_all(int symmetric, const double by[6][6], double tangent[6][6]);

#endif
