"""slipwave.plot, slipwave.results and slipwave-plot: what is drawn, and that the same results give the same bytes."""

import importlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import package

package.need("numpy", "h5py", "matplotlib")

import numpy as np  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

SCRIPTS = str(package.ROOT / "scripts")
sys.path.insert(0, SCRIPTS)
import counted  # noqa: E402
from slipwave.pictures import texture as plot_texture  # noqa: E402
import slipwave  # noqa: E402
from slipwave import curves  # noqa: E402

SERIES = 5e-4  # files hold series of harmonics, this far from sums over few crystals at most: docs/theory.md

JOB = f"""material: {slipwave.data("materials/copper-ofhc.yaml")}
solver: elastoplastic
crystals: {{count: 60}}
strain_increment: 0.05
loading:
  - {{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 500}}
output: {{file: run.h5, orientations: [0, last]}}
"""


def texts(axes):
    return [text.get_text() for text in axes.texts]


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        (cls.folder / "job.yaml").write_text(JOB, encoding="utf-8")
        package.run("slipwave", "taylor", "-q", "job.yaml", folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    # ---- Results ----

    def test_results(self):
        with slipwave.results.Results(self.folder / "run.h5") as run:
            self.assertEqual(run.steps(), [0, len(run.history.time) - 1])
            self.assertEqual(run.loading(), "plane strain")
            first, weight = run.orientations(0)
            self.assertIsNone(weight)
            np.testing.assert_array_equal(first, slipwave.random_crystals(60, 16e6)[:, :3])
            last, _ = run.orientations()
            stored = run.array(f"texture/{run.steps()[-1]}/pole_figure/111", 101, 101)
            within = SERIES * np.nanmax(stored)
            np.testing.assert_allclose(slipwave.pole_figure(last, "111"), stored, rtol=0, atol=within)
            odf = run.array(f"texture/{run.steps()[-1]}/odf", 19, 19, 37)
            symmetry = run.text("sample_symmetry", run.file[f"texture/{run.steps()[-1]}/odf"])
            own = slipwave.odf_section(last, np.radians(45), symmetry=symmetry)
            within = SERIES * np.max(odf)
            np.testing.assert_allclose(own[:, :37], odf[9][:, :own.shape[1]], rtol=0, atol=within)
        for path, message in ((self.folder / "absent.h5", "No such file"), (self.folder / "job.yaml", "not an HDF5")):
            with self.assertRaisesRegex(slipwave.InputError, message):
                slipwave.results.Results(path)

    # ---- Axes ----

    def test_curves(self):
        with slipwave.results.Results(self.folder / "run.h5") as run:
            mine = Figure().add_subplot()
            axes = slipwave.plot.stress_strain(run, run.history, axes=mine, labels=["file", "rows"])
            self.assertIs(axes, mine)
            one, other = (line.get_data() for line in axes.lines)
            np.testing.assert_array_equal(one, other)
            stress = run.history.cauchy_stress
            np.testing.assert_allclose(one[1], (stress[1:, 0, 0] - stress[1:, 2, 2]) / 1e6)
            self.assertEqual([t.get_text() for t in axes.get_legend().get_texts()], ["file", "rows"])
            for name in slipwave.plot.COMPONENTS:
                self.assertIn("MPa", slipwave.plot.stress_strain(run, component=name).get_ylabel())
            for name in ("uniaxial", "13"):
                with self.assertRaisesRegex(slipwave.InputError, f"component {name}"):
                    slipwave.plot.stress_strain(run, component=name)

    def test_lines_end_where_the_loading_changes_alone(self):
        """Free components drift from step to step; another loading, or ten times the rate, is another curve."""
        x = np.nan
        first = {"velocity_gradient": [[1e-3, 0, 0], [0, x, 0], [0, 0, x]],
                 "stress": [[x, x, x], [x, 0, x], [x, x, 0]], "duration": 60}
        job = {"solver": "elastoplastic", "crystals": {"count": 10}, "loading": [
            first, {"velocity_gradient": [[0, 1e-3, 0], [0, 0, 0], [0, 0, 0]], "duration": 40},
            {"velocity_gradient": [[0, 1e-2, 0], [0, 0, 0], [0, 0, 0]], "duration": 4}]}
        run = slipwave.Taylor(job, material=slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))).run()
        self.assertEqual(np.isnan(slipwave.plot.stress_strain(run).lines[0].get_ydata()).sum(), 2)

    def test_lines_stay_whole_where_free_sides_yield(self):
        """Lateral rates of a plate without symmetry go from elastic to plastic ones in a step, by more than other loadings do."""
        gradients = np.array([np.diag([-1e-3, lateral, 1e-3 - lateral]) for lateral in (4e-4, -1e-4, -1.1e-4)])
        self.assertEqual(curves.new_loadings(gradients).tolist(), [])
        self.assertEqual(curves.new_loadings(np.array([gradients[0], -gradients[0], gradients[0].T * 2])).tolist(), [1, 2])

    def test_runs_along_several_axes(self):
        """Of each run the stress along its own axis; of several kinds of loading von Mises'."""
        x = np.nan
        runs = []
        for axis in (0, 2):
            gradient, stress = np.full((3, 3), 0.0), np.full((3, 3), x)
            gradient[range(3), range(3)] = x
            stress[range(3), range(3)] = 0
            gradient[axis, axis], stress[axis, axis] = -1e-3, x
            job = {"solver": "elastoplastic", "crystals": {"count": 20}, "loading": [
                {"velocity_gradient": gradient.tolist(), "stress": stress.tolist(), "duration": 60}]}
            runs.append(slipwave.Taylor(job, material=slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))).run())
        axes = slipwave.plot.stress_strain(*runs)
        self.assertIn("each run's axis", axes.get_ylabel())
        for line, run, axis in zip(axes.lines, runs, (0, 2)):
            lateral = [k for k in range(3) if k != axis]
            stress = run.history.cauchy_stress[1:]
            np.testing.assert_allclose(line.get_ydata(), (stress[:, lateral, lateral].mean(axis=1) - stress[:, axis, axis]) / 1e6)
            self.assertGreater(np.min(line.get_data()), 0)
        with slipwave.results.Results(self.folder / "run.h5") as rolled:
            axes = slipwave.plot.stress_strain(rolled, runs[0])
            self.assertIn("Von Mises", axes.get_ylabel())
            np.testing.assert_allclose(axes.lines[0].get_ydata(), slipwave.history.von_mises(rolled.history.cauchy_stress)[1:] / 1e6)

    def test_free_sides_are_uniaxial(self):
        """Lateral strain rates of a tension with free sides are not quite equal, its lateral stresses are none."""
        x = np.nan
        for sign, name in ((1, "tension along 2"), (-1, "compression along 2")):
            job = {"solver": "elastoplastic", "crystals": {"count": 20}, "loading": [
                {"velocity_gradient": [[x, 0, 0], [0, sign * 1e-3, 0], [0, 0, x]],
                 "stress": [[0, x, x], [x, x, x], [x, x, 0]], "duration": 60}]}
            run = slipwave.Taylor(job, material=slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))).run()
            for component in (None, "uniaxial"):
                self.assertIs(slipwave.curves.component_of(run.history, component), slipwave.curves.UNIAXIAL[name])

    def test_pole_figures(self):
        values = slipwave.pole_figure(np.radians([[20, 10, 0]]), "100")  # near the axes 1, 2, 3
        right = slipwave.plot.pole_figure(values, title="{100}", scale=(0, 4), levels=(1, 2))
        self.assertEqual(right.images[0].get_clim(), (0, 4))
        self.assertEqual((right.get_title(), texts(right)[:2]), ("{100}", ["RD", "TD"]))
        self.assertEqual(texts(right)[2], f"{np.nanmin(values):.2f} to {np.nanmax(values):.2f}")
        up = slipwave.plot.pole_figure(values, rd="up", names=("x", "y"), extrema=False, colourbar=False)
        self.assertEqual(texts(up), ["x", "y"])
        inside = np.isfinite(values)
        a, b = (np.asarray(axes.images[0].get_array()) for axes in (right, up))
        np.testing.assert_array_equal(a[inside], values[inside])
        for x, y in ((70, 60), (50, 90)):  # a quarter turn to the left: right is up, up is left
            self.assertEqual(b[x, 100 - y], a[y, x])
        with self.assertRaisesRegex(slipwave.InputError, "rd = 'left': need right or up"):
            slipwave.plot.pole_figure(values, rd="left")
        with self.assertRaisesRegex(slipwave.InputError, "no finite density"):
            slipwave.plot.pole_figure(np.full((5, 5), np.nan))

    def test_inverse_pole_figures_and_sections(self):
        euler = np.radians([[0, 45, 0]])  # ND || <110>, RD || <100>
        inverse = slipwave.inverse_pole_figure(euler, 1)
        axes = slipwave.plot.inverse_pole_figure(inverse)
        low, high = map(float, texts(axes)[-1].split(" to "))
        self.assertAlmostEqual(high, np.nanmax(inverse), delta=0.005)
        self.assertLess(low, 0.01)
        section = slipwave.odf_section(euler, 0, symmetry="orthorhombic")
        axes = slipwave.plot.odf_section(section)
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0, 90), (90, 0)))
        with self.assertRaisesRegex(slipwave.InputError, r"odf_section: densities of the shape \(3,\)"):
            slipwave.plot.odf_section([1, 2, 3])

    def test_orthotropic_is_the_mean_over_half_turns(self):
        euler = np.radians([[20, 30, 40], [100, 50, 10]])
        turned = np.concatenate([euler, euler * [-1, 1, 1] + [np.pi, 0, np.pi],  # about axis 2, with the cube's half turn
                                 euler + [np.pi, 0, 0], euler * [-1, 1, 1] + [0, 0, np.pi]])
        turned[2:4] = np.stack([-euler[:, 0], np.pi - euler[:, 1], np.pi + euler[:, 2]], 1)
        turned[6:8] = np.stack([np.pi - euler[:, 0], np.pi - euler[:, 1], np.pi + euler[:, 2]], 1)
        np.testing.assert_allclose(slipwave.maps.orthotropic(slipwave.pole_figure(euler, "111")),
                                   slipwave.pole_figure(turned, "111"), rtol=1e-6, atol=1e-9)

    def test_nothing_to_draw_is_said(self):
        """All NaN, or infinite: the argument is named. What has gaps is drawn, with gaps and without a warning."""
        nothing, poles = np.full((21, 21), np.nan), slipwave.pole_figure(np.radians([[20, 10, 0]]), "100")
        with slipwave.results.Results(self.folder / "run.h5") as run:
            history = run.history
        gaps, empty = history.cauchy_stress.copy(), np.full_like(history.cauchy_stress, np.nan)
        gaps[3:5] = np.nan
        triangle = np.where(np.isnan(slipwave.maps.triangle(poles)), poles, np.nan)  # finite but where it is drawn
        infinite = np.where(poles > 1, np.inf, poles)
        plot = slipwave.plot
        for message, function, *arguments in (
                ("runs: number 2: no step has", plot.stress_strain, history, history._replace(cauchy_stress=empty)),
                ("runs: number 1: no step has", plot.stress_strain, history._replace(time=history.time * np.nan)),
                ("pole_figure: no finite density", plot.pole_figure, nothing),
                ("pole_figure: an infinite density", plot.pole_figure, infinite),
                ("odf_section: no finite density", plot.odf_section, nothing),
                ("inverse_pole_figure: no finite density", plot.inverse_pole_figure, triangle)):
            with self.assertRaisesRegex(slipwave.InputError, message):
                function(*arguments)
        with self.assertRaisesRegex(slipwave.InputError, "references: measured: no step has"):
            plot.stress_strain(history, references=[("measured", [np.nan, 1], [2, np.nan])])
        with self.assertRaisesRegex(slipwave.ArgumentError, "phi1 = nan: need degrees above 0"):
            plot.odf_section(np.ones((5, 5)), phi1=np.nan)
        holes = poles.copy()
        holes[40:61, 40:61] = np.nan  # around axis 3
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for axes in (plot.stress_strain(history._replace(cauchy_stress=gaps)), plot.pole_figure(holes),
                         plot.odf_section(np.where(np.eye(5) > 0, np.nan, 1.0)), plot.inverse_pole_figure(holes)):
                plot.save(axes.figure, self.folder / "gaps.png")

    # ---- slipwave-plot ----

    def plot(self, kind, *arguments):
        with mock.patch.object(sys, "argv", [kind, str(self.folder / "run.h5"), *arguments[:-1],
                                             str(self.folder / arguments[-1])]):
            importlib.import_module(f"slipwave.pictures.{kind}").main()

    def test_the_same_bytes_twice(self):
        """By two processes: what an address or a hash has to do with differs."""
        code = ("import sys, importlib\n_, folder, name = sys.argv\nsys.path.insert(0, folder)\nimport slipwave_results\n"
                "for kind in ('stress_strain', 'texture'):\n"
                "    for suffix in ('.png', '.svg', '.pdf'):\n"
                "        sys.argv = [kind, 'run.h5', '-o', f'{name}-{kind}{suffix}']\n"
                "        importlib.import_module(f'slipwave.pictures.{kind}').main()\n")
        for name in ("one", "two"):
            subprocess.run([sys.executable, "-c", code, SCRIPTS, name], cwd=self.folder, check=True)
        for path in sorted(self.folder.glob("one-*")):
            content = path.read_bytes()
            same = content == (self.folder / path.name.replace("one", "two")).read_bytes()
            self.assertTrue(same and len(content) > 5000, path.name)
            if path.suffix == ".png":
                self.assertIsNone(re.search(rb"tEXt|tIME|iTXt", content[:4096]), path.name)
        self.assertEqual(len(list(self.folder.glob("one-*"))), 6)

    def test_options(self):
        self.plot("texture", "--step", "0", "last", "--rd", "up", "--levels", "1", "2", "--range", "0", "3",
                  "--poles", "111", "211", "--symmetry", "orthotropic", "--labels", "before", "after", "--axes", "X", "Y",
                  "Z", "-o", "p.svg")
        self.plot("texture", "--kind", "odf", "--sections", "0", "32.5", "--symmetry", "orthorhombic", "-o", "o.svg")
        self.plot("texture", "--kind", "inverse", "--no-extrema", "--levels", "2", "1", "1", "-o", "i.svg")
        self.plot("texture", "--kind", "components", "--labels", "mine", "-o", "c.svg")
        self.plot("stress_strain", "--labels", "mine", "--strain-range", "0", "2", "--stress-range", "0", "500", "-o",
                  "both")
        self.assertTrue((self.folder / "both.png").is_file() and (self.folder / "both.svg").is_file())
        for arguments, message in ((("--labels", "a", "b"), "--labels: 2 of them: need 1"),
                                   (("--poles", "11"), "--poles 11: need three whole numbers"), (("--range", "3", "1"), "need finite numbers, the first"),
                                   (("--levels", "nan"), "--levels nan: need finite densities"), (("--levels", "-1"), "--levels -1: need"),
                                   (("--step", "7"), "--step 7: .*run.h5 has textures of the steps 0, "),
                                   (("--sections", "91"), "--sections 91: need 0 to 90 degrees")):
            with self.assertRaisesRegex(slipwave.Error, message):
                self.plot("texture", *arguments, "-o", "x.png")

    def test_what_files_lack_is_computed(self):
        """{222} are the poles {111} that the file has; a section between two of the file's is of the same function."""
        with slipwave.results.Results(self.folder / "run.h5") as run:
            step = run.group(f"texture/{run.steps()[-1]}")
            asked = mock.Mock(poles=["111", "222"], sections=[0, 45, 90], symmetry="triclinic")
            stored, own = plot_texture.pole_values(run, step, asked)
            np.testing.assert_allclose(own, stored, rtol=0, atol=SERIES * np.nanmax(stored))
            first, _, last = plot_texture.odf_values(run, step, asked)
            np.testing.assert_array_equal(first, last)
            asked.sections = [45 + 1e-9]
            np.testing.assert_allclose(plot_texture.odf_values(run, step, asked)[0], step["odf"][9], rtol=0,
                                       atol=SERIES * np.max(step["odf"]))
            asked.symmetry = "orthorhombic"
            self.assertEqual(plot_texture.odf_values(run, step, asked)[0].shape, (19, 19))


if __name__ == "__main__":
    counted.main()
