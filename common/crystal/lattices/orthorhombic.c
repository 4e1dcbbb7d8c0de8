/* Orthorhombic metals, as alpha uranium, by indices along a, b, c: the slip of Cahn, Acta Metall. 1 (1953) 49, and Daniel, Lesage and
 * Lacombe, Acta Metall. 19 (1971) 163. Twins are not among them. */
#include "common/crystal/lattice.h"

static const sw_family family[] = {
    {{0, 1, 0}, {1, 0, 0}, .name = "010_100"},
    {{0, 0, 1}, {1, 0, 0}, .name = "001_100"},
    {{1, 1, 0}, {1, -1, 0}, .name = "110_1-10"},
    {{0, 2, 1}, {1, -1, 2}, .name = "021_1-12"},
};

/* Of a crystal whose b is a. */
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
    const double c[6][6] = {{e->c11, e->c12, e->c13, 0, 0, 0}, {e->c12, e->c22, e->c23, 0, 0, 0},
                            {e->c13, e->c23, e->c33, 0, 0, 0}, {0, 0, 0, e->c44, 0, 0},
                            {0, 0, 0, 0, e->c55, 0},           {0, 0, 0, 0, 0, e->c66}};
    sw_stiffness_of_matrix(c, made);
}

static const sw_texture_component ideal[] = {{"a_normal", "rolling", {1, 0, 0}, {0}},
                                             {"b_normal", "rolling", {0, 1, 0}, {0}},
                                             {"c_normal", "rolling", {0, 0, 1}, {0}},
                                             {"b_rolling", "rolling", {0}, {0, 1, 0}}};

const sw_lattice sw_lattice_orthorhombic = {
    .name = "orthorhombic",
    .slip = "by families",
    .bravais = "oS",
    .group = &sw_point_group_222,
    .n_families = sizeof family / sizeof *family,
    .family = family,
    .vectors = vectors,
    .three_axes = 1,
    .least_c_over_a = 0.1,
    .most_c_over_a = 10,
    .why_c_over_a = "alpha uranium has 1.736",
    .elasticity = "C11 C12 C13 C22 C23 C33 C44 C55 C66",
    .stiffness = stiffness,
    .yield_exponent = 6,
    .n_ideals = sizeof ideal / sizeof *ideal,
    .ideal = ideal,
    .pole = {{"001", {0, 0, 1}}, {"100", {1, 0, 0}}, {"010", {0, 1, 0}}},
};
