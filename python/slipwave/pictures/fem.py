"""Results of `slipwave fem`, without a display.

FIELDS.vtkhdf: the outer surface of the mesh, coloured by a field, its displacements magnified. Bodies in space are
seen along a direction, orthographically; plane ones from above.

RESULT.h5 (or its .partial): load against displacement, the plastic part, Newton's residuals and iterations.
"""

import argparse
from pathlib import Path

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .. import maps
from ..colours import orientation_colours
from .common import COLOURS, InputError, Results, argument_parser, main_of, unit_of, von_mises
from .deck import VTK_TENSOR, bars, is_of_deck, outside, tensors
from .texture_components import GROUPS, lattice

VTK_QUAD, VTK_HEXAHEDRON = 9, 12
FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])  # from outside
MOST_WITH_EDGES = 4000  # faces
MAGNIFIED = 0.05  # largest displacement over the body's size, unless --magnify says otherwise
GREY, GHOST = (0.85, 0.85, 0.85, 1.0), (0.75, 0.75, 0.75, 0.12)  # of faces that a field is not of; of those in front of what is shown

# Field: label, factor
LABELS = {
    "von_mises": ("Von Mises stress (Pa)", 1),
    "stress": ("Stress (Pa)", 1),
    "plastic_strain": ("Equivalent plastic strain (%)", 100),
    "plastic": ("Points that yield", 1),
    "displacement": ("Displacement (m)", 1),
    "reaction": ("Reaction", 1),
    "temperature": ("Temperature (K)", 1),
    "flux": ("Heat flux (W/m$^2$)", 1),
    "material": ("Material", 1),
    "logarithmic_strain": ("Logarithmic strain (%)", 100),
    "contact_pressure": ("Contact pressure (Pa)", 1),
    "contact_friction": ("Friction (Pa)", 1),
    "contact_gap": ("Contact gap (m)", 1),
    "contact_shear": ("Contact shear (Pa)", 1),
    "contact_slip": ("Slip in contact (m)", 1),
    "slip": ("Slip (m)", 1),
    "grain": ("Grain", 1),
    "slip_resistance": ("Slip resistance (Pa)", 1),
    "plastic_work": ("Plastic work (MJ/m$^3$)", 1e-6),
    "crystal_slip": ("Slip of all systems", 1),
    "taylor_factor": ("Taylor factor", 1),
}
# Likewise of a family of slip systems: what names begin with
OF_FAMILIES = {"family_slip_": "Slip of {}", "twin_fraction_": "Fraction of {}", "turned_fraction_": "Part turned by {}",
               "twin_variants_": "Fraction of a variant of {}"}
NAMED = ("grain", "material")  # numbers that name something
MOST_OF_A_GRAIN = 8  # crystals of an element: one a point
MEGA_FROM = 1e5  # Pa: larger stresses are in MPa
COMPONENTS = {3: ["x", "y", "z"], 6: ["xx", "yy", "zz", "xy", "yz", "xz"]}


# ---- Fields ----


class Grid(Results):
    """A .vtkhdf file of one mesh. units: those of its fields are SI's."""

    formats, units = None, True

    def __init__(self, path):
        super().__init__(path)
        if "VTKHDF" not in self.file:
            self.file.close()
            raise InputError(f"{path}: not a .vtkhdf file of `slipwave fem`")
        self.grid = self.group("VTKHDF")
        self.point = self.array("Points", None, 3, where=self.grid)
        kind = np.unique(self.array("Types", None, where=self.grid))
        if len(kind) != 1 or kind[0] not in (VTK_QUAD, VTK_HEXAHEDRON):
            raise InputError(f"{path}: cells of the kinds {kind}: need hexahedra or quadrilaterals")
        self.solid = kind[0] == VTK_HEXAHEDRON
        corners = self.array("Connectivity", None, where=self.grid)
        if not np.isfinite(self.point).all() or not ((corners >= 0) & (corners < len(self.point))).all():
            raise InputError(f"{path}: VTKHDF: corners that are none of the points, or points without a place")
        nodes = 8 if self.solid else 4
        if len(corners) == 0 or len(corners) % nodes:
            raise InputError(f"{path}: VTKHDF/Connectivity has {len(corners)} numbers: need {nodes} a cell")
        self.cell = corners.astype(np.int64).reshape(-1, nodes)

    def outside(self):
        """(corners [n][4] of faces of one element alone, these elements [n])"""
        return outer_faces(self.cell) if self.solid else (self.cell, np.arange(len(self.cell)))

    def names(self):
        return [name for group in ("CellData", "PointData") for name in self.grid.get(group, {})]

    def field(self, name, asked=None):
        """(of cells?, values [n][components]). asked: the name that --field gave, whose fault it is not to be there."""
        for group in ("CellData", "PointData"):
            if name in self.grid.get(group, {}):
                values = np.asarray(self.grid[group][name][()], dtype=float)
                rows = len(self.cell if group == "CellData" else self.point)
                if values.ndim == 0 or len(values) != rows:
                    raise InputError(f"{self.path}: VTKHDF/{group}/{name} has the shape {values.shape}: need {rows} rows")
                return group == "CellData", values.reshape(rows, -1)
        raise InputError(f"--field {name}: {self.path} has {', '.join(self.names())}" if name == asked else
                         f"{self.path}: no field '{name}'")


