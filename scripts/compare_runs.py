#!/usr/bin/env python3
"""Errors of runs of `slipwave taylor` against a reference run of the same job, and their speed.

Errors are relative L2 norms over the whole history, in time. "curve" is of the stress component that the
loading is judged by: sigma11 - sigma33 in plane strain compression, sigma12 in shear, von Mises' stress
otherwise. "tensor" is of the deviatoric Cauchy stress, all components (Frobenius norm).
"""

import argparse

import numpy as np

from slipwave_results import InputError, deviator, open_results, run, von_mises

# loading: name of the curve, curve of deviatoric stress [n][3][3]
CURVES = {
    "plane strain": ("sigma11 - sigma33", lambda s: s[:, 0, 0] - s[:, 2, 2]),
    "shear": ("sigma12", lambda s: s[:, 0, 1]),
}
OTHERWISE = ("von Mises", von_mises)


def norm(time, values):
    """L2 norm in time by the trapezoid rule; values [n] or [n][3][3]."""
    square = values.reshape(len(time), -1) ** 2
    square = square.sum(axis=1)
    return np.sqrt(np.sum(0.5 * (square[1:] + square[:-1]) * np.diff(time)))


def history(results):
    time = results.array("history/time", None)
    stress = results.array("history/cauchy_stress", len(time), 3, 3)
    if len(time) < 2:
        raise InputError(f"{results.path}: /history holds no step")
    return time, deviator(stress)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULT.h5")
    parser.add_argument("--reference", required=True, metavar="RESULT.h5", help="the run to measure against")
    options = parser.parse_args()
    with open_results([options.reference, *options.results]) as [(reference, _), *_]:
        title, curve = CURVES.get(reference.loading(), OTHERWISE)
        time, exact = history(reference)
        crystals = reference.number("crystals")
        name = reference.label()
    print(f"Error against {name}, relative L2; curve: {title}; {crystals:.0f} crystals, {len(time) - 1} steps")
    print(f"{'solver':<22}{'curve':>10}{'tensor':>10}{'time':>10}{'crystal-steps/s':>18}")
    with open_results(options.results) as results:
        for one, label in results:
            its_time, stress = history(one)
            if its_time.shape != time.shape or not np.allclose(its_time, time, rtol=1e-9):
                raise InputError(f"{one.path}: other time steps than in {reference.path}")
            if one.number("crystals") != crystals:
                raise InputError(f"{one.path}: another number of crystals than in {reference.path}")
            errors = [norm(time, f(stress) - f(exact)) / norm(time, f(exact)) for f in (curve, lambda s: s)]
            print(f"{label:<22}{errors[0]:>10.2%}{errors[1]:>10.2%}{one.number('wall_time'):>8.2f} s"
                  f"{one.number('crystal_steps_per_second'):>18.3g}")


if __name__ == "__main__":
    run(main)
