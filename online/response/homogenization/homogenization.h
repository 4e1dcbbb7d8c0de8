/* What a homogenization is: what a polycrystal makes of the answers of its crystals, which a solver has. Whatever steps
 * polycrystals, runs, points of elements, particles, reaches it through slipwave/response.h, checked.
 * To add one: its file here, and its line in the list. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_HOMOGENIZATION_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_HOMOGENIZATION_H

#include "common/job/job.h"
#include "online/response/step/solver.h"
#include "parts.h"
#include "self_consistent/self_consistent.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_homogenization {
    const char *name;
    sw_status (*check)(const sw_solver *solver,
                       sw_device device); /* refuses what it does not go with; NULL: nothing */
    /* For a response that is all but open, and after it; NULL: nothing. */
    sw_status (*open)(sw_response *response, const sw_response_options *options);
    void (*close)(sw_response *response);
    int takes_open; /* crystals whose slips do not make every strain */
    int pairs;      /* crystals that follow each other go together, two and two */
    int shares; /* what is sought is one polycrystal's: its processes advance together, with crystals or without, and means are all's */
    int n_fields;
    const sw_state_field *field; /* [n_fields] what it remembers of a crystal, after what solver and law do */
    /* All crystals as one polycrystal: sw_response_advance. d: of the velocity gradient. dt = 0 and no `to`: means of
     * crystals as they are. average is 0 at first. */
    sw_status (*advance)(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average);
    /* The same of several materials in one polycrystal: part [n], their averages and mean velocity gradients out. check_together:
     * refuses what it does not take of them. NULL: each by itself goes through what the polycrystal does. */
    sw_status (*check_together)(int n, const sw_response_part *part);
    sw_status (*together)(int n, sw_response_part *part, const double velocity_gradient[3][3], double dt);
    /* Polycrystals with a loading each: sw_response_step_each. *failed: how many crystals have no answer. */
    sw_status (*points)(sw_response *response, const sw_points *points, int64_t *failed);
    /* Of points on a GPU, in the solver's place; NULL: it has no own. */
    sw_status (*launch_points)(sw_response *response, const struct sw_points_launch *launch);
    /* The strain rate `found` [6] of one polycrystal as it is, of `from` of part [n], 11 22 33 23 13 12, of which `rate` says what is
     * given and `stress` (Cauchy's, Pa) the rest; parts' averages, of deviators, and the mean stress of all. NULL: a search finds it
     * (loading/mixed.h). */
    sw_status (*meet)(int n, sw_response_part *part, const int stress_given[6], const double rate[6],
                      const double stress[6], double found[6], double *mean_stress);
} sw_homogenization;

/* In the order in which people see them; each is an sw_homogenization_NAME in a file of its own. The first is the
 * standard one. */
#define SW_HOMOGENIZATION_LIST(X) X(taylor) X(sachs) X(alamel) X(self_consistent) SW_HOMOGENIZATION_EXTRA(X)
/* And those that a build adds: -D'SW_HOMOGENIZATION_EXTRA(X)=X(name)'. */
#ifndef SW_HOMOGENIZATION_EXTRA
#define SW_HOMOGENIZATION_EXTRA(X)
#endif

#define SW_HOMOGENIZATION_DECLARED(name) extern const sw_homogenization sw_homogenization_##name;
SW_HOMOGENIZATION_LIST(SW_HOMOGENIZATION_DECLARED)
#undef SW_HOMOGENIZATION_DECLARED

#define SW_HOMOGENIZATION_COUNTED(name) +1
enum { SW_HOMOGENIZATIONS = 0 SW_HOMOGENIZATION_LIST(SW_HOMOGENIZATION_COUNTED) };
#undef SW_HOMOGENIZATION_COUNTED

extern const char *const sw_homogenization_names[SW_HOMOGENIZATIONS];

/* What a job says: which, and how a self-consistent one goes. */
typedef struct {
    int number;                    /* in the list */
    int linearization, ellipsoids; /* of their names */
    double neff, tolerance;
} sw_homogenization_choice;

extern const sw_key_case sw_linearization_cases[];

/* Of a job's table: the keys that its row below takes, declared before it. m: an sw_homogenization_choice of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_HOMOGENIZATION_KEYS(table, S, m)                                                                \
    static const sw_key table##_of_scheme[] = {                                                            \
        {SW_CASES("linearization", S, m.linearization, sw_linearization_cases), .standard = 1,             \
         .help = "of the crystals, in the medium that their polycrystal is to them"},                      \
        {SW_REAL("neff", S, m.neff, SW_SC_NEFF_LEAST, SW_SC_NEFF_MOST), .standard = 10,                    \
         .help = "how compliantly crystals and medium interact"},                                          \
        {SW_WORD("ellipsoids", S, m.ellipsoids, sw_ellipsoid_names),                                       \
         .help =                                                                                           \
             "crystals are ellipsoids that deform with their polycrystal, each by itself, or not at all"}, \
        {SW_REAL("tolerance", S, m.tolerance, SW_SC_TOLERANCE_LEAST, SW_SC_TOLERANCE_MOST),                \
         .standard = 1e-4, .help = "of stresses and strain rates, relative"},                              \
        SW_KEYS_END};                                                                                      \
    static const sw_key table[] = {{SW_SECTION("self_consistent", table##_of_scheme)}, SW_KEYS_END}
#define SW_HOMOGENIZATION_KEY(S, m, table)                                                     \
    {                                                                                          \
        SW_WORD("homogenization", S, m.number, sw_homogenization_names),                       \
            .keys = (table), .help = "what a polycrystal makes of the answers of its crystals" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Into the options of a response. */
void sw_homogenization_set(const sw_homogenization_choice *choice, sw_response_options *options);

/* NULL: the standard one. SW_ERR_RANGE for an unknown name, with those that there are. */
sw_status sw_homogenization_find(const char *name, const sw_homogenization **found);
/* The layout of crystals under it, as sw_state_layout_of. */
static inline const sw_state_layout *
sw_homogenization_layout(const sw_homogenization *of, const sw_solver *solver, const sw_material *material)
{
    return sw_state_layout_of(solver, material, of->n_fields, of->field);
}

#ifdef __cplusplus
}
#endif

#endif
