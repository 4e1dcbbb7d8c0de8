#!/usr/bin/env python3
"""Jensen et al. 2016, Figs. 2 and 6: s of 2^29 and of 2^23 class updates against points and classes, a panel a
strategy. Whole steps: the paper's kernels of set-up and solution are not timed apart."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import RESULTS, bench, options, run
from slipwave.pictures.kwn_bench import draw, read


def main():
    chosen = options(__doc__, bench=True)
    _, source = bench(chosen, "kwn-h200-2026-11-21.csv", "bench_kwn", ["large", "small"])
    tables = read([chosen.folder / "bench_kwn.csv" if chosen.run else RESULTS / "kwn-h200-2026-11-21.csv"])
    for name in ("large", "small"):
        draw(name, tables[name], chosen.folder)
        print(chosen.folder / f"bench-kwn-{name}.png")
    print(f"ours: {source}, single precision; white: more than fits")


if __name__ == "__main__":
    run(main)
