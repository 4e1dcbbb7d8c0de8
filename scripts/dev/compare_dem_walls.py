#!/usr/bin/env python3
"""`slipwave dem` against another code, Yade, where there are walls, meshes, gravity, cohesion and clumps: means of packings.

    scripts/dev/compare_dem_walls.py --slipwave build/slipwave -o FOLDER [CASE ...] [--packings 10]

Each packing of each case (dem_yade_walls.py says what they do) begins with the same loose particles in both codes, which
part company by chaos: what agrees are means over packings. A table to standard output: both means, their standard errors,
the difference in per cent and in standard errors of it, seconds of the processor, a core each. Exit status 1 when a
difference is beyond 1 % and two standard errors at once.
"""

import argparse
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
LEAST, LARGEST, GRAVITY = 5e-4, 1.25e-3, 9.81
MEAN = (LEAST + LARGEST) / 2
CLUMP = ((-0.5, 0, 0, 1), (0.7, 0.2, 0, 0.8), (0, 0.6, 0.3, 0.7))  # centres and radii of a clump's spheres, over its size

# numbers of both codes; lengths of the cell in mm, number of particles, whether it is closed
CASES = {
    "settle": dict(young=1e6, poisson=0.5, density=2600, friction=0.5, wall_friction=0.3, damping=0.3, gravity=GRAVITY,
                   time=0.4, box=(12, 12, 36), particles=300, closed=True),
    "triaxial": dict(young=1e8, poisson=0.5, density=2600, friction=0.5, wall_friction=0.2, damping=0.2, pressure=1e5,
                     inertia=2e-3, strain=0.2, box=(20, 20, 20), particles=500, closed=True),
    "cohesion": dict(young=1e8, poisson=0.3, density=2600, friction=0, wall_friction=0, damping=0.3, pressure=1e4,
                     adhesion=2.0, inertia=2e-2, strain=0.1, box=(13, 13, 13), particles=150, closed=False,
                     mean=MEAN),
    "clumps": dict(young=1e6, poisson=0.5, density=2600, friction=0.5, wall_friction=0.3, damping=0.3, gravity=GRAVITY,
                   time=0.4, box=(14, 14, 40), particles=100, closed=True),
    "hopper": dict(young=1e6, poisson=0.5, density=2600, friction=0.5, wall_friction=0.3, damping=0.3, gravity=GRAVITY,
                   time=0.4, box=(12, 12, 36), particles=300, closed=True, depth=6, mouth=4),
}


# ---- Packings ----

def rotation(draw):
    """A random rotation."""
    q = np.array([draw.gauss(0, 1) for _ in range(4)])
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def write_packing(path, case, numbers, seed):
    """Bodies that do not touch, the largest first; between walls where the cell is closed."""
    draw, lengths = random.Random(seed), np.array(numbers["box"]) * 1e-3
    n = numbers["particles"]
    sizes = sorted((LEAST + (LARGEST - LEAST) * (i + draw.random()) / n for i in range(n)), reverse=True)
    placed, lines, members = np.empty((0, 4)), [], []
    for size in sizes:
        shape = np.array(CLUMP if case == "clumps" else ((0, 0, 0, 1),)) * size
        while True:
            turned = shape.copy()
            turned[:, :3] = shape[:, :3] @ rotation(draw).T
            reach = (np.linalg.norm(shape[:, :3], axis=1) + shape[:, 3]).max() if numbers["closed"] else 0
            turned[:, :3] += reach + np.array([draw.random() for _ in range(3)]) * (lengths - 2 * reach)
            apart = turned[:, None, :3] - placed[None, :, :3]
            if not numbers["closed"]:
                apart -= lengths * np.round(apart / lengths)
            if (np.linalg.norm(apart, axis=2) > turned[:, None, 3] + placed[None, :, 3]).all():
                break
        if len(shape) > 1:
            members.append(range(len(placed), len(placed) + len(shape)))
        placed = np.vstack([placed, turned])
    with open(path, "w", encoding="utf-8") as file:
        file.write("cell " + " ".join(f"{lengths[i] if i == j else 0:.10g}" for i in range(3) for j in range(3)) + "\n")
        for body in members:
            file.write("clump " + " ".join(map(str, body)) + "\n")
        for row in placed:
            file.write(" ".join(f"{x:.10g}" for x in row) + "\n")


