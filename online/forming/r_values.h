/* Task `r_values`: yield stresses and r-values against the angle to the rolling direction, and the balanced biaxial
 * point, all at the plastic work of tension along the rolling direction to a given strain. */
#ifndef SW_ONLINE_FORMING_R_VALUES_H
#define SW_ONLINE_FORMING_R_VALUES_H

#include "task.h"

typedef struct {
    double *angles; /* [angles_count] degrees; NULL: 0 to 90 by 15 */
    unsigned angles_count;
    double strain; /* plastic, of the tension along the rolling direction */
} sw_r_values;

/* Whether r is asked for at an angle (degrees), or at one that is the same by symmetry. */
int sw_r_values_has(const sw_r_values *settings, double angle);

/* Rows of a job's table; m: an sw_r_values of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_R_VALUES_KEYS(S, m)                                                                           \
    {SW_REALS("angles", S, m.angles, 0, 180),                                                            \
     .unit = "degrees",                                                                                  \
     .shortest = 1,                                                                                      \
     .longest = 1000,                                                                                    \
     .otherwise = "0 to 90 by 15",                                                                       \
     .help = "directions of tension, from the rolling direction"},                                       \
    {                                                                                                    \
        SW_REAL("strain", S, m.strain, 1e-4, 1),                                                         \
            .standard = 0.05,                                                                            \
            .help = "plastic strain of tension along the rolling direction, whose work all are taken at" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
