#!/usr/bin/env python3
"""How many particles make a volume element: Lubbe et al. 2022, section 8 and Fig. 8.

    scripts/dev/dem_size_study.py -o sizes                      400 to 2800 particles, five packings of each
    scripts/dev/dem_size_study.py -o sizes --sizes 100 200 400 --packings 3

Packings with the parameters of the paper's Table 1 are compressed isotropically to 100 kPa, all in one run of
`slipwave dem`. In the folder: size-study.yaml (the job) and size-study.h5 (its results), size-study.csv (a row a size:
the test of contact orientations, coordination, void ratio, with the deviation among packings), size-study.png and .svg,
and roses.png and .svg. A run that is there already is not repeated; --again does.

The paper compresses to 50 Pa first, with stiffer grains; the packings here get to 100 kPa with one of the friction
--friction and come to rest with that of the table.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import InputError, run, save
from slipwave.pictures.dem import TESTS, DemResults, by_size, plot_roses, plot_sizes

JOB = """\
# Written by scripts/dev/dem_size_study.py. Lubbe et al. 2022, section 8, Table 1.
material:
  law: linear
  young: 8.0e9              # Pa
  poisson: 0.5              # K_T / K_N
  friction_angle: 25.0      # degrees
  roll_stiffness: 2.0
  twist_stiffness: 2.0
  roll_strength: 0.2
  twist_strength: 0.2
  density: 2600             # kg/m^3
packing:
  radii: {{distribution: uniform, least: 5.0e-5, largest: 1.25e-4}}     # m
  particles: {largest}
  pressure: {pressure:g}    # Pa
  friction: {friction:g}    # tan(phi) while packing
  record: yes
rves:
  count: {packings}
  variations:
{variations}
numerics: {{record_interval: 2000}}
output: {{file: size-study.h5}}
"""


def job_text(options):
    return JOB.format(largest=max(options.sizes), pressure=options.pressure, friction=options.friction,
                      packings=options.packings,
                      variations="\n".join(f"    - {{particles: {n}}}" for n in options.sizes))


def compute(options, folder):
    job, text = folder / "size-study.yaml", job_text(options)
    if (folder / "size-study.h5").exists() and not options.again:
        if not job.exists() or job.read_text(encoding="utf-8") != text:
            raise InputError(f"{folder}/size-study.h5: is of another job: --again repeats it")
        return
    job.write_text(text, encoding="utf-8")
    command = [options.program, "dem", job.name] + (["--device", options.device] if options.device else [])
    if subprocess.run(command, cwd=folder, check=False).returncode != 0:
        raise InputError(f"{' '.join(command)} in {folder}: failed")


def last(results, name):
    return np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else np.nan for row in results.history(name)])


def gather(results, path):
    """A row a size; deviations are those among packings."""
    test = {name: results.array(f"fabric/{name}", results.n, 4)
            for name in ("chi_squared", "reduced", "cramer", "excess", "p_value", "counts")}
    last_of = {name: last(results, name) for name in ("void_ratio", "coordination")}
    anisotropy = results.array("fabric/anisotropy", results.n)
    names = ["particles", "packings", "contacts"]
    for kind in TESTS:
        names += [f"{name}_{kind}" for name in ("inverse_chi_squared", "reduced", "cramer", "excess", "rejected")]
    names += ["anisotropy", "void_ratio", "void_ratio_deviation", "coordination", "coordination_deviation"]
    rows = []
    for size, elements in by_size(results):
        row = [size, len(elements), test["counts"][elements, 3].mean()]
        for k in range(len(TESTS)):
            row += [(1 / test["chi_squared"][elements, k]).mean()]
            row += [test[name][elements, k].mean() for name in ("reduced", "cramer", "excess")]
            row += [(test["p_value"][elements, k] < 0.05).mean()]
        row.append(anisotropy[elements].mean())
        for name in ("void_ratio", "coordination"):
            values = last_of[name][elements]
            row += [values.mean(), values.std(ddof=1) if len(values) > 1 else np.nan]
        rows.append(row)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.6g}" for value in row) + "\n")
    return names, rows


def tell(names, rows):
    shown = ["particles", "contacts", "inverse_chi_squared_x-y", "reduced_x-y", "reduced_sphere", "cramer_x-y",
             "cramer_sphere", "rejected_sphere", "coordination"]
    print("  ".join(name.replace("inverse_chi_squared", "1/chi2") for name in shown))
    for row in rows:
        print("  ".join(f"{row[names.index(name)]:{len(name.replace('inverse_chi_squared', '1/chi2'))}.4g}"
                        for name in shown))


def check(options):
    if any(n < 50 for n in options.sizes) or len(set(options.sizes)) < 2:
        raise InputError(f"--sizes {' '.join(map(str, options.sizes))}: need two or more sizes, of 50 particles and "
                         "more")
    options.sizes = sorted(set(options.sizes))
    if options.packings < 1:
        raise InputError(f"--packings {options.packings}: need 1 or more")
    program = shutil.which(options.program)
    if program is None:
        raise InputError(f"{options.program}: no such program: build it, or name it with --program")
    options.program = str(Path(program).resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="made if it is not there")
    parser.add_argument("--sizes", type=int, nargs="+", default=[400, 800, 1200, 1600, 2000, 2400, 2800], metavar="P")
    parser.add_argument("--packings", type=int, default=5, metavar="N", help="of each size (5)")
    parser.add_argument("--pressure", type=float, default=100e3, metavar="PA", help="(1e5)")
    parser.add_argument("--friction", type=float, default=0.1, metavar="TAN", help="while packing (0.1)")
    parser.add_argument("--device", metavar="NAME", help="auto, cpu or cuda (auto)")
    parser.add_argument("--again", action="store_true", help="even if results are there")
    parser.add_argument("--program", default="build/slipwave", metavar="PATH", help="(build/slipwave)")
    options = parser.parse_args()
    check(options)
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    compute(options, folder)
    results = DemResults(folder / "size-study.h5")
    with results.file:
        tell(*gather(results, folder / "size-study.csv"))
        options.forces = False
        save(plot_sizes([(results, "")], options), folder / "size-study")
        save(plot_roses([(results, "")], options), folder / "roses")


if __name__ == "__main__":
    run(main)
