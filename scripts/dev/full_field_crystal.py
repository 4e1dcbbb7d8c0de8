"""A crystal at a point, for full_field.py: elastic, viscoplastic, finite strains; nothing of slipwave's code.

Kalidindi, Bronkhorst & Anand 1992 (docs/theory.md, sections 1 and 2): F = F_e F_p, T = C : (F_e' F_e - I) / 2, slip
rates v0 |tau / s|^(1/m), ds/dGamma = h0 (1 - s/s_s)^a. Backward Euler in the slip rates, F_p by the exponential to
third order, s in closed form of the step's slip; seven unknowns, T and s, by Newton's method. Pa, s. Needs numpy and
numba.
"""

import collections
import re
import sys
from pathlib import Path

import numpy as np
from numba import njit

VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))

# Names of a material file, whose keys need no more than a line each
KEYS = {"C11": "C11", "C12": "C12", "C44": "C44", "rate": "reference_slip_rate", "sensitivity": "rate_sensitivity",
        "s0": "initial_slip_resistance", "h0": "initial_hardening_rate", "saturation": "saturation_resistance",
        "exponent": "exponent"}
Crystal = collections.namedtuple("Crystal", [*KEYS])


def read_crystal(path):
    """The constants of an fcc material with a Voce law, Pa and 1/s."""
    text = Path(path).read_text(encoding="utf-8")
    found = dict(re.findall(r"^\s*(\w+):\s*([^\s#]+)", text, re.MULTILINE))
    if (found.get("crystal_structure"), found.get("law")) != ("fcc", "voce"):
        sys.exit(f"full_field.py: {path}: need crystal_structure fcc and the hardening law voce")
    missing = [key for key in KEYS.values() if key not in found]
    if missing:
        sys.exit(f"full_field.py: {path}: {missing[0]} is missing")
    return Crystal(*(float(found[key]) for key in KEYS.values()))


def slip_systems():
    """{111}<110>: the dyads b n, [12][3][3], and what makes tau of the six components of T, [12][6]."""
    dyad = np.array([np.outer(b, n) / np.sqrt(6)
                     for n in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1))
                     for b in ((0, 1, -1), (0, 1, 1), (1, 0, -1), (1, 0, 1), (1, -1, 0), (1, 1, 0))
                     if np.dot(n, b) == 0])
    resolve = np.array([[(s[i, j] + s[j, i]) / 2 * (1 if i == j else 2) for i, j in VOIGT] for s in dyad])
    return dyad, resolve


def rotations(euler):
    """g = Z(phi1) X(Phi) Z(phi2), crystal -> sample, [N][3][3]; Bunge's angles in degrees."""
    def turn(angle, i, j):
        g = np.eye(3)
        g[i, i] = g[j, j] = np.cos(angle)
        g[i, j], g[j, i] = -np.sin(angle), np.sin(angle)
        return g
    return np.array([turn(a, 0, 1) @ turn(b, 1, 2) @ turn(c, 0, 1) for a, b, c in np.radians(euler)])


# x: T, six components as VOIGT, and s

@njit
def hardened(c, s, slip):
    """Slip resistance after `slip` more."""
    if s >= c.saturation:
        return s
    u = 1 - s / c.saturation
    if c.exponent == 1.0:
        return c.saturation * (1 - u * np.exp(-c.h0 * slip / c.saturation))
    power = 1 - c.exponent
    return c.saturation * (1 - (u**power - power * c.h0 / c.saturation * slip)**(1 / power))


@njit
def elastic(c, strain, stress):
    trace, d = c.C12 * (strain[0, 0] + strain[1, 1] + strain[2, 2]), c.C11 - c.C12
    for i in range(3):
        stress[i] = trace + d * strain[i, i]
    stress[3] = c.C44 * (strain[1, 2] + strain[2, 1])
    stress[4] = c.C44 * (strain[0, 2] + strain[2, 0])
    stress[5] = c.C44 * (strain[0, 1] + strain[1, 0])


@njit
def tensor(v):
    t = np.empty((3, 3))
    t[0, 0], t[1, 1], t[2, 2] = v[0], v[1], v[2]
    t[1, 2] = t[2, 1] = v[3]
    t[0, 2] = t[2, 0] = v[4]
    t[0, 1] = t[1, 0] = v[5]
    return t


@njit
def combined(weight, dyad):
    """sum of weight[a] dyad[a]"""
    sum_ = np.zeros((3, 3))
    for a in range(12):
        for i in range(3):
            for j in range(3):
                sum_[i, j] += weight[a] * dyad[a, i, j]
    return sum_


@njit
def largest_ratio(resolve, x, step, d):
    """The largest |tau| / s at x - step d."""
    most = 0.0
    for a in range(12):
        t = 0.0
        for i in range(6):
            t += resolve[a, i] * (x[i] - step * d[i])
        most = max(most, abs(t) / max(x[6] - step * d[6], 0.5 * x[6]))
    return most


