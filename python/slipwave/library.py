"""libslipwave.so by ctypes: where it is, what its functions take, errors, arrays as pointers. Private to the package."""

import ctypes
import ctypes.util
import functools
import logging
import os
import sys
import threading
import warnings
import weakref
from html import escape
from ctypes import POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int64, c_longlong, c_size_t, c_void_p, byref
from pathlib import Path

import numpy as np

from .errors import ArgumentError, Error, InputError, Notice
from .which import NAME, library_in

HERE = Path(__file__).resolve().parent
VERSION = "0.1.0"
CODES = ("SW_OK", "SW_ERR_INPUT", "SW_ERR_RANGE", "SW_ERR_FORMAT", "SW_ERR_IO", "SW_ERR_MEMORY", "SW_ERR_CONVERGENCE",
         "SW_ERR_INTERRUPTED", "SW_ERR_UNAVAILABLE")  # slipwave/status.h
NOTE, WARNING = 0, 1

# ---- Structures of the headers ----


class SolverTraits(Structure):
    _fields_ = [("name", c_char_p), ("needs_database", c_int), ("has_terms", c_int), ("standard_refinement", c_int64),
                ("has_interpolation", c_int), ("has_iterations", c_int), ("has_history", c_int), ("kept", c_int64),
                ("has_holds", c_int), ("is_reference", c_int), ("on_gpu", c_int)]


class SelfConsistent(Structure):
    _fields_ = [("linearization", c_char_p), ("neff", c_double), ("ellipsoids", c_char_p), ("tolerance", c_double)]


class ResponseOptions(Structure):
    _fields_ = [("solver", c_char_p), ("database", c_void_p), ("material", c_void_p), ("terms", c_int64),
                ("refinement", c_int64), ("nearest", c_int), ("one_iteration", c_int), ("device", c_int),
                ("homogenization", c_char_p), ("self_consistent", SelfConsistent)]


class Packed(Structure):
    _fields_ = [("word", c_void_p), ("middle", c_float), ("quantum", c_float), ("first", c_int64), ("step", c_int64)]


class Crystals(Structure):
    _fields_ = [("device", c_int), ("n", c_int64), ("layout", c_void_p), ("crystal", c_void_p), ("state", c_void_p),
                ("weight", c_void_p), ("borrowed", c_int), ("packed", Packed)]


class StateField(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("values", c_int), ("is_double", c_int)]


class StateLayout(Structure):
    _fields_ = [("numbers", c_int), ("n_fields", c_int), ("field", c_void_p)]


class Points(Structure):
    _fields_ = [("points", c_int64), ("each", c_int64), ("velocity_gradient", c_void_p), ("dt", c_double),
                ("dt_each", c_void_p), ("from", c_void_p), ("to", c_void_p), ("material", c_void_p),
                ("symmetric", c_int), ("condition", c_void_p), ("found", c_void_p), ("stress", c_void_p),
                ("slip_resistance", c_void_p), ("slip_rate", c_void_p), ("by_strain_rate", c_void_p), ("by_spin", c_void_p)]


class TaylorInputs(Structure):
    _fields_ = [("database", c_void_p), ("material", c_void_p), ("crystals", c_int64), ("crystal", c_void_p),
                ("weight", c_void_p)]


class TaylorRows(Structure):
    _fields_ = [("rows", c_int64), *((name, c_void_p) for name in (
        "time", "strain", "slip_resistance", "slip_rate", "deformation_gradient", "velocity_gradient",
        "cauchy_stress")),
        ("families", c_int), ("twins", c_int), ("family", c_void_p), ("family_slip", c_void_p),
        ("twin_fraction", c_void_p), ("turned_fraction", c_void_p),
        ("temperature", c_void_p)]


class File(Structure):
    _fields_ = [("name", c_char_p), ("bytes", c_void_p), ("size", c_size_t)]


