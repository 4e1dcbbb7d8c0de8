"""Parameters of jobs found again from curves whose parameters are known."""

import importlib.util
import unittest

import package

package.need("numpy", "h5py", "scipy")

import counted  # noqa: E402
import numpy as np  # noqa: E402
import slipwave  # noqa: E402

# A bar of linear hardening in tension: strain = F/E + (F - Y)/H beyond Y, in closed form.
STRESS = np.linspace(100e6, 600e6, 6)
YOUNG, YIELD, MODULUS = 200e9, 300e6, 50e9
BAR = {
    "mesh": {"body": "box", "cells": [1, 1, 1], "size": [1.0, 1.0, 1.0]},
    "materials": [{"young": 150e9, "poisson": 0.3, "yield_stress": 400e6, "hardening": {"law": "linear", "modulus": 20e9}}],
    "boundary": [{"nodes": "x_min", "x": 0}, {"nodes": "y_min", "y": 0}, {"nodes": "z_min", "z": 0}],
    "loads": [{"surface": "z_max", "traction": [0, 0, 600e6]}],
    "steps": [{"factor": 1.0, "increments": 6}], "solver": {"tolerance": 1e-10},
}
PARAMETERS = {"materials[0].young": (100e9, 300e9), "materials[0].yield_stress": (150e6, 450e6),
              "materials[0].hardening.modulus": (10e9, 100e9)}
EXACT = STRESS / YOUNG + np.maximum(STRESS - YIELD, 0) / MODULUS
DEVIATION = 1e-5


def stretch(run):
    return run.history.load_displacement[:, 0, 2]


def bar(**changes):
    return slipwave.Calibration("fem", BAR, PARAMETERS, stretch, EXACT, DEVIATION, **changes)


