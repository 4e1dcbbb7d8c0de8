#!/usr/bin/env python3
"""Malahe 2018, Figs. 5, 6 and 9: error of the stress history of simple shear against points of the grid, refinement and terms (of
65,536), with the fitted slopes; the paper's text has -1, -1 and about -1/2.

Fig. 5 has 2,048 terms, "the total number of terms in the smallest database": the 8**4 / 2 conjugate pairs of 8 points in a direction,
so that here pairs are meant, 4,096 coefficients."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, database, figure, finish, job, np, options, run, slipwave
from slipwave.pictures.sweep import Sweep
from runs import CRYSTALS

POWERS = [2**n for n in range(17)]
# figure, what varies, its values, terms of the others and of the reference, label, the paper's slope
FIGURES = [("5", "grid", "{terms: 4096}", 4096, "points of the grid in a direction", -1),
           ("6", "refinement", POWERS[:8], 65536, "refinement multiplier", -1),
           ("9", "terms", POWERS[8:], 65536, "Fourier terms", -0.5)]


def main():
    chosen = options(__doc__, more=[("--crystals", "of each run", CRYSTALS)])
    drawn, panels = figure(3, width=3.6, sharey=True)
    for panel, (number, vary, values, terms, label, slope) in zip(panels, FIGURES):
        points = [8, 16, 32, 64, 128] if vary == "grid" else [128]
        databases = [database(chosen.folder, n).name for n in points]
        changes = {"terms": terms} if vary == "refinement" else {}
        reference = f"{{solver: terms, terms: {terms}, refinement: 128}}"
        text = job(f"sweep-{vary}.yaml", databases=databases, vary=f"{{{vary}: {values}}}", reference=reference,
                   **changes)
        sweep = Sweep(slipwave("sweep", chosen.folder, f"sweep-{vary}", text, "--count", chosen.crystals))
        x, error = sweep.value, sweep.errors[0][2]
        x, error = x[error > 0], error[error > 0]
        fit = np.polyfit(np.log(x), np.log(error), 1)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.plot(x, 100 * error, "o", color=COLOURS[0])
        panel.plot(x, 100 * np.exp(np.polyval(fit, np.log(x))), color=COLOURS[0], label=f"slope {fit[0]:.2f}")
        panel.plot(x, 100 * error[0] * (x / x[0])**slope, label=f"slope {slope:g}, the paper's", **PAPER)
        panel.set_title(f"Fig. {number}", fontsize=9)
        panel.set_xlabel(label)
        panel.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("relative $L^2$ error of the stress (%)")
    finish(drawn, chosen, "fig-05-06-and-09", f"{chosen.crystals:,} crystals, 1e-3 1/s. Reference: the series at its "
           "most, on the longest grid; the paper's line goes through our first point")


if __name__ == "__main__":
    run(main)
