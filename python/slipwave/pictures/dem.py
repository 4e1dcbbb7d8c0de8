"""Results of `slipwave dem`.

--show curves (the default): four pictures of the first test that is not a consolidation, and what follows; --test N
begins with another one. Triaxial tests: stress over confining pressure and volume strain against axial strain, the path
in the q-p plane, with the slope of 3 of a drained test, and void ratio against the logarithm of p. At constant
volume: pore pressure, and q / p, in place of volumes. Shear: stresses of the plane against gamma. Consolidation and
packings: p, q, contacts and volume. Rest: energy, unbalanced force, contacts and p over time. Compaction of powders: stresses, contacts, their area, of crystals their hardness,
over relative density, with published formulas (dem_compaction.py). p0 is the mean stress as the test begins.
Elements of one variation or sample are an ensemble: their mean, and a band of one standard deviation. --axis: along
which a test loads that does not say. Several files are compared in one picture.

--show roses: contact orientations at the end, seen along z and y, in parts of what each bin of 5 degrees expects when
all directions are alike, with mean normal forces on request, and the histogram of contacts of a particle. The first
element of each variation of each file.

--show sizes: variations of the number of particles. 1/chi^2 against it, and what of this is no more than the number of
contacts: chi^2/(k - 1), which is 1 on average by chance alone, and Cramer's V; and how elements of one size scatter.

--show yield: yield surfaces at the end, of jobs with `probes` (dem_yield.py).

--show walls: forces on walls, of the first element (dem_walls.py).
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from . import dem_compaction as compaction
from .dem_walls import plot_walls
from .dem_yield import plot_yield
from .common import (COLOURS, DASHES, InputError, Results, argument_parser, draw_band, label_log_axis, main_of,
                     open_results)
from ..measured import STRAIN, STRESS, Table

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

    def tests(self):
        """[(number of its first stage, name, axes, whether strains count anew)]; of older files one without a name."""
        if "tests" not in self.group("run").attrs:
            return [(self.first_stage, "", "-", False)] if self.first_stage > 0 else []
        rows = [line.split() for line in self.text("tests").splitlines()]
        if any(len(row) not in (3, 4) or not row[0].isdigit() for row in rows):
            raise InputError(f"{self.path}: the attribute tests of /run is no list of tests")
        return [(int(row[0]), row[1], row[2], len(row) == 4) for row in rows]

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


def test_of(results, options):
    """(number of its first stage, name, axes) of the test that curves begin with, and whether only consolidation
    follows; None for a packing alone."""
    tests = results.tests()
    if not tests:
        return None
    if options.test is None:
        first = next((i for i, (_, name, _, _) in enumerate(tests) if name != "isotropic"), 0)
    elif 1 <= options.test <= len(tests):
        first = options.test - 1
    else:
        raise InputError(f"--test {options.test}: {results.path} has tests 1 to {len(tests)}")
    return *tests[first][:3], all(name == "isotropic" for _, name, _, _ in tests[first:])


def records_of(results, k, names, first):
    """Columns of element k's records from the state before stage `first` on, strains as since then; `apart`: what was just
    before it has no record (an unrecorded stage), so that they begin with the first of its own."""
    columns = {name: results.history(name)[k] for name in names + ["stage", "step"]}
    stage = columns["stage"]
    rows = np.flatnonzero(np.isfinite(stage) & (stage >= first))
    before = np.flatnonzero(stage < first)  # the last one is the state that the test begins with
    fresh = [number for number, *_, zero in results.tests() if zero]
    apart = len(before) > 0 and stage[before[-1]] < first - 1
    if apart:
        before = before[:0]
    if len(rows) + (len(before) > 0) < 2:
        raise InputError(f"{results.path}: element {k} has {len(rows)} records of its test: need 2")
    rows = np.concatenate([before[-1:], rows])
    columns = {name: values[rows] for name, values in columns.items()}
    for name in [name for name in names if "strain" in name and name != "particle_strain"]:  # which never begins anew
        values = columns[name]
        for number in fresh:  # strains that begin anew go on from where they were
            at = np.searchsorted(columns["stage"], number)
            if 0 < at < len(rows):
                values[at:] += values[at - 1]
        columns[name] = values - (values[0] if len(before) or apart and first not in fresh else 0)
    columns["apart"] = apart
    return columns


def part_done(stage, step):
    """Stages done, and the part of the present one's steps: what elements of several lengths have in common."""
    done = np.zeros(len(stage))
    for i, number in enumerate(np.unique(stage[1:])):
        rows = np.flatnonzero(stage == number)
        rows = rows[rows > 0]
        begun = step[rows[0] - 1]
        done[rows] = i + (step[rows] - begun) / max(step[rows[-1]] - begun, 1)
    return done


