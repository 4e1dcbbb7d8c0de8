/* Private: what an open batch holds, whoever advances it. */
#ifndef SW_ONLINE_DEM_BACKEND_BACKEND_H
#define SW_ONLINE_DEM_BACKEND_BACKEND_H

#include "online/dem/crystals/crystals.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records of one element, on the host. */
typedef struct {
    int64_t n, capacity;
    sw_dem_row *row;
} sw_dem_row_list;

/* Looks at an element as it is, on the host: at its contacts, packing, crystals. May fail, which ends the run. */
typedef sw_status sw_dem_look(void *context, sw_dem *dem, int64_t r);

struct sw_dem {
    sw_dem_options options;
    int64_t n;
    sw_dem_rve *rve;               /* [R] blocks on the host: the state between runs */
    sw_dem_row_list *rows;         /* [R] */
    sw_dem_polycrystals *crystals; /* [R] */
    sw_dem_workspace room;         /* for refreshes of many at a time */
    double (
        *wall_start)[SW_DEM_WALLS][4]; /* [R] m, point and radius that walls beside the sides began with */
    double particle_steps;
    int64_t finished;  /* elements done or failed */
    sw_dem_look *look; /* at snapshots; NULL: nobody does */
    void *look_context;
    char description[400];
};

/* An element as it is now, on the host: borrowed, valid until the next call that changes it. Not within watch. */
const sw_dem_rve *sw_dem_get(const sw_dem *dem, int64_t r);

/* Snapshots of all elements, one at a time, from any thread: at the ends of recorded stages, and in them each time
 * that the component that strains most since the stage began has strained by `strain` (> 0; logarithmic, of shear
 * the tensor's) more. state->n_snapshots is the number of the one that is taken. Before the run. */
void sw_dem_on_snapshot(sw_dem *dem, double strain, sw_dem_look *look, void *context);

/* Takes the snapshot that is due, if any; what `look` says. */
sw_status sw_dem_take_snapshot(sw_dem *dem, int64_t r);

/* Whether an element has anything left to do. */
int sw_dem_unfinished(const sw_dem_rve *rve);

/* Whether an element waits for the host; and what it waits for, done: more memory, its crystals asked,
 * a look at it. The element, on the host, then runs. SW_ERR_MEMORY; SW_ERR_CONVERGENCE where crystals have no answer;
 * what the look says. */
int sw_dem_needs_host(int32_t status);
sw_status sw_dem_help(sw_dem *dem, int64_t r);
/* Of elements element [n] that wait for their crystals: these are asked together. One thread at a time. */
sw_status sw_dem_help_with_crystals(sw_dem *dem, int64_t n, const int64_t *element);

/* What is kept of elements element [n] between their blocks and place [n] (bytes) of other memory of the host, by all
 * threads: back, as what came from a GPU; or there. */
void sw_dem_copy_kept(sw_dem *dem, int64_t n, const int64_t *element, const int64_t *place, char *memory,
                      int back);

/* Move n records to an element's list; SW_ERR_MEMORY. Any thread, one an element. */
sw_status sw_dem_drain_rows(sw_dem *dem, int64_t r, int64_t n, const sw_dem_row *row);

#ifdef __cplusplus
}
#endif

#endif
