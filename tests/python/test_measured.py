"""Measured curves: what the package's reader says of every text of tests/curves/examples.txt, as the programs' does
(tests/online/forming/fit/test_curve_file.c)."""

import shutil
import tempfile
import unittest
from pathlib import Path

import package

package.need("numpy", "h5py")

import counted  # noqa: E402
from slipwave import measured  # noqa: E402
from slipwave.errors import InputError  # noqa: E402

EXAMPLES = package.ROOT / "tests/curves/examples.txt"


def examples():
    """[(verdict, the text's bytes)]"""
    for part in EXAMPLES.read_text(encoding="utf-8").split("\n== ")[1:]:
        verdict, _, text = part.partition("\n")
        yield verdict, text.encode().decode("unicode_escape").encode("latin-1")


class Measured(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "curve.csv"

    def test_examples_are_answered(self):
        for verdict, text in examples():
            with self.subTest(verdict):
                self.path.write_bytes(text)
                kind, _, rest = verdict.partition(" ")
                if kind == "bad":
                    with self.assertRaises(InputError) as caught:
                        measured.read_curve(self.path)
                    self.assertIn(f"{self.path}{rest}", str(caught.exception))
                    continue
                strain, stress, measures, *points = rest.split()
                curve = measured.read_curve(self.path)
                self.assertEqual([unit.text if unit else "?" for unit in (curve.strain_unit, curve.stress_unit)], [strain, stress])
                self.assertEqual(["?" if one is None else str(int(one)) for one in curve.engineering], list(measures))
                self.assertEqual([tuple(map(float, point.split(":"))) for point in points],
                                 list(zip(curve.strain, curve.stress)))

    def test_another_unit_is_suspected(self):
        """A hundred times the computed stresses and more, and less than a hundredth."""
        self.path.write_text("strain,stress\n0.1,75\n0.2,290\n0.3,100\n", encoding="utf-8")
        table = measured.Table(self.path)
        values = table.numbers(1, "stress")
        for unit, computed, suspected in (("Pa", 231e6, "MPa"), ("GPa", 231e6, "MPa"), ("MPa", 300e3, "kPa")):
            with self.assertRaisesRegex(InputError, f"curve.csv:3: stress = 290 {unit}: .* is it in {suspected}\\?$"):
                measured.check_stress(table, values, measured.find_unit(unit), [0, -computed])
        measured.check_stress(table, values, measured.find_unit("MPa"), [0, 231e6])
        measured.check_stress(table, values, measured.find_unit("MPa"), [3e6])


if __name__ == "__main__":
    counted.main()
