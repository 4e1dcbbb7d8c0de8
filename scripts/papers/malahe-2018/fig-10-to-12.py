#!/usr/bin/env python3
"""Malahe 2018, Figs. 10 to 12: terms a second against crystals (65,536 terms stored), terms (540,672 crystals), and the
refinement multiplier, with what its text states of a GTX 980 Ti."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, bench, columns, figure, finish, options, run, where

SERIES = {"crystals": ["9 outputs; 4-D (paper)"], "terms": ["9 outputs; 4-D (paper)"],
          "range_reduction": ["AND", "modulo", "none"]}
PAIR = 9 * 1.98  # of the paper's terms: nine outputs of two conjugate coefficients; the files count pairs
LABELS = {"crystals": "crystals", "terms": "Fourier terms", "range_reduction": "refinement multiplier"}
# Sections 4.3 and 4.4: series: [(x, terms/s)]
STATED = {"9 outputs; 4-D (paper)": {"crystals": [(33792, 1.535e12)], "terms": [(65536, 1.535e12)]},
          "AND": [(1, 1.535e12)], "modulo": [(1, 1.123e12)], "none": [(1, 7.9e11), (32, 7.9e11), (128, 3.0331e11)]}


def main():
    chosen = options(__doc__, bench=True)
    rows, source = bench(chosen, "h200-2026-11-21.csv", "bench_gpu", ["crystals", "terms", "range_reduction"])
    drawn, panels = figure(3, width=3.7, sharey=True)
    for panel, number, (name, series) in zip(panels, (10, 11, 12), SERIES.items()):
        for i, one in enumerate(series):
            x, y = columns(where(rows, table=name, series=one), "x", "value")
            x = 2 * x if name == "terms" else x  # the file counts pairs
            panel.loglog(x, PAIR * y, marker="o", markersize=3, color=COLOURS[i], label=one)
            stated = STATED[one] if name == "range_reduction" else STATED[one][name]
            panel.loglog(*zip(*stated), "*", color=COLOURS[i], label=None if i else "paper's text, GTX 980 Ti")
        panel.set_title(f"Fig. {number}", fontsize=9)
        panel.set_xlabel(LABELS[name])
        panel.legend(frameon=False, fontsize=7)
    panels[0].set_ylabel("the paper's terms a second")
    finish(drawn, chosen, "fig-10-to-12", f"{source}: a stored pair counts as 17.8 of the paper's terms (9 outputs, "
           "1.98); single precision both; another GPU: no gain is the program's alone")


if __name__ == "__main__":
    run(main)
