/* All that a run of VPSC8 reads: VPSC8.in and the files that it names. docs/guide/vpsc.md. */
#ifndef SW_ONLINE_VPSC_INPUT_INPUT_H
#define SW_ONLINE_VPSC_INPUT_INPUT_H

#include "crystal.h"
#include "diffraction.h"
#include "grains.h"
#include "process.h"

enum { SW_VPSC_PHASES = 4 };

/* Which shape inclusions have: the phase's, that of each grain where it is only followed, or each grain's. */
enum { SW_VPSC_PHASE_SHAPE, SW_VPSC_FOLLOWED_SHAPE, SW_VPSC_GRAIN_SHAPE, SW_VPSC_FILE_SHAPE };

/* By the numbers that files have. */
typedef enum {
    SW_VPSC_FULL_CONSTRAINTS,
    SW_VPSC_AFFINE,
    SW_VPSC_SECANT,
    SW_VPSC_NEFF,
    SW_VPSC_TANGENT,
    SW_VPSC_SECOND_ORDER,
    SW_VPSC_INTERACTIONS
} sw_vpsc_interaction;
extern const char *const sw_vpsc_interaction_names[SW_VPSC_INTERACTIONS];

typedef struct {
    double fraction; /* of the volume */
    int shape, fragmentation;
    double critical_ratio;
    double axes[3], axes_euler[3];                            /* of its ellipsoid; Bunge, rad */
    char *texture, *crystal_file, *shapes, *diffraction_file; /* owned; NULL: none */
    sw_vpsc_crystal crystal;
    sw_vpsc_grains grains;
    sw_vpsc_diffraction diffraction; /* n 0: none */
} sw_vpsc_phase;

typedef struct {
    char *path; /* owned */
    int elastic;
    int n_phases;
    sw_vpsc_phase phase[SW_VPSC_PHASES];
    /* Convergence: of grains' stresses, of rates, of moduli, of the second order's. */
    double stress_tolerance, rate_tolerance, moduli_tolerance, second_order_tolerance;
    int outer, inner, second_order;   /* iterations at most */
    int raise_exponent, exponents[3]; /* irsvar; first, last, step */
    int recover, save_step, components, write_step;
    sw_vpsc_interaction interaction;
    double neff;               /* 0: by relative directional compliances */
    int turn, reshape, harden; /* whether these follow */
    int neighbours, fluctuations;
    int n_processes;
    sw_vpsc_process *process; /* [n_processes], owned */
} sw_vpsc_input;

/* Read a run. SW_ERR_INPUT with file, line, and what was needed; SW_ERR_IO; SW_ERR_MEMORY. Released by
 * sw_vpsc_input_free, also on failure. */
sw_status sw_vpsc_read_input(const char *path, sw_vpsc_input *input);
void sw_vpsc_input_free(sw_vpsc_input *input);

/* What was understood, for people (describe.c). */
#include <stdio.h>
void sw_vpsc_describe(const sw_vpsc_input *input, FILE *out);

#endif
