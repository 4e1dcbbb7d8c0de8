"""Volume fractions of ideal orientations and fibres, counted from orientations: those of BCC metals and of tension and
compression. Results files hold those of FCC metals in rolling and shear (online/texture/texture_components.c).
"""

from itertools import permutations, product

import numpy as np

TOLERANCE = 15  # degrees
RANDOM = 100000  # orientations: fractions of a random texture to 0.05 %

# Loading: axes (0, 1, 2) of the plane's normal and of the direction; {label: (plane, direction)}, of a fibre one of
# them. Rolling: Ray, Jonas and Hook, Int. Mater. Rev. 39 (1994) 129. Shear: Li, Beyerlein and Bourke, Mater. Sci. Eng.
# A 394 (2005) 66; D1 and D2, E and E-bar, J and J-bar are counted together.
BCC = {
    "plane strain": (2, 0, {
        "$\\alpha$ fibre\n<110>\n|| RD": (None, (1, 1, 0)),
        "$\\gamma$ fibre\n{111}\n|| ND": ((1, 1, 1), None),
        "rotated\ncube\n{001}\n<110>": ((0, 0, 1), (1, 1, 0)),
        "{112}\n<110>": ((1, 1, 2), (1, -1, 0)),
        "{111}\n<110>": ((1, 1, 1), (1, -1, 0)),
        "{111}\n<112>": ((1, 1, 1), (1, 1, -2)),
        "Goss\n{011}\n<100>": ((0, 1, 1), (1, 0, 0)),
        "cube\n{001}\n<100>": ((0, 0, 1), (1, 0, 0)),
    }),
    "shear": (1, 0, {
        "<111> ||\ndirection": (None, (1, 1, 1)),
        "{110} ||\nplane": ((1, 1, 0), None),
        "E\n{110}<111>": ((1, 1, 0), (1, -1, 1)),
        "D\n{112}<111>": ((1, 1, 2), (1, 1, -1)),
        "J\n{110}<112>": ((1, 1, 0), (1, -1, 2)),
        "F\n{110}<100>": ((1, 1, 0), (0, 0, 1)),
    }),
}


def fibres(axis):
    """Of tension and compression along a sample axis, of any cubic metal."""
    return axis, axis, {f"<{''.join(map(str, uvw))}> || axis {axis + 1}": (None, uvw)
                        for uvw in ((1, 0, 0), (1, 1, 0), (1, 1, 1))}


def table_of(structure, loading):
    """What is counted, or None where the results file's own fractions are meant."""
    if " along " in loading:
        return fibres(int(loading[-1]) - 1)
    return BCC.get(loading) if structure.startswith("bcc") else None


# ---- Counting ----

# Proper rotations of a cube [24][3][3], and half turns of the sample about its axes
CUBE = [matrix for order in permutations(np.eye(3)) for signs in product((1, -1), repeat=3)
        if np.linalg.det(matrix := np.array(signs)[:, None] * order) > 0]
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


def cosine_from_orientation(g, normal, direction, hkl, uvw):
    """Of the disorientation from the nearest of the equivalents, of the crystal and by half turns of the sample; [N]"""
    ideal = np.empty((3, 3))
    ideal[normal], ideal[direction] = unit(hkl), unit(uvw)
    third = 3 - normal - direction
    ideal[third] = np.cross(ideal[(third + 1) % 3], ideal[(third + 2) % 3])
    equivalent = np.array([(turn @ ideal @ s).ravel() for turn in HALF_TURNS for s in CUBE])
    trace = g.reshape(-1, 9) @ equivalent.T  # of g' times the equivalent
    return (trace.max(axis=1) - 1) / 2


def fractions_of(g, table, weight=None):
    """Of the orientations g [N][3][3], by weight [N], within TOLERANCE of each of a table's."""
    normal, direction, components = table
    cosines = [cosine_from_fibre(g, direction, uvw) if hkl is None else cosine_from_fibre(g, normal, hkl)
               if uvw is None else cosine_from_orientation(g, normal, direction, hkl, uvw)
               for hkl, uvw in components.values()]
    return np.array([np.average(cosine >= np.cos(np.radians(TOLERANCE)) - 1e-12, weights=weight)
                     for cosine in cosines])


def counted(euler, table, weight=None):
    """Labels, fractions by weight [N] and those of a random texture."""
    return list(table[2]), fractions_of(rotations(euler), table, weight), fractions_of(random_rotations(RANDOM), table)
