#!/usr/bin/env python3
"""Kiran 2023: ratios of the wall clock of whole analyses by its Algorithm 9 (CG without preconditioner, 1e-7 throughout)
against the plastic part, a picture a figure: 5.14 to 5.16, 5.23 to 5.25, 5.32 to 5.34, 5.59 to 5.61, 5.63 to 5.65. Broken
lines: numbers that the text states. The table is fem-algorithm9 of scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import (COLOURS, PAPER, InputError, columns, figure, finish, measured, not_measured, np, options, run,
                    where)
from kernels import BEAM, BRACKET, CANTILEVER, NAMES, PLATE

NBN, DBD = [("nbn", "split"), ("nbn", "single")], [("dbd", "split"), ("dbd", "single")]
GAIN = [(NBN[0], NBN[1]), (NBN[0], DBD[0]), (NBN[0], DBD[1])]
IMPROVED = [((name, "single"), (name, "improved")) for name in ("ebe_node", "ebe_dof", "nbn", "dbd")]
ASSEMBLED = [(("assembled", "own"), ("ebe_node", "improved"))]
# figure: body, pairs (the time of the first over that of the second), stated in the text
FIGURES = {"5.14": (BRACKET, GAIN, [2.5, 3.5]), "5.15": (BRACKET, [(NBN[1], DBD[1])], []),
           "5.16": (BRACKET, [tuple(DBD)], []),
           "5.23": (BEAM, GAIN, [2.6, 3.1]), "5.24": (BEAM, [(NBN[1], DBD[1])], []), "5.25": (BEAM, [tuple(DBD)], [1.6]),
           "5.32": (PLATE, GAIN, [1.9, 3.1]), "5.33": (PLATE, [(NBN[1], DBD[1])], []), "5.34": (PLATE, [tuple(DBD)], []),
           "5.59": (CANTILEVER, IMPROVED, [1.5]), "5.60": (BRACKET, IMPROVED, [1.3]), "5.61": (PLATE, IMPROVED, [1.2]),
           "5.63": (CANTILEVER, ASSEMBLED, [2]), "5.64": (BRACKET, ASSEMBLED, [2]), "5.65": (PLATE, ASSEMBLED, [1.6, 2.2])}


def times(rows, operator, storage):
    """{plastic %: s}"""
    return dict(zip(*columns(where(rows, operator=operator, storage=storage, status="ok"), "plastic_percent", "wall_s")))


def ratios(rows, first, second):
    """(plastic %, ratio), where there are both."""
    one, two = times(rows, *first), times(rows, *second)
    both = sorted(set(one) & set(two))
    return np.array(both), np.array([one[share] / two[share] for share in both])


def main():
    chosen = options(__doc__, bench=True, more=[("--figure", "one of them", "all")])
    if chosen.figure not in ("all", *FIGURES):
        raise InputError(f"--figure {chosen.figure}: need all or one of {', '.join(FIGURES)}")
    rows, source = measured(chosen, "fem-algorithm9")
    rows = where(rows, preconditioner="none", forcing="fixed", scatter="colours")
    for name, (body, pairs, stated) in FIGURES.items():
        mine = where(rows, body=body)
        meshes = sorted({row["elements"] for row in mine})
        drawable = [pair for pair in pairs if any(len(ratios(where(mine, elements=e), *pair)[0]) for e in meshes)]
        if chosen.figure not in ("all", name):
            continue
        if not drawable:
            not_measured(f"Fig. {name}")
            continue
        drawn, (panel,) = figure(width=5)
        for style, elements in zip(("-", "--", ":"), meshes):
            for colour, (first, second) in zip(COLOURS, drawable):
                share, ratio = ratios(where(mine, elements=elements), first, second)
                if len(share):
                    label = f"{' '.join(first)} over {' '.join(second)}, {elements:,.0f} elements"
                    panel.plot(share, ratio, style, marker="o", markersize=3, color=colour, label=label)
        for value in stated:
            panel.axhline(value, **PAPER | {"linestyle": "--"})
        panel.set(title=NAMES.get(body, body), xlabel="plastic elements (%)", ylabel="ratio of wall clocks")
        panel.legend(frameon=True, framealpha=0.85, fontsize=7)
        finish(drawn, chosen, f"fig-05-{name[2:]}", f"Fig. {name}. {source}: CG without preconditioner to 1e-7"
               + ("\nbroken: numbers that the text states, K40c" if stated else ""))


if __name__ == "__main__":
    run(main)
