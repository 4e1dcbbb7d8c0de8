"""Forces on walls of `slipwave dem` over time, and over how far their servo moved them. For dem.py --show walls."""

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, DASHES, InputError, unit_of

MOST = 4  # walls of a job


def pressed(file):
    """Numbers of the walls of an h5py.File that something presses, from 1."""
    return [k for k in range(1, MOST + 1) if f"history/wall_force_{k}" in file and np.nansum(np.abs(file[f"history/wall_force_{k}"])) > 0]


def plot_walls(files, _options):
    figure = Figure(figsize=(8.4, 3.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    lines = []
    for i, (results, name) in enumerate(files):
        walls, k = pressed(results.file), int(np.flatnonzero(results.good)[0])
        if not walls:
            raise InputError(f"{results.path}: nothing presses a wall")
        for wall in walls:
            time, force, travel = (results.history(one)[k] for one in ("time", f"wall_force_{wall}", f"wall_travel_{wall}"))
            label = ", ".join(filter(None, (name if len(files) > 1 else "", f"wall {wall}")))
            lines.append((label, COLOURS[(wall - 1) % len(COLOURS)], DASHES[i % len(DASHES)], time, force, travel))
    of_force, newtons = unit_of(np.concatenate([line[4] for line in lines]), "N")
    of_travel, metres = unit_of(np.concatenate([line[5] for line in lines]), "m")
    of_time, seconds = unit_of(np.concatenate([line[3] for line in lines]), "s")
    for label, colour, dash, time, force, travel in lines:
        left.plot(of_time * time, of_force * force, dash, color=colour, linewidth=1.2, label=label)
        right.plot(of_travel * travel, of_force * force, dash, color=colour, linewidth=1.2)
    left.set(xlabel=f"Time ({seconds})", ylabel=f"Force on the wall ({newtons})")
    right.set(xlabel=f"Travel of the wall ({metres})", ylabel=f"Force on the wall ({newtons})")
    for axes in (left, right):
        axes.grid(alpha=0.25)
    left.legend(frameon=False)
    if len(files) == 1:
        figure.suptitle(files[0][0].title())
    return figure
