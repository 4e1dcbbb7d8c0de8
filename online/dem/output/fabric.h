/* Fabric of a volume element: where its contacts point, how strong they are there, and how far that is from
 * all directions alike. Lubbe et al. 2022, section 8 and Appendix B; see docs/theory.md, section 13.
 *
 * A contact has an axis: n and -n are one. Roses: the axis as seen along a coordinate axis, its angle from
 * the plane's first axis in [0, pi), cut into 36 bins of 5 degrees. When all directions of space are alike,
 * so are all these angles: every bin expects the same number, though axes near the line of sight crowd a
 * small part of the sphere. Sphere: 36 cells of one solid angle on the half z >= 0, rings of 6, 12 and 18 of
 * them between the heights z = 1, 5/6, 1/2 and 0; these see all of a direction. Dimensions: P particles, C
 * contacts. */
#ifndef SW_ONLINE_DEM_OUTPUT_FABRIC_H
#define SW_ONLINE_DEM_OUTPUT_FABRIC_H

#include "slipwave/dem.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SW_DEM_PLANES = 3, /* x-y, x-z, y-z */
    SW_DEM_BINS = 36,
    SW_DEM_MOST_CONTACTS = 32 /* of a particle, in the histogram: the last number counts these and more */
};

/* Pearson's test. A p-value below 0.05 speaks against equal shares: it rejects a uniform rose. Shares that
 * differ by a fixed part make chi^2 grow with the number of counts, so that chi^2 of elements of different
 * size cannot be compared; reduced is about 1 and cramer about sqrt(1 / counts) when nothing but chance is in
 * it. */
typedef struct {
    int64_t counts, bins;
    double chi_squared; /* Eq. 23 */
    double p_value;     /* of chi^2 with bins - 1 degrees of freedom: chance of so much or more */
    double reduced;     /* chi^2 / (bins - 1) */
    double cramer;      /* Cramer's V: sqrt(chi^2 / (counts (bins - 1))), 0 .. 1 for equal shares */
    double excess; /* (chi^2 - (bins - 1)) / counts: estimates the mean square of the relative differences
                      of the shares, of whatever many counts; negative by chance */
    double least;  /* smallest expected number; the test wants 5 or more */
} sw_dem_chi_squared;

/* Contacts by bins, and the mean of their normal forces (N; 0 in empty bins). */
typedef struct {
    int64_t count[SW_DEM_BINS];
    double force[SW_DEM_BINS];
    sw_dem_chi_squared test; /* of count against equal shares */
} sw_dem_rose;

typedef struct {
    int64_t n_particles, n_contacts;
    double fabric[SW_DEM_SIX];       /* mean of n n; trace 1; 0 without contacts */
    double force_fabric[SW_DEM_SIX]; /* the same with normal forces as weights; 0 where all are 0 */
    double anisotropy, force_anisotropy;
    sw_dem_rose plane[SW_DEM_PLANES], sphere;
    int64_t particles[SW_DEM_MOST_CONTACTS + 1]; /* how many have that many contacts */
    double coordination;                         /* 2 C / P */
} sw_dem_fabric;

/* All of it from contacts [C], as sw_dem_get_contacts gives them, with normals of unit length. An axis within
 * 1e-9 rad of the line of sight has no angle in that plane and is left out of its rose. SW_ERR_RANGE for a
 * particle that is not 0 .. P - 1 (nothing useful is in *fabric then), SW_ERR_MEMORY. */
sw_status sw_dem_fabric_make(int64_t n_particles, int64_t n_contacts, const sw_dem_contact_record *contact,
                             sw_dem_fabric *fabric);

/* Bin of a unit vector, 0 .. 35, the same for n and -n. plane: 0, 1, 2; -1 along the line of sight. */
int sw_dem_plane_bin(const double n[3], int plane);
int sw_dem_sphere_bin(const double n[3]);

/* counts [bins] against expected numbers [bins] of the same sum; NULL: equal ones. Without counts: no
 * differences, p-value 1. SW_ERR_RANGE for fewer than two bins, negative counts, expected numbers not above
 * 0. */
sw_status sw_dem_chi_squared_make(int64_t bins, const int64_t *count, const double *expected,
                                  sw_dem_chi_squared *test);

/* Chance that chi^2 of so many degrees of freedom is x or more, to 1e-12 of itself: the regularised
 * incomplete gamma function Q(freedoms / 2, x / 2). 1 for x <= 0, NaN for NaN. */
double sw_dem_chi_squared_chance(int64_t freedoms, double x);

#ifdef __cplusplus
}
#endif

#endif
