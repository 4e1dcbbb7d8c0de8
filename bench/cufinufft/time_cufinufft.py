#!/usr/bin/env python3
"""Time cuFINUFFT at the work of the GPU solver `terms`: nine outputs of a folded series at N orientations.

Type 2, three dimensions, single precision, all transforms at the same points, one plan. Points are random
in [-pi, pi)^3 and coefficients random. CSV on stdout: table,series,x,value,unit; x is the number of points.
`setpts` sorts the points and is needed again whenever they move, as crystals do in every step.
Medians of five after a warm-up, by CUDA events; the error is relative L2 at 32 of the points against a
direct sum in double precision.

Without the library or a GPU it says so in one line, and exits with 0.
"""

import argparse
import ctypes
import importlib.util
import itertools
import os
import sys
from ctypes import POINTER, byref, c_double, c_float, c_int, c_int64, c_void_p
from ctypes.util import find_library
from pathlib import Path

REPEATS = 5
CHECKED = 32  # points
OUTPUTS = 9
TYPE, SIGN = 2, 1  # of the transform: from modes to points; exp(+i k x)
WARNING = 1  # "tolerance too small": the smallest possible was used
METHODS = {1: "by points", 2: "shared memory"}  # gpu_method of cuFINUFFT for type 2


class Options(ctypes.Structure):
    """cufinufft_opts of versions 2.3 to 2.5, as far as it is used here; the rest as room."""

    _fields_ = [("upsampfac", c_double), ("gpu_method", c_int), ("gpu_sort", c_int),
                ("gpu_binsize", c_int * 3), ("gpu_obinsize", c_int * 3), ("gpu_maxsubprobsize", c_int),
                ("gpu_kerevalmeth", c_int), ("gpu_spreadinterponly", c_int), ("gpu_maxbatchsize", c_int),
                ("gpu_device_id", c_int), ("gpu_stream", c_void_p), ("room", c_int * 64)]


class NotTimed(Exception):
    """Why there is nothing to time."""


class Failure(Exception):
    """A call of the library failed."""


def find(path):
    """Where the library may be: what the user says, what the linker finds, what pip installed."""
    if path:
        return [path]
    names = [name for name in (find_library("cufinufft"), "libcufinufft.so") if name]
    package = importlib.util.find_spec("cufinufft")
    for folder in package.submodule_search_locations or [] if package else []:
        names += sorted(str(one) for one in Path(folder).glob("libcufinufft*.so"))
    return names


def load(path):
    for name in find(path):
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            reason = error
    else:
        raise NotTimed(f"libcufinufft: {reason} (--library or CUFINUFFT_LIBRARY says where it is)")
    try:
        for name, arguments in {
            "cufinufftf_makeplan": [c_int, c_int, POINTER(c_int64), c_int, c_int, c_float, POINTER(c_void_p),
                                    POINTER(Options)],
            "cufinufftf_setpts": [c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p,
                                  c_void_p],
            "cufinufftf_execute": [c_void_p, c_void_p, c_void_p],
            "cufinufftf_destroy": [c_void_p],
            "cufinufft_default_opts": [POINTER(Options)],
        }.items():
            getattr(library, name).argtypes = arguments
            getattr(library, name).restype = c_int
    except AttributeError as error:
        raise NotTimed(f"{library._name}: {error}") from None
    library.cufinufft_default_opts.restype = None
    return library


def load_gpu():
    """CuPy, once it sees a GPU."""
    try:
        import cupy
        import cupy.cuda.cufft  # noqa: F401 -- loads libcufft, which cuFINUFFT needs, from where CuPy found it
    except ImportError as error:
        raise NotTimed(f"CuPy cannot be imported: {str(error).strip().splitlines()[-1]}") from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NotTimed(f"no GPU: {error}") from None
    if count < 1:
        raise NotTimed("no GPU")
    # setpts allocates memory: let the driver keep it between calls
    runtime = cupy.cuda.runtime
    runtime.memPoolSetAttribute(runtime.deviceGetDefaultMemPool(0), runtime.cudaMemPoolAttrReleaseThreshold,
                                1 << 40)
    return cupy


def call(function, *arguments):
    status = function(*arguments)
    if status > WARNING:
        raise Failure(f"{function.__name__} returned {status}")


