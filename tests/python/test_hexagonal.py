"""Hexagonal crystals in the package and in slipwave-plot: poles, Kearns factors, sections, triangles and colours."""

import importlib
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

SCRIPTS = str(package.ROOT / "scripts")
sys.path.insert(0, SCRIPTS)
import counted  # noqa: E402
from slipwave.pictures import texture as plot_texture  # noqa: E402
import slipwave  # noqa: E402
from slipwave import colours, texture  # noqa: E402

SERIES = 5e-4  # files hold series of harmonics, this far from sums over few crystals at most: docs/theory.md
C_OVER_A = 1.624
ROOT = 2e-5  # cube root of a few round-offs
MATERIAL = f"""name: magnesium
crystal_structure: hexagonal
c_over_a: {C_OVER_A}
elasticity: {{C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}}
slip:
  reference_slip_rate: 1.0e-3
  rate_sensitivity: 0.05
  families:
    - {{family: basal, initial_slip_resistance: 10.0e6, initial_hardening_rate: 0.5e9, saturation_resistance: 40.0e6, exponent: 2.25}}
    - {{family: prismatic, initial_slip_resistance: 55.0e6, initial_hardening_rate: 0.5e9, saturation_resistance: 135.0e6, exponent: 2.25}}
    - {{family: pyramidal2_ca, initial_slip_resistance: 60.0e6, initial_hardening_rate: 0.5e9, saturation_resistance: 150.0e6, exponent: 2.25}}
hardening: {{law: phenopowerlaw}}
"""
JOB = """material: mg.yaml
solver: rigid_plastic
crystals: {count: 60}
strain_increment: 0.05
loading:
  - {velocity_gradient: [[1.0e-3, 0, 0], [0, %s, 0], [0, 0, %s]], duration: 300}
output: {file: %s.h5, orientations: [0, last]}
"""


