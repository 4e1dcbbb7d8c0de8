#!/usr/bin/env python3
"""Lubbe et al. 2022, Figs. 11 to 15: time and memory against batches, particles and elements, and the stages of a step,
with the speed-ups that its text states. Ours of drained compression of dense quartz, theirs of isotropic compression of
equal spheres."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, bench, columns, figure, finish, np, options, run, where

STAGES = ["servo", "boundary_particles", "detection", "forces", "averaging", "motion", "copies"]


def panel_of(panel, title, label, x, seconds, megabytes):
    panel.loglog(x, seconds, marker="o", markersize=3, color=COLOURS[0])
    panel.set(title=title, xlabel=label, ylabel="s of 1,000 steps" if "12" in title else "s of 5,000 steps")
    memory = panel.twinx()
    memory.loglog(x, megabytes, marker="s", markersize=3, linestyle="--", color=COLOURS[1])
    memory.set_ylabel("memory (MB)", color=COLOURS[1])


def main():
    chosen = options(__doc__, bench=True)
    rows, source = bench(chosen, "dem-h200-2026-11-22.csv", "bench_dem", [])
    drawn, panels = figure(2, 2, width=4.6)
    count, seconds, size = columns(where(rows, table="batch", team="block"), "elements", "seconds", "bytes_per_element")
    panel_of(panels[0], "Fig. 11: 100 elements of 2,000", "elements a batch", count, seconds, 1e-6 * count * size)
    for at, gain in ((10, 5.4), (100, 9.8)):
        panels[0].loglog(at, seconds[0] / gain, "*", color=PAPER["color"], label=f"paper's text: {gain} times as fast")
    panels[0].legend(frameon=False, fontsize=7, loc="upper center")
    chosen_rows = where(rows, table="particles", team="launches")
    n, seconds, size = columns(chosen_rows, "particles", "seconds", "bytes_per_element")
    panel_of(panels[1], "Fig. 12: one element, launches", "particles", n, seconds, 1e-6 * size)
    chosen_rows = where(rows, table="elements", team="block")
    count, seconds, size = columns(chosen_rows, "elements", "seconds", "bytes_per_element")
    panel_of(panels[2], "Fig. 14: elements of 2,000, block", "elements", count, seconds, 1e-6 * count * size)
    below, total = 0, sum(columns(where(rows, table=f"shares/{name}"), "elements", "seconds")[1] for name in STAGES)
    for i, name in enumerate(STAGES):
        count, seconds = columns(where(rows, table=f"shares/{name}"), "elements", "seconds")
        part = 100 * seconds / total
        panels[3].bar([f"{c:.0f}" for c in count], part, bottom=below, color=COLOURS[i], label=name.replace("_", " "))
        below = below + part
    panels[3].set(title="Figs. 13 and 15: launches, 2,000 particles", xlabel="elements", ylabel="part of a step (%)")
    panels[3].set_xlim(-0.6, np.size(count) + 1.4)
    panels[3].legend(frameon=False, fontsize=7, loc="center right")
    finish(drawn, chosen, "fig-11-to-15", f"{source}: H200, double precision, drained compression of dense "
           "polydisperse quartz, Verlet lists; paper: V100, isotropic compression of equal spheres")


if __name__ == "__main__":
    run(main)
