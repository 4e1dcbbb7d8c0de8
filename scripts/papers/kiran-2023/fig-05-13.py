#!/usr/bin/env python3
"""Kiran 2023, Figs. 5.13, 5.22, 5.31 and 5.63 to 5.65 as far as our table goes: wall clock of whole analyses on the
finest meshes, the thesis's fastest beside ours by operator and preconditioner, with iterations of CG."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import bench, options, run, table, where

# sections 5.2.2.1 to 5.2.2.3: body, unknowns, plastic %: slowest (nbn split) and fastest (dbd single), s on a K40c
THESIS = {("l_bracket", 7083840): (32, 11153.1, 4097.1), ("cantilever", 6949872): (22.7, 7415, 2865.18),
          ("plate_with_holes", 7442328): (22.3, 6736.2, 2204.9)}
RUNS = [["analysis", "l_bracket", 312, 313, 31, "cuda", 182, *way.split()] for way in
        ("", "ebe_node improved atomics jacobi", "assembled own colours jacobi", "points own colours jacobi")]


def main():
    chosen = options(__doc__, bench=True)
    rows, source = bench(chosen, "fem-analyses-h200-2026-11-22.csv", "bench_fem", *RUNS)
    lines = []
    for (body, unknowns), (plastic, slowest, fastest) in THESIS.items():
        lines += [(body, plastic, "thesis: nbn split", "", slowest), (body, plastic, "thesis: dbd single", "", fastest)]
        for row in where(rows, body=body, unknowns=unknowns):
            way = " ".join(row[name] for name in ("operator", "storage", "preconditioner", "device"))
            lines.append((body, row["plastic_percent"], way, int(row["cg"]), row["wall_s"]))
    table(chosen, "fig-05-13", ["body", "plastic %", "operator storage preconditioner device", "CG", "s"], lines)
    print(f"ours: {source}. Thesis: K40c, CG without preconditioner to 1e-7 throughout; ours: Jacobi or multigrid, "
          "looser tolerances in Newton's first iterations")


if __name__ == "__main__":
    run(main)
