"""A sample of `make test-faults`: a few points of every command. Counted as CMocka's by scripts/dev/run-tests."""

import concurrent.futures
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "scripts")]
sys.dont_write_bytecode = True
os.environ["BUILD"] = os.environ.get("SW_BIN", "build")

import counted  # noqa: E402
import faults  # noqa: E402

POINTS = 5  # of each: the first and the last, and three between


def can_watch():
    """Some containers forbid it."""
    return subprocess.run([faults.at_write(), "count", "0", "true"], capture_output=True).returncode == 0


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.inputs = tempfile.mkdtemp(prefix="slipwave-fault-")
        faults.make_inputs(cls.inputs)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.inputs)

    def try_all(self, fault, least=POINTS):
        said = io.StringIO()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
            for name in ("generate", "validate", "taylor-long", "sweep", "fem", "kwn", "kwn-points", "dem-long"):
                tried, wrong = faults.try_all(faults.Subject(name, self.inputs), fault, POINTS, workers, said)
                self.assertGreaterEqual(tried, least, name)
                self.assertEqual(sum(wrong.values()), 0, said.getvalue())

    def test_allocations_that_fail(self):
        self.try_all("memory")

    def test_kills(self):
        if not can_watch():
            self.skipTest("programs cannot be watched here (ptrace)")
        self.try_all("kill")

    def test_full_disks(self):
        if not can_watch():
            self.skipTest("programs cannot be watched here (ptrace)")
        self.try_all("full")

    def test_disks_that_fail(self):
        if not can_watch():
            self.skipTest("programs cannot be watched here (ptrace)")
        self.try_all("disk", least=3)


if __name__ == "__main__":
    counted.main()
