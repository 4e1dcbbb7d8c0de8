#!/usr/bin/env python3
"""Errors of runs of `slipwave taylor` against a reference run of the same job, and their speed.

Errors are relative L2 norms over the whole history, in time. "curve" is of the stress component that the
loading is judged by: sigma11 - sigma33 in plane strain compression, sigma12 in shear, von Mises' stress
otherwise. "tensor" is of the deviatoric Cauchy stress, all components (Frobenius norm).
"""

import argparse

import numpy as np

from slipwave_results import InputError, open_results, run


def deviator(stress):
    return stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)


# loading: name of the curve, curve of deviatoric stress [n][3][3]
CURVES = {
    "plane strain": ("sigma11 - sigma33", lambda s: s[:, 0, 0] - s[:, 2, 2]),
    "shear": ("sigma12", lambda s: s[:, 0, 1]),
    "other": ("von Mises", lambda s: np.sqrt(1.5 * np.sum(s**2, axis=(1, 2)))),
}


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


def number(results, name):
    attributes = results.group("run").attrs
    if name not in attributes:
        raise InputError(f"{results.path}: /run lacks the attribute {name}")
    return float(np.ravel(attributes[name])[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULT.h5")
    parser.add_argument("--reference", required=True, metavar="RESULT.h5", help="the run to measure against")
    options = parser.parse_args()
    with open_results([options.reference, *options.results]) as [(reference, _), *_]:
        title, curve = CURVES[reference.loading()]
        time, exact = history(reference)
        crystals = number(reference, "crystals")
        name = reference.label()
    print(f"Error against {name}, relative L2; curve: {title}; {crystals:.0f} crystals, {len(time) - 1} steps")
    print(f"{'solver':<22}{'curve':>10}{'tensor':>10}{'time':>10}{'crystal-steps/s':>18}")
    with open_results(options.results) as results:
        for one, label in results:
            its_time, stress = history(one)
            if its_time.shape != time.shape or not np.allclose(its_time, time, rtol=1e-9):
                raise InputError(f"{one.path}: other time steps than in {reference.path}")
            if number(one, "crystals") != crystals:
                raise InputError(f"{one.path}: another number of crystals than in {reference.path}")
            errors = [norm(time, f(stress) - f(exact)) / norm(time, f(exact)) for f in (curve, lambda s: s)]
            print(f"{label:<22}{errors[0]:>10.2%}{errors[1]:>10.2%}{number(one, 'wall_time'):>8.2f} s"
                  f"{number(one, 'crystal_steps_per_second'):>18.3g}")


if __name__ == "__main__":
    run(main)
