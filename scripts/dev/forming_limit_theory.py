#!/usr/bin/env python3
"""Forming limits by Marciniak and Kuczynski of an isotropic sheet, by another way than `slipwave forming`: no crystals,
but Hosford's yield function (exponent 2: von Mises; 8: what crystals of random orientation come close to), a hardening
curve and a rate sensitivity, and no steps with equilibrium at their ends, but the rates at an instant, integrated.

Without a file: a power law, and the exact solution of its plane strain point (Hutchinson & Neale, Acta Metall. 25
(1977) 839, there for a bar). With RESULT.h5 of `slipwave forming` and the curve of the same crystals in plane strain, by
`slipwave taylor`:

    scripts/dev/forming_limit_theory.py --result limit.h5 --plane-strain plane.h5 --rate-sensitivity 0.012
"""

import argparse
from functools import partial

import h5py
import numpy as np

ANGLES = np.radians(np.arange(0, 46, 3.0))  # of bands
LEAST = 1e-3  # strain that sheet and band begin with: a power law has no stress at 0


# ---- Hosford's yield function in plane stress ----


def yield_stress(s11, s22, s12, a):
    """The equivalent stress, and its slopes by s11, s22 and 2 s12."""
    mean, half = 0.5 * (s11 + s22), 0.5 * (s11 - s22)
    radius = np.maximum(np.hypot(half, s12), 1e-300)
    p, q = mean + radius, mean - radius
    size = np.maximum(np.maximum(abs(p), abs(q)), abs(p - q))
    powers = [np.abs(x / size) ** a for x in (p, q, p - q)]
    phi = size * (0.5 * sum(powers)) ** (1 / a)
    slope = [0.5 * np.sign(x) * np.abs(x / phi) ** (a - 1) for x in (p, q, p - q)]
    by_p, by_q = slope[0] + slope[2], slope[1] - slope[2]
    even, odd = 0.5 * (by_p + by_q), 0.5 * (by_p - by_q)
    return phi, even + odd * half / radius, even - odd * half / radius, odd * s12 / radius


