#!/usr/bin/env python3
"""Pole figures of a run as orix makes them from the files that slipwave exports: compare_orix.py RUN.h5 [slipwave]

RUN.h5: results of `slipwave taylor` of crystals without weights, with orientations and textures of the last step. They
are exported as .ang and .ctf, read by orix, whose symmetry, Miller indices and rotations make the poles; their density,
with the kernel that results name, is compared with the run's own. So are orix's own pole figures (histograms, smoothed
by a Gaussian function of the same half width): by their correlation over the hemisphere. With DAMASK's Python package
at hand, its reading of the exported material.yaml is compared with the run's angles, too. Needs orix; h5py, numpy."""

import os
import subprocess
import sys
import tempfile
import warnings

import h5py
import numpy as np
from orix import io
from orix.crystal_map import Phase
from orix.measure import pole_density_function
from orix.quaternion import Orientation
from orix.quaternion.symmetry import Oh
from orix.vector import Miller, Vector3d

POLES = ("111", "100", "110")


def export(slipwave, run, path):
    subprocess.run([slipwave, "export", "-q", run, "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


def poles_of(orientations, hkl):
    """Sample directions [n][3] of all equivalents of a pole."""
    phase = Phase(point_group="m-3m")
    miller = Miller(hkl=[int(c) for c in hkl], phase=phase).symmetrise(unique=True)
    return (~orientations).outer(miller).unit.data.reshape(-1, 3)


def density(poles, directions, halfwidth):
    """De la Vallee Poussin's kernel on directions, both ends of a pole (Schaeben 1997)."""
    kappa = round(0.5 * np.log(2) / -np.log(np.cos(0.5 * np.radians(halfwidth))))
    sums = np.zeros(len(directions))
    for start in range(0, len(poles), 4096):
        cosine = directions @ poles[start : start + 4096].T
        sums += ((0.5 + 0.5 * cosine) ** kappa + (0.5 - 0.5 * cosine) ** kappa).sum(axis=1)
    return 0.5 * (kappa + 1) * sums / len(poles)


def disk(side):
    """Directions of the points of results' pole figures, and which are within."""
    axis = np.linspace(-1, 1, side)
    x, y = np.meshgrid(axis, axis)
    r2 = x * x + y * y
    scale = np.sqrt(np.clip(2 - r2, 0, None))
    return np.stack([x * scale, y * scale, 1 - r2], axis=-1), r2 <= 1


def compare_poles(name, orientations, texture, halfwidth):
    for hkl in POLES:
        ours = texture[f"pole_figure/{hkl}"][()]
        directions, within = disk(len(ours))
        within &= np.isfinite(ours)
        poles = poles_of(orientations, hkl)
        theirs = density(poles, directions[within], halfwidth)
        difference = np.abs(theirs - ours[within])
        histogram, (x, y) = pole_density_function(
            Vector3d(np.concatenate([poles, -poles])), resolution=2.5, sigma=halfwidth / 1.1774, log=False)
        x, y = 0.5 * (x[1:, 1:] + x[:-1, :-1]), 0.5 * (y[1:, 1:] + y[:-1, :-1])
        seen = ~np.ma.getmaskarray(histogram)
        # orix's plane is stereographic: back to directions
        r2 = x * x + y * y
        at = np.stack([2 * x, 2 * y, 1 - r2], axis=-1)[seen] / (1 + r2[seen])[:, None]
        correlation = np.corrcoef(density(poles, at, halfwidth), np.asarray(histogram)[seen])[0, 1]
        print(f"{name} {{{hkl}}}: largest difference {difference.max():.1e} of {ours[within].max():.2f}; "
              f"orix's own: correlation {correlation:.4f}, largest {np.asarray(histogram)[seen].max():.2f}")


def compare_damask(path, euler):
    try:
        import damask
    except ImportError:
        print("DAMASK: not installed")
        return
    config = damask.ConfigMaterial.load(path)
    quaternions = np.array([m["constituents"][0]["O"] for m in config["material"]])
    theirs = damask.Rotation.from_quaternion(quaternions, accept_homomorph=True)
    ours = damask.Rotation.from_Euler_angles(euler)
    angle = np.degrees(theirs.disorientation_angle(ours) if hasattr(theirs, "disorientation_angle")
                       else (~theirs * ours).as_axis_angle()[..., 3])
    print(f"DAMASK {damask.version}: {len(quaternions)} materials, valid {config.is_valid}; "
          f"largest angle from the run's {angle.max():.1e} degrees")


def main():
    run = sys.argv[1]
    slipwave = sys.argv[2] if len(sys.argv) > 2 else "slipwave"
    warnings.simplefilter("ignore")
    with h5py.File(run) as results, tempfile.TemporaryDirectory() as folder:
        if "weight" in results["orientations"]:
            sys.exit(f"{run}: has weights, which .ang and .ctf lack: need crystals that count alike")
        step = max((int(s) for s in results["texture"]))
        texture = results[f"texture/{step}"]
        euler = results[f"orientations/{step}/euler"][()].astype(float)
        halfwidth = float(texture.attrs["kernel_halfwidth_degrees"])
        for suffix in ("ang", "ctf"):
            crystals = io.load(export(slipwave, run, os.path.join(folder, "x." + suffix)))
            orientations = Orientation(crystals.rotations, symmetry=Oh)
            apart = Orientation.from_euler(euler, symmetry=Oh).angle_with(orientations, degrees=True).max()
            print(f".{suffix}: {crystals.size} orientations, phase {crystals.phases[1].name}, "
                  f"{crystals.phases[1].point_group.name}; largest angle from the run's {apart:.1e} degrees")
            compare_poles("." + suffix, orientations, texture, halfwidth)
        compare_damask(export(slipwave, run, os.path.join(folder, "material.yaml")), euler)


if __name__ == "__main__":
    main()
