#!/usr/bin/env python3
"""A synthetic EBSD map of rolled copper, as a Channel text file: nothing in it was measured.

    scripts/dev/make_ebsd.py -o data/ebsd/copper-rolled-synthetic.ctf

Grains are Voronoi cells, longer along RD. A grain's orientation is one of the rolling components of copper, chosen by
their shares, in any of the variants that rolling does not tell apart, or a random one, scattered; points scatter about
their grain, and some at its border are not indexed. Euler angles refer to RD, TD, ND as sample axes 1, 2, 3.
"""

import argparse
import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from slipwave.pictures.texture_components import HALF_TURNS, random_rotations, rotations

# Bunge angles, degrees, and share; the rest is random. Hirsch and Luecke, Acta Metall. 36 (1988) 2863; the shares are
# ours, as of a heavily rolled sheet.
COMPONENTS = {
    "Copper": (90, 35, 45, 0.28),
    "S": (59, 37, 63, 0.36),
    "Brass": (35, 45, 0, 0.18),
    "Goss": (0, 45, 0, 0.04),
    "Cube": (0, 0, 0, 0.04),
}
OF_GRAINS, OF_POINTS = 6.0, 0.4  # scatter about each of three axes, degrees
STEP = 2.0  # um
ELONGATED = 2.5
NOT_INDEXED = 0.08  # of the points at a border

HEADER = """\
Channel Text File
Prj\tSYNTHETIC, not measured: Slipwave, scripts/dev/make_ebsd.py --seed {seed}
Author\t[Unknown]
JobMode\tGrid
XCells\t{nx}
YCells\t{ny}
XStep\t{step:g}
YStep\t{step:g}
AcqE1\t0
AcqE2\t0
AcqE3\t0
Euler angles refer to Sample Coordinate system (CS0)!\tMag\t500\tCoverage\t100\tDevice\t0\tKV\t20\tTiltAngle\t70\t\
TiltAxis\t0
Phases\t1
3.615;3.615;3.615\t90;90;90\tCopper\t11\t225\t\t\tSynthetic
Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS
"""


def turns(random, degrees, count):
    """Rotations by vectors of three normal deviates; [count][3][3]"""
    vector = np.radians(degrees) * random.standard_normal((count, 3))
    angle = np.linalg.norm(vector, axis=1)[:, None, None]
    x, y, z = vector.T
    zero = np.zeros(count)
    skew = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    return np.eye(3) + np.sinc(angle / np.pi) * skew + 0.5 * np.sinc(angle / (2 * np.pi))**2 * skew @ skew


def euler_of(g):
    """Bunge angles [N][3], degrees, 0 <= phi1, phi2 < 360."""
    phi = np.arccos(np.clip(g[:, 2, 2], -1, 1))
    phi1, phi2 = np.arctan2(g[:, 0, 2], -g[:, 1, 2]), np.arctan2(g[:, 2, 0], g[:, 2, 1])
    pole = np.sin(phi) < 1e-6
    phi1, phi2 = np.where(pole, np.arctan2(g[:, 1, 0], g[:, 0, 0]), phi1), np.where(pole, 0, phi2)
    return np.degrees(np.column_stack([phi1 % (2 * np.pi), phi, phi2 % (2 * np.pi)]))


def grain_orientations(random, count):
    table = np.array(list(COMPONENTS.values()))
    ideal = rotations(np.radians(table[:, :3]))
    shares = np.append(table[:, 3], 1 - table[:, 3].sum())
    kind = random.choice(len(shares), size=count, p=shares)
    anything = random_rotations(count, random)
    variant = np.array(HALF_TURNS)[random.integers(4, size=count)]
    chosen = np.where((kind < len(ideal))[:, None, None], variant @ ideal[np.minimum(kind, len(ideal) - 1)], anything)
    return turns(random, OF_GRAINS, count) @ chosen


def make_map(random, nx, ny, grains):
    """Euler angles [ny nx][3] of the points, x fastest, and which are not indexed."""
    point = np.array([(x / ELONGATED, y) for y, x in product(range(ny), range(nx))], dtype=float)
    seed = random.random((grains, 2)) * (nx / ELONGATED, ny)
    grain = np.argmin(((point[:, None] - seed)**2).sum(axis=2), axis=1)
    g = turns(random, OF_POINTS, len(point)) @ grain_orientations(random, grains)[grain]
    around = grain.reshape(ny, nx)
    border = np.zeros((ny, nx), dtype=bool)
    border[:, 1:] |= around[:, 1:] != around[:, :-1]
    border[1:] |= around[1:] != around[:-1]
    return euler_of(g), border.ravel() & (random.random(nx * ny) < NOT_INDEXED)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="MAP.ctf")
    parser.add_argument("--cells", type=int, nargs=2, default=(50, 40), metavar=("NX", "NY"), help="points (50 40)")
    parser.add_argument("--grains", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="(1)")
    options = parser.parse_args()
    nx, ny = options.cells
    euler, lost = make_map(np.random.default_rng(options.seed), nx, ny, options.grains)
    with open(options.output, "w", encoding="ascii") as file:
        file.write(HEADER.format(seed=options.seed, nx=nx, ny=ny, step=STEP))
        for n, angles in enumerate(euler):
            place = f"{STEP * (n % nx):g}\t{STEP * (n // nx):g}"
            if lost[n]:
                file.write(f"0\t{place}\t0\t3\t0\t0\t0\t0\t60\t0\n")
            else:
                file.write(f"1\t{place}\t8\t0\t" + "\t".join(f"{a:.2f}" for a in angles) + "\t0.5\t120\t200\n")


if __name__ == "__main__":
    main()
