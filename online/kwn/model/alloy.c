#include "alloy.h"

#include <math.h>
#include <string.h>

int sw_kwn_solutes(const sw_kwn_alloy *alloy) { return alloy->n_solutes; }
int sw_kwn_phases(const sw_kwn_alloy *alloy) { return alloy->n_phases; }

int sw_kwn_find_solute(const sw_kwn_alloy *alloy, const char *element)
{
    int i = alloy->n_solutes - 1;
    while (i >= 0 && strcmp(alloy->solute[i].element, element) != 0)
        i--;
    return i;
}

int sw_kwn_find_phase(const sw_kwn_alloy *alloy, const char *name)
{
    int p = alloy->n_phases - 1;
    while (p >= 0 && strcmp(alloy->phase[p].name, name) != 0)
        p--;
    return p;
}

double sw_kwn_concentration(const sw_kwn_alloy *alloy, int solute)
{
    return alloy->solute[solute].concentration;
}

/* ---- Weight percent: x_i = (w_i / M_i) / sum over all elements ---- */

static int has_weights(const sw_kwn_alloy *alloy) { return alloy->molar_mass[alloy->n_solutes] > 0; }

void sw_kwn_to_fractions(const sw_kwn_alloy *alloy, const double *given, double *fraction)
{
    const int n = alloy->n_solutes;
    double rest = 100, moles = 0;
    memmove(fraction, given, (size_t)n * sizeof *fraction); /* in place, too */
    if (!has_weights(alloy))
        return;
    for (int i = 0; i < n; i++) {
        rest -= fraction[i];
        moles += fraction[i] / alloy->molar_mass[i];
    }
    moles += fmax(rest, 0) / alloy->molar_mass[n];
    for (int i = 0; i < n; i++)
        fraction[i] = fraction[i] / alloy->molar_mass[i] / moles;
}

void sw_kwn_from_fractions(const sw_kwn_alloy *alloy, const double *fraction, double *given)
{
    const int n = alloy->n_solutes;
    double rest = 1, mass = 0;
    memmove(given, fraction, (size_t)n * sizeof *given);
    if (!has_weights(alloy))
        return;
    for (int i = 0; i < n; i++) {
        rest -= given[i];
        mass += given[i] * alloy->molar_mass[i];
    }
    mass += rest * alloy->molar_mass[n];
    for (int i = 0; i < n; i++)
        given[i] = 100 * given[i] * alloy->molar_mass[i] / mass;
}

double sw_kwn_most_of(const sw_kwn_alloy *alloy, const double *given, int i, double fraction)
{
    const double own = alloy->molar_mass[i], matrix = alloy->molar_mass[alloy->n_solutes];
    double left = 100, moles = 0;
    if (!has_weights(alloy))
        return fraction;
    for (int k = 0; k < alloy->n_solutes; k++)
        if (k != i) {
            left -= given[k];
            moles += given[k] / alloy->molar_mass[k];
        }
    return fmin(fmax(left, 0),
                fraction * (moles + left / matrix) / ((1 - fraction) / own + fraction / matrix));
}
