#include "lattice.h"

#include <string.h>

#define ENTRY(name) &sw_lattice_##name,
const sw_lattice *const sw_lattices[SW_LATTICES] = {SW_LATTICE_LIST(ENTRY)};
#define NAME(name) #name,
const char *const sw_lattice_names[SW_LATTICES] = {SW_LATTICE_LIST(NAME)};

const sw_lattice *sw_lattice_find(const char *name)
{
    for (int i = 0; i < SW_LATTICES; i++)
        if (strcmp(sw_lattices[i]->name, name) == 0)
            return sw_lattices[i];
    return NULL;
}
