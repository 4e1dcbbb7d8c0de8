#include "alloy.h"

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
