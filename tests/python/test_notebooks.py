"""examples/notebooks, run cell by cell without Jupyter: each ends, says what its text says, and its pictures hold something."""

import contextlib
import io
import json
import re
import unittest
import warnings

import package

package.need("numpy", "h5py", "matplotlib", "scipy")

import counted  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import slipwave  # noqa: E402

FOLDER = package.ROOT / "examples" / "notebooks"


def run(name):
    """What a notebook prints, and how many lines, points and images each of its figures holds."""
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    scope, printed, drawn = {}, io.StringIO(), []
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"] and cell["execution_count"] is None, "kept without outputs: they would be old"
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore", slipwave.Notice)
            exec(compile("".join(cell["source"]), name, "exec"), scope)  # pylint: disable=exec-used
        for number in plt.get_fignums():
            figure = plt.figure(number)
            figure.canvas.draw()
            drawn.append(sum(len(axes.lines) + len(axes.collections) + len(axes.images) for axes in figure.axes))
            plt.close(figure)
    return printed.getvalue(), drawn


def numbers(pattern, text):
    found = re.search(pattern, text)
    assert found, f"no {pattern} in {text}"
    return [float(one) for one in found.groups()]


class Notebooks(unittest.TestCase):
    def ran(self, name, figures):
        text, drawn = run(name)
        self.assertEqual(len(drawn), figures)
        self.assertTrue(all(drawn), drawn)
        return text

    def test_materials(self):
        text = self.ran("materials", 2)
        rolled, = numbers(r"sigma11 - sigma33 = (\d+) MPa", text)
        mean, scatter = numbers(r"([\d.]+) MPa, scatter ([\d.]+)", text)
        self.assertLess(abs(mean - rolled), 3 * scatter)
        self.assertLess(scatter, 0.03 * mean)

    def test_forming(self):
        self.assertIn("Yld2004-18p", self.ran("forming", 1))

    def test_alloy(self):
        """Hotter: sooner, weaker."""
        peaks = re.findall(r"C: (\d+) MPa after ([\d.]+) h", self.ran("alloy", 2))
        self.assertEqual(len(peaks), 3)
        self.assertEqual(sorted(peaks, key=lambda one: -float(one[1])), peaks)
        self.assertEqual(sorted(peaks, key=lambda one: -float(one[0])), peaks)

    def test_analyst(self):
        """A cylinder that stays one, in closed form, but for its elastic volume."""
        error, = numbers(r"closed form ([\d.]+) %", self.ran("analyst", 1))
        self.assertLess(error, 0.5)

    def test_soil(self):
        mean, deviation, effective = numbers(r"friction ([\d.]+) \+- ([\d.]+), of ([\d.]+) effective", self.ran("soil", 2))
        self.assertLess(abs(mean - 0.5), 2 * deviation)
        self.assertGreater(effective, 1.5)

    def test_powder(self):
        """Fleck's formula is one of isolated contacts: 15 % at this density."""
        found, theirs = numbers(r"density of 0.\d+: ([\d.]+), theirs ([\d.]+)", self.ran("powder", 1))
        self.assertLess(abs(found / theirs - 1), 0.15)


if __name__ == "__main__":
    counted.main()
