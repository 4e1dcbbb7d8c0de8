/* A run's search for the free rates x of its condition in one step: Newton's method with the response's tangent, and
 * along each of its ways to where the work of the stresses that are missed, the slope of a convex potential, is all but
 * spent (Illinois rule). It knows no crystals: whoever evaluates the response asks for the trial at hand and brings what
 * came of it. */
#ifndef SW_ONLINE_FORMING_RUNS_SEARCH_H
#define SW_ONLINE_FORMING_RUNS_SEARCH_H

#include "condition.h"

typedef enum { SW_SEARCH_ON, SW_SEARCH_FOUND, SW_SEARCH_FAILED, SW_SEARCH_NONE } sw_search_end;

typedef struct {
    const sw_condition *condition; /* borrowed */
    double dt, size;               /* s; of D as it begins, 1/s: what x are measured by */
    double x[SW_FREE_MAX];         /* 1/s, of the trial at hand; when found the answer */
    double miss;                   /* of x, over the largest stress */
    sw_search_end end;
    int earlier; /* that is not of the last trial, but of the best one */

    int trials, since; /* all; those since the best one got better */
    double best[SW_FREE_MAX], best_miss;
    /* the present way: x = from + t way */
    int on_way; /* trials on it; 0: there is none yet */
    double from[SW_FREE_MAX], way[SW_FREE_MAX], first, t;
    double below, low, above,
        high; /* the slope is negative at `below`, positive at `above` (0: not found yet) */
} sw_search;

/* guess: x of the step before. */
void sw_search_begin(sw_search *search, const sw_condition *condition, double dt,
                     const double guess[SW_FREE_MAX]);

/* L of the trial at hand, 1/s. */
void sw_search_gradient(const sw_search *search, double l[3][3]);

/* What came of it, as slipwave/response.h has it; a stress that is no number: no answer. To the next trial, or the end. */
void sw_search_take(sw_search *search, const double stress[6], double slip_resistance,
                    const double by_strain_rate[6][6], const double by_spin[6][3]);

#endif
