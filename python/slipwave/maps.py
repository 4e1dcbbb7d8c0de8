"""Pole figures, inverse ones and sections of the ODF as pictures of densities (MRD)."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from . import colours
from .errors import ArgumentError, InputError
from .library import floats, number, numbers, one_of
from .texture import disk

COLOUR_MAP = "viridis"  # even in lightness, and told apart by colour-blind readers
DISK = (-1, 1, -1, 1)
SMALL = 7  # points: extrema
PAD = {"pole": 16, "inverse": 6, "odf": 12}  # points below a title: what is between


def image(axes, values, span, scale, levels=(1,), clip=None):
    """Densities as colours on `scale` (low, high), with white lines at `levels`. The outermost values are at `span` (left,
    right, bottom, top)."""
    x, y = (np.linspace(*ends, count) for ends, count in zip((span[:2], span[2:]), values.shape[::-1]))
    dx, dy = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    drawn = axes.imshow(values, origin="lower", extent=(x[0] - dx, x[-1] + dx, y[0] - dy, y[-1] + dy),
                        aspect="auto", interpolation="bilinear", cmap=COLOUR_MAP, clim=scale)
    parts = [drawn]
    lines = [level for level in sorted(levels) if np.nanmin(values) < level < np.nanmax(values)]
    if lines:
        line = axes.contour(x, y, values, levels=lines, colors="white", linewidths=0.7)
        parts += [line] if hasattr(line, "set_clip_path") else line.collections  # before matplotlib 3.8
    for part in parts if clip is not None else []:
        part.set_clip_path(clip)
    return drawn


def extend_rim(values):
    """Values outside the disk, which are NaN. What is drawn there are directions of the lower hemisphere, whose
    opposites, of equal density, are in the disk: radius r goes to sqrt(2 - r^2), azimuths turn by a half. So colours
    and lines cross the circle as they are."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, count) for count in values.shape), indexing="ij")
    r = np.hypot(x, y)
    outside = np.isnan(values) & (r > 1 - 1e-9)  # where the disk itself has gaps, they stay
    r = r[outside]
    row, column = (-at[outside] / r * np.sqrt(np.maximum(2 - r**2, 0)) for at in (y, x))
    row, column = ((1 + at) * (count - 1) / 2 for at, count in zip((row, column), values.shape))
    i, j = (np.minimum(at.astype(int), count - 2) for at, count in zip((row, column), values.shape))
    filled = np.where(outside, np.nanmean(values), values)
    for _ in range(300):  # next to the circle neighbours are outside themselves
        below, above = ((1 - (column - j)) * filled[k, j] + (column - j) * filled[k, j + 1] for k in (i, i + 1))
        filled[outside] = (1 - (row - i)) * below + (row - i) * above
    return filled


def orthotropic(values):
    """A pole figure [y][x] averaged over the half turns about axes 1, 2 and 3, which mirror it."""
    return (values + values[::-1] + values[:, ::-1] + values[::-1, ::-1]) / 4


def spell_extrema(values):
    """"0.02 to 4.26"."""
    low, high = np.nanmin(values), np.nanmax(values)
    return f"{low:.2f} to {high:.2f}"


def scale_of(values, given=None):
    """Ends of the colours: those given, or from 0 to the largest, at least 1.5."""
    return tuple(given) if given else (0, max(1.5, np.nanmax(values)))


def _check(axes, levels, scale):
    """ArgumentError for what cannot be drawn into or by."""
    if axes is not None and not hasattr(axes, "add_patch"):
        raise ArgumentError(f"axes: {type(axes).__name__}: need matplotlib's Axes, or None")
    numbers(levels, "levels", (None,))
    if scale is not None and not np.diff(numbers(scale, "scale", (2,)))[0] > 0:
        raise ArgumentError(f"scale = {scale}: need (low, high), low < high")


def _begin(axes, values, name, size, levels, scale, group="432"):
    _check(axes, levels, scale)
    values = floats(values, name)
    if values.ndim != 2 or min(values.shape) < 2 or (name != "odf_section" and values.shape[0] != values.shape[1]):
        raise InputError(f"{name}: densities of the shape {values.shape}: need "
                         f"{'rows of two or more' if name == 'odf_section' else '[n][n], n of two or more'}")
    shown = triangle(values, group) if name == "inverse_pole_figure" else values
    if not np.isfinite(shown).any() or np.isinf(values).any():
        raise InputError(f"{name}: {'an infinite' if np.isinf(values).any() else 'no finite'} density")
    return Figure(figsize=size, layout="constrained").add_subplot() if axes is None else axes, values


