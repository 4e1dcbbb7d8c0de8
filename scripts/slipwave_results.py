"""What the scripts have of the package's pictures (slipwave.pictures.common), wherever the package is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
try:
    from slipwave.pictures.common import *  # noqa: F401,F403
except ImportError as missing:
    sys.exit(f"{Path(sys.argv[0]).name}: {missing.name} is missing from {sys.executable}: "
             "need a Python with numpy, h5py and matplotlib")
