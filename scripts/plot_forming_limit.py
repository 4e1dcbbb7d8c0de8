#!/usr/bin/env python3
"""Forming limit diagrams of `slipwave forming` (its section forming_limit): limit strains of several files with their
paths, and beside them the angle at which the first band necked, in the sheet as it was and at that time.

Open marks: a path that reached the strain limit without a neck. References are texts of columns (docs/file-formats.md,
section Measured curves) named minor and major, of strains or, by their names, percent.
"""

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import COLOURS, DASHES, InputError, Results, argument_parser, labelled, open_results, run, save
from slipwave.measured import STRAIN, Table

NO_NECK = 2  # of `end`


class Limits(Results):
    """The group /forming_limit; InputError when there is none."""

    program, formats, unmarked = "slipwave forming", {"slipwave-forming": 1}, False

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


def plot(results, labels, references):
    figure = Figure(figsize=(8.2, 3.9), layout="constrained")
    diagram, angles = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_paths(diagram, max((one for one, _ in results), key=lambda one: one.strain[:, 0].max()))
    for i, ((limits, _), label) in enumerate(zip(results, labels)):
        colour = COLOURS[i % len(COLOURS)]
        draw_limits(diagram, limits, colour, DASHES[i // len(COLOURS) % len(DASHES)], label)
        draw_angles(angles, limits, colour)
    for (name, points), mark in zip(references, "s^vD" * len(references)):
        diagram.plot(points[:, 0], points[:, 1], mark, color="black", markerfacecolor="none", markersize=4, label=name)
    diagram.axvline(0, color="0.7", linewidth=0.7, zorder=0)
    diagram.set(xlabel="minor strain $\\varepsilon_2$", ylabel="major strain $\\varepsilon_1$")
    diagram.set_ylim(bottom=0)
    diagram.legend(frameon=False, fontsize=8)
    angles.plot([], [], "o--", color="0.4", markersize=3, linewidth=0.8, label="at the beginning")
    angles.plot([], [], "o-", color="0.4", markersize=3, linewidth=1.2, label="at the neck")
    angles.set(xlabel="strain ratio $\\rho = \\varepsilon_2 / \\varepsilon_1$",
               ylabel="normal of the band to the major axis (degrees)")
    angles.legend(frameon=False, fontsize=8)
    return figure


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--labels", nargs="+", help="of the files")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv")
    options = parser.parse_args()
    references = [read_reference(path) for path in options.reference]
    with open_results(options.results, Limits) as results:
        labels = labelled(options.labels, [label for _, label in results])
        save(plot(results, labels, references), options.output)


if __name__ == "__main__":
    run(main)
