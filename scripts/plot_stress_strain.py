#!/usr/bin/env python3
"""Stress-strain curves of `slipwave taylor`. A curve begins at the end of the first step.

A reference is a CSV file: '#' starts a comment, the first other line names the columns, the first column
is the strain of the horizontal axis and every other one a stress in MPa, drawn as points under its name.
"""

import numpy as np

from slipwave_results import InputError, argument_parser, csv_lines, labelled, open_results, run, save
from slipwave.curves import COMPONENTS, component_of, stress_strain


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


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--component", choices=[*COMPONENTS, "uniaxial"],
                        help="11, 22, 33: deviatoric; psc is 11-33; uniaxial: along the axis of tension or "
                        "compression, lateral sides free; left out: by the loading of the first file")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv",
                        help="may be repeated")
    parser.add_argument("--labels", nargs="+", metavar="TEXT", help="of the curves, instead of their solvers")
    for axis in ("strain", "stress"):
        parser.add_argument(f"--{axis}-range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of the axis shown")
    options = parser.parse_args()
    references = [series for path in options.reference for series in read_reference(path)]
    with open_results(options.results) as results:
        component = component_of(results[0][0].history, options.component, results[0][0].path)
        axes = stress_strain(*(one for one, _ in results), component=component,
                             labels=labelled(options.labels, [label for _, label in results]), references=references)
        for limits, function in ((options.strain_range, axes.set_xlim), (options.stress_range, axes.set_ylim)):
            if limits:
                function(*limits)
        save(axes.figure, options.output)


if __name__ == "__main__":
    run(main)
