#!/usr/bin/env python3
"""Stress-strain curves of `slipwave taylor`. A curve begins at the end of the first step.

A reference is a CSV file: '#' starts a comment, the first other line names the columns, the first column
is the strain of the horizontal axis and every other one a stress in MPa, drawn as points under its name.
"""

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import (COLOURS, DASHES, LOADINGS, InputError, argument_parser, csv_lines, deviator, open_results,
                              run, save, von_mises)

MOST_MARKED = 100  # steps of a curve


def integral(results, i, j):
    """Of L_ij dt: the strain along any path, as ln F_ii and F_ij are it along a straight one only."""
    time = results.array("history/time", None)
    gradient = results.array("history/velocity_gradient", len(time), 3, 3)[:, i, j]  # of the step that ends here
    return np.append(0, np.cumsum(gradient[1:] * np.diff(time)))


def equivalent_strain(results):
    """Integral of sqrt(2/3) ||D||_F dt."""
    return np.sqrt(2 / 3) * results.array("history/strain", None)


def stretch(axis, name="True strain"):
    i = axis + 1
    return lambda results: integral(results, axis, axis), rf"{name} $\int L_{{{i}{i}}}\,dt$"


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
            lambda results: sign * integral(results, axis, axis),
            rf"{'True strain' if sign > 0 else 'Compressive true strain'} "
            rf"${'' if sign > 0 else '-'}\int L_{{{i}{i}}}\,dt$")


# name: stress of [n][3][3], its label; strain of results, its label
COMPONENTS = {
    "11": normal(0),
    "22": normal(1),
    "33": normal(2),
    "12": (lambda stress: stress[:, 0, 1], r"Cauchy shear stress $\sigma_{12}$ (MPa)",
           lambda results: integral(results, 0, 1), r"Shear strain $\int L_{12}\,dt$"),
    "vonmises": (von_mises, "Von Mises stress (MPa)", equivalent_strain, "Von Mises equivalent strain"),
    "11-33": (lambda stress: stress[:, 0, 0] - stress[:, 2, 2],
              r"Cauchy stress difference $\sigma_{11} - \sigma_{33}$ (MPa)", *stretch(0)),
}
COMPONENTS["psc"] = COMPONENTS["11-33"]  # plane strain compression
UNIAXIAL = {name: uniaxial(int(name[-1]) - 1, 1 if name.startswith("tension") else -1)
            for name in LOADINGS if " along " in name}
OF_LOADING = {"plane strain": COMPONENTS["psc"], "shear": COMPONENTS["12"], **UNIAXIAL}


def component_of(results, name):
    """A row of COMPONENTS, or of the file's loading."""
    loading = results.loading()
    if name == "uniaxial" and loading not in UNIAXIAL:
        raise InputError(f"--component uniaxial: {results.path} begins with the loading '{loading}'")
    if name in COMPONENTS:
        return COMPONENTS[name]
    return OF_LOADING.get(loading, COMPONENTS["vonmises"])


def curve(results, stress_of, strain_of):
    """Strain and stress (MPa) from the end of the first step on, with NaN between loadings: what happens within the
    first step of a loading, elastic where the solver knows elasticity, is not resolved."""
    gradient = results.array("history/velocity_gradient", None, 3, 3)
    stress = stress_of(results.array("history/cauchy_stress", len(gradient), 3, 3))[1:] / 1e6
    strain = strain_of(results)[1:]
    if not len(stress) or len(stress) != len(strain):
        raise InputError(f"{results.path}: /history holds {len(stress)} steps with stress, {len(strain)} with strain")
    changes = 1 + np.flatnonzero(np.any(gradient[2:] != gradient[1:-1], axis=(1, 2)))
    return np.insert(strain, changes, np.nan), np.insert(stress, changes, np.nan)


def read_reference(path):
    """[(label, strain, stress in MPa)]: one per column after the first; empty cells are left out."""
    lines = [cells for _, cells in csv_lines(path)]
    try:
        names, *rows = lines
        values = [[float(cell or "nan") for cell in row] for row in rows]
        columns = np.array(values, dtype=float).reshape(len(values), len(names)).T
    except ValueError:
        raise InputError(f"{path}: need a line of column names, then rows of as many numbers") from None
    if len(columns) < 2 or not columns.size:
        raise InputError(f"{path}: need a column of strain and one or more of stress (MPa)")
    series = []
    for name, stress in zip(names[1:], columns[1:]):
        known = np.isfinite(columns[0]) & np.isfinite(stress)
        series.append((name, columns[0][known], stress[known]))
    return series


def plot(results, component, references):
    stress_of, stress_label, strain_of, strain_label = component
    figure = Figure(figsize=(5.2, 3.8), layout="constrained")
    axes = figure.add_subplot(xlabel=strain_label, ylabel=stress_label)
    axes.margins(x=0.02)
    for i, (one, label) in enumerate(results):
        strain, stress = curve(one, stress_of, strain_of)
        axes.plot(strain, stress, DASHES[i % len(DASHES)], color=COLOURS[i % len(COLOURS)], label=label,
                  marker="." if len(strain) <= MOST_MARKED else None, markersize=4)
    for i, (label, strain, stress) in enumerate(references):
        axes.plot(strain, stress, "osD^v"[i % 5], color="black", markerfacecolor="white", markersize=4.5,
                  label=label)
    axes.grid(alpha=0.25)
    strain, stress = (np.concatenate(values) for values in zip(*(line.get_data() for line in axes.lines)))
    if np.nanmin(strain) >= 0:
        axes.set_xlim(left=0)
    if np.nanmin(stress) >= 0:
        axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--component", choices=[*COMPONENTS, "uniaxial"],
                        help="11, 22, 33: deviatoric; psc is 11-33; uniaxial: along the axis of tension or "
                        "compression, lateral sides free; left out: by the loading of the first file")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv",
                        help="may be repeated")
    options = parser.parse_args()
    references = [series for path in options.reference for series in read_reference(path)]
    with open_results(options.results) as results:
        component = component_of(results[0][0], options.component)
        save(plot(results, component, references), options.output)


if __name__ == "__main__":
    run(main)
