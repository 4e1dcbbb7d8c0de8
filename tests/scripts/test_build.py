"""What `make` builds, and what it asks the machine."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("SW_BIN", ROOT / "build"))
sys.dont_write_bytecode = True

sys.path.insert(0, str(ROOT / "scripts" / "dev"))
import check_layers  # noqa: E402
import counted  # noqa: E402

PROBE = """#!/bin/sh
echo "$0 $*" >>"{log}"
for argument in "$@"; do
    test "$argument" != "{missing}" || exit 1
done
PATH="{path}" exec {name} "$@"
"""


def read_elf(*arguments):
    return subprocess.run(["readelf", "-W", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    """Programs and library; fails for `make HARDEN=`."""

    def setUp(self):
        if shutil.which("readelf") is None:
            self.skipTest("no readelf")
        self.files = [BIN / "slipwave", BIN / "slipwave-db", (BIN / "libslipwave.so").resolve()]
        if "__asan_init" in read_elf("--dyn-syms", self.files[0]):
            self.skipTest("sanitizers check instead")

    def test_tables_of_functions_cannot_be_written(self):
        for file in self.files:
            self.assertTrue(re.search(r"\bBIND_NOW\b|\bFlags: .*\bNOW\b", read_elf("--dynamic", file)), file.name)
            self.assertIn("GNU_RELRO", read_elf("--segments", file), file.name)

    def test_return_addresses_and_copies_are_checked(self):
        for file in self.files:
            needed = set(re.findall(r"\bUND (__\w+)", read_elf("--dyn-syms", file)))
            missing = {"__stack_chk_fail", "__snprintf_chk", "__memcpy_chk"} - needed
            self.assertEqual(missing, set(), file.name)

    def test_programs_lie_anywhere_and_stacks_hold_no_code(self):
        for file in self.files:
            self.assertRegex(read_elf("--file-header", file), r"Type:\s+DYN", file.name)
            self.assertRegex(read_elf("--segments", file), r"GNU_STACK.* RW ", file.name)


class Soname(unittest.TestCase):
    def test_it_is_the_version_without_its_last_number(self):
        """What a host program asks for, and what leads there."""
        if shutil.which("readelf") is None:
            self.skipTest("no readelf")
        version = re.search(r'^version = "(\d+\.\d+)(\.\d+)"', (ROOT / "pyproject.toml").read_text(), re.M)
        name = f"libslipwave.so.{version[1]}"
        self.assertIn(f"Library soname: [{name}]", read_elf("--dynamic", BIN / "libslipwave.so"))
        for link in "libslipwave.so", "libSLIPWAVE.so", name:
            self.assertEqual((BIN / link).resolve().name, name + version[2])


class Papers(unittest.TestCase):
    def test_make_leaves_out_the_folders_that_the_layout_calls_papers(self):
        named = re.search(r"^papers\s*:=(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
        self.assertEqual(set(named.split()), check_layers.papers())


class Lengths(unittest.TestCase):
    def test_files_fit_a_readers_head(self):
        self.assertEqual(list(check_layers.check_lengths()), [])
        with mock.patch.object(check_layers, "MOST_LINES", 100):
            long = " ".join(check_layers.check_lengths())
        for path in "common/job/job.h", "tests/scripts/test_build.py", "scripts/slipwave-calibrate":
            self.assertIn(f"{path}: ", long)


class Probes(unittest.TestCase):
    """Counted by a pkg-config that says which it was asked for, and lacks one package."""

    def setUp(self):
        for tool in "make", "pkg-config":
            if shutil.which(tool) is None:
                self.skipTest(f"no {tool}")
        if subprocess.run(["pkg-config", "--exists", "hdf5"], check=False).returncode != 0:
            self.skipTest("no hdf5 for pkg-config")
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = self.folder / "log"
        self.build = self.folder / "build"
        (self.folder / "bin").mkdir()
        self.lack("nothing")

    def lack(self, package):
        stub = self.folder / "bin" / "pkg-config"
        stub.write_text(PROBE.format(log=self.log, missing=package, path=os.environ["PATH"], name="pkg-config"))
        stub.chmod(0o755)

    def make(self, *arguments, fails=False, **settings):
        """What is printed, and how often something was asked for."""
        self.log.write_text("")
        inherited = {k: v for k, v in os.environ.items() if not re.match(r"MAKE|MFLAGS|SW_|GNUMAKE", k)}
        for name in ("PYTHON", "CC", "BUILD", "NVCC", "MPI", "HDF5", "LAPACK", "PREFIX", "DESTDIR"):
            inherited.pop(name, None)
        inherited["PATH"] = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        run = subprocess.run(["make", "-C", str(ROOT), f"BUILD={self.build}", *arguments], check=False,
                             capture_output=True, text=True, env={**inherited, **settings})
        self.assertEqual(run.returncode != 0, fails, run.stdout + run.stderr)
        return run.stdout, len(self.log.read_text().splitlines())

    def config(self):
        return dict(re.findall(r"^ ?(\w+) [?:]= ?(.*?) ?$", (self.build / "config.mk").read_text(), re.M))

    def flags(self, *arguments, **settings):
        """The line that compiles a file, from a make that another one starts; and how often was asked."""
        output, asked = self.make("-n", "NVCC=", "programs", *arguments, **settings)
        return next(line for line in output.splitlines() if " -c common/system/status.c " in line), asked

    def test_asked_once(self):
        self.assertGreater(self.flags()[1], 3)
        self.assertEqual(self.flags()[1], 0)
        self.assertEqual(self.make("-n", "NVCC=", "all")[1], 0)

    def test_makes_below_do_not_ask(self):
        output, asked = self.make("-n", "NVCC=", "all")  # programs, in another make
        self.assertIn(" -c common/system/status.c ", output)
        again = self.make("-n", "NVCC=", "info")[1]
        self.assertLess(asked, 1.5 * again)  # `info` has some questions of its own

    def test_what_is_given_counts(self):
        with_lapack = self.flags("LAPACK=lapack")[0]
        without, asked = self.flags("LAPACK=")
        self.assertIn("-DSW_HAVE_LAPACK", with_lapack)
        self.assertNotIn("-DSW_HAVE_LAPACK", without)
        self.assertGreater(asked, 0)
        self.assertNotIn("-DSW_HAVE_LAPACK", self.flags(LAPACK="")[0])
        self.assertEqual(self.config()["LAPACK"], "")
        found = subprocess.run(["pkg-config", "--exists", "lapack"], check=False).returncode == 0
        self.assertEqual("-DSW_HAVE_LAPACK" in self.flags()[0], found)  # left out once, not for ever

    def test_a_flavour_of_hdf5_can_be_named(self):
        name = "hdf5-openmpi"
        if subprocess.run(["pkg-config", "--exists", name], check=False).returncode != 0:
            self.skipTest(f"no {name}")
        wanted = subprocess.run(["pkg-config", "--cflags-only-I", name], check=True, capture_output=True, text=True).stdout
        self.assertIn(wanted.split()[0], self.flags(f"HDF5={name}")[0])
        self.assertEqual(self.config()["HDF5"], name)

    def test_what_is_installed_is_found_by_the_next(self):
        self.lack("ompi-c")
        self.assertNotIn("-DSW_HAVE_MPI", self.flags()[0])
        self.lack("nothing")
        self.assertNotIn("-DSW_HAVE_MPI", self.flags()[0])  # nothing says that packages have changed
        os.utime(self.build / "config.mk", (0, 0))  # older than the list of packages, and the Makefile
        found = subprocess.run(["pkg-config", "--exists", "ompi-c"], check=False).returncode == 0
        self.assertEqual("-DSW_HAVE_MPI" in self.flags()[0], found)

    def test_info_looks_again(self):
        self.flags()
        self.assertGreater(self.make("info", "NVCC=")[1], 3)

    def test_a_makefile_below_keeps_what_was_found(self):
        """Packages change after the first make has looked."""
        self.flags()
        os.utime(self.build / "config.mk", (0, 0))
        self.lack("hdf5")
        line, asked = self.flags(SW_CONFIG=str(self.build / "config.mk"))  # as the first make tells it
        self.assertEqual(asked, 0)
        self.assertIn("hdf5", line)

    def test_clang_has_nothing_to_say(self):
        """Of files with bounds of whole numbers, types and constants of HDF5, structures."""
        if shutil.which("clang") is None:
            self.skipTest("no clang")
        line = self.flags("CC=clang", "MPI=")[0].split(" -MMD ")[0]
        for file in "offline/commands.c", "online/export/export.c", "common/files/hdf5_io.c", "online/fem/stored/stored_cpu.c":
            run = subprocess.run(f"{line} -Werror -fsyntax-only {file}", shell=True, cwd=ROOT, check=False, capture_output=True,
                                 text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""), file)

    def test_goals_that_need_nothing_ask_nothing(self):
        self.assertEqual(self.make("help")[1], 0)
        self.assertFalse(self.build.exists())


if __name__ == "__main__":
    counted.main()
