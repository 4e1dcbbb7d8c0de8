"""What a file holds, and the pictures there are of it."""

import importlib
from collections import namedtuple
from pathlib import Path

import h5py
import matplotlib
import numpy as np

from ..errors import InputError, check_plain
from ..figures import STYLE
from ..results import text
from .common import last_of_series
from .deck import NODES, is_of_deck

# What a file holds, by its attribute `format`: what that is called
FORMATS = {
    "slipwave-taylor": "results of `slipwave taylor`",
    "slipwave-taylor-state": "results so far of a stopped `slipwave taylor`",
    "slipwave-fem": "results of `slipwave fem`",
    "slipwave-fem-textures": "textures of `slipwave fem`",
    "slipwave-kwn": "results of `slipwave kwn`",
    "slipwave-kwn-map": "a map of `slipwave kwn map`",
    "slipwave-forming": "results of `slipwave forming`",
    "slipwave-forming-tasks": "finished tasks of a stopped `slipwave forming`",
    "slipwave-dem": "results of `slipwave dem`",
    "slipwave-sweep": "a sweep of `slipwave sweep`",
    "slipwave-vpsc": "results of `slipwave vpsc`",
    "slipwave-database": "a database of `slipwave-db`",
    "deck": "results of a deck of `slipwave fem`",
    "deck-fields": "fields of a deck of `slipwave fem`",
    "fields": "fields of `slipwave fem`",
    "particles": "a packing of `slipwave dem`",
}
STATES = {"slipwave-dem-state": "dem", "slipwave-deck-state": "fem"}  # of stopped runs, without records
VERTEX = 1  # of VTK's cells


class Picture(namedtuple("Picture", "name caption module arguments stem")):
    """One picture of files: its name, a line that says what is seen, the module here that draws it and its options, and the name of the
    (first) file without its ending."""

    def options(self):
        return self._module().arguments().parse_args([*self.arguments, "-o", "figure.png"])

    def draw(self):
        """matplotlib's Figure. InputError as of the module."""
        with matplotlib.rc_context(STYLE):
            return self._module().figure(self.options())

    def takes_several(self):
        """Whether several files go into it."""
        return any(action.dest == "results" and action.nargs == "+" for action in self._module().arguments()._actions)

    def _module(self):
        return importlib.import_module(f".{self.module}", __package__)


# ---- What is there ----


def has(*names):
    return lambda file, _: [] if all(name in file for name in names) else None


def always(_file, _path):
    return []


def steps_of(file):
    return sorted((name for name in file.get("texture", ()) if name.isdigit()), key=int)


def textures(*more):
    """The first step and the last; of `slipwave fem` every set."""
    def arguments(file, _):
        steps = steps_of(file)
        ends = [] if "increment" in file.attrs else ["--step", *dict.fromkeys((steps or [""])[::len(steps) - 1 or 1])]
        return [*more, *ends] if steps else None
    return arguments


def stored(what, *more):
    """... where the file holds a density of this kind."""
    def arguments(file, path):
        steps = steps_of(file)
        return textures(*more)(file, path) if steps and what in file[f"texture/{steps[-1]}"] else None
    return arguments


def field(*names, component=None):
    """The first of these fields that is there."""
    def arguments(file, _):
        found = [name for name in names for group in ("CellData", "PointData") if name in file["VTKHDF"].get(group, ())]
        return ["--field", found[0], *(["--component", component] if component else [])] if found else None
    return arguments


def nonzero(*names):
    """The first of these fields that is not 0 everywhere."""
    def arguments(file, path):
        found = field(*names)(file, path)
        if found is None:
            return None
        values = next(file["VTKHDF"][group][found[1]] for group in ("CellData", "PointData") if found[1] in file["VTKHDF"].get(group, ()))
        return found if np.any(values) else None
    return arguments


def has_cells(file, _):
    """Springs and masses alone have none: the first picture says it."""
    return bool(np.isin(file["VTKHDF"].get("Types", ()), list(NODES)).any())


def grains(file, path):
    from .fem import textures_beside
    return ["--field", "ipf"] if textures_beside(path, len(file["VTKHDF/Types"])) is not None else None