def _finish(axes, drawn, title, colourbar, levels, pad=6):
    if title:
        axes.set_title(title, pad=pad)
    if colourbar:
        label_bar(axes.figure.colorbar(drawn, ax=axes, shrink=0.8), levels)
    return axes


def label_bar(bar, levels=(1,)):
    """Label a colour bar (of matplotlib) of densities, MRD, and mark it at the levels that it shows."""
    bar.set_label("Density (MRD)")
    low, high = bar.mappable.get_clim()
    for level in levels:
        if low < level < high:
            bar.ax.axhline(level, color="white", linewidth=0.8)


def pole_figure(values, axes=None, *, names=("RD", "TD"), rd="right", levels=(1,), scale=None, extrema=True,
                title=None, colourbar=True):
    """Draw a pole figure; returns matplotlib's Axes, whose images[0] is the picture.

    values [n][n]: density (MRD) on the square around the equal-area disk, row along axis 2, column along axis 1, both from
    -1 to 1, NaN outside: as slipwave.pole_figure and results files have it. Axis 3 points at the reader. names: of axes 1
    and 2. rd: axis 1 points "right", and 2 up; or "up", and 2 left: the same picture, turned. levels: of white lines.
    scale: (low, high) of the colours; None: from 0 to the largest. extrema: print the least and the largest density.
    axes: to draw into; None: of a new Figure. InputError for another shape, or no finite density; ArgumentError for levels,
    a scale or axes that are none.
    """
    if rd not in ("right", "up"):
        raise InputError(f"rd = {rd!r}: need right or up")
    if isinstance(names, str) or np.shape(names) != (2,):
        raise ArgumentError(f"names = {names!r}: need two texts")
    axes, values = _begin(axes, values, "pole_figure", (3.3, 2.8), levels, scale)
    if rd == "up":
        values = values.T[:, ::-1]
    disk = Circle((0, 0), 1, facecolor="none", edgecolor="black", linewidth=0.8)
    axes.add_patch(disk)
    drawn = image(axes, extend_rim(values), DISK, scale_of(values, scale), levels, disk)
    upright = max(map(len, names)) <= 3
    if rd == "right":
        axes.text(1.04, 0, names[0], ha="left", va="center", rotation=0 if upright else 270)
        axes.text(0, 1.04, names[1], ha="center", va="bottom")
    else:
        axes.text(0, 1.04, names[0], ha="center", va="bottom")
        axes.text(-1.04, 0, names[1], ha="right", va="center", rotation=0 if upright else 90)
    if extrema:
        axes.text(0, -1.06, spell_extrema(values), ha="center", va="top", fontsize=SMALL)
    axes.set(xlim=(-1.05, 1.05), ylim=(-1.22 if extrema else -1.05, 1.05), aspect="equal")
    axes.set_axis_off()
    return _finish(axes, drawn, title, colourbar, levels, PAD["pole"])


def equal_area(direction):
    """Where the disk shows a direction."""
    x, y, z = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    return np.array([x, y]) / np.sqrt(1 + z)


def triangle(values, group="432"):
    """An inverse pole figure [y][x]: what of it lies in the standard triangle of the crystals' group, and next to it; NaN elsewhere."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, count) for count in values.shape), indexing="ij")
    r2 = x**2 + y**2
    root = np.sqrt(np.maximum(2 - r2, 0))
    return np.where(colours.is_inside(np.stack([x * root, y * root, 1 - r2], axis=-1), group), values, np.nan)


def _outline(axes, group):
    """The standard triangle, with its corners' names: a patch."""
    one, two = colours.corners(group)[1:]
    side = [equal_area((1 - t) * one + t * two) for t in np.linspace(0, 1, 30)]
    corners = Polygon([equal_area((0, 0, 1)), *side], facecolor="none", edgecolor="black", linewidth=0.8)
    axes.add_patch(corners)
    for k, (name, direction) in enumerate(colours.CORNERS[group]):
        x, y = equal_area(direction)
        axes.text(x, y + (-0.02 if k < 2 else 0.07), name, ha="center", va="top")
    right = max(at[0] for at in side) + (0.08 if group == "432" else 0.12)
    axes.set(xlim=(-0.06, right), ylim=(-0.09, max(at[1] for at in side) + 0.08))
    axes.set_axis_off()
    return corners