class Fits(unittest.TestCase):
    def test_a_bar_in_closed_form(self):
        """And how well it is known: by the Jacobian of the closed form."""
        fit = bar().fit()
        expected = np.array([YOUNG, YIELD, MODULUS])
        np.testing.assert_allclose(list(fit.x.values()), expected, rtol=1e-5)
        plastic = np.maximum(STRESS - YIELD, 0)
        slope = np.transpose([-STRESS / YOUNG**2, np.where(plastic > 0, -1 / MODULUS, 0), -plastic / MODULUS**2]) / DEVIATION
        scale = expected[:, None] * expected  # the numbers are far from 1
        covariance = np.linalg.inv(slope.T @ slope * scale) * scale
        np.testing.assert_allclose(list(fit.deviation.values()), np.sqrt(np.diag(covariance)), rtol=0.01)  # of differences
        self.assertLess(np.abs(fit.residuals).max(), 1e-2)
        self.assertGreater(fit.runs, 3)

    def test_what_a_curve_does_not_tell(self):
        with_poisson = slipwave.Calibration("fem", BAR, {"materials[0].poisson": (0.1, 0.4), "materials[0].young": (100e9, 300e9)},
                                            lambda run: stretch(run)[:2], EXACT[:2], DEVIATION)
        fit = with_poisson.fit()
        self.assertAlmostEqual(fit.x["materials[0].young"] / YOUNG, 1, 5)
        self.assertTrue(np.isnan(fit.deviation["materials[0].poisson"]))
        known = YOUNG**2 * DEVIATION / np.hypot(*STRESS[:2])
        self.assertAlmostEqual(fit.deviation["materials[0].young"] / known, 1, 2)

    def test_one_parameter_that_the_curve_does_not_tell(self):
        alone = slipwave.Calibration("fem", BAR, {"materials[0].poisson": (0.1, 0.4)}, stretch, EXACT, DEVIATION)
        self.assertTrue(np.isnan(alone.fit().deviation["materials[0].poisson"]))

    def test_a_fit_says_how_it_ended(self):
        c = bar()
        first, second = c.fit(), c.fit()
        self.assertTrue(first.converged and first.runs == second.runs and not first.at_bound)
        self.assertFalse(c.fit(max_nfev=1).converged)
        low = slipwave.Calibration("fem", BAR, {"materials[0].yield_stress": (320e6, 450e6)}, stretch, EXACT, DEVIATION).fit()
        self.assertEqual(low.at_bound, ["materials[0].yield_stress"])

    def test_curves_with_gaps(self):
        """They have no weight; where all have one there is nothing to say, nor to fit."""
        def gaps(run):
            curve = np.array(stretch(run))
            return curve * np.where(curve[-1] > 0.02, np.nan, 1)

        c = slipwave.Calibration("fem", BAR, PARAMETERS, gaps, EXACT, DEVIATION)
        samples = np.array([[YOUNG, YIELD, MODULUS], [YOUNG, 160e6, 12e9]])
        found = c.posterior(samples)
        np.testing.assert_array_equal(found.weights, [1, 0])
        self.assertEqual(c.misfit(samples[1]), np.inf)
        for call in (lambda: c.posterior(samples[1:]), lambda: c.residuals(samples[1])):
            with self.assertRaises(slipwave.ArgumentError):
                call()

    def test_arrays_in_a_job(self):
        job = {**BAR, "loads": ({"surface": "z_max", "traction": np.array([0, 0, 600e6])},)}
        c = slipwave.Calibration("fem", job, {"loads[0].traction[2]": (100e6, 700e6)}, stretch, EXACT, DEVIATION)
        self.assertEqual(c.job_of([5e8])["loads"][0]["traction"][2], 5e8)

    def test_a_generation_as_scipy_has_it(self):
        from scipy.optimize import differential_evolution
        c = bar()
        x = np.array([YOUNG, YIELD, MODULUS])
        generation = np.transpose([x, 1.01 * x])
        misfits = c.misfit(generation)
        self.assertEqual(misfits.shape, (2,))
        self.assertLess(misfits[0], 1e-8)
        self.assertEqual(misfits[1], c.misfit(1.01 * x))
        found = differential_evolution(c.misfit, c.bounds, vectorized=True, updating="deferred", maxiter=2, popsize=2, polish=False,
                                       rng=1) if "rng" in differential_evolution.__code__.co_varnames else None
        self.assertTrue(found is None or np.isfinite(found.fun))

    def test_a_posterior(self):
        """Of one parameter and one point: the likelihood is a normal distribution in 1/E, known."""
        one = slipwave.Calibration("fem", BAR, {"materials[0].young": (100e9, 300e9)}, lambda run: stretch(run)[:1], EXACT[:1], 2.5e-5)
        posterior = one.posterior(one.draw(256))
        e = np.linspace(100e9, 300e9, 20001)
        weight = np.exp(-0.5 * ((STRESS[0] / e - EXACT[0]) / 2.5e-5) ** 2)
        mean = np.average(e, weights=weight)
        deviation = np.sqrt(np.average((e - mean) ** 2, weights=weight))
        self.assertAlmostEqual(posterior.mean["materials[0].young"] / mean, 1, 3)
        self.assertAlmostEqual(posterior.deviation["materials[0].young"] / deviation, 1, 2)
        self.assertTrue(20 < posterior.effective < 256)
        self.assertAlmostEqual(posterior.weights.sum(), 1)

    def test_a_crystals_law(self):
        """A key within a Material."""
        copper = slipwave.Material(slipwave.data("materials/copper-ofhc-isotropic.yaml"))
        job = {"material": copper, "solver": "rigid_plastic", "crystals": {"count": 50, "seed": 1}, "strain_increment": 0.05,
               "loading": [{"velocity_gradient": np.diag([1e-3, 0, -1e-3]), "duration": 500}]}

        def curve(run):
            stress = run.history.cauchy_stress
            return (stress[:, 0, 0] - stress[:, 2, 2])[1::2]

        hidden = copper.replace(hardening={"initial_hardening_rate": 250e6})
        measured = curve(slipwave.taylor({**job, "material": hidden}))
        fit = slipwave.Calibration("taylor", job, {"material.hardening.initial_hardening_rate": (50e6, 500e6)}, curve, measured, 1e5).fit()
        self.assertAlmostEqual(fit.x["material.hardening.initial_hardening_rate"] / 250e6, 1, 4)

    def test_grains_in_one_launch(self):
        """The same as one by one, and all at once."""
        job = {"material": {"law": "linear", "young": 4.3e9, "poisson": 0.5, "friction": 0.5, "density": 2600},
               "packing": {"particles": 50, "seed": 1, "pressure": 2e5, "friction": 0.1, "radii": {"distribution": "uniform", "least": 5e-5, "largest": 1.25e-4}},
               "loading": [{"test": "drained_triaxial", "axis": 3, "strain": 0.005, "inertia_number": 5e-3}]}

        def curve(run, element):
            return run.history.stress_33[element][-1:]

        c = slipwave.Calibration("dem", job, {"material.friction": (0.2, 0.8)}, curve, [0.0])
        together = c.curves([[0.3], [0.6]])
        self.assertEqual(c.runs, 2)
        for x, found in zip((0.3, 0.6), together):
            alone = slipwave.dem(c.job_of([x]))
            np.testing.assert_array_equal(found, curve(alone, 0))
        self.assertNotEqual(together[0], together[1])

    def test_optuna(self):
        if importlib.util.find_spec("optuna") is None:
            self.skipTest("optuna is missing")
        import optuna
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        c = bar()
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
        study.optimize(lambda trial: c.misfit(c.suggest(trial)), 3)
        self.assertEqual(set(study.best_params), set(PARAMETERS))

    def test_what_is_refused(self):
        for parameters, message in (
                ({}, "low < high"), ({"materials[0].young": (2, 1)}, "low < high"), ({"materials[0].young": (1, np.inf)}, "finite"),
                ({"materials[1].young": (1, 2)}, r"materials\[1\]\.young.*nothing in the job at 1"),
                ({"materials.young": (1, 2)}, "nothing in the job at 'young'"), ({"": (1, 2)}, "need keys as in messages")):
            with self.subTest(parameters=parameters), self.assertRaisesRegex(slipwave.ArgumentError, message):
                slipwave.Calibration("fem", BAR, parameters, stretch, EXACT, DEVIATION)
        with self.assertRaisesRegex(slipwave.ArgumentError, "deviation = 0: need deviation > 0"):
            slipwave.Calibration("fem", BAR, PARAMETERS, stretch, EXACT, 0)
        with self.assertRaisesRegex(slipwave.ArgumentError, "predict: 2 numbers: need 6"):
            slipwave.Calibration("fem", BAR, PARAMETERS, lambda run: [1, 2], EXACT).misfit([YOUNG, YIELD, MODULUS])
        with self.assertRaisesRegex(slipwave.ArgumentError, "job: str: need a mapping"):
            slipwave.Calibration("fem", "job.yaml", PARAMETERS, stretch, EXACT)
        with self.assertRaisesRegex(slipwave.ArgumentError, "x: 1 numbers: need 3"):
            bar().misfit([1])
        with self.assertRaises(slipwave.Error) as caught:  # what the command refuses, with its key
            slipwave.Calibration("fem", BAR, {"materials[0].poisson": (0.1, 0.9)}, stretch, EXACT).misfit([0.8])
        self.assertEqual(caught.exception.key, "materials[0].poisson")


if __name__ == "__main__":
    counted.main()
