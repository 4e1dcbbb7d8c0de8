"""What the benchmark of the solvers on a GPU prints, in pictures: bench-TABLE.png and .svg.

    build/bench/bench_gpu > bench-gpu.csv && slipwave-plot bench bench-gpu.csv -o pictures

CSV: '#' starts a comment, of which the first becomes the title; columns table,series,x,value,unit,limit; the limit of
the hardware may be empty. Tables:

  crystals         pairs/s against crystals (Malahe 2018, Fig. 10); series: kernels
  terms            pairs/s against Fourier terms (Fig. 11)
  range_reduction  pairs/s against the refinement multiplier; series: and, modulo, none (Fig. 12: the last)
  solvers          crystal-steps/s; series: solvers; x is not used
  error_rate       error of the stress curve (value) against crystal-steps/s (x); series: one setting each
  scaling          rate against GPUs, the same work on each

Of terms, in series and x, a conjugate pair is two. Files of older programs, which say "a stored pair is 17.82 of the
paper's terms", count pairs there: their numbers are doubled. Other tables are left out.
"""

import math
import re
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, NullLocator

from .common import (COLOURS, TEXT_LONGEST, InputError, argument_parser, bench_files, check_plain, csv_rows, label_log_axis,
                              make_folder, save)

KEPT = ("gpu",)  # what `make bench` keeps
COLUMNS = ["table", "series", "x", "value", "unit", "limit"]
MARKS = "osD^vPX"
LIMIT = {"color": "0.35", "linestyle": (0, (4, 2)), "linewidth": 1.0}
LIMIT_NAME = "hardware limit"


class Table:
    """The rows of one table, as columns."""

    def __init__(self):
        self.series, self.x, self.value, self.limit, self.unit = [], [], [], [], ""

    def add(self, where, series, x, value, unit, limit):
        if self.unit and unit != self.unit:
            raise InputError(f"{where}: unit = '{unit}': need '{self.unit}', as in the table's first line")
        for column, one in zip((self.series, self.x, self.value, self.limit), (series, x, value, limit)):
            column.append(one)
        self.unit = unit

    def each(self):
        """(name, x, value, limit) of each series, by x; limit is NaN where there is none."""
        names, x, value, limit = map(np.array, (self.series, self.x, self.value, self.limit))
        for name in dict.fromkeys(self.series):
            rows = np.flatnonzero(names == name)
            rows = rows[np.argsort(x[rows], kind="stable")]
            yield name, x[rows], value[rows], limit[rows]


