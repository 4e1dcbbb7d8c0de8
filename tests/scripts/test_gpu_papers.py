"""scripts/dev/run-gpu-papers with programs that only print what they were asked: tables have their parts once each, what is
there is not run again, what fails is said and the rest goes on. The figures that read its tables: how rows become points.
Counted as CMocka's by scripts/dev/run-tests."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import counted

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "scripts" / "dev" / "run-gpu-papers"
KIRAN = ROOT / "scripts" / "papers" / "kiran-2023"
sys.dont_write_bytecode = True

# A table of one row, its arguments; a comment before it. With a file `wrong` beside it the L fails or hangs.
PROGRAM = """#!/bin/sh
echo "$@" >>"$(dirname "$0")/calls"
case $2-$(cat "$(dirname "$0")/wrong" 2>/dev/null) in
l_bracket*-fail) echo body,cells && exit 3 ;;
l_bracket*-hang) exec sleep 100 ;;
esac
echo comment
echo body,cells
echo "$2,$3"
"""
LIBRARIES = ("h5py", "matplotlib", "numpy")


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        self.bench = self.build / "bench"
        self.bench.mkdir()
        program = self.bench / "bench_fem"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)

    def start(self, *arguments):
        """(exit status, what was printed, calls of the program)"""
        calls = self.bench / "calls"
        calls.write_text("", encoding="utf-8")
        done = subprocess.run([RUN, self.build, "--small", "--only", "fem-products-plane", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout, calls.read_text(encoding="utf-8").splitlines()

    def table(self):
        path = self.bench / "trial" / "fem-products-plane.csv"
        return path.read_text(encoding="utf-8").splitlines()

    def test_a_table_has_its_parts_once(self):
        status, said, calls = self.start()
        self.assertEqual((status, len(calls)), (0, 4), said)
        first, head, *rows = self.table()
        self.assertRegex(first, r"^# .+, \d{4}-\d\d-\d\d")
        self.assertEqual(head, "body,cells")
        self.assertEqual(sorted(rows), ["box:unstructured,40", "box:unstructured,80", "l_bracket:unstructured,16",
                                        "l_bracket:unstructured,24"])

    def test_every_table_has_a_part_before_any_has_two(self):
        _, _, calls = self.start("--only", "fem-products-plane,fem-products-heat")
        self.assertEqual([call.split()[1] for call in calls],
                         ["box:unstructured", "plate_with_holes:unstructured", "l_bracket:unstructured",
                          "plate_with_holes:unstructured", "box:unstructured", "l_bracket:unstructured"])

    def test_trials_are_no_results(self):
        self.start()
        self.assertFalse((self.bench / "results").exists())

    def test_what_is_there_is_not_run_again(self):
        self.start()
        self.assertEqual(self.start()[2], [])
        next((self.bench / "trial" / "parts").glob("*/*_80_*")).unlink()
        status, _, calls = self.start()
        self.assertEqual((status, len(calls)), (0, 1))
        self.assertIn(" 80 8 0 ", calls[0])
        self.assertEqual(len(self.table()), 2 + 4)

    def test_what_fails_is_said_and_the_rest_goes_on(self):
        for wrong, limit in (("fail", "60"), ("hang", "1")):
            with self.subTest(wrong):
                (self.bench / "wrong").write_text(wrong, encoding="utf-8")
                status, said, _ = self.start("--limit", limit)
                self.assertEqual(status, 1)
                self.assertEqual(said.count("failed (exit status"), 2)
                self.assertEqual(len(self.table()), 2 + 2)
        (self.bench / "wrong").unlink()
        self.assertEqual(self.start()[0], 0)
        self.assertEqual(len(self.table()), 2 + 4)
        self.assertEqual(list((self.bench / "trial").rglob("*.tmp.*")), [])

    def test_nothing_begins_after_the_budget(self):
        status, said, calls = self.start("--budget", "0")
        self.assertEqual((status, calls), (1, []))
        self.assertIn("not begun after 0 s", said)

    def test_a_missing_program_is_named(self):
        (self.bench / "bench_fem").unlink()
        status, said, _ = self.start()
        self.assertEqual(status, 1)
        self.assertRegex(said, r"no program bench_fem: make .*/bench/bench_fem")

    def test_a_table_that_is_not_there_is_refused(self):
        status, said, _ = self.start("--only", "fem-nothing")
        self.assertEqual(status, 1)
        self.assertIn("no table fem-nothing", said)


@unittest.skipUnless(all(map(importlib.util.find_spec, LIBRARIES)), "no numpy, h5py or matplotlib")
class Figures(unittest.TestCase):
    def script(self, name):
        sys.path.insert(0, str(KIRAN))
        self.addCleanup(sys.path.remove, str(KIRAN))
        spec = importlib.util.spec_from_file_location("script", KIRAN / name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_ratios_are_of_the_same_plastic_part(self):
        script = self.script("fig-05-14-to-65.py")
        rows = [{"operator": operator, "storage": storage, "status": status, "plastic_percent": share, "wall_s": wall}
                for operator, storage, share, wall, status in
                [("nbn", "split", 30.0, 8.0, "ok"), ("nbn", "split", 10.0, 6.0, "ok"), ("dbd", "single", 10.0, 3.0, "ok"),
                 ("dbd", "single", 30.0, 2.0, "ok"), ("dbd", "single", 20.0, 1.0, "ok"),
                 ("nbn", "split", 20.0, 9.0, "no convergence")]]
        share, ratio = script.ratios(rows, ("nbn", "split"), ("dbd", "single"))
        self.assertEqual((list(share), list(ratio)), ([10, 30], [2, 4]))

    def test_analyses_are_told_apart_by_their_iterations(self):
        script = self.script("fig-05-62.py")
        rows = [{"newton": n} for n in (0, 0, 1, 1, 2, 2, 0, 0, 1, 1)]
        self.assertEqual([len(one) for one in script.analyses(rows)], [6, 4])

    def test_zones_are_of_the_finest_mesh_with_two_loads(self):
        script = self.script("fig-05-62.py")
        rows = [{"elements": elements, "newton": n} for elements, n in ((8, 0), (8, 1), (8, 0), (64, 0), (64, 1))]
        self.assertEqual([[row["elements"] for row in one] for one in script.of_finest(rows)], [[8, 8], [8]])
        self.assertEqual(len(script.of_finest(rows[3:])), 1)


if __name__ == "__main__":
    counted.main()
