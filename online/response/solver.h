/* What a solver is to response.c. Private to this folder. */
#ifndef SW_ONLINE_RESPONSE_SOLVER_H
#define SW_ONLINE_RESPONSE_SOLVER_H

#include "common/crystal_model.h"
#include "common/strain_rate.h"
#include "response.h"

enum { SW_BLOCK = 512 }; /* crystals evaluated at a time; averages are summed by block, in order */

struct sw_response {
    const struct sw_response_solver *solver;
    const sw_database *database;
    const sw_material *material;
    sw_crystal_model model;
    int64_t terms, refinement;
    void *data; /* the solver's own */
};

typedef struct sw_response_solver {
    const char *name;
    int needs_database;
    /* Make and release response->data. close takes a half-made one too. */
    sw_status (*open)(sw_response *response);
    void (*close)(sw_response *response);
    /* A solver that looks responses up: prepare for theta (rad), then the nine outputs of up to SW_BLOCK
     * crystals at angles [n][3] in the principal frame (rad, any range) -> output [n][9], from any thread. */
    sw_status (*prepare)(sw_response *response, double theta);
    void (*evaluate)(const sw_response *response, int64_t n, const double (*angles)[3],
                     float (*output)[SW_OUTPUTS]);
    /* A solver with a history: the whole step instead; see sw_response_step. */
    sw_status (*step)(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                      double dt, int64_t n_crystals, sw_crystal *crystal, sw_response_average *average);
} sw_response_solver;

/* total += weight * part */
static inline void sw_response_average_add(sw_response_average *total, const sw_response_average *part,
                                           double weight)
{
    for (int k = 0; k < 9; k++)
        total->cauchy_stress[k / 3][k % 3] += weight * part->cauchy_stress[k / 3][k % 3];
    total->slip_resistance += weight * part->slip_resistance;
    total->slip_rate += weight * part->slip_rate;
}

extern const sw_response_solver sw_solver_terms, sw_solver_grid, sw_solver_iterative;

#endif
