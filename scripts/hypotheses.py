#!/usr/bin/env python3
"""What a hypothesis is worth: polycrystals by each hypothesis against the same grains resolved by finite elements.

A periodic cube of Voronoi grains (slipwave fem) is rolled, sheared, or sheared and back; its grains, each once and by its
volume, go through the same by every hypothesis (slipwave taylor). Then a sheet of the rolled cube's crystals is pulled at
0, 45 and 90 degrees to the rolling direction, by finite elements and by every hypothesis (slipwave forming). Written into
the output folder: jobs, results, and table.md: stresses, texture indices, distances of ODFs, r-values. What is there already is
not run again: --fem-only on a machine with a GPU makes the finite elements' part, of which .h5, .npz and .ori files are all that
another machine needs for the rest. docs/guide/hypotheses.md reads one.

Distance of ODFs: the root of the mean squared difference over that of the finite elements' ODF, at random orientations.
"""

import argparse
import math
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import h5py
import numpy as np
from slipwave.texture import disorientation, odf

ROOT = Path(__file__).resolve().parents[1]
RATE = 1e-3  # 1/s
INCREMENT = 0.004  # of strain, of finite elements: with 0.01 grains take 80 iterations of Newton's method, with this 3
HALFWIDTH = math.radians(10)  # of the kernel
POINTS = 3000  # orientations at which ODFs are compared
PAIRS = 11  # seed of the order of grains, which makes neighbours of alamel
MATERIALS = {  # file, group, strains of rolling and of shear, what crystals begin as, ideal orientations that are counted
    "fcc": ("copper-ofhc.yaml", "432", 0.5, 0.8, None, ["Brass", "S", "Copper", "Goss"]),
    "bcc": ("iron.yaml", "432", 0.5, 0.8, None, ["alpha", "gamma", "rotated_cube"]),
    "mg": ("az31.yaml", "622", 0.15, 0.35, "[{name: basal, fraction: 0.9, halfwidth: 15}]", ["basal", "split_RD", "split_TD"]),
}
LINEARIZATIONS = ("tangent", "second_order", "neff", "affine", "secant")  # of self-consistent schemes
HYPOTHESES = ("sachs", *LINEARIZATIONS, "alamel", "taylor")
CASES = ("rolling", "shear", "reversal")
ANGLES = (0, 45, 90)
KEPT = 65536  # crystals of a texture of finite elements, at most
SHEET_CRYSTALS = 1000
SHEET_STRAIN = 0.02  # of tension, where r-values are read


def gradient(case, strain):
    """Rows of H = F - I at factor 1, factors of steps, and what goes through the same: (L in 1/s, s). The cube that is sheared and
    back is the one that is sheared."""
    if case == "rolling":
        back = [([[RATE, 0, 0], [0, 0, 0], [0, 0, -RATE]], strain / RATE)]
        return [["x", 0, 0], [0, 0, 0], [0, 0, math.expm1(-strain)]], [1.0], back
    ways = [([[0, RATE, 0], [0, 0, 0], [0, 0, 0]], strain / RATE), ([[0, -RATE, 0], [0, 0, 0], [0, 0, 0]], strain / RATE)]
    return [[0, strain, 0], [0, 0, 0], [0, 0, 0]], [1.0, 0.0], ways[: 1 if case == "shear" else 2]


def said(hypothesis):
    """In a job."""
    return f"{{self_consistent: {{linearization: {hypothesis}}}}}" if hypothesis in LINEARIZATIONS else hypothesis


