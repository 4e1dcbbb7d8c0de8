/* Private: what an open batch holds, and who advances it. */
#ifndef SW_ONLINE_DEM_BACKEND_BACKEND_H
#define SW_ONLINE_DEM_BACKEND_BACKEND_H

#include "dem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records of one element, on the host. */
typedef struct {
    int64_t n, capacity;
    sw_dem_row *row;
} sw_dem_row_list;

struct sw_dem {
    sw_dem_options options;
    int64_t n;
    sw_dem_rve *rve;       /* [R] blocks on the host: the state between runs */
    sw_dem_row_list *rows; /* [R] */
    double particle_steps;
    int64_t finished; /* elements done or failed */
    char description[400];
};

/* Whether an element has anything left to do. */
int sw_dem_unfinished(const sw_dem_rve *rve);

/* Move an element's records to its list; SW_ERR_MEMORY. Any thread, one an element. */
sw_status sw_dem_drain_rows(sw_dem *dem, int64_t r, int64_t n, const sw_dem_row *row);

/* All unfinished elements to their ends. The status of the run, not of elements. */
sw_status sw_dem_run_cpu(sw_dem *dem, sw_dem_watch *watch, void *context);
sw_status sw_dem_run_gpu(sw_dem *dem, sw_dem_watch *watch, void *context);      /* teams */
sw_status sw_dem_run_launches(sw_dem *dem, sw_dem_watch *watch, void *context); /* the paper's loop */
/* The same with the GPU's clock: adds up the seconds of stages A to G of the paper's Figs. 13 and 15: servo,
 * boundary particles, detection, forces, averaging, motion and periodicity, copies. */
sw_status sw_dem_launches_profile(sw_dem *dem, double seconds[7]);
/* SW_OK when there is a GPU for it; describes the team. */
sw_status sw_dem_check_gpu(sw_dem *dem);

#ifdef __cplusplus
}
#endif

#endif
