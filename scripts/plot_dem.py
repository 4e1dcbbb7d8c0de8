#!/usr/bin/env python3
"""Results of `slipwave dem`.

--show curves (the default): stress over confining pressure and volume strain against axial strain, the path in the q-p
plane with the drained test's slope of 3, and specific volume against the logarithm of p. Elements of one variation or
sample are an ensemble: their mean, and a band of one standard deviation. --axis: along which the test loads. The other
pictures are of one file.

--show roses: contact orientations at the end, seen along z and y, in parts of what each bin of 5 degrees expects when
all directions are alike, with mean normal forces on request, and the histogram of contacts of a particle. The first
element of each variation.

--show sizes: variations of the number of particles. 1/chi^2 against it, and what of this is no more than the number of
contacts: chi^2/(k - 1), which is 1 on average by chance alone, and Cramer's V; and how elements of one size scatter.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from slipwave_results import (COLOURS, InputError, Results, argument_parser, label_log_axis, open_results, run, save)

POINTS = 200  # of a mean curve
MOST_ROSES = 4
TESTS = ["x-y", "x-z", "y-z", "sphere"]
# What variations are told apart by: name in /rve, its sign, factor
PARAMETERS = {
    "particles": ("P", 1), "void_ratio": ("e", 1), "pressure": ("p (kPa)", 1e-3), "young": ("E (GPa)", 1e-9),
    "friction_angle": ("angle of friction (degrees)", 1), "poisson": ("$\\nu$", 1),
    "roll_strength": ("$\\alpha_{roll}$", 1), "twist_strength": ("$\\alpha_{twist}$", 1),
    "roll_stiffness": ("$\\eta_{roll}$", 1), "twist_stiffness": ("$\\eta_{twist}$", 1), "density": ("$\\rho$", 1),
    "packing_friction": ("tan $\\varphi$ while packing", 1), "packing_inertia_number": ("I while packing", 1),
    "damping": ("damping", 1), "inertia_number": ("I", 1),
}


class DemResults(Results):
    """A results file: elements by variant, and their records."""

    program, formats, unmarked = "slipwave dem", {"slipwave-dem": 1}, False

    def __init__(self, path):
        super().__init__(path)
        self.n = len(self.array("rve/variant", None))
        self.good = self.array("rve/status", self.n) == 0
        if not self.good.any():
            raise InputError(f"{path}: all elements failed: {self.text('failures').strip()}")
        variant = self.array("rve/variant", self.n)
        # elements of each variant that did not fail
        self.variants = [np.flatnonzero(self.good & (variant == v)) for v in np.unique(variant[self.good])]
        self.first_stage = int(self.number("first_loading_stage"))

    def history(self, name):
        return self.array(f"history/{name}", self.n, None)

    def parameter(self, name):
        return self.array(f"rve/{name}", self.n)

    def labels(self):
        """What tells each variant from the others."""
        if len(self.variants) == 1:
            return [""]
        first = [elements[0] for elements in self.variants]
        differ = [name for name in PARAMETERS
                  if f"rve/{name}" in self.file and len(np.unique(self.parameter(name)[first])) > 1
                  and not np.isnan(self.parameter(name)[first]).any()]
        return [", ".join(f"{PARAMETERS[name][0]} = {PARAMETERS[name][1] * self.parameter(name)[k]:.4g}"
                          for name in differ[:2]) or f"variant {v}" for v, k in enumerate(first)]

    def label(self):
        return self.path.stem

    def title(self):
        particles = self.parameter("n_particles")
        count = f"{particles.min():,.0f}" if len(np.unique(particles)) == 1 else \
            f"{particles.min():,.0f} to {particles.max():,.0f}"
        failed = f", {(~self.good).sum()} failed" if not self.good.all() else ""
        return f"{self.path.stem}: {self.n} element{'s' if self.n > 1 else ''} of {count} particles{failed}"


# ---- Curves ----


def records_of(results, k, names):
    """Columns of element k's records, from where its strains count."""
    columns = {name: results.history(name)[k] for name in names}
    stage = results.history("stage")[k]
    loaded = np.isfinite(stage) & (stage >= results.first_stage - 1)
    if loaded.sum() < 2:
        raise InputError(f"{results.path}: element {k} has {loaded.sum()} records of its loading: need 2")
    return {name: values[loaded] for name, values in columns.items()}


