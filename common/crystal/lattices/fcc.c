/* Face-centred cubic metals: slip on {111}<110>, 12 systems. */
#include "common/crystal/lattice.h"

static const sw_family family[] = {{{1, 1, 1}, {0, 1, -1}, .name = "111"}};

/* Rolling: Hirsch and Luecke, Acta Metall. 36 (1988) 2863; Taylor is Dillamore and Katoh's {4 4 11}<11 11 8>,
 * Met. Sci. 8 (1974) 73. Shear: Toth, Gilormini and Jonas, Acta Metall. 36 (1988) 3077. */
static const sw_texture_component ideal[] = {
    {"Cube", "rolling", {0, 0, 1}, {1, 0, 0}},   {"Goss", "rolling", {0, 1, 1}, {1, 0, 0}},
    {"Brass", "rolling", {0, 1, 1}, {2, 1, -1}}, {"Copper", "rolling", {1, 1, 2}, {1, 1, -1}},
    {"S", "rolling", {1, 2, 3}, {6, 3, -4}},     {"Taylor", "rolling", {4, 4, 11}, {11, 11, -8}},
    {"A1*", "shear", {-1, -1, 1}, {1, 1, 2}},    {"A2*", "shear", {1, 1, 1}, {1, 1, -2}},
    {"A", "shear", {1, -1, 1}, {1, 1, 0}},       {"A-bar", "shear", {-1, 1, -1}, {-1, -1, 0}},
    {"B", "shear", {1, -1, 2}, {1, 1, 0}},       {"B-bar", "shear", {-1, 1, -2}, {-1, -1, 0}},
    {"C", "shear", {0, 0, 1}, {1, 1, 0}},
};

const sw_lattice sw_lattice_fcc = {
    .name = "fcc",
    .slip = "{111}<110>",
    .bravais = "cF",
    .group = &sw_point_group_432,
    .n_families = 1,
    .family = family,
    .elasticity = "C11 C12 C44",
    .stiffness = sw_stiffness_cubic,
    .yield_exponent = 8,
    .n_ideals = sizeof ideal / sizeof *ideal,
    .ideal = ideal,
    .pole = {{"111", {1, 1, 1}}, {"100", {1, 0, 0}}, {"110", {1, 1, 0}}},
};
