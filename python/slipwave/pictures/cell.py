"""Cells that repeat, of `slipwave fem` (its section `periodic`): the mean Cauchy stress over the mean strain, and how the
strain's components go with time.

The strain is logarithmic, ln V of the mean deformation gradient; of small strains its symmetric part. The horizontal axis is
the component that becomes largest, of shear the engineering one; stresses and strains below 3 % of the largest are left out.
"""

import numpy as np
from matplotlib.figure import Figure

from ..curves import MOST_MARKED
from ..history import von_mises
from .common import COLOURS, InputError, argument_parser, main_of
from .fem import History

PAIRS = {"11": (0, 0), "22": (1, 1), "33": (2, 2), "23": (1, 2), "13": (0, 2), "12": (0, 1)}
LEAST = 3e-2  # of the largest component: others are not drawn


def strain_of(gradient, finite):
    """[n][3][3]"""
    if not np.isfinite(gradient).all() or (finite and not (np.linalg.det(gradient) > 0).all()):
        raise InputError("/history/mean_deformation_gradient: is none of a body")
    if not finite:
        return (gradient + np.swapaxes(gradient, 1, 2)) / 2 - np.eye(3)
    value, vector = np.linalg.eigh(gradient @ np.swapaxes(gradient, 1, 2))
    return (vector * (np.log(value) / 2)[:, None, :]) @ np.swapaxes(vector, 1, 2)


def size_of(component, tensors):
    i, j = PAIRS[component]
    return np.abs(tensors[:, i, j]).max()


def symbol_of(component, engineering=True):
    shear = component[0] != component[1]
    return rf"$\gamma_{{{component}}}$" if shear and engineering else rf"$\varepsilon_{{{component}}}$"


def values_of(component, strain):
    """Of shear the engineering strain."""
    i, j = PAIRS[component]
    return (1 if i == j else 2) * strain[:, i, j]


def plot(history):
    stress = history.array("history/mean_cauchy_stress", None, 3, 3)
    n = len(stress)
    finite = history.text("strain") != "small"
    try:
        strain = strain_of(history.array("history/mean_deformation_gradient", n, 3, 3), finite)
    except InputError as error:
        raise InputError(f"{history.path}: {error}") from None
    time = np.append(0, history.array("history/time", n))
    stress, strain = (np.concatenate([np.zeros((1, 3, 3)), values]) for values in (stress, strain))
    main = max(PAIRS, key=lambda one: size_of(one, strain) * (1 if one[0] == one[1] else 2))
    figure = Figure(figsize=(8.6, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    marker = "." if n <= MOST_MARKED else None
    largest = max(size_of(one, stress) for one in PAIRS)
    for i, component in enumerate(PAIRS):
        colour, (j, k) = COLOURS[i % len(COLOURS)], PAIRS[component]
        if size_of(component, stress) > LEAST * largest:
            left.plot(100 * values_of(main, strain), 1e-6 * stress[:, j, k], color=colour, marker=marker, markersize=5,
                      label=rf"$\sigma_{{{component}}}$")
        if size_of(component, strain) > LEAST * size_of(main, strain):
            right.plot(time, 100 * values_of(component, strain), color=colour, label=symbol_of(component))
    left.plot(100 * np.abs(values_of(main, strain)) * np.sign(values_of(main, strain)[-1] or 1), 1e-6 * von_mises(stress), "--",
              color="black", linewidth=1, label="von Mises")
    left.set(xlabel=f"{'Logarithmic' if finite else 'Small'} strain {symbol_of(main)} of the cell, mean (%)",
             ylabel="Cauchy stress of the cell, mean (MPa)")
    right.set(xlabel="Time (s)", ylabel="Strain of the cell, mean (%)")
    for axes in (left, right):
        axes.axhline(0, color="0.6", linewidth=0.7, zorder=0)
        axes.margins(x=0.02)
        axes.grid(alpha=0.25)
        axes.legend(frameon=False)
    figure.suptitle(f"{history.path.stem}: {history.number('elements'):,.0f} elements")
    return figure


def arguments():
    return argument_parser(__doc__, several=False)


def figure(options):
    with History(options.results) as history:
        return plot(history)


main = main_of(arguments, figure)
