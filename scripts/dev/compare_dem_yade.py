#!/usr/bin/env python3
"""Triaxial curves and speed of `slipwave dem` on one core of a CPU against another code's, Yade's, in one run.

    scripts/dev/compare_dem_yade.py --slipwave build/slipwave -o FOLDER [--yade yade] [--stored] [--no-rates]

Three packings of data/reference/dem-yade-packing-*.txt, three materials, the parameters and the time step of
data/reference/dem-yade-*.csv. Each code runs each packing --runs times; runs of one code differ in round-off. A
difference is sqrt(sum (a - b)^2 / sum b^2) over the rows of the curve, of means over packings and runs; "scatter" is
that between halves of one code's runs: what chance alone makes of it.

Rates: particle-steps per second of the processor (of the wall clock beside it), the codes in turn, the same packing,
consolidated and then compressed by 3 %; the median of --repeats. Of Yade only the compression counts, and not its
servo, which is Python; of slipwave all of the run.

Writes FOLDER/dem-yade.png and .svg, and the tables to standard output. Needs Yade unless --stored takes the curves of
data/reference. Exit status 1 when a curve is off by more than 3 %, or slipwave less than 3 times as fast.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import COLOURS, InputError, run, save
from slipwave.pictures.dem import DemResults

HERE = Path(__file__).resolve().parent
REFERENCE = HERE.parents[1] / "data" / "reference"
PACKINGS = [REFERENCE / f"dem-yade-packing-{k}.txt" for k in (1, 2, 3)]
PRESSURE, INERTIA_NUMBER, ROW, SAMPLES = 200e3, 2e-3, 2e-3, 20  # Pa; 1; axial strain of a row; samples in it
BOUND, FASTER = 0.03, 3

# name: title, strain at the end, material; moments as in Lubbe et al. 2022, Tables 2 and 1
CASES = {
    "friction": ("friction only", 0.1, {"young": 4.3e9, "friction_angle": 33.4}),
    "rolling": ("rolling resistance, Table 2", 0.05,
                {"young": 4.3e9, "friction_angle": 33.4, "roll_stiffness": 1.8, "twist_stiffness": 1.7,
                 "roll_strength": 1.9, "twist_strength": 1.3}),
    "moments": ("rolling resistance, Table 1", 0.1,
                {"young": 8.0e9, "friction_angle": 25, "roll_stiffness": 2, "twist_stiffness": 2,
                 "roll_strength": 0.2, "twist_strength": 0.2}),
}


# ---- Running programs ----

def call(command, name):
    """Standard output and error together, wall seconds, processor seconds; on one core."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("DISPLAY", None)
    before, started = os.times(), time.perf_counter()
    try:
        result = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
    except OSError as error:
        raise InputError(f"{command[0]}: {error.strerror}") from None
    after = os.times()
    if result.returncode != 0:
        raise InputError(f"{name}: exit status {result.returncode}: {result.stdout.strip().splitlines()[-1:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return result.stdout, time.perf_counter() - started, used


def job(path, packings, material, strain, record, output):
    """A job file; the least difference of damping makes runs of one packing differ in round-off."""
    values = {"roll_stiffness": 0, "twist_stiffness": 0, "roll_strength": 0, "twist_strength": 0, **material}
    path.write_text(f"""\
material:
  law: linear
  moment_radius: product
  poisson: 0.5
  density: 2600
  {chr(10).join(f'  {key}: {value:g}' for key, value in values.items()).strip()}
packing: {{file: {packings[0][0]}}}
rves:
  variations:
    {chr(10).join(f'    - {{file: {file}, damping: {damping!r}}}' for file, damping in packings).strip()}
numerics: {{step_rule: wave, step: 0.5{record}}}
loading:
  - {{test: isotropic, pressure: {PRESSURE:g}, inertia_number: {INERTIA_NUMBER:g}, stress_tolerance: 1.0e-3,
     unbalanced_force: 1.0e-3, record: no}}
  - {{test: drained_triaxial, axis: 3, pressure: {PRESSURE:g}, inertia_number: {INERTIA_NUMBER:g}, strain: {strain:g},
     zero_strain: yes}}
device: cpu
output: {{file: {output}}}
""", encoding="utf-8")


# ---- Curves: arrays [packings][runs][rows][strain, q/p, volume strain] ----

def stress_ratio(side_1, side_2, end):
    return 3 * (end - (side_1 + side_2) / 2) / (side_1 + side_2 + end)


def read_yade(path, rows):
    """Of a table of scripts/dev/dem_yade.py, one run; [packings][rows][3]."""
    try:
        lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
        table = np.array([[float(word) for word in line.split(",")] for line in lines])
        curves = [table[table[:, 0] == k + 1][:rows] for k in range(len(PACKINGS))]
        if any(len(curve) < rows for curve in curves):
            raise InputError(f"{path}: need {rows} rows of each packing")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    return np.array([np.stack([c[:, 1], stress_ratio(*c[:, 4:7].T), c[:, 2]], axis=1) for c in curves])


def run_yade(yade, name, folder, runs):
    _, strain, material = CASES[name]
    options = ["--strain", strain, "--rows", round(strain / ROW), "--inertia", INERTIA_NUMBER, "--pressure", PRESSURE]
    for key, value in material.items():
        options += ["--" + key.replace("_", "-"), value]
    if "roll_stiffness" in material:
        options.append("--rolling")
    curves = []
    for k in range(runs):
        table = folder / f"yade-{name}-{k}.csv"
        call([yade, "-n", "-x", "-j1", HERE / "dem_yade.py", "triaxial", *PACKINGS, "-o", table, *options, "--skin",
              (0.5, 0.4, 0.3, 0.6)[k]], f"Yade, {name}")
        curves.append(read_yade(table, round(strain / ROW)))
    return np.stack(curves, axis=1)


def run_slipwave(slipwave, name, folder, runs):
    _, strain, material = CASES[name]
    output, path, rows = folder / f"{name}.h5", folder / f"{name}.yaml", round(strain / ROW)
    job(path, [(file, 0.2 * (1 + 1e-12 * k)) for file in PACKINGS for k in range(runs)], material, strain,
        ", record_interval: 40", output)
    call([slipwave, "dem", "-q", path], f"slipwave, {name}")
    results = DemResults(output)
    names = ("strain_33", "stress_11", "stress_22", "stress_33", "volume_strain")
    axial, *stress, volume = [results.array(f"history/{name}", len(PACKINGS) * runs, None) for name in names]
    at = ROW * np.arange(1, SAMPLES * rows + 1) / SAMPLES  # where Yade takes its samples
    curves = []
    for e in range(len(axial)):
        there = np.isfinite(axial[e])
        means = [np.interp(at, axial[e][there], values[e][there]).reshape(rows, SAMPLES).mean(axis=1)
                 for values in (axial, *stress, volume)]
        curves.append(np.stack([means[0], stress_ratio(*means[1:4]), means[4]], axis=1))
    return np.array(curves).reshape(len(PACKINGS), runs, rows, 3)


def difference(a, b):
    """Of curves [rows]."""
    return float(np.sqrt(np.sum((a - b) ** 2) / np.sum(b**2)))


def scatter(curves, quantity):
    """Between the means of half the runs each, as a difference of means of all runs: half of that of halves."""
    runs = curves.shape[1]
    if runs < 2:
        return float("nan")
    means = [curves[:, part, :, quantity].mean(axis=(0, 1)) for part in (slice(0, runs // 2), slice(runs // 2, runs))]
    return difference(*means) / 2


# ---- What is shown ----

def compare_curves(arguments, folder):
    """{case: (slipwave's curves, Yade's)}, and whether all are within the bound."""
    curves, well = {}, True
    print("case,quantity,strain,difference,scatter of slipwave,scatter of Yade,within 3 %")
    for name, (_, strain, _) in CASES.items():
        ours = run_slipwave(arguments.slipwave, name, folder, arguments.runs)
        if arguments.stored:
            theirs = read_yade(REFERENCE / f"dem-yade-{name}.csv", ours.shape[2])[:, None]
        else:
            theirs = run_yade(arguments.yade, name, folder, arguments.runs)
        curves[name] = ours, theirs
        for quantity, text in ((1, "q/p"), (2, "volume strain")):
            off = difference(ours[..., quantity].mean(axis=(0, 1)), theirs[..., quantity].mean(axis=(0, 1)))
            well &= off <= BOUND
            print(f"{name},{text},{strain:g},{off:.4f},{scatter(ours, quantity):.4f},{scatter(theirs, quantity):.4f},"
                  f"{'yes' if off <= BOUND else 'no'}", flush=True)
    return curves, well


def draw(curves, output):
    figure = Figure(figsize=(3 * len(curves) + 0.5, 5), layout="constrained")
    panels = figure.subplots(2, len(curves), squeeze=False)
    for column, (name, pair) in enumerate(curves.items()):
        for curve, colour, label in zip(pair, COLOURS, ("slipwave", "Yade")):
            for row, quantity in enumerate((1, 2)):
                strain, value = curve[..., 0].mean(axis=(0, 1)), curve[..., quantity]
                for one in value.mean(axis=1):
                    panels[row][column].plot(strain, one, color=colour, linewidth=0.5, alpha=0.5)
                panels[row][column].plot(strain, value.mean(axis=(0, 1)), color=colour, label=label)
        panels[0][column].set_title(CASES[name][0])
        panels[1][column].set_xlabel("axial strain")
    panels[0][0].set_ylabel("q / p")
    panels[1][0].set_ylabel("volume strain, compression positive")
    panels[0][0].legend()
    save(figure, output)


def repeat_packing(path, copies, output):
    """The packing beside itself."""
    words = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    cell = np.array(words[0][1:], dtype=float).reshape(3, 3)  # a vector a row
    spheres = np.array(words[1:], dtype=float)
    with open(output, "w", encoding="utf-8") as file:
        file.write("cell " + " ".join(f"{x:.10g}" for x in (cell * np.array(copies)[:, None]).ravel()) + "\n")
        for place in np.ndindex(*copies):
            for sphere in spheres:
                centre = sphere[:3] + np.array(place) @ cell
                file.write(" ".join(f"{x:.10g}" for x in (*centre, sphere[3])) + "\n")


def compare_rates(arguments, folder):
    """Whether slipwave is fast enough everywhere."""
    well = True
    print("\nlaw,particles,code,particle-steps per s of the processor,per s of the clock,times Yade")
    for law, case in (("friction", "friction"), ("moments", "rolling")):
        for copies in ((1, 1, 1), (2, 2, 1)):
            packing, path, output = folder / "packing.txt", folder / "rate.yaml", folder / "rate.h5"
            repeat_packing(PACKINGS[0], copies, packing)
            job(path, [(packing, 0.2)], CASES[case][2], 0.03, "", output)
            options = ["--rolling"] if law == "moments" else []
            rates = {"slipwave": [], "Yade": []}
            for _ in range(arguments.repeats):
                _, _, used = call([arguments.slipwave, "dem", "-q", path], "slipwave")
                results = DemResults(output)
                steps, wall = results.number("particle_steps"), results.number("wall_time")
                rates["slipwave"].append((steps / used, steps / wall))
                text, _, _ = call([arguments.yade, "-n", "-x", "-j1", HERE / "dem_yade.py", "rate", packing, *options],
                                  "Yade")
                line = re.search(r"^rate,\w+,(\d+),(\d+),([\d.]+),([\d.]+),", text, re.MULTILINE)
                if line is None:
                    raise InputError("Yade: no line that begins with 'rate'")
                particles, count, wall, used = (float(word) for word in line.groups())
                rates["Yade"].append((particles * count / used, particles * count / wall))
            middle = {code: [median(column) for column in zip(*pairs)] for code, pairs in rates.items()}
            faster = middle["slipwave"][0] / middle["Yade"][0]
            well &= faster >= FASTER
            for code, (used, wall) in middle.items():
                times = f"{faster:.2f}" if code == "slipwave" else "1"
                print(f"{law},{particles:.0f},{code},{used:.3e},{wall:.3e},{times}", flush=True)
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--slipwave", default="build/slipwave", metavar="PROGRAM")
    parser.add_argument("--yade", default="yade", metavar="PROGRAM")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    parser.add_argument("--runs", type=int, default=4, choices=(1, 2, 3, 4), help="of each packing by each code")
    parser.add_argument("--repeats", type=int, default=3, help="of each rate")
    parser.add_argument("--stored", action="store_true", help="Yade's curves are those of data/reference")
    parser.add_argument("--no-rates", action="store_true", help="curves only")
    parser.add_argument("--no-curves", action="store_true", help="rates only")
    arguments = parser.parse_args()
    well = True
    Path(arguments.output).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.no_curves:
            curves, well = compare_curves(arguments, Path(folder))
            draw(curves, str(Path(arguments.output) / "dem-yade"))
        if not arguments.no_rates:
            well &= compare_rates(arguments, Path(folder))
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    run(main)
