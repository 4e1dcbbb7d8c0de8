/* Solver `tabulated`: the answers of `rigid_plastic` at points of the Euler angles, at the theta of the step, in which each crystal
 * interpolates, or takes the nearest. No database: the table is filled anew where theta changes, in some 30 ms on a
 * core at 256 points a turn. */
#ifndef SW_ONLINE_RESPONSE_TABULATED_TABULATED_H
#define SW_ONLINE_RESPONSE_TABULATED_TABULATED_H

#include "common/database/response_table.h"
#include "common/database/slip_planes.h"
#include "online/response/rigid_plastic/rigid_plastic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points a turn of refinement 1; the solver's own refinement. */
enum { SW_TABULATED_POINTS = 64, SW_TABULATED_REFINEMENT = 4 };

typedef struct {
    sw_rigid_plastic_model model;
    sw_response_table table;
    sw_slip_planes
        planes;   /* of a law of four coplanar resistances, whose entries have thirteen outputs; else none */
    double theta; /* rad, of the table; NaN: none */
} sw_tabulated;

/* SW_ERR_RANGE as of sw_rigid_plastic_prepare, and for too many entries; SW_ERR_MEMORY. */
sw_status sw_tabulated_open(const sw_material *material, int64_t refinement, sw_tabulated **opened);
void sw_tabulated_close(sw_tabulated *tabulated); /* NULL too */
/* Fills the table. SW_ERR_CONVERGENCE where the slip law has no answer. */
sw_status sw_tabulated_fill(sw_tabulated *tabulated, double theta);
/* What the solver says to a strain rate for each crystal: SW_ERR_UNAVAILABLE. */
sw_status sw_tabulated_refuse_each(struct sw_response *response);

#ifdef __cplusplus
}
#endif

#endif
