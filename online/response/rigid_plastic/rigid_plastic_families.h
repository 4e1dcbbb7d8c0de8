/* What a GPU does for solver `rigid_plastic` with crystals whose families have their own resistances: solver.h. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_FAMILIES_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_RIGID_PLASTIC_FAMILIES_H

#include "online/response/points/points_cuda.h"
#include "online/response/step/solver.h"
#include "rigid_plastic_step.h"

/* A response's data on a GPU. */
typedef struct {
    sw_rigid_plastic_model model;
} rigid_plastic_data;

sw_status sw_rigid_plastic_families_step(sw_response *response, const struct sw_step *step,
                                         const sw_crystals *from, const sw_crystals *to, double *partial,
                                         double *sums, void *stream);
sw_status sw_rigid_plastic_families_points(sw_response *response, const sw_points_launch *launch);
/* The response closes. */
void sw_rigid_plastic_families_forget(const sw_response *response);

/* The same of crystals by laws with a structure. */
sw_status sw_rigid_plastic_all_step(sw_response *response, const struct sw_step *step,
                                    const sw_crystals *from, const sw_crystals *to, double *partial,
                                    double *sums, void *stream);
sw_status sw_rigid_plastic_all_points(sw_response *response, const sw_points_launch *launch);
void sw_rigid_plastic_all_forget(const sw_response *response);

#endif
