#!/usr/bin/env python3
"""`slipwave dem` against another code, LAMMPS, where both have the law of Hertz and Mindlin: means of packings.

    scripts/dev/compare_dem_lammps.py --slipwave build/slipwave -o FOLDER [CASE ...] [--packings 10]

settle      300 spheres fall into a box with rough walls and come to rest: height of the centre of mass, coordination.
shear       500 spheres in a periodic cell, pressed to 100 kPa by slipwave, from its places on without what contacts
            remember: simple shear at constant volume; q / p, p and coordination, means over the last half of the strain.

LAMMPS (`lmp`, 2022-01-06 of Debian 12 was used): pair style granular, hertz/material with tangential mindlin/force, whose
increments are of force; walls as the rigid planes that ours are, of twice the modulus. Time steps are the same. Damping:
in settle neither has any, friction brings the spheres to rest; in shear slipwave takes a part of each force, LAMMPS has a
coefficient of restitution, and a quasi-static motion sees neither.
A table to standard output and the exit status are those of compare_dem_walls.py.
"""

import argparse
import math
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

from compare_dem_walls import GRAVITY, LEAST, LARGEST, MEAN, compare, write_packing

CASES = {
    "settle": dict(young=2e6, poisson=0.3, density=2600, friction=0.5, wall_friction=0.3, damping=0, time=0.5,
                   box=(12, 12, 36), particles=300, closed=True),
    "shear": dict(young=1e8, poisson=0.3, density=2600, friction=0.5, damping=0.2, pressure=1e5, inertia=2e-3, strain=0.2,
                  particles=500),
}
RESTITUTION = 0.5


def step_of(n):
    """Half of Lubbe's critical step, s."""
    return 0.5 * LEAST * math.sqrt(n["density"] / n["young"])


def rate_of(n):
    return n["inertia"] / (2 * MEAN * math.sqrt(n["density"] / n["pressure"]))


def read_packing(path):
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    cell = next(np.array(line[1:], float) for line in lines if line[0] == "cell")
    rows = np.array([line[:4] for line in lines if line[0] != "cell"], float)
    return cell.reshape(3, 3), rows


def run(command, folder):
    """What it printed, and seconds of the processor, a core."""
    before = os.times()
    out = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env={**os.environ, "OMP_NUM_THREADS": "1"}, encoding="utf-8", check=False)
    after = os.times()
    if out.returncode != 0:
        sys.exit(f"{command[0]}: {out.stdout[-2000:]}")
    return out.stdout, after.children_user - before.children_user


# ---- slipwave ----

def material(n):
    return (f"material: {{law: hertz_mindlin, young: {n['young']}, poisson: {n['poisson']}, friction: {n['friction']}, "
            f"density: {n['density']}}}\n")


def press(args, n, folder, seed):
    """A packing at the pressure, upright."""
    (folder / "press.yaml").write_text(
        material(n) + f"packing: {{particles: {n['particles']}, seed: {seed}, radii: {{distribution: uniform, "
        f"least: {LEAST}, largest: {LARGEST}}}, pressure: {n['pressure']}, friction: 0.2, shear_stress: free}}\n"
        f"output: {{file: press-{seed}.h5, packings: [txt]}}\n", encoding="utf-8")
    run([args.slipwave, "dem", "press.yaml", "--quiet"], folder)
    return folder / f"press-{seed}-0000.txt"


def run_slipwave(args, n, packing, folder):
    numerics = (f"numerics: {{damping: {n['damping']}, skin: 0.3, step_rule: fixed, step: {step_of(n):.17g}, "
                f"record_interval: {200 if 'time' in n else 40}}}\noutput: {{file: ours.h5, packings: [txt]}}\n")
    text = material(n) + f"packing: {{file: {packing.name}}}\n" + numerics
    if "time" in n:
        text += (f"sides: {{1: walls, 2: walls, 3: walls, friction: {n['wall_friction']}}}\n"
                 f"gravity: [0, 0, {-GRAVITY}]\nloading: [{{test: rest, duration: {n['time']}}}]\n")
    else:
        text += f"loading: [{{test: simple_shear, strain: {n['strain']}, strain_rate: {rate_of(n)}}}]\n"
    (folder / "ours.yaml").write_text(text, encoding="utf-8")
    _, seconds = run([args.slipwave, "dem", "ours.yaml", "--quiet", "--threads", "1"], folder)
    with h5py.File(folder / "ours.h5") as file:
        row = {name: data[0][:int(file["rve/records"][0])] for name, data in file["history"].items()}
    if "time" in n:
        _, after = read_packing(folder / "ours-0000.txt")
        return {"height": centre(after), "coordination": row["coordination"][-1], "seconds": seconds}
    late = np.abs(row["strain_13"]) > n["strain"] / 4  # half the shear
    return {"q_over_p": (row["deviator"][late] / row["pressure"][late]).mean(), "pressure": row["pressure"][late].mean(),
            "coordination": row["coordination"][late].mean(), "seconds": seconds}


