#!/usr/bin/env python3
"""How long `slipwave fem DECK.inp` and CalculiX take for the same files of solid bodies, and whether they agree.

    scripts/dev/compare_solids_calculix.py [--slipwave build/slipwave] [--ccx ccx] [--threads 1] [--elements N ...]
                                           [--ways elastic,plastic,nlgeom] [--linear NAME] [--kept FOLDER] [CASE ...]

Cases, mm, N, MPa, steel:
    block    a cube of C3D8 between ends that it sticks to, shortened by 1 %
    bracket  an L of C3D8, held at one end and pulled down at the other
    hole     a quarter of a plate with a hole, C3D8, pulled by 0.15 %
    tet      the cube of C3D10
    bracket_tet, thin_tet  the L and the plate (one cell thick) of C3D10
    thin     a square plate of C3D8, two elements thick, a hundred times as wide, held along one side, the other bent down
    slender  a bar of C3D8 of square section, forty times as long as wide, bent
Ways: elastic (one linear increment), plastic (four increments, bilinear hardening), nlgeom (the same at large strains).

CalculiX iterates to 1e-6 as compare_decks.py has it, but not in linear steps. --kept: where decks and CalculiX's answers
stay, so that a second run needs none of them.

Writes a row a deck: elements, free unknowns, user seconds of both and their ratio, Newton's iterations of both, iterations of
the linear solver, largest memory, the reaction's component along the motion and its difference.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from make_decks import Mesh, nset  # noqa: E402

TIGHT = "*CONTROLS, PARAMETERS=FIELD\n1e-6, 1e-4\n"
METAL = {"elastic": "", "plastic": "*PLASTIC\n300., 0.\n500., 0.1\n", "nlgeom": "*PLASTIC\n300., 0.\n500., 0.1\n"}


# ---- Bodies: a mesh, its kind, the nodes that are held, those that are moved, along which axis, how far ----

def along(mesh, axis, value):
    return mesh.nodes(lambda *x: abs(x[axis] - value) < 1e-6)


def block(n_elements):
    n = max(2, round(n_elements ** (1 / 3)))
    mesh = Mesh((n, n, n), (10, 10, 10))
    return mesh, "C3D8", along(mesh, 2, 0), along(mesh, 2, 10), 3, -0.1


def tet(n_elements):
    n = max(2, round((n_elements / 6) ** (1 / 3)))
    mesh = Mesh((n, n, n), (10, 10, 10)).tet10()
    return mesh, "C3D10", along(mesh, 2, 0), along(mesh, 2, 10), 3, -0.1


def without_unused(mesh):
    """Nodes that no element has are left out."""
    used = np.unique(mesh.element)
    number = np.full(len(mesh.position), -1)
    number[used] = np.arange(len(used))
    mesh.element = number[np.asarray(mesh.element)]
    mesh.position = [mesh.position[k] for k in used]
    return mesh


def bracket(n_elements):
    n = max(2, round((n_elements / 6) ** (1 / 3)))
    mesh = Mesh((4 * n, 4 * n, n // 2), (40, 40, 5))
    centre = np.array(mesh.position)[mesh.element].mean(axis=1)
    mesh.element = mesh.element[(centre[:, 0] < 10) | (centre[:, 1] < 10)]
    without_unused(mesh)
    return mesh, "C3D8", along(mesh, 1, 40), along(mesh, 0, 40), 2, -1.0


def bracket_tet(n_elements):
    mesh, _, held, moved, axis, far = bracket(n_elements / 6)
    mesh.element = list(mesh.element)
    return mesh.tet10(), "C3D10", along(mesh, 1, 40), along(mesh, 0, 40), axis, far


def hole(n_elements):
    """A quarter of 20 x 20 with a hole of radius 5, mapped: around, outwards (finer at the hole), through 2 mm."""
    n = max(2, round((n_elements / 10) ** (1 / 3)))
    mesh = Mesh((4 * n, 2 * n, n), (1, 1, 2))
    place = []
    for t, s, z in mesh.position:
        angle = t * np.pi / 2
        edge = 20 / max(np.cos(angle), np.sin(angle))
        radius = 5 + (edge - 5) * (0.5 * s + 0.5 * s * s)
        place.append((radius * np.sin(angle), radius * np.cos(angle), z))
    mesh.position = place
    mesh.turned = True
    return mesh, "C3D8", along(mesh, 0, 0), along(mesh, 0, 20), 1, 0.03


def thin(n_elements):
    n = max(2, round((n_elements / 2) ** 0.5))
    mesh = Mesh((n, n, 2), (100, 100, 1))
    return mesh, "C3D8", along(mesh, 0, 0), along(mesh, 0, 100), 3, -5.0


def thin_tet(n_elements):
    n = max(2, round((n_elements / 6) ** 0.5))
    mesh = Mesh((n, n, 1), (100, 100, 1)).tet10()
    return mesh, "C3D10", along(mesh, 0, 0), along(mesh, 0, 100), 3, -5.0


def slender(n_elements):
    n = max(2, round((n_elements / 40) ** (1 / 3)))
    mesh = Mesh((40 * n, n, n), (400, 10, 10))
    return mesh, "C3D8", along(mesh, 0, 0), along(mesh, 0, 400), 3, -10.0


CASES = {f.__name__: f for f in (block, bracket, hole, tet, bracket_tet, thin, thin_tet, slender)}


def deck(case, way, n_elements):
    """The text and the axis of the motion."""
    mesh, kind, held, moved, axis, far = CASES[case](n_elements)
    static = "" if way == "elastic" else ", DIRECT\n0.25, 1."
    others = "" if case == "hole" else "HELD, 1, 3\n"
    if case == "hole":  # symmetric at two sides and below
        others = "HELD, 1, 1\nSIDE, 2, 2\nFLOOR, 3, 3\n"
    sets = nset("HELD", held) + nset("MOVED", moved)
    if case == "hole":
        sets += nset("SIDE", along(mesh, 1, 0)) + nset("FLOOR", along(mesh, 2, 0))
    fixed = "".join(f"MOVED, {i}, {i}\n" for i in (1, 2, 3) if i != axis and case in ("block", "tet"))
    return (f"{mesh.text(kind, 'BODY')}{sets}*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3\n{METAL[way]}"
            f"*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*STEP{', NLGEOM' if way == 'nlgeom' else ''}, INC=100\n"
            f"*STATIC{static}\n{TIGHT if way != 'elastic' else ''}*BOUNDARY\n{others}{fixed}MOVED, {axis}, {axis}, {far}\n"
            f"*NODE PRINT, NSET=MOVED, TOTALS=ONLY\nRF\n*END STEP\n"), axis


# ---- The programs ----

def timed(command, folder, threads, log):
    """User and system seconds, elapsed ones, largest memory in MB, exit status; what it says goes into `log`."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    begun = time.time()
    with open(log, "w", encoding="utf-8") as to:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=to, stderr=subprocess.STDOUT,
                                   env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime, usage.ru_stime, time.time() - begun, usage.ru_maxrss / 1024, status