class Study:
    def __init__(self, options):
        self.options = options
        self.folder = Path(options.output)
        self.folder.mkdir(parents=True, exist_ok=True)

    def run(self, command, name, job):
        """A job's results, made where they are not there."""
        results = self.folder / f"{name}.h5"
        if not results.exists():
            (self.folder / f"{name}.yaml").write_text(job)
            subprocess.run([self.options.slipwave, command, f"{name}.yaml", "-q"], cwd=self.folder, check=True)
        return results

    def fem(self, name, material, crystals, mean, factors, increments, time):
        n, ends = self.options.cells, [(k + 1) * increments for k in range(len(factors))]
        steps = "".join(f"  - {{factor: {f}, increments: {increments}, time: {time}}}\n" for f in factors)
        return self.run("fem", name, f"""mesh: {{body: box, cells: [{n}, {n}, {n}], size: [1.0e-3, 1.0e-3, 1.0e-3]}}
strain: finite
materials:
  - crystals:
      material: {material}
      solver: elastoplastic
{crystals}      grains: {{voronoi: {self.options.grains}, seed: 1}}
periodic: {{mean_gradient: {str(mean).replace("'x'", "x")}}}
steps:
{steps}device: {self.options.device}
output: {{file: {name}.h5, fields: {ends}, textures: [all]}}
""")

    def texture_of(self, name, increment):
        """Crystals, of very many some, and fractions of all."""
        kept = self.folder / f"{name}-{increment:04d}.npz"
        if not kept.exists():
            with h5py.File(self.folder / f"{name}-{increment:04d}.textures.h5") as f:
                euler, fractions = f["texture/0/orientations"][:], f["texture/0/component_fraction"][:]
            if len(euler) > KEPT:
                euler = euler[np.random.default_rng(PAIRS).choice(len(euler), KEPT, replace=False)].astype(np.float32)
            np.savez(kept, euler=euler, fractions=fractions)
        with np.load(kept) as f:
            return f["euler"].astype(float), f["fractions"]

    def crystals(self, key):
        """What the cube's grains are drawn from: lines of a job."""
        file, _, _, _, components, _ = MATERIALS[key]
        if components is None:
            return ""
        self.run("taylor", f"{key}-begin", f"""material: {ROOT}/data/materials/{file}
solver: rigid_plastic
crystals: {{count: {self.options.grains}, components: {components}, seed: 1}}
strain_increment: 0.01
loading: [{{velocity_gradient: [[{RATE}, 0, 0], [0, 0, 0], [0, 0, -{RATE}]], duration: 0.01}}]
output: {{file: {key}-begin.h5, orientations: [0]}}
""")
        return f"      file: {key}-begin.h5\n      step: 0\n"

    def grains(self, key, material):
        """The grains that the cube begins with, each once, by its volume, in random order: a file of orientations."""
        path = self.folder / f"{key}-grains.ori"
        if path.exists():
            return path
        self.fem(f"{key}-start", material, self.crystals(key), [["x", 0, 0], [0, 0, 0], [0, 0, -1e-9]], [1.0], 1, 1e-6)
        with h5py.File(self.folder / f"{key}-start-0001.textures.h5") as f:
            euler = f["texture/0/orientations"][:]
        unique, count = np.unique(np.round(euler, 5), axis=0, return_counts=True)
        order = np.random.default_rng(PAIRS).permutation(len(unique))[: len(unique) // 2 * 2]
        rows = np.c_[np.degrees(unique), count / count.mean()][order]
        path.write_text("".join(f"{a:.5f} {b:.5f} {c:.5f} {w:.6f}\n" for a, b, c, w in rows))
        return path

    def taylor(self, name, material, grains, hypothesis, ways):
        loading = "".join(f"  - {{velocity_gradient: {way}, duration: {time}}}\n" for way, time in ways)
        return self.run("taylor", name, f"""material: {material}
solver: rigid_plastic
homogenization: {said(hypothesis)}
crystals: {{file: {grains.name}}}
strain_increment: 0.01
loading:
{loading}output: {{file: {name}.h5, orientations: [last]}}
""")


def compare(f, g):
    return math.sqrt(np.mean((f - g) ** 2) / np.mean(g**2))


def stress_of(sigma, case):
    """MPa: what works in the loading."""
    return 1e-6 * (sigma[0, 0] - sigma[2, 2] if case == "rolling" else sigma[0, 1])


def cube(study, key, case):
    """A case by finite elements: its name, its last increment, what goes through the same."""
    file, _, rolled, sheared, _, _ = MATERIALS[key]
    strain = rolled if case == "rolling" else sheared
    mean, factors, ways = gradient(case, strain)
    increments = round(strain / INCREMENT)
    name = f"{key}-{'rolling' if case == 'rolling' else 'reversal'}-fem"
    study.fem(name, f"{ROOT}/data/materials/{file}", study.crystals(key), mean, factors, increments, strain / RATE)
    return name, increments * len(ways), ways


def rows_of(study, key, case, points):
    """Of one material and case: name, stress, share of the finite elements', texture index, distance, fractions."""
    file, group, _, _, _, ideals = MATERIALS[key]
    material = f"{ROOT}/data/materials/{file}"
    name, end, ways = cube(study, key, case)
    euler, fractions = study.texture_of(name, end)
    reference = odf(euler, points, halfwidth=HALFWIDTH, group=group)
    with h5py.File(study.folder / f"{name}.h5") as f:
        stress = stress_of(f["history/mean_cauchy_stress"][end - 1], case)
    rows = [("finite elements", stress, 1, np.mean(reference**2), 0, fractions)]
    grains = study.grains(key, material)
    for hypothesis in study.options.hypotheses:
        try:
            results = study.taylor(f"{key}-{case}-{hypothesis}", material, grains, hypothesis, ways)
        except subprocess.CalledProcessError:  # it says why
            rows.append((hypothesis, *[math.nan] * 4, np.full(len(fractions), math.nan)))
            continue
        with h5py.File(results) as f:
            step = max((name for name in f["orientations"] if name.isdigit()), key=int)
            weight = f["orientations/weight"][:] if "weight" in f["orientations"] else None
            density = odf(f[f"orientations/{step}/euler"][:], points, weight, halfwidth=HALFWIDTH, group=group)
            own = stress_of(f["history/cauchy_stress"][-1], case)
            fractions = f[f"texture/{step}/component_fraction"][:]
        rows.append((hypothesis, own, own / stress, np.mean(density**2), compare(density, reference), fractions))
    return rows, ideals


def ideal_places(study, key):
    """Where the counted ideal orientations are among a file's fractions."""
    with h5py.File(study.folder / f"{key}-rolling-{study.options.hypotheses[0]}.h5") as f:
        step = max((name for name in f["texture"] if name.isdigit()), key=int)
        names = f[f"texture/{step}/component_fraction"].attrs["names"]
    names = (names.decode() if isinstance(names, bytes) else names).split(",")
    return [names.index(n) for n in MATERIALS[key][5]]


# ---- r-values ----


def turned(euler, angle):
    """Seen from axes that are turned about the normal by so many degrees."""
    return np.c_[(euler[:, 0] - math.radians(angle)) % (2 * math.pi), euler[:, 1:]]


def sheet_of(study, key):
    """Crystals drawn from the rolled cube's, of which the finite elements' grains are drawn."""
    increments = round(MATERIALS[key][2] / INCREMENT)
    euler, _ = study.texture_of(f"{key}-rolling-fem", increments)
    return euler[np.random.default_rng(PAIRS).choice(len(euler), max(SHEET_CRYSTALS, study.options.grains), replace=False)]


def pulled_by_fem(study, key, material, euler, angle):
    path = study.folder / f"{key}-sheet-{angle}.ori"
    path.write_text("".join("{:.5f} {:.5f} {:.5f}\n".format(*np.degrees(e)) for e in turned(euler, angle)))
    name = f"{key}-sheet-{angle}-fem"
    mean = [[SHEET_STRAIN, 0, 0], [0, "x", 0], [0, 0, "x"]]
    study.fem(name, material, f"      file: {path.name}\n", mean, [1.0], 10, SHEET_STRAIN / RATE)
    with h5py.File(study.folder / f"{name}.h5") as f:
        stretch = np.log(np.diagonal(f["history/mean_deformation_gradient"][:], axis1=1, axis2=2))
        return (stretch[-1, 1] - stretch[4, 1]) / (stretch[-1, 2] - stretch[4, 2])


def r_rows(study, key):
    material = f"{ROOT}/data/materials/{MATERIALS[key][0]}"
    euler = sheet_of(study, key)
    rows = [("finite elements", [pulled_by_fem(study, key, material, euler, angle) for angle in ANGLES])]
    for hypothesis in study.options.hypotheses:
        name = f"{key}-sheet-{hypothesis}"
        try:
            results = study.run("forming", name, f"""material: {material}
solver: rigid_plastic
homogenization: {said(hypothesis)}
crystals: {{file: {key}-sheet-0.ori}}
strain_increment: 0.005
r_values: {{angles: {list(ANGLES)}, strain: {SHEET_STRAIN}}}
output: {{file: {name}.h5}}
""")
        except subprocess.CalledProcessError:  # of few crystals stresses are not met
            rows.append((hypothesis, [math.nan] * len(ANGLES)))
            continue
        with h5py.File(results) as f:
            rows.append((hypothesis, f["r_values/r"][:]))
    return rows


def finite_elements(study):
    """All that is theirs, for the rest to be made elsewhere."""
    for key in study.options.materials:
        material = f"{ROOT}/data/materials/{MATERIALS[key][0]}"
        study.grains(key, material)
        for case in study.options.cases:
            name, end, _ = cube(study, key, case)
            study.texture_of(name, end)
        if "rolling" in study.options.cases and study.options.sheets:
            for angle in ANGLES:
                pulled_by_fem(study, key, material, sheet_of(study, key), angle)


def tables(study):
    points = np.random.default_rng(1).uniform(size=(POINTS, 3)) * [2 * math.pi, 2, 2 * math.pi]
    points[:, 1] = np.arccos(1 - points[:, 1])
    for key in study.options.materials:
        for case in study.options.cases:
            rows, ideals = rows_of(study, key, case, points)
            places = ideal_places(study, key) if case == "rolling" else []
            yield f"\n**{key}, {case}**\n"
            shown = ideals if places else []
            yield "| | MPa | of fem | Texture index | ODF distance |" + "".join(f" {n} |" for n in shown)
            yield "|---|---|---|---|---|" + "---|" * len(shown)
            for name, stress, share, index, distance, fractions in rows:
                yield (f"| {name} | {stress:.1f} | {share:.3f} | {index:.2f} | {distance:.3f} |" +
                       "".join(f" {100 * fractions[p]:.1f} % |" for p in places))
        if "rolling" in study.options.cases and study.options.sheets:
            yield f"\n**{key}, r-values of the rolled sheet**\n"
            yield "| | " + " | ".join(f"{a}°" for a in ANGLES) + " |"
            yield "|---|" + "---|" * len(ANGLES)
            for name, r in r_rows(study, key):
                yield f"| {name} | " + " | ".join(f"{x:.2f}" for x in r) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--output", default="hypotheses", help="folder (%(default)s)")
    parser.add_argument("--cells", type=int, default=16, help="elements along an edge of the cube (%(default)s)")
    parser.add_argument("--grains", type=int, default=1000, help="an even number (%(default)s)")
    parser.add_argument("--materials", nargs="+", default=list(MATERIALS), choices=list(MATERIALS))
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES)
    parser.add_argument("--hypotheses", nargs="+", default=list(HYPOTHESES), choices=HYPOTHESES)
    parser.add_argument("--no-sheets", dest="sheets", action="store_false", help="no r-values")
    parser.add_argument("--fem-only", action="store_true", help="no hypotheses: what finite elements have to say")
    parser.add_argument("--device", default="auto", help="of finite elements (%(default)s)")
    parser.add_argument("--slipwave", default="slipwave", help="the program")
    options = parser.parse_args()
    options.slipwave = str(Path(options.slipwave).resolve()) if "/" in options.slipwave else options.slipwave
    study = Study(options)
    if options.fem_only:
        finite_elements(study)
        return
    lines = []
    for line in tables(study):
        line = line.replace("nan %", "-").replace("nan", "-")
        print(line, flush=True)
        lines.append(line)
    (study.folder / "table.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
