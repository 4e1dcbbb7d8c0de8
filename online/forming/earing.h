/* Task `earing`: the rim of a cup drawn from the sheet, by r-values, and by the yield functions fitted before. */
#ifndef SW_ONLINE_FORMING_EARING_H
#define SW_ONLINE_FORMING_EARING_H

#include "functions/earing.h"
#include "task.h"

extern const sw_forming_task sw_earing_task;

/* Rows of a job's table; m: an sw_cup of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_EARING_KEYS(S, m)                                                                     \
    {SW_REAL("blank_radius", S, m.blank_radius, 1e-6, 1e3), .unit = "m", .needed = 1,            \
     .help = "of the round blank"},                                                              \
        {SW_REAL("cup_radius", S, m.cup_radius, 1e-6, 1e3), .unit = "m", .needed = 1,            \
         .help = "of the middle of the cup's wall"},                                             \
    {                                                                                            \
        SW_REAL("corner_radius", S, m.corner_radius, 0, 1e3),                                    \
            .unit = "m", .standard = 0, .help = "between bottom and wall, of the sheet's middle" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
