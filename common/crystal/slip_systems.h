/* Slip systems of the cubic crystal structures.
 *
 * A structure is a row of families {hkl}<uvw>, given by Miller indices. The distinct systems of a family,
 * up to the sign of plane and direction, are found from the indices, once, at the first call.
 *
 * To add a structure: a member of sw_crystal_structure, its name and its families in slip_systems.c.
 * SW_SLIP_SYSTEMS_MAX must hold its systems. Cubic structures only: the stiffness in material.h and the
 * symmetries in symmetry.h are cubic. Dimension: S slip systems. */
#ifndef SW_COMMON_CRYSTAL_SLIP_SYSTEMS_H
#define SW_COMMON_CRYSTAL_SLIP_SYSTEMS_H

#include "point_group.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SW_FCC,   /* {111}<110>, 12 systems */
    SW_BCC,   /* {110}<111>, 12 systems */
    SW_BCC24, /* {110} and {112}<111>, 24 systems */
    SW_BCC48, /* {110}, {112} and {123}<111>, 48 systems: close to slip on any plane that holds <111> */
    SW_CRYSTAL_STRUCTURES
} sw_crystal_structure;

enum { SW_SLIP_SYSTEMS_MAX = 48 };

typedef struct {
    const char *name;   /* as in a material file: "fcc" */
    const char *family; /* "{111}<110>" */
    int count;          /* S */
    const sw_point_group *group;
    /* Unit vectors in the crystal frame, [S][3]; borrowed from a table that lives for ever. Ordered by
     * family, then by plane: the systems of one plane follow each other. */
    const double (*direction)[3];
    const double (*normal)[3];
} sw_slip_systems;

/* As in material files: "fcc". */
extern const char *const sw_crystal_structure_names[SW_CRYSTAL_STRUCTURES];

/* The table of one structure. Never fails for a member of the enum; any thread may call it. */
const sw_slip_systems *sw_slip_systems_of(sw_crystal_structure structure);

static inline const sw_point_group *sw_point_group_of(sw_crystal_structure structure)
{
    (void)structure;
    return &sw_point_group_432;
}

#ifdef __cplusplus
}
#endif

#endif
