/* Lattice strains that are asked for: planes of crystals, and directions of the sample along which they are measured. */
#ifndef SW_ONLINE_VPSC_INPUT_DIFFRACTION_H
#define SW_ONLINE_VPSC_INPUT_DIFFRACTION_H

#include "crystal.h"

enum { SW_VPSC_REFLECTIONS = 20, SW_VPSC_EQUIVALENTS = 24 /* at most */ };

typedef struct {
    char label[13];                        /* the record's first twelve bytes */
    double along[3];                       /* of the sample */
    int n;                                 /* equivalent planes */
    double normal[SW_VPSC_EQUIVALENTS][3]; /* of the crystal */
} sw_vpsc_reflection;

typedef struct {
    int n;
    double spread; /* degrees that a normal may be off */
    sw_vpsc_reflection reflection[SW_VPSC_REFLECTIONS];
} sw_vpsc_diffraction;

/* SW_ERR_INPUT, SW_ERR_IO. */
sw_status sw_vpsc_read_diffraction(const char *path, const sw_vpsc_crystal *crystal,
                                   sw_vpsc_diffraction *diffraction);

#endif
