"""slipwave-remesh: a cylinder that is upset without friction goes on as if nothing had been, and what is refused."""

import ctypes.util
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import h5py
    import numpy  # noqa: F401: of the script
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): no {missing.name}")
    sys.exit()

import counted

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SW_BIN", ROOT / "build")).resolve()
RADIUS, HEIGHT = 10.0, 15.0

# 4 by 6 rings, and a plate of one ring above.
NODES = "\n".join(f"{5 * j + i + 1}, {2.5 * i}, {2.5 * j}" for j in range(7) for i in range(5))
ELEMENTS = "\n".join(f"{4 * j + i + 1}, {5 * j + i + 1}, {5 * j + i + 2}, {5 * j + i + 7}, {5 * j + i + 6}"
                     for j in range(6) for i in range(4))
DECK = f"""*NODE
{NODES}
36, -1, 15
37, 40, 15
38, 40, 20
39, -1, 20
*ELEMENT, TYPE=CAX4, ELSET=BODY
{ELEMENTS}
*ELEMENT, TYPE=CAX4, ELSET=PLATE
25, 36, 37, 38, 39
*NSET, NSET=AXIS, GENERATE
1, 31, 5
*NSET, NSET=FOOT, GENERATE
1, 5
*NSET, NSET=PLATE, GENERATE
36, 39
*ELSET, ELSET=TOP, GENERATE
21, 24
*ELSET, ELSET=SIDE, GENERATE
4, 24, 4
*SURFACE, NAME=SKIN
TOP, S3
SIDE, S2
*SURFACE, NAME=PLATES
PLATE, S1
*MATERIAL, NAME=STEEL
*ELASTIC
200000., .3
*PLASTIC
300., 0.
600., 1.
*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
*SURFACE INTERACTION, NAME=DRY
*CONTACT PAIR, INTERACTION=DRY
SKIN, PLATES
"""
STEP = """*STEP, NLGEOM, INC=100
*STATIC
.2, 1.
*BOUNDARY
AXIS, 1
FOOT, 2
PLATE, 1
PLATE, 2, 2, {}
*NODE PRINT, NSET=PLATE, TOTALS=ONLY
RF
*NODE FILE
U, S
*END STEP
"""


class Remeshed(unittest.TestCase):
    def setUp(self):
        self.here = tempfile.TemporaryDirectory()
        self.addCleanup(self.here.cleanup)
        self.folder = Path(self.here.name)

    def start(self, *words):
        return subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True)

    def force(self, name):
        done = self.start(BUILD / "slipwave", "fem", "-q", "--dialect", "abaqus", f"{name}.inp")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.folder / f"{name}.h5") as file:
            return file["prints/0001/value"][-1, 0, 2]

    def remesh(self, *more):
        return self.start(sys.executable, ROOT / "scripts/slipwave-remesh", "a.inp", "a.h5", "--size", "1.7", "--steps", "steps.inp",
                          "-o", "b.inp", *more)

    @unittest.skipUnless(ctypes.util.find_library("gmsh"), "no libgmsh")
    def test_a_cylinder_goes_on(self):
        """Stress and plastic strain are the same everywhere, so nothing is lost by the transfer but digits; of what is
        expected the elastic part of the strain is 300 / E = 1.5e-3, of the volume (1 - 2 nu) s / E = 0.7e-3, and contact at
        the rim takes as much again."""
        (self.folder / "a.inp").write_text(DECK + STEP.format(-3))
        (self.folder / "steps.inp").write_text(STEP.format(-3))
        for name, height in (("a", 12), ("b", 9)):
            if name == "b":
                done = self.remesh("--body", "body")
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                self.assertRegex(lines[0], r"^volume [+-]0\.00[01] %$")
                self.assertRegex(lines[1], r"^mean plastic strain [+-]0\.00\d %$")
                self.assertRegex(lines[2], r"stress off by 0\.0\d %, plastic strain by 0\.00 %")
            strain = math.log(HEIGHT / height)
            expected = -(300 + 300 * strain) * math.pi * RADIUS ** 2 * HEIGHT / height
            self.assertLess(abs(self.force(name) / expected - 1), 6e-3, name)

    def test_what_is_no_plane_body_is_refused(self):
        (self.folder / "a.inp").write_text(DECK + STEP.format(-3))
        (self.folder / "steps.inp").write_text("")
        done = self.remesh("--body", "NONE")
        self.assertEqual((done.returncode, done.stderr[:32]), (1, "slipwave-remesh: NONE: need a se"))
        self.assertFalse((self.folder / "b.inp").exists())


if __name__ == "__main__":
    counted.main()
