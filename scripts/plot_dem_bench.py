#!/usr/bin/env python3
"""Pictures of what the benchmark of the discrete element method prints: particle-steps per second against elements in a
batch, elements, and particles, and the stages of `launches`: Figs. 11 to 15 of Lubbe et al. 2022.

    build/bench/bench_dem > bench-dem.csv && scripts/plot_dem_bench.py bench-dem.csv -o pictures

Writes FOLDER/bench-dem as PNG and SVG.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import InputError, run, save

COLUMNS = ["table", "team", "detection", "images", "elements", "particles", "steps", "seconds",
           "particle_steps_per_second", "bytes_per_element"]


def read(path):
    """{table: [row as a dict]}"""
    tables = {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        if next(rows, None) != COLUMNS:
            raise InputError(f"{path}: first line: need {','.join(COLUMNS)}")
        for number, row in enumerate(rows, 2):
            if len(row) != len(COLUMNS):
                raise InputError(f"{path}:{number}: {len(row)} columns: need {len(COLUMNS)}")
            tables.setdefault(row[0], []).append(dict(zip(COLUMNS, row)))
    return tables


def rates(axes, rows, x, title, label):
    for team in dict.fromkeys(row["team"] for row in rows):
        own = [row for row in rows if row["team"] == team]
        axes.loglog([float(row[x]) for row in own], [float(row["particle_steps_per_second"]) for row in own],
                    marker="o", markersize=3, label=team)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel(label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def shares(axes, tables):
    stages = [name for name in tables if name.startswith("shares/")]
    counts = [int(row["elements"]) for row in tables[stages[0]]]
    seconds = np.array([[float(row["seconds"]) for row in tables[name]] for name in stages])
    below = np.zeros(len(counts))
    for name, own in zip(stages, 100 * seconds / seconds.sum(axis=0)):
        axes.bar([str(n) for n in counts], own, bottom=below, label=name.split("/")[1].replace("_", " "))
        below += own
    axes.set_title("stages of launches, %", fontsize=9)
    axes.set_xlabel("elements of 2,000 particles")
    axes.legend(fontsize=7)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="BENCH.csv")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True)
    options = parser.parse_args()
    tables = read(options.file)
    wanted = [("batch", "elements", "100 elements, in batches", "elements a batch"),
              ("elements", "elements", "elements of 2,000 particles", "elements"),
              ("particles", "particles", "one element", "particles")]
    missing = [name for name, *_ in wanted if name not in tables]
    if missing or not any(name.startswith("shares/") for name in tables):
        raise InputError(f"{options.file}: no table {(missing + ['shares'])[0]}: it needs a GPU")
    figure = Figure(figsize=(13, 3.4), layout="constrained")
    panels = figure.subplots(1, 4)
    for axes, (name, *rest) in zip(panels, wanted):
        rates(axes, tables[name], *rest)
    panels[0].set_ylabel("particle-steps / s")
    shares(panels[3], tables)
    Path(options.output).mkdir(parents=True, exist_ok=True)
    save(figure, str(Path(options.output) / "bench-dem.png"))


if __name__ == "__main__":
    run(main)
