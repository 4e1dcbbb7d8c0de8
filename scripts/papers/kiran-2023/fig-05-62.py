#!/usr/bin/env python3
"""Kiran 2023, Fig. 5.62: kernel times by Newton iteration, with the plastic zones that the iterations of an analysis have,
at about 1 % of plastic elements and at 21 to 34 %. The table is fem-zones of scripts/dev/run-gpu-papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, columns, figure, finish, measured, not_measured, options, run, where
from kernels import NAMES

WAYS = [(operator, storage) for operator in ("ebe_node", "ebe_dof") for storage in ("single", "improved")]


def analyses(rows):
    """[[row]]: iterations of one after another count up from 0."""
    found = []
    for row in rows:
        if not found or row["newton"] < found[-1][-1]["newton"]:
            found.append([])
        found[-1].append(row)
    return found


def of_finest(rows):
    """The analyses of the finest mesh that has several."""
    meshes = sorted({row["elements"] for row in rows}, reverse=True)
    runs = [analyses(where(rows, elements=elements)) for elements in meshes]
    return next((one for one in runs if len(one) > 1), runs[0])


def main():
    chosen = options(__doc__, bench=True)
    rows, source = measured(chosen, "fem-zones")
    bodies = [body for body in NAMES if where(rows, body=body)]
    if not bodies:
        not_measured("Fig. 5.62")
        return
    drawn, panels = figure(2, len(bodies), width=4)
    elements = ", ".join(f"{of_finest(where(rows, body=body))[0][0]['elements']:,.0f}" for body in bodies) + " elements"
    for body, pair in zip(bodies, zip(panels[::2], panels[1::2])):
        runs = of_finest(where(rows, body=body, scatter="colours"))
        by_part = sorted(runs, key=lambda one: one[-1]["plastic_percent"])
        for panel, one in zip(pair, (by_part[0], by_part[-1])):
            for colour, (operator, storage) in zip(COLOURS, WAYS):
                at, time = columns(where(one, operator=operator, storage=storage), "newton", "product_ms")
                panel.plot(at + 1, time, marker="o", markersize=3, color=colour, label=f"{operator} {storage}")
            panel.set(title=f"{NAMES[body]}: {one[-1]['plastic_percent']:.1f} % at the end", xticks=at + 1,
                      xlabel="Newton iteration")
        pair[0].set_ylabel("product (ms)")
    panels[1].legend(frameon=True, framealpha=0.85, fontsize=7)
    finish(drawn, chosen, "fig-05-62", f"Fig. 5.62. {source}: double precision, colours; zones by an analysis "
           f"on the CPU; {elements}")


if __name__ == "__main__":
    run(main)
