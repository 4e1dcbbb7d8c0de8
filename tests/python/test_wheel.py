"""The wheel that `pip install .` makes, unpacked, and what the documents do with the package."""

import base64
import hashlib
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import package

package.need("numpy")

import build_wheel  # noqa: E402
import counted  # noqa: E402


def blocks(path):
    """[(Python, what it is said to print)] of a document."""
    text = (package.ROOT / path).read_text(encoding="utf-8")
    return [(code, re.sub(r"^    ", "", printed, flags=re.M))
            for code, printed in re.findall(r"```python\n(.*?)```\n\n?((?:    [^\n]*\n)*)", text, re.S)]


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        with mock.patch.object(build_wheel, "make_library", lambda to, *_: shutil.copy(package.BIN / "libslipwave.so", to)):
            cls.wheel = cls.folder / build_wheel.build_wheel(cls.folder)
        with zipfile.ZipFile(cls.wheel) as archive:
            archive.extractall(cls.folder / "site")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def need(self, *modules):
        for module in modules:
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is missing from {sys.executable}")

    def python(self, code, *arguments):
        """What it prints, with the unpacked wheel and nothing of the source tree."""
        kept = {name: value for name, value in os.environ.items() if name not in ("SW_BIN", "SLIPWAVE_LIBRARY")}
        done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=self.folder, capture_output=True, text=True,
                              check=False, env={**kept, "PYTHONPATH": str(self.folder / "site"), "MPLBACKEND": "Agg"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), code)
        return done.stdout

    def test_what_is_in_it(self):
        self.assertRegex(self.wheel.name, r"^slipwave-[0-9.]+-py3-none-linux_\w+\.whl$")
        info = next((self.folder / "site").glob("slipwave-*.dist-info"))
        listed = [line.rsplit(",", 2) for line in (info / "RECORD").read_text().splitlines()]
        self.assertEqual({name for name, _, _ in listed}, {str(path.relative_to(self.folder / "site")) for path in (
            self.folder / "site").rglob("*") if path.is_file() and "__pycache__" not in path.parts})
        for name, digest, size in listed:
            content = (self.folder / "site" / name).read_bytes()
            own = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            if not name.endswith("RECORD"):
                self.assertEqual((digest, int(size)), (f"sha256={own}", len(content)), name)
        about = (info / "METADATA").read_text(encoding="utf-8").split("\n\n")[0]
        needs = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*(;.*)?$", about, re.M)
        self.assertEqual([name for name, extra in needs if not extra], ["numpy"])
        self.assertEqual({"h5py", "matplotlib"}, {name for name, extra in needs if "plot" in extra})

    def test_it_needs_numpy_alone(self):
        """And its own library: with what else would be imported shut out."""
        self.python("import sys\nfor name in ('h5py', 'matplotlib', 'scipy'): sys.modules[name] = None\n"
                    "import slipwave\nfrom slipwave.library import HERE, library\n"
                    "assert library()._name == str(HERE / 'libslipwave.so'), library()._name\n"
                    "copper = slipwave.Material(slipwave.data('materials/copper-ofhc.yaml'))\n"
                    "assert slipwave.random_crystals(3, copper).shape == (3, 4)\n")

    def command(self, name, *arguments, **options):
        """A command of the wheel, as pip would start it."""
        script, = self.folder.glob(f"site/slipwave-*.data/scripts/{name}")
        kept = {name: value for name, value in os.environ.items() if name not in ("SW_BIN", "SLIPWAVE_LIBRARY", "SLIPWAVE_DATA")}
        return subprocess.run([sys.executable, script, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**kept, "PYTHONPATH": str(self.folder / "site"), "MPLBACKEND": "Agg"}, **options)

    def test_commands(self):
        """Of the library, without numpy; and the scripts, whose modules are in the package."""
        self.assertEqual(self.command("slipwave", "--version").stdout, "slipwave 0.1.0\n")
        self.assertEqual(self.command("slipwave-db", "--version").stdout, "slipwave-db 0.1.0\n")
        wrong = self.command("slipwave", "tailor")
        self.assertEqual((wrong.returncode, wrong.stderr),
                         (1, "slipwave: unknown command 'tailor': did you mean 'taylor'?\n"))
        begun = self.command("slipwave", "init", "taylor", "-o", "begun.yaml")  # from the package's data
        self.assertEqual((begun.returncode, begun.stderr), (0, ""))
        ran = self.command("slipwave", "taylor", "-q", "begun.yaml", "-o", "begun.h5", "--count", "10")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue((self.folder / "begun.h5").is_file())
        self.need("matplotlib", "h5py")
        shown = self.command("slipwave-plot", "stress-strain", "begun.h5", "-o", "begun.png")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertTrue((self.folder / "begun.png").read_bytes().startswith(b"\x89PNG"))
        for words in (["slipwave-plot", "begun.h5", "-o", "all/"], ["slipwave-report", "begun.h5", "-o", "begun.html"]):
            shown = self.command(*words)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), words)
        self.assertIn(b"begun.h5", (self.folder / "begun.html").read_bytes())

    def test_commands_are_executable_where_pip_puts_them(self):
        """Which it does for regular files only, whatever their permissions."""
        with zipfile.ZipFile(self.wheel) as archive:
            modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        scripts = [name for name in modes if ".data/scripts/" in name]
        self.assertEqual({name.rsplit("/", 1)[1] for name in scripts},
                         {"slipwave", "slipwave-db", *(path.name for path in (package.ROOT / "scripts").glob("slipwave-*"))})
        for name in scripts:
            self.assertTrue(stat.S_ISREG(modes[name]) and modes[name] & 0o111 == 0o111, name)

    def test_which_library(self):
        """The best that the processor can run; none where it can run none, with what it lacks."""
        from slipwave import which
        folder = self.folder / "several"
        folder.mkdir()
        self.assertIsNone(which.library_in(folder))
        for arch in which.NEEDS:
            (folder / f"libslipwave-{arch}.so").write_bytes(b"")
        for has, best in ((which.NEEDS["x86-64-v3"], "x86-64-v3"), (which.NEEDS["x86-64-v3"] | which.NEEDS["x86-64-v4"], "x86-64-v4")):
            with mock.patch.object(which, "flags", lambda has=has: has):
                self.assertEqual(which.library_in(folder).name, f"libslipwave-{best}.so")
        with mock.patch.object(which, "flags", lambda: {"fma"}), self.assertRaisesRegex(OSError, "lacks avx2, bmi1.*need x86-64-v3"):
            which.library_in(folder)
        # Of GPUs: where there is one, and the library can be loaded, which an empty file cannot.
        (folder / "libslipwave-cuda.so").write_bytes(b"")
        with mock.patch.object(which, "has_gpu", lambda: True), mock.patch.object(which, "flags", lambda: which.NEEDS["x86-64-v3"]):
            self.assertEqual(which.library_in(folder).name, "libslipwave-x86-64-v3.so")
            shutil.copy(package.BIN / "libslipwave.so", folder / "libslipwave-cuda.so")
            self.assertEqual(which.library_in(folder).name, "libslipwave-cuda.so")
        with mock.patch.object(which, "has_gpu", lambda: False), mock.patch.object(which, "flags", lambda: which.NEEDS["x86-64-v3"]):
            self.assertEqual(which.library_in(folder).name, "libslipwave-x86-64-v3.so")
        (folder / "libslipwave.so").write_bytes(b"")
        self.assertEqual(which.library_in(folder).name, "libslipwave.so")

    def test_documents(self):
        self.need("matplotlib")
        readme, = blocks("README.md")
        self.assertEqual(readme[0], blocks("docs/guide/python.md")[0][0])
        self.assertLessEqual(len([line for line in readme[0].splitlines() if line.strip()]), 10)
        for code, printed in blocks("docs/guide/python.md") + blocks("docs/details/python.md"):
            found = self.python(code)
            if printed:
                self.assertEqual(found, printed)
        for name in ("poles.png", "tension.png"):
            self.assertTrue((self.folder / name).read_bytes().startswith(b"\x89PNG"), name)

    def test_fit(self):
        """Of few crystals, whose parameters are others, but whose curve goes through the points, too."""
        self.need("matplotlib", "scipy")
        code = (package.ROOT / "examples/fit_curve.py").read_text(encoding="utf-8")
        self.assertIn("random_crystals(1000, start)", code)
        printed = self.python(code.replace("random_crystals(1000, start)", "random_crystals(50, start)"), "fit.svg")
        self.assertLess(float(re.search(r"largest misfit ([0-9.]+) MPa", printed)[1]), 1)  # of points read off a figure
        self.assertTrue((self.folder / "fit.svg").is_file())


if __name__ == "__main__":
    counted.main()
