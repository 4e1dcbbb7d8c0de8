"""Which solver for how many crystals, from cost sweeps of `slipwave sweep`: error against time, a panel a material, and a table.

Of several sweeps of one material the largest error, the shortest times and the most steps of each row count. Time: the database's
making, set-up and steps of 1e3 to 1e9 crystals. Error: the solver's, and beside it the scatter of so many random crystals.
"""

import numpy as np
from matplotlib.figure import Figure

from .sweep import Sweep
from .common import COLOURS, InputError, argument_parser, label_log_axis, save

CRYSTALS = 10.0 ** np.arange(3, 10)
MEASURES = ("curve", "whole tensor")
ASKED = ((0.005,), (0.01, 0.05))  # of each measure, for the table


class Front:
    """Rows of sweeps of one material: label, solver, error [measure], and seconds; scatter [measure] of one crystal."""

    def __init__(self, sweeps):
        rows = [dict(zip(sweep.label, range(len(sweep.label)))) for sweep in sweeps]
        self.label = [label for label in rows[0] if all(label in row for row in rows)]

        def of_all(column):
            return np.array([[column(sweep)[row[label]] for label in self.label] for sweep, row in zip(sweeps, rows)])

        self.solver = [sweeps[0].solver[rows[0][label]] for label in self.label]
        self.error = [of_all(lambda sweep, k=k: sweep.errors[k][2]).max(axis=0) for k in (1, 0)]
        self.steps = max(sweep.steps for sweep in sweeps)
        self.per_crystal = self.steps * of_all(lambda sweep: sweep.seconds).min(axis=0)
        self.set_up = of_all(lambda sweep: sweep.set_up).min(axis=0)
        self.generation = of_all(lambda sweep: sweep.generation).min(axis=0)
        self.scatter = [max(sweep.scatter[k] * sweep.crystals**0.5 for sweep in sweeps) for k in range(2)]

    def time(self, crystals, generated=True):
        return generated * self.generation + self.set_up + crystals * self.per_crystal

    def cheapest(self, measure, error, crystals, generated=True):
        """Number of the cheapest row of at most that error, or None."""
        good = np.flatnonzero(self.error[measure] <= error)
        return good[np.argmin(self.time(crystals, generated)[good])] if len(good) else None


def read(paths):
    """Front of each material, in the order of the files."""
    sweeps = {}
    for path in paths:
        sweep = Sweep(path)
        if sweep.vary != "cost" or sweep.set_up is None:
            raise InputError(f"{path}: need a sweep of cost, with set-up times (by {sweep.program} of this version)")
        sweeps.setdefault(sweep.material, []).append(sweep)
    return {material: Front(of_it) for material, of_it in sweeps.items()}


def seconds(value):
    return f"{value:.2g} s" if value < 99.5 else f"{value:.0f} s" if value < 9999.5 else f"{value:.1e} s"


def table(fronts):
    """Markdown: the cheapest row at asked errors, a database's making counted; without it where that changes the answer."""
    heads = [f"{measure} {100 * error:g} %" for k, measure in enumerate(MEASURES) for error in ASKED[k]]
    lines = ["| Crystals | Material | Scatter of seeds, curve / tensor | " + " | ".join(heads) + " |",
             "|" + "---|" * (3 + len(heads))]
    for crystals in CRYSTALS:
        for material, front in fronts.items():
            cells = [f"{crystals:.0e}".replace("+0", ""), material,
                     " / ".join(f"{100 * scatter / crystals**0.5:.2g} %" for scatter in front.scatter)]
            for measure in range(2):
                for error in ASKED[measure]:
                    cells.append(cell(front, measure, error, crystals))
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(front, measure, error, crystals):
    best, made = (front.cheapest(measure, error, crystals, generated) for generated in (True, False))
    if best is None:
        return "none"
    text = f"{front.label[best]}: {seconds(front.time(crystals)[best])}"
    if made != best:
        text += f" ({front.label[made]} that is there: {seconds(front.time(crystals, False)[made])})"
    return text


def draw(axes, front, measure):
    colours = dict(zip(("terms", "grid", "tabulated", "rigid_plastic", "elastoplastic", "iterative"), COLOURS))
    error = np.hypot(front.error[measure][:, None], front.scatter[measure] / CRYSTALS**0.5)
    time = np.array([front.time(crystals) for crystals in CRYSTALS]).T
    for solver, colour in colours.items():
        for row in (i for i, name in enumerate(front.solver) if name == solver):
            axes.plot(time[row], error[row], "-", color=colour, marker=".", markersize=3, linewidth=0.6, alpha=0.7)
        axes.plot([], [], color=colour, label=solver)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(alpha=0.25)


def plot(fronts):
    figure = Figure(figsize=(max(2.6 * len(fronts) + 0.6, 4.2), 5.2), layout="constrained")
    panels = figure.subplots(2, len(fronts), sharex=True, sharey="row", squeeze=False)
    for column, (material, front) in enumerate(fronts.items()):
        panels[0, column].set_title(material.replace(" (", "\n("), fontsize=9)
        for measure in range(2):
            draw(panels[measure, column], front, measure)
        panels[1, column].set_xlabel(f"s for {front.steps} steps", fontsize=9)
    for measure, name in enumerate(MEASURES):
        panels[measure, 0].set_ylabel(f"relative $L^2$ error, {name}", fontsize=9)
        label_log_axis(panels[measure, 0].yaxis)
    panels[0, 0].legend(frameon=False, fontsize=7)
    said = (r"Points of a line: $10^3$ to $10^9$ crystals.", "Error: the solver's and the scatter of so many random crystals.",
            "Time: a database's making, set-up, steps")
    figure.suptitle((" " if len(fronts) > 3 else "\n").join(said), fontsize=8)
    return figure


def arguments():
    return argument_parser(__doc__, "SWEEP.h5")


def figure(options):
    return plot(read(options.results))


def main():
    """With the table."""
    options = arguments().parse_args()
    fronts = read(options.results)
    save(plot(fronts), options.output)
    print(table(fronts))
