#!/usr/bin/env python3
"""Lubbe et al. 2022, Figs. 9 and 10: drained triaxial compression of dense quartz at 200 kPa, and of one sand from five
void ratios at 100 kPa. --count packings and --particles of each: 3 and 2,000 are
some 4e9 particle-steps, a quarter of an hour of a core."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import job, options, plot, run, slipwave


def main():
    chosen = options(__doc__, more=[("--particles", "of an element", 2000), ("--count", "packings of Fig. 9", 3),
                                    ("--inertia-number", "the paper's is 1e-3", 1e-3)])
    for name, source in (("fig-09", "dem-quartz-triaxial.yaml"), ("fig-10", "dem-quartz-loose.yaml")):
        changes = {"rves": f"{{count: {chosen.count}}}"} if name == "fig-09" else {}
        text = job(source, output=f"{{file: {name}.h5}}", **changes)
        text = text.replace("particles: 2000", f"particles: {chosen.particles}")
        results = slipwave("dem", chosen.folder, name, text, "--inertia-number", chosen.inertia_number)
        plot("dem", results, "-o", chosen.folder / f"{name}.png")
        print(chosen.folder / f"{name}.png")


if __name__ == "__main__":
    run(main)
