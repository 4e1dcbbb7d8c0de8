"""Which library, of those that came with the package, this processor can run. Imports nothing of the package, nor numpy: the commands
begin here."""

import ctypes
import sys
from pathlib import Path

NAME = "libslipwave.so"
NEEDS = {  # -march of gcc: what /proc/cpuinfo says of a processor that can run it
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
}


def flags():
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return set()
    return set(next((line.partition(":")[2] for line in lines if line.startswith("flags")), "").split())


def built_for(folder):
    """{-march: library} of those in a folder, the best first."""
    found = {arch: Path(folder) / f"libslipwave-{arch}.so" for arch in NEEDS}
    return {arch: path for arch, path in found.items() if path.is_file()}


def has_gpu():
    return Path("/proc/driver/nvidia/version").exists() or Path("/dev/nvidia0").exists() or Path("/dev/dxg").exists()


def with_gpu_code(folder):
    """The library for GPUs, if it is there, this machine has one, and CUDA's libraries are found: of NVIDIA's wheels beside the package, or
    of the system. None: then one of the others, which compute on the CPU."""
    path = Path(folder) / "libslipwave-cuda.so"
    if not path.is_file() or not has_gpu() or not NEEDS["x86-64-v3"] <= flags():
        return None
    try:
        ctypes.CDLL(str(path))
    except OSError:
        return None
    return path


def library_in(folder):
    """The path of the library in the package's folder; None where there is none. OSError where the processor lacks what all of them
    need."""
    plain = Path(folder) / NAME
    if plain.is_file():
        return plain
    on_gpus = with_gpu_code(folder)
    if on_gpus is not None:
        return on_gpus
    libraries = built_for(folder)
    has = flags()
    for arch, path in libraries.items():
        if NEEDS[arch] <= has:
            return path
    if libraries:
        least = list(libraries)[-1]
        raise OSError(f"{libraries[least]}: this processor lacks {', '.join(sorted(NEEDS[least] - has))}: need {least}; "
                      "built from source it runs on this machine")
    return None


def main(program):
    """`slipwave` or `slipwave-db`: the program in the library."""
    import os
    folder = Path(__file__).resolve().parent
    os.environ["PATH"] = f"{Path(sys.argv[0]).resolve().parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"  # slipwave-plot is there
    try:
        path = os.environ.get("SLIPWAVE_LIBRARY") or library_in(folder)
        if path is None:
            sys.exit(f"{program}: {folder} has no {NAME}: reinstall the package, or SLIPWAVE_LIBRARY=FILE")
        library = ctypes.CDLL(str(path))
    except OSError as error:
        sys.exit(f"{program}: the library cannot be used: {error}")
    words = [program, *sys.argv[1:]]
    argv = (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)
    sys.exit(getattr(library, f"sw_run_{program.replace('-', '_')}")(len(words), argv))
