/* Temperatures at which equilibrium says nothing, for nothing moves: what jobs and the library warn of. */
#ifndef SW_ONLINE_KWN_MODEL_MOBILITY_H
#define SW_ONLINE_KWN_MODEL_MOBILITY_H

#include <stdint.h>

#include "alloy.h"

/* Of the fastest solute, m^2/s. */
double sw_kwn_fastest_diffusivity(const sw_kwn_alloy *alloy, double temperature);

/* Whether no alloy is aged at a temperature (K): below 200 K, where degrees Celsius of ageing are numbers as small. */
enum { SW_KWN_COLD_TEXT = 160 };
int sw_kwn_is_cold(double temperature);
/* " = 180 K: ...", what is said of one, after its name; returns `text`. */
const char *sw_kwn_cold_text(double temperature, char text[SW_KWN_COLD_TEXT]);

/* Whether any phase could form at a temperature from all that there is: composition [S]. */
int sw_kwn_can_form(const sw_kwn_alloy *alloy, const double *composition, double temperature);

/* The temperatures of a history, K; zeroed: none yet. */
typedef struct {
    double coldest, hottest;
} sw_kwn_span;
/* Returns whether it is colder than all before. */
int sw_kwn_span_add(sw_kwn_span *span, double temperature);
/* Whether they may be in degrees Celsius though none is as cold as that: below 250 K, at which alloys are stored but not
 * aged, and the alloy not dissolved at the highest one, as it would be at so many degrees. A history in K that is cold in
 * between was dissolved before, or is not even so by 273 K more. */
int sw_kwn_is_celsius(const sw_kwn_alloy *alloy, const sw_kwn_span *span);
/* " = 220 K: ...", of the coldest, after its name; returns `text`. */
enum { SW_KWN_CELSIUS_TEXT = 256 };
const char *sw_kwn_celsius_text(const sw_kwn_span *span, char text[SW_KWN_CELSIUS_TEXT]);

/* m^2: the square of the distance that the fastest solute diffuses in a history at most, 6 D t with the D of the hotter
 * end of each part. time [n] (s), temperature [n], each `stride` further (K). */
double sw_kwn_most_moved(const sw_kwn_alloy *alloy, int64_t n, const double *time, const float *temperature,
                         int64_t stride);
/* Whether a history of this time (s) that moved so far is warned of: an hour or more, in which no solute moved by the
 * lattice parameter, an atom's distance. */
int sw_kwn_is_frozen(const sw_kwn_alloy *alloy, double time, double most_moved);

#endif
