#!/usr/bin/env python3
"""Lubbe et al. 2022, section 10, where samples are made by a sphere packing algorithm: force-biased packing, which is
among those of its reference (Baranau, Tallarek 2014), beside sequential addition and compression: solid fractions at
200 kPa, particles in contact, processor time of a packing, and published solid fractions of random close packings."""

import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import np, options, run, slipwave, table
from slipwave.pictures.dem import DemResults

JOB = """\
material: {{law: linear, young: 4.3e9, poisson: 0.5, friction: {friction}, density: 2600}}
packing:
  particles: {particles}
  radii: {radii}
  pressure: 200.0e3
  friction: {friction}
  method: {method}
rves: {{count: {packings}}}
device: cpu
output: {{file: packing.h5}}
"""
RADII = {"equal": "{distribution: monodisperse, radius: 1.0e-4}",
         "uniform, 1 to 2.5": "{distribution: uniform, least: 5.0e-5, largest: 1.25e-4}",
         "lognormal, 0.3": "{distribution: lognormal, radius: 1.0e-4, deviation: 0.3, least: 4.07e-5, largest: 2.46e-4}"}
METHODS = ["sequential", "force_biased\n  slowness: 1.0e+3", "force_biased\n  slowness: 1.0e+4",
           "force_biased\n  slowness: 1.0e+5"]
LOGNORMAL = 0.3


def desmond_weeks(radius):
    """Phys. Rev. E 90 (2014) 022204: of the deviation over the mean and the skewness of radii."""
    delta = np.std(radius) / np.mean(radius)
    skew = 0 if delta < 1e-9 else np.mean((radius - np.mean(radius)) ** 3) / np.std(radius) ** 3
    return 0.634 + 0.0658 * delta + 0.0857 * skew * delta**2


def farr_groot(sigma):
    """J. Chem. Phys. 131 (2009) 244104: of the deviation of ln r."""
    wave = np.cos(2 * np.pi * (1 - np.exp(-0.75 * sigma**0.7 - 0.0025 * sigma**4))) - 1
    return 1 - 0.57 * np.exp(-sigma) + 0.2135 * np.exp(-0.57 * sigma / 0.2135) + 0.0019 * wave


def quantiles(radii):
    u = (np.arange(20000) + 0.5) / 20000
    if "uniform" in radii:
        return 5e-5 + u * 7.5e-5
    return np.exp(LOGNORMAL * np.clip(normal(u), -3, 3)) if "lognormal" in radii else np.ones(1)


def normal(u):
    """Quantiles of the normal distribution, by its integral over a fine grid."""
    z = np.linspace(-6, 6, 200001)
    below = np.cumsum(np.exp(-0.5 * z * z))
    return np.interp(u, below / below[-1], z)


def last(results, name):
    return np.array([row[np.isfinite(row)][-1] for row in results.history(name)])


def main():
    chosen = options(__doc__, more=[("--particles", "of a packing", 500), ("--packings", "of each kind", 3)])
    lines = []
    for name, radii in RADII.items():
        published = [f"{desmond_weeks(quantiles(radii)):.3f}"]
        published += [f"{farr_groot(0.0 if name == 'equal' else LOGNORMAL):.3f}"] if "uniform" not in name else [""]
        for friction in (0, 0.5):
            for method in METHODS:
                text = JOB.format(radii=radii, friction=friction, method=method, particles=chosen.particles,
                                  packings=chosen.packings)
                label = " ".join(method.split())
                file = "".join(c if c.isalnum() else "-" for c in f"packing-{name}-{friction}-{label}").replace("--", "-")
                before = getrusage(RUSAGE_CHILDREN).ru_utime
                path = slipwave("dem", chosen.folder, file, text, "--threads", 1)
                seconds = (getrusage(RUSAGE_CHILDREN).ru_utime - before) / chosen.packings
                results = DemResults(path)
                solid = 1 / (1 + last(results, "void_ratio"))
                lines.append((name, friction, label, f"{solid.mean():.4f}", f"{solid.std():.4f}",
                              f"{last(results, 'mechanical_coordination').mean():.2f}",
                              f"{seconds:.2f}" if seconds else "", *published))
    table(chosen, "packings", ["radii", "friction", "method", "solid fraction", "deviation", "mechanical coordination",
                               "processor s", "Desmond-Weeks", "Farr-Groot"], lines)


if __name__ == "__main__":
    run(main)
