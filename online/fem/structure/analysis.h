/* Private to this folder: an analysis that is open.
 *
 * Dimensions: N nodes, U = 3 N unknowns, E elements, q free unknowns. */
#ifndef SW_ONLINE_FEM_STRUCTURE_ANALYSIS_H
#define SW_ONLINE_FEM_STRUCTURE_ANALYSIS_H

#include "common/files/hdf5_door.h"
#include "online/fem/aggregation/aggregation.h"
#include "online/fem/linear/factors.h"
#include "online/fem/products/products.h"
#include "ties.h"

/* ---- The loads of a moment ---- */

/* At the end of an increment that is tried: all that acts, as numbers. */
typedef struct {
    double time, dt, total_time; /* of the step, of the increment, of all steps */
    double *goal;                /* [U] of prescribed unknowns; else 0 */
    double *force;               /* [U] on nodes */
    double *temperature;         /* [N] */
    double *magnitude;           /* [loads of the step] */
} sw_structure_moment;

/* ---- The condensed equations ---- */

typedef struct {
    sw_fem_sparse matrix; /* n, row, column, value alone; both halves */
    int64_t *first;       /* [E + springs + 1] of the unknowns of each in column_of */
    int64_t *column_of;   /* its free unknowns, ascending, each once */
    uint8_t *
        alike; /* [n] whether a row has the columns of the one before; 0 may mean that it was not looked at */
    const sw_fem_factors *by;
    void *factors; /* of this pattern */
    int dimension;
    int64_t most;    /* of free unknowns of an element */
    double *scratch; /* [threads][sw_structure_scratch] */
} sw_structure_system;

enum {
    SW_STRUCTURE_MARK = 11,
    SW_STRUCTURE_TRAIL = 160,                     /* iterations of an increment at most */
    SW_STRUCTURE_UNKNOWNS = 3 * SW_SURFACES_ABOUT /* of an item at most */
};

/* Surfaces that touch. */
struct sw_structure_contacts {
    int n;
    sw_surface_pair *pair; /* [n] */
    sw_surfaces *surfaces;
    double *force, *before; /* [U] on the unknowns, from inside: at the trial, accepted */
    int64_t n_kept;
    double *kept;     /* what surfaces remembered when the state was marked */
    uint8_t *touched; /* [n] since the run began; all of those that go on */
    uint8_t *told;    /* [n] of contact.c: what has been looked at, and said */
    struct
        sw_structure_pressed { /* of the step: the work that it took all pairs to pass into each other, over all work */
        double force, share;                   /* where forces were largest */
        double worst, time, pair, penetration; /* the largest share: when, of whom most, by how much */
    } pressed;
    double told_share; /* the largest that has been told of */
    void *answers;     /* of contact.c */
};

/* Rigid motions that nothing holds, of a step (from 1; 0: not looked for). */
enum { SW_STRUCTURE_LOOSE = 24, SW_STRUCTURE_LOOSE_TEXT = 640 };
struct sw_structure_loose {
    int step, n;
    int too_many;   /* bodies that could: they are not looked at */
    char text[600]; /* "the body of element 1 (8 elements) from moving along x", of all */
    struct {
        char name[200];            /* "moving along x" */
        int64_t element, elements; /* of the body that moves most: the first one's label; their number */
        double *along;             /* [U] */
        int turns;                 /* some body, not only shifts */
    } motion[SW_STRUCTURE_LOOSE];
};

