/* A run on its way, of one rank: what taylor.c opens and ends, step.c steps, results.c writes, checkpoint.c keeps.
 * Private to this folder. Every rank steps its own crystals and has the same history; rank 0 has the files. */
#ifndef SW_ONLINE_TAYLOR_RUN_H
#define SW_ONLINE_TAYLOR_RUN_H

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "history.h"
#include "job.h"
#include "online/loading/goal.h"
#include "online/loading/mixed.h"
#include "online/response/certificate/choice.h"
#include "slipwave/crystals.h"

/* How far it is. */
typedef struct {
    int64_t step; /* done */
    int64_t part; /* of the next one, done */
    int written;  /* what results have of `step` is in their file */
} sw_taylor_place;

typedef struct {
    double setup;  /* inputs, crystals, tables */
    double steps;  /* alone */
    double output; /* orientations, textures, states */
} sw_taylor_seconds;

/* Stresses that are given, by some entry of the loading; zeroed while none are, but where temperatures change. */
typedef struct {
    int are_there;
    int has_pressure; /* the mean stress is known: stresses are given, or crystals expand */
    sw_elastic_volume volume;
    double told_miss; /* of a step that met them to more than 1e-4 only; 0: none */
    int told_large;   /* that a step went beyond twice the strain increment */
    int is_met;       /* by the homogenization itself, as the step at hand begins: */
    sw_response_average met;
} sw_taylor_given;

/* What given stresses and goals go on from; plain numbers, kept with a run. */
typedef struct {
    sw_mixed_state mixed; /* zeroed while no stresses are given */
    sw_goal goal;         /* of the present entry, if it seeks its end */
} sw_taylor_conditions;

/* Temperatures, K, where the loading changes them: */
typedef struct {
    double begin;  /* NaN: it changes none */
    double change; /* by the step at hand; 0 without one */
} sw_taylor_heat;

struct sw_taylor {
    const sw_taylor_job *job;
    sw_taylor_job *own_job;        /* the same, of a run in memory; else NULL */
    sw_taylor_inputs given_inputs; /* what the caller has, of a run in memory; all NULL but there */
    sw_database *own_database;     /* read for this run; NULL: none was */
    const sw_database *database;   /* this one, or one that the caller has; NULL when there is none */
    sw_material material;          /* as aged, where the job says so */
    sw_kwn_slip_resistance ageing; /* zeroed where it does not */
    sw_solver_choice choice;
    sw_response *response;
    sw_population population;
    sw_loading_walk walk;       /* at the next step */
    const sw_loading *prepared; /* whose velocity gradient the response is prepared for; NULL: none's */
    sw_taylor_given given;
    sw_taylor_conditions conditions;
    sw_taylor_heat heat;
    sw_crystals crystals; /* the population's, and what their solver remembers of them */
    sw_crystals begun;    /* where a step began that is tried before it is taken; zeroed where none is */
    int tries;            /* such a step is on its way */
    double slip_begun[SW_FAMILIES_MAX],
        slip_ended[SW_FAMILIES_MAX]; /* of families, by the weights that the step is made with */
    sw_response_average mean;        /* of a phase, what the last step left of its own */
    double l[3][3];                  /* likewise, 1/s, the velocity gradient that its crystals went through */
    /* Several phases: each a run without a loading, whose crystals go through this one's steps; then all above is theirs, but for
     * the job and the choice of solver, which is the first one's. NULL: there is one, this. */
    struct sw_taylor **phase; /* [phases] */
    int phases;
    const char *name; /* of a phase */
    double fraction;
    sw_reflection reflection[SW_REFLECTIONS_MOST]; /* of the job; history.reflections of them */
    sw_history history;
    sw_taylor_place place;
    sw_taylor_seconds seconds; /* of runs before this one, too */
    sw_claim claim;            /* on its file, rank 0's */
    sw_h5_output output;       /* of a run with a results file */
};

/* ---- Volume, and temperatures that the loading changes: volume.c ---- */

/* What mean stresses are made of. Volume strains are all phases', and so moduli are means by fractions. */
void sw_taylor_find_volume(struct sw_taylor *run);
/* The mean stress of a phase whose crystals are elastic, added to its means, where it is known: of its own volume after a step of dt (s)
 * under l, which is not in the history yet. whole: the polycrystal's stress, whose mean stretches all phases' alike. */
void sw_taylor_press_phase(const struct sw_taylor *run, struct sw_taylor *phase, const double whole[3][3],
                           const double l[3][3], double dt);

int sw_taylor_is_heated(const sw_taylor_job *job);
/* From what temperature, before the first step; its rows of the history. SW_ERR_INPUT where that is not known, and of crystals that do
 * not expand. */
sw_status sw_taylor_heat_open(struct sw_taylor *run);
/* K, at the end of the next step; NaN: it stays. */
double sw_taylor_temperature_next(const struct sw_taylor *run);
/* All crystals, as they begin a step; of one that is tried copies of those that began it. */
sw_status sw_taylor_heat_crystals(struct sw_taylor *run);
/* What the step's change makes of the mean stress where the volume stays, Pa. */
double sw_taylor_heat_pressure(const struct sw_taylor *run);

/* The run itself, or its phases. */
static inline int sw_taylor_parts(const sw_taylor *run) { return run->phases > 0 ? run->phases : 1; }
static inline sw_taylor *sw_taylor_part(const sw_taylor *run, int number)
{
    return run->phases > 0 ? run->phase[number] : (sw_taylor *)run;
}

#endif
