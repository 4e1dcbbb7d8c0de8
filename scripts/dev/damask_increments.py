#!/usr/bin/env python3
"""What DAMASK's Taylor polycrystals tend to with short increments, of run A of data/reference/damask-families.csv (copper with latent
hardening): its scheme by numpy, in increments a half and a quarter as long, and extrapolated.

    scripts/dev/damask_increments.py [--strain 0.5] [-o FILE.csv]
    scripts/dev/damask_increments.py --path data/reference/damask-path.csv
    scripts/dev/damask_increments.py --rigid [--strain 0.5] [-o FILE.csv]

The scheme is DAMASK 3.0.2's: S = C E, E = (Fe^T Fe - 1)/2, slip rates by S : (d x n), Euler backward in the inverse of Fp, whose
determinant is made 1, and in resistances. With increments as there every figure of the file comes out to its digits (first table).
Errors are proportional to the increment then: the limit is 2 s(1/4) - s(1/2), rows A,limit of the file. Takes a minute.

With --rigid: what rigid crystals would do: with that limit S10 and S100 for crystals ten and a hundred times as stiff, S100 + (S100 - S10)/9,
rows A,rigid; and how far S10 + (S10 - S)/9 is from it.

With --path: that limit for the first 64 crystals along a path that changes, diag(1, 0, -1) to 0.1, then diag(-1, 1, 0) to 0.1.
"""

import argparse
import csv
import os

import numpy as np

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "reference")
SIX = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
C11, C12, C44 = 168.7e9, 121.7e9, 75.0e9
EXPONENT, RATE = 50.0, 1e-3
RESISTANCE, HARDENING, SATURATION, POWER, LATENT = 16e6, 180e6, 148e6, 2.25, 1.4
UNIT = np.eye(3)


def rotations(euler):
    """Crystal -> sample, of Bunge's angles in degrees."""
    phi1, big_phi, phi2 = np.radians(euler).T

    def turn(angle, i, j):
        g = np.zeros((len(angle), 3, 3)) + UNIT
        g[:, i, i] = g[:, j, j] = np.cos(angle)
        g[:, j, i] = np.sin(angle)
        g[:, i, j] = -g[:, j, i]
        return g

    return turn(phi1, 0, 1) @ turn(big_phi, 1, 2) @ turn(phi2, 0, 1)


def slip_systems():
    """Schmid tensors [12][3][3], and the matrix of interactions."""
    planes = [(n, d) for n in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1))
              for d in ((0, 1, -1), (1, 0, -1), (1, -1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)) if np.dot(n, d) == 0]
    normal, direction = (np.array(v) / np.linalg.norm(v, axis=1)[:, None] for v in zip(*planes))
    coplanar = np.abs(np.abs(normal @ normal.T) - 1) < 1e-9
    return np.einsum("ai,aj->aij", direction, normal), np.where(coplanar, 1.0, LATENT)


SCHMID, INTERACTION = slip_systems()


def six(tensor):
    return np.stack([tensor[..., i, j] for i, j in SIX], -1)


def tensor(v):
    t = np.empty(v.shape[:-1] + (3, 3))
    for k, (i, j) in enumerate(SIX):
        t[..., i, j] = t[..., j, i] = v[..., k]
    return t


def elastic(strain):
    """Stress [..][6] of a cubic crystal's strain [..][3][3]."""
    e = six(strain)
    trace = e[..., :3].sum(-1, keepdims=True)
    return np.concatenate([(C11 - C12) * e[..., :3] + C12 * trace, 2 * C44 * e[..., 3:]], -1)


RESOLVE = six(0.5 * (SCHMID + SCHMID.transpose(0, 2, 1))) * np.array([1, 1, 1, 2, 2, 2.0])


def evaluate(stress, resistance, dt, gradient, before, stiffer):
    tau = stress @ RESOLVE.T
    slip = RATE * np.abs(tau / resistance) ** EXPONENT * np.sign(tau)
    plastic = UNIT - dt * np.einsum("na,aij->nij", slip, SCHMID)
    inverse = before @ (plastic / np.cbrt(np.linalg.det(plastic))[:, None, None])
    lattice = gradient @ inverse
    residual = stress - stiffer * elastic(0.5 * (lattice.transpose(0, 2, 1) @ lattice - UNIT))
    return residual, np.abs(residual).max(1), tau, slip, lattice, inverse


def solve(stress, resistance, dt, gradient, before, stiffer):
    """Newton's method for all grains at a time; a step back by halves where the residual (Pa) grows."""
    now = evaluate(stress, resistance, dt, gradient, before, stiffer)
    for _ in range(200):
        residual, size, tau, slip, lattice, _ = now
        if size.max() < 20:
            break
        moves = (lattice.transpose(0, 2, 1) @ (gradient @ before))[:, None] @ SCHMID
        by_slip = stiffer * elastic(-0.5 * dt * (moves + moves.transpose(0, 1, 3, 2)))
        slope = EXPONENT * np.abs(slip) / np.maximum(np.abs(tau), 1e-3)
        jacobian = np.eye(6) - np.einsum("na,nak,al->nkl", slope, by_slip, RESOLVE)
        step = -np.linalg.solve(jacobian, residual[:, :, None])[:, :, 0]
        largest = (np.abs(step @ RESOLVE.T) / resistance).max(1)
        part = np.minimum(1, 0.08 / np.maximum(largest, 1e-12))
        for _ in range(12):
            trial = stress + part[:, None] * step
            now = evaluate(trial, resistance, dt, gradient, before, stiffer)
            worse = (now[1] > size) & (size > 20)
            if not worse.any():
                break
            part = np.where(worse, 0.5 * part, part)
        stress = trial
    return stress, now[3], now[4], now[5]


