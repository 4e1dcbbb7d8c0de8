#!/usr/bin/env python3
"""A cup of AA6016-T4 by `slipwave fem`: punch force and ears, of a quarter of the blank in space.

    scripts/dev/fem_cup_study.py --slipwave build/slipwave [--function fitted] [--rings 30] [--keep FOLDER]

Tools, sheet and friction of ESAFORM's benchmark of 2021 (Habraken et al. 2022, Int. J. Mater. Form. 15, 61): blank 107.5
by 1 mm, punch 60 with an edge of 5, die 62.4 with one of 10, friction 0.09, holder 40 kN, which comes to rest on a block
beside the blank when the rim has passed; or stays `--gap` above the die. Hill's function by the r-values 0.526, 0.253, 0.601;
Yld2004-18p by coefficients of POSTECH as the files of github.com/stefanSCS/PolyN have them, by NTNU's from measurements and from
crystals, of which they have polynomials alone (their coefficients are least squares, to 2e-14), and `fitted` to the r-values
and yield stresses that the benchmark gives, each 15 degrees, and its biaxial stress; with profiles of cups measured and
computed. `mean`: axisymmetric, Hill's function by the mean r-value 0.41 in the plane. `crystals`: eight orientations with their
images by the sheet's symmetry, a quarter within 15 degrees of cube, drawn until r-values were 0.51, 0.26, 0.51; slip
resistances are the sheet's curve over a Taylor factor. Punch force (kN, of the whole) by stroke and the rim by angle to standard output.
"""

import argparse
import itertools
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RADIUS, THICKNESS = 53.75, 1.0
FUNCTIONS = {
    "mises": "hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]",
    "mean": "hill48, coefficients: [0.70922, 0.70922, 0.29078, 1.5, 1.5, 1.29078], rolling: [1, 0, 0], transverse: [0, 0, 1]",
    "hill48": "hill48, coefficients: [0.57354, 0.65531, 0.34469, 1.5, 1.5, 0.92529]",
    "postech": "yld2004_18p, exponent: 8, coefficients: [1.0, 1.0, -0.0870, 0.4496, 1.0192, 1.1724, 1, 1, 0.0, "
               "1.3329, 1.2510, 1.0948, 1.0855, -0.0065, 0.4812, 1, 1, 1.5461]",
    "ntnu": "yld2004_18p, exponent: 8, coefficients: [1.01974, -0.37232, 0.61856, 1.00994, 1.02572, 0.77996, 1, 1, -0.2679, "
            "1.06854, 1.11418, 0.26276, 0.82464, 1.25332, 0.27046, 1, 1, 1.3739]",
    "ntnu_crystals": "yld2004_18p, exponent: 8, coefficients: [0.32403, 0.9886, 0.80747, 1.39917, 1.2428, -0.26407, 1, 1, 0.9922, "
                     "0.44323, -0.3138, 1.58937, 1.78667, 1.1676, 0.22873, 1, 1, 0.8146]",
    "fitted": "yld2004_18p, exponent: 8, coefficients: [0.1394, 0.85, 0.2914, 0.8972, 0.2654, 1.204, 1, 1, 1.0616, "
              "0.75, -0.4396, 1.1075, -0.1581, -0.2841, 0.8328, 1, 1, -0.5092]",
}


CRYSTALS = """\
name: AA6016-T4
source: the sheet's Voce curve over a Taylor factor; elasticity of aluminium, Vallin et al. 1964
crystal_structure: fcc
elasticity: {C11: 107.3e9, C12: 60.8e9, C44: 28.3e9}
slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.02, initial_slip_resistance: 42.8e6}
hardening: {law: voce, initial_hardening_rate: 503.6e6, saturation_resistance: 107.1e6, exponent: 1}
"""


