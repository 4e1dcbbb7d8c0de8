/* How far one stress history is from another, and how errors scale. */
#ifndef SW_ONLINE_RESPONSE_CERTIFICATE_STRESS_ERROR_H
#define SW_ONLINE_RESPONSE_CERTIFICATE_STRESS_ERROR_H

#include <stdint.h>

#include "common/system/status.h"
#include "slipwave/response.h"

/* The number that a loading is judged by; of a deviatoric stress. */
typedef struct {
    const char *name;
    double gradient[3][3]; /* the velocity gradient it belongs to, up to a positive factor */
    double (*of)(const double stress[3][3]);
} sw_stress_curve;

/* sigma12 in simple shear, sigma11 - sigma33 in plane strain compression, von Mises' stress otherwise: as in
 * slipwave-compare. Never NULL. */
const sw_stress_curve *sw_stress_curve_of(const double velocity_gradient[3][3]);

/* After a step of a history under l, whose means are `step`: row becomes the deviatoric stress at its end (Pa). Of a
 * solver without a history that is what the next step under the same l begins with: it is left to that one, which
 * finds it row[-1], and the last one under l evaluates its own. What of a response can fail. */
sw_status sw_stress_row(sw_response *response, const double l[3][3], const sw_crystals *crystals,
                        const sw_response_average *step, int is_first, int is_last, double (*row)[3][3]);

/* Relative L2 norms of stress - reference over time, by trapezoids from zero stress at first: of the tensor
 * (Frobenius norm) and of its curve. stress, reference [n_steps], deviatoric, after each step of dt
 * [n_steps] (s). SW_ERR_MEMORY. */
sw_status sw_stress_error(int64_t n_steps, const double *dt, const double (*stress)[3][3],
                          const double (*reference)[3][3], const sw_stress_curve *curve, double *error,
                          double *curve_error);

/* y = coefficient x^slope */
typedef struct {
    double slope, coefficient; /* NaN when there are not two different x */
} sw_power_law;

/* Least squares of log y over log x; x, y [n] > 0. Exact, to round-off, for a power law. */
sw_power_law sw_fit_power_law(int64_t n, const double *x, const double *y);

#endif