def ensemble(elements, control):
    """Mean and standard deviation of each quantity at equal values of the control, as far as all get. A control that
    turns is replaced by the part of the stages done."""
    if len(elements) == 1:
        return elements[0], {name: np.zeros(len(values)) for name, values in elements[0].items()}
    sign = np.sign(elements[0][control][-1] - elements[0][control][0])
    turns = any(np.abs(np.diff(one[control])).sum() > 1.05 * abs(one[control][-1] - one[control][0])
                for one in elements) and all("done" in one for one in elements)
    if turns:
        sign, control = 1, "done"
    end = min(sign * one[control][-1] for one in elements)
    at = np.linspace(sign * elements[0][control][0], end, POINTS)
    if turns:
        at = np.union1d(at, np.arange(np.ceil(end)))
    mean, deviation = {}, {}
    for name in elements[0]:
        values = np.array([np.interp(at, np.maximum.accumulate(sign * one[control]), one[name]) for one in elements])
        mean[name] = values.mean(axis=0)
        deviation[name] = values.std(axis=0, ddof=1)
    return mean, deviation


SIX = ["11", "22", "33", "23", "13", "12"]


def kind_of(results, test, records):
    """(what is drawn, its axes) of a test: by its name, or else by what strains most."""
    if test is None or test[3]:
        return "compression", ""
    _, name, axes, _ = test
    if name == "simple_shear":
        return "shear", axes
    if name == "compaction":
        return "compaction", axes.strip("-")
    if name == "rest":
        return "rest", ""
    change = {c: np.abs(records[f"strain_{c}"]).max() for c in SIX}
    most = max(change, key=change.get)
    if name in ("general", "strain", "stress_path") and most[0] != most[1]:
        return "shear", most
    constant = np.abs(records["volume_strain"]).max() < 1e-3 * change[most]
    return "undrained" if constant or name == "undrained_triaxial" else "triaxial", axes.strip("-")


def quantities_of(results, k, r, kind, axes, options):
    """What is drawn of one element's records: kPa, percent."""
    if kind == "compaction":
        return compaction.quantities(r, results.parameter("rate_sensitivity")[k], results.text("job"),
                                     options.axis or int(axes or 0), part_done(r["stage"], r["step"]))
    if kind == "rest":
        return {"time": r["time"] - r["time"][0], "kinetic": r["kinetic_energy"], "unbalanced": r["unbalanced_force"],
                "coordination": r["coordination"], "p": 1e-3 * r["pressure"], "q": 1e-3 * r["deviator"]}
    axis = options.axis or int(axes[0] if axes and kind != "shear" else 3)
    axial, across = r[f"stress_{axis}{axis}"], [r[f"stress_{i}{i}"] for i in (1, 2, 3) if i != axis]
    lateral = 0.5 * (across[0] + across[1])
    p = r["pressure"]
    p0 = np.median(lateral) if r["apart"] and kind == "triaxial" else p[0]  # the one that is held
    if kind != "compression" and not p0 > 0:
        raise InputError(f"{results.path}: element {k} begins its loading at p0 = {p0:g} Pa: need p0 above 0 for "
                         "stress / p0; --test N begins with a later test")
    least = max(1e-2 * p0, 1e-6 * p.max())  # where ratios mean something
    with np.errstate(divide="ignore", invalid="ignore"):
        found = {"axial": 100 * r[f"strain_{axis}{axis}"],
                 "ratio": (r["deviator"] if options.deviator else axial) / (p0 if p0 > 0 else np.nan),
                 "volume": 100 * r["volume_strain"], "p": 1e-3 * p, "q": 1e-3 * r["deviator"], "v": r["void_ratio"],
                 "pore": 1e-3 * (lateral[0] - lateral), "coordination": r["coordination"],
                 "mobilised": np.where(p > least, r["deviator"] / p, np.nan),
                 "done": part_done(r["stage"], r["step"])}
        if kind == "shear":
            plane, normal = "".join(sorted(axes)), r[f"stress_{axes[1] * 2}"]
            found.update(gamma=200 * r[f"strain_{plane}"], tau=1e-3 * r[f"stress_{plane}"], normal=1e-3 * normal,
                         mobilised=np.where(normal > least, r[f"stress_{plane}"] / normal, np.nan))
    return found