def write_hopper(path, n):
    """A shaft over a pyramid that ends in a floor, mm: 18 triangles."""
    (w, _, h), d, m = n["box"], n["depth"], n["mouth"] / 2
    def ring(half, z):
        return [(w / 2 + a * half, w / 2 + b * half, z) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    rings, quads = [ring(w / 2, h), ring(w / 2, 0), ring(m, -d)], []
    for upper, lower in zip(rings, rings[1:]):
        quads += [(upper[k], upper[(k + 1) % 4], lower[(k + 1) % 4], lower[k]) for k in range(4)]
    text = "solid hopper\n"
    for a, b, c, e in quads + [rings[2]]:
        for corners in ((a, b, c), (a, c, e)):
            text += ("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in corners)
                     + "endloop\nendfacet\n")
    path.write_text(text + "endsolid\n", encoding="utf-8")


# ---- slipwave ----

def job(case, n, packing, output):
    law = f"law: dmt, adhesion: {n['adhesion']}" if case == "cohesion" else "law: linear"
    text = (f"material: {{{law}, young: {n['young']}, poisson: {n['poisson']}, friction: {n['friction']}, "
            f"density: {n['density']}}}\n"
            f"packing: {{file: {packing}{', pressure: %g' % n['pressure'] if 'pressure' in n else ''}}}\n"
            f"numerics: {{damping: {n['damping']}, skin: 0.3, record_interval: {200 if 'time' in n else 40}, "
            f"{'inertia_number: %g' % n['inertia'] if case == 'triaxial' else ''}}}\noutput: {{file: {output}, packings: [txt]}}\n")
    if case == "hopper":
        text += (f"sides: {{1: open, 2: open, 3: open}}\nwalls: [{{shape: mesh, file: hopper.stl, scale: 1.0e-3, "
                 f"point: [0, 0, 0], axis: [0, 0, 1], friction: {n['wall_friction']}}}]\n")
    elif n["closed"]:
        text += f"sides: {{1: walls, 2: walls, 3: walls, friction: {n['wall_friction']}}}\n"
    if "time" in n:
        return text + f"gravity: [0, 0, {-n['gravity']}]\nloading: [{{test: rest, duration: {n['time']}}}]\n"
    rate = n["inertia"] / (2 * MEAN * math.sqrt(n["density"] / n["pressure"]))
    if case == "triaxial":
        return text + (f"loading:\n  - {{test: isotropic, servo_rate: {10 * rate}}}\n"
                       f"  - {{test: drained_triaxial, strain: {n['strain']}, zero_strain: yes, most_servo_error: 10}}\n")
    stress = ", ".join(f"{c}: {{stress: {n['pressure']}}}" for c in (11, 22, 33))
    gradient = [[rate if i == j else 0 for j in range(3)] for i in range(3)]
    return text + (f"loading:\n  - {{test: general, components: {{{stress}}}, duration: {n['press_time']}, "
                   f"servo_rate: {rate}, most_servo_error: 1000}}\n"
                   f"  - {{test: strain, velocity_gradient: {gradient}, until: strain, component: '33', "
                   f"goal: {n['strain']}}}\n")


def run_slipwave(args, case, n, packing, folder):
    output = folder / (packing.stem + ".h5")
    (folder / "job.yaml").write_text(job(case, n, packing, output), encoding="utf-8")
    before = os.times()
    subprocess.run([args.slipwave, "dem", folder / "job.yaml", "--quiet", "--threads", "1"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, "OMP_NUM_THREADS": "1"})
    after = os.times()  # reading the job is part of it
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    with h5py.File(output) as file:
        row = {name: data[0][:int(file["rve/records"][0])] for name, data in file["history"].items()}
    if "time" in n:
        text = (folder / f"{packing.stem}-0000.txt").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line[0] in "0123456789-+."]
        after_run = np.array([[float(x) for x in line.split()] for line in lines])
        return {**settled(case, n, after_run, row), "seconds": seconds}
    stage = row["stage"]
    if case == "triaxial":
        late = (stage == stage.max()) & (row["strain_33"] > n["strain"] / 2)
        return {"q_over_p": (row["deviator"][late] / row["pressure"][late]).mean(),
                "volume_strain": row["volume_strain"][late].mean(), "void_ratio": row["void_ratio"][stage < stage.max()][-1], "seconds": seconds}
    pressed = np.flatnonzero(stage < stage.max())[-1]
    return {"void_ratio": row["void_ratio"][pressed], "coordination": row["coordination"][pressed],
            "mean_stress": row["pressure"][stage == stage.max()].mean(),
            "largest_tension": -row["pressure"][stage == stage.max()].min(), "seconds": seconds}


