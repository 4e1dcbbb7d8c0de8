#!/usr/bin/env python3
"""r-values and yield stresses of the rate-independent Taylor polycrystal, beside `slipwave forming`: bishop_hill.py
[slipwave]

Crystals of {111}<110> slip at equal stress tau on every system (Taylor, J. Inst. Met. 62 (1938) 307; Bishop and Hill,
Phil. Mag. 42 (1951) 414 and 1298). All have the sheet's strain rate D, and the polycrystal dissipates

    W(D) = tau mean over crystals of max over vertices k of (sigma_k : D),

sigma_k the 56 vertices of a crystal's yield surface, found here from its facets. Under a stress of given direction a the
sheet chooses the D with a : D = 1 that makes W least, and W is then the size of the stress. Nothing is taken from
Slipwave but the numbers that it is compared with: both have the same crystals, drawn here, from one .ori file.

W is least at an edge between facets: the maximum is smoothed, T log sum exp(sigma_k : D / T), by temperatures T that
fall, with Newton's method at each; the last one is within T log 56 of W. Needs numpy and h5py."""

import argparse
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from slipwave.pictures.texture_components import HALF_TURNS, random_rotations, rotations

# Bunge's angles, degrees
COMPONENTS = {"Cube": (0, 0, 0), "Goss": (0, 45, 0), "Brass": (35.264, 45, 0), "Copper": (90, 35.264, 45),
              "S": (58.98, 36.70, 63.43)}
HALFWIDTH = 10.0  # degrees
COUNT = 2000
ANGLES = range(0, 91, 15)
TEMPERATURES = 0.3 * 0.5 ** np.arange(9)  # of tau

# m -> 0 at a resistance that stays: what Bishop and Hill assume
MATERIAL = """\
name: all but rate-independent
crystal_structure: fcc
elasticity: {{C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}}
slip: {{reference_slip_rate: 1.0e-3, rate_sensitivity: {m}, initial_slip_resistance: 16.0e6}}
hardening: {{law: voce, initial_hardening_rate: 0, saturation_resistance: 17.0e6, exponent: 1}}
"""
RESISTANCE = 16e6
JOB = """\
material: material.yaml
solver: {solver}
crystals: {{file: crystals.ori}}
strain_increment: {increment}
r_values: {{angles: [{angles}], strain: {strain}}}
output: {{file: sheet.h5}}
"""


# ---- Tensors as vectors of five: a . b = A : B of deviators ----

R2, R6 = np.sqrt(0.5), np.sqrt(1 / 6)
BASIS = np.zeros((5, 3, 3))
BASIS[0] = np.diag((R2, -R2, 0))
BASIS[1] = np.diag((-R6, -R6, 2 * R6))
for number, (i, j) in enumerate(((1, 2), (0, 2), (0, 1)), start=2):
    BASIS[number, i, j] = BASIS[number, j, i] = R2


def vector(tensor):
    """[...][3][3] -> [...][5]; the pressure goes"""
    return np.einsum("kij,...ij->...k", BASIS, tensor)


def vertices():
    """[56][5] stresses over tau, in the crystal: five systems slip, and no other is beyond tau"""
    schmid = []
    for normal in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)):
        for direction in ((0, 1, -1), (0, 1, 1), (1, 0, -1), (1, 0, 1), (1, -1, 0), (1, 1, 0)):
            if np.dot(normal, direction) == 0:
                schmid.append(vector(np.outer(direction, normal) / np.sqrt(6)))
    schmid = np.array(schmid)
    found = set()
    for five in itertools.combinations(range(12), 5):
        facets = schmid[list(five)]
        if abs(np.linalg.det(facets)) < 1e-9:
            continue
        for signs in itertools.product((1, -1), repeat=5):
            stress = np.linalg.solve(facets, signs)
            if np.abs(schmid @ stress).max() < 1 + 1e-9:
                found.add(tuple(np.round(stress, 9) + 0.0))
    assert len(found) == 56
    return np.array(sorted(found))


# ---- The polycrystal ----

def stresses_of(g):
    """Vertices of all crystals in the sheet's axes [N][56][5]; g [N][3][3], row i is sheet axis i in the crystal"""
    tensors = np.einsum("vk,kij->vij", vertices(), BASIS)
    return vector(np.einsum("nik,vkl,njl->nvij", g, tensors, g, optimize=True))


def smooth(stresses, d, t):
    """W / tau at temperature t, its gradient [5] and second derivatives [5][5]"""
    work = stresses @ d / t
    top = work.max(axis=1, keepdims=True)
    weight = np.exp(work - top)
    total = weight.sum(axis=1, keepdims=True)
    weight /= total
    mean = np.einsum("nv,nvk->nk", weight, stresses)
    second = np.einsum("nv,nvk,nvl->kl", weight, stresses, stresses, optimize=True) - mean.T @ mean
    return t * (top + np.log(total)).mean(), mean.mean(axis=0), second / len(stresses) / t


def least(stresses, along):
    """D [5] with D . along = 1 that makes W least, and W / tau; along [5]: the stress's direction"""
    free = np.linalg.svd(along[None])[2][1:]
    d = along / (along @ along)
    for t in TEMPERATURES:
        for _ in range(200):
            work, gradient, second = smooth(stresses, d, t)
            slope = free @ gradient
            step = np.linalg.solve(free @ second @ free.T + 1e-12 * np.eye(4), -slope)
            if -slope @ step < 1e-13:
                break
            size = 1.0
            while smooth(stresses, d + size * step @ free, t)[0] > work + 1e-4 * size * (slope @ step) and size > 1e-9:
                size *= 0.5
            d = d + size * step @ free
    return d, (stresses @ d).max(axis=1).mean()


