/* The stress and strain rate of a polycrystal and of its grains under a step's conditions, as they are at its start: by the
 * self-consistent scheme, or by full constraints. */
#ifndef SW_ONLINE_VPSC_POLYCRYSTAL_SOLVE_H
#define SW_ONLINE_VPSC_POLYCRYSTAL_SOLVE_H

#include "state.h"

typedef struct sw_vpsc_solver sw_vpsc_solver;

/* How far a step came. */
typedef struct {
    int iterations;
    double error[3]; /* of grains' stresses, of the mean stress, of the mean rate */
    int converged;
} sw_vpsc_convergence;

/* SW_ERR_UNAVAILABLE for what of a run that is not elastic is not taken. */
sw_status sw_vpsc_solver_check(const sw_vpsc_input *input, int compatible);

/* SW_ERR_MEMORY, and as of sw_vpsc_solver_check. Released by sw_vpsc_solver_free; NULL is fine. */
sw_status sw_vpsc_solver_make(const sw_vpsc_polycrystal *polycrystal, int compatible, int threads,
                              sw_vpsc_solver **solver);
void sw_vpsc_solver_free(sw_vpsc_solver *solver);

/* Solve for polycrystal->d, stress, mean_d, mean_stress and each grain's. fresh: a process begins, and with it a first guess.
 * stress_control: a stress controls the process. SW_ERR_RANGE: there is no solution. */
sw_status sw_vpsc_solve(sw_vpsc_solver *solver, sw_vpsc_polycrystal *polycrystal, int fresh,
                        int stress_control, sw_vpsc_convergence *convergence);

/* What a run needs of a former one beside its polycrystal's state, in VPSC8's basis. */
typedef struct {
    double mean_d[5], mean_stress[5], d0[5], m[5][5], l[5][5]; /* of the medium D = M S + d0; L = 1/M */
} sw_vpsc_medium;
void sw_vpsc_medium_of(const sw_vpsc_solver *solver, const sw_vpsc_polycrystal *polycrystal,
                       sw_vpsc_medium *medium);
/* From now on processes begin with what there is: with this medium, and the grains' stresses. */
void sw_vpsc_recover(sw_vpsc_solver *solver, sw_vpsc_polycrystal *polycrystal, const sw_vpsc_medium *medium);

/* Slip at D of each grain (taylor.c): stress [5], in the crystal's axes, is a first guess, scaled. Its rates of slip [S]. 0: there
 * is none. */
int sw_vpsc_solve_taylor(const sw_vpsc_grains_of *phase, int64_t grain, const double d[6], double rate);

/* The size of M_g : d, M_g the secant compliance of a grain as solved. */
double sw_vpsc_compliance_along(const sw_vpsc_grains_of *phase, int64_t grain, const double d[6]);

#endif
