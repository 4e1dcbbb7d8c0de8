"""All calls of HDF5 go through common/files/hdf5_door.h, where one thread at a time passes; so do plans of FFTW through
common/math/transform.h."""
import re
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import counted  # noqa: E402

ROOT = HERE.parents[1]
DOOR = ROOT / "common/files/hdf5_door.h"
INSIDE = [ROOT / "common/files/memory" / f"hdf5_image.{end}" for end in "ch"]  # whose functions are called as HDF5's own


def code(path):
    """A file without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)


class Door(unittest.TestCase):
    def setUp(self):
        self.listed = set(re.findall(r"#define (H5\w+)\(\.\.\.\) (?:\(\(void\))?SW_H5\(\1\(__VA_ARGS__\)\)", DOOR.read_text()))
        self.files = [path for top in ("common", "offline", "online") for path in (ROOT / top).rglob("*")
                      if path.suffix in (".c", ".h", ".cu", ".cuh") and path not in (DOOR, *INSIDE)]

    def test_nobody_else_includes_the_library(self):
        self.assertEqual([str(path) for path in self.files if re.search(r"#\s*include\s*<hdf5", code(path))], [])

    def test_each_function_called_is_in_the_list(self):
        for path in self.files:
            called = set(re.findall(r"(?<!SW_H5\()\b(H5[A-Z]+[a-z]\w*)\s*\(", code(path)))
            self.assertEqual(called - self.listed, set(), path)

    def test_what_is_inside_is_called_through_it(self):
        inside = re.findall(r"\b(sw_h5_image\w+)\(", INSIDE[1].read_text())
        self.assertGreater(len(inside), 2)
        for path in self.files:
            self.assertEqual(re.findall(r"(?<!SW_H5\()\b(?:" + "|".join(inside) + r")\(", code(path)), [], path)

    def test_transforms_are_planned_in_one_place(self):
        planning = [path for path in self.files if re.search(r"\bfftwf?_(?:plan_dft|destroy_plan|import|cleanup)", code(path))]
        self.assertEqual(planning, [ROOT / "common/math/transform.c"])

    def test_there_are_some(self):
        self.assertIn("H5Dread", self.listed)
        self.assertIn("H5open", self.listed)  # which names of types call
        self.assertGreater(len(self.files), 100)


if __name__ == "__main__":
    counted.main()
