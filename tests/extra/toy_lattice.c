/* A body-centred tetragonal crystal, as a newcomer would write it: slip on {101}<10-1>, {110}<1-11> and {100}<010>, 10
 * systems. */
#include "common/crystal/lattice.h"

static const sw_family family[] = {{.plane = {1, 0, 1}, .direction = {1, 0, -1}},
                                   {.plane = {1, 1, 0}, .direction = {1, -1, 1}},
                                   {.plane = {1, 0, 0}, .direction = {0, 1, 0}}};

/* Planes are normal to reciprocal vectors. */
static void vectors(double c_over_a, const double hkl[4], const double uvw[4], double normal[3],
                    double direction[3])
{
    for (int i = 0; i < 3; i++) {
        normal[i] = hkl[i] / (i < 2 ? 1 : c_over_a);
        direction[i] = uvw[i] * (i < 2 ? 1 : c_over_a);
    }
}

static void stiffness(const sw_elasticity *e, sw_stiffness *made)
{
    const double c[6][6] = {{e->c11, e->c12, e->c13, 0, 0, 0}, {e->c12, e->c11, e->c13, 0, 0, 0},
                            {e->c13, e->c13, e->c33, 0, 0, 0}, {0, 0, 0, e->c44, 0, 0},
                            {0, 0, 0, 0, e->c44, 0},           {0, 0, 0, 0, 0, e->c66}};
    sw_stiffness_of_matrix(c, made);
}

static const sw_texture_component ideal[] = {{"plate", "rolling", {0, 0, 1}, {1, 0, 0}},
                                             {"prism", "rolling", {1, 0, 0}, {0, 0, 1}},
                                             {"basal", "rolling", {0, 0, 1}, {0}}};

const sw_lattice sw_lattice_toy = {
    .name = "toy",
    .slip = "{101}<10-1>, {110}<1-11>, {100}<010>",
    .bravais = "tI",
    .group = &sw_point_group_422,
    .n_families = 3,
    .family = family,
    .vectors = vectors,
    .least_c_over_a = 0.3,
    .most_c_over_a = 3,
    .why_c_over_a = "of known tetragonal metals",
    .elasticity = "C11 C12 C13 C33 C44 C66",
    .stiffness = stiffness,
    .yield_exponent = 6,
    .n_ideals = 3,
    .ideal = ideal,
    .pole = {{"001", {0, 0, 1}}, {"100", {1, 0, 0}}, {"110", {1, 1, 0}}},
};
