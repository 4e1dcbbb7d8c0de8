/* How a polycrystal is deformed: velocity gradients one after the other, each for a time; of a component the
 * Cauchy stress may be given instead (mixed.h). */
#ifndef SW_ONLINE_LOADING_LOADING_H
#define SW_ONLINE_LOADING_LOADING_H

#include <stdint.h>

#include "common/job/job.h"

typedef struct {
    double velocity_gradient[3][3]; /* 1/s, sample frame; NaN: free */
    double stress[3][3];            /* Pa, Cauchy, of free components; NaN: none given */
    double duration;                /* s; > 0 */
} sw_loading;

/* Of an entry of `loading`. */
extern const sw_key sw_loading_keys[];
/* A row; m: an sw_loading *, m_count its number. */
#define SW_LOADING_KEY(S, m)                                                        \
    {                                                                               \
        SW_ENTRIES("loading", S, m, sw_loading_keys), .shortest = 1, .needed = 1,   \
                                                      .help = "one after the other" \
    }

/* Check loading [count] as read; SW_ERR_INPUT names file, line, key and bound. */
sw_status sw_loading_check(const sw_job *job, unsigned count, const sw_loading *loading,
                           double strain_increment);

/* Indices of a symmetric tensor's components 11 22 33 23 13 12. */
extern const int sw_loading_row[6], sw_loading_column[6];

int sw_loading_is_mixed(const sw_loading *loading);              /* some component is free */
int sw_loading_is_free(const sw_loading *loading, int i, int j); /* on one side of the diagonal at least */

/* L with these as the free components of D, 11 22 33 23 13 12. A pair that is free on both sides has no spin. */
void sw_loading_fill(const sw_loading *loading, const double rate[6], double l[3][3]);

/* L with its free shear components 0 and its free normal components, in equal parts, what makes the trace
 * zero: of the size of what it will be. */
void sw_loading_estimate(const sw_loading *loading, double l[3][3]);

/* Steps of ||D||_F dt = strain_increment, the last one perhaps shorter; >= 1, and not finite when L is too
 * large. Of one, and of all. D: of a mixed one the estimate's. */
double sw_loading_steps(const sw_loading *loading, double strain_increment);
double sw_loading_total_steps(unsigned count, const sw_loading *loading, double strain_increment);

/* All these steps, one after the other. */
typedef struct {
    unsigned count;
    const sw_loading *loading; /* [count], borrowed */
    double strain_increment;
    unsigned segment;    /* the present one */
    int64_t step, steps; /* of it; steps 0: not yet begun */
    double rate;         /* ||D|| of it, 1/s, as estimated */
} sw_loading_walk;

sw_loading_walk sw_loading_begin(unsigned count, const sw_loading *loading, double strain_increment);

/* The next one: its number of an entry, its time (s) and ||D|| dt, the estimate's. 0: there is none. */
int sw_loading_next(sw_loading_walk *walk, unsigned *segment, double *dt, double *strain);

#endif
