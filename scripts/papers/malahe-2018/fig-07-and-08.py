#!/usr/bin/env python3
"""Malahe 2018, Figs. 7 and 8: plane strain compression by the refinement multiplier: stress-strain curves, final pole
figures."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Results, figure, finish, options, plot, run
from runs import HISTORY, deform

TEST = "plane-strain-compression"


def main():
    chosen = options(__doc__, more=[("--terms", "of the series", 8192), ("--refinements", "a curve each", "1,2,4,16,128")])
    drawn, (panel,) = figure(width=5)
    runs = {n: deform(chosen.folder, TEST, "terms", chosen.terms, int(n)) for n in chosen.refinements.split(",")}
    for i, (n, path) in enumerate({**runs, "iterative": deform(chosen.folder, TEST, "iterative")}.items()):
        with Results(path).file as file:
            stress, strain = 1e-6 * file["history/cauchy_stress"][()], 1e-3 * file["history/time"][()]
        panel.plot(strain, stress[:, 0, 0] - stress[:, 2, 2], color="black" if n == "iterative" else f"C{i}",
                   label=n if n == "iterative" else f"$N_r$ = {n}", linewidth=1.0)
    panel.set(xlabel="true strain", ylabel=r"$\sigma_{11} - \sigma_{33}$ (MPa)")
    panel.legend(frameon=False, fontsize=8)
    finish(drawn, chosen, "fig-07", f"65,536 crystals, {chosen.terms} terms of a database 128$^4$, {HISTORY}")
    plot("texture", "--kind", "pole", *runs.values(), "-o", chosen.folder / "fig-08.png")
    print(chosen.folder / "fig-08.png")


if __name__ == "__main__":
    run(main)
