"""Examples for CalculiX do not end well where it cannot load the library. Counted as CMocka's by scripts/dev/run-tests."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import counted  # noqa: E402

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("calculix-*.inp"))


def data_of(text, keyword):
    """Fields of the data lines of a keyword, of all its blocks."""
    blocks = re.findall(rf"^\*{keyword}(?:,[^\n]*)?\n((?:[^*\n][^\n]*\n)+)", text, re.MULTILINE)
    return [[field.strip() for field in line.split(",")] for block in blocks for line in block.splitlines()]


def free_unknowns(text):
    """Displacements that nothing prescribes and no equation gives."""
    nodes = {line[0] for line in data_of(text, "NODE")}
    sets = {name: fields.replace("\n", ",").split(",") for name, fields in
            re.findall(r"^\*NSET, NSET=(\w+)\n((?:[^*\n][^\n]*\n)+)", text, re.MULTILINE)}
    free = {(node, i) for node in nodes for i in (1, 2, 3)}
    for line in data_of(text, "BOUNDARY"):
        for node in sets.get(line[0], [line[0]]):
            free -= {(node.strip(), i) for i in range(int(line[1]), int(line[2]) + 1)}
    return free - {(line[0], int(line[1])) for line in data_of(text, "EQUATION") if len(line) == 6}


class CalculiX(unittest.TestCase):
    def test_a_material_without_stiffness_cannot_hold_them(self):
        self.assertEqual(len(EXAMPLES), 2)
        for path in EXAMPLES:
            self.assertGreater(len(free_unknowns(path.read_text(encoding="utf-8"))), 0, path.name)

    def test_the_installed_one_does_not_say_that_it_finished(self):
        ccx = shutil.which("ccx")
        if ccx is None:
            self.skipTest("no ccx")
        for path in EXAMPLES:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(path, folder)
                done = subprocess.run([ccx, path.stem], cwd=folder, capture_output=True, text=True, check=False,
                                      env={"SLIPWAVE_MATERIALS": "/nowhere"})
                self.assertFalse("Job finished" in done.stdout, path.name)
                self.assertNotEqual(done.returncode, 0, path.name)


if __name__ == "__main__":
    counted.main()
