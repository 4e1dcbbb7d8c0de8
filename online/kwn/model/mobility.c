#include "mobility.h"

#include <math.h>
#include <stdio.h>

#include "model.h"

#define COLD 200.0       /* K */
#define ICE_POINT 273.15 /* K: 0 degrees Celsius */
#define LONG 3600.0      /* s: less is a pause between treatments */

double sw_kwn_fastest_diffusivity(const sw_kwn_alloy *alloy, double temperature)
{
    double fastest = 0;
    for (int i = 0; i < alloy->n_solutes; i++)
        fastest = fmax(fastest, sw_kwn_diffusivity(&alloy->solute[i], temperature));
    return fastest;
}

int sw_kwn_is_cold(double temperature) { return temperature < COLD; }

const char *sw_kwn_cold_text(double temperature, char text[SW_KWN_COLD_TEXT])
{
    snprintf(text, SW_KWN_COLD_TEXT,
             " = %g K, %g degrees Celsius: below %g K nothing moves; %g degrees Celsius would be %g K",
             temperature, temperature - ICE_POINT, COLD, temperature, temperature + ICE_POINT);
    return text;
}

double sw_kwn_most_moved(const sw_kwn_alloy *alloy, int64_t n, const double *time, const float *temperature,
                         int64_t stride)
{
    double square = 0;
    for (int64_t k = 1; k < n; k++) {
        const double before = (double)temperature[(k - 1) * stride], after = (double)temperature[k * stride];
        square += 6 * sw_kwn_fastest_diffusivity(alloy, fmax(before, after)) * (time[k] - time[k - 1]);
    }
    return square;
}

int sw_kwn_is_frozen(const sw_kwn_alloy *alloy, double time, double most_moved)
{
    return time >= LONG && most_moved < alloy->lattice_parameter * alloy->lattice_parameter;
}