def root(function, low, high):
    """Of a rising function, element by element, by halving."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        rises = function(middle) < 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return 0.5 * (low + high)


def sheet_of(ratio, a):
    """s22 / s11 of a sheet with D22 / D11 = ratio, its equivalent stress over s11, equivalent strain rate over D11."""
    def miss(x):
        _, by11, by22, _ = yield_stress(1.0, x, 0.0, a)
        return by22 - ratio * by11
    x = float(root(miss, np.array(-1.0), np.array(1.0)))
    phi, by11, _, _ = yield_stress(1.0, x, 0.0, a)
    return x, float(phi), 1 / float(by11)


# ---- Marciniak and Kuczynski ----


def rates(t, state, sheet, ratio, angle0, f, a, m, hardening):
    """D of the band, equivalent and 33, at D11 = 1 of the sheet and a reference rate of 1; state: equivalent strain of
    the band, logarithm of its thickness; sheet: of sheet_of."""
    strain, log_thickness = state
    x, phi_a, rate_a = sheet
    angle = np.arctan(np.tan(angle0) * np.exp((1 - ratio) * t))
    c, s = np.cos(angle), np.sin(angle)
    s1 = hardening(LEAST + rate_a * t) * rate_a**m / phi_a
    across, shear = s1 * (c * c + x * s * s), s1 * s * c * (x - 1)
    thinner = np.exp(-(1 + ratio) * t - log_thickness) / f
    nn, nt = across * thinner, shear * thinner
    along_rate = s * s + ratio * c * c
    strength = hardening(strain)

    def flow(tt):
        phi, by_nn, by_tt, _ = yield_stress(nn, tt, nt, a)
        return (phi / strength) ** (1 / m), by_nn, by_tt

    def miss(tt):
        rate, _, by_tt = flow(tt)
        return rate * by_tt - along_rate

    size = 4 * np.maximum(abs(nn), strength)
    rate, by_nn, by_tt = flow(root(miss, -size, size))
    return np.array([rate, -rate * (by_nn + by_tt)])


def limit(ratio, angles, f, a, m, hardening, necking=10, step=2e-3, most=2.0):
    """Major strain of the sheet at the first neck over these angles (rad), and its angle at the beginning. Midpoint rule;
    steps shorten as strains that are left do."""
    state = np.array([np.full(len(angles), LEAST), np.zeros(len(angles))])
    sheet = sheet_of(ratio, a)
    t = 0.0
    while t < most:
        first = rates(t, state, sheet, ratio, angles, f, a, m, hardening)
        fastest = first[0].max() / sheet[2]
        if fastest >= necking:
            return t, np.degrees(angles[np.argmax(first[0])])
        h = min(step, 0.05 * state[0].min() / sheet[2]) / max(fastest, 1) ** 2
        state = state + h * rates(t + h / 2, state + h / 2 * first, sheet, ratio, angles, f, a, m, hardening)
        t += h
    return np.nan, np.nan


def exact_plane_strain(f, m, curve, necking=10, most=3.0, points=400001):
    """The same at D22 = 0 from one curve of plane strain, stress over strain: forces of band and sheet are equal at any
    time, so that  integral of (stress exp(-strain))^(1/m) d(strain)  over the sheet is f^(1/m) times that over the
    band, and the rates are as the integrands."""
    e = np.linspace(1e-6, most, points)
    log_force = np.log(curve(e)) - e
    g = np.exp((log_force - log_force.max()) / m)
    whole = np.concatenate([[0], np.cumsum(0.5 * (g[1:] + g[:-1]) * np.diff(e))])
    sheet = np.interp(f ** (1 / m) * whole, whole, e)  # of each band strain
    ratio = np.interp(sheet, e, g) / (f ** (1 / m) * g)
    first = np.flatnonzero((ratio >= necking) & (e > 0.01))
    return sheet[first[0]] if len(first) else np.nan


# ---- Cases ----


def power_law(n):
    return lambda strain: np.maximum(strain, LEAST) ** n


def report_power_law(n, m, f):
    print(f"power law n = {n:g}, m = {m:g}, f = {f:g}; major limit strain")
    print(" ratio   von Mises  angle   Hosford 8  angle")
    for ratio in (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0):
        found = [limit(ratio, ANGLES, f, a, m, power_law(n)) for a in (2, 8)]
        print(f"{ratio:6.2f}" + "".join(f"  {e:10.4f} {angle:6.0f}" for e, angle in found))
    print(f"exact at 0: {exact_plane_strain(f, m, power_law(n)):.4f}")


def report_result(path, plane_strain, m):
    """Hardening is that of the crystals in plane strain, so that at D22 = 0 all are one problem, and the rest is shape."""
    with h5py.File(path) as file:
        group = file["forming_limit"]
        ratio, strain = group["ratio"][:], group["strain"][:, 0]
        f, necking = float(group.attrs["imperfection"]), float(group.attrs["necking"])
    with h5py.File(plane_strain) as file:
        gradient, stress = file["history/deformation_gradient"][:], file["history/cauchy_stress"][:]
    e, s11 = np.log(gradient[1:, 0, 0]), stress[1:, 0, 0] - stress[1:, 2, 2]
    print(f"exact at 0: {exact_plane_strain(f, m, lambda x: np.interp(x, e, s11), necking):.4f}")
    print(" ratio   crystals   von Mises   Hosford 8")
    for k in np.argsort(ratio):
        found = []
        for a in (2, 8):
            _, phi, rate = sheet_of(0.0, a)
            stress = phi * s11 / rate**m  # at an equivalent rate of 1, where the crystals had D11 = 1
            found.append(limit(ratio[k], ANGLES, f, a, m, partial(np.interp, xp=rate * e, fp=stress), necking)[0])
        print(f"{ratio[k]:6.2f} {strain[k]:10.4f}" + "".join(f"  {x:10.4f}" for x in found), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exponent", type=float, default=0.22, help="n of the power law (0.22)")
    parser.add_argument("--rate-sensitivity", type=float, default=0.01, help="m (0.01)")
    parser.add_argument("--imperfection", type=float, default=0.99, help="of the power law (0.99)")
    parser.add_argument("--result", help="of slipwave forming")
    parser.add_argument("--plane-strain", help="of slipwave taylor: the same crystals, 1 stretched, 2 kept")
    options = parser.parse_args()
    if options.result and options.plane_strain is None:
        parser.error("--result: need --plane-strain, too")
    if options.result:
        report_result(options.result, options.plane_strain, options.rate_sensitivity)
    else:
        report_power_law(options.exponent, options.rate_sensitivity, options.imperfection)


if __name__ == "__main__":
    main()