def ensemble(elements, control):
    """Mean and standard deviation of each quantity at equal values of the control, as far as all get."""
    sign = np.sign(elements[0][control][-1] - elements[0][control][0])
    end = min(sign * one[control][-1] for one in elements)
    at = np.linspace(sign * elements[0][control][0], end, POINTS)
    mean, deviation = {}, {}
    for name in elements[0]:
        values = np.array([np.interp(at, np.maximum.accumulate(sign * one[control]), one[name]) for one in elements])
        mean[name] = values.mean(axis=0)
        deviation[name] = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(POINTS)
    return mean, deviation


def curves_of(results, options):
    """For each variant (label, mean, deviation) of what is drawn."""
    axial, stress = f"strain_{options.axis}{options.axis}", f"stress_{options.axis}{options.axis}"
    names = [axial, stress, "volume_strain", "pressure", "deviator", "void_ratio"]
    found = []
    for label, elements in zip(results.labels(), results.variants):
        ready = []
        for k in elements:
            r = records_of(results, k, names)
            top = r["deviator"] if options.deviator else r[stress]
            if not r["pressure"][0] > 0:
                raise InputError(f"{results.path}: element {k} begins its loading at p0 = {r['pressure'][0]:g} Pa: "
                                 "need p0 above 0 for stress / p0")
            ready.append({"axial": 100 * r[axial], "ratio": top / r["pressure"][0], "volume": 100 * r["volume_strain"],
                          "p": 1e-3 * r["pressure"], "q": 1e-3 * r["deviator"], "v": 1 + r["void_ratio"]})
        found.append((label, *ensemble(ready, "axial")))
    return found


