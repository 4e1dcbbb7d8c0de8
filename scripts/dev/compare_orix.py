#!/usr/bin/env python3
"""Pole figures of a run as orix makes them from the files that slipwave exports: compare_orix.py RUN.h5 [slipwave]

RUN.h5: results of `slipwave taylor` of cubic or hexagonal crystals without weights, with orientations and textures of the last step.
They are exported as .ang and .ctf, read by orix, which has a along x in both and so is 30 degrees off in the latter, whose symmetry, Miller indices and rotations make the poles; their density,
with the kernel that results name, is compared with the run's own. So are orix's own pole figures (histograms, smoothed
by a Gaussian function of the same half width): by their correlation over the hemisphere. With DAMASK's Python package
at hand, its reading of the exported material.yaml is compared with the run's angles, and its colours of orientations with
slipwave's.

Then pictures of one crystal: where on the paper pole figures, inverse ones and sections of the ODF are brightest, and where
orix's azimuths, polar angles, fundamental sector and symmetry say that it has to be. Needs orix; h5py, numpy, matplotlib,
the library (SW_BIN)."""

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import h5py
import numpy as np
from orix import io
from orix.crystal_map import Phase
from orix.measure import pole_density_function
from diffpy.structure import Lattice, Structure
from orix.quaternion import Orientation, Rotation
from orix.quaternion.symmetry import D6h, Oh
from orix.vector import Miller, Vector3d

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import slipwave  # noqa: E402
import slipwave.maps  # noqa: E402


