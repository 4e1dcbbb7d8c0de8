"""Textures in results files of `slipwave taylor`, a row a file and step, and in those of `slipwave fem`
(FILE-0003.textures.h5), a row a file and element set.

Kinds: pole (pole figures, equal-area, axis 3 in the middle), inverse (inverse pole figures in the standard
triangle of the crystals' group), odf (sections at constant phi2), components (volume fractions against a random texture's: after tension and
compression counted from the orientations in the file). Densities are in multiples of a random
distribution (MRD), with a line at 1; under each picture its least and largest. Poles, sections and symmetries that the
file does not hold are computed from its orientations.
"""

import re

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, Error, InputError, Results, argument_parser, labelled, main_of, open_results
from .. import maps, texture
from .texture_components import GROUPS, LABELS, STORED, TOLERANCE, counted, fibre_axis, lattice

# What sample axes 1, 2, 3 are called
AXES = {
    "plane strain": ("RD", "TD", "ND"),
    "shear": ("shear direction", "shear plane normal", "transverse direction"),
    "other": ("axis 1", "axis 2", "axis 3"),
}

POLES = {"fcc": ["111", "100", "110"], "bcc": ["110", "200", "211"],  # those that files hold
         "tetragonal": ["001", "100", "110"], "hexagonal": ["0002", "10-10", "10-11"],
         "orthorhombic": ["001", "100", "010"]}
# phi2, degrees; 90 is 0 again in a cubic or tetragonal crystal, 60 in a hexagonal, 180 in an orthorhombic one
SECTIONS = {"432": [0, 45, 65], "422": [0, 45, 65], "622": [0, 30], "222": [0, 45, 90, 135]}
LAST_SECTION = {"432": 90, "422": 90, "622": 90, "222": 180}
STORED_BY = 5  # degrees between those that files hold


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
            raise InputError(f"--step {name}: {one.path} has textures of the elements {', '.join(sets)}")
        yield one, name if files == 1 else f"{label}, {name}", sets[name]


def find_step(results, wanted):
    """The group /texture/<step>; `wanted` is a number or "last"."""
    if "phases" in results.file:
        raise InputError(f"{results.path}: several phases: need --phase, one of {', '.join(results.file['phases'])}")
    textures = results.group("texture")
    steps = sorted((name for name in textures if name.isdigit()), key=int)
    if not steps:
        raise InputError(f"{results.path}: /texture holds no step")
    name = steps[-1] if wanted == "last" else wanted
    if name not in steps:
        raise InputError(f"--step {wanted}: {results.path} has textures of the steps {', '.join(steps)}")
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
            rows.append((one, name if len(results) == 1 else label if len(wanted) == 1 else f"{label}, {name}", found))
    return rows


def structure_of(results, step):
    """The crystals', of a step or, of `slipwave fem`, a set."""
    return results.text("crystal_structure", step) if "crystal_structure" in step.attrs else results.structure()


def group_of(results, step):
    """The name of the crystals' group."""
    return GROUPS[lattice(structure_of(results, step))]


def axes_of(results, step):
    """{c_over_a, b_over_a}, None where there is none, of the crystals' axes."""
    if "crystal_structure" not in step.attrs:
        return {"c_over_a": results.c_over_a(), "b_over_a": results.b_over_a()}
    return {name: results.number(name, step) if name in step.attrs else None for name in ("c_over_a", "b_over_a")}


def number_of(step):
    return step.name.rpartition("/")[2]


# ---- Densities: stored, or computed from the orientations ----


def computed(results, step, what, function):
    """function(euler, weight) of a step's orientations; `what` is for the complaint without them."""
    number = number_of(step)
    if "orientations" in step:  # of `slipwave fem`
        euler = results.array("orientations", None, 3, where=step)
        return function(euler, results.array("weight", len(euler), where=step) if "weight" in step else None)
    if f"orientations/{number}/euler" not in results.file:
        raise InputError(f"{what}: is not in {results.path}, and to compute it needs /orientations/{number}: the "
                         "step in output.orientations of the job")
    return function(*results.orientations(number))


