"""What a set of orientations looks like: pole figures, inverse ones, ODF. group: the rotations that leave a crystal as it is,
"432" (cubic), "422" (tetragonal), "622" (hexagonal) or "222" (orthorhombic).

Orientations are Bunge angles [N][3], rad, crystal -> sample, or crystals [N][4], whose fourth column is left out. degrees=True:
angles [N][3] in degrees, and nothing else; a Notice tells of angles that may be. weight
[N]: for how much each counts, 0 or more; None: all alike. Densities are estimates with de la Vallee Poussin's kernel, in
multiples of a random distribution (MRD); halfwidth: of the kernel, rad (7.5 degrees, as results files have it). Where crystals
times points are 2^26 or more, and the half width 7.5 degrees or more, they are good to 5e-4 of the largest.
"""

import math
import re
from ctypes import byref, c_void_p

import numpy as np

from .errors import ArgumentError
from .library import call, floats, library, number, numbers, one_of, warn, whole

HALFWIDTH = math.radians(7.5)
TWO_TURNS = 4 * math.pi + 1e-6  # more are degrees, by mistake, as of slipwave.crystals
MOST_INDEX = 1000  # of Miller indices
POINTS = 101  # a side of the square around a disk
NUMBERS = {3: "three", 4: "four"}
SYMMETRIES = {"triclinic": 0, "monoclinic": 1, "orthorhombic": 2, "orthotropic": 2}


def disk(points=POINTS):
    """Directions of the upper hemisphere that an equal-area disk shows: [points][points][3], row along axis 2, column
    along axis 1, both from -1 to 1; NaN outside the disk. ArgumentError for fewer than 2 points a side."""
    points = whole(points, "points", 2)
    y, x = np.meshgrid(*[np.linspace(-1, 1, points)] * 2, indexing="ij")
    r2 = x**2 + y**2
    root = np.sqrt(np.maximum(2 - r2, 0))
    return np.where((r2 <= 1 + 1e-12)[..., None], np.stack([x * root, y * root, 1 - r2], axis=-1), np.nan)


def _orientations(euler, degrees=False):
    if degrees:
        return np.radians(numbers(euler, "euler, in degrees", (None, 3)))
    euler = floats(euler, "euler")
    if euler.ndim != 2 or euler.shape[1] not in (3, 4):
        raise ArgumentError(f"euler: {euler.shape}: need [N][3] or crystals [N][4]")
    if euler.shape[1] == 4 and len(euler) and (np.abs(euler[:, 3]) <= 1).all():
        raise ArgumentError("euler: the fourth column is from -1 to 1: need angles [N][3], or crystals [N][4] with slip "
                            "resistances, not quaternions")
    with np.errstate(invalid="ignore"):
        if (np.abs(euler[:, :3]) > TWO_TURNS).any():
            warn(f"euler: angles of up to {np.nanmax(np.abs(euler[:, :3])):.6g} rad: degrees? degrees=True takes them")
    return np.ascontiguousarray(euler[:, :3])


def _weights(weight, n):
    return None if weight is None else numbers(weight, "weight", (n,))


def _pointer(array):
    return None if array is None else array.ctypes.data


def _group(name):
    """The library's. ArgumentError for another name."""
    found = c_void_p()
    one_of(name, "group", ("432", "422", "622", "222"))
    call("sw_point_group_find", name.encode(), byref(found))
    return found


def _kappa(halfwidth):
    """Of a half width, rad. ArgumentError but for 0.1 to 60 degrees."""
    halfwidth = number(halfwidth, "halfwidth")
    if not np.radians(0.1) <= halfwidth <= np.radians(60):
        raise ArgumentError(f"halfwidth = {halfwidth}: need 0.0018 to 1.047 rad (0.1 to 60 degrees)")
    return library().sw_texture_kappa(halfwidth)


def _at(directions, function, unit=True):
    """Densities at directions [...][3] of any length (unit), or at orientations; NaN where they are."""
    name = "directions" if unit else "points"
    directions = floats(directions, name)
    if directions.shape[-1:] != (3,):
        raise ArgumentError(f"{name}: {directions.shape}: need [...][3]")
    known = np.isfinite(directions).all(axis=-1)
    wanted = np.ascontiguousarray(directions[known])
    if unit:
        length = np.linalg.norm(wanted, axis=-1, keepdims=True)
        if not (length > 0).all():
            raise ArgumentError("directions: one of them is zero")
        wanted = np.ascontiguousarray(wanted / length)
    density = np.empty(len(wanted))
    function(len(wanted), wanted.ctypes.data, density.ctypes.data)
    found = np.full(known.shape, np.nan)
    found[known] = density
    return found


