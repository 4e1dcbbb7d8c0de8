"""Precipitation in the package: against the program, and what must hold."""

import re
import shutil
import tempfile
import unittest
import warnings
from pathlib import Path

import package

package.need("numpy", "h5py")

import h5py  # noqa: E402
import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402
from slipwave import library  # noqa: E402

ALLOY = slipwave.data("alloys/al-mg-si-6082.yaml")
JOB = f"""
alloy: {ALLOY}
initial_temperature: 803.15
temperature:
  - {{quench_to: 458.15}}
  - {{hold: 3600}}
output: {{file: aged.h5, times: [3600]}}
"""
AGEING = [0, 0, 3600], [803.15, 458.15, 458.15]  # s, K


class Precipitates(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.alloy = slipwave.Alloy(ALLOY)

    def test_points_are_those_of_the_program(self):
        (self.folder / "job.yaml").write_text(JOB, encoding="utf-8")
        package.run("slipwave", "kwn", "-q", "job.yaml", folder=self.folder)
        aged = slipwave.Precipitation(self.alloy, 2, temperature=803.15)
        aged.advance(*AGEING)
        state, strength = aged.state, aged.strength
        with h5py.File(self.folder / "aged.h5") as results:
            of = {name: results[f"points/{name}"][0, -1] for name in ("yield_stress", "mean_radius")}
        # the same steps, unless the program's outputs divide them: errors of a step are 1e-3
        np.testing.assert_allclose(strength.yield_stress, of["yield_stress"], rtol=5e-3)
        np.testing.assert_allclose(state.mean_radius[:, 0], of["mean_radius"][0], rtol=5e-3)
        np.testing.assert_array_equal(state.time, 3600)
        np.testing.assert_allclose(strength.slip_resistance / strength.yield_stress, strength.slip_resistance[0] /
                                   strength.yield_stress[0])

    def test_distributions_sum_to_what_a_point_holds(self):
        aged = slipwave.Precipitation(self.alloy, 3, temperature=803.15, classes=128)
        aged.advance(*AGEING)
        state = aged.state
        radius, number = aged.distribution("beta-prime")
        self.assertEqual((radius.shape, number.shape), ((3, 128), (3, 128)))
        # sums over 128 classes in another order
        np.testing.assert_allclose(number.sum(axis=1), state.number[:, 0], rtol=1e-12)
        np.testing.assert_allclose((radius * number).sum(axis=1) / number.sum(axis=1), state.mean_radius[:, 0], rtol=1e-12)
        self.assertTrue((state.matrix < self.alloy.concentration).all())

    def test_every_point_has_its_own(self):
        """Temperatures and compositions of each point; a history in two parts goes on."""
        own = self.alloy.concentration * [[1.0], [0.5]]
        each = slipwave.Precipitation(self.alloy, 2, temperature=803.15, composition=own)
        each.advance([0, 0, 1800], [[803.15] * 2, [458.15, 443.15], [458.15, 443.15]])
        each.advance([1800, 3600], [[458.15, 443.15]] * 2)
        np.testing.assert_allclose(each.state.temperature, [458.15, 443.15], rtol=2.0**-23)  # knots are float32
        alone = slipwave.Precipitation(self.alloy, temperature=803.15)
        alone.advance([0, 0, 1800], [803.15, 458.15, 458.15])
        alone.advance([1800, 3600], [458.15, 458.15])
        self.assertEqual(each.strength.yield_stress[0], alone.strength.yield_stress[0])
        self.assertLess(each.strength.yield_stress[1], 0.9 * alone.strength.yield_stress[0])

    def test_nothing_has_no_radius(self):
        state = slipwave.Precipitation(self.alloy, temperature=803.15).state
        self.assertTrue(np.isnan(state.mean_radius).all() and not state.number.any() and not state.fraction.any())
        np.testing.assert_array_equal(state.matrix[0], self.alloy.concentration)

    def test_degrees_celsius_are_warned_of(self):
        """180 of them for 453 K: once a model, and once more when an hour has moved nothing; also of the 250 that are not as cold."""
        aged = slipwave.Precipitation(self.alloy, 2, temperature=180)
        with self.assertWarnsRegex(slipwave.Notice, "temperature = 180 K, -93.15 degrees Celsius.* would be 453.15 K"):
            aged.advance([0, 10], [180, 180])
        with self.assertWarnsRegex(slipwave.Notice, r"in 1e\+04 s no solute has moved by more than .* m"):
            aged.advance([10, 10000], [250, 250])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            aged.advance([10000, 20000], [180, 250])
            slipwave.Precipitation(self.alloy, temperature=803.15).advance(*AGEING)
        quenched = slipwave.Precipitation(self.alloy, temperature=530)
        with self.assertWarnsRegex(slipwave.Notice, "temperature = 220 K, below 250 K.* in degrees Celsius"):
            quenched.advance([0, 0, 10], [530, 220, 220])
        each = slipwave.Precipitation(self.alloy, 2, temperature=453.15)
        with self.assertWarnsRegex(slipwave.Notice, "knot 1, point 1: temperature = 175 K"):
            each.advance([0, 10], [[453.15, 448.15], [453.15, 175]])

    def test_complaints(self):
        aged = slipwave.Precipitation(self.alloy, 2, temperature=803.15)
        for message, function, arguments, named in (
                ("absent.yaml: ", slipwave.Alloy, ("absent.yaml",), {}),
                ("alloy: str: need an Alloy", slipwave.Precipitation, (str(ALLOY),), {"temperature": 300}),
                ("points = 0: need a whole number, 1 or more", slipwave.Precipitation, (self.alloy, 0), {"temperature": 300}),
                ("strategy = 'gpu': need one of cpu, fused", slipwave.Precipitation, (self.alloy,),
                 {"temperature": 300, "strategy": "gpu"}),
                (r"composition: \[1\]\[2\]: need \[2\]\[2\]", slipwave.Precipitation, (self.alloy, 2),
                 {"temperature": 300, "composition": [[0.01, 0.01]]}),
                ("temperature", slipwave.Precipitation, (self.alloy,), {"temperature": -5}),
                ("phase = 'theta': the alloy has none of this name", aged.distribution, ("theta",), {}),
                ("solute = 'Xx': the alloy has none", self.alloy.solute, ("Xx",), {}),
                (r"temperature: \[3\]: need \[2\]", aged.advance, ([0, 1], [300, 300, 300]), {}),
                (r"temperature: \[2\]\[3\]: need \[2\]\[2\]", aged.advance, ([0, 1], [[300] * 3] * 2), {}),
                ("knot", aged.advance, ([5, 6], [300, 300]), {})):
            with self.assertRaisesRegex(slipwave.Error, message):
                function(*arguments, **named)

    def test_rows_are_those_of_the_header(self):
        text = (package.ROOT / "include/slipwave/kwn.h").read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        for name, known in (("sw_kwn_population", library.KwnPopulation), ("sw_kwn_point", library.KwnPoint)):
            body, = re.findall(r"typedef struct \{([^{}]*)\} " + name + ";", text)
            found = [re.sub(r"\[.*?\]", "", member).split()[-1] for line in body.split(";")[:-1] for member in line.split(",")]
            self.assertEqual(list(known.names), found)


if __name__ == "__main__":
    counted.main()
