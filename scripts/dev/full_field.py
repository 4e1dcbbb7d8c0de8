#!/usr/bin/env python3
"""A periodic polycrystal of voxels in tension, solved by FFT: an independent check of `slipwave fem`, none of whose
code is in here. Wrote the rows `fourier` and `hex8` of data/reference/full-field-16-quantiles.csv.

    scripts/dev/full_field.py -d fourier -o fourier.csv          5 min on one core
    scripts/dev/full_field.py -d hex8m -o hex8.csv               25 min
    scripts/dev/full_field.py -d fourier --steps 2 --to 1.002    a short run

Pulled along x at dF11/dt = 1e-3 1/s: mean P22 = P33 = 0, the other components of the mean F zero. Equilibrium is
G : P(F) = 0, G the projection on gradients of periodic displacements (de Geus et al. 2017, CMAME 318, 412), by Newton's
method and conjugate gradients with the tangent of the time step. Discretisation, -d:
    fourier  a point a voxel, derivatives of the Fourier series, zero at the Nyquist frequency; as in DAMASK
    hex8     trilinear elements, 2 x 2 x 2 Gauss points: G of the elements' gradients (Schneider et al. 2017, IJNME 109,
             1461; Leute et al. 2022, J. Comput. Phys. 453, 110931)
    hex8m    the same with mean dilatation, F (mean J / J)^(1/3), stresses by virtual work (Simo, Taylor & Pister 1985,
             CMAME 51, 177)
The crystals are those of full_field_crystal.py. Relative residual at the end of a step: RMS of the projected P below
--tolerance of the mean P.

A row a --at, and at the end: P11 (mean, MPa), quantiles of 10, 50, 90 % over voxels of von Mises' Cauchy stress (MPa)
and logarithmic strain; of an element, of the means over its points of stress and of F.
Needs numpy, scipy and numba.
"""

import argparse
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import scipy.fft
    from full_field_crystal import apply_tangent, read_crystal, rotations, slip_systems, step_points
except ImportError as missing:
    sys.exit(f"full_field.py: {missing.name} is missing from {sys.executable}: need numpy, scipy and numba")

DATA = Path(__file__).resolve().parents[2] / "data"
RATE = 1e-3  # dF11/dt, 1/s
HEADER = "source,F11,P11,stress_10,stress_50,stress_90,strain_10,strain_50,strain_90"
I3 = np.eye(3)


# ---- The cell: n^3 voxels of q points, fields [n^3 q][3][3], x fastest ----

