/* The grid of simulations: which points are distinct under symmetry, what the integrator answers there, and
 * the whole field from that. Malahe 2018, section 2.3. Dimension: P distinct points. */
#ifndef SW_OFFLINE_RESPONSE_GRID_H
#define SW_OFFLINE_RESPONSE_GRID_H

#include <stdint.h>

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/material.h"
#include "common/system/status.h"
#include "common/crystal/symmetry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The increment every point is taken through. */
typedef struct {
    double strain_increment; /* ||D||_F t */
    double strain_rate;      /* ||D||_F, 1/s */
    double slip_resistance;  /* at the start, Pa */
} sw_increment;

/* Malahe 2018, section 3.1. */
#define SW_STRAIN_INCREMENT 0.02
#define SW_STRAIN_RATE 1e-3 /* 1/s */

/* Those two, from the material's initial slip resistance. */
sw_increment sw_increment_default(const sw_material *material);

typedef struct {
    int64_t shape[4];
    sw_symmetries symmetries;
    int outputs;                       /* C that are kept: 9, or with how planes share slip 13 */
    int64_t n_points;                  /* P */
    int64_t *point;                    /* [P] linear grid index, the smallest of its orbit, ascending */
    double (*output)[SW_OUTPUTS_MOST]; /* [P][13]; NULL until integrated (integrate.h) */
} sw_response_grid;

/* Find the distinct points for crystals of a point group, of nine outputs. SW_ERR_RANGE for a shape that the symmetries do not map to itself. */
sw_status sw_response_grid_create(const sw_point_group *group, const int64_t shape[4],
                                  sw_response_grid *grid);
void sw_response_grid_destroy(sw_response_grid *grid);

/* Angles (phi1, Phi, phi2, theta) of a grid point, rad. */
void sw_grid_angles(const int64_t shape[4], int64_t index, double x[4]);

/* The outputs at n points x [n][4] -> output [n][13], by the iterative model (0 for how planes share slip, where there are no four). A point that does not
 * converge is retried with steps ten times shorter and more iterations; if that fails too SW_ERR_CONVERGENCE
 * names its angles. statistics are added to, and may be NULL. */
sw_status sw_integrate_points(const sw_material *material, const sw_increment *increment, int64_t n,
                              const double (*x)[4], double (*output)[SW_OUTPUTS_MOST],
                              sw_integration_statistics *statistics);

/* The outputs on the grid with phi2 reduced to its period, of cubic crystals a quarter turn:
 * field [13] of [shape0][shape1][shape2 / fold][row], row >= shape3, of which the rest is not written; NULL: not that one. */
void sw_response_grid_expand(const sw_response_grid *grid, int64_t row, float *const field[SW_OUTPUTS_MOST]);

#ifdef __cplusplus
}
#endif

#endif