def run(euler, strains, finer, legs=((1, 0, -1),), stiffer=1):
    """Mean Cauchy stress [legs * len(strains)][6], Pa, with increments `finer` times as short as DAMASK's runs have them. legs: rates of
    logarithmic strains, each to all of strains. stiffer: times the elastic constants."""
    inverse = rotations(euler)
    stress, resistance = np.zeros((len(euler), 6)), np.full((len(euler), 12), RESISTANCE)
    found, strain, logs, leg = [], 0.0, np.zeros(3), 0
    while leg < len(legs):
        by = (2e-4 if strain < 0.01 - 1e-9 else 1e-3) / finer
        strain += by
        logs += by * np.array(legs[leg])
        dt, gradient = by / 1e-3, np.diag(np.exp(logs))
        used, before = resistance, inverse
        for turn in range(60):
            stress, slip, lattice, inverse = solve(stress, used, dt, gradient, before, stiffer)
            rate = HARDENING * np.abs(1 - used / SATURATION) ** POWER * np.sign(1 - used / SATURATION)
            new = resistance + dt * rate * (np.abs(slip) @ INTERACTION.T)
            off = np.abs(new - used).max()
            used = new if turn < 4 else 0.5 * (used + new)
            if off < 20:
                break
        resistance = used
        if abs(strain - strains[len(found) - leg * len(strains)]) < 1e-6:
            first = np.einsum("nij,njk->nik", lattice, tensor(stress)) @ inverse.transpose(0, 2, 1)
            found.append(six((first @ gradient.T).mean(0)))
            if len(found) == (leg + 1) * len(strains):
                leg, strain = leg + 1, 0.0
    return np.array(found)


def deviator(stress):
    return np.concatenate([stress[:, :3] - stress[:, :3].mean(1)[:, None], stress[:, 3:]], 1)


def von_mises(stress):
    d = deviator(stress)
    return np.sqrt(1.5 * (d * d) @ np.array([1, 1, 1, 2, 2, 2.0]))


def write_path(path):
    euler = np.loadtxt(os.path.join(DATA, "damask-cubic.ori"))[:64]
    strains, legs = np.arange(1, 11) / 100, ((1, 0, -1), (-1, 1, 0))
    limit = 1e-6 * (2 * run(euler, strains, 4, legs) - run(euler, strains, 2, legs))
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Copper with latent hardening along a path that changes: the first 64 crystals of damask-cubic.ori, diag(1, 0, -1) 1e-3 1/s for\n"
                   "# 100 s, then diag(-1, 1, 0) 1e-3 1/s; material A of damask-families.csv. The limit of DAMASK's scheme for short increments, as\n"
                   "# scripts/dev/damask_increments.py --path integrates it (its run A has DAMASK's rows to 0.0005 %). Deviator of the mean, MPa.\n"
                   "second,s11,s22,s33,s23,s13,s12\n")
        for k, s in enumerate(deviator(limit)):
            file.write(f"{10 * (k + 1)}," + ",".join(f"{x:.6g}" for x in s) + "\n")


def write_rows(path, kind, strains, stress):
    with open(path, "w", encoding="utf-8") as file:
        for strain, s in zip(strains, stress):
            file.write(f"A,{kind},{strain:.6g}," + ",".join(f"{x:.6g}" for x in s) + ",,,,\n")


def rigid(euler, strains, output):
    limit = {}
    for stiffer in (1, 10, 100):
        runs = [1e-6 * run(euler, strains, finer, stiffer=stiffer) for finer in (2, 4)]
        limit[stiffer] = 2 * runs[1] - runs[0]
    found = limit[100] + (limit[100] - limit[10]) / 9
    nearer = limit[10] + (limit[10] - limit[1]) / 9
    print("strain, % of the deviator that S10 + (S10 - S)/9 is off")
    for k, strain in enumerate(strains):
        print(f"{strain:5g} {100 * von_mises((nearer - found)[k:k + 1])[0] / von_mises(found[k:k + 1])[0]:7.4f}")
    if output:
        write_rows(output, "rigid", strains, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strain", type=float, default=0.5, help="at most (0.5)")
    parser.add_argument("-o", "--output", help="rows of the limit, .csv")
    parser.add_argument("--path", help="only the path that changes, .csv")
    parser.add_argument("--rigid", action="store_true", help="only what rigid crystals would do")
    options = parser.parse_args()
    if options.path:
        write_path(options.path)
        return
    with open(os.path.join(DATA, "damask-families.csv"), encoding="utf-8") as file:
        rows = [r for r in csv.reader(line for line in file if line[0] != "#") if r[:2] == ["A", "elastic"]]
    table = np.array([[float(x) for x in r[2:9]] for r in rows])
    table = table[table[:, 0] <= options.strain + 1e-9]
    euler = np.loadtxt(os.path.join(DATA, "damask-cubic.ori"))
    if options.rigid:
        rigid(euler, table[:, 0], options.output)
        return
    runs = {finer: 1e-6 * run(euler, table[:, 0], finer) for finer in (1, 2, 4)}
    limit = 2 * runs[4] - runs[2]
    print("strain, % of the deviator that the file is off: increments as there, 1/2, 1/4, the limit")
    for k, strain in enumerate(table[:, 0]):
        off = [100 * von_mises(s[k:k + 1] - table[k:k + 1, 1:])[0] / von_mises(table[k:k + 1, 1:])[0]
               for s in (runs[1], runs[2], runs[4], limit)]
        print(f"{strain:5g}" + "".join(f" {x:7.4f}" for x in off))
    if options.output:
        write_rows(options.output, "limit", table[:, 0], limit)


if __name__ == "__main__":
    main()