struct sw_structure {
    const sw_structure_problem *problem;
    sw_structure_options options;
    const sw_structure_step *step; /* in progress */
    sw_structure_ties ties;
    sw_structure_system system;
    sw_products *products; /* of the step at hand, where it goes without a matrix; else NULL */
    int by_multigrid;      /* the step at hand, its matrix by conjugate gradients; else by factors */
    struct sw_structure_multigrid *multigrid; /* NULL until it solves */
    int on_gpu;                               /* what is no sparse factors, of the step at hand */
    double bulk_over_shear; /* the most of the step's materials at first, of isotropic ones; 0: of none */
    int told;               /* which way it has been said that equations go */
    int prefers_factors;    /* auto has found that it does not get there without */
    int64_t products_taken; /* iterations of linear solvers */
    int linear, symmetric;  /* nothing but numbers times displacements; all laws' tangents are symmetric */
    int skew; /* the tangent of pressures that follow is taken whole: its symmetric part alone led nowhere */
    int said_turn; /* it has been said of this step that an increment goes over an amplitude's turn */
    int said_artificial,
        said_shear;   /* it has been said that springs, shear across shells have too much of the work */
    double most_work; /* of elements, so far */
    int said_loose;   /* it has been said that something can move freely */
    int felt;         /* the step (from 1) whose tangent has been found to resist all motions */
    struct sw_structure_loose loose;
    int32_t *section;            /* [E] at present */
    uint8_t *removed;            /* [E] */
    int64_t *point_at;           /* [E + 1] places of elements' points */
    double (*free_strain)[6];    /* [points] with which they are free of stress, besides heat's; NULL: 0 */
    int64_t *state_at;           /* [E + 1] places of elements' numbers */
    double *state, *trial_state; /* accepted, tried */
    double *begin;               /* [U] of the step at hand; u, trial: */
    double *u, *trial;           /* [U] */
    double *way;                 /* [U] of a correction, where it is searched along */
    double *last,
        last_dt; /* [U] what the increment before moved, in what time; 0: this is the step's first */
    double *du, *internal, *external, *known, *residual, *dq; /* [U] and [q] */
    double *temperature;                                      /* [N] accepted */
    double total_time, scale; /* at the beginning of the step; largest forces so far */
    double *outside;          /* [U] loads and what holds, accepted */
    double energy[SW_STRUCTURE_ENERGIES],
        trial_energy[SW_STRUCTURE_SPRINGS]; /* accepted; elements' at the trial */
    uint8_t *of_elements;                   /* [N] some element or spring has the node */
    int64_t *load_first, *load_of;          /* [E + 1], loads of the step by element */
    sw_structure_moment moment;
    int64_t increments, iterations; /* of all */
    int64_t increment;              /* of the step, from 1 */
    int keeps_springs;              /* of an increment that is tried again: formulation.h */
    struct sw_structure_place {     /* what is accepted, and what is tried next */
        int step;
        double time, dt;  /* of the step; dt 0: it has not begun */
        int64_t accepted; /* increments of it */
    } place;
    int64_t *resumed; /* [constraints] dependent unknowns, of a step that is gone on with; else NULL */
    struct sw_structure_keeper {
        char *path; /* FILE.h5.partial */
        int is_there;
        int64_t increments;             /* that it has */
        double kept, took;              /* seconds: when it was written last, how long that took */
        double mark[SW_STRUCTURE_MARK]; /* numbers of the accepted state, whatever is tried meanwhile */
    } keeper;
    struct sw_structure_contacts *contacts; /* NULL: none */
    int n_residuals;                        /* of the last increment: */
    double residual_trail[SW_STRUCTURE_TRAIL];
    void *answers;                        /* of elements.c, from one evaluation to the next */
    struct sw_structure_results *results; /* NULL: none */
};

/* ---- steps.c ---- */

/* The loads at `time` of the step; dt before it is the accepted moment. */
void sw_structure_load_at(sw_structure *s, double time, double dt);

/* ---- changes.c ---- */

/* Those of the step at hand. SW_ERR_INPUT: of what is not computed. */
sw_status sw_structure_change_elements(sw_structure *s);

/* Strains along a section's material axes become those along space's. */
void sw_structure_to_space(const sw_structure_section *section, double strain[6]);

/* ---- fields.c ---- */

/* What the increment did; before the trial is accepted. */
void sw_structure_add_energies(sw_structure *s);

/* ---- elements.c ---- */

enum { SW_STRUCTURE_BLOCK = 256 }; /* elements that are asked at a time */

/* An element of the problem as formulations take it, at the trial. */
void sw_structure_element_at(const sw_structure *s, int64_t e, sw_element *element);

/* Of an element's points: added to energy. */
void sw_structure_sum_energies(int n, const double *volume, const double (*work)[SW_WORKS],
                               double energy[SW_STRUCTURE_SPRINGS]);
/* Forces of elements, springs and loads at the trial, in internal and external [U], and trial_energy; with `assemble` the condensed matrix and,
 * in known [U], K g. scale: root of the sum of squares of all elements' forces. SW_ERR_CONVERGENCE naming the element. */
sw_status sw_structure_evaluate(sw_structure *s, int assemble, double *scale);
/* Of several processes: trial_state of all elements, on each. */
void sw_structure_share_states(sw_structure *s);

/* ---- springs.c ---- */

/* Forces [6] and their derivative [6][6] of a spring at its two nodes. */
void sw_structure_spring_at(const sw_structure *s, int64_t k, double force[6], double stiffness[36]);
/* ---- ties.c ---- */

/* Items of the equations: elements, springs, then pairs of faces; unknowns of one, -1 where it has none: their number. */
int64_t sw_structure_items(const sw_structure *s);
int sw_structure_item_unknowns(const sw_structure *s, int64_t e, int64_t unknown[SW_STRUCTURE_UNKNOWNS]);

/* ---- contact.c: nothing, where there are no contacts ---- */

