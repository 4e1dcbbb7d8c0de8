"""Pole figures, triangles and colours of orthorhombic and tetragonal crystals: slipwave.texture, slipwave.maps, slipwave-plot."""

import shutil
import sys
import tempfile
import unittest
from itertools import product
from pathlib import Path
from unittest import mock

import package

package.need("numpy", "h5py", "matplotlib")

import h5py  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(package.ROOT / "scripts"))
import counted  # noqa: E402
from slipwave.pictures import texture as plot_texture  # noqa: E402
import slipwave  # noqa: E402
from slipwave import colours, maps, texture  # noqa: E402

B, C = 2.056, 1.736  # of alpha uranium
SERIES = 5e-4  # as of test_pictures.py
ROOT = 1e-5  # colours are cube roots: 6e-6 for a rounding of 2e-16
PEAK = 163 / 2  # kappa = 162 (7.5 degrees): (1 + kappa) / 2 over the number of axes, of one crystal at its pole
MATERIAL = f"""name: uranium-like
crystal_structure: orthorhombic
b_over_a: {B}
c_over_a: {C}
elasticity: {{C11: 214.8e9, C12: 46.5e9, C13: 21.8e9, C22: 198.6e9, C23: 107.9e9, C33: 267.1e9, C44: 124.4e9, C55: 73.4e9, C66: 74.3e9}}
slip:
  reference_slip_rate: 1.0e-3
  rate_sensitivity: 0.05
  families:
    - {{family: "010_100", initial_slip_resistance: 50.0e6, saturation_increase: 30.0e6, initial_hardening_rate: 300.0e6, final_hardening_rate: 50.0e6}}
    - {{family: "001_100", initial_slip_resistance: 80.0e6, saturation_increase: 20.0e6, initial_hardening_rate: 300.0e6, final_hardening_rate: 50.0e6}}
    - {{family: "110_1-10", initial_slip_resistance: 110.0e6, saturation_increase: 50.0e6, initial_hardening_rate: 300.0e6, final_hardening_rate: 50.0e6}}
    - {{family: "021_1-12", initial_slip_resistance: 150.0e6, saturation_increase: 50.0e6, initial_hardening_rate: 300.0e6, final_hardening_rate: 50.0e6}}
hardening: {{law: extended_voce}}
"""
JOB = """material: u.yaml
solver: elastoplastic
crystals: {count: 200, components: [{angles: [0, 0, 0], fraction: 1, halfwidth: 2}]}
strain_increment: 0.005
loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, %s, 0], [0, 0, %s]], duration: 5}]
output: {file: %s.h5, orientations: [0, last]}
"""