class CallInputs(Structure):
    _fields_ = [("command", c_char_p), ("job", c_char_p), ("n_options", c_int), ("option", c_void_p), ("files", c_int),
                ("file", c_void_p), ("interruptible", c_int)]


class KwnAxis(Structure):
    _fields_ = [("kind", c_int), ("classes", c_int64), ("smallest", c_double), ("largest", c_double)]


class KwnControl(Structure):
    _fields_ = [*((name, c_double) for name in ("tolerance", "courant", "fixed_step", "largest_change")),
                ("explicit_coupling", c_int)]


class KwnOptions(Structure):
    _fields_ = [("strategy", c_int), ("precision", c_int), ("axis", KwnAxis), ("control", KwnControl),
                ("flux", c_int)]


class KwnStrength(Structure):
    _fields_ = [(name, c_double) for name in ("solid_solution", "particles", "yield_stress", "hardness", "slip_resistance")]


# sw_kwn_population and sw_kwn_point, as rows of an array
KwnPopulation = np.dtype([(name, "f8") for name in (
    "scale", "number", "radius_sum", "fraction", "obstacle_sum", "nucleated", "dissolved", "incubation", "rate", "critical",
    "fraction_slope", "growth", "few")])
KwnPoint = np.dtype([("time", "f8"), ("temperature", "f8"), ("total", "f8", 6), ("matrix", "f8", 6),
                     ("phase", KwnPopulation, 6), ("steps", "i8"), ("iterations", "i8"), ("step", "f8"),
                     ("matrix_slope", "f8", 6), ("vacancies", "f8"), ("knot", "i4"), ("failed", "i4")], align=True)

LISTENER = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)
WATCHER = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_longlong, c_longlong)
STATUS = c_int