void sw_structure_contacts_change(sw_structure *s);     /* as the step at hand has it */
sw_status sw_structure_contacts_begin(sw_structure *s); /* of an increment, from the accepted state */
/* The trial is in balance: *anew: not any more, as surfaces are cut again where they are now. */
sw_status sw_structure_contacts_settle(sw_structure *s, int *anew);
/* Likewise: *more: pressures of hard contact that is softer are added to. */
void sw_structure_contacts_augment(sw_structure *s, int *more);
/* After as many times as there are in an increment: says, once, that pressures had still to be added to. */
void sw_structure_contacts_tell_short(sw_structure *s);
/* After an increment that did not end: contact of flat faces, or all, is softer. 0: none is that could be. */
int sw_structure_contacts_soften(sw_structure *s, int all);
/* After one that did, soon: what is softer may become harder again. */
void sw_structure_contacts_harden(sw_structure *s, int soon);
/* At the trial; what had no place in the matrix gets one. */
sw_status sw_structure_contacts_find(sw_structure *s);
/* Forces, and with `assemble` rows of the matrix; square: of all forces, added. */
sw_status sw_structure_contacts_add(sw_structure *s, int assemble, double *square); /* SW_ERR_MEMORY */
void sw_structure_contacts_accept(sw_structure *s);                                 /* the trial */
/* Warns of surfaces that passed into each other too far. */
void sw_structure_contacts_end_step(sw_structure *s);
/* Where an increment has failed: the first pair of surfaces that touch nowhere yet, with what is between them; or nothing. */
void sw_structure_tell_apart(sw_structure *s, char *text, size_t room);
void sw_structure_contacts_end(const sw_structure *s); /* of a run: warns of surfaces that never touched */
int sw_structure_contacts_rub(const sw_structure *s);  /* with friction: the tangent is not symmetric */
double
sw_structure_contacts_work(const sw_structure *s); /* of the increment, of the mean of forces at both ends */
/* A row of a contact at the trial, and its columns' names with blanks between. */
enum { SW_STRUCTURE_CONTACT_COLUMNS = 10 };
extern const char sw_structure_contact_columns[];
void sw_structure_contact_row(const sw_structure *s, int k, double row[SW_STRUCTURE_CONTACT_COLUMNS]);
/* Fields of nodes at the trial [N][SW_SURFACE_FIELDS], and whose they are [N]. */
sw_status sw_structure_contact_fields(const sw_structure *s, double (*field)[SW_SURFACE_FIELDS],
                                      uint8_t *set);

/* ---- system.c ---- */

int sw_structure_dimension(const sw_structure *s); /* of space; plane bodies 2 */
/* The pattern of the present free unknowns, and the order in which they are eliminated. */
sw_status sw_structure_system_open(sw_structure *s);
void sw_structure_system_close(sw_structure_system *system);
int sw_structure_has_factors(void); /* this build can factorise */
void sw_structure_system_clear(sw_structure_system *system);
/* Adds T' k T of element (or spring) `of`, k [n][n] by rows over unknown [n], to the rows that are the thread's. */
typedef struct {
    int thread, threads;
} sw_structure_team;
void sw_structure_system_add(const sw_structure_ties *ties, sw_structure_system *system, int64_t of, int n,
                             const int64_t *unknown, const double *k, sw_structure_team team);
/* Likewise T' left right' T. */
void sw_structure_system_add_dyad(const sw_structure_ties *ties, sw_structure_system *system, int64_t of,
                                  int n, const int64_t *unknown, const double *left, const double *right,
                                  sw_structure_team team);
double *sw_structure_diagonal(sw_fem_sparse *matrix, int64_t q);
/* What nothing resists gets 1 on the diagonal. SW_ERR_CONVERGENCE: it is loaded. */
sw_status sw_structure_hold_idle(sw_fem_sparse *matrix, const double *right);
/* dq of right [q] by factors. SW_ERR_CONVERGENCE: singular. */
sw_status sw_structure_system_solve(sw_structure *s, const double *right, double *dq);

typedef enum {
    SW_STRUCTURE_FELT,
    SW_STRUCTURE_UNFELT,    /* strains elements, but not at their points */
    SW_STRUCTURE_UNSTRAINED /* strains nothing: rigid motions, mechanisms */
} sw_structure_feeling;

/* What elements feel of a small motion [U]; unfelt: squares of strains at points over those near corners. */
sw_structure_feeling sw_structure_feel(const sw_structure *s, const double *motion, double unfelt);
/* Warns, once a run, of what nothing resists. */
void sw_structure_tell_unresisted(sw_structure *s, sw_structure_feeling feeling);

/* ---- loose.c ---- */

