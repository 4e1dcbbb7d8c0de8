#!/usr/bin/env python3
"""Crystals at the points of elements, `slipwave fem`: how answers depend on mesh and number of crystals, and what
texture changes against von Mises plasticity of the same hardening.

    scripts/dev/fem_crystal_study.py [TABLE ...] --slipwave build/slipwave

OFHC copper of data/materials at 1e-3 1/s. Tables to standard output:
    upsetting-mesh      a cylinder, radius 10 mm, height 30 mm, upset by half, friction 0.1: elements across the
                        radius, 16 random crystals a point
    upsetting-crystals  the same, crystals a point, 4 x 4 x 6 elements
    die-mesh            a block, 6 x 4 x 4 mm, in a channel die, walls at y without friction, pressed by half with
                        friction 0.2: elements along its length, 16 random crystals a point
    die-crystals        the same, crystals a point, 6 x 2 x 4 elements
    texture             a disc cut from rolled sheet, radius 10 mm, height 10 mm, upset by 40 % without friction and
                        sticking: rolled texture, random one, von Mises: force, how far it widens along and across the
                        rolling direction
Forces are those of the whole body.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from slipwave_results import COLOURS, InputError, run, save, von_mises

DATA = Path(__file__).resolve().parents[2] / "data"
COPPER = DATA / "materials" / "copper-ofhc.yaml"
ROLLED = DATA / "ebsd" / "copper-rolled-synthetic.ctf"
C11, C12, C44 = 168.7e9, 121.7e9, 75.0e9  # Pa, of the material file
RATE = 1e-3  # 1/s
MOST_ROWS = 32


class Study:
    """The program, a folder to work in, options for every run."""

    def __init__(self, program, folder, options):
        self.program, self.folder, self.options = program, Path(folder), options
        self.soft = self.picture = None
        self.meshes = self.counts = ()

    def call(self, command, job):
        path = self.folder / f"{command}.yaml"
        path.write_text(job, encoding="utf-8")
        done = subprocess.run([self.program, command, "-q", path, *(self.options if command == "fem" else [])],
                              text=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0 and command == "fem" and (self.folder / "fem.h5.partial").is_file():
            print(f"# {done.stdout.strip().splitlines()[-1]}")
        elif done.returncode != 0:
            raise InputError(f"{command}: {done.stdout.strip()}")

    def fem(self, body, material, increments):
        """Results of a job whose `body` says all but the material: {name: array}, with the textures at the end."""
        output, partial, textures = (self.folder / name for name in
                                     ("fem.h5", "fem.h5.partial", f"fem-{increments:04d}.textures.h5"))
        for path in (output, partial, textures):
            path.unlink(missing_ok=True)
        textured = ", textures: [all]" if "crystals" in material else ""
        started = time.perf_counter()
        self.call("fem", f"{body}materials:\n  - {material}\n"
                         f"output: {{file: {output}{textured}}}\n")
        found = {"seconds": time.perf_counter() - started}
        with h5py.File(output if output.is_file() else partial) as file:
            found |= {name: file[f"history/{name}"][()] for name in
                      ("tool_force", "displacement_most", "newton", "substeps", "tool_nodes_touching")}
        if textures.is_file():
            with h5py.File(textures) as file:
                found["texture_index"] = float(file["texture/0/texture_index"][()])
        return found

    def mises(self):
        """The material without texture: by 32 rows of the compression curve of 1,000 random crystals."""
        if self.soft is None:
            output = self.folder / "taylor.h5"
            self.call("taylor", f"material: {COPPER}\nsolver: elastoplastic\n"
                                "crystals: {count: 1000, texture: random, seed: 1}\nstrain_increment: 0.005\nloading:\n"
                                f"  - velocity_gradient: [[{RATE / 2}, 0, 0], [0, {RATE / 2}, 0], [0, 0, {-RATE}]]\n"
                                f"    duration: {1.6 / RATE}\noutput: {{file: {output}}}\n")
            with h5py.File(output) as file:
                strain, stress = RATE * file["history/time"][()], von_mises(file["history/cauchy_stress"][()])
            bulk, shear = (C11 + 2 * C12) / 3, (C11 - C12 + 3 * C44) / 5
            young = 9 * bulk * shear / (3 * bulk + shear)
            plastic = strain - stress / young
            at = np.concatenate([[0], np.geomspace(0.002, 1.5, MOST_ROWS - 1)])
            first = plastic > 2e-4
            rows = ", ".join(f"[{e:.6g}, {s:.6g}]" for e, s in zip(at, np.interp(at, plastic[first], stress[first])))
            self.soft = (f"{{young: {young:.6g}, poisson: {(3 * bulk - 2 * shear) / (6 * bulk + 2 * shear):.6g}, "
                         f"hardening: {{law: table, table: [{rows}]}}}}")
        return self.soft


def crystals(count, texture=""):
    return f"crystals: {{material: {COPPER}, count: {count}{texture}}}"


# ---- Bodies ----


def cylinder(n, height, reduction, contact, increments):
    return (f"upsetting: {{radius: 10.0e-3, height: {height}, reduction: {reduction}, cells: [{n}, {n}, "
            f"{max(2, round(n * height / 20e-3))}], increments: {increments}, time: {reduction / RATE}{contact}}}\n")


def die(n, increments):
    h = 4e-3
    return (f"mesh: {{body: box, cells: [{n}, {max(1, n // 3)}, {2 * n // 3}], size: [6.0e-3, 4.0e-3, {h}]}}\n"
            "strain: finite\nboundary:\n  - {nodes: x_min, x: 0}\n  - {nodes: y_min, y: 0}\n  - {nodes: y_max, y: 0}\n"
            "  - {nodes: z_min, z: 0}\n"
            "tools:\n  - {name: punch, shape: plane, surfaces: [z_max, x_max], friction: 0.2,\n"
            f"     point: [0, 0, {h}], normal: [0, 0, -1], move: [0, 0, {-h / 2}]}}\n"
            f"steps:\n  - {{factor: 1, increments: {increments}, time: {0.5 / RATE}}}\n")


# ---- Tables ----


def row(label, found, quarters, percents, increments, last):
    force = quarters * 1e-3 * abs(found["tool_force"][:, 0, 2])
    wide = 1e3 * found["displacement_most"][:, 0]
    at = [max(1, round(increments * p / last)) - 1 for p in percents]
    cells = [f"{force[k]:.3f},{wide[k]:.4f}" if k < len(force) else "-,-" for k in at]
    print(f"{label}," + ",".join(cells) + f",{found.get('texture_index', float('nan')):.3f},"
          f"{int(found['newton'].sum())},{int(found['substeps'].sum())},{found['seconds']:.1f}", flush=True)


def head(percents, what):
    print(f"{what}," + ",".join(f"{p} %: force kN,widened mm" for p in percents)
          + ",texture index,newton,substeps,seconds")


def upset(study, runs):
    increments, percents = 50, (10, 30, 50)
    head(percents, "run")
    for label, n, material in runs:
        found = study.fem(cylinder(n, 30e-3, 0.5, ", friction: 0.1", increments), material, increments)
        row(label, found, 4, percents, increments, 50)


def press(study, runs):
    increments, percents = 50, (10, 30, 50)
    head(percents, "run")
    for label, n, material in runs:
        row(label, study.fem(die(n, increments), material, increments), 2, percents, increments, 50)


def upsetting_mesh(study):
    upset(study, [(f"{n} across", n, crystals(16)) for n in study.meshes])
    upset(study, [(f"{n} across, Mises", n, study.mises()) for n in study.meshes])


def upsetting_crystals(study):
    upset(study, [(f"{n} crystals", 4, crystals(n)) for n in study.counts])
    upset(study, [(f"8 crystals, seed {seed}", 4, crystals(8, f", seed: {seed}")) for seed in (2, 3)])


def die_mesh(study):
    press(study, [(f"{n} along", n, crystals(16)) for n in (3, 6, 9)])
    press(study, [(f"{n} along, Mises", n, study.mises()) for n in (3, 6, 9)])


def die_crystals(study):
    press(study, [(f"{n} crystals", 6, crystals(n)) for n in study.counts])


def rim(path):
    """Half way up a disc of which `path` holds a quarter: x, y (mm), all around."""
    with h5py.File(path) as file:
        first, moved = (file["VTKHDF"][name][()] for name in ("Points", "PointData/displacement"))
    radius = np.hypot(first[:, 0], first[:, 1])
    on = (first[:, 2] < 1e-9) & (radius > radius.max() - 1e-9)
    x, y = (1e3 * (first + moved)[on][np.argsort(np.arctan2(first[on, 1], first[on, 0]))][:, :2]).T
    return np.concatenate([x, -x[::-1], -x, x[::-1]]), np.concatenate([y, y[::-1], -y, -y[::-1]])


def draw_rims(rims, path):
    """rims: {title: {label: (x, y)}}"""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    for axes, (title, curves) in zip(figure.subplots(1, len(rims), sharex=True, sharey=True, squeeze=False)[0],
                                     rims.items()):
        for k, (label, (x, y)) in enumerate(curves.items()):
            axes.plot(x, y, color=COLOURS[k % len(COLOURS)], label=label)
        turn = np.linspace(0, 2 * np.pi, 200)
        axes.plot(10 * np.cos(turn), 10 * np.sin(turn), ":", color="grey", linewidth=0.8, label="before")
        axes.set(title=title, xlabel="rolling direction (mm)", ylabel="across (mm)", aspect="equal")
        axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="center")
    save(figure, path)


def texture(study):
    increments, rims = 40, {}
    print("contact,material,force kN,along mm,across mm,texture index,newton,seconds")
    for contact, text in (("without friction", ""), ("sticking", ", sticks: yes")):
        rims[contact] = {}
        for label, material in (("rolled", crystals(32, f", file: {ROLLED}")), ("random", crystals(32)),
                                ("von Mises", study.mises())):
            found = study.fem(cylinder(6, 10e-3, 0.4, text, increments), material, increments)
            x, y = 1e3 * found["displacement_most"][-1, :2]
            rims[contact][label] = rim(study.folder / f"fem-{increments:04d}.vtkhdf")
            print(f"{contact},{label},{4e-3 * abs(found['tool_force'][-1, 0, 2]):.3f},{x:.4f},"
                  f"{y:.4f},{found.get('texture_index', float('nan')):.3f},{int(found['newton'].sum())},"
                  f"{found['seconds']:.1f}", flush=True)
    if study.picture:
        draw_rims(rims, study.picture)


TABLES = {"upsetting-mesh": upsetting_mesh, "upsetting-crystals": upsetting_crystals, "die-mesh": die_mesh,
          "die-crystals": die_crystals, "texture": texture}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; all of them")
    parser.add_argument("--slipwave", default="build/slipwave", metavar="PROGRAM")
    parser.add_argument("--meshes", type=int, nargs="+", default=[2, 4, 6], help="elements across the radius (2 4 6)")
    parser.add_argument("--counts", type=int, nargs="+", default=[4, 8, 16, 32, 64], help="crystals (4 to 64)")
    parser.add_argument("--device", default="cpu", choices=["auto", "cpu", "cuda"])
    parser.add_argument("-o", "--output", metavar="FIGURE", help="of the table texture: discs along their axis")
    arguments = parser.parse_args()
    for name in arguments.tables:
        if name not in TABLES:
            raise InputError(f"{name}: need one of {', '.join(TABLES)}")
    program = Path(arguments.slipwave).resolve()
    with tempfile.TemporaryDirectory() as folder:
        study = Study(program, folder, ["--device", arguments.device])
        study.meshes, study.counts, study.picture = arguments.meshes, arguments.counts, arguments.output
        for name in arguments.tables or TABLES:
            print(f"\n{name}")
            TABLES[name](study)


if __name__ == "__main__":
    run(main)
