/* vpsc.h5: what a run went through, a row a step as it was solved, under the names that results of taylor have where they mean the
 * same, and the crystals at the end. */
#ifndef SW_ONLINE_VPSC_RESULTS_H
#define SW_ONLINE_VPSC_RESULTS_H

#include "common/files/hdf5_io.h"
#include "polycrystal/solve.h"

/* Doubles alone: datasets are made of them by a table (results.c). */
typedef struct {
    double process, step; /* from 1 on */
    double time, temperature, strain, mises_strain, mises_stress, mises_rate;
    double strain_tensor[3][3], velocity_gradient[3][3], strain_rate[3][3], cauchy_stress[3][3];
    double pressure_known, slip_resistance, slip_rate;
    double iterations, error[3];
} sw_vpsc_row;

/* Zeroed: none. */
typedef struct {
    int64_t n, room;
    sw_vpsc_row *row; /* [n] */
} sw_vpsc_history;

/* SW_ERR_MEMORY. */
sw_status sw_vpsc_history_add(sw_vpsc_history *history, int process, int step,
                              const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_convergence *convergence);
void sw_vpsc_history_free(sw_vpsc_history *history);

/* All of the file, which sw_h5_end gives its name. SW_ERR_IO, SW_ERR_MEMORY: it is gone then. */
sw_status sw_vpsc_results_write(const char *path, const sw_vpsc_history *history,
                                const sw_vpsc_polycrystal *polycrystal, sw_h5_output *output);

#endif
