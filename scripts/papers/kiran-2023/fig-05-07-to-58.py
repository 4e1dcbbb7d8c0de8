#!/usr/bin/env python3
"""Kiran 2023: times of products, their ratios and times of preparing against the plastic part, a picture a figure:
4.20, 4.21, 5.7, 5.10 to 5.12, 5.18 to 5.21, 5.27 to 5.30, 5.44 to 5.46, 5.48 to 5.58. Broken lines: numbers that the text states; of preparing
also what telling elements apart takes, where scripts/dev/run-gpu-papers has measured it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, InputError, figure, finish, measured, not_measured, options, run, where
from kernels import BEAM, BRACKET, CANTILEVER, NAMES, PLATE, curve, finest, rows_of

OLD = [("nbn", "split"), ("nbn", "single"), ("dbd", "split"), ("dbd", "single")]
ALL = ["ebe_node", "ebe_dof", "nbn", "dbd"]
SINGLE, IMPROVED = ([(name, storage) for name in ALL] for storage in ("single", "improved"))
GAIN = [(("nbn", "split"), way) for way in OLD[1:]]
IMPROVEMENT = list(zip(SINGLE, IMPROVED))
DBD = [(("nbn", "single"), ("dbd", "single"))]
SPLIT = [(("dbd", "split"), ("dbd", "single"))]
BEST = ("ebe_node", "improved")
OWN = [("ebe", "own"), ("ebe_sym", "own")]
# figure: bodies, ways (of each its time) or pairs (the time of the first over that of the second), stated in the text
TIMES = {"4.20": ([BRACKET], OWN, []), "4.21": ([PLATE], OWN, []),
         "5.7": ([BRACKET], OLD, []), "5.18": ([BEAM], OLD, []), "5.27": ([PLATE], OLD, []),
         "5.44": ([CANTILEVER], SINGLE, []), "5.45": ([BRACKET], SINGLE, []), "5.46": ([PLATE], SINGLE, []),
         "5.49": ([CANTILEVER], IMPROVED, []), "5.50": ([BRACKET], IMPROVED, []), "5.51": ([PLATE], IMPROVED, [])}
PREPARED = {"5.48": (list(NAMES), [("ebe_node", "single"), ("nbn", "single")], []),
            "5.52": (list(NAMES), [("ebe_node", "improved"), ("nbn", "improved")], [])}
RATIOS = {"5.10": ([BRACKET], GAIN, [2.5, 1.7, 2.2]), "5.11": ([BRACKET], DBD, []),
          "5.12": ([BRACKET], SPLIT, [1.2, 1.5]),
          "5.19": ([BEAM], GAIN, [3.2, 3.4]), "5.20": ([BEAM], DBD, []), "5.21": ([BEAM], SPLIT, [1.6]),
          "5.28": ([PLATE], GAIN, [2.4, 3.5]), "5.29": ([PLATE], DBD, []), "5.30": ([PLATE], SPLIT, [1.6]),
          "5.53": ([CANTILEVER], IMPROVEMENT, [1.02, 1.05, 1.2, 1.25]), "5.54": ([BRACKET], IMPROVEMENT, []),
          "5.55": ([PLATE], IMPROVEMENT, []), "5.56": (list(NAMES), [(("nbn", "single"), BEST)], [1.1, 5]),
          "5.57": (list(NAMES), [(("dbd", "single"), BEST)], [1.05, 3]),
          "5.58": (list(NAMES), [(("ebe_dof", "improved"), BEST)], [1.12])}
FIGURES = {**{name: (*entry, "product_ms", "product (ms)") for name, entry in TIMES.items()},
           **{name: (*entry, "prepare_ms", "preparing (ms)") for name, entry in PREPARED.items()},
           **{name: (*entry, "product_ms", "ratio of times") for name, entry in RATIOS.items()}}
BEAMS = [name for name, entry in FIGURES.items() if BEAM in entry[0]]


def draw(panel, rows, lines, value, scatter, before="", style="-"):
    """The lines of one body."""
    for colour, line in zip(COLOURS, lines):
        ways = line if isinstance(line[0], tuple) else (line,)
        (x, y), *second = [curve(rows, *way, scatter, value) for way in ways]
        label = before + " over ".join(" ".join(way) for way in ways)
        panel.plot(x, y / second[0][1] if second else y, style, marker="o", markersize=3, color=colour, label=label)


def main():
    chosen = options(__doc__, bench=True, more=[("--figure", "one of them", "all"),
                                                ("--scatter", "of ebe: colours, as there, or atomics", "colours")])
    if chosen.figure not in ("all", *FIGURES):
        raise InputError(f"--figure {chosen.figure}: need all or one of {', '.join(FIGURES)}")
    rows, source = rows_of(chosen) if chosen.figure not in BEAMS else ([], "")
    if chosen.figure in ("all", *BEAMS):
        beam, beam_source = measured(chosen, "fem-products-cantilever")
        rows = rows + beam
    apart, apart_source = measured(chosen, "fem-preprocess") if chosen.figure in ("all", *PREPARED) else ([], "")
    for name, (bodies, lines, stated, value, label) in FIGURES.items():
        if chosen.figure not in ("all", name):
            continue
        if not all(where(rows, body=body) for body in bodies):
            not_measured(f"Fig. {name}")
            continue
        drawn, panels = figure(len(bodies), width=3.8 + 2.4 / len(bodies), sharey=True)  # the legend beside them
        for panel, body in zip(panels, bodies):
            draw(panel, finest(rows, body), lines, value, chosen.scatter)
            if name in PREPARED and where(apart, body=body):
                draw(panel, finest(apart, body), lines, "preprocess_ms", chosen.scatter, "without matrices: ", "--")
            for number in stated:
                panel.axhline(number, **PAPER | {"linestyle": "--"})
            scale = "linear" if "ratio" in label else "log"
            panel.set(title=NAMES.get(body, body), xlabel="plastic elements (%)", yscale=scale)
        panels[0].set_ylabel(label)
        panels[-1].legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        caption = f"Fig. {name}. {beam_source if name in BEAMS else source}: finest mesh, double precision"
        caption += "" if name in BEAMS else ", H200"
        caption += f"; without matrices: {apart_source}" if name in PREPARED and apart else ""
        caption += "\nbroken: numbers that the text states, K40c" if stated else ""
        finish(drawn, chosen, "fig-{:02}-{:02}".format(*map(int, name.split("."))), caption)


if __name__ == "__main__":
    run(main)
