#!/usr/bin/env python3
"""Kiran 2023, Tables 3.2 and 3.3 and Figs. 3.8 and 3.15: s of the stages of elastoplastic analyses of its cube at 800
MPa, of the thesis's CPU and GPU (CUSP's CG), and ours with an assembled matrix and CG with Jacobi, and by default; and the
parts of stress and forces by the thesis's kernels, from table fem-stress of scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, bench, figure, finish, measured, not_measured, np, options, run, table, where
from thesis_tables import CUBE

STAGES = ["assembly", "stress and forces", "linear solver", "rest"]


def shares(assembly, stress, linear, wall):
    return [assembly, stress, linear, wall - assembly - stress - linear]


def parts_of_stress(chosen):
    """ms of the kernels of Algorithms 6 and 7, and of our one for both, over all Newton iterations."""
    rows, source = measured(chosen, "fem-stress")
    names, lines = ["predictor", "deviator", "corrector", "forces", "whole"], []
    for (mesh, (*_, gpu)), n in zip(CUBE.items(), (48, 60, 76, 96, 115)):
        found = [row for row in where(rows, body="box", elements=n**3) if "CPU" not in row["device"]]
        if found:
            ms = [sum(row[f"{name}_ms"] for row in found) for name in names]
            times = [f"{t:.3f}" for t in (*ms[:3], sum(ms[:3]), *ms[3:])]
            lines.append((mesh, len(found), *times, *(1e3 * t for t in gpu[1:3])))
    if not lines:
        not_measured("The parts of stress and forces")
        return
    head = ["mesh", "Newton", *names[:3], "stress", *names[3:], "thesis: stress", "forces"]
    table(chosen, "table-03-03-parts", head, lines)
    print(f"ms; {source}")


def main():
    chosen = options(__doc__, bench=True)
    runs = [["analysis", "box", n, n, n, "cuda", 1, *way] for n in (48, 60, 76, 96, 115)
            for way in ((), ("assembled", "own", "colours", "jacobi"))]
    rows, source = bench(chosen, "fem-analyses-h200-2026-11-22.csv", "bench_fem", *runs)
    lines, parts = [], {"thesis, GPU": [], "assembled, jacobi": [], "points, multigrid": []}
    for mesh, (unknowns, newton, cpu, gpu) in CUBE.items():
        for name, t in (("CPU", cpu), ("GPU", gpu)):
            stages = shares(t[0], t[1] + t[2], t[3], t[4])
            lines.append((mesh, f"thesis, {name}", newton, "", *stages, float(t[4]), ""))
        parts["thesis, GPU"].append(lines[-1][4:8])
        for way in list(parts)[1:]:
            operator, preconditioner = way.split(", ")
            row, = where(rows, body="box", unknowns=unknowns, operator=operator, preconditioner=preconditioner)
            stages = shares(*(row[f"{s}_s"] for s in ("tangent", "stress", "linear", "wall")))
            lines.append((mesh, way, int(row["newton"]), int(row["cg"]), *stages, row["wall_s"],
                          round(gpu[4] / row["wall_s"])))
            parts[way].append(lines[-1][4:8])
    table(chosen, "table-03-02-and-03", ["mesh", "of", "Newton", "CG", *STAGES, "all s", "thesis (K40c, Jacobi, 1e-7) over it"],
          [[f"{c:.3f}" if isinstance(c, float) else c for c in line] for line in lines])
    parts_of_stress(chosen)
    drawn, panels = figure(3, width=3.2, sharey=True)
    for panel, (way, stages) in zip(panels, parts.items()):
        stages, below = 100 * np.array(stages) / np.sum(stages, axis=1, keepdims=True), 0
        for colour, name, share in zip(COLOURS, STAGES, stages.T):
            panel.bar(list(CUBE), share, bottom=below, color=colour, label=name)
            below = below + share
        panel.set_title(way, fontsize=9)
    panels[0].set_ylabel("part of the wall clock (%)")
    panels[2].legend(frameon=True, fontsize=7, loc="center")
    finish(drawn, chosen, "fig-03-15", f"Cube of Fig. 3.15. Thesis: K40c, CG of CUSP to 1e-7; {source}: H200, rest: "
           "set-up, mostly on the host; CG to looser tolerances in Newton's first iterations")


if __name__ == "__main__":
    run(main)
