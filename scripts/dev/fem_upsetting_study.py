#!/usr/bin/env python3
"""Upsetting by `slipwave fem`: how its answer depends on friction, mesh and steps; plane against solid meshes.

    scripts/dev/fem_upsetting_study.py --slipwave build/slipwave [TABLE ...]

A billet of 700 MPa, H 300 MPa, E 200 GPa, nu 0.3, radius 10 mm, height 30 mm. Tables to standard output:
    friction   none, 0.1, 0.3 and sticking, at 10 to 50 %: force against the frictionless closed solution and Avitzur's
               mean pressure for sticking, sigma (1 + 2 R / 3 sqrt(3) h), R and h of the cylinder that it would be
    mesh       5, 10, 20 and 40 elements across the radius, sticking
    steps      10, 25, 50 and 100 to 50 %, sticking
    solid      a quarter of hexahedra, sticking, to 30 %
"""

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import InputError, Results, run

RADIUS, HEIGHT = 10e-3, 30e-3
YOUNG, YIELD, MODULUS = 200e9, 700e6, 300e6


class FemResults(Results):
    program = "slipwave fem"
    formats = {"slipwave-fem": 1}
    unmarked = False


def upset(program, cells, contact, reduction, steps):
    """{reduction in %: (force in kN, barrel radius in mm, nodes that touch)}, substeps, Newton iterations, seconds."""
    d = len(cells)
    with tempfile.TemporaryDirectory() as folder:
        job, output = Path(folder) / "job.yaml", Path(folder) / "out.h5"
        job.write_text(f"""\
upsetting: {{radius: {RADIUS}, height: {HEIGHT}, reduction: {reduction}, cells: {list(cells)},
            increments: {steps}{contact}}}
materials:
  - {{young: {YOUNG:e}, poisson: 0.3, yield_stress: {YIELD:e}, hardening: {{law: linear, modulus: {MODULUS:e}}}}}
device: cpu
output: {{file: {output}, fields: [none]}}
""", encoding="utf-8")
        started = time.perf_counter()
        result = subprocess.run([program, "fem", "-q", job], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, check=False)
        seconds = time.perf_counter() - started
        path = output if output.is_file() else output.with_suffix(".h5.partial")
        if not path.is_file():
            raise InputError(f"{program}: {result.stdout.strip()}")
        if result.returncode != 0:
            print(f"# {result.stdout.strip().splitlines()[-1]}")
        results = FemResults(path)
        force = abs(results.array("history/tool_force", None, 1, d)[:, 0, d - 1]) * (4 if d == 3 else 1)
        barrel = RADIUS + results.array("history/displacement_most", None, d)[:, 0]
        touching = results.array("history/tool_nodes_touching", None, 1)[:, 0]
        substeps, newton = (int(results.array(f"history/{name}", None).sum()) for name in ("substeps", "newton"))
    rows = {round(100 * reduction * (k + 1) / steps, 6): (1e-3 * force[k], 1e3 * barrel[k], int(touching[k]))
            for k in range(len(force))}
    return rows, substeps, newton, seconds


def smooth(percent):
    """Force without friction, kN, and flow stress, Pa: t (1 + H / E) = yield + H ln(h0 / h), on V / h."""
    strain = -math.log(1 - percent / 100)
    stress = (YIELD + MODULUS * strain) / (1 + MODULUS / YOUNG)
    return 1e-3 * stress * math.pi * RADIUS**2 / (1 - percent / 100)


def avitzur(percent):
    """Of the frictionless force."""
    left = 1 - percent / 100
    return 1 + 2 * RADIUS / math.sqrt(left) / (3 * math.sqrt(3) * HEIGHT * left)


def friction(program):
    print("reduction %,contact,force kN,over frictionless,Avitzur over frictionless,barrel mm,nodes that touch")
    contacts = {"none": "", "0.1": ", friction: 0.1", "0.3": ", friction: 0.3", "sticking": ", sticks: yes"}
    for name, text in contacts.items():
        rows, *_ = upset(program, (20, 30), text, 0.5, 50)
        for percent in (10, 20, 30, 40, 50):
            if percent in rows:
                force, barrel, touching = rows[percent]
                print(f"{percent},{name},{force:.3f},{force / smooth(percent):.5f},{avitzur(percent):.4f},{barrel:.4f},"
                      f"{touching}", flush=True)


def series(program, runs, percents):
    """A line a run: (label, cells, steps, reduction)."""
    print("," + ",".join(f"{p} %: force kN,barrel mm,touching" for p in percents) + ",substeps,newton,seconds")
    for label, cells, steps, reduction in runs:
        rows, substeps, newton, seconds = upset(program, cells, ", sticks: yes", reduction, steps)
        parts = [f"{rows[p][0]:.3f},{rows[p][1]:.4f},{rows[p][2]}" if p in rows else "-,-,-" for p in percents]
        print(f"{label}," + ",".join(parts) + f",{substeps},{newton},{seconds:.1f}", flush=True)


def mesh(program):
    series(program, [(f"{n} x {3 * n // 2}", (n, 3 * n // 2), 50, 0.5) for n in (5, 10, 20, 40)], (10, 30, 50))


def steps(program):
    series(program, [(f"{n} steps", (20, 30), n, 0.5) for n in (10, 25, 50, 100)], (10, 30, 50))


def solid(program):
    runs = [(f"quad4 {n} x {3 * n // 2}", (n, 3 * n // 2), 30, 0.3) for n in (6, 8, 12)]
    runs += [(f"hex8 {n} x {n} x {3 * n // 2}", (n, n, 3 * n // 2), 30, 0.3) for n in (6, 8, 12)]
    series(program, runs, (10, 20, 30))


TABLES = {"friction": friction, "mesh": mesh, "steps": steps, "solid": solid}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; all of them")
    parser.add_argument("--slipwave", default="build/slipwave", metavar="PROGRAM")
    arguments = parser.parse_args()
    for name in arguments.tables:
        if name not in TABLES:
            raise InputError(f"{name}: need one of {', '.join(TABLES)}")
    for name in arguments.tables or TABLES:
        print(f"\n{name}")
        TABLES[name](arguments.slipwave)


if __name__ == "__main__":
    run(main)
