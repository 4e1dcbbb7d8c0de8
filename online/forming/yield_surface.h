/* Task `yield_surface`: sections through the contour of equal plastic work, with the direction of plastic flow at each
 * point. Every point is a polycrystal of its own under a stress that grows in its direction. */
#ifndef SW_ONLINE_FORMING_YIELD_SURFACE_H
#define SW_ONLINE_FORMING_YIELD_SURFACE_H

#include "task.h"

/* A section: stress components x and y vary, z is held, all others are zero; or the pi-plane of stresses along the axes. */
typedef struct {
    int plane;      /* of sw_section_planes */
    int x, y, z;    /* components 0 .. 5 for 11 22 33 23 13 12 */
    double *levels; /* [levels_count] of z over its own yield stress, -1 < level < 1; NULL: 0 */
    unsigned levels_count;
    int64_t points;
} sw_section;

typedef struct {
    sw_section *sections; /* [sections_count] */
    unsigned sections_count;
    double strain;      /* plastic, of tension along the rolling direction, whose work the contour has */
    const char *points; /* a table of the points as text; NULL: none */
} sw_yield_surface;

extern const sw_key sw_section_keys[];

/* Rows of a job's table; m: an sw_yield_surface of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_YIELD_SURFACE_KEYS(S, m)                                                                    \
    {SW_ENTRIES("sections", S, m.sections, sw_section_keys), .longest = 100,                           \
     .otherwise = "11 and 22 with 12 at 0", .help = "one after the other"},                            \
        {SW_REAL("strain", S, m.strain, 1e-4, 1), .otherwise = "that of r_values, or 0.002",           \
         .help = "plastic strain of tension along the rolling direction, whose work the contour has"}, \
    {                                                                                                  \
        SW_OUTPUT("points", S, m.points), .otherwise = "none",                                         \
                                          .help = "points and normals as text, for others"             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
