#!/usr/bin/env python3
"""Kiran 2023, Tables 3.1, 4.1, 4.2 and 5.1 to 5.4: elements and nodes of its meshes, and ours: from the unknowns of the
analyses in bench/results, of 4.1 and 4.2 from the cells of the built-in bodies; C1 is run. The nodes of the last mesh
of 4.1 are misprinted: its 5,011,002 degrees of freedom are 2 x 2,505,501."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import bench, options, run, slipwave, table, where
from slipwave.pictures.fem import History
from thesis_tables import MESHES

BEAM = """mesh: {body: box, cells: [1000, 100], size: [10.0, 1.0]}
kinematics: plane_stress
materials: [{young: 210.0e9, poisson: 0.3}]
boundary: [{nodes: x_min, x: 0, y: 0}]
loads: [{surface: x_max, force: [0, -1.0e5]}]
steps: [{factor: 1.0, increments: 1}]
output: {file: table-04-01-c1.h5, fields: [none]}
"""


def cells_of(body, cells):
    """(elements, nodes) of a plane strip, or of an L whose arms are a quarter of its sides."""
    nx, ny = cells
    arm = sum((i + 0.5) / nx < 0.25 for i in range(nx)) if body == "l_bracket" else 0
    return (nx * ny, (nx + 1) * (ny + 1)) if not arm else (arm * (2 * nx - arm), arm * (2 * nx - arm) + 2 * nx + 1)


def main():
    chosen = options(__doc__)
    chosen.run = False
    rows, source = bench(chosen, "fem-analyses-h200-2026-11-22.csv", "bench_fem")
    lines = []
    for number, body, cells, elements, nodes in MESHES:
        found = where(rows, body=body, elements=elements) if not cells or len(cells) == 3 else []
        ours = (elements, int(found[0]["unknowns"]) // 3) if found else cells_of(body, cells)
        lines.append((number, body, elements, nodes, *ours, "same" if ours == (elements, nodes) else "differ"))
    history = History(slipwave("fem", chosen.folder, "table-04-01-c1", BEAM))
    with history.file:
        unknowns = int(history.number("unknowns"))
    table(chosen, "table-meshes", ["table", "body", "elements", "nodes", "ours", "nodes", ""], lines)
    print(f"{source}; C1 of Table 4.1, run: {unknowns:,} unknowns (thesis: 202,202)")


if __name__ == "__main__":
    run(main)
