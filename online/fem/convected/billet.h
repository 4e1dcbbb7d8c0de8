/* A billet between its plates, and the parts of a step: for run.c, tests and benchmarks.
 * Dimensions: N nodes, E elements, n = 2 N unknowns; unknown 2 i is u_r of node i, 2 i + 1 its u_z. */
#ifndef SW_ONLINE_FEM_CONVECTED_BILLET_H
#define SW_ONLINE_FEM_CONVECTED_BILLET_H

#include "convected.h"
#include "convected_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SW_FEM_FREE, SW_FEM_STICKS, SW_FEM_SLIPS } sw_fem_touch;

typedef struct {
    sw_fem_convected problem;
    sw_fem_convected_options options;
    sw_fem_convected_model model;
    int64_t n_nodes, n_elements, n_unknowns;
    int64_t half;    /* of the band */
    int32_t *node;   /* [E][4]; element i + cells[0] j */
    double plate;    /* m, height of the upper plate at the step's end */
    int64_t n_steps; /* done */

    /* At the step's start. */
    double *position;              /* [N][2] m */
    sw_fem_convected_point *start; /* [E][4] */

    /* Of the present iteration. */
    double *increment;              /* [N][2] m, z */
    sw_fem_convected_point *change; /* [E][4] */
    uint8_t *flows;                 /* [E][4] J */
    uint8_t *touch;                 /* [N] sw_fem_touch */
    int8_t *direction;              /* [N] of slip, along r: -1, 1 */
    uint8_t *fixed;                 /* [n] */
    double *value;                  /* [n] m, of those */
    double *external;               /* [n] N, friction */
    double *force;                  /* [n] N, that the stresses at the step's end ask for */

    /* The system. */
    int64_t n_pass;              /* elements of a pass; on the CPU 1, so that a record is in one piece */
    double *input, *output;      /* [E] records and results, in passes */
    sw_fem_band_space system;    /* on the CPU */
    sw_fem_convected_cuda *cuda; /* NULL: the CPU solves */
} sw_fem_billet;

/* At rest. As sw_fem_convected_run for errors. Close with sw_fem_billet_close, also after an error. */
sw_status sw_fem_billet_open(const sw_fem_convected *problem, const sw_fem_convected_options *options,
                             sw_fem_billet *billet);
void sw_fem_billet_close(sw_fem_billet *billet);

/* One step: increments of the reduction are equal. */
sw_status sw_fem_billet_step(sw_fem_billet *billet, sw_fem_convected_row *row);

/* The paper's parts of an iteration, on the options' device: where the system is then. */
void sw_fem_billet_pack(const sw_fem_billet *billet);
sw_status sw_fem_billet_elements(sw_fem_billet *billet); /* kernel 1 */
void sw_fem_billet_assemble(sw_fem_billet *billet);      /* on the CPU, with what is prescribed */
sw_fem_band_space *sw_fem_billet_system(sw_fem_billet *billet);

/* What is prescribed in a step that brings the plate to billet->plate. */
void sw_fem_billet_prescribe(sw_fem_billet *billet);

/* force [n] that the virtual power has on `position`: with the step's increments and changes, or of `start` alone. */
void sw_fem_billet_forces(sw_fem_billet *billet, int with_step);

#ifdef __cplusplus
}
#endif

#endif
