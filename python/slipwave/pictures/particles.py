"""Packings of `slipwave dem` (.vtkhdf files of its snapshots and packings): particles as spheres in their cell, seen along a
direction, coloured by a field; beside it how that is spread over the particles.
"""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .common import COLOURS, InputError, Results, argument_parser, main_of, unit_of
from .fem import colour_scale, view_axes

LABELS = {"normal_force": ("normal force of a particle's contacts", "N"), "radius": ("radius", "m"),
          "strength": ("strength", "Pa"), "slip_resistance": ("slip resistance", "Pa"), "crystal_work": ("work of the crystals", "J"),
          "velocity": ("speed", "m/s"), "spin": ("spin", "rad/s"), "contacts": ("contacts of a particle", ""),
          "strain": ("equivalent strain of a particle (%)", "")}
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]  # of a cell with corners 0 to 7


class Packing(Results):
    """A .vtkhdf file of particles."""

    program, formats = "slipwave dem", None

    def __init__(self, path):
        super().__init__(path)
        self.grid = self.group("VTKHDF")
        self.point = self.array("Points", None, 3, where=self.grid)
        self.radius = self.field("radius")
        if not len(self.point) or not np.isfinite(self.point).all() or not (self.radius > 0).all():
            raise InputError(f"{path}: VTKHDF: no particles with places and radii")
        where = self.grid.get("FieldData", {})
        self.cell = self.array("cell", 3, 3, where=where) if "cell" in where else None

    def field(self, name, asked=None):
        """One number a particle; of vectors their lengths."""
        group = self.grid.get("PointData", {})
        if name not in group:
            raise InputError(f"--field {name}: {self.path} has {', '.join(group)}" if name == asked else
                             f"{self.path}: no field '{name}'")
        values = np.asarray(group[name][()], dtype=float)
        if values.ndim == 0 or len(values) != len(self.point) or values.ndim > 2:
            raise InputError(f"{self.path}: VTKHDF/PointData/{name} has the shape {values.shape}")
        return values if values.ndim == 1 else np.linalg.norm(values, axis=1)


def labelled_values(packing, name, asked):
    values = packing.field(name, asked)
    label, unit = LABELS.get(name, (name.replace("_", " "), ""))
    if name == "strain":
        return 100 * values, label
    if unit:
        factor, unit = unit_of(values, unit)
        return factor * values, f"{label} ({unit})"
    return values, label


def image_of(place, radius, colour, low, high, pixels=900):
    """[rows][columns][4] of spheres at place [n][3], seen from z = infinity with light from there, the nearest in front."""
    step = (high - low).max() / pixels
    columns, rows = (np.ceil((high - low) / step).astype(int) + 1)
    image, depth = np.zeros((rows, columns, 4)), np.full((rows, columns), -np.inf)
    for (x, y, z), r, rgb in zip(place, radius, colour):
        left, right = (int(np.clip((x - low[0] + side) / step, 0, columns)) for side in (-r, r + step))
        down, up = (int(np.clip((y - low[1] + side) / step, 0, rows)) for side in (-r, r + step))
        u, v = np.meshgrid(low[0] + step * np.arange(left, right) - x, low[1] + step * np.arange(down, up) - y)
        inside = 1 - (u**2 + v**2) / r**2
        height = np.sqrt(np.maximum(inside, 0))
        front = (inside > 0) & (z + r * height > depth[down:up, left:right])
        depth[down:up, left:right][front] = (z + r * height)[front]
        image[down:up, left:right][front, :3] = np.outer(0.45 + 0.55 * height[front], rgb)
        image[down:up, left:right][front, 3] = 1
    return image


def draw_cell(axes, cell, view, factor):
    """From the origin on: places are within it."""
    corner = np.array([[k >> i & 1 for i in range(3)] for k in range(8)]) @ cell
    seen = factor * corner @ view.T
    furthest = int(np.argmin(seen[:, 2]))
    for behind in (True, False):  # the three edges of the furthest corner are behind the particles
        axes.add_collection(LineCollection([seen[list(edge), :2] for edge in EDGES if (furthest in edge) == behind],
                                           colors="0.55" if behind else "0.2", linewidths=0.8, zorder=-1 if behind else 2))
    return seen[:, :2]


def plot(packing, options):
    name = options.field or ("normal_force" if "normal_force" in packing.grid.get("PointData", {}) else "radius")
    values, label = labelled_values(packing, name, options.field)
    view = view_axes(options.azimuth, options.elevation)[:, [2, 0, 1]]  # axis 3 upwards
    factor, unit = unit_of(np.ptp(packing.point, axis=0), "m")
    scale = colour_scale(values.min(), values.max())
    figure = Figure(figsize=(8.6, 4.6), layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)  # two labels beside each other would be read as one
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    place, radius = factor * packing.point @ view.T, factor * packing.radius
    low, high = (place[:, :2] - radius[:, None]).min(axis=0), (place[:, :2] + radius[:, None]).max(axis=0)
    left.imshow(image_of(place, radius, scale.to_rgba(values)[:, :3], low, high), origin="lower",
                extent=(low[0], high[0], low[1], high[1]), interpolation="bilinear")
    if packing.cell is not None and np.isfinite(packing.cell).all():
        seen = draw_cell(left, packing.cell, view, factor)
        low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
    margin = 0.02 * (high - low).max()
    left.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
    left.set_axis_off()
    size = (high - low).max()
    bar = 10.0**np.floor(np.log10(size / 3))
    bar *= max(m for m in (1, 2, 5) if m * bar <= size / 3)
    left.plot([low[0], low[0] + bar], [low[1]] * 2, color="black", linewidth=2.5, solid_capstyle="butt")
    left.annotate(f"{bar:g} {unit}", (low[0] + bar / 2, low[1]), (0, -4), textcoords="offset points", ha="center", va="top",
                  fontsize=8)
    figure.colorbar(scale, ax=left, label=label[0].upper() + label[1:], shrink=0.8)
    whole = np.all(values == np.rint(values)) and np.ptp(values) < 60
    bins = np.arange(values.min() - 0.5, values.max() + 1) if whole else 24
    right.hist(values, bins=bins, weights=np.full(len(values), 100 / len(values)), color=COLOURS[0], edgecolor="white", linewidth=0.4)
    right.axvline(values.mean(), color=COLOURS[1], linewidth=1.2, label=f"mean {values.mean():.3g}")
    right.set(xlabel=label[0].upper() + label[1:], ylabel="Particles (%)")
    right.grid(alpha=0.25)
    right.legend(frameon=False)
    figure.suptitle(f"{packing.path.stem}: {len(values):,} particles")
    return figure


def arguments():
    parser = argument_parser(__doc__, "PACKING.vtkhdf", several=False)
    parser.add_argument("--field", metavar="NAME", help="of the file (normal_force, or radius)")
    parser.add_argument("--azimuth", type=float, default=30, metavar="DEGREES", help="about axis 3 (30)")
    parser.add_argument("--elevation", type=float, default=20, metavar="DEGREES", help="above the plane of axes 1 and 2 (20)")
    return parser


def figure(options):
    for name in ("azimuth", "elevation"):
        if not np.isfinite(getattr(options, name)):
            raise InputError(f"--{name} {getattr(options, name):g}: need a finite number")
    with Packing(options.results) as packing:
        return plot(packing, options)


main = main_of(arguments, figure)
