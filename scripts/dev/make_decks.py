#!/usr/bin/env python3
"""Decks for a comparison of programs: eight problems, each one thing that decks ask for.

    scripts/dev/make_decks.py FOLDER [--size 1.0]

Writes FOLDER/*.inp and FOLDER/list.txt for compare_decks.py. --size multiplies the elements along every edge. mm, N, MPa:

    tet10      a block of ten-node tetrahedra, sheared
    hex20      a cantilever of C3D20R under pressure
    tie        two blocks whose meshes do not meet, tied
    equation   a periodic block, stretched by its reference node
    inclined   a block on a slope: TRANSFORM
    kinematic  a bar with kinematic hardening, to and fro (NLGEOM: without, CalculiX 2.20 softens)
    thermal    two metals, heated
    nlgeom     a strip bent far
"""

import argparse
from pathlib import Path

import numpy as np

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
TETRAHEDRA = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]
TET_EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3\n"


class Mesh:
    """A box of cells; nodes [N][3], elements as 0-based rows."""

    def __init__(self, cells, size, at=(0, 0, 0)):
        n = np.array(cells)
        grid = np.indices(n[::-1] + 1)[::-1].reshape(3, -1).T
        self.position = list(map(tuple, grid * np.array(size) / n + np.array(at)))
        step = np.array([1, n[0] + 1, (n[0] + 1) * (n[1] + 1)])
        low = (np.indices(n[::-1])[::-1].reshape(3, -1).T * step).sum(axis=1)
        corner = [0, step[0], step[0] + step[1], step[1]]
        self.element = low[:, None] + np.array(corner + [c + step[2] for c in corner])
        self.middle = {}

    def between(self, a, b):
        """The node in the middle of an edge."""
        key = (min(a, b), max(a, b))
        if key not in self.middle:
            self.middle[key] = len(self.position)
            self.position.append(tuple((np.array(self.position[a]) + np.array(self.position[b])) / 2))
        return self.middle[key]

    def hex20(self):
        self.element = [list(e) + [self.between(e[a], e[b]) for a, b in EDGES] for e in self.element]
        return self

    def tet10(self):
        made = []
        for e in self.element:
            for t in TETRAHEDRA:
                corner = [e[i] for i in t]
                made.append(corner + [self.between(corner[a], corner[b]) for a, b in TET_EDGES])
        self.element = made
        return self

    def nodes(self, condition):
        return [k for k, x in enumerate(self.position) if condition(*x)]

    def text(self, kind, elset, first=1, first_element=1):
        rows = [f"*NODE\n"] + [f"{k + first}, {x:.9g}, {y:.9g}, {z:.9g}\n" for k, (x, y, z) in enumerate(self.position)]
        rows.append(f"*ELEMENT, TYPE={kind}, ELSET={elset}\n")
        for k, e in enumerate(self.element):
            row = [str(k + first_element)] + [str(int(i) + first) for i in e]
            rows.append(", ".join(row[:11]) + ("," if len(row) > 11 else "") + "\n")
            if len(row) > 11:
                rows.append(", ".join(row[11:]) + "\n")
        return "".join(rows)


def nset(name, nodes, first=1):
    lines = [", ".join(str(k + first) for k in nodes[i:i + 12]) for i in range(0, len(nodes), 12)]
    return f"*NSET, NSET={name}\n" + "\n".join(lines) + "\n"


def section(elset, material="STEEL"):
    return f"*SOLID SECTION, ELSET={elset}, MATERIAL={material}\n"


def step(inside, parameters="", static=""):
    return f"*STEP{parameters}\n*STATIC{static}\n{inside}*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n"


def near(a, b):
    return abs(a - b) < 1e-6


def tet10(scale):
    n = max(2, round(9 * scale))
    mesh = Mesh((n, n, n), (10, 10, 10)).tet10()
    return (mesh.text("C3D10", "BODY") + nset("LOW", mesh.nodes(lambda x, y, z: near(z, 0))) +
            nset("TOP", mesh.nodes(lambda x, y, z: near(z, 10))) + STEEL + section("BODY") +
            step("*BOUNDARY\nLOW, 1, 3\nTOP, 1, 1, 0.1\nTOP, 2, 3\n"))


def hex20(scale):
    n = max(1, round(5 * scale))
    mesh = Mesh((8 * n, n, n), (80, 10, 10)).hex20()
    per_layer = 8 * n * n
    top = range(per_layer * (n - 1) + 1, per_layer * n + 1)
    return (mesh.text("C3D20R", "BODY") + nset("END", mesh.nodes(lambda x, y, z: near(x, 0))) + STEEL + section("BODY") +
            f"*ELSET, ELSET=TOP, GENERATE\n{top[0]}, {top[-1]}\n" +
            step("*BOUNDARY\nEND, 1, 3\n*DLOAD\nTOP, P2, 1.\n"))


def tie(scale):
    n = max(2, round(8 * scale))
    low, high = Mesh((n, n, n), (10, 10, 10)), Mesh((n + 1, n + 1, n + 1), (10, 10, 10), (0, 0, 10))
    first, first_element = len(low.position) + 1, len(low.element) + 1
    return (low.text("C3D8", "LOW") + high.text("C3D8", "HIGH", first, first_element) + STEEL + section("LOW") +
            section("HIGH") + nset("FOOT", low.nodes(lambda x, y, z: near(z, 0))) +
            nset("HEAD", high.nodes(lambda x, y, z: near(z, 20)), first) +
            f"*ELSET, ELSET=UNDER, GENERATE\n{n * n * (n - 1) + 1}, {n ** 3}\n"
            f"*ELSET, ELSET=OVER, GENERATE\n{first_element}, {first_element + (n + 1) ** 2 - 1}\n"
            "*SURFACE, NAME=MASTER\nUNDER, S2\n*SURFACE, NAME=SLAVE\nOVER, S1\n"
            "*TIE, NAME=GLUE, POSITION TOLERANCE=0.1\nSLAVE, MASTER\n" +
            step("*BOUNDARY\nFOOT, 1, 3\nHEAD, 1, 1, 0.05\nHEAD, 3, 3, 0.02\n"))


