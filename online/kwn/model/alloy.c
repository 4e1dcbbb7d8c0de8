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
    for (int i = 0; i < n && has_weights(alloy); i++) {
        rest -= given[i];
        moles += given[i] / alloy->molar_mass[i];
    }
    moles += fmax(rest, 0) / alloy->molar_mass[n];
    for (int i = 0; i < n; i++)
        fraction[i] = has_weights(alloy) ? given[i] / alloy->molar_mass[i] / moles : given[i];
}

void sw_kwn_from_fractions(const sw_kwn_alloy *alloy, const double *fraction, double *given)
{
    const int n = alloy->n_solutes;
    double rest = 1, mass = 0;
    for (int i = 0; i < n; i++) {
        rest -= fraction[i];
        mass += fraction[i] * alloy->molar_mass[i];
    }
    mass += rest * alloy->molar_mass[n];
    for (int i = 0; i < n; i++)
        given[i] = has_weights(alloy) ? 100 * fraction[i] * alloy->molar_mass[i] / mass : fraction[i];
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
