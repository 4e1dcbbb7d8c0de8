"""The plotting scripts, on results files whose answers are known. Counted as CMocka's by scripts/dev/run-tests.

Skipped where numpy, h5py or matplotlib is missing."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True

try:
    import h5py
    import numpy as np
    from matplotlib.figure import Figure
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)

import plot_bench  # noqa: E402
import plot_stress_strain  # noqa: E402
import plot_texture  # noqa: E402
import texture_components  # noqa: E402
from slipwave_results import InputError, Results, label_log_axis, save  # noqa: E402

TENSION, SHEAR = np.diag([1e-3, -0.5e-3, -0.5e-3]), [[0, 1e-3, 0], [0, 0, 0], [0, 0, 0]]
PSC = np.diag([1e-3, 0, -1e-3])


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def results(self, gradients, stress, structure=None, euler=None, **attributes):
        """A results file of steps of 10 s, opened."""
        path = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5"
        steps = len(gradients)
        with h5py.File(path, "w") as file:
            file["history/time"] = 10.0 * np.arange(steps + 1)
            file["history/velocity_gradient"] = np.array([np.zeros((3, 3)), *gradients])
            file["history/cauchy_stress"] = np.array([np.zeros((3, 3)), *stress])
            file["history/strain"] = 0.01 * np.arange(steps + 1)
            file.create_group("run").attrs["solver"] = "grid"
            if structure:
                file["run"].attrs["crystal_structure"] = structure
            file.create_group("texture/0")
            if euler is not None:
                file["orientations/0/euler"] = euler
            file.attrs.update(attributes)
        one = Results(path)
        self.addCleanup(one.file.close)
        return one

    def curve(self, results, name=None):
        """Axes and the first line of the plot."""
        component = plot_stress_strain.component_of(results, name)
        axes = plot_stress_strain.plot([(results, "grid")], component, []).axes[0]
        return axes, *axes.lines[0].get_data()

    # ---- Stress-strain curves ----

    def test_tension_has_free_sides(self):
        axes, strain, stress = self.curve(self.results([TENSION] * 2, [np.diag([166e6, -84e6, -82e6])] * 2))
        np.testing.assert_allclose(stress, 249)
        np.testing.assert_allclose(strain, [0.01, 0.02])  # not from (0, 0): the first step has no elastic ramp
        self.assertIn("_{22}", axes.get_ylabel())

    def test_compression_is_drawn_upwards(self):
        l = -np.roll(TENSION, (2, 2), (0, 1))  # along 3
        _, strain, stress = self.curve(self.results([l], [np.diag([80e6, 86e6, -166e6])]))
        np.testing.assert_allclose([strain[0], stress[0]], [0.01, 249])

    def test_one_component_is_called_a_deviator(self):
        axes, _, stress = self.curve(self.results([TENSION], [np.diag([266e6, 16e6, 18e6])]), "11")
        np.testing.assert_allclose(stress, 166)
        self.assertTrue(axes.get_ylabel().startswith("Deviatoric"))

    def test_shear_strain_after_compression(self):
        stress = np.zeros((3, 3))
        stress[0, 1] = stress[1, 0] = 100e6
        _, strain, values = self.curve(self.results([PSC] * 100 + [SHEAR] * 2, [stress] * 102), "12")
        np.testing.assert_allclose(strain[-2:], [0.01, 0.02], atol=1e-12)  # F12 would have been stretched by e
        self.assertTrue(np.isnan(values[100]))  # no line across the change of loading

    # ---- Textures ----

    def test_bcc_components(self):
        def ideal(names, phi1, phi, phi2, normal=0.0):
            one = self.results([PSC], [np.zeros((3, 3))], "bcc24", np.radians([[phi1, phi, phi2]] * 3))
            labels, found, random = plot_texture.read_fractions(one, plot_texture.find_step(one, "last"))
            present = {label.replace("\n", " ") for label, part in zip(labels, found) if part == 1}
            self.assertEqual(present, names)
            self.assertEqual(set(found), {0, 1})
            # caps of 15 degrees about 12 <110> and 8 <111>, which do not overlap
            cap = (1 - np.cos(np.radians(15))) / 2
            np.testing.assert_allclose(random[:2], [12 * cap, 8 * cap], atol=0.005)

        ideal({"$\\alpha$ fibre <110> || RD", "rotated cube {001} <110>"}, 45, 0, 0)
        ideal({"$\\alpha$ fibre <110> || RD", "$\\gamma$ fibre {111} || ND", "{111} <110>"}, 0, 54.7356, 45)
        ideal({"$\\gamma$ fibre {111} || ND", "{111} <112>"}, 90, 54.7356, 45)
        ideal({"Goss {011} <100>"}, 0, 45, 0)

    def test_components_that_are_counted_need_orientations(self):
        for gradient, message in ((PSC, "/orientations/0/euler"), (PSC + SHEAR, "no components are known")):
            one = self.results([gradient], [np.zeros((3, 3))], "bcc")
            with self.assertRaisesRegex(InputError, message):
                plot_texture.read_fractions(one, one.file["texture/0"])

    def test_components_are_counted_by_weight(self):
        euler = np.radians([[45, 0, 0], [0, 45, 0], [45, 0, 0]])  # rotated cube, Goss, rotated cube
        one = self.results([PSC], [np.zeros((3, 3))], "bcc", euler=euler)
        one.file.close()
        with h5py.File(one.path, "a") as file:
            file["orientations/weight"] = np.array([0.5, 2, 0.5])
        again = Results(one.path)
        self.addCleanup(again.file.close)
        names, found, _ = plot_texture.read_fractions(again, again.file["texture/0"])
        fractions = {name.replace("\n", " "): value for name, value in zip(names, found)}
        self.assertAlmostEqual(fractions["Goss {011} <100>"], 2 / 3)
        self.assertAlmostEqual(fractions["rotated cube {001} <110>"], 1 / 3)

    def test_disorientation(self):
        g = texture_components.random_rotations(200)
        turned = g[:, :, [1, 2, 0]] @ np.eye(3)  # a cube's turn
        table = texture_components.BCC["plane strain"]
        np.testing.assert_array_equal(texture_components.fractions_of(g, table),
                                      texture_components.fractions_of(turned, table))

    def test_rim_of_pole_figures(self):
        y, x = np.meshgrid(*[np.linspace(-1, 1, 101)] * 2, indexing="ij")
        r2 = x**2 + y**2
        root = np.sqrt(np.maximum(2 - r2, 0))
        pole = np.array([0.8, 0.5, np.sqrt(1 - 0.64 - 0.25)])
        density = np.exp(5 * (np.tensordot(pole, [x * root, y * root, 1 - r2], 1)**2 - 1))  # p and -p alike
        filled = plot_texture.extend_rim(np.where(r2 > 1, np.nan, density))
        np.testing.assert_array_equal(filled[r2 <= 1], density[r2 <= 1])
        # linear interpolation: second derivatives of up to 40 by 0.02^2 / 8, in two directions
        self.assertLess(np.abs(filled - density)[r2 < 1.1].max(), 0.004)

    # ---- Files and axes ----

    def test_suffix_decides(self):
        figure = Figure()
        for name, files in (("a.pdf", ["a.pdf"]), ("b.png", ["b.png"]), ("c.svg", ["c.svg"]),
                            ("run.0.02", ["run.0.02.png", "run.0.02.svg"]), ("d", ["d.png", "d.svg"])):
            save(figure, self.folder / name)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), files)
            for path in self.folder.iterdir():
                path.unlink()
        for name in ("a.jpg", "a.xyz"):
            with self.assertRaisesRegex(InputError, f"{name}: need .png, .svg, .pdf"):
                save(figure, self.folder / name)

    def test_log_axes_have_labels(self):
        table = plot_bench.Table()
        for i, (rate, error) in enumerate(((1e8, 0.003), (1e10, 0.04), (2e10, 0.009))):
            table.add("", f"terms {i}", rate, error, "crystal-steps/s", float("nan"))
        axes = plot_bench.draw_error_rate(table).axes[0]
        low, high = axes.get_ylim()
        labels = [label.get_text() for label in axes.get_yticklabels() if low <= label.get_position()[1] <= high]
        self.assertLessEqual({"0.005", "0.01", "0.02"}, set(labels))
        for low, high in ((400, 2800), (200, 500), (0.7, 6), (3e5, 4e5)):
            axes = Figure().add_subplot(xscale="log", xlim=(low, high))
            label_log_axis(axes.xaxis)
            self.assertGreaterEqual(sum(low <= tick <= high for tick in axes.get_xticks()), 3)

    def test_formats(self):
        self.results([PSC], [np.zeros((3, 3))], format="slipwave-taylor", version=1.0)
        for attributes, message in (({"format": "slipwave-kwn"}, "not a results file of `slipwave taylor`"),
                                    ({"format": "slipwave-taylor", "version": 2.0}, "version 2 of slipwave-taylor")):
            with self.assertRaisesRegex(InputError, message):
                self.results([PSC], [np.zeros((3, 3))], **attributes)

    # ---- slipwave-plot ----

    def test_command(self):
        command = ROOT / "scripts/slipwave-plot"
        shutil.copy(self.results([PSC], [np.diag([1e6, 0, -1e6])]).path, self.folder / "run.h5")

        def call(*arguments):
            return subprocess.run([sys.executable, command, *arguments], cwd=self.folder, capture_output=True,
                                  text=True, check=False)

        done = call("stress-strain", "run.h5", "--output", "fig.pdf")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "fig.pdf").read_bytes().startswith(b"%PDF"))
        help_ = call("--help").stdout
        loader = importlib.machinery.SourceFileLoader("slipwave_plot", str(command))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("slipwave_plot", loader))
        loader.exec_module(module)
        for kind, (name, _) in module.KINDS.items():
            self.assertIn(f"\n  {kind} ", help_)
            self.assertTrue(callable(importlib.import_module(name).main))
        complaint = "slipwave-plot stress-strain: "
        for arguments, message in ((("pole", "run.h5"), "slipwave-plot: kind 'pole': need one of stress-strain, "),
                                   (("stress-strain", "run.h5"), complaint + "the following arguments are required: -o"),
                                   (("stress-strain", "run.h5", "-o", "x", "--colour"), complaint + "unrecognized argum"),
                                   (("stress-strain", "run.h5", "-o", "x.xyz"), complaint + "x.xyz: need .png, .svg, .p"),
                                   (("kwn", "run.h5", "-o", "x"), "slipwave-plot kwn: run.h5: not a results file of ")):
            done = call(*arguments)
            self.assertEqual((done.returncode, done.stderr.startswith(message), done.stderr.count("\n")), (1, True, 1),
                             done.stderr)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    outcome = unittest.main(exit=False, verbosity=2).result
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"[  PASSED  ] {outcome.testsRun - bad} test(s).")
    if bad:
        print(f"[  FAILED  ] {bad} test(s).")
    sys.exit(bad > 0)
