"""Stress-strain curves of polycrystals: which component of stress goes over which strain."""

from collections import namedtuple

import numpy as np
from matplotlib.figure import Figure

from .errors import ArgumentError, InputError
from .figures import COLOURS, DASHES
from .history import LOADINGS, deviator, loading_by_stress, loading_of, von_mises

MOST_MARKED = 100  # steps of a curve
NEW_LOADING = 0.2  # change of the velocity gradient, over its size, where no large component stays as it is
LARGE = 0.5  # of the largest component


def integral(history, i, j):
    """Of L_ij dt: the strain along any path, as ln F_ii and F_ij are it along a straight one only."""
    gradient = history.velocity_gradient[:, i, j]  # of the step that ends here
    return np.append(0, np.cumsum(gradient[1:] * np.diff(history.time)))


def equivalent_strain(history):
    """Integral of sqrt(2/3) ||D||_F dt."""
    return np.sqrt(2 / 3) * history.strain


def stretch(axis, name="True strain"):
    i = axis + 1
    return lambda history: integral(history, axis, axis), rf"{name} $\int L_{{{i}{i}}}\,dt$"


def normal(axis):
    """The average stress is deviatoric: nothing in a prescribed velocity gradient says what the pressure is."""
    i = axis + 1
    return (lambda stress: deviator(stress)[:, axis, axis], rf"Deviatoric Cauchy stress $\sigma'_{{{i}{i}}}$ (MPa)",
            *stretch(axis))


def uniaxial(axis, sign):
    """With free lateral sides, which say what the pressure is; compression (sign -1) is drawn upwards."""
    i, j, k = axis + 1, (axis + 1) % 3, (axis + 2) % 3
    lateral = rf"(\sigma_{{{j + 1}{j + 1}}} + \sigma_{{{k + 1}{k + 1}}})/2"
    label = (rf"Cauchy stress $\sigma_{{{i}{i}}} - {lateral}$ (MPa)" if sign > 0 else
             rf"Compressive Cauchy stress ${lateral} - \sigma_{{{i}{i}}}$ (MPa)")
    return (lambda stress: sign * (stress[:, axis, axis] - (stress[:, j, j] + stress[:, k, k]) / 2), label,
            lambda history: sign * integral(history, axis, axis),
            rf"{'True strain' if sign > 0 else 'Compressive true strain'} "
            rf"${'' if sign > 0 else '-'}\int L_{{{i}{i}}}\,dt$")


# name: stress of [n][3][3], its label; strain of a History, its label
COMPONENTS = {
    "11": normal(0),
    "22": normal(1),
    "33": normal(2),
    "12": (lambda stress: stress[:, 0, 1], r"Cauchy shear stress $\sigma_{12}$ (MPa)",
           lambda history: integral(history, 0, 1), r"Shear strain $\int L_{12}\,dt$"),
    "vonmises": (von_mises, "Von Mises stress (MPa)", equivalent_strain, "Von Mises equivalent strain"),
    "11-33": (lambda stress: stress[:, 0, 0] - stress[:, 2, 2],
              r"Cauchy stress difference $\sigma_{11} - \sigma_{33}$ (MPa)", *stretch(0)),
}
COMPONENTS["psc"] = COMPONENTS["11-33"]  # plane strain compression
UNIAXIAL = {name: uniaxial(int(name[-1]) - 1, 1 if name.startswith("tension") else -1)
            for name in LOADINGS if " along " in name}
OF_LOADING = {"plane strain": COMPONENTS["psc"], "shear": COMPONENTS["12"], **UNIAXIAL}


ALONG = "Cauchy stress along each run's axis, absolute (MPa)", "True strain along each run's axis, absolute"


def judged(history):
    """A history's loading, by its velocity gradient or its stress."""
    loading = loading_of(history.velocity_gradient)
    return loading_by_stress(history.cauchy_stress) if loading == "other" else loading