def run_calculix(ccx, folder, name, axis, threads, limit):
    """Seconds, iterations, reaction; of the run that is kept, if there is one."""
    said = folder / f"{name}.ccx"
    if not said.exists():
        seconds, _, _, memory, status = timed(["timeout", limit, ccx, "-i", name], folder, threads, folder / "log")
        log = (folder / "log").read_text(errors="replace")
        rows = re.findall(r"total force .*\n\s*\n\s*(\S+)\s+(\S+)\s+(\S+)", (folder / f"{name}.dat").read_text()) \
            if status == 0 else []
        if not rows:
            raise SystemExit(f"{ccx}: {name}: {log.strip().splitlines()[-1:]}")
        said.write_text(f"{seconds} {memory} {len(re.findall(r'^ iteration', log, re.M))} {rows[-1][axis - 1]}")
        for path in (*folder.glob(f"{name}.frd"), *folder.glob(f"{name}.1*")):
            path.unlink()
    seconds, memory, iterations, force = said.read_text().split()
    return float(seconds), float(memory), int(iterations), float(force)


def run_slipwave(program, folder, name, axis, threads, more):
    output = folder / f"{name}.h5"
    command = [Path(program).resolve(), "fem", f"{name}.inp", "--dialect", "calculix", "-j", threads, "-o", output.name, *more]
    user, system, elapsed, memory, status = timed(command, folder, threads, folder / "log")
    log = (folder / "log").read_text(errors="replace")
    if status != 0:
        raise SystemExit(f"{program}: {name}: {log.strip().splitlines()[-1:]}")
    with h5py.File(output) as file:
        force = file["prints/0001/value"][()].reshape(-1, 4)[-1][axis]
        newton = int(np.sum(file["history/newton"][()]))
    for path in folder.glob(f"{name}*.vtkhdf"):
        path.unlink()
    output.unlink()
    products = re.search(r"([\d,]+) (?:products|iterations of the linear)", log)
    return user, system, elapsed, memory, newton, int(products[1].replace(",", "")) if products else 0, force, log


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--slipwave", default="build/slipwave")
    parser.add_argument("--ccx", default="ccx", help="none: it is left out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--elements", type=int, nargs="+", default=[20000, 50000])
    parser.add_argument("--ways", default="elastic,plastic,nlgeom")
    parser.add_argument("--limit", default="3000", help="seconds of a run of CalculiX")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--more", default="", help="further options of slipwave, with blanks between")
    parser.add_argument("--say", action="store_true", help="what slipwave says")
    arguments = parser.parse_args()
    kept = arguments.kept or Path(tempfile.mkdtemp())
    kept.mkdir(parents=True, exist_ok=True)
    print("deck,elements,nodes,user s,system s,elapsed s,MB,Newton,linear,force,CalculiX user s,MB,iterations,difference,times")
    for case in arguments.cases or CASES:
        for way in arguments.ways.split(","):
            for n in arguments.elements:
                name = f"{case}-{way}-{n}"
                path = kept / f"{name}.inp"
                axis = 3
                if not path.exists():
                    text, axis = deck(case, way, n)
                    path.write_text(f"** {axis}\n{text}")
                axis = int(path.read_text()[:5].split()[1])
                ours = run_slipwave(arguments.slipwave, kept, name, axis, arguments.threads, arguments.more.split())
                text = path.read_text()
                elements = text.split("*ELEMENT")[1].split("*")[0].count("\n") - 1
                nodes = text.split("*NODE\n")[1].split("*")[0].count("\n")
                row = [name, elements, nodes, *(f"{x:.2f}" for x in ours[:3]),
                       f"{ours[3]:.0f}", ours[4], ours[5], f"{ours[6]:.6g}"]
                if arguments.ccx != "none":
                    seconds, memory, iterations, force = run_calculix(arguments.ccx, kept, name, axis, arguments.threads,
                                                                      arguments.limit)
                    row += [f"{seconds:.2f}", f"{memory:.0f}", iterations, f"{ours[6] / force - 1:.1e}",
                            f"{seconds / ours[0]:.2f}"]
                print(*row, sep=",", flush=True)
                if arguments.say:
                    print(ours[7])


if __name__ == "__main__":
    main()
