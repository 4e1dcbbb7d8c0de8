#!/usr/bin/env python3
"""Kiran 2023, Figs. 3.7, 3.10, 3.13 and C.1: von Mises' stress in its bodies, a picture each. Ours are of voxels where
its chapter 3 has unstructured meshes, square holes in place of round ones."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import job, options, plot, run, slipwave

CUBE = {"boundary": "[{nodes: z_min, x: 0, y: 0, z: 0}]", "loads": "[{surface: z_max, traction: [0, 0, 800.0e6]}]",
        "steps": "[{factor: 1.0, increments: 1}]"}
LOADED = {"steps": "[{factor: 1.0, increments: 1}]"}
# picture: job, changes, cells; C.1: the coarsest meshes of Table 5.4
BODIES = {"fig-03-07-cube": ("fem-cube.yaml", CUBE, "24x24x24"),
          "fig-03-10-l-bracket": ("fem-l-bracket.yaml", LOADED, "80x80x8"),
          "fig-03-13-plate": ("fem-plate-with-holes.yaml", LOADED, "120x120x2"),
          "fig-c-1a-cantilever": ("fem-cantilever-cutout.yaml", LOADED, "120x48x24"),
          "fig-c-1b-l-bracket": ("fem-l-bracket.yaml", LOADED, "112x112x11"),
          "fig-c-1c-plate": ("fem-plate-with-holes.yaml", LOADED, "160x160x2")}


def main():
    chosen = options(__doc__, more=[("--only", "part of the name of a picture", "fig")])
    for name, (source, changes, cells) in BODIES.items():
        if chosen.only in name:
            text = job(source, **changes, output=f"{{file: {name}.h5, fields: [last]}}")
            results = slipwave("fem", chosen.folder, name, text, "--cells", cells)
            fields = sorted(results.parent.glob(f"{name}-*.vtkhdf"))[-1]
            plot("fem", fields, "-o", chosen.folder / f"{name}.png", "--azimuth", 30, "--elevation", 25)
            print(chosen.folder / f"{name}.png")


if __name__ == "__main__":
    run(main)
