#!/usr/bin/env python3
"""Finite strains of `slipwave fem` against another program's, CalculiX, on the same bodies.

    scripts/dev/compare_fem_calculix.py --slipwave build/slipwave [--ccx ccx] [--cells 12] [--steps 140] [CASE ...]

Cases, axisymmetric, half of the length:
    neck    a round bar that is pulled (Simo 1992), 1.8 % thinner in its middle, hardening by a table of 32 rows
    billet  between plates that it sticks to (700 MPa, H 300 MPa, radius 10, height 30 mm), the end nodes held: nothing
            folds onto the plates, which matters from some 20 % on

--cells elements across the radius: CAX8R of CalculiX (eight nodes, reduced integration), whose nodes `slipwave` has,
too, as the corners of quad4 of half their size, with mean dilatation. Both take --steps equal increments; CalculiX
fails where they are large (20 of the billet).

CalculiX' elasticity is neo-Hookean at large strains, here it is of logarithmic ones: a difference of the order of the
elastic strains, 0.4 %. It prints forces of a sector of 2 degrees.

Writes a table to standard output. Exit status 1 when a number is off by more than 1 %.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import InputError, Results, run

BOUND, SECTOR = 0.01, 180  # of a difference; CalculiX' sectors in a turn
STRAINS = [0, .005, .01, .015, .02, .025, .03, .04, .05, .06, .07, .08, .09, .1, .11, .12, .13, .14, .15, .16, .175,
           .19, .205, .22, .24, .26, .28, .31, .35, .4, .5, 3]


def voce(strain):
    """Simo's metal, MPa."""
    return 450 + 265 * (1 - math.exp(-16.93 * strain)) + 129.24 * strain


class Neck:
    """mm, MPa; the watched node is the surface in the middle."""

    title = "elongation of the bar, mm"
    radius, half, per_radius = 6.413, 26.667, 3.3  # elements along half the length for one across the radius
    young, poisson = 206900, 0.29
    table = [(strain, voce(strain)) for strain in STRAINS]
    pull, marks, scale, ends = 7.0, [2 / 7, 3 / 7, 4 / 7, 5 / 7, 6 / 7, 1], 14, "y"

    @classmethod
    def place(cls, across, along):
        """Elements are 0.3 of the mean height in the neck: there they become long."""
        part = 0.3 * along + 0.7 * along**2
        return cls.radius * (0.982 + 0.018 * part) * across, cls.half * part


class Billet:
    title = "reduction, %"
    radius, half, per_radius = 10.0, 15.0, 1.5
    young, poisson = 200000, 0.3
    table = [(0, 700), (3, 1600)]
    pull, marks, scale, ends = -3.0, [0.25, 0.5, 0.75, 1], 20, "xy"

    @classmethod
    def place(cls, across, along):
        return cls.radius * across, cls.half * along


CASES = {"neck": Neck, "billet": Billet}


# ---- Meshes: places of nodes by (i, j), and their numbers ----

def grid(case, across, along, quadratic):
    """Corners at even i and j of quadratic ones, whose sides are straight."""
    places, step = {}, 2 if quadratic else 1
    for j in range(step * along + 1):
        for i in range(step * across + 1):
            if i % step and j % step:
                continue
            below, above = (case.place(i / step / across, k / step / along)
                            for k in (j - j % step, j + j % step))
            places[i, j] = tuple((a + b) / 2 for a, b in zip(below, above))
    return places


