#!/usr/bin/env python3
"""Jensen et al. 2016, Figs. 3 to 5: s of 2^29 class updates along three lines of Fig. 2: 2^17 points, 2^11 points
(paper: 2^10), 2^10 classes. Whole steps of a strategy, where the paper has bars of its kernels; with --kernels those:
set-up, solution and sums apart, 2^10 points, from table kwn-kernels of scripts/dev/run-gpu-papers, of the paper's three
strategies with rows in separate arrays and packed into one element."""

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import (COLOURS, PAPER, bench, columns, figure, finish, measured, not_measured, np, options, run, where)

# Fig. 4 is of 2^10 points; the table has odd powers
LINES = [("3", "points", 2**17, "classes"), ("4", "points", 2**11, "classes"), ("5", "classes", 2**10, "points")]
STRATEGIES = ["node_first", "class_first", "cusparse_strided", "cusparse_interleaved", "fused"]
KERNELS = {"set_up": "set-up", "solve": "solution", "aggregate": "sums"}
PAPERS = {"node_first": "o-", "node_first_packed": "o--", "class_first": "s-", "class_first_packed": "s--",
          "cusparse_strided": "^-"}


def draw_kernels(chosen):
    rows, source = measured(chosen, "kwn-kernels")
    if not rows:
        not_measured("Figs. 3 to 5 by kernels")
        return
    drawn, panels = figure(3, rows=3, width=3.6, height=2.4, sharex="col", sharey="row")
    for panel, (kernel, (number, name, value, along)) in zip(panels, product(KERNELS, LINES)):
        value = 2**10 if number == "4" else value
        for (strategy, style), colour in zip(PAPERS.items(), np.repeat(COLOURS[:3], 2)):
            found = where(rows, table=f"kernels/{kernel}", strategy=strategy, **{name: value})
            panel.loglog(*columns(found, along, "seconds"), style, color=colour, markersize=3, label=strategy)
        panel.set_xscale("log", base=2)
    for column, (number, name, value, along) in enumerate(LINES):
        panels[column].set_title(f"Fig. {number}: {2**10 if number == '4' else value:,} {name}")
        panels[6 + column].set_xlabel(along)
    for panel, kernel in zip(panels[::3], KERNELS.values()):
        panel.set_ylabel(f"{kernel}, s of $2^{{29}}$")
    panels[0].legend(frameon=False, fontsize=7)
    finish(drawn, chosen, "fig-03-to-05-kernels", f"{source}: kernels; storage in single, growth rates in double precision "
           "as in the paper")


def main():
    chosen = options(__doc__, bench=True, more=[("--kernels", "yes: times of kernels, not of steps", "no")])
    if chosen.kernels == "yes":
        draw_kernels(chosen)
        return
    rows, source = bench(chosen, "kwn-h200-2026-11-21.csv", "bench_kwn", ["large"])
    drawn, panels = figure(3, width=3.6, sharey=True)
    for panel, (number, name, value, along) in zip(panels, LINES):
        for colour, mark, strategy in zip(COLOURS, "os^vD", STRATEGIES):
            x, y = columns(where(rows, table="large", strategy=strategy, **{name: value}), along, "seconds")
            panel.loglog(x, y, marker=mark, markersize=3.5, color=colour, label=strategy)
        if name == "points":  # section 6: 0.03125 s, scaled by 2^-6, for both kernels where cuSPARSE is fastest
            panel.axhline(2, **PAPER, label="paper's text, set-up and solution: a little over 2 s")
        note = " (paper: 1,024)" if number == "4" else ""
        panel.set(title=f"Fig. {number}: {value:,} {name}{note}", xlabel=along)
        panel.set_xscale("log", base=2)
    panels[0].set_ylabel("s of $2^{29}$ class updates")
    panels[0].legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(0, 0.9))
    finish(drawn, chosen, "fig-03-to-05", f"{source}: H200, whole steps. Paper: C2070, kernels; storage in single "
           "precision in both, growth rates in double precision in the paper, in single here")


if __name__ == "__main__":
    run(main)
