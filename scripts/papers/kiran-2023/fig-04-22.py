#!/usr/bin/env python3
"""Kiran 2023, Fig. 4.22: s of the linear solver in whole analyses, by ebe_sym and by an assembled matrix, which is cuSPARSE's
here and Ginkgo's there; conjugate gradients with the diagonal to 1e-7 in both. The table is fem-symmetric of
scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, figure, finish, measured, not_measured, options, run, where
from kernels import NAMES


def main():
    chosen = options(__doc__, bench=True)
    rows, source = measured(chosen, "fem-symmetric")
    bodies = [body for body in NAMES if where(rows, body=body)]
    if not bodies:
        not_measured("Fig. 4.22")
        return
    drawn, panels = figure(len(bodies), width=3.4)
    for panel, body in zip(panels, bodies):
        for colour, row in zip(COLOURS, where(rows, body=body)):
            panel.bar(row["operator"], row["linear_s"], color=colour)
            panel.text(row["operator"], row["linear_s"], f"{row['cg']:.0f} iterations", ha="center", va="bottom", fontsize=7)
        panel.set(title=f"{NAMES[body]}, {row['elements']:,.0f} elements, {row['plastic_percent']:.0f} % plastic",
                  ylabel="linear solver (s)")
        panel.title.set_fontsize(8)
    finish(drawn, chosen, "fig-04-22", f"Fig. 4.22. {source}: every element its own matrix, tolerance 1e-7 throughout")


if __name__ == "__main__":
    run(main)