def curves_of(results, options):
    """For each variant (label, mean, deviation) of what is drawn; its kind, and whether its path has the drained
    slope."""
    names = [f"{what}_{c}" for what in ("strain", "stress") for c in SIX]
    names += ["volume_strain", "pressure", "deviator", "void_ratio", "coordination"]
    test, found, kind = test_of(results, options), [], None
    if test and test[1] == "compaction":
        names = compaction.NAMES
    if test and test[1] == "rest":
        names += ["time", "kinetic_energy", "unbalanced_force"]
    for label, elements in zip(results.labels(), results.variants):
        ready = []
        for k in elements:
            r = records_of(results, k, names, test[0] if test else 0)
            kind, axes = kind_of(results, test, r) if kind is None else (kind, axes)
            ready.append(quantities_of(results, k, r, kind, axes, options))
        control = {"shear": "gamma", "compression": "done", "compaction": "density", "rest": "time"}.get(kind, "axial")
        found.append((label, *ensemble(ready, control)))
    return found, kind, kind == "triaxial" and test[1] in ("", "drained_triaxial")


def read_reference(path, options):
    """Rows of a drained test elsewhere: mean over its packings. Columns axial_strain, volume_strain and stress_11_Pa to
    stress_33_Pa, or in other units; `packing` where there are several. Its lateral stress is p0: rows may begin within the
    test. Where that is negative, so is compression in the file, and all of it is turned."""
    table = Table(path)
    strains = {name: table.si(name, STRAIN) for name in ("axial_strain", "volume_strain")}
    stress = np.array([table.si(f"stress_{i}{i}", STRESS) for i in (1, 2, 3)])
    packing_of = table.si("packing") if "packing" in table.names else np.zeros(len(table.rows))
    axis = options.axis or 3
    ready = []
    for packing in np.unique(packing_of):
        of_packing = packing_of == packing
        sign = -1 if np.mean(np.delete(stress[:, of_packing], axis - 1, axis=0)) < 0 else 1
        rows = {name: sign * values[of_packing] for name, values in strains.items()}
        s = sign * stress[:, of_packing]
        p = s.mean(axis=0)
        q = np.sqrt(0.5 * ((s[0] - s[1])**2 + (s[0] - s[2])**2 + (s[1] - s[2])**2))
        top = q if options.deviator else s[axis - 1]
        confining = np.mean([s[i] for i in range(3) if i != axis - 1])
        ready.append({"axial": 100 * rows["axial_strain"], "ratio": top / confining,
                      "volume": 100 * rows["volume_strain"], "p": 1e-3 * p, "q": 1e-3 * q})
    return ensemble(ready, "axial")[0]