def export(program, run, path):
    subprocess.run([program, "export", "-q", run, "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


class Crystals:
    """What orix, and slipwave, make of a run's: symmetry, group, c/a."""

    def __init__(self, run):
        found = run.attrs["crystal_structure"]
        self.hexagonal = (found.decode() if isinstance(found, bytes) else found) == "hexagonal"
        self.symmetry, self.group, self.pole = (D6h, "622", "10-11") if self.hexagonal else (Oh, "432", "100")
        self.c_over_a = float(np.ravel(run.attrs["c_over_a"])[0]) if self.hexagonal else None
        cell = Lattice(1, 1, self.c_over_a, 90, 90, 120) if self.hexagonal else Lattice(1, 1, 1, 90, 90, 90)
        self.phase = Phase(point_group="6/mmm" if self.hexagonal else "m-3m", structure=Structure(lattice=cell))

    def miller(self, hkl):
        indices = slipwave.texture.miller(hkl, 4 if self.hexagonal else 3)
        return Miller(**{"hkil" if self.hexagonal else "hkl": [indices]}, phase=self.phase).symmetrise(unique=True)


def poles_of(crystals, orientations, hkl):
    """Sample directions [n][3] of all equivalents of a pole."""
    miller = crystals.miller(hkl)
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


def compare_poles(name, crystals, orientations, texture, halfwidth):
    for hkl in texture["pole_figure"]:
        ours = texture[f"pole_figure/{hkl}"][()]
        directions, within = disk(len(ours))
        within &= np.isfinite(ours)
        poles = poles_of(crystals, orientations, hkl)
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


# ---- Pictures of one crystal ----

NARROW = np.radians(3)  # equivalents on both sides of a mirror stay apart


def brightest_near(axes, x, y, reach):
    """Where on the paper the picture is brightest within `reach` of a place, and that place; in data's coordinates, x to
    the right and y up on the paper whatever the axes' directions."""
    image = axes.images[0]
    left, right, bottom, top = image.get_extent()
    values = np.ma.filled(np.ma.masked_invalid(image.get_array()), -1)
    rows, columns = values.shape
    at_x = left + (np.arange(columns) + 0.5) * (right - left) / columns
    at_y = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
    far = (abs(at_x - x)[None, :] > reach) | (abs(at_y - y)[:, None] > reach)
    row, column = np.unravel_index(np.where(far, -1, values).argmax(), values.shape)
    return at_x[column], at_y[row], values[row, column] / values.max()


def on_paper(axes, x, y):
    """Inches from the place of (0, 0), right and up."""
    axes.figure.canvas.draw()
    return (axes.transData.transform((x, y)) - axes.transData.transform((0, 0))) / axes.figure.dpi


def compare_pole_pictures(crystals, euler, orientation):
    values = slipwave.pole_figure(euler, crystals.pole, halfwidth=NARROW, group=crystals.group, c_over_a=crystals.c_over_a)
    poles = poles_of(crystals, orientation, crystals.pole)
    poles[poles[:, 2] < 0] *= -1
    for rd, turned in (("right", 0.0), ("up", 90.0)):
        axes = slipwave.plot.pole_figure(values, rd=rd)
        unit = np.hypot(*on_paper(axes, 1, 0))
        worst = 0.0
        for pole in Vector3d(poles):
            radius, angle = np.sqrt(2) * np.sin(pole.polar[0] / 2), pole.azimuth[0] + np.radians(turned)
            expected = radius * np.cos(angle), radius * np.sin(angle)
            x, y, height = brightest_near(axes, *expected, 0.2)
            assert height > 0.9, (rd, expected, height)
            worst = max(worst, np.hypot(*(on_paper(axes, x, y) / unit - expected)))
        print(f"picture of {{{crystals.pole}}}, RD {rd}: poles at most {worst:.3f} of the disk's radius from orix's; a pixel is 0.02")


def compare_inverse_picture(crystals, euler, orientation):
    worst = 0.0
    for axis in (1, 2, 3):
        direction = (orientation * Vector3d(np.eye(3)[axis - 1])).in_fundamental_sector(crystals.symmetry).unit
        expected = direction.data[0, :2] / np.sqrt(1 + direction.data[0, 2])
        values = slipwave.inverse_pole_figure(euler, axis, halfwidth=NARROW, group=crystals.group)
        alone = slipwave.maps.triangle(values, crystals.group)  # without equivalents beside the triangle
        axes = slipwave.plot.inverse_pole_figure(alone, group=crystals.group)
        x, y, height = brightest_near(axes, *expected, 0.1)
        worst = max(worst, np.hypot(x - expected[0], y - expected[1]))
        assert height > 0.9 and (on_paper(axes, 1, 1) > 0).all(), (axis, expected, height)
    print(f"pictures of the inverse pole figures: at most {worst:.3f} from orix's directions in its sector")


def compare_sections(crystals, euler, orientation):
    """All that are the same orientation, in the section through the first: phi1 to the right, Phi down."""
    phi2 = np.degrees(euler[0, 2])
    equivalents = np.degrees(crystals.symmetry.proper_subgroup.outer(orientation).to_euler()).reshape(-1, 3) % 360
    inside = equivalents[(abs(equivalents[:, 2] - phi2) < 1e-3) & (equivalents[:, 1] <= 90)]
    axes = slipwave.plot.odf_section(slipwave.odf_section(euler, euler[0, 2], step=np.radians(1), group=crystals.group), phi1=360)
    found = [brightest_near(axes, *place[:2], 5) for place in inside]
    worst = max(np.hypot(x - place[0], y - place[1]) for (x, y, _), place in zip(found, inside))
    right, up = on_paper(axes, 1, 1)
    assert min(height for _, _, height in found) > 0.99 and right > 0 > up, found
    print(f"picture of the ODF at phi2 = {phi2:g}: {len(inside)} place(s), at most {worst:.2f} degrees from orix's; phi1 to the "
          "right, Phi down")


def compare_pictures(crystals):
    for degrees in ([25, 40, 15], [200, 70, 60], [310, 20, 80]):
        euler = np.radians([degrees])
        orientation = Orientation.from_euler(euler, symmetry=crystals.symmetry)
        compare_pole_pictures(crystals, euler, orientation)
        compare_inverse_picture(crystals, euler, orientation)
        compare_sections(crystals, euler, orientation)


def compare_damask(path, crystals, euler):
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
    axes = {"lattice": "hP", "a": 1, "c": crystals.c_over_a} if crystals.hexagonal else {"lattice": "cF", "a": 1}
    oriented = damask.Orientation.from_Euler_angles(phi=euler, **axes)
    worst = max(np.abs(oriented.IPF_color(axis) - slipwave.orientation_colours(euler, axis, crystals.group)).max()
                for axis in np.eye(3))
    print(f"colours of orientations: at most {worst:.1e} from DAMASK's")


def main():
    run = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else "slipwave"
    warnings.simplefilter("ignore")
    with h5py.File(run) as results, tempfile.TemporaryDirectory() as folder:
        if "weight" in results["orientations"]:
            sys.exit(f"{run}: has weights, which .ang and .ctf lack: need crystals that count alike")
        step = max((int(s) for s in results["texture"]))
        texture = results[f"texture/{step}"]
        euler = results[f"orientations/{step}/euler"][()].astype(float)
        halfwidth = float(texture.attrs["kernel_halfwidth_degrees"])
        crystals = Crystals(results["run"])
        for suffix in ("ang", "ctf"):
            scan = io.load(export(program, run, os.path.join(folder, "x." + suffix)))
            scan = scan[scan.phase_id >= 0]  # a square is filled up
            rotations = scan.rotations
            if crystals.hexagonal and suffix == "ctf":
                rotations = Rotation.from_axes_angles([0, 0, 1], np.radians(-30)) * rotations  # from a* along x to a
            orientations = Orientation(rotations, symmetry=crystals.symmetry)
            apart = Orientation.from_euler(euler, symmetry=crystals.symmetry).angle_with(orientations, degrees=True).max()
            print(f".{suffix}: {scan.size} orientations, phase {scan.phases[1].name}, "
                  f"{scan.phases[1].point_group.name}; largest angle from the run's {apart:.1e} degrees")
            compare_poles("." + suffix, crystals, orientations, texture, halfwidth)
        compare_pictures(crystals)
        compare_damask(export(program, run, os.path.join(folder, "material.yaml")), crystals, euler)


if __name__ == "__main__":
    main()
