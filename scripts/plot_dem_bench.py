#!/usr/bin/env python3
"""What the benchmark of the discrete element method prints, in pictures: particle-steps per second against elements in
a batch, elements, and particles, and the stages of `launches` against elements: as Figs. 11, 14, 12 and 15 of Lubbe et
al. 2022.

    build/bench/bench_dem > bench-dem.csv && slipwave-plot bench-dem bench-dem.csv -o pictures

Writes bench-dem as .png and .svg.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import (InputError, argument_parser, bench_files, csv_rows, label_log_axis, make_folder,
                              numbers, run, save)

KEPT = ("dem",)  # what `make bench` keeps
COLUMNS = ["table", "team", "detection", "images", "elements", "particles", "steps", "seconds",
           "particle_steps_per_second", "bytes_per_element"]


NUMBERS = ["elements", "particles", "seconds", "particle_steps_per_second"]


def read(paths):
    """{table: [row as a dict]}"""
    tables = {}
    for path in paths:
        for place, row in csv_rows(path, COLUMNS):
            tables.setdefault(row["table"], []).append(row | dict(zip(NUMBERS, numbers(place, row, *NUMBERS))))
    return tables


def rates(axes, rows, x, title, label):
    for team in dict.fromkeys(row["team"] for row in rows):
        own = [row for row in rows if row["team"] == team]
        axes.loglog([row[x] for row in own], [row["particle_steps_per_second"] for row in own], marker="o",
                    markersize=3, label=team)
    label_log_axis(axes.xaxis)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel(label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def shares(axes, tables):
    stages = [name for name in tables if name.startswith("shares/")]
    counts = [f"{row['elements']:.0f}" for row in tables[stages[0]]]
    seconds = np.array([[row["seconds"] for row in tables[name]] for name in stages])
    below = np.zeros(len(counts))
    for name, own in zip(stages, 100 * seconds / seconds.sum(axis=0)):
        axes.bar(counts, own, bottom=below, label=name.split("/")[1].replace("_", " "))
        below += own
    axes.set_title("stages of launches, %", fontsize=9)
    axes.set_xlabel("elements of 2,000 particles")
    axes.legend(*(part[::-1] for part in axes.get_legend_handles_labels()), fontsize=7, frameon=False,
                loc="center left", bbox_to_anchor=(1, 0.5))


def main():
    options = argument_parser(__doc__, "BENCH.csv", folder=True, bench=KEPT).parse_args()
    options.results = bench_files(options.results, KEPT)
    tables = read(options.results)
    wanted = [("batch", "elements", "100 elements, in batches", "elements a batch"),
              ("elements", "elements", "elements of 2,000 particles", "elements"),
              ("particles", "particles", "one element", "particles")]
    missing = [name for name, *_ in wanted if name not in tables]
    if missing or not any(name.startswith("shares/") for name in tables):
        raise InputError(f"{', '.join(options.results)}: no table {(missing + ['shares'])[0]}: it needs a GPU")
    figure = Figure(figsize=(13, 3.4), layout="constrained")
    panels = figure.subplots(1, 4)
    for axes, (name, *rest) in zip(panels, wanted):
        rates(axes, tables[name], *rest)
    panels[0].set_ylabel("particle-steps / s")
    shares(panels[3], tables)
    make_folder(options.output)
    save(figure, Path(options.output) / "bench-dem")


if __name__ == "__main__":
    run(main)
