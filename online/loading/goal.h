/* Goals: an entry of a loading ends when a component of the mean stress, or of the strain since the entry began, is
 * where it is to be. The step that passes the goal is tried again with less time, by the Illinois rule, until it ends
 * there. Other entries than those that seek their end (sw_loading_seeks) need nothing of this. */
#ifndef SW_ONLINE_LOADING_GOAL_H
#define SW_ONLINE_LOADING_GOAL_H

#include "loading.h"

/* Of the present entry's component; plain numbers, to be kept with a run. */
typedef struct {
    double first; /* Pa or 1: where it was when the entry began */
    double now;   /* where it is */
    double scale; /* Pa or 1, of misses: |goal|; of stress at least the deviator's norm at that time */
} sw_goal;
enum { SW_GOAL_NUMBERS = sizeof(sw_goal) / sizeof(double) };

/* At an entry's beginning; stress: Pa, the mean one. */
sw_goal sw_goal_begin(const sw_loading *loading, const double stress[3][3]);
/* Whether it is there already. */
int sw_goal_is_met(const sw_loading *loading, const sw_goal *goal);

/* What the component will be after dt (s) under l (1/s) with this stress (Pa) at the end. */
double sw_goal_after(const sw_loading *loading, const sw_goal *goal, const double l[3][3], double dt,
                     const double stress[3][3]);

/* Take a step of dt anew from its beginning: sw_goal_after of it. */
typedef sw_status sw_goal_trial(void *context, double dt, double *after);

/* A step of *dt (s), or of less if that is where the goal is: *dt then, and *ended. The last trial is the step's. A goal
 * is met to 5e-5 of the scale, or to 1e-3 where the solver's own tolerance lets no more be found. SW_ERR_CONVERGENCE
 * when the component jumps over it; what a trial answers; the goal is then as before. */
sw_status sw_goal_step(const sw_loading *loading, sw_goal *goal, sw_goal_trial *trial, void *context,
                       double *dt, int *ended);

/* SW_ERR_CONVERGENCE for an entry whose time is over without its goal. */
sw_status sw_goal_missed(const sw_loading *loading, const sw_goal *goal);

#endif
