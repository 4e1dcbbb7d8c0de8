/* Body-centred tetragonal metals, as tin, by indices along a, a, c: the families of Fujiwara and Hirokawa, J. Jpn. Inst. Met. 51
 * (1987) 830. */
#include "common/crystal/lattice.h"

static const sw_family family[] = {
    {{1, 0, 0}, {0, 0, 1}, .name = "100_001"},   {{1, 1, 0}, {0, 0, 1}, .name = "110_001"},
    {{1, 0, 0}, {0, 1, 0}, .name = "100_010"},   {{1, 1, 0}, {1, -1, 1}, .name = "110_1-11"},
    {{1, 1, 0}, {1, -1, 0}, .name = "110_1-10"}, {{1, 0, 0}, {0, 1, 1}, .name = "100_011"},
    {{0, 0, 1}, {1, 0, 0}, .name = "001_100"},   {{0, 0, 1}, {1, 1, 0}, .name = "001_110"},
    {{1, 0, 1}, {1, 0, -1}, .name = "101_10-1"},
};

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

static const sw_texture_component ideal[] = {{"cube", "rolling", {0, 0, 1}, {1, 0, 0}},
                                             {"c_normal", "rolling", {0, 0, 1}, {0}}};

const sw_lattice sw_lattice_tetragonal = {
    .name = "tetragonal",
    .slip = "by families",
    .bravais = "tI",
    .group = &sw_point_group_422,
    .n_families = sizeof family / sizeof *family,
    .family = family,
    .vectors = vectors,
    .least_c_over_a = 0.3,
    .most_c_over_a = 3,
    .why_c_over_a = "tetragonal metals have 0.55 (Sn) to 1.08 (In), compounds up to 2.5 (MoSi2)",
    .elasticity = "C11 C12 C13 C33 C44 C66",
    .stiffness = stiffness,
    .yield_exponent = 6,
    .n_ideals = sizeof ideal / sizeof *ideal,
    .ideal = ideal,
    .pole = {{"001", {0, 0, 1}}, {"100", {1, 0, 0}}, {"110", {1, 1, 0}}},
};
