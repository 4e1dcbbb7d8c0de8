#!/usr/bin/env python3
"""A ball of metal between rigid planes by finite elements: what dense powders press with, for the law of coupled contacts.

    scripts/dev/powder_octant.py -o octant                      four packings, an hour of a core
    scripts/dev/powder_octant.py -o octant --part die --cells 5 one of them, 20 seconds

An octant of the ball, at finite strain, without friction, between the planes in which it meets its neighbours: of a simple
cubic packing (sc), a body-centred (bcc) and a face-centred one (fcc) that shrink evenly, of a simple cubic one in a die. By
symmetry planes are what neighbours are. Metal without hardening to speak of (a thousandth of the flow stress a unit of strain),
E 1,200 flow stresses. In the folder: meshes, jobs, results, and powder-octant.csv with a row a density: pressure of the planes
(in a die along the axis, and across it) over the flow stress, mean over 0.016 of density, which evens out the steps that nodes
make as they come to touch, and the ball's distance to its first plane over its radius.
A run whose results are there is not repeated; --again does.
"""

import argparse
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np

FLOW = 100.0e6  # Pa
# Planes: normal, distance from the centre over the nearest ones'. Cell's volume in the octant over that distance cubed. The
# nearest planes' distance at the end, increments, cells along an edge of the innermost block.
CUBE = [((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1)]
PACKINGS = {
    "sc": (CUBE, 1.0, 0.8185, 90, 11),
    "fcc": ([((1, 1, 0), 1), ((1, 0, 1), 1), ((0, 1, 1), 1)], 2**0.5 / 2, 0.920, 60, 11),
    "bcc": ([((1, 1, 1), 1)] + [(n, 2 / 3**0.5) for n, _ in CUBE], 4 / 27**0.5, 0.895, 60, 11),
    "die": (CUBE, 1.0, 0.56, 80, 8),
}
DENSITIES = np.arange(0.55, 0.951, 0.025)
JOB = """\
# Written by scripts/dev/powder_octant.py.
mesh: {{file: {name}.inp}}
kinematics: solid
strain: finite
materials:
  - {{young: 120.0e9, poisson: 0.34, yield_stress: {flow}, hardening: {{law: linear, modulus: {hardening}}}}}
boundary:
  - {{nodes: x_min, x: 0}}
  - {{nodes: y_min, y: 0}}
  - {{nodes: z_min, z: 0}}
tools:
{tools}
steps:
  - {{factor: 1.0, increments: {increments}}}
solver: {{first_increment: 0.05}}
output: {{file: {name}.h5, resumable: no}}
"""
TOOL = "  - {{name: plane_{i}, shape: plane, surfaces: [skin], point: {point}, normal: {normal}, move: {move}}}"


def inner(u):
    """A point of the innermost block, a cube that leans towards a ball, from u of [0, 1]^3."""
    u = np.asarray(u, float)
    if u.max() == 0:
        return u
    round_ = np.tan(np.pi / 4 * u / u.max())
    return 0.275 * u + 0.2475 * u.max() * round_ / np.linalg.norm(round_)


def outer(t, u, v, turn):
    """A point of the block beyond its face of the largest coordinate `turn`, t from 0 there to 1 on the ball."""
    skin = np.array([1, np.tan(np.pi / 4 * u), np.tan(np.pi / 4 * v)])
    t = 1 - (1 - t) ** 1.25
    return np.roll((1 - t) * inner((1, u, v)) + t * skin / np.linalg.norm(skin), turn)


def octant(cells):
    """Nodes and hexahedra of a ball of radius 1: a block of cells^3, and three of cells^2 by two thirds as many."""
    number, nodes, elements = {}, [], []

    def node(x):
        key = tuple(np.round(x, 9))
        if key not in number:
            number[key] = len(nodes)
            nodes.append(x)
        return number[key]

    def block(place, n):
        at = np.array([[[node(place(i / n[0], j / n[1], k / n[2])) for k in range(n[2] + 1)] for j in range(n[1] + 1)]
                       for i in range(n[0] + 1)])
        corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
        elements.extend(np.stack([at[a:n[0] + a, b:n[1] + b, c:n[2] + c] for a, b, c in corners], -1).reshape(-1, 8))

    block(lambda x, y, z: inner((x, y, z)), (cells, cells, cells))
    for turn in range(3):
        block(lambda t, u, v, turn=turn: outer(t, u, v, turn), (max(1, round(2 * cells / 3)), cells, cells))
    return np.array(nodes), np.array(elements)


def write_mesh(path, cells):
    nodes, elements = octant(cells)
    skin = np.abs(np.linalg.norm(nodes, axis=1) - 1) < 1e-9
    faces = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    with open(path, "w") as file:
        file.write("*NODE\n" + "".join(f"{i + 1}, {x:.12g}, {y:.12g}, {z:.12g}\n" for i, (x, y, z) in enumerate(nodes)))
        file.write("*ELEMENT, TYPE=C3D8\n")
        file.writelines(", ".join(str(n) for n in [i + 1, *(e + 1)]) + "\n" for i, e in enumerate(elements))
        for k, name in enumerate("xyz"):
            file.write(f"*NSET, NSET={name}_min\n" + "".join(f"{i + 1}\n" for i in np.flatnonzero(np.abs(nodes[:, k]) < 1e-9)))
        file.write("*SURFACE, NAME=skin\n")
        file.writelines(f"{i + 1}, S{s + 1}\n" for i, e in enumerate(elements) for s, f in enumerate(faces) if skin[e[list(f)]].all())


def write_job(folder, name, cells):
    planes, _, last, increments, _ = PACKINGS[name]
    tools = []
    for i, (normal, away) in enumerate(planes):
        unit = np.array(normal) / np.linalg.norm(normal)
        move = 0 * unit if name == "die" and i < 2 else unit * away * (last - 1)
        numbers = {key: "[" + ", ".join(f"{x:.12g}" for x in value) + "]"
                   for key, value in (("point", unit * away), ("normal", -unit), ("move", move))}
        tools.append(TOOL.format(i=i, **numbers))
    write_mesh(folder / f"{name}.inp", cells)
    (folder / f"{name}.yaml").write_text(JOB.format(name=name, flow=FLOW, hardening=1e-3 * FLOW, tools="\n".join(tools),
                                                    increments=increments))


def curve(folder, name):
    """Relative density, stress along and across over the flow stress, distance of the nearest plane: by increment."""
    planes, volume, *_ = PACKINGS[name]
    with h5py.File(folder / f"{name}.h5") as file:
        force, moved = file["history/tool_force"][:], file["history/tool_displacement"][:]
    unit = np.array([np.array(n) / np.linalg.norm(n) for n, _ in planes])
    pressed = np.abs(np.einsum("tik,ik->ti", force, unit)) / FLOW
    away = np.array([a for _, a in planes]) + np.einsum("tik,ik->ti", moved, unit)
    if name == "die":
        cell = away.prod(axis=1)
        along, across = pressed[:, 2] * away[:, 2] / cell, pressed[:, 0] * away[:, 0] / cell
    else:  # p dV = sum of F da
        cell = volume * away[:, 0] ** 3
        along = across = pressed @ [a for _, a in planes] / (3 * volume * away[:, 0] ** 2)
    return np.pi / 6 / cell, along, across, away[:, -1 if name == "die" else 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder")
    parser.add_argument("--part", choices=PACKINGS, help="this packing alone")
    parser.add_argument("--cells", type=int, help="along an edge of the innermost block")
    parser.add_argument("--slipwave", default=shutil.which("slipwave") or str(Path("build/slipwave").resolve()))
    parser.add_argument("--again", action="store_true", help="repeat runs")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    rows = ["packing,relative_density,stress_along,stress_across,distance"]
    for name in [options.part] if options.part else PACKINGS:
        if options.again or not (options.output / f"{name}.h5").exists():
            write_job(options.output, name, options.cells or PACKINGS[name][4])
            subprocess.run([options.slipwave, "fem", f"{name}.yaml", "-q"], cwd=options.output, check=True)
        density, *values = curve(options.output, name)
        for d in DENSITIES[(DENSITIES > density[0] + 0.008) & (DENSITIES < density[-1])]:
            near = np.linspace(d - 0.008, d + 0.008, 17)
            near = near[near < density[-1]]
            rows.append(f"{name},{d:.3f}," + ",".join(f"{np.interp(near, density, v).mean():.4f}" for v in values))
    (options.output / "powder-octant.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