class DeckGrid(Grid):
    """Of a deck: cells of any kinds, fields of nodes in its own units, and von Mises' stress by theirs."""

    units = False

    def __init__(self, path):
        Results.__init__(self, path)
        self.grid = self.group("VTKHDF")
        self.point = self.array("Points", None, 3, where=self.grid)
        self.cell = self.array("Types", None, where=self.grid)
        try:
            *self._outside, self.solid = outside(self.grid, lambda name: self.array(name, None, where=self.grid))
        except InputError as error:
            self.file.close()
            raise InputError(f"{path}: {error}") from None

    def outside(self):
        return self._outside

    def names(self):
        return ["von_mises", *super().names()]

    def field(self, name, asked=None):
        if name != "von_mises":
            return super().field(name, asked)
        _, stress = super().field("stress")
        return False, von_mises(tensors(stress, VTK_TENSOR))[:, None]


def open_fields(path):
    """A Grid of a job or a deck."""
    with Results_of_fields(path) as file:
        of_deck = "VTKHDF" in file.file and is_of_deck(file.file["VTKHDF"])
    return (DeckGrid if of_deck else Grid)(path)


class Results_of_fields(Results):
    formats = None


def outer_faces(cell):
    """(nodes [n][4], element [n]) of the faces that only one element has."""
    faces = cell[:, FACES].reshape(-1, 4)
    # in a conforming mesh three of a face's nodes say which it is
    low, middle, high = np.sort(faces, axis=1)[:, :3].T
    order = np.lexsort((high, middle, low))
    key = np.stack((low[order], middle[order], high[order]), axis=1)
    same = (key[1:] == key[:-1]).all(axis=1)
    alone = ~(np.concatenate(([False], same)) | np.concatenate((same, [False])))
    chosen = np.sort(order[alone])
    return faces[chosen], chosen // len(FACES)


def view_axes(azimuth, elevation):
    """Rows: right, up, towards the eye. y is up at azimuth and elevation 0, z towards the eye."""
    a, e = np.radians([azimuth, elevation])
    right = np.array([np.cos(a), 0, -np.sin(a)])
    eye = np.array([np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e)])
    return np.array([right, np.cross(eye, right), eye])


def label_of(name):
    """(label, factor)"""
    for begin, label in OF_FAMILIES.items():
        if name.startswith(begin):
            return label.format(name[len(begin):].replace("_", " ")), 1
    return LABELS.get(name, (name[:1].upper() + name[1:].replace("_", " "), 1))


