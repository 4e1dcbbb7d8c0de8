"""Pictures of bodies that tools press, of `slipwave fem`."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import plotting  # noqa: F401; first: it finds the scripts

import h5py
import numpy as np

import counted
from slipwave.pictures import upsetting as plot_upsetting
from slipwave_results import InputError

UPSETTING = """# a billet of radius: 3
upsetting: {radius: 0.010, height: 0.030, reduction: 0.5, cells: [2, 3]}
materials:
  - young: 200.0e9  # steel
    poisson: 0.3
    yield_stress: 700.0e6
    hardening: {law: linear, modulus: 300.0e6}
output: {file: billet.h5}
"""


class Upsetting(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def history(self, displacement, force, job=UPSETTING, kinematics="axisymmetric", **attributes):
        """A results file of one tool: displacement and force [n][c]."""
        path = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5"
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-fem", "version": 1.0})
            file.create_group("run").attrs.update({"kinematics": kinematics, "job": job, "tools": "tool plate",
                                                   **attributes})
            file["history/tool_displacement"] = np.asarray(displacement)[:, None]
            file["history/tool_force"] = np.asarray(force)[:, None]
            file["history/tool_contact_area"] = np.full((len(force), 1), 3e-4)
        return path

    def opened(self, path):
        one = plot_upsetting.ToolHistory(path)
        self.addCleanup(one.file.close)
        return one

    def fields(self, name, points, cells, displacement, pressure=None):
        """A .vtkhdf file: plastic strain 0, 0.1, ... of elements."""
        path = str(self.folder / name)
        with h5py.File(path, "w") as file:
            grid = file.create_group("VTKHDF")
            grid["Points"], grid["Connectivity"] = np.asarray(points, dtype=float), np.ravel(cells)
            grid["Types"] = np.full(len(cells), 9 if len(cells[0]) == 4 else 12, dtype=np.uint8)
            grid["CellData/plastic_strain"] = 0.1 * np.arange(len(cells))
            grid["PointData/displacement"] = np.asarray(displacement, dtype=float)
            if pressure is not None:
                grid["PointData/contact_pressure"] = np.asarray(pressure, dtype=float)
        return path

    def billet(self, name="billet-0001.vtkhdf", height=0.5):
        """Two quadrilaterals of 10 by 10 mm side by side, pressed to this height without change of volume."""
        x, y = np.meshgrid([0, 0.01, 0.02], [0, 0.01])
        points = np.stack((x.ravel(), y.ravel(), 0 * x.ravel()), axis=1)
        displacement = points * [height**-0.5 - 1, height - 1, 0]
        return self.fields(name, points, [[0, 1, 4, 3], [1, 2, 5, 4]], displacement, [0, 0, 0, 2e8, 1e8, 3e8])

    def frames(self, *paths, mirror="auto", **options):
        options = {"field": "plastic_strain", "component": None, "azimuth": 30, "elevation": 25, **options}
        return plot_upsetting.read_frames(paths, mock.Mock(mirror=mirror, **options))

    def call(self, *arguments):
        with mock.patch.object(sys, "argv", ["plot_upsetting.py", *map(str, arguments)]):
            plot_upsetting.main()

    # ---- Force and stroke ----

    def test_closed_form(self):
        billet = plot_upsetting.Billet(UPSETTING, solid=False)
        e, y, h = 200e9, 700e6, 300e6
        for stroke in (0, 1e-5, 0.5 * 0.03 * (1 - np.exp(-y / e)), 1e-3, 7.5e-3):
            height = 0.03 - 2 * stroke
            strain, stress = np.log(0.03 / height), billet.force(stroke) * height / (0.03 * np.pi * 0.01**2)
            plastic = max(0, (stress - y) / h)
            # some ten roundings of a stress of up to 9e8 Pa, over H: 3e-15
            self.assertAlmostEqual(stress / e + plastic, strain, delta=1e-14)
        self.assertFalse(plot_upsetting.Billet(UPSETTING.replace("linear", "table"), False).has_closed_form())
        perfect = plot_upsetting.Billet(UPSETTING.replace("law: linear, modulus: 300.0e6", "law: none"), False)
        np.testing.assert_allclose(perfect.force(7.5e-3), 2 * y * np.pi * 0.01**2, rtol=1e-12)
        elastic = plot_upsetting.Billet(UPSETTING.replace("yield_stress: 700.0e6", ""), False)
        np.testing.assert_allclose(elastic.force(7.5e-3), 2 * e * np.log(2) * np.pi * 0.01**2, rtol=1e-12)

    def test_force_is_along_the_stroke(self):
        moves, forces = [[0, -1e-3], [0, -2e-3]], [[-9e5, -3e5], [-9e5, -4e5]]  # a ring's radial forces cancel
        (tool, stroke, force, _), = self.opened(self.history(moves, forces)).curves()
        self.assertEqual(tool, "plate")
        np.testing.assert_allclose(stroke, [0, 1e-3, 2e-3])
        np.testing.assert_allclose(force, [0, 3e5, 4e5])

    def test_whole_of_a_quarter(self):
        move, push = [[0, 0, -1e-3]], [[1e4, 1e4, -1e5]]
        for job, whole in ((UPSETTING, 4), (UPSETTING.replace("upsetting", "mesh"), 1)):
            (_, _, force, area), = self.opened(self.history(move, push, job, "solid")).curves()
            np.testing.assert_allclose([force[-1], area[-1]], [whole * 1e5, whole * 3e-4])

    def test_force_and_stroke_figure(self):
        histories = [self.opened(self.history([[0, -s]], [[0, -3e5]])) for s in (1e-3, 6e-3)]
        axes = plot_upsetting.plot_strokes(histories).axes[0]
        *runs, closed = axes.lines
        self.assertEqual([line.get_xdata()[-1] for line in runs], [1, 6])
        self.assertEqual((closed.get_linestyle(), closed.get_xdata()[-1]), ("--", 6))  # once, to the furthest
        np.testing.assert_allclose(closed.get_ydata()[-1], 1e-3 * histories[0].billet.force(6e-3))
        other = UPSETTING.replace("upsetting", "mesh")
        alone = plot_upsetting.plot_strokes([self.opened(self.history([[0, -1e-3]], [[0, -3e5]], other))])
        self.assertEqual(len(alone.axes[0].lines), 1)
        self.call(histories[0].path, histories[1].path, "-o", self.folder / "force.png")
        self.assertTrue((self.folder / "force.png").read_bytes().startswith(b"\x89PNG"))

    # ---- Shapes ----

    def test_mirrors(self):
        (frame,), label = self.frames(self.billet())
        self.assertEqual((frame.mirrors, label), ((0, 1), "Equivalent plastic strain (%)"))
        np.testing.assert_allclose(frame.colour, [0, 10] * 4)
        wide = 20 / np.sqrt(0.5)
        np.testing.assert_allclose(frame.corner.reshape(-1, 2).min(axis=0), [-wide, -5])
        np.testing.assert_allclose(frame.corner.reshape(-1, 2).max(axis=0), [wide, 5])
        # nodes that touch, inwards to outwards
        np.testing.assert_allclose(frame.place, [0, wide / 2, wide])
        np.testing.assert_allclose(frame.pressure, [200, 100, 300])
        for mirror, faces in (("none", 2), ("x", 4), ("xy", 8)):
            self.assertEqual(len(self.frames(self.billet(), mirror=mirror)[0][0].corner), faces)
        (frame,), _ = self.frames(self.billet(), field="displacement", component="x")  # it has a sign
        np.testing.assert_allclose(frame.colour[:2], -frame.colour[2:4])
        np.testing.assert_allclose(frame.colour[:4], frame.colour[4:])
        self.assertGreater(frame.colour[0], 0)
        # what is clamped does not slide: no symmetry; nor is the side that is away from 0
        square = [[0, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]]
        for move in ([[0, 0, 0], [0.1, 0, 0], [0.1, -0.1, 0], [0, 0, 0]], np.zeros((4, 3))):
            (frame,), _ = self.frames(self.fields("clamped.vtkhdf", square, [[0, 1, 2, 3]], move))
            self.assertEqual((frame.mirrors, frame.pressure), ((), None))

    def test_cut_of_a_solid(self):
        corner = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 2], [1, 0, 2], [1, 1, 2], [0, 1, 2]])
        points = np.concatenate((corner, corner - [0, 1, 0]))  # two elements with y = 0 between them
        cells = [list(range(8, 16)), list(range(8))]
        (frame,), _ = self.frames(self.fields("two.vtkhdf", points, cells, 0 * points))
        np.testing.assert_allclose(frame.values, [[0.1]])  # the one of positive y
        x, y = frame.corner[0].T
        area = 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))
        np.testing.assert_allclose(area, 2e6)  # mm2, counter-clockwise
        # elsewhere the outside: the cube's three faces that face the eye
        away = self.fields("away.vtkhdf", corner + [0, 5, 0], [list(range(8))], 0 * corner)
        self.assertEqual(len(self.frames(away)[0][0].corner), 3)
        with self.assertRaisesRegex(InputError, "--mirror: .*away.vtkhdf has no faces on the plane y = 0"):
            self.frames(away, mirror="x")

    def test_series(self):
        paths = [self.billet(f"billet-000{i}.vtkhdf", 1 - 0.1 * i) for i in (1, 2, 3)]
        self.call(*paths, "-o", self.folder / "frames")
        pictures = sorted((self.folder / "frames").iterdir())
        self.assertEqual([path.name for path in pictures], [f"billet-000{i}.png" for i in (1, 2, 3)])
        self.assertTrue(all(path.read_bytes().startswith(b"\x89PNG") for path in pictures))
        gif = self.folder / "billet.gif"
        with mock.patch.dict(sys.modules, {"PIL": None}):
            with self.assertRaisesRegex(InputError, "billet.gif: Pillow, which writes GIFs, is missing from "):
                self.call(*paths, "-o", gif)
        self.assertFalse(gif.exists())
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is missing")
        self.call(*paths, "-o", gif, "--speed", "5")
        with Image.open(gif) as image:
            self.assertEqual((image.format, image.n_frames, image.info["duration"]), ("GIF", 3, 200))

    def test_bad_inputs(self):
        good, fields = self.history([[0, -1e-3]], [[0, -3e5]]), self.billet()
        still = self.history([[0, 0]], [[0, -3e5]])
        bare = self.history([[0, -1e-3]], [[0, -3e5]], tools="")
        less = self.history([[0, -1e-3]], [[0, -3e5]])
        with h5py.File(less, "a") as file:
            del file["history/tool_force"]
        for arguments, message in (
                ((bare, "-o", "x.png"), f"{bare.name}: no tools: need results of a job with"),
                ((less, "-o", "x.png"), f"{less.name}: /history/tool_force is missing"),
                ((still, "-o", "x.png"), f"{still.name}: /history/tool_displacement: no tool has moved"),
                ((good, fields, "-o", "x.png"), "billet-0001.vtkhdf: fields beside results"),
                ((fields, fields, "-o", "x.png"), "x.png: 2 files of fields: need .gif"),
                ((fields, fields, "-o", "frames"), "frames: two files of fields of one name"),
                ((fields, "-o", "x.png", "--field", "slip"), "billet-0001.vtkhdf has plastic_strain, "),
                ((fields, "-o", "x.gif", "--speed", "0"), "--speed 0: need 0.1 to 50"),
                ((fields, "-o", "x.png", "--range", "1", "0"), "--range 1 0: need finite numbers"),
                ((self.folder / "none.h5", "-o", "x.png"), "none.h5: No such file")):
            with self.assertRaises(InputError) as caught:
                self.call(*arguments)
            self.assertIn(message, str(caught.exception))


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    counted.main()
