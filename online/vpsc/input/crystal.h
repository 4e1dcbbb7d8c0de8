/* A phase's crystals, as VPSC8's files of single crystals (.sx) describe them: a cell of any symmetry, elastic constants, modes of
 * slip and of twins, system by system, and a hardening law. Units are the file's: what is a stress has the unit of the others.
 * Vectors stand along x, y, z of the crystal: c along z, a in the plane of x and z. Dimensions: S systems, M modes in use. */
#ifndef SW_ONLINE_VPSC_INPUT_CRYSTAL_H
#define SW_ONLINE_VPSC_INPUT_CRYSTAL_H

#include "records.h"

enum { SW_VPSC_MODES = 8, SW_VPSC_TWIN_MODES = 3, SW_VPSC_SYSTEMS = 48, SW_VPSC_TWINS = 12 /* at most */ };

typedef enum {
    SW_VPSC_CUBIC,
    SW_VPSC_HEXAGONAL,
    SW_VPSC_TRIGONAL,
    SW_VPSC_TETRAGONAL,
    SW_VPSC_ORTHORHOMBIC,
    SW_VPSC_MONOCLINIC,
    SW_VPSC_TRICLINIC,
    SW_VPSC_SYMMETRIES
} sw_vpsc_symmetry;
extern const char *const sw_vpsc_symmetry_names[SW_VPSC_SYMMETRIES]; /* "cubic", ... */

/* Hardening laws, by the numbers that files have. */
typedef enum {
    SW_VPSC_VOCE = 0,
    SW_VPSC_MTS = 1,
    SW_VPSC_DENSITY = 20,  /* dislocation densities */
    SW_VPSC_REVERSAL = 23, /* those that reverse */
} sw_vpsc_law;

enum { SW_VPSC_MAXIMUM_FRACTION = 1, SW_VPSC_MONTE_CARLO = 2, SW_VPSC_FRACTION_TRANSFER = 3 }; /* twin laws */

/* The systems of a mode, of one kind. */
typedef struct {
    char name[40];
    int number;       /* in the file */
    int first, count; /* of the S systems */
    int one_way;      /* shears in its own sense only */
    int twin_type; /* 0: slip; 1, 2, 3: crystals turn by 180 degrees about normal, direction, the third axis */
    double twin_shear; /* of twins */
    int secondary, twin_law;
    double threshold, threshold_rise; /* of the fraction of twins that turns a crystal */
    /* Voce: tau0, tau1, theta0, theta1, and Hall and Petch's factor; h of every mode's slip. */
    int exponent; /* n */
    double tau0, tau1, theta0, theta1, hall_petch, latent[SW_VPSC_MODES];
    /* Numbers of the other laws, in the order of the file: see hardening.c. */
    double law[24];
} sw_vpsc_mode;

typedef struct {
    char path[1024];
    sw_vpsc_symmetry symmetry;
    double cell[3], angle[3];  /* a b c; alpha beta gamma, degrees */
    double axes[3][3];         /* columns: a, b, c */
    double stiffness[6][6];    /* 11 22 33 23 13 12 */
    double expansion[6];       /* 1/K */
    int n_modes, n_twin_modes; /* M; the last ones are of twins */
    sw_vpsc_mode mode[SW_VPSC_MODES];
    int n_systems, n_slip; /* S; those of slip come first */
    int one_way;           /* whether any mode is */
    int mode_of[SW_VPSC_SYSTEMS];
    int plane[SW_VPSC_SYSTEMS][4], along[SW_VPSC_SYSTEMS][4];         /* indices, as the file has them */
    double normal[SW_VPSC_SYSTEMS][3], direction[SW_VPSC_SYSTEMS][3]; /* unit vectors */
    sw_vpsc_law law;
    int rate_sensitive; /* 0: the reference rate is the strain rate's norm, step by step */
    double grain_size;
    double common[32]; /* numbers of the other laws that modes share, in the order of the file */
} sw_vpsc_crystal;

/* Read a file. elastic_only: no more than cell, stiffness and expansion. SW_ERR_INPUT with file, line and what was needed. */
sw_status sw_vpsc_read_crystal(const char *path, int elastic_only, sw_vpsc_crystal *crystal);

/* Its hardening law, where the text of the file has come to it (hardening.c). */
sw_status sw_vpsc_read_hardening(sw_vpsc_records *records, sw_vpsc_crystal *crystal);

/* A plane's normal, by its indices h k l or h k i l, as a unit vector (three numbers whose third index of four is left out).
 * Components of less than a thousandth are zero, as in VPSC8. */
void sw_vpsc_plane(const sw_vpsc_crystal *crystal, const int index[4], double normal[3]);
static inline int sw_vpsc_indices(const sw_vpsc_crystal *crystal)
{
    return crystal->symmetry == SW_VPSC_HEXAGONAL || crystal->symmetry == SW_VPSC_TRIGONAL ? 4 : 3;
}

/* Whether no stress of these systems, along component 0 to 4 of a deviator (common/math/deviator.h), is bounded in one sense or
 * both. */
int sw_vpsc_is_open(const sw_vpsc_crystal *crystal, int component);

#endif