def orientations(seed=39, count=8, cube=0.25, spread=15):
    """Bunge's angles, a text."""
    import numpy as np

    draw, rows = np.random.default_rng(seed), []
    for i in range(count):
        if i < round(cube * count):
            axis, angle = draw.normal(size=3), np.radians(spread) * np.sqrt(draw.chisquare(3))
            a = axis / np.linalg.norm(axis)
            k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
            g = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
        else:
            q = draw.normal(size=4)
            w, x, y, z = q / np.linalg.norm(q)
            g = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        for image in ([1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]):
            h = np.diag(image) @ g
            rows.append((math.atan2(h[0, 2], -h[1, 2]), math.acos(max(-1, min(1, h[2, 2]))), math.atan2(h[2, 0], h[2, 1])))
    return "".join(f"{math.degrees(a):.3f} {math.degrees(b):.3f} {math.degrees(c):.3f}\n" for a, b, c in rows)


def listing(numbers):
    return "\n".join(", ".join(map(str, numbers[i:i + 12])) for i in range(0, len(numbers), 12))


def plan_of(around, rings, core):
    """Places and quadrilaterals of a quarter of a disc: a square core of around / 2 elements a side, rings about it."""
    n, places, quads, at = around // 2, [], [], {}
    for j in range(n + 1):
        for i in range(n + 1):
            at[i, j] = len(places)
            shrink = core / n * (1 - 0.15 * i * j / n ** 2)  # its corner stays below 180 degrees
            places.append((i * shrink, j * shrink))
    quads += [[at[i, j], at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]] for j in range(n) for i in range(n)]
    last = first = [at[n, j] for j in range(n + 1)] + [at[i, n] for i in range(n - 1, -1, -1)]
    for k in range(1, rings + 1):
        ring, part = [], k / rings
        for m, inner in enumerate(first):
            x, y = places[inner]
            angle = math.atan2(y, x)
            angle += (math.pi / 2 * m / around - angle) * min(1, 3 * part)
            r = math.hypot(x, y) + (RADIUS - math.hypot(x, y)) * part
            ring.append(len(places))
            places.append((r * math.cos(angle), r * math.sin(angle)))
        quads += [[last[m], ring[m], ring[m + 1], last[m + 1]] for m in range(around)]
        last = ring
    return places, quads


def mesh_of(arguments):
    """The mesh as a text, in mm: the blank, and a block beside it that a holder under its force comes to rest on."""
    section, layers = arguments.function == "mean", arguments.layers
    if section:
        places = [(RADIUS * i / arguments.rings,) for i in range(arguments.rings + 1)]
        faces = [[i, i + 1] for i in range(arguments.rings)]
        block, upper, kind = ([(60,), (70,)], "S3", "CAX4")
    else:
        places, faces = plan_of(arguments.around, arguments.rings, arguments.core)
        block, upper, kind = ([(60, 60), (80, 60), (80, 80), (60, 80)], "S2", "C3D8")
    if arguments.gap:
        block = []
    n, q, b = len(places), len(faces), len(block)
    foot = (layers + 1) * n + 1
    up = lambda face: face[::-1] if section else face  # nodes go around a section, and up from a face
    clean = lambda x: 0.0 if abs(x) < 1e-9 else x
    nodes = [(*place, THICKNESS * k / layers) for k in range(layers + 1) for place in places]
    nodes += [(*place, z) for z in (0, arguments.stop) for place in block]
    elements = [[k * n + i + 1 for i in face] + [(k + 1) * n + i + 1 for i in up(face)] for k in range(layers) for face in faces]
    elements += [[foot + i for i in range(b)] + [foot + b + i for i in up(list(range(b)))]] * (b > 0)
    lines = ["*NODE"] + [", ".join(map(str, [i + 1, *(f"{clean(x):.9g}" for x in at)])) for i, at in enumerate(nodes)]
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=SHEET")
    lines += [", ".join(map(str, [e + 1, *of])) for e, of in enumerate(elements)]
    lines.append(f"*ELSET, ELSET=BLANK, GENERATE\n1, {layers * q}")
    lines.append(f"*ELSET, ELSET=LOWER, GENERATE\n1, {q}\n*ELSET, ELSET=UPPER, GENERATE\n{(layers - 1) * q + 1}, {layers * q}")
    lines.append(f"*SURFACE, NAME=bottom\nLOWER, S1\n*SURFACE, NAME=top\nUPPER, {upper}")
    sets = {name: [k * n + i + 1 for k in range(layers + 1) for i, place in enumerate(places) if abs(place[axis]) < 1e-9]
            for axis, name in list(enumerate(("x0", "y0")))[:len(places[0])]}
    if block:
        lines.append(f"*ELSET, ELSET=BLOCK\n{layers * q + 1}\n*SURFACE, NAME=stop\nBLOCK, {upper}")
        sets |= {"block": [foot + i for i in range(2 * b)], "foot": [foot + i for i in range(b)]}
    lines += [f"*NSET, NSET={name}\n{listing(nodes)}" for name, nodes in sets.items()]
    return "\n".join(lines) + "\n"


