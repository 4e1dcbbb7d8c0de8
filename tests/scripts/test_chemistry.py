"""slipwave-chemistry: resistances against closed forms, and what it says without pycalphad."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True

try:
    import numpy as np
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)

import counted  # noqa: E402

loader = importlib.machinery.SourceFileLoader("chemistry", str(ROOT / "scripts/slipwave-chemistry"))
chemistry = importlib.util.module_from_spec(importlib.util.spec_from_loader("chemistry", loader))
loader.exec_module(chemistry)


class Resistance(unittest.TestCase):
    def test_binary(self):
        """(x_p - x)^2 / (x (1 - x) (x D*_0 + (1 - x) D*_1)): Darken's interdiffusion, at any composition."""
        for x in 1e-6, 0.1, 0.5, 0.9:
            whole, breadth = chemistry.resistance(np.array([0.25, 0.75]), np.array([x, 1 - x]), np.array([3e-18, 5e-17]))
            darken = x * (1 - x) * ((1 - x) * 3e-18 + x * 5e-17)
            self.assertAlmostEqual(whole / ((0.25 - x)**2 / darken), 1, 10)
            self.assertAlmostEqual(breadth, abs(0.25 - x), 10)

    def test_dilute(self):
        """sum of (x_p - x)^2 / (D x), to the first order in x."""
        x, taken, d = np.array([1e-6, 3e-6, 1 - 4e-6]), np.array([2 / 3, 1 / 3, 0]), np.array([2e-18, 5e-19, 1e-20])
        whole, _ = chemistry.resistance(taken, x, d)
        self.assertAlmostEqual(whole / np.sum(((taken - x)**2 / (d * x))[:2]), 1, 4)

    def test_equal_mobilities(self):
        """All D* alike: D dx' (dx/dmu of an ideal solution)^-1 dx, the sum over all elements of dx^2 / (D x)."""
        x, taken = np.array([0.3, 0.45, 0.25]), np.array([0.6, 0.1, 0.3])
        whole, _ = chemistry.resistance(taken, x, np.full(3, 1e-17))
        self.assertAlmostEqual(whole / np.sum((taken - x)**2 / (1e-17 * x)), 1, 10)


class Attachment(unittest.TestCase):
    def test_it_is_written_where_there_was_none(self):
        for given, written in (({}, "balance"), ({"attachment": "slowest"}, "slowest"), ({"law": "arrhenius"}, None)):
            phase = {"name": "a", "nucleation": dict(given)}
            chemistry.attach_by_balance(phase)
            self.assertEqual(phase["nucleation"].get("attachment"), written)


class Command(unittest.TestCase):
    def test_bad_input_is_one_line(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/slipwave-chemistry", "absent.tdb", "absent.yaml", "--matrix", "A",
                               "--phase", "a=B", "-o", "/dev/null"], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^slipwave-chemistry: .*(pycalphad|absent)")
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    counted.main()
