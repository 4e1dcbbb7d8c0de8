#!/usr/bin/env python3
"""What a call of Response.advance costs, as CSV: language,crystals,us. The same as bench/bench_calls.c, from Python."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import numpy as np  # noqa: E402

import slipwave  # noqa: E402

TIMES = 41


def main():
    copper = slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))
    response = slipwave.Response("rigid_plastic", material=copper)
    tension = np.diag([1e-3, -0.5e-3, -0.5e-3])
    for count in (1, 10, 100, 1000):
        crystals = slipwave.random_crystals(count, copper)
        calls = 2000 if count < 100 else 50
        seconds = []
        for _ in range(TIMES):
            start = time.process_time()
            for _ in range(calls):
                response.advance(tension, 1e-3, crystals)
            seconds.append((time.process_time() - start) / calls)
        print(f"Python,{count},{1e6 * min(seconds):.2f}")


if __name__ == "__main__":
    main()