def job_of(arguments):
    section, of_crystals = arguments.function == "mean", arguments.function == "crystals"
    vector = lambda z: f"[0, {z:g}]" if section else f"[0, 0, {z:g}]"
    tool = f"shape: plane, friction: {arguments.friction:g}, penalty: 1, "
    press = "" if arguments.gap else f", factors: [1, 1], force: {vector(-40e3 if section else -10e3)}"
    rests, block = ("", "") if arguments.gap else (", stop", "  - {elements: BLOCK, young: 200.0e9, poisson: 0.3}\n")
    held = [("x0", "x: 0")] + [("y0", "y: 0")] * (not section)
    if not arguments.gap:
        held += [("block", "x: 0" if section else "x: 0, y: 0"), ("foot", "y: 0" if section else "z: 0")]
    boundary = "".join(f"  - {{nodes: {nodes}, {what}}}\n" for nodes, what in held)
    material = ("crystals: {material: sheet.yaml, file: sheet.ori}" if of_crystals else
                "young: 70.0e9, poisson: 0.33, yield_stress: 125.95e6, hardening: {law: voce, saturation: 314.98e6, rate: 12.22},\n"
                f"     yield: {{function: {FUNCTIONS[arguments.function]}}}")
    times = (", time: 2", ", time: 500") if of_crystals else ("", "")
    return f"""\
mesh: {{file: blank.inp, scale: 1.0e-3}}
kinematics: {"axisymmetric" if section else "solid"}
strain: finite
materials:
  - {{elements: BLANK, {material}}}
{block}boundary:
{boundary}tools:
  - {{name: die, {tool}surfaces: [bottom], normal: {vector(1)}, point: {vector(0)}, radius: 31.2e-3, edge: 10.0e-3, hollow: yes}}
  - {{name: holder, {tool}surfaces: [top{rests}], normal: {vector(-1)}, point: {vector(1e-3 * (arguments.gap or THICKNESS))}, radius: 31.0e-3,
     edge: 5.0e-3, hollow: yes{press}}}
  - {{name: punch, {tool}surfaces: [top], normal: {vector(-1)}, point: {vector(1e-3 * THICKNESS)}, radius: 30.0e-3, edge: 5.0e-3,
     move: {vector(-1e-3 * arguments.stroke)}, factors: [0, 1]}}
steps: [{{factor: 1, increments: 2{times[0]}}}, {{factor: 1, increments: {round(arguments.increments * arguments.stroke)}{times[1]}}}]
solver: {{linear: direct, newton: 60, least_increment: 1.0e-4, tolerance: 1.0e-5}}
device: cpu
output: {{file: cup.h5, fields: [last]}}
"""


