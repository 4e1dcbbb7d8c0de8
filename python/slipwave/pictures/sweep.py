"""Errors that `slipwave sweep` found: log-log, with the fitted line and its slope.

Of a cost sweep: error against time per crystal-step, a mark a solver.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from .common import COLOURS, InputError, Results, argument_parser, label_log_axis, main_of, text

XLABEL = {
    "terms": "Fourier terms",
    "refinement": "Refinement multiplier",
    "grid": r"Grid points of $\varphi_1$",
    "cost": "Time per crystal-step (s)",
}
CURVE = {"sigma12": r"$\sigma_{12}$", "sigma11 - sigma33": r"$\sigma_{11} - \sigma_{33}$"}
MARKS = {"terms": "o", "grid": "s", "tabulated": "v", "rigid_plastic": "^", "elastoplastic": "P", "iterative": "D"}


class Sweep(Results):
    """The group /sweep; InputError when it is not one."""

    program, formats = "slipwave sweep", {"slipwave-sweep": 1}

    def __init__(self, path):
        super().__init__(path)
        with self.file:
            group = self.group("sweep")
            self.vary = self.text("vary", group)
            if self.vary not in XLABEL:
                raise InputError(f"{path}: /sweep varies '{self.vary}': need one of {', '.join(XLABEL)}")
            self.reference = self.text("reference", group)
            curve = self.text("curve", group)
            self.value = self.array("value", None, where=group)
            rows = len(self.value)
            self.errors = [("tensor", "", self.array("error", rows, where=group)),
                           (CURVE.get(curve, curve), "curve_", self.array("curve_error", rows, where=group))]
            self.seconds = self.array("seconds_per_crystal_step", rows, where=group)
            self.fitted = self.array("fitted", rows, where=group) > 0
            self.solver = self.texts(group, "solver", rows)
            self.device = self.texts(group, "device", rows) if "device" in group else None
            self.label = self.texts(group, "label", rows)
            self.set_up, self.generation = (  # s; None of former files
                self.array(name, rows, where=group) if name in group else None for name in ("set_up", "generation"))
            self.material = self.text("material", group) if "material" in group.attrs else ""
            self.scatter = [self.number(name, group) if name in group.attrs else 0
                            for name in ("curve_scatter", "scatter")]
            self.crystals, self.steps = (int(self.number(name, group)) for name in ("crystals", "steps"))
            self.law = {name: self.number(name, group)
                        for prefix in ("", "curve_") for name in (f"{prefix}slope", f"{prefix}coefficient")}

    def texts(self, group, name, rows):
        item = group.get(name)
        if getattr(item, "shape", None) != (rows,) or item.dtype.kind not in "SO":
            raise InputError(f"{self.path}: /sweep/{name} is missing or no list of {rows} texts")
        return np.array([text(one) for one in item[()]])

    def x(self):
        return self.seconds if self.vary == "cost" else self.value

    def varies(self):
        """Rows that what varies is of: others stand beside the terms of a series."""
        return (self.solver == "terms") | (self.vary != "terms")

    def devices(self):
        """"DEVICE" of all rows, or "terms, grid: DEVICE; iterative: DEVICE"; "" of files that do not say."""
        of = {} if self.device is None else {
            device: dict.fromkeys(self.solver[self.device == device]) for device in dict.fromkeys(self.device)}
        return "; ".join(device if len(of) == 1 else f"{', '.join(solvers)}: {device}"
                         for device, solvers in of.items())

    def line(self, prefix):
        """x and y of the fitted line, or None."""
        slope, coefficient = self.law[f"{prefix}slope"], self.law[f"{prefix}coefficient"]
        x = np.sort(self.x()[self.fitted])
        return (x, coefficient * x**slope) if len(x) and np.isfinite(slope * coefficient) else None


def plot_scaling(axes, sweep):
    for colour, mark, (name, prefix, error) in zip(COLOURS, "os", sweep.errors):
        for solver in dict.fromkeys(sweep.solver[~sweep.varies()]):
            level = error[sweep.solver == solver].min()
            if level > 0:
                axes.axhline(level, color=colour, linewidth=0.5, linestyle=":")
                axes.annotate(solver, (1, level), xycoords=("axes fraction", "data"), ha="right", fontsize=6)
        shown = (error > 0) & sweep.varies()
        axes.plot(sweep.x()[shown], error[shown], mark, color=colour, markersize=5,
                  markerfacecolor=colour if mark == "o" else "none")
        line = sweep.line(prefix)
        label = name if line is None else f"{name}, slope {sweep.law[f'{prefix}slope']:.2f}"
        axes.plot(*(line or ([], [])), "-" if mark == "o" else "--", marker=mark, markevery=[], markersize=5,
                  markerfacecolor=colour if mark == "o" else "none", color=colour, label=label)


def plot_cost(axes, sweep):
    for filled, (name, prefix, error) in zip((True, False), sweep.errors):
        for colour, (solver, mark) in zip(COLOURS, MARKS.items()):
            chosen = (sweep.solver == solver) & (error > 0)
            order = np.argsort(sweep.value[chosen], kind="stable")
            axes.plot(sweep.seconds[chosen][order], error[chosen][order], mark, color=colour,
                      linestyle="-" if filled else ":", linewidth=0.8, markersize=5,
                      markerfacecolor=colour if filled else "none", label=f"{solver}, {name}")
    line = sweep.line("")
    if line is not None:
        axes.plot(*line, color="black", linewidth=0.8, label=f"terms, tensor: slope {sweep.law['slope']:.2f}")


def plot(sweep):
    figure = Figure(figsize=(5.2, 3.9), layout="constrained")
    axes = figure.add_subplot(xlabel=XLABEL[sweep.vary], ylabel="Relative $L^2$ error of the stress history",
                              xscale="log", yscale="log")
    axes.set_title("\n".join(filter(None, (f"against {sweep.reference}", sweep.devices()))), fontsize=8)
    (plot_cost if sweep.vary == "cost" else plot_scaling)(axes, sweep)
    if sweep.vary != "cost":
        axes.set_xticks(np.unique(sweep.value[(sweep.errors[0][2] > 0) & sweep.varies()]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
    label_log_axis(axes.yaxis)
    axes.grid(alpha=0.25)
    if sweep.vary == "cost":  # as many lines as leave no room within
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
        figure.set_figwidth(7.4)
    else:
        axes.legend(frameon=False, fontsize=8)
    return figure


def arguments():
    return argument_parser(__doc__, "SWEEP.h5", several=False)


def figure(options):
    return plot(Sweep(options.results))


main = main_of(arguments, figure)
