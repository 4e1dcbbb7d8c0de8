"""What all Python commands share: readers that leave, files that never end. Counted as CMocka's by scripts/dev/run-tests.

Skipped where numpy, h5py or matplotlib is missing."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)

import counted  # noqa: E402

HELP = [["slipwave-plot", "--help"], ["slipwave-plot", "texture", "--help"], ["slipwave-plot", "bench", "--help"],
        ["slipwave-report", "--help"], ["slipwave-compare", "--help"], ["slipwave-calibrate", "--help"], ["slipwave-remesh", "--help"], ["papers/malahe-2018/fig-07-and-08.py", "--help"]]
READERS = [["slipwave-plot", "stress-strain", "FIFO", "-o", "o.png"], ["slipwave-plot", "texture", "FIFO", "-o", "o.png"],
           ["slipwave-plot", "fem", "FIFO", "-o", "o.png"], ["slipwave-plot", "kwn", "FIFO", "-o", "o.png"],
           ["slipwave-plot", "dem", "FIFO", "-o", "o.png"], ["slipwave-plot", "forming", "FIFO", "-o", "o.png"],
           ["slipwave-plot", "sweep", "FIFO", "-o", "o.png"], ["slipwave-plot", "bench", "FIFO", "-o", "o"],
           ["slipwave-plot", "./FIFO", "-o", "o.png"], ["slipwave-report", "FIFO", "-o", "o.html"],
           ["slipwave-compare", "FIFO", "--reference", "FIFO"]]


def start(words, **options):
    return subprocess.run([sys.executable, ROOT / "scripts" / words[0], *words[1:]], stderr=subprocess.PIPE, text=True,
                          timeout=60, check=False, **options)


class Commands(unittest.TestCase):
    def test_a_reader_that_left_is_no_error(self):
        for words in HELP:
            read, write = os.pipe()
            os.close(read)
            result = start(words, stdout=write)
            os.close(write)
            self.assertEqual(result.stderr, "", words)

    def test_pipes_and_devices_are_refused_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(Path(folder, "FIFO"))
            for words in READERS:
                result = start(words, cwd=folder, stdout=subprocess.DEVNULL)
                self.assertEqual(result.returncode, 1, words)
                self.assertIn("FIFO: a pipe or a device, which may never end: need a plain file", result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)

    def test_texts_have_a_bound(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(Path(folder, "FIFO"), "wb") as file:
                file.truncate((64 << 20) + 1)
            result = start(["slipwave-plot", "bench-kwn", "FIFO", "-o", "o"], cwd=folder, stdout=subprocess.DEVNULL)
            self.assertEqual(result.returncode, 1)
            self.assertIn("more than 67108864 bytes", result.stderr)


if __name__ == "__main__":
    counted.main()
