"""What the benchmark of the discrete element method prints, in pictures: particle-steps per second against elements in
a batch, elements, and particles, and the stages of `launches` against elements: as Figs. 11, 14, 12 and 15 of Lubbe et
al. 2022.

    build/bench/bench_dem > bench-dem.csv && slipwave-plot bench-dem bench-dem.csv -o pictures

Writes bench-dem as .png and .svg; bench-dem-section11, a panel for each of the paper's Figs. 11 to 15, where there are
tables of section11.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .common import (InputError, argument_parser, bench_files, csv_rows, label_log_axis, make_folder,
                              numbers, save)

KEPT = ("dem",)  # what `make bench` keeps
COLUMNS = ["table", "team", "detection", "images", "elements", "particles", "steps", "seconds",
           "particle_steps_per_second", "bytes_per_element"]


NUMBERS = ["elements", "particles", "steps", "seconds", "particle_steps_per_second", "bytes_per_element"]


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


def shares(axes, tables, table, x, label, detection="hash"):
    """Bars of what the stages TABLE/STAGE take."""
    stages = {name: [row for row in rows if row["detection"] == detection] for name, rows in tables.items()
              if name.startswith(table + "/") and not name.endswith("/lists")}
    counts = [f"{row[x]:,.0f}" for row in next(iter(stages.values()))]
    seconds = np.array([[row["seconds"] for row in rows] for rows in stages.values()])
    below = np.zeros(len(counts))
    for name, own in zip(stages, 100 * seconds / seconds.sum(axis=0)):
        axes.bar(counts, own, bottom=below, label=name.split("/")[1].replace("_", " "))
        below += own
    axes.set_title("stages of launches, %", fontsize=9)
    axes.set_xlabel(label)
    axes.legend(*(part[::-1] for part in axes.get_legend_handles_labels()), fontsize=7, frameon=False,
                loc="center left", bbox_to_anchor=(1, 0.5))


def time_and_memory(axes, rows, x, title, label):
    """Seconds of the run, and dashed its memory in GB, of each detection."""
    memory = axes.twinx()
    for k, detection in enumerate(dict.fromkeys(row["detection"] for row in rows)):
        own = [row for row in rows if row["detection"] == detection]
        places = [row[x] for row in own]
        axes.plot(places, [row["seconds"] for row in own], marker="o", markersize=3, color=f"C{k}",
                  label=f"{detection}, s")
        memory.plot(places, [1e-9 * row["bytes_per_element"] * row["elements"] for row in own], "--", marker="s",
                    markersize=3, color=f"C{k}", label=f"{detection}, GB")
    axes.set_ylim(bottom=0)
    memory.set_ylim(bottom=0)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel(label)
    handles, labels = (a + b for a, b in zip(axes.get_legend_handles_labels(), memory.get_legend_handles_labels()))
    axes.legend(handles, labels, fontsize=7)


def section11(tables):
    """Figs. 11 to 15 of the paper."""
    figure = Figure(figsize=(15, 3.2), layout="constrained")
    panels = figure.subplots(1, 5)
    time_and_memory(panels[0], tables["section11_batches"], "elements", "100 elements, in batches",
                    "elements a batch")
    time_and_memory(panels[1], tables["section11_particles"], "particles", "one element", "particles")
    shares(panels[2], tables, "section11_particles_stages", "particles", "particles of one element")
    time_and_memory(panels[3], tables["section11_elements"], "elements", "many elements", "elements")
    shares(panels[4], tables, "section11_elements_stages", "elements", "elements")
    for axes in (panels[0], panels[1], panels[3]):
        axes.xaxis.set_major_locator(MaxNLocator(3))
    panels[0].set_ylabel("s, and GB (dashed)")
    return figure


def main():
    options = argument_parser(__doc__, "BENCH.csv", folder=True, bench=KEPT).parse_args()
    options.results = bench_files(options.results, KEPT)
    tables = read(options.results)
    wanted = [("batch", "elements", "100 elements, in batches", "elements a batch"),
              ("elements", "elements", "elements of 2,000 particles", "elements"),
              ("particles", "particles", "one element", "particles")]
    of_section11 = ["section11_batches", "section11_particles", "section11_elements",
                    "section11_particles_stages/forces", "section11_elements_stages/forces"]
    has_section11 = all(name in tables for name in of_section11)
    make_folder(options.output)
    if has_section11:
        save(section11(tables), Path(options.output) / "bench-dem-section11")
    missing = [name for name in [name for name, *_ in wanted] + ["shares/forces"] if name not in tables]
    if has_section11 and missing:
        return
    if missing:
        raise InputError(f"{', '.join(options.results)}: no table {missing[0]}: it needs a GPU")
    figure = Figure(figsize=(13, 3.4), layout="constrained")
    panels = figure.subplots(1, 4)
    for axes, (name, *rest) in zip(panels, wanted):
        rates(axes, tables[name], *rest)
    panels[0].set_ylabel("particle-steps / s")
    shares(panels[3], tables, "shares", "elements", "elements of 2,000 particles")
    save(figure, Path(options.output) / "bench-dem")
