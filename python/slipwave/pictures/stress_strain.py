"""Stress-strain curves of `slipwave taylor`. A curve begins at the end of the first step.

A reference is a text of columns (docs/file-formats.md, section Measured curves) whose first line names them: the first is
the strain of the horizontal axis, every other one a stress in MPa, or in the unit that its name ends in, drawn as points
under its name without that. Engineering ones, by their names, become true where the curve is of tension or compression.
Of compression sizes are drawn, whether a file has these or its signs.
"""

import numpy as np

from .common import InputError, argument_parser, labelled, main_of, open_results
from ..curves import ALONG, COMPONENTS, UNIAXIAL, component_of, components_of, curve, stress_strain
from ..measured import STRAIN, STRESS, Table, base_of_name, check_strain, check_stress, find_unit

COMPRESSION = [UNIAXIAL[name] for name in UNIAXIAL if name.startswith("compression")]


def way(values):
    """Sign of the first of [n] that is more than a tenth of the largest: which way a curve sets out."""
    size = np.abs(np.nan_to_num(values))
    return np.sign(values[np.argmax(size > 0.1 * size.max())])


def sizes(place, strain, stress):
    """Of compression: a file's own signs are negative. InputError where they are of one column alone."""
    if way(strain) * way(stress) < 0:
        raise InputError(f"{place}: compression: strains and stresses of opposite signs: need both negative, or sizes of both")
    sign = -1 if way(strain) < 0 else 1
    return sign * strain, sign * stress


def true_curve(place, strain, stress, compressed):
    """Of engineering strains and stresses: those of a volume that stays. compressed: they are sizes."""
    sign = -1 if compressed else 1
    if not np.all(sign * strain > -1):
        raise InputError(f"{place}: engineering strains of {np.min(sign * strain):g}: need more than -1")
    return sign * np.log1p(sign * strain), stress * (1 + sign * strain)


def as_drawn(place, strain, stress, components, engineering):
    """Strain and stress as the axes have them: of compression sizes, and true ones."""
    compressed = {component in COMPRESSION for component in components}
    negative = way(strain) < 0
    if True in compressed:
        strain, stress = sizes(place, strain, stress)
    if not engineering:
        return strain, stress
    if not set(components) <= set(UNIAXIAL.values()):
        raise InputError(f"{place}: engineering: need true ones, or curves of tension or compression along an axis")
    if len(compressed) > 1 and not negative:
        raise InputError(f"{place}: engineering, beside runs of tension and of compression: need true ones, or of compression negative ones")
    return true_curve(place, strain, stress, True in compressed)


def read_reference(path, components, computed):
    """[(label, strain, stress in MPa)]: one per column after the first; empty cells are left out. components: rows of COMPONENTS
    that are drawn; computed: strains, and stresses in Pa, beside which it is drawn."""
    table = Table(path)
    if len(table.names) < 2:
        raise InputError(f"{path}: need a first line of names: a column of strain and one or more of stress")
    file_strain, unit = table.numbers(0, STRAIN, empty=True), table.unit(0, STRAIN)
    if unit is None:
        check_strain(table, file_strain, computed[0])
    series = []
    for k, name in list(enumerate(table.names))[1:]:
        strain, values = file_strain * (unit.factor if unit else 1), table.numbers(k, STRESS, empty=True)
        unit_of_stress = table.unit(k, STRESS, find_unit("MPa"))
        check_stress(table, values, unit_of_stress, computed[1])
        stress = values * unit_of_stress.factor / 1e6
        measures = {table.measure(column) for column in (0, k)} - {None}
        if len(measures) > 1:
            raise InputError(f"{path}: columns '{table.names[0]}' and '{name}': need both true or both engineering")
        label = base_of_name(name) or name
        known = np.isfinite(strain) & np.isfinite(stress)
        strain, stress = strain[known], stress[known]
        if len(strain):
            strain, stress = as_drawn(f"{path}: '{name}'", strain, stress, components, True in measures)
        label += ", as true ones" if True in measures else ""
        series.append((label, strain, stress))
    return series


def arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("--component", choices=[*COMPONENTS, "uniaxial"],
                        help="11, 22, 33: deviatoric; psc is 11-33; uniaxial: along the axis of tension or "
                        "compression, lateral sides free; left out: by the files' loadings")
    parser.add_argument("--reference", action="append", default=[], metavar="FILE.csv",
                        help="may be repeated")
    parser.add_argument("--labels", nargs="+", metavar="TEXT", help="of the curves, instead of their solvers")
    for axis in ("strain", "stress"):
        parser.add_argument(f"--{axis}-range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of the axis shown")
    return parser


def figure(options):
    with open_results(options.results) as results:
        histories = [one.history for one, _ in results]
        components = components_of(histories, options.component, [one.path for one, _ in results])
        drawn = [np.concatenate(values) for values in zip(*map(curve, histories, components))]
        computed = drawn[0], 1e6 * drawn[1]
        rows = components[:1] if components[0][1] != ALONG[0] else [component_of(history) for history in histories]
        references = [series for path in options.reference for series in read_reference(path, rows, computed)]
        axes = stress_strain(*histories, component=options.component,
                             labels=labelled(options.labels, [label for _, label in results]), references=references)
        for limits, function in ((options.strain_range, axes.set_xlim), (options.stress_range, axes.set_ylim)):
            if limits:
                function(*limits)
        return axes.figure


main = main_of(arguments, figure)