AXES = {"axial": "Axial strain (%)", "volume": "Volume strain (%), compression positive",
        "p": "p (kPa)", "q": "q (kPa)", "v": "Void ratio e",
        "pore": "Pore pressure (kPa)\nat constant lateral total stress",
        "coordination": "Contacts of a particle, mean", "gamma": "Shear strain $\\gamma$ (%)",
        "time": "Time (s)", "kinetic": "Kinetic energy (J)", "unbalanced": "Unbalanced force, of a contact's",
        "tau": "Shear stress $\\tau$ (kPa)", "normal": "Normal stress of the plane (kPa)"}
STRESSES = ("p", "q", "pore", "tau", "normal")  # kPa
# The four pictures of a kind: what is drawn over what
PICTURES = {
    "triaxial": [("axial", "ratio"), ("axial", "volume"), ("p", "q"), ("p", "v")],
    "undrained": [("axial", "ratio"), ("axial", "pore"), ("p", "q"), ("axial", "mobilised")],
    "shear": [("gamma", "tau"), ("gamma", "volume"), ("normal", "tau"), ("gamma", "mobilised")],
    "rest": [("time", "kinetic"), ("time", "unbalanced"), ("time", "coordination"), ("time", "p")],
    "compression": [("volume", "p"), ("volume", "coordination"), ("p", "q"), ("p", "v")],
}


def pictures_of(kind, curves):
    """Shear at constant volume shows what its normal stress does, not its volume."""
    pictures = PICTURES[kind]
    if kind == "shear" and all(np.abs(mean["volume"]).max() < 1e-3 * np.abs(mean["gamma"]).max()
                               for _, mean, _ in curves):
        pictures = [("gamma", "normal") if pair == ("gamma", "volume") else pair for pair in pictures]
    return pictures


def label_of(name, kind, options):
    if name == "ratio":
        return "q / p$_0$" if options.deviator else \
            f"$\\sigma_{options.axis}$ / p$_0$" if options.axis else "Axial stress / p$_0$"
    return {"shear": "$\\tau$ / normal stress"}.get(kind, "q / p") if name == "mobilised" else AXES[name]


def in_one_unit(curves):
    """Stresses in kPa, as laboratories have them, from 10 MPa on in MPa, below 0.1 kPa in Pa; its name."""
    largest = max(np.nanmax(np.abs(mean[name]), initial=0) for _, mean, _ in curves for name in ("p", "q"))
    factor, unit = (1, "kPa") if 0.1 <= largest < 1e4 or largest == 0 else (1e3, "Pa") if largest < 1 else (1e-3, "MPa")
    return [(label, *({name: factor * values if name in STRESSES else values for name, values in part.items()}
                      for part in parts)) for label, *parts in curves], unit


def draw_references(panels, kind, options, unit):
    for name in options.reference:
        mean = read_reference(name, options)
        mean = {one: values * ({"MPa": 1e-3, "Pa": 1e3}.get(unit, 1) if one in STRESSES else 1) for one, values in mean.items()}
        for axes, pair in zip(panels, PICTURES[kind]):
            if pair[1] in mean:
                axes.plot(mean[pair[0]], mean[pair[1]], "k--", linewidth=1, label=name.rpartition("/")[2])


def draw_slope(path, curves):
    """Of drained tests, from where each begins."""
    most = max(mean["p"].max() for _, mean, _ in curves)
    for i, start in enumerate(np.unique([round(mean["p"][0], 1) for _, mean, _ in curves])):
        path.plot([start, most], [0, 3 * (most - start)], ":", color="0.4", label=None if i else "slope 3")


def curves_of_all(files, options):
    """Curves of all files, which have to be of one kind; whether all have the drained slope."""
    curves, kinds, drained = [], {}, []
    for one, name in files:
        own, kind, slope = curves_of(one, options)
        curves += [(", ".join(filter(None, (name if len(files) > 1 else "", label))), mean, deviation)
                   for label, mean, deviation in own]
        kinds.setdefault(kind, one.path)
        drained.append(slope)
    if len(kinds) > 1:
        (kind, path), (other, path_of_other) = list(kinds.items())[:2]
        raise InputError(f"{path}: {kind}, {path_of_other}: {other}: need tests of one kind in a picture; --test N "
                         "begins with another test")
    return curves, next(iter(kinds)), all(drained)