# name: result, arguments. c_void_p: arrays and handles.
FUNCTIONS = {
    "sw_version": (c_char_p,),
    "sw_error_message": (c_char_p,),
    "sw_listen": (None, LISTENER, c_void_p),
    "sw_watch": (None, WATCHER, c_void_p),
    "sw_call_command": (STATUS, POINTER(CallInputs), POINTER(c_void_p)),
    "sw_call_close": (None, c_void_p),
    "sw_call_files": (c_int, c_void_p),
    "sw_call_file": (File, c_void_p, c_int),
    "sw_call_said": (c_char_p, c_void_p),
    "sw_command_name": (c_char_p, c_int),
    "sw_command_keys": (c_size_t, c_char_p, c_size_t, c_char_p),
    "sw_material_open": (STATUS, c_char_p, POINTER(c_void_p)),
    "sw_material_parse_text": (STATUS, c_char_p, c_char_p, POINTER(c_void_p)),
    "sw_material_write_text": (STATUS, c_void_p, c_size_t, c_char_p),
    "sw_material_close": (None, c_void_p),
    "sw_material_slip_resistance": (c_double, c_void_p),
    "sw_material_bulk_modulus": (c_double, c_void_p),
    "sw_database_read": (STATUS, c_char_p, c_int64, POINTER(c_void_p)),
    "sw_database_free": (None, c_void_p),
    "sw_database_terms": (c_int64, c_void_p),
    "sw_database_material": (c_void_p, c_void_p),
    "sw_solver_at": (POINTER(SolverTraits), c_int),
    "sw_solver_find": (POINTER(SolverTraits), c_char_p),
    "sw_response_open": (STATUS, POINTER(ResponseOptions), POINTER(c_void_p)),
    "sw_response_close": (None, c_void_p),
    "sw_response_evaluate": (STATUS, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_void_p),
    "sw_response_evaluate_each": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "sw_response_prepare": (STATUS, c_void_p, c_void_p),
    "sw_response_prepare_each": (STATUS, c_void_p),
    "sw_response_step": (STATUS, c_void_p, c_void_p, c_double, POINTER(Crystals), POINTER(Crystals), c_void_p),
    "sw_response_advance": (STATUS, c_void_p, c_void_p, c_double, POINTER(Crystals), POINTER(Crystals), c_void_p),
    "sw_response_evaluate_mean": (STATUS, c_void_p, c_void_p, POINTER(Crystals), c_void_p),
    "sw_response_layout": (c_void_p, c_void_p),
    "sw_crystals_of": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, POINTER(Crystals)),
    "sw_crystals_release": (None, POINTER(Crystals)),
    "sw_crystals_begin": (STATUS, c_void_p, POINTER(Crystals)),
    "sw_crystals_mean": (STATUS, POINTER(Crystals), c_char_p, c_void_p),
    "sw_response_step_each": (STATUS, c_void_p, POINTER(Points)),
    "sw_crystals_verify": (STATUS, c_int64, c_void_p),
    "sw_crystals_randomise": (STATUS, c_int, c_int64, c_void_p, c_int64, c_int64, c_float),
    "sw_taylor_begin": (STATUS, c_char_p, c_char_p, c_int, c_void_p, POINTER(TaylorInputs), POINTER(c_void_p)),
    "sw_taylor_end": (None, c_void_p),
    "sw_taylor_advance": (STATUS, c_void_p, c_int64, POINTER(c_int64)),
    "sw_taylor_history": (None, c_void_p, POINTER(TaylorRows)),
    "sw_taylor_crystals": (c_int64, c_void_p),
    "sw_taylor_copy_crystals": (STATUS, c_void_p, c_void_p, c_void_p),
    "sw_taylor_lattice_strain": (STATUS, c_void_p, c_int, c_void_p, c_void_p, c_double, POINTER(c_double),
                                 POINTER(c_double)),
    "sw_kwn_alloy_open": (STATUS, c_char_p, POINTER(c_void_p)),
    "sw_kwn_alloy_close": (None, c_void_p),
    "sw_kwn_solutes": (c_int, c_void_p),
    "sw_kwn_phases": (c_int, c_void_p),
    "sw_kwn_find_solute": (c_int, c_void_p, c_char_p),
    "sw_kwn_find_phase": (c_int, c_void_p, c_char_p),
    "sw_kwn_concentration": (c_double, c_void_p, c_int),
    "sw_kwn_defaults": (KwnOptions,),
    "sw_kwn_open": (STATUS, c_void_p, POINTER(KwnOptions), c_int64, c_void_p, c_double, POINTER(c_void_p)),
    "sw_kwn_close": (None, c_void_p),
    "sw_kwn_advance": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, c_int),
    "sw_kwn_wait": (STATUS, c_void_p),
    "sw_kwn_read": (STATUS, c_void_p, c_int64, c_int64, c_void_p),
    "sw_kwn_read_distribution": (STATUS, c_void_p, c_int64, c_int64, c_int, c_void_p),
    "sw_kwn_class_radii": (None, c_void_p, c_void_p, c_void_p),
    "sw_kwn_strength_of": (KwnStrength, c_void_p, c_void_p),
    "sw_point_group_find": (STATUS, c_char_p, POINTER(c_void_p)),
    "sw_texture_kappa": (c_int, c_double),
    "sw_pole_figure": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_int, c_int64, c_void_p, c_void_p),
    "sw_inverse_pole_figure": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_int, c_int64, c_void_p, c_void_p),
    "sw_odf": (STATUS, c_void_p, c_int64, c_void_p, c_void_p, c_int, c_int, c_int64, c_void_p, c_void_p),
    "sw_disorientation": (STATUS, c_void_p, c_int64, c_void_p, c_int, c_void_p, c_void_p),
}


# ---- Where it is ----


