/* Files of samples: a program that GrainLearning 2 calls leaves two a sample, which it reads back:
 *
 *     sand_Iter0_Sample0_sim.txt     # strain_33 stress_ratio volume_strain, and as many numbers a row
 *     sand_Iter0_Sample0_param.txt   # E mu, and one row
 *
 * Of several elements a sample a third one, which GrainLearning leaves alone: their standard deviations,
 *
 *     sand_Iter0_Sample0_scatter.txt # as _sim.txt */
#ifndef SW_ONLINE_DEM_OUTPUT_SAMPLE_FILES_H
#define SW_ONLINE_DEM_OUTPUT_SAMPLE_FILES_H

#include "online/dem/job/table.h"
#include "slipwave/dem.h"

/* Quantities of rows [n_rows] at the values [n_values] of the control quantity, straight between rows: curve
 * [n_values][n_quantities], caller's. The first pass through each value counts, from the one before on.
 * SW_ERR_RANGE says which value is not reached, and how far the rows get. */
sw_status sw_dem_sample_curve(int64_t n_rows, const sw_dem_row *row, int control, int64_t n_values,
                              const double *value, int n_quantities, const int *quantity, double *curve);

/* FOLDER/DESCRIPTION_param.txt, _scatter.txt or _sim.txt of a row, to be released with free(); NULL: no memory. folder
 * NULL: the working folder. */
enum { SW_DEM_SAMPLE_PARAMETERS, SW_DEM_SAMPLE_SCATTER, SW_DEM_SAMPLE_CURVE, SW_DEM_SAMPLE_FILES };
char *sw_dem_sample_name(const sw_dem_table *table, int64_t row, const char *folder, int kind);

/* The files of a sample in a folder, each there when complete: name [n_columns], curve and scatter
 * [n_values][n_columns]; scatter NULL: no such file. SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_dem_sample_write(const sw_dem_table *table, int64_t row, const char *folder, int n_columns,
                              const char *const *name, int64_t n_values, const double *curve,
                              const double *scatter);

#endif
