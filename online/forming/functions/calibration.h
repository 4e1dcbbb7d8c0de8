/* Coefficients of yield functions from what is known of a sheet: least squares by Levenberg and Marquardt's method
 * (MINPACK's lmder) from several starts. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_CALIBRATION_H
#define SW_ONLINE_FORMING_FUNCTIONS_CALIBRATION_H

#include <stdint.h>

#include "common/system/status.h"
#include "sheet.h"
#include "common/yield/yield_function.h"

/* Factors of residuals; 0: not fitted, but reported. Stresses count by their relative miss, r-values by that of
 * q = r / (1 + r), which stays finite, flow at points by the difference of two unit tensors. */
typedef struct {
    double stress, r;       /* of all stresses; of all r-values and of flow at points */
    double biaxial, points; /* times these, of balanced biaxial tension and of points of the surface */
} sw_calibration_weights;

/* What coefficients are identified by: all that has a weight, or of Hill's four in the plane what is classical, whose numbers
 * they then have: r at 0, 45 and 90 degrees, or the stresses there and the biaxial one. */
typedef enum { SW_BY_R, SW_BY_STRESS, SW_BY_WEIGHTS, SW_IDENTIFICATIONS } sw_identification;
extern const char *const sw_identification_names[SW_IDENTIFICATIONS]; /* "r", "stress", "weights" */

/* In pairs of what is known at one tension or point. */
typedef enum {
    SW_CALIBRATION_STRESS,         /* uniaxial, over the reference stress */
    SW_CALIBRATION_R,              /* q = r / (1 + r) */
    SW_CALIBRATION_BIAXIAL_STRESS, /* over the reference stress */
    SW_CALIBRATION_BIAXIAL_R,      /* q = r_b / (1 + r_b) */
    SW_CALIBRATION_POINT,          /* stress along the point's ray over the point's: 1 is given */
    SW_CALIBRATION_FLOW,           /* rad, between the directions of flow: 0 is given */
    SW_CALIBRATION_KINDS
} sw_calibration_kind;
extern const char *const sw_calibration_kind_names[SW_CALIBRATION_KINDS];

/* What was given, and what the function says there. */
typedef struct {
    sw_calibration_kind kind;
    int number; /* of the sheet's tension or point */
    double given, fitted;
} sw_calibration_item;

typedef struct {
    sw_identification by;
    sw_yield surface;     /* on the stress of the tension nearest to the rolling direction */
    int n_items, skipped; /* points with stresses 23 or 13, which a function of plane stress does not take */
    sw_calibration_item *item; /* [n_items]; released with sw_calibration_free */
    double rms[SW_CALIBRATION_KINDS],
        largest[SW_CALIBRATION_KINDS]; /* of fitted - given; 0 where nothing is given */
    int given[SW_CALIBRATION_KINDS];   /* how many there are */
    int determined; /* how many directions among its coefficients the sheet says something of */
    int64_t evaluations;
} sw_calibration;

/* Fit surface->function, with surface->exponent, to the sheet; surface's other members are not read. Where no stress has
 * a weight, the first one sets the scale. What the sheet says nothing of stays isotropic.
 * Shears of points below a hundredth of their largest component are taken for zero.
 *
 * SW_ERR_RANGE where the sheet has nothing with a weight, or stresses that are no stresses; SW_ERR_MEMORY;
 * SW_ERR_INTERRUPTED. */
sw_status sw_calibrate(const sw_yield *surface, const sw_sheet *sheet, const sw_calibration_weights *weights,
                       int64_t starts, uint64_t seed, sw_calibration *fit);
/* Hill's function by r or by stresses. Angles count by their symmetry, 135 degrees as 45. SW_ERR_RANGE as well where the sheet
 * has not all that it takes. */
sw_status sw_calibrate_hill48(sw_identification by, const sw_sheet *sheet, sw_calibration *fit);
/* What a fit of the past says of the sheet: fit->by, surface, determined as they were -> all else. */
sw_status sw_calibration_restore(const sw_sheet *sheet, sw_calibration *fit);
void sw_calibration_free(sw_calibration *fit);

/* The item of these kinds, a bit each, that the function misses most: stresses relatively, q by difference. miss: its
 * absolute value. NULL: there is none. */
const sw_calibration_item *sw_calibration_worst(const sw_calibration *fit, unsigned kinds, double *miss);
enum {
    SW_CALIBRATION_STRESSES =
        1 << SW_CALIBRATION_STRESS | 1 << SW_CALIBRATION_BIAXIAL_STRESS | 1 << SW_CALIBRATION_POINT,
    SW_CALIBRATION_RS = 1 << SW_CALIBRATION_R | 1 << SW_CALIBRATION_BIAXIAL_R
};

#endif
