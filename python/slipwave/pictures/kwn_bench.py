"""What the precipitation benchmark prints, as maps: seconds for W class updates against points and classes, a panel a
strategy: 2^29 updates as in Fig. 2 of Jensen et al. 2016, 2^23 as in its Fig. 6, which has two kernels of `cusparse`
alone where these are whole steps.

    build/bench/bench_kwn large small > bench-kwn.csv && slipwave-plot bench-kwn bench-kwn.csv -o pictures

Writes bench-kwn-large and bench-kwn-small as .png and .svg; what did not fit into memory stays white. A dot: fewer
steps were run than the work has, and the time is extrapolated from them.
"""

from pathlib import Path

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from .common import InputError, argument_parser, bench_files, csv_rows, make_folder, numbers, save

KEPT = ("kwn",)  # what `make bench` keeps
COLUMNS = ["table", "strategy", "precision", "order", "points", "classes", "steps", "work_steps", "measured_seconds",
           "seconds", "class_updates_per_second"]
TITLES = {"large": "2$^{29}$ class updates", "small": "2$^{23}$ class updates"}


def read(paths):
    """{table: {strategy: {(points, classes): (seconds, part of the work that was run)}}}"""
    tables = {}
    for path in paths:
        for place, row in csv_rows(path, COLUMNS):
            cells = tables.setdefault(row["table"], {}).setdefault(row["strategy"], {})
            points, classes, steps, work_steps, seconds = numbers(place, row, "points", "classes", "steps", "work_steps",
                                                                  "seconds")
            cells[points, classes] = seconds, steps / work_steps
    return tables


def draw(name, strategies, folder):
    points = sorted({n for cells in strategies.values() for n, _ in cells})
    classes = sorted({c for cells in strategies.values() for _, c in cells})
    times = [t for cells in strategies.values() for t, _ in cells.values()]
    figure = Figure(figsize=(3.1 * len(strategies) + 1, 3.6), layout="constrained")
    panels = figure.subplots(1, len(strategies), sharey=True, squeeze=False)[0]
    for panel, (strategy, cells) in zip(panels, strategies.items()):
        map_ = np.array([[cells.get((n, c), (np.nan, 1))[0] for c in classes] for n in points])
        image = panel.pcolormesh(np.log2(classes), np.log2(points), map_, shading="nearest", cmap="viridis_r",
                                 norm=LogNorm(min(times), max(times)))
        extrapolated = [np.log2(place) for place, (_, run_part) in cells.items() if run_part < 1]
        if extrapolated:
            panel.plot(*np.array(extrapolated).T[::-1], ".", color="black", markersize=2)
        panel.set_title(f"{strategy}\nbest {min(t for t, _ in cells.values()) * 1e3:.3g} ms", fontsize=9)
        panel.set_xlabel("classes, log$_2$ C")
    panels[0].set_ylabel("points, log$_2$ N")
    figure.suptitle(TITLES[name], fontsize=10)
    figure.colorbar(image, ax=panels, label="s")
    save(figure, Path(folder) / f"bench-kwn-{name}")


def main():
    options = argument_parser(__doc__, "BENCH.csv", folder=True, bench=KEPT).parse_args()
    options.results = bench_files(options.results, KEPT)
    tables = {name: table for name, table in read(options.results).items() if name in TITLES}
    if not tables:
        raise InputError(f"{', '.join(options.results)}: no rows of the tables {', '.join(TITLES)}")
    make_folder(options.output)
    for name, strategies in tables.items():
        draw(name, strategies, options.output)
