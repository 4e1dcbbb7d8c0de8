/* Points whose law is one of those of decks (online/fem/matter/), at small and finite strains, on the CPU.
 *
 * Where a body has such a material all its elements have tangents of the form of finite.h, on the trial geometry; at small
 * strains on the undeformed one and without stress. Other materials beside them respond as they do without. */
#ifndef SW_ONLINE_FEM_ELEMENT_LAWS_MATTER_POINTS_H
#define SW_ONLINE_FEM_ELEMENT_LAWS_MATTER_POINTS_H

#include "online/fem/backend/backend.h"
#include "online/fem/matter/matter.h"

/* A material's law, and its axes in the body as rows; NULL: those of space. */
struct sw_fem_matter {
    sw_matter law; /* prepared; its own */
    int turned;
    double axes[3][3];
};

enum { SW_FEM_MATTER_MOST = 160 }; /* numbers of a point */

/* What such points keep. Host. */
struct sw_fem_matter_points {
    int64_t *first;       /* [E + 1] of an element's numbers */
    double *state;        /* of a point the law's, accepted; then its Cauchy stress as equilibrium has it */
    const double *before; /* [N d] displacement of the accepted state */
    double dt;            /* s, of the substep; 0: rates have no say */
    int finite, rests;    /* rests: stresses are the accepted ones */
};

/* Of a problem that has such materials. SW_ERR_MEMORY; SW_ERR_RANGE for a law with too many numbers. */
sw_status sw_fem_matter_open(const sw_fem_problem *problem, struct sw_fem_matter_points **points);
void sw_fem_matter_close(struct sw_fem_matter_points *points); /* NULL is fine */

#endif
