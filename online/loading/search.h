/* The search for the free rates x of a condition in one step, by Newton's method and along each of its ways to where the
 * work of the stresses that are missed, the slope of a convex potential, is all but spent (Illinois rule). Where the
 * response has a tangent it is taken at the beginning of a way; between, and where there is none, secants stand for it
 * (Broyden), which begin as differences and go on from step to step.
 *
 * It knows no crystals: whoever evaluates the response, of one polycrystal or of many side by side, asks for the trial at
 * hand and brings what came of it. */
#ifndef SW_ONLINE_LOADING_SEARCH_H
#define SW_ONLINE_LOADING_SEARCH_H

#include "condition.h"

typedef enum { SW_SEARCH_ON, SW_SEARCH_FOUND, SW_SEARCH_FAILED, SW_SEARCH_NONE } sw_search_end;

typedef struct {
    const sw_condition *condition; /* borrowed */
    double dt, size;               /* s; of what is given of D, 1/s: what x are measured by */
    double x[SW_FREE_MAX];         /* 1/s, of the trial at hand; when found the answer, else the best one */
    double miss; /* of x, over the largest deviatoric stress: 2e-5, or at most 5e-3 when found */
    sw_search_end end;
    int earlier; /* x is not of the last trial, but of the best one */
    double jacobian[SW_FREE_MAX]
                   [SW_FREE_MAX]; /* Pa, d (missed stress k) / d (x_l / size); all 0: not known */

    int trials, since, ways; /* all; those since the best one got better; ways by the same secants */
    int has_tangents;
    int column; /* of the jacobian that the trial at hand is for; -1: none, it is on a way */
    double best[SW_FREE_MAX], best_miss;
    /* the present way: x = from + t way; r: what was missed at its beginning, Pa */
    int on_way; /* trials on it; 0: there is none yet */
    double from[SW_FREE_MAX], r[SW_FREE_MAX], way[SW_FREE_MAX], first, t;
    double below, low, above,
        high; /* the slope is negative at `below`, positive at `above` (0: not found yet) */
} sw_search;

/* guess: x of the step before; jacobian: what it ended with under the same free directions, or NULL. */
void sw_search_begin(sw_search *search, const sw_condition *condition, double dt,
                     const double guess[SW_FREE_MAX], const double (*jacobian)[SW_FREE_MAX]);

/* L of the trial at hand, 1/s. */
void sw_search_gradient(const sw_search *search, double l[3][3]);
/* Whether it is worth a tangent, after so many of its step: not the second one, which mostly is the last. */
int sw_search_wants_tangent(int trials);

/* What came of it, as slipwave/response.h has it, the stress a deviator; one that is no number: no answer. by_strain_rate,
 * by_spin: NULL where there is no tangent. To the next trial, or the end. */
void sw_search_take(sw_search *search, const double stress[6], double slip_resistance,
                    const double (*by_strain_rate)[6], const double (*by_spin)[3]);

#endif
