"""Families of slip systems in results of `slipwave taylor`: the share that each has in the slip of every step, what it has come
to, and the fractions of twins, with what of the crystals has turned into them.
"""

import numpy as np
from matplotlib.figure import Figure

from ..curves import equivalent_strain
from .common import COLOURS, InputError, argument_parser, main_of, open_results


def name_of(family):
    return family.replace("_", " ")


def draw_shares(axes, strain, slip):
    """Stacked, so that the families' order is that of the legend. A step in which nothing slips has no share."""
    step = np.diff(np.array(list(slip.values())), axis=1)
    total = step.sum(axis=0)
    share = np.divide(step, total, out=np.full_like(step, np.nan), where=total > 0)
    axes.stackplot(np.repeat(strain, 2)[1:-1], np.repeat(100 * np.nan_to_num(share), 2, axis=1), labels=map(name_of, slip),
                   colors=COLOURS, alpha=0.85, linewidth=0)
    axes.set(ylabel="Share in the slip of a step (%)", ylim=(0, 100), title="Relative activity")


def draw_slip(axes, strain, slip):
    for i, (family, values) in enumerate(slip.items()):
        axes.plot(strain, values, color=COLOURS[i % len(COLOURS)], label=name_of(family))
    axes.set(ylabel="Accumulated slip of a crystal, mean", ylim=(0, None), title="Slip")


def draw_twins(axes, strain, twins, turned, families):
    for family, values in twins.items():
        colour = COLOURS[families.index(family) % len(COLOURS)]
        axes.plot(strain, 100 * values, color=colour, label=f"{name_of(family)}: slip over twinning shear")
        if np.any(turned.get(family, 0) > 0):
            axes.plot(strain, 100 * turned[family], "--", color=colour, label=f"{name_of(family)}: crystals turned")
    if max(values.max() for values in twins.values()) > 1:  # more than there is: nothing of it was turned in time
        axes.axhline(100, color="0.4", linestyle=":", linewidth=0.9)
    axes.set(ylabel="Volume fraction (%)", ylim=(0, None), title="Twins")


def plot(history, path, title):
    if not history.family_slip:
        raise InputError(f"{path}: /history/family_slip is missing: one family of slip systems, or results of a version before "
                         "there were families")
    strain, families = equivalent_strain(history), list(history.family_slip)
    panels = 3 if history.twin_fraction else 2
    figure = Figure(figsize=(3.5 * panels, 3.6), layout="constrained")
    figure.get_layout_engine().set(wspace=0.06)
    axes = figure.subplots(1, panels)
    draw_shares(axes[0], strain, history.family_slip)
    draw_slip(axes[1], strain, history.family_slip)
    if history.twin_fraction:
        draw_twins(axes[2], strain, history.twin_fraction, history.turned_fraction, families)
        axes[2].legend(frameon=False, fontsize=8)
    axes[1].legend(frameon=False, fontsize=8)
    for one in axes:
        one.set(xlabel="Von Mises equivalent strain", xlim=(0, strain[-1] or 1))
        one.grid(alpha=0.25)
    figure.suptitle(title)
    return figure


def arguments():
    return argument_parser(__doc__, several=False)


def figure(options):
    with open_results([options.results]) as [(results, label)]:
        return plot(results.history, results.path, f"{results.path.stem}: {label}")


main = main_of(arguments, figure)
