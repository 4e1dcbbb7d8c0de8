"""Yield surfaces of `slipwave dem` (its section `probes`): deviator over mean stress where copies of an element yielded,
with the state that they began from, unloaded, and lines of equal ratio of the two. For dem.py --show yield."""

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, DASHES, InputError


def surface(results, k):
    """Angles of one element's points, their pressures and deviators, MPa, in order; without those that did not yield."""
    directions = len(results.array("probes/angle", None))
    angle = results.array("probes/angle", directions)
    pressure = results.array("probes/pressure", results.n, directions)[k]
    deviator = results.array("probes/deviator", results.n, directions)[k]
    yielded = np.isfinite(pressure)
    return angle[yielded], 1e-6 * pressure[yielded], 1e-6 * deviator[yielded]


def closed(values, all_yielded):
    return np.append(values, values[:1]) if all_yielded else values


def draw_element(axes, results, k, colour, dash, name):
    directions = len(results.array("probes/angle", None))
    angle, pressure, deviator = surface(results, k)
    if len(angle) == 0:
        raise InputError(f"{results.path}: no copy of element {k} yielded")
    whole = len(angle) == directions
    axes.plot(closed(pressure, whole), closed(deviator, whole), f"o{dash}", color=colour, markersize=3, linewidth=1,
              label=name)
    axes.plot(1e-6 * results.array("probes/start_pressure", results.n)[k],
              1e-6 * results.array("probes/start_deviator", results.n)[k], "*", color=colour, markersize=9)


def plot_yield(files, _options):
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.subplots()
    for i, (results, name) in enumerate(files):
        if "probes" not in results.file:
            raise InputError(f"{results.path}: has no probes: the job's section `probes` asks for them")
        for k in np.flatnonzero(results.good):
            draw_element(axes, results, k, COLOURS[i % len(COLOURS)], DASHES[k % len(DASHES)], name if k == 0 else None)
    axes.axhline(0, color="0.7", linewidth=0.7, zorder=0)
    axes.axvline(0, color="0.7", linewidth=0.7, zorder=0)
    axes.plot([], [], "*", color="0.4", markersize=9, label="before unloading")
    axes.set(xlabel="Mean stress p (MPa), compression positive", ylabel="Axial less lateral stress q (MPa)")
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend(frameon=False, fontsize=8)
    return figure