def euler(file, path):
    return grains(file, path) and ["--field", "euler"]


def of_a_family(file, _):
    found = [name for name in file["VTKHDF"].get("CellData", ()) if name.startswith("twin_fraction_")]
    return ["--field", found[0]] if found else None


def several_sizes(file, _):
    sizes = np.unique(file["rve/n_particles"]) if "rve/n_particles" in file else ()
    return ["--show", "sizes"] if len(sizes) > 1 and "fabric" in file else None


def walls(file, _):
    from .dem_walls import pressed
    return ["--show", "walls"] if pressed(file) else None


def cost(wanted):
    def arguments(file, _):
        group = file.get("sweep")
        return [] if group is not None and (text(group.attrs.get("vary", "")) == "cost") == wanted else None
    return arguments


def option(*more, of):
    return lambda file, _: list(more) if of in file else None


# What a file holds: (name, what is seen, module, arguments(file, path), which are None where there is nothing), the most telling first
TAYLOR = [
    ("stress-strain", "Average stress over strain", "stress_strain", has("history/cauchy_stress", "history/velocity_gradient")),
    ("poles", "Pole figures", "texture", stored("pole_figure")),
    ("inverse", "Inverse pole figures of the sample's axes", "texture", stored("inverse_pole_figure", "--kind", "inverse")),
    ("odf", "Sections of the orientation distribution", "texture", stored("odf", "--kind", "odf")),
    ("components", "Volume fractions of texture components", "texture", stored("component_fraction", "--kind", "components")),
    ("families", "Slip of families of slip systems, twins", "families", has("history/family_slip")),
]
PICTURES = {
    "slipwave-taylor": TAYLOR,
    "slipwave-taylor-state": TAYLOR,
    "slipwave-fem": [
        ("cell", "Mean stress over mean strain of the cell", "cell", has("history/mean_cauchy_stress")),
        ("tools", "Force and contact area over the tool's stroke", "upsetting", has("history/tool_force")),
        ("history", "Load over displacement, plastic part, convergence", "fem", always),
    ],
    "slipwave-fem-textures": [row for row in TAYLOR if row[2] == "texture"],
    "fields": [
        ("stress", "von Mises stress", "fem", field("von_mises")),
        ("temperature", "Temperature", "fem", field("temperature")),
        ("strain", "Plastic strain", "fem", field("plastic_strain")),
        ("shape", "Deformed shape and contact pressure", "upsetting",
         lambda file, _: [] if "contact_pressure" in file["VTKHDF"].get("PointData", ()) else None),
        ("ipf", "Grains, by the crystal direction along axis 3", "fem", grains),
        ("euler", "Euler angles of the crystals", "fem", euler),
        ("grain", "Grains", "fem", field("grain")),
        ("resistance", "Slip resistance", "fem", field("slip_resistance")),
        ("taylor-factor", "Taylor factor", "fem", field("taylor_factor")),
        ("twins", "Fraction of twins", "fem", of_a_family),
        ("flux", "Heat flux", "fem", field("flux")),
    ],
    "deck": [("history", "Energies, largest displacement and stress, iterations", "deck", always)],
    "deck-fields": [
        ("stress", "Von Mises stress, of nodes", "fem", lambda *_: ["--field", "von_mises"]),
        ("displacement", "Displacement", "fem", lambda *one: field("displacement")(*one) if has_cells(*one) else None),
        ("strain", "Plastic strain", "fem", nonzero("plastic_strain")),
        ("contact", "Contact pressure", "fem", nonzero("contact_pressure")),
        ("temperature", "Temperature", "fem", nonzero("temperature")),
    ],
    "particles": [
        ("packing", "Particles, by what their contacts bear", "particles", always),
        ("particle-strain", "Particles, by their strain", "particles",
         lambda file, _: ["--field", "strain"] if "strain" in file["VTKHDF"].get("PointData", ()) else None),
    ],
    "slipwave-kwn": [("precipitates", "Precipitates, composition and strength", "kwn", always)],
    "slipwave-kwn-map": [("map", "The map", "kwn", always)],
    "slipwave-forming": [
        ("r-values", "Yield stress and r-value over the angle to the rolling direction", "forming",
         option("--kind", "r-values", of="r_values")),
        ("yield-surface", "Sections of the yield surface", "forming", option("--kind", "yield-surface", of="yield_surface")),
        ("earing", "Height of a drawn cup around its rim", "forming", option("--kind", "earing", of="earing")),
        ("forming-limit", "Forming limit diagram", "forming_limit", has("forming_limit")),
        ("fit", "Measured and fitted curves", "fit", has("fit")),
    ],
    "slipwave-dem": [
        ("curves", "The test", "dem", always),
        ("roses", "Orientations of contacts", "dem", option("--show", "roses", of="fabric/plane_count")),
        ("yield", "Yield surface", "dem", option("--show", "yield", of="probes")),
        ("walls", "Forces on walls", "dem", walls),
        ("sizes", "Scatter over the number of particles", "dem", several_sizes),
    ],
    "slipwave-sweep": [("sweep", "Errors", "sweep", always),
                       ("front", "Error over time", "front", cost(True))],
    "slipwave-vpsc": [("stress-strain", "Average stress over strain", "vpsc", always)],
    "slipwave-database": [("database", "Terms of the database, and what they capture", "database", always)],
}
PICTURES["slipwave-forming-tasks"] = PICTURES["slipwave-forming"]


