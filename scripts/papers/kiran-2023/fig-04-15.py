#!/usr/bin/env python3
"""Kiran 2023, Figs. 4.15 and 4.19: memory of the operators' own arrays against elements, every element its own matrix;
here of hexahedra (its are quadrilaterals), for which its text has 1.92 times less for ebe_sym (section 4.3.3)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, columns, figure, finish, options, run, where
from kernels import CANTILEVER, rows_of


def main():
    chosen = options(__doc__, bench=True)
    rows, source = rows_of(chosen)
    drawn, (panel,) = figure(width=5)
    rows = where(rows, body=CANTILEVER, plastic_percent=0, storage="own", scatter="colours")
    memory = {name: columns(where(rows, operator=name), "elements", "bytes_per_unknown")
              for name in ("assembled", "nbn", "dbd", "ebe", "ebe_sym", "points")}
    for i, (name, (elements, memory_of)) in enumerate(memory.items()):
        panel.loglog(elements, memory_of, marker="o^vsDx"[i], markersize=11 - 1.3 * i, markerfacecolor="none",
                     color=COLOURS[i], label=name)
    ratio = memory["ebe"][1][-1] / memory["ebe_sym"][1][-1]
    panel.set(xlabel="elements", ylabel="bytes an unknown")
    panel.legend(frameon=False, fontsize=8)
    finish(drawn, chosen, "fig-04-15", f"{source}: hex8; ebe over ebe_sym: {ratio:.2f}, thesis 1.92")


if __name__ == "__main__":
    run(main)
