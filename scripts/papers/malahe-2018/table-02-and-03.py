#!/usr/bin/env python3
"""Malahe 2018, Tables 2 and 3: its ideal throughput from Table 2's reciprocal throughputs, and terms a second, achieved
over ideal: theirs, and ours on another GPU, whose ideal is that of the instructions of our loop."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import bench, options, run, table, where

PAIR = 9 * 1.98  # of the paper's terms: nine outputs of two conjugate coefficients
# Table 2, last row: clocks a term at D = 4, N_s = 9 and the GPU's clock, Hz, and multiprocessors, as in section 4.3
GTX_980_TI = 1.982 * 1.2025e9 * 22 / 0.03472
THEIRS = [("Mihaila et al. 2014; 2 x C2050; single", 4.96e10, 4.838e11),
          ("Savage and Knezevic 2015; K20; double", 1.678e10, 3.807e11),
          ("Malahe 2018; GTX 980 Ti; single", 1.535e12, GTX_980_TI)]


def main():
    chosen = options(__doc__, bench=True)
    rows, source = bench(chosen, "h200-2026-11-21.csv", "bench_gpu", ["forms"])
    ours = [(f"{row['series']}; H200; single", PAIR * row["value"], PAIR * row["limit"])
            for row in where(rows, table="forms")]
    lines = [(name, f"{value:.4g}", f"{ideal:.4g}", f"{100 * value / ideal:.1f}")
             for name, value, ideal in THEIRS + ours]
    table(chosen, "table-02-and-03", ["work", "terms/s achieved", "ideal", "efficiency %"], lines)
    print(f"ours: {source}")


if __name__ == "__main__":
    run(main)
