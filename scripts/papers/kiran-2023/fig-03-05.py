#!/usr/bin/env python3
"""Kiran 2023, Fig. 3.5: a unit cube pulled to 600 MPa in three steps: stress and strain beside the closed solution."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, figure, finish, job, np, options, run, slipwave
from slipwave.pictures.fem import History, load_lines

YOUNG, YIELD, HARDENING = 200e9, 450e6, 66e9


def main():
    chosen = options(__doc__)
    history = History(slipwave("fem", chosen.folder, "fig-03-05", job("fem-cube.yaml"), "--cells", "1x1x1"))
    with history.file:
        (_, displacement, force), = load_lines(history)[:1]
    stress = np.linspace(0, 600e6, 200)
    strain = stress / YOUNG + np.maximum(stress - YIELD, 0) / HARDENING
    drawn, (panel,) = figure(width=4.6)
    panel.plot(100 * strain, 1e-6 * stress, color="black", linewidth=1, label="closed solution, Eq. 2.9")
    panel.plot(100 * displacement, 1e-6 * force, "o", color=COLOURS[1], label="one element, three increments")
    panel.axhline(1e-6 * YIELD, color="0.5", linestyle="--", linewidth=0.8, label="initial yield stress")
    panel.set(xlabel=r"$\varepsilon_z$ (%)", ylabel=r"$\sigma_z$ (MPa)")
    panel.legend(frameon=False, fontsize=8)
    exact = 600e6 / YOUNG + 150e6 / HARDENING
    finish(drawn, chosen, "fig-03-05", f"strain at 600 MPa {displacement[-1]:.7e}, closed solution {exact:.7e}")


if __name__ == "__main__":
    run(main)