# ---- Finding out ----


def contents_in(file, path):
    if "VTKHDF" in file:
        if is_of_deck(file["VTKHDF"]):
            return "deck-fields"
        kinds = file["VTKHDF/Types"][()] if "Types" in file["VTKHDF"] else ()
        return "particles" if len(kinds) and np.all(kinds == VERTEX) else "fields"
    if "format" not in file.attrs and "run" in file and "deck" in file["run"].attrs:
        return "deck"
    name = text(file.attrs.get("format", "slipwave-taylor" if "history/cauchy_stress" in file else ""))
    if name in STATES:
        raise InputError(f"{path}: the state of a stopped `slipwave {STATES[name]}`, which holds no records: --resume "
                         "goes on from there")
    if name not in FORMATS:
        raise InputError(f"{path}: {f'format {name!r}' if name else 'no format'}: need one of {', '.join(FORMATS)}")
    return name


def open_any(path):
    """h5py's File. InputError for what is none."""
    check_plain(path)
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file")
    try:
        return h5py.File(path, "r")
    except OSError:
        raise InputError(f"{path}: not an HDF5 results file, or damaged") from None


def contents_of(path):
    """A name of FORMATS. InputError for a file that is not there, none of ours, or without anything to draw."""
    with open_any(path) as file:
        return contents_in(file, path)


def named(path, row, arguments, *more):
    """Picture of a row of PICTURES, of a file and more files."""
    name, caption, module, _ = row
    return Picture(name, caption, module, [path, *more, *arguments], Path(path).name.removesuffix(".partial").rpartition(".")[0])


def pictures(*paths):
    """[Picture] of what these files hold; files of one kind are compared where a picture takes several and there is the same of them."""
    held = {path: contents_of(path) for path in map(last_of_series, map(str, paths))}
    there = []  # (path, row of PICTURES, arguments)
    for path, kind in held.items():
        with open_any(path) as file:
            there += [(path, row, arguments) for row in PICTURES[kind] if (arguments := row[3](file, path)) is not None]
    compared = {}
    for path, row, arguments in there:
        compared.setdefault((row[0], row[2], *arguments), []).append((path, row, arguments))
    found = []
    for path, row, arguments in there:
        alike = compared[(row[0], row[2], *arguments)]
        if len(alike) == 1 or len(set(held.values())) > 1 or not named(path, row, arguments).takes_several():
            found.append(named(path, row, arguments))
        elif path == alike[0][0]:
            found.append(named(path, row, arguments, *(one[0] for one in alike[1:])))
    if not found:
        raise InputError(f"{', '.join(held)}: nothing in it that is drawn")
    return found