class Plan:
    def __init__(self, library, modes, transforms, tolerance, method, upsampling):
        options = Options()
        library.cufinufft_default_opts(byref(options))
        if (options.gpu_sort, options.gpu_maxsubprobsize, options.gpu_device_id) != (1, 1024, 0):
            raise Failure("cufinufft_opts is not laid out as in versions 2.3 to 2.5")
        options.gpu_method = method
        options.upsampfac = upsampling
        options.gpu_maxbatchsize = transforms  # left alone it is 8: a ninth transform would cost eight FFTs
        self.library, self.plan = library, c_void_p()
        call(library.cufinufftf_makeplan, TYPE, 3, (c_int64 * 3)(*modes), SIGN, transforms, tolerance,
             byref(self.plan), byref(options))

    def set_points(self, points):
        call(self.library.cufinufftf_setpts, self.plan, points[0].size, *(one.data.ptr for one in points),
             0, None, None, None)

    def execute(self, values, coefficients):
        call(self.library.cufinufftf_execute, self.plan, values.data.ptr, coefficients.data.ptr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.cufinufftf_destroy(self.plan)


def median_time(cupy, work):
    """Seconds."""
    work()
    seconds = []
    for _ in range(REPEATS):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        work()
        end.record()
        end.synchronize()
        seconds.append(cupy.cuda.get_elapsed_time(start, end) / 1000)
    return sorted(seconds)[REPEATS // 2]


def direct_sum(numpy, coefficients, points):
    """coefficients [transforms][n3][n2][n1], points [3][P] -> [transforms][P], in double precision. Wavenumber
    j of n is j - n // 2."""
    transforms, *shape = coefficients.shape
    waves = [numpy.exp(1j * numpy.outer(numpy.arange(n) - n // 2, x)) for n, x in zip(shape[::-1], points)]
    total = coefficients.astype(complex).reshape(-1, shape[2]) @ waves[0]
    total = numpy.einsum("ckjp,jp->ckp", total.reshape(transforms, shape[0], shape[1], -1), waves[1])
    return numpy.einsum("ckp,kp->cp", total, waves[2])


def measure(cupy, library, options):
    import numpy

    random = numpy.random.default_rng(1)
    print(f"# cuFINUFFT on {cupy.cuda.runtime.getDeviceProperties(0)['name'].decode()}, "
          f"CUDA runtime {cupy.cuda.runtime.runtimeGetVersion()}; medians of {REPEATS}")
    print("table,series,x,value,unit", flush=True)
    for modes in options.modes:
        parts = random.standard_normal((max(options.transforms), *modes[::-1], 2), dtype=numpy.float32)
        coefficients = parts.view(numpy.complex64)[..., 0]
        on_gpu = cupy.asarray(coefficients)
        for count in options.points:
            points = random.uniform(-numpy.pi, numpy.pi, (3, count)).astype(numpy.float32)
            points_on_gpu = [cupy.asarray(one) for one in points]
            exact = direct_sum(numpy, coefficients, points[:, :CHECKED].astype(float))
            for transforms, tolerance, method in itertools.product(options.transforms, options.tolerance,
                                                                   options.method):
                values = cupy.empty((transforms, count), dtype=numpy.complex64)
                with Plan(library, modes, transforms, tolerance, method, options.upsampling) as plan:
                    setpts = median_time(cupy, lambda: plan.set_points(points_on_gpu))
                    execute = median_time(cupy, lambda: plan.execute(values, on_gpu))
                    got = numpy.array([one[:CHECKED].get() for one in values])
                error = numpy.linalg.norm(got - exact[:transforms]) / numpy.linalg.norm(exact[:transforms])
                series = (f"{'x'.join(map(str, modes))} modes; {transforms} transforms; "
                          f"tolerance {tolerance:g}; {METHODS[method]}")
                for what, value, unit in (("setpts", setpts, "s"), ("execute", execute, "s"),
                                          ("execute", count / execute, "points/s"),
                                          ("setpts and execute", count / (setpts + execute), "points/s"),
                                          ("error", error, "1")):
                    print(f"cufinufft,{series}: {what},{count},{value:.6g},{unit}", flush=True)


def shape(text):
    modes = tuple(int(one) if one.isdecimal() else 0 for one in text.split("x"))
    if len(modes) != 3 or min(modes) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': need N1xN2xN3, each 1 or more")
    return modes


def number(low, high, whole=True):
    """A parser of numbers from low to high."""
    def parse(text):
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high or (whole and value != int(value)):
            raise argparse.ArgumentTypeError(f"'{text}': need {low:g} to {high:g}{', whole' if whole else ''}")
        return int(value) if whole else value
    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.environ.get("CUFINUFFT_LIBRARY"), metavar="LIBCUFINUFFT.so",
                        help="default: $CUFINUFFT_LIBRARY, else where the linker or pip put it")
    parser.add_argument("--points", nargs="+", type=number(CHECKED, 2e9), default=[2_000_000, 10_000_000], metavar="N")
    parser.add_argument("--modes", nargs="+", type=shape, default=[(64, 64, 17), (128, 128, 33)],
                        metavar="N1xN2xN3")
    parser.add_argument("--tolerance", nargs="+", type=number(1e-7, 0.1, whole=False),
                        default=[1e-3, 1e-4, 1e-5], metavar="ERROR")
    parser.add_argument("--transforms", nargs="+", type=number(1, 64), default=[OUTPUTS, (OUTPUTS + 1) // 2],
                        metavar="C",
                        help="9, or 5 where two real outputs share a complex transform (9 5)")
    parser.add_argument("--method", nargs="+", type=int, choices=METHODS, default=[1],
                        help="1: by points, cuFINUFFT's own choice; 2: through shared memory (1)")
    parser.add_argument("--upsampling", type=float, choices=(0, 1.25, 2), default=0,
                        help="of the fine grid; 0: cuFINUFFT's own choice (0)")
    options = parser.parse_args()
    try:
        cupy = load_gpu()
        measure(cupy, load(options.library), options)
    except NotTimed as reason:
        print(f"# cuFINUFFT not timed: {reason}")
    except Failure as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


if __name__ == "__main__":
    main()
