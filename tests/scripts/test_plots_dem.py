"""Pictures of `slipwave dem`."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import plotting  # noqa: F401; first: it finds the scripts

import h5py
import numpy as np

import counted
from slipwave.pictures import dem as plot_dem
from slipwave_results import InputError


class DemCurves(unittest.TestCase):
    """Histories of one element after its beginning in stage 3, drawn by the test that the file names."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def results(self, tests, stage, first=4, job="", rate_sensitivity=0.01, **history):
        """A file of histories [n]; those not given are 0, of stresses 100 kPa."""
        path, n = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5", len(stage)
        six = ["11", "22", "33", "23", "13", "12"]
        with h5py.File(path, "w") as file:
            file.attrs.update(format="slipwave-dem", version=1.0)
            rows = {f"strain_{c}": np.zeros(n) for c in six}
            rows.update({f"stress_{c}": np.full(n, 1e5 if c[0] == c[1] else 0.0) for c in six})
            rows.update(stage=stage, step=20.0 * np.arange(n), volume_strain=np.zeros(n), deviator=np.zeros(n),
                        void_ratio=np.full(n, 0.7), coordination=np.full(n, 4.0))
            rows.update({name: np.zeros(n) for name in plot_dem.compaction.NAMES if name not in rows})
            rows.update(history)
            rows["pressure"] = sum(np.asarray(rows[f"stress_{i}{i}"]) for i in (1, 2, 3)) / 3
            for name, values in rows.items():
                file[f"history/{name}"] = np.array([values], dtype=float)
            for name, value in (("variant", 0), ("status", 0), ("n_particles", 10),
                                ("rate_sensitivity", rate_sensitivity)):
                file[f"rve/{name}"] = [float(value)]
            file.create_group("run").attrs.update(tests=tests, first_loading_stage=float(first), failures="", job=job)
        one = plot_dem.DemResults(path)
        self.addCleanup(one.file.close)
        return one

    def panels(self, *results, **options):
        given = {"test": None, "axis": None, "deviator": False, "reference": [], **options}
        return plot_dem.plot_curves([(one, one.path.stem) for one in results], mock.Mock(**given)).axes

    def test_shear_there_and_back_is_drawn_over_gamma(self):
        strain, stress = [0, 0.05, 0.1, 0.05, 0.0], [0, 5e4, 6e4, -4e4, -6e4]
        panels = self.panels(self.results("4 simple_shear 13\n5 simple_shear 13\n", [3, 4, 4, 5, 5], strain_13=strain,
                                          stress_13=stress, volume_strain=[0, 0.01, 0.02, 0.01, 0]))
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[0, 10, 20, 10, 0], [0, 50, 60, -40, -60]])
        self.assertIn("gamma", panels[0].get_xlabel())
        np.testing.assert_allclose(panels[1].lines[0].get_ydata(), [0, 1, 2, 1, 0])

    def test_ensembles_turn_together(self):
        def one(scale):
            return {"gamma": scale * np.array([0, 10, 20, 10, 0.0]), "done": np.array([0, 0.5, 1, 1.5, 2])}
        mean, deviation = plot_dem.ensemble([one(1), one(3)], "gamma")
        self.assertAlmostEqual(mean["gamma"].max(), 40)
        self.assertAlmostEqual(mean["gamma"][-1], 0)
        self.assertAlmostEqual(deviation["gamma"].max(), np.sqrt(2) * 20)

    def test_p0_is_that_of_the_consolidation(self):
        stress = [1e5, 2e5, 4e5, 4e5, 4e5]
        run = self.results("4 isotropic -\n5 drained_triaxial 2\n", [3, 4, 4, 5, 5],
                           strain_22=[0, 0.01, 0.01, 0.02, 0.03], volume_strain=[0, 0.03, 0.03, 0.035, 0.036],
                           stress_11=stress, stress_33=stress,
                           stress_22=[1e5, 2e5, 4e5, 8e5, 12e5], deviator=[0, 0, 0, 4e5, 8e5])
        panels = self.panels(run)
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[0, 1, 2], [1, 2, 3]])
        slope = next(line for line in panels[2].lines if line.get_label() == "slope 3")
        np.testing.assert_allclose(slope.get_data(), [[400, 2000 / 3], [0, 800]])
        self.assertEqual(len(self.panels(run, test=1)[0].lines[0].get_xdata()), 5)  # on request from the first
        with self.assertRaisesRegex(InputError, "--test 3: .* has tests 1 to 2"):
            self.panels(run, test=3)

    def test_p0_of_a_test_after_a_stage_without_records(self):
        """The packing's 200 kPa, in stage 3, is not what the test of stage 5 begins with: its lateral stress is."""
        run = self.results("4 isotropic -\n5 drained_triaxial 3 zero\n", [3, 5, 5, 5], strain_33=[0, 0.01, 0.02, 0.03],
                           volume_strain=[0, 0.005, 0.01, 0.01],
                           stress_11=[2e5, 4e5, 4e5, 4e5], stress_22=[2e5, 4e5, 4e5, 4e5],
                           stress_33=[2e5, 5e5, 8e5, 12e5], deviator=[0, 1e5, 4e5, 8e5])
        panels = self.panels(run)
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[1, 2, 3], [1.25, 2, 3]])
        np.testing.assert_allclose(panels[2].lines[0].get_data()[0][0], 1300 / 3)

    def test_undrained_has_pore_pressure_and_no_slope(self):
        panels = self.panels(self.results("4 undrained_triaxial 3\n", [3, 4, 4], strain_33=[0, 0.01, 0.02],
                                          stress_11=[1e5, 6e4, 4e4], stress_22=[1e5, 6e4, 2e4],
                                          stress_33=[1e5, 1e5, 9e4], deviator=[0, 4e4, 6e4]))
        np.testing.assert_allclose(panels[1].lines[0].get_data(), [[0, 1, 2], [0, 40, 70]])
        self.assertEqual(len(panels[2].lines), 1)
        np.testing.assert_allclose(panels[3].lines[0].get_ydata(), [0, 4 / 7.3333333, 6 / 5], rtol=1e-6)

    def test_packing_alone(self):
        stress = [0, 1e3, 2e5]
        panels = self.panels(self.results("", [0, 0, 1], first=0, volume_strain=[0.1, 0.5, 0.8], stress_11=stress,
                                          stress_22=stress, stress_33=stress))
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[10, 50, 80], [0, 1, 200]])

    def test_several_files_of_one_kind(self):
        shear = self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.1])
        other = self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.2])
        self.assertEqual([text.get_text() for text in self.panels(shear, other)[0].get_legend().get_texts()],
                         [shear.path.stem, other.path.stem])
        with self.assertRaisesRegex(InputError, "need tests of one kind"):
            self.panels(shear, self.results("4 drained_triaxial 3\n", [3, 4], strain_33=[0, 0.1],
                                            volume_strain=[0, 0.01]))

    def test_yield_surfaces_leave_out_what_did_not_yield(self):
        run = self.results("4 compaction 3\n", [3, 4])
        with self.assertRaisesRegex(InputError, "has no probes"):
            plot_dem.plot_yield([(run, "run")], None)
        path = run.path
        run.file.close()
        with h5py.File(path, "a") as file:
            file["probes/angle"] = np.arange(4) * np.pi / 2
            file["probes/pressure"] = [[2e6, 1e6, np.nan, 1e6]]
            file["probes/deviator"] = [[0, 1e6, np.nan, -3e6]]
            file["probes/start_pressure"], file["probes/start_deviator"] = [2.5e6], [0.5e6]
        run = plot_dem.DemResults(path)
        line, start = plot_dem.plot_yield([(run, "run")], None).axes[0].lines[:2]
        np.testing.assert_allclose(line.get_data(), [[2, 1, 1], [0, 1, -3]])
        np.testing.assert_allclose(np.ravel(start.get_data()), [2.5, 0.5])

    def compaction(self, lateral=1.0, axis=3, **given):
        """Of metal with a strength of 100 MPa at 1e3 1/s, on axes other than `axis` at a part of its strain."""
        strain = np.array([0, 0.05, 0.1])
        history = {"relative_density": [0.64, 0.7, 0.8], "time": strain / 1e3, "strength": np.full(3, 1e8),
                   "stress_11": [1e6, 2e6, 3e6], "stress_22": [1e6, 4e6, 5e6], "stress_33": [1e6, 6e6, 10e6],
                   **{f"strain_{i}{i}": strain * (1 if i == axis else lateral) for i in (1, 2, 3)}, **given}
        return self.results("4 compaction -\n", [3, 4, 4], **history)

    def test_even_compaction_stands_beside_published_formulas(self):
        panels = self.panels(self.compaction(job="# time_scale: 1\nnumerics: {time_scale: 1.0e6, affine: no}\n"))
        self.assertEqual(len(panels), 4)  # none of crystals
        density = np.array([0.64, 0.7, 0.8])
        mean, fleck = (line.get_data() for line in panels[0].lines)
        np.testing.assert_allclose(mean, [density, [1, 4, 6]])
        flow = 100 * 1e-3**0.01  # MPa, at 1e3 1/s over the time scale
        np.testing.assert_allclose(fleck, [density, 3 * density**2 * (density - 0.64) / 0.36 * flow], atol=1e-12)
        arzt = panels[1].lines[1].get_ydata()
        self.assertAlmostEqual(arzt[0], 7.3)
        self.assertAlmostEqual(arzt[-1], 7.3 + 15.5 * (1.25**(1 / 3) - 1))

    def test_formula_of_pressure_is_of_one_metal_that_hardly_minds_the_rate(self):
        for given in ({"job": "material: {law: metal}\nothers:\n  - {part: 0.5}\n"}, {"rate_sensitivity": 0.3},
                      {"lateral": 0.5}):
            lines = self.panels(self.compaction(**given))[0].lines
            self.assertNotIn(":", [line.get_linestyle() for line in lines])
        unloaded = self.panels(self.compaction(relative_density=[0.64, 0.8, 0.79], time=[0, 1e-4, 2e-4]))[0].lines[1]
        np.testing.assert_array_equal(np.isfinite(unloaded.get_ydata()), [True, True, False])

    def test_a_die_has_an_axis_which_may_be_told(self):
        run = self.compaction(lateral=0.0, axis=1)
        mean, axial, lateral = (line.get_ydata() for line in self.panels(run)[0].lines)
        np.testing.assert_allclose([mean, axial, lateral], [[1, 4, 6], [1, 2, 3], [1, 5, 7.5]])
        np.testing.assert_allclose(self.panels(run, axis=3)[0].lines[1].get_ydata(), [1, 6, 10])

    def test_crystals_are_known_where_they_were_refreshed(self):
        run = self.compaction(lateral=0.0, slip_resistance=[2e7, 2e7, 4e7], particle_strain=[0.1, 0.1, 0.3],
                              deviator_strain=[0, 0.05, 0.1])
        other = self.compaction(lateral=0.0, deviator_strain=[0, 0.05, 0.1])  # without crystals
        panels = self.panels(run, other)
        self.assertEqual(len(panels), 6)
        np.testing.assert_allclose(panels[3].lines[0].get_ydata(), [20, 30, 40])
        np.testing.assert_allclose(panels[4].lines[0].get_ydata(), [10, 20, 30])
        self.assertFalse(np.isfinite(panels[3].lines[1].get_ydata()).any())
        np.testing.assert_allclose(plot_dem.compaction.between_refreshes(np.array([1.0, 1, 3, 3])), [1, 2, 3, np.nan])

    def test_compaction_goes_with_its_like(self):
        with self.assertRaisesRegex(InputError, "need tests of one kind"):
            self.panels(self.compaction(), self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.1]))
        with self.assertRaisesRegex(InputError, "--reference curve.csv: goes with drained triaxial"):
            self.panels(self.compaction(), reference=["curve.csv"])

    def test_strains_that_begin_anew(self):
        run = self.results("4 simple_shear 13\n5 simple_shear 13 zero\n", [3, 4, 4, 5, 5],
                           strain_13=[0, 0.05, 0.1, 0.05, 0.1])
        np.testing.assert_allclose(self.panels(run)[0].lines[0].get_xdata(), [0, 10, 20, 30, 40])


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    counted.main()
