"""Ideal orientations and fibres: what results files hold of a metal and are read by, and fibres of tension and
compression, counted from orientations.
"""

import numpy as np

TOLERANCE = 15  # degrees
RANDOM = 100000  # orientations: fractions of a random texture to 0.05 %

# Names in results files (common/crystal/lattices/) that a loading is read by, and what bars are called
STORED = {
    "fcc": {
        "plane strain": ["Cube", "Goss", "Brass", "Copper", "S", "Taylor"],
        "shear": ["A1*", "A2*", "A", "A-bar", "B", "B-bar", "C"],
    },
    "bcc": {
        "plane strain": ["alpha", "gamma", "rotated_cube", "I", "E", "F", "Goss", "Cube"],
        "shear": ["shear_111", "shear_110", "shear_E", "shear_D", "shear_J", "shear_F"],
    },
    "hexagonal": {
        "plane strain": ["basal", "split_RD", "split_TD", "TD40_10-10", "c_RD", "c_TD", "10-10_RD", "11-20_RD"],
        "shear": ["shear_B", "shear_P"],
    },
    "tetragonal": {"plane strain": ["cube", "c_normal"]},
    "orthorhombic": {"plane strain": ["a_normal", "b_normal", "c_normal", "b_rolling"]},
}
LABELS = {
    "fcc": {"A-bar": r"$\overline{\mathrm{A}}$", "B-bar": r"$\overline{\mathrm{B}}$"},
    "bcc": {
        "alpha": "$\\alpha$ fibre\n<110>\n|| RD",
        "gamma": "$\\gamma$ fibre\n{111}\n|| ND",
        "rotated_cube": "rotated\ncube\n{001}\n<110>",
        "I": "I\n{112}\n<110>",
        "E": "E\n{111}\n<110>",
        "F": "F\n{111}\n<112>",
        "Goss": "Goss\n{011}\n<100>",
        "Cube": "cube\n{001}\n<100>",
        "shear_111": "<111>\n|| shear\ndirection",
        "shear_110": "{110}\n|| shear\nplane",
        "shear_E": "shear E\n{110}\n<111>",
        "shear_D": "shear D\n{112}\n<111>",
        "shear_J": "shear J\n{110}\n<112>",
        "shear_F": "shear F\n{110}\n<100>",
    },
    "hexagonal": {
        "basal": "basal\nc || ND",
        "split_RD": "c 15°\nto RD",
        "split_TD": "c 30°\nto TD",
        "TD40_10-10": "c 40° to\nTD, <10-10>\n|| RD",
        "c_RD": "c || RD",
        "c_TD": "c || TD",
        "10-10_RD": "<10-10>\n|| RD",
        "11-20_RD": "<11-20>\n|| RD",
        "shear_B": "B\nc || shear\nplane normal",
        "shear_P": "P\n<11-20> ||\nshear\ndirection",
    },
    "tetragonal": {"cube": "cube\n{001}\n<100>", "c_normal": "c || ND"},
    "orthorhombic": {"a_normal": "a || ND", "b_normal": "b || ND", "c_normal": "c || ND", "b_rolling": "b || RD"},
}
# Rotations that leave crystals as they are
GROUPS = {"fcc": "432", "bcc": "432", "hexagonal": "622", "tetragonal": "422", "orthorhombic": "222"}
# What tension and compression are read by: directions of the crystal, one of each pair of equivalents v, -v
THIRD = np.sqrt(3) / 2
FIBRES = {
    "hexagonal": {"<0001>": [(0, 0, 1)], "<10-10>": [(0, 1, 0), (THIRD, 0.5, 0), (THIRD, -0.5, 0)],
                  "<11-20>": [(1, 0, 0), (0.5, THIRD, 0), (0.5, -THIRD, 0)]},
    "tetragonal": {"<001>": [(0, 0, 1)], "<100>": [(1, 0, 0), (0, 1, 0)],
                   "<110>": [(np.sqrt(0.5), np.sqrt(0.5), 0), (np.sqrt(0.5), -np.sqrt(0.5), 0)]},
    "orthorhombic": {"[100]": [(1, 0, 0)], "[010]": [(0, 1, 0)], "[001]": [(0, 0, 1)]},
}


def lattice(structure):
    """"bcc" of bcc, bcc24, bcc48; "hexagonal", "tetragonal", "orthorhombic"; else "fcc"."""
    return structure if structure in FIBRES else "bcc" if structure.startswith("bcc") else "fcc"


def fibre_axis(loading):
    """The sample axis, 0 .. 2, of tension or compression, which metals of any structure are read by; None of other
    loadings, for which results files hold fractions."""
    return int(loading[-1]) - 1 if " along " in loading else None


# ---- Counting ----

# Half turns of the sample about its axes
HALF_TURNS = [np.diag(signs) for signs in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))]


def rotations(euler):
    """g [N][3][3], crystal -> sample, of Bunge's angles [N][3], rad: row i is sample axis i in the crystal."""
    (c1, c, c2), (s1, s, s2) = np.cos(euler).T, np.sin(euler).T
    return np.array([[c1 * c2 - s1 * c * s2, -c1 * s2 - s1 * c * c2, s1 * s],
                     [s1 * c2 + c1 * c * s2, -s1 * s2 + c1 * c * c2, -c1 * s],
                     [s * s2, s * c2, c]]).transpose(2, 0, 1)


def random_rotations(count, random=None):
    """Uniform; always the same ones unless a generator is given."""
    u = (random or np.random.default_rng(1)).random((count, 3))
    return rotations(np.column_stack([2 * np.pi * u[:, 0], np.arccos(1 - 2 * u[:, 1]), 2 * np.pi * u[:, 2]]))


def unit(vector):
    return np.asarray(vector, dtype=float) / np.linalg.norm(vector)


def cosine_from_fibre(g, axis, hkl):
    """Of the angle between a sample axis and the nearest <hkl>; [N]"""
    return np.sort(np.abs(g[:, axis]), axis=1) @ np.sort(np.abs(unit(hkl)))


def fractions_of(g, axis, weight=None):
    """Of the orientations g [N][3][3], by weight [N], within TOLERANCE of <100>, <110> and <111> along a sample axis."""
    return np.array([np.average(cosine_from_fibre(g, axis, uvw) >= np.cos(np.radians(TOLERANCE)) - 1e-12, weights=weight)
                     for uvw in ((1, 0, 0), (1, 1, 0), (1, 1, 1))])


def fractions_near(g, axis, families, weight=None):
    """... of families of directions."""
    limit = np.cos(np.radians(TOLERANCE)) - 1e-12
    return np.array([np.average(np.abs(g[:, axis] @ np.transpose(family)).max(axis=1) >= limit, weights=weight)
                     for family in families])


def counted(euler, axis, weight=None, lattice="fcc"):
    """Labels, fractions by weight [N] and those of a random texture."""
    if lattice in FIBRES:
        families = FIBRES[lattice]
        return ([f"{name} || axis {axis + 1}" for name in families],
                fractions_near(rotations(euler), axis, families.values(), weight),
                fractions_near(random_rotations(RANDOM), axis, families.values()))
    labels = [f"<{uvw}> || axis {axis + 1}" for uvw in ("100", "110", "111")]
    return labels, fractions_of(rotations(euler), axis, weight), fractions_of(random_rotations(RANDOM), axis)
