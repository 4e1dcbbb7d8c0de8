#!/usr/bin/env python3
"""What the compaction of a metal powder depends on: the crystals' refresh, their number, the rate, the number of
particles.

    scripts/dev/dem_powder_study.py -o powder                   36 compactions on one thread, 5 minutes
    scripts/dev/dem_powder_study.py -o powder --part refresh    one table of them

Equal copper spheres, each a Taylor polycrystal, from random close packings at 1 MPa, evenly and in a die to a relative
density of 0.82. In the folder: packings, jobs, results, and powder-study.csv with a row a run: pressure and stress along
and across the axis at a relative density of 0.80, from a parabola through the records of 0.78 to 0.82, which evens out
the steps that a refresh makes; slip resistance and particles' strain there, between two refreshes; means of inertia
number and unbalanced force. A run whose results are there is not repeated; --again does.

The rate at which metal flows is the same in all runs: time_scale goes with the inertia number.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import InputError, run
from slipwave.pictures.dem import DemResults

MATERIAL = Path(__file__).resolve().parents[2] / "data/materials/copper-ofhc.yaml"
PACKING = """\
# Written by scripts/dev/dem_powder_study.py.
material: {{law: metal, young: 120.0e9, poisson: 0.34, friction: 0.0, density: 8900, strength: 120.0e6,
           rate_sensitivity: 0.012}}
packing: {{particles: {particles}, seed: {seed}, radii: {{distribution: monodisperse, radius: 50.0e-6}},
          pressure: 1.0e6, friction: 0.0, inertia_number: 2.0e-2}}
numerics: {{time_scale: 1.0e6}}
output: {{file: {file}.h5, packings: [txt]}}
"""
JOB = """\
# Written by scripts/dev/dem_powder_study.py.
material: {{law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}}
crystals: {{material: {material}, count: {count}, refresh: {refresh:g}}}
packing: {{file: {packing}, pressure: 1.0e6}}
numerics: {{time_scale: {scale:g}, record_strain: 5.0e-4}}
loading: [{{test: compaction, relative_density: 0.82, lateral: {lateral}, inertia_number: {inertia:g}}}]
output: {{file: {file}.h5}}
"""
BASE = {"particles": 300, "seed": 1, "refresh": 5e-3, "count": 16, "inertia": 1e-2}
PARTS = {
    "refresh": [{"refresh": value} for value in (0.02, 0.01, 0.005, 0.0025, 0.00125)],
    "count": [{"count": value} for value in (4, 16, 64)],
    "inertia": [{"inertia": value} for value in (1e-1, 3e-2, 1e-2, 3e-3)],
    "particles": [{"particles": value, "seed": seed} for value in (150, 300, 500) for seed in range(1, 4)],
}
COLUMNS = ["lateral", *BASE, "pressure_MPa", "axial_MPa", "across_MPa", "slip_resistance_MPa", "particle_strain",
           "inertia_number", "unbalanced_force"]
AT = 0.80


def call(options, folder, job, text):
    """Run a job in the folder, unless its results are there."""
    path = folder / f"{job}.yaml"
    if (folder / f"{job}.h5").exists() and not options.again:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            raise InputError(f"{folder}/{job}.h5: is of another job: --again repeats it")
        return
    path.write_text(text, encoding="utf-8")
    command = [options.program, "dem", path.name, "-j", "1", "-q", "--device", "cpu"]
    if subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        raise InputError(f"{' '.join(command)} in {folder}: failed")


def compute(options, folder, lateral, given):
    """The results file of a run."""
    packing = f"packing-{given['particles']}-{given['seed']}"
    call(options, folder, packing, PACKING.format(file=packing, **given))
    name = f"{'die' if lateral == 0 else 'even'}-" + "-".join(f"{value:g}" for value in given.values())
    call(options, folder, name, JOB.format(material=MATERIAL, packing=f"{packing}-0000.txt", lateral=lateral, file=name,
                                           scale=1e8 * given["inertia"], **given))
    return folder / f"{name}.h5"


def measure(path):
    """Columns of a run at the relative density AT."""
    results = DemResults(path)
    with results.file:
        density = results.history("relative_density")[0]
        near = np.abs(density - AT) < 0.02

        def smooth(name):
            return np.polyval(np.polyfit(density[near] - AT, results.history(name)[0][near], 2), 0)

        def refreshed(name):
            """Between the first records that follow a refresh."""
            values = results.history(name)[0]
            fresh = np.flatnonzero(np.diff(values) != 0) + 1
            return np.interp(AT, density[fresh], values[fresh])

        mpa = [1e-6 * value for value in (smooth("pressure"), smooth("stress_33"),
                                          0.5 * (smooth("stress_11") + smooth("stress_22")),
                                          refreshed("slip_resistance"))]
        return [*mpa, refreshed("particle_strain"), *[results.history(name)[0][near].mean()
                                                      for name in ("inertia_number", "unbalanced_force")]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="made if it is not there")
    parser.add_argument("--part", choices=PARTS, help="one table (all)")
    parser.add_argument("--again", action="store_true", help="even if results are there")
    parser.add_argument("--program", default="build/slipwave", metavar="PATH", help="(build/slipwave)")
    options = parser.parse_args()
    program = shutil.which(options.program)
    if program is None:
        raise InputError(f"{options.program}: no such program: build it, or name it with --program")
    options.program = str(Path(program).resolve())
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for part in [options.part] if options.part else PARTS:
        for change in PARTS[part]:
            for lateral in (1, 0):
                given = {**BASE, **change}
                row = [lateral, *given.values(), *measure(compute(options, folder, lateral, given))]
                if tuple(row) not in rows:
                    print("  ".join(f"{value:.4g}" for value in row), flush=True)
                rows[tuple(row)] = None
    with open(folder / "powder-study.csv", "w", encoding="utf-8") as file:
        file.write(",".join(COLUMNS) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.6g}" for value in row) + "\n")


if __name__ == "__main__":
    run(main)
