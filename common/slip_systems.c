#include "slip_systems.h"

#define A 0.57735026918962576451 /* 1 / sqrt(3) */
#define B 0.70710678118654752440 /* 1 / sqrt(2) */

/* {111}<110>, ordered by plane: systems 3k .. 3k+2 are coplanar. */
static const double fcc_normal[][3] = {
    {A, A, A},  {A, A, A},  {A, A, A},  {-A, A, A}, {-A, A, A}, {-A, A, A},
    {A, -A, A}, {A, -A, A}, {A, -A, A}, {A, A, -A}, {A, A, -A}, {A, A, -A},
};
static const double fcc_direction[][3] = {
    {0, B, -B}, {-B, 0, B}, {B, -B, 0}, {0, B, -B}, {B, 0, B}, {B, B, 0},
    {0, B, B},  {B, 0, -B}, {B, B, 0},  {0, B, B},  {B, 0, B}, {B, -B, 0},
};

static const sw_slip_systems structures[SW_CRYSTAL_STRUCTURE_COUNT] = {
    [SW_FCC] = {"fcc", "{111}<110>", sizeof fcc_normal / sizeof *fcc_normal, fcc_direction, fcc_normal},
};

const sw_slip_systems *sw_slip_systems_of(sw_crystal_structure structure) { return &structures[structure]; }
