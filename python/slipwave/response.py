"""Responses: what crystals answer to a velocity gradient, on numpy arrays without copies.

Crystals are a float32 array [N][4], C order: Bunge angles phi1, Phi, phi2 (rad, crystal -> sample) and slip resistance
(Pa). Arrays of a GPU are taken where a response computes there (device="cuda"): any object with
__cuda_array_interface__, as CuPy's and PyTorch's. Arrays of another type or order are an Error, not a copy.
"""

import weakref
from collections import namedtuple
from ctypes import addressof, byref

import numpy as np

from .errors import ArgumentError, Error
from .library import (Crystals, Handle, Points, ResponseOptions, SelfConsistent, StateField, StateLayout, address, call, fail,
                      heard, is_on_gpu, library, number, numbers, one_of, opened, pass_on_notices, resource_of, shape_of,
                      text_bytes, whole)
from .material import Database, Material

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)
DEVICES = {"cpu": 0, "cuda": 1}

Average = namedtuple("Average", "stress slip_resistance slip_rate")
Average.__doc__ = """Means over the crystals, at the end of a step where nothing else is said.

stress: float64 [3][3], Cauchy, sample frame, Pa; deviatoric but for the solver iterative, and for what deviators make of
mean stress where crystals of elastoplastic are not cubic. slip_resistance: Pa.
slip_rate: sum of |slip rates|, 1/s."""

Answer = namedtuple("Answer", "stress plastic_spin slip_rate")
Answer.__doc__ = """Of each crystal: stress float32 [N][6], deviatoric Cauchy stress 11 22 33 23 13 12, sample frame, Pa;
plastic_spin float32 [N][3], 12 13 23, sample frame, 1/s; slip_rate float32 [N], 1/s."""

PointAnswer = namedtuple("PointAnswer", "stress slip_resistance slip_rate by_strain_rate by_spin")
PointAnswer.__doc__ = """Means over the crystals of each point at the end of a step, float64. Of solvers without a history
the stress is that of the orientations at the step's beginning with the slip resistances of its end, and the slip rate the
beginning's.

stress [P][6]: deviatoric Cauchy stress 11 22 33 23 13 12, sample frame, Pa. slip_resistance [P]: Pa. slip_rate [P]: 1/s.
by_strain_rate [P][6][6]: d stress / d (D11 D22 D33 2 D23 2 D13 2 D12), Pa s, and by_spin [P][6][3]: d stress /
d (W12 W13 W23), Pa s, of the whole step; None where no tangent was asked for."""

Solver = namedtuple("Solver", "name needs_database has_terms standard_refinement has_interpolation has_iterations "
                    "has_history kept has_holds is_reference on_gpu")
Solver.__doc__ = """What a solver needs and takes: sw_solver_traits of slipwave/response.h. kept: numbers of a crystal's
elastic state that a caller may hold; materials with slip.families have more: Response.layout."""

Field = namedtuple("Field", "name unit values")
Field.__doc__ = """Numbers that are remembered of a crystal: their name, their unit, how many they are."""


def solvers():
    """{name: Solver} of all solvers there are."""
    found = {}
    while traits := library().sw_solver_at(len(found)):
        values = [getattr(traits.contents, name) for name, _ in traits.contents._fields_]
        one = Solver(values[0].decode(), *(bool(v) if n not in ("standard_refinement", "kept") else v
                                           for n, v in zip(Solver._fields[1:], values[1:])))
        found[one.name] = one
    return found


def crystals(euler, slip_resistance, degrees=False):
    """New crystals [N][4], float32, from Bunge angles [N][3] (rad, of degrees=True degrees; crystal -> sample).

    slip_resistance: Pa, a number or [N]; or a Material, whose initial one they get. ArgumentError for other shapes, angles
    that are not finite or beyond 1000, and slip resistances that are not above 0 or above 1e11; a Notice for angles beyond two turns,
    which may be degrees, and slip resistances below 1e4, which may be in MPa.
    """
    euler = numbers(euler, "euler", (None, 3))
    made = np.empty((len(euler), 4), np.float32)
    made[:, :3] = np.radians(euler) if degrees else euler
    made[:, 3] = _resistance(slip_resistance, len(euler))
    call("sw_crystals_verify", len(made), made.ctypes.data)
    return made


