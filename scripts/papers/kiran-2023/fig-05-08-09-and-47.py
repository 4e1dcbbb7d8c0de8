#!/usr/bin/env python3
"""Kiran 2023, Figs. 5.8, 5.9 and 5.47: L-bracket, against the plastic part: gain by the first cache, which K40c loads pass
by unless asked; gain by shared memory for the elastic matrix of single kernels, and times with and without. The table is
fem-caches of scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, columns, figure, finish, measured, not_measured, options, run, where

OLD = [("nbn", "split"), ("nbn", "single"), ("dbd", "split"), ("dbd", "single")]
SINGLE = [(operator, "single") for operator in ("ebe_node", "ebe_dof", "nbn", "dbd")]


def main():
    chosen = options(__doc__, bench=True)
    rows, source = measured(chosen, "fem-caches")
    if not rows:
        not_measured("Figs. 5.8, 5.9, 5.47")
        return

    def curve(way, staging):
        return columns(where(rows, operator=way[0], storage=way[1], staging=staging, scatter="colours"), "plastic_percent",
                       "product_ms")

    drawn, panels = figure(3, width=3.6)
    for panel, ways, worse, better in ((panels[0], OLD, "nothing", "all"), (panels[1], SINGLE, "all", "elastic")):
        for colour, way in zip(COLOURS, ways):
            x, before = curve(way, worse)
            panel.plot(x, before / curve(way, better)[1], "o-", markersize=3, color=colour, label=" ".join(way))
    for number in (1.5, 2.5):
        panels[0].axhline(number, **PAPER)
    panels[1].axhline(1, **PAPER)
    for colour, way in zip(COLOURS, SINGLE):
        for staging, style in (("all", "o-"), ("elastic", "o:")):
            panels[2].semilogy(*curve(way, staging), style, markersize=3, color=colour, label=way[0] if style == "o-" else None)
    for panel, title, label in zip(panels, ("Fig. 5.8: the first cache", "Fig. 5.9: elastic matrix in shared memory",
                                            "Fig. 5.47: with it (dotted)"), ("gain", "gain", "product (ms)")):
        panel.set(title=title, xlabel="plastic elements (%)", ylabel=label)
        panel.legend(frameon=False, fontsize=7)
    finish(drawn, chosen, "fig-05-08-09-and-47", f"{source}: 2,268,084 elements, double precision, colours. Dotted grey: the "
           "text's up to 2.5 with little plasticity and 1.5 with more, and below 1 for nbn and dbd in Fig. 5.9")


if __name__ == "__main__":
    run(main)
