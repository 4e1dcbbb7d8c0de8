"""Standard triangles of crystals' directions, and colours of orientations by them. group: as of slipwave.texture."""

import numpy as np

from .errors import ArgumentError
from .library import one_of
from .texture import _orientations, sample_axis

# Corners of the triangle that the group and the inversion repeat over the sphere: a label and the direction along the crystal's
# axes, in red, green and blue
CORNERS = {
    "432": (("001", (0, 0, 1)), ("101", (1, 0, 1)), ("111", (1, 1, 1))),
    "422": (("001", (0, 0, 1)), ("100", (1, 0, 0)), ("110", (1, 1, 0))),
    "622": (("0001", (0, 0, 1)), (r"$2\overline{1}\overline{1}0$", (1, 0, 0)), (r"$10\overline{1}0$", (np.sqrt(3), 1, 0))),
    "222": (("001", (0, 0, 1)), ("100", (1, 0, 0)), ("010", (0, 1, 0))),
}
FOLD = {"432": 4, "422": 4, "622": 6, "222": 2}  # of axis 3


def corners(group):
    """Unit vectors [3][3], a row a corner."""
    found = np.array([direction for _, direction in CORNERS[group]], dtype=float)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def is_inside(directions, group):
    """Whether directions [...][3] are in the triangle, its border included."""
    a, b, c = (np.asarray(directions)[..., i] for i in range(3))
    turn = np.pi / FOLD[group]
    inside = (b >= -1e-9) & (a * np.sin(turn) - b * np.cos(turn) >= -1e-9) & (c >= -1e-9)
    return inside & (a <= c + 1e-9) if group == "432" else inside


def into_triangle(directions, group):
    """The equivalents of directions [...][3] in the triangle."""
    directions = np.asarray(directions, dtype=float)
    if group == "432":
        c, a, b = np.moveaxis(np.sort(np.abs(directions), axis=-1)[..., ::-1], -1, 0)
        return np.stack([a, b, c], axis=-1)
    part = 2 * np.pi / FOLD[group]
    azimuth = np.arctan2(directions[..., 1], directions[..., 0]) % part
    azimuth = np.minimum(azimuth, part - azimuth)
    r = np.hypot(directions[..., 0], directions[..., 1])
    return np.stack([r * np.cos(azimuth), r * np.sin(azimuth), np.abs(directions[..., 2])], axis=-1)


def direction_colours(directions, group="432"):
    """Of crystal directions [...][3], of any length: red, green, blue [...][3], 0 to 1. A direction of the triangle is a sum
    of its corners; their shares' cube roots, over the largest, are the colours, as DAMASK has them: the corners' are red, green
    and blue."""
    one_of(group, "group", CORNERS)
    shares = into_triangle(directions, group) @ np.linalg.inv(corners(group))
    root = np.cbrt(np.maximum(shares, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return root / root.max(axis=-1, keepdims=True)


def orientation_colours(euler, axis=3, group="432", degrees=False):
    """Colours of orientations, as maps show them: of the crystal direction along a sample axis, 1, 2, 3 or a direction [3]. Red,
    green and blue [N][3], 0 to 1: red where c, of cubic crystals <001>, is along it, green <101>, <100>, <2-1-10> or
    a and blue <111>, <110>, <10-10> or b, of cubic, tetragonal, hexagonal or orthorhombic crystals. euler, group, degrees and ArgumentError: as of slipwave.pole_figure."""
    euler = _orientations(euler, degrees)
    if not np.isfinite(euler).all():
        raise ArgumentError("euler: an angle is not finite")
    x, y, z = sample_axis(axis)
    (c1, c, c2), (s1, s, s2) = np.cos(euler).T, np.sin(euler).T
    return direction_colours(np.stack([(c1 * c2 - s1 * c * s2) * x + (s1 * c2 + c1 * c * s2) * y + s * s2 * z,
                                       (-c1 * s2 - s1 * c * c2) * x + (c1 * c * c2 - s1 * s2) * y + s * c2 * z,
                                       s1 * s * x - c1 * s * y + c * z], axis=-1), group)
