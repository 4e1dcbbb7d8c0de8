/* Lattice strains of a run's crystals, on all ranks. */
#ifndef SW_ONLINE_TAYLOR_RUN_STRAINS_H
#define SW_ONLINE_TAYLOR_RUN_STRAINS_H

#include "run.h"

/* Sums of all ranks' crystals as they are (lattice_strain.h). */
sw_status sw_taylor_sum_strains(const sw_taylor *run, int n, const sw_reflection *reflection,
                                double (*sum)[2]);
/* The last row's lattice strains. */
sw_status sw_taylor_follow_strains(sw_taylor *run);

#endif
