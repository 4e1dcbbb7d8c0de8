"""Results of `slipwave kwn` and `slipwave kwn map`.

Runs, a line style a file: number density, mean radius, volume fraction, matrix composition, strength and temperature
against time, size distributions, and nucleation rate, critical radius and driving force. A map: time-temperature-precipitation and continuous cooling diagrams, ageing
curves, process windows.

A reference is a text of columns (docs/file-formats.md, section Measured curves), drawn as points on runs and ageing
curves, whose first line names them: time_s, time_min or time_h, yield... in MPa or in the unit that its name ends in, or
hardness... in HV, and if they are there alloy and temperature_C.
"""

import re

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, DASHES, InputError, Results, argument_parser, label_log_axis, main_of, open_results, text
from ..measured import STRESS, Table, check_stress, find_unit

LEVELS = [1, 10, 50, 90]  # % transformed: the last few come with coarsening, at times that say little
TIMES = ("s", "min", "h")
LEAST_OF_LOGARITHM = 1e-9  # of the largest: what is less is as good as nothing
LOGARITHMIC_FROM = 5  # largest value over smallest
STRENGTH = {False: ("yield_stress", "Yield stress (MPa)", 1e-6), True: ("hardness", "Hardness (HV)", 1)}


class KwnResults(Results):
    """A results file of a run or a map."""

    program, formats, unmarked = "slipwave kwn", {"slipwave-kwn": 1, "slipwave-kwn-map": 1}, False

    def __init__(self, path):
        super().__init__(path)
        self.phases = self.text("phases", self.group("alloy")).split(",")
        self.alloy = self.text("name", self.group("alloy"))
        self.kind = text(self.file.attrs.get("kind", "run"))

    def label(self):
        return self.path.stem


def time_of(table):
    """Of each row, s."""
    for k, name in enumerate(table.names):
        unit = table.units[k]
        if name.lower().startswith("time") and unit is not None and unit.text in TIMES:
            return unit.factor * table.numbers(k, "time")
    raise InputError(f"{table.path}: need a column {' or '.join(f'time_{unit}' for unit in TIMES)}")


def strength_of(table, hardness, computed):
    """Of each row, MPa or HV, NaN where it is empty; computed: strengths beside which it is drawn, likewise."""
    wanted = "hardness" if hardness else "yield"
    k = next((k for k, name in enumerate(table.names) if name.lower().startswith(wanted)), None)
    if k is None:
        raise InputError(f"{table.path}: need a column {wanted}...")
    values = table.numbers(k, wanted, empty=True)
    if hardness:
        return values
    unit = table.unit(k, STRESS, find_unit("MPa"))
    check_stress(table, values, unit, 1e6 * computed)
    return values * unit.factor / 1e6


def label_of(table, words):
    """Of a row: its alloy and temperature."""
    row = dict(zip(table.names, words))
    degrees = f", {float(row['temperature_C'].replace(',', '.')):g} °C" if row.get("temperature_C") else ""
    return f"measured: {row.get('alloy') or 'alloy'}{degrees}"


def read_reference(path, hardness, computed):
    """[(label, time, strength)]: one an alloy and temperature; rows without a value are left out."""
    table, series = Table(path), {}
    if "temperature_C" in table.names:
        table.numbers(table.names.index("temperature_C"), "temperature", empty=True)  # which says what is wrong with one
    for (_, words), time, strength in zip(table.rows, time_of(table), strength_of(table, hardness, computed)):
        if np.isfinite(strength):
            series.setdefault(label_of(table, words), []).append((time, strength))
    return [(label, *np.array(points).T) for label, points in series.items()]


def strengths(results, hardness):
    """All that the files hold, MPa or HV; the yield stress and the hardness of runs and maps."""
    name, _, factor = STRENGTH[hardness]
    found = [factor * np.ravel(one.file[f"{group}/{name}"][()]) for one, _ in results for group in ("points", "map")
             if f"{group}/{name}" in one.file]
    return np.concatenate(found) if found else np.zeros(1)