def equation(scale):
    n = max(2, round(10 * scale))
    mesh = Mesh((n, n, n), (10, 10, 10))
    reference = len(mesh.position) + 1
    text = [mesh.text("C3D8", "BODY"), f"*NODE\n{reference}, 20., 0., 0.\n"]
    index = {tuple(np.round(x, 6)): k + 1 for k, x in enumerate(mesh.position)}
    for (x, y, z), k in index.items():
        if near(x, 10):
            for i in (1, 2, 3):
                text.append(f"*EQUATION\n3\n{k}, {i}, 1., {index[(0, y, z)]}, {i}, -1., {reference}, {i}, -1.\n")
    return ("".join(text) + STEEL + section("BODY") + nset("CORNER", [0]) +
            nset("LINE", [k for k in mesh.nodes(lambda x, y, z: near(x, 0) and near(y, 0))]) +
            nset("FLOOR", mesh.nodes(lambda x, y, z: near(z, 0) and 0 < x < 10)) +
            step(f"*BOUNDARY\nCORNER, 1, 3\nLINE, 2, 2\nFLOOR, 3, 3\n{reference}, 1, 1, 0.1\n{reference}, 2, 2, 0.04\n"
                 f"{reference}, 3, 3, 0.\n"))


def inclined(scale):
    n = max(2, round(9 * scale))
    mesh = Mesh((n, n, n), (10, 10, 10))
    return (mesh.text("C3D8I", "BODY") + nset("FLOOR", mesh.nodes(lambda x, y, z: near(z, 0))) +
            nset("SIDE", mesh.nodes(lambda x, y, z: near(y, 0))) + nset("TOP", mesh.nodes(lambda x, y, z: near(z, 10))) +
            nset("CORNER", [0]) + "*TRANSFORM, NSET=FLOOR\n0.94, 0., 0.342, 0., 1., 0.\n" + STEEL + section("BODY") +
            step("*BOUNDARY\nFLOOR, 3, 3\nSIDE, 2, 2\nCORNER, 1, 1\n*CLOAD\nTOP, 1, 20.\nTOP, 3, -50.\n"))


def kinematic(scale):
    n = max(2, round(5 * scale))
    mesh = Mesh((2 * n, n, n), (20, 10, 10))
    material = STEEL + "*PLASTIC, HARDENING=KINEMATIC\n300., 0.\n350., 0.01\n450., 0.1\n"
    there, back = ("*BOUNDARY\nLOW, 1, 3\nTOP, 1, 1, %s\n" % x for x in ("0.15", "-0.1"))
    increments = "\n0.1, 1., 1e-3, 0.1\n"
    return (mesh.text("C3D8", "BODY") + nset("LOW", mesh.nodes(lambda x, y, z: near(x, 0))) +
            nset("TOP", mesh.nodes(lambda x, y, z: near(x, 20))) + material + section("BODY") +
            "".join(f"*STEP, NLGEOM, INC=1000\n*STATIC{increments}{inside}*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n"
                    for inside in (there, back)))


def thermal(scale):
    n = max(2, round(4 * scale))
    mesh = Mesh((6 * n, 2 * n, 2 * n), (60, 10, 10)).hex20()
    per_layer = 12 * n * n
    half = per_layer * n
    metals = ("*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3, 20.\n190000., 0.31, 320.\n*EXPANSION, ZERO=20.\n1.2e-5, 20.\n"
              "1.3e-5, 320.\n*MATERIAL, NAME=BRASS\n*ELASTIC\n105000., 0.35\n*EXPANSION, ZERO=20.\n1.9e-5\n")
    return (mesh.text("C3D20R", "BODY") + nset("END", mesh.nodes(lambda x, y, z: near(x, 0))) +
            nset("NALL", list(range(len(mesh.position)))) + metals + f"*ELSET, ELSET=LOWER, GENERATE\n1, {half}\n"
            f"*ELSET, ELSET=UPPER, GENERATE\n{half + 1}, {2 * half}\n" + section("LOWER") + section("UPPER", "BRASS") +
            "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n" +
            step("*BOUNDARY\nEND, 1, 3\n*TEMPERATURE\nNALL, 220.\n"))


def nlgeom(scale):
    n = max(2, round(3 * scale))
    mesh = Mesh((30 * n, 2 * n, n), (100, 10, 1)).hex20()
    return (mesh.text("C3D20R", "BODY") + nset("END", mesh.nodes(lambda x, y, z: near(x, 0))) +
            nset("TIP", mesh.nodes(lambda x, y, z: near(x, 100) and near(z, 0.5 * ((n % 2 == 0) or 1)))) + STEEL +
            section("BODY") + step("*BOUNDARY\nEND, 1, 3\nTIP, 3, 3, 40.\n", ", NLGEOM, INC=1000", "\n0.1, 1.\n"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=float, default=1.0)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    names = []
    for make in (tet10, hex20, tie, equation, inclined, kinematic, thermal, nlgeom):
        path = arguments.folder / f"{make.__name__}.inp"
        path.write_text(f"*HEADING\n{make.__name__}\n" + make(arguments.size))
        names.append(f"{path.resolve()}\t{make.__doc__ or make.__name__}\n")
    (arguments.folder / "list.txt").write_text("".join(names))


if __name__ == "__main__":
    main()
