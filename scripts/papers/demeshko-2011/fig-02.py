#!/usr/bin/env python3
"""Demeshko et al. 2011, Fig. 2: a cylinder compressed between flat plates with Coulomb's friction: the deformed billet,
and the force. By `slipwave fem`; the paper's own way is bench_convected's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import job, options, plot, run, slipwave


def main():
    chosen = options(__doc__)
    text = job("fem-upsetting.yaml", output="{file: fig-02.h5, fields: [50]}")
    results = slipwave("fem", chosen.folder, "fig-02", text)
    fields = [results.with_name("fig-02-0050.vtkhdf")]
    for name, files in (("fig-02-shape", fields), ("fig-02-force", [results])):
        plot("upsetting", *files, "-o", chosen.folder / f"{name}.png")
        print(chosen.folder / f"{name}.png")


if __name__ == "__main__":
    run(main)