@njit
def residual(c, dyad, resolve, x, A, s, dt, R, slip, B):
    """R of x, with the slips and B = exp(-sum slip dyad); its norm, 1e300 when a step slips too far.
    A = (F F_p^-1)' (F F_p^-1) with F_p of before."""
    T, total = np.empty(6), 0.0
    for a in range(12):
        t = 0.0
        for i in range(6):
            t += resolve[a, i] * x[i]
        r = abs(t) / x[6]
        slip[a] = c.rate * dt * r**(1 / c.sensitivity) * (1.0 if t > 0 else -1.0) if r < 3.0 else 1e3
        total += abs(slip[a])
    if not total < 0.3:
        return 1e300
    X = combined(-slip, dyad)
    X2 = X @ X
    B[:] = X + 0.5 * X2 + X2 @ X / 6.0 + np.eye(3)
    elastic(c, 0.5 * (B.T @ (A @ B) - np.eye(3)), T)
    norm = 0.0
    for i in range(6):
        R[i] = x[i] - T[i]
        norm += R[i] * R[i]
    R[6] = x[6] - hardened(c, s, total)
    return np.sqrt(norm + R[6] * R[6] * 100.0)


@njit
def jacobian(c, dyad, resolve, x, A, s, slip, B):
    J, dT = np.eye(7), np.empty(6)
    BA = B.T @ A @ B
    dH = c.h0 * max(1 - hardened(c, s, np.abs(slip).sum()) / c.saturation, 0.0)**c.exponent
    tau, n = resolve @ x[:6], 1 / c.sensitivity
    for a in range(12):
        if slip[a] == 0.0:
            continue
        by_tau, by_s = n * slip[a] / tau[a], -n * slip[a] / x[6]
        W, sign = BA @ dyad[a], 1.0 if slip[a] > 0 else -1.0
        elastic(c, 0.5 * (W + W.T), dT)
        for i in range(6):
            for j in range(6):
                J[i, j] += dT[i] * by_tau * resolve[a, j]
            J[i, 6] += dT[i] * by_s
            J[6, i] -= dH * sign * by_tau * resolve[a, i]
        J[6, 6] -= dH * sign * by_s
    return J


@njit
def solve_point(c, dyad, resolve, x, A, s, dt, slip, B):
    """Newton's method for x, from what is in it; False when it fails."""
    R, R2, y = np.empty(7), np.empty(7), np.empty(7)
    norm = residual(c, dyad, resolve, x, A, s, dt, R, slip, B)
    if norm >= 1e300:
        x[:6] *= 0.9
        norm = residual(c, dyad, resolve, x, A, s, dt, R, slip, B)
    for iteration in range(200):
        if norm < 1e-6 * c.s0 and iteration > 0:
            return True
        d, step = np.linalg.solve(jacobian(c, dyad, resolve, x, A, s, slip, B), R), 1.0
        most = max(1.0, largest_ratio(resolve, x, 0.0, d)) * np.exp(5.0 * c.sensitivity)  # slip rates grow by e^5
        for _ in range(40):
            if largest_ratio(resolve, x, step, d) <= most:
                break
            step *= 0.7
        for _ in range(30):
            y[:] = x - step * d
            trial = residual(c, dyad, resolve, y, A, s, dt, R2, slip, B)
            if trial < norm * (1 - 1e-4 * step):
                break
            step *= 0.5
        if trial >= norm:
            residual(c, dyad, resolve, x, A, s, dt, R, slip, B)
            return norm < 1e-4 * c.s0  # as far as round-off lets it
        x[:], R[:], norm = y, R2, trial
    return False


@njit
def tangent(c, dyad, resolve, x, F, Q, J, slip, K):
    """K = dP/dF [9][9]; Q = F_p^-1 now."""
    inverse, T, tau, n = np.linalg.inv(J), tensor(x), resolve @ x[:6], 1 / c.sensitivity
    Fe, QTQ = F @ Q, Q @ T @ Q.T
    FeT, rhs, dF, weight = Fe @ T, np.zeros(7), np.zeros((3, 3)), np.zeros(12)
    for k in range(9):
        dF[:] = 0.0
        dF[k // 3, k % 3] = 1.0
        W = Fe.T @ dF @ Q
        elastic(c, 0.5 * (W + W.T), rhs)
        dx = inverse @ rhs
        dtau = resolve @ dx[:6]
        for a in range(12):
            weight[a] = -n * slip[a] * (dtau[a] / tau[a] - dx[6] / x[6]) if slip[a] != 0.0 else 0.0
        dQ = Q @ combined(weight, dyad)
        K[:, k] = (dF @ QTQ + F @ dQ @ T @ Q.T + Fe @ tensor(dx) @ Q.T + FeT @ dQ.T).ravel()


@njit
def step_points(c, dyad, resolve, F, dt, old, new, P, K):
    """All points over a step to F: P, dP/dF, and the new state from the old one, each (F_p^-1, T, s); how many fail."""
    failed, x, slip, B = 0, np.empty(7), np.empty(12), np.empty((3, 3))
    for e in range(F.shape[0]):
        Q0 = old[0][e]
        trial = F[e] @ Q0
        A = trial.T @ trial
        x[:6] = old[1][e]
        x[6] = s = old[2][e]
        if not solve_point(c, dyad, resolve, x, A, s, dt, slip, B):
            failed += 1
            continue
        Q = Q0 @ B
        P[e] = F[e] @ Q @ tensor(x) @ Q.T
        tangent(c, dyad, resolve, x, F[e], Q, jacobian(c, dyad, resolve, x, A, s, slip, B), slip, K[e])
        new[0][e], new[1][e], new[2][e] = Q, x[:6], x[6]
    return failed


@njit
def apply_tangent(K, d, out):
    for e in range(K.shape[0]):
        for i in range(9):
            t = 0.0
            for j in range(9):
                t += K[e, i, j] * d[e, j]
            out[e, i] = t
