"""Results of `slipwave vpsc`: average stress over strain, von Mises' of both, and iterations of the self-consistent scheme.
Stresses are in the unit of the crystal files, which VPSC8's own are in MPa.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .common import COLOURS, DASHES, Results, argument_parser, main_of, open_results


class VpscResults(Results):
    program, formats, unmarked = "slipwave vpsc", {"slipwave-vpsc": 1}, False

    def label(self):
        return self.path.stem


def plot(results):
    figure = Figure(figsize=(8.4, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    for i, (one, label) in enumerate(results):
        rows = len(one.array("history/von_mises_strain", None))
        strain, stress, process, iterations = (
            one.array(f"history/{name}", rows)
            for name in ("von_mises_strain", "von_mises_stress", "process", "iterations"))
        begins = 1 + np.flatnonzero(np.diff(process) != 0)  # processes are loadings of their own
        style = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}
        left.plot(np.insert(strain, begins, np.nan), np.insert(stress, begins, np.nan), label=label, **style)
        right.plot(strain, iterations, label=label, **style)
    left.set(xlabel="Von Mises equivalent strain", ylabel="Von Mises stress (unit of the crystal files)", xlim=(0, None),
             ylim=(0, None))
    right.set(xlabel="Von Mises equivalent strain", ylabel="Iterations of a step", xlim=(0, None), ylim=(0, None))
    right.yaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in (left, right):
        axes.grid(alpha=0.25)
    if len(results) > 1:
        left.legend(frameon=False)
    else:
        figure.suptitle(results[0][1])
    return figure


def arguments():
    return argument_parser(__doc__)


def figure(options):
    with open_results(options.results, VpscResults) as results:
        return plot(results)


main = main_of(arguments, figure)