def settled(case, n, particles, row):
    volume = np.prod(np.array(n["box"]) * 1e-3)
    if case == "clumps":
        from_first = particles.reshape(-1, len(CLUMP), particles.shape[1])
        size = from_first[:, 0, 3]
        centre = from_first[:, :, 2] @ WEIGHTS
        mass = n["density"] * UNION * size**3
    else:
        size, centre = particles[:, 3], particles[:, 2]
        mass = n["density"] * 4 / 3 * math.pi * size**3
    height = (mass * centre).sum() / mass.sum()
    if case == "hopper":
        return {"centre": height + 1e-3 * n["depth"], "coordination": row["coordination"][-1],
                "on_walls": row["wall_force_1"][-1] / (mass.sum() * n["gravity"])}
    moment = mass.sum() * n["gravity"] * height
    return {"centre": height, "coordination": row["coordination"][-1], "axial": row["stress_33"][-1] * volume / moment,
            "lateral": row["stress_11"][-1] * volume / moment}


def union_of_clump():
    """Volume of the clump of size 1, and its centre's weights of the spheres' centres: by points, 2 million."""
    shape = np.array(CLUMP)
    low, high = (shape[:, :3] - shape[:, 3:]).min(axis=0), (shape[:, :3] + shape[:, 3:]).max(axis=0)
    n = 140
    x = np.stack(np.meshgrid(*[low[k] + (np.arange(n) + 0.5) / n * (high[k] - low[k]) for k in range(3)]), axis=-1)
    inside = np.zeros(x.shape[:3], bool)
    for row in shape:
        inside |= ((x - row[:3])**2).sum(axis=-1) < row[3]**2
    volume = inside.mean() * np.prod(high - low)
    centre = x[inside].mean(axis=0)
    # c = sum w_i x_i with sum w_i = 1 has one solution in the plane of three centres nearest to it
    a = np.vstack([shape[:, :3].T, np.ones(len(shape))])
    return volume, np.linalg.lstsq(a, np.append(centre, 1), rcond=None)[0]


UNION, WEIGHTS = union_of_clump()


# ---- Yade ----

def run_yade(args, case, n, packings):
    numbers = [f"--set={name}={value}" for name, value in n.items()
               if isinstance(value, (int, float)) and not isinstance(value, bool)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("DISPLAY", None)
    command = [args.yade, "-n", "-x", "-j1", HERE / "dem_yade_walls.py", case, *packings, *numbers]
    out = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         encoding="utf-8").stdout
    rows = [line.split()[1:] for line in out.splitlines() if line.startswith("result ")]
    if len(rows) != len(packings):
        sys.exit(f"Yade: {out[-2000:]}")
    return [{row[i]: float(row[i + 1]) for i in range(0, len(row), 2)} for row in rows]


# ---- Both ----

def compare(case, ours, theirs):
    """Whether all means agree; prints the table's rows."""
    fine, n = True, len(ours)
    for name in ours[0]:
        a, b = np.array([row[name] for row in ours]), np.array([row[name] for row in theirs])
        error = [x.std(ddof=1) / math.sqrt(n) for x in (a, b)]
        off, chance = a.mean() - b.mean(), math.hypot(*error)
        if name != "seconds":
            agrees = abs(off) <= 0.01 * abs(b.mean()) or abs(off) <= 2 * chance
            fine &= bool(agrees)
            print(f"| {case} | {name} | {a.mean():.5g} ± {error[0]:.2g} | {b.mean():.5g} ± {error[1]:.2g} | "
                  f"{100 * off / b.mean():+.2f} % | {off / chance:+.1f} |", flush=True)
        else:
            print(f"| {case} | seconds | {a.mean():.3g} | {b.mean():.3g} | | |", flush=True)
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="*", help=f"of {', '.join(CASES)}; without all")
    parser.add_argument("--slipwave", default="build/slipwave")
    parser.add_argument("--yade", default="yade")
    parser.add_argument("--packings", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder")
    args = parser.parse_args()
    fine, started = True, time.time()
    print("| Case | Quantity | slipwave | Yade | off | in standard errors |\n|---|---|---|---|---|---|")
    for case in args.case or CASES:
        n, folder = dict(CASES[case]), args.output / case
        folder.mkdir(parents=True, exist_ok=True)
        if case == "cohesion":  # as long as twice the strain from loose to dense takes
            n["press_time"] = 1.0 / (n["inertia"] / (2 * MEAN * math.sqrt(n["density"] / n["pressure"])))
        packings = [folder / f"packing-{k}.txt" for k in range(1, args.packings + 1)]
        for k, packing in enumerate(packings):
            write_packing(packing, case, n, 1000 * list(CASES).index(case) + k)
        if case == "hopper":
            write_hopper(folder / "hopper.stl", n)
        ours = [run_slipwave(args, case, n, packing, folder) for packing in packings]
        fine &= compare(case, ours, run_yade(args, case, n, packings))
    print(f"{time.time() - started:.0f} s", file=sys.stderr)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
