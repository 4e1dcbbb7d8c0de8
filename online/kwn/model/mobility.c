#include "mobility.h"

#include <math.h>
#include <stdio.h>

#include "model.h"

#define COLD 200.0       /* K */
#define COOL 250.0       /* K: -23 degrees Celsius, of a freezer */
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

int sw_kwn_can_form(const sw_kwn_alloy *alloy, const double *composition, double temperature)
{
    for (int p = 0; p < alloy->n_phases; p++)
        if (sw_kwn_driving(alloy, &alloy->phase[p], composition, temperature) > 0)
            return 1;
    return 0;
}

int sw_kwn_span_add(sw_kwn_span *span, double temperature)
{
    const int is_colder = span->hottest == 0 || temperature < span->coldest;
    if (is_colder)
        span->coldest = temperature;
    span->hottest = fmax(span->hottest, temperature);
    return is_colder;
}

int sw_kwn_is_celsius(const sw_kwn_alloy *alloy, const sw_kwn_span *span)
{
    double composition[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++)
        composition[i] = alloy->solute[i].concentration;
    return span->coldest >= COLD && span->coldest < COOL &&
           sw_kwn_can_form(alloy, composition, span->hottest) &&
           !sw_kwn_can_form(alloy, composition, span->hottest + ICE_POINT);
}

const char *sw_kwn_celsius_text(const sw_kwn_span *span, char text[SW_KWN_CELSIUS_TEXT])
{
    snprintf(
        text, SW_KWN_CELSIUS_TEXT,
        " = %g K, below %g K, and at the highest temperature, %g K, phases can form, which at %g degrees "
        "Celsius, %g K, are dissolved: are temperatures in degrees Celsius?",
        span->coldest, COOL, span->hottest, span->hottest, span->hottest + ICE_POINT);
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
    return !(alloy->vacancies.sink_strength > 0) && time >= LONG &&
           most_moved < alloy->lattice_parameter * alloy->lattice_parameter;
}
