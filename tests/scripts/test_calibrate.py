"""slipwave-calibrate: which Python it takes, what it refuses before anything runs, its last iteration, its picture; without
GrainLearning. What scripts/papers and the launchers begin with."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import counted

try:
    import numpy as np
    import h5py  # noqa: F401: of slipwave_results
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): no {missing.name}")
    sys.exit()

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SW_BIN", ROOT / "build")).resolve()
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True


def calibrate_module():
    loader = importlib.machinery.SourceFileLoader("slipwave_calibrate", str(ROOT / "scripts/slipwave-calibrate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


calibrate = calibrate_module()
from slipwave.errors import InputError  # noqa: E402
from slipwave.measured import Table  # noqa: E402

JOB = """material: {law: linear}
samples:                    # what is compared
  control: strain_33
  values: [1.0e-3, 0.015]
%s
  on_failure: zeros
output: {file: out.h5}
"""
COLUMNS = "  columns: [stress_ratio, volume_strain]"


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


class Launchers(InFolder):
    """build/slipwave-plot and its like: the active python3 if it has what is needed, else that of the build."""

    def start(self, answer, **environment):
        fake = self.write("python3", f"#!/bin/sh\n[ \"$1\" = -c ] && exit {answer}\necho fake \"$1\"\n")
        fake.chmod(0o755)
        for tool in sorted(BUILD.glob("slipwave-*")):
            if tool.name != "slipwave-db":
                done = subprocess.run([tool, "--help"], text=True, capture_output=True, check=True,
                                      env={"PATH": f"{self.folder}:/usr/bin:/bin", **environment})
                yield tool.name, done.stdout

    def test_the_active_python_is_taken(self):
        found = dict(self.start(0))
        self.assertEqual(list(found), ["slipwave-calibrate", "slipwave-chemistry", "slipwave-compare", "slipwave-plot", "slipwave-remesh", "slipwave-report"])
        for tool, text in found.items():
            self.assertEqual(text, f"fake {ROOT / 'scripts' / tool}\n")

    def test_one_without_packages_is_not(self):
        for tool, text in self.start(1):
            self.assertIn(f"usage: {tool}", text)

    def test_a_named_one_is(self):
        named = self.write("named", "#!/bin/sh\necho named\n")
        named.chmod(0o755)
        for _, text in self.start(0, PYTHON=str(named)):
            self.assertEqual(text, "named\n")

    def test_first_lines_name_no_python_but_the_active(self):
        for path in ROOT.rglob("scripts/**/*"):
            line = path.read_bytes().split(b"\n", 1)[0] if path.is_file() else b""
            if line.startswith(b"#!") and b"python" in line:
                self.assertEqual(line, b"#!/usr/bin/env python3", path)


class Calibrate(InFolder):
    def test_names_are_those_of_the_job(self):
        for columns in (COLUMNS, "  columns:\n    - stress_ratio   # q / p\n    - volume_strain",
                        "\n  columns: [stress_ratio,\n            volume_strain]"):
            job = self.write("job.yaml", JOB % columns)
            self.assertEqual(calibrate.names_of(job), ["strain_33", "stress_ratio", "volume_strain"])
        self.assertEqual(calibrate.names_of(ROOT / "data/jobs/dem-calibration.yaml"),
                         ["strain_33", "stress_ratio", "volume_strain"])
        self.assertEqual(calibrate.names_of(self.write("job.yaml", "material: {}\n")), [])

    def test_wrong_columns_are_seen_first(self):
        """Before any program is looked for, with file and row."""
        job = self.write("job.yaml", JOB % COLUMNS)
        for text, message in (("strain_33,stress_ratio,volume\n0.01,1,0\n", "need a column 'volume_strain' of numbers, has strain_33"),
                              ("strain_33,stress_ratio,volume_strain\n0.01,1,0\n0.02,x,0\n", ":3: column 2 = 'x': need a number"),
                              ("strain_33,stress_ratio,volume_strain\n0,01,1,0,0\n", ":2: 5 columns, the line of names has 3"),
                              ("0.01 1 0\n0.02 1 0\n", "has no names")):
            curve = self.write("curve.csv", text)
            options = types.SimpleNamespace(
                hide=None, reference=curve, parameter=[["friction", 0.2, 0.9]], samples=24, iterations=3, effective=0.2, job=job,
                packing=None, hidden_seed=None, program="no-such-program")
            with unittest.mock.patch.object(calibrate, "SMC", calibrate.ByRange):
                with self.assertRaises(InputError) as caught:
                    calibrate.check(options)
            self.assertIn(message, str(caught.exception))

    def test_units_are_in_names(self):
        table = Table(self.write("curve.csv", "strain_33 (%);p_kPa;q\n0,5;200;1\n1,5;250;2\n"))
        np.testing.assert_allclose(table.si("strain_33"), [0.005, 0.015])
        np.testing.assert_allclose(table.si("p"), [200e3, 250e3])
        calibrate.check_size(table, "p", table.si("p"), np.array([1e5, 3e5]))
        with self.assertRaisesRegex(InputError, "curve.csv:3: q = 2 in SI units, computed are up to 3e\\+05: is it in kPa"):
            calibrate.check_size(table, "q", table.si("q"), np.array([1e5, 3e5]))

    def test_columns_in_units_of_laboratories(self):
        """A job's pressure_kPa is in kPa, whatever unit the curve says, or none."""
        table = Table(self.write("curve.csv", "strain_33_percent;pressure_MPa;stress_33\n0,5;0,2;1000\n1,5;0,25;2000\n"))
        np.testing.assert_allclose(calibrate.measured_of(table, "pressure_kPa"), [200, 250])
        np.testing.assert_allclose(calibrate.measured_of(table, "pressure"), [2e5, 2.5e5])
        np.testing.assert_allclose(calibrate.measured_of(table, "stress_33_kPa"), [1, 2])
        np.testing.assert_allclose(calibrate.measured_of(table, "strain_33_percent"), [0.5, 1.5])
        np.testing.assert_allclose(calibrate.measured_of(table, "strain_33"), [0.005, 0.015])
        names, curve = ["strain_33_percent", "pressure_kPa"], {"strain_33_percent": np.array([0.5, 1.0]),
                                                               "pressure_kPa": np.array([200.0, 220.0])}
        options = types.SimpleNamespace(hide=None, parameter=[], table=table, reference="curve.csv")
        kept = []
        with unittest.mock.patch.object(calibrate, "one_sample", lambda *_: (names, curve)), \
                unittest.mock.patch.object(np, "savetxt", lambda _, data, **__: kept.append(data)):
            calibrate.make_reference(options, None)
        np.testing.assert_allclose(kept[0], [[0.5, 200], [1, 225]])

    def test_signs_are_turned(self):
        """A curve with compression negative is that with compression positive; what has no sign of its own stays."""
        names = ["strain_33", "stress_33", "volume_strain", "stress_ratio"]
        computed = {"strain_33": np.array([0.005, 0.01]), "stress_33": np.array([2e5, 2.2e5]),
                    "volume_strain": np.array([1e-3, 5e-4]), "stress_ratio": np.array([1.0, 1.1])}
        kept = []
        for sign, of_stress in ((1, 1), (-1, -1), (-1, 1)):
            table = Table(self.write("curve.csv", "strain_33;stress_33;volume_strain;stress_ratio\n" + "".join(
                f"{sign * e};{of_stress * s};{sign * v};{q}\n" for e, s, v, q in ((0.0, 1e5, 0.0, 0.5), (0.02, 3e5, -1e-3, 1.2)))))
            options = types.SimpleNamespace(hide=None, parameter=[], table=table, reference="curve.csv")
            with unittest.mock.patch.object(calibrate, "one_sample", lambda *_: (names, computed)), \
                    unittest.mock.patch.object(np, "savetxt", lambda _, data, **__: kept.append(data)):
                calibrate.make_reference(options, None)
        np.testing.assert_allclose(kept[0], [[0.005, 1.5e5, -2.5e-4, 0.675], [0.01, 2e5, -5e-4, 0.85]])
        np.testing.assert_allclose(kept[1], kept[0])
        np.testing.assert_allclose(kept[2], kept[0])

    def test_too_few_effective_samples(self):
        options = types.SimpleNamespace(hide=["friction=0.5"], reference=None, parameter=[["friction", 0.2, 0.9]], samples=5,
                                        iterations=2, effective=0.2)
        with unittest.mock.patch.object(calibrate, "SMC", calibrate.ByRange):
            with self.assertRaisesRegex(InputError, "1 effective samples: need more than 1"):
                calibrate.check(options)

    def test_samples_are_drawn_but_after_the_last(self):
        """From those with weight, which must differ: five samples with one effective one ended in NaN."""
        one, system = calibrate.Filter.__new__(calibrate.Filter), types.SimpleNamespace(
            curr_iter=0, num_samples=5, param_data=np.array([[0.2], [0.3], [0.4], [0.5], [0.6]]))
        one.sampling, one.posterior = types.SimpleNamespace(expand_factor=10), np.array([0, 0, 1.0, 0, 0])
        with self.assertRaisesRegex(InputError, "iteration 0: 1 of 5 samples have all the weight"):
            one.run_sampling(system)
        one.posterior = np.full(5, np.nan)
        with self.assertRaisesRegex(InputError, "iteration 0: 0 of 5 samples"):
            one.run_sampling(system)
        one.last = True
        one.run_sampling(system)

    def test_no_panel_is_empty(self):
        """Of one parameter to three, two quantities: what is drawn fills both rows."""
        rng = np.random.default_rng(1)
        names, curve = ["strain_33", "stress_ratio", "volume_strain"], np.linspace(0, 1, 4)
        for n in (1, 2, 3):
            options = types.SimpleNamespace(parameter=[[f"p{i}", 0, 1] for i in range(n)], hide={f"p{i}": 0.5 for i in range(n)},
                                            job=Path("job.yaml"), iterations=2, samples=6)
            iterations = [(rng.random((6, n)), rng.random((6, 2, 4)), np.full(6, 1 / 6))] * 2
            kept = []
            with unittest.mock.patch.object(calibrate, "curve_of", lambda _: (names, dict.fromkeys(names, curve))), \
                    unittest.mock.patch.object(calibrate, "save", lambda figure, _: kept.append(figure)):
                calibrate.plot(options, names, iterations)
            figure, = kept
            self.assertIsInstance(figure, Figure)
            self.assertEqual(len(figure.axes), 2 + max(n * (n - 1) // 2, 1))
            FigureCanvasAgg(figure).draw()
            for axes in figure.axes:
                self.assertTrue(axes.axison and (axes.lines or axes.collections))
            for row in (figure.axes[:2], figure.axes[2:]):  # from near one side to near the other
                self.assertLess(min(axes.get_position().x0 for axes in row), 0.25)
                self.assertGreater(max(axes.get_position().x1 for axes in row), 0.9)


if __name__ == "__main__":
    counted.main()
