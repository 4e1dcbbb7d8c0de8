"""What tests of pictures share: scripts where they are found, and a skip where numpy, h5py or matplotlib is missing."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "python")]
sys.dont_write_bytecode = True

try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)