def candidates():
    """Paths, first to last: what the environment names; beside this file (pip); the build of the source tree; where
    `make install` put it."""
    if "SLIPWAVE_LIBRARY" in os.environ:
        return [Path(os.environ["SLIPWAVE_LIBRARY"])]
    source, prefix = HERE.parents[1], HERE.parents[3] if len(HERE.parents) > 3 else HERE
    built = [Path(os.environ["SW_BIN"]) / NAME] if "SW_BIN" in os.environ else []
    try:
        own = library_in(HERE)
    except OSError as error:
        raise Error(str(error), "SW_ERR_UNAVAILABLE") from None
    return [own or HERE / NAME, *built, source / "build" / NAME, prefix / "lib" / NAME]


@functools.lru_cache(maxsize=None)
def library():
    """The loaded library. Error where there is none, or another version's."""
    looked = candidates()
    path = next((str(path) for path in looked if path.is_file()), None) or ctypes.util.find_library("slipwave")
    if path is None:
        raise Error(f"{NAME}: not found, neither as {', '.join(map(str, looked))}: `make`, or SLIPWAVE_LIBRARY=FILE",
                    "SW_ERR_IO")
    try:
        loaded = ctypes.CDLL(path)
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise Error(f"{path}: cannot be used: {error}", "SW_ERR_IO") from None
    version = loaded.sw_version().decode()
    if version != VERSION:
        raise Error(f"{path}: version {version}: need {VERSION}, that of this package", "SW_ERR_FORMAT")
    return loaded


# ---- Errors and notices ----

_said = threading.local()


def _hear(_, kind, text):
    try:
        if kind in (NOTE, WARNING):
            _said.notices.append((kind, text.decode(errors="replace")))
    except KeyboardInterrupt:  # which the library cannot pass on
        _said.interrupted = True


_listener = LISTENER(_hear)


def fail(status):
    """Raise the library's last message."""
    message, code = library().sw_error_message().decode(errors="replace"), CODES[status]
    if code == "SW_ERR_RANGE":
        raise ArgumentError(message)
    raise (InputError if code in ("SW_ERR_INPUT", "SW_ERR_FORMAT") else Error)(message, code)


def _level_of_caller():
    """Of the first frame outside of the package, for the function that asks."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent == HERE:
        frame, level = frame.f_back, level + 1
    return level


def warn(text):
    """A Notice, at the line outside of the package that led to it."""
    warnings.warn(text, Notice, stacklevel=_level_of_caller())


def pass_on_notices():
    notices, _said.notices[:] = list(_said.notices), []
    for kind, text in notices:
        if kind == WARNING:
            warn(text)
        else:
            logging.getLogger("slipwave").info("%s", text)


def heard():
    """What this thread's listener was told, a list."""
    if not hasattr(_said, "notices"):
        _said.notices = []
        library().sw_listen(_listener, None)
    return _said.notices


def call(name, *arguments):
    """A function that returns a status: its warnings as Notice, its failure as Error."""
    notices = heard()
    status = getattr(library(), name)(*arguments)
    if getattr(_said, "interrupted", False):
        _said.interrupted = False
        raise KeyboardInterrupt
    if notices:
        pass_on_notices()
    if status:
        fail(status)


class Resource:
    """What the library opened, released with the last reference to it. keeps: others that it needs meanwhile."""

    def __init__(self, close, pointer=None, keeps=()):
        self.pointer, self.close, self.keeps = c_void_p(pointer), close, keeps

    def __del__(self):
        if self.pointer and self.close is not None:
            self.close(self.pointer)


_on_gpus = weakref.WeakSet()


def _leave_gpus():
    """In a process that was forked off: nothing of CUDA works there, closing neither."""
    for handle in list(_on_gpus):
        if handle._resource is not None:
            handle._resource.close = handle._resource = None
            handle._state = ("is on a GPU, which a process that was forked off cannot reach: make it here, in a process that "
                             "was spawned")


os.register_at_fork(after_in_child=_leave_gpus)


