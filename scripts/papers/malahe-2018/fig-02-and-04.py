#!/usr/bin/env python3
"""Malahe 2018, Figs. 2 and 4: pole figures after simple shear and plane strain compression: the series with the counts
of terms of --terms, and the iterative solver."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import options, plot, run
from runs import TESTS, deform


def main():
    chosen = options(__doc__, more=[("--terms", "counts of terms, a row each", "1024,4096,8192")])
    for number, test in zip(("02", "04"), TESTS):
        rows = [deform(chosen.folder, test, "terms", int(terms)) for terms in chosen.terms.split(",")]
        rows.append(deform(chosen.folder, test, "iterative"))
        picture = chosen.folder / f"fig-{number}.png"
        plot("texture", "--kind", "pole", *rows, "-o", picture)
        print(picture)


if __name__ == "__main__":
    run(main)
