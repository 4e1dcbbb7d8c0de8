#!/usr/bin/env python3
"""Maps of what the precipitation benchmark prints: seconds for W class updates against points and classes, a panel a
strategy, as Figs. 2 and 6 of Jensen et al. 2016.

    build/bench/bench_kwn large small > bench-kwn.csv && scripts/plot_kwn_bench.py bench-kwn.csv -o pictures

Writes FOLDER/bench-kwn-large and FOLDER/bench-kwn-small as PNG and SVG; what did not fit into memory stays white.
"""

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from slipwave_results import InputError, run, save

COLUMNS = ["table", "strategy", "precision", "order", "points", "classes", "steps", "seconds",
           "class_updates_per_second"]
TITLES = {"large": "2$^{29}$ class updates", "small": "2$^{23}$ class updates"}


def read(path):
    """{table: {strategy: {(points, classes): seconds}}}"""
    tables = {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        if next(rows, None) != COLUMNS:
            raise InputError(f"{path}: first line: need {','.join(COLUMNS)}")
        for number, row in enumerate(rows, 2):
            if len(row) != len(COLUMNS):
                raise InputError(f"{path}:{number}: {len(row)} columns: need {len(COLUMNS)}")
            cells = tables.setdefault(row[0], {}).setdefault(row[1], {})
            cells[int(row[4]), int(row[5])] = float(row[7])
    return tables


def draw(name, strategies, folder):
    points = sorted({n for cells in strategies.values() for n, _ in cells})
    classes = sorted({c for cells in strategies.values() for _, c in cells})
    times = [t for cells in strategies.values() for t in cells.values()]
    figure = Figure(figsize=(3.1 * len(strategies) + 1, 3.6), layout="constrained")
    panels = figure.subplots(1, len(strategies), sharey=True, squeeze=False)[0]
    for panel, (strategy, cells) in zip(panels, strategies.items()):
        map_ = np.array([[cells.get((n, c), np.nan) for c in classes] for n in points])
        image = panel.pcolormesh(np.log2(classes), np.log2(points), map_, shading="nearest", cmap="viridis_r",
                                 norm=LogNorm(min(times), max(times)))
        panel.set_title(f"{strategy}\nbest {min(cells.values()) * 1e3:.3g} ms", fontsize=9)
        panel.set_xlabel("classes, log$_2$ C")
    panels[0].set_ylabel("points, log$_2$ N")
    figure.suptitle(TITLES[name], fontsize=10)
    figure.colorbar(image, ax=panels, label="s")
    save(figure, str(Path(folder) / f"bench-kwn-{name}.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("csv")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    arguments = parser.parse_args()
    tables = {name: table for name, table in read(arguments.csv).items() if name in TITLES}
    if not tables:
        raise InputError(f"{arguments.csv}: no rows of the tables {', '.join(TITLES)}")
    Path(arguments.output).mkdir(parents=True, exist_ok=True)
    for name, strategies in tables.items():
        draw(name, strategies, arguments.output)


if __name__ == "__main__":
    sys.exit(run(main))
