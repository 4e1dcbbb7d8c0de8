/* The results file of a run, on rank 0. Orientations and textures are in it already. */
#ifndef SW_ONLINE_TAYLOR_RESULTS_H
#define SW_ONLINE_TAYLOR_RESULTS_H

#include "run.h"

/* Format, /history and /run; then it appears under its name. */
sw_status sw_taylor_results_write(sw_taylor *run);

/* A group that is there, or is made; to be closed with H5Gclose. */
sw_status sw_taylor_group(hid_t file, const char *name, hid_t *group);

#endif
