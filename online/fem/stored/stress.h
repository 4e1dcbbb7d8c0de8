/* Stress and internal forces as Kiran 2023 computes them, Algorithms 6 and 7, for comparison: three kernels for the
 * radial return and one for the forces, a thread an element. What one leaves to the next is in memory, where the
 * product's own way (element/element_state.h) has it in registers.
 *
 * Solid elements at small strains, without B-bar. Dimensions: N nodes, E elements, Q = 8 points. */
#ifndef SW_ONLINE_FEM_STORED_STRESS_H
#define SW_ONLINE_FEM_STORED_STRESS_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a step from accepted states to displacement u, in this order. */
typedef enum {
    SW_FEM_PREDICTOR, /* strain and trial stress */
    SW_FEM_DEVIATOR,  /* of the trial stress, and the equivalent of it */
    SW_FEM_CORRECTOR, /* which points yield; their stress */
    SW_FEM_FORCES,    /* by colour */
    SW_FEM_STRESS_PARTS
} sw_fem_stress_part;

typedef struct {
    /* view: the device's, whose arrays are borrowed. Host arrays: material [n_materials]; point [E][Q] accepted states,
     * NULL: at rest. SW_ERR_MEMORY; close either way. */
    sw_status (*open)(const sw_fem_view *view, int n_materials, const sw_fem_material *material,
                      const sw_fem_point *point, void **work);
    void (*close)(void *work); /* NULL is fine */
    /* u [3 N], force [3 N] (all of it, by SW_FEM_FORCES) on the device, which a GPU's caller waits for. */
    sw_status (*run)(void *work, sw_fem_stress_part part, const double *u, double *force);
} sw_fem_stress_functions;

extern const sw_fem_stress_functions sw_fem_stress_cpu, sw_fem_stress_cuda; /* cuda: in builds with CUDA */

#ifdef __cplusplus
}
#endif

#endif
