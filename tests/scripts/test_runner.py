"""scripts/dev/run-tests, by programs that pass, fail, crash, hang and wait for each other."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True

import counted  # noqa: E402

PASSES = "echo '[  PASSED  ] 2 test(s).'"


class Runner(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "tmp").mkdir()

    def programs(self, **scripts):
        paths = []
        for name, text in scripts.items():
            path = self.folder / name
            path.write_text(f"#!/bin/sh\ncd {self.folder}\n{text}\n")
            path.chmod(0o755)
            paths.append(str(path))
        return paths

    def start(self, programs, **settings):
        environment = {**os.environ, "SW_BIN": str(self.folder), "TMPDIR": str(self.folder / "tmp"), **settings}
        return subprocess.Popen([str(ROOT / "scripts/dev/run-tests"), *programs], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_all(self, programs, **settings):
        process = self.start(programs, **settings)
        output = process.communicate()[0]
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], output)  # nothing is left behind
        return process.returncode, output

    def test_sums(self):
        status, output = self.run_all(self.programs(
            a=PASSES, b="echo '[  PASSED  ] 1 test(s).'; echo '[  SKIPPED ] 3 test(s).'"))
        self.assertEqual(status, 0, output)
        self.assertTrue(output.endswith("skipped tests: 3\n3 passed, 0 failed\n"), output)

    def test_failures_and_crashes_are_named(self):
        status, output = self.run_all(self.programs(
            good=PASSES, two="echo '[  PASSED  ] 1 test(s).'; echo '[  FAILED  ] 2 test(s), listed below:'; exit 2",
            crash="kill -SEGV $$"))
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"failed: \S*/two \(exit status 2\)\n")
        self.assertRegex(output, r"failed: \S*/crash \(exit status 139\)\n")
        self.assertTrue(output.endswith("3 passed, 3 failed\n"), output)
        kept = (self.folder / "failed-tests.log").read_text()
        self.assertEqual(sorted(re.findall(r"-- \S*/(\w+) \(exit", kept)), ["crash", "two"], kept)

    def test_many_short_ones_are_all_counted(self):
        status, output = self.run_all(self.programs(**{f"p{i}": PASSES for i in range(60)}), SW_JOBS="7")
        self.assertEqual((status, output[-22:]), (0, "\n120 passed, 0 failed\n"), output)

    def test_side_by_side_and_whole(self):
        """Each waits for the other; their lines are not mixed."""
        wait = "touch {0}; echo {0} 1; until test -e {1}; do sleep 0.01; done; echo {0} 2; " + PASSES
        status, output = self.run_all(self.programs(left=wait.format("l", "r"), right=wait.format("r", "l")), SW_JOBS="2",
                                      SW_TIME_LIMIT="60")
        self.assertEqual(status, 0, output)
        for name, letter in (("left", "l"), ("right", "r")):
            self.assertRegex(output, rf"-- \S*/{name} \(\d+ s\)\n{letter} 1\n{letter} 2\n\[  PASSED  \] 2 test\(s\)\.\n")

    def test_one_that_hangs_is_stopped_with_all_it_started(self):
        status, output = self.run_all(self.programs(
            hangs=f"echo before; (sleep 600; touch {self.folder}/late) & echo $! >child; wait", good=PASSES),
            SW_TIME_LIMIT="1")
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"-- \S*/hangs \(\d+ s\)\nbefore\n")
        self.assertRegex(output, r"failed: \S*/hangs \(stopped after 1 s\)\n2 passed, 1 failed\n$")
        self.assert_ends(int((self.folder / "child").read_text()))

    def assert_ends(self, process):
        for _ in range(1000):
            try:
                os.kill(process, 0)
                if re.search(r"\) Z ", Path(f"/proc/{process}/stat").read_text()):
                    return
            except (ProcessLookupError, FileNotFoundError):
                return
            time.sleep(0.01)
        self.fail(f"process {process} goes on")

    def test_interrupt_stops_all(self):
        process = self.start(self.programs(a="echo $$ >a.id.new; mv a.id.new a.id; exec sleep 600",
                                           b="echo $$ >b.id.new; mv b.id.new b.id; exec sleep 600",
                                           c="touch c.id"), SW_JOBS="2")
        ids = [self.folder / "a.id", self.folder / "b.id"]
        while not all(path.exists() for path in ids):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        for path in ids:
            self.assert_ends(int(path.read_text()))
        self.assertFalse((self.folder / "c.id").exists())
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_programs_heed_interrupts_and_have_folders_of_their_own(self):
        """What runs in a shell's background would ignore SIGINT."""
        own = "echo $TMPDIR >>folders; touch $TMPDIR/here; test $OMP_NUM_THREADS -ge 2 || exit 1; "
        status, output = self.run_all(self.programs(
            a=own + "sh -c 'kill -INT $$; exit 0'; test $? = 130 && " + PASSES, b=own + PASSES), SW_JOBS="1",
            OMP_NUM_THREADS="")
        self.assertEqual(status, 0, output)
        self.assertEqual(len(set((self.folder / "folders").read_text().split())), 2)


if __name__ == "__main__":
    counted.main()
