#!/usr/bin/env python3
"""Results of `slipwave kwn` and `slipwave kwn map`, as PNG and SVG.

A run: number density, mean radius, volume fraction, matrix composition, strength and temperature against time, and
its size distributions. Maps: time-temperature-precipitation and continuous cooling diagrams, ageing curves, process windows.

A reference is a CSV file of measurements, drawn as points on runs and ageing curves: '#' starts a comment, the first
other line names the columns: time_s or time_h, yield... in MPa or hardness... in HV, and if they are there alloy
and temperature_C.
"""

import argparse
import csv
import re

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import COLOURS, InputError, Results, run, save, text

FORMATS = {"slipwave-kwn", "slipwave-kwn-map"}
LEVELS = [1, 10, 50, 90]  # % transformed: the last few come with coarsening, at times that say little
HOURS = {"time_s": 1, "time_h": 3600}
LOGARITHMIC_FROM = 5  # largest value over smallest
STRENGTH = {False: ("yield_stress", "Yield stress (MPa)", 1e-6), True: ("hardness", "Hardness (HV)", 1)}


class KwnResults(Results):
    """A results file of a run or a map."""

    def __init__(self, path):
        super().__init__(path)
        if text(self.file.attrs.get("format", "")) not in FORMATS:
            self.file.close()
            raise InputError(f"{path}: not a results file of `slipwave kwn`")
        self.phases = text(self.group("alloy").attrs["phases"]).split(",")
        self.alloy = text(self.group("alloy").attrs["name"])
        self.kind = text(self.file.attrs.get("kind", "run"))


def read_reference(path, hardness):
    """[(label, time, strength)]: one an alloy and temperature; rows without a value are left out."""
    wanted = "hardness" if hardness else "yield"
    series = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.DictReader(line for line in file if line.strip() and not line.startswith("#"))
            column = next((name for name in rows.fieldnames or [] if name.startswith(wanted)), None)
            clock = next((name for name in rows.fieldnames or [] if name in HOURS), None)
            if column is None or clock is None:
                raise InputError(f"{path}: need columns {' or '.join(HOURS)}, and {wanted}...")
            for row in rows:
                degrees = f", {float(row['temperature_C']):g} °C" if row.get("temperature_C") else ""
                label = f"measured: {row.get('alloy') or 'alloy'}{degrees}"
                if row[column]:
                    series.setdefault(label, []).append((HOURS[clock] * float(row[clock]), float(row[column])))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (TypeError, ValueError, csv.Error):
        raise InputError(f"{path}: need a line of column names, then rows of as many values") from None
    return [(label, *np.array(points).T) for label, points in series.items()]


