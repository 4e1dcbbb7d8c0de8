/* At a point of contact: pressure over the gap, and friction. Written once, for every backend. */
#ifndef SW_ONLINE_FEM_SURFACES_LAW_H
#define SW_ONLINE_FEM_SURFACES_LAW_H

#include <math.h>

#include "common/math/lanes.h"
#include "surfaces.h"

/* Times the stiffness below the faces: of a layer of elements, surfaces pass into each other by a hundredth of what the layer
 * is shortened by. */
#define SW_SURFACE_HARD 100.0
#define SW_SURFACE_SOFT 5.0 /* where it goes by points */
/* What an increment that does not end makes of HARD, and the least: a thin sheet between tools bends by (thickness / length of a
 * face)^4 of what passes into them, and leaves the one or the other at every iteration. */
#define SW_SURFACE_SOFTER 0.1
#define SW_SURFACE_LEAST 1.0
#define SW_SURFACE_WAIT 64 /* increments that ended soon until it is tried harder again, at most */
#define SW_SURFACE_ENOUGH \
    2.0 /* times what HARD lets surfaces pass into each other by: until then pressures are added to */
#define SW_SURFACE_REACH 0.04 /* of a slave's face: gaps beyond count alike */
/* Of that: shear over elastic slip, a tenth of what the layer is sheared by. */
#define SW_SURFACE_STICK 0.1

/* Hard contact is this where the law has no stiffness. */
static inline int sw_surface_is_hard(const sw_surface_law *law)
{
    return law->behavior == SW_SURFACE_LINEAR && !(law->stiffness > 0);
}

/* stiffness: the law's own, or the default; near: beyond it nothing pulls; clings: nor does linear contact without tension let go. *slope: dp / dg. */
SW_HD static inline double sw_surface_pressure(const sw_surface_law *law, double stiffness, double gap,
                                               double near, int clings, double *slope)
{
    *slope = 0;
    if (clings) {
        *slope = -stiffness;
        return -stiffness * gap;
    }
    switch (law->behavior) {
    case SW_SURFACE_LINEAR:
        if (law->tension > 0 && gap < near) {
            const double ratio = -gap * stiffness / (law->tension * 3.14159265358979323846);
            const double part = 0.5 + atan(ratio) / 3.14159265358979323846;
            *slope = -stiffness * (part + ratio / (3.14159265358979323846 * (1 + ratio * ratio)));
            return -stiffness * gap * part;
        }
        if (gap > 1e-8 * near) /* what only just touches resists */
            return 0;
        *slope = -stiffness;
        return gap < 0 ? -stiffness * gap : 0;
    case SW_SURFACE_TIED:
        *slope = -stiffness;
        return -stiffness * gap;
    case SW_SURFACE_EXPONENTIAL: {
        const double rate = 4.605170185988091 / law->clearance, most = 12; /* ln 100; straight beyond */
        const double exponent = -rate * gap, p = law->pressure * exp(exponent < most ? exponent : most);
        *slope = -rate * p;
        return exponent < most ? p : p * (1 + exponent - most);
    }
    case SW_SURFACE_TABULAR: {
        int i = 1;
        if (-gap <= law->row[0][0])
            return 0;
        while (i < law->n_rows - 1 && -gap > law->row[i][0])
            i++;
        *slope = -(law->row[i][1] - law->row[i - 1][1]) / (law->row[i][0] - law->row[i - 1][0]);
        return law->row[i - 1][1] - *slope * (-gap - law->row[i - 1][0]);
    }
    }
    return 0;
}

/* How a gap counts in the mean about a corner, of hard contact: as it is where it is closed; where it is open less and less, up to half
 * of `reach`, so that what is far has no part in what holds. *part, *bend: first and second derivative, both continuous but for
 * the second at 0. */
SW_HD static inline double sw_surface_counts(double gap, double reach, double *part, double *bend)
{
    const double x = gap / reach;
    *part = 1;
    *bend = 0;
    if (x <= 0)
        return gap;
    if (x >= 1) {
        *part = 0;
        return 0.5 * reach;
    }
    *part = 1 - x * x * (3 - 2 * x);
    *bend = -6 * x * (1 - x) / reach;
    return reach * x * (1 - x * x * (1 - 0.5 * x));
}

/* Shear t of an elastic slip [3] in the surface: stick times it, or what friction bears. *bound: that; *by_pressure: its
 * derivative by the pressure. 1: it slides. */
SW_HD static inline int sw_surface_rub(const sw_surface_law *law, double stick, double pressure, double slip,
                                       double *bound, double *by_pressure)
{
    *bound = *by_pressure = 0;
    if (law->behavior == SW_SURFACE_TIED)
        return 0;
    *bound = law->friction * (pressure > 0 ? pressure : 0);
    *by_pressure = pressure > 0 ? law->friction : 0;
    if (law->limit > 0 && *bound > law->limit) {
        *bound = law->limit;
        *by_pressure = 0;
    }
    return !(stick * slip <= *bound);
}

#endif