class Hexagonal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        (cls.folder / "mg.yaml").write_text(MATERIAL, encoding="utf-8")
        for name, two, three in (("rolled", "0", "-1.0e-3"), ("pulled", "-0.5e-3", "-0.5e-3")):
            (cls.folder / "job.yaml").write_text(JOB % (two, three, name), encoding="utf-8")
            package.run("slipwave", "taylor", "-q", "--device", "cpu", "job.yaml", folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def refused(self, message, function, *arguments, **options):
        with self.assertRaisesRegex(slipwave.ArgumentError, message):
            function(*arguments, **options)

    # ---- The package ----

    def test_poles_are_planes(self):
        """Angles to c, by hand: tan = 2 c/a / sqrt 3 over l of {10-1l}, 2 c/a over l of {11-2l}, of which there are as many."""
        for hkl, tangent, azimuth in (("10-11", 2 / np.sqrt(3), 30), ("10-12", 1 / np.sqrt(3), 30), ("11-22", 1, 60),
                                      ((2, -1, -1, 1), 2, 0), ("0 1 -1 1", 2 / np.sqrt(3), 90)):
            found = texture.normal(hkl, "622", C_OVER_A)
            self.assertAlmostEqual(np.hypot(*found[:2]) / found[2], tangent * C_OVER_A, 12)
            self.assertAlmostEqual(np.degrees(np.arctan2(found[1], found[0])), azimuth, 9)
        np.testing.assert_allclose(texture.normal("10-10", "622") / np.sqrt(4 / 3), [np.sqrt(0.75), 0.5, 0])
        np.testing.assert_allclose(texture.normal((1, 0, 1), "422", 0.5), [1, 0, 2])
        tilt = np.arctan(2 * C_OVER_A / np.sqrt(3))
        at = [[np.sin(tilt) * np.cos(a), np.sin(tilt) * np.sin(a), np.cos(tilt)] for a in np.radians(np.arange(30, 390, 60))]
        euler = np.zeros((1, 3))
        density = slipwave.pole_figure(euler, "10-11", directions=at, group="622", c_over_a=C_OVER_A)
        np.testing.assert_allclose(density, 163 / 2 / 6, rtol=1e-3)
        for message, options in (("need four whole numbers", {"hkl": "101"}), ("h . k . i = 2: need 0", {"hkl": "1011"}),
                                 ("need four whole numbers, h k i l", {"hkl": (1, 0, 1)}),
                                 ("c_over_a = 0: need", {"hkl": "10-11", "c_over_a": 0}),
                                 ("need c_over_a of hexagonal", {"hkl": "10-11", "c_over_a": None})):
            self.refused(message, slipwave.pole_figure, euler, group="622", **{"c_over_a": C_OVER_A, **options})

    def test_kearns_factors(self):
        s, c = np.sin(np.radians(50)), np.cos(np.radians(50))
        one = np.radians([[30, 50, 70]])
        np.testing.assert_allclose(slipwave.kearns_factors(one), [s**2 / 4, 3 * s**2 / 4, c**2])
        two = np.radians([[30, 50, 70], [90, 90, 5]])
        np.testing.assert_allclose(slipwave.kearns_factors(two, [3, 1]), [(3 * s**2 / 4 + 1) / 4, 9 * s**2 / 16, 3 * c**2 / 4])
        many = slipwave.random_crystals(20000, 1e6)  # scatter sqrt(4 / 45 / N)
        np.testing.assert_allclose(slipwave.kearns_factors(many), 1 / 3, atol=5 * np.sqrt(4 / 45 / 20000))
        self.refused("weight: need", slipwave.kearns_factors, two, [0, 0])
        self.refused("0 orientations", slipwave.kearns_factors, np.zeros((0, 3)))

    def test_triangles_are_one_of_all_equivalents(self):
        """A random direction and its images by the group and the inversion: one is in the triangle, all are of one colour."""
        turns = {"622": 6, "422": 4}
        directions = np.random.default_rng(3).normal(size=(50, 3))
        for group, fold in turns.items():
            images = [(x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a), sign * z)
                      for a in 2 * np.pi * np.arange(fold) / fold for sign in (1, -1)
                      for x, y, z in (directions.T, directions.T * [[1], [-1], [1]])]
            self.check_images(group, np.array(images).transpose(0, 2, 1))
        images = [directions[:, order] * signs for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2])
                  for signs in product((1, -1), repeat=3)]
        self.check_images("432", np.array(images))

    def check_images(self, group, images):
        np.testing.assert_array_equal(colours.is_inside(images, group).sum(axis=0), 1)
        self.assertTrue(colours.is_inside(colours.into_triangle(images, group), group).all())
        shown = colours.direction_colours(images, group)
        np.testing.assert_allclose(shown, np.broadcast_to(shown[0], shown.shape), atol=ROOT)

    def test_colours_of_corners(self):
        for group in ("432", "422", "622"):
            np.testing.assert_allclose(colours.direction_colours(colours.corners(group), group), np.eye(3), atol=ROOT)
        # axis 3 is c, then <2-1-10>, <10-10> twice, while 1 is c
        euler = np.radians([[10, 0, 20], [90, 90, 90], [90, 90, 0], [90, 90, 60]])
        np.testing.assert_allclose(slipwave.orientation_colours(euler, group="622"), np.eye(3)[[0, 1, 2, 2]], atol=ROOT)
        np.testing.assert_allclose(slipwave.orientation_colours(euler, 1, group="622")[1:], np.eye(3)[[0, 0, 0]], atol=ROOT)
        self.refused("group = '6': need one of", slipwave.orientation_colours, euler, group="6")
        self.refused("axis = 4", slipwave.orientation_colours, euler, 4)

    def test_colours_are_those_of_damask(self):
        """IPF_color of DAMASK 3.1.0, along axes 3 and 1."""
        euler = np.radians([[20, 40, 10], [75, 110, 200]])
        for group, along_3, along_1 in (
                ("622", [[1, 0.662986, 0.831059], [0.810329, 1, 0.797761]], [[0.639049, 0.563069, 1], [1, 0.314282, 0.757827]]),
                ("432", [[0.565039, 1, 0.640034], [0.990528, 0.374208, 1]], [[1, 0.853048, 0.939817], [1, 0.700921, 0.886636]]),
                ("422", [[1, 0.879643, 0.590654], [0.847619, 1, 0.931897]], [[0.717308, 0.916606, 1], [1, 0.528885, 0.701878]])):
            np.testing.assert_allclose(slipwave.orientation_colours(euler, 3, group), along_3, atol=1e-6)
            np.testing.assert_allclose(slipwave.orientation_colours(euler, [1, 0, 0], group), along_1, atol=1e-6)

    # ---- Results ----

    def test_files_hold_what_the_package_computes(self):
        with slipwave.results.Results(self.folder / "rolled.h5") as run:
            euler, _ = run.orientations()
            step = f"texture/{run.steps()[-1]}"
            self.assertEqual((run.structure(), run.c_over_a()), ("hexagonal", C_OVER_A))
            for pole in ("0002", "10-10", "10-11"):
                stored = run.array(f"{step}/pole_figure/{pole}", 101, 101)
                own = slipwave.pole_figure(euler, pole, group="622", c_over_a=run.c_over_a())
                np.testing.assert_allclose(own, stored, rtol=0, atol=SERIES * np.nanmax(stored))
            stored = run.array(f"{step}/odf", 13, 19, 37)
            own = slipwave.odf_section(euler, np.radians(30), group="622")[:, :37]
            np.testing.assert_allclose(own, stored[6], rtol=0, atol=SERIES * stored.max())
            np.testing.assert_allclose(run.array(f"{step}/kearns_factor", 3), slipwave.kearns_factors(euler), atol=1e-5)

    # ---- slipwave-plot ----

    def plot(self, name, *arguments):
        with mock.patch.object(sys, "argv", ["plot_texture", str(self.folder / f"{name}.h5"), *arguments]):
            plot_texture.main()

    def test_pictures(self):
        for kind in ("pole", "inverse", "odf", "components"):
            self.plot("rolled", "--kind", kind, "-o", str(self.folder / f"{kind}.svg"))
        text = (self.folder / "components.svg").read_text(encoding="utf-8")
        self.assertIn("basal", text)
        self.plot("rolled", "--poles", "11-20", "1 0 -1 2", "-o", str(self.folder / "p.svg"))
        self.plot("pulled", "--kind", "components", "-o", str(self.folder / "c.svg"))
        for arguments, message in ((("--poles", "101"), "--poles 101: need four whole numbers"),
                                   (("--poles", "1011"), "--poles 1011: need four whole numbers, h . k . i = 0")):
            with self.assertRaisesRegex(slipwave.Error, message):
                self.plot("rolled", *arguments, "-o", str(self.folder / "x.svg"))

    def test_sections_repeat_after_sixty_degrees(self):
        with slipwave.results.Results(self.folder / "rolled.h5") as run:
            step = run.group(f"texture/{run.steps()[-1]}")
            asked = mock.Mock(sections=[0, 60, 15, 75, 15.5], symmetry="triclinic")
            first, again, one, turned, own = plot_texture.odf_values(run, step, asked)
            np.testing.assert_array_equal(first, again)
            np.testing.assert_array_equal(one, turned)
            np.testing.assert_allclose(own, slipwave.odf_section(run.orientations()[0], np.radians(15.5), group="622")[:, :37])

    def test_poles_of_element_sets(self):
        """Of `slipwave fem`, whose files have orientations beside textures."""
        path, euler = self.folder / "run-0003.textures.h5", np.radians([[20, 40, 10], [100, 30, 50]])
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-fem-textures", "version": 1.0, "increment": 3.0})
            group = file.create_group("texture/0")
            group.attrs.update({"elements": "all", "crystal_structure": "hexagonal", "c_over_a": C_OVER_A})
            group["orientations"], group["weight"] = euler, [3, 1]
        with plot_texture.Textures(path) as one:
            asked = mock.Mock(poles=["10-12"], symmetry="triclinic")
            found, = plot_texture.pole_values(one, one.file["texture/0"], asked)
        np.testing.assert_allclose(found, slipwave.pole_figure(euler, "10-12", [3, 1], group="622", c_over_a=C_OVER_A))

    def test_fibres_of_tension(self):
        """c, <10-10> and <11-20> along axis 1: caps of 15 degrees about one, three and three directions and their opposites."""
        components = importlib.import_module("slipwave.pictures.texture_components")
        euler = np.radians([[90, 90, 7], [0, 30, 30], [0, 60, 0], [90, 45, 0]])
        labels, found, random = components.counted(euler, 0, None, "hexagonal")
        self.assertEqual(labels, ["<0001> || axis 1", "<10-10> || axis 1", "<11-20> || axis 1"])
        np.testing.assert_array_equal(found, [0.25, 0.25, 0.25])
        np.testing.assert_allclose(random, np.array([1, 3, 3]) * (1 - np.cos(np.radians(15))), atol=0.005)


if __name__ == "__main__":
    counted.main()
