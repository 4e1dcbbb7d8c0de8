/* Types of elements that decks name: what they are to us. */
#include <string.h>
#include <strings.h>

#include "model.h"

static const sw_deck_type types[] = {
#define OF(name, n)                  \
    {                                \
        name, SW_DECK_FORMULATION, n \
    }
    OF("C3D4", 4),
    OF("C3D6", 6),
    OF("C3D8", 8),
    OF("C3D8R", 8),
    OF("C3D8I", 8),
    OF("C3D8H", 8),
    OF("C3D10", 10),
    OF("C3D10M", 10),
    OF("C3D10T", 10),
    OF("C3D15", 15),
    OF("C3D20", 20),
    OF("C3D20R", 20),
#define PLANE(family)                                                                                \
    OF(family "3", 3), OF(family "4", 4), OF(family "4R", 4), OF(family "4I", 4), OF(family "6", 6), \
        OF(family "6M", 6), OF(family "8", 8), OF(family "8R", 8)
    PLANE("CPS"),
    PLANE("CPE"),
    PLANE("CAX"),
#undef PLANE
#undef OF
    {"S3", SW_DECK_SHELL, 3},
    {"S3R", SW_DECK_SHELL, 3},
    {"S4", SW_DECK_SHELL, 4},
    {"S4R", SW_DECK_SHELL, 4},
    {"S6", SW_DECK_SHELL, 6},
    {"S8", SW_DECK_SHELL, 8},
    {"S8R", SW_DECK_SHELL, 8},
    {"S8R5", SW_DECK_SHELL, 8},
    {"B31", SW_DECK_BEAM, 2},
    {"B31R", SW_DECK_BEAM, 2},
    {"B32", SW_DECK_BEAM, 3},
    {"B32R", SW_DECK_BEAM, 3},
    {"T2D2", SW_DECK_TRUSS, 2},
    {"T3D2", SW_DECK_TRUSS, 2},
    {"T3D3", SW_DECK_TRUSS, 3},
    {"M3D3", SW_DECK_MEMBRANE, 3},
    {"M3D4", SW_DECK_MEMBRANE, 4},
    {"M3D4R", SW_DECK_MEMBRANE, 4},
    {"M3D6", SW_DECK_MEMBRANE, 6},
    {"M3D8", SW_DECK_MEMBRANE, 8},
    {"M3D8R", SW_DECK_MEMBRANE, 8},
    {"SPRINGA", SW_DECK_SPRING, 2},
    {"SPRING1", SW_DECK_SPRING, 1},
    {"SPRING2", SW_DECK_SPRING, 2},
    {"GAPUNI", SW_DECK_SPRING, 2},
    {"DCOUP3D", SW_DECK_COUPLING_ELEMENT, 1},
    {"MASS", SW_DECK_MASS, 1},
    {"SFM3D3", SW_DECK_SURFACE_ELEMENT, 3},
    {"SFM3D4", SW_DECK_SURFACE_ELEMENT, 4},
    {"SFM3D4R", SW_DECK_SURFACE_ELEMENT, 4},
    {"SFM3D6", SW_DECK_SURFACE_ELEMENT, 6},
    {"SFM3D8", SW_DECK_SURFACE_ELEMENT, 8},
};

const sw_topology *sw_deck_flat(const sw_deck_type *type)
{
    static const sw_topology *const flat[9] = {
        [3] = &sw_tri3, [4] = &sw_quad4_any, [6] = &sw_tri6, [8] = &sw_quad8};
    return type->kind == SW_DECK_SHELL || type->kind == SW_DECK_MEMBRANE ||
                   type->kind == SW_DECK_SURFACE_ELEMENT
               ? flat[type->n_nodes]
               : NULL;
}

const sw_deck_type *sw_deck_find_type(const char *name, sw_deck_dialect dialect)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcasecmp(name, types[i].name) == 0)
            return types[i].kind != SW_DECK_FORMULATION || sw_formulation_find(name, (int)dialect) != NULL
                       ? &types[i]
                       : NULL;
    return NULL;
}
