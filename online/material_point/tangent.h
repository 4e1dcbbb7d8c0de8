/* The stress of a point, pressure included, and its derivatives by the deformation gradient at the step's end;
 * slipwave/material_point.h has what they are. Tensors of six: 11 22 33 23 13 12. */
#ifndef SW_ONLINE_MATERIAL_POINT_TANGENT_H
#define SW_ONLINE_MATERIAL_POINT_TANGENT_H

#include "motion.h"

/* A point's deviatoric stress, Pa, and its derivatives by the step's D and W, as sw_points has them. */
typedef struct {
    double stress[6], by_strain_rate[6][6], by_spin[6][3];
} sw_point_answer;

/* Deviator and the pressure of K ln J. */
void sw_point_stress(const sw_point_motion *motion, double bulk_modulus, const double deviator[6],
                     double stress[6]);

void sw_point_by_gradient(const sw_point_motion *motion, double bulk_modulus, const sw_point_answer *answer,
                          double by_gradient[6][3][3]);

/* From the derivative by F1, f1 and the whole stress there. */
void sw_point_by_strain(const double by_gradient[6][3][3], const double f1[3][3], const double stress[6],
                        double by_strain[6][6]);

#endif