class Handle:
    """An object of the library. It is closed with the last reference to it, by close(), or at the end of a `with`. on_gpu:
    what it holds is a GPU's, which a process that is forked off cannot reach."""

    _state = "is closed"  # without a resource

    def __init__(self, resource, on_gpu=False):
        self._resource = resource
        if on_gpu:
            _on_gpus.add(self)

    @property
    def resource(self):
        if self._resource is None:
            raise Error(f"this {type(self).__name__} {self._state}")
        return self._resource

    @property
    def pointer(self):
        return self.resource.pointer

    def close(self):
        """Let go of it; what was made from it keeps what it needs. Twice is fine."""
        self._resource = None

    def __reduce__(self):
        """What the library holds stays in this process."""
        kind = type(self).__name__
        raise TypeError(f"{kind}: cannot be copied or pickled, for a pool of processes neither: make the {kind} where it is "
                        "used, or fork")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _about(self):
        """{what it is: its value, with a unit}, for people."""
        return {}

    def _lines(self):
        try:
            return self._about() if self._resource is not None else {"": self._state}
        except Error as error:  # of another that it needs
            return {"": str(error)}

    def __repr__(self):
        return f"<{type(self).__name__}: {', '.join(f'{name} {value}'.strip() for name, value in self._lines().items())}>"

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in self._lines().items())
        return f"<b>{type(self).__name__}</b><table>{rows}</table>"


def opened(close, name, *arguments, keeps=()):
    """The Resource that a function makes through its last argument; `close` names what releases it."""
    resource = Resource(getattr(library(), close), keeps=keeps)
    call(name, *arguments, byref(resource.pointer))
    return resource


# ---- Arrays ----


def is_on_gpu(array):
    """Whether it says so: CuPy, PyTorch, Numba."""
    return hasattr(array, "__cuda_array_interface__")


def shape_of(array):
    """Of an array that address() took."""
    return array.shape if isinstance(array, np.ndarray) else tuple(array.__cuda_array_interface__["shape"])


def _refuse_masked(values, name):
    """ArgumentError where some are masked, in a list's arrays, too: what is behind a mask is no number to compute with."""
    if any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one)
           for one in (values if isinstance(values, (list, tuple)) else (values,))):
        raise ArgumentError(f"{name}: has masked values: need numbers, without a mask")


def address(array, name, dtype, shape, out=False, gpu=False):
    """Where an array of exactly this type begins: the library reads and writes it there. None in `shape` takes any
    length. gpu: of a GPU it may be, too (__cuda_array_interface__, version 2 or 3); its address there, when what its
    stream has to do is done. ArgumentError for any other, which would have to be copied."""
    if isinstance(array, np.ndarray):
        if type(array) is not np.ndarray:
            _refuse_masked(array, name)
        if array.dtype == dtype and array.flags.c_contiguous and _has_shape(array.shape, shape) and (
                not out or array.flags.writeable):
            return array.ctypes.data
        kind, found = array.dtype, array.shape
    elif is_on_gpu(array):
        if not gpu:
            raise ArgumentError(f"{name}: in a GPU's memory: need an array of the host, or a response with device='cuda'")
        about = array.__cuda_array_interface__
        kind, found = np.dtype(about["typestr"]), tuple(about["shape"])
        if kind == dtype and _has_shape(found, shape) and _is_dense(about, kind) and not (out and about["data"][1]):
            wait_for(about.get("stream"))
            return about["data"][0]
    else:
        raise ArgumentError(f"{name}: {type(array).__name__}: need an array of {np.dtype(dtype)} {_spell(shape)}")
    raise ArgumentError(f"{name}: {kind} {_spell(found)}: need {np.dtype(dtype)} {_spell(shape)}, contiguous"
                f"{' and writable' if out else ''}")


def _has_shape(found, shape):
    return found == shape or (len(found) == len(shape) and all(w in (None, n) for w, n in zip(shape, found)))


