"""Decks that `slipwave fem` has run, in the units of the deck: RESULT.h5, its energies, the largest displacement and stress and
Newton's iterations over time. Fields are drawn as those of jobs (fem.py).
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..history import von_mises
from ..results import Results
from .common import COLOURS, InputError, argument_parser, main_of

# Outer faces of VTK's cells, by their corners, from outside; of a plane cell itself. Nodes between corners are not drawn.
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
WEDGE = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)]
HEXAHEDRON = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
SOLIDS = {10: TETRAHEDRON, 24: TETRAHEDRON, 13: WEDGE, 26: WEDGE, 12: HEXAHEDRON, 25: HEXAHEDRON}
BARS = {3: [(0, 1)], 21: [(0, 1)]}
PLANES = {5: [(0, 1, 2)], 22: [(0, 1, 2)], 9: [(0, 1, 2, 3)], 23: [(0, 1, 2, 3)]}
NODES = {3: 2, 21: 3, 10: 4, 24: 10, 13: 6, 26: 15, 12: 8, 25: 20, 5: 3, 22: 6, 9: 4, 23: 8}

ENERGIES = {"external_work": "work of loads", "elastic_energy": "elastic", "plastic_dissipation": "plastic", "creep_dissipation": "creep",
            "contact_work": "contact", "spring_energy": "springs", "thermal_work": "thermal", "artificial_energy": "artificial"}
TENSOR = np.array([[0, 5, 4], [5, 1, 3], [4, 3, 2]])  # places in 11 22 33 23 13 12
VTK_TENSOR = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])  # in 11 22 33 12 23 13


def is_of_deck(grid):
    """Whether a group /VTKHDF is of a deck: its nodes have densities of energy."""
    return "energy_density" in grid.get("PointData", {})


def outside(grid, array):
    """(corners [n][4] of faces that only one cell has, a triangle's last one twice; cells [n]; whether they are solids) of the group
    /VTKHDF, whose datasets array(name) reads. Where there is nothing else bars, [a, b, b, a]. InputError as text after the file's name."""
    kind, offset, nodes = (array(name).astype(np.int64) for name in ("Types", "Offsets", "Connectivity"))
    n_points = len(grid["Points"])
    if len(offset) != len(kind) + 1 or (len(nodes) and not (0 <= nodes.min() and nodes.max() < n_points)):
        raise InputError("VTKHDF: cells of nodes that are not there")
    solid = bool(np.isin(kind, list(SOLIDS)).any())
    faces, cells = [], []
    for vtk, sides in (SOLIDS if solid else PLANES if np.isin(kind, list(PLANES)).any() else BARS).items():
        chosen = np.flatnonzero(kind == vtk)
        if len(chosen) and (offset[chosen] < 0).any() or (len(chosen) and offset[chosen].max() + NODES[vtk] > len(nodes)):
            raise InputError("VTKHDF: cells of nodes that are not there")
        for side in sides:
            corner = nodes[offset[chosen][:, None] + np.array(side)]
            if len(side) == 2:
                corner = corner[:, [0, 1, 1, 0]]
            elif len(side) == 3:  # that the largest comes last, and twice: neighbours agree
                turn = (np.argmax(corner, axis=1)[:, None] + 1 + np.arange(3)) % 3
                corner = np.take_along_axis(corner, turn, axis=1)[:, [0, 1, 2, 2]]
            faces.append(corner)
            cells.append(chosen)
    if not sum(map(len, faces)):
        raise InputError("VTKHDF: no cells but points, which are not drawn")
    face, cell = np.concatenate(faces), np.concatenate(cells)
    if solid:
        _, first, count = np.unique(np.sort(face, axis=1), axis=0, return_index=True, return_counts=True)
        alone = np.sort(first[count == 1])
        face, cell = face[alone], cell[alone]
    return face, cell, solid


def tensors(rows, places):
    """[n][3][3] of [n][6]."""
    return rows[:, places]


class Deck(Results):
    """A results file of a deck."""

    program, formats = "slipwave fem", None

    def of_fields(self):
        """(time [k], largest displacement [k], largest von Mises stress [k], largest contact pressure [k] or None) of the fields kept."""
        groups = [group for _, group in sorted(self.file.get("fields", {}).items())]
        rows = [(self.number("time", group), np.linalg.norm(self.array("displacement", None, 3, where=group), axis=1).max(),
                 von_mises(tensors(self.array("stress", None, 6, where=group), TENSOR)).max(),
                 self.array("contact_pressure", None, where=group).max() if "contact_pressure" in group else np.nan) for group in groups]
        return np.array(rows).reshape(-1, 4).T


def curve(axes, time, values, label=None, **style):
    axes.plot(np.append(0, time), np.append(0, values), label=label, **{"marker": "o", "markersize": 3, **style})


def bars(axes, newton):
    """Iterations over increments; of a few increments narrow."""
    axes.bar(np.arange(1, len(newton) + 1), newton, width=min(0.8, 0.1 * len(newton)), color=COLOURS[0])
    axes.set(xlim=(0.4, len(newton) + 0.6), xlabel="Increment", ylabel="Newton iterations", title="Iterations")


def plot(deck):
    time, newton = deck.array("history/time", None), deck.array("history/newton", None)
    figure = Figure(figsize=(9, 6.2), layout="constrained")
    energies, moved, stressed, iterations = figure.subplots(2, 2).flat
    drawn = [(deck.array(f"history/{name}", len(time)), label) for name, label in ENERGIES.items() if f"history/{name}" in deck.file]
    for i, (values, label) in enumerate(one for one in drawn if np.any(one[0])):
        of_loads = {"linestyle": "--", "markersize": 6, "markerfacecolor": "none", "zorder": 3} if label == ENERGIES["external_work"] else {}
        curve(energies, time, values, label, color=COLOURS[i % len(COLOURS)], **of_loads)  # seen where another energy is all of it
    energies.set(xlabel="Time", ylabel="Energy", title="Energies")
    at, displacement, stress, pressure = deck.of_fields()
    curve(moved, at, displacement)
    moved.set(xlabel="Time", ylabel="Displacement", title="Largest displacement", ylim=(0, None))
    curve(stressed, at, stress, "von Mises stress")
    if np.any(pressure > 0):
        curve(stressed, at, pressure, "contact pressure", color=COLOURS[1])
    stressed.set(xlabel="Time", ylabel="Stress", title="Largest of the nodes' stresses", ylim=(0, None))
    bars(iterations, newton)
    for axis in (iterations.xaxis, iterations.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    for axes in (energies, moved, stressed):
        axes.grid(alpha=0.25)
    for axes in (energies, stressed):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize=8)
    figure.suptitle(f"{deck.path.stem}: in the units of the deck")
    return figure


def arguments():
    return argument_parser(__doc__, several=False)


def figure(options):
    with Deck(options.results) as deck:
        return plot(deck)


main = main_of(arguments, figure)
