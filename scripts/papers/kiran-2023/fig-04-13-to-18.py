#!/usr/bin/env python3
"""Kiran 2023, Figs. 4.13, 4.14, 4.17, 4.18: times of products in the plane, elastic and of heat conduction, every element
its own matrix, against elements, and those of the others over ebe_sym's. Broken lines: numbers that the text states.
The tables are fem-products-plane and fem-products-heat of scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, columns, figure, finish, measured, not_measured, options, run, where

# figures: table, {body: its name}, operators, stated in the text: theirs over ebe_sym
FIGURES = {("4.13", "4.14"): ("fem-products-plane", {"box:unstructured": "strip", "l_bracket:unstructured": "L"},
                              ["nbn", "dbd", "ebe"], [5, 2.8, 1.4]),
           ("4.17", "4.18"): ("fem-products-heat", {"plate_with_holes:unstructured": "plate with holes"},
                              ["nbn", "ebe"], [3.2, 1.3])}


def main():
    chosen = options(__doc__, bench=True)
    for names, (table, bodies, operators, stated) in FIGURES.items():
        rows, source = measured(chosen, table)
        rows = where(rows, storage="own", scatter="colours")
        if not all(where(rows, body=body) for body in bodies):
            not_measured(f"Figs. {' and '.join(names)}")
            continue
        for name, ratio in zip(names, (False, True)):
            drawn, panels = figure(len(bodies), width=4.2, sharey=True)
            for panel, (body, label) in zip(panels, bodies.items()):
                time = {operator: columns(where(rows, body=body, operator=operator), "elements", "product_ms")
                        for operator in [*operators, "ebe_sym"]}
                for colour, operator in zip(COLOURS, operators if ratio else time):
                    x, y = time[operator]
                    panel.plot(x, y / time["ebe_sym"][1] if ratio else y, marker="o", markersize=3, color=colour,
                               label=operator + (" over ebe_sym" if ratio else ""))
                for colour, value in zip(COLOURS, stated if ratio else ()):
                    panel.axhline(value, **PAPER | {"linestyle": "--", "color": colour})
                panel.set(title=label, xlabel="elements")
            panels[0].set_ylabel("ratio of times" if ratio else "product (ms)")
            panels[-1].legend(frameon=True, framealpha=0.85, fontsize=7)
            caption = f"Fig. {name}. {source}: double precision, colours"
            caption += "; L: arms of a half, as many elements as in Table 4.2" if len(bodies) > 1 else ""
            caption += "\nbroken: numbers that the text states, K40c" if ratio else ""
            finish(drawn, chosen, f"fig-04-{name[2:]}", caption)


if __name__ == "__main__":
    run(main)
