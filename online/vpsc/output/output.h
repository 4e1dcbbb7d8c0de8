/* The output files of VPSC8, in its formats. They appear under their names when a run has ended. */
#ifndef SW_ONLINE_VPSC_OUTPUT_OUTPUT_H
#define SW_ONLINE_VPSC_OUTPUT_OUTPUT_H

#include <stdio.h>

#include "online/vpsc/elastic/elastic.h"
#include "online/vpsc/polycrystal/solve.h"
#include "online/vpsc/polycrystal/state.h"

typedef struct sw_vpsc_output sw_vpsc_output;

/* Into a folder, "" or "." the working one; input is borrowed, and no file of it is replaced. SW_ERR_IO where nothing can be written
 * there; SW_ERR_MEMORY. */
sw_status sw_vpsc_output_open(const sw_vpsc_input *input, const char *folder, sw_vpsc_output **output);
/* SW_ERR_INPUT where a file of this name in the folder is one of the input's; SW_ERR_IO where none can be written. */
sw_status sw_vpsc_output_check(const sw_vpsc_output *output, const char *name);
/* What went wrong so far with files that were begun. */
sw_status sw_vpsc_output_status(const sw_vpsc_output *output);
/* All files reach their names, or, of a run that failed (status), none; returns status, or what went wrong now. */
sw_status sw_vpsc_output_close(sw_vpsc_output *output, sw_status status);

/* A file by its name, "ACT_PH%d.OUT" of a phase from 1 on: begun if it is not there. /dev/null where it cannot be
 * written, which sw_vpsc_output_status and sw_vpsc_output_close say. */
SW_PRINTF(2, 3) FILE *sw_vpsc_output_file(sw_vpsc_output *output, const char *format, ...);

/* ---- After a step is solved: it is number `step` of its process, from 1 on ---- */

typedef struct {
    const sw_vpsc_process *process;
    int step;
    const char *title; /* "AFFINE CALCULATION" */
    int strain_control;
    int elastic; /* rows begin before the first step */
} sw_vpsc_place;

void sw_vpsc_write_errors(sw_vpsc_output *output, const sw_vpsc_place *place,
                          const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_convergence *convergence);
void sw_vpsc_write_stress(sw_vpsc_output *output, const sw_vpsc_place *place,
                          const sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_write_activity(sw_vpsc_output *output, const sw_vpsc_place *place,
                            const sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_write_shapes(sw_vpsc_output *output, const sw_vpsc_place *place,
                          sw_vpsc_polycrystal *polycrystal);
void sw_vpsc_write_twins(sw_vpsc_output *output, const sw_vpsc_place *place,
                         const sw_vpsc_polycrystal *polycrystal);

/* Means of dislocation densities: DIS_DEN.OUT. */
void sw_vpsc_write_densities(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal);

/* Moduli and thermal expansion, and lattice strains of phases that ask for them: of grains that are near a direction. */
void sw_vpsc_write_moduli(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal,
                          const sw_vpsc_elastic *elastic);
void sw_vpsc_write_lattice_strains(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal,
                                   const sw_vpsc_elastic *elastic);

/* Textures and ellipsoids as they are. */
void sw_vpsc_write_texture(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal);

#endif