def _resistance(given, n):
    """Pa, of a Material, a number, or [n]."""
    if isinstance(given, Material):
        return given.slip_resistance
    return numbers(given, "slip_resistance", (n,)) if np.ndim(given) else number(given, "slip_resistance")


def random_crystals(count, slip_resistance, seed=1, first=0):
    """Crystals number first .. first + count - 1 of a random texture: float32 [count][4], the same on every machine, and
    those of a job with this seed. slip_resistance: Pa, or a Material, whose initial one they get. ArgumentError for numbers
    below 0.
    """
    count, first, seed = whole(count, "count"), whole(first, "first"), whole(seed, "seed")
    s = slip_resistance.slip_resistance if isinstance(slip_resistance, Material) else number(slip_resistance,
                                                                                             "slip_resistance")
    made = np.empty((count, 4), np.float32)
    call("sw_crystals_randomise", 0, count, made.ctypes.data, seed, first, s)
    call("sw_crystals_verify", min(count, 1), made.ctypes.data)  # whose slip resistance all have
    return made


def _to_fill(given, shapes, dtype, crystals):
    """A namedtuple of arrays with new ones for those that are None and have a shape. Error where these would have to be a
    GPU's."""
    made = {}
    for name, shape in shapes.items():
        if getattr(given, name) is None:
            if is_on_gpu(crystals):
                raise ArgumentError(f"{name}: need an array to fill, as crystals are on a GPU")
            made[name] = np.empty(shape, dtype)
    return given._replace(**made)


def _self_consistent(given, homogenization):
    """As the library takes it; what is left out is its standard value. ArgumentError for other keys and kinds."""
    takes = {"linearization": text_bytes, "neff": number, "ellipsoids": text_bytes, "tolerance": number}
    if given is None:
        return SelfConsistent()
    if homogenization != "self_consistent":
        raise ArgumentError(f'self_consistent: homogenization is {homogenization!r}: need "self_consistent"')
    if not isinstance(given, dict):
        raise ArgumentError(f"self_consistent: {type(given).__name__}: need a dict")
    for key in given:
        one_of(key, "key of self_consistent", takes)
    values = {key: takes[key](value, f"self_consistent[{key!r}]") for key, value in given.items()}
    for key in ("neff", "tolerance"):  # of which the library takes 0 as not given
        if values.get(key) == 0:
            raise ArgumentError(f"self_consistent[{key!r}] = 0: need more than 0")
    return SelfConsistent(**values)