def centre(rows):
    mass = rows[:, 3]**3
    return (mass * rows[:, 2]).sum() / mass.sum()


# ---- LAMMPS ----

def law(n, times, friction):
    restitution, damping = (0, "velocity") if "time" in n else (RESTITUTION, "tsuji")
    return (f"hertz/material {times * n['young']} {restitution} {n['poisson']} tangential mindlin/force NULL 1.0 {friction} "
            f"damping {damping}")


def write_lammps(n, packing, folder):
    cell, rows = read_packing(packing)
    lengths, closed = np.diag(cell), "time" in n
    with open(folder / "data", "w", encoding="utf-8") as file:
        file.write(f"spheres\n\n{len(rows)} atoms\n1 atom types\n")
        file.writelines(f"0 {length:.17g} {axis}lo {axis}hi\n" for length, axis in zip(lengths, "xyz"))
        file.write(("" if closed else "0 0 0 xy xz yz\n") + "\nAtoms\n\n")
        for i, (x, y, z, r) in enumerate(rows):
            file.write(f"{i + 1} 1 {2 * r:.17g} {n['density']} {x:.17g} {y:.17g} {z:.17g}\n")
    text = (f"units si\natom_style sphere\nboundary {'f f f' if closed else 'p p p'}\nnewton off\ncomm_modify vel yes\n"
            f"read_data data\nneighbor {0.3 * LEAST} bin\nneigh_modify delay 0 every 1 check yes\n"
            f"pair_style granular\npair_coeff * * {law(n, 1, n['friction'])}\ntimestep {step_of(n):.17g}\n"
            "fix move all nve/sphere\ncompute touch all contact/atom\ncompute touching all reduce sum c_touch\n"
            "compute p all pressure NULL virial\n")
    if closed:
        text += f"fix gravity all gravity {GRAVITY} vector 0 0 -1\n"
        for length, axis in zip(lengths, "xyz"):
            text += (f"fix wall{axis} all wall/gran granular {law(n, 2, n['wall_friction'])} {axis}plane 0 {length:.17g}\n")
        steps = round(n["time"] / step_of(n))
        text += (f"thermo {steps}\nthermo_style custom step c_touching\nrun {steps}\n"
                 "write_dump all custom after id x y z radius modify sort id format float %.17g\n")
    else:
        rate, steps = rate_of(n), round(n["strain"] / rate_of(n) / step_of(n))
        text += (f"velocity all ramp vx 0 {-rate * lengths[2]:.17g} z 0 {lengths[2]:.17g}\n"
                 f"fix shear all deform 1 xz erate {-rate:.17g} remap v\nthermo 40\n"
                 f"thermo_style custom step c_touching c_p[1] c_p[2] c_p[3] c_p[4] c_p[5] c_p[6]\nrun {steps}\n")
    (folder / "in").write_text(text, encoding="utf-8")


def run_lammps(args, n, packing, folder):
    write_lammps(n, packing, folder)
    out, seconds = run([args.lammps, "-in", "in", "-log", "none"], folder)
    rows, inside = [], False
    for line in out.splitlines():
        words = line.split()
        inside = (inside or words[:1] == ["Step"]) and words[:1] != ["Loop"]
        if inside and words[0] != "Step":
            rows.append([float(word) for word in words])
    rows = np.array(rows)
    coordination = rows[:, 1] / n["particles"]
    if "time" in n:
        lines = (folder / "after").read_text(encoding="utf-8").splitlines()
        after = np.array([line.split()[1:] for line in lines[9:]], float)
        return {"height": centre(after), "coordination": coordination[-1], "seconds": seconds}
    late = rows[:, 0] > rows[-1, 0] / 2
    xx, yy, zz, xy, xz, yz = rows[late, 2:].T
    p = (xx + yy + zz) / 3
    q = np.sqrt(0.5 * ((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) + 3 * (xy**2 + xz**2 + yz**2))
    return {"q_over_p": (q / p).mean(), "pressure": p.mean(), "coordination": coordination[late].mean(), "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*", help=f"of {', '.join(CASES)}; without all")
    parser.add_argument("--slipwave", type=Path, default=Path("build/slipwave"))
    parser.add_argument("--lammps", default="lmp")
    parser.add_argument("--packings", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder")
    args = parser.parse_args()
    args.slipwave, fine = args.slipwave.resolve(), True
    print("| Case | Quantity | slipwave | LAMMPS | off | in standard errors |\n|---|---|---|---|---|---|")
    for case in args.case or CASES:
        n, folder, ours, theirs = CASES[case], args.output / case, [], []
        folder.mkdir(parents=True, exist_ok=True)
        for k in range(1, args.packings + 1):
            if case == "settle":
                packing = folder / f"packing-{k}.txt"
                write_packing(packing, case, n, 7000 + k)
            else:
                packing = press(args, n, folder, k)
            ours.append(run_slipwave(args, n, packing, folder))
            theirs.append(run_lammps(args, n, packing, folder))
        fine &= compare(case, ours, theirs)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
