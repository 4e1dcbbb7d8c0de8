/* Types of elements in Abaqus' input files: which are read, and what of them an analysis does otherwise. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "inp.h"

static const sw_fem_inp_type types[] = {
    {"C3D8", 8, 3, 1, SW_FEM_SOLID, "solid"},
    {"DC3D8", 8, 3, 1, -1, "heat in space"},
    {"CPS4", 4, 2, 1, SW_FEM_PLANE_STRESS, "plane stress"},
    {"CPE4", 4, 2, 1, SW_FEM_PLANE_STRAIN, "plane strain"},
    {"CPEG4", 4, 2, 1, -1, "generalised plane strain"},
    {"CAX4", 4, 2, 1, SW_FEM_AXISYMMETRIC, "axisymmetric"},
    {"DC2D4", 4, 2, 1, SW_FEM_HEAT, "heat"},
    {"DCAX4", 4, 2, 1, -1, "axisymmetric heat"},
    {"S4", 4, 2, 0, -1, "shell"},
    {"M3D4", 4, 2, 0, -1, "membrane"},
    {"T2D2", 2, 1, 0, -1, "truss"},
    {"T3D2", 2, 1, 0, -1, "truss"},
    {"SFM3D4", 4, 2, 0, -1, "surface"},
};

const sw_fem_inp_type sw_fem_inp_unread = {.name = "type that is not read", .kinematics = -1};

static const struct {
    char letter;
    const char *means;
} endings[] = {
    {'R', "reduced integration"}, {'I', "incompatible modes"}, {'H', "hybrid"}, {'T', "with temperature"}};

const sw_fem_inp_type *sw_fem_inp_find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i].name);
        if (strncasecmp(name, types[i].name, n) == 0 && !isdigit((unsigned char)name[n]))
            return &types[i];
    }
    return NULL;
}

static void append(char *text, size_t size, const char *more)
{
    const size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", n > 0 ? ", " : "", more);
}

/* What the letters after the type say, where they say anything. */
static void describe_ending(const char *ending, char *text, size_t size)
{
    for (; *ending != '\0'; ending++)
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (toupper((unsigned char)*ending) == endings[i].letter)
                append(text, size, endings[i].means);
}

int sw_fem_overrides_type(const char *name, sw_fem_kinematics kinematics, char *text, size_t size)
{
    const sw_fem_inp_type *type = sw_fem_inp_find_type(name);
    *text = '\0';
    if (type == NULL)
        return 0;
    const char *ending = name + strlen(type->name);
    if (type->kinematics != (int)kinematics)
        append(text, size, type->says);
    describe_ending(ending, text, size);
    return *text != '\0';
}
