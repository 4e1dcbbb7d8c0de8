"""Parameters of jobs from measured curves: what scipy, Optuna and samplers ask for, of any command and any key."""

import copy
import importlib
import re
from dataclasses import dataclass

import numpy as np

from .commands import run, table
from .errors import ArgumentError, Error
from .library import floats
from .material import Material

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def _steps(path):
    """["materials", 0, "yield_stress"] of "materials[0].yield_stress"."""
    if not re.fullmatch(r"[\w-]+(\[\d+\])*(\.[\w-]+(\[\d+\])*)*", path):
        raise ArgumentError(f"parameters: {path!r}: need keys as in messages, material.friction, materials[0].yield_stress")
    return [int(number) if number else name for name, number in _STEP.findall(path)]


def _put(tree, steps, value, path):
    """A copy of the tree with a value in it; within a Material another Material."""
    if not steps:
        return float(value)
    if isinstance(tree, Material):
        return Material(_put(tree.values, steps, value, path))
    step = steps[0]
    if isinstance(tree, (tuple, np.ndarray)):
        tree = list(tree)
    is_there = isinstance(tree, list) and step in range(len(tree)) if isinstance(step, int) else isinstance(tree, dict)
    if not is_there:
        raise ArgumentError(f"parameters: {path!r}: nothing in the job at {step!r}: need its mapping, and a Material for a file of one")
    tree = copy.copy(tree)
    tree[step] = _put(tree[step] if isinstance(step, int) else tree.get(step, {} if len(steps) > 1 else None), steps[1:], value, path)
    return tree


@dataclass(frozen=True)
class Fit:
    """What least squares found. x: {parameter: value}; deviation: {parameter: one standard deviation}, by the curve's, NaN where the
    curve does not tell; covariance [p][p]; residuals [m], in deviations; runs: how many it took, with that of x, which is run; converged, message: whether scipy's search ended, and how;
    at_bound: parameters that are at one of theirs, whose deviation says little."""
    x: dict
    deviation: dict
    covariance: np.ndarray
    residuals: np.ndarray
    runs: int
    run: object
    converged: bool
    message: str
    at_bound: list


@dataclass(frozen=True)
class Posterior:
    """Samples [n][p] and their weights [n], which sum to 1; curves [n][m]; mean, deviation: {parameter: value}; effective: how many
    samples share the weight (1: one of them has all, which is no certainty but too few samples, or too small a deviation)."""
    samples: np.ndarray
    curves: np.ndarray
    weights: np.ndarray
    mean: dict
    deviation: dict
    effective: float


def scipy(part):
    """Its module; Error where it is not installed."""
    try:
        return importlib.import_module(f"scipy.{part}")
    except ImportError:
        raise Error("needs the Python package scipy: pip install scipy, or '.[calibration]' with Slipwave") from None


def _covariance(jacobian, curve):
    """Of the parameters, by that of residuals; NaN where a direction that no residual tells has a part of one. curve: what is predicted, in
    deviations."""
    _, size, directions = np.linalg.svd(jacobian, full_matrices=True)
    size = np.concatenate([size, np.zeros(len(directions) - len(size))])
    seen = size > 1e-6 * max(size.max(), np.linalg.norm(curve))  # which is what differences can tell
    covariance = (directions[seen].T / size[seen] ** 2) @ directions[seen]
    unknown = np.any(np.abs(directions[~seen]) > 1e-3, axis=0)
    covariance[unknown, :] = covariance[:, unknown] = np.nan
    return covariance


