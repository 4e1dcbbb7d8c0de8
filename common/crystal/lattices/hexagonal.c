/* Hexagonal close-packed metals, by Miller-Bravais indices: a1 along x, a2 at 120 degrees from it, c along z. Slip along <a> and
 * <c+a>, and the four twins of Christian and Mahajan, Prog. Mater. Sci. 39 (1995) 1, table 4, whose shears are theirs. */
#include <math.h>

#include "common/crystal/lattice.h"

static double shear_1012(double c) { return (3 - c * c) / (sqrt(3) * c); }
static double shear_1121(double c) { return 1 / c; }
static double shear_1011(double c) { return (4 * c * c - 9) / (4 * sqrt(3) * c); }
static double shear_1122(double c) { return 2 * (c * c - 2) / (3 * c); }

static const sw_family family[] = {
    {{0, 0, 0, 1}, {2, -1, -1, 0}, .name = "basal"},
    {{0, 1, -1, 0}, {2, -1, -1, 0}, .name = "prismatic"},
    {{0, 1, -1, 1}, {2, -1, -1, 0}, .name = "pyramidal_a"},
    {{1, 0, -1, 1}, {-2, 1, 1, 3}, .name = "pyramidal_ca"},
    {{1, 1, -2, 2}, {-1, -1, 2, 3}, .name = "pyramidal2_ca"},
    {{1, 0, -1, 2}, {-1, 0, 1, 1}, .name = "tension_twin", .twin_shear = shear_1012},
    {{1, 1, -2, 1}, {-1, -1, 2, 6}, .name = "tension_twin2", .twin_shear = shear_1121},
    {{1, 0, -1, 1}, {1, 0, -1, -2}, .name = "compression_twin", .twin_shear = shear_1011},
    {{1, 1, -2, 2}, {1, 1, -2, -3}, .name = "compression_twin2", .twin_shear = shear_1122},
};

/* Planes are normal to reciprocal vectors. */
static void vectors(double c_over_a, const double p[4], const double d[4], double normal[3],
                    double direction[3])
{
    normal[0] = p[0];
    normal[1] = (p[0] + 2 * p[1]) / sqrt(3);
    normal[2] = p[3] / c_over_a;
    direction[0] = d[0] - 0.5 * (d[1] + d[2]);
    direction[1] = 0.5 * sqrt(3) * (d[1] - d[2]);
    direction[2] = d[3] * c_over_a;
}

static void stiffness(const sw_elasticity *e, sw_stiffness *made)
{
    const double c66 = (e->c11 - e->c12) / 2;
    const double c[6][6] = {{e->c11, e->c12, e->c13, 0, 0, 0}, {e->c12, e->c11, e->c13, 0, 0, 0},
                            {e->c13, e->c13, e->c33, 0, 0, 0}, {0, 0, 0, e->c44, 0, 0},
                            {0, 0, 0, 0, e->c44, 0},           {0, 0, 0, 0, 0, c66}};
    sw_stiffness_of_matrix(c, made);
}

/* Sheets: Wang and Huang, Mater. Chem. Phys. 81 (2003) 11: c along the normal, in magnesium; 15 to 25 degrees from it towards RD,
 * in zinc; 20 to 40 degrees towards TD with <10-10> along RD, in titanium and zirconium; of rolled titanium 40 degrees: Lee,
 * Esling and Bunge, Textures Microstruct. 7 (1988) 317. Shear: the basal fibre B and the prismatic fibre P of Beausir, Toth and
 * Neale, Acta Mater. 55 (2007) 2695. */
static const sw_texture_component ideal[] = {
    {"basal", "rolling", {0, 0, 1}, {0}},
    {"split_RD", "15 to RD", {0, 0, 1}, {0}},
    {"split_TD", "30 to TD", {0, 0, 1}, {0}},
    {"TD40_10-10",
     "rolling",
     {0.83909963117728, 0, 1},
     {0, 1, 0}}, /* {0001}<10-10>, then 40 degrees about RD */
    {"c_RD", "rolling", {0}, {0, 0, 1}},
    {"c_TD", "shear pairs", {0, 0, 1}, {0}},
    {"10-10_RD", "rolling", {0}, {0, 1, 0}},
    {"11-20_RD", "rolling", {0}, {1, 0, 0}},
    {"shear_B", "shear pairs", {0, 0, 1}, {0}},
    {"shear_P", "shear pairs", {0}, {1, 0, 0}},
};

const sw_lattice sw_lattice_hexagonal = {
    .name = "hexagonal",
    .slip = "by families",
    .bravais = "hP",
    .group = &sw_point_group_622,
    .n_families = sizeof family / sizeof *family,
    .family = family,
    .vectors = vectors,
    .least_c_over_a = 1.4,
    .most_c_over_a = 2,
    .why_c_over_a = "hexagonal metals have 1.57 (Be) to 1.89 (Cd)",
    .elasticity = "C11 C12 C13 C33 C44",
    .stiffness = stiffness,
    .yield_exponent = 8,
    .n_ideals = sizeof ideal / sizeof *ideal,
    .ideal = ideal,
    .pole = {{"0002", {0, 0, 0, 2}}, {"10-10", {1, 0, -1, 0}}, {"10-11", {1, 0, -1, 1}}},
};
