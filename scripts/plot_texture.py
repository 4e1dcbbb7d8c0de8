#!/usr/bin/env python3
"""Textures in results files of `slipwave taylor`, a row a file and step, and in those of `slipwave fem`
(FILE-0003.textures.h5), a row a file and element set.

Kinds: pole (pole figures, equal-area, axis 3 in the middle), inverse (inverse pole figures in the standard
triangle), odf (sections at constant phi2), components (volume fractions against a random texture's: for BCC metals,
and after tension and compression, counted from the orientations in the file). Densities are in multiples of a random
distribution (MRD), with a line at 1.
"""

import re

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from slipwave_results import COLOURS, InputError, Results, argument_parser, open_results, run, save
from texture_components import TOLERANCE, counted, table_of

COLOUR_MAP = "viridis"  # even in lightness, and told apart by colour-blind readers

# What sample axes 1, 2, 3 are called
AXES = {
    "plane strain": ("RD", "TD", "ND"),
    "shear": ("shear direction", "shear plane normal", "transverse direction"),
    "other": ("axis 1", "axis 2", "axis 3"),
}

POLES = ["111", "100", "110"]
SECTIONS = [0, 45, 65]  # phi2, degrees; 90 is 0 again in a cubic crystal

# Components that a loading is read by; "other" shows all
FAMILIES = {
    "plane strain": ["Cube", "Goss", "Brass", "Copper", "S", "Taylor"],
    "shear": ["A1*", "A2*", "A", "A-bar", "B", "B-bar", "C"],
}


class Textures(Results):
    """Results of `slipwave taylor`, or of `slipwave fem` textures of element sets after an increment."""

    program = "slipwave taylor` or `slipwave fem"
    formats = {**Results.formats, "slipwave-fem-textures": 1}

    def increment(self):
        """Of `slipwave fem`; None of other files."""
        return int(self.number("increment", self.file)) if "increment" in self.file.attrs else None

    def sets(self):
        """{name: /texture/<number>} of `slipwave fem`."""
        groups = [self.group(f"texture/{name}") for name in sorted(self.group("texture"), key=int)]
        return {self.text("elements", group): group for group in groups}

    def label(self):
        return super().label() if self.increment() is None else f"increment {self.increment()}"

    def structure(self):
        """Of `slipwave fem`: that of the first set."""
        if self.increment() is None:
            return super().structure()
        return self.text("crystal_structure", next(iter(self.sets().values())))


def every_set(one, label, wanted, files):
    """... of every_step: those of these names, or all."""
    sets = one.sets()
    for name in wanted if wanted != ["last"] else sets:
        if name not in sets:
            raise InputError(f"{one.path}: no texture of the elements {name}: there are {', '.join(sets)}")
        yield one, name if files == 1 else f"{label}, {name}", sets[name]


def find_step(results, wanted):
    """The group /texture/<step>; `wanted` is a number or "last"."""
    textures = results.group("texture")
    steps = sorted((name for name in textures if name.isdigit()), key=int)
    if not steps:
        raise InputError(f"{results.path}: /texture holds no step")
    name = steps[-1] if wanted == "last" else wanted
    if name not in steps:
        raise InputError(f"{results.path}: no texture of step {wanted}: there are {', '.join(steps)}")
    return results.group(f"texture/{name}")


def every_step(results, wanted):
    """[(Results, label, /texture/<step>)] of a row each."""
    rows = []
    for one, label in results:
        if isinstance(one, Textures) and one.increment() is not None:
            rows += every_set(one, label, wanted, len(results))
            continue
        for step in wanted:
            found = find_step(one, step)
            name = f"step {number_of(found)}"
            rows.append((one, label if len(wanted) == 1 else name if len(results) == 1 else f"{label}, {name}", found))
    return rows


def number_of(step):
    return step.name.rpartition("/")[2]


def image(axes, values, span, scale, clip=None):
    """Densities as colours on `scale` (low, high), with a line where they are 1. The outermost values are
    at `span` (left, right, bottom, top)."""
    x, y = (np.linspace(*ends, count) for ends, count in zip((span[:2], span[2:]), values.shape[::-1]))
    dx, dy = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    drawn = axes.imshow(values, origin="lower", extent=(x[0] - dx, x[-1] + dx, y[0] - dy, y[-1] + dy),
                        aspect="auto", interpolation="bilinear", cmap=COLOUR_MAP, clim=scale)
    parts = [drawn]
    if np.nanmin(values) < 1 < np.nanmax(values):
        line = axes.contour(x, y, values, levels=[1], colors="white", linewidths=0.7)
        parts += [line] if hasattr(line, "set_clip_path") else line.collections  # before matplotlib 3.8
    for part in parts if clip is not None else []:
        part.set_clip_path(clip)
    return drawn


