"""What the tests of the package need: where it and the programs are, skips, runs of the programs."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("SW_BIN", ROOT / "build")).resolve()
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "scripts")]
sys.dont_write_bytecode = True


def skip(reason):
    print(f"[  SKIPPED ] 1 test(s): {reason}")
    sys.exit(0)


def need(*modules):
    """End, skipped, without these, or without a library that Python can load."""
    for module in modules:
        try:
            __import__(module)
        except ImportError:
            skip(f"{module} is missing from {sys.executable}")
    path = Path(os.environ.get("SLIPWAVE_LIBRARY", BIN / "libslipwave.so"))
    if not path.is_file():
        skip(f"{path} is missing")
    if b"__asan_init" in path.read_bytes():
        skip(f"{path} is for programs with sanitizers only")


def run(program, *arguments, folder):
    """A program of the build, or a script; what it printed. CalledProcessError with its complaint."""
    path = BIN / program if not Path(program).is_absolute() else Path(program)
    command = ([sys.executable] if path.is_relative_to(ROOT / "scripts") else []) + [path, *arguments]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "SLIPWAVE": str(BIN / "slipwave")})
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout
