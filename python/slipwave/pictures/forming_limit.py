"""Forming limit diagrams of `slipwave forming` (its section forming_limit): limit strains of several files with their
paths, and beside them the angle at which the first band necked, in the sheet as it was and at that time.

--part: in-plane principal logarithmic strains of a part's elements, of the fields of `slipwave fem`, as dots; at rest the
sheet's normal is axis 3, or --normal, and turns with the part. Elements above the limit are counted, the limit at their strain ratio between points of the first
file.

Open marks: a path that reached the strain limit without a neck. References are texts of columns (docs/file-formats.md,
section Measured curves) named minor and major, of strains or, by their names, percent.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, DASHES, InputError, Results, argument_parser, labelled, main_of, open_results
from ..measured import STRAIN, Table
from .fem import Grid

VOIGT = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]  # of fields
NO_NECK = 2  # of `end`


class Limits(Results):
    """The group /forming_limit; InputError when there is none."""

    program, formats, unmarked = "slipwave forming", {"slipwave-forming": 1, "slipwave-forming-tasks": None}, False

    def __init__(self, path):
        super().__init__(path)
        if "forming_limit" not in self.file:
            raise InputError(f"{path}: has no forming limits: the job's section `forming_limit` asks for them")
        group = self.group("forming_limit")
        ratio = self.array("ratio", None, where=group)
        order = np.argsort(ratio, kind="stable")
        n = len(ratio)
        self.ratio = ratio[order]
        self.strain = self.array("strain", n, 2, where=group)[order]
        self.angle = np.degrees(self.array("angle", n, where=group)[order])
        self.final_angle = np.degrees(self.array("final_angle", n, where=group)[order])
        self.necked = self.array("end", n, where=group)[order] != NO_NECK
        self.imperfection = self.number("imperfection", group)

    def label(self):
        solver, crystals = self.text("solver", self.group("run")), self.number("crystals", self.group("run"))
        return f"{crystals:,.0f} crystals, {solver}, $f_0$ = {self.imperfection:g}"


def read_reference(path):
    """Name, minor and major strains."""
    table = Table(path)
    return str(path), np.transpose([table.si(name, STRAIN) for name in ("minor", "major")])


def draw_paths(axes, limits):
    for minor, major in limits.strain[:, ::-1]:
        axes.plot([0, minor], [0, major], color="0.85", linewidth=0.6, zorder=0)


def draw_limits(axes, limits, colour, dash, label):
    minor, major = limits.strain[:, 1], limits.strain[:, 0]
    axes.plot(minor, major, dash, color=colour, linewidth=1.2, label=label)
    for shown, face in ((limits.necked, colour), (~limits.necked, "white")):
        axes.plot(minor[shown], major[shown], "o", color=colour, markerfacecolor=face, markersize=4)


def draw_angles(axes, limits, colour):
    axes.plot(limits.ratio, limits.angle, "o--", color=colour, markersize=3, linewidth=0.8)
    axes.plot(limits.ratio, limits.final_angle, "o-", color=colour, markersize=3, linewidth=1.2)


def deformed_normals(grid, displacement, normal):
    """[n][3] of each cell's middle: where the plane across axis `normal` at rest has gone, F^-T N."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=float)
    if grid.solid:
        corners = np.block([[corners, -np.ones((4, 1))], [corners, np.ones((4, 1))]])
    d = corners.shape[1]
    at_rest, gone = (np.einsum("nai,aj->nij", field[grid.cell][:, :, :d], corners)
                     for field in (grid.point, grid.point + displacement))
    gradient = np.tile(np.eye(3), (len(grid.cell), 1, 1))
    try:
        gradient[:, :d, :d] = gone @ np.linalg.inv(at_rest)
        across = np.linalg.inv(gradient)[:, normal - 1, :]
    except np.linalg.LinAlgError:
        raise InputError(f"{grid.path}: cells without a volume") from None
    return across / np.linalg.norm(across, axis=1, keepdims=True)