DISK = (-1, 1, -1, 1)


def extend_rim(values):
    """Values outside the disk, which are NaN. What is drawn there are directions of the lower hemisphere, whose
    opposites, of equal density, are in the disk: radius r goes to sqrt(2 - r^2), azimuths turn by a half. So colours
    and lines cross the circle as they are."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, count) for count in values.shape), indexing="ij")
    outside = np.isnan(values)
    r = np.hypot(x, y)[outside]
    row, column = (-at[outside] / r * np.sqrt(np.maximum(2 - r**2, 0)) for at in (y, x))
    row, column = ((1 + at) * (count - 1) / 2 for at, count in zip((row, column), values.shape))
    i, j = (np.minimum(at.astype(int), count - 2) for at, count in zip((row, column), values.shape))
    filled = np.where(outside, np.nanmean(values), values)
    for _ in range(300):  # next to the circle neighbours are outside themselves
        below, above = ((1 - (column - j)) * filled[k, j] + (column - j) * filled[k, j + 1] for k in (i, i + 1))
        filled[outside] = (1 - (row - i)) * below + (row - i) * above
    return filled


def pole_cell(axes, values, names, scale):
    disk = Circle((0, 0), 1, facecolor="none", edgecolor="black", linewidth=0.8)
    axes.add_patch(disk)
    drawn = image(axes, extend_rim(values), DISK, scale, disk)
    upright = len(names[0]) <= 3
    axes.text(1.04, 0, names[0], ha="left", va="center", rotation=0 if upright else 270)
    axes.text(0, 1.04, names[1], ha="center", va="bottom")
    axes.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal")
    axes.set_axis_off()
    return drawn


def equal_area(direction):
    x, y, z = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    return np.array([x, y]) / np.sqrt(1 + z)


def triangle_cell(axes, values, names, scale):
    side = [equal_area((1, t, 1)) for t in np.linspace(0, 1, 30)]
    corners = Polygon([equal_area((0, 0, 1)), *side], facecolor="none", edgecolor="black", linewidth=0.8)
    axes.add_patch(corners)
    drawn = image(axes, values, DISK, scale, corners)
    for hkl, shift in {(0, 0, 1): -0.02, (1, 0, 1): -0.02, (1, 1, 1): 0.07}.items():
        x, y = equal_area(hkl)
        axes.text(x, y + shift, "".join(map(str, hkl)), ha="center", va="top")
    axes.set(xlim=(-0.06, 0.62), ylim=(-0.09, 0.54), aspect="equal")
    axes.set_axis_off()
    return drawn


def odf_cell(axes, values, names, scale):
    drawn = image(axes, values, (0, 180, 0, 90), scale)
    axes.set(xlim=(0, 180), ylim=(90, 0), xticks=[0, 90, 180], yticks=[0, 45, 90])
    axes.set_xlabel(r"$\varphi_1$ (°)", labelpad=1)
    axes.set_ylabel(r"$\Phi$ (°)", labelpad=1)
    return drawn


def pole_values(results, step):
    return [results.array(f"pole_figure/{pole}", None, None, where=step) for pole in POLES]


def inverse_values(results, step):
    return [results.array(f"inverse_pole_figure/axis_{axis}", None, None, where=step) for axis in (1, 2, 3)]


def odf_values(results, step):
    odf = results.array("odf", 19, 19, 37, where=step)
    return [odf[phi2 // 5] for phi2 in SECTIONS]


# kind: values of a step, one cell, width and height of a cell (inches), titles of the columns
MAPS = {
    "pole": (pole_values, pole_cell, (2.2, 2.2),
             lambda names: [f"{{{pole}}}" for pole in POLES]),
    "inverse": (inverse_values, triangle_cell, (2.2, 2.1),
                lambda names: [name[0].upper() + name[1:] for name in names]),
    "odf": (odf_values, odf_cell, (2.1, 1.45),
            lambda names: [rf"$\varphi_2$ = {phi2}°" for phi2 in SECTIONS]),
}


def plot_maps(rows, kind):
    """rows: [(Results, label, step)]"""
    values_of, cell, (width, height), titles_of = MAPS[kind]
    path = rows[0][0].path
    rows = [(label, AXES.get(one.loading(), AXES["other"]), values_of(one, step))
            for one, label, step in rows]
    everything = np.concatenate([np.ravel(values) for _, _, row in rows for values in row])
    if not np.isfinite(everything).any():
        raise InputError(f"{path}: the texture holds no finite density")
    scale = (0, max(1.5, np.nanmax(everything)))
    columns = len(rows[0][2])
    titles = 1.0 if kind == "pole" else 0.5
    figure = Figure(figsize=(width * columns + 1.2, height * len(rows) + titles), layout="constrained")
    grid = figure.subplots(len(rows), columns, squeeze=False)
    for i, (label, names, row) in enumerate(rows):
        for j, values in enumerate(row):
            drawn = cell(grid[i, j], values, names, scale)
            if i == 0 or (kind == "inverse" and names != rows[0][1]):
                grid[i, j].set_title(titles_of(names)[j], pad=16 if kind == "pole" else 6)
        grid[i, 0].annotate(label, (0, 0.5), (-38 if kind == "odf" else -6, 0), xycoords="axes fraction",
                            textcoords="offset points", rotation=90, ha="right", va="center")
    if kind == "pole" and len({names for _, names, _ in rows}) == 1:
        figure.supxlabel(f"Equal-area projection; {rows[0][1][2]} in the middle", fontsize="medium")
    bar = figure.colorbar(drawn, ax=grid, shrink=0.9 if len(rows) == 1 else 0.6, pad=0.04)
    bar.set_label("Density (MRD)")
    bar.ax.axhline(1, color="white", linewidth=0.8)
    return figure


def stored_fractions(results, step):
    """Names, fractions, and a random texture's, of the components of FCC metals that the file holds."""
    random = results.array("component_fraction_random", None, where=step)
    found = results.array("component_fraction", len(random), where=step)
    names = results.text("names", step["component_fraction"]).split(",")
    tolerance = results.number("tolerance_degrees", step["component_fraction"])
    if len(names) != len(found) or tolerance != TOLERANCE:
        raise InputError(f"{results.path}: {step.name}/component_fraction has {len(found)} values for "
                         f"{len(names)} names, within {tolerance:g} degrees")
    family = FAMILIES.get(results.loading(), names)
    shown = [i for i, name in enumerate(names) if name in family]
    return [names[i] for i in shown], found[shown], random[shown]


