/* Body-centred cubic metals: slip along <111> on {110}, 12 systems; on {112}, too, 24; and on {123}, 48, close to slip on any
 * plane that holds <111>. */
#include "common/crystal/lattice.h"

static const sw_family family[] = {{{0, 1, 1}, {1, -1, 1}, .name = "110"},
                                   {{1, 1, 2}, {1, 1, -1}, .name = "112"},
                                   {{1, 2, 3}, {1, 1, -1}, .name = "123"}};

/* Rolling: Ray, Jonas and Hook, Int. Mater. Rev. 39 (1994) 129; I, E, F: Raabe and Luecke, Scripta Metall. 27 (1992)
 * 1533. Shear: Li, Beyerlein and Bourke, Mater. Sci. Eng. A 394 (2005) 66; D1 and D2, E and E-bar, J and J-bar are
 * counted together. */
static const sw_texture_component ideal[] = {
    {"alpha", "rolling", {0}, {1, 1, 0}},
    {"gamma", "rolling", {1, 1, 1}, {0}},
    {"rotated_cube", "rolling", {0, 0, 1}, {1, 1, 0}},
    {"I", "rolling", {1, 1, 2}, {1, -1, 0}},
    {"E", "rolling", {1, 1, 1}, {1, -1, 0}},
    {"F", "rolling", {1, 1, 1}, {1, 1, -2}},
    {"Goss", "rolling", {0, 1, 1}, {1, 0, 0}},
    {"Cube", "rolling", {0, 0, 1}, {1, 0, 0}},
    {"shear_111", "shear pairs", {0}, {1, 1, 1}},
    {"shear_110", "shear pairs", {1, 1, 0}, {0}},
    {"shear_E", "shear pairs", {1, 1, 0}, {1, -1, 1}},
    {"shear_D", "shear pairs", {1, 1, 2}, {1, 1, -1}},
    {"shear_J", "shear pairs", {1, 1, 0}, {1, -1, 2}},
    {"shear_F", "shear pairs", {1, 1, 0}, {0, 0, 1}},
};

#define BCC(name_, slip_, families)                                                                     \
    {                                                                                                   \
        .name = (name_), .slip = (slip_), .bravais = "cI", .group = &sw_point_group_432,                \
        .n_families = (families), .family = family, .elasticity = "C11 C12 C44",                        \
        .stiffness = sw_stiffness_cubic, .yield_exponent = 6, .n_ideals = sizeof ideal / sizeof *ideal, \
        .ideal = ideal, .pole = {{"110", {1, 1, 0}}, {"200", {2, 0, 0}}, {"211", {2, 1, 1}}},           \
    }

const sw_lattice sw_lattice_bcc = BCC("bcc", "{110}<111>", 1);
const sw_lattice sw_lattice_bcc24 = BCC("bcc24", "{110}, {112}<111>", 2);
const sw_lattice sw_lattice_bcc48 = BCC("bcc48", "{110}, {112}, {123}<111>", 3);
