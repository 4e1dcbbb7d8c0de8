/* Which unknowns are free, and what the others are by them: du = T dq + g.
 *
 * A constraint's dependent unknown is eliminated from all others, so that every row has free and prescribed unknowns alone.
 * Numbers that are known of an increment of Newton's - what is prescribed, what constraints still lack - are g. */
#ifndef SW_ONLINE_FEM_STRUCTURE_TIES_H
#define SW_ONLINE_FEM_STRUCTURE_TIES_H

#include "structure.h"

typedef struct {
    int n, capacity;
    int64_t *unknown; /* [n]; the number of all unknowns: 1, times what the constraint lacks */
    double *coefficient;
} sw_structure_row;

/* Zeroed: nothing. Dimensions: U unknowns, q free ones. */
typedef struct {
    int64_t n_unknowns, n_free, n_rows;
    uint8_t *used;              /* [U] some element, spring or constraint has it */
    uint8_t *prescribed;        /* [U] */
    int64_t *number;            /* [U] >= 0: q; -1: no unknown of the equations */
    int64_t *row_of;            /* [U] -1: not dependent */
    sw_structure_row *row;      /* [n_rows] of each constraint; n 0: it says nothing new */
    int64_t *pivot;             /* [n_rows] its dependent unknown; -1: none */
    struct sw_structure_users { /* [U] rows that have an unknown */
        int n, capacity;
        int64_t *row;
    } * users;
    int64_t *place; /* [U + 1] scratch: 1 + place in a row that is being made */
    double *g;      /* [U] what is known of du */
    int curved;     /* some constraint is not linear */
} sw_structure_ties;

/* Unknowns of an element or, from E on, a spring: their number. -1 for those that it has not. */
int sw_structure_unknowns_of(const sw_structure_problem *p, int64_t e,
                             int64_t unknown[SW_FORMULATION_UNKNOWNS]);

sw_status sw_structure_ties_open(const sw_structure_problem *problem, sw_structure_ties *ties);
void sw_structure_ties_close(sw_structure_ties *ties);

/* Of a step that begins at u [U]: what is prescribed, going to goal [U]. The free unknowns get their numbers. SW_ERR_INPUT: a
 * constraint of prescribed unknowns alone that is not fulfilled; SW_ERR_MEMORY. */
sw_status sw_structure_ties_of_step(const sw_structure_problem *problem, const sw_structure_step *step,
                                    const double *u, const double *goal, sw_structure_ties *ties);

/* Rows linearised at u [U], and g. renumbered: other unknowns are dependent than before. Errors as above. */
sw_status sw_structure_ties_at(const sw_structure_problem *problem, sw_structure_ties *ties, const double *u,
                               const double *goal, int *renumbered);

/* du [U] of dq [q]; with g or without. */
void sw_structure_ties_spread(const sw_structure_ties *ties, const double *dq, int with_known, double *du);
/* r [q] = T' f [U]. */
void sw_structure_ties_gather(const sw_structure_ties *ties, const double *f, double *r);

#endif
