"""Fits of `slipwave forming`: what was measured, the fitted curves and what is between them.

Above, measured stresses are points, the fitted material's curves lines; below are the residuals, fitted less measured,
with the standard deviation of a stress as a band, where the job gives it. In the figure: the values that were found with
their standard uncertainties. Curves of compression are drawn upwards.
"""

import math
from pathlib import Path

from .common import InputError, Results, argument_parser, labelled, main_of, text
from ..curves import Fitted, fitted_curves


class Fit(Results):
    """A results file with the group /fit."""

    program = "slipwave forming"
    formats = {"slipwave-forming": 1, "slipwave-forming-tasks": None}
    unmarked = False

    def curves(self):
        groups = self.group("fit/curves")
        known = self.number("deviations_known", self.group("fit"))
        return [self.curve(groups[name], known) for name in sorted(groups, key=int)]

    def curve(self, group, known):
        strain = self.array("strain", None, where=group)
        names = [text(self.attribute(f"{what}_component", group)) for what in ("strain", "stress")]
        values = {name: self.array(name, len(strain), where=group) / 1e6 for name in ("stress", "residual")}
        line = self.array("model_strain", None, where=group)
        return Fitted(Path(text(self.attribute("file", group))).stem, *names, strain, values["stress"],
                      values["residual"], line, self.array("model_stress", len(line), where=group) / 1e6,
                      self.number("deviation", group) / 1e6 if known else None)

    def findings(self):
        """A line for each parameter: initial hardening rate = 180.7 ± 1.0 MPa."""
        group = self.group("fit")
        keys, units = (text(self.attribute(name, group)).split() for name in ("parameters", "units"))
        if len(keys) != len(units):
            raise InputError(f"{self.path}: /fit has {len(keys)} parameters and {len(units)} units")
        values, uncertainties = (self.array(name, len(keys), where=group) for name in ("value", "uncertainty"))
        return [finding(*row) for row in zip(keys, units, values, uncertainties)]


def finding(key, unit, value, uncertainty):
    """Without its uncertainty where that is not known (NaN)."""
    scale, name = (1e6, "MPa") if unit == "Pa" else (1, "" if unit == "1" else unit)
    value, uncertainty = value / scale, uncertainty / scale
    digits = 1 - math.floor(math.log10(uncertainty)) if 0 < uncertainty < math.inf else 3  # two of the uncertainty
    digits = max(0, digits)
    known = "" if math.isnan(uncertainty) else f" ± {uncertainty:.{digits}f}"
    return f"{key.split('.')[-1].replace('_', ' ')} = {value:.{digits}f}{known} {name}".strip()


def arguments():
    parser = argument_parser(__doc__, several=False)
    parser.add_argument("--labels", nargs="+", metavar="TEXT", help="of the curves, instead of their files' names")
    return parser


def figure(options):
    with Fit(options.results) as fit:
        curves = fit.curves()
        labels = labelled(options.labels, [curve.label for curve in curves])
        figure = fitted_curves([curve._replace(label=label) for curve, label in zip(curves, labels)], fit.findings())
        return figure


main = main_of(arguments, figure)
