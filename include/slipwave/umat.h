/* User subroutines of other finite element codes, with Fortran's calling convention: material points of crystals
 * (slipwave/material_point.h) in Abaqus/Standard and CalculiX. docs/guide/other-codes.md.
 *
 * A material's name in the job, in lower case and with .yaml, is its point file, in the folder that the environment
 * variable SLIPWAVE_MATERIALS names, or without that in the working folder; read at the first call, once for all
 * threads. State variables are those of slipwave/material_point.h; where the first is 0, the point begins. They, like
 * stresses, are in the global frame, and so are not turned by DROT.
 *
 * A step that cannot be made leaves state, stress and tangent as they were and asks for a step of half the size by
 * PNEWDT. What no smaller step helps (a file, too few state variables, plane stress) is said on stderr and ends the
 * program: a user subroutine cannot return an error. Any number of threads may call. */
#ifndef SLIPWAVE_UMAT_H
#define SLIPWAVE_UMAT_H

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Abaqus: three-dimensional, axisymmetric and plane strain elements, *STEP, NLGEOM=YES, no *ORIENTATION, with the
 * unsymmetric solver (*USER MATERIAL, UNSYMM). Symmetric tensors are 11 22 33 12 (13 23), shear strains engineer's;
 * matrices by columns.
 *
 * Read:    statev [nstatv], dtime (s), cmname [80], ndi (3), nshr (1 or 3), ntens (their sum), nstatv, dfgrd0 and
 *          dfgrd1 [3][3], noel, npt
 * Written: stress [ntens] Cauchy, Pa; statev; ddsdde [ntens][ntens] of the Jaumann rate of Kirchhoff stress, over J,
 *          Pa; pnewdt
 *
 * Others are neither. cmname_length: Fortran's hidden argument. */
SW_API void umat_(double *stress, double *statev, double *ddsdde, double *sse, double *spd, double *scd,
                  double *rpl, double *ddsddt, double *drplde, double *drpldt, const double *stran,
                  const double *dstran, const double *time, const double *dtime, const double *temp,
                  const double *dtemp, const double *predef, const double *dpred, const char *cmname,
                  const int *ndi, const int *nshr, const int *ntens, const int *nstatv, const double *props,
                  const int *nprops, const double *coords, const double *drot, double *pnewdt,
                  const double *celent, const double *dfgrd0, const double *dfgrd1, const int *noel,
                  const int *npt, const int *layer, const int *kspt, const int *kstep, const int *kinc,
                  int cmname_length);

/* CalculiX (ccx): *STEP, NLGEOM, no *ORIENTATION, no initial stresses. Symmetric tensors are 11 22 33 12 13 23;
 * matrices by columns. An amat counts from its last at sign on: before it stand library and function. In
 * libslipwave.so also as UMAT_USER: ccx has names in capitals.
 *
 * Read:    amat [80], iel, iint, beta [6], xokl, xkl [3][3] gradients before and after, dtime, icmd (3: no stiff),
 *          ielas, mi[0], nstate_, xstateini [][mi[0]][nstate_], iorien
 * Written: xstate, likewise; stre [6] second Piola-Kirchhoff stress, Pa; stiff [21] its derivative by Green's strain,
 *          tensor components, symmetric part, 1111 1122 2222 1133 2233 3333 1112 ...; pnewdt
 *
 * ielas = 1 is an increment's first call, after which ccx does not look at pnewdt: a step that cannot be made is then
 * answered as one at rest, with F1 = F0. */
SW_API void umat_user_(const char *amat, const int *iel, const int *iint, const int *kode,
                       const double *elconloc, const double *emec, const double *emec0, const double *beta,
                       const double *xokl, const double *voj, const double *xkl, const double *vj,
                       const int *ithermal, const double *t1l, const double *dtime, const double *time,
                       const double *ttime, const int *icmd, const int *ielas, const int *mi,
                       const int *nstate_, const double *xstateini, double *xstate, double *stre,
                       double *stiff, const int *iorien, const double *pgauss, const double *orab,
                       double *pnewdt, const int *ipkon, int amat_length);

#ifdef __cplusplus
}
#endif

#endif
