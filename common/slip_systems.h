/* Slip systems, a table per crystal structure.
 *
 * To add a structure: an entry of sw_crystal_structure, one table in slip_systems.c, one line in
 * its list. Dimension: S slip systems. */
#ifndef SW_COMMON_SLIP_SYSTEMS_H
#define SW_COMMON_SLIP_SYSTEMS_H

typedef enum {
    SW_FCC, /* {111}<110>, 12 systems */
    SW_CRYSTAL_STRUCTURE_COUNT
} sw_crystal_structure;

enum { SW_SLIP_SYSTEMS_MAX = 48 };

typedef struct {
    const char *name;   /* as in a material file: "fcc" */
    const char *family; /* "{111}<110>" */
    int count;          /* S */
    /* Unit vectors in the crystal frame, [S][3]; borrowed from a table that lives for ever. */
    const double (*direction)[3];
    const double (*normal)[3];
} sw_slip_systems;

/* The table of one structure. Never fails for a member of the enum. */
const sw_slip_systems *sw_slip_systems_of(sw_crystal_structure structure);

#endif
