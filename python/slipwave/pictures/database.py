"""Databases of `slipwave-db`: the terms of the series, largest first, with what the first so many of them capture; and of each
of the nine quantities what of its variance the terms that were kept do.
"""

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, InputError, Results, argument_parser, main_of

OUTPUTS = [r"$\sigma'_{11}$", r"$\sigma'_{22}$", r"$\sigma_{12}$", r"$\sigma_{13}$", r"$\sigma_{23}$",
           r"$W^p_{12}$", r"$W^p_{13}$", r"$W^p_{23}$", r"$\Gamma$"]


class Database(Results):
    program, formats, unmarked = "slipwave-db", {"slipwave-database": 1}, False


def plot(database):
    magnitude = database.array("terms/magnitude", None)
    weight = database.array("terms/weight", len(magnitude))
    captured = database.array("accuracy/captured_variance", len(OUTPUTS))
    shape = np.ravel(database.attribute("shape", database.group("grid"))).astype(int)
    if not len(magnitude) or not np.isfinite(magnitude).all():
        raise InputError(f"{database.path}: /terms/magnitude has no finite numbers")
    terms = np.cumsum(weight)  # a pair of conjugates is two, as Malahe (2018) counts them
    squares = np.cumsum((magnitude[1:] if len(magnitude) > 1 else magnitude)**2)
    figure = Figure(figsize=(10.2, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    left.loglog(terms, np.maximum(magnitude, np.finfo(float).tiny), color=COLOURS[0])
    left.set(xlabel="Fourier terms", ylabel="Magnitude of the term", ylim=(max(magnitude.min(), 1e-9 * magnitude.max()), None))
    rest = np.sqrt(np.maximum(1 - squares / max(squares[-1], 1e-300), 0))
    middle.loglog(terms[-len(squares):][:-1], rest[:-1], color=COLOURS[1])
    middle.set(xlabel="Fourier terms", ylabel="Left out: root of the sum of squares")
    missing = np.maximum(1 - captured, 1e-16)
    right.bar(np.arange(len(OUTPUTS)), missing, color=COLOURS[0])
    right.set(yscale="log", ylabel="Variance that the kept terms leave out", ylim=(0.3 * missing.min(), 3 * missing.max()))
    right.set_xticks(np.arange(len(OUTPUTS)), OUTPUTS)
    for axes in (left, middle, right):
        axes.grid(alpha=0.25)
    figure.suptitle(f"{database.path.stem}: {' × '.join(map(str, shape))} points, {terms[-1]:,.0f} terms")
    return figure


def arguments():
    return argument_parser(__doc__, "DATABASE.h5", several=False)


def figure(options):
    with Database(options.results) as database:
        return plot(database)


main = main_of(arguments, figure)
