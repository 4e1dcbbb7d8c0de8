#!/usr/bin/env python3
"""A cup of AA6016-T4 by `slipwave fem`: punch force and ears, of a quarter of the blank in space.

    scripts/dev/fem_cup_study.py --slipwave build/slipwave [--function fitted] [--stroke 46 --gap 1.3] [--keep FOLDER]

Tools, sheet and friction of ESAFORM's benchmark of 2021 (Habraken et al. 2022, Int. J. Mater. Form. 15, 61): blank 107.5
by 1 mm, punch 60 with an edge of 5, die 62.4 with one of 10, friction 0.09, holder 40 kN. A holder that a force presses
wants a rim under it, so cups are drawn to the end under one that stays `--gap` above the die. Hill's function by the r-values
0.526, 0.253, 0.601; Yld2004-18p by coefficients of POSTECH as the files of github.com/stefanSCS/PolyN have them, by NTNU's from
measurements and from crystals, of which they have polynomials alone (their coefficients are least squares, to 2e-14), and `fitted`
to the r-values and yield stresses that the benchmark gives, each 15 degrees, and its biaxial stress; with profiles of cups
measured and computed. `crystals`: eight orientations with their images by the sheet's symmetry, a quarter within 15 degrees
of cube, drawn until r-values were 0.51, 0.26, 0.51; slip resistances are the sheet's curve over a Taylor factor. Punch force (kN, of the whole) by stroke and the rim by angle to standard output.
"""

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RADIUS, THICKNESS = 53.75, 1.0
FUNCTIONS = {
    "mises": "hill48, coefficients: [0.5, 0.5, 0.5, 1.5, 1.5, 1.5]",
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


def plan_of(around, rings, core=14.0):
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


def blank(around, rings, layers):
    """The mesh as a text, in mm."""
    places, quads = plan_of(around, rings)
    n, q = len(places), len(quads)
    clean = lambda x: 0.0 if abs(x) < 1e-9 else x
    lines = ["*NODE"]
    lines += [f"{k * n + i + 1}, {clean(x):.9g}, {clean(y):.9g}, {THICKNESS * k / layers:.9g}"
              for k in range(layers + 1) for i, (x, y) in enumerate(places)]
    lines.append("*ELEMENT, TYPE=C3D8, ELSET=BLANK")
    lines += [", ".join(map(str, [k * q + e + 1] + [(k + up) * n + i + 1 for up in (0, 1) for i in quad]))
              for k in range(layers) for e, quad in enumerate(quads)]
    for name, axis in (("x0", 0), ("y0", 1)):
        lines.append(f"*NSET, NSET={name}\n" + listing(
            [k * n + i + 1 for k in range(layers + 1) for i, place in enumerate(places) if abs(place[axis]) < 1e-9]))
    lines.append(f"*ELSET, ELSET=LOWER, GENERATE\n1, {q}\n*SURFACE, NAME=bottom\nLOWER, S1")
    lines.append(f"*ELSET, ELSET=UPPER, GENERATE\n{(layers - 1) * q + 1}, {layers * q}\n*SURFACE, NAME=top\nUPPER, S2")
    return "\n".join(lines) + "\n"


def job_of(arguments):
    tool = f"shape: plane, friction: {arguments.friction:g}, penalty: 1, "
    press = "factors: [1, 1], force: [0, 0, -10.0e3]" if arguments.gap is None else ""
    way = "[0, 1]"
    height = 1e-3 * (arguments.gap or THICKNESS)
    of_crystals = arguments.function == "crystals"
    material = ("crystals: {material: sheet.yaml, file: sheet.ori}" if of_crystals else
                "{young: 70.0e9, poisson: 0.33, yield_stress: 125.95e6, hardening: {law: voce, saturation: 314.98e6, rate: 12.22},\n"
                f"     yield: {{function: {FUNCTIONS[arguments.function]}}}}}")
    times = (", time: 2", ", time: 500") if of_crystals else ("", "")
    steps = f"{{factor: 1, increments: {round(arguments.increments * arguments.stroke)}{times[1]}}}"
    if arguments.release:
        part = arguments.release / arguments.stroke
        press, way = press.replace("[1, 1]", "[1, 1, 0.001]"), f"[0, {part:.6g}, 1]"
        steps = ", ".join(f"{{factor: 1, increments: {max(1, round(arguments.increments * arguments.stroke * some))}"
                          f"{times[1]}}}" for some in (part, 1 - part))
    return f"""\
mesh: {{file: blank.inp, scale: 1.0e-3}}
strain: finite
materials:
  - {material}
boundary:
  - {{nodes: x0, x: 0}}
  - {{nodes: y0, y: 0}}
tools:
  - {{name: die, {tool}surfaces: [bottom], normal: [0, 0, 1], point: [0, 0, 0], radius: 31.2e-3, edge: 10.0e-3, hollow: yes}}
  - {{name: holder, {tool}surfaces: [top], normal: [0, 0, -1], point: [0, 0, {height}], radius: 31.0e-3, edge: 5.0e-3,
     hollow: yes, {press}}}
  - {{name: punch, {tool}surfaces: [top], normal: [0, 0, -1], point: [0, 0, 1.0e-3], radius: 30.0e-3, edge: 5.0e-3,
     move: [0, 0, {-1e-3 * arguments.stroke}], factors: {way}}}
steps: [{{factor: 1, increments: 2{times[0]}}}, {steps}]
solver: {{linear: direct, newton: 60, least_increment: 1.0e-4, tolerance: 1.0e-5}}
device: cpu
output: {{file: cup.h5, fields: [last]}}
""".replace(", }", "}")


def tell(folder):
    import h5py
    import numpy

    with h5py.File(folder / "cup.h5") as file:
        force, way = file["history/tool_force"][:, 2, 2], file["history/tool_displacement"][:, 2, 2]
    print("stroke/mm  force/kN")
    for i in range(5, len(force), 4):
        print(f"{-1e3 * way[i]:9.2f}  {-4e-3 * force[i]:8.2f}")
    print(f"largest {-4e-3 * force.min():.2f} kN at {-1e3 * way[force.argmin()]:.1f} mm")
    with h5py.File(max(folder.glob("cup-*.vtkhdf"))) as file:
        x, u = file["VTKHDF/Points"][:], file["VTKHDF/PointData/displacement"][:]
    rim = numpy.flatnonzero(abs(numpy.hypot(x[:, 0], x[:, 1]) - 1e-3 * RADIUS) < 1e-7)
    angle, at, bottom = numpy.degrees(numpy.arctan2(x[rim, 1], x[rim, 0])), x[rim] + u[rim], (x + u)[:, 2].min()
    print("angle  radius/mm  height/mm")
    heights = []
    for a in numpy.unique(angle.round(2)):
        here = at[abs(angle - a) < 0.01]
        heights.append(1e3 * (here[:, 2].max() - bottom))
        print(f"{a:5.1f}  {1e3 * numpy.hypot(here[:, 0], here[:, 1]).mean():9.2f}  {heights[-1]:9.2f}")
    print(f"mean height {(sum(heights) - (heights[0] + heights[-1]) / 2) / (len(heights) - 1):.2f} mm, {max(heights) - min(heights):.2f} from lowest to highest")
    low, up = (numpy.flatnonzero(abs(x[:, 2] - side) < 1e-9) for side in (0, 1e-3 * THICKNESS))
    pair = {tuple(x[i, :2].round(9)): i for i in low}
    thick = 1e3 * numpy.array([numpy.linalg.norm((x + u)[i] - (x + u)[pair[tuple(x[i, :2].round(9))]]) for i in up])
    radius = 1e3 * numpy.hypot(x[up, 0], x[up, 1])
    print("first radius/mm  thickness/mm at 0, 45, 90 degrees")
    rolled = numpy.degrees(numpy.arctan2(x[up, 1], x[up, 0]))
    for r in (10, 20, 25, 30, 35, 40, 45, 50, RADIUS):
        row = []
        for a in (0, 45, 90):
            on = numpy.flatnonzero((abs(rolled - a) < 1) & (radius > 1))
            on = on[radius[on].argsort()]
            row.append(f"{numpy.interp(r, radius[on], thick[on]):8.3f}")
        print(f"{r:10.1f}      {' '.join(row)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--slipwave", default="build/slipwave")
    add("--function", choices=[*FUNCTIONS, "crystals"], default="hill48")
    add("--stroke", type=float, default=25.0, help="mm")
    add("--gap", type=float, help="mm between die and holder, in place of its force")
    add("--friction", type=float, default=0.09)
    add("--increments", type=float, default=2.0, help="a mm of stroke")
    add("--release", type=float, help="stroke in mm from where on the holder's force is a thousandth")
    add("--around", type=int, default=16)
    add("--rings", type=int, default=20)
    add("--layers", type=int, default=2)
    add("--keep", type=Path, help="a folder for mesh, job and results")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        (folder / "blank.inp").write_text(blank(arguments.around, arguments.rings, arguments.layers))
        (folder / "cup.yaml").write_text(job_of(arguments))
        (folder / "sheet.yaml").write_text(CRYSTALS)
        (folder / "sheet.ori").write_text(orientations())
        started = time.process_time(), time.perf_counter()
        program = Path(arguments.slipwave).resolve()
        if subprocess.run([program, "fem", "-q", "cup.yaml"], cwd=folder, check=False).returncode != 0:
            sys.exit("no cup")
        print(f"{time.perf_counter() - started[1]:.0f} s")
        tell(folder)


if __name__ == "__main__":
    main()