def plot_curves(files, options):
    curves, kind, drained = curves_of_all(files, options)
    if options.reference and kind != "triaxial":
        raise InputError(f"--reference {options.reference[0]}: goes with drained triaxial tests")
    if kind == "compaction":
        return compaction.plot(curves, files[0][0].title() if len(files) == 1 else "")
    curves, unit = in_one_unit(curves)
    figure = Figure(figsize=(9, 6.8), layout="constrained")
    panels = figure.subplots(2, 2).ravel()
    for axes, (x, y) in zip(panels, pictures_of(kind, curves)):
        for i, (label, mean, deviation) in enumerate(curves):
            if y == "v":  # over a logarithm: not where grains hardly touch
                held = mean["p"] > 1e-3 * mean["p"].max()
                mean = {name: np.where(held, values, np.nan) for name, values in mean.items()}
            if x in ("axial", "gamma", "time"):
                draw_band(axes, x, y, mean, deviation, COLOURS[i % len(COLOURS)], label)
            else:
                axes.plot(mean[x], mean[y], color=COLOURS[i % len(COLOURS)], linewidth=1.2, label=label)
        axes.set(xlabel=label_of(x, kind, options).replace("kPa", unit), ylabel=label_of(y, kind, options).replace("kPa", unit))
        axes.grid(alpha=0.25)
        if y == "v":
            axes.set_xscale("log")
            label_log_axis(axes.xaxis)
        if y in ("kinetic", "unbalanced"):
            axes.set_yscale("log")
        if x == "normal":  # noise of a constant stress is small
            axes.set_xlim(left=0)
    if drained:
        draw_slope(panels[2], curves)
    draw_references(panels, kind, options, unit)
    for axes in (panels[0], panels[2]):
        if axes.get_legend_handles_labels()[1] and (len(curves) > 1 or options.reference or axes is panels[2]):
            axes.legend(frameon=False, fontsize=7)
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


def plot_roses(files, options):
    variants = [(one, ", ".join(filter(None, (name if len(files) > 1 else "", label))), elements[0])
                for one, name in files for label, elements in zip(one.labels(), one.variants)]
    chosen = np.unique(np.linspace(0, len(variants) - 1, min(MOST_ROSES, len(variants))).astype(int))
    figure = Figure(figsize=(8.4, 2.7 * len(chosen)), layout="constrained")
    for row, v in enumerate(chosen):
        results, label, k = variants[v]
        for column, plane in enumerate((0, 1)):
            axes = figure.add_subplot(len(chosen), 3, 3 * row + column + 1, projection="polar")
            draw_rose(axes, results, k, plane, options.forces)
            if column == 0:
                axes.set_ylabel(label or f"element {k}", labelpad=24)
        draw_contacts(figure.add_subplot(len(chosen), 3, 3 * row + 3), results, k)
    if len(files) == 1:
        figure.suptitle(files[0][0].title())
    return figure


# ---- Sizes ----


def by_size(results):
    """[(particles, elements that did not fail)], ascending."""
    particles = results.parameter("n_particles")
    sizes = np.unique(particles[results.good])
    if len(sizes) < 2:
        raise InputError(f"{results.path}: all elements have {sizes[0]:.0f} particles: need several sizes")
    return [(size, np.flatnonzero(results.good & (particles == size))) for size in sizes]


def draw_sizes(axes, sizes, values, dash):
    """Every element a dot, and the means of a size a line. values [n][tests]"""
    for column, (label, colour) in enumerate(zip(TESTS, COLOURS)):
        for size, elements in sizes:
            axes.plot(np.full(len(elements), size), values[elements, column], ".", color=colour, alpha=0.4,
                      markersize=4)
        axes.plot([size for size, _ in sizes], [values[elements, column].mean() for _, elements in sizes], f"o{dash}",
                  color=colour, markersize=4, linewidth=1, label=label if dash == "-" else None)
    axes.set(xlabel="Particles")
    axes.grid(alpha=0.25)