def read_table(path):
    """A CSV: a line of names, rows of numbers; lines of comments begin with '#'."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
        data = np.genfromtxt(lines, delimiter=",", names=True, ndmin=1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{path}: need a line of names, and as many numbers in each row") from None
    if data.dtype.names is None or len(data) < 2:
        raise InputError(f"{path}: need a line of names, and two rows of numbers or more")
    return data


def read_reference(path, options):
    """Rows of a drained test elsewhere: mean over its packings. Columns axial_strain, volume_strain and stress_11_Pa to
    stress_33_Pa; `packing` where there are several. Its lateral stress is p0: rows may begin within the test."""
    data = read_table(path)
    needed = ["axial_strain", "volume_strain"] + [f"stress_{i}{i}_Pa" for i in (1, 2, 3)]
    missing = [name for name in needed if name not in (data.dtype.names or ())]
    if missing:
        raise InputError(f"{path}: need a column {missing[0]}")
    packings = np.unique(data["packing"]) if "packing" in data.dtype.names else [None]
    ready = []
    for packing in packings:
        rows = data if packing is None else data[data["packing"] == packing]
        s = np.array([rows[f"stress_{i}{i}_Pa"] for i in (1, 2, 3)])
        p = s.mean(axis=0)
        q = np.sqrt(0.5 * ((s[0] - s[1])**2 + (s[0] - s[2])**2 + (s[1] - s[2])**2))
        top = q if options.deviator else s[options.axis - 1]
        confining = np.mean([s[i] for i in range(3) if i != options.axis - 1])
        ready.append({"axial": 100 * rows["axial_strain"], "ratio": top / confining,
                      "volume": 100 * rows["volume_strain"], "p": 1e-3 * p, "q": 1e-3 * q})
    return ensemble(ready, "axial")[0]


def draw_band(axes, x, name, mean, deviation, colour, label):
    axes.plot(mean[x], mean[name], color=colour, linewidth=1.2, label=label)
    if np.any(deviation[name] > 0):
        axes.fill_between(mean[x], mean[name] - deviation[name], mean[name] + deviation[name], color=colour, alpha=0.2,
                          linewidth=0)


def plot_curves(files, options):
    curves = [(", ".join(filter(None, (name if len(files) > 1 else "", label))), mean, deviation)
              for one, name in files for label, mean, deviation in curves_of(one, options)]
    figure = Figure(figsize=(9, 6.8), layout="constrained")
    (stress, volume), (path, density) = figure.subplots(2, 2)
    for i, (label, mean, deviation) in enumerate(curves):
        colour = COLOURS[i % len(COLOURS)]
        draw_band(stress, "axial", "ratio", mean, deviation, colour, label)
        draw_band(volume, "axial", "volume", mean, deviation, colour, label)
        path.plot(mean["p"], mean["q"], color=colour, linewidth=1.2, label=label)
        density.plot(mean["p"], mean["v"], color=colour, linewidth=1.2, label=label)
    for name in options.reference:
        mean = read_reference(name, options)
        stress.plot(mean["axial"], mean["ratio"], "k--", linewidth=1, label=name.rpartition("/")[2])
        volume.plot(mean["axial"], mean["volume"], "k--", linewidth=1)
        path.plot(mean["p"], mean["q"], "k--", linewidth=1)
    for i, start in enumerate(np.unique([round(mean["p"][0], 1) for _, mean, _ in curves])):
        most = max(mean["p"].max() for _, mean, _ in curves)
        path.plot([start, most], [0, 3 * (most - start)], ":", color="0.4", label=None if i else "slope 3")
    top = "q / p$_0$" if options.deviator else f"$\\sigma_{options.axis}$ / p$_0$"
    stress.set(xlabel="Axial strain (%)", ylabel=top)
    volume.set(xlabel="Axial strain (%)", ylabel="Volume strain (%), compression positive")
    path.set(xlabel="p (kPa)", ylabel="q (kPa)")
    density.set(xlabel="p (kPa)", ylabel="Specific volume 1 + e", xscale="log")
    label_log_axis(density.xaxis)
    if len(curves) > 1 or options.reference:
        stress.legend(frameon=False, fontsize=7)
    path.legend(frameon=False, fontsize=7)
    for one in (stress, volume, path, density):
        one.grid(alpha=0.25)
    if len(files) == 1:
        figure.suptitle(files[0][0].title())
    return figure


# ---- Roses ----


def draw_rose(axes, results, k, plane, forces):
    """Both halves of the circle: an axis points two ways."""
    count = results.array("fabric/plane_count", results.n, 3, 36)[k, plane]
    bins, width = len(count), np.pi / len(count)
    angle = (np.arange(2 * bins) + 0.5) * width
    share = np.tile(count / max(count.mean(), 1e-300), 2)
    axes.bar(angle, share, width=width, color=COLOURS[5], edgecolor="white", linewidth=0.2)
    axes.plot(np.linspace(0, 2 * np.pi, 181), np.ones(181), ":", color="0.3", linewidth=0.8)
    if forces:
        force = results.array("fabric/plane_force", results.n, 3, 36)[k, plane]
        mean = np.average(force, weights=np.maximum(count, 1e-300))
        axes.plot(np.append(angle, angle[0]), np.append(np.tile(force, 2), force[0]) / max(mean, 1e-300),
                  color=COLOURS[1], linewidth=0.9)
    axes.set_xticks(np.radians([0, 90, 180, 270]), [TESTS[plane][0], TESTS[plane][2], "", ""])
    axes.set_yticks([0.5, 1, 1.5], [])
    p = results.array("fabric/p_value", results.n, 4)[k, plane]
    reduced = results.array("fabric/reduced", results.n, 4)[k, plane]
    axes.set_title(f"{TESTS[plane]}: $\\chi^2$/35 = {reduced:.2f}, p = {p:.2g}", fontsize=8)


def draw_contacts(axes, results, k):
    particles = results.array("fabric/particles", results.n, 33)[k]
    axes.bar(np.arange(33), particles / particles.sum(), color=COLOURS[0])
    mean = 2 * results.array("fabric/counts", results.n, 4)[k, 3] / particles.sum()
    axes.axvline(mean, color=COLOURS[1], linewidth=1)
    most = np.flatnonzero(particles)[-1]
    axes.set(xlabel="Contacts of a particle", ylabel="Part of the particles", xlim=(-0.7, max(most, 10) + 0.7))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(f"mean {mean:.2f}", fontsize=8)


def plot_roses(results, options):
    chosen = np.unique(np.linspace(0, len(results.variants) - 1, min(MOST_ROSES, len(results.variants))).astype(int))
    labels = results.labels()
    figure = Figure(figsize=(8.4, 2.7 * len(chosen)), layout="constrained")
    for row, v in enumerate(chosen):
        k = results.variants[v][0]
        for column, plane in enumerate((0, 1)):
            axes = figure.add_subplot(len(chosen), 3, 3 * row + column + 1, projection="polar")
            draw_rose(axes, results, k, plane, options.forces)
            if column == 0:
                axes.set_ylabel(labels[v] or f"element {k}", labelpad=24)
        draw_contacts(figure.add_subplot(len(chosen), 3, 3 * row + 3), results, k)
    figure.suptitle(results.title())
    return figure


# ---- Sizes ----


def by_size(results):
    """[(particles, elements that did not fail)], ascending."""
    particles = results.parameter("n_particles")
    sizes = np.unique(particles[results.good])
    if len(sizes) < 2:
        raise InputError(f"{results.path}: all elements have {sizes[0]:.0f} particles: need several sizes")
    return [(size, np.flatnonzero(results.good & (particles == size))) for size in sizes]


def draw_sizes(axes, sizes, values, labels, colours):
    """Every element a dot, and the means of a size a line. values [n][tests]"""
    for column, (label, colour) in enumerate(zip(labels, colours)):
        for size, elements in sizes:
            axes.plot(np.full(len(elements), size), values[elements, column], ".", color=colour, alpha=0.4,
                      markersize=4)
        axes.plot([size for size, _ in sizes], [values[elements, column].mean() for _, elements in sizes], "o-",
                  color=colour, markersize=4, linewidth=1, label=label)
    axes.set(xlabel="Particles")
    axes.grid(alpha=0.25)


def scatter_of_size(sizes, values):
    return [values[elements].std(ddof=1) / values[elements].mean() if len(elements) > 1 else np.nan
            for _, elements in sizes]


def plot_sizes(results, _options):
    sizes = by_size(results)
    n = np.array([size for size, _ in sizes])
    test = {name: results.array(f"fabric/{name}", results.n, 4)
            for name in ("chi_squared", "reduced", "cramer", "counts")}
    figure = Figure(figsize=(9, 6.8), layout="constrained")
    (inverse, reduced), (cramer, scatter) = figure.subplots(2, 2)
    draw_sizes(inverse, sizes, 1 / test["chi_squared"], TESTS, COLOURS)
    inverse.axhline(1 / 33, color="0.4", linestyle=":", label="mean by chance")  # of 1/chi^2: 1 / (freedoms - 2)
    inverse.set(ylabel="1 / $\\chi^2$", ylim=(0, None))
    draw_sizes(reduced, sizes, test["reduced"], TESTS, COLOURS)
    reduced.axhline(1, color="0.4", linestyle=":")
    reduced.set(ylabel="$\\chi^2$ / (k - 1)", ylim=(0, None))
    draw_sizes(cramer, sizes, test["cramer"], TESTS, COLOURS)
    counts = np.array([test["counts"][elements, 3].mean() for _, elements in sizes])
    cramer.plot(n, counts**-0.5, ":", color="0.4")
    cramer.set(ylabel="Cramer's V", ylim=(0, None))
    for name, colour in (("void_ratio", COLOURS[0]), ("coordination", COLOURS[1]), ("elastic_energy", COLOURS[2])):
        values = results.history(name)
        last = np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else np.nan for row in values])
        if name == "elastic_energy":
            last = last / results.parameter("n_particles")
        scatter.plot(n, 100 * np.array(scatter_of_size(sizes, last)), "o-", color=colour, markersize=4, linewidth=1,
                     label=name.replace("_", " "))
    scatter.set(xlabel="Particles", ylabel="Deviation among elements (%)", xscale="log", yscale="log")
    guide = scatter.get_ylim()[1] * (n / n[0])**-0.5 * 0.8
    scatter.plot(n, guide, ":", color="0.4", label="P$^{-1/2}$")
    for axis in (scatter.xaxis, scatter.yaxis):
        label_log_axis(axis)
    scatter.grid(alpha=0.25)
    inverse.legend(frameon=False, fontsize=7)
    scatter.legend(frameon=False, fontsize=7)
    figure.suptitle(results.title())
    return figure


OF_ONE_FILE = {"roses": plot_roses, "sizes": plot_sizes}


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--show", choices=["curves", *OF_ONE_FILE], default="curves")
    parser.add_argument("--axis", type=int, choices=(1, 2, 3), default=3, help="that the test loads (3)")
    parser.add_argument("--deviator", action="store_true", help="q / p0 in place of the axial stress")
    parser.add_argument("--reference", action="append", default=[], metavar="CURVE.csv",
                        help="of scripts/dev/dem_yade.py or an experiment; may be repeated")
    parser.add_argument("--forces", action="store_true", help="roses with mean normal forces")
    options = parser.parse_args()
    if options.show in OF_ONE_FILE and len(options.results) > 1:
        raise InputError(f"--show {options.show}: {len(options.results)} files: need one")
    with open_results(options.results, DemResults) as results:
        figure = (plot_curves(results, options) if options.show == "curves" else
                  OF_ONE_FILE[options.show](results[0][0], options))
        save(figure, options.output)


if __name__ == "__main__":
    run(main)
