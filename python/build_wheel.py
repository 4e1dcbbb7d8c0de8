"""What `pip install .` calls (PEP 517, 660): the shared library by `make`, then a wheel of it, the package and materials.

SLIPWAVE_MAKE: more arguments of make, as "NVCC= ARCH=x86-64-v3". Needs nothing but Python's own library.
"""

import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "slipwave"
TAG = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def metadata():
    """The text of METADATA."""
    about = project()
    extras = about["optional-dependencies"]
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}",
             f"Summary: {about['description']}", f"License: {about['license']}",
             f"Requires-Python: {about['requires-python']}", "Description-Content-Type: text/markdown",
             *(f"Requires-Dist: {one}" for one in about["dependencies"])]
    for extra, needs in extras.items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {one}; extra == '{extra}'" for one in needs)]
    return "\n".join(lines) + "\n\n" + (ROOT / "docs" / "guide" / "python.md").read_text(encoding="utf-8")


def make_library(to=None):
    """Build the shared library; copy it, without what only a debugger reads."""
    command = ["make", "-C", str(ROOT), "shared", *shlex.split(os.environ.get("SLIPWAVE_MAKE", ""))]
    if to is not None:
        command.append(f"TO={to}")
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    if subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode != 0:
        sys.exit("slipwave: the library was not made; scripts/bootstrap installs what is missing, `make info` lists it")
    if to is not None and shutil.which("strip"):
        subprocess.run(["strip", "--strip-debug", str(to)], check=True)


class Wheel:
    """A wheel on its way: files, then what lists them."""

    def __init__(self, folder):
        about = project()
        name = f"{about['name']}-{about['version']}"
        self.info, self.file = f"{name}.dist-info", f"{name}-{TAG}.whl"
        self.archive = zipfile.ZipFile(Path(folder) / self.file, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, content):
        entry = zipfile.ZipInfo(name)  # of 1980: the same sources, the same wheel
        entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def finish(self):
        self.add(f"{self.info}/METADATA", metadata().encode())
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: slipwave\nRoot-Is-Purelib: false\nTag: {TAG}\n"
                 .encode())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self.record.append(f"{self.info}/RECORD,,")
        self.archive.writestr(f"{self.info}/RECORD", "\n".join(self.record) + "\n")
        self.archive.close()
        return self.file


# ---- Hooks ----


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):  # pylint: disable=unused-argument
    about = project()
    folder = Path(metadata_directory) / f"{about['name']}-{about['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # pylint: disable=unused-argument
    wheel = Wheel(wheel_directory)
    for path in sorted(PACKAGE.glob("*.py")):
        wheel.add(f"slipwave/{path.name}", path.read_bytes())
    for folder in ("alloys", "materials"):
        for path in sorted((ROOT / "data" / folder).glob("*.yaml")):
            wheel.add(f"slipwave/data/{folder}/{path.name}", path.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "libslipwave.so"
        make_library(library)
        wheel.add(f"slipwave/{library.name}", library.read_bytes())
    return wheel.finish()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # pylint: disable=unused-argument
    """`pip install -e .`: the package in the source tree, and the library in its build folder."""
    make_library()
    wheel = Wheel(wheel_directory)
    wheel.add("slipwave.pth", f"{ROOT / 'python'}\n".encode())
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the sources are the repository: `pip install .` in it, or `pip wheel .`")