def tell(folder, arguments):
    import h5py
    import numpy

    section = arguments.function == "mean"
    up, whole = (1, 1) if section else (2, 4)
    with h5py.File(folder / "cup.h5") as file:
        force, way = 1e-3 * whole * file["history/tool_force"][:, :, up], -1e3 * file["history/tool_displacement"][:, :, up]
    print("stroke/mm  punch and holder/kN  holder up by/mm")
    for i in range(5, len(force), 4):
        print(f"{way[i, 2]:9.2f}  {-force[i, 2]:8.2f} {-force[i, 1]:8.2f}  {-way[i, 1]:8.3f}")
    for to in (30, arguments.stroke):
        part = force[way[:, 2] <= to, 2]
        print(f"to {to:g} mm largest {-part.min():.2f} kN at {way[part.argmin(), 2]:.1f} mm")
    with h5py.File(max(folder.glob("cup-*.vtkhdf"))) as file:
        x, u = 1e3 * file["VTKHDF/Points"][:], 1e3 * file["VTKHDF/PointData/displacement"][:]
    if section:
        x, u = x[:, [0, 2, 1]], u[:, [0, 2, 1]]
    blank = len(x) - (0 if arguments.gap else 4 if section else 8)  # without the block
    x, at = (v[:blank].reshape(arguments.layers + 1, -1, 3) for v in (x, x + u))
    radius, angle = numpy.hypot(x[0, :, 0], x[0, :, 1]), numpy.degrees(numpy.arctan2(x[0, :, 1], x[0, :, 0]))
    height, thick = at[:, :, 2].max(axis=0) - at[:, :, 2].min(), numpy.linalg.norm(at[-1] - at[0], axis=1)
    rim = numpy.flatnonzero(abs(radius - RADIUS) < 1e-4)
    print("angle  radius/mm  height/mm")
    for i in rim[angle[rim].argsort()]:
        print(f"{angle[i]:5.1f}  {numpy.hypot(at[:, i, 0], at[:, i, 1]).mean():9.2f}  {height[i]:9.2f}")
    print(f"mean height {numpy.interp(numpy.linspace(0, 90, 91), angle[rim], height[rim]).mean():.2f} mm, "
          f"{numpy.ptp(height[rim]):.2f} from lowest to highest")
    print("first radius/mm  thickness/mm at 0, 45, 90 degrees")
    for r in (10, 20, 25, 30, 35, 40, 45, 50, RADIUS):
        row = []
        for a in (0, 45, 90)[:1 if section else 3]:
            on = numpy.flatnonzero((abs(angle - a) < 1) & (radius > 1))
            on = on[radius[on].argsort()]
            row.append(f"{numpy.interp(r, radius[on], thick[on]):8.3f}")
        print(f"{r:10.1f}      {' '.join(row)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--slipwave", default="build/slipwave")
    add("--function", choices=[*FUNCTIONS, "crystals"], default="hill48")
    add("--stroke", type=float, default=46.0, help="mm")
    add("--gap", type=float, help="mm between die and a holder that stays, in place of 40 kN")
    add("--friction", type=float, default=0.09)
    add("--increments", type=float, default=2.0, help="a mm of stroke")
    add("--stop", type=float, default=0.9, help="mm between die and holder where a block stops it")
    add("--around", type=int, default=12, help="elements around a quarter")
    add("--rings", type=int, default=15, help="of elements, from the core to the rim; of `mean` from the axis")
    add("--core", type=float, default=14.0, help="mm, half the side of the square within the rings")
    add("--layers", type=int, default=1)
    add("--keep", type=Path, help="a folder for mesh, job and results")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        (folder / "blank.inp").write_text(mesh_of(arguments))
        (folder / "cup.yaml").write_text(job_of(arguments))
        (folder / "sheet.yaml").write_text(CRYSTALS)
        (folder / "sheet.ori").write_text(orientations())
        program = Path(arguments.slipwave).resolve()
        if subprocess.run([program, "fem", "-q", "cup.yaml"], cwd=folder, check=False).returncode != 0:
            sys.exit("no cup")
        print(f"{os.times().children_user:.0f} s of a core")
        tell(folder, arguments)


if __name__ == "__main__":
    main()
