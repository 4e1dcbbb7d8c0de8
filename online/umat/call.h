/* A call of a user subroutine, whatever the code that makes it; slipwave/umat.h. Symmetric tensors of both codes are
 * 11 22 33 12 13 23. */
#ifndef SW_ONLINE_UMAT_CALL_H
#define SW_ONLINE_UMAT_CALL_H

#include "slipwave/material_point.h"

/* Of a code's component: its place in 11 22 33 23 13 12. */
static const int sw_umat_order[6] = {0, 1, 2, 5, 4, 3};

typedef struct {
    const char *name;                    /* of the material, padded with blanks */
    int length, element, point, numbers; /* of the name; from 1 on; state variables there are */
    double dt;
    const double *old_gradient, *new_gradient; /* [3][3] by columns */
    const double *old_state;
    double *new_state; /* may be the same */
} sw_umat_call;

typedef struct {
    double gradient[3][3];                                   /* F1 */
    double stress[6], by_strain[6][6], by_gradient[6][3][3]; /* as sw_point_update has them */
} sw_umat_answer;

/* The point's step; its new state is written. SW_ERR_CONVERGENCE: a smaller step is wanted, nothing was written. Every
 * status of sw_point_model_read; SW_ERR_RANGE for too few state variables. */
sw_status sw_umat_advance(const sw_umat_call *call, sw_umat_answer *answer);

/* The model of a material's name, read at the first call; stays. */
sw_status sw_umat_find(const char *name, int length, const sw_point_model **model);

/* dS/dE [6][6] in a code's order, of the second Piola-Kirchhoff stress by Green's strain with engineer's shears, and S,
 * Pa; F1 changes by F1^-T dE. */
void sw_umat_pull_back(const sw_umat_answer *answer, double stress[6], double stiffness[6][6]);

#endif