def tension(stresses, degrees):
    """q = r / (1 + r) and the yield stress over tau of tension at an angle from axis 1"""
    angle = np.radians(degrees)
    a, b = np.array((np.cos(angle), np.sin(angle), 0)), np.array((-np.sin(angle), np.cos(angle), 0))
    d, work = least(stresses, vector(np.outer(a, a)))
    rate = np.einsum("k,kij->ij", d, BASIS)
    return -(b @ rate @ b) / (a @ rate @ a), work


def balanced(stresses):
    """q_b = r_b / (1 + r_b) = D22 / (D11 + D22) and the yield stress over tau under equal stresses along 1 and 2"""
    d, work = least(stresses, vector(np.diag((1.0, 1.0, 0.0))))
    rate = np.einsum("k,kij->ij", d, BASIS)
    return rate[1, 1] / (rate[0, 0] + rate[1, 1]), work


# ---- Crystals ----

def drawn(angles, count, random):
    """About an ideal orientation and its equivalents in a rolled sheet, by de la Vallee Poussin's kernel; [count][3][3]"""
    kappa = round(0.5 * np.log(2) / -np.log(np.cos(0.5 * np.radians(HALFWIDTH))))
    half = np.arccos(np.sqrt(random.beta(kappa + 0.5, 1.5, count)))
    axis = random.standard_normal((count, 3))
    x, y, z = (np.sin(half) * axis.T / np.linalg.norm(axis, axis=1))
    w = np.cos(half)
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)
    about = turn @ rotations(np.radians([angles]))
    return np.array([HALF_TURNS[n % 4] @ g for n, g in enumerate(about)])


def euler(g):
    """Bunge's angles, degrees"""
    middle = np.arccos(np.clip(g[:, 2, 2], -1, 1))
    return np.degrees(np.column_stack((np.arctan2(g[:, 0, 2], -g[:, 1, 2]), middle,
                                       np.arctan2(g[:, 2, 0], g[:, 2, 1]))))


def factors(random, blocks=20, count=10000):
    """Prints Taylor's factors of random crystals: stress over tau under tension and shear, with standard errors"""
    strain_rates = {"tension": np.diag((1, -0.5, -0.5)), "shear": np.array([[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]])}
    sums = []
    for _ in range(blocks):
        stresses = stresses_of(random_rotations(count, random))
        sums.append([(stresses @ vector(d)).max(axis=1).mean() for d in strain_rates.values()])
    for name, mean, error in zip(strain_rates, np.mean(sums, axis=0), np.std(sums, axis=0) / np.sqrt(blocks)):
        print(f"random, {name}: {mean:.4f} +- {error:.4f}")


# ---- Beside slipwave ----

def forming(slipwave, g, options):
    """q and yield stress over tau of all angles, and of equal stresses"""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        np.savetxt(folder / "crystals.ori", euler(g), fmt="%.9f")
        (folder / "material.yaml").write_text(MATERIAL.format(m=options.m))
        (folder / "job.yaml").write_text(JOB.format(angles=", ".join(map(str, ANGLES)), solver=options.solver,
                                                    strain=options.strain, increment=options.increment))
        subprocess.run([slipwave, "forming", "-q", "job.yaml"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with h5py.File(folder / "sheet.h5") as file:
            sheet = file["r_values"]
            r = np.append(sheet["r"], sheet.attrs["biaxial_r"])
            stress = np.append(sheet["stress"], sheet.attrs["biaxial_stress"])
    return r / (1 + r), stress / RESISTANCE


def compare(name, g, options):
    stresses = stresses_of(g)
    q, work = np.array([tension(stresses, degrees) for degrees in ANGLES] + [balanced(stresses)]).T
    own, own_work = np.full((2, len(q)), np.nan)
    if options.slipwave is not None:
        own, own_work = forming(str(Path(options.slipwave).resolve()), g, options)
    print(f"{name}\n     angle  q Bishop-Hill  slipwave   error   stress/tau Bishop-Hill  slipwave   error")
    for n, angle in enumerate([*map(str, ANGLES), "biaxial"]):
        print(f"{angle:>10} {q[n]:14.4f} {own[n]:9.4f} {own[n] - q[n]:7.4f} {work[n]:24.4f} {own_work[n]:9.4f} "
              f"{own_work[n] / work[n] - 1:7.2%}")
    print(f"  largest error of q: {np.abs(own - q).max():.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("slipwave", nargs="?", help="the program; none: Bishop and Hill's numbers alone")
    parser.add_argument("-m", type=float, default=0.004, help="rate sensitivity (%(default)s)")
    parser.add_argument("--solver", default="elastoplastic")
    parser.add_argument("--strain", type=float, default=0.005, help="where r-values are taken (%(default)s)")
    parser.add_argument("--increment", type=float, default=0.0005)
    parser.add_argument("--count", type=int, default=COUNT, help="crystals (%(default)s)")
    parser.add_argument("--of", nargs="*", default=[*COMPONENTS, "random"], help="textures (all)")
    parser.add_argument("--factors", action="store_true", help="Taylor's factors of random crystals alone")
    options = parser.parse_args()
    if options.factors:
        return factors(np.random.default_rng(7))
    random = np.random.default_rng(1)
    for name in options.of:
        g = drawn(COMPONENTS[name], options.count, random) if name in COMPONENTS else \
            random_rotations(options.count, random)
        compare(name, g, options)


if __name__ == "__main__":
    main()
