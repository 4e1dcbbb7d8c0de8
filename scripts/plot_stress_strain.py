#!/usr/bin/env python3
"""Stress-strain curves of results files of `slipwave`, as PNG and SVG.

A reference is a CSV file: '#' starts a comment, the first other line names the columns, the first column
is the strain of the horizontal axis and every other one a stress in MPa, drawn as points under its name.
"""

import csv

import numpy as np
from matplotlib.figure import Figure

from slipwave_results import COLOURS, InputError, argument_parser, open_results, run, save

DASHES = ["-", "--", "-.", ":"]


def von_mises(stress):
    deviator = stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * np.sum(deviator**2, axis=(1, 2)))


def true_strain(axis):
    return lambda results: np.log(results.array("history/deformation_gradient", None, 3, 3)[:, axis, axis])


def shear(results):
    return results.array("history/deformation_gradient", None, 3, 3)[:, 0, 1]


def equivalent_strain(results):
    """Integral of sqrt(2/3) ||D||_F dt."""
    return np.sqrt(2 / 3) * results.array("history/strain", None)


def normal(axis):
    name = f"{axis + 1}{axis + 1}"
    return (lambda stress: stress[:, axis, axis], rf"Cauchy stress $\sigma_{{{name}}}$ (MPa)",
            true_strain(axis), rf"True strain $\ln F_{{{name}}}$")


# name: stress of [n][3][3], its label; strain of results, its label
COMPONENTS = {
    "11": normal(0),
    "22": normal(1),
    "33": normal(2),
    "12": (lambda stress: stress[:, 0, 1], r"Cauchy shear stress $\sigma_{12}$ (MPa)",
           shear, r"Shear strain $F_{12}$"),
    "vonmises": (von_mises, "Von Mises stress (MPa)", equivalent_strain, "Von Mises equivalent strain"),
    "11-33": (lambda stress: stress[:, 0, 0] - stress[:, 2, 2],
              r"Cauchy stress difference $\sigma_{11} - \sigma_{33}$ (MPa)",
              true_strain(0), r"True strain $\ln F_{11}$"),
}
COMPONENTS["psc"] = COMPONENTS["11-33"]  # plane strain compression

DEFAULT = {"plane strain": "psc", "shear": "12", "other": "vonmises"}


def read_reference(path):
    """[(label, strain, stress in MPa)]: one per column after the first; empty cells are left out."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(line for line in file if line.strip() and not line.startswith("#"))
        values = [[float(cell) if cell.strip() else np.nan for cell in row] for row in rows]
        columns = np.array(values, dtype=float).reshape(len(values), len(names)).T
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, csv.Error):
        raise InputError(f"{path}: need a line of column names, then rows of as many numbers") from None
    if len(columns) < 2 or not columns.size:
        raise InputError(f"{path}: need a column of strain and one or more of stress (MPa)")
    series = []
    for name, stress in zip(names[1:], columns[1:]):
        known = np.isfinite(columns[0]) & np.isfinite(stress)
        series.append((name.strip(), columns[0][known], stress[known]))
    return series


def plot(results, component, references):
    stress_of, stress_label, strain_of, strain_label = COMPONENTS[component]
    figure = Figure(figsize=(5.2, 3.8), layout="constrained")
    axes = figure.add_subplot(xlabel=strain_label, ylabel=stress_label)
    for i, (one, label) in enumerate(results):
        stress, strain = stress_of(one.array("history/cauchy_stress", None, 3, 3)) / 1e6, strain_of(one)
        if len(stress) != len(strain):
            raise InputError(f"{one.path}: /history holds {len(stress)} stresses for {len(strain)} strains")
        axes.plot(strain, stress, DASHES[i % len(DASHES)], color=COLOURS[i % len(COLOURS)], label=label)
    for i, (label, strain, stress) in enumerate(references):
        axes.plot(strain, stress, "osD^v"[i % 5], color="black", markerfacecolor="white", markersize=4.5,
                  label=label)
    axes.grid(alpha=0.25)
    axes.margins(x=0.02)
    if stress_of(results[0][0].array("history/cauchy_stress", None, 3, 3)).min(initial=0) >= 0:
        axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--component", choices=COMPONENTS,
                        help="psc is 11-33; left out: by the loading of the first file")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv",
                        help="may be repeated")
    options = parser.parse_args()
    references = [series for path in options.reference for series in read_reference(path)]
    with open_results(options.results) as results:
        component = options.component or DEFAULT[results[0][0].loading()]
        save(plot(results, component, references), options.output)


if __name__ == "__main__":
    run(main)