def _is_dense(about, kind):
    """C order, as the interface's missing strides mean; how far apart the one member of an axis is does not matter. None
    are masked."""
    shape, strides = about["shape"], about.get("strides")
    dense = [kind.itemsize * int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    return about.get("mask") is None and (strides is None or 0 in shape or all(
        found == wanted for found, wanted, length in zip(strides, dense, shape) if length > 1))


LEGACY_STREAM = 1  # as the interface numbers CUDA's default stream


def wait_for(stream):
    """Until a stream of the interface has done what was queued on it. None: nobody asks for it; the default stream needs
    no waiting, for the library's own wait for it."""
    if stream in (None, LEGACY_STREAM):
        return
    code = ctypes.CDLL("libcuda.so.1").cuStreamSynchronize(c_void_p(stream))
    if code:
        raise Error(f"stream {stream} of a GPU's array: cuStreamSynchronize says {code}", "SW_ERR_UNAVAILABLE")


def _spell(shape):
    return "".join("[N]" if n is None else f"[{n}]" for n in shape) or "[]"


def floats(values, name, shape=None):
    """An array of any shape as float64, itself where it is. ArgumentError for what holds no real numbers, or masked ones; it
    says which shape is needed."""
    _refuse_masked(values, name)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "cmMSU":
            return array.astype(np.float64, copy=False)
    except (OverflowError, TypeError, ValueError):
        pass
    found = f"{type(values).__name__}: " if np.ndim(values) == 0 else ""
    raise ArgumentError(f"{name}: {found}need numbers{' ' + _spell(shape) if shape else ''}")


def numbers(values, name, shape):
    """Small inputs, of any type, as float64 of this shape; a copy where they are not."""
    is_ready = type(values) is np.ndarray and values.dtype == np.float64  # sooner, for steps of few crystals
    array = np.asarray(values if is_ready else floats(values, name, shape), order="C")
    if not _has_shape(array.shape, shape):
        raise ArgumentError(f"{name}: {_spell(array.shape)}: need {_spell(shape)}")
    return array


def number(value, name):
    """One number as float; whole ones beyond all floats are infinite, which bounds refuse. ArgumentError for anything else, as
    True."""
    try:
        if np.ndim(value) == 0 and not isinstance(value, (str, bytes, bool)) and getattr(value, "dtype", None) != bool:
            return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf
    except (TypeError, ValueError):
        pass
    raise ArgumentError(f"{name} = {value!r}: need a number")


def whole(value, name, least=0):
    """A whole number that 64 bits hold, as int. ArgumentError for others, and below `least`."""
    found = number(value, name)
    if not (found == np.floor(found) and least <= found < 2.0**63):
        raise ArgumentError(f"{name} = {found if np.isinf(found) else value!r}: need a whole number, {least} or more")
    return int(value)


def one_of(value, name, words):
    """ArgumentError for what is none of these words."""
    if not (isinstance(value, str) and value in words):
        raise ArgumentError(f"{name} = {value!r}: need one of {', '.join(words)}")
    return value


def resource_of(handle, name, kind):
    """What a Handle of this class holds, (None, None) for None: its pointer, and what to keep. ArgumentError for another."""
    if handle is None:
        return None, None
    if not isinstance(handle, kind):
        raise ArgumentError(f"{name}: {type(handle).__name__}: need {'an' if kind.__name__[0] in 'AEIO' else 'a'} "
                            f"{kind.__name__}")
    return handle.pointer, handle.resource


def path_bytes(path):
    """A path as the library takes it. ArgumentError for what is none."""
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise ArgumentError(f"path: {type(path).__name__}: need a text or a Path") from None
    if b"\0" in encoded:
        raise ArgumentError("path: holds a null byte")
    return encoded


def text_bytes(text, name):
    """A text as the library takes it. ArgumentError for what is none."""
    if not isinstance(text, str):
        raise ArgumentError(f"{name}: {type(text).__name__}: need a text")
    if "\0" in text:
        raise ArgumentError(f"{name}: holds a null character")
    return text.encode(errors="surrogateescape")  # as paths have bytes that are no UTF-8