def pole_figure(euler, hkl, weight=None, halfwidth=HALFWIDTH, directions=None, group="432", c_over_a=None, degrees=False,
                b_over_a=None):
    """Density of the poles {hkl}, MRD, at sample directions [...][3] of any length; None: those of disk(). Returns [...],
    or [101][101], NaN where directions are.

    euler: Bunge angles [N][3], rad, crystal -> sample, of degrees=True in degrees; or crystals [N][4]. hkl: three whole numbers, or "111": a
    direction of the crystal, its components along the crystal's axes; of hexagonal crystals four, or "10-11": a plane hkil,
    where l and the others are not 0 with c_over_a of their axes, which of tetragonal crystals makes hkl a plane, too, and of
    orthorhombic ones together with b_over_a. weight [N]: for how much each counts, 0 or more; None: all alike. halfwidth: of the kernel, rad, 0.1 to 60 degrees. ArgumentError for
    hkl = 0, no crystal, bad weights, angles that are no numbers.
    """
    euler = _orientations(euler, degrees)
    weight, indices = _weights(weight, len(euler)), normal(hkl, group, c_over_a, b_over_a)
    kappa, group = _kappa(halfwidth), _group(group)
    return _at(disk() if directions is None else directions, lambda n, where, out: call(
        "sw_pole_figure", group, len(euler), euler.ctypes.data, _pointer(weight), indices.ctypes.data, kappa, n, where, out))


def sample_axis(axis):
    """A unit vector [3]: of 1, 2, 3 or a direction. ArgumentError for others."""
    if np.ndim(axis) == 0:
        if axis not in (1, 2, 3):
            raise ArgumentError(f"axis = {axis}: need 1, 2, 3 or a direction")
        axis = np.eye(3)[int(axis) - 1]
    axis = numbers(axis, "axis", (3,))
    if not 0 < np.linalg.norm(axis) < np.inf:
        raise ArgumentError(f"axis = {axis}: need a direction")
    return axis / np.linalg.norm(axis)


def inverse_pole_figure(euler, axis, weight=None, halfwidth=HALFWIDTH, directions=None, group="432", degrees=False):
    """Density of a sample direction over crystal directions, MRD, at directions [...][3] of the crystal; None: those of
    disk(). axis: [3], or 1, 2 or 3. The rest, what is returned and ArgumentError: as of pole_figure."""
    euler = _orientations(euler, degrees)
    weight = _weights(weight, len(euler))
    axis = sample_axis(axis)
    kappa, group = _kappa(halfwidth), _group(group)
    return _at(disk() if directions is None else directions, lambda n, where, out: call(
        "sw_inverse_pole_figure", group, len(euler), euler.ctypes.data, _pointer(weight), axis.ctypes.data, kappa, n, where,
        out))


def kearns_factors(euler, weight=None, degrees=False):
    """The mean square of the cosine between the crystals' axis c and sample axes 1, 2, 3, by weight: [3], 1 together, 1/3 each
    of a random texture (Kearns 1965). euler, weight and ArgumentError: as of pole_figure."""
    euler = _orientations(euler, degrees)
    weight = _weights(weight, len(euler))
    if not len(euler) or not np.isfinite(euler).all():
        raise ArgumentError(f"euler: {len(euler)} orientations: need one or more, of finite angles")
    if weight is not None and not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ArgumentError("weight: need numbers of 0 or more, not all 0")
    s = np.sin(euler[:, 1])
    c = np.stack([np.sin(euler[:, 0]) * s, -np.cos(euler[:, 0]) * s, np.cos(euler[:, 1])], axis=1)
    return np.average(c**2, axis=0, weights=weight)


def odf(euler, points, weight=None, halfwidth=HALFWIDTH, symmetry="triclinic", group="432", degrees=False):
    """The orientation distribution function, MRD, at orientations `points` [...][3] (Bunge angles, rad): [...].

    symmetry of the sample: triclinic, monoclinic (two-fold about axis 3) or orthorhombic. The rest, and ArgumentError: as of
    pole_figure.
    """
    one_of(symmetry, "symmetry", SYMMETRIES)
    euler = _orientations(euler, degrees)
    weight = _weights(weight, len(euler))
    kappa, group = _kappa(halfwidth), _group(group)
    return _at(points, lambda n, where, out: call(
        "sw_odf", group, len(euler), euler.ctypes.data, _pointer(weight), SYMMETRIES[symmetry], kappa, n, where, out), unit=False)