/* After forces are known: warns of rigid motions that nothing holds, once a step; SW_ERR_INPUT where loads do work along a rigid motion that nothing holds, naming it; SW_ERR_MEMORY. */
sw_status sw_structure_check_loose(sw_structure *s);
/* "; nothing keeps the body of element 1 (8 elements) from moving along x", of bodies that touch "nothing but contact"; "": there is none. */
void sw_structure_tell_loose(const sw_structure *s, char text[SW_STRUCTURE_LOOSE_TEXT]);
void sw_structure_loose_free(struct sw_structure_loose *loose);
int sw_structure_has_following(const sw_structure *s); /* pressures, at finite strains */
/* Those of the step at hand, at finite strains from the trial. SW_ERR_MEMORY. */
sw_status sw_structure_look_loose(const sw_structure *s, struct sw_structure_loose *to);
/* Loads and, with `elements`, forces of elements do work along a motion [U] beyond what rounding leaves. */
int sw_structure_is_driven(const sw_structure *s, const double *along, int elements);
int sw_structure_may_end(const sw_structure *s, int turns); /* a pendulum finds its place */

/* ---- iterative.c ---- */

/* Of the tangent at hand: n free motions that it does not resist. */
typedef struct {
    int n;
    int64_t pin[SW_STRUCTURE_LOOSE]; /* free unknowns; held, they leave none of the motions */
    double *along, *unit;            /* [n][U] and, of free unknowns, [n][q]: each orthonormal */
    double *right;                   /* [q] without what is along them; NULL: there are none to look at */
} sw_structure_pins;

/* held (to be freed always) for right [q]. A turn at finite strains that forces drive is left to itself. SW_ERR_MEMORY. */
sw_status sw_structure_hold(sw_structure *s, const double *right, sw_structure_pins *held);
/* dq without the mean motions of all nodes; du [U]: scratch. */
void sw_structure_centre(const sw_structure *s, const sw_structure_pins *held, double *du, double *dq);
void sw_structure_pins_free(sw_structure_pins *held);

sw_status
sw_structure_check_linear(const sw_structure_options *options); /* of what this build and machine have */
/* Of the present free unknowns: the pattern, or products where the step at hand goes by them. */
sw_status sw_structure_open_equations(sw_structure *s);
/* Of the same free unknowns, where there are more pairs of faces: what they were solved by is kept. */
sw_status sw_structure_widen_equations(sw_structure *s);
/* dq of right [q], by any of these; tolerance: of multigrid, where the equations are not linear. SW_ERR_CONVERGENCE: singular, or
 * not in so many iterations. */
sw_status sw_structure_solve(sw_structure *s, double tolerance, const double *right, double *dq);
int sw_structure_may_change_to_factors(const sw_structure *s); /* of auto, where there are some */
int sw_structure_by_points(const sw_structure *s, int64_t e); /* an element's tangent is that of its points */
/* known [U] = K g, where there is any g. */
sw_status sw_structure_know_products(sw_structure *s);

/* ---- multigrid.c ---- */

/* dq of right [q], the system's matrix being there, in `most` iterations at most. SW_ERR_CONVERGENCE, SW_ERR_MEMORY. */
sw_status sw_structure_multigrid_solve(sw_structure *s, int64_t most, double tolerance, const double *right,
                                       double *dq);
sw_status
sw_structure_multigrid_widen(sw_structure *s); /* the system's pattern is new, its unknowns are not */
void sw_structure_multigrid_close(struct sw_structure_multigrid *multigrid); /* NULL is fine */

/* ---- newton.c ---- */

/* From the accepted state to `moment`: trial and trial_state are the solution. */
sw_status sw_structure_increment(sw_structure *s, int *iterations);

/* ---- output.c ---- */

extern const char *const sw_structure_energy_names[SW_STRUCTURE_ENERGIES]; /* of /history */

sw_status sw_structure_results_open(sw_structure *s);
/* The trial is the solution, and is yet to be accepted; last: of its step. */
sw_status sw_structure_results_add(sw_structure *s, int step, int iterations, int last);
sw_status sw_structure_results_write(sw_structure *s);
/* What there is so far, into another file and back. Errors as hdf5_io.h has them. */
sw_status sw_structure_results_keep(sw_structure *s, hid_t file);
sw_status sw_structure_results_restore(sw_structure *s, hid_t file);
void sw_structure_results_close(sw_structure *s);

/* ---- restart.c ---- */

/* Before anything is done: goes on from what is kept. */
sw_status sw_structure_keeper_open(sw_structure *s);
/* The state is one to go on from: an increment is accepted, or a step has changed what it changes. */
sw_status sw_structure_mark(sw_structure *s);
/* After an increment is accepted: marks it, and keeps it where it is time. */
sw_status sw_structure_keep(sw_structure *s);
/* The end of a run that came to `status`, and what is said of it. */
sw_status sw_structure_keeper_end(sw_structure *s, sw_status status);

#endif