def inverse_pole_figure(values, axes=None, *, levels=(1,), scale=None, extrema=True, title=None, colourbar=True, group="432"):
    """Draw an inverse pole figure in the standard triangle of the crystals' group: 001, 101, 111 of cubic ones ("432"); 001,
    100, 110 of tetragonal ones ("422"); 0001, 2-1-10, 10-10 of hexagonal ones ("622"); 001, 100, 010 of orthorhombic ones
    ("222"). Returns matplotlib's Axes.

    values [n][n]: density (MRD) over crystal directions on the square around the equal-area disk, row along the crystal's axis
    y, column along x: as slipwave.inverse_pole_figure and results files have it. The rest: as of pole_figure; the extrema are
    those of the triangle.
    """
    one_of(group, "group", colours.CORNERS)
    axes, values = _begin(axes, values, "inverse_pole_figure", (3.0, 2.6), levels, scale, group)
    corners = _outline(axes, group)
    filled = values if group == "432" else extend_rim(values)  # which other triangles reach
    drawn = image(axes, filled, DISK, scale_of(triangle(values, group), scale), levels, corners)
    axes.set(aspect="equal")
    if extrema:
        (left, right), (_, top) = axes.get_xlim(), axes.get_ylim()
        at = (right, "right") if group == "222" else (left + 0.02, "left")  # what the triangle leaves free
        axes.text(at[0], top - (0.1 if group == "432" else 0.02), spell_extrema(triangle(values, group)), ha=at[1], va="top",
                  fontsize=SMALL)
    return _finish(axes, drawn, title, colourbar, levels)


def colour_key(axes=None, *, group="432", title=None, points=401):
    """Draw the standard triangle of the crystals' group in the colours of slipwave.orientation_colours; returns matplotlib's
    Axes. axes, title: as of pole_figure."""
    one_of(group, "group", colours.CORNERS)
    _check(axes, (), None)
    axes = Figure(figsize=(2.4, 2.1), layout="constrained").add_subplot() if axes is None else axes
    directions = disk(points)
    corners = _outline(axes, group)
    shown = np.nan_to_num(colours.direction_colours(directions, group), nan=1)
    drawn = axes.imshow(shown, origin="lower", extent=DISK, aspect="auto", interpolation="bilinear")
    drawn.set_clip_path(corners)
    axes.set(aspect="equal")
    return _finish(axes, drawn, title, False, ())


def odf_section(values, axes=None, *, levels=(1,), scale=None, extrema=True, title=None, colourbar=True, phi1=None):
    """Draw a section of the ODF at constant phi2; returns matplotlib's Axes.

    values [Phi][phi1]: density (MRD), Phi from 0 to 90 degrees, downwards, phi1 from 0 to `phi1` degrees (None: by as much
    a column as Phi a row): as slipwave.odf_section and results files have it. The rest: as of pole_figure.
    """
    axes, values = _begin(axes, values, "odf_section", (3.4, 2.4), levels, scale)
    rows, columns = values.shape
    last = 90 * (columns - 1) / (rows - 1) if phi1 is None else number(phi1, "phi1")
    if not 0 < last < np.inf:
        raise ArgumentError(f"phi1 = {phi1}: need degrees above 0")
    drawn = image(axes, values, (0, last, 0, 90), scale_of(values, scale), levels)
    axes.set(xlim=(0, last), ylim=(90, 0), xticks=np.linspace(0, last, 3), yticks=[0, 45, 90])
    axes.set_xlabel(r"$\varphi_1$ (°)", labelpad=1)
    axes.set_ylabel(r"$\Phi$ (°)", labelpad=1)
    if extrema:
        axes.text(0.5, 1.02, spell_extrema(values), ha="center", va="bottom", fontsize=SMALL, transform=axes.transAxes)
    return _finish(axes, drawn, title, colourbar, levels, PAD["odf"] if extrema else 6)