def duration(seconds):
    """As people say it: 20 s, 45 min, 5 h."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def draw_reference(axes, references):
    for i, (label, time, strength) in enumerate(references):
        axes.plot(time, strength, "osD^v"[i % 5], color="black", markerfacecolor="white", markersize=4.5, label=label)


# ---- A run ----


class Clock:
    """The axis of time. Logarithmic when output times are closer together at the start, else linear, in seconds,
    minutes or hours."""

    def __init__(self, time):
        steps = np.diff(time)
        self.logarithmic = len(steps) > 2 and steps[-1] > 3 * np.median(steps)
        unit = "s" if self.logarithmic else duration(time[-1]).split()[1]
        self.label = f"Time ({unit})"
        self.seconds = {"s": 1, "min": 60, "h": 3600}[unit]

    def set(self, axes):
        axes.set_xlabel(self.label)
        axes.grid(alpha=0.25)
        if self.logarithmic:
            axes.set_xscale("log")
        else:
            axes.set_xlim(left=0)


def powers_of_ten(axes):
    axes.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True)


def draw_lines(axes, time, values, names, ylabel, logarithmic=False):
    """A line a name; logarithmic where they span enough for it."""
    positive = values[values > 0]
    logarithmic = logarithmic and len(positive) > 0 and positive.max() > LOGARITHMIC_FROM * positive.min()
    for i, (column, name) in enumerate(zip(values.T, names)):
        axes.plot(time, np.where(column > 0, column, np.nan) if logarithmic else column,
                  color=COLOURS[i % len(COLOURS)], label=name)
    axes.set_ylabel(ylabel)
    if logarithmic:
        axes.set_yscale("log")
    else:
        powers_of_ten(axes)


def draw_strength(axes, time, strength, label, temperature, references, seconds):
    """With the temperature on an axis of its own, behind, unless there is only one."""
    if strength.any():
        axes.plot(time, strength, color=COLOURS[0], label="computed")
    else:
        axes.text(0.5, 0.5, "no strength in the alloy file", ha="center", transform=axes.transAxes)
    draw_reference(axes, [(name, t / seconds, value) for name, t, value in references])
    axes.set_ylabel(label)
    if references:
        axes.margins(y=0.3)
        axes.legend(frameon=False, fontsize=7)
    if np.ptp(temperature) < 0.5:
        axes.set_title(f"at {temperature[-1]:.5g} K")
        return
    right = axes.twinx()
    right.plot(time, temperature, color=COLOURS[1], linewidth=0.9)
    right.set_ylabel("Temperature (K)", color=COLOURS[1])
    axes.set_zorder(right.get_zorder() + 1)
    axes.patch.set_visible(False)


def draw_distributions(axes, results, point):
    """dN/dr at the last time for which there is one; of a single phase, at up to four."""
    styles = ["-", "--", "-.", ":"]  # of the last, the one before ...
    several = len(results.phases) == 1
    indices = sorted(results.file.get("distribution", {}), key=int)[::-1][: len(styles) if several else 1]
    several = several and len(indices) > 1
    axes.set(xlabel="Radius (nm)", ylabel="dN/dr (1/m$^4$)")
    axes.grid(alpha=0.25)
    if not indices:
        axes.text(0.5, 0.5, "no size distributions in the file", ha="center", transform=axes.transAxes)
        return
    time = results.array("history/time", None)
    largest = 0
    for k, index in reversed(list(enumerate(indices))):
        for i, phase in enumerate(results.phases):
            group = results.group(f"distribution/{index}/{phase}")
            radius, number, width = (results.array(name, None, None, where=group)[point]
                                     for name in ("radius", "number", "width"))
            axes.plot(1e9 * radius, number / width, styles[k], color=COLOURS[(i + k) % len(COLOURS)],
                      label=duration(time[int(index)]) if several else phase)
            total = np.cumsum(number)
            if total[-1] > 0:
                largest = max(largest, 1.1e9 * radius[np.searchsorted(total, 0.9999 * total[-1])])
    if largest > 0:
        axes.set_xlim(0, largest)
    axes.set_ylim(bottom=0)
    powers_of_ten(axes)
    if not several:
        axes.set_title(f"after {duration(time[int(indices[0])])}")
    if several or len(results.phases) > 1:
        axes.legend(frameon=False)


def plot_run(results, point, references, hardness):
    time = results.array("history/time", None)
    n, m = len(time), len(results.phases)
    clock = Clock(time)
    later = time[1:] / clock.seconds

    def values(name, *width):
        everything = results.array(f"points/{name}", None, n, *width)
        if not 0 <= point < len(everything):
            raise InputError(f"--point {point}: {results.path} has points 0 to {len(everything) - 1}")
        return everything[point][1:], len(everything)

    figure = Figure(figsize=(10, 5.8), layout="constrained")
    axes = figure.subplots(2, 3)
    number, n_points = values("number_density", m)
    draw_lines(axes[0, 0], later, number, results.phases, "Number density (1/m$^3$)", True)
    radius = 1e9 * values("mean_radius", m)[0]
    draw_lines(axes[0, 1], later, np.where(radius > 0, radius, np.nan), results.phases, "Mean radius (nm)")
    draw_lines(axes[0, 2], later, 100 * values("volume_fraction", m)[0], results.phases, "Volume fraction (%)")
    solutes = text(results.group("alloy").attrs["solutes"]).split(",")
    draw_lines(axes[1, 0], later, 100 * values("matrix_composition", len(solutes))[0], solutes,
               "Matrix composition (at%)")
    name, label, factor = STRENGTH[hardness]
    draw_strength(axes[1, 1], later, factor * values(name)[0], label, values("temperature")[0], references,
                  clock.seconds)
    draw_distributions(axes[1, 2], results, point)
    for one in axes.flat[:5]:
        clock.set(one)
    if m > 1:
        axes[0, 0].legend(frameon=False)
    axes[1, 0].legend(frameon=False)
    title = f"{results.phases[0]} in {results.alloy}" if m == 1 else results.alloy
    figure.suptitle(f"{title}, point {point}" if n_points > 1 else title)
    return figure


# ---- Maps ----


def axis(results, name):
    return results.array(f"axes/{name}", None)


def new_axes(results, n=1, **labels):
    figure = Figure(figsize=(5.2 * n, 3.8), layout="constrained")
    axes = np.ravel(figure.subplots(1, n))
    for one in axes:
        one.set(**labels)
        one.grid(alpha=0.25)
    return figure, axes


def first_times(time, values, level):
    """When each row of values first reaches a level, between samples linear in the logarithm of time; NaN: never."""
    found = np.full(len(values), np.nan)
    for i, row in enumerate(values):
        k = int(np.argmax(row >= level))
        if k > 0:
            place = (level - row[k - 1]) / (row[k] - row[k - 1])
            found[i] = time[k - 1] * (time[k] / time[k - 1]) ** place
    return found


def plot_ttp(results, _references, _hardness):
    """A panel a phase: when which part of the largest fraction at each temperature has formed. Temperatures at which
    next to nothing forms within the times are left out."""
    temperature, time = axis(results, "temperature"), axis(results, "time")
    shape = (len(temperature), len(time), len(results.phases))
    transformed = results.array("map/fraction_transformed", *shape)
    fraction = results.array("map/volume_fraction", *shape).max(axis=1)
    figure, axes = new_axes(results, len(results.phases), xlabel="Time (s)", ylabel="Temperature (K)")
    for p, (one, phase) in enumerate(zip(axes, results.phases)):
        one.set(xscale="log", title=f"{phase} in {results.alloy}", xlim=(time[0], time[-1]))
        forms = fraction[:, p] > 1e-4 * max(fraction[:, p].max(), 1e-300)
        for colour, level in zip(COLOURS, LEVELS):
            one.plot(first_times(time, 100 * transformed[forms, :, p], level), temperature[forms], color=colour,
                     label=f"{level} %")
        one.legend(frameon=False)
    return figure


def plot_cct(results, _references, _hardness):
    """Temperatures at which precipitation starts and ends along each cooling curve, and the fraction that forms."""
    rate, temperature = axis(results, "cooling_rate"), axis(results, "temperature")
    m = len(results.phases)
    figure, (left, right) = new_axes(results, 2, xlabel="Cooling rate (K/s)", xscale="log")
    left.set(ylabel="Temperature (K)", title=f"{results.alloy}: start (1 %) and finish (99 %)")
    right.set(ylabel="Volume fraction after cooling (%)")
    fraction = results.array("map/volume_fraction", len(rate), len(temperature), m)[:, -1]
    for p, phase in enumerate(results.phases):
        for name, dash in (("start", "-"), ("finish", "--")):
            left.plot(rate, results.array(f"map/{name}_temperature", len(rate), m)[:, p], dash, color=COLOURS[p],
                      label=f"{phase}, {name}")
        right.plot(rate, 100 * fraction[:, p], color=COLOURS[p], label=phase)
    left.set_xlim(rate.min(), rate.max())
    right.set_xlim(rate.min(), rate.max())
    left.legend(frameon=False)
    if m > 1:
        right.legend(frameon=False)
    return figure


def plot_ageing(results, references, hardness):
    temperature, time = axis(results, "temperature"), axis(results, "time")
    name, label, factor = STRENGTH[hardness]
    strength = factor * results.array(f"map/{name}", len(temperature), len(time))
    peak = results.array("peak/time", len(temperature)), factor * results.array(f"peak/{name}", len(temperature))
    figure, (axes,) = new_axes(results, 1, xlabel="Time (s)", ylabel=label, xscale="log", title=results.alloy)
    for i, (kelvin, line) in enumerate(zip(temperature, strength)):
        axes.plot(time, line, color=COLOURS[i % len(COLOURS)], label=f"{kelvin - 273.15:.4g} °C")
    axes.plot(*peak, "k+", markersize=6, label="peak")
    draw_reference(axes, references)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.set_figwidth(7)
    return figure


UNITS = {"weight_percent": "wt%", "mole_fraction": "mole fraction"}  # of concentrations in alloy files
AXIS_LABEL = {"time": "Time (s)", "temperature": "Temperature (K)"}


def plot_window(results, _references, hardness):
    first, second = text(results.file.attrs["axes"]).split(",")
    name, label, factor = STRENGTH[hardness]
    y, x = axis(results, first), axis(results, second)
    strength = factor * results.array(f"map/{name}", len(y), len(x))
    if first == "concentration":
        title = f"{results.alloy} after {duration(float(np.ravel(results.file.attrs['duration'])[0]))}"
        unit = re.search(r"^concentration_unit:\s*(\w+)", text(results.group("alloy").attrs["file"]), re.MULTILINE)
        ylabel = text(results.file.attrs["solute"]) + (f" ({UNITS.get(unit[1], unit[1])})" if unit else "")
    else:
        title, ylabel = results.alloy, AXIS_LABEL[first]
    figure, (axes,) = new_axes(results, 1, xlabel=AXIS_LABEL[second], ylabel=ylabel, title=title)
    if second == "time":
        axes.set_xscale("log")
    filled = axes.contourf(x, y, strength, levels=16, cmap="viridis")
    lines = axes.contour(x, y, strength, levels=filled.levels[::2], colors="white", linewidths=0.5)
    axes.clabel(lines, fmt="%.4g", fontsize=7)
    axes.grid(False)
    figure.colorbar(filled, ax=axes, label=label)
    return figure


MAPS = {"ttp": plot_ttp, "cct": plot_cct, "ageing": plot_ageing, "window": plot_window}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULT.h5")
    parser.add_argument("-o", "--output", required=True, metavar="FIGURE.png", help="an SVG is written beside it")
    parser.add_argument("--point", type=int, default=0, metavar="N", help="of a run (0)")
    parser.add_argument("--hardness", action="store_true", help="in place of the yield stress")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv", help="may be repeated")
    options = parser.parse_args()
    references = [series for path in options.reference
                  for series in read_reference(path, options.hardness)]
    results = KwnResults(options.results)
    with results.file:
        if results.kind == "run":
            figure = plot_run(results, options.point, references, options.hardness)
        elif results.kind in MAPS:
            figure = MAPS[results.kind](results, references, options.hardness)
        else:
            raise InputError(f"{results.path}: a map of the kind '{results.kind}': need one of {', '.join(MAPS)}")
        save(figure, options.output)


if __name__ == "__main__":
    run(main)
