/* R Taylor polycrystals side by side, "runs", each held to conditions of its own: what all tasks of forming are made
 * of. Every trial of a step is one call of the response for all runs that are still searching (slipwave/response.h,
 * points), so that on a GPU many small polycrystals fill it. The free parts of L are found by Newton's method with the
 * response's tangent and a search along its way, run by run.
 *
 * Dimensions: R runs, n crystals of each. */
#ifndef SW_ONLINE_FORMING_RUNS_RUNS_H
#define SW_ONLINE_FORMING_RUNS_RUNS_H

#include "online/loading/condition.h"
#include "slipwave/response.h"

/* Where a run is at the end of its last step. */
typedef struct {
    double velocity_gradient[3][3]; /* L of that step, 1/s */
    double stress[6];               /* deviatoric Cauchy stress 11 22 33 23 13 12, Pa */
    double mean_stress;             /* Pa, K ln J where volume changes; else 0 */
    double slip_resistance;         /* Pa */
    double slip_rate;               /* G, 1/s */
    double free[SW_FREE_MAX];       /* x of the conditions, 1/s: where the next search begins */
    double miss;                    /* largest miss of a condition over the largest stress */
    int failed;                     /* the step was not taken: no answer, or a condition is not met */
} sw_run_state;

typedef struct sw_runs sw_runs;

/* R runs of the same n crystals without stress. crystal [n], weight [n] or NULL: where the response computes, or on the
 * host; copied. material [R]: whose hardening law run r has, borrowed; NULL: the response's. The response is borrowed, and
 * is one that has a tangent. SW_ERR_RANGE, SW_ERR_MEMORY. Release with sw_runs_free, which takes NULL too. */
sw_status sw_runs_create(sw_response *response, int64_t runs, int64_t n_crystals, const sw_crystal *crystal,
                         const float *weight, const sw_material *const *material, sw_runs **made);
void sw_runs_free(sw_runs *runs);
/* From here on volume changes, by K ln J, of all crystals with elastic strains; without it only of those whose deviators feel that
 * (sw_response_takes_volume). Of rigid ones it stays. SW_ERR_MEMORY. */
sw_status sw_runs_take_volume(sw_runs *runs);

/* Crystals, elastic states and sw_run_state of run `of` -> of run `run`; of the same response and n. */
sw_status sw_runs_copy(sw_runs *to, int64_t run, const sw_runs *from, int64_t of);
/* A run's crystals [n] -> the caller's, on the host. */
sw_status sw_runs_crystals(const sw_runs *runs, int64_t run, sw_crystal *crystal);
/* Slip resistance (Pa) of all crystals of a run, before its first step. */
sw_status sw_runs_set_resistance(sw_runs *runs, int64_t run, double slip_resistance);

/* A step of dt (s) of all runs that have not ended. condition [R]. A run whose conditions are not met, or whose crystals
 * have no answer, stays where it was, with `failed`; that is no error. (Without free directions nothing is tried first: then
 * its crystals are of no use.) SW_ERR_INTERRUPTED; what the response answers. */
sw_status sw_runs_step(sw_runs *runs, double dt, const sw_condition *condition);
/* The same with a dt for each: dt [R], s; 0: this one stays as it is. */
sw_status sw_runs_step_each(sw_runs *runs, const double *dt, const sw_condition *condition);

/* A run takes no further part; its state and its crystals stay. */
sw_status sw_runs_end(sw_runs *runs, int64_t run);
int sw_runs_is_going(const sw_runs *runs, int64_t run);
int64_t sw_runs_going(const sw_runs *runs); /* runs that have not ended */

const sw_run_state *sw_runs_state(const sw_runs *runs, int64_t run);
/* Evaluations of crystals so far, those of trials too. */
int64_t sw_runs_evaluations(const sw_runs *runs);

#endif