def odf_section(euler, phi2, weight=None, halfwidth=HALFWIDTH, symmetry="triclinic", step=math.radians(5), group="432",
                degrees=False):
    """The ODF at constant phi2 (rad): [Phi][phi1], Phi from 0 to 90 degrees, phi1 from 0 to 360, or 180 of a monoclinic
    sample, or 90 of an orthorhombic one; by `step` (rad), a part of 90 degrees. ArgumentError as of odf."""
    one_of(symmetry, "symmetry", SYMMETRIES)
    phi2, step = number(phi2, "phi2"), number(step, "step")
    if not 1e-3 <= step <= math.pi / 2 + 1e-9:
        raise ArgumentError(f"step = {step}: need 0.001 to 1.571 rad (90 degrees)")
    last = (4, 2, 1)[SYMMETRIES[symmetry]]  # right angles
    parts = max(1, round(math.pi / 2 / step))
    Phi, phi1 = np.meshgrid(np.linspace(0, math.pi / 2, parts + 1), np.linspace(0, last * math.pi / 2, last * parts + 1),
                            indexing="ij")
    return odf(euler, np.stack([phi1, Phi, np.full_like(Phi, phi2)], axis=-1), weight, halfwidth, symmetry, group, degrees)


def disorientation(euler, reference, symmetry="triclinic", group="432", degrees=False):
    """The smallest rotation angle (rad) from `reference` [3] (Bunge angles, rad) to each of euler [N][3], or crystals
    [N][4], over the group's rotations and those of the sample's symmetry, as of odf: [N]. NaN for angles that are; ArgumentError
    for other shapes."""
    one_of(symmetry, "symmetry", SYMMETRIES)
    euler = _orientations(euler, degrees)
    angle = np.empty(len(euler))
    call("sw_disorientation", _group(group), len(euler), euler.ctypes.data, SYMMETRIES[symmetry],
         numbers(reference, "reference", (3,)).ctypes.data, angle.ctypes.data)
    return angle


def miller(hkl, count=3):
    """So many whole numbers, three or, of hexagonal crystals, four: (1, 1, 1), "111", "10-11", "-1 1 0" or "1,-1,0"."""
    words = hkl
    if isinstance(hkl, str):
        words = hkl.replace(",", " ").split()
        compact = len(words) == 1 and re.fullmatch(r"(-?\d)+", words[0])
        words = re.findall(r"-?\d", words[0]) if compact else words
    try:
        found = [int(word) if isinstance(word, str) else whole(word, "hkl", -MOST_INDEX) for word in words]
    except (TypeError, ValueError):
        found = []
    if len(found) != count or not any(found) or max(map(abs, found)) > MOST_INDEX:
        raise ArgumentError(f"hkl = {hkl!r}: need {NUMBERS[count]} whole numbers, not all 0, of at most {MOST_INDEX}")
    if count == 4 and sum(found[:3]) != 0:
        raise ArgumentError(f"hkl = {hkl!r}: h + k + i = {sum(found[:3])}: need 0")
    return tuple(found)


def normal(hkl, group="432", c_over_a=None, b_over_a=None):
    """A pole's direction along the crystal's axes, a along x and c along z: [3], as of pole_figure."""
    for name, ratio in (("c_over_a", c_over_a), ("b_over_a", b_over_a)):
        if ratio is not None and not 0 < number(ratio, name) < math.inf:
            raise ArgumentError(f"{name} = {ratio}: need a number above 0")
    if b_over_a is not None and group != "222":
        raise ArgumentError(f"b_over_a = {b_over_a}: group = {group}: only crystals of the group 222 have a b of their own")
    if group == "222" and (b_over_a is None) != (c_over_a is None):
        raise ArgumentError(f"hkl = {hkl!r}: need b_over_a and c_over_a of orthorhombic crystals, or neither")
    four = isinstance(hkl, str) or len(np.shape(hkl)) == 1 and len(hkl) == 4
    if group != "622" or not four:
        if group == "622" and c_over_a is not None:
            raise ArgumentError(f"hkl = {hkl!r}: need four whole numbers, h k i l, of hexagonal crystals")
        h, k, l = miller(hkl)
        return np.array([h, k / (b_over_a or 1), l / (c_over_a if group in ("422", "222") and c_over_a is not None else 1)])
    h, k, _, l = miller(hkl, 4)
    if c_over_a is None and l != 0 and (h, k) != (0, 0):
        raise ArgumentError(f"hkl = {hkl!r}: need c_over_a of hexagonal crystals beside it")
    return np.array([h, (h + 2 * k) / math.sqrt(3), l / (c_over_a or 1)])
