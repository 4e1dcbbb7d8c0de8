/* A strain measure: what an analysis asks of an element, on the CPU. A new one is a descriptor here, its
 * products in operators/, and its line in measures.c.
 *
 * Tangents of a point are numbers whose count is the measure's. Elements that are elastic need none where the
 * elastic tangent stays the same (`steady`); else every element has its own. */
#ifndef SW_ONLINE_FEM_ELEMENT_MEASURE_H
#define SW_ONLINE_FEM_ELEMENT_MEASURE_H

#include "element_state.h"

/* Under displacement u [N c] from the accepted states: forces added to force [N c], when not NULL; `accept`:
 * states and yielding are overwritten; slot >= 0: tangents [size][Q][n_plastic] go there. Returns how many
 * points yield; -1: the element is turned inside out, and nothing is written. */
typedef int sw_fem_points_function(const sw_fem_view *view, const sw_fem_material *materials,
                                   const sw_fem_states *states, int64_t e, const double *u, double *force,
                                   int accept, int64_t slot, double *tangents);

/* Add the blocks of an element's nodes under the view's tangent to block [N][c][c]. */
typedef void sw_fem_blocks_function(const sw_fem_view *view, int64_t e, double *block);

/* The matrix of element e under the view's tangent: [V c][V c], by rows, symmetric where the tangent is. */
typedef void sw_fem_matrix_function(const sw_fem_view *view, int64_t e, double *matrix);

/* Stress (Pa) and strain (tensor components) at the points [Q] of element e from its accepted states point [Q],
 * and the volume (m3) that each stands for. The view's material_of and tangent are not read. */
typedef void sw_fem_results_function(const sw_fem_view *view, const sw_fem_material *material,
                                     const sw_fem_point *point, int64_t e, const double *u,
                                     double (*stress)[6], double (*strain)[6], double *volume);

/* Before its points can respond: the velocity gradients of a polycrystal's points, for what `view` has of them, on the
 * way from displacement `from` to `to` (any trial). Returns 0 where the element is turned inside out, or a step is too
 * large to have a logarithm. */
typedef int sw_fem_gradients_function(const sw_fem_view *view, int64_t e, const double *from,
                                      const double *to);

typedef struct {
    int tangent_size;
    int steady;                                        /* see above */
    sw_fem_points_function *points[SW_FEM_KINEMATICS]; /* NULL: not with these */
    sw_fem_matrix_function *matrix[SW_FEM_KINEMATICS];
    sw_fem_blocks_function *blocks[SW_FEM_KINEMATICS];
    sw_fem_results_function *results[SW_FEM_KINEMATICS];
    sw_fem_gradients_function *gradients[SW_FEM_KINEMATICS]; /* NULL: nothing comes before */
} sw_fem_measure;

extern const sw_fem_measure sw_fem_small_strain, sw_fem_finite_strain, sw_fem_crystal_strain,
    sw_fem_matter_strain;
extern const sw_fem_measure *const sw_fem_measures[SW_FEM_MEASURES];

#endif
