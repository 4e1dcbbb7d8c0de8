/* The map file of `slipwave kwn map`: many trajectories that differ in one or two things. Keys are the
 * structs' member names. */
#ifndef SW_ONLINE_KWN_JOB_MAP_JOB_H
#define SW_ONLINE_KWN_JOB_MAP_JOB_H

#include "setup.h"

typedef enum {
    SW_MAP_TTP,    /* temperature x time, isothermal: how far each phase has formed */
    SW_MAP_AGEING, /* the same trajectories: strength, and its peak at each temperature */
    SW_MAP_CCT,    /* cooling_rate x temperature */
    SW_MAP_WINDOW, /* temperature x time, or concentration x temperature after `duration` */
    SW_MAP_KINDS
} sw_kwn_map_kind;

const char *sw_kwn_map_kind_name(sw_kwn_map_kind kind); /* "ttp", "ageing", "cct", "window" */

/* Values from `from` to `to`, both included. */
typedef struct {
    double from, to;
    int64_t count;   /* 2 .. 1000 */
    int logarithmic; /* key: spacing */
} sw_kwn_map_range;

/* In the order in which they are the dimensions of a map. */
typedef enum {
    SW_MAP_CONCENTRATION,
    SW_MAP_COOLING_RATE,
    SW_MAP_TEMPERATURE,
    SW_MAP_TIME,
    SW_MAP_AXES
} sw_kwn_map_axis;

typedef struct {
    const char *name, *unit; /* its key, and that of its values; "" for the alloy file's unit */
} sw_kwn_axis_traits;
extern const sw_kwn_axis_traits sw_kwn_map_axes[SW_MAP_AXES];

typedef struct {
    sw_kwn_setup setup; /* initial_temperature is needed: of the solution treatment, or before pretreatment */
    sw_kwn_map_kind kind;
    sw_kwn_segment *pretreatment; /* [pretreatment_count] before the map's trajectories start; may be none */
    unsigned pretreatment_count;
    sw_kwn_map_range axis[SW_MAP_AXES]; /* keys: concentration, cooling_rate, temperature, time */
    const char *solute;                 /* of the axis concentration */
    double duration;                    /* s, of a window without an axis of time */

    /* Made of them. */
    sw_kwn_map_axis first, second; /* the map's dimensions */
    double *value[SW_MAP_AXES];    /* [axis.count] of those two, else NULL */
    int solute_index;
    double start_temperature; /* K: where the pretreatment ends */
    sw_kwn_history history;   /* of the pretreatment; n_knots = 0 without */
} sw_kwn_map_job;

extern const sw_key sw_kwn_map_keys[];

/* As sw_kwn_setup_complete. Release with sw_kwn_map_job_free. */
sw_status sw_kwn_map_job_read(const sw_arguments *arguments, sw_kwn_map_job **job);
void sw_kwn_map_job_free(sw_kwn_map_job *job);

#endif
