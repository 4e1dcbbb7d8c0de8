/* Private: spheres of a periodic cube in bins, to find those near a place that are no smaller. Size classes,
 * each of half the radii of the one before, have grids of their own, whose bins are as wide as two of their
 * largest. Dimension: P particles. */
#ifndef SW_ONLINE_DEM_PACKING_BINS_H
#define SW_ONLINE_DEM_PACKING_BINS_H

#include <stdint.h>

#include "common/system/status.h"

typedef struct {
    double side;           /* of the cube, m */
    double largest;        /* radius, m */
    const double *radius;  /* [P] m, borrowed */
    double (*position)[3]; /* [P] m, in [0, side], borrowed; of those that are in bins */
    int n_classes;
    struct {
        int64_t n, *first; /* bins along an edge; [n^3] particle, -1: none */
    } grid[32];
    int64_t *next;  /* [P] particle in the same bin */
    int64_t *order; /* [P] particles, the largest first, of equal ones the first */
} sw_dem_bins;

/* Empty bins for spheres that meet when they are closer than `reach` times the sum of their radii.
 * SW_ERR_MEMORY. Release with sw_dem_bins_close, also after a failure. */
sw_status sw_dem_bins_open(int64_t n_particles, const double *radius, double (*position)[3], double side,
                           double reach, sw_dem_bins *bins);
void sw_dem_bins_close(sw_dem_bins *bins);
void sw_dem_bins_empty(sw_dem_bins *bins);
void sw_dem_bins_add(sw_dem_bins *bins, int64_t particle); /* where it is now */

/* Square of the distance of a particle from x, or of its image that is nearest. */
double sw_dem_bins_square(const sw_dem_bins *bins, int64_t particle, const double x[3]);

/* Call `visit` for the particles in the bins around x, all those among them that a sphere there may meet
 * which is no larger than any that was added; until it returns another value than 0, which is returned. */
typedef int sw_dem_bins_visit(void *context, int64_t particle);
int sw_dem_bins_near(const sw_dem_bins *bins, const double x[3], double radius, sw_dem_bins_visit *visit,
                     void *context);

#endif
