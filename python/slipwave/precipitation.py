"""Precipitates at many points along a thermal history: `slipwave/kwn.h` on numpy arrays.

    alloy = slipwave.Alloy(slipwave.data("alloys/al-mg-si-6082.yaml"))
    aged = slipwave.Precipitation(alloy, temperature=803.15)        # K: all in solution
    aged.advance([0, 0, 18000], [803.15, 458.15, 458.15])           # quenched at once, held for 5 h
    aged.strength.yield_stress / 1e6                                # MPa, of each point

Dimensions: N points, S solutes, M phases, B classes of size, K knots of a history. Concentrations are atoms of a solute per
atomic volume of the matrix.
"""

import os
from collections import namedtuple
from ctypes import byref

import numpy as np

from .errors import ArgumentError
from .library import Handle, KwnPoint, call, library, number, numbers, one_of, opened, path_bytes, resource_of, text_bytes, whole

STRATEGIES = {"cpu": 0, "fused": 1}  # the others of slipwave/kwn.h are for comparisons
PRECISIONS = {"double": 0, "mixed": 1, "single": 2}

Precipitates = namedtuple("Precipitates", "time temperature matrix number mean_radius fraction")
Precipitates.__doc__ = """Of each point. time [N]: s. temperature [N]: K. matrix [N][S]: concentrations that are left in the
matrix. Of each phase: number [N][M]: particles, 1/m^3. mean_radius [N][M]: m, NaN without particles. fraction [N][M]: of the
volume."""

Strength = namedtuple("Strength", "solid_solution particles yield_stress hardness slip_resistance")
Strength.__doc__ = """Of each point, [N]: Pa, but hardness (HV): what solutes and particles give, the yield stress, and the slip
resistance of a crystal, the yield stress over the alloy's Taylor factor. 0 for an alloy without strength data."""


class Alloy(Handle):
    """Solutes in a matrix, the phases that they form, strength.

    path: an alloy file (YAML; docs/file-formats.md). Error names file, line, key, value and bound.
    """

    def __init__(self, path):
        super().__init__(opened("sw_kwn_alloy_close", "sw_kwn_alloy_open", path_bytes(path)))
        self._path = os.fspath(path)

    def __reduce__(self):
        self.resource  # an Error where it is closed
        return Alloy, (self._path,)

    def _about(self):
        return {"file": self._path, "solutes": len(self.concentration), "phases": self.phases}

    @property
    def concentration(self):
        """Of each solute in the whole alloy, [S]: atoms per atomic volume of the matrix."""
        return np.array([library().sw_kwn_concentration(self.pointer, i)
                         for i in range(library().sw_kwn_solutes(self.pointer))])

    @property
    def phases(self):
        """M, how many phases there may be."""
        return library().sw_kwn_phases(self.pointer)

    def solute(self, element):
        """The place of a solute, "Mg", in arrays [S]. ArgumentError where there is none of the name."""
        return self._place("solute", element)

    def phase(self, name):
        """The place of a phase, "beta-prime", in arrays [M]. ArgumentError where there is none of the name."""
        return self._place("phase", name)

    def _place(self, kind, name):
        found = getattr(library(), f"sw_kwn_find_{kind}")(self.pointer, text_bytes(name, kind))
        if found < 0:
            raise ArgumentError(f"{kind} = {name!r}: the alloy has none of this name")
        return found


class Precipitation(Handle):
    """N points without precipitates at time 0 and a temperature (K).

    alloy: an Alloy. composition [N][S]: of each point; None: the alloy's own. strategy: "cpu" or, on a GPU, "fused".
    precision: "double", on a GPU also "mixed" or "single". classes: B. tolerance: relative error of a step in number,
    volume fraction and composition, 1e-6 to 0.1.

    Error for values out of their bounds, and without a GPU for a strategy that needs one.
    """

    def __init__(self, alloy, points=1, *, temperature, composition=None, strategy="cpu", precision="double", classes=448,
                 tolerance=1e-3):
        pointer, kept = resource_of(alloy, "alloy", Alloy)
        if pointer is None:
            raise ArgumentError("alloy: None: need an Alloy")
        self.alloy, self.points = alloy, whole(points, "points", 1)
        options = library().sw_kwn_defaults()
        options.strategy = STRATEGIES[one_of(strategy, "strategy", STRATEGIES)]
        options.precision = PRECISIONS[one_of(precision, "precision", PRECISIONS)]
        options.axis.classes, options.control.tolerance = whole(classes, "classes"), number(tolerance, "tolerance")
        if composition is not None:
            composition = numbers(composition, "composition", (self.points, len(alloy.concentration)))
        super().__init__(opened("sw_kwn_close", "sw_kwn_open", pointer, byref(options), self.points,
                                None if composition is None else composition.ctypes.data,
                                number(temperature, "temperature"), keeps=(kept,)),
                         on_gpu=strategy != "cpu")
        self.classes = options.axis.classes

    def _about(self):
        state = self.state
        return {"points": self.points, "time": f"{state.time.max():.6g} s",
                "temperature": f"{state.temperature.min():.6g} to {state.temperature.max():.6g} K",
                "precipitates": f"{state.fraction.sum(axis=1).min():.4g} to {state.fraction.sum(axis=1).max():.4g} of the volume"}

    def advance(self, time, temperature):
        """Follow a thermal history from the present time to its last knot; linear between knots.

        time [K]: s, not descending, the first not after the present time; the temperature jumps where two are equal.
        temperature [K] of all points, or [K][N]: K. Python's lock is released; Ctrl-C waits for the end.
        Error names the knot, or the point and time at which no step was small enough.
        """
        time = numbers(time, "time", (None,))
        each = np.ndim(temperature) == 2
        shape = (len(time), self.points) if each else (len(time),)
        kelvin = numbers(temperature, "temperature", shape).astype(np.float32)
        call("sw_kwn_advance", self.pointer, len(time), time.ctypes.data, kelvin.ctypes.data, each)
        call("sw_kwn_wait", self.pointer)

    @property
    def state(self):
        """Precipitates of all points after the last advance; new arrays."""
        read, phases = self._read(), self.alloy.phases
        of = read["phase"][:, :phases]
        with np.errstate(invalid="ignore", divide="ignore"):
            radius = np.where(of["number"] > 0, of["radius_sum"] / of["number"], np.nan)
        return Precipitates(read["time"].copy(), read["temperature"].copy(),
                            read["matrix"][:, :len(self.alloy.concentration)].copy(), of["number"].copy(), radius,
                            of["fraction"].copy())

    @property
    def strength(self):
        """A Strength of all points; new arrays."""
        read, of = self._read(), library().sw_kwn_strength_of
        found = [of(self.alloy.pointer, read[i:i + 1].ctypes.data) for i in range(len(read))]
        return Strength(*(np.array([getattr(one, name) for one in found]) for name in Strength._fields))

    def distribution(self, phase):
        """Radii of the classes, m, and particles in each, 1/m^3, of a phase (its name): [N][B] both, new arrays."""
        k = self.alloy.phase(phase)
        pivot, found = np.empty(self.classes), np.empty((self.points, self.classes))
        call("sw_kwn_read_distribution", self.pointer, 0, self.points, k, found.ctypes.data)
        library().sw_kwn_class_radii(self.pointer, pivot.ctypes.data, None)
        return self._read()["phase"][:, k]["scale"][:, None] * pivot, found

    def _read(self):
        read = np.empty(self.points, KwnPoint)
        call("sw_kwn_read", self.pointer, 0, self.points, read.ctypes.data)
        return read