def duration(seconds):
    """As people say it: 20 s, 45 min, 5 h."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def draw_reference(axes, references):
    for i, (label, time, strength) in enumerate(references):
        axes.plot(time, strength, "osD^v"[i % 5], color="black", markerfacecolor="white", markersize=4.5, label=label)


# ---- Runs ----


def computed(temperature):
    """Which points [p] of temperatures [p][times] a stopped run has come to: others are all 0."""
    return np.any(temperature > 0, axis=1)


class Run:
    """One point of a run, from after its start; None: the first that is computed. InputError for one that is not."""

    def __init__(self, results, label, point, dashes):
        self.results, self.label, self.dashes = results, label, dashes
        known = computed(results.array("points/temperature", None, None))
        self.point = int(np.argmax(known)) if point is None else point
        if 0 <= self.point < len(known) and not known[self.point]:
            raise InputError(f"{results.path}: point {self.point}: not computed when the run was stopped: {known.sum()} of {len(known)} are")
        self.every_time = results.array("history/time", None)
        self.time = self.every_time[1:]
        self.solutes = results.text("solutes", results.group("alloy")).split(",")

    def values(self, name, *width):
        everything = self.results.array(f"points/{name}", None, len(self.every_time), *width)
        if not 0 <= self.point < len(everything):
            raise InputError(f"--point {self.point}: {self.results.path} has points 0 to {len(everything) - 1}")
        return everything[self.point][1:]

    def title(self):
        phases, alloy = self.results.phases, self.results.alloy
        return f"{phases[0]} in {alloy}" if len(phases) == 1 else alloy


class Clock:
    """The axis of time. Logarithmic when output times are closer together at the start, but not at those of later stages
    as well; else linear, in seconds, minutes or hours."""

    def __init__(self, time):
        steps = np.diff(time)
        anew = np.any(steps[1:] < 0.01 * steps[:-1])  # times of a next stage begin
        self.logarithmic = len(steps) > 2 and steps[-1] > 3 * np.median(steps) and not anew
        unit = "s" if self.logarithmic else duration(time[-1]).split()[1]
        self.label = f"Time ({unit})"
        self.seconds = {"s": 1, "min": 60, "h": 3600, "d": 86400}[unit]

    def set(self, axes):
        axes.set_xlabel(self.label)
        axes.grid(alpha=0.25)
        if self.logarithmic:
            axes.set_xscale("log")
        else:
            axes.set_xlim(left=0)


def powers_of_ten(axes):
    axes.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True)


def draw_lines(axes, clock, runs, ylabel, name, names_of, factor=1.0, logarithmic=False, without_zeros=False):
    """A colour a name of names_of(run) (phases, solutes), which are returned; logarithmic where they span enough."""
    names = list(dict.fromkeys(one for run in runs for one in names_of(run)))
    lines = [(run, one, factor * column) for run in runs
             for one, column in zip(names_of(run), run.values(name, len(names_of(run))).T)]
    everything = np.concatenate([column for _, _, column in lines])
    positive = everything[everything > 0]
    logarithmic = logarithmic and len(positive) > 0 and positive.max() > LOGARITHMIC_FROM * positive.min()
    for run, one, column in lines:
        axes.plot(run.time / clock.seconds,
                  np.where(column > 0, column, np.nan) if logarithmic or without_zeros else column, run.dashes,
                  color=COLOURS[names.index(one) % len(COLOURS)], label=one if run is runs[0] else None)
    axes.set_ylabel(ylabel)
    if logarithmic:
        axes.set_yscale("log")
        axes.set_ylim(max(axes.get_ylim()[0], LEAST_OF_LOGARITHM * positive.max()), 3 * positive.max())
        label_log_axis(axes.yaxis)
    else:
        powers_of_ten(axes)
    return names


def span_decades(axes, decades):
    """Of what falls without end, only so many below its largest."""
    if axes.get_yscale() == "log":
        largest = max((float(np.nanmax(line.get_ydata())) for line in axes.get_lines() if np.isfinite(line.get_ydata()).any()), default=1.0)
        axes.set_ylim(max(axes.get_ylim()[0], largest / 10.0**decades), 3 * largest)


def draw_strength(axes, clock, runs, hardness, references):
    """With the temperature on an axis of its own, behind, unless there is only one."""
    name, label, factor = STRENGTH[hardness]
    axes.set_ylabel(label)
    strengths = [factor * run.values(name) for run in runs]
    for run, strength in zip(runs, strengths):
        if strength.any():
            axes.plot(run.time / clock.seconds, strength, run.dashes, color=COLOURS[0],
                      label=run.label if len(runs) > 1 else "computed")
            draw_peak(axes, run.time / clock.seconds, run.time, strength, label.rpartition("(")[2].rstrip(")"))
    if not any(strength.any() for strength in strengths):
        axes.text(0.5, 0.5, "no strength in the alloy file", ha="center", transform=axes.transAxes)
    draw_reference(axes, [(measured, t / clock.seconds, value) for measured, t, value in references])
    if references:
        axes.margins(y=0.3)
    if references or len(runs) > 1:
        axes.legend(frameon=False, fontsize=7)
    temperatures = [run.values("temperature") for run in runs]
    if np.ptp(np.concatenate(temperatures)) < 0.5:
        axes.set_title(f"at {temperatures[0][-1] - 273.15:.4g} °C")
        return
    right = axes.twinx()
    for run, temperature in zip(runs, temperatures):
        right.plot(run.time / clock.seconds, temperature, run.dashes, color=COLOURS[1], linewidth=0.9)
    right.set_ylabel("Temperature (K)", color=COLOURS[1])
    axes.set_zorder(right.get_zorder() + 1)
    axes.patch.set_visible(False)


def is_dense(time, strength, k):
    """Whether records are close enough around the k-th for it to be the peak: within 1.5 times in time and 1 % in strength, as in a run."""
    near, value = time[k - 1:k + 2], strength[k - 1:k + 2]
    return near[0] > 0 and (near[1:] <= 1.5 * near[:-1]).all() and value.min() >= 0.99 * strength[k]


def peak_text(strength, time, dense, start, end):
    """strength: with its unit."""
    if dense:
        return f"peak: {strength}\nafter {duration(time)}"
    until = f"between {duration(start)} and {duration(end)}" if np.isfinite(end) else f"after {duration(start)}"
    return f"largest record: {strength} at {duration(time)}\npeak {until}"


def draw_peak(axes, shown, time, strength, unit):
    """Where it is within the run: what it is and when."""
    k = int(np.argmax(strength))
    if 0 < k < len(strength) - 1 and strength[k] > 1.02 * max(strength[0], strength[-1]):
        axes.plot(shown[k], strength[k], "k+", markersize=6)
        words = peak_text(f"{strength[k]:.3g} {unit}", time[k], False, time[k - 1], time[k + 1])
        if is_dense(time, strength, k):  # the run's last line has what a parabola through them says
            words = words.splitlines()[0]
        axes.text(0.97, 0.04, words, transform=axes.transAxes, ha="right", va="bottom", fontsize=7)


def draw_distribution(axes, run, index, style, colour_from, label):
    """dN/dr at a time, a line a phase; the radius (nm) below which nearly all particles are."""
    largest = 0
    for i, phase in enumerate(run.results.phases):
        group = run.results.group(f"distribution/{index}/{phase}")
        radius, number, width = (run.results.array(name, None, None, where=group)[run.point]
                                 for name in ("radius", "number", "width"))
        axes.plot(1e9 * radius, number / width, style, color=COLOURS[(i + colour_from) % len(COLOURS)],
                  label=label or phase)
        total = np.cumsum(number)
        if total[-1] > 0:
            largest = max(largest, 1.1e9 * radius[np.searchsorted(total, 0.9999 * total[-1])])
    return largest


def draw_distributions(axes, runs):
    """At the last time of each run for which there is one; of a single phase in a single run, at up to four."""
    axes.set(xlabel="Radius (nm)", ylabel="dN/dr (1/m$^4$)")
    axes.grid(alpha=0.25)
    stored = [(run, sorted(run.results.file.get("distribution", {}), key=int)[::-1]) for run in runs]
    stored = [(run, indices) for run, indices in stored if indices]
    if not stored:
        axes.text(0.5, 0.5, "no size distributions in the file", ha="center", transform=axes.transAxes)
        return
    run, indices = stored[0]
    if len(stored) == 1 and len(run.results.phases) == 1 and len(indices) > 1:
        shown = [(run, index, DASHES[k], k, duration(run.every_time[int(index)]))
                 for k, index in reversed(list(enumerate(indices[: len(DASHES)])))]
    else:
        shown = [(run, indices[0], run.dashes, 0, run.label if len(runs) > 1 else None) for run, indices in stored]
        ends = {duration(run.every_time[int(indices[0])]) for run, indices in stored}
        axes.set_title(f"after {', '.join(ends)}" if len(ends) == 1 else "at the end")
    largest = max([draw_distribution(axes, *one) for one in shown])
    if largest > 0:
        axes.set_xlim(0, largest)
    axes.set_ylim(bottom=0)
    powers_of_ten(axes)
    if len(axes.lines) > 1:
        axes.legend(frameon=False, fontsize=7 if len(runs) > 1 else None)


def plot_runs(results, point, references, hardness):
    runs = [Run(one, label, point, DASHES[i % len(DASHES)]) for i, (one, label) in enumerate(results)]
    clock = Clock(max((run.every_time for run in runs), key=lambda time: time[-1]))

    def phases(run):
        return run.results.phases

    nucleates = all("points/driving_force" in run.results.file for run in runs)  # files of before have none
    figure = Figure(figsize=(10, 8.7 if nucleates else 5.8), layout="constrained")
    axes = figure.subplots(3 if nucleates else 2, 3)
    drawn = draw_lines(axes[0, 0], clock, runs, "Number density (1/m$^3$)", "number_density", phases, logarithmic=True)
    draw_lines(axes[0, 1], clock, runs, "Mean radius (nm)", "mean_radius", phases, 1e9, without_zeros=True)
    draw_lines(axes[0, 2], clock, runs, "Volume fraction (%)", "volume_fraction", phases, 100)
    draw_lines(axes[1, 0], clock, runs, "Matrix composition (at%)", "matrix_composition", lambda run: run.solutes, 100)
    draw_strength(axes[1, 1], clock, runs, hardness, references)
    draw_distributions(axes[1, 2], runs)
    if nucleates:
        draw_lines(axes[2, 0], clock, runs, "Nucleation rate (1/m$^3$ s)", "nucleation_rate", phases, logarithmic=True)
        span_decades(axes[2, 0], 12)
        draw_lines(axes[2, 1], clock, runs, "Critical radius (nm)", "critical_radius", phases, 1e9, without_zeros=True)
        draw_lines(axes[2, 2], clock, runs, "Driving force (MJ/m$^3$)", "driving_force", phases, 1e-6)
    for one in [*axes.flat[:5], *axes.flat[6:]]:
        clock.set(one)
    if len(drawn) > 1:
        axes[0, 0].legend(frameon=False)
    axes[1, 0].legend(frameon=False)
    title = ", ".join(dict.fromkeys(run.title() for run in runs))
    points = len(runs[0].results.file["points/temperature"])
    figure.suptitle(f"{title}, point {runs[0].point}" if points > 1 else title)
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
        add_celsius(one)
    return figure


def add_celsius(axes):
    """A second scale of temperature."""
    axes.secondary_yaxis("right", functions=(lambda kelvin: kelvin - 273.15, lambda celsius: celsius + 273.15)).set_ylabel("°C")


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
    add_celsius(left)
    if m > 1:
        right.legend(frameon=False)
    return figure


def known_of_peaks(file):
    """fitted, from, to of each temperature of a map; of one that has not kept these, by its records."""
    if "peak/fitted" in file:
        return [file[f"peak/{name}"][()] for name in ("fitted", "from", "to")]
    largest = np.argmax(file["map/yield_stress"][()], axis=1)
    edges = np.concatenate(([0.0], file["axes/time"][()], [np.inf]))
    return [np.zeros(len(largest)), edges[largest], edges[largest + 2]]


def plot_ageing(results, references, hardness):
    temperature, time = axis(results, "temperature"), axis(results, "time")
    name, label, factor = STRENGTH[hardness]
    strength = factor * results.array(f"map/{name}", len(temperature), len(time))
    peak = results.array("peak/time", len(temperature)), factor * results.array(f"peak/{name}", len(temperature))
    known = known_of_peaks(results.file)
    figure, (axes,) = new_axes(results, 1, xlabel="Time (s)", ylabel=label, xscale="log", title=results.alloy)
    for i, (kelvin, line) in enumerate(zip(temperature, strength)):
        value = f"{peak[1][i]:.3g} {label.rpartition('(')[2].rstrip(')')}"
        found = ": " + peak_text(value, peak[0][i], *(one[i] for one in known)) if strength.any() else ""
        axes.plot(time, line, color=COLOURS[i % len(COLOURS)], label=f"{kelvin - 273.15:.4g} °C{found}")
    axes.plot(*peak, "k+", markersize=6, label="peak or largest record")
    draw_reference(axes, references)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    figure.set_figwidth(8)
    return figure


UNITS = {"weight_percent": "wt%", "mole_fraction": "mole fraction"}  # of concentrations in alloy files
AXIS_LABEL = {"time": "Time (s)", "temperature": "Temperature (K)"}


def plot_window(results, _references, hardness):
    first, second = results.text("axes", results.file).split(",")
    name, label, factor = STRENGTH[hardness]
    y, x = axis(results, first), axis(results, second)
    strength = factor * results.array(f"map/{name}", len(y), len(x))
    if first == "concentration":
        title = f"{results.alloy} after {duration(results.number('duration', results.file))}"
        unit = re.search(r"^concentration_unit:\s*(\w+)", results.text("file", results.group("alloy")), re.MULTILINE)
        ylabel = results.text("solute", results.file) + (f" ({UNITS.get(unit[1], unit[1])})" if unit else "")
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


def plot_map(results, references, hardness):
    if results.kind not in MAPS:
        raise InputError(f"{results.path}: a map of the kind '{results.kind}': need one of {', '.join(MAPS)}")
    return MAPS[results.kind](results, references, hardness)


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--point", type=int, metavar="N", help="of runs (the first that is computed)")
    parser.add_argument("--hardness", action="store_true", help="in place of the yield stress")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv", help="may be repeated")
    return parser


def figure(options):
    with open_results(options.results, KwnResults) as results:
        computed = strengths(results, options.hardness)
        references = [series for path in options.reference for series in read_reference(path, options.hardness, computed)]
        maps = [one for one, _ in results if one.kind != "run"]
        if maps and len(results) > 1:
            raise InputError(f"{maps[0].path}: is a map: need it alone")
        figure = (plot_map(maps[0], references, options.hardness) if maps else
                  plot_runs(results, options.point, references, options.hardness))
        return figure


main = main_of(arguments, figure)