def axes_for(pole, results, step):
    """axes_of a step; none of an orthorhombic crystal's planes that are normal to an axis."""
    axes, group = axes_of(results, step), group_of(results, step)
    if group != "222" or None not in axes.values():
        return axes
    if np.count_nonzero(texture.miller(pole)) > 1:
        lacks = " and ".join(name for name, ratio in axes.items() if ratio is None)
        raise InputError(f"--poles {pole}: {results.path} lacks {lacks}, without which a plane has no normal: of these "
                         "crystals need 001, 100 or 010, or run it again")
    return {}


def pole_values(results, step, options):
    def one(pole):
        if f"pole_figure/{pole}" in step:
            return results.array(f"pole_figure/{pole}", None, None, where=step)
        axes = axes_for(pole, results, step)
        return computed(results, step, f"--poles {pole}", lambda euler, weight: texture.pole_figure(
            euler, pole, weight, group=group_of(results, step), **axes))
    symmetric = maps.orthotropic if options.symmetry == "orthorhombic" else lambda values: values
    return [symmetric(one(pole)) for pole in options.poles]


def inverse_values(results, step, _):
    return [results.array(f"inverse_pole_figure/axis_{axis}", None, None, where=step) for axis in (1, 2, 3)]


def odf_values(results, step, options):
    orthotropic = options.symmetry == "orthorhombic"
    odf = results.array("odf", None, 19, 37, where=step)
    period, group = (len(odf) - 1) * STORED_BY, group_of(results, step)
    stored = "sample_symmetry" in step["odf"].attrs and results.text("sample_symmetry", step["odf"])

    def one(phi2):
        if phi2 % STORED_BY == 0 and (not orthotropic or stored == "orthorhombic"):
            return odf[int(phi2 % period) // STORED_BY][:, :19 if orthotropic else None]
        symmetry = "orthorhombic" if orthotropic else stored if stored == "monoclinic" else "triclinic"
        return computed(results, step, f"--sections {phi2:g}{' --symmetry orthorhombic' if orthotropic else ''}", lambda euler, weight: (
            texture.odf_section(euler, np.radians(phi2), weight, symmetry=symmetry, group=group)[:, :37]))
    return [one(phi2) for phi2 in options.sections]


# ---- Pictures ----


def pole_cell(axes, values, names, style, options):
    return maps.pole_figure(values, axes, names=names[:2], rd=options.rd, **style)


def triangle_cell(axes, values, _, style, options):
    return maps.inverse_pole_figure(values, axes, group=options.group, **style)


def odf_cell(axes, values, _, style, options):
    return maps.odf_section(values, axes, **style)


def inside(options, row):
    """What of the densities is seen."""
    return [maps.triangle(values, options.group) for values in row]


# kind: values of a step, what of them is seen, one cell, width and height of a cell (inches), titles of the columns
MAPS = {
    "pole": (pole_values, lambda _, row: row, pole_cell, (2.2, 2.3),
             lambda names, options: [f"{{{pole}}}" for pole in options.poles]),
    "inverse": (inverse_values, inside, triangle_cell, (2.2, 2.1),
                lambda names, _: [name[0].upper() + name[1:] for name in names]),
    "odf": (odf_values, lambda _, row: row, odf_cell, (2.1, 1.55),
            lambda names, options: [rf"$\varphi_2$ = {phi2:g}°" for phi2 in options.sections]),
}


def plot_maps(rows, options):
    """rows: [(Results, label, step)]"""
    values_of, seen_of, cell, (width, height), titles_of = MAPS[options.kind]
    path = rows[0][0].path
    labels = labelled(options.labels, [label for _, label, _ in rows])
    rows = [(label, tuple(options.axes or AXES.get(one.loading(), AXES["other"])), values_of(one, step, options))
            for label, (one, _, step) in zip(labels, rows)]
    everything = np.concatenate([np.ravel(values) for _, _, row in rows for values in seen_of(options, row)])
    if not np.isfinite(everything).any():
        raise InputError(f"{path}: the texture holds no finite density")
    style = {"scale": maps.scale_of(everything, options.range), "levels": options.levels, "colourbar": False,
             "extrema": not options.no_extrema}
    columns = len(rows[0][2])
    titles = 1.0 if options.kind == "pole" else 0.5
    figure = Figure(figsize=(width * columns + 1.2, height * len(rows) + titles), layout="constrained")
    grid = figure.subplots(len(rows), columns, squeeze=False)
    for i, (label, names, row) in enumerate(rows):
        for j, values in enumerate(row):
            cell(grid[i, j], values, names, style, options)
            if i == 0 or (options.kind == "inverse" and names != rows[0][1]):
                grid[i, j].set_title(titles_of(names, options)[j], pad=maps.PAD[options.kind])
        aside = 38 if options.kind == "odf" else 24 if options.kind == "pole" and options.rd == "up" else 6
        grid[i, 0].annotate(label, (0, 0.5), (-aside, 0), xycoords="axes fraction", textcoords="offset points",
                            rotation=90, ha="right", va="center")
    if options.kind == "pole" and len({names for _, names, _ in rows}) == 1:
        figure.supxlabel(f"Equal-area projection; {rows[0][1][2]} in the middle", fontsize="medium")
    bar = figure.colorbar(grid[0, 0].images[0], ax=grid, shrink=0.9 if len(rows) == 1 else 0.6, pad=0.04)
    maps.label_bar(bar, options.levels)
    return figure


def stored_fractions(results, step):
    """Labels, fractions, and a random texture's, of the components that the file holds: those its loading is read by."""
    random = results.array("component_fraction_random", None, where=step)
    found = results.array("component_fraction", len(random), where=step)
    names = results.text("names", step["component_fraction"]).split(",")
    tolerance = results.number("tolerance_degrees", step["component_fraction"])
    if len(names) != len(found) or tolerance != TOLERANCE:
        raise InputError(f"{results.path}: {step.name}/component_fraction has {len(found)} values for "
                         f"{len(names)} names, within {tolerance:g} degrees")
    structure = structure_of(results, step)
    family = STORED[lattice(structure)].get(results.loading(), names)
    if not set(family) <= set(names):
        raise InputError(f"{results.path}: {step.name}/component_fraction is of {', '.join(names)}: of {structure} metals "
                         f"need {', '.join(family)}, which `slipwave` writes since 0.1.0: run it again")
    shown = [names.index(name) for name in family]
    return [LABELS[lattice(structure)].get(name, name) for name in family], found[shown], random[shown]


def read_fractions(results, step):
    """... of the components of the file's crystal structure and loading."""
    axis = fibre_axis(results.loading())
    if axis is None:
        return stored_fractions(results, step)
    place = f"orientations/{number_of(step)}/euler"
    if place not in results.file:
        raise InputError(f"{results.path}: components in {results.loading()} are counted from /{place}, "
                         "which is not in the file: need the step in output.orientations of the job")
    euler, weight = results.orientations(number_of(step))
    return counted(euler, axis, weight, lattice(structure_of(results, step)))


def plot_components(rows, labels=None):
    """rows: [(Results, label, step)]"""
    rows = [(one, label, step) for (one, _, step), label in zip(rows, labelled(labels, [row[1] for row in rows]))]
    tables = [read_fractions(one, step) for one, _, step in rows]
    names, _, random = tables[0]
    for (one, _, _), table in zip(rows, tables):
        if table[0] != names:
            raise InputError(f"{one.path}: other components than in {rows[0][0].path}")
    place, width = np.arange(len(names)), 0.8 / len(tables)
    longest = max(len(line) for name in names for line in re.sub(r"\$[^$]*\$|\\\w+|[{}]", "xx", name).splitlines() or [""])
    figure = Figure(figsize=(max(7.2, (0.1 + 0.078 * longest) * len(names)), 3.4), layout="constrained")  # inches: labels stay apart
    axes = figure.add_subplot(ylabel=f"Volume fraction within {TOLERANCE}° (%)")
    for i, ((_, label, _), (_, found, _)) in enumerate(zip(rows, tables)):
        axes.bar(place + (i + 0.5) * width - 0.4, 100 * found, width, label=label,
                 color=COLOURS[i % len(COLOURS)], edgecolor="white", linewidth=0.5)
    axes.hlines(100 * random, place - 0.46, place + 0.46, color="black", linewidth=1.6,
                label="random texture")
    axes.set_xticks(place, names)
    axes.grid(axis="y", alpha=0.25)
    axes.set_axisbelow(True)
    axes.legend(frameon=False)
    return figure


def check(options):
    """InputError for what nothing can be drawn of."""
    if options.range and not -np.inf < options.range[0] < options.range[1] < np.inf:
        raise InputError(f"--range {options.range[0]:g} {options.range[1]:g}: need finite numbers, the first one less")
    for level in options.levels:
        if not 0 <= level < np.inf:
            raise InputError(f"--levels {level:g}: need finite densities, 0 or more")
    options.levels = sorted(set(options.levels))


def check_crystals(rows, options):
    """... of the crystals of all results, whose group is options.group: its poles and sections where none are named."""
    groups = {group_of(one, step) for one, _, step in rows}
    if len(groups) > 1:
        raise InputError(f"{rows[0][0].path}: crystals of the groups {', '.join(sorted(groups))}: need one in a picture, "
                         "and of `slipwave fem` --step names sets")
    options.group = groups.pop()
    hexagonal = options.group == "622"
    options.poles = options.poles or POLES[lattice(structure_of(rows[0][0], rows[0][2]))]
    options.sections = options.sections or SECTIONS[options.group]
    for phi2 in options.sections:
        if not 0 <= phi2 <= LAST_SECTION[options.group]:
            raise InputError(f"--sections {phi2:g}: need 0 to {LAST_SECTION[options.group]} degrees")
    for pole in options.poles:
        try:
            texture.miller(pole, 4 if hexagonal else 3)
        except Error:
            need = "four whole numbers, h + k + i = 0, as 10-11" if hexagonal else "three whole numbers, as 211"
            raise InputError(f"--poles {pole}: need {need} or '1 -1 0{' 0' if hexagonal else ''}'") from None


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--step", nargs="+", default=["last"],
                        help='steps that have a texture, "last" (default); of `slipwave fem` names of sets (all)')
    parser.add_argument("--phase", metavar="NAME", help="of results with `phases`, which one")
    parser.add_argument("--kind", choices=[*MAPS, "components"], default="pole")
    parser.add_argument("--poles", nargs="+", metavar="HKL",
                        help="any, as 211, of hexagonal crystals 11-20 (those that the file holds: 111 100 110, of BCC metals "
                             "110 200 211, of tetragonal ones 001 100 110, of hexagonal ones 0002 10-10 10-11, of "
                             "orthorhombic ones 001 100 010)")
    parser.add_argument("--sections", nargs="+", type=float, metavar="PHI2",
                        help="of the ODF, degrees (0 45 65; of hexagonal crystals 0 30, of orthorhombic ones 0 45 90 135)")
    parser.add_argument("--symmetry", choices=["triclinic", "orthorhombic"], default="triclinic",
                        type=lambda word: "orthorhombic" if word == "orthotropic" else word, help="of the sample, which pole figures and ODF are averaged over")
    parser.add_argument("--rd", choices=["right", "up"], default="right", help="where axis 1 of pole figures points")
    parser.add_argument("--levels", nargs="*", type=float, default=[1], metavar="MRD", help="lines of equal density (1)")
    parser.add_argument("--range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of the colours, MRD")
    parser.add_argument("--no-extrema", action="store_true", help="do not print the least and largest density")
    parser.add_argument("--labels", nargs="+", metavar="TEXT", help="of the rows or, of components, bars")
    parser.add_argument("--axes", nargs=3, metavar=("1", "2", "3"), help="names of the sample's axes (by the loading)")
    return parser


def figure(options):
    check(options)
    with open_results(options.results, Textures) as results:
        if options.phase is not None:
            results = [(one.phase(options.phase), label) for one, label in results]
        rows = every_step(results, options.step)
        check_crystals(rows, options)
        if options.kind == "components":
            figure = plot_components(rows, options.labels)
        else:
            figure = plot_maps(rows, options)
        return figure


main = main_of(arguments, figure)
