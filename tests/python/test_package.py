"""The package slipwave on numpy arrays: against the programs, the files that they write, and what must hold."""

import ctypes
import gc
import os
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

package.need("numpy")

import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402
from slipwave import library  # noqa: E402
from slipwave.library import VERSION, address  # noqa: E402

COPPER = slipwave.data("materials/copper-ofhc.yaml")
TENSION = np.diag([1e-3, -0.5e-3, -0.5e-3])
F32 = np.dtype(np.float32)
SINGLE = 2.0**-23  # a rounding of single precision
JOB = {"solver": "elastoplastic", "strain_increment": 0.02,
       "loading": [{"velocity_gradient": [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]], "duration": 100}]}


class Package(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.copper = slipwave.Material(COPPER)

    def refused(self, message, function, *arguments, code="SW_ERR_RANGE", **named):
        with self.assertRaisesRegex(slipwave.Error, message) as caught:
            function(*arguments, **named)
        self.assertEqual(caught.exception.code, code)

    # ---- Materials ----

    def test_files_of_the_package_need_no_library(self):
        """Scripts that draw run where no library was built."""
        code = ("import sys, slipwave\ndef library(): raise RuntimeError\n"
                "sys.modules['slipwave.commands'].library = library\nfrom slipwave import maps, texture, curves")
        package = os.path.dirname(os.path.dirname(slipwave.__file__))
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": package})

    def test_materials(self):
        values = self.copper.values
        self.assertEqual(values["elasticity"], {"C11": 168.7e9, "C12": 121.7e9, "C44": 75e9})
        self.assertEqual(self.copper.slip_resistance, 16e6)
        self.assertAlmostEqual(self.copper.bulk_modulus, (168.7e9 + 2 * 121.7e9) / 3, delta=1)
        self.assertEqual(slipwave.Material(values).values, values)
        named = self.copper.replace(name='a "b" \\ \t\n: {é – α 😀}')
        self.assertEqual(named.values["name"], 'a "b" \\ \t\n: {é – α 😀}')
        softer = self.copper.replace(name="soft", hardening={"saturation_resistance": 1e8 / 3})
        self.assertEqual(softer.values["hardening"]["saturation_resistance"], 1e8 / 3)
        self.assertEqual(softer.values["hardening"]["exponent"], values["hardening"]["exponent"])
        self.assertEqual(self.copper.values, values)

    def test_complaints_of_materials(self):
        self.refused("slip.rate_sensitivity = 2: need 1e-4 <= rate_sensitivity <= 1", self.copper.replace,
                     slip={"rate_sensitivity": 2}, code="SW_ERR_INPUT")
        self.refused("absent.yaml: cannot be read", slipwave.Material, "absent.yaml", code="SW_ERR_IO")
        self.refused("path: int: need a text or a Path", slipwave.Material, 3)
        self.refused("absent.yaml: no such file in", slipwave.data, "absent.yaml", code="SW_ERR_IO")

    def test_what_is_closed_is_not_used_and_what_is_used_stays(self):
        response = slipwave.Response("rigid_plastic", material=self.copper)
        with self.copper:
            pass
        self.copper.close()
        self.refused("this Material is closed", lambda: self.copper.values)
        gc.collect()
        crystals = slipwave.random_crystals(3, 16e6)
        self.assertGreater(response.step(TENSION, 1, crystals).stress[0, 0], 20e6)
        response.close()
        self.refused("this Response is closed", response.step, TENSION, 1, crystals)

    def test_degrees(self):
        degrees = np.array([[301.5, 36.7, 26.6], [59, 37, 63], [0, 90, 45]])
        radians = degrees / 180 * np.pi
        np.testing.assert_array_equal(slipwave.crystals(degrees, 16e6, degrees=True),
                                      slipwave.crystals(radians.astype(np.float32), 16e6))
        for function, more in ((slipwave.pole_figure, ("111",)), (slipwave.inverse_pole_figure, (3,)), (slipwave.kearns_factors, ()),
                               (slipwave.odf, (radians,)), (slipwave.odf_section, (0.5,)), (slipwave.disorientation, ([1, 2, 3],)),
                               (slipwave.orientation_colours, (3,))):
            np.testing.assert_allclose(function(degrees, *more, degrees=True), function(radians, *more), rtol=1e-9, atol=1e-12)
            with self.assertWarnsRegex(slipwave.Notice, "euler: angles of up to 301.5 rad: degrees") as told:
                function(degrees, *more)
            self.assertEqual(told.filename, __file__)
        self.refused("euler, in degrees: .*4.*: need", slipwave.kearns_factors, slipwave.random_crystals(3, 16e6), degrees=True)

    def test_things_show_what_they_are(self):
        alloy = slipwave.Alloy(slipwave.data("alloys/al-mg-si-6082.yaml"))
        run = slipwave.Taylor(JOB, material=self.copper, crystals=slipwave.random_crystals(5, 16e6)).run()
        for one, parts in ((self.copper, ("name ", "C11 168.7 GPa", "slip resistance 16 MPa")),
                           (slipwave.Response("elastoplastic", material=self.copper), ("solver elastoplastic", "elastic_stress [")),
                           (run, ("time 100 s", f"von Mises stress {slipwave.von_mises(run.history.cauchy_stress)[-1] / 1e6:.4g} MPa")),
                           (slipwave.Precipitation(alloy, 3, temperature=803.15), ("points 3", "temperature 803.15 to 803.15 K")),
                           (alloy, ("solutes 2",))):
            for part in parts:
                self.assertIn(part, repr(one))
            self.assertEqual(one._repr_html_().count("<tr>"), repr(one).count(", ") + 1, repr(one))
            one.close()
            self.assertEqual(repr(one), f"<{type(one).__name__}: is closed>")

    # ---- Responses ----

    def test_steps_are_made_in_place(self):
        crystals = slipwave.random_crystals(50, self.copper)
        before = crystals.copy()
        response = slipwave.Response("rigid_plastic", material=self.copper)
        mean = response.step(TENSION, 10, crystals)
        self.assertTrue((crystals != before).any(axis=1).all())
        np.testing.assert_allclose(mean.slip_resistance, crystals[:, 3].mean(dtype=float), rtol=50 * SINGLE)
        self.assertEqual(mean.stress.shape, (3, 3))
        np.testing.assert_array_equal(mean.stress, mean.stress.T)
        weight = np.zeros(50, np.float32)
        weight[7] = 1
        again = before.copy()
        alone = before[7:8].copy()
        np.testing.assert_allclose(response.step(TENSION, 10, again, weight).stress,
                                   response.step(TENSION, 10, alone).stress, rtol=0, atol=50 * SINGLE * 100e6)

    def test_stress_scales_with_the_rate(self):
        """By a^m; single precision, Newton's method to 1e-5 or better."""
        crystals = slipwave.random_crystals(20, self.copper)
        response = slipwave.Response("rigid_plastic", material=self.copper)
        slow, fast = response.evaluate(TENSION, crystals), response.evaluate(10 * TENSION, crystals)
        m = self.copper.values["slip"]["rate_sensitivity"]
        np.testing.assert_allclose(fast.stress, 10**m * slow.stress, rtol=0, atol=1e-4 * 60e6)
        np.testing.assert_allclose(fast.slip_rate, 10 * slow.slip_rate, rtol=1e-4)
        d = np.tile(np.float32([1e-3, -0.5e-3, -0.5e-3, 0, 0, 0]), (20, 1))
        each = response.evaluate(d, crystals)
        np.testing.assert_allclose(each.stress, slow.stress, rtol=0, atol=1e-4 * 60e6)

    def test_answers_are_written_where_they_are_wanted(self):
        crystals = slipwave.random_crystals(5, self.copper)
        response = slipwave.Response("rigid_plastic", material=self.copper)
        stress, spin, rate = np.zeros((5, 6), np.float32), np.zeros((5, 3), np.float32), np.zeros(5, np.float32)
        answer = response.evaluate(TENSION, crystals, stress, spin, rate)
        self.assertTrue(answer.stress is stress and answer.plastic_spin is spin and answer.slip_rate is rate)
        self.assertTrue((rate > 0).all())
        np.testing.assert_allclose(stress[:, :3].sum(axis=1), 0, atol=1e-4 * 60e6)

    def test_points(self):
        """A point is a polycrystal; a trial leaves all as it was; the tangent is the change that it says."""
        crystals = slipwave.random_crystals(40, self.copper).reshape(2, 20, 4)
        response = slipwave.Response("elastoplastic", material=self.copper)
        kept = np.zeros((2, 20, slipwave.solvers()["elastoplastic"].kept), np.float32)
        gradient = np.array([TENSION, -TENSION])
        before = crystals.copy()
        trial = response.step_each(gradient, 10, crystals, kept=kept, commit=False, tangent=True)
        np.testing.assert_array_equal(crystals, before)
        self.assertFalse(kept.any())
        self.assertEqual((trial.by_strain_rate.shape, trial.by_spin.shape), ((2, 6, 6), (2, 6, 3)))
        h = 1e-6  # of a rate of 1e-3: the second order of h, and single precision over it, 1e-7 / 1e-3
        up, down = (response.step_each(gradient + s * h * np.diag([0, 0, 1.0]), 10, crystals, kept=kept, commit=False)
                    for s in (1, -1))
        # a trace is left out: D changes by the deviator of the change
        column = trial.by_strain_rate[:, :, 2] - trial.by_strain_rate[:, :, :3].mean(axis=2)
        np.testing.assert_allclose((up.stress - down.stress) / (2 * h), column, rtol=0,
                                   atol=0.01 * np.abs(trial.by_strain_rate).max())
        done = response.step_each(gradient, 10, crystals, kept=kept)
        np.testing.assert_array_equal(done.stress, trial.stress)
        self.assertTrue(kept.any() and (crystals != before).any() and done.by_spin is None)
        own = before[0].copy()
        alone = slipwave.Response("elastoplastic", material=self.copper).step(TENSION, 10, own)
        i, j = [0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]
        np.testing.assert_allclose(alone.stress[i, j], done.stress[0], rtol=0, atol=20 * SINGLE * 200e6)
        np.testing.assert_array_equal(own, crystals[0])
        crystals[1, 3, 0] = np.nan
        with self.assertRaisesRegex(slipwave.Error, "1 crystals have no answer|crystals have no answer") as caught:
            response.step_each(gradient, 10, crystals, kept=kept)
        self.assertTrue(np.isfinite(caught.exception.answer.stress[0]).all())
        self.assertTrue(np.isnan(caught.exception.answer.stress[1]).all())

    def test_arrays_that_would_be_copied_are_refused(self):
        response = slipwave.Response("rigid_plastic", material=self.copper)
        good = slipwave.random_crystals(6, self.copper)
        locked = good.copy()
        locked.flags.writeable = False
        for bad in (good.astype(float), good[:, ::-1], good[::2], np.asfortranarray(good), good[:, :3], good.ravel(),
                    locked, good.byteswap().view(F32.newbyteorder()), good.tolist()):
            self.refused(r"crystals: .*: need (an array of )?float32 \[N\]\[4\]", response.step, TENSION, 1, bad)
        self.assertEqual(response.evaluate(TENSION, locked).stress.shape, (6, 6))  # which reads alone
        for weight in (np.ones(5, F32), np.ones(6)):
            self.refused(r"weight: .*: need float32 \[6\]", response.step, TENSION, 1, good, weight)
        self.refused(r"velocity_gradient: \[2\]\[2\]: need \[3\]\[3\]", response.step, np.eye(2), 1, good)
        self.refused(r"trace = 0.003 1/s: need 0", response.step, 1e-3 * np.eye(3) + TENSION, 1, good)
        self.refused("dt = 0 s: need > 0", response.step, TENSION, 0, good)

    def test_masked_values_are_refused(self):
        """Nothing computes with what is behind a mask; a mask of nothing hides nothing."""
        response, good = slipwave.Response("rigid_plastic", material=self.copper), slipwave.random_crystals(6, self.copper)
        euler, hides = good[:, :3].astype(float), [1, 0, 0, 0, 0, 0]
        masked = np.ma.array(euler, mask=np.outer(hides, [1, 1, 1]))
        weight = np.ma.array(np.ones(6, F32), mask=hides)
        for name, function, arguments, named in (
                ("euler", slipwave.pole_figure, (masked, "111"), {}),
                ("euler", slipwave.pole_figure, (list(masked), "111"), {}),
                ("weight", slipwave.pole_figure, (euler, "111"), {"weight": weight}),
                ("weight", slipwave.kearns_factors, (euler, weight), {}),
                ("euler", slipwave.crystals, (masked, self.copper), {}),
                ("crystals", response.step, (TENSION, 1, np.ma.array(good, mask=np.outer(hides, [1, 1, 1, 1]))), {}),
                ("weight", response.step, (TENSION, 1, good.copy()), {"weight": weight}),
                ("weight", response.mean, (TENSION, good), {"weight": weight})):
            self.refused(f"{name}: has masked values: need numbers", function, *arguments, **named)
        bare = np.ma.array(euler, mask=False)
        self.assertTrue(np.array_equal(slipwave.pole_figure(bare, "111"), slipwave.pole_figure(euler, "111"), equal_nan=True))

    def test_arrays_of_gpus_are_pointers(self):
        class Device:
            """Of no GPU: what CuPy says of its arrays."""

            def __init__(self, shape, strides=None, kind="<f4", locked=False, **more):
                self.__cuda_array_interface__ = {"shape": shape, "typestr": kind, "data": (0x7000, locked),
                                                 "strides": strides, "version": 3, **more}

        def of(array, **named):
            return address(array, "crystals", F32, (None, 4), gpu=True, **named)

        for good in (Device((9, 4)), Device((9, 4), (16, 4)), Device((1, 4), (32, 4)), Device((0, 4), (32, 4)),
                     Device((9, 4), stream=None), Device((9, 4), stream=1, mask=None)):
            self.assertEqual(of(good, out=True), 0x7000)
        self.assertEqual(of(Device((9, 4), locked=True)), 0x7000)
        for bad in (Device((9, 4), (32, 4)), Device((9, 3)), Device((9, 4), kind="<f8"), Device((9, 4), locked=True),
                    Device((9, 4), mask=Device((9, 4), kind="|b1"))):
            self.refused("crystals: .*: need float32", of, bad, out=True)
        response = slipwave.Response("rigid_plastic", material=self.copper)  # of the host, which must not follow them
        host = slipwave.random_crystals(9, self.copper)
        for function, arguments in ((response.step, (TENSION, 1, Device((9, 4)))),
                                    (response.step, (TENSION, 1, host, Device((9,)))),
                                    (response.evaluate, (TENSION, Device((9, 4)))),
                                    (response.evaluate, (TENSION, host, Device((9, 6)))),
                                    (response.step_each, (TENSION[None], 1, Device((1, 9, 4))))):
            self.refused("in a GPU's memory: need an array of the host", function, *arguments)
        self.refused("in a GPU's memory", slipwave.Taylor, JOB, material=self.copper, crystals=Device((9, 4)))
        response.device = "cuda"  # what is checked before the library is asked
        self.refused("stress: need an array to fill", response.evaluate, TENSION, Device((9, 4)))
        self.refused("kept: need it where crystals are", response.step_each, TENSION[None], 1, host[None],
                     kept=Device((1, 9, 5)))

    def test_streams_of_gpus_are_waited_for(self):
        """By CUDA's driver; but the default one, which the library's own wait for."""
        asked = []

        class Driver:
            @staticmethod
            def cuStreamSynchronize(stream):
                asked.append(stream.value)
                return 400 if stream.value == 9 else 0

        with mock.patch.object(library.ctypes, "CDLL", lambda name: Driver):
            for stream in (None, 1, 2, 0x5000):
                library.wait_for(stream)
            self.assertEqual(asked, [2, 0x5000])
            self.refused("stream 9 of a GPU's array: cuStreamSynchronize says 400", library.wait_for, 9,
                         code="SW_ERR_UNAVAILABLE")

    def test_wrong_arguments_are_named(self):
        """Each by its name, what it is and what is needed: an Error and a ValueError."""
        c, copper = slipwave.random_crystals(5, self.copper), self.copper
        response, point = slipwave.Response("rigid_plastic", material=copper), [[1, 2, 3]]
        for message, function, arguments, named in (
                ("material: str: need a Material", slipwave.Response, ("rigid_plastic",), {"material": "copper"}),
                ("database: Material: need a Database", slipwave.Response, ("grid",), {"database": copper}),
                ("database: Material: need a Database", slipwave.Taylor, (JOB,), {"database": copper}),
                ("solver: int: need a text", slipwave.Response, (3,), {"material": copper}),
                ("terms = 'many': need a number", slipwave.Response, ("terms",), {"material": copper, "terms": "many"}),
                (r"device = \[1\]: need one of cpu, cuda", slipwave.Response, ("grid",), {"device": [1]}),
                ("terms = -1: need a whole number, 0 or more", slipwave.Database, ("x.h5", -1), {}),
                ("path: NoneType: need a text or a Path", slipwave.Taylor, (None,), {}),
                ("path: int: need a text or a Path", slipwave.data, (3,), {}),
                ("euler: str: need numbers", slipwave.crystals, ("abc", 16e6), {}),
                (r"slip_resistance: \[2\]: need \[1\]", slipwave.crystals, ([[0, 0, 0]], [1, 2]), {}),
                ("count = 3.5: need a whole number", slipwave.random_crystals, (3.5, 16e6), {}),
                ("seed = 1e.30: need a whole number", slipwave.random_crystals, (3, 16e6, 1e30), {}),
                ("dt = None: need a number", response.step, (TENSION, None, c), {}),
                (r"velocity_gradient: need numbers \[3\]\[3\]", response.step, (TENSION + 1j, 1, c), {}),
                (r"crystals: NoneType: need an array of float32 \[N\]\[4\]", response.step, (TENSION, 1, None), {}),
                ("answer: tuple: need a PointAnswer", response.step_each, (TENSION[None], 1, c[None]), {"answer": (1, 2)}),
                ("hkl = 3: need three whole numbers", slipwave.pole_figure, (point, 3), {}),
                ("hkl = .1e.30, 1, 1.: need three whole numbers", slipwave.pole_figure, (point, [1e30, 1, 1]), {}),
                ("halfwidth = 'a': need a number", slipwave.pole_figure, (point, "111"), {"halfwidth": "a"}),
                ("euler: the fourth column is from -1 to 1", slipwave.pole_figure, ([[0.5, 0.5, 0.5, -0.5]], "111"), {}),
                (r"directions: \(2,\): need", slipwave.pole_figure, (point, "111"), {"directions": [1, 2]}),
                ("axis = .0. 0. 0..: need a direction", slipwave.inverse_pole_figure, (point, [0, 0, 0]), {}),
                ("symmetry = 3: need one of", slipwave.odf, (point, point), {"symmetry": 3}),
                ("step = 0.0: need 0.001", slipwave.odf_section, (point, 0), {"step": 0}),
                (r"stress: \[3\]\[3\]: need \[N\]\[3\]\[3\]", slipwave.von_mises, (np.eye(3),), {}),
                ("points = 1: need a whole number, 2 or more", slipwave.disk, (1,), {})):
            self.refused(message, function, *arguments, **named)
            with self.assertRaises(ValueError):
                function(*arguments, **named)

    def test_solvers_say_what_they_take(self):
        self.assertEqual({"terms", "grid", "tabulated", "rigid_plastic", "elastoplastic", "iterative"}, set(slipwave.solvers()))
        self.assertTrue(slipwave.solvers()["iterative"].is_reference)
        self.refused("solver = gird: need one of", slipwave.Response, "gird", material=self.copper)
        self.refused("solver = grid: need a database", slipwave.Response, "grid", material=self.copper)
        self.refused("solver = rigid_plastic: need a material", slipwave.Response, "rigid_plastic")
        self.refused("device = 'gpu': need one of cpu, cuda", slipwave.Response, "grid", device="gpu")

    def test_crystals_of_another_lattice_are_refused(self):
        path = self.folder / "iron.yaml"
        path.write_text("phase: {Fe: {lattice: cI}}\n"
                        "material: [{constituents: [{phase: Fe, v: 1, O: [1, 0, 0, 0]}]}]\n")
        job = {"solver": "rigid_plastic", "strain_increment": 0.01, "crystals": {"file": str(path)},
               "loading": [{"velocity_gradient": TENSION.tolist(), "duration": 1}]}
        self.refused("iron.yaml: body-centred crystals", slipwave.Taylor, job, material=self.copper, code="SW_ERR_INPUT")

    def test_what_jobs_refuse_is_refused(self):
        """Bounds of jobs and of files hold for arrays as well; what is unlikely is warned of."""
        response = slipwave.Response("rigid_plastic", material=self.copper)
        crystals = slipwave.random_crystals(5, self.copper)
        self.refused("a strain ||D|| dt of 1.414 in a step: need at most 0.1", response.step, np.diag([1e-3, 0, -1e-3]), 1000,
                     crystals)
        self.refused("a strain ||D|| dt of 1.414 in a step", response.advance, np.diag([1e-3, 0, -1e-3]), 1000, crystals)
        each = np.tile(np.float32([1e-3, 0, -1e-3, 0, 0, 0]), (5, 1))
        for bad in (np.nan, np.inf):
            each[3, 0] = bad
            self.refused("1 crystals have no answer", response.evaluate, each, crystals, code="SW_ERR_CONVERGENCE")
        stress = np.empty((5, 6), np.float32)
        self.refused("stress and slip_rate share memory", response.evaluate, TENSION, crystals, stress=stress,
                     slip_rate=stress.reshape(-1)[:5])
        for i, bad, says in ((3, 1e12, "crystal 2: slip resistance = 1e.12 Pa: need > 0, and at most 1e.11"),
                             (0, 1e8, "crystal 2: an angle of 1e.08: angles are in rad: need at most 1000")):
            wrong = crystals.copy()
            wrong[2, i] = bad
            self.refused(says, response.step, TENSION, 1, wrong)
            self.refused(says, response.mean, TENSION, wrong)
            self.refused(says, response.evaluate, TENSION, wrong)
            self.refused(says, response.step_each, TENSION[None], 1, wrong[None])
            self.refused(says, slipwave.crystals, wrong[:, :3], wrong[:, 3])
            self.refused(says, slipwave.Taylor, JOB, material=self.copper, crystals=wrong)
        self.refused("crystal 0: an angle of 1e.08", slipwave.pole_figure, [[0, 1e8, 0]], "110")
        self.refused("crystal 1: need finite angles", slipwave.crystals, [[0, 0, 0], [0, np.nan, 0]], 16e6)
        self.refused("crystal 0: slip resistance = 0 Pa: need > 0", slipwave.crystals, [[0, 0, 0]], 0)
        self.refused("slip resistance = -1 Pa: need > 0", slipwave.random_crystals, 3, -1)
        for says, function, *arguments in (
                ("crystal 0: an angle of 45: .* are they degrees", slipwave.crystals, [[0, 45, 0]], 16e6),
                ("slip resistance = 16 Pa: .* is it in MPa", slipwave.crystals, [[0, 0.1, 0]], 16),
                ("slip resistance = 16 Pa: .* is it in MPa", slipwave.random_crystals, 3, 16),
                ("an angle of 45: .* are they degrees", slipwave.pole_figure, [[0, 45, 0]], "110"),
                ("an angle of 90: .* are they degrees", slipwave.odf, [[90, 0, 0]], [[0, 0, 0]]),
                ("above the 1.48e.08 that OFHC copper saturates at", response.step, TENSION, 1,
                 slipwave.crystals([[0, 0.1, 0]], 2e8))):
            with self.assertWarnsRegex(slipwave.Notice, says):
                function(*arguments)

    def test_a_run_warns_once_of_its_crystals(self):
        crystals = slipwave.random_crystals(5, self.copper)
        crystals[3, 0] = 45
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            slipwave.Taylor(JOB, material=self.copper, crystals=crystals).run()
        self.assertEqual(["are they degrees" in str(one.message) for one in said], [True])

    def test_means_are_of_the_crystals_as_they_are(self):
        """At the end of a step, and to the same bits where the next begins."""
        response = slipwave.Response("rigid_plastic", material=self.copper)
        crystals = slipwave.random_crystals(50, self.copper)
        mean = response.step(TENSION, 10, crystals)
        before = crystals.copy()
        np.testing.assert_array_equal(response.mean(TENSION, crystals).stress, mean.stress)
        np.testing.assert_array_equal(crystals, before)
        each = response.evaluate(TENSION, crystals)
        np.testing.assert_allclose(mean.stress[0, 0], each.stress[:, 0].mean(dtype=float), rtol=50 * SINGLE)
        begun = response.advance(TENSION, 10, crystals)
        np.testing.assert_array_equal(begun.stress, mean.stress)
        self.assertEqual(begun.slip_rate, mean.slip_rate)
        self.assertGreater(begun.slip_resistance, mean.slip_resistance)
        self.refused("its response depends on the history", slipwave.Response("elastoplastic", material=self.copper).mean,
                     TENSION, crystals, code="SW_ERR_UNAVAILABLE")

    # ---- Databases ----

    def test_databases(self):
        path = self.folder / "copper.h5"
        package.run("slipwave-db", "generate", "-q", COPPER, "-o", path, "--grid", "16,16,16,12", "--terms", "all",
                    folder=self.folder)
        with slipwave.Database(path) as database:
            self.assertEqual(database.material.values, self.copper.values)
            self.assertGreater(database.terms, 1000)
            self.assertEqual(slipwave.Database(path, terms=64).terms, 64)
            response = slipwave.Response("grid", database=database)
            material = database.material
            run = slipwave.Taylor({**JOB, "solver": "grid", "crystals": {"count": 30}}, database=database).run()
            self.refused("solver = auto: reads certified errors", slipwave.Taylor,
                         {**JOB, "solver": "auto", "crystals": {"count": 30}}, database=database, code="SW_ERR_INPUT")
        gc.collect()  # closed, and kept by what uses it
        self.assertEqual(material.slip_resistance, 16e6)
        crystals = slipwave.random_crystals(30, self.copper)
        for row in range(1, 3):
            mean = response.step(JOB["loading"][0]["velocity_gradient"], 20 / np.sqrt(2), crystals)
            np.testing.assert_array_equal(mean.stress, run.history.cauchy_stress[row])
        self.refused("copper-ofhc.yaml: ", slipwave.Database, COPPER, code="SW_ERR_FORMAT")
        with self.assertRaisesRegex(slipwave.InputError, "copper-ofhc.yaml: "):
            slipwave.Database(COPPER)

    def test_parts_say_what_to_install(self):
        for part, module in (("results", "h5py"), ("plot", "matplotlib")):
            code = f"import sys; sys.modules['{module}'] = None; import slipwave; slipwave.{part}"
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(package.ROOT / "python")})
            self.assertIn(f"ImportError: slipwave.{part} needs {module}: install slipwave[plot]", done.stderr)

    # ---- Runs ----

    def test_runs_are_those_of_the_program(self):
        (self.folder / "job.yaml").write_text(
            f"material: {COPPER}\nsolver: elastoplastic\ncrystals: {{count: 60}}\nstrain_increment: 0.02\nloading:\n"
            "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}\n"
            "output: {file: out.h5}\n", encoding="utf-8")
        package.run("slipwave", "taylor", "-q", "job.yaml", folder=self.folder)
        (self.folder / "out.h5").rename(self.folder / "kept.h5")
        by_file = slipwave.Taylor(self.folder / "job.yaml")
        self.assertEqual([by_file.advance(3), by_file.advance(100), by_file.advance()], [3, 5, 0])
        given = slipwave.random_crystals(60, self.copper)
        before = given.copy()
        by_arrays = slipwave.Taylor(JOB, material=self.copper, crystals=given).run()
        np.testing.assert_array_equal(given, before)  # which were copied
        np.testing.assert_array_equal(by_arrays.crystals, by_file.crystals)
        np.testing.assert_array_equal(by_arrays.weight, np.ones(60))
        for one, other in zip(by_file.history, by_arrays.history):
            np.testing.assert_array_equal(one, other)
        self.assertFalse((self.folder / "out.h5").exists())
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(self.folder / "kept.h5") as kept:
            for name, values in by_file.history._asdict().items():
                if name in ("family_slip", "twin_fraction", "turned_fraction"):  # of other materials
                    self.assertEqual(values, {})
                    continue
                if name == "temperature":  # which stays
                    self.assertEqual(values.size, 0)
                    continue
                np.testing.assert_array_equal(kept[f"history/{name}"][()], values)

    def test_free_sides_and_options(self):
        x = np.nan
        job = {**JOB, "loading": [{"velocity_gradient": np.array([[1e-3, 0, 0], [0, x, 0], [0, 0, x]]),
                                   "stress": [[x, x, x], [x, 0, x], [x, x, 0]], "duration": 50}]}
        run = slipwave.Taylor(job, material=self.copper, count=40, seed=3).run()
        stress = run.history.cauchy_stress[-1]
        self.assertGreater(stress[0, 0], 80e6)
        self.assertLess(abs(stress[1, 1]) + abs(stress[2, 2]), 2e-4 * stress[0, 0])  # above which a run warns
        np.testing.assert_array_equal(slipwave.Taylor(job, material=self.copper, count=40, seed=3).crystals,
                                      slipwave.random_crystals(40, self.copper, seed=3))
        self.refused("--solver = gird", slipwave.Taylor, job, material=self.copper, count=40, solver="gird",
                     code="SW_ERR_INPUT")
        self.refused("unknown option '--colour'", slipwave.Taylor, job, material=self.copper, colour="red",
                     code="SW_ERR_INPUT")
        self.refused("weight: goes with crystals", slipwave.Taylor, job, material=self.copper, weight=np.ones(3, F32))
        self.refused("job: loading is missing|loading", slipwave.Taylor, {"solver": "elastoplastic"},
                     material=self.copper, code="SW_ERR_INPUT")

    def test_crystals_of_a_law_with_a_structure(self):
        """They begin as it does, at the job's temperature; another resistance would have no effect."""
        metal = slipwave.Material(slipwave.data("materials/aluminium-5182.yaml"))
        job = {key: value for key, value in JOB.items() if key not in ("crystals", "initial_slip_resistance")}
        own, other = (slipwave.crystals([[0.3, 0.5, 0.7]], s) for s in (metal, 60e6))
        cold = slipwave.Taylor(job, material=metal, crystals=own, temperature=100)
        self.assertGreater(cold.history.slip_resistance[0], 1.2 * own[0, 3])
        self.assertEqual(cold.history.slip_resistance[0], cold.crystals[0, 3])
        self.refused(r"crystal 0: slip resistance = 6e\+07 Pa: has no place", slipwave.Taylor, job, material=metal,
                     crystals=other, code="SW_ERR_RANGE")

    def test_crystals_by_themselves_are_taylors(self):
        crystals = slipwave.crystals([[0.3, 0.5, 0.7]], self.copper)
        response = slipwave.Response("rigid_plastic", material=self.copper, homogenization="sachs")
        self.refused("homogenization = sachs: has no answers of crystals by themselves: need taylor", response.evaluate,
                     TENSION, crystals, code="SW_ERR_UNAVAILABLE")

    def test_slip_as_fast_as_the_step_strains_does_not_relax(self):
        """133 MPa after 5 steps of a hold and 110 after 1000: no answer at all."""
        metal, x = slipwave.Material(slipwave.data("materials/aluminium-5182.yaml")), np.nan
        hold = {"velocity_gradient": np.zeros((3, 3)), "duration": 1000}
        creep = {"velocity_gradient": np.diag([x, x, x]), "stress": np.where(np.eye(3), 50e6, x), "duration": 1000}
        creep["stress"][1, 1] = creep["stress"][2, 2] = 0
        job = {**JOB, "crystals": {"count": 3}, "loading": [*JOB["loading"], hold]}
        self.refused(r"loading\[1\].velocity_gradient = 0: a hold, at which slip.rate_of_step", slipwave.Taylor, job,
                     material=metal, code="SW_ERR_INPUT")
        slipwave.Taylor(job, material=self.copper)
        job["loading"][1] = creep
        with self.assertWarnsRegex(slipwave.Notice, "how far it creeps depends on the number of steps"):
            slipwave.Taylor(job, material=metal)
        creep["stress"][0, 0] = 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            slipwave.Taylor(job, material=metal)

    def test_lattice_strains(self):
        """A single crystal whose cube's axes are the sample's, pulled along x: S11 sigma along, S12 sigma across."""
        x = np.nan
        job = {"solver": "elastoplastic", "strain_increment": 1e-3, "loading": [
            {"velocity_gradient": np.array([[1e-3, 0, 0], [0, x, 0], [0, 0, x]]),
             "stress": [[x, x, x], [x, 0, x], [x, x, 0]], "duration": 20}]}
        run = slipwave.Taylor(job, material=self.copper, crystals=slipwave.crystals([[0, 0, 0]], self.copper)).run()
        stress, c11, c12 = run.history.cauchy_stress[-1][0, 0], 168.7e9, 121.7e9
        s11, s12 = np.array([c11 + c12, -c12]) / ((c11 - c12) * (c11 + 2 * c12))
        for along, plane, within, expected in (([1, 0, 0], [2, 0, 0], 5, s11), ([0, 3, 0], (0, 0, 2), 5, s12),
                                               ([1, 0, 0], [1, 1, 1], 56, s11)):
            strain, share = run.lattice_strain(plane, along, within=within)
            self.assertAlmostEqual(strain / stress / expected, 1, delta=3e-3)  # the square of strains of 1e-3, which stress has
            self.assertEqual(share, 1)
        self.assertEqual(run.lattice_strain([1, 1, 1], [1, 0, 0]), (0, 0))
        self.refused("plane has 4 indices: need 3", run.lattice_strain, [1, 0, -1, 0], [1, 0, 0], code="SW_ERR_RANGE")
        self.refused(r"along: \[2\]: need \[3\]", run.lattice_strain, [1, 0, 0], [1, 0])
        self.refused("along: need numbers", run.lattice_strain, [1, 0, 0], [1, 0, 10**400])
        self.refused("within = True: need a number", run.lattice_strain, [1, 0, 0], [1, 0, 0], True)
        self.refused("within = inf", run.lattice_strain, [1, 0, 0], [1, 0, 0], 10**400, code="SW_ERR_RANGE")

    def test_warnings_are_notices(self):
        (self.folder / "few.ori").write_text("0.1 0.2 0.3\n", encoding="utf-8")
        job = {**JOB, "crystals": {"file": self.folder / "few.ori"}}
        with self.assertWarnsRegex(slipwave.Notice, "radians"):
            slipwave.Taylor(job, material=self.copper)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertRaisesRegex(slipwave.Notice, "radians", slipwave.Taylor, job, material=self.copper)
            slipwave.random_crystals(3, self.copper)  # nothing is left of it

    def test_a_call_that_fails_leaves_no_warning_to_the_next(self):
        response, crystals = slipwave.Response("rigid_plastic", material=self.copper), slipwave.random_crystals(3, self.copper)
        crystals[0] = 45, 0, 0, 0  # degrees, and no resistance
        with self.assertWarnsRegex(slipwave.Notice, "degrees"):
            self.refused("no answer", response.step, TENSION, 1.0, crystals, code="SW_ERR_CONVERGENCE")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            response.step(TENSION, 1.0, slipwave.random_crystals(3, self.copper))

    # ---- Textures ----

    def test_pole_figures(self):
        """Densest at the poles; 1 on average over equal areas: points stand for a square each, of which those at the rim,
        pi / 50 of the disk, have one half outside, of densities of 1 to 20 %."""
        cube = np.zeros((1, 3))
        values = slipwave.pole_figure(cube, "100")
        self.assertEqual(values.shape, (101, 101))
        self.assertEqual(values[50, 50], np.nanmax(values))
        np.testing.assert_allclose(values, values.T, rtol=1e-9)
        turned = slipwave.pole_figure(np.radians([[30, 0, 0]]), (1, 0, 0))
        at = np.radians(30)
        row, column = np.unravel_index(np.nanargmax(np.where(slipwave.disk()[..., 2] < 0.2, turned, np.nan)), (101, 101))
        x, y = (np.array([column, row]) - 50) / 50
        # the nearest points of a grid of 0.02, at one of the four poles on the rim
        self.assertLess(min(np.hypot(x - np.cos(at + k * np.pi / 2), y - np.sin(at + k * np.pi / 2)) for k in range(4)), 0.04)
        crystals = slipwave.random_crystals(300, 1e6)
        self.assertAlmostEqual(np.nanmean(slipwave.pole_figure(crystals, "111")), 1, delta=0.2 * np.pi / 50)
        weight = np.r_[np.ones(150), np.zeros(150)]
        np.testing.assert_allclose(slipwave.pole_figure(crystals, "211", weight), slipwave.pole_figure(
            crystals[:150], "2 1 1"), rtol=1e-9)
        for bad in ("11", "000", (1, 0.5, 0), "abc"):
            self.refused("hkl = .*: need three whole numbers", slipwave.pole_figure, cube, bad)
        self.refused(r"euler: \(3,\): need \[N\]\[3\]", slipwave.pole_figure, np.zeros(3), "111")
        along = np.array([[0.3, 0.2, 0.9], [0, 0, 1]])
        np.testing.assert_allclose(slipwave.pole_figure(cube, "100", directions=5 * along),
                                   slipwave.pole_figure(cube, "100", directions=along), rtol=1e-9)
        self.refused("directions: one of them is zero", slipwave.pole_figure, cube, "100", directions=[[0, 0, 0]])
        for bad in (7.5, 0, -0.1, np.nan):  # degrees, for one
            self.refused("halfwidth = .*: need 0.0018 to 1.047 rad", slipwave.pole_figure, cube, "100", halfwidth=bad)

    def test_inverse_pole_figures_and_odf(self):
        goss = np.radians([[0, 45, 0]])
        inverse = slipwave.inverse_pole_figure(goss, 3)
        direction = slipwave.disk().reshape(-1, 3)[np.nanargmax(inverse)]
        self.assertGreater(np.sort(np.abs(direction)) @ np.sqrt([0, 0.5, 0.5]), np.cos(np.radians(2)))  # <110>
        section = slipwave.odf_section(goss, 0, symmetry="orthorhombic")
        self.assertEqual((section.shape, np.unravel_index(section.argmax(), section.shape)), ((19, 19), (9, 0)))
        at = slipwave.odf(goss, goss, symmetry="orthorhombic")
        self.assertEqual(slipwave.odf(goss, goss, symmetry="orthotropic"), at)
        self.assertAlmostEqual(at[0], section.max(), delta=1e-6 * at[0])
        self.assertEqual(slipwave.odf_section(goss, 0).shape, (19, 73))
        self.assertLess(slipwave.disorientation(goss, np.radians([180, 45, 90]), "orthorhombic")[0], 1e-6)
        self.refused("symmetry = 'cubic': need one of", slipwave.odf, goss, goss, symmetry="cubic")

    # ---- The package ----

    def test_structures_are_those_of_the_headers(self):
        """Members by name and order, and which are pointers, numbers of which kind."""
        kinds = {"int": ctypes.c_int, "int64_t": ctypes.c_int64, "double": ctypes.c_double, "float": ctypes.c_float,
                 "size_t": ctypes.c_size_t,
                 "sw_self_consistent": library.SelfConsistent, "sw_packed": library.Packed}
        for header, name, known in (("response", "sw_solver_traits", library.SolverTraits),
                                    ("response", "sw_self_consistent", library.SelfConsistent),
                                    ("response", "sw_response_options", library.ResponseOptions),
                                    ("response", "sw_points", library.Points),
                                    ("crystals", "sw_packed", library.Packed),
                                    ("crystals", "sw_crystals", library.Crystals),
                                    ("crystals", "sw_state_field", library.StateField),
                                    ("crystals", "sw_state_layout", library.StateLayout),
                                    ("taylor", "sw_taylor_inputs", library.TaylorInputs),
                                    ("taylor", "sw_taylor_rows", library.TaylorRows),
                                    ("call", "sw_file", library.File),
                                    ("call", "sw_call_inputs", library.CallInputs),
                                    ("kwn", "sw_kwn_axis_options", library.KwnAxis),
                                    ("kwn", "sw_kwn_control", library.KwnControl),
                                    ("kwn", "sw_kwn_strength_result", library.KwnStrength)):
            text = (package.ROOT / f"include/slipwave/{header}.h").read_text(encoding="utf-8")
            text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
            body = re.findall(r"typedef struct \{([^{}]*)\} (\w+);", text)
            found = []
            for line in dict((b, a) for a, b in body)[name].split(";")[:-1]:
                kind, *names = re.findall(r"\w+", re.sub(r"\[\w+\]|\bconst\b", "", line))
                pointers = [bool(re.search(rf"\*\s*(const\s*)?{one}\b", line)) for one in names]
                found += [(one, ctypes.c_void_p if is_pointer else kinds.get(kind, ctypes.c_int))
                          for one, is_pointer in zip(names, pointers)]
            known_fields = [(one, ctypes.c_void_p if kind is ctypes.c_char_p else kind) for one, kind in known._fields_]
            self.assertEqual(known_fields, found, name)
        text = (package.ROOT / "include/slipwave/status.h").read_text(encoding="utf-8")
        self.assertEqual(list(library.CODES), re.findall(r"X\((SW_\w+)", text))
        declared = "".join(path.read_text(encoding="utf-8") for path in (package.ROOT / "include/slipwave").glob("*.h"))
        declared = re.sub(r"/\*.*?\*/", "", declared, flags=re.S)
        for function, (_, *arguments) in library.FUNCTIONS.items():
            found = re.search(rf"\b{function}\(([^;]*)\);", declared)[1]
            count = 0 if found == "void" else len(re.sub(r"\([^()]*\)", "", found).split(","))
            self.assertEqual(len(arguments), count, function)

    def test_versions_agree(self):
        for name, pattern in (("Makefile", r"^VERSION  := (\S+)"), ("pyproject.toml", r'^version = "(.*)"')):
            text = (package.ROOT / name).read_text(encoding="utf-8")
            self.assertEqual(re.search(pattern, text, re.M)[1], VERSION, name)

    def test_all_that_is_public_says_what_it_does(self):
        for name in slipwave.__all__:
            if name in ("plot", "results"):
                continue
            public = getattr(slipwave, name)
            self.assertTrue((public.__doc__ or "").strip(), name)
            for part, member in vars(public).items() if isinstance(public, type) else ():
                if callable(member) and not part.startswith("_"):
                    self.assertTrue((member.__doc__ or "").strip(), f"{name}.{part}")


if __name__ == "__main__":
    counted.main()
