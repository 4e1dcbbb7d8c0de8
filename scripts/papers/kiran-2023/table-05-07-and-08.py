#!/usr/bin/env python3
"""Kiran 2023, Tables 5.7 and 5.8: elastic products of every mesh, ms: its variations A, B and C on a K40c, and the
pass over elastic elements of storage `improved`, here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import options, run, table, where
from kernels import rows_of
from thesis_tables import ELASTIC, OPERATORS


def main():
    chosen = options(__doc__, bench=True)
    rows, source = rows_of(chosen)
    lines = []
    for body, meshes in ELASTIC.items():
        for elements, times in meshes.items():
            for operator, variations in zip(OPERATORS, times):
                found = where(rows, body=body, elements=elements, operator=operator, storage="improved",
                              plastic_percent=0)
                ours = [f"{row['product_ms']:.3f}" for row in found]
                lines.append((body, elements, operator, *variations, *ours, *[""] * (2 - len(ours))))
    head = ["body", "elements", "operator", "A", "B", "C", "ours: colours", "atomics"]
    table(chosen, "table-05-07-and-08", head, lines)
    print(f"ours: {source}, H200; A B C: K40c of 288 GB/s, a fourteenth of the H200's bandwidth")


if __name__ == "__main__":
    run(main)
