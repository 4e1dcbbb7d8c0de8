#!/usr/bin/env python3
"""Lubbe et al. 2022, Figs. 1 and 8: packings of the parameters of Table 1 at 100 kPa, 400 to 2,800 particles: test of
contact orientations against their number, rose diagrams. By scripts/dev/dem_size_study.py, whose folder is `sizes`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import BIN, ROOT, options, run, start


def main():
    chosen = options(__doc__, more=[("--packings", "of each size", 5),
                                    ("--sizes", "particles", "400,800,1200,1600,2000,2400,2800")])
    print(start(ROOT / "scripts/dev/dem_size_study.py", "-o", chosen.folder / "sizes", "--packings", chosen.packings,
                "--program", BIN / "slipwave", "--sizes", *chosen.sizes.split(",")))
    for name in ("size-study", "roses"):
        print(chosen.folder / "sizes" / f"{name}.png")


if __name__ == "__main__":
    run(main)
