/* The size axis: B classes between a smallest and a largest radius.
 *
 * All lengths are in units of `scale`, which each histogram has for itself: an adaptive axis doubles or
 * halves it. A class holds particles of one size, its pivot; a particle of another size is split over the two
 * pivots around it so that number and volume are both kept (fixed pivots: Kumar and Ramkrishna, Chem. Eng.
 * Sci. 51 (1996) 1311). */
#ifndef SW_ONLINE_KWN_MODEL_SIZE_AXIS_H
#define SW_ONLINE_KWN_MODEL_SIZE_AXIS_H

#include <math.h>

#include "common/system/device.h"
#include "common/system/status.h"
#include "slipwave/kwn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tables, borrowed by all histograms; P >= B classes, a multiple of the width of vectors, those past B closed
 * and empty. Radii in units of scale, so that the last face is 1. */
typedef struct {
    sw_kwn_axis_kind kind;
    int32_t n, n_padded; /* B, P */
    double scale;        /* m, at the start */
    double widening;     /* width of a class over that of the one below */
    double first, ratio; /* lowest face; uniform: width, else ln of the widening: */
    double base, offset; /* face i is base exp(ratio i) - offset */
    const double
        *inverse_face; /* [P + 1] 1 / lower face of a class; the face r = 0 counts as 1e-3 of a width */
    const double *inverse_width; /* [P]; 0 for classes past B */
    const double *pivot;         /* [P] radius of the particles in a class */
} sw_kwn_axis;

/* pad: P is a multiple of it. SW_ERR_RANGE names the bound; SW_ERR_MEMORY. Release with sw_kwn_axis_free. */
sw_status sw_kwn_axis_make(const sw_kwn_axis_options *options, int64_t pad, sw_kwn_axis *axis);
void sw_kwn_axis_free(sw_kwn_axis *axis);

/* The radius at a place among the faces, which may be between two. */
SW_HD static inline double sw_kwn_radius_at(const sw_kwn_axis *axis, double place)
{
    return axis->kind == SW_AXIS_UNIFORM ? axis->first + axis->ratio * place
                                         : axis->base * expm1(axis->ratio * place) + axis->first;
}

SW_HD static inline double sw_kwn_face(const sw_kwn_axis *axis, int32_t i)
{
    return sw_kwn_radius_at(axis, i);
}

SW_HD static inline double sw_kwn_pivot(const sw_kwn_axis *axis, int32_t i)
{
    return sw_kwn_radius_at(axis, i + 0.5);
}

/* Width of a class at a radius. */
SW_HD static inline double sw_kwn_width(const sw_kwn_axis *axis, double radius)
{
    return axis->kind == SW_AXIS_UNIFORM ? axis->ratio : axis->ratio * (radius + axis->offset);
}

/* The class that a radius (in units of scale) falls into, -1 below the first, B - 1 above the last. */
SW_HD static inline int32_t sw_kwn_class(const sw_kwn_axis *axis, double radius)
{
    if (!(radius > axis->first))
        return -1;
    const double place = axis->kind == SW_AXIS_UNIFORM
                             ? (radius - axis->first) / axis->ratio
                             : log((radius + axis->offset) / axis->base) / axis->ratio;
    return place < axis->n ? (int32_t)place : axis->n - 1;
}

/* A particle of a size between two pivots: *lower is the class below, and the part that goes there. Below the
 * first pivot or above the last one the particle takes the size of that pivot. */
SW_HD static inline double sw_kwn_split(const sw_kwn_axis *axis, double radius, int32_t *lower)
{
    int32_t i = sw_kwn_class(axis, radius);
    if (i > 0 && radius < axis->pivot[i])
        i -= 1;
    if (i > axis->n - 2)
        i = axis->n - 2;
    if (i < 0)
        i = 0;
    *lower = i;
    const double a = axis->pivot[i], b = axis->pivot[i + 1];
    const double part = (b * b * b - radius * radius * radius) / (b * b * b - a * a * a);
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* The particles of a class as PARTS of equal numbers across it, of its volume together: cube of the radius of part k. */
#define SW_KWN_PARTS 4
SW_HD static inline void sw_kwn_spread(const sw_kwn_axis *axis, int32_t i, double cube[SW_KWN_PARTS])
{
    double sum = 0;
    for (int k = 0; k < SW_KWN_PARTS; k++) {
        const double radius = sw_kwn_radius_at(axis, i + (k + 0.5) / SW_KWN_PARTS);
        cube[k] = radius * radius * radius;
        sum += cube[k];
    }
    const double pivot = axis->pivot[i], fit = SW_KWN_PARTS * pivot * pivot * pivot / sum;
    for (int k = 0; k < SW_KWN_PARTS; k++)
        cube[k] *= fit;
}

/* What class j of an adaptive axis receives when its scale is doubled or halved (factor 2 or 0.5): the old
 * numbers [B], spread over their classes and each part split by volume. (Whole classes split at their pivots would saw-tooth a
 * distribution: classes of 1.2 widths get one or two.) Particles below the first pivot or above the last become fewer or more
 * of that size, so that their volume is kept; by how many fewer is added to *lost. */
SW_HD static inline double sw_kwn_rescaled(const sw_kwn_axis *axis, double factor, int32_t j, double *lost,
                                           double (*number)(const void *histogram, int32_t i),
                                           const void *histogram)
{
    const int32_t from = sw_kwn_class(axis, factor * sw_kwn_radius_at(axis, j - 0.5)) - 1;
    const int32_t to = j == axis->n - 1 ? axis->n - 1 /* the last class takes all that is larger */
                                        : sw_kwn_class(axis, factor * sw_kwn_radius_at(axis, j + 1.5)) + 1;
    const double least = axis->pivot[0], most = axis->pivot[axis->n - 1];
    double sum = 0;
    for (int32_t i = from < 0 ? 0 : from; i <= to && i < axis->n; i++) {
        const double each = number(histogram, i) / SW_KWN_PARTS;
        double cube[SW_KWN_PARTS];
        if (each == 0)
            continue;
        sw_kwn_spread(axis, i, cube);
        for (int k = 0; k < SW_KWN_PARTS; k++) {
            const double radius = cbrt(cube[k]) / factor;
            const double edge = radius < least ? least : radius > most ? most : radius;
            const double kept = radius == edge ? 1 : radius * radius * radius / (edge * edge * edge);
            int32_t lower;
            const double part = sw_kwn_split(axis, radius, &lower);
            const double share = lower == j ? part : lower == j - 1 ? 1 - part : 0;
            sum += share * kept * each;
            *lost += share * (1 - kept) * each;
        }
    }
    return sum;
}

#ifdef __cplusplus
}
#endif

#endif
