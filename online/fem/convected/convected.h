/* Upsetting of a billet between flat plates by a rate law and a velocity at a time: the way of Demeshko, Matsuoka and
 * Endo 2011, "GPU-based approach for elastic-plastic deformation simulations", for comparison with sw_fem. What
 * differs from the paper: docs/theory.md, section "Departures from Demeshko et al. 2011".
 *
 *     many small steps, all alike; in each some computational iterations:
 *         element matrices 8 x 8 and load vectors           kernel 1, rate.h and element.h
 *         the global matrix, N x W                          assembly, band.h
 *         A z = b by an iterative method                    kernel 2, methods.c
 *         the points' rates, flow or none, stick or slip
 *
 * A quarter of the billet's section is meshed: the plates are alike and the axis (plane strain: the plane x = 0) is
 * one of symmetry. x is the radius (the width), y the axis. Forces are those of the whole billet.
 *
 * Dimensions: N nodes, E elements of 4 nodes and 4 points. */
#ifndef SW_ONLINE_FEM_CONVECTED_CONVECTED_H
#define SW_ONLINE_FEM_CONVECTED_CONVECTED_H

#include "methods.h"
#include "rate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    sw_fem_kinematics kinematics; /* axisymmetric or plane_strain, 1 m thick */
    double radius;                /* m; plane strain: half the width */
    double height;                /* m, of the whole billet */
    int64_t cells[2];             /* along the radius, along half the height */
    sw_fem_material material;
    double friction;  /* Coulomb's number; 0: none; INFINITY: sticking */
    double reduction; /* of the height, 0 .. 1 */
} sw_fem_convected;

/* What the virtual power is of (docs/theory.md). */
typedef enum {
    SW_FEM_PRINTED, /* sigma + dt sigma-dot, volumes and gradients of the step's start */
    SW_FEM_NOMINAL, /* and how volumes and gradients change in the step */
    SW_FEM_POWERS
} sw_fem_power;

typedef enum {
    SW_FEM_ASSEMBLED_ON_CPU,
    SW_FEM_ASSEMBLED_ON_DEVICE,
    SW_FEM_CONVECTED_ASSEMBLIES
} sw_fem_convected_assembly;

typedef struct {
    sw_fem_device device; /* auto: the CPU, which wins at these sizes */
    sw_fem_band_method method;
    sw_fem_power power;
    sw_fem_convected_assembly assembly; /* cuda: the paper's, or by colours on the GPU */
    int64_t steps, iterations;
    double tolerance; /* of an iteration: largest change of an increment over the largest increment */
    double linear_tolerance;
    int64_t most_linear;
    int64_t bytes; /* of the GPU's memory for element data; more elements come in passes; 0: all at once */
} sw_fem_convected_options;

/* 1,000 steps of at most 10 iterations, to 1e-6; minimal residual, to 1e-8 in at most 200,000; nominal; CPU. */
sw_fem_convected_options sw_fem_default_convected_options(void);

/* A step's end. */
typedef struct {
    int64_t step;     /* from 1 */
    double stroke;    /* m, of the plates towards each other */
    double force;     /* N on a plate, positive in compression (plane strain: of 1 m) */
    int64_t flowing;  /* points */
    int64_t slipping; /* nodes on the plate */
    int64_t touching; /* nodes on the plate */
    int64_t iterations, linear;
    double change; /* that the last iteration made, as `tolerance`; larger where `iterations` did not do */
    double seconds_elements, seconds_assembly, seconds_linear; /* of this step, transfers included */
} sw_fem_convected_row;

/* The body then; borrowed, until the hook returns. */
typedef struct {
    int64_t n_nodes, n_elements;
    const double *position;              /* [N][2] m, now */
    const int32_t *node;                 /* [E][4] */
    const sw_fem_convected_point *point; /* [E][4] Cauchy stress, equivalent plastic strain */
} sw_fem_convected_state;

/* Called after each step; what it returns other than SW_OK ends the run with that. */
typedef sw_status sw_fem_convected_hook(void *context, const sw_fem_convected_row *row,
                                        const sw_fem_convected_state *state);

/* The whole run. SW_ERR_RANGE names the value that is out of its bound; SW_ERR_UNAVAILABLE: no GPU, or no LAPACK for
 * the direct method; SW_ERR_CONVERGENCE names the step whose system the method did not solve, or in which an element
 * turned inside out: the last row that the hook was given is the last good state. SW_ERR_MEMORY, SW_ERR_INTERRUPTED,
 * and the hook's. */
sw_status sw_fem_convected_run(const sw_fem_convected *problem, const sw_fem_convected_options *options,
                               sw_fem_convected_hook *hook, void *context);

#ifdef __cplusplus
}
#endif

#endif
