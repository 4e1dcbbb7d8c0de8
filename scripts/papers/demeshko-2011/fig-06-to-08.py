#!/usr/bin/env python3
"""Demeshko et al. 2011, Figs. 6 to 8: time of element matrices (kernel 1) and of an iteration of minimal residual
(kernel 2) against elements, on one CPU core and on a GPU, and their ratios, with those that the text states."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, bench, columns, figure, finish, label_log_axis, options, run, where

KERNELS = [("6", "kernel1_us", "kernel 1: element matrices", 3600, 3.5),
           ("7", "iteration_us", "kernel 2: an iteration", 6400, 5.2)]


def main():
    chosen = options(__doc__, bench=True)
    rows, source = bench(chosen, "convected-h200-2026-11-23.csv", "bench_convected",
                         *[["kernels", cells, device] for cells in (30, 60, 80) for device in ("cpu", "cuda")])
    drawn, panels = figure(3, width=3.6)
    for i, (panel, (number, name, title, least, stated)) in enumerate(zip(panels, KERNELS)):
        times = {device: columns(where(rows, device=device), "elements", name) for device in ("cpu", "cuda")}
        for mark, (device, (x, y)) in zip("os", times.items()):
            line = "-" if device == "cpu" else "--"
            panel.semilogy(x, 1e-3 * y, marker=mark, color=COLOURS[i], linestyle=line, label=device)
        panels[2].plot(x, times["cpu"][1] / times["cuda"][1], marker="o", color=COLOURS[i], label=title.split(":")[0])
        style = PAPER | {"color": COLOURS[i], "marker": "*"}
        panels[2].plot([least, 6400], [stated] * 2, label=f"paper's text: {stated}", **style)
        panel.set(title=f"Fig. {number}", ylabel=f"{title} (ms)")
    panels[2].set(title="Fig. 8", ylabel="CPU time over GPU time", yscale="log")
    for panel in panels:
        label_log_axis(panel.yaxis)
        panel.set_xlabel("elements")
        panel.legend(frameon=False, fontsize=8)
    finish(drawn, chosen, "fig-06-to-08", f"{source}: one core beside an H200, double precision, kernel 1 with its "
           "transfers; paper: a core of a Westmere Xeon, an M2050")


if __name__ == "__main__":
    run(main)
