/* What is known of nodes and points at the end of an increment, before its state is accepted.
 *
 * Dimensions: N nodes, Q points of an element. */
#ifndef SW_ONLINE_FEM_STRUCTURE_FIELDS_H
#define SW_ONLINE_FEM_STRUCTURE_FIELDS_H

#include "analysis.h"

/* Of an element's points: Cauchy stress, strain (tensor components), equivalent plastic strain of laws that flow, place,
 * volume. */
typedef struct {
    int n;
    double stress[SW_FORMULATION_POINTS][6], strain[SW_FORMULATION_POINTS][6], plastic[SW_FORMULATION_POINTS],
        at[SW_FORMULATION_POINTS][3], volume[SW_FORMULATION_POINTS];
} sw_structure_points;
sw_status sw_structure_points_of(sw_structure *s, int64_t e, sw_structure_points *points);

/* Means over the elements of a node of what their points give it; 0 where there are none. Released with
 * sw_structure_nodal_free. */
typedef struct {
    double (*stress)[6], (*strain)[6], *plastic; /* [N] */
} sw_structure_nodal;
sw_status sw_structure_nodal_make(sw_structure *s, sw_structure_nodal *nodal);
void sw_structure_nodal_free(sw_structure_nodal *nodal);

/* Reactions [U]: what holds prescribed unknowns; with reactions_hold_loads the forces of the node's elements, and of nodes
 * without any what holds those that follow from them. */
void sw_structure_reactions(const sw_structure *s, double *reaction);

#endif
