#!/usr/bin/env python3
"""Malahe 2018, Figs. 7 and 8: plane strain compression by the refinement multiplier: stress-strain curves, final pole
figures."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Results, figure, finish, np, options, plot, run
from runs import HISTORY, deform

TEST = "plane-strain-compression"


def curve(path):
    """Strain and stress, MPa, of every step."""
    with Results(path).file as file:
        stress = 1e-6 * file["history/cauchy_stress"][()]
        return 1e-3 * file["history/time"][()], stress[:, 0, 0] - stress[:, 2, 2]


def main():
    chosen = options(__doc__, more=[("--terms", "of the series", 8192),
                                    ("--refinements", "a curve each", "1,2,4,16,128")])
    drawn, panels = figure(2, width=4.2)
    runs = {n: deform(chosen.folder, TEST, "terms", chosen.terms, int(n)) for n in chosen.refinements.split(",")}
    strain, exact = curve(deform(chosen.folder, TEST, "iterative"))
    panels[0].plot(strain, exact, color="black", label="iterative", linewidth=1.0)
    for n, path in runs.items():
        x, y = curve(path)
        panels[0].plot(x, y, label=f"$N_r$ = {n}", linewidth=1.0)
        panels[1].plot(x[1:], 100 * (y[1:] / np.interp(x[1:], strain, exact) - 1), label=f"$N_r$ = {n}", linewidth=1.0)
    panels[0].set(xlabel="true strain", ylabel=r"$\sigma_{11} - \sigma_{33}$ (MPa)")
    panels[1].set(xlabel="true strain", ylabel="above the iterative one (%)")
    panels[0].legend(frameon=False, fontsize=8)
    finish(drawn, chosen, "fig-07", f"65,536 crystals, {chosen.terms} terms of a database 128$^4$, {HISTORY}")
    for n, path in runs.items():  # rows are told apart by names of files
        named = chosen.folder / f"Nr-{n}.h5"
        named.unlink(missing_ok=True)
        named.symlink_to(path.name)
        runs[n] = named
    plot("texture", "--kind", "pole", *runs.values(), "-o", chosen.folder / "fig-08.png")
    print(chosen.folder / "fig-08.png")


if __name__ == "__main__":
    run(main)