def positive(where, column, text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise InputError(f"{where}: {column} = '{text}': need a finite number above 0")
    return value


def text_of(path):
    check_plain(path, TEXT_LONGEST)
    return Path(path).read_text(encoding="utf-8")


def first_comment(paths):
    """Of the files, for the title; "" for none."""
    for path in paths:
        for line in text_of(path).splitlines():
            if line.startswith("#"):
                return line.lstrip("# ").rstrip()
    return ""


def series_in_terms(series):
    """Of a file that counts pairs: "terms 256" is 512."""
    return re.sub(r"^terms (\d+)$", lambda found: f"terms {2 * int(found[1])}", series)


def read(paths):
    """{name: Table} of the tables that are drawn."""
    tables = {}
    for path in paths:
        counts_pairs = "\n# a stored pair is " in text_of(path)
        for where, row in csv_rows(path, COLUMNS):
            name, series, x, value, unit, limit = row.values()
            if name not in PICTURES:
                continue
            if counts_pairs:
                series = series_in_terms(series)
            doubled = 2 if counts_pairs and name == "terms" else 1
            for column, one in (("series", series), ("unit", unit)):
                if not one:
                    raise InputError(f"{where}: {column} is empty: need a name")
            tables.setdefault(name, Table()).add(where, series, 0.0 if name == "solvers" else doubled * positive(where, "x", x),
                                                 positive(where, "value", value), unit,
                                                 positive(where, "limit", limit) if limit else math.nan)
    return tables


def new_figure(**axes):
    figure = Figure(figsize=(5.2, 3.7), layout="constrained")
    axes = figure.add_subplot(**axes)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    return figure, axes


def style(i):
    return {"color": COLOURS[i % len(COLOURS)], "marker": MARKS[i % len(MARKS)], "markersize": 4.5, "linewidth": 1.2}


def mark_values(axes, x):
    """Ticks of a logarithmic horizontal axis at the values themselves, seven or so at most."""
    values = np.unique(x)
    axes.set_xticks(values[::-1][::math.ceil(len(values) / 8)][::-1])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_locator(NullLocator())


def scaled(rates):
    """The power of a thousand to divide rates by on a linear axis, and what its label says of it."""
    power = 3 * math.floor(math.log10(np.nanmax(rates)) / 3)
    return 10.0**power, f"$10^{{{power}}}$ " if power else ""


def legend_above(axes, handles, top):
    """A linear axis from 0, with room for the legend over everything."""
    axes.set_ylim(0, top * (1.06 + 0.085 * math.ceil(len(handles) / 2)))
    axes.legend(handles=handles, loc="upper center", ncol=2, frameon=False, fontsize=8)


def draw_limits(axes, table, scale):
    """One line across where all limits agree, else a line for each series, in its colour. Whether any."""
    limits = np.array(table.limit)
    limits = limits[np.isfinite(limits)] / scale
    if not len(limits):
        return False
    if np.ptp(limits) <= 1e-6 * limits.max():
        axes.axhline(limits[0], **LIMIT)
        return True
    for i, (_, x, _, limit) in enumerate(table.each()):
        known = np.isfinite(limit)
        if known.sum() == 1:
            axes.plot(x[known], limit[known] / scale, color=COLOURS[i % len(COLOURS)], marker="_", markersize=12)
        else:
            axes.plot(x[known], limit[known] / scale, **LIMIT | {"color": COLOURS[i % len(COLOURS)]})
    return True


def draw_throughput(table, xlabel, logarithmic, at_values):
    """Rate against x, a line for each series, with the limits of the hardware."""
    figure, axes = new_figure(xlabel=xlabel, xscale="log")
    rates = table.value + table.limit
    scale, prefix = (1.0, "") if logarithmic else scaled(rates)
    axes.set_ylabel(f"Throughput ({prefix}{table.unit})")
    for i, (name, x, value, _) in enumerate(table.each()):
        axes.plot(x, value / scale, label=name, **style(i))
    limited = draw_limits(axes, table, scale)
    if at_values:
        mark_values(axes, table.x)
    handles = axes.get_legend_handles_labels()[0] + ([Line2D([], [], label=LIMIT_NAME, **LIMIT)] if limited else [])
    if logarithmic:
        axes.set_yscale("log")
        axes.legend(handles=handles, frameon=False, fontsize=8)
    else:
        legend_above(axes, handles, np.nanmax(rates) / scale)
    return figure


def draw_solvers(table):
    """A bar a solver, the fastest on top, over the limit of the hardware as an empty one."""
    rows = sorted(zip(table.value, table.limit, table.series), key=lambda row: row[0])
    value, limit = (np.array(column) for column in list(zip(*rows))[:2])
    known = np.isfinite(limit)
    right = np.nanmax([value, limit])
    logarithmic = right > 30 * value.min()
    scale, prefix = (1.0, "") if logarithmic else scaled([right])
    fraction = ", fraction of the limit" if known.any() else ""
    figure, axes = new_figure(xlabel=f"Rate ({prefix}{table.unit}){fraction}")
    figure.set_size_inches(5.2, 1.3 + 0.34 * len(rows))
    y = np.arange(len(rows))
    axes.barh(y, value / scale, height=0.6, color=COLOURS[0], label="measured")
    for at, one, top in zip(y, value, limit):
        text = f"{one:.2g}".replace("e+0", "e").replace("e+", "e")
        if np.isfinite(top):
            text += f"  ({100 * one / top:.0f} %)"
        axes.annotate(text, (np.nanmax([one, top]) / scale, at), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8)
    axes.set_yticks(y, [row[2] for row in rows])
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    if logarithmic:
        left = 10.0**math.floor(math.log10(value.min() / 3))
        axes.set_xscale("log")
        axes.set_xlim(left, right * (right / left) ** 0.32)  # room for the text
    else:
        axes.set_xlim(0, 1.32 * right / scale)
    if known.any():
        axes.barh(y[known], limit[known] / scale, height=0.6, facecolor="none", edgecolor="0.35", linewidth=0.8,
                  linestyle=(0, (4, 2)), label=LIMIT_NAME)
        axes.set_ylim(-1.5, len(rows) - 0.4)  # room for the legend
        axes.legend(loc="lower right", ncol=2, frameon=False, fontsize=8)
    return figure


def place_labels(axes, x, y, labels):
    """Labels beside their points, each where it covers neither a point nor an earlier label."""
    figure = axes.figure
    figure.draw_without_rendering()  # settles the layout
    room = axes.get_window_extent()
    points = axes.transData.transform(np.column_stack([x, y]))
    unit = figure.dpi / 72
    taken = []
    for (px, py), point, label in sorted(zip(points.tolist(), zip(x, y), labels), key=lambda one: one[0]):
        text = axes.annotate(label, point, xytext=(0, 0), textcoords="offset points", fontsize=7,
                             zorder=1.5,  # over the line, under the points
                             path_effects=[withStroke(linewidth=2, foreground="white")])
        extent = text.get_window_extent()
        width, height = extent.width, extent.height
        best = None
        for rank, (dx, dy, side) in enumerate([(6, 0, "left"), (-6, 0, "right"), (0, 8, "center"), (0, -8, "center"),
                                               (5, 8, "left"), (5, -8, "left"), (-5, 8, "right"), (-5, -8, "right"),
                                               (0, 17, "center"), (0, -17, "center")]):
            left = px + dx * unit - {"left": 0, "right": width, "center": width / 2}[side]
            low = py + dy * unit - height / 2
            box = (left, low, left + width, low + height)
            covered = sum(not (box[2] < other[0] or other[2] < box[0] or box[3] < other[1] or other[3] < box[1])
                          for other in taken)
            covered += sum(box[0] - 4 * unit < a < box[2] + 4 * unit and box[1] - 3 * unit < b < box[3] + 3 * unit
                           for a, b in points)
            covered += 3 * (box[0] < room.x0 or box[2] > room.x1 or box[1] < room.y0 or box[3] > room.y1)
            if best is None or (covered, rank) < best[0]:
                best = (covered, rank), (dx, dy, side), box
        _, (dx, dy, side), box = best
        text.set(position=(dx, dy), horizontalalignment=side, verticalalignment="center")
        taken.append(box)


def draw_error_rate(table):
    """A labelled point a setting, coloured by the solver, its name's first word, and the line of those that no
    other setting beats in both."""
    figure, axes = new_figure(xlabel="Rate (crystal-steps/s)", xscale="log", yscale="log",
                              ylabel="Relative $L^2$ error of the stress curve")
    figure.set_size_inches(5.8, 4.2)
    x, y = np.array(table.x), np.array(table.value)
    front, best = [], math.inf
    for i in sorted(range(len(x)), key=lambda i: (-x[i], y[i])):
        if y[i] < best:
            front.append(i)
            best = y[i]
    if len(front) > 1:
        axes.step(x[front], y[front], where="post", color="0.6", linewidth=0.9, zorder=1)
    solvers = [name.replace(",", " ").split()[0] for name in table.series]
    kinds = list(dict.fromkeys(solvers))
    for i, kind in enumerate(kinds):
        chosen = [j for j, one in enumerate(solvers) if one == kind]
        axes.plot(x[chosen], y[chosen], label=kind, **style(i) | {"linestyle": "none", "markersize": 5.5})
    axes.margins(0.14, 0.1)
    for axis in (axes.xaxis, axes.yaxis):
        label_log_axis(axis)
    handles = axes.get_legend_handles_labels()[0]
    if len(front) > 1:
        handles.append(Line2D([], [], color="0.6", linewidth=0.9, label="best at its rate"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)
    single = {kind for kind in kinds if solvers.count(kind) == 1}
    labels = [name if name.replace(",", " ").split()[0] in single else
              name[len(kind):].strip(" ,") or name for name, kind in zip(table.series, solvers)]
    place_labels(axes, x, y, labels)
    return figure


def draw_scaling(table):
    """Rate against GPUs beside the straight line from each series' first point."""
    figure, axes = new_figure(xlabel="GPUs, the same work on each")
    scale, prefix = scaled(table.value)
    axes.set_ylabel(f"Rate ({prefix}{table.unit})")
    top = 0.0
    for i, (name, x, value, _) in enumerate(table.each()):
        ideal = value[0] * x / x[0]
        top = max(top, ideal.max(), value.max())
        axes.plot(x, ideal / scale, color="0.6", linewidth=0.9, zorder=1)
        kept = f", {100 * value[-1] / ideal[-1]:.0f} % at {x[-1]:g} GPUs" if len(x) > 1 else ""
        axes.plot(x, value / scale, label=name + kept, **style(i))
    axes.set_xticks(np.unique(table.x))
    axes.set_xlim(0, 1.05 * max(table.x))
    handles = axes.get_legend_handles_labels()[0] + [Line2D([], [], color="0.6", linewidth=0.9, label="ideal")]
    legend_above(axes, handles, top / scale)
    return figure


PICTURES = {
    "crystals": lambda table: draw_throughput(table, "Crystals", logarithmic=True, at_values=False),
    "terms": lambda table: draw_throughput(table, "Fourier terms", logarithmic=False, at_values=True),
    "range_reduction": lambda table: draw_throughput(table, "Refinement multiplier", logarithmic=False,
                                                     at_values=True),
    "solvers": draw_solvers,
    "error_rate": draw_error_rate,
    "scaling": draw_scaling,
}


def main():
    options = argument_parser(__doc__, "BENCH.csv", folder=True, bench=KEPT).parse_args()
    options.results = bench_files(options.results, KEPT)
    tables, comment = read(options.results), first_comment(options.results)
    if not tables:
        raise InputError(f"{', '.join(options.results)}: no table to draw: need one of {', '.join(PICTURES)}")
    folder = Path(options.output)
    make_folder(folder)
    for name, draw in PICTURES.items():
        if name not in tables:
            print(f"no table {name}: no picture", file=sys.stderr)
            continue
        figure = draw(tables[name])
        if comment:
            title = comment if len(comment) <= 90 else f"{comment[:89]}…"
            figure.axes[0].set_title(title, fontsize=7, color="0.35", loc="left", parse_math=False)
        save(figure, folder / f"bench-{name}")
