#!/usr/bin/env python3
"""Malahe 2018, Figs. 1 and 3: stress-strain curves of simple shear and plane strain compression, iterative and by 1024
and 8192 terms; curve errors. With them the iterative curves of the material of Mihaila et al. 2014 (m = 0.01, isotropic
elasticity), and of plane strain compression the digitised points of theirs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, DATA, Results, csv_names, csv_rows, figure, finish, np, options, run
from runs import HISTORY, TESTS, deform

MIHAILA = DATA / "reference/mihaila-2014-plane-strain-compression.csv"


def curve(path, test):
    """Strain, gamma or ln F11, and stress, MPa, of every step."""
    with Results(path).file as file:
        stress, strain = 1e-6 * file["history/cauchy_stress"][()], file["history/time"][()] * 1e-3
    return strain, stress[:, 0, 1] if test == "simple-shear" else stress[:, 0, 0] - stress[:, 2, 2]


def main():
    chosen = options(__doc__)
    mihaila = zip(*[map(float, row.values()) for _, row in csv_rows(MIHAILA, csv_names(MIHAILA))])
    mihaila = [np.array(column) for column in mihaila]
    drawn, panels = figure(2, 2, sharex=True)
    for row, (number, test) in enumerate(zip(("1", "3"), TESTS)):
        strain, exact = curve(deform(chosen.folder, test, "iterative"), test)
        theirs = curve(deform(chosen.folder, f"mihaila-{test}", "iterative"), test)
        for panel, letter, terms in zip(panels[2 * row:], "ab", (1024, 8192)):
            x, y = curve(deform(chosen.folder, test, "terms", terms), test)
            reference = np.interp(x, strain, exact)
            error = np.linalg.norm(y - reference) / np.linalg.norm(reference)
            panel.plot(strain, exact, color="black", label="iterative")
            panel.plot(x, y, "--", color=COLOURS[1], label=f"{terms} terms, {100 * error:.2f} % from it")
            panel.plot(*theirs, ":", color=COLOURS[2], label="material of Mihaila et al., iterative")
            if test != "simple-shear":
                panel.plot(*mihaila, "o", color=COLOURS[2], markerfacecolor="none", label="Mihaila et al., iterative")
            panel.set_title(f"Fig. {number}{letter}: {TESTS[test]}", fontsize=9)
            panel.set_ylabel(r"$\sigma_{12}$ (MPa)" if test == "simple-shear" else r"$\sigma_{11} - \sigma_{33}$ (MPa)")
            panel.legend(frameon=False, fontsize=8, loc="lower right")
    for panel in panels[2:]:
        panel.set_xlabel(r"$\gamma$, true strain")
    finish(drawn, chosen, "fig-01-and-03", f"65,536 crystals, database 128$^4$, refinement 128, {HISTORY}\n"
           "material of Mihaila et al.: m = 0.01, isotropic elasticity")


if __name__ == "__main__":
    run(main)