class Response(Handle):
    """How crystals respond by one solver: `terms`, `grid`, `tabulated`, `rigid_plastic`, `elastoplastic` or `iterative`.

    database, material: at least one of them; `terms` and `grid` need the first. terms: Fourier coefficients that `terms`
    sums (0: all). refinement: of the database's grid, or of 64 points a turn of `tabulated` (0: the solver's own).
    nearest: `grid` and `tabulated` take the nearest entry of their table instead of interpolating.
    one_iteration: of `rigid_plastic`, enough, from the fitted start that cubic materials with 12 systems have. device: "cpu" or "cuda".
    homogenization: "taylor", "sachs", "alamel" or "self_consistent";
    self_consistent: of the last, a dict of `linearization` ("secant", "affine", "tangent", "neff" or, on the CPU, "second_order"; affine), `neff` (10),
    `ellipsoids` ("phase", "grain" or "fixed"; phase) and `tolerance` (1e-4), as in jobs; each may be left out.

    It keeps database and tables from call to call. One thread at a time.
    Error for an unknown solver, a missing database, more terms than there are, a GPU that is not there.
    """

    def __init__(self, solver, *, database=None, material=None, terms=0, refinement=0, nearest=False, one_iteration=False,
                 device="cpu", homogenization="taylor", self_consistent=None):
        (from_database, kept), (from_material, kept_too) = (resource_of(database, "database", Database),
                                                            resource_of(material, "material", Material))
        options = ResponseOptions(text_bytes(solver, "solver"), from_database, from_material, whole(terms, "terms"),
                                  whole(refinement, "refinement"), bool(nearest), bool(one_iteration),
                                  DEVICES[one_of(device, "device", DEVICES)], text_bytes(homogenization, "homogenization"),
                                  _self_consistent(self_consistent, homogenization))
        super().__init__(opened("sw_response_close", "sw_response_open", byref(options), keeps=(kept, kept_too)),
                         on_gpu=device == "cuda")
        traits = library().sw_solver_find(text_bytes(solver, "solver")).contents
        self.solver, self.device = traits.name.decode(), device  # a former name is the present one
        self._step, self._advance = library().sw_response_step, library().sw_response_advance
        # what a step reads and writes: finding where an array is takes a microsecond
        self._gradient, self._mean = np.empty((3, 3)), np.empty(11)
        self._gradient_place, self._mean_place = self._gradient.ctypes.data, self._mean.ctypes.data
        layout = StateLayout.from_address(library().sw_response_layout(self.pointer))
        fields = (StateField * layout.n_fields).from_address(layout.field) if layout.n_fields else ()
        self._kept_numbers = layout.numbers
        self._fields = tuple(Field(one.name.decode(), one.unit.decode(), one.values) for one in fields)
        self._crystals = self._borrowed(0, None)
        self._crystals_reference = byref(self._crystals)
        self._own = None  # states of the crystals that were first stepped, of a solver that remembers

    def _about(self):
        kept = {"keeps of a crystal": ", ".join(f"{one.name} [{one.values}] {one.unit}" for one in self.layout)}
        return {"solver": self.solver, "device": self.device, **(kept if self.layout else {})}

    def _borrowed(self, n, where, weight=None, state=None):
        """Crystals that are elsewhere, as the library takes them."""
        return Crystals(DEVICES[self.device], n, library().sw_response_layout(self.pointer), where, state, weight, 1)

    def _own_states(self, n, where):
        """Where the states of n crystals are, which this response holds from their first step on."""
        if self._own is None:
            made = Crystals()
            call("sw_crystals_of", self.pointer, n, where, None, byref(made))
            weakref.finalize(self, library().sw_crystals_release, byref(made))
            self._own = made
        if n != self._own.n:
            raise ArgumentError(f"{n} crystals: this response keeps the state of {self._own.n}")
        return self._own.state

    @property
    def layout(self):
        """What it remembers of a crystal beside orientation and slip resistance, in order: Fields, "elastic_stress" of
        elastoplastic; of materials with slip.families also "family_slip", the sizes of slips so far summed over each family's
        systems, and the systems' resistances."""
        return self._fields

    @property
    def kept(self):
        """K: so many float32 a crystal are its state."""
        return self._kept_numbers

    def begin(self, crystals, kept=None):
        """States of crystals [...][4] without stress, for step_each: float32 [...][K], new, or `kept` filled; of a response on
        a GPU both there. Of materials with slip.families they hold resistances, of others 0."""
        where = self._address(crystals, "crystals", F32, (None,) * (len(shape_of(crystals)) - 1) + (4,))
        shape = (*shape_of(crystals)[:-1], self._kept_numbers)
        if self.device == "cuda" and not (is_on_gpu(crystals) and is_on_gpu(kept)):
            raise ArgumentError("crystals and kept: need arrays on the GPU, where this response computes")
        kept = np.zeros(shape, F32) if kept is None else kept
        if self._kept_numbers:
            n = int(np.prod(shape[:-1]))
            own = self._borrowed(n, where, None, self._address(kept, "kept", F32, shape, out=True))
            call("sw_crystals_begin", self.pointer, byref(own))
        return kept

    def state_mean(self, field, kept=None, weight=None):
        """Means over crystals of a field of `layout`, float64 [values]: of states [...][K], or of those that this response keeps
        of the crystals it steps. weight: float32 [...], as of step. ArgumentError for a field that there is not."""
        if kept is None and self._own is None:
            raise ArgumentError("kept: need states, as no crystals were stepped yet")
        if kept is None:
            n, state = self._own.n, self._own.state
        else:
            shape = shape_of(kept)
            n, state = int(np.prod(shape[:-1])), self._address(kept, "kept", F32, (*shape[:-1], self._kept_numbers))
        if n == 0:
            raise ArgumentError("kept: 0 crystals have no mean")
        values = next((one.values for one in self._fields if one.name == field), 1)
        mean = np.empty(values)
        if weight is not None:
            weight = self._address(weight, "weight", F32, (n,) if kept is None else shape_of(kept)[:-1])
        own = self._borrowed(n, None, weight, state)
        call("sw_crystals_mean", byref(own), text_bytes(field, "field"), mean.ctypes.data)
        return mean

    def step(self, velocity_gradient, dt, crystals, weight=None):
        """Advance crystals, in place, by dt (s) under a constant velocity gradient, and average at the step's end.

        velocity_gradient [3][3]: 1/s, sample frame, trace-free. crystals: float32 [N][4], writable. weight: float32 [N],
        for how much each counts in the means, of the order of 1; None: all alike. Returns an Average.

        A solver with a history keeps the elastic state of the crystals it first stepped: always step the same ones.
        Error for D = 0 (but of elastoplastic), a trace, dt <= 0, a strain ||D|| dt of more than 0.1, weights that are none
        or share memory with crystals, crystals without an answer (which are then of no use).
        """
        return self._take(self._step, velocity_gradient, dt, crystals, weight)

    def advance(self, velocity_gradient, dt, crystals, weight=None):
        """The same, without the evaluation that `step` ends with and that takes as long as the step itself.

        Stress and slip rate of the Average are then those that the step is made by, of the crystals at its beginning: the
        end of the step before, if that was under the same velocity gradient. `mean` has the end of the last one. Of a
        solver with a history, as elastoplastic, this is `step`.
        """
        return self._take(self._advance, velocity_gradient, dt, crystals, weight)

    def mean(self, velocity_gradient, crystals, weight=None):
        """Means over crystals as they are, under a velocity gradient [3][3] (1/s); nothing is changed. An Average. With a
        homogenization or families that remember, of the crystals that are stepped. Error as of step, and for solvers with a
        history."""
        where = self._address(crystals, "crystals", F32, (None, 4))
        n = shape_of(crystals)[0]
        own = self._borrowed(n, where, None if weight is None else self._address(weight, "weight", F32, (n,)),
                             self._own_states(n, where) if self._kept_numbers else None)
        call("sw_response_evaluate_mean", self.pointer,
             numbers(velocity_gradient, "velocity_gradient", (3, 3)).ctypes.data, byref(own), self._mean_place)
        return self._average()

    def _take(self, function, velocity_gradient, dt, crystals, weight):
        if type(crystals) is np.ndarray and crystals.dtype == F32 and crystals.ndim == 2 and (
                crystals.shape[1] == 4 and crystals.flags.carray):  # what address() asks for, sooner
            where = crystals.ctypes.data
        else:
            where = self._address(crystals, "crystals", F32, (None, 4), out=True)
        n = shape_of(crystals)[0]
        self._gradient[:] = numbers(velocity_gradient, "velocity_gradient", (3, 3))
        if type(dt) is not float:
            dt = number(dt, "dt")
        own, notices = self._crystals, heard()
        own.n, own.crystal = n, where
        own.weight = None if weight is None else self._address(weight, "weight", F32, (n,))
        if self._kept_numbers:
            own.state = self._own_states(n, where)
        status = function(self.pointer, self._gradient_place, dt, self._crystals_reference, self._crystals_reference,
                          self._mean_place)
        if notices:
            pass_on_notices()
        if status:
            fail(status)
        return self._average()

    def _average(self):
        return Average(self._mean[:9].reshape(3, 3).copy(), self._mean.item(9), self._mean.item(10))

    def prepare(self, velocity_gradient):
        """Make now what the first step under a velocity gradient [3][3] (1/s) would: tables. Error as of step."""
        call("sw_response_prepare", self.pointer,
             numbers(velocity_gradient, "velocity_gradient", (3, 3)).ctypes.data)

    def _address(self, array, name, dtype, shape, out=False):
        return address(array, name, dtype, shape, out, gpu=self.device == "cuda")

    def evaluate(self, strain_rate, crystals, stress=None, plastic_spin=None, slip_rate=None):
        """Responses to one strain rate without a step; crystals stay as they are.

        strain_rate [3][3]: D, 1/s, sample frame, symmetric, trace-free; or [N][6], one for each crystal: float32, 11 22
        33 23 13 12, of which a trace is left out. crystals: float32 [N][4]. stress, plastic_spin, slip_rate: arrays to
        fill, as an Answer has them; new ones where they are None (of a GPU they must be given). Returns an Answer.

        Error for a D that is zero, has a trace or is not symmetric; for arrays that share memory with one that is filled;
        for solvers with a history; for crystals without an answer, as those with a D of their own that is not finite.
        """
        where = self._address(crystals, "crystals", F32, (None, 4))
        n = shape_of(crystals)[0]
        shapes = {"stress": (n, 6), "plastic_spin": (n, 3), "slip_rate": (n,)}
        given = _to_fill(Answer(stress, plastic_spin, slip_rate), shapes, F32, crystals)
        places = [self._address(array, name, F32, shapes[name], out=True) for name, array in given._asdict().items()]
        if is_on_gpu(strain_rate) or np.shape(strain_rate) != (3, 3):
            call("sw_response_evaluate_each", self.pointer, n, self._address(strain_rate, "strain_rate", F32, (n, 6)),
                 where, *places)
        else:
            call("sw_response_evaluate", self.pointer, numbers(strain_rate, "strain_rate", (3, 3)).ctypes.data, n, where,
                 *places)
        return given

    def prepare_each(self):
        """Make now what the first evaluate with a strain rate each, or the first step_each, would. Error for a solver
        without them."""
        call("sw_response_prepare_each", self.pointer)

    def step_each(self, velocity_gradient, dt, crystals, *, weight=None, kept=None, commit=True, tangent=False,
                  symmetric=False, answer=None):
        """Advance P points of n crystals each, all by dt (s), each under a velocity gradient of its own.

        velocity_gradient: float64 [P][3][3], 1/s, of which a trace is left out. crystals: float32 [P][n][4]. weight:
        float32 [P][n]. kept: float32 [P][n][K], states of crystals, as `begin` makes them (K: this response's `kept`); None:
        the response's own, then always of the same crystals. commit: take the step, in place; else it is tried, and
        crystals and kept stay. tangent: of elastoplastic, rigid_plastic and grid; symmetric: its symmetric part.
        answer: a PointAnswer to fill, as all other arrays on the GPU where crystals are; None: a new one, on the host.
        Returns the PointAnswer.

        Error for dt <= 0, a solver without points or without a tangent. Where crystals of some points have no answer:
        Error too, with .answer, a PointAnswer with NaN at those points.
        """
        where = self._address(crystals, "crystals", F32, (None, None, 4), out=bool(commit))
        n = shape_of(crystals)[:2]
        p = n[0]
        shapes = {"stress": (p, 6), "slip_resistance": (p,), "slip_rate": (p,)}
        if tangent:
            shapes.update(by_strain_rate=(p, 6, 6), by_spin=(p, 6, 3))
        if not isinstance(answer, (PointAnswer, type(None))):
            raise ArgumentError(f"answer: {type(answer).__name__}: need a PointAnswer")
        answer = _to_fill(answer or PointAnswer(*[None] * 5), shapes, F64, crystals)
        every = {"velocity_gradient": (velocity_gradient, F64, (p, 3, 3), False), "weight": (weight, F32, n, False),
                 "kept": (kept, F32, (*n, self._kept_numbers), bool(commit)),
                 **{name: (getattr(answer, name), F64, shape, True) for name, shape in shapes.items()}}
        for name, (array, *_) in every.items():
            if array is not None and is_on_gpu(array) != is_on_gpu(crystals):
                raise ArgumentError(f"{name}: need it where crystals are, all on the host or all on the GPU")
        places = {name: self._address(array, name, *rest) for name, (array, *rest) in every.items() if array is not None}
        state = places.pop("kept", None)
        if state is None and self._kept_numbers:
            state = self._own_states(p * n[1], where)
        own = self._borrowed(p * n[1], where, places.pop("weight", None), state)
        asked = Points(points=p, each=n[1], dt=number(dt, "dt"), to=addressof(own) if commit else None,
                       symmetric=bool(symmetric), **{"from": addressof(own)}, **places)
        try:
            call("sw_response_step_each", self.pointer, byref(asked))
        except Error as error:
            error.answer = answer
            raise
        return answer
