/* Of a run: what its results hold that users would want to hear of. Numbers of many points, merged by their largest;
 * doubles throughout, so that ranks can send them with their results. */
#ifndef SW_ONLINE_KWN_WATCH_H
#define SW_ONLINE_KWN_WATCH_H

#include "online/kwn/job/setup.h"
#include "online/kwn/model/model.h"

typedef struct {
    double points, idle;            /* of the histories seen; those in which nothing can form */
    double coldest;                 /* K, of the idle ones */
    double frozen, most_moved;      /* histories in which nothing moves; m^2, the most of them: mobility.h */
    double fraction, fraction_time; /* the largest of all phases together; s */
    double coarse, coarse_phase,
        coarse_time;      /* width of classes over the mean radius of particles that form, the
                                               * largest; s */
    double radius, width; /* m, that radius, that width */
    double outside,
        outside_phase; /* K, a temperature that is not in the table of a phase's chemistry; 0: none */
    double beyond, beyond_phase, beyond_solute,
        beyond_matrix; /* how far a matrix lies past an end of such a table, in its steps of ln c; that composition */
    double slowed, slowed_phase,
        slowed_temperature; /* what all solutes of a product resist, over what the one alone that is to limit growth does, the
                                                      * largest of particles that there are; K */
} sw_kwn_watch;
enum { SW_KWN_WATCH_NUMBERS = sizeof(sw_kwn_watch) / sizeof(double) };

/* Points that are looked at. */
void sw_kwn_watch_points(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis, int64_t n,
                         const sw_kwn_point *point, sw_kwn_watch *watch);
/* A history, time [n] and temperature [n], each `stride` further, with its composition [S]. */
void sw_kwn_watch_history(const sw_kwn_alloy *alloy, const double *composition, int64_t n, const double *time,
                          const float *temperature, int64_t stride, sw_kwn_watch *watch);
void sw_kwn_watch_merge(const sw_kwn_watch *from, sw_kwn_watch *to);

/* A warning of each thing that is not well. */
void sw_kwn_watch_tell(const sw_kwn_setup *setup, const sw_kwn_watch *watch);

#endif