def mesh_text(places, across, along, kind, quadratic, factor):
    """Abaqus' *NODE, *ELEMENT and node sets axis, middle, end and watched (the surface in the middle); factor: mm."""
    step = 2 if quadratic else 1
    corners = [(0, 0), (step, 0), (step, step), (0, step)] + ([(1, 0), (2, 1), (1, 2), (0, 1)] if quadratic else [])
    number = {key: n + 1 for n, key in enumerate(places)}
    lines = ["*NODE"] + [f"{number[k]}, {factor * x:.12g}, {factor * y:.12g}, 0" for k, (x, y) in places.items()]
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=body")
    for e in range(across * along):
        i, j = step * (e % across), step * (e // across)
        lines.append(f"{e + 1}, " + ", ".join(str(number[i + a, j + b]) for a, b in corners))
    sets = {"axis": lambda i, j: i == 0, "middle": lambda i, j: j == 0 and i < step * across,
            "watched": lambda i, j: j == 0 and i == step * across, "end": lambda i, j: j == step * along}
    for name, has in sets.items():
        lines.append(f"*NSET, NSET={name}")
        lines += [f"{n}," for key, n in number.items() if has(*key)]
    return "\n".join(lines) + "\n"


# ---- The programs: [(part of the way, force in kN, radius in the middle in mm)] ----

def call(command, folder):
    try:
        result = subprocess.run([str(word) for word in command], cwd=folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"})
    except OSError as error:
        raise InputError(f"{command[0]}: {error.strerror}") from None
    if result.returncode != 0:
        raise InputError(f"{command[0]}: exit status {result.returncode}: {result.stdout.strip().splitlines()[-1:]}")
    return result.stdout


def run_calculix(program, case, cells, steps, folder):
    along = round(cells * case.per_radius)
    mesh = mesh_text(grid(case, cells, along, True), cells, along, "CAX8R", True, 1)
    rows = "\n".join(f"{stress:.8g}, {strain:g}" for strain, stress in case.table)
    held = "end, 1, 1\n" if "x" in case.ends else ""
    (folder / "body.inp").write_text(f"""{mesh}*MATERIAL, NAME=metal
*ELASTIC
{case.young}, {case.poisson}
*PLASTIC
{rows}
*SOLID SECTION, ELSET=body, MATERIAL=metal
*BOUNDARY
axis, 1, 1
middle, 2, 2
watched, 2, 2
{held}*STEP, NLGEOM, INC={2 * steps}
*STATIC, DIRECT
{1 / steps}, 1.
*BOUNDARY
end, 2, 2, {case.pull}
*NODE PRINT, NSET=end, TOTALS=ONLY
RF
*NODE PRINT, NSET=watched
U
*END STEP
""", encoding="utf-8")
    call([program, "-i", "body"], folder)
    text = (folder / "body.dat").read_text(encoding="utf-8")
    forces = re.findall(r"total force .* for set END and time +(\S+)\s+\S+ +(\S+)", text)
    moved = re.findall(r"displacements .* for set WATCHED .*\s+\d+ +(\S+)", text)
    if len(forces) != steps or len(moved) != steps:
        raise InputError(f"{program}: {len(forces)} increments in its table: need {steps}")
    return [(float(at), 1e-3 * SECTOR * abs(float(force)), case.place(1, 0)[0] + float(move))
            for (at, force), move in zip(forces, moved)]


def run_slipwave(program, case, cells, steps, folder):
    across, along = 2 * cells, 2 * round(cells * case.per_radius)
    (folder / "quads.inp").write_text(mesh_text(grid(case, across, along, False), across, along, "CAX4", False, 1e-3),
                                      encoding="utf-8")
    rows = ", ".join(f"[{strain:g}, {1e6 * stress:.10g}]" for strain, stress in case.table)
    held = "x: 0, " if "x" in case.ends else ""
    (folder / "job.yaml").write_text(f"""\
mesh: {{file: quads.inp}}
kinematics: axisymmetric
strain: finite
b_bar: yes
materials:
  - {{young: {1e6 * case.young:.6e}, poisson: {case.poisson}, hardening: {{law: table, table: [{rows}]}}}}
boundary:
  - {{nodes: axis, x: 0}}
  - {{nodes: middle, y: 0}}
  - {{nodes: watched, y: 0}}
  - {{nodes: end, {held}y: {1e-3 * case.pull!r}}}
steps: [{{factor: 1.0, increments: {steps}}}]
device: cpu
output: {{file: out.h5, fields: [none]}}
""", encoding="utf-8")
    call([Path(program).resolve(), "fem", "-q", "job.yaml"], folder)
    results = FemResults(folder / "out.h5")
    forces, moved = (results.array(f"history/{name}", steps, 4, 2)
                     for name in ("reaction", "boundary_displacement"))
    return [((k + 1) / steps, 1e-3 * abs(forces[k, 3, 1]), case.place(1, 0)[0] + 1e3 * moved[k, 2, 0])
            for k in range(steps)]


class FemResults(Results):
    program = "slipwave fem"
    formats = {"slipwave-fem": 1}
    unmarked = False


# ---- What is shown ----

def compare(name, arguments, folder):
    """Whether all numbers are within the bound."""
    case, well = CASES[name], True
    ours = run_slipwave(arguments.slipwave, case, arguments.cells, arguments.steps, folder)
    theirs = run_calculix(arguments.ccx, case, arguments.cells, arguments.steps, folder)
    pairs = [("largest force", max(row[1] for row in ours), max(row[1] for row in theirs))]
    for mark in case.marks:
        k = round(mark * arguments.steps) - 1
        at = f"{case.scale * ours[k][0]:g}"
        pairs += [(f"{at}: force", ours[k][1], theirs[k][1]), (f"{at}: radius", ours[k][2], theirs[k][2])]
    print(f"{name} ({case.title}),slipwave,CalculiX,difference")
    for what, mine, other in pairs:
        off = mine / other - 1
        well &= abs(off) <= BOUND
        print(f"{what},{mine:.4f},{other:.4f},{100 * off:+.2f} %", flush=True)
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; all of them")
    parser.add_argument("--slipwave", default="build/slipwave", metavar="PROGRAM")
    parser.add_argument("--ccx", default="ccx", metavar="PROGRAM")
    parser.add_argument("--cells", type=int, default=12, help="CalculiX' elements across the radius")
    parser.add_argument("--steps", type=int, default=140)
    arguments = parser.parse_args()
    for name in arguments.cases:
        if name not in CASES:
            raise InputError(f"{name}: need one of {', '.join(CASES)}")
    well = True
    for name in arguments.cases or CASES:
        with tempfile.TemporaryDirectory() as folder:
            well &= compare(name, arguments, Path(folder))
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    run(main)
