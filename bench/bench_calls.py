#!/usr/bin/env python3
"""What a call of Response.advance costs, as CSV: language,crystals,us. The same as bench/bench_calls.c, from Python.
Or one of a command, whose job is a mapping in JSON: bench_calls.py fem JOB.json"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import numpy as np  # noqa: E402

import slipwave  # noqa: E402

TIMES = 41


def time_command(command, job):
    """Least of many, s."""
    function, least = getattr(slipwave, command), float("inf")
    for _ in range(10 * TIMES):
        start = time.process_time()
        function(job)
        least = min(least, time.process_time() - start)
    return least


def main():
    if len(sys.argv) == 3:
        job = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
        print(f"Python,{sys.argv[1]},{1e6 * time_command(sys.argv[1], job):.1f}")
        return
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
