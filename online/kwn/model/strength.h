/* Strength from a point's precipitates and solutes: Myhr, Grong and Andersen, Acta Mater. 49 (2001) 65.
 *
 *     sigma_y = sigma_0 + sum k_i c_i^n + sigma_p,   HV = slope sigma_y + intercept
 *
 * A particle pins a dislocation with F = 2 beta G b^2 min(r / r_c, 1): sheared below r_c, bypassed above.
 * With mean force F and mean radius r of a phase of volume fraction f
 *
 *     sigma_p = M / (b r) (2 beta G b^2)^(-1/2) (3 f / 2 pi)^(1/2) F^(3/2),
 *
 * and phases add as (sum sigma_p^m)^(1/m). */
#ifndef SW_ONLINE_KWN_MODEL_STRENGTH_H
#define SW_ONLINE_KWN_MODEL_STRENGTH_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double solid_solution;  /* Pa */
    double particles;       /* Pa, sigma_p */
    double yield_stress;    /* Pa */
    double hardness;        /* HV */
    double slip_resistance; /* Pa, yield stress / Taylor factor: s of the crystal model */
} sw_kwn_strength_result;

/* All zero for an alloy without strength data. */
sw_kwn_strength_result sw_kwn_strength_of(const sw_kwn_alloy *alloy, const sw_kwn_point *point);

#ifdef __cplusplus
}
#endif

#endif
