#!/usr/bin/env python3
"""Why forming limits of crystals fall to the right of plane strain: Marciniak and Kuczynski's problem with the surface of
crystals that no longer turn. Needs the package slipwave and its library (SW_BIN=build).

A band across the major axis (angle 0, D22 > 0) of a sheet that is isotropic in its plane has no shear. Then all that the
crystals answer is sigma11 and the slip rate at each D22 / D11, at one slip resistance s and rate; both go with s, and the
first as the rate to the power m. What is left is one equation for D11 of the band. The surface is taken of random crystals
and of those that the sheet has after some stretching, by the solver rigid_plastic, which answers without a step.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import slipwave  # noqa: E402

RATE = 1e-3  # 1/s


def gradient(ratio):
    return RATE * np.diag([1, ratio, -1 - ratio])


def surface(response, crystals):
    """sigma11 over s and the slip rate over D11, at these D22 / D11."""
    ratios = np.linspace(0, 1, 41)
    rows = []
    for ratio in ratios:
        answer = response.evaluate(gradient(ratio), crystals)
        stress = answer.stress.mean(axis=0, dtype=float)
        rows.append(((stress[0] - stress[2]) / crystals[:, 3].mean(dtype=float),
                     answer.slip_rate.mean(dtype=float) / RATE))
    return ratios, *np.transpose(rows)


def hardened(material, slip):
    """Slip resistance after so much slip: ds/dslip = h0 (1 - s/s_s)^a."""
    law, s0 = material["hardening"], material["slip"]["initial_slip_resistance"]
    q, saturation = law["exponent"] - 1, law["saturation_resistance"]
    left = 1 - s0 / saturation
    return saturation * (1 - (left**-q + q * law["initial_hardening_rate"] / saturation * slip) ** (-1 / q))


def limit(ratio, table, material, f, necking=10, step=2e-4, most=1.0):
    """Major strain of the sheet at the neck, by Euler's rule in steps that shorten as the band becomes fast."""
    ratios, stress, slip = table
    m = material["slip"]["rate_sensitivity"]
    slip_of_sheet = np.interp(ratio, ratios, slip)
    strain = 0.01 / slip_of_sheet
    band_slip, band_thinning = 0.01, (1 + ratio) * strain
    while strain < most:
        force = hardened(material, slip_of_sheet * strain) * np.interp(ratio, ratios, stress)
        wanted = force * np.exp(band_thinning - (1 + ratio) * strain) / (f * hardened(material, band_slip))
        low, high = 1.0, 1e6  # D11 of the band over the sheet's, whose stress grows with it
        while high > low * (1 + 1e-12):
            x = np.sqrt(low * high)
            low, high = (x, high) if np.interp(ratio / x, ratios, stress) * x**m < wanted else (low, x)
        if x >= necking and strain > 0.02:
            return strain
        h = step / x**2
        strain += h
        band_slip += h * x * np.interp(ratio / x, ratios, slip)
        band_thinning += h * (x + ratio)
    return np.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--material", default="data/materials/copper-ofhc.yaml")
    parser.add_argument("--crystals", type=int, default=2000)
    parser.add_argument("--imperfection", type=float, default=0.99)
    parser.add_argument("--strain", type=float, default=0.2, help="major strain that makes the texture (0.2)")
    options = parser.parse_args()
    material = slipwave.Material(options.material)
    response = slipwave.Response("rigid_plastic", material=material)
    print(" ratio   random  as stretched   sigma11 of plane strain over the sheet's: random, as stretched")
    for ratio in (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0):
        crystals = slipwave.random_crystals(options.crystals, material)
        tables = [surface(response, crystals)]
        for _ in range(round(options.strain / 0.005)):
            response.step(gradient(ratio), 0.005 / RATE, crystals)
        tables.append(surface(response, crystals))
        limits = [limit(ratio, table, material.values, options.imperfection) for table in tables]
        sharp = [table[1][0] / np.interp(ratio, *table[:2]) for table in tables]
        print(f"{ratio:6.2f}  {limits[0]:7.4f}  {limits[1]:12.4f}   {sharp[0]:7.4f} {sharp[1]:7.4f}", flush=True)


if __name__ == "__main__":
    main()