def scatter_of_size(sizes, values):
    return [values[elements].std(ddof=1) / values[elements].mean() if len(elements) > 1 else np.nan
            for _, elements in sizes]


def draw_scatter(axes, results, sizes, dash):
    """Deviations among elements of one size."""
    for name, colour in (("void_ratio", COLOURS[0]), ("coordination", COLOURS[1]), ("elastic_energy", COLOURS[2])):
        values = results.history(name)
        last = np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else np.nan for row in values])
        if name == "elastic_energy":
            last = last / results.parameter("n_particles")
        axes.plot([size for size, _ in sizes], 100 * np.array(scatter_of_size(sizes, last)), f"o{dash}", color=colour,
                  markersize=4, linewidth=1, label=name.replace("_", " ") if dash == "-" else None)
    axes.set(xlabel="Particles", ylabel="Deviation among elements (%)", xscale="log", yscale="log")


def plot_sizes(files, _options):
    figure = Figure(figsize=(9, 6.8), layout="constrained")
    (inverse, reduced), (cramer, scatter) = figure.subplots(2, 2)
    for i, (results, name) in enumerate(files):
        sizes, dash = by_size(results), DASHES[i % len(DASHES)]
        test = {quantity: results.array(f"fabric/{quantity}", results.n, 4)
                for quantity in ("chi_squared", "reduced", "cramer", "counts")}
        draw_sizes(inverse, sizes, 1 / test["chi_squared"], dash)
        draw_sizes(reduced, sizes, test["reduced"], dash)
        draw_sizes(cramer, sizes, test["cramer"], dash)
        counts = np.array([test["counts"][elements, 3].mean() for _, elements in sizes])
        cramer.plot([size for size, _ in sizes], counts**-0.5, ":", color="0.4")
        draw_scatter(scatter, results, sizes, dash)
        if len(files) > 1:
            inverse.plot([], [], dash, color="0.2", label=name)
    inverse.axhline(1 / 33, color="0.4", linestyle=":", label="mean by chance")  # of 1/chi^2: 1 / (freedoms - 2)
    reduced.axhline(1, color="0.4", linestyle=":")
    inverse.set(ylabel="1 / $\\chi^2$", ylim=(0, None))
    reduced.set(ylabel="$\\chi^2$ / (k - 1)", ylim=(0, None))
    cramer.set(ylabel="Cramer's V", ylim=(0, None))
    n = np.array([size for size, _ in by_size(files[0][0])])
    scatter.plot(n, scatter.get_ylim()[1] * (n / n[0])**-0.5 * 0.8, ":", color="0.4", label="P$^{-1/2}$")
    for axis in (scatter.xaxis, scatter.yaxis):
        label_log_axis(axis)
    scatter.grid(alpha=0.25)
    inverse.legend(frameon=False, fontsize=7)
    scatter.legend(frameon=False, fontsize=7)
    if len(files) == 1:
        figure.suptitle(files[0][0].title())
    return figure


PICTURES_OF = {"curves": plot_curves, "roses": plot_roses, "sizes": plot_sizes, "yield": plot_yield, "walls": plot_walls}


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--show", choices=PICTURES_OF, default="curves")
    parser.add_argument("--test", type=int, metavar="N", help="that curves begin with, from 1 (the first that is not "
                        "a consolidation)")
    parser.add_argument("--axis", type=int, choices=(1, 2, 3), help="that is loaded (the test's, or 3)")
    parser.add_argument("--deviator", action="store_true", help="q / p0 in place of the axial stress")
    parser.add_argument("--reference", action="append", default=[], metavar="CURVE.csv",
                        help="of scripts/dev/dem_yade.py or an experiment; may be repeated")
    parser.add_argument("--forces", action="store_true", help="roses with mean normal forces")
    return parser


def figure(options):
    with open_results(options.results, DemResults) as results:
        return PICTURES_OF[options.show](results, options)


main = main_of(arguments, figure)