def read_fractions(results, step):
    """... of the components of the file's crystal structure and loading."""
    structure, loading = results.structure(), results.loading()
    table = table_of(structure, loading)
    if table is None and structure.startswith("bcc"):
        raise InputError(f"{results.path}: no components are known of BCC metals but in plane strain, shear, tension "
                         "and compression: --kind pole shows the texture")
    if table is None:
        return stored_fractions(results, step)
    place = f"orientations/{number_of(step)}/euler"
    if place not in results.file:
        raise InputError(f"{results.path}: components of {structure} metals in {loading} are counted from /{place}, "
                         "which is not in the file: need the step in output.orientations of the job")
    euler = results.array(place, None, 3)
    weighted = "orientations/weight" in results.file
    return counted(euler, table, results.array("orientations/weight", len(euler)) if weighted else None)


def plot_components(rows):
    """rows: [(Results, label, step)]"""
    tables = [read_fractions(one, step) for one, _, step in rows]
    names, _, random = tables[0]
    for (one, _, _), table in zip(rows, tables):
        if table[0] != names:
            raise InputError(f"{one.path}: other components than in {rows[0][0].path}")
    place, width = np.arange(len(names)), 0.8 / len(tables)
    figure = Figure(figsize=(7.2, 3.4), layout="constrained")
    axes = figure.add_subplot(ylabel=f"Volume fraction within {TOLERANCE}° (%)")
    for i, ((_, label, _), (_, found, _)) in enumerate(zip(rows, tables)):
        axes.bar(place + (i + 0.5) * width - 0.4, 100 * found, width, label=label,
                 color=COLOURS[i % len(COLOURS)], edgecolor="white", linewidth=0.5)
    axes.hlines(100 * random, place - 0.46, place + 0.46, color="black", linewidth=1.6,
                label="random texture")
    axes.set_xticks(place, [re.sub(r"(.)-bar", r"$\\overline{\\mathrm{\1}}$", name) for name in names])
    axes.grid(axis="y", alpha=0.25)
    axes.set_axisbelow(True)
    axes.legend(frameon=False)
    return figure


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--step", nargs="+", default=["last"],
                        help='steps that have a texture, "last" (default); of `slipwave fem` names of sets (all)')
    parser.add_argument("--kind", choices=[*MAPS, "components"], default="pole")
    options = parser.parse_args()
    with open_results(options.results, Textures) as results:
        rows = every_step(results, options.step)
        if options.kind == "components":
            figure = plot_components(rows)
        else:
            figure = plot_maps(rows, options.kind)
        save(figure, options.output)


if __name__ == "__main__":
    run(main)