def scalar(values, component, name, units=True):
    """One number a row, and what to call it. units: they are SI's, and the label has them; else it has none but percent."""
    label, factor = label_of(name)
    if not units and not label.endswith("(%)"):
        label, factor = label.partition(" (")[0] + (" (units of the deck)" if " (" in label else ""), 1
    elif "(Pa)" in label and np.abs(values).max(initial=0) > MEGA_FROM:
        label, factor = label.replace("Pa", "MPa"), 1e-6
    elif label.endswith("(m)"):
        factor, unit = unit_of(values, "m")
        label = label.replace("(m)", f"({unit})")
    width = values.shape[1]
    if width == 1:
        if component is not None:
            raise InputError(f"--component {component}: the field '{name}' has one component")
        return factor * values[:, 0], label
    variants = name.startswith("twin_variants_")
    components = [str(k + 1) for k in range(width)] if variants else COMPONENTS.get(width, [])
    if component is None:
        if variants or width == 6:
            raise InputError(f"--field {name}: need --component, one of {', '.join(components)}")
        return factor * np.linalg.norm(values, axis=1), label
    if component not in components:
        raise InputError(f"--component {component}: need one of {', '.join(components)}")
    return factor * values[:, components.index(component)], f"{component}: {label[:1].lower()}{label[1:]}"


def magnification(grid, wanted):
    """(factor, displacement [N][3])"""
    if "displacement" not in grid.names():
        return 0, np.zeros_like(grid.point)
    displacement = grid.field("displacement")[1]
    largest = np.abs(displacement).max(initial=0)
    size = np.linalg.norm(np.ptp(grid.point, axis=0))
    if wanted is not None:
        return wanted, displacement
    if "contact_pressure" in grid.names():  # magnified, bodies that touch would part or overlap
        return 1, displacement
    if largest == 0:
        return 0, displacement
    exact = MAGNIFIED * size / largest
    if exact <= 1:  # finite strains are seen as they are
        return 1, displacement
    decade = 10 ** np.floor(np.log10(exact))
    return decade * max(m for m in (1, 2, 5) if m * decade <= exact * (1 + 1e-9)), displacement


def edges_of(n, wanted):
    return n <= MOST_WITH_EDGES if wanted is None else wanted


def facing_eye(corner):
    """(which faces of corners [n][4][3] are seen from z = infinity, the nearest last; shades [n] of these)"""
    normal = np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 1])
    facing = normal[:, 2] / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    front = np.flatnonzero(facing > 1e-9)
    front = front[np.argsort(corner[front, :, 2].mean(axis=1), kind="stable")]
    return front, 0.75 + 0.25 * facing[front]


def colour_scale(least, most, colours="viridis", whole=False):
    """whole: numbers that name something, whose neighbours in a list are no neighbours in space. What differs by round-off alone
    has one colour."""
    size = max(abs(least), abs(most))
    if not whole and most - least <= 1e-6 * size:
        least, most = least - 0.1 * size, most + 0.1 * size
    return ScalarMappable(Normalize(least, most if most > least else least + 1), "tab20" if whole else colours)


def draw_faces(axes, corner, rgba, edges, within=None):
    """Quadrilaterals [n][4][2]. within: points [.][2] that the axes hold; those of the corners."""
    # pixels, not paths, in the SVG
    axes.add_collection(PolyCollection(corner, facecolors=rgba, edgecolors="black" if edges else rgba,
                                       linewidths=0.2 if edges else 0.4, rasterized=True))
    within = corner.reshape(-1, 2) if within is None else within
    low, high = within.min(axis=0), within.max(axis=0)
    margin = 0.03 * np.linalg.norm(high - low)
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")


