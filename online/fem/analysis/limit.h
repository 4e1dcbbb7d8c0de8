/* Loads beyond what a body can carry: recognised before the least increment is.
 *
 * Where a body yields all through, nothing but inertia holds it, and no substep converges however small. What
 * tells it from other troubles of Newton's method is how soft the body has become: the work of the loads' change on
 * the displacement's, over that on the elastic body's (the inverse of Bergan's stiffness parameter, Bergan et al. 1978,
 * Int. J. Numer. Methods Eng. 12, 1677). */
#ifndef SW_ONLINE_FEM_ANALYSIS_LIMIT_H
#define SW_ONLINE_FEM_ANALYSIS_LIMIT_H

#include "analysis.h"

/* A way to new loads begins; looked after are those of a whole body without tools and crystals, where loads alone change. */
void sw_fem_limit_begin(sw_fem *fem, const double *factor);

/* After a Newton iteration, from 0, the trial being where it led to. */
sw_status sw_fem_limit_measure(sw_fem *fem, int iteration);

/* The end of a substep from `at` to next, parts of the way: not beyond the middle of what is left to where two have
 * failed. */
double sw_fem_limit_cap(const sw_fem *fem, double at, double next);

/* A substep from at to next converged. */
void sw_fem_limit_passed(sw_fem *fem, double next);

/* One failed, for `why`: SW_ERR_CONVERGENCE with the factors between which the limit load is, where this is one; else
 * SW_OK. */
sw_status sw_fem_limit_failed(sw_fem *fem, double next, const char *why);

#endif