class Calibration:
    """A job whose parameters are to be found.

    command, job: as slipwave.run takes them, the job a mapping. parameters: {key: (low, high)}, keys as messages spell them:
    "material.friction", "materials[0].hardening.modulus"; within a Material in the job, too: "material.slip.rate_sensitivity".
    predict: function of a Run; returns what was measured of it, an array [m]. measured: array [m]; deviation: its standard deviation,
    one number or [m], in the same units. Of dem, predict(run, element) where a generation is a launch (below).

        c = Calibration("fem", job, {"materials[0].yield_stress": (100e6, 500e6)}, lambda run: run.history.load_displacement[:, 0, 0],
                        measured=[...], deviation=1e-5)
        c.fit().x                                                        # scipy.optimize.least_squares
        scipy.optimize.differential_evolution(c.misfit, c.bounds, vectorized=True, updating="deferred")
        study.optimize(lambda trial: c.misfit(c.suggest(trial)), 100)     # Optuna
        c.posterior(c.draw(200))

    One vector is of the parameters in their order; generations are [n][p], or [p][n] as scipy has them. A generation of "dem" whose
    parameters are all of rves.variations is one launch: as many elements as samples; of other commands the runs come one after the other,
    each on all threads.
    """

    def __init__(self, command, job, parameters, predict, measured, deviation=1.0):
        about = table(command)
        if not isinstance(job, dict) or not about.get("with_file"):
            raise ArgumentError(f"job: {type(job).__name__}: need a mapping, of a command that has jobs")
        self.command, self.job, self.predict = command, job, predict
        self.names = list(parameters)
        self.bounds = np.array([parameters[name] for name in self.names], float)
        if self.bounds.shape != (len(self.names), 2) or not self.names or not np.all(np.isfinite(self.bounds)) or np.any(self.bounds[:, 0] >= self.bounds[:, 1]):
            raise ArgumentError("parameters: need {key: (low, high)} of finite numbers, low < high")
        self.measured = floats(measured, "measured").ravel()
        self.deviation = np.broadcast_to(floats(deviation, "deviation"), self.measured.shape)
        if not self.measured.size or not np.all(np.isfinite(self.measured)):
            raise ArgumentError("measured: need finite numbers")
        if not np.all(self.deviation > 0):
            raise ArgumentError(f"deviation = {self.deviation.min():g}: need deviation > 0")
        self.runs = 0
        self.job_of(self.bounds.mean(axis=1))  # whether the keys have a place

    # ---- Runs ----

    def _vector(self, x):
        x = np.asarray(x, float).ravel()
        if x.shape != (len(self.names),):
            raise ArgumentError(f"x: {x.size} numbers: need {len(self.names)}, {', '.join(self.names)}")
        return x

    def job_of(self, x):
        """The job with these parameters."""
        job = self.job
        for name, value in zip(self.names, self._vector(x)):
            job = _put(job, _steps(name), value, name)
        return job

    def run_of(self, x):
        """The Run of the job with these parameters."""
        self.runs += 1
        return run(self.command, self.job_of(x))

    def _checked(self, curve):
        curve = floats(curve, "predict").ravel()
        if curve.shape != self.measured.shape:
            raise ArgumentError(f"predict: {curve.size} numbers: need {self.measured.size}, as measured has")
        return curve

    def curve(self, x):
        """What predict says of a run, [m]."""
        return self.curves([x])[0]

    def curves(self, samples):
        """Of a generation [n][p]: [n][m]."""
        samples = np.atleast_2d(np.asarray(samples, float))
        if self._is_launch():
            return self._launch(samples)
        return np.array([self._checked(self.predict(self.run_of(x))) for x in samples])

    def _is_launch(self):
        """Whether all parameters are what elements of one dem run may differ in."""
        if self.command != "dem":
            return False
        rves = next(row for row in table("dem")["keys"] if row.get("name") == "rves")
        varied = {row["name"] for row in next(row for row in rves["keys"] if row["name"] == "variations")["keys"]}
        return all(name.split(".")[0] == "material" and name.split(".")[-1] in varied and len(_steps(name)) == 2 for name in self.names)

    def _launch(self, samples):
        variations = [{name.split(".")[-1]: float(value) for name, value in zip(self.names, x)} for x in samples]
        done = run("dem", {**self.job, "rves": {**self.job.get("rves", {}), "variations": variations}})
        self.runs += len(samples)
        each = int(self.job.get("rves", {}).get("count", 1))  # elements of a variation: their mean
        return np.array([np.mean([self._checked(self.predict(done, each * k + i)) for i in range(each)], axis=0)
                         for k in range(len(samples))])

    # ---- What optimizers ask for ----

    def residuals(self, x):
        """(predicted - measured) / deviation, [m]: for scipy.optimize.least_squares."""
        curve = self.curve(x)
        if not np.all(np.isfinite(curve)):
            raise ArgumentError(f"predict: not a finite number at {dict(zip(self.names, self._vector(x)))}")
        return (curve - self.measured) / self.deviation

    def _halves(self, curves):
        """Half the squares [n] of curves [n][m]; infinite where one has a gap."""
        half = 0.5 * np.sum(((curves - self.measured) / self.deviation) ** 2, axis=1)
        return np.where(np.isfinite(half), half, np.inf)

    def misfit(self, x):
        """Half the sum of the squares of the residuals, minus the logarithm of the likelihood: a number, or of a generation [p][n] an
        array [n], as scipy's `vectorized` has them."""
        x = np.asarray(x, float)
        samples = x.T if x.ndim == 2 else x[None]
        half = self._halves(self.curves(samples))
        return half if x.ndim == 2 else float(half[0])

    def suggest(self, trial):
        """A vector of an Optuna trial."""
        return np.array([trial.suggest_float(name, *bound) for name, bound in zip(self.names, self.bounds)])

    def draw(self, count, seed=1):
        """Samples [count][p], evenly within the bounds: a Sobol sequence."""
        qmc = scipy("stats").qmc
        unit = qmc.Sobol(len(self.names), seed=seed).random_base2(int(np.ceil(np.log2(max(count, 1)))))[:count]
        return qmc.scale(unit, *self.bounds.T)

    def fit(self, start=None, **options):
        """Least squares by scipy within the bounds, from `start` (their middle); options are scipy.optimize.least_squares's."""
        least_squares = scipy("optimize").least_squares
        low, high = self.bounds.T
        before = self.runs
        start = self._vector(0.5 * (low + high) if start is None else start)
        if np.any(start < low) or np.any(start > high):
            raise ArgumentError(f"start = {start}: need it within the bounds")
        found = least_squares(lambda unit: self.residuals(low + unit * (high - low)), (start - low) / (high - low),
                              bounds=(np.zeros_like(low), np.ones_like(low)), **{"diff_step": 1e-3, **options})
        covariance = _covariance(found.jac, found.fun + self.measured / self.deviation) * np.outer(high - low, high - low)
        x = low + found.x * (high - low)
        run_of_x = self.run_of(x)
        at_bound = [name for name, where in zip(self.names, found.active_mask) if where]
        return Fit(dict(zip(self.names, x)), dict(zip(self.names, np.sqrt(np.diag(covariance)))), covariance, found.fun,
                   self.runs - before, run_of_x, bool(found.success), found.message, at_bound)

    def posterior(self, samples):
        """Weights of samples that were drawn evenly, by the likelihood of the measured curve; none of a sample whose curve has a gap."""
        samples = np.atleast_2d(np.asarray(samples, float))
        curves = self.curves(samples)
        half = self._halves(curves)
        if not np.any(np.isfinite(half)):
            raise ArgumentError("predict: no sample has a curve without gaps")
        weights = np.exp(half.min() - half)
        weights /= weights.sum()
        mean = weights @ samples
        deviation = np.sqrt(weights @ (samples - mean) ** 2)
        return Posterior(samples, curves, weights, dict(zip(self.names, mean)), dict(zip(self.names, deviation)),
                         float(1 / np.sum(weights**2)))
