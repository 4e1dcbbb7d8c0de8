"""Results are the same bits with any number of threads, and from run to run. Counted as CMocka's by scripts/dev/run-tests."""

import os
import shutil
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

# Bodies that are divided between threads.
LARGER = {"fem": ("cells: [2, 2, 2]", "cells: [7, 6, 5]"), "taylor": ("count: 5", "count: 3000"),
          "forming": ("count: 130", "count: 300")}


class SameBits(unittest.TestCase):
    def test_any_number_of_threads(self):
        inputs = tempfile.mkdtemp(prefix="slipwave-bits-")
        try:
            faults.make_inputs(inputs)
            for name in ("generate", "validate", "certify", "taylor", "taylor-long", "sweep", "fem", "kwn", "kwn-points", "kwn-map", "forming", "dem"):
                with self.subTest(name):
                    self.compare(name, inputs)
        finally:
            shutil.rmtree(inputs)

    def compare(self, name, inputs):
        run = faults.RUNS[name]
        if name in LARGER:
            self.assertIn(LARGER[name][0], run.job)
            run = run._replace(job=run.job.replace(*LARGER[name]))
        first = None
        for threads in ("1", "2", "3"):
            arguments = list(run.arguments)
            arguments[arguments.index("-j") + 1] = threads
            folder = faults.make_folder(run._replace(arguments=arguments), inputs)
            done = faults.call(run._replace(arguments=arguments), folder, OMP_NUM_THREADS="3", OMP_WAIT_POLICY="passive")
            self.assertEqual(done.returncode, 0, done.stderr)
            if first is None:
                first = {result: faults.read_sets(os.path.join(folder, result)) for result in run.results}
            else:
                self.assertIsNone(faults.difference(run, folder, first), "%s threads" % threads)
            shutil.rmtree(folder)


if __name__ == "__main__":
    counted.main()