def gradient_symbols(kind, n):
    """Gradients at the points of a voxel, per Fourier term of the displacement: [q][3][z][y][x], half of x."""
    waves = np.fft.fftfreq(n, 1 / n)
    kz, ky, kx = np.meshgrid(waves, waves, np.arange(n // 2 + 1.), indexing="ij")
    if kind == "fourier":
        return np.array([2j * np.pi * np.where(np.abs(k) == n / 2, 0, k) for k in (kx, ky, kz)])[None]
    shift = [np.exp(2j * np.pi * k / n) for k in (kx, ky, kz)]
    place = 0.5 * (1 + np.array([-1, 1]) / np.sqrt(3))
    slope, D = [n * (s - 1) for s in shift], np.zeros((8, 3, *kx.shape), complex)
    for q in range(8):
        N = [(1 - xi) + xi * s for xi, s in zip((place[q & 1], place[q >> 1 & 1], place[q >> 2 & 1]), shift)]
        D[q] = slope[0] * N[1] * N[2], N[0] * slope[1] * N[2], N[0] * N[1] * slope[2]
    return D


class Cell:
    """Points, their crystals and states; `F` and `P` are of the mean dilatation where there is one."""

    def __init__(self, kind, crystal, grain, orientation):
        self.n = n = round(len(grain)**(1 / 3))
        self.D = gradient_symbols(kind, n)
        self.q, self.voxels, self.mean_dilatation = len(self.D), n**3, kind == "hex8m"
        norm = (np.abs(self.D)**2).sum((0, 1))
        self.inverse = np.where(norm < 1e-9, 0, 1 / np.where(norm < 1e-9, 1, norm))
        self.crystal, points = (crystal, *slip_systems()), self.voxels * self.q
        # F_p^-1 = g at the start: F_e = F g
        self.state = np.repeat(orientation[grain], self.q, 0), np.zeros((points, 6)), np.full(points, crystal.s0)
        self.new = tuple(x.copy() for x in self.state)
        self.P, self.K = np.zeros((points, 3, 3)), np.zeros((points, 9, 9))
        self.F = self.dilatation = None

    def project(self, a):
        """On gradients of periodic displacements and the free part of the mean."""
        n, axes = self.n, (0, 1, 2)
        h = scipy.fft.rfftn(a.reshape(n, n, n, self.q, 3, 3), axes=axes)
        c = np.einsum("zyxqik,qkzyx->zyxi", h, self.D.conj(), optimize=True) * self.inverse[..., None]
        out = np.einsum("zyxi,qjzyx->zyxqij", c, self.D, optimize=True)
        out[0, 0, 0] = h[0, 0, 0].mean(0) * np.diag([0, 1, 1])
        return scipy.fft.irfftn(out, s=(n, n, n), axes=axes).reshape(-1, 3, 3)

    def stress(self, F, dt):
        """P at the points, virtual work's where dilatation is a mean; None when points fail."""
        self.F = F
        if self.mean_dilatation:
            J = np.linalg.det(F).reshape(-1, 8)
            mean = J.mean(1, keepdims=True)
            self.dilatation = F, np.linalg.inv(F).swapaxes(1, 2), J / mean, ((mean / J)**(1 / 3)).reshape(-1, 1, 1)
            self.F = F * self.dilatation[3]
        failed = step_points(*self.crystal, self.F, dt, self.state, self.new, self.P, self.K)
        return None if failed else self.work_stress(self.P).copy()

    def work_stress(self, P):
        if not self.mean_dilatation:
            return P
        F, inverse, ratio, r = self.dilatation
        w = (r.ravel() * (P * F).sum((1, 2))).reshape(-1, 8)
        return r * P + ((w.mean(1, keepdims=True) * ratio - w) / 3).reshape(-1, 1, 1) * inverse

    def stiffness(self, d):
        """The tangent's product with a field of F."""
        if self.mean_dilatation:
            F, inverse, ratio, r = self.dilatation
            t = (inverse * d).sum((1, 2)).reshape(-1, 8)
            d = r * (d + F * (((ratio * t).mean(1, keepdims=True) - t) / 3).reshape(-1, 1, 1))
        out = np.empty((len(d), 9))
        apply_tangent(self.K, np.ascontiguousarray(d).reshape(-1, 9), out)
        return self.work_stress(out.reshape(-1, 3, 3))

    def accept(self):
        self.state, self.new = self.new, tuple(x.copy() for x in self.new)


def size(a):
    return np.sqrt((a**2).sum((1, 2)).mean())


def conjugate_gradients(cell, R, tolerance):
    """d of G : K : d = -R; 300 iterations at most."""
    x, r = np.zeros_like(R), -R
    p, rs = r, (r * r).sum()
    first = rs
    for _ in range(300):
        q = cell.project(cell.stiffness(p))
        curvature = (p * q).sum()
        if curvature <= 0:
            break
        x += rs / curvature * p
        r = r - rs / curvature * q
        last, rs = rs, (r * r).sum()
        if rs < tolerance**2 * first:
            break
        p = r + rs / last * p
    return x


def equilibrium(cell, F, P, dt, tolerance):
    """Newton's method from F and its stress P: F, P, iterations. The residual is held against the mean P."""
    R = cell.project(P)
    norm = size(R)
    for iteration in range(60):
        scale = np.abs(P.mean(0)).max()
        if norm < tolerance * scale:
            return F, P, iteration
        d, step, start = conjugate_gradients(cell, R, min(1e-2, max(1e-5, 0.1 * norm / scale))), 1.0, F
        for halving in range(12):
            F = start + step * d
            P = cell.stress(F, dt)
            if P is not None:
                R = cell.project(P)
                if size(R) < norm or halving > 6:
                    break
            step *= 0.5
        if P is None:
            break
        norm = size(R)
    sys.exit("full_field.py: no equilibrium: take more --steps")


def first_guess(cell, F, before, number, dF11, dt):
    """As the last step went; elastic-plastic at the beginning. All of it along x where crystals do not follow."""
    guess = F + (F - before if number > 2 else 0)
    guess[:, 0, 0] += 1 + number * dF11 - guess[:, 0, 0].mean()
    if number <= 2:
        guess[:, 1, 1] -= 0.4 * dF11
        guess[:, 2, 2] -= 0.4 * dF11
    P = cell.stress(guess, dt)
    if P is None:
        guess = F.copy()
        guess[:, 0, 0] += dF11
        P = cell.stress(guess, dt)
    if P is None:
        sys.exit("full_field.py: crystals fail: take more --steps")
    return guess, P


def mises(cell, F):
    """Per voxel: von Mises' stress, Pa, and logarithmic strain."""
    sigma = cell.P @ cell.F.swapaxes(1, 2) / np.linalg.det(cell.F)[:, None, None]
    sigma, F = (a.reshape(cell.voxels, cell.q, 3, 3).mean(1) for a in (sigma, F))
    sigma = sigma - np.trace(sigma, axis1=1, axis2=2)[:, None, None] * I3 / 3
    e = 0.5 * np.log(np.linalg.eigvalsh(F @ F.swapaxes(1, 2)))
    e = e - e.mean(1, keepdims=True)
    return np.sqrt(1.5 * (sigma**2).sum((1, 2))), np.sqrt(2 / 3 * (e**2).sum(1))


def pull(cell, options):
    """Rows of the table."""
    F = np.broadcast_to(I3, cell.P.shape).copy()
    before, dF11, began = F, (options.to - 1) / options.steps, time.perf_counter()
    for number in range(1, options.steps + 1):
        guess, P = first_guess(cell, F, before, number, dF11, dF11 / RATE)
        before = F
        F, P, iterations = equilibrium(cell, guess, P, dF11 / RATE, options.tolerance)
        F11, P11 = F[:, 0, 0].mean(), P[:, 0, 0].mean() / 1e6
        cell.accept()
        print(f"F11 {F11:.4f}: P11 {P11:.4f} MPa, s {cell.state[2].mean() / 1e6:.4f} MPa, {iterations} Newton "
              f"iterations, {time.perf_counter() - began:.0f} s", flush=True)
        if number == options.steps or any(abs(F11 - at) < 1e-9 for at in options.at):
            stress, strain = (np.quantile(a, [0.1, 0.5, 0.9]) for a in mises(cell, F))
            yield ",".join(f"{a:.6g}" for a in (F11, P11, *stress / 1e6, *strain))


def main():
    reference = DATA / "reference"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", default=reference / "full-field-16-grains.txt", metavar="FILE",
                        help="grain of each voxel of a cube, from 0, x fastest")
    parser.add_argument("--orientations", default=reference / "full-field-16-orientations.ori", metavar="FILE",
                        help="Bunge's angles of each grain, degrees")
    parser.add_argument("--material", default=DATA / "materials" / "copper-ofhc.yaml", metavar="FILE")
    parser.add_argument("-d", "--discretisation", choices=("fourier", "hex8", "hex8m"), default="fourier")
    parser.add_argument("--refine", type=int, default=1, metavar="R", help="cut each voxel into R^3")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--to", type=float, default=1.05, metavar="F11")
    parser.add_argument("--at", type=float, nargs="*", default=[1.01, 1.02, 1.05], metavar="F11", help="of the rows")
    parser.add_argument("--tolerance", type=float, default=1e-5, help="of the projected P (RMS), over the mean P")
    parser.add_argument("-o", "--output", metavar="FILE", help="the table; otherwise to standard output")
    options = parser.parse_args()
    grain = np.loadtxt(options.grains, dtype=int)
    n = round(len(grain)**(1 / 3))
    orientation = rotations(np.loadtxt(options.orientations)[:, :3])
    if n**3 != len(grain) or not 0 <= grain.min() <= grain.max() < len(orientation):
        sys.exit(f"full_field.py: {options.grains}: need n^3 numbers from 0 to {len(orientation) - 1}")
    grain = grain.reshape(n, n, n)
    for axis in range(3):
        grain = grain.repeat(options.refine, axis)
    cell = Cell(options.discretisation, read_crystal(options.material), grain.ravel(), orientation)
    source = options.discretisation.rstrip("m")
    table = "\n".join([HEADER, *(f"{source},{row}" for row in pull(cell, options)), ""])
    if options.output is None:
        sys.stdout.write(table)
        return
    unfinished = Path(f"{options.output}.tmp")
    unfinished.write_text(table, encoding="utf-8")
    unfinished.replace(options.output)


if __name__ == "__main__":
    main()