def components_of(histories, name=None, places=()):
    """A row of COMPONENTS for each history, whose labels are the same: without a name that of their loading where it is one, of tension and
    compression along several axes that along each one's, else von Mises'. InputError as of component_of."""
    rows = [component_of(history, name, place) for history, place in zip(histories, places or ["the run"] * len(histories))]
    if len({row[1:4:2] for row in rows}) == 1:
        return rows
    if all(judged(history) in UNIAXIAL for history in histories):
        return [(stress, ALONG[0], strain, ALONG[1]) for stress, _, strain, _ in rows]
    return [COMPONENTS["vonmises"]] * len(rows)


def component_of(history, name=None, place="the run"):
    """A row of COMPONENTS, or of the history's loading. InputError for an unknown name, and for `uniaxial` of a loading
    that is none."""
    loading = judged(history)
    if name == "uniaxial" and loading not in UNIAXIAL:
        raise InputError(f"component uniaxial: {place} begins with the loading '{loading}'")
    if name not in (None, "uniaxial", *COMPONENTS):
        raise InputError(f"component {name}: need one of {', '.join([*COMPONENTS, 'uniaxial'])}")
    if name in COMPONENTS:
        return COMPONENTS[name]
    return OF_LOADING.get(loading, COMPONENTS["vonmises"])


def curve(history, component):
    """Strain and stress (MPa) from the end of the first step on, with NaN between loadings: what happens within the
    first step of a loading, elastic where the solver knows elasticity, is not resolved."""
    stress_of, _, strain_of, _ = component
    gradient = history.velocity_gradient
    stress = stress_of(history.cauchy_stress)[1:] / 1e6
    strain = strain_of(history)[1:]
    if not len(stress):
        raise InputError("the history holds no step")
    changes = new_loadings(gradient[1:])
    return np.insert(strain, changes, np.nan), np.insert(stress, changes, np.nan)


def new_loadings(gradients):
    """Which of [n][3][3] differ from the one before as another loading does. Free sides change by as much where a crystal yields, but then
    what is given stays."""
    before, after = gradients[:-1], gradients[1:]
    change = np.abs(after - before)
    size = np.maximum(np.linalg.norm(before, axis=(1, 2)), np.linalg.norm(after, axis=(1, 2)))
    large = np.abs(after) >= LARGE * np.abs(after).max(axis=(1, 2), keepdims=True)
    stays = np.any(large & (change <= 1e-9 * size[:, None, None]), axis=(1, 2))
    return 1 + np.flatnonzero((np.linalg.norm(change, axis=(1, 2)) > NEW_LOADING * size) & ~stays)


def _check(histories, labels, axes):
    if not histories:
        raise ArgumentError("runs: need one or more")
    for history in histories:
        if not hasattr(history, "velocity_gradient"):
            raise ArgumentError(f"runs: {type(history).__name__}: need a History, or what has a history")
    if labels is not None and (isinstance(labels, str) or np.shape(labels) != (len(histories),)):
        raise ArgumentError(f"labels = {labels!r}: need a text for each of {len(histories)} runs")
    if axes is not None and not hasattr(axes, "plot"):
        raise ArgumentError(f"axes: {type(axes).__name__}: need matplotlib's Axes, or None")


def _check_finite(name, strain, stress):
    """InputError where there is no point to draw."""
    if not (np.isfinite(strain) & np.isfinite(stress)).any():
        raise InputError(f"{name}: no step has both a finite strain and a finite stress")


