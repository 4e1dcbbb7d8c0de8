"""Measured curves beside results: what --reference of the plots takes and refuses, with file, row and the unit it suspects.

Skipped where numpy, h5py or matplotlib is missing."""

import shutil
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "python")]
sys.dont_write_bytecode = True

try:
    import h5py  # noqa: F401: of slipwave_results
    import numpy as np
    import matplotlib  # noqa: F401
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)

import counted  # noqa: E402
from slipwave.pictures import dem as plot_dem  # noqa: E402
from slipwave.pictures import forming_limit as plot_forming_limit  # noqa: E402
from slipwave.pictures import kwn as plot_kwn  # noqa: E402
from slipwave.pictures import stress_strain as plot_stress_strain  # noqa: E402
from slipwave.curves import COMPONENTS, UNIAXIAL  # noqa: E402
from slipwave.errors import InputError  # noqa: E402

TENSION, COMPRESSION = [UNIAXIAL["tension along 1"]], [UNIAXIAL["compression along 1"]]
COMPUTED = np.array([0.02, 0.2]), np.array([80e6, 210e6])


class References(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, text):
        path = self.folder / "curve.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def refused(self, message, function, *arguments):
        with self.assertRaises(InputError) as caught:
            function(*arguments)
        self.assertIn(f"curve.csv{message}", str(caught.exception))

    def test_stress_over_strain(self):
        """Nominal stresses and elongations of a volume that stays: s (1 + e), ln(1 + e); of compression sizes."""
        read = plot_stress_strain.read_reference
        (name, strain, stress), = read(self.write("strain;sigma\n0,1;120\n0,2;\n0,25;290\n"), [COMPONENTS["11"]], COMPUTED)
        self.assertEqual((name, strain.tolist(), stress.tolist()), ("sigma", [0.1, 0.25], [120, 290]))
        (name, strain, stress), (other, _, second) = read(
            self.write("elongation (%),engineering stress (Pa),a GPa\n10,1e8,.1\n"), TENSION, COMPUTED)
        np.testing.assert_allclose([*strain, *stress, *second], [np.log(1.1), 110, 100])
        self.assertEqual((name, other), ("engineering stress, as true ones", "a"))
        (_, strain, stress), = read(self.write("strain,nominal stress\n0.1,100\n"), COMPRESSION, COMPUTED)
        np.testing.assert_allclose([*strain, *stress], [-np.log(0.9), 90])
        for text, component, message in (
                ("strain,stress\n0,05,81,5\n", TENSION, ":2: 4 columns, the line of names has 2: decimal commas?"),
                ("strain,stress_Pa\n0.1,120\n0.2,290\n", TENSION, ":3: stress = 290 Pa: computed are up to 2.1e+08 Pa: is it in MPa?"),
                ("strain,stress\n0.1,.12\n0.2,.29\n", TENSION, ":3: stress = 0.29 MPa: computed are up to 210 MPa: is it in GPa?"),
                ("strain,stress_GPa\n0.1,120\n0.2,290\n", TENSION, ":3: stress = 290 GPa"),
                ("strain,stress\n10,120\n20,290\n", TENSION, ":3: strain = 20: computed are up to 0.2: is it in percent?"),
                ("strain,stress\n1000,120\n200000,290\n", TENSION, ":3: strain = 200000: computed are up to 0.2: is it in microstrain?"),
                ("strain,engineering stress\n0.1,120\n", [COMPONENTS["12"]], ": 'engineering stress': engineering: need true ones"),
                ("true strain,engineering stress\n0.1,120\n", TENSION, ": columns 'true strain' and 'engineering stress'"),
                ("strain,force (kN)\n0.1,120\n", TENSION, ":1: column 2, 'force (kN)', is in kN: need a stress"),
                ("0.1 120\n", TENSION, ": need a first line of names")):
            self.refused(message, read, self.write(text), component, COMPUTED)

    def test_compression_with_its_signs(self):
        """A column pressed to 0.7 of its length has ln 0.7, and grows: -100 MPa of the first area are -70. With signs or without, in any
        order, among runs of either kind."""
        read, both = plot_stress_strain.read_reference, TENSION + COMPRESSION
        for text in ("nominal strain,nominal stress\n0.001,-1\n-0.3,-100\n-0.1,-60\n", "nominal strain,nominal stress\n-0.001,1\n.3,100\n.1,60\n"):
            (_, strain, stress), = read(self.write(text), COMPRESSION, COMPUTED)
            np.testing.assert_allclose(strain[1:], -np.log([0.7, 0.9]))
            np.testing.assert_allclose(stress[1:], [70, 54])
        (_, strain, stress), = read(self.write("eng strain,eng stress\n-0.3,-100\n"), both, COMPUTED)
        np.testing.assert_allclose([*strain, *stress], [-np.log(0.7), 70])
        (_, strain, stress), = read(self.write("strain,stress\n-0.3,-100\n"), COMPRESSION, COMPUTED)
        self.assertEqual([*strain, *stress], [0.3, 100])
        (_, strain, stress), = read(self.write("strain,stress\n-0.3,-100\n"), [COMPONENTS["11"]], COMPUTED)
        self.assertEqual([*strain, *stress], [-0.3, -100])
        for text, components, message in (
                ("strain,stress\n-0.1,120\n", COMPRESSION, ": 'stress': compression: strains and stresses of opposite signs"),
                ("eng strain,eng stress\n0.1,120\n", both, ": 'eng stress': engineering, beside runs of tension and of compression")):
            self.refused(message, read, self.write(text), components, COMPUTED)

    def test_strength_over_time(self):
        read, computed = plot_kwn.read_reference, np.array([97.0, 300.0])
        text = "time (min);yield_GPa;hardness_HV;alloy;temperature_C\n60;0,25;95;6060;180\n120;0,3;;6060;180\n60;;90;a;185,5\n"
        (label, time, strength), = read(self.write(text), False, computed)
        self.assertEqual((label, time.tolist(), strength.tolist()), ("measured: 6060, 180 °C", [3600, 7200], [250, 300]))
        both = read(self.write(text), True, computed)
        self.assertEqual([(label, *time, *strength) for label, time, strength in both],
                         [("measured: 6060, 180 °C", 3600, 95), ("measured: a, 185.5 °C", 3600, 90)])
        for text, message in (("time_h,yield_Pa\n1,250\n", ":2: stress = 250 Pa: computed are up to 3e+08 Pa: is it in MPa?"),
                              ("time_h,yield\n1,3e8\n", ":2: stress = 3e+08 MPa: computed are up to 300 MPa: is it in Pa?"),
                              ("time_h,yield\n1,5,250\n", ":2: 3 columns, the line of names has 2: decimal commas?"),
                              ("t,yield\n1,250\n", ": need a column time_s or time_min or time_h"),
                              ("time_h,force_kN\n1,250\n", ": need a column yield..."),
                              ("time_h,yield,temperature_C\n1,250,warm\n", ":2: column 3 = 'warm': need a number")):
            self.refused(message, read, self.write(text), False, computed)

    def test_limits_and_soils(self):
        _, points = plot_forming_limit.read_reference(self.write("minor (%);major (%)\n-5;30,5\n"))
        np.testing.assert_allclose(points, [[-0.05, 0.305]])
        options = type("Options", (), {"axis": None, "deviator": False})
        with unittest.mock.patch.object(plot_dem, "ensemble", lambda ready, _: ready):
            one = plot_dem.read_reference(self.write("axial_strain (%);volume_strain;stress_11_kPa;stress_22_kPa;stress_33_kPa\n"
                                                     "1,5;-0,01;200;200;500\n"), options)
            turned = plot_dem.read_reference(self.write("axial_strain (%);volume_strain;stress_11_kPa;stress_22_kPa;stress_33_kPa\n"
                                                        "-1,5;0,01;-200;-200;-500\n"), options)
            options.deviator = True
            deviator = plot_dem.read_reference(self.folder / "curve.csv", options)
        np.testing.assert_allclose([one["axial"], one["volume"], one["ratio"], one["p"], one["q"]], [[1.5], [-1], [2.5], [300], [300]])
        self.assertEqual(turned, one)
        self.assertEqual(deviator["ratio"].tolist(), [1.5])
        self.refused(": need a column 'stress_11' of numbers", plot_dem.read_reference,
                     self.write("axial_strain,volume_strain\n1,2\n"), options)


if __name__ == "__main__":
    counted.main()
