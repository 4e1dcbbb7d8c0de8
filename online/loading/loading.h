/* How a polycrystal is deformed: velocity gradients one after the other, each for a time, or until a component of
 * stress or strain is where it is to be (goal.h); of a component the Cauchy stress may be given instead (mixed.h). */
#ifndef SW_ONLINE_LOADING_LOADING_H
#define SW_ONLINE_LOADING_LOADING_H

#include <stdint.h>

#include "common/job/job.h"

/* What ends an entry. */
enum { SW_UNTIL_DURATION, SW_UNTIL_STRESS, SW_UNTIL_STRAIN };

typedef struct {
    double velocity_gradient[3][3]; /* 1/s, sample frame; NaN: free; 0 but for what is free: a hold */
    double stress[3][3];            /* Pa, Cauchy, of free components; NaN: none given */
    double duration;                /* s; > 0; of an entry with a goal the most */
    int until;                      /* SW_UNTIL_... */
    int component;                  /* whose goal it is: 0 .. 5 for 11 22 33 23 13 12 */
    double goal;                    /* Pa; or 1, of the integral of D_ij dt since the entry began */
    int64_t steps;                  /* 0: as many as the strain increment asks for, of a hold SW_HOLD_STEPS */
    double temperature;             /* K, at the end, to which it goes evenly in time; 0: it stays */
} sw_loading;

/* Steps of a hold; the last one over the first, but where the temperature changes. */
enum { SW_HOLD_STEPS = 40 };
#define SW_HOLD_GROWTH 1e4

/* Of an entry of `loading`. */
extern const sw_key sw_loading_keys[];
/* A row; m: an sw_loading *, m_count its number. */
#define SW_LOADING_KEY(S, m)                                                        \
    {                                                                               \
        SW_ENTRIES("loading", S, m, sw_loading_keys), .shortest = 1, .needed = 1,   \
                                                      .help = "one after the other" \
    }

/* Check loading [count] as read, of the list with this path ("loading"); SW_ERR_INPUT names file, line, key and bound.
 * Holds may be there, and the first entry begins without stress. */
sw_status sw_loading_check(const sw_job *job, const char *list, unsigned count, const sw_loading *loading,
                           double strain_increment);

/* Of a list whose crystals keep their temperature: SW_ERR_INPUT where an entry has another. */
sw_status sw_loading_check_is_cold(const sw_job *job, const char *list, unsigned count,
                                   const sw_loading *loading);

/* Names of a symmetric tensor's components (common/math/six.h): 11 22 33 23 13 12. */
extern const char *const sw_loading_component_names[6];

/* Such a component of the tensor's symmetric part. */
double sw_loading_component(const double tensor[3][3], int component);

int sw_loading_is_mixed(const sw_loading *loading);               /* some component is free */
int sw_loading_is_free(const sw_loading *loading, int component); /* on one side of the diagonal at least */
int sw_loading_is_hold(const sw_loading *loading);                /* nothing that is given moves */
int sw_loading_seeks(const sw_loading *loading); /* when it ends is found on the way (goal.h) */

/* L with these as the free components of D, 11 22 33 23 13 12. A pair that is free on both sides has no spin. */
void sw_loading_fill(const sw_loading *loading, const double rate[6], double l[3][3]);

/* L with its free shear components 0 and its free normal components, in equal parts, what makes the trace
 * zero: of the size of what it will be. */
void sw_loading_estimate(const sw_loading *loading, double l[3][3]);

/* s: the duration, or what a given component takes to its strain. Of an entry that seeks its end the most. */
double sw_loading_time(const sw_loading *loading);

/* Steps of ||D||_F dt = strain_increment, the last one perhaps shorter; or as many equal ones as `steps` says. Those
 * of a hold grow, each by the same factor: stress relaxes as log(time). >= 1, and not finite when L is too large; the
 * most of an entry that seeks its end. Of one, and of all. D: of a mixed one the estimate's. */
double sw_loading_steps(const sw_loading *loading, double strain_increment);
double sw_loading_total_steps(unsigned count, const sw_loading *loading, double strain_increment);
/* ||D|| dt of the first one. */
double sw_loading_step_strain(const sw_loading *loading, double strain_increment);

/* Where a walk is; plain numbers, to be kept with a run. */
typedef struct {
    double entry; /* entries behind it, those of former cycles too */
    double step;  /* steps of the present one behind it */
} sw_loading_place;
enum { SW_LOADING_NUMBERS = sizeof(sw_loading_place) / sizeof(double) };

/* All these entries, one after the other, so many times. */
typedef struct {
    unsigned count;
    const sw_loading *loading; /* [count], borrowed */
    int64_t cycles;
    double strain_increment;
    sw_loading_place place;
} sw_loading_walk;

sw_loading_walk sw_loading_begin(unsigned count, const sw_loading *loading, int64_t cycles,
                                 double strain_increment);

/* The present entry; NULL: all are behind it. */
const sw_loading *sw_loading_at(const sw_loading_walk *walk);
/* Whether a place that was kept is one of this walk's. */
int sw_loading_has_place(const sw_loading_walk *walk, const sw_loading_place *place);

/* K, where the walk is, of one that begins at `begin`. */
double sw_loading_temperature(const sw_loading_walk *walk, double begin);

/* The step that is next: the number of its entry, its time (s) and ||D|| dt, the estimate's. 0: there is none. */
int sw_loading_next(const sw_loading_walk *walk, unsigned *segment, double *dt, double *strain);

/* That step has been taken. And: the present entry ends here, whatever is left of it. */
void sw_loading_pass(sw_loading_walk *walk);
void sw_loading_end(sw_loading_walk *walk);

#endif