def draw_directions(axes, view, units):
    """Below what is drawn: x, y and z by the rows of view, right and up, and a length of a fifth of the picture at most."""
    low, high = np.transpose([axes.get_xlim(), axes.get_ylim()])
    size = np.linalg.norm(high - low)
    arm, start = 0.06 * size, low + np.array([0.07, -0.1]) * size
    seen = np.linalg.norm(view[:2], axis=0)
    for k, (name, direction) in enumerate(zip("xyz", view[:2].T)):
        if seen[k] > 0.1:  # else along the eye
            axes.annotate("", start + arm * direction, start, arrowprops={"arrowstyle": "->", "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0})
            along = view[:2].T @ direction > 0.97 * seen[k] * seen  # a longer one's letter and shaft are in the way
            aside = 0.3 * arm * np.array([-direction[1], direction[0]]) / seen[k] if (along & (seen > seen[k])).any() else 0
            axes.text(*(start + 1.35 * arm * direction + aside), name, ha="center", va="center", fontsize=8)
    decade = 10.0**np.floor(np.log10(size / 5))
    length = decade * max(m for m in (1, 2, 5) if m * decade <= size / 5)
    factor, unit = unit_of([length], "m") if units else (1, "")
    left = low + np.array([0.2, -0.1]) * size
    axes.plot([left[0], left[0] + length], [left[1]] * 2, color="black", linewidth=2, solid_capstyle="butt")
    axes.text(left[0] + length / 2, left[1] + 0.012 * size, f"{factor * length:g} {unit}".rstrip(), ha="center", va="bottom", fontsize=8)
    axes.set(xlim=(low[0], max(high[0], left[0] + length)), ylim=(low[1] - 0.17 * size, high[1]))


class Body:
    """The faces that are seen of a mesh, displaced: face [n][4] of nodes, element [n], corner [n][4][2], shade [n]; seen [N][3]:
    all nodes, to the right, up and towards the eye."""

    def __init__(self, grid, options):
        self.magnified, displacement = magnification(grid, options.magnify)
        self.face, self.element = grid.outside()
        self.bars = bool((self.face[:, 1] == self.face[:, 2]).all())
        in_space = grid.solid or self.bars and np.ptp(grid.point[:, 2]) > 0
        self.view, self.units = view_axes(options.azimuth, options.elevation) if in_space else np.eye(3), grid.units
        self.seen = seen = (grid.point + self.magnified * displacement) @ self.view.T
        self.shade, self.edges = np.ones(len(self.face)), options.edges
        if grid.solid:
            front, self.shade = facing_eye(seen[self.face])
            self.face, self.element = self.face[front], self.element[front]
        self.corner = seen[self.face][:, :, :2]

    def draw(self, axes, rgba):
        """Coloured by rgba [n][4]."""
        rgba = np.array(rgba)
        rgba[:, :3] *= self.shade[:, None]
        draw_faces(axes, self.corner, rgba, not self.bars and edges_of(len(self.face), self.edges))
        if self.bars:
            axes.collections[-1].set_linewidth(2)
        draw_directions(axes, self.view, self.units)
        axes.set_axis_off()


def title_of(grid, body):
    magnified = f", displacements × {body.magnified:g}" if body.magnified not in (0, 1) else ""
    return f"{grid.path.stem}: {len(grid.cell):,} elements{magnified}"


def plot_fields(grid, options):
    name = options.field or ("von_mises" if "von_mises" in grid.names() else "temperature")
    if name in OF_CRYSTALS:
        return OF_CRYSTALS[name](grid, options)
    if isinstance(grid, DeckGrid) and name.startswith("contact_"):
        return plot_contact(grid, options, name)
    of_cells, values = grid.field(name, options.field)
    values, label = scalar(values, options.component, name, grid.units)
    body = Body(grid, options)
    colour = values[body.element] if of_cells else values[body.face].mean(axis=1)
    everything = values[body.element] if of_cells else values[np.unique(body.face)]
    scale = colour_scale(*(options.range or (everything.min(), everything.max())), whole=name in NAMED)
    figure = Figure(figsize=(7, 5.5), layout="constrained")
    axes = figure.subplots()
    body.draw(axes, scale.to_rgba(colour))
    axes.set_title(title_of(grid, body))
    bar = figure.colorbar(scale, ax=axes, label=label, shrink=0.8, extend=extension(everything, options.range))
    if name in NAMED:
        bar.ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def slave_nodes(grid):
    """[N], whether a node is a slave's: a field of contact is 0 of all others."""
    return np.any([grid.field(name)[1][:, 0] != 0 for name in grid.names() if name.startswith("contact_")], axis=0)


def slave_faces(face, slave, solid):
    """Of faces [n][4] those [m][4] all of whose nodes are slaves'; of plane cells their sides [m][2], each once."""
    if solid:
        return face[slave[face].all(axis=1)]
    sides = np.stack([face, np.roll(face, -1, axis=1)], axis=2).reshape(-1, 2)
    sides = sides[slave[sides].all(axis=1) & (sides[:, 0] != sides[:, 1])]
    _, first, count = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    return sides[np.sort(first[count == 1])]


def plot_contact(grid, options, name):
    """A deck's field of contact, on the slaves' faces alone: other nodes' 0 is no value. In space they are drawn over all else, which
    is seen through; of plane cells the slaves' sides are lines."""
    values, label = scalar(grid.field(name, options.field)[1], options.component, name, grid.units)
    slave = slave_nodes(grid)
    body = Body(grid, options)
    chosen = slave_faces(grid.outside()[0], slave, grid.solid)
    if not len(chosen):
        raise InputError(f"--field {name}: {grid.path} has no face all of whose nodes have a value")
    everything = values[np.unique(chosen)]
    scale = colour_scale(*(options.range or (everything.min(), everything.max())))
    colour = scale.to_rgba(values[chosen].mean(axis=1))
    figure = Figure(figsize=(7, 5.5), layout="constrained")
    axes = figure.subplots()
    body.draw(axes, np.tile(GHOST if grid.solid else GREY, (len(body.face), 1)))
    corner = body.seen[chosen]
    if grid.solid:
        order = np.argsort(corner[:, :, 2].mean(axis=1), kind="stable")
        axes.add_collection(PolyCollection(corner[order, :, :2], facecolors=colour[order], edgecolors=colour[order], linewidths=0.4,
                                           rasterized=True))
    else:
        axes.add_collection(LineCollection(corner[:, :, :2], colors=colour, linewidths=4, capstyle="butt"))
    through = ", seen through the bodies" if grid.solid else ""
    axes.set_title(f"{title_of(grid, body)}\nOn the slave's side of contacts{through}")
    figure.colorbar(scale, ax=axes, label=label, shrink=0.8, extend=extension(everything, options.range))
    return figure


def extension(values, limits):
    """Of a colour bar: which of its ends colours go beyond."""
    if limits is None:
        return "neither"
    below, above = values.min() < limits[0], values.max() > limits[1]
    return {(True, True): "both", (True, False): "min", (False, True): "max"}.get((below, above), "neither")


# ---- Orientations in fields ----


def textures_beside(path, cells):
    """(euler [cells][3], its group) of the first crystal of each element, from FILE-0003.textures.h5 beside FILE-0003.vtkhdf:
    its set `all` has one crystal a point, in the order of the mesh. None where there is no such file."""
    beside = Path(path).with_suffix(".textures.h5")
    if not beside.is_file():
        return None
    with Results_of_textures(beside) as results:
        for name in sorted(results.group("texture"), key=int):
            group = results.group(f"texture/{name}")
            if results.text("elements", group) == "all":
                euler = results.array("orientations", None, 3, where=group)
                if cells and len(euler) and len(euler) % cells == 0 and len(euler) // cells <= MOST_OF_A_GRAIN:
                    return euler[::len(euler) // cells], GROUPS[lattice(results.text("crystal_structure", group))]
    return None


class Results_of_textures(Results):
    program, formats, unmarked = "slipwave fem", {"slipwave-fem-textures": 1}, False


def orientations(grid, options):
    found = textures_beside(grid.path, len(grid.cell))
    if found is None:
        raise InputError(f"--field {options.field}: {grid.path.with_suffix('.textures.h5')} with the set `all`, one crystal a point, is "
                         "missing: output.textures of the job asks for it")
    return found


def plot_ipf(grid, options):
    """Coloured by the crystal direction along a sample axis."""
    euler, group = orientations(grid, options)
    axis = {"x": 1, "y": 2, "z": 3, None: 3}.get(options.component)
    if axis is None:
        raise InputError(f"--component {options.component}: need x, y or z, the axis that --field ipf is seen along")
    body = Body(grid, options)
    colour = orientation_colours(euler, axis, group)[body.element]
    figure = Figure(figsize=(7, 5.5), layout="constrained")
    axes, key = figure.subplots(1, 2, width_ratios=(4, 1))
    body.draw(axes, np.column_stack([colour, np.ones(len(colour))]))
    axes.set_title(title_of(grid, body))
    maps.colour_key(key, group=group)
    key.set_title(f"along {'xyz'[axis - 1]}", fontsize=9)
    return figure


def plot_euler(grid, options):
    """A body an angle."""
    euler, _ = orientations(grid, options)
    body = Body(grid, options)
    figure = Figure(figsize=(10.5, 3.9), layout="constrained")
    names, most = (r"$\varphi_1$", r"$\Phi$", r"$\varphi_2$"), (360, 180, 360)
    degrees = np.degrees(euler) % 360
    for axes, name, end, values in zip(figure.subplots(1, 3), names, most, degrees.T):
        scale = colour_scale(0, end, "twilight" if end == 360 else "viridis")  # 360 is 0
        body.draw(axes, scale.to_rgba(values[body.element]))
        figure.colorbar(scale, ax=axes, label=f"{name} (°)", shrink=0.85, ticks=np.arange(0, end + 1, end // 4),
                        location="bottom")
    figure.suptitle(title_of(grid, body))
    return figure


OF_CRYSTALS = {"ipf": plot_ipf, "euler": plot_euler}


# ---- History ----


class History(Results):
    """A results file of a run."""

    program, formats, unmarked = "slipwave fem", {"slipwave-fem": 1}, False

    def __init__(self, path):
        super().__init__(path)
        self.heat = self.text("kinematics") == "heat"

    def labels(self, name):
        return [label for label in self.text(name).split(", ") if label]


def along(leader, other):
    """Parts (of the leader, of the other), both [n][c], in the direction of the leader where it is largest; None where
    it is 0."""
    size = np.linalg.norm(leader, axis=1)
    if not size.max(initial=0) > 0:
        return None
    direction = leader[np.argmax(size)] / size.max()
    return leader @ direction, other @ direction


def load_lines(history):
    """[(label, displacement [n], force [n])] of loads and prescribed displacements along their force, and of tools."""
    name = "temperature_least" if history.heat else "displacement_least"
    c = history.array(f"history/{name}", None, None).shape[1]
    lines = []
    for labels, force, displacement in (("loads", "load_force", "load_displacement"),
                                        ("boundary", "reaction", "boundary_displacement")):
        labels = history.labels(labels)
        if not labels:
            continue
        force, displacement = (history.array(f"history/{name}", None, len(labels), c) for name in (force, displacement))
        for i, label in enumerate(labels):
            line = along(force[:, i], displacement[:, i])
            # what is held, to round-off, is no line
            if line is not None and np.abs(line[1]).max() >= 1e-6 * np.abs(displacement).max(initial=1e-300):
                lines.append((label, line[1], line[0]))
    return lines + tool_lines(history)


def tool_lines(history):
    """[(label, displacement [n], force [n])] of tools that move, in the direction in which they do: the force's own has
    parts that the other side of a ring, or of a body cut at its planes of symmetry, cancels."""
    labels = history.labels("tools") if "tools" in history.group("run").attrs else []
    if not labels:
        return []
    displacement = history.array("history/tool_displacement", None, len(labels), None)
    force = history.array("history/tool_force", len(displacement), len(labels), displacement.shape[2])
    lines = [(label, along(displacement[:, i], force[:, i])) for i, label in enumerate(labels)]
    return [(label, *line) for label, line in lines if line is not None]


def draw_loads(axes, history):
    """From the start."""
    lines = load_lines(history)
    if not lines:
        work = history.array("history/external_work", None)
        factor, unit = unit_of(work, "J")
        axes.plot(np.arange(len(work) + 1), factor * np.append(0, work), "o-", markersize=3)
        axes.set(xlabel="Increment", ylabel=f"Work ({unit})", title="Work of what acts on the body")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        return
    factor_of_length, length = unit_of(np.concatenate([[0], *(line[1] for line in lines)]), "m")
    factor, unit = unit_of(np.concatenate([[0], *(line[2] for line in lines)]), "N")
    for i, (label, displacement, force) in enumerate(lines):
        axes.plot(factor_of_length * np.append(0, displacement), factor * np.append(0, force), "o-", markersize=3,
                  color=COLOURS[i % len(COLOURS)], label=label)
    axes.set(xlabel=f"Mean displacement ({length})", ylabel=f"Force ({unit})", title="Along the force")
    axes.legend(frameon=False, fontsize=7)


def draw_residuals(axes, history):
    """Of the last substep of each increment; many increments: the first, the last and some between."""
    residual = history.array("history/residual", None, None)
    chosen = np.unique(np.linspace(0, len(residual) - 1, min(len(residual), len(COLOURS))).astype(int))
    for k, i in enumerate(chosen):
        values = residual[i][np.isfinite(residual[i])]
        axes.semilogy(np.arange(len(values)), np.maximum(values, 1e-18), "o-", markersize=3,
                      color=COLOURS[k % len(COLOURS)], label=f"increment {i + 1}")
    axes.axhline(history.number("tolerance"), color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="Newton iteration", ylabel="Residual", title="Last substeps")
    axes.legend(frameon=False, fontsize=7)


def plot_history(history):
    newton, cg = history.array("history/newton", None), history.array("history/cg", None)
    increment = np.arange(1, len(newton) + 1)
    figure = Figure(figsize=(9, 6.2), layout="constrained")
    axes = figure.subplots(2, 2)
    if history.heat:
        for name, label in (("least", "lowest"), ("most", "highest")):
            values = history.array(f"history/temperature_{name}", None, 1)[:, 0]
            axes[0, 0].plot(increment, values, "o-", markersize=3, label=label)
        axes[0, 0].set(xlabel="Increment", ylabel="Temperature (K)")
        axes[0, 0].legend(frameon=False)
        axes[0, 1].set_axis_off()
    else:
        draw_loads(axes[0, 0], history)
        for name, label in (("elements", "elements with a point that yields"), ("points", "points that yield")):
            axes[0, 1].plot(np.append(0, increment), 100 * np.append(0, history.array(f"history/plastic_{name}", None)),
                            "o-", markersize=3, label=label)
        axes[0, 1].set(xlabel="Increment", ylabel="Plastic (%)", ylim=(0, None))
        axes[0, 1].legend(frameon=False)
    draw_residuals(axes[1, 0], history)
    bars(axes[1, 1], newton)
    axes[1, 1].yaxis.set_major_locator(MaxNLocator(integer=True))
    right = axes[1, 1].twinx()
    right.plot(increment, cg, "o-", markersize=3, color=COLOURS[1])
    right.set_ylabel("CG iterations", color=COLOURS[1])
    right.set_ylim(bottom=0)
    for one in axes.flat[:3]:
        one.grid(alpha=0.25)
    for one in axes.flat[0 if history.heat else 1:]:
        one.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    figure.suptitle(f"{history.path.stem}: {history.number('elements'):,.0f} elements, {history.text('operator')}, "
                    f"{history.text('device')}")
    return figure


def check(options):
    for name in ("magnify", "azimuth", "elevation"):
        value = getattr(options, name)
        if value is not None and not np.isfinite(value):
            raise InputError(f"--{name} {value:g}: need a finite number")
    if options.range is not None:
        low, high = options.range
        if not (np.isfinite([low, high]).all() and low < high):
            raise InputError(f"--range {low:g} {high:g}: need finite numbers, the first one less")


def arguments():
    parser = argument_parser(__doc__, "FIELDS.vtkhdf|RESULT.h5", several=False)
    parser.add_argument("--field", metavar="NAME",
                        help="of the file (von_mises, or temperature); ipf, euler: orientations of FILE-0003.textures.h5")
    parser.add_argument("--component", metavar="NAME", help="x, y, z; xx, yy, zz, xy, yz, xz (a vector's length); of ipf the axis (z)")
    parser.add_argument("--magnify", type=float, metavar="M",
                        help=f"displacements (to {MAGNIFIED:.0%}% of the body; larger ones not at all)")
    parser.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="of colours (all values)")
    parser.add_argument("--azimuth", type=float, default=30, metavar="DEGREES", help="about the y axis (30)")
    parser.add_argument("--elevation", type=float, default=25, metavar="DEGREES", help="above the x-z plane (25)")
    parser.add_argument("--edges", action=argparse.BooleanOptionalAction, default=None,
                        help=f"of elements (up to {MOST_WITH_EDGES} faces)")
    return parser


def figure(options):
    check(options)
    if options.results.endswith(".vtkhdf"):
        grid = open_fields(options.results)
        with grid.file:
            figure = plot_fields(grid, options)
    else:
        history = History(options.results)
        with history.file:
            figure = plot_history(history)
    return figure


main = main_of(arguments, figure)