def principal_strains(path, normal):
    """Minor and major strains [n][2] of a part at finite strains in the sheet's plane as it is now: of ln V across the normal
    that has been axis `normal`."""
    with Grid(path) as grid:
        for name in "logarithmic_strain", "displacement":
            if name not in grid.names():
                raise InputError(f"--part {path}: has no {name}: need fields of a run with strain: finite")
        strain, displacement = grid.field("logarithmic_strain")[1], grid.field("displacement")[1]
        if strain.shape != (len(grid.cell), len(VOIGT)) or not np.isfinite(strain).all():
            raise InputError(f"--part {path}: logarithmic_strain: need {len(VOIGT)} finite numbers an element")
        if displacement.shape != grid.point.shape or not np.isfinite(displacement).all():
            raise InputError(f"--part {path}: displacement: need 3 finite numbers a node")
        across = deformed_normals(grid, displacement, normal)
    tensor = np.empty((len(strain), 3, 3))
    for k, (i, j) in enumerate(VOIGT):
        tensor[:, i, j] = tensor[:, j, i] = strain[:, k]
    plane = np.linalg.svd(across[:, None, :])[2][:, 1:, :]  # two directions of it [n][2][3]
    return np.linalg.eigvalsh(np.einsum("nai,nij,nbj->nab", plane, tensor, plane))


def beyond(points, limits):
    """Which of [n][2] are above the limit at their ratio, linear between the limit's; only where it has ratios."""
    minor, major = points.T
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(major > 0, minor / major, np.nan)
    known = (ratio >= limits.ratio[0]) & (ratio <= limits.ratio[-1])
    return known & (major > np.interp(np.nan_to_num(ratio), limits.ratio, limits.strain[:, 0]))


def draw_part(axes, path, points, limits):
    above = beyond(points, limits)
    for shown, colour, what in ((~above, "0.45", ""), (above, COLOURS[1], "above the limit")):
        if shown.any():
            axes.plot(*points[shown].T, ".", color=colour, markersize=3, zorder=1,
                      label=f"{Path(path).stem}: {shown.sum():,} elements{' ' if what else ''}{what}")


def plot(results, labels, references, parts=()):
    figure = Figure(figsize=(8.2, 3.9), layout="constrained")
    diagram, angles = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_paths(diagram, max((one for one, _ in results), key=lambda one: one.strain[:, 0].max()))
    for i, ((limits, _), label) in enumerate(zip(results, labels)):
        colour = COLOURS[i % len(COLOURS)]
        draw_limits(diagram, limits, colour, DASHES[i // len(COLOURS) % len(DASHES)], label)
        draw_angles(angles, limits, colour)
    for (name, points), mark in zip(references, "s^vD" * len(references)):
        diagram.plot(points[:, 0], points[:, 1], mark, color="black", markerfacecolor="none", markersize=4, label=name)
    for path, points in parts:
        draw_part(diagram, path, points, results[0][0])
    diagram.axvline(0, color="0.7", linewidth=0.7, zorder=0)
    diagram.set(xlabel="Minor strain $\\varepsilon_2$", ylabel="Major strain $\\varepsilon_1$")
    diagram.set_ylim(bottom=0)
    diagram.legend(frameon=False, fontsize=8)
    angles.plot([], [], "o--", color="0.4", markersize=3, linewidth=0.8, label="at the beginning")
    angles.plot([], [], "o-", color="0.4", markersize=3, linewidth=1.2, label="at the neck")
    angles.set(xlabel="Strain ratio $\\rho = \\varepsilon_2 / \\varepsilon_1$",
               ylabel="Normal of the band to the major axis (°)")
    angles.legend(frameon=False, fontsize=8)
    return figure


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--labels", nargs="+", help="of the files")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv")
    parser.add_argument("--part", action="append", default=[], metavar="FIELDS.vtkhdf", help="may be repeated")
    parser.add_argument("--normal", type=int, choices=(1, 2, 3), default=3, help="of the sheet in it (3)")
    return parser


def figure(options):
    references = [read_reference(path) for path in options.reference]
    parts = [(path, principal_strains(path, options.normal)) for path in options.part]
    with open_results(options.results, Limits) as results:
        labels = labelled(options.labels, [label for _, label in results])
        return plot(results, labels, references, parts)


main = main_of(arguments, figure)