class Orthorhombic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        (cls.folder / "u.yaml").write_text(MATERIAL, encoding="utf-8")
        for name, two, three in (("rolled", "0", "-1.0e-3"), ("pulled", "-0.5e-3", "-0.5e-3")):
            (cls.folder / "job.yaml").write_text(JOB % (two, three, name), encoding="utf-8")
            package.run("slipwave", "taylor", "-q", "--device", "cpu", "job.yaml", folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def refused(self, message, function, *arguments, **options):
        with self.assertRaisesRegex(slipwave.ArgumentError, message):
            function(*arguments, **options)

    def plot(self, name, *arguments):
        with mock.patch.object(sys, "argv", ["plot_texture", str(self.folder / f"{name}.h5"), *arguments]):
            plot_texture.main()

    # ---- The package ----

    def test_the_triangle_is_an_octant(self):
        """Of a direction and its seven images by half turns and the inversion one is in 001, 100, 010; all are of one colour."""
        directions = np.random.default_rng(4).normal(size=(50, 3))
        images = np.array([directions * signs for signs in product((1, -1), repeat=3)])
        np.testing.assert_array_equal(colours.is_inside(images, "222").sum(axis=0), 1)
        np.testing.assert_allclose(colours.into_triangle(images, "222"), np.broadcast_to(np.abs(directions), images.shape), atol=1e-14)
        shown = colours.direction_colours(images, "222")
        np.testing.assert_allclose(shown, np.broadcast_to(shown[0], shown.shape), atol=ROOT)
        np.testing.assert_allclose(colours.direction_colours([[0, 0, 3], [1, 0, 0], [0, 2, 0]], "222"), np.eye(3), atol=ROOT)
        # DAMASK's rule, by hand: cube roots of the cosines, over the largest
        np.testing.assert_allclose(colours.direction_colours([1, -2, 3], "222"), np.cbrt([1, 1 / 3, 2 / 3]), atol=1e-12)

    def test_colours_are_those_of_damask(self):
        """IPF_color of DAMASK 3.1.0, along axes 3 and 1, of oP with b/a = 2.056, c/a = 1.736."""
        euler = np.radians([[20, 40, 10], [75, 110, 200]])
        np.testing.assert_allclose(slipwave.orientation_colours(euler, 3, "222"), [[1, 0.526213, 0.938401], [0.728943, 0.713984, 1]], atol=1e-6)
        np.testing.assert_allclose(slipwave.orientation_colours(euler, 1, "222"), [[0.629833, 1, 0.782254], [1, 0.732131, 0.625302]], atol=1e-6)

    def test_poles_are_planes(self):
        """Intercepts of (hkl) with the axes are 1/h, b/k, c/l: the normal is (h, k a/b, l a/c), of {110} atan(a/b) from a."""
        np.testing.assert_allclose(texture.normal("123", "222", C, B), [1, 2 / B, 3 / C])
        np.testing.assert_array_equal(texture.normal("123", "222"), [1, 2, 3])
        angle = np.arctan(1 / B)
        at = [[np.cos(a), np.sin(a), 0] for a in (angle, -angle, np.pi / 4)]
        found = slipwave.pole_figure(np.zeros((1, 3)), "110", directions=at, group="222", c_over_a=C, b_over_a=B)
        np.testing.assert_allclose(found[:2], PEAK / 2, rtol=1e-6)  # two axes, 128 degrees apart
        self.assertLess(found[2], PEAK / 4)  # 19 degrees off
        self.refused("need b_over_a and c_over_a of orthorhombic", texture.normal, "110", "222", C)
        self.refused("b_over_a = -1: need a number above 0", texture.normal, "110", "222", C, -1)
        self.refused("b_over_a = 2: group = 422", texture.normal, "110", "422", C, 2)

    def test_triangles_are_drawn_in_their_own_shape(self):
        """Corners' names, and where a crystal whose a is along axis 1 is densest: at 100, of 2 rows of poles."""
        for group, names in (("222", ["001", "100", "010"]), ("422", ["001", "100", "110"])):
            values = slipwave.inverse_pole_figure(np.zeros((1, 3)), 1, group=group)
            axes = maps.inverse_pole_figure(values, group=group)
            shown = [text.get_text() for text in axes.texts]
            self.assertEqual(shown[:3], names)
            # a is its own opposite; of tetragonal crystals b is a, too
            self.assertAlmostEqual(float(shown[3].split(" to ")[1]), PEAK / (1 if group == "222" else 2), delta=0.006)
            key = maps.colour_key(group=group)
            self.assertEqual([text.get_text() for text in key.texts], names)

    # ---- slipwave-plot ----

    def test_pictures_are_those_of_the_crystals(self):
        """a along axis 1: inverse pole figures are densest at 100, 010, 001, pole figures those of the file."""
        with slipwave.results.Results(self.folder / "rolled.h5") as run:
            step = run.group("texture/0")
            self.assertEqual(plot_texture.group_of(run, step), "222")
            euler, _ = run.orientations(0)
            for pole in ("001", "100", "010"):
                stored = run.array(f"texture/0/pole_figure/{pole}", 101, 101)
                np.testing.assert_allclose(slipwave.pole_figure(euler, pole, group="222"), stored, rtol=0,
                                           atol=SERIES * np.nanmax(stored))
            for axis, seen in enumerate(plot_texture.inverse_values(run, step, None)):
                inside = maps.triangle(seen, "222")
                y, x = np.unravel_index(np.nanargmax(inside), inside.shape)
                # on the disk (x, y) from -1 to 1 by 0.02: 100 at (1, 0), 010 at (0, 1), 001 at (0, 0)
                self.assertLessEqual(np.hypot(x - [100, 50, 50][axis], y - [50, 100, 50][axis]), 2)
                self.assertAlmostEqual(np.nanmax(inside), np.nanmax(seen), delta=0.02 * np.nanmax(seen))
            asked = mock.Mock(sections=[0, 90, 180], symmetry="triclinic")
            first, middle, last = plot_texture.odf_values(run, step, asked)
            np.testing.assert_array_equal(first, last)
            self.assertGreater(first[0, 0], 10 * middle[0, 0])  # no fourfold axis

    def test_programs(self):
        for name, kinds in (("rolled", ("pole", "inverse", "odf", "components")), ("pulled", ("inverse", "components"))):
            for kind in kinds:
                self.plot(name, "--kind", kind, "-o", str(self.folder / f"{name}-{kind}.svg"))
        self.assertIn("|| ND", (self.folder / "rolled-components.svg").read_text(encoding="utf-8"))
        self.assertIn("[010] || axis 1", (self.folder / "pulled-components.svg").read_text(encoding="utf-8"))
        self.plot("rolled", "--kind", "odf", "--sections", "0", "135", "180", "-o", str(self.folder / "o.svg"))
        with self.assertRaisesRegex(slipwave.Error, "--sections 181: need 0 to 180 degrees"):
            self.plot("rolled", "--kind", "odf", "--sections", "181", "-o", str(self.folder / "x.svg"))

    def test_planes_by_the_axes_of_files(self):
        """{110} of a set of `slipwave fem` by its own b/a; of files that lack it a refusal, but of planes normal to an axis."""
        euler = np.radians([[20, 40, 10], [100, 30, 50]])
        for lacking in (False, True):
            path = self.folder / f"{lacking}.textures.h5"
            with h5py.File(path, "w") as file:
                file.attrs.update({"format": "slipwave-fem-textures", "version": 1.0, "increment": 3.0})
                for k, structure in enumerate(("fcc", "orthorhombic")):
                    group = file.create_group(f"texture/{k}")
                    group.attrs.update({"elements": structure, "crystal_structure": structure})
                    group["orientations"] = euler
                group.attrs.update({"c_over_a": C} if lacking else {"c_over_a": C, "b_over_a": B})
            asked = mock.Mock(poles=["110"], symmetry="triclinic")
            with plot_texture.Textures(path) as one:
                where = one.file["texture/1"]
                self.assertEqual(plot_texture.group_of(one, where), "222")  # not that of the first set
                if lacking:
                    with self.assertRaisesRegex(slipwave.InputError, "--poles 110: .* lacks b_over_a"):
                        plot_texture.pole_values(one, where, asked)
                    found, = plot_texture.pole_values(one, where, mock.Mock(poles=["020"], symmetry="triclinic"))
                    np.testing.assert_array_equal(found, slipwave.pole_figure(euler, "010", group="222"))
                    continue
                found, = plot_texture.pole_values(one, where, asked)
                np.testing.assert_array_equal(found, slipwave.pole_figure(euler, "110", group="222", c_over_a=C, b_over_a=B))


if __name__ == "__main__":
    counted.main()