def stress_strain(*runs, component=None, labels=None, references=(), axes=None):
    """Draw stress (MPa) over strain; returns matplotlib's Axes.

    runs: what has a `history` (slipwave.Taylor, slipwave.results.Results), or a History. component: a name of COMPONENTS,
    or uniaxial; None: what the runs' loadings are judged by, of several axes along each one's, of other several von Mises'. labels: of the curves. references: (label, strain, stress
    in MPa), drawn as points. axes: to draw into; None: of a new Figure. A curve begins at the end of the first step.
    InputError for an unknown component, and where nothing is finite; ArgumentError for runs, labels or axes that are none.
    """
    histories = [getattr(run, "history", run) for run in runs]
    _check(histories, labels, axes)
    rows = components_of(histories, component)
    if axes is None:
        axes = Figure(figsize=(5.2, 3.8), layout="constrained").add_subplot()
    axes.set(xlabel=rows[0][3], ylabel=rows[0][1])
    axes.margins(x=0.02)
    for i, (history, row) in enumerate(zip(histories, rows)):
        strain, stress = curve(history, row)
        _check_finite(f"runs: number {i + 1}", strain, stress)
        axes.plot(strain, stress, DASHES[i % len(DASHES)], color=COLOURS[i % len(COLOURS)],
                  label=labels[i] if labels else None, marker="." if len(strain) <= MOST_MARKED else None, markersize=4)
    for i, (label, strain, stress) in enumerate(references):
        _check_finite(f"references: {label}", strain, stress)
        axes.plot(strain, stress, "osD^v"[i % 5], color="black", markerfacecolor="white", markersize=4.5, label=label)
    axes.grid(alpha=0.25)
    strain, stress = (np.concatenate(values) for values in zip(*(line.get_data() for line in axes.lines)))
    if np.nanmin(strain) >= 0:
        axes.set_xlim(left=0)
    if np.nanmin(stress) >= 0:
        axes.set_ylim(bottom=0)
    if labels or references:
        axes.legend(frameon=False)
    return axes


# A measured curve and its fit: names of components as in job files; strain and stress (MPa) of points, residuals there
# (MPa), the line, and the standard deviation of a stress (MPa), None: not known.
Fitted = namedtuple("Fitted", "label strain_component stress_component strain stress residual line_strain line_stress "
                              "deviation")


def upwards(curve):
    """Of compression the sizes: of a curve whose strains and stresses are all negative."""
    if np.all(curve.line_strain <= 0) and np.all(curve.line_stress <= 0):
        turned = ("strain", "stress", "residual", "line_strain", "line_stress")
        return curve._replace(**{name: -getattr(curve, name) for name in turned})
    return curve


def fitted_label(curves):
    """Labels of the axes: components where all curves have the same."""
    strains, stresses = ({getattr(curve, name) for curve in curves} for name in ("strain_component", "stress_component"))
    strain, stress = (names.pop() if len(names) == 1 else "" for names in (strains, stresses))
    shear = strain and strain[0] != strain[1]
    symbol = "-".join(rf"\sigma_{{{part}}}" for part in stress.split("-")) if stress else r"\sigma"
    return (rf"Shear strain $\gamma_{{{strain}}}$" if shear else rf"True strain $\varepsilon_{{{strain}}}$",
            rf"Cauchy stress ${symbol}$ (MPa)")


def fitted_curves(curves, findings=()):
    """Draw measured points, fitted lines and, below, the residuals; returns matplotlib's Figure. curves: of Fitted;
    findings: lines that say what was found."""
    figure = Figure(figsize=(5.6, 5.0), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 1.2]})
    xlabel, ylabel = fitted_label(curves)
    above.set(ylabel=ylabel)
    below.set(xlabel=xlabel, ylabel="Residual (MPa)")
    below.axhline(0, color="black", linewidth=0.8)
    for i, curve in enumerate(map(upwards, curves)):
        colour, marker = COLOURS[i % len(COLOURS)], "osD^v"[i % 5]
        points = {"marker": marker, "linestyle": "", "color": colour, "markerfacecolor": "white", "markersize": 4}
        above.plot(curve.strain, curve.stress, label=curve.label, **points)
        above.plot(curve.line_strain, curve.line_stress, color=colour, linewidth=1.2)
        below.plot(curve.strain, curve.residual, **points)
        if curve.deviation is not None:
            below.axhspan(-curve.deviation, curve.deviation, color=colour, alpha=0.12, linewidth=0)
    largest = 1.15 * max(np.max(np.abs(curve.residual)) for curve in curves)
    largest = max(largest, *(1.3 * curve.deviation for curve in curves if curve.deviation), 1e-9)
    below.set_ylim(-largest, largest)
    for axes in (above, below):
        axes.grid(alpha=0.25)
        axes.margins(x=0.02)
    if min(np.min(line.get_ydata()) for line in above.lines) >= 0:
        above.set_ylim(bottom=0)
        above.set_xlim(left=0)
    if findings:
        above.text(0.98, 0.04, "\n".join(findings), transform=above.transAxes, ha="right", va="bottom", fontsize=8)
    above.legend(frameon=False, loc="upper left")
    return figure
